-- dp_totals and dp_moments under a privacy unit with several rows: of a unit beyond its limit each number of the vector has the share of the
-- rows that may count, NULLs among them. By hand, and along each way in which units are kept.
CALL own_schema('unit_vectors');
SET client_min_messages = warning;
SET dp.allow_drop = on;
CREATE TABLE stays (unit int, ward text, x int, v float8);
INSERT INTO stays SELECT (i * 7919) % 700, chr(97 + i % 3), CASE WHEN i % 4 > 0 THEN i % 23 - 5 END, i % 101 / 8.0 FROM generate_series(1, 5000) i
  WHERE i % 4999 >= ((i * 7919) % 700) % 300;
INSERT INTO stays SELECT 77, 'a', CASE WHEN i % 3 = 0 THEN i % 23 END, NULL FROM generate_series(1, 400) i;
INSERT INTO stays SELECT NULL, 'a', 10, 10 FROM generate_series(1, 100);
INSERT INTO stays SELECT i, 'b', NULL, NULL FROM generate_series(1, 10) i;
CREATE MATERIALIZED VIEW exact AS  -- of a unit within a group: steps above -5, and those of NULLs, of 25 between the bounds
  SELECT unit, ward, count(*) AS n, coalesce(sum(clamp(x::numeric, -5, 20) + 5), 0) AS above, 25 * (count(*) - count(x)) AS missing FROM stays WHERE unit IS NOT NULL GROUP BY GROUPING SETS ((unit), (unit, ward));
SELECT dp.protect('stays', 9e9, privacy_unit => 'unit', max_rows_per_unit => 3);
-- One group: the states of all units in the aggregate
EXPLAIN (COSTS OFF) SELECT dp_totals(x, -5, 20, 1e6) FROM stays;
SELECT (v).rows, (v).count, (v).sum, round((v).avg::numeric, 6) AS avg FROM (SELECT dp_totals(x, -5, 20, 1e6) AS v FROM stays) s;
SELECT (v).rows, (v).count, (v).sum, round((v).avg::numeric, 6) AS avg FROM (SELECT dp_moments(x, -5, 20, 1e6) AS v FROM stays) s;
WITH u AS (SELECT least(n, 3) AS n, CASE WHEN n <= 3 THEN above ELSE div(above * 3, n) END AS above, CASE WHEN n <= 3 THEN missing ELSE div(missing * 3, n) END AS missing
           FROM exact WHERE ward IS NULL),
  s AS (SELECT sum(n) AS n, sum(above) AS above, sum(missing) AS missing FROM u)
SELECT n AS rows, round(n - missing / 25) AS count, round(-5 * (n - missing / 25) + above) AS sum, round(-5 + 25 * above / (25 * n - missing), 6) AS avg FROM s;
-- Beside others, by a condition, and of nobody
SELECT (dp_totals(x, -5, 20, 1e6)).rows, dp_count('*', 1e6), (dp_moments(v, 0, 10, 1e6) FILTER (WHERE ward = 'b')).count > 0 AS some,
  round((dp_moments(v, 0, 10, 1e6)).avg::numeric, 2) = round(dp_avg(v, 0, 10, 1e6)::numeric, 2) AS same FROM stays WHERE v IS NOT NULL;
SELECT (v).rows, (v).count, (v).sum FROM (SELECT dp_totals(x, -5, 20, 1e6) AS v FROM stays WHERE unit IS NULL) s;
SELECT (v).rows, (v).count, (v).sum FROM (SELECT dp_totals(x, -5, 20, 1e6) AS v FROM stays WHERE unit = 77) s;
-- By groups that are known, whose limits are per unit and group
SELECT dp.public_values('stays', 'ward', 'a', 'b', 'c', 'd');
SELECT dp.protect('stays', 9e9, max_groups_per_unit => 4, max_rows_per_group => 2);
SELECT ward, (v).rows, (v).count, (v).sum FROM (SELECT ward, dp_totals(x, -5, 20, 1e6) AS v FROM stays GROUP BY ward) s ORDER BY ward;
SELECT ward, (v).rows, (v).count, (v).sum, (v).var_pop > 0 AS spread FROM (SELECT ward, dp_moments(x, -5, 20, 1e6) AS v FROM stays GROUP BY ward) s ORDER BY ward;
WITH u AS (SELECT ward, least(n, 2) AS n, CASE WHEN n <= 2 THEN above ELSE div(above * 2, n) END AS above, CASE WHEN n <= 2 THEN missing ELSE div(missing * 2, n) END AS missing
           FROM exact WHERE ward IS NOT NULL),
  s AS (SELECT ward, sum(n) AS n, sum(above) AS above, sum(missing) AS missing FROM u GROUP BY ward)
SELECT ward, n AS rows, round(n - missing / 25) AS count, round(-5 * (n - missing / 25) + above) AS sum FROM s ORDER BY ward;
-- The same from parts, as PostgreSQL groups by unit
SELECT ward, (v).rows, (v).count, (v).sum FROM (SELECT ward, dp_totals(x, -5, 20, 1e6) AS v, dp_histogram(x, ARRAY[1], 1e6) FROM stays GROUP BY ward) s ORDER BY ward;
SELECT ward, (v).rows, (v).count, (v).sum FROM (SELECT ward, dp_moments(x, -5, 20, 1e6) AS v, dp_histogram(x, ARRAY[1], 1e6) FROM stays GROUP BY ward) s ORDER BY ward;
SELECT dp.unprotect('stays');
DROP SCHEMA unit_vectors CASCADE;
