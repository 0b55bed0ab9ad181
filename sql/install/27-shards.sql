-- Rows of several servers (src/aggregate/call/shard_aggregates.h, src/guard/unit_limit/over_shards.h): each server makes a part of its rows, which
-- another one adds up. What makes a part may be called by itself, by whoever may read the rows; what adds up and draws noise refuses.

CREATE FUNCTION dp_internal.dp_shard_part_add(internal, VARIADIC "any") RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_shard_part_answer(internal) RETURNS bytea
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_shard_total_add(internal, VARIADIC "any") RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';

CREATE AGGREGATE dp_internal.shard_part(VARIADIC "any") (
    SFUNC = dp_internal.dp_shard_part_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_shard_part_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_internal.shard_part("any") IS
    'the rows that one server has of a group, for an aggregate of private queries of another server';

-- Where they are on several, each makes a part of the rows that it has of the unit: the state of these together, which is limited here.
CREATE AGGREGATE dp_internal.unit_of_parts(VARIADIC "any") (
    SFUNC = dp_internal.dp_shard_total_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_part_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.unit_of_parts("any") IS
    'the rows of one privacy unit in one group from parts of several servers, for an aggregate of private queries';

-- Where all rows of a privacy unit are on one server, that one limits them. It keeps all units in one process.
CREATE FUNCTION dp_internal.dp_shard_units_answer(internal) RETURNS bytea
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE AGGREGATE dp_internal.shard_units(VARIADIC "any") (
    SFUNC = dp_internal.dp_units_add, STYPE = internal, FINALFUNC = dp_internal.dp_shard_units_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.shard_units("any") IS
    'what counts of the privacy units whose rows one server has, for an aggregate of private queries of another server';
CREATE FUNCTION dp_internal.in_hash_part(modulus integer, remainder integer, value anyelement) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_in_hash_part';
COMMENT ON FUNCTION dp_internal.in_hash_part(integer, integer, anyelement) IS
    'whether a row with that value belongs to that partition of a table which is partitioned by its hash';

CREATE FUNCTION dp_internal.dp_shard_total_answer_bigint(internal) RETURNS bigint
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_shard_total_answer';
CREATE AGGREGATE dp_internal.shard_bigint(VARIADIC "any") (
    SFUNC = dp_internal.dp_shard_total_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_shard_total_answer_bigint,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.shard_bigint("any") IS 'the private answer from parts of several servers';

CREATE FUNCTION dp_internal.dp_shard_total_answer_numeric(internal) RETURNS numeric
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_shard_total_answer';
CREATE AGGREGATE dp_internal.shard_numeric(VARIADIC "any") (
    SFUNC = dp_internal.dp_shard_total_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_shard_total_answer_numeric,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.shard_numeric("any") IS 'the private answer from parts of several servers';

CREATE FUNCTION dp_internal.dp_shard_total_answer_float8(internal) RETURNS float8
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_shard_total_answer';
CREATE AGGREGATE dp_internal.shard_float8(VARIADIC "any") (
    SFUNC = dp_internal.dp_shard_total_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_shard_total_answer_float8,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.shard_float8("any") IS 'the private answer from parts of several servers';

CREATE FUNCTION dp_internal.dp_shard_total_answer_bigints(internal) RETURNS bigint[]
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_shard_total_answer';
CREATE AGGREGATE dp_internal.shard_bigints(VARIADIC "any") (
    SFUNC = dp_internal.dp_shard_total_add, STYPE = internal, FINALFUNC = dp_internal.dp_shard_total_answer_bigints,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.shard_bigints("any") IS 'the private answer from parts of several servers';

CREATE FUNCTION dp_internal.dp_shard_total_answer_float8s(internal) RETURNS float8[]
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_shard_total_answer';
CREATE AGGREGATE dp_internal.shard_float8s(VARIADIC "any") (
    SFUNC = dp_internal.dp_shard_total_add, STYPE = internal, FINALFUNC = dp_internal.dp_shard_total_answer_float8s,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.shard_float8s("any") IS 'the private answer from parts of several servers';

CREATE FUNCTION dp_internal.dp_shard_total_answer_totals(internal) RETURNS dp_totals
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_shard_total_answer';
CREATE AGGREGATE dp_internal.shard_totals(VARIADIC "any") (
    SFUNC = dp_internal.dp_shard_total_add, STYPE = internal, SSPACE = 64, FINALFUNC = dp_internal.dp_shard_total_answer_totals,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.shard_totals("any") IS 'the private answer from parts of several servers';

CREATE FUNCTION dp_internal.dp_shard_total_answer_moments(internal) RETURNS dp_moments
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_shard_total_answer';
CREATE AGGREGATE dp_internal.shard_moments(VARIADIC "any") (
    SFUNC = dp_internal.dp_shard_total_add, STYPE = internal, SSPACE = 64, FINALFUNC = dp_internal.dp_shard_total_answer_moments,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.shard_moments("any") IS 'the private answer from parts of several servers';

CREATE FUNCTION dp_internal.dp_shard_total_answer_cumulative(internal) RETURNS dp_cumulative
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_shard_total_answer';
CREATE AGGREGATE dp_internal.shard_cumulative(VARIADIC "any") (
    SFUNC = dp_internal.dp_shard_total_add, STYPE = internal, FINALFUNC = dp_internal.dp_shard_total_answer_cumulative,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.shard_cumulative("any") IS 'the private answer from parts of several servers';

-- The same by groups that the other server sends (src/aggregate/call/shard_groups.h).
CREATE FUNCTION dp_internal.dp_shard_row_answer(internal) RETURNS bigint
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_shard_groups_answer(internal) RETURNS bytea
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_shard_groups_add(internal, VARIADIC "any") RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE AGGREGATE dp_internal.shard_row(anyelement, VARIADIC "any") (
    SFUNC = dp_internal.dp_units_row_add, STYPE = internal, FINALFUNC = dp_internal.dp_shard_row_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.shard_row(anyelement, "any") IS
    'finds the privacy unit and the group of a row, among the groups that another server has sent';
CREATE AGGREGATE dp_internal.shard_groups(VARIADIC "any") (
    SFUNC = dp_internal.dp_groups_add, STYPE = internal, FINALFUNC = dp_internal.dp_shard_groups_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.shard_groups("any") IS
    'what counts in each group of the privacy units whose rows one server has, for an aggregate of private queries of another server';

CREATE AGGREGATE dp_internal.shard_groups_bigint(VARIADIC "any") (
    SFUNC = dp_internal.dp_shard_groups_add, STYPE = internal, FINALFUNC = dp_internal.dp_groups_answer_bigint,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.shard_groups_bigint("any") IS 'the private answers of known groups from parts of several servers';

CREATE AGGREGATE dp_internal.shard_groups_bigints(VARIADIC "any") (
    SFUNC = dp_internal.dp_shard_groups_add, STYPE = internal, FINALFUNC = dp_internal.dp_groups_answer_bigints,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.shard_groups_bigints("any") IS 'the private answers of known groups from parts of several servers';

CREATE AGGREGATE dp_internal.shard_groups_numeric(VARIADIC "any") (
    SFUNC = dp_internal.dp_shard_groups_add, STYPE = internal, FINALFUNC = dp_internal.dp_groups_answer_numeric,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.shard_groups_numeric("any") IS 'the private answers of known groups from parts of several servers';

CREATE AGGREGATE dp_internal.shard_groups_float8(VARIADIC "any") (
    SFUNC = dp_internal.dp_shard_groups_add, STYPE = internal, FINALFUNC = dp_internal.dp_groups_answer_float8,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.shard_groups_float8("any") IS 'the private answers of known groups from parts of several servers';

CREATE AGGREGATE dp_internal.shard_groups_totals(VARIADIC "any") (
    SFUNC = dp_internal.dp_shard_groups_add, STYPE = internal, FINALFUNC = dp_internal.dp_groups_answer_totals,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.shard_groups_totals("any") IS 'the private answers of known groups from parts of several servers';

CREATE AGGREGATE dp_internal.shard_groups_moments(VARIADIC "any") (
    SFUNC = dp_internal.dp_shard_groups_add, STYPE = internal, FINALFUNC = dp_internal.dp_groups_answer_moments,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.shard_groups_moments("any") IS 'the private answers of known groups from parts of several servers';

-- The same of pairs (25-pairs.sql).
DO $$
DECLARE
    kind text;
BEGIN
    FOREACH kind IN ARRAY ARRAY['covariance', 'regression'] LOOP
        EXECUTE format('CREATE FUNCTION dp_internal.dp_shard_total_answer_%1$s(internal) RETURNS dp_%1$s LANGUAGE c PARALLEL SAFE AS %2$L, %3$L',
            kind, 'MODULE_PATHNAME', 'dp_shard_total_answer');
        EXECUTE format('CREATE AGGREGATE dp_internal.shard_%1$s(VARIADIC "any") (SFUNC = dp_internal.dp_shard_total_add, STYPE = internal, SSPACE = %2$s, '
            'FINALFUNC = dp_internal.dp_shard_total_answer_%1$s, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED)', kind, CASE kind WHEN 'covariance' THEN 96 ELSE 176 END);
        EXECUTE format('CREATE AGGREGATE dp_internal.shard_groups_%1$s(VARIADIC "any") (SFUNC = dp_internal.dp_shard_groups_add, STYPE = internal, '
            'FINALFUNC = dp_internal.dp_groups_answer_%1$s, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED)', kind);
        EXECUTE format('COMMENT ON AGGREGATE dp_internal.shard_%s("any") IS %L', kind, 'the private answer from parts of several servers');
        EXECUTE format('COMMENT ON AGGREGATE dp_internal.shard_groups_%s("any") IS %L', kind, 'the private answers of known groups from parts of several servers');
    END LOOP;
END
$$;
