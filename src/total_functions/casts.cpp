// dp_try_int, dp_try_float, dp_try_numeric, dp_try_date, dp_try_timestamp: what PostgreSQL's casts give, and NULL where
// these raise an error. And dp_concat, which gives NULL for what would be too long.
#include <algorithm>
#include <string_view>

#include "pg/attempts.h"
#include "total_functions/attempt.h"

namespace {

Datum written(FunctionCallInfo fcinfo) { return CStringGetDatum(text_to_cstring(PG_GETARG_TEXT_PP(0))); }

// The input function of a type that takes modifiers, without one.
Datum read(PGFunction input, Datum text) {
  return DirectFunctionCall3(input, text, ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1));
}

}  // namespace

// ---- integers -----------------------------------------------------------------------------------------------------

DP_TOTAL_FUNCTION(dp_try_int_text) { DP_RETURN_ATTEMPT(DirectFunctionCall1(int8in, written(fcinfo))); }
DP_TOTAL_FUNCTION(dp_try_int2_text) { DP_RETURN_ATTEMPT(DirectFunctionCall1(int2in, written(fcinfo))); }
DP_TOTAL_FUNCTION(dp_try_int4_text) { DP_RETURN_ATTEMPT(DirectFunctionCall1(int4in, written(fcinfo))); }
DP_TOTAL_FUNCTION(dp_try_int_numeric) { DP_RETURN_ATTEMPT(DirectFunctionCall1(numeric_int8, PG_GETARG_DATUM(0))); }
DP_TOTAL_FUNCTION(dp_try_int_float8) { DP_RETURN_ATTEMPT(DirectFunctionCall1(dtoi8, PG_GETARG_DATUM(0))); }

// Without it a bigint would be taken for a float8, and lose digits.
DP_TOTAL_FUNCTION(dp_try_int_int8) { PG_RETURN_INT64(PG_GETARG_INT64(0)); }

// ---- other numbers ------------------------------------------------------------------------------------------------

DP_TOTAL_FUNCTION(dp_try_float_text) { DP_RETURN_ATTEMPT(DirectFunctionCall1(float8in, written(fcinfo))); }
DP_TOTAL_FUNCTION(dp_try_float_numeric) { DP_RETURN_ATTEMPT(DirectFunctionCall1(numeric_float8, PG_GETARG_DATUM(0))); }
DP_TOTAL_FUNCTION(dp_try_numeric_text) { DP_RETURN_ATTEMPT(read(numeric_in, written(fcinfo))); }

// ---- moments ------------------------------------------------------------------------------------------------------

// A zone that a text names would be loaded, and stay in the session's memory: one for each spelling. So texts with
// words other than those of dates and times are not read.
namespace {

constexpr std::string_view kWords[] = {
    "jan",    "january",   "feb",   "february", "mar",    "march",    "apr",       "april",     "may",     "jun",
    "june",   "jul",       "july",  "aug",      "august", "sep",      "sept",      "september", "oct",     "october",
    "nov",    "november",  "dec",   "december", "mon",    "monday",   "tue",       "tues",      "tuesday", "wed",
    "weds",   "wednesday", "thu",   "thur",     "thurs",  "thursday", "fri",       "friday",    "sat",     "saturday",
    "sun",    "sunday",    "am",    "pm",       "ad",     "bc",       "t",         "z",         "zulu",    "utc",
    "gmt",    "infinity",  "epoch", "now",      "today",  "tomorrow", "yesterday", "allballs",  "j",       "jd",
    "julian", "y",         "m",     "d",        "h",      "s"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_known_word(std::string_view word) {
  return std::ranges::any_of(kWords, [word](std::string_view known) {
    return known.size() == word.size() &&
           pg_strncasecmp(known.data(), word.data(), static_cast<Size>(word.size())) == 0;
  });
}

// Jan-02-2020 and 02-Jan-2020 are dates; behind a date UTC-2, Jan-5 and UTC/x are zones.
bool may_be_of_a_zone(std::string_view text, std::size_t begin, std::size_t end) {
  if (end == text.size() || (text[end] != '+' && text[end] != '-' && text[end] != '/' && text[end] != '_'))
    return false;
  return begin > 0 && text[begin - 1] != '-' && text[begin - 1] != '/';
}

bool names_no_zone(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if ((static_cast<unsigned char>(text[at]) & 0x80U) != 0) return false;
    if (!is_letter(text[at])) continue;
    std::size_t end = at;
    while (end < text.size() && is_letter(text[end])) ++end;
    if (!is_known_word(text.substr(at, end - at)) || may_be_of_a_zone(text, at, end)) return false;
    at = end;
  }
  return true;
}

bool is_moment(FunctionCallInfo fcinfo) {
  const text* const written = PG_GETARG_TEXT_PP(0);
  return names_no_zone({VARDATA_ANY(written), static_cast<std::size_t>(VARSIZE_ANY_EXHDR(written))});
}

}  // namespace

DP_TOTAL_FUNCTION(dp_try_date_text) {
  if (!is_moment(fcinfo)) PG_RETURN_NULL();
  DP_RETURN_ATTEMPT(DirectFunctionCall1(date_in, written(fcinfo)));
}
DP_TOTAL_FUNCTION(dp_try_time_text) {
  if (!is_moment(fcinfo)) PG_RETURN_NULL();
  DP_RETURN_ATTEMPT(read(time_in, written(fcinfo)));
}
DP_TOTAL_FUNCTION(dp_try_interval_text) { DP_RETURN_ATTEMPT(read(interval_in, written(fcinfo))); }
DP_TOTAL_FUNCTION(dp_try_timestamptz_text) {
  if (!is_moment(fcinfo)) PG_RETURN_NULL();
  DP_RETURN_ATTEMPT(read(timestamptz_in, written(fcinfo)));
}
DP_TOTAL_FUNCTION(dp_try_timestamp_text) {
  if (!is_moment(fcinfo)) PG_RETURN_NULL();
  DP_RETURN_ATTEMPT(read(timestamp_in, written(fcinfo)));
}

// The cast lets a date through that a time zone has carried before the first one.
DP_TOTAL_FUNCTION(dp_try_timestamp_date) {
  bool failed = false;
  const Timestamp midnight = dp::pg::midnight(PG_GETARG_DATEADT(0), &failed);
  if (failed || !(TIMESTAMP_NOT_FINITE(midnight) || IS_VALID_TIMESTAMP(midnight))) PG_RETURN_NULL();
  PG_RETURN_TIMESTAMP(midnight);
}
DP_TOTAL_FUNCTION(dp_try_timestamptz_date) {
  bool failed = false;
  const TimestampTz midnight = dp::pg::local_midnight(PG_GETARG_DATEADT(0), &failed);
  if (failed) PG_RETURN_NULL();
  PG_RETURN_TIMESTAMPTZ(midnight);
}
DP_TOTAL_FUNCTION(dp_try_timestamp_timestamptz) {
  DP_RETURN_ATTEMPT(DirectFunctionCall1(timestamptz_timestamp, PG_GETARG_DATUM(0)));
}

// ---- others --------------------------------------------------------------------------------------------------------

DP_TOTAL_FUNCTION(dp_try_bool_text) { DP_RETURN_ATTEMPT(DirectFunctionCall1(boolin, written(fcinfo))); }
DP_TOTAL_FUNCTION(dp_try_uuid_text) { DP_RETURN_ATTEMPT(DirectFunctionCall1(uuid_in, written(fcinfo))); }

// ---- texts --------------------------------------------------------------------------------------------------------

// dp_concat(x text, y text) returns text. The bound keeps calls inside calls from making short texts too long to be
// held.
DP_TOTAL_FUNCTION(dp_concat) {
  constexpr Size kLongest = 1 << 20;
  const text* const x = PG_GETARG_TEXT_PP(0);
  const text* const y = PG_GETARG_TEXT_PP(1);
  if (VARSIZE_ANY_EXHDR(x) + VARSIZE_ANY_EXHDR(y) > kLongest) PG_RETURN_NULL();
  return DirectFunctionCall2(textcat, PointerGetDatum(x), PointerGetDatum(y));
}
