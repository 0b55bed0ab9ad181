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

-- Ranges and values that are declared, and foreign keys, by which values are known.
CREATE TABLE hand_ward (ward int PRIMARY KEY);
INSERT INTO hand_ward SELECT i FROM generate_series(1, 3) i;
GRANT SELECT ON hand_ward TO regress_by_hand;
CREATE TABLE hand_bed AS SELECT 1 + i % 3 AS ward, i AS days FROM generate_series(1, 9) i;
SELECT dp.protect('hand_bed', 9e9, answer_epsilon => 1e6), dp.grant_budget('hand_bed', 'regress_by_hand', 9e9, allow_leaks => true);
CREATE FUNCTION answered(question text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
BEGIN
    SET LOCAL ROLE regress_by_hand;
    EXECUTE format('SELECT string_agg(a::text, '' '') FROM (%s) a', question) INTO answer;
    RESET ROLE;
    RETURN answer;
EXCEPTION WHEN OTHERS THEN
    RETURN sqlstate;
END
$$;
CREATE VIEW of_bed AS SELECT answered('SELECT round(stddev(DISTINCT days)::numeric, 1) FROM hand_bed') AS days, answered('SELECT ward, count(*) FROM hand_bed GROUP BY ward ORDER BY ward') AS wards;
SELECT dp.declare_range('hand_bed', 'days', 0, 9), dp.declare_values('hand_bed', 'ward', 1, 2);
TABLE of_bed;
BEGIN;
UPDATE dp.declared_range SET upper = '1' WHERE relation = 'hand_bed'::regclass;
UPDATE dp.public_domain SET domain_values = '{2,3}' WHERE relation = 'hand_bed'::regclass;
TABLE of_bed;
SAVEPOINT s;
DELETE FROM dp.declared_range WHERE relation = 'hand_bed'::regclass;
DELETE FROM dp.public_domain WHERE relation = 'hand_bed'::regclass;
TABLE of_bed;
ROLLBACK TO s;
TABLE of_bed;
TRUNCATE dp.declared_range, dp.public_domain;
TABLE of_bed;
ALTER TABLE hand_bed ADD CONSTRAINT of_ward FOREIGN KEY (ward) REFERENCES hand_ward;
TABLE of_bed;
ROLLBACK;
TABLE of_bed;
SELECT dp.declare_range('hand_bed', 'days', 0, 2), dp.no_public_values('hand_bed', 'ward');
ALTER TABLE hand_bed ADD CONSTRAINT of_ward FOREIGN KEY (ward) REFERENCES hand_ward;
TABLE of_bed;
ALTER TABLE hand_bed DROP CONSTRAINT of_ward;
TABLE of_bed;
-- Values that are too long to be kept.
SELECT dp.public_values('hand_bed', 'ward', ARRAY(SELECT i FROM generate_series(1, 3000) i));
TABLE of_bed \gset
SELECT cardinality(string_to_array(:'wards', ' ')) AS groups;
UPDATE dp.public_domain SET domain_values = domain_values[2:] WHERE relation = 'hand_bed'::regclass;
TABLE of_bed \gset
SELECT cardinality(string_to_array(:'wards', ' ')) AS groups;

-- Nobody else says that rows were written.
SELECT dp_internal.policy_written();
SET ROLE regress_by_hand;
CREATE TEMP TABLE mine (i int);
CREATE TRIGGER t AFTER INSERT ON mine FOR EACH ROW EXECUTE FUNCTION dp_internal.policy_written();
RESET ROLE;

SELECT dp.unprotect('hand_stay'), dp.unprotect('hand_root'), dp.unprotect('hand_bed');
SET client_min_messages = error;
DROP VIEW question, of_part, of_bed;
DROP FUNCTION asked, answered;
DROP TABLE hand_stay, hand_part, hand_empty, hand_root, hand_bed, hand_ward;
DROP OWNED BY regress_by_hand;
DROP ROLE regress_by_hand;
