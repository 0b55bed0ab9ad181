-- The aggregates. PostgreSQL has no default arguments for them, so the mechanism is an overload; left out, it is auto. Nor can
-- their arguments be given by name: the names are what \da and docs/reference.md show.
-- Only the value is typed, bounds and epsilon are float8 everywhere, so that literals of every kind resolve.
-- SSPACE is the size of the state (src/core/accumulate/state.cpp checks it), from which the planner sizes hash tables.
-- FINALFUNC_MODIFY = READ_WRITE makes PostgreSQL refuse OVER (...): a window would draw more answers than are charged.

-- dp_count: rows, or values that are not NULL.
CREATE AGGREGATE dp_count(*) (
    SFUNC = dp_internal.dp_count_add, STYPE = internal, SSPACE = 16, FINALFUNC = dp_internal.dp_count_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_count(*) IS 'private number of rows, at the epsilon of the setting dp.epsilon';

CREATE AGGREGATE dp_count(value "any") (
    SFUNC = dp_internal.dp_count_add, STYPE = internal, SSPACE = 16, FINALFUNC = dp_internal.dp_count_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_count("any") IS
    'private number of values that are not NULL; ''*'' or any other constant counts rows, at the epsilon of the '
    'setting dp.epsilon';

CREATE AGGREGATE dp_count(value "any", epsilon float8) (
    SFUNC = dp_internal.dp_count_add, STYPE = internal, SSPACE = 16, FINALFUNC = dp_internal.dp_count_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_count("any", float8) IS
    'private number of values that are not NULL; ''*'' or any other constant counts rows';

CREATE AGGREGATE dp_count(value "any", epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_count_add, STYPE = internal, SSPACE = 16, FINALFUNC = dp_internal.dp_count_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_count("any", float8, dp_mechanism) IS
    'private number of values that are not NULL; ''*'' or any other constant counts rows';

-- dp_sum: of values clamped to lower .. upper; NULL is passed over, NaN counts as upper.
CREATE AGGREGATE dp_sum(value int2, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_internal.dp_sum_answer_bigint,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_sum(int2, float8, float8, float8) IS
    'private sum of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';

CREATE AGGREGATE dp_sum(value int2, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_internal.dp_sum_answer_bigint,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_sum(int2, float8, float8, float8, dp_mechanism) IS
    'private sum of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';

CREATE AGGREGATE dp_sum(value int4, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_internal.dp_sum_answer_bigint,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_sum(int4, float8, float8, float8) IS
    'private sum of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';

CREATE AGGREGATE dp_sum(value int4, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_internal.dp_sum_answer_bigint,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_sum(int4, float8, float8, float8, dp_mechanism) IS
    'private sum of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';

CREATE AGGREGATE dp_sum(value int8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_internal.dp_sum_answer_numeric,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_sum(int8, float8, float8, float8) IS
    'private sum of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';

CREATE AGGREGATE dp_sum(value int8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_internal.dp_sum_answer_numeric,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_sum(int8, float8, float8, float8, dp_mechanism) IS
    'private sum of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';

CREATE AGGREGATE dp_sum(value float8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_internal.dp_sum_answer_float8,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_sum(float8, float8, float8, float8) IS
    'private sum of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';

CREATE AGGREGATE dp_sum(value float8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_internal.dp_sum_answer_float8,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_sum(float8, float8, float8, float8, dp_mechanism) IS
    'private sum of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';

CREATE AGGREGATE dp_sum(value numeric, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_internal.dp_sum_answer_numeric,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_sum(numeric, float8, float8, float8) IS
    'private sum of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';

CREATE AGGREGATE dp_sum(value numeric, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_internal.dp_sum_answer_numeric,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_sum(numeric, float8, float8, float8, dp_mechanism) IS
    'private sum of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';

-- dp_avg: of values clamped to lower .. upper; NULL is passed over, NaN counts as upper.
CREATE AGGREGATE dp_avg(value int2, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_internal.dp_avg_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_avg(int2, float8, float8, float8) IS
    'private average of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';

CREATE AGGREGATE dp_avg(value int2, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_internal.dp_avg_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_avg(int2, float8, float8, float8, dp_mechanism) IS
    'private average of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';

CREATE AGGREGATE dp_avg(value int4, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_internal.dp_avg_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_avg(int4, float8, float8, float8) IS
    'private average of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';

CREATE AGGREGATE dp_avg(value int4, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_internal.dp_avg_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_avg(int4, float8, float8, float8, dp_mechanism) IS
    'private average of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';

CREATE AGGREGATE dp_avg(value int8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_internal.dp_avg_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_avg(int8, float8, float8, float8) IS
    'private average of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';

CREATE AGGREGATE dp_avg(value int8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_internal.dp_avg_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_avg(int8, float8, float8, float8, dp_mechanism) IS
    'private average of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';

CREATE AGGREGATE dp_avg(value float8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_internal.dp_avg_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_avg(float8, float8, float8, float8) IS
    'private average of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';

CREATE AGGREGATE dp_avg(value float8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_internal.dp_avg_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_avg(float8, float8, float8, float8, dp_mechanism) IS
    'private average of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';

CREATE AGGREGATE dp_avg(value numeric, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_internal.dp_avg_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_avg(numeric, float8, float8, float8) IS
    'private average of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';

CREATE AGGREGATE dp_avg(value numeric, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_internal.dp_avg_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_avg(numeric, float8, float8, float8, dp_mechanism) IS
    'private average of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';

-- dp_histogram: counts of equal-width buckets, the last closed on the right, or of listed categories, in their order.
CREATE AGGREGATE dp_histogram(value float8, lower float8, upper float8, buckets integer, epsilon float8) (
    SFUNC = dp_internal.dp_buckets_add, STYPE = internal, SSPACE = 256, FINALFUNC = dp_internal.dp_histogram_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_histogram(float8, float8, float8, integer, float8) IS
    'private counts of buckets of equal width between lower and upper, the last one closed on the right; for the price '
    'of one count';

CREATE AGGREGATE dp_histogram(value float8, lower float8, upper float8, buckets integer, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_buckets_add, STYPE = internal, SSPACE = 256, FINALFUNC = dp_internal.dp_histogram_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_histogram(float8, float8, float8, integer, float8, dp_mechanism) IS
    'private counts of buckets of equal width between lower and upper, the last one closed on the right; for the price '
    'of one count';

CREATE AGGREGATE dp_histogram(value anycompatible, categories anycompatiblearray, epsilon float8) (
    SFUNC = dp_internal.dp_categories_add, STYPE = internal, SSPACE = 256, FINALFUNC = dp_internal.dp_histogram_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_histogram(anycompatible, anycompatiblearray, float8) IS
    'private counts of the listed categories, in their order; for the price of one count';

CREATE AGGREGATE dp_histogram(value anycompatible, categories anycompatiblearray, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_categories_add, STYPE = internal, SSPACE = 256, FINALFUNC = dp_internal.dp_histogram_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_histogram(anycompatible, anycompatiblearray, float8, dp_mechanism) IS
    'private counts of the listed categories, in their order; for the price of one count';

-- dp_bounds: {lower, upper}, powers of two or 0 with the values between them; {NULL, NULL} where no bin has enough of them. NULL and
-- NaN are passed over. For dp_sum and the like, where nobody knows the bounds; charged like any other aggregate.
CREATE AGGREGATE dp_bounds(value int2, epsilon float8) (
    SFUNC = dp_internal.dp_bounds_add, STYPE = internal, SSPACE = 272, FINALFUNC = dp_internal.dp_bounds_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_bounds(int2, float8) IS
    'private bounds of values: {lower, upper}, powers of two or 0 between which nearly all of them lie, for dp_sum and '
    'the like where nobody knows bounds';

CREATE AGGREGATE dp_bounds(value int2, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_bounds_add, STYPE = internal, SSPACE = 272, FINALFUNC = dp_internal.dp_bounds_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_bounds(int2, float8, dp_mechanism) IS
    'private bounds of values: {lower, upper}, powers of two or 0 between which nearly all of them lie, for dp_sum and '
    'the like where nobody knows bounds';

CREATE AGGREGATE dp_bounds(value int4, epsilon float8) (
    SFUNC = dp_internal.dp_bounds_add, STYPE = internal, SSPACE = 528, FINALFUNC = dp_internal.dp_bounds_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_bounds(int4, float8) IS
    'private bounds of values: {lower, upper}, powers of two or 0 between which nearly all of them lie, for dp_sum and '
    'the like where nobody knows bounds';

CREATE AGGREGATE dp_bounds(value int4, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_bounds_add, STYPE = internal, SSPACE = 528, FINALFUNC = dp_internal.dp_bounds_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_bounds(int4, float8, dp_mechanism) IS
    'private bounds of values: {lower, upper}, powers of two or 0 between which nearly all of them lie, for dp_sum and '
    'the like where nobody knows bounds';

CREATE AGGREGATE dp_bounds(value int8, epsilon float8) (
    SFUNC = dp_internal.dp_bounds_add, STYPE = internal, SSPACE = 1040, FINALFUNC = dp_internal.dp_bounds_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_bounds(int8, float8) IS
    'private bounds of values: {lower, upper}, powers of two or 0 between which nearly all of them lie, for dp_sum and '
    'the like where nobody knows bounds';

CREATE AGGREGATE dp_bounds(value int8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_bounds_add, STYPE = internal, SSPACE = 1040, FINALFUNC = dp_internal.dp_bounds_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_bounds(int8, float8, dp_mechanism) IS
    'private bounds of values: {lower, upper}, powers of two or 0 between which nearly all of them lie, for dp_sum and '
    'the like where nobody knows bounds';

CREATE AGGREGATE dp_bounds(value float8, epsilon float8) (
    SFUNC = dp_internal.dp_bounds_add, STYPE = internal, SSPACE = 2064, FINALFUNC = dp_internal.dp_bounds_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_bounds(float8, float8) IS
    'private bounds of values: {lower, upper}, powers of two or 0 between which nearly all of them lie, for dp_sum and '
    'the like where nobody knows bounds';

CREATE AGGREGATE dp_bounds(value float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_bounds_add, STYPE = internal, SSPACE = 2064, FINALFUNC = dp_internal.dp_bounds_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_bounds(float8, float8, dp_mechanism) IS
    'private bounds of values: {lower, upper}, powers of two or 0 between which nearly all of them lie, for dp_sum and '
    'the like where nobody knows bounds';

CREATE AGGREGATE dp_bounds(value numeric, epsilon float8) (
    SFUNC = dp_internal.dp_bounds_add, STYPE = internal, SSPACE = 2064, FINALFUNC = dp_internal.dp_bounds_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_bounds(numeric, float8) IS
    'private bounds of values: {lower, upper}, powers of two or 0 between which nearly all of them lie, for dp_sum and '
    'the like where nobody knows bounds';

CREATE AGGREGATE dp_bounds(value numeric, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_bounds_add, STYPE = internal, SSPACE = 2064, FINALFUNC = dp_internal.dp_bounds_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_bounds(numeric, float8, dp_mechanism) IS
    'private bounds of values: {lower, upper}, powers of two or 0 between which nearly all of them lie, for dp_sum and '
    'the like where nobody knows bounds';
