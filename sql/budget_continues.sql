-- A table that takes the place of another one goes on with its account.
CALL own_schema('budget_continues');
SET client_min_messages = warning;
CREATE ROLE regress_continues_ana;
CREATE ROLE regress_continues_ben;
CREATE ROLE regress_continues_cleo;
CREATE TABLE visit AS SELECT i AS id, i % 5 AS ward, i AS person FROM generate_series(1, 100) i;
SELECT dp.protect('visit', 10, 1e-6, query_epsilon => 3, group_epsilon => 0.1, group_delta => 1e-9, privacy_unit => 'person',
    max_rows_per_unit => 2, answer_epsilon => 0.5, answer_mechanism => 'laplace');
SELECT dp.grant_budget('visit', 'regress_continues_ana', 5, allow_leaks => true), dp.grant_budget('visit', 'regress_continues_ben', 4, allow_leaks => true, answer_mechanism => 'staircase'),
    dp.grant_budget('visit', 'regress_continues_cleo', 3, allow_leaks => true);
SELECT dp.declare_range('visit', 'id', 1, 100), dp.public_values('visit', 'ward', 0, 1);
SET ROLE regress_continues_ana;
SELECT dp_count('*', 1) IS NOT NULL FROM visit;
SELECT dp_last_release() AS release \gset
SET ROLE regress_continues_cleo;
SELECT dp_count('*', 1) IS NOT NULL FROM visit;
RESET ROLE;
SELECT dp.revoke_budget('visit', 'regress_continues_cleo');
CREATE VIEW budgets AS SELECT relation, role, epsilon_limit, epsilon_spent, delta_limit, query_epsilon_limit, group_epsilon FROM dp.budgets
    WHERE relation::text LIKE 'visit%' ORDER BY relation::text, role::text NULLS FIRST;

-- The way of a nightly load. What was spent, who may ask, limits, and what was declared: all goes over. Roles that have no budget
-- any more have spent what they have spent.
CREATE TABLE visit_new AS TABLE visit;
SET dp.allow_drop = off;
DROP TABLE visit;
BEGIN;
SELECT dp.protect('visit_new', continues => 'visit');
DROP TABLE visit;
ALTER TABLE visit_new RENAME TO visit;
COMMIT;
SELECT * FROM budgets;
SET ROLE regress_continues_ana;
SELECT dp.private_form('SELECT count(*) FROM visit');
SET ROLE regress_continues_ben;
SELECT dp.private_form('SELECT count(*) FROM visit');
RESET ROLE;
SELECT relation, privacy_unit, max_rows_per_unit FROM dp.units WHERE relation = 'visit'::regclass;
SELECT relation, expression, domain_values FROM dp.public_domain WHERE relation = 'visit'::regclass;
SELECT relation, column_name, lower, upper FROM dp.declared_range WHERE relation = 'visit'::regclass;
SELECT nullif(role::text, current_role) AS role, kind, epsilon, table_epsilon, query FROM dp.ledger
    WHERE relation = 'visit'::regclass ORDER BY epsilon, 1;
SET ROLE regress_continues_ana;
SELECT kind, epsilon FROM dp.ledger WHERE relation = 'visit'::regclass;
SELECT dp_count('*', 1) IS NOT NULL FROM visit;

-- A release of the table before can be made more accurate, and the new one pays.
SELECT count(*) FROM relax_release(:release, 2);
RESET ROLE;
SELECT dp.grant_budget('visit', 'regress_continues_cleo', 3, allow_leaks => true);
SELECT * FROM budgets;

-- What is said counts, and what was spent may be more. Entries stay after a ROLLBACK, and are not written again.
CREATE TABLE visit_other AS TABLE visit;
SELECT dp.grant_budget('visit', 'regress_continues_ben', 2, allow_leaks => true);
BEGIN;
SELECT dp.protect('visit_other', 12, continues => 'visit', query_epsilon => 2, max_rows_per_unit => 3);
ROLLBACK;
SELECT * FROM budgets;
SELECT dp.protect('visit_other', 2, continues => 'visit', query_epsilon => 2, max_rows_per_unit => 3);
SELECT dp.protect('visit_other', 12, 1e-6, query_epsilon => 2);
SELECT * FROM budgets;
SET ROLE regress_continues_ana;
SELECT dp_count('*', 1) IS NOT NULL FROM visit;
SELECT dp_count('*', 1) IS NOT NULL FROM visit_other;
RESET ROLE;

-- Back again, as two tables that are loaded in turn: nothing counts twice.
SELECT dp.protect('visit', continues => 'visit_other');
SELECT dp.protect('visit_other', continues => 'visit');
SELECT * FROM budgets;
SELECT kind, sum(epsilon), sum(table_epsilon) FROM dp.ledger WHERE relation IN ('visit'::regclass, 'visit_other') GROUP BY kind ORDER BY kind;

-- The sums are those of the entries.
SELECT dp.confirm_ledger() IS NOT NULL;
SELECT * FROM budgets;

-- A number that a dropped table or role had: what comes under it begins anew. (It is said here that they were dropped.)
INSERT INTO dp.dropped_object VALUES ('visit_other'::regclass, false);
BEGIN;
SELECT dp.protect('visit_other', 12);
ROLLBACK;
SELECT dp.protect('visit_other', 12);
SELECT relation, role, epsilon_spent FROM budgets;
SET ROLE regress_continues_ana;
SELECT dp_count('*', 1) IS NOT NULL FROM visit_other;
RESET ROLE;
SELECT dp.protect('visit_other', 12);
INSERT INTO dp.dropped_object VALUES ('regress_continues_ana'::regrole, true);
SELECT dp.grant_budget('visit_other', 'regress_continues_ana', 2, allow_leaks => true);
SELECT relation, role, epsilon_spent FROM budgets;
SELECT kind, epsilon, table_epsilon FROM dp.ledger WHERE relation = 'visit_other'::regclass AND kind = 'dropped' ORDER BY epsilon, table_epsilon;
SELECT count(*) FROM dp.dropped_object WHERE number IN ('visit_other'::regclass, 'regress_continues_ana'::regrole);
SELECT dp.confirm_ledger() IS NOT NULL;
SELECT relation, role, epsilon_spent FROM budgets;
SELECT 'visit_other'::regclass::oid AS number \gset
BEGIN;
DELETE FROM dp.dropped_object;
SET LOCAL dp.allow_drop = on;
DROP TABLE visit_other;
SELECT is_role FROM dp.dropped_object WHERE number = :number;
ROLLBACK;

-- Entries that take off more than was charged were written by hand.
BEGIN;
INSERT INTO dp.ledger_entry SELECT max(seq) + 1, now(), current_role::regrole, NULL, 'visit_other'::regclass, 'dropped', 0, 0, 2000000000, 0 FROM dp.ledger_entry;
SELECT relation, role, epsilon_spent FROM budgets;
ROLLBACK;

-- What cannot be continued
SELECT dp.protect('visit_other', continues => 'visit_other');
SELECT dp.protect('visit');
CREATE TABLE visit_none ();
SELECT dp.protect('visit', continues => 'visit_none');
SELECT dp.protect('visit', 10, continues => 'visit_none');
CREATE TABLE visit_part () INHERITS (visit_other);
SELECT dp.protect('visit_part', continues => 'visit_other');
DROP TABLE visit_part;
-- Neither may somebody who curates one of them alone take the account of the other, nor may a role that can read the new table have
-- its budget there.
CREATE ROLE regress_continues_owner;
GRANT CREATE ON SCHEMA budget_continues TO regress_continues_owner;
SET ROLE regress_continues_owner;
CREATE TABLE visit_mine ();
SELECT dp.protect('visit_mine', continues => 'visit_other');
RESET ROLE;
GRANT INSERT ON visit_mine TO regress_continues_ana;
SELECT dp.protect('visit_mine', continues => 'visit_other', privacy_unit => 'nowhere');
ALTER TABLE visit_mine ADD person int;
SELECT dp.protect('visit_mine', continues => 'visit_other');
SELECT relation, role, epsilon_spent FROM budgets;

SET dp.allow_drop = on;
DROP VIEW budgets;
DROP TABLE visit, visit_other, visit_none, visit_mine;
DROP OWNED BY regress_continues_owner;
DROP ROLE regress_continues_ana, regress_continues_ben, regress_continues_cleo, regress_continues_owner;
DROP SCHEMA budget_continues;
