-- Local privacy: every row is randomised by itself, before anybody collects it. Nothing here needs preloading but the aggregates.

-- Keeps the value with probability E / (n - 1 + E) among n categories, E being e^epsilon rounded down to a multiple of 2^-40, else
-- returns one of the others, each alike. NULL and values that are not listed are answered as the first category would be, so list it
-- as one that says nothing. Volatile: a new draw in each call. Store the responses; asking again about the same row spends epsilon again.
CREATE FUNCTION dp_randomized_response(value anycompatible, categories anycompatiblearray, epsilon float8) RETURNS anycompatible
    LANGUAGE c VOLATILE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_randomized_response(anycompatible, anycompatiblearray, float8) IS
    'the value, or at random another category: local differential privacy';

-- A response that is more accurate, from the true value and the response at eps1 that is stored for it: both together lose eps2, if
-- the new one takes the place of the old (core/noise/response.h). Categories as for the first response.
CREATE FUNCTION dp_relax_response(true_value anycompatible, response anycompatible, categories anycompatiblearray, eps1 float8, eps2 float8)
    RETURNS anycompatible LANGUAGE c VOLATILE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_relax_response(anycompatible, anycompatible, anycompatiblearray, float8, float8) IS
    'a response at eps2 that continues the one stored at eps1: both together lose eps2; store it in place of the first';

CREATE TYPE dp_rr_estimate AS (category text, estimate float8, standard_error float8);
COMMENT ON TYPE dp_rr_estimate IS 'how many true answers a category has: unbiased estimate with its standard error';

-- Estimates the counts of the true answers from responses of dp_randomized_response with the same categories and epsilon.
-- It adds no noise: the responses are private already. On raw values it is their exact histogram in disguise.
CREATE FUNCTION dp_internal.dp_rr_answer(internal) RETURNS dp_rr_estimate[]
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE AGGREGATE dp_rr_histogram(response anycompatible, categories anycompatiblearray, epsilon float8) (
    SFUNC = dp_internal.dp_categories_add, STYPE = internal, SSPACE = 256, FINALFUNC = dp_internal.dp_rr_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_rr_histogram(anycompatible, anycompatiblearray, float8) IS
    'estimated numbers of true answers from responses of dp_randomized_response with the same categories and epsilon; '
    'it adds no noise of its own';
