#include "guard/facts/null_values.h"

#include <algorithm>

#include "guard/facts/form.h"
#include "guard/functions/function_facts.h"
#include "pg/joins.h"

namespace dp::guard {

bool compares_values(Oid op) { return pg::is_comparison(op) && op_strict(op); }

bool Nulls::may_be(Node* node) {
  check_stack_depth();
  const Expression expression = taken_apart(node);
  switch (expression.form) {
    case Form::leaf:
      return leaf_may_be(node);
    case Form::constant:
      return is_null_constant(node);
    case Form::same:
    case Form::shown:
    case Form::connected:
      return expression.or_null || any_may_be(expression.parts);
    case Form::one_of:
      return expression.conditions == NIL ? all_may_be(expression.parts)
                                          : expression.or_null || any_may_be(expression.parts);
    case Form::extreme:
      return all_may_be(expression.parts);
    case Form::test:
      return false;
    case Form::among:
      return list_may_be(castNode(ScalarArrayOpExpr, node)->opno, expression.parts);
    case Form::call: {
      const bool compares = IsA(node, OpExpr) && compares_values(castNode(OpExpr, node)->opno);
      return !(compares || gives_value(expression.function, expression.parts)) || any_may_be(expression.parts);
    }
  }
  return true;
}

bool Nulls::any_may_be(List* parts) {
  ListCell* cell;
  foreach (cell, parts) {
    if (may_be(static_cast<Node*>(lfirst(cell)))) return true;
  }
  return false;
}

bool Nulls::all_may_be(List* parts) {
  ListCell* cell;
  foreach (cell, parts) {
    if (!may_be(static_cast<Node*>(lfirst(cell)))) return false;
  }
  return true;
}

// x IN (1, 2): NULL where x or one of these is.
bool Nulls::list_may_be(Oid op, List* parts) {
  auto* const list = static_cast<Node*>(lsecond(parts));
  if (!compares_values(op) || may_be(static_cast<Node*>(linitial(parts)))) return true;
  if (IsA(list, ArrayExpr))
    return castNode(ArrayExpr, list)->multidims || any_may_be(castNode(ArrayExpr, list)->elements);
  if (!IsA(list, Const) || is_null_constant(list)) return true;
  return array_contains_nulls(DatumGetArrayTypeP(castNode(Const, list)->constvalue));
}

// What is NULL of infinite values alone is so where it depends on one argument: no dp_bucket(x, 0).
bool Nulls::gives_value(Oid function, List* arguments) const {
  if (is_never_null(function, false)) return true;
  if (!finite_ || !is_never_null(function, true)) return false;
  return std::count_if(&arguments->elements[0], &arguments->elements[list_length(arguments)],
                       [](const ListCell& cell) { return !IsA(cell.ptr_value, Const); }) < 2;
}

}  // namespace dp::guard
