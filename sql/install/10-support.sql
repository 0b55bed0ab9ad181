-- Support functions of the aggregates. They refuse to run outside them, and 90-grants.sql keeps them from PUBLIC.

CREATE FUNCTION dp_internal.dp_state_combine(internal, internal) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_state_serialize(internal) RETURNS bytea
    LANGUAGE c STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_state_deserialize(bytea, internal) RETURNS internal
    LANGUAGE c STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';

-- dp_count
CREATE FUNCTION dp_internal.dp_count_add(internal) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_count_add(internal, "any") RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_count_add(internal, "any", float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_count_add(internal, "any", float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_count_answer(internal) RETURNS bigint
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';

-- dp_sum: value, lower, upper, epsilon [, mechanism]
CREATE FUNCTION dp_internal.dp_sum_add(internal, int2, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_sum_add(internal, int2, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_sum_add(internal, int4, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_sum_add(internal, int4, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_sum_add(internal, int8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_sum_add(internal, int8, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_sum_add(internal, float8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_sum_add(internal, float8, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_sum_add(internal, numeric, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_sum_add(internal, numeric, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_sum_answer_bigint(internal) RETURNS bigint
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_sum_answer';
CREATE FUNCTION dp_internal.dp_sum_answer_numeric(internal) RETURNS numeric
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_sum_answer';
CREATE FUNCTION dp_internal.dp_sum_answer_float8(internal) RETURNS float8
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_sum_answer';

-- dp_avg: value, lower, upper, epsilon [, mechanism]
CREATE FUNCTION dp_internal.dp_mean_add(internal, int2, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_mean_add(internal, int2, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_mean_add(internal, int4, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_mean_add(internal, int4, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_mean_add(internal, int8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_mean_add(internal, int8, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_mean_add(internal, float8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_mean_add(internal, float8, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_mean_add(internal, numeric, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_mean_add(internal, numeric, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_avg_answer(internal) RETURNS float8
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';

-- dp_variance and dp_stddev: value, lower, upper, epsilon [, mechanism]
CREATE FUNCTION dp_internal.dp_moments_add(internal, int2, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_moments_add(internal, int2, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_moments_add(internal, int4, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_moments_add(internal, int4, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_moments_add(internal, int8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_moments_add(internal, int8, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_moments_add(internal, float8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_moments_add(internal, float8, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_moments_add(internal, numeric, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_moments_add(internal, numeric, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_variance_answer(internal) RETURNS float8
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_stddev_answer(internal) RETURNS float8
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_var_pop_answer(internal) RETURNS float8
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_stddev_pop_answer(internal) RETURNS float8
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';

-- dp_histogram: value, lower, upper, buckets, epsilon [, mechanism]; value, categories, epsilon [, mechanism]
CREATE FUNCTION dp_internal.dp_buckets_add(internal, float8, float8, float8, integer, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_buckets_add(internal, float8, float8, float8, integer, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_categories_add(internal, anycompatible, anycompatiblearray, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_categories_add(internal, anycompatible, anycompatiblearray, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_histogram_answer(internal) RETURNS bigint[]
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';

-- dp_bounds: value, epsilon [, mechanism]
CREATE FUNCTION dp_internal.dp_bounds_add(internal, int2, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_bounds_add(internal, int2, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_bounds_add(internal, int4, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_bounds_add(internal, int4, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_bounds_add(internal, int8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_bounds_add(internal, int8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_bounds_add(internal, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_bounds_add(internal, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_bounds_add(internal, numeric, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_bounds_add(internal, numeric, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_bounds_answer(internal) RETURNS float8[]
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_histogram_answer';
