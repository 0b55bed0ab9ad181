-- Releases: answers that were charged, made more accurate for the price of the difference, or shown to others.

CREATE TYPE dp.released_answer AS (group_key jsonb, aggregate text, answer jsonb, epsilon float8);
COMMENT ON TYPE dp.released_answer IS 'one answer of a release: its group, the name of its aggregate, the answer, and the epsilon it was drawn at';

CREATE FUNCTION dp_last_release() RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL RESTRICTED AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_last_release() IS
    'the number of the release that the last charged statement of this session left; NULL where it left none';

CREATE FUNCTION dp_relax_release(release bigint, epsilon float8, aggregate text DEFAULT NULL) RETURNS SETOF dp.released_answer
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'relax_release';
COMMENT ON FUNCTION dp_relax_release(bigint, float8, text) IS
    'the answers of a release at a larger epsilon, for the price of the difference; aggregate: only that one of them';

CREATE FUNCTION relax_release(release bigint, epsilon float8, aggregate text DEFAULT NULL) RETURNS SETOF dp.released_answer
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION relax_release(bigint, float8, text) IS 'the older name of dp_relax_release';

CREATE FUNCTION dp_answer(release bigint, aggregate text DEFAULT NULL) RETURNS SETOF dp.released_answer
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_answer(bigint, text) IS
    'the answers of a release again, at the most accurate level that the role has paid for; costs nothing';

CREATE TYPE dp.released_error AS (group_key jsonb, aggregate text, answer jsonb, epsilon float8, lower jsonb, upper jsonb);
COMMENT ON TYPE dp.released_error IS 'one answer of a release, with an interval around it that holds the exact one';

CREATE FUNCTION dp_errors(release bigint, confidence float8 DEFAULT 0.95) RETURNS SETOF dp.released_error
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_errors(bigint, float8) IS
    'the answers of a release as dp_answer gives them, each with an interval lower .. upper that holds the exact answer with that '
    'confidence; exact means that of the clamped values of the rows that count. In histograms each bucket has its own, for averages, '
    'variances and deviations it is a little wider than it need be, for dp_bounds there is none. Costs nothing';

CREATE FUNCTION dp_error(answer anyelement, confidence float8 DEFAULT 0.95) RETURNS float8
    LANGUAGE c STABLE PARALLEL RESTRICTED AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_error(anyelement, float8) IS
    'around an aggregate over a protected table, beside it or alone: how far that answer may be off, so that answer - error .. answer + '
    'error holds the exact one with that confidence, as dp_errors says it: SELECT count(*), dp_error(count(*)). The same draw and the same '
    'charge; NULL where the answer tells nothing of its error, as for quantiles and modes';

CREATE FUNCTION dp_rounded(answer numeric, error float8) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN error > 0 AND error < 'Infinity' THEN round(answer, -floor(log(error::numeric))::int) ELSE answer END;
CREATE FUNCTION dp_rounded(answer bigint, error float8) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN answer IS NOT NULL
        THEN least(greatest(dp_rounded(answer::numeric, error), -9223372036854775808), 9223372036854775807)::bigint END;
CREATE FUNCTION dp_rounded(answer float8, error float8) RETURNS float8 LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN dp_rounded(answer::numeric, error)::float8;
COMMENT ON FUNCTION dp_rounded(numeric, float8) IS
    'an answer rounded to the first digit of its error: dp_rounded(sum(cost), dp_error(sum(cost))) is 1235000 of 1234567 where the error '
    'is 2345; as it is where the error is NULL, 0 or infinite. SET dp.round = on does so for all that a statement shows';
COMMENT ON FUNCTION dp_rounded(bigint, float8) IS 'the same of whole numbers';
COMMENT ON FUNCTION dp_rounded(float8, float8) IS 'the same of floating-point numbers';

CREATE FUNCTION dp_internal.stands_out(answer float8, error float8) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN answer IS NOT NULL AND coalesce(abs(answer) > error, true);
COMMENT ON FUNCTION dp_internal.stands_out(float8, float8) IS 'whether an answer is more than its error, or has none that is known';

CREATE FUNCTION dp_bias(answer anyelement) RETURNS float8
    LANGUAGE c STABLE PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_error';
COMMENT ON FUNCTION dp_bias(anyelement) IS
    'around a count or a sum over a protected table, as dp_error: about how much of it is missing because rows of a privacy unit beyond '
    'its limit do not count, where that limit was chosen privately (no limit is declared), from the noisy counts by which it was chosen; 0 where a unit has one row; NULL where '
    'it is not known: declared limits (see dp.limit_quality), averages, sums of both signs, answers that are shown again. The same draw '
    'and the same charge';

CREATE FUNCTION dp.share_release(release bigint, role regrole, epsilon float8, aggregate text DEFAULT NULL) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_share_release';
COMMENT ON FUNCTION dp.share_release(bigint, regrole, float8, text) IS
    'lets a role read a release by dp_answer at that epsilon, which its account pays; the table pays only what nobody has paid yet';

CREATE FUNCTION dp.forget_releases(older_than interval) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_forget_releases';
COMMENT ON FUNCTION dp.forget_releases(interval) IS
    'deletes the releases on the curator''s tables that are older, and says how many: they cannot be read or relaxed any more; what '
    'was charged for them stays in the ledger';

CREATE FUNCTION dp.forget_answers(relation regclass) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_forget_answers';
COMMENT ON FUNCTION dp.forget_answers(regclass) IS
    'deletes the stored answers on a table, and says how many: the next question is asked anew; what was charged stays';

CREATE FUNCTION dp_internal.read_reuse(OUT shown_at timestamptz, OUT role regrole, OUT relation regclass, OUT epsilon numeric,
    OUT application_name text, OUT query text) RETURNS SETOF record
    LANGUAGE c VOLATILE PARALLEL RESTRICTED ROWS 1000 AS 'MODULE_PATHNAME', 'dp_read_reuse';

CREATE VIEW dp.reuse AS
    SELECT shown_at, role, relation, epsilon, application_name, query, relation::text AS table_name, pg_get_userbyid(role)::text AS role_name
    FROM dp_internal.read_reuse();
COMMENT ON VIEW dp.reuse IS
    'answers that were shown again, at epsilon 0: to the role itself, for curators all of their tables; of one answer to one role once a minute at '
    'most, and as long as it is stored';
GRANT SELECT ON dp.reuse TO PUBLIC;

CREATE VIEW dp.ledger AS
    SELECT seq, charged_at, role, relation, kind, epsilon, delta, table_epsilon, table_delta, release_id, query, NULL::text AS application_name,
        relation::text AS table_name, pg_get_userbyid(role)::text AS role_name, losses, table_losses
    FROM dp_internal.read_ledger()
    UNION ALL
    SELECT 0, shown_at, role, relation, 'reuse', epsilon, 0, 0, 0, NULL, query, application_name,
        relation::text, pg_get_userbyid(role)::text, NULL, NULL FROM dp_internal.read_reuse();
COMMENT ON VIEW dp.ledger IS
    'what was charged: epsilon and delta to the account of the role, table_epsilon and table_delta to the table as a whole; with the '
    'number 0 and kind reuse what was shown again for nothing, as dp.reuse has it, and in which application';
GRANT SELECT ON dp.ledger TO PUBLIC;

CREATE FUNCTION dp.retain_releases(relation regclass, max_age interval DEFAULT NULL, max_numbers bigint DEFAULT NULL) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_retain_releases';
COMMENT ON FUNCTION dp.retain_releases(regclass, interval, bigint) IS
    'says how old the releases on a table get, and how many noisy numbers of them are stored (32 bytes each): the oldest ones '
    'beyond that are deleted now and then, or at once by dp.forget_releases(); without limits all are kept';

CREATE FUNCTION dp.forget_releases() RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_forget_expired';
COMMENT ON FUNCTION dp.forget_releases() IS
    'deletes what dp.retain_releases says on the curator''s tables, the oldest first, and says how many releases there were';

CREATE FUNCTION dp_internal.read_releases(OUT release_id bigint, OUT made_at timestamptz, OUT role regrole, OUT relation regclass,
    OUT aggregate text, OUT mechanism text, OUT epsilon numeric, OUT groups bigint, OUT query text) RETURNS SETOF record
    LANGUAGE c VOLATILE PARALLEL RESTRICTED ROWS 100 AS 'MODULE_PATHNAME', 'dp_read_releases';

CREATE FUNCTION dp.release_of(release bigint, OUT release_id bigint, OUT made_at timestamptz, OUT role regrole, OUT relation regclass,
    OUT aggregate text, OUT mechanism text, OUT epsilon numeric, OUT groups bigint, OUT query text) RETURNS SETOF record
    LANGUAGE c VOLATILE PARALLEL RESTRICTED ROWS 5 AS 'MODULE_PATHNAME', 'dp_release_of';
COMMENT ON FUNCTION dp.release_of(bigint) IS 'the rows of dp.releases of one release, without reading the others';

CREATE VIEW dp.releases AS
    SELECT release_id, made_at, role, relation, aggregate, mechanism, epsilon, groups, query, relation::text AS table_name,
        pg_get_userbyid(role)::text AS role_name
    FROM dp_internal.read_releases();
COMMENT ON VIEW dp.releases IS
    'stored answers: a role''s own and those shared with it, for curators all of their tables; epsilon: the finest level that it '
    '(for curators: anyone) has paid for, NULL where the mechanism has no levels';
GRANT SELECT ON dp.releases TO PUBLIC;
