#include "guard/rewrite/single_rows.h"

#include "guard/rewrite/joined_answers.h"
#include "guard/tables/protected_reads.h"
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
  const RangeTblEntry* const entry = rt_fetch(linitial_node(RangeTblRef, from)->rtindex, query->rtable);
  const InnerQuery* const inner = entry->rtekind == RTE_SUBQUERY ? inner_queries.find(entry->subquery) : nullptr;
  return inner != nullptr && inner->keys == NIL && inner->sets() == 1;
}

struct Columns {
  const RangeTblEntry* entry;
  int number;
  int depth;
  Bitmapset* used;  // columns; 0: the whole row, or one that is used in a subquery
};

bool find_columns(Node* node, void* context) {
  if (node == nullptr) return false;
  auto& here = *static_cast<Columns*>(context);
  if (IsA(node, Query)) {
    ++here.depth;
    pg::walk_query(castNode(Query, node), find_columns, context, 0);
    --here.depth;
    return false;
  }
  if (!IsA(node, Var)) return pg::walk(node, find_columns, context);
  const auto* const column = castNode(Var, node);
  if (column->varno != here.number || static_cast<int>(column->varlevelsup) != here.depth) return false;
  here.used = bms_add_member(here.used, here.depth == 0 ? Max(column->varattno, 0) : 0);
  return false;
}

// (SELECT column FROM the entry)
Node* single_value(const RangeTblEntry* entry, const Var* column) {
  auto* const read = static_cast<RangeTblEntry*>(copyObjectImpl(entry));
  if (read->rtekind == RTE_CTE) ++read->ctelevelsup;
  if (read->rtekind == RTE_SUBQUERY) IncrementVarSublevelsUp(reinterpret_cast<Node*>(read->subquery), 1, 1);
  Query* const query = pg::select_from(read);
  Var* const value = makeVar(1, column->varattno, column->vartype, column->vartypmod, column->varcollid, 0);
  query->targetList = list_make1(makeTargetEntry(reinterpret_cast<Expr*>(value), 1, pstrdup("value"), false));
  auto* const link = makeNode(SubLink);
  link->subLinkType = EXPR_SUBLINK;
  link->subselect = reinterpret_cast<Node*>(query);
  link->location = column->location;
  return reinterpret_cast<Node*>(link);
}

Node* put_values(Node* node, void* context) {
  if (node == nullptr) return nullptr;
  const auto& here = *static_cast<const Columns*>(context);
  if (IsA(node, Var) && castNode(Var, node)->varno == here.number && castNode(Var, node)->varlevelsup == 0)
    return single_value(here.entry, castNode(Var, node));
  return pg::mutate(node, put_values, context);
}

void take_single_row(Query* level, int number) {
  auto* const from = static_cast<FromExpr*>(copyObjectImpl(level->jointree));
  List* conditions = make_ands_implicit(reinterpret_cast<Expr*>(from->quals));
  if (!take_from(from, number, &conditions)) return;
  from->quals = conditions == NIL ? nullptr : reinterpret_cast<Node*>(make_ands_explicit(conditions));
  Columns columns{rt_fetch(number, level->rtable), number, 0, nullptr};
  find_columns(reinterpret_cast<Node*>(from), &columns);
  find_columns(reinterpret_cast<Node*>(level->targetList), &columns);
  find_columns(level->havingQual, &columns);
  const int used = bms_num_members(columns.used);
  if (bms_is_member(0, columns.used) || (columns.entry->rtekind == RTE_SUBQUERY && used > 1)) return;
  const auto put = [&columns](auto* part) {
    return reinterpret_cast<decltype(part)>(put_values(reinterpret_cast<Node*>(part), &columns));
  };
  level->jointree = put(from);
  level->targetList = put(level->targetList);
  level->havingQual = put(level->havingQual);
  level->hasSubLinks = level->hasSubLinks || used > 0;
}

}  // namespace

void take_single_rows(Query* level, List* levels, const InnerQueries& inner_queries) {
  const InnerQueries none;
  for (int number = 1; number <= list_length(level->rtable); ++number) {
    const Query* const subquery = subquery_of(rt_fetch(number, level->rtable), levels);
    if (subquery == nullptr || !is_one_row(subquery, inner_queries)) continue;
    auto* const link = makeNode(SubLink);
    link->subselect = reinterpret_cast<Node*>(const_cast<Query*>(subquery));
    if (reads_protected(link, levels, none)) take_single_row(level, number);
  }
}

}  // namespace dp::guard
