// What is aggregated, seen as factor * value + offset: of sum(cost / 100) and avg(cost * 1.2) the value is cost.
//
// sum, avg, variance and stddev of the one follow from those of the other, exactly in real numbers. Arithmetic of
// integers counts as long as it is that of real numbers: a quotient of two integers, which is cut, does not.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

struct AffineValue {
  Expr* value;   // not one of the forms that are taken apart here
  Datum factor;  // numeric, not 0
  Datum offset;  // numeric

  bool is_value() const;   // factor 1, offset 0
  bool is_linear() const;  // offset 0
  bool is_near() const;    // factor between 1e-4 and 1e3, or between their negatives
};

AffineValue itself(Expr* value);

// Field: what an answer tells of its value, as dp_moments names it: count, sum, avg, variance, stddev, var_pop and
// stddev_pop.
bool is_variance(const char* field);
bool is_deviation(const char* field);

// An answer about the value, and dp_error or dp_bias of it, as one about the whole.
Node* of_affine(Node* answer, const AffineValue& of, const char* field);
Node* error_of_affine(Node* error, const AffineValue& of, const char* field);

// Of an expression whose type is a number. Casts that keep all numbers apart and in their order are no part of it. What
// has a factor below 1e-30 or above 1e30, or such an offset, is a value of its own.
AffineValue affine_value(Expr* expression);

}  // namespace dp::guard
