#include "guard/rewrite/listed_groups.h"

#include "guard/admission/refusal.h"
#include "guard/rewrite/level_copies.h"
#include "guard/tree/columns.h"
#include "guard/tree/entries.h"
#include "guard/unit_limit/contribution_bounds.h"
#include "pg/nodes.h"

namespace dp::guard {
namespace {

// The values of that key, as a query within the level.
Query* values_of(const Query* level, List* levels, const SortGroupClause* clause) {
  Query* const values = copy_of_rows(level);
  auto* const grouped = static_cast<SortGroupClause*>(copyObjectImpl(clause));
  const TargetEntry* const key = get_sortgroupclause_tle(grouped, values->targetList);
  grouped->tleSortGroupRef = 1;
  TargetEntry* const shown =
      makeTargetEntry(key->expr, 1, pstrdup(key->resname == nullptr ? "key" : key->resname), false);
  shown->ressortgroupref = 1;
  values->targetList = list_make1(shown);
  values->groupClause = list_make1(grouped);
  put_within_level(values, levels, 1);
  return values;
}

// The expression in that type, which has the same bytes.
Node* in_type(Node* expression, Oid type) {
  if (exprType(expression) == type || IsPolymorphicType(type)) return expression;
  return reinterpret_cast<Node*>(
      makeRelabelType(reinterpret_cast<Expr*>(expression), type, -1, exprCollation(expression), COERCE_IMPLICIT_CAST));
}

// SELECT key FROM the CTE that these values become, within the level, which is a copy of the first of the levels.
Query* read_as_cte(Query* level, List* levels, Query* values) {
  CommonTableExpr* const cte = as_cte(values, psprintf("groups_%d", list_length(level->cteList) + 1));
  level->cteList = lappend(level->cteList, cte);
  linitial_node(Query, levels)->cteList = level->cteList;  // where its readers look for it
  RangeTblEntry* const entry = entry_of_cte(cte, 1);
  Query* const read = pg::select_from(entry);
  const auto* const shown = linitial_node(TargetEntry, values->targetList);
  auto* const column = reinterpret_cast<Expr*>(column_showing(1, 1, shown->expr));
  read->targetList = list_make1(makeTargetEntry(column, 1, pstrdup(shown->resname), false));
  return read;
}

Node* among(Node* key, Query* values) {
  auto* const list = makeNode(SubLink);
  list->subLinkType = ARRAY_SUBLINK;
  list->subselect = reinterpret_cast<Node*>(values);
  list->location = -1;
  const Oid equals = lookup_type_cache(exprType(key), TYPECACHE_EQ_OPR)->eq_opr;
  Oid left, right;
  op_input_types(equals, &left, &right);
  const Oid array = IsPolymorphicType(right) ? InvalidOid : get_array_type(right);
  auto* const any = makeNode(ScalarArrayOpExpr);
  any->opno = equals;
  set_sa_opfuncid(any);
  any->useOr = true;
  any->inputcollid = exprCollation(key);
  auto* const listed = reinterpret_cast<Node*>(list);
  any->args = list_make2(in_type(static_cast<Node*>(copyObjectImpl(key)), left),
                         OidIsValid(array) ? in_type(listed, array) : listed);
  any->location = -1;
  Node* const missing = pg::is_null(copyObjectImpl(key));
  return reinterpret_cast<Node*>(make_orclause(list_make2(any, missing)));
}

}  // namespace

List* list_groups(Query* level, List* levels, const InnerQueryParts& tried, const InnerQueries& inner_queries) {
  List* lists = NIL;
  Node* conditions = nullptr;
  const bool drawn_twice = reads_answers(level, inner_queries);
  ListCell* clause;
  foreach (clause, level->groupClause) {
    if (tried.what.key(foreach_current_index(clause)).is_public() || drawn_twice) continue;
    Query* const values = values_of(level, levels, lfirst_node(SortGroupClause, clause));
    Node* const key = get_sortgroupclause_expr(lfirst_node(SortGroupClause, clause), level->targetList);
    lists = lappend(lists, values);
    Query* const read = tried.apart == Apart::no ? values : read_as_cte(level, levels, values);
    conditions = make_and_qual(conditions, among(key, read));
  }
  if (lists == NIL)
    refuse_to_choose(tried.what.first.relation, drawn_twice ? "groups that are chosen privately beside other answers"
                                                            : "so many groups, some of them chosen privately");
  level->jointree->quals = make_and_qual(level->jointree->quals, conditions);
  level->hasSubLinks = true;
  return lists;
}

void refuse_groups_first(const InnerQueryParts& inner_query) {
  const InnerQuery& what = inner_query.what;
  int unknown = 0;
  while (unknown + 1 < list_length(what.keys) && what.key(unknown).is_public()) ++unknown;
  const GroupKey& key = what.key(unknown);
  DP_REFUSE(
      exprLocation(static_cast<Node*>(list_nth(inner_query.keys, unknown))),
      errmsg("the values of %s are not public, and for groups by type %s that are chosen privately no limits are "
             "chosen",
             key.name, format_type_be(key.type)),
      errdetail("They have to be known before limits are chosen for them."),
      errhint("Group by its text, %s::text; or ask a curator to declare the values, or limits and ranges: SELECT * "
              "FROM dp.suggest(%s);",
              key.name, quote_literal_cstr(get_rel_name(what.first.relation))));
  pg_unreachable();
}

}  // namespace dp::guard
