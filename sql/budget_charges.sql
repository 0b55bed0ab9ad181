-- What is charged, and what is not.
CALL own_schema('budget_charges');
SET client_min_messages = warning;
\getenv folder PG_ABS_SRCDIR
\set charged :folder '/test/support/charged.sql'
\set ECHO none
\o /dev/null
\i :charged
\o
\set ECHO all
\set plans :folder '/test/support/plans.sql'
\set ECHO none
\o /dev/null
\i :plans
\o
\set ECHO all
SELECT id, charge_of(query) AS charge, query FROM questions ORDER BY id;
DEALLOCATE p;
DROP TABLE answer, answer_later;
DROP MATERIALIZED VIEW kept;
TRUNCATE shops;
INSERT INTO shops VALUES ('a', 1), ('b', 2), ('c', 3);

-- The same under every plan. (What only CASE keeps from running may run early in a parallel plan, and is charged then.)
CREATE TEMP TABLE costs AS SELECT id, query, charge_of(query, '{work_mem=4MB}') AS charge FROM questions WHERE query ~ '^(SELECT|WITH|INSERT|UPDATE|DELETE|MERGE)' AND query !~ 'CASE';
SELECT p.name, c.query, c.charge, d AS charge_here
FROM plans p, costs c, charge_of(c.query, p.settings || '{work_mem=64kB}'::text[]) d WHERE d <> c.charge;

-- One draw for each charge: at these epsilons two draws never are the same number.
SELECT dp_count('*', 1e-6) = dp_count('*', 1e-6) AS same, dp_count('*', 1e-6) <> dp_count('*', 0.0000011) AS differ FROM charged;
SELECT count(*) FROM (SELECT k FROM charged GROUP BY k HAVING dp_count(x, 1e-6) = (SELECT dp_count(charged.x, 1e-6))) q;
WITH a AS NOT MATERIALIZED (SELECT dp_count('*', 1e-6) AS n FROM charged) SELECT x.n = y.n AS same FROM a x, a y;
SELECT count(DISTINCT n) FROM generate_series(1, 50), (SELECT dp_count('*', 1e-6) AS n FROM charged) q;
SELECT count(DISTINCT n) FROM (SELECT (SELECT dp_count('*', 1e-6) FROM charged) AS n FROM generate_series(1, 50)) q;
SELECT count(DISTINCT n) FROM (SELECT dp_count('*', 1e-6) AS n FROM charged UNION ALL SELECT dp_count('*', 1e-6) FROM charged) q;
SELECT n = m AS same FROM (SELECT n, n AS m FROM (SELECT (SELECT dp_count('*', 1e-6) FROM charged) AS n) a) b WHERE n = m;
SELECT charge();

-- A value for each row is one question, by group.
SELECT DISTINCT (SELECT dp_count('*', 0.1) FROM charged c WHERE c.k = s.k) IS NOT NULL AS answered FROM shops s;
SELECT charge();
-- A question for each row is refused.
SELECT i, n FROM generate_series(1, 50) i, LATERAL (SELECT dp_count('*', 0.1) AS n FROM charged WHERE x > i) q;
SELECT i, n FROM generate_series(1, 50) i, LATERAL (SELECT dp_sum(x + i, 0, 100, 0.1) AS n FROM charged) q;
SELECT i, n FROM generate_series(1, 50) i, LATERAL (SELECT dp_count('*', 0.1) AS n FROM charged GROUP BY x + i) q;
SELECT i, n FROM generate_series(1, 50) i, LATERAL (SELECT dp_count('*', 0.1) AS n FROM (SELECT * FROM charged WHERE x > i) c) q;
SELECT GROUPING(k), (SELECT dp_count('*', 0.1) FROM charged WHERE g = GROUPING(s.k)) FROM shops s GROUP BY ROLLUP (k);
SELECT (SELECT dp_count(s.x, 0.1) FROM shops LIMIT 1) > 1e9 AS outer_aggregate FROM charged s;
SELECT charge();
-- Nor are answers over windows.
SELECT dp_count('*', 0.1) OVER () FROM charged;
SELECT dp_count('*', 0.1) OVER (ORDER BY k) FROM charged;
-- Parameters from the data, and those that are not what they should be.
SELECT dp_count(x, CASE WHEN k = 'a' THEN float8 '1e6' ELSE float8 '0.1' END) FROM charged;
SELECT dp_sum(x, 0, max(x), 0.1) FROM charged;
SELECT dp_sum(x, 0, id, 0.1) FROM charged;
SELECT dp_count('*', NULL) FROM charged;
SELECT dp_count('*', 0) FROM charged;
SELECT dp_count('*', -1) FROM charged;
SELECT dp_count('*', 'NaN') FROM charged;
SELECT dp_count('*', 'Infinity') FROM charged;
SELECT dp_count('*', 1e-300) FROM charged;
SELECT dp_count('*', 1e308) FROM charged;
SELECT dp_count('*', 0.1), dp_sum(x, 1, 0, 0.1) FROM charged;
SELECT charge();
-- The smallest charge, and one between two steps of the books: it is rounded up.
SELECT charge_of($$SELECT dp_count('*', 1e-9) FROM charged$$), charge_of($$SELECT dp_count('*', 1.4e-9) FROM charged$$);
-- The setting is read once
SET dp.epsilon = 0.5;
SELECT charge_of($$SELECT set_config('dp.epsilon', '100', false)::bigint UNION ALL SELECT dp_count(*) FROM charged$$);
SELECT charge_of($$SELECT dp_count(*) FROM charged$$);
RESET dp.epsilon;
-- Responses that were randomized before are no question to this table.
SELECT dp_rr_histogram(k, ARRAY['a', 'b'], 0.1) FROM charged;
-- What would take another sample of the rows, or more rows than there are.
SELECT dp_count('*', 0.1) FROM charged TABLESAMPLE SYSTEM (10);
SELECT dp_count('*', 0.1) FROM charged WHERE random() < 0.5;
SELECT dp_count('*', 0.1) FROM (SELECT * FROM charged FOR UPDATE) c;
SELECT dp_count('*', 0.1) FROM charged GROUP BY generate_series(1, x);
SELECT dp_count('*', 0.1) FROM (SELECT generate_series(1, x) FROM charged) c;
-- What would count a row twice.
SELECT dp_count('*', 0.1) FROM charged, generate_series(1, 1000);
SELECT dp_count('*', 0.1) FROM charged a JOIN charged b USING (k);
SELECT dp_count('*', 0.1) FROM (SELECT k FROM charged UNION ALL SELECT k FROM charged) c;
SELECT charge();
-- An empty input gives a number, in a parallel plan too; NULL is a group, and groups come in order
SELECT dp_count('*', 0.1) IS NOT NULL AS n, dp_sum(x, 0, 100, 0.1) IS NOT NULL AS s, dp_avg(x, 0, 100, 0.1) BETWEEN 0 AND 100 AS a FROM charged WHERE k = 'bob';
SET min_parallel_table_scan_size = 0; SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0;
SELECT dp_count('*', 0.1) IS NOT NULL AS n, dp_sum(x, 0, 100, 0.1) IS NOT NULL AS s, dp_avg(x, 0, 100, 0.1) BETWEEN 0 AND 100 AS a FROM charged WHERE k = 'bob';
RESET min_parallel_table_scan_size; RESET parallel_setup_cost; RESET parallel_tuple_cost;
SELECT k, dp_count('*', 100) FROM charged GROUP BY k;
-- Expressions on keys belong to the post
SELECT charge_of($$SELECT (g + 32766)::smallint, dp_count('*', 0.1) FROM charged GROUP BY g$$);
SELECT charge_of($$SELECT g FROM charged GROUP BY g HAVING (g + 32766)::smallint > 0 AND dp_count('*', 0.1) > -1000$$);
SELECT charge();
