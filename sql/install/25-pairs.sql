-- Pairs: how two columns go together, from one noisy vector at the price of one answer (src/core/accumulate/pairs.h).

CREATE TYPE dp_covariance AS (
    "rows" bigint, count bigint, avgx float8, avgy float8, sxy float8, covar_pop float8, covar_samp float8,
    rows_error float8, count_error float8, avgx_error float8, avgy_error float8, sxy_error float8, covar_pop_error float8,
    covar_samp_error float8);
COMMENT ON TYPE dp_covariance IS
    'private answers from one vector: rows, rows that have both y and x, of these the averages, sum of products and covariances, and how far off each is in 95 of 100 cases';

CREATE TYPE dp_regression AS (
    "rows" bigint, count bigint, avgx float8, avgy float8, sxy float8, covar_pop float8, covar_samp float8, sxx float8, syy float8,
    corr float8, r2 float8, slope float8, intercept float8,
    rows_error float8, count_error float8, avgx_error float8, avgy_error float8, sxy_error float8, covar_pop_error float8,
    covar_samp_error float8, sxx_error float8, syy_error float8, corr_error float8, r2_error float8, slope_error float8,
    intercept_error float8);
COMMENT ON TYPE dp_regression IS
    'private answers from one vector: those of dp_covariance, and sums of squares, correlation, its square, slope and intercept of the line by which y follows x';

-- y, x, y_lower, y_upper, x_lower, x_upper, epsilon [, mechanism]
CREATE FUNCTION dp_internal.dp_covariance_add(internal, float8, float8, float8, float8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_covariance_add(internal, float8, float8, float8, float8, float8, float8, float8, dp_mechanism)
    RETURNS internal LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_regression_add(internal, float8, float8, float8, float8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_regression_add(internal, float8, float8, float8, float8, float8, float8, float8, dp_mechanism)
    RETURNS internal LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';

DO $$
DECLARE
    one record;
    mechanism text;
BEGIN
    FOR one IN SELECT * FROM (VALUES
        ('dp_covariance', 'dp_covariance', 'covariance', 'private rows (count(*)), count of pairs, avgx, avgy, sxy, covar_pop and covar_samp of y and x, at the price of one answer; NULL counts in rows alone'),
        ('dp_regr_count', 'bigint', 'covariance', 'private number of rows in which neither y nor x is NULL'),
        ('dp_regr_avgx', 'float8', 'covariance', 'private average of x, of rows in which neither y nor x is NULL'),
        ('dp_regr_avgy', 'float8', 'covariance', 'private average of y, of rows in which neither y nor x is NULL'),
        ('dp_regr_sxy', 'float8', 'covariance', 'private sum of the products of what y and x are off from their averages'),
        ('dp_covar_pop', 'float8', 'covariance', 'private population covariance of y and x'),
        ('dp_covar_samp', 'float8', 'covariance', 'private sample covariance of y and x'),
        ('dp_regression', 'dp_regression', 'regression', 'private answers of dp_covariance, and sxx, syy, corr, r2, slope and intercept of y by x, at the price of one answer'),
        ('dp_regr_sxx', 'float8', 'regression', 'private sum of the squares of what x is off from its average'),
        ('dp_regr_syy', 'float8', 'regression', 'private sum of the squares of what y is off from its average'),
        ('dp_corr', 'float8', 'regression', 'private correlation of y and x, from -1 to 1; 0 where noise leaves one of them no spread'),
        ('dp_regr_r2', 'float8', 'regression', 'private square of the correlation of y and x'),
        ('dp_regr_slope', 'float8', 'regression', 'private slope of the line by which y follows x; 0 where noise leaves x no spread'),
        ('dp_regr_intercept', 'float8', 'regression', 'private y of that line where x is 0')) AS v (name, answer, kind, comment)
    LOOP
        EXECUTE format('CREATE FUNCTION dp_internal.%s_answer(internal) RETURNS %s LANGUAGE c PARALLEL SAFE AS ''MODULE_PATHNAME''',
            one.name, one.answer);
        FOREACH mechanism IN ARRAY ARRAY['', ', mechanism dp_mechanism'] LOOP
            EXECUTE format('CREATE AGGREGATE %1$s(y float8, x float8, y_lower float8, y_upper float8, x_lower float8, x_upper float8, '
                'epsilon float8%2$s) (SFUNC = dp_internal.dp_%3$s_add, STYPE = internal, SSPACE = %4$s, '
                'FINALFUNC = dp_internal.%1$s_answer, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, '
                'COMBINEFUNC = dp_internal.dp_state_combine, SERIALFUNC = dp_internal.dp_state_serialize, '
                'DESERIALFUNC = dp_internal.dp_state_deserialize)',
                one.name, mechanism, one.kind, CASE one.kind WHEN 'covariance' THEN 96 ELSE 176 END);
            EXECUTE format('COMMENT ON AGGREGATE %s(float8, float8, float8, float8, float8, float8, float8%s) IS %L',
                one.name, CASE mechanism WHEN '' THEN '' ELSE ', dp_mechanism' END,
                one.comment || '; each clamped to its bounds');
        END LOOP;
    END LOOP;
END
$$;
