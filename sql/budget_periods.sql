-- Budgets for a period: how they are said, shown and taken back, and what refuses them. That time passes is in test/fault/periods.sh.
SET client_min_messages = error;
\set SHOW_CONTEXT never
CALL own_schema('budget_periods');
CREATE ROLE regress_periods_ana;
CREATE TABLE stays AS SELECT i, i % 3 AS ward FROM generate_series(1, 60) i;
CREATE VIEW shown AS
    SELECT role, epsilon_limit, delta_limit, epsilon_spent, epsilon_left, epsilon_ever, period, sliding,
        period_end > now() AND extract(year FROM period_end AT TIME ZONE 'UTC') % 100 = 0 AS ends_with_a_century, guarantee
    FROM dp.budgets WHERE relation = 'stays'::regclass ORDER BY role::text NULLS FIRST;

-- Without a period it is for ever.
SELECT dp.protect('stays', 2);
SELECT dp.grant_budget('stays', 'regress_periods_ana', 1, 1e-6, allow_leaks => true);
\x
SELECT * FROM shown;
SELECT dp.protect('stays', period => '100 years');
SELECT dp.grant_budget('stays', 'regress_periods_ana', period => '10 years', sliding => true);
SELECT * FROM shown;
\x

-- What is charged counts in it.
SET ROLE regress_periods_ana;
SELECT dp_count('*', 0.75) IS NOT NULL AS answered FROM stays;
SELECT dp_count('*', 0.5) FROM stays;
RESET ROLE;
SELECT role, epsilon_spent, epsilon_left, epsilon_ever FROM shown;
\set VERBOSITY terse
SELECT dp_count('*', 1.5) FROM stays;
\set VERBOSITY default
SELECT dp.grant_budget('stays', 'regress_periods_ana', max_charges => 1);
SET ROLE regress_periods_ana;
SELECT dp_count('*', 0.125) FROM stays;
RESET ROLE;

-- What is not named stays as it was; both can be taken back.
SELECT dp.protect('stays', 3), dp.grant_budget('stays', 'regress_periods_ana', max_charges => -1);
SELECT role, epsilon_limit, period, sliding FROM shown;
SELECT dp.grant_budget('stays', 'regress_periods_ana', sliding => false);
SELECT role, period, sliding FROM shown;
SELECT dp.protect('stays', period => '0'), dp.grant_budget('stays', 'regress_periods_ana', period => '0');
SELECT role, epsilon_spent, period, sliding, guarantee FROM shown;

-- Refused.
SELECT dp.protect('stays', sliding => true);
SELECT dp.protect('stays', period => '0', sliding => true);
SELECT dp.protect('stays', period => '0', sliding => false);
SELECT dp.protect('stays', period => '1 month 1 day');
SELECT dp.protect('stays', period => '-1 month');
SELECT dp.protect('stays', period => '-1 day');
SELECT dp.protect('stays', period => '999 milliseconds');
SELECT dp.protect('stays', period => '101 years');
SELECT dp.protect('stays', period => '1000000000 days');
SELECT dp.grant_budget('stays', 'regress_periods_ana', period => '1 hour -1 day');
SELECT role, period FROM shown;

-- Where windows slide, a more accurate answer is told anew: what it tells beside the first one can be as much as both.
SELECT dp.protect('stays', 100, 1e-6, period => '10 years', sliding => true);
SELECT dp_count('*', 0.1, 'laplace') IS NOT NULL AS answered FROM stays;
SELECT count(*) FROM dp_relax_release(dp_last_release(), 0.2);
SELECT table_epsilon, table_losses FROM dp.last_charges(1, 'stays');
SELECT dp.protect('stays', accountant => 'renyi');
SELECT dp_count('*', 0.1, 'laplace') IS NOT NULL AS answered FROM stays;
SELECT count(*) FROM dp_relax_release(dp_last_release(), 0.2);
SELECT table_epsilon, table_losses FROM dp.last_charges(1, 'stays');
-- But not by Gaussian noise, of which a step tells the same whatever was told before.
SELECT dp_count('*', 0.1, 'gaussian') IS NOT NULL AS answered FROM stays;
SELECT count(*) FROM dp_relax_release(dp_last_release(), 0.2);
SELECT table_epsilon, table_losses FROM dp.last_charges(1, 'stays');
-- For another role it is the first one.
SELECT dp_count('*', 0.1, 'laplace') IS NOT NULL AS answered FROM stays;
SELECT dp.share_release(dp_last_release(), 'regress_periods_ana', 0.1);
SELECT role, epsilon, table_epsilon FROM dp.last_charges(1, 'stays');
-- A question that is asked again more accurately has a fresh answer then, and in a budget for ever a finer level.
SELECT dp.protect('stays', reuse => '1 day', accountant => 'renyi');
SELECT dp_count('*', 0.1, 'laplace') IS NOT NULL AS answered FROM stays WHERE ward = 1;
SELECT dp_count('*', 0.2, 'laplace') IS NOT NULL AS answered FROM stays WHERE ward = 1;
SELECT dp.protect('stays', period => '0');
SELECT dp_count('*', 0.3, 'laplace') IS NOT NULL AS answered FROM stays WHERE ward = 1;
SELECT kind, table_epsilon FROM dp.last_charges(3, 'stays');

-- Closed and opened, dropped and granted anew.
SELECT dp.protect('stays', period => '1 year'), dp.revoke_budget('stays', 'regress_periods_ana');
SELECT dp.grant_budget('stays', 'regress_periods_ana', 1, 1e-6, allow_leaks => true, period => '100 years', sliding => true);
SELECT role, epsilon_spent, period, sliding FROM shown WHERE role IS NOT NULL;

SELECT dp.unprotect('stays');
DROP VIEW shown;
DROP TABLE stays;
DROP OWNED BY regress_periods_ana;
DROP ROLE regress_periods_ana;
