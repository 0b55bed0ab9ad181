// Hostile scripts about operators: over functions of PostgreSQL's own, in a schema of the asker's, with negators,
// commutators and estimates that are not theirs.
#pragma once

#include "support/fuzz_hostile_tables.h"

namespace dp::test {

// A function of the asker's that keeps what it sees in a table of his, pg_temp.seen.
inline Step makes_spy(const std::string& name, const std::string& type) {
  return asks("CREATE TEMP TABLE IF NOT EXISTS seen (v text); CREATE FUNCTION " + name + "(a " + type + ", b " + type +
              ") RETURNS bool LANGUAGE plpgsql AS $$ BEGIN INSERT INTO pg_temp.seen VALUES (a::text); RETURN a IS "
              "DISTINCT FROM b; END $$");
}

inline Step reads_seen() { return reads("SELECT DISTINCT v FROM pg_temp.seen ORDER BY 1"); }

// The operator `op` over a function of PostgreSQL's, and !!! over his own, as its negator.
inline Script makes_liar(const std::string& schema, const std::string& op, const std::string& function,
                         const std::string& type, const std::string& more = "") {
  const std::string types = ", LEFTARG = " + type + ", RIGHTARG = " + type;
  return {makes_spy(schema + ".spy", type),
          asks("CREATE OPERATOR " + schema + "." + op + " (FUNCTION = " + function + types + ", NEGATOR = OPERATOR(" +
               schema + ".!!!)" + more + ")"),
          asks("CREATE OPERATOR " + schema + ".!!! (FUNCTION = " + schema + ".spy" + types + ", NEGATOR = OPERATOR(" +
               schema + "." + op + "))")};
}

struct Comparable {
  std::string type;
  std::string value;  // of a row
  std::string constant;
  std::vector<std::string> functions;
};

inline const std::vector<Comparable> kComparable = {
    {"text", "name", "'n1'", {"texteq", "textne", "text_lt", "text_ge", "textlike", "text_pattern_lt"}},
    {"text", "dp_concat(name, ill::text)", "''", {"texteq", "textne", "text_gt", "textnlike"}},
    {"int", "id", "7", {"int4eq", "int4ne", "int4lt", "int4ge"}},
    {"int", "x", "7", {"int4eq", "int4ne", "int4gt", "int4le"}},
    {"bool", "ill", "true", {"booleq", "boolne", "boollt"}},
    {"float8", "price", "1.0", {"float8eq", "float8ne", "float8lt", "float8ge"}},
    {"numeric", "amount", "1.00", {"numeric_eq", "numeric_lt"}},
    {"name", "tag", "'n1'", {"nameeq", "namene", "namelt"}},
    {"bytea", "by", "'\\x0031'", {"byteaeq", "byteane", "bytealt"}},
    {"timestamptz", "moment", "'2024-03-07 12:00+00'", {"timestamptz_eq", "timestamptz_lt"}},
    {"jsonb", "doc", "'{}'", {"jsonb_eq", "jsonb_lt", "jsonb_contains"}},
    {"inet", "ip", "'10.0.0.7'", {"network_eq", "network_lt", "network_sub"}},
};

inline Script operators(Dice& dice) {
  const Comparable what = dice.one_of(kComparable);
  const std::string schema = dice.once_in(2) ? "pg_temp" : "{side}_own",
                    name = dice.word({"=~~~", "=", "<", "<>", "@@@"});
  const std::string function = dice.one_of(what.functions);
  std::string more;
  if (dice.once_in(3)) more += ", COMMUTATOR = OPERATOR(" + schema + "." + dice.word({"!!!", "###", name}) + ")";
  if (dice.once_in(3))
    more += ", RESTRICT = " +
            dice.word({"eqsel", "neqsel", "scalarltsel", "scalargesel", "contsel", "likesel", "matchingsel"});
  if (dice.once_in(3)) more += ", JOIN = " + dice.word({"eqjoinsel", "neqjoinsel", "scalarltjoinsel", "contjoinsel"});
  if (dice.once_in(4)) more += ", HASHES";
  if (dice.once_in(4)) more += ", MERGES";
  Script script = some_settings(dice) + makes_liar(schema, name, function, what.type, more);
  const std::string types = ", LEFTARG = " + what.type + ", RIGHTARG = " + what.type;
  if (dice.once_in(2))
    script.push_back(asks("CREATE OPERATOR " + schema + ".### (FUNCTION = " + schema + ".spy" + types +
                          ", COMMUTATOR = OPERATOR(" + schema + "." + name + "))"));
  const bool found = dice.once_in(3);  // by its name alone
  if (found) script.push_back(asks("SET search_path = {side}_own, {side}, public, pg_catalog"));
  const std::string op = found ? " " + name + " " : " OPERATOR(" + schema + "." + name + ") ", value = what.value,
                    constant = what.constant + "::" + what.type;
  const std::string condition =
      dice.word({"NOT (" + value + op + constant + ")", "NOT (" + constant + op + value + ")", value + op + constant,
                 "NOT (" + value + op + "ANY (ARRAY[" + constant + "]))", value + op + "ALL (ARRAY[" + constant + "])",
                 "(" + value + op + constant + ") IS NOT TRUE", "(" + value + op + value + ") = false",
                 value + " IN (" + constant + ", NULL)", value + " NOT IN (" + constant + ")",
                 "nullif(" + value + ", " + constant + ") IS NULL", value + " IS DISTINCT FROM " + constant,
                 "CASE " + value + " WHEN " + constant + " THEN false ELSE true END",
                 value + " BETWEEN " + constant + " AND " + constant,
                 "CASE WHEN NOT (" + value + op + constant + ") THEN ill END",
                 "NOT (" + value + op + constant + " OR " + value + op + constant + ")"});
  const std::string text = question(dice, dice.once_in(3) ? for_missing(dice, condition) : condition);
  const std::string change = dice.word(
      {"DROP OPERATOR " + schema + ".!!! (" + what.type + ", " + what.type + ")",
       "ALTER OPERATOR " + schema + "." + name + " (" + what.type + ", " + what.type + ") SET (RESTRICT = NONE)",
       "ALTER OPERATOR " + schema + "." + name + " (" + what.type + ", " + what.type +
           ") SET (RESTRICT = eqsel, JOIN = eqjoinsel)",
       "DROP FUNCTION " + schema + ".spy CASCADE"});
  script = script + (dice.once_in(2) ? Script{asks_question(text)} : question_around(dice, text, change));
  return script + Script{reads_seen()};
}

}  // namespace dp::test
