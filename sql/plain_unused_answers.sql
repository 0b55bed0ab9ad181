-- Aggregates of a subquery that nothing above it reads are not drawn and not charged: lists for filters, counts of groups. The groups
-- are the same. What is read in any way stays.
CALL own_schema('plain_unused_answers');
SET client_min_messages = error;
CREATE TABLE stay (id int PRIMARY KEY, ward text NOT NULL, cost int NOT NULL);
INSERT INTO stay SELECT i, (ARRAY['a', 'b', 'c'])[1 + i % 3], i % 50 FROM generate_series(1, 300) i;
CREATE TABLE ward (ward text PRIMARY KEY);
INSERT INTO ward VALUES ('a'), ('b');
CREATE ROLE regress_unused_ana;
GRANT SELECT ON ward TO regress_unused_ana;
SELECT dp.protect('stay', 1e9), dp.grant_budget('stay', 'regress_unused_ana', 1e9, allow_leaks => true);
SELECT dp.declare_values('stay', 'ward', 'a', 'b', 'c', 'd'), dp.declare_range('stay', 'cost', 0, 100);
SET ROLE regress_unused_ana;
SET dp.epsilon = 1000;
-- As tools send it
SELECT count(*) FROM (SELECT ward, count(*), sum(cost) FROM stay GROUP BY ward) AS virtual_table;
SELECT ward FROM (SELECT ward, count(*) AS n FROM stay GROUP BY ward ORDER BY ward LIMIT 100) AS list;
SELECT ward, n FROM (SELECT ward, count(*) AS n, avg(cost) AS mean FROM stay GROUP BY ward) AS t ORDER BY ward;
SELECT sum(n) AS n FROM (SELECT ward, count(*) AS n, 1 + avg(cost) * sum(cost) AS mean FROM stay GROUP BY ROLLUP (ward)) AS t;
SELECT count(*) FROM (SELECT ward, dp_count('*', 5), dp_avg(cost, 0, 100, 5) FROM stay GROUP BY ward) AS t;
-- What each has cost: nothing, nothing, a count, two counts (ROLLUP), nothing
SELECT * FROM dp.cost('SELECT count(*) FROM (SELECT ward, count(*), sum(cost) FROM stay GROUP BY ward) AS virtual_table');
SELECT * FROM dp.cost('SELECT ward FROM (SELECT ward, count(*) AS n FROM stay GROUP BY ward ORDER BY ward LIMIT 100) AS list');
SELECT * FROM dp.cost('SELECT ward, n FROM (SELECT ward, count(*) AS n, avg(cost) AS mean FROM stay GROUP BY ward) AS t');
SELECT * FROM dp.cost('SELECT sum(n) FROM (SELECT ward, count(*) AS n, avg(cost) AS mean FROM stay GROUP BY ROLLUP (ward)) AS t');
SELECT * FROM dp.cost('SELECT count(*) FROM (SELECT ward, dp_count(''*'', 5), dp_avg(cost, 0, 100, 5) FROM stay GROUP BY ward) AS t');
SELECT epsilon FROM dp.ledger WHERE relation = 'stay'::regclass ORDER BY seq;
SELECT dp.private_form('SELECT ward, n FROM (SELECT ward, count(*) AS n, avg(cost) AS mean FROM stay GROUP BY ward) AS t');
-- Read, if not by a column in the select list: each costs its 1000 or 2000.
SELECT question, epsilon FROM unnest(ARRAY[
    'SELECT ward FROM (SELECT ward, count(*) AS n FROM stay GROUP BY ward HAVING count(*) > 5) AS t',
    'SELECT ward FROM (SELECT ward, count(*) AS n FROM stay GROUP BY ward ORDER BY count(*) LIMIT 2) AS t',
    'SELECT ward FROM (SELECT ward, count(*) AS n FROM stay GROUP BY ward) AS t WHERE n > 5',
    'SELECT ward FROM (SELECT ward, count(*) AS n FROM stay GROUP BY ward) AS t ORDER BY n',
    'SELECT t FROM (SELECT ward, count(*) AS n FROM stay GROUP BY ward) AS t',
    'SELECT count(t) FROM (SELECT ward, count(*) AS n FROM stay GROUP BY ward) AS t',
    'SELECT ward FROM (SELECT DISTINCT ward, count(*) AS n FROM stay GROUP BY ward) AS t',
    'SELECT ward FROM (SELECT ward, count(*) AS n FROM stay GROUP BY ward UNION SELECT ''x'', 1) AS t',
    'SELECT ward FROM (SELECT ''x'' AS ward, 1 AS n UNION ALL SELECT ward, count(*) FROM stay GROUP BY ward) AS t',
    'SELECT t.ward FROM (SELECT ward, count(*) AS n FROM stay GROUP BY ward) AS t, LATERAL (SELECT t.n OFFSET 0) AS x',
    'SELECT (SELECT t.n + 1 FROM ward LIMIT 1) FROM (SELECT ward, count(*) AS n FROM stay GROUP BY ward) AS t',
    'SELECT n FROM (SELECT ward, count(*) AS n FROM stay GROUP BY ward) AS t JOIN ward USING (ward)',
    'SELECT sum(n) OVER () FROM (SELECT ward, count(*) AS n FROM stay GROUP BY ward) AS t',
    'SELECT ward FROM (SELECT ward, generate_series(1, 1 + 0 * count(*)::int) FROM stay GROUP BY ward) AS t',
    'SELECT 1 FROM (SELECT count(*) AS n FROM stay) AS t']) AS question, dp.cost(question) WHERE role IS NOT NULL;
-- One row, as it was, of a level without GROUP BY
SELECT 1 AS one FROM (SELECT count(*) AS n FROM stay) AS t;
SELECT ward FROM (SELECT DISTINCT ward, count(*) AS n FROM stay GROUP BY ward) AS t WHERE ward < 'b';
SELECT ward FROM (SELECT ward, count(*) AS n FROM stay GROUP BY ward UNION SELECT 'x', 1) AS t ORDER BY ward;
SELECT count(t) FROM (SELECT ward, count(*) AS n FROM stay GROUP BY ward) AS t WHERE t.* IS NOT NULL;
RESET ROLE;
-- Groups that are chosen privately are charged; without answers there is nothing to keep.
SELECT dp.protect('stay', 1e9, 0.1, group_epsilon => 100, group_delta => 1e-9), dp.grant_budget('stay', 'regress_unused_ana', 1e9, 0.1, allow_leaks => true);
SET ROLE regress_unused_ana;
SELECT count(*) FROM (SELECT cost % 2, count(*) FROM stay WHERE cost % 2 >= 0 GROUP BY (id - 1) / 100, cost % 2) AS t;
SELECT dp_last_release() IS NULL AS none;
SELECT DISTINCT (id - 1) / 100 AS third FROM stay ORDER BY third;
SELECT dp_last_release() IS NULL AS none;
RESET ROLE;
-- Who may read the table gets what is there, as always.
SELECT count(*) FROM (SELECT ward, count(*), sum(cost) FROM stay GROUP BY ward) AS virtual_table;
SELECT dp.unprotect('stay');
DROP SCHEMA plain_unused_answers CASCADE;
DROP OWNED BY regress_unused_ana;
DROP ROLE regress_unused_ana;
