-- Calls that lack parameters, or whose value has no type that the aggregate takes: refused with what is missing (22023) in place of
-- "function does not exist" (src/aggregate/kinds/incomplete.cpp). One overload each. Where the value may have any type, it takes an
-- epsilon alone, which no complete call does: one that takes any would make complete calls with parameters of open types ambiguous.

CREATE FUNCTION dp_internal.dp_incomplete_add(internal, VARIADIC "any") RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_incomplete_add(internal, "any", float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_incomplete_answer(internal) RETURNS float8
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['dp_sum', 'dp_avg', 'dp_variance', 'dp_stddev', 'dp_var_pop', 'dp_stddev_pop', 'dp_median', 'dp_quantile'] LOOP
        EXECUTE format('CREATE AGGREGATE %I(VARIADIC "any") (SFUNC = dp_internal.dp_incomplete_add, STYPE = internal, '
            'FINALFUNC = dp_internal.dp_incomplete_answer, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED)', name);
        EXECUTE format('COMMENT ON AGGREGATE %I("any") IS ''says which parameters are missing''', name);
    END LOOP;
    FOREACH name IN ARRAY ARRAY['dp_mode', 'dp_histogram'] LOOP
        EXECUTE format('CREATE AGGREGATE %I("any", float8) (SFUNC = dp_internal.dp_incomplete_add, STYPE = internal, '
            'FINALFUNC = dp_internal.dp_incomplete_answer, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED)', name);
        EXECUTE format('COMMENT ON AGGREGATE %I("any", float8) IS ''says which parameters are missing''', name);
    END LOOP;
    FOREACH name IN ARRAY ARRAY['totals', 'moments'] LOOP
        EXECUTE format('CREATE FUNCTION dp_internal.dp_incomplete_answer_%1$s(internal) RETURNS dp_%1$s LANGUAGE c PARALLEL SAFE '
            'AS ''MODULE_PATHNAME'', ''dp_incomplete_answer''', name);
        EXECUTE format('CREATE AGGREGATE dp_%1$s(VARIADIC "any") (SFUNC = dp_internal.dp_incomplete_add, STYPE = internal, '
            'FINALFUNC = dp_internal.dp_incomplete_answer_%1$s, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED)', name);
        EXECUTE format('COMMENT ON AGGREGATE dp_%s("any") IS ''says which parameters are missing''', name);
    END LOOP;
END
$$;
