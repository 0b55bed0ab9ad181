-- How many answers are left: dp.budgets at dp.epsilon, dp.answers_left at any epsilon.
SET client_min_messages = warning;
\set SHOW_CONTEXT never
CALL own_schema('answers_left');
CREATE ROLE regress_left_ana;
CREATE ROLE regress_left_team;
CREATE ROLE regress_left_ben IN ROLE regress_left_team;
CREATE ROLE regress_left_eve;
CREATE TABLE stays (id int);
SELECT dp.protect('stays', 10, 1e-6) \g /dev/null
SELECT dp.grant_budget('stays', 'regress_left_ana', 1, delta => 1e-7, query_epsilon => 0.4, allow_leaks => true), dp.grant_budget('stays', 'regress_left_team', 3, allow_leaks => true) \g /dev/null
SELECT role, answers_left FROM dp.budgets WHERE relation = 'stays'::regclass ORDER BY role::text NULLS FIRST;
SET dp.epsilon = 0.3;
SELECT role, answers_left FROM dp.budgets WHERE relation = 'stays'::regclass ORDER BY role::text NULLS FIRST;
SET dp.epsilon = 0.5;
SELECT role, answers_left FROM dp.budgets WHERE relation = 'stays'::regclass ORDER BY role::text NULLS FIRST;
-- As many as there are.
SET ROLE regress_left_ana;
SELECT dp.answers_left('stays', 0.3), dp.answers_left('stays', 0.1), dp.answers_left('stays', 0.01), dp.answers_left('stays', 0.4), dp.answers_left('stays', 0.400000001) AS "beyond one statement";
SELECT dp.answers_left('stays', 0.1, 5e-8) AS twice, dp.answers_left('stays', 0.1, 1e-6) AS "never";
SELECT dp_count('*', 0.3) > -1e9 AS asked FROM stays;
SELECT dp_count('*', 0.3) > -1e9 AS asked FROM stays;
SELECT dp.answers_left('stays', 0.3) AS one;
SELECT dp_count('*', 0.3) > -1e9 AS asked FROM stays;
SELECT dp.answers_left('stays', 0.3) AS none;
SELECT dp_count('*', 0.3) > -1e9 AS asked FROM stays;
-- Of an account that is inherited, and of the table.
SET ROLE regress_left_ben;
SELECT dp.answers_left('stays', 0.5);
RESET ROLE;
SELECT dp.answers_left('stays', 0.5);
SET ROLE regress_left_eve;
SELECT dp.answers_left('stays', 0.5);
RESET ROLE;
SELECT dp.answers_left('stays', 0);
SELECT dp.answers_left('stays', 'NaN'::float8);
SELECT dp.answers_left('stays', NULL::float8);
SELECT dp.answers_left(NULL, 1);
SELECT dp.answers_left('stays', 1, 1);
SELECT dp.answers_left('pg_class', 1);
DROP TABLE stays;
DROP ROLE regress_left_ana, regress_left_ben, regress_left_team, regress_left_eve;
