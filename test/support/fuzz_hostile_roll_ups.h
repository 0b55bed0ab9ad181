// Scripts of questions by fewer and fewer of the keys of a stored answer, which sums of its groups answer. Each asks
// one aggregate, so that what a sum may be off by is what one row changes of it, and is compared with a new answer
// while the rows are those of the stored one. Rows change in the meantime, too.
#pragma once

#include "support/fuzz_hostile_plain.h"

namespace dp::test {

// Public all.
inline const std::vector<std::string> kRollUpKeys = {"ward",
                                                     "ok",
                                                     "feels",
                                                     "score",
                                                     "age / 10",
                                                     "age % 7",
                                                     "lower(ward)",
                                                     "coalesce(ok, false)",
                                                     "date_trunc('month', admitted)",
                                                     "extract(dow FROM at)",
                                                     "CASE WHEN age < 18 THEN 'child' ELSE 'adult' END"};

// Those of which sums of groups are not the answer stand among them. What one row changes of these, too: the distinct
// values of all rows and of those without it.
inline const std::vector<PlainAggregate> kRolledUp = {{"count(*)", 1},
                                                      {"count(note)", 1},
                                                      {"sum(cost)", 50},
                                                      {"sum(age)", 99},
                                                      {"sum(score)", 5},
                                                      {"dp_histogram(age, 0, 100, 4)", 1},
                                                      {"(dp_cumulative(age, 0, 100, 40)).counts", 40},
                                                      {"count(DISTINCT ward)", 1},
                                                      {"count(DISTINCT feels)", 1},
                                                      {"count(DISTINCT score)", 1},
                                                      {"sum(DISTINCT score)", 5},
                                                      {"count(*) FILTER (WHERE ok)", 1},
                                                      {"sum(CASE WHEN ok THEN 1 ELSE 0 END)", 1}};

inline Script roll_ups(Dice& dice) {
  PlainWorld world = plain_world(dice, ", reuse => '1 day'");
  while (world.has_units) world = plain_world(dice, ", reuse => '1 day'");
  Script script = Script{makes_plain(world)} + plain_settings(dice);
  PlainQuestion question;
  while (question.keys.size() < 3) question.keys.push_back(dice.one_of(kRollUpKeys));
  question.aggregates.push_back(dice.one_of(kRolledUp));
  if (dice.once_in(3)) question.conditions.push_back(dice.one_of(kPlainConditions));
  script = script + Script{reads("EXPLAIN (VERBOSE) " + question.text()), asks_plain(question, world.rows)};
  bool same_rows = true;
  while (!question.keys.empty()) {
    if (dice.once_in(4)) {
      const PlainChange change = plain_change(dice);
      script.push_back(change.step);
      same_rows = same_rows && !change.of_rows;
    }
    question.keys.erase(question.keys.begin() + dice.below(static_cast<int>(question.keys.size())));
    script = script + Script{reads("EXPLAIN (VERBOSE) " + question.text()), asks_plain(question, world.rows)};
    // Drawn anew it would be the answer that is looked for by these keys, and by fewer.
    if (same_rows && dice.once_in(2))
      script = script + Script{asks("SET dp.reuse = 0"), asks_anew(question, world.rows), asks("RESET dp.reuse")};
  }
  script.push_back(reads("SELECT epsilon, query FROM dp.reuse WHERE relation = 'q'::regclass ORDER BY shown_at"));
  return script + Script{drops_plain()};
}

}  // namespace dp::test
