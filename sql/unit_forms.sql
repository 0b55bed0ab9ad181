-- A unit whose equal values look different (1.0 and 1.00, -0 and 0, blanks of char, another case): it is one unit, but what is computed
-- from it is not one value, so that it is neither one group nor counted once. And unique indexes that say nothing of units.
CALL own_schema('unit_forms');
SET client_min_messages = error;  -- units change here, which protect() warns of
CREATE TABLE forms (id int, n numeric, f float8, c bpchar, i interval, exact int);
INSERT INTO forms
SELECT i, ('1.' || repeat('0', i))::numeric, CASE WHEN i % 2 = 0 THEN '-0' ELSE 0 END, rpad('a', i)::bpchar,
    CASE WHEN i % 2 = 0 THEN '1 day' ELSE '24 hours' END::interval, 1
FROM generate_series(1, 100) i;
CREATE FUNCTION of_unit(unit name, asked text) RETURNS SETOF record LANGUAGE plpgsql AS $$
BEGIN
    PERFORM dp.protect('forms', 1e9, 0.5, privacy_unit => unit, max_rows_per_unit => 3);
    RETURN QUERY EXECUTE 'SELECT ' || asked || ' FROM forms';
END $$;
-- The unit itself is one value; what tells its forms apart has as many as rows of it may count.
SELECT * FROM of_unit('n', $$dp_count('*', 1e6), dp_count(DISTINCT n, 1e6), dp_count(DISTINCT n::text, 1e6), dp_count(DISTINCT scale(n), 1e6)$$)
    AS n (rows bigint, units bigint, texts bigint, scales bigint);
SELECT * FROM of_unit('c', $$dp_count('*', 1e6), dp_count(DISTINCT c, 1e6), dp_count(DISTINCT octet_length(c), 1e6)$$)
    AS c (rows bigint, units bigint, lengths bigint);
-- Some minor releases of PostgreSQL say in pg_amproc that equal values of char(n) have the same bytes. Here all do, for a moment.
SET allow_system_table_mods = on;
BEGIN;
WITH said AS (
    UPDATE pg_amproc p SET amproc = 'btequalimage'::regproc FROM pg_opfamily f
    WHERE f.oid = p.amprocfamily AND f.opfname = 'bpchar_ops' AND p.amproclefttype = 'bpchar'::regtype AND p.amprocnum = 4 RETURNING 1)
SELECT count(*) FROM said;
SELECT * FROM of_unit('c', $$dp_count('*', 1e6), dp_count(DISTINCT c, 1e6), dp_count(DISTINCT octet_length(c), 1e6)$$)
    AS c (rows bigint, units bigint, lengths bigint);
SELECT * FROM of_unit('c', $$dp_count(DISTINCT octet_length(c), 1e6)$$) AS c (lengths bigint);
ROLLBACK;
RESET allow_system_table_mods;
SELECT * FROM of_unit('f', $$dp_count('*', 1e6), dp_count(DISTINCT f, 1e6), dp_count(DISTINCT f::text, 1e6) BETWEEN 1 AND 2$$)
    AS f (rows bigint, units bigint, texts boolean);
SELECT * FROM of_unit('i', $$dp_count('*', 1e6), dp_count(DISTINCT i, 1e6), dp_count(DISTINCT i::text, 1e6) BETWEEN 1 AND 2$$)
    AS i (rows bigint, units bigint, texts boolean);
SELECT * FROM of_unit('exact', $$dp_count('*', 1e6), dp_count(DISTINCT exact, 1e6), dp_count(DISTINCT exact::text, 1e6)$$)
    AS e (rows bigint, units bigint, texts bigint);
-- Alone, where nothing but the unit itself may go without a limit.
SELECT * FROM of_unit('n', $$dp_count(DISTINCT n::text, 1e6)$$) AS n (texts bigint);
SELECT * FROM of_unit('c', $$dp_count(DISTINCT octet_length(c), 1e6)$$) AS c (lengths bigint);
SELECT * FROM of_unit('c', $$dp_count(DISTINCT c, 1e6)$$) AS c (units bigint);
SELECT * FROM of_unit('exact', $$dp_sum(DISTINCT exact, 0, 9, 1e6), dp_count('*', 1e6)$$) AS e (sum bigint, rows bigint);
-- So as a key: with one row in each of two groups, and not in each form a group of its own.
SELECT dp.protect('forms', 1e9, privacy_unit => 'n', max_groups_per_unit => 2);
SELECT dp.public_values('forms', 'scale(n)', VARIADIC ARRAY(SELECT generate_series(1, 100)));
SELECT sum(count), max(count) FROM (SELECT scale(n), dp_count('*', 1e6) AS count FROM forms GROUP BY 1) g;
SELECT sum(count), max(count) FROM (SELECT scale(n), dp_count(DISTINCT n, 1e6) AS count FROM forms GROUP BY 1) g;
-- A plan for each: limits where forms can differ, none for what is one.
SELECT dp.protect('forms', 1e9, privacy_unit => 'n', max_rows_per_unit => 3);
SELECT plan_of('SELECT dp_count(DISTINCT n, 1) FROM forms');
SELECT dp.protect('forms', 1e9, privacy_unit => 'exact', max_rows_per_unit => 3);
SELECT plan_of('SELECT dp_count(DISTINCT exact::text, 1) FROM forms');

-- Collations: one person is written in five ways.
CREATE COLLATION any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE form_cases (person text COLLATE any_case, x int);
INSERT INTO form_cases SELECT (ARRAY['alice', 'Alice', 'ALICE', 'aLice', 'alIce'])[i], i FROM generate_series(1, 5) i;
SELECT dp.protect('form_cases', 1e9, privacy_unit => 'person', max_rows_per_unit => 2);
SELECT dp_count('*', 1e6), dp_count(DISTINCT person COLLATE "C", 1e6) FROM form_cases;
-- An index under another collation tells other persons apart.
CREATE UNIQUE INDEX ON form_cases (person COLLATE "C");
SELECT is_unique FROM dp.units WHERE relation = 'form_cases'::regclass;
SELECT dp_count('*', 1e6) FROM form_cases;
DELETE FROM form_cases WHERE x > 1;
CREATE UNIQUE INDEX ON form_cases (person);
SELECT is_unique FROM dp.units WHERE relation = 'form_cases'::regclass;

-- Indexes that do not hold for all rows that are read.
CREATE TABLE form_visits (person int, x int);
INSERT INTO form_visits VALUES (1, 1), (1, 2), (1, 3);
SELECT dp.protect('form_visits', 1e9, privacy_unit => 'person', max_rows_per_unit => 1);
CREATE UNIQUE INDEX ON form_visits (person) WHERE x = 1;
CREATE UNIQUE INDEX ON form_visits (person, x);
CREATE UNIQUE INDEX ON form_visits ((person + x));
ALTER TABLE form_visits ADD UNIQUE (person, x) DEFERRABLE;
SELECT is_unique, (SELECT dp_count('*', 1e6) FROM form_visits) AS one FROM dp.units WHERE relation = 'form_visits'::regclass;
-- What is left of an index that was not made.
CREATE UNIQUE INDEX CONCURRENTLY form_visits_left ON form_visits (person);
SELECT indisvalid FROM pg_index WHERE indexrelid = 'form_visits_left'::regclass;
SELECT is_unique, (SELECT dp_count('*', 1e6) FROM form_visits) AS one FROM dp.units WHERE relation = 'form_visits'::regclass;
DROP INDEX form_visits_left;
CREATE TABLE form_more () INHERITS (form_visits);
INSERT INTO form_more VALUES (2, 1), (2, 2);
DELETE FROM ONLY form_visits WHERE x > 1;
CREATE UNIQUE INDEX ON form_visits (person);
SELECT is_unique, (SELECT dp_count('*', 1e6) FROM form_visits) AS two, (SELECT dp_count('*', 1e6) FROM ONLY form_visits) AS one
FROM dp.units WHERE relation = 'form_visits'::regclass;
CREATE TABLE form_parts (person int) PARTITION BY LIST (person);
CREATE TABLE form_part PARTITION OF form_parts DEFAULT;
CREATE UNIQUE INDEX ON ONLY form_parts (person);
INSERT INTO form_parts VALUES (1), (1);
SELECT dp.protect('form_parts', 1e9, privacy_unit => 'person', max_rows_per_unit => 1);
SELECT is_unique, (SELECT dp_count('*', 1e6) FROM form_parts) AS one FROM dp.units WHERE relation = 'form_parts'::regclass;
CREATE TABLE form_late (person int UNIQUE DEFERRABLE);
SELECT dp.protect('form_late', 1e9, privacy_unit => 'person', max_rows_per_unit => 1);
BEGIN;
SET CONSTRAINTS ALL DEFERRED;
INSERT INTO form_late VALUES (1), (1), (1);
SELECT dp_count('*', 1e6) AS one FROM form_late;
ROLLBACK;

SET dp.allow_drop = on;
DROP TABLE forms, form_cases, form_more, form_visits, form_parts, form_late;
DROP FUNCTION of_unit;
DROP COLLATION any_case;
