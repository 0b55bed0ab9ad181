#include "guard/rewrite/total_forms.h"

#include "guard/admission/total_functions.h"
#include "guard/admission/values.h"
#include "pg/walk.h"
#include "total_functions/registry.h"

namespace dp::guard {
namespace {

// A function of PostgreSQL and its total form, which takes the same arguments.
struct Clamp {
  Oid function;
  const char* total;
  int fixed;  // which argument must not read a row, and is tried before any is read: a field such as 'month'; -1: none
};
constexpr Clamp kClamps[] = {{F_DATE_TRUNC_TEXT_TIMESTAMP, "dp_trunc", 0},
                             {F_DATE_TRUNC_TEXT_TIMESTAMPTZ, "dp_trunc", 0},
                             {F_DATE_TRUNC_TEXT_TIMESTAMPTZ_TEXT, "dp_trunc", 0},
                             {F_TIMEZONE_TEXT_TIMESTAMPTZ, "at_zone", 0},
                             {F_TIMEZONE_TEXT_TIMESTAMP, "at_zone", 0},
                             {F_TO_CHAR_TIMESTAMP_TEXT, "to_char", 1},
                             {F_TO_CHAR_TIMESTAMPTZ_TEXT, "to_char", 1},
                             {F_DATE_BIN_INTERVAL_TIMESTAMP_TIMESTAMP, "date_bin", 0},
                             {F_DATE_BIN_INTERVAL_TIMESTAMPTZ_TIMESTAMPTZ, "date_bin", 0},
                             {F_TIMESTAMPTZ_DATE, "dp_try_timestamptz", -1},
                             {F_TIMESTAMP_DATE, "dp_try_timestamp", -1},
                             {F_TIMESTAMP_TIMESTAMPTZ, "dp_try_timestamp", -1}};

// The same, where a call with these arguments may raise an error at all.
constexpr Clamp kFailing[] = {{F_INT2PL, "dp_add", -1},
                              {F_INT4PL, "dp_add", -1},
                              {F_INT8PL, "dp_add", -1},
                              {F_FLOAT8PL, "dp_add", -1},
                              {F_NUMERIC_ADD, "dp_add", -1},
                              {F_DATE_PLI, "dp_add", -1},
                              {F_DATE_PL_INTERVAL, "dp_add", -1},
                              {F_TIMESTAMP_PL_INTERVAL, "dp_add", -1},
                              {F_TIMESTAMPTZ_PL_INTERVAL, "dp_add", -1},
                              {F_INT2MI, "dp_sub", -1},
                              {F_INT4MI, "dp_sub", -1},
                              {F_INT8MI, "dp_sub", -1},
                              {F_FLOAT8MI, "dp_sub", -1},
                              {F_NUMERIC_SUB, "dp_sub", -1},
                              {F_DATE_MII, "dp_sub", -1},
                              {F_DATE_MI, "dp_sub", -1},
                              {F_DATE_MI_INTERVAL, "dp_sub", -1},
                              {F_TIMESTAMP_MI_INTERVAL, "dp_sub", -1},
                              {F_TIMESTAMPTZ_MI_INTERVAL, "dp_sub", -1},
                              {F_TIMESTAMP_MI, "dp_sub", -1},
                              {F_TIMESTAMPTZ_MI, "dp_sub", -1},
                              {F_INT2MUL, "dp_mul", -1},
                              {F_INT4MUL, "dp_mul", -1},
                              {F_INT8MUL, "dp_mul", -1},
                              {F_FLOAT8MUL, "dp_mul", -1},
                              {F_NUMERIC_MUL, "dp_mul", -1},
                              {F_INT2DIV, "dp_div", -1},
                              {F_INT4DIV, "dp_div", -1},
                              {F_INT8DIV, "dp_div", -1},
                              {F_FLOAT8DIV, "dp_div", -1},
                              {F_NUMERIC_DIV, "dp_div", -1},
                              {F_INT2MOD, "dp_mod", -1},
                              {F_INT4MOD, "dp_mod", -1},
                              {F_INT8MOD, "dp_mod", -1},
                              {F_NUMERIC_MOD, "dp_mod", -1},
                              {F_TEXTCAT, "dp_concat", -1},
                              {F_FLOAT8_NUMERIC, "dp_try_float", -1},
                              {F_INT8_NUMERIC, "dp_try_int", -1},
                              {F_INT8_FLOAT8, "dp_try_int", -1},
                              {F_INT4_NUMERIC, "try_int4", -1},
                              {F_INT4_FLOAT8, "try_int4", -1},
                              {F_INT4_INT8, "try_int4", -1},
                              {F_ABS_INT2, "abs", -1},
                              {F_ABS_INT4, "abs", -1},
                              {F_ABS_INT8, "abs", -1},
                              {F_INT2ABS, "abs", -1},
                              {F_INT4ABS, "abs", -1},
                              {F_INT8ABS, "abs", -1},
                              {F_FLOOR_NUMERIC, "floor", -1},
                              {F_CEIL_NUMERIC, "ceil", -1},
                              {F_CEILING_NUMERIC, "ceil", -1},
                              {F_ROUND_NUMERIC_INT4, "dp_round", -1},
                              {F_NUMERIC_NUMERIC_INT4, "to_numeric", -1}};

// Operators of two types of integers: those of the wider one do the same.
struct Mixed {
  Oid function;
  Oid wide;
  Oid type;
};
constexpr Mixed kMixed[] = {
    {F_INT24PL, F_INT4PL, INT4OID},   {F_INT42PL, F_INT4PL, INT4OID},   {F_INT28PL, F_INT8PL, INT8OID},
    {F_INT82PL, F_INT8PL, INT8OID},   {F_INT48PL, F_INT8PL, INT8OID},   {F_INT84PL, F_INT8PL, INT8OID},
    {F_INT24MI, F_INT4MI, INT4OID},   {F_INT42MI, F_INT4MI, INT4OID},   {F_INT28MI, F_INT8MI, INT8OID},
    {F_INT82MI, F_INT8MI, INT8OID},   {F_INT48MI, F_INT8MI, INT8OID},   {F_INT84MI, F_INT8MI, INT8OID},
    {F_INT24MUL, F_INT4MUL, INT4OID}, {F_INT42MUL, F_INT4MUL, INT4OID}, {F_INT28MUL, F_INT8MUL, INT8OID},
    {F_INT82MUL, F_INT8MUL, INT8OID}, {F_INT48MUL, F_INT8MUL, INT8OID}, {F_INT84MUL, F_INT8MUL, INT8OID},
    {F_INT24DIV, F_INT4DIV, INT4OID}, {F_INT42DIV, F_INT4DIV, INT4OID}, {F_INT28DIV, F_INT8DIV, INT8OID},
    {F_INT82DIV, F_INT8DIV, INT8OID}, {F_INT48DIV, F_INT8DIV, INT8OID}, {F_INT84DIV, F_INT8DIV, INT8OID}};

// What gives a part of a jsonb as text, and what gives it as jsonb.
struct PartAsText {
  Oid function;
  Oid part;
};
constexpr PartAsText kPartsAsText[] = {{F_JSONB_OBJECT_FIELD_TEXT, F_JSONB_OBJECT_FIELD},
                                       {F_JSONB_ARRAY_ELEMENT_TEXT, F_JSONB_ARRAY_ELEMENT},
                                       {F_JSONB_EXTRACT_PATH_TEXT, F_JSONB_EXTRACT_PATH}};

// The extension's function of that name for those types.
Oid find_total(const char* name, Oid like) {
  Oid* types;
  int count;
  get_func_signature(like, &types, &count);
  return total::find(name, {types, static_cast<std::size_t>(count)});
}

// The call with 2000-01-01 in the place of the row's value, beside the argument of that number.
FuncExpr* on_a_constant(const FuncExpr* call, int fixed) {
  auto* const copy = static_cast<FuncExpr*>(copyObjectImpl(call));
  ListCell* const moment = list_nth_cell(copy->args, 1 - fixed);
  const Oid type = exprType(static_cast<Node*>(lfirst(moment)));
  lfirst(moment) = makeConst(type, -1, InvalidOid, sizeof(Timestamp), Int64GetDatum(0), false, FLOAT8PASSBYVAL);
  return copy;
}

// x ->> 'key' as dp_internal.jsonb_text(x -> 'key').
Node* with_text_clamped(Node* node) {
  const auto [function, arguments] = called_by(node);
  for (const PartAsText& known : kPartsAsText) {
    if (function != known.function || !reads_row(node)) continue;
    const Oid types[] = {JSONBOID};
    const Oid text = total::find("jsonb_text", types);
    if (!OidIsValid(text)) return node;
    FuncExpr* const part =
        makeFuncExpr(known.part, JSONBOID, arguments, InvalidOid, exprInputCollation(node), COERCE_EXPLICIT_CALL);
    part->funcvariadic = IsA(node, FuncExpr) && castNode(FuncExpr, node)->funcvariadic;
    part->location = exprLocation(node);
    FuncExpr* const shown = makeFuncExpr(text, TEXTOID, list_make1(part), exprCollation(node), exprInputCollation(node),
                                         COERCE_EXPLICIT_CALL);
    shown->location = exprLocation(node);
    return reinterpret_cast<Node*>(shown);
  }
  return node;
}

// The call of a function or operator in its total form, which has the same arguments and the same type.
Node* as_total(Node* node, const char* name, Oid function, List* arguments) {
  const Oid total = find_total(name, function);
  if (!OidIsValid(total)) return node;
  FuncExpr* const call = makeFuncExpr(total, exprType(node), arguments, exprCollation(node), exprInputCollation(node),
                                      COERCE_EXPLICIT_CALL);
  call->location = exprLocation(node);
  return reinterpret_cast<Node*>(call);
}

Node* as_wide(Node* argument, Oid type) {
  return coerce_to_target_type(nullptr, argument, exprType(argument), type, -1, COERCION_IMPLICIT, COERCE_IMPLICIT_CAST,
                               -1);
}

// date_part of a date is an SQL function around that of a timestamp.
Node* part_of_timestamp(Node* node) {
  const auto* const call = castNode(FuncExpr, node);
  FuncExpr* const midnight = makeFuncExpr(F_TIMESTAMP_DATE, TIMESTAMPOID, list_make1(lsecond(call->args)), InvalidOid,
                                          InvalidOid, COERCE_IMPLICIT_CAST);
  FuncExpr* const part = makeFuncExpr(F_DATE_PART_TEXT_TIMESTAMP, FLOAT8OID, list_make2(linitial(call->args), midnight),
                                      InvalidOid, call->inputcollid, COERCE_EXPLICIT_CALL);
  part->location = call->location;
  return reinterpret_cast<Node*>(part);
}

// -x as 0 - x, whose total form is dp_sub.
struct Negation {
  Oid function;
  Oid minus;
};
constexpr Negation kNegations[] = {{F_INT2UM, F_INT2MI}, {F_INT4UM, F_INT4MI}, {F_INT8UM, F_INT8MI}};

Node* zero(Oid type) {
  int16 length;
  bool by_value;
  get_typlenbyval(type, &length, &by_value);
  return reinterpret_cast<Node*>(makeConst(type, -1, InvalidOid, length, Int64GetDatum(0), false, by_value));
}

// What can raise an error about a row, in a form that cannot.
Node* without_failing(Node* node) {
  if (!IsA(node, OpExpr) && !IsA(node, FuncExpr)) return node;
  auto [function, arguments] = called_by(node);
  if (!reads_row(node) || judge_call(function, arguments).obstacle == nullptr) return node;
  for (const Mixed& mixed : kMixed) {
    if (function != mixed.function) continue;
    arguments = list_make2(as_wide(static_cast<Node*>(linitial(arguments)), mixed.type),
                           as_wide(static_cast<Node*>(lsecond(arguments)), mixed.type));
    function = mixed.wide;
  }
  for (const Negation& negation : kNegations) {
    if (function != negation.function) continue;
    arguments = lcons(zero(exprType(node)), list_copy(arguments));
    function = negation.minus;
  }
  if (function == F_ROUND_NUMERIC) {
    arguments =
        lappend(list_copy(arguments), makeConst(INT4OID, -1, InvalidOid, sizeof(int32), Int32GetDatum(0), false, true));
    function = F_ROUND_NUMERIC_INT4;
  }
  for (const Clamp& known : kFailing) {
    if (function == known.function) return as_total(node, known.total, function, arguments);
  }
  return node;
}

Node* clamp(Node* node, void* tried) {
  if (node == nullptr) return nullptr;
  if (IsA(node, FuncExpr) && castNode(FuncExpr, node)->funcid == F_DATE_PART_TEXT_DATE) node = part_of_timestamp(node);
  Node* const copy = pg::mutate(node, clamp, tried);
  if (IsA(copy, FuncExpr)) {
    auto* const call = castNode(FuncExpr, copy);
    for (const Clamp& known : kClamps) {
      if (call->funcid != known.function || !reads_row(copy)) continue;
      if (known.fixed >= 0 && reads_row(static_cast<Node*>(list_nth(call->args, known.fixed)))) return copy;
      const Oid total = find_total(known.total, known.function);
      if (!OidIsValid(total)) return copy;
      if (known.fixed >= 0) {
        FuncExpr* const trial = on_a_constant(call, known.fixed);
        if (!reads_row(reinterpret_cast<Node*>(trial))) {
          *static_cast<List**>(tried) = lappend(*static_cast<List**>(tried), trial);
        }
      }
      call->funcid = total;
      if (call->funcformat == COERCE_SQL_SYNTAX) call->funcformat = COERCE_EXPLICIT_CALL;
      return copy;
    }
  }
  return without_failing(with_text_clamped(copy));
}

}  // namespace

Node* clamped(Node* expression, List** tried) { return clamp(expression, tried); }

}  // namespace dp::guard
