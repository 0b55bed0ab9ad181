// Interval arithmetic: between which numbers the value of an expression lies, where those of its parts are known.
//
// It finds the bounds of a private sum or average of an expression, and whether integers can leave their type. No value
// of the expression lies outside of what comes out: where an end is no Number, the next one outside stands for it.
#pragma once

#include <cstdint>
#include <optional>

namespace dp::bounds {

// Wide enough that every whole number of 64 bits is one, where the machine has such a type. Elsewhere ends of more than
// 53 bits lie further out.
using Number = long double;

// All numbers from `lower` to `upper`, both finite, lower <= upper. NULL is no number: what can be NULL has the bounds
// of what it is otherwise.
struct Interval {
  Number lower;
  Number upper;

  bool operator==(const Interval&) const = default;
};

// Nothing where the value has no bounds, or where they are beyond the range of a double.
using Bounds = std::optional<Interval>;

Bounds make(Number lower, Number upper);

// All whole numbers from `lower` to `upper`.
Bounds whole_numbers(std::int64_t lower, std::int64_t upper);

// The greatest double that is not above the number, and the least that is not below it.
double double_below(Number number);
double double_above(Number number);

// The same numbers, and what becomes of them as doubles.
Bounds as_doubles(const Bounds& x);

Bounds plus(const Bounds& x, const Bounds& y);
Bounds minus(const Bounds& x, const Bounds& y);
Bounds times(const Bounds& x, const Bounds& y);

// Nothing where y can be so near to 0 that there is no end. `whole`: of whole numbers, cut towards zero; then y is at
// least 1 away from 0, or the quotient is NULL.
Bounds over(const Bounds& x, const Bounds& y, bool whole = false);

// The same of numbers that need not be whole, where y is at least 1 away from 0, or there is no quotient.
Bounds over_whole(const Bounds& x, const Bounds& y);

// The rest of a division by y, which has the sign of x. `whole`: of whole numbers.
Bounds rest(const Bounds& x, const Bounds& y, bool whole = false);

// x to the power y, NULL where that is no number. Nothing where x can be so near to 0, and y below it, that there is no
// end.
Bounds power(const Bounds& x, const Bounds& y);

// Bit by bit, of whole numbers that are not below 0; nothing for others.
Bounds bits_of_both(const Bounds& x, const Bounds& y);    // x & y
Bounds bits_of_either(const Bounds& x, const Bounds& y);  // x | y, x # y

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

// Ends that came out of a function of the C library, a little further outside; whole numbers are as they are.
Bounds outside(const Bounds& x);

// f(x) for a function that never goes down.
template <class Rising>
Bounds rising(const Bounds& x, Rising f) {
  return x ? make(f(x->lower), f(x->upper)) : std::nullopt;
}

// The same for a function of doubles whose values are seldom doubles.
template <class Rising>
Bounds rising_roughly(const Bounds& x, Rising f) {
  return x ? outside(make(f(double_below(x->lower)), f(double_above(x->upper)))) : std::nullopt;
}

// To that many digits behind the point, or before it where that is below 0: cut towards zero, or rounded half away from
// it.
Bounds cut(const Bounds& x, int digits);
Bounds rounded(const Bounds& x, int digits);

// The same of digits behind the point alone, however many.
Bounds to_any_digits(const Bounds& x, const Bounds& digits);

}  // namespace dp::bounds
