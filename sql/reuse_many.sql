-- Stored answers are found by index, and take little: a new question looks at few of them, however many there are.
SET client_min_messages = warning;
CREATE SCHEMA reuse_many;
SET search_path = reuse_many, public;
CREATE ROLE regress_many;
GRANT USAGE ON SCHEMA reuse_many TO regress_many;
CREATE TABLE stay AS SELECT i AS id, i % 10 AS ward, i % 90 AS age FROM generate_series(1, 100) i;
SELECT dp.protect('stay', 1e9, answer_epsilon => 1, reuse => '1 day');
SELECT dp.grant_budget('stay', 'regress_many', 1e9, allow_leaks => true), dp.declare_range('stay', 'ward', 0, 9);
CREATE VIEW looked AS SELECT sum(pg_stat_get_xact_tuples_fetched(c.oid) + pg_stat_get_xact_tuples_returned(c.oid)) AS rows
    FROM pg_class c WHERE c.relnamespace = 'dp'::regnamespace AND c.relname LIKE 'stored\_answer%' AND c.relkind IN ('r', 'i');
GRANT SELECT ON looked TO regress_many;
CREATE FUNCTION looked_at(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    before bigint;
    counted bigint;
BEGIN
    SELECT rows INTO before FROM looked;
    EXECUTE query INTO counted;
    RETURN (SELECT rows FROM looked) - before;
END
$$;
SET ROLE regress_many;
DO $$
DECLARE
    counted bigint;
BEGIN
    FOR i IN 1..400 LOOP
        EXECUTE format('SELECT count(*) FROM stay WHERE age > %s', i) INTO counted;
    END LOOP;
    FOR i IN 1..300 LOOP -- of the same rows
        EXECUTE format('SELECT count(*) FILTER (WHERE age > %s) FROM stay GROUP BY ward, ward + 0 LIMIT 1', i) INTO counted;
    END LOOP;
    FOR i IN 1..300 LOOP -- other aggregates, one of which they all have
        EXECUTE format('SELECT dp_sum(age, 0, 89, 1.0) FILTER (WHERE age > %s), count(*) FROM stay WHERE ward < 5', i) INTO counted;
    END LOOP;
END
$$;
RESET ROLE;
SELECT count(*) FROM dp.stored_answer WHERE relation = 'stay'::regclass;

-- How many bytes one number takes: the rows of its answer; their entries in indexes come to it.
SELECT bytes < 1000 AS little FROM (
    SELECT avg(pg_column_size(a) + (SELECT sum(pg_column_size(r)) FROM dp.stored_answer_rows r WHERE r.answer_id = a.answer_id)
        + coalesce((SELECT sum(pg_column_size(k)) FROM dp.stored_answer_keys k WHERE k.answer_id = a.answer_id), 0)
        + (SELECT sum(pg_column_size(g)) FROM dp.stored_answer_aggregate g WHERE g.answer_id = a.answer_id)
        + (SELECT sum(pg_column_size(p)) FROM dp.stored_answer_place p WHERE p.answer_id = a.answer_id)) AS bytes
    FROM dp.stored_answer a WHERE a.relation = 'stay'::regclass AND a.rows_hash = 0) AS one;

SET ROLE regress_many;
-- With conditions also the twenty newest answers by keys about more rows are looked at: their groups may tell which rows meet these.
SELECT looked_at('SELECT count(*) FROM stay WHERE age > 1000') <= 100 AS "a new question";
SELECT looked_at('SELECT count(*) FROM stay WHERE age > 7') <= 30 AS "the same question";
SELECT looked_at('SELECT dp_sum(age, 0, 89, 1.0) FILTER (WHERE age > 1000) FROM stay WHERE ward < 5') <= 100 AS "another aggregate of the same rows";
SELECT looked_at('SELECT count(*), dp_sum(age, 0, 89, 1.0) FILTER (WHERE age > 1000) FROM stay WHERE ward < 5') <= 150 AS "and one that many have";
SELECT looked_at('SELECT count(*), dp_sum(age, 0, 89, 1.0) FILTER (WHERE age > 7) FROM stay WHERE ward < 5') <= 60 AS "and the same question";
SELECT looked_at('SELECT count(*) FROM stay WHERE age IS NULL GROUP BY ward LIMIT 1') <= 100 AS "by keys";
SELECT looked_at('SELECT count(*) FROM stay GROUP BY ward + 0 LIMIT 1') <= 700 AS "what it might be rolled up from";
RESET ROLE;

-- The oldest ones go when they are too many, and those of a table that goes.
CREATE TABLE stored AS SELECT answer_id FROM dp.stored_answer WHERE relation = 'stay'::regclass;
SELECT dp.protect('stay', 1e9, answer_epsilon => 1, reuse => '1 day', keep_answers_mb => 1);
SET ROLE regress_many;
DO $$
DECLARE
    counted bigint;
BEGIN
    FOR i IN 401..1600 LOOP
        EXECUTE format('SELECT count(*) FROM stay WHERE age > %s', i) INTO counted;
    END LOOP;
END
$$;
RESET ROLE;
SELECT sum(bytes) <= 1024 * 1024 AS fits, count(*) BETWEEN 500 AND 1599 AS some, (SELECT count(*) FROM dp.stored_answer_place
    WHERE relation_number = 'stay'::regclass::oid::bigint) = count(*) AS "each has its place",
    bool_and(EXISTS (SELECT FROM dp.stored_answer_aggregate g WHERE g.answer_id = a.answer_id)) AS "and is found",
    (SELECT count(*) FROM stored s JOIN dp.stored_answer_aggregate g USING (answer_id) WHERE NOT EXISTS (
        SELECT FROM dp.stored_answer a WHERE a.answer_id = s.answer_id)) AS "what is found without being there"
FROM dp.stored_answer a WHERE relation = 'stay'::regclass;
-- Who stores one looks no further than to the first that stays.
UPDATE dp.stored_answer SET made_at = made_at - interval '30 days' WHERE answer_id = (
    SELECT answer_id FROM dp.stored_answer_place WHERE relation_number = 'stay'::regclass::oid::bigint ORDER BY position OFFSET 40 LIMIT 1);
SET ROLE regress_many;
SELECT count(*) > -1000 AS asked FROM stay WHERE age > 2000;
RESET ROLE;
SELECT count(*) FROM dp.stored_answer WHERE relation = 'stay'::regclass AND made_at < now() - interval '7 days';
SELECT 'stay'::regclass::oid AS number \gset
BEGIN;
DROP TABLE stay;
ROLLBACK;
SELECT count(*) > 500 AS "still there" FROM dp.stored_answer WHERE relation = :number;
DROP TABLE stay;
SELECT count(*) FROM dp.stored_answer WHERE relation = :number;
DROP SCHEMA reuse_many CASCADE;
DROP ROLE regress_many;
