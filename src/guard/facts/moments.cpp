// Between which moments, spans and parts of moments expressions of dates and timestamps lie.
#include "guard/facts/moments.h"

#include <algorithm>
#include <cmath>

#include "core/bounds/transfer.h"
#include "guard/facts/evaluator.h"
#include "guard/functions/calls.h"
#include "guard/functions/moment_fields.h"

namespace dp::guard {
namespace {

using bounds::Bounds;

using bounds::Number;

constexpr Number kSecond = 1e6, kDay = 86400 * kSecond;
constexpr Number kFurthestZone = 16 * 3600 * kSecond;  // from UTC

Node* argument(List* arguments, int number) { return static_cast<Node*>(list_nth(arguments, number)); }

Bounds widened(const Bounds& x, Number by) { return bounds::plus(x, bounds::make(-by, by)); }

Bounds times(const Bounds& x, Number factor) { return bounds::times(x, bounds::make(factor, factor)); }

Bounds in_seconds(const Bounds& span) { return bounds::over(span, bounds::make(kSecond, kSecond)); }

// A moment in microseconds; of another type one in the session's time zone, or in any.
Bounds in_microseconds(const Bounds& x, Oid from, Oid to) {
  const Bounds moments = from == DATEOID ? times(x, kDay) : x;
  const bool moved = (from == TIMESTAMPTZOID) != (to == TIMESTAMPTZOID);
  return moved ? widened(moments, kFurthestZone) : moments;
}

Bounds as_moment(const Bounds& x, Oid from, Oid to) {
  if (from != DATEOID && !is_timestamp(from)) return std::nullopt;
  if (from == to) return x;
  const Bounds moments = in_microseconds(x, from, to);
  return to == DATEOID ? bounds::rising(moments, [](Number value) { return std::floor(value / kDay); }) : moments;
}

// ---- intervals ------------------------------------------------------------------------------------------------------

const Interval* constant_interval(Node* node) {
  if (!IsA(node, Const) || exprType(node) != INTERVALOID || castNode(Const, node)->constisnull) return nullptr;
  return DatumGetIntervalP(castNode(Const, node)->constvalue);
}

// A moment, moved by an interval. Months have no length: they are counted at both ends.
Bounds moved(const Bounds& x, Oid from, Oid to, Node* by, int sign, Evaluator* parts) {
  const Bounds moments = in_microseconds(x, from, TIMESTAMPOID);
  const Interval* const span = constant_interval(by);
  if (span != nullptr && span->month != 0 && moments) {
    const auto at = [&](Number end) {
      const Datum there = DirectFunctionCall2(sign > 0 ? timestamp_pl_interval : timestamp_mi_interval,
                                              TimestampGetDatum(static_cast<Timestamp>(end)), IntervalPGetDatum(span));
      return static_cast<Number>(DatumGetTimestamp(there));
    };
    constexpr Number kNear = 1e17;  // some thousand years: nothing overflows
    if (std::abs(moments->lower) > kNear || std::abs(moments->upper) > kNear || std::abs(span->month) > 12000)
      return std::nullopt;
    return as_moment(widened(bounds::rising(moments, at), from == TIMESTAMPTZOID ? 2 * kFurthestZone : 0), TIMESTAMPOID,
                     to == TIMESTAMPTZOID ? TIMESTAMPOID : to);
  }
  // A day of a timestamp with time zone has an hour more or less.
  const Bounds length = parts->of(by);
  const Bounds there = sign > 0 ? bounds::plus(moments, length) : bounds::minus(moments, length);
  return as_moment(from == TIMESTAMPTZOID ? widened(there, 2 * kFurthestZone) : there, TIMESTAMPOID,
                   to == TIMESTAMPTZOID ? TIMESTAMPOID : to);
}

// age() counts days, months and years: as long as the time between both, but for the lengths of months and years.
Bounds between(const Bounds& later, const Bounds& earlier) {
  const Bounds span = bounds::minus(later, earlier);
  if (!span) return std::nullopt;
  const Number furthest = std::max(std::abs(span->lower), std::abs(span->upper));
  return widened(span, 8 * kDay + furthest * 1e-4);
}

struct Ages {
  Bounds later, earlier;
};

bool is_age(Node* node) { return computation_of(node).meaning == Meaning::age; }

Bounds today(Oid type, Evaluator* parts) {
  auto* const date = makeNode(SQLValueFunction);
  date->op = SVFOP_CURRENT_DATE;
  date->type = DATEOID;
  return as_moment(parts->of(reinterpret_cast<Node*>(date)), DATEOID, type);
}

Ages ages_of(List* arguments, Evaluator* parts) {
  const Bounds first = parts->of(argument(arguments, 0));
  if (list_length(arguments) == 2) return {first, parts->of(argument(arguments, 1))};
  return {today(exprType(argument(arguments, 0)), parts), first};
}

// Whole years from one moment to the other: a year has 365 or 366 days, and clocks are put forward and back.
Bounds years_between(const Ages& ages) {
  constexpr Number kShortest = 365 * kDay, kLongest = 366 * kDay, kClocks = 7200 * kSecond;
  const Bounds span = widened(bounds::minus(ages.later, ages.earlier), kClocks);
  if (!span) return std::nullopt;
  return bounds::make(std::trunc(span->lower / (span->lower < 0 ? kShortest : kLongest)),
                      std::trunc(span->upper / (span->upper < 0 ? kLongest : kShortest)));
}

// ---- parts ----------------------------------------------------------------------------------------------------------

// Those fields that are not between the same numbers in all years never go down while time goes on: at both ends.
Bounds of_rising_field(const char* name, const Bounds& moments) {
  constexpr Number kFirst = -2e17, kLast = 9e18;  // those that a timestamp has
  if (!moments || moments->lower < kFirst || moments->upper > kLast) return std::nullopt;
  const Datum field = CStringGetTextDatum(name);
  return bounds::rising(moments, [field](Number at) {
    const Datum number =
        DirectFunctionCall2(extract_timestamp, field, TimestampGetDatum(static_cast<Timestamp>(std::floor(at))));
    return DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow, number));
  });
}

Bounds of_part_of_interval(Field field, Node* interval, Evaluator* parts) {
  switch (field) {
    case Field::minute:
    case Field::second:
      return bounds::make(-60, 60);
    case Field::month:
      return bounds::make(-11, 11);
    case Field::quarter:
      return bounds::make(-2, 4);
    default:
      break;
  }
  if (is_age(interval)) {
    const Ages ages = ages_of(castNode(FuncExpr, interval)->args, parts);
    if (field == Field::epoch) return in_seconds(between(ages.later, ages.earlier));
    if (field == Field::year) return years_between(ages);
    if (field == Field::day) return bounds::make(-31, 31);
    return field == Field::hour ? bounds::make(-24, 24) : std::nullopt;
  }
  const Bounds span = parts->of(interval);
  if (field == Field::epoch) return in_seconds(span);
  // A difference of two moments has whole days and what is left of one.
  const Computation call = computation_of(interval);
  const bool differs = call.meaning == Meaning::minus && list_length(call.arguments) == 2 &&
                       is_timestamp(exprType(argument(call.arguments, 0))) &&
                       is_timestamp(exprType(argument(call.arguments, 1)));
  if (!differs) return std::nullopt;
  if (field == Field::hour) return bounds::make(span && span->lower >= 0 ? 0 : -24, 24);
  if (field == Field::day) return bounds::rising(span, [](Number x) { return std::trunc(x / kDay); });
  return field == Field::year ? bounds::make(0, 0) : std::nullopt;
}

}  // namespace

Bounds bounds_of_any_part(List* arguments) {
  const MomentField* const field = field_of(argument(arguments, 0));
  const WholeRange any = field == nullptr ? kAnyNumber : part_of(exprType(argument(arguments, 1)), *field);
  return any == kAnyNumber ? std::nullopt : bounds::whole_numbers(any.lower, any.upper);
}

Bounds bounds_of_part(Node* written, Node* of, Evaluator* parts) {
  const MomentField* const field = field_of(written);
  if (field == nullptr) return std::nullopt;
  const Oid type = exprType(of);
  if (type == INTERVALOID) return of_part_of_interval(field->field, of, parts);
  if (const Bounds any = bounds_of_any_part(list_make2(written, of))) return any;
  if (type == TIMEOID || type == TIMETZOID) {
    return field->field == Field::epoch ? bounds::make(-kFurthestZone / kSecond, (kDay + kFurthestZone) / kSecond)
                                        : std::nullopt;
  }
  if (type != DATEOID && !is_timestamp(type)) return std::nullopt;
  // The epoch is the same in all time zones, the year is not.
  const bool zoned = type == TIMESTAMPTZOID && field->field != Field::epoch;
  return of_rising_field(field->name, in_microseconds(parts->of(of), type, zoned ? TIMESTAMPOID : type));
}

// How far before a moment the beginning of the unit may be that is written, in microseconds; 0: there is no such unit.
static Number longest_of_unit(const Node* written) {
  const MomentField* const unit = field_of(written);
  return unit == nullptr ? 0 : static_cast<Number>(unit->longest);
}

// What went by since the beginning of the unit that a moment is in: s - date_trunc('hour', s).
static Bounds since_beginning(Node* moment, Node* beginning) {
  const Computation call = computation_of(beginning);
  if (call.meaning != Meaning::date_trunc || list_length(call.arguments) != 2 || !is_timestamp(exprType(beginning)))
    return std::nullopt;
  const Number length = longest_of_unit(argument(call.arguments, 0));
  if (!equal(moment, argument(call.arguments, 1)) || length == 0) return std::nullopt;
  const Number changed = kDay;  // a zone may have a day twice
  return bounds::make(0, length + (length >= kDay && exprType(moment) == TIMESTAMPTZOID ? changed : 0));
}

Bounds bounds_of_moment(Meaning meaning, Oid type, List* arguments, Evaluator* parts) {
  const auto type_of = [arguments](int number) { return exprType(argument(arguments, number)); };
  const auto of = [&](int number) { return parts->of(argument(arguments, number)); };
  const bool two = list_length(arguments) == 2;
  const auto of_two = [meaning](const Bounds& x, const Bounds& y) { return bounds::of_meaning(meaning, x, &y, false); };
  switch (meaning) {
    case Meaning::cast:
      if (type == INTERVALOID && type_of(0) == TIMEOID) return bounds::make(0, kDay);  // 24:00 is a time
      return list_length(arguments) == 1 ? as_moment(of(0), type_of(0), type) : std::nullopt;
    case Meaning::timezone:
      return two ? as_moment(of(1), type_of(1), type) : std::nullopt;
    case Meaning::to_timestamp:
      return type_of(0) == FLOAT8OID && !two ? times(bounds::minus(of(0), bounds::make(946684800, 946684800)), kSecond)
                                             : std::nullopt;
    case Meaning::make_date: {
      const Bounds years = of(0);
      if (!years || years->lower < 1 || years->upper > 9999) return std::nullopt;
      return bounds::make(date2j(static_cast<int>(years->lower), 1, 1) - POSTGRES_EPOCH_JDATE,
                          date2j(static_cast<int>(years->upper), 12, 31) - POSTGRES_EPOCH_JDATE);
    }
    case Meaning::date_bin: {  // a moment lies at most one width behind the beginning of its bin
      const Bounds at = of(1), before = bounds::minus(at, of(0));
      return before ? bounds::make(before->lower, at->upper) : std::nullopt;
    }
    case Meaning::date_trunc: {
      const Bounds moments = is_timestamp(type_of(1)) ? of(1) : std::nullopt;
      const Number length = longest_of_unit(argument(arguments, 0));
      if (!moments || length == 0) return std::nullopt;
      return bounds::make(moments->lower - length, moments->upper);
    }
    case Meaning::plus:
    case Meaning::minus: {
      if (!two) return std::nullopt;
      const int sign = meaning == Meaning::plus ? 1 : -1;
      if (sign < 0) {
        if (const Bounds since = since_beginning(argument(arguments, 0), argument(arguments, 1))) return since;
      }
      if (type != INTERVALOID && type_of(1) == INTERVALOID)
        return moved(of(0), type_of(0), type, argument(arguments, 1), sign, parts);
      if (type != INTERVALOID && type_of(0) == INTERVALOID)
        return moved(of(1), type_of(1), type, argument(arguments, 0), sign, parts);
      return of_two(of(0), of(1));
    }
    case Meaning::times:
    case Meaning::divide:
      return two ? of_two(of(0), of(1)) : std::nullopt;
    case Meaning::negate:
      return bounds::negated(of(0));
    case Meaning::age: {
      const Ages ages = ages_of(arguments, parts);
      return between(ages.later, ages.earlier);
    }
    default:
      return std::nullopt;
  }
}

Bounds bounds_of_moment(const Const* constant) {
  switch (constant->consttype) {
    case DATEOID: {
      const DateADT day = DatumGetDateADT(constant->constvalue);
      return DATE_NOT_FINITE(day) ? std::nullopt : bounds::make(day, day);
    }
    case TIMESTAMPOID:
    case TIMESTAMPTZOID: {
      const Timestamp moment = DatumGetTimestamp(constant->constvalue);
      if (TIMESTAMP_NOT_FINITE(moment)) return std::nullopt;
      return bounds::make(static_cast<Number>(moment), static_cast<Number>(moment));
    }
    case INTERVALOID: {
      const auto* const span = DatumGetIntervalP(constant->constvalue);
      if (span->month != 0) return std::nullopt;
      const Number length = span->day * kDay + static_cast<Number>(span->time);
      return bounds::make(length, length);
    }
    default:
      return std::nullopt;
  }
}

}  // namespace dp::guard
