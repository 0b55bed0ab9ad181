// Subqueries of rows that a row around them is compared with, as per-unit subqueries: (SELECT count(*) FROM visits v
// WHERE v.person = p.id) as SELECT count(*), v.person FROM visits v GROUP BY v.person.
#pragma once

#include <optional>

#include "pg/planner.h"

namespace dp::guard {

// A per-unit subquery that tells what the subquery computed of one.
struct Computed {
  Query* question;
  List* compared;  // Node: what its rows were found by
  List* answers;   // Node: the columns that the subquery had
  List* parts;     // Node: of these, which are columns of the question
  bool grouped;    // where there are no rows there is no answer; otherwise a count is 0
};

// Nothing where the subquery is another one.
std::optional<Computed> computed_per_unit(const Query* subquery);

// A column that the subquery had, by what the question has as the entry of that number, or lacks.
Node* answer_of(const Computed& computed, int number, int column);

// Whether the query chooses rows of tables and subqueries, but for aggregates, keys and DISTINCT.
bool only_chooses(const Query* query);

// Whether it, or a part of it, reads the level around it; whether it reads ones around that.
bool reads_around(void* tree);
bool reads_further(Query* query);

// Takes the conditions that compare its columns with the level around out of its WHERE. False where it reads more of
// that level.
bool take_compared(Query* query, List** compared);

// Columns of the query that show what is compared, and the clauses of a grouping by them.
List* keys_for(List* compared, Query* query);

// Columns that are not shown, and the order by them.
void take_hidden_columns(Query* query);

}  // namespace dp::guard
