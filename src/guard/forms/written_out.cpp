#include "guard/forms/written_out.h"

#include "guard/admission/values.h"
#include "guard/forms/cut_spans.h"
#include "guard/forms/text_parts.h"
#include "guard/functions/called_functions.h"
#include "guard/functions/calls.h"
#include "guard/functions/function_facts.h"
#include "guard/functions/moment_fields.h"
#include "pg/nodes.h"

namespace dp::guard {
namespace {

// ---- rows -----------------------------------------------------------------------------------------------------------

Expr* compared(Oid op, void* left, void* right, Oid collation) {
  Expr* const comparison =
      make_opclause(op, BOOLOID, false, static_cast<Expr*>(left), static_cast<Expr*>(right), InvalidOid, collation);
  set_opfuncid(castNode(OpExpr, comparison));
  return comparison;
}

// (a, b) < (c, d) as a < c OR (a = c AND b < d), which is NULL for the same values.
Expr* comparison_of_rows(const RowCompareExpr* rows) {
  Expr* rest = nullptr;
  for (int i = list_length(rows->opnos) - 1; i >= 0; --i) {
    const Oid op = list_nth_oid(rows->opnos, i), collation = list_nth_oid(rows->inputcollids, i);
    void* const left = list_nth(rows->largs, i);
    void* const right = list_nth(rows->rargs, i);
    if (rest == nullptr) {
      rest = compared(op, left, right, collation);
      continue;
    }
    Oid left_type, right_type;
    op_input_types(op, &left_type, &right_type);
    const Oid family = list_nth_oid(rows->opfamilies, i);
    const Oid strictly = get_opfamily_member(family, left_type, right_type,
                                             pg::is_less(rows) ? BTLessStrategyNumber : BTGreaterStrategyNumber);
    const Oid equal = get_opfamily_member(family, left_type, right_type, BTEqualStrategyNumber);
    if (!OidIsValid(strictly) || !OidIsValid(equal)) return nullptr;
    Expr* const alike = compared(equal, copyObjectImpl(left), copyObjectImpl(right), collation);
    rest =
        make_orclause(list_make2(compared(strictly, left, right, collation), make_andclause(list_make2(alike, rest))));
  }
  return rest;
}

// (a, b) IS NOT NULL, or IS NULL: each of them.
Expr* test_of_row(const NullTest* test) {
  List* tests = NIL;
  ListCell* cell;
  foreach (cell, castNode(RowExpr, test->arg)->args) {
    auto* const one = static_cast<NullTest*>(copyObjectImpl(test));
    one->arg = static_cast<Expr*>(lfirst(cell));
    one->argisrow = false;
    tests = lappend(tests, one);
  }
  return make_andclause(tests);
}

// ---- functions in SQL -----------------------------------------------------------------------------------------------

void* moved(void* moment, void* by) { return computed("+", copyObjectImpl(moment), by); }

// (a, b) OVERLAPS (c, i) with an interval in place of the second end of one, or of both.
Node* overlap(const FuncExpr* written, const WrittenOut& out) {
  auto* const call = static_cast<FuncExpr*>(copyObjectImpl(written));
  List* const arguments = call->args;
  void* const first = linitial(arguments);
  void* const third = lthird(arguments);
  call->args =
      list_make4(first, out.how == Written::second_by_length ? lsecond(arguments) : moved(first, lsecond(arguments)),
                 third, out.how == Written::first_by_length ? lfourth(arguments) : moved(third, lfourth(arguments)));
  call->funcid = out.with;
  call->funcformat = COERCE_EXPLICIT_CALL;
  return reinterpret_cast<Node*>(call);
}

// ---- parts of moments -----------------------------------------------------------------------------------------------

// date + time as the date and an interval, which PostgreSQL takes it for.
Node* moment_of_day(Node* node) {
  const auto [function, parts] = called_by(node);
  const Written how = written_out_as(function).how;
  const bool turned = how == Written::time_and_day;
  if (!turned && how != Written::day_and_time) return node;
  auto* const day = static_cast<Node*>(turned ? lsecond(parts) : linitial(parts));
  auto* const time = static_cast<Node*>(turned ? linitial(parts) : lsecond(parts));
  FuncExpr* const span = cast_to(INTERVALOID, time, COERCE_EXPLICIT_CAST);
  FuncExpr* const sum = computed("+", day, span);
  sum->location = span->location = exprLocation(node);
  return reinterpret_cast<Node*>(sum);
}

bool reads_field(Oid function) {
  const Meaning meaning = meaning_of(function);
  return meaning == Meaning::extract || meaning == Meaning::date_trunc;
}

// extract(months FROM x) with the field's first name.
Node* with_field_named(FuncExpr* call) {
  auto* const node = reinterpret_cast<Node*>(call);
  if (!reads_field(call->funcid)) return node;
  const MomentField* const field = field_of(static_cast<Node*>(linitial(call->args)));
  if (field == nullptr ||
      pg_strcasecmp(TextDatumGetCString(linitial_node(Const, call->args)->constvalue), field->name) == 0)
    return node;
  auto* const named = static_cast<FuncExpr*>(copyObjectImpl(call));
  linitial_node(Const, named->args)->constvalue = CStringGetTextDatum(field->name);
  return reinterpret_cast<Node*>(named);
}

// ---- format ---------------------------------------------------------------------------------------------------------

void* literal(const char* bytes, int length) {
  return makeConst(TEXTOID, -1, get_typcollation(TEXTOID), -1, PointerGetDatum(cstring_to_text_with_len(bytes, length)),
                   false, false);
}

Node* number(int value) { return reinterpret_cast<Node*>(pg::int4_constant(value)); }

// A specifier of format(): which argument (from 1) it shows, and in how many characters at least, with blanks before it
// or, where that is negative, behind it.
struct Specifier {
  int argument;
  int width;
  const char* behind;  // nullptr: it is none that is known
};

// `at`: behind the sign; `next`: the argument that comes next.
Specifier specifier_at(const char* at, int next) {
  constexpr int kWidest = 1000;
  char* end;
  long first = strtol(at, &end, 10);
  if (end > at && *end == '$') {
    if (first < 1 || first > FUNC_MAX_ARGS) return {0, 0, nullptr};
    next = static_cast<int>(first);
    at = end + 1;
    first = strtol(at, &end, 10);
  }
  const bool written = end > at && (isdigit(static_cast<unsigned char>(*at)) != 0 || *at == '-');
  if (end > at && !written) return {0, 0, nullptr};
  if (*end != 's' || first > kWidest || first < -kWidest) return {0, 0, nullptr};
  return {next, written ? static_cast<int>(first) : 0, end + 1};
}

// The value as concat() shows it, NULL as an empty text, in at least so many characters.
Node* padded(void* value, int width, Oid concat, Oid collation) {
  const auto shown = [&] { return called(concat, list_make1(copyObjectImpl(value)), collation); };
  auto* const longest = makeNode(MinMaxExpr);
  longest->minmaxtype = INT4OID;
  longest->op = IS_GREATEST;
  longest->args = list_make2(called(kLengthOfText, list_make1(shown()), collation), number(abs(width)));
  longest->location = -1;
  return reinterpret_cast<Node*>(
      called(width < 0 ? kPadRight : kPadLeft, list_make3(shown(), longest, literal(" ", 1)), collation));
}

// format('%s-%5s', x, y) as concat(x, '-', lpad(y, ...)): with no other specifiers, and no more of them than there are
// values.
Node* concatenation(FuncExpr* call, Oid concat) {
  auto* const pattern = static_cast<Node*>(linitial(call->args));
  auto* const node = reinterpret_cast<Node*>(call);
  if (!IsA(pattern, Const) || castNode(Const, pattern)->constisnull || call->funcvariadic) return node;
  const char* at = TextDatumGetCString(castNode(Const, pattern)->constvalue);
  List* parts = NIL;
  int last = 0;
  while (*at != '\0') {
    const char* const next = strchr(at, '%');
    const int length = next == nullptr ? static_cast<int>(strlen(at)) : static_cast<int>(next - at);
    if (length > 0) parts = lappend(parts, literal(at, length));
    if (next == nullptr) break;
    if (next[1] == '%') {
      parts = lappend(parts, literal("%", 1));
      at = next + 2;
      continue;
    }
    const Specifier specifier = specifier_at(next + 1, last + 1);
    if (specifier.behind == nullptr || specifier.argument >= list_length(call->args)) return node;
    last = specifier.argument;
    void* const value = list_nth(call->args, last);
    parts = lappend(parts, specifier.width == 0 ? value : padded(value, specifier.width, concat, call->inputcollid));
    at = specifier.behind;
  }
  FuncExpr* const whole = called(concat, parts, call->inputcollid);
  whole->location = call->location;
  return reinterpret_cast<Node*>(whole);
}

// ---- arguments by name ----------------------------------------------------------------------------------------------

bool is_named(const FuncExpr* call) {
  ListCell* cell;
  foreach (cell, call->args) {
    if (IsA(lfirst(cell), NamedArgExpr)) return true;
  }
  return false;
}

// make_interval(days => x) with all its arguments, in their order: of PostgreSQL's own functions, whose defaults are
// constants.
FuncExpr* with_all_arguments(FuncExpr* call) {
  if (call->funcid >= FirstGenbkiObjectId) return call;
  HeapTuple const row = SearchSysCache1(PROCOID, ObjectIdGetDatum(call->funcid));
  if (!HeapTupleIsValid(row)) return call;
  if (is_named(call) || list_length(call->args) < reinterpret_cast<Form_pg_proc>(GETSTRUCT(row))->pronargs) {
    call = static_cast<FuncExpr*>(copyObjectImpl(call));
    call->args = expand_function_arguments(call->args, false, call->funcresulttype, row);
  }
  ReleaseSysCache(row);
  return call;
}

}  // namespace

Node* written_out(Node* node) {
  if (IsA(node, RowCompareExpr) && reads_row(node)) {
    Expr* const comparison = comparison_of_rows(castNode(RowCompareExpr, node));
    return comparison == nullptr ? node : reinterpret_cast<Node*>(comparison);
  }
  if (IsA(node, NullTest) && castNode(NullTest, node)->argisrow && IsA(castNode(NullTest, node)->arg, RowExpr))
    return reinterpret_cast<Node*>(test_of_row(castNode(NullTest, node)));
  if (IsA(node, FuncExpr)) node = reinterpret_cast<Node*>(with_all_arguments(castNode(FuncExpr, node)));
  if (IsA(node, OpExpr) || IsA(node, FuncExpr)) node = moment_of_day(node);
  if (IsA(node, FuncExpr)) node = with_field_named(castNode(FuncExpr, node));
  const bool is_part = IsA(node, SubscriptingRef);
  if ((!is_part && !IsA(node, FuncExpr)) || !reads_row(node)) return node;
  if (is_part) return part_by_pattern(castNode(SubscriptingRef, node));
  auto* const call = castNode(FuncExpr, node);
  const WrittenOut out = written_out_as(call->funcid);
  switch (out.how) {
    case Written::spans_by_length:
    case Written::first_by_length:
    case Written::second_by_length:
      return overlap(call, out);
    case Written::concatenated:
      return concatenation(call, out.with);
    case Written::matched:
      return match(call, out.with);
    case Written::matched_text:
      return matched_text(call, out.with);
    default: {
      Node* const units = so_many_units(call);
      return units == nullptr ? node : units;
    }
  }
}

}  // namespace dp::guard
