#include "guard/rewrite/affine_value.h"

#include <cmath>
#include <optional>

#include "guard/admission/values.h"
#include "guard/facts/number_values.h"
#include "guard/functions/calls.h"
#include "guard/functions/meaning.h"
#include "guard/rewrite/private_calls.h"

namespace dp::guard {
namespace {

Datum whole(std::int64_t number) { return NumericGetDatum(int64_to_numeric(number)); }

bool equals(Datum numeric, std::int64_t number) {
  return DatumGetBool(DirectFunctionCall2(numeric_eq, numeric, whole(number)));
}

// The constant as a numeric; nothing for NULL and for what is not finite.
std::optional<Datum> finite_number(Expr* expression) {
  Node* folded = reinterpret_cast<Node*>(expression);
  // A constant that is cast. Others are looked into by nobody: the whole would be, again at each level.
  if (IsA(folded, FuncExpr) && list_length(castNode(FuncExpr, folded)->args) == 1 &&
      IsA(linitial(castNode(FuncExpr, folded)->args), Const))
    folded = eval_const_expressions(nullptr, folded);
  if (!IsA(folded, Const)) return std::nullopt;
  const auto* const constant = castNode(Const, folded);
  if (constant->constisnull) return std::nullopt;
  switch (constant->consttype) {
    case INT2OID:
      return whole(DatumGetInt16(constant->constvalue));
    case INT4OID:
      return whole(DatumGetInt32(constant->constvalue));
    case INT8OID:
      return whole(DatumGetInt64(constant->constvalue));
    case FLOAT8OID:
      if (!std::isfinite(DatumGetFloat8(constant->constvalue))) return std::nullopt;
      return DirectFunctionCall1(float8_numeric, constant->constvalue);
    case NUMERICOID: {
      const Numeric number = DatumGetNumeric(constant->constvalue);
      if (numeric_is_nan(number) || numeric_is_inf(number)) return std::nullopt;
      return constant->constvalue;
    }
    default:
      return std::nullopt;
  }
}

// Whether a cast between these is no more than another way to hold the same number, but for digits that a float8 lacks.
bool keeps_numbers(Oid from, Oid to) {
  switch (to) {
    case INT4OID:
      return from == INT2OID;
    case INT8OID:
      return from == INT2OID || from == INT4OID;
    case NUMERICOID:
      return is_integer(from);
    case FLOAT8OID:
      return is_integer(from) || from == FLOAT4OID || from == NUMERICOID;
    default:
      return false;
  }
}

// Of PostgreSQL's own functions of numbers. What is computed in float4 is rounded.
Computation computation_of_numbers(Node* node) {
  constexpr Computation kNone{Meaning::none, NIL};
  if (exprType(node) == FLOAT4OID || called_by(node).function >= FirstGenbkiObjectId) return kNone;
  const Computation found = computation_of(node);
  ListCell* cell;
  foreach (cell, found.arguments)
    if (!OidIsValid(number_type(exprType(static_cast<Node*>(lfirst(cell)))))) return kNone;
  return found;
}

Datum times(Datum a, Datum b) { return DirectFunctionCall2(numeric_mul, a, b); }
Datum plus(Datum a, Datum b) { return DirectFunctionCall2(numeric_add, a, b); }
Datum negative(Datum a) { return DirectFunctionCall1(numeric_uminus, a); }
Datum magnitude(Datum a) { return DirectFunctionCall1(numeric_abs, a); }

bool at_most(Datum number, const char* most) {
  const Datum limit =
      DirectFunctionCall3(numeric_in, CStringGetDatum(most), ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1));
  return DatumGetBool(DirectFunctionCall2(numeric_le, magnitude(number), limit));
}

AffineValue scaled(const AffineValue& by, Datum factor) {
  return {by.value, times(by.factor, factor), times(by.offset, factor)};
}

// That a quotient of it has more digits than a float8.
Datum with_digits(Datum number) { return DirectFunctionCall2(numeric_round, number, Int32GetDatum(40)); }

AffineValue moved(const AffineValue& by, Datum offset) { return {by.value, by.factor, plus(by.offset, offset)}; }

}  // namespace

bool AffineValue::is_value() const { return equals(factor, 1) && is_linear(); }
bool AffineValue::is_linear() const { return equals(offset, 0); }
bool AffineValue::is_near() const { return at_most(factor, "1e3") && !at_most(factor, "1e-4"); }

AffineValue itself(Expr* value) { return {value, whole(1), whole(0)}; }

bool is_variance(const char* field) { return strncmp(field, "var", 3) == 0; }
bool is_deviation(const char* field) { return strncmp(field, "stddev", 6) == 0; }

Node* of_affine(Node* answer, const AffineValue& of, const char* field) {
  if (of.is_value() || strcmp(field, "count") == 0) return answer;
  Node* const part = exprType(answer) == INT8OID ? coerced(answer, NUMERICOID) : answer;
  const Oid type = exprType(part);
  const Datum factor = is_variance(field)    ? times(of.factor, of.factor)
                       : is_deviation(field) ? magnitude(of.factor)
                                             : of.factor;
  Node* const scaled = operation("*", part, constant(factor, type));
  const bool moves = strcmp(field, "avg") == 0 && !of.is_linear();
  return moves ? operation("+", scaled, constant(of.offset, type)) : scaled;
}

Node* error_of_affine(Node* error, const AffineValue& of, const char* field) {
  if (of.is_value() || strcmp(field, "count") == 0) return error;
  const Datum factor = is_variance(field) ? times(of.factor, of.factor) : magnitude(of.factor);
  return operation("*", error, constant(factor, FLOAT8OID));
}

namespace {

// Answers are multiplied by the factor, or its square, and must not leave float8 by that.
bool is_moderate(const AffineValue& of) {
  return at_most(of.factor, "1e30") && !at_most(of.factor, "1e-30") && at_most(of.offset, "1e30");
}

AffineValue taken_apart(Expr* expression) {
  const AffineValue alone = itself(expression);
  const auto [meaning, arguments] = computation_of_numbers(reinterpret_cast<Node*>(expression));
  if (meaning == Meaning::none || arguments == NIL) return alone;
  auto* const first = static_cast<Expr*>(linitial(arguments));
  const auto type_of = [](Expr* number) { return exprType(reinterpret_cast<Node*>(number)); };
  if (list_length(arguments) == 1) {
    if (meaning == Meaning::negate) return scaled(taken_apart(first), whole(-1));
    const bool cast = meaning == Meaning::cast && keeps_numbers(type_of(first), type_of(expression));
    return cast ? taken_apart(first) : alone;
  }
  if (list_length(arguments) != 2) return alone;
  auto* const second = static_cast<Expr*>(lsecond(arguments));
  const std::optional<Datum> left = finite_number(first), right = finite_number(second);
  if (left.has_value() == right.has_value()) return alone;
  switch (meaning) {
    case Meaning::plus:
      return left ? moved(taken_apart(second), *left) : moved(taken_apart(first), *right);
    case Meaning::minus:
      return left ? moved(scaled(taken_apart(second), whole(-1)), *left) : moved(taken_apart(first), negative(*right));
    case Meaning::times: {
      const Datum factor = left ? *left : *right;
      return equals(factor, 0) ? alone : scaled(taken_apart(left ? second : first), factor);
    }
    case Meaning::divide:
      // A quotient of whole numbers is cut.
      if (left || is_integer(type_of(expression)) || equals(*right, 0)) return alone;
      return scaled(taken_apart(first), DirectFunctionCall2(numeric_div, with_digits(whole(1)), *right));
    default:
      return alone;
  }
}

}  // namespace

AffineValue affine_value(Expr* expression) {
  const AffineValue found = taken_apart(expression);
  return is_moderate(found) ? found : itself(expression);
}

}  // namespace dp::guard
