#include "guard/rewrite/moments_as_numbers.h"

#include "guard/functions/called_functions.h"
#include "guard/functions/calls.h"
#include "guard/rewrite/declared_bounds.h"
#include "pg/nodes.h"

namespace dp::guard {
namespace {

constexpr double kSecondsBefore2000 = (POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * 86400.0;

Expr* from_texts(Oid function, List* arguments) {
  return reinterpret_cast<Expr*>(called(function, arguments, get_typcollation(TEXTOID)));
}

constexpr double kSecondsOfDay = 86400;

Expr* end(MinMaxOp which, Expr* number, double other) {
  auto* const made = makeNode(MinMaxExpr);
  made->minmaxtype = FLOAT8OID;
  made->op = which;
  made->args = list_make2(number, pg::float8_constant(other));
  made->location = -1;
  return reinterpret_cast<Expr*>(made);
}

// 2000-01-01, from which days are counted.
Expr* first_day() {
  return reinterpret_cast<Expr*>(makeConst(DATEOID, -1, InvalidOid, sizeof(DateADT), DateADTGetDatum(0), false, true));
}

}  // namespace

Expr* as_number(Expr* moment) {
  const Oid type = exprType(reinterpret_cast<Node*>(moment));
  if (type == DATEOID) return reinterpret_cast<Expr*>(computed("-", moment, first_day()));
  const Oid part = type == TIMESTAMPOID ? kPartOfTimestamp : kPartOfTimestamptz;
  return from_texts(part, list_make2(pg::text_constant("epoch"), moment));
}

Expr* as_day(Expr* moment, bool next) {
  FuncExpr* const days = computed("/", as_number(moment), pg::float8_constant(kSecondsOfDay));
  auto* const whole = reinterpret_cast<Expr*>(called(next ? kCeil : kFloor, list_make1(days)));
  Expr* const bounded = end(IS_LEAST, end(IS_GREATEST, whole, kFirstDay), kLastDay);
  return reinterpret_cast<Expr*>(cast_to(INT4OID, bounded));
}

Node* as_midnight(Node* day, Oid type) {
  FuncExpr* const seconds = computed("*", day, pg::float8_constant(kSecondsOfDay));
  return as_moment(reinterpret_cast<Node*>(seconds), type);
}

double number_of(Datum moment, Oid type) {
  if (type == DATEOID) return DatumGetDateADT(moment);
  return static_cast<double>(DatumGetTimestamp(moment)) / USECS_PER_SEC + kSecondsBefore2000;
}

Node* as_moment(Node* number, Oid type) {
  if (type == DATEOID) {
    return reinterpret_cast<Node*>(computed("+", first_day(), cast_to(INT4OID, number)));
  }
  FuncExpr* const moment = called(kMomentOfSeconds, list_make1(number));
  if (type == TIMESTAMPTZOID) return reinterpret_cast<Node*>(moment);
  return reinterpret_cast<Node*>(from_texts(kMomentInZone, list_make2(pg::text_constant("UTC"), moment)));
}

namespace {

Ends ends_of(Node* moment, const Sources& sources) {
  const Oid type = exprType(moment);
  Node* const lower = IsA(moment, Var) ? end_of_column(castNode(Var, moment), -1, sources) : nullptr;
  if (lower == nullptr) {
    constexpr int kFirst = 2415021, kLast = 2488434;  // the Julian days of 1900-01-01 and 2100-12-31
    constexpr Timestamp kDay = USECS_PER_DAY;
    const auto days_from = [](int day) { return static_cast<DateADT>(day - POSTGRES_EPOCH_JDATE); };
    if (type == DATEOID)
      return {number_of(DateADTGetDatum(days_from(kFirst)), type), number_of(DateADTGetDatum(days_from(kLast)), type)};
    return {number_of(TimestampGetDatum(days_from(kFirst) * kDay), type),
            number_of(TimestampGetDatum((days_from(kLast) + 1) * kDay), type)};
  }
  const auto at = [=](Node* end) { return number_of(castNode(Const, end)->constvalue, type); };
  const double first = at(lower), last = at(end_of_column(castNode(Var, moment), 1, sources));
  return {first, last > first ? last : first + 1};
}

Node* asked(const Aggref* call, const char* name, Expr* value, Node* over, List* parameters, const Sources& sources,
            const AnswerDefaults& defaults) {
  const Ends ends = ends_of(over, sources);
  Expr* const taken = as_number(value);
  parameters = lappend(lappend(parameters, number(ends.lower)), number(ends.upper));
  Aggref* const made = private_call(call, name, taken, exprType(reinterpret_cast<Node*>(taken)), parameters, defaults);
  return as_moment(reinterpret_cast<Node*>(made), exprType(over));
}

}  // namespace

Node* quantile_of_moments(const Aggref* call, Expr* value, Node* over, const Sources& sources,
                          const AnswerDefaults& defaults) {
  return asked(call, "dp_quantile", value, over, list_make1(fraction_from_below(call)), sources, defaults);
}

Node* end_of_moments(const Aggref* call, const char* name, Expr* value, Node* over, const Sources& sources,
                     const AnswerDefaults& defaults) {
  if (const Oid type = exprType(over); type != DATEOID) {
    Expr* const day = as_day(value, strcmp(name, "dp_min") == 0);
    List* const ends = list_make2(number(kFirstDay), number(kLastDay));
    Aggref* const made = private_call(call, name, day, INT4OID, ends, defaults);
    return as_midnight(reinterpret_cast<Node*>(made), type);
  }
  return asked(call, name, value, over, NIL, sources, defaults);
}

}  // namespace dp::guard
