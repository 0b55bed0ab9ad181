// Expressions of weird statements: none fails, whatever the values.
#pragma once

#include "support/weird_scope.h"

namespace dp::test {

inline std::string Weird::value(char type, const WeirdColumns& seen, int depth) {
  const WeirdColumns here = of_type(type, seen);
  const auto constant = [&]() -> std::string {
    switch (type) {
      case 'i':
        return word({"1", "0", "3", "7", "20"});
      case 'n':
        return word({"1.5", "20", "0"});
      case 't':
        return word({"'a'::text", "'b'::text", "'North'::text", "'c'::text"});
      case 'd':
        return word({"date '2024-02-01'", "date '2024-03-10'"});
      default:
        return word({"true", "false"});
    }
  };
  if (depth <= 0 || once_in(2)) {
    if (here.empty() || once_in(5)) return constant();
    return dice_.one_of(here).name;
  }
  const auto part = [&](char of) { return value(of, seen, depth - 1); };
  const auto shared = [&]() -> std::string {
    switch (below(6)) {
      case 0:
        return "CASE WHEN " + condition(seen, depth - 1) + " THEN " + part(type) + " ELSE " + part(type) + " END";
      case 1:
        return "coalesce(" + part(type) + ", " + constant() + ")";
      case 2:
        return "(SELECT " + part(type) + ")";
      case 3:
        return "greatest(" + part(type) + ", " + part(type) + ")";
      case 4:
        return "nullif(" + part(type) + ", " + constant() + ")";
      default: {
        const WeirdQuery query = one_row(!once_in(3), seen, depth - 2);
        const WeirdColumns fitting = of_type(type, query.columns);
        if (fitting.empty()) return part(type);
        const std::string alias = name("q");
        return "(SELECT " + alias + "." + fitting.front().name + " FROM (" + query.text + ") " + alias + ")";
      }
    }
  };
  if (once_in(2)) return shared();
  switch (type) {
    case 'i':
      switch (below(5)) {
        case 0:
          return "(" + part('i') + " + " + part('i') + ")";
        case 1:
          return "(" + part('i') + " % 5)";
        case 2:
          return "length(" + part('t') + ")";
        case 3:
          return "(" + part('i') + " - " + part('i') + ")";
        default:
          return "(ROW(" + part('i') + ", " + part('t') + ")::pair).x";
      }
    case 'n':
      return once_in(2) ? "(" + part('n') + " + " + part('i') + ")" : part('i') + "::numeric";
    case 't':
      switch (below(4)) {
        case 0:
          return "upper(" + part('t') + ")";
        case 1:
          return "(" + part('t') + " || 'x')";
        case 2:
          return "left(" + part('t') + ", 1)";
        default:
          return part('i') + "::text";
      }
    case 'd':
      return "(" + part('d') + " + 1)";
    default:
      return condition(seen, depth - 1);
  }
}

inline std::string Weird::condition(const WeirdColumns& seen, int depth) {
  const char type = dice_.one_of<char>({'i', 'i', 'i', 't', 'n', 'd'});
  const auto part = [&] { return value(type, seen, depth - 1); };
  const std::string compared = word({" > ", " < ", " = ", " <> ", " >= ", " IS DISTINCT FROM "});
  if (depth <= 0 || once_in(2)) return part() + compared + value(type, seen, 0);
  switch (below(12)) {
    case 0:
      return part() + " IS NOT NULL";
    case 1:
      return part() + " IN (" + value(type, {}, 0) + ", " + value(type, {}, 0) + ")";
    case 2:
      return "(" + condition(seen, depth - 1) + (once_in(2) ? " OR " : " AND ") + condition(seen, depth - 1) + ")";
    case 3:
      return "NOT (" + condition(seen, depth - 1) + ")";
    case 4: {
      const bool of_people = once_in(2);
      may_differ |= of_people;  // a list of people (EXCEPT, DISTINCT) shows who may be there
      const From read = from(of_people, seen, depth - 2);
      const std::string which = condition(once_in(3) ? read.seen : both(read.seen, seen), depth - 1);
      return std::string(once_in(2) ? "NOT " : "") + "EXISTS (SELECT FROM " + read.text + " WHERE " + which + ")";
    }
    case 5: {
      const bool of_people = once_in(2);
      may_differ |= of_people;  // what may be there is listed, whether or not it is
      const From read = from(of_people, seen, depth - 2);
      return part() + (once_in(3) ? " NOT IN (SELECT " : " IN (SELECT ") + value(type, read.seen, 1) + " FROM " +
             read.text + ")";
    }
    case 6: {
      const bool of_people = !once_in(3);
      may_differ |= of_people;
      const WeirdQuery query = grouped(of_people, seen, depth - 2);
      const WeirdColumns fitting = of_type(type, query.columns);
      const std::string alias = name("q");
      return part() + word({" = ANY (SELECT ", " > ALL (SELECT ", " IN (SELECT "}) +
             (fitting.empty() ? value(type, {}, 0) : alias + "." + fitting.back().name) + " FROM (" + query.text +
             ") " + alias + ")";
    }
    case 7:
      return "(" + value('i', seen, 1) + ", " + value('t', seen, 1) + ")" + compared + "(" + value('i', seen, 1) +
             ", " + value('t', seen, 0) + ")";
    case 8:
      return "ROW(" + value('i', seen, 1) + ", " + value('t', seen, 1) + ") IS NOT NULL";
    case 9:
      return part() + " BETWEEN " + value(type, {}, 0) + " AND " + value(type, seen, 0);
    case 10:
      return part() + compared + "(SELECT " + value(type, seen, 1) + ")";
    default: {
      const WeirdQuery query = one_row(!once_in(3), seen, depth - 2);
      const std::string alias = name("q");
      const WeirdColumn& column = query.columns.front();
      return value(column.type, seen, 1) + " < (SELECT " + alias + "." + column.name + " FROM (" + query.text + ") " +
             alias + ")";
    }
  }
}

}  // namespace dp::test
