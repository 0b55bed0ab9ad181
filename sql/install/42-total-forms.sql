-- Total forms that nobody has to write: they stand in the place of PostgreSQL's casts and functions below private aggregates
-- (src/guard/forms/total_forms.h), and give NULL where these raise an error.
CREATE FUNCTION dp_internal.try_int4(x int8) RETURNS int4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_int4_int8';
COMMENT ON FUNCTION dp_internal.try_int4(int8) IS 'x as integer; NULL where it is out of range';
CREATE FUNCTION dp_internal.try_int4(x float8) RETURNS int4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_int4_float8';
COMMENT ON FUNCTION dp_internal.try_int4(float8) IS 'x rounded to an integer; NULL where it is out of range';
CREATE FUNCTION dp_internal.try_int4(x numeric) RETURNS int4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_int4_numeric';
COMMENT ON FUNCTION dp_internal.try_int4(numeric) IS 'x rounded to an integer; NULL where it is out of range';
CREATE FUNCTION dp_internal.abs(x int2) RETURNS int2
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_abs_int2';
COMMENT ON FUNCTION dp_internal.abs(int2) IS 'abs(x); NULL for the smallest number';
CREATE FUNCTION dp_internal.abs(x int4) RETURNS int4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_abs_int4';
COMMENT ON FUNCTION dp_internal.abs(int4) IS 'abs(x); NULL for the smallest number';
CREATE FUNCTION dp_internal.abs(x int8) RETURNS int8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_abs_int8';
COMMENT ON FUNCTION dp_internal.abs(int8) IS 'abs(x); NULL for the smallest number';
CREATE FUNCTION dp_internal.floor(x numeric) RETURNS numeric
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_floor_numeric';
COMMENT ON FUNCTION dp_internal.floor(numeric) IS 'floor(x); NULL where it is out of range';
CREATE FUNCTION dp_internal.ceil(x numeric) RETURNS numeric
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_ceil_numeric';
COMMENT ON FUNCTION dp_internal.ceil(numeric) IS 'ceil(x); NULL where it is out of range';
CREATE FUNCTION dp_internal.to_numeric(x numeric, modifier int4) RETURNS numeric
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_to_numeric';
COMMENT ON FUNCTION dp_internal.to_numeric(numeric, int4) IS 'x::numeric(p, s); NULL where it has too many digits';
CREATE FUNCTION dp_internal.at_zone(zone text, x timestamptz) RETURNS timestamp
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_at_zone_timestamptz';
COMMENT ON FUNCTION dp_internal.at_zone(text, timestamptz) IS 'x AT TIME ZONE zone; NULL where it is out of range';
CREATE FUNCTION dp_internal.at_zone(zone text, x timestamp) RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_at_zone_timestamp';
COMMENT ON FUNCTION dp_internal.at_zone(text, timestamp) IS 'x AT TIME ZONE zone; NULL where it is out of range';
CREATE FUNCTION dp_internal.to_char(x timestamp, pattern text) RETURNS text
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_to_char_timestamp';
COMMENT ON FUNCTION dp_internal.to_char(timestamp, text) IS 'to_char(x, pattern); NULL where it raises an error, and for patterns above 200 bytes';
CREATE FUNCTION dp_internal.to_char(x timestamptz, pattern text) RETURNS text
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_to_char_timestamptz';
COMMENT ON FUNCTION dp_internal.to_char(timestamptz, text) IS 'to_char(x, pattern); NULL where it raises an error, and for patterns above 200 bytes';
CREATE FUNCTION dp_internal.date_bin(stride interval, x timestamp, origin timestamp) RETURNS timestamp
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_date_bin_timestamp';
COMMENT ON FUNCTION dp_internal.date_bin(interval, timestamp, timestamp) IS 'date_bin(stride, x, origin); NULL where it raises an error';
CREATE FUNCTION dp_internal.date_bin(stride interval, x timestamptz, origin timestamptz) RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_date_bin_timestamptz';
COMMENT ON FUNCTION dp_internal.date_bin(interval, timestamptz, timestamptz) IS 'date_bin(stride, x, origin); NULL where it raises an error';
-- Casts.
CREATE FUNCTION dp_internal.try_int2(x int4) RETURNS int2
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_int2_int4';
COMMENT ON FUNCTION dp_internal.try_int2(int4) IS 'x as smallint; NULL where it is out of range';
CREATE FUNCTION dp_internal.try_int2(x int8) RETURNS int2
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_int2_int8';
COMMENT ON FUNCTION dp_internal.try_int2(int8) IS 'x as smallint; NULL where it is out of range';
CREATE FUNCTION dp_internal.try_int2(x float4) RETURNS int2
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_int2_float4';
COMMENT ON FUNCTION dp_internal.try_int2(float4) IS 'x as smallint; NULL where it is out of range';
CREATE FUNCTION dp_internal.try_int2(x float8) RETURNS int2
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_int2_float8';
COMMENT ON FUNCTION dp_internal.try_int2(float8) IS 'x as smallint; NULL where it is out of range';
CREATE FUNCTION dp_internal.try_int2(x numeric) RETURNS int2
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_int2_numeric';
COMMENT ON FUNCTION dp_internal.try_int2(numeric) IS 'x as smallint; NULL where it is out of range';
CREATE FUNCTION dp_internal.try_int4(x float4) RETURNS int4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_int4_float4';
COMMENT ON FUNCTION dp_internal.try_int4(float4) IS 'x rounded to an integer; NULL where it is out of range';
CREATE FUNCTION dp_internal.try_int8(x float4) RETURNS int8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_int8_float4';
COMMENT ON FUNCTION dp_internal.try_int8(float4) IS 'x rounded to a bigint; NULL where it is out of range';
CREATE FUNCTION dp_internal.try_float4(x float8) RETURNS float4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_float4_float8';
COMMENT ON FUNCTION dp_internal.try_float4(float8) IS 'x as real; NULL where it is out of range';
CREATE FUNCTION dp_internal.try_float4(x numeric) RETURNS float4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_float4_numeric';
COMMENT ON FUNCTION dp_internal.try_float4(numeric) IS 'x as real; NULL where it is out of range';
CREATE FUNCTION dp_internal.try_int2(x text) RETURNS int2
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_int2_text';
COMMENT ON FUNCTION dp_internal.try_int2(text) IS 'the int2 that is written there; NULL where none is';
CREATE FUNCTION dp_internal.try_int4(x text) RETURNS int4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_int4_text';
COMMENT ON FUNCTION dp_internal.try_int4(text) IS 'the int4 that is written there; NULL where none is';
CREATE FUNCTION dp_internal.try_time(x text) RETURNS time
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_time_text';
COMMENT ON FUNCTION dp_internal.try_time(text) IS 'the time that is written there; NULL where none is';
CREATE FUNCTION dp_internal.try_interval(x text) RETURNS interval
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_interval_text';
COMMENT ON FUNCTION dp_internal.try_interval(text) IS 'the interval that is written there; NULL where none is';
CREATE FUNCTION dp_internal.try_timestamptz(x text) RETURNS timestamptz
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_timestamptz_text';
COMMENT ON FUNCTION dp_internal.try_timestamptz(text) IS 'the timestamptz that is written there; NULL where none is';
CREATE FUNCTION dp_internal.try_bool(x text) RETURNS bool
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_bool_text';
COMMENT ON FUNCTION dp_internal.try_bool(text) IS 'the bool that is written there; NULL where none is';
CREATE FUNCTION dp_internal.try_uuid(x text) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_uuid_text';
COMMENT ON FUNCTION dp_internal.try_uuid(text) IS 'the uuid that is written there; NULL where none is';
CREATE FUNCTION dp_internal.to_timestamptz(x timestamp) RETURNS timestamptz
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_to_timestamptz';
COMMENT ON FUNCTION dp_internal.to_timestamptz(timestamp) IS 'x in the zone of the session; NULL where it is out of range';
-- Arithmetic of real, roots, logarithms, powers, angles.
CREATE FUNCTION dp_internal.add(x float4, y float4) RETURNS float4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_add_float4';
COMMENT ON FUNCTION dp_internal.add(float4, float4) IS 'x + y; NULL where it raises an error';
CREATE FUNCTION dp_internal.sub(x float4, y float4) RETURNS float4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_sub_float4';
COMMENT ON FUNCTION dp_internal.sub(float4, float4) IS 'x - y; NULL where it raises an error';
CREATE FUNCTION dp_internal.mul(x float4, y float4) RETURNS float4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_mul_float4';
COMMENT ON FUNCTION dp_internal.mul(float4, float4) IS 'x * y; NULL where it raises an error';
CREATE FUNCTION dp_internal.div(x float4, y float4) RETURNS float4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_div_float4';
COMMENT ON FUNCTION dp_internal.div(float4, float4) IS 'x / y; NULL where it raises an error';
CREATE FUNCTION dp_internal.sqrt(x float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_sqrt_float8';
COMMENT ON FUNCTION dp_internal.sqrt(float8) IS 'sqrt(x); NULL where it raises an error';
CREATE FUNCTION dp_internal.sqrt(x numeric) RETURNS numeric
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_sqrt_numeric';
COMMENT ON FUNCTION dp_internal.sqrt(numeric) IS 'sqrt(x); NULL where it raises an error, beyond 1e300, and with more than 1000 digits';
CREATE FUNCTION dp_internal.ln(x float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_ln_float8';
COMMENT ON FUNCTION dp_internal.ln(float8) IS 'ln(x); NULL where it raises an error';
CREATE FUNCTION dp_internal.ln(x numeric) RETURNS numeric
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_ln_numeric';
COMMENT ON FUNCTION dp_internal.ln(numeric) IS 'ln(x); NULL where it raises an error, beyond 1e300, and with more than 1000 digits';
CREATE FUNCTION dp_internal.exp(x float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_exp_float8';
COMMENT ON FUNCTION dp_internal.exp(float8) IS 'exp(x); NULL where it raises an error';
CREATE FUNCTION dp_internal.exp(x numeric) RETURNS numeric
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_exp_numeric';
COMMENT ON FUNCTION dp_internal.exp(numeric) IS 'exp(x); NULL where it raises an error, beyond 1e300, and with more than 1000 digits';
CREATE FUNCTION dp_internal.log(x float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_log_float8';
COMMENT ON FUNCTION dp_internal.log(float8) IS 'log(x); NULL where it raises an error';
CREATE FUNCTION dp_internal.log(base numeric, x numeric) RETURNS numeric
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_log_numeric';
COMMENT ON FUNCTION dp_internal.log(numeric, numeric) IS 'log(base, x); NULL where it raises an error, beyond 1e300, and with more than 1000 digits';
CREATE FUNCTION dp_internal.power(x float8, y float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_power_float8';
COMMENT ON FUNCTION dp_internal.power(float8, float8) IS 'x ^ y; NULL where it raises an error';
CREATE FUNCTION dp_internal.power(x numeric, y numeric) RETURNS numeric
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_power_numeric';
COMMENT ON FUNCTION dp_internal.power(numeric, numeric) IS 'x ^ y; NULL where it raises an error, and with more than 1000 digits';
CREATE FUNCTION dp_internal.sin(x float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_sin';
COMMENT ON FUNCTION dp_internal.sin(float8) IS 'sin(x); NULL where it raises an error';
CREATE FUNCTION dp_internal.cos(x float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_cos';
COMMENT ON FUNCTION dp_internal.cos(float8) IS 'cos(x); NULL where it raises an error';
CREATE FUNCTION dp_internal.tan(x float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_tan';
COMMENT ON FUNCTION dp_internal.tan(float8) IS 'tan(x); NULL where it raises an error';
CREATE FUNCTION dp_internal.cot(x float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_cot';
COMMENT ON FUNCTION dp_internal.cot(float8) IS 'cot(x); NULL where it raises an error';
CREATE FUNCTION dp_internal.asin(x float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_asin';
COMMENT ON FUNCTION dp_internal.asin(float8) IS 'asin(x); NULL where it raises an error';
CREATE FUNCTION dp_internal.acos(x float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_acos';
COMMENT ON FUNCTION dp_internal.acos(float8) IS 'acos(x); NULL where it raises an error';
CREATE FUNCTION dp_internal.atan(x float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_atan';
COMMENT ON FUNCTION dp_internal.atan(float8) IS 'atan(x); NULL where it raises an error';
CREATE FUNCTION dp_internal.degrees(x float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_degrees';
COMMENT ON FUNCTION dp_internal.degrees(float8) IS 'degrees(x); NULL where it raises an error';
CREATE FUNCTION dp_internal.radians(x float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_radians';
COMMENT ON FUNCTION dp_internal.radians(float8) IS 'radians(x); NULL where it raises an error';
CREATE FUNCTION dp_internal.atan2(y float8, x float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_atan2';
COMMENT ON FUNCTION dp_internal.atan2(float8, float8) IS 'atan2(y, x); NULL where it raises an error';
CREATE FUNCTION dp_internal.div_trunc(x numeric, y numeric) RETURNS numeric
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_div_trunc_numeric';
COMMENT ON FUNCTION dp_internal.div_trunc(numeric, numeric) IS 'div(x, y); NULL where it raises an error';
CREATE FUNCTION dp_internal.gcd(x int4, y int4) RETURNS int4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_gcd_int4';
COMMENT ON FUNCTION dp_internal.gcd(int4, int4) IS 'gcd(x, y); NULL where it raises an error';
CREATE FUNCTION dp_internal.gcd(x int8, y int8) RETURNS int8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_gcd_int8';
COMMENT ON FUNCTION dp_internal.gcd(int8, int8) IS 'gcd(x, y); NULL where it raises an error';
CREATE FUNCTION dp_internal.lcm(x int4, y int4) RETURNS int4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_lcm_int4';
COMMENT ON FUNCTION dp_internal.lcm(int4, int4) IS 'lcm(x, y); NULL where it raises an error';
CREATE FUNCTION dp_internal.lcm(x int8, y int8) RETURNS int8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_lcm_int8';
COMMENT ON FUNCTION dp_internal.lcm(int8, int8) IS 'lcm(x, y); NULL where it raises an error';
CREATE FUNCTION dp_internal.width_bucket(x float8, low float8, high float8, count int4) RETURNS int4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_width_bucket_float8';
COMMENT ON FUNCTION dp_internal.width_bucket(float8, float8, float8, int4) IS 'width_bucket(x, low, high, count); NULL where it raises an error';
CREATE FUNCTION dp_internal.width_bucket(x numeric, low numeric, high numeric, count int4) RETURNS int4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_width_bucket_numeric';
COMMENT ON FUNCTION dp_internal.width_bucket(numeric, numeric, numeric, int4) IS 'width_bucket(x, low, high, count); NULL where it raises an error';
-- Texts.
CREATE FUNCTION dp_internal.concat(VARIADIC parts "any") RETURNS text
    LANGUAGE c STABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_concat_any';
COMMENT ON FUNCTION dp_internal.concat(VARIADIC "any") IS 'concat(...); NULL where it is longer than 1 MB';
CREATE FUNCTION dp_internal.concat_ws(separator text, VARIADIC parts "any") RETURNS text
    LANGUAGE c STABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_concat_ws_any';
COMMENT ON FUNCTION dp_internal.concat_ws(text, "any") IS 'concat_ws(separator, ...); NULL where it is longer than 1 MB';
CREATE FUNCTION dp_internal.lpad(x text, length int4, fill text) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_lpad';
COMMENT ON FUNCTION dp_internal.lpad(text, int4, text) IS 'lpad(x, length, fill); NULL where it could be longer than 1 MB';
CREATE FUNCTION dp_internal.rpad(x text, length int4, fill text) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_rpad';
COMMENT ON FUNCTION dp_internal.rpad(text, int4, text) IS 'rpad(x, length, fill); NULL where it could be longer than 1 MB';
CREATE FUNCTION dp_internal.repeat(x text, times int4) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_repeat';
COMMENT ON FUNCTION dp_internal.repeat(text, int4) IS 'repeat(x, times); NULL where it is longer than 1 MB';
CREATE FUNCTION dp_internal.replace(x text, part text, by_text text) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_replace';
COMMENT ON FUNCTION dp_internal.replace(text, text, text) IS 'replace(x, part, by_text); NULL where it could be longer than 1 MB';
CREATE FUNCTION dp_internal.overlay(x text, part text, start int4) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_overlay_two';
COMMENT ON FUNCTION dp_internal.overlay(text, text, int4) IS 'overlay(x placing part from start); NULL where it raises an error';
CREATE FUNCTION dp_internal.overlay(x text, part text, start int4, length int4) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_overlay_three';
COMMENT ON FUNCTION dp_internal.overlay(text, text, int4, int4) IS 'overlay(x placing part from start for length); NULL where it raises an error';
CREATE FUNCTION dp_internal.encode(x bytea, format text) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_encode';
COMMENT ON FUNCTION dp_internal.encode(bytea, text) IS 'encode(x, format); NULL where it raises an error, and above 512 kB';
CREATE FUNCTION dp_internal.ascii(x text) RETURNS int4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_ascii';
COMMENT ON FUNCTION dp_internal.ascii(text) IS 'ascii(x); NULL where it raises an error';
CREATE FUNCTION dp_internal.chr(x int4) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_chr';
COMMENT ON FUNCTION dp_internal.chr(int4) IS 'chr(x); NULL where it raises an error';
CREATE FUNCTION dp_internal.substring(x text, pattern text) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_substring_pattern';
COMMENT ON FUNCTION dp_internal.substring(text, text) IS 'substring(x FROM pattern); NULL where it raises an error, for patterns that are not plain, and for texts of more than 8 kB, or 1000 bytes where groups are remembered';
CREATE FUNCTION dp_internal.regexp_count(x text, pattern text) RETURNS integer
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_regexp_count';
COMMENT ON FUNCTION dp_internal.regexp_count(text, text) IS 'regexp_count(x, pattern); NULL where it raises an error, for patterns that are not plain, and for texts of more than 8 kB, or 1000 bytes where groups are remembered';
CREATE FUNCTION dp_internal.regexp_instr(x text, pattern text) RETURNS integer
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_regexp_instr';
COMMENT ON FUNCTION dp_internal.regexp_instr(text, text) IS 'regexp_instr(x, pattern); NULL where it raises an error, for patterns that are not plain, and for texts of more than 8 kB, or 1000 bytes where groups are remembered';
CREATE FUNCTION dp_internal.regexp_replace(x text, pattern text, by_text text) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_regexp_replace';
COMMENT ON FUNCTION dp_internal.regexp_replace(text, text, text) IS 'regexp_replace(x, pattern, by_text); NULL where it raises an error, for patterns that are not plain, and for texts of more than 8 kB, or 1000 bytes where groups are remembered';
CREATE FUNCTION dp_internal.regexp_replace(x text, pattern text, by_text text, flags text) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_regexp_replace_flags';
COMMENT ON FUNCTION dp_internal.regexp_replace(text, text, text, text) IS 'regexp_replace(x, pattern, by_text, flags); NULL where it raises an error, for patterns that are not plain, and for texts of more than 8 kB, or 1000 bytes where groups are remembered';
CREATE FUNCTION dp_internal.to_char(x int4, pattern text) RETURNS text
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_to_char_int4';
COMMENT ON FUNCTION dp_internal.to_char(int4, text) IS 'to_char(x, pattern); NULL where it raises an error, and for patterns above 200 bytes';
CREATE FUNCTION dp_internal.to_char(x int8, pattern text) RETURNS text
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_to_char_int8';
COMMENT ON FUNCTION dp_internal.to_char(int8, text) IS 'to_char(x, pattern); NULL where it raises an error, and for patterns above 200 bytes';
CREATE FUNCTION dp_internal.to_char(x float4, pattern text) RETURNS text
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_to_char_float4';
COMMENT ON FUNCTION dp_internal.to_char(float4, text) IS 'to_char(x, pattern); NULL where it raises an error, and for patterns above 200 bytes';
CREATE FUNCTION dp_internal.to_char(x float8, pattern text) RETURNS text
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_to_char_float8';
COMMENT ON FUNCTION dp_internal.to_char(float8, text) IS 'to_char(x, pattern); NULL where it raises an error, and for patterns above 200 bytes';
CREATE FUNCTION dp_internal.to_char(x numeric, pattern text) RETURNS text
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_to_char_numeric';
COMMENT ON FUNCTION dp_internal.to_char(numeric, text) IS 'to_char(x, pattern); NULL where it raises an error, and for patterns above 200 bytes';
CREATE FUNCTION dp_internal.to_number(x text, pattern text) RETURNS numeric
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_to_number';
COMMENT ON FUNCTION dp_internal.to_number(text, text) IS 'to_number(x, pattern); NULL where it raises an error';
CREATE FUNCTION dp_internal.to_date(x text, pattern text) RETURNS date
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_to_date';
COMMENT ON FUNCTION dp_internal.to_date(text, text) IS 'to_date(x, pattern); NULL where it raises an error';
CREATE FUNCTION dp_internal.to_timestamp(x text, pattern text) RETURNS timestamptz
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_to_timestamp_text';
COMMENT ON FUNCTION dp_internal.to_timestamp(text, text) IS 'to_timestamp(x, pattern); NULL where it raises an error';
-- Intervals, and moments of numbers.
CREATE FUNCTION dp_internal.age(x timestamp, y timestamp) RETURNS interval
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_age_timestamp';
COMMENT ON FUNCTION dp_internal.age(timestamp, timestamp) IS 'age(x, y); NULL where it raises an error';
CREATE FUNCTION dp_internal.age(x timestamptz, y timestamptz) RETURNS interval
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_age_timestamptz';
COMMENT ON FUNCTION dp_internal.age(timestamptz, timestamptz) IS 'age(x, y); NULL where it raises an error';
CREATE FUNCTION dp_internal.add(x interval, y interval) RETURNS interval
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_add_interval';
COMMENT ON FUNCTION dp_internal.add(interval, interval) IS 'x + y; NULL where it raises an error';
CREATE FUNCTION dp_internal.sub(x interval, y interval) RETURNS interval
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_sub_interval';
COMMENT ON FUNCTION dp_internal.sub(interval, interval) IS 'x - y; NULL where it raises an error';
CREATE FUNCTION dp_internal.minus(x interval) RETURNS interval
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_minus_interval';
COMMENT ON FUNCTION dp_internal.minus(interval) IS '- x; NULL where it raises an error';
CREATE FUNCTION dp_internal.mul(x interval, y float8) RETURNS interval
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_mul_interval';
COMMENT ON FUNCTION dp_internal.mul(interval, float8) IS 'x * y; NULL where it raises an error';
CREATE FUNCTION dp_internal.mul(x float8, y interval) RETURNS interval
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_mul_float8_interval';
COMMENT ON FUNCTION dp_internal.mul(float8, interval) IS 'x * y; NULL where it raises an error';
CREATE FUNCTION dp_internal.div(x interval, y float8) RETURNS interval
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_div_interval';
COMMENT ON FUNCTION dp_internal.div(interval, float8) IS 'x / y; NULL where it raises an error';
CREATE FUNCTION dp_internal.justify_days(x interval) RETURNS interval
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_justify_days';
COMMENT ON FUNCTION dp_internal.justify_days(interval) IS 'justify_days(x); NULL where it raises an error';
CREATE FUNCTION dp_internal.justify_hours(x interval) RETURNS interval
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_justify_hours';
COMMENT ON FUNCTION dp_internal.justify_hours(interval) IS 'justify_hours(x); NULL where it raises an error';
CREATE FUNCTION dp_internal.justify_interval(x interval) RETURNS interval
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_justify_interval';
COMMENT ON FUNCTION dp_internal.justify_interval(interval) IS 'justify_interval(x); NULL where it raises an error';
CREATE FUNCTION dp_internal.add(x time, y interval) RETURNS time
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_add_time_interval';
COMMENT ON FUNCTION dp_internal.add(time, interval) IS 'x + y; NULL where it raises an error';
CREATE FUNCTION dp_internal.sub(x time, y interval) RETURNS time
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_sub_time_interval';
COMMENT ON FUNCTION dp_internal.sub(time, interval) IS 'x - y; NULL where it raises an error';
CREATE FUNCTION dp_internal.make_date(year int4, month int4, day int4) RETURNS date
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_make_date';
COMMENT ON FUNCTION dp_internal.make_date(int4, int4, int4) IS 'make_date(year, month, day); NULL for what is no date';
CREATE FUNCTION dp_internal.make_timestamp(year int4, month int4, day int4, hour int4, minute int4, second float8) RETURNS timestamp
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_make_timestamp';
COMMENT ON FUNCTION dp_internal.make_timestamp(int4, int4, int4, int4, int4, float8) IS 'make_timestamp(...); NULL for what is no moment';
CREATE FUNCTION dp_internal.make_timestamptz(year int4, month int4, day int4, hour int4, minute int4, second float8) RETURNS timestamptz
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_make_timestamptz';
COMMENT ON FUNCTION dp_internal.make_timestamptz(int4, int4, int4, int4, int4, float8) IS 'make_timestamptz(...); NULL for what is no moment';
CREATE FUNCTION dp_internal.make_time(hour int4, minute int4, second float8) RETURNS time
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_make_time';
COMMENT ON FUNCTION dp_internal.make_time(int4, int4, float8) IS 'make_time(hour, minute, second); NULL for what is no time of day';
CREATE FUNCTION dp_internal.make_interval(years int4, months int4, weeks int4, days int4, hours int4, mins int4, secs float8) RETURNS interval
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_make_interval';
COMMENT ON FUNCTION dp_internal.make_interval(int4, int4, int4, int4, int4, int4, float8) IS 'make_interval(...); NULL where it overflows';
CREATE FUNCTION dp_internal.to_timestamp(seconds float8) RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_to_timestamp_float8';
COMMENT ON FUNCTION dp_internal.to_timestamp(float8) IS 'to_timestamp(seconds); NULL where it is out of range';
-- Parts of json, ranges.
CREATE FUNCTION dp_internal.json_object_field(x json, field text) RETURNS json
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_json_object_field';
COMMENT ON FUNCTION dp_internal.json_object_field(json, text) IS 'json_object_field(...); NULL where it raises an error';
CREATE FUNCTION dp_internal.json_object_field_text(x json, field text) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_json_object_field_text';
COMMENT ON FUNCTION dp_internal.json_object_field_text(json, text) IS 'json_object_field_text(...); NULL where it raises an error';
CREATE FUNCTION dp_internal.json_array_element(x json, element int4) RETURNS json
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_json_array_element';
COMMENT ON FUNCTION dp_internal.json_array_element(json, int4) IS 'json_array_element(...); NULL where it raises an error';
CREATE FUNCTION dp_internal.json_array_element_text(x json, element int4) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_json_array_element_text';
COMMENT ON FUNCTION dp_internal.json_array_element_text(json, int4) IS 'json_array_element_text(...); NULL where it raises an error';
CREATE FUNCTION dp_internal.json_extract_path(x json, VARIADIC path text[]) RETURNS json
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_json_extract_path';
COMMENT ON FUNCTION dp_internal.json_extract_path(json, text[]) IS 'json_extract_path(...); NULL where it raises an error';
CREATE FUNCTION dp_internal.json_extract_path_text(x json, VARIADIC path text[]) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_json_extract_path_text';
COMMENT ON FUNCTION dp_internal.json_extract_path_text(json, text[]) IS 'json_extract_path_text(...); NULL where it raises an error';
CREATE FUNCTION dp_internal.json_array_length(x json) RETURNS int4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_json_array_length';
COMMENT ON FUNCTION dp_internal.json_array_length(json) IS 'json_array_length(...); NULL where it raises an error';
CREATE FUNCTION dp_internal.try_int4(x jsonb) RETURNS int4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_jsonb_int4';
COMMENT ON FUNCTION dp_internal.try_int4(jsonb) IS 'x::int4; NULL where that fails';
CREATE FUNCTION dp_internal.try_int8(x jsonb) RETURNS int8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_jsonb_int8';
COMMENT ON FUNCTION dp_internal.try_int8(jsonb) IS 'x::int8; NULL where that fails';
CREATE FUNCTION dp_internal.try_float8(x jsonb) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_jsonb_float8';
COMMENT ON FUNCTION dp_internal.try_float8(jsonb) IS 'x::float8; NULL where that fails';
CREATE FUNCTION dp_internal.try_numeric(x jsonb) RETURNS numeric
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_jsonb_numeric';
COMMENT ON FUNCTION dp_internal.try_numeric(jsonb) IS 'x::numeric; NULL where that fails';
CREATE FUNCTION dp_internal.try_bool(x jsonb) RETURNS bool
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_jsonb_bool';
COMMENT ON FUNCTION dp_internal.try_bool(jsonb) IS 'x::bool; NULL where that fails';
CREATE FUNCTION dp_internal.jsonb_array_length(x jsonb) RETURNS int4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_jsonb_array_length';
COMMENT ON FUNCTION dp_internal.jsonb_array_length(jsonb) IS 'jsonb_array_length(...); NULL where it raises an error';
CREATE FUNCTION dp_internal.int4range(lower_end int4, upper_end int4) RETURNS int4range
    LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_range';
COMMENT ON FUNCTION dp_internal.int4range(int4, int4) IS 'int4range(lower_end, upper_end); NULL where it raises an error';
CREATE FUNCTION dp_internal.int4range(lower_end int4, upper_end int4, bounds text) RETURNS int4range
    LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_range_bounds';
COMMENT ON FUNCTION dp_internal.int4range(int4, int4, text) IS 'int4range(lower_end, upper_end, bounds); NULL where it raises an error';
CREATE FUNCTION dp_internal.int8range(lower_end int8, upper_end int8) RETURNS int8range
    LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_range';
COMMENT ON FUNCTION dp_internal.int8range(int8, int8) IS 'int8range(lower_end, upper_end); NULL where it raises an error';
CREATE FUNCTION dp_internal.int8range(lower_end int8, upper_end int8, bounds text) RETURNS int8range
    LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_range_bounds';
COMMENT ON FUNCTION dp_internal.int8range(int8, int8, text) IS 'int8range(lower_end, upper_end, bounds); NULL where it raises an error';
CREATE FUNCTION dp_internal.numrange(lower_end numeric, upper_end numeric) RETURNS numrange
    LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_range';
COMMENT ON FUNCTION dp_internal.numrange(numeric, numeric) IS 'numrange(lower_end, upper_end); NULL where it raises an error';
CREATE FUNCTION dp_internal.numrange(lower_end numeric, upper_end numeric, bounds text) RETURNS numrange
    LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_range_bounds';
COMMENT ON FUNCTION dp_internal.numrange(numeric, numeric, text) IS 'numrange(lower_end, upper_end, bounds); NULL where it raises an error';
CREATE FUNCTION dp_internal.daterange(lower_end date, upper_end date) RETURNS daterange
    LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_range';
COMMENT ON FUNCTION dp_internal.daterange(date, date) IS 'daterange(lower_end, upper_end); NULL where it raises an error';
CREATE FUNCTION dp_internal.daterange(lower_end date, upper_end date, bounds text) RETURNS daterange
    LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_range_bounds';
COMMENT ON FUNCTION dp_internal.daterange(date, date, text) IS 'daterange(lower_end, upper_end, bounds); NULL where it raises an error';
CREATE FUNCTION dp_internal.tsrange(lower_end timestamp, upper_end timestamp) RETURNS tsrange
    LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_range';
COMMENT ON FUNCTION dp_internal.tsrange(timestamp, timestamp) IS 'tsrange(lower_end, upper_end); NULL where it raises an error';
CREATE FUNCTION dp_internal.tsrange(lower_end timestamp, upper_end timestamp, bounds text) RETURNS tsrange
    LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_range_bounds';
COMMENT ON FUNCTION dp_internal.tsrange(timestamp, timestamp, text) IS 'tsrange(lower_end, upper_end, bounds); NULL where it raises an error';
CREATE FUNCTION dp_internal.tstzrange(lower_end timestamptz, upper_end timestamptz) RETURNS tstzrange
    LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_range';
COMMENT ON FUNCTION dp_internal.tstzrange(timestamptz, timestamptz) IS 'tstzrange(lower_end, upper_end); NULL where it raises an error';
CREATE FUNCTION dp_internal.tstzrange(lower_end timestamptz, upper_end timestamptz, bounds text) RETURNS tstzrange
    LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_range_bounds';
COMMENT ON FUNCTION dp_internal.tstzrange(timestamptz, timestamptz, text) IS 'tstzrange(lower_end, upper_end, bounds); NULL where it raises an error';
