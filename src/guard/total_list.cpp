// Functions that are total whatever their arguments, with the evidence. sql/90_total_functions.sql runs each over the extreme
// values of its types.
//
// Two limits of the evidence, for all of them. Values are below 128 MB: above, any handling of a value, even reading it, may run
// out of memory. And no result is longer than a fixed multiple of the longest value, however calls are nested: so no ||, repeat,
// lpad, quote_literal, with which a query can make short values too long to be held, and tell by the error that one was there.
#include <algorithm>

#include "guard/total_list.h"

namespace dp::guard {
namespace {

// = <> < <= > >= of a type, or of two.
#define SIX(first, second) \
  F_##first##EQ##second, F_##first##NE##second, F_##first##LT##second, F_##first##LE##second, F_##first##GT##second, \
  F_##first##GE##second

// Values of a fixed size: their bits are compared. Floating point has an order with NaN in it; an interval is summed up in 128
// bits; times with zones are shifted in 64 bits.
constexpr Oid kFixedSize[] = {
    SIX(INT2, ), SIX(INT4, ), SIX(INT8, ), SIX(INT24, ), SIX(INT42, ), SIX(INT28, ), SIX(INT82, ), SIX(INT48, ), SIX(INT84, ),
    SIX(FLOAT4, ), SIX(FLOAT8, ), SIX(FLOAT48, ), SIX(FLOAT84, ), SIX(OID, ), SIX(BOOL, ), SIX(CHAR, ), SIX(CASH_, ),
    SIX(DATE_, ), SIX(TIME_, ), SIX(TIMETZ_, ), SIX(TIMESTAMP_, ), SIX(TIMESTAMPTZ_, ), SIX(INTERVAL_, ), SIX(UUID_, ),
    SIX(MACADDR_, ), SIX(MACADDR8_, ), SIX(NETWORK_, ),
    // The order behind GREATEST, LEAST and GROUP BY.
    F_BTINT2CMP, F_BTINT4CMP, F_BTINT8CMP, F_BTINT24CMP, F_BTINT42CMP, F_BTINT28CMP, F_BTINT82CMP, F_BTINT48CMP, F_BTINT84CMP,
    F_BTFLOAT4CMP, F_BTFLOAT8CMP, F_BTFLOAT48CMP, F_BTFLOAT84CMP, F_BTOIDCMP, F_BTBOOLCMP, F_BTCHARCMP, F_CASH_CMP, F_DATE_CMP,
    F_TIME_CMP, F_TIMETZ_CMP, F_TIMESTAMP_CMP, F_TIMESTAMPTZ_CMP, F_INTERVAL_CMP, F_UUID_CMP, F_MACADDR_CMP, F_MACADDR8_CMP,
    F_NETWORK_CMP};

// A date is made a timestamp, and a timestamp one with time zone, by the variant that reports overflow, not by the cast that
// raises it; what overflows compares as beyond every timestamp.
constexpr Oid kMoments[] = {
    SIX(DATE_, _TIMESTAMP), SIX(DATE_, _TIMESTAMPTZ), SIX(TIMESTAMP_, _DATE), SIX(TIMESTAMPTZ_, _DATE),
    SIX(TIMESTAMP_, _TIMESTAMPTZ), SIX(TIMESTAMPTZ_, _TIMESTAMP),
    F_DATE_CMP_TIMESTAMP, F_DATE_CMP_TIMESTAMPTZ, F_TIMESTAMP_CMP_DATE, F_TIMESTAMPTZ_CMP_DATE, F_TIMESTAMP_CMP_TIMESTAMPTZ,
    F_TIMESTAMPTZ_CMP_TIMESTAMP};

// Digits are compared where they stand. Both sides are numeric: a float8 beside one is made from it by a cast of its own.
constexpr Oid kNumeric[] = {SIX(NUMERIC_, ), F_NUMERIC_CMP};

// Bytes are compared, or in other collations by the C library or ICU, which give some order to every text that the encoding
// allows. A text without a collation and a nondeterministic collation are for admission to refuse.
constexpr Oid kText[] = {
    F_TEXTEQ, F_TEXTNE, F_TEXT_LT, F_TEXT_LE, F_TEXT_GT, F_TEXT_GE, SIX(BPCHAR, ), SIX(NAME, ), SIX(NAME, TEXT),
    F_TEXTEQNAME, F_TEXTNENAME, F_TEXTLTNAME, F_TEXTLENAME, F_TEXTGTNAME, F_TEXTGENAME, SIX(BYTEA, ),
    F_TEXT_PATTERN_LT, F_TEXT_PATTERN_LE, F_TEXT_PATTERN_GT, F_TEXT_PATTERN_GE, F_BPCHAR_PATTERN_LT, F_BPCHAR_PATTERN_LE,
    F_BPCHAR_PATTERN_GT, F_BPCHAR_PATTERN_GE, F_BTTEXTCMP, F_BPCHARCMP, F_BTNAMECMP, F_BTNAMETEXTCMP, F_BTTEXTNAMECMP,
    F_BYTEACMP, F_BTTEXT_PATTERN_CMP, F_BTBPCHAR_PATTERN_CMP};

// Labels are ordered by a list that is read from pg_enum, where every label that a row can hold is for good.
constexpr Oid kEnum[] = {SIX(ENUM_, ), F_ENUM_CMP};

// Containers are walked by iterators that do not recurse; what is not there is NULL. A number in one is finite, its text short.
constexpr Oid kJsonb[] = {
    SIX(JSONB_, ), F_JSONB_CMP, F_JSONB_EXISTS, F_JSONB_EXISTS_ANY, F_JSONB_EXISTS_ALL, F_JSONB_OBJECT_FIELD,
    F_JSONB_ARRAY_ELEMENT,
    F_JSONB_EXTRACT_PATH, F_JSONB_OBJECT_FIELD_TEXT, F_JSONB_ARRAY_ELEMENT_TEXT, F_JSONB_EXTRACT_PATH_TEXT, F_JSONB_TYPEOF};

// Every value of the source has one in the target, rounded where the target is coarser.
constexpr Oid kCasts[] = {
    F_INT4_INT2, F_INT8_INT2, F_INT8_INT4, F_FLOAT4_INT2, F_FLOAT4_INT4, F_FLOAT4_INT8, F_FLOAT8_INT2, F_FLOAT8_INT4,
    F_FLOAT8_INT8, F_FLOAT8_FLOAT4, F_NUMERIC_INT2, F_NUMERIC_INT4, F_NUMERIC_INT8, F_NUMERIC_FLOAT4, F_NUMERIC_FLOAT8,
    F_INT8_OID, F_INT4_BOOL, F_BOOL_INT4, F_INT4_CHAR,
    // Times of day wrap around, they do not overflow; the part of an infinite moment is NULL, its date infinite.
    F_DATE_TIMESTAMP, F_DATE_TIMESTAMPTZ, F_TIME_TIMESTAMP, F_TIME_TIMESTAMPTZ, F_TIME_INTERVAL, F_TIME_TIMETZ, F_TIMETZ_TIME,
    F_TIMETZ_TIMESTAMPTZ, F_INTERVAL_TIME,
    // Among texts: copied, or cut between characters (a name has 63 bytes).
    F_TEXT_NAME, F_TEXT_BPCHAR, F_TEXT_CHAR, F_TEXT_BOOL, F_TEXT_INET, F_NAME_TEXT, F_NAME_BPCHAR, F_NAME_VARCHAR, F_BPCHAR_NAME,
    F_BPCHAR_CHAR, F_VARCHAR_NAME};

// No result is further from zero than the argument (or the next integer), so none overflows; integers have no such rule: -x and
// abs(x) of the smallest one raise. NaN and the infinities stay what they are.
constexpr Oid kNumbers[] = {
    F_ABS_FLOAT4, F_ABS_FLOAT8, F_FLOAT4ABS, F_FLOAT8ABS, F_FLOAT4UM, F_FLOAT8UM, F_FLOAT4UP, F_FLOAT8UP, F_INT2UP, F_INT4UP,
    F_INT8UP, F_ROUND_FLOAT8, F_DROUND, F_CEIL_FLOAT8, F_CEILING_FLOAT8, F_FLOOR_FLOAT8, F_TRUNC_FLOAT8, F_DTRUNC, F_SIGN_FLOAT8,
    F_CBRT, F_DCBRT, F_ABS_NUMERIC, F_NUMERIC_ABS, F_NUMERIC_UMINUS, F_NUMERIC_UPLUS, F_SIGN_NUMERIC, F_TRUNC_NUMERIC,
    F_TRUNC_NUMERIC_INT4, F_SCALE, F_MIN_SCALE, F_TRIM_SCALE,
    // Bit by bit. Not the shifts: by more bits than there are, C leaves the result open.
    F_INT2AND, F_INT2OR, F_INT2XOR, F_INT2NOT, F_INT4AND, F_INT4OR, F_INT4XOR, F_INT4NOT, F_INT8AND, F_INT8OR, F_INT8XOR,
    F_INT8NOT};

// Counts, positions, and parts of a text that are no longer than it; for any number, also a negative one.
constexpr Oid kPartsOfText[] = {
    F_LENGTH_TEXT, F_LENGTH_BPCHAR, F_LENGTH_BYTEA, F_CHAR_LENGTH_TEXT, F_CHAR_LENGTH_BPCHAR, F_CHARACTER_LENGTH_TEXT,
    F_CHARACTER_LENGTH_BPCHAR, F_OCTET_LENGTH_TEXT, F_OCTET_LENGTH_BPCHAR, F_OCTET_LENGTH_BYTEA, F_POSITION_TEXT_TEXT, F_STRPOS,
    F_POSITION_BYTEA_BYTEA, F_STARTS_WITH, F_LEFT, F_RIGHT, F_REVERSE, F_SUBSTR_TEXT_INT4, F_SUBSTRING_TEXT_INT4,
    F_SUBSTR_BYTEA_INT4, F_SUBSTRING_BYTEA_INT4, F_BTRIM_TEXT, F_LTRIM_TEXT, F_RTRIM_TEXT, F_BTRIM_TEXT_TEXT, F_LTRIM_TEXT_TEXT,
    F_RTRIM_TEXT_TEXT, F_BTRIM_BYTEA_BYTEA, F_LTRIM_BYTEA_BYTEA, F_RTRIM_BYTEA_BYTEA,
    // Character for character, so at most four bytes for one.
    F_TRANSLATE};

// Networks contain each other or do not; of two families they do not.
constexpr Oid kNetworks[] = {F_NETWORK_SUB, F_NETWORK_SUBEQ, F_NETWORK_SUP, F_NETWORK_SUPEQ, F_NETWORK_OVERLAP, F_FAMILY,
                             F_MASKLEN,
                             F_HOST, F_INET_SAME_FAMILY};

// Finite or not is one comparison; the difference of two times of day is below a day; a time moved by an interval wraps around.
constexpr Oid kTimes[] = {F_ISFINITE_DATE, F_ISFINITE_TIMESTAMP, F_ISFINITE_TIMESTAMPTZ, F_ISFINITE_INTERVAL, F_TIME_MI_TIME};

// Read from the array's header.
constexpr Oid kArrays[] = {F_ARRAY_LENGTH, F_ARRAY_LOWER, F_ARRAY_UPPER, F_ARRAY_NDIMS, F_CARDINALITY};

constexpr TotalGroup kGroups[] = {
    {kFixedSize, nullptr, nullptr}, {kMoments, nullptr, nullptr}, {kNumeric, nullptr, nullptr},  {kText, nullptr, nullptr},
    {kEnum, nullptr, nullptr},      {kJsonb, nullptr, nullptr},   {kCasts, nullptr, nullptr},    {kNumbers, nullptr, nullptr},
    {kPartsOfText, nullptr, nullptr}, {kNetworks, nullptr, nullptr}, {kTimes, nullptr, nullptr}, {kArrays, nullptr, nullptr},
};

}  // namespace

std::span<const TotalGroup> total_always() { return kGroups; }

bool is_always_total(Oid function) {
  return std::ranges::any_of(kGroups, [function](const TotalGroup& group) {
    return std::ranges::find(group.functions, function) != group.functions.end();
  });
}

}  // namespace dp::guard
