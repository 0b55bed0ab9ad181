#include "guard/relations/sql_functions.h"

#include "budget/catalog/extension_catalog.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

bool inline_below(Node* node, void* context);

// The same as the planner will do (preprocess_function_rtes).
void inline_entry(RangeTblEntry* entry, PlannerInfo* root) {
  entry->functions = castNode(List, eval_const_expressions(root, reinterpret_cast<Node*>(entry->functions)));
  Query* const body = inline_set_returning_function(root, entry);
  if (body == nullptr) return;
  inline_below(reinterpret_cast<Node*>(body), root->glob);
  entry->rtekind = RTE_SUBQUERY;
  // Writing and reading it back, as views' rules are, drops its text positions: error messages would take them for
  // positions in the calling statement.
  entry->subquery = static_cast<Query*>(stringToNode(nodeToString(body)));
  entry->security_barrier = false;
  // In a text its columns have the names by which the query calls them, not those of the body.
  entry->alias = makeAlias(entry->eref->aliasname, static_cast<List*>(copyObjectImpl(entry->eref->colnames)));
  // Its functions stay: by them the planner knows the type of a row as a whole.
  entry->funcordinality = false;
}

bool inline_below(Node* node, void* context) {
  if (node == nullptr) return false;
  if (!IsA(node, Query)) return pg::walk(node, inline_below, context);
  auto* const query = castNode(Query, node);
  auto* const root = makeNode(PlannerInfo);
  root->glob = static_cast<PlannerGlobal*>(context);
  root->parse = query;
  root->query_level = 1;
  root->planner_cxt = CurrentMemoryContext;
  ListCell* cell;
  foreach (cell, query->rtable) {
    auto* const entry = static_cast<RangeTblEntry*>(lfirst(cell));
    if (entry->rtekind == RTE_FUNCTION) inline_entry(entry, root);
  }
  return pg::walk_query(query, inline_below, context, 0);
}

}  // namespace

namespace {

// What the planner asks of a function before it looks at the body.
bool may_be_inlined(const FormData_pg_proc& function) {
  return function.prolang == SQLlanguageId && function.prokind == PROKIND_FUNCTION && function.proretset &&
         function.provolatile != PROVOLATILE_VOLATILE && !function.proisstrict && !function.prosecdef;
}

// NULLs in the types of a call's arguments; of those that are left out, in the types that are declared.
List* nulls_for(const FuncExpr* call, const FormData_pg_proc& function) {
  List* nulls = NIL;
  for (int i = 0; i < function.pronargs; ++i) {
    Oid type = function.proargtypes.values[i];
    ListCell* cell;
    foreach (cell, call->args) {
      auto* const given = static_cast<Node*>(lfirst(cell));
      const int place =
          IsA(given, NamedArgExpr) ? castNode(NamedArgExpr, given)->argnumber : foreach_current_index(cell);
      if (place == i) type = exprType(given);
    }
    nulls = lappend(nulls, makeNullConst(type, -1, get_typcollation(type)));
  }
  return nulls;
}

Query* body_of(const RangeTblEntry* entry, const RangeTblFunction* function, const FuncExpr* call, List* arguments) {
  FuncExpr as_called = *call;
  as_called.args = arguments;
  RangeTblFunction only = *function;
  only.funcexpr = reinterpret_cast<Node*>(&as_called);
  RangeTblEntry of_it = *entry;
  of_it.functions = list_make1(&only);
  auto* const root = makeNode(PlannerInfo);
  root->glob = makeNode(PlannerGlobal);
  root->parse = makeNode(Query);
  root->query_level = 1;
  root->planner_cxt = CurrentMemoryContext;
  return inline_set_returning_function(root, &of_it);
}

}  // namespace

Query* body_of(const RangeTblEntry* entry) {
  if (entry->funcordinality || list_length(entry->functions) != 1) return nullptr;
  const auto* const function = linitial_node(RangeTblFunction, entry->functions);
  if (!IsA(function->funcexpr, FuncExpr)) return nullptr;
  const auto* const call = castNode(FuncExpr, function->funcexpr);
  if (call->funcid < FirstNormalObjectId || !call->funcretset) return nullptr;
  HeapTuple const row = SearchSysCache1(PROCOID, ObjectIdGetDatum(call->funcid));
  if (!HeapTupleIsValid(row)) return nullptr;
  const auto& is = *reinterpret_cast<Form_pg_proc>(GETSTRUCT(row));
  const bool inlined = may_be_inlined(is);
  List* const arguments = inlined ? nulls_for(call, is) : NIL;
  ReleaseSysCache(row);
  return inlined ? body_of(entry, function, call, arguments) : nullptr;
}

void inline_functions(Query* query, PlannerGlobal* global) {
  if (budget::tables() == nullptr) return;
  inline_below(reinterpret_cast<Node*>(query), global);
}

}  // namespace dp::guard
