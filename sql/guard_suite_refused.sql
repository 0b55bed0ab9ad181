-- The attack suite, second part: what a role with a budget and no privilege may not ask, and what it is told. Nothing of this costs
-- anything.
\getenv folder PG_ABS_SRCDIR
\set corpus :folder '/test/support/corpus.sql'
\set corpus_end :folder '/test/support/corpus_end.sql'
\set ECHO none
\o /dev/null
\i :corpus
\o
\pset format unaligned
\pset tuples_only on
RESET client_min_messages;
\set ECHO all
SET SESSION AUTHORIZATION corpus_ana;
SET search_path = corpus, public, own;


-- Rows. 74, 98: without private aggregates it is PostgreSQL's own refusal, with a hint.
SELECT * FROM people LIMIT 10;
SELECT count(*) FROM people;
SELECT avg(age), max(name) FROM people WHERE ward = 'a';
SELECT 1 FROM people WHERE name = 'bob';
SELECT EXISTS (SELECT FROM people WHERE name = 'bob');
SELECT true AS "_" FROM "corpus"."people" WHERE 1 <> 1 LIMIT 0;
TABLE people;
SELECT people FROM people;
SELECT ctid, xmin, tableoid FROM people;
SELECT name FROM people TABLESAMPLE SYSTEM (50);
SELECT id FROM people FOR UPDATE;
SELECT * FROM adults;
SELECT count(*) FROM events_1;
COPY people TO STDOUT;
COPY (SELECT * FROM people) TO STDOUT;
SELECT 1 WHERE 42 IN (SELECT age FROM people);
INSERT INTO people (id) VALUES (1) ON CONFLICT DO NOTHING;
INSERT INTO people (id, kind, age, active) VALUES (1, 'ok', 1, true);
UPDATE people SET name = '' WHERE name = 'bob';
DELETE FROM people WHERE name = 'bob';
MERGE INTO people p USING notes n ON p.ward = n.k WHEN MATCHED THEN DELETE;
MERGE INTO notes n USING people p ON p.ward = n.k WHEN MATCHED THEN DELETE;
UPDATE notes SET n = p.age FROM people p WHERE p.ward = k;
DELETE FROM notes USING people p WHERE p.ward = k RETURNING p.*;
TRUNCATE people;
BEGIN; LOCK TABLE people IN ACCESS SHARE MODE; ROLLBACK;
ALTER TABLE people ADD COLUMN x int;
CREATE INDEX ON people (name);
CREATE TRIGGER t BEFORE INSERT ON people FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger();
CREATE TABLE own.refers (id int REFERENCES people);
CREATE TABLE own.part PARTITION OF events FOR VALUES FROM (2000) TO (2001);
CREATE TABLE own.child () INHERITS (people);
CREATE RULE r AS ON SELECT TO people DO INSTEAD NOTHING;
CREATE POLICY p ON people USING (true);
CREATE STATISTICS own.s ON name, ward FROM people;
-- Messages that name the database, or are others in other versions.
\set VERBOSITY sqlstate
CREATE PUBLICATION p FOR TABLE people;
ANALYZE people;
CLUSTER people USING people_pkey;
\set VERBOSITY default
CREATE MATERIALIZED VIEW own.m AS SELECT * FROM people;
COMMENT ON TABLE people IS 'mine';
-- What planning knows of the columns.
SELECT count(*) FROM pg_stats WHERE tablename = 'people';
SELECT count(*) FROM pg_statistic;
-- 80, 85: the extension's own tables.
SELECT * FROM dp.ledger_entry;
DELETE FROM dp.ledger_entry;
UPDATE dp.account SET role = role;
INSERT INTO dp.account SELECT * FROM dp.account;
SELECT * FROM dp.release_level;
TRUNCATE dp.ledger_entry;
BEGIN; LOCK TABLE dp.ledger_entry; ROLLBACK;
SELECT dp.protect('people', 1e9);
SELECT dp.unprotect('people');
SELECT dp.grant_budget('people', 'corpus_ana', 9e9);
SELECT dp.public_values('people', 'name', 'bob');
SELECT dp.share_release(1, 'corpus_ana', 1);
SET dp.allow_drop = on;
DROP EXTENSION pg_dp;

-- What is asked about: one protected table.
-- 37, 38, 93, 99: joins.
SELECT dp_count('*', 1) FROM people CROSS JOIN generate_series(1, 1000);
SELECT dp_count('*', 1) FROM people a JOIN people b ON a.id = b.id;
SELECT dp_count('*', 1) FROM people a JOIN people b USING (id) JOIN people c USING (id);
SELECT dp_count('*', 1) FROM people JOIN wards ON title = ward;
SELECT dp_count('*', 1) FROM people LEFT JOIN notes ON k = ward;
SELECT dp_count('*', 1) FROM notes, (SELECT age FROM people) p WHERE n = age;
SELECT dp_count('*', 1) FROM (notes CROSS JOIN (wards CROSS JOIN (spare CROSS JOIN people)));
SELECT dp_count('*', 1) FROM people, LATERAL generate_series(age, 0, -1) AS f;
SELECT dp_count('*', 1) FROM notes NATURAL JOIN (SELECT ward AS k FROM people WHERE age > 3) p;
SELECT dp_count('*', 1) FROM people p JOIN LATERAL (VALUES (p.age) LIMIT 1) v (x) ON true;
SELECT dp_count('*', 1) FROM ROWS FROM (generate_series(1, 3), unnest(ARRAY(SELECT age FROM people)));
SELECT dp_count('*', 1) FROM (SELECT * FROM people UNION ALL SELECT * FROM people) s;
SELECT dp_count('*', 1) FROM (SELECT name FROM people EXCEPT SELECT 'bob') s;
SELECT dp_count('*', 1e6) FROM (SELECT DISTINCT ward FROM people) s;
SELECT dp_count('*', 1) FROM (SELECT DISTINCT ON (ward) * FROM people ORDER BY ward, age) s;
SELECT dp_sum(n, 0, 9, 1) FROM (SELECT ward, count(*) AS n FROM people GROUP BY ward) s;
SELECT dp_count('*', 1) FROM (SELECT * FROM people ORDER BY age LIMIT 1) s;
SELECT dp_count('*', 1) FROM (SELECT * FROM people OFFSET 1) s;
SELECT dp_count('*', 1) FROM (SELECT row_number() OVER () AS r FROM people) s;
SELECT dp_count('*', 1) FROM (SELECT unnest(tags) FROM people) s;
SELECT dp_count('*', 1) FROM (SELECT generate_series(1, 1000) FROM people) s;
SELECT dp_count('*', 1) FROM (SELECT * FROM people FOR SHARE) s;
SELECT dp_count('*', 1) FROM (SELECT * FROM people WHERE age > (SELECT min(n) FROM notes)) s;
WITH RECURSIVE r AS (SELECT age FROM people UNION ALL SELECT age - 1 FROM r WHERE age > 0) SELECT dp_count('*', 1) FROM r;
WITH d AS (DELETE FROM notes RETURNING n) SELECT dp_count('*', 1) FROM people, d;
WITH u AS (UPDATE people SET age = 0 RETURNING age) SELECT dp_count('*', 1) FROM u;
-- 53, 54: not all of it, or more.
SELECT dp_count('*', 1) FROM people TABLESAMPLE BERNOULLI (10);
SELECT dp_count('*', 1) FROM (SELECT * FROM people TABLESAMPLE SYSTEM (10) REPEATABLE (1)) s;
SELECT dp_count('*', 1) FROM people FOR UPDATE;
-- 25, 26: once for each row of something else.
SELECT n, (SELECT dp_count('*', 0.1) FROM people WHERE age = n GROUP BY ward LIMIT 1) FROM notes;
SELECT n, c FROM notes, LATERAL (SELECT dp_count('*', 0.1) AS c FROM people WHERE age > n) s;
SELECT (SELECT dp_sum(n, 0, 1, 0.1) FROM people) FROM notes;
SELECT (SELECT dp_count('*', n) FROM people) FROM notes;
-- Over windows.
SELECT dp_count('*', 1) OVER () FROM people;
SELECT dp_count(age, 1) OVER (ORDER BY age) FROM people;
SELECT dp_sum(dp_count('*', 1), 0, 1, 1) OVER () FROM people;
-- Inside the aggregate.
SELECT dp_count(age, 1 ORDER BY age) FROM people;
SELECT dp_sum(age, 0, 100, 1) WITHIN GROUP (ORDER BY age) FROM people;
SELECT dp_count(DISTINCT people, 1) FROM people;
SELECT dp_count(dp_count('*', 1), 1) FROM people;
SELECT dp_count('*', 1), count(*) FROM people;
SELECT dp_count('*', 1), max(name) FILTER (WHERE name = 'bob') FROM people;
SELECT dp_rr_histogram(ward, ARRAY['a', 'b'], 1) FROM people;
SELECT dp_count(dp_randomized_response(ward, ARRAY['a', 'b'], 1), 1) FROM people;
-- 43, 44, 22, 23: parameters that are none.
SELECT dp_count(age, CASE WHEN name = 'bob' THEN '1e6'::float8 ELSE '0.1'::float8 END) FROM people;
SELECT dp_sum(age, 0, age, 1) FROM people;
SELECT dp_sum(age, 0, (SELECT max(age) FROM people), 1) FROM people;
SELECT dp_sum(age, 0, random() * 100, 1) FROM people;
SELECT dp_count('*', NULL), dp_count('*', 0) FROM people;
SELECT dp_count('*', 'NaN') FROM people WHERE false;
SELECT dp_count('*', 1e300) FROM people WHERE name = 'nobody';
SELECT dp_sum(age, 100, 0, 1) FROM people WHERE false;
SELECT dp_sum(age, 'NaN', 1, 1) FROM people WHERE false;
SELECT dp_histogram(ward, ARRAY['a', 'a'], 1) FROM people WHERE false;
SELECT dp_histogram(age, 0, 0, 1 / (length('a') - 1), 1) FROM people WHERE false;

-- Groups: 40, 95, 101.
SELECT name, dp_count('*', 1) FROM people GROUP BY name;
SELECT id, dp_count('*', 1) FROM people GROUP BY id;
SELECT id, name, dp_count('*', 1) FROM people GROUP BY id;
SELECT active, name, dp_count('*', 1) FROM people GROUP BY CUBE (active, name);
SELECT age, dp_count('*', 1) FROM people GROUP BY age HAVING dp_count('*', 1) > 100;
SELECT dp_count('*', 1e6) FROM people GROUP BY ward || 'x';
SELECT upper(ward), dp_count('*', 1e6) FROM people GROUP BY 1;
SELECT people, dp_count('*', 1) FROM people GROUP BY people;
SELECT ctid, dp_count('*', 1) FROM people GROUP BY ctid;
SELECT tableoid::regclass, dp_count('*', 1) FROM events GROUP BY 1;
SELECT generate_series(1, age), dp_count('*', 1) FROM people GROUP BY 1;
SELECT unnest(tags), dp_count('*', 1) FROM people GROUP BY 1;
SELECT random(), dp_count('*', 1) FROM people GROUP BY 1;
SELECT doc, dp_count('*', 1) FROM people GROUP BY doc;
SELECT ward, age, dp_count('*', 1) FROM people GROUP BY ward;
SELECT ward, (SELECT age), dp_count('*', 1) FROM people GROUP BY ward;
SELECT dp_count('*', 1), (SELECT string_agg(k, name) FROM notes) FROM people;
SELECT count(*) FROM dp.ledger;
\i :corpus_end
