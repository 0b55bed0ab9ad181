-- Two schemas. dp: what curators say, and the catalog of budgets. dp_internal: what aggregates, types and the guard call and nobody
-- calls by name; PUBLIC has no USAGE there, which calls do not need. What analysts call is dp_... in the schema of the extension, so
-- that \df dp_* and \df dp.* are the manual.
CREATE SCHEMA dp;
GRANT USAGE ON SCHEMA dp TO PUBLIC;
COMMENT ON SCHEMA dp IS 'pg_dp: functions and views of curators, and the catalog of budgets';
CREATE SCHEMA dp_internal;
COMMENT ON SCHEMA dp_internal IS 'pg_dp: functions that its aggregates, types and private queries call; nobody calls them by name';

-- dp_mechanism: which noise to use, written as name or name(key=value, ...).
-- Stored as its canonical text, so that PostgreSQL's own functions for text and bytes print, send and compare it.

CREATE TYPE dp_mechanism;

CREATE FUNCTION dp_internal.dp_mechanism_in(cstring) RETURNS dp_mechanism
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_mechanism_out(dp_mechanism) RETURNS cstring
    LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'textout';
CREATE FUNCTION dp_internal.dp_mechanism_recv(internal) RETURNS dp_mechanism
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_mechanism_send(dp_mechanism) RETURNS bytea
    LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'textsend';

CREATE TYPE dp_mechanism (
    INPUT = dp_internal.dp_mechanism_in,
    OUTPUT = dp_internal.dp_mechanism_out,
    RECEIVE = dp_internal.dp_mechanism_recv,
    SEND = dp_internal.dp_mechanism_send,
    INTERNALLENGTH = VARIABLE,
    STORAGE = extended
);
COMMENT ON TYPE dp_mechanism IS
    'noise of a private answer: auto, geometric, laplace, staircase, gaussian(delta=1e-6), ...';

-- The order of the canonical texts, byte by byte. It has no meaning; DISTINCT inside an aggregate needs one.
CREATE FUNCTION dp_internal.dp_mechanism_lt(dp_mechanism, dp_mechanism) RETURNS boolean
    LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF AS 'bytealt';
CREATE FUNCTION dp_internal.dp_mechanism_le(dp_mechanism, dp_mechanism) RETURNS boolean
    LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF AS 'byteale';
CREATE FUNCTION dp_internal.dp_mechanism_eq(dp_mechanism, dp_mechanism) RETURNS boolean
    LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF AS 'byteaeq';
CREATE FUNCTION dp_internal.dp_mechanism_ne(dp_mechanism, dp_mechanism) RETURNS boolean
    LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF AS 'byteane';
CREATE FUNCTION dp_internal.dp_mechanism_ge(dp_mechanism, dp_mechanism) RETURNS boolean
    LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF AS 'byteage';
CREATE FUNCTION dp_internal.dp_mechanism_gt(dp_mechanism, dp_mechanism) RETURNS boolean
    LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF AS 'byteagt';
CREATE FUNCTION dp_internal.dp_mechanism_cmp(dp_mechanism, dp_mechanism) RETURNS integer
    LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF AS 'byteacmp';

CREATE OPERATOR < (LEFTARG = dp_mechanism, RIGHTARG = dp_mechanism, FUNCTION = dp_internal.dp_mechanism_lt,
    COMMUTATOR = >, NEGATOR = >=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);
CREATE OPERATOR <= (LEFTARG = dp_mechanism, RIGHTARG = dp_mechanism, FUNCTION = dp_internal.dp_mechanism_le,
    COMMUTATOR = >=, NEGATOR = >, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);
CREATE OPERATOR = (LEFTARG = dp_mechanism, RIGHTARG = dp_mechanism, FUNCTION = dp_internal.dp_mechanism_eq,
    COMMUTATOR = =, NEGATOR = <>, RESTRICT = eqsel, JOIN = eqjoinsel);
CREATE OPERATOR <> (LEFTARG = dp_mechanism, RIGHTARG = dp_mechanism, FUNCTION = dp_internal.dp_mechanism_ne,
    COMMUTATOR = <>, NEGATOR = =, RESTRICT = neqsel, JOIN = neqjoinsel);
CREATE OPERATOR >= (LEFTARG = dp_mechanism, RIGHTARG = dp_mechanism, FUNCTION = dp_internal.dp_mechanism_ge,
    COMMUTATOR = <=, NEGATOR = <, RESTRICT = scalargesel, JOIN = scalargejoinsel);
CREATE OPERATOR > (LEFTARG = dp_mechanism, RIGHTARG = dp_mechanism, FUNCTION = dp_internal.dp_mechanism_gt,
    COMMUTATOR = <, NEGATOR = <=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);

CREATE OPERATOR CLASS dp_mechanism_ops DEFAULT FOR TYPE dp_mechanism USING btree AS
    OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >,
    FUNCTION 1 dp_internal.dp_mechanism_cmp(dp_mechanism, dp_mechanism);

-- Drivers send a string as text or varchar (JDBC's setString), and not as a literal whose type is open.
CREATE CAST (text AS dp_mechanism) WITH INOUT AS IMPLICIT;
CREATE CAST (varchar AS dp_mechanism) WITH INOUT AS IMPLICIT;
