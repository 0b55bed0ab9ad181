#include "guard/hooks/strangers.h"

#include <iterator>

#include "aggregate/call/prepare_plan.h"
#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/known_rows.h"
#include "budget/policy/accounts.h"
#include "guard/relations/sql_functions.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// What was found of a relation, as long as this session hears of no change.
struct KnownRelation {
  Oid relation;
  budget::CatalogVersion catalog_version;
  bool is_ours;
};
KnownRelation known_relations[256];

// Its rows, or some of them, are protected, or those of tables that have it as a part or child. What cannot be looked
// up is ours: whoever looks it up then says what is wrong.
bool look_up(Oid relation) {
  return !budget::can_read_policies() || budget::protection_of(relation) || budget::has_protected_child(relation);
}

bool is_ours(Oid relation) {
  if (relation < FirstNormalObjectId) return false;
  KnownRelation& known = known_relations[relation % std::size(known_relations)];
  const budget::CatalogVersion before = budget::catalog_version();
  if (known.relation == relation && known.catalog_version == before) return known.is_ours;
  const bool ours = look_up(relation);
  if (budget::catalog_version() == before) known = {relation, before, ours};
  return ours;
}

struct Look {
  bool subqueries;   // may stand in expressions, which then are all walked
  bool by_function;  // an SQL function that the planner may put in its place is ours: no other one is looked at
};

bool look(Node* node, void* context);
bool look_into(Query* query, Look* outer);

// Where no expression has a subquery, aggregates of the query stand in these two alone.
bool look_for_aggregates(Query* query, Look* here) {
  if (!query->hasAggs && !query->hasWindowFuncs) return false;
  ListCell* cell;
  foreach (cell, query->targetList) {
    if (look(reinterpret_cast<Node*>(lfirst_node(TargetEntry, cell)->expr), here)) return true;
  }
  return look(query->havingQual, here);
}

bool look_into_entries(const Query* query, Look* here) {
  ListCell* cell;
  foreach (cell, query->rtable) {
    const auto* const entry = lfirst_node(RangeTblEntry, cell);
    if (look(static_cast<Node*>(lfirst(cell)), here)) return true;
    if (entry->rtekind == RTE_SUBQUERY && look_into(entry->subquery, here)) return true;
  }
  foreach (cell, query->cteList) {
    if (look(static_cast<Node*>(lfirst(cell)), here)) return true;
  }
  return false;
}

// True at once where something is ours by its name.
bool look_into(Query* query, Look* outer) {
  check_stack_depth();
  Look here{outer->subqueries || query->hasSubLinks, outer->by_function};
  const bool found = here.subqueries ? pg::walk_query(query, look, &here, QTW_EXAMINE_RTES_BEFORE)
                                     : look_into_entries(query, &here) || look_for_aggregates(query, &here);
  outer->by_function = here.by_function;
  return found;
}

// Functions in one that nobody reads are left alone: it is not planned, and what is wrong with them does not matter.
bool look_into_cte(const CommonTableExpr* cte, Look* around) {
  auto* const query = castNode(Query, cte->ctequery);
  if (cte->cterefcount > 0 || query->commandType != CMD_SELECT) return look_into(query, around);
  Look within{around->subqueries, true};
  return look_into(query, &within);
}

bool body_is_ours(const RangeTblEntry* entry) {
  Query* const body = body_of(entry);
  Look within{false, false};
  return body != nullptr && (look_into(body, &within) || within.by_function);
}

bool look(Node* node, void* context) {
  if (node == nullptr) return false;
  auto* const here = static_cast<Look*>(context);
  switch (nodeTag(node)) {
    case T_Query:
      return look_into(castNode(Query, node), here);
    case T_CommonTableExpr:
      return look_into_cte(castNode(CommonTableExpr, node), here);
    case T_RangeTblEntry: {
      const auto* const entry = castNode(RangeTblEntry, node);
      if (entry->rtekind == RTE_RELATION) return is_ours(entry->relid);
      if (entry->rtekind == RTE_FUNCTION && !here->by_function) here->by_function = body_is_ours(entry);
      return false;
    }
    case T_Var:
    case T_Const:
      return false;
    case T_Aggref:
      if (castNode(Aggref, node)->aggfnoid >= FirstNormalObjectId &&
          aggregate::is_private_aggregate(castNode(Aggref, node)->aggfnoid))
        return true;
      // There is no aggregate within one but in a subquery.
      if (!here->subqueries) return false;
      break;
    case T_WindowFunc:
      if (castNode(WindowFunc, node)->winfnoid >= FirstNormalObjectId &&
          aggregate::is_private_aggregate(castNode(WindowFunc, node)->winfnoid))
        return true;
      break;
    default:
      break;
  }
  return pg::walk(node, look, context);
}

// Where a function alone is ours, it depends on its arguments whether the planner does put it in its place. That is
// tried on a copy, so that the statement is as it came if it does not.
bool is_ours_inlined(const Query* query) {
  auto* const copy = static_cast<Query*>(copyObjectImpl(query));
  inline_functions(copy, makeNode(PlannerGlobal));
  Look inlined{false, false};
  return look_into(copy, &inlined);
}

bool is_ours(Query* query) {
  if (budget::is_absent()) return false;
  AcceptInvalidationMessages();
  Look statement{false, false};
  return look_into(query, &statement) || (statement.by_function && is_ours_inlined(query));
}

}  // namespace

bool is_strangers(Query* query) {
#ifdef USE_ASSERT_CHECKING
  const void* const given = copyObjectImpl(query);
#endif
  const bool strangers = !is_ours(query);
  Assert(!strangers || equal(given, query));
  return strangers;
}

// A plan depends on the functions in it that are not PostgreSQL's own. Those that workers get do not say so.
bool calls_none_of_ours(const PlannedStmt* plan) { return plan->invalItems == NIL && !IsParallelWorker(); }

}  // namespace dp::guard
