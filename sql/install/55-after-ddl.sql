-- What becomes of an account when its table is replaced, or its table or role is dropped.

-- Numbers of dropped tables and roles that the ledger mentions: what gets one of them later begins with nothing spent. Not dumped:
-- elsewhere numbers are others.
CREATE TABLE dp.dropped_object (
    number oid,
    is_role boolean,
    owner oid, -- of a table: who owned it, and goes on seeing what was charged
    PRIMARY KEY (number, is_role)
);
COMMENT ON TABLE dp.dropped_object IS 'dropped tables and roles that the ledger mentions by their numbers';

-- Where the amounts of entries of kind 'continued' were spent first, so that nothing is taken over twice. Frozen, as the ledger's rows
-- are, and written after them.
CREATE TABLE dp.continued (
    seq bigint NOT NULL,        -- the entry of the ledger
    relation regclass NOT NULL, -- the table that goes on
    source regclass NOT NULL,   -- and the one that it took over from
    account regrole,            -- NULL: of the table as a whole
    epsilon_nano bigint NOT NULL,
    delta_atto bigint NOT NULL,
    divergences bigint[]        -- as in dp.ledger_entry
);
COMMENT ON TABLE dp.continued IS 'from which table the entries of kind ''continued'' of the ledger were taken over';
CREATE INDEX ON dp.continued (seq);
SELECT pg_catalog.pg_extension_config_dump('dp.continued',
    'WHERE relation IN (SELECT oid FROM pg_catalog.pg_class) AND source IN (SELECT oid FROM pg_catalog.pg_class)');
