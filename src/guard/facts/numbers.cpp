// Between which numbers the values of an expression lie.
#include <cmath>

#include "core/bounds/traits.h"
#include "core/bounds/transfer.h"
#include "guard/facts/characters.h"
#include "guard/facts/evaluator.h"
#include "guard/facts/moments.h"
#include "guard/facts/number_values.h"
#include "guard/facts/proven_numbers.h"
#include "guard/functions/calls.h"
#include "guard/functions/constants.h"
#include "guard/functions/function_facts.h"
#include "guard/functions/moment_fields.h"

namespace dp::guard {
namespace {

using bounds::Bounds;

bool is_floating(Oid type) { return type == FLOAT4OID || type == FLOAT8OID; }

// A constant's whole number; nothing for another one.
std::optional<int> whole_constant(Node* node) {
  if (!IsA(node, Const) || castNode(Const, node)->constisnull || exprType(node) != INT4OID) return std::nullopt;
  return DatumGetInt32(castNode(Const, node)->constvalue);
}

// x / nullif(k, 0), perhaps cast: k is at least 1 away from 0, or the quotient is NULL.
bool is_whole_or_null(Node* divisor) {
  const auto [function, arguments] = called_by(divisor);
  if (IsA(divisor, FuncExpr) && castNode(FuncExpr, divisor)->funcformat != COERCE_EXPLICIT_CALL &&
      list_length(arguments) == 1)
    return is_whole_or_null(static_cast<Node*>(linitial(arguments)));
  if (!IsA(divisor, NullIfExpr) || !is_integer(exprType(divisor))) return false;
  auto* const excluded = static_cast<Node*>(lsecond(castNode(NullIfExpr, divisor)->args));
  return IsA(excluded, Const) && !is_null_constant(excluded) &&
         as_number(exprType(excluded), castNode(Const, excluded)->constvalue) == bounds::Number{0};
}

// What its definition says, of finite arguments. What is cast to a whole number lies between whole ones where the
// argument does.
bool is_exact(Meaning meaning, Oid type, List* arguments) {
  if (meaning != Meaning::cast) return is_computed_exactly(meaning, type);
  const Oid from = exprType(static_cast<Node*>(linitial(arguments)));
  return list_length(arguments) == 1 && (is_integer(type) || type == NUMERICOID) &&
         (is_integer(from) || (is_integer(type) && (from == NUMERICOID || from == FLOAT8OID)));
}

// Its row's promise, whatever the arguments.
Bounds promised(Oid function) {
  const FunctionFacts* const facts = facts_of(function);
  if (facts == nullptr || facts->values == kAnyNumber) return std::nullopt;
  return bounds::whole_numbers(facts->values.lower, facts->values.upper);
}

}  // namespace

Node* Evaluator::known(Node* node) const { return sound_ == Sound::proven ? node : folded(node); }

Node* Evaluator::argument(List* arguments, int number) const {
  return known(static_cast<Node*>(list_nth(arguments, number)));
}

Bounds Evaluator::of(Node* node) {
  if (node == nullptr) return std::nullopt;
  check_stack_depth();
  const Expression expression = taken_apart(node);
  Bounds found;
  switch (expression.form) {
    case Form::leaf:
    case Form::test:
    case Form::connected:
    case Form::among:
      found = of_leaf(node);
      break;
    case Form::constant:
      return of_constant(castNode(Const, node));
    case Form::same:
      return of(static_cast<Node*>(linitial(expression.parts)));
    case Form::one_of:
      return of_choice(expression);
    case Form::extreme: {
      const Bounds extreme = of_extreme(castNode(MinMaxExpr, node)->op == IS_GREATEST, expression.parts);
      return extreme && extreme->lower > -kEndless && extreme->upper < kEndless ? extreme : std::nullopt;
    }
    case Form::shown:
      break;
    case Form::call:
      if (exprType(node) != BOOLOID) found = of_call(expression.function, expression.parts, exprType(node));
      if (is_floating(exprType(node))) found = bounds::as_doubles(found);
      break;
  }
  return !found && sound_ == Sound::declared && exprType(node) == BOOLOID ? bounds::make(0, 1) : found;
}

Bounds Evaluator::of_constant(const Const* constant) const {
  if (constant->constisnull) return std::nullopt;
  if (sound_ == Sound::proven && constant->consttype == NUMERICOID) return around_numeric(constant->constvalue);
  if (!is_number(constant->consttype)) return bounds_of_moment(constant);
  const auto number = as_number(constant->consttype, constant->constvalue);
  return number ? bounds::make(*number, *number) : std::nullopt;
}

Bounds Evaluator::of_one(List* nodes) {
  Bounds bounds;
  bool first = true;
  ListCell* cell;
  foreach (cell, nodes) {
    auto* const node = known(static_cast<Node*>(lfirst(cell)));
    if (is_null_constant(node)) continue;
    const Bounds one = of(node);
    bounds = first ? one : bounds::either(bounds, one);
    first = false;
    if (!bounds) return std::nullopt;
  }
  return bounds;
}

Bounds Evaluator::of_choice(const Expression& choice) {
  if (choice.conditions == NIL) return of_one(choice.parts);
  List* results = NIL;
  ListCell *part, *condition;
  forboth(part, choice.parts, condition, choice.conditions) {
    if (lfirst(condition) == nullptr || !is_never(static_cast<Node*>(lfirst(condition))))
      results = lappend(results, lfirst(part));
  }
  return of_one(results);
}

// LEAST(GREATEST(x, 0), 3) has bounds where x has none.
Bounds Evaluator::of_extreme(bool greatest, List* parts) {
  bounds::Nullable found{};
  bool first = true;
  ListCell* cell;
  foreach (cell, parts) {
    auto* const node = known(static_cast<Node*>(lfirst(cell)));
    if (is_null_constant(node)) continue;
    Bounds bounds = IsA(node, MinMaxExpr)
                        ? of_extreme(castNode(MinMaxExpr, node)->op == IS_GREATEST, castNode(MinMaxExpr, node)->args)
                        : of(node);
    if (!bounds) bounds = of_endless(node);
    const bounds::Nullable one{bounds, !IsA(node, Const)};
    found = first ? one : greatest ? bounds::greatest(found, one) : bounds::least(found, one);
    first = false;
  }
  return found.bounds;
}

Bounds Evaluator::of_call(Oid function, List* arguments, Oid type) {
  if (!OidIsValid(function) || arguments == NIL) return std::nullopt;
  const Meaning meaning = meaning_of(function);
  if (sound_ == Sound::proven) {
    if (meaning == Meaning::extract) return bounds_of_any_part(arguments);
    if (meaning == Meaning::width_bucket) return of_buckets(arguments);
    const Bounds exact = is_exact(meaning, type, arguments) ? of_numbers(meaning, type, arguments) : std::nullopt;
    return exact ? exact : promised(function);
  }
  if (meaning == Meaning::none) return std::nullopt;
  if (meaning == Meaning::extract) return bounds_of_part(argument(arguments, 0), argument(arguments, 1), this);
  if (meaning == Meaning::width_bucket) return of_buckets(arguments);
  if (bounds::traits_of(meaning).measures) return bounds_of_size(meaning, arguments, this);
  if (is_number(type)) return of_numbers(meaning, type, arguments);
  List* known_arguments = NIL;
  for (int i = 0; i < list_length(arguments); ++i) known_arguments = lappend(known_arguments, argument(arguments, i));
  return bounds_of_moment(meaning, type, known_arguments, this);
}

// width_bucket(x, 0, 10, 5), or with an array of thresholds.
Bounds Evaluator::of_buckets(List* arguments) {
  Node* const last = argument(arguments, list_length(arguments) - 1);
  if (list_length(arguments) == 4) return bounds::of_buckets(of(last));
  if (list_length(arguments) != 2 || !IsA(last, Const) || is_null_constant(last)) return std::nullopt;
  const ArrayType* const thresholds = DatumGetArrayTypeP(castNode(Const, last)->constvalue);
  return bounds::make(0, ArrayGetNItems(ARR_NDIM(thresholds), ARR_DIMS(thresholds)));
}

Bounds Evaluator::of_numbers(Meaning meaning, Oid type, List* arguments) {
  const bool whole = is_integer(type), has_second = list_length(arguments) > 1;
  Node* const from = argument(arguments, 0);
  const Bounds first = of(from);
  if (is_unproven(first)) return std::nullopt;
  if (meaning == Meaning::cast || meaning == Meaning::trim_scale) {
    if (whole) return bounds::of_meaning(Meaning::round, first, nullptr, true);
    return is_number(exprType(from)) ? first : std::nullopt;
  }
  if (!has_second) return bounds::of_meaning(meaning, first, nullptr, whole);
  if (meaning == Meaning::trunc || meaning == Meaning::round) {
    const auto digits = whole_constant(argument(arguments, 1));
    if (!digits) return bounds::to_any_digits(first, of(argument(arguments, 1)));
    return meaning == Meaning::trunc ? bounds::cut(first, *digits) : bounds::rounded(first, *digits);
  }
  const Bounds second = of(argument(arguments, 1));
  if (is_unproven(second)) return std::nullopt;
  if (meaning == Meaning::divide && is_whole_or_null(argument(arguments, 1))) return bounds::over_whole(first, second);
  return bounds::of_meaning(meaning, first, &second, whole);
}

}  // namespace dp::guard
