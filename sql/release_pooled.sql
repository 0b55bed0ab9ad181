-- Behind a pooler that gives each transaction another session: the number of a release is asked for in the transaction of the question.
-- What it is used for is known by the role, not by the session.
CALL own_schema('release_pooled');
SET client_min_messages = error;
\set SHOW_CONTEXT never
\set VERBOSITY terse
CREATE ROLE regress_pooled_ana;
CREATE ROLE regress_pooled_ben;
CREATE TABLE pooled AS SELECT i FROM generate_series(1, 10) i;
SELECT dp.protect('pooled', 10), dp.grant_budget('pooled', 'regress_pooled_ana', 5, allow_leaks => true), dp.grant_budget('pooled', 'regress_pooled_ben', 5, allow_leaks => true);

-- One transaction, or one statement: both are the same session.
SET SESSION AUTHORIZATION regress_pooled_ana;
BEGIN;
SELECT dp_count('*', 0.1) IS NULL AS asked FROM pooled;
SELECT dp_last_release() AS hers \gset
COMMIT;
SELECT dp_count('*', 0.1) IS NULL AS asked FROM pooled\; SELECT dp_last_release() > :hers AS hers;
SELECT dp_last_release() AS hers \gset

-- The next client of that session finds a number that says nothing to it: it neither reads nor relaxes the release.
SET SESSION AUTHORIZATION regress_pooled_ben;
SELECT dp_last_release() = :hers AS still_there;
DO $$ BEGIN PERFORM dp_answer(dp_last_release()); EXCEPTION WHEN SQLSTATE 'DP003' THEN RAISE EXCEPTION 'DP003'; END $$;
DO $$ BEGIN PERFORM dp_relax_release(dp_last_release(), 1); EXCEPTION WHEN SQLSTATE 'DP003' THEN RAISE EXCEPTION 'DP003'; END $$;

-- A pooler that resets its sessions (server_reset_query) takes the number away; the client goes on with what it has noted.
DISCARD ALL;
SELECT dp_last_release() IS NULL AS forgotten;
SET SESSION AUTHORIZATION regress_pooled_ana;
SELECT count(*) FROM dp_relax_release(:hers, 0.3);
-- A setting for one transaction ends with it.
BEGIN;
SET LOCAL dp.epsilon = 0.2;
SELECT dp_count(*) IS NULL AS asked FROM release_pooled.pooled;
COMMIT;
SELECT current_setting('dp.epsilon') AS epsilon;
RESET SESSION AUTHORIZATION;
SET search_path = release_pooled, public;
SELECT role, epsilon_spent FROM dp.budgets WHERE relation = 'pooled'::regclass ORDER BY role::text NULLS FIRST;
SELECT dp.unprotect('pooled');
DROP TABLE pooled;
DROP ROLE regress_pooled_ana, regress_pooled_ben;
