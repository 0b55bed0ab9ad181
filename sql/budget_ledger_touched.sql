-- A ledger whose table somebody has changed goes on, or is refused with what is wrong.
CALL own_schema('budget_ledger_touched');
SET client_min_messages = warning;
CREATE TABLE touched AS SELECT i FROM generate_series(1, 10) i;
SELECT dp.protect('touched', 10);
SELECT dp_count('*', 1) IS NULL AS asked FROM touched;

-- A column more, or one that was dropped again.
ALTER TABLE dp.ledger_entry ADD COLUMN note text NOT NULL DEFAULT 'older';
SELECT dp_count('*', 1) IS NULL AS asked FROM touched;
SELECT epsilon, note FROM dp.ledger JOIN dp.ledger_entry USING (seq) WHERE dp.ledger.relation = 'touched'::regclass ORDER BY seq;
ALTER TABLE dp.ledger_entry DROP COLUMN note;
SELECT dp_count('*', 1) IS NULL AS asked FROM touched;
VACUUM FULL dp.ledger_entry;
SELECT epsilon_spent FROM dp.budgets WHERE relation = 'touched'::regclass;
SET dp.allow_drop = off;
ALTER TABLE dp.ledger_entry DROP COLUMN query;

-- Names and columns that the library reads, of this table and of the others.
ALTER TABLE dp.ledger_entry RENAME COLUMN query TO asked;
ALTER TABLE dp.ledger_entry ALTER COLUMN release_id TYPE integer;
ALTER TABLE dp.ledger_entry RENAME TO entries;
ALTER TABLE dp.ledger_entry SET SCHEMA budget_ledger_touched;
ALTER TABLE dp.account ADD COLUMN note text;
ALTER TABLE dp.account DROP COLUMN max_charges;
ALTER TABLE dp.protected_table RENAME COLUMN max_charges TO charges;
ALTER TABLE dp.release_part ALTER COLUMN query SET STORAGE EXTERNAL;
ALTER TABLE dp.release_part ALTER COLUMN query SET STORAGE EXTENDED;
CREATE TABLE renamed AS SELECT i FROM generate_series(1, 10) i;
ALTER TABLE renamed RENAME COLUMN i TO j;
ALTER TABLE renamed ADD COLUMN k int;
ALTER TABLE renamed RENAME TO other;
DROP TABLE other;
SELECT dp_count('*', 1) IS NULL AS asked FROM touched;
RESET dp.allow_drop;

-- Triggers that somebody has dropped are made again by the statement that the refusal names.
DROP TRIGGER ledger_written ON dp.ledger_entry;
DROP TRIGGER ledger_being_written ON dp.ledger_entry;
SELECT dp_count('*', 1) IS NULL AS asked FROM touched;
SELECT dp.confirm_ledger() IS NULL AS confirmed;
SELECT watched, doubt FROM dp.status;
SELECT dp_count('*', 1) IS NULL AS asked FROM touched;
BEGIN;
UPDATE dp.ledger_entry SET table_epsilon_nano = table_epsilon_nano + 1e9 WHERE seq = (SELECT max(seq) FROM dp.ledger_entry);
SELECT epsilon_spent FROM dp.budgets WHERE relation = 'touched'::regclass;
ROLLBACK;
SELECT epsilon_spent FROM dp.budgets WHERE relation = 'touched'::regclass;

-- What a crash would empty.
ALTER TABLE dp.ledger_entry SET UNLOGGED;
ALTER TABLE dp.account SET UNLOGGED;
ALTER TABLE touched SET UNLOGGED;
SELECT relname FROM pg_class WHERE relpersistence = 'u' AND (relnamespace = 'dp'::regnamespace OR relname = 'touched');

-- Rows that no charge has written.
BEGIN;
INSERT INTO dp.ledger_entry SELECT 1000000, now(), role, account, relation, kind, 0, 0, -1, 0, NULL, NULL
    FROM dp.ledger_entry WHERE relation = 'touched'::regclass LIMIT 1;
SELECT dp_count('*', 1) IS NULL AS asked FROM touched;
ROLLBACK;
BEGIN;
INSERT INTO dp.ledger_entry SELECT 0, now(), role, account, relation, kind, 0, 0, 1, 0, NULL, NULL
    FROM dp.ledger_entry WHERE relation = 'touched'::regclass LIMIT 1;
SELECT epsilon_spent FROM dp.budgets WHERE relation = 'touched'::regclass;
ROLLBACK;
SELECT epsilon_spent FROM dp.budgets WHERE relation = 'touched'::regclass;
-- As much as 63 bits hold: nothing fits beside it.
BEGIN;
INSERT INTO dp.ledger_entry SELECT seq + 1, now(), role, account, relation, kind, 0, 0, 9223372036854775807, 0, NULL, NULL
    FROM dp.ledger_entry WHERE relation = 'touched'::regclass ORDER BY seq DESC LIMIT 1;
SELECT dp_count('*', 1) IS NULL AS asked FROM touched;
ROLLBACK;
DROP TABLE touched;
