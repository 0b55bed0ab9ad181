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
CREATE INDEX ON dp.ledger_total (number);
ALTER TABLE dp.ledger_total ALTER COLUMN totals SET STORAGE EXTERNAL;

CREATE FUNCTION dp.last_charges("count" integer DEFAULT 100, only_relation regclass DEFAULT NULL, OUT seq bigint,
    OUT charged_at timestamptz, OUT role regrole, OUT relation regclass, OUT kind text, OUT epsilon numeric, OUT delta numeric,
    OUT table_epsilon numeric, OUT table_delta numeric, OUT release_id bigint, OUT query text) RETURNS SETOF record
    LANGUAGE c VOLATILE PARALLEL RESTRICTED ROWS 100 AS 'MODULE_PATHNAME', 'dp_last_charges';
COMMENT ON FUNCTION dp.last_charges(integer, regclass) IS
    'the newest rows of dp.ledger, of all tables or of one, the newest first: at once, however many there are';
