// What a condition asks other rows of the same person: semi-joins along a step of the path and on the unit, of tables
// of test/support/fuzz_paths.h.
#pragma once

#include "support/fuzz_path_words.h"

namespace dp::test {

inline std::string condition_on(Dice& dice, char alias, const std::string& as) {
  return with(dice.one_of(table_of(alias).conditions), "@", as);
}

// {no}, {also}: NOT or nothing; {u}: the column that names the person; {c}, {o}, {l}, {k}, {p}: conditions on x.
inline const std::map<char, std::vector<std::string>> kSemiJoins = {
    {'o',
     {"{no}EXISTS (SELECT FROM lines AS x WHERE x.ok = o.ok AND {l})",
      "o.ok {no}IN (SELECT x.ok FROM lines AS x WHERE {l})",
      "o.ok {no}IN (SELECT x.ok FROM (SELECT * FROM lines WHERE flag) AS x WHERE {l})",
      "o.ok = ANY (SELECT x.ok FROM lines AS x GROUP BY x.ok HAVING count(*) > 1)",
      "o.total > (SELECT sum(x.price) FROM lines AS x WHERE x.ok = o.ok)",
      "o.total {no}IN (SELECT x.price FROM lines AS x WHERE x.ok = o.ok)",
      "o.total <= ALL (SELECT x.total FROM orders AS x WHERE x.ck = o.ck AND {o})",
      "o.total > ANY (SELECT x.price FROM lines AS x WHERE x.ok = o.ok AND {l})",
      "o.total <> ALL (SELECT x.score FROM customer AS x WHERE x.ck = o.ck)",
      "(SELECT count(*) FROM lines AS x WHERE x.ok = o.ok AND {l}) > 1",
      "coalesce((SELECT min(x.price) FROM lines AS x WHERE x.ok = o.ok AND {l}), 5) > 4",
      "{no}EXISTS (SELECT FROM customer AS x WHERE x.ck = o.ck AND {c})",
      "(SELECT x.score FROM customer AS x WHERE x.ck = o.ck) > 5",
      "{no}EXISTS (SELECT FROM lines AS x WHERE x.ok = o.ok AND {also}EXISTS (SELECT FROM orders AS y WHERE y.ok = "
      "x.ok "
      "AND y.total > x.price))",
      "{no}EXISTS (SELECT FROM customer AS x WHERE x.ck = o.ck AND {also}EXISTS (SELECT FROM lines AS y WHERE y.ok = "
      "o.ok AND y.price > x.score))",
      "{no}EXISTS (SELECT FROM orders AS x WHERE x.ck = o.ck AND x.day > o.day)",
      "{no}EXISTS (SELECT x.ck FROM orders AS x LEFT JOIN lines AS y ON y.ok = x.ok WHERE x.ck = o.ck AND y.n IS NULL "
      "ORDER BY 1 LIMIT 1)",
      "o.ck {no}IN (SELECT x.ck FROM calls AS x WHERE {k})",
      "(SELECT x.price FROM lines AS x WHERE x.ok = o.ok ORDER BY x.n DESC LIMIT 1) > 4",
      "o.ok {no}IN (SELECT x.ok FROM lines AS x WHERE {l} INTERSECT SELECT y.ok FROM lines AS y WHERE y.n > 1)"}},
    {'l',
     {"{no}EXISTS (SELECT FROM orders AS x WHERE x.ok = l.ok AND {o})",
      "{no}EXISTS (SELECT FROM late AS x WHERE x.ok = l.ok AND {o})",
      "l.ok {no}IN (SELECT x.ok FROM orders AS x WHERE {o})",
      "l.ok {no}IN (SELECT x.ok FROM orders AS x WHERE {also}EXISTS (SELECT FROM lines AS y WHERE y.ok = x.ok AND "
      "y.price > l.price))",
      "{no}EXISTS (SELECT FROM lines AS x WHERE x.ok = l.ok AND x.n <> l.n)",
      "l.price >= (SELECT max(x.price) FROM lines AS x WHERE x.ok = l.ok)",
      "l.price {no}IN (SELECT x.total FROM orders AS x WHERE x.ok = l.ok)",
      "l.price >= ALL (SELECT x.price FROM lines AS x WHERE x.ok = l.ok AND {l})",
      "{no}EXISTS (SELECT FROM orders AS x JOIN customer AS y ON y.ck = x.ck WHERE x.ok = l.ok AND y.score > 5)",
      "l.ok {no}IN (SELECT x.ok FROM lines AS x GROUP BY x.ok HAVING sum(x.price) > 10)",
      "l.pk {no}IN (SELECT x.pk FROM part AS x WHERE {p})",
      "{no}EXISTS (SELECT FROM part AS x WHERE x.pk = l.pk AND {p})"}},
    {'c',
     {"{no}EXISTS (SELECT FROM orders AS x WHERE x.ck = c.ck AND {o})",
      "c.ck {no}IN (SELECT x.ck FROM orders AS x WHERE {o})",
      "c.ck {no}IN (SELECT x.ck FROM orders AS x JOIN lines AS y USING (ok) WHERE {o} AND y.flag)",
      "c.score > (SELECT avg(x.total) FROM orders AS x WHERE x.ck = c.ck)",
      "c.score {no}IN (SELECT x.total FROM orders AS x WHERE x.ck = c.ck)",
      "{no}EXISTS (SELECT FROM orders AS x WHERE x.ck = c.ck AND {also}EXISTS (SELECT FROM lines AS y WHERE y.ok = "
      "x.ok "
      "AND y.price > c.score))",
      "{no}EXISTS (SELECT FROM orders AS x JOIN lines AS y USING (ok) WHERE x.ck = c.ck AND y.flag)",
      "{no}EXISTS (SELECT FROM calls AS x WHERE x.{u} = c.{u} AND {k})",
      "(SELECT count(DISTINCT x.topic) FROM calls AS x WHERE x.{u} = c.{u}) > 1",
      "(SELECT bool_or({o}) FROM orders AS x WHERE x.ck = c.ck) IS NOT FALSE",
      "{no}EXISTS (SELECT FROM nation AS x WHERE x.nk = c.nk AND x.region = 'n')",
      "(SELECT x.total FROM orders AS x WHERE x.ck = c.ck AND {o} ORDER BY x.day DESC, x.ok LIMIT 1) > 6",
      "(SELECT x.topic FROM calls AS x WHERE x.{u} = c.{u} ORDER BY x.day, x.id LIMIT 1) IS NULL",
      "{no}EXISTS (SELECT FROM (SELECT y.*, row_number() OVER (PARTITION BY y.ck ORDER BY y.day, y.ok) AS nth FROM "
      "orders AS y) AS x WHERE x.ck = c.ck AND x.nth = 1 AND {o})",
      "c.ck {no}IN (SELECT x.ck FROM orders AS x WHERE {o} INTERSECT SELECT y.ck FROM orders AS y WHERE y.urgent)",
      "c.ck {no}IN (SELECT x.ck FROM orders AS x WHERE {o} EXCEPT SELECT y.ck FROM orders AS y WHERE y.total > 9)",
      "c.ck {no}IN (SELECT x.ck FROM orders AS x WHERE {o} UNION SELECT y.ck FROM customer AS y WHERE y.score > 9)"}},
    {'k',
     {"{no}EXISTS (SELECT FROM customer AS x WHERE x.{u} = k.{u} AND {c})",
      "k.{u} {no}IN (SELECT x.{u} FROM customer AS x WHERE {c})",
      "{no}EXISTS (SELECT FROM calls AS x WHERE x.{u} = k.{u} AND x.day > k.day)",
      "k.day > ALL (SELECT x.day FROM calls AS x WHERE x.{u} = k.{u} AND x.id <> k.id)",
      "{no}EXISTS (SELECT FROM orders AS x WHERE x.ck = k.ck AND {o})",
      "(SELECT x.topic FROM calls AS x WHERE x.{u} = k.{u} ORDER BY x.day, x.id LIMIT 1) = 'x'",
      "k.{u} {no}IN (SELECT x.{u} FROM calls AS x WHERE {k} INTERSECT SELECT y.{u} FROM customer AS y WHERE y.score > "
      "3)"}},
    // Of a person, whom a subquery names.
    {'u',
     {"q.u {no}IN (SELECT x.{u} FROM customer AS x WHERE {c})", "q.u {no}IN (SELECT x.{u} FROM calls AS x WHERE {k})",
      "{no}EXISTS (SELECT FROM calls AS x WHERE x.{u} = q.u AND {k})",
      "(SELECT count(*) FROM calls AS x WHERE x.{u} = q.u AND {k}) > 1",
      "(SELECT x.topic FROM calls AS x WHERE x.{u} = q.u AND {k} ORDER BY x.day DESC, x.id LIMIT 1) = 'x'",
      "q.u {no}IN (SELECT x.{u} FROM customer AS x WHERE {c} EXCEPT SELECT y.{u} FROM calls AS y WHERE y.day > 9)"}}};

// Numbers that are found in other rows of the same person.
inline const std::vector<std::pair<char, std::string>> kOfOtherRows = {
    {'o', "(SELECT sum(x.price) FROM lines AS x WHERE x.ok = o.ok)"},
    {'o', "(SELECT x.score FROM customer AS x WHERE x.ck = o.ck)"},
    {'l', "(SELECT x.total FROM orders AS x WHERE x.ok = l.ok AND NOT x.urgent)"},
    {'l', "(SELECT x.cost FROM part AS x WHERE x.pk = l.pk)"},
    {'c', "(SELECT count(*) FROM orders AS x WHERE x.ck = c.ck)"},
    {'c', "(SELECT x.total FROM orders AS x WHERE x.ck = c.ck ORDER BY x.day, x.ok LIMIT 1)"},
    {'c', "(SELECT avg(y.price) FROM orders AS x JOIN lines AS y USING (ok) WHERE x.ck = c.ck)"}};

inline std::string semi_join(const PathWorld& world, Dice& dice, char alias) {
  std::string text = dice.one_of(kSemiJoins.at(alias));
  text = with(text, "{no}", dice.once_in(2) ? "NOT " : "");
  text = with(text, "{also}", dice.once_in(2) ? "NOT " : "");
  text = with(text, "{u}", world.unit());
  for (const char of : std::string("colkp"))
    text = with(text, "{" + std::string(1, of) + "}", condition_on(dice, of, "x"));
  return text;
}

}  // namespace dp::test
