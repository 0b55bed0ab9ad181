#include "guard/facts/digits.h"

#include <algorithm>
#include <optional>

#include "guard/facts/form.h"
#include "guard/facts/grains.h"
#include "guard/facts/number_values.h"
#include "guard/functions/calls.h"
#include "guard/functions/constants.h"
#include "guard/functions/function_facts.h"

namespace dp::guard {
namespace {

// Of a value that is neither NaN nor infinite, these stay what they are: at most so many, NULL besides.
struct DigitsOfNumber {
  int before;  // the point
  int behind;
};
// nullopt: not known.
using Digits = std::optional<DigitsOfNumber>;

constexpr int kMostBefore = 10'000;
constexpr int kMostBehind = 16'383;
// Deeper than people write. What lies below is known by its type alone.
constexpr int kDeepest = 50;

Digits digits_of(Node* expression, int depth);

bool is_special(Numeric number) { return numeric_is_nan(number) || numeric_is_inf(number); }

// ---- divisors -----------------------------------------------------------------------------------------------------

bool casts_integer(const CalledFunction& call) {
  return OidIsValid(call.function) && meaning_of(call.function) == Meaning::cast && list_length(call.arguments) == 1 &&
         is_integer(exprType(static_cast<Node*>(linitial(call.arguments)))) &&
         get_func_rettype(call.function) == NUMERICOID;
}

// Integers are cast where they stand beside a numeric.
bool is_integer_but_zero(const CalledFunction& cast) {
  if (!casts_integer(cast)) return false;
  const Const* const value = constant(cast.arguments, 0);
  return value != nullptr && !value->constisnull && integer(value, 0) != 0;
}

bool is_far_from_zero(List* arguments, int place) {
  const Const* const divisor = constant(arguments, place);
  if (divisor == nullptr) return is_integer_but_zero(called_by(static_cast<Node*>(list_nth(arguments, place))));
  if (divisor->constisnull || divisor->consttype != NUMERICOID) return false;
  Numeric const value = DatumGetNumeric(divisor->constvalue);
  if (is_special(value)) return false;
  const Datum size = DirectFunctionCall1(numeric_abs, NumericGetDatum(value));
  return DatumGetBool(DirectFunctionCall2(numeric_ge, size, NumericGetDatum(int64_div_fast_to_numeric(1, 3))));
}

// ---- digits -------------------------------------------------------------------------------------------------------

Digits of_constant(const Const* value) {
  if (value->consttype != NUMERICOID) return std::nullopt;
  // NULL also stands for a parameter, which is looked at again when its value is known.
  if (value->constisnull) return DigitsOfNumber{0, 0};
  if (is_special(DatumGetNumeric(value->constvalue))) return DigitsOfNumber{0, 0};
  const char* const written = DatumGetCString(DirectFunctionCall1(numeric_out, value->constvalue));
  const auto before = static_cast<int>(strcspn(written, "."));
  const auto behind = static_cast<int>(strlen(written)) - before;
  return DigitsOfNumber{before, std::max(behind - 1, 0)};
}

// numeric(p, s), where s may be more than p, or below 0; also a domain over it.
Digits of_type(Node* expression) {
  int32 modifier = exprTypmod(expression);
  const Oid type = getBaseTypeAndTypmod(exprType(expression), &modifier);
  const auto scale = type == NUMERICOID ? digits_behind(modifier) : std::nullopt;
  if (!scale) return std::nullopt;
  const int precision = ((modifier - VARHDRSZ) >> 16) & 0xffff;
  return DigitsOfNumber{std::max(precision - *scale, 0), std::max(*scale, 0)};
}

DigitsOfNumber most(const DigitsOfNumber& one, const DigitsOfNumber& other) {
  return {std::max(one.before, other.before), std::max(one.behind, other.behind)};
}

Digits few(int before, int behind) {
  if (before > kMostBefore) return std::nullopt;
  return DigitsOfNumber{before, std::min(behind, kMostBehind)};
}

Digits of_two(Meaning meaning, List* arguments, int depth) {
  const Digits x = digits_of(static_cast<Node*>(linitial(arguments)), depth);
  if (!x) return std::nullopt;
  if (meaning == Meaning::divide)
    return is_far_from_zero(arguments, 1) ? few(x->before + 4, kMostBehind) : std::nullopt;
  const Digits y = digits_of(static_cast<Node*>(lsecond(arguments)), depth);
  if (!y) return std::nullopt;
  if (meaning == Meaning::times) return few(x->before + y->before, x->behind + y->behind);
  const DigitsOfNumber larger = most(*x, *y);
  return few(larger.before + 1, larger.behind);
}

// Shown with as many as are asked for, also where there were fewer.
Digits of_rounding(List* arguments, int depth) {
  const Digits rounded = digits_of(static_cast<Node*>(linitial(arguments)), depth);
  if (!rounded) return std::nullopt;
  const Const* const places = constant(arguments, 1);
  if (places == nullptr || places->constisnull) return few(rounded->before + 1, kMostBehind);
  return few(rounded->before + 1, std::max(DatumGetInt32(places->constvalue), 0));
}

// Of a function of numerics.
Digits of_arithmetic(Oid function, List* arguments, int depth) {
  const FunctionFacts* const facts = facts_of(function);
  if (facts == nullptr || arguments == NIL || get_func_rettype(function) != NUMERICOID) return std::nullopt;
  const bool alone = list_length(arguments) == 1;
  switch (facts->meaning) {
    case Meaning::plus:
    case Meaning::minus:
    case Meaning::times:
    case Meaning::divide:
      return of_two(facts->meaning, arguments, depth);
    case Meaning::abs:
    case Meaning::negate:
      return digits_of(static_cast<Node*>(linitial(arguments)), depth);
    case Meaning::cast: {
      auto* const same = static_cast<Node*>(linitial(arguments));
      return alone && exprType(same) == NUMERICOID ? digits_of(same, depth) : std::nullopt;
    }
    case Meaning::floor:
    case Meaning::ceil:
    case Meaning::round:
    case Meaning::trunc: {
      if (!alone) return of_rounding(arguments, depth);
      const Digits whole = digits_of(static_cast<Node*>(linitial(arguments)), depth);
      return whole ? few(whole->before + 1, 0) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

// What is no numeric's arithmetic: casts, and parts of moments.
Digits of_source(Oid function, List* arguments) {
  if (casts_integer({function, arguments})) return DigitsOfNumber{19, 0};
  const FunctionFacts* const facts = facts_of(function);
  const bool is_part =
      facts != nullptr && facts->meaning == Meaning::extract && get_func_rettype(function) == NUMERICOID;
  // The most is an epoch, of 64 bits of microseconds and 64 of days and months.
  return is_part ? Digits(DigitsOfNumber{25, 6}) : std::nullopt;
}

Digits most_of(List* parts, int depth) {
  Digits all = DigitsOfNumber{0, 0};
  ListCell* cell;
  foreach (cell, parts) {
    auto* const part = static_cast<Node*>(lfirst(cell));
    if (is_null_constant(part)) continue;
    const Digits one = digits_of(part, depth);
    if (!one) return std::nullopt;
    all = most(*all, *one);
  }
  return all;
}

Digits digits_of(Node* node, int depth) {
  if (const Digits known = of_type(node)) return known;
  if (depth >= kDeepest) return std::nullopt;
  const Expression expression = taken_apart(node);
  switch (expression.form) {
    case Form::constant:
      return of_constant(castNode(Const, node));
    case Form::same:
    case Form::one_of:
    case Form::extreme:
      return exprType(node) == NUMERICOID ? most_of(expression.parts, depth + 1) : std::nullopt;
    case Form::call: {
      const Digits source = of_source(expression.function, expression.parts);
      return source ? source : of_arithmetic(expression.function, expression.parts, depth + 1);
    }
    default:
      break;
  }
  return std::nullopt;
}

// A double has 308 digits, and a number that is nearer to zero than its smallest is an error as well.
bool fits(List* arguments, int digits) {
  const Digits of_number = digits_of(static_cast<Node*>(linitial(arguments)), 0);
  return of_number && of_number->before <= digits && of_number->behind <= digits;
}

}  // namespace

std::optional<int> decimals_of(Node* expression) {
  const Digits digits = digits_of(expression, 0);
  return digits && digits->behind < kMostBehind ? std::optional(digits->behind) : std::nullopt;
}

bool has_few_digits(Oid function, List* arguments) {
  const bool casts = meaning_of(function) == Meaning::cast && arguments != NIL &&
                     exprType(static_cast<Node*>(linitial(arguments))) == NUMERICOID;
  const Oid type = get_func_rettype(function);
  if (casts && type == FLOAT8OID) return fits(arguments, 300);
  if (casts && type == FLOAT4OID) return fits(arguments, 37);
  return of_arithmetic(function, arguments, 0).has_value();
}

}  // namespace dp::guard
