-- Budgets that a superuser's own statement changes count from the next question on, in a transaction that rolls back only as long as
-- it lasts. So do parents that a table gets or loses.
CALL own_schema('budget_by_hand');
SET client_min_messages = warning;
\set VERBOSITY terse
DROP ROLE IF EXISTS regress_by_hand;
CREATE ROLE regress_by_hand;
GRANT USAGE ON SCHEMA budget_by_hand TO regress_by_hand;
CREATE TABLE hand_stay AS SELECT i FROM generate_series(1, 10) i;
SELECT dp.protect('hand_stay', 9e9), dp.grant_budget('hand_stay', 'regress_by_hand', 9e9, allow_leaks => true);
CREATE FUNCTION asked(relation text DEFAULT 'hand_stay') RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
BEGIN
    SET LOCAL ROLE regress_by_hand;
    EXECUTE format('SELECT dp_count(''*'', 1e6) FROM %s', relation) INTO answer;
    RESET ROLE;
    RETURN answer;
EXCEPTION WHEN OTHERS THEN
    RETURN sqlstate;
END
$$;
CREATE VIEW question AS SELECT asked();

-- The account, the table's limit, what is said of answers; each read before it is changed.
TABLE question;
BEGIN;
TABLE question;
UPDATE dp.account SET epsilon_nano = 1 WHERE relation = 'hand_stay'::regclass;
TABLE question;
SAVEPOINT s;
DELETE FROM dp.account WHERE relation = 'hand_stay'::regclass;
TABLE question;
ROLLBACK TO s;
TABLE question;
ROLLBACK;
TABLE question;
BEGIN;
UPDATE dp.protected_table SET query_epsilon_nano = 1 WHERE relation = 'hand_stay'::regclass;
TABLE question;
DELETE FROM dp.protected_table WHERE relation = 'hand_stay'::regclass;
TABLE question;
ROLLBACK;
TABLE question;
BEGIN;
TRUNCATE dp.account;
TABLE question;
ROLLBACK;
TABLE question;
BEGIN;
TABLE question;
SELECT count(*) AS charged FROM dp.ledger WHERE relation = 'hand_stay'::regclass AND kind <> 'reuse' \gset
INSERT INTO dp.answer_policy VALUES ('hand_stay'::regclass, 3600, 3600, 1000000, false);
TABLE question;
TABLE question;
SELECT count(*) - :charged AS charged_once FROM dp.ledger WHERE relation = 'hand_stay'::regclass AND kind <> 'reuse';
DELETE FROM dp.answer_policy WHERE relation = 'hand_stay'::regclass;
TABLE question;
SELECT count(*) - :charged AS charged_again FROM dp.ledger WHERE relation = 'hand_stay'::regclass AND kind <> 'reuse';
ROLLBACK;

-- In one statement, too, which others may be part of: what it changes counts from the next one on.
WITH changed AS (UPDATE dp.account SET epsilon_nano = 1 WHERE relation = 'hand_stay'::regclass RETURNING 1)
SELECT count(*) FROM changed;
TABLE question;
SELECT dp.grant_budget('hand_stay', 'regress_by_hand', 9e9, allow_leaks => true);
TABLE question;

-- Parents.
CREATE TABLE hand_part (LIKE hand_stay);
CREATE TABLE hand_empty ();
CREATE TABLE hand_root ();
INSERT INTO hand_part SELECT i FROM generate_series(1, 5) i;
CREATE VIEW of_part AS SELECT asked('hand_part'), asked('hand_empty') AS without_columns;
SELECT dp.protect('hand_root', 9e9), dp.grant_budget('hand_root', 'regress_by_hand', 9e9, allow_leaks => true);
TABLE of_part;
ALTER TABLE hand_part INHERIT hand_stay;
ALTER TABLE hand_empty INHERIT hand_root;
TABLE of_part;
ALTER TABLE hand_part NO INHERIT hand_stay;
ALTER TABLE hand_empty NO INHERIT hand_root;
TABLE of_part;
BEGIN;
ALTER TABLE hand_part INHERIT hand_stay;
TABLE of_part;
ROLLBACK;
TABLE of_part;

-- Nobody else says that rows were written.
SELECT dp_internal.policy_written();
SET ROLE regress_by_hand;
CREATE TEMP TABLE mine (i int);
CREATE TRIGGER t AFTER INSERT ON mine FOR EACH ROW EXECUTE FUNCTION dp_internal.policy_written();
RESET ROLE;

SELECT dp.unprotect('hand_stay'), dp.unprotect('hand_root');
SET client_min_messages = error;
DROP VIEW question, of_part;
DROP FUNCTION asked;
DROP TABLE hand_stay, hand_part, hand_empty, hand_root;
DROP OWNED BY regress_by_hand;
DROP ROLE regress_by_hand;
