// What stands in a weird statement: columns that are in sight, and expressions over them.
#pragma once

#include "support/weird_choices.h"

namespace dp::test {

// Types: i whole number, n numeric, t text, b boolean, d date.
struct WeirdColumn {
  std::string name;  // as it is written, with the table before it if need be
  char type;
};

using WeirdColumns = std::vector<WeirdColumn>;

// A query, and the columns of its result.
struct WeirdQuery {
  std::string text;
  WeirdColumns columns;
};

// Makes statements from decisions. What rows are read from: those of protected tables (`rows`), of anything.
class Weird {
 public:
  explicit Weird(Choices& dice) : dice_(dice) {}

  // ---- expressions, weird_expressions.h ----
  std::string value(char type, const WeirdColumns& seen, int depth);
  std::string condition(const WeirdColumns& seen, int depth);

  // ---- FROM, weird_from.h ----
  struct From {
    std::string text;
    WeirdColumns seen;
  };
  // `outer`: what LATERAL and subqueries may name of levels around. `is_private`: it reads a protected table.
  From from(bool is_private, const WeirdColumns& outer, int depth);
  From item(bool is_private, const WeirdColumns& outer, int depth);

  // ---- levels, weird_levels.h ----
  WeirdQuery one_row(bool is_private, const WeirdColumns& outer, int depth);
  WeirdQuery grouped(bool is_private, const WeirdColumns& outer, int depth);
  WeirdQuery grouped_by_ward(int depth);
  WeirdQuery chosen(bool is_private, const WeirdColumns& outer, int depth);
  WeirdQuery over_answers(const WeirdColumns& outer, int depth);
  WeirdQuery for_each_row(int depth);
  WeirdQuery by_a_list(int depth);
  // Any of these whose rows may be seen.
  WeirdQuery answers(bool is_private, const WeirdColumns& outer, int depth);
  std::string aggregate(char* type, const WeirdColumns& seen, int depth);
  WeirdColumns sharing(const WeirdColumns& seen);

  // ---- statements, weird_statements.h ----
  std::string statement(bool is_private);

  std::string name(const std::string& stem) { return stem + std::to_string(++names_); }
  int below(int n) { return dice_.below(n); }
  bool once_in(int n) { return dice_.once_in(n); }
  std::string word(const std::vector<std::string>& list) { return dice_.word(list); }

  static WeirdColumns of_type(char type, const WeirdColumns& seen) {
    WeirdColumns found;
    for (const WeirdColumn& column : seen) {
      if (column.type == type) found.push_back(column);
    }
    return found;
  }
  static WeirdColumns both(WeirdColumns some, const WeirdColumns& others) {
    some.insert(some.end(), others.begin(), others.end());
    return some;
  }
  // The columns with the name of what shows them before each.
  static WeirdColumns named(const std::string& alias, const WeirdColumns& columns) {
    WeirdColumns seen;
    for (const WeirdColumn& column : columns) seen.push_back({alias + "." + column.name, column.type});
    return seen;
  }

  // Whether anything reads protected tables.
  bool asks_private = true;

  // Whether the answer need not be PostgreSQL's: it holds groups, or means, of no rows, or is computed from them.
  bool may_differ = false;

  bool writes = false;

  // CTEs that may be read here: their names, with the columns.
  std::vector<WeirdQuery> ctes;

 private:
  Choices& dice_;
  int names_ = 0;
};

inline std::string listed(const std::vector<std::string>& parts, const std::string& between) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : between) + part;
  return text;
}

}  // namespace dp::test
