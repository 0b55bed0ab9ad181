-- Statements around private queries, with the answers they give, and the forms that are refused.
CALL own_schema('guard_statements');
SET client_min_messages = warning;
\getenv folder PG_ABS_SRCDIR
\set shapes :folder '/test/support/shapes.sql'
\set ECHO none
\o /dev/null
\i :shapes
\o
\set ECHO all
SET dp.epsilon = 1e6;
-- Prepared statements: parameters in keys, conditions, aggregates and above; generic plans give what custom ones do.
PREPARE p(int, text, float8, int) AS
    SELECT dp_div(age, $1) AS part, $2 AS label, dp_count('*', $3) AS n FROM people WHERE ward = $2 GROUP BY 1 HAVING dp_count('*', $3) > $4 ORDER BY n DESC, 1 LIMIT $1 / 10;
EXECUTE p(20, 'a', 1e6, 5);
SET plan_cache_mode = force_generic_plan;
EXECUTE p(20, 'a', 1e6, 5);
EXECUTE p(20, NULL, 1e6, 5);
EXECUTE p(0, 'a', 1e6, 5);
PREPARE rolled(text) AS SELECT $1 AS label, kind, $1 || kind::text AS both, dp_count('*', 1e6) FROM people GROUP BY ROLLUP (kind, $1) ORDER BY 2, 1;
EXECUTE rolled('x');
SET plan_cache_mode = force_custom_plan;
EXECUTE rolled('x');
RESET plan_cache_mode;
PREPARE wrong(text) AS SELECT dp_count('*', 1e6) FROM people WHERE age IN (SELECT generate_series(1, people.age));
EXECUTE wrong('x');
EXPLAIN EXECUTE wrong('x');

-- Cursors, as tools use them
BEGIN READ ONLY;
declare "SQL_CUR0x1" cursor with hold for SELECT "Custom SQL Query"."ward" AS "ward", SUM("Custom SQL Query"."n") AS "sum:n:ok"
    FROM (SELECT ward, active, dp_count('*', 1e6) AS n FROM people GROUP BY 1, 2) "Custom SQL Query" GROUP BY 1 ORDER BY 1;
fetch 2 in "SQL_CUR0x1";
COMMIT;
fetch 10000 in "SQL_CUR0x1";
close "SQL_CUR0x1";
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT ward, dp_count('*', 1e6) FROM people GROUP BY ward;
FETCH LAST c;
FETCH BACKWARD 2 c;
FETCH RELATIVE -1 c;
FETCH ABSOLUTE -2 c;
FETCH BACKWARD ALL c;
FETCH FORWARD ALL c;
DECLARE d SCROLL CURSOR FOR SELECT 'all', dp_count('*', 1e6) FROM people UNION ALL SELECT ward, dp_count('*', 1e6) FROM people GROUP BY ward;
FETCH LAST d;
FETCH ABSOLUTE 2 d;
FETCH PRIOR d;
COMMIT;
SELECT ward, dp_count('*', 1e6) AS n, dp_avg(age, 0, 100, 1e6) AS mean FROM people GROUP BY ward \gdesc
SELECT true AS "_" FROM "guard_statements"."people" WHERE 1 <> 1 LIMIT 0;

-- Functions: PL/pgSQL and SQL; STABLE set-returning ones, which PostgreSQL makes a part of the query
DO $$
DECLARE
    r record;
    n bigint;
    c CURSOR (least int) FOR SELECT kind, dp_count('*', 1e6) AS n FROM people WHERE age >= least GROUP BY kind;
BEGIN
    FOR r IN SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward ORDER BY n DESC, ward LIMIT 2 LOOP
        RAISE WARNING '%: %', r.ward, r.n;
    END LOOP;
    FOR r IN c(50) LOOP
        RAISE WARNING '%: %', r.kind, r.n;
        EXIT WHEN r.kind = 'ok';
    END LOOP;
    n := dp_count('*', 1e6) FROM people;
    EXECUTE 'SELECT $1 + dp_count(*) FROM people WHERE ward = $2' INTO n USING n, 'a';
    RAISE WARNING '%', n;
END
$$;
CREATE FUNCTION counted(w text, OUT n bigint) LANGUAGE sql VOLATILE AS $$SELECT dp_count('*', 1e6) FROM people WHERE ward = w$$;
CREATE FUNCTION counted_plpgsql(w text) RETURNS bigint LANGUAGE plpgsql STABLE AS $$BEGIN RETURN (SELECT dp_count('*', 1e6) FROM people WHERE ward = w); END$$;
CREATE FUNCTION counted_each() RETURNS TABLE (w text, n bigint) LANGUAGE sql VOLATILE BEGIN ATOMIC SELECT ward, dp_count('*', 1e6) FROM people GROUP BY ward; END;
CREATE FUNCTION counted_stable() RETURNS TABLE (w text, n bigint) LANGUAGE sql STABLE AS $$SELECT ward, dp_count('*', 1e6) FROM people GROUP BY ward$$;
SELECT ward, counted(ward), counted_plpgsql(ward) FROM wards WHERE beds > 5 ORDER BY ward;
SELECT * FROM counted_each() WHERE n > 50 ORDER BY w DESC;
SELECT * FROM counted_stable() WHERE n > 50 ORDER BY w DESC;
EXPLAIN (COSTS OFF) SELECT * FROM counted_stable() WHERE n > 50;
CREATE FUNCTION counted_through(low int) RETURNS SETOF bigint LANGUAGE sql STABLE AS $$
    WITH p AS MATERIALIZED (SELECT * FROM people WHERE age > low) SELECT q.n FROM (SELECT dp_count('*', 1e6) AS n FROM p LIMIT 1) q, counted_stable() c WHERE c.w = 'a' LIMIT 1$$;
SELECT * FROM counted_through(50);
SELECT * FROM wards, counted_through(beds);
PREPARE through AS SELECT * FROM counted_through(50);
EXECUTE through;
CREATE OR REPLACE FUNCTION counted_through(low int) RETURNS SETOF bigint LANGUAGE sql STABLE AS $$SELECT -dp_count('*', 1e6) FROM people WHERE age > low$$;
EXECUTE through;
CREATE OR REPLACE FUNCTION counted_through(low int) RETURNS SETOF bigint LANGUAGE sql STABLE AS $$SELECT dp_count('*', 0.5) FROM people WHERE ctid IS NOT NULL$$;
EXECUTE through;

-- Statements that write
CREATE TABLE kept (ward text, n bigint);
INSERT INTO kept SELECT ward, dp_count('*', 1e6) FROM people GROUP BY ward ORDER BY ward LIMIT 3;
WITH new AS (INSERT INTO kept (n) SELECT dp_count('*', 1e6) FROM people RETURNING n) SELECT * FROM new;
INSERT INTO kept VALUES ('here', (SELECT dp_count('*', 1e6) FROM people WHERE active)) RETURNING *, (SELECT dp_sum(age, 0, 100, 1e6) FROM people) AS years;
UPDATE kept SET n = a.n * 1000 FROM (SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward) a WHERE a.ward = kept.ward;
UPDATE kept SET (ward, n) = (SELECT 'max', dp_count('*', 1e6) FROM people WHERE age > 50) WHERE ward IS NULL;
DELETE FROM kept WHERE n < (SELECT dp_count('*', 1e6) FROM people) RETURNING *;
MERGE INTO kept USING (SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward) a ON a.ward = kept.ward
    WHEN MATCHED AND kept.n > 68500 THEN UPDATE SET n = a.n WHEN NOT MATCHED AND a.n > 60 THEN INSERT VALUES (a.ward, -a.n);
SELECT * FROM kept ORDER BY ward;
CREATE RULE also AS ON INSERT TO kept DO ALSO INSERT INTO wards (ward, beds) VALUES (NEW.ward, (SELECT dp_count('*', 1e6) FROM people));
INSERT INTO kept VALUES ('ruled', 1);
SELECT * FROM wards WHERE ward = 'ruled';
DROP RULE also ON kept;
DELETE FROM wards WHERE ward = 'ruled';
CREATE FUNCTION on_insert() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN NEW.n := (SELECT dp_count('*', 1e6) FROM people WHERE ward = NEW.ward); RETURN NEW; END$$;
CREATE TRIGGER on_insert BEFORE INSERT ON kept FOR EACH ROW EXECUTE FUNCTION on_insert();
INSERT INTO kept VALUES ('a', 0), ('b', 0) RETURNING *;
CREATE MATERIALIZED VIEW materialized AS SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward;
REFRESH MATERIALIZED VIEW materialized;
SELECT * FROM materialized ORDER BY ward;
COPY (SELECT kind, dp_count('*', 1e6) FROM people GROUP BY kind ORDER BY kind) TO STDOUT (FORMAT csv, HEADER);
CREATE TEMP TABLE made (part, ward) AS EXECUTE p(20, 'a', 1e6, 5);
SELECT * FROM made;
EXPLAIN (COSTS OFF) CREATE TABLE never AS SELECT ward, dp_count('*', 1e6) FROM people GROUP BY ward;
EXPLAIN (COSTS OFF) SELECT ward, dp_count('*', 0.5) AS n FROM people WHERE active GROUP BY ward HAVING dp_count('*', 0.5) > 10 ORDER BY n;
SET enable_mergejoin = off; SET enable_nestloop = off;
-- Which of the two is hashed differs between versions of PostgreSQL.
SELECT line FROM plan_of($$SELECT ward FROM wards w WHERE EXISTS (SELECT FROM people GROUP BY ward HAVING dp_count('*', 1e6) > w.beds AND people.ward = w.ward)$$,
    'DpRelease|Protected Table|Epsilon|Join Filter|Aggregate|Seq Scan') AS line ORDER BY line COLLATE "C";
RESET enable_mergejoin; RESET enable_nestloop;
DROP MATERIALIZED VIEW materialized;
DROP TABLE kept;

-- A function that tells what it sees is not admitted; and conditions of the reader stand behind those of a security_barrier view.
CREATE SEQUENCE numbers;
CREATE FUNCTION tell(x int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE COST 0.0001 AS $$BEGIN RAISE WARNING 'saw %', x; RETURN true; END$$;
CREATE VIEW fenced WITH (security_barrier = true) AS SELECT id, age FROM people WHERE id <= 2 AND age >= 0;
CREATE VIEW fenced_again WITH (security_barrier = true) AS SELECT id FROM (SELECT * FROM fenced WHERE age > 40) f;
SELECT dp_count('*', 1e6) FROM fenced WHERE tell(id);
SELECT dp_count('*', 1e6) FROM (SELECT id FROM fenced WHERE tell(id)) f;
SELECT dp_count('*', 1e6) FROM fenced_again WHERE tell(id);
EXPLAIN (COSTS OFF) SELECT dp_count('*', 1e6) FROM fenced_again WHERE id > 0 AND id % 2 = 0;
SELECT dp_count('*', 1e6) FROM fenced_again WHERE id % 2 = 0;

-- What a core must not hold, with the place in the statement
SELECT ward, dp_count('*', 0.5), count(*) FROM people GROUP BY ward;
SELECT ward, dp_count('*', 0.5) FROM people GROUP BY ward ORDER BY max(age);
SELECT dp_count(people, 0.5) FROM people;
SELECT dp_count(p, 1e6) FROM adults p WHERE p IS NOT NULL;
SELECT dp_count('*', 0.5) FROM people p WHERE p IS NOT NULL;
SELECT dp_count('*', 0.5) FROM people p WHERE row_to_json(p.*)::text LIKE '%bob%';
SELECT q.p, dp_count('*', 0.5) FROM (SELECT p FROM people p) q GROUP BY q.p;
SELECT dp_count('*', 0.5) FROM people WHERE ctid = '(0,1)';
SELECT xmin, dp_count('*', 0.5) FROM people GROUP BY xmin;
SELECT tableoid::regclass, dp_count('*', 0.5) FROM events GROUP BY 1;
SELECT id, code, dp_count('*', 0.5) FROM people GROUP BY id;
SELECT dp_count('*', 0.5) FROM people WHERE ward IN (SELECT ward FROM people);
SELECT dp_count('*', 0.5) FILTER (WHERE EXISTS (SELECT FROM people AS q WHERE q.ward = people.ward)) FROM people;
SELECT dp_count('*', 0.5) FROM people GROUP BY ward IN (SELECT ward FROM people);
SELECT dp_count(nextval('numbers'), 0.5) FROM people;
SELECT dp_sum(random() * age, 0, 1, 0.5) FROM people;
SELECT dp_count('*', 0.5) FROM people JOIN wards USING (ward);
SELECT dp_count('*', 0.5) FROM (SELECT DISTINCT ward FROM people) p;
SELECT dp_count('*', 0.5) FROM (SELECT ward FROM people LIMIT 10) p;
SELECT dp_count('*', 0.5) FROM (SELECT rank() OVER (ORDER BY age) FROM people) p;
SELECT dp_count('*', 0.5) FROM (SELECT ward, max(age) FROM people GROUP BY ward) p;
WITH RECURSIVE r AS (SELECT id FROM people UNION SELECT id FROM r) SELECT dp_count('*', 0.5) FROM r;
WITH d AS (DELETE FROM people RETURNING *) SELECT dp_count('*', 0.5) FROM d;
SELECT dp_count('*', 0.5) FROM wards WHERE beds < (SELECT max(age) FROM people);
SELECT dp_count('*', 0.5) FROM wards, LATERAL (SELECT * FROM people WHERE people.ward = wards.ward) p;
CREATE TABLE xids AS SELECT '7'::xid AS x;
SELECT dp.protect('xids', 1);
SELECT x, dp_count('*', 0.5) FROM xids GROUP BY x;
DROP TABLE xids;
-- A protected part of a table that is not
CREATE TABLE loose (id int);
CREATE TABLE tight () INHERITS (loose);
SELECT dp.protect('tight', 10);
SELECT dp_count('*', 0.5) FROM loose;
SELECT dp_count('*', 1e6) FROM ONLY loose;
SELECT dp_count('*', 0.5) IS NOT NULL AS answered FROM tight;
-- The place in the text that a statement was made of, not in the one that calls it
SELECT counted('a') WHERE false;
CREATE FUNCTION refused(w text) RETURNS bigint LANGUAGE sql VOLATILE AS $$SELECT dp_count('*', 0.5) FROM people WHERE ctid IS NOT NULL$$;
CREATE FUNCTION refused_plpgsql() RETURNS bigint LANGUAGE plpgsql AS $$BEGIN RETURN (SELECT dp_count('*', 0.5) FROM people WHERE ctid IS NOT NULL); END$$;
CREATE VIEW refused_view AS SELECT dp_count('*', 0.5) FROM people WHERE ctid IS NOT NULL;
\set SHOW_CONTEXT never
SELECT refused('x');
SELECT refused_plpgsql();
\set SHOW_CONTEXT errors
SELECT * FROM refused_view;
DO $$BEGIN EXECUTE 'EXECUTE wrong(1)'; END$$;
DECLARE c CURSOR WITH HOLD FOR SELECT dp_count('*', 0.5) FROM people WHERE ctid IS NOT NULL;
EXPLAIN SELECT 'ä', dp_count('*', 0.5) FROM people WHERE ctid IS NOT NULL;
CREATE TABLE never AS SELECT 1 AS one, dp_count('*', 0.5) FROM people WHERE ctid IS NOT NULL;
DEALLOCATE ALL;
