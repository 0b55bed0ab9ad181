-- What a DBA sees.

-- What of the policies names a table or role that is gone: a DROP ROLE in another database leaves it behind, or a DROP TABLE in a
-- server that has not loaded the library.
CREATE VIEW dp.orphans AS
    SELECT 'protected_table' AS "table", p.relation::oid, NULL::oid AS role FROM dp.protected_table p
    WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_class c WHERE c.oid = p.relation)
    UNION ALL
    SELECT 'account', a.relation, a.role FROM dp.account a
    WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_class c WHERE c.oid = a.relation)
        OR NOT EXISTS (SELECT FROM pg_catalog.pg_roles r WHERE r.oid = a.role);
COMMENT ON VIEW dp.orphans IS
    'for members of dp_curator and pg_monitor: budgets of tables or roles that are gone, by their numbers; dp.unprotect and '
    'dp.revoke_budget remove them';
GRANT SELECT ON dp.orphans TO dp_curator, pg_monitor;

-- Also for curators whom dp.harden() has taken the functions that tell sizes from: these are the extension's own.
CREATE FUNCTION dp_internal.bytes_stored(OUT ledger bigint, OUT releases numeric) RETURNS record
    LANGUAGE sql VOLATILE PARALLEL RESTRICTED SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT pg_total_relation_size('dp.ledger_entry'), (SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c
        WHERE c.relnamespace = 'dp'::regnamespace AND c.relkind = 'r' AND c.relname LIKE 'release%')
$$;
COMMENT ON FUNCTION dp_internal.bytes_stored() IS 'the columns of dp.status that tell sizes';
REVOKE EXECUTE ON FUNCTION dp_internal.bytes_stored() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION dp_internal.bytes_stored() TO dp_curator, pg_monitor;

CREATE VIEW dp.status AS
    SELECT s.doubt, s.last_entry, s.last_checkpoint, s.accounts, s.shared_bytes, s.read_at, s.read_entries, s.read_ms, s.direct_writers,
        s.shut_accounts, (SELECT p.timeline FROM dp.ledger_place p ORDER BY p.number DESC LIMIT 1) AS timeline,
        b.ledger AS ledger_bytes, b.releases AS release_bytes,
        s.account_room, s.charges, s.refusals, s.errors, s.lock_waits,
        (SELECT pg_catalog.count(*) = 2 FROM pg_catalog.pg_trigger t WHERE t.tgrelid = 'dp.ledger_entry'::regclass
            AND t.tgname IN ('ledger_written', 'ledger_being_written') AND t.tgenabled = 'A') AS watched,
        dp.is_hardened() AS hardened,
        (SELECT pg_catalog.count(*) FROM dp.orphans) AS orphans,
        (SELECT pg_catalog.count(*) FROM dp.account a JOIN pg_catalog.pg_class c ON c.oid = a.relation
            JOIN pg_catalog.pg_roles r ON r.oid = a.role
            WHERE pg_catalog.has_table_privilege(a.role, c.oid, 'SELECT') OR pg_catalog.has_any_column_privilege(a.role, c.oid, 'SELECT'))
            AS readers_with_budget,
        (SELECT pg_catalog.max(l.done_at) FROM dp.ledger_compaction l WHERE l.before IS NOT NULL) AS compacted_at,
        s.reused, s.charge_seconds
    FROM dp_internal.read_status() s, dp_internal.bytes_stored() b;
COMMENT ON VIEW dp.status IS
    'the ledger at this moment, for members of dp_curator and pg_monitor: why nothing is charged (doubt), its last entry, the entry up to '
    'which its sums are written down, accounts and bytes in shared memory, when it was read last, how many entries and for how many '
    'milliseconds, transactions that write to it by hand, accounts closed in memory alone, its timeline, bytes on disk; how many accounts '
    'the memory holds before it grows; since the server started: charges, refusals, errors that stopped private queries, waits for the '
    'lock; whether writes by hand are watched, whether the database is hardened, budgets of what is gone (dp.orphans), of roles that may '
    'read what they have a budget on, and when the ledger was compacted last; since the server started: answers that were shown again for '
    'nothing, and the seconds that all charges took together';
GRANT SELECT ON dp.status TO dp_curator, pg_monitor;

CREATE FUNCTION dp_internal.read_progress(OUT work text, OUT pid integer, OUT rows bigint, OUT since timestamptz) RETURNS SETOF record
    LANGUAGE c VOLATILE PARALLEL RESTRICTED ROWS 1 AS 'MODULE_PATHNAME', 'dp_read_progress';

CREATE VIEW dp.progress AS SELECT p.work, p.pid, p.rows, p.since FROM dp_internal.read_progress() p;
COMMENT ON VIEW dp.progress IS
    'for members of dp_curator and pg_monitor: what the extension is at in this database that may take long: which session, how many rows '
    'so far, since when';
GRANT SELECT ON dp.progress TO dp_curator, pg_monitor;

-- Locks of the classes that the extension has (src/budget/release/locks.h, src/budget/ledger/reading_lock.h).
CREATE VIEW dp.waits AS
    SELECT a.pid, a.usename AS role, w.waits_for, a.state_change AS since, pg_catalog.pg_blocking_pids(a.pid) AS blocked_by
    FROM pg_catalog.pg_stat_activity a,
        LATERAL (
            SELECT CASE l.objsubid WHEN 217 THEN 'the levels of a release' WHEN 218 THEN 'releases being forgotten'
                WHEN 219 THEN 'the ledger being read, compacted or written by hand' END
            FROM pg_catalog.pg_locks l
            WHERE l.pid = a.pid AND NOT l.granted AND l.locktype = 'advisory' AND l.database = a.datid AND l.objsubid IN (217, 218, 219)
            UNION ALL
            SELECT a.wait_event WHERE a.wait_event_type = 'LWLock' AND a.wait_event LIKE 'pg\_dp %'
            UNION ALL
            SELECT pg_catalog.format('a lock on table dp.%I', c.relname)
            FROM pg_catalog.pg_locks l JOIN pg_catalog.pg_class c ON c.oid = l.relation
            WHERE l.pid = a.pid AND NOT l.granted AND l.locktype = 'relation' AND l.database = a.datid AND c.relnamespace = 'dp'::regnamespace
            UNION ALL
            SELECT 'a synchronous standby' WHERE a.wait_event = 'SyncRep'
        ) w (waits_for)
    WHERE a.datname = pg_catalog.current_database();
COMMENT ON VIEW dp.waits IS
    'for members of pg_monitor: sessions of this database that wait for the extension, for what, since when, and for whom';
GRANT SELECT ON dp.waits TO pg_monitor;
