// Hostile scripts about size: constants and parameters from nothing to 200 MB, functions with workspaces of a multiple
// of that, and nests of functions that make texts longer.
#pragma once

#include "support/fuzz_hostile_tables.h"

namespace dp::test {

// `times` nested calls, each of which makes three characters of one.
inline std::string grown(std::string text, int times) {
  const std::string upper = " COLLATE \"und-x-icu\")";
  for (int i = 0; i < times; ++i) text = "translate(upper(" + text + upper + ", upper('ΐ'" + upper + ", 'ΐΐΐ')";
  return text;
}

// A condition on one large text.
inline std::string on_text(Dice& dice, const std::string& v) {
  return dice.word({"btrim(" + v + ", 'q') = 'y'",
                    "ltrim(" + v + ", 'q') = 'y'",
                    "rtrim(" + v + ", 'xy') = 'y'",
                    "upper(" + v + ") = 'y'",
                    "upper(" + v + " COLLATE \"und-x-icu\") = 'y'",
                    "lower(" + v + " COLLATE \"de-x-icu\") = 'y'",
                    "initcap(" + v + ") = 'y'",
                    "reverse(" + v + ") = 'y'",
                    "translate(" + v + ", 'x', 'ΐ') = 'y'",
                    "replace(" + v + ", 'x', 'y') = 'y'",
                    "split_part(" + v + ", 'x', 3) = 'y'",
                    v + " LIKE '%a'",
                    "position(" + v + " IN name) > 0",
                    "position(name IN " + v + ") > 0",
                    "left(" + v + ", -1) = 'y'",
                    "substr(" + v + ", 2) = 'y'",
                    v + "::bpchar = 'y'",
                    v + " < name COLLATE \"und-x-icu\"",
                    "length(" + v + ") = 3",
                    v + "::varchar(10) = 'y'",
                    "dp_concat(" + v + ", name) = 'y'",
                    "dp_try_int(" + v + ") = 1",
                    "dp_try_numeric(" + v + ") = 1",
                    "dp_try_date(" + v + ") IS NULL",
                    "starts_with(name, " + v + ")",
                    "name = ANY (ARRAY['a', " + v + "])",
                    "greatest(name, " + v + ") = name",
                    v + " ILIKE 'a%'",
                    "dp_try_float(" + v + ") = 1",
                    "right(" + v + ", -1) = 'y'",
                    "octet_length(" + v + ") = 1",
                    "dp_concat(" + v + ", " + v + ") = 'y'"});
}

inline std::string on_bytes(Dice& dice, const std::string& v) {
  return dice.word({"length(" + v + ") = 3", "btrim(" + v + ", '\\x61') = by", v + " = by", "substr(" + v + ", 2) = by",
                    "position(by IN " + v + ") > 0", v + " LIKE '\\x61'"});
}

// A nest over a constant, or over a value of the row.
inline Script growth(Dice& dice) {
  const bool large = dice.once_in(3);
  const std::string begin = large ? "CASE WHEN id = 7 THEN repeat('ΐ', 1000) ELSE '' END"
                                  : dice.word({"CASE WHEN id = 7 THEN repeat('ΐ', 10) ELSE '' END",
                                               "CASE WHEN id = 7 THEN long ELSE '' END", "long"});
  return {asks_question(question(dice, on_text(dice, grown(begin, large ? 10 + dice.below(2) : dice.below(8)))))};
}

inline Script sizes(Dice& dice) {
  static const std::vector<std::string> few = {"0", "1", "100", "1000", "100000", "1000000"},
                                        many = {"10000000", "34000000", "70000000", "140000000", "200000000"};
  const std::string n = dice.one_of(dice.once_in(2) ? many : few);
  Script script;
  if (dice.once_in(4)) script.push_back(asks(kParallel));
  const bool parameter = dice.once_in(2), bytes = dice.once_in(5);
  const std::string value =
      bytes ? "decode(repeat('61', " + n + "), 'hex')"
            : dice.word({"repeat('x', " + n + ")", "lpad('x', " + n + ")", "repeat('ΐ', " + n + " / 2)",
                         "repeat(' ', " + n + ")", "repeat('1', " + n + ")"});
  const std::string v = "CASE WHEN id = 7 THEN " + std::string(parameter ? "$1" : value) + " END";
  const std::string text = question(dice, bytes ? on_bytes(dice, v) : on_text(dice, v));
  if (!parameter) return script + Script{asks_question(text)};
  const std::string call = "EXECUTE q(" + value + ")";
  script.push_back(asks(std::string("PREPARE q(") + (bytes ? "bytea" : "text") + ") AS " + text));
  if (dice.once_in(2)) script.push_back(asks("SET plan_cache_mode = force_generic_plan"));
  return script + Script{asks_question(call)};
}

}  // namespace dp::test
