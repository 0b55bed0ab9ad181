-- Functions that give NULL where PostgreSQL's own raise an error, so that they can be called on the rows of a protected table.

-- dp_add, dp_sub, dp_mul, dp_div, dp_mod: as + - * / % for arguments of one type; NULL on overflow and on division by zero.
CREATE FUNCTION dp_add(x int2, y int2) RETURNS int2
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_add_int2';
COMMENT ON FUNCTION dp_add(int2, int2) IS 'sum; NULL where it is out of range';
CREATE FUNCTION dp_add(x int4, y int4) RETURNS int4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_add_int4';
COMMENT ON FUNCTION dp_add(int4, int4) IS 'sum; NULL where it is out of range';
CREATE FUNCTION dp_add(x int8, y int8) RETURNS int8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_add_int8';
COMMENT ON FUNCTION dp_add(int8, int8) IS 'sum; NULL where it is out of range';
CREATE FUNCTION dp_add(x float8, y float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_add_float8';
COMMENT ON FUNCTION dp_add(float8, float8) IS 'sum; NULL where it is out of range';
CREATE FUNCTION dp_add(x numeric, y numeric) RETURNS numeric
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_add_numeric';
COMMENT ON FUNCTION dp_add(numeric, numeric) IS 'sum; NULL where it is out of range';
CREATE FUNCTION dp_sub(x int2, y int2) RETURNS int2
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_sub_int2';
COMMENT ON FUNCTION dp_sub(int2, int2) IS 'difference; NULL where it is out of range';
CREATE FUNCTION dp_sub(x int4, y int4) RETURNS int4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_sub_int4';
COMMENT ON FUNCTION dp_sub(int4, int4) IS 'difference; NULL where it is out of range';
CREATE FUNCTION dp_sub(x int8, y int8) RETURNS int8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_sub_int8';
COMMENT ON FUNCTION dp_sub(int8, int8) IS 'difference; NULL where it is out of range';
CREATE FUNCTION dp_sub(x float8, y float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_sub_float8';
COMMENT ON FUNCTION dp_sub(float8, float8) IS 'difference; NULL where it is out of range';
CREATE FUNCTION dp_sub(x numeric, y numeric) RETURNS numeric
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_sub_numeric';
COMMENT ON FUNCTION dp_sub(numeric, numeric) IS 'difference; NULL where it is out of range';
CREATE FUNCTION dp_mul(x int2, y int2) RETURNS int2
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_mul_int2';
COMMENT ON FUNCTION dp_mul(int2, int2) IS 'product; NULL where it is out of range';
CREATE FUNCTION dp_mul(x int4, y int4) RETURNS int4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_mul_int4';
COMMENT ON FUNCTION dp_mul(int4, int4) IS 'product; NULL where it is out of range';
CREATE FUNCTION dp_mul(x int8, y int8) RETURNS int8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_mul_int8';
COMMENT ON FUNCTION dp_mul(int8, int8) IS 'product; NULL where it is out of range';
CREATE FUNCTION dp_mul(x float8, y float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_mul_float8';
COMMENT ON FUNCTION dp_mul(float8, float8) IS 'product; NULL where it is out of range';
CREATE FUNCTION dp_mul(x numeric, y numeric) RETURNS numeric
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_mul_numeric';
COMMENT ON FUNCTION dp_mul(numeric, numeric) IS 'product; NULL where it is out of range';
CREATE FUNCTION dp_div(x int2, y int2) RETURNS int2
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_div_int2';
COMMENT ON FUNCTION dp_div(int2, int2) IS 'quotient; NULL where it is out of range or y is zero';
CREATE FUNCTION dp_div(x int4, y int4) RETURNS int4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_div_int4';
COMMENT ON FUNCTION dp_div(int4, int4) IS 'quotient; NULL where it is out of range or y is zero';
CREATE FUNCTION dp_div(x int8, y int8) RETURNS int8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_div_int8';
COMMENT ON FUNCTION dp_div(int8, int8) IS 'quotient; NULL where it is out of range or y is zero';
CREATE FUNCTION dp_div(x float8, y float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_div_float8';
COMMENT ON FUNCTION dp_div(float8, float8) IS 'quotient; NULL where it is out of range or y is zero';
CREATE FUNCTION dp_div(x numeric, y numeric) RETURNS numeric
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_div_numeric';
COMMENT ON FUNCTION dp_div(numeric, numeric) IS 'quotient; NULL where it is out of range or y is zero';
CREATE FUNCTION dp_mod(x int2, y int2) RETURNS int2
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_mod_int2';
COMMENT ON FUNCTION dp_mod(int2, int2) IS 'remainder; NULL where it is out of range or y is zero';
CREATE FUNCTION dp_mod(x int4, y int4) RETURNS int4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_mod_int4';
COMMENT ON FUNCTION dp_mod(int4, int4) IS 'remainder; NULL where it is out of range or y is zero';
CREATE FUNCTION dp_mod(x int8, y int8) RETURNS int8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_mod_int8';
COMMENT ON FUNCTION dp_mod(int8, int8) IS 'remainder; NULL where it is out of range or y is zero';
CREATE FUNCTION dp_mod(x numeric, y numeric) RETURNS numeric
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_mod_numeric';
COMMENT ON FUNCTION dp_mod(numeric, numeric) IS 'remainder; NULL where it is out of range or y is zero';

-- Dates and timestamps; NULL out of their range and for infinite ones where + and - fail.
CREATE FUNCTION dp_add(x date, days int4) RETURNS date
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_add_date';
COMMENT ON FUNCTION dp_add(date, int4) IS 'that many days later; NULL where it is out of range';
CREATE FUNCTION dp_sub(x date, days int4) RETURNS date
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_sub_date';
COMMENT ON FUNCTION dp_sub(date, int4) IS 'that many days earlier; NULL where it is out of range';
CREATE FUNCTION dp_sub(x date, y date) RETURNS int4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_sub_dates';
COMMENT ON FUNCTION dp_sub(date, date) IS 'days from y to x; NULL where one is infinite';
CREATE FUNCTION dp_add(x date, span interval) RETURNS timestamp
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_add_date_interval';
COMMENT ON FUNCTION dp_add(date, interval) IS 'that much later; NULL where it is out of range';
CREATE FUNCTION dp_sub(x date, span interval) RETURNS timestamp
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_sub_date_interval';
COMMENT ON FUNCTION dp_sub(date, interval) IS 'that much earlier; NULL where it is out of range';
CREATE FUNCTION dp_add(x timestamp, span interval) RETURNS timestamp
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_add_timestamp';
COMMENT ON FUNCTION dp_add(timestamp, interval) IS 'that much later; NULL where it is out of range';
CREATE FUNCTION dp_sub(x timestamp, span interval) RETURNS timestamp
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_sub_timestamp';
COMMENT ON FUNCTION dp_sub(timestamp, interval) IS 'that much earlier; NULL where it is out of range';
CREATE FUNCTION dp_add(x timestamptz, span interval) RETURNS timestamptz
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_add_timestamptz';
COMMENT ON FUNCTION dp_add(timestamptz, interval) IS 'that much later; NULL where it is out of range';
CREATE FUNCTION dp_sub(x timestamptz, span interval) RETURNS timestamptz
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_sub_timestamptz';
COMMENT ON FUNCTION dp_sub(timestamptz, interval) IS 'that much earlier; NULL where it is out of range';
CREATE FUNCTION dp_sub(x timestamp, y timestamp) RETURNS interval
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_sub_timestamps';
COMMENT ON FUNCTION dp_sub(timestamp, timestamp) IS 'time from y to x; NULL where one is infinite or it is out of range';
CREATE FUNCTION dp_sub(x timestamptz, y timestamptz) RETURNS interval
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_sub_timestamps';
COMMENT ON FUNCTION dp_sub(timestamptz, timestamptz) IS 'time from y to x; NULL where one is infinite or it is out of range';

-- dp_try_...: as casts; NULL where these fail.
CREATE FUNCTION dp_try_int(x text) RETURNS int8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_int_text';
COMMENT ON FUNCTION dp_try_int(text) IS 'the integer that is written there; NULL where none is';
CREATE FUNCTION dp_try_int(x numeric) RETURNS int8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_int_numeric';
COMMENT ON FUNCTION dp_try_int(numeric) IS 'rounded to an integer; NULL where it is out of range';
CREATE FUNCTION dp_try_int(x float8) RETURNS int8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_int_float8';
COMMENT ON FUNCTION dp_try_int(float8) IS 'rounded to an integer; NULL where it is out of range';
CREATE FUNCTION dp_try_int(x int8) RETURNS int8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_int_int8';
COMMENT ON FUNCTION dp_try_int(int8) IS 'the integer itself';
CREATE FUNCTION dp_try_float(x text) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_float_text';
COMMENT ON FUNCTION dp_try_float(text) IS 'the number that is written there; NULL where none is';
CREATE FUNCTION dp_try_float(x numeric) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_float_numeric';
COMMENT ON FUNCTION dp_try_float(numeric) IS 'the nearest float8; NULL where it is out of range';
CREATE FUNCTION dp_try_numeric(x text) RETURNS numeric
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_numeric_text';
COMMENT ON FUNCTION dp_try_numeric(text) IS 'the number that is written there; NULL where none is';
CREATE FUNCTION dp_try_date(x text) RETURNS date
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_date_text';
COMMENT ON FUNCTION dp_try_date(text) IS 'the date that is written there; NULL where none is';
CREATE FUNCTION dp_try_timestamp(x text) RETURNS timestamp
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_timestamp_text';
COMMENT ON FUNCTION dp_try_timestamp(text) IS 'the timestamp that is written there; NULL where none is';
CREATE FUNCTION dp_try_timestamp(x date) RETURNS timestamp
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_timestamp_date';
COMMENT ON FUNCTION dp_try_timestamp(date) IS 'its midnight; NULL where it is out of range';
CREATE FUNCTION dp_try_timestamptz(x date) RETURNS timestamptz
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_timestamptz_date';
COMMENT ON FUNCTION dp_try_timestamptz(date) IS 'its midnight in the zone of the session; NULL where it is out of range';
CREATE FUNCTION dp_try_timestamp(x timestamptz) RETURNS timestamp
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_timestamp_timestamptz';
COMMENT ON FUNCTION dp_try_timestamp(timestamptz) IS 'as clocks in the zone of the session show it; NULL where it is out of range';

-- Groups and parts.
CREATE FUNCTION dp_bucket(x int4, width int4) RETURNS int4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_bucket_int4';
COMMENT ON FUNCTION dp_bucket(int4, int4) IS
    'largest multiple of width not above x; NULL where out of range, and for a width <= 0';
CREATE FUNCTION dp_bucket(x int8, width int8) RETURNS int8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_bucket_int8';
COMMENT ON FUNCTION dp_bucket(int8, int8) IS
    'largest multiple of width not above x; NULL where out of range, and for a width <= 0';
CREATE FUNCTION dp_bucket(x float8, width float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_bucket_float8';
COMMENT ON FUNCTION dp_bucket(float8, float8) IS
    'largest multiple of width not above x; NULL where out of range, and for a width <= 0';
CREATE FUNCTION dp_bucket(x numeric, width numeric) RETURNS numeric
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_bucket_numeric';
COMMENT ON FUNCTION dp_bucket(numeric, numeric) IS
    'largest multiple of width not above x; NULL where out of range, and for a width <= 0';
CREATE FUNCTION dp_round(x numeric, digits int4 DEFAULT 0) RETURNS numeric
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_round_numeric';
COMMENT ON FUNCTION dp_round(numeric, int4) IS 'rounded to that many digits after the point; NULL where it is out of range';
CREATE FUNCTION dp_trunc(field text, x timestamp) RETURNS timestamp
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_trunc_timestamp';
COMMENT ON FUNCTION dp_trunc(text, timestamp) IS
    'start of its hour, day, week, month..., as by date_trunc; NULL where out of range';
CREATE FUNCTION dp_trunc(field text, x timestamptz) RETURNS timestamptz
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_trunc_timestamptz';
COMMENT ON FUNCTION dp_trunc(text, timestamptz) IS
    'start of its hour, day, week, month..., as by date_trunc; NULL where out of range';
CREATE FUNCTION dp_trunc(field text, x timestamptz, zone text) RETURNS timestamptz
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_trunc_zone';
COMMENT ON FUNCTION dp_trunc(text, timestamptz, text) IS
    'start of its hour, day, week, month... in that zone; NULL where out of range';
CREATE FUNCTION dp_trunc(field text, x date) RETURNS date
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_trunc_date';
COMMENT ON FUNCTION dp_trunc(text, date) IS 'start of its week, month..., as by date_trunc; NULL where out of range';
CREATE FUNCTION dp_concat(x text, y text) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_concat';
COMMENT ON FUNCTION dp_concat(text, text) IS 'both together; NULL where they are longer than 1 MB';


-- What admission puts around values that could take much memory, and in the place of ->> and #>> on jsonb.
CREATE FUNCTION dp_internal.capped(x anyelement) RETURNS anyelement
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_capped';
COMMENT ON FUNCTION dp_internal.capped(anyelement) IS 'the value; NULL where it is longer than 1 MB';
CREATE FUNCTION dp_internal.jsonb_text(part jsonb) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_jsonb_text';
COMMENT ON FUNCTION dp_internal.jsonb_text(jsonb) IS 'as ->> gives it; NULL where it is longer than 1 MB';

-- The allow-list of admission: what may be called on the rows of a protected table, and provided what.
CREATE FUNCTION dp.total_functions(OUT function regprocedure, OUT provided text, OUT settings text) RETURNS SETOF record
    LANGUAGE c STABLE STRICT PARALLEL SAFE ROWS 600 AS 'MODULE_PATHNAME', 'dp_total_functions';
COMMENT ON FUNCTION dp.total_functions() IS
    'functions that may be called on the rows of a protected table, because they fail for none; provided: for which arguments;
    settings: those that its result depends on';

-- What the rewriter knows of PostgreSQL's functions (src/guard/functions), for sql/function_facts.
CREATE FUNCTION dp_internal.function_facts(OUT function regprocedure, OUT total_form text, OUT lowest bigint, OUT highest bigint, OUT never_null boolean) RETURNS SETOF record
    LANGUAGE c STABLE STRICT PARALLEL SAFE ROWS 900 AS 'MODULE_PATHNAME', 'dp_function_facts';
COMMENT ON FUNCTION dp_internal.function_facts() IS
    'what is known of functions: the name of the form that gives NULL in the place of an error; between which numbers the values lie,
    whatever the arguments; whether there is a value for all of them';
