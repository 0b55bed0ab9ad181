-- SET dp.consistent, dp_consistent and dp_monotone: totals that are the sums of their parts, and numbers that never fall.
CALL own_schema('answer_consistent');
SET client_min_messages = error;
CREATE ROLE regress_consistent_ana;
CREATE TABLE visits AS
    SELECT i AS id, i % 4 AS ward, i % 3 AS year, i % 2 = 0 AS urgent, i * 37 % 1000 AS cost, (i % 100)::numeric(6, 2) / 4 AS paid FROM generate_series(1, 12000) AS i;
ALTER TABLE visits ADD PRIMARY KEY (id), ALTER ward SET NOT NULL, ALTER year SET NOT NULL;
CREATE TABLE stays AS SELECT i % 700 AS patient, i % 4 AS ward FROM generate_series(1, 3000) AS i;
SELECT dp.protect('visits', 1e9, 1e-3, privacy_unit => 'id'), dp.protect('stays', 1e9, 1e-3, privacy_unit => 'patient') \g /dev/null
SELECT dp.declare_range('visits', 'cost', 0, 1000), dp.declare_range('visits', 'paid', 0, 25), dp.declare_values('visits', 'ward', 0, 1, 2, 3),
    dp.declare_values('visits', 'year', 0, 1, 2), dp.declare_values('stays', 'ward', 0, 1, 2, 3) \g /dev/null
SELECT dp.grant_budget('visits', 'regress_consistent_ana', 1e9, 1e-4, allow_leaks => true), dp.grant_budget('stays', 'regress_consistent_ana', 1e9, 1e-4, allow_leaks => true) \g /dev/null

-- ---- The functions, over any answers. A total of 76 +- 3 and five parts of 10 +- 2, by their variances.
CREATE VIEW two_levels AS
    SELECT NULL AS part, 1 AS level, 76 AS n, 3 AS error UNION ALL SELECT chr(96 + i), 0, 10, 2 FROM generate_series(1, 5) AS i;
SELECT part, n, dp_consistent(n, error, level, part) OVER () AS whole, dp_consistent(n::float8, error, level, part) OVER () AS real,
    dp_consistent(n::numeric(6, 1), error, level, part) OVER () AS numeric, round(dp_consistent_error(n::float8, error, level, part) OVER ()::numeric, 4) AS real_error,
    dp_consistent_error(n, error, level, part) OVER () AS whole_error FROM two_levels ORDER BY part;
-- What has no error is kept: a total that is public; a part that is.
SELECT part, dp_consistent(n, CASE WHEN level = 1 THEN 0 ELSE error END, level, part) OVER () AS total_kept,
    dp_consistent(n, CASE part WHEN 'a' THEN 0 ELSE error END, level, part) OVER () AS a_kept,
    dp_consistent_error(n, CASE WHEN level = 1 THEN 0 ELSE error END, level, part) OVER () AS error FROM two_levels ORDER BY part;
-- Nobody knows how far any is off; one answer is not known; each partition is a question of its own.
SELECT part, dp_consistent(n, NULL, level, part) OVER () AS alike, dp_consistent_error(n, NULL, level, part) OVER () AS nothing,
    dp_consistent(nullif(n, 76), error, level, part) OVER () AS total, dp_consistent(n, CASE part WHEN 'b' THEN NULL ELSE error END, level, part) OVER () AS b,
    dp_consistent(n, error, level, part) OVER (PARTITION BY level) AS apart FROM two_levels ORDER BY part;
-- Never negative, and the parts are still those of the total.
SELECT part, dp_consistent(n, 4, level, part) OVER () AS n, dp_consistent_nonnegative(n, 4, level, part) OVER () AS nonnegative
FROM (VALUES (NULL, 1, 9), ('a', 0, 12), ('b', 0, -5), ('c', 0, 3), ('d', 0, -6)) AS v (part, level, n) ORDER BY part;
-- Two keys: rows and columns both are sums of cells; and where nobody asked for the cells.
CREATE VIEW cubed AS SELECT a, b, GROUPING(a, b) AS level, sum(10 + a * 3 - b) + (GROUPING(a, b) * 5 + coalesce(a, 0) - coalesce(b, 0)) % 7 AS n FROM generate_series(1, 3) AS a, generate_series(1, 4) AS b GROUP BY CUBE (a, b);
CREATE VIEW fitted AS SELECT a, b, level, dp_consistent(n, 9, level, a, b) OVER () AS n FROM cubed;
SELECT (SELECT bool_and(f.n = (SELECT sum(n) FROM fitted WHERE level = 0 AND a = f.a)) FROM fitted AS f WHERE level = 1) AS rows,
    (SELECT bool_and(f.n = (SELECT sum(n) FROM fitted WHERE level = 0 AND b = f.b)) FROM fitted AS f WHERE level = 2) AS columns,
    (SELECT n FROM fitted WHERE level = 3) = (SELECT sum(n) FROM fitted WHERE level = 0) AS total;
SELECT sum(m) FILTER (WHERE level = 1) = sum(m) FILTER (WHERE level = 2) AS margins
FROM (SELECT level, dp_consistent(n, 15, level, a, b) OVER () AS m FROM cubed WHERE level IN (1, 2)) AS v;
-- Levels that are not about the same rows are left as they are.
SET client_min_messages = warning;
SELECT part, dp_consistent(n + level * 1000, error, level, part) OVER () AS n, dp_consistent_error(n + level * 1000, error, level, part) OVER () AS error FROM two_levels ORDER BY part LIMIT 2;
SET client_min_messages = error;
-- Values of any type and size.
SELECT dp_consistent(v, 2, level, k) OVER () AS most FROM (VALUES (9223372036854775807, 1, NULL), (9223372036854775807, 0, '{1}'::int[])) AS v (v, level, k);
SELECT dp_consistent(v, 2, level, k) OVER () AS smallint, dp_consistent(v * 1.005, 2, level, k) OVER () AS numeric FROM (VALUES (30000::smallint, 1, NULL), (20000, 0, 'x'), (9999, 0, 'y')) AS v (v, level, k) ORDER BY k;
SELECT dp_consistent(v, 2, level, k) OVER () AS unknown FROM (VALUES ('NaN'::float8, 1, NULL), (3, 0, 'x'), (4, 0, 'y')) AS v (v, level, k) ORDER BY k;
SELECT dp_consistent(n, 1, 0, k) OVER () AS nothing FROM (VALUES (NULL::int, 1)) AS v (n, k);
SELECT dp_consistent(1, -1, 0, 1) OVER ();
SELECT dp_consistent(1, 1, 2, 1) OVER ();
SELECT dp_consistent(1, 1, NULL, 1) OVER ();
SELECT dp_consistent('x'::text, 1, 0, 1) OVER ();
SELECT dp_consistent(1, 1, 0, point(1, 1)) OVER ();
SELECT dp_consistent(v, 2, level, k) OVER () AS large FROM (VALUES (12345678901234567890123.55, 1, NULL), (12345678901234567890100, 0, 'x'), (8, 0, 'y'), (-0.5, 0, 'z')) AS v (v, level, k) ORDER BY k;
SELECT dp_consistent(v, 2, 0, v) OVER () AS digits FROM (VALUES (1.005), (-20.5), (0.0004), (300)) AS v (v);
SELECT dp_consistent(1e100, 1, 0, 1) OVER ();
SELECT dp_internal.to_fit(1, 1);

-- Numbers that never fall.
SELECT day, n, dp_monotone(n, 1) OVER (ORDER BY day) AS whole, dp_monotone(n::float8, CASE day WHEN 2 THEN 0.5 ELSE 1 END) OVER (ORDER BY day) AS weighed,
    dp_monotone(n, NULL) OVER (ORDER BY day DESC) AS falling FROM (VALUES (1, 10), (2, 14), (3, 12), (4, NULL), (5, 20), (6, 8)) AS v (day, n) ORDER BY day;

-- ---- What a statement asks.
GRANT SELECT ON two_levels TO regress_consistent_ana;
SET ROLE regress_consistent_ana;
SET dp.epsilon = 0.1;
SET dp.consistent = on;
-- Parts add up to totals at every level, whichever sets there are; sums too, to the cent.
CREATE TEMP TABLE rolled AS SELECT ward, year, GROUPING(ward, year) AS level, count(*) AS n, sum(paid) AS paid, count(*) FILTER (WHERE urgent) AS urgent FROM visits GROUP BY ROLLUP (ward, year);
SELECT bool_and(n = parts) AS n, bool_and(paid = paid_parts) AS paid, bool_and(urgent = urgent_parts) AS urgent, count(*) FROM (
    SELECT t.n, t.paid, t.urgent, sum(p.n) AS parts, sum(p.paid) AS paid_parts, sum(p.urgent) AS urgent_parts FROM rolled AS t JOIN rolled AS p
    ON (t.level = 3 AND p.level = 1) OR (t.level = 1 AND p.level = 0 AND t.ward = p.ward) GROUP BY t.level, t.ward, t.n, t.paid, t.urgent) AS v;
CREATE TEMP TABLE cube AS SELECT ward, year, GROUPING(ward, year) AS level, count(*) AS n, dp_error(count(*)) AS error FROM visits GROUP BY CUBE (ward, year);
SELECT (SELECT bool_and(c.n = (SELECT sum(n) FROM cube WHERE level = 0 AND ward = c.ward)) FROM cube AS c WHERE level = 1) AS wards,
    (SELECT bool_and(c.n = (SELECT sum(n) FROM cube WHERE level = 0 AND year = c.year)) FROM cube AS c WHERE level = 2) AS years,
    (SELECT n FROM cube WHERE level = 3) = (SELECT sum(n) FROM cube WHERE level = 0) AS total;
-- Error bars follow: at epsilon 0.1 a count is known to 29, or here better, at each level. At a smaller confidence, too; and what the statement makes of them.
SELECT level, min(error) = max(error) AS same, max(error) FROM cube GROUP BY level ORDER BY level;
SELECT GROUPING(ward) AS level, dp_error(count(*), 0.5), dp_error(count(*), 0.92), dp_error(count(*), 0.99), sum(count(*)) OVER () > 0 AS some
FROM visits GROUP BY ROLLUP (ward) HAVING dp_error(count(*)) < 30 AND count(*) > 0 AND (ward = 1 OR ward IS NULL) ORDER BY level;
SELECT GROUPING(ward) AS level, round(dp_error(sum(paid))::numeric) AS sum, dp_bias(sum(paid)) AS bias FROM visits GROUP BY ROLLUP (ward) HAVING ward = 1 OR ward IS NULL ORDER BY level;
PREPARE at(float8) AS SELECT dp_error(count(*), $1) FROM visits GROUP BY ROLLUP (ward) ORDER BY 1 LIMIT 1;
EXECUTE at(0.99);
-- Of many draws nearly all keep their errors.
CREATE TEMP TABLE kept (inside int, n int);
DO $$ BEGIN FOR i IN 1 .. 40 LOOP
    DROP TABLE cube;
    CREATE TEMP TABLE cube AS SELECT ward, year, GROUPING(ward, year) AS level, count(*) AS n, dp_error(count(*)) AS error FROM visits GROUP BY CUBE (ward, year);
    INSERT INTO kept SELECT count(*) FILTER (WHERE abs(n - 12000 / CASE level WHEN 0 THEN 12 WHEN 1 THEN 4 WHEN 2 THEN 3 ELSE 1 END) <= error), count(*)
        FROM cube;
END LOOP; END $$;
SELECT sum(n) AS n, sum(inside) > 0.93 * sum(n) AS inside FROM kept;
-- Exact answers are; negative ones are not.
SET dp.epsilon = 1e6;
SELECT ward, count(*), sum(cost), round(avg(cost)) AS avg FROM visits GROUP BY ROLLUP (ward) ORDER BY ward;
SET dp.epsilon = 0.01;
SET dp.consistent = nonnegative;
CREATE TEMP TABLE few AS SELECT ward, year, GROUPING(ward, year) AS level, count(*) AS n FROM visits WHERE cost < 3 GROUP BY CUBE (ward, year);
SELECT bool_and(n >= 0) AS none_negative, sum(n) FILTER (WHERE level = 0) = sum(n) FILTER (WHERE level = 3) AS adds_up FROM few;
SET dp.consistent = on;
-- Where they may be they are: noise that is cut at zero would make the totals of nothing about 300 each.
CREATE TEMP TABLE uncut (level int, n bigint, m bigint);
DO $$ BEGIN FOR i IN 1 .. 10 LOOP
    CREATE TEMP TABLE one AS SELECT GROUPING(ward, year) AS level, count(*) FILTER (WHERE urgent) AS n, count(*) FILTER (WHERE NOT urgent) AS m FROM visits WHERE cost < 1 GROUP BY CUBE (ward, year);
    INSERT INTO uncut TABLE one;
    DROP TABLE one;
END LOOP; END $$;
SELECT abs(sum(n + m)) < 3000 AS about_nothing, bool_or(least(n, m) < 0) AS some_negative FROM uncut WHERE level = 3;
SET dp.epsilon = 0.1;
-- With dp.round, at the same time.
SET dp.round = on;
CREATE TEMP TABLE rounded AS SELECT ward, count(*) AS n FROM visits GROUP BY ROLLUP (ward);
SELECT bool_and(n % 10 = 0) AS tens FROM rounded;
RESET dp.round;
-- It costs what it costs, and EXPLAIN says it. One set, one table that anybody may read, what subqueries show: as they are.
SELECT role, epsilon FROM dp.cost('SELECT ward, count(*) FROM visits GROUP BY ROLLUP (ward)');
CREATE FUNCTION pg_temp.said(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE line text; said boolean := false;
BEGIN FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    IF line LIKE '%Consistent:%' THEN said := true; RETURN NEXT ltrim(line); END IF;
END LOOP; IF NOT said THEN RETURN NEXT 'nothing'; END IF; END $$;
SELECT pg_temp.said('SELECT ward, count(*) FROM visits GROUP BY ROLLUP (ward)');
SET dp.consistent = nonnegative;
SELECT pg_temp.said('SELECT ward, count(*) FROM visits GROUP BY GROUPING SETS ((ward), ())');
SET dp.consistent = on;
SELECT pg_temp.said('SELECT ward, count(*) FROM visits GROUP BY ward');
SELECT pg_temp.said('SELECT part, sum(n) FROM two_levels GROUP BY ROLLUP (part)');
CREATE TEMP TABLE printed (ward int, n bigint);
SELECT pg_temp.said('INSERT INTO printed SELECT ward, count(*) FROM visits GROUP BY ROLLUP (ward)');
INSERT INTO printed SELECT ward, count(*) FROM visits GROUP BY ROLLUP (ward);
SELECT sum(n) FILTER (WHERE ward IS NULL) = sum(n) FILTER (WHERE ward IS NOT NULL) AS adds_up FROM printed;
SELECT pg_temp.said('SELECT * FROM (SELECT ward, count(*) FROM visits GROUP BY ROLLUP (ward)) AS v');
-- What does not add up is not made to: averages, different values, groups that are chosen privately, limits that are.
SELECT pg_temp.said('SELECT avg(cost), count(DISTINCT id) FROM visits GROUP BY ROLLUP (ward)');
SELECT pg_temp.said('SELECT id / 3, count(*) FROM visits GROUP BY ROLLUP (1)');
SELECT pg_temp.said('SELECT ward, count(*) FROM stays GROUP BY ROLLUP (ward)');
RESET dp.consistent;
-- Over answers that are there: dp_consistent in the statement itself.
SELECT bool_and(n = parts) AS adds_up FROM (
    SELECT n, sum(n) FILTER (WHERE level = 0) OVER () AS parts, level FROM (
        SELECT GROUPING(ward) AS level, dp_consistent(count(*), dp_error(count(*)), GROUPING(ward), ward) OVER () AS n FROM visits GROUP BY ROLLUP (ward)) AS v) AS v WHERE level = 1;
SET dp.consistent = 'perhaps';
RESET ROLE;
SELECT dp.unprotect('visits'), dp.unprotect('stays') \g /dev/null
DROP OWNED BY regress_consistent_ana;
DROP ROLE regress_consistent_ana;
