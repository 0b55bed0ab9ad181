-- SET dp.round = on: numbers rounded to what is known of them, and no groups of which nothing is.
CALL own_schema('answer_rounded');
SET client_min_messages = error;
CREATE ROLE regress_rounded_ana;
CREATE TABLE visits AS
    SELECT i AS patient, i % 5 AS ward, i * 37 % 1000 AS cost, i % 2 = 0 AS urgent FROM generate_series(1, 300000) AS i WHERE i % 5 < 4 OR i < 20;
CREATE TABLE exact AS TABLE visits;
SELECT dp.protect('visits', 1e9, privacy_unit => 'patient', max_rows_per_unit => 1) \g /dev/null
SELECT dp.declare_range('visits', 'cost', 0, 1000), dp.declare_values('visits', 'ward', 0, 1, 2, 3, 4, 5) \g /dev/null
SELECT dp.grant_budget('visits', 'regress_rounded_ana', 1e9, allow_leaks => true) \g /dev/null
GRANT SELECT ON exact TO regress_rounded_ana;

-- To the first digit of the error. What says nothing is left as it is.
SELECT dp_rounded(1234567::bigint, 2345) AS whole, dp_rounded(1234.5678, 0.05) AS numeric, dp_rounded(1234.5678::float8, 0.05) AS float,
    dp_rounded(-1234567::bigint, 1000) AS negative, dp_rounded(7::bigint, 1e30) AS nothing;
SELECT dp_rounded(NULL::bigint, 3) AS none, dp_rounded(5::bigint, NULL) AS unknown, dp_rounded(1234.5678, 0) AS exact, dp_rounded(5.5, 'Infinity') AS infinite,
    dp_rounded(5.5, 'NaN') AS nan, dp_rounded('NaN'::float8, 3) AS not_a_number, dp_rounded('-Infinity'::float8, 3) AS endless,
    dp_rounded(9223372036854775807, 1e18) AS most, dp_rounded(7, 1e-300::float8) = 7 AS fine;

-- At epsilon 0.1 counts are known to 29, so to tens; sums to 29,000.
SET ROLE regress_rounded_ana;
SET dp.epsilon = 0.1;
CREATE FUNCTION pg_temp.is_round(number numeric, unit numeric) RETURNS boolean LANGUAGE sql RETURN number % unit = 0;
SELECT pg_temp.is_round(count(*), 10) AND pg_temp.is_round(sum(cost)::numeric, 10000) AS by_chance_or_so FROM visits;
SET dp.round = on;
CREATE TEMP TABLE shown AS SELECT ward, count(*) AS n, sum(cost) AS sum, dp_error(count(*)) BETWEEN 10 AND 99 AS tens, count(*) * 1.5 AS computed FROM visits GROUP BY ward;
SELECT bool_and(pg_temp.is_round(n, 10)) AS counts, bool_and(pg_temp.is_round(sum::numeric, 1000)) AS sums, bool_and(tens) AS tens FROM shown;
-- A group within its error is not shown: at a large epsilon that is one of nobody. Its count says so, and not a sum.
SET dp.epsilon = 1e6;
SELECT ward, count(*), sum(cost) > 0 AS some FROM visits GROUP BY ward ORDER BY ward;
SELECT ward, count(*) > 0 AS some, sum(cost * 0) AS sum FROM visits GROUP BY ROLLUP (ward) ORDER BY ward;
SELECT count(*) FROM visits WHERE ward = 5;
SELECT ward, count(*) * 2 AS computed FROM visits GROUP BY ward HAVING count(*) < 10 ORDER BY ward;
SET dp.epsilon = 0.1;
CREATE TEMP TABLE private AS SELECT dp_count('*', 0.1) AS n, dp_median(cost, 0, 1000, 0.1) AS median FROM visits;
SELECT n % 10 AS n, median BETWEEN 300 AND 700 AS median FROM private;
-- Where nothing is rounded the level is asked as it stands, also apart.
SET dp.epsilon = 1e6;
SELECT ward, count(*) + 0 AS n, percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) > 0 AS median FROM visits GROUP BY ROLLUP (ward) HAVING count(*) > 0 ORDER BY ward;
SET dp.epsilon = 0.1;
-- What is made of an answer is made of all of it; no error, no rounding; not what something else reads, and nobody else's statements.
SELECT min(cost), max(cost), (SELECT count(*) FROM exact WHERE ward = 4) AS public FROM visits;
SELECT count(*) FROM exact;
SELECT bool_or(n % 10 <> 0) AS as_released FROM (SELECT ward, count(*) AS n FROM visits GROUP BY ward) AS v;
PREPARE counted AS SELECT count(*) AS n FROM visits;
CREATE TEMP TABLE first AS EXECUTE counted;
SELECT n % 10 AS rounded FROM first;
EXPLAIN (COSTS OFF) EXECUTE counted;
SELECT role, epsilon FROM dp.cost('SELECT ward, count(*) FROM visits GROUP BY ward');
RESET dp.round;
RESET ROLE;
-- For a role.
ALTER ROLE regress_rounded_ana SET dp.round = on;
ALTER ROLE regress_rounded_ana RESET ALL;
SET dp.round = 'perhaps';
SELECT dp.unprotect('visits') \g /dev/null
DROP OWNED BY regress_rounded_ana;
DROP ROLE regress_rounded_ana;
