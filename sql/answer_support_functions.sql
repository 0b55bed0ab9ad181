-- Support functions lead nowhere outside the aggregates: an error, never a crash. All of this needs a superuser.
CALL own_schema('answer_support_functions');
SET client_min_messages = warning;
SELECT count(*) AS open_to_public FROM pg_proc p JOIN pg_depend d ON d.objid = p.oid AND d.classid = 'pg_proc'::regclass
WHERE d.refclassid = 'pg_extension'::regclass AND p.proname ~ '^dp_[a-z_]+_(add|answer|combine|serialize|deserialize)'
  AND has_function_privilege('public', p.oid, 'EXECUTE');

-- Parse analysis refuses direct calls: nothing can be passed as internal. Minor releases of PostgreSQL say so in different words.
CREATE FUNCTION refused(call text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE 'SELECT ' || call;
    RETURN false;
EXCEPTION WHEN undefined_function OR feature_not_supported THEN
    RETURN true;
END $$;
SELECT refused('dp_internal.dp_sum_answer_bigint(NULL)') AS answer, refused($$dp_internal.dp_state_deserialize('\x00', NULL)$$) AS state;

-- Under other signatures the same code can be called, and refuses.
CREATE FUNCTION forged_add(text, text) RETURNS text LANGUAGE c AS '$libdir/pg_dp', 'dp_count_add';
CREATE FUNCTION forged_answer(text) RETURNS bigint LANGUAGE c AS '$libdir/pg_dp', 'dp_count_answer';
CREATE FUNCTION forged_combine(text, text) RETURNS text LANGUAGE c AS '$libdir/pg_dp', 'dp_state_combine';
CREATE FUNCTION forged_serialize(text) RETURNS bytea LANGUAGE c AS '$libdir/pg_dp', 'dp_state_serialize';
CREATE FUNCTION forged_deserialize(bytea, text) RETURNS text LANGUAGE c AS '$libdir/pg_dp', 'dp_state_deserialize';
SELECT forged_add('a', 'b');
SELECT forged_add(NULL, 'b');
SELECT forged_answer('a');
SELECT forged_answer(NULL);
SELECT forged_combine('abcdefghijkl', 'abcdefghijkl');
SELECT forged_serialize('abcdefghijkl');
SELECT forged_deserialize('\x0100', 'a');
CREATE AGGREGATE forged_state(text) (SFUNC = forged_combine, STYPE = text);
SELECT forged_state(ward) FROM visits;
CREATE AGGREGATE forged_count(text) (SFUNC = forged_add, STYPE = text);
SELECT forged_count(ward) FROM visits;
SELECT forged_count(ward) OVER () FROM visits;

-- Aggregates of one's own on our functions: wrong final function, wrong types, states of somebody else.
CREATE AGGREGATE stolen_type(float8, float8, float8, float8) (SFUNC = dp_internal.dp_sum_add, STYPE = internal, FINALFUNC = dp_internal.dp_sum_answer_numeric);
SELECT stolen_type(cost, 0, 1, 1) FROM visits;
CREATE AGGREGATE stolen_final(float8, float8, float8, float8) (SFUNC = dp_internal.dp_sum_add, STYPE = internal, FINALFUNC = dp_internal.dp_count_answer);
SELECT stolen_final(cost, 0, 1, 1) FROM visits;
CREATE AGGREGATE stolen_state(int8) (SFUNC = int8_avg_accum, STYPE = internal, FINALFUNC = dp_internal.dp_count_answer);
SELECT stolen_state(large) FROM visits;
CREATE AGGREGATE raw_state(float8, float8, float8, float8) (SFUNC = dp_internal.dp_sum_add, STYPE = internal, FINALFUNC = numeric_avg);
SELECT raw_state(cost, 0, 1, 1) FROM visits;
CREATE AGGREGATE windowed(float8, float8, float8, float8) (SFUNC = dp_internal.dp_sum_add, STYPE = internal, FINALFUNC = dp_internal.dp_sum_answer_float8);
SELECT windowed(cost, 0, 1, 1) OVER () FROM visits;

CREATE FUNCTION text_add(internal, text, float8, float8, float8) RETURNS internal LANGUAGE c AS '$libdir/pg_dp', 'dp_sum_add';
CREATE AGGREGATE text_sum(text, float8, float8, float8) (SFUNC = text_add, STYPE = internal, FINALFUNC = dp_internal.dp_sum_answer_numeric);
SELECT text_sum(ward, 0, 1, 1) FROM visits;
CREATE FUNCTION short_add(internal, int8) RETURNS internal LANGUAGE c AS '$libdir/pg_dp', 'dp_count_add';
CREATE AGGREGATE short_count(int8) (SFUNC = short_add, STYPE = internal, FINALFUNC = dp_internal.dp_count_answer);
SELECT short_count(large) FROM visits;
CREATE FUNCTION typed_add(internal, int8, int8, int4) RETURNS internal LANGUAGE c AS '$libdir/pg_dp', 'dp_count_add';
CREATE AGGREGATE typed_count(int8, int8, int4) (SFUNC = typed_add, STYPE = internal, FINALFUNC = dp_internal.dp_count_answer);
SELECT typed_count(large, 1, 1) FROM visits;
CREATE FUNCTION scalar_categories(internal, int8, int8, float8) RETURNS internal LANGUAGE c AS '$libdir/pg_dp', 'dp_categories_add';
CREATE AGGREGATE scalar_histogram(int8, int8, float8) (SFUNC = scalar_categories, STYPE = internal, FINALFUNC = dp_internal.dp_histogram_answer);
SELECT scalar_histogram(large, 1, 1) FROM visits;
CREATE FUNCTION mixed_categories(internal, text, int8[], float8) RETURNS internal LANGUAGE c AS '$libdir/pg_dp', 'dp_categories_add';
CREATE AGGREGATE mixed_histogram(text, int8[], float8) (SFUNC = mixed_categories, STYPE = internal, FINALFUNC = dp_internal.dp_histogram_answer);
SELECT mixed_histogram(ward, '{1}', 1) FROM visits;

-- In parallel plans: our combine and serial functions on other states, and others on ours.
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
CREATE AGGREGATE borrowed(int8) (SFUNC = int8_avg_accum, STYPE = internal, FINALFUNC = numeric_poly_avg, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize, PARALLEL = SAFE);
SELECT borrowed(large) FROM many;
CREATE AGGREGATE lent(float8, float8, float8, float8) (SFUNC = dp_internal.dp_sum_add, STYPE = internal, FINALFUNC = dp_internal.dp_sum_answer_float8,
    COMBINEFUNC = int8_avg_combine, SERIALFUNC = int8_avg_serialize, DESERIALFUNC = int8_avg_deserialize, PARALLEL = SAFE);
SELECT lent(cost, 0, 1, 1) FROM many;
SELECT dp_count('*', 1e6) FROM many;

-- A state of another type than internal would be read as a pointer.
CREATE FUNCTION pointer_add(int8, "any", float8) RETURNS int8 LANGUAGE c AS '$libdir/pg_dp', 'dp_count_add';
CREATE FUNCTION pointer_answer(int8) RETURNS int8 LANGUAGE c AS '$libdir/pg_dp', 'dp_count_answer';
CREATE AGGREGATE pointer_count("any", float8) (SFUNC = pointer_add, STYPE = int8, FINALFUNC = pointer_answer, FINALFUNC_MODIFY = READ_WRITE, INITCOND = '1');
SELECT pointer_count(ward, 1.0::float8) FROM visits;
CREATE AGGREGATE pointer_state("any", float8) (SFUNC = pointer_add, STYPE = int8);
SELECT pointer_state(ward, 1.0::float8) FROM visits;
DROP FUNCTION pointer_add, pointer_answer CASCADE;

DROP FUNCTION forged_add, forged_answer, forged_combine, forged_serialize, forged_deserialize, text_add, short_add, typed_add,
    scalar_categories, mixed_categories CASCADE;
DROP AGGREGATE stolen_type(float8, float8, float8, float8), stolen_final(float8, float8, float8, float8), stolen_state(int8),
    raw_state(float8, float8, float8, float8), windowed(float8, float8, float8, float8), borrowed(int8), lent(float8, float8, float8, float8);
