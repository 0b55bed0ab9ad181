-- Releases: the answers of charged statements, kept so that they can be made more accurate for the price of the difference.
-- Private to the extension's owner: who can read the noise can take it away. Rows are inserted frozen, as the ledger's are. Those
-- of dp.release_part are written last: what they do not name is not there.

-- One query level of a statement with DP aggregates.
CREATE TABLE dp.release_part (
    release_id bigint NOT NULL,
    part integer NOT NULL,
    made_at timestamptz NOT NULL,
    role regrole NOT NULL,      -- whose statement it was
    relation regclass NOT NULL, -- the protected table, the first one where several were joined
    sets integer NOT NULL,      -- grouping sets: each is paid for
    groups bigint NOT NULL,
    selection_epsilon_nano bigint NOT NULL, -- what the private choice of its groups cost: paid by each role that is shown them
    selection_delta_atto bigint NOT NULL,
    query text,
    small bytea, -- of a part with few numbers: its aggregates, keys and first answers (src/budget/release/small_part.h), which then stand
                -- in none of the next three tables; NULL: they do
    partners regclass[], -- the other protected tables that were joined to it: each was charged in full; NULL or empty: none
    blocks regclass[]    -- of tables whose partitions have a budget each, those that were charged in their place; NULL: none
);

-- One aggregate of a level: what it is called, and how its integers become answers.
CREATE TABLE dp.release_aggregate (
    release_id bigint NOT NULL,
    part integer NOT NULL,
    aggregate integer NOT NULL,
    name text NOT NULL,
    mechanism text NOT NULL,
    epsilon_nano bigint NOT NULL, -- of the first answer
    sensitivity numeric,          -- in units of the integers: l1, or l2 and 2^126 where noise is Gaussian; NULL: not relaxable, nothing is kept of
                                  -- its answers
    coordinates integer NOT NULL, -- integers of one answer
    form text NOT NULL,
    refinement integer NOT NULL,
    exponent integer NOT NULL,
    lower float8 NOT NULL,
    range bigint NOT NULL
);

-- The group keys, in the order of the groups: arrays of objects.
CREATE TABLE dp.release_keys (
    release_id bigint NOT NULL,
    part integer NOT NULL,
    first_group bigint NOT NULL,
    keys json NOT NULL
);

-- The numbers of an aggregate at one privacy level: 16 bytes each, little-endian, group by group.
CREATE TABLE dp.release_level (
    release_id bigint NOT NULL,
    part integer NOT NULL,
    aggregate integer NOT NULL,
    level_id bigint NOT NULL, -- 0: the first answer
    first_group bigint NOT NULL,
    noisy bytea NOT NULL,
    noise bytea NOT NULL
);

-- The levels of an aggregate's path beyond the first answer. One that stands in no row here was never shown.
CREATE TABLE dp.release_path (
    release_id bigint NOT NULL,
    part integer NOT NULL,
    aggregate integer NOT NULL,
    epsilon_nano bigint NOT NULL,
    level_id bigint NOT NULL
);

-- Who was shown, and has paid for, which of them; and, where the release was shared, of the first answers. That who made the
-- release holds the first answers stands in no row.
CREATE TABLE dp.release_holding (
    release_id bigint NOT NULL,
    part integer NOT NULL,
    aggregate integer NOT NULL,
    role regrole NOT NULL,
    epsilon_nano bigint NOT NULL
);

-- Releases that were forgotten: that they were there. Who asks for one is told so.
CREATE TABLE dp.release_forgotten (
    release_id bigint NOT NULL,
    part integer NOT NULL,
    made_at timestamptz NOT NULL,
    role regrole NOT NULL,
    relation regclass NOT NULL,
    forgotten_at timestamptz NOT NULL
);

-- Keys and noise are kept as they are: compressing them would take longer than writing them.
ALTER TABLE dp.release_keys ALTER COLUMN keys SET STORAGE EXTERNAL;
ALTER TABLE dp.release_level ALTER COLUMN noisy SET STORAGE EXTERNAL, ALTER COLUMN noise SET STORAGE EXTERNAL;

-- Found by number; not unique, for the reason given at dp.ledger_entry.
CREATE INDEX ON dp.release_part (release_id);
CREATE INDEX ON dp.release_aggregate (release_id);
CREATE INDEX ON dp.release_keys (release_id);
CREATE INDEX ON dp.release_level (release_id);
CREATE INDEX ON dp.release_path (release_id);
CREATE INDEX ON dp.release_holding (release_id);
CREATE INDEX ON dp.release_forgotten (release_id);

-- Dumps carry them. As with the ledger, what belongs to a table or a maker that was dropped stays behind; so do the holdings of
-- dropped roles, but not the levels that these were shown: who goes on from there must not draw them again.
SELECT pg_catalog.pg_extension_config_dump('dp.release_forgotten',
    'WHERE relation IN (SELECT oid FROM pg_catalog.pg_class) AND role IN (SELECT oid FROM pg_catalog.pg_roles)');
DO $$
DECLARE
    there CONSTANT text := 'WHERE relation IN (SELECT oid FROM pg_catalog.pg_class) AND role IN (SELECT oid FROM pg_catalog.pg_roles) '
        'AND NOT EXISTS (SELECT FROM pg_catalog.unnest(partners || blocks) p WHERE p NOT IN (SELECT oid FROM pg_catalog.pg_class))';
    kept CONSTANT text := 'WHERE release_id IN (SELECT release_id FROM dp.release_part ' || there || ')';
BEGIN
    PERFORM pg_catalog.pg_extension_config_dump('dp.release_part', there);
    PERFORM pg_catalog.pg_extension_config_dump('dp.release_aggregate', kept);
    PERFORM pg_catalog.pg_extension_config_dump('dp.release_keys', kept);
    PERFORM pg_catalog.pg_extension_config_dump('dp.release_level', kept);
    PERFORM pg_catalog.pg_extension_config_dump('dp.release_path', kept);
    PERFORM pg_catalog.pg_extension_config_dump('dp.release_holding',
        kept || ' AND role IN (SELECT oid FROM pg_catalog.pg_roles)');
END
$$;
