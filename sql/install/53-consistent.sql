-- Answers that fit together: parts that add up to their totals, and numbers that never fall. Made of what is public, for nothing.

CREATE FUNCTION dp_consistent(answer anyelement, error float8, level integer, VARIADIC keys "any") RETURNS anyelement
    LANGUAGE c IMMUTABLE WINDOW PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_consistent(anyelement, float8, integer, "any") IS
    'a window function over answers of several levels, as ROLLUP, CUBE and GROUPING SETS give them: each made to be the sum of its parts, '
    'by weighted least squares over all levels, whole numbers as whole ones. error: how far the answer may be off, 0 keeps it as it is, '
    'as a total that is public; level: GROUPING() of the keys. dp_consistent(n, error, GROUPING(a, b), a, b) OVER (). Over tables and '
    'stored releases, too; SET dp.consistent = on does it to what a statement asks';

CREATE FUNCTION dp_consistent_nonnegative(answer anyelement, error float8, level integer, VARIADIC keys "any") RETURNS anyelement
    LANGUAGE c IMMUTABLE WINDOW PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_consistent_nonnegative(anyelement, float8, integer, "any") IS
    'the same with no number below zero: from the totals down the parts are the nearest ones that are not negative. What is near zero '
    'becomes larger by that, and what is large a little smaller';

CREATE FUNCTION dp_consistent_error(answer anyelement, error float8, level integer, VARIADIC keys "any") RETURNS float8
    LANGUAGE c IMMUTABLE WINDOW PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_consistent_error(anyelement, float8, integer, "any") IS
    'how far the answer of dp_consistent with these arguments may be off, with the confidence of the errors that are given (0.92 or more)';

CREATE FUNCTION dp_monotone(answer anyelement, error float8) RETURNS anyelement
    LANGUAGE c IMMUTABLE WINDOW PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_monotone(anyelement, float8) IS
    'a window function over answers in an order: the nearest ones that never fall, where neighbours that do are replaced by their mean, '
    'each weighed by its error: dp_monotone(n, error) OVER (ORDER BY day) of running totals';

-- What dp.consistent puts around the answers of a statement (src/guard/rewrite/consistent_levels.h): first these two, which never run, ...

CREATE FUNCTION dp_internal.to_fit(answer anyelement, error float8) RETURNS anyelement
    LANGUAGE c STABLE PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_to_fit';
COMMENT ON FUNCTION dp_internal.to_fit(anyelement, float8) IS 'marks an answer that is made to add up';
CREATE FUNCTION dp_internal.to_fit_share(answer anyelement, error float8) RETURNS float8
    LANGUAGE c STABLE PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_to_fit';
COMMENT ON FUNCTION dp_internal.to_fit_share(anyelement, float8) IS 'marks what is left of its error';

-- ... and in their place these. The errors are those that all but one of ten million answers keep.

CREATE FUNCTION dp_internal.fitting(answer anyelement, error float8, level integer, VARIADIC keys "any") RETURNS anyelement
    LANGUAGE c IMMUTABLE WINDOW PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_fitting';
COMMENT ON FUNCTION dp_internal.fitting(anyelement, float8, integer, "any") IS 'dp_consistent of a statement''s own answers';
CREATE FUNCTION dp_internal.fitting_nonnegative(answer anyelement, error float8, level integer, VARIADIC keys "any") RETURNS anyelement
    LANGUAGE c IMMUTABLE WINDOW PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_fitting_nonnegative';
COMMENT ON FUNCTION dp_internal.fitting_nonnegative(anyelement, float8, integer, "any") IS 'dp_consistent_nonnegative of these';
CREATE FUNCTION dp_internal.fitting_share(answer anyelement, error float8, level integer, VARIADIC keys "any") RETURNS float8
    LANGUAGE c IMMUTABLE WINDOW PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_fitting_share';
COMMENT ON FUNCTION dp_internal.fitting_share(anyelement, float8, integer, "any") IS 'what is left of their errors';

-- Of an error at max(confidence, 0.92). Sums of noise are less peaked than noise: of a symmetric law with one peak the error at a
-- smaller confidence is at most that share of it. A whole number is less than one off the number that it was rounded from.
CREATE FUNCTION dp_internal.fitting_error(error float8, share float8, confidence float8, is_integer boolean) RETURNS float8
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN is_integer THEN ceil(error * share * least(confidence / 0.92, 1) - 1e-9) + 0 ELSE error * share * least(confidence / 0.92, 1) END;
COMMENT ON FUNCTION dp_internal.fitting_error(float8, float8, float8, boolean) IS 'dp_error of an answer that was made to add up';
