-- Aggregates of squares.

-- dp_variance: of values clamped to lower .. upper; NULL is passed over, NaN counts as upper.
CREATE AGGREGATE dp_variance(value int2, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_variance_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_variance(int2, float8, float8, float8) IS
    'private sample variance of values, each clamped to lower .. upper; NULL does not count';

CREATE AGGREGATE dp_variance(value int2, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_variance_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_variance(int2, float8, float8, float8, dp_mechanism) IS
    'private sample variance of values, each clamped to lower .. upper; NULL does not count';

CREATE AGGREGATE dp_variance(value int4, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_variance_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_variance(int4, float8, float8, float8) IS
    'private sample variance of values, each clamped to lower .. upper; NULL does not count';

CREATE AGGREGATE dp_variance(value int4, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_variance_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_variance(int4, float8, float8, float8, dp_mechanism) IS
    'private sample variance of values, each clamped to lower .. upper; NULL does not count';

CREATE AGGREGATE dp_variance(value int8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_variance_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_variance(int8, float8, float8, float8) IS
    'private sample variance of values, each clamped to lower .. upper; NULL does not count';

CREATE AGGREGATE dp_variance(value int8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_variance_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_variance(int8, float8, float8, float8, dp_mechanism) IS
    'private sample variance of values, each clamped to lower .. upper; NULL does not count';

CREATE AGGREGATE dp_variance(value float8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_variance_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_variance(float8, float8, float8, float8) IS
    'private sample variance of values, each clamped to lower .. upper; NULL does not count';

CREATE AGGREGATE dp_variance(value float8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_variance_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_variance(float8, float8, float8, float8, dp_mechanism) IS
    'private sample variance of values, each clamped to lower .. upper; NULL does not count';

CREATE AGGREGATE dp_variance(value numeric, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_variance_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_variance(numeric, float8, float8, float8) IS
    'private sample variance of values, each clamped to lower .. upper; NULL does not count';

CREATE AGGREGATE dp_variance(value numeric, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_variance_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_variance(numeric, float8, float8, float8, dp_mechanism) IS
    'private sample variance of values, each clamped to lower .. upper; NULL does not count';

-- dp_stddev: of values clamped to lower .. upper; NULL is passed over, NaN counts as upper.
CREATE AGGREGATE dp_stddev(value int2, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_stddev_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_stddev(int2, float8, float8, float8) IS
    'private sample standard deviation of values, each clamped to lower .. upper; NULL does not count';

CREATE AGGREGATE dp_stddev(value int2, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_stddev_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_stddev(int2, float8, float8, float8, dp_mechanism) IS
    'private sample standard deviation of values, each clamped to lower .. upper; NULL does not count';

CREATE AGGREGATE dp_stddev(value int4, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_stddev_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_stddev(int4, float8, float8, float8) IS
    'private sample standard deviation of values, each clamped to lower .. upper; NULL does not count';

CREATE AGGREGATE dp_stddev(value int4, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_stddev_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_stddev(int4, float8, float8, float8, dp_mechanism) IS
    'private sample standard deviation of values, each clamped to lower .. upper; NULL does not count';

CREATE AGGREGATE dp_stddev(value int8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_stddev_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_stddev(int8, float8, float8, float8) IS
    'private sample standard deviation of values, each clamped to lower .. upper; NULL does not count';

CREATE AGGREGATE dp_stddev(value int8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_stddev_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_stddev(int8, float8, float8, float8, dp_mechanism) IS
    'private sample standard deviation of values, each clamped to lower .. upper; NULL does not count';

CREATE AGGREGATE dp_stddev(value float8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_stddev_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_stddev(float8, float8, float8, float8) IS
    'private sample standard deviation of values, each clamped to lower .. upper; NULL does not count';

CREATE AGGREGATE dp_stddev(value float8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_stddev_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_stddev(float8, float8, float8, float8, dp_mechanism) IS
    'private sample standard deviation of values, each clamped to lower .. upper; NULL does not count';

CREATE AGGREGATE dp_stddev(value numeric, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_stddev_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_stddev(numeric, float8, float8, float8) IS
    'private sample standard deviation of values, each clamped to lower .. upper; NULL does not count';

CREATE AGGREGATE dp_stddev(value numeric, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_stddev_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_stddev(numeric, float8, float8, float8, dp_mechanism) IS
    'private sample standard deviation of values, each clamped to lower .. upper; NULL does not count';

-- dp_var_pop, dp_stddev_pop: the same over a population, for values that become float8.
CREATE AGGREGATE dp_var_pop(value float8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_var_pop_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_var_pop(float8, float8, float8, float8) IS
    'private population variance of values, each clamped to lower .. upper; NULL does not count';

CREATE AGGREGATE dp_var_pop(value float8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_var_pop_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_var_pop(float8, float8, float8, float8, dp_mechanism) IS
    'private population variance of values, each clamped to lower .. upper; NULL does not count';

CREATE AGGREGATE dp_stddev_pop(value float8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_stddev_pop_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_stddev_pop(float8, float8, float8, float8) IS
    'private population standard deviation of values, each clamped to lower .. upper; NULL does not count';

CREATE AGGREGATE dp_stddev_pop(value float8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_stddev_pop_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_stddev_pop(float8, float8, float8, float8, dp_mechanism) IS
    'private population standard deviation of values, each clamped to lower .. upper; NULL does not count';
