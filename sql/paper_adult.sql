-- The same promises on real data: 48,842 people of the 1994 US Census.
CALL own_schema('paper_adult');
\set ON_ERROR_STOP on
\getenv folder PG_ABS_SRCDIR
\set adult :folder '/test/support/adult.sql'
\i :adult
ANALYZE adult;
SELECT dp_count('*', 1e6) = count(*) AS rows, dp_count(workclass, 1e6) = count(workclass) AS workclasses,
       dp_count(DISTINCT native_country, 1e6) = count(DISTINCT native_country) AS countries,
       dp_sum(age, 20, 60, 1e6) = sum(clamp(age, 20, 60)) AS age, dp_sum(fnlwgt, 0, 1e6, 1e6) = sum(clamp(fnlwgt, 0, 1e6)) AS weight,
       near(dp_avg(capital_loss, 0, 2000, 1e6), avg(clamp(capital_loss, 0::numeric, 2000))::float8) AS loss,
       near(dp_variance(hours_per_week, 0, 60, 1e6), variance(clamp(hours_per_week, 0, 60))) AS hours FROM adult;
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT income, dp_count('*', 1e6) = count(*) AS rows, near(dp_avg(hours_per_week, 0, 60, 1e6), avg(clamp(hours_per_week, 0, 60))) AS hours,
       near(dp_stddev(age, 0, 90, 1e6), stddev(clamp(age, 0, 90))) AS age FROM adult GROUP BY income ORDER BY income;
SELECT dp_histogram(age, 0, 100, 5, 1e6) = ARRAY[count(*) FILTER (WHERE age < 20), count(*) FILTER (WHERE age >= 20 AND age < 40),
       count(*) FILTER (WHERE age >= 40 AND age < 60), count(*) FILTER (WHERE age >= 60 AND age < 80), count(*) FILTER (WHERE age >= 80)] AS ages FROM adult;
SELECT dp_histogram(sex, ARRAY['Male', 'Female'], 1e6) = ARRAY[count(*) FILTER (WHERE sex = 'Male'), count(*) FILTER (WHERE sex = 'Female')] AS sexes FROM adult;
DROP TABLE adult;
