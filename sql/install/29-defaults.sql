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
