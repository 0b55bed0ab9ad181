#include "guard/rewrite/distinct_casts.h"

#include "aggregate/call/prepare_plan.h"
#include "guard/facts/number_values.h"
#include "guard/functions/aggregates.h"
#include "guard/functions/calls.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// Whether different values have different texts, and equal ones the same: not 1.0 and 1.00, nor what is rounded.
bool is_told_by_text(Oid type) {
  return is_integer(type) || type == BOOLOID || type == OIDOID || type == DATEOID || type == UUIDOID ||
         type_is_enum(type);
}

bool is_unpadded_text(Oid type) { return type == TEXTOID || type == VARCHAROID; }

bool is_wider(Oid type, Oid from) {
  return is_integer(from) && (type == NUMERICOID || (is_integer(type) && get_typlen(type) > get_typlen(from)));
}

// What is cast; nullptr where it is no such cast.
Expr* cast_of(Expr* value) {
  const Oid type = exprType(reinterpret_cast<Node*>(value));
  if (IsA(value, CoerceViaIO)) {
    Expr* const from = castNode(CoerceViaIO, value)->arg;
    return is_unpadded_text(type) && is_told_by_text(exprType(reinterpret_cast<Node*>(from))) ? from : nullptr;
  }
  if (IsA(value, RelabelType)) {
    Expr* const from = castNode(RelabelType, value)->arg;
    const bool same = castNode(RelabelType, value)->resultcollid == exprCollation(reinterpret_cast<Node*>(from));
    return is_unpadded_text(type) && is_unpadded_text(exprType(reinterpret_cast<Node*>(from))) && same ? from : nullptr;
  }
  if (!IsA(value, FuncExpr)) return nullptr;
  const auto [meaning, arguments] = computation_of(reinterpret_cast<Node*>(value));
  if (meaning != Meaning::cast || list_length(arguments) != 1) return nullptr;
  auto* const from = static_cast<Expr*>(linitial(arguments));
  return is_wider(type, exprType(reinterpret_cast<Node*>(from))) ? from : nullptr;
}

// What is cast to a wider type, below all such casts.
Expr* below_casts(Expr* value) {
  Expr* below = nullptr;
  while (Expr* const from = cast_of(below != nullptr ? below : value)) below = from;
  return below;
}

void count_different(Aggref* count, Expr* value) {
  const Oid type = exprType(reinterpret_cast<Node*>(value));
  auto* const clause = linitial_node(SortGroupClause, count->aggdistinct);
  const TypeCacheEntry* const order = lookup_type_cache(type, TYPECACHE_LT_OPR | TYPECACHE_EQ_OPR);
  clause->eqop = order->eq_opr;
  clause->sortop = order->lt_opr;
  clause->hashable = op_hashjoinable(order->eq_opr, type);
  linitial_node(TargetEntry, count->args)->expr = value;
  linitial_oid(count->aggargtypes) = type;
  count->inputcollid = exprCollation(reinterpret_cast<Node*>(value));
}

using InPlaceOf = Expr* (*)(Expr*);

bool replace_below(Node* node, void* context) {
  if (node == nullptr) return false;
  if (IsA(node, Query)) return pg::walk_query(castNode(Query, node), replace_below, context, 0);
  if (IsA(node, Aggref)) {
    auto* const aggregate = castNode(Aggref, node);
    const bool counts = aggregate->aggfnoid == kCountOfValues || aggregate::is_count(aggregate->aggfnoid);
    if (counts && aggregate->aggdistinct != NIL) {
      Expr* const value = (*static_cast<InPlaceOf*>(context))(linitial_node(TargetEntry, aggregate->args)->expr);
      if (value != nullptr) count_different(aggregate, value);
    }
  }
  return pg::walk(node, replace_below, context);
}

}  // namespace

void count_in_place_of_values(Query* statement, Expr* (*in_place_of)(Expr* value)) {
  replace_below(reinterpret_cast<Node*>(statement), &in_place_of);
}

void count_without_casts(Query* statement) { count_in_place_of_values(statement, below_casts); }

}  // namespace dp::guard
