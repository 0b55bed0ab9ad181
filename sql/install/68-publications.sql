-- Tables that are filled by a private query, period by period (src/budget/publish).

CREATE TABLE dp.publication (
    publication_id bigint PRIMARY KEY,
    relation regclass NOT NULL UNIQUE,   -- the table that is filled
    owner regrole NOT NULL,              -- as whom the query runs, and whose budget pays
    query text NOT NULL,
    every interval NOT NULL,
    delay interval NOT NULL,             -- for so long after its end a period is not published
    running boolean NOT NULL,            -- counts and sums are totals of all periods so far
    settings text[] NOT NULL,            -- names and values of those under which the query was written
    next_start timestamptz NOT NULL,     -- the period that comes next
    next_end timestamptz NOT NULL,
    periods bigint NOT NULL DEFAULT 0,   -- that were published
    published_at timestamptz NOT NULL,   -- when the last of them was; before it, when the publication was made
    failures integer NOT NULL DEFAULT 0, -- attempts at the next one that ended in an error
    failed_at timestamptz,
    last_sqlstate text,
    last_error text
);

-- That a question of a period was drawn, for which charge, and where its answer is stored until the period is published: rows are
-- inserted frozen, as those of the ledger are.
CREATE TABLE dp.publication_draw (
    publication_id bigint NOT NULL,
    period_start timestamptz NOT NULL,
    answer_id bigint NOT NULL,
    question_hash bigint NOT NULL,
    ledger_seq bigint NOT NULL, -- the first entry that paid for it; 0: a period before has paid for all totals
    relation regclass NOT NULL, -- of totals, which protected table they are of; '-': they are no totals
    asked text NOT NULL,        -- and with which noise: these two stay what the first period has paid for
    errors float8[]             -- of totals, how far each may be off in 95 of 100 cases; NULL: they are no totals
);
CREATE INDEX ON dp.publication_draw (publication_id);

-- What later totals need of the periods before: of each group and aggregate the exact number, which is told to nobody, and what the
-- noisy numbers say of it (src/guard/release/running_totals.h).
CREATE TABLE dp.publication_number (
    publication_id bigint NOT NULL,
    answer_id bigint NOT NULL,
    period bigint NOT NULL, -- from 0 on
    aggregate integer NOT NULL,
    group_key text NOT NULL,
    exact bytea NOT NULL,   -- 16 bytes
    said float8 NOT NULL
);
CREATE INDEX ON dp.publication_number (publication_id);

COMMENT ON TABLE dp.publication IS 'what dp.publish() has made; dp.publications shows it';
COMMENT ON TABLE dp.publication_draw IS 'publications: which answers were drawn for which charge';
COMMENT ON TABLE dp.publication_number IS 'publications: exact numbers of the periods that running totals go on from; whoever reads them knows what is hidden';

DO $$
DECLARE
    there CONSTANT text := 'WHERE relation IN (SELECT oid FROM pg_catalog.pg_class) AND owner IN (SELECT oid FROM pg_catalog.pg_roles)';
    kept CONSTANT text := 'WHERE publication_id IN (SELECT publication_id FROM dp.publication ' || there || ')';
BEGIN
    PERFORM pg_catalog.pg_extension_config_dump('dp.publication', there);
    PERFORM pg_catalog.pg_extension_config_dump('dp.publication_draw', kept);
    PERFORM pg_catalog.pg_extension_config_dump('dp.publication_number', kept);
END
$$;

CREATE FUNCTION dp.period_start() RETURNS timestamptz
    LANGUAGE c STABLE PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_period_start';
COMMENT ON FUNCTION dp.period_start() IS
    'in the query of dp.publish(): when the period begins that is being published; elsewhere yesterday, 0:00 UTC';

CREATE FUNCTION dp.period_end() RETURNS timestamptz
    LANGUAGE c STABLE PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_period_end';
COMMENT ON FUNCTION dp.period_end() IS
    'in the query of dp.publish(): when the next period begins; elsewhere today, 0:00 UTC';

CREATE FUNCTION dp.publish(name text, query text, every interval, since timestamptz DEFAULT NULL, delay interval DEFAULT '0',
    running boolean DEFAULT false) RETURNS regclass
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_publish';
COMMENT ON FUNCTION dp.publish(text, text, interval, timestamptz, interval, boolean) IS
    'makes a table of that name, into which the query is written for each period of the calendar (by universal time) once it is over, as the '
    'current role, which pays for each period once: the query says what is in a period by dp.period_start() and dp.period_end(); since: a '
    'moment in the first period, the current one if left out; delay: for so long after its end a period is not published; running: counts '
    'and sums are totals from the first period on, which are paid once for all';

CREATE FUNCTION dp.unpublish(publication regclass) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_unpublish';
COMMENT ON FUNCTION dp.unpublish(regclass) IS 'ends a publication; its table stays as it is';

CREATE FUNCTION dp.publish_now(publication regclass) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_publish_now';
COMMENT ON FUNCTION dp.publish_now(regclass) IS
    'publishes all periods that are due, without waiting for the background worker, and says how many; what it drew stays drawn after a ROLLBACK';

CREATE FUNCTION dp.fix_column(relation regclass, column_name name) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_fix_column';
COMMENT ON FUNCTION dp.fix_column(regclass, name) IS
    'for curators: has each UPDATE refused that changes the column, so that a row counts in one period of running totals';

CREATE FUNCTION dp_internal.keeps_its_column() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'a row of table % keeps its %: it counts in one period of what is published', TG_RELID::regclass, TG_ARGV[0]
        USING ERRCODE = '55000', HINT = 'A curator may delete it and insert it anew.';
END
$$;
COMMENT ON FUNCTION dp_internal.keeps_its_column() IS 'trigger: refuses an UPDATE of a column that dp.fix_column() names';
REVOKE EXECUTE ON FUNCTION dp_internal.keeps_its_column() FROM PUBLIC;

-- After a failure it is tried again after a minute, two, four, up to an hour.
CREATE VIEW dp_internal.publication_runs AS
    SELECT p.*, greatest((p.next_end AT TIME ZONE 'UTC' + p.delay) AT TIME ZONE 'UTC',
        p.failed_at + least(interval '1 minute' * pg_catalog.power(2, least(p.failures - 1, 10)), interval '1 hour')) AS next_run
    FROM dp.publication p;
COMMENT ON VIEW dp_internal.publication_runs IS 'the rows of dp.publication, and when each is due';

CREATE VIEW dp.publications AS
    SELECT r.publication_id, r.relation, r.owner, r.query, r.every, r.delay, r.running, r.periods, r.next_start, r.next_end, r.next_run,
        CASE WHEN r.failures > 0 THEN 'failed' WHEN r.next_run <= pg_catalog.now() THEN 'due' ELSE 'waiting' END AS state,
        r.failures, r.failed_at, r.last_sqlstate, r.last_error,
        (SELECT d.errors FROM dp.publication_draw d WHERE d.publication_id = r.publication_id ORDER BY d.period_start DESC LIMIT 1) AS total_errors
    FROM dp_internal.publication_runs r
    WHERE pg_catalog.pg_has_role(r.owner, 'MEMBER') AND EXISTS (SELECT FROM pg_catalog.pg_class c WHERE c.oid = r.relation);
COMMENT ON VIEW dp.publications IS
    'what dp.publish() has made, of the roles that one is a member of: the number by which dp.ledger names it, the next period, when it is published (next_run), the last error, '
    'which is tried again then, and of totals how far each aggregate may be off in 95 of 100 cases (total_errors)';
GRANT SELECT ON dp.publications TO PUBLIC;
