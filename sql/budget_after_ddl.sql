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
SET dp.allow_drop = on;
DROP SCHEMA after_ddl CASCADE;
