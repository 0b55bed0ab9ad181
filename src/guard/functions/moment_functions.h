// Dates, timestamps, times of day and intervals.
#pragma once

#include "guard/functions/rows.h"

namespace dp::guard {

// OVERLAPS with an interval in the place of the second end of both, of the second or of the first one.
consteval std::array<FunctionFacts, 3> overlap_of_spans(Oid both, Oid second, Oid first, Oid of_moments) {
  return together(each({both}, {.written_out = {Written::spans_by_length, of_moments}}),
                  each({second}, {.written_out = {Written::second_by_length, of_moments}}),
                  each({first}, {.written_out = {Written::first_by_length, of_moments}}));
}

inline constexpr auto kMomentFunctions = together(
    // ---- parts ------------------------------------------------------------------------------------------------------
    each({F_EXTRACT_TEXT_DATE, F_EXTRACT_TEXT_TIME, F_EXTRACT_TEXT_TIMETZ, F_EXTRACT_TEXT_TIMESTAMP,
          F_EXTRACT_TEXT_TIMESTAMPTZ, kPartOfInterval, F_DATE_PART_TEXT_TIME, F_DATE_PART_TEXT_TIMETZ, kPartOfTimestamp,
          kPartOfTimestamptz, F_DATE_PART_TEXT_INTERVAL},
         {.meaning = Meaning::extract, .total = Total::if_field, .growth = kCopies, .null_if_endless = true}),
    each({F_DATE_PART_TEXT_DATE}, {.meaning = Meaning::extract,
                                   .failure = Failure::part_of_date,
                                   .longer = {kPartOfTimestamp},
                                   .null_if_endless = true}),
    // date_trunc must not go below the first timestamp there is. That is a midnight in UTC, but not the start of a
    // week, month or year; in other zones not even of an hour.
    each({F_DATE_TRUNC_TEXT_TIMESTAMP, F_DATE_TRUNC_TEXT_TIMESTAMPTZ}, {.meaning = Meaning::date_trunc,
                                                                        .total = Total::if_start_of_field,
                                                                        .growth = kReads,
                                                                        .form = {"dp_trunc", true, 0, true},
                                                                        .never_null = true}),
    each({F_DATE_TRUNC_TEXT_TIMESTAMPTZ_TEXT}, {.meaning = Meaning::date_trunc,
                                                .failure = Failure::truncated_moment,
                                                .form = {"dp_trunc", true, 0, true},
                                                .never_null = true}),
    each({F_DATE_TRUNC_TEXT_INTERVAL}, {.meaning = Meaning::date_trunc}),
    each({kDateBin, F_DATE_BIN_INTERVAL_TIMESTAMPTZ_TIMESTAMPTZ},
         {.meaning = Meaning::date_bin, .failure = Failure::truncated_moment, .form = {"date_bin", true, 0}}),
    // Finite or not is one comparison.
    each({F_ISFINITE_DATE, F_ISFINITE_TIMESTAMP, F_ISFINITE_TIMESTAMPTZ, F_ISFINITE_INTERVAL},
         {.total = Total::always, .growth = kReads, .never_null = true}),
    // Whether two spans overlap is found by comparisons.
    each({F_OVERLAPS_TIMESTAMP_TIMESTAMP_TIMESTAMP_TIMESTAMP,
          F_OVERLAPS_TIMESTAMPTZ_TIMESTAMPTZ_TIMESTAMPTZ_TIMESTAMPTZ, F_OVERLAPS_TIME_TIME_TIME_TIME},
         {.total = Total::always, .growth = kReads}),
    overlap_of_spans(
        F_OVERLAPS_TIMESTAMP_INTERVAL_TIMESTAMP_INTERVAL, F_OVERLAPS_TIMESTAMP_TIMESTAMP_TIMESTAMP_INTERVAL,
        F_OVERLAPS_TIMESTAMP_INTERVAL_TIMESTAMP_TIMESTAMP, F_OVERLAPS_TIMESTAMP_TIMESTAMP_TIMESTAMP_TIMESTAMP),
    overlap_of_spans(F_OVERLAPS_TIMESTAMPTZ_INTERVAL_TIMESTAMPTZ_INTERVAL,
                     F_OVERLAPS_TIMESTAMPTZ_TIMESTAMPTZ_TIMESTAMPTZ_INTERVAL,
                     F_OVERLAPS_TIMESTAMPTZ_INTERVAL_TIMESTAMPTZ_TIMESTAMPTZ,
                     F_OVERLAPS_TIMESTAMPTZ_TIMESTAMPTZ_TIMESTAMPTZ_TIMESTAMPTZ),
    overlap_of_spans(F_OVERLAPS_TIME_INTERVAL_TIME_INTERVAL, F_OVERLAPS_TIME_TIME_TIME_INTERVAL,
                     F_OVERLAPS_TIME_INTERVAL_TIME_TIME, F_OVERLAPS_TIME_TIME_TIME_TIME),

    // ---- casts ------------------------------------------------------------------------------------------------------
    // The date of an infinite moment is infinite.
    each({F_DATE_TIMESTAMP, F_DATE_TIMESTAMPTZ},
         {.meaning = Meaning::cast, .total = Total::always, .growth = kCopies, .never_null = true}),
    each({F_TIMESTAMP_DATE}, {.meaning = Meaning::cast,
                              .failure = Failure::moment_cast,
                              .form = {"dp_try_timestamp", true, -1, true},
                              .never_null = true}),
    each({F_TIMESTAMPTZ_DATE}, {.meaning = Meaning::cast,
                                .failure = Failure::moment_cast,
                                .form = {"dp_try_timestamptz", true},
                                .never_null = true}),
    each({F_TIMESTAMP_TIMESTAMPTZ},
         {.meaning = Meaning::cast, .failure = Failure::moment_cast, .form = {"dp_try_timestamp", true}}),
    each({F_TIMESTAMPTZ_TIMESTAMP},
         {.meaning = Meaning::cast, .failure = Failure::moment_cast, .form = {"to_timestamptz", true}}),
    each({F_TIMESTAMP_TIMESTAMP_INT4, F_TIMESTAMPTZ_TIMESTAMPTZ_INT4},
         {.meaning = Meaning::cast, .failure = Failure::truncated_moment}),
    each({F_INTERVAL_TIME}, {.meaning = Meaning::cast, .total = Total::always, .growth = kCopies, .never_null = true}),
    // Times of day wrap around, they do not overflow; that of an infinite moment is NULL.
    each({F_TIME_TIMESTAMP, F_TIME_TIMESTAMPTZ, F_TIMETZ_TIMESTAMPTZ},
         {.meaning = Meaning::time_of_day, .total = Total::always, .growth = kCopies, .null_if_endless = true}),
    each({F_TIME_INTERVAL}, {.meaning = Meaning::time_of_day, .total = Total::always, .growth = kCopies}),
    each({F_TIME_TIMETZ, F_TIMETZ_TIME},
         {.meaning = Meaning::time_of_day, .total = Total::always, .growth = kCopies, .never_null = true}),
    each({F_TIMEZONE_TEXT_TIMESTAMP, kMomentInZone}, {.meaning = Meaning::timezone,
                                                      .failure = Failure::time_zone,
                                                      .form = {"at_zone", true, 0, true},
                                                      .never_null = true}),
    each({F_TIMEZONE_INTERVAL_TIMESTAMP, F_TIMEZONE_INTERVAL_TIMESTAMPTZ},
         {.meaning = Meaning::timezone, .failure = Failure::time_zone}),

    // ---- arithmetic -------------------------------------------------------------------------------------------------
    each({F_DATE_PLI, F_DATE_PL_INTERVAL, F_TIMESTAMP_PL_INTERVAL, F_TIMESTAMPTZ_PL_INTERVAL},
         {.meaning = Meaning::plus, .failure = Failure::moved_moment, .form = {"dp_add"}}),
    each({F_INTEGER_PL_DATE, F_INTERVAL_PL_DATE, F_INTERVAL_PL_TIMESTAMP, F_INTERVAL_PL_TIMESTAMPTZ},
         {.meaning = Meaning::plus, .failure = Failure::moved_moment}),
    each({F_DATETIME_PL}, {.written_out = {Written::day_and_time}}),
    each({F_TIMEDATE_PL}, {.written_out = {Written::time_and_day}}),
    each({F_INTERVAL_PL, F_TIME_PL_INTERVAL}, {.meaning = Meaning::plus, .form = {"add"}}),
    each({F_TIMETZ_PL_INTERVAL}, {.meaning = Meaning::plus}),
    each({F_DATE_MI, F_DATE_MII, F_DATE_MI_INTERVAL, F_TIMESTAMP_MI, F_TIMESTAMP_MI_INTERVAL, F_TIMESTAMPTZ_MI,
          F_TIMESTAMPTZ_MI_INTERVAL},
         {.meaning = Meaning::minus, .failure = Failure::moved_moment, .form = {"dp_sub"}}),
    each({F_INTERVAL_MI, F_TIME_MI_INTERVAL}, {.meaning = Meaning::minus, .form = {"sub"}}),
    each({F_TIMETZ_MI_INTERVAL}, {.meaning = Meaning::minus}),
    // The difference of two times of day is below a day.
    each({F_TIME_MI_TIME}, {.total = Total::always, .growth = kReads, .never_null = true}),
    each({F_INTERVAL_MUL, F_MUL_D_INTERVAL}, {.meaning = Meaning::times, .form = {"mul"}}),
    each({F_INTERVAL_DIV}, {.meaning = Meaning::divide, .form = {"div"}}),
    each({F_INTERVAL_UM}, {.meaning = Meaning::negate, .form = {"minus"}}),
    each({F_AGE_TIMESTAMP_TIMESTAMP, F_AGE_TIMESTAMPTZ_TIMESTAMPTZ},
         {.meaning = Meaning::age, .failure = Failure::moved_moment, .form = {"age"}}),
    each({F_AGE_TIMESTAMP}, {.meaning = Meaning::age,
                             .failure = Failure::moved_moment,
                             .longer = {F_AGE_TIMESTAMP_TIMESTAMP, Lacking::today_before}}),
    each({F_AGE_TIMESTAMPTZ}, {.meaning = Meaning::age,
                               .failure = Failure::moved_moment,
                               .longer = {F_AGE_TIMESTAMPTZ_TIMESTAMPTZ, Lacking::today_before}}),
    each({F_JUSTIFY_DAYS}, {.form = {"justify_days"}}), each({kJustifyHours}, {.form = {"justify_hours"}}),
    each({F_JUSTIFY_INTERVAL}, {.form = {"justify_interval"}}),

    // ---- made of numbers and texts, and shown -----------------------------------------------------------------------
    each({kMomentOfSeconds}, {.meaning = Meaning::to_timestamp, .form = {"to_timestamp"}}),
    each({F_TO_TIMESTAMP_TEXT_TEXT}, {.failure = Failure::read_moment, .form = {"to_timestamp"}}),
    each({F_TO_DATE}, {.failure = Failure::read_moment, .form = {"to_date"}}),
    each({F_MAKE_DATE}, {.meaning = Meaning::make_date, .failure = Failure::read_moment, .form = {"make_date"}}),
    each({F_MAKE_TIMESTAMP}, {.failure = Failure::read_moment, .form = {"make_timestamp"}}),
    each({F_MAKE_TIMESTAMPTZ_INT4_INT4_INT4_INT4_INT4_FLOAT8}, {.form = {"make_timestamptz"}}),
    each({F_MAKE_TIME}, {.form = {"make_time"}}), each({F_MAKE_INTERVAL}, {.form = {"make_interval"}}),
    each({F_TO_CHAR_TIMESTAMP_TEXT, F_TO_CHAR_TIMESTAMPTZ_TEXT},
         {.meaning = Meaning::to_char, .failure = Failure::shown_moment, .form = {"to_char", true, 1}}),
    each({F_TO_CHAR_INTERVAL_TEXT}, {.meaning = Meaning::to_char, .failure = Failure::shown_moment}));

}  // namespace dp::guard
