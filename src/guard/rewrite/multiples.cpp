#include "guard/rewrite/multiples.h"

#include "guard/rewrite/known_aggregates.h"
#include "guard/rewrite/private_calls.h"

namespace dp::guard {
namespace {

Expr* value_of(const Aggref* call) { return linitial_node(TargetEntry, call->args)->expr; }

bool is_plain_sum(const Aggref* call) {
  return is_sum(call->aggfnoid) && call->aggdistinct == NIL && call->aggorder == NIL &&
         OidIsValid(number_type(exprType(reinterpret_cast<Node*>(value_of(call)))));
}

}  // namespace

Multiples::Multiples(const LevelAggregates& found, const Sources& sources, CallBounds* bounds)
    : sources_(sources), bounds_(bounds) {
  if (!found.of_computed_values || list_length(found.ordinary) < 2) return;
  ListCell* cell;
  foreach (cell, found.ordinary) {
    const auto* const call = lfirst_node(Aggref, cell);
    if (!is_plain_sum(call)) continue;
    // An offset would count as often as there are values.
    if (const AffineValue of = affine_value(value_of(call)); of.is_linear())
      sums_ = lappend(sums_, new (palloc(sizeof(Entry))) Entry{call, of.value});
  }
}

bool Multiples::is_open(const Aggref* seen, Expr* value) const {
  const auto over = [this](Expr* expression) {
    return expression == nullptr ? nullptr
                                 : sources_.over_tables(static_cast<Node*>(copyObjectImpl(expression)), "an aggregate");
  };
  ValueBounds found;
  return bounds_->ends(over(value), over(seen->aggfilter), &found) == NIL;
}

AffineValue Multiples::of_sum(const Aggref* call, const Aggref* seen) const {
  const AffineValue own = itself(value_of(call));
  if (list_length(sums_) < 2 || !is_plain_sum(call)) return own;
  const AffineValue of = affine_value(value_of(call));
  if (!of.is_linear() || of.value == own.value) return own;
  Expr* const value = affine_value(value_of(seen)).value;
  ListCell* cell;
  foreach (cell, sums_) {
    const auto& other = *static_cast<const Entry*>(lfirst(cell));
    if (!equal(other.value, value) || !equal(other.call->aggfilter, seen->aggfilter) || equal(other.call, seen))
      continue;
    if (!is_open(seen, value)) return of;
    return of.is_near() && is_open(seen, value_of(seen)) ? of : own;
  }
  return own;
}

}  // namespace dp::guard
