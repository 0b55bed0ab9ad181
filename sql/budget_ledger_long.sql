-- The sums of a long ledger are written down, and are worth nothing once somebody writes to it by hand.
SET client_min_messages = warning;
CREATE TABLE long_visits AS SELECT i FROM generate_series(1, 10) i;
SELECT dp.protect('long_visits', 1e6);
SELECT dp_count('*', 1) IS NULL AS asked FROM long_visits;
SELECT max(seq) AS before FROM dp.ledger \gset
INSERT INTO dp.ledger_entry SELECT :before + i, now(), current_user::regrole, NULL, 'long_visits'::regclass, 'query', 1000000, 0, 1000000, 0,
    NULL, NULL FROM generate_series(1, 40000) i;
CREATE VIEW long_spent AS SELECT epsilon_spent FROM dp.budgets WHERE relation = 'long_visits'::regclass AND role IS NULL;
TABLE long_spent;
SELECT dp_count('*', 1) IS NULL AS asked FROM long_visits;
SELECT seq - :before AS up_to, totals IS NOT NULL AS written_down FROM dp.ledger_total ORDER BY number DESC LIMIT 1;
-- With them alone, the next release has another number than all before.
VACUUM FULL dp.ledger_entry;
SELECT dp_count('*', 1) IS NULL AS asked FROM long_visits;

-- In the log, where a superuser wants that.
SET client_min_messages = log;
SET dp.log_charges = on;
SELECT dp_count('*', 0.5) IS NULL AS asked FROM long_visits;
RESET dp.log_charges;
SELECT dp_count('*', 0.5) IS NULL AS asked FROM long_visits;
SET client_min_messages = warning;

-- What came later is added to them. Another file is read anew.
VACUUM FULL dp.ledger_entry;
TABLE long_spent;
SELECT seq - :before AS n, relation, epsilon FROM dp.last_charges(3);
SELECT count(*) AS none FROM dp.last_charges(0);
SELECT seq - :before AS n FROM dp.ledger_of('long_visits', :before + 39999, :before + 40001);

-- By hand: rows that the sums hold already, whether the transaction ends well or not.
UPDATE dp.ledger_entry SET table_epsilon_nano = 2000000 WHERE seq = :before + 1;
TABLE long_spent;
SELECT totals IS NULL AS worthless FROM dp.ledger_total ORDER BY number DESC LIMIT 1;
SELECT dp_count('*', 1) IS NULL AS asked FROM long_visits;
BEGIN;
UPDATE dp.ledger_entry SET table_epsilon_nano = 5000000 WHERE seq = :before + 1;
TABLE long_spent;
SELECT dp_count('*', 1) IS NULL AS asked FROM long_visits;
ROLLBACK;
TABLE long_spent;

-- Without its index the ledger is read as a whole.
DROP INDEX dp.ledger_entry_seq;
SELECT dp_count('*', 1) IS NULL AS asked FROM long_visits;
TABLE long_spent;
SELECT seq - :before AS n FROM dp.ledger_of('long_visits', :before + 40004);
CREATE INDEX ledger_entry_seq ON dp.ledger_entry (seq);
TABLE long_spent;

-- The sums of a session grow with the accounts, and those that they had stay.
CREATE SCHEMA long_many;
DO $$
BEGIN
    FOR i IN 1..60 LOOP
        EXECUTE format('CREATE TABLE long_many.t%s AS SELECT 1 AS x', i);
        PERFORM dp.protect(format('long_many.t%s', i)::regclass, 10);
        EXECUTE format('SELECT dp_count(''*'', 0.5) FROM long_many.t%s', i);
    END LOOP;
END
$$;
SELECT count(*), min(epsilon_spent), max(epsilon_spent) FROM dp.budgets JOIN pg_class c ON c.oid = relation WHERE relnamespace = 'long_many'::regnamespace;
SET dp.allow_drop = on;
SET client_min_messages = error;
DROP SCHEMA long_many CASCADE;
SET client_min_messages = warning;
RESET dp.allow_drop;

DELETE FROM dp.ledger_entry WHERE seq BETWEEN :before + 1 AND :before + 40000;
SELECT dp.confirm_ledger() LIKE 'Charges go on after entry %' AS confirmed;
DROP VIEW long_spent;
DROP TABLE long_visits;
