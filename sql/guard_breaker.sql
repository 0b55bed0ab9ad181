-- An error while a private query reads rows: who asked learns that there was one and is closed until a curator opens the account.
-- The error is a real one: a value that is stored out of line has lost its chunks, so that whoever reads it fails, at one row.
SET client_min_messages = warning;
CREATE EXTENSION pg_surgery SCHEMA public;
CREATE ROLE regress_broken_ana;
CREATE ROLE regress_broken_ben;
CREATE ROLE regress_broken_team;
CREATE ROLE regress_broken_member IN ROLE regress_broken_team;
CREATE SCHEMA regress_breaker;
GRANT USAGE ON SCHEMA regress_breaker TO PUBLIC;
SET search_path = regress_breaker, public;
CREATE TABLE broken (id int PRIMARY KEY, note text COLLATE "C");
ALTER TABLE broken ALTER COLUMN note SET STORAGE EXTERNAL;
INSERT INTO broken SELECT i, CASE WHEN i = 777 THEN repeat('z', 3000) ELSE 'a' END FROM generate_series(1, 1000) i;
CREATE TABLE others (id int PRIMARY KEY, age int);
INSERT INTO others SELECT i, i % 50 FROM generate_series(1, 1000) i;
ANALYZE broken, others;
SELECT dp.protect('broken', 1e7, privacy_unit => 'id'), dp.protect('others', 1e7, privacy_unit => 'id'),
    dp.public_values('broken', 'note', 'a', 'b');
SELECT dp.grant_budget(t, r, 1e7, allow_leaks => true) IS NULL AS granted
FROM unnest('{broken,others}'::regclass[]) t, unnest('{regress_broken_ana,regress_broken_ben,regress_broken_team}'::regrole[]) r;
-- Names of TOAST tables have numbers in them.
DO $$
DECLARE
    toast regclass := (SELECT reltoastrelid FROM pg_class WHERE oid = 'broken'::regclass);
    chunks tid[];
BEGIN
    EXECUTE 'SELECT array_agg(ctid) FROM ' || toast INTO chunks;
    PERFORM heap_force_kill(toast, chunks);
END
$$;
\set VERBOSITY sqlstate
SELECT count(*) FROM broken WHERE note > 'b';
\set VERBOSITY default

-- What the client is told, all of it: the same words wherever the error was.
CREATE FUNCTION told(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    state text; message text; detail text; hint text; context text; table_name text;
BEGIN
    EXECUTE query;
    RETURN 'nothing';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL,
        hint = PG_EXCEPTION_HINT, context = PG_EXCEPTION_CONTEXT, table_name = TABLE_NAME;
    RETURN concat_ws('|', state, message, detail, hint, context, table_name);
END
$$;
CREATE TABLE said (text text);
GRANT INSERT, SELECT ON said TO PUBLIC;
CREATE TABLE questions (id int GENERATED ALWAYS AS IDENTITY, query text);
INSERT INTO questions (query) VALUES
    ($$SELECT dp_count('*', 1) FROM broken WHERE note > 'b'$$),                                     -- the condition of a scan
    ($$SELECT dp_count('*', 1) FROM broken WHERE id < 800 AND note > 'b'$$),                        -- of an index scan
    ($$SELECT dp_count('*', 1) FILTER (WHERE note > 'b') FROM broken$$),                            -- of an aggregate
    ($$SELECT dp_sum(length(note), 0, 10, 1) FROM broken$$),                                        -- an argument
    ($$SELECT dp_count(DISTINCT upper(note), 1) FROM broken$$),                                     -- a sort within an aggregate
    ($$SELECT note, dp_count('*', 1) FROM broken GROUP BY note$$),                                  -- a key
    ($$SELECT note, dp_count('*', 1) FROM broken GROUP BY GROUPING SETS ((note), ())$$),
    ($$SELECT dp_histogram(note, ARRAY['a', 'z'], 1) FROM broken$$),
    ($$SELECT dp_count('*', 1) FROM (SELECT upper(note) AS n FROM broken) x WHERE n > 'B'$$),
    ($$SELECT dp_count('*', 1) FROM others JOIN broken USING (id) WHERE note > 'b'$$),
    ($$SELECT (SELECT dp_count('*', 1) FROM broken WHERE note > 'b') FROM generate_series(1, 3)$$);
GRANT SELECT ON questions TO PUBLIC;
CREATE FUNCTION refused() RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    question text;
    answer text;
BEGIN
    FOR question IN SELECT query FROM questions ORDER BY id LOOP
        SET ROLE regress_broken_ana;
        answer := told(question);
        RETURN NEXT left(answer, 5) || ', then ' || left(told($q$SELECT dp_count('*', 1) FROM broken$q$), 60);
        RESET ROLE;
        INSERT INTO said SELECT answer WHERE question NOT LIKE '%JOIN%'; -- which names both tables
        PERFORM dp.reopen(relation, role) FROM dp.budgets WHERE closed;
    END LOOP;
END
$$;
SELECT * FROM refused();
SELECT text, count(*) FROM said GROUP BY text;
SELECT relation, role, kind, count(*) FROM dp.ledger WHERE kind <> 'query' AND relation IN ('broken'::regclass, 'others'::regclass)
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;
-- Who may read the rows is told what is wrong with them, and nothing is closed.
\set VERBOSITY sqlstate
SELECT dp_count('*', 1) FROM broken WHERE note > 'b';
\set VERBOSITY default
SELECT dp_count('*', 1e6) FROM broken;

-- Not even where the session asks for its end at the first error, which would be shown.
SET ROLE regress_broken_ana;
SET exit_on_error = on;
SELECT told($$SELECT dp_count('*', 1) FROM broken WHERE note > 'b'$$) = text AS told FROM (SELECT text FROM said LIMIT 1) s;
RESET exit_on_error;
RESET ROLE;
SELECT dp.reopen('broken', 'regress_broken_ana');

-- In parallel workers too.
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
-- force_parallel_mode was its name before 16.
SELECT name AS forced_parallel FROM pg_settings WHERE name IN ('force_parallel_mode', 'debug_parallel_query') \gset
SET :forced_parallel = on;
SET ROLE regress_broken_ana;
SELECT told($$SELECT dp_count('*', 1) FROM broken WHERE note > 'b'$$);
RESET ROLE;
SELECT dp.reopen('broken', 'regress_broken_ana');
SET ROLE regress_broken_ana;
SELECT dp_count('*', 1e5) FROM broken;
RESET ROLE;
RESET :forced_parallel;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;

-- Closed on that table alone, and that role alone.
SET ROLE regress_broken_ana;
SELECT dp_count('*', 1) FROM broken WHERE note > 'b';
SELECT dp_count('*', 1e6) FROM others;
SELECT dp_count('*', 1) FROM broken;
EXPLAIN (COSTS OFF) SELECT dp_count('*', 1) FROM broken;
SELECT * FROM dp.cost($$SELECT dp_count('*', 1) FROM broken$$);
SELECT dp.admissible($$SELECT dp_count('*', 1) FROM broken$$);
SELECT * FROM relax_release((SELECT min(release_id) FROM dp.releases WHERE relation = 'broken'::regclass), 1e6);
SELECT relation, closed FROM dp.budgets ORDER BY relation::text;
RESET ROLE;
-- Nor does a table that takes the other one's place.
CREATE TABLE replaced (id int PRIMARY KEY, note text COLLATE "C");
SELECT dp.protect('replaced', continues => 'broken');
DROP TABLE replaced;
SET ROLE regress_broken_ana;
SELECT dp.reopen('broken', 'regress_broken_ana');
SET ROLE regress_broken_ben;
SELECT dp_count('*', 1e6) FROM broken;
SELECT relation, closed FROM dp.budgets ORDER BY relation::text;
RESET ROLE;
-- The totals are made anew from the ledger, and an older row in a later place opens nothing.
INSERT INTO dp.ledger_entry SELECT 1, now(), role, account, relation, 'reopened', 0, 0, 0, 0, NULL, NULL FROM dp.ledger_entry
    WHERE kind = 'closed' ORDER BY seq DESC LIMIT 1;
SET ROLE regress_broken_ana;
SELECT dp_count('*', 1) FROM broken;
RESET ROLE;
SELECT dp.revoke_budget('broken', 'regress_broken_ana'), dp.grant_budget('broken', 'regress_broken_ana', 1e7, allow_leaks => true);
SELECT told($$SET LOCAL ROLE regress_broken_ana; SELECT dp_count('*', 1) FROM broken$$);
SELECT dp.reopen('broken', 'regress_broken_ana');
SELECT dp.reopen('broken', 'regress_broken_ana');
SELECT dp.reopen(NULL, 'regress_broken_ana');

-- Whatever becomes of the transaction. A member pays from the account of the team, which is closed then.
SET ROLE regress_broken_ana;
BEGIN READ ONLY;
SAVEPOINT s;
SELECT dp_count('*', 1) FROM broken WHERE note > 'b';
ROLLBACK TO s;
SELECT dp_count('*', 1) FROM broken;
ROLLBACK;
SELECT dp_count('*', 1) FROM broken;
SET ROLE regress_broken_member;
BEGIN;
DECLARE c CURSOR FOR SELECT dp_count('*', 1) FROM broken WHERE note > 'b';
FETCH c;
ROLLBACK;
SELECT dp_count('*', 1) FROM broken;
SET ROLE regress_broken_team;
SELECT dp_count('*', 1) FROM broken;
RESET ROLE;
SELECT relation, role FROM dp.budgets WHERE closed ORDER BY role::text;
BEGIN;
SELECT dp.reopen('broken', 'regress_broken_team');
ROLLBACK;
SELECT relation, role FROM dp.budgets WHERE closed ORDER BY role::text;
-- A statement over two tables closes both.
SET ROLE regress_broken_ben;
SELECT dp_count('*', 1) FROM others JOIN broken USING (id) WHERE note > 'b';
SELECT dp_count('*', 1) FROM others;
RESET ROLE;
SELECT relation, role FROM dp.budgets WHERE closed ORDER BY role::text, relation::text;
SELECT dp.reopen(relation, role) FROM dp.budgets WHERE closed;

-- Behind a view its owner asks, who pays from the table alone where he has no account, and is closed like one who has.
CREATE ROLE regress_broken_owner;
GRANT CREATE ON SCHEMA regress_breaker TO regress_broken_owner;
GRANT SELECT ON broken TO regress_broken_owner;
CREATE VIEW shown AS SELECT note FROM broken;
ALTER VIEW shown OWNER TO regress_broken_owner;
GRANT SELECT ON shown TO regress_broken_ben;
SET ROLE regress_broken_ben;
SELECT dp_count('*', 1e6) FROM shown;
SELECT dp_count('*', 1) FROM shown WHERE note > 'b';
SELECT dp_count('*', 1e6) FROM shown;
SELECT dp_count('*', 1e6) FROM broken;
RESET ROLE;
SELECT dp.reopen('broken', 'regress_broken_owner');
SET ROLE regress_broken_ben;
SELECT dp_count('*', 1e6) FROM shown;
RESET ROLE;

-- A time limit, which comes long after the charge and long before the end, closes nobody, and is told as what it is.
CREATE TABLE slow AS SELECT repeat('ab', 2000) AS v FROM generate_series(1, 50000) i;
SELECT dp.protect('slow', 1e7), dp.grant_budget('slow', 'regress_broken_ana', 1e7, allow_leaks => true);
SET ROLE regress_broken_ana;
SET statement_timeout = '3s';
SELECT left(told('SELECT dp_count(''*'', 0.25) FROM slow WHERE ' || string_agg(format('v LIKE ''%%b%s%%''', i), ' OR ')), 56)
FROM generate_series(1, 300) i;
RESET statement_timeout;
SELECT dp_count('*', 1e6) FROM slow;
RESET ROLE;
SELECT kind, epsilon FROM dp.ledger WHERE relation = 'slow'::regclass ORDER BY seq;

SET dp.allow_drop = on;
SET client_min_messages = error;
DROP SCHEMA regress_breaker CASCADE;
RESET dp.allow_drop;
DROP EXTENSION pg_surgery;
DROP ROLE regress_broken_ana, regress_broken_ben, regress_broken_member, regress_broken_owner, regress_broken_team;
