-- A ledger of millions of entries: found by number, and added up once.

-- Not unique, for the reason given at dp.ledger_entry. A row that an error kept out of the index was never answered for.
CREATE INDEX ledger_entry_seq ON dp.ledger_entry (seq);

-- What the entries add up to, now and then, so that a start of the server reads those that came later. Of the rows the one with the
-- highest number counts. Not dumped: who restores a ledger adds it up anew.
CREATE TABLE dp.ledger_total (
    number bigint NOT NULL,
    seq bigint NOT NULL,        -- the last entry that is in them
    release_id bigint NOT NULL, -- the highest that these entries mention
    totals bytea                -- what each account has spent and whether it is closed (src/budget/ledger/checkpoint.cpp); NULL: somebody
                                -- wrote to the ledger by hand, and all of it has to be read
);
COMMENT ON TABLE dp.ledger_total IS 'what the entries of the ledger add up to, written down now and then';
CREATE INDEX ON dp.ledger_total (number);
ALTER TABLE dp.ledger_total ALTER COLUMN totals SET STORAGE EXTERNAL;

CREATE FUNCTION dp.last_charges("count" integer DEFAULT 100, only_relation regclass DEFAULT NULL, OUT seq bigint,
    OUT charged_at timestamptz, OUT role regrole, OUT relation regclass, OUT kind text, OUT epsilon numeric, OUT delta numeric,
    OUT table_epsilon numeric, OUT table_delta numeric, OUT release_id bigint, OUT query text, OUT losses text, OUT table_losses text)
    RETURNS SETOF record
    LANGUAGE c VOLATILE PARALLEL RESTRICTED ROWS 100 AS 'MODULE_PATHNAME', 'dp_last_charges';
COMMENT ON FUNCTION dp.last_charges(integer, regclass) IS
    'the newest rows of dp.ledger, of all tables or of one, the newest first: at once, however many there are';

-- Where the ledger is written: of the rows the one with the highest number counts. Not dumped: a copy has to be confirmed.
CREATE TABLE dp.ledger_place (
    number bigint NOT NULL,
    seq bigint NOT NULL,               -- entries up to this one may be missing: a superuser has confirmed what there is
    release_id bigint NOT NULL,        -- releases up to this one may be mentioned by no entry
    system_identifier bigint NOT NULL, -- of the server, as initdb chose it
    timeline bigint NOT NULL,
    database oid NOT NULL,
    files text NOT NULL,               -- what a copy of the data directory changes
    settled_at timestamptz NOT NULL,
    role regrole NOT NULL              -- who charged first, or confirmed
);
COMMENT ON TABLE dp.ledger_place IS 'where the ledger is written: server, timeline, database and files, each time that it was another place';
CREATE INDEX ON dp.ledger_place (number);

-- Before the first row changes, the highest number is noted.
CREATE TRIGGER ledger_being_written BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON dp.ledger_entry
    FOR EACH STATEMENT EXECUTE FUNCTION dp_internal.ledger_written();
ALTER TABLE dp.ledger_entry ENABLE ALWAYS TRIGGER ledger_being_written;

CREATE FUNCTION dp_internal.settle_ledger() RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_settle_ledger';
REVOKE EXECUTE ON FUNCTION dp_internal.settle_ledger() FROM PUBLIC;
COMMENT ON FUNCTION dp_internal.settle_ledger() IS 'the part of dp.confirm_ledger() that is left once its triggers are in order';

CREATE FUNCTION dp.confirm_ledger() RETURNS text
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    last bigint;
BEGIN
    IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
        RAISE insufficient_privilege USING MESSAGE = 'only a superuser confirms the ledger of pg_dp',
            HINT = 'Ask one: SELECT dp.confirm_ledger();';
    END IF;
    IF (SELECT count(*) FROM pg_trigger WHERE tgrelid = 'dp.ledger_entry'::regclass AND tgenabled = 'A'
            AND tgname IN ('ledger_written', 'ledger_being_written')) < 2 THEN
        CREATE OR REPLACE TRIGGER ledger_written AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON dp.ledger_entry
            FOR EACH STATEMENT EXECUTE FUNCTION dp_internal.ledger_written();
        CREATE OR REPLACE TRIGGER ledger_being_written BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON dp.ledger_entry
            FOR EACH STATEMENT EXECUTE FUNCTION dp_internal.ledger_written();
        CREATE OR REPLACE TRIGGER skip_row_that_is_there BEFORE INSERT ON dp.ledger_entry
            FOR EACH ROW EXECUTE FUNCTION dp_internal.skip_row_that_is_there();
        ALTER TABLE dp.ledger_entry ENABLE ALWAYS TRIGGER ledger_written, ENABLE ALWAYS TRIGGER ledger_being_written,
            ENABLE ALWAYS TRIGGER skip_row_that_is_there;
    END IF;
    last := dp_internal.settle_ledger();
    RETURN format('Charges go on after entry %s. What was charged elsewhere since then, by a server that went on with another copy or before '
        'a restore to an earlier time, is not in this ledger and cannot be known from it: that much may be spent twice, and a release that '
        'was made more accurate there is drawn anew.', last);
END
$$;
COMMENT ON FUNCTION dp.confirm_ledger() IS
    'for a superuser: says that the ledger is complete and goes on here, after a restore, a promotion, a copy or a repair by hand; until '
    'then nothing is charged';

-- A session of a server that has not loaded the library drops nothing either: what this calls has it loaded.
CREATE FUNCTION dp_internal.guard_drops() RETURNS event_trigger
    LANGUAGE c AS 'MODULE_PATHNAME', 'dp_guard_drops';
REVOKE EXECUTE ON FUNCTION dp_internal.guard_drops() FROM PUBLIC;
COMMENT ON FUNCTION dp_internal.guard_drops() IS 'event trigger: has the library loaded, which refuses to drop what was charged';
CREATE EVENT TRIGGER dp_drops ON ddl_command_start WHEN TAG IN ('DROP EXTENSION', 'DROP TABLE', 'DROP SCHEMA', 'DROP OWNED', 'ALTER TABLE')
    EXECUTE FUNCTION dp_internal.guard_drops();
ALTER EVENT TRIGGER dp_drops ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER dp_drops IS 'keeps what was charged from being dropped, also where the library was not loaded at the server''s start';

CREATE FUNCTION dp_internal.read_status(OUT doubt text, OUT last_entry bigint, OUT last_checkpoint bigint, OUT accounts bigint,
    OUT shared_bytes bigint, OUT read_at timestamptz, OUT read_entries bigint, OUT read_ms bigint, OUT direct_writers bigint,
    OUT shut_accounts bigint, OUT account_room bigint, OUT charges bigint, OUT refusals bigint, OUT errors bigint, OUT lock_waits bigint,
    OUT reused bigint, OUT charge_seconds float8)
    RETURNS record
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_read_status';
COMMENT ON FUNCTION dp_internal.read_status() IS 'the first columns of dp.status';
