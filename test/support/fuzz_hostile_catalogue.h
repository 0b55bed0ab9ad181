// Hostile scripts about the catalogue: functions that read it stand where only the last row of a long scan gets to, and
// what they read is dropped or altered in another session once the question is charged.
#pragma once

#include "support/fuzz_hostile_tables.h"

namespace dp::test {

// Of the table slow, whose last row is the missing one. No other row matches.
inline std::string counts_slow(const std::string& of_last, const std::string& epsilon) {
  return "SELECT dp_count('*', " + epsilon + ") FROM slow WHERE CASE WHEN id = 1000 THEN " + of_last + " ELSE " +
         slow_condition() + " END";
}

inline Script catalogue(Dice& dice) {
  const std::string test = dice.word({"has_table_privilege('flip', 'select')",
                                      "has_column_privilege('flip', 'one', 'select')",
                                      "row_security_active('flip')",
                                      "pg_get_viewdef('flip') = ''",
                                      "'flip'::regclass::oid > 0",
                                      "to_regclass('flip') IS NULL",
                                      "has_function_privilege('flop()', 'execute')",
                                      "to_regproc('flop') IS NULL",
                                      "has_type_privilege('flap', 'usage')",
                                      "'flap'::regtype::oid > 0",
                                      "to_tsvector('flup', 'x')::text = ''",
                                      "to_tsvector('flup', v)::text = ''",
                                      "pg_table_is_visible('flip'::regclass)",
                                      "pg_relation_filenode('flip') IS NULL",
                                      "obj_description('flip'::regclass) IS NULL",
                                      "enum_first(NULL::flap) IS NULL",
                                      "'a'::flap::text = v",
                                      "current_setting('own.flip') = ''",
                                      "col_description('flip'::regclass, 1) IS NULL",
                                      "pg_get_functiondef('flop()'::regprocedure) = ''",
                                      "format_type('flap'::regtype, NULL) = v",
                                      "v < 'b' COLLATE flep",
                                      "has_schema_privilege('{side}_own', 'usage')",
                                      "current_schema() = v",
                                      "pg_has_role('hostile_asker', 'usage')"});
  return {asks("CREATE VIEW flip AS SELECT 1 AS one; CREATE FUNCTION flop() RETURNS int LANGUAGE sql AS 'SELECT 1'; "
               "CREATE TYPE "
               "flap AS ENUM ('a', 'b'); "
               "CREATE TEXT SEARCH CONFIGURATION flup (COPY = simple); CREATE COLLATION flep (provider = icu, locale = "
               "'de'); SET "
               "own.flip = 'x'"),
          asks(dice.once_in(5) ? "SELECT 1" : kParallel), begins_to_pay(counts_slow(test, kTiny)),
          beside(dice.word({"DROP VIEW flip; DROP FUNCTION flop; DROP TYPE flap; DROP TEXT SEARCH CONFIGURATION flup; "
                            "DROP COLLATION flep",
                            "ALTER VIEW flip RENAME TO flipped; ALTER TYPE flap RENAME VALUE 'a' TO 'c'"})),
          finishes()};
}

}  // namespace dp::test
