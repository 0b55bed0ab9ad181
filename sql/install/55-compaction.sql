-- A ledger that has grown long is folded: of entries that are old enough one row is left for each table, role and account.

-- What was folded, and what the rows have to be that stand for it: of the rows the one with the highest number counts.
CREATE TABLE dp.ledger_compaction (
    number bigint NOT NULL,
    done_at timestamptz NOT NULL,
    done_by text NOT NULL,          -- the role
    before timestamptz,             -- what was asked for; NULL: a superuser confirmed the ledger as it was
    seq bigint NOT NULL,            -- the last entry that could be folded
    folded bigint NOT NULL,         -- how many entries were, this time
    kept bigint NOT NULL,           -- rows up to there that closed or opened accounts
    carried bigint NOT NULL,        -- rows of kind carried, from all times
    charges bigint NOT NULL,        -- that they stand for
    epsilon numeric NOT NULL,       -- their sums: paid by accounts
    delta numeric NOT NULL,
    table_epsilon numeric NOT NULL, -- and by tables
    table_delta numeric NOT NULL,
    fingerprint bigint NOT NULL     -- of all that is in them (src/budget/ledger/carried.cpp)
);
COMMENT ON TABLE dp.ledger_compaction IS 'when dp.compact_ledger was called and by whom, and what it has left';
CREATE INDEX ON dp.ledger_compaction (number);
SELECT pg_catalog.pg_extension_config_dump('dp.ledger_compaction', '');

CREATE FUNCTION dp.compact_ledger(before timestamptz) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_compact_ledger';
REVOKE EXECUTE ON FUNCTION dp.compact_ledger(timestamptz) FROM PUBLIC;
COMMENT ON FUNCTION dp.compact_ledger(timestamptz) IS
    'for a superuser: folds the entries of the ledger that are older into one for each table, role and account, with their sums, and says '
    'how many there were; what is spent and left stays the same, what was asked is forgotten; dp.ledger_compaction tells of it';

-- A dump that is restored onto its own database adds nothing that is there already: entries have numbers. So of all frozen rows.
CREATE FUNCTION dp_internal.skip_row_that_is_there() RETURNS trigger
    LANGUAGE c AS 'MODULE_PATHNAME', 'dp_skip_row_that_is_there';
COMMENT ON FUNCTION dp_internal.skip_row_that_is_there() IS
    'before a row is inserted: not if the table had the same one already when the statement began, so that a restore adds nothing twice';
REVOKE EXECUTE ON FUNCTION dp_internal.skip_row_that_is_there() FROM PUBLIC;
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY '{ledger_entry,ledger_compaction,continued,release_part,release_aggregate,release_keys,release_level,release_path,
        release_holding,release_forgotten}'::text[] LOOP
        EXECUTE format('CREATE TRIGGER skip_row_that_is_there BEFORE INSERT ON dp.%I '
            'FOR EACH ROW EXECUTE FUNCTION dp_internal.skip_row_that_is_there()', name);
        EXECUTE format('ALTER TABLE dp.%I ENABLE ALWAYS TRIGGER skip_row_that_is_there', name);
    END LOOP;
END
$$;
