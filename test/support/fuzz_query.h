// Random queries for test/fault/fuzz.cpp: private aggregates over a table t, as trees whose parts can be left out.
#pragma once

#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace dp::test {

// What an output column may differ by between a table and its neighbour.
struct Column {
  enum class Kind { key, within, free };
  Kind kind;
  double bound = 0;   // of the sum of the differences of the numbers in it, for one row
  bool once = false;  // a unit counts as one row in a group
};

// Whose rows are missing in the neighbour: one row, or all rows of one unit, and how much of these may count. So that
// what differs is theirs alone, the others have so few rows that no limit concerns them: which rows of a unit count is
// random.
struct World {
  std::string missing;  // the condition on their rows
  std::string letter;   // of the columns that name the unit in the tables t (p...) and d (q...); empty: rows are units
  int rows_of_others = 1;
  bool limits_rows = true;  // in all, otherwise groups and rows in each
  int rows = 1, groups = 1, rows_per_group = 1;

  bool has_units() const { return !letter.empty(); }

  std::string limits() const {
    if (limits_rows) return "max_rows_per_unit => " + std::to_string(rows);
    return "max_groups_per_unit => " + std::to_string(groups) + ", max_rows_per_group => " +
           std::to_string(rows_per_group);
  }
};

struct Aggregate {
  std::string call;  // without FILTER
  std::string filter;
  Column column;
};

// One level: SELECT keys, aggregates FROM source WHERE GROUP BY.
struct Level {
  std::string source = "t";
  std::string joined;  // what follows it in FROM
  std::string where;
  std::vector<std::string> keys;
  std::string sets;  // "", "ROLLUP", "CUBE", "GROUPING SETS"
  std::vector<Aggregate> aggregates;
  std::string having;
  bool chosen = false;  // some key is not public: its groups are chosen privately
};

struct Query {
  Level level;
  int wrapping = 0;  // how the level stands in the statement; 0: by itself
};

inline std::string join(const std::vector<std::string>& parts, const std::string& between) {
  std::string whole;
  for (const auto& part : parts) whole += (whole.empty() ? "" : between) + part;
  return whole;
}

inline std::string text_of(const Level& level) {
  std::vector<std::string> columns, keys;
  for (const auto& key : level.keys) {
    columns.push_back(key + " AS k" + std::to_string(columns.size() + 1));
    keys.push_back(key);
  }
  for (const auto& aggregate : level.aggregates) {
    std::string call = aggregate.call;
    if (!aggregate.filter.empty()) call += " FILTER (WHERE " + aggregate.filter + ")";
    columns.push_back(call + " AS a" + std::to_string(columns.size() + 1));
  }
  std::string text = "SELECT " + join(columns, ", ") + " FROM " + level.source + level.joined;
  if (!level.where.empty()) text += " WHERE " + level.where;
  if (!keys.empty() && level.sets.empty()) text += " GROUP BY " + join(keys, ", ");
  if (!keys.empty() && level.sets == "GROUPING SETS")
    text += " GROUP BY GROUPING SETS ((" + join(keys, ", ") + "), (" + keys[0] + "), (), ())";
  if (!keys.empty() && level.sets != "GROUPING SETS" && !level.sets.empty())
    text += " GROUP BY " + level.sets + " (" + join(keys, ", ") + ")";
  if (!level.having.empty()) text += " HAVING " + level.having;
  return text;
}

// Wrappings below kFirstFree keep the level's rows as they are; those from it on look at answers, so that rows may
// differ.
inline constexpr int kFirstFree = 8;
inline constexpr int kWrappings = 14;

inline bool asks_beside(int wrapping) { return wrapping == 4 || wrapping == 6 || wrapping == 11 || wrapping == 12; }

inline std::string text_of(const Query& query) {
  const std::string level = text_of(query.level);
  const std::string count = "(SELECT dp_count('*', 1e5) AS n FROM t) AS one";
  const std::string last = std::to_string(query.level.keys.size() + query.level.aggregates.size());
  switch (query.wrapping) {
    case 1:
      return "SELECT * FROM (" + level + ") AS q LIMIT 10000";
    case 2:
      return "WITH c AS (" + level + ") SELECT * FROM c";
    case 3:
      return level + " UNION ALL " + level;
    case 4:
      return "SELECT q.*, one.n * 0 FROM (" + level + ") AS q, " + count;
    case 5:
      return "SELECT * FROM (SELECT * FROM (" + level + " OFFSET 0) AS q) AS r WHERE true";
    case 6:
      return "SELECT q.*, (SELECT dp_count('*', 1e5) * 0 FROM t WHERE flag) FROM (" + level + ") AS q";
    case 7:
      return "SELECT q.*, row_number() OVER () FROM (" + level + ") AS q";
    case 8:
      return "SELECT * FROM (" + level + ") AS q ORDER BY " + last + " DESC, 1";
    case 9:
      return "SELECT count(*) FROM (" + level + ") AS q";
    case 10:
      return "SELECT DISTINCT * FROM (" + level + ") AS q";
    case 11:
      return "SELECT q.*, rank() OVER (ORDER BY one.n) FROM (" + level + ") AS q JOIN " + count + " ON n > 20";
    case 12:
      return "SELECT * FROM (" + level +
             ") AS q WHERE EXISTS (SELECT dp_count('*', 1e5) FROM t HAVING dp_count('*', 1e5) > 3)";
    case 13:
      return level + " EXCEPT ALL " + level;
    default:
      return level;
  }
}

inline std::vector<Column> columns_of(const Query& query) {
  std::vector<Column> columns(query.level.keys.size(), {Column::Kind::key});
  for (const auto& aggregate : query.level.aggregates) columns.push_back(aggregate.column);
  if (query.wrapping == 4 || query.wrapping == 6 || query.wrapping == 7) columns.push_back({Column::Kind::key});
  return columns;
}

// How many groupings one unit is in.
inline int sets_of(const Query& query) {
  const int keys = static_cast<int>(query.level.keys.size()), times = query.wrapping == 3 ? 2 : 1;
  if (query.level.sets == "ROLLUP") return (keys + 1) * times;
  if (query.level.sets == "CUBE") return (1 << keys) * times;
  return (query.level.sets.empty() ? 1 : 4) * times;
}

// Queries with one thing less.
inline std::vector<Query> simpler(const Query& query) {
  std::vector<Query> queries;
  const auto with = [&](const std::function<void(Query&)>& change) {
    Query copy = query;
    change(copy);
    if (text_of(copy) != text_of(query)) queries.push_back(copy);
  };
  with([](Query& q) { q.wrapping = 0; });
  with([](Query& q) { q.level.source = "t"; });
  with([](Query& q) { q.level.joined.clear(); });
  with([](Query& q) { q.level.where.clear(); });
  with([](Query& q) { q.level.having.clear(); });
  with([](Query& q) { q.level.sets.clear(); });
  for (std::size_t i = 0; i < query.level.keys.size(); ++i) {
    with([i](Query& q) { q.level.keys.erase(q.level.keys.begin() + static_cast<std::ptrdiff_t>(i)); });
  }
  for (std::size_t i = 0; i < query.level.aggregates.size(); ++i) {
    with([i](Query& q) { q.level.aggregates[i].filter.clear(); });
    if (query.level.aggregates.size() > 1) {
      with([i](Query& q) { q.level.aggregates.erase(q.level.aggregates.begin() + static_cast<std::ptrdiff_t>(i)); });
    }
  }
  return queries;
}

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

class Generator {
 public:
  // One of `ordinary` rows, by its id, or the unit of the rows from there on, is what is missing in the neighbour: it
  // is looked at in particular.
  Generator(const Vocabulary& words, unsigned seed, int ordinary)
      : words_(words), random_(seed), world_(some_world(ordinary)) {}

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
    if (once_in(2)) level.joined = join();
    if (!once_in(3)) level.where = condition();
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
  World some_world(int ordinary) {
    World world;
    if (once_in(2)) {
      world.missing = "id = " + std::to_string(below(ordinary));
      return world;
    }
    world.missing = "id >= " + std::to_string(ordinary);
    world.letter = one_of<std::string>({"i", "n", "f", "t", "b"});
    world.rows_of_others = 1 + below(2);
    const bool few = world.rows_of_others == 1;  // joined with themselves they have up to four
    world.limits_rows = once_in(3);
    if (world.limits_rows) {
      world.rows = world.groups = world.rows_per_group = few ? one_of<int>({1, 2, 5}) : one_of<int>({4, 7});
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
    return left + "fuzz_public ON " +
           one_of<std::string>({"wid = i", "wid = ref", "wname = u", "wa = ref AND wb = s", "wnum = n", "wid = 3",
                                "wa = ref", "wid <= i"}) +
           more();
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
    level.chosen = level.chosen || kind > 2;
    level.keys.push_back(key);
  }

  Aggregate aggregate() {
    Aggregate aggregate = call_of_aggregate();
    if (once_in(4)) aggregate.filter = condition();
    return aggregate;
  }

  Aggregate call_of_aggregate() {
    const auto within = [](double bound) { return Column{Column::Kind::within, bound}; };
    const Column free{Column::Kind::free};
    const std::string type = one_of<std::string>({"integer", "smallint", "bigint", "numeric", "double precision"});
    const std::string any = one_of<std::string>(
        {"integer", "text", "numeric", "double precision", "date", "jsonb", "boolean", "character"});
    const std::string unit = "p" + (world_.has_units() ? world_.letter : "i");
    switch (below(13)) {
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
        return {"dp_sum(" + value(type, 3) + ", -100, 100, 1e5)", "", within(101)};
      case 4:
        return {"dp_sum(" + value(type, 2) + ", 0, 1, 1e5)", "", within(1.01)};
      case 5:
        return {"dp_avg(" + value(type, 3) + ", -50, 1000, 1e5)", "", free};
      case 6:
        return {"dp_histogram(" + value("double precision", 2) + ", -1, 100, 5, 1e5)", "", within(1)};
      case 7:
        return {"dp_histogram(" + value("text", 2) + ", ARRAY['a', '', 'b'], 1e5)", "", within(1)};
      case 8:
        return {"dp_bounds(" + value(type, 3) + ", 1e5)", "", free};
      default:
        return {"dp_quantile(" + value(type, 2) + ", 0.5, -1, 50, 1e5)", "", free};
    }
  }

  const Vocabulary& words_;
  std::mt19937 random_;
  World world_;
  const std::map<std::string, std::vector<std::string>>* joined_ = nullptr;  // columns of the other table in FROM
};

}  // namespace dp::test
