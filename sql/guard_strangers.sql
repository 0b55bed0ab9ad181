-- Statements that read no protected table and call no aggregate of ours are PostgreSQL's own, in a database without the extension and in
-- one with it.
SET client_min_messages = warning;
DROP DATABASE IF EXISTS regress_strangers;
CREATE DATABASE regress_strangers TEMPLATE template0;
\set before :DBNAME
\c regress_strangers
SET client_min_messages = warning;
\set VERBOSITY terse

-- ---- without the extension
CREATE TABLE visits AS SELECT i, i % 3 AS ward FROM generate_series(1, 10) i;
-- Utility statements that the guard asks about where there is something to hide.
DO $$ BEGIN EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, VERBOSE) SELECT count(*) FROM visits'; END $$;
ANALYZE (VERBOSE) nowhere;
VACUUM (VERBOSE) nowhere;
CLUSTER (VERBOSE) nowhere;
SET client_min_messages = debug1;
REINDEX TABLE nowhere;
SET client_min_messages = warning;
-- A schema of that name is not yet the extension.
CREATE SCHEMA dp;
ANALYZE (VERBOSE) nowhere;
DO $$ BEGIN EXECUTE 'EXPLAIN (ANALYZE, BUFFERS) SELECT count(*) FROM visits'; END $$;
DROP SCHEMA dp;
-- What is only sorted by is no column.
SELECT count(*) = 2 * (SELECT count(*) FROM pg_class) AS twice
    FROM pg_class v CROSS JOIN LATERAL (SELECT a FROM (VALUES (1, 2), (3, 4)) x (a, b) ORDER BY b) t;

-- ---- with it
CREATE EXTENSION pg_dp;
DO $$ BEGIN EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, VERBOSE) SELECT count(*) FROM visits'; END $$;
ANALYZE (VERBOSE) nowhere;
-- Which value is meant PostgreSQL says.
EXPLAIN (BUFFERS perhaps) SELECT 1;
VACUUM (VERBOSE perhaps) visits;
SELECT count(*) = 2 * (SELECT count(*) FROM pg_class) AS twice
    FROM pg_class v CROSS JOIN LATERAL (SELECT a FROM (VALUES (1, 2), (3, 4)) x (a, b) ORDER BY b) t;
SELECT sum(x) FROM visits v CROSS JOIN LATERAL (SELECT unnest(ARRAY[v.i, v.ward]) AS x ORDER BY v.ward) t;
SELECT string_agg(k, '' ORDER BY k) FROM visits v CROSS JOIN LATERAL
    (SELECT k FROM unnest(ARRAY['a', 'b'], ARRAY[v.i, v.ward]) u (k, x) ORDER BY x DESC) t;
-- An SQL function in FROM stands where it stood: of one that is read as a whole the server looks at the shape.
CREATE TABLE foo (f1 int, f2 text);
INSERT INTO foo VALUES (1, 'a'), (2, 'b');
CREATE TABLE foochild (fc int) INHERITS (foo);
INSERT INTO foochild VALUES (3, 'child', 9);
CREATE FUNCTION foo_f() RETURNS SETOF foo STABLE LANGUAGE sql AS 'SELECT * FROM foo OFFSET 0';
UPDATE foo SET f2 = foo_f.f2 FROM foo_f() WHERE foo_f.f1 = foo.f1 RETURNING foo_f;

-- ---- beside a protected table
CREATE TABLE stays (id int PRIMARY KEY, ward int, cost int);
INSERT INTO stays SELECT i, i % 3, i % 50 FROM generate_series(1, 100) i;
CREATE TABLE whole (id int);
CREATE TABLE part (LIKE stays) INHERITS (whole);
INSERT INTO part SELECT * FROM stays;
SELECT dp.protect('stays', 1e9, answer_epsilon => 1e6), dp.protect('part', 1e9, answer_epsilon => 1e6);
CREATE ROLE regress_strangers_ana;
SELECT dp.grant_budget(t, 'regress_strangers_ana', 1e9, allow_leaks => true) FROM unnest(ARRAY['stays', 'part']::regclass[]) t;
CREATE FUNCTION stays_from(first int DEFAULT 0, last int DEFAULT 1000) RETURNS SETOF stays STABLE LANGUAGE sql
    AS 'SELECT * FROM stays WHERE id > first AND id <= last';
CREATE FUNCTION stays_above(first int) RETURNS SETOF stays STABLE LANGUAGE sql AS 'SELECT * FROM stays_from(first)';
CREATE FUNCTION count_of(anyelement) RETURNS TABLE (kind anyelement, n bigint) STABLE LANGUAGE sql AS 'SELECT $1, count(*) FROM stays';
CREATE FUNCTION visits_from(first int) RETURNS SETOF visits STABLE LANGUAGE sql AS 'SELECT * FROM visits WHERE i > first';
CREATE FUNCTION told(int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN RAISE WARNING 'told'; RETURN $1; END $$;
CREATE VIEW all_stays AS SELECT * FROM stays;
GRANT SELECT ON visits, all_stays TO regress_strangers_ana;
SET ROLE regress_strangers_ana;
-- What reads it is found: by name, through a view, inheritance, and functions that the planner puts in their places.
SELECT count(*) FROM stays;
SELECT * FROM stays;
SELECT (SELECT count(*) FROM stays), (WITH a AS (SELECT count(*) AS n FROM stays) SELECT n FROM a), count(*) FROM visits;
SELECT max(i + (SELECT count(*) FROM stays)), count(*) FILTER (WHERE i >= (SELECT count(*) FROM stays)) FROM visits;
SELECT 1 FROM visits WHERE i = (SELECT id FROM stays);
SELECT 1 FROM visits WHERE EXISTS (SELECT FROM visits v, LATERAL (SELECT v.i IN (SELECT id FROM stays)) s);
SELECT * FROM whole;
SELECT count(*) FROM stays_from();
SELECT count(*) FROM stays_from(last => 10);
SELECT count(*) FROM stays_above(90);
SELECT * FROM count_of('all'::text);
SELECT (SELECT count(*) FROM stays_above(i)) FROM (VALUES (90)) v (i);
-- One that runs as a statement of its own is refused there.
SELECT count(*) FROM stays_from((random() * 0)::int);
-- The planner looks at arguments once.
SELECT count(*) FROM visits_from(told(3));
RESET ROLE;
SELECT count(*) FROM all_stays;
SELECT count(*) FROM stays_from(3 + (random() * 0)::int);
-- Nor is anything put in its place where that one is not.
UPDATE foo SET f2 = foo_f.f2 FROM foo_f(), stays_from(99 + (random() * 0)::int) WHERE foo_f.f1 = foo.f1 RETURNING foo_f;
-- Put there for another one's sake, it still shows rows of its type.
UPDATE foo SET f2 = foo_f.f2 FROM foo_f(), stays WHERE foo_f.f1 = foo.f1 AND stays.id = 1 RETURNING foo_f;
-- What is wrong with a function that nobody runs does not matter.
CREATE FUNCTION broken() RETURNS SETOF visits STABLE LANGUAGE plpgsql AS $$ BEGIN END $$;
CREATE TABLE gone (LIKE visits);
CREATE OR REPLACE FUNCTION broken() RETURNS SETOF visits STABLE LANGUAGE sql AS 'SELECT * FROM gone';
DROP TABLE gone;
WITH unread AS (SELECT * FROM broken()) SELECT count(*) FROM visits;
WITH unread AS (SELECT * FROM visits WHERE i = (SELECT max(i) FROM broken())) SELECT count(*) FROM visits WHERE i > (SELECT 3);

-- ---- a table that becomes one of ours, and ceases to be
PREPARE asked AS SELECT count(*) FROM visits;
SET ROLE regress_strangers_ana;
EXECUTE asked;
RESET ROLE;
SELECT dp.protect('visits', 1e9, answer_epsilon => 1e6), dp.grant_budget('visits', 'regress_strangers_ana', 1e9, allow_leaks => true);
REVOKE SELECT ON visits FROM regress_strangers_ana;
SET ROLE regress_strangers_ana;
EXECUTE asked;
SELECT count(*) FROM visits;
SELECT * FROM visits;
RESET ROLE;
SELECT dp.unprotect('visits');
SET ROLE regress_strangers_ana;
EXECUTE asked;
RESET ROLE;
DROP EXTENSION pg_dp;
\c :before
DROP DATABASE regress_strangers;
DROP ROLE regress_strangers_ana;
