// Words of questions about the tables of test/support/fuzz_paths.h: columns, conditions, and what stands beside a row
// in FROM.
#pragma once

#include "support/fuzz_paths.h"

namespace dp::test {

struct PathTable {
  char alias;
  std::string name;
  std::vector<std::string> keys, conditions;         // @: the alias
  std::vector<std::pair<std::string, int>> numbers;  // from 0 on
};

inline const std::vector<PathTable> kPathTableWords = {
    {'c',
     "customer",
     {"@.kind", "@.score % 3", "@.score / 10"},
     {"@.kind = 'x'", "@.score > 5", "@.nk IS NOT NULL", "@.score BETWEEN 3 AND 15", "@.score IS NULL"},
     {{"@.score", 19}}},
    {'o',
     "orders",
     {"@.urgent", "@.day / 10", "coalesce(@.urgent, false)", "(@.total > 5)"},
     {"@.total > 5", "@.urgent", "NOT @.urgent", "@.day < 20", "@.total IS NULL", "@.urgent IS NOT TRUE",
      "@.day IS NULL", "@.ok IS NOT NULL"},
     {{"@.total", 20}, {"@.day", 39}}},
    {'l',
     "lines",
     {"@.flag", "@.n", "@.price / 10"},
     {"@.price > 5", "@.flag", "@.n > 1", "@.pk <> 2", "@.price IS NOT NULL", "@.n IS NULL"},
     {{"@.price", 20}, {"@.n", 3}}},
    {'m', "lines", {"@.flag"}, {"@.price > 5", "@.n > 1"}, {{"@.price", 20}}},
    {'k',
     "calls",
     {"@.topic", "@.day / 20"},
     {"@.day > 10", "@.topic = 'x'", "@.topic IS NULL", "@.id IS NULL"},
     {{"@.day", 39}}},
    {'p', "part", {"@.kind"}, {"@.kind <> 'a'", "@.cost > 1"}, {{"@.cost", 5}}},
    {'n', "nation", {"@.region"}, {"@.region = 'n'", "@.nk < 4"}, {{"@.nk", 4}}},
    {'j', "", {"(@.n > 1)"}, {"@.n > 1", "@.h > 10", "@.n IS NULL"}, {{"@.n", 30}, {"@.h", 39}}},
    {'z', "", {}, {}, {}}};

inline const PathTable& table_of(char alias) { return *std::ranges::find(kPathTableWords, alias, &PathTable::alias); }

// Conditions that fail on some rows, are refused, or compare with an answer: what they are in PostgreSQL is not known.
inline const std::vector<std::pair<char, std::string>> kOddConditions = {
    {'c', "100 / c.score > 3"},
    {'c', "c.kind::int > 3"},
    {'c', "c.ck IN (SELECT x.ok FROM orders AS x)"},
    {'c', "c.score > (SELECT avg(score) FROM customer)"},
    {'o', "o.total / (o.day - 5) > 1"},
    {'o', "o.total + 2147483640 > 0"},
    {'o', "o.day IN (SELECT x.day FROM orders AS x)"},
    {'o', "EXISTS (SELECT FROM orders AS x WHERE x.day > o.day)"},
    {'o', "o.total > (SELECT avg(total) FROM orders)"},
    {'o', "EXISTS (SELECT FROM lines AS x WHERE x.ok = o.ok AND 10 / x.price > 2)"},
    {'o', "EXISTS (SELECT FROM lines AS x WHERE x.n = o.ok)"},
    {'l', "sqrt(l.price - 10) > 1"},
    {'l', "l.price * 1000000000 > 5"},
    {'l', "(l.price || 'x')::int > 3"},
    {'l', "l.n IN (SELECT x.n FROM lines AS x WHERE x.price > l.price)"},
    {'l', "(SELECT x.total / x.day FROM orders AS x WHERE x.ok = l.ok) > 1"},
    {'k', "k.topic LIKE repeat('%z', 400)"},
    {'k', "k.id IN (SELECT x.id FROM calls AS x WHERE x.day > 5)"}};

struct BesideRow {
  char of;
  std::string text, key, number;
  int most = 0;
};

// What stands beside such a row, behind it in FROM, and what it shows.
inline const std::vector<BesideRow> kBesideRows = {
    {'l', ", LATERAL (SELECT l.price * 2 AS y) AS z", "", "z.y", 40},
    {'l', ", LATERAL (VALUES ('a', l.price), ('b', l.n)) AS z (name, y)", "z.name", "z.y", 20},
    {'l', " CROSS JOIN LATERAL (SELECT 'a' AS name, l.price AS y WHERE l.flag UNION ALL SELECT 'b', l.n) AS z",
     "z.name", "z.y", 20},
    {'l', ", LATERAL (SELECT x.total AS y FROM orders AS x WHERE x.ok = l.ok) AS z", "", "z.y", 20},
    {'l', ", unnest(ARRAY[l.price, l.n]) AS z (y)", "", "z.y", 20},
    {'l', ", generate_series(1, l.n) AS z (y)", "", "", 3},
    {'o', ", LATERAL (SELECT o.total + 1 AS y WHERE o.day > 3) AS z", "", "z.y", 21},
    {'o', ", LATERAL (VALUES (1, o.total), (2, o.day)) AS z (name, y)", "z.name", "z.y", 39},
    {'o',
     " LEFT JOIN LATERAL (SELECT r.rate FROM rates AS r WHERE r.since <= o.day ORDER BY r.since DESC, r.rate DESC "
     "LIMIT 1) AS z ON true",
     "", "z.rate", 12},
    {'o', ", LATERAL (SELECT x.score AS y FROM customer AS x WHERE x.ck = o.ck) AS z", "", "z.y", 19},
    {'o', ", (VALUES (1), (2)) AS z (y)", "z.y", "", 0},
    {'o', " JOIN rates AS z ON z.since BETWEEN o.day - 4 AND o.day", "", "z.rate", 12},
    {'c', " JOIN (SELECT x.kind, max(x.rate) AS rate FROM rates AS x GROUP BY x.kind) AS z ON z.kind = c.kind",
     "z.rate", "z.rate", 12},
    {'m', ", LATERAL (SELECT m.price AS y UNION SELECT m.n) AS z", "", "z.y", 20},
    {'m', ", LATERAL (SELECT x.total AS y FROM orders AS x WHERE x.day = m.ok) AS z", "", "", 0},
    {'c',
     " LEFT JOIN LATERAL (SELECT r.rate FROM rates AS r WHERE r.kind = c.kind ORDER BY r.since LIMIT 1) AS z ON "
     "true",
     "z.rate", "z.rate", 12},
    {'c', ", LATERAL (SELECT count(*) AS y, max(x.total) AS h FROM orders AS x WHERE x.ck = c.ck) AS z", "", "z.h", 20},
    {'c',
     " LEFT JOIN LATERAL (SELECT x.total AS y, x.urgent AS b FROM orders AS x WHERE x.ck = c.ck ORDER BY x.day DESC, "
     "x.ok LIMIT 1) AS z ON true",
     "z.b", "z.y", 20},
    {'c', ", LATERAL (SELECT x.region AS y FROM nation AS x WHERE x.nk = c.nk) AS z", "z.y", "", 0},
    {'k', ", LATERAL (VALUES (k.day), (k.day / 2)) AS z (y)", "", "z.y", 39},
    {'k',
     " LEFT JOIN LATERAL (SELECT r.rate, r.since FROM rates AS r WHERE r.kind = k.topic AND r.since <= k.day ORDER "
     "BY r.since DESC LIMIT 1) AS z ON z.rate > 2",
     "", "z.rate", 12}};

struct OfTwo {
  char one, other;
  std::string text;
};

inline const std::vector<OfTwo> kOfTwo = {{'l', 'o', "l.price < o.total"},       {'o', 'c', "o.total > c.score"},
                                          {'o', 'k', "o.day < k.day"},           {'l', 'p', "l.price > p.cost"},
                                          {'l', 'c', "(l.flag OR c.score > 9)"}, {'c', 'n', "c.score > n.nk"},
                                          {'c', 'k', "k.topic = c.kind"},        {'l', 'm', "l.n < m.n"}};

}  // namespace dp::test
