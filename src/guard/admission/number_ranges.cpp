#include "guard/admission/number_ranges.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>

#include "guard/admission/constants.h"
#include "guard/admission/handed_on.h"
#include "guard/admission/values.h"

namespace dp::guard {
namespace {

// Of numbers, both ends included; NULL is besides.
struct NumberRange {
  int64 lower;
  int64 upper;
};

// Of an integer, or of a numeric or float8 that is finite for every row (NaN is none of these). nullopt: not known.
using Range = std::optional<NumberRange>;

// Deeper than people write. What lies below is known by its type alone.
constexpr int kDeepest = 50;

Range within(Node* expression, int depth);

// ---- types --------------------------------------------------------------------------------------------------------

Range of_type(Oid type) {
  switch (getBaseType(type)) {
    case INT2OID:
      return NumberRange{PG_INT16_MIN, PG_INT16_MAX};
    case INT4OID:
      return NumberRange{PG_INT32_MIN, PG_INT32_MAX};
    case INT8OID:
      return NumberRange{PG_INT64_MIN, PG_INT64_MAX};
    default:
      return std::nullopt;
  }
}

// ---- arithmetic ---------------------------------------------------------------------------------------------------

enum class Step { plus, minus, times, over, rest, negated, absolute, same, rounded };

struct Arithmetic {
  Oid function;
  Step step;
  Oid type;  // of the result
};

#define EACH_INTEGERS(name, step)                                                                     \
  {F_INT2##name, step, INT2OID}, {F_INT4##name, step, INT4OID}, {F_INT8##name, step, INT8OID},        \
      {F_INT24##name, step, INT4OID}, {F_INT42##name, step, INT4OID}, {F_INT28##name, step, INT8OID}, \
      {F_INT82##name, step, INT8OID}, {F_INT48##name, step, INT8OID}, {                               \
    F_INT84##name, step, INT8OID                                                                      \
  }

// A numeric that is finite and small enough for a range stays far from the most digits that there can be.
constexpr Arithmetic kArithmetic[] = {EACH_INTEGERS(PL, Step::plus),
                                      EACH_INTEGERS(MI, Step::minus),
                                      EACH_INTEGERS(MUL, Step::times),
                                      EACH_INTEGERS(DIV, Step::over),
                                      {F_INT2MOD, Step::rest, INT2OID},
                                      {F_INT4MOD, Step::rest, INT4OID},
                                      {F_INT8MOD, Step::rest, INT8OID},
                                      {F_MOD_INT2_INT2, Step::rest, INT2OID},
                                      {F_MOD_INT4_INT4, Step::rest, INT4OID},
                                      {F_MOD_INT8_INT8, Step::rest, INT8OID},
                                      {F_INT2UM, Step::negated, INT2OID},
                                      {F_INT4UM, Step::negated, INT4OID},
                                      {F_INT8UM, Step::negated, INT8OID},
                                      {F_INT2ABS, Step::absolute, INT2OID},
                                      {F_INT4ABS, Step::absolute, INT4OID},
                                      {F_INT8ABS, Step::absolute, INT8OID},
                                      {F_ABS_INT2, Step::absolute, INT2OID},
                                      {F_ABS_INT4, Step::absolute, INT4OID},
                                      {F_ABS_INT8, Step::absolute, INT8OID},
                                      {F_INT2_INT4, Step::same, INT2OID},
                                      {F_INT2_INT8, Step::same, INT2OID},
                                      {F_INT4_INT2, Step::same, INT4OID},
                                      {F_INT4_INT8, Step::same, INT4OID},
                                      {F_INT8_INT2, Step::same, INT8OID},
                                      {F_INT8_INT4, Step::same, INT8OID},
                                      // Rounded, to a number that lies between whole ones where the argument does.
                                      {F_INT2_NUMERIC, Step::same, INT2OID},
                                      {F_INT4_NUMERIC, Step::same, INT4OID},
                                      {F_INT8_NUMERIC, Step::same, INT8OID},
                                      {F_INT2_FLOAT8, Step::same, INT2OID},
                                      {F_INT4_FLOAT8, Step::same, INT4OID},
                                      {F_INT8_FLOAT8, Step::same, INT8OID},
                                      {F_NUMERIC_INT2, Step::same, NUMERICOID},
                                      {F_NUMERIC_INT4, Step::same, NUMERICOID},
                                      {F_NUMERIC_INT8, Step::same, NUMERICOID},
                                      {F_TRUNC_NUMERIC, Step::same, NUMERICOID},
                                      {F_ROUND_NUMERIC, Step::same, NUMERICOID},
                                      // What the planner makes of these two.
                                      {F_TRUNC_NUMERIC_INT4, Step::rounded, NUMERICOID},
                                      {F_ROUND_NUMERIC_INT4, Step::rounded, NUMERICOID},
                                      {F_CEIL_NUMERIC, Step::same, NUMERICOID},
                                      {F_CEILING_NUMERIC, Step::same, NUMERICOID},
                                      {F_FLOOR_NUMERIC, Step::same, NUMERICOID},
                                      {F_NUMERIC_ADD, Step::plus, NUMERICOID},
                                      {F_NUMERIC_SUB, Step::minus, NUMERICOID},
                                      {F_NUMERIC_MUL, Step::times, NUMERICOID}};

const Arithmetic* arithmetic_of(Oid function) {
  const auto* const row = std::find_if(std::begin(kArithmetic), std::end(kArithmetic),
                                       [function](const Arithmetic& one) { return one.function == function; });
  return row == std::end(kArithmetic) ? nullptr : row;
}

Range added(const NumberRange& x, const NumberRange& y) {
  NumberRange sum;
  if (__builtin_add_overflow(x.lower, y.lower, &sum.lower) || __builtin_add_overflow(x.upper, y.upper, &sum.upper))
    return std::nullopt;
  return sum;
}

Range subtracted(const NumberRange& x, const NumberRange& y) {
  NumberRange difference;
  if (__builtin_sub_overflow(x.lower, y.upper, &difference.lower) ||
      __builtin_sub_overflow(x.upper, y.lower, &difference.upper))
    return std::nullopt;
  return difference;
}

Range spanned(std::span<const int64> corners) {
  return NumberRange{*std::min_element(corners.begin(), corners.end()),
                     *std::max_element(corners.begin(), corners.end())};
}

Range multiplied(const NumberRange& x, const NumberRange& y) {
  int64 corners[4];
  if (__builtin_mul_overflow(x.lower, y.lower, &corners[0]) || __builtin_mul_overflow(x.lower, y.upper, &corners[1]) ||
      __builtin_mul_overflow(x.upper, y.lower, &corners[2]) || __builtin_mul_overflow(x.upper, y.upper, &corners[3]))
    return std::nullopt;
  return spanned(corners);
}

bool has_zero(const NumberRange& range) { return range.lower <= 0 && range.upper >= 0; }

// Rounded towards zero. The smallest integer by -1 has no quotient.
Range divided(const NumberRange& x, const NumberRange& y) {
  if (has_zero(y) || (x.lower == PG_INT64_MIN && y.upper == -1)) return std::nullopt;
  const int64 corners[] = {x.lower / y.lower, x.lower / y.upper, x.upper / y.lower, x.upper / y.upper};
  return spanned(corners);
}

// Of the sign of the number that is divided, and smaller than the other one.
Range remaining(const NumberRange& x, const NumberRange& y) {
  if (has_zero(y)) return std::nullopt;
  const int64 most = y.lower > 0 ? y.upper - 1 : -(y.lower + 1);
  return NumberRange{x.lower >= 0 ? 0 : std::max(x.lower, -most), x.upper <= 0 ? 0 : std::min(x.upper, most)};
}

Range negated(const NumberRange& x) { return subtracted({0, 0}, x); }

Range absolute(const NumberRange& x) {
  const Range mirrored = negated(x);
  if (!mirrored) return std::nullopt;
  const int64 least = has_zero(x) ? 0 : std::max(x.lower, mirrored->lower);
  return NumberRange{least, std::max(x.upper, mirrored->upper)};
}

// What the calculation comes to, also where that is more than the type holds.
Range calculated(Step step, List* arguments, int depth) {
  const Range x = within(static_cast<Node*>(linitial(arguments)), depth);
  if (!x) return std::nullopt;
  if (step == Step::same) return x;
  if (step == Step::negated) return negated(*x);
  if (step == Step::absolute) return absolute(*x);
  const Range y = within(static_cast<Node*>(lsecond(arguments)), depth);
  if (!y) return std::nullopt;
  switch (step) {
    case Step::plus:
      return added(*x, *y);
    case Step::minus:
      return subtracted(*x, *y);
    case Step::times:
      return multiplied(*x, *y);
    case Step::over:
      return divided(*x, *y);
    case Step::rounded:  // to the tens, it may lie beyond the end
      return y->lower >= 0 ? x : std::nullopt;
    default:
      return remaining(*x, *y);
  }
}

// ---- counts, and parts of moments ---------------------------------------------------------------------------------

struct Counted {
  Oid function;
  NumberRange range;
};
constexpr NumberRange kLength{0, MaxAllocSize};
constexpr NumberRange kElements{0, MaxAllocSize / sizeof(Datum)};
constexpr Counted kCounted[] = {{F_LENGTH_TEXT, kLength},
                                {F_LENGTH_BPCHAR, kLength},
                                {F_LENGTH_BYTEA, kLength},
                                {F_CHAR_LENGTH_TEXT, kLength},
                                {F_CHAR_LENGTH_BPCHAR, kLength},
                                {F_CHARACTER_LENGTH_TEXT, kLength},
                                {F_CHARACTER_LENGTH_BPCHAR, kLength},
                                {F_OCTET_LENGTH_TEXT, kLength},
                                {F_OCTET_LENGTH_BPCHAR, kLength},
                                {F_OCTET_LENGTH_BYTEA, kLength},
                                {F_POSITION_TEXT_TEXT, kLength},
                                {F_STRPOS, kLength},
                                {F_POSITION_BYTEA_BYTEA, kLength},
                                {F_CARDINALITY, kElements},
                                {F_ARRAY_LENGTH, kElements},
                                {F_ASCII, {0, 0x1fffff}},  // four bytes of UTF-8 hold 21 bits
                                {F_INT4_BOOL, {0, 1}}};

// Not of intervals, whose hours and days are as many as one likes.
constexpr Oid kParts[] = {F_EXTRACT_TEXT_DATE,      F_EXTRACT_TEXT_TIME,        F_EXTRACT_TEXT_TIMETZ,
                          F_EXTRACT_TEXT_TIMESTAMP, F_EXTRACT_TEXT_TIMESTAMPTZ, F_DATE_PART_TEXT_TIME,
                          F_DATE_PART_TEXT_TIMETZ,  F_DATE_PART_TEXT_TIMESTAMP, F_DATE_PART_TEXT_TIMESTAMPTZ};
struct Field {
  const char* name;
  NumberRange range;
};
// NULL for infinity. Years, the Julian day and the epoch of it are infinite, so they are not here.
constexpr Field kFields[] = {{"microseconds", {0, 60'000'000}},
                             {"milliseconds", {0, 60'000}},
                             {"second", {0, 60}},
                             {"minute", {0, 59}},
                             {"hour", {0, 24}},
                             {"day", {1, 31}},
                             {"dow", {0, 6}},
                             {"isodow", {1, 7}},
                             {"doy", {1, 366}},
                             {"week", {1, 53}},
                             {"month", {1, 12}},
                             {"quarter", {1, 4}}};

Range of_part(const CalledFunction& call) {
  const Const* const field = constant(call.arguments, 0);
  if (field == nullptr || field->constisnull) return std::nullopt;
  const char* const word = TextDatumGetCString(field->constvalue);
  for (const Field& known : kFields) {
    if (pg_strcasecmp(word, known.name) == 0) return known.range;
  }
  return std::nullopt;
}

// ---- expressions --------------------------------------------------------------------------------------------------

bool is_finite(Numeric number) { return !numeric_is_nan(number) && !numeric_is_inf(number); }

Range of_constant(const Const* value) {
  if (value->constisnull) return std::nullopt;
  if (of_type(value->consttype)) {
    const int64 number = integer(value, 0);
    return NumberRange{number, number};
  }
  if (value->consttype != NUMERICOID || !is_finite(DatumGetNumeric(value->constvalue))) return std::nullopt;
  constexpr int64 kMost = 1'000'000'000'000'000;
  const Datum most = NumericGetDatum(int64_to_numeric(kMost)), least = NumericGetDatum(int64_to_numeric(-kMost));
  if (DatumGetBool(DirectFunctionCall2(numeric_gt, value->constvalue, most)) ||
      DatumGetBool(DirectFunctionCall2(numeric_lt, value->constvalue, least)))
    return std::nullopt;
  return NumberRange{
      DatumGetInt64(DirectFunctionCall1(numeric_int8, DirectFunctionCall1(numeric_floor, value->constvalue))),
      DatumGetInt64(DirectFunctionCall1(numeric_int8, DirectFunctionCall1(numeric_ceil, value->constvalue)))};
}

Range of_call(const CalledFunction& call, int depth) {
  if (const Arithmetic* const arithmetic = arithmetic_of(call.function))
    return calculated(arithmetic->step, call.arguments, depth);
  const auto* const counted = std::find_if(std::begin(kCounted), std::end(kCounted),
                                           [&](const Counted& one) { return one.function == call.function; });
  if (counted != std::end(kCounted)) return counted->range;
  return std::find(std::begin(kParts), std::end(kParts), call.function) == std::end(kParts) ? std::nullopt
                                                                                            : of_part(call);
}

Range covering(List* parts, int depth) {
  Range all;
  ListCell* cell;
  foreach (cell, parts) {
    const Range one = within(static_cast<Node*>(lfirst(cell)), depth);
    if (!one) return std::nullopt;
    all = all ? NumberRange{std::min(all->lower, one->lower), std::max(all->upper, one->upper)} : *one;
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
  return NumberRange{std::max(known->lower, type->lower), std::min(known->upper, type->upper)};
}

}  // namespace

bool stays_in_type(Oid function, List* arguments) {
  const Arithmetic* const arithmetic = arithmetic_of(function);
  if (arithmetic == nullptr) return false;
  const Range result = calculated(arithmetic->step, arguments, 0);
  if (!result) return false;
  const Range type = of_type(arithmetic->type);
  return !type || (type->lower <= result->lower && result->upper <= type->upper);
}

}  // namespace dp::guard
