#include "guard/rewrite/moment_calls.h"

#include "guard/rewrite/declared_bounds.h"
#include "guard/rewrite/moments_as_numbers.h"

namespace dp::guard {
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
