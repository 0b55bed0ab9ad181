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

-- A person with several rows: all of them, at the weight of so many.
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

-- Each unit's own numbers, at the weight of the rows that may count, whatever they are: with one group, several that are known, several
-- that are chosen, and grouping sets; serially and with workers; rows without a pair count among the rows of whole vectors alone.
CREATE TABLE tour AS SELECT person, (ARRAY['a', 'b'])[1 + (person + i) % 2] AS ward, 'l' || person % 3 AS label, y, CASE WHEN (person + i) % 5 > 0 THEN CASE WHEN person % 6 > 2 THEN 59 - y ELSE y END / 2 END AS x
    FROM (SELECT p AS person, i, (p * 7 + i * i * (1 + p % 6)) % 60 AS y FROM generate_series(1, 300) p, generate_series(1, 1 + p % 6) i) tours;
SELECT dp.protect('tour', 9e9, 1e-3, privacy_unit => 'person', max_rows_per_unit => 2, group_epsilon => 1e6, group_delta => 1e-6, answer_epsilon => 1e6), dp.grant_budget('tour', 'regress_pairs_ana', 9e9, 1e-3, allow_leaks => true) \g /dev/null
SELECT dp.declare_range('tour', 'x', 0, 40), dp.declare_range('tour', 'y', 0, 60), dp.declare_values('tour', 'ward', 'a', 'b') \g /dev/null
-- A row has the weight 2/n of its unit's n rows.
CREATE TABLE weighed AS SELECT y::float8, x::float8, least(1, 2.0 / nullif(count(x) OVER (PARTITION BY person), 0)) AS w, least(1, 2.0 / count(*) OVER (PARTITION BY person)) AS of_rows FROM tour;
CREATE TABLE expected AS SELECT sum(w) AS n, sum(w * x) / sum(w) AS avgx, (sum(w * x * y) - sum(w * x) * sum(w * y) / sum(w)) / sqrt((sum(w * x * x) - sum(w * x) ^ 2 / sum(w)) * (sum(w * y * y) - sum(w * y) ^ 2 / sum(w))) AS corr,
    (sum(w * x * y) - sum(w * x) * sum(w * y) / sum(w)) / (sum(w * x * x) - sum(w * x) ^ 2 / sum(w)) AS slope FROM weighed WHERE x IS NOT NULL;
GRANT SELECT ON weighed, expected TO regress_pairs_ana;
SET ROLE regress_pairs_ana;
SELECT abs(a.corr - e.corr) < 0.001 AS corr, abs(a.slope - e.slope) < 0.001 AS slope, abs(a.avgx - e.avgx) < 0.01 AS avgx, abs(e.corr - (SELECT corr(y, x) FROM weighed)) > 0.01 AS weighed
    FROM (SELECT dp_corr(y, x, 0, 60, 0, 40, 1e6) AS corr, dp_regr_slope(y, x, 0, 60, 0, 40, 1e6) AS slope, dp_regr_avgx(y, x, 0, 60, 0, 40, 1e6) AS avgx FROM tour) a, expected e;
SELECT regr_count(y, x) = (SELECT round(n) FROM expected) AS pairs FROM tour;
SELECT (r).rows = (SELECT round(sum(of_rows)) FROM weighed) AS rows, abs((r).count - (SELECT sum(of_rows) FILTER (WHERE x IS NOT NULL) FROM weighed)) < 0.51 AS pairs FROM (SELECT dp_covariance(y, x, 0, 60, 0, 40, 1e6) AS r FROM tour) s;
SELECT (r).rows = (SELECT round(sum(of_rows)) FROM weighed) AS rows, abs((r).corr) < 1 AS corr, (r).corr_error < 0.001 AS error FROM (SELECT dp_regression(y, x, 0, 60, 0, 40, 1e6) AS r FROM tour) s;
SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0; SET max_parallel_workers_per_gather = 2;
SELECT abs(a.corr - e.corr) < 0.001 AS workers, (r).rows = (SELECT round(sum(of_rows)) FROM weighed) AS rows FROM (SELECT dp_corr(y, x, 0, 60, 0, 40, 1e6) AS corr, dp_regression(y, x, 0, 60, 0, 40, 1e6) AS r FROM tour) a, expected e;
RESET parallel_setup_cost; RESET parallel_tuple_cost; RESET min_parallel_table_scan_size; RESET max_parallel_workers_per_gather;
-- Of two groups together no more than all rows that may count.
SELECT count(*), sum(pairs) BETWEEN 0.9 * e.n AND e.n + 2 AS known FROM (SELECT ward, regr_count(y, x) AS pairs, corr(y, x) AS corr FROM tour GROUP BY ward) a, expected e GROUP BY e.n;
SELECT count(*), sum(pairs) BETWEEN 0.9 * e.n AND e.n + 2 AS sets FROM (SELECT ward, regr_count(y, x) AS pairs FROM tour GROUP BY ROLLUP (ward)) a, expected e WHERE ward IS NOT NULL GROUP BY e.n;
-- What several aggregates say together is of rows that may count, with a pair or not.
SELECT count(*), abs(sum(pairs) - (SELECT sum(of_rows) FILTER (WHERE x IS NOT NULL) FROM weighed)) < 2 AS chosen, bool_and(corr BETWEEN -1 AND 1) AS corr
    FROM (SELECT label, regr_count(y, x) AS pairs, corr(y, x) AS corr FROM tour GROUP BY label) a;
EXPLAIN (COSTS OFF) SELECT corr(y, x), dp_error(corr(y, x)) FROM tour;
SET dp.epsilon = 0.1;
SELECT dp_error(regr_count(y, x)) AS "for two rows" FROM tour;
SET dp.max_rows_per_unit = 1;
SELECT dp_error(regr_count(y, x)) AS "for one row" FROM tour;
RESET dp.max_rows_per_unit;
RESET dp.epsilon;
RESET ROLE;
-- Limits that are chosen: of all answers together, and by groups.
SELECT dp.protect('tour', 9e9, privacy_unit => 'person', limits => 'auto', answer_epsilon => 1e6) \g /dev/null
SET ROLE regress_pairs_ana;
EXPLAIN (COSTS OFF) SELECT corr(y, x) FROM tour;
SELECT abs(corr(y, x) - (SELECT corr(y, x) FROM weighed)) < 0.1 AS corr, dp_error(corr(y, x)) < 0.001 AS error FROM tour;
SELECT regr_count(y, x) = (SELECT count(x) FROM weighed) AS pairs FROM tour;
SELECT ward, regr_count(y, x) > 300 AS pairs, corr(y, x) BETWEEN -1 AND 1 AS corr FROM tour GROUP BY ward ORDER BY ward;
SELECT (r).rows = (SELECT count(*) FROM weighed) AS rows FROM (SELECT dp_regression(y, x, 0, 60, 0, 40, 1e6) AS r FROM tour) s;
RESET ROLE;
SELECT dp.protect('visit', 9e9, privacy_unit => 'person', limits => 'auto', answer_epsilon => 1e6);
SET ROLE regress_pairs_ana;
SELECT abs(corr(cost, age) - 0.49) < 0.05 AS corr FROM visit;
RESET ROLE;
-- A limit of eight rows has the noise of eight.
CREATE TABLE eights AS SELECT i % 200 AS person, i % 7 AS x, i % 11 AS y FROM generate_series(1, 1600) i;
SELECT dp.protect('eights', 9e9, privacy_unit => 'person', limits => 'auto') \g /dev/null
SELECT (dp_regression(y, x, 0, 11, 0, 7, 20)).rows_error, (dp_covariance(y, x, 0, 11, 0, 7, 20)).rows_error AS of_covariance FROM eights;

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
