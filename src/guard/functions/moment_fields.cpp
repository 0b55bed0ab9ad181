#include "guard/functions/moment_fields.h"

#include <algorithm>
#include <iterator>

namespace dp::guard {
namespace {

constexpr std::int64_t kDay = USECS_PER_DAY, kYear = 366 * kDay;

// Seconds from UTC, by what a time zone may be set to: up to a week in a POSIX rule, and an hour more in summer.
constexpr std::int64_t kFarthestZone = 169 * 3600;

// As the names stand in PostgreSQL's datetime.c. A time of day may have 24 hours and 60 seconds.
constexpr MomentField kFields[] = {
    {Field::microseconds,
     "microseconds",
     {"microsecon", "microsecond", "us", "usec", "usecs"},
     {0, 60'000'000},
     true,
     1,
     USECS_PER_SEC},
    {Field::milliseconds,
     "milliseconds",
     {"millisecon", "millisecond", "ms", "msec", "msecs"},
     {0, 60'000},
     false,
     1000,
     USECS_PER_SEC},
    {Field::second, "second", {"seconds", "sec", "secs", "s"}, {0, 60}, false, USECS_PER_SEC, USECS_PER_SEC},
    {Field::minute, "minute", {"minutes", "min", "mins", "m"}, {0, 59}, true, USECS_PER_MINUTE, USECS_PER_MINUTE},
    {Field::hour, "hour", {"hours", "hr", "hrs", "h"}, {0, 23}, true, USECS_PER_HOUR, USECS_PER_HOUR},
    {Field::day, "day", {"days", "d"}, {1, 31}, true, kDay, kDay},
    {Field::week, "week", {"weeks", "w"}, {1, 53}, true, kDay, 7 * kDay},
    {Field::month, "month", {"months", "mon", "mons"}, {1, 12}, true, kDay, 31 * kDay},
    {Field::quarter, "quarter", {"qtr"}, {1, 4}, true, kDay, 92 * kDay},
    {Field::year, "year", {"years", "yr", "yrs", "y"}, kAnyNumber, true, kDay, kYear},
    {Field::decade, "decade", {"decades", "dec", "decs"}, kAnyNumber, true, kDay, 10 * kYear},
    {Field::century, "century", {"centuries", "cent", "c"}, kAnyNumber, true, kDay, 100 * kYear},
    {Field::millennium, "millennium", {"millennia", "mil", "mils"}, kAnyNumber, true, kDay, 1000 * kYear},
    {Field::isoyear, "isoyear", {}, kAnyNumber, true, kDay, 0},
    {Field::dow, "dow", {}, {0, 6}, true, kDay, 0},
    {Field::isodow, "isodow", {}, {1, 7}, true, kDay, 0},
    {Field::doy, "doy", {}, {1, 366}, true, kDay, 0},
    {Field::julian, "julian", {}, kAnyNumber, false, 0, 0},
    {Field::epoch, "epoch", {}, kAnyNumber, false, 0, 0},
    {Field::timezone, "timezone", {}, {-kFarthestZone, kFarthestZone}, true, 0, 0}};

bool is_called(const MomentField& field, const char* name) {
  const auto is_name = [name](const char* one) { return one != nullptr && pg_strcasecmp(one, name) == 0; };
  return is_name(field.name) || std::ranges::any_of(field.others, is_name);
}

const MomentField* field_named(const char* name) {
  const auto* const field =
      std::ranges::find_if(kFields, [name](const MomentField& one) { return is_called(one, name); });
  return field == std::end(kFields) ? nullptr : field;
}

bool is_time(Oid type) { return type == TIMEOID || type == TIMETZOID; }

}  // namespace

bool is_timestamp(Oid type) { return type == TIMESTAMPOID || type == TIMESTAMPTZOID; }
bool is_moment(Oid type) { return is_timestamp(type) || type == DATEOID; }

const MomentField* field_of(const Node* written) {
  if (!IsA(written, Const)) return nullptr;
  const auto* const constant = reinterpret_cast<const Const*>(written);
  if (constant->constisnull || constant->consttype != TEXTOID) return nullptr;
  return field_named(TextDatumGetCString(constant->constvalue));
}

bool has_field(Oid type, Field field) {
  const bool of_clock = field <= Field::hour;
  const bool of_span = field == Field::day || (field >= Field::month && field <= Field::millennium);
  if (field == Field::epoch) return true;
  if (field == Field::timezone) return type == TIMETZOID || type == TIMESTAMPTZOID;
  if (is_time(type)) return of_clock;
  if (type == INTERVALOID) return of_clock || of_span;
  return type != DATEOID || !of_clock;
}

WholeRange part_of(Oid type, const MomentField& field) {
  if (type == INTERVALOID) return kAnyNumber;
  if (field.field == Field::hour && is_time(type)) return {0, 24};
  return field.part;
}

}  // namespace dp::guard
