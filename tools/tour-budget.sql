-- The second half of the tour: a protected table, an answer that gets better for the price of the difference, and privacy units. It
-- works on tables of its own, made anew each time, so that the first half stays free of charge.
\set ON_ERROR_STOP off
\pset null '(null)'
\pset footer off
\set VERBOSITY default
\set SHOW_CONTEXT never
\set ECHO none
SET client_min_messages = error;
\o /dev/null
SELECT dp.unprotect(relation) FROM dp.budgets
WHERE relation IN (to_regclass('admissions'), to_regclass('stays'), to_regclass('people')) AND role IS NULL;
DROP TABLE IF EXISTS admissions, stays, people;
CREATE TABLE admissions AS SELECT visit_id, ward, admitted, days FROM visits;
ALTER TABLE admissions ALTER ward SET NOT NULL;
CREATE TABLE stays AS SELECT patient_id, ward, cost FROM visits;
ALTER TABLE stays ALTER patient_id SET NOT NULL, ALTER ward SET NOT NULL;
CREATE TABLE people AS SELECT patient_id, sex FROM patients;
ALTER TABLE people ADD PRIMARY KEY (patient_id), ALTER sex SET NOT NULL;
ANALYZE admissions, stays, people;
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
SELECT dp.public_values('admissions', 'ward', ARRAY(SELECT ward FROM wards));
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
SELECT group_key ->> 'ward' AS ward, answer, epsilon FROM dp_relax_release(:release, 0.2) ORDER BY answer LIMIT 3;
SELECT group_key ->> 'ward' AS ward, answer, epsilon FROM dp_relax_release(:release, 1) ORDER BY answer LIMIT 3;
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
FROM unnest(ARRAY[0.05, 0.2, 1]) AS level, dp_relax_release(:release, level) AS r;
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
SELECT * FROM dp_relax_release(:release, 2);
RESET ROLE;
\set ECHO none

\echo
\echo '22. A patient, not a visit. In the table stays (a copy of visits) the privacy unit is the patient: 2 wards of each count in an'
\echo '   answer, and 5 visits to each ward. In people a patient has one row, so nothing has to be limited. dp.units tells everyone who'
\echo '   has a budget.'
\echo
\set ECHO queries
SELECT dp.protect('stays', 10, privacy_unit => 'patient_id', max_groups_per_unit => 2, max_rows_per_group => 5);
SELECT dp.protect('people', 10, privacy_unit => 'patient_id');
SELECT dp.public_values('stays', 'ward', ARRAY(SELECT ward FROM wards)), dp.public_values('people', 'sex', 'f', 'm');
SELECT relation, privacy_unit, is_unique, max_groups_per_unit, max_rows_per_group
FROM dp.units WHERE relation IN ('stays'::regclass, 'people'::regclass);
\set ECHO none

\echo '23. Bounds that nobody knows: dp_bounds answers with powers of two, for its price. Nothing takes them over by itself; here psql'
\echo '   does. What is rare is cut off, the few costs above the upper bound too.'
\echo
\set ECHO queries
SELECT b[1] AS lower, b[2] AS upper FROM (SELECT dp_bounds(cost, 0.5) AS b FROM stays) AS t;
SELECT level.answer -> 1 AS upper FROM dp_answer(dp_last_release()) AS level \gset
\set ECHO none

\echo
\echo '24. The same SQL as before, and now it hides a patient. The noise of a count is that of 10 visits, of a count of patients that of'
\echo '   2. The sixth visit of a patient to a ward is missing from the counts. Its cost is not missing from the sums: these are cut only'
\echo '   where a patient adds up to more than 5 times the upper bound. Answers may be joined with all that you can read, here the truth.'
\echo
\set ECHO queries
SELECT ward, patients, true_patients, visits, true_visits, round(cost) AS cost, true_cost
FROM (SELECT ward, dp_count(DISTINCT patient_id, 0.5) AS patients, dp_count('*', 0.5) AS visits, dp_sum(cost, 0, :upper, 1) AS cost
      FROM stays GROUP BY ward) AS private
     JOIN (SELECT ward, count(DISTINCT patient_id) AS true_patients, count(*) AS true_visits,
                  round(sum(least(cost, :upper)) FILTER (WHERE cost IS NOT NULL)) AS true_cost
           FROM visits GROUP BY ward) AS truth USING (ward)
ORDER BY ward;
\set ECHO none

\echo '25. Joins below the aggregates. A public table is joined on a unique key of its own. Another protected table is joined on the'
\echo '   privacy unit, and both pay. Whatever could count a row twice is refused.'
\echo
\set ECHO queries
SELECT wards.typical_days, dp_count('*', 0.5) AS visits FROM stays JOIN wards USING (ward) GROUP BY typical_days ORDER BY 1;
SELECT people.sex, dp_avg(stays.cost, 0, :upper, 0.5) AS cost FROM stays JOIN people USING (patient_id) GROUP BY sex ORDER BY 1;
SELECT dp_count('*', 0.5) FROM stays JOIN visits USING (patient_id);
SELECT relation, epsilon_spent FROM dp.budgets WHERE relation IN ('stays'::regclass, 'people'::regclass) AND role IS NULL;
\set ECHO none
