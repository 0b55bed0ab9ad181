-- Division by a private answer that is 0: NULL above the noise, not an error after the charge. Of empty tables the exact answers are 0;
-- epsilon 1e6 makes the noise vanish.
SET client_min_messages = error;
\set SHOW_CONTEXT never
CALL own_schema('plain_quotients');
CREATE ROLE regress_quotients_ana;
CREATE TABLE stay (id int PRIMARY KEY, ward text NOT NULL, age int NOT NULL, cost float8 NOT NULL);
INSERT INTO stay SELECT i, (ARRAY['a', 'b'])[1 + i % 2], i % 100, i FROM generate_series(1, 200) i;
CREATE TABLE ward (ward text PRIMARY KEY, beds int NOT NULL);
INSERT INTO ward VALUES ('a', 10), ('b', 0), ('c', 5);
GRANT SELECT ON ward TO regress_quotients_ana;
SELECT dp.protect('stay', 9e9), dp.grant_budget('stay', 'regress_quotients_ana', 9e9, allow_leaks => true), dp.declare_values('stay', 'ward', 'a', 'b', 'c'),
    dp.declare_range('stay', 'age', 0, 99), dp.declare_range('stay', 'cost', 0, 200);
SET dp.epsilon = 1e6;
SET ROLE regress_quotients_ana;
SELECT ward, 100.0 * count(*) FILTER (WHERE age > 65) / count(*) AS percent FROM stay GROUP BY ward ORDER BY ward;
-- each form, by / and % and what they are called, of each type
SELECT ward, count(*) / count(*), count(*) % count(*), mod(count(*), count(*)), div(count(*), count(*)), 1 / count(*)::int, 1::smallint / count(*)::smallint, 1 / count(*)::float8, 1 / count(*)::float4,
    sum(age) / count(*), interval '1 day' / count(*) FROM stay GROUP BY ward HAVING count(*) / count(*) IS NULL;
SELECT ward, ln(count(*)), log(count(*)), log(2, count(*)), log10(count(*)::float8), sqrt(count(*) - 1), |/ (count(*) - 1.0), power(count(*), -1), count(*) ^ -0.5, power(count(*)::numeric, -1)
FROM stay GROUP BY ward HAVING ln(count(*)) IS NULL;
-- A function by itself, without any operator.
SELECT ln(count(*)) IS NULL AS none FROM stay WHERE age > 200;
-- in HAVING, ORDER BY, windows, CASE
SELECT ward FROM stay GROUP BY ward HAVING sum(age) / count(*) > 0 ORDER BY 1.0 / count(*), 1;
SELECT ward, rank() OVER (ORDER BY 1.0 / count(*) NULLS FIRST, ward), 100.0 * count(*) / sum(count(*) - count(*)) OVER () AS share, CASE WHEN count(*) > 50 THEN 1 / count(*)::float8 ELSE -1 / count(*)::float8 END FROM stay GROUP BY ward ORDER BY 1;
-- further up: subqueries, CTEs, joins, unions, LATERAL, functions, aggregates of answers
SELECT ward, part * 100.0 / n AS percent FROM (SELECT ward, count(*) FILTER (WHERE age > 50) AS part, count(*) AS n FROM stay GROUP BY ward) q ORDER BY 1;
WITH n AS (SELECT ward, count(*) AS n FROM stay GROUP BY ward), twice AS MATERIALIZED (SELECT ward, n - n AS none FROM n) SELECT n.ward, 1.0 / n.n, n.n / none FROM n JOIN twice USING (ward) ORDER BY 1;
SELECT ward, beds / n AS each FROM ward LEFT JOIN (SELECT ward, count(*) AS n FROM stay GROUP BY ward) q USING (ward) ORDER BY 1;
SELECT 1.0 / n FROM (SELECT count(*) FILTER (WHERE age > 200) AS n FROM stay UNION ALL SELECT 0) q;
SELECT round(1 / x) FROM (SELECT count(*) FILTER (WHERE age > 200) AS n FROM stay) q, LATERAL (VALUES (n), (n + 1.0)) v(x) ORDER BY 1;
SELECT round(1.0 / x) FROM (SELECT count(*) FILTER (WHERE age > 200) AS n FROM stay) q, unnest(ARRAY[n, n + 1]) x ORDER BY 1;
SELECT sum(n) / count(*) FILTER (WHERE n > 1000), 1 / min(n) FROM (SELECT ward, count(*) AS n FROM stay GROUP BY ward) q;
SELECT 1 / count(*) FROM (SELECT ward, count(*) AS n FROM stay GROUP BY ward) q WHERE n > 1000;
SELECT 1.0 / (SELECT count(*) FROM stay WHERE age > 200), (SELECT 1.0 / count(*) FROM stay WHERE age > 200);
SELECT count(*) FROM stay WHERE age < (SELECT 50.0 / count(*) FROM stay WHERE age > 200);
-- compared with what is computed from answers before rows are read: conditions, joins, FILTER, CASE, HAVING, LIMIT
SELECT count(*) FROM stay WHERE age > 10 / (SELECT count(*) FROM stay WHERE age > 200);
SELECT count(*) FROM stay WHERE coalesce(age > 10 % (SELECT count(*) FROM stay WHERE age > 200), age < 50);
SELECT count(*) FROM stay WHERE age > ln((SELECT count(*) FROM stay WHERE age > 200)) OR age > sqrt((SELECT count(*) - 1 FROM stay WHERE age > 200)) OR age > power((SELECT count(*) FROM stay WHERE age > 200), -1) OR age = 1;
SELECT count(*) FROM stay WHERE age > CASE WHEN (SELECT count(*) FROM stay) > 100 THEN 10 / (SELECT count(*) FROM stay WHERE age > 200) ELSE 0 END;
SELECT count(*) FROM stay WHERE age = ANY (ARRAY[1, 10 / (SELECT count(*) FROM stay WHERE age > 200)]);
SELECT count(*), sum(least(greatest(age * (10 / (SELECT count(*) FROM stay WHERE age > 200)), 0), 9)) FROM stay GROUP BY age > 10 / (SELECT count(*) FROM stay WHERE age > 200) ORDER BY 1 DESC;
SELECT count(*) FROM stay JOIN ward ON stay.ward = ward.ward AND age > 10 / (SELECT count(*) FROM stay WHERE age > 200);
SELECT count(*) FROM stay WHERE age < 50 AND age >= 10 / (SELECT count(*) FROM stay WHERE age >= 10 / (SELECT count(*) FROM stay WHERE age > 200));
SELECT count(*) FILTER (WHERE age > 10 / (SELECT count(*) FROM stay WHERE age > 200)), count(*) FILTER (WHERE age < 10) FROM stay;
SELECT count(*) FROM stay HAVING count(*) > 10 / (SELECT count(*) FROM stay WHERE age > 200);
SELECT count(*) FROM stay LIMIT 1 / (SELECT count(*) FROM stay WHERE age > 200);
\getenv folder PG_ABS_SRCDIR
\set explained :folder '/test/support/explained.sql'
\i :explained
SELECT * FROM pg_temp.explained($$SELECT count(*) FROM stay WHERE age > 10 / (SELECT count(*) FROM stay)$$);
-- by a key, whose groups are shown whether or not they have rows
SELECT age, count(*) / age FROM stay WHERE age < 2 GROUP BY age ORDER BY 1;
EXPLAIN (COSTS off) SELECT ward, 1.0 / count(*), ln(sum(age)) FROM stay GROUP BY ward;
EXPLAIN (COSTS off) SELECT 100 / count(*) FROM stay HAVING sqrt(count(*)) > 2;
-- What is computed from no answer stays as it is.
SELECT ward, n / beds FROM ward JOIN (SELECT ward, count(*) AS n FROM stay GROUP BY ward) q USING (ward) ORDER BY 1;
SELECT ward, n / (beds - beds) FROM ward JOIN (SELECT ward, count(*) AS n FROM stay GROUP BY ward) q USING (ward) ORDER BY 1;
SELECT count(*), 1 / 0 FROM stay;
SELECT 1 / beds FROM ward;
EXPLAIN (COSTS off) SELECT ward, count(*) / 2, sqrt(2) FROM stay GROUP BY ward;
-- Subquery above subquery, each read twice: every column is looked at once, not twice as often at each.
SELECT repeat('SELECT n / (1 + n) AS n, a / (1 + n) AS a FROM (', 40) || 'SELECT beds AS n, (SELECT count(*) FROM stay) AS a FROM ward' || repeat(' OFFSET 0) q', 40) AS deep \gset
SET statement_timeout = '60s';
SELECT n, count(a) FROM (:deep) q GROUP BY n;
RESET statement_timeout;
RESET ROLE;
SELECT dp.unprotect('stay');
DROP SCHEMA plain_quotients CASCADE;
DROP OWNED BY regress_quotients_ana;
DROP ROLE regress_quotients_ana;
