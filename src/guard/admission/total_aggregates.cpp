#include "guard/admission/total_aggregates.h"

#include <algorithm>
#include <iterator>

#include "guard/admission/refusal.h"
#include "guard/admission/total_functions.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// These see no value, or only whole numbers and truths.
constexpr Oid kPlain[] = {F_COUNT_,   F_COUNT_ANY, F_SUM_INT2, F_SUM_INT4, F_SUM_INT8, F_AVG_INT2,
                          F_AVG_INT4, F_AVG_INT8,  F_BOOL_AND, F_BOOL_OR,  F_EVERY};

// These add up, and overflow beyond the range of their type.
constexpr Oid kSums[] = {F_SUM_NUMERIC, F_SUM_FLOAT8, F_SUM_FLOAT4, F_AVG_NUMERIC, F_AVG_FLOAT8, F_AVG_FLOAT4};

// These compare, in the order of their type.
constexpr Oid kExtrema[] = {F_MIN_INT2,    F_MIN_INT4, F_MIN_INT8,      F_MIN_FLOAT4,      F_MIN_FLOAT8,
                            F_MIN_NUMERIC, F_MIN_DATE, F_MIN_TIMESTAMP, F_MIN_TIMESTAMPTZ, F_MIN_TEXT,
                            F_MAX_INT2,    F_MAX_INT4, F_MAX_INT8,      F_MAX_FLOAT4,      F_MAX_FLOAT8,
                            F_MAX_NUMERIC, F_MAX_DATE, F_MAX_TIMESTAMP, F_MAX_TIMESTAMPTZ, F_MAX_TEXT};

template <std::size_t size>
bool is_one_of(Oid function, const Oid (&list)[size]) {
  return std::find(std::begin(list), std::end(list), function) != std::end(list);
}

[[noreturn]] void refuse(const Aggref* aggregate) {
  DP_REFUSE(aggregate->location,
            errmsg("aggregate %s below private ones can fail, or is not built in", get_func_name(aggregate->aggfnoid)),
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

// NULL, which LEAST and GREATEST pass over, stays NULL.
Expr* within(Expr* value, const char* lower, const char* upper) {
  const Oid type = exprType(reinterpret_cast<Node*>(value));
  auto* const known = makeNode(NullTest);
  known->arg = static_cast<Expr*>(copyObjectImpl(value));
  known->nulltesttype = IS_NOT_NULL;
  known->location = -1;
  auto* const when = makeNode(CaseWhen);
  when->expr = reinterpret_cast<Expr*>(known);
  when->result = extreme(IS_GREATEST, extreme(IS_LEAST, value, type, upper), type, lower);
  when->location = -1;
  auto* const choice = makeNode(CaseExpr);
  choice->casetype = type;
  choice->args = list_make1(when);
  choice->defresult = reinterpret_cast<Expr*>(makeNullConst(type, -1, InvalidOid));
  choice->location = -1;
  return reinterpret_cast<Expr*>(choice);
}

Node* mutate(Node* node, void* context) {
  if (node == nullptr) return nullptr;
  if (!IsA(node, Aggref)) return pg::mutate(node, mutate, context);
  auto* const aggregate = static_cast<Aggref*>(copyObjectImpl(node));
  const Oid function = aggregate->aggfnoid;
  if (!is_total_aggregate(function)) refuse(aggregate);
  if (aggregate->args == NIL) return reinterpret_cast<Node*>(aggregate);
  Expr*& value = linitial_node(TargetEntry, aggregate->args)->expr;
  const Oid type = getBaseType(exprType(reinterpret_cast<Node*>(value)));
  if (is_one_of(function, kExtrema) && judge_order(type).obstacle != nullptr) refuse(aggregate);
  if (!is_one_of(function, kSums)) return reinterpret_cast<Node*>(aggregate);
  if (type == NUMERICOID) value = within(value, "-1e100", "1e100");
  if (type == FLOAT8OID) value = within(value, "-1e140", "1e140");
  if (type == FLOAT4OID) value = within(value, "-1e20", "1e20");
  return reinterpret_cast<Node*>(aggregate);
}

}  // namespace

bool is_total_aggregate(Oid function) {
  return is_one_of(function, kPlain) || is_one_of(function, kSums) || is_one_of(function, kExtrema);
}

Node* total_aggregates(Node* expression) { return mutate(expression, nullptr); }

}  // namespace dp::guard
