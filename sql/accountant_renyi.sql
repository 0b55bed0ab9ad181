-- Accounts that count Rényi divergences: many small answers for one budget.
SET client_min_messages = warning;
\set SHOW_CONTEXT never
CALL own_schema('accountant_renyi');
CREATE ROLE regress_renyi_ana;
CREATE TABLE stays (id int, ward text, days int);
INSERT INTO stays SELECT g, 'w' || g % 3, g % 20 FROM generate_series(1, 1000) g;

-- What a curator says, and what is refused.
SELECT dp.protect('stays', 10, accountant => 'renyi');
SELECT dp.protect('stays', 10, 1e-6, accountant => 'exact');
SELECT dp.protect('stays', 10, 1e-6, conversion_delta => 1e-7);
SELECT dp.protect('stays', 10, 1e-6, accountant => 'renyi', conversion_delta => 2e-6);
SELECT dp.protect('stays', 10, 1e-6, accountant => 'renyi', group_epsilon => 0.1, group_delta => 6e-7);
SELECT dp.protect('stays', 10, 1e-6, accountant => 'renyi') \g /dev/null
SELECT accountant, delta_limit, conversion_delta, delta_left FROM dp.budgets WHERE relation = 'stays'::regclass;
SELECT dp.protect('stays', conversion_delta => 1e-6) \g /dev/null
SELECT accountant, delta_limit, conversion_delta, delta_left FROM dp.budgets WHERE relation = 'stays'::regclass;

-- The table of docs/accountants.md, found out before a question and by asking.
SELECT dp.answers_left('stays', 0.1) AS laplace, dp.answers_left('stays', $$dp_count('*', 0.1)$$) AS count,
    dp.answers_left('stays', $$dp_count('*', 0.1, 'laplace')$$) AS "by laplace",
    dp.answers_left('stays', $$dp_median(days, 0, 20, 0.1, 'exponential')$$) AS exponential,
    dp.answers_left('stays', $$dp_median(days, 0, 20, 0.1, 'permute_and_flip')$$) AS permute_and_flip;
SELECT dp.answers_left('stays', $$dp_count('*', 0.1), dp_sum(days, 0, 20, 0.1)$$) AS pairs, dp.answers_left('stays', $$dp_count('*', 0.1, 'gaussian(delta=1e-9)')$$) AS "no delta for answers";
SET dp.epsilon = 0.1;
SELECT answers_left FROM dp.budgets WHERE relation = 'stays'::regclass;
RESET dp.epsilon;
DO $$
DECLARE
    times int := 0;
BEGIN
    LOOP
        PERFORM dp_count('*', 0.1) FROM stays;
        times := times + 1;
    END LOOP;
EXCEPTION WHEN SQLSTATE 'DP001' THEN
    RAISE WARNING 'asked % times', times;
END
$$;
SELECT epsilon_spent, epsilon_left, charges FROM dp.budgets WHERE relation = 'stays'::regclass;
SELECT dp.answers_left('stays', $$dp_median(days, 0, 20, 0.01, 'exponential')$$) AS exponential;

-- A role's account counts as its table does, and has a delta of its own.
CREATE TABLE visits AS SELECT id, ward, days FROM stays;
SELECT dp.protect('visits', 100, 1e-3, accountant => 'renyi') \g /dev/null
SET client_min_messages = notice;
SELECT dp.grant_budget('visits', 'regress_renyi_ana', 5, allow_leaks => true);
SET client_min_messages = warning;
SET ROLE regress_renyi_ana;
SELECT dp.answers_left('visits', $$dp_count('*', 0.1)$$) AS "adds up";
RESET ROLE;
SELECT dp.grant_budget('visits', 'regress_renyi_ana', delta => 2e-6, conversion_delta => 1e-6) \g /dev/null
SET ROLE regress_renyi_ana;
SELECT dp.answers_left('visits', $$dp_count('*', 0.1)$$) AS counts, dp.answers_left('visits', $$dp_count('*', 0.1, 'gaussian(delta=3e-7)')$$) AS gaussian;
-- How each answer lost what it cost: by aggregates, groups, levels.
SELECT dp_count('*', 0.1) IS NOT NULL AS asked, dp_sum(days, 0, 20, 0.1) IS NOT NULL, dp_median(days, 0, 20, 0.2, 'exponential') IS NOT NULL, dp_median(days, 0, 20, 0.2) IS NOT NULL FROM visits;
SELECT dp_count('*', 0.1) IS NOT NULL AS asked, dp_sum(days, 0, 20, 0.1) IS NOT NULL FROM visits;
SELECT count(*) FROM dp_relax_release(dp_last_release(), 0.2);
SELECT dp_count('*', 0.1, 'gaussian(delta=3e-7)') IS NOT NULL AS asked FROM visits;
RESET ROLE;
SELECT kind, epsilon, delta, losses, table_losses FROM dp.ledger WHERE relation = 'visits'::regclass ORDER BY seq;
SELECT count(*) AS rows, bool_and(dp.divergences(losses) = divergences) AS account, bool_and(dp.divergences(table_losses) = table_divergences) AS "table"
    FROM dp.ledger_entry WHERE relation = 'visits'::regclass;
-- The text of a question is cut so that all of it fits beside.
DO $$ BEGIN EXECUTE 'SELECT /*' || repeat('x', 3000) || '*/ dp_count(''*'', 0.1), dp_median(days, 0, 20, 0.2, ''exponential'') FROM visits'; END $$;
SELECT length(query) BETWEEN 1000 AND 1599 AS cut, losses FROM dp.ledger WHERE relation = 'visits'::regclass ORDER BY seq DESC LIMIT 1;
SELECT dp.divergences('pure 0.1, range 0.1 x 2');
SELECT dp.divergences('guess 1');
SELECT dp.answers_left('visits', NULL::text);
SELECT dp.answers_left('visits', 'dp_count(''*'', 0.1');
SELECT dp.answers_left('pg_class', 'count(*)') AS "as one likes";

-- Levels that were told while epsilon added up count as levels in an account that counts divergences later: no less than answers that were
-- asked at once.
CREATE TABLE switched AS SELECT id, ward, days FROM stays;
CREATE TABLE at_once AS SELECT id, ward, days FROM stays;
SELECT dp.protect(t, 100, 1e-3) FROM unnest('{switched,at_once}'::regclass[]) AS t \g /dev/null
DO $$
BEGIN
    FOR i IN 1 .. 150 LOOP
        PERFORM dp_count('*', 0.1) FROM switched;
        PERFORM count(*) FROM dp_relax_release(dp_last_release(), 0.2);
        PERFORM dp_count('*', 0.2) FROM at_once;
    END LOOP;
END $$;
SELECT dp.protect(t, accountant => 'renyi') FROM unnest('{switched,at_once}'::regclass[]) AS t \g /dev/null
SELECT kind, losses, count(*) FROM dp.ledger WHERE relation = 'switched'::regclass GROUP BY 1, 2 ORDER BY 1;
SELECT s.epsilon_spent >= a.epsilon_spent AS "no less", s.epsilon_spent < 30 AS "than their sum" FROM dp.budgets s, dp.budgets a
WHERE s.relation = 'switched'::regclass AND a.relation = 'at_once'::regclass;
SELECT dp.unprotect(t) FROM unnest('{switched,at_once}'::regclass[]) AS t \g /dev/null
DROP TABLE switched, at_once;

-- Two tables that count in two ways: both are charged, each as it counts.
CREATE TABLE patients AS SELECT g AS id, g % 2 AS sex FROM generate_series(1, 1000) g;
ALTER TABLE patients ADD PRIMARY KEY (id);
CREATE TABLE cases AS SELECT id, days FROM stays;
ALTER TABLE cases ADD PRIMARY KEY (id);
SELECT dp.protect('patients', 1, privacy_unit => 'id'), dp.protect('cases', 10, 1e-6, privacy_unit => 'id', accountant => 'renyi', conversion_delta => 1e-6) \g /dev/null
SELECT dp_count('*', 0.1) IS NOT NULL AS asked FROM patients JOIN cases USING (id);
SELECT relation, accountant, epsilon_spent FROM dp.budgets WHERE relation IN ('patients'::regclass, 'cases'::regclass) ORDER BY relation::text;
SELECT relation, epsilon, losses FROM dp.ledger WHERE relation IN ('patients'::regclass, 'cases'::regclass) ORDER BY relation::text;
SELECT dp.answers_left('cases', $$dp_count('*', 0.1)$$) AS cases, dp.answers_left('patients', $$dp_count('*', 0.1)$$) AS patients;

-- A refusal says what is left, and what makes room: with that, it is answered.
SELECT dp.protect('cases', 0.15) \g /dev/null
SELECT dp_count('*', 0.1) IS NOT NULL AS asked FROM cases;
SELECT dp.protect('cases', 0.2);
SELECT dp_count('*', 0.1) IS NOT NULL AS asked FROM cases;
SELECT dp_count('*', 0.1, 'gaussian(delta=1e-7)') IS NOT NULL AS asked FROM cases;

-- What was spent before counts when the accountant changes, by a bound, and the sum of epsilon when it changes again.
SELECT dp.protect('patients', 10, 1e-6, accountant => 'renyi', conversion_delta => 1e-6) \g /dev/null
SELECT accountant, epsilon_spent, dp.answers_left('patients', $$dp_count('*', 0.1)$$) FROM dp.budgets WHERE relation = 'patients'::regclass;
SELECT dp.protect('cases', 10, accountant => 'pure', conversion_delta => -1) \g /dev/null
SELECT accountant, conversion_delta, epsilon_spent, epsilon_left, delta_left FROM dp.budgets WHERE relation = 'cases'::regclass;
DROP OWNED BY regress_renyi_ana;
DROP ROLE regress_renyi_ana;
