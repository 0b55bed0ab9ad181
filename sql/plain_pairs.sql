-- corr, covar_samp, regr_slope and the like over protected tables: all that is asked of the same pairs is one release. At epsilon 1e6
-- answers are exact.
CALL own_schema('plain_pairs');
SET client_min_messages = warning;
CREATE TABLE stay (id int PRIMARY KEY, ward text NOT NULL, age int NOT NULL, cost numeric(8,2), days int, open int);
INSERT INTO stay SELECT i, (ARRAY['a', 'b', 'c'])[1 + i % 3], i % 100, CASE WHEN i % 7 > 0 THEN i % 100 / 2.0 + i * 13 % 40 END, CASE WHEN i % 5 > 0 THEN i % 100 / 4 END, i
    FROM generate_series(1, 3000) i;
CREATE TABLE visit (id int PRIMARY KEY, person int NOT NULL, ward text NOT NULL, cost int NOT NULL, age int NOT NULL);
INSERT INTO visit SELECT i, i / 3, (ARRAY['a', 'b'])[1 + i % 2], i % 100, i % 50 FROM generate_series(1, 600) i;
CREATE ROLE regress_pairs_ana;
GRANT CREATE ON SCHEMA plain_pairs TO regress_pairs_ana;
SELECT dp.protect('stay', 9e9, 1e-3, answer_epsilon => 1e6), dp.grant_budget('stay', 'regress_pairs_ana', 9e9, 1e-3, allow_leaks => true);
SELECT dp.protect('visit', 9e9, privacy_unit => 'person', max_rows_per_unit => 4, answer_epsilon => 1e6),
       dp.grant_budget('visit', 'regress_pairs_ana', 9e9, allow_leaks => true);
SELECT dp.declare_values('stay', 'ward', 'a', 'b', 'c'), dp.declare_range('stay', 'age', 0, 110), dp.declare_range('stay', 'cost', 0, 100),
       dp.declare_range('stay', 'days', 0, 50), dp.declare_values('visit', 'ward', 'a', 'b'), dp.declare_range('visit', 'cost', 0, 100), dp.declare_range('visit', 'age', 0, 50);
CREATE FUNCTION prices(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE line text; price numeric; shared text := '';
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || statement LOOP
        IF line LIKE '%Epsilon:%' THEN price := coalesce(price, 0) + substring(line FROM 'Epsilon: ([0-9.]+)')::numeric; END IF;
        IF line LIKE '%One Release:%' THEN shared := shared || ' of ' || substring(line FROM 'One Release: (.*)'); END IF;
    END LOOP;
    RETURN round(price / 1e6, 3)::float8 || shared;
END $$;
GRANT EXECUTE ON FUNCTION prices TO regress_pairs_ana;
SET ROLE regress_pairs_ana;

EXPLAIN (COSTS OFF) SELECT corr(cost, age), regr_slope(cost, age), regr_count(cost, age) FROM stay;
EXPLAIN (COSTS OFF) SELECT covar_pop(cost, age), regr_count(cost, age), count(*) FROM stay;
EXPLAIN (COSTS OFF) SELECT corr(cost, age) FROM stay WHERE ward = 'a';
SELECT epsilon FROM dp.cost('SELECT corr(cost, age), regr_slope(cost, age), regr_count(cost, age) FROM stay');
SELECT dp.private_form('SELECT ward, corr(cost, days), covar_samp(cost, days) FROM stay GROUP BY ward');
-- How many prices, and what is one release: also with the columns exchanged, but for slopes.
SELECT prices(format('SELECT %s FROM stay', list)), list FROM unnest(ARRAY[
    'corr(cost, age)', 'corr(cost, age), corr(age, cost)', 'corr(cost, age), regr_avgx(age, cost), regr_slope(cost, age)', 'regr_slope(cost, age), regr_slope(age, cost)',
    'corr(cost, age), corr(cost, days)', 'covar_pop(cost, age), covar_samp(cost, age), regr_sxy(cost, age)', 'corr(cost, age), count(*)', 'corr(cost, age), avg(cost)',
    'count(*), avg(cost), corr(cost, age)', 'corr(cost, age), corr(cost, age) FILTER (WHERE days > 3)', 'count(*) FILTER (WHERE days > 3), corr(cost, age) FILTER (WHERE days > 3)',
    'corr(cost, age) FILTER (WHERE ward = ''a''), corr(cost, age) FILTER (WHERE ward = ''b'')']) list;

-- Each beside the plain one.
CREATE TABLE answers AS SELECT ward, count(*) AS n, regr_count(cost, days) AS pairs, regr_avgx(cost, days) AS avgx, regr_avgy(cost, days) AS avgy, regr_sxx(cost, days) AS sxx,
    regr_syy(cost, days) AS syy, regr_sxy(cost, days) AS sxy, covar_pop(cost, days) AS pop, covar_samp(cost, days) AS samp, corr(cost, days) AS corr, regr_r2(cost, days) AS r2,
    regr_slope(cost, days) AS slope, regr_intercept(cost, days) AS intercept, covar_pop(days, cost) AS turned, corr(2 * age, days / 2.0) AS computed,
    corr(cost, age) FILTER (WHERE days > 10) AS filtered FROM stay GROUP BY ward HAVING corr(cost, days) > 0;
SELECT pg_typeof(pairs), pg_typeof(corr), pg_typeof(avgx) FROM answers LIMIT 1;
RESET ROLE;
CREATE TABLE exact AS SELECT ward, count(*) AS n, regr_count(cost, days) AS pairs, regr_avgx(cost, days) AS avgx, regr_avgy(cost, days) AS avgy, regr_sxx(cost, days) AS sxx,
    regr_syy(cost, days) AS syy, regr_sxy(cost, days) AS sxy, covar_pop(cost, days) AS pop, covar_samp(cost, days) AS samp, corr(cost, days) AS corr, regr_r2(cost, days) AS r2,
    regr_slope(cost, days) AS slope, regr_intercept(cost, days) AS intercept, covar_pop(days, cost) AS turned, corr(2 * age, days / 2.0) AS computed,
    corr(cost, age) FILTER (WHERE days > 10) AS filtered FROM stay GROUP BY ward HAVING corr(cost, days) > 0;
SELECT e.ward, e.key, a.value AS answer, e.value AS exact FROM (SELECT ward, j.* FROM exact, jsonb_each_text(to_jsonb(exact)) j) e
    JOIN (SELECT ward, j.* FROM answers, jsonb_each_text(to_jsonb(answers)) j) a USING (ward, key)
    WHERE e.key <> 'ward' AND (a.value IS NULL OR abs(a.value::float8 - e.value::float8) > 1e-3 * greatest(abs(e.value::float8), 1)) ORDER BY 1, 2;
SELECT count(*) FROM answers;
SET ROLE regress_pairs_ana;

-- Errors, of single ones and of what is read off one vector; without digits that say nothing; subqueries and parameters.
SET dp.epsilon = 1;
SELECT dp_error(corr(cost, age)) BETWEEN 0.001 AND 0.1 AS corr, dp_error(regr_slope(cost, age)) BETWEEN 0.001 AND 0.1 AS slope, dp_error(regr_count(cost, age)) AS pairs,
       dp_error(count(*)) AS n, dp_error(regr_count(cost, age), 0.5) AS half FROM stay;
SELECT dp_error(corr(cost, age)) BETWEEN 0.001 AND 0.1 AS alone, dp_error(covar_pop(cost, age), 0.9999) IS NOT NULL AS sure FROM stay;
SELECT dp_error(dp_corr(cost, age, 0, 100, 0, 110, 0.5)) BETWEEN 0.001 AND 0.1 AS called, dp_error((dp_regression(cost, age, 0, 100, 0, 110, 0.5)).slope) BETWEEN 0.001 AND 0.1 AS field FROM stay;
SELECT dp_error(corr(cost, age)) > 0.15 AS hardly_any FROM stay WHERE age = 7 AND days = 1;
RESET dp.epsilon;
SET dp.round = on;
SELECT round(corr(cost, age)::numeric, 2) AS corr, regr_count(cost, age) FROM stay;
RESET dp.round;
PREPARE older(int) AS SELECT regr_count(cost, age), round(regr_slope(cost, age)::numeric, 2) AS slope FROM stay WHERE age > $1;
EXECUTE older(50);
SELECT ward, round(c::numeric, 2) AS corr FROM (SELECT ward, corr(cost, age) AS c FROM stay GROUP BY ward) s WHERE c > 0.5 ORDER BY ward;
-- What lacks bounds or epsilon is completed.
SELECT round(dp_corr(cost, age)::numeric, 2) AS corr, (dp_regression(cost, age)).count, dp_regr_count(cost, age, 0, 100, 0, 110) FROM stay;
-- Bounds by conditions; no rows.
SELECT round(regr_avgx(age, open)::numeric, 1) AS avgx FROM stay WHERE open BETWEEN 1 AND 100;
SELECT regr_count(cost, age), corr(cost, age) BETWEEN -1 AND 1 AS corr, regr_avgx(cost, age) BETWEEN 0 AND 110 AS avgx FROM stay WHERE ward = 'nowhere';

-- A person with several rows: so many, chosen at random.
EXPLAIN (COSTS OFF) SELECT corr(cost, age), regr_count(cost, age) FROM visit;
SELECT regr_count(cost, age), abs(corr(cost, age) - 0.49) < 0.05 AS corr FROM visit;
SELECT ward, regr_count(cost, age) FROM visit GROUP BY ward ORDER BY ward;

-- What is refused.
SELECT corr(cost, open) FROM stay;
SELECT covar_pop(open, cost) FROM stay;
SELECT dp_regr_slope(cost, open) FROM stay;
SELECT corr(DISTINCT cost, age) FROM stay;
SET dp.mechanism = 'staircase';
EXPLAIN (COSTS OFF) SELECT corr(cost, age), regr_count(cost, age) FROM stay;
RESET dp.mechanism;
RESET ROLE;
SELECT dp.protect('visit', 9e9, privacy_unit => 'person', limits => 'auto', answer_epsilon => 1e6);
SET ROLE regress_pairs_ana;
SELECT corr(cost, age) FROM visit;
RESET ROLE;

-- Stored answers: what a vector says besides costs nothing; what is asked at more is relaxed.
SELECT dp.protect('stay', 9e9, 1e-3, answer_epsilon => 1e6, reuse => '1 day');
SET ROLE regress_pairs_ana;
SELECT count(*) FROM (SELECT corr(cost, age), regr_slope(cost, age) FROM stay WHERE days > 2) s;
SELECT q, (SELECT epsilon FROM dp.cost(q) WHERE role IS NOT NULL) FROM (VALUES
    ('SELECT corr(cost, age), regr_slope(cost, age) FROM stay WHERE days > 2'), ('SELECT regr_intercept(cost, age) FROM stay WHERE days > 2'),
    ('SELECT covar_pop(cost, age), regr_count(cost, age) FROM stay WHERE days > 2'), ('SELECT count(*) FROM stay WHERE days > 2'), ('SELECT corr(cost, days) FROM stay WHERE days > 2'),
    ('SELECT dp_corr(cost, age, 0, 100, 0, 110, 1e6) FROM stay WHERE days > 2'), ('SELECT dp_corr(cost, age, 0, 100, 0, 90, 1e6) FROM stay WHERE days > 2'),
    ('SELECT dp_corr(cost, age, 0, 100, 0, 110, 1e6) FILTER (WHERE age > 3) FROM stay WHERE days > 2')) AS v (q);
SELECT round(regr_slope(cost, age)::numeric, 2) AS slope, regr_count(cost, age) FROM stay WHERE days > 2;
SELECT regr_count(cost, age), round(regr_slope(cost, age)::numeric, 2) AS slope FROM (SELECT * FROM stay WHERE days > 2) s;
-- Relaxed, and with intervals.
SET dp.epsilon = 1e5;
SELECT count(*) FROM (SELECT corr(cost, age), regr_count(cost, age) FROM stay WHERE days > 3) s;
SELECT left(aggregate, 22) AS aggregate, answer ->> 'count' AS pairs, round((answer ->> 'corr')::numeric, 3) AS corr, epsilon FROM dp_relax_release(dp_last_release(), 1e6);
SELECT count(*) FROM (SELECT regr_slope(cost, age) FROM stay WHERE days > 4) s;
SELECT lower::float8 <= answer::float8 AND answer::float8 <= upper::float8 AS within FROM dp_errors(dp_last_release());
RESET dp.epsilon;
RESET ROLE;
SELECT regr_count(cost, age), round(regr_slope(cost, age)::numeric, 2) AS slope FROM stay WHERE days > 2;
DROP OWNED BY regress_pairs_ana CASCADE;
DROP ROLE regress_pairs_ana;
