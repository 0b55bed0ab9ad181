-- Casts with a length or a scale in keys: their type, with both, is what a prepared statement has told. epsilon 1e5 makes counts exact.
SET client_min_messages = error;
\set SHOW_CONTEXT never
CALL own_schema('plain_casts');
CREATE ROLE regress_casts_ana;
CREATE DOMAIN price AS numeric(6, 2);
CREATE TABLE t (id int PRIMARY KEY, i int NOT NULL, s text NOT NULL, d price NOT NULL);
INSERT INTO t SELECT g, g % 3, 'v' || g % 3, g % 2 FROM generate_series(1, 60) g;
SELECT dp.protect('t', 9e9), dp.grant_budget('t', 'regress_casts_ana', 9e9, allow_leaks => true), dp.declare_range('t', 'i', 0, 2), dp.declare_values('t', 's', 'v0', 'v1', 'v2'),
    dp.declare_values('t', 'd', 0::price, 1::price);
SET dp.epsilon = 1e5;
SET ROLE regress_casts_ana;
PREPARE z AS SELECT i::numeric(4, 1), count(*) FROM t GROUP BY 1 ORDER BY 1;
EXECUTE z;
PREPARE single AS SELECT DISTINCT i::numeric(4, 1) AS v FROM t ORDER BY 1;
EXECUTE single;
PREPARE within AS SELECT i::numeric(4, 1)::text || '!', CASE WHEN i > 0 THEN i::numeric(5, 2) END, i::text::numeric(3, 1), count(*) FROM t GROUP BY 1, 2, 3 HAVING count(*) > 5 ORDER BY 1;
EXECUTE within;
PREPARE texts AS SELECT s::varchar(1), s::char(4), i::text::varchar(2), count(*) FROM t GROUP BY 1, 2, 3 HAVING count(*) > 5 ORDER BY 2;
EXECUTE texts;
PREPARE domains AS SELECT d, d::numeric(3, 1), count(*) FROM t GROUP BY 1, 2 HAVING count(*) > 5 ORDER BY 1;
EXECUTE domains;
PREPARE sets AS SELECT i::numeric(4, 1) FROM t GROUP BY 1 UNION SELECT 7::numeric(4, 1) ORDER BY 1;
EXECUTE sets;
PREPARE answers AS SELECT count(*)::numeric(8, 1), sum(i)::numeric(6, 2), sum(i::numeric(4, 1))::numeric(6, 2), count(DISTINCT i::numeric(4, 1)) FROM t;
EXECUTE answers;
-- as views and tables have it
CREATE TEMP TABLE made AS SELECT i::numeric(4, 1) AS v, count(*) FROM t GROUP BY 1;
SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'made'::regclass AND attname = 'v';
RESET ROLE;
SELECT dp.unprotect('t');
DROP SCHEMA plain_casts CASCADE;
DROP OWNED BY regress_casts_ana;
DROP ROLE regress_casts_ana;
