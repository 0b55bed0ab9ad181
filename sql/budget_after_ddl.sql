-- Who pays after tables were attached, and columns renamed.
SET client_min_messages = warning;
CREATE SCHEMA after_ddl;
SET search_path = after_ddl, public;
CREATE TABLE whole (id int NOT NULL, person int, year int) PARTITION BY LIST (year);
CREATE TABLE part_23 PARTITION OF whole FOR VALUES IN (2023);
CREATE TABLE part_24 (id int NOT NULL, person int, year int);
INSERT INTO whole SELECT i, i, 2023 FROM generate_series(1, 10) i;
INSERT INTO part_24 SELECT i, i, 2024 FROM generate_series(1, 10) i;
SELECT dp.protect('whole', 1e7), dp.protect('part_24', 1e7);
PREPARE ask AS SELECT dp_count('*', 1e6) FROM whole;
EXECUTE ask;
SELECT dp_count('*', 1e6) FROM part_24;

-- A part that has a budget of its own: neither budget would be charged for what the other tells.
ALTER TABLE whole ATTACH PARTITION part_24 FOR VALUES IN (2024);
EXECUTE ask;
SELECT dp_count('*', 1e6) FROM whole;
SELECT dp_count('*', 1e6) FROM part_24;
SELECT dp_count('*', 1e6) FROM part_23;
SELECT finding, run FROM dp.check('whole') WHERE finding LIKE '%of its own%';
SELECT dp.unprotect('part_24');
EXECUTE ask;
SELECT dp_count('*', 1e6) FROM part_24;
SELECT dp.protect('part_23', 1e7);
EXECUTE ask;
SELECT dp.unprotect('part_23');

-- Attaching and detaching say at once what becomes of budgets.
CREATE ROLE regress_after_ddl;
SELECT dp.grant_budget('whole', 'regress_after_ddl', 1, allow_leaks => true);
CREATE TABLE part_25 (id int NOT NULL, person int, year int);
GRANT SELECT ON part_25 TO regress_after_ddl;
ALTER TABLE whole ATTACH PARTITION part_25 FOR VALUES IN (2025);
SELECT finding, run FROM dp.check('whole') WHERE finding LIKE '%privileges on%part_25';
REVOKE SELECT ON part_25 FROM regress_after_ddl;
ALTER TABLE whole DETACH PARTITION part_24;
ALTER TABLE whole ATTACH PARTITION part_24 FOR VALUES IN (2024);
ALTER TABLE whole DETACH PARTITION part_24;
SELECT dp.protect('part_24', 1e7);
ALTER TABLE whole ATTACH PARTITION part_24 FOR VALUES IN (2024);
SELECT dp.unprotect('part_24');
ALTER DEFAULT PRIVILEGES IN SCHEMA after_ddl GRANT INSERT ON TABLES TO regress_after_ddl;
CREATE TABLE part_26 PARTITION OF whole FOR VALUES IN (2026);
ALTER DEFAULT PRIVILEGES IN SCHEMA after_ddl REVOKE INSERT ON TABLES FROM regress_after_ddl;
DROP TABLE part_26;

-- The column that says whose the rows are. In tests dp.allow_drop is on.
SET dp.allow_drop = off;
CREATE TABLE of_persons (person int, other int);
SELECT dp.protect('of_persons', 10, privacy_unit => 'person', max_rows_per_unit => 1);
ALTER TABLE of_persons DROP COLUMN person;
ALTER TABLE of_persons RENAME COLUMN person TO someone;
ALTER TABLE of_persons RENAME COLUMN other TO another;
ALTER TABLE of_persons ALTER COLUMN person SET NOT NULL;
ALTER TABLE of_persons DROP COLUMN another;
SELECT dp.unprotect('of_persons');
ALTER TABLE of_persons RENAME COLUMN person TO someone;
SELECT dp.protect('of_persons', 1e7, privacy_unit => 'someone', max_rows_per_unit => 1);
-- Who means it renames the unit, too; a column that comes later under its name is none.
SET dp.allow_drop = on;
ALTER TABLE of_persons RENAME COLUMN someone TO person;
SELECT privacy_unit FROM dp.units WHERE relation = 'of_persons'::regclass;
ALTER TABLE of_persons DROP COLUMN person;
ALTER TABLE of_persons ADD COLUMN person int, ADD COLUMN someone int;
SELECT dp_count('*', 1e6) FROM of_persons;

-- A table that was dropped takes everything with it that was said of it.
SELECT dp.protect('of_persons', 1e7, privacy_unit => 'someone', max_rows_per_unit => 1);
SELECT dp.declare_range('of_persons', 'someone', 1, 10), dp.public_values('of_persons', 'person', 1, 2);
SELECT 'of_persons'::regclass::oid AS number \gset
DROP TABLE of_persons;
SELECT relation FROM dp.declared_range WHERE relation = :number UNION ALL SELECT relation FROM dp.public_domain WHERE relation = :number
    UNION ALL SELECT relation FROM dp.protected_table WHERE relation = :number;

-- Who owned a table goes on seeing what was charged on it, after dp.unprotect() and DROP.
CREATE ROLE regress_after_owner;
GRANT ALL ON SCHEMA after_ddl TO regress_after_owner;
GRANT USAGE ON SCHEMA after_ddl TO regress_after_ddl;
SET ROLE regress_after_owner;
CREATE TABLE of_owner (id int);
SELECT dp.protect('of_owner', 10);
SELECT dp.grant_budget('of_owner', 'regress_after_ddl', 1, allow_leaks => true);
SET ROLE regress_after_ddl;
SELECT dp_count('*', 0.5) > -1000 AS answered FROM after_ddl.of_owner;
SET ROLE regress_after_owner;
SELECT dp.unprotect('of_owner');
DROP TABLE of_owner;
SELECT kind, epsilon, query FROM dp.ledger WHERE query LIKE '%of_owner%';
CREATE TABLE of_owner (id int); -- another one
SELECT count(*) FROM dp.ledger WHERE query LIKE '%of_owner%' AND role = 'regress_after_ddl'::regrole;
RESET ROLE;
CREATE ROLE regress_after_other;
SET ROLE regress_after_other;
SELECT count(*) FROM dp.ledger WHERE query LIKE '%of_owner%';
RESET ROLE;
DROP OWNED BY regress_after_owner;
DROP SCHEMA after_ddl CASCADE;
DROP ROLE regress_after_ddl, regress_after_owner, regress_after_other;
