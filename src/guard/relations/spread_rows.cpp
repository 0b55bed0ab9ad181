#include "guard/relations/spread_rows.h"

#include "guard/functions/called_functions.h"
#include "guard/functions/calls.h"
#include "guard/functions/constants.h"
#include "guard/relations/constant_rows.h"
#include "pg/nodes.h"

namespace dp::guard {
namespace {

Node* whole(int number) { return reinterpret_cast<Node*>(pg::int4_constant(number)); }

Node* copied(const void* expression) { return static_cast<Node*>(copyObjectImpl(expression)); }

Node* number_of(Oid function, List* arguments) {
  return reinterpret_cast<Node*>(called(function, arguments, exprCollation(static_cast<Node*>(linitial(arguments)))));
}

Node* in_type(Node* number, Oid type) {
  if (exprType(number) == type) return number;
  return reinterpret_cast<Node*>(cast_to(INT8OID, number));
}

// The element with that number, of an array of one dimension.
std::optional<Spread> elements_of(const FuncExpr* unnest, const Var* number) {
  auto* const array = static_cast<Node*>(linitial(unnest->args));
  if (IsA(array, ArrayExpr) || type_is_rowtype(unnest->funcresulttype) ||
      get_element_type(exprType(array)) != unnest->funcresulttype)
    return std::nullopt;
  const auto of_first = [&](Oid function) { return number_of(function, list_make2(copied(array), whole(1))); };
  Node* const before = operation("-", copied(number), whole(1));
  auto* const element = makeNode(SubscriptingRef);
  element->refcontainertype = exprType(array);
  element->refelemtype = element->refrestype = unnest->funcresulttype;
  element->reftypmod = exprTypmod(array);
  element->refcollid = exprCollation(array);
  element->refupperindexpr = list_make1(operation("+", of_first(kArrayLower), before));
  element->refexpr = reinterpret_cast<Expr*>(copied(array));
  Node* const plain = operation("=", number_of(kArrayDimensions, list_make1(copied(array))), whole(1));
  Node* const there = operation("<=", copied(number), of_first(kArrayLength));
  return Spread{list_make1(element), make_and_qual(there, plain)};
}

// The element with that number, of a json array. What is none has no rows.
std::optional<Spread> elements_of_json(const FuncExpr* elements, const Var* number) {
  auto* const array = static_cast<Node*>(linitial(elements->args));
  const bool as_text = elements->funcid == F_JSONB_ARRAY_ELEMENTS_TEXT;
  Node* const before = operation("-", copied(number), whole(1));
  FuncExpr* const element =
      makeFuncExpr(as_text ? kJsonElementAsText : kJsonElement, elements->funcresulttype,
                   list_make2(copied(array), before), elements->funccollid, InvalidOid, COERCE_EXPLICIT_CALL);
  Node* const length = number_of(kJsonLength, list_make1(copied(array)));
  return Spread{list_make1(element), operation("<=", copied(number), length)};
}

// first + (number - 1) * step <= last
std::optional<Spread> series_of(const FuncExpr* series, const Var* number) {
  const Oid type = series->funcresulttype;
  if (type != INT4OID && type != INT8OID) return std::nullopt;
  Node* step = in_type(whole(1), type);
  if (list_length(series->args) == 3) {
    step = folded(static_cast<Node*>(lthird(series->args)));
    if (!IsA(step, Const) || castNode(Const, step)->constisnull) return std::nullopt;
    const Datum value = castNode(Const, step)->constvalue;
    if ((type == INT4OID ? DatumGetInt32(value) : DatumGetInt64(value)) <= 0) return std::nullopt;
  }
  Node* const before = in_type(operation("-", copied(number), whole(1)), type);
  Node* const value = operation("+", copied(linitial(series->args)), operation("*", before, step));
  return Spread{list_make1(value), operation("<=", copied(value), copied(lsecond(series->args)))};
}

}  // namespace

std::optional<Spread> spread_of(const RangeTblEntry* entry, const Var* number) {
  if (!entry->lateral || entry->rtekind != RTE_FUNCTION || list_length(entry->functions) != 1) return std::nullopt;
  Node* const call = linitial_node(RangeTblFunction, entry->functions)->funcexpr;
  if (!IsA(call, FuncExpr)) return std::nullopt;
  const auto* const function = castNode(FuncExpr, call);
  const bool of_json = function->funcid == F_JSONB_ARRAY_ELEMENTS || function->funcid == F_JSONB_ARRAY_ELEMENTS_TEXT;
  std::optional<Spread> spread;
  if (is_unnest(function)) {
    spread = elements_of(function, number);
  } else if (of_json) {
    spread = elements_of_json(function, number);
  } else if (is_series(entry)) {
    spread = series_of(function, number);
  }
  if (spread && entry->funcordinality) spread->values = lappend(spread->values, in_type(copied(number), INT8OID));
  return spread;
}

}  // namespace dp::guard
