// Functions that are total whatever their arguments, with the evidence. sql/total_functions.sql runs each over the
// extreme values of its types.
//
// Values may be of any size that PostgreSQL stores: each group says how its results and its memory grow, and growth.h
// keeps what is nested below 16 MB. What only reads its arguments (kReads) takes values as they are stored, up to 1 GB:
// an index must find `name = 'x'` as it was written, and bringing a value into memory is all that can fail there, as it
// can in any statement. Functions that make longer texts of short ones without bounds (||, repeat, lpad, quote_literal)
// are not on the list.
//
// An admitted function is a function of the row, of its values alone: not of where these lie, nor how they are stored
// (sql/guard_evidence.sql). So none of those that order and hash is here: their raw results tell of memory (objects.h).
#include "guard/admission/always_total.h"

#include <algorithm>

namespace dp::guard {
namespace {

// = <> < <= > >= of a type, or of two.
#define SIX(first, second)                                                                                           \
  F_##first##EQ##second, F_##first##NE##second, F_##first##LT##second, F_##first##LE##second, F_##first##GT##second, \
      F_##first##GE##second

// Values of a fixed size: their bits are compared. Floating point has an order with NaN in it; an interval is summed up
// in 128 bits; times with zones are shifted in 64 bits.
constexpr Oid kFixedSize[] = {SIX(INT2, ),       SIX(INT4, ),         SIX(INT8, ),      SIX(INT24, ), SIX(INT42, ),
                              SIX(INT28, ),      SIX(INT82, ),        SIX(INT48, ),     SIX(INT84, ), SIX(FLOAT4, ),
                              SIX(FLOAT8, ),     SIX(FLOAT48, ),      SIX(FLOAT84, ),   SIX(OID, ),   SIX(BOOL, ),
                              SIX(CHAR, ),       SIX(CASH_, ),        SIX(DATE_, ),     SIX(TIME_, ), SIX(TIMETZ_, ),
                              SIX(TIMESTAMP_, ), SIX(TIMESTAMPTZ_, ), SIX(INTERVAL_, ), SIX(UUID_, ), SIX(MACADDR_, ),
                              SIX(MACADDR8_, ),  SIX(NETWORK_, )};

// A date is made a timestamp, and a timestamp one with time zone, by the variant that reports overflow, not by the cast
// that raises it; what overflows compares as beyond every timestamp.
constexpr Oid kMoments[] = {SIX(DATE_, _TIMESTAMP),   SIX(DATE_, _TIMESTAMPTZ),      SIX(TIMESTAMP_, _DATE),
                            SIX(TIMESTAMPTZ_, _DATE), SIX(TIMESTAMP_, _TIMESTAMPTZ), SIX(TIMESTAMPTZ_, _TIMESTAMP)};

// Digits are compared where they stand. Both sides are numeric: a float8 beside one is made from it by a cast of its
// own.
constexpr Oid kNumeric[] = {SIX(NUMERIC_, )};

// Bytes are compared, or in other collations by the C library or ICU, which give some order to every text that the
// encoding allows. A text without a collation and a nondeterministic collation are for admission to refuse.
constexpr Oid kText[] = {F_TEXTEQ,
                         F_TEXTNE,
                         F_TEXT_LT,
                         F_TEXT_LE,
                         F_TEXT_GT,
                         F_TEXT_GE,
                         SIX(BPCHAR, ),
                         SIX(NAME, ),
                         SIX(NAME, TEXT),
                         F_TEXTEQNAME,
                         F_TEXTNENAME,
                         F_TEXTLTNAME,
                         F_TEXTLENAME,
                         F_TEXTGTNAME,
                         F_TEXTGENAME,
                         SIX(BYTEA, ),
                         F_TEXT_PATTERN_LT,
                         F_TEXT_PATTERN_LE,
                         F_TEXT_PATTERN_GT,
                         F_TEXT_PATTERN_GE,
                         F_BPCHAR_PATTERN_LT,
                         F_BPCHAR_PATTERN_LE,
                         F_BPCHAR_PATTERN_GT,
                         F_BPCHAR_PATTERN_GE};

// Labels are ordered by a list that is read from pg_enum, where every label that a row can hold is for good.
constexpr Oid kEnum[] = {SIX(ENUM_, )};

// Containers are walked by iterators that do not recurse; what is not there is NULL.
constexpr Oid kJsonb[] = {SIX(JSONB_, ), F_JSONB_EXISTS, F_JSONB_EXISTS_ANY, F_JSONB_EXISTS_ALL};

// A part is copied; one that is no container is built anew. Their texts (->>, #>>) are written by a function of ours:
// 1e131071 has twelve bytes and as text 131072.
constexpr Oid kPartsOfJsonb[] = {F_JSONB_OBJECT_FIELD, F_JSONB_ARRAY_ELEMENT, F_JSONB_EXTRACT_PATH, F_JSONB_TYPEOF};

// Every value of the source has one in the target, rounded where the target is coarser.
constexpr Oid kCasts[] = {
    F_INT4_INT2, F_INT8_INT2, F_INT8_INT4, F_FLOAT4_INT2, F_FLOAT4_INT4, F_FLOAT4_INT8, F_FLOAT8_INT2, F_FLOAT8_INT4,
    F_FLOAT8_INT8, F_FLOAT8_FLOAT4, F_NUMERIC_INT2, F_NUMERIC_INT4, F_NUMERIC_INT8, F_NUMERIC_FLOAT4, F_NUMERIC_FLOAT8,
    F_INT8_OID, F_INT4_BOOL, F_BOOL_INT4, F_INT4_CHAR,
    // Times of day wrap around, they do not overflow; the part of an infinite moment is NULL, its date infinite.
    F_DATE_TIMESTAMP, F_DATE_TIMESTAMPTZ, F_TIME_TIMESTAMP, F_TIME_TIMESTAMPTZ, F_TIME_INTERVAL, F_TIME_TIMETZ,
    F_TIMETZ_TIME, F_TIMETZ_TIMESTAMPTZ, F_INTERVAL_TIME,
    // Among texts: copied, or cut between characters (a name has 63 bytes).
    F_TEXT_NAME, F_TEXT_BPCHAR, F_TEXT_CHAR, F_TEXT_BOOL, F_TEXT_INET, F_NAME_TEXT, F_NAME_BPCHAR, F_NAME_VARCHAR,
    F_BPCHAR_NAME, F_VARCHAR_NAME};

// No result is further from zero than the argument (or the next integer), so none overflows; integers have no such
// rule: -x and abs(x) of the smallest one raise. NaN and the infinities stay what they are.
constexpr Oid kNumbers[] = {F_ABS_FLOAT4, F_ABS_FLOAT8, F_FLOAT4ABS, F_FLOAT8ABS, F_FLOAT4UM, F_FLOAT8UM, F_FLOAT4UP,
                            F_FLOAT8UP, F_INT2UP, F_INT4UP, F_INT8UP, F_ROUND_FLOAT8, F_DROUND, F_CEIL_FLOAT8,
                            F_CEILING_FLOAT8, F_FLOOR_FLOAT8, F_TRUNC_FLOAT8, F_DTRUNC, F_SIGN_FLOAT8, F_CBRT, F_DCBRT,
                            F_ABS_NUMERIC, F_NUMERIC_ABS, F_NUMERIC_UMINUS, F_NUMERIC_UPLUS, F_SIGN_NUMERIC,
                            F_TRUNC_NUMERIC, F_TRUNC_NUMERIC_INT4, F_SCALE, F_MIN_SCALE, F_TRIM_SCALE,
                            // Bit by bit. Not the shifts: by more bits than there are, C leaves the result open.
                            F_INT2AND, F_INT2OR, F_INT2XOR, F_INT2NOT, F_INT4AND, F_INT4OR, F_INT4XOR, F_INT4NOT,
                            F_INT8AND, F_INT8OR, F_INT8XOR, F_INT8NOT};

// Counts and positions.
constexpr Oid kPlacesInText[] = {F_LENGTH_TEXT,
                                 F_LENGTH_BPCHAR,
                                 F_LENGTH_BYTEA,
                                 F_CHAR_LENGTH_TEXT,
                                 F_CHAR_LENGTH_BPCHAR,
                                 F_CHARACTER_LENGTH_TEXT,
                                 F_CHARACTER_LENGTH_BPCHAR,
                                 F_OCTET_LENGTH_TEXT,
                                 F_OCTET_LENGTH_BPCHAR,
                                 F_OCTET_LENGTH_BYTEA,
                                 F_POSITION_TEXT_TEXT,
                                 F_STRPOS,
                                 F_POSITION_BYTEA_BYTEA,
                                 F_STARTS_WITH};

// Parts of a text that are no longer than it; for any number, also a negative one.
constexpr Oid kPartsOfText[] = {F_LEFT,
                                F_RIGHT,
                                F_REVERSE_TEXT,
                                F_SUBSTR_TEXT_INT4,
                                F_SUBSTRING_TEXT_INT4,
                                F_SUBSTR_BYTEA_INT4,
                                F_SUBSTRING_BYTEA_INT4};

// The same; where every character stands is noted, in 8 bytes.
constexpr Oid kTrimmed[] = {F_BTRIM_TEXT,        F_LTRIM_TEXT,        F_RTRIM_TEXT,
                            F_BTRIM_TEXT_TEXT,   F_LTRIM_TEXT_TEXT,   F_RTRIM_TEXT_TEXT,
                            F_BTRIM_BYTEA_BYTEA, F_LTRIM_BYTEA_BYTEA, F_RTRIM_BYTEA_BYTEA};

// Character for character, so at most four bytes for one.
constexpr Oid kTranslated[] = {F_TRANSLATE};

// Networks contain each other or do not; of two families they do not.
constexpr Oid kNetworks[] = {F_NETWORK_SUB, F_NETWORK_SUBEQ, F_NETWORK_SUP, F_NETWORK_SUPEQ,   F_NETWORK_OVERLAP,
                             F_FAMILY,      F_MASKLEN,       F_HOST,        F_INET_SAME_FAMILY};

// Finite or not is one comparison; the difference of two times of day is below a day; a time moved by an interval wraps
// around.
constexpr Oid kTimes[] = {F_ISFINITE_DATE, F_ISFINITE_TIMESTAMP, F_ISFINITE_TIMESTAMPTZ, F_ISFINITE_INTERVAL,
                          F_TIME_MI_TIME,
                          // Whether two spans overlap is found by comparisons.
                          F_OVERLAPS_TIMESTAMP_TIMESTAMP_TIMESTAMP_TIMESTAMP,
                          F_OVERLAPS_TIMESTAMPTZ_TIMESTAMPTZ_TIMESTAMPTZ_TIMESTAMPTZ, F_OVERLAPS_TIME_TIME_TIME_TIME};

// Read from the array's header.
constexpr Oid kArrays[] = {F_ARRAY_LENGTH, F_ARRAY_LOWER, F_ARRAY_UPPER, F_ARRAY_NDIMS, F_CARDINALITY};

constexpr Growth kReads{0, 0, 0};  // the arguments, as they are; the result has a fixed size, or is a few bytes
constexpr Growth kCopies{1, 2,
                         200};  // no more than the argument; a growing buffer is up to twice as long as what is in it

constexpr TotalGroup kGroups[] = {
    {kFixedSize, kReads},      {kMoments, kReads},      {kNumeric, kReads},       {kText, kReads},
    {kEnum, kReads},           {kJsonb, kReads},        {kPartsOfJsonb, kCopies}, {kCasts, kCopies},
    {kNumbers, kCopies},       {kPlacesInText, kReads}, {kPartsOfText, kCopies},  {kTrimmed, {1, 8, 16}},
    {kTranslated, {4, 4, 16}}, {kNetworks, kCopies},    {kTimes, kReads},         {kArrays, kReads},
};

}  // namespace

std::span<const TotalGroup> total_always() { return kGroups; }

bool is_always_total(Oid function) {
  return std::ranges::any_of(kGroups, [function](const TotalGroup& group) {
    return std::ranges::find(group.functions, function) != group.functions.end();
  });
}

}  // namespace dp::guard
