-- dp.cost: what a query would be charged, without running it.
CALL own_schema('budget_cost');
SET client_min_messages = warning;
\getenv folder PG_ABS_SRCDIR
\set charged :folder '/test/support/charged.sql'
\set ECHO none
\o /dev/null
\i :charged
\o
\set ECHO all
CREATE TABLE tenth AS SELECT i FROM generate_series(1, 50) i;
SELECT dp.protect('tenth', 1);
CREATE ROLE regress_cost_gil;
CREATE ROLE regress_cost_hal;
GRANT SELECT ON charged TO regress_cost_gil;
GRANT SELECT, INSERT ON shops TO regress_cost_gil;
SET client_min_messages = error;
SELECT dp.grant_budget('charged', 'regress_cost_gil', 1, allow_leaks => true);
SELECT charge();
SET ROLE regress_cost_gil;
SELECT * FROM dp.cost($$SELECT k, dp_count('*', 0.1), dp_sum(x, 0, 100, 0.2, 'gaussian(delta=1e-6)') FROM charged GROUP BY k HAVING dp_count('*', 0.1) > 3$$);
SELECT * FROM dp.cost($$SELECT dp_count('*', 50) FROM charged GROUP BY ROLLUP (k, g) UNION ALL SELECT dp_avg(x, 0, 100, 7) FROM charged;$$);
SELECT * FROM dp.cost($$WITH a AS (SELECT dp_count('*', 0.1) AS n FROM charged) SELECT * FROM a x, a y, (SELECT dp_count('*', 0.3) FROM tenth) z$$);
SELECT * FROM dp.cost($$INSERT INTO shops SELECT k, dp_count('*', 0.1) FROM charged GROUP BY k$$);
SELECT * FROM dp.cost($$SELECT k FROM shops$$);
SELECT * FROM dp.cost($$SELECT dp_count('*', 0.1) FROM shops$$);
-- How far off its answers will be: in ranks where one is chosen; NULL where that depends on the data.
SELECT * FROM dp.expected_errors($$SELECT k, dp_count('*', 0.1), dp_sum(x, 0, 100, 0.2), dp_median(x, 0, 100, 0.5), dp_quantiles(x, ARRAY[0.25, 0.5, 0.75], 0, 100, 0.5), dp_max(x, 0, 100, 0.5),
    dp_mode(k, ARRAY['a', 'b'], 0.1) AS m FROM charged GROUP BY k$$);
SELECT * FROM dp.expected_errors($$SELECT k FROM shops$$);
SELECT * FROM dp.expected_errors(NULL);
SELECT * FROM dp.expected_errors($$SELECT x FROM charged$$);
RESET ROLE;
SELECT * FROM dp.cost($$SELECT dp_count('*', 0.1) FROM charged TABLESAMPLE BERNOULLI (10)$$);
SELECT * FROM dp.cost($$SELECT dp_count('*', 0.1), (SELECT dp_count('*', 1e-6) FROM tenth) FROM charged LIMIT 0$$);
-- What it says is what is charged.
SELECT q.id, c.epsilon AS said, q.query FROM questions q, LATERAL (SELECT sum(epsilon) AS epsilon FROM dp.cost(q.query)) c, LATERAL charge_of(q.query, '{work_mem=4MB}') d
WHERE q.query ~ '^(SELECT|WITH|INSERT|UPDATE|DELETE|MERGE)' AND q.query !~ 'kept' AND coalesce(c.epsilon, 0) <> d;
TRUNCATE shops;
INSERT INTO shops VALUES ('a', 1), ('b', 2), ('c', 3);
-- Rules make several queries of one.
CREATE RULE also AS ON INSERT TO shops DO ALSO INSERT INTO seen VALUES ((SELECT dp_count('*', 0.3) FROM charged));
SELECT charge();
SELECT * FROM dp.cost($$INSERT INTO shops SELECT k, dp_count('*', 0.1) FROM charged GROUP BY k$$);
DROP RULE also ON shops;
SELECT charge();
-- Whose account: as it would be at that moment
CREATE VIEW owner_asks AS SELECT dp_count('*', 0.1) AS n FROM charged;
ALTER VIEW owner_asks OWNER TO regress_cost_gil;
SELECT * FROM dp.cost('SELECT n FROM owner_asks');
DROP VIEW owner_asks;
-- What cannot be asked cannot be priced.
SELECT * FROM dp.cost(NULL);
SELECT * FROM dp.cost('');
SELECT * FROM dp.cost('SELECT 1; SELECT 2');
SELECT * FROM dp.cost('SELEKT 1');
SELECT * FROM dp.cost($$SELECT dp_count('*', $1) FROM charged$$);
SELECT * FROM dp.cost($$SELECT dp_count('*', 0) FROM charged$$);
SELECT * FROM dp.cost($$SELECT dp_count('*', 0.1) FROM charged WHERE k IN (SELECT k FROM shops)$$);
SELECT * FROM dp.cost($$SELECT dp_count('*', 0.1) FROM nowhere$$);
SELECT * FROM dp.cost($$EXPLAIN ANALYZE SELECT dp_count('*', 0.1) FROM charged$$);
SELECT * FROM dp.cost($$CREATE TABLE c AS SELECT dp_count('*', 0.1) FROM charged$$);
SELECT * FROM dp.cost($$SELECT dp_count('*', 0.1) INTO c FROM charged$$);
SELECT * FROM dp.cost($$DECLARE c CURSOR FOR SELECT dp_count('*', 0.1) FROM charged$$);
SELECT * FROM dp.cost($$EXECUTE p(1)$$);
SELECT * FROM dp.cost($$DROP TABLE charged$$);
SET ROLE regress_cost_hal;
SELECT * FROM dp.cost($$SELECT dp_count('*', 0.1) FROM charged$$);
RESET ROLE;
BEGIN READ ONLY;
SELECT * FROM dp.cost($$DELETE FROM shops WHERE v < (SELECT dp_count('*', 0.1) FROM charged)$$);
COMMIT;
SELECT charge(), count(*) FROM shops WHERE v = 1;
DROP OWNED BY regress_cost_gil;
SELECT dp.revoke_budget('charged', 'regress_cost_gil');
DROP ROLE regress_cost_gil, regress_cost_hal;
