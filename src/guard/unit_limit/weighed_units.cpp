#include "guard/unit_limit/weighed_units.h"

#include "budget/catalog/extension_catalog.h"
#include "core/mechanism/group_selection.h"
#include "guard/functions/aggregates.h"
#include "guard/tree/by_number.h"
#include "guard/unit_limit/unit_aggregates.h"
#include "guard/unit_limit/unit_subquery.h"
#include "pg/nodes.h"

namespace dp::guard {

// Of groups of units in G it takes 0.8 to 0.95 times as many units as by shares for G = 3, 0.9 to 1.15 times for 2.
bool weighs_groups(std::uint32_t most) { return most >= 3 && most <= mechanism::WeightedSelection::kMostGroups; }

void weigh(UnitSubquery* groups, TargetEntry* column, List* of_unit, std::uint32_t most) {
  auto* const one = reinterpret_cast<Expr*>(pg::int8_constant(1));
  Expr* const all = groups->over(budget::internal_function("unit_sum", {INT8OID}), INT8OID, one, of_unit, NIL);
  auto* const kept = makeNode(MinMaxExpr);
  kept->minmaxtype = INT8OID;
  kept->op = IS_LEAST;
  kept->args = list_make2(groups->column(all), pg::int8_constant(static_cast<int>(most)));
  kept->location = -1;
  column->expr = reinterpret_cast<Expr*>(sum_of_weights(reinterpret_cast<Expr*>(kept)));
}

char* weigh_units(Query* query, int count_column, Var* unit, List* keys, const char* path) {
  constexpr auto kMost = static_cast<int>(mechanism::WeightedSelection::kMostGroups);
  UnitSubquery inner(query);
  List* const of_unit = list_make1(unit);
  List* const unit_and_keys = lcons(unit, list_copy(keys));
  inner.group_by(unit_and_keys);
  inner.see_keys(list_length(keys));
  inner.keep_first(inner.number(kRowNumber, of_unit, random_order(unit_and_keys, keys)), kMost);
  weigh(&inner, target_numbered(query->targetList, count_column), of_unit, kMost);
  inner.finish();
  return psprintf("%s: in %d groups at most, in each with a weight by how many they are", path, kMost);
}

}  // namespace dp::guard
