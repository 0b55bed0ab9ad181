-- Planning: what an answer would be worth, before any data is asked. `whole` says that answers are whole numbers; "integer" is its
-- older name, a word of SQL that has to be quoted in named notation.

CREATE FUNCTION dp_describe(
    mechanism dp_mechanism,
    epsilon float8,
    sensitivity float8,
    "integer" boolean DEFAULT false,
    whole boolean DEFAULT false,
    OUT mechanism dp_mechanism,
    OUT epsilon float8,
    OUT delta float8,
    OUT scale float8,
    OUT expected_abs_error float8,
    OUT expected_sq_error float8,
    OUT entropy_bits float8,
    OUT interval95 float8)
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_describe(dp_mechanism, float8, float8, boolean, boolean) IS
    'error of one number with noise of that mechanism; whole => true for counts and sums of integers';

CREATE FUNCTION dp_usefulness(
    mechanism dp_mechanism,
    epsilon float8,
    gamma float8,
    sensitivity float8 DEFAULT 1,
    "integer" boolean DEFAULT false,
    whole boolean DEFAULT false)
    RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_usefulness(dp_mechanism, float8, float8, float8, boolean, boolean) IS
    'probability that the noise of one number is at most gamma; whole => true for counts and sums of integers';

CREATE FUNCTION dp_epsilon_for(
    mechanism dp_mechanism,
    error float8,
    confidence float8,
    sensitivity float8 DEFAULT 1,
    "integer" boolean DEFAULT false,
    whole boolean DEFAULT false)
    RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_epsilon_for(dp_mechanism, float8, float8, float8, boolean, boolean) IS
    'smallest epsilon, a multiple of 1e-9, for which the noise of one number is at most error with that confidence';

CREATE FUNCTION dp_interval(
    answer bigint,
    mechanism dp_mechanism,
    epsilon float8,
    confidence float8 DEFAULT 0.95,
    sensitivity float8 DEFAULT 1,
    OUT lower bigint,
    OUT upper bigint)
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_interval_int8';
COMMENT ON FUNCTION dp_interval(bigint, dp_mechanism, float8, float8, float8) IS
    'interval around a count or a sum of integers that holds the exact answer with that confidence';
CREATE FUNCTION dp_interval(
    answer integer,
    mechanism dp_mechanism,
    epsilon float8,
    confidence float8 DEFAULT 0.95,
    sensitivity float8 DEFAULT 1,
    OUT lower bigint,
    OUT upper bigint)
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_interval_int4';
COMMENT ON FUNCTION dp_interval(integer, dp_mechanism, float8, float8, float8) IS
    'interval around a count or a sum of integers that holds the exact answer with that confidence';
CREATE FUNCTION dp_interval(
    answer numeric,
    mechanism dp_mechanism,
    epsilon float8,
    confidence float8 DEFAULT 0.95,
    sensitivity float8 DEFAULT 1,
    "integer" boolean DEFAULT false,
    whole boolean DEFAULT false,
    OUT lower numeric,
    OUT upper numeric)
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_interval_numeric';
COMMENT ON FUNCTION dp_interval(numeric, dp_mechanism, float8, float8, float8, boolean, boolean) IS
    'interval around a sum that holds the exact answer with that confidence; whole => true for a sum of bigint values';
CREATE FUNCTION dp_interval(
    answer float8,
    mechanism dp_mechanism,
    epsilon float8,
    confidence float8 DEFAULT 0.95,
    sensitivity float8 DEFAULT 1,
    "integer" boolean DEFAULT false,
    whole boolean DEFAULT false,
    OUT lower float8,
    OUT upper float8)
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_interval_float8';
COMMENT ON FUNCTION dp_interval(float8, dp_mechanism, float8, float8, float8, boolean, boolean) IS
    'interval around a sum that holds the exact answer with that confidence';

CREATE FUNCTION dp_collusion_error(
    mechanism dp_mechanism,
    epsilon float8,
    k integer,
    sensitivity float8 DEFAULT 1,
    "integer" boolean DEFAULT false,
    whole boolean DEFAULT false)
    RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_collusion_error(dp_mechanism, float8, integer, float8, boolean, boolean) IS
    'expected absolute error of the lower median of k independent answers to the same question';

-- Privacy against utility: `steps` epsilons at equal distances from eps_from to eps_to, one row each.
CREATE FUNCTION dp_tradeoff(
    mechanism dp_mechanism,
    eps_from float8,
    eps_to float8,
    steps integer,
    sensitivity float8 DEFAULT 1,
    t float8 DEFAULT 1,
    "integer" boolean DEFAULT false,
    whole boolean DEFAULT false)
    RETURNS TABLE (epsilon float8, expected_error float8, entropy_bits float8, phi float8, one_minus_ne float8)
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_tradeoff(dp_mechanism, float8, float8, integer, float8, float8, boolean, boolean) IS
    'E|noise|, entropy of the noise and its |characteristic function| at t, for evenly spaced epsilons; one_minus_ne is NULL';

CREATE FUNCTION dp_tradeoff_exponential(
    utilities float8[],
    eps_from float8,
    eps_to float8,
    steps integer,
    sensitivity float8 DEFAULT 1)
    RETURNS TABLE (epsilon float8, expected_error float8, entropy_bits float8, phi float8, one_minus_ne float8)
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_tradeoff_exponential(float8[], float8, float8, integer, float8) IS
    'utility missed by the exponential mechanism, entropy of its choice and 1 - normalised entropy; phi is NULL';

CREATE FUNCTION dp_tradeoff_response(
    shares float8[],
    eps_from float8,
    eps_to float8,
    steps integer)
    RETURNS TABLE (epsilon float8, expected_error float8, entropy_bits float8, phi float8, one_minus_ne float8)
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_tradeoff_response(float8[], float8, float8, integer) IS
    'randomised response on categories of these shares: probability of a wrong report, entropy of a report, 1 - normalised entropy; phi is NULL';

-- Reading a count that was answered with mechanism geometric and sensitivity 1, when the exact one is known to lie in 0..n.
CREATE FUNCTION dp_remap(
    answer bigint,
    epsilon float8,
    prior float8[],
    loss text DEFAULT 'abs')
    RETURNS bigint
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_remap(bigint, float8, float8[], text) IS
    'best reading of a geometric count where prior[i+1] is the probability of count i; loss: abs, sq or bin';

CREATE FUNCTION dp_remap_loss(
    epsilon float8,
    prior float8[],
    loss text DEFAULT 'abs')
    RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_remap_loss(float8, float8[], text) IS
    'expected loss of dp_remap, the least of any mechanism with that epsilon for that prior';

CREATE FUNCTION dp_remap_minimax(
    answer bigint,
    epsilon float8,
    n integer,
    loss text DEFAULT 'abs')
    RETURNS bigint
    LANGUAGE c VOLATILE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_remap_minimax(bigint, float8, integer, text) IS
    'reading of a geometric count, drawn so that the worst count in 0..n loses least; loss: abs, sq or bin';

CREATE FUNCTION dp_remap_minimax_loss(
    epsilon float8,
    n integer,
    loss text DEFAULT 'abs')
    RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_remap_minimax_loss(float8, integer, text) IS
    'expected loss of dp_remap_minimax for the worst count, the least of any mechanism with that epsilon';

CREATE FUNCTION dp_remap_minimax_table(
    epsilon float8,
    n integer,
    loss text DEFAULT 'abs')
    RETURNS TABLE (answer bigint, reading bigint, probability float8)
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_remap_minimax_table(float8, integer, text) IS
    'probabilities with which dp_remap_minimax reads each answer in 0..n';
