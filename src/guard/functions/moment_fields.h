// The fields that extract, date_part and date_trunc name: month, dow, epoch.
#pragma once

#include <cstdint>

#include "guard/functions/function_facts.h"

namespace dp::guard {

enum class Field : std::uint8_t {
  microseconds,
  milliseconds,
  second,
  minute,
  hour,
  day,
  week,
  month,
  quarter,
  year,
  decade,
  century,
  millennium,
  isoyear,
  dow,
  isodow,
  doy,
  julian,
  epoch,
  timezone
};

struct MomentField {
  Field field;
  const char* name;       // PostgreSQL's first one
  const char* others[5];  // that it has as well
  WholeRange part;        // between which numbers it is of every finite date or timestamp; kAnyNumber: so are years
  bool whole;             // of a date or timestamp it is a whole number
  // What date_trunc cuts to is constant between multiples of so many microseconds on the clock that it reads, and so is
  // the part, where it is whole; 0: that is not so.
  std::int64_t step;
  std::int64_t longest;  // microseconds that the unit may have; 0: date_trunc has none
};

bool is_timestamp(Oid type);

// A timestamp or a date.
bool is_moment(Oid type);

// That a constant text names, in letters of either case; nullptr where there is none, or it is no constant.
const MomentField* field_of(const Node* written);

// Whether extract() has it of values of that type.
bool has_field(Oid type, Field field);

// Between which numbers it is of every finite value of that type; kAnyNumber where that is not known, as of intervals,
// whose hours and days are as many as one likes.
WholeRange part_of(Oid type, const MomentField& field);

}  // namespace dp::guard
