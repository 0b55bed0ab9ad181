#include "guard/admission/number_ranges.h"

#include <algorithm>
#include <optional>
#include <span>

#include "guard/admission/constants.h"
#include "guard/admission/handed_on.h"
#include "guard/admission/values.h"
#include "guard/functions/moment_fields.h"

namespace dp::guard {
namespace {

// Of an integer, or of a numeric or float8 that is finite for every row (NaN is none of these). nullopt: not known.
using Range = std::optional<WholeRange>;

// Deeper than people write. What lies below is known by its type alone.
constexpr int kDeepest = 50;

Range within(Node* expression, int depth);

// ---- types --------------------------------------------------------------------------------------------------------

Range of_type(Oid type) {
  switch (getBaseType(type)) {
    case INT2OID:
      return WholeRange{PG_INT16_MIN, PG_INT16_MAX};
    case INT4OID:
      return WholeRange{PG_INT32_MIN, PG_INT32_MAX};
    case INT8OID:
      return WholeRange{PG_INT64_MIN, PG_INT64_MAX};
    default:
      return std::nullopt;
  }
}

// ---- arithmetic ---------------------------------------------------------------------------------------------------

bool is_whole(Oid type) { return type == INT2OID || type == INT4OID || type == INT8OID; }

// What a function of whole numbers or numerics computes; none where it is another, or may give what is not finite. Not
// of floating-point numbers: a product of very small ones is an error, too.
Meaning arithmetic_of(Oid function, const List* arguments) {
  const FunctionFacts* const facts = facts_of(function);
  if (facts == nullptr || facts->meaning == Meaning::none) return Meaning::none;
  const Oid type = get_func_rettype(function);
  if (!is_whole(type) && type != NUMERICOID) return Meaning::none;
  const Oid from = exprType(static_cast<Node*>(linitial(arguments)));
  switch (facts->meaning) {
    case Meaning::plus:
    case Meaning::minus:
    case Meaning::times:
    case Meaning::negate:
    case Meaning::abs:
    case Meaning::floor:
    case Meaning::ceil:
    case Meaning::round:
    case Meaning::trunc:
      return facts->meaning;
    case Meaning::divide:
    case Meaning::mod:
      return is_whole(type) ? facts->meaning : Meaning::none;
    case Meaning::cast: {
      // What is rounded to a whole number lies between whole ones where the argument does.
      const bool known = is_whole(from) || (is_whole(type) && (from == NUMERICOID || from == FLOAT8OID));
      return known && list_length(arguments) == 1 ? facts->meaning : Meaning::none;
    }
    default:
      return Meaning::none;
  }
}

Range added(const WholeRange& x, const WholeRange& y) {
  WholeRange sum;
  if (__builtin_add_overflow(x.lower, y.lower, &sum.lower) || __builtin_add_overflow(x.upper, y.upper, &sum.upper))
    return std::nullopt;
  return sum;
}

Range subtracted(const WholeRange& x, const WholeRange& y) {
  WholeRange difference;
  if (__builtin_sub_overflow(x.lower, y.upper, &difference.lower) ||
      __builtin_sub_overflow(x.upper, y.lower, &difference.upper))
    return std::nullopt;
  return difference;
}

Range spanned(std::span<const int64> corners) {
  return WholeRange{*std::min_element(corners.begin(), corners.end()),
                    *std::max_element(corners.begin(), corners.end())};
}

Range multiplied(const WholeRange& x, const WholeRange& y) {
  int64 corners[4];
  if (__builtin_mul_overflow(x.lower, y.lower, &corners[0]) || __builtin_mul_overflow(x.lower, y.upper, &corners[1]) ||
      __builtin_mul_overflow(x.upper, y.lower, &corners[2]) || __builtin_mul_overflow(x.upper, y.upper, &corners[3]))
    return std::nullopt;
  return spanned(corners);
}

bool has_zero(const WholeRange& range) { return range.lower <= 0 && range.upper >= 0; }

// Rounded towards zero. The smallest integer by -1 has no quotient.
Range divided(const WholeRange& x, const WholeRange& y) {
  if (has_zero(y) || (x.lower == PG_INT64_MIN && y.upper == -1)) return std::nullopt;
  const int64 corners[] = {x.lower / y.lower, x.lower / y.upper, x.upper / y.lower, x.upper / y.upper};
  return spanned(corners);
}

// Of the sign of the number that is divided, and smaller than the other one.
Range remaining(const WholeRange& x, const WholeRange& y) {
  if (has_zero(y)) return std::nullopt;
  const int64 most = y.lower > 0 ? y.upper - 1 : -(y.lower + 1);
  return WholeRange{x.lower >= 0 ? 0 : std::max(x.lower, -most), x.upper <= 0 ? 0 : std::min(x.upper, most)};
}

Range negated(const WholeRange& x) { return subtracted({0, 0}, x); }

Range absolute(const WholeRange& x) {
  const Range mirrored = negated(x);
  if (!mirrored) return std::nullopt;
  const int64 least = has_zero(x) ? 0 : std::max(x.lower, mirrored->lower);
  return WholeRange{least, std::max(x.upper, mirrored->upper)};
}

// What the calculation comes to, also where that is more than the type holds. A numeric that is finite and small enough
// for a range stays far from the most digits that there can be.
Range calculated(Meaning meaning, List* arguments, int depth) {
  const Range x = within(static_cast<Node*>(linitial(arguments)), depth);
  if (!x) return std::nullopt;
  if (meaning == Meaning::negate) return negated(*x);
  if (meaning == Meaning::abs) return absolute(*x);
  if (list_length(arguments) == 1) return x;  // rounded
  const Range y = within(static_cast<Node*>(lsecond(arguments)), depth);
  if (!y) return std::nullopt;
  switch (meaning) {
    case Meaning::plus:
      return added(*x, *y);
    case Meaning::minus:
      return subtracted(*x, *y);
    case Meaning::times:
      return multiplied(*x, *y);
    case Meaning::divide:
      return divided(*x, *y);
    case Meaning::mod:
      return remaining(*x, *y);
    default:  // rounded to the tens, it may lie beyond the end
      return y->lower >= 0 ? x : std::nullopt;
  }
}

// ---- counts, and parts of moments ---------------------------------------------------------------------------------

Range known_range(const WholeRange& range) { return range == kAnyNumber ? std::nullopt : Range(range); }

Range of_part(const CalledFunction& call) {
  const MomentField* const field = field_of(static_cast<Node*>(linitial(call.arguments)));
  if (field == nullptr) return std::nullopt;
  return known_range(part_of(exprType(static_cast<Node*>(lsecond(call.arguments))), *field));
}

// ---- expressions --------------------------------------------------------------------------------------------------

bool is_finite(Numeric number) { return !numeric_is_nan(number) && !numeric_is_inf(number); }

Range of_constant(const Const* value) {
  if (value->constisnull) return std::nullopt;
  if (of_type(value->consttype)) {
    const int64 number = integer(value, 0);
    return WholeRange{number, number};
  }
  if (value->consttype != NUMERICOID || !is_finite(DatumGetNumeric(value->constvalue))) return std::nullopt;
  constexpr int64 kMost = 1'000'000'000'000'000;
  const Datum most = NumericGetDatum(int64_to_numeric(kMost)), least = NumericGetDatum(int64_to_numeric(-kMost));
  if (DatumGetBool(DirectFunctionCall2(numeric_gt, value->constvalue, most)) ||
      DatumGetBool(DirectFunctionCall2(numeric_lt, value->constvalue, least)))
    return std::nullopt;
  return WholeRange{
      DatumGetInt64(DirectFunctionCall1(numeric_int8, DirectFunctionCall1(numeric_floor, value->constvalue))),
      DatumGetInt64(DirectFunctionCall1(numeric_int8, DirectFunctionCall1(numeric_ceil, value->constvalue)))};
}

Range of_call(const CalledFunction& call, int depth) {
  const FunctionFacts* const facts = facts_of(call.function);
  if (facts == nullptr || call.arguments == NIL) return std::nullopt;
  if (const Meaning arithmetic = arithmetic_of(call.function, call.arguments); arithmetic != Meaning::none) {
    const Range result = calculated(arithmetic, call.arguments, depth);
    if (result) return result;
  }
  return facts->meaning == Meaning::extract ? of_part(call) : known_range(facts->values);
}

Range covering(List* parts, int depth) {
  Range all;
  ListCell* cell;
  foreach (cell, parts) {
    const Range one = within(static_cast<Node*>(lfirst(cell)), depth);
    if (!one) return std::nullopt;
    all = all ? WholeRange{std::min(all->lower, one->lower), std::max(all->upper, one->upper)} : *one;
  }
  return all;
}

// GREATEST(x, 1) is at least 1, also where x is NULL.
Range of_extremum(const MinMaxExpr* extremum, List* parts, int depth) {
  Range range = covering(parts, depth);
  ListCell* cell;
  foreach (cell, parts) {
    if (!range || !IsA(lfirst(cell), Const)) continue;
    const Range one = of_constant(lfirst_node(Const, cell));
    if (extremum->op == IS_GREATEST) range->lower = std::max(range->lower, one->lower);
    if (extremum->op == IS_LEAST) range->upper = std::min(range->upper, one->upper);
  }
  return range;
}

Range known_within(Node* node, int depth) {
  if (IsA(node, Const)) return of_constant(castNode(Const, node));
  List* const parts = handed_on(node);
  if (IsA(node, MinMaxExpr)) return of_extremum(castNode(MinMaxExpr, node), parts, depth);
  if (parts != NIL) return covering(parts, depth);
  // The boolean results of these are no numbers.
  if (!IsA(node, FuncExpr) && !IsA(node, OpExpr)) return std::nullopt;
  return of_call(called_by(node), depth);
}

Range within(Node* node, int depth) {
  const Range type = of_type(exprType(node));
  const Range known = depth < kDeepest ? known_within(node, depth + 1) : std::nullopt;
  if (!known || !type) return known ? known : type;
  // Whatever the row, it is an error, or NULL in its place: a range without numbers has no corners to calculate with.
  if (known->upper < type->lower || known->lower > type->upper) return type;
  return WholeRange{std::max(known->lower, type->lower), std::min(known->upper, type->upper)};
}

}  // namespace

bool stays_in_type(Oid function, List* arguments) {
  const Meaning arithmetic = arguments == NIL ? Meaning::none : arithmetic_of(function, arguments);
  if (arithmetic == Meaning::none) return false;
  const Range result = calculated(arithmetic, arguments, 0);
  if (!result) return false;
  const Range type = of_type(get_func_rettype(function));
  return !type || (type->lower <= result->lower && result->upper <= type->upper);
}

}  // namespace dp::guard
