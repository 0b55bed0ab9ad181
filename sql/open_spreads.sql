-- Variances and deviations of values for which nobody has declared a range: it is found privately, within the price.
SET client_min_messages = warning;
\set SHOW_CONTEXT never
CALL own_schema('open_spreads');
CREATE ROLE regress_spreads_ana;
CREATE TABLE stays (id int, person int, ward text NOT NULL CHECK (ward IN ('a', 'b')), year int, cost numeric(12, 2), weight float8, small int2, big bigint);
INSERT INTO stays SELECT g, g % 10000, (ARRAY['a', 'b'])[1 + g % 2], 1990 + g % 31, g % 1000 / 4.0, -500 - g % 100, g % 100, 4000000000 + g % 1000 FROM generate_series(0, 49999) g;
ANALYZE stays;
CREATE FUNCTION near(ours float8, exact float8, within float8 DEFAULT 0.02) RETURNS boolean LANGUAGE sql AS $$ SELECT abs(ours / exact - 1) < within $$;

-- Over a table that may be read.
SELECT near(dp_stddev(year, '-infinity', 'infinity', 100), stddev(year)) AS years, near(dp_variance(cost, 0, 'infinity', 100), variance(cost)) AS costs,
    near(dp_stddev_pop(weight, '-infinity', 'infinity', 100), stddev_pop(weight)) AS weights, near(dp_var_pop(small::float8, '-infinity', 'infinity', 100), var_pop(small)) AS smalls,
    near(dp_stddev(small, '-infinity', 50, 100), stddev(least(small, 50))) AS below, near(dp_stddev(big - 4000000000, '-infinity', 'infinity', 100), stddev(big)) AS bigs FROM stays;
SELECT bool_and(near(ours, exact)) AS groups FROM (SELECT ward, dp_stddev(year, '-infinity', 'infinity', 100) AS ours, stddev(year) AS exact FROM stays GROUP BY ward) AS s;
SELECT dp_stddev(year, '-infinity', 'infinity', 1) >= 0 AS nobody FROM stays WHERE false;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
SELECT near(dp_stddev(year, '-infinity', 'infinity', 100), 8.94) AS in_workers FROM stays;
SET work_mem = '64kB';
SELECT near(dp_stddev(year, '-infinity', 'infinity', 100), 8.94) AS on_disk FROM stays;
RESET max_parallel_workers_per_gather;
RESET work_mem;
-- What cannot be.
SELECT dp_stddev(year, 'infinity', '-infinity', 1) FROM stays;
SELECT dp_stddev(year, '-infinity', 'infinity', 7e-9) FROM stays;
SELECT dp_stddev(year, '-infinity', 'infinity', 1, 'gaussian(delta=1e-6)') FROM stays;
PREPARE asked(float8) AS SELECT dp_stddev(year, $1, 'infinity', 1) FROM stays;
SET plan_cache_mode = force_generic_plan;
EXECUTE asked('-infinity');
RESET plan_cache_mode;

-- Over a protected one in ordinary SQL: for the price of any answer.
SELECT dp.protect('stays', 9e9, privacy_unit => 'person', max_rows_per_unit => 5, answer_epsilon => 500) \g /dev/null
SELECT dp.grant_budget('stays', 'regress_spreads_ana', 8e9, allow_leaks => true) \g /dev/null
SET ROLE regress_spreads_ana;
EXPLAIN (COSTS OFF) SELECT stddev(cost) FROM stays;
SELECT near(stddev(year), 8.94) AS years, near(stddev(cost), 72.17) AS costs, near(var_pop(weight), 833.25) AS weights, pg_typeof(stddev(cost)) AS numeric, pg_typeof(stddev(weight)) AS float, dp_error(stddev(year)) IS NULL AS none FROM stays;
SELECT ward, near(stddev(year), 8.94) AS years, count(*) BETWEEN 24000 AND 26000 AS some FROM stays GROUP BY ward ORDER BY ward;
SELECT near(stddev(year) FILTER (WHERE small < 50), 8.94) AS filtered, near(avg(cost), 124.875) AS mean, near(stddev(cost), 72.17) AS beside FROM stays;
SELECT near(dp_stddev(cost + 1), 72.17) AS without_bounds, near(sqrt(variance(year)), 8.94) AS root FROM stays;
SELECT trim_scale(epsilon) AS epsilon FROM dp.cost('SELECT stddev(year) FROM stays') WHERE role IS NOT NULL;
-- A variance is the square of the deviation, and belongs to it: for one price. Those of a sample and of a population are two answers.
CREATE FUNCTION pg_temp.prices(list text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE line text; price numeric; shared text := '';
BEGIN
    FOR line IN EXECUTE format('EXPLAIN (COSTS OFF) SELECT %s FROM stays', list) LOOP
        IF line LIKE '%Epsilon:%' THEN price := coalesce(price, 0) + substring(line FROM 'Epsilon: ([0-9.]+)')::numeric; END IF;
        IF line LIKE '%One Release:%' THEN shared := shared || ' of ' || substring(line FROM 'One Release: (.*)'); END IF;
    END LOOP;
    RETURN trim_scale(price / 500) || shared;
END $$;
SELECT pg_temp.prices(list), list FROM unnest(ARRAY['variance(cost)', 'variance(cost), stddev(cost), var_samp(cost)', 'stddev_pop(weight), var_pop(weight)', 'variance(year), var_pop(year)',
    'variance(year), stddev(cost)', 'stddev(year), variance(year) FILTER (WHERE small < 50)']) list;
SELECT near(variance(cost), 5208.43, 0.04) AS variance, near(variance(cost), power(stddev(cost), 2), 1e-9) AS square, near(var_pop(weight), power(stddev_pop(weight), 2), 1e-9) AS of_population,
    pg_typeof(variance(cost)) AS numeric, pg_typeof(var_pop(weight)) AS float, dp_error(variance(cost)) IS NULL AS none FROM stays;
SELECT dp.private_form('SELECT variance(cost), stddev(cost) FROM stays');
SELECT stddev(DISTINCT year) FROM stays;
SELECT corr(year, cost) FROM stays;
SET max_parallel_workers_per_gather = 2;
SELECT near(stddev(year), 8.94) AS years FROM stays WHERE id >= 0;
RESET max_parallel_workers_per_gather;
RESET ROLE;
-- What one has told is there for the other later.
SELECT dp.protect('stays', 9e9, reuse => '1 hour') \g /dev/null
SET ROLE regress_spreads_ana;
SELECT variance(cost) AS variance FROM stays \gset
SELECT sum(epsilon) AS free FROM dp.cost('SELECT stddev(cost), variance(cost) FROM stays');
SELECT near(power(stddev(cost), 2), :variance, 1e-9) AS square FROM stays;
RESET ROLE;
SELECT dp.protect('stays', 9e9, reuse => '0') \g /dev/null
-- One row of each person where limits are chosen, also beside counts, all together or by group. Which one is chance: by ward that
-- moves the deviation by 0.7 % in two of three runs.
SELECT dp.protect('stays', 9e9, limits => 'auto') \g /dev/null
SET ROLE regress_spreads_ana;
SELECT near(stddev(year), 8.94, 0.06) AS years FROM stays;
SELECT count(*) BETWEEN 49000 AND 51000 AS some, near(stddev(year), 8.94, 0.06) AS years, near(sum(year), 100249535) AS sum FROM stays;
SELECT ward, count(*) BETWEEN 24000 AND 26000 AS some, near(stddev(year), 8.94, 0.06) AS years FROM stays GROUP BY ward ORDER BY ward;
SELECT ward, near(stddev(year), 8.94, 0.06) AS years FROM stays GROUP BY ward ORDER BY ward;
RESET ROLE;
-- Too few rows to find one: that is said, and no number is shown. Beside many in another group as well.
SELECT dp.protect('stays', 9e9, answer_epsilon => 0.001) \g /dev/null
SET ROLE regress_spreads_ana;
SELECT stddev(cost) AS deviation, variance(weight) AS variance, sqrt(var_pop(year)) AS root FROM stays WHERE id < 500;
SELECT dp_stddev(year, '-infinity', 'infinity', CASE WHEN true THEN 500 END) BETWEEN 8 AND 10 AS enough FROM stays;
RESET ROLE;
SET dp.allow_drop = on;
DROP OWNED BY regress_spreads_ana;
DROP ROLE regress_spreads_ana;
