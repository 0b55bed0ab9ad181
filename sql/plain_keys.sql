-- Group keys that are computed from columns of several tables: their values are those at all combinations of what the columns can
-- hold. At epsilon 1e6 beside the superuser's answer over copies: p_visit for k_visit, p_person for k_person.
CALL own_schema('plain_keys');
SET client_min_messages = warning;
CREATE ROLE regress_keys_ana;
CREATE TABLE k_person (id int PRIMARY KEY, sex text, region text, born int NOT NULL);
INSERT INTO k_person SELECT i, (ARRAY['f', 'm'])[1 + i % 2], (ARRAY['n', 's', NULL])[1 + i % 3], 1950 + i % 5 FROM generate_series(1, 300) i;
CREATE TABLE k_visit (id int PRIMARY KEY, person int NOT NULL, ward text NOT NULL, age int NOT NULL, day date NOT NULL, ts timestamp NOT NULL, region text, cost numeric NOT NULL, note text);
INSERT INTO k_visit SELECT i, 1 + i % 290, (ARRAY['a', 'b', 'c'])[1 + i % 3], i % 100, date '2024-01-01' + i % 200, timestamp '2024-01-01' + i * interval '3 hours',
    (ARRAY['x', 'y', NULL])[1 + i % 3], i % 50, 'n' || i FROM generate_series(1, 1500) i;
CREATE TABLE wards (ward text PRIMARY KEY, name text NOT NULL, region text, min_age int NOT NULL, shift int NOT NULL, span interval, rate numeric NOT NULL);
INSERT INTO wards VALUES ('a', 'Heart', 'n', 50, 1, '1 day', 1.5), ('b', 'Cancer', NULL, 20, 2, '2 days', 2.00), ('d', 'None', 's', 10, 3, NULL, 2.0);
CREATE TABLE p_visit AS SELECT * FROM k_visit;
CREATE TABLE p_person AS SELECT * FROM k_person;
CREATE VIEW k_seen WITH (security_invoker) AS SELECT id, ward AS w, age FROM k_visit WHERE age > 3;
CREATE VIEW p_seen WITH (security_invoker) AS SELECT id, ward AS w, age FROM p_visit WHERE age > 3;
SELECT dp.protect('k_person', 1e9, answer_epsilon => 1e6, privacy_unit => 'id', max_rows_per_unit => 10);
SELECT dp.protect('k_visit', 1e9, answer_epsilon => 1e6, privacy_unit => 'person', max_rows_per_unit => 10, reuse => '1 day');
SELECT dp.grant_budget(t, 'regress_keys_ana', 1e9, allow_leaks => true) FROM unnest('{k_visit,k_person}'::regclass[]) t;
SELECT dp.declare_values('k_visit', 'ward', 'a', 'b', 'c'), dp.declare_values('k_visit', 'region', 'x', 'y'), dp.declare_range('k_visit', 'age', 0, 99), dp.declare_range('k_visit', 'cost', 0, 50),
    dp.declare_range('k_visit', 'day', '2024-01-01', '2024-07-18'), dp.declare_range('k_visit', 'ts', '2024-01-01', '2024-07-30');
SELECT dp.declare_values('k_person', 'sex', 'f', 'm'), dp.declare_values('k_person', 'region', 'n', 's'), dp.declare_range('k_person', 'born', 1950, 1954);
GRANT SELECT ON wards, p_visit, p_person, p_seen, k_seen TO regress_keys_ana;
SET ROLE regress_keys_ana;
\pset format unaligned
\pset tuples_only on
CREATE TEMP TABLE asked AS SELECT row_number() OVER () AS i, k, t FROM (VALUES
    -- A public table, which may have none for a row.
    ('v.ward || ''/'' || d.name', 'k_visit v JOIN wards d ON d.ward = v.ward'), ('v.ward || ''/'' || d.name', 'k_visit v LEFT JOIN wards d ON d.ward = v.ward'),
    ('CASE WHEN v.age > d.min_age THEN ''old'' ELSE ''young'' END', 'k_visit v LEFT JOIN wards d ON d.ward = v.ward'),
    ('CASE WHEN v.age > d.min_age THEN d.name ELSE v.ward END', 'k_visit v LEFT JOIN wards d ON d.ward = v.ward'),
    ('coalesce(d.region, v.region)', 'k_visit v LEFT JOIN wards d ON d.ward = v.ward'), ('v.age > d.min_age', 'k_visit v LEFT JOIN wards d ON d.ward = v.ward'),
    ('date_trunc(''month'', v.day)::date + d.shift', 'k_visit v JOIN wards d ON d.ward = v.ward'), ('date_trunc(''month'', v.day) + d.span', 'k_visit v LEFT JOIN wards d ON d.ward = v.ward'),
    ('date_trunc(''month'', v.ts) + d.span', 'k_visit v LEFT JOIN wards d ON d.ward = v.ward'), ('date_trunc(''month'', v.ts) + d.shift * interval ''1 day''', 'k_visit v JOIN wards d USING (ward)'),
    ('floor(v.cost) + d.shift', 'k_visit v JOIN wards d USING (ward)'), ('v.age / 10 * d.shift', 'k_visit v JOIN wards d USING (ward)'), ('v.w || d.name', 'k_seen v JOIN wards d ON d.ward = v.w'),
    -- Values that are equal and look different.
    ('d.rate || v.ward', 'k_visit v JOIN wards d ON CASE v.ward WHEN ''c'' THEN ''d'' ELSE v.ward END = d.ward'), ('d.rate::text', 'k_visit v LEFT JOIN wards d ON d.ward = CASE v.ward WHEN ''c'' THEN ''d'' ELSE v.ward END'),
    -- Conditions.
    ('v.age - d.min_age', 'k_visit v JOIN wards d USING (ward) WHERE v.age > d.min_age AND v.age < 60'), ('v.ward || d.name', 'k_visit v, wards d WHERE d.ward = v.ward AND d.name = ''Heart'''),
    ('coalesce(v.ward, ''-'') || d.name', 'k_visit v LEFT JOIN wards d ON d.ward = v.ward AND v.age > 4 WHERE d.name IS NULL'),
    ('coalesce(v.ward || d.name, v.ward)', 'k_visit v LEFT JOIN wards d ON d.ward = v.ward AND v.age > 40'),
    -- Protected tables, joined on the unit.
    ('v.ward || p.sex', 'k_visit v JOIN k_person p ON p.id = v.person'), ('v.ward || coalesce(p.region, v.region)', 'k_visit v LEFT JOIN k_person p ON p.id = v.person'),
    ('v.age - p.born', 'k_visit v JOIN k_person p ON p.id = v.person'), ('extract(year FROM v.ts) - p.born', 'k_visit v LEFT JOIN k_person p ON p.id = v.person AND p.sex = ''f'''),
    ('v.ward || p.sex || d.name', 'k_visit v JOIN k_person p ON p.id = v.person JOIN wards d USING (ward)'),
    -- Subqueries that are run by themselves, beside a table and each other; lists.
    ('v.ward || ''/'' || d.name', 'k_visit v JOIN (SELECT ward, max(name) AS name FROM wards GROUP BY 1) d ON d.ward = v.ward'),
    ('v.ward || ''/'' || d.name', 'k_visit v LEFT JOIN (SELECT ward, max(name) AS name FROM wards GROUP BY 1) d ON d.ward = v.ward'),
    ('v.ward || e.name || d.region', 'k_visit v JOIN (SELECT ward, max(coalesce(region, ''-'')) AS region FROM wards GROUP BY 1) d ON d.ward = v.ward JOIN wards e ON e.ward = v.ward'),
    ('coalesce(e.name, d.name)', 'k_visit v LEFT JOIN wards d ON d.ward = v.ward LEFT JOIN (SELECT ward, upper(name) AS name FROM wards ORDER BY ward LIMIT 1) e ON e.ward = v.ward'),
    ('d.rate || v.ward', 'k_visit v JOIN (SELECT DISTINCT ON (ward) * FROM wards) d ON CASE v.ward WHEN ''c'' THEN ''d'' ELSE v.ward END = d.ward'),
    ('v.age + d.m', 'k_visit v LEFT JOIN (VALUES (''a'', 4), (''b'', 8)) d (ward, m) ON d.ward = v.ward'), ('v.ward || d.name', 'k_visit v JOIN (VALUES (''a'', ''A''), (''b'', ''B'')) d (ward, name) USING (ward)'),
    ('CASE WHEN v.age > d.m THEN ''old'' ELSE p.sex END', 'k_visit v JOIN k_person p ON p.id = v.person LEFT JOIN (VALUES (''a'', 4), (''b'', 8)) d (ward, m) ON d.ward = v.ward')) q (k, t);
CREATE FUNCTION pg_temp.differs(key text, tables text, condition text DEFAULT 'count(*) > 0') RETURNS TABLE (plain text, private text) LANGUAGE sql AS $$
    SELECT left(plain, 300), left(private, 300) FROM both_answers(format('SELECT row(%1$s, count(*))::text FROM %2$s GROUP BY %1$s HAVING %3$s ORDER BY %1$s', key, tables, condition), '', '', '{custom}', 'k_', 'p_')
    WHERE plain IS DISTINCT FROM private $$;
SELECT k, t, d.* FROM asked, pg_temp.differs(k, t) d ORDER BY i;
SELECT count(*) AS asked FROM asked;
-- No combination of rows that the join, or a condition, leaves out: all groups are those that the superuser sees.
SELECT k, t, d.* FROM asked, pg_temp.differs(k, t, 'true') d WHERE i IN (1, 2, 17, 19, 25, 26, 27, 31) ORDER BY i;
-- Beside other keys, in grouping sets, with parameters, and by themselves.
SELECT v.ward || d.name AS k, v.age > 50 AS old, count(*) FROM k_visit v JOIN wards d USING (ward) GROUP BY ROLLUP (1, 2) ORDER BY 1, 2;
SELECT DISTINCT v.ward || d.name || p.sex FROM k_visit v LEFT JOIN wards d ON d.ward = v.ward JOIN k_person p ON p.id = v.person ORDER BY 1;
SELECT * FROM both_answers('SELECT row(v.ward || $1 || d.name, count(*))::text FROM k_visit v JOIN wards d USING (ward) WHERE d.min_age > $2 GROUP BY v.ward || $1 || d.name ORDER BY 1', '(text, int)', '(''-'', 30)', '{custom,generic}', 'k_', 'p_');
-- Asked again it is free, until rows of the public table, or what is declared, change: also where the plan is kept.
PREPARE pairs AS SELECT v.ward || d.name AS k, count(*) FROM k_visit v LEFT JOIN wards d ON d.ward = v.ward GROUP BY 1 ORDER BY 1;
EXECUTE pairs;
SELECT epsilon FROM dp.cost($$SELECT v.ward || d.name AS k, count(*) FROM k_visit v LEFT JOIN wards d ON d.ward = v.ward GROUP BY 1$$) WHERE role IS NOT NULL;
RESET ROLE;
INSERT INTO wards VALUES ('c', 'Skin', 'n', 5, 1, '1 day', 1);
SET ROLE regress_keys_ana;
SELECT epsilon > 0 FROM dp.cost($$SELECT v.ward || d.name AS k, count(*) FROM k_visit v LEFT JOIN wards d ON d.ward = v.ward GROUP BY 1$$) WHERE role IS NOT NULL;
EXECUTE pairs;
RESET ROLE;
SELECT dp.declare_values('k_visit', 'ward', 'a', 'b');
SET ROLE regress_keys_ana;
SET dp.reuse = 0;
EXECUTE pairs;
RESET dp.reuse;
RESET ROLE;
SELECT dp.withdraw('k_visit', 'ward');
SET ROLE regress_keys_ana;
\set VERBOSITY terse
EXECUTE pairs;
\set VERBOSITY default
RESET ROLE;
SELECT dp.declare_values('k_visit', 'ward', 'a', 'b', 'c');
SET ROLE regress_keys_ana;
-- A key that would fail for some rows does not tell of them.
SELECT 100 / (v.age - d.min_age) AS k, count(*) FROM k_visit v JOIN wards d USING (ward) WHERE v.age BETWEEN 48 AND 52 AND d.ward = 'a' GROUP BY 1 ORDER BY 1;
-- Refused: a column that nothing is known of, the unit, what changes everywhere, and too many combinations, known when it is planned or when rows are.
SELECT v.note || d.name, count(*) FROM k_visit v JOIN wards d USING (ward) GROUP BY 1;
SELECT v.id + d.shift, count(*) FROM k_visit v JOIN wards d USING (ward) GROUP BY 1;
SELECT v.person || d.name, count(*) FROM k_visit v JOIN wards d USING (ward) GROUP BY 1;
SELECT p.id || v.ward, count(*) FROM k_visit v JOIN k_person p ON p.id = v.person GROUP BY 1;
SELECT date_trunc('month', v.ts + d.span), count(*) FROM k_visit v JOIN wards d USING (ward) GROUP BY 1;
SELECT v.cost * d.rate, count(*) FROM k_visit v JOIN wards d USING (ward) GROUP BY 1;
SELECT v.age * p.born * 100 + (v.day - '2024-01-01') + extract(hour FROM v.ts)::int, count(*) FROM k_visit v JOIN k_person p ON p.id = v.person GROUP BY 1;
SELECT v.age * 1000 + d.g, count(*) FROM k_visit v JOIN (SELECT g::text AS ward, g FROM generate_series(1, 3000) g) d USING (ward) GROUP BY 1;
SELECT random()::text || v.ward || d.name, count(*) FROM k_visit v JOIN wards d USING (ward) GROUP BY 1;
-- Sums and averages of columns of public rows of which nothing is declared: what they hold is looked at.
CREATE TEMP VIEW rated AS SELECT ward, max(rate) AS rate, max(shift) AS shift, max(min_age) AS min_age, max(name) AS name FROM wards GROUP BY ward;
SELECT v, t, d.* FROM (VALUES ('sum(d.rate)', 'k_visit v JOIN wards d USING (ward)'), ('sum(d.rate)', 'k_visit v JOIN (SELECT ward, max(rate) AS rate FROM wards GROUP BY ward) d USING (ward)'),
    ('sum(d.shift)', 'k_visit v LEFT JOIN rated d USING (ward)'), ('avg(v.cost * d.rate)', 'k_visit v LEFT JOIN rated d USING (ward)'), ('avg(v.cost * d.rate)', 'k_visit v LEFT JOIN wards d USING (ward)'),
    ('sum(v.cost * d.rate) + sum(d.rate)', 'k_visit v JOIN wards d USING (ward) WHERE d.rate < 2'), ('sum(v.cost / d.rate)', 'k_visit v JOIN rated d USING (ward)'), ('sum(v.age - d.min_age)', 'k_visit v JOIN rated d USING (ward)'),
    ('sum(CASE WHEN v.age > d.min_age THEN d.shift ELSE v.age END)', 'k_visit v JOIN rated d USING (ward)'), ('sum(length(v.ward) * d.shift)', 'k_visit v JOIN rated d USING (ward)'),
    ('sum(extract(month FROM v.day) * d.shift)', 'k_visit v JOIN rated d USING (ward)'), ('stddev_pop(v.age - d.min_age)', 'k_visit v JOIN rated d USING (ward)'), ('sum(d.rate) FILTER (WHERE v.age > 50)', 'k_visit v JOIN rated d USING (ward)'),
    ('sum(v.age * d.m)', 'k_visit v JOIN generate_series(0, 500) d (m) ON d.m = v.age'), ('sum(d.rate * e.shift)', 'k_visit v JOIN wards d USING (ward) JOIN rated e USING (ward)'),
    ('sum(d.next - v.day)', 'k_visit v JOIN (SELECT ward, max(date ''2024-08-01'' + shift) AS next FROM wards GROUP BY ward) d USING (ward)')) q (v, t),
    LATERAL (SELECT plain, private FROM both_answers(format('SELECT (%s)::numeric FROM %s', v, t), '', '', '{custom}', 'k_', 'p_')
        WHERE CASE WHEN private ~ '^ *[-.0-9]+$' THEN NOT near(private::float8, plain::float8) ELSE true END) d;
-- The same call twice is one; of which bounds, EXPLAIN says, and which they are is known when rows have been read: those of all rows that may be joined, but for what conditions leave.
EXPLAIN (COSTS OFF) SELECT sum(v.cost * d.rate), avg(d.rate), sum(v.cost * d.rate) FROM k_visit v JOIN rated d USING (ward);
-- Their private form leaves them out, and can be run.
SELECT dp.private_form($$SELECT sum(v.cost * d.rate) AS sum, dp_quantile(v.cost * d.rate, 0.5) AS median, avg(v.cost) AS mean FROM k_visit v JOIN rated d USING (ward)$$) AS form \gset
\echo :form
EXPLAIN (COSTS OFF) :form;
SELECT epsilon FROM dp.cost('SELECT sum(v.cost * d.rate), avg(d.rate), sum(v.cost * d.rate) FROM k_visit v JOIN rated d USING (ward)') WHERE role IS NOT NULL;
SELECT epsilon FROM dp.cost('SELECT sum(x), sum(y) FROM (SELECT d.rate AS x, d.rate AS y FROM k_visit v JOIN rated d USING (ward)) q') WHERE role IS NOT NULL;
SET dp.epsilon = 1;
SELECT dp_error(sum(d.shift)) = dp_error(dp_sum(d.shift, 1, 3, 1)) AS whole, dp_error(sum(d.shift)) = dp_error(dp_sum(d.shift, 1, 2, 1)) AS part FROM k_visit v JOIN wards d USING (ward);
SELECT dp_error(sum(d.shift)) = dp_error(dp_sum(d.shift, 1, 3, 1)) AS whole, dp_error(sum(d.shift)) = dp_error(dp_sum(d.shift, 1, 2, 1)) AS part FROM k_visit v JOIN wards d USING (ward) WHERE d.shift <= 2;
RESET dp.epsilon;
SELECT * FROM both_answers('SELECT round(sum(v.age * d.rate * $1)::numeric, 1) FROM k_visit v JOIN wards d USING (ward)', '(int)', '(2)', '{custom}', 'k_', 'p_');
-- Other bounds are another question, and the same ones the same.
SELECT round(sum(d.shift * v.age), 0) FROM k_visit v JOIN wards d USING (ward);
SELECT sum(epsilon) FROM dp.ledger WHERE query LIKE 'SELECT round(sum(d.shift * v.age), 0)%';
SELECT round(sum(d.shift * v.age), 0) FROM k_visit v JOIN wards d USING (ward);
SELECT sum(epsilon) FROM dp.ledger WHERE query LIKE 'SELECT round(sum(d.shift * v.age), 0)%';
RESET ROLE;
UPDATE wards SET shift = 7 WHERE ward = 'd';
SET ROLE regress_keys_ana;
SELECT round(sum(d.shift * v.age), 0) FROM k_visit v JOIN wards d USING (ward);
SELECT sum(epsilon) FROM dp.ledger WHERE query LIKE 'SELECT round(sum(d.shift * v.age), 0)%';
-- No rows, infinity, a divisor that may be 0; columns of protected tables, of a table with row security, and values that are no numbers.
SELECT round(sum(d.rate), 1) FROM k_visit v JOIN (SELECT ward, max(rate) AS rate FROM wards WHERE false GROUP BY ward) d USING (ward);
SELECT sum(d.rate) FROM k_visit v JOIN (SELECT DISTINCT ON (ward) ward, 'Infinity'::float8 AS rate FROM wards) d USING (ward);
SELECT sum(d.rate) FROM k_visit v JOIN (SELECT DISTINCT ON (ward) ward, CASE ward WHEN 'a' THEN 'NaN' ELSE rate END AS rate FROM wards) d USING (ward);
SELECT round(sum(d.rate), 1) AS sum, (SELECT round(sum(rate), 1) FROM k_visit JOIN wards USING (ward) WHERE ward <> 'a') AS "without it"
    FROM k_visit v JOIN (SELECT DISTINCT ON (ward) ward, CASE ward WHEN 'a' THEN 'NaN' ELSE rate END AS rate FROM wards) d USING (ward) WHERE d.rate < 10;
SELECT sum(v.cost / (d.shift - 2)) FROM k_visit v JOIN rated d USING (ward);
SELECT stddev(DISTINCT v.id) FROM k_visit v JOIN rated d USING (ward);
SELECT stddev(DISTINCT v.id * d.rate) FROM k_visit v JOIN rated d USING (ward);
SELECT stddev(DISTINCT length(d.name)) FROM k_visit v JOIN rated d USING (ward);
SELECT max(d.rate) FROM k_visit v JOIN rated d USING (ward);
RESET ROLE;
ALTER TABLE wards ENABLE ROW LEVEL SECURITY;
SET ROLE regress_keys_ana;
SELECT sum(d.rate) FROM k_visit v JOIN wards d USING (ward);
RESET ROLE;
ALTER TABLE wards DISABLE ROW LEVEL SECURITY;
REVOKE SELECT ON wards FROM regress_keys_ana;
SET ROLE regress_keys_ana;
SELECT sum(d.rate) FROM k_visit v JOIN wards d USING (ward);
RESET ROLE;
GRANT SELECT ON wards TO regress_keys_ana;
SET ROLE regress_keys_ana;
-- Fewer keys are a roll-up of stored groups, but not where these were computed from the rows of a subquery, which only its question has.
RESET ROLE;
CREATE TABLE k_row AS SELECT ward, age FROM k_visit;
SELECT dp.protect('k_row', 1e9, answer_epsilon => 1e3, reuse => '1 day'), dp.grant_budget('k_row', 'regress_keys_ana', 1e9, allow_leaks => true), dp.declare_values('k_row', 'ward', 'a', 'b', 'c');
SET ROLE regress_keys_ana;
SELECT count(*) FROM (SELECT v.ward || d.name AS k, v.age > 50, count(*) AS n FROM k_row v JOIN wards d USING (ward) GROUP BY 1, 2) q WHERE n > 100;
SELECT epsilon FROM dp.cost('SELECT v.ward || d.name, count(*) FROM k_row v JOIN wards d USING (ward) GROUP BY 1') WHERE role IS NOT NULL;
SELECT count(*) FROM (SELECT v.ward || d.name AS k, v.age > 50, count(*) AS n FROM k_row v JOIN (SELECT DISTINCT ward, name FROM wards) d USING (ward) GROUP BY 1, 2) q WHERE n > 100;
SELECT count(*) FROM (SELECT v.ward || d.name AS k, count(*) AS n FROM k_row v JOIN (SELECT DISTINCT ward, name FROM wards) d USING (ward) GROUP BY 1) q WHERE n > 100;
SELECT sum(epsilon) FROM dp.ledger WHERE relation = 'k_row'::regclass;
-- Equal values of a protected column that look different: what tells them apart has not the declared form alone, and rules no group out.
RESET ROLE;
CREATE TABLE k_look (id int PRIMARY KEY, q numeric NOT NULL, fixed numeric(8, 2) NOT NULL, span interval NOT NULL, t text NOT NULL);
INSERT INTO k_look SELECT i, (ARRAY['1.0', '1.00', '2', '2.50'])[1 + i % 4]::numeric, i % 2, (ARRAY['1 day', '24:00:00', '2 days'])[1 + i % 3]::interval, (ARRAY['x', 'y'])[1 + i % 2] FROM generate_series(1, 600) i;
CREATE TABLE p_look AS SELECT * FROM k_look;
CREATE TABLE fat (k int PRIMARY KEY, b text NOT NULL);
INSERT INTO fat SELECT i, i || repeat('x', 900000) FROM generate_series(1, 90) i;
GRANT SELECT ON p_look, fat TO regress_keys_ana;
SELECT dp.protect('k_look', 1e9, answer_epsilon => 1e6), dp.grant_budget('k_look', 'regress_keys_ana', 1e9, allow_leaks => true);
SELECT dp.declare_values('k_look', 'q', 1.0, 2, 2.5), dp.declare_values('k_look', 'fixed', 0, 1), dp.declare_values('k_look', 'span', '1 day', '2 days'), dp.declare_values('k_look', 't', 'x', 'y');
SET ROLE regress_keys_ana;
\set VERBOSITY terse
SELECT q::text, count(*) FROM k_look GROUP BY 1;
SELECT scale(q), count(*) FROM k_look GROUP BY 1;
SELECT (q * 2)::text || t, count(*) FROM k_look GROUP BY 1;
SELECT coalesce(nullif(q, 2), 7) || t, count(*) FROM k_look GROUP BY 1;
SELECT span::text, count(*) FROM k_look GROUP BY 1;
SELECT extract(day FROM span), count(*) FROM k_look GROUP BY 1;
\set VERBOSITY default
CREATE TEMP TABLE looks AS SELECT row_number() OVER () AS i, k FROM unnest(ARRAY['q * 2 + 1', 'trim_scale(q)::text', 'round(q, 1)::text || t', 'q::numeric(9, 3)::text', 'q::int', 'floor(q)::text', 'to_char(q, ''FM9.00'')', 'fixed::text || t',
    'q > 1 AND t = ''x''', 'CASE q WHEN 1 THEN ''one'' ELSE ''more'' END || t', 'CASE WHEN q IN (1, 2) THEN t END', 'width_bucket(q, ARRAY[1.5, 2])', 'span > ''1 day''']) k;
CREATE FUNCTION pg_temp.looks_of(k text, t text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE answer text;
BEGIN
    EXECUTE format('SELECT string_agg(trim_scale(n::numeric) || '' '' || k, '', '' ORDER BY k) FROM (SELECT %s AS k, count(*) AS n FROM %I GROUP BY 1) a WHERE n > 0', k, t) INTO answer;
    RETURN answer;
EXCEPTION WHEN OTHERS THEN
    RETURN SQLERRM;
END
$$;
SELECT k, pg_temp.looks_of(k, 'k_look'), CASE WHEN k <> 'q * 2 + 1' AND pg_temp.looks_of(k, 'k_look') IS DISTINCT FROM pg_temp.looks_of(k, 'p_look') THEN 'differs: ' || pg_temp.looks_of(k, 'p_look') END FROM looks ORDER BY i;
SELECT count(*), sum(n) FROM (SELECT q + 1 AS k, count(*) AS n FROM k_look WHERE q::text = '1.00' GROUP BY 1) a WHERE n > 0;
-- Values are kept in memory, and have to have room there.
SELECT count(*) FROM (SELECT repeat(d.c, 450000), count(*) FROM k_look JOIN (SELECT i, chr(192 + i) AS c FROM generate_series(1, 150) i GROUP BY i) d ON d.i = id GROUP BY 1 HAVING count(*) > 0) a;
SELECT count(*) FROM (SELECT repeat(d.c, 450000) || t, count(*) FROM k_look JOIN (SELECT i, chr(192 + i) AS c FROM generate_series(1, 150) i GROUP BY i) d ON d.i = id GROUP BY 1 HAVING count(*) > 0) a;
SELECT count(*) FROM (SELECT d.b, count(*) FROM k_look JOIN fat d ON d.k = id GROUP BY 1 HAVING count(*) > 0) a;
SELECT count(*) FROM (SELECT d.b || t, count(*) FROM k_look JOIN fat d ON d.k = id GROUP BY 1 HAVING count(*) > 0) a;
SELECT count(*) FROM (SELECT repeat('x', width_bucket(id, 0, 1000, 200) * 5000), count(*) FROM k_look GROUP BY 1 HAVING count(*) > 0) a;
RESET ROLE;
SELECT dp.unprotect(t) FROM unnest('{k_visit,k_person,k_row,k_look}'::regclass[]) t;
DROP SCHEMA plain_keys CASCADE;
DROP OWNED BY regress_keys_ana;
DROP ROLE regress_keys_ana;
