-- What reads no row is computed once, before the charge, whether a row would get there or not; and a parameter is what a constant
-- is.
SET client_min_messages = warning;
DROP ROLE IF EXISTS regress_values_asker;
CREATE ROLE regress_values_asker;
CREATE SCHEMA vals;
GRANT USAGE ON SCHEMA vals TO regress_values_asker;
SET search_path = vals, public;
CREATE TABLE t (id int, name text, code varchar(10), doc jsonb, seen timestamp, stored timestamptz, ill boolean);
INSERT INTO t SELECT i, 'n' || i % 5, 'c' || i % 5, jsonb_build_object('a', i % 4), '2024-01-01'::timestamp + i * interval '1 day',
    '2024-01-01'::timestamptz + i * interval '1 day', false FROM generate_series(1, 100) i;
SELECT dp.protect('t', 9e9) \g /dev/null
SELECT dp.grant_budget('t', 'regress_values_asker', 9e9, allow_leaks => true) \g /dev/null
CREATE FUNCTION charges() RETURNS bigint LANGUAGE sql RETURN (SELECT count(*) FROM dp.ledger WHERE relation = 'vals.t'::regclass);

-- Parameters as constants: in a plan for these values, and in one for any.
SET ROLE regress_values_asker;
PREPARE p_like(text) AS SELECT dp_count('*', 1e6) FROM t WHERE name LIKE $1;
PREPARE p_any(text[]) AS SELECT dp_count('*', 1e6) FROM t WHERE name LIKE ANY ($1);
PREPARE p_doc(jsonb) AS SELECT dp_count('*', 1e6) FROM t WHERE doc @> $1;
PREPARE p_part(int) AS SELECT dp_count('*', 1e6) FROM t WHERE substr(name, 1, $1) = 'n';
PREPARE p_mod(int) AS SELECT dp_count('*', 1e6) FROM t WHERE id % $1 = 0;
PREPARE p_field(text) AS SELECT dp_count('*', 1e6) FROM t WHERE date_part($1, seen) = 2024;
PREPARE p_array(text[]) AS SELECT dp_count('*', 1e6) FROM t WHERE code = ANY ($1);
PREPARE p_replace(text, text) AS SELECT dp_count('*', 1e6) FROM t WHERE replace(name, $1, $2) = '1';
PREPARE p_epsilon(float8) AS SELECT dp_count('*', $1) FROM t;
\set mode custom
\set once 'SET plan_cache_mode = force_' :mode '_plan; EXECUTE p_like(\'n1%\'); EXECUTE p_like(NULL); EXECUTE p_any(\'{n1%,n2%}\');'
\set once :once 'EXECUTE p_doc(\'{"a": 1}\'); EXECUTE p_part(1); EXECUTE p_mod(10); EXECUTE p_field(\'year\');'
\set once :once 'EXECUTE p_array(\'{c1,c2}\'); EXECUTE p_replace(\'n\', \'\'); EXECUTE p_epsilon(1e6);'
\pset tuples_only
\pset format unaligned
:once
\set bad 'SET plan_cache_mode = force_' :mode '_plan; EXECUTE p_like(\'%\\\'); EXECUTE p_like(repeat(\'x\', 1001));'
\set bad :bad 'EXECUTE p_any(ARRAY[\'a\\\']); EXECUTE p_doc(to_jsonb(repeat(\'x\', 1001))); EXECUTE p_part(-1);'
\set bad :bad 'EXECUTE p_mod(0); EXECUTE p_field(\'bogus\'); EXECUTE p_epsilon(-1);'
\set VERBOSITY terse
RESET ROLE;
SELECT charges() AS before \gset
SET ROLE regress_values_asker;
:bad
\set mode generic
\set bad 'SET plan_cache_mode = force_' :mode '_plan; EXECUTE p_like(\'%\\\'); EXECUTE p_like(repeat(\'x\', 1001));'
\set bad :bad 'EXECUTE p_any(ARRAY[\'a\\\']); EXECUTE p_doc(to_jsonb(repeat(\'x\', 1001))); EXECUTE p_part(-1);'
\set bad :bad 'EXECUTE p_mod(0); EXECUTE p_field(\'bogus\'); EXECUTE p_epsilon(-1);'
\set once 'SET plan_cache_mode = force_' :mode '_plan; EXECUTE p_like(\'n1%\'); EXECUTE p_like(NULL); EXECUTE p_any(\'{n1%,n2%}\');'
\set once :once 'EXECUTE p_doc(\'{"a": 1}\'); EXECUTE p_part(1); EXECUTE p_mod(10); EXECUTE p_field(\'year\');'
\set once :once 'EXECUTE p_array(\'{c1,c2}\'); EXECUTE p_replace(\'n\', \'\'); EXECUTE p_epsilon(1e6);'
:bad
RESET ROLE;
SELECT charges() - :before AS charged;  -- for nothing of that
SET ROLE regress_values_asker;
:once
-- One plan charges what the other does: two parameters are two aggregates, though they have one value.
PREPARE p_two(float8, float8) AS SELECT dp_count('*', $1), dp_count('*', $2) FROM t;
EXPLAIN (COSTS OFF) EXECUTE p_two(1, 1);
SET plan_cache_mode = force_custom_plan;
EXPLAIN (COSTS OFF) EXECUTE p_two(1, 1);
RESET plan_cache_mode;
-- A call that no value can make total is refused when it is planned; and so it is by dp.admissible.
PREPARE p_plus(int) AS SELECT dp_count('*', 1e6) FROM t WHERE id + $1 = 2;
EXECUTE p_plus(1);

-- Errors come before any row, and also where none would get there; free of charge. EXPLAIN tells them too.
RESET ROLE;
SELECT charges() AS before \gset
SET ROLE regress_values_asker;
PREPARE p_divide(int) AS SELECT dp_count('*', 1e6) FROM t WHERE CASE WHEN ill THEN id = 1 / $1 END;
SET plan_cache_mode = force_generic_plan;
EXECUTE p_divide(0);
EXPLAIN EXECUTE p_divide(0);
PREPARE p_large(text) AS SELECT dp_count('*', 1e6) FROM t WHERE btrim(CASE WHEN ill AND id = 7 THEN $1 END, 'q') = '';
EXECUTE p_large(repeat('x', 140000000));
EXECUTE p_large(repeat('x', 1048577));
EXECUTE p_large(repeat('x', 1048576));
SELECT dp_count('*', 1e6) FROM t WHERE ill AND name = repeat('x', 100000000);
SELECT dp_count('*', 1e6) FROM t WHERE id = ANY (array_fill(1, ARRAY[1000000]));
RESET plan_cache_mode;
SELECT dp_count('*', 1e6) FROM t WHERE CASE WHEN ill THEN stored > ('2024-02-30' || name)::timestamptz END;
PREPARE p_date(text) AS SELECT dp_count('*', 1e6) FROM t WHERE CASE WHEN ill THEN stored > $1::timestamptz END;
EXECUTE p_date('2024-02-30');
PREPARE p_trunc(text) AS SELECT dp_count(date_trunc($1, stored), 1e6) FROM t WHERE ill;
EXECUTE p_trunc('bogus');
RESET ROLE;
SELECT charges() - :before AS charged;  -- the one of 1048576 bytes, and the one of a text that may be no moment
SET ROLE regress_values_asker;

-- Moments of the statement, texts read as moments: values. What reads the catalogs is none.
SELECT dp_count('*', 1e6) FROM t WHERE seen < current_date + 100000 AND stored < now()
    AND stored > '2024-01-01'::text::timestamptz - '1 day'::text::interval;
SELECT dp_count('*', 1e6) FROM t WHERE CASE 'n1' WHEN name THEN true ELSE length(name) = length('xxx') END;
SELECT dp_count('*', 1e6) FROM t WHERE ill = has_table_privilege('vals.t', 'select');
SELECT dp_count('*', 1e6) FROM t WHERE ill AND name <> current_database();
SELECT dp_count('*', 1e6) FROM t WHERE ill = row_security_active('vals.t'::regclass);
SELECT dp_count('*', 1e6) FROM t WHERE ill AND name = pg_get_viewdef('vals.t'::regclass);
SELECT dp_count('*', 1e6) FROM t WHERE ill AND ts_match_tq('x', 'y');
SELECT dp_count('*', 1e6) FROM t WHERE ill AND id = 'vals.t'::text::regclass::oid::int;

-- A setting that a function above the noise changes while the statement is planned: what was judged is what runs.
CREATE FUNCTION pg_temp.change(setting text, value text) RETURNS int LANGUAGE plpgsql IMMUTABLE AS
    $$ BEGIN PERFORM set_config(setting, value, false); RETURN 1; END $$;
SET extra_float_digits = 1;
SELECT pg_temp.change('extra_float_digits', '0'), dp_count('*', 1e6) FROM t
WHERE id / (length((0.1::float8 + 0.2::float8)::text) - 3) = 0;
SET extra_float_digits = 1;
SELECT pg_temp.change('extra_float_digits', '0'), dp_count('*', 1e6) FROM t
WHERE name LIKE '%' || left('\\', (length((0.1::float8 + 0.2::float8)::text) - 17)) ;
RESET extra_float_digits;
SET bytea_output = hex;
SELECT pg_temp.change('bytea_output', 'escape'), dp_count('*', 1e6) FROM t WHERE id / (length('\x61'::bytea::text) - 1) = 0;
RESET bytea_output;
-- Workers get the values and the collations.
-- force_parallel_mode was its name before 16.
SELECT name AS forced_parallel FROM pg_settings WHERE name IN ('force_parallel_mode', 'debug_parallel_query') \gset
SET :forced_parallel = on;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET plan_cache_mode = force_generic_plan;
EXECUTE p_like('n1%');
PREPARE p_order(text) AS SELECT dp_count('*', 1e6) FROM t WHERE name COLLATE "und-x-icu" < $1;
EXECUTE p_order('n3');
RESET ALL;
\pset tuples_only off
\pset format aligned
DROP FUNCTION pg_temp.change(text, text);
RESET ROLE;
DROP SCHEMA vals CASCADE;
DROP ROLE regress_values_asker;
