// Queries of test/fault/fuzz.cpp: private aggregates over a table t, as trees whose parts can be left out.
#pragma once

#include <functional>
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
  bool chooses_limits = false;  // nobody has declared any; at this epsilon nothing is cut

  bool has_units() const { return !letter.empty(); }

  std::string limits() const {
    if (chooses_limits) return "limits => 'auto'";
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

}  // namespace dp::test
