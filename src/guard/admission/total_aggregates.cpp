#include "guard/admission/total_aggregates.h"

#include "guard/admission/refusal.h"
#include "guard/admission/total_functions.h"
#include "guard/admission/total_windows.h"
#include "guard/functions/aggregates.h"
#include "guard/functions/called_functions.h"
#include "guard/functions/calls.h"
#include "pg/nodes.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

Below below(Oid function) {
  const AggregateFacts* const facts = aggregate_facts_of(function);
  return facts == nullptr ? Below::unknown : facts->below;
}

[[noreturn]] void refuse(Oid function, int location) {
  DP_REFUSE(location, errmsg("aggregate %s below private ones can fail, or is not built in", get_func_name(function)),
            errhint("Over the rows of one person count, sum, avg, min, max, bool_and and bool_or of numbers, dates, "
                    "texts and truths are admitted."));
  pg_unreachable();
}

Expr* extreme(MinMaxOp op, Expr* value, Oid type, const char* bound) {
  Oid input, parameter;
  getTypeInputInfo(type, &input, &parameter);
  int16 length;
  bool by_value;
  get_typlenbyval(type, &length, &by_value);
  const Datum number = OidInputFunctionCall(input, const_cast<char*>(bound), parameter, -1);
  auto* const made = makeNode(MinMaxExpr);
  made->minmaxtype = type;
  made->op = op;
  made->args = list_make2(value, makeConst(type, -1, InvalidOid, length, number, false, by_value));
  made->location = -1;
  return reinterpret_cast<Expr*>(made);
}

}  // namespace

Expr* kept_within(Expr* value, const char* lower, const char* upper) {
  const Oid type = exprType(reinterpret_cast<Node*>(value));
  Node* const is_known = pg::is_not_null(copyObjectImpl(value));
  Expr* const kept = extreme(IS_GREATEST, extreme(IS_LEAST, value, type, upper), type, lower);
  return reinterpret_cast<Expr*>(pg::case_when(is_known, kept, makeNullConst(type, -1, InvalidOid)));
}

namespace {

// Zero in the place of a zero with a sign.
Expr* without_signed_zero(Expr* value, Oid type) {
  const Datum nothing = type == FLOAT8OID ? Float8GetDatum(0) : Float4GetDatum(0);
  const bool by_value = type == FLOAT8OID ? FLOAT8PASSBYVAL : true;
  Const* const zero = makeConst(type, -1, InvalidOid, get_typlen(type), nothing, false, by_value);
  Expr* const is_zero = make_opclause(lookup_type_cache(type, TYPECACHE_EQ_OPR)->eq_opr, BOOLOID, false, value,
                                      reinterpret_cast<Expr*>(zero), InvalidOid, InvalidOid);
  set_opfuncid(castNode(OpExpr, is_zero));
  return reinterpret_cast<Expr*>(pg::case_when(is_zero, copyObjectImpl(zero), copyObjectImpl(value)));
}

// Of values that are equal and yet not the same, 1.0 and 1.00, the one that is the greatest depends on the order of
// rows: all are of one form.
Expr* of_one_form(Expr* value, Oid type) {
  if (type == FLOAT8OID || type == FLOAT4OID) return without_signed_zero(value, type);
  if (type != NUMERICOID || exprTypmod(reinterpret_cast<Node*>(value)) >= 0) return value;
  return reinterpret_cast<Expr*>(called(kTrimScale, list_make1(value)));
}

// The value that the aggregate takes, in a form in which it does not fail.
Expr* total_value(Oid function, Expr* value, int location) {
  const Oid type = getBaseType(exprType(reinterpret_cast<Node*>(value)));
  if (below(function) == Below::compares) {
    if (judge_order(type).obstacle != nullptr) refuse(function, location);
    return of_one_form(value, type);
  }
  if (below(function) != Below::adds_up) return value;
  if (type == NUMERICOID) return kept_within(value, "-1e100", "1e100");
  if (type == FLOAT8OID) return kept_within(value, "-1e140", "1e140");
  return type == FLOAT4OID ? kept_within(value, "-1e20", "1e20") : value;
}

// What floating numbers add up to depends on their order: it is that of the values themselves.
void add_in_order(Aggref* aggregate) {
  if (!adds_floats(aggregate->aggfnoid)) return;
  auto* const value = linitial_node(TargetEntry, aggregate->args);
  const Oid type = exprType(reinterpret_cast<Node*>(value->expr));
  const TypeCacheEntry* const order = lookup_type_cache(type, TYPECACHE_LT_OPR | TYPECACHE_EQ_OPR);
  auto* const clause = makeNode(SortGroupClause);
  clause->tleSortGroupRef = value->ressortgroupref = 1;
  clause->eqop = order->eq_opr;
  clause->sortop = order->lt_opr;
  clause->hashable = true;
  aggregate->aggorder = list_make1(clause);
}

Node* mutate(Node* node, void* context);

Node* total_window(WindowFunc* call) {
  auto* const copy = castNode(WindowFunc, pg::mutate(reinterpret_cast<Node*>(call), mutate, nullptr));
  if (!copy->winagg) {
    require_total_window(copy);
    return reinterpret_cast<Node*>(copy);
  }
  if (!is_total_aggregate(copy->winfnoid)) refuse(copy->winfnoid, copy->location);
  if (copy->args != NIL)
    linitial(copy->args) = total_value(copy->winfnoid, static_cast<Expr*>(linitial(copy->args)), copy->location);
  return reinterpret_cast<Node*>(copy);
}

Node* mutate(Node* node, void* context) {
  if (node == nullptr) return nullptr;
  if (IsA(node, WindowFunc)) return total_window(castNode(WindowFunc, node));
  if (!IsA(node, Aggref)) return pg::mutate(node, mutate, context);
  auto* const aggregate = static_cast<Aggref*>(copyObjectImpl(node));
  if (!is_total_aggregate(aggregate->aggfnoid)) refuse(aggregate->aggfnoid, aggregate->location);
  if (aggregate->args == NIL) return reinterpret_cast<Node*>(aggregate);
  Expr*& value = linitial_node(TargetEntry, aggregate->args)->expr;
  value = total_value(aggregate->aggfnoid, value, aggregate->location);
  if (aggregate->aggdistinct == NIL) add_in_order(aggregate);
  return reinterpret_cast<Node*>(aggregate);
}

}  // namespace

bool is_total_aggregate(Oid function) { return below(function) != Below::unknown; }

Node* total_aggregates(Node* expression) { return mutate(expression, nullptr); }

}  // namespace dp::guard
