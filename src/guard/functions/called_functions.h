// PostgreSQL's functions that the guard itself writes into expressions, or looks for: each has its row by this name.
// Operators and casts are found by their types (calls.h), aggregates stand in aggregates.h.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Numbers.
inline constexpr Oid kTrimScale = F_TRIM_SCALE;
inline constexpr Oid kRoundToDigits = F_ROUND_NUMERIC_INT4;
inline constexpr Oid kTruncNumeric = F_TRUNC_NUMERIC;
inline constexpr Oid kDivTruncated = F_DIV;
inline constexpr Oid kSqrt = F_SQRT_FLOAT8;
inline constexpr Oid kFloor = F_FLOOR_FLOAT8;
inline constexpr Oid kCeil = F_CEIL_FLOAT8;

// Texts.
inline constexpr Oid kLengthOfText = F_LENGTH_TEXT;
inline constexpr Oid kLower = F_LOWER_TEXT;
inline constexpr Oid kUpper = F_UPPER_TEXT;
inline constexpr Oid kConcat = F_CONCAT;
inline constexpr Oid kPadLeft = F_LPAD_TEXT_INT4_TEXT;
inline constexpr Oid kPadRight = F_RPAD_TEXT_INT4_TEXT;
inline constexpr Oid kSplitPart = F_SPLIT_PART;
inline constexpr Oid kLike = F_TEXTLIKE;

// Moments.
inline constexpr Oid kPartOfTimestamp = F_DATE_PART_TEXT_TIMESTAMP;
inline constexpr Oid kPartOfTimestamptz = F_DATE_PART_TEXT_TIMESTAMPTZ;
inline constexpr Oid kPartOfInterval = F_EXTRACT_TEXT_INTERVAL;
inline constexpr Oid kMomentOfSeconds = F_TO_TIMESTAMP_FLOAT8;
inline constexpr Oid kMomentInZone = F_TIMEZONE_TEXT_TIMESTAMPTZ;
inline constexpr Oid kDateBin = F_DATE_BIN_INTERVAL_TIMESTAMP_TIMESTAMP;
inline constexpr Oid kJustifyHours = F_JUSTIFY_HOURS;

// Arrays, json and sets.
inline constexpr Oid kArrayLower = F_ARRAY_LOWER;
inline constexpr Oid kArrayLength = F_ARRAY_LENGTH;
inline constexpr Oid kArrayDimensions = F_ARRAY_NDIMS;
inline constexpr Oid kJsonElement = F_JSONB_ARRAY_ELEMENT;
inline constexpr Oid kJsonElementAsText = F_JSONB_ARRAY_ELEMENT_TEXT;
inline constexpr Oid kJsonLength = F_JSONB_ARRAY_LENGTH;
inline constexpr Oid kSeries = F_GENERATE_SERIES_INT4_INT4;

}  // namespace dp::guard
