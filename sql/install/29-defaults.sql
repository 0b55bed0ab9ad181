-- dp_sum without epsilon, and without bounds: from the settings and from what is declared (src/guard/rewrite/complete_calls.h fills them
-- in; where nothing says them the call is refused). The other aggregates give float8 whatever the value, so that those of
-- 28-incomplete.sql stand for such calls; the type of a sum is that of its value.
CREATE FUNCTION dp_internal.dp_incomplete_add(internal, "any", "any", "any") RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_incomplete_answer_bigint(internal) RETURNS bigint
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_incomplete_answer';
CREATE FUNCTION dp_internal.dp_incomplete_answer_numeric(internal) RETURNS numeric
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_incomplete_answer';

DO $$
DECLARE
    type text;
    ending text;
BEGIN
    FOREACH type IN ARRAY ARRAY['int2', 'int4', 'int8', 'float8', 'numeric'] LOOP
        ending := CASE WHEN type IN ('int2', 'int4') THEN '_bigint' WHEN type = 'float8' THEN '' ELSE '_numeric' END;
        EXECUTE format('CREATE AGGREGATE dp_sum(value %s) (SFUNC = dp_internal.dp_incomplete_add, STYPE = internal, '
            'FINALFUNC = dp_internal.dp_incomplete_answer%s, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED)', type, ending);
        EXECUTE format('COMMENT ON AGGREGATE dp_sum(%s) IS ''private sum (value), bounds as declared, epsilon from the settings''', type);
        EXECUTE format('CREATE AGGREGATE dp_sum(value %s, lower float8, upper float8) (SFUNC = dp_internal.dp_incomplete_add, STYPE = internal, '
            'FINALFUNC = dp_internal.dp_incomplete_answer%s, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED)', type, ending);
        EXECUTE format('COMMENT ON AGGREGATE dp_sum(%s, float8, float8) IS ''private sum (value, lower, upper), epsilon from the settings''', type);
    END LOOP;
END
$$;

-- The aggregates of pairs without epsilon, and without bounds, likewise.
DO $$
DECLARE
    name text;
    ending text;
BEGIN
    FOREACH name IN ARRAY ARRAY['covariance', 'regression'] LOOP
        EXECUTE format('CREATE FUNCTION dp_internal.dp_incomplete_answer_%1$s(internal) RETURNS dp_%1$s LANGUAGE c PARALLEL SAFE '
            'AS ''MODULE_PATHNAME'', ''dp_incomplete_answer''', name);
    END LOOP;
    FOREACH name IN ARRAY ARRAY['dp_covariance', 'dp_regression', 'dp_regr_count', 'dp_regr_avgx', 'dp_regr_avgy', 'dp_regr_sxy',
        'dp_covar_pop', 'dp_covar_samp', 'dp_regr_sxx', 'dp_regr_syy', 'dp_corr', 'dp_regr_r2', 'dp_regr_slope', 'dp_regr_intercept'] LOOP
        ending := CASE name WHEN 'dp_covariance' THEN '_covariance' WHEN 'dp_regression' THEN '_regression'
            WHEN 'dp_regr_count' THEN '_bigint' ELSE '' END;
        EXECUTE format('CREATE AGGREGATE %I(VARIADIC "any") (SFUNC = dp_internal.dp_incomplete_add, STYPE = internal, '
            'FINALFUNC = dp_internal.dp_incomplete_answer%s, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED)', name, ending);
        EXECUTE format('COMMENT ON AGGREGATE %I("any") IS ''says which parameters are missing''', name);
    END LOOP;
END
$$;

-- dp_bounds, dp_mode and dp_histogram without epsilon, likewise.
CREATE FUNCTION dp_internal.dp_incomplete_answer_floats(internal) RETURNS float8[]
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_incomplete_answer';
CREATE FUNCTION dp_internal.dp_incomplete_answer_bigints(internal) RETURNS bigint[]
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_incomplete_answer';
CREATE FUNCTION dp_internal.dp_incomplete_answer_value(internal, anycompatible, anycompatiblearray) RETURNS anycompatible
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_incomplete_answer';
CREATE FUNCTION dp_internal.dp_incomplete_add(internal, anycompatible, anycompatiblearray) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_incomplete_add(internal, float8, float8, float8, integer) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';

CREATE AGGREGATE dp_quantiles(VARIADIC "any") (
    SFUNC = dp_internal.dp_incomplete_add, STYPE = internal, FINALFUNC = dp_internal.dp_incomplete_answer_floats,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_quantiles("any") IS 'says which parameters are missing';
CREATE AGGREGATE dp_min(VARIADIC "any") (
    SFUNC = dp_internal.dp_incomplete_add, STYPE = internal, FINALFUNC = dp_internal.dp_incomplete_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_min("any") IS 'says which parameters are missing';
CREATE AGGREGATE dp_max(VARIADIC "any") (
    SFUNC = dp_internal.dp_incomplete_add, STYPE = internal, FINALFUNC = dp_internal.dp_incomplete_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_max("any") IS 'says which parameters are missing';
CREATE AGGREGATE dp_bounds(VARIADIC "any") (
    SFUNC = dp_internal.dp_incomplete_add, STYPE = internal, FINALFUNC = dp_internal.dp_incomplete_answer_floats,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_bounds("any") IS 'private bounds of values (value), epsilon from the settings';

CREATE AGGREGATE dp_mode(value anycompatible, categories anycompatiblearray) (
    SFUNC = dp_internal.dp_incomplete_add, STYPE = internal, FINALFUNC = dp_internal.dp_incomplete_answer_value, FINALFUNC_EXTRA,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_mode(anycompatible, anycompatiblearray) IS
    'private most frequent one of the listed categories, epsilon from the settings';

CREATE AGGREGATE dp_histogram(value anycompatible, categories anycompatiblearray) (
    SFUNC = dp_internal.dp_incomplete_add, STYPE = internal, FINALFUNC = dp_internal.dp_incomplete_answer_bigints,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_histogram(anycompatible, anycompatiblearray) IS
    'private counts of the listed categories, in their order; epsilon from the settings';

CREATE AGGREGATE dp_histogram(value float8, lower float8, upper float8, buckets integer) (
    SFUNC = dp_internal.dp_incomplete_add, STYPE = internal, FINALFUNC = dp_internal.dp_incomplete_answer_bigints,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_histogram(float8, float8, float8, integer) IS
    'private counts of buckets of equal width between lower and upper, the last one closed on the right; epsilon from the settings';

-- dp_cumulative (25-cumulative.sql) without epsilon, and without other parameters.
CREATE FUNCTION dp_internal.dp_incomplete_answer_cumulative(internal) RETURNS dp_cumulative
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_incomplete_answer';
CREATE AGGREGATE dp_cumulative(value float8, lower float8, upper float8, buckets integer) (
    SFUNC = dp_internal.dp_incomplete_add, STYPE = internal, FINALFUNC = dp_internal.dp_incomplete_answer_cumulative,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_cumulative(float8, float8, float8, integer) IS
    'private numbers of rows below the ends of buckets of equal width between lower and upper; epsilon from the settings';
CREATE AGGREGATE dp_cumulative(VARIADIC "any") (
    SFUNC = dp_internal.dp_incomplete_add, STYPE = internal, FINALFUNC = dp_internal.dp_incomplete_answer_cumulative,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_cumulative("any") IS 'says which parameters are missing';
