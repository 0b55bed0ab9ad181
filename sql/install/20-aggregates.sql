-- The aggregates. PostgreSQL gives them no named or default arguments, so the mechanism is an overload; left out, it is auto.
-- Only the value is typed, bounds and epsilon are float8 everywhere, so that literals of every kind resolve.
-- SSPACE is the size of the state (src/core/accumulate/state.cpp checks it), from which the planner sizes hash tables.
-- FINALFUNC_MODIFY = READ_WRITE makes PostgreSQL refuse OVER (...): a window would draw more answers than are charged.

-- dp_count: rows, or values that are not NULL.
CREATE AGGREGATE dp_count(*) (
    SFUNC = dp_count_add, STYPE = internal, SSPACE = 16, FINALFUNC = dp_count_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_count(*) IS 'private number of rows, epsilon from the setting dp.epsilon';

CREATE AGGREGATE dp_count("any") (
    SFUNC = dp_count_add, STYPE = internal, SSPACE = 16, FINALFUNC = dp_count_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_count("any") IS 'private number of values that are not NULL, epsilon from the setting dp.epsilon';

CREATE AGGREGATE dp_count("any", float8) (
    SFUNC = dp_count_add, STYPE = internal, SSPACE = 16, FINALFUNC = dp_count_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_count("any", float8) IS 'private number of values that are not NULL (value, epsilon)';

CREATE AGGREGATE dp_count("any", float8, dp_mechanism) (
    SFUNC = dp_count_add, STYPE = internal, SSPACE = 16, FINALFUNC = dp_count_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_count("any", float8, dp_mechanism) IS 'private number of values that are not NULL (value, epsilon, mechanism)';

-- dp_sum: of values clamped to lower .. upper; NULL is passed over, NaN counts as upper.
CREATE AGGREGATE dp_sum(int2, float8, float8, float8) (
    SFUNC = dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_sum_answer_bigint, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_sum(int2, float8, float8, float8) IS 'private sum (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_sum(int2, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_sum_answer_bigint, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_sum(int2, float8, float8, float8, dp_mechanism) IS 'private sum (value, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_sum(int4, float8, float8, float8) (
    SFUNC = dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_sum_answer_bigint, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_sum(int4, float8, float8, float8) IS 'private sum (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_sum(int4, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_sum_answer_bigint, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_sum(int4, float8, float8, float8, dp_mechanism) IS 'private sum (value, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_sum(int8, float8, float8, float8) (
    SFUNC = dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_sum_answer_numeric, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_sum(int8, float8, float8, float8) IS 'private sum (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_sum(int8, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_sum_answer_numeric, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_sum(int8, float8, float8, float8, dp_mechanism) IS 'private sum (value, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_sum(float8, float8, float8, float8) (
    SFUNC = dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_sum_answer_float8, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_sum(float8, float8, float8, float8) IS 'private sum (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_sum(float8, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_sum_answer_float8, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_sum(float8, float8, float8, float8, dp_mechanism) IS 'private sum (value, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_sum(numeric, float8, float8, float8) (
    SFUNC = dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_sum_answer_numeric, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_sum(numeric, float8, float8, float8) IS 'private sum (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_sum(numeric, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_sum_answer_numeric, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_sum(numeric, float8, float8, float8, dp_mechanism) IS 'private sum (value, lower, upper, epsilon, mechanism)';

-- dp_avg: of values clamped to lower .. upper; NULL is passed over, NaN counts as upper.
CREATE AGGREGATE dp_avg(int2, float8, float8, float8) (
    SFUNC = dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_avg_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_avg(int2, float8, float8, float8) IS 'private mean (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_avg(int2, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_avg_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_avg(int2, float8, float8, float8, dp_mechanism) IS 'private mean (value, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_avg(int4, float8, float8, float8) (
    SFUNC = dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_avg_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_avg(int4, float8, float8, float8) IS 'private mean (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_avg(int4, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_avg_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_avg(int4, float8, float8, float8, dp_mechanism) IS 'private mean (value, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_avg(int8, float8, float8, float8) (
    SFUNC = dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_avg_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_avg(int8, float8, float8, float8) IS 'private mean (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_avg(int8, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_avg_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_avg(int8, float8, float8, float8, dp_mechanism) IS 'private mean (value, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_avg(float8, float8, float8, float8) (
    SFUNC = dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_avg_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_avg(float8, float8, float8, float8) IS 'private mean (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_avg(float8, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_avg_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_avg(float8, float8, float8, float8, dp_mechanism) IS 'private mean (value, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_avg(numeric, float8, float8, float8) (
    SFUNC = dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_avg_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_avg(numeric, float8, float8, float8) IS 'private mean (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_avg(numeric, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_avg_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_avg(numeric, float8, float8, float8, dp_mechanism) IS 'private mean (value, lower, upper, epsilon, mechanism)';

-- dp_variance: of values clamped to lower .. upper; NULL is passed over, NaN counts as upper.
CREATE AGGREGATE dp_variance(int2, float8, float8, float8) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_variance_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_variance(int2, float8, float8, float8) IS 'private sample variance (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_variance(int2, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_variance_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_variance(int2, float8, float8, float8, dp_mechanism) IS 'private sample variance (value, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_variance(int4, float8, float8, float8) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_variance_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_variance(int4, float8, float8, float8) IS 'private sample variance (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_variance(int4, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_variance_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_variance(int4, float8, float8, float8, dp_mechanism) IS 'private sample variance (value, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_variance(int8, float8, float8, float8) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_variance_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_variance(int8, float8, float8, float8) IS 'private sample variance (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_variance(int8, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_variance_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_variance(int8, float8, float8, float8, dp_mechanism) IS 'private sample variance (value, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_variance(float8, float8, float8, float8) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_variance_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_variance(float8, float8, float8, float8) IS 'private sample variance (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_variance(float8, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_variance_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_variance(float8, float8, float8, float8, dp_mechanism) IS 'private sample variance (value, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_variance(numeric, float8, float8, float8) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_variance_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_variance(numeric, float8, float8, float8) IS 'private sample variance (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_variance(numeric, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_variance_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_variance(numeric, float8, float8, float8, dp_mechanism) IS 'private sample variance (value, lower, upper, epsilon, mechanism)';

-- dp_stddev: of values clamped to lower .. upper; NULL is passed over, NaN counts as upper.
CREATE AGGREGATE dp_stddev(int2, float8, float8, float8) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_stddev_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_stddev(int2, float8, float8, float8) IS 'private sample standard deviation (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_stddev(int2, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_stddev_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_stddev(int2, float8, float8, float8, dp_mechanism) IS 'private sample standard deviation (value, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_stddev(int4, float8, float8, float8) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_stddev_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_stddev(int4, float8, float8, float8) IS 'private sample standard deviation (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_stddev(int4, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_stddev_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_stddev(int4, float8, float8, float8, dp_mechanism) IS 'private sample standard deviation (value, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_stddev(int8, float8, float8, float8) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_stddev_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_stddev(int8, float8, float8, float8) IS 'private sample standard deviation (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_stddev(int8, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_stddev_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_stddev(int8, float8, float8, float8, dp_mechanism) IS 'private sample standard deviation (value, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_stddev(float8, float8, float8, float8) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_stddev_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_stddev(float8, float8, float8, float8) IS 'private sample standard deviation (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_stddev(float8, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_stddev_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_stddev(float8, float8, float8, float8, dp_mechanism) IS 'private sample standard deviation (value, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_stddev(numeric, float8, float8, float8) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_stddev_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_stddev(numeric, float8, float8, float8) IS 'private sample standard deviation (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_stddev(numeric, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_stddev_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_stddev(numeric, float8, float8, float8, dp_mechanism) IS 'private sample standard deviation (value, lower, upper, epsilon, mechanism)';

-- dp_histogram: counts of equal-width buckets, the last closed on the right, or of listed categories, in their order.
CREATE AGGREGATE dp_histogram(float8, float8, float8, integer, float8) (
    SFUNC = dp_buckets_add, STYPE = internal, SSPACE = 256, FINALFUNC = dp_histogram_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_histogram(float8, float8, float8, integer, float8) IS 'private counts of equal-width buckets (value, lower, upper, buckets, epsilon)';

CREATE AGGREGATE dp_histogram(float8, float8, float8, integer, float8, dp_mechanism) (
    SFUNC = dp_buckets_add, STYPE = internal, SSPACE = 256, FINALFUNC = dp_histogram_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_histogram(float8, float8, float8, integer, float8, dp_mechanism) IS 'private counts of equal-width buckets (value, lower, upper, buckets, epsilon, mechanism)';

CREATE AGGREGATE dp_histogram(anycompatible, anycompatiblearray, float8) (
    SFUNC = dp_categories_add, STYPE = internal, SSPACE = 256, FINALFUNC = dp_histogram_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_histogram(anycompatible, anycompatiblearray, float8) IS 'private counts of categories (value, categories, epsilon)';

CREATE AGGREGATE dp_histogram(anycompatible, anycompatiblearray, float8, dp_mechanism) (
    SFUNC = dp_categories_add, STYPE = internal, SSPACE = 256, FINALFUNC = dp_histogram_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_histogram(anycompatible, anycompatiblearray, float8, dp_mechanism) IS 'private counts of categories (value, categories, epsilon, mechanism)';

-- dp_bounds: {lower, upper}, powers of two or 0 with the values between them; {NULL, NULL} where no bin has enough of them. NULL and NaN
-- are passed over. For dp_sum and the like, where nobody knows the bounds; charged like any other aggregate.
CREATE AGGREGATE dp_bounds(int2, float8) (
    SFUNC = dp_bounds_add, STYPE = internal, SSPACE = 272, FINALFUNC = dp_bounds_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_bounds(int2, float8) IS 'private bounds of values (value, epsilon)';

CREATE AGGREGATE dp_bounds(int2, float8, dp_mechanism) (
    SFUNC = dp_bounds_add, STYPE = internal, SSPACE = 272, FINALFUNC = dp_bounds_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_bounds(int2, float8, dp_mechanism) IS 'private bounds of values (value, epsilon, mechanism)';

CREATE AGGREGATE dp_bounds(int4, float8) (
    SFUNC = dp_bounds_add, STYPE = internal, SSPACE = 528, FINALFUNC = dp_bounds_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_bounds(int4, float8) IS 'private bounds of values (value, epsilon)';

CREATE AGGREGATE dp_bounds(int4, float8, dp_mechanism) (
    SFUNC = dp_bounds_add, STYPE = internal, SSPACE = 528, FINALFUNC = dp_bounds_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_bounds(int4, float8, dp_mechanism) IS 'private bounds of values (value, epsilon, mechanism)';

CREATE AGGREGATE dp_bounds(int8, float8) (
    SFUNC = dp_bounds_add, STYPE = internal, SSPACE = 1040, FINALFUNC = dp_bounds_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_bounds(int8, float8) IS 'private bounds of values (value, epsilon)';

CREATE AGGREGATE dp_bounds(int8, float8, dp_mechanism) (
    SFUNC = dp_bounds_add, STYPE = internal, SSPACE = 1040, FINALFUNC = dp_bounds_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_bounds(int8, float8, dp_mechanism) IS 'private bounds of values (value, epsilon, mechanism)';

CREATE AGGREGATE dp_bounds(float8, float8) (
    SFUNC = dp_bounds_add, STYPE = internal, SSPACE = 2064, FINALFUNC = dp_bounds_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_bounds(float8, float8) IS 'private bounds of values (value, epsilon)';

CREATE AGGREGATE dp_bounds(float8, float8, dp_mechanism) (
    SFUNC = dp_bounds_add, STYPE = internal, SSPACE = 2064, FINALFUNC = dp_bounds_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_bounds(float8, float8, dp_mechanism) IS 'private bounds of values (value, epsilon, mechanism)';

CREATE AGGREGATE dp_bounds(numeric, float8) (
    SFUNC = dp_bounds_add, STYPE = internal, SSPACE = 2064, FINALFUNC = dp_bounds_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_bounds(numeric, float8) IS 'private bounds of values (value, epsilon)';

CREATE AGGREGATE dp_bounds(numeric, float8, dp_mechanism) (
    SFUNC = dp_bounds_add, STYPE = internal, SSPACE = 2064, FINALFUNC = dp_bounds_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_bounds(numeric, float8, dp_mechanism) IS 'private bounds of values (value, epsilon, mechanism)';
