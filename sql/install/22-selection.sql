-- Selection: aggregates that answer with one of the candidates, chosen by the mechanism permute_and_flip or exponential.

-- dp_mode: value, categories, epsilon [, mechanism]. Rows are counted by dp_internal.dp_categories_add, as for dp_histogram.
CREATE FUNCTION dp_internal.dp_mode_answer(internal, anycompatible, anycompatiblearray, float8) RETURNS anycompatible
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_mode_answer(internal, anycompatible, anycompatiblearray, float8, dp_mechanism) RETURNS anycompatible
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';

CREATE AGGREGATE dp_mode(value anycompatible, categories anycompatiblearray, epsilon float8) (
    SFUNC = dp_internal.dp_categories_add, STYPE = internal, SSPACE = 256, FINALFUNC = dp_internal.dp_mode_answer,
    FINALFUNC_EXTRA, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_mode(anycompatible, anycompatiblearray, float8) IS 'private most frequent one of the listed categories';

CREATE AGGREGATE dp_mode(value anycompatible, categories anycompatiblearray, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_categories_add, STYPE = internal, SSPACE = 256, FINALFUNC = dp_internal.dp_mode_answer,
    FINALFUNC_EXTRA, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_mode(anycompatible, anycompatiblearray, float8, dp_mechanism) IS
    'private most frequent one of the listed categories';

-- dp_quantile: value, fraction, lower, upper, epsilon [, mechanism]; dp_median the same without fraction.
-- The answer is a point of a grid of the bounds: every whole number for integers at most 4,000 apart, else 4,000 equal steps.
CREATE FUNCTION dp_internal.dp_quantile_add(internal, int2, float8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_median_add(internal, int2, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_quantile_add(internal, int2, float8, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_median_add(internal, int2, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_quantile_add(internal, int4, float8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_median_add(internal, int4, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_quantile_add(internal, int4, float8, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_median_add(internal, int4, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_quantile_add(internal, int8, float8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_median_add(internal, int8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_quantile_add(internal, int8, float8, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_median_add(internal, int8, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_quantile_add(internal, float8, float8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_median_add(internal, float8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_quantile_add(internal, float8, float8, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_median_add(internal, float8, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_quantile_add(internal, numeric, float8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_median_add(internal, numeric, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_quantile_add(internal, numeric, float8, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_median_add(internal, numeric, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_quantile_answer(internal) RETURNS float8
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';

CREATE AGGREGATE dp_quantile(value int2, fraction float8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_quantile_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_quantile(int2, float8, float8, float8, float8) IS
    'private quantile of values, each clamped to lower .. upper: a point of a grid between them; fraction 0.9: the '
    'value that 9 of 10 do not exceed';

CREATE AGGREGATE dp_quantile(value int2, fraction float8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_quantile_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_quantile(int2, float8, float8, float8, float8, dp_mechanism) IS
    'private quantile of values, each clamped to lower .. upper: a point of a grid between them; fraction 0.9: the '
    'value that 9 of 10 do not exceed';

CREATE AGGREGATE dp_quantile(value int4, fraction float8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_quantile_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_quantile(int4, float8, float8, float8, float8) IS
    'private quantile of values, each clamped to lower .. upper: a point of a grid between them; fraction 0.9: the '
    'value that 9 of 10 do not exceed';

CREATE AGGREGATE dp_quantile(value int4, fraction float8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_quantile_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_quantile(int4, float8, float8, float8, float8, dp_mechanism) IS
    'private quantile of values, each clamped to lower .. upper: a point of a grid between them; fraction 0.9: the '
    'value that 9 of 10 do not exceed';

CREATE AGGREGATE dp_quantile(value int8, fraction float8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_quantile_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_quantile(int8, float8, float8, float8, float8) IS
    'private quantile of values, each clamped to lower .. upper: a point of a grid between them; fraction 0.9: the '
    'value that 9 of 10 do not exceed';

CREATE AGGREGATE dp_quantile(value int8, fraction float8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_quantile_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_quantile(int8, float8, float8, float8, float8, dp_mechanism) IS
    'private quantile of values, each clamped to lower .. upper: a point of a grid between them; fraction 0.9: the '
    'value that 9 of 10 do not exceed';

CREATE AGGREGATE dp_quantile(value float8, fraction float8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_quantile_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_quantile(float8, float8, float8, float8, float8) IS
    'private quantile of values, each clamped to lower .. upper: a point of a grid between them; fraction 0.9: the '
    'value that 9 of 10 do not exceed';

CREATE AGGREGATE dp_quantile(value float8, fraction float8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_quantile_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_quantile(float8, float8, float8, float8, float8, dp_mechanism) IS
    'private quantile of values, each clamped to lower .. upper: a point of a grid between them; fraction 0.9: the '
    'value that 9 of 10 do not exceed';

CREATE AGGREGATE dp_quantile(value numeric, fraction float8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_quantile_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_quantile(numeric, float8, float8, float8, float8) IS
    'private quantile of values, each clamped to lower .. upper: a point of a grid between them; fraction 0.9: the '
    'value that 9 of 10 do not exceed';

CREATE AGGREGATE dp_quantile(value numeric, fraction float8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_quantile_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_quantile(numeric, float8, float8, float8, float8, dp_mechanism) IS
    'private quantile of values, each clamped to lower .. upper: a point of a grid between them; fraction 0.9: the '
    'value that 9 of 10 do not exceed';

CREATE AGGREGATE dp_median(value int2, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_median_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_median(int2, float8, float8, float8) IS
    'private median of values, each clamped to lower .. upper: a point of a grid between them';

CREATE AGGREGATE dp_median(value int2, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_median_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_median(int2, float8, float8, float8, dp_mechanism) IS
    'private median of values, each clamped to lower .. upper: a point of a grid between them';

CREATE AGGREGATE dp_median(value int4, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_median_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_median(int4, float8, float8, float8) IS
    'private median of values, each clamped to lower .. upper: a point of a grid between them';

CREATE AGGREGATE dp_median(value int4, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_median_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_median(int4, float8, float8, float8, dp_mechanism) IS
    'private median of values, each clamped to lower .. upper: a point of a grid between them';

CREATE AGGREGATE dp_median(value int8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_median_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_median(int8, float8, float8, float8) IS
    'private median of values, each clamped to lower .. upper: a point of a grid between them';

CREATE AGGREGATE dp_median(value int8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_median_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_median(int8, float8, float8, float8, dp_mechanism) IS
    'private median of values, each clamped to lower .. upper: a point of a grid between them';

CREATE AGGREGATE dp_median(value float8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_median_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_median(float8, float8, float8, float8) IS
    'private median of values, each clamped to lower .. upper: a point of a grid between them';

CREATE AGGREGATE dp_median(value float8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_median_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_median(float8, float8, float8, float8, dp_mechanism) IS
    'private median of values, each clamped to lower .. upper: a point of a grid between them';

CREATE AGGREGATE dp_median(value numeric, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_median_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_median(numeric, float8, float8, float8) IS
    'private median of values, each clamped to lower .. upper: a point of a grid between them';

CREATE AGGREGATE dp_median(value numeric, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_median_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_median(numeric, float8, float8, float8, dp_mechanism) IS
    'private median of values, each clamped to lower .. upper: a point of a grid between them';

-- dp_quantiles: value, fractions, lower, upper, epsilon [, mechanism].
CREATE FUNCTION dp_internal.dp_quantiles_answer(internal) RETURNS float8[]
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
DO $$
DECLARE
    parameters text;
    types text;
    value text;
BEGIN
    FOREACH value IN ARRAY ARRAY['int2', 'int4', 'int8', 'float8', 'numeric'] LOOP
        FOREACH parameters IN ARRAY ARRAY['', ', mechanism dp_mechanism'] LOOP
            types := value || ', float8[], float8, float8, float8' || replace(parameters, ' mechanism', '');
            EXECUTE format('CREATE FUNCTION dp_internal.dp_quantiles_add(internal, %s) RETURNS internal LANGUAGE c PARALLEL SAFE '
                'AS ''MODULE_PATHNAME''', types);
            EXECUTE format('CREATE AGGREGATE dp_quantiles(value %s, fractions float8[], lower float8, upper float8, epsilon float8%s) ('
                'SFUNC = dp_internal.dp_quantiles_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantiles_answer, '
                'FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine, '
                'SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize)', value, parameters);
            EXECUTE format('COMMENT ON AGGREGATE dp_quantiles(%s) IS ''several private quantiles of values, each clamped to lower .. '
                'upper, in the order of their fractions: points of a grid between them, for one price''', types);
        END LOOP;
    END LOOP;
END
$$;

-- dp_min and dp_max: value, lower, upper, epsilon [, mechanism].
CREATE FUNCTION dp_internal.dp_end_answer(internal) RETURNS float8
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
DO $$
DECLARE
    parameters text;
    place text;
    types text;
    value text;
BEGIN
    FOREACH value IN ARRAY ARRAY['int2', 'int4', 'int8', 'float8', 'numeric'] LOOP
        FOREACH parameters IN ARRAY ARRAY['', ', mechanism dp_mechanism'] LOOP
            types := value || ', float8, float8, float8' || replace(parameters, ' mechanism', '');
            FOREACH place IN ARRAY ARRAY['min', 'max'] LOOP
                EXECUTE format('CREATE FUNCTION dp_internal.dp_%s_add(internal, %s) RETURNS internal LANGUAGE c PARALLEL SAFE '
                    'AS ''MODULE_PATHNAME''', place, types);
                EXECUTE format('CREATE AGGREGATE dp_%1$s(value %2$s, lower float8, upper float8, epsilon float8%3$s) ('
                    'SFUNC = dp_internal.dp_%1$s_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_end_answer, '
                    'FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine, '
                    'SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize)', place, value, parameters);
                EXECUTE format('COMMENT ON AGGREGATE dp_%s(%s) IS ''a point between lower and upper %s which few values lie: in 95 '
                    'of 100 answers at least one and fewer than 46/epsilon''', place, types, CASE place WHEN 'min' THEN 'up to' ELSE 'from' END);
            END LOOP;
        END LOOP;
    END LOOP;
END
$$;
