// Texts, and what is made of them.
//
// Functions that make longer texts of short ones without bounds (||, repeat, lpad, quote_literal) have total forms, or
// are not called on rows.
#pragma once

#include "guard/functions/rows.h"

namespace dp::guard {

inline constexpr WholeRange kLength{0, MaxAllocSize};
inline constexpr Growth kAutomaton{0, 5, 8 << 20};

inline constexpr FunctionFacts kLikeOfEitherCase{
    .total = Total::if_pattern_of_letters, .growth = kLetters, .never_null = true, .ignores_case = true};
inline constexpr FunctionFacts kMatchOfEitherCase{.total = Total::if_regular_expression,
                                                  .growth = kAutomaton,
                                                  .failure = Failure::regular_expression,
                                                  .never_null = true,
                                                  .ignores_case = true};
inline constexpr FunctionFacts kToText{
    .meaning = Meaning::to_text, .total = Total::always, .growth = kCopies, .never_null = true};

// A function of citext that is PostgreSQL's own of texts.
consteval OfCitext in_core(const char* symbol, int arguments) {
  return {INTERNALlanguageId, symbol, arguments, CitextMeaning::same};
}

inline constexpr auto kTextFunctions = together(
    // ---- counts and positions ---------------------------------------------------------------------------------------
    each({kLengthOfText, F_LENGTH_BPCHAR, F_LENGTH_BYTEA, F_CHAR_LENGTH_TEXT, F_CHAR_LENGTH_BPCHAR,
          F_CHARACTER_LENGTH_TEXT, F_CHARACTER_LENGTH_BPCHAR},
         {.meaning = Meaning::length, .total = Total::always, .growth = kReads, .values = kLength, .never_null = true}),
    each({F_OCTET_LENGTH_TEXT, F_OCTET_LENGTH_BPCHAR, F_OCTET_LENGTH_BYTEA}, {.meaning = Meaning::octet_length,
                                                                              .total = Total::always,
                                                                              .growth = kReads,
                                                                              .values = kLength,
                                                                              .never_null = true}),
    each({F_POSITION_TEXT_TEXT, F_POSITION_BYTEA_BYTEA}, {.meaning = Meaning::position,
                                                          .total = Total::always,
                                                          .growth = kReads,
                                                          .values = kLength,
                                                          .never_null = true}),
    of_citext(F_STRPOS, {SQLlanguageId, "strpos", 2, CitextMeaning::folded},
              {.meaning = Meaning::position,
               .total = Total::always,
               .growth = kReads,
               .values = kLength,
               .never_null = true}),
    each({F_STARTS_WITH}, {.total = Total::always, .growth = kReads, .never_null = true}),
    // Four bytes of UTF-8 hold 21 bits.
    each({F_ASCII}, {.meaning = Meaning::ascii,
                     .total = Total::if_letters,
                     .growth = kReads,
                     .form = {"ascii"},
                     .values = {0, 0x1fffff}}),

    // ---- parts: no longer than the text, for any number, also a negative one ----------------------------------------
    each({F_LEFT, F_RIGHT},
         {.meaning = Meaning::left_or_right, .total = Total::always, .growth = kCopies, .never_null = true}),
    each({F_REVERSE_TEXT},
         {.meaning = Meaning::reverse, .total = Total::always, .growth = kCopies, .never_null = true}),
    each({F_SUBSTR_TEXT_INT4, F_SUBSTRING_TEXT_INT4},
         {.meaning = Meaning::substring, .total = Total::always, .growth = kCopies, .never_null = true}),
    each({F_SUBSTR_TEXT_INT4_INT4, F_SUBSTRING_TEXT_INT4_INT4},
         {.meaning = Meaning::substring, .total = Total::if_length, .growth = kCopies, .never_null = true}),
    each({F_SUBSTR_BYTEA_INT4, F_SUBSTRING_BYTEA_INT4},
         {.total = Total::always, .growth = kCopies, .never_null = true}),
    each({F_SUBSTR_BYTEA_INT4_INT4, F_SUBSTRING_BYTEA_INT4_INT4},
         {.total = Total::if_length, .growth = kCopies, .never_null = true}),
    of_citext(kSplitPart, {SQLlanguageId, "split_part", 3, CitextMeaning::part},
              {.meaning = Meaning::split_part, .total = Total::if_part, .growth = kCopies, .never_null = true}),
    // Where every character stands is noted, in 8 bytes.
    each({F_BTRIM_TEXT, F_LTRIM_TEXT, F_RTRIM_TEXT, F_BTRIM_TEXT_TEXT, F_LTRIM_TEXT_TEXT, F_RTRIM_TEXT_TEXT},
         {.meaning = Meaning::trim, .total = Total::always, .growth = {1, 8, 16}, .never_null = true}),
    each({F_BTRIM_BYTEA_BYTEA, F_LTRIM_BYTEA_BYTEA, F_RTRIM_BYTEA_BYTEA},
         {.total = Total::always, .growth = {1, 8, 16}, .never_null = true}),

    // ---- other texts ------------------------------------------------------------------------------------------------
    each({kLower, kUpper, F_INITCAP},
         {.meaning = Meaning::change_case, .total = Total::if_letters, .growth = kLetters, .never_null = true}),
    // Character for character, so at most four bytes for one.
    of_citext(F_TRANSLATE, {SQLlanguageId, "translate", 3, CitextMeaning::translation},
              {.meaning = Meaning::translate, .total = Total::always, .growth = {4, 4, 16}, .never_null = true}),
    each({F_REPLACE}, {.total = Total::if_not_longer, .growth = kCopies, .form = {"replace"}}),
    each({F_TEXTCAT}, {.meaning = Meaning::concat, .failure = Failure::joined_text, .form = {"dp_concat"}}),
    each({F_TEXTANYCAT, F_ANYTEXTCAT}, {.meaning = Meaning::concat,
                                        .failure = Failure::joined_text,
                                        .longer = {F_TEXTCAT, Lacking::cast_to_text},
                                        .prints = true}),
    each({kConcat}, {.meaning = Meaning::concat, .failure = Failure::joined_text, .form = {"concat"}, .prints = true}),
    each({F_CONCAT_WS}, {.failure = Failure::joined_text, .form = {"concat_ws"}, .prints = true}),
    each({F_FORMAT_TEXT}, {.failure = Failure::joined_text, .prints = true}),
    each({F_FORMAT_TEXT_ANY},
         {.failure = Failure::joined_text, .written_out = {Written::concatenated, kConcat}, .prints = true}),
    each({F_STRING_TO_ARRAY_TEXT_TEXT}, {.written_out = {Written::separated_parts, kSplitPart}}),
    each({kPadLeft}, {.meaning = Meaning::pad, .form = {"lpad"}}),
    each({kPadRight}, {.meaning = Meaning::pad, .form = {"rpad"}}),
    each({F_LPAD_TEXT_INT4}, {.meaning = Meaning::pad, .longer = {kPadLeft, Lacking::blank_behind}}),
    each({F_RPAD_TEXT_INT4}, {.meaning = Meaning::pad, .longer = {kPadRight, Lacking::blank_behind}}),
    each({F_REPEAT}, {.meaning = Meaning::repeat, .form = {"repeat"}}),
    each({F_OVERLAY_TEXT_TEXT_INT4, F_OVERLAY_TEXT_TEXT_INT4_INT4}, {.form = {"overlay"}}),
    each({F_ENCODE}, {.form = {"encode"}}), each({F_CHR}, {.form = {"chr"}}),
    each({F_MD5_TEXT, F_MD5_BYTEA}, {.failure = Failure::digest}),

    // ---- patterns ---------------------------------------------------------------------------------------------------
    // LIKE is matched in place, without copies of text or pattern.
    each({kLike, F_TEXTNLIKE, F_BPCHARLIKE, F_BPCHARNLIKE, F_NAMELIKE, F_NAMENLIKE, F_BYTEALIKE, F_BYTEANLIKE,
          F_LIKE_TEXT_TEXT, F_NOTLIKE_TEXT_TEXT, F_LIKE_NAME_TEXT, F_NOTLIKE_NAME_TEXT, F_LIKE_BYTEA_BYTEA,
          F_NOTLIKE_BYTEA_BYTEA},
         {.total = Total::if_pattern, .growth = kReads, .never_null = true}),
    each({F_BPCHARICLIKE, F_BPCHARICNLIKE, F_NAMEICLIKE, F_NAMEICNLIKE}, kLikeOfEitherCase),
    of_citext(F_TEXTICLIKE, in_core("texticlike", 2), kLikeOfEitherCase),
    of_citext(F_TEXTICNLIKE, in_core("texticnlike", 2), kLikeOfEitherCase),
    // The text is taken apart into characters of four bytes; the automaton of a plain pattern takes less than 8 MB.
    each({F_TEXTREGEXEQ, F_TEXTREGEXNE, F_NAMEREGEXEQ, F_NAMEREGEXNE, F_BPCHARREGEXEQ, F_BPCHARREGEXNE},
         {.total = Total::if_regular_expression,
          .growth = kAutomaton,
          .failure = Failure::regular_expression,
          .never_null = true}),
    each({F_NAMEICREGEXEQ, F_NAMEICREGEXNE, F_BPCHARICREGEXEQ, F_BPCHARICREGEXNE}, kMatchOfEitherCase),
    of_citext(F_TEXTICREGEXEQ, in_core("texticregexeq", 2), kMatchOfEitherCase),
    of_citext(F_TEXTICREGEXNE, in_core("texticregexne", 2), kMatchOfEitherCase),
    each({F_SUBSTRING_TEXT_TEXT}, {.meaning = Meaning::substring,
                                   .failure = Failure::regular_expression,
                                   .form = {.name = "substring", .of_pattern = true}}),
    each({F_SUBSTRING_TEXT_TEXT_TEXT}, {.meaning = Meaning::substring, .failure = Failure::regular_expression}),
    each({F_REGEXP_REPLACE_TEXT_TEXT_TEXT},
         {.failure = Failure::regular_expression, .form = {.name = "regexp_replace", .of_pattern = true}}),
    of_citext(F_REGEXP_REPLACE_TEXT_TEXT_TEXT_TEXT, {SQLlanguageId, "regexp_replace", 3, CitextMeaning::ignoring},
              {.failure = Failure::regular_expression, .form = {.name = "regexp_replace", .of_pattern = true}}),
    each({F_REGEXP_COUNT_TEXT_TEXT},
         {.failure = Failure::regular_expression, .form = {.name = "regexp_count", .of_pattern = true}}),
    each({F_REGEXP_INSTR_TEXT_TEXT},
         {.failure = Failure::regular_expression, .form = {.name = "regexp_instr", .of_pattern = true}}),
    each({F_REGEXP_LIKE_TEXT_TEXT},
         {.failure = Failure::regular_expression, .written_out = {Written::matched, F_TEXTREGEXEQ}}),
    each({F_REGEXP_LIKE_TEXT_TEXT_TEXT},
         {.failure = Failure::regular_expression, .written_out = {Written::matched, F_TEXTICREGEXEQ}}),
    each({F_REGEXP_SUBSTR_TEXT_TEXT},
         {.failure = Failure::regular_expression, .written_out = {Written::matched_text, F_SUBSTRING_TEXT_TEXT}}),
    each({F_REGEXP_MATCH_TEXT_TEXT},
         {.failure = Failure::regular_expression, .written_out = {Written::matched_parts, F_SUBSTRING_TEXT_TEXT}}),
    each({F_REGEXP_MATCH_TEXT_TEXT_TEXT}, {.failure = Failure::regular_expression}),

    // ---- casts: copied, or cut between characters (a name has 63 bytes) ---------------------------------------------
    each({F_TEXT_NAME, F_TEXT_CHAR, F_BPCHAR_NAME, F_VARCHAR_NAME}, kToText),
    of_citext(F_TEXT_BPCHAR, in_core("rtrim1", 1), kToText), of_citext(F_TEXT_BOOL, in_core("booltext", 1), kToText),
    of_citext(F_TEXT_INET, in_core("network_show", 1), kToText),
    each({F_NAME_TEXT, F_NAME_BPCHAR, F_NAME_VARCHAR}, {.total = Total::always, .growth = kCopies, .never_null = true}),
    each({F_VARCHAR_VARCHAR_INT4_BOOL, F_BPCHAR_BPCHAR_INT4_BOOL},
         {.total = Total::if_written_cast, .growth = {1, 2, 8000}, .never_null = true}),
    each({F_TO_CHAR_INT4_TEXT, F_TO_CHAR_INT8_TEXT, F_TO_CHAR_FLOAT4_TEXT, F_TO_CHAR_FLOAT8_TEXT,
          F_TO_CHAR_NUMERIC_TEXT},
         {.meaning = Meaning::to_char, .failure = Failure::shown_number, .form = {"to_char", true, 1}}),
    each({F_TO_NUMBER}, {.failure = Failure::read_number, .form = {"to_number"}}));

}  // namespace dp::guard
