-- A question that is sent as text again and again is planned twice, and then for a minute no more. What changes meanwhile is seen by
-- the next one all the same.
CALL own_schema('guard_known_plans');
SET client_min_messages = warning;
\set VERBOSITY terse
DROP ROLE IF EXISTS regress_known_ana, regress_known_ben;
CREATE ROLE regress_known_ana;
CREATE ROLE regress_known_ben;
GRANT USAGE ON SCHEMA guard_known_plans TO regress_known_ana, regress_known_ben;
CREATE TABLE known_stay AS SELECT i AS id, i % 3 AS ward, i AS days FROM generate_series(1, 30) i;
CREATE TABLE known_other AS SELECT i AS id FROM generate_series(1, 7) i;
SELECT dp.protect('known_stay', 9e9, answer_epsilon => 0), dp.protect('known_other', 9e9),
    dp.grant_budget('known_stay', 'regress_known_ana', 9e9, allow_leaks => true), dp.grant_budget('known_other', 'regress_known_ana', 9e9, allow_leaks => true);
CREATE VIEW known_rows AS SELECT * FROM known_stay WHERE days <= 10;
GRANT SELECT ON known_rows TO regress_known_ana;
ALTER VIEW known_rows OWNER TO regress_known_ana;
CREATE FUNCTION known_late() RETURNS SETOF known_stay LANGUAGE sql STABLE AS 'SELECT * FROM known_stay WHERE days >= 6';
\set ask 'SELECT dp_count(\'*\', 1e6) FROM known_stay WHERE days >= 26;'
\set ask_function 'SELECT dp_count(\'*\', 1e6) FROM known_late();'
\set ask_default 'SELECT dp_count(id) FROM known_stay;'
\set ask_view 'SELECT dp_count(\'*\', 1e6) FROM known_rows;'
\set ask_sum 'SELECT dp_sum(days) FROM known_stay;'

-- A function that was inlined.
SET ROLE regress_known_ana;
:ask_function
:ask_function
:ask_function
RESET ROLE;
CREATE OR REPLACE FUNCTION known_late() RETURNS SETOF known_stay LANGUAGE sql STABLE AS 'SELECT * FROM known_stay WHERE days >= 26';
SET ROLE regress_known_ana;
:ask_function
:ask
:ask
:ask

-- A setting: of which epsilon answers are.
SET dp.epsilon = 1e6;
:ask_default
:ask_default
:ask_default
SET dp.epsilon = 1e5;
:ask_default
RESET ROLE;
SELECT epsilon FROM dp.ledger WHERE relation = 'known_stay'::regclass ORDER BY seq DESC LIMIT 2;
SET ROLE regress_known_ana;
RESET dp.epsilon;
:ask_default

-- One of a library that is loaded meanwhile: whether the statement is planned again says a function that planning calls.
RESET ROLE;
CREATE FUNCTION known_planned() RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$BEGIN RAISE WARNING 'planned'; RETURN 0; END$$;
\set ask_planned 'SELECT dp_count(\'*\', 1e6) + known_planned() AS answer FROM known_stay;'
:ask_planned
:ask_planned
:ask_planned
SET known.nothing = 1;
LOAD 'auto_explain';
:ask_planned
SET auto_explain.log_timing = off;
:ask_planned
:ask_planned
SET auto_explain.log_timing = on;
:ask_planned
SET known.nothing = 2; -- of no library
:ask_planned
RESET auto_explain.log_timing;
SET ROLE regress_known_ana;

-- A view.
:ask_view
:ask_view
:ask_view
RESET ROLE;
CREATE OR REPLACE VIEW known_rows AS SELECT * FROM known_stay WHERE days <= 20;
SET ROLE regress_known_ana;
:ask_view

-- Bounds that were declared.
SET dp.epsilon = 1e6;
RESET ROLE;
SELECT dp.declare_range('known_stay', 'days', 0, 30);
SET ROLE regress_known_ana;
:ask_sum
:ask_sum
:ask_sum
RESET ROLE;
SELECT dp.declare_range('known_stay', 'days', 0, 1);
SET ROLE regress_known_ana;
:ask_sum

-- Another role, with another budget; and the same one, from which it was taken.
RESET ROLE;
SET ROLE regress_known_ben;
:ask
RESET ROLE;
SELECT dp.revoke_budget('known_stay', 'regress_known_ana');
SET ROLE regress_known_ana;
:ask
RESET ROLE;
SELECT dp.grant_budget('known_stay', 'regress_known_ana', 9e9, allow_leaks => true);
SET ROLE regress_known_ana;
:ask

-- Another table of the name, by the search path and by DDL.
RESET ROLE;
CREATE SCHEMA known_elsewhere;
GRANT USAGE ON SCHEMA known_elsewhere TO regress_known_ana;
CREATE TABLE known_elsewhere.known_stay AS SELECT i AS id, 1 AS ward, i AS days FROM generate_series(25, 28) i;
SELECT dp.protect('known_elsewhere.known_stay', 9e9), dp.grant_budget('known_elsewhere.known_stay', 'regress_known_ana', 9e9, allow_leaks => true);
SET search_path = known_elsewhere, guard_known_plans, public;
SET ROLE regress_known_ana;
:ask
:ask
RESET ROLE;
SET search_path = guard_known_plans, public;
BEGIN;
ALTER TABLE known_stay RENAME TO known_gone;
ALTER TABLE known_other RENAME TO known_stay;
ALTER TABLE known_stay ADD days int DEFAULT 27;
SET LOCAL ROLE regress_known_ana;
:ask
ROLLBACK;
SET ROLE regress_known_ana;
:ask

-- An index on which the plan goes, which is dropped; and a part of several statements in one text.
RESET ROLE;
CREATE UNIQUE INDEX known_id ON known_stay (id);
\set ask_id 'SELECT dp_count(\'*\', 1e6) FROM known_stay WHERE id = 7;'
\set explain_id 'EXPLAIN (COSTS OFF) SELECT dp_count(\'*\', 1e6) FROM known_stay WHERE id = 7;'
SET enable_bitmapscan = off;
SET enable_indexonlyscan = off;
SET enable_indexscan = off;
:explain_id
:explain_id
:explain_id
RESET enable_indexonlyscan;
RESET enable_indexscan;
SET enable_seqscan = off;
:explain_id
:ask_id
:ask_id
:ask_id
DROP INDEX known_id;
:ask_id
RESET enable_seqscan;
RESET enable_bitmapscan;
SELECT dp_count('*', 1e6) FROM known_stay WHERE id < 3\; SELECT dp_count('*', 1e6) FROM known_stay WHERE id < 5;
SELECT dp_count('*', 1e6) FROM known_stay WHERE id < 3\; SELECT dp_count('*', 1e6) FROM known_stay WHERE id < 5;
SELECT dp_count('*', 1e6) FROM known_stay WHERE id < 3\; SELECT dp_count('*', 1e6) FROM known_stay WHERE id < 5;

-- Comments that differ, and what only looks like one.
SELECT dp_count('*', 1e6) FROM known_stay WHERE days < 9 /* request 7 */;
SELECT dp_count('*', 1e6) FROM known_stay WHERE days < 9 /* request 12 */;
SELECT dp_count('*', 1e6) FROM known_stay WHERE days < 9 -- the third
;
SELECT dp_count('*', 1e6) FROM known_stay /* 1 */ WHERE days < 9;
SELECT dp_count('*', 1e6) FROM known_stay /* 2 */ WHERE days < 9;
SELECT query FROM dp.ledger WHERE relation = 'known_stay'::regclass ORDER BY seq DESC LIMIT 5;
SELECT dp_count('*', 1e6) FROM known_stay WHERE days::text = '/*7*/' OR days < 9;
SELECT dp_count('*', 1e6) FROM known_stay WHERE days::text = '/*8*/' OR days < 9;
SELECT dp_count('*', 1e6) FROM known_stay WHERE days::text = '--*' OR days < 5;
SELECT dp_count('*', 1e6) FROM known_stay WHERE days::text = '--*' OR days < 7;
SELECT dp_count('*', 1e6) FROM known_stay WHERE days::text = '--*' OR days < 9;

-- The same text with values beside it is another question each time.
CREATE FUNCTION asked_of(days_before int) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT dp_count('*', 1e6) FROM known_stay WHERE days > days_before);
END
$$;
SELECT n, asked_of(n) FROM generate_series(24, 29) n;

-- Settings of a library that this session loads meanwhile. Their placeholders are freed, and the lists of tablespaces are as long as a
-- placeholder: they come to lie where it was.
SET allow_in_place_tablespaces = on;
CREATE TABLESPACE regress_known_space LOCATION '';
SELECT string_agg(CASE n WHEN 10 THEN 'regress_known_space' ELSE '""' END, ',' ORDER BY n) AS spaces FROM generate_series(0, 43) n \gset
\c -
SET search_path = guard_known_plans, public;
SET plpgsql.variable_conflict = 'error';
SET plpgsql.extra_warnings = 'none';
SET plpgsql.extra_errors = 'none';
SET plpgsql.check_asserts = on;
SET plpgsql.print_strict_params = off;
:ask
:ask
LOAD 'plpgsql';
SELECT set_config('temp_tablespaces', :'spaces', false) IS NULL AS unset;
BEGIN;
SELECT set_config('temp_tablespaces', :'spaces', true) IS NULL AS unset;
SAVEPOINT deeper;
SELECT set_config('temp_tablespaces', :'spaces', true) IS NULL AS unset;
SAVEPOINT deeper;
SELECT set_config('temp_tablespaces', :'spaces', true) IS NULL AS unset;
:ask
COMMIT;
RESET temp_tablespaces;
DROP TABLESPACE regress_known_space;

-- A plan whose place others take while it runs: it stays beside the eight that are kept.
CREATE FUNCTION plans_in_memory() RETURNS bigint LANGUAGE sql SECURITY DEFINER AS $$
    SELECT count(*) FROM pg_backend_memory_contexts WHERE name = 'pg_dp plan'
$$;
CREATE FUNCTION known_others() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('known.asked', true) IS DISTINCT FROM 'now' THEN RETURN 'nobody'; END IF;
    PERFORM set_config('known.asked', 'once', false);
    FOR i IN 1..40 LOOP
        EXECUTE format('SELECT known_others(), dp_sum(id, 0, 30, 1e6), dp_count(days, 1e6) AS others_%s, known_others() FROM known_stay', (i + 1) / 2);
    END LOOP;
    RETURN format('others: %s plans', plans_in_memory());
END $$;
\set ask_beside 'SELECT known_others(), dp_sum(days, 0, 30, 1e6), dp_count(id, 1e6) AS these, known_others() FROM known_stay;'
SET ROLE regress_known_ana;
:ask_beside
:ask_beside
SET known.asked = 'now';
:ask_beside
SELECT plans_in_memory();
SELECT aggregate, count(*) FROM dp.releases WHERE query LIKE '%these%' GROUP BY aggregate ORDER BY aggregate;
RESET ROLE;

SELECT dp.unprotect('known_elsewhere.known_stay'), dp.unprotect('known_stay'), dp.unprotect('known_other');
SET client_min_messages = error;
DROP SCHEMA known_elsewhere CASCADE;
DROP FUNCTION asked_of, known_late, known_others, plans_in_memory;
DROP TABLE known_stay, known_other CASCADE;
DROP OWNED BY regress_known_ana, regress_known_ben;
DROP ROLE regress_known_ana, regress_known_ben;
