-- dp_cumulative: how many rows lie below each edge of many buckets, from one release (src/core/accumulate/prefix_sums.h), and what that
-- says (src/core/planning/curve.h).

CREATE TYPE dp_cumulative AS (lower float8, upper float8, counts bigint[], tree integer, noise float8);
COMMENT ON TYPE dp_cumulative IS
    'rows below the end of each bucket, with the bounds, how they were released (0: by a square root, with Gaussian noise; else by a '
    'tree of so many branches) and the standard deviation of the noise of each number of that';

CREATE FUNCTION dp_internal.dp_cumulative_add(internal, float8, float8, float8, integer, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_cumulative_add(internal, float8, float8, float8, integer, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_cumulative_answer(internal) RETURNS dp_cumulative
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';

CREATE AGGREGATE dp_cumulative(value float8, lower float8, upper float8, buckets integer, epsilon float8) (
    SFUNC = dp_internal.dp_cumulative_add, STYPE = internal, SSPACE = 2064, FINALFUNC = dp_internal.dp_cumulative_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_cumulative(float8, float8, float8, integer, float8) IS
    'private numbers of rows below the ends of buckets of equal width, values clamped to lower .. upper: ranges and quantiles from one answer';

CREATE AGGREGATE dp_cumulative(value float8, lower float8, upper float8, buckets integer, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_cumulative_add, STYPE = internal, SSPACE = 2064, FINALFUNC = dp_internal.dp_cumulative_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_cumulative(float8, float8, float8, integer, float8, dp_mechanism) IS
    'private numbers of rows below the ends of buckets of equal width, values clamped to lower .. upper: ranges and quantiles from one answer';

-- What it says. All of this is post-processing, and costs nothing.
CREATE FUNCTION dp_cumulative_count(curve dp_cumulative, value float8) RETURNS bigint
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_cumulative_count(dp_cumulative, float8) IS
    'rows below the value; within a bucket as if its rows were spread evenly; all rows from the upper bound on';

CREATE FUNCTION dp_cumulative_range(curve dp_cumulative, "from" float8, "to" float8) RETURNS bigint
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_cumulative_range(dp_cumulative, float8, float8) IS 'rows from the one value on that lie below the other';

CREATE FUNCTION dp_cumulative_quantile(curve dp_cumulative, fraction float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_cumulative_quantile(dp_cumulative, float8) IS
    'the value below which that part of the rows lies, by counts that rise; NULL where there seem to be no rows';

CREATE FUNCTION dp_cumulative_interval(curve dp_cumulative, fraction float8, confidence float8 DEFAULT 0.95, OUT lower float8, OUT upper float8)
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_cumulative_interval(dp_cumulative, float8, float8) IS
    'ends of buckets between which that quantile lies, with that confidence';

CREATE FUNCTION dp_cumulative_error(curve dp_cumulative, value float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_cumulative_error(dp_cumulative, float8) IS
    'how far the number of rows below the value is off in 95 of 100 cases';

CREATE FUNCTION dp_cumulative_error(curve dp_cumulative, "from" float8, "to" float8, confidence float8 DEFAULT 0.95) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_cumulative_error_of_range';
COMMENT ON FUNCTION dp_cumulative_error(dp_cumulative, float8, float8, float8) IS
    'how far the number of rows between the values is off, with that confidence';

CREATE FUNCTION dp_cumulative_points(
    curve dp_cumulative, confidence float8 DEFAULT 0.95, OUT value float8, OUT count bigint, OUT share float8, OUT error float8)
    RETURNS SETOF record
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_cumulative_points(dp_cumulative, float8) IS
    'the end of each bucket, the rows below it, their part of all rows, and how far the count is off with that confidence';

CREATE FUNCTION dp_cumulative_monotone(curve dp_cumulative) RETURNS dp_cumulative
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_cumulative_monotone(dp_cumulative) IS
    'the same with counts that rise and are not negative: the nearest such ones, by their variances (pool adjacent violators)';
