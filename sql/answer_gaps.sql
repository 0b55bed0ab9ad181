-- Quantiles over the gaps between rows: as fine as the values are, also without bounds, in groups and workers, on disk, and of people with several rows.
SET client_min_messages = warning;
\set SHOW_CONTEXT never
CALL own_schema('answer_gaps');
CREATE ROLE regress_gaps_ana;
-- 100 different values of 1,000 rows each: 1,000.25, 1,001.25, ...; what has 50 times as many zeros.
CREATE TABLE scores (id int, person int, team text, amount float8, cents numeric(12, 2), big bigint, small int2, day date, at timestamp);
INSERT INTO scores SELECT g, g % 20000, 't' || g / 100 % 2, 1000.25 + g % 100, 1000.25 + g % 100, 5000000000 + 1000 * (g % 100), g % 100 * 300,
    date '2024-01-01' + g % 100, timestamp '2024-01-01 12:00' + g % 100 * interval '1 day' FROM generate_series(0, 99999) g;
ANALYZE scores;

-- At a large epsilon a quantile is a value of the rows, whatever the bounds; with a grid of the bounds it is a point of that.
SELECT dp_quantile(amount, 0.505, 0, 1e6, 1e5) AS a, dp_quantile(amount, 0.255, -1e6, 1e6, 1e5) AS b, dp_quantile(cents, 0.755, 0, 65536, 1e5) AS c,
    dp_quantile(big, 0.255, 0, 1e10, 1e5) AS d, dp_quantile(small, 0.505, -32768, 32767, 1e5) AS e FROM scores;
SELECT dp_median(amount, 0, 1e6, 1e5, 'permute_and_flip') AS of_a_grid, dp_quantile(amount, 0.505, 1000, 1100, 1e5, 'exponential') AS fine FROM scores;
SELECT dp_quantiles(amount, ARRAY[0.905, 0.105, 0.505, 0.5051], 0, 1e6, 1e6) AS several, dp_quantiles(greatest(amount, 1080.25), ARRAY[0.1, 0.7, 0.855], 0, 1e6, 1e6) AS few_values FROM scores;
SELECT dp_quantile(amount, 0, 0, 1e6, 1e6) <= 1000.25 AS least, dp_quantile(amount, 1, 0, 1e6, 1e6) >= 1099 AS greatest,
    dp_quantile(amount, 0.005, 1050, 1e6, 1e6) AS cut, dp_quantile(amount, 0.995, 0, 1050, 1e6) AS cut_above FROM scores;
-- Between the bounds where nobody is.
SELECT dp_median(amount, 1, 2e6, 1) BETWEEN 1 AND 2e6 AS nobody, dp_quantiles(amount, ARRAY[0.1, 0.5], 1, 2e6, 1) IS NULL AS never FROM scores WHERE false;
SELECT dp_median(NULL::float8, 1, 2e6, 1) BETWEEN 1 AND 2e6 AS all_null FROM scores;
SELECT dp_quantile('NaN'::float8, 0.5, 0, 1e6, 1e6) AS nan, dp_quantile('-infinity'::float8, 0.5, 0, 1e6, 1e6) AS low FROM scores;

-- Without bounds, or with one of them.
SELECT dp_quantile(amount, 0.255, '-infinity', 'infinity', 1e5) AS a, dp_quantile(cents, 0.755, 0, 'infinity', 1e5) AS b, dp_quantile(small, 0.505, '-infinity', 10000, 1e5) AS c,
    dp_quantile(big, 0.255, '-infinity', 'infinity', 1e5) BETWEEN 5000024999 AND 5000025300 AS d, dp_quantile(-amount, 0.255, '-infinity', 'infinity', 1e5) AS e FROM scores;
SELECT dp_median(amount, '-infinity', 'infinity', 1e5, 'permute_and_flip') BETWEEN 1040 AND 1060 AS of_few_points, dp_min(amount, '-infinity', 'infinity', 1e4) BETWEEN 990 AND 1002 AS least,
    dp_max(amount, '-infinity', 'infinity', 1e4) BETWEEN 1095 AND 1110 AS greatest, dp_max(small, 0, 'infinity', 1e4) AS whole FROM scores;
SELECT dp_median(amount, 'infinity', '-infinity', 1) FROM scores;
SELECT dp_median(amount, 'NaN', 'infinity', 1) FROM scores;

-- In groups; in workers; on disk; both.
SELECT team, dp_quantile(amount, 0.255, 0, 1e6, 1e5) AS low, dp_quantiles(cents, ARRAY[0.505, 0.905], 0, 1e6, 1e6) AS others FROM scores GROUP BY team ORDER BY team;
CREATE VIEW asked AS SELECT dp_quantile(amount, 0.255, 0, 1e6, 1e5) AS low, dp_quantiles(cents, ARRAY[0.505, 0.905], '-infinity', 'infinity', 1e6) AS others FROM scores;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
EXPLAIN (COSTS OFF) SELECT * FROM asked;
SELECT * FROM asked;
SET parallel_leader_participation = off;
SELECT * FROM asked;
SELECT team, dp_quantile(amount, 0.255, 0, 1e6, 1e5) AS low FROM scores GROUP BY team ORDER BY team;
SET work_mem = '64kB';
SELECT * FROM asked;
SET max_parallel_workers_per_gather = 0;
SELECT * FROM asked;
SELECT team, dp_quantile(amount, 0.255, 0, 1e6, 1e5) AS low, dp_quantiles(cents, ARRAY[0.505, 0.905], 0, 1e6, 1e6) AS others FROM scores GROUP BY team ORDER BY team;
SET enable_hashagg = off;
SELECT team, dp_quantile(amount, 0.255, 0, 1e6, 1e5) AS low FROM scores GROUP BY team ORDER BY team;
SELECT team, dp_quantile(amount, 0.255, 0, 1e6, 1e5) AS low FROM scores GROUP BY ROLLUP (team) ORDER BY team LIMIT 1;
RESET enable_hashagg;
SELECT count(*) FROM (SELECT id % 20000, dp_quantile(amount, 0.255, 0, 1e6, 1e5) AS low FROM scores GROUP BY 1) AS s WHERE low BETWEEN 1000 AND 1100;
RESET work_mem;

-- Over a protected table, of people with several rows: by all of them, some at random, or one where limits are chosen.
DROP VIEW asked;
ALTER TABLE scores ALTER team SET NOT NULL;
SELECT dp.protect('scores', 9e9, privacy_unit => 'person', max_rows_per_unit => 5, answer_epsilon => 1e5) \g /dev/null
SELECT dp.declare_values('scores', 'team', 't0', 't1') \g /dev/null
SELECT dp.declare_range('scores', 'amount', 0, 1000000) \g /dev/null
SELECT dp.grant_budget('scores', 'regress_gaps_ana', 8e9, allow_leaks => true) \g /dev/null
SET ROLE regress_gaps_ana;
SELECT percentile_disc(0.255) WITHIN GROUP (ORDER BY amount) AS one, percentile_disc(ARRAY[0.505, 0.905]) WITHIN GROUP (ORDER BY amount) AS several FROM scores;
SELECT team, percentile_disc(0.255) WITHIN GROUP (ORDER BY amount) AS low FROM scores GROUP BY team ORDER BY team;
SET max_parallel_workers_per_gather = 2;
SELECT percentile_disc(0.255) WITHIN GROUP (ORDER BY amount) AS one FROM scores WHERE id >= 0;
SELECT team, percentile_disc(0.255) WITHIN GROUP (ORDER BY amount) AS low FROM scores WHERE id >= 0 GROUP BY team ORDER BY team;
SET work_mem = '64kB';
SELECT percentile_disc(0.255) WITHIN GROUP (ORDER BY amount) AS one FROM scores WHERE id >= 1;
RESET max_parallel_workers_per_gather;
SELECT percentile_disc(0.255) WITHIN GROUP (ORDER BY amount) AS one FROM scores WHERE id >= 2;
SELECT team, percentile_disc(0.255) WITHIN GROUP (ORDER BY amount) AS low FROM scores WHERE id >= 2 GROUP BY team ORDER BY team;
RESET work_mem;
-- Where no range is declared one is not needed; of dates and timestamps either.
EXPLAIN (COSTS OFF) SELECT percentile_cont(0.255) WITHIN GROUP (ORDER BY cents), max(small) FROM scores;
SELECT percentile_cont(0.255) WITHIN GROUP (ORDER BY cents) AS one, percentile_disc(ARRAY[0.505, 0.905]) WITHIN GROUP (ORDER BY cents) AS several, percentile_disc(0.255) WITHIN GROUP (ORDER BY small) AS small FROM scores;
SELECT team, percentile_disc(0.255) WITHIN GROUP (ORDER BY cents + 1) AS low, min(cents) BETWEEN 950 AND 1050 AS least, max(DISTINCT cents) BETWEEN 1050 AND 1150 AS greatest FROM scores GROUP BY team ORDER BY team;
SELECT percentile_disc(0.255) WITHIN GROUP (ORDER BY day) AS day, abs(extract(epoch FROM percentile_disc(0.255) WITHIN GROUP (ORDER BY at) - '2024-01-26 12:00')) < 10 AS at FROM scores;
SELECT pg_typeof(max(small)), pg_typeof(max(big)), pg_typeof(min(cents)), pg_typeof(min(amount + cents)) FROM scores;
SELECT max(big) > 5e9 AS greatest, min(big) < 6e9 AS least FROM scores WHERE big < 0;
SELECT plan_of('SELECT min(day), percentile_disc(0.5) WITHIN GROUP (ORDER BY day + 1) FROM scores', 'Bounds');
SELECT min(day) BETWEEN '2023-12-01' AND '2024-01-02' AS first, max(day) BETWEEN '2024-04-05' AND '2024-05-01' AS last FROM scores;
SELECT min(at) BETWEEN '2024-01-02' AND '2024-01-03' AS first, max(at) BETWEEN '2024-04-05' AND '2024-05-01' AS last, min(at AT TIME ZONE 'UTC') < '2024-01-04' AS zone, pg_typeof(max(at)) FROM scores;
SELECT max(at - interval '1000 years') AS before_all, min(CASE WHEN small >= 0 THEN 'infinity'::timestamp END) AS after_all FROM scores;
SELECT min(team) FROM scores;
SELECT dp_median(DISTINCT cents) FROM scores;
SELECT dp_median(cents) BETWEEN 1049 AND 1051 AS without_bounds, dp_max(small) BETWEEN 29000 AND 30000 AS greatest FROM scores;
RESET ROLE;
-- One row of each person counts where limits are chosen.
SELECT dp.protect('scores', 9e9, limits => 'auto') \g /dev/null
SET ROLE regress_gaps_ana;
SELECT percentile_cont(0.255) WITHIN GROUP (ORDER BY cents) BETWEEN 1024 AND 1026.5 AS one, count(*) AS rows FROM scores;
SELECT team, count(*) AS rows, max(small) BETWEEN 29000 AND 30500 AS greatest FROM scores GROUP BY team ORDER BY team;
SELECT team, percentile_cont(0.255) WITHIN GROUP (ORDER BY amount) BETWEEN 1023 AND 1027.5 AS one, count(*) AS rows FROM scores GROUP BY team ORDER BY team;
RESET ROLE;
SET dp.allow_drop = on;
DROP OWNED BY regress_gaps_ana;
DROP ROLE regress_gaps_ana;
