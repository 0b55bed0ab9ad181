-- Aggregates about the same rows of each person, where nobody has said how many of these count: all limits are chosen from the same counts, for
-- which a statement pays once.
CALL own_schema('limits_same_rows');
SET client_min_messages = error;
\set SHOW_CONTEXT never
CREATE ROLE regress_same_rows;
CREATE TABLE with_unit (p int NOT NULL, id int NOT NULL, g text NOT NULL, s text NOT NULL, x int NOT NULL, y int, z int NOT NULL, f float8 NOT NULL);
INSERT INTO with_unit SELECT p, i, (ARRAY['u', 'v'])[1 + i % 2], (ARRAY['a', 'b', 'c'])[1 + i % 3], 10, nullif(i % 10, 3), 4, 0.5
    FROM generate_series(0, 299) p, generate_series(0, 11) i;
CREATE TABLE without_unit AS SELECT * FROM with_unit WHERE p <> 0;
ALTER TABLE without_unit ALTER p SET NOT NULL;
SELECT dp.protect(t, 9e9, privacy_unit => 'p', answer_epsilon => 1e6), dp.public_values(t, 'g', 'u', 'v'), dp.public_values(t, 's', 'a', 'b', 'c'), dp.declare_range(t, 'x', 0, 10),
    dp.declare_range(t, 'y', 0, 10), dp.declare_range(t, 'z', -4, 4), dp.declare_range(t, 'f', 0, 1), dp.grant_budget(t, 'regress_same_rows', 9e9, allow_leaks => true)
FROM unnest('{with_unit,without_unit}'::regclass[]) t \g /dev/null
CREATE FUNCTION price(query text) RETURNS numeric LANGUAGE sql AS $$ SELECT trim_scale(epsilon) FROM dp.cost(query) WHERE role IS NOT NULL $$;

-- ---- prices: k answers are k times three quarters, and the counts of units a quarter, once; others pay for counts of their own.
SET ROLE regress_same_rows;
SET dp.epsilon = 1;
SELECT price(format('SELECT %s FROM with_unit', asked)) AS price, price(format('SELECT %s FROM with_unit GROUP BY g', asked)) AS by_group, asked FROM unnest(ARRAY[
    'avg(x)', 'avg(x), avg(z)', 'avg(x), avg(z), avg(f)', 'count(*), avg(x), stddev(z)', 'count(*), avg(x), avg(y)', 'avg(x), avg(y)', 'avg(y), corr(y, z)',
    'avg(x), corr(x, z)', 'avg(x), sum(z)', 'sum(x), sum(z)', 'avg(x), avg(z) FILTER (WHERE s = ''a'')', 'avg(x) FILTER (WHERE s = ''a''), avg(z) FILTER (WHERE s = ''a'')',
    'avg(x) FILTER (WHERE s = ''a''), avg(z) FILTER (WHERE s = ''a''), avg(x) FILTER (WHERE s = ''b''), avg(z) FILTER (WHERE s = ''b'')',
    'avg(x) FILTER (WHERE s = ''a''), avg(x) FILTER (WHERE s = ''b''), avg(z) FILTER (WHERE s = ''a''), avg(z) FILTER (WHERE s = ''c'')',
    'avg(x), count(DISTINCT p)', 'dp_avg(x, 0, 10, 1), dp_avg(z, -4, 4, 1)']) asked;
EXPLAIN (COSTS OFF) SELECT count(*), avg(x), stddev(z), sum(f) FROM with_unit;
EXPLAIN (COSTS OFF) SELECT avg(x) FILTER (WHERE s = 'a'), avg(z) FILTER (WHERE s = 'a'), avg(x) FILTER (WHERE s = 'b'), avg(z) FILTER (WHERE s = 'b') FROM with_unit;
-- Where a limit is said, nothing is chosen.
SET dp.max_rows_per_unit = 2;
EXPLAIN (COSTS OFF) SELECT avg(x), avg(z) FROM with_unit;
RESET dp.max_rows_per_unit;
RESET dp.epsilon;

-- ---- what a unit changes of all answers together, divided by their noise, is no more than the statement cost without what the counts cost.
-- Answers at 1e6 are exact; errors are those at 1, under the same limits. Each value is one end of its range or counts its rows.
RESET ROLE;
CREATE TABLE shapes (number serial, shape text, asked text[], choices numeric, loss numeric, price numeric);
INSERT INTO shapes (shape, asked, choices) SELECT shape, string_to_array(asked, ' | '), choices FROM (VALUES
    ('T', 'count(x) | count(z)', 0.25), ('T', 'count(x) | count(z) | count(f)', 0.25), ('T GROUP BY g ORDER BY g', 'count(x) | count(z) | count(f)', 0.25),
    ('T', 'count(x) FILTER (WHERE s = ''a'') | count(z) FILTER (WHERE s = ''a'')', 0.25),
    ('T', 'count(x) FILTER (WHERE s = ''a'') | count(z) FILTER (WHERE s = ''a'') | count(x) FILTER (WHERE s = ''b'') | count(z) FILTER (WHERE s = ''b'')', 0.25),
    ('T', 'count(x) | count(z) | count(y)', 0.5), ('T', 'count(z) | count(f) | sum(x)', 0.5)) AS v (shape, asked, choices);
GRANT ALL ON shapes TO regress_same_rows;
\getenv folder PG_ABS_SRCDIR
\set answers :folder '/test/support/answers.sql'
\i :answers
SET ROLE regress_same_rows;
DO $$
DECLARE a_shape record; query text; one numeric[]; two numeric[]; errors numeric[];
BEGIN
    FOR a_shape IN SELECT * FROM shapes ORDER BY number LOOP
        query := format('SELECT ARRAY[%s]::numeric[] FROM %s', (SELECT string_agg(format('%s, dp_error(%1$s)', a), ', ') FROM unnest(a_shape.asked) a), a_shape.shape);
        one := answers(regexp_replace(query, '\mT\M', 'with_unit', 'g'), '1e6');
        two := answers(regexp_replace(query, '\mT\M', 'without_unit', 'g'), '1e6');
        errors := answers(regexp_replace(query, '\mT\M', 'with_unit', 'g'), '1');
        UPDATE shapes SET loss = (SELECT sum(abs(one[i] - two[i]) * ln(20::numeric) / errors[i + 1]) FROM generate_series(1, cardinality(one), 2) i),
            price = price(regexp_replace(query, '\mT\M', 'with_unit', 'g')) WHERE number = a_shape.number;
    END LOOP;
END $$;
SELECT shape, asked, price, loss <= (price - choices) * 1.03 AS within FROM shapes ORDER BY number;
SELECT count(*) > 0 AS nearly FROM shapes WHERE loss >= (price - choices) * 0.9;

-- ---- The counts are drawn once: where the noise tells other limits each time, those of a statement are the same.
RESET ROLE;
CREATE TABLE few AS SELECT p, 1 AS a, 1 AS b FROM generate_series(1, 300) p, generate_series(1, 1 + p % 9);
ALTER TABLE few ALTER p SET NOT NULL, ALTER a SET NOT NULL, ALTER b SET NOT NULL;
SELECT dp.protect('few', 9e9, privacy_unit => 'p', answer_epsilon => 0.2), dp.grant_budget('few', 'regress_same_rows', 9e9, allow_leaks => true) \g /dev/null
CREATE TABLE errors (a float8, b float8);
GRANT ALL ON errors TO regress_same_rows;
SET ROLE regress_same_rows;
SET dp.keep_releases = 0;
DO $$
BEGIN
    FOR i IN 1 .. 60 LOOP
        INSERT INTO errors SELECT dp_error(count(a)), dp_error(count(b)) FROM few;
    END LOOP;
END $$;
RESET dp.keep_releases;
SELECT bool_and(a = b) AS same_limits, count(DISTINCT a) > 1 AS of_others FROM errors;

-- ---- the same answers
RESET ROLE;
CREATE TABLE visits (p int NOT NULL, name text NOT NULL, ward int NOT NULL, status text NOT NULL, cost int NOT NULL CHECK (cost BETWEEN -50 AND 100), weight float8 NOT NULL CHECK (weight BETWEEN 0 AND 10), extra int CHECK (extra BETWEEN 0 AND 9));
INSERT INTO visits SELECT p, 'person ' || p, (p + r) % 3, (ARRAY['a', 'b', 'c', 'd'])[1 + (p * r) % 4], (p * 7 + r * 13) % 151 - 50, (p * 3 + r * 5) % 100 / 10.0, nullif((p + r) % 11, 10)
    FROM generate_series(0, 1999) p, generate_series(1, 45) r WHERE r <= CASE WHEN p % 100 = 0 THEN 45 ELSE 1 + p % 6 END;
ANALYZE visits;
SELECT dp.protect('visits', 9e9, privacy_unit => 'p', answer_epsilon => 1e6), dp.public_values('visits', 'ward', 0, 1, 2), dp.grant_budget('visits', 'regress_same_rows', 9e9, allow_leaks => true) \g /dev/null
CREATE TABLE questions (number serial, columns text);
INSERT INTO questions (columns) VALUES ('count(*) AS n, avg(cost) AS c, stddev(weight) AS w, avg(extra) AS e'), ('avg(cost) AS c, avg(weight) AS w, corr(cost, weight) AS r, sum(cost) AS s, count(DISTINCT p) AS p'),
    ('avg(cost) FILTER (WHERE status = ''a'') AS c, avg(weight) FILTER (WHERE status = ''a'') AS w, avg(cost) FILTER (WHERE status = ''b'') AS d, avg(weight) FILTER (WHERE status = ''b'') AS v, count(*) AS n');
CREATE FUNCTION asked(columns text, by_ward boolean) RETURNS text LANGUAGE sql AS $$
    SELECT format('SELECT %s AS ward, %s FROM visits WHERE ward < 4%s', CASE WHEN by_ward THEN 'ward' ELSE '-1' END, columns, CASE WHEN by_ward THEN ' GROUP BY ward' ELSE '' END)
$$;
CREATE TABLE exact AS SELECT number, by_ward, NULL::int AS ward, NULL::text AS key, NULL::float8 AS value FROM questions, unnest('{f,t}'::boolean[]) by_ward LIMIT 0;
\set differences :folder '/test/support/differences.sql'
\i :differences
INSERT INTO exact SELECT number, by_ward, n.* FROM questions, unnest('{f,t}'::boolean[]) by_ward, numbers(asked(columns, by_ward)) n;
GRANT SELECT ON exact, questions TO regress_same_rows;
SELECT count(*) FROM exact;
SET ROLE regress_same_rows;
SELECT * FROM differences();
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
SELECT * FROM differences();
SET parallel_leader_participation = off;
SET work_mem = '64kB';
SELECT * FROM differences();
RESET max_parallel_workers_per_gather;
RESET work_mem;
-- What is charged is that; asked again it is free, and made more accurate no more than anew.
RESET ROLE;
SELECT dp.protect('visits', 9e9, reuse => '1 hour') \g /dev/null
CREATE FUNCTION charged(query text, epsilon text) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE seen bigint := (SELECT max(seq) FROM dp.ledger);
BEGIN
    SET LOCAL ROLE regress_same_rows;
    PERFORM set_config('dp.epsilon', epsilon, true);
    EXECUTE query;
    RESET ROLE;
    RETURN (SELECT trim_scale(coalesce(sum(l.epsilon), 0)) FROM dp.ledger l WHERE l.relation = 'visits'::regclass AND l.seq > seen);
END $$;
SELECT charged(query, '1') AS one, charged(query, '1') AS again, charged(query, '1.1') AS finer, charged(query, '100') AS much_finer
FROM (VALUES ('SELECT avg(cost), avg(weight) FROM visits')) v (query);
-- By Gaussian noise, too, off by .2 in the root mean square.
CREATE TABLE of_renyi AS SELECT * FROM with_unit;
ALTER TABLE of_renyi ALTER p SET NOT NULL, ALTER x SET NOT NULL, ALTER z SET NOT NULL;
SELECT dp.protect('of_renyi', 9e9, 1e-6, privacy_unit => 'p', accountant => 'renyi', answer_epsilon => 100), dp.grant_budget('of_renyi', 'regress_same_rows', 8e9, 1e-7, allow_leaks => true) \g /dev/null
SET ROLE regress_same_rows;
SET dp.mechanism = 'gaussian';
SELECT abs(a - 3600) < 4 AS a, abs(b - 3600) < 4 AS b FROM (SELECT count(x) AS a, count(z) AS b FROM of_renyi) q;
SELECT price('SELECT count(x), count(z) FROM of_renyi') AS price;
RESET dp.mechanism;
RESET ROLE;
SELECT dp.unprotect(t) FROM unnest('{with_unit,without_unit,few,visits,of_renyi}'::regclass[]) t \g /dev/null
DROP SCHEMA limits_same_rows CASCADE;
DROP OWNED BY regress_same_rows;
DROP ROLE regress_same_rows;
