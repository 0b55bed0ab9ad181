-- What an analyst may know of a protected table before asking: what is declared of it, and nothing from its rows.

CREATE FUNCTION dp.answers_left(relation regclass, epsilon float8, delta float8 DEFAULT 0) RETURNS bigint
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp SET dp.epsilon = '0' AS $$
DECLARE
    budget dp.budgets;
BEGIN
    IF relation IS NULL OR epsilon IS NULL OR delta IS NULL THEN
        RAISE EXCEPTION '% of dp.answers_left must not be NULL',
                CASE WHEN relation IS NULL THEN 'relation' WHEN epsilon IS NULL THEN 'epsilon' ELSE 'delta' END
            USING ERRCODE = '22023', HINT = 'For example dp.answers_left(''visits'', 0.5).';
    END IF;
    IF NOT epsilon BETWEEN 1e-9 AND 1e6 THEN
        RAISE EXCEPTION 'epsilon must be a number from 1e-9 to 1e6, not %', epsilon
            USING ERRCODE = '22023', HINT = 'Give the epsilon of one answer, for example dp.answers_left(''visits'', 0.5).';
    END IF;
    IF NOT (delta >= 0 AND delta < 1) THEN
        RAISE EXCEPTION 'delta must be a number from 0 to below 1, not %', delta
            USING ERRCODE = '22023', HINT = 'Give the delta of one answer: 0 for all mechanisms but gaussian and gg.';
    END IF;
    PERFORM set_config('dp.epsilon', epsilon::text, true);
    -- The account that pays: one's own, for a curator without one the table, else one that is inherited.
    SELECT b.* INTO budget FROM dp.budgets b LEFT JOIN pg_roles r ON r.oid = b.role
    WHERE b.relation = answers_left.relation AND (b.role IS NULL OR pg_has_role(b.role, 'USAGE'))
    ORDER BY r.rolname IS NOT DISTINCT FROM current_user DESC, b.role IS NULL DESC, b.epsilon_left LIMIT 1;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'role % has no budget on table %', quote_ident(current_user), relation
            USING ERRCODE = '42501',
                HINT = format('Ask its curator: SELECT dp.grant_budget(%L, %L, 1);', relation, quote_ident(current_user));
    END IF;
    IF budget.closed OR epsilon::numeric > budget.query_epsilon_limit OR epsilon::numeric < budget.query_epsilon_least THEN
        RETURN 0;
    END IF;
    RETURN least(budget.answers_left, floor(budget.delta_left / nullif(delta::numeric, 0)));
END
$$;
COMMENT ON FUNCTION dp.answers_left(regclass, float8, float8) IS
    'how many answers of that epsilon and delta, each in a statement of its own, the budget of the current role still allows on a '
    'protected table; for a curator without an account, that of the table';

CREATE FUNCTION dp.answers_left(relation regclass, call text) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_answers_left';
COMMENT ON FUNCTION dp.answers_left(regclass, text) IS
    'how often that may still be asked of a protected table, each time in a statement of its own and answered anew, as far as the budgets '
    'that it is charged to go: one aggregate, dp_count(''*'', 0.1), or several; NULL: as often as one likes';

-- What the guard says of a query decides what is listed; which ones are tried is read from the schema.
CREATE FUNCTION dp.describe_table(relation regclass, OUT item text, OUT value text) RETURNS SETOF record
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE ROWS 10 SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    subject CONSTANT regclass := describe_table.relation;
    budget dp.budgets;
    unit dp.units;
    one record;
    by_group text;
    price numeric;
BEGIN
    SELECT u.* INTO unit FROM dp.units u WHERE u.relation = subject;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'table % is not protected, or role % has no budget on it', coalesce(subject::text, 'NULL'),
                quote_ident(current_user)
            USING ERRCODE = '42501', HINT = 'SELECT relation FROM dp.units; names the tables that you may ask.';
    END IF;
    SELECT b.* INTO budget FROM dp.budgets b LEFT JOIN pg_roles r ON r.oid = b.role
    WHERE b.relation = subject AND (b.role IS NULL OR pg_has_role(b.role, 'USAGE'))
    ORDER BY r.rolname IS NOT DISTINCT FROM current_user DESC, b.role IS NULL DESC, b.epsilon_left LIMIT 1;

    item := 'privacy unit';
    value := coalesce('all rows with the same value in ' || unit.privacy_unit, 'each row');
    RETURN NEXT;
    item := 'limits';
    value := CASE
        WHEN unit.privacy_unit IS NULL THEN 'none: each row is a unit'
        WHEN unit.max_rows_per_unit IS NOT NULL THEN
            format('%s rows of a unit count, in all groups together', unit.max_rows_per_unit)
        WHEN unit.max_groups_per_unit IS NOT NULL THEN
            format('%s rows of a unit count in each of %s groups', unit.max_rows_per_group, unit.max_groups_per_unit)
        WHEN unit.is_unique THEN 'none: a unit has one row'
        ELSE 'none is declared: one is chosen privately for each answer, for a quarter of its epsilon; in quantiles one row of a unit counts' END || coalesce(', the ' || unit.rows_kept || ' by ' || unit.rows_kept_by, '')
        || CASE WHEN unit.max_rows_per_unit > 0 OR unit.max_groups_per_unit > 0
            THEN '; rows beyond are in no answer, and no interval includes them' ELSE '' END;
    RETURN NEXT;

    item := 'left';
    value := format('epsilon %s of %s', trim_scale(budget.epsilon_left), trim_scale(budget.epsilon_limit))
        || CASE WHEN budget.delta_limit > 0 THEN
            format(', delta %s of %s', trim_scale(budget.delta_left), trim_scale(budget.delta_limit)) ELSE '' END
        || coalesce('; one statement may cost at most ' || trim_scale(budget.query_epsilon_limit), '')
        || CASE WHEN budget.closed THEN '; closed until a curator says dp.reopen()' ELSE '' END;
    RETURN NEXT;

    -- Declared values; then what booleans, enums and foreign keys name.
    item := 'public groups';
    FOR one IN SELECT d.expression, cardinality(d.domain_values) AS size, d.domain_values[:10] AS first
        FROM dp.public_domain d WHERE d.relation = subject ORDER BY d.expression COLLATE "C" LOOP
        by_group := coalesce(by_group, one.expression);
        value := format('%s: %s%s', one.expression, array_to_string(one.first, ', '),
            CASE WHEN one.size > 10 THEN format(', ... (%s values)', one.size) ELSE '' END);
        RETURN NEXT;
    END LOOP;
    FOR one IN
        SELECT quote_ident(a.attname) AS name, CASE
                WHEN a.atttypid = 'boolean'::regtype THEN 'false, true'
                WHEN t.typtype = 'e' THEN
                    (SELECT string_agg(e.enumlabel, ', ' ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = a.atttypid)
                ELSE (SELECT format('the values of %I in %s', r.attname, f.confrelid::regclass)
                    FROM pg_constraint f JOIN pg_attribute r ON r.attrelid = f.confrelid AND r.attnum = f.confkey[1]
                    WHERE f.conrelid = subject AND f.contype = 'f' AND f.conkey = ARRAY[a.attnum]
                        AND has_column_privilege(f.confrelid, r.attnum, 'SELECT')
                    ORDER BY f.oid LIMIT 1) END AS shown
        FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
        WHERE a.attrelid = subject AND a.attnum > 0 AND NOT a.attisdropped
            AND NOT EXISTS (SELECT FROM dp.public_domain d WHERE d.relation = subject AND d.expression = quote_ident(a.attname))
        ORDER BY a.attnum LOOP
        CONTINUE WHEN one.shown IS NULL OR NOT (SELECT admissible OR sqlstate = 'DP005' FROM dp.admissible(format(
            'SELECT %s, @extschema@.dp_count(''*'', 1e-6) FROM %s GROUP BY 1', one.name, subject)));
        by_group := coalesce(by_group, one.name);
        value := format('%s: %s', one.name, one.shown);
        RETURN NEXT;
    END LOOP;
    item := 'other groups';
    value := CASE
        WHEN budget.group_epsilon > 0 THEN format('shown where a private test of their size says so: epsilon %s and delta %s for each grouping set',
            trim_scale(budget.group_epsilon), trim_scale(budget.group_delta))
        WHEN budget.group_epsilon IS NULL AND budget.delta_limit > 0 THEN
            'shown where a private test of their size says so, for a half of the price of their answers'
        ELSE 'those that follow from ranges or from the key itself, such as CASE; else refused' END;
    RETURN NEXT;

    item := 'range';
    FOR one IN SELECT d.column_name, d.lower, d.upper FROM dp.declared_range d WHERE d.relation = subject
        ORDER BY d.column_name COLLATE "C" LOOP
        value := format('%I: from %s to %s', one.column_name, one.lower, one.upper);
        RETURN NEXT;
    END LOOP;

    item := 'join';
    FOR one IN
        -- A public table by a unique index on columns of the same names, or by a foreign key; then other tables of the same unit.
        SELECT 1 AS kind, i.indrelid::regclass AS partner,
            format('USING (%s)', string_agg(quote_ident(a.attname), ', ' ORDER BY k.n)) AS condition
        FROM pg_index i CROSS JOIN unnest(i.indkey::smallint[]) WITH ORDINALITY AS k(number, n)
            JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number
            JOIN pg_attribute o ON o.attrelid = subject AND o.attname = a.attname AND o.atttypid = a.atttypid AND NOT o.attisdropped
        WHERE i.indisunique AND i.indrelid <> subject AND has_table_privilege(i.indrelid, 'SELECT') AND k.n <= i.indnkeyatts
            AND NOT EXISTS (SELECT FROM dp.units u WHERE u.relation = i.indrelid)
            AND NOT EXISTS (SELECT FROM pg_class c WHERE c.oid = i.indrelid AND c.relnamespace = 'pg_catalog'::regnamespace)
        GROUP BY i.indexrelid, i.indrelid, i.indnkeyatts HAVING count(*) = i.indnkeyatts
        UNION
        SELECT 1, f.confrelid::regclass, 'ON ' || string_agg(
            format('%s.%I = %s.%I', subject, o.attname, f.confrelid::regclass, a.attname), ' AND ' ORDER BY k.n)
        FROM pg_constraint f CROSS JOIN unnest(f.conkey, f.confkey) WITH ORDINALITY AS k(own, other, n)
            JOIN pg_attribute o ON o.attrelid = subject AND o.attnum = k.own
            JOIN pg_attribute a ON a.attnum = k.other
        WHERE f.conrelid = subject AND f.contype = 'f' AND a.attrelid = f.confrelid
            AND has_table_privilege(f.confrelid, 'SELECT') AND NOT EXISTS (SELECT FROM dp.units u WHERE u.relation = f.confrelid)
        GROUP BY f.oid, f.confrelid HAVING bool_or(o.attname <> a.attname)
        UNION
        SELECT 2, u.relation, format('ON %s.%I = %s.%I', subject, unit.privacy_unit, u.relation, u.privacy_unit)
        FROM dp.units u WHERE u.relation <> subject AND unit.privacy_unit IS NOT NULL AND u.privacy_unit IS NOT NULL
        UNION -- along a step of the path to the unit, on either side
        SELECT 2, CASE WHEN f.conrelid = subject THEN f.confrelid ELSE f.conrelid END::regclass, 'ON ' || string_agg(
            format('%s.%I = %s.%I', f.conrelid::regclass, o.attname, f.confrelid::regclass, a.attname), ' AND ' ORDER BY k.n)
        FROM pg_constraint f CROSS JOIN unnest(f.conkey, f.confkey) WITH ORDINALITY AS k(own, other, n)
            JOIN pg_attribute o ON o.attrelid = f.conrelid AND o.attnum = k.own
            JOIN pg_attribute a ON a.attrelid = f.confrelid AND a.attnum = k.other
        WHERE f.contype = 'f' AND subject IN (f.conrelid, f.confrelid) AND f.conrelid <> f.confrelid
            AND EXISTS (SELECT FROM dp.units u WHERE u.relation = f.conrelid AND u.privacy_unit LIKE '%.%')
            AND EXISTS (SELECT FROM dp.units u WHERE u.relation = f.confrelid)
        GROUP BY f.oid, f.conrelid, f.confrelid
        ORDER BY 1, 2, 3 LIMIT 50 LOOP
        CONTINUE WHEN NOT (SELECT admissible OR sqlstate = 'DP005' FROM dp.admissible(format(
            'SELECT @extschema@.dp_count(''*'', 1e-6) FROM %s JOIN %s %s', subject, one.partner, one.condition)));
        value := format('JOIN %s %s', one.partner, one.condition)
            || CASE WHEN one.kind = 2 THEN ': protected too, both are charged' ELSE '' END;
        RETURN NEXT;
    END LOOP;

    item := 'for example';
    price := least(0.5, budget.epsilon_left, budget.query_epsilon_limit);
    value := CASE
        WHEN price <= 0 THEN 'nothing is left: a curator may give more by dp.grant_budget'
        WHEN by_group IS NULL THEN format('SELECT dp_count(''*'', %s) FROM %s;', trim_scale(price), subject)
        ELSE format('SELECT %1$s, dp_count(''*'', %2$s) FROM %3$s GROUP BY %1$s;', by_group, trim_scale(price), subject) END;
    RETURN NEXT;
END
$$;
COMMENT ON FUNCTION dp.describe_table(regclass) IS
    'what may be known of a protected table before asking: privacy unit, limits, what is left of one''s budget, public groups, '
    'declared ranges, joins that are admitted, an example; for roles with a budget on it, and nothing of it comes from its rows';
