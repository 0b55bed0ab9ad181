#include "guard/forms/total_forms.h"

#include <algorithm>
#include <iterator>

#include "guard/admission/plain_types.h"
#include "guard/admission/regular_expression.h"
#include "guard/admission/total_functions.h"
#include "guard/admission/values.h"
#include "guard/forms/extension_forms.h"
#include "guard/forms/written_out.h"
#include "guard/functions/function_facts.h"
#include "pg/nodes.h"
#include "pg/walk.h"
#include "total_functions/registry.h"
#include "total_functions/regular_expressions.h"

namespace dp::guard {

char* written_name(Node* call) {
  if (IsA(call, OpExpr)) return get_opname(castNode(OpExpr, call)->opno);
  const auto* const function = IsA(call, FuncExpr) ? castNode(FuncExpr, call) : nullptr;
  if (function == nullptr || function->funcformat == COERCE_EXPLICIT_CAST ||
      function->funcformat == COERCE_IMPLICIT_CAST) {
    return psprintf("::%s", format_type_be(exprType(call)));
  }
  return get_func_name(function->funcid);
}

namespace {

// What has become of an expression.
struct Changes {
  List* tried = NIL;
  List* failing = NIL;

  void note(Node* replaced) { failing = list_append_unique(failing, makeString(written_name(replaced))); }
};

// The total form of a function; nullptr where there is none that stands in there.
const TotalForm* form_of(Oid function, bool wherever_rows_are_read) {
  const FunctionFacts* const facts = facts_of(function);
  const bool stands_in =
      facts != nullptr && facts->form.name != nullptr && facts->form.wherever_rows_are_read == wherever_rows_are_read;
  return stands_in ? &facts->form : nullptr;
}

// What reads a value of a type out of a text.
struct ReadFromText {
  Oid type;
  const char* total;
};
constexpr ReadFromText kReadFromText[] = {{INT2OID, "try_int2"},
                                          {INT4OID, "try_int4"},
                                          {INT8OID, "dp_try_int"},
                                          {FLOAT8OID, "dp_try_float"},
                                          {NUMERICOID, "dp_try_numeric"},
                                          {DATEOID, "dp_try_date"},
                                          {TIMESTAMPOID, "dp_try_timestamp"},
                                          {TIMESTAMPTZOID, "try_timestamptz"},
                                          {TIMEOID, "try_time"},
                                          {INTERVALOID, "try_interval"},
                                          {BOOLOID, "try_bool"},
                                          {UUIDOID, "try_uuid"}};

// The extension's function of that name for those types.
Oid find_total(const char* name, Oid like) {
  Oid* types;
  int count;
  get_func_signature(like, &types, &count);
  return total::find(name, {types, static_cast<std::size_t>(count)});
}

// Zero of a type of numbers, 2000-01-01 of one of moments.
Const* zero(Oid type) {
  int16 length;
  bool by_value;
  get_typlenbyval(type, &length, &by_value);
  const Datum value = type == NUMERICOID ? NumericGetDatum(int64_to_numeric(0)) : Int64GetDatum(0);
  return makeConst(type, -1, InvalidOid, length, value, false, by_value);
}

// The call with a constant in the place of the row's value, beside the argument of that number.
FuncExpr* on_a_constant(const FuncExpr* call, int fixed) {
  auto* const copy = static_cast<FuncExpr*>(copyObjectImpl(call));
  ListCell* const value = list_nth_cell(copy->args, 1 - fixed);
  lfirst(value) = zero(exprType(static_cast<Node*>(lfirst(value))));
  return copy;
}

// x ->> 'key' as dp_internal.jsonb_text(x -> 'key').
Node* with_json_as_text(Node* node) {
  const auto [function, arguments] = called_by(node);
  const FunctionFacts* const facts = facts_of(function);
  if (facts == nullptr || !OidIsValid(facts->as_json) || !reads_row(node)) return node;
  const Oid types[] = {JSONBOID};
  const Oid text = total::find("jsonb_text", types);
  if (!OidIsValid(text)) return node;
  FuncExpr* const part =
      makeFuncExpr(facts->as_json, JSONBOID, arguments, InvalidOid, exprInputCollation(node), COERCE_EXPLICIT_CALL);
  part->funcvariadic = IsA(node, FuncExpr) && castNode(FuncExpr, node)->funcvariadic;
  part->location = exprLocation(node);
  FuncExpr* const shown = makeFuncExpr(text, TEXTOID, list_make1(part), exprCollation(node), exprInputCollation(node),
                                       COERCE_EXPLICIT_CALL);
  shown->location = exprLocation(node);
  return reinterpret_cast<Node*>(shown);
}

// The call of a function or operator in its total form, which has the same arguments and the same type.
Node* as_total(Node* node, const char* name, Oid function, List* arguments) {
  const Oid total = find_total(name, function);
  if (!OidIsValid(total)) return node;
  FuncExpr* const call = makeFuncExpr(total, exprType(node), arguments, exprCollation(node), exprInputCollation(node),
                                      COERCE_EXPLICIT_CALL);
  call->funcvariadic = IsA(node, FuncExpr) && castNode(FuncExpr, node)->funcvariadic;
  call->location = exprLocation(node);
  // Of a cast with a length or a scale this is known from its form alone, and a prepared statement has told it.
  if (exprTypmod(node) < 0) return reinterpret_cast<Node*>(call);
  return reinterpret_cast<Node*>(makeRelabelType(reinterpret_cast<Expr*>(call), exprType(node), exprTypmod(node),
                                                 exprCollation(node), COERCE_IMPLICIT_CAST));
}

Node* as_wide(Node* argument, Oid type) {
  return coerce_to_target_type(nullptr, argument, exprType(argument), type, -1, COERCION_IMPLICIT, COERCE_IMPLICIT_CAST,
                               -1);
}

// date_part of a date is an SQL function around that of a timestamp.
Node* part_of_timestamp(Node* node) {
  const auto* const call = IsA(node, FuncExpr) ? castNode(FuncExpr, node) : nullptr;
  const FunctionFacts* const facts = call == nullptr ? nullptr : facts_of(call->funcid);
  if (facts == nullptr || facts->meaning != Meaning::extract || !OidIsValid(facts->longer.function)) return node;
  Node* const midnight = as_wide(static_cast<Node*>(lsecond(call->args)), TIMESTAMPOID);
  FuncExpr* const part = makeFuncExpr(facts->longer.function, FLOAT8OID, list_make2(linitial(call->args), midnight),
                                      InvalidOid, call->inputcollid, COERCE_EXPLICIT_CALL);
  part->location = call->location;
  return reinterpret_cast<Node*>(part);
}

Node* as_text(Node* value) {
  Node* const text =
      coerce_to_target_type(nullptr, value, exprType(value), TEXTOID, -1, COERCION_EXPLICIT, COERCE_EXPLICIT_CAST, -1);
  if (!OidIsValid(exprCollation(text))) exprSetCollation(text, get_typcollation(TEXTOID));
  return text;
}

Node* ten() {
  return reinterpret_cast<Node*>(
      makeConst(NUMERICOID, -1, InvalidOid, -1, NumericGetDatum(int64_to_numeric(10)), false, false));
}

Node* integer_zero() { return reinterpret_cast<Node*>(zero(INT4OID)); }

Node* blank() { return reinterpret_cast<Node*>(pg::text_constant(" ")); }

Node* today(Oid type) {
  auto* const date = makeNode(SQLValueFunction);
  date->op = SVFOP_CURRENT_DATE;
  date->type = DATEOID;
  date->typmod = -1;
  date->location = -1;
  return as_wide(reinterpret_cast<Node*>(date), type);
}

// The arguments of the longer call; NIL where it is none.
List* with_lacking(Lacking lacking, List* arguments) {
  auto* const first = static_cast<Node*>(linitial(arguments));
  switch (lacking) {
    case Lacking::nothing:
      return NIL;
    case Lacking::zero_before:
      return lcons(zero(exprType(first)), list_copy(arguments));
    case Lacking::zero_behind:
      return list_make2(first, integer_zero());
    case Lacking::ten_before:
      return list_make2(ten(), first);
    case Lacking::blank_behind:
      return lappend(list_copy(arguments), blank());
    case Lacking::today_before:
      return list_make2(today(exprType(first)), first);
    case Lacking::cast_to_text: {
      auto* const second = static_cast<Node*>(lsecond(arguments));
      if (!is_plain(exprType(first)) || !is_plain(exprType(second))) return NIL;
      return list_make2(as_text(first), as_text(second));
    }
  }
  return NIL;
}

// A call that is written shorter, or is an SQL function around another one, as that other one.
CalledFunction spelled_out(const CalledFunction& call) {
  const FunctionFacts* const facts = call.arguments == NIL ? nullptr : facts_of(call.function);
  if (facts == nullptr) return call;
  if (OidIsValid(facts->as_wider)) {
    const Oid type = get_func_rettype(facts->as_wider);
    return {facts->as_wider, list_make2(as_wide(static_cast<Node*>(linitial(call.arguments)), type),
                                        as_wide(static_cast<Node*>(lsecond(call.arguments)), type))};
  }
  List* const arguments = with_lacking(facts->longer.lacking, call.arguments);
  return arguments == NIL ? call : CalledFunction{facts->longer.function, arguments};
}

// Flags that leave parentheses what they are; what is known when an execution starts is looked at then.
bool has_plain_flags(Node* flags) {
  if (!IsA(flags, Const) || castNode(Const, flags)->constisnull) return true;
  const char* const letters = TextDatumGetCString(castNode(Const, flags)->constvalue);
  return total::are_plain_flags(letters);
}

// Whether the form does for these arguments what the function does: texts are made of plain values one by one, and a
// pattern is a constant that is plain, or is looked at when an execution starts.
bool fits(Node* node, Oid function, List* arguments) {
  const FunctionFacts& facts = *facts_of(function);
  if (facts.prints) {
    ListCell* cell;
    foreach (cell, arguments) {
      const Oid type = exprType(static_cast<Node*>(lfirst(cell)));
      if (!is_plain(type) && type != UUIDOID && type != UNKNOWNOID) return false;
    }
    return !castNode(FuncExpr, node)->funcvariadic;
  }
  if (!facts.form.of_pattern) return true;
  if (list_length(arguments) == 4 && !has_plain_flags(static_cast<Node*>(lfourth(arguments)))) return false;
  auto* const pattern = static_cast<Node*>(lsecond(arguments));
  if (!IsA(pattern, Const)) return !reads_row(pattern);
  return judge_regular_expression(pattern, false, {exprInputCollation(node), false}).obstacle == nullptr;
}

// A pattern that is not known yet, as a call that raises an error unless it is plain.
void try_pattern(Oid function, List* arguments, Oid collation, List** tried) {
  if (!facts_of(function)->form.of_pattern) return;
  auto* const pattern = static_cast<Node*>(lsecond(arguments));
  if (IsA(pattern, Const)) return;
  *tried = lappend(*tried, makeFuncExpr(pattern_check(), BOOLOID, list_make1(copyObjectImpl(pattern)), InvalidOid,
                                        collation, COERCE_EXPLICIT_CALL));
}

// Also as it runs, when nothing but the type is known of what reads no row; or when its value is known, and looked at.
bool is_total(const CalledFunction& call, Oid collation) {
  if (judge_call(call.function, call.arguments, collation).obstacle != nullptr) return false;
  List* const as_run = with_unknown_values(call.arguments);
  return as_run == call.arguments || judge_call(call.function, as_run, collation).obstacle == nullptr ||
         judge_call_with(nullptr, call.function, as_run, collation).obstacle == nullptr;
}

// What can raise an error about a row, in a form that cannot.
Node* without_failing(Node* node, Changes* changes) {
  if (!IsA(node, OpExpr) && !IsA(node, FuncExpr)) return node;
  const CalledFunction call = called_by(node);
  if (!reads_row(node) || is_total(call, exprInputCollation(node))) return node;
  const auto [function, arguments] = spelled_out(call);
  const TotalForm* const form = form_of(function, false);
  if (form == nullptr || !fits(node, function, arguments)) return node;
  try_pattern(function, arguments, exprInputCollation(node), &changes->tried);
  Node* const total = as_total(node, form->name, function, arguments);
  if (total != node) changes->note(node);
  return total;
}

// A text that is read as a value of another type.
Node* read_from_text(Node* node, Changes* changes) {
  if (!IsA(node, CoerceViaIO) || !reads_row(node)) return node;
  const auto* const cast = castNode(CoerceViaIO, node);
  const Oid from = exprType(reinterpret_cast<Node*>(cast->arg));
  const auto* const reader = std::ranges::find(kReadFromText, cast->resulttype, &ReadFromText::type);
  if ((from != TEXTOID && from != VARCHAROID) || reader == std::end(kReadFromText)) return node;
  const Oid types[] = {TEXTOID};
  const Oid total = total::find(reader->total, types);
  if (!OidIsValid(total)) return node;
  FuncExpr* const call = makeFuncExpr(total, cast->resulttype, list_make1(cast->arg), cast->resultcollid,
                                      exprCollation(reinterpret_cast<Node*>(cast->arg)), COERCE_EXPLICIT_CALL);
  call->location = cast->location;
  changes->note(node);
  return reinterpret_cast<Node*>(call);
}

Node* put_total_forms(Node* node, void* context) {
  if (node == nullptr) return nullptr;
  node = part_of_timestamp(without_extensions(written_out(node)));
  auto* const changes = static_cast<Changes*>(context);
  Node* const copy = pg::mutate(node, put_total_forms, context);
  if (!IsA(copy, FuncExpr)) return without_failing(with_json_as_text(read_from_text(copy, changes)), changes);
  auto* const call = castNode(FuncExpr, copy);
  const TotalForm* const form = form_of(call->funcid, true);
  if (form == nullptr || !reads_row(copy)) return without_failing(with_json_as_text(copy), changes);
  if (form->fixed >= 0 && reads_row(static_cast<Node*>(list_nth(call->args, form->fixed)))) return copy;
  const Oid total = find_total(form->name, call->funcid);
  if (!OidIsValid(total)) return copy;
  if (form->fixed >= 0) {
    FuncExpr* const trial = on_a_constant(call, form->fixed);
    if (!reads_row(reinterpret_cast<Node*>(trial))) {
      changes->tried = lappend(changes->tried, trial);
    }
  }
  call->funcid = total;
  if (call->funcformat == COERCE_SQL_SYNTAX) call->funcformat = COERCE_EXPLICIT_CALL;
  return copy;
}

// Whether there is more than an aggregate's call with literals: dp_count('*', 0.5) reads no column.
bool has_parts(Node* node, void*) {
  if (node == nullptr || IsA(node, Const)) return false;
  const bool number = IsA(node, FuncExpr) && exprType(node) == FLOAT8OID &&
                      meaning_of(castNode(FuncExpr, node)->funcid) == Meaning::cast;
  if (!number && !IsA(node, Aggref) && !IsA(node, List) && !IsA(node, TargetEntry)) return true;
  return pg::walk(node, has_parts, nullptr);
}

// A comparison that gives a value for whatever it compares, and is PostgreSQL's own.
bool cannot_fail(OpExpr* comparison) {
  if (comparison->opno >= FirstGenbkiObjectId || comparison->opresulttype != BOOLOID) return false;
  set_opfuncid(comparison);
  const FunctionFacts* const facts = facts_of(comparison->opfuncid);
  return facts != nullptr && facts->total == Total::always && facts->form.name == nullptr && !facts->prints &&
         !OidIsValid(facts->as_json);
}

// False of what is its own total form: columns and constants, and what is made of these by comparisons, AND and OR.
bool may_have_another_form(Node* node, void*) {
  if (node == nullptr || IsA(node, Var) || IsA(node, Const)) return false;
  const bool stays =
      IsA(node, List) || IsA(node, BoolExpr) || (IsA(node, OpExpr) && cannot_fail(castNode(OpExpr, node)));
  return !stays || pg::walk(node, may_have_another_form, nullptr);
}

}  // namespace

const char* total_form_of(Node* call) {
  const auto [function, arguments] = spelled_out(called_by(call));
  const TotalForm* const form = form_of(function, false);
  return form == nullptr ? nullptr : form->name;
}

Node* in_total_form(Node* call) {
  const auto [function, arguments] = spelled_out(called_by(call));
  return as_total(call, form_of(function, false)->name, function, arguments);
}

Node* with_total_forms(Node* expression, List** tried, List** failing) {
  if (!has_parts(expression, nullptr)) return expression;
  Changes changes;
  if (!may_have_another_form(expression, nullptr)) {
    Assert(equal(put_total_forms(static_cast<Node*>(copyObjectImpl(expression)), &changes), expression));
    return expression;
  }
  Node* const form = put_total_forms(expression, &changes);
  *tried = list_concat(*tried, changes.tried);
  if (failing != nullptr) *failing = list_concat_unique(*failing, changes.failing);
  return form;
}

}  // namespace dp::guard
