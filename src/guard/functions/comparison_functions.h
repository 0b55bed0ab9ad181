// Comparisons: = <> < <= > >= of a type, or of two. All of them are total.
#pragma once

#include "guard/functions/rows.h"

namespace dp::guard {

#define SIX(first, second)                                                                                           \
  F_##first##EQ##second, F_##first##NE##second, F_##first##LT##second, F_##first##LE##second, F_##first##GT##second, \
      F_##first##GE##second

inline constexpr FunctionFacts kTextsCompared{.total = Total::always, .growth = kReads};

consteval OfCitext small_letters(const char* symbol) { return {ClanguageId, symbol, 2, CitextMeaning::folded}; }

inline constexpr auto kComparisonFunctions = together(
    // Values of a fixed size: their bits are compared. Floating point has an order with NaN in it; an interval is
    // summed up in 128 bits; times with zones are shifted in 64 bits.
    each({SIX(INT2, ),     SIX(INT4, ),      SIX(INT8, ),       SIX(INT24, ),        SIX(INT42, ),     SIX(INT28, ),
          SIX(INT82, ),    SIX(INT48, ),     SIX(INT84, ),      SIX(FLOAT4, ),       SIX(FLOAT8, ),    SIX(FLOAT48, ),
          SIX(FLOAT84, ),  SIX(OID, ),       SIX(BOOL, ),       SIX(CHAR, ),         SIX(CASH_, ),     SIX(DATE_, ),
          SIX(TIME_, ),    SIX(TIMETZ_, ),   SIX(TIMESTAMP_, ), SIX(TIMESTAMPTZ_, ), SIX(INTERVAL_, ), SIX(UUID_, ),
          SIX(MACADDR_, ), SIX(MACADDR8_, ), SIX(NETWORK_, )},
         {.total = Total::always, .growth = kReads}),
    // A date is made a timestamp, and a timestamp one with time zone, by the variant that reports overflow, not by the
    // cast that raises it; what overflows compares as beyond every timestamp.
    each({SIX(DATE_, _TIMESTAMP), SIX(DATE_, _TIMESTAMPTZ), SIX(TIMESTAMP_, _DATE), SIX(TIMESTAMPTZ_, _DATE),
          SIX(TIMESTAMP_, _TIMESTAMPTZ), SIX(TIMESTAMPTZ_, _TIMESTAMP)},
         {.total = Total::always, .growth = kReads}),
    // Digits are compared where they stand. Both sides are numeric: a float8 beside one is made from it by a cast of
    // its own.
    each({SIX(NUMERIC_, )}, {.total = Total::always, .growth = kReads}),
    // Bytes are compared, or in other collations by the C library or ICU, which give some order to every text that the
    // encoding allows. A text without a collation and a nondeterministic collation are for admission to refuse.
    each({SIX(BPCHAR, ), SIX(NAME, ), SIX(NAME, TEXT), F_TEXTEQNAME, F_TEXTNENAME, F_TEXTLTNAME, F_TEXTLENAME,
          F_TEXTGTNAME, F_TEXTGENAME, SIX(BYTEA, ), F_BPCHAR_PATTERN_LT, F_BPCHAR_PATTERN_LE, F_BPCHAR_PATTERN_GT,
          F_BPCHAR_PATTERN_GE},
         {.total = Total::always, .growth = kReads}),
    // citext's library compares both sides in small letters, those of the database's collation, byte by byte where it is
    // about equality and by the operator's collation where it is about order.
    of_citext(F_TEXTEQ, small_letters("citext_eq"), kTextsCompared),
    of_citext(F_TEXTNE, small_letters("citext_ne"), kTextsCompared),
    of_citext(F_TEXT_LT, small_letters("citext_lt"), kTextsCompared),
    of_citext(F_TEXT_LE, small_letters("citext_le"), kTextsCompared),
    of_citext(F_TEXT_GT, small_letters("citext_gt"), kTextsCompared),
    of_citext(F_TEXT_GE, small_letters("citext_ge"), kTextsCompared),
    of_citext(F_TEXT_PATTERN_LT, small_letters("citext_pattern_lt"), kTextsCompared),
    of_citext(F_TEXT_PATTERN_LE, small_letters("citext_pattern_le"), kTextsCompared),
    of_citext(F_TEXT_PATTERN_GT, small_letters("citext_pattern_gt"), kTextsCompared),
    of_citext(F_TEXT_PATTERN_GE, small_letters("citext_pattern_ge"), kTextsCompared),
    // Labels are ordered by a list that is read from pg_enum, where every label that a row can hold is for good.
    each({SIX(ENUM_, )}, {.total = Total::always, .growth = kReads}),
    // Containers are walked by iterators that do not recurse.
    each({SIX(JSONB_, )}, {.total = Total::always, .growth = kReads}),
    // Arrays are taken apart: 8 bytes for each element of at most 2^27, which is the most that an array has.
    each({F_ARRAY_EQ, F_ARRAY_NE}, {.total = Total::if_equal_elements, .growth = kReads}),
    each({F_ARRAY_LT, F_ARRAY_LE, F_ARRAY_GT, F_ARRAY_GE}, {.total = Total::if_ordered_elements, .growth = kReads}),
    each({F_RANGE_EQ, F_RANGE_NE}, {.total = Total::if_own_ranges, .growth = kCopies}),
    // Networks contain each other or do not; of two families they do not.
    each({F_NETWORK_SUB, F_NETWORK_SUBEQ, F_NETWORK_SUP, F_NETWORK_SUPEQ, F_NETWORK_OVERLAP, F_FAMILY, F_MASKLEN,
          F_HOST, F_INET_SAME_FAMILY},
         {.total = Total::always, .growth = kCopies, .never_null = true}));

#undef SIX

}  // namespace dp::guard
