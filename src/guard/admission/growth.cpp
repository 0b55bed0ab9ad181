#include "guard/admission/growth.h"

#include <algorithm>

#include "guard/admission/refusal.h"
#include "guard/admission/row_limits.h"
#include "guard/admission/total_aggregates.h"
#include "guard/admission/values.h"
#include "guard/facts/most_bytes.h"
#include "guard/functions/function_facts.h"
#include "pg/walk.h"
#include "total_functions/registry.h"

namespace dp::guard {
namespace {

constexpr int64 kMost = 16 * kCap;

// The function dp_internal.capped(anyelement), found at its first use while an expression is looked through.
Oid found_capped = InvalidOid;

Oid capped_function() {
  if (OidIsValid(found_capped)) return found_capped;
  const Oid types[] = {ANYELEMENTOID};
  found_capped = total::find("capped", types);
  if (!OidIsValid(found_capped)) elog(ERROR, "dp_internal.capped(anyelement) is missing");
  return found_capped;
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
    if (get_typlen(exprType(argument)) == -1 && most_bytes(argument) > kCap) lfirst(cell) = capped(argument);
  }
}

// The smallest or largest text of a group is a value of its own: it does not stay where it is stored.
bool copies_text(const Aggref* aggregate) {
  return get_typlen(aggregate->aggtype) == -1 && aggregate->aggtype != NUMERICOID &&
         is_total_aggregate(aggregate->aggfnoid);
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
    if (most_bytes(argument) > kMost / 2) cast->arg = reinterpret_cast<Expr*>(capped(argument));
    return false;
  }
  const auto [function, arguments] = called_by(node);
  if (!OidIsValid(function)) return false;
  const Growth growth = growth_of(function);
  const int larger = Max(growth.factor, growth.workspace);
  const int64 grown = larger == 0 ? 0 : larger * most_bytes_of_any(arguments);
  if (grown + growth.extra > kMost) cap(arguments);
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
  if (!makes || meaning_of(function) == Meaning::capped) {
    return pg::walk(node, find_largest_made, largest);
  }
  int64* const most = static_cast<int64*>(largest);
  *most = std::max(*most, most_bytes(node));
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
