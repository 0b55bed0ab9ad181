#include "guard/groups/counts_per_unit.h"

#include "guard/functions/aggregates.h"
#include "guard/relations/per_unit_subquery.h"
#include "guard/tree/by_number.h"
#include "pg/nodes.h"

namespace dp::guard {
namespace {

bool counts_rows(const Var* column, const Sources& sources) {
  const PerUnitTable* const joined = sources.per_unit_at(column->varno);
  Query* const grouped = joined == nullptr ? sources.grouped : joined->grouped;
  if (grouped == nullptr || column->varattno <= 0) return false;
  const Query* const level = pg::flattened(grouped);
  const Expr* const shown = target_numbered(level->targetList, column->varattno)->expr;
  if (!IsA(shown, Aggref)) return false;
  const Oid aggregate = reinterpret_cast<const Aggref*>(shown)->aggfnoid;
  return is_plain_count(aggregate);
}

Node* not_negative(const Var* count) {
  const TypeCacheEntry* const order = lookup_type_cache(INT8OID, TYPECACHE_BTREE_OPFAMILY);
  const Oid at_least = get_opfamily_member(order->btree_opf, INT8OID, INT8OID, BTGreaterEqualStrategyNumber);
  auto* const zero = pg::int8_constant(0);
  auto* const column = static_cast<Expr*>(copyObjectImpl(count));
  return reinterpret_cast<Node*>(
      make_opclause(at_least, BOOLOID, false, column, reinterpret_cast<Expr*>(zero), InvalidOid, InvalidOid));
}

}  // namespace

List* conditions_and_counts(Node* key, const Sources& sources) {
  List* conditions = list_copy(sources.conditions);
  ListCell* cell;
  foreach (cell, pull_var_clause(key, 0)) {
    const auto* const column = lfirst_node(Var, cell);
    if (counts_rows(column, sources)) conditions = lappend(conditions, not_negative(column));
  }
  return conditions;
}

}  // namespace dp::guard
