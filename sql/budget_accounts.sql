-- Whose account a query is charged to, as the policy is when it runs.
CALL own_schema('budget_accounts');
SET client_min_messages = error;
CREATE ROLE regress_accounts_ana;
CREATE ROLE regress_accounts_team;
CREATE ROLE regress_accounts_club;
CREATE ROLE regress_accounts_ben IN ROLE regress_accounts_team;
CREATE ROLE regress_accounts_cleo IN ROLE regress_accounts_team, regress_accounts_club;
CREATE ROLE regress_accounts_dan;
CREATE ROLE regress_accounts_eve;
CREATE ROLE regress_accounts_fay NOINHERIT IN ROLE regress_accounts_team;
CREATE TABLE owned AS SELECT i, i % 3 AS k FROM generate_series(1, 60) i;
SELECT dp.protect('owned', 100);
SELECT dp.public_values('owned', 'k', 0, 1, 2);
-- Roles that may read the table: they are charged like others. The fence around those that may not is tested elsewhere.
GRANT SELECT ON owned TO regress_accounts_ana, regress_accounts_team, regress_accounts_club, regress_accounts_dan, regress_accounts_fay;
GRANT SELECT (i) ON owned TO regress_accounts_eve;
SELECT dp.grant_budget('owned', 'regress_accounts_ana', 1, allow_leaks => true), dp.grant_budget('owned', 'regress_accounts_team', 2, allow_leaks => true), dp.grant_budget('owned', 'regress_accounts_club', 3, allow_leaks => true);
CREATE VIEW spent AS SELECT role, epsilon_spent FROM dp.budgets WHERE relation = 'owned'::regclass ORDER BY role::text;

-- An account of its own, one that is inherited, two of them, only SELECT, and none at all.
SET ROLE regress_accounts_ana;
SELECT dp_count('*', 0.5) IS NOT NULL AS answered FROM owned;
SELECT dp_count('*', 0.6) FROM owned;
SET ROLE regress_accounts_ben;
SELECT dp_count('*', 0.25) IS NOT NULL AS answered FROM owned;
SET ROLE regress_accounts_cleo;
SELECT dp_count('*', 0.1) FROM owned;
EXPLAIN (COSTS OFF) SELECT dp_count('*', 0.1) FROM owned;
SET ROLE regress_accounts_team;
SELECT dp_count('*', 0.25) IS NOT NULL AS answered FROM owned;
SET ROLE regress_accounts_fay;
SELECT dp_count('*', 0.125) IS NOT NULL AS answered FROM owned;
SET ROLE regress_accounts_dan;
SELECT dp_count('*', 4) IS NOT NULL AS answered FROM owned;
SET ROLE regress_accounts_eve;
SELECT dp_count(i, 0.1) FROM owned;
RESET ROLE;
SELECT * FROM spent;
-- Two nodes that fit one by one but not together charge nothing, whoever pays.
SET ROLE regress_accounts_ana;
SELECT dp_count('*', 0.3) FROM owned UNION ALL SELECT dp_count('*', 0.3) FROM owned;
WITH a AS (SELECT dp_count('*', 0.3) AS n FROM owned) SELECT n FROM a UNION ALL SELECT n + 1 FROM a EXCEPT SELECT dp_count('*', 0.3) FROM owned;
RESET ROLE;
SELECT * FROM spent WHERE role = 'regress_accounts_ana'::regrole;
-- A limit for one statement
SELECT dp.grant_budget('owned', 'regress_accounts_ana', 5, query_epsilon => 0.2, allow_leaks => true);
SET ROLE regress_accounts_ana;
SELECT dp_count('*', 0.3) FROM owned;
SELECT dp_count('*', 0.2) IS NOT NULL AS answered FROM owned;
RESET ROLE;

-- A view is read as its owner, aggregates and rows alike; with security_invoker as who asks.
CREATE VIEW small AS SELECT * FROM owned WHERE i < 30;
CREATE VIEW counted AS SELECT k, dp_count('*', 0.5) AS n FROM owned GROUP BY k;
CREATE VIEW invoking WITH (security_invoker = true) AS SELECT * FROM owned WHERE i < 30;
CREATE VIEW counted_invoking WITH (security_invoker = true) AS SELECT dp_count('*', 0.5) AS n FROM invoking;
ALTER VIEW small OWNER TO regress_accounts_club;
ALTER VIEW counted OWNER TO regress_accounts_club;
ALTER VIEW invoking OWNER TO regress_accounts_club;
GRANT SELECT ON small, counted, invoking, counted_invoking TO regress_accounts_dan, regress_accounts_ben;
CREATE TABLE charges (role regrole, epsilon numeric);
INSERT INTO charges SELECT * FROM spent;
CREATE FUNCTION charges() RETURNS TABLE (who regrole, charged numeric) LANGUAGE sql AS $$
    WITH now AS (SELECT * FROM spent), old AS (UPDATE charges c SET epsilon = now.epsilon_spent FROM now WHERE now.role IS NOT DISTINCT FROM c.role RETURNING c.role)
    SELECT now.role, trim_scale(now.epsilon_spent - c.epsilon) FROM now JOIN charges c ON now.role IS NOT DISTINCT FROM c.role WHERE now.epsilon_spent <> c.epsilon
$$;
SET ROLE regress_accounts_dan;
SELECT dp_count('*', 0.5) IS NOT NULL AS answered FROM small;
SELECT count(n) FROM counted;
RESET ROLE;
SELECT * FROM charges();
SET ROLE regress_accounts_ben;
SELECT dp_count('*', 0.25) IS NOT NULL AS answered FROM invoking;
SELECT n IS NOT NULL AS answered FROM counted_invoking;
RESET ROLE;
SELECT * FROM charges();
-- The privilege on the view itself is still needed.
SET ROLE regress_accounts_ana;
SELECT dp_count('*', 0.1) FROM small;
SELECT count(n) FROM counted;
RESET ROLE;
GRANT SELECT ON invoking TO regress_accounts_ana;
SET ROLE regress_accounts_ana;
SELECT n FROM counted_invoking;
RESET ROLE;
REVOKE SELECT ON invoking FROM regress_accounts_ana;
GRANT SELECT ON counted_invoking TO regress_accounts_ana;
SET ROLE regress_accounts_ana;
SELECT n FROM counted_invoking;
WITH w AS (SELECT * FROM counted) SELECT (SELECT max(n) FROM w);
RESET ROLE;
-- A function that runs as its owner is charged to its owner.
CREATE FUNCTION counting() RETURNS bigint LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = budget_accounts, public, pg_temp AS $$SELECT dp_count('*', 0.25) FROM budget_accounts.owned$$;
ALTER FUNCTION counting() OWNER TO regress_accounts_team;
SET ROLE regress_accounts_dan;
SELECT counting() IS NOT NULL AS answered;
RESET ROLE;
SELECT * FROM charges();

-- A prepared plan asks the policy of the day it runs on.
SET ROLE regress_accounts_ana;
PREPARE q AS SELECT dp_count('*', 0.125) IS NOT NULL AS answered FROM owned;
EXECUTE q;
SET plan_cache_mode = force_generic_plan;
EXECUTE q;
SET ROLE regress_accounts_dan;
EXECUTE q;
RESET ROLE;
SELECT * FROM charges();
REVOKE SELECT ON owned FROM regress_accounts_ana;
GRANT SELECT (i, k) ON owned TO regress_accounts_ana;
SELECT dp.revoke_budget('owned', 'regress_accounts_ana');
SET ROLE regress_accounts_ana;
EXECUTE q;
RESET ROLE;
SELECT dp.protect('owned', 0.1);
EXECUTE q;
SELECT dp.unprotect('owned');
EXECUTE q;
REVOKE SELECT (i, k) ON owned FROM regress_accounts_ana; -- with these alone she could not be given a budget
SELECT dp.protect('owned', 100), dp.grant_budget('owned', 'regress_accounts_ana', 5, allow_leaks => true);
GRANT SELECT (i, k) ON owned TO regress_accounts_ana;
EXECUTE q;
SET ROLE regress_accounts_ana;
EXECUTE q;
RESET ROLE;
SELECT * FROM spent;
-- DDL in between
ALTER TABLE owned ADD COLUMN more text;
EXECUTE q;
ALTER TABLE owned ENABLE ROW LEVEL SECURITY;
EXECUTE q;
SET ROLE regress_accounts_ana;
SELECT dp_count('*', 0.125) FROM owned;
RESET ROLE;
SELECT dp_count('*', 0.125) FROM small;
ALTER TABLE owned DISABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
EXECUTE q;
ALTER TABLE owned NO FORCE ROW LEVEL SECURITY;
EXECUTE q;
DEALLOCATE q;
RESET plan_cache_mode;
-- An open cursor is charged when it is first read, to who opened it.
UPDATE charges c SET epsilon = s.epsilon_spent FROM spent s WHERE s.role IS NOT DISTINCT FROM c.role;
BEGIN;
SET LOCAL ROLE regress_accounts_ana;
DECLARE c CURSOR FOR SELECT dp_count('*', 0.25) IS NOT NULL AS answered FROM owned;
RESET ROLE;
FETCH c;
COMMIT;
SELECT * FROM charges();
BEGIN;
DECLARE c CURSOR FOR SELECT dp_count('*', 0.25) FROM owned;
SAVEPOINT s;
SELECT dp.unprotect('owned');
FETCH c;
ROLLBACK;
-- The owner of the database has the account of pg_database_owner, as long as it is the owner.
CREATE FUNCTION give_database(name) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('ALTER DATABASE %I OWNER TO %I', current_database(), $1);
END $$;
BEGIN;
SELECT dp.grant_budget('owned', 'pg_database_owner', 4, allow_leaks => true), give_database('regress_accounts_eve');
SET LOCAL ROLE regress_accounts_eve;
SELECT dp_count('*', 0.25) IS NOT NULL AS answered FROM owned;
RESET ROLE;
SELECT give_database(session_user);
SET LOCAL ROLE regress_accounts_eve;
SELECT dp_count('*', 0.25) IS NOT NULL AS answered FROM owned;
ROLLBACK;

DROP FUNCTION give_database(name);
DROP VIEW counted_invoking, invoking, counted, small, spent;
DROP TABLE charges;
DROP FUNCTION charges(), counting();
DROP OWNED BY regress_accounts_ana, regress_accounts_team, regress_accounts_club, regress_accounts_dan, regress_accounts_eve, regress_accounts_fay;
SELECT dp.unprotect('owned');
DROP TABLE owned;
DROP ROLE regress_accounts_ana, regress_accounts_ben, regress_accounts_cleo, regress_accounts_dan, regress_accounts_eve, regress_accounts_fay, regress_accounts_team, regress_accounts_club;
