-- dp.forget_releases: what is old goes, whole, from tables that the role is a curator of; the ledger stays.
CALL own_schema('release_forget');
\pset null '(null)'
SET client_min_messages = warning;
DROP ROLE IF EXISTS regress_forget_owner, regress_forget_keeper, regress_forget_maker;
CREATE ROLE regress_forget_owner;
CREATE ROLE regress_forget_keeper IN ROLE dp_curator;
CREATE ROLE regress_forget_maker;
GRANT CREATE ON SCHEMA release_forget TO regress_forget_owner;
\getenv folder PG_ABS_SRCDIR
\set outcome :folder '/test/support/outcome.sql'
\i :outcome
RESET client_min_messages;
SET ROLE regress_forget_owner;
CREATE TABLE stay (id int, ward text NOT NULL);
INSERT INTO stay VALUES (1, 'a'), (2, 'a'), (3, 'b');
RESET ROLE;
CREATE TABLE bed (id int);
INSERT INTO bed VALUES (1), (2);
SELECT dp.protect('stay', 9e9), dp.protect('bed', 9e9), dp.public_values('stay', 'ward', 'a', 'b');
SELECT dp.grant_budget(t, 'regress_forget_maker', 9e9, allow_leaks => true) FROM unnest('{stay, bed}'::regclass[]) t;
GRANT SELECT ON stay, bed TO regress_forget_maker;

-- Four releases: an old one and a new one on stay, an old one on bed, an old one on both. What tells is their age.
-- Of a long statement, whose release is too large for one row.
SELECT repeat('x', 1600) AS pad \gset
SET ROLE regress_forget_maker;
SELECT ward, dp_count('*', 0.1), dp_avg(id, 0, 10, 0.1), :'pad' FROM stay GROUP BY ward \g /dev/null
SELECT dp_last_release() AS old_stay \gset
SELECT count(*) FROM relax_release(:old_stay, 0.3);
SELECT dp_count('*', 0.1) FROM stay \g /dev/null
SELECT dp_last_release() AS new_stay \gset
SELECT dp_count('*', 0.1) FROM bed \g /dev/null
SELECT dp_last_release() AS old_bed \gset
SELECT dp_count('*', 0.1) FROM bed UNION ALL SELECT dp_count('*', 0.1) FROM stay \g /dev/null
SELECT dp_last_release() AS old_both \gset
RESET ROLE;
UPDATE dp.release_part SET made_at = made_at - interval '10 days' WHERE release_id IN (:old_stay, :old_bed, :old_both);
CREATE TEMP VIEW stored AS
SELECT CASE release_id WHEN :old_stay THEN 'old, stay' WHEN :new_stay THEN 'new, stay' WHEN :old_bed THEN 'old, bed' WHEN :old_both THEN 'old, both' END AS release,
    array_agg(DISTINCT of) AS rows_of
FROM (SELECT release_id, 'part' AS of FROM dp.release_part UNION ALL SELECT release_id, 'aggregate' FROM dp.release_aggregate
    UNION ALL SELECT release_id, 'keys' FROM dp.release_keys UNION ALL SELECT release_id, 'level' FROM dp.release_level
    UNION ALL SELECT release_id, 'path' FROM dp.release_path UNION ALL SELECT release_id, 'holding' FROM dp.release_holding) r
WHERE release_id IN (:old_stay, :new_stay, :old_bed, :old_both) GROUP BY release_id ORDER BY 1;
TABLE stored;
CREATE TEMP VIEW entries AS SELECT * FROM dp.ledger WHERE relation::text IN ('stay', 'bed');
CREATE TEMP TABLE books AS TABLE entries;

-- What is no age.
SELECT dp.forget_releases(NULL);
SELECT dp.forget_releases('-1 day');
BEGIN READ ONLY;
SELECT dp.forget_releases('1 day');
ROLLBACK;

-- Nobody forgets for others; the maker is no curator.
SET ROLE regress_forget_maker;
SELECT dp.forget_releases('0');
SET ROLE regress_forget_owner;
SELECT dp.forget_releases('11 days');
RESET ROLE;
TABLE stored;

-- Another session would commit it, which does not wait for what this one would wait for.
BEGIN;
SELECT dp.forget_releases('1 day') >= 3 AS some;
PREPARE TRANSACTION 'forgotten';
ROLLBACK PREPARED 'forgotten';  -- there is none

-- Rolled back, it is as if nothing had been; before that it is in force for the session itself.
SET ROLE regress_forget_maker;
SELECT jsonb_agg(a) AS answers FROM dp_answer(:old_stay) a \gset
RESET ROLE;
BEGIN;
SELECT dp.forget_releases('1 day') >= 3 AS some;
TABLE stored;
SET LOCAL ROLE regress_forget_maker;
SELECT outcome(format('SELECT dp_answer(%s)', :old_stay));
ROLLBACK;
TABLE stored;
SET ROLE regress_forget_maker;
SELECT jsonb_agg(a) = :'answers' AS the_same FROM dp_answer(:old_stay) a;
SELECT jsonb_agg(a) = :'answers' AS the_same FROM relax_release(:old_stay, 0.3) a;

-- An owner forgets its own, and not what belongs to another table as well.
SET ROLE regress_forget_owner;
SELECT dp.forget_releases('1 day');
SELECT dp.forget_releases('1 day');
RESET ROLE;
TABLE stored;
SET ROLE regress_forget_maker;
SELECT outcome(format('SELECT dp_answer(%s)', :old_stay));
SELECT outcome(format('SELECT relax_release(%s, 1)', :old_stay));
SELECT count(*) FROM dp.releases WHERE release_id = :old_stay;
SELECT count(*) FROM dp_answer(:new_stay);
SET ROLE regress_forget_keeper;
SELECT outcome(format('SELECT dp.share_release(%s, ''regress_forget_maker'', 1)', :old_stay));

-- Curators of everything forget all that is old.
SELECT dp.forget_releases('1 day') >= 2 AS both;
RESET ROLE;
TABLE stored;
SET ROLE regress_forget_owner;
SELECT dp.forget_releases('0');
RESET ROLE;
TABLE stored;

-- The ledger is what it was, numbers are not given out again, and what is asked then is a release like any other.
(TABLE books EXCEPT TABLE entries) UNION ALL (TABLE entries EXCEPT TABLE books);
SET ROLE regress_forget_maker;
SELECT dp_last_release() = :old_both AS still_named;
SELECT dp_count('*', 0.1) FROM stay \g /dev/null
SELECT dp_last_release() > :old_both AS another FROM relax_release(dp_last_release(), 0.2);
RESET ROLE;
SELECT dp.unprotect('stay'), dp.unprotect('bed');
DROP TABLE stay, bed;
DROP FUNCTION outcome;
DROP OWNED BY regress_forget_owner, regress_forget_keeper, regress_forget_maker;
DROP ROLE regress_forget_owner, regress_forget_keeper, regress_forget_maker;
