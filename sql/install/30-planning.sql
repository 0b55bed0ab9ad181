-- Planning: what an answer would be worth, before any data is asked.

CREATE FUNCTION dp_describe(
    mechanism dp_mechanism,
    epsilon float8,
    sensitivity float8,
    "integer" boolean DEFAULT false,
    OUT mechanism dp_mechanism,
    OUT epsilon float8,
    OUT delta float8,
    OUT scale float8,
    OUT expected_abs_error float8,
    OUT expected_sq_error float8,
    OUT entropy_bits float8,
    OUT interval95 float8)
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_describe(dp_mechanism, float8, float8, boolean) IS
    'error of one number with noise of that mechanism; integer => true for counts and sums of integers';
