-- What panels and monitoring show: refusals by reason, how long charges take, and how long budgets last.

CREATE FUNCTION dp_internal.read_refusals(OUT sqlstate text, OUT reason text, OUT refusals bigint) RETURNS SETOF record
    LANGUAGE c VOLATILE PARALLEL RESTRICTED ROWS 7 AS 'MODULE_PATHNAME', 'dp_read_refusals';
REVOKE EXECUTE ON FUNCTION dp_internal.read_refusals() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION dp_internal.read_refusals() TO dp_curator, pg_monitor;

CREATE VIEW dp.refusals AS SELECT r.sqlstate, r.reason, r.refusals FROM dp_internal.read_refusals() r;
COMMENT ON VIEW dp.refusals IS
    'for members of dp_curator and pg_monitor: errors of these kinds that clients of this database were shown since the server started, in '
    'sessions that have asked something; those that are not logged (log_min_messages above error) are not counted';
GRANT SELECT ON dp.refusals TO dp_curator, pg_monitor;

CREATE FUNCTION dp_internal.read_charge_times(OUT seconds float8, OUT charges bigint) RETURNS SETOF record
    LANGUAGE c VOLATILE PARALLEL RESTRICTED ROWS 14 AS 'MODULE_PATHNAME', 'dp_read_charge_times';
REVOKE EXECUTE ON FUNCTION dp_internal.read_charge_times() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION dp_internal.read_charge_times() TO dp_curator, pg_monitor;

CREATE VIEW dp.charge_times AS SELECT t.seconds, t.charges FROM dp_internal.read_charge_times() t;
COMMENT ON VIEW dp.charge_times IS
    'for members of dp_curator and pg_monitor: how many charges took at most so many seconds, since the server started, until they were on disk '
    'and on the standbys that are waited for; what is charged together is one. Their sum is charge_seconds of dp.status';
GRANT SELECT ON dp.charge_times TO dp_curator, pg_monitor;

CREATE FUNCTION dp_internal.read_payments(since timestamptz, OUT charged_at timestamptz, OUT account regrole, OUT relation regclass,
    OUT epsilon_nano bigint, OUT table_epsilon_nano bigint, OUT query text) RETURNS SETOF record
    LANGUAGE c VOLATILE STRICT PARALLEL RESTRICTED ROWS 1000 AS 'MODULE_PATHNAME', 'dp_read_payments';

-- What a table as a whole pays is a payment of no account. Where partitions have a budget each, payments name these. First of all the same
-- question becomes one row: a week may have a million charges.
CREATE VIEW dp.pace AS
    WITH payment AS MATERIALIZED (
        SELECT p.account AS role, p.relation, p.query, min(p.charged_at) AS first,
            sum(p.epsilon_nano) AS own, count(*) FILTER (WHERE p.epsilon_nano > 0) AS own_charges,
            sum(p.epsilon_nano) FILTER (WHERE p.charged_at >= date_trunc('day', now())) AS own_today,
            sum(p.table_epsilon_nano) AS whole, count(*) FILTER (WHERE p.table_epsilon_nano > 0) AS whole_charges,
            sum(p.table_epsilon_nano) FILTER (WHERE p.charged_at >= date_trunc('day', now())) AS whole_today
        FROM dp_internal.read_payments(now() - interval '7 days') p GROUP BY p.account, p.relation, p.query
    ), paid AS (
        SELECT coalesce(b.relation, w.relation) AS relation, w.role, w.query, w.first, w.nano / 1000000000 AS epsilon, w.charges, w.today / 1000000000 AS today
        FROM (SELECT relation, role, query, first, own, own_charges, own_today FROM payment WHERE role IS NOT NULL
              UNION ALL SELECT relation, NULL, query, first, whole, whole_charges, whole_today FROM payment) w (relation, role, query, first, nano, charges, today)
            LEFT JOIN (SELECT DISTINCT relation, block FROM dp.blocks) b ON b.block = w.relation
        WHERE w.nano > 0
    ), week AS (
        SELECT relation, role, sum(epsilon) AS spent, sum(charges) AS charges, coalesce(sum(today), 0) AS today,
            greatest(extract(epoch FROM now() - min(first)) / 86400, 1) AS days
        FROM paid GROUP BY relation, role
    ), question AS (
        SELECT relation, role, query, sum(epsilon) AS epsilon, sum(charges) AS charges,
            row_number() OVER (PARTITION BY relation, role ORDER BY sum(epsilon) DESC, query) AS place
        FROM paid WHERE query IS NOT NULL GROUP BY relation, role, query
    )
    SELECT b.table_name, b.role_name, b.epsilon_limit, b.epsilon_spent, b.epsilon_left,
        round(100 * b.epsilon_left / nullif(b.epsilon_limit, 0), 1) AS percent_left,
        trim_scale(coalesce(w.today, 0)) AS spent_today, trim_scale(coalesce(w.spent, 0)) AS spent_in_week, coalesce(w.charges, 0)::bigint AS charges_in_week,
        CASE
            WHEN b.epsilon_left = 0 THEN 0
            WHEN b.accountant = 'renyi' THEN round((
                SELECT a.answers_left * w.days / w.charges
                FROM dp_internal.read_budgets((w.spent / w.charges)::float8) a
                WHERE a.relation = b.relation AND a.role IS NOT DISTINCT FROM b.role AND a.block IS NULL), 1)
            ELSE round(b.epsilon_left * w.days / w.spent, 1)
        END AS days_left,
        b.period_end AS renewed_at, b.closed,
        (SELECT string_agg(format('%s for %s: %s', trim_scale(q.epsilon), q.charges,
                "left"(regexp_replace(q.query, '\s+', ' ', 'g'), 200)), E'\n' ORDER BY q.place)
            FROM question q WHERE q.relation = b.relation AND q.role IS NOT DISTINCT FROM b.role AND q.place <= 3) AS dearest_questions,
        b.relation, b.role
    FROM dp.budgets b LEFT JOIN week w ON w.relation = b.relation AND w.role IS NOT DISTINCT FROM b.role;
COMMENT ON VIEW dp.pace IS
    'dp.budgets for people to look at: what is left, in percent too, what was spent today and in the last 7 days, in how many charges, how many '
    'days what is left lasts if it goes on so (NULL: nothing was spent; of Rényi accounts by the mean epsilon of these charges), when a budget for '
    'a period begins anew, and the three questions that cost most in these days, as epsilon, number of charges and text. role NULL: the table as '
    'a whole, for its curators';
GRANT SELECT ON dp.pace TO PUBLIC;

-- A schema is the database's own: tools are shown the panel where a curator wants it, and nothing of anybody else's is replaced.
CREATE FUNCTION dp.expose_budget(in_schema name DEFAULT 'bi') RETURNS regclass
    LANGUAGE plpgsql VOLATILE STRICT SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    exposed text := format('%I.budget', in_schema);
    there oid := to_regclass(exposed);
    line record;
BEGIN
    IF there IS NOT NULL AND NOT EXISTS (SELECT FROM pg_rewrite r JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
            WHERE r.ev_class = there AND d.refclassid = 'pg_class'::regclass AND d.refobjid = 'dp.pace'::regclass) THEN
        RAISE EXCEPTION '% is there already, and shows something else', exposed USING ERRCODE = 'duplicate_table',
            HINT = 'Choose another schema: SELECT dp.expose_budget(''panels'');';
    END IF;
    EXECUTE format('CREATE SCHEMA IF NOT EXISTS %I', in_schema);
    EXECUTE format('CREATE OR REPLACE VIEW %s WITH (security_invoker = true) AS SELECT * FROM dp.pace', exposed);
    EXECUTE format('COMMENT ON VIEW %s IS %L', exposed, 'what is left of budgets, and how long it lasts: your own, for curators all of their tables');
    EXECUTE format('GRANT SELECT ON %s TO PUBLIC', exposed);
    FOR line IN SELECT DISTINCT b.role FROM dp.budgets b WHERE b.role IS NOT NULL LOOP
        EXECUTE format('GRANT USAGE ON SCHEMA %I TO %s', in_schema, line.role);
    END LOOP;
    RETURN exposed::regclass;
END
$$;
COMMENT ON FUNCTION dp.expose_budget(name) IS
    'makes the view "budget" in a schema that tools list, which shows dp.pace to whoever asks: each role its own accounts, curators all of '
    'their tables; roles with an account may use the schema. What has that name already is not replaced';
