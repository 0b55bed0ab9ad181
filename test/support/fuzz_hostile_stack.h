// Hostile scripts about the stack: questions asked from deeper and deeper, until there is none left.
#pragma once

#include "support/fuzz_hostile_tables.h"

namespace dp::test {

// deepest() tells how deep one can be and still ask. What is asked has been planned before, since planning takes more
// stack than running.
inline Step makes_deepest(const std::string& question) {
  return asks(R"(
CREATE FUNCTION dive(depth int) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  IF depth > 0 THEN RETURN dive(depth - 1); END IF;
  PERFORM * FROM ()" +
              question + R"() AS q;
  RETURN 1;
END $$;
CREATE FUNCTION deepest() RETURNS int LANGUAGE plpgsql AS $$
DECLARE low int := 0; high int := 4000; middle int;
BEGIN
  PERFORM dive(0);
  WHILE high - low > 1 LOOP
    middle := (low + high) / 2;
    BEGIN PERFORM dive(middle); low := middle; EXCEPTION WHEN OTHERS THEN high := middle; END;
  END LOOP;
  RETURN low;
END $$)");
}

inline std::string repeated(const std::string& text, int times) {
  std::string whole;
  for (int i = 0; i < times; ++i) whole += text;
  return whole;
}

inline Script stack(Dice& dice) {
  const int times = dice.one_of<int>({10, 100, 240, 300, 400, 490});
  const std::string nested = repeated("[", times) + repeated("]", times);
  const std::string condition =
      dice.word({"name LIKE '" + repeated("%a", times) + "'", "name LIKE '" + repeated("%a", times) + "%'",
                 "name ILIKE '" + repeated("%A", times) + "'", "name NOT LIKE '" + repeated("%a", times) + "'",
                 "name LIKE ANY (ARRAY['" + repeated("%a", times) + "'])", "doc @> '" + nested + "'",
                 "'" + nested + "' <@ doc", "doc = '" + nested + "'", "doc::text = ''", "dp_try_numeric(name) = 1",
                 "upper(name COLLATE \"und-x-icu\") = 'A'", "name < 'aab' COLLATE \"de-x-icu\"",
                 "jsonb_typeof(doc -> 0 -> 0) = 'array'", "convert_from(by, 'UTF8') = ''",
                 "tag LIKE '" + repeated("%a", times) + "'", "lower(long) LIKE '" + repeated("%ΐ", times) + "'"});
  Script script;
  if (dice.once_in(4)) script.push_back(asks("SET enable_seqscan = off"));
  return script + Script{makes_deepest(question(dice, dice.once_in(2) ? for_missing(dice, condition) : condition)),
                         reads("SELECT deepest()")};
}

}  // namespace dp::test
