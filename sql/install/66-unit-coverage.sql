-- Before limits are chosen: what each of them would leave out. It reads rows and answers without noise.

CREATE FUNCTION dp.unit_query(relation regclass, privacy_unit text DEFAULT NULL) RETURNS text
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_unit_query';
COMMENT ON FUNCTION dp.unit_query(regclass, text) IS
    'for curators: the query that shows whose each row of a table is, with the joins along the foreign keys of the path; privacy_unit: a '
    'column or a path to try; left out, that of the table; NULL where there is none';

CREATE FUNCTION dp.unit_coverage(relation regclass, epsilon float8 DEFAULT 1, privacy_unit text DEFAULT NULL)
    RETURNS TABLE (max_rows_per_unit integer, share_of_rows numeric, share_of_units numeric, rows_lost bigint,
        noise_of_a_count float8)
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE ROWS 6 SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    subject CONSTANT regclass := unit_coverage.relation;
    unit text := unit_coverage.privacy_unit;
BEGIN
    IF subject IS NULL OR unit_coverage.epsilon IS NULL THEN
        RAISE EXCEPTION '% of dp.unit_coverage must not be NULL', CASE WHEN subject IS NULL THEN 'relation' ELSE 'epsilon' END
            USING ERRCODE = '22023', HINT = 'For example dp.unit_coverage(''visits'', 0.5).';
    END IF;
    IF NOT unit_coverage.epsilon BETWEEN 1e-9 AND 1e6 THEN
        RAISE EXCEPTION 'epsilon must be a number from 1e-9 to 1e6, not %', unit_coverage.epsilon
            USING ERRCODE = '22023', HINT = 'Give the epsilon of a count, for example dp.unit_coverage(''visits'', 0.5).';
    END IF;
    IF NOT EXISTS (SELECT FROM pg_class WHERE oid = subject AND relkind IN ('r', 'p')) THEN
        RAISE EXCEPTION '% is not a table', subject
            USING ERRCODE = '42809', HINT = 'Give the name of a table, for example dp.unit_coverage(''visits'').';
    END IF;
    -- Its numbers are exact: only for those who say what others may learn of the table, and may read it themselves.
    IF NOT EXISTS (SELECT FROM pg_roles WHERE (rolname = 'dp_curator' OR oid = (SELECT relowner FROM pg_class WHERE oid = subject))
        AND pg_has_role(oid, 'USAGE')) THEN
        RAISE EXCEPTION 'must be a curator of table % to see what limits leave out', subject
            USING ERRCODE = '42501', DETAIL = 'The numbers are exact, not private.',
                HINT = format('Ask its owner, or a superuser: GRANT dp_curator TO %I;', current_user);
    END IF;
    unit := coalesce(unit, (SELECT u.privacy_unit FROM dp.units u WHERE u.relation = subject));
    IF unit IS NULL THEN
        RAISE EXCEPTION 'table % has no privacy unit', subject
            USING ERRCODE = '55000', HINT = format('Name a column: dp.unit_coverage(%L, privacy_unit => ''patient_id'').', subject);
    END IF;
    IF unit NOT LIKE '%.%'
        AND NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = subject AND attname = unit AND attnum > 0 AND NOT attisdropped) THEN
        RAISE EXCEPTION 'table % has no column %', subject, quote_ident(unit)
            USING ERRCODE = '42703',
                HINT = 'Name the column whose values are the privacy units, for example privacy_unit => ''patient_id''.';
    END IF;
    IF EXISTS (SELECT FROM pg_attribute WHERE attrelid = subject AND attname = unit AND NOT has_column_privilege(subject, attnum, 'SELECT')) THEN
        RAISE EXCEPTION 'permission denied to read column % of table %', quote_ident(unit), subject
            USING ERRCODE = '42501', HINT = format('Ask its owner: GRANT SELECT (%I) ON %s TO %I;', unit, subject, current_user);
    END IF;
    RETURN QUERY EXECUTE format($query$
        WITH unit AS (SELECT unit IS NULL AS nobody, count(*) AS size FROM (%s) s GROUP BY unit)
        SELECT most, round(sum(least(size, most)) FILTER (WHERE NOT nobody) / sum(size), 4),
            round(count(*) FILTER (WHERE NOT nobody AND size <= most)::numeric / nullif(count(*) FILTER (WHERE NOT nobody), 0), 4),
            coalesce(sum(size) - coalesce(sum(least(size, most)) FILTER (WHERE NOT nobody), 0), 0)::bigint,
            (SELECT expected_abs_error FROM @extschema@.dp_describe('geometric', $1, most, true))
        FROM unit RIGHT JOIN unnest('{1, 2, 3, 5, 10, 20}'::integer[]) most ON true
        GROUP BY most ORDER BY most $query$, dp.unit_query(subject, unit))
        USING unit_coverage.epsilon;
END
$$;
COMMENT ON FUNCTION dp.unit_coverage(regclass, float8, text) IS
    'for curators who may read the table; exact numbers, NOT private: show them to nobody who may not read it. What a limit of 1, 2, '
    '3, 5, 10 or 20 rows per privacy unit leaves: the share of rows that count, the share of units that lose none, how many rows do '
    'not count (the error of a count that no epsilon makes smaller), and the expected error by noise of a count at that epsilon. '
    'privacy_unit: a column or a path to try; left out, that of the table. Rows whose unit is NULL never count';

CREATE FUNCTION dp.limit_quality(relation regclass, epsilon float8 DEFAULT 0.1, answer_epsilon float8 DEFAULT 1)
    RETURNS TABLE (max_rows_per_unit integer, share_of_rows numeric, share_of_units numeric, rows_lost bigint, rows_lost_error bigint,
        noise_of_a_count float8)
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE ROWS 7 SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    subject CONSTANT regclass := limit_quality.relation;
    -- Units are counted by how many rows they have: bin i from ends[i - 1] + 1 to ends[i], more than any of them in none.
    ends CONSTANT bigint[] := array(SELECT n FROM generate_series(1, 10) n) || '{12, 14, 16, 18, 20, 30, 40, 50}'::integer[]
        || array(SELECT 50 << n FROM generate_series(1, 16) n);
    bins CONSTANT integer := cardinality(ends);
    middles numeric[];
    unit text;
    bin text;
    counts bigint[];
    deviation float8;
    top integer;
BEGIN
    IF subject IS NULL OR limit_quality.epsilon IS NULL OR limit_quality.answer_epsilon IS NULL THEN
        RAISE EXCEPTION 'no argument of dp.limit_quality may be NULL'
            USING ERRCODE = '22023', HINT = 'For example dp.limit_quality(''visits'', 0.1).';
    END IF;
    IF NOT limit_quality.epsilon BETWEEN 1e-9 AND 1e6 OR NOT limit_quality.answer_epsilon BETWEEN 1e-9 AND 1e6 THEN
        RAISE EXCEPTION 'epsilon must be a number from 1e-9 to 1e6, not %',
                CASE WHEN limit_quality.epsilon BETWEEN 1e-9 AND 1e6 THEN limit_quality.answer_epsilon ELSE limit_quality.epsilon END
            USING ERRCODE = '22023', HINT = 'For example dp.limit_quality(''visits'', 0.1).';
    END IF;
    SELECT u.privacy_unit INTO unit FROM dp.units u WHERE u.relation = subject;
    IF unit IS NULL THEN
        RAISE EXCEPTION 'table % has no privacy unit that role % may ask about', subject, quote_ident(current_user)
            USING ERRCODE = '55000', HINT = 'SELECT * FROM dp.units; shows the units of the tables on which the role has a budget.';
    END IF;
    SELECT string_agg(format('WHEN n <= %s THEN %s', e, i), ' ' ORDER BY i) INTO bin FROM unnest(ends) WITH ORDINALITY AS u(e, i);
    -- As everyone asks it, and charged so: one unit is in one bin.
    EXECUTE format('SELECT @extschema@.dp_histogram(CASE %s END, ARRAY[%s], %s) FROM (SELECT unit, count(*) AS n FROM (%s) AS whose '
            'WHERE unit IS NOT NULL GROUP BY unit) AS of_each',
            bin, (SELECT string_agg(i::text, ', ') FROM generate_series(1, bins) i), limit_quality.epsilon,
            CASE WHEN unit LIKE '%.%' THEN replace(dp.unit_query(subject), ' LEFT JOIN ONLY ', ' JOIN ONLY ') ELSE format('SELECT %I AS unit FROM %s', unit, subject) END)
        INTO counts;
    -- All from here on is computed from the noisy counts. Bins above the last one that is more than noise hold nothing, as far as one
    -- can tell: the chance that noise alone makes one of them so large is 1 in 1,000.
    top := coalesce((SELECT max(i) FROM generate_series(1, bins) i WHERE counts[i] > ln(bins * 500) / limit_quality.epsilon), 0);
    middles := array(SELECT (ends[i] + coalesce(ends[i - 1], 0) + 1) / 2.0 FROM generate_series(1, bins) i);
    deviation := sqrt(2 * exp(-least(limit_quality.epsilon, 700))) / (1 - exp(-least(limit_quality.epsilon, 700)));
    RETURN QUERY
        SELECT most, round(1 - least(lost / nullif(greatest(of_all, lost), 0), 1), 4), round(least(greatest(within / nullif(units, 0), 0), 1), 4),
            round(lost)::bigint, ceil(1.96 * deviation * sqrt(weights::float8))::bigint,
            (SELECT expected_abs_error FROM @extschema@.dp_describe('geometric', limit_quality.answer_epsilon, most, true))
        FROM (SELECT most, greatest(sum(counts[i] * greatest(middles[i] - most, 0)), 0) AS lost, sum(counts[i] * middles[i]) AS of_all,
                sum(counts[i]) FILTER (WHERE ends[i] <= most) AS within, greatest(sum(counts[i]), 0) AS units, sum(greatest(middles[i] - most, 0) ^ 2) AS weights
            FROM unnest('{1, 2, 3, 5, 10, 20, 50}'::integer[]) most, generate_series(1, top) i GROUP BY most) AS one
        ORDER BY most;
END
$$;
COMMENT ON FUNCTION dp.limit_quality(regclass, float8, float8) IS
    'what dp.unit_coverage shows, privately and for whoever has a budget on the table, charged epsilon: what a limit of 1, 2, 3, 5, 10, 20 '
    'or 50 rows per privacy unit would leave: the share of rows that count, the share of units that lose none, how many rows do not '
    'count and how far off that is in 95 of 100 cases by its noise (units with more than 10 rows are counted in bins, whose middle '
    'stands for them; no row: there are no more units than noise may show), and beside it the expected error by noise of a count at answer_epsilon';
