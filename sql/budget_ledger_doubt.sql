-- A ledger of which something is missing, or that is not where it was written, is in doubt: nothing is charged, DP007, until a
-- superuser confirms it.
\set VERBOSITY verbose
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE ROLE regress_doubt_ana;
CREATE TABLE doubted AS SELECT i FROM generate_series(1, 10) i;
SELECT dp.protect('doubted', 1e6);
SELECT dp.grant_budget('doubted', 'regress_doubt_ana', 1e6, allow_leaks => true);
SELECT dp_count('*', 1) IS NULL AS asked FROM doubted;
SELECT dp_count('*', 1) IS NULL AS asked FROM doubted;
SELECT dp_count('*', 1) IS NULL AS asked FROM doubted;
SELECT max(seq) - 3 AS before FROM dp.ledger \gset
SELECT dp_last_release() AS release \gset

-- Says an error in full, without its place in the source.
CREATE FUNCTION ask() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    detail text;
    hint text;
BEGIN
    RETURN (SELECT dp_count('*', 1) IS NOT NULL FROM doubted)::text;
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
    RETURN concat_ws(E'\n', SQLSTATE || ' ' || SQLERRM, detail, hint);
END
$$;
CREATE FUNCTION relax(release bigint, epsilon float8) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT count(*) FROM dp_relax_release(release, epsilon))::text;
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END
$$;

-- A number in the middle.
SELECT ask();
BEGIN;
DELETE FROM dp.ledger_entry WHERE seq = :before + 2;
SELECT ask();
SELECT relax(:release, 2) AS finer, relax(:release, 1) AS held, relax(:release, 0.5) AS free_and_new;
SELECT epsilon_spent FROM dp.budgets WHERE relation = 'doubted'::regclass AND role IS NULL;
ROLLBACK;
SELECT ask();

-- One that is there twice, as an error of a charge may leave it, makes up for none. What a statement brings twice is left out.
BEGIN;
ALTER TABLE dp.ledger_entry DISABLE TRIGGER skip_row_that_is_there;
INSERT INTO dp.ledger_entry SELECT * FROM dp.ledger_entry WHERE seq = :before + 3;
ALTER TABLE dp.ledger_entry ENABLE ALWAYS TRIGGER skip_row_that_is_there;
SELECT ask();
DELETE FROM dp.ledger_entry WHERE seq = :before + 2;
SELECT ask();
ROLLBACK;
BEGIN;
ALTER TABLE dp.ledger_entry DISABLE TRIGGER skip_row_that_is_there;
INSERT INTO dp.ledger_entry SELECT * FROM dp.ledger_entry WHERE seq = :before + 3;
INSERT INTO dp.ledger_entry SELECT * FROM dp.ledger_entry WHERE seq = :before + 1 LIMIT 1;
ALTER TABLE dp.ledger_entry ENABLE ALWAYS TRIGGER skip_row_that_is_there;
DELETE FROM dp.ledger_entry WHERE seq = :before + 2;
SELECT ask();
ROLLBACK;

-- A release that no entry mentions, as where the ledger went back and the releases did not.
BEGIN;
INSERT INTO dp.release_part SELECT max(release_id) + 1, 0, now(), 0, 'doubted'::regclass, 1, 0, 0, 0, 'elsewhere' FROM dp.ledger;
UPDATE dp.ledger_entry SET query = query WHERE false; -- the ledger is read anew
SELECT ask();
ROLLBACK;
SELECT ask();

-- What a DBA sees of it.
BEGIN;
DELETE FROM dp.ledger_entry WHERE seq = :before + 2;
SELECT finding, run FROM dp.check() WHERE finding LIKE '%doubt%';
SELECT doubt, direct_writers, read_entries > 0 AS read, accounts > 0 AS accounts, ledger_bytes > 0 AS bytes FROM dp.status;
ROLLBACK;
SELECT doubt, last_entry - :before AS n, direct_writers, shut_accounts, read_at <= clock_timestamp() AS read FROM dp.status;
\set VERBOSITY default
SET ROLE regress_doubt_ana;
TABLE dp.status;
\set VERBOSITY verbose
RESET ROLE;

-- The last ones, and all of them.
BEGIN;
DELETE FROM dp.ledger_entry WHERE seq >= :before + 3;
SELECT ask();
ROLLBACK;
BEGIN;
TRUNCATE dp.ledger_entry;
SELECT ask();
ROLLBACK;
SELECT ask();

-- Triggers that need not fire.
BEGIN;
ALTER TABLE dp.ledger_entry DISABLE TRIGGER ALL;
SELECT ask();
ALTER TABLE dp.ledger_entry ENABLE TRIGGER ALL;
SELECT ask();
SELECT dp.confirm_ledger() LIKE 'Charges go on after entry %' AS confirmed;
SELECT tgname, tgenabled FROM pg_trigger WHERE tgrelid = 'dp.ledger_entry'::regclass ORDER BY 1;
SELECT ask();
COMMIT;

-- Another server, timeline, database, directory. What a rolled back transaction has said of the place does not hold.
CREATE FUNCTION moved(what text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE 'UPDATE dp.ledger_place SET ' || what || ' WHERE number = (SELECT max(number) FROM dp.ledger_place)';
    UPDATE dp.ledger_entry SET query = query WHERE false; -- the ledger is read anew
    RETURN NEXT regexp_replace(ask(), 'timeline \d+, and this is \d+', 'timeline M, and this is N');
END
$$;
BEGIN;
SELECT moved('system_identifier = system_identifier + 1');
ROLLBACK;
BEGIN;
SELECT moved('timeline = timeline + 1');
ROLLBACK;
BEGIN;
SELECT moved('database = 1');
ROLLBACK;
BEGIN;
SELECT moved('files = ''other''');
ROLLBACK;
BEGIN;
DELETE FROM dp.ledger_place;
SELECT moved('seq = seq');
ROLLBACK;
SELECT ask();

-- Who confirms is a superuser, and the numbers go on behind all that there were.
\set VERBOSITY default
SET ROLE regress_doubt_ana;
SELECT dp.confirm_ledger();
\set VERBOSITY verbose
RESET ROLE;
SELECT max(seq) AS before FROM dp.ledger \gset
DELETE FROM dp.ledger_entry WHERE seq = :before;
SELECT ask();
SELECT dp.confirm_ledger() = format('Charges go on after entry %s. What was charged elsewhere since then, by a server that went on with another '
    'copy or before a restore to an earlier time, is not in this ledger and cannot be known from it: that much may be spent twice, and a '
    'release that was made more accurate there is drawn anew.', :before) AS confirmed;
SELECT ask();
SELECT seq - :before AS n FROM dp.last_charges(2);
SELECT release_id > :release AS later FROM dp.last_charges(1);

-- A dropped role takes its accounts with it.
DROP ROLE regress_doubt_ana;
SELECT count(*) AS accounts FROM dp.account WHERE relation = 'doubted'::regclass;
DROP FUNCTION ask, relax, moved;
DROP TABLE doubted;
