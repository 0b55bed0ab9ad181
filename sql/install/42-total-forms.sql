-- Total forms that nobody has to write: they stand in the place of PostgreSQL's casts and functions below private aggregates
-- (src/guard/rewrite/total_forms.h), and give NULL where these raise an error.
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
