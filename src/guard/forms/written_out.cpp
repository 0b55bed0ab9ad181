#include "guard/forms/written_out.h"

#include <algorithm>
#include <iterator>

#include "guard/admission/values.h"
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

// (a, b) OVERLAPS (c, i) with an interval in place of the second end of one, or of both.
struct Overlap {
  Oid function;
  bool first, second;
  Oid of_moments;
};
constexpr Overlap kOverlaps[] = {
    {F_OVERLAPS_TIMESTAMP_INTERVAL_TIMESTAMP_INTERVAL, true, true, F_OVERLAPS_TIMESTAMP_TIMESTAMP_TIMESTAMP_TIMESTAMP},
    {F_OVERLAPS_TIMESTAMP_TIMESTAMP_TIMESTAMP_INTERVAL, false, true,
     F_OVERLAPS_TIMESTAMP_TIMESTAMP_TIMESTAMP_TIMESTAMP},
    {F_OVERLAPS_TIMESTAMP_INTERVAL_TIMESTAMP_TIMESTAMP, true, false,
     F_OVERLAPS_TIMESTAMP_TIMESTAMP_TIMESTAMP_TIMESTAMP},
    {F_OVERLAPS_TIMESTAMPTZ_INTERVAL_TIMESTAMPTZ_INTERVAL, true, true,
     F_OVERLAPS_TIMESTAMPTZ_TIMESTAMPTZ_TIMESTAMPTZ_TIMESTAMPTZ},
    {F_OVERLAPS_TIMESTAMPTZ_TIMESTAMPTZ_TIMESTAMPTZ_INTERVAL, false, true,
     F_OVERLAPS_TIMESTAMPTZ_TIMESTAMPTZ_TIMESTAMPTZ_TIMESTAMPTZ},
    {F_OVERLAPS_TIMESTAMPTZ_INTERVAL_TIMESTAMPTZ_TIMESTAMPTZ, true, false,
     F_OVERLAPS_TIMESTAMPTZ_TIMESTAMPTZ_TIMESTAMPTZ_TIMESTAMPTZ},
    {F_OVERLAPS_TIME_INTERVAL_TIME_INTERVAL, true, true, F_OVERLAPS_TIME_TIME_TIME_TIME},
    {F_OVERLAPS_TIME_TIME_TIME_INTERVAL, false, true, F_OVERLAPS_TIME_TIME_TIME_TIME},
    {F_OVERLAPS_TIME_INTERVAL_TIME_TIME, true, false, F_OVERLAPS_TIME_TIME_TIME_TIME}};

void* moved(void* moment, void* by) {
  const Oid type = exprType(static_cast<Node*>(moment));
  const Oid function = type == TIMESTAMPOID     ? F_TIMESTAMP_PL_INTERVAL
                       : type == TIMESTAMPTZOID ? F_TIMESTAMPTZ_PL_INTERVAL
                                                : F_TIME_PL_INTERVAL;
  return makeFuncExpr(function, type, list_make2(copyObjectImpl(moment), by), InvalidOid, InvalidOid,
                      COERCE_EXPLICIT_CALL);
}

Node* overlap(FuncExpr* call, const Overlap& kind) {
  List* const arguments = call->args;
  void* const first = linitial(arguments);
  void* const third = lthird(arguments);
  call->args = list_make4(first, kind.first ? moved(first, lsecond(arguments)) : lsecond(arguments), third,
                          kind.second ? moved(third, lfourth(arguments)) : lfourth(arguments));
  call->funcid = kind.of_moments;
  call->funcformat = COERCE_EXPLICIT_CALL;
  return reinterpret_cast<Node*>(call);
}

// ---- format ---------------------------------------------------------------------------------------------------------

void* literal(const char* bytes, int length) {
  return makeConst(TEXTOID, -1, get_typcollation(TEXTOID), -1, PointerGetDatum(cstring_to_text_with_len(bytes, length)),
                   false, false);
}

// format('%s-%s', x, y) as concat(x, '-', y): with no other specifiers, and as many of them as there are values.
Node* concatenation(FuncExpr* call) {
  auto* const pattern = static_cast<Node*>(linitial(call->args));
  auto* const node = reinterpret_cast<Node*>(call);
  if (!IsA(pattern, Const) || castNode(Const, pattern)->constisnull || call->funcvariadic) return node;
  const char* at = TextDatumGetCString(castNode(Const, pattern)->constvalue);
  List* parts = NIL;
  int value = 1;
  while (*at != '\0') {
    const char* const next = strchr(at, '%');
    const int length = next == nullptr ? static_cast<int>(strlen(at)) : static_cast<int>(next - at);
    if (length > 0) parts = lappend(parts, literal(at, length));
    if (next == nullptr) break;
    if (next[1] == '%') {
      parts = lappend(parts, literal("%", 1));
    } else if (next[1] == 's' && value < list_length(call->args)) {
      parts = lappend(parts, list_nth(call->args, value++));
    } else {
      return node;
    }
    at = next + 2;
  }
  if (value != list_length(call->args)) return node;
  FuncExpr* const whole =
      makeFuncExpr(F_CONCAT, TEXTOID, parts, call->funccollid, call->inputcollid, COERCE_EXPLICIT_CALL);
  whole->location = call->location;
  return reinterpret_cast<Node*>(whole);
}

}  // namespace

Node* written_out(Node* node) {
  if (IsA(node, RowCompareExpr) && reads_row(node)) {
    Expr* const comparison = comparison_of_rows(castNode(RowCompareExpr, node));
    return comparison == nullptr ? node : reinterpret_cast<Node*>(comparison);
  }
  if (IsA(node, NullTest) && castNode(NullTest, node)->argisrow && IsA(castNode(NullTest, node)->arg, RowExpr))
    return reinterpret_cast<Node*>(test_of_row(castNode(NullTest, node)));
  if (!IsA(node, FuncExpr) || !reads_row(node)) return node;
  auto* const call = castNode(FuncExpr, node);
  if (call->funcid == F_FORMAT_TEXT_ANY) return concatenation(call);
  const auto* const kind = std::ranges::find(kOverlaps, call->funcid, &Overlap::function);
  return kind == std::end(kOverlaps) ? node : overlap(static_cast<FuncExpr*>(copyObjectImpl(call)), *kind);
}

}  // namespace dp::guard
