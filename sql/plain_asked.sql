-- Values that the question itself lists, or puts between two ends: groups for them need no declaration. What is computed of each person
-- lies where the values lie that it is computed from. At epsilon 1e6 beside the superuser's answer over a copy, in plans made for the
-- parameters and in those for any.
CALL own_schema('plain_asked');
SET client_min_messages = warning;
CREATE DOMAIN place AS text;
CREATE TABLE stay (id int PRIMARY KEY, person int NOT NULL, ward text, code varchar(5), fixed char(3), place place, small smallint, age int, big bigint, q numeric, f float8, day date, noted timestamp,
    started timestamptz, owner uuid, cost int);
INSERT INTO stay SELECT i, i % 40, 'w' || i % 5, 'c' || i % 4, 'f' || i % 3, 'p' || i % 6, i % 9, i % 30, i % 20, CASE WHEN i % 2 = 0 THEN '1.0' ELSE '1.00' END::numeric + i % 3, i % 7 * 0.5,
    date '2024-01-01' + i % 50, timestamp '2024-01-01' + i % 90 * interval '10 hours', timestamptz '2024-01-01 00:00+00' + i % 90 * interval '10 hours',
    ('00000000-0000-0000-0000-00000000000' || i % 4)::uuid, i % 100 FROM generate_series(1, 600) i;
INSERT INTO stay (id, person) VALUES (0, 0);
CREATE TABLE plain AS SELECT * FROM stay;
CREATE TABLE wards (ward text PRIMARY KEY, name text);
INSERT INTO wards VALUES ('w1', 'Heart'), ('w2', 'Cancer');
CREATE ROLE regress_asked_ana;
SELECT dp.protect('stay', 1e9, privacy_unit => 'person', max_rows_per_unit => 100, answer_epsilon => 1e6);
SELECT dp.grant_budget('stay', 'regress_asked_ana', 1e9, allow_leaks => true);
SELECT dp.declare_range('stay', 'cost', 0, 99);
GRANT SELECT ON plain, wards TO regress_asked_ana;
SET ROLE regress_asked_ana;
CREATE TEMP TABLE asked AS SELECT row_number() OVER () AS i, q.* FROM (VALUES
    -- Lists, of all types.
    ('ward', 'ward IN (''w1'', ''w3'', ''none'')', '', ''), ('ward', 'ward = ''w1''', '', ''), ('ward', '''w1'' = ward AND age > 4', '', ''), ('ward', 'ward = ''w1'' OR ward = ''w2'' AND age > 3', '', ''),
    ('code', 'code IN (''c1'', ''c2'')', '', ''), ('place', 'place IN (''p1'', ''p2'')', '', ''), ('small', 'small IN (1, 2)', '', ''), ('big', 'big = 3 OR big = 4', '', ''), ('big', 'big IN (1, 2, NULL)', '', ''),
    ('f', 'f IN (0.5, 1)', '', ''), ('day', 'day IN (''2024-01-03'', ''2024-01-04'')', '', ''), ('owner', 'owner = ''00000000-0000-0000-0000-000000000001''', '', ''),
    -- Ends.
    ('age', 'age BETWEEN 3 AND 6', '', ''), ('age', 'age > 3 AND age < 6 AND age <> 4', '', ''), ('small', 'small >= 7 AND 9 > small', '', ''), ('big', 'big > 3 AND big <= 6', '', ''),
    ('day', 'day >= ''2024-01-03'' AND day < ''2024-01-06''', '', ''), ('date_trunc(''month'', day)', 'day BETWEEN ''2024-01-10'' AND ''2024-02-03''', '', ''),
    ('date_trunc(''week'', noted)', 'noted >= ''2024-01-10'' AND noted < ''2024-02-01''', '', ''), ('date_trunc(''day'', started)', 'started >= ''2024-01-10'' AND started < ''2024-01-20''', '', ''),
    ('floor(f)', 'f BETWEEN 0 AND 2', '', ''), ('age / 10 * 10', 'age BETWEEN 5 AND 25', '', ''),
    -- What is computed from them, several of them, and beside what is public.
    ('upper(ward)', 'ward IN (''w1'', ''w2'')', '', ''), ('age % 2', 'age IN (1, 2, 3)', '', ''), ('ward, age', 'ward IN (''w1'', ''w2'') AND age BETWEEN 1 AND 3', '', ''),
    ('ward, age > 5', 'ward = ANY (''{w1,w2}'')', '', ''), ('ROLLUP (ward, age)', 'ward = ''w1'' AND age < 5 AND age >= 1', '', ''),
    -- Parameters.
    ('ward', 'ward = $1', '(text)', '(''w2'')'), ('ward', 'ward IN ($1, ''w1'')', '(text)', '(''w2'')'), ('ward', 'ward IN ($1, ''w1'')', '(text)', '(NULL)'), ('ward', 'ward = $1', '(text)', '(NULL)'),
    ('ward', 'ward = ANY ($1)', '(text[])', '(''{w1,NULL,w4}'')'), ('ward', 'ward = ANY ($1)', '(text[])', '(NULL)'), ('code', 'code = ANY ($1)', '(text[])', '(''{c1}'')'), ('code', 'code = $1', '(text)', '(''c1'')'),
    ('ward', 'ward = $1 OR ward = ''w1''', '(text)', '(NULL)'), ('ward', 'ward = ANY ($1) OR ward = ''w1''', '(text[])', '(NULL)'), ('ward', 'ward = ANY ($1) OR ward = ''w1''', '(text[])', '(''{}'')'),
    ('ward', 'ward = $1 AND $2 OR ward = ''w1''', '(text, bool)', '(''w2'', false)'), ('ward', 'ward = ''w1'' OR false', '', ''),
    ('big', 'big = $1', '(int)', '(3)'), ('big', 'big IN ($1, 4)', '(int)', '(3)'), ('upper(ward)', 'ward = $1', '(text)', '(''w1'')'), ('day', 'day = $1', '(date)', '(''2024-01-05'')'),
    ('age', 'age = $1 + 1', '(int)', '(4)'), ('age', 'age BETWEEN 3 AND 6 AND age <> $1', '(int)', '(4)')) q (k, condition, types, given);
CREATE FUNCTION pg_temp.differs(query text, types text DEFAULT '', given text DEFAULT '') RETURNS TABLE (plan text, plain text, private text) LANGUAGE sql AS $$
    SELECT plan, left(plain, 250), left(private, 250) FROM both_answers(query, types, given) WHERE plain IS DISTINCT FROM private $$;
\pset format unaligned
\pset tuples_only on
SELECT k, condition, given, d.* FROM asked,
    pg_temp.differs(format('SELECT (%s)::text || '' '' || count(*) FROM stay WHERE %s GROUP BY %s HAVING count(*) > 0 ORDER BY 1', CASE WHEN k LIKE 'ROLLUP%' THEN 'row(ward, age)' WHEN k LIKE '%,%' AND k !~ '\(' THEN 'row(' || k || ')' ELSE k END, condition, k), types, given) d ORDER BY i;
SELECT count(*) AS asked FROM asked;
-- No other groups: those of the list, whether or not a row has them.
SELECT ward, count(*) FROM stay WHERE ward IN ('w1', 'none') AND age = 1 GROUP BY ward ORDER BY ward;
SELECT DISTINCT ward FROM stay WHERE ward IN ('w9', 'w8') ORDER BY 1;
SELECT n / 10, count(*) FROM (SELECT person, count(*) AS n FROM stay GROUP BY person) p WHERE n > 9 AND n < 20 GROUP BY 1;
-- What each person has.
SELECT q, d.* FROM unnest(ARRAY[
    'SELECT n, count(*) FROM (SELECT person, count(*) AS n FROM stay GROUP BY person) p WHERE n IN (15, 16) GROUP BY n HAVING count(*) > 0 ORDER BY n',
    'SELECT n, count(*) FROM (SELECT person, count(*) AS n FROM stay GROUP BY person) p WHERE n BETWEEN 14 AND 17 GROUP BY n HAVING count(*) > 0 ORDER BY n',
    'SELECT n / 10, count(*) FROM (SELECT person, count(*) AS n FROM stay GROUP BY person) p WHERE n BETWEEN 1 AND 30 GROUP BY 1 HAVING count(*) > 0 ORDER BY 1',
    'SELECT sum(n), round(avg(n), 3) FROM (SELECT person, LEAST(count(*), 20) AS n FROM stay GROUP BY person) p',
    'SELECT sum(n) FROM (SELECT person, count(*) AS n FROM stay GROUP BY person) p WHERE n <= 20',
    'SELECT round(avg(m), 3), round(avg(l), 3), round(avg(a), 2) FROM (SELECT person, max(cost) AS m, min(cost) AS l, avg(cost) AS a FROM stay GROUP BY person) p',
    'SELECT sum(m + n) FROM (SELECT person, max(cost * 2) AS m, count(*) AS n FROM stay WHERE cost < 50 GROUP BY person) p WHERE n < 100',
    'SELECT sum(coalesce(x.m, 0)) FROM stay s LEFT JOIN (SELECT person, max(cost) AS m FROM stay WHERE cost > 90 GROUP BY person) x ON x.person = s.person',
    'SELECT round(avg(mm), 2) FROM (SELECT person, max(m) AS mm FROM (SELECT person, age, max(cost) AS m FROM stay WHERE age < 9 GROUP BY person, age) p GROUP BY person) q']) q,
    pg_temp.differs(replace(regexp_replace(q, 'SELECT (.*?) FROM', 'SELECT row(\1)::text FROM'), 'ORDER BY 1', 'ORDER BY row_number() OVER ()')) d;
-- Refused as before: one end alone, another comparison, a list that is not everybody's, ends that parameters set, a person's sum.
SELECT d.* FROM unnest(ARRAY['age > 3', 'ward <> ''w1''', 'ward = ''w1'' OR age = 3', 'NOT ward = ''w1''', 'ward = ANY (ARRAY[code, ''w1''])', 'ward >= ''w1'' AND ward <= ''w2''', 'fixed = ''f1''', 'ward COLLATE "C" = ''w1''', 'ward = ''w1'' COLLATE "C"']) c,
    LATERAL (SELECT c, left(private, 60) FROM both_answers(format('SELECT %s, count(*) FROM stay WHERE %s GROUP BY 1', CASE WHEN c LIKE 'age%' THEN 'age' WHEN c LIKE 'fixed%' THEN 'fixed' ELSE 'ward' END, c), '', '', '{generic}')) d;
SELECT plan, left(private, 60) FROM both_answers('SELECT age, count(*) FROM stay WHERE age BETWEEN $1 AND $2 GROUP BY age', '(int, int)', '(1, 3)');
SELECT left(private, 90) FROM both_answers('SELECT avg(s) FROM (SELECT person, sum(cost) AS s FROM stay GROUP BY person) p', '', '', '{custom}');
-- An end that a condition excludes is no group.
SELECT age FROM stay WHERE age > 3 AND age < 6 GROUP BY age ORDER BY 1;
SELECT date_trunc('day', noted) FROM stay WHERE noted > '2024-01-09 23:59:59.999999' AND noted < '2024-01-12' GROUP BY 1 ORDER BY 1;
-- There is nothing beyond the greatest number, and no number wraps around to the least.
SELECT left(private, 60) FROM both_answers('SELECT big, count(*) FROM stay WHERE big > 9223372036854775807 AND big <= -9223372036854775807 GROUP BY big', '', '', '{custom}');
SELECT left(private, 60) FROM both_answers('SELECT upper(ward), count(*) FROM stay WHERE ward = ANY ($1) GROUP BY 1', '(text[])', '(''{w1}'')');
SELECT left(private, 60) FROM both_answers('SELECT q::text, count(*) FROM stay WHERE q IN (1, 2) GROUP BY 1', '', '', '{custom}');
SELECT left(private, 60) FROM both_answers('SELECT s.ward, count(*) FROM wards w LEFT JOIN stay s ON s.ward = w.ward AND s.ward IN (''w1'', ''w2'') GROUP BY s.ward', '', '', '{custom}');
\pset format aligned
\pset tuples_only off
-- An end that a condition excludes is none of the values that may be looked at.
EXPLAIN (COSTS OFF) SELECT id, count(*) FROM stay WHERE id > 0 AND id < 200001 GROUP BY id;
-- EXPLAIN names where bounds come from.
EXPLAIN (COSTS OFF) SELECT sum(m) FROM (SELECT person, max(cost) AS m FROM stay GROUP BY person) p;
RESET ROLE;
SELECT dp.unprotect('stay');
DROP SCHEMA plain_asked CASCADE;
DROP OWNED BY regress_asked_ana;
DROP ROLE regress_asked_ana;
