-- A charge costs something, and there are so many of them: each writes to the ledger and stores answers.
CALL own_schema('budget_least');
SET client_min_messages = error;
\set SHOW_CONTEXT never
CREATE ROLE regress_least_ana;
CREATE TABLE least_visits AS SELECT i FROM generate_series(1, 10) i;
GRANT SELECT ON least_visits TO regress_least_ana;
CREATE VIEW least_budget AS SELECT role, epsilon_left, query_epsilon_least, charges, charges_limit, charges_left, answers_left
    FROM dp.budgets WHERE relation = 'least_visits'::regclass ORDER BY role::text NULLS FIRST;
GRANT SELECT ON least_budget TO regress_least_ana;

-- Where the curator says nothing.
SELECT dp.protect('least_visits', 10), dp.grant_budget('least_visits', 'regress_least_ana', 5);
SET ROLE regress_least_ana;
SELECT dp_count('*', 0.000000999) IS NULL AS refused FROM least_visits;
SELECT dp_count('*', 0.000001) IS NULL AS refused FROM least_visits;
-- Of aggregates together, of levels their difference, of several queries each.
SELECT dp_count('*', 5e-7) IS NULL AS refused, dp_count(i, 5e-7) IS NULL AS this_too FROM least_visits;
SELECT dp_count('*', 0.1) IS NULL AS refused FROM least_visits UNION ALL SELECT dp_count('*', 5e-7) IS NULL FROM least_visits;
SELECT dp_count('*', 0.1) IS NULL AS refused FROM least_visits;
SELECT dp_last_release() AS asked \gset
SELECT count(*) FROM dp_relax_release(:asked, 0.1000009);
SELECT count(*) FROM dp_relax_release(:asked, 0.100001);
SELECT dp.answers_left('least_visits', 0.000000999) AS none, dp.answers_left('least_visits', 0.000001) AS many;
-- What cannot be paid is told first.
SELECT dp_count('*', 5) IS NULL AS refused FROM least_visits;
RESET ROLE;
SELECT * FROM least_budget;

-- What the curator says, up to what a query may cost.
SELECT dp.protect('least_visits', 10, min_query_epsilon => 0.01);
SELECT dp_count('*', 0.0099) IS NULL AS refused FROM least_visits;
SELECT dp_count('*', 0.01) IS NULL AS refused FROM least_visits;
SELECT dp.protect('least_visits', 10, min_query_epsilon => 1e-9);
SELECT dp_count('*', 1e-9) IS NULL AS refused FROM least_visits;
SELECT dp.protect('least_visits', 10, query_epsilon => 0.5, min_query_epsilon => 0.500000001);
SELECT dp.protect('least_visits', 10, min_query_epsilon => 11);
SELECT dp.protect('least_visits', 10, min_query_epsilon => 0, query_epsilon => -1);
-- A budget that is smaller can be spent.
SELECT dp.protect('least_visits', 10, query_epsilon => 5e-7);
SELECT dp_count('*', 5e-7) IS NULL AS refused FROM least_visits;

-- So many, of a role and of the table.
SELECT dp.protect('least_visits', 10, query_epsilon => -1), dp.grant_budget('least_visits', 'regress_least_ana', 5, max_charges => 6);
SET dp.epsilon = 0.1;
SET ROLE regress_least_ana;
SELECT role IS NULL AS whole, charges, charges_limit, charges_left, answers_left FROM least_budget;
SELECT dp_count('*', 0.1) IS NULL AS refused FROM least_visits UNION ALL SELECT dp_count('*', 0.1) IS NULL FROM least_visits UNION ALL SELECT dp_count('*', 0.1) IS NULL FROM least_visits;
SELECT charges FROM least_budget;
SELECT dp_count('*', 0.1) IS NULL AS refused FROM least_visits;
SELECT count(*) FROM dp_relax_release(:asked, 0.2);
SELECT dp_count('*', 0.1) IS NULL AS refused FROM least_visits;
SELECT charges, charges_left, answers_left FROM least_budget;
SELECT dp.answers_left('least_visits', 0.1) AS none;
SELECT count(*) FROM dp_relax_release(:asked, 0.3);
-- What costs nothing is no charge.
SELECT count(*) FROM dp_relax_release(:asked, 0.15);
RESET ROLE;
SELECT dp.protect('least_visits', 10, max_charges => 10);
SELECT dp_count('*', 0.1) IS NULL AS refused FROM least_visits;
SELECT * FROM least_budget;
SELECT dp_count('*', 0.1) IS NULL AS refused FROM least_visits;
-- After the ledger was read anew it is the same number.
UPDATE dp.ledger_entry SET query = query WHERE relation = 'least_visits'::regclass;
SELECT * FROM least_budget;
SELECT dp.protect('least_visits', 10, max_charges => 0);
SELECT dp.grant_budget('least_visits', 'regress_least_ana', 5, max_charges => -2);
-- What stood there before there was such a limit.
UPDATE dp.protected_table SET min_query_epsilon_nano = NULL, max_charges = NULL WHERE relation = 'least_visits'::regclass;
SELECT dp_count('*', 5e-7) IS NULL AS refused FROM least_visits;

-- Coarser levels are free and stored: there are so many of them.
SELECT dp_count('*', 0.2) IS NULL AS asked FROM least_visits;
SELECT dp_last_release() AS asked \gset
SELECT count(*) FROM (SELECT dp_relax_release(:asked, 0.2 - i * 0.001) FROM generate_series(1, 99) i) levels;
SELECT count(*) FROM dp.release_path WHERE release_id = :asked;
SET client_min_messages = warning;
DO $$ BEGIN PERFORM dp_relax_release(max(release_id), 0.01) FROM dp.releases WHERE relation = 'least_visits'::regclass;
EXCEPTION WHEN program_limit_exceeded THEN RAISE WARNING '%', regexp_replace(sqlerrm, 'release \d+', 'release N'); END $$;
SELECT dp.unprotect('least_visits');
DROP VIEW least_budget;
DROP TABLE least_visits;
DROP ROLE regress_least_ana;
