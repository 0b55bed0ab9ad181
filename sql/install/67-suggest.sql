-- What a curator might declare of a table, found privately.

CREATE FUNCTION dp.suggest(relation regclass, epsilon float8 DEFAULT 0.5)
    RETURNS TABLE (about text, says text, run text)
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE ROWS 20 SET search_path = pg_catalog, pg_temp
    SET dp.max_rows_per_unit = 0 SET dp.epsilon = 0 SET client_min_messages = warning AS $$
#variable_conflict use_column
DECLARE
    subject CONSTANT regclass := suggest.relation;
    nothing CONSTANT text := 'nothing stands out of the noise: ask with a larger epsilon';
    unit record;
    one record;
    price numeric;
    names text[] := '{}';
    kinds text[] := '{}';
    share numeric;
    ends float8[];
    counts bigint[];
    least bigint;
    most integer;
    listed text[];
BEGIN
    IF subject IS NULL OR suggest.epsilon IS NULL OR NOT suggest.epsilon BETWEEN 1e-6 AND 1e6 THEN
        RAISE EXCEPTION 'dp.suggest() needs a table, and an epsilon from 1e-6 to 1e6 for all its questions, not % and %',
                coalesce(subject::text, 'NULL'), coalesce(suggest.epsilon::text, 'NULL')
            USING ERRCODE = '22023', HINT = 'For example dp.suggest(''visits'', 0.5).';
    END IF;
    SELECT u.* INTO unit FROM dp.units u WHERE u.relation = subject;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'table % is not protected, or role % has no budget on it', subject, quote_ident(current_user)
            USING ERRCODE = '42501', HINT = 'SELECT relation FROM dp.units; shows the tables on which the role has a budget.';
    END IF;
    -- Of what plain SQL knows too little: of numbers without bounds, of texts and moments without values, by which it groups for nothing.
    PERFORM set_config('dp.epsilon', '0.1', true), set_config('dp.max_rows_per_unit', CASE WHEN unit.is_unique OR unit.privacy_unit IS NULL THEN '0' ELSE '1' END, true);
    FOR one IN SELECT c.*, format(CASE c.kind WHEN 'range' THEN 'SELECT stddev(DISTINCT %1$I) FROM %2$s' WHEN 'values' THEN 'SELECT DISTINCT %1$I FROM %2$s'
                ELSE 'SELECT DISTINCT date_trunc(''year'', %1$I) FROM %2$s' END, c.name, subject) AS asked
        FROM (SELECT a.attname::text AS name, a.attnum, CASE
                WHEN a.atttypid = ANY ('{int2,int4,int8,numeric,float4,float8}'::regtype[]) THEN 'range'
                WHEN a.atttypid = ANY ('{date,timestamp,timestamptz}'::regtype[]) THEN 'years'
                WHEN (SELECT t.typcategory FROM pg_type t WHERE t.oid = a.atttypid) = 'S' THEN 'values' END AS kind
            FROM pg_attribute a WHERE a.attrelid = subject AND a.attnum > 0 AND NOT a.attisdropped) c
        -- A column that tells rows apart has nothing to say of them.
        WHERE c.kind IS NOT NULL AND NOT EXISTS (SELECT FROM pg_index x WHERE x.indrelid = subject AND x.indisunique AND x.indnkeyatts = 1 AND x.indkey[0] = c.attnum)
            AND c.name IS DISTINCT FROM unit.privacy_unit AND quote_ident(c.name) IS DISTINCT FROM unit.privacy_unit
        ORDER BY c.attnum LOOP
        BEGIN
            price := (SELECT max(c.epsilon) FROM dp.cost(one.asked) c);
        EXCEPTION WHEN OTHERS THEN
            price := NULL;
        END;
        CONTINUE WHEN price = 0 OR (price IS NOT NULL AND one.kind = 'range');
        names := names || one.name;
        kinds := kinds || one.kind;
    END LOOP;
    PERFORM set_config('dp.epsilon', '0', true), set_config('dp.max_rows_per_unit', '0', true);
    IF unit.privacy_unit IS NOT NULL AND NOT unit.is_unique AND unit.max_rows_per_unit IS NULL AND unit.max_groups_per_unit IS NULL THEN
        names := names || unit.privacy_unit;
        kinds := kinds || 'limit'::text;
    END IF;
    share := trunc((suggest.epsilon / nullif(cardinality(names), 0))::numeric, 9);

    FOR i IN 1 .. cardinality(names) LOOP
        about := names[i];
        says := nothing;
        run := NULL;
        -- One row of each unit, whichever it is, has as much to say of a column as all of them.
        PERFORM set_config('dp.max_rows_per_unit', CASE WHEN unit.is_unique OR unit.privacy_unit IS NULL OR kinds[i] = 'limit' THEN '0' ELSE '1' END, true);
        IF kinds[i] = 'range' THEN
            EXECUTE format('SELECT @extschema@.dp_bounds(%I, %s) FROM %s', about, share, subject) INTO ends;
            IF ends[1] < ends[2] THEN
                says := format('values are from %s to %s', trim_scale(round(ends[1]::numeric, 6)), trim_scale(round(ends[2]::numeric, 6)));
                run := format('SELECT dp.declare_range(%L, %L, %s, %s)', subject, about, trim_scale(round(ends[1]::numeric, 6)), trim_scale(round(ends[2]::numeric, 6)));
            END IF;
        ELSIF kinds[i] = 'years' THEN
            EXECUTE format('SELECT @extschema@.dp_histogram(extract(year FROM %I)::integer, 1900, 2100, 200, %s) FROM %s', about, share, subject) INTO counts;
            -- The chance that noise alone makes one year so large is 1 in 1,000.
            least := ceil(ln(200 * 500) / share);
            SELECT ARRAY[min(y), max(y)] INTO ends FROM generate_series(1, 200) y WHERE counts[y] > least;
            IF ends[1] IS NOT NULL THEN
                says := format('years are from %s to %s', 1899 + ends[1], 1899 + ends[2]);
                run := format('SELECT dp.declare_range(%L, %L, %L, %L)', subject, about, 1899 + ends[1] || '-01-01', 1899 + ends[2] || '-12-31');
            END IF;
        ELSIF kinds[i] = 'limit' THEN
            most := (SELECT min(q.max_rows_per_unit) FROM dp.limit_quality(subject, share::float8, 1) q WHERE q.rows_lost <= 2 * q.noise_of_a_count);
            IF most IS NOT NULL THEN
                says := format('beyond %s rows of one hardly anything is lost; counts, sums and averages need no limit', most);
                run := format('SELECT dp.protect(%L, max_rows_per_unit => %s)', subject, most);
            END IF;
        ELSIF EXISTS (SELECT FROM dp.budgets b WHERE b.relation = subject AND b.delta_limit = 0) THEN
            says := 'its values are chosen privately where table and role have a delta';
        ELSE
            PERFORM set_config('dp.epsilon', (2 * share)::text, true); -- of which a choice of groups costs half
            EXECUTE format('SELECT array_agg(value ORDER BY value) FROM (SELECT %1$I::text AS value FROM %2$s WHERE %1$I IS NOT NULL GROUP BY %1$I) AS s',
                about, subject) INTO listed;
            PERFORM set_config('dp.epsilon', '0', true);
            IF cardinality(listed) > 0 THEN
                says := format('%s values that many have', cardinality(listed));
                run := format('SELECT dp.declare_values(%L, %L, %s)', subject, quote_ident(about), (SELECT string_agg(quote_literal(v), ', ') FROM unnest(listed) v));
            END IF;
        END IF;
        RETURN NEXT;
    END LOOP;
END
$$;
COMMENT ON FUNCTION dp.suggest(regclass, float8) IS
    'what might be declared of a table, found privately by whoever has a budget on it, as statements for a curator to run: ranges of '
    'numbers and moments, values of texts (where table and role have a delta), and how many rows of a unit should count where a question '
    'needs that declared. Epsilon is for all of it together, in equal shares; what is known already is not asked';
