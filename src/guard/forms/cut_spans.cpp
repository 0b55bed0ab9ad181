#include "guard/forms/cut_spans.h"

#include "guard/admission/values.h"
#include "guard/functions/called_functions.h"
#include "guard/functions/calls.h"
#include "guard/functions/moment_fields.h"
#include "pg/nodes.h"

namespace dp::guard {
namespace {

bool is_moment_of_time(Node* node) {
  const Oid type = exprType(node);
  return type == TIMESTAMPOID || type == TIMESTAMPTZOID;
}

Expr* number(int64 value) {
  const Datum numeric = DirectFunctionCall1(int8_numeric, Int64GetDatum(value));
  return reinterpret_cast<Expr*>(makeConst(NUMERICOID, -1, InvalidOid, -1, numeric, false, false));
}

Expr* number_from(Oid function, List* arguments) {
  return reinterpret_cast<Expr*>(called(function, arguments, DEFAULT_COLLATION_OID));
}

Expr* part_of(const char* field, const void* span) {
  Const* const name = pg::text_constant(field);
  return number_from(kPartOfInterval, list_make2(name, copyObjectImpl(span)));
}

// As a difference of moments is written: 1 day 02:00:00 for 26 hours.
Node* times(const Interval& unit, Expr* count) {
  auto* const one = static_cast<Interval*>(palloc(sizeof(Interval)));
  *one = unit;
  Const* const span = makeConst(INTERVALOID, -1, InvalidOid, sizeof(Interval), IntervalPGetDatum(one), false, false);
  FuncExpr* const product = computed("*", span, cast_to(FLOAT8OID, count, COERCE_IMPLICIT_CAST));
  return reinterpret_cast<Node*>(called(kJustifyHours, list_make1(product), DEFAULT_COLLATION_OID));
}

Expr* months_in(const void* age) {
  constexpr int kMonths = 12;
  FuncExpr* const years = computed("*", part_of("year", age), number(kMonths));
  FuncExpr* const months = computed("+", years, part_of("month", age));
  return number_from(kTruncNumeric, list_make1(months));
}

}  // namespace

Node* so_many_units(const FuncExpr* call) {
  if (meaning_of(call->funcid) != Meaning::date_trunc || call->funcresulttype != INTERVALOID) return nullptr;
  const MomentField* const unit = field_of(static_cast<Node*>(linitial(call->args)));
  if (unit == nullptr) return nullptr;
  auto* const span = static_cast<Node*>(lsecond(call->args));
  const auto [made_by, parts] = computation_of(span);
  if (made_by == Meaning::age) {
    if (unit->field == Field::month) return times({0, 0, 1}, months_in(span));
    return unit->field == Field::year ? times({0, 0, 12}, part_of("year", span)) : nullptr;
  }
  if (made_by != Meaning::minus || !is_moment_of_time(static_cast<Node*>(linitial(parts))) ||
      !is_moment_of_time(static_cast<Node*>(lsecond(parts))))
    return nullptr;
  const auto in_units_of = [span](int64 microseconds, const Interval& one) {
    List* const seconds = list_make2(part_of("epoch", span), number(microseconds / USECS_PER_SEC));
    return times(one, number_from(kDivTruncated, seconds));
  };
  if (unit->field == Field::day) return in_units_of(USECS_PER_DAY, {0, 1, 0});
  if (unit->field == Field::hour) return in_units_of(USECS_PER_HOUR, {USECS_PER_HOUR, 0, 0});
  return unit->field == Field::minute ? in_units_of(USECS_PER_MINUTE, {USECS_PER_MINUTE, 0, 0}) : nullptr;
}

}  // namespace dp::guard
