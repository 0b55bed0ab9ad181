// Functions that are asked for often and are not total: when they fail, and what to write instead.
#include <algorithm>

#include "guard/admission/always_total.h"

namespace dp::guard {
namespace {

#define EACH_INTEGERS(name)                                                                                            \
  F_INT2##name, F_INT4##name, F_INT8##name, F_INT24##name, F_INT42##name, F_INT28##name, F_INT82##name, F_INT48##name, \
      F_INT84##name
#define EACH_FLOATS(name) F_FLOAT4##name, F_FLOAT8##name, F_FLOAT48##name, F_FLOAT84##name

struct Failure {
  std::span<const Oid> functions;
  Verdict verdict;
};

constexpr Oid kAdd[] = {EACH_INTEGERS(PL), EACH_FLOATS(PL), F_NUMERIC_ADD, F_CASH_PL};
constexpr Oid kSub[] = {EACH_INTEGERS(MI), EACH_FLOATS(MI), F_NUMERIC_SUB, F_CASH_MI};
constexpr Oid kMul[] = {EACH_INTEGERS(MUL), EACH_FLOATS(MUL), F_NUMERIC_MUL};
constexpr Oid kDiv[] = {EACH_FLOATS(DIV), F_NUMERIC_DIV, F_NUMERIC_DIV_TRUNC, F_DIV};
constexpr Oid kMod[] = {F_NUMERIC_MOD, F_MOD_NUMERIC_NUMERIC};
constexpr Oid kMinus[] = {F_INT2UM,  F_INT4UM,   F_INT8UM,   F_INT2ABS, F_INT4ABS,
                          F_INT8ABS, F_ABS_INT2, F_ABS_INT4, F_ABS_INT8};
constexpr Oid kAnalysis[] = {F_SQRT_FLOAT8,
                             F_DSQRT,
                             F_LN_FLOAT8,
                             F_DLOG1,
                             F_LOG_FLOAT8,
                             F_DLOG10,
                             F_LOG10_FLOAT8,
                             F_EXP_FLOAT8,
                             F_DEXP,
                             F_POW_FLOAT8_FLOAT8,
                             F_POWER_FLOAT8_FLOAT8,
                             F_DPOW,
                             F_SQRT_NUMERIC,
                             F_NUMERIC_SQRT,
                             F_LN_NUMERIC,
                             F_NUMERIC_LN,
                             F_LOG_NUMERIC,
                             F_LOG_NUMERIC_NUMERIC,
                             F_NUMERIC_LOG,
                             F_EXP_NUMERIC,
                             F_NUMERIC_EXP,
                             F_POW_NUMERIC_NUMERIC,
                             F_POWER_NUMERIC_NUMERIC,
                             F_NUMERIC_POWER};
constexpr Oid kNarrower[] = {F_INT2_INT4, F_INT2_INT8, F_INT4_INT8, F_FLOAT4_FLOAT8};
constexpr Oid kToInteger[] = {F_INT2_FLOAT4, F_INT2_FLOAT8,  F_INT4_FLOAT4,  F_INT4_FLOAT8, F_INT8_FLOAT4,
                              F_INT8_FLOAT8, F_INT2_NUMERIC, F_INT4_NUMERIC, F_INT8_NUMERIC};
constexpr Oid kNumericLength[] = {F_NUMERIC_NUMERIC_INT4};
constexpr Oid kFromJson[] = {F_INT2_JSONB,   F_INT4_JSONB,    F_INT8_JSONB, F_FLOAT4_JSONB,
                             F_FLOAT8_JSONB, F_NUMERIC_JSONB, F_BOOL_JSONB};
constexpr Oid kMoved[] = {F_DATE_PLI,
                          F_DATE_MII,
                          F_INTEGER_PL_DATE,
                          F_DATE_MI,
                          F_DATE_PL_INTERVAL,
                          F_DATE_MI_INTERVAL,
                          F_TIMESTAMP_PL_INTERVAL,
                          F_TIMESTAMP_MI_INTERVAL,
                          F_TIMESTAMPTZ_PL_INTERVAL,
                          F_TIMESTAMPTZ_MI_INTERVAL,
                          F_TIMESTAMP_MI,
                          F_TIMESTAMPTZ_MI,
                          F_INTERVAL_PL_DATE,
                          F_INTERVAL_PL_TIMESTAMP,
                          F_INTERVAL_PL_TIMESTAMPTZ,
                          F_AGE_TIMESTAMP_TIMESTAMP,
                          F_AGE_TIMESTAMPTZ_TIMESTAMPTZ,
                          F_AGE_TIMESTAMP,
                          F_AGE_TIMESTAMPTZ};
constexpr Oid kMomentCasts[] = {F_TIMESTAMP_DATE, F_TIMESTAMPTZ_DATE, F_TIMESTAMPTZ_TIMESTAMP, F_TIMESTAMP_TIMESTAMPTZ};
constexpr Oid kMomentsElsewhere[] = {F_TIMEZONE_TEXT_TIMESTAMP, F_TIMEZONE_TEXT_TIMESTAMPTZ,
                                     F_TIMEZONE_INTERVAL_TIMESTAMP, F_TIMEZONE_INTERVAL_TIMESTAMPTZ};
constexpr Oid kPartOfDate[] = {F_DATE_PART_TEXT_DATE};
constexpr Oid kTruncated[] = {F_DATE_TRUNC_TEXT_TIMESTAMPTZ_TEXT, F_DATE_BIN_INTERVAL_TIMESTAMP_TIMESTAMP,
                              F_DATE_BIN_INTERVAL_TIMESTAMPTZ_TIMESTAMPTZ, F_TIMESTAMP_TIMESTAMP_INT4,
                              F_TIMESTAMPTZ_TIMESTAMPTZ_INT4};
constexpr Oid kBuckets[] = {F_WIDTH_BUCKET_FLOAT8_FLOAT8_FLOAT8_INT4, F_WIDTH_BUCKET_NUMERIC_NUMERIC_NUMERIC_INT4};
constexpr Oid kJoined[] = {F_TEXTCAT,   F_TEXTANYCAT,  F_ANYTEXTCAT,     F_CONCAT,
                           F_CONCAT_WS, F_FORMAT_TEXT, F_FORMAT_TEXT_ANY};
constexpr Oid kShown[] = {F_TO_CHAR_TIMESTAMP_TEXT, F_TO_CHAR_TIMESTAMPTZ_TEXT, F_TO_CHAR_INTERVAL_TEXT};
constexpr Oid kShownNumbers[] = {F_TO_CHAR_NUMERIC_TEXT, F_TO_CHAR_INT4_TEXT, F_TO_CHAR_INT8_TEXT,
                                 F_TO_CHAR_FLOAT4_TEXT, F_TO_CHAR_FLOAT8_TEXT};
constexpr Oid kRead[] = {F_TO_DATE, F_TO_TIMESTAMP_TEXT_TEXT, F_MAKE_DATE, F_MAKE_TIMESTAMP};
constexpr Oid kReadNumber[] = {F_TO_NUMBER};
constexpr Oid kDigest[] = {F_MD5_TEXT, F_MD5_BYTEA};
constexpr Oid kRegular[] = {F_TEXTREGEXEQ,
                            F_TEXTREGEXNE,
                            F_TEXTICREGEXEQ,
                            F_TEXTICREGEXNE,
                            F_BPCHARREGEXEQ,
                            F_BPCHARREGEXNE,
                            F_BPCHARICREGEXEQ,
                            F_BPCHARICREGEXNE,
                            F_NAMEREGEXEQ,
                            F_NAMEREGEXNE,
                            F_NAMEICREGEXEQ,
                            F_NAMEICREGEXNE,
                            F_SUBSTRING_TEXT_TEXT,
                            F_SUBSTRING_TEXT_TEXT_TEXT,
                            F_REGEXP_LIKE_TEXT_TEXT,
                            F_REGEXP_LIKE_TEXT_TEXT_TEXT,
                            F_REGEXP_REPLACE_TEXT_TEXT_TEXT,
                            F_REGEXP_REPLACE_TEXT_TEXT_TEXT_TEXT,
                            F_REGEXP_MATCH_TEXT_TEXT,
                            F_REGEXP_MATCH_TEXT_TEXT_TEXT,
                            F_REGEXP_SUBSTR_TEXT_TEXT,
                            F_REGEXP_COUNT_TEXT_TEXT};

constexpr Failure kFailures[] = {
    {kAdd, {"it fails on overflow", "Use dp_add(x, y), which gives NULL there."}},
    {kSub, {"it fails on overflow", "Use dp_sub(x, y), which gives NULL there."}},
    {kMul, {"it fails on overflow", "Use dp_mul(x, y), which gives NULL there."}},
    {kDiv, {"it fails on division by zero and on overflow", "Use dp_div(x, y), which gives NULL there."}},
    {kMod, {"it fails on division by zero", "Use dp_mod(x, y), which gives NULL there."}},
    {kMinus,
     {"it fails on the smallest integer", "Use dp_sub(0, x), which gives NULL there; abs(x::numeric) cannot fail."}},
    {kAnalysis,
     {"it fails outside its domain and on overflow", "Compare its argument: x > 100 in place of ln(x) > ln(100)."}},
    {kToInteger, {"it fails on numbers out of range", "Use dp_try_int(x), which gives NULL there."}},
    {kNarrower,
     {"it fails on numbers out of range", "Leave the number as it is: comparisons and dp_ functions take it."}},
    {kNumericLength, {"it fails on numbers with too many digits", "Use dp_round(x, 2), or dp_try_numeric(x)."}},
    {kFromJson,
     {"it fails on other kinds of values", "Use dp_try_numeric(x ->> 'key'), dp_try_int(...) or dp_try_float(...)."}},
    {kMoved,
     {"it fails on infinite dates and on overflow", "Use dp_add(x, y) or dp_sub(x, y), which give NULL there."}},
    {kMomentCasts,
     {"it fails on moments out of range",
      "Use dp_try_timestamp(x), which gives NULL there; dates and timestamps compare without a cast."}},
    {kMomentsElsewhere,
     {"it fails on moments out of range",
      "Use date_trunc('day', x, 'Europe/Berlin'), which takes the zone; stored timestamps compare with zones without "
      "it."}},
    {kPartOfDate,
     {"it fails on dates beyond the range of timestamps", "Write extract(year FROM x), which reads the date itself."}},
    {kTruncated, {"it can fail on moments out of range", "Use dp_trunc('hour', x), which gives NULL there."}},
    {kBuckets,
     {"it fails on NaN",
      "Use dp_bucket(x, 10) for multiples of 10, or width_bucket(x, ARRAY[0, 18, 65]) for steps of your own."}},
    {kJoined, {"its result can be longer than PostgreSQL allows", "Use dp_concat(x, y), which gives NULL there."}},
    {kShown, {"it can fail on its format", "Use extract(year FROM x), or dp_trunc('month', x); format the answer."}},
    {kShownNumbers, {"it can fail on its format", "Leave the number as it is; format the answer."}},
    {kRead, {"it fails on what is no date", "Use dp_try_date(x) or dp_try_timestamp(x), which give NULL there."}},
    {kReadNumber, {"it fails on what is no number", "Use dp_try_numeric(x), which gives NULL there."}},
    {kDigest, {"it fails where the server's cryptography refuses MD5", "Compare the value itself."}},
    {kRegular,
     {"some regular expressions take very long",
      "Use x ~ 'pattern', or substring(x FROM 'pattern') and regexp_replace(x, 'pattern', 'by') with a constant "
      "pattern in which no group is repeated that is remembered: (?:ab)* in place of (ab)*.\nOr use LIKE: x LIKE "
      "'%a%'."}},
};

}  // namespace

Verdict known_failure(Oid function) {
  for (const Failure& failure : kFailures) {
    if (std::ranges::find(failure.functions, function) != failure.functions.end()) return failure.verdict;
  }
  return {"it is not known to give a result for every row",
          "A curator can store its result: ALTER TABLE ... ADD COLUMN y ... GENERATED ALWAYS AS (...) STORED."};
}

}  // namespace dp::guard
