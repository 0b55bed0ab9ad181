#include "guard/facts/courses.h"

#include "guard/facts/form.h"
#include "guard/facts/grains.h"
#include "guard/facts/number_values.h"
#include "guard/functions/meaning.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

using bounds::Course;
using bounds::Varies;

bool is_real(Oid type) { return type == NUMERICOID || type == FLOAT4OID || type == FLOAT8OID; }

bool is_constant_number(Node* node) { return IsA(node, Const) && !is_null_constant(node); }

class Reader {
 public:
  explicit Reader(const void* number) : number_(number) {}

  Course of(Node* node) const {
    check_stack_depth();
    if (equal(node, number_)) return bounds::kItself;
    if (IsA(node, Var)) return {};
    const Expression expression = taken_apart(node);
    if (expression.form == Form::same && !expression.or_null) return of(static_cast<Node*>(linitial(expression.parts)));
    if (expression.form == Form::call && expression.parts != NIL && list_length(expression.parts) <= 2)
      return of_call(node, expression);
    return of_parts(node);
  }

 private:
  // Of what no function is known to hand on in line.
  Course of_parts(Node* node) const {
    struct Parts {
      const Reader* reader;
      Course all;
    } parts{this, {}};
    pg::walk(
        node,
        [](Node* part, void* context) {
          auto* const found = static_cast<Parts*>(context);
          if (part != nullptr) found->all = bounds::course_of_both(found->all, found->reader->of(part));
          return found->all.varies == Varies::anywhere;
        },
        &parts);
    return parts.all;
  }

  Course of_call(Node* node, const Expression& call) const {
    auto* const first = static_cast<Node*>(linitial(call.parts));
    auto* const second = list_length(call.parts) == 2 ? static_cast<Node*>(lsecond(call.parts)) : nullptr;
    const Course x = of(first);
    const Course y = second == nullptr ? Course{} : of(second);
    const bool of_first = x.varies == Varies::in_line && (second == nullptr || is_constant_number(second));
    const bool of_second = y.varies == Varies::in_line && is_constant_number(first);
    if (!of_first && !of_second) return bounds::course_of_both(x, y);
    const Meaning meaning = meaning_of(call.function);
    const Oid type = exprType(node);
    if (meaning == Meaning::cast) return of_first ? of_cast(type, x, exprType(first), second) : bounds::kAnywhere;
    if (second == nullptr) return bounds::course_of(meaning, x);
    const bool calculates = meaning == Meaning::plus || meaning == Meaning::minus || meaning == Meaning::times ||
                            meaning == Meaning::divide;
    if (calculates && type != NUMERICOID && type != FLOAT8OID) return bounds::kAnywhere;
    return of_first ? bounds::course_of(meaning, x, real_constant(second), false)
                    : bounds::course_of(meaning, y, real_constant(first), true);
  }

  // To whole numbers, to numeric(p, s), or to another type that is not whole.
  static Course of_cast(Oid type, const Course& x, Oid from, Node* modifier) {
    if (modifier != nullptr) {
      const auto digits = type == NUMERICOID ? digits_of_modifier(modifier) : std::nullopt;
      return digits ? bounds::course_of(Meaning::round, x, *digits, false) : bounds::kAnywhere;
    }
    if (is_integer(type)) return bounds::course_of(Meaning::round, x);
    if (!is_real(type)) return bounds::kAnywhere;
    Course same = x;
    same.calculated = x.calculated || !(type == FLOAT8OID && from == FLOAT4OID);  // every float4 is a float8
    return same;
  }

  static std::optional<int> digits_of_modifier(Node* modifier) {
    return is_constant_number(modifier) ? digits_behind(DatumGetInt32(castNode(Const, modifier)->constvalue))
                                        : std::nullopt;
  }

  const void* number_;
};

}  // namespace

Course course_over(Node* expression, const void* number) { return Reader(number).of(expression); }

double real_constant(Node* node) {
  if (!IsA(node, Const) || is_null_constant(node)) return 0;
  const auto* const constant = castNode(Const, node);
  const bool is_known = is_integer(constant->consttype) || is_real(constant->consttype);
  return is_known ? static_cast<double>(as_number(constant->consttype, constant->constvalue).value_or(0)) : 0;
}

}  // namespace dp::guard
