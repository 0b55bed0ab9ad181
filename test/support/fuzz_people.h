// Questions about the tables of test/support/fuzz_paths.h, as the asker writes them and as PostgreSQL itself is asked:
// of rows, or of persons, whose rows a subquery groups and computes with before anything private; of people who are in
// two sets of rows, or in one of them; and for each row of a public table.
#pragma once

#include "support/fuzz_path_question.h"

namespace dp::test {

class PathQuestions {
 public:
  PathQuestions(const PathWorld& world, Dice& dice) : world_(world), dice_(dice), joins_(world, dice) {}

  // The question, and what is to come of it.
  Step ask(bool about_people) {
    if (dice_.once_in(8)) return about_people ? sets_of_people() : for_each_nation();
    return about_people ? people() : rows();
  }

 private:
  Step rows() {
    PathQuestion question;
    const PathSource source = joins_.source();
    question.ctes = source.ctes;
    question.from = question.plain_from = source.from;
    question.whose = "coalesce(" + source.whose + ")";
    add_conditions(question.conditions, source, question);
    std::vector<std::string> keys;
    if (!source.keys.empty() && !dice_.once_in(3))
      for (int i = dice_.below(3); i > 0; --i) add_new(keys, dice_.one_of(source.keys));
    if (dice_.once_in(8)) {
      const std::string key = joins_.some_condition(source);
      note_comparable(question, source, key);
      add_new(keys, "(" + key + ")");
    }
    std::vector<std::pair<PathAggregate, std::pair<std::string, int>>> asked;
    // Where few rows count it is known how many, but not which.
    const bool counts = world_.few && dice_.once_in(2);
    if (counts) {
      keys.clear();
      asked.emplace_back(kOfPathRows[0], source.numbers[0]);
    }
    for (int i = 1 + dice_.below(3); i > 0 && !counts; --i) asked.emplace_back(some_aggregate(), some_number(source));
    // By itself, or behind a subquery that chooses columns.
    const bool behind = dice_.once_in(4);
    std::string columns;
    const auto seen = [&](const std::string& expression) {
      if (!behind) return expression;
      const std::string name = "x" + std::to_string(std::ranges::count(columns, ',') + 1);
      columns += expression + " AS " + name + ", ";
      return "w." + name;
    };
    for (const std::string& key : keys) question.keys.push_back(seen(key));
    for (const auto& [aggregate, number] : asked) {
      std::string filter;
      if (dice_.once_in(6)) {
        const std::string condition = joins_.some_condition(source);
        note_comparable(question, source, condition);
        filter = " FILTER (WHERE " + seen("(" + condition + ")") + ")";
      }
      add(question, aggregate, seen(number.first), number.second, filter);
    }
    if (behind) {
      const std::string where =
          question.conditions.empty() ? "" : " WHERE " + PathQuestion::joined(question.conditions, " AND ");
      const std::string own = columns + question.whose + " AS whose";
      columns.resize(columns.size() - 2);
      question.from = "(SELECT " + columns + " FROM " + source.from + where + ") AS w";
      question.plain_from = "(SELECT " + own + " FROM " + source.from + where + ") AS w";
      question.whose = "w.whose";
      question.conditions.clear();
    }
    if (!question.keys.empty() && dice_.once_in(5)) question.sets = dice_.word({"ROLLUP", "CUBE"});
    if (dice_.once_in(6) && !source.unit.empty() && !behind && !counts) {
      question.aggregates.emplace_back("dp_count(DISTINCT " + source.unit + ", 1e6)",
                                       "count(DISTINCT " + source.unit + ")");
      note(question, 1, false);
      question.counts_alone = false;
    }
    const bool grouped = !question.keys.empty();
    const int limit = source.unlimited ? 1 : world_.in_all(grouped) * (source.full ? 2 : 1);
    // Rows of both tables of a full join count, unless one has a row of each person, or limits are of another kind.
    const bool both =
        source.aliases == "ok" || source.aliases == "ko" || (world_.accounts && source.aliases.size() == 2);
    const bool sure = !source.full || (both && !world_.by_group && !world_.lowered);
    return step(question, limit, source.unlimited, sure);
  }

  // A row of each person, or several by further keys.
  Step people() {
    PathQuestion question;
    PathSource source = joins_.source();
    while (source.unit.empty()) source = joins_.source();
    question.ctes = source.ctes;
    std::vector<std::string> conditions, further;
    add_conditions(conditions, source, question);
    if (dice_.once_in(2)) {
      if (!source.keys.empty() && dice_.once_in(2)) add_new(further, dice_.one_of(source.keys));
      add_new(further, dice_.one_of(source.numbers).first);
    }
    std::vector<std::pair<std::string, int>> numbers;
    std::string columns = source.unit + " AS u", groups = source.unit;
    for (std::size_t i = 0; i < further.size(); ++i) {
      const std::string name = "g" + std::to_string(i + 1);
      columns += ", " + further[i] + " AS " + name;
      groups += ", " + further[i];
      const bool is_public = std::ranges::find(source.keys, further[i]) != source.keys.end();
      if (dice_.once_in(is_public ? 2 : 20)) question.keys.push_back("q." + name);
    }
    const bool distinct = !further.empty() && dice_.once_in(4);
    std::string having;
    if (!distinct) {
      for (int i = 1 + dice_.below(3); i > 0; --i) {
        const OfPerson& computed = dice_.one_of(kOfPersons);
        const auto& [number, most] = dice_.one_of(source.numbers);
        const std::string name = computed.name + std::to_string(i);
        columns += ", " + filled(computed.call, source, number) + " AS " + name;
        numbers.emplace_back("q." + name, computed.of_rows ? 1000 : most + 1);
      }
      if (dice_.once_in(3))
        columns += ", bool_or(" + plain_condition(source) + ") AS b";
      else
        columns += ", count(*) > 2 AS b";
      if (dice_.once_in(3)) question.keys.push_back("q.b");
      if (dice_.once_in(2)) having = some_having(source);
    }
    if (numbers.empty()) numbers.emplace_back("1", 1);
    const std::string where = conditions.empty() ? "" : " WHERE " + PathQuestion::joined(conditions, " AND ");
    const std::string of_each = "SELECT " + std::string(distinct ? "DISTINCT " : "") + columns + " FROM " +
                                source.from + where + (distinct ? "" : " GROUP BY " + groups) +
                                (having.empty() ? "" : " HAVING " + having);
    switch (dice_.below(3)) {
      case 0:
        question.ctes.push_back("q AS (" + of_each + ")");
        question.from = "q";
        break;
      case 1:
        question.from = "(SELECT * FROM (" + of_each + ") AS r) AS q";
        break;
      default:
        question.from = "(" + of_each + ") AS q";
    }
    question.plain_from = question.from;
    question.whose = "q.u";
    if (dice_.once_in(2)) {
      const auto& [number, most] = dice_.one_of(numbers);
      question.conditions.push_back(number + dice_.word({" > 1", " <= 3", " BETWEEN 1 AND 8", " IS NOT NULL"}));
    }
    if (dice_.once_in(4)) question.conditions.push_back(of_unit("q.u"));
    if (!distinct && dice_.once_in(6))
      question.keys.push_back(with(dice_.one_of(kKeysOfPersons), "#", dice_.one_of(numbers).first));
    const bool counts = world_.few && !further.empty() && dice_.once_in(2);
    if (counts) question.keys.clear();
    for (int i = 1 + dice_.below(3); i > 0 && !counts; --i) {
      const auto& [number, most] = dice_.one_of(numbers);
      const PathAggregate aggregate = some_aggregate();
      // Nothing is declared of what is computed.
      if (aggregate.of_number && aggregate.call.find("dp_") == std::string::npos) continue;
      add(question, aggregate, number, most, "");
    }
    if (question.aggregates.empty()) add(question, kOfPathRows[0], "1", 1, "");
    if (!counts && dice_.once_in(5)) {
      question.aggregates.emplace_back("dp_count(DISTINCT q.u, 1e6)", "count(DISTINCT q.u)");
      note(question, 1, false);
      question.counts_alone = false;
    }
    const bool single = further.empty() || source.unlimited;
    return step(question, single ? 1 : world_.in_all(!question.keys.empty()) * (source.full ? 2 : 1), single,
                !source.full);
  }

  // People who are among two sets of rows, or among one of them.
  Step sets_of_people() {
    PathQuestion question;
    std::string sets;
    for (int i = 0; i < 2; ++i) {
      PathSource source = joins_.source();
      while (source.unit.empty() || !source.ctes.empty()) source = joins_.source();
      std::vector<std::string> conditions;
      add_conditions(conditions, source, question);
      if (i > 0) sets += dice_.word({" INTERSECT ", " EXCEPT ", " UNION "});
      sets += "SELECT " + source.unit + " AS u FROM " + source.from +
              (conditions.empty() ? "" : " WHERE " + PathQuestion::joined(conditions, " AND "));
      // Nobody is one of the values there, and no person.
      question.known = question.known && !source.outer && !source.full;
    }
    question.from = question.plain_from = "(" + sets + ") AS q";
    question.whose = "q.u";
    if (dice_.once_in(3)) question.conditions.push_back(of_unit("q.u"));
    add(question, kOfPathRows[0], "1", 1, "");
    return step(question, 1, true, true);
  }

  // Answers beside each row of a public table.
  Step for_each_nation() {
    PathQuestion question;
    PathSource source = joins_.source();
    while (source.aliases.find('c') == std::string::npos || source.aliases.find('n') != std::string::npos ||
           !source.ctes.empty() || source.full)
      source = joins_.source();
    std::vector<std::string> conditions;
    add_conditions(conditions, source, question);
    conditions.push_back("c.nk = n.nk");
    PathQuestion of_each;
    for (int i = 1 + dice_.below(2); i > 0; --i) {
      const auto [number, most] = some_number(source);
      add(of_each, some_aggregate(), number, most, "");
    }
    question.known = question.known && of_each.known;
    question.counts_alone = false;
    question.change = of_each.change;
    question.sizes = of_each.sizes;
    question.for_each = true;
    question.keys = {"n.nk"};
    const bool in_list = of_each.aggregates.size() == 1 && dice_.once_in(2);
    std::string asked, plain;
    for (std::size_t i = 0; i < of_each.aggregates.size(); ++i) {
      const std::string name = "a" + std::to_string(i + 1);
      asked += (asked.empty() ? "" : ", ") + of_each.aggregates[i].first + " AS " + name;
      plain += (plain.empty() ? "" : ", ") + of_each.aggregates[i].second + " AS " + name;
      question.aggregates.emplace_back("z." + name, "z." + name);
    }
    const std::string rows = " FROM " + source.from + " WHERE " + PathQuestion::joined(conditions, " AND ") + ")";
    if (in_list) {
      question.from = question.plain_from = "nation AS n";
      question.aggregates = {{"(SELECT " + asked + rows, "(SELECT " + plain + rows}};
    } else {
      question.from = "nation AS n, LATERAL (SELECT " + asked + rows + " AS z";
      question.plain_from = "nation AS n, LATERAL (SELECT " + plain + rows + " AS z";
    }
    return step(question, source.unlimited ? 1 : world_.in_all(true), source.unlimited, false);
  }

  // What is known of the answer: all where no limit leaves rows out, otherwise a count.
  Step step(const PathQuestion& question, int limit, bool unlimited, bool limit_is_sure) {
    const std::string text = question.text(false);
    const double change = question.change * limit * question.groupings();
    Step asked = change < kFreely ? asks_within(text, change * 1.1 + 0.1) : asks(text);
    if (world_.odd || !question.known) return asked;
    if (unlimited || !world_.few) {
      asked.truth = {question.text(true), question.keys_shown()};
      for (const double size : question.sizes) {
        // Noise of as many rows as may count; each number that is below zero is one that may be anything without rows.
        const double off = 0.1 + 40.0 * limit * question.groupings() * std::fabs(size) / 1e6 *
                                     static_cast<double>(question.sizes.size());
        asked.truth.off.push_back(size < 0 ? -off : off);
      }
    } else if (question.keys.empty() && question.aggregates.size() == 1 && question.counts_alone && limit_is_sure) {
      asked.truth = {question.limited(limit), 0, {0.1}};
    }
    return asked;
  }

  static constexpr double kFreely = 1e30;

  static void note(PathQuestion& question, double size, bool free) {
    question.sizes.push_back(free ? -size : size);
    question.change += free ? kFreely : size;
  }

  // A column, or what is computed from it within the same bounds.
  std::pair<std::string, int> some_number(const PathSource& source) {
    auto [number, most] = dice_.one_of(source.numbers);
    switch (dice_.below(8)) {
      case 0:
        return {"coalesce(" + number + ", 2)", std::max(most, 2)};
      case 1:
        return {"CASE WHEN " + plain_condition(source) + " THEN " + number + " END", most};
      case 2:
        for (const auto& [alias, text] : kOfOtherRows) {
          if (source.aliases.find(alias) != std::string::npos && dice_.once_in(2))
            return {"least(greatest(" + text + ", 0), 40)", 40};
        }
        return {number, most};
      case 3:
        return {"greatest(" + number + ", " + dice_.one_of(source.numbers).first + ")", 40};
      default:
        return {number, most};
    }
  }

  PathAggregate some_aggregate() { return dice_.one_of(dice_.once_in(12) ? kOfPathRowsAlone : kOfPathRows); }

  void add(PathQuestion& question, const PathAggregate& aggregate, const std::string& number, int most,
           const std::string& filter) {
    const auto filled_in = [&](const std::string& text) {
      return with(with(text, "@", number), "{most}", std::to_string(most));
    };
    question.known = question.known && !aggregate.plain.empty();
    question.counts_alone = question.counts_alone && aggregate.plain == "count(*)" && filter.empty();
    question.aggregates.emplace_back(filled_in(aggregate.call) + filter, filled_in(aggregate.plain) + filter);
    note(question, aggregate.of_number ? most : 1, aggregate.free);
  }

  static void add_new(std::vector<std::string>& list, const std::string& text) {
    if (std::ranges::find(list, text) == list.end()) list.push_back(text);
  }

  // NULL IN (nothing) is NULL: whether there is nothing is for other people to know.
  static void note_comparable(PathQuestion& question, const PathSource& source, const std::string& condition) {
    const bool of_null =
        condition.find(" IN (SELECT") != std::string::npos || condition.find(" ANY (SELECT") != std::string::npos;
    question.known = question.known && !(of_null && (source.outer || source.full));
  }

  void add_conditions(std::vector<std::string>& conditions, const PathSource& source, PathQuestion& question) {
    conditions = source.conditions;
    while (dice_.once_in(2)) {
      std::string condition = joins_.some_condition(source);
      if (dice_.once_in(5)) condition = "(" + condition + " OR " + joins_.some_condition(source) + ")";
      if (dice_.once_in(8)) condition = "NOT (" + condition + ")";
      if (dice_.once_in(8)) condition = "(" + condition + dice_.word({") IS NOT TRUE", ") IS NOT FALSE", ") IS NULL"});
      conditions.push_back(condition);
      note_comparable(question, source, condition);
    }
    if (!dice_.once_in(8)) return;
    const auto& [alias, odd] = dice_.one_of(kOddConditions);
    if (source.aliases.find(alias) == std::string::npos) return;
    conditions.push_back(odd);
    question.known = false;
    // A person more changes the answer, and for all what is compared with it.
    if (odd.find("SELECT avg(") != std::string::npos) question.change += kFreely;
  }

  // Without subqueries.
  std::string plain_condition(const PathSource& source) {
    for (int i = 0; i < 9; ++i) {
      std::string condition = joins_.some_condition(source);
      if (dice_.once_in(8)) condition = "NOT (" + condition + ")";
      if (dice_.once_in(8)) condition = "(" + condition + dice_.word({") IS NOT TRUE", ") IS NOT FALSE", ") IS NULL"});
      if (condition.find("SELECT") == std::string::npos) return condition;
    }
    return "true";
  }

  std::string filled(const std::string& call, const PathSource& source, const std::string& number) {
    return with(with(call, "#", number), "?", plain_condition(source));
  }

  std::string of_unit(const std::string& unit) { return with(semi_join(world_, dice_, 'u'), "q.u", unit); }

  std::string some_having(const PathSource& source) {
    const std::string number = dice_.one_of(source.numbers).first, condition = plain_condition(source);
    switch (dice_.below(6)) {
      case 0:
        return "sum(" + number + ") > 10";
      case 1:
        return "bool_or(" + condition + ")";
      case 2:
        return "NOT every(" + condition + ")";
      case 3:
        // PostgreSQL does not take what is computed for what is grouped by.
        if (source.unit.find('(') == std::string::npos) return of_unit(source.unit);
        [[fallthrough]];
      case 4:
        if (source.unit.find('(') != std::string::npos) return "min(" + number + ") < 9";
        return "sum(" + number + ") > (SELECT sum(x.day) / 2 FROM calls AS x WHERE x." + world_.unit() + " = " +
               source.unit + ")";
      default:
        return "count(*) > 1";
    }
  }

  const PathWorld& world_;
  Dice& dice_;
  PathJoins joins_;
};

}  // namespace dp::test
