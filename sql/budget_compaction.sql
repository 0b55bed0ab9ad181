-- dp.compact_ledger: entries become sums, and nothing that is spent or left changes. Exactly that is accepted.
CALL own_schema('budget_compaction');
SET client_min_messages = warning;
\set SHOW_CONTEXT never
CREATE ROLE regress_compact_ana;
CREATE ROLE regress_compact_ben;
CREATE TABLE compact_visits AS SELECT i FROM generate_series(1, 10) i;
CREATE TABLE compact_stays AS SELECT i FROM generate_series(1, 10) i;
GRANT SELECT ON compact_visits, compact_stays TO regress_compact_ana, regress_compact_ben;
SELECT dp.protect('compact_visits', 100, 1e-3), dp.protect('compact_stays', 100);
SELECT dp.grant_budget('compact_visits', 'regress_compact_ana', 50, 1e-3), dp.grant_budget('compact_stays', 'regress_compact_ana', 50);
CREATE VIEW compact_sums AS SELECT relation, role, epsilon_spent, delta_spent, charges, closed FROM dp.budgets
    WHERE relation::text LIKE 'compact_%' ORDER BY 1, role::text NULLS FIRST;
CREATE VIEW compact_entries AS SELECT relation, role, account IS NULL AS of_table, kind, coalesce(entries, 1) AS entries, epsilon_nano, table_epsilon_nano,
    query IS NULL AS forgotten FROM dp.ledger_entry WHERE relation::text LIKE 'compact_%' ORDER BY seq;
CREATE FUNCTION asks(role text, query text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SET LOCAL ROLE %I', role);
    EXECUTE query;
    RESET ROLE;
    RETURN true;
END
$$;
SELECT asks('regress_compact_ana', format('SELECT dp_count(''*'', 0.%s) FROM compact_visits', i)) FROM generate_series(1, 3) i;
SELECT asks('regress_compact_ana', 'SELECT dp_sum(i, 0, 10, 1, ''gaussian(delta=1e-6)'') FROM compact_visits');
SELECT asks('regress_compact_ben', 'SELECT dp_count(''*'', 1) FROM compact_visits');
SELECT asks('regress_compact_ana', 'SELECT dp_count(''*'', 2) FROM compact_stays UNION ALL SELECT dp_count(''*'', 3) FROM compact_stays');
-- An account that was closed stays so.
INSERT INTO dp.ledger_entry SELECT max(seq) + 1, now(), 'regress_compact_ana'::regrole, 'regress_compact_ana'::regrole, 'compact_stays'::regclass, 'closed', 0, 0, 0, 0
    FROM dp.ledger_entry;
TABLE compact_sums;
CREATE TEMP TABLE before AS TABLE compact_sums;

-- Whose business it is, and when.
SET ROLE regress_compact_ana;
SELECT dp.compact_ledger(now());
RESET ROLE;
GRANT EXECUTE ON FUNCTION dp.compact_ledger(timestamptz) TO regress_compact_ana;
SET ROLE regress_compact_ana;
SELECT dp.compact_ledger(now());
RESET ROLE;
REVOKE EXECUTE ON FUNCTION dp.compact_ledger(timestamptz) FROM regress_compact_ana;
SELECT dp.compact_ledger(NULL);
BEGIN READ ONLY;
SELECT dp.compact_ledger(now());
ROLLBACK;
BEGIN;
UPDATE dp.ledger_entry SET query = query WHERE relation = 'compact_visits'::regclass;
SELECT dp.compact_ledger(now());
ROLLBACK;
BEGIN;
SELECT dp.compact_ledger(now()) > 0 AS folded;
PREPARE TRANSACTION 'compacted';
ROLLBACK PREPARED 'compacted';
SELECT count(*) AS none FROM dp.ledger_entry WHERE kind = 'carried';

-- Too young; rolled back; done.
SELECT max(seq) AS before FROM dp.ledger_entry \gset
SELECT dp.compact_ledger('-infinity') AS none;
SELECT charged_at AS third FROM dp.ledger_entry WHERE relation = 'compact_visits'::regclass ORDER BY seq OFFSET 2 LIMIT 1 \gset
BEGIN;
SELECT dp.compact_ledger(:'third') > 0 AS folded;
SELECT count(*) AS carried FROM compact_entries WHERE kind = 'carried';
TABLE compact_sums EXCEPT TABLE before;
ROLLBACK;
SELECT count(*) AS carried FROM compact_entries WHERE kind = 'carried';
SELECT dp.compact_ledger(:'third') > 0 AS folded;
TABLE compact_entries;
SELECT done_by = current_user AS me, before = :'third' AS before, folded = charges AS first_time, carried > 0 AS carried FROM dp.ledger_compaction ORDER BY number DESC LIMIT 1;
SELECT kind, epsilon, table_epsilon, release_id FROM dp.ledger WHERE relation = 'compact_visits'::regclass AND kind = 'carried';
SELECT dp.compact_ledger(:'third') AS none_left;
SELECT dp.compact_ledger('infinity') > 0 AS folded;
TABLE compact_entries;
SELECT charges > folded AS again, kept > 0 AS kept FROM dp.ledger_compaction ORDER BY number DESC LIMIT 1;
TABLE compact_sums EXCEPT TABLE before;

-- Read anew, from the first row on, it is the same, and goes on.
DELETE FROM dp.ledger_total;
UPDATE dp.ledger_entry SET query = query WHERE relation = 'compact_visits'::regclass AND kind = 'closed';
TABLE compact_sums EXCEPT TABLE before;
SELECT asks('regress_compact_ben', 'SELECT dp_count(''*'', 1) FROM compact_visits');
SELECT seq - :before AS n, kind FROM dp.last_charges(1);
SELECT relation, role, epsilon_spent, charges FROM compact_sums WHERE relation = 'compact_visits'::regclass AND role IS NULL;

-- Whatever else happens to these rows puts the ledger in doubt, until it is as it was.
CREATE FUNCTION doubt_after(change text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    said text;
BEGIN
    BEGIN
        EXECUTE change;
        PERFORM dp_count('*', 1) FROM compact_visits;
        RAISE EXCEPTION USING ERRCODE = 'XX999', MESSAGE = 'answered';
    EXCEPTION WHEN OTHERS THEN
        GET STACKED DIAGNOSTICS said = PG_EXCEPTION_DETAIL;
        said := concat_ws(': ', sqlstate, nullif(said, ''));
    END;
    RETURN said;
END
$$;
SELECT doubt_after('SELECT');
SELECT doubt_after($$DELETE FROM dp.ledger_entry WHERE kind = 'carried' AND relation = 'compact_visits'::regclass$$);
SELECT doubt_after($$UPDATE dp.ledger_entry SET table_epsilon_nano = table_epsilon_nano - 1 WHERE kind = 'carried' AND relation = 'compact_visits'::regclass$$);
SELECT doubt_after($$UPDATE dp.ledger_entry SET entries = 1 WHERE kind = 'carried' AND relation = 'compact_visits'::regclass AND role = 'regress_compact_ana'::regrole$$);
SELECT doubt_after($$UPDATE dp.ledger_entry SET role = 'regress_compact_ben' WHERE kind = 'carried' AND relation = 'compact_visits'::regclass$$);
SELECT doubt_after($$INSERT INTO dp.ledger_entry SELECT * FROM dp.ledger_entry WHERE kind = 'carried' LIMIT 1$$) AS "is there already";
SELECT doubt_after($$ALTER TABLE dp.ledger_entry DISABLE TRIGGER skip_row_that_is_there;
    INSERT INTO dp.ledger_entry SELECT * FROM dp.ledger_entry WHERE kind = 'carried' LIMIT 1$$);
SELECT doubt_after($$INSERT INTO dp.ledger_entry (seq, charged_at, role, relation, kind, epsilon_nano, delta_atto, table_epsilon_nano, table_delta_atto)
    SELECT 1, '2020-01-01', role, relation, 'query', 1, 0, 1, 0 FROM dp.ledger_entry WHERE kind = 'carried' LIMIT 1$$) AS "was folded";
SELECT doubt_after($$DELETE FROM dp.ledger_entry WHERE kind = 'closed' AND relation = 'compact_stays'::regclass$$);
SELECT doubt_after($$DELETE FROM dp.ledger_compaction; UPDATE dp.ledger_entry SET query = query WHERE kind = 'carried'$$);
SELECT doubt_after($$DELETE FROM dp.ledger_entry WHERE relation = 'compact_visits'::regclass AND kind = 'query'$$);
SELECT doubt_after('SELECT');

-- A superuser may say that it is right so, and then that is what it has to be.
SELECT number AS last FROM dp.ledger_compaction ORDER BY number DESC LIMIT 1 \gset
UPDATE dp.ledger_entry SET table_epsilon_nano = table_epsilon_nano + 1000000000 WHERE kind = 'carried' AND relation = 'compact_visits'::regclass AND role = 'regress_compact_ben'::regrole;
SELECT doubt_after('SELECT');
SELECT dp.confirm_ledger() IS NOT NULL AS confirmed;
SELECT number - :last AS n, before, folded FROM dp.ledger_compaction ORDER BY number DESC LIMIT 1;
SELECT doubt_after('SELECT');
SELECT doubt_after($$DELETE FROM dp.ledger_entry WHERE kind = 'carried' AND relation = 'compact_visits'::regclass$$);
SELECT relation, role, epsilon_spent FROM compact_sums WHERE relation = 'compact_visits'::regclass AND role IS NULL;
SELECT dp.reopen('compact_stays', 'regress_compact_ana');
SELECT dp.compact_ledger('infinity') > 0 AS folded;
SELECT kind, epsilon_nano, table_epsilon_nano FROM compact_entries WHERE relation = 'compact_stays'::regclass;

-- Sums that were written down before the last compaction hold entries that it has folded: they are not begun with.
SELECT asks('regress_compact_ben', 'SELECT dp_count(''*'', 1) FROM compact_visits');
CREATE TEMP TABLE sums AS TABLE compact_sums;
SELECT dp.compact_ledger('infinity') AS folded;
DELETE FROM dp.ledger_total WHERE number = (SELECT max(number) FROM dp.ledger_total);
SELECT totals IS NOT NULL AS written_down FROM dp.ledger_total ORDER BY number DESC LIMIT 1;
VACUUM FULL dp.ledger_entry;
TABLE compact_sums EXCEPT TABLE sums;

-- That releases were forgotten before is forgotten as well.
INSERT INTO dp.release_forgotten SELECT -i, 0, now(), 'regress_compact_ana'::regrole, 'compact_visits'::regclass, now() - i * interval '1 year'
    FROM generate_series(1, 3) i;
SELECT dp.compact_ledger(now() - interval '18 months') IS NOT NULL AS compacted;
SELECT release_id FROM dp.release_forgotten WHERE release_id < 0;
DELETE FROM dp.release_forgotten WHERE release_id < 0;

-- What a table took over from another one stays as it was: of the table and of each account one row, which are not added together.
CREATE TABLE compact_next (LIKE compact_visits INCLUDING ALL);
SET client_min_messages = error;
SELECT dp.grant_budget('compact_visits', role, 1e6, allow_leaks => true) IS NOT NULL AS granted
    FROM dp.budgets WHERE relation = 'compact_visits'::regclass AND role IS NOT NULL;
SELECT dp.protect('compact_next', continues => 'compact_visits');
RESET client_min_messages;
CREATE TEMP TABLE charges AS SELECT relation, role, epsilon_spent, charges FROM dp.budgets WHERE relation = 'compact_next'::regclass;
SELECT count(*) > 1 AS accounts, bool_and(charges > 0) AS charged FROM charges;
SELECT dp.compact_ledger('infinity') >= 0 AS compacted;
VACUUM FULL dp.ledger_entry;
TABLE charges EXCEPT SELECT relation, role, epsilon_spent, charges FROM dp.budgets;
SELECT dp.unprotect('compact_next'), dp.unprotect('compact_stays');
DROP TABLE compact_visits, compact_stays, compact_next CASCADE;
DROP FUNCTION asks, doubt_after;
DROP ROLE regress_compact_ana, regress_compact_ben;
