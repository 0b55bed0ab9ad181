-- What panels and monitoring show: dp.pace, dp.expose_budget, dp.refusals, dp.charge_times.
CALL own_schema('panels');
SET client_min_messages = error;
\set SHOW_CONTEXT never
CREATE ROLE regress_panels_ana;
CREATE ROLE regress_panels_ben;
CREATE ROLE regress_panels_carl;
CREATE ROLE regress_panels_team ROLE regress_panels_ben, regress_panels_carl;
CREATE ROLE regress_panels_monitor IN ROLE pg_monitor;
CREATE ROLE regress_panels_curator IN ROLE dp_curator;
CREATE TABLE seen (id int NOT NULL, day date NOT NULL);
INSERT INTO seen SELECT i, '2024-01-01' FROM generate_series(1, 10) i;
CREATE TABLE seen_renyi AS TABLE seen;
CREATE TABLE seen_months (LIKE seen) PARTITION BY RANGE (day);
CREATE TABLE seen_january PARTITION OF seen_months FOR VALUES FROM ('2024-01-01') TO ('2024-02-01');
CREATE TABLE seen_february PARTITION OF seen_months FOR VALUES FROM ('2024-02-01') TO ('2024-03-01');
SELECT dp.protect('seen', 10, reuse => '1 hour'), dp.protect('seen_renyi', 10, 1e-6, accountant => 'renyi', period => '1 month'),
    dp.protect('seen_months', 4, blocks => true);
SELECT dp.grant_budget(t, r, 2, CASE WHEN t = 'seen_renyi'::regclass THEN 1e-6 ELSE 0 END, allow_leaks => true,
    period => CASE WHEN t = 'seen_renyi'::regclass THEN interval '1 month' END)
FROM unnest('{seen,seen_renyi,seen_months}'::regclass[]) t, unnest('{regress_panels_ana,regress_panels_team}'::regrole[]) r \g /dev/null
CREATE TEMP TABLE refused_before AS TABLE dp.refusals;
CREATE TEMP TABLE timed_before AS TABLE dp.charge_times;
CREATE TEMP TABLE status_before AS TABLE dp.status;

SET ROLE regress_panels_ana;
SELECT dp_count('*', 0.5) IS NULL AS asked FROM seen;
SELECT dp_count('*', 0.5) IS NULL AS shown_again FROM seen;
SELECT dp_count('*', 0.25) IS NULL AS asked FROM seen WHERE id > 3;
SELECT dp_count('*', 0.125) IS NULL AS asked FROM seen_renyi;
SELECT dp_count('*', 0.125) IS NULL AS asked FROM seen_renyi WHERE id > 3;
SELECT dp_count('*', 1) IS NULL AS asked FROM seen_months WHERE day < '2024-02-01';
SET ROLE regress_panels_ben;
SELECT dp_count('*', 0.5) IS NULL AS asked FROM seen WHERE id > 4;
SET ROLE regress_panels_carl;
SELECT dp_count('*', 0.25) IS NULL AS asked FROM seen WHERE id > 5;

-- Refused: for want of budget twice, as written, rows. Not counted: what is caught, and what is only asked about.
SET ROLE regress_panels_ana;
SELECT dp_count('*', 5) FROM seen;
SELECT dp_count('*', 6) FROM seen;
SELECT string_agg(id::text, ',') FROM seen;
SELECT * FROM seen;
SELECT admissible, sqlstate FROM dp.admissible('SELECT * FROM seen');
EXPLAIN (COSTS OFF) SELECT dp_count('*', 0.5) FROM seen WHERE id > (SELECT dp_count('*', 0.5) FROM seen) \g /dev/null
DO $$ BEGIN PERFORM string_agg(id::text, ',') FROM seen; EXCEPTION WHEN OTHERS THEN RAISE NOTICE 'caught'; END $$;
RESET ROLE;
SELECT n.sqlstate, n.refusals - b.refusals AS refusals FROM dp.refusals n JOIN refused_before b USING (sqlstate) WHERE n.refusals > b.refusals ORDER BY 1;
SELECT n.reused - b.reused AS reused, n.charges - b.charges AS charges, n.charge_seconds > b.charge_seconds AS took_time FROM dp.status n, status_before b;
SELECT max(n.charges - b.charges) AS charges, min(n.charges - b.charges) >= 0 AS rising, count(*) FROM dp.charge_times n JOIN timed_before b USING (seconds);

-- What was spent is that of the day as well: the test takes less. Each sees its own accounts; ben those of his team, and not what the others ask.
\set pace 'SELECT table_name, role_name, percent_left, spent_in_week, charges_in_week, days_left, renewed_at > now() AS renewed, closed, dearest_questions FROM dp.pace WHERE table_name LIKE ''seen%'' ORDER BY 1, 2 NULLS FIRST'
SET ROLE regress_panels_ana;
:pace \gx
SET ROLE regress_panels_ben;
:pace \gx
SET ROLE regress_panels_monitor;
SELECT table_name, role_name, spent_in_week, charges_in_week, days_left FROM dp.pace WHERE table_name LIKE 'seen%' ORDER BY 1, 2 NULLS FIRST;
SET ROLE regress_panels_curator;
SELECT count(*), count(dearest_questions) AS asked FROM dp.pace WHERE table_name LIKE 'seen%';
SELECT count(*) > 0 AS reads FROM dp.refusals;
SELECT count(*) > 0 AS reads FROM dp.charge_times;
RESET ROLE;

-- What stands below it shows nothing else.
BEGIN;
GRANT USAGE ON SCHEMA dp_internal TO regress_panels_ben;
SET LOCAL ROLE regress_panels_ben;
SELECT account, relation, epsilon_nano, query FROM dp_internal.read_payments(now() - interval '1 day') WHERE relation::text LIKE 'seen%';
ROLLBACK;

-- What was charged long ago counts no more.
BEGIN;
UPDATE dp.ledger_entry SET charged_at = charged_at - interval '3 days' WHERE relation = 'seen'::regclass;
SELECT role_name, spent_today, spent_in_week, days_left FROM dp.pace WHERE table_name = 'seen' ORDER BY 1 NULLS FIRST;
UPDATE dp.ledger_entry SET charged_at = charged_at - interval '5 days' WHERE relation = 'seen'::regclass;
SELECT role_name, spent_in_week, days_left, dearest_questions FROM dp.pace WHERE table_name = 'seen' ORDER BY 1 NULLS FIRST;
ROLLBACK;

-- In a schema that tools list.
SELECT dp.expose_budget('panels_bi'), dp.expose_budget('panels_bi');
SET ROLE regress_panels_ana;
SELECT table_name, role_name, epsilon_left FROM panels_bi.budget WHERE table_name LIKE 'seen%' ORDER BY 1;
TABLE dp.refusals;
TABLE dp.charge_times;
SELECT dp.expose_budget('panels_other');
RESET ROLE;
CREATE SCHEMA panels_taken CREATE TABLE budget (id int);
SELECT dp.expose_budget('panels_taken');
DROP SCHEMA panels_bi, panels_taken CASCADE;

SELECT dp.unprotect(relation) FROM dp.budgets WHERE table_name LIKE 'seen%' AND role IS NULL \g /dev/null
DROP TABLE seen, seen_renyi, seen_months;
DROP ROLE regress_panels_ana, regress_panels_ben, regress_panels_carl, regress_panels_team, regress_panels_monitor, regress_panels_curator;
