#include "guard/inner/shard_paths.h"

#include "budget/catalog/copy_rows.h"
#include "budget/catalog/extension_catalog.h"
#include "budget/policy/colocated.h"
#include "guard/inner/plan_expressions.h"

namespace dp::guard {
namespace {

// Of the inner query that is being planned.
GetForeignUpperPaths_function own_upper_paths = nullptr;
GetForeignJoinPaths_function own_join_paths = nullptr;
List* declared_of_planned = NIL;

bool is_part(const Node* expression) {
  if (!IsA(expression, Aggref)) return false;
  const Oid aggregate = reinterpret_cast<const Aggref*>(expression)->aggfnoid;
  return aggregate == budget::internal_function("shard_part", {ANYOID}) ||
         aggregate == budget::internal_function("shard_units", {ANYOID}) ||
         aggregate == budget::internal_function("shard_groups", {ANYOID}) ||
         aggregate == budget::internal_function("shard_row", {ANYELEMENTOID, ANYOID});
}

bool are_admitted(List* conditions) {
  const PlannedExpressions context{declared_of_planned, nullptr, nullptr};
  ListCell* cell;
  foreach (cell, conditions) {
    if (find_unadmitted(reinterpret_cast<Node*>(lfirst_node(RestrictInfo, cell)->clause), context) != nullptr)
      return false;
  }
  return true;
}

// Whether it compares the unit of that table with the unit of that one.
bool compares_units(const RestrictInfo* condition, Oid one, int one_number, Oid other, int other_number) {
  if (condition->mergeopfamilies == NIL || !is_opclause(condition->clause)) return false;
  const auto is_unit = [](const Node* side, Oid table, int number) {
    const auto* const column = reinterpret_cast<const Var*>(side);
    return IsA(side, Var) && column->varno == number && column->varattno == budget::colocated_by(table);
  };
  const Node* const left = get_leftop(condition->clause);
  const Node* const right = get_rightop(condition->clause);
  return exprType(left) == exprType(right) &&
         ((is_unit(left, one, one_number) && is_unit(right, other, other_number)) ||
          (is_unit(left, other, other_number) && is_unit(right, one, one_number)));
}

// Whether the rows of both sides, each of one server, are joined there: copies of public tables to rows of a protected
// one, and protected tables along the unit where these are side by side. What an outer join keeps are rows of protected
// tables.
bool are_joined_there(const PlannerInfo* root, const RelOptInfo* one, const RelOptInfo* other, JoinType type,
                      const JoinPathExtraData* extra) {
  if (type != JOIN_INNER && type != JOIN_LEFT && type != JOIN_RIGHT) return false;
  bool sides[2] = {false, false};
  bool along = false;
  const auto table = [root](int number) { return root->simple_rte_array[number]->relid; };
  const auto is_counted = [&](int number) {  // since 16 an outer join has a number, too
    return root->simple_rel_array[number] != nullptr && !is_copy(table(number));
  };
  for (int i = -1; (i = bms_next_member(one->relids, i)) >= 0;) sides[0] = sides[0] || is_counted(i);
  for (int j = -1; (j = bms_next_member(other->relids, j)) >= 0;) {
    if (!is_counted(j)) continue;
    sides[1] = true;
    for (int i = -1; (i = bms_next_member(one->relids, i)) >= 0;) {
      if (!is_counted(i)) continue;
      if (!budget::are_colocated(table(i), table(j))) return false;
      ListCell* cell;
      foreach (cell, extra->restrictlist) {
        const auto* const condition = lfirst_node(RestrictInfo, cell);
        const bool of_join = type == JOIN_INNER || !condition->is_pushed_down;
        along = along || (of_join && compares_units(condition, table(i), i, table(j), j));
      }
    }
  }
  if (sides[0] && sides[1]) return along;
  return type == JOIN_INNER || sides[type == JOIN_LEFT ? 0 : 1];
}

List* foreign_among(List* paths) {
  List* found = NIL;
  ListCell* cell;
  foreach (cell, paths)
    if (IsA(lfirst(cell), ForeignPath)) found = lappend(found, lfirst(cell));
  return found;
}

// Another server joins all that a level reads, where the conditions are admitted as they were planned, or nothing of
// it. Where it can, it does: what is asked of it depends on no estimate, and so on no row.
void find_joined(PlannerInfo* root, RelOptInfo* together, RelOptInfo* one, RelOptInfo* other, JoinType type,
                 JoinPathExtraData* extra) {
  List* const others = together->pathlist;
  bool admitted = are_joined_there(root, one, other, type, extra) && are_admitted(extra->restrictlist);
  for (int number = -1; admitted && (number = bms_next_member(together->relids, number)) >= 0;) {
    const RelOptInfo* const table = root->simple_rel_array[number];
    admitted = table == nullptr || are_admitted(table->baserestrictinfo);
  }
  together->pathlist = NIL;
  if (admitted) own_join_paths(root, together, one, other, type, extra);
  List* const there = list_concat(together->pathlist, foreign_among(others));
  together->pathlist = others;
  if (there == NIL || !bms_is_subset(root->all_baserels, together->relids)) return;
  // PostgreSQL would put away what costs more than what it finds later. Among themselves they cost what they did.
  ListCell* cell;
  Cost least = linitial_node(ForeignPath, there)->path.total_cost;
  foreach (cell, there) least = Min(least, lfirst_node(ForeignPath, cell)->path.total_cost);
  foreach (cell, there) {
    Path& path = lfirst_node(ForeignPath, cell)->path;
    path.total_cost -= least;
    path.startup_cost = 0;
  }
  together->pathlist = there;
}

// Another server groups rows and makes parts, where all that it is sent for it is admitted as it was planned.
void find_parts(PlannerInfo* root, UpperRelationKind stage, RelOptInfo* input, RelOptInfo* output, void* extra) {
  if (stage != UPPERREL_GROUP_AGG) return;
  const PlannedExpressions context{declared_of_planned, nullptr, nullptr};
  ListCell* cell;
  bool parts = false;
  foreach (cell, output->reltarget->exprs) {
    auto* const expression = static_cast<Node*>(lfirst(cell));
    if (find_unadmitted(expression, context) != nullptr) return;
    if (!is_part(expression) && contain_agg_clause(expression)) return;
    parts = parts || is_part(expression);
  }
  if (!parts || !are_admitted(input->baserestrictinfo)) return;
  // Where that server can, it does: what is asked of it depends on no estimate, and so on no row.
  List* const others = output->pathlist;
  output->pathlist = NIL;
  own_upper_paths(root, stage, input, output, extra);
  if (output->pathlist == NIL) output->pathlist = others;
}

}  // namespace

bool is_copy(Oid table) { return OidIsValid(budget::original_of(table)); }

bool are_keys_and_parts(const List* shown) {
  const ListCell* cell;
  foreach (cell, shown) {
    auto* const expression = reinterpret_cast<Node*>(lfirst_node(TargetEntry, cell)->expr);
    if (!is_part(expression) && contain_agg_clause(expression)) return false;
  }
  return true;
}

bool has_parts(const List* shown) {
  const ListCell* cell;
  foreach (cell, shown)
    if (is_part(reinterpret_cast<Node*>(lfirst_node(TargetEntry, cell)->expr))) return true;
  return false;
}

void fetch_rows_or_parts(RelOptInfo* table, List* declared) {
  if (table->fdwroutine->GetForeignJoinPaths != find_joined) own_join_paths = table->fdwroutine->GetForeignJoinPaths;
  table->fdwroutine->GetForeignJoinPaths = find_joined;
  if (table->fdwroutine->GetForeignUpperPaths != find_parts) own_upper_paths = table->fdwroutine->GetForeignUpperPaths;
  table->fdwroutine->GetForeignUpperPaths = find_parts;
  declared_of_planned = declared;
}

}  // namespace dp::guard
