-- Vectors: several answers about the values of one column from one noisy vector, at the price of one answer
-- (src/core/accumulate/vector.h).

CREATE TYPE dp_totals AS (
    "rows" bigint, count bigint, sum numeric, avg float8, rows_error float8, count_error float8, sum_error float8, avg_error
    float8);
COMMENT ON TYPE dp_totals IS
    'private answers from one vector: rows, values that are not NULL, their sum and average, and how far off each is in 95 of 100 cases';

CREATE TYPE dp_moments AS (
    "rows" bigint, count bigint, sum numeric, avg float8, variance float8, stddev float8, var_pop float8, stddev_pop float8,
    rows_error float8, count_error float8, sum_error float8, avg_error float8, variance_error float8, stddev_error float8,
    var_pop_error float8, stddev_pop_error float8);
COMMENT ON TYPE dp_moments IS
    'private answers from one vector: those of dp_totals, and variance, stddev, var_pop and stddev_pop';

-- dp_totals: value, lower, upper, epsilon [, mechanism]
CREATE FUNCTION dp_internal.dp_totals_add(internal, int2, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_totals_add(internal, int2, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_totals_add(internal, int4, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_totals_add(internal, int4, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_totals_add(internal, int8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_totals_add(internal, int8, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_totals_add(internal, float8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_totals_add(internal, float8, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_totals_add(internal, numeric, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_totals_add(internal, numeric, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_totals_answer(internal) RETURNS dp_totals
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';

CREATE AGGREGATE dp_totals(value int2, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_totals_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_totals_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_totals(int2, float8, float8, float8) IS
    'private rows (count(*)), count, sum and avg of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

CREATE AGGREGATE dp_totals(value int2, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_totals_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_totals_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_totals(int2, float8, float8, float8, dp_mechanism) IS
    'private rows (count(*)), count, sum and avg of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

CREATE AGGREGATE dp_totals(value int4, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_totals_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_totals_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_totals(int4, float8, float8, float8) IS
    'private rows (count(*)), count, sum and avg of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

CREATE AGGREGATE dp_totals(value int4, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_totals_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_totals_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_totals(int4, float8, float8, float8, dp_mechanism) IS
    'private rows (count(*)), count, sum and avg of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

CREATE AGGREGATE dp_totals(value int8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_totals_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_totals_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_totals(int8, float8, float8, float8) IS
    'private rows (count(*)), count, sum and avg of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

CREATE AGGREGATE dp_totals(value int8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_totals_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_totals_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_totals(int8, float8, float8, float8, dp_mechanism) IS
    'private rows (count(*)), count, sum and avg of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

CREATE AGGREGATE dp_totals(value float8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_totals_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_totals_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_totals(float8, float8, float8, float8) IS
    'private rows (count(*)), count, sum and avg of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

CREATE AGGREGATE dp_totals(value float8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_totals_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_totals_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_totals(float8, float8, float8, float8, dp_mechanism) IS
    'private rows (count(*)), count, sum and avg of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

CREATE AGGREGATE dp_totals(value numeric, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_totals_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_totals_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_totals(numeric, float8, float8, float8) IS
    'private rows (count(*)), count, sum and avg of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

CREATE AGGREGATE dp_totals(value numeric, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_totals_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_totals_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_totals(numeric, float8, float8, float8, dp_mechanism) IS
    'private rows (count(*)), count, sum and avg of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

-- dp_moments: value, lower, upper, epsilon [, mechanism]
CREATE FUNCTION dp_internal.dp_allmoments_add(internal, int2, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_allmoments_add(internal, int2, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_allmoments_add(internal, int4, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_allmoments_add(internal, int4, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_allmoments_add(internal, int8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_allmoments_add(internal, int8, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_allmoments_add(internal, float8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_allmoments_add(internal, float8, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_allmoments_add(internal, numeric, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_allmoments_add(internal, numeric, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_allmoments_answer(internal) RETURNS dp_moments
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';

CREATE AGGREGATE dp_moments(value int2, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_allmoments_add, STYPE = internal, SSPACE = 64, FINALFUNC = dp_internal.dp_allmoments_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_moments(int2, float8, float8, float8) IS
    'private rows (count(*)), count, sum, avg, variance, stddev, var_pop and stddev_pop of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

CREATE AGGREGATE dp_moments(value int2, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_allmoments_add, STYPE = internal, SSPACE = 64, FINALFUNC = dp_internal.dp_allmoments_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_moments(int2, float8, float8, float8, dp_mechanism) IS
    'private rows (count(*)), count, sum, avg, variance, stddev, var_pop and stddev_pop of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

CREATE AGGREGATE dp_moments(value int4, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_allmoments_add, STYPE = internal, SSPACE = 64, FINALFUNC = dp_internal.dp_allmoments_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_moments(int4, float8, float8, float8) IS
    'private rows (count(*)), count, sum, avg, variance, stddev, var_pop and stddev_pop of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

CREATE AGGREGATE dp_moments(value int4, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_allmoments_add, STYPE = internal, SSPACE = 64, FINALFUNC = dp_internal.dp_allmoments_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_moments(int4, float8, float8, float8, dp_mechanism) IS
    'private rows (count(*)), count, sum, avg, variance, stddev, var_pop and stddev_pop of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

CREATE AGGREGATE dp_moments(value int8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_allmoments_add, STYPE = internal, SSPACE = 64, FINALFUNC = dp_internal.dp_allmoments_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_moments(int8, float8, float8, float8) IS
    'private rows (count(*)), count, sum, avg, variance, stddev, var_pop and stddev_pop of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

CREATE AGGREGATE dp_moments(value int8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_allmoments_add, STYPE = internal, SSPACE = 64, FINALFUNC = dp_internal.dp_allmoments_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_moments(int8, float8, float8, float8, dp_mechanism) IS
    'private rows (count(*)), count, sum, avg, variance, stddev, var_pop and stddev_pop of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

CREATE AGGREGATE dp_moments(value float8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_allmoments_add, STYPE = internal, SSPACE = 64, FINALFUNC = dp_internal.dp_allmoments_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_moments(float8, float8, float8, float8) IS
    'private rows (count(*)), count, sum, avg, variance, stddev, var_pop and stddev_pop of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

CREATE AGGREGATE dp_moments(value float8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_allmoments_add, STYPE = internal, SSPACE = 64, FINALFUNC = dp_internal.dp_allmoments_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_moments(float8, float8, float8, float8, dp_mechanism) IS
    'private rows (count(*)), count, sum, avg, variance, stddev, var_pop and stddev_pop of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

CREATE AGGREGATE dp_moments(value numeric, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_allmoments_add, STYPE = internal, SSPACE = 64, FINALFUNC = dp_internal.dp_allmoments_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_moments(numeric, float8, float8, float8) IS
    'private rows (count(*)), count, sum, avg, variance, stddev, var_pop and stddev_pop of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

CREATE AGGREGATE dp_moments(value numeric, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_allmoments_add, STYPE = internal, SSPACE = 64, FINALFUNC = dp_internal.dp_allmoments_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_moments(numeric, float8, float8, float8, dp_mechanism) IS
    'private rows (count(*)), count, sum, avg, variance, stddev, var_pop and stddev_pop of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';
