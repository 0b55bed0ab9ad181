#include "guard/rewrite/single_rows.h"

#include "guard/admission/refusal.h"
#include "guard/relations/protected_reads.h"
#include "guard/rewrite/joined_answers.h"
#include "guard/tree/by_number.h"
#include "guard/tree/columns.h"
#include "guard/tree/entries.h"
#include "guard/tree/replacements.h"
#include "pg/nodes.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// OFFSET 0 keeps queries single (rewrite.cpp).
bool leaves_rows_out(const Query* query) {
  Node* const offset = query->limitOffset;
  if (query->limitCount != nullptr) return true;
  if (offset == nullptr) return false;
  return !IsA(offset, Const) || castNode(Const, offset)->constisnull ||
         DatumGetInt64(castNode(Const, offset)->constvalue) != 0;
}

// Private aggregates without GROUP BY, or what has been made of them.
bool is_one_row(const Query* query, const InnerQueries& inner_queries) {
  if (query->commandType != CMD_SELECT || query->setOperations != nullptr || query->hasTargetSRFs ||
      query->rowMarks != NIL || leaves_rows_out(query)) {
    return false;
  }
  if (query->hasAggs) return query->groupClause == NIL && query->groupingSets == NIL && query->havingQual == nullptr;
  const List* const from = query->jointree->fromlist;
  if (query->jointree->quals != nullptr || list_length(from) != 1 || !IsA(linitial(from), RangeTblRef)) return false;
  const RangeTblEntry* const entry = entry_numbered(linitial_node(RangeTblRef, from)->rtindex, query->rtable);
  const InnerQuery* const inner = entry->rtekind == RTE_SUBQUERY ? inner_queries.find(entry->subquery) : nullptr;
  return inner != nullptr && inner->keys == NIL && inner->sets() == 1;
}

void refuse_where_denied(const Query* level, FromExpr* from, List* levels, int number) {
  if (!reads_denied_beside(level, from, levels, number)) return;
  DP_REFUSE(-1,
            errmsg("answer %s is read within another subquery, beside rows of a protected table",
                   entry_numbered(number, level->rtable)->eref->aliasname),
            errhint("Compare with it in the WHERE of the query that reads these rows, as a column or as a subquery of "
                    "its own: WHERE age > (SELECT avg(age) FROM visits)."));
}

struct Moved {
  const InnerQueries* inner_queries;
  int depth;  // how many queries within the moved one are around the node
};

// What a level within has been compared with stands beside its inner query, not in the tree (InnerQuery::answers): what
// it reads of WITH around the moved subquery is a level further out, too.
bool put_answers_further_in(Node* node, void* context) {
  if (node == nullptr) return false;
  if (!IsA(node, Query)) return pg::walk(node, put_answers_further_in, context);
  auto* const query = castNode(Query, node);
  auto& here = *static_cast<Moved*>(context);
  if (const InnerQuery* const inner = here.inner_queries->find(query)) {
    ListCell* cell;
    foreach (cell, inner->answers) put_out_further_in(lfirst(cell), here.depth + 1);
  }
  ++here.depth;
  pg::walk_query(query, put_answers_further_in, context, 0);
  --here.depth;
  return false;
}

void take_single_row(Query* level, List* levels, int number, const InnerQueries& inner_queries) {
  const RangeTblEntry* const entry = entry_numbered(number, level->rtable);
  Query without = *level;
  without.jointree = static_cast<FromExpr*>(copyObjectImpl(level->jointree));
  List* conditions = conditions_in(without.jointree->quals);
  if (!take_out_of_from(without.jointree, number, &conditions)) return;
  without.jointree->quals = all_of(conditions);
  const Uses uses = uses_of(&without, number);
  // Several columns of a subquery are one answer, several subqueries are several.
  const bool several = entry->rtekind == RTE_SUBQUERY && bms_num_members(uses.columns) > 1;
  if (uses.further_in) return refuse_where_denied(level, without.jointree, levels, number);
  if (uses.whole || several) return;
  SingleValues values(entry, number);
  if (uses.any()) {
    replace_in_level(&without, &values);
    Moved moved{&inner_queries, 0};
    put_answers_further_in(reinterpret_cast<Node*>(entry->subquery), &moved);
  }
  leave_unread(&without, number);
  *level = without;
}

}  // namespace

void take_single_rows(Query* level, List* levels, const InnerQueries& inner_queries) {
  const InnerQueries none;
  for (int number = 1; number <= list_length(level->rtable); ++number) {
    const Query* const subquery = subquery_of(entry_numbered(number, level->rtable), levels);
    if (subquery == nullptr || !is_one_row(subquery, inner_queries)) continue;
    auto* const link = makeNode(SubLink);
    link->subselect = reinterpret_cast<Node*>(const_cast<Query*>(subquery));
    if (reads_protected(link, levels, none)) take_single_row(level, levels, number, inner_queries);
  }
}

}  // namespace dp::guard
