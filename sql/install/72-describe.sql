-- What a program has to know before it asks for somebody, in one piece.

-- Of a column: its values where they are public, at most 100 of them.
CREATE FUNCTION dp_internal.describe_column(subject regclass, number smallint) RETURNS jsonb
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    said jsonb;
    values text[];
    listed regclass;
    key name;
BEGIN
    SELECT jsonb_strip_nulls(jsonb_build_object('name', quote_ident(a.attname), 'type', format_type(a.atttypid, a.atttypmod),
            'says', col_description(subject, number),
            'range', CASE WHEN r.lower IS NOT NULL THEN jsonb_build_array(r.lower, r.upper) END))
        INTO said
        FROM pg_attribute a LEFT JOIN dp.declared_range r ON r.relation = a.attrelid AND r.column_name = a.attname
        WHERE a.attrelid = subject AND a.attnum = number;
    SELECT CASE
            WHEN d.relation IS NOT NULL THEN d.domain_values[:101]
            WHEN a.atttypid = 'boolean'::regtype THEN '{false,true}'
            WHEN t.typtype = 'e' THEN ARRAY(SELECT e.enumlabel::text FROM pg_enum e WHERE e.enumtypid = a.atttypid ORDER BY e.enumsortorder LIMIT 101)
            ELSE '{}' END, f.confrelid, f.attname
        INTO values, listed, key
        FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
            LEFT JOIN dp.public_domain d ON d.relation = subject AND d.expression = quote_ident(a.attname)
            LEFT JOIN LATERAL (
                SELECT f.confrelid, r.attname FROM pg_constraint f JOIN pg_attribute r ON r.attrelid = f.confrelid AND r.attnum = f.confkey[1]
                WHERE f.conrelid = subject AND f.contype = 'f' AND f.conkey = ARRAY[a.attnum] AND has_column_privilege(f.confrelid, r.attnum, 'SELECT')
                    -- Nothing that the table's owner wrote is to run: a cast, a policy.
                    AND (SELECT typnamespace FROM pg_type WHERE oid = r.atttypid) = 'pg_catalog'::regnamespace
                    AND NOT (SELECT relrowsecurity FROM pg_class WHERE oid = f.confrelid)
                    AND NOT EXISTS (SELECT FROM dp.units u WHERE u.relation = f.confrelid)
                ORDER BY f.oid LIMIT 1) f ON true
        WHERE a.attrelid = subject AND a.attnum = number;
    -- A table that the asker may read, and whose keys are groups.
    IF cardinality(values) = 0 AND listed IS NOT NULL AND (SELECT admissible OR sqlstate = 'DP005' FROM dp.admissible(format(
            'SELECT %s, @extschema@.dp_count(''*'', 1e-6) FROM %s GROUP BY 1', said ->> 'name', subject))) THEN
        EXECUTE format('SELECT array_agg(v ORDER BY v) FROM (SELECT DISTINCT %I::text AS v FROM %s ORDER BY 1 LIMIT 101) s', key, listed) INTO values;
    END IF;
    values := coalesce(values, '{}');
    RETURN CASE
        WHEN cardinality(values) = 0 THEN said
        WHEN cardinality(values) > 100 THEN said || jsonb_build_object('values', to_jsonb(values[:100]), 'more_values', true)
        ELSE said || jsonb_build_object('values', to_jsonb(values)) END;
END
$$;
COMMENT ON FUNCTION dp_internal.describe_column(regclass, smallint) IS 'a column as dp.describe() has it';

CREATE FUNCTION dp_internal.describe_one(subject regclass, columns jsonb) RETURNS jsonb
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp SET client_min_messages = warning
    SET intervalstyle = postgres AS $$
DECLARE
    budget dp.budgets;
    said jsonb;
    by_group text;
    measure text;
    day text;
    reads text := subject::text;
    asked text[];
    checked jsonb;
BEGIN
    -- The account that pays: one's own, for a curator without one the table, else one that is inherited.
    SELECT b.* INTO budget FROM dp.budgets b LEFT JOIN pg_roles r ON r.oid = b.role
    WHERE b.relation = subject AND (b.role IS NULL OR pg_has_role(b.role, 'USAGE'))
    ORDER BY r.rolname IS NOT DISTINCT FROM current_user DESC, b.role IS NULL DESC, b.epsilon_left LIMIT 1;
    said := (SELECT jsonb_object_agg(d.item, d.said) FROM (
        SELECT d.item, jsonb_agg(d.value) AS said FROM dp.describe_table(subject) d GROUP BY d.item) d);

    by_group := (SELECT c ->> 'name' FROM jsonb_array_elements(columns) WITH ORDINALITY AS c(c, n) WHERE c ? 'values' ORDER BY n LIMIT 1);
    measure := (SELECT c ->> 'name' FROM jsonb_array_elements(columns) WITH ORDINALITY AS c(c, n)
        WHERE c ? 'range' AND c ->> 'type' ~ '^(smallint|integer|bigint|numeric|real|double)' ORDER BY n LIMIT 1);
    day := (SELECT c ->> 'name' FROM jsonb_array_elements(columns) WITH ORDINALITY AS c(c, n)
        WHERE c ? 'range' AND c ->> 'type' ~ '^(date|timestamp)' ORDER BY n LIMIT 1);
    asked := array_remove(ARRAY[
        format('SELECT count(*) FROM %s', reads),
        CASE WHEN by_group IS NOT NULL THEN format('SELECT %1$s, count(*) FROM %2$s GROUP BY %1$s ORDER BY %1$s', by_group, reads) END,
        CASE WHEN measure IS NOT NULL THEN
            format('SELECT avg(%1$s), percentile_cont(0.5) WITHIN GROUP (ORDER BY %1$s) FROM %2$s', measure, reads) END,
        CASE WHEN by_group IS NOT NULL AND measure IS NOT NULL THEN
            format('SELECT %1$s, avg(%2$s), @extschema@.dp_error(avg(%2$s)) FROM %3$s GROUP BY %1$s ORDER BY %1$s', by_group, measure, reads) END,
        CASE WHEN day IS NOT NULL THEN
            format('SELECT date_trunc(''month'', %1$s) AS month, count(*) FROM %2$s GROUP BY month ORDER BY month', day, reads) END,
        format('SELECT * FROM %s LIMIT 10', reads),
        format('SELECT string_agg(%s::text, '','') FROM %s', coalesce(by_group, columns #>> '{0,name}'), reads)], NULL);
    checked := (SELECT jsonb_agg(jsonb_strip_nulls(to_jsonb(c)) ORDER BY c.number) FROM dp.check_dashboard(asked, 1) c);
    RETURN jsonb_strip_nulls(jsonb_build_object('table', reads, 'says', obj_description(subject, 'pg_class'),
        'privacy_unit', said #>> '{"privacy unit",0}', 'limits', said #>> '{limits,0}',
        'budget', jsonb_build_object('epsilon_left', trim_scale(budget.epsilon_left), 'epsilon_limit', trim_scale(budget.epsilon_limit),
            'delta_left', nullif(trim_scale(budget.delta_left), 0), 'statement_limit', trim_scale(budget.query_epsilon_limit),
            'closed', nullif(budget.closed, false), 'accountant', budget.accountant, 'until', budget.period_end, 'guarantee', budget.guarantee),
        'shown_again_for', (SELECT nullif(p.reuse_seconds, 0) * interval '1 second' FROM dp.answer_policy p WHERE p.relation = subject),
        'columns', columns, 'groups', said -> 'public groups', 'other_groups', said #>> '{"other groups",0}', 'joins', said -> 'join',
        'examples', (SELECT jsonb_agg(jsonb_build_object('sql', c -> 'query', 'epsilon', c -> 'epsilon',
                'expected_error', replace(c ->> 'expected_error', '@extschema@.', '')) ORDER BY n)
            FROM jsonb_array_elements(checked) WITH ORDINALITY AS c(c, n) WHERE (c ->> 'answered')::boolean),
        'refused', (SELECT jsonb_agg(jsonb_build_object('sql', c -> 'query', 'because', c -> 'finding', 'instead', c -> 'instead') ORDER BY n)
            FROM jsonb_array_elements(checked) WITH ORDINALITY AS c(c, n) WHERE NOT (c ->> 'answered')::boolean)));
END
$$;
COMMENT ON FUNCTION dp_internal.describe_one(regclass, jsonb) IS 'a table as dp.describe() has it';

CREATE FUNCTION dp.describe(relation regclass DEFAULT NULL) RETURNS jsonb
    LANGUAGE sql VOLATILE PARALLEL UNSAFE
BEGIN ATOMIC
    SELECT jsonb_build_object(
        'role', current_user,
        'ask', 'Plain SQL with aggregates: count(*), count(DISTINCT x), sum, avg, stddev, variance, percentile_cont, min, max, with WHERE, GROUP BY, '
            'HAVING, joins and subqueries. Every answer has noise, costs epsilon, and is charged before it is shown; the same question '
            'again may be free. Rows are never shown. dp_error(count(*)) beside an answer says how far it may be off. '
            'dp_count(''*'', 0.1) and its kin name their epsilon.',
        'refine', 'SELECT dp_last_release() after a question; SELECT * FROM dp_relax_release(number, epsilon) makes its answers more accurate '
            'for the price of the difference.',
        'check', 'SELECT * FROM dp.check_dashboard(ARRAY[''SELECT ...'']) says price, error and refusal of a statement before it is asked.',
        'tables', coalesce((
            SELECT jsonb_agg(dp_internal.describe_one(u.relation, (
                    SELECT jsonb_agg(dp_internal.describe_column(u.relation, a.attnum) ORDER BY a.attnum)
                    FROM pg_attribute a WHERE a.attrelid = u.relation AND a.attnum > 0 AND NOT a.attisdropped)) ORDER BY u.table_name)
            FROM dp.units u WHERE describe.relation IS NULL OR u.relation = describe.relation), '[]'));
END;
COMMENT ON FUNCTION dp.describe(regclass) IS
    'all that a program, or a language model, needs to ask for the current role: which tables it may ask, whom they hide, columns with their ranges and '
    'public values, what is left, what an answer costs and how far it is off, examples that are answered, and what is refused with the reason; '
    'of one table or of all. Nothing of it comes from rows, and nothing is charged';
