-- Groups whose values nobody listed, of a table whose limits are chosen: which groups there are is asked first, of people weighed by how many
-- they are in, then what is asked of these.
CALL own_schema('groups_first');
SET client_min_messages = error;
CREATE ROLE regress_first_ana;
CREATE TABLE visits (id serial PRIMARY KEY, patient int NOT NULL, city text, ward varchar(10) NOT NULL, floor int2 NOT NULL, cost int NOT NULL);
INSERT INTO visits (patient, city, ward, floor, cost)
    SELECT p, CASE WHEN p = 77 AND r = 1 THEN 'rare' WHEN p % 50 = 0 THEN NULL ELSE 'city ' || p % 4 END, 'ward ' || (p + r) % 3, (p * 7 + r) % 2, p % 90 + r
    FROM generate_series(1, 1000) AS p, generate_series(1, 9) AS r WHERE r <= 1 + p % 4 OR p = 500;
ANALYZE visits;
SELECT dp.protect('visits', 1e9, 1e-6, privacy_unit => 'patient', answer_epsilon => 1e5);
SELECT dp.grant_budget('visits', 'regress_first_ana', 9e8, 5e-7, allow_leaks => true);
CREATE TABLE cities (city text PRIMARY KEY, kind text);
INSERT INTO cities SELECT DISTINCT city, left(city, 4) FROM visits WHERE city IS NOT NULL;
GRANT SELECT ON cities TO regress_first_ana;
\getenv folder PG_ABS_SRCDIR
\set spent :folder '/test/support/spent.sql'
\i :spent
CREATE VIEW exact AS SELECT city, count(*), sum(cost) FROM visits WHERE city <> 'rare' GROUP BY city;
TABLE exact ORDER BY 1;

SET ROLE regress_first_ana;
\set explained :folder '/test/support/explained.sql'
\i :explained
-- The answers to what is there but in one group of one person; rows without a city are a group, whether or not there are any.
SELECT city, count(*), sum(cost) FROM visits GROUP BY city ORDER BY 1;
SELECT * FROM spent();
SELECT * FROM pg_temp.explained('SELECT city, count(*) FROM visits GROUP BY city');
SELECT DISTINCT trim_scale(epsilon) AS epsilon, trim_scale(delta) AS delta FROM dp.cost('SELECT city, count(*) FROM visits GROUP BY city');
SELECT regexp_replace(regexp_replace(dp.private_form('SELECT city, count(*) FROM visits GROUP BY city'), '\m[a-z_0-9]+\.', '', 'g'), '\s+', ' ', 'g') AS form;
SELECT admissible FROM dp.admissible('SELECT city, count(*) FROM visits GROUP BY city', 'regress_first_ana');
-- The list alone, at half of the price.
CALL from_now();
SELECT DISTINCT city FROM visits ORDER BY 1;
SELECT * FROM spent();
EXPLAIN (COSTS OFF) SELECT city FROM visits GROUP BY city;
-- Several keys share the price of their lists, and have all combinations.
CALL from_now();
SELECT ward, floor, count(*) FROM visits GROUP BY ward, floor ORDER BY 1, 2;
SELECT * FROM spent();
SELECT left(city, 4) AS kind, upper(ward) AS ward, count(*) FROM visits WHERE city IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2;
-- Answers that are limited in several ways are questions of their own, of the same groups, which are chosen once.
CALL from_now();
SELECT city, count(*), count(DISTINCT floor) AS floors, percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) BETWEEN 30 AND 60 AS median FROM visits GROUP BY city ORDER BY 1;
SELECT * FROM spent();
SELECT explained FROM pg_temp.explained('SELECT city, count(*), count(DISTINCT floor), percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) FROM visits GROUP BY city') WHERE explained ~ 'Privacy Unit|CTE';
SELECT explained FROM pg_temp.explained('SELECT ward, floor, dp_count(''*'', 1), dp_median(cost, 0, 100, 1) FROM visits GROUP BY 1, 2') WHERE explained ~ 'Privacy Unit|CTE';
WITH costly AS (SELECT * FROM visits WHERE cost > 50) SELECT ward, count(*), count(DISTINCT floor) FROM costly GROUP BY ward ORDER BY 1;
SELECT dp.private_form('SELECT ward, count(*), count(DISTINCT floor) FROM visits GROUP BY ward ORDER BY 1') AS text \gset
:text;
-- The most frequent value, where nobody has listed them: groups are chosen and counted, once for equal calls. Rows without a value are none.
CALL from_now();
SELECT mode() WITHIN GROUP (ORDER BY city), upper(mode() WITHIN GROUP (ORDER BY city)) AS again FROM visits;
SELECT * FROM spent();
SELECT mode() WITHIN GROUP (ORDER BY ward), mode() WITHIN GROUP (ORDER BY city) FILTER (WHERE patient % 4 = 2) AS filtered, count(*) FROM visits;
SELECT mode() WITHIN GROUP (ORDER BY city) AS of_few, (SELECT mode() WITHIN GROUP (ORDER BY city) FROM visits WHERE cost > 1000) AS of_none FROM visits WHERE patient % 50 = 0 OR patient <= 20;
WITH costly AS (SELECT * FROM visits WHERE cost > 50) SELECT x || '!' AS x FROM (SELECT mode() WITHIN GROUP (ORDER BY city) AS x FROM costly) AS q;
SELECT * FROM pg_temp.explained('SELECT mode() WITHIN GROUP (ORDER BY city) FROM visits');
SELECT DISTINCT trim_scale(epsilon) AS epsilon, trim_scale(delta) AS delta FROM dp.cost('SELECT mode() WITHIN GROUP (ORDER BY city), count(*) FROM visits');
SELECT dp.private_form('SELECT mode() WITHIN GROUP (ORDER BY city), count(*) FROM visits') AS text \gset
:text;
SELECT ward, mode() WITHIN GROUP (ORDER BY city) FROM visits GROUP BY ward;
-- Calls of private aggregates, CTEs, joins, subqueries, HAVING, ORDER BY, windows above.
CALL from_now();
SELECT ward, dp_count('*', 2e5) FROM visits GROUP BY ward ORDER BY 1;
SELECT * FROM spent();
WITH costly AS (SELECT * FROM visits WHERE cost > 50), few AS (SELECT * FROM costly WHERE floor = 1)
SELECT 'few' AS which, ward, count(*) FROM few GROUP BY ward UNION ALL SELECT 'costly', ward, count(*) FROM costly GROUP BY ward ORDER BY 1, 2;
SELECT * FROM (WITH costly AS (SELECT * FROM visits WHERE cost > 50) SELECT ward, count(*) AS n FROM costly GROUP BY ward) AS q WHERE n > 10 ORDER BY 1;
SELECT c.kind, v.ward, count(*) FROM visits v JOIN cities c USING (city) GROUP BY 1, 2 ORDER BY 1, 2;
SELECT ward, count(*), rank() OVER (ORDER BY count(*) DESC) FROM visits GROUP BY ward HAVING count(*) > 10 ORDER BY 2 DESC LIMIT 2;
SELECT n, count(*) FROM (SELECT patient, count(*) AS n FROM visits GROUP BY patient) AS p WHERE n < 4 GROUP BY n ORDER BY 1;
PREPARE since (int) AS SELECT ward, count(*) FROM visits WHERE cost >= $1 GROUP BY ward ORDER BY 1;
EXECUTE since(50);
SET plan_cache_mode = force_generic_plan;
EXECUTE since(50);
RESET plan_cache_mode;
-- None at all but the one without a city.
SELECT city, count(*) FROM visits WHERE cost > 1000 GROUP BY city;
SELECT ward, count(*) FROM visits WHERE cost > 1000 GROUP BY ward;
-- Where a curator has priced the choice, with groups of which there may be too many, and beside public ones: limits are chosen for all.
RESET ROLE;
CREATE TABLE priced AS SELECT id, patient, city, ward, floor, cost FROM visits WHERE city IS NOT NULL;
SELECT dp.protect('priced', 1e9, 1e-2, privacy_unit => 'patient', answer_epsilon => 1e5, group_epsilon => 1e4, group_delta => 1e-5);
SELECT dp.declare_values('priced', 'floor', 0, 1), dp.grant_budget('priced', 'regress_first_ana', 9e8, 5e-3, allow_leaks => true);
CREATE FUNCTION pg_temp.limited(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE line text; found bigint := 0;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
        found := found + (line ~ 'limited to a number that is chosen')::int;
    END LOOP;
    RETURN found;
END $$;
SET ROLE regress_first_ana;
SELECT mode() WITHIN GROUP (ORDER BY city) FROM priced;
SELECT pg_temp.limited(q) AS limited, q FROM unnest(ARRAY['SELECT city, ward, count(*) FROM priced GROUP BY 1, 2', 'SELECT floor, ward, count(*) FROM priced GROUP BY 1, 2',
    'SELECT city, floor, sum(cost) FROM priced WHERE city IN (''city 1'', ''city 2'') GROUP BY 1, 2', 'SELECT city, cost, count(*) FROM priced WHERE cost = ANY (''{1,2}'') GROUP BY 1, 2']) AS q;
SELECT ward, floor, count(*), sum(cost) FROM priced GROUP BY ward, floor ORDER BY 1, 2;
SELECT city, cost, count(*) FROM priced WHERE city IN ('city 1', 'city 2') AND cost IN (3, 4) GROUP BY city, cost ORDER BY 1, 2;
-- So many groups as two lists together may give are known then, also where different values are counted.
SELECT ward, city, count(DISTINCT floor) FROM priced GROUP BY ward, city ORDER BY 1, 2;
-- Of a person 128 groups count: seven persons in the same 4,000 groups would stand out in each; all seven keep one in a run of ten million.
RESET ROLE;
CREATE TABLE wide AS SELECT p AS patient, 'group ' || g AS name FROM generate_series(1, 7) AS p, generate_series(1, 4000) AS g;
SELECT dp.protect('wide', 1e9, 1e-8, privacy_unit => 'patient', answer_epsilon => 1e5), dp.grant_budget('wide', 'regress_first_ana', 9e8, 5e-9, allow_leaks => true);
SET ROLE regress_first_ana;
SELECT name FROM wide GROUP BY name;
SELECT count(*) FROM (SELECT name FROM wide WHERE name < 'group 11' GROUP BY name) AS q;
-- Lists that people write themselves have a group without a value, too.
SELECT city, count(*) FROM visits WHERE city IN ('city 1', 'city 9') OR city IS NULL GROUP BY city ORDER BY 1;
SELECT city, count(*) FROM visits WHERE city IS NULL GROUP BY city;
PREPARE listed (text[]) AS SELECT city, count(*) FROM visits WHERE city = ANY ($1) OR city IS NULL GROUP BY city ORDER BY 1;
EXECUTE listed('{city 1,NULL}');
EXECUTE listed(NULL);
-- The numbers of groups that were chosen become more accurate, for the difference. Who is lent them pays for the choice, too.
CALL from_now();
SELECT city, count(*) FROM visits WHERE floor = 1 GROUP BY city ORDER BY 1;
SELECT group_key ->> 'city' AS city, answer, trim_scale(epsilon::numeric) AS epsilon FROM dp_relax_release(dp_last_release(), 1e5) ORDER BY 1;
SELECT * FROM spent();
SELECT dp_last_release() AS lent \gset
RESET ROLE;
CREATE ROLE regress_first_ben;
SELECT dp.grant_budget('visits', 'regress_first_ben', 9e8, 1e-7, allow_leaks => true);
SELECT dp.share_release(:lent, 'regress_first_ben', 1e5);
SELECT trim_scale(epsilon_spent) AS epsilon, trim_scale(delta_spent) AS delta FROM dp.budgets WHERE relation = 'visits'::regclass AND role = 'regress_first_ben'::regrole;
SET ROLE regress_first_ana;
-- Of different values one of each person counts, in groups that are known by then.
SELECT ward, count(DISTINCT floor) FROM visits GROUP BY ward ORDER BY ward;
-- What is refused: groups of one person; beside answers, which would be drawn twice; other aggregates and sets of groups.
SELECT patient, count(*) FROM visits GROUP BY patient;
SELECT ward, count(*) FROM visits WHERE cost > (SELECT avg(cost) FROM visits) GROUP BY ward;
SELECT ward, count(*) > 500 AS some FROM visits GROUP BY ROLLUP (ward) ORDER BY ward;
SELECT ward::char(8), count(*) FROM visits GROUP BY 1;
SELECT '1 day'::interval * floor AS days, count(*) FROM visits GROUP BY 1;
RESET ROLE;
-- Without a delta.
SELECT dp.protect('visits', 1e9, 0, privacy_unit => 'patient', answer_epsilon => 1e5, group_epsilon => 0);
SET ROLE regress_first_ana;
SELECT ward, count(*) FROM visits GROUP BY ward;
RESET ROLE;
SELECT dp.unprotect(t) FROM unnest('{visits,wide,priced}'::regclass[]) AS t;
DROP FUNCTION pg_temp.limited(text), pg_temp.explained(text);
DROP SCHEMA groups_first CASCADE;
DROP ROLE regress_first_ana, regress_first_ben;
