-- Conditions that exclude each other, of units whose limits are chosen: one limit for all of them, so that a pivot costs what one of its
-- columns does. To privacy they are what groups are.
CALL own_schema('limits_of_arms');
SET client_min_messages = error;
\set SHOW_CONTEXT never
CREATE ROLE regress_arms_chosen;
CREATE TABLE wards (s text PRIMARY KEY, kind text NOT NULL);
INSERT INTO wards VALUES ('a', 'x'), ('b', 'x'), ('c', 'y');
GRANT SELECT ON wards TO regress_arms_chosen;
-- 300 units with twelve rows each, of every kind, so that a limit is chosen that cuts none of them. The second table lacks unit 0.
CREATE TABLE with_unit (p int NOT NULL, id int NOT NULL, g text NOT NULL, s text NOT NULL, x int NOT NULL, y int, z int NOT NULL, f float8 NOT NULL);
INSERT INTO with_unit SELECT p, i, (ARRAY['u', 'v'])[1 + i % 2], (ARRAY['a', 'b', 'c'])[1 + i % 3], 10, nullif(i % 10, 3), i % 2 * 8 - 4, 0.5
    FROM generate_series(0, 299) p, generate_series(0, 11) i;
CREATE TABLE without_unit AS SELECT * FROM with_unit WHERE p <> 0;
ALTER TABLE without_unit ALTER p SET NOT NULL;
SELECT dp.protect(t, 9e9, privacy_unit => 'p', answer_epsilon => 1e6), dp.public_values(t, 'g', 'u', 'v'), dp.public_values(t, 's', 'a', 'b', 'c'), dp.declare_range(t, 'x', 0, 10),
    dp.declare_range(t, 'y', 0, 10), dp.declare_range(t, 'z', -4, 4), dp.grant_budget(t, 'regress_arms_chosen', 9e9, allow_leaks => true)
FROM unnest('{with_unit,without_unit}'::regclass[]) t \g /dev/null
CREATE FUNCTION price(query text) RETURNS numeric LANGUAGE sql AS $$ SELECT trim_scale(epsilon) FROM dp.cost(query) WHERE role IS NOT NULL $$;

-- ---- what a unit changes of all answers together, divided by their noise, is no more than three quarters of what the statement cost: the
-- rest is for the limits. Answers at 1e6 are exact; errors are those at 1, under the same limits. Where several answers are read off one vector
-- the sum has all of its changes, as x is its upper bound; those behind a hyphen are asked beside it.
CREATE TABLE shapes (number serial, shape text, asked text[], loss numeric, price numeric);
INSERT INTO shapes (shape, asked) SELECT shape, string_to_array(asked, ' | ') FROM (VALUES
    ('T', 'count(*) FILTER (WHERE s = ''a'') | count(*) FILTER (WHERE s = ''b'') | count(*) FILTER (WHERE s = ''c'')'),
    ('T', 'count(CASE WHEN s = ''a'' THEN 1 END) | sum((s = ''b'')::int) | count(y) FILTER (WHERE s = ''c'')'),
    ('T', 'count(*) FILTER (WHERE s = ''a'') | count(*) FILTER (WHERE s = ''b'') | count(*) FILTER (WHERE s = ''c'') | -count(*)'),
    ('T', 'count(*) FILTER (WHERE s IN (''a'', ''b'')) | count(*) FILTER (WHERE s IN (''b'', ''c'')) | count(*) FILTER (WHERE s = ''c'')'),
    ('T', 'count(*) FILTER (WHERE y > 5) | count(*) FILTER (WHERE NOT y > 5) | count(*) FILTER (WHERE y IS NULL)'),
    ('T GROUP BY g ORDER BY g', 'count(*) FILTER (WHERE s = ''a'') | count(*) FILTER (WHERE s = ''b'') | count(*) FILTER (WHERE s = ''c'')'),
    ('T', 'sum(x) FILTER (WHERE s = ''a'') | sum(x) FILTER (WHERE s = ''b'') | sum(x) FILTER (WHERE s = ''c'')'),
    ('T', 'sum(CASE s WHEN ''a'' THEN x ELSE 0 END) | sum(CASE s WHEN ''b'' THEN x ELSE 0 END) | sum(y) FILTER (WHERE s = ''c'')'),
    ('T GROUP BY g ORDER BY g', 'sum(z) FILTER (WHERE s = ''a'') | sum(z) FILTER (WHERE s = ''b'')'),
    ('T GROUP BY g ORDER BY g', 'sum(x) FILTER (WHERE s = ''a'') | -count(*) FILTER (WHERE s = ''a'') | -avg(x) FILTER (WHERE s = ''b'') | sum(x) FILTER (WHERE s = ''b'')'),
    ('T', 'sum(x) FILTER (WHERE s = ''a'') | -stddev(x) FILTER (WHERE s = ''a'') | -avg(x) FILTER (WHERE s = ''b'') | sum(x) FILTER (WHERE s = ''b'') | count(y) FILTER (WHERE s = ''a'')'),
    ('T', 'sum(x) FILTER (WHERE s = ''a'') | count(*) FILTER (WHERE s = ''b'') | count(y) FILTER (WHERE s = ''b'') | sum(y) FILTER (WHERE s = ''c'')'),
    ('T', 'sum(f) FILTER (WHERE s = ''a'') | sum(f) FILTER (WHERE s = ''b'') | sum(f) FILTER (WHERE s = ''c'')'),
    ('T', 'count(DISTINCT p) FILTER (WHERE s = ''a'') | count(DISTINCT p) FILTER (WHERE s = ''b'') | count(DISTINCT p) FILTER (WHERE s = ''c'')'),
    ('T GROUP BY g ORDER BY g', 'count(DISTINCT p) FILTER (WHERE s = ''a'') | count(DISTINCT p) FILTER (WHERE s = ''b'')'),
    ('T GROUP BY p % 2 ORDER BY p % 2', 'count(DISTINCT p) FILTER (WHERE s = ''a'') | count(DISTINCT p) FILTER (WHERE s = ''b'') | count(*) FILTER (WHERE s = ''a'')'),
    ('T JOIN wards USING (s)', 'sum(x) FILTER (WHERE kind = ''x'') | sum(x) FILTER (WHERE kind = ''y'') | count(y) FILTER (WHERE kind = ''x'')'),
    ('T WHERE s <> ''c''', 'count(*) FILTER (WHERE id < 4) | count(*) FILTER (WHERE id BETWEEN 4 AND 7) | count(*) FILTER (WHERE id > 7)')) AS v (shape, asked);
GRANT ALL ON shapes TO regress_arms_chosen;
\getenv folder PG_ABS_SRCDIR
\set answers :folder '/test/support/answers.sql'
\i :answers
SET ROLE regress_arms_chosen;
DO $$
DECLARE a_shape record; query text; one numeric[]; two numeric[]; errors numeric[];
BEGIN
    FOR a_shape IN SELECT * FROM shapes ORDER BY number LOOP
        query := format('SELECT ARRAY[%s]::numeric[] FROM %s', (SELECT string_agg(format('%s, dp_error(%1$s)', ltrim(a, '-')), ', ') FROM unnest(a_shape.asked) a), a_shape.shape);
        one := answers(regexp_replace(query, '\mT\M', 'with_unit', 'g'), '1e6');
        two := answers(regexp_replace(query, '\mT\M', 'without_unit', 'g'), '1e6');
        errors := answers(regexp_replace(query, '\mT\M', 'with_unit', 'g'), '1');
        UPDATE shapes SET loss = (SELECT sum(abs(one[i] - two[i]) * ln(20::numeric) / errors[i + 1]) FROM generate_series(1, cardinality(one), 2) i
                WHERE asked[1 + (i - 1) / 2 % cardinality(asked)] NOT LIKE '-%'),
            price = price(regexp_replace(query, '\mT\M', 'with_unit', 'g')) WHERE number = a_shape.number;
    END LOOP;
END $$;
SELECT shape, asked, price, loss <= price * 0.75 * 1.03 AS within FROM shapes ORDER BY number;
SELECT count(*) > 12 AS nearly FROM shapes WHERE loss >= price * 0.75 * 0.9;
-- What a unit has in all arms together is what its limit is compared with: of 20,000 with one row none is cut, and of 600 with three, one in each
-- arm, two. At such a price the limit is 1; an answer is off by some 400, and their mean by 60.
RESET ROLE;
CREATE TABLE few AS SELECT p, 'a' AS s FROM generate_series(1, 20000) p UNION ALL SELECT p, s FROM generate_series(20001, 20600) p, unnest('{a,b,c}'::text[]) s;
ALTER TABLE few ALTER p SET NOT NULL, ALTER s SET NOT NULL;
SELECT dp.protect('few', 9e9, privacy_unit => 'p', answer_epsilon => 0.005), dp.grant_budget('few', 'regress_arms_chosen', 9e9, allow_leaks => true) \g /dev/null
CREATE TABLE answers (a bigint, b bigint, c bigint, error float8);
GRANT ALL ON answers TO regress_arms_chosen;
SET ROLE regress_arms_chosen;
SET dp.keep_releases = 0;
DO $$
BEGIN
    FOR i IN 1 .. 100 LOOP
        INSERT INTO answers SELECT count(*) FILTER (WHERE s = 'a'), count(*) FILTER (WHERE s = 'b'), count(*) FILTER (WHERE s = 'c'), dp_error(count(*) FILTER (WHERE s = 'b')) FROM few;
    END LOOP;
END $$;
SELECT count(*) > 50 AS one_row, avg(a + b + c) BETWEEN 20300 AND 20900 AS once_each, avg(b) BETWEEN 50 AND 350 AS a_third, avg(c) BETWEEN 50 AND 350 AS as_well FROM answers WHERE error < 1000;
RESET dp.keep_releases;
RESET ROLE;

-- ---- the same answers
CREATE TABLE visits (p int NOT NULL, name text NOT NULL, ward int NOT NULL, status text NOT NULL, cost int NOT NULL CHECK (cost BETWEEN -50 AND 100), weight float8 NOT NULL CHECK (weight BETWEEN 0 AND 10), extra int CHECK (extra BETWEEN 0 AND 9));
INSERT INTO visits SELECT p, 'person ' || p, (p + r) % 3, (ARRAY['a', 'b', 'c', 'd'])[1 + (p * r) % 4], (p * 7 + r * 13) % 151 - 50, (p * 3 + r * 5) % 100 / 10.0, nullif((p + r) % 11, 10)
    FROM generate_series(0, 1999) p, generate_series(1, 45) r WHERE r <= CASE WHEN p % 100 = 0 THEN 45 ELSE 1 + p % 6 END;
ANALYZE visits;
SELECT dp.protect('visits', 9e9, privacy_unit => 'p', answer_epsilon => 1e6), dp.public_values('visits', 'ward', 0, 1, 2), dp.grant_budget('visits', 'regress_arms_chosen', 9e9, allow_leaks => true) \g /dev/null
CREATE TABLE questions (number serial, columns text);
INSERT INTO questions (columns) SELECT replace(columns, '@', ' FILTER (WHERE status') FROM unnest(ARRAY[
    $q$count(*)@ = 'a') AS a, count(*)@ = 'b') AS b, count(extra)@ IN ('c', 'd')) AS c$q$,
    $q$count(*)@ = 'a') AS n, sum(cost)@ = 'a') AS s, avg(cost)@ = 'a') AS m, count(*)@ = 'b') AS n2, sum(cost)@ = 'b') AS s2, avg(cost)@ = 'b') AS m2, count(*) AS all$q$,
    $q$stddev(weight)@ = 'a') AS d, stddev(weight)@ > 'a') AS e, count(DISTINCT p)@ = 'a') AS p, count(DISTINCT p)@ > 'a') AS q, sum(weight)@ = 'c') AS w, sum(extra)@ > 'c') AS x$q$]) AS columns;
-- Named as a numeric each, of rows that may have a ward.
CREATE FUNCTION asked(columns text, by_ward boolean) RETURNS text LANGUAGE sql AS $$
    SELECT format('SELECT %s AS ward, %s FROM visits WHERE ward < 4%s', CASE WHEN by_ward THEN 'ward' ELSE '-1' END, columns, CASE WHEN by_ward THEN ' GROUP BY ward' ELSE '' END)
$$;
CREATE TABLE exact AS SELECT number, by_ward, NULL::int AS ward, NULL::text AS key, NULL::float8 AS value FROM questions, unnest('{f,t}'::boolean[]) by_ward LIMIT 0;
\set differences :folder '/test/support/differences.sql'
\i :differences
INSERT INTO exact SELECT number, by_ward, n.* FROM questions, unnest('{f,t}'::boolean[]) by_ward, numbers(asked(columns, by_ward)) n;
GRANT SELECT ON exact, questions TO regress_arms_chosen;
SELECT count(*) FROM exact;
SET ROLE regress_arms_chosen;
SELECT * FROM differences(3);
-- In workers, with the leader and without; on disk; of units that are texts.
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
SELECT * FROM differences(3);
SET parallel_leader_participation = off;
SELECT * FROM differences(3);
SET work_mem = '64kB';
SELECT * FROM differences(3);
SET max_parallel_workers_per_gather = 0;
SELECT * FROM differences(3);
RESET ROLE;
SELECT dp.protect('visits', 9e9, privacy_unit => 'name') \g /dev/null
SET ROLE regress_arms_chosen;
SELECT * FROM differences(2);
RESET work_mem;
RESET ROLE;
SELECT dp.protect('visits', 9e9, privacy_unit => 'p') \g /dev/null

-- ---- prices
SET ROLE regress_arms_chosen;
SET dp.epsilon = 1;
SELECT price(asked(columns, false)) AS price, price(asked(columns, true)) AS by_ward, columns FROM questions ORDER BY number;
EXPLAIN (COSTS OFF) SELECT count(*) FILTER (WHERE status = 'a') AS a, sum(cost) FILTER (WHERE status = 'a') AS s, count(*) FILTER (WHERE status = 'b') AS b, sum(cost) FILTER (WHERE status = 'b') AS t FROM visits;
EXPLAIN (COSTS OFF) SELECT ward, count(DISTINCT p) FILTER (WHERE status = 'a') AS a, count(DISTINCT p) FILTER (WHERE status = 'b') AS b FROM visits GROUP BY ward;
-- Sums of other columns, two counts in one arm, quantiles, and calls that name their epsilon pay each.
SELECT price('SELECT sum(cost) FILTER (WHERE status = ''a''), sum(weight) FILTER (WHERE status = ''b'') FROM visits') AS other_columns,
    price('SELECT count(*) FILTER (WHERE status = ''a''), count(extra) FILTER (WHERE status = ''a''), count(*) FILTER (WHERE status = ''b'') FROM visits') AS in_one_arm,
    price('SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) FILTER (WHERE status = ''a''), percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) FILTER (WHERE status = ''b''), count(*) FROM visits') AS quantiles,
    price('SELECT dp_count(''*'', 1) FILTER (WHERE status = ''a''), dp_count(''*'', 1) FILTER (WHERE status = ''b'') FROM visits') AS named;
-- What is charged is that.
RESET ROLE;
SELECT coalesce(max(seq), 0) AS seen FROM dp.ledger \gset
SET ROLE regress_arms_chosen;
SELECT count(*) FILTER (WHERE status = 'a') > 0 AS a, sum(cost) FILTER (WHERE status = 'a') IS NULL AS s, count(*) FILTER (WHERE status = 'b') > 0 AS b, sum(cost) FILTER (WHERE status = 'b') IS NULL AS t FROM visits;
RESET ROLE;
SELECT trim_scale(sum(epsilon)) AS charged FROM dp.ledger WHERE relation = 'visits'::regclass AND seq > :seen;
-- Made more accurate, each pays for its level; where all together cost less anew, they are asked anew.
RESET ROLE;
SELECT dp.protect('visits', 9e9, reuse => '1 hour') \g /dev/null
CREATE FUNCTION charged(query text, epsilon text) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE seen bigint := (SELECT max(seq) FROM dp.ledger);
BEGIN
    SET LOCAL ROLE regress_arms_chosen;
    PERFORM set_config('dp.epsilon', epsilon, true);
    EXECUTE query;
    RESET ROLE;
    RETURN (SELECT trim_scale(sum(l.epsilon)) FROM dp.ledger l WHERE l.relation = 'visits'::regclass AND l.seq > seen);
END $$;
SELECT arms, charged(query, '1') AS one, charged(query, '1') AS again, charged(query, '2') AS finer
FROM (SELECT count(*) AS arms, format('SELECT %s FROM visits', string_agg(format('count(*) FILTER (WHERE status = %L)', s), ', ')) AS query
    FROM unnest('{a,b,c}'::text[]) WITH ORDINALITY v (s, i) JOIN (VALUES (2), (3)) w (most) ON i <= most GROUP BY most ORDER BY most) q;
-- By Gaussian noise, too, off by .2 in the root mean square.
RESET dp.epsilon;
RESET ROLE;
CREATE TABLE of_renyi AS SELECT * FROM with_unit;
ALTER TABLE of_renyi ALTER p SET NOT NULL;
SELECT dp.protect('of_renyi', 9e9, 1e-6, privacy_unit => 'p', accountant => 'renyi', answer_epsilon => 100), dp.grant_budget('of_renyi', 'regress_arms_chosen', 8e9, 1e-7, allow_leaks => true) \g /dev/null
SET ROLE regress_arms_chosen;
SET dp.mechanism = 'gaussian';
SELECT abs(a - 1200) < 4 AS a, abs(b - 1200) < 4 AS b, abs(c - 1200) < 4 AS c
FROM (SELECT count(*) FILTER (WHERE s = 'a') AS a, count(*) FILTER (WHERE s = 'b') AS b, count(*) FILTER (WHERE s = 'c') AS c FROM of_renyi) q;
SELECT price('SELECT count(*) FILTER (WHERE s = ''a''), count(*) FILTER (WHERE s = ''b''), count(*) FILTER (WHERE s = ''c'') FROM of_renyi') AS price;
RESET dp.mechanism;
-- Of people with one row whose sums have no bounds, the choice is paid once as well.
RESET ROLE;
CREATE TABLE payments (s text NOT NULL, x int NOT NULL);
INSERT INTO payments SELECT (ARRAY['a', 'b'])[1 + i % 2], 5 FROM generate_series(1, 1000) i;
SELECT dp.protect('payments', 9e9, answer_epsilon => 1e6), dp.grant_budget('payments', 'regress_arms_chosen', 9e9, allow_leaks => true) \g /dev/null
SET ROLE regress_arms_chosen;
SELECT price('SELECT sum(x) FILTER (WHERE s = ''a''), sum(x) FILTER (WHERE s = ''b'') FROM payments') AS one;
SELECT sum(x) FILTER (WHERE s = 'a') AS a, sum(x) FILTER (WHERE s = 'b') AS b FROM payments;
RESET ROLE;
SELECT dp.unprotect(t) FROM unnest('{with_unit,without_unit,few,visits,payments,of_renyi}'::regclass[]) t \g /dev/null
DROP SCHEMA limits_of_arms CASCADE;
DROP OWNED BY regress_arms_chosen;
DROP ROLE regress_arms_chosen;
