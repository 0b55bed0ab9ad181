-- sum(count(*)) OVER (ORDER BY day): groups in a known order are answered together, so that their running totals are off by less than groups
-- that are added up, at the same price. At epsilon 1e6 answers are exact.
CALL own_schema('plain_running_totals');
SET client_min_messages = warning;
CREATE ROLE regress_curves_ana;
CREATE TABLE trip (id int PRIMARY KEY, day int NOT NULL, ward text NOT NULL, km int NOT NULL, fee float8 NOT NULL);
INSERT INTO trip SELECT i, i * 7 % 128, (ARRAY['a', 'b'])[1 + i % 2], i % 10 - 3, i % 4 / 4.0 FROM generate_series(1, 4000) i WHERE i * 7 % 128 <> 5;
SELECT dp.protect('trip', 9e9, 1e-2), dp.grant_budget('trip', 'regress_curves_ana', 9e9, 1e-2, allow_leaks => true) \g /dev/null
SELECT dp.public_values('trip', 'day', VARIADIC ARRAY(SELECT generate_series(0, 127)::text)), dp.public_values('trip', 'ward', 'a', 'b'), dp.declare_range('trip', 'km', -3, 6),
    dp.declare_range('trip', 'fee', 0, 1) \g /dev/null
CREATE FUNCTION explained(statement text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE line text;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || statement LOOP
        IF line ~ 'Running Totals|Expected Error|Epsilon:|Delta:|Reuse' THEN RETURN NEXT trim(line); END IF;
    END LOOP;
END $$;
GRANT USAGE ON SCHEMA plain_running_totals TO regress_curves_ana;
SET ROLE regress_curves_ana;
SET dp.epsilon = 1;

-- ---- what EXPLAIN says; the price is that of the groups
SELECT explained('SELECT day, sum(count(*)) OVER (ORDER BY day) FROM trip GROUP BY day');
SELECT explained('SELECT day, sum(count(*)) OVER (ORDER BY day ROWS UNBOUNDED PRECEDING), max(km) FROM trip GROUP BY day');
SELECT explained('SELECT day, sum(sum(km)) OVER (ORDER BY day) FROM trip GROUP BY day');
SELECT explained('SELECT ward, day, sum(count(*)) OVER (PARTITION BY ward ORDER BY day DESC) FROM trip GROUP BY day, ward');
SELECT explained('SELECT ward, day, sum(count(*)) OVER (PARTITION BY ward ORDER BY day) FROM trip GROUP BY day, ward');
SELECT explained('SELECT ward, day, sum(count(*)) OVER (ORDER BY ward, day) FROM trip GROUP BY day, ward');
-- Of groups in a subquery as well, whatever else it shows, and whether or not its key is shown.
SELECT explained('SELECT day + 1 AS next, sum(n) OVER (PARTITION BY ward ORDER BY day DESC) AS left, d.ward FROM (SELECT count(*) AS n, day, ward FROM trip WHERE km > 0 GROUP BY ward, day ORDER BY 2) d WINDOW w AS (ORDER BY day)');
SELECT explained('SELECT sum(n) OVER (PARTITION BY w ORDER BY d) AS total FROM (SELECT ward AS w, day AS d, count(*) AS n FROM trip GROUP BY 1, 2) days ORDER BY total DESC LIMIT 3');
SELECT explained($$SELECT day, sum(dp_count('*', 1, 'gaussian(delta=1e-6)')) OVER (ORDER BY day) FROM trip GROUP BY day$$);
SELECT explained('SELECT day, sum(dp_sum(fee, 0, 1, 1)) OVER (ORDER BY day) FROM trip GROUP BY day');

-- ---- where groups are answered one by one: also where they are shown themselves
SELECT statement, array(SELECT line FROM explained(statement) line WHERE line LIKE '%Running%') AS running FROM unnest(ARRAY[
    'SELECT day, count(*), sum(count(*)) OVER (ORDER BY day) FROM trip GROUP BY day', 'SELECT day, sum(count(*)) OVER (ORDER BY day) FROM trip GROUP BY day ORDER BY count(*)',
    'SELECT day, sum(count(*)) OVER (ORDER BY day), sum(count(*)) OVER () FROM trip GROUP BY day', 'SELECT day, sum(count(*)) OVER (ORDER BY day) FROM trip WHERE day < 30 GROUP BY day', 'SELECT day, sum(count(*)) OVER (ORDER BY day) FROM trip GROUP BY day HAVING count(*) > 20',
    'SELECT day, sum(count(*)) OVER (ORDER BY day DESC NULLS LAST) FROM trip GROUP BY day', 'SELECT ward, day, sum(count(*)) OVER (ORDER BY ward DESC, day DESC NULLS LAST) FROM trip GROUP BY day, ward', 'SELECT ward, day, sum(count(*)) OVER (ORDER BY ward, day DESC) FROM trip GROUP BY day, ward', 'SELECT day, sum(count(*)) OVER (ORDER BY day DESC), sum(count(*)) OVER (ORDER BY day) FROM trip GROUP BY day', 'SELECT day, sum(count(*)) OVER (ORDER BY day NULLS FIRST) FROM trip GROUP BY day',
    'SELECT day, sum(count(*)) OVER (ORDER BY day ROWS 3 PRECEDING) FROM trip GROUP BY day', 'SELECT day, sum(count(*)) OVER (ORDER BY day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW EXCLUDE CURRENT ROW) FROM trip GROUP BY day',
    'SELECT day, sum(count(*)) OVER (ORDER BY -day) FROM trip GROUP BY day', 'SELECT day, sum(count(*)) OVER () FROM trip GROUP BY day', 'SELECT day, avg(count(*)) OVER (ORDER BY day) FROM trip GROUP BY day',
    'SELECT day, sum(count(*)) FILTER (WHERE day > 3) OVER (ORDER BY day) FROM trip GROUP BY day', 'SELECT day, sum(2 * count(*)) OVER (ORDER BY day) FROM trip GROUP BY day',
    'SELECT day, sum(count(*)) OVER (ORDER BY count(*)) FROM trip GROUP BY day', 'SELECT ward, day, sum(count(*)) OVER (ORDER BY day) FROM trip GROUP BY day, ward',
    'SELECT ward, day, sum(count(*)) OVER (PARTITION BY day ORDER BY ward) FROM trip GROUP BY day, ward', 'SELECT day, sum(count(*)) OVER (ORDER BY day), dp_error(count(*)) FROM trip GROUP BY day',
    'SELECT day, sum(count(*)) OVER (ORDER BY day) FROM trip GROUP BY ROLLUP (day)', 'SELECT day, sum(dp_count(''*'', 1, ''staircase'')) OVER (ORDER BY day) FROM trip GROUP BY day',
    'SELECT day, sum(count(*)) OVER (ORDER BY day), sum(km) FROM trip GROUP BY day', 'SELECT day, n, sum(n) OVER (ORDER BY day) FROM (SELECT day, count(*) AS n FROM trip GROUP BY day) days',
    'SELECT day, sum(n) OVER (ORDER BY day) FROM (SELECT day, count(*) AS n FROM trip GROUP BY day LIMIT 9) days', 'SELECT day, sum(n) OVER (ORDER BY day) FROM (SELECT day, count(*) AS n FROM trip GROUP BY day) days WHERE day > 3',
    'SELECT day, sum(count(*)) OVER (ORDER BY day), sum(dp_count(''*'', 1)) OVER (ORDER BY day) FROM trip GROUP BY day']) AS statement;

-- ---- exact without noise: by trees and by roots, in one order and in several, of counts and sums, also of groups without rows
SET dp.epsilon = 1e6;
RESET ROLE;
CREATE TABLE exact AS SELECT day, ward, count(id) AS n, sum(count(id)) OVER (PARTITION BY ward ORDER BY day) AS rows, coalesce(sum(km), 0) AS km, sum(coalesce(sum(km), 0)) OVER (PARTITION BY ward ORDER BY day) AS kms,
    sum(coalesce(sum(fee), 0)) OVER (PARTITION BY ward ORDER BY day) AS fees FROM (SELECT day, ward FROM generate_series(0, 127) day, unnest(ARRAY['a', 'b']) ward) AS g LEFT JOIN (SELECT * FROM trip OFFSET 0) AS trip USING (day, ward) GROUP BY day, ward;
GRANT SELECT ON exact TO regress_curves_ana;
SET ROLE regress_curves_ana;
SELECT count(*), count(*) FILTER (WHERE total = rows) AS totals FROM
    (SELECT day, sum(count(*)) OVER (ORDER BY day) AS total FROM trip GROUP BY day) a, (SELECT day, sum(rows) AS rows FROM exact GROUP BY day) e WHERE a.day = e.day;
SELECT count(*), count(*) FILTER (WHERE total = rows) AS totals, count(*) FILTER (WHERE a.kms = e.kms) AS kms, count(*) FILTER (WHERE abs(a.fees - e.fees) < 0.001) AS fees FROM
    (SELECT ward, day, sum(count(*)) OVER (PARTITION BY ward ORDER BY day) AS total, sum(dp_sum(km, -3, 6, 1e6)) OVER (PARTITION BY ward ORDER BY day) AS kms,
        sum(dp_sum(fee, 0, 1, 1e6)) OVER (PARTITION BY ward ORDER BY day) AS fees FROM trip GROUP BY day, ward) a, exact e WHERE a.day = e.day AND a.ward = e.ward;
SELECT count(*), count(*) FILTER (WHERE total = rows) AS totals, count(*) FILTER (WHERE a.kms = e.kms) AS kms, count(*) FILTER (WHERE abs(a.fees - e.fees) < 0.05) AS fees FROM
    (SELECT ward, day, sum(dp_count('*', 1e5, 'gaussian(delta=1e-6)')) OVER (PARTITION BY ward ORDER BY day) AS total, sum(dp_sum(km, -3, 6, 1e5, 'gaussian(delta=1e-6)')) OVER (PARTITION BY ward ORDER BY day) AS kms,
        sum(dp_sum(fee, 0, 1, 1e5, 'gaussian(delta=1e-6)')) OVER (PARTITION BY ward ORDER BY day) AS fees FROM trip GROUP BY ward, day) a, exact e WHERE a.day = e.day AND a.ward = e.ward;
SELECT count(*), count(*) FILTER (WHERE total = rows) AS totals FROM (SELECT w, d, sum(n) OVER (PARTITION BY w ORDER BY d) AS total, rank() OVER (ORDER BY w, d) FROM
        (SELECT count(*) AS n, day AS d, ward AS w FROM trip GROUP BY day, ward) days) a, exact e WHERE a.d = e.day AND a.w = e.ward;
CREATE TEMP TABLE shown AS SELECT w, 127 - d AS other, sum(n) OVER (PARTITION BY w ORDER BY d DESC) AS total FROM (SELECT count(*) AS n, day AS d, ward AS w FROM trip GROUP BY day, ward) days;
SELECT count(*), count(*) FILTER (WHERE total = rows) AS totals FROM shown, (SELECT ward, day, sum(n) OVER (PARTITION BY ward ORDER BY day DESC) AS rows FROM exact) e WHERE 127 - other = e.day AND w = e.ward;
-- From the last to the first.
SELECT count(*), count(*) FILTER (WHERE total = rows) AS totals, count(*) FILTER (WHERE a.kms = e.kms) AS kms FROM
    (SELECT ward, day, sum(count(*)) OVER (PARTITION BY ward ORDER BY day DESC) AS total, sum(dp_sum(km, -3, 6, 1e6)) OVER (PARTITION BY ward ORDER BY day DESC) AS kms FROM trip GROUP BY day, ward) a,
    (SELECT ward, day, sum(n) OVER (PARTITION BY ward ORDER BY day DESC) AS rows, sum(km) OVER (PARTITION BY ward ORDER BY day DESC) AS kms FROM exact) e WHERE a.day = e.day AND a.ward = e.ward;
-- Rows leave in the order of all keys, as they would otherwise.
SELECT array_agg(day) = array_agg(day ORDER BY day) AS ordered FROM (SELECT day, sum(count(*)) OVER (ORDER BY day) AS n FROM trip WHERE day >= 20 GROUP BY day) s;

-- ---- how far they are off: the root of the mean square over all totals, of many answers, against what is said and what groups add up to
RESET ROLE;
CREATE FUNCTION off(answer text, times int, direction text DEFAULT '', which text DEFAULT 'true') RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE one float8; squares float8 := 0;
BEGIN
    FOR i IN 1 .. times LOOP
        EXECUTE format('SELECT avg((total - rows) ^ 2) FROM (SELECT day, sum(%s) OVER (ORDER BY day %s) AS total FROM trip GROUP BY day) a, (SELECT day, sum(sum(n)) OVER (ORDER BY day %2$s) AS rows FROM exact GROUP BY day) e WHERE a.day = e.day AND %3$s', answer, direction, which) INTO one;
        squares := squares + one;
    END LOOP;
    RETURN sqrt(squares / times);
END $$;
SET ROLE regress_curves_ana;
SELECT off($$dp_count('*', 0.1)$$, 50) / 70.2 BETWEEN 0.75 AND 1.3 AS tree, off($$dp_count('*', 0.1, 'staircase')$$, 50) / 109 BETWEEN 0.75 AND 1.3 AS added_up, off($$dp_count('*', 0.1)$$, 50, 'DESC') / 70.2 BETWEEN 0.75 AND 1.3 AS falling,
    off($$dp_count('*', 1, 'gaussian(delta=1e-6)')$$, 50) / (2.35 * 4.23) BETWEEN 0.75 AND 1.3 AS root;
-- The first total by roots is off by 1.62 times as much as one number, of the last group as of the first; taken from the total of all it would be by
-- 1.13 times.
SELECT off($$dp_count('*', 1, 'gaussian(delta=1e-6)')$$, 500, 'DESC', 'a.day = (SELECT max(day) FROM exact)') / (1.62 * 4.23) BETWEEN 0.85 AND 1.15 AS first_of_falling;
-- Totals of plain counts never fall, and are no farther off.
SET dp.epsilon = 0.1;
SELECT off('count(*)', 50) / 70.2 BETWEEN 0.5 AND 1.3 AS rising;
SELECT min(n) >= 0 AS rising FROM (SELECT total - lag(total, 1, 0) OVER (ORDER BY day) AS n FROM (SELECT day, sum(count(*)) OVER (ORDER BY day) AS total FROM trip GROUP BY day) s) s;
SELECT min(n) >= 0 AS rising FROM (SELECT total - lag(total, 1, 0) OVER (ORDER BY day DESC) AS n FROM (SELECT day, sum(count(*)) OVER (ORDER BY day DESC) AS total FROM trip GROUP BY day) s) s;
RESET dp.epsilon;
RESET ROLE;
SELECT DISTINCT epsilon, delta FROM dp.ledger WHERE relation = 'trip'::regclass AND query LIKE 'SELECT avg((total%' ORDER BY 1, 2;

-- ---- no release is kept, and answers that are stored are those of another question; that of the groups by themselves serves
CREATE TABLE again AS TABLE trip;
SELECT dp.protect('again', 9e9, reuse => '1 day', answer_epsilon => 0.5), dp.public_values('again', 'day', VARIADIC ARRAY(SELECT generate_series(0, 127)::text)), dp.grant_budget('again', 'regress_curves_ana', 9e9, allow_leaks => true) \g /dev/null
SET ROLE regress_curves_ana;
SELECT explained('SELECT day, sum(count(*)) OVER (ORDER BY day) FROM again WHERE ward = ''a'' GROUP BY day');
CREATE TEMP TABLE first AS SELECT day, sum(count(*)) OVER (ORDER BY day) AS total FROM again WHERE ward = 'a' GROUP BY day;
SELECT dp_last_release() IS NULL AS none;
CREATE TEMP TABLE second AS SELECT day, sum(count(*)) OVER (ORDER BY day) AS total FROM again WHERE ward = 'a' GROUP BY day;
SELECT bool_and(f.total = s.total) AS same FROM first f JOIN second s USING (day);
SELECT explained('SELECT day, sum(count(*)) OVER (ORDER BY day) FROM again WHERE ward = ''a'' GROUP BY day');
SELECT explained('SELECT day, count(*) FROM again WHERE ward = ''a'' GROUP BY day');
SELECT explained('SELECT count(*) FROM again WHERE ward = ''a''');
SELECT explained('SELECT day, sum(count(*)) OVER (ORDER BY day) FROM again WHERE ward = ''a'' AND day < 100 GROUP BY day');
SELECT count(n) FROM (SELECT day, count(*) AS n FROM again WHERE ward = 'b' GROUP BY day) s;
SELECT explained('SELECT day, sum(count(*)) OVER (ORDER BY day) FROM again WHERE ward = ''b'' GROUP BY day');
SELECT count(total) FROM (SELECT day, sum(count(*)) OVER (ORDER BY day) AS total FROM again WHERE ward = 'b' GROUP BY day) s;
RESET ROLE;
SELECT kind, count(*), sum(epsilon) FROM dp.ledger WHERE relation = 'again'::regclass AND role IS NOT NULL GROUP BY kind ORDER BY kind;

-- ---- privacy units with several rows: noise is for all of them, wherever they are; not where limits are chosen
CREATE TABLE stay AS SELECT i % 400 AS person, i % 128 AS day, 'a' AS ward FROM generate_series(1, 4000) i;
SELECT dp.protect('stay', 9e9, 1e-2, privacy_unit => 'person', max_rows_per_unit => 10), dp.public_values('stay', 'day', VARIADIC ARRAY(SELECT generate_series(0, 127)::text)), dp.grant_budget('stay', 'regress_curves_ana', 9e9, 1e-2, allow_leaks => true) \g /dev/null
SET ROLE regress_curves_ana;
SELECT explained($$SELECT day, sum(dp_count('*', 1)) OVER (ORDER BY day) FROM stay GROUP BY day$$);
SELECT explained($$SELECT day, sum(dp_count('*', 1, 'gaussian(delta=1e-6)')) OVER (ORDER BY day) FROM stay GROUP BY day$$);
SELECT max(total) FROM (SELECT sum(dp_count('*', 1e6)) OVER (ORDER BY day) AS total FROM stay GROUP BY day) s;
SET dp.max_rows_per_unit = 2;
SELECT explained($$SELECT day, sum(dp_count('*', 1, 'gaussian(delta=1e-6)')) OVER (ORDER BY day) FROM stay GROUP BY day$$);
RESET dp.max_rows_per_unit;
RESET ROLE;
-- Rows in forty groups are orthogonal to each other where each group is answered by itself; in a root they are nearly the same.
SELECT dp.protect('stay', 9e9, 1e-2, privacy_unit => 'person', max_groups_per_unit => 40, max_rows_per_group => 1) \g /dev/null
SET ROLE regress_curves_ana;
SELECT explained($$SELECT day, sum(dp_count('*', 1, 'gaussian(delta=1e-6)')) OVER (ORDER BY day) FROM stay GROUP BY day$$);
SELECT explained($$SELECT day, sum(dp_count('*', 1)) OVER (ORDER BY day) FROM stay GROUP BY day$$);
SELECT max(total) FROM (SELECT sum(dp_count('*', 1e6)) OVER (ORDER BY day) AS total FROM stay GROUP BY day) s;
RESET ROLE;
CREATE TABLE walk AS TABLE stay;
SELECT dp.protect('walk', 9e9, privacy_unit => 'person'), dp.public_values('walk', 'day', VARIADIC ARRAY(SELECT generate_series(0, 127)::text)), dp.grant_budget('walk', 'regress_curves_ana', 9e9, allow_leaks => true) \g /dev/null
SET ROLE regress_curves_ana;
SELECT explained($$SELECT day, sum(dp_count('*', 1)) OVER (ORDER BY day) FROM walk GROUP BY day$$);
RESET ROLE;

-- ---- accounts that count divergences: auto is the root
CREATE TABLE flight AS TABLE trip;
SELECT dp.protect('flight', 10, 2e-6, accountant => 'renyi', conversion_delta => 1e-6), dp.public_values('flight', 'day', VARIADIC ARRAY(SELECT generate_series(0, 127)::text)),
    dp.grant_budget('flight', 'regress_curves_ana', 10, 2e-6, conversion_delta => 1e-6, allow_leaks => true) \g /dev/null
SET ROLE regress_curves_ana;
SELECT explained($$SELECT day, sum(dp_count('*', 0.1)) OVER (ORDER BY day) FROM flight GROUP BY day$$);
SELECT explained($$SELECT day, sum(dp_count('*', 0.1, 'geometric')) OVER (ORDER BY day) FROM flight GROUP BY day$$);
SELECT count(n) FROM (SELECT day, sum(dp_count('*', 0.1)) OVER (ORDER BY day) AS n FROM flight GROUP BY day) s;
RESET ROLE;
SELECT kind, epsilon, losses FROM dp.ledger WHERE relation = 'flight'::regclass ORDER BY seq;
SET dp.allow_drop = on;
DROP OWNED BY regress_curves_ana;
DROP ROLE regress_curves_ana;
