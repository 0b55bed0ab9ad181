// Query levels of weird statements: answers of one row, of groups, rows that are chosen, and what is made of answers.
#pragma once

#include "support/weird_from.h"

namespace dp::test {

inline std::string Weird::aggregate(char* type, const WeirdColumns& seen, int depth) {
  const auto plain_column = [&](char of) {
    const WeirdColumns fitting = of_type(of, seen);
    return fitting.empty() || once_in(4) ? value(of, seen, depth - 1) : dice_.one_of(fitting).name;
  };
  *type = 'i';
  std::string call;
  switch (below(12)) {
    case 1:
      call = "sum(" + plain_column('i') + ")";
      break;
    case 2:
      call = "count(" + plain_column(once_in(2) ? 't' : 'i') + ")";
      break;
    case 3:
      call = "count(DISTINCT " + plain_column(once_in(2) ? 't' : 'i') + ")";
      break;
    case 4:
      *type = 'n';
      call = "avg(" + plain_column('i') + ")";
      may_differ = true;  // of no rows
      break;
    case 5:
      *type = 'n';
      call = "sum(" + plain_column('n') + ")";
      break;
    case 6: {
      // A whole row.
      const std::string first = seen.empty() ? "1" : seen.front().name;
      const std::string alias = first.substr(0, first.find('.'));
      call = "count(" + alias + (once_in(2) ? ".*" : "") + ")";
      break;
    }
    case 7:
      call = "sum(CASE WHEN " + condition(seen, depth) + " THEN 1 ELSE 0 END)";
      break;
    default:
      call = "count(*)";
  }
  if (once_in(4)) call += " FILTER (WHERE " + condition(seen, depth) + ")";
  // Of no rows it is 0 here, and NULL there.
  if (call.starts_with("sum(")) call = "coalesce(" + call + ", 0)";
  return call;
}

// Aggregates that may share one release: of one column, or under conditions that exclude each other, or nearly.
inline WeirdColumns Weird::sharing(const WeirdColumns& seen) {
  const WeirdColumns numbers = of_type('i', seen);
  if (numbers.empty()) return {{"count(*)", 'i'}};
  const std::string of = dice_.one_of(numbers).name, other = dice_.one_of(numbers).name;
  const std::string split = word({"3", "7", "20"});
  const std::vector<std::string> arms = {of + " < " + split, of + " >= " + split,   of + " = " + split,
                                         of + " IS NULL",    other + " > " + split, of + " IN (1, 2)"};
  WeirdColumns calls;
  if (once_in(2)) {
    for (int more = 2 + below(3); more > 0; --more) {
      const std::string arm = word(arms);
      switch (below(4)) {
        case 0:
          calls.push_back({"count(*) FILTER (WHERE " + arm + ")", 'i'});
          break;
        case 1:
          calls.push_back({"count(CASE WHEN " + arm + " THEN 1 END)", 'i'});
          break;
        case 2:
          calls.push_back({"coalesce(sum(CASE WHEN " + arm + " THEN " + of + " ELSE 0 END), 0)", 'i'});
          break;
        default:
          calls.push_back({"coalesce(sum((" + arm + ")::int), 0)", 'i'});
      }
    }
    return calls;
  }
  const std::string filter = once_in(3) ? " FILTER (WHERE " + word(arms) + ")" : "";
  for (int more = 2 + below(3); more > 0; --more) {
    switch (below(6)) {
      case 0:
        calls.push_back({"coalesce(sum(" + of + ")" + filter + ", 0)", 'i'});
        break;
      case 1:
        calls.push_back({"coalesce(sum(" + of + " * 2)" + filter + ", 0)", 'i'});
        break;
      case 2:
        calls.push_back({"avg(" + of + ")" + filter, 'n'});
        may_differ = true;  // of no rows
        break;
      case 3:
        calls.push_back({"avg(5 - " + of + " / 2.0)" + filter, 'n'});
        may_differ = true;
        break;
      case 4:
        calls.push_back({"count(" + of + ")" + filter, 'i'});
        break;
      default:
        calls.push_back({"count(*)" + filter, 'i'});
    }
  }
  return calls;
}

inline WeirdQuery Weird::one_row(bool is_private, const WeirdColumns& outer, int depth) {
  const From read = from(is_private, {}, depth);
  WeirdQuery query{"SELECT ", {}};
  WeirdColumns calls;
  if (once_in(3)) calls = sharing(read.seen);
  for (int more = 1 + below(2); more > 0; --more) {
    char type;
    const std::string call = aggregate(&type, read.seen, depth);
    calls.push_back({call, type});
  }
  for (const WeirdColumn& call : calls) {
    const std::string called = name("a");
    query.text += (query.columns.empty() ? "" : ", ") + call.name + " AS " + called;
    query.columns.push_back({called, call.type});
  }
  query.text += " FROM " + read.text;
  if (once_in(2)) query.text += " WHERE " + condition(once_in(4) ? both(read.seen, outer) : read.seen, depth);
  return query;
}

inline WeirdQuery Weird::grouped(bool is_private, const WeirdColumns& outer, int depth) {
  const From read = from(is_private, {}, depth);
  // Those of which the values are declared.
  WeirdColumns keys;
  for (const WeirdColumn& column : read.seen) {
    const std::string bare = column.name.substr(column.name.find('.') + 1);
    for (const char* const known : {"ward_id", "k", "region", "c2"}) {
      if (bare == known) keys.push_back(column);
    }
  }
  const auto key = [&]() -> WeirdColumn {
    if (!keys.empty() && !once_in(5)) return dice_.one_of(keys);
    const char type = once_in(2) ? 't' : 'i';
    return {value(type, read.seen, once_in(3) ? depth : 0), type};
  };
  WeirdQuery query{"SELECT ", {}};
  std::vector<std::string> grouped_by;
  std::string first_key;
  bool computed = false;
  for (int more = 1 + below(4) / 3; more > 0; --more) {
    const WeirdColumn by = key();
    computed |= std::ranges::none_of(keys, [&by](const WeirdColumn& column) { return column.name == by.name; });
    if (by.name == first_key) continue;  // which of the two is printed, PostgreSQL itself forgets in CUBE (1, 2)
    if (first_key.empty()) first_key = by.name;
    const std::string called = name("k");
    query.text += by.name + " AS " + called + ", ";
    query.columns.push_back({called, by.type});
    grouped_by.push_back(std::to_string(query.columns.size()));
  }
  if (once_in(4)) {
    for (const WeirdColumn& shared : sharing(read.seen)) {
      const std::string called = name("a");
      query.text += shared.name + " AS " + called + ", ";
      query.columns.push_back({called, shared.type});
    }
  }
  char type;
  std::string call = aggregate(&type, read.seen, depth);
  if (type == 'i' && once_in(6)) call = "sum(" + call + ") OVER (ORDER BY " + first_key + " RANGE UNBOUNDED PRECEDING)";
  const std::string called = name("a");
  query.text += call + " AS " + called;
  query.columns.push_back({called, type});
  query.text += " FROM " + read.text;
  if (once_in(2)) query.text += " WHERE " + condition(once_in(4) ? both(read.seen, outer) : read.seen, depth);
  const std::string by = listed(grouped_by, ", ");
  const bool sets = once_in(8);
  query.text += " GROUP BY " + (sets ? word({"ROLLUP (", "CUBE (", "GROUPING SETS ((), "}) + by + ")" : by);
  // Groups of which there are no rows are answered, too, where they are not chosen.
  if (once_in(4)) {
    may_differ = true;
  } else {
    query.text += " HAVING count(*) > " + word({"0", "1", "30"});
  }
  if (once_in(4)) {
    query.text += " ORDER BY " + std::to_string(query.columns.size()) + " DESC, " + by;
    // Which of two equal answers comes first is up to the noise, where there is some behind the point.
    // PostgreSQL itself takes a constant for equal to the NULL of a set without it when it sorts.
    if (query.columns.back().type == 'i' && once_in(2)) {
      query.text += " LIMIT 2";
      may_differ |= sets && computed;
    }
  }
  return query;
}

// As answers are joined to rows: by the key alone, the largest ones perhaps.
inline WeirdQuery Weird::grouped_by_ward(int depth) {
  const std::string alias = name("t"), key = name("k"), called = name("a");
  const WeirdColumns seen = named(alias, {{"stay", 'i'}, {"ward_id", 'i'}, {"k", 't'}});
  std::string text = "SELECT " + alias + ".ward_id AS " + key + ", count(*) AS " + called + " FROM visit " + alias;
  if (once_in(3)) text += " WHERE " + condition(seen, depth);
  text += " GROUP BY 1";
  if (once_in(3)) text += " HAVING count(*) > 0";
  if (once_in(3)) text += " ORDER BY 2 DESC, 1 LIMIT " + word({"2", "3"});
  return {text, {{key, 'i'}, {called, 'i'}}};
}

inline WeirdQuery Weird::chosen(bool is_private, const WeirdColumns& outer, int depth) {
  const From read = from(is_private, outer, depth);
  WeirdQuery query{"SELECT ", {}};
  for (int more = 2 + below(3); more > 0; --more) {
    const char type = dice_.one_of<char>({'i', 'i', 't', 'n', 'd', 'b'});
    const std::string called = name("c");
    query.text += (query.columns.empty() ? "" : ", ") + value(type, both(read.seen, outer), depth) + " AS " + called;
    query.columns.push_back({called, type});
  }
  query.text += " FROM " + read.text;
  if (once_in(2)) query.text += " WHERE " + condition(both(read.seen, outer), depth);
  return query;
}

inline WeirdQuery Weird::over_answers(const WeirdColumns& outer, int depth) {
  const WeirdQuery below_it = once_in(3) ? one_row(true, {}, depth - 1) : grouped(true, {}, depth - 1);
  const std::string alias = name("s");
  From read{"(" + below_it.text + ") " + alias, named(alias, below_it.columns)};
  if (once_in(2)) {
    const From next = item(false, both(outer, read.seen), depth - 1);
    read.text += (once_in(2) ? " CROSS JOIN " : ", ") + next.text;
    read.seen = both(read.seen, next.seen);
  }
  WeirdQuery query{"SELECT ", {}};
  for (int more = 1 + below(3); more > 0; --more) {
    const char type = dice_.one_of<char>({'i', 'i', 't', 'n'});
    const std::string called = name("c");
    std::string shown = value(type, read.seen, depth);
    switch (below(8)) {
      case 1:
        shown = type == 't' ? shown : "sum(" + shown + ") OVER (PARTITION BY " + value('i', read.seen, 0) + ")";
        break;
      case 2:
        shown = "count(*) OVER (ORDER BY " + shown + " RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW EXCLUDE TIES)";
        break;
      default:
        break;
    }
    query.text += (query.columns.empty() ? "" : ", ") + shown + " AS " + called;
    query.columns.push_back({called, shown.starts_with("count(*) OVER") ? 'i' : type});
  }
  query.text += " FROM " + read.text;
  if (once_in(2)) query.text += " WHERE " + condition(both(read.seen, outer), depth);
  return query;
}

// An answer for each row of a public table.
inline WeirdQuery Weird::for_each_row(int depth) {
  const std::string row = name("w"), alias = name("t"), called = name("k"), shown = name("c"), answer = name("a");
  const WeirdColumns seen =
      named(alias, {{"stay", 'i'}, {"ward_id", 'i'}, {"k", 't'}, {"cost", 'n'}, {"patient_id", 'i'}});
  const WeirdColumns of_row = named(row, {{"beds", 'i'}, {"name", 't'}, {"ward_id", 'i'}});
  char type;
  std::string asked =
      "(SELECT " + aggregate(&type, seen, depth) + " FROM visit " + alias + " WHERE " + alias + "." +
      word({"ward_id = " + row + ".ward_id", "ward_id = " + row + ".ward_id", "stay < " + row + ".beds"});
  if (once_in(2)) asked += " AND " + condition(once_in(4) ? both(seen, of_row) : seen, depth);
  asked += ")";
  std::string text = "SELECT " + row + ".ward_id AS " + called + ", " + value('t', of_row, 1) + " AS " + shown + ", " +
                     asked + " AS " + answer + " FROM ward " + row;
  if (once_in(3)) text += " WHERE " + condition(of_row, 1);
  if (once_in(4)) text += " ORDER BY 3 DESC, 1";
  return {text, {{called, 'i'}, {shown, 't'}, {answer, type}}};
}

// Rows of a list, and what lies between their ends, or has that value.
inline WeirdQuery Weird::by_a_list(int depth) {
  const std::string list = name("l"), alias = name("t"), called = name("k"), answer = name("a");
  const WeirdColumns seen = named(alias, {{"stay", 'i'}, {"ward_id", 'i'}, {"k", 't'}, {"id", 'i'}});
  const std::string also = once_in(3) ? " AND " + condition(seen, depth) : "";
  const std::string counted = word({"count(" + alias + ".id)", "count(DISTINCT " + alias + ".patient_id)",
                                    "count(" + alias + ".id) FILTER (WHERE " + condition(seen, 1) + ")"});
  std::string shown = list + ".lo", rows, on;
  char type = 'i';
  switch (below(4)) {
    case 0:
      rows = "(VALUES (0, 10), (10, 20), (20, 40)) " + list + "(lo, hi)";
      on = alias + ".stay >= " + list + ".lo AND " + alias + ".stay < " + list + ".hi";
      break;
    case 1:
      rows = "(VALUES (0, 12), (10, 20), (20, 40)) " + list + "(lo, hi)";  // 10 and 11 twice
      on = alias + ".stay BETWEEN " + list + ".lo AND " + list + ".hi";
      break;
    case 2:
      rows = "generate_series(1, 4) " + list + "(lo)";
      on = alias + ".ward_id = " + list + ".lo";
      break;
    default:
      rows = "generate_series(timestamp '2024-01-01', '2024-03-01', '1 month') " + list + "(lo)";
      on = alias + ".at >= " + list + ".lo AND " + alias + ".at < " + list + ".lo + interval '1 month'";
      shown = list + ".lo::date";
      type = 'd';
  }
  return {"SELECT " + shown + " AS " + called + ", " + counted + " AS " + answer + " FROM " + rows +
              " LEFT JOIN visit " + alias + " ON " + on + also + " GROUP BY " + list + ".lo",
          {{called, type}, {answer, 'i'}}};
}

inline WeirdQuery Weird::answers(bool is_private, const WeirdColumns& outer, int depth) {
  switch (below(is_private ? 7 : 5)) {
    case 0:
    case 1:
      return one_row(is_private, outer, depth);
    case 2:
    case 3:
      return grouped(is_private, outer, depth);
    case 5:
      return for_each_row(depth - 1);
    case 6:
      return by_a_list(depth - 1);
    default:
      return is_private ? over_answers(outer, depth) : chosen(false, outer, depth);
  }
}

}  // namespace dp::test
