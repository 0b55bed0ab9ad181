-- dp_histogram of two values: x, y, x_lower, x_upper, x_buckets, y_lower, y_upper, y_buckets, epsilon [, mechanism].
-- A row of counts for each bucket of x, in it a count for each bucket of y (src/aggregate/kinds/histogram.cpp).
CREATE FUNCTION dp_internal.dp_cells_add(internal, float8, float8, float8, float8, integer, float8, float8, integer, float8)
    RETURNS internal LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_cells_add(internal, float8, float8, float8, float8, integer, float8, float8, integer, float8, dp_mechanism)
    RETURNS internal LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';

CREATE AGGREGATE dp_histogram(x float8, y float8, x_lower float8, x_upper float8, x_buckets integer, y_lower float8, y_upper float8,
    y_buckets integer, epsilon float8) (
    SFUNC = dp_internal.dp_cells_add, STYPE = internal, SSPACE = 2064, FINALFUNC = dp_internal.dp_histogram_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_histogram(float8, float8, float8, float8, integer, float8, float8, integer, float8) IS
    'private counts of pairs: a row for each bucket of x, in it a count for each bucket of y; for the price of one count';

CREATE AGGREGATE dp_histogram(x float8, y float8, x_lower float8, x_upper float8, x_buckets integer, y_lower float8, y_upper float8,
    y_buckets integer, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_cells_add, STYPE = internal, SSPACE = 2064, FINALFUNC = dp_internal.dp_histogram_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_histogram(float8, float8, float8, float8, integer, float8, float8, integer, float8, dp_mechanism) IS
    'private counts of pairs: a row for each bucket of x, in it a count for each bucket of y; for the price of one count';

CREATE FUNCTION dp_internal.dp_incomplete_add(internal, float8, float8, float8, float8, integer, float8, float8, integer) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE AGGREGATE dp_histogram(x float8, y float8, x_lower float8, x_upper float8, x_buckets integer, y_lower float8, y_upper float8,
    y_buckets integer) (
    SFUNC = dp_internal.dp_incomplete_add, STYPE = internal, FINALFUNC = dp_internal.dp_incomplete_answer_bigints,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_histogram(float8, float8, float8, float8, integer, float8, float8, integer) IS
    'private counts of pairs: a row for each bucket of x, in it a count for each bucket of y; epsilon from the settings';
