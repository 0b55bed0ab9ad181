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

bool is_text(Oid type) { return type == TEXTOID || type == VARCHAROID; }

bool is_wider(Oid type, Oid from) {
  return is_integer(from) && (type == NUMERICOID || (is_integer(type) && get_typlen(type) > get_typlen(from)));
}

// What is cast; nullptr where it is no such cast.
Expr* cast_of(Expr* value) {
  const Oid type = exprType(reinterpret_cast<Node*>(value));
  if (IsA(value, CoerceViaIO)) {
    Expr* const from = castNode(CoerceViaIO, value)->arg;
    return is_text(type) && is_told_by_text(exprType(reinterpret_cast<Node*>(from))) ? from : nullptr;
  }
  if (IsA(value, RelabelType)) {
    Expr* const from = castNode(RelabelType, value)->arg;
    const bool same = castNode(RelabelType, value)->resultcollid == exprCollation(reinterpret_cast<Node*>(from));
    return is_text(type) && is_text(exprType(reinterpret_cast<Node*>(from))) && same ? from : nullptr;
  }
  if (!IsA(value, FuncExpr)) return nullptr;
  const auto [meaning, arguments] = computation_of(reinterpret_cast<Node*>(value));
  if (meaning != Meaning::cast || list_length(arguments) != 1) return nullptr;
  auto* const from = static_cast<Expr*>(linitial(arguments));
  return is_wider(type, exprType(reinterpret_cast<Node*>(from))) ? from : nullptr;
}

bool write_below(Node* node, void* context) {
  if (node == nullptr) return false;
  if (IsA(node, Query)) return pg::walk_query(castNode(Query, node), write_below, context, 0);
  if (IsA(node, Aggref)) {
    auto* const aggregate = castNode(Aggref, node);
    const bool counts = aggregate->aggfnoid == kCountOfValues || aggregate::is_count(aggregate->aggfnoid);
    if (counts && aggregate->aggdistinct != NIL && aggregate->args != NIL) {
      Expr* value = linitial_node(TargetEntry, aggregate->args)->expr;
      while (Expr* const from = cast_of(value)) value = from;
      if (value != linitial_node(TargetEntry, aggregate->args)->expr) count_different(aggregate, value);
    }
  }
  return pg::walk(node, write_below, context);
}

}  // namespace

void count_without_casts(Query* statement) { write_below(reinterpret_cast<Node*>(statement), nullptr); }

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

}  // namespace dp::guard
