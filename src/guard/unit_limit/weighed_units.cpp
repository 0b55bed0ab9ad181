#include "guard/unit_limit/weighed_units.h"

#include "budget/catalog/extension_catalog.h"
#include "core/mechanism/group_selection.h"
#include "guard/tree/by_number.h"
#include "guard/unit_limit/unit_aggregates.h"
#include "guard/unit_limit/unit_subquery.h"
#include "pg/nodes.h"

namespace dp::guard {

char* weigh_units(Query* query, int count_column, Var* unit, List* keys, const char* path) {
  constexpr auto kMost = static_cast<int>(mechanism::WeightedSelection::kMostGroups);
  UnitSubquery inner(query);
  List* const of_unit = list_make1(unit);
  List* const unit_and_keys = lcons(unit, list_copy(keys));
  inner.group_by(unit_and_keys);
  inner.see_keys(list_length(keys));
  inner.keep_first(inner.number(F_ROW_NUMBER, of_unit, random_order(unit_and_keys, keys)), kMost);
  auto* const one = reinterpret_cast<Expr*>(pg::int8_constant(1));
  Expr* const groups = inner.over(budget::internal_function("unit_sum", {INT8OID}), INT8OID, one, of_unit, NIL);
  target_numbered(query->targetList, count_column)->expr =
      reinterpret_cast<Expr*>(sum_of_weights(inner.column(groups)));
  inner.finish();
  return psprintf("%s: in %d groups at most, in each with a weight by how many they are", path, kMost);
}

}  // namespace dp::guard
