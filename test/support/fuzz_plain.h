// Plain SQL as tools write it, at random: count, sum, avg and the like over columns with declared domains, grouped by
// what is computed from them. Of one table, q, and a public one; test/support/fuzz_hostile_plain.h makes both.
#pragma once

#include <limits>

#include "support/fuzz_hostile.h"

namespace dp::test {

// A column and what is known of it.
struct PlainColumn {
  std::string name, type;
  std::string ordinary;  // the value in row {i}, within what is declared
  std::vector<std::string> odd;
  std::string declared;  // the curator's statement; empty: nothing
};

inline const std::vector<PlainColumn> kPlainColumns = {
    {"ward",
     "text",
     "(ARRAY['a', 'B', 'c'])[1 + {i} % 3]",
     {"'a'", "'B'", "'d'", "''", "'zzz'", "NULL"},
     "dp.declare_values('q', 'ward', 'a', 'B', 'c')"},
    {"age",
     "int",
     "{i} * 2",
     {"0", "99", "-1", "100", "2147483647", "-2147483648", "NULL"},
     "dp.declare_range('q', 'age', 0, 99)"},
    {"score", "int2 CHECK (score BETWEEN -5 AND 5)", "{i} % 11 - 5", {"-5", "5", "0", "NULL"}, ""},
    {"cost",
     "numeric",
     "{i} + 0.5",
     {"0", "50", "50.01", "-1", "'NaN'", "'Infinity'", "1e400", "NULL"},
     "dp.declare_range('q', 'cost', 0, 50)"},
    {"price",
     "float8",
     "{i} / 2.0",
     {"0", "20", "'NaN'", "'Infinity'", "'-Infinity'", "1e308", "5e-324", "'-0'", "NULL"},
     "dp.declare_range('q', 'price', 0, 20)"},
    {"ok", "bool", "{i} % 2 = 0", {"true", "false", "NULL"}, ""},
    {"feels", "feeling", "(ARRAY['low', 'high'])[1 + {i} % 2]::feeling", {"'low'", "'middle'", "NULL"}, ""},
    {"admitted",
     "date",
     "date '2024-01-01' + {i} * 2",
     {"'2024-01-01'", "'2024-03-31'", "'2024-04-01'", "'infinity'", "'-infinity'", "'4714-11-24 BC'", "'5874897-12-31'",
      "NULL"},
     "dp.declare_range('q', 'admitted', '2024-01-01', '2024-03-31')"},
    {"at",
     "timestamp",
     "timestamp '2024-01-01 05:30' + {i} * interval '2 days'",
     {"'2024-01-01'", "'2024-03-31 02:30'", "'2024-04-01'", "'infinity'", "'-infinity'", "'4714-11-24 00:00:00 BC'",
      "'294276-12-31 23:59:59'", "NULL"},
     "dp.declare_range('q', 'at', '2024-01-01', '2024-03-31 23:59:59.999999')"},
    {"atz",
     "timestamptz",
     "timestamptz '2024-01-01 05:30+00' + {i} * interval '2 days'",
     {"'2024-01-01 00:00+00'", "'2024-03-31 01:30+00'", "'2024-04-01'", "'infinity'", "'-infinity'",
      "'4714-11-24 00:00:00+00 BC'", "'294276-12-31 23:59:59+00'", "NULL"},
     "dp.declare_range('q', 'atz', '2024-01-01 00:00+00', '2024-03-31 23:00+00')"},
    {"pub", "int", "{i} % 4", {"0", "2", "99", "NULL"}, ""},
    {"note", "text", "{i}::text", {"'x'", "''", "'1e400'", "'%'", "repeat('[', 400)", "NULL"}, ""},
};

// What groups are by: images of declared columns, values of the public table, and some of which nothing is known.
inline const std::vector<std::string> kPlainKeys = {"ward",
                                                    "lower(ward)",
                                                    "upper(ward)",
                                                    "coalesce(ward, 'none')",
                                                    "left(ward, 1)",
                                                    "ward || '!'",
                                                    "ok",
                                                    "feels",
                                                    "coalesce(ok, false)",
                                                    "age / 10",
                                                    "floor(age / 10.0) * 10",
                                                    "age % 7",
                                                    "score",
                                                    "abs(score)",
                                                    "round(cost, -1)",
                                                    "cost::int / 10 * 10",
                                                    "ceil(cost)",
                                                    "floor(price)",
                                                    "floor(cost / 10)",
                                                    "dp_bucket(cost, 10)",
                                                    "width_bucket(price, 0, 20, 4)",
                                                    "width_bucket(cost, 0, 50, 5)",
                                                    "admitted",
                                                    "date_trunc('month', admitted)",
                                                    "CAST(date_trunc('week', at) AS date)",
                                                    "date_trunc('month', atz)",
                                                    "date_trunc('day', atz)",
                                                    "at::date",
                                                    "extract(dow FROM at)",
                                                    "extract(month FROM admitted)::int",
                                                    "to_char(at, 'YYYY-MM')",
                                                    "date_bin('2 days', at, '2024-01-01')",
                                                    "date_trunc('week', atz AT TIME ZONE 'Europe/Berlin')",
                                                    "floor(extract(epoch FROM at) / 604800) * 604800",
                                                    "CASE WHEN age < 18 THEN 'child' ELSE 'adult' END",
                                                    "CASE WHEN ok THEN ward END",
                                                    "name",
                                                    "upper(name)",
                                                    "coalesce(name, 'none')",
                                                    "length(note)"};

// Of columns of both tables.
inline const std::vector<std::string> kPlainKeysOfTwo = {"ward || name",
                                                         "coalesce(name, ward)",
                                                         "CASE WHEN age > wid * 10 THEN name ELSE ward END",
                                                         "CASE WHEN age > wid * 10 THEN 'more' ELSE 'less' END",
                                                         "age / 10 - wid",
                                                         "date_trunc('month', admitted)::date + wid",
                                                         "date_trunc('week', at) + wid * interval '1 day'",
                                                         "to_char(atz, 'MM') || coalesce(name, '-')",
                                                         "100 / (score - wid)",
                                                         "pub + wid",
                                                         "cost * wid",
                                                         "lower(ward) = lower(name)"};

struct PlainAggregate {
  std::string call;
  double change;  // by how much one row changes it at most; kFree: by anything
};

inline constexpr double kFree = std::numeric_limits<double>::infinity();

inline const std::vector<PlainAggregate> kPlainAggregates = {
    {"count(*)", 1},
    {"count(1)", 1},
    {"count(*)", 1},
    {"count(cost)", 1},
    {"count(note)", 1},
    {"count(DISTINCT ward)", 1},
    {"count(DISTINCT lower(note))", 1},
    {"count(DISTINCT age)", 1},
    {"sum(cost)", 50},
    {"sum(age)", 99},
    {"sum(score)", 5},
    {"sum(price)", 20},
    {"sum(age * 2 - 1)", 199},
    {"sum(cost * (1 - price / 20))", 50},
    {"sum(CASE WHEN ok THEN 1 ELSE 0 END)", 1},
    {"sum(coalesce(cost, 7))", 50},
    {"sum(DISTINCT age)", 99},
    {"sum(greatest(score, age))", 99},
    {"sum(extract(day FROM admitted))", 31},
    {"dp_count('*')", 1},
    {"dp_sum(cost)", 50},
    {"dp_sum(note::int, 0, 9)", 9},
    {"avg(cost)", kFree},
    {"avg(age)", kFree},
    {"avg(price / (age + 1))", kFree},
    {"stddev(price)", kFree},
    {"var_pop(cost)", kFree},
    {"percentile_cont(0.5) WITHIN GROUP (ORDER BY price)", kFree},
    {"percentile_disc(0.9) WITHIN GROUP (ORDER BY admitted)", kFree},
    {"mode() WITHIN GROUP (ORDER BY ward)", kFree},
    {"sum(cost) / nullif(count(*), 0)", kFree},
    {"sum(count(*)) OVER ()", kFree},
    {"min(age)", 0},
    {"max(at)", 0},
    {"min(cost)", 0},
    {"max(admitted)", 0},
    {"dp_error(count(*))", 0},
    {"dp_error(sum(cost), 0.9)", 0},
    {"dp_error(avg(cost))", kFree},
    {"dp_histogram(age, 0, 100, 4)", 1},
    {"(dp_cumulative(age, 0, 100, 40)).counts", 40}};

// Of a column of which nothing is declared, and public rows hold at most 99.
inline const std::vector<PlainAggregate> kPlainOfPublic = {
    {"sum(wid)", 99},          {"sum(score * wid)", 495}, {"sum(age + wid)", 198}, {"avg(cost * wid)", kFree},
    {"dp_error(sum(wid))", 0}, {"sum(age / wid)", kFree}, {"max(wid)", 0}};

// The public rows that are joined have the columns wid and name.
inline const std::vector<std::string> kPlainJoins = {
    "q JOIN qw ON wid = pub",
    "q LEFT JOIN qw ON wid = pub",
    "q JOIN (VALUES (0, 'x'), (1, 'Y'), (2, NULL)) AS list (wid, name) ON wid = pub",
    "q LEFT JOIN (VALUES (0, 'x'), (99, 'Y')) AS list (wid, name) ON wid = pub AND age > 5",
    "(VALUES (0, 'x'), (7, 'Y'), (NULL, 'z')) AS list (wid, name) LEFT JOIN q ON wid = pub",
    "q JOIN (SELECT wid, max(name) AS name FROM qw GROUP BY wid) AS w ON wid = pub",
    "q LEFT JOIN (SELECT DISTINCT wid, upper(name) AS name FROM qw) AS w ON wid = pub AND ok",
    "(SELECT wid, name FROM qw ORDER BY wid LIMIT 2) AS w LEFT JOIN q ON wid = pub",
    "q JOIN (SELECT w AS wid, w::text AS name FROM unnest(ARRAY[0, 2, NULL]) AS w) AS w ON wid = pub",
    "q LEFT JOIN (SELECT wid, chr(97 + wid) AS name FROM generate_series(0, 9, 2) AS wid) AS w ON wid = pub",
    "unnest(ARRAY[0, 2, NULL]) AS wid LEFT JOIN q ON wid = pub",
    "q JOIN unnest(ARRAY[0, 99]) AS wid ON wid = pub",
    "q JOIN (SELECT 1 AS wid, 'x' AS name) AS w ON wid = pub",
    "q CROSS JOIN (SELECT max(wid) AS wid, min(name) AS name FROM qw) AS w"};

inline const std::vector<std::string> kPlainConditions = {"age >= 18",
                                                          "age < 50",
                                                          "cost < 20",
                                                          "cost BETWEEN 5 AND 30",
                                                          "admitted >= '2024-02-01'",
                                                          "at < '2024-03-01'",
                                                          "atz >= '2024-02-10'",
                                                          "ward = 'a'",
                                                          "ward IN ('a', 'B')",
                                                          "ward <> 'c'",
                                                          "lower(ward) = 'b'",
                                                          "ok",
                                                          "NOT ok",
                                                          "ok IS NULL",
                                                          "feels = 'low'",
                                                          "100 / age > 3",
                                                          "sqrt(score) > 1",
                                                          "note::int > 3",
                                                          "note LIKE '1%'",
                                                          "note ~ '^[0-9]+$'",
                                                          "age * cost > 100",
                                                          "extract(dow FROM atz) IN (0, 6)",
                                                          "date_trunc('month', at) = '2024-02-01'",
                                                          "price IS NOT NULL",
                                                          "age + 2147483600 > 0",
                                                          "id > 10",
                                                          "to_char(admitted, 'MM') = '02'",
                                                          "at + interval '178000000 years' > at"};

inline const std::vector<std::string> kPlainSubqueries = {
    "EXISTS (SELECT FROM qw WHERE wid = pub)", "pub IN (SELECT wid FROM qw)", "age > (SELECT max(wid) FROM qw)"};

// Without a private form; refused alike.
inline const std::vector<PlainAggregate> kPlainRefused = {
    {"bool_and(ok)", 0}, {"min(note)", 0}, {"stddev(DISTINCT id)", 0}};

// A question: SELECT keys, aggregates FROM q WHERE GROUP BY.
struct PlainQuestion {
  std::string from = "q";
  std::vector<std::string> keys;
  std::vector<PlainAggregate> aggregates;
  std::vector<std::string> conditions;
  std::string sets;  // "", "ROLLUP", "CUBE"
  std::string having;

  std::string keys_by_number() const {
    std::string list;
    for (std::size_t i = 1; i <= keys.size(); ++i) list += (i == 1 ? "" : ", ") + std::to_string(i);
    return list;
  }

  std::string text() const {
    std::string columns;
    for (const std::string& key : keys) columns += (columns.empty() ? "" : ", ") + key;
    for (const PlainAggregate& aggregate : aggregates) columns += (columns.empty() ? "" : ", ") + aggregate.call;
    std::string sql = "SELECT " + columns + " FROM " + from;
    for (const std::string& condition : conditions)
      sql += (&condition == conditions.data() ? " WHERE " : " AND ") + condition;
    if (!keys.empty()) {
      const std::string list = keys_by_number();
      sql += " GROUP BY " + (sets.empty() ? list : sets + " (" + list + ")");
    }
    if (!having.empty()) sql += " HAVING " + having;
    return sql + (keys.empty() ? "" : " ORDER BY " + keys_by_number());
  }

  // How much a unit changes in all, if each of its rows counts in one group of each grouping.
  double change(int rows) const {
    double all = 0;
    for (const PlainAggregate& aggregate : aggregates) all += aggregate.change;
    const int groupings = keys.empty() || sets.empty() ? 1
                          : sets == "CUBE"             ? 1 << keys.size()
                                                       : 1 + static_cast<int>(keys.size());
    return all * groupings * rows;
  }
};

inline PlainAggregate plain_aggregate(Dice& dice) {
  PlainAggregate aggregate = dice.one_of(kPlainAggregates);
  const bool takes_filter = aggregate.call.find("OVER") == std::string::npos &&
                            aggregate.call.find("dp_error") == std::string::npos &&
                            aggregate.call.find(" / nullif") == std::string::npos;
  if (takes_filter && dice.once_in(5)) aggregate.call += " FILTER (WHERE " + dice.one_of(kPlainConditions) + ")";
  return aggregate;
}

inline PlainQuestion plain_question(Dice& dice) {
  PlainQuestion question;
  for (int i = dice.below(3); i > 0; --i) question.keys.push_back(dice.one_of(kPlainKeys));
  for (int i = 1 + dice.below(3); i > 0; --i) question.aggregates.push_back(plain_aggregate(dice));
  while (dice.once_in(2)) question.conditions.push_back(dice.one_of(kPlainConditions));
  if (dice.once_in(8)) question.conditions.push_back(dice.one_of(kPlainSubqueries));
  if (dice.once_in(15)) question.aggregates.push_back(dice.one_of(kPlainRefused));
  bool joins = dice.once_in(4);
  if (joins && dice.once_in(2)) question.keys.push_back(dice.one_of(kPlainKeysOfTwo));
  if (joins && dice.once_in(2)) question.aggregates.push_back(dice.one_of(kPlainOfPublic));
  if (joins && dice.once_in(3)) question.conditions.push_back(dice.word({"wid < 2", "name = 'x'", "age > wid"}));
  for (const std::string& key : question.keys) joins = joins || key.find("name") != std::string::npos;
  if (joins) question.from = dice.one_of(kPlainJoins);
  if (!question.keys.empty() && dice.once_in(5)) question.sets = dice.word({"ROLLUP", "CUBE"});
  if (dice.once_in(6)) question.having = dice.word({"count(*) >= 0", "sum(cost) > -1000"});
  return question;
}

}  // namespace dp::test
