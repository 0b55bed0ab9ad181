#include "guard/facts/grains.h"

#include <cmath>

#include "core/bounds/traits.h"
#include "guard/facts/form.h"
#include "guard/facts/number_values.h"
#include "guard/functions/function_facts.h"
#include "guard/functions/moment_fields.h"

namespace dp::guard {
namespace {

using bounds::Grain;
using bounds::Grained;
using bounds::kWhole;

Node* argument(List* arguments, int number) { return static_cast<Node*>(list_nth(arguments, number)); }

bool is_floating(Oid type) { return type == FLOAT4OID || type == FLOAT8OID; }

// numeric(p, s), also of a domain over it.
Grained of_type(Node* node) {
  int32 modifier = exprTypmod(node);
  const Oid type = getBaseTypeAndTypmod(exprType(node), &modifier);
  const auto digits = type == NUMERICOID ? digits_behind(modifier) : std::nullopt;
  return digits ? bounds::of_digits(*digits) : std::nullopt;
}

Grained of_numeric(Datum value) {
  const Datum millionths = DirectFunctionCall2(numeric_mul, value, NumericGetDatum(int64_to_numeric(1'000'000)));
  const bool whole = DatumGetBool(
      DirectFunctionCall2(numeric_eq, millionths, DirectFunctionCall2(numeric_trunc, millionths, Int32GetDatum(0))));
  return whole ? Grained(bounds::of_millionths(DatumGetInt64(DirectFunctionCall1(numeric_int8, millionths))))
               : std::nullopt;
}

Grained of_constant(const Const* constant) {
  constexpr bounds::Number kMost = 1e12;
  if (constant->constisnull) return Grain{0};
  const auto number = as_number(constant->consttype, constant->constvalue);
  if (!is_number(constant->consttype) || !number || !(std::fabs(*number) < kMost)) return std::nullopt;
  if (constant->consttype == NUMERICOID) return of_numeric(constant->constvalue);
  if (*number != std::trunc(*number)) return std::nullopt;
  return bounds::of_millionths(static_cast<std::int64_t>(*number) * kWhole.millionths);
}

std::optional<int> digits_asked(Node* node) {
  if (!IsA(node, Const) || exprType(node) != INT4OID || is_null_constant(node)) return std::nullopt;
  return DatumGetInt32(castNode(Const, node)->constvalue);
}

// A part of a moment, or of the time between two, that is a whole number.
bool is_whole_part(List* arguments) {
  const MomentField* const field = list_length(arguments) == 2 ? field_of(argument(arguments, 0)) : nullptr;
  return field != nullptr && field->whole;
}

Grained of(Node* node);

Grained of_call(Oid function, List* arguments, bool whole) {
  const Meaning meaning = arguments == NIL ? Meaning::none : meaning_of(function);
  const int count = list_length(arguments);
  switch (meaning) {
    case Meaning::none:
      return std::nullopt;
    case Meaning::extract:
      return is_whole_part(arguments) ? Grained(kWhole) : std::nullopt;
    case Meaning::trunc:
    case Meaning::round: {
      if (count == 1) break;
      const auto digits = digits_asked(argument(arguments, 1));
      return digits ? bounds::to_digits(of(argument(arguments, 0)), *digits) : std::nullopt;
    }
    default:
      break;
  }
  if (count > 2 || (meaning == Meaning::cast && count > 1)) return std::nullopt;
  const Grained second = count > 1 ? of(argument(arguments, 1)) : std::nullopt;
  return bounds::grain_of_meaning(meaning, of(argument(arguments, 0)), count > 1 ? &second : nullptr, whole);
}

Grained of_all(List* parts) {
  Grained all = Grain{0};
  ListCell* cell;
  foreach (cell, parts) all = bounds::common(all, of(static_cast<Node*>(lfirst(cell))));
  return all;
}

Grained of_form(Node* node, bool whole) {
  const Expression expression = taken_apart(node);
  switch (expression.form) {
    case Form::constant:
      return of_constant(castNode(Const, node));
    case Form::same:
    case Form::one_of:
    case Form::extreme:
      return of_all(expression.parts);
    case Form::call:
      return of_call(expression.function, expression.parts, whole);
    default:
      break;
  }
  return std::nullopt;
}

Grained of(Node* node) {
  check_stack_depth();
  const Oid type = getBaseType(exprType(node));
  if (type == BOOLOID || type == DATEOID) return kWhole;
  if (!is_number(type)) return std::nullopt;
  const Grained found = of_form(node, is_integer(type));
  if (is_integer(type)) return found && bounds::is_whole(*found) ? found : kWhole;
  if (is_floating(type)) return found && bounds::is_whole(*found) ? found : std::nullopt;
  return found ? found : of_type(node);
}

bool are_shown_whole(List* parts) {
  ListCell* cell;
  foreach (cell, parts) {
    if (!is_shown_whole(static_cast<Node*>(lfirst(cell)))) return false;
  }
  return true;
}

bool is_shown_whole(Oid function, List* arguments) {
  const int count = list_length(arguments);
  const Meaning meaning = arguments == NIL ? Meaning::none : meaning_of(function);
  if (meaning == Meaning::extract) return is_whole_part(arguments);
  if (meaning == Meaning::cast) return count == 1 && is_integer(getBaseType(exprType(argument(arguments, 0))));
  const bounds::Digits digits = bounds::traits_of(meaning).digits;
  if (digits == bounds::Digits::as_asked) return count == 1 || digits_asked(argument(arguments, 1)).value_or(1) <= 0;
  return digits == bounds::Digits::none || (digits == bounds::Digits::as_arguments && are_shown_whole(arguments));
}

}  // namespace

std::optional<int> digits_behind(int32 modifier) {
  if (modifier < static_cast<int32>(VARHDRSZ)) return std::nullopt;
  return (((modifier - static_cast<int32>(VARHDRSZ)) & 0x7ff) ^ 1024) - 1024;  // as numeric.c has it
}

Known<Sound::proven, bounds::Grain> grain_of(Node* expression) { return of(expression); }

bool is_shown_whole(Node* node) {
  check_stack_depth();
  if (is_integer(getBaseType(exprType(node)))) return true;
  const Expression expression = taken_apart(node);
  switch (expression.form) {
    case Form::constant: {
      const auto* const constant = castNode(Const, node);
      return constant->constisnull || (constant->consttype == NUMERICOID &&
                                       DatumGetInt32(DirectFunctionCall1(numeric_scale, constant->constvalue)) == 0);
    }
    case Form::same:
    case Form::one_of:
    case Form::extreme:
      return are_shown_whole(expression.parts);
    case Form::call:
      return is_shown_whole(expression.function, expression.parts);
    default:
      break;
  }
  return false;
}

}  // namespace dp::guard
