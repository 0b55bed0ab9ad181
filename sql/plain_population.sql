-- var_pop and stddev_pop: as PostgreSQL's, with few rows, where the form of a sample differs; charged, kept and relaxed as the others.
CALL own_schema('plain_population');
SET client_min_messages = error;
CREATE TABLE few (id int PRIMARY KEY, age int NOT NULL, cost numeric, share float8, small smallint, r real, big bigint);
INSERT INTO few SELECT i, 10 * i, i * 7.5, i / 8.0, i, i * i, i * 100 FROM generate_series(1, 5) i;
INSERT INTO few VALUES (6, 60, NULL, NULL, NULL, NULL, NULL);
CREATE ROLE regress_population_ana;
SELECT dp.protect('few', 1e9), dp.grant_budget('few', 'regress_population_ana', 1e9, allow_leaks => true);
SELECT dp.declare_range('few', c, 0, upper) FROM (VALUES ('age', 100), ('cost', 50), ('share', 1), ('small', 10), ('r', 30), ('big', 1000)) AS v (c, upper);
CREATE VIEW spreads AS
SELECT var_pop(age) AS age, var_pop(cost) AS cost, var_pop(share) AS share, var_pop(small) AS small, var_pop(r) AS r, var_pop(big) AS big,
    stddev_pop(age) AS d_age, stddev_pop(cost) AS d_cost, stddev_pop(share) AS d_share, stddev_pop(small) AS d_small, stddev_pop(r) AS d_r, stddev_pop(big) AS d_big FROM few;
SELECT round(age, 1) AS age, round(cost, 1) AS cost, round(share::numeric, 2) AS share, round(small, 1) AS small, round(r::numeric, 1) AS r, round(big, -2) AS big,
    round(d_age, 2) AS d_age, round(d_cost, 2) AS d_cost, round(d_share::numeric, 2) AS d_share, round(d_small, 2) AS d_small, round(d_r::numeric, 2) AS d_r, round(d_big, 1) AS d_big FROM spreads;
SET ROLE regress_population_ana;
SET dp.epsilon = 1e6;
SELECT round(age, 1) AS age, round(cost, 1) AS cost, round(share::numeric, 2) AS share, round(small, 1) AS small, round(r::numeric, 1) AS r, round(big, -2) AS big,
    round(d_age, 2) AS d_age, round(d_cost, 2) AS d_cost, round(d_share::numeric, 2) AS d_share, round(d_small, 2) AS d_small, round(d_r::numeric, 2) AS d_r, round(d_big, 1) AS d_big
FROM (SELECT var_pop(age) AS age, var_pop(cost) AS cost, var_pop(share) AS share, var_pop(small) AS small, var_pop(r) AS r, var_pop(big) AS big,
    stddev_pop(age) AS d_age, stddev_pop(cost) AS d_cost, stddev_pop(share) AS d_share, stddev_pop(small) AS d_small, stddev_pop(r) AS d_r, stddev_pop(big) AS d_big FROM few) AS answers;
SELECT pg_typeof(var_pop(age)), pg_typeof(var_pop(share)), pg_typeof(stddev_pop(cost)), pg_typeof(stddev_pop(r)) FROM few;
-- By name, with all types of values; beside the forms of a sample; one row
SELECT round(dp_var_pop(age, 0, 100, 1e6)::numeric, 1) AS pop, round(dp_variance(age, 0, 100, 1e6)::numeric, 1) AS sample,
    round(dp_stddev_pop(cost, 0, 100, 1e6, 'laplace')::numeric, 1) AS pop, round(dp_stddev(cost, 0, 100, 1e6)::numeric, 1) AS sample, round(dp_var_pop(big, 0, 1000)::numeric, -2) AS big FROM few;
SELECT round(dp_var_pop(age, 0, 100, 1e6)::numeric, 1) AS one FROM few WHERE id = 1;
SELECT dp_var_pop(age, 0.5) FROM few;
-- An interval for each, and a better answer for the difference
SELECT dp_var_pop(age, 0, 100, 1000), dp_stddev_pop(age, 0, 100, 1000) FROM few \gset first_
SELECT aggregate, answer::float8 BETWEEN lower::float8 AND upper::float8 AS inside, round(upper::numeric) - round(lower::numeric) < 200 AS narrow FROM dp_errors(dp_last_release()) ORDER BY 1;
SELECT aggregate, round(answer::numeric) AS better FROM dp_relax_release(dp_last_release(), 1e5) AS r (group_key, aggregate, answer, epsilon) ORDER BY 1;
RESET ROLE;
SELECT dp.unprotect('few');
DROP SCHEMA plain_population CASCADE;
DROP OWNED BY regress_population_ana;
DROP ROLE regress_population_ana;
