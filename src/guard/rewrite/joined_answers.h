// A join with a subquery of answers on its group keys, as tools write for the top N of a series:
//
//   SELECT ward, month, count(*) FROM visits JOIN (SELECT ward, count(*) FROM visits GROUP BY ward ORDER BY 2 DESC
//   LIMIT 3) AS top USING (ward) GROUP BY ward, month
//
// The subquery's rows are answers, and public. It has at most one row for each of its groups, so that joined on all its
// keys it only says which rows count: where these keys are the level's, too, which of the level's groups are shown. So
// the join is done above the noise, with the level's answers, and each of both is asked and charged once.
#pragma once

#include "guard/query/inner_query.h"

namespace dp::guard {

// Subqueries of answers that were taken out of a level.
struct JoinedAnswers {
  List* entries;     // RangeTblEntry
  List* numbers;     // int: of each the number that it had in the level
  List* conditions;  // Node: of the joins, as the level wrote them
};

// Takes the subqueries of answers out of the level's FROM that are joined, by inner joins, on all their group keys to
// group keys of the level, if it reads something else besides. Others stay where they are; DP002 where one is joined to
// rows that the asker may not read. The level must be pg::flattened; its subqueries have been rewritten.
JoinedAnswers take_joined_answers(Query* level, List* levels, const InnerQueries& inner_queries);

// The same of a level that is only shown, where none is split: those of the subqueries (`written`: Query) in which
// private calls have been written. Whether there are any.
bool take_written_answers(Query* level, List* levels, List* written);

// What a subquery or a CTE in FROM asks; nullptr for other items.
const Query* subquery_of(const RangeTblEntry* entry, List* levels);

// Whether a level that reads an entry of answers reads tables beside it whose rows the asker may not see: whoever may,
// may join them to whatever there is. `from`: the level's, without the entry.
bool reads_denied_beside(const Query* level, FromExpr* from, List* levels, int number);

// Joins them, where there are any, to the answers of the level, which has become an outer query.
void join_answers(Query* level, const JoinedAnswers& joined, const InnerQueryParts& inner_query);

}  // namespace dp::guard
