// Interval arithmetic: between which numbers the value of an expression lies, where those of its parts are known.
//
// It finds the bounds of a private sum or average of an expression. Nothing private rests on it: values are clamped to
// the bounds that come out, whatever these are. So ends are ordinary doubles, rounded to nearest.
#pragma once

#include <optional>

namespace dp::bounds {

// All numbers from `lower` to `upper`, both finite, lower <= upper. NULL is no number: what can be NULL has the bounds
// of what it is otherwise.
struct Interval {
  double lower;
  double upper;

  bool operator==(const Interval&) const = default;
};

// Nothing where the value has no bounds, or where they are beyond the range of a double.
using Bounds = std::optional<Interval>;

Bounds make(double lower, double upper);

Bounds plus(const Bounds& x, const Bounds& y);
Bounds minus(const Bounds& x, const Bounds& y);
Bounds times(const Bounds& x, const Bounds& y);

// Nothing where y can be so near to 0 that there is no end. `whole`: of whole numbers, cut towards zero; then y is at
// least 1 away from 0, or the quotient is NULL.
Bounds over(const Bounds& x, const Bounds& y, bool whole = false);

// The rest of a division by y, which has the sign of x.
Bounds rest(const Bounds& x, const Bounds& y);

Bounds negated(const Bounds& x);
Bounds absolute(const Bounds& x);

// LEAST and GREATEST pass over NULL: where one can be NULL, the answer can be the other, whatever that is.
struct Nullable {
  Bounds bounds;
  bool can_be_null;
};
Nullable greatest(const Nullable& x, const Nullable& y);
Nullable least(const Nullable& x, const Nullable& y);

// One of them: CASE, COALESCE.
Bounds either(const Bounds& x, const Bounds& y);

// What is in both; where that is empty, x. Bounds that one of them lacks are the other's.
Bounds within(const Bounds& x, const Bounds& y);

// f(x) for a function that never goes down.
template <class Rising>
Bounds rising(const Bounds& x, Rising f) {
  return x ? make(f(x->lower), f(x->upper)) : std::nullopt;
}

}  // namespace dp::bounds
