#include "guard/admission/growth.h"

#include <algorithm>

#include "guard/admission/refusal.h"
#include "guard/admission/row_limits.h"
#include "guard/admission/total_aggregates.h"
#include "guard/admission/values.h"
#include "guard/functions/function_facts.h"
#include "pg/walk.h"
#include "total_functions/registry.h"

namespace dp::guard {
namespace {

constexpr int64 kCap = 1 << 20;
constexpr int64 kMost = 16 * kCap;
constexpr int64 kStored = 1 << 30;  // the largest value that PostgreSQL stores

// Of a column of that type.
int64 worst_of_type(Oid type, int32 modifier) {
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

int64 worst_of(Node* node);

// A function of expression_tree_walker: the largest of the nodes.
bool find_largest(Node* node, void* largest) {
  if (node == nullptr) return false;
  const int64 size = IsA(node, List) || IsA(node, CaseWhen) ? 0 : worst_of(node);
  int64* const most = static_cast<int64*>(largest);
  *most = std::max(*most, size);
  if (IsA(node, List) || IsA(node, CaseWhen)) {
    return pg::walk(node, find_largest, largest);
  }
  return false;
}

int64 largest_below(Node* node) {
  int64 largest = 0;
  pg::walk(node, find_largest, &largest);
  return largest;
}

int64 largest_of(List* nodes) {
  int64 largest = 0;
  ListCell* cell;
  foreach (cell, nodes) largest = std::max(largest, worst_of(static_cast<Node*>(lfirst(cell))));
  return largest;
}

// The function dp_internal.capped(anyelement), found at its first use while an expression is looked through.
Oid found_capped = InvalidOid;

Oid capped_function() {
  if (OidIsValid(found_capped)) return found_capped;
  const Oid types[] = {ANYELEMENTOID};
  found_capped = total::find("capped", types);
  if (!OidIsValid(found_capped)) elog(ERROR, "dp_internal.capped(anyelement) is missing");
  return found_capped;
}

bool is_capped(Oid function) { return function >= FirstUnpinnedObjectId && function == capped_function(); }

int64 worst_of_call(Oid function, List* arguments) {
  if (is_capped(function)) return kCap;
  const Growth growth = growth_of(function);
  return growth.factor * largest_of(arguments) + growth.extra;
}

// The most bytes that the value of the node can have.
int64 worst_of(Node* node) {
  CHECK_FOR_INTERRUPTS();
  const Oid type = exprType(node);
  const int16 length = get_typlen(type);
  if (length > 0) return length;
  switch (nodeTag(node)) {
    case T_Const: {
      const auto* const constant = castNode(Const, node);
      return constant->constisnull || length != -1 ? 0 : static_cast<int64>(toast_raw_datum_size(constant->constvalue));
    }
    case T_Param:
      return kCap;
    case T_Var:
    case T_CaseTestExpr:
      return worst_of_type(type, exprTypmod(node));
    case T_CoerceViaIO:
      return 150'000 + largest_below(node);  // of numbers and moments: all digits of the longest
    case T_FuncExpr:
    case T_OpExpr:
    case T_ScalarArrayOpExpr:
    case T_DistinctExpr: {
      const auto [function, arguments] = called_by(node);
      return std::min(worst_of_call(function, arguments), worst_of_type(type, exprTypmod(node)));
    }
    case T_Aggref: {  // a total one: one of its values, or a number
      List* const arguments = castNode(Aggref, node)->args;
      constexpr int64 kNumber = 1000;
      if (arguments == NIL) return kNumber;
      return std::max(kNumber, worst_of(reinterpret_cast<Node*>(linitial_node(TargetEntry, arguments)->expr)));
    }
    case T_ArrayExpr:
      return 64 + int64{16} * list_length(castNode(ArrayExpr, node)->elements);
    default:  // one of the values that it chooses from, or a part of one
      return std::min(largest_below(node), worst_of_type(type, exprTypmod(node)));
  }
}

Node* capped(Node* argument) {
  FuncExpr* const call = makeFuncExpr(capped_function(), exprType(argument), list_make1(argument),
                                      exprCollation(argument), exprCollation(argument), COERCE_EXPLICIT_CALL);
  call->location = exprLocation(argument);
  return reinterpret_cast<Node*>(call);
}

void cap(List* arguments) {
  ListCell* cell;
  foreach (cell, arguments) {
    auto* const argument = static_cast<Node*>(lfirst(cell));
    if (get_typlen(exprType(argument)) == -1 && worst_of(argument) > kCap) lfirst(cell) = capped(argument);
  }
}

// The smallest or largest text of a group is a value of its own: it does not stay where it is stored.
bool copies_text(const Aggref* aggregate) {
  return is_total_aggregate(aggregate->aggfnoid) && get_typlen(aggregate->aggtype) == -1 &&
         aggregate->aggtype != NUMERICOID;
}

// The same of a window that an aggregate looks through.
bool copies_text(const WindowFunc* call) {
  return call->winagg && get_typlen(call->wintype) == -1 && call->wintype != NUMERICOID;
}

void cap_value(Aggref* aggregate) {
  TargetEntry* const value = linitial_node(TargetEntry, aggregate->args);
  List* const argument = list_make1(value->expr);
  cap(argument);
  value->expr = static_cast<Expr*>(linitial(argument));
}

// In place, what is below a node before the node itself.
bool bound(Node* node, void*) {
  if (node == nullptr) return false;
  pg::walk(node, bound, nullptr);
  if (IsA(node, Aggref) && copies_text(castNode(Aggref, node))) {
    cap_value(castNode(Aggref, node));
    return false;
  }
  if (IsA(node, WindowFunc) && copies_text(castNode(WindowFunc, node))) {
    cap(castNode(WindowFunc, node)->args);
    return false;
  }
  if (IsA(node, CoerceViaIO)) {
    auto* const cast = castNode(CoerceViaIO, node);
    auto* const argument = reinterpret_cast<Node*>(cast->arg);
    if (worst_of(argument) > kMost / 2) cast->arg = reinterpret_cast<Expr*>(capped(argument));
    return false;
  }
  const auto [function, arguments] = called_by(node);
  if (!OidIsValid(function)) return false;
  const Growth growth = growth_of(function);
  if (Max(growth.factor, growth.workspace) * largest_of(arguments) + growth.extra > kMost) cap(arguments);
  return false;
}

// The same, but stored values that are only handed on count for nothing: they are pointers to where they are stored.
bool find_largest_made(Node* node, void* largest) {
  if (node == nullptr || IsA(node, Var)) return false;
  if (IsA(node, Aggref)) {
    int64* const most = static_cast<int64*>(largest);
    if (copies_text(castNode(Aggref, node))) *most = std::max(*most, kCap);
    return false;
  }
  if (IsA(node, WindowFunc) && copies_text(castNode(WindowFunc, node))) {
    int64* const most = static_cast<int64*>(largest);
    *most = std::max(*most, kCap);
    return false;
  }
  const Oid function = called_by(node).function;
  // NULLIF calls its comparison, and hands on a value.
  const bool makes = (OidIsValid(function) && !IsA(node, NullIfExpr)) || IsA(node, CoerceViaIO) ||
                     IsA(node, ArrayExpr) || IsA(node, Const) || IsA(node, Param);
  if (!makes || is_capped(function)) {
    return pg::walk(node, find_largest_made, largest);
  }
  int64* const most = static_cast<int64*>(largest);
  *most = std::max(*most, worst_of(node));
  return false;
}

}  // namespace

void bound_growth(Node* expression) {
  found_capped = InvalidOid;
  bound(expression, nullptr);
}

std::int64_t most_bytes_made(Node* expression) {
  found_capped = InvalidOid;
  int64 made = 0;
  find_largest_made(expression, &made);
  return made;
}

void require_short_together(List* keys) {
  int64 size = 0;
  ListCell* cell;
  foreach (cell, keys) size += most_bytes_made(reinterpret_cast<Node*>(lfirst_node(TargetEntry, cell)->expr));
  if (size <= kMostRowBytes) return;
  DP_REFUSE(
      -1,
      errmsg("GROUP BY of a private query makes keys of up to %lld MB together", static_cast<long long>(size / kCap)),
      errhint("Group by fewer keys, or by shorter ones: x::varchar(100)."));
}

}  // namespace dp::guard
