\echo Use "CREATE EXTENSION pg_dp" to load this file. \quit
-- dp_mechanism: which noise to use, written as name or name(key=value, ...).
-- Stored as its canonical text, so that PostgreSQL's own functions for text and bytes print, send and compare it.

CREATE TYPE dp_mechanism;

CREATE FUNCTION dp_mechanism_in(cstring) RETURNS dp_mechanism
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_mechanism_out(dp_mechanism) RETURNS cstring
    LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'textout';
CREATE FUNCTION dp_mechanism_recv(internal) RETURNS dp_mechanism
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_mechanism_send(dp_mechanism) RETURNS bytea
    LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'textsend';

CREATE TYPE dp_mechanism (
    INPUT = dp_mechanism_in,
    OUTPUT = dp_mechanism_out,
    RECEIVE = dp_mechanism_recv,
    SEND = dp_mechanism_send,
    INTERNALLENGTH = VARIABLE,
    STORAGE = extended
);
COMMENT ON TYPE dp_mechanism IS
    'noise of a private answer: auto, geometric, laplace, staircase, gaussian(delta=1e-6), ...';

-- The order of the canonical texts, byte by byte. It has no meaning; DISTINCT inside an aggregate needs one.
CREATE FUNCTION dp_mechanism_lt(dp_mechanism, dp_mechanism) RETURNS boolean
    LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF AS 'bytealt';
CREATE FUNCTION dp_mechanism_le(dp_mechanism, dp_mechanism) RETURNS boolean
    LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF AS 'byteale';
CREATE FUNCTION dp_mechanism_eq(dp_mechanism, dp_mechanism) RETURNS boolean
    LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF AS 'byteaeq';
CREATE FUNCTION dp_mechanism_ne(dp_mechanism, dp_mechanism) RETURNS boolean
    LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF AS 'byteane';
CREATE FUNCTION dp_mechanism_ge(dp_mechanism, dp_mechanism) RETURNS boolean
    LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF AS 'byteage';
CREATE FUNCTION dp_mechanism_gt(dp_mechanism, dp_mechanism) RETURNS boolean
    LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF AS 'byteagt';
CREATE FUNCTION dp_mechanism_cmp(dp_mechanism, dp_mechanism) RETURNS integer
    LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF AS 'byteacmp';

CREATE OPERATOR < (LEFTARG = dp_mechanism, RIGHTARG = dp_mechanism, FUNCTION = dp_mechanism_lt,
    COMMUTATOR = >, NEGATOR = >=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);
CREATE OPERATOR <= (LEFTARG = dp_mechanism, RIGHTARG = dp_mechanism, FUNCTION = dp_mechanism_le,
    COMMUTATOR = >=, NEGATOR = >, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);
CREATE OPERATOR = (LEFTARG = dp_mechanism, RIGHTARG = dp_mechanism, FUNCTION = dp_mechanism_eq,
    COMMUTATOR = =, NEGATOR = <>, RESTRICT = eqsel, JOIN = eqjoinsel);
CREATE OPERATOR <> (LEFTARG = dp_mechanism, RIGHTARG = dp_mechanism, FUNCTION = dp_mechanism_ne,
    COMMUTATOR = <>, NEGATOR = =, RESTRICT = neqsel, JOIN = neqjoinsel);
CREATE OPERATOR >= (LEFTARG = dp_mechanism, RIGHTARG = dp_mechanism, FUNCTION = dp_mechanism_ge,
    COMMUTATOR = <=, NEGATOR = <, RESTRICT = scalargesel, JOIN = scalargejoinsel);
CREATE OPERATOR > (LEFTARG = dp_mechanism, RIGHTARG = dp_mechanism, FUNCTION = dp_mechanism_gt,
    COMMUTATOR = <, NEGATOR = <=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);

CREATE OPERATOR CLASS dp_mechanism_ops DEFAULT FOR TYPE dp_mechanism USING btree AS
    OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >,
    FUNCTION 1 dp_mechanism_cmp(dp_mechanism, dp_mechanism);

-- Drivers send a string as text or varchar (JDBC's setString), and not as a literal whose type is open.
CREATE CAST (text AS dp_mechanism) WITH INOUT AS IMPLICIT;
CREATE CAST (varchar AS dp_mechanism) WITH INOUT AS IMPLICIT;
-- The catalog of budgets, in a schema of its own: what is protected, who may spend how much, what was charged.
-- Amounts are whole numbers: epsilon in 10^-9, delta in 10^-18. The tables are private to the extension's owner; everyone reads
-- them through the views of 50-budget.sql.
CREATE SCHEMA dp;
GRANT USAGE ON SCHEMA dp TO PUBLIC;

CREATE TABLE dp.protected_table (
    relation regclass PRIMARY KEY,
    epsilon_nano bigint NOT NULL,
    delta_atto bigint NOT NULL,
    query_epsilon_nano bigint, -- the most that one statement may cost; NULL: no such limit
    group_epsilon_nano bigint, -- what a private selection of groups costs for each grouping set; NULL: there is none
    group_delta_atto bigint,
    privacy_unit name,          -- the column that names whose a row is; NULL: each row is a unit of its own
    max_rows_per_unit bigint,   -- limits of what one unit may contribute; NULL: not limited in that way
    max_groups_per_unit bigint,
    max_rows_per_group bigint
);

CREATE TABLE dp.account (
    relation regclass,
    role regrole,
    epsilon_nano bigint NOT NULL,
    delta_atto bigint NOT NULL,
    query_epsilon_nano bigint,
    allow_leaks boolean NOT NULL DEFAULT false, -- the role may ask though it sees sizes and counters of tables
    PRIMARY KEY (relation, role)
);

-- Declared domains of grouping expressions: public, so everyone may read them.
CREATE TABLE dp.public_domain (
    relation regclass,
    expression text,              -- as key_text writes it (src/budget/domain_text_sql.h), whatever the settings of a session
    type regtype NOT NULL,        -- of the expression
    domain_values text[] NOT NULL, -- in that type's text form, sorted
    PRIMARY KEY (relation, expression)
);
GRANT SELECT ON dp.public_domain TO PUBLIC;

-- Append-only, and without a unique index: rows are inserted frozen, and an index that refused one would leave it there.
CREATE TABLE dp.ledger_entry (
    seq bigint NOT NULL,
    charged_at timestamptz NOT NULL,
    role regrole NOT NULL,   -- who asked
    account regrole,         -- whose account paid; NULL: the table's alone
    relation regclass NOT NULL,
    kind text NOT NULL, -- query, relax, share; closed, reopened: the account, or the role where it has none, and nothing was charged
    epsilon_nano bigint NOT NULL,       -- paid by the account
    delta_atto bigint NOT NULL,
    table_epsilon_nano bigint NOT NULL, -- paid by the table as a whole
    table_delta_atto bigint NOT NULL,
    release_id bigint,
    query text
);
-- Releases: the answers of charged statements, kept so that they can be made more accurate for the price of the difference.
-- Private to the extension's owner: who can read the noise can take it away. Rows are inserted frozen, as the ledger's are. Those
-- of dp.release_part are written last: what they do not name is not there.

-- One query level of a statement with DP aggregates.
CREATE TABLE dp.release_part (
    release_id bigint NOT NULL,
    part integer NOT NULL,
    made_at timestamptz NOT NULL,
    role regrole NOT NULL,      -- whose statement it was
    relation regclass NOT NULL, -- the protected table
    sets integer NOT NULL,      -- grouping sets: each is paid for
    groups bigint NOT NULL,
    selection_epsilon_nano bigint NOT NULL, -- what the private choice of its groups cost: paid by each role that is shown them
    selection_delta_atto bigint NOT NULL,
    query text
);

-- One aggregate of a level: what it is called, and how its integers become answers.
CREATE TABLE dp.release_aggregate (
    release_id bigint NOT NULL,
    part integer NOT NULL,
    aggregate integer NOT NULL,
    name text NOT NULL,
    mechanism text NOT NULL,
    epsilon_nano bigint NOT NULL, -- of the first answer
    sensitivity numeric,          -- in units of the integers; NULL: not relaxable, nothing is kept of its answers
    coordinates integer NOT NULL, -- integers of one answer
    form text NOT NULL,
    refinement integer NOT NULL,
    exponent integer NOT NULL,
    lower float8 NOT NULL,
    range bigint NOT NULL
);

-- The group keys, in the order of the groups: arrays of objects.
CREATE TABLE dp.release_keys (
    release_id bigint NOT NULL,
    part integer NOT NULL,
    first_group bigint NOT NULL,
    keys json NOT NULL
);

-- The numbers of an aggregate at one privacy level: 16 bytes each, little-endian, group by group.
CREATE TABLE dp.release_level (
    release_id bigint NOT NULL,
    part integer NOT NULL,
    aggregate integer NOT NULL,
    level_id bigint NOT NULL, -- 0: the first answer
    first_group bigint NOT NULL,
    noisy bytea NOT NULL,
    noise bytea NOT NULL
);

-- The levels of an aggregate's path beyond the first answer. One that stands in no row here was never shown.
CREATE TABLE dp.release_path (
    release_id bigint NOT NULL,
    part integer NOT NULL,
    aggregate integer NOT NULL,
    epsilon_nano bigint NOT NULL,
    level_id bigint NOT NULL
);

-- Who was shown, and has paid for, which of them; and, where the release was shared, of the first answers. That who made the
-- release holds the first answers stands in no row.
CREATE TABLE dp.release_holding (
    release_id bigint NOT NULL,
    part integer NOT NULL,
    aggregate integer NOT NULL,
    role regrole NOT NULL,
    epsilon_nano bigint NOT NULL
);

-- Keys and noise are kept as they are: compressing them would take longer than writing them.
ALTER TABLE dp.release_keys ALTER COLUMN keys SET STORAGE EXTERNAL;
ALTER TABLE dp.release_level ALTER COLUMN noisy SET STORAGE EXTERNAL, ALTER COLUMN noise SET STORAGE EXTERNAL;

-- Found by number; not unique, for the reason given at dp.ledger_entry.
CREATE INDEX ON dp.release_part (release_id);
CREATE INDEX ON dp.release_aggregate (release_id);
CREATE INDEX ON dp.release_keys (release_id);
CREATE INDEX ON dp.release_level (release_id);
CREATE INDEX ON dp.release_path (release_id);
CREATE INDEX ON dp.release_holding (release_id);

-- Dumps carry them. As with the ledger, what belongs to a table or a maker that was dropped stays behind; so do the holdings of
-- dropped roles, but not the levels that these were shown: who goes on from there must not draw them again.
SELECT pg_catalog.pg_extension_config_dump('dp.release_part',
    'WHERE relation IN (SELECT oid FROM pg_catalog.pg_class) AND role IN (SELECT oid FROM pg_catalog.pg_roles)');
DO $$
DECLARE
    kept CONSTANT text := 'WHERE release_id IN (SELECT release_id FROM dp.release_part '
        'WHERE relation IN (SELECT oid FROM pg_catalog.pg_class) AND role IN (SELECT oid FROM pg_catalog.pg_roles))';
BEGIN
    PERFORM pg_catalog.pg_extension_config_dump('dp.release_aggregate', kept);
    PERFORM pg_catalog.pg_extension_config_dump('dp.release_keys', kept);
    PERFORM pg_catalog.pg_extension_config_dump('dp.release_level', kept);
    PERFORM pg_catalog.pg_extension_config_dump('dp.release_path', kept);
    PERFORM pg_catalog.pg_extension_config_dump('dp.release_holding',
        kept || ' AND role IN (SELECT oid FROM pg_catalog.pg_roles)');
END
$$;
-- Support functions of the aggregates. They refuse to run outside them, and 90-grants.sql keeps them from PUBLIC.

CREATE FUNCTION dp_state_combine(internal, internal) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_state_serialize(internal) RETURNS bytea
    LANGUAGE c STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_state_deserialize(bytea, internal) RETURNS internal
    LANGUAGE c STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';

-- dp_count
CREATE FUNCTION dp_count_add(internal) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_count_add(internal, "any") RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_count_add(internal, "any", float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_count_add(internal, "any", float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_count_answer(internal) RETURNS bigint
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';

-- dp_sum: value, lower, upper, epsilon [, mechanism]
CREATE FUNCTION dp_sum_add(internal, int2, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_sum_add(internal, int2, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_sum_add(internal, int4, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_sum_add(internal, int4, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_sum_add(internal, int8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_sum_add(internal, int8, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_sum_add(internal, float8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_sum_add(internal, float8, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_sum_add(internal, numeric, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_sum_add(internal, numeric, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_sum_answer_bigint(internal) RETURNS bigint
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_sum_answer';
CREATE FUNCTION dp_sum_answer_numeric(internal) RETURNS numeric
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_sum_answer';
CREATE FUNCTION dp_sum_answer_float8(internal) RETURNS float8
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_sum_answer';

-- dp_avg: value, lower, upper, epsilon [, mechanism]
CREATE FUNCTION dp_mean_add(internal, int2, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_mean_add(internal, int2, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_mean_add(internal, int4, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_mean_add(internal, int4, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_mean_add(internal, int8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_mean_add(internal, int8, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_mean_add(internal, float8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_mean_add(internal, float8, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_mean_add(internal, numeric, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_mean_add(internal, numeric, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_avg_answer(internal) RETURNS float8
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';

-- dp_variance and dp_stddev: value, lower, upper, epsilon [, mechanism]
CREATE FUNCTION dp_moments_add(internal, int2, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_moments_add(internal, int2, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_moments_add(internal, int4, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_moments_add(internal, int4, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_moments_add(internal, int8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_moments_add(internal, int8, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_moments_add(internal, float8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_moments_add(internal, float8, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_moments_add(internal, numeric, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_moments_add(internal, numeric, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_variance_answer(internal) RETURNS float8
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_stddev_answer(internal) RETURNS float8
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';

-- dp_histogram: value, lower, upper, buckets, epsilon [, mechanism]; value, categories, epsilon [, mechanism]
CREATE FUNCTION dp_buckets_add(internal, float8, float8, float8, integer, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_buckets_add(internal, float8, float8, float8, integer, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_categories_add(internal, anycompatible, anycompatiblearray, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_categories_add(internal, anycompatible, anycompatiblearray, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_histogram_answer(internal) RETURNS bigint[]
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';

-- dp_bounds: value, epsilon [, mechanism]
CREATE FUNCTION dp_bounds_add(internal, int2, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_bounds_add(internal, int2, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_bounds_add(internal, int4, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_bounds_add(internal, int4, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_bounds_add(internal, int8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_bounds_add(internal, int8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_bounds_add(internal, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_bounds_add(internal, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_bounds_add(internal, numeric, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_bounds_add(internal, numeric, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_bounds_answer(internal) RETURNS float8[]
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_histogram_answer';
-- The aggregates. PostgreSQL gives them no named or default arguments, so the mechanism is an overload; left out, it is auto.
-- Only the value is typed, bounds and epsilon are float8 everywhere, so that literals of every kind resolve.
-- SSPACE is the size of the state (src/aggregate/state.cpp checks it), from which the planner sizes hash tables.
-- FINALFUNC_MODIFY = READ_WRITE makes PostgreSQL refuse OVER (...): a window would draw more answers than are charged.

-- dp_count: rows, or values that are not NULL.
CREATE AGGREGATE dp_count(*) (
    SFUNC = dp_count_add, STYPE = internal, SSPACE = 16, FINALFUNC = dp_count_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_count(*) IS 'private number of rows, epsilon from the setting dp.epsilon';

CREATE AGGREGATE dp_count("any") (
    SFUNC = dp_count_add, STYPE = internal, SSPACE = 16, FINALFUNC = dp_count_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_count("any") IS 'private number of values that are not NULL, epsilon from the setting dp.epsilon';

CREATE AGGREGATE dp_count("any", float8) (
    SFUNC = dp_count_add, STYPE = internal, SSPACE = 16, FINALFUNC = dp_count_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_count("any", float8) IS 'private number of values that are not NULL (value, epsilon)';

CREATE AGGREGATE dp_count("any", float8, dp_mechanism) (
    SFUNC = dp_count_add, STYPE = internal, SSPACE = 16, FINALFUNC = dp_count_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_count("any", float8, dp_mechanism) IS 'private number of values that are not NULL (value, epsilon, mechanism)';

-- dp_sum: of values clamped to lower .. upper; NULL is passed over, NaN counts as upper.
CREATE AGGREGATE dp_sum(int2, float8, float8, float8) (
    SFUNC = dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_sum_answer_bigint, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_sum(int2, float8, float8, float8) IS 'private sum (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_sum(int2, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_sum_answer_bigint, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_sum(int2, float8, float8, float8, dp_mechanism) IS 'private sum (value, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_sum(int4, float8, float8, float8) (
    SFUNC = dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_sum_answer_bigint, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_sum(int4, float8, float8, float8) IS 'private sum (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_sum(int4, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_sum_answer_bigint, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_sum(int4, float8, float8, float8, dp_mechanism) IS 'private sum (value, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_sum(int8, float8, float8, float8) (
    SFUNC = dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_sum_answer_numeric, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_sum(int8, float8, float8, float8) IS 'private sum (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_sum(int8, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_sum_answer_numeric, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_sum(int8, float8, float8, float8, dp_mechanism) IS 'private sum (value, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_sum(float8, float8, float8, float8) (
    SFUNC = dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_sum_answer_float8, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_sum(float8, float8, float8, float8) IS 'private sum (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_sum(float8, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_sum_answer_float8, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_sum(float8, float8, float8, float8, dp_mechanism) IS 'private sum (value, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_sum(numeric, float8, float8, float8) (
    SFUNC = dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_sum_answer_numeric, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_sum(numeric, float8, float8, float8) IS 'private sum (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_sum(numeric, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_sum_answer_numeric, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_sum(numeric, float8, float8, float8, dp_mechanism) IS 'private sum (value, lower, upper, epsilon, mechanism)';

-- dp_avg: of values clamped to lower .. upper; NULL is passed over, NaN counts as upper.
CREATE AGGREGATE dp_avg(int2, float8, float8, float8) (
    SFUNC = dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_avg_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_avg(int2, float8, float8, float8) IS 'private mean (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_avg(int2, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_avg_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_avg(int2, float8, float8, float8, dp_mechanism) IS 'private mean (value, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_avg(int4, float8, float8, float8) (
    SFUNC = dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_avg_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_avg(int4, float8, float8, float8) IS 'private mean (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_avg(int4, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_avg_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_avg(int4, float8, float8, float8, dp_mechanism) IS 'private mean (value, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_avg(int8, float8, float8, float8) (
    SFUNC = dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_avg_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_avg(int8, float8, float8, float8) IS 'private mean (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_avg(int8, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_avg_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_avg(int8, float8, float8, float8, dp_mechanism) IS 'private mean (value, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_avg(float8, float8, float8, float8) (
    SFUNC = dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_avg_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_avg(float8, float8, float8, float8) IS 'private mean (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_avg(float8, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_avg_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_avg(float8, float8, float8, float8, dp_mechanism) IS 'private mean (value, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_avg(numeric, float8, float8, float8) (
    SFUNC = dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_avg_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_avg(numeric, float8, float8, float8) IS 'private mean (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_avg(numeric, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_avg_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_avg(numeric, float8, float8, float8, dp_mechanism) IS 'private mean (value, lower, upper, epsilon, mechanism)';

-- dp_variance: of values clamped to lower .. upper; NULL is passed over, NaN counts as upper.
CREATE AGGREGATE dp_variance(int2, float8, float8, float8) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_variance_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_variance(int2, float8, float8, float8) IS 'private sample variance (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_variance(int2, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_variance_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_variance(int2, float8, float8, float8, dp_mechanism) IS 'private sample variance (value, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_variance(int4, float8, float8, float8) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_variance_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_variance(int4, float8, float8, float8) IS 'private sample variance (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_variance(int4, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_variance_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_variance(int4, float8, float8, float8, dp_mechanism) IS 'private sample variance (value, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_variance(int8, float8, float8, float8) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_variance_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_variance(int8, float8, float8, float8) IS 'private sample variance (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_variance(int8, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_variance_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_variance(int8, float8, float8, float8, dp_mechanism) IS 'private sample variance (value, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_variance(float8, float8, float8, float8) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_variance_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_variance(float8, float8, float8, float8) IS 'private sample variance (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_variance(float8, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_variance_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_variance(float8, float8, float8, float8, dp_mechanism) IS 'private sample variance (value, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_variance(numeric, float8, float8, float8) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_variance_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_variance(numeric, float8, float8, float8) IS 'private sample variance (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_variance(numeric, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_variance_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_variance(numeric, float8, float8, float8, dp_mechanism) IS 'private sample variance (value, lower, upper, epsilon, mechanism)';

-- dp_stddev: of values clamped to lower .. upper; NULL is passed over, NaN counts as upper.
CREATE AGGREGATE dp_stddev(int2, float8, float8, float8) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_stddev_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_stddev(int2, float8, float8, float8) IS 'private sample standard deviation (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_stddev(int2, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_stddev_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_stddev(int2, float8, float8, float8, dp_mechanism) IS 'private sample standard deviation (value, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_stddev(int4, float8, float8, float8) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_stddev_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_stddev(int4, float8, float8, float8) IS 'private sample standard deviation (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_stddev(int4, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_stddev_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_stddev(int4, float8, float8, float8, dp_mechanism) IS 'private sample standard deviation (value, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_stddev(int8, float8, float8, float8) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_stddev_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_stddev(int8, float8, float8, float8) IS 'private sample standard deviation (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_stddev(int8, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_stddev_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_stddev(int8, float8, float8, float8, dp_mechanism) IS 'private sample standard deviation (value, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_stddev(float8, float8, float8, float8) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_stddev_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_stddev(float8, float8, float8, float8) IS 'private sample standard deviation (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_stddev(float8, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_stddev_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_stddev(float8, float8, float8, float8, dp_mechanism) IS 'private sample standard deviation (value, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_stddev(numeric, float8, float8, float8) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_stddev_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_stddev(numeric, float8, float8, float8) IS 'private sample standard deviation (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_stddev(numeric, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_stddev_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_stddev(numeric, float8, float8, float8, dp_mechanism) IS 'private sample standard deviation (value, lower, upper, epsilon, mechanism)';

-- dp_histogram: counts of equal-width buckets, the last closed on the right, or of listed categories, in their order.
CREATE AGGREGATE dp_histogram(float8, float8, float8, integer, float8) (
    SFUNC = dp_buckets_add, STYPE = internal, SSPACE = 256, FINALFUNC = dp_histogram_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_histogram(float8, float8, float8, integer, float8) IS 'private counts of equal-width buckets (value, lower, upper, buckets, epsilon)';

CREATE AGGREGATE dp_histogram(float8, float8, float8, integer, float8, dp_mechanism) (
    SFUNC = dp_buckets_add, STYPE = internal, SSPACE = 256, FINALFUNC = dp_histogram_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_histogram(float8, float8, float8, integer, float8, dp_mechanism) IS 'private counts of equal-width buckets (value, lower, upper, buckets, epsilon, mechanism)';

CREATE AGGREGATE dp_histogram(anycompatible, anycompatiblearray, float8) (
    SFUNC = dp_categories_add, STYPE = internal, SSPACE = 256, FINALFUNC = dp_histogram_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_histogram(anycompatible, anycompatiblearray, float8) IS 'private counts of categories (value, categories, epsilon)';

CREATE AGGREGATE dp_histogram(anycompatible, anycompatiblearray, float8, dp_mechanism) (
    SFUNC = dp_categories_add, STYPE = internal, SSPACE = 256, FINALFUNC = dp_histogram_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_histogram(anycompatible, anycompatiblearray, float8, dp_mechanism) IS 'private counts of categories (value, categories, epsilon, mechanism)';

-- dp_bounds: {lower, upper}, powers of two or 0 with the values between them; {NULL, NULL} where no bin has enough of them. NULL and NaN
-- are passed over. For dp_sum and the like, where nobody knows the bounds; charged like any other aggregate.
CREATE AGGREGATE dp_bounds(int2, float8) (
    SFUNC = dp_bounds_add, STYPE = internal, SSPACE = 272, FINALFUNC = dp_bounds_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_bounds(int2, float8) IS 'private bounds of values (value, epsilon)';

CREATE AGGREGATE dp_bounds(int2, float8, dp_mechanism) (
    SFUNC = dp_bounds_add, STYPE = internal, SSPACE = 272, FINALFUNC = dp_bounds_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_bounds(int2, float8, dp_mechanism) IS 'private bounds of values (value, epsilon, mechanism)';

CREATE AGGREGATE dp_bounds(int4, float8) (
    SFUNC = dp_bounds_add, STYPE = internal, SSPACE = 528, FINALFUNC = dp_bounds_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_bounds(int4, float8) IS 'private bounds of values (value, epsilon)';

CREATE AGGREGATE dp_bounds(int4, float8, dp_mechanism) (
    SFUNC = dp_bounds_add, STYPE = internal, SSPACE = 528, FINALFUNC = dp_bounds_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_bounds(int4, float8, dp_mechanism) IS 'private bounds of values (value, epsilon, mechanism)';

CREATE AGGREGATE dp_bounds(int8, float8) (
    SFUNC = dp_bounds_add, STYPE = internal, SSPACE = 1040, FINALFUNC = dp_bounds_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_bounds(int8, float8) IS 'private bounds of values (value, epsilon)';

CREATE AGGREGATE dp_bounds(int8, float8, dp_mechanism) (
    SFUNC = dp_bounds_add, STYPE = internal, SSPACE = 1040, FINALFUNC = dp_bounds_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_bounds(int8, float8, dp_mechanism) IS 'private bounds of values (value, epsilon, mechanism)';

CREATE AGGREGATE dp_bounds(float8, float8) (
    SFUNC = dp_bounds_add, STYPE = internal, SSPACE = 2064, FINALFUNC = dp_bounds_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_bounds(float8, float8) IS 'private bounds of values (value, epsilon)';

CREATE AGGREGATE dp_bounds(float8, float8, dp_mechanism) (
    SFUNC = dp_bounds_add, STYPE = internal, SSPACE = 2064, FINALFUNC = dp_bounds_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_bounds(float8, float8, dp_mechanism) IS 'private bounds of values (value, epsilon, mechanism)';

CREATE AGGREGATE dp_bounds(numeric, float8) (
    SFUNC = dp_bounds_add, STYPE = internal, SSPACE = 2064, FINALFUNC = dp_bounds_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_bounds(numeric, float8) IS 'private bounds of values (value, epsilon)';

CREATE AGGREGATE dp_bounds(numeric, float8, dp_mechanism) (
    SFUNC = dp_bounds_add, STYPE = internal, SSPACE = 2064, FINALFUNC = dp_bounds_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_bounds(numeric, float8, dp_mechanism) IS 'private bounds of values (value, epsilon, mechanism)';
-- Selection: aggregates that answer with one of the candidates, chosen by the mechanism permute_and_flip or exponential.

-- dp_mode: value, categories, epsilon [, mechanism]. Rows are counted by dp_categories_add, as for dp_histogram.
CREATE FUNCTION dp_mode_answer(internal, anycompatible, anycompatiblearray, float8) RETURNS anycompatible
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_mode_answer(internal, anycompatible, anycompatiblearray, float8, dp_mechanism) RETURNS anycompatible
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';

CREATE AGGREGATE dp_mode(anycompatible, anycompatiblearray, float8) (
    SFUNC = dp_categories_add, STYPE = internal, SSPACE = 256, FINALFUNC = dp_mode_answer, FINALFUNC_EXTRA, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_mode(anycompatible, anycompatiblearray, float8) IS 'private most frequent category (value, categories, epsilon)';

CREATE AGGREGATE dp_mode(anycompatible, anycompatiblearray, float8, dp_mechanism) (
    SFUNC = dp_categories_add, STYPE = internal, SSPACE = 256, FINALFUNC = dp_mode_answer, FINALFUNC_EXTRA, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_mode(anycompatible, anycompatiblearray, float8, dp_mechanism) IS 'private most frequent category (value, categories, epsilon, mechanism)';

-- dp_quantile: value, fraction, lower, upper, epsilon [, mechanism]; dp_median the same without fraction.
-- The answer is a point of a grid of the bounds: every whole number for integers at most 4,000 apart, else 4,000 equal steps.
CREATE FUNCTION dp_quantile_add(internal, int2, float8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_median_add(internal, int2, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_quantile_add(internal, int2, float8, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_median_add(internal, int2, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_quantile_add(internal, int4, float8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_median_add(internal, int4, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_quantile_add(internal, int4, float8, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_median_add(internal, int4, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_quantile_add(internal, int8, float8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_median_add(internal, int8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_quantile_add(internal, int8, float8, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_median_add(internal, int8, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_quantile_add(internal, float8, float8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_median_add(internal, float8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_quantile_add(internal, float8, float8, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_median_add(internal, float8, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_quantile_add(internal, numeric, float8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_median_add(internal, numeric, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_quantile_add(internal, numeric, float8, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_median_add(internal, numeric, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_quantile_answer(internal) RETURNS float8
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';

CREATE AGGREGATE dp_quantile(int2, float8, float8, float8, float8) (
    SFUNC = dp_quantile_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_quantile_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_quantile(int2, float8, float8, float8, float8) IS 'private quantile (value, fraction, lower, upper, epsilon)';

CREATE AGGREGATE dp_quantile(int2, float8, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_quantile_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_quantile_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_quantile(int2, float8, float8, float8, float8, dp_mechanism) IS 'private quantile (value, fraction, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_quantile(int4, float8, float8, float8, float8) (
    SFUNC = dp_quantile_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_quantile_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_quantile(int4, float8, float8, float8, float8) IS 'private quantile (value, fraction, lower, upper, epsilon)';

CREATE AGGREGATE dp_quantile(int4, float8, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_quantile_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_quantile_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_quantile(int4, float8, float8, float8, float8, dp_mechanism) IS 'private quantile (value, fraction, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_quantile(int8, float8, float8, float8, float8) (
    SFUNC = dp_quantile_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_quantile_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_quantile(int8, float8, float8, float8, float8) IS 'private quantile (value, fraction, lower, upper, epsilon)';

CREATE AGGREGATE dp_quantile(int8, float8, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_quantile_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_quantile_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_quantile(int8, float8, float8, float8, float8, dp_mechanism) IS 'private quantile (value, fraction, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_quantile(float8, float8, float8, float8, float8) (
    SFUNC = dp_quantile_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_quantile_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_quantile(float8, float8, float8, float8, float8) IS 'private quantile (value, fraction, lower, upper, epsilon)';

CREATE AGGREGATE dp_quantile(float8, float8, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_quantile_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_quantile_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_quantile(float8, float8, float8, float8, float8, dp_mechanism) IS 'private quantile (value, fraction, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_quantile(numeric, float8, float8, float8, float8) (
    SFUNC = dp_quantile_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_quantile_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_quantile(numeric, float8, float8, float8, float8) IS 'private quantile (value, fraction, lower, upper, epsilon)';

CREATE AGGREGATE dp_quantile(numeric, float8, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_quantile_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_quantile_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_quantile(numeric, float8, float8, float8, float8, dp_mechanism) IS 'private quantile (value, fraction, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_median(int2, float8, float8, float8) (
    SFUNC = dp_median_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_quantile_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_median(int2, float8, float8, float8) IS 'private median (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_median(int2, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_median_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_quantile_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_median(int2, float8, float8, float8, dp_mechanism) IS 'private median (value, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_median(int4, float8, float8, float8) (
    SFUNC = dp_median_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_quantile_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_median(int4, float8, float8, float8) IS 'private median (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_median(int4, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_median_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_quantile_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_median(int4, float8, float8, float8, dp_mechanism) IS 'private median (value, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_median(int8, float8, float8, float8) (
    SFUNC = dp_median_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_quantile_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_median(int8, float8, float8, float8) IS 'private median (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_median(int8, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_median_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_quantile_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_median(int8, float8, float8, float8, dp_mechanism) IS 'private median (value, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_median(float8, float8, float8, float8) (
    SFUNC = dp_median_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_quantile_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_median(float8, float8, float8, float8) IS 'private median (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_median(float8, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_median_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_quantile_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_median(float8, float8, float8, float8, dp_mechanism) IS 'private median (value, lower, upper, epsilon, mechanism)';

CREATE AGGREGATE dp_median(numeric, float8, float8, float8) (
    SFUNC = dp_median_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_quantile_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_median(numeric, float8, float8, float8) IS 'private median (value, lower, upper, epsilon)';

CREATE AGGREGATE dp_median(numeric, float8, float8, float8, dp_mechanism) (
    SFUNC = dp_median_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_quantile_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_median(numeric, float8, float8, float8, dp_mechanism) IS 'private median (value, lower, upper, epsilon, mechanism)';
-- Local privacy: every row is randomised by itself, before anybody collects it. Nothing here needs preloading but the aggregate.

-- Keeps the value with probability e^epsilon / (n - 1 + e^epsilon) among n categories, else returns one of the others, each
-- alike. NULL and values that are not listed are answered as the first category would be, so list it as one that says nothing.
-- Volatile: a new draw in each call. Store the responses; asking again about the same row spends epsilon again.
CREATE FUNCTION dp_randomized_response(value anycompatible, categories anycompatiblearray, epsilon float8) RETURNS anycompatible
    LANGUAGE c VOLATILE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_randomized_response(anycompatible, anycompatiblearray, float8) IS
    'the value, or at random another category: local differential privacy';

CREATE TYPE dp_rr_estimate AS (category text, estimate float8, standard_error float8);
COMMENT ON TYPE dp_rr_estimate IS 'how many true answers a category has: unbiased estimate with its standard error';

-- Estimates the counts of the true answers from responses of dp_randomized_response with the same categories and epsilon.
-- It adds no noise: the responses are private already. On raw values it is their exact histogram in disguise.
CREATE FUNCTION dp_rr_answer(internal) RETURNS dp_rr_estimate[]
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE AGGREGATE dp_rr_histogram(anycompatible, anycompatiblearray, float8) (
    SFUNC = dp_categories_add, STYPE = internal, SSPACE = 256, FINALFUNC = dp_rr_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_rr_histogram(anycompatible, anycompatiblearray, float8) IS
    'estimated counts of true answers from randomized responses (response, categories, epsilon)';
-- Privacy units with many rows: what the guard writes into queries (src/aggregate/unit_sql.h, src/guard/units.h). Everyone may
-- execute these functions, for they run in everyone's queries; by themselves the aggregates refuse.

CREATE FUNCTION dp.unit_key() RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_unit_key';
COMMENT ON FUNCTION dp.unit_key() IS 'a fresh random key for dp.unit_hash';

CREATE FUNCTION dp.unit_hash(key bigint, VARIADIC "values" "any") RETURNS bigint
    LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_unit_hash';
COMMENT ON FUNCTION dp.unit_hash(bigint, "any") IS
    'a keyed hash of values as they are stored: of a privacy unit with too many rows or groups those of the least hash count';

CREATE FUNCTION dp.unit_rows(key bigint, most bigint, "rows" bigint, up_to numeric, all_rows numeric) RETURNS bigint
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_unit_rows';
COMMENT ON FUNCTION dp.unit_rows(bigint, bigint, bigint, numeric, numeric) IS
    'how many rows of a privacy unit with too many of them count in one of its groups, at random by the key: in all groups together most';

CREATE FUNCTION dp_part_add(internal, VARIADIC "any") RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_part_answer(internal) RETURNS bytea
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_total_add(internal, VARIADIC "any") RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_total_answer_bigint(internal) RETURNS bigint
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_total_answer';
CREATE FUNCTION dp_total_answer_numeric(internal) RETURNS numeric
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_total_answer';
CREATE FUNCTION dp_total_answer_float8(internal) RETURNS float8
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_total_answer';

CREATE AGGREGATE dp.unit_part(VARIADIC "any") (
    SFUNC = dp_part_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_part_answer, FINALFUNC_MODIFY = READ_WRITE,
    COMBINEFUNC = dp_state_combine, SERIALFUNC = dp_state_serialize, DESERIALFUNC = dp_state_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp.unit_part("any") IS 'the rows of one privacy unit in one group, for an aggregate of private queries';

CREATE AGGREGATE dp.unit_bigint(VARIADIC "any") (
    SFUNC = dp_total_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_total_answer_bigint, FINALFUNC_MODIFY = READ_WRITE,
    PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp.unit_bigint("any") IS 'the private answer from parts of privacy units';

CREATE AGGREGATE dp.unit_numeric(VARIADIC "any") (
    SFUNC = dp_total_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_total_answer_numeric, FINALFUNC_MODIFY = READ_WRITE,
    PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp.unit_numeric("any") IS 'the private answer from parts of privacy units';

CREATE AGGREGATE dp.unit_float8(VARIADIC "any") (
    SFUNC = dp_total_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_total_answer_float8, FINALFUNC_MODIFY = READ_WRITE,
    PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp.unit_float8("any") IS 'the private answer from parts of privacy units';

-- Both in one, where all rows are one group: the states of all units are kept in the aggregate.
CREATE FUNCTION dp_units_add(internal, VARIADIC "any") RETURNS internal
    LANGUAGE c PARALLEL RESTRICTED AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_units_answer_bigint(internal) RETURNS bigint
    LANGUAGE c PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_units_answer';
CREATE FUNCTION dp_units_answer_numeric(internal) RETURNS numeric
    LANGUAGE c PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_units_answer';
CREATE FUNCTION dp_units_answer_float8(internal) RETURNS float8
    LANGUAGE c PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_units_answer';

CREATE AGGREGATE dp.units_bigint(VARIADIC "any") (
    SFUNC = dp_units_add, STYPE = internal, FINALFUNC = dp_units_answer_bigint, FINALFUNC_MODIFY = READ_WRITE,
    PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp.units_bigint("any") IS 'the private answer from rows of privacy units';

CREATE AGGREGATE dp.units_numeric(VARIADIC "any") (
    SFUNC = dp_units_add, STYPE = internal, FINALFUNC = dp_units_answer_numeric, FINALFUNC_MODIFY = READ_WRITE,
    PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp.units_numeric("any") IS 'the private answer from rows of privacy units';

CREATE AGGREGATE dp.units_float8(VARIADIC "any") (
    SFUNC = dp_units_add, STYPE = internal, FINALFUNC = dp_units_answer_float8, FINALFUNC_MODIFY = READ_WRITE,
    PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp.units_float8("any") IS 'the private answer from rows of privacy units';
-- Calls that lack parameters, or whose value has no type that the aggregate takes: refused with what is missing (22023) in place of
-- "function does not exist" (src/aggregate/incomplete_sql.cpp). One overload each. Where the value may have any type, it takes two
-- arguments, which no complete call has: one that takes any would make complete calls with parameters of open types ambiguous.

CREATE FUNCTION dp_incomplete_add(internal, VARIADIC "any") RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_incomplete_add(internal, "any", "any") RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_incomplete_answer(internal) RETURNS float8
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['dp_sum', 'dp_avg', 'dp_variance', 'dp_stddev', 'dp_median', 'dp_quantile', 'dp_bounds'] LOOP
        EXECUTE format('CREATE AGGREGATE %I(VARIADIC "any") (SFUNC = dp_incomplete_add, STYPE = internal, '
            'FINALFUNC = dp_incomplete_answer, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED)', name);
        EXECUTE format('COMMENT ON AGGREGATE %I("any") IS ''says which parameters are missing''', name);
    END LOOP;
    FOREACH name IN ARRAY ARRAY['dp_mode', 'dp_histogram'] LOOP
        EXECUTE format('CREATE AGGREGATE %I("any", "any") (SFUNC = dp_incomplete_add, STYPE = internal, '
            'FINALFUNC = dp_incomplete_answer, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED)', name);
        EXECUTE format('COMMENT ON AGGREGATE %I("any", "any") IS ''says which parameters are missing''', name);
    END LOOP;
END
$$;
-- Planning: what an answer would be worth, before any data is asked.

CREATE FUNCTION dp_describe(
    mechanism dp_mechanism,
    epsilon float8,
    sensitivity float8,
    "integer" boolean DEFAULT false,
    OUT mechanism dp_mechanism,
    OUT epsilon float8,
    OUT delta float8,
    OUT scale float8,
    OUT expected_abs_error float8,
    OUT expected_sq_error float8,
    OUT entropy_bits float8,
    OUT interval95 float8)
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_describe(dp_mechanism, float8, float8, boolean) IS
    'error of one number with noise of that mechanism; "integer" => true for counts and sums of integers';

CREATE FUNCTION dp_usefulness(
    mechanism dp_mechanism,
    epsilon float8,
    gamma float8,
    sensitivity float8 DEFAULT 1,
    "integer" boolean DEFAULT false)
    RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_usefulness(dp_mechanism, float8, float8, float8, boolean) IS
    'probability that the noise of one number is at most gamma; "integer" => true for counts and sums of integers';

CREATE FUNCTION dp_epsilon_for(
    mechanism dp_mechanism,
    error float8,
    confidence float8,
    sensitivity float8 DEFAULT 1,
    "integer" boolean DEFAULT false)
    RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_epsilon_for(dp_mechanism, float8, float8, float8, boolean) IS
    'smallest epsilon, a multiple of 1e-9, for which the noise of one number is at most error with that confidence';

CREATE FUNCTION dp_interval(
    answer bigint,
    mechanism dp_mechanism,
    epsilon float8,
    confidence float8 DEFAULT 0.95,
    sensitivity float8 DEFAULT 1,
    OUT lower bigint,
    OUT upper bigint)
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_interval_int8';
COMMENT ON FUNCTION dp_interval(bigint, dp_mechanism, float8, float8, float8) IS
    'interval around a count or a sum of integers that holds the exact answer with that confidence';
CREATE FUNCTION dp_interval(
    answer integer,
    mechanism dp_mechanism,
    epsilon float8,
    confidence float8 DEFAULT 0.95,
    sensitivity float8 DEFAULT 1,
    OUT lower bigint,
    OUT upper bigint)
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_interval_int4';
COMMENT ON FUNCTION dp_interval(integer, dp_mechanism, float8, float8, float8) IS
    'interval around a count or a sum of integers that holds the exact answer with that confidence';
CREATE FUNCTION dp_interval(
    answer numeric,
    mechanism dp_mechanism,
    epsilon float8,
    confidence float8 DEFAULT 0.95,
    sensitivity float8 DEFAULT 1,
    "integer" boolean DEFAULT false,
    OUT lower numeric,
    OUT upper numeric)
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_interval_numeric';
COMMENT ON FUNCTION dp_interval(numeric, dp_mechanism, float8, float8, float8, boolean) IS
    'interval around a sum that holds the exact answer with that confidence; "integer" => true for a sum of bigint values';
CREATE FUNCTION dp_interval(
    answer float8,
    mechanism dp_mechanism,
    epsilon float8,
    confidence float8 DEFAULT 0.95,
    sensitivity float8 DEFAULT 1,
    "integer" boolean DEFAULT false,
    OUT lower float8,
    OUT upper float8)
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_interval_float8';
COMMENT ON FUNCTION dp_interval(float8, dp_mechanism, float8, float8, float8, boolean) IS
    'interval around a sum that holds the exact answer with that confidence';

CREATE FUNCTION dp_collusion_error(
    mechanism dp_mechanism,
    epsilon float8,
    k integer,
    sensitivity float8 DEFAULT 1,
    "integer" boolean DEFAULT false)
    RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_collusion_error(dp_mechanism, float8, integer, float8, boolean) IS
    'expected absolute error of the lower median of k independent answers to the same question';

-- Privacy against utility: `steps` epsilons at equal distances from eps_from to eps_to, one row each.
CREATE FUNCTION dp_tradeoff(
    mechanism dp_mechanism,
    eps_from float8,
    eps_to float8,
    steps integer,
    sensitivity float8 DEFAULT 1,
    t float8 DEFAULT 1,
    "integer" boolean DEFAULT false)
    RETURNS TABLE (epsilon float8, expected_error float8, entropy_bits float8, phi float8, one_minus_ne float8)
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_tradeoff(dp_mechanism, float8, float8, integer, float8, float8, boolean) IS
    'E|noise|, entropy of the noise and its |characteristic function| at t, for evenly spaced epsilons; one_minus_ne is NULL';

CREATE FUNCTION dp_tradeoff_exponential(
    utilities float8[],
    eps_from float8,
    eps_to float8,
    steps integer,
    sensitivity float8 DEFAULT 1)
    RETURNS TABLE (epsilon float8, expected_error float8, entropy_bits float8, phi float8, one_minus_ne float8)
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_tradeoff_exponential(float8[], float8, float8, integer, float8) IS
    'utility missed by the exponential mechanism, entropy of its choice and 1 - normalised entropy; phi is NULL';

CREATE FUNCTION dp_tradeoff_response(
    shares float8[],
    eps_from float8,
    eps_to float8,
    steps integer)
    RETURNS TABLE (epsilon float8, expected_error float8, entropy_bits float8, phi float8, one_minus_ne float8)
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_tradeoff_response(float8[], float8, float8, integer) IS
    'randomised response on categories of these shares: probability of a wrong report, entropy of a report, 1 - normalised entropy; phi is NULL';

-- Reading a count that was answered with mechanism geometric and sensitivity 1, when the exact one is known to lie in 0..n.
CREATE FUNCTION dp_remap(
    answer bigint,
    epsilon float8,
    prior float8[],
    loss text DEFAULT 'abs')
    RETURNS bigint
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_remap(bigint, float8, float8[], text) IS
    'best reading of a geometric count where prior[i+1] is the probability of count i; loss: abs, sq or bin';

CREATE FUNCTION dp_remap_loss(
    epsilon float8,
    prior float8[],
    loss text DEFAULT 'abs')
    RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_remap_loss(float8, float8[], text) IS
    'expected loss of dp_remap, the least of any mechanism with that epsilon for that prior';

CREATE FUNCTION dp_remap_minimax(
    answer bigint,
    epsilon float8,
    n integer,
    loss text DEFAULT 'abs')
    RETURNS bigint
    LANGUAGE c VOLATILE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_remap_minimax(bigint, float8, integer, text) IS
    'reading of a geometric count, drawn so that the worst count in 0..n loses least; loss: abs, sq or bin';

CREATE FUNCTION dp_remap_minimax_loss(
    epsilon float8,
    n integer,
    loss text DEFAULT 'abs')
    RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_remap_minimax_loss(float8, integer, text) IS
    'expected loss of dp_remap_minimax for the worst count, the least of any mechanism with that epsilon';

CREATE FUNCTION dp_remap_minimax_table(
    epsilon float8,
    n integer,
    loss text DEFAULT 'abs')
    RETURNS TABLE (answer bigint, reading bigint, probability float8)
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_remap_minimax_table(float8, integer, text) IS
    'probabilities with which dp_remap_minimax reads each answer in 0..n';
-- What a mechanism really loses, computed from the probabilities of the law that is sampled, not from its calibration.

CREATE FUNCTION dp_privacy_loss(mechanism dp_mechanism, epsilon float8, sensitivity float8 DEFAULT 1)
    RETURNS float8 LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_privacy_loss(dp_mechanism, float8, float8) IS
    'worst-case privacy loss of one whole number that a row changes by up to sensitivity (with a delta: the smallest epsilon at that delta)';

CREATE FUNCTION dp_privacy_loss(mechanism dp_mechanism, epsilon float8, changes float8[])
    RETURNS float8 LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_privacy_loss_joint';
COMMENT ON FUNCTION dp_privacy_loss(dp_mechanism, float8, float8[]) IS
    'the same for several whole numbers that a row changes at once, each by up to the given amount';
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
CREATE FUNCTION dp.capped(x anyelement) RETURNS anyelement
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_capped';
COMMENT ON FUNCTION dp.capped(anyelement) IS 'the value; NULL where it is longer than 1 MB';
CREATE FUNCTION dp.jsonb_text(part jsonb) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_jsonb_text';
COMMENT ON FUNCTION dp.jsonb_text(jsonb) IS 'as ->> gives it; NULL where it is longer than 1 MB';

-- The allow-list of admission: what may be called on the rows of a protected table, and provided what.
CREATE FUNCTION dp.total_functions(OUT function regprocedure, OUT provided text, OUT settings text) RETURNS SETOF record
    LANGUAGE c STABLE STRICT PARALLEL SAFE ROWS 600 AS 'MODULE_PATHNAME', 'dp_total_functions';
COMMENT ON FUNCTION dp.total_functions() IS
    'functions that may be called on the rows of a protected table, because they fail for none; provided: for which arguments;
    settings: those that its result depends on';
-- What curators say about budgets, and what everyone may read of them.
-- Curators of a table are its owner, the members of dp_curator and superusers.

DO $$
BEGIN
    CREATE ROLE dp_curator NOLOGIN;
EXCEPTION WHEN duplicate_object OR unique_violation THEN -- of another database, or of one that does the same just now
    NULL;
END
$$;

CREATE FUNCTION dp.protect(relation regclass, epsilon float8, delta float8 DEFAULT 0, query_epsilon float8 DEFAULT NULL,
    group_epsilon float8 DEFAULT NULL, group_delta float8 DEFAULT NULL, privacy_unit name DEFAULT NULL,
    max_rows_per_unit integer DEFAULT NULL, max_groups_per_unit integer DEFAULT NULL, max_rows_per_group integer DEFAULT NULL)
    RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_protect';
COMMENT ON FUNCTION dp.protect(regclass, float8, float8, float8, float8, float8, name, integer, integer, integer) IS
    'gives a table a budget for all roles together, or changes it; query_epsilon is the most that one statement may cost, '
    'group_epsilon and group_delta are what the private selection of groups costs per grouping set, privacy_unit is the column that '
    'names whose a row is, of whom at most max_rows_per_unit rows, or max_rows_per_group rows in each of max_groups_per_unit groups, '
    'count in an answer';

CREATE FUNCTION dp.unprotect(relation regclass) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_unprotect';
COMMENT ON FUNCTION dp.unprotect(regclass) IS
    'ends the protection of a table and removes its roles'' budgets and its public values; what was spent stays and counts if it is protected again';

CREATE FUNCTION dp.grant_budget(relation regclass, role regrole, epsilon float8, delta float8 DEFAULT 0,
    query_epsilon float8 DEFAULT NULL, allow_leaks boolean DEFAULT false) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_grant_budget';
COMMENT ON FUNCTION dp.grant_budget(regclass, regrole, float8, float8, float8, boolean) IS
    'gives a role a budget on a protected table, or changes it; query_epsilon is the most that one statement may cost, '
    'allow_leaks accepts that the role sees sizes and counters because dp.harden() was not called';

CREATE FUNCTION dp.revoke_budget(relation regclass, role regrole) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_revoke_budget';
COMMENT ON FUNCTION dp.revoke_budget(regclass, regrole) IS
    'ends a role''s budget on a table; what was spent stays and counts if it is granted again';

CREATE FUNCTION dp.reopen(relation regclass, role regrole) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_reopen';
COMMENT ON FUNCTION dp.reopen(regclass, regrole) IS
    'opens a role''s account on a table again, after an error that stopped one of its private queries had closed it; where the role '
    'had no account, the role by itself';

CREATE FUNCTION dp.public_values(relation regclass, expression text, VARIADIC "values" anycompatiblearray) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_public_values';
COMMENT ON FUNCTION dp.public_values(regclass, text, anycompatiblearray) IS
    'declares which values a grouping expression of a protected table can have: each is a group of every answer, other rows are not '
    'counted, NULL is a group too unless the expression is a NOT NULL column';

CREATE FUNCTION dp.no_public_values(relation regclass, expression text) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_no_public_values';
COMMENT ON FUNCTION dp.no_public_values(regclass, text) IS 'withdraws the values that dp.public_values declared';

CREATE FUNCTION dp.public_groups(relation regclass, expression text) RETURNS SETOF text
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_public_groups';
COMMENT ON FUNCTION dp.public_groups(regclass, text) IS
    'the groups that every answer grouped by that expression has, in their order: declared values, or those of a boolean, an enum, '
    'a foreign key to a table of the same owner; no rows: its groups are not public';

-- A statement that writes to the ledger by itself (a restore, a superuser's hand) makes the running totals worthless.
CREATE FUNCTION dp.ledger_written() RETURNS trigger
    LANGUAGE c AS 'MODULE_PATHNAME', 'dp_ledger_written';
REVOKE EXECUTE ON FUNCTION dp.ledger_written() FROM PUBLIC;
CREATE TRIGGER ledger_written AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON dp.ledger_entry
    FOR EACH STATEMENT EXECUTE FUNCTION dp.ledger_written();
ALTER TABLE dp.ledger_entry ENABLE ALWAYS TRIGGER ledger_written;

-- The views show a role its own rows, and curators all of their tables. Their functions read what is in force at this moment,
-- whatever the snapshot of the transaction.
CREATE FUNCTION dp.read_budgets(OUT relation regclass, OUT role regrole, OUT epsilon_limit numeric, OUT epsilon_spent numeric,
    OUT epsilon_left numeric, OUT delta_limit numeric, OUT delta_spent numeric, OUT delta_left numeric,
    OUT query_epsilon_limit numeric, OUT group_epsilon numeric, OUT group_delta numeric, OUT closed boolean) RETURNS SETOF record
    LANGUAGE c VOLATILE PARALLEL RESTRICTED ROWS 100 AS 'MODULE_PATHNAME', 'dp_read_budgets';

CREATE VIEW dp.budgets AS
    SELECT relation, role, epsilon_limit, epsilon_spent, epsilon_left, delta_limit, delta_spent, delta_left, query_epsilon_limit,
        group_epsilon, group_delta, closed
    FROM dp.read_budgets();
COMMENT ON VIEW dp.budgets IS 'what may be spent on protected tables and what is left (no more than what is left of the whole table); '
    'role NULL: the table as a whole; closed: nothing is answered until a curator says dp.reopen()';
GRANT SELECT ON dp.budgets TO PUBLIC;

CREATE FUNCTION dp.read_units(OUT relation regclass, OUT privacy_unit name, OUT is_unique boolean, OUT max_rows_per_unit integer,
    OUT max_groups_per_unit integer, OUT max_rows_per_group integer) RETURNS SETOF record
    LANGUAGE c VOLATILE PARALLEL RESTRICTED ROWS 100 AS 'MODULE_PATHNAME', 'dp_read_units';

CREATE VIEW dp.units AS
    SELECT relation, privacy_unit, is_unique, max_rows_per_unit, max_groups_per_unit, max_rows_per_group FROM dp.read_units();
COMMENT ON VIEW dp.units IS
    'whose rows the protected tables hold: the column that names the privacy unit (NULL: each row is one), and how much of one unit an '
    'answer may depend on; is_unique: a unit has one row, nothing has to be limited';
GRANT SELECT ON dp.units TO PUBLIC;

CREATE FUNCTION dp.read_ledger(OUT seq bigint, OUT charged_at timestamptz, OUT role regrole, OUT relation regclass, OUT kind text,
    OUT epsilon numeric, OUT delta numeric, OUT table_epsilon numeric, OUT table_delta numeric, OUT release_id bigint,
    OUT query text) RETURNS SETOF record
    LANGUAGE c VOLATILE PARALLEL RESTRICTED ROWS 1000 AS 'MODULE_PATHNAME', 'dp_read_ledger';

CREATE FUNCTION dp.ledger_of(only_relation regclass, from_seq bigint DEFAULT NULL, to_seq bigint DEFAULT NULL, OUT seq bigint,
    OUT charged_at timestamptz, OUT role regrole, OUT relation regclass, OUT kind text, OUT epsilon numeric, OUT delta numeric,
    OUT table_epsilon numeric, OUT table_delta numeric, OUT release_id bigint, OUT query text) RETURNS SETOF record
    LANGUAGE c VOLATILE PARALLEL RESTRICTED ROWS 1000 AS 'MODULE_PATHNAME', 'dp_read_ledger';
COMMENT ON FUNCTION dp.ledger_of(regclass, bigint, bigint) IS
    'the rows of dp.ledger of one table (NULL: of all), from one number on, up to another one: where there are many, much sooner than a '
    'condition on the view';

CREATE VIEW dp.ledger AS
    SELECT seq, charged_at, role, relation, kind, epsilon, delta, table_epsilon, table_delta, release_id, query
    FROM dp.read_ledger();
COMMENT ON VIEW dp.ledger IS
    'what was charged: epsilon and delta to the account of the role, table_epsilon and table_delta to the table as a whole';
GRANT SELECT ON dp.ledger TO PUBLIC;

-- Dumps carry the rows, so that nobody starts afresh after a restore. They write tables and roles by name; what was dropped has
-- only a number, which in another cluster may be somebody else's.
SELECT pg_catalog.pg_extension_config_dump('dp.protected_table', 'WHERE relation IN (SELECT oid FROM pg_catalog.pg_class)');
SELECT pg_catalog.pg_extension_config_dump('dp.account',
    'WHERE relation IN (SELECT oid FROM pg_catalog.pg_class) AND role IN (SELECT oid FROM pg_catalog.pg_roles)');
SELECT pg_catalog.pg_extension_config_dump('dp.public_domain',
    'WHERE relation IN (SELECT oid FROM pg_catalog.pg_class) AND type IN (SELECT oid FROM pg_catalog.pg_type)');
SELECT pg_catalog.pg_extension_config_dump('dp.ledger_entry', 'WHERE relation IN (SELECT oid FROM pg_catalog.pg_class)');
-- Releases: answers that were charged, made more accurate for the price of the difference, or shown to others.

CREATE TYPE dp.released_answer AS (group_key jsonb, aggregate text, answer jsonb, epsilon float8);

CREATE FUNCTION dp_last_release() RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL RESTRICTED AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_last_release() IS
    'the number of the release that the last charged statement of this session left; NULL where it left none';

CREATE FUNCTION relax_release(release bigint, epsilon float8, aggregate text DEFAULT NULL) RETURNS SETOF dp.released_answer
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION relax_release(bigint, float8, text) IS
    'the answers of a release at a larger epsilon, for the price of the difference; aggregate: only that one of them';

CREATE FUNCTION dp_answer(release bigint, aggregate text DEFAULT NULL) RETURNS SETOF dp.released_answer
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_answer(bigint, text) IS
    'the answers of a release again, at the most accurate level that the role has paid for; costs nothing';

CREATE FUNCTION dp.share_release(release bigint, role regrole, epsilon float8, aggregate text DEFAULT NULL) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_share_release';
COMMENT ON FUNCTION dp.share_release(bigint, regrole, float8, text) IS
    'lets a role read a release by dp_answer at that epsilon, which its account pays; the table pays only what nobody has paid yet';

CREATE FUNCTION dp.forget_releases(older_than interval) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_forget_releases';
COMMENT ON FUNCTION dp.forget_releases(interval) IS
    'deletes the releases on the curator''s tables that are older, and says how many: they cannot be read or relaxed any more; what '
    'was charged for them stays in the ledger';

CREATE FUNCTION dp.read_releases(OUT release_id bigint, OUT made_at timestamptz, OUT role regrole, OUT relation regclass,
    OUT aggregate text, OUT mechanism text, OUT epsilon numeric, OUT groups bigint, OUT query text) RETURNS SETOF record
    LANGUAGE c VOLATILE PARALLEL RESTRICTED ROWS 100 AS 'MODULE_PATHNAME', 'dp_read_releases';

CREATE FUNCTION dp.release_of(release bigint, OUT release_id bigint, OUT made_at timestamptz, OUT role regrole, OUT relation regclass,
    OUT aggregate text, OUT mechanism text, OUT epsilon numeric, OUT groups bigint, OUT query text) RETURNS SETOF record
    LANGUAGE c VOLATILE PARALLEL RESTRICTED ROWS 5 AS 'MODULE_PATHNAME', 'dp_release_of';
COMMENT ON FUNCTION dp.release_of(bigint) IS 'the rows of dp.releases of one release, without reading the others';

CREATE VIEW dp.releases AS
    SELECT release_id, made_at, role, relation, aggregate, mechanism, epsilon, groups, query FROM dp.read_releases();
COMMENT ON VIEW dp.releases IS
    'stored answers: a role''s own and those shared with it, for curators all of their tables; epsilon: the finest level that it '
    '(for curators: anyone) has paid for, NULL where the mechanism has no levels';
GRANT SELECT ON dp.releases TO PUBLIC;
-- What PostgreSQL shows to everyone of tables that they may not read: sizes, counters, locks.

CREATE FUNCTION dp.harden(hide_estimates boolean DEFAULT false) RETURNS SETOF text
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_harden';
COMMENT ON FUNCTION dp.harden(boolean) IS
    'takes from PUBLIC, in this database, the functions that show sizes, counters and locks of tables, and leaves them to '
    'pg_read_all_stats; returns the statements it ran, none where nothing was left to do. hide_estimates hides pg_class.relpages, '
    'reltuples and relallvisible as well: then SELECT * FROM pg_class fails, which some clients need';

CREATE FUNCTION dp.is_hardened() RETURNS boolean
    LANGUAGE c STABLE PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_is_hardened';
COMMENT ON FUNCTION dp.is_hardened() IS 'whether everything that dp.harden() takes from PUBLIC is taken; without hide_estimates';

-- What opens it again (CREATE EXTENSION pg_stat_statements, a GRANT) is told at once. Until it is hardened again, roles that were not
-- granted their budgets with allow_leaks have no answers, trigger or not.
CREATE FUNCTION dp.hardening_watched() RETURNS event_trigger
    LANGUAGE c AS 'MODULE_PATHNAME', 'dp_hardening_watched';
REVOKE EXECUTE ON FUNCTION dp.hardening_watched() FROM PUBLIC;
CREATE EVENT TRIGGER dp_hardening ON ddl_command_end WHEN TAG IN ('CREATE EXTENSION', 'ALTER EXTENSION', 'GRANT')
    EXECUTE FUNCTION dp.hardening_watched();
ALTER EVENT TRIGGER dp_hardening ENABLE ALWAYS;
-- What is still open beside the one way in. Written in SQL over PostgreSQL's own catalogs, so that whoever doubts it can read it.

-- Standbys that may lag behind, as far as the caller may see them: a function of its own, because the privilege to call what it calls is
-- asked for when a statement begins.
CREATE FUNCTION dp.lagging_standbys() RETURNS SETOF text
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF has_function_privilege('pg_stat_get_wal_senders()', 'EXECUTE') THEN
        RETURN QUERY SELECT application_name FROM pg_stat_replication WHERE sync_state = 'async';
    END IF;
END
$$;

CREATE FUNCTION dp.check(only_relation regclass DEFAULT NULL, OUT relation regclass, OUT finding text, OUT run text)
    RETURNS SETOF record
    LANGUAGE sql STABLE PARALLEL UNSAFE ROWS 20 SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    WITH RECURSIVE protected AS (
        SELECT b.relation FROM dp.budgets b WHERE b.role IS NULL AND (only_relation IS NULL OR b.relation = only_relation)
    ), part AS ( -- the table, its partitions and children
        SELECT p.relation AS top, p.relation AS part FROM protected p
        UNION
        SELECT part.top, i.inhrelid::regclass FROM part JOIN pg_inherits i ON i.inhparent = part.part
    ), view AS ( -- views that read them, directly or through one another
        SELECT part.top, r.ev_class AS view
        FROM part JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = part.part AND d.classid = 'pg_rewrite'::regclass
            JOIN pg_rewrite r ON r.oid = d.objid AND r.ev_class <> part.part
        UNION
        SELECT view.top, r.ev_class
        FROM view JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = view.view AND d.classid = 'pg_rewrite'::regclass
            JOIN pg_rewrite r ON r.oid = d.objid AND r.ev_class <> view.view
    ), account AS (
        SELECT b.relation AS top, b.role, rolname FROM dp.budgets b JOIN protected p USING (relation) JOIN pg_roles ON b.role = pg_roles.oid
    ), granted AS ( -- who else may SELECT from a view that reads with its owner's privileges and asks no private questions
        SELECT DISTINCT view.top, c.oid::regclass AS view, c.relkind, a.grantee
        FROM view JOIN pg_class c ON c.oid = view.view, LATERAL aclexplode(c.relacl) a
        WHERE c.relkind IN ('v', 'm') AND a.grantee <> c.relowner AND a.privilege_type = 'SELECT'
            AND (c.relkind = 'm' OR NOT coalesce(c.reloptions @> '{security_invoker=true}' OR c.reloptions @> '{security_invoker=on}', false))
            AND has_table_privilege(c.relowner, view.top, 'SELECT')
            AND (a.grantee = 0 OR NOT has_table_privilege(a.grantee, view.top, 'SELECT'))
            AND NOT EXISTS (
                SELECT FROM pg_rewrite r JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
                    JOIN pg_proc f ON d.refclassid = 'pg_proc'::regclass AND d.refobjid = f.oid AND f.prokind = 'a'
                    JOIN pg_depend e ON e.classid = 'pg_proc'::regclass AND e.objid = f.oid AND e.deptype = 'e'
                        AND e.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'pg_dp')
                WHERE r.ev_class = c.oid)
    ), name AS (
        SELECT g.*, CASE WHEN grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END AS grantee_name FROM granted g
    )
    SELECT NULL::regclass, 'the library is not loaded at server start: nothing is answered',
        'set shared_preload_libraries = ''pg_dp'' in postgresql.conf and restart the server'
    WHERE current_setting('dp.keep_releases', true) IS NULL AND EXISTS (SELECT FROM protected)
    UNION ALL
    SELECT NULL, 'this database is not hardened: everyone sees sizes and counters of tables', 'SELECT dp.harden(); as a superuser'
    WHERE NOT dp.is_hardened() AND EXISTS (SELECT FROM protected)
    UNION ALL
    SELECT NULL, format('everyone may connect to database %I, which shows locks and counters of this one', datname),
        format('SELECT dp.harden(); there, or REVOKE CONNECT ON DATABASE %I FROM PUBLIC;', datname)
    FROM pg_database
    WHERE datname <> current_database() AND datallowconn AND has_database_privilege('public', oid, 'CONNECT')
        AND EXISTS (SELECT FROM protected)
    UNION ALL
    SELECT NULL, format('standby %s may take over without the last charges', s.name),
        'ALTER SYSTEM SET synchronous_standby_names = ''*''; and let commits wait for it'
    FROM dp.lagging_standbys() s(name) WHERE EXISTS (SELECT FROM protected)
    UNION ALL
    SELECT top, format('%s %s hands raw rows to %s with its owner''s privileges', CASE relkind WHEN 'm' THEN 'materialized view' ELSE 'view' END,
            view, grantee_name),
        format('REVOKE SELECT ON %s FROM %s;', view, grantee_name)
            || CASE relkind WHEN 'm' THEN '' ELSE format(' or ALTER VIEW %s SET (security_invoker = true);', view) END
    FROM name
    UNION ALL
    SELECT DISTINCT a.top, format('role %I has a budget and reads the raw table: it is charged, not fenced', a.rolname),
        format('REVOKE SELECT ON %s FROM %I, PUBLIC;', a.top, a.rolname)
    FROM account a JOIN pg_class c ON c.oid = a.top
    WHERE has_table_privilege(a.role, a.top, 'SELECT') AND NOT pg_has_role(a.role, c.relowner, 'USAGE')
    UNION ALL
    SELECT a.top, format('role %I has a budget and privileges on %s', a.rolname, part.part),
        format('REVOKE ALL ON %s FROM %I, PUBLIC;', part.part, a.rolname)
    FROM account a JOIN part USING (top)
    WHERE NOT has_table_privilege(a.role, a.top, 'SELECT')
        AND (has_table_privilege(a.role, part.part, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER')
            OR has_any_column_privilege(a.role, part.part, 'SELECT, INSERT, UPDATE, REFERENCES'))
    UNION ALL
    SELECT part.top, format('rule %I on %s runs with what is written there', r.rulename, part.part),
        format('DROP RULE %I ON %s;', r.rulename, part.part)
    FROM part JOIN pg_rewrite r ON r.ev_class = part.part
    UNION ALL
    SELECT part.top, format('trigger %I on %s gets the rows that are written', t.tgname, part.part),
        format('DROP TRIGGER %I ON %s; unless the function %s keeps them to itself', t.tgname, part.part, t.tgfoid::regproc)
    FROM part JOIN pg_trigger t ON t.tgrelid = part.part AND NOT t.tgisinternal AND t.tgparentid = 0
    UNION ALL
    SELECT part.top, format('publication %I sends the rows of %s to its subscribers', p.pubname, part.part),
        format('ALTER PUBLICATION %I DROP TABLE %s;', p.pubname, part.part)
    FROM part JOIN pg_publication_rel r ON r.prrelid = part.part JOIN pg_publication p ON p.oid = r.prpubid
    UNION ALL
    SELECT DISTINCT part.top, format('publication %I sends the rows of %s to its subscribers', p.pubname, part.part),
        format('DROP PUBLICATION %I; and name the tables that it is to send', p.pubname)
    FROM part JOIN pg_class c ON c.oid = part.part JOIN pg_publication p ON p.puballtables
        OR EXISTS (SELECT FROM pg_publication_namespace n WHERE n.pnpubid = p.oid AND n.pnnspid = c.relnamespace)
    UNION ALL
    SELECT DISTINCT part.top, format('whoever may write to %s learns by its foreign key which keys %s has', f.conrelid::regclass, part.part),
        format('REVOKE INSERT, UPDATE ON %s FROM %s;', f.conrelid::regclass,
            CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END)
    FROM part JOIN pg_constraint f ON f.confrelid = part.part AND f.contype = 'f' AND f.conparentid = 0 JOIN pg_class c ON c.oid = f.conrelid,
        LATERAL aclexplode(c.relacl) a
    WHERE a.grantee <> c.relowner AND a.privilege_type IN ('INSERT', 'UPDATE')
        AND (a.grantee = 0 OR NOT has_table_privilege(a.grantee, part.top, 'SELECT'))
    UNION ALL
    SELECT b.relation, format('role %I is closed: an error stopped one of its private queries', r.rolname),
        format('SELECT dp.reopen(%L, %L); once the server''s log has told why', b.relation, quote_ident(r.rolname))
    FROM dp.budgets b JOIN protected p USING (relation) JOIN pg_roles r ON r.oid = b.role WHERE b.closed
    ORDER BY 1, 2, 3;
END;
COMMENT ON FUNCTION dp.check(regclass) IS
    'for a curator: what is still open beside private queries on the tables that it curates, or on one of them, a row each with what to '
    'run; relation NULL: for all of them';
-- What a query would cost. It is planned as the current role and does not run: nothing is charged.
-- A part that turns out not to run (LIMIT 0, a CASE that nobody reaches) is counted here and not charged then; what functions
-- ask that the query calls is charged then and not counted here.
CREATE FUNCTION dp.cost(query text) RETURNS TABLE (relation regclass, role regrole, epsilon numeric, delta numeric)
    LANGUAGE c VOLATILE PARALLEL UNSAFE ROWS 2 AS 'MODULE_PATHNAME', 'dp_cost';
COMMENT ON FUNCTION dp.cost(text) IS
    'what a query would be charged, without running it: one row for each account, with role NULL for the table as a whole';
-- Whether a role may ask a query: yes, or the text of the refusal. The query is planned and does not run; functions that planning
-- calls run as the current user.
CREATE FUNCTION dp.admissible(query text, role regrole DEFAULT NULL) RETURNS text
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_admissible';
COMMENT ON FUNCTION dp.admissible(text, regrole) IS
    'yes, or why that role (the current one, if left out) may not ask the query';
-- Support functions are run as the owner of the aggregates; nobody else has a use for them.

DO $$
DECLARE
    support regprocedure;
BEGIN
    FOR support IN
        SELECT p.oid::regprocedure
        FROM pg_depend d JOIN pg_proc p ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid
        WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND p.prokind = 'f'
            AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'pg_dp')
            AND p.proname ~ '^dp_[a-z]+_(add|answer|combine|serialize|deserialize)'
    LOOP
        EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', support);
    END LOOP;
END
$$;

-- The settings are the library's, which has to come with the server.
DO $$
BEGIN
    IF current_setting('dp.keep_releases', true) IS NULL THEN
        RAISE WARNING 'pg_dp is not loaded at server start: nothing is answered until it is'
            USING HINT = 'Set shared_preload_libraries = ''pg_dp'' in postgresql.conf and restart the server.';
    END IF;
END
$$;
