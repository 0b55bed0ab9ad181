#include "guard/groups/small_codomain.h"

#include "budget/catalog/unique_indexes.h"
#include "guard/facts/form.h"
#include "guard/facts/grains.h"
#include "guard/facts/number_values.h"
#include "guard/facts/proven_numbers.h"
#include "guard/relations/open_lists.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// So many times the grain.
Node* multiple(std::int64_t times, const bounds::Grain& grain, Oid type) {
  const Datum number =
      DirectFunctionCall1(numeric_trim_scale, NumericGetDatum(int64_div_fast_to_numeric(times * grain.millionths, 6)));
  const auto made = [type](Datum value, int16 length, bool by_value) {
    return reinterpret_cast<Node*>(makeConst(type, -1, InvalidOid, length, value, false, by_value));
  };
  switch (type) {
    case INT2OID:
      return made(DirectFunctionCall1(numeric_int2, number), sizeof(int16), true);
    case INT4OID:
      return made(DirectFunctionCall1(numeric_int4, number), sizeof(int32), true);
    case INT8OID:
      return made(DirectFunctionCall1(numeric_int8, number), sizeof(int64), FLOAT8PASSBYVAL);
    case FLOAT8OID:
      return made(DirectFunctionCall1(numeric_float8, number), sizeof(float8), FLOAT8PASSBYVAL);
    default:
      return made(number, -1, false);
  }
}

// What a call, or a choice, can come to by its definition: the weekday of a moment, width_bucket(x, 0, 10, 5), id % 10.
List* few_values(Node* node) {
  constexpr std::int64_t kMost = 1001;  // as many buckets, and those beside them
  const Form form = taken_apart(node).form;
  if (form == Form::leaf || form == Form::constant || form == Form::shown) return NIL;
  const Oid type = exprType(node);
  if (type == BOOLOID || type == FLOAT4OID || !is_number(type)) return NIL;
  const auto grain = grain_of(node);
  const auto numbers = grain ? proven_numbers(node) : std::nullopt;
  const auto values = numbers ? bounds::multiples_within(*numbers, *grain) : std::nullopt;
  if (!values || values->last - values->first > kMost) return NIL;
  if (type == NUMERICOID && !(is_whole(*grain) && is_shown_whole(node))) return NIL;
  List* found = NIL;
  for (std::int64_t i = values->first; i <= values->last; ++i) found = lappend(found, multiple(i, *grain, type));
  return lappend(found, makeNullConst(type, -1, InvalidOid));
}

// Whether it is a value of the row that equals one of a list, and may be written in another way: 1.00 for 1.0.
bool may_look_different(Node* node) {
  const bool chosen = IsA(node, CaseExpr) && elements_chosen_from(castNode(CaseExpr, node)) != NIL;
  if (!chosen && !IsA(node, Var)) return false;
  return !budget::equals_have_same_bytes(exprType(node), exprCollation(node));
}

bool is_within(Node* whole, void* part) {
  if (whole == nullptr) return false;
  return equal(whole, part) || pg::walk(whole, is_within, part);
}

// The one part of a key that reads rows.
struct Part {
  const KeyQuals& conditions;
  bool by_definition;  // few values by the definition of a function count
  Node* key;
  Node* node;
  List* values;
};

// What the question lists of something computed. Of a part of the key only where that runs as it is written.
List* values_listed(Node* node, const Part& part) {
  if (node == part.key) return values_from_quals(part.conditions.key, node, part.conditions, true);
  if (!budget::equals_have_same_bytes(exprType(node), exprCollation(node))) return NIL;
  return is_within(part.conditions.key, node) ? values_from_quals(node, node, part.conditions, false) : NIL;
}

List* values_of(Node* node, const Part& part) {
  if (IsA(node, Var)) return values_from_quals(node, node, part.conditions, node == part.key);
  List* const values = choices_of(node);
  const bool is_value = !IsA(node, List) && !IsA(node, CaseWhen) && contain_var_clause(node);
  return values == NIL && is_value ? values_listed(node, part) : values;
}

// False where another one was taken before.
bool take(Part* part, Node* node, List* values) {
  if (part->node != nullptr && !equal(node, part->node)) return false;
  part->node = node;
  part->values = values;
  return true;
}

bool find_part(Node* node, void* found) {
  if (node == nullptr) return false;
  auto* const part = static_cast<Part*>(found);
  if (part->node != nullptr && equal(node, part->node)) return false;
  // What is computed from it may tell apart what is equal; the key itself is compared.
  const bool known = node == part->key || !may_look_different(node), chooses = choices_of(node) != NIL;
  List* const few = known && !chooses && part->by_definition ? few_values(node) : NIL;
  if (List* const values = few != NIL ? few : known ? values_of(node, *part) : NIL; values != NIL) {
    // What it is computed from may have values that are known more closely: quarters of the months of a list.
    Part below{part->conditions, part->by_definition, part->key, nullptr, NIL};
    const bool closer = !chooses && !pg::walk(node, find_part, &below) && below.node != nullptr &&
                        (few != NIL || choices_of(below.node) != NIL);
    return closer ? !take(part, below.node, below.values) : !take(part, node, values);
  }
  if (IsA(node, Var) || (IsA(node, Param) && castNode(Param, node)->paramkind != PARAM_EXTERN)) return true;
  return pg::walk(node, find_part, found);
}

struct Replacement {
  Node* part;
  Node* value;
};

Node* replaced(Node* node, void* context) {
  if (node == nullptr) return nullptr;
  auto* const what = static_cast<Replacement*>(context);
  if (equal(node, what->part)) return static_cast<Node*>(copyObjectImpl(what->value));
  return pg::mutate(node, replaced, context);
}

}  // namespace

List* choices_of(Node* key) {
  if (!IsA(key, CaseExpr)) return NIL;
  const auto* const choice = castNode(CaseExpr, key);
  if (List* const elements = elements_chosen_from(choice); elements != NIL) return elements;
  List* choices = NIL;
  ListCell* cell;
  foreach (cell, choice->args) choices = lappend(choices, lfirst_node(CaseWhen, cell)->result);
  if (choice->defresult != nullptr) choices = lappend(choices, choice->defresult);
  foreach (cell, choices) {
    auto* const one = static_cast<Node*>(lfirst(cell));
    if (!IsA(one, Const) && !(IsA(one, Param) && castNode(Param, one)->paramkind == PARAM_EXTERN)) return NIL;
  }
  return choices;
}

List* small_codomain(Node* key, const KeyQuals& conditions, bool by_definition) {
  Part part{conditions, by_definition, key, nullptr, NIL};
  if (find_part(key, &part) || part.node == nullptr) return NIL;
  if (part.node == key) return part.values;
  List* values = NIL;
  ListCell* cell;
  foreach (cell, part.values) {
    Replacement replacement{part.node, static_cast<Node*>(lfirst(cell))};
    values = lappend(values, replaced(key, &replacement));
  }
  return values;
}

}  // namespace dp::guard
