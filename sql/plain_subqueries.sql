-- Subqueries of public tables as join partners, whatever they do: they are run by themselves, as the asker, before the charge.
CALL own_schema('plain_subqueries');
SET client_min_messages = warning;
CREATE ROLE regress_subqueries_ana;
CREATE ROLE regress_subqueries_ben;
-- Nobody has a bed in ward x; visits of ward e are none.
CREATE TABLE visits (id int PRIMARY KEY, ward text, person int NOT NULL, cost int NOT NULL, day date NOT NULL);
INSERT INTO visits SELECT i, (ARRAY['a', 'b', 'c', 'd', 'x', NULL])[1 + i % 6], i % 40, i % 50, '2024-01-01'::date + i % 60 FROM generate_series(1, 600) i;
CREATE TABLE beds (id int PRIMARY KEY, ward text, region text, kind text, cost int);
INSERT INTO beds SELECT i, (ARRAY['a', 'b', 'c', 'd', 'e', NULL])[1 + i % 6], (ARRAY['n', 's'])[1 + (i % 6) / 2 % 2], (ARRAY['k', 'l', 'm'])[1 + i % 3], i
    FROM generate_series(1, 30) i;
SELECT dp.protect('visits', 1e9, privacy_unit => 'person', max_rows_per_unit => 100, answer_epsilon => 1e6, reuse => '1 day');
SELECT dp.grant_budget('visits', r, 1e9, allow_leaks => true) FROM unnest(ARRAY['regress_subqueries_ana', 'regress_subqueries_ben']::regrole[]) r;
SELECT dp.declare_range('visits', 'cost', 0, 50), dp.declare_values('visits', 'ward', 'a', 'b', 'c', 'd', 'x');
CREATE TABLE signs AS SELECT i % 3 AS id, i % 2 = 0 AS even FROM generate_series(1, 90) i;
CREATE TABLE words AS SELECT i AS id, 'w' || i % 2 AS word FROM generate_series(0, 2) i;
SELECT dp.protect('signs', 1e9, answer_epsilon => 1e6, reuse => '1 day'), dp.grant_budget('signs', 'regress_subqueries_ana', 1e9, allow_leaks => true);
GRANT SELECT ON words TO regress_subqueries_ana;
CREATE TABLE plain AS SELECT * FROM visits;
CREATE TABLE hidden AS SELECT ward, region FROM beds;
CREATE TABLE kinds AS SELECT id, kind, cost AS gone, region FROM beds;
ALTER TABLE kinds DROP COLUMN gone;
CREATE FUNCTION beds_now() RETURNS SETOF kinds STABLE SECURITY DEFINER LANGUAGE plpgsql AS 'BEGIN RETURN QUERY TABLE kinds; END';
CREATE FUNCTION visits_now() RETURNS SETOF visits STABLE LANGUAGE plpgsql AS 'BEGIN RETURN QUERY TABLE visits; END';
CREATE FUNCTION visits_within() RETURNS SETOF visits STABLE LANGUAGE sql AS 'TABLE visits LIMIT 3';
CREATE VIEW shown AS SELECT ward, min(region) AS region FROM hidden GROUP BY ward;
CREATE TABLE own (ward text, who text);
INSERT INTO own VALUES ('a', 'regress_subqueries_ana'), ('b', 'regress_subqueries_ana'), ('c', 'regress_subqueries_ben');
ALTER TABLE own ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON own USING (who = current_user);
GRANT SELECT ON plain, beds, shown, own TO regress_subqueries_ana, regress_subqueries_ben;
-- What differs between the answer to the question and that of the same query over the copy.
CREATE FUNCTION differs(query text, OUT answered bigint, OUT missing bigint, OUT added bigint) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('WITH a AS MATERIALIZED (SELECT t::text FROM (%s) t), b AS (SELECT t::text FROM (%s) t) SELECT (SELECT count(*) FROM a), '
        '(SELECT count(*) FROM (TABLE b EXCEPT ALL TABLE a) x), (SELECT count(*) FROM (TABLE a EXCEPT ALL TABLE b) x)',
        query, replace(query, ' visits ', ' plain ')) INTO answered, missing, added;
END $$;
CREATE FUNCTION asked(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    before bigint := (SELECT max(seq) FROM dp.ledger_of(NULL));
BEGIN
    EXECUTE statement;
    RETURN coalesce((SELECT string_agg(format('%s %s', kind, epsilon), ', ' ORDER BY seq) FROM dp.ledger WHERE seq > coalesce(before, 0)), 'nothing');
END $$;
SET ROLE regress_subqueries_ana;

-- ---- shapes
SELECT d.region, count(*) FROM visits v JOIN (SELECT ward, max(region) AS region, count(*) AS beds FROM beds GROUP BY ward) d ON d.ward = v.ward
GROUP BY d.region ORDER BY 1;
-- By several of its columns: the combinations that it has.
SELECT * FROM differs($$SELECT d.ward, d.region, d.beds, count(v.id) FROM visits v JOIN (SELECT ward, max(region) AS region, count(*) AS beds FROM beds WHERE ward <> 'e' GROUP BY ward)
    d ON d.ward = v.ward GROUP BY 1, 2, 3$$);
SELECT * FROM differs($$SELECT d.region, d.kinds, count(*), sum(v.cost) FROM visits v LEFT JOIN (SELECT ward, min(region) AS region, count(DISTINCT kind) AS kinds
    FROM beds GROUP BY ward HAVING count(*) > 2) d ON d.ward = v.ward GROUP BY 1, 2$$);
SELECT * FROM differs($$SELECT d.region, d.kinds, count(*) FROM visits v LEFT JOIN (SELECT ward, min(region) AS region, count(DISTINCT kind) AS kinds
    FROM beds GROUP BY ward) d ON d.ward = v.ward AND v.cost < 20 GROUP BY ROLLUP (1, 2)$$);
SELECT * FROM differs($$SELECT count(*) FROM visits v JOIN (SELECT DISTINCT ward, region FROM beds) d ON d.ward = v.ward WHERE d.region = 'n'$$);
-- Beside a subquery in WHERE, which may look at its columns.
SELECT * FROM differs($$SELECT count(*) FROM visits v JOIN (SELECT ward, max(cost) AS most FROM beds GROUP BY ward) d ON d.ward = v.ward
    WHERE v.cost > (SELECT min(cost) FROM beds) AND EXISTS (SELECT FROM beds b WHERE b.cost < d.most AND b.ward <> v.ward)$$);
SELECT * FROM differs($$SELECT d.ward, count(*) FROM visits v JOIN (SELECT DISTINCT ON (ward) * FROM beds ORDER BY ward, cost DESC) d ON d.ward = v.ward WHERE d.cost > 26 GROUP BY 1$$);
SELECT * FROM differs($$SELECT d.ward, count(*) FROM visits v JOIN (SELECT ward FROM beds WHERE ward < 'd' UNION SELECT 'x') d ON v.ward = d.ward GROUP BY 1$$);
SELECT * FROM differs($$SELECT d.ward, count(*) FROM visits v JOIN (SELECT ward FROM beds EXCEPT VALUES ('a'), ('e')) d USING (ward) GROUP BY 1$$);
SELECT * FROM differs($$SELECT d.ward, count(*) FROM visits v JOIN (SELECT ward, kind FROM beds INTERSECT SELECT ward, kind FROM beds ORDER BY 1, 2 LIMIT 3) d USING (ward) GROUP BY 1$$);
SELECT * FROM differs($$WITH r AS (SELECT *, row_number() OVER (PARTITION BY ward ORDER BY id) AS n FROM beds), f AS (SELECT ward, region FROM r WHERE n = 1)
    SELECT f.region, count(*) FROM visits v JOIN f ON f.ward = v.ward GROUP BY 1$$);
SELECT * FROM differs($$WITH RECURSIVE t(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM t WHERE n < 59), days AS (SELECT n, date '2024-01-01' + n AS day FROM t)
    SELECT days.n, count(*) FROM visits v JOIN days ON days.day = v.day GROUP BY 1$$);
-- Keys that are computed from its columns: what they are in its rows that the conditions leave, and in a row that finds none.
SELECT * FROM differs($$SELECT upper(d.region), d.beds > 5, count(*) FROM visits v JOIN (SELECT ward, max(region) AS region, count(*) AS beds FROM beds WHERE ward <> 'e' GROUP BY ward)
    d ON d.ward = v.ward GROUP BY 1, 2$$);
SELECT * FROM differs($$SELECT coalesce(d.region, '-'), count(*) FROM visits v LEFT JOIN (SELECT ward, max(region) AS region FROM beds GROUP BY ward) d ON d.ward = v.ward GROUP BY 1$$);
SELECT * FROM differs($$SELECT coalesce(d.region, '-'), d.ward, count(*) FROM visits v LEFT JOIN (SELECT ward, max(region) AS region FROM beds WHERE ward < 'e' GROUP BY ward)
    d ON d.ward = v.ward GROUP BY 1, 2$$);
SELECT * FROM differs($$SELECT lower(d.ward), upper(d.region), count(*) FROM visits v JOIN (SELECT ward, max(region) AS region FROM beds GROUP BY ward) d ON d.ward = v.ward
    WHERE d.region = 'n' AND length(d.ward) = 1 AND d.ward < 'e' GROUP BY 1, 2$$);
SELECT * FROM differs($$SELECT upper(d.ward), count(v.id) FROM (SELECT ward, count(*) AS n FROM beds GROUP BY ward) d LEFT JOIN visits v ON v.ward = d.ward AND v.cost > 30 GROUP BY 1$$);
SELECT * FROM differs($$SELECT to_char(d, 'YYYY-MM'), extract(dow FROM d), count(v.id) FROM generate_series(timestamptz '2024-01-20', '2024-03-05', '1 day') d
    LEFT JOIN visits v ON v.day::timestamptz = d GROUP BY 1, 2$$);
SELECT d.ward || v.person, count(*) FROM visits v JOIN (SELECT DISTINCT ward FROM beds) d USING (ward) GROUP BY 1;
-- Columns of a type that somebody can drop while the query runs: as text they are like others.
RESET ROLE;
CREATE TYPE level AS ENUM ('low', 'high');
CREATE DOMAIN label AS text CHECK (VALUE <> '');
CREATE TABLE levels AS SELECT DISTINCT ward, CASE WHEN ward < 'c' THEN 'low' ELSE 'high' END::level AS level, ward::label AS label FROM beds;
GRANT SELECT ON levels TO regress_subqueries_ana;
SET ROLE regress_subqueries_ana;
SELECT d.level, count(*) FROM visits v JOIN (SELECT DISTINCT * FROM levels) d USING (ward) GROUP BY 1;
SELECT d.label, count(*) FROM visits v JOIN (SELECT DISTINCT * FROM levels) d USING (ward) GROUP BY 1;
SELECT count(DISTINCT d.level) FROM visits v JOIN (SELECT DISTINCT * FROM levels) d USING (ward);
SELECT count(*) FROM visits v JOIN (SELECT DISTINCT * FROM levels) d USING (ward) WHERE d.level = 'low';
SELECT count(*) FROM visits v JOIN (SELECT DISTINCT * FROM levels) d USING (ward) WHERE d.level IS NOT NULL;
SELECT count(*) FROM visits v JOIN (SELECT DISTINCT * FROM levels) d ON d.label = v.ward;
SELECT * FROM differs($$SELECT d.level, count(*) FROM visits v JOIN (SELECT DISTINCT ward, level::text AS level FROM levels) d USING (ward) WHERE d.level <> 'mid' GROUP BY 1$$);
-- Functions, whose columns are in their places.
SELECT * FROM differs($$SELECT f.region, count(*) FROM visits v JOIN beds_now() f ON f.id = v.cost GROUP BY 1$$);
SELECT count(*) FROM visits v JOIN visits_now() f USING (id);
SELECT count(*) FROM visits v JOIN visits_within() f USING (id);
-- A CTE beside answers, and read twice.
WITH most AS (SELECT ward, count(*) AS beds FROM beds GROUP BY ward), answers AS (SELECT count(*) AS n FROM visits WHERE cost < 25)
SELECT most.beds, count(*), (SELECT n FROM answers) AS cheap, (SELECT max(beds) FROM most) AS top FROM visits v JOIN most USING (ward) GROUP BY 1;
SELECT * FROM differs($$WITH w AS (SELECT ward, min(region) AS region FROM beds GROUP BY ward) SELECT one.region, other.region, count(*)
    FROM visits v JOIN w one ON one.ward = v.ward LEFT JOIN w other ON other.ward = v.ward AND other.region = 's' GROUP BY 1, 2$$);
-- One row, and chains of subqueries in any order.
SELECT * FROM differs($$SELECT count(*) FROM visits v, (SELECT max(cost) AS most, min(cost) AS least FROM beds) d WHERE v.cost BETWEEN d.least AND d.most$$);
SELECT * FROM differs($$SELECT count(*) FROM visits v CROSS JOIN (SELECT max(id) AS id FROM beds) top JOIN beds b ON b.id = top.id WHERE b.cost > v.cost$$);
SELECT * FROM differs($$SELECT r.n, count(*) FROM (SELECT region, count(*) AS n FROM beds GROUP BY region) r JOIN (SELECT ward, min(region) AS region FROM beds GROUP BY ward) d
    ON r.region = d.region JOIN visits v ON v.ward = d.ward GROUP BY 1$$);
-- Kept where it has no protected rows: each row is a group, also that without a ward.
SELECT d.ward, count(v.id) FROM (SELECT ward FROM beds GROUP BY ward) d LEFT JOIN visits v ON v.ward = d.ward GROUP BY 1 ORDER BY 1;
SELECT * FROM differs($$SELECT d.ward, d.n, count(v.id) FROM (SELECT ward, count(*) AS n FROM beds GROUP BY ward) d LEFT JOIN visits v ON v.ward = d.ward AND v.cost > 30 GROUP BY 1, 2$$);
-- Views, row security, functions of the asker's, below people, parameters, above and around.
SELECT * FROM differs($$SELECT s.region, count(*) FROM visits v JOIN shown s USING (ward) GROUP BY 1$$);
SELECT ward, count(*) FROM visits v JOIN (SELECT DISTINCT ward FROM own) o USING (ward) GROUP BY 1 ORDER BY 1;
SELECT * FROM differs($$SELECT d.n, count(*) FROM visits v JOIN (SELECT ward, (SELECT count(*) FROM plain) AS n FROM beds GROUP BY ward) d USING (ward) GROUP BY 1$$);
SELECT * FROM differs($$SELECT count(*) FROM (SELECT person, count(*) AS n FROM visits v JOIN (SELECT DISTINCT ward FROM beds WHERE ward < 'c') d USING (ward)
    GROUP BY person) p WHERE n > 4$$);
SELECT region, sum(n) OVER (ORDER BY region) FROM (SELECT d.region, count(*) AS n FROM visits v JOIN (SELECT ward, min(region) AS region FROM beds GROUP BY ward) d
    USING (ward) GROUP BY 1) t ORDER BY 1;
SELECT dp_sum(d.n, 0, 10, 1e6), sum(d.n) FROM visits v JOIN (SELECT ward, count(*) AS n FROM beds GROUP BY ward) d USING (ward) WHERE d.n BETWEEN 0 AND 10;
SELECT count(*) FROM visits v JOIN (SELECT ward, dp_count('*', 1e6) AS n FROM beds GROUP BY ward) d USING (ward) WHERE d.n > 4;
PREPARE up_to(int) AS SELECT d.region, count(*) FROM visits v JOIN (SELECT ward, min(region) AS region FROM beds WHERE id <= $1 GROUP BY ward) d USING (ward) GROUP BY 1 ORDER BY 1;
EXECUTE up_to(2);
SET plan_cache_mode = force_generic_plan;
EXECUTE up_to(3);
EXECUTE up_to(30);
RESET plan_cache_mode;

-- ---- the rows are part of the question, in any order of theirs
SET dp.reuse = '1 d';
SELECT asked('SELECT count(*) FROM visits v JOIN (SELECT ward, min(region) AS region FROM beds GROUP BY ward ORDER BY 1) d USING (ward) WHERE v.cost < 11');
SELECT asked('SELECT count(*) FROM visits v JOIN (SELECT ward, min(region) AS region FROM beds GROUP BY ward ORDER BY 1 DESC) d USING (ward) WHERE v.cost < 11');
SELECT asked('SELECT count(*) FROM visits v JOIN (SELECT ward, max(region) AS region FROM beds WHERE id < 4 GROUP BY ward) d USING (ward) WHERE v.cost < 11');
SELECT asked('EXECUTE up_to(4)'), asked('EXECUTE up_to(4)'), asked('EXECUTE up_to(1)'), asked('EXECUTE up_to(1)'), asked('EXECUTE up_to(4)');
-- Rows without a ward are joined to nothing.
SELECT asked('EXECUTE up_to(5)');
-- Rows of another role, whatever the text of the question.
SELECT asked('SELECT count(*) FROM visits v JOIN (SELECT DISTINCT ward FROM own) o USING (ward)');
RESET ROLE;
SELECT dp.protect('visits', 1e9, privacy_unit => 'person', max_rows_per_unit => 100, answer_epsilon => 1e6, reuse => '1 day', share_answers => true);
SET ROLE regress_subqueries_ben;
SELECT count(*) FROM visits v JOIN (SELECT DISTINCT ward FROM own) o USING (ward);
SET ROLE regress_subqueries_ana;
SELECT count(*) FROM visits v JOIN (SELECT DISTINCT ward FROM own) o USING (ward);
RESET ROLE;
UPDATE beds SET region = 'w' WHERE region = 's';
SET ROLE regress_subqueries_ana;
EXECUTE up_to(5);

-- Sums of groups are not taken for an answer over other rows.
SELECT asked('SELECT n.word, s.even, count(*) FROM signs s JOIN (SELECT id, min(word) AS word FROM words GROUP BY id) n USING (id) GROUP BY 1, 2');
SELECT asked('SELECT n.word, count(*) FROM signs s JOIN (SELECT id, min(word) AS word FROM words GROUP BY id) n USING (id) GROUP BY 1');
SELECT asked('SELECT n.id > 1, s.even, count(*) FROM signs s JOIN (SELECT id, min(word) AS word FROM words GROUP BY id) n USING (id) GROUP BY 1, 2');
SELECT asked('SELECT s.even, count(*) FROM signs s JOIN (SELECT id, min(word) AS word FROM words GROUP BY id) n USING (id) GROUP BY 1');
RESET dp.reuse;

-- ---- what is refused costs nothing
CREATE TEMP TABLE before_refusals AS SELECT count(*) FROM dp.ledger;
SELECT count(*) FROM visits v CROSS JOIN (SELECT DISTINCT ward FROM beds) d;
SELECT count(*) FROM visits v JOIN (SELECT DISTINCT cost FROM beds) d ON d.cost <> v.cost;
SELECT count(*) FROM visits v JOIN (SELECT DISTINCT ward, kind, id FROM beds) d ON d.ward = v.ward AND d.kind = 'k';
SELECT count(*) FROM visits v JOIN (SELECT ward, kind FROM beds ORDER BY 1, 2 LIMIT 30) d ON lower(d.ward) = v.ward;
SELECT count(*) FROM visits v LEFT JOIN (SELECT ward, id FROM beds ORDER BY 1 LIMIT 30) d ON d.ward = v.ward;
SELECT count(*) FROM visits v JOIN (SELECT ward, 1 / (min(cost) - 1) AS x FROM beds GROUP BY ward) d ON d.ward = v.ward;
SELECT count(*) FROM visits v JOIN (SELECT n FROM generate_series(1, 100001) n GROUP BY n) d ON d.n = v.cost;
SELECT count(*) FROM visits v JOIN (SELECT n, repeat('x', 1000000) AS long FROM generate_series(1, 68) n GROUP BY n) d ON d.n = v.cost;
SELECT count(*) FROM visits v JOIN (SELECT DISTINCT ward FROM hidden) d USING (ward);
SELECT count(*) FROM visits v JOIN (SELECT ward, random() FROM beds GROUP BY ward) d USING (ward);
SELECT count(*) FROM visits v JOIN (SELECT ward FROM visits WHERE cost > 3 GROUP BY ward, cost LIMIT 3) d USING (ward);
SELECT count(*) FROM visits v JOIN (SELECT ward FROM beds GROUP BY ward UNION SELECT ward FROM visits) d USING (ward);
WITH c AS (SELECT ward FROM visits LIMIT 2) SELECT count(*) FROM visits v JOIN (SELECT DISTINCT ward FROM beds WHERE ward IN (SELECT ward FROM c)) d USING (ward);
SELECT b.id, (SELECT count(*) FROM visits v JOIN (SELECT DISTINCT ward FROM beds WHERE id = b.id) d USING (ward)) FROM beds b WHERE b.id < 2;
SELECT count(*) FROM visits v WHERE EXISTS (SELECT FROM (SELECT ward FROM beds GROUP BY ward LIMIT 2) x WHERE x.ward = v.ward);
SELECT (SELECT count(*) FROM dp.ledger) - count AS charges FROM before_refusals;
DROP TABLE before_refusals;
-- EXPLAIN and the price: what running it would raise before anything is charged.
EXPLAIN (COSTS OFF) SELECT count(*) FROM visits v JOIN (SELECT ward, 1 / (min(cost) - 1) AS x FROM beds GROUP BY ward) d ON d.ward = v.ward;
SELECT epsilon FROM dp.cost('SELECT count(*) FROM visits v JOIN (SELECT ward, 1 / (min(cost) - 1) AS x FROM beds GROUP BY ward) d ON d.ward = v.ward') LIMIT 1;

-- ---- a table that is protected, or may not be read, later
PREPARE later AS SELECT d.region, count(*) FROM visits v JOIN (SELECT ward, min(region) AS region FROM beds GROUP BY ward) d USING (ward) GROUP BY 1 ORDER BY 1;
EXECUTE later;
RESET ROLE;
SELECT dp.protect('beds', 10);
SET ROLE regress_subqueries_ana;
EXECUTE later;
RESET ROLE;
SELECT dp.unprotect('beds');
REVOKE SELECT ON beds FROM regress_subqueries_ana;
SET ROLE regress_subqueries_ana;
EXECUTE later;

RESET ROLE;
RESET search_path;
DROP SCHEMA plain_subqueries CASCADE;
DROP ROLE regress_subqueries_ana, regress_subqueries_ben;
