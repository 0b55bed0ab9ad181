// Hostile scripts about facts that bounds rely on (unique indexes, partitions, children, declarations): a curator
// changes them beside an older snapshot, between planning and running, and while a function of the asker's holds
// planning open.
#pragma once

#include "support/fuzz_hostile_tables.h"

namespace dp::test {

// Where the unit is not unique one row of it counts: more of them are seen only where it is taken for unique.
inline Step takes_one_row() { return asks("SET dp.max_rows_per_unit = 1"); }

// stays: a unit has one row. In stays_2, of the same shape, the missing unit has a thousand, until they are deleted.
inline Step makes_stays(bool partitioned) {
  const std::string table =
      partitioned ? "CREATE TABLE stays (person int, k int) PARTITION BY LIST (person); CREATE TABLE stays_1 "
                    "PARTITION OF stays (person PRIMARY KEY) FOR VALUES IN (2, 3, 4); "
                    "CREATE UNIQUE INDEX stays_unique ON stays (person); "
                  : "CREATE TABLE stays (person int CONSTRAINT stays_unique PRIMARY KEY, k int); ";
  return curates(
      table +
      "INSERT INTO stays SELECT i, i FROM generate_series(2, 4) i; CREATE TABLE stays_2 (person int NOT NULL, k int); "
      "INSERT INTO stays_2 SELECT 1, i FROM generate_series(1, 1000) i WHERE {there}; "
      "SELECT dp.protect('stays', 1e9, privacy_unit => 'person', min_query_epsilon => 1e-9), dp.grant_budget('stays', "
      "'hostile_asker', 1e9, "
      "allow_leaks => true)");
}

inline Step drops_stays() {
  return curates("SELECT dp.unprotect('stays'); DROP TABLE stays CASCADE; DROP TABLE IF EXISTS stays_2");
}

inline Step makes_waits() { return asks(kWaitsAtGate); }

inline const std::string kAttaches =
    "DELETE FROM stays_2; ALTER TABLE stays_2 ADD PRIMARY KEY (person); ALTER TABLE stays ATTACH PARTITION stays_2 FOR "
    "VALUES IN "
    "(1)";
inline const std::string kInherits = "ALTER TABLE stays_2 INHERIT stays";

inline Script facts(Dice& dice) {
  const bool partitioned = dice.once_in(2);
  const std::string change =
      partitioned
          ? kAttaches
          : dice.word({kInherits, "DELETE FROM stays_2; " + kInherits,
                       "ALTER TABLE stays DROP CONSTRAINT stays_unique; INSERT INTO stays SELECT 1, i FROM "
                       "generate_series(1, 1000) i WHERE {there}",
                       "ALTER TABLE stays RENAME person TO p",
                       "SELECT dp.protect('stays', 1e9, privacy_unit => 'k', max_rows_per_unit => 3, min_query_epsilon "
                       "=> 1e-9)",
                       "DROP INDEX IF EXISTS stays_k; CREATE UNIQUE INDEX stays_k ON stays (k)",
                       "SELECT dp.revoke_budget('stays', 'hostile_asker')", "ALTER TABLE stays ALTER k SET NOT NULL"});
  const std::string question = dice.word(
      {"SELECT dp_count('*', 1000) AS n FROM stays", "SELECT dp_count(DISTINCT k, 1000) AS n FROM stays",
       "SELECT dp_sum(k, 0, 1, 1000) AS n FROM stays", "SELECT dp_count('*', 1000) AS n FROM stays WHERE person < 3"});
  Script script{makes_stays(partitioned), takes_one_row()};
  const bool locks = change.find("DROP CONSTRAINT") != std::string::npos ||
                     change.find("RENAME") != std::string::npos || change.find("NOT NULL") != std::string::npos ||
                     change.find("INDEX IF") != std::string::npos;
  switch (locks ? 0 : dice.below(4)) {
    case 0:
      script = script + Script{asks("PREPARE q AS " + question), asks_within("EXECUTE q", 1.01), curates(change),
                               asks_within("EXECUTE q", 1.01)};
      break;
    case 1:
      script = script + Script{asks("BEGIN ISOLATION LEVEL REPEATABLE READ"), asks("SELECT 1"), curates(change),
                               asks_within(question, 1.01), asks("ROLLBACK")};
      break;
    case 2:
      script = script + Script{asks("BEGIN"), asks("DECLARE c CURSOR FOR " + question), curates(change),
                               asks_within("FETCH ALL FROM c", 1.01), asks("ROLLBACK")};
      break;
    default:
      script = script + Script{makes_waits(),
                               begins("CREATE TEMP TABLE answer AS SELECT waits(), q.* FROM (" + question + ") AS q"),
                               curates(change), finishes(), asks_within("SELECT n FROM pg_temp.answer", 1.01)};
  }
  return script + Script{drops_stays()};
}

}  // namespace dp::test
