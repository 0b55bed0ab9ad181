// Scripts of questions about persons whom foreign keys lead to, of rows and of persons, over tables that lack all
// rows of one of them at once, while rows and constraints change. What PostgreSQL itself would answer is known of many.
#pragma once

#include "support/fuzz_hostile_tables.h"
#include "support/fuzz_people.h"

namespace dp::test {

// What a curator does between two questions. Rows become nobody's, or go; a step of the path is gone for a while.
inline Script path_change(const PathWorld& world, Dice& dice) {
  switch (dice.below(6)) {
    case 0:
      return {curates(world.all_named ? "DELETE FROM calls WHERE id % 2 = 0"
                                      : "UPDATE orders SET ck = NULL WHERE ok % 5 = 0")};
    case 1:
      return {curates("DELETE FROM lines WHERE n = 2")};
    case 2:
      return {curates("ALTER TABLE orders DROP CONSTRAINT of_customer"), asks("SELECT dp_count('*', 1e6) FROM lines"),
              curates("ALTER TABLE orders ADD CONSTRAINT of_customer FOREIGN KEY (ck) REFERENCES customer")};
    case 3:
      return {curates("SELECT dp.protect('lines', 9e9, 0.5, answer_epsilon => 1e6)")};
    case 4:
      return {curates("CREATE INDEX ON lines (ok); CREATE INDEX ON orders (ck)")};
    default:
      return {curates("UPDATE lines SET ok = NULL WHERE n = 3")};
  }
}

inline Script asked_of_paths(Dice& dice, bool about_people) {
  const PathWorld world = path_world(dice);
  Script script = Script{makes_paths(world, dice)} + some_settings(dice);
  for (const std::string setting :
       {"enable_hashagg = off", "enable_hashjoin = off; SET enable_mergejoin = off", "work_mem = '64kB'"})
    if (dice.once_in(5)) script.push_back(asks("SET " + setting));
  if (world.lowered) script.push_back(asks("SET dp.max_rows_per_unit = 2"));
  PathQuestions questions(world, dice);
  for (int i = 0; i < 8; ++i) {
    if (dice.once_in(8)) script = script + path_change(world, dice);
    Step question = questions.ask(about_people);
    script.push_back(reads("EXPLAIN (VERBOSE, COSTS) " + question.sql));
    const std::string text = question.sql;
    if (dice.once_in(6)) {
      script.push_back(asks("PREPARE q AS " + text));
      question.sql = "EXECUTE q";
      script.push_back(question);
      if (dice.once_in(2)) script = script + path_change(world, dice);
      script.push_back(question);
      script.push_back(asks("DEALLOCATE q"));
    } else {
      script.push_back(question);
    }
    if (dice.once_in(8)) script.push_back(reads("SELECT dp.private_form($$" + text + "$$), dp.cost($$" + text + "$$)"));
  }
  return script + Script{drops_paths()};
}

inline Script paths(Dice& dice) { return asked_of_paths(dice, false); }
inline Script people(Dice& dice) { return asked_of_paths(dice, true); }

}  // namespace dp::test
