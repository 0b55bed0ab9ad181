// What of a session the bytes of a question depend on.
#pragma once

#include <cstdint>

namespace dp::guard {

// Settings that functions read.
enum class SessionSetting : std::uint8_t {
  // Those that functions of PostgreSQL read which are not immutable.
  TimeZone,
  DateStyle,
  IntervalStyle,
  timezone_abbreviations,
  lc_time,
  lc_numeric,
  lc_monetary,
  default_text_search_config,
  // Those that functions read although they are called immutable.
  bytea_output,
  xmlbinary,
  xmloption,
  array_nulls,
  // The digits of numbers as text.
  extra_float_digits
};
inline constexpr int kSessionSettings = 13;

// Its value as text, good until the setting or, where it has no text of its own, the current memory context goes.
const char* value_of(SessionSetting setting);

// How often this session has heard that a table, function or type was changed, since it asked for the first time.
std::uint64_t session_changes();

// The version of the extension in this database.
const char* own_version();

}  // namespace dp::guard
