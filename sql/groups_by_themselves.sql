-- Groups whose values nobody listed, where no curator has said what their private choice costs: a half of the answer's price.
CALL own_schema('groups_by_themselves');
CREATE ROLE regress_chosen_ana;
CREATE ROLE regress_chosen_ben;
CREATE TABLE visits (id serial PRIMARY KEY, patient int NOT NULL, city text, ward text, cost int CHECK (cost BETWEEN 0 AND 100));
INSERT INTO visits (patient, city, ward, cost)
    SELECT i / 5, CASE WHEN i % 100 = 0 THEN 'rare ' || i ELSE 'city ' || i % 4 END, (ARRAY['a', 'b'])[1 + i % 2], i % 100 FROM generate_series(1, 2000) AS i;
SELECT dp.protect('visits', 1e6, 1e-2, privacy_unit => 'patient', max_rows_per_unit => 5);
SELECT dp.declare_values('visits', 'ward', 'a', 'b');
SELECT dp.grant_budget('visits', 'regress_chosen_ana', 1e5, 1e-9, allow_leaks => true);
\getenv folder PG_ABS_SRCDIR
\set spent :folder '/test/support/spent.sql'
\i :spent

SET ROLE regress_chosen_ana;
-- The price is that of an answer, and a hundredth of the account's delta.
SELECT city, count(*) FROM visits GROUP BY city ORDER BY 1;
SELECT * FROM spent();
EXPLAIN (COSTS OFF) SELECT city, avg(cost), count(*) FROM visits GROUP BY city;
SELECT role, trim_scale(epsilon) AS epsilon, trim_scale(delta) AS delta FROM dp.cost('SELECT city, avg(cost), count(*) FROM visits GROUP BY city');
SELECT regexp_replace(regexp_replace(dp.private_form('SELECT city, count(*) FROM visits GROUP BY city'), '\m[a-z_0-9]+\.', '', 'g'), '\s+', ' ', 'g') AS form;
CALL from_now();
SELECT city, GREATEST(dp_count('*', 500), 0) AS count FROM visits GROUP BY city ORDER BY 1;
SELECT * FROM spent();
-- Where values are listed nothing is chosen, and the answer has its whole price.
CALL from_now();
SELECT ward, count(*) FROM visits GROUP BY ward ORDER BY 1;
SELECT city = 'city 1' AS one, count(*) > 0 AS some FROM visits GROUP BY 1 HAVING count(*) > 0 ORDER BY 1;
SELECT * FROM spent();
EXPLAIN (COSTS OFF) SELECT ward, count(*) FROM visits GROUP BY ward;
-- Which groups there are, alone; sets of groups, each at its price.
CALL from_now();
SELECT DISTINCT city FROM visits ORDER BY 1;
SELECT * FROM spent();
CALL from_now();
SELECT city, ward, count(*) FROM visits GROUP BY ROLLUP (city, ward) ORDER BY 1, 2;
SELECT * FROM spent();
-- Questions about people.
SELECT n, count(*) FROM (SELECT patient, count(*) AS n FROM visits GROUP BY 1) AS p GROUP BY n ORDER BY 1;
SELECT city, count(*) FROM (SELECT DISTINCT patient, city FROM visits) AS p GROUP BY city ORDER BY 1;
SELECT regexp_replace(regexp_replace(dp.private_form('SELECT city, count(*) FROM (SELECT DISTINCT patient, city FROM visits) AS p GROUP BY city'), '\m[a-z_0-9]+\.', '', 'g'), '\s+', ' ', 'g') AS form;
-- A group of one person is never shown: the question is refused before it costs anything.
CALL from_now();
SELECT patient, count(*) FROM visits GROUP BY patient;
SELECT id, count(*) FROM visits GROUP BY id;
SELECT patient, city, count(*) FROM visits GROUP BY patient, city;
SELECT * FROM spent();
-- At the session's price; at one that cannot be halved none are chosen.
SET dp.epsilon = 50;
CALL from_now();
SELECT city, count(*) > 400 AS many FROM visits GROUP BY city ORDER BY 1;
SELECT * FROM spent();
SET dp.epsilon = 1e-9;
SELECT city, count(*) FROM visits GROUP BY city;
RESET dp.epsilon;
SELECT item, value FROM dp.describe_table('visits') WHERE item = 'other groups';
-- A plan that was made before the account changed.
PREPARE by_city AS SELECT city, count(*) > 400 AS many FROM visits GROUP BY city ORDER BY 1;
SET plan_cache_mode = force_generic_plan;
EXECUTE by_city;
RESET ROLE;
SELECT dp.grant_budget('visits', 'regress_chosen_ana', 9e4, 5e-10, allow_leaks => true);
SET ROLE regress_chosen_ana;
CALL from_now();
EXECUTE by_city;
SELECT * FROM spent();
RESET ROLE;
RESET plan_cache_mode;

-- Switched off, named, and as it was.
SELECT dp.protect('visits', group_epsilon => 0);
SELECT group_epsilon, group_delta FROM dp.budgets WHERE relation = 'visits'::regclass AND role IS NULL;
SELECT dp.protect('visits', query_epsilon => 1e5); -- keeps it
SET ROLE regress_chosen_ana;
SELECT city, count(*) FROM visits GROUP BY city;
SELECT item, value FROM dp.describe_table('visits') WHERE item = 'other groups';
EXECUTE by_city;
RESET ROLE;
SELECT dp.protect('visits', group_epsilon => 100, group_delta => 1e-11);
SET ROLE regress_chosen_ana;
CALL from_now();
SELECT city, count(*) > 400 AS many FROM visits GROUP BY city ORDER BY 1;
SELECT * FROM spent();
SELECT item, value FROM dp.describe_table('visits') WHERE item = 'other groups';
RESET ROLE;
SELECT dp.protect('visits', group_epsilon => -1);
SELECT group_epsilon, group_delta FROM dp.budgets WHERE relation = 'visits'::regclass AND role IS NULL;
SET ROLE regress_chosen_ana;
CALL from_now();
SELECT city, count(*) > 400 AS many FROM visits GROUP BY city ORDER BY 1;
SELECT * FROM spent();
RESET ROLE;

-- Shown again for nothing.
SELECT dp.protect('visits', reuse => '1 day');
SET ROLE regress_chosen_ana;
SELECT city, count(*) > 400 AS many FROM visits GROUP BY city ORDER BY 1;
CALL from_now();
SELECT city, count(*) > 400 AS many FROM visits GROUP BY city ORDER BY 1;
SELECT * FROM spent();
RESET ROLE;
SELECT dp.protect('visits', reuse => '0');

-- An account without delta, a table without one, and one that is joined.
SELECT dp.grant_budget('visits', 'regress_chosen_ben', 1e5, allow_leaks => true);
SET ROLE regress_chosen_ben;
SELECT city, count(*) FROM visits GROUP BY city;
RESET ROLE;
CREATE TABLE stays (patient int NOT NULL, days int);
INSERT INTO stays SELECT i, i % 9 FROM generate_series(1, 400) AS i;
SELECT dp.protect('stays', 1e6, privacy_unit => 'patient', max_rows_per_unit => 1), dp.grant_budget('stays', 'regress_chosen_ana', 1e5, allow_leaks => true);
SET ROLE regress_chosen_ana;
SELECT days, count(*) FROM stays GROUP BY days;
SELECT city, count(*) FROM visits JOIN stays USING (patient) GROUP BY city;
RESET ROLE;
SELECT dp.protect('stays', 1e6, 1e-2), dp.grant_budget('stays', 'regress_chosen_ana', 1e5, 1e-9, allow_leaks => true);
SET ROLE regress_chosen_ana;
SELECT city, count(*) > 400 AS many FROM visits JOIN stays USING (patient) GROUP BY city ORDER BY 1;
RESET ROLE;
-- Where divergences are counted, of the delta that is for answers.
CREATE TABLE counted AS SELECT * FROM visits;
SELECT dp.protect('counted', 1e6, 1e-2, accountant => 'renyi'), dp.grant_budget('counted', 'regress_chosen_ana', 1e5, 1e-3, allow_leaks => true);
SET ROLE regress_chosen_ana;
SELECT trim_scale(delta) AS delta FROM dp.cost('SELECT city, count(*) FROM counted GROUP BY city') WHERE role IS NOT NULL;
RESET ROLE;
DROP SCHEMA groups_by_themselves CASCADE;
DROP ROLE regress_chosen_ana, regress_chosen_ben;
