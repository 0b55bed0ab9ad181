// A question about the tables of test/support/fuzz_paths.h, and what questions are made of: aggregates of rows, and
// what a subquery computes of each person's rows.
#pragma once

#include "support/fuzz_path_joins.h"

namespace dp::test {

// What is asked of an expression @, which is a number from 0 to {most}.
struct PathAggregate {
  std::string call, plain;  // plain: of PostgreSQL itself; empty: it has no such thing
  bool of_number = false;   // otherwise a row changes it by one
  bool free = false;        // by how much a row changes it is not said
};

inline const std::vector<PathAggregate> kOfPathRows = {{"count(*)", "count(*)"},
                                                       {"count(*)", "count(*)"},
                                                       {"count(@)", "count(@)"},
                                                       {"sum(@)", "sum(@)", true},
                                                       {"avg(@)", "avg(@)", true, true},
                                                       {"dp_count('*', 1e6)", "count(*)"},
                                                       {"dp_count(@, 1e6)", "count(@)"},
                                                       {"dp_sum(@, 0, {most}, 1e6)", "sum(@)", true},
                                                       {"dp_avg(@, 0, {most}, 1e6)", "avg(@)", true, true},
                                                       {"count(DISTINCT @)", "count(DISTINCT @)"}};

// What PostgreSQL itself does not have, or has otherwise.
inline const std::vector<PathAggregate> kOfPathRowsAlone = {{"dp_median(@, 0, {most}, 1e6)", "", false, true},
                                                            {"dp_histogram(@, 0, {most}, 3, 1e6)", ""},
                                                            {"dp_stddev(@, 0, {most}, 1e6)", "", false, true}};

// What a subquery computes of each person's rows, from numbers # and conditions ?, and how large it may be.
struct OfPerson {
  std::string name, call;
  bool of_rows;  // it grows with them
};

inline const std::vector<OfPerson> kOfPersons = {{"n", "count(*)", true},
                                                 {"s", "sum(#)", true},
                                                 {"a", "avg(#)", false},
                                                 {"h", "max(#)", false},
                                                 {"d", "count(DISTINCT #)", false},
                                                 {"f", "count(*) FILTER (WHERE ?)", true},
                                                 {"t", "sum(#) FILTER (WHERE ?)", true},
                                                 {"m", "min(#)", false}};

// Groups by what is computed of each person.
inline const std::vector<std::string> kKeysOfPersons = {"(# > 3)", "least(#, 5)", "# / 10",
                                                        "CASE WHEN # >= 4 THEN 'often' ELSE #::text END"};

// SELECT keys, aggregates FROM source WHERE conditions GROUP BY keys.
struct PathQuestion {
  std::vector<std::string> ctes, keys, conditions;
  std::vector<std::pair<std::string, std::string>> aggregates;  // as asked, and of PostgreSQL itself
  std::string from, plain_from;
  std::string sets;
  bool for_each = false;  // row of a public table: not grouped
  std::string whose;      // in PostgreSQL's own query
  bool known = true;      // what PostgreSQL itself answers is comparable
  bool counts_alone = true;
  double change = 0;          // of all numbers, for one row
  std::vector<double> sizes;  // of each number, for one row; below zero where it may be anything without rows

  std::string text(bool plain) const {
    std::vector<std::string> columns = keys;
    if (!sets.empty()) columns.push_back("GROUPING(" + joined(keys, ", ") + ")");
    for (const auto& [asked, own] : aggregates) columns.push_back(plain ? own : asked);
    std::string sql = start() + "SELECT " + joined(columns, ", ") + rows(plain);
    if (keys.empty() || for_each) return sql;
    return sql + " GROUP BY " + (sets.empty() ? joined(keys, ", ") : sets + " (" + joined(keys, ", ") + ")");
  }

  // Where only `limit` rows of each person count. Of a single count.
  std::string limited(int limit) const {
    return start() + "SELECT coalesce(sum(least(n, " + std::to_string(limit) + ")), 0) FROM (SELECT count(*) AS n" +
           rows(true) + " GROUP BY " + whose + ") AS s";
  }

  std::size_t keys_shown() const { return keys.size() + (sets.empty() ? 0 : 1); }

  int groupings() const {
    const int all = static_cast<int>(keys.size());
    return sets.empty() ? 1 : sets == "CUBE" ? 1 << all : all + 1;
  }

  static std::string joined(const std::vector<std::string>& parts, const std::string& between) {
    std::string whole;
    for (const std::string& part : parts) whole += (whole.empty() ? "" : between) + part;
    return whole;
  }

 private:
  std::string start() const { return ctes.empty() ? "" : "WITH " + joined(ctes, ", ") + " "; }
  std::string rows(bool plain) const {
    return " FROM " + (plain ? plain_from : from) + (conditions.empty() ? "" : " WHERE " + joined(conditions, " AND "));
  }
};

}  // namespace dp::test
