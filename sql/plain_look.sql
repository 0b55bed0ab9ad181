-- A tool's look at the columns: no row is asked for, so nothing is computed, as PostgreSQL computes nothing then.
SET client_min_messages = error;
\set SHOW_CONTEXT never
CALL own_schema('plain_look');
CREATE ROLE regress_look_ana;
CREATE TABLE t (id int PRIMARY KEY, i int, s text NOT NULL);
INSERT INTO t SELECT g, g % 3, 'v' || g % 3 FROM generate_series(1, 60) g;
SELECT dp.protect('t', 9e9), dp.grant_budget('t', 'regress_look_ana', 9e9, allow_leaks => true);
SET ROLE regress_look_ana;
SELECT 1 / coalesce(i, 0), count(*) FROM t WHERE 1 = 0 GROUP BY 1;
SELECT sum(1 / coalesce(i, 0)), 1 / (1 + count(*)) FROM t WHERE false;
SELECT ln(coalesce(i, 0)), coalesce(s, 'x')::int, count(*) FROM t WHERE 1 = 0 GROUP BY 1, 2;
SELECT * FROM (SELECT 1 / coalesce(i, 0), count(*) FROM t GROUP BY 1) q WHERE 1 = 0;
SELECT * FROM (SELECT 1 / coalesce(i, 0), coalesce(s, 'x')::int FROM t) q LIMIT 0;
SET dp.preview = 'empty';
SELECT 1 / coalesce(i, 0) FROM t;
RESET dp.preview;
RESET ROLE;
SELECT dp.unprotect('t');
DROP SCHEMA plain_look CASCADE;
DROP OWNED BY regress_look_ana;
DROP ROLE regress_look_ana;
