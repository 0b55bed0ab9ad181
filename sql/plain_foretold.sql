-- What EXPLAIN and dp.cost tell of statements whose questions depend on answers and on public subqueries: what running them charges,
-- "at most" where that cannot be known, and what running them refuses.
SET client_min_messages = error;
CALL own_schema('plain_foretold');
CREATE ROLE regress_foretold_ana;
CREATE ROLE regress_foretold_ben;
CREATE TABLE wards (ward text, beds int);
INSERT INTO wards VALUES ('a', 10), ('b', 20), ('c', 0), ('d', 40);
CREATE TABLE twins (ward text);
INSERT INTO twins VALUES ('a'), ('a');
CREATE TABLE stay (id int PRIMARY KEY, ward text NOT NULL, age int);
INSERT INTO stay SELECT i, (ARRAY['a', 'a', 'b', 'c', 'd'])[1 + i % 5], 20 + i % 61 FROM generate_series(1, 500) i;
CREATE TABLE apart (LIKE stay);
SELECT dp.protect('stay', 1e9, 0, answer_epsilon => 0.001, reuse => '1 day'), dp.protect('apart', 1e9, 0, answer_epsilon => 0.001);
SELECT dp.declare_range(t, 'age', 0, 128), dp.declare_values(t, 'ward', 'a', 'b', 'c', 'd') FROM unnest('{stay,apart}'::regclass[]) t;
SELECT dp.declare_range('apart', 'id', 0, 10000);
SELECT dp.grant_budget(t, 'regress_foretold_ana', 1e9, 0, allow_leaks => true) FROM unnest('{stay,apart}'::regclass[]) t;
SELECT dp.grant_budget('stay', 'regress_foretold_ben', 0.002, 0, allow_leaks => true);
GRANT SELECT ON wards, twins TO regress_foretold_ana, regress_foretold_ben;
CREATE FUNCTION half(x numeric) RETURNS numeric LANGUAGE plpgsql STABLE AS $$ BEGIN RETURN x / 2; END $$;
CREATE FUNCTION shout() RETURNS int LANGUAGE plpgsql STABLE AS $$ BEGIN RAISE EXCEPTION 'it was run'; END $$;
CREATE DOMAIN small AS int CHECK (VALUE < 1000);
CREATE SEQUENCE numbers;
GRANT UPDATE ON wards TO regress_foretold_ana;
GRANT ALL ON numbers TO regress_foretold_ana;
CREATE FUNCTION rows_of_ledger() RETURNS bigint LANGUAGE sql VOLATILE SECURITY DEFINER AS
    $$ SELECT count(*) FROM dp.ledger WHERE role::text ~ 'regress_foretold' $$;
CREATE FUNCTION charged_to(ana regrole) RETURNS numeric LANGUAGE sql VOLATILE SECURITY DEFINER AS
    $$ SELECT coalesce(sum(epsilon), 0) FROM dp.ledger WHERE role = ana $$;
-- Asks each query twice. What dp.cost tells beforehand, whether EXPLAIN says "at most", and what is charged; whether telling left a trace.
CREATE FUNCTION told(queries text[]) RETURNS TABLE (query text, told text, charged text, again text, charged_again text, trace boolean)
LANGUAGE plpgsql AS $$
DECLARE line text; price numeric; most text; before numeric; entries bigint; last bigint; one record;
BEGIN
    FOREACH query IN ARRAY queries LOOP
        trace := false;
        FOR i IN 1..2 LOOP
            entries := rows_of_ledger();
            last := dp_last_release();
            SELECT c.epsilon INTO price FROM dp.cost(query) c WHERE c.role = current_user::regrole;
            most := '';
            FOR line IN EXECUTE 'EXPLAIN ' || query LOOP
                IF line ~ 'psilon: at most' THEN most := 'at most '; END IF;
            END LOOP;
            trace := trace OR rows_of_ledger() > entries OR dp_last_release() IS DISTINCT FROM last;
            before := charged_to(current_user::regrole);
            FOR one IN EXECUTE query LOOP
            END LOOP;
            IF i = 1 THEN
                told := most || trim_scale(price);
                charged := trim_scale(charged_to(current_user::regrole) - before);
            ELSE
                again := most || trim_scale(price);
                charged_again := trim_scale(charged_to(current_user::regrole) - before);
            END IF;
        END LOOP;
        RETURN NEXT;
    END LOOP;
END $$;

\getenv folder PG_ABS_SRCDIR
\set explained :folder '/test/support/explained.sql'
\i :explained

-- ---- prices
SET ROLE regress_foretold_ana;
SELECT * FROM told(ARRAY[
    'SELECT count(*) FROM stay',
    'SELECT count(*) FROM stay WHERE id > (SELECT dp_count(''*'', 1e3) FROM stay WHERE id < 101)',
    'SELECT ward, count(*) FROM stay WHERE ward IN (SELECT ward FROM stay WHERE id < 102 GROUP BY ward ORDER BY dp_count(''*'', 1e3) DESC LIMIT 2) GROUP BY ward',
    'WITH a AS (SELECT dp_count(''*'', 1e3) AS n FROM stay WHERE id < 103) SELECT count(*) FROM stay, a WHERE id > n',
    'SELECT count(*) FROM stay WHERE id > (SELECT dp_count(''*'', 1e3) FROM stay WHERE id < (SELECT dp_count(''*'', 1e3) FROM stay WHERE id < 104))',
    'SELECT (SELECT count(*) FROM stay WHERE id = 1), (SELECT count(*) FROM stay WHERE id > (SELECT dp_count(''*'', 1e3) FROM stay WHERE id < 105))',
    'SELECT count(*) FROM apart WHERE id > (SELECT dp_count(''*'', 1e3) FROM apart WHERE id < 106)']);
-- Of tables that are not protected all is known beforehand.
SELECT * FROM told(ARRAY[
    'SELECT count(*) FROM stay WHERE id < 10 * (SELECT max(beds) FROM wards)',
    'SELECT count(*) FROM stay WHERE ward IN (SELECT unnest(ARRAY[''a'', ''b'']))',
    'SELECT q.beds, count(*) FROM stay JOIN (SELECT ward, max(beds) AS beds FROM wards GROUP BY ward) q USING (ward) GROUP BY q.beds',
    'SELECT q.ward, count(stay.id) FROM (SELECT DISTINCT ward FROM wards) q LEFT JOIN stay USING (ward) GROUP BY q.ward']);
-- What somebody else could notice is not run for that, nor what would be another value each time.
SELECT * FROM told(ARRAY[
    'SELECT count(*) FROM stay WHERE id > (SELECT half(dp_count(''*'', 1e3)) FROM stay WHERE id < 107)',
    'SELECT count(*) FROM stay WHERE id > (SELECT dp_count(''*'', 1e3)::small::int FROM stay WHERE id < 108)',
    'SELECT count(*) FROM stay WHERE ward IN (SELECT ward FROM (SELECT ward FROM wards WHERE beds > 10 FOR UPDATE) q)',
    'SELECT q.beds, count(*) FROM stay JOIN (SELECT ward, max(beds) AS beds FROM wards WHERE half(beds) > 0 GROUP BY ward) q USING (ward) GROUP BY q.beds',
    'SELECT count(*) FROM stay WHERE age > (SELECT count(*) FROM (SELECT q.beds FROM stay JOIN (SELECT ward, half(max(beds)) AS beds FROM wards GROUP BY ward) q USING (ward) GROUP BY q.beds) g)']);
SELECT pg_temp.explained($query$SELECT count(*) FROM stay WHERE age > (SELECT shout())$query$);
SELECT pg_temp.explained($query$SELECT sum(age * q.beds) FROM stay JOIN (SELECT ward, half(max(beds))::int AS beds FROM wards GROUP BY ward) q USING (ward)$query$);
SELECT pg_temp.explained($query$WITH a AS (SELECT dp_count('*', 1e3) + random() AS age FROM stay WHERE id < 101) SELECT count(*) FROM stay WHERE age > (SELECT age FROM a)$query$);
SELECT pg_temp.explained($query$SELECT count(*) FROM stay WHERE age > (SELECT nextval('numbers'))$query$);
SELECT pg_temp.explained($query$SELECT count(*) FROM stay JOIN (SELECT DISTINCT ward FROM wards TABLESAMPLE BERNOULLI (50)) q USING (ward)$query$);
SELECT pg_temp.explained($query$SELECT count(*) FROM stay WHERE age > (SELECT dp_avg(beds, 0, 50, 1) FROM wards)$query$);
SELECT is_called FROM numbers;
-- The last release stays the one that was left last.
SELECT dp_count('*', 1e3) FROM stay WHERE id < 120;
SELECT dp_count('*', 1e3) FROM stay WHERE id < 121;
SELECT dp_last_release() AS last \gset
SELECT epsilon FROM dp.cost('SELECT count(*) FROM stay WHERE id > (SELECT dp_count(''*'', 1e3) FROM stay WHERE id < 120)') WHERE role IS NULL;
SELECT dp_last_release() = :last AS stays;
-- Without stored answers the price is that of asking anew.
SET dp.reuse = 0;
SELECT * FROM told(ARRAY['SELECT count(*) FROM stay WHERE id > (SELECT dp_count(''*'', 1e3) FROM stay WHERE id < 109)']);
RESET dp.reuse;
-- One answer is made more accurate once, however often the statement asks for it.
SET dp.epsilon = 0.004;
SELECT * FROM told(ARRAY[
    'SELECT count(*) FROM stay WHERE id > (SELECT dp_count(''*'', 1.5e3) FROM stay WHERE id < 102)',
    'SELECT * FROM (SELECT count(*) AS n FROM stay) a, (SELECT count(*) AS m FROM stay) b',
    'SELECT * FROM (SELECT dp_count(''*'', 0.005) AS n FROM stay) a, (SELECT dp_count(''*'', 0.006) AS m FROM stay) b',
    'SELECT * FROM (SELECT dp_count(''*'', 0.008) AS n FROM stay) a, (SELECT dp_count(''*'', 0.007) AS m FROM stay) b']);
RESET dp.epsilon;

-- ---- the budget is gone: what dp.on_exhausted would show
SET ROLE regress_foretold_ben;
SELECT count(*) >= 0 AS asked FROM stay WHERE age > (SELECT avg(age) FROM stay WHERE id < 110);
RESET ROLE;
UPDATE dp.stored_answer SET made_at = made_at - interval '25 hours' WHERE role = 'regress_foretold_ben'::regrole;
SET ROLE regress_foretold_ben;
SELECT epsilon FROM dp.cost('SELECT count(*) FROM stay WHERE age > (SELECT avg(age) FROM stay WHERE id < 110)') WHERE role IS NULL;
SET dp.on_exhausted = 'last';
SELECT epsilon FROM dp.cost('SELECT count(*) FROM stay WHERE age > (SELECT avg(age) FROM stay WHERE id < 110)') WHERE role IS NULL;
SELECT pg_temp.explained($query$SELECT count(*) FROM stay WHERE age > (SELECT avg(age) FROM stay WHERE id < 110)$query$);
RESET dp.on_exhausted;

-- ---- refusals: of values that an answer does not give, of lists, of too many groups
SET ROLE regress_foretold_ana;
EXPLAIN SELECT count(*) FROM stay WHERE age > (SELECT (40000 + 0 * count(*))::smallint FROM stay);
SELECT * FROM dp.admissible('SELECT count(*) FROM stay WHERE age > (SELECT (40000 + 0 * count(*))::smallint FROM stay)');
EXPLAIN SELECT count(*) FROM stay JOIN (SELECT ward FROM twins LIMIT 5) q USING (ward);
SELECT count(*) FROM stay JOIN (SELECT ward FROM twins LIMIT 5) q USING (ward);
EXPLAIN SELECT age + 1, id, age + 2, id % 100, count(*) FROM apart GROUP BY 1, 2, 3, 4;
-- A curator learns what a role may ask; nothing of it is run as the curator.
RESET ROLE;
SELECT admissible FROM dp.admissible('SELECT count(*) FROM stay WHERE age > (SELECT (40000 + 0 * count(*))::smallint FROM stay)', 'regress_foretold_ana');
SELECT admissible FROM dp.admissible('SELECT count(*) FROM stay JOIN (SELECT ward, max(1 / beds) FROM wards GROUP BY ward) q USING (ward)', 'regress_foretold_ana');

SELECT dp.unprotect(t) FROM unnest('{stay,apart}'::regclass[]) t;
DROP TABLE stay, apart, wards, twins;
DROP FUNCTION half, shout, told;
DROP DOMAIN small;
DROP SEQUENCE numbers;
DROP ROLE regress_foretold_ana, regress_foretold_ben;
