-- The second half of the tour: a protected table, and an answer that gets better for the price of the difference. It works on a
-- table of its own, made anew each time, so that the first half stays free of charge.
\set ON_ERROR_STOP off
\pset null '(null)'
\pset footer off
\set VERBOSITY default
\set SHOW_CONTEXT never
\set ECHO none
SET client_min_messages = error;
\o /dev/null
SELECT dp.unprotect(relation) FROM dp.budgets WHERE relation = to_regclass('admissions') AND role IS NULL;
DROP TABLE IF EXISTS admissions;
CREATE TABLE admissions AS SELECT visit_id, ward, admitted, days FROM visits;
ALTER TABLE admissions ALTER ward SET NOT NULL;
ANALYZE admissions;
DO $$
BEGIN
    CREATE ROLE analyst;
EXCEPTION WHEN duplicate_object THEN -- of an earlier tour
    NULL;
END
$$;
\o

\echo '16. A budget. From now on every private answer about the table admissions (a copy of visits) is charged: epsilon 10 for all'
\echo '   roles together, and epsilon 1.5 for the role analyst, who may not read the table. Which wards there are is no secret;'
\echo '   that is declared, for a group of an answer shows that it is there. (allow_leaks: see dp.harden.)'
\echo
\set ECHO queries
SELECT dp.protect('admissions', 10);
SELECT dp.grant_budget('admissions', 'analyst', 1.5, allow_leaks => true);
SELECT dp.public_values('admissions', 'ward', VARIADIC ARRAY(SELECT ward FROM wards));
\set ECHO none

\echo '17. The analyst takes a cheap first look at epsilon 0.05. The answers are kept as a release, with a number.'
\echo
\set ECHO queries
SET ROLE analyst;
SELECT ward, dp_count('*', 0.05) AS private FROM admissions GROUP BY ward ORDER BY private LIMIT 3;
SELECT dp_last_release() AS release \gset
\set ECHO none

\echo
\echo '18. Is transplants really that small? The same answers, made more accurate: 0.2, then 1. No data are read. The noise is made'
\echo '   smaller in such a way that all three answers together tell no more than the last one, and so cost no more.'
\echo
\set ECHO queries
SELECT group_key ->> 'ward' AS ward, answer, epsilon FROM relax_release(:release, 0.2) ORDER BY answer LIMIT 3;
SELECT group_key ->> 'ward' AS ward, answer, epsilon FROM relax_release(:release, 1) ORDER BY answer LIMIT 3;
\set ECHO none

\echo '19. The ledger: 0.05 + 0.15 + 0.8, which is 1.'
\echo
\set ECHO queries
SELECT kind, epsilon, sum(epsilon) OVER (ORDER BY seq) AS paid_so_far, left(query, 60) AS query
FROM dp.ledger WHERE relation = 'admissions'::regclass ORDER BY seq;
\set ECHO none

\echo '20. Error and price of each step, against buying three answers afresh at the same three prices. To look at a level again is'
\echo '   free, so the analyst can keep all three; you are the superuser and know the truth. mean_error: over the eight wards.'
\echo
\set ECHO queries
CREATE TEMP TABLE looks AS
SELECT r.epsilon, group_key ->> 'ward' AS ward, answer::numeric AS answer
FROM unnest(ARRAY[0.05, 0.2, 1]) AS level, relax_release(:release, level) AS r;
RESET ROLE;
SELECT level AS epsilon, mean_error, round(expected_abs_error::numeric, 1) AS expected_error, level AS price_so_far,
       sum(level) OVER (ORDER BY level) AS afresh_would_cost
FROM (SELECT epsilon AS level, round(avg(abs(answer - visits)), 1) AS mean_error
      FROM looks JOIN (SELECT ward, count(*) AS visits FROM admissions GROUP BY ward) AS truth USING (ward)
      GROUP BY epsilon) AS errors,
     dp_describe('geometric', level, 1);
\set ECHO none

\echo '21. What is left, and what happens when it is not enough: nothing is charged and nothing is shown.'
\echo
\set ECHO queries
SELECT role, epsilon_limit, epsilon_spent, epsilon_left
FROM dp.budgets WHERE relation = 'admissions'::regclass ORDER BY role NULLS FIRST;
SET ROLE analyst;
SELECT * FROM relax_release(:release, 2);
RESET ROLE;
\set ECHO none
