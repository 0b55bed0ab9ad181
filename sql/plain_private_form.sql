-- dp.private_form shows statements that can be run, and answer the same: also where the answer of one row that is joined is taken out of
-- FROM, and with it joins whose columns others name.
SET client_min_messages = warning;
CREATE ROLE regress_form_ana;
CREATE TABLE form_people (id int PRIMARY KEY, region text, gone int, age int);
ALTER TABLE form_people DROP gone;
CREATE TABLE form_orders (id int, person int REFERENCES form_people, total int, k text);
INSERT INTO form_people SELECT i, chr(97 + i % 3), i % 90 FROM generate_series(1, 100) i;
INSERT INTO form_orders SELECT i, 1 + i % 100, i % 50, chr(97 + i % 4) FROM generate_series(1, 400) i;
SELECT dp.protect('form_people', 1e9, privacy_unit => 'id', max_rows_per_unit => 1, answer_epsilon => 1e6),
       dp.protect('form_orders', 1e9, privacy_unit => 'person', max_rows_per_unit => 8, answer_epsilon => 1e6);
SELECT dp.declare_range('form_orders', 'total', 0, 50), dp.declare_range('form_people', 'age', 0, 90),
       dp.declare_values('form_people', 'region', 'a', 'b', 'c'),
       dp.declare_values('form_orders', 'k', 'a', 'b', 'c', 'd');
SELECT dp.grant_budget(t, 'regress_form_ana', 1e9, 0.1, allow_leaks => true) FROM unnest('{form_people, form_orders}'::regclass[]) t;
CREATE TABLE form_questions (number int GENERATED ALWAYS AS IDENTITY, query text);
-- What their owner may read is read through them.
CREATE VIEW form_regions AS SELECT id, region, upper(region) AS name FROM form_people WHERE age > 10;
CREATE VIEW form_counted AS SELECT region, count(*) AS n FROM form_people GROUP BY region;
CREATE VIEW form_own WITH (security_invoker) AS SELECT region, count(*) AS n FROM form_people GROUP BY region;
GRANT SELECT ON form_questions, form_regions, form_counted, form_own TO regress_form_ana;
INSERT INTO form_questions (query) VALUES
    ($$SELECT count(*) FROM form_orders o CROSS JOIN (SELECT avg(total) AS m FROM form_orders) s WHERE o.total > s.m$$),
    ($$SELECT count(*) FROM form_orders o JOIN (SELECT avg(total) AS m FROM form_orders) s ON o.total > s.m$$),
    ($$WITH s AS (SELECT avg(total) AS m FROM form_orders) SELECT count(*) FROM s JOIN form_orders o ON o.total > s.m$$),
    ($$SELECT count(*) FROM form_orders o CROSS JOIN (SELECT avg(total) AS m FROM form_orders) s JOIN form_people p ON p.id = o.person WHERE o.total > s.m$$),
    -- joined to what a subquery about one person answers
    ($$SELECT count(*) FROM form_people p WHERE (SELECT count(*) FROM form_orders o WHERE o.person = p.id) = 4$$),
    ($$SELECT sum(x.n) FROM form_people p, LATERAL (SELECT count(*) AS n FROM form_orders o WHERE o.person = p.id) x$$),
    ($$SELECT count(*) FROM form_people p GROUP BY (SELECT max(total) > 40 FROM form_orders o WHERE o.person = p.id)$$),
    -- it has a column for each of both sides: those behind it are at other places now
    ($$SELECT region, count(*), sum(total) FROM (SELECT avg(total) AS m FROM form_orders) s JOIN form_orders o ON total > m JOIN form_people p ON p.id = person GROUP BY region ORDER BY region$$),
    ($$SELECT j.region, count(*) FROM (SELECT avg(total) AS m FROM form_orders) s CROSS JOIN (form_orders o JOIN form_people p ON p.id = o.person) AS j (number, person, total, k, id, region) WHERE total > m GROUP BY region ORDER BY region$$),
    ($$SELECT region, count(*) FROM (SELECT avg(total) AS m FROM form_orders) s CROSS JOIN form_orders o JOIN (SELECT id AS person, region FROM form_people) p USING (person) WHERE total > m GROUP BY region ORDER BY region$$),
    ($$SELECT a.region, count(*) FROM ((SELECT avg(total) AS m FROM form_orders) s CROSS JOIN form_orders o) AS j (m, id, person, amount) JOIN (SELECT id AS person, region FROM form_people) p USING (person) AS u JOIN (VALUES ('a', 1), ('b', 2)) AS a (region, n) ON a.region = p.region WHERE amount > m AND u.person > 3 GROUP BY 1 ORDER BY 1$$),
    ($$SELECT count(*) FROM (SELECT count(*) / 10 AS total FROM form_people) s NATURAL JOIN form_orders$$),
    ($$SELECT count(*) FROM (SELECT count(*) AS n FROM form_people) a CROSS JOIN (SELECT avg(age) AS m FROM form_people) b CROSS JOIN form_orders o WHERE total < n AND total > m$$),
    -- in a question that is asked apart: what is limited in several ways, levels
    ($$SELECT round(avg(total - n / 2.0) * 2) AS twice, count(DISTINCT n) AS values FROM form_orders CROSS JOIN (SELECT count(*) AS n FROM form_people) s$$),
    ($$SELECT k, round(sum(total - n)) AS sum, count(*) AS rows FROM form_orders CROSS JOIN (SELECT count(*) AS n FROM form_people) s GROUP BY ROLLUP (k) ORDER BY k$$),
    ($$SELECT region, round(sum(n)) AS sum, count(DISTINCT age) AS ages FROM form_people CROSS JOIN (SELECT count(*) AS n FROM form_orders) s GROUP BY region ORDER BY region$$),
    -- on one side of a join that stays
    ($$SELECT count(*) FROM (form_orders o CROSS JOIN (SELECT avg(total) AS m FROM form_orders) s) JOIN (VALUES ('a'), ('b')) AS v (k) USING (k) WHERE o.total > s.m$$),
    ($$SELECT (SELECT count(*) FROM form_orders o CROSS JOIN (SELECT avg(total) AS m FROM form_orders) s WHERE o.total > s.m) + 1 AS one_more$$),
    -- the largest groups, which stay in FROM
    ($$SELECT o.k, count(*) FROM form_orders o JOIN (SELECT k, count(*) AS n FROM form_orders WHERE total > 24 GROUP BY k ORDER BY n DESC, k LIMIT 2) top ON top.k = o.k GROUP BY o.k ORDER BY o.k$$),
    ($$WITH top AS (SELECT region FROM (SELECT p.region, count(*) AS n FROM form_people p GROUP BY p.region) g WHERE n > 33) SELECT p.region, sum(o.total) FROM form_orders o JOIN form_people p ON p.id = o.person JOIN top USING (region) GROUP BY p.region ORDER BY p.region$$),
    -- views are named, unless calls are written into them
    ($$SELECT region, count(*) FROM form_regions GROUP BY region ORDER BY region$$),
    ($$SELECT count(*) FROM form_orders o JOIN form_regions r ON r.id = o.person AND r.name = 'A'$$),
    ($$SELECT c.region, c.n, (SELECT count(*) FROM form_orders) FROM form_counted AS c ORDER BY 1$$),
    ($$SELECT region, n FROM form_own ORDER BY region$$),
    -- a join with a name, of whose columns one is another type's below
    ($$SELECT count(j.id) FROM (form_people p LEFT JOIN (VALUES (1::bigint), (2)) AS v (id) USING (id)) AS j WHERE j.id > 60$$),
    -- nothing is asked of what is certainly empty
    ($$SELECT count(*), sum(total) FROM form_orders WHERE k > 'b' AND 1 > 2$$),
    ($$SELECT dp_bounds('-1'::float8, 1e6) FROM form_orders$$),
    ($$SELECT 'a'::text AS name, count(*) FROM form_orders WHERE 1 > 2 GROUP BY CUBE (1) ORDER BY 2, 1$$),
    -- constants keep their types, but for the parameters of private calls
    ($$SELECT count(DISTINCT total / 7::numeric), round(sum(o.total * 0.5::float8)), max(v.x) FROM form_orders o JOIN (VALUES ('a', 1e3::numeric), ('b', 2)) v (k, x) ON v.k = o.k$$),
    ($$SELECT dp_count('2'::numeric, 1e6) FROM form_orders$$),
    -- a text that becomes a number stays a text
    ($$SELECT count(*) FROM form_orders WHERE total < '7.0'::text::numeric$$),
    -- and are read again whatever the session's settings are
    ($$SELECT count(*) FROM form_orders WHERE date '2026-03-04' + total < date '2026-04-05' AND interval '1 day' * total > interval '-1 1:00' AND total * 0.1::float8 <> 0.30000000000000004$$);
SET ROLE regress_form_ana;
SET DateStyle = 'SQL, DMY';
SET IntervalStyle = 'iso_8601';
SET extra_float_digits = 0;
\pset format unaligned
\pset tuples_only on
SELECT format('SELECT dp.private_form(%L) AS shown', query) FROM form_questions ORDER BY number \gexec
-- What each is answered with, and what is shown for it.
\set ECHO none
SELECT format('SELECT %s AS question, ARRAY(SELECT a::text FROM (%s) a) AS asked', number, query),
       format('SELECT %s AS question, ARRAY(SELECT a::text FROM (%s) a) AS shown', number, dp.private_form(query))
    FROM form_questions ORDER BY number \gexec
\set ECHO all
RESET ROLE;
SET dp.allow_drop = on;
DROP TABLE form_people, form_orders, form_questions CASCADE;
DROP ROLE regress_form_ana;
