// Scripts of plain SQL: questions as tools write them, and the same ones again, by fewer keys, for some groups, more
// accurately, while rows, declarations and settings change between them. What is shown again or summed up is compared
// with a new answer as well.
#pragma once

#include "support/fuzz_hostile_tables.h"
#include "support/fuzz_plain.h"

namespace dp::test {

// Rows of the missing unit have ids below kMissing. Where each row is a unit there is one of them, and elsewhere five.
struct PlainWorld {
  bool has_units = false;
  int rows = 1;  // of a unit that count
  std::string missing, protect;
};

inline constexpr int kMissing = 5;

inline PlainWorld plain_world(Dice& dice, const std::string& reuse) {
  PlainWorld world;
  world.has_units = dice.once_in(3);
  for (int id = 0; id < (world.has_units ? kMissing : 1); ++id) {
    std::string values = std::to_string(id) + ", 0";
    for (const PlainColumn& column : kPlainColumns)
      values +=
          ", " + (dice.once_in(2) ? dice.one_of(column.odd) : with(column.ordinary, "{i}", std::to_string(id + 7)));
    world.missing += "INSERT INTO q SELECT " + values + " WHERE {there}; ";
  }
  world.protect = "SELECT dp.protect('q', 9e9, 0.5, answer_epsilon => 1e5, min_query_epsilon => 1e-9" + reuse;
  if (world.has_units) {
    // In a fixed order, so that it is the same rows of the others that count on both sides.
    world.protect += ", privacy_unit => 'person', rows_kept => 'first', rows_kept_by => 'id', ";
    const int kind = dice.below(3);
    world.rows = kind == 0 ? 1 : kind == 1 ? 2 : 4;
    world.protect += kind == 2 ? "max_groups_per_unit => 2, max_rows_per_group => 2"
                               : "max_rows_per_unit => " + std::to_string(world.rows);
  }
  world.protect += ")";
  return world;
}

// Three rows to each of the others.
inline Step makes_plain(const PlainWorld& world) {
  std::string columns = "id int PRIMARY KEY, person int NOT NULL", values = "i, i / 3", declared;
  for (const PlainColumn& column : kPlainColumns) {
    columns += ", " + column.name + " " + column.type;
    values += ", " + with(column.ordinary, "{i}", "i");
    if (!column.declared.empty()) declared += "; SELECT " + column.declared;
  }
  return curates(
      "CREATE TYPE feeling AS ENUM ('low', 'middle', 'high'); CREATE TABLE q (" + columns + "); INSERT INTO q SELECT " +
      values + " FROM generate_series(6, 38) AS i; " + world.missing +
      "CREATE TABLE qw (wid int PRIMARY KEY, name text); INSERT INTO qw VALUES (0, 'x'), (1, 'Y'), (2, NULL); "
      "ANALYZE q, qw; GRANT SELECT ON qw TO hostile_asker; " +
      world.protect + declared + "; SELECT dp.grant_budget('q', 'hostile_asker', 9e9, 0.4, allow_leaks => true)");
}

inline Step drops_plain() { return curates("SELECT dp.unprotect('q'); DROP TABLE q, qw CASCADE; DROP TYPE feeling"); }

inline Script plain_settings(Dice& dice) {
  Script script;
  const auto at_times = [&](int n, const std::string& sql) {
    if (dice.once_in(n)) script.push_back(asks(sql));
  };
  at_times(3, "SET timezone = '" +
                  dice.word({"UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Kiritimati"}) + "'");
  at_times(5, "SET dp.mechanism = '" + dice.word({"laplace", "geometric", "auto"}) + "'");
  at_times(6, "SET dp.max_rows_per_unit = 1");
  at_times(6, kParallel);
  at_times(6, "SET datestyle = 'SQL, DMY'");
  at_times(6, "SET plan_cache_mode = force_generic_plan");
  at_times(8, "SET client_min_messages = debug1");
  return script;
}

// What is asked for shapes and numbers. Noise is a small part of what a row changes.
inline Step asks_plain(const PlainQuestion& question, int rows) {
  const double change = question.change(rows);
  return change == kFree ? asks(question.text()) : asks_within(question.text(), change * 1.1 + 0.1);
}

// Answers of the same rows: asked anew, they are the same but for the noise, and for rows of the missing unit that are
// in no group of an answer by more keys.
inline Step asks_anew(const PlainQuestion& question, int rows) {
  return {Actor::asker, question.text(), Step::Kind::as_before, question.change(rows) * 1.1 + 0.1};
}

inline Script plain(Dice& dice) {
  const PlainWorld world = plain_world(dice, "");
  Script script = Script{makes_plain(world)} + plain_settings(dice);
  for (int i = 0; i < 5; ++i) {
    const PlainQuestion question = plain_question(dice);
    const std::string text = question.text();
    script.push_back(reads("EXPLAIN (VERBOSE) " + text));
    script.push_back(asks_plain(question, world.rows));
    if (!question.keys.empty()) {
      PlainQuestion keys = question;
      keys.having.clear();
      keys.aggregates.clear();
      script.push_back(reads((dice.once_in(2) ? keys : question).text()));
      script.back().sql = dice.once_in(2) ? keys.text() : "SELECT row_number() OVER () FROM (" + text + ") AS z";
    }
    switch (dice.below(8)) {
      case 0:
        script.push_back(asks("SELECT count(*) FROM (" + text + ") AS z"));
        break;
      case 1:
        script =
            script + Script{asks("PREPARE q AS " + text), asks("EXECUTE q"), asks("EXECUTE q"), asks("DEALLOCATE q")};
        break;
      case 2:
        script.push_back(reads("SELECT dp.private_form($$" + text + "$$), dp.cost($$" + text + "$$)"));
        break;
      case 3:
        script.push_back(asks("SELECT * FROM (" + text + ") AS z LIMIT 0"));
        break;
      default:
        break;
    }
  }
  return script + Script{drops_plain()};
}

// Another question that a stored answer may answer.
inline PlainQuestion plain_derived(Dice& dice, PlainQuestion question) {
  switch (dice.below(6)) {
    case 0:
    case 4:
      if (!question.keys.empty())
        question.keys.erase(question.keys.begin() + dice.below(static_cast<int>(question.keys.size())));
      break;
    case 1:
      if (!question.keys.empty())
        question.conditions.push_back(dice.one_of(question.keys) + dice.word({" IS NOT NULL", " IS NULL"}));
      break;
    case 2:
      question.conditions.push_back(
          dice.word({"ward = 'a'", "ward IN ('a', 'B')", "ok", "feels <> 'low'", "name = 'x'"}));
      break;
    case 3:
      if (question.aggregates.size() > 1) question.aggregates.pop_back();
      break;
    default:
      break;
  }
  return question;
}

// What changes between two questions. Rows, of the missing unit or of all; what is declared; settings. What is
// declared later may leave out some of the rows, which are then in no sum of groups.
struct PlainChange {
  Step step;
  bool of_rows = false;
};

inline PlainChange plain_change(Dice& dice) {
  const std::string missing = " WHERE id < " + std::to_string(kMissing);
  switch (dice.below(4)) {
    case 0:
      return {curates(dice.word({"DELETE FROM q" + missing, "UPDATE q SET ward = 'a', ok = true" + missing,
                                 "UPDATE q SET cost = 50, age = 99" + missing, "DELETE FROM q WHERE id % 3 = 0",
                                 "UPDATE q SET ward = 'a' WHERE id % 2 = 0", "UPDATE q SET note = 'x'" + missing})),
              true};
    case 1:
      return {
          curates("SELECT " +
                  dice.word({"dp.declare_values('q', 'ward', 'zzz')", "dp.declare_range('q', 'age', 0, 50)",
                             "dp.declare_range('q', 'cost', -10, 20)",
                             "dp.declare_values('q', 'ward', 'a'), dp.withdraw('q', 'ward')",
                             "dp.declare_range('q', 'admitted', '2024-02-01', '2024-02-29')", "dp.forget_answers('q')",
                             "dp.revoke_budget('q', 'hostile_asker'), "
                             "dp.grant_budget('q', 'hostile_asker', 9e9, 0.4, allow_leaks => true)"})),
          true};
    case 2:
      return {curates(dice.word({"UPDATE qw SET name = 'z' WHERE wid = 1",
                                 "INSERT INTO qw VALUES (3, 'w') ON CONFLICT DO NOTHING",
                                 "DELETE FROM qw WHERE wid = 0", "ANALYZE q"})),
              true};
    default:
      return {
          asks("SET " + dice.word({"timezone = 'America/New_York'", "timezone = 'UTC'", "dp.mechanism = 'laplace'",
                                   "dp.max_rows_per_unit = 1", "datestyle = 'German'", "dp.on_exhausted = 'last'"}))};
  }
}

// By several keys, and mostly of aggregates that do not differ when they are drawn again.
inline PlainQuestion stored_question(Dice& dice) {
  PlainQuestion question = plain_question(dice);
  if (!dice.once_in(4)) {
    std::erase_if(question.aggregates, [](const PlainAggregate& aggregate) {
      return aggregate.change == kFree || aggregate.call.find("dp_error") != std::string::npos;
    });
    if (question.aggregates.empty()) question.aggregates.push_back({"count(*)", 1});
  }
  if (!dice.once_in(4)) question.sets.clear();
  while (question.keys.size() < 2)
    question.keys.push_back(dice.one_of(std::vector<std::string>{"ward", "ok", "feels", "age / 10"}));
  return question;
}

inline Script reuse(Dice& dice) {
  const PlainWorld world = plain_world(dice, ", reuse => '1 day'");
  Script script = Script{makes_plain(world)} + plain_settings(dice);
  PlainQuestion first = stored_question(dice);
  script = script + Script{reads("EXPLAIN (VERBOSE) " + first.text()), asks_plain(first, world.rows)};
  bool same_rows = true;
  for (int i = 0; i < 6; ++i) {
    if (dice.once_in(3)) {
      const PlainChange change = plain_change(dice);
      script.push_back(change.step);
      same_rows = same_rows && !change.of_rows;
    }
    if (dice.once_in(4)) script.push_back(asks("SET dp.epsilon = " + dice.word({"1e5", "2e5", "4e5"})));
    const PlainQuestion question = plain_derived(dice, first);
    if (dice.once_in(3)) first = question;
    script.push_back(reads("EXPLAIN (VERBOSE) " + question.text()));
    script.push_back(asks_plain(question, world.rows));
    // The error of a sum of groups is that of all of them.
    if (same_rows && question.change(1) != kFree && question.text().find("dp_error") == std::string::npos) {
      script = script + Script{asks("SET dp.reuse = 0"), asks_anew(question, world.rows), asks("RESET dp.reuse")};
    }
  }
  script.push_back(reads("SELECT epsilon, query FROM dp.reuse WHERE relation = 'q'::regclass ORDER BY shown_at"));
  return script + Script{drops_plain()};
}

}  // namespace dp::test
