-- dp.suggest: what might be declared of a table, found privately, for a stated price.
CALL own_schema('curator_suggest');
SET client_min_messages = notice;
CREATE ROLE regress_suggest_ana;
CREATE TABLE wards (name text PRIMARY KEY);
INSERT INTO wards VALUES ('a'), ('b');
CREATE TABLE stays (id int PRIMARY KEY, patient int NOT NULL, ward text NOT NULL REFERENCES wards, city text, "Cost" numeric(8, 2), score float8, n int CHECK (n BETWEEN 0 AND 9),
    admitted date, seen timestamptz, kind text, open boolean, note jsonb);
INSERT INTO stays SELECT i, i / 4, (ARRAY['a', 'b'])[1 + i % 2], 'city ' || i % 3, i % 900 + 50, -(i % 30), i % 10, date '2019-03-01' + i % 900,
    timestamptz '2022-06-01 12:00Z' + i % 90 * interval '1 day', 'kind ' || i, true, '{}' FROM generate_series(1, 4000) AS i;
ANALYZE stays;
SELECT dp.protect('stays', 1e6, 1e-2, privacy_unit => 'patient');
SELECT dp.grant_budget('stays', 'regress_suggest_ana', 1e5, 1e-9, allow_leaks => true);
GRANT SELECT ON wards TO regress_suggest_ana;
SET ROLE regress_suggest_ana;
\pset format unaligned
\pset fieldsep ' | '
-- Known are bounds by CHECK, values of a foreign key and of booleans; of json there is nothing to be said.
CREATE TEMP TABLE suggested AS SELECT * FROM dp.suggest('stays', 8000);
SELECT * FROM suggested;
-- For that epsilon, all together.
SELECT round(epsilon_spent, 3) AS spent FROM dp.budgets WHERE role = 'regress_suggest_ana'::regrole;
-- Nothing of a session's stays, and nothing is asked at its price.
SHOW dp.max_rows_per_unit;
SHOW dp.epsilon;
RESET ROLE;
-- As statements they run; then there is nothing left to suggest, but for what no value of stands out.
SELECT run FROM suggested WHERE run IS NOT NULL \gexec
SET ROLE regress_suggest_ana;
SELECT * FROM dp.suggest('stays', 2000);
SELECT sum("Cost") > 1e6 AS sum, avg(score)::int, count(DISTINCT city) FROM stays WHERE city IN ('city 1', 'city 2');
-- A little epsilon: too little to see anything.
SELECT about, run FROM dp.suggest('stays', 1e-5);
-- Without a delta no values are chosen; each row a unit.
RESET ROLE;
CREATE TABLE calls (city text, minutes int);
INSERT INTO calls SELECT 'x', i % 60 FROM generate_series(1, 3000) AS i;
SELECT dp.protect('calls', 1e6), dp.grant_budget('calls', 'regress_suggest_ana', 1e5, allow_leaks => true);
SET ROLE regress_suggest_ana;
SELECT * FROM dp.suggest('calls', 1000);
-- Wrong arguments.
SELECT * FROM dp.suggest(NULL);
SELECT * FROM dp.suggest('calls', 0);
SELECT * FROM dp.suggest('calls', 'NaN');
RESET ROLE;
CREATE ROLE regress_suggest_eve;
SET ROLE regress_suggest_eve;
SELECT * FROM dp.suggest('stays');
RESET ROLE;
DROP TABLE stays, calls, wards;
DROP ROLE regress_suggest_ana, regress_suggest_eve;
