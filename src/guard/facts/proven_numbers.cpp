#include "guard/facts/proven_numbers.h"

#include <algorithm>

#include "core/bounds/traits.h"
#include "guard/facts/digits.h"
#include "guard/facts/evaluator.h"
#include "guard/facts/number_values.h"
#include "guard/functions/meaning.h"

namespace dp::guard {
namespace {

using bounds::Bounds;

// Deeper than people write. What lies below is known by its type alone.
constexpr int kDeepest = 50;

class ByTypes final : public Evaluator {
 public:
  ByTypes() : Evaluator(Sound::proven) {}

  Bounds of(Node* node) override {
    if (node == nullptr) return std::nullopt;
    const Bounds type = numbers_of_type(exprType(node));
    if (depth_ >= kDeepest) return type;
    ++depth_;
    const Bounds found = Evaluator::of(node);
    --depth_;
    // Where the type holds none of them it is an error whatever the row, or NULL in its place: then all of the type are
    // as good as none.
    return found && type ? bounds::within(type, found) : found ? found : type;
  }

  Bounds result(Oid function, List* arguments) { return of_call(function, arguments, get_func_rettype(function)); }

 private:
  Bounds of_leaf(Node*) override { return std::nullopt; }

  int depth_ = 0;
};

}  // namespace

Known<Sound::proven, bounds::Interval> proven_numbers(Node* expression) { return ByTypes().of(expression); }

Known<Sound::proven, bounds::Interval> proven_result(Oid function, List* arguments) {
  return ByTypes().result(function, arguments);
}

bool is_computed_exactly(bounds::Meaning meaning, Oid type) {
  const bounds::Exact exact = bounds::traits_of(meaning).exact;
  return exact != bounds::Exact::never &&
         (is_integer(type) || (type == NUMERICOID && exact == bounds::Exact::of_integers_and_numerics));
}

Bounds numbers_of_type(Oid type) {
  switch (getBaseType(type)) {
    case INT2OID:
      return bounds::whole_numbers(PG_INT16_MIN, PG_INT16_MAX);
    case INT4OID:
      return bounds::whole_numbers(PG_INT32_MIN, PG_INT32_MAX);
    case INT8OID:
      return bounds::whole_numbers(PG_INT64_MIN, PG_INT64_MAX);
    default:
      return std::nullopt;
  }
}

namespace {

// What fails only where it leaves its type, or divides by zero.
bool is_arithmetic(Meaning meaning, Oid type) {
  return is_computed_exactly(meaning, type) || (meaning == Meaning::cast && (is_integer(type) || type == NUMERICOID));
}

bool divides_by_zero(Meaning meaning, List* arguments) {
  if (meaning != Meaning::divide && meaning != Meaning::mod) return false;
  const auto divisor = proven_numbers(static_cast<Node*>(lsecond(arguments)));
  return !divisor || (divisor->lower <= 0 && divisor->upper >= 0);
}

bool is_within(const Known<Sound::proven, bounds::Interval>& result, const bounds::Bounds& type) {
  return result && (!type || (type->lower <= result->lower && result->upper <= type->upper));
}

bool stays_in_type(Oid function, List* arguments) {
  const bool is_known = function < FirstNormalObjectId && arguments != NIL;
  const Meaning meaning = is_known ? meaning_of(function) : Meaning::none;
  const Oid type = get_func_rettype(function);
  return is_arithmetic(meaning, type) && !divides_by_zero(meaning, arguments) &&
         is_within(proven_result(function, arguments), numbers_of_type(type));
}

}  // namespace

bool cannot_overflow(Oid function, List* arguments) {
  return stays_in_type(function, arguments) || has_few_digits(function, arguments);
}

}  // namespace dp::guard
