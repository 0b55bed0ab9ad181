-- Histograms, bounds and quantiles over privacy units: of a unit with too many rows some count, chosen at random, and the sums beside them
-- are what they are by themselves. Epsilon 1e6 makes the noise vanish.
CALL own_schema('unit_samples');
SET client_min_messages = warning;
CREATE TABLE stays (patient int, season int NOT NULL, day int, cost numeric);
-- 2,000 patients with ten rows in each of two seasons, on days 0 to 9; 100 with one row; some of nobody.
INSERT INTO stays SELECT patient, season, day, day * 10 FROM generate_series(1, 2000) patient, generate_series(1, 2) season, generate_series(0, 9) day;
INSERT INTO stays SELECT patient, 1, 5, 50 FROM generate_series(2001, 2100) patient;
INSERT INTO stays SELECT NULL, 1, 7, 70 FROM generate_series(1, 50);
ANALYZE stays;
SELECT dp.protect('stays', 1e9, privacy_unit => 'patient', max_rows_per_unit => 3), dp.public_values('stays', 'season', 1, 2);
CREATE FUNCTION days(OUT h bigint[]) LANGUAGE sql AS
    'SELECT dp_histogram(day, ARRAY[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 1e6) FROM unit_samples.stays';
CREATE FUNCTION total(bigint[]) RETURNS numeric LANGUAGE sql AS 'SELECT sum(n) FROM unnest($1) AS n';

-- ---- beside a histogram and quantiles, sums are those of all rows, limited
CREATE VIEW alone AS
    SELECT (SELECT dp_count('*', 1e6) FROM stays) AS n, (SELECT dp_sum(day, 0, 9, 1e6) FROM stays) AS days,
        (SELECT round(dp_avg(day, 0, 9, 1e6)::numeric, 3) FROM stays) AS mean, (SELECT round(dp_sum(cost, 0, 90, 1e6)) FROM stays) AS cost;
CREATE VIEW beside AS
    SELECT n, days, mean, cost FROM (
        SELECT dp_count('*', 1e6) AS n, dp_sum(day, 0, 9, 1e6) AS days, round(dp_avg(day, 0, 9, 1e6)::numeric, 3) AS mean,
            round(dp_sum(cost, 0, 90, 1e6)) AS cost, dp_histogram(day, 0, 9, 3, 1e6) AS h, dp_median(day, 0, 9, 1e6) AS median,
            dp_quantile(cost, 0.9, 0, 90, 1e6) AS high, dp_bounds(cost, 1e6) AS bounds FROM stays) AS s
    WHERE total(h) = 6100 AND median BETWEEN 0 AND 9 AND high BETWEEN 60 AND 90 AND bounds = '{0,128}';
SELECT * FROM alone;
SELECT * FROM beside;
SELECT line FROM plan_of('SELECT dp_sum(day, 0, 9, 1), dp_histogram(day, 0, 9, 3, 1) FROM stays') AS line WHERE line LIKE 'Privacy%';
SELECT line FROM plan_of('SELECT dp_histogram(day, 0, 9, 3, 1) FROM stays') AS line WHERE line LIKE 'Privacy%';
SELECT line FROM plan_of('SELECT season, dp_sum(day, 0, 9, 1), dp_median(day, 0, 9, 1) FROM stays GROUP BY season') AS line WHERE line LIKE 'Privacy%';
-- By groups too: three rows in both seasons together.
SELECT sum(n) AS n, sum(total(h)) AS counted, sum(days) AS of_three_rows, count(DISTINCT median) < 3 AS medians FROM (
    SELECT season, dp_count('*', 1e6) AS n, dp_histogram(day, 0, 9, 3, 1e6) AS h, dp_sum(day, 0, 9, 1e6) AS days, dp_median(day, 0, 9, 1e6) AS median
    FROM stays GROUP BY season) AS s;
-- DISTINCT and dp_mode choose rows for all.
SELECT line FROM plan_of('SELECT dp_sum(day, 0, 9, 1), dp_mode(day, ARRAY[1, 2], 1) FROM stays') AS line WHERE line LIKE 'Privacy%';

-- ---- each row is as likely to be chosen as the others: 3 of 20 for each of ten days, and the hundred of day 5. Six standard
-- deviations are 134.
SELECT total(h) AS total, (SELECT bool_and(n - CASE WHEN i = 6 THEN 100 ELSE 0 END BETWEEN 466 AND 734) FROM unnest(h) WITH ORDINALITY AS d (n, i)) AS alike
FROM days() AS h;
SELECT count(DISTINCT h) AS choices FROM (SELECT days() AS h FROM generate_series(1, 3)) AS s;
-- In both seasons together a patient has three.
SELECT array_agg(i) AS patients FROM generate_series(1, 2000) i \gset
SELECT max(seen) AS most, min(seen) AS least FROM (
    SELECT patient, sum(n) AS seen FROM (
        SELECT season, dp_histogram(patient, :'patients', 1e6) AS h FROM stays GROUP BY season) AS s,
        unnest(h) WITH ORDINALITY AS u (n, patient) GROUP BY patient) AS p;
-- Rows that have no bucket are not chosen; NULL neither.
SELECT total(dp_histogram(day, ARRAY[9], 1e6)) AS two_of_2000 FROM stays;
SELECT total(dp_histogram(nullif(day, 0), 0, 9, 9, 1e6)) AS three_of_2000_and_100 FROM stays WHERE day = 0 OR season = 1;
SELECT total(dp_histogram(day, 0, 9, 9, 1e6) FILTER (WHERE day = 4)) AS two_of_2000 FROM stays;
SELECT dp_histogram(day, 0, 9, 3, 1e6) AS none, dp_median(day, 0, 9, 1e6) BETWEEN 0 AND 9 AS any FROM stays WHERE false;

-- ---- whatever the plan: sorted, spilled, by workers that each keep some
SET enable_hashagg = off;
SELECT alone = beside AS sorted FROM alone, beside;
RESET enable_hashagg;
SET work_mem = '64kB';
SELECT alone = beside AS spilled FROM alone, beside;
RESET work_mem;
SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0; SET max_parallel_workers_per_gather = 2;
SELECT alone = beside AS parallel FROM alone, beside;
SET enable_hashagg = off;
SELECT alone = beside AS parallel_sorted FROM alone, beside;
-- Where samples are parts: 17 of 20 are too many for a table of units. Six standard deviations are 135.
SELECT dp.protect('stays', 1e9, max_rows_per_unit => 17);
SELECT count(*) > 0 AS by_workers FROM plan_of('SELECT dp_histogram(day, 0, 9, 3, 1) FROM stays') AS line WHERE line LIKE 'Partial%';
SELECT total(h) AS total, (SELECT bool_and(n - CASE WHEN i = 6 THEN 100 ELSE 0 END BETWEEN 3265 AND 3535) FROM unnest(h) WITH ORDINALITY AS d (n, i)) AS alike
FROM days() AS h;
RESET enable_hashagg;
SELECT total(h) AS total, (SELECT bool_and(n - CASE WHEN i = 6 THEN 100 ELSE 0 END BETWEEN 3265 AND 3535) FROM unnest(h) WITH ORDINALITY AS d (n, i)) AS alike
FROM days() AS h;
RESET parallel_setup_cost; RESET parallel_tuple_cost; RESET min_parallel_table_scan_size; RESET max_parallel_workers_per_gather;

-- Units that are told apart by more than eight bytes, in a table and spilled.
SELECT dp.protect('stays', 1e9, max_rows_per_unit => 3);
ALTER TABLE stays ALTER patient TYPE text USING 'patient number ' || patient;
SELECT total(h) AS total, (SELECT bool_and(n - CASE WHEN i = 6 THEN 100 ELSE 0 END BETWEEN 466 AND 734) FROM unnest(h) WITH ORDINALITY AS d (n, i)) AS alike
FROM days() AS h;
SET work_mem = '64kB';
SELECT total(h) AS total, (SELECT bool_and(n - CASE WHEN i = 6 THEN 100 ELSE 0 END BETWEEN 466 AND 734) FROM unnest(h) WITH ORDINALITY AS d (n, i)) AS alike
FROM days() AS h;
RESET work_mem;

-- ---- large limits, grouping sets, a private choice of groups
CREATE TABLE heavy (patient int NOT NULL, x int NOT NULL);
INSERT INTO heavy SELECT patient, x FROM generate_series(1, 5) patient, generate_series(0, 3999) x;
SELECT dp.protect('heavy', 1e9, privacy_unit => 'patient', max_rows_per_unit => 1000);
-- 1,000 of each 4,000: half of them in each half, by six standard deviations of 31.
SELECT total(h) AS five_thousand, h[1] BETWEEN 2315 AND 2685 AS half FROM (SELECT dp_histogram(x, 0, 3999, 2, 1e6) AS h FROM heavy) AS s;
SELECT g, sum(total(h)) AS counted FROM (
    SELECT grouping(season) AS g, dp_histogram(day, 0, 9, 3, 1e6) AS h FROM stays GROUP BY ROLLUP (season)) AS s GROUP BY g ORDER BY g;
SELECT dp.protect('stays', 1e9, max_groups_per_unit => 2, max_rows_per_group => 2);
SELECT season, dp_count('*', 1e6) AS n, total(dp_histogram(day, 0, 9, 3, 1e6)) AS counted FROM stays GROUP BY season ORDER BY season;
SELECT dp.no_public_values('stays', 'season');
SELECT dp.protect('stays', 1e9, 0.5, group_epsilon => 100, group_delta => 1e-12, max_groups_per_unit => 1, max_rows_per_group => 2);
SELECT sum(n) AS n, sum(counted) AS counted FROM (
    SELECT season, dp_count('*', 1e6) AS n, total(dp_histogram(day, 0, 9, 3, 1e6)) AS counted FROM stays GROUP BY season) AS s;

SELECT dp_internal.unit_bigints('\x00'::bytea, 1, 0.5::float8, 'dp_count("any",float8)'::regprocedure::oid);
SET dp.allow_drop = on;
DROP SCHEMA unit_samples CASCADE;
