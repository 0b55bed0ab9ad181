-- A join with a subquery of answers on its group keys, as tools write for the top N of a series: the answers are public, the join says
-- which groups are shown. Each of both is asked, and charged, once.
CALL own_schema('plain_top');
SET client_min_messages = warning;
CREATE ROLE regress_top_ana;
CREATE TABLE stay (id int PRIMARY KEY, ward text, age int NOT NULL, cost float8 NOT NULL, admitted date NOT NULL);
INSERT INTO stay SELECT i, (ARRAY['a', 'b', 'b', 'c', 'c', 'c', 'd', NULL])[1 + i % 8], i % 100, i % 50, '2024-01-01'::date + i % 91 FROM generate_series(0, 7999) i;
SELECT dp.protect('stay', 1e9, answer_epsilon => 1e6);
SELECT dp.grant_budget('stay', 'regress_top_ana', 1e9, allow_leaks => true);
SELECT dp.declare_values('stay', 'ward', 'a', 'b', 'c', 'd');
SELECT dp.declare_range('stay', 'cost', 0, 50), dp.declare_range('stay', 'age', 0, 100), dp.declare_range('stay', 'admitted', '2024-01-01', '2024-03-31');
CREATE TABLE plain AS SELECT * FROM stay;
GRANT SELECT ON plain TO regress_top_ana;
CREATE FUNCTION charged(OUT charges bigint, OUT epsilon numeric) RETURNS record LANGUAGE sql SECURITY DEFINER
    AS $$ SELECT count(*), sum(l.epsilon) FROM dp.ledger l WHERE l.relation = 'plain_top.stay'::regclass $$;
SET ROLE regress_top_ana;

-- As Superset sends it.
SELECT DATE_TRUNC('month', admitted) AS admitted, ward AS ward, count(*) AS count FROM stay
JOIN (SELECT ward AS ward__, count(*) AS mme_inner__ FROM stay GROUP BY ward ORDER BY count(*) DESC LIMIT 2) AS series_limit ON ward = ward__
GROUP BY DATE_TRUNC('month', admitted), ward ORDER BY count DESC LIMIT 10000;
SELECT * FROM charged();
SELECT DATE_TRUNC('month', admitted) AS admitted, ward AS ward, count(*) AS count FROM plain
JOIN (SELECT ward AS ward__, count(*) AS mme_inner__ FROM plain GROUP BY ward ORDER BY count(*) DESC LIMIT 2) AS series_limit ON ward = ward__
GROUP BY DATE_TRUNC('month', admitted), ward ORDER BY count DESC LIMIT 10000;
-- As Tableau does.
SELECT "stay"."ward" AS "ward", SUM("stay"."age") AS "sum:age:ok" FROM "stay" INNER JOIN (
  SELECT "stay"."ward" AS "ward", SUM("stay"."age") AS "$__alias__0" FROM "stay" GROUP BY 1 ORDER BY 2 DESC NULLS LAST LIMIT 3
) "t0" ON (NOT ("stay"."ward" IS DISTINCT FROM "t0"."ward")) WHERE ("stay"."age" < 50) GROUP BY 1 ORDER BY 1;
SELECT "stay"."ward" AS "ward", SUM("stay"."age") AS "sum:age:ok" FROM plain AS "stay" INNER JOIN (
  SELECT "stay"."ward" AS "ward", SUM("stay"."age") AS "$__alias__0" FROM plain AS "stay" GROUP BY 1 ORDER BY 2 DESC NULLS LAST LIMIT 3
) "t0" ON (NOT ("stay"."ward" IS DISTINCT FROM "t0"."ward")) WHERE ("stay"."age" < 50) GROUP BY 1 ORDER BY 1;
-- With a comma, as a CTE, through wrappers, beside conditions and HAVING, with several keys, two of them.
SELECT s.ward, round(avg(cost)::numeric, 3) AS avg FROM stay s, (SELECT ward FROM (SELECT ward, count(*) AS n FROM stay GROUP BY ward) t WHERE n > 1500) top
WHERE s.ward = top.ward AND s.age >= 0 GROUP BY s.ward HAVING count(*) > 2500;
WITH top AS (SELECT ward, count(*) AS n FROM stay GROUP BY ward ORDER BY 2 DESC LIMIT 1) SELECT s.ward, count(*) FROM stay s JOIN top USING (ward) GROUP BY s.ward;
SELECT s.ward, extract(month FROM admitted) AS month, count(*) FROM stay s
JOIN (SELECT ward, extract(month FROM admitted) AS month FROM stay GROUP BY 1, 2 ORDER BY count(*) DESC, 2 LIMIT 2) top
    ON top.ward = s.ward AND extract(month FROM s.admitted) = top.month
JOIN (SELECT ward FROM stay GROUP BY ward ORDER BY sum(cost) DESC LIMIT 3) other ON s.ward = other.ward GROUP BY s.ward, 2 ORDER BY 1, 2;
SELECT * FROM charged();
-- The same question on both sides is one draw each, and where answers are stored one in all.
EXPLAIN (COSTS OFF) SELECT s.ward, count(*) FROM stay s JOIN (SELECT ward FROM stay GROUP BY ward ORDER BY count(*) DESC LIMIT 2) top ON s.ward = top.ward GROUP BY s.ward;

-- What is no filter of groups: rows would be counted as often as there are answers, or by answers that are no keys.
\set VERBOSITY terse
SELECT count(*) FROM stay s JOIN (SELECT ward FROM stay GROUP BY ward ORDER BY count(*) DESC LIMIT 2) top ON s.ward = top.ward;
SELECT s.ward, count(*) FROM stay s JOIN (SELECT ward, admitted FROM stay GROUP BY ward, admitted) top ON s.ward = top.ward GROUP BY s.ward;
SELECT s.age, count(*) FROM stay s JOIN (SELECT ward, count(*) AS n FROM stay GROUP BY ward) top ON s.age = top.n GROUP BY s.age;
SELECT s.ward, count(*) FROM stay s LEFT JOIN (SELECT ward FROM stay GROUP BY ward) top ON s.ward = top.ward GROUP BY s.ward;
SELECT s.ward, count(*) FROM stay s JOIN (SELECT ward, count(*) AS n FROM stay GROUP BY ward) top ON s.ward = top.ward AND s.cost < n GROUP BY s.ward;
SELECT s.ward, sum(top.n) FROM stay s JOIN (SELECT ward, count(*) AS n FROM stay GROUP BY ward) top ON s.ward = top.ward GROUP BY s.ward;
SELECT s.ward, count(*) FROM stay s JOIN (SELECT ward FROM stay GROUP BY ROLLUP (ward)) top ON s.ward = top.ward GROUP BY s.ward;
SELECT s.ward, count(*) FROM stay s JOIN (SELECT ward, generate_series(1, 2) FROM stay GROUP BY ward) top ON s.ward = top.ward GROUP BY s.ward;
CREATE FUNCTION pg_temp.same(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT true';
CREATE OPERATOR pg_temp.=== (FUNCTION = pg_temp.same, LEFTARG = text, RIGHTARG = text);
SELECT s.ward, count(*) FROM stay s JOIN (SELECT ward FROM stay GROUP BY ward) top ON s.ward OPERATOR(pg_temp.===) top.ward GROUP BY s.ward;
\set VERBOSITY default
SELECT * FROM charged();
DROP OPERATOR pg_temp.=== (text, text);
DROP FUNCTION pg_temp.same(text, text);
RESET ROLE;
-- Who reads the rows counts them, and asks privately.
SELECT s.ward, count(*) FROM stay s JOIN (SELECT ward FROM stay GROUP BY ward ORDER BY dp_count('*', 1e6) DESC LIMIT 2) top ON s.ward = top.ward GROUP BY s.ward ORDER BY 1;
SELECT count(*) FROM stay s JOIN (SELECT ward, dp_count('*', 1e6) AS n FROM stay GROUP BY ward) top ON s.ward = top.ward AND s.id < top.n;
DROP TABLE stay, plain CASCADE;
DROP ROLE regress_top_ana;
