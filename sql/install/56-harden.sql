-- What PostgreSQL shows to everyone of tables that they may not read: sizes, counters, locks.

CREATE FUNCTION dp.harden(hide_estimates boolean DEFAULT false) RETURNS integer
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_harden';
COMMENT ON FUNCTION dp.harden(boolean) IS
    'takes from PUBLIC, in this database, the functions that show sizes, counters and locks of tables, and leaves them to '
    'pg_read_all_stats; returns how many statements it ran, 0 where nothing was left to do. hide_estimates hides pg_class.relpages, '
    'reltuples and relallvisible as well: then SELECT * FROM pg_class fails, which some clients need';

CREATE FUNCTION dp.harden_statements(hide_estimates boolean DEFAULT false) RETURNS SETOF text
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_harden_statements';
COMMENT ON FUNCTION dp.harden_statements(boolean) IS 'the statements that dp.harden would run now; it runs none of them';

CREATE FUNCTION dp.unharden() RETURNS integer
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_unharden';
COMMENT ON FUNCTION dp.unharden() IS
    'gives back to PUBLIC what dp.harden() took, also that of hide_estimates, and returns how many statements it ran: for when pg_dp is '
    'to leave a database. Roles that were not granted their budgets with allow_leaks then have no answers';

CREATE FUNCTION dp.is_hardened() RETURNS boolean
    LANGUAGE c STABLE PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_is_hardened';
COMMENT ON FUNCTION dp.is_hardened() IS 'whether everything that dp.harden() takes from PUBLIC is taken; without hide_estimates';

-- What opens it again (CREATE EXTENSION pg_stat_statements, a GRANT) is told at once. Until it is hardened again, roles that were not
-- granted their budgets with allow_leaks have no answers, trigger or not.
CREATE FUNCTION dp_internal.hardening_watched() RETURNS event_trigger
    LANGUAGE c AS 'MODULE_PATHNAME', 'dp_hardening_watched';
REVOKE EXECUTE ON FUNCTION dp_internal.hardening_watched() FROM PUBLIC;
CREATE EVENT TRIGGER dp_hardening ON ddl_command_end WHEN TAG IN ('CREATE EXTENSION', 'ALTER EXTENSION', 'GRANT')
    EXECUTE FUNCTION dp_internal.hardening_watched();
ALTER EVENT TRIGGER dp_hardening ENABLE ALWAYS;
