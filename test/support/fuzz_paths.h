// Tables whose persons are found along foreign keys, and their neighbours, which lack one person with all her rows:
// customers have orders, and these have lines; calls name the person themselves. Some rows are nobody's: their path has
// a NULL in it, or leads to a row that is not there. Read by test/support/fuzz_hostile_paths.h.
#pragma once

#include "support/fuzz_hostile.h"

namespace dp::test {

struct PathWorld {
  bool accounts = false;  // a person may be several customers: the path from lines to her has a step more
  bool few = false;       // few rows count of a person; the others have no more, so that it is not by chance which do
  bool by_group = false;  // limits of groups and rows in each
  int groups = 1, rows = 1;    // of a person that count: `rows` in all, or in each of the groups
  bool lowered = false;        // by a setting of the asker's, to 2 rows
  bool kept_in_order = false;  // it is the latest rows that count
  bool odd = false;            // the missing person has values beyond what is declared
  bool all_named = false;      // the columns on the path are NOT NULL, but in lines
  bool nobody_too = false;     // the neighbour lacks the rows of nobody as well
  std::string key;             // the type of customers' keys

  // The column that names the person, in customers and calls.
  std::string unit() const { return accounts ? "person" : "ck"; }

  // How many rows count in an answer.
  int in_all(bool grouped) const {
    const int declared = by_group && grouped ? groups * rows : rows;
    return lowered ? std::min(declared, 2) : declared;
  }

  std::string limits() const {
    if (!by_group) return "max_rows_per_unit => " + std::to_string(rows);
    return "max_groups_per_unit => " + std::to_string(groups) + ", max_rows_per_group => " + std::to_string(rows);
  }
};

inline PathWorld path_world(Dice& dice) {
  PathWorld world;
  world.accounts = dice.once_in(2);
  world.few = dice.once_in(3);
  world.by_group = world.few && dice.once_in(3);
  world.groups = world.by_group ? 2 + dice.below(2) : 1;
  world.rows = world.few ? 2 + dice.below(3) : 300;
  world.lowered = world.few && dice.once_in(4);
  world.kept_in_order = world.few && dice.once_in(4);
  world.odd = dice.once_in(5);
  world.all_named = dice.once_in(3);
  world.nobody_too = dice.once_in(2);
  world.key = dice.word({"int", "int", "bigint", "numeric", "text COLLATE \"C\""});
  return world;
}

// {own}: customers of the missing person, who has those with the lowest numbers. {c}: of whom a row is, NULL: nobody.
inline constexpr const char* kPathTables = R"(
CREATE TABLE nation (nk int PRIMARY KEY, region text NOT NULL);
INSERT INTO nation SELECT i, (ARRAY['n', 's'])[1 + i % 2] FROM generate_series(0, 4) AS i;
CREATE TABLE part (pk int PRIMARY KEY, kind text NOT NULL, cost int NOT NULL);
INSERT INTO part SELECT i, (ARRAY['a', 'b', 'c'])[1 + i % 3], i FROM generate_series(0, 5) AS i;
CREATE TABLE rates (kind text, since int NOT NULL, rate int NOT NULL);
INSERT INTO rates SELECT (ARRAY['x', 'y'])[1 + i % 2], i * 3, i FROM generate_series(0, 12) AS i ORDER BY i * 5 % 13;
CREATE TABLE customer (ck {key} PRIMARY KEY, person int {named}, nk int REFERENCES nation, kind text, score int NOT NULL);
INSERT INTO customer SELECT c, {person}, nullif(c % 6, 5), (ARRAY['x', 'y', 'x', NULL])[1 + c % 4], c * 7 % 20
FROM generate_series(0, 11) AS c WHERE CASE WHEN {person} IS NULL THEN {nobody} AND {may be nobody} WHEN {person} = 0 THEN {there} ELSE true END;
CREATE TABLE orders (ok int PRIMARY KEY, ck {key} {named} CONSTRAINT of_customer REFERENCES customer, day int NOT NULL, total int, urgent bool);
INSERT INTO orders SELECT i, c, i * 11 % 40, nullif(i * 5 % 21, 20), (ARRAY[true, false, NULL])[1 + i % 3]
FROM (SELECT i, {c of order} AS c FROM generate_series(0, 47) AS i) AS s
WHERE CASE WHEN c IS NULL THEN {nobody} AND {may be nobody} ELSE c::text IN (SELECT ck::text FROM customer) END;
CREATE TABLE lines (ok int CONSTRAINT of_order REFERENCES orders, n int NOT NULL, pk int REFERENCES part, price int, flag bool NOT NULL)
{partitions};
INSERT INTO lines SELECT ok, n, nullif((ok + n) % 7, 6), nullif(ok * n % 21, 20), (ok + n) % 2 = 0
FROM orders, generate_series(1, {lines of order}) AS n;
INSERT INTO lines SELECT NULL, n, 1, n, true FROM generate_series(1, 3) AS n WHERE {nobody};
SET session_replication_role = replica;
INSERT INTO lines SELECT 999, n, 1, n, true FROM generate_series(1, 3) AS n WHERE {nobody};
RESET session_replication_role;
CREATE TABLE calls (id int PRIMARY KEY, ck {key}, person int {named}, day int NOT NULL, topic text);
INSERT INTO calls SELECT i, c, {person}, i * 7 % 40, (ARRAY['x', 'y', NULL])[1 + i % 3]
FROM (SELECT i, {c of call} AS c FROM generate_series(0, 29) AS i) AS s
WHERE CASE WHEN {person} IS NULL THEN {nobody} AND {may be nobody} WHEN {person} = 0 THEN {there} ELSE true END;
CREATE VIEW late WITH (security_invoker) AS SELECT * FROM orders WHERE day > 5;
)";

// What PostgreSQL itself is asked about: the same, without the rows of nobody, and with a column that tells whose each
// is.
inline constexpr const char* kPathTruth = R"(
CREATE SCHEMA {side}_truth; SET search_path = {side}_truth;
CREATE VIEW customer AS SELECT *, {unit}::text AS whose FROM {side}.customer WHERE {unit} IS NOT NULL;
CREATE VIEW calls AS SELECT *, {unit}::text AS whose FROM {side}.calls WHERE {unit} IS NOT NULL;
CREATE VIEW orders AS SELECT o.*, whose FROM {side}.orders AS o JOIN customer USING (ck);
CREATE VIEW lines AS SELECT l.*, whose FROM {side}.lines AS l JOIN orders USING (ok);
CREATE VIEW late AS SELECT * FROM orders WHERE day > 5;
SET search_path = {side}, public;
)";

inline Step makes_paths(const PathWorld& world, Dice& dice) {
  std::string sql = kPathTables;
  const std::string own = world.accounts ? "3" : "1";
  const auto fill = [&](const std::string& name, const std::string& text) { sql = with(sql, "{" + name + "}", text); };
  // Of the others each has one row in each table where few count.
  fill("c of order",
       world.few ? "CASE WHEN i < 8 THEN i % " + own + " WHEN i < 17 THEN i - 5 END" : "nullif(i * 5 % 13, 12)");
  fill("c of call",
       world.few ? "CASE WHEN i < 5 THEN i % " + own + " WHEN i < 14 THEN i - 2 END" : "nullif(i * 5 % 14, 13)");
  fill("lines of order", world.few ? "CASE WHEN ok < 8 THEN 3 ELSE 1 END" : "ok % 4");
  fill("person", !world.accounts ? "c"
                 : world.few     ? "CASE WHEN c < 3 THEN 0 WHEN c <> 11 THEN c END"
                                 : "nullif(c / 2, 5)");
  fill("named", world.all_named ? "NOT NULL" : "");
  fill("may be nobody", world.all_named ? "false" : "true");
  fill("nobody", world.nobody_too ? "{there}" : "true");
  fill("key", world.key);
  fill("partitions",
       dice.once_in(4) ? "PARTITION BY HASH (ok); CREATE TABLE even PARTITION OF lines FOR VALUES WITH (MODULUS 2, "
                         "REMAINDER 0); CREATE TABLE uneven PARTITION OF lines FOR VALUES WITH (MODULUS 2, REMAINDER 1)"
                       : "");
  if (world.odd) {
    const std::string hers =
        " WHERE ck::text IN (SELECT ck::text FROM customer WHERE " + world.unit() + "::text = '0')";
    sql +=
        "UPDATE lines SET price = (ARRAY[2147483647, -2147483648, NULL, 21, -1])[1 + n + ok % 2] WHERE ok IN (SELECT "
        "ok FROM orders" +
        hers + "); UPDATE orders SET total = (ARRAY[2147483647, -2147483648, NULL])[1 + ok % 3], day = 100" + hers +
        "; UPDATE customer SET kind = 'zz', score = 2147483647" + hers +
        "; UPDATE calls SET topic = repeat('z', 3000)" + hers + ";";
  }
  sql +=
      "ANALYZE customer, orders, lines, calls, nation, part, rates; GRANT SELECT ON nation, part, rates, late TO "
      "hostile_asker;";
  const std::string options =
      ", answer_epsilon => 1e6, min_query_epsilon => 1e-9, group_epsilon => 0, privacy_unit => ";
  const auto protect = [&](const std::string& table, const std::string& path, const std::string& limits,
                           const std::string& order) {
    sql += "SELECT dp.protect('" + table + "', 9e9, 0.5" + options + "'" + path + "'" + limits +
           (world.kept_in_order && !limits.empty() ? ", rows_kept => 'latest', rows_kept_by => '" + order + "'" : "") +
           "), dp.grant_budget('" + table + "', 'hostile_asker', 9e9, 0.4, allow_leaks => true);";
  };
  const std::string path = world.accounts ? "ck.person" : "ck", limits = ", " + world.limits();
  protect("customer", world.unit(), world.accounts ? limits : "", "score");
  protect("calls", world.unit(), limits, "day");
  protect("orders", path, limits, "day");
  protect("lines", "ok." + path, limits, "n");
  sql +=
      "SELECT dp.declare_values('customer', 'kind', 'x', 'y'), dp.declare_values('calls', 'topic', 'x', 'y'), "
      "dp.declare_range('customer', 'score', 0, 19), dp.declare_range('orders', 'total', 0, 20), "
      "dp.declare_range('orders', 'day', 0, 39), "
      "dp.declare_range('lines', 'price', 0, 20), dp.declare_range('lines', 'n', 1, 3), dp.declare_range('calls', "
      "'day', 0, 39);";
  return curates(sql + with(kPathTruth, "{unit}", world.unit()));
}

inline Step drops_paths() {
  return curates(
      "SELECT dp.unprotect(t) FROM unnest('{lines,orders,customer,calls}'::regclass[]) AS t; DROP SCHEMA {side}_truth "
      "CASCADE; "
      "DROP TABLE lines, orders, customer, calls, nation, part, rates CASCADE");
}

}  // namespace dp::test
