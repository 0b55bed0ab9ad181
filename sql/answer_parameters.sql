-- A wrong parameter is an error that names it, before any row is read: the table has a value that fails when it is read.
CALL own_schema('answer_parameters');
CREATE VIEW trap AS SELECT 1 / (age - age) AS x, age, cost, ward, (CASE WHEN id > 0 THEN 'auto' END)::dp_mechanism AS m FROM visits;

-- epsilon
SELECT dp_count(x, NULL) FROM trap;
SELECT dp_count(x, 0) FROM trap;
SELECT dp_count(x, -1) FROM trap;
SELECT dp_count(x, 'NaN') FROM trap;
SELECT dp_count(x, 'Infinity') FROM trap;
SELECT dp_count(x, 1e-300) FROM trap;
SELECT dp_count(x, 1e308) FROM trap;
SELECT dp_count(x, 0.9e-9) FROM trap;
SELECT dp_count(x, 1000000.1) FROM trap;
SELECT dp_count(x, cost) FROM trap;
SELECT dp_count(x, CASE WHEN ward = 'a' THEN 1e6 ELSE 0.1 END) FROM trap;
SELECT dp_count(x, (SELECT 1.0)) FROM trap;
SELECT dp_count(x, random()) FROM trap;
SELECT (SELECT dp_count(x, o.id) FROM trap) FROM visits o;
SELECT ward, dp_count(x, 0) FROM trap GROUP BY ward;
PREPARE p(float8) AS SELECT dp_count(x, $1) FROM trap;
EXECUTE p(0);
EXECUTE p(NULL);
SET plan_cache_mode = force_generic_plan;
EXECUTE p(-1);
RESET plan_cache_mode;

-- dp_count(*) and its setting
SELECT dp_count(*) FROM trap;
SET dp.epsilon = -1;
SET dp.epsilon = 'NaN';
SET dp.epsilon = 2000000;
SET dp.epsilon = 1e-12;
SELECT dp_count(*) FROM trap;
RESET dp.epsilon;

-- Without rows and without values parameters are checked all the same.
SELECT dp_count(age, 0) FROM visits WHERE false;
SELECT dp_sum(age, 1, 1, 1) FROM visits WHERE false;

-- bounds
SELECT dp_sum(x, 1, 1, 1) FROM trap;
SELECT dp_avg(x, 2, 1, 1) FROM trap;
SELECT dp_avg(x, 'NaN', 1, 1) FROM trap;
SELECT dp_variance(x, 0, 'NaN', 1) FROM trap;
SELECT dp_sum(x, NULL, 1, 1) FROM trap;
SELECT dp_sum(x, 0, age, 1) FROM trap;
SELECT dp_sum(x, (SELECT min(age) FROM visits), 10, 1) FROM trap;
SELECT dp_sum(x, 0.1, 0.2, 1) FROM trap;
SELECT dp_avg(x, 0.6, 1.4, 1) FROM trap;
SELECT dp_sum(x::float8, 0, 1e-320, 1) FROM trap;
SELECT dp_avg(x::float8, -1e308, 1e308, 1) FROM trap;

-- buckets and categories
SELECT dp_histogram(x, 0, 10, 0, 1) FROM trap;
SELECT dp_histogram(x, 0, 10, -1, 1) FROM trap;
SELECT dp_histogram(x, 0, 10, 1000000000, 1) FROM trap;
SELECT dp_histogram(x, 0, 10, NULL, 1) FROM trap;
SELECT dp_histogram(x, 0, 10, age, 1) FROM trap;
SELECT dp_histogram(x, 10, 0, 5, 1) FROM trap;
SELECT dp_histogram(x, 'NaN', 0, 5, 1) FROM trap;
SELECT dp_histogram(x, ARRAY[]::int[], 1) FROM trap;
SELECT dp_histogram(x, ARRAY[1, 2, 1], 1) FROM trap;
SELECT dp_histogram(x, ARRAY[1, NULL], 1) FROM trap;
SELECT dp_histogram(x, NULL::int[], 1) FROM trap;
SELECT dp_histogram(x, ARRAY[age], 1) FROM trap;
SELECT dp_histogram(x, ARRAY[1], 0) FROM trap;
SELECT dp_histogram(xml '<a/>', ARRAY[xml '<a/>'], 1) FROM trap;

-- mechanisms
SELECT dp_count(x, 1, 'loplace') FROM trap;
SELECT dp_count(x, 1, 'gaussian(delta=0)') FROM trap;
SELECT dp_count(x, 1, NULL) FROM trap;
SELECT dp_count(x, 1, m) FROM trap;
SELECT dp_count(x, 1, 'none'::text) FROM trap;

-- what aggregates do not do here
SELECT dp_sum(x, 0, 1, 1 ORDER BY x) FROM trap;
SELECT dp_count(x, 1) OVER () FROM trap;
SELECT dp_sum(x, 0, 1, 1) OVER (ORDER BY age) FROM trap;
SELECT dp_count(x, 1) WITHIN GROUP (ORDER BY age) FROM trap;
SELECT dp_sum(ward, 0, 1, 1) FROM trap;

-- EXPLAIN checks, too, and reads nothing.
EXPLAIN (COSTS OFF) SELECT dp_count(x, 0) FROM trap;

-- The trap works: with right parameters the row is read and fails.
SELECT dp_count(x, 1) FROM trap;
DROP VIEW trap;
