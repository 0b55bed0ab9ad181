-- What helps to ask in plain SQL.
CREATE FUNCTION dp.private_form(query text) RETURNS text
    LANGUAGE c STABLE PARALLEL UNSAFE STRICT AS 'MODULE_PATHNAME', 'dp_private_form';
COMMENT ON FUNCTION dp.private_form(text) IS
    'a statement with the private calls written out that stand for its ordinary aggregates; nothing runs';

-- A view that lists a protected table for tools that hide what a role may not read. Through it roles ask as themselves
-- (security_invoker): rows stay closed to them, and answers are charged to their accounts.
CREATE FUNCTION dp.expose(relation regclass, in_schema name DEFAULT 'bi') RETURNS regclass
    LANGUAGE plpgsql VOLATILE STRICT SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    exposed text := format('%I.%I', in_schema, (SELECT relname FROM pg_class WHERE oid = relation));
    unit record;
    line record;
BEGIN
    SELECT u.privacy_unit, coalesce('at most ' || u.max_rows_per_unit || ' rows of one count in an answer',
               'at most ' || u.max_rows_per_group || ' rows in each of ' || u.max_groups_per_unit || ' groups of one count in an answer',
               CASE WHEN u.is_unique THEN 'it has one row' ELSE 'as many of its rows as are chosen privately' END) AS most
        INTO unit FROM dp.units u WHERE u.relation = expose.relation;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'table % is not protected', relation USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = format('SELECT dp.protect(%L, 10);', relation::text);
    END IF;
    EXECUTE format('CREATE SCHEMA IF NOT EXISTS %I', in_schema);
    EXECUTE format('CREATE OR REPLACE VIEW %s WITH (security_invoker = true) AS SELECT * FROM %s', exposed, relation);
    EXECUTE format('COMMENT ON VIEW %s IS %L', exposed, 'protected: aggregates alone, charged to your budget; '
        || CASE WHEN unit.privacy_unit IS NULL THEN 'an answer hides each row'
                ELSE 'an answer hides each ' || unit.privacy_unit || ', ' || unit.most END);
    FOR line IN
        SELECT a.attname, concat_ws('; ', 'from ' || r.lower || ' to ' || r.upper, 'one of ' || left(array_to_string(d.domain_values, ', '), 1000)) AS says
        FROM pg_attribute a
        LEFT JOIN dp.declared_range r ON r.relation = a.attrelid AND r.column_name = a.attname
        LEFT JOIN dp.public_domain d ON d.relation = a.attrelid AND d.expression = quote_ident(a.attname)
        WHERE a.attrelid = expose.relation AND a.attnum > 0 AND NOT a.attisdropped
    LOOP
        EXECUTE format('COMMENT ON COLUMN %s.%I IS %L', exposed, line.attname, nullif(line.says, ''));
    END LOOP;
    FOR line IN SELECT b.role FROM dp.budgets b WHERE b.relation = expose.relation AND b.role IS NOT NULL LOOP
        EXECUTE format('GRANT USAGE ON SCHEMA %I TO %s', in_schema, line.role);
        EXECUTE format('GRANT SELECT ON %s TO %s', exposed, line.role);
    END LOOP;
    RETURN exposed::regclass;
END
$$;
COMMENT ON FUNCTION dp.expose(regclass, name) IS
    'makes a view that lists a protected table for tools, with domains, bounds and unit in its comments, for the roles that have accounts';

-- A condition of inner queries that are joined to a list whose values are known when they start (src/guard/relations/open_lists.h).
CREATE FUNCTION dp_internal.all_differ(VARIADIC columns "any") RETURNS boolean
    LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_all_differ';
COMMENT ON FUNCTION dp_internal.all_differ("any") IS 'true; an error where two rows of these columns, arrays of one length, are alike';
CREATE FUNCTION dp_internal.plain_list(list anyarray) RETURNS anyarray
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_plain_list';
COMMENT ON FUNCTION dp_internal.plain_list(anyarray) IS 'the same list; an error for one of several dimensions, or of more than 400 values';
CREATE FUNCTION dp_internal.element(list anyarray, number integer) RETURNS anyelement
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_element';
COMMENT ON FUNCTION dp_internal.element(anyarray, integer) IS 'the element of a list of at most 400 values; NULL where it has no such';
CREATE FUNCTION dp_internal.zero_offset("offset" bigint) RETURNS bigint
    LANGUAGE c STABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_zero_offset';
COMMENT ON FUNCTION dp_internal.zero_offset(bigint) IS '0 for it and for NULL; an error for other numbers';
CREATE FUNCTION dp_internal.is_plain_pattern(pattern text) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_is_plain_pattern';
COMMENT ON FUNCTION dp_internal.is_plain_pattern(text) IS 'true; an error for a regular expression without groups that is not admitted below private aggregates';
