-- dp_min and dp_max: points near which the values end, by ranks from there. At epsilon = 1e6 the rank is 1: the least and the greatest.
SET client_min_messages = warning;
\set SHOW_CONTEXT never
CALL own_schema('answer_ends');
CREATE ROLE regress_ends_ana;
CREATE TABLE stays (id int, team text, age int, points numeric(10, 2), ratio float8);
INSERT INTO stays SELECT g, 't' || g % 2, 20 + g % 60, (g % 200) / 2.0, (g % 50) / 50.0 FROM generate_series(1, 20000) g;
SELECT dp_min(age, 0, 110, 1e6), dp_max(age, 0, 110, 1e6), dp_min(age::int2, 0, 110, 1e6, 'exponential') AS small, dp_max(age::int8, 0, 110, 1e6, 'permute_and_flip') AS large,
    round(dp_max(points, 0, 1000, 1e6)) AS points, dp_min(ratio, -1, 1, 1e6) AS ratio FROM stays;
SELECT team, dp_min(age, 0, 110, 1e6) AS low, dp_max(age, 0, 110, 1e6) FILTER (WHERE age < 50) AS high FROM stays GROUP BY team ORDER BY team;
-- Values beyond the bounds are at them; where there are no values, any point is the answer.
SELECT dp_min(age, 30, 50, 1e6), dp_max(age, 30, 50, 1e6) FROM stays;
SELECT dp_max(age, 0, 110, 1) BETWEEN 0 AND 110 AS between FROM stays WHERE false;
-- At least one value lies there or beyond, and fewer than 2 r do, for r = 2 ln(20 * 111) / 1 = 15.4: in 95 of 100 answers, 900 of 1,000 at least.
SELECT count(*) FILTER (WHERE high >= 970 - 2 * 15.5 AND high <= 970) > 900 AS near, count(*) FILTER (WHERE low <= 30 + 2 * 15.5 AND low >= 30) > 900 AS near
FROM (SELECT dp_max(v, 0, 1000, 1) AS high, dp_min(v, 0, 1000, 1) AS low FROM generate_series(30, 970) v, generate_series(1, 1000) g GROUP BY g) s;
-- What is missing or makes no sense.
SELECT dp_max(age) FROM stays;
SELECT dp_min(team, 0, 1, 1) FROM stays;
SELECT dp_max(age, 110, 0, 1) FROM stays;
SELECT dp_max(age, 0, 110, 1, 'laplace') FROM stays;
SELECT dp_max(age, 0, id, 1) FROM stays;

-- Over a protected table: a price, as of a median; plain min and max stay the declared ends, which are free.
SELECT dp.protect('stays', 1e8, privacy_unit => 'id', max_rows_per_unit => 1, answer_epsilon => 1e6) \g /dev/null
SELECT dp.declare_range('stays', 'age', 0, 110), dp.declare_values('stays', 'team', 't0', 't1') \g /dev/null
SELECT dp.grant_budget('stays', 'regress_ends_ana', 1e8, allow_leaks => true) \g /dev/null
SET ROLE regress_ends_ana;
SELECT min(age), max(age) FROM stays;
SELECT dp_min(age, 0, 110, 1e6), dp_max(age, 0, 110, 1e6), dp_max(age) AS declared FROM stays;
SELECT team, dp_max(age, 0, 110, 1e6) FROM stays WHERE team IS NOT NULL GROUP BY team ORDER BY team;
EXPLAIN (COSTS OFF) SELECT dp_max(age, 0, 110, 0.5), dp_max(ratio, 0, 1, 0.5) FROM stays;
SELECT max(points) FROM stays;
RESET ROLE;
SELECT epsilon, count(*) FROM dp.ledger WHERE relation = 'stays'::regclass GROUP BY epsilon ORDER BY epsilon;
-- Of people with many rows, one of each counts where nobody has declared a limit; under a limit of 5 ranks are 5 times as far.
CREATE TABLE visits AS SELECT g % 500 AS person, g % 100 AS age FROM generate_series(0, 9999) g;
SELECT dp.protect('visits', 1e8, privacy_unit => 'person') \g /dev/null
SELECT dp_min(age, 0, 1000, 1e6), dp_max(age, 0, 1000, 1e6) BETWEEN 90 AND 99 AS max FROM visits;
EXPLAIN (COSTS OFF) SELECT dp_max(age, 0, 1000, 0.5) FROM visits;
SELECT dp.protect('visits', 1e8, max_rows_per_unit => 5) \g /dev/null
SELECT dp_max(age, 0, 1000, 1e6) FROM visits;
EXPLAIN (COSTS OFF) SELECT dp_max(age, 0, 1000, 0.5) FROM visits;
SET dp.allow_drop = on;
DROP OWNED BY regress_ends_ana;
DROP ROLE regress_ends_ana;
