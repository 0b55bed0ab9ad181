// Functions that are total for some arguments only, and what these are. Constants are judged here, at admission: left
// to the executor, a bad one would be reported exactly if some row got there.
#include <algorithm>
#include <iterator>

#include "guard/admission/always_total.h"
#include "guard/admission/constants.h"
#include "guard/admission/numeric_digits.h"
#include "guard/admission/objects.h"
#include "guard/admission/regular_expression.h"

namespace dp::guard {
namespace {

constexpr Verdict kTotal{nullptr, nullptr};

struct Bytes {
  const char* data;
  int size;
};

Bytes bytes(Datum value) {
  const auto* const packed = reinterpret_cast<const varlena*>(PG_DETOAST_DATUM_PACKED(value));
  return {VARDATA_ANY(packed), static_cast<int>(VARSIZE_ANY_EXHDR(packed))};
}

// ---- texts --------------------------------------------------------------------------------------------------------

// LIKE reads a pattern only as far as the row's text leads it, so an error at its end would tell of the row; and it
// recurses at each %.
Verdict judge_pattern(const Bytes& text) {
  constexpr int kLongest = 1000;
  if (text.size > kLongest) return {"its pattern has more than 1000 bytes", "Ask for a shorter part of the text."};
  for (int i = 0; i < text.size; ++i) {
    if (text.data[i] != '\\') continue;
    if (++i == text.size)
      return {"its pattern ends with the escape character", "Double the last backslash: LIKE 'a\\\\'."};
  }
  return kTotal;
}

// LIKE ANY (...) and LIKE ALL (...).
Verdict judge_patterns(const Const* array) {
  Datum* patterns;
  bool* nulls;
  int size;
  const Oid element = get_element_type(array->consttype);
  deconstruct_array(DatumGetArrayTypeP(array->constvalue), element, -1, false, TYPALIGN_INT, &patterns, &nulls, &size);
  for (int i = 0; i < size; ++i) {
    const Verdict verdict = nulls[i] ? kTotal : judge_pattern(bytes(patterns[i]));
    if (verdict.obstacle != nullptr) return verdict;
  }
  return kTotal;
}

Verdict pattern(Oid, List* arguments, Oid) {
  const Const* const value = constant(arguments, 1);
  if (value == nullptr) {
    return {"its pattern is not a constant",
            "Write the pattern as a literal; starts_with(x, y) and position(y in x) > 0 take any text."};
  }
  if (value->constisnull) return kTotal;
  switch (value->consttype) {
    case TEXTOID:
    case VARCHAROID:
    case BYTEAOID:
      return judge_pattern(bytes(value->constvalue));
    case TEXTARRAYOID:
    case VARCHARARRAYOID:
    case BYTEAARRAYOID:
      return judge_patterns(value);
    default:
      return {"its pattern is of another type", "Cast the pattern to text."};
  }
}

// In other encodings the C library may know fewer characters than PostgreSQL, and PostgreSQL raises an error for the
// rest.
Verdict letters(Oid, List*, Oid) {
  if (GetDatabaseEncoding() == PG_UTF8 || pg_database_encoding_max_length() == 1) return kTotal;
  return {"it can fail on characters of this database's encoding", "Compare without it: x IN ('a', 'A')."};
}

Verdict pattern_of_letters(Oid function, List* arguments, Oid collation) {
  const Verdict verdict = letters(function, arguments, collation);
  return verdict.obstacle != nullptr ? verdict : pattern(function, arguments, collation);
}

constexpr Oid kIgnoringCase[] = {F_TEXTICREGEXEQ, F_TEXTICREGEXNE,   F_NAMEICREGEXEQ,
                                 F_NAMEICREGEXNE, F_BPCHARICREGEXEQ, F_BPCHARICREGEXNE};

Verdict regular(Oid function, List* arguments, Oid collation) {
  const bool ignores_case =
      std::find(std::begin(kIgnoringCase), std::end(kIgnoringCase), function) != std::end(kIgnoringCase);
  return judge_regular_expression(static_cast<Node*>(lsecond(arguments)), true, {collation, ignores_case});
}

Verdict length_of_part(Oid, List* arguments, Oid) {
  const Const* const value = constant(arguments, 2);
  if (value != nullptr && (value->constisnull || integer(value, -1) >= 0)) return kTotal;
  return {"it fails on a negative length, and this one is no constant from 0 up",
          "Give the length as a constant: substr(x, 1, 3)."};
}

Verdict number_of_part(Oid, List* arguments, Oid) {
  const Const* const value = constant(arguments, 2);
  if (value != nullptr && (value->constisnull || integer(value, 0) != 0)) return kTotal;
  return {"it fails on part 0, and this one is no constant other than 0",
          "Give the part as a constant: split_part(x, '@', 2)."};
}

// Replacement texts must not be longer than what they replace: nested calls would make a text of any length.
Verdict not_longer(Oid, List* arguments, Oid) {
  const Const* const from = constant(arguments, 1);
  const Const* const to = constant(arguments, 2);
  if (from != nullptr && to != nullptr) {
    if (from->constisnull || to->constisnull) return kTotal;
    const int replaced = bytes(from->constvalue).size;  // an empty text is found nowhere
    if (replaced == 0 || bytes(to->constvalue).size <= replaced) return kTotal;
  }
  return {"its result can be longer than its argument",
          "Replace a constant by one that is not longer: replace(x, ' - ', '-')."};
}

// Explicit casts to varchar(n) and char(n) cut what is too long, implicit ones raise an error. char(n) pads every text
// to its length.
Verdict written_cast(Oid function, List* arguments, Oid) {
  constexpr int kLongest = 1000;
  const Const* const length = constant(arguments, 1);
  const Const* const is_explicit = constant(arguments, 2);
  if (is_explicit == nullptr || is_explicit->constisnull || !DatumGetBool(is_explicit->constvalue)) {
    return {"it fails on texts that are too long", "Write the cast, which cuts them: x::varchar(10)."};
  }
  if (function == F_BPCHAR_BPCHAR_INT4_BOOL &&
      (length == nullptr || integer(length, INT64_MAX) > kLongest + VARHDRSZ)) {
    return {"it makes texts of more than 1000 characters", "Use varchar(n), which adds no blanks."};
  }
  return kTotal;
}

// ---- numbers ------------------------------------------------------------------------------------------------------

Verdict divisor(Oid, List* arguments, Oid) {
  const Const* const value = constant(arguments, 1);
  if (value != nullptr && (value->constisnull || (integer(value, 0) != 0 && integer(value, 0) != -1))) return kTotal;
  return {"it fails on division by zero or on overflow, unless the divisor is a constant other than 0 and -1",
          "Use dp_div(x, y), which gives NULL there."};
}

Verdict modulus(Oid, List* arguments, Oid) {
  const Const* const value = constant(arguments, 1);
  if (value != nullptr && (value->constisnull || integer(value, 0) != 0)) return kTotal;
  return {"it fails on division by zero, unless the divisor is a constant other than 0",
          "Use dp_mod(x, y), which gives NULL there."};
}

// A numeric without a precision may have 131072 digits before the point: no room for one more.
Verdict few_digits(Oid function, List* arguments, Oid) {
  if (has_few_digits(function, arguments)) return kTotal;
  const bool to_double = function == F_FLOAT8_NUMERIC, to_float = function == F_FLOAT4_NUMERIC;
  if (to_double || to_float) {
    return {
        "it fails on numbers that are too large or too small for it, unless the column is numeric(p, s) with few "
        "digits",
        "Use dp_try_float(x), which gives NULL there, or compare with a numeric: x < 0.5::numeric."};
  }
  return {"it can overflow, unless the column is numeric(p, s)",
          "Use dp_bucket(x, 1) to round down, dp_round(x, 2) to round, trunc(x) to round towards zero."};
}

// ---- moments ------------------------------------------------------------------------------------------------------

constexpr const char* kClockFields[] = {"microseconds", "milliseconds", "second", "minute", "hour"};
constexpr const char* kSpanFields[] = {"day", "month", "quarter", "year", "decade", "century", "millennium"};
constexpr const char* kDateFields[] = {"week", "isoyear", "dow", "isodow", "doy", "julian"};

template <std::size_t size>
bool among(const Bytes& word, const char* const (&words)[size]) {
  for (const char* const known : words) {
    if (strlen(known) == static_cast<std::size_t>(word.size) && pg_strncasecmp(known, word.data, strlen(known)) == 0)
      return true;
  }
  return false;
}

bool is_word(const Bytes& word, const char* known) {
  const char* const words[] = {known};
  return among(word, words);
}

// date_part and extract: a field that exists for a type has a result for each of its values, NULL or infinity for an
// infinite one.
bool has_part(Oid function, const Bytes& field) {
  if (is_word(field, "epoch")) return true;
  switch (function) {
    case F_EXTRACT_TEXT_DATE:
      return among(field, kSpanFields) || among(field, kDateFields);
    case F_EXTRACT_TEXT_TIME:
    case F_DATE_PART_TEXT_TIME:
      return among(field, kClockFields);
    case F_EXTRACT_TEXT_TIMETZ:
    case F_DATE_PART_TEXT_TIMETZ:
      return among(field, kClockFields) || is_word(field, "timezone");
    case F_EXTRACT_TEXT_INTERVAL:
    case F_DATE_PART_TEXT_INTERVAL:
      return among(field, kClockFields) || among(field, kSpanFields);
    case F_EXTRACT_TEXT_TIMESTAMPTZ:
    case F_DATE_PART_TEXT_TIMESTAMPTZ:
      if (is_word(field, "timezone")) return true;
      [[fallthrough]];
    default:
      return among(field, kClockFields) || among(field, kSpanFields) || among(field, kDateFields);
  }
}

Verdict part_of_moment(Oid function, List* arguments, Oid) {
  const Const* const field = constant(arguments, 0);
  if (field != nullptr && (field->constisnull || has_part(function, bytes(field->constvalue)))) return kTotal;
  return {"its field is no constant that this type has",
          "Name it: extract(year FROM x), extract(dow FROM x), extract(epoch FROM x)."};
}

// date_trunc must not go below the first timestamp there is. That is a midnight in UTC, but not the start of a week,
// month or year; in other zones not even of an hour.
Verdict start_of_part(Oid function, List* arguments, Oid) {
  constexpr const char* kBelowMinute[] = {"microseconds", "milliseconds", "second"};
  constexpr const char* kHint = "Use dp_trunc('month', x), which gives NULL there.";
  const Const* const field = constant(arguments, 0);
  if (field == nullptr) return {"its field is not a constant", kHint};
  if (field->constisnull) return kTotal;
  const Bytes word = bytes(field->constvalue);
  if (among(word, kBelowMinute)) return kTotal;
  if (function == F_DATE_TRUNC_TEXT_TIMESTAMP && (among(word, kClockFields) || is_word(word, "day"))) return kTotal;
  return {"it fails near 4713 BC, or the field is none", kHint};
}

// ---- containers ---------------------------------------------------------------------------------------------------

constexpr Verdict kUnknownElements{"the elements are compared by a function that is not known to be total",
                                   "Look for one element: 'a' = ANY (x)."};

Oid element_of(List* arguments) {
  return get_element_type(getBaseType(exprType(static_cast<Node*>(linitial(arguments)))));
}

Verdict equal_elements(Oid, List* arguments, Oid) {
  const Oid element = element_of(arguments);
  if (!OidIsValid(element)) return kUnknownElements;
  const Oid equality = lookup_type_cache(element, TYPECACHE_EQ_OPR)->eq_opr;
  return is_admitted_operator(equality) && is_always_total(get_opcode(equality)) ? kTotal : kUnknownElements;
}

Verdict ordered_elements(Oid, List* arguments, Oid) {
  const Oid element = element_of(arguments);
  if (!OidIsValid(element)) return kUnknownElements;
  return is_total_order(lookup_type_cache(element, TYPECACHE_CMP_PROC)->cmp_proc, element) ? kTotal : kUnknownElements;
}

Verdict thresholds(Oid function, List* arguments, Oid collation) {
  const Const* const value = constant(arguments, 1);
  if (value == nullptr) return {"its thresholds are not a constant", "Write them: width_bucket(x, ARRAY[0, 18, 65])."};
  if (!value->constisnull) {
    ArrayType* const array = DatumGetArrayTypeP(value->constvalue);
    if (ARR_NDIM(array) > 1) {
      return {"its thresholds have more than one dimension", "Write them: width_bucket(x, ARRAY[0, 18, 65])."};
    }
    if (array_contains_nulls(array))
      return {"its thresholds hold NULL", "Write them: width_bucket(x, ARRAY[0, 18, 65])."};
  }
  return ordered_elements(function, list_make1(lsecond(arguments)), collation);
}

// PostgreSQL's own ranges, whose ends are compared by functions that are total.
Verdict own_ranges(Oid, List* arguments, Oid) {
  ListCell* cell;
  foreach (cell, arguments) {
    const Oid type = getBaseType(exprType(static_cast<Node*>(lfirst(cell))));
    if (type_is_range(type) && type >= FirstUnpinnedObjectId) {
      return {"its range is of a type that is not PostgreSQL's own", "Compare the ends where they are columns."};
    }
  }
  return kTotal;
}

// Containment of jsonb recurses as deep as the value that is looked for.
template <int place>
Verdict small_pattern(Oid, List* arguments, Oid) {
  const Const* const value = constant(arguments, place);
  if (value != nullptr && (value->constisnull || bytes(value->constvalue).size <= 1000)) return kTotal;
  return {"what is looked for is no constant of at most 1000 bytes", "Compare single fields: x ->> 'key' = 'value'."};
}

constexpr Oid kLike[] = {F_TEXTLIKE,         F_TEXTNLIKE,          F_BPCHARLIKE,     F_BPCHARNLIKE,
                         F_NAMELIKE,         F_NAMENLIKE,          F_BYTEALIKE,      F_BYTEANLIKE,
                         F_LIKE_TEXT_TEXT,   F_NOTLIKE_TEXT_TEXT,  F_LIKE_NAME_TEXT, F_NOTLIKE_NAME_TEXT,
                         F_LIKE_BYTEA_BYTEA, F_NOTLIKE_BYTEA_BYTEA};
constexpr Oid kIlike[] = {F_TEXTICLIKE, F_TEXTICNLIKE, F_BPCHARICLIKE, F_BPCHARICNLIKE, F_NAMEICLIKE, F_NAMEICNLIKE};
constexpr Oid kLetters[] = {F_LOWER_TEXT, F_UPPER_TEXT, F_INITCAP};
constexpr Oid kCode[] = {F_ASCII};
constexpr Oid kParts[] = {F_SUBSTR_TEXT_INT4_INT4, F_SUBSTRING_TEXT_INT4_INT4, F_SUBSTR_BYTEA_INT4_INT4,
                          F_SUBSTRING_BYTEA_INT4_INT4};
constexpr Oid kSplit[] = {F_SPLIT_PART};
constexpr Oid kReplace[] = {F_REPLACE};
constexpr Oid kLengthCasts[] = {F_VARCHAR_VARCHAR_INT4_BOOL, F_BPCHAR_BPCHAR_INT4_BOOL};
constexpr Oid kDivisions[] = {F_INT2DIV,  F_INT4DIV,  F_INT8DIV,  F_INT24DIV, F_INT42DIV,
                              F_INT28DIV, F_INT82DIV, F_INT48DIV, F_INT84DIV};
constexpr Oid kModuli[] = {F_INT2MOD, F_INT4MOD, F_INT8MOD, F_MOD_INT2_INT2, F_MOD_INT4_INT4, F_MOD_INT8_INT8};
constexpr Oid kFewDigits[] = {F_ROUND_NUMERIC, F_ROUND_NUMERIC_INT4, F_CEIL_NUMERIC,  F_CEILING_NUMERIC,
                              F_FLOOR_NUMERIC, F_FLOAT8_NUMERIC,     F_FLOAT4_NUMERIC};
constexpr Oid kFields[] = {F_EXTRACT_TEXT_DATE,          F_EXTRACT_TEXT_TIME,        F_EXTRACT_TEXT_TIMETZ,
                           F_EXTRACT_TEXT_TIMESTAMP,     F_EXTRACT_TEXT_TIMESTAMPTZ, F_EXTRACT_TEXT_INTERVAL,
                           F_DATE_PART_TEXT_TIME,        F_DATE_PART_TEXT_TIMETZ,    F_DATE_PART_TEXT_TIMESTAMP,
                           F_DATE_PART_TEXT_TIMESTAMPTZ, F_DATE_PART_TEXT_INTERVAL};
constexpr Oid kStarts[] = {F_DATE_TRUNC_TEXT_TIMESTAMP, F_DATE_TRUNC_TEXT_TIMESTAMPTZ};
constexpr Oid kThresholds[] = {F_WIDTH_BUCKET_ANYCOMPATIBLE_ANYCOMPATIBLEARRAY};
constexpr Oid kEqualElements[] = {F_ARRAY_EQ, F_ARRAY_NE, F_ARRAYCONTAINS, F_ARRAYCONTAINED, F_ARRAYOVERLAP};
constexpr Oid kOrderedElements[] = {F_ARRAY_LT, F_ARRAY_LE, F_ARRAY_GT, F_ARRAY_GE};
constexpr Oid kRegular[] = {F_TEXTREGEXEQ,   F_TEXTREGEXNE,   F_TEXTICREGEXEQ,   F_TEXTICREGEXNE,
                            F_NAMEREGEXEQ,   F_NAMEREGEXNE,   F_NAMEICREGEXEQ,   F_NAMEICREGEXNE,
                            F_BPCHARREGEXEQ, F_BPCHARREGEXNE, F_BPCHARICREGEXEQ, F_BPCHARICREGEXNE};
constexpr Oid kRanges[] = {F_RANGE_EQ,
                           F_RANGE_NE,
                           F_RANGE_CONTAINS,
                           F_RANGE_CONTAINED_BY,
                           F_RANGE_OVERLAPS,
                           F_RANGE_BEFORE,
                           F_RANGE_AFTER,
                           F_RANGE_OVERLEFT,
                           F_RANGE_OVERRIGHT,
                           F_RANGE_CONTAINS_ELEM,
                           F_ELEM_CONTAINED_BY_RANGE,
                           F_ISEMPTY_ANYRANGE,
                           F_LOWER_ANYRANGE,
                           F_UPPER_ANYRANGE,
                           F_LOWER_INC_ANYRANGE,
                           F_UPPER_INC_ANYRANGE,
                           F_LOWER_INF_ANYRANGE,
                           F_UPPER_INF_ANYRANGE};
constexpr Oid kContains[] = {F_JSONB_CONTAINS};
constexpr Oid kContained[] = {F_JSONB_CONTAINED};

constexpr Growth kReads{0, 0, 0};  // the arguments, as they are; the result has a fixed size
constexpr Growth kCopies{1, 2,
                         200};  // no more than the argument; a growing buffer is up to twice as long as what is in it
constexpr Growth kLettersGrow{4, 9,
                              64};  // ICU: three characters for one; its buffers have three bytes for each of these

constexpr TotalGroup kGroups[] = {
    // Matched in place, without copies of text or pattern.
    {kLike, kReads, "the pattern is a constant of at most 1000 bytes that does not end with the escape character",
     pattern},
    {kIlike, kLettersGrow, "as LIKE, in a database in UTF8 or an encoding of single bytes", pattern_of_letters},
    // The text is taken apart into characters of four bytes; the automaton of a plain pattern takes less than 8 MB.
    {kRegular, {0, 5, 8 << 20}, "the pattern is a constant of at most 200 bytes without back references", regular},
    {kLetters, kLettersGrow, "the database is in UTF8 or an encoding of single bytes", letters},
    {kCode, kReads, "the database is in UTF8 or an encoding of single bytes", letters},
    {kParts, kCopies, "the length is a constant from 0 up", length_of_part},
    {kSplit, kCopies, "the part is a constant other than 0", number_of_part},
    {kReplace, kCopies, "both texts are constants, the second not longer than the first", not_longer},
    {kLengthCasts, {1, 2, 8000}, "the cast is written, not implied; to char(n) with n up to 1000", written_cast},
    {kDivisions, kReads, "the divisor is a constant other than 0 and -1", divisor},
    {kModuli, kReads, "the divisor is a constant other than 0", modulus},
    {kFewDigits, kCopies, "the argument is numeric(p, s)", few_digits},
    {kFields, kCopies, "the field is a constant that the type has", part_of_moment},
    {kStarts, kReads, "the field is a constant from microseconds to second, without time zone to day", start_of_part},
    {kThresholds, kReads, "the thresholds are a constant without NULL, their comparison is total", thresholds},
    // Arrays are taken apart: 8 bytes for each element of at most 2^27, which is the most that an array has.
    {kEqualElements, kReads, "the equality of the elements is total", equal_elements},
    {kOrderedElements, kReads, "the order of the elements is total", ordered_elements},
    {kRanges, kCopies, "the range is of a type of PostgreSQL's own", own_ranges},
    {kContains, kReads, "the second argument is a constant of at most 1000 bytes", small_pattern<1>},
    {kContained, kReads, "the first argument is a constant of at most 1000 bytes", small_pattern<0>},
};

}  // namespace

std::span<const TotalGroup> total_under_condition() { return kGroups; }

}  // namespace dp::guard
