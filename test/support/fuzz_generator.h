// Makes random queries (fuzz_query.h) of the vocabulary of a table.
#pragma once

#include <functional>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "support/fuzz_query.h"

namespace dp::test {

// A function of the allow-list, or an operator or cast that is not on it.
struct Function {
  std::string before;  // text before the first argument
  std::string between;
  std::string after;
  std::vector<std::string> arguments;  // types
};

// Types with their columns and constants, functions by the type that they return.
struct Vocabulary {
  std::map<std::string, std::vector<std::string>> columns;
  std::map<std::string, std::vector<std::string>> of_public{{"integer", {"wid", "wa"}},
                                                            {"smallint", {"wb"}},
                                                            {"text", {"wname"}},
                                                            {"boolean", {"wflag"}},
                                                            {"numeric", {"wnum"}}};
  std::map<std::string, std::vector<std::string>> of_other{
      {"integer", {"dx", "dy", "qi"}}, {"text", {"dk", "qt"}}, {"numeric", {"qn"}}, {"double precision", {"qf"}}};
  std::map<std::string, std::vector<std::string>> constants;
  std::map<std::string, std::vector<Function>> functions;
  std::map<std::string, std::vector<Function>> failing;
};

// Where the tables' rows are: on this server, on another one, or there so that it joins them.
enum class Place { here, elsewhere, side_by_side };

class Generator {
 public:
  // One of `ordinary` rows, by its id, or the unit of the rows from there on, is what is missing in the neighbour: it
  // is looked at in particular. Of tables side by side it is a unit.
  Generator(const Vocabulary& words, unsigned seed, int ordinary, Place place)
      : words_(words), random_(seed), place_(place), world_(some_world(ordinary)) {}

  const World& world() const { return world_; }

  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  bool once_in(int n) { return below(n) == 0; }

  template <class T>
  T one_of(const std::vector<T>& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
  }

  std::string expression(const std::string& type, int depth) {
    const auto functions = words_.functions.find(type);
    if (depth <= 0 || functions == words_.functions.end() || once_in(4)) return leaf(type);
    if (once_in(6)) return built(type, depth);
    const auto failing = words_.failing.find(type);
    const bool fails = failing != words_.failing.end() && once_in(30);
    return call(fails ? one_of(failing->second) : one_of(functions->second), depth);
  }

  std::string condition() {
    std::string condition = expression("boolean", 2 + below(2));
    while (once_in(3)) condition = "(" + condition + (once_in(2) ? " OR " : " AND ") + expression("boolean", 2) + ")";
    return once_in(3) ? of_missing(condition) : condition;
  }

  Query query() {
    Query query;
    Level& level = query.level;
    if (once_in(4))
      level.source = one_of<std::string>({"v", "ONLY t", "(SELECT * FROM t WHERE " + condition() + ") AS t",
                                          "(SELECT * FROM (SELECT * FROM v) AS w WHERE " + condition() + ") AS t"});
    joined_ = nullptr;
    if (side_by_side() && !once_in(4)) {
      level.joined = joins_along_unit();
    } else if (once_in(2)) {
      level.joined = join();
    }
    if (side_by_side() ? once_in(2) : !once_in(3)) level.where = condition();
    while (once_in(side_by_side() ? 9 : 3)) {
      const std::string asked = subquery();
      level.where = level.where.empty() ? asked : "(" + level.where + (once_in(3) ? " OR " : " AND ") + asked + ")";
    }
    const int keys = once_in(3) ? 0 : 1 + below(3);
    for (int i = 0; i < keys; ++i) add_key(level);
    if (keys > 0 && once_in(3)) level.sets = one_of<std::string>({"ROLLUP", "CUBE", "GROUPING SETS"});
    const int aggregates = 1 + below(3);
    for (int i = 0; i < aggregates; ++i) level.aggregates.push_back(aggregate());
    if (once_in(5)) level.having = "dp_count('*', 1e5) > -10";
    query.wrapping = once_in(2) ? 0 : below(kWrappings);
    // Whether another question beside it runs, and is charged, may depend on whether any group was chosen: that is
    // private already.
    if (level.chosen && asks_beside(query.wrapping)) query.wrapping = 0;
    return query;
  }

 private:
  bool side_by_side() const { return place_ == Place::side_by_side; }

  World some_world(int ordinary) {
    World world;
    if (!side_by_side() && once_in(2)) {
      world.missing = "id = " + std::to_string(below(ordinary));
      return world;
    }
    world.missing = "id >= " + std::to_string(ordinary);
    world.letter = one_of<std::string>({"i", "n", "f", "t", "b"});
    world.limits_rows = once_in(3);
    // For units of other types none are chosen.
    world.chooses_limits = once_in(world.letter == "i" || world.letter == "t" ? 3 : 12);
    // Joined with themselves two are up to four. Where limits are chosen one counts in answers that do not grow with
    // them.
    world.rows_of_others = world.chooses_limits ? 1 : 1 + below(2);
    const bool few = world.rows_of_others == 1;
    if (world.chooses_limits) {
      constexpr int kMost = 1000;  // rows of a unit, whatever they are joined to
      world.rows = world.groups = world.rows_per_group = kMost;
    } else if (world.limits_rows) {
      // 8 are worth parts of each unit.
      world.rows = world.groups = world.rows_per_group = side_by_side() ? one_of<int>({4, 9})
                                                         : few          ? one_of<int>({1, 2, 5})
                                                                        : one_of<int>({4, 7});
    } else {
      world.groups = few ? 1 + below(2) : 4 + below(2);
      world.rows_per_group = few ? 1 + below(3) : 4;
      world.rows = world.groups * world.rows_per_group;
    }
    return world;
  }

  // Joins of which most are admitted, and some are not.
  std::string join() {
    const std::string unit = world_.has_units() ? world_.letter : "i";
    const std::string left = once_in(2) ? " LEFT JOIN " : " JOIN ";
    const auto more = [this] { return once_in(3) ? " AND " + condition() : ""; };
    const int kind = world_.has_units() || once_in(4) ? below(10) + 2 : 0;
    joined_ = kind < 6 || (kind == 11 && unit != "i") ? &words_.of_public : kind < 10 ? &words_.of_other : nullptr;
    if (kind >= 6 && kind < 10)
      return left + "d ON " + (kind == 9 && !once_in(3) ? "dy = id" : "q" + unit + " = p" + unit) + more();
    if (kind == 10) return left + "(SELECT p" + unit + " AS z, i AS zi FROM t) AS o ON z = p" + unit + more();
    if (kind == 11 && unit == "i") return left + "e ON ei = pi" + more();
    // A row for each of a list would be more rows of the others than limits leave.
    if (!world_.has_units() && once_in(8)) return left + "fuzz_public ON wid <= i" + more();
    return left + "fuzz_public ON " +
           one_of<std::string>(
               {"wid = i", "wid = ref", "wname = u", "wa = ref AND wb = s", "wnum = n", "wid = 3", "wa = ref"}) +
           more();
  }

  // Those that a server may make of what it has: one row of each table for each of t, of the others.
  std::string joins_along_unit() {
    const auto on = [this](const std::string& table, const std::string& condition) {
      const std::string more = once_in(3) ? " AND " + this->condition() : "";
      return one_of<std::string>({" JOIN ", " JOIN ", " LEFT JOIN "}) + table + " ON " + condition + more;
    };
    const std::string unit = world_.letter, same = "q" + unit + " = p" + unit;
    joined_ = &words_.of_other;
    std::string joins = on("d", once_in(4) ? "p" + unit + " = q" + unit : same);
    if (unit == "i" && once_in(2)) joins += on("e", one_of<std::string>({"ei = pi", "ei = qi"}));
    if (!once_in(3)) return joins;
    joined_ = &words_.of_public;
    return joins + on("fuzz_public", one_of<std::string>({"wid = i", "wid = ref", "wnum = n", "wid = dx"}));
  }

  // A condition that compares with an answer, and is the same whatever that is: a unit more changes the answer, and all
  // that is asked with it.
  std::string comparison() {
    const auto* const joined = std::exchange(joined_, nullptr);
    const std::string more = condition();
    joined_ = joined;
    const std::string rows = "FROM t WHERE " + more;
    return one_of<std::string>({"(SELECT dp_count('*', 1e5) " + rows + ") IS NOT NULL",
                                "i > 0 * (SELECT dp_count(pi, 1e5) " + rows + ")",
                                "i + 0 * (SELECT dp_sum(i, 0, 9, 1e5) " + rows + ") <> 3",
                                "id <> ALL (ARRAY(SELECT -1 FROM t GROUP BY k ORDER BY dp_count('*', 1e5) LIMIT 2))"});
  }

  // A condition that asks another table. Most of those about d compare the unit, and are admitted.
  std::string subquery() {
    if (once_in(5)) return comparison();
    const std::string unit = world_.has_units() ? world_.letter : "i", p = "p" + unit, q = "q" + unit;
    const auto* const joined = joined_;
    const bool is_public = once_in(3);
    joined_ = is_public ? &words_.of_public : &words_.of_other;
    const std::string more = condition();
    const std::string number = expression("integer", 1);
    joined_ = joined;
    const std::string no = once_in(2) ? "NOT " : "";
    if (is_public) {
      return one_of<std::string>({no + "EXISTS (SELECT FROM fuzz_public WHERE " + more + ")",
                                  "i " + no + "IN (SELECT wa FROM fuzz_public WHERE " + more + ")",
                                  "i > (SELECT min(wb) FROM fuzz_public WHERE wa = s)",
                                  "s > (SELECT wb FROM fuzz_public WHERE wid = ref)",
                                  "n <> ALL (SELECT wnum FROM fuzz_public)"});
    }
    const std::string same = once_in(8) ? "dy = id" : once_in(8) ? q + " <= " + p : q + " = " + p;
    return one_of<std::string>(
        {no + "EXISTS (SELECT FROM d WHERE " + same + " AND " + more + ")",
         no + "EXISTS (SELECT dk FROM d WHERE " + same + " GROUP BY dk HAVING count(*) > 1 AND sum(dx) > 2)",
         p + " " + no + "IN (SELECT " + q + " FROM d WHERE " + more + ")",
         p + " " + no + "IN (SELECT " + q + " FROM d GROUP BY " + q + " HAVING max(dx) > 2)",
         "(" + p + ", i) IN (SELECT " + q + ", dx FROM d)", "k " + no + "IN (SELECT dk FROM d WHERE " + same + ")",
         "i < ALL (SELECT " + number + " FROM d WHERE " + same + ")",
         "i < (SELECT avg(" + number + ") FROM d WHERE " + same + ")",
         "(" + no + "(" + p + " = ANY (SELECT z." + p + " FROM t AS z WHERE z.i > 0))) IS NOT TRUE",
         no + "EXISTS (SELECT FROM d WHERE " + same + " AND NOT EXISTS (SELECT FROM t AS z WHERE z." + p + " = " + q +
             " AND z.i < dx))",
         p + " " + no + "IN (SELECT " + q + " FROM d WHERE dk NOT IN (SELECT z.k FROM t AS z WHERE z." + p + " = " + q +
             " AND z.i > t.i))",
         no + "EXISTS (SELECT FROM d JOIN t AS z ON " + q + " = z." + p + " WHERE " + same + " AND z.id <> t.id)"});
  }

  // What is computed for the rows that are missing, and for no others.
  std::string of_missing(const std::string& expression) const {
    return "CASE WHEN " + world_.missing + " THEN " + expression + " END";
  }

  std::string value(const std::string& type, int depth) {
    const std::string value = expression(type, depth);
    return once_in(4) ? of_missing(value) : value;
  }

  std::string leaf(const std::string& type) {
    const auto columns = words_.columns.find(type);
    const auto constants = words_.constants.find(type);
    if (joined_ != nullptr && once_in(3)) {
      const auto others = joined_->find(type);
      if (others != joined_->end()) return one_of(others->second);
    }
    const bool constant = columns == words_.columns.end() || (constants != words_.constants.end() && once_in(3));
    if (!constant) return one_of(columns->second);
    if (constants == words_.constants.end() || once_in(12)) return "NULL::" + type;
    return "'" + one_of(constants->second) + "'::" + type;
  }

  std::string call(const Function& function, int depth) {
    std::string text = function.before;
    for (std::size_t i = 0; i < function.arguments.size(); ++i) {
      text += (i == 0 ? "" : function.between) + expression(function.arguments[i], once_in(3) ? 0 : depth - 1);
    }
    return text + function.after;
  }

  std::string built(const std::string& type, int depth) {
    const auto value = [&] { return expression(type, depth - 1); };
    if (type == "boolean") {
      const std::string other =
          one_of<std::string>({"integer", "text", "numeric", "double precision", "timestamp without time zone"});
      const std::string x = expression(other, depth - 1);
      switch (below(7)) {
        case 0:
          return "(" + value() + " AND " + value() + ")";
        case 1:
          return "(NOT " + value() + ")";
        case 2:
          return "(" + x + " IS NULL)";
        case 3:
          return "(" + x + " IN (" + expression(other, 0) + ", " + expression(other, 0) + "))";
        case 4:
          return "(" + x + " BETWEEN " + expression(other, 0) + " AND " + expression(other, 1) + ")";
        case 5:
          return "(" + x + " IS DISTINCT FROM " + expression(other, 1) + ")";
        default:
          return "(" + value() + " IS NOT TRUE)";
      }
    }
    switch (below(4)) {
      case 0:
        return "coalesce(" + value() + ", " + value() + ")";
      case 1:
        return "nullif(" + value() + ", " + value() + ")";
      case 2:
        return "greatest(" + value() + ", " + value() + ")";
      default:
        return "CASE WHEN " + expression("boolean", 1) + " THEN " + value() + " ELSE " + value() + " END";
    }
  }

  void add_key(Level& level) {
    const int kind = below(5);
    std::string key;
    if (kind < 2) key = one_of<std::string>({"k", "flag", "e", "ref", "(i % 3)"});
    if (kind < 2 && joined_ != nullptr && once_in(2))
      key = joined_ == &words_.of_other ? "dk" : one_of<std::string>({"wid", "wname", "wflag", "wa"});
    if (kind == 2) key = "(" + expression("boolean", 2) + ")";
    if (kind == 3) key = one_of<std::string>({"t", "n", "f", "r", "c", "d", "ts", "s", "v", "uu"});
    if (kind == 4)
      key =
          "(" +
          expression(one_of<std::string>({"integer", "text", "numeric", "double precision", "date", "character"}), 2) +
          ")";
    const bool refers = place_ == Place::here;  // to what lists its values
    level.chosen = level.chosen || kind > 2 || (key == "ref" && !refers);
    level.keys.push_back(key);
  }

  Aggregate aggregate() {
    Aggregate aggregate = call_of_aggregate();
    if (once_in(4)) aggregate.filter = condition();
    return aggregate;
  }

  // The arguments of what is said of two columns.
  std::string of_pairs() {
    return "(" + value("double precision", 2) + ", " + value("double precision", 2) + ", -50, 1000, -1, 100, 1e5)";
  }

  Aggregate call_of_aggregate() {
    const auto within = [](double bound) { return Column{Column::Kind::within, bound}; };
    const Column free{Column::Kind::free};
    const std::string type = one_of<std::string>({"integer", "smallint", "bigint", "numeric", "double precision"});
    const std::string any = one_of<std::string>(
        {"integer", "text", "numeric", "double precision", "date", "jsonb", "boolean", "character"});
    const std::string unit = "p" + (world_.has_units() ? world_.letter : "i");
    switch (below(16)) {
      case 0:
        return {"dp_count('*', 1e5)", "", within(1)};
      case 10:
        return {"dp_count(DISTINCT " + unit + ", 1e5)", "", Column{Column::Kind::within, 1, true}};
      case 11:
        return {"dp_count(DISTINCT " + unit + "::text, 1e5)", "", within(1)};
      case 12:
        return {"dp_sum(DISTINCT " + (once_in(2) && unit != "pt" && unit != "pb" ? unit : value(type, 2)) +
                    ", -100, 100, 1e5)",
                "", within(101)};
      case 1:
        return {"dp_count(" + value(any, 3) + ", 1e5)", "", within(1)};
      case 2:
        return {"dp_count(DISTINCT " + value(any, 2) + ", 1e5)", "", within(1)};
      case 3:
        // Its values have no bounds: what a unit adds up to is limited, and nothing is cut here.
        if ((world_.chooses_limits || !world_.has_units()) && once_in(2))
          return {"dp_sum(" + value(type, 3) + ", " + one_of<std::string>({"'-Infinity'", "0"}) + ", 'Infinity', 1e5)",
                  "", free};
        return {"dp_sum(" + value(type, 3) + ", -100, 100, 1e5)", "", within(101)};
      case 4:
        return {"dp_sum(" + value(type, 2) + ", 0, 1, 1e5)", "", within(1.01)};
      case 5:
        return {"dp_avg(" + value(type, 3) + ", -50, 1000, 1e5)", "", free};
      case 6:
        // A row counts below each edge beyond it.
        if (once_in(2)) {
          const int buckets = once_in(2) ? 5 : 40;
          return {"(dp_cumulative(" + value("double precision", 2) + ", -1, 100, " + std::to_string(buckets) +
                      ", 1e5)).counts",
                  "", within(buckets)};
        }
        return {"dp_histogram(" + value("double precision", 2) + ", -1, 100, 5, 1e5)", "", within(1)};
      case 7:
        return {"dp_histogram(" + value("text", 2) + ", ARRAY['a', '', 'b'], 1e5)", "", within(1)};
      case 13:
        return {"dp_histogram(" + value("double precision", 2) + ", " + value("double precision", 2) +
                    ", -1, 100, 3, -5, 50, 4, 1e5)",
                "", within(1)};
      case 14:
        return {"dp_regr_count" + of_pairs(), "", within(1)};
      case 15:
        return {"dp_" +
                    one_of<std::string>({"corr", "covar_samp", "regr_slope", "regr_avgx", "covariance", "regression"}) +
                    of_pairs(),
                "", free};
      case 8:
        return {"dp_bounds(" + value(type, 3) + ", 1e5)", "", free};
      default:
        // By counts of few points, over gaps, and without bounds.
        {
          const auto [name, more] = one_of<std::pair<std::string, std::string>>(
              {{"dp_quantile", "0.5, "}, {"dp_quantiles", "ARRAY[0.2, 0.7], "}, {"dp_max", ""}, {"dp_stddev", ""}});
          const bool spread = name == "dp_stddev" && world_.chooses_limits;
          const std::string ends = one_of<std::string>({"-1, 50", "-1, 1000000", "'-Infinity', 'Infinity'"});
          return {name + "(" + value(type, 2) + ", " + more + (spread ? "-1, 50" : ends) + ", 1e5)", "", free};
        }
    }
  }

  const Vocabulary& words_;
  std::mt19937 random_;
  Place place_;
  World world_;
  const std::map<std::string, std::vector<std::string>>* joined_ = nullptr;  // columns of the other table in FROM
};

}  // namespace dp::test
