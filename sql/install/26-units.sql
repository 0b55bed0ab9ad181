-- Privacy units with many rows: what the guard writes into queries (src/aggregate/call/unit_aggregates.h, src/guard/unit_limit/units.h). Everyone may
-- execute these functions, for they run in everyone's queries; by themselves the aggregates refuse.

CREATE FUNCTION dp_internal.unit_key() RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_unit_key';
COMMENT ON FUNCTION dp_internal.unit_key() IS 'a fresh random key for dp_internal.unit_hash';

CREATE FUNCTION dp_internal.unit_of_row() RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_unit_of_row';
COMMENT ON FUNCTION dp_internal.unit_of_row() IS 'a number for each row that is a privacy unit of its own';

CREATE FUNCTION dp_internal.unit_hash(key bigint, VARIADIC "values" "any") RETURNS bigint
    LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_unit_hash';
COMMENT ON FUNCTION dp_internal.unit_hash(bigint, "any") IS
    'a keyed hash of values as they are stored: of a privacy unit with too many rows or groups those of the least hash count';

CREATE FUNCTION dp_internal.unit_rows(key bigint, most bigint, "rows" bigint, up_to bigint, all_rows bigint) RETURNS bigint
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_unit_rows';
COMMENT ON FUNCTION dp_internal.unit_rows(bigint, bigint, bigint, bigint, bigint) IS
    'how many rows of a privacy unit with too many of them count in one of its groups, at random by the key: in all groups together most';

CREATE FUNCTION dp_internal.unit_takes(unit "any", value "any", hash bigint, most bigint) RETURNS boolean
    LANGUAGE c IMMUTABLE WINDOW PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_unit_takes';
COMMENT ON FUNCTION dp_internal.unit_takes("any", "any", bigint, bigint) IS
    'whether a privacy unit counts that value: one that no unit before it has taken, and at most so many; over units one after the other';

CREATE FUNCTION dp_internal.group_weight(groups bigint) RETURNS bigint
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_group_weight';
COMMENT ON FUNCTION dp_internal.group_weight(bigint) IS
    'how much a privacy unit that is in so many groups, of which 128 count, adds to each where groups are chosen privately';

-- sum(bigint) adds up numerics, of which a unit with some rows in each of its groups has no need.
CREATE AGGREGATE dp_internal.unit_sum(bigint) (SFUNC = pg_catalog.int8pl, STYPE = bigint, INITCOND = '0', PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_internal.unit_sum(bigint) IS 'how many rows a privacy unit has in several groups';

CREATE FUNCTION dp_internal.dp_part_add(internal, VARIADIC "any") RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_part_answer(internal) RETURNS bytea
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_total_add(internal, VARIADIC "any") RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_total_answer_bigint(internal) RETURNS bigint
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_total_answer';
CREATE FUNCTION dp_internal.dp_total_answer_numeric(internal) RETURNS numeric
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_total_answer';
CREATE FUNCTION dp_internal.dp_total_answer_float8(internal) RETURNS float8
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_total_answer';

CREATE FUNCTION dp_internal.dp_total_answer_bigints(internal) RETURNS bigint[]
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_total_answer';
CREATE FUNCTION dp_internal.dp_total_answer_float8s(internal) RETURNS float8[]
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_total_answer';

CREATE AGGREGATE dp_internal.unit_part(VARIADIC "any") (
    SFUNC = dp_internal.dp_part_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_part_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_internal.unit_part("any") IS
    'the rows of one privacy unit in one group, for an aggregate of private queries';

CREATE AGGREGATE dp_internal.unit_bigint(VARIADIC "any") (
    SFUNC = dp_internal.dp_total_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_total_answer_bigint,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.unit_bigint("any") IS 'the private answer from parts of privacy units';

CREATE AGGREGATE dp_internal.unit_numeric(VARIADIC "any") (
    SFUNC = dp_internal.dp_total_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_total_answer_numeric,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.unit_numeric("any") IS 'the private answer from parts of privacy units';

CREATE AGGREGATE dp_internal.unit_float8(VARIADIC "any") (
    SFUNC = dp_internal.dp_total_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_total_answer_float8,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.unit_float8("any") IS 'the private answer from parts of privacy units';

CREATE AGGREGATE dp_internal.unit_bigints(VARIADIC "any") (
    SFUNC = dp_internal.dp_total_add, STYPE = internal, FINALFUNC = dp_internal.dp_total_answer_bigints,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.unit_bigints("any") IS 'the private answer from parts of privacy units';

CREATE AGGREGATE dp_internal.unit_float8s(VARIADIC "any") (
    SFUNC = dp_internal.dp_total_add, STYPE = internal, FINALFUNC = dp_internal.dp_total_answer_float8s,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.unit_float8s("any") IS 'the private answer from parts of privacy units';

-- Both in one, where all rows are one group: the states of all units are kept in the aggregate.
-- In a parallel plan each process keeps those of the rows that it reads, and ships them.
CREATE FUNCTION dp_internal.dp_units_add(internal, VARIADIC "any") RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_units_combine(internal, internal) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_units_serialize(internal) RETURNS bytea
    LANGUAGE c STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_units_deserialize(bytea, internal) RETURNS internal
    LANGUAGE c STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_units_answer_bigint(internal) RETURNS bigint
    LANGUAGE c PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_units_answer';
CREATE FUNCTION dp_internal.dp_units_answer_numeric(internal) RETURNS numeric
    LANGUAGE c PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_units_answer';
CREATE FUNCTION dp_internal.dp_units_answer_float8(internal) RETURNS float8
    LANGUAGE c PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_units_answer';

CREATE FUNCTION dp_internal.dp_units_answer_bigints(internal) RETURNS bigint[]
    LANGUAGE c PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_units_answer';
CREATE FUNCTION dp_internal.dp_units_answer_float8s(internal) RETURNS float8[]
    LANGUAGE c PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_units_answer';

CREATE AGGREGATE dp_internal.units_bigints(VARIADIC "any") (
    SFUNC = dp_internal.dp_units_add, STYPE = internal, FINALFUNC = dp_internal.dp_units_answer_bigints,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_units_combine,
    SERIALFUNC = dp_internal.dp_units_serialize, DESERIALFUNC = dp_internal.dp_units_deserialize);
COMMENT ON AGGREGATE dp_internal.units_bigints("any") IS 'the private answer from rows of privacy units';

CREATE AGGREGATE dp_internal.units_float8s(VARIADIC "any") (
    SFUNC = dp_internal.dp_units_add, STYPE = internal, FINALFUNC = dp_internal.dp_units_answer_float8s,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_units_combine,
    SERIALFUNC = dp_internal.dp_units_serialize, DESERIALFUNC = dp_internal.dp_units_deserialize);
COMMENT ON AGGREGATE dp_internal.units_float8s("any") IS 'the private answer from rows of privacy units';

CREATE AGGREGATE dp_internal.units_bigint(VARIADIC "any") (
    SFUNC = dp_internal.dp_units_add, STYPE = internal, FINALFUNC = dp_internal.dp_units_answer_bigint,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_units_combine,
    SERIALFUNC = dp_internal.dp_units_serialize, DESERIALFUNC = dp_internal.dp_units_deserialize);
COMMENT ON AGGREGATE dp_internal.units_bigint("any") IS 'the private answer from rows of privacy units';

CREATE AGGREGATE dp_internal.units_numeric(VARIADIC "any") (
    SFUNC = dp_internal.dp_units_add, STYPE = internal, FINALFUNC = dp_internal.dp_units_answer_numeric,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_units_combine,
    SERIALFUNC = dp_internal.dp_units_serialize, DESERIALFUNC = dp_internal.dp_units_deserialize);
COMMENT ON AGGREGATE dp_internal.units_numeric("any") IS 'the private answer from rows of privacy units';

CREATE AGGREGATE dp_internal.units_float8(VARIADIC "any") (
    SFUNC = dp_internal.dp_units_add, STYPE = internal, FINALFUNC = dp_internal.dp_units_answer_float8,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_units_combine,
    SERIALFUNC = dp_internal.dp_units_serialize, DESERIALFUNC = dp_internal.dp_units_deserialize);
COMMENT ON AGGREGATE dp_internal.units_float8("any") IS 'the private answer from rows of privacy units';

-- The same in groups that are known beforehand: what finds the unit and the group of a row, and the aggregates that count it there.
CREATE FUNCTION dp_internal.dp_units_row_add(internal, anyelement, VARIADIC "any") RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_units_row_answer(internal, anyelement, VARIADIC "any") RETURNS anyelement
    LANGUAGE c PARALLEL RESTRICTED AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_groups_add(internal, VARIADIC "any") RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_groups_answer_bigint(internal) RETURNS bigint
    LANGUAGE c PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_groups_answer';
CREATE FUNCTION dp_internal.dp_groups_answer_numeric(internal) RETURNS numeric
    LANGUAGE c PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_groups_answer';
CREATE FUNCTION dp_internal.dp_groups_answer_float8(internal) RETURNS float8
    LANGUAGE c PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_groups_answer';

CREATE AGGREGATE dp_internal.units_row(anyelement, VARIADIC "any") (
    SFUNC = dp_internal.dp_units_row_add, STYPE = internal, FINALFUNC = dp_internal.dp_units_row_answer, FINALFUNC_EXTRA,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_units_combine,
    SERIALFUNC = dp_internal.dp_units_serialize, DESERIALFUNC = dp_internal.dp_units_deserialize);
COMMENT ON AGGREGATE dp_internal.units_row(anyelement, "any") IS 'finds the privacy unit and the group of a row, for the aggregates beside it';

CREATE AGGREGATE dp_internal.groups_bigint(VARIADIC "any") (
    SFUNC = dp_internal.dp_groups_add, STYPE = internal, FINALFUNC = dp_internal.dp_groups_answer_bigint,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_units_combine,
    SERIALFUNC = dp_internal.dp_units_serialize, DESERIALFUNC = dp_internal.dp_units_deserialize);
COMMENT ON AGGREGATE dp_internal.groups_bigint("any") IS 'the private answers of known groups from rows of privacy units';

CREATE AGGREGATE dp_internal.groups_numeric(VARIADIC "any") (
    SFUNC = dp_internal.dp_groups_add, STYPE = internal, FINALFUNC = dp_internal.dp_groups_answer_numeric,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_units_combine,
    SERIALFUNC = dp_internal.dp_units_serialize, DESERIALFUNC = dp_internal.dp_units_deserialize);
COMMENT ON AGGREGATE dp_internal.groups_numeric("any") IS 'the private answers of known groups from rows of privacy units';

CREATE AGGREGATE dp_internal.groups_float8(VARIADIC "any") (
    SFUNC = dp_internal.dp_groups_add, STYPE = internal, FINALFUNC = dp_internal.dp_groups_answer_float8,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_units_combine,
    SERIALFUNC = dp_internal.dp_units_serialize, DESERIALFUNC = dp_internal.dp_units_deserialize);
COMMENT ON AGGREGATE dp_internal.groups_float8("any") IS 'the private answers of known groups from rows of privacy units';

-- Vectors (23-vectors.sql), each way.
CREATE FUNCTION dp_internal.dp_total_answer_totals(internal) RETURNS dp_totals
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_total_answer';
CREATE FUNCTION dp_internal.dp_units_answer_totals(internal) RETURNS dp_totals
    LANGUAGE c PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_units_answer';
CREATE FUNCTION dp_internal.dp_groups_answer_totals(internal) RETURNS dp_totals
    LANGUAGE c PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_groups_answer';

CREATE AGGREGATE dp_internal.unit_totals(VARIADIC "any") (
    SFUNC = dp_internal.dp_total_add, STYPE = internal, SSPACE = 64, FINALFUNC = dp_internal.dp_total_answer_totals,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.unit_totals("any") IS 'the private answer from parts of privacy units';

CREATE AGGREGATE dp_internal.units_totals(VARIADIC "any") (
    SFUNC = dp_internal.dp_units_add, STYPE = internal, FINALFUNC = dp_internal.dp_units_answer_totals,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_units_combine,
    SERIALFUNC = dp_internal.dp_units_serialize, DESERIALFUNC = dp_internal.dp_units_deserialize);
COMMENT ON AGGREGATE dp_internal.units_totals("any") IS 'the private answer from rows of privacy units';

CREATE AGGREGATE dp_internal.groups_totals(VARIADIC "any") (
    SFUNC = dp_internal.dp_groups_add, STYPE = internal, FINALFUNC = dp_internal.dp_groups_answer_totals,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_units_combine,
    SERIALFUNC = dp_internal.dp_units_serialize, DESERIALFUNC = dp_internal.dp_units_deserialize);
COMMENT ON AGGREGATE dp_internal.groups_totals("any") IS 'the private answers of known groups from rows of privacy units';

CREATE FUNCTION dp_internal.dp_total_answer_moments(internal) RETURNS dp_moments
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_total_answer';
CREATE FUNCTION dp_internal.dp_units_answer_moments(internal) RETURNS dp_moments
    LANGUAGE c PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_units_answer';
CREATE FUNCTION dp_internal.dp_groups_answer_moments(internal) RETURNS dp_moments
    LANGUAGE c PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_groups_answer';

CREATE AGGREGATE dp_internal.unit_moments(VARIADIC "any") (
    SFUNC = dp_internal.dp_total_add, STYPE = internal, SSPACE = 64, FINALFUNC = dp_internal.dp_total_answer_moments,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.unit_moments("any") IS 'the private answer from parts of privacy units';

CREATE AGGREGATE dp_internal.units_moments(VARIADIC "any") (
    SFUNC = dp_internal.dp_units_add, STYPE = internal, FINALFUNC = dp_internal.dp_units_answer_moments,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_units_combine,
    SERIALFUNC = dp_internal.dp_units_serialize, DESERIALFUNC = dp_internal.dp_units_deserialize);
COMMENT ON AGGREGATE dp_internal.units_moments("any") IS 'the private answer from rows of privacy units';

CREATE AGGREGATE dp_internal.groups_moments(VARIADIC "any") (
    SFUNC = dp_internal.dp_groups_add, STYPE = internal, FINALFUNC = dp_internal.dp_groups_answer_moments,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_units_combine,
    SERIALFUNC = dp_internal.dp_units_serialize, DESERIALFUNC = dp_internal.dp_units_deserialize);
COMMENT ON AGGREGATE dp_internal.groups_moments("any") IS 'the private answers of known groups from rows of privacy units';

-- Pairs (25-pairs.sql), each way.
DO $$
DECLARE
    kind text;
    shipped text := 'COMBINEFUNC = dp_internal.dp_units_combine, SERIALFUNC = dp_internal.dp_units_serialize, DESERIALFUNC = dp_internal.dp_units_deserialize';
    parallel text;
    way text;
BEGIN
    FOREACH kind IN ARRAY ARRAY['covariance', 'regression'] LOOP
        FOREACH way IN ARRAY ARRAY['total', 'units', 'groups'] LOOP
            parallel := CASE way WHEN 'total' THEN 'SAFE' ELSE 'RESTRICTED' END;
            EXECUTE format('CREATE FUNCTION dp_internal.dp_%1$s_answer_%2$s(internal) RETURNS dp_%2$s LANGUAGE c PARALLEL %3$s AS %4$L, %5$L',
                way, kind, parallel, 'MODULE_PATHNAME', 'dp_' || way || '_answer');
        END LOOP;
        EXECUTE format('CREATE AGGREGATE dp_internal.unit_%1$s(VARIADIC "any") (SFUNC = dp_internal.dp_total_add, STYPE = internal, SSPACE = %2$s, '
            'FINALFUNC = dp_internal.dp_total_answer_%1$s, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED)', kind, CASE kind WHEN 'covariance' THEN 96 ELSE 176 END);
        EXECUTE format('CREATE AGGREGATE dp_internal.units_%1$s(VARIADIC "any") (SFUNC = dp_internal.dp_units_add, STYPE = internal, '
            'FINALFUNC = dp_internal.dp_units_answer_%1$s, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, %2$s)', kind, shipped);
        EXECUTE format('CREATE AGGREGATE dp_internal.groups_%1$s(VARIADIC "any") (SFUNC = dp_internal.dp_groups_add, STYPE = internal, '
            'FINALFUNC = dp_internal.dp_groups_answer_%1$s, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, %2$s)', kind, shipped);
        EXECUTE format('COMMENT ON AGGREGATE dp_internal.unit_%s("any") IS %L', kind, 'the private answer from parts of privacy units');
        EXECUTE format('COMMENT ON AGGREGATE dp_internal.units_%s("any") IS %L', kind, 'the private answer from rows of privacy units');
        EXECUTE format('COMMENT ON AGGREGATE dp_internal.groups_%s("any") IS %L', kind, 'the private answers of known groups from rows of privacy units');
    END LOOP;
END
$$;

-- Prefix sums (25-cumulative.sql), of which rows are kept.
CREATE FUNCTION dp_internal.dp_total_answer_cumulative(internal) RETURNS dp_cumulative
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_total_answer';
CREATE FUNCTION dp_internal.dp_units_answer_cumulative(internal) RETURNS dp_cumulative
    LANGUAGE c PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_units_answer';

CREATE AGGREGATE dp_internal.unit_cumulative(VARIADIC "any") (
    SFUNC = dp_internal.dp_total_add, STYPE = internal, FINALFUNC = dp_internal.dp_total_answer_cumulative,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.unit_cumulative("any") IS 'the private answer from parts of privacy units';

CREATE AGGREGATE dp_internal.units_cumulative(VARIADIC "any") (
    SFUNC = dp_internal.dp_units_add, STYPE = internal, FINALFUNC = dp_internal.dp_units_answer_cumulative,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_units_combine,
    SERIALFUNC = dp_internal.dp_units_serialize, DESERIALFUNC = dp_internal.dp_units_deserialize);
COMMENT ON AGGREGATE dp_internal.units_cumulative("any") IS 'the private answer from rows of privacy units';

-- Histograms and prefix sums by groups, of units whose limit is chosen (src/aggregate/call/unit_buckets.h).
DO $$
DECLARE
    kind text;
    result text;
BEGIN
    FOR kind, result IN VALUES ('bigints', 'bigint[]'), ('cumulative', 'dp_cumulative') LOOP
        EXECUTE format('CREATE FUNCTION dp_internal.dp_groups_answer_%1$s(internal) RETURNS %2$s LANGUAGE c PARALLEL RESTRICTED AS %3$L, %4$L',
            kind, result, 'MODULE_PATHNAME', 'dp_groups_answer');
        EXECUTE format('CREATE AGGREGATE dp_internal.groups_%1$s(VARIADIC "any") (SFUNC = dp_internal.dp_groups_add, STYPE = internal, '
            'FINALFUNC = dp_internal.dp_groups_answer_%1$s, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_units_combine, '
            'SERIALFUNC = dp_internal.dp_units_serialize, DESERIALFUNC = dp_internal.dp_units_deserialize)', kind);
        EXECUTE format('COMMENT ON AGGREGATE dp_internal.groups_%s("any") IS %L', kind, 'the private answers of known groups from rows of privacy units');
    END LOOP;
END
$$;
