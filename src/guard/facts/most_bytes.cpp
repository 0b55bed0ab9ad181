#include "guard/facts/most_bytes.h"

#include <algorithm>

#include "guard/facts/form.h"
#include "guard/functions/function_facts.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// Of a column of that type.
int64 most_of_type(Oid type, int32 modifier) {
  constexpr int64 kStored = 1 << 30;  // the largest value that PostgreSQL stores
  type = getBaseTypeAndTypmod(type, &modifier);
  switch (type) {
    case NUMERICOID:
      return 75'000;  // 131072 digits and 16383 behind the point, four of them in two bytes
    case INETOID:
    case CIDROID:
      return 32;
    case VARCHAROID:
    case BPCHAROID:
      return modifier < VARHDRSZ ? kStored : (modifier - VARHDRSZ) * int64{4};
    default:
      return kStored;
  }
}

int64 most_of_call(Oid function, List* arguments) {
  if (meaning_of(function) == Meaning::capped) return kCap;
  const Growth growth = growth_of(function);
  return growth.factor * most_bytes_of_any(arguments) + growth.extra;
}

bool find_largest(Node* node, void* largest) {
  if (node == nullptr) return false;
  if (IsA(node, List)) return pg::walk(node, find_largest, largest);
  auto* const most = static_cast<int64*>(largest);
  *most = std::max(*most, most_bytes(node));
  return false;
}

int64 largest_below(Node* node) {
  int64 largest = 0;
  pg::walk(node, find_largest, &largest);
  return largest;
}

int64 most_of_leaf(Node* leaf, int64 type) {
  switch (nodeTag(leaf)) {
    case T_Param:
      return kCap;
    case T_Var:
    case T_CaseTestExpr:
      return type;
    case T_Aggref: {  // a total one: one of its values, or a number
      List* const arguments = castNode(Aggref, leaf)->args;
      constexpr int64 kNumber = 1000;
      if (arguments == NIL) return kNumber;
      return std::max(kNumber, most_bytes(reinterpret_cast<Node*>(linitial_node(TargetEntry, arguments)->expr)));
    }
    case T_ArrayExpr:
      return 64 + int64{16} * list_length(castNode(ArrayExpr, leaf)->elements);
    default:  // a part of what is below
      return std::min(largest_below(leaf), type);
  }
}

}  // namespace

std::int64_t most_bytes_of_any(List* expressions) {
  int64 largest = 0;
  ListCell* cell;
  foreach (cell, expressions) largest = std::max(largest, most_bytes(static_cast<Node*>(lfirst(cell))));
  return largest;
}

std::int64_t most_bytes(Node* node) {
  CHECK_FOR_INTERRUPTS();
  const Oid type = exprType(node);
  const int16 length = get_typlen(type);
  if (length > 0) return length;
  const int64 most = most_of_type(type, exprTypmod(node));
  const Expression expression = taken_apart(node);
  switch (expression.form) {
    case Form::constant: {
      const auto* const constant = castNode(Const, node);
      return constant->constisnull || length != -1 ? 0 : static_cast<int64>(toast_raw_datum_size(constant->constvalue));
    }
    case Form::shown:
      return 150'000 + most_bytes_of_any(expression.parts);  // of numbers and moments: all digits of the longest
    case Form::call:
      return std::min(most_of_call(expression.function, expression.parts), most);
    case Form::same:
    case Form::one_of:
    case Form::extreme:
      return std::min(most_bytes_of_any(expression.parts), most);
    default:
      return most_of_leaf(node, most);
  }
}

}  // namespace dp::guard
