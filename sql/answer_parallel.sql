-- Two workers: partial states, shipped and combined, give the same integers; an empty input has none.
CALL own_schema('answer_parallel');
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;

EXPLAIN (COSTS OFF) SELECT dp_count('*', 1e6), dp_avg(cost, 0, 100, 1e6) FROM many;

SELECT dp_count('*', 1e6), dp_sum(age, 0, 100, 1e6) = sum(clamp(age, 0, 100)) AS sum,
       near(dp_avg(cost, 0, 100, 1e6), avg(clamp(cost, 0, 100))) AS avg,
       near(dp_variance(price, 0, 100, 1e6), variance(clamp(price, 0, 100))::float8) AS variance FROM many;
SET dp.epsilon = 1e6;
SELECT dp_count(*) FROM many;
RESET dp.epsilon;
SELECT dp_histogram(age, 0, 100, 4, 1e6), dp_histogram(ward, ARRAY['b', 'a'], 1e6, 'gaussian(delta=1e-6)') FROM many;
SELECT ward, dp_count('*', 1e6), near(dp_stddev(age, 0, 100, 1e6), stddev(clamp(age, 0, 100))::float8) AS stddev
FROM many GROUP BY ward ORDER BY ward;

SELECT dp_count('*', 1e6), dp_sum(age, 0, 10, 1e6), dp_sum(price, 0, 16, 1e6), dp_avg(cost, 0, 10, 1e6), dp_variance(cost, 0, 10, 1e6),
       dp_histogram(cost, 0, 10, 2, 1e6), dp_histogram(ward, ARRAY['a'], 1e6) FROM many WHERE id < 0;

-- Parameters reach the Finalize node, which no longer has them, and are refused there before any row is read.
PREPARE p(float8, dp_mechanism) AS SELECT dp_count(age, $1, $2) FROM many;
SET plan_cache_mode = force_generic_plan;
EXECUTE p(1e6, 'staircase');
EXECUTE p(0, 'staircase');
RESET plan_cache_mode;

-- An InitPlan with aggregates of its own above the partial ones, and one below Append.
SELECT dp_count('*', 1e6) FROM many WHERE id <= (SELECT dp_count('*', 1e6) / 2 FROM visits);
CREATE TABLE halves (id int, x int8) PARTITION BY RANGE (id);
CREATE TABLE halves_1 PARTITION OF halves FOR VALUES FROM (0) TO (500);
CREATE TABLE halves_2 PARTITION OF halves FOR VALUES FROM (500) TO (2000);
INSERT INTO halves SELECT id, large FROM many;
ANALYZE halves;
SET enable_partitionwise_aggregate = on;
SELECT dp_count('*', 1e6), dp_sum(x, 0, 100, 1e6) = (SELECT sum(clamp(large, 0, 100)) FROM many) AS sum FROM halves;
SELECT id / 400 AS part, dp_count('*', 1e6) FROM halves GROUP BY 1 ORDER BY 1;
SELECT dp_count('*', 1e6) FROM halves WHERE id < (SELECT 100);
DROP TABLE halves;

-- Answers computed in workers: every branch draws its own noise.
SELECT count(DISTINCT n) > 1 AS differ FROM (
    SELECT dp_count('*', 0.0001) AS n FROM many UNION ALL SELECT dp_count('*', 0.0001) FROM many
    UNION ALL SELECT dp_count('*', 0.0001) FROM many) u;
