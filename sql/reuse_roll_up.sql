-- A question by fewer keys than a stored answer is answered by the sums of its groups, for nothing: where each row is in one of these
-- groups. Counts at 1e6 are exact, at tiny epsilons never the same by chance.
CALL own_schema('reuse_roll_up');
SET client_min_messages = warning;
CREATE ROLE regress_roll_ana;
CREATE ROLE regress_roll_ben;
CREATE TYPE mood AS ENUM ('low', 'high');
CREATE TABLE stay (id int PRIMARY KEY, ward text, age int NOT NULL, cost numeric NOT NULL, admitted date NOT NULL, feels mood NOT NULL);
INSERT INTO stay SELECT i, (ARRAY['a', 'b', 'b', 'c', NULL])[1 + i % 5], i % 100, i % 50, '2024-01-01'::date + i % 91, (ARRAY['low', 'high'])[1 + i % 2]::mood
    FROM generate_series(0, 3999) i;
SELECT dp.protect('stay', 1e9, answer_epsilon => 1e6, reuse => '1 day');
SELECT dp.grant_budget('stay', r, 1e9, allow_leaks => true) FROM unnest(ARRAY['regress_roll_ana', 'regress_roll_ben']::regrole[]) r;
SELECT dp.declare_values('stay', 'ward', 'a', 'b', 'c');
SELECT dp.declare_range('stay', 'cost', 0, 50), dp.declare_range('stay', 'age', 0, 100), dp.declare_range('stay', 'admitted', '2024-01-01', '2024-03-31');
CREATE TABLE plain AS SELECT * FROM stay;
GRANT SELECT ON plain TO regress_roll_ana;
CREATE TABLE seen_charges (seq bigint);
CREATE FUNCTION charged(OUT charges bigint, OUT epsilon numeric) RETURNS record LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    SELECT count(*), coalesce(sum(l.epsilon), 0) INTO charges, epsilon FROM dp.ledger l
    WHERE l.relation = 'reuse_roll_up.stay'::regclass AND l.seq > (SELECT coalesce(max(s.seq), 0) FROM reuse_roll_up.seen_charges s);
    INSERT INTO reuse_roll_up.seen_charges SELECT max(l.seq) FROM dp.ledger l;
END $$;
SET ROLE regress_roll_ana;

SELECT count(q) AS groups FROM (SELECT ward, date_trunc('month', admitted) AS month, feels, count(*) AS n, sum(cost) AS cost, avg(age) AS age,
    dp_histogram(age, 0, 100, 4, 1e6) AS ages, count(DISTINCT age) AS different, stddev(cost) AS spread, count(*) FILTER (WHERE age < 10) AS young
    FROM stay GROUP BY 1, 2, 3) q;
SELECT * FROM charged();
-- By some of its keys, in other orders, and by none; the same as those of the rows.
EXPLAIN (COSTS OFF) SELECT ward, count(*) FROM stay GROUP BY ward;
SELECT ward, count(*), round(sum(cost), 2) AS cost, round(avg(age), 3) AS age, round(stddev(cost), 3) AS spread, count(*) FILTER (WHERE age < 10) AS young FROM stay GROUP BY ward ORDER BY 1;
SELECT ward, count(*), round(sum(cost), 2) AS cost, round(avg(age), 3) AS age, round(stddev(cost), 3) AS spread, count(*) FILTER (WHERE age < 10) AS young FROM plain GROUP BY ward ORDER BY 1;
SELECT feels, date_trunc('month', admitted)::date AS month, count(*) FROM (SELECT feels, admitted FROM stay) s GROUP BY feels, date_trunc('month', admitted) ORDER BY 2, 1;
SELECT feels, date_trunc('month', admitted)::date AS month, count(*) FROM plain GROUP BY feels, date_trunc('month', admitted) ORDER BY 2, 1;
SELECT count(*), round(sum(cost), 1) AS cost, dp_histogram(age, 0, 100, 4, 1e6) FROM stay;
SELECT feels, count(*) FROM stay GROUP BY feels HAVING count(*) > 10 ORDER BY 2 DESC LIMIT 1;
SELECT * FROM charged();
SELECT DISTINCT kind, epsilon FROM dp.ledger WHERE role = 'regress_roll_ana'::regrole AND seq = 0;
-- A condition on keys: the groups that it leaves are summed.
SELECT ward, count(n) FROM (SELECT ward, feels, count(*) AS n FROM stay WHERE ward <> 'a' GROUP BY ward, feels) q GROUP BY ward ORDER BY 1;
SELECT * FROM charged();
SELECT feels, count(*) FROM stay WHERE ward <> 'a' GROUP BY feels ORDER BY 1;
SELECT feels, count(*) FROM plain WHERE ward <> 'a' GROUP BY feels ORDER BY 1;
SELECT * FROM charged();
-- Other rows, different values of several groups, another mechanism or epsilon, another limit: asked anew.
SELECT count(*) FROM stay WHERE ward <> 'b' AND age < 50;
SELECT count(DISTINCT age) FROM stay;
SELECT dp_count('*', 1e6, 'staircase') > 0 AS n FROM stay;
SELECT max(n) > 0 AS n FROM (SELECT age / 2, count(*) AS n FROM stay GROUP BY age / 2) q;
SELECT * FROM charged();
-- A young answer by these keys comes before, also where sums would be of a larger epsilon.
SELECT ward, dp_count('*', 1e-6) IS NOT NULL AS n FROM stay WHERE age < 30 GROUP BY ward ORDER BY 1;
SELECT count(n) FROM (SELECT ward, feels, dp_count('*', 1e-3) AS n FROM stay WHERE age < 30 GROUP BY ward, feels) q;
SELECT * FROM charged();
EXPLAIN (COSTS OFF) SELECT ward, dp_count('*', 1e-3) FROM stay WHERE age < 30 GROUP BY ward;
SET dp.keep_releases = 0;
SELECT ward, dp_count('*', 1e-6, 'geometric') IS NOT NULL AS n FROM stay WHERE age < 32 GROUP BY ward ORDER BY 1;
RESET dp.keep_releases;
SELECT count(n) FROM (SELECT ward, feels, dp_count('*', 1e-3, 'geometric') AS n FROM stay WHERE age < 32 GROUP BY ward, feels) q;
EXPLAIN (COSTS OFF) SELECT feels, dp_count('*', 1e-3, 'geometric') FROM stay WHERE age < 32 GROUP BY feels;
EXPLAIN (COSTS OFF) SELECT ward, dp_count('*', 1e-3, 'geometric') FROM stay WHERE age < 32 GROUP BY ward;
SELECT * FROM charged();
-- The error is that of the sum.
SELECT dp_error(dp_count('*', 1e-3)) AS of_eight, dp_error(dp_count('*', 1e-3), 0.5) AS half FROM stay WHERE age < 30;
SELECT DISTINCT dp_error(dp_count('*', 1e-3)) AS of_four FROM stay WHERE age < 30 GROUP BY feels;
SELECT DISTINCT dp_error(dp_count('*', 1e-3)) AS of_one FROM stay WHERE age < 30 GROUP BY ward, feels;
EXPLAIN (COSTS OFF) SELECT dp_count('*', 1e-3) FROM stay WHERE age < 30;
SELECT * FROM charged();
-- It is the sum: of the very answers that are shown.
SELECT (SELECT dp_count('*', 1e-3) FROM stay WHERE age < 30) = (SELECT sum(n) FROM (SELECT ward, feels, dp_count('*', 1e-3) AS n FROM stay WHERE age < 30 GROUP BY ward, feels) q) AS same;
SELECT * FROM charged();

-- In another time zone months are others.
SELECT count(q) FROM (SELECT date_trunc('month', admitted), feels, count(*) AS n FROM stay WHERE age < 31 GROUP BY 1, 2) q;
EXPLAIN (COSTS OFF) SELECT feels, count(*) FROM stay WHERE age < 31 GROUP BY feels;
SET TimeZone = 'UTC';
EXPLAIN (COSTS OFF) SELECT feels, count(*) FROM stay WHERE age < 31 GROUP BY feels;
RESET TimeZone;
SELECT * FROM charged();

-- Only who holds it.
SET ROLE regress_roll_ben;
SELECT count(*) FROM stay;
SELECT * FROM charged();
-- A parameter of another statement counts with its value.
SET ROLE regress_roll_ana;
SET plan_cache_mode = force_generic_plan;
PREPARE of(int) AS SELECT ward, age > $1 AS old, count(*) AS n FROM stay WHERE age < 55 GROUP BY 1, 2;
CREATE TEMP TABLE two AS EXECUTE of(20);
DEALLOCATE of;
RESET plan_cache_mode;
EXPLAIN (COSTS OFF) SELECT ward, count(*) FROM stay WHERE age < 55 GROUP BY ward;
SELECT * FROM charged();
-- Not when the values of a key, also of one that is not asked for, are not what they were: nothing is missing in the sum.
RESET ROLE;
SELECT dp.declare_values('stay', 'ward', 'd');
SET ROLE regress_roll_ana;
EXPLAIN (COSTS OFF) SELECT dp_count('*', 1e-3) FROM stay WHERE age < 30;
RESET ROLE;
SELECT dp.withdraw('stay', 'ward');
SELECT dp.declare_values('stay', 'ward', 'a', 'b', 'c');
SET ROLE regress_roll_ana;
SELECT count(n) FROM (SELECT date_trunc('month', admitted), feels, count(*) AS n FROM stay WHERE age < 70 GROUP BY 1, 2) q;
SELECT * FROM charged();
SELECT count(*) FROM stay WHERE age < 70;
SELECT * FROM charged();
RESET ROLE;
SELECT dp.declare_range('stay', 'admitted', '2024-01-01', '2024-02-15');
SET ROLE regress_roll_ana;
SELECT feels, count(*) FROM stay WHERE age < 70 GROUP BY feels ORDER BY 1;
SELECT * FROM charged();
SELECT count(n) FROM (SELECT ward, feels, count(*) AS n FROM stay WHERE age < 71 GROUP BY 1, 2) q;
RESET ROLE;
ALTER TYPE mood ADD VALUE 'none';
SET ROLE regress_roll_ana;
SELECT * FROM charged();
SELECT count(*) FROM stay WHERE age < 71;
SELECT * FROM charged();
-- Rows of one person may be in several groups, of which not all count: no sum.
RESET ROLE;
SELECT dp.protect('stay', 1e9, privacy_unit => 'age', max_rows_per_unit => 3, answer_epsilon => 1e6, reuse => '1 day');
SET ROLE regress_roll_ana;
SELECT count(n) FROM (SELECT ward, feels, count(*) AS n FROM stay GROUP BY 1, 2) q;
SELECT * FROM charged();
SELECT count(n) FROM (SELECT ward, count(*) AS n FROM stay GROUP BY 1) q;
SELECT count(*) FROM stay;
SELECT * FROM charged();
RESET ROLE;
DROP TABLE stay, plain, seen_charges;
DROP TYPE mood;
DROP OWNED BY regress_roll_ana, regress_roll_ben;
DROP ROLE regress_roll_ana, regress_roll_ben;
