-- Reports of local privacy, as of RAPPOR: a bit for each category, or a Bloom filter of a text, every bit randomised by itself.

-- A bit for each category, the value's own set; each kept with probability E / (1 + E), E being e^(epsilon/2) rounded down to a
-- multiple of 2^-40, because two values differ in two bits. NULL and values that are not listed set none.
CREATE FUNCTION dp_unary_report(value anycompatible, categories anycompatiblearray, epsilon float8) RETURNS bit varying
    LANGUAGE c VOLATILE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_unary_report(anycompatible, anycompatiblearray, float8) IS
    'a bit for each category, the value''s own set, every bit randomised: local differential privacy';
CREATE FUNCTION dp_relax_unary_report(true_value anycompatible, report bit varying, categories anycompatiblearray, eps1 float8, eps2 float8)
    RETURNS bit varying LANGUAGE c VOLATILE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_relax_unary_report(anycompatible, bit varying, anycompatiblearray, float8, float8) IS
    'a report at eps2 that continues the one stored at eps1: both together lose eps2; store it in place of the first';

-- Of a text that nobody can list beforehand: it sets `hashes` of `bits` bits (core/accumulate/bloom.h), each kept with probability
-- E / (1 + E), E being e^(epsilon / (2 hashes)) rounded down. NULL sets none.
CREATE FUNCTION dp_bloom_report(value text, bits int4, hashes int4, epsilon float8) RETURNS bit varying
    LANGUAGE c VOLATILE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_bloom_report(text, int4, int4, float8) IS
    'the Bloom filter of a text, every bit randomised: local differential privacy';
CREATE FUNCTION dp_relax_bloom_report(true_value text, report bit varying, hashes int4, eps1 float8, eps2 float8) RETURNS bit varying
    LANGUAGE c VOLATILE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_relax_bloom_report(text, bit varying, int4, float8, float8) IS
    'a report at eps2 that continues the one stored at eps1: both together lose eps2; store it in place of the first';

-- Estimates from reports. They add no noise: the reports are private already.
CREATE FUNCTION dp_internal.dp_unary_add(internal, bit varying, anycompatiblearray, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_internal.dp_unary_add(internal, bit varying, anycompatiblearray, float8) IS
    'takes a row into the state of an aggregate';
CREATE FUNCTION dp_internal.dp_unary_answer(internal) RETURNS dp_rr_estimate[]
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_internal.dp_unary_answer(internal) IS 'the answer of an aggregate from its state';
CREATE AGGREGATE dp_unary_histogram(report bit varying, categories anycompatiblearray, epsilon float8) (
    SFUNC = dp_internal.dp_unary_add, STYPE = internal, SSPACE = 256, FINALFUNC = dp_internal.dp_unary_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_unary_histogram(bit varying, anycompatiblearray, float8) IS
    'estimated numbers of true answers from reports of dp_unary_report with the same categories and epsilon; it adds no noise of its own';

CREATE FUNCTION dp_internal.dp_bloom_add(internal, bit varying, text[], int4, int4, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_internal.dp_bloom_add(internal, bit varying, text[], int4, int4, float8) IS
    'takes a row into the state of an aggregate';
CREATE FUNCTION dp_internal.dp_bloom_answer(internal) RETURNS dp_rr_estimate[]
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_internal.dp_bloom_answer(internal) IS 'the answer of an aggregate from its state';
CREATE AGGREGATE dp_bloom_histogram(report bit varying, candidates text[], bits int4, hashes int4, epsilon float8) (
    SFUNC = dp_internal.dp_bloom_add, STYPE = internal, SSPACE = 1024, FINALFUNC = dp_internal.dp_bloom_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_bloom_histogram(bit varying, text[], int4, int4, float8) IS
    'estimated numbers of people with each of these texts, from reports of dp_bloom_report with the same bits, hashes and epsilon; '
    'it adds no noise of its own';
