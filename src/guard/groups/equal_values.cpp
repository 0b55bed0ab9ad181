#include "guard/groups/equal_values.h"

#include <algorithm>

#include "budget/catalog/unique_indexes.h"
#include "budget/policy/accounts.h"
#include "core/bounds/traits.h"
#include "guard/admission/values.h"
#include "guard/facts/form.h"
#include "guard/forms/one_case.h"
#include "guard/functions/function_facts.h"
#include "guard/groups/computed_columns.h"
#include "pg/joins.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// Letters are one_case.h's. All numerics of a column with a scale have that many digits, and all of char(n) n places.
bool has_several_looks(Oid type, int32 modifier) {
  const Oid base = getBaseTypeAndTypmod(type, &modifier);
  if (base == FLOAT4OID || base == FLOAT8OID || base == BPCHAROID || type_is_collatable(base)) return false;
  if (base == NUMERICOID && modifier >= 0) return false;
  if (const Oid element = get_element_type(base); OidIsValid(element)) return has_several_looks(element, modifier);
  return !budget::equals_have_same_bytes(base, InvalidOid);
}

bool is_of_whole_numbers(Oid type) {
  return type == INT2OID || type == INT4OID || type == INT8OID || type == FLOAT4OID || type == FLOAT8OID;
}

class Equality {
 public:
  explicit Equality(const Sources& sources) : sources_(sources) {}

  bool told_apart() const { return told_apart_; }

  // Whether equal values of a column may give results of the node that are equal and look different.
  bool differ(Node* node) {
    if (node == nullptr) return false;
    if (IsA(node, Var)) return differ_in(castNode(Var, node));
    if (IsA(node, CaseExpr)) return differ_in(castNode(CaseExpr, node));
    const bool below = differ_below(node);
    if (!below || IsA(node, List)) return below;
    const Expression expression = taken_apart(node);
    switch (expression.form) {
      case Form::same:
      case Form::one_of:
      case Form::extreme:
        return true;
      case Form::test:
        return false;
      case Form::among:
        return compared(castNode(ScalarArrayOpExpr, node)->opno);
      default:
        break;
    }
    if (IsA(node, RowCompareExpr) || (IsA(node, OpExpr) && pg::is_comparison(castNode(OpExpr, node)->opno)))
      return false;
    return computed(node, expression);
  }

 private:
  bool differ_in(const Var* column) const {
    if (column->varlevelsup > 0 || column->varattno <= 0) return false;
    const RangeTblEntry* const entry = sources_.table(column->varno);
    const bool is_protected = entry->rtekind == RTE_RELATION ? sources_.protection(column->varno) != nullptr
                                                             : computed_column(column, sources_) != nullptr;
    return is_protected && has_several_looks(column->vartype, column->vartypmod);
  }

  // Of what is tested nothing gets into the result.
  bool differ_in(const CaseExpr* choice) {
    differ(reinterpret_cast<Node*>(choice->arg));
    bool any = differ(reinterpret_cast<Node*>(choice->defresult));
    ListCell* cell;
    foreach (cell, choice->args) {
      const auto* const when = lfirst_node(CaseWhen, cell);
      differ(reinterpret_cast<Node*>(when->expr));
      any = differ(reinterpret_cast<Node*>(when->result)) || any;
    }
    return any;
  }

  bool differ_below(Node* node) {
    struct Below {
      Equality* equality;
      bool any;
    } below{this, false};
    pg::walk(
        node,
        [](Node* child, void* context) {
          auto* const here = static_cast<Below*>(context);
          here->any = here->equality->differ(child) || here->any;
          return false;
        },
        &below);
    return below.any;
  }

  bool compared(Oid op) {
    told_apart_ = told_apart_ || !pg::is_comparison(op);
    return false;
  }

  // From a numeric: another one is computed from its value, with as many digits as that has, or a number.
  bool computed(Node* node, const Expression& expression) {
    const Oid type = exprType(node);
    const Meaning meaning = meaning_of(expression.function);
    const bool of_numerics = OidIsValid(expression.function) && takes_numerics(expression.parts);
    if (of_numerics && type == NUMERICOID) return !says_digits(meaning, expression.parts);
    const FunctionFacts* const facts = facts_of(expression.function);
    const bool shows_digits = facts != nullptr && facts->shows_digits;
    const bool by_value = of_numerics && (meaning == Meaning::to_char || (is_of_whole_numbers(type) && !shows_digits));
    told_apart_ = told_apart_ || !by_value;
    return false;
  }

  static bool says_digits(Meaning meaning, const List* arguments) {
    return bounds::says_digits(bounds::traits_of(meaning).digits) ||
           (meaning == Meaning::cast && list_length(arguments) == 2);
  }

  // No other argument has several looks: intervals and lists do.
  static bool takes_numerics(const List* arguments) {
    return std::ranges::all_of(arguments->elements, arguments->elements + arguments->length, [](const ListCell& cell) {
      auto* const argument = static_cast<Node*>(lfirst(&cell));
      const Oid type = getBaseType(exprType(argument));
      return type == NUMERICOID || !reads_row(argument) || !has_several_looks(type, -1);
    });
  }

  const Sources& sources_;
  bool told_apart_ = false;
};

}  // namespace

bool respects_equality(Node* form, const Sources& sources) {
  if (tells_cases_apart(form)) return false;
  Equality equality(sources);
  equality.differ(form);
  return !equality.told_apart();
}

}  // namespace dp::guard
