\echo Use "ALTER EXTENSION pg_dp UPDATE" to load this file. \quit
-- 0.1.0 -> 0.2.0. Ledger, budgets, releases and what was declared stay as they are; test/fault/upgrade.sh compares all that the
-- extension consists of with a fresh one.

-- Functions that nobody calls by name leave the schemas of those that people call.
CREATE SCHEMA dp_internal;
ALTER TABLE dp.protected_table ADD answer_epsilon_nano bigint;
ALTER TABLE dp.protected_table ADD min_query_epsilon_nano bigint;
ALTER TABLE dp.protected_table ADD max_charges bigint;
ALTER TABLE dp.protected_table ADD release_age interval;
ALTER TABLE dp.protected_table ADD release_numbers bigint;
ALTER TABLE dp.protected_table ADD unit_steps text[];
ALTER TABLE dp.protected_table ADD rows_kept text;
ALTER TABLE dp.protected_table ADD rows_kept_by text;
ALTER TABLE dp.protected_table ADD answer_mechanism dp_mechanism;
ALTER TABLE dp.protected_table ADD accountant text;
ALTER TABLE dp.protected_table ADD conversion_delta_atto bigint;
ALTER TABLE dp.protected_table ADD period interval;
ALTER TABLE dp.protected_table ADD sliding boolean;
ALTER TABLE dp.protected_table ADD blocks boolean;
ALTER TABLE dp.protected_table ADD max_blocks_per_unit integer;
ALTER TABLE dp.account ADD answer_epsilon_nano bigint;
ALTER TABLE dp.account ADD max_charges bigint;
ALTER TABLE dp.account ADD answer_mechanism dp_mechanism;
ALTER TABLE dp.account ADD conversion_delta_atto bigint;
ALTER TABLE dp.account ADD period interval;
ALTER TABLE dp.account ADD sliding boolean;
ALTER TABLE dp.ledger_entry ADD entries bigint;
ALTER TABLE dp.ledger_entry ADD losses text;
ALTER TABLE dp.ledger_entry ADD table_losses text;
ALTER TABLE dp.ledger_entry ADD divergences bigint[];
ALTER TABLE dp.ledger_entry ADD table_divergences bigint[];
ALTER TABLE dp.release_part ADD small bytea;
ALTER TABLE dp.release_part ADD partners regclass[];
ALTER TABLE dp.release_part ADD blocks regclass[];

ALTER FUNCTION dp.capped(anyelement) SET SCHEMA dp_internal;
ALTER FUNCTION dp.hardening_watched() SET SCHEMA dp_internal;
ALTER FUNCTION dp.jsonb_text(jsonb) SET SCHEMA dp_internal;
ALTER FUNCTION dp.lagging_standbys() SET SCHEMA dp_internal;
ALTER FUNCTION dp.ledger_written() SET SCHEMA dp_internal;
ALTER FUNCTION dp.read_budgets() SET SCHEMA dp_internal;
ALTER FUNCTION dp.read_ledger() SET SCHEMA dp_internal;
ALTER FUNCTION dp.read_releases() SET SCHEMA dp_internal;
ALTER FUNCTION dp.read_units() SET SCHEMA dp_internal;
ALTER FUNCTION dp.unit_hash(bigint,"any") SET SCHEMA dp_internal;
ALTER FUNCTION dp.unit_key() SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_avg_answer(internal) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_bounds_add(internal,bigint,double precision) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_bounds_add(internal,bigint,double precision,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_bounds_add(internal,double precision,double precision) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_bounds_add(internal,double precision,double precision,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_bounds_add(internal,integer,double precision) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_bounds_add(internal,integer,double precision,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_bounds_add(internal,numeric,double precision) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_bounds_add(internal,numeric,double precision,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_bounds_add(internal,smallint,double precision) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_bounds_add(internal,smallint,double precision,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_bounds_answer(internal) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_buckets_add(internal,double precision,double precision,double precision,integer,double precision) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_buckets_add(internal,double precision,double precision,double precision,integer,double precision,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_categories_add(internal,anycompatible,anycompatiblearray,double precision) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_categories_add(internal,anycompatible,anycompatiblearray,double precision,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_count_add(internal) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_count_add(internal,"any") SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_count_add(internal,"any",double precision) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_count_add(internal,"any",double precision,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_count_answer(internal) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_histogram_answer(internal) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_incomplete_add(internal,"any") SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_incomplete_answer(internal) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_mean_add(internal,bigint,double precision,double precision,double precision) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_mean_add(internal,bigint,double precision,double precision,double precision,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_mean_add(internal,double precision,double precision,double precision,double precision) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_mean_add(internal,double precision,double precision,double precision,double precision,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_mean_add(internal,integer,double precision,double precision,double precision) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_mean_add(internal,integer,double precision,double precision,double precision,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_mean_add(internal,numeric,double precision,double precision,double precision) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_mean_add(internal,numeric,double precision,double precision,double precision,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_mean_add(internal,smallint,double precision,double precision,double precision) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_mean_add(internal,smallint,double precision,double precision,double precision,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_mechanism_cmp(@extschema@.dp_mechanism,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_mechanism_eq(@extschema@.dp_mechanism,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_mechanism_ge(@extschema@.dp_mechanism,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_mechanism_gt(@extschema@.dp_mechanism,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_mechanism_in(cstring) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_mechanism_le(@extschema@.dp_mechanism,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_mechanism_lt(@extschema@.dp_mechanism,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_mechanism_ne(@extschema@.dp_mechanism,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_mechanism_out(@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_mechanism_recv(internal) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_mechanism_send(@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_median_add(internal,bigint,double precision,double precision,double precision) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_median_add(internal,bigint,double precision,double precision,double precision,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_median_add(internal,double precision,double precision,double precision,double precision) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_median_add(internal,double precision,double precision,double precision,double precision,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_median_add(internal,integer,double precision,double precision,double precision) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_median_add(internal,integer,double precision,double precision,double precision,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_median_add(internal,numeric,double precision,double precision,double precision) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_median_add(internal,numeric,double precision,double precision,double precision,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_median_add(internal,smallint,double precision,double precision,double precision) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_median_add(internal,smallint,double precision,double precision,double precision,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_mode_answer(internal,anycompatible,anycompatiblearray,double precision) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_mode_answer(internal,anycompatible,anycompatiblearray,double precision,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_moments_add(internal,bigint,double precision,double precision,double precision) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_moments_add(internal,bigint,double precision,double precision,double precision,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_moments_add(internal,double precision,double precision,double precision,double precision) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_moments_add(internal,double precision,double precision,double precision,double precision,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_moments_add(internal,integer,double precision,double precision,double precision) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_moments_add(internal,integer,double precision,double precision,double precision,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_moments_add(internal,numeric,double precision,double precision,double precision) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_moments_add(internal,numeric,double precision,double precision,double precision,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_moments_add(internal,smallint,double precision,double precision,double precision) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_moments_add(internal,smallint,double precision,double precision,double precision,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_part_add(internal,"any") SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_part_answer(internal) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_quantile_add(internal,bigint,double precision,double precision,double precision,double precision) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_quantile_add(internal,bigint,double precision,double precision,double precision,double precision,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_quantile_add(internal,double precision,double precision,double precision,double precision,double precision) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_quantile_add(internal,double precision,double precision,double precision,double precision,double precision,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_quantile_add(internal,integer,double precision,double precision,double precision,double precision) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_quantile_add(internal,integer,double precision,double precision,double precision,double precision,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_quantile_add(internal,numeric,double precision,double precision,double precision,double precision) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_quantile_add(internal,numeric,double precision,double precision,double precision,double precision,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_quantile_add(internal,smallint,double precision,double precision,double precision,double precision) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_quantile_add(internal,smallint,double precision,double precision,double precision,double precision,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_quantile_answer(internal) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_rr_answer(internal) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_state_combine(internal,internal) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_state_deserialize(bytea,internal) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_state_serialize(internal) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_stddev_answer(internal) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_sum_add(internal,bigint,double precision,double precision,double precision) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_sum_add(internal,bigint,double precision,double precision,double precision,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_sum_add(internal,double precision,double precision,double precision,double precision) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_sum_add(internal,double precision,double precision,double precision,double precision,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_sum_add(internal,integer,double precision,double precision,double precision) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_sum_add(internal,integer,double precision,double precision,double precision,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_sum_add(internal,numeric,double precision,double precision,double precision) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_sum_add(internal,numeric,double precision,double precision,double precision,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_sum_add(internal,smallint,double precision,double precision,double precision) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_sum_add(internal,smallint,double precision,double precision,double precision,@extschema@.dp_mechanism) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_sum_answer_bigint(internal) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_sum_answer_float8(internal) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_sum_answer_numeric(internal) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_total_add(internal,"any") SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_total_answer_bigint(internal) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_total_answer_float8(internal) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_total_answer_numeric(internal) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_units_add(internal,"any") SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_units_answer_bigint(internal) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_units_answer_float8(internal) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_units_answer_numeric(internal) SET SCHEMA dp_internal;
ALTER FUNCTION @extschema@.dp_variance_answer(internal) SET SCHEMA dp_internal;
ALTER AGGREGATE dp.unit_bigint("any") SET SCHEMA dp_internal;
ALTER AGGREGATE dp.unit_float8("any") SET SCHEMA dp_internal;
ALTER AGGREGATE dp.unit_numeric("any") SET SCHEMA dp_internal;
ALTER AGGREGATE dp.unit_part("any") SET SCHEMA dp_internal;
ALTER AGGREGATE dp.units_bigint("any") SET SCHEMA dp_internal;
ALTER AGGREGATE dp.units_float8("any") SET SCHEMA dp_internal;
ALTER AGGREGATE dp.units_numeric("any") SET SCHEMA dp_internal;

-- With more arguments, or another result.
DROP FUNCTION dp."check"(regclass);
DROP VIEW dp.budgets, dp.units, dp.ledger;
ALTER TABLE dp.protected_table ALTER privacy_unit TYPE text;
DROP AGGREGATE @extschema@.dp_bounds("any");
DROP AGGREGATE @extschema@.dp_histogram("any","any");
DROP AGGREGATE @extschema@.dp_mode("any","any");
DROP FUNCTION dp.admissible(text,regrole);
DROP FUNCTION dp.harden(boolean);
DROP FUNCTION dp_internal.read_budgets();
DROP FUNCTION dp_internal.read_ledger();
DROP FUNCTION dp.ledger_of(regclass,bigint,bigint);
DROP FUNCTION dp_internal.read_units();

CREATE TABLE dp.release_forgotten (
    release_id bigint NOT NULL,
    part integer NOT NULL,
    made_at timestamptz NOT NULL,
    role regrole NOT NULL,
    relation regclass NOT NULL,
    forgotten_at timestamptz NOT NULL
);
CREATE INDEX ON dp.release_forgotten (release_id);
SELECT pg_catalog.pg_extension_config_dump('dp.release_forgotten',
    'WHERE relation IN (SELECT oid FROM pg_catalog.pg_class) AND role IN (SELECT oid FROM pg_catalog.pg_roles)');
CREATE TABLE dp.answer_policy (
    relation regclass PRIMARY KEY,
    reuse_seconds bigint NOT NULL, -- how old an answer may be that is shown again
    keep_seconds bigint NOT NULL,  -- how old a stored answer becomes
    keep_bytes bigint NOT NULL,    -- how many bytes all of them may take
    share_answers boolean NOT NULL -- they serve other roles, too
);
CREATE TABLE dp.stored_answer (
    question_hash bigint NOT NULL,
    answer_id bigint NOT NULL,
    made_at timestamptz NOT NULL, -- when its rows were read
    role regrole NOT NULL,        -- who was shown it, and paid
    relation regclass NOT NULL,
    release_id bigint NOT NULL,   -- where its noise is kept; 0: nowhere
    part integer NOT NULL,
    row_count bigint NOT NULL,
    bytes bigint NOT NULL,
    question bytea NOT NULL,      -- the digest of what src/guard/reuse/question_text.h writes
    aggregates bytea NOT NULL,    -- of each its epsilon, its delta, how it was answered, and the digest of its text
    rows_hash bigint NOT NULL,    -- by which dp.stored_answer_keys has it; 0: it has not
    partners regclass[]           -- other protected tables that were joined to that one; NULL: none
);
CREATE INDEX ON dp.stored_answer (question_hash, answer_id);
ALTER TABLE dp.stored_answer SET (toast_tuple_target = 8160);
ALTER TABLE dp.stored_answer ALTER COLUMN question SET STORAGE EXTERNAL, ALTER COLUMN aggregates SET STORAGE EXTERNAL;
CREATE TABLE dp.stored_answer_rows (
    answer_id bigint NOT NULL,
    first_row bigint NOT NULL,
    row_count bigint NOT NULL,
    chunk bytea NOT NULL          -- src/budget/answers/answer_rows.h
);
CREATE INDEX ON dp.stored_answer_rows (answer_id);
ALTER TABLE dp.stored_answer_rows ALTER COLUMN chunk SET STORAGE EXTERNAL;
CREATE TABLE dp.stored_answer_keys (
    rows_hash bigint NOT NULL,
    answer_id bigint NOT NULL,
    question_hash bigint NOT NULL,
    question_rows bytea NOT NULL,   -- the digest of what they are: src/guard/reuse/roll_up.h
    question_keys text NOT NULL,    -- the keys as a tree, and what their groups rely on
    question_groups bytea NOT NULL  -- the digest of all values of each key
);
CREATE INDEX ON dp.stored_answer_keys (rows_hash);
CREATE TABLE dp.stored_answer_aggregate (
    aggregate_hash bigint NOT NULL,
    answer_id bigint NOT NULL
);
CREATE INDEX ON dp.stored_answer_aggregate (aggregate_hash, answer_id);
CREATE TABLE dp.stored_answer_place (
    relation_number bigint NOT NULL, -- a protected table that it is about
    position bigint NOT NULL,        -- the bytes of it and of those that came before
    question_hash bigint NOT NULL,
    answer_id bigint NOT NULL
);
CREATE INDEX ON dp.stored_answer_place (relation_number, position);
CREATE TABLE dp.stored_answer_shown (
    answer_id bigint NOT NULL,
    shown_at timestamptz NOT NULL,
    role regrole NOT NULL,
    relation regclass NOT NULL,
    application_name text NOT NULL,
    query text
);
CREATE INDEX ON dp.stored_answer_shown (answer_id);
SELECT pg_catalog.pg_extension_config_dump('dp.answer_policy', 'WHERE relation IN (SELECT oid FROM pg_catalog.pg_class)');
CREATE OR REPLACE FUNCTION dp_internal.dp_var_pop_answer(internal) RETURNS float8
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE OR REPLACE FUNCTION dp_internal.dp_stddev_pop_answer(internal) RETURNS float8
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE OR REPLACE AGGREGATE dp_count(*) (
    SFUNC = dp_internal.dp_count_add, STYPE = internal, SSPACE = 16, FINALFUNC = dp_internal.dp_count_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_count(value "any") (
    SFUNC = dp_internal.dp_count_add, STYPE = internal, SSPACE = 16, FINALFUNC = dp_internal.dp_count_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_count(value "any", epsilon float8) (
    SFUNC = dp_internal.dp_count_add, STYPE = internal, SSPACE = 16, FINALFUNC = dp_internal.dp_count_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_count(value "any", epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_count_add, STYPE = internal, SSPACE = 16, FINALFUNC = dp_internal.dp_count_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_sum(value int2, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_internal.dp_sum_answer_bigint,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_sum(value int2, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_internal.dp_sum_answer_bigint,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_sum(value int4, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_internal.dp_sum_answer_bigint,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_sum(value int4, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_internal.dp_sum_answer_bigint,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_sum(value int8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_internal.dp_sum_answer_numeric,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_sum(value int8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_internal.dp_sum_answer_numeric,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_sum(value float8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_internal.dp_sum_answer_float8,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_sum(value float8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_internal.dp_sum_answer_float8,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_sum(value numeric, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_internal.dp_sum_answer_numeric,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_sum(value numeric, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_sum_add, STYPE = internal, SSPACE = 24, FINALFUNC = dp_internal.dp_sum_answer_numeric,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_avg(value int2, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_internal.dp_avg_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_avg(value int2, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_internal.dp_avg_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_avg(value int4, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_internal.dp_avg_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_avg(value int4, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_internal.dp_avg_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_avg(value int8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_internal.dp_avg_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_avg(value int8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_internal.dp_avg_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_avg(value float8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_internal.dp_avg_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_avg(value float8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_internal.dp_avg_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_avg(value numeric, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_internal.dp_avg_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_avg(value numeric, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_mean_add, STYPE = internal, SSPACE = 32, FINALFUNC = dp_internal.dp_avg_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_histogram(value float8, lower float8, upper float8, buckets integer, epsilon float8) (
    SFUNC = dp_internal.dp_buckets_add, STYPE = internal, SSPACE = 256, FINALFUNC = dp_internal.dp_histogram_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_histogram(value float8, lower float8, upper float8, buckets integer, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_buckets_add, STYPE = internal, SSPACE = 256, FINALFUNC = dp_internal.dp_histogram_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_histogram(value anycompatible, categories anycompatiblearray, epsilon float8) (
    SFUNC = dp_internal.dp_categories_add, STYPE = internal, SSPACE = 256, FINALFUNC = dp_internal.dp_histogram_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_histogram(value anycompatible, categories anycompatiblearray, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_categories_add, STYPE = internal, SSPACE = 256, FINALFUNC = dp_internal.dp_histogram_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_bounds(value int2, epsilon float8) (
    SFUNC = dp_internal.dp_bounds_add, STYPE = internal, SSPACE = 272, FINALFUNC = dp_internal.dp_bounds_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_bounds(value int2, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_bounds_add, STYPE = internal, SSPACE = 272, FINALFUNC = dp_internal.dp_bounds_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_bounds(value int4, epsilon float8) (
    SFUNC = dp_internal.dp_bounds_add, STYPE = internal, SSPACE = 528, FINALFUNC = dp_internal.dp_bounds_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_bounds(value int4, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_bounds_add, STYPE = internal, SSPACE = 528, FINALFUNC = dp_internal.dp_bounds_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_bounds(value int8, epsilon float8) (
    SFUNC = dp_internal.dp_bounds_add, STYPE = internal, SSPACE = 1040, FINALFUNC = dp_internal.dp_bounds_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_bounds(value int8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_bounds_add, STYPE = internal, SSPACE = 1040, FINALFUNC = dp_internal.dp_bounds_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_bounds(value float8, epsilon float8) (
    SFUNC = dp_internal.dp_bounds_add, STYPE = internal, SSPACE = 2064, FINALFUNC = dp_internal.dp_bounds_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_bounds(value float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_bounds_add, STYPE = internal, SSPACE = 2064, FINALFUNC = dp_internal.dp_bounds_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_bounds(value numeric, epsilon float8) (
    SFUNC = dp_internal.dp_bounds_add, STYPE = internal, SSPACE = 2064, FINALFUNC = dp_internal.dp_bounds_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_bounds(value numeric, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_bounds_add, STYPE = internal, SSPACE = 2064, FINALFUNC = dp_internal.dp_bounds_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_variance(value int2, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_variance_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_variance(value int2, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_variance_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_variance(value int4, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_variance_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_variance(value int4, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_variance_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_variance(value int8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_variance_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_variance(value int8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_variance_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_variance(value float8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_variance_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_variance(value float8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_variance_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_variance(value numeric, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_variance_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_variance(value numeric, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_variance_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_stddev(value int2, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_stddev_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_stddev(value int2, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_stddev_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_stddev(value int4, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_stddev_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_stddev(value int4, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_stddev_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_stddev(value int8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_stddev_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_stddev(value int8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_stddev_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_stddev(value float8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_stddev_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_stddev(value float8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_stddev_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_stddev(value numeric, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_stddev_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_stddev(value numeric, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_stddev_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_var_pop(value float8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_var_pop_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_var_pop(value float8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_var_pop_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_stddev_pop(value float8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_stddev_pop_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_stddev_pop(value float8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_moments_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_stddev_pop_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_mode(value anycompatible, categories anycompatiblearray, epsilon float8) (
    SFUNC = dp_internal.dp_categories_add, STYPE = internal, SSPACE = 256, FINALFUNC = dp_internal.dp_mode_answer,
    FINALFUNC_EXTRA, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_mode(value anycompatible, categories anycompatiblearray, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_categories_add, STYPE = internal, SSPACE = 256, FINALFUNC = dp_internal.dp_mode_answer,
    FINALFUNC_EXTRA, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_quantile(value int2, fraction float8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_quantile_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_quantile(value int2, fraction float8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_quantile_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_quantile(value int4, fraction float8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_quantile_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_quantile(value int4, fraction float8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_quantile_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_quantile(value int8, fraction float8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_quantile_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_quantile(value int8, fraction float8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_quantile_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_quantile(value float8, fraction float8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_quantile_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_quantile(value float8, fraction float8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_quantile_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_quantile(value numeric, fraction float8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_quantile_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_quantile(value numeric, fraction float8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_quantile_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_median(value int2, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_median_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_median(value int2, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_median_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_median(value int4, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_median_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_median(value int4, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_median_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_median(value int8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_median_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_median(value int8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_median_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_median(value float8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_median_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_median(value float8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_median_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_median(value numeric, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_median_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_median(value numeric, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_median_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantile_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE AGGREGATE dp_rr_histogram(response anycompatible, categories anycompatiblearray, epsilon float8) (
    SFUNC = dp_internal.dp_categories_add, STYPE = internal, SSPACE = 256, FINALFUNC = dp_internal.dp_rr_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
CREATE OR REPLACE FUNCTION dp_internal.unit_rows(key bigint, most bigint, "rows" bigint, up_to bigint, all_rows bigint) RETURNS bigint
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_unit_rows';
CREATE OR REPLACE AGGREGATE dp_internal.unit_sum(bigint) (SFUNC = pg_catalog.int8pl, STYPE = bigint, INITCOND = '0', PARALLEL = SAFE);
CREATE OR REPLACE FUNCTION dp_internal.dp_total_answer_bigints(internal) RETURNS bigint[]
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_total_answer';
CREATE OR REPLACE FUNCTION dp_internal.dp_total_answer_float8s(internal) RETURNS float8[]
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_total_answer';
CREATE OR REPLACE AGGREGATE dp_internal.unit_bigints(VARIADIC "any") (
    SFUNC = dp_internal.dp_total_add, STYPE = internal, FINALFUNC = dp_internal.dp_total_answer_bigints,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
CREATE OR REPLACE AGGREGATE dp_internal.unit_float8s(VARIADIC "any") (
    SFUNC = dp_internal.dp_total_add, STYPE = internal, FINALFUNC = dp_internal.dp_total_answer_float8s,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
CREATE OR REPLACE FUNCTION dp_internal.dp_units_add(internal, VARIADIC "any") RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE OR REPLACE FUNCTION dp_internal.dp_units_combine(internal, internal) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE OR REPLACE FUNCTION dp_internal.dp_units_serialize(internal) RETURNS bytea
    LANGUAGE c STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE OR REPLACE FUNCTION dp_internal.dp_units_deserialize(bytea, internal) RETURNS internal
    LANGUAGE c STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE OR REPLACE FUNCTION dp_internal.dp_units_answer_bigints(internal) RETURNS bigint[]
    LANGUAGE c PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_units_answer';
CREATE OR REPLACE FUNCTION dp_internal.dp_units_answer_float8s(internal) RETURNS float8[]
    LANGUAGE c PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_units_answer';
CREATE OR REPLACE AGGREGATE dp_internal.units_bigints(VARIADIC "any") (
    SFUNC = dp_internal.dp_units_add, STYPE = internal, FINALFUNC = dp_internal.dp_units_answer_bigints,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_units_combine,
    SERIALFUNC = dp_internal.dp_units_serialize, DESERIALFUNC = dp_internal.dp_units_deserialize);
CREATE OR REPLACE AGGREGATE dp_internal.units_float8s(VARIADIC "any") (
    SFUNC = dp_internal.dp_units_add, STYPE = internal, FINALFUNC = dp_internal.dp_units_answer_float8s,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_units_combine,
    SERIALFUNC = dp_internal.dp_units_serialize, DESERIALFUNC = dp_internal.dp_units_deserialize);
CREATE OR REPLACE AGGREGATE dp_internal.units_bigint(VARIADIC "any") (
    SFUNC = dp_internal.dp_units_add, STYPE = internal, FINALFUNC = dp_internal.dp_units_answer_bigint,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_units_combine,
    SERIALFUNC = dp_internal.dp_units_serialize, DESERIALFUNC = dp_internal.dp_units_deserialize);
CREATE OR REPLACE AGGREGATE dp_internal.units_numeric(VARIADIC "any") (
    SFUNC = dp_internal.dp_units_add, STYPE = internal, FINALFUNC = dp_internal.dp_units_answer_numeric,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_units_combine,
    SERIALFUNC = dp_internal.dp_units_serialize, DESERIALFUNC = dp_internal.dp_units_deserialize);
CREATE OR REPLACE AGGREGATE dp_internal.units_float8(VARIADIC "any") (
    SFUNC = dp_internal.dp_units_add, STYPE = internal, FINALFUNC = dp_internal.dp_units_answer_float8,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_units_combine,
    SERIALFUNC = dp_internal.dp_units_serialize, DESERIALFUNC = dp_internal.dp_units_deserialize);
CREATE OR REPLACE FUNCTION dp_internal.dp_units_row_add(internal, anyelement, VARIADIC "any") RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE OR REPLACE FUNCTION dp_internal.dp_units_row_answer(internal, anyelement, VARIADIC "any") RETURNS anyelement
    LANGUAGE c PARALLEL RESTRICTED AS 'MODULE_PATHNAME';
CREATE OR REPLACE FUNCTION dp_internal.dp_groups_add(internal, VARIADIC "any") RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE OR REPLACE FUNCTION dp_internal.dp_groups_answer_bigint(internal) RETURNS bigint
    LANGUAGE c PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_groups_answer';
CREATE OR REPLACE FUNCTION dp_internal.dp_groups_answer_numeric(internal) RETURNS numeric
    LANGUAGE c PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_groups_answer';
CREATE OR REPLACE FUNCTION dp_internal.dp_groups_answer_float8(internal) RETURNS float8
    LANGUAGE c PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_groups_answer';
CREATE OR REPLACE AGGREGATE dp_internal.units_row(anyelement, VARIADIC "any") (
    SFUNC = dp_internal.dp_units_row_add, STYPE = internal, FINALFUNC = dp_internal.dp_units_row_answer, FINALFUNC_EXTRA,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_units_combine,
    SERIALFUNC = dp_internal.dp_units_serialize, DESERIALFUNC = dp_internal.dp_units_deserialize);
CREATE OR REPLACE AGGREGATE dp_internal.groups_bigint(VARIADIC "any") (
    SFUNC = dp_internal.dp_groups_add, STYPE = internal, FINALFUNC = dp_internal.dp_groups_answer_bigint,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_units_combine,
    SERIALFUNC = dp_internal.dp_units_serialize, DESERIALFUNC = dp_internal.dp_units_deserialize);
CREATE OR REPLACE AGGREGATE dp_internal.groups_numeric(VARIADIC "any") (
    SFUNC = dp_internal.dp_groups_add, STYPE = internal, FINALFUNC = dp_internal.dp_groups_answer_numeric,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_units_combine,
    SERIALFUNC = dp_internal.dp_units_serialize, DESERIALFUNC = dp_internal.dp_units_deserialize);
CREATE OR REPLACE AGGREGATE dp_internal.groups_float8(VARIADIC "any") (
    SFUNC = dp_internal.dp_groups_add, STYPE = internal, FINALFUNC = dp_internal.dp_groups_answer_float8,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_units_combine,
    SERIALFUNC = dp_internal.dp_units_serialize, DESERIALFUNC = dp_internal.dp_units_deserialize);
CREATE OR REPLACE FUNCTION dp_internal.dp_incomplete_add(internal, VARIADIC "any") RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE OR REPLACE FUNCTION dp_internal.dp_incomplete_add(internal, "any", float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE OR REPLACE FUNCTION dp_internal.dp_incomplete_add(internal, "any", "any", "any") RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE OR REPLACE FUNCTION dp_internal.dp_incomplete_answer_bigint(internal) RETURNS bigint
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_incomplete_answer';
CREATE OR REPLACE FUNCTION dp_internal.dp_incomplete_answer_numeric(internal) RETURNS numeric
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_incomplete_answer';
CREATE OR REPLACE FUNCTION dp_internal.dp_incomplete_answer_floats(internal) RETURNS float8[]
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_incomplete_answer';
CREATE OR REPLACE FUNCTION dp_internal.dp_incomplete_answer_bigints(internal) RETURNS bigint[]
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_incomplete_answer';
CREATE OR REPLACE FUNCTION dp_internal.dp_incomplete_answer_value(internal, anycompatible, anycompatiblearray) RETURNS anycompatible
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_incomplete_answer';
CREATE OR REPLACE FUNCTION dp_internal.dp_incomplete_add(internal, anycompatible, anycompatiblearray) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE OR REPLACE FUNCTION dp_internal.dp_incomplete_add(internal, float8, float8, float8, integer) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE OR REPLACE AGGREGATE dp_bounds(VARIADIC "any") (
    SFUNC = dp_internal.dp_incomplete_add, STYPE = internal, FINALFUNC = dp_internal.dp_incomplete_answer_floats,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
CREATE OR REPLACE AGGREGATE dp_mode(value anycompatible, categories anycompatiblearray) (
    SFUNC = dp_internal.dp_incomplete_add, STYPE = internal, FINALFUNC = dp_internal.dp_incomplete_answer_value, FINALFUNC_EXTRA,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
CREATE OR REPLACE AGGREGATE dp_histogram(value anycompatible, categories anycompatiblearray) (
    SFUNC = dp_internal.dp_incomplete_add, STYPE = internal, FINALFUNC = dp_internal.dp_incomplete_answer_bigints,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
CREATE OR REPLACE AGGREGATE dp_histogram(value float8, lower float8, upper float8, buckets integer) (
    SFUNC = dp_internal.dp_incomplete_add, STYPE = internal, FINALFUNC = dp_internal.dp_incomplete_answer_bigints,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
CREATE OR REPLACE FUNCTION dp_describe(
    mechanism dp_mechanism,
    epsilon float8,
    sensitivity float8,
    "integer" boolean DEFAULT false,
    whole boolean DEFAULT false,
    OUT mechanism dp_mechanism,
    OUT epsilon float8,
    OUT delta float8,
    OUT scale float8,
    OUT expected_abs_error float8,
    OUT expected_sq_error float8,
    OUT entropy_bits float8,
    OUT interval95 float8)
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE OR REPLACE FUNCTION dp_usefulness(
    mechanism dp_mechanism,
    epsilon float8,
    gamma float8,
    sensitivity float8 DEFAULT 1,
    "integer" boolean DEFAULT false,
    whole boolean DEFAULT false)
    RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE OR REPLACE FUNCTION dp_epsilon_for(
    mechanism dp_mechanism,
    error float8,
    confidence float8,
    sensitivity float8 DEFAULT 1,
    "integer" boolean DEFAULT false,
    whole boolean DEFAULT false)
    RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE OR REPLACE FUNCTION dp_interval(
    answer bigint,
    mechanism dp_mechanism,
    epsilon float8,
    confidence float8 DEFAULT 0.95,
    sensitivity float8 DEFAULT 1,
    OUT lower bigint,
    OUT upper bigint)
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_interval_int8';
CREATE OR REPLACE FUNCTION dp_interval(
    answer integer,
    mechanism dp_mechanism,
    epsilon float8,
    confidence float8 DEFAULT 0.95,
    sensitivity float8 DEFAULT 1,
    OUT lower bigint,
    OUT upper bigint)
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_interval_int4';
CREATE OR REPLACE FUNCTION dp_interval(
    answer numeric,
    mechanism dp_mechanism,
    epsilon float8,
    confidence float8 DEFAULT 0.95,
    sensitivity float8 DEFAULT 1,
    "integer" boolean DEFAULT false,
    whole boolean DEFAULT false,
    OUT lower numeric,
    OUT upper numeric)
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_interval_numeric';
CREATE OR REPLACE FUNCTION dp_interval(
    answer float8,
    mechanism dp_mechanism,
    epsilon float8,
    confidence float8 DEFAULT 0.95,
    sensitivity float8 DEFAULT 1,
    "integer" boolean DEFAULT false,
    whole boolean DEFAULT false,
    OUT lower float8,
    OUT upper float8)
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_interval_float8';
CREATE OR REPLACE FUNCTION dp_collusion_error(
    mechanism dp_mechanism,
    epsilon float8,
    k integer,
    sensitivity float8 DEFAULT 1,
    "integer" boolean DEFAULT false,
    whole boolean DEFAULT false)
    RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE OR REPLACE FUNCTION dp_tradeoff(
    mechanism dp_mechanism,
    eps_from float8,
    eps_to float8,
    steps integer,
    sensitivity float8 DEFAULT 1,
    t float8 DEFAULT 1,
    "integer" boolean DEFAULT false,
    whole boolean DEFAULT false)
    RETURNS TABLE (epsilon float8, expected_error float8, entropy_bits float8, phi float8, one_minus_ne float8)
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE OR REPLACE FUNCTION dp_internal.try_int4(x int8) RETURNS int4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_int4_int8';
CREATE OR REPLACE FUNCTION dp_internal.try_int4(x float8) RETURNS int4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_int4_float8';
CREATE OR REPLACE FUNCTION dp_internal.try_int4(x numeric) RETURNS int4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_int4_numeric';
CREATE OR REPLACE FUNCTION dp_internal.abs(x int2) RETURNS int2
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_abs_int2';
CREATE OR REPLACE FUNCTION dp_internal.abs(x int4) RETURNS int4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_abs_int4';
CREATE OR REPLACE FUNCTION dp_internal.abs(x int8) RETURNS int8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_abs_int8';
CREATE OR REPLACE FUNCTION dp_internal.floor(x numeric) RETURNS numeric
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_floor_numeric';
CREATE OR REPLACE FUNCTION dp_internal.ceil(x numeric) RETURNS numeric
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_ceil_numeric';
CREATE OR REPLACE FUNCTION dp_internal.to_numeric(x numeric, modifier int4) RETURNS numeric
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_to_numeric';
CREATE OR REPLACE FUNCTION dp_internal.at_zone(zone text, x timestamptz) RETURNS timestamp
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_at_zone_timestamptz';
CREATE OR REPLACE FUNCTION dp_internal.at_zone(zone text, x timestamp) RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_at_zone_timestamp';
CREATE OR REPLACE FUNCTION dp_internal.to_char(x timestamp, pattern text) RETURNS text
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_to_char_timestamp';
CREATE OR REPLACE FUNCTION dp_internal.to_char(x timestamptz, pattern text) RETURNS text
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_to_char_timestamptz';
CREATE OR REPLACE FUNCTION dp_internal.date_bin(stride interval, x timestamp, origin timestamp) RETURNS timestamp
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_date_bin_timestamp';
CREATE OR REPLACE FUNCTION dp_internal.date_bin(stride interval, x timestamptz, origin timestamptz) RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_date_bin_timestamptz';
CREATE OR REPLACE FUNCTION dp_internal.try_int2(x int4) RETURNS int2
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_int2_int4';
CREATE OR REPLACE FUNCTION dp_internal.try_int2(x int8) RETURNS int2
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_int2_int8';
CREATE OR REPLACE FUNCTION dp_internal.try_int2(x float4) RETURNS int2
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_int2_float4';
CREATE OR REPLACE FUNCTION dp_internal.try_int2(x float8) RETURNS int2
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_int2_float8';
CREATE OR REPLACE FUNCTION dp_internal.try_int2(x numeric) RETURNS int2
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_int2_numeric';
CREATE OR REPLACE FUNCTION dp_internal.try_int4(x float4) RETURNS int4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_int4_float4';
CREATE OR REPLACE FUNCTION dp_internal.try_int8(x float4) RETURNS int8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_int8_float4';
CREATE OR REPLACE FUNCTION dp_internal.try_float4(x float8) RETURNS float4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_float4_float8';
CREATE OR REPLACE FUNCTION dp_internal.try_float4(x numeric) RETURNS float4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_float4_numeric';
CREATE OR REPLACE FUNCTION dp_internal.try_int2(x text) RETURNS int2
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_int2_text';
CREATE OR REPLACE FUNCTION dp_internal.try_int4(x text) RETURNS int4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_int4_text';
CREATE OR REPLACE FUNCTION dp_internal.try_time(x text) RETURNS time
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_time_text';
CREATE OR REPLACE FUNCTION dp_internal.try_interval(x text) RETURNS interval
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_interval_text';
CREATE OR REPLACE FUNCTION dp_internal.try_timestamptz(x text) RETURNS timestamptz
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_timestamptz_text';
CREATE OR REPLACE FUNCTION dp_internal.try_bool(x text) RETURNS bool
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_bool_text';
CREATE OR REPLACE FUNCTION dp_internal.try_uuid(x text) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_try_uuid_text';
CREATE OR REPLACE FUNCTION dp_internal.to_timestamptz(x timestamp) RETURNS timestamptz
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_to_timestamptz';
CREATE OR REPLACE FUNCTION dp_internal.add(x float4, y float4) RETURNS float4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_add_float4';
CREATE OR REPLACE FUNCTION dp_internal.sub(x float4, y float4) RETURNS float4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_sub_float4';
CREATE OR REPLACE FUNCTION dp_internal.mul(x float4, y float4) RETURNS float4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_mul_float4';
CREATE OR REPLACE FUNCTION dp_internal.div(x float4, y float4) RETURNS float4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_div_float4';
CREATE OR REPLACE FUNCTION dp_internal.sqrt(x float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_sqrt_float8';
CREATE OR REPLACE FUNCTION dp_internal.sqrt(x numeric) RETURNS numeric
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_sqrt_numeric';
CREATE OR REPLACE FUNCTION dp_internal.ln(x float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_ln_float8';
CREATE OR REPLACE FUNCTION dp_internal.ln(x numeric) RETURNS numeric
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_ln_numeric';
CREATE OR REPLACE FUNCTION dp_internal.exp(x float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_exp_float8';
CREATE OR REPLACE FUNCTION dp_internal.exp(x numeric) RETURNS numeric
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_exp_numeric';
CREATE OR REPLACE FUNCTION dp_internal.log(x float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_log_float8';
CREATE OR REPLACE FUNCTION dp_internal.log(base numeric, x numeric) RETURNS numeric
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_log_numeric';
CREATE OR REPLACE FUNCTION dp_internal.power(x float8, y float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_power_float8';
CREATE OR REPLACE FUNCTION dp_internal.power(x numeric, y numeric) RETURNS numeric
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_power_numeric';
CREATE OR REPLACE FUNCTION dp_internal.sin(x float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_sin';
CREATE OR REPLACE FUNCTION dp_internal.cos(x float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_cos';
CREATE OR REPLACE FUNCTION dp_internal.tan(x float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_tan';
CREATE OR REPLACE FUNCTION dp_internal.cot(x float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_cot';
CREATE OR REPLACE FUNCTION dp_internal.asin(x float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_asin';
CREATE OR REPLACE FUNCTION dp_internal.acos(x float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_acos';
CREATE OR REPLACE FUNCTION dp_internal.atan(x float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_atan';
CREATE OR REPLACE FUNCTION dp_internal.degrees(x float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_degrees';
CREATE OR REPLACE FUNCTION dp_internal.radians(x float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_radians';
CREATE OR REPLACE FUNCTION dp_internal.atan2(y float8, x float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_atan2';
CREATE OR REPLACE FUNCTION dp_internal.div_trunc(x numeric, y numeric) RETURNS numeric
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_div_trunc_numeric';
CREATE OR REPLACE FUNCTION dp_internal.gcd(x int4, y int4) RETURNS int4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_gcd_int4';
CREATE OR REPLACE FUNCTION dp_internal.gcd(x int8, y int8) RETURNS int8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_gcd_int8';
CREATE OR REPLACE FUNCTION dp_internal.lcm(x int4, y int4) RETURNS int4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_lcm_int4';
CREATE OR REPLACE FUNCTION dp_internal.lcm(x int8, y int8) RETURNS int8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_lcm_int8';
CREATE OR REPLACE FUNCTION dp_internal.width_bucket(x float8, low float8, high float8, count int4) RETURNS int4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_width_bucket_float8';
CREATE OR REPLACE FUNCTION dp_internal.width_bucket(x numeric, low numeric, high numeric, count int4) RETURNS int4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_width_bucket_numeric';
CREATE OR REPLACE FUNCTION dp_internal.concat(VARIADIC parts "any") RETURNS text
    LANGUAGE c STABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_concat_any';
CREATE OR REPLACE FUNCTION dp_internal.concat_ws(separator text, VARIADIC parts "any") RETURNS text
    LANGUAGE c STABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_concat_ws_any';
CREATE OR REPLACE FUNCTION dp_internal.lpad(x text, length int4, fill text) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_lpad';
CREATE OR REPLACE FUNCTION dp_internal.rpad(x text, length int4, fill text) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_rpad';
CREATE OR REPLACE FUNCTION dp_internal.repeat(x text, times int4) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_repeat';
CREATE OR REPLACE FUNCTION dp_internal.replace(x text, part text, by_text text) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_replace';
CREATE OR REPLACE FUNCTION dp_internal.overlay(x text, part text, start int4) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_overlay_two';
CREATE OR REPLACE FUNCTION dp_internal.overlay(x text, part text, start int4, length int4) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_overlay_three';
CREATE OR REPLACE FUNCTION dp_internal.encode(x bytea, format text) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_encode';
CREATE OR REPLACE FUNCTION dp_internal.ascii(x text) RETURNS int4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_ascii';
CREATE OR REPLACE FUNCTION dp_internal.chr(x int4) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_chr';
CREATE OR REPLACE FUNCTION dp_internal.substring(x text, pattern text) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_substring_pattern';
CREATE OR REPLACE FUNCTION dp_internal.regexp_count(x text, pattern text) RETURNS integer
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_regexp_count';
CREATE OR REPLACE FUNCTION dp_internal.regexp_instr(x text, pattern text) RETURNS integer
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_regexp_instr';
CREATE OR REPLACE FUNCTION dp_internal.regexp_replace(x text, pattern text, by_text text) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_regexp_replace';
CREATE OR REPLACE FUNCTION dp_internal.regexp_replace(x text, pattern text, by_text text, flags text) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_regexp_replace_flags';
CREATE OR REPLACE FUNCTION dp_internal.to_char(x int4, pattern text) RETURNS text
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_to_char_int4';
CREATE OR REPLACE FUNCTION dp_internal.to_char(x int8, pattern text) RETURNS text
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_to_char_int8';
CREATE OR REPLACE FUNCTION dp_internal.to_char(x float4, pattern text) RETURNS text
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_to_char_float4';
CREATE OR REPLACE FUNCTION dp_internal.to_char(x float8, pattern text) RETURNS text
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_to_char_float8';
CREATE OR REPLACE FUNCTION dp_internal.to_char(x numeric, pattern text) RETURNS text
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_to_char_numeric';
CREATE OR REPLACE FUNCTION dp_internal.to_number(x text, pattern text) RETURNS numeric
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_to_number';
CREATE OR REPLACE FUNCTION dp_internal.to_date(x text, pattern text) RETURNS date
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_to_date';
CREATE OR REPLACE FUNCTION dp_internal.to_timestamp(x text, pattern text) RETURNS timestamptz
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_to_timestamp_text';
CREATE OR REPLACE FUNCTION dp_internal.age(x timestamp, y timestamp) RETURNS interval
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_age_timestamp';
CREATE OR REPLACE FUNCTION dp_internal.age(x timestamptz, y timestamptz) RETURNS interval
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_age_timestamptz';
CREATE OR REPLACE FUNCTION dp_internal.add(x interval, y interval) RETURNS interval
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_add_interval';
CREATE OR REPLACE FUNCTION dp_internal.sub(x interval, y interval) RETURNS interval
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_sub_interval';
CREATE OR REPLACE FUNCTION dp_internal.minus(x interval) RETURNS interval
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_minus_interval';
CREATE OR REPLACE FUNCTION dp_internal.mul(x interval, y float8) RETURNS interval
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_mul_interval';
CREATE OR REPLACE FUNCTION dp_internal.mul(x float8, y interval) RETURNS interval
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_mul_float8_interval';
CREATE OR REPLACE FUNCTION dp_internal.div(x interval, y float8) RETURNS interval
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_div_interval';
CREATE OR REPLACE FUNCTION dp_internal.justify_days(x interval) RETURNS interval
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_justify_days';
CREATE OR REPLACE FUNCTION dp_internal.justify_hours(x interval) RETURNS interval
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_justify_hours';
CREATE OR REPLACE FUNCTION dp_internal.justify_interval(x interval) RETURNS interval
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_justify_interval';
CREATE OR REPLACE FUNCTION dp_internal.add(x time, y interval) RETURNS time
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_add_time_interval';
CREATE OR REPLACE FUNCTION dp_internal.sub(x time, y interval) RETURNS time
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_sub_time_interval';
CREATE OR REPLACE FUNCTION dp_internal.make_date(year int4, month int4, day int4) RETURNS date
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_make_date';
CREATE OR REPLACE FUNCTION dp_internal.make_timestamp(year int4, month int4, day int4, hour int4, minute int4, second float8) RETURNS timestamp
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_make_timestamp';
CREATE OR REPLACE FUNCTION dp_internal.make_timestamptz(year int4, month int4, day int4, hour int4, minute int4, second float8) RETURNS timestamptz
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_make_timestamptz';
CREATE OR REPLACE FUNCTION dp_internal.make_time(hour int4, minute int4, second float8) RETURNS time
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_make_time';
CREATE OR REPLACE FUNCTION dp_internal.make_interval(years int4, months int4, weeks int4, days int4, hours int4, mins int4, secs float8) RETURNS interval
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_make_interval';
CREATE OR REPLACE FUNCTION dp_internal.to_timestamp(seconds float8) RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_to_timestamp_float8';
CREATE OR REPLACE FUNCTION dp_internal.json_object_field(x json, field text) RETURNS json
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_json_object_field';
CREATE OR REPLACE FUNCTION dp_internal.json_object_field_text(x json, field text) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_json_object_field_text';
CREATE OR REPLACE FUNCTION dp_internal.json_array_element(x json, element int4) RETURNS json
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_json_array_element';
CREATE OR REPLACE FUNCTION dp_internal.json_array_element_text(x json, element int4) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_json_array_element_text';
CREATE OR REPLACE FUNCTION dp_internal.json_extract_path(x json, VARIADIC path text[]) RETURNS json
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_json_extract_path';
CREATE OR REPLACE FUNCTION dp_internal.json_extract_path_text(x json, VARIADIC path text[]) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_json_extract_path_text';
CREATE OR REPLACE FUNCTION dp_internal.json_array_length(x json) RETURNS int4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_json_array_length';
CREATE OR REPLACE FUNCTION dp_internal.try_int4(x jsonb) RETURNS int4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_jsonb_int4';
CREATE OR REPLACE FUNCTION dp_internal.try_int8(x jsonb) RETURNS int8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_jsonb_int8';
CREATE OR REPLACE FUNCTION dp_internal.try_float8(x jsonb) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_jsonb_float8';
CREATE OR REPLACE FUNCTION dp_internal.try_numeric(x jsonb) RETURNS numeric
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_jsonb_numeric';
CREATE OR REPLACE FUNCTION dp_internal.try_bool(x jsonb) RETURNS bool
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_jsonb_bool';
CREATE OR REPLACE FUNCTION dp_internal.jsonb_array_length(x jsonb) RETURNS int4
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_jsonb_array_length';
CREATE OR REPLACE FUNCTION dp_internal.int4range(lower_end int4, upper_end int4) RETURNS int4range
    LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_range';
CREATE OR REPLACE FUNCTION dp_internal.int4range(lower_end int4, upper_end int4, bounds text) RETURNS int4range
    LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_range_bounds';
CREATE OR REPLACE FUNCTION dp_internal.int8range(lower_end int8, upper_end int8) RETURNS int8range
    LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_range';
CREATE OR REPLACE FUNCTION dp_internal.int8range(lower_end int8, upper_end int8, bounds text) RETURNS int8range
    LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_range_bounds';
CREATE OR REPLACE FUNCTION dp_internal.numrange(lower_end numeric, upper_end numeric) RETURNS numrange
    LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_range';
CREATE OR REPLACE FUNCTION dp_internal.numrange(lower_end numeric, upper_end numeric, bounds text) RETURNS numrange
    LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_range_bounds';
CREATE OR REPLACE FUNCTION dp_internal.daterange(lower_end date, upper_end date) RETURNS daterange
    LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_range';
CREATE OR REPLACE FUNCTION dp_internal.daterange(lower_end date, upper_end date, bounds text) RETURNS daterange
    LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_range_bounds';
CREATE OR REPLACE FUNCTION dp_internal.tsrange(lower_end timestamp, upper_end timestamp) RETURNS tsrange
    LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_range';
CREATE OR REPLACE FUNCTION dp_internal.tsrange(lower_end timestamp, upper_end timestamp, bounds text) RETURNS tsrange
    LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_range_bounds';
CREATE OR REPLACE FUNCTION dp_internal.tstzrange(lower_end timestamptz, upper_end timestamptz) RETURNS tstzrange
    LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_range';
CREATE OR REPLACE FUNCTION dp_internal.tstzrange(lower_end timestamptz, upper_end timestamptz, bounds text) RETURNS tstzrange
    LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_range_bounds';
CREATE TABLE dp.measured_server (
    version integer NOT NULL,   -- server_version_num
    digest bigint NOT NULL,     -- of the list, and of what the catalog says of each function (src/guard/admission/evidence.h)
    functions integer NOT NULL,
    calls bigint NOT NULL,
    measured_at timestamptz NOT NULL,
    PRIMARY KEY (version, digest)
);
CREATE OR REPLACE FUNCTION dp_internal.server_evidence(OUT version integer, OUT digest bigint, OUT measured boolean)
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_server_evidence';
CREATE TYPE dp_internal.extreme_mood AS ENUM ('low', 'high');
ALTER TYPE dp_internal.extreme_mood ADD VALUE 'middle' BEFORE 'high';
CREATE OR REPLACE FUNCTION dp_internal.letters(escaped text) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN CASE WHEN getdatabaseencoding() = 'UTF8' THEN unistr(escaped) ELSE 'x' END;
END
$$;
CREATE OR REPLACE FUNCTION dp_internal.extreme_add(type text, VARIADIC expressions text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    expression text;
BEGIN
    EXECUTE format('CREATE TABLE IF NOT EXISTS dp_extreme.%1$I (n serial, v %2$s, long boolean DEFAULT false)',
                   type::regtype::oid::text, type);
    FOREACH expression IN ARRAY ARRAY['NULL'] || expressions LOOP
        BEGIN
            EXECUTE format('INSERT INTO dp_extreme.%1$I (v) SELECT %3$s::%2$s', type::regtype::oid::text, type, expression);
        EXCEPTION WHEN unsafe_new_enum_value_usage THEN
            NULL; -- the label is as young as the extension
        END;
    END LOOP;
    EXECUTE format('UPDATE dp_extreme.%I SET long = true WHERE length(v::text) > 1000', type::regtype::oid::text);
END
$$;
CREATE OR REPLACE FUNCTION dp_internal.extreme_literals(type text, literals text[]) RETURNS void LANGUAGE sql
    RETURN dp_internal.extreme_add(type, VARIADIC (SELECT array_agg(quote_literal(l)) FROM unnest(literals) l));
CREATE OR REPLACE FUNCTION dp_internal.make_extreme_values() RETURNS void LANGUAGE plpgsql SET TimeZone = 'America/Los_Angeles' AS $$
BEGIN
    CREATE SCHEMA dp_extreme;
    PERFORM dp_internal.extreme_literals('int2', '{-32768,-1,0,1,7,32767}');
    PERFORM dp_internal.extreme_literals('int4', '{-2147483648,-2147483647,-1000,-1,0,1,2,1000,2147483647}');
    PERFORM dp_internal.extreme_literals('int8', '{-9223372036854775808,-9007199254740993,-1,0,1,10,9007199254740993,9223372036854775807}');
    PERFORM dp_internal.extreme_literals('oid', '{0,1,4294967295}');
    PERFORM dp_internal.extreme_literals('float4', '{NaN,Infinity,-Infinity,-0,0,1,-1.5,1e-45,-1e-38,3.4028235e38,-3.4028235e38}');
    PERFORM dp_internal.extreme_literals('float8', '{NaN,Infinity,-Infinity,-0,0,1,-0.5,0.1,2.5,5e-324,-2.2e-308,1e15,-9007199254740993,
        9.3e18,1.7976931348623157e308,-1.7976931348623157e308}');
    PERFORM dp_internal.extreme_literals('numeric',
        '{NaN,Infinity,-Infinity,0,0.000,-1,0.5,10.10,9223372036854775807.5,1e308,1e400,-1e-400,1e-16383}');
    PERFORM dp_internal.extreme_add('numeric', $v$(repeat('9', 131072) || '.' || repeat('9', 16383))$v$,
        $v$('-' || repeat('9', 131072) || '.5')$v$);
    PERFORM dp_internal.extreme_literals('boolean', '{t,f}');
    PERFORM dp_internal.extreme_literals('"char"', ARRAY['', 'a', E'\x7f']);
    PERFORM dp_internal.extreme_literals('money', '{-92233720368547758.08,0,92233720368547758.07}');
    PERFORM dp_internal.extreme_literals('date',
        '{-infinity,infinity,4714-11-24 BC,4713-01-01 BC,0001-01-01 BC,1970-01-01,2000-02-29,294276-12-31,
        294277-01-01,5874897-12-31}');
    -- The day before the first, as the clocks west of UTC show it.
    PERFORM dp_internal.extreme_add('date', $v$'4714-11-24 00:00 UTC BC'::timestamptz$v$);
    PERFORM dp_internal.extreme_literals('time', '{00:00,12:34:56.789,23:59:59.999999,24:00}');
    PERFORM dp_internal.extreme_literals('timetz', '{00:00+15:59,12:00-08,24:00-15:59}');
    PERFORM dp_internal.extreme_literals('timestamp',
        '{-infinity,infinity,4714-11-24 BC,4714-11-24 00:00:00.000001 BC,0001-12-31 BC,1883-11-18 12:00,
        2000-02-29 12:34:56.789,2024-03-10 02:30,294276-12-31 23:59:59.999999}');
    PERFORM dp_internal.extreme_literals('timestamptz', '{-infinity,infinity,4714-11-24 00:00+00 BC,4714-11-24 00:00:00.000001+00 BC,
        0001-12-31 00:00+00 BC,1883-11-18 20:00+00,2000-02-29 12:34:56.789+00,2024-03-10 10:30+00,
        294276-12-31 23:59:59.999999+00}');
    PERFORM dp_internal.extreme_literals('interval', '{0,1 month -1 day,-178000000 years,178000000 years,2147483647 days,-2147483648 days,
        2562047788 hours,-2562047788 hours,1 microsecond,-1.5 seconds}');
    PERFORM dp_internal.extreme_add('interval', 'make_interval(months => 2147483647, days => 2147483647, hours => 2147483647)');
    -- What some function reads, and what none can; of one byte a character and of four; of great length.
    PERFORM dp_internal.extreme_literals('text', ARRAY['', 'a', '%', '\', 'a\', ' 12 ', '-9223372036854775809', '1e400', '1e-400', 'NaN',
        'infinity',
        '2024-02-30', 'yesterday', '2024-02-29 25:00 Mars/Olympus', '294277-01-01', 'month', 'day', 'epoch', 'Europe/Berlin',
        E'\x01\n\t',
        dp_internal.letters('\00E4\00DF\0130\+01F600\FDFA')]);
    PERFORM dp_internal.extreme_add('text', $v$repeat('x', 30000)$v$, $v$repeat(dp_internal.letters('\+01F600'), 10000)$v$, $v$repeat('9', 30000)$v$);
    PERFORM dp_internal.extreme_literals('bpchar', ARRAY['', 'a   ', dp_internal.letters('\00E4\+01F600'), '%', '\']);
    PERFORM dp_internal.extreme_add('bpchar', $v$repeat('x ', 50000)$v$);
    PERFORM dp_internal.extreme_literals('varchar', ARRAY['', 'a', dp_internal.letters('\00E4\00DF')]);
    PERFORM dp_internal.extreme_add('varchar', $v$repeat('x', 100000)$v$);
    PERFORM dp_internal.extreme_literals('name', ARRAY['', 'a', repeat(dp_internal.letters('\+01F600'), 15)]);
    PERFORM dp_internal.extreme_literals('bytea', ARRAY['', '\x00', '\xff5c', '\x25']);
    PERFORM dp_internal.extreme_add('bytea', $v$decode(repeat('00ff', 25000), 'hex')$v$);
    PERFORM dp_internal.extreme_literals('uuid', '{00000000-0000-0000-0000-000000000000,ffffffff-ffff-ffff-ffff-ffffffffffff}');
    PERFORM dp_internal.extreme_literals('inet', '{0.0.0.0/0,255.255.255.255,10.0.0.1/8,::/0,::1,ffff::/16}');
    PERFORM dp_internal.extreme_literals('macaddr', '{00:00:00:00:00:00,ff:ff:ff:ff:ff:ff}');
    PERFORM dp_internal.extreme_literals('macaddr8', '{00:00:00:00:00:00:00:00,ff:ff:ff:ff:ff:ff:ff:ff}');
    PERFORM dp_internal.extreme_literals('jsonb', ARRAY['null', '1e1000', '""', 'true', '[]', '{}',
        '{"a": {"b": [1, null, "x\u0001"]}, "month": -0.0}',
        '[[[1]], {"a": 1}]']);
    PERFORM dp_internal.extreme_add('jsonb', $v$(repeat('[', 2000) || repeat(']', 2000))$v$, $v$to_jsonb(repeat('x', 100000))$v$);
    PERFORM dp_internal.extreme_literals('json', ARRAY['null', '1e1000', '""', 'true', '[]', '{}',
        '{"a": {"b": [1, null, "x\u0001"]}, "a": "\ud83d\ude00"}', '[[[1]], {"0": 1}]', '"\u0000"']);
    PERFORM dp_internal.extreme_add('json', $v$(repeat('[', 2000) || repeat(']', 2000))$v$);
    PERFORM dp_internal.extreme_literals('int4range', '{empty,"(,)","[-2147483648,2147483647)","(,5)","[1,2)"}');
    PERFORM dp_internal.extreme_literals('text[]', '{"{}","{a,NULL,0,-1}","{{a},{b}}","{2147483647,99999999999999999999}"}');
    PERFORM dp_internal.extreme_literals('integer[]', '{"{}","{0,18,65}","{NULL,1}","{{1},{2}}","[-5:-3]={3,2,1}"}');
    PERFORM dp_internal.extreme_literals('dp_internal.extreme_mood', '{low,middle,high}');
END
$$;
CREATE OR REPLACE FUNCTION dp_internal.extreme_values_of(type oid) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    RETURN format('dp_extreme.%I', (CASE type WHEN 'anyenum'::regtype THEN 'dp_internal.extreme_mood'::regtype::oid
                                           WHEN 'anyarray'::regtype THEN 'integer[]'::regtype::oid
                                           WHEN 'anycompatible'::regtype THEN 'integer'::regtype::oid
                                           WHEN 'anyelement'::regtype THEN 'text'::regtype::oid
                                           WHEN 'anyrange'::regtype THEN 'int4range'::regtype::oid
                                           WHEN '"any"'::regtype THEN 'text'::regtype::oid ELSE type END)::text);
END
$$;
CREATE OR REPLACE FUNCTION dp_internal.first_error(called regprocedure, written text[] DEFAULT '{}', one_of integer DEFAULT 1, OUT calls bigint, OUT answers bigint,
    OUT error text)
LANGUAGE plpgsql AS $$
DECLARE
    call text;
    sources text;
BEGIN
    SELECT format('%s(%s)::text', called::oid::regproc, string_agg(marked || expression, ', ' ORDER BY i)),
           string_agg(dp_internal.extreme_values_of(type) || ' ' || source, ', ') FILTER (WHERE varies) || ' WHERE '
             || string_agg(source || '.long::int', ' + ') FILTER (WHERE varies) || CASE WHEN max(i) > 2 THEN ' < 2' ELSE ' < 3' END
             || CASE WHEN one_of > 1 AND bool_or(varies AND i > 2) THEN format(' AND a3.n %% %s = 0', one_of) ELSE '' END
             -- Of four arguments and more every third value, so that there are not millions of calls.
             || CASE WHEN max(i) > 3 THEN string_agg(format(' AND %s.n %% 3 = 1', source), '') FILTER (WHERE varies) ELSE '' END
    INTO call, sources
    FROM pg_proc p, unnest(p.proargtypes) WITH ORDINALITY a(type, i), format('a%s', i) source,
         coalesce(written[i], source || '.v') expression, strpos(expression, source || '.v') place,
             cast(place > 0 AS boolean) varies,
         cast(CASE WHEN p.provariadic NOT IN (0, '"any"'::regtype) AND i = p.pronargs THEN 'VARIADIC ' ELSE '' END AS text) marked
    WHERE p.oid = called;
    EXECUTE format('SELECT count(*), count(%s) FROM %s', call, coalesce(sources, '(SELECT) one')) INTO calls, answers;
EXCEPTION WHEN others THEN
    error := sqlerrm;
END
$$;
CREATE OR REPLACE FUNCTION dp_internal.extreme_call(functions text[], VARIADIC written text[] DEFAULT '{}') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO dp_extreme.called SELECT f, written FROM unnest(functions::regprocedure[]) f;
END
$$;
CREATE OR REPLACE FUNCTION dp_internal.extreme_listed(condition text, last_type text) RETURNS text[] LANGUAGE sql AS $$
    SELECT array_agg(function::regprocedure::text) FROM dp.total_functions() JOIN pg_proc p ON p.oid = function
    WHERE provided LIKE condition AND proargtypes[pronargs - 1] = last_type::regtype
$$;
CREATE OR REPLACE FUNCTION dp_internal.make_extreme_calls() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    pattern text;
    collated text;
    length int;
    number int;
    ends text;
BEGIN
    CREATE TABLE dp_extreme.called (function regprocedure, written text[], calls bigint, answers bigint, error text);
    -- LIKE: patterns of every form, of the greatest length, of many wildcards.
    FOREACH pattern IN ARRAY ARRAY['', 'a', '%', '_', '%x_%', '\\', '\%', 'a\\%', '%%__%%', dp_internal.letters('%\00E4_\+01F600%'), repeat('x%',
        500),
                                   repeat('%_', 500), repeat('_', 1000), repeat('\\', 500), NULL]
    LOOP
        PERFORM dp_internal.extreme_call(dp_internal.extreme_listed('the pattern is a constant%', 'text') || dp_internal.extreme_listed('as LIKE%', 'text'),
                            value, quote_nullable(pattern) || '::text')
        FROM unnest(ARRAY['a1.v', (SELECT 'a1.v COLLATE "und-x-icu"' FROM pg_collation WHERE collname = 'und-x-icu' AND pg_collation_is_visible(oid))]) value
        WHERE value IS NOT NULL;
        PERFORM dp_internal.extreme_call(dp_internal.extreme_listed('the pattern is a constant%', 'bytea'), 'a1.v',
                            quote_nullable(convert_to(pattern, 'UTF8')) || '::bytea');
    END LOOP;

    -- Letters, in collations of each provider, and with them also all that compares texts. Turkish has an i of its own.
    FOR collated IN SELECT DISTINCT format('.v COLLATE %I', collname) FROM pg_collation
        WHERE collname IN ('C', 'und-x-icu', 'tr-x-icu', 'C.utf8', 'en_US.utf8') AND pg_collation_is_visible(oid)
    LOOP
        PERFORM dp_internal.extreme_call('{lower(text),upper(text),initcap(text)}', 'a1' || collated);
        PERFORM dp_internal.extreme_call(array_agg(function::regprocedure::text), 'a1' || collated, 'a2' || collated)
        FROM dp.total_functions() JOIN pg_proc p ON p.oid = function
        WHERE provided IS NULL AND pronargs = 2 AND pronamespace = 'pg_catalog'::regnamespace
            AND '{text,bpchar,name}'::regtype[] @> ARRAY[proargtypes[0], proargtypes[1]]::regtype[];
    END LOOP;

    PERFORM dp_internal.extreme_call('{ascii(text)}', 'a1.v');

    -- Regular expressions: patterns of every kind, and of the greatest length.
    FOREACH pattern IN ARRAY ARRAY['', 'a', '^.*$', '(a|b)+', '[[:alpha:]]', '\m', '\Y', '^(?:x*)*$', 'x{64}', '(x+x+)+y',
                                   dp_internal.letters('[\00E4\+01F600]'), repeat('x?', 100), repeat('(', 99) || 'x' || repeat(')', 99), NULL]
    LOOP
        PERFORM dp_internal.extreme_call(dp_internal.extreme_listed('the pattern is a constant of at most 200%', 'text'),
                            value, quote_nullable(pattern) || '::text')
        FROM unnest(ARRAY['a1.v', (SELECT 'a1.v COLLATE "und-x-icu"' FROM pg_collation WHERE collname = 'und-x-icu' AND pg_collation_is_visible(oid))]) value
        WHERE value IS NOT NULL;
    END LOOP;

    -- Ranges of each type, and what may be in them.
    PERFORM dp_internal.extreme_call(array_remove(dp_internal.extreme_listed('the range is%', 'anyrange'), 'elem_contained_by_range(anyelement,anyrange)'));
    FOREACH ends IN ARRAY ARRAY['int4range(1, 5)', 'int8range(NULL, 9223372036854775807)', 'numrange(''-Infinity'', ''NaN'')',
                                'daterange(''-infinity'', ''infinity'')', 'tsrange(NULL, ''infinity'')', 'tstzrange(''-infinity'', NULL)']
    LOOP
        PERFORM dp_internal.extreme_call(array_agg(function::regprocedure::text), ends, CASE pronargs WHEN 2 THEN ends END)
        FROM dp.total_functions() JOIN pg_proc p ON p.oid = function
        WHERE provided LIKE 'the range is%' AND proargtypes[pronargs - 1] = 'anyrange'::regtype AND proargtypes[0] = 'anyrange'::regtype
        GROUP BY pronargs;
        PERFORM dp_internal.extreme_call('{"range_contains_elem(anyrange,anyelement)"}', ends, format('lower(%1$s)', ends));
        PERFORM dp_internal.extreme_call('{"elem_contained_by_range(anyelement,anyrange)"}', format('upper(%1$s)', ends), ends);
    END LOOP;
    PERFORM dp_internal.extreme_call('{"range_contains_elem(anyrange,anyelement)"}', 'a1.v', '3');
    PERFORM dp_internal.extreme_call('{"elem_contained_by_range(anyelement,anyrange)"}', '2147483647', 'a2.v');

    -- Parts of texts.
    FOREACH length IN ARRAY ARRAY[0, 1, 3, 2147483647, NULL] LOOP
        PERFORM dp_internal.extreme_call(dp_internal.extreme_listed('the length is%', 'int'), 'a1.v', 'a2.v', quote_nullable(length) || '::int');
    END LOOP;
    FOREACH number IN ARRAY ARRAY[-2147483648, -1, 1, 2, 2147483647, NULL] LOOP
        PERFORM dp_internal.extreme_call('{"split_part(text,text,int)"}', 'a1.v', 'a2.v', quote_nullable(number) || '::int');
    END LOOP;

    PERFORM dp_internal.extreme_call('{"replace(text,text,text)"}', 'a1.v', quote_nullable(f) || '::text', quote_nullable(t) || '::text')
    FROM (VALUES ('x', 'y'), ('xx', ''), ('', 'abc'), ('9', NULL), (NULL, 'a'), (dp_internal.letters('\+01F600'), dp_internal.letters('\00E4'))) v(f, t);
    PERFORM dp_internal.extreme_call('{"varchar(varchar,int,bool)","bpchar(bpchar,int,bool)"}', 'a1.v', n || '+4', 'true')
        FROM unnest('{1,3,1000}'::int[]) n;

    -- Numbers of limited precision.
    PERFORM dp_internal.extreme_call(array_agg(function::text), precise, 'a2.v')
    FROM dp.total_functions(), unnest(ARRAY['(sign(a1.v) * repeat(''9'', 37)::numeric)::numeric(74,37)',
        '(CASE WHEN abs(a1.v) < 1e8 THEN a1.v ELSE ''NaN'' END)::numeric(12,2)']) precise
    WHERE provided = 'the argument is numeric(p, s)' GROUP BY precise;

    -- Division of integers by constants.
    PERFORM dp_internal.extreme_call(dp_internal.extreme_listed('the divisor is%', type), 'a1.v', format('(%s)::%s', d, type))
    FROM unnest('{int2,int4,int8}'::text[]) type, unnest('{-32768,-2,1,2,32767}'::int[]) d;
    PERFORM dp_internal.extreme_call(dp_internal.extreme_listed('the divisor is a constant other than 0', type), 'a1.v', '(-1)::' || type)
    FROM unnest('{int2,int4,int8}'::text[]) type;

    -- Every field that each type has; in any case.
    PERFORM dp_internal.extreme_call(dp_internal.extreme_listed('the field is a constant that the type has', type), quote_literal(field))
    FROM (VALUES ('date', '{day,month,quarter,year,decade,century,millennium,week,isoyear,dow,isodow,doy,julian,EPOCH}'::text[]),
                 ('time', '{microseconds,milliseconds,second,minute,HOUR,epoch}'),
                 ('timetz', '{microseconds,milliseconds,second,minute,Hour,timezone,epoch}'),
                 ('interval',
                 '{microseconds,milliseconds,second,minute,hour,day,month,quarter,year,decade,century,millennium,epoch}'),
                 ('timestamp',
                 '{microseconds,milliseconds,second,minute,hour,day,month,quarter,year,decade,century,millennium,week,isoyear,
                    dow,isodow,doy,julian,epoch}'),
                 ('timestamptz',
                 '{microseconds,milliseconds,second,minute,hour,day,month,quarter,year,decade,century,millennium,week,isoyear,
                    dow,isodow,doy,julian,epoch,timezone}')) v(type, fields), unnest(fields) field;
    PERFORM dp_internal.extreme_call('{"date_trunc(text,timestamp)"}', quote_literal(field))
    FROM unnest('{microseconds,milliseconds,second,minute,hour,DAY}'::text[]) field;
    PERFORM dp_internal.extreme_call('{"date_trunc(text,timestamptz)"}', quote_literal(field))
        FROM unnest('{microseconds,milliseconds,second}'::text[]) field;

    -- Arrays, containers.
    PERFORM dp_internal.extreme_call(dp_internal.extreme_listed('the equality of%', 'anyarray') || dp_internal.extreme_listed('the order of%', 'anyarray'),
        'a1.v::' || type, 'a2.v::' || type)
    FROM unnest('{int[],numeric[],text[]}'::text[]) type;
    PERFORM dp_internal.extreme_call('{"width_bucket(anycompatible,anycompatiblearray)"}', 'a1.v', format('%L::int[]', thresholds))
    FROM unnest(ARRAY['{}', '{0,18,65}', '{3,2,1}', NULL]) thresholds;
    PERFORM dp_internal.extreme_call('{"jsonb_contains(jsonb,jsonb)"}', 'a1.v', format('%L::jsonb', part)) FROM unnest(ARRAY['1', '[]', '{}',
        '"x"', '[[1]]',
        '{"a": {"b": [null]}}', repeat('[', 500) || repeat(']', 500)]) part;
    PERFORM dp_internal.extreme_call('{"jsonb_contained(jsonb,jsonb)"}', format('%L::jsonb', part)) FROM unnest(ARRAY['1', '[]', '{}', '"x"',
        '[[1]]',
        '{"a": {"b": [null]}}', repeat('[', 500) || repeat(']', 500)]) part;
END
$$;
CREATE OR REPLACE FUNCTION dp.measure_functions() RETURNS text
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp SET client_min_messages = warning SET jit = off AS $$
DECLARE
    measured record;
BEGIN
    IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
        RAISE insufficient_privilege USING MESSAGE = 'only a superuser measures the functions that private queries may call',
            HINT = 'Ask one: SELECT dp.measure_functions();';
    END IF;
    PERFORM dp_internal.make_extreme_values(), dp_internal.make_extreme_calls();
    -- Our own functions are the library's, not the server's.
    SELECT count(DISTINCT function) AS functions, sum(calls) AS calls, min(function || ': ' || error) AS failing INTO measured
    FROM (SELECT function, (dp_internal.first_error(function, written, 5)).*
          FROM (SELECT function, '{}'::text[] AS written FROM dp.total_functions() WHERE provided IS NULL
                UNION ALL SELECT function, written FROM dp_extreme.called) AS called JOIN pg_proc ON pg_proc.oid = function
          WHERE pronamespace = 'pg_catalog'::regnamespace) AS tried;
    DROP SCHEMA dp_extreme CASCADE;
    IF measured.failing IS NOT NULL THEN
        RAISE object_not_in_prerequisite_state USING
            MESSAGE = 'a function that private queries may call raises an error on this server: ' || measured.failing,
            DETAIL = 'Its errors would tell about single rows.',
            HINT = 'Private queries stay refused here: run PostgreSQL of a release that README.md names.';
    END IF;
    DELETE FROM dp.measured_server AS old USING dp_internal.server_evidence() AS e WHERE old.version = e.version AND old.digest = e.digest;
    INSERT INTO dp.measured_server
    SELECT e.version, e.digest, measured.functions, measured.calls, now() FROM dp_internal.server_evidence() AS e;
    RETURN format('%s functions gave no error in %s calls on PostgreSQL %s', measured.functions, measured.calls,
        current_setting('server_version'));
END
$$;
CREATE FUNCTION dp_internal.measure_at_creation() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF NOT (dp_internal.server_evidence()).measured THEN
        PERFORM dp.measure_functions();
    END IF;
EXCEPTION WHEN object_not_in_prerequisite_state THEN
    RAISE WARNING '%', sqlerrm USING HINT = 'Private queries are refused here.';
END
$$;
CREATE OR REPLACE FUNCTION dp.protect(relation regclass, epsilon float8 DEFAULT NULL, delta float8 DEFAULT NULL, query_epsilon float8 DEFAULT NULL,
    group_epsilon float8 DEFAULT NULL, group_delta float8 DEFAULT NULL, privacy_unit text DEFAULT NULL,
    max_rows_per_unit integer DEFAULT NULL, max_groups_per_unit integer DEFAULT NULL, max_rows_per_group integer DEFAULT NULL,
    answer_epsilon float8 DEFAULT NULL, min_query_epsilon float8 DEFAULT NULL, max_charges bigint DEFAULT NULL,
    reuse interval DEFAULT NULL, share_answers boolean DEFAULT NULL, keep_answers interval DEFAULT NULL,
    keep_answers_mb integer DEFAULT NULL, continues regclass DEFAULT NULL, rows_kept text DEFAULT NULL, rows_kept_by text DEFAULT NULL,
    answer_mechanism dp_mechanism DEFAULT NULL, accountant text DEFAULT NULL, conversion_delta float8 DEFAULT NULL, limits text DEFAULT NULL,
    period interval DEFAULT NULL, sliding boolean DEFAULT NULL, blocks boolean DEFAULT NULL, max_blocks_per_unit integer DEFAULT NULL) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_protect';
CREATE OR REPLACE FUNCTION dp.grant_budget(relation regclass, role regrole, epsilon float8 DEFAULT NULL, delta float8 DEFAULT NULL,
    query_epsilon float8 DEFAULT NULL, allow_leaks boolean DEFAULT NULL, answer_epsilon float8 DEFAULT NULL,
    max_charges bigint DEFAULT NULL, answer_mechanism dp_mechanism DEFAULT NULL, conversion_delta float8 DEFAULT NULL,
    period interval DEFAULT NULL, sliding boolean DEFAULT NULL) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_grant_budget';
CREATE OR REPLACE FUNCTION dp.public_values(relation regclass, expression text, VARIADIC "values" "any") RETURNS integer
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_public_values';
CREATE OR REPLACE FUNCTION dp.public_values_from(relation regclass, expression text, query text) RETURNS integer
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE AS $$
DECLARE
    size integer;
BEGIN
    IF query IS NULL THEN
        RAISE EXCEPTION 'query must not be NULL'
            USING ERRCODE = '22023', HINT = 'For example dp.public_values_from(''visits'', ''ward'', ''SELECT ward FROM wards'').';
    END IF;
    IF NOT EXISTS (SELECT FROM dp.budgets b WHERE b.relation OPERATOR(pg_catalog.=) public_values_from.relation AND b.role IS NULL) THEN
        PERFORM dp.public_values(relation, expression, VARIADIC '{}'::text[]); -- says why not, before the query runs
    END IF;
    query := pg_catalog.regexp_replace(query, ';\s*$', '');
    BEGIN
        EXECUTE pg_catalog.format('SELECT dp.public_values($1, $2, VARIADIC ARRAY(%s))', query) INTO size USING relation, expression;
    EXCEPTION WHEN syntax_error THEN
        EXECUTE pg_catalog.format('SELECT FROM (%s) AS q LIMIT 0', query); -- fails as well, but for the number of columns
        RAISE EXCEPTION 'a query for public values must give one column, unlike this one: %', query
            USING ERRCODE = 'syntax_error', HINT = pg_catalog.format('For example dp.public_values_from(%L, %L, ''SELECT ward FROM wards'').',
                relation, expression);
    END;
    RETURN size;
END
$$;
CREATE OR REPLACE FUNCTION dp_internal.policy_written() RETURNS trigger
    LANGUAGE c AS 'MODULE_PATHNAME', 'dp_policy_written';
CREATE TRIGGER policy_written AFTER INSERT OR UPDATE OR DELETE ON dp.protected_table
    FOR EACH ROW EXECUTE FUNCTION dp_internal.policy_written();
CREATE TRIGGER policy_written AFTER INSERT OR UPDATE OR DELETE ON dp.account
    FOR EACH ROW EXECUTE FUNCTION dp_internal.policy_written();
CREATE TRIGGER policy_written AFTER INSERT OR UPDATE OR DELETE ON dp.answer_policy
    FOR EACH ROW EXECUTE FUNCTION dp_internal.policy_written();
ALTER TABLE dp.protected_table ENABLE ALWAYS TRIGGER policy_written;
ALTER TABLE dp.account ENABLE ALWAYS TRIGGER policy_written;
ALTER TABLE dp.answer_policy ENABLE ALWAYS TRIGGER policy_written;
CREATE TRIGGER policy_written AFTER INSERT OR UPDATE OR DELETE ON dp.public_domain
    FOR EACH ROW EXECUTE FUNCTION dp_internal.policy_written();
ALTER TABLE dp.public_domain ENABLE ALWAYS TRIGGER policy_written;
CREATE OR REPLACE FUNCTION dp_internal.read_budgets(epsilon float8, OUT relation regclass, OUT role regrole, OUT epsilon_limit numeric, OUT epsilon_spent numeric,
    OUT epsilon_left numeric, OUT delta_limit numeric, OUT delta_spent numeric, OUT delta_left numeric,
    OUT query_epsilon_limit numeric, OUT group_epsilon numeric, OUT group_delta numeric, OUT closed boolean,
    OUT query_epsilon_least numeric, OUT charges bigint, OUT charges_limit bigint, OUT charges_left bigint, OUT answers_left bigint,
    OUT accountant text, OUT conversion_delta numeric, OUT period interval, OUT sliding boolean, OUT period_end timestamptz,
    OUT epsilon_ever numeric, OUT blocks boolean, OUT block regclass,
    OUT max_blocks_per_unit integer) RETURNS SETOF record
    LANGUAGE c VOLATILE PARALLEL RESTRICTED ROWS 100 AS 'MODULE_PATHNAME', 'dp_read_budgets';
CREATE OR REPLACE VIEW dp.budgets AS
    SELECT relation, role, epsilon_limit, epsilon_spent, epsilon_left, delta_limit, delta_spent, delta_left, query_epsilon_limit,
        group_epsilon, group_delta, closed,
        CASE
            WHEN closed OR one.epsilon > query_epsilon_limit OR one.epsilon < query_epsilon_least THEN 0
            ELSE least(answers_left, charges_left)
        END AS answers_left, query_epsilon_least, charges, charges_limit, charges_left, relation::text AS table_name,
        pg_get_userbyid(role)::text AS role_name, accountant, conversion_delta, period, sliding, period_end, epsilon_ever,
        format('epsilon %s%s ', epsilon_limit, ' and delta ' || nullif(delta_limit, 0)) || CASE
            WHEN period IS NULL THEN 'for all that is ever told'
            WHEN sliding THEN format('for what is told in any %s, beside all that was told before; in n times as long n times as much, and no '
                'limit over the years for who stays in the table', period)
            ELSE format('for what is told in each %s of the calendar, beside all that was told before, and twice that in as long a time across '
                'the end of one; in n of them n times as much, and no limit over the years for who stays in the table', period)
        END || CASE
            WHEN NOT blocks THEN ''
            WHEN max_blocks_per_unit IS NULL THEN ', about what lies in one partition'
            ELSE format(', for each partition with rows of a privacy unit: %s times as much about one with rows in %s of them', max_blocks_per_unit,
                max_blocks_per_unit)
        END AS guarantee
    FROM (SELECT nullif(current_setting('dp.epsilon', true), '0')::float8::numeric AS epsilon) AS one,
        dp_internal.read_budgets(one.epsilon::float8)
    WHERE block IS NULL;
CREATE VIEW dp.blocks AS
    SELECT relation, block, role, epsilon_limit, epsilon_spent, epsilon_left, delta_limit, delta_spent, delta_left, charges, charges_left,
        epsilon_ever, pg_get_expr(c.relpartbound, c.oid) AS bounds, relation::text AS table_name, block::text AS block_name,
        pg_get_userbyid(role)::text AS role_name
    FROM dp_internal.read_budgets(NULL), pg_class c
    WHERE c.oid = block;
-- Of a table whose partitions have a budget each: what was told of a row was charged to where it lies.
CREATE FUNCTION dp_internal.keeps_its_block() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'a row of table % keeps its partition key, %: each partition has a budget of its own', TG_RELID::regclass,
        array_to_string(TG_ARGV, ', ')
        USING ERRCODE = '55000', HINT = 'What was told of it was charged there. A curator may delete it and insert it anew.';
END
$$;
CREATE OR REPLACE FUNCTION dp_internal.read_units(OUT relation regclass, OUT privacy_unit text, OUT is_unique boolean, OUT max_rows_per_unit integer,
    OUT max_groups_per_unit integer, OUT max_rows_per_group integer, OUT rows_kept text, OUT rows_kept_by text) RETURNS SETOF record
    LANGUAGE c VOLATILE PARALLEL RESTRICTED ROWS 100 AS 'MODULE_PATHNAME', 'dp_read_units';
CREATE OR REPLACE VIEW dp.units AS
    SELECT relation, privacy_unit, is_unique, max_rows_per_unit, max_groups_per_unit, max_rows_per_group, rows_kept, rows_kept_by,
        relation::text AS table_name
    FROM dp_internal.read_units();
CREATE TABLE dp.declared_range (
    relation regclass,
    column_name name,
    type regtype NOT NULL, -- of the column, without domains around it
    lower text NOT NULL,   -- in that type's text form; both ends included
    upper text NOT NULL,
    PRIMARY KEY (relation, column_name)
);
SELECT pg_catalog.pg_extension_config_dump('dp.declared_range', 'WHERE relation IN (SELECT oid FROM pg_catalog.pg_class)');
CREATE TRIGGER policy_written AFTER INSERT OR UPDATE OR DELETE ON dp.declared_range
    FOR EACH ROW EXECUTE FUNCTION dp_internal.policy_written();
ALTER TABLE dp.declared_range ENABLE ALWAYS TRIGGER policy_written;
CREATE OR REPLACE FUNCTION dp.declare_range(relation regclass, column_name name, lower anycompatible, upper anycompatible) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_declare_range';
CREATE OR REPLACE FUNCTION dp.declare_values(relation regclass, expression text, VARIADIC "values" "any") RETURNS integer
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_public_values';
CREATE OR REPLACE FUNCTION dp.withdraw(relation regclass, expression text) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_withdraw';
CREATE OR REPLACE FUNCTION dp_relax_release(release bigint, epsilon float8, aggregate text DEFAULT NULL) RETURNS SETOF dp.released_answer
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'relax_release';
CREATE TYPE dp.released_error AS (group_key jsonb, aggregate text, answer jsonb, epsilon float8, lower jsonb, upper jsonb);
CREATE OR REPLACE FUNCTION dp_errors(release bigint, confidence float8 DEFAULT 0.95) RETURNS SETOF dp.released_error
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME';
CREATE OR REPLACE FUNCTION dp_error(answer anyelement, confidence float8 DEFAULT 0.95) RETURNS float8
    LANGUAGE c STABLE PARALLEL RESTRICTED AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_rounded(answer numeric, error float8) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN error > 0 AND error < 'Infinity' THEN round(answer, -floor(log(error::numeric))::int) ELSE answer END;
CREATE FUNCTION dp_rounded(answer bigint, error float8) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN answer IS NOT NULL
        THEN least(greatest(dp_rounded(answer::numeric, error), -9223372036854775808), 9223372036854775807)::bigint END;
CREATE FUNCTION dp_rounded(answer float8, error float8) RETURNS float8 LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN dp_rounded(answer::numeric, error)::float8;
CREATE FUNCTION dp_internal.stands_out(answer float8, error float8) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN answer IS NOT NULL AND coalesce(abs(answer) > error, true);
CREATE FUNCTION dp_consistent(answer anyelement, error float8, level integer, VARIADIC keys "any") RETURNS anyelement
    LANGUAGE c IMMUTABLE WINDOW PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_consistent_nonnegative(answer anyelement, error float8, level integer, VARIADIC keys "any") RETURNS anyelement
    LANGUAGE c IMMUTABLE WINDOW PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_consistent_error(answer anyelement, error float8, level integer, VARIADIC keys "any") RETURNS float8
    LANGUAGE c IMMUTABLE WINDOW PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_monotone(answer anyelement, error float8) RETURNS anyelement
    LANGUAGE c IMMUTABLE WINDOW PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.to_fit(answer anyelement, error float8) RETURNS anyelement
    LANGUAGE c STABLE PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_to_fit';
CREATE FUNCTION dp_internal.to_fit_share(answer anyelement, error float8) RETURNS float8
    LANGUAGE c STABLE PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_to_fit';
CREATE FUNCTION dp_internal.fitting(answer anyelement, error float8, level integer, VARIADIC keys "any") RETURNS anyelement
    LANGUAGE c IMMUTABLE WINDOW PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_fitting';
CREATE FUNCTION dp_internal.fitting_nonnegative(answer anyelement, error float8, level integer, VARIADIC keys "any") RETURNS anyelement
    LANGUAGE c IMMUTABLE WINDOW PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_fitting_nonnegative';
CREATE FUNCTION dp_internal.fitting_share(answer anyelement, error float8, level integer, VARIADIC keys "any") RETURNS float8
    LANGUAGE c IMMUTABLE WINDOW PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_fitting_share';
CREATE FUNCTION dp_internal.fitting_error(error float8, share float8, confidence float8, is_integer boolean) RETURNS float8
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN is_integer THEN ceil(error * share * least(confidence / 0.92, 1) - 1e-9) + 0 ELSE error * share * least(confidence / 0.92, 1) END;

CREATE FUNCTION dp_bias(answer anyelement) RETURNS float8
    LANGUAGE c STABLE PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_error';
CREATE OR REPLACE FUNCTION dp.forget_releases(older_than interval) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_forget_releases';
CREATE OR REPLACE FUNCTION dp.forget_answers(relation regclass) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_forget_answers';
CREATE OR REPLACE FUNCTION dp_internal.read_reuse(OUT shown_at timestamptz, OUT role regrole, OUT relation regclass, OUT epsilon numeric,
    OUT application_name text, OUT query text) RETURNS SETOF record
    LANGUAGE c VOLATILE PARALLEL RESTRICTED ROWS 1000 AS 'MODULE_PATHNAME', 'dp_read_reuse';
CREATE OR REPLACE VIEW dp.reuse AS
    SELECT shown_at, role, relation, epsilon, application_name, query, relation::text AS table_name, pg_get_userbyid(role)::text AS role_name
    FROM dp_internal.read_reuse();
CREATE FUNCTION dp_internal.read_ledger(OUT seq bigint, OUT charged_at timestamptz, OUT role regrole, OUT relation regclass, OUT kind text,
    OUT epsilon numeric, OUT delta numeric, OUT table_epsilon numeric, OUT table_delta numeric, OUT release_id bigint,
    OUT query text, OUT losses text, OUT table_losses text) RETURNS SETOF record
    LANGUAGE c VOLATILE PARALLEL RESTRICTED ROWS 1000 AS 'MODULE_PATHNAME', 'dp_read_ledger';
CREATE FUNCTION dp.ledger_of(only_relation regclass, from_seq bigint DEFAULT NULL, to_seq bigint DEFAULT NULL, OUT seq bigint,
    OUT charged_at timestamptz, OUT role regrole, OUT relation regclass, OUT kind text, OUT epsilon numeric, OUT delta numeric,
    OUT table_epsilon numeric, OUT table_delta numeric, OUT release_id bigint, OUT query text, OUT losses text, OUT table_losses text)
    RETURNS SETOF record
    LANGUAGE c VOLATILE PARALLEL RESTRICTED ROWS 1000 AS 'MODULE_PATHNAME', 'dp_read_ledger';
CREATE FUNCTION dp.divergences(losses text) RETURNS bigint[]
    LANGUAGE c STRICT IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_divergences';
COMMENT ON FUNCTION dp.divergences(text) IS
    'what such losses, as dp.ledger shows them, are in Rényi divergences: at the orders 1.5 2 3 4 6 8 12 16 24 32 48 64 96 128 256 512, in '
    '10^-12, rounded up, and a 17th number where losses have no bound: how many; those of the rows of dp.ledger_entry add up to what was spent';
CREATE OR REPLACE VIEW dp.ledger AS
    SELECT seq, charged_at, role, relation, kind, epsilon, delta, table_epsilon, table_delta, release_id, query, NULL::text AS application_name,
        relation::text AS table_name, pg_get_userbyid(role)::text AS role_name, losses, table_losses
    FROM dp_internal.read_ledger()
    UNION ALL
    SELECT 0, shown_at, role, relation, 'reuse', epsilon, 0, 0, 0, NULL, query, application_name,
        relation::text, pg_get_userbyid(role)::text, NULL, NULL FROM dp_internal.read_reuse();
CREATE OR REPLACE VIEW dp.releases AS
    SELECT release_id, made_at, role, relation, aggregate, mechanism, epsilon, groups, query, relation::text AS table_name,
        pg_get_userbyid(role)::text AS role_name
    FROM dp_internal.read_releases();
CREATE OR REPLACE FUNCTION dp.retain_releases(relation regclass, max_age interval DEFAULT NULL, max_numbers bigint DEFAULT NULL) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_retain_releases';
CREATE OR REPLACE FUNCTION dp.forget_releases() RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_forget_expired';
CREATE INDEX ledger_entry_seq ON dp.ledger_entry (seq);
CREATE TABLE dp.ledger_total (
    number bigint NOT NULL,
    seq bigint NOT NULL,        -- the last entry that is in them
    release_id bigint NOT NULL, -- the highest that these entries mention
    totals bytea                -- what each account has spent and whether it is closed (src/budget/ledger/checkpoint.cpp); NULL: somebody
                                -- wrote to the ledger by hand, and all of it has to be read
);
CREATE INDEX ON dp.ledger_total (number);
ALTER TABLE dp.ledger_total ALTER COLUMN totals SET STORAGE EXTERNAL;
CREATE OR REPLACE FUNCTION dp.last_charges("count" integer DEFAULT 100, only_relation regclass DEFAULT NULL, OUT seq bigint,
    OUT charged_at timestamptz, OUT role regrole, OUT relation regclass, OUT kind text, OUT epsilon numeric, OUT delta numeric,
    OUT table_epsilon numeric, OUT table_delta numeric, OUT release_id bigint, OUT query text, OUT losses text, OUT table_losses text)
    RETURNS SETOF record
    LANGUAGE c VOLATILE PARALLEL RESTRICTED ROWS 100 AS 'MODULE_PATHNAME', 'dp_last_charges';
CREATE TABLE dp.ledger_place (
    number bigint NOT NULL,
    seq bigint NOT NULL,               -- entries up to this one may be missing: a superuser has confirmed what there is
    release_id bigint NOT NULL,        -- releases up to this one may be mentioned by no entry
    system_identifier bigint NOT NULL, -- of the server, as initdb chose it
    timeline bigint NOT NULL,
    database oid NOT NULL,
    files text NOT NULL,               -- what a copy of the data directory changes
    settled_at timestamptz NOT NULL,
    role regrole NOT NULL              -- who charged first, or confirmed
);
CREATE INDEX ON dp.ledger_place (number);
CREATE TRIGGER ledger_being_written BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON dp.ledger_entry
    FOR EACH STATEMENT EXECUTE FUNCTION dp_internal.ledger_written();
ALTER TABLE dp.ledger_entry ENABLE ALWAYS TRIGGER ledger_being_written;
CREATE OR REPLACE FUNCTION dp_internal.settle_ledger() RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_settle_ledger';
CREATE OR REPLACE FUNCTION dp.confirm_ledger() RETURNS text
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    last bigint;
BEGIN
    IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
        RAISE insufficient_privilege USING MESSAGE = 'only a superuser confirms the ledger of pg_dp',
            HINT = 'Ask one: SELECT dp.confirm_ledger();';
    END IF;
    IF (SELECT count(*) FROM pg_trigger WHERE tgrelid = 'dp.ledger_entry'::regclass AND tgenabled = 'A'
            AND tgname IN ('ledger_written', 'ledger_being_written')) < 2 THEN
        CREATE OR REPLACE TRIGGER ledger_written AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON dp.ledger_entry
            FOR EACH STATEMENT EXECUTE FUNCTION dp_internal.ledger_written();
        CREATE OR REPLACE TRIGGER ledger_being_written BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON dp.ledger_entry
            FOR EACH STATEMENT EXECUTE FUNCTION dp_internal.ledger_written();
        CREATE OR REPLACE TRIGGER skip_row_that_is_there BEFORE INSERT ON dp.ledger_entry
            FOR EACH ROW EXECUTE FUNCTION dp_internal.skip_row_that_is_there();
        ALTER TABLE dp.ledger_entry ENABLE ALWAYS TRIGGER ledger_written, ENABLE ALWAYS TRIGGER ledger_being_written,
            ENABLE ALWAYS TRIGGER skip_row_that_is_there;
    END IF;
    last := dp_internal.settle_ledger();
    RETURN format('Charges go on after entry %s. What was charged elsewhere since then, by a server that went on with another copy or before '
        'a restore to an earlier time, is not in this ledger and cannot be known from it: that much may be spent twice, and a release that '
        'was made more accurate there is drawn anew.', last);
END
$$;
CREATE OR REPLACE FUNCTION dp_internal.guard_drops() RETURNS event_trigger
    LANGUAGE c AS 'MODULE_PATHNAME', 'dp_guard_drops';
CREATE EVENT TRIGGER dp_drops ON ddl_command_start WHEN TAG IN ('DROP EXTENSION', 'DROP TABLE', 'DROP SCHEMA', 'DROP OWNED', 'ALTER TABLE')
    EXECUTE FUNCTION dp_internal.guard_drops();
ALTER EVENT TRIGGER dp_drops ENABLE ALWAYS;
CREATE OR REPLACE FUNCTION dp_internal.read_status(OUT doubt text, OUT last_entry bigint, OUT last_checkpoint bigint, OUT accounts bigint,
    OUT shared_bytes bigint, OUT read_at timestamptz, OUT read_entries bigint, OUT read_ms bigint, OUT direct_writers bigint,
    OUT shut_accounts bigint, OUT account_room bigint, OUT charges bigint, OUT refusals bigint, OUT errors bigint, OUT lock_waits bigint,
    OUT reused bigint, OUT charge_seconds float8)
    RETURNS record
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_read_status';
CREATE TABLE dp.dropped_object (
    number oid,
    is_role boolean,
    owner oid, -- of a table: who owned it, and goes on seeing what was charged
    PRIMARY KEY (number, is_role)
);
CREATE TABLE dp.continued (
    seq bigint NOT NULL,        -- the entry of the ledger
    relation regclass NOT NULL, -- the table that goes on
    source regclass NOT NULL,   -- and the one that it took over from
    account regrole,            -- NULL: of the table as a whole
    epsilon_nano bigint NOT NULL,
    delta_atto bigint NOT NULL,
    divergences bigint[]        -- as in dp.ledger_entry
);
CREATE INDEX ON dp.continued (seq);
SELECT pg_catalog.pg_extension_config_dump('dp.continued',
    'WHERE relation IN (SELECT oid FROM pg_catalog.pg_class) AND source IN (SELECT oid FROM pg_catalog.pg_class)');
CREATE TABLE dp.ledger_compaction (
    number bigint NOT NULL,
    done_at timestamptz NOT NULL,
    done_by text NOT NULL,          -- the role
    before timestamptz,             -- what was asked for; NULL: a superuser confirmed the ledger as it was
    seq bigint NOT NULL,            -- the last entry that could be folded
    folded bigint NOT NULL,         -- how many entries were, this time
    kept bigint NOT NULL,           -- rows up to there that closed or opened accounts
    carried bigint NOT NULL,        -- rows of kind carried, from all times
    charges bigint NOT NULL,        -- that they stand for
    epsilon numeric NOT NULL,       -- their sums: paid by accounts
    delta numeric NOT NULL,
    table_epsilon numeric NOT NULL, -- and by tables
    table_delta numeric NOT NULL,
    fingerprint bigint NOT NULL     -- of all that is in them (src/budget/ledger/carried.cpp)
);
CREATE INDEX ON dp.ledger_compaction (number);
-- A dump that is restored onto its own database adds nothing that is there already: entries have numbers. So of all frozen rows.
CREATE FUNCTION dp_internal.skip_row_that_is_there() RETURNS trigger
    LANGUAGE c AS 'MODULE_PATHNAME', 'dp_skip_row_that_is_there';
COMMENT ON FUNCTION dp_internal.skip_row_that_is_there() IS
    'before a row is inserted: not if the table had the same one already when the statement began, so that a restore adds nothing twice';
REVOKE EXECUTE ON FUNCTION dp_internal.skip_row_that_is_there() FROM PUBLIC;
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY '{ledger_entry,ledger_compaction,continued,release_part,release_aggregate,release_keys,release_level,release_path,
        release_holding,release_forgotten}'::text[] LOOP
        EXECUTE format('CREATE TRIGGER skip_row_that_is_there BEFORE INSERT ON dp.%I '
            'FOR EACH ROW EXECUTE FUNCTION dp_internal.skip_row_that_is_there()', name);
        EXECUTE format('ALTER TABLE dp.%I ENABLE ALWAYS TRIGGER skip_row_that_is_there', name);
    END LOOP;
END
$$;
SELECT pg_catalog.pg_extension_config_dump('dp.ledger_compaction', '');
CREATE OR REPLACE FUNCTION dp.compact_ledger(before timestamptz) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_compact_ledger';
CREATE OR REPLACE FUNCTION dp.harden(hide_estimates boolean DEFAULT false) RETURNS integer
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_harden';
CREATE OR REPLACE FUNCTION dp.harden_statements(hide_estimates boolean DEFAULT false) RETURNS SETOF text
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_harden_statements';
CREATE OR REPLACE FUNCTION dp.unharden() RETURNS integer
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_unharden';
CREATE OR REPLACE VIEW dp.orphans AS
    SELECT 'protected_table' AS "table", p.relation::oid, NULL::oid AS role FROM dp.protected_table p
    WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_class c WHERE c.oid = p.relation)
    UNION ALL
    SELECT 'account', a.relation, a.role FROM dp.account a
    WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_class c WHERE c.oid = a.relation)
        OR NOT EXISTS (SELECT FROM pg_catalog.pg_roles r WHERE r.oid = a.role);
CREATE OR REPLACE FUNCTION dp_internal.bytes_stored(OUT ledger bigint, OUT releases numeric) RETURNS record
    LANGUAGE sql VOLATILE PARALLEL RESTRICTED SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT pg_total_relation_size('dp.ledger_entry'), (SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c
        WHERE c.relnamespace = 'dp'::regnamespace AND c.relkind = 'r' AND c.relname LIKE 'release%')
$$;
CREATE OR REPLACE VIEW dp.status AS
    SELECT s.doubt, s.last_entry, s.last_checkpoint, s.accounts, s.shared_bytes, s.read_at, s.read_entries, s.read_ms, s.direct_writers,
        s.shut_accounts, (SELECT p.timeline FROM dp.ledger_place p ORDER BY p.number DESC LIMIT 1) AS timeline,
        b.ledger AS ledger_bytes, b.releases AS release_bytes,
        s.account_room, s.charges, s.refusals, s.errors, s.lock_waits,
        (SELECT pg_catalog.count(*) = 2 FROM pg_catalog.pg_trigger t WHERE t.tgrelid = 'dp.ledger_entry'::regclass
            AND t.tgname IN ('ledger_written', 'ledger_being_written') AND t.tgenabled = 'A') AS watched,
        dp.is_hardened() AS hardened,
        (SELECT pg_catalog.count(*) FROM dp.orphans) AS orphans,
        (SELECT pg_catalog.count(*) FROM dp.account a JOIN pg_catalog.pg_class c ON c.oid = a.relation
            JOIN pg_catalog.pg_roles r ON r.oid = a.role
            WHERE pg_catalog.has_table_privilege(a.role, c.oid, 'SELECT') OR pg_catalog.has_any_column_privilege(a.role, c.oid, 'SELECT'))
            AS readers_with_budget,
        (SELECT pg_catalog.max(l.done_at) FROM dp.ledger_compaction l WHERE l.before IS NOT NULL) AS compacted_at,
        s.reused, s.charge_seconds
    FROM dp_internal.read_status() s, dp_internal.bytes_stored() b;
CREATE OR REPLACE FUNCTION dp_internal.read_progress(OUT work text, OUT pid integer, OUT rows bigint, OUT since timestamptz) RETURNS SETOF record
    LANGUAGE c VOLATILE PARALLEL RESTRICTED ROWS 1 AS 'MODULE_PATHNAME', 'dp_read_progress';
CREATE OR REPLACE VIEW dp.progress AS SELECT p.work, p.pid, p.rows, p.since FROM dp_internal.read_progress() p;
CREATE OR REPLACE VIEW dp.waits AS
    SELECT a.pid, a.usename AS role, w.waits_for, a.state_change AS since, pg_catalog.pg_blocking_pids(a.pid) AS blocked_by
    FROM pg_catalog.pg_stat_activity a,
        LATERAL (
            SELECT CASE l.objsubid WHEN 217 THEN 'the levels of a release' WHEN 218 THEN 'releases being forgotten'
                WHEN 219 THEN 'the ledger being read, compacted or written by hand' END
            FROM pg_catalog.pg_locks l
            WHERE l.pid = a.pid AND NOT l.granted AND l.locktype = 'advisory' AND l.database = a.datid AND l.objsubid IN (217, 218, 219)
            UNION ALL
            SELECT a.wait_event WHERE a.wait_event_type = 'LWLock' AND a.wait_event LIKE 'pg\_dp %'
            UNION ALL
            SELECT pg_catalog.format('a lock on table dp.%I', c.relname)
            FROM pg_catalog.pg_locks l JOIN pg_catalog.pg_class c ON c.oid = l.relation
            WHERE l.pid = a.pid AND NOT l.granted AND l.locktype = 'relation' AND l.database = a.datid AND c.relnamespace = 'dp'::regnamespace
            UNION ALL
            SELECT 'a synchronous standby' WHERE a.wait_event = 'SyncRep'
        ) w (waits_for)
    WHERE a.datname = pg_catalog.current_database();
-- Why what is declared of an expression, with values of that type, holds for no column; NULL: it may hold.
CREATE FUNCTION dp_internal.lapsed(relation regclass, expression text, type regtype) RETURNS text
    LANGUAGE c STABLE STRICT PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_lapsed';
COMMENT ON FUNCTION dp_internal.lapsed(regclass, text, regtype) IS
    'why what is declared of an expression over a table holds for none of its columns; NULL where it does';
-- Copies of public tables on other servers, beside the rows of protected ones there, by which joins are computed where the rows are
-- (src/budget/policy/copies.h, docs/scale-out.md).

CREATE TABLE dp.public_copy (
    copy regclass PRIMARY KEY, -- a foreign table
    relation regclass NOT NULL
);
COMMENT ON TABLE dp.public_copy IS 'foreign tables that stand for copies of a public table on other servers: joins with it are computed there';
SELECT pg_catalog.pg_extension_config_dump('dp.public_copy',
    'WHERE copy IN (SELECT oid FROM pg_catalog.pg_class) AND relation IN (SELECT oid FROM pg_catalog.pg_class)');
GRANT SELECT ON dp.public_copy TO PUBLIC;

CREATE FUNCTION dp.declare_copies(relation regclass, VARIADIC copies regclass[]) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_declare_copies';
COMMENT ON FUNCTION dp.declare_copies(regclass, regclass[]) IS
    'says that these foreign tables, and no others, stand for copies of the public table on other servers: joins of protected rows there with '
    'it are computed there. Rows are compared now, columns, keys and checks before each question; whoever changes the table changes its '
    'copies. dp.declare_copies(''wards'', VARIADIC ''{}'') ends it';

-- Protected foreign tables that lie side by side on their server, by which joins along the unit are computed there
-- (src/budget/policy/colocated.h).

CREATE TABLE dp.colocated (
    relation regclass PRIMARY KEY, -- a foreign table
    first regclass NOT NULL, -- the same of all of which it was said together: one of them
    spread boolean NOT NULL -- Citus spreads them over servers of its own
);
COMMENT ON TABLE dp.colocated IS 'protected foreign tables that have the rows of each privacy unit side by side on their server: joins along the unit are computed there';
SELECT pg_catalog.pg_extension_config_dump('dp.colocated',
    'WHERE relation IN (SELECT oid FROM pg_catalog.pg_class) AND first IN (SELECT oid FROM pg_catalog.pg_class)');
GRANT SELECT ON dp.colocated TO PUBLIC;

CREATE FUNCTION dp.declare_colocated(relation regclass, VARIADIC others regclass[]) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_declare_colocated';
COMMENT ON FUNCTION dp.declare_colocated(regclass, regclass[]) IS
    'says that the protected foreign tables have the rows of each privacy unit side by side on their server: joins along the unit are computed '
    'there. A server with Citus is asked now and before each question whether it spreads them alike. '
    'dp.declare_colocated(''visits'', VARIADIC ''{}'') ends it';
-- Rows that two servers have to do with, each with an owner, budgets and a ledger of its own (docs/scale-out.md, Two owners).

-- Who has the rows: which roles, of other servers, may read them for questions that are charged to their budgets first.
CREATE TABLE dp.lent (
    relation regclass,
    role regrole,
    PRIMARY KEY (relation, role)
);
COMMENT ON TABLE dp.lent IS 'which roles, of other servers, may read the rows of a table for questions that they charge to their budgets first';
SELECT pg_catalog.pg_extension_config_dump('dp.lent',
    'WHERE relation IN (SELECT oid FROM pg_catalog.pg_class) AND role IN (SELECT oid FROM pg_catalog.pg_roles)');

-- Who asks: the protected tables whose rows belong to another owner, on another server.
CREATE TABLE dp.other_owner (relation regclass PRIMARY KEY);
COMMENT ON TABLE dp.other_owner IS 'protected foreign tables whose questions are charged on their servers, too';
SELECT pg_catalog.pg_extension_config_dump('dp.other_owner', 'WHERE relation IN (SELECT oid FROM pg_catalog.pg_class)');

GRANT SELECT ON dp.lent, dp.other_owner TO PUBLIC;

CREATE FUNCTION dp.lend_rows(relation regclass, role regrole, lend boolean DEFAULT true) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_lend_rows';
COMMENT ON FUNCTION dp.lend_rows(regclass, regrole, boolean) IS
    'lets a server of another owner, which logs in as that role, read rows of the table for questions of its own: each is charged to the '
    'role''s budget here before its rows are read, and that server, which is trusted with them, limits what a unit contributes and adds the '
    'noise; lend => false ends it, and so does dp.revoke_budget';

CREATE FUNCTION dp.charge_rows(relation regclass, privacy_unit text, epsilon_nano bigint, delta_atto bigint, losses text, question text,
    query text, statements text[]) RETURNS text
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_charge_rows';
COMMENT ON FUNCTION dp.charge_rows(regclass, text, bigint, bigint, text, text, text, text[]) IS
    'what pg_dp of another server calls before it reads rows that were lent to its role: charges them a question, durably, and lets each of '
    'these statements run once in this transaction; charged, not lent to the role, or an SQLSTATE and why it is refused. With epsilon_nano NULL '
    'nothing is charged, and the answer is lent where it could be';

CREATE FUNCTION dp.withdraw_rows(question text) RETURNS boolean
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_withdraw_rows';
COMMENT ON FUNCTION dp.withdraw_rows(text) IS
    'what pg_dp of another server calls where it refuses a question that was charged here in this transaction: takes the charge back, unless '
    'rows were read for it; says whether there was one and all of it is taken back';
CREATE OR REPLACE FUNCTION dp.check(only_relation regclass DEFAULT NULL, OUT relation regclass, OUT finding text, OUT run text)
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
    SELECT NULL, format('the functions that queries may call were not measured on PostgreSQL %s: nothing is answered',
            current_setting('server_version')), 'SELECT dp.measure_functions(); as a superuser'
    WHERE EXISTS (SELECT FROM protected) AND NOT (dp_internal.server_evidence()).measured
    UNION ALL
    SELECT NULL, 'this database is not hardened: everyone sees sizes and counters of tables', 'SELECT dp.harden(); as a superuser'
    WHERE NOT dp.is_hardened() AND EXISTS (SELECT FROM protected)
    UNION ALL
    SELECT NULL, 'auto_explain sends plans to clients, with what they measured of pages', 'ALTER SYSTEM RESET auto_explain.log_level;'
    WHERE current_setting('auto_explain.log_level', true) IN ('info', 'notice', 'warning') AND EXISTS (SELECT FROM protected)
    UNION ALL
    SELECT NULL, format('everyone may connect to database %I, which shows locks and counters of this one', datname),
        format('SELECT dp.harden(); there, or REVOKE CONNECT ON DATABASE %I FROM PUBLIC;', datname)
    FROM pg_database
    WHERE datname <> current_database() AND datallowconn AND has_database_privilege('public', oid, 'CONNECT')
        AND EXISTS (SELECT FROM protected)
    UNION ALL
    SELECT NULL, format('standby %s may take over without the last charges', s.name),
        'ALTER SYSTEM SET synchronous_standby_names = ''*''; and let commits wait for it'
    FROM dp_internal.lagging_standbys() s(name) WHERE EXISTS (SELECT FROM protected)
    UNION ALL
    SELECT top, format('%s %s hands raw rows to %s with its owner''s privileges', CASE relkind WHEN 'm' THEN 'materialized view' ELSE 'view' END,
            view, grantee_name),
        format('REVOKE SELECT ON %s FROM %s;', view, grantee_name)
            || CASE relkind WHEN 'm' THEN '' ELSE format(' or ALTER VIEW %s SET (security_invoker = true);', view) END
    FROM name
    UNION ALL
    SELECT DISTINCT a.top, format('role %I has a budget and reads the raw table: it is charged, not fenced', a.rolname),
        concat_ws(' ', 'REVOKE SELECT ON ' || a.top || ' FROM ' || (
            SELECT string_agg(CASE WHEN x.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(x.grantee)) END, ', ' ORDER BY x.grantee DESC)
            FROM aclexplode(c.relacl) x
            WHERE x.privilege_type = 'SELECT' AND x.grantee <> c.relowner AND (x.grantee = 0 OR pg_has_role(a.role, x.grantee, 'USAGE'))) || ';',
            'REVOKE pg_read_all_data FROM ' || (
            SELECT string_agg(DISTINCT quote_ident(pg_get_userbyid(m.member)), ', ')
            FROM pg_auth_members m WHERE pg_get_userbyid(m.roleid) = 'pg_read_all_data' AND pg_has_role(a.role, m.member, 'USAGE')) || ';')
    FROM account a JOIN pg_class c ON c.oid = a.top
    WHERE has_table_privilege(a.role, a.top, 'SELECT') AND NOT pg_has_role(a.role, c.relowner, 'USAGE')
    UNION ALL
    SELECT l.relation, format('rows are lent to role %I, whose server reads them for questions that it charges to that role''s budget', r.rolname),
        format('SELECT dp.lend_rows(%L, %L, lend => false); unless its server is trusted with them', l.relation, r.rolname)
    FROM protected p JOIN dp.lent l USING (relation) JOIN pg_roles r ON r.oid = l.role
    UNION ALL
    SELECT a.top, format('role %I has a budget and privileges on %s', a.rolname, part.part),
        format('REVOKE ALL ON %s FROM %I, PUBLIC;', part.part, a.rolname)
    FROM account a JOIN part USING (top), -- a privilege that there is since 17
        (SELECT CASE WHEN current_setting('server_version_num')::int >= 170000 THEN ', MAINTAIN' ELSE '' END) AS maintain(also)
    WHERE NOT has_table_privilege(a.role, a.top, 'SELECT')
        AND (has_table_privilege(a.role, part.part, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER' || maintain.also)
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
    SELECT DISTINCT NULL::regclass, format('publication %I sends budgets, and to a new subscriber the ledger and stored noise', p.pubname),
        format('DROP PUBLICATION %I; and name the tables that it is to send', p.pubname)
    FROM pg_publication p JOIN pg_publication_tables t USING (pubname)
    WHERE t.schemaname = 'dp' AND EXISTS (SELECT FROM protected)
    UNION ALL
    SELECT DISTINCT part.top, format('whoever may write to %s learns by its foreign key which keys %s has', f.conrelid::regclass, part.part),
        format('REVOKE INSERT, UPDATE ON %s FROM %s;', f.conrelid::regclass,
            CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END)
    FROM part JOIN pg_constraint f ON f.confrelid = part.part AND f.contype = 'f' AND f.conparentid = 0 JOIN pg_class c ON c.oid = f.conrelid,
        LATERAL aclexplode(c.relacl) a
    WHERE a.grantee <> c.relowner AND a.privilege_type IN ('INSERT', 'UPDATE')
        AND (a.grantee = 0 OR NOT has_table_privilege(a.grantee, part.top, 'SELECT'))
    UNION ALL
    SELECT DISTINCT part.top, format('server %I, which has rows of %s, has a user mapping for PUBLIC: whoever may use the server reads them',
            m.srvname, part.part),
        format('DROP USER MAPPING FOR PUBLIC SERVER %I; and CREATE USER MAPPING FOR %I SERVER %I ...', m.srvname, pg_get_userbyid(c.relowner), m.srvname)
    FROM part JOIN pg_foreign_table f ON f.ftrelid = part.part JOIN pg_user_mappings m ON m.srvid = f.ftserver AND m.umuser = 0
        JOIN pg_class c ON c.oid = part.top
    UNION ALL
    SELECT a.top, format('role %I has a budget and a user mapping of its own for server %I, which has rows of %s', a.rolname, m.srvname, part.part),
        format('DROP USER MAPPING FOR %I SERVER %I; or REVOKE USAGE ON FOREIGN SERVER %I FROM %I, PUBLIC;', m.usename, m.srvname, m.srvname, a.rolname)
    FROM account a JOIN part USING (top) JOIN pg_foreign_table f ON f.ftrelid = part.part JOIN pg_user_mappings m ON m.srvid = f.ftserver
        AND m.umuser <> 0
    WHERE pg_has_role(a.role, m.umuser, 'USAGE') AND has_server_privilege(a.role, m.srvid, 'USAGE')
        AND NOT has_table_privilege(a.role, a.top, 'SELECT')
    UNION ALL
    SELECT part.top, format('%s has a budget of its own, and so has %s: questions about them are refused', part.part, part.top),
        format('SELECT dp.unprotect(%L);', part.part)
    FROM part JOIN dp.budgets b ON b.relation = part.part AND b.role IS NULL WHERE part.part <> part.top
    UNION ALL
    SELECT b.relation, format('a dropped role, number %s, has a budget: it falls to whoever gets that number', b.role::oid),
        format('SELECT dp.revoke_budget(%L, %L);', b.relation, b.role::oid)
    FROM dp.budgets b JOIN protected p USING (relation)
    WHERE b.role IS NOT NULL AND NOT EXISTS (SELECT FROM pg_roles r WHERE r.oid = b.role)
    UNION ALL
    SELECT NULL, 'the ledger is in doubt and nothing is charged: ' || s.doubt,
        'SELECT dp.confirm_ledger(); as a superuser, who has made sure that no charge is lost'
    FROM dp_internal.read_status() s WHERE s.doubt IS NOT NULL
    UNION ALL
    SELECT b.relation, format('role %I is closed: an error stopped one of its private queries', r.rolname),
        format('SELECT dp.reopen(%L, %L); once the server''s log has told why', b.relation, quote_ident(r.rolname))
    FROM dp.budgets b JOIN protected p USING (relation) JOIN pg_roles r ON r.oid = b.role WHERE b.closed
    UNION ALL
    SELECT d.relation, format('%s of %s are declared and hold for no column: the table has %s', d.what, d.expression,
            dp_internal.lapsed(d.relation, d.expression, d.type)),
        format('SELECT dp.withdraw(%L, %L); and declare them anew', d.relation, d.given)
    FROM (SELECT r.relation, 'bounds' AS what, quote_ident(r.column_name) AS expression, r.column_name::text AS given, r.type FROM dp.declared_range r
        UNION ALL SELECT v.relation, 'values', v.expression, v.expression, v.type FROM dp.public_domain v) d JOIN protected p USING (relation)
    WHERE dp_internal.lapsed(d.relation, d.expression, d.type) IS NOT NULL
    UNION ALL
    -- By what ANALYZE found, as if numbers of rows fell off evenly: more rows are lost than the noise of a count is at epsilon 0.1.
    SELECT u.relation, format('rows of %s beyond %s are in no answer, and it has %s of them on average', u.privacy_unit, m.most, round(m.mean::numeric, 1)),
        format('SELECT * FROM dp.limit_quality(%L); says privately what larger limits leave out, dp.protect(%L, max_rows_per_unit => ...) sets one',
            u.relation, u.relation)
    FROM dp.units u JOIN protected p USING (relation) JOIN pg_class c ON c.oid = u.relation JOIN pg_namespace n ON n.oid = c.relnamespace
        JOIN pg_stats s ON s.schemaname = n.nspname AND s.tablename = c.relname AND s.attname = u.privacy_unit AND s.inherited = (c.relkind = 'p'),
        LATERAL (SELECT coalesce(u.max_rows_per_unit, u.max_rows_per_group) AS most, c.reltuples * (1 - s.null_frac) AS rows,
            c.reltuples * (1 - s.null_frac) / nullif(CASE WHEN s.n_distinct < 0 THEN -s.n_distinct * c.reltuples ELSE s.n_distinct END, 0) AS mean) m
    WHERE CASE WHEN m.mean > 1 AND m.rows > 0 THEN ln(m.rows) + m.most * ln(1 - 1 / m.mean) > ln(10 * m.most) END
    ORDER BY 1, 2, 3;
END;
CREATE OR REPLACE FUNCTION dp.admissible(query text, role regrole DEFAULT NULL, OUT admissible boolean, OUT sqlstate text, OUT message text,
    OUT hint text)
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_admissible';
CREATE OR REPLACE FUNCTION dp.answers_left(relation regclass, epsilon float8, delta float8 DEFAULT 0) RETURNS bigint
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp SET dp.epsilon = '0' AS $$
DECLARE
    budget dp.budgets;
BEGIN
    IF relation IS NULL OR epsilon IS NULL OR delta IS NULL THEN
        RAISE EXCEPTION '% of dp.answers_left must not be NULL',
                CASE WHEN relation IS NULL THEN 'relation' WHEN epsilon IS NULL THEN 'epsilon' ELSE 'delta' END
            USING ERRCODE = '22023', HINT = 'For example dp.answers_left(''visits'', 0.5).';
    END IF;
    IF NOT epsilon BETWEEN 1e-9 AND 1e6 THEN
        RAISE EXCEPTION 'epsilon must be a number from 1e-9 to 1e6, not %', epsilon
            USING ERRCODE = '22023', HINT = 'Give the epsilon of one answer, for example dp.answers_left(''visits'', 0.5).';
    END IF;
    IF NOT (delta >= 0 AND delta < 1) THEN
        RAISE EXCEPTION 'delta must be a number from 0 to below 1, not %', delta
            USING ERRCODE = '22023', HINT = 'Give the delta of one answer: 0 for all mechanisms but gaussian and gg.';
    END IF;
    PERFORM set_config('dp.epsilon', epsilon::text, true);
    -- The account that pays: one's own, for a curator without one the table, else one that is inherited.
    SELECT b.* INTO budget FROM dp.budgets b LEFT JOIN pg_roles r ON r.oid = b.role
    WHERE b.relation = answers_left.relation AND (b.role IS NULL OR pg_has_role(b.role, 'USAGE'))
    ORDER BY r.rolname IS NOT DISTINCT FROM current_user DESC, b.role IS NULL DESC, b.epsilon_left LIMIT 1;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'role % has no budget on table %', quote_ident(current_user), relation
            USING ERRCODE = '42501',
                HINT = format('Ask its curator: SELECT dp.grant_budget(%L, %L, 1);', relation, quote_ident(current_user));
    END IF;
    IF budget.closed OR epsilon::numeric > budget.query_epsilon_limit OR epsilon::numeric < budget.query_epsilon_least THEN
        RETURN 0;
    END IF;
    RETURN least(budget.answers_left, floor(budget.delta_left / nullif(delta::numeric, 0)));
END
$$;
CREATE FUNCTION dp.answers_left(relation regclass, call text) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_answers_left';
COMMENT ON FUNCTION dp.answers_left(regclass, text) IS
    'how often that may still be asked of a protected table, each time in a statement of its own and answered anew, as far as the budgets '
    'that it is charged to go: one aggregate, dp_count(''*'', 0.1), or several; NULL: as often as one likes';
CREATE OR REPLACE FUNCTION dp.describe_table(relation regclass, OUT item text, OUT value text) RETURNS SETOF record
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE ROWS 10 SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    subject CONSTANT regclass := describe_table.relation;
    budget dp.budgets;
    unit dp.units;
    one record;
    by_group text;
    price numeric;
BEGIN
    SELECT u.* INTO unit FROM dp.units u WHERE u.relation = subject;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'table % is not protected, or role % has no budget on it', coalesce(subject::text, 'NULL'),
                quote_ident(current_user)
            USING ERRCODE = '42501', HINT = 'SELECT relation FROM dp.units; names the tables that you may ask.';
    END IF;
    SELECT b.* INTO budget FROM dp.budgets b LEFT JOIN pg_roles r ON r.oid = b.role
    WHERE b.relation = subject AND (b.role IS NULL OR pg_has_role(b.role, 'USAGE'))
    ORDER BY r.rolname IS NOT DISTINCT FROM current_user DESC, b.role IS NULL DESC, b.epsilon_left LIMIT 1;

    item := 'privacy unit';
    value := coalesce('all rows with the same value in ' || unit.privacy_unit, 'each row');
    RETURN NEXT;
    item := 'limits';
    value := CASE
        WHEN unit.privacy_unit IS NULL THEN 'none: each row is a unit'
        WHEN unit.max_rows_per_unit IS NOT NULL THEN
            format('%s rows of a unit count, in all groups together', unit.max_rows_per_unit)
        WHEN unit.max_groups_per_unit IS NOT NULL THEN
            format('%s rows of a unit count in each of %s groups', unit.max_rows_per_group, unit.max_groups_per_unit)
        WHEN unit.is_unique THEN 'none: a unit has one row'
        ELSE 'none is declared: one is chosen privately for each answer, for a quarter of its epsilon; in quantiles one row of a unit counts' END || coalesce(', the ' || unit.rows_kept || ' by ' || unit.rows_kept_by, '')
        || CASE WHEN unit.max_rows_per_unit > 0 OR unit.max_groups_per_unit > 0
            THEN '; rows beyond are in no answer, and no interval includes them' ELSE '' END;
    RETURN NEXT;

    item := 'left';
    value := format('epsilon %s of %s', trim_scale(budget.epsilon_left), trim_scale(budget.epsilon_limit))
        || CASE WHEN budget.delta_limit > 0 THEN
            format(', delta %s of %s', trim_scale(budget.delta_left), trim_scale(budget.delta_limit)) ELSE '' END
        || coalesce('; one statement may cost at most ' || trim_scale(budget.query_epsilon_limit), '')
        || CASE WHEN budget.closed THEN '; closed until a curator says dp.reopen()' ELSE '' END;
    RETURN NEXT;

    -- Declared values; then what booleans, enums and foreign keys name.
    item := 'public groups';
    FOR one IN SELECT d.expression, cardinality(d.domain_values) AS size, d.domain_values[:10] AS first
        FROM dp.public_domain d WHERE d.relation = subject ORDER BY d.expression COLLATE "C" LOOP
        by_group := coalesce(by_group, one.expression);
        value := format('%s: %s%s', one.expression, array_to_string(one.first, ', '),
            CASE WHEN one.size > 10 THEN format(', ... (%s values)', one.size) ELSE '' END);
        RETURN NEXT;
    END LOOP;
    FOR one IN
        SELECT quote_ident(a.attname) AS name, CASE
                WHEN a.atttypid = 'boolean'::regtype THEN 'false, true'
                WHEN t.typtype = 'e' THEN
                    (SELECT string_agg(e.enumlabel, ', ' ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = a.atttypid)
                ELSE (SELECT format('the values of %I in %s', r.attname, f.confrelid::regclass)
                    FROM pg_constraint f JOIN pg_attribute r ON r.attrelid = f.confrelid AND r.attnum = f.confkey[1]
                    WHERE f.conrelid = subject AND f.contype = 'f' AND f.conkey = ARRAY[a.attnum]
                        AND has_column_privilege(f.confrelid, r.attnum, 'SELECT')
                    ORDER BY f.oid LIMIT 1) END AS shown
        FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
        WHERE a.attrelid = subject AND a.attnum > 0 AND NOT a.attisdropped
            AND NOT EXISTS (SELECT FROM dp.public_domain d WHERE d.relation = subject AND d.expression = quote_ident(a.attname))
        ORDER BY a.attnum LOOP
        CONTINUE WHEN one.shown IS NULL OR NOT (SELECT admissible OR sqlstate = 'DP005' FROM dp.admissible(format(
            'SELECT %s, @extschema@.dp_count(''*'', 1e-6) FROM %s GROUP BY 1', one.name, subject)));
        by_group := coalesce(by_group, one.name);
        value := format('%s: %s', one.name, one.shown);
        RETURN NEXT;
    END LOOP;
    item := 'other groups';
    value := CASE
        WHEN budget.group_epsilon > 0 THEN format('shown where a private test of their size says so: epsilon %s and delta %s for each grouping set',
            trim_scale(budget.group_epsilon), trim_scale(budget.group_delta))
        WHEN budget.group_epsilon IS NULL AND budget.delta_limit > 0 THEN
            'shown where a private test of their size says so, for a half of the price of their answers'
        ELSE 'those that follow from ranges or from the key itself, such as CASE; else refused' END;
    RETURN NEXT;

    item := 'range';
    FOR one IN SELECT d.column_name, d.lower, d.upper FROM dp.declared_range d WHERE d.relation = subject
        ORDER BY d.column_name COLLATE "C" LOOP
        value := format('%I: from %s to %s', one.column_name, one.lower, one.upper);
        RETURN NEXT;
    END LOOP;

    item := 'join';
    FOR one IN
        -- A public table by a unique index on columns of the same names, or by a foreign key; then other tables of the same unit.
        SELECT 1 AS kind, i.indrelid::regclass AS partner,
            format('USING (%s)', string_agg(quote_ident(a.attname), ', ' ORDER BY k.n)) AS condition
        FROM pg_index i CROSS JOIN unnest(i.indkey::smallint[]) WITH ORDINALITY AS k(number, n)
            JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number
            JOIN pg_attribute o ON o.attrelid = subject AND o.attname = a.attname AND o.atttypid = a.atttypid AND NOT o.attisdropped
        WHERE i.indisunique AND i.indrelid <> subject AND has_table_privilege(i.indrelid, 'SELECT') AND k.n <= i.indnkeyatts
            AND NOT EXISTS (SELECT FROM dp.units u WHERE u.relation = i.indrelid)
            AND NOT EXISTS (SELECT FROM pg_class c WHERE c.oid = i.indrelid AND c.relnamespace = 'pg_catalog'::regnamespace)
        GROUP BY i.indexrelid, i.indrelid, i.indnkeyatts HAVING count(*) = i.indnkeyatts
        UNION
        SELECT 1, f.confrelid::regclass, 'ON ' || string_agg(
            format('%s.%I = %s.%I', subject, o.attname, f.confrelid::regclass, a.attname), ' AND ' ORDER BY k.n)
        FROM pg_constraint f CROSS JOIN unnest(f.conkey, f.confkey) WITH ORDINALITY AS k(own, other, n)
            JOIN pg_attribute o ON o.attrelid = subject AND o.attnum = k.own
            JOIN pg_attribute a ON a.attnum = k.other
        WHERE f.conrelid = subject AND f.contype = 'f' AND a.attrelid = f.confrelid
            AND has_table_privilege(f.confrelid, 'SELECT') AND NOT EXISTS (SELECT FROM dp.units u WHERE u.relation = f.confrelid)
        GROUP BY f.oid, f.confrelid HAVING bool_or(o.attname <> a.attname)
        UNION
        SELECT 2, u.relation, format('ON %s.%I = %s.%I', subject, unit.privacy_unit, u.relation, u.privacy_unit)
        FROM dp.units u WHERE u.relation <> subject AND unit.privacy_unit IS NOT NULL AND u.privacy_unit IS NOT NULL
        UNION -- along a step of the path to the unit, on either side
        SELECT 2, CASE WHEN f.conrelid = subject THEN f.confrelid ELSE f.conrelid END::regclass, 'ON ' || string_agg(
            format('%s.%I = %s.%I', f.conrelid::regclass, o.attname, f.confrelid::regclass, a.attname), ' AND ' ORDER BY k.n)
        FROM pg_constraint f CROSS JOIN unnest(f.conkey, f.confkey) WITH ORDINALITY AS k(own, other, n)
            JOIN pg_attribute o ON o.attrelid = f.conrelid AND o.attnum = k.own
            JOIN pg_attribute a ON a.attrelid = f.confrelid AND a.attnum = k.other
        WHERE f.contype = 'f' AND subject IN (f.conrelid, f.confrelid) AND f.conrelid <> f.confrelid
            AND EXISTS (SELECT FROM dp.units u WHERE u.relation = f.conrelid AND u.privacy_unit LIKE '%.%')
            AND EXISTS (SELECT FROM dp.units u WHERE u.relation = f.confrelid)
        GROUP BY f.oid, f.conrelid, f.confrelid
        ORDER BY 1, 2, 3 LIMIT 50 LOOP
        CONTINUE WHEN NOT (SELECT admissible OR sqlstate = 'DP005' FROM dp.admissible(format(
            'SELECT @extschema@.dp_count(''*'', 1e-6) FROM %s JOIN %s %s', subject, one.partner, one.condition)));
        value := format('JOIN %s %s', one.partner, one.condition)
            || CASE WHEN one.kind = 2 THEN ': protected too, both are charged' ELSE '' END;
        RETURN NEXT;
    END LOOP;

    item := 'for example';
    price := least(0.5, budget.epsilon_left, budget.query_epsilon_limit);
    value := CASE
        WHEN price <= 0 THEN 'nothing is left: a curator may give more by dp.grant_budget'
        WHEN by_group IS NULL THEN format('SELECT dp_count(''*'', %s) FROM %s;', trim_scale(price), subject)
        ELSE format('SELECT %1$s, dp_count(''*'', %2$s) FROM %3$s GROUP BY %1$s;', by_group, trim_scale(price), subject) END;
    RETURN NEXT;
END
$$;
CREATE OR REPLACE FUNCTION dp.expected_errors(query text) RETURNS TABLE (answer text, expected_error text)
    LANGUAGE c VOLATILE PARALLEL UNSAFE ROWS 2 AS 'MODULE_PATHNAME', 'dp_expected_errors';
CREATE OR REPLACE FUNCTION dp.private_form(query text) RETURNS text
    LANGUAGE c STABLE PARALLEL UNSAFE STRICT AS 'MODULE_PATHNAME', 'dp_private_form';
CREATE OR REPLACE FUNCTION dp.expose(relation regclass, in_schema name DEFAULT 'bi') RETURNS regclass
    LANGUAGE plpgsql VOLATILE STRICT SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    exposed text := format('%I.%I', in_schema, (SELECT relname FROM pg_class WHERE oid = relation));
    unit record;
    line record;
BEGIN
    SELECT u.privacy_unit, coalesce('at most ' || u.max_rows_per_unit || ' rows of one count in an answer',
               'at most ' || u.max_rows_per_group || ' rows in each of ' || u.max_groups_per_unit || ' groups of one count in an answer',
               CASE WHEN u.is_unique THEN 'it has one row' ELSE 'as many of its rows as are chosen privately' END) AS most
        INTO unit FROM dp.units u WHERE u.relation = expose.relation;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'table % is not protected', relation USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = format('SELECT dp.protect(%L, 10);', relation::text);
    END IF;
    EXECUTE format('CREATE SCHEMA IF NOT EXISTS %I', in_schema);
    EXECUTE format('CREATE OR REPLACE VIEW %s WITH (security_invoker = true) AS SELECT * FROM %s', exposed, relation);
    EXECUTE format('COMMENT ON VIEW %s IS %L', exposed, 'protected: aggregates alone, charged to your budget; '
        || CASE WHEN unit.privacy_unit IS NULL THEN 'an answer hides each row'
                ELSE 'an answer hides each ' || unit.privacy_unit || ', ' || unit.most END);
    FOR line IN
        SELECT a.attname, concat_ws('; ', 'from ' || r.lower || ' to ' || r.upper, 'one of ' || left(array_to_string(d.domain_values, ', '), 1000)) AS says
        FROM pg_attribute a
        LEFT JOIN dp.declared_range r ON r.relation = a.attrelid AND r.column_name = a.attname
        LEFT JOIN dp.public_domain d ON d.relation = a.attrelid AND d.expression = quote_ident(a.attname)
        WHERE a.attrelid = expose.relation AND a.attnum > 0 AND NOT a.attisdropped
    LOOP
        EXECUTE format('COMMENT ON COLUMN %s.%I IS %L', exposed, line.attname, nullif(line.says, ''));
    END LOOP;
    FOR line IN SELECT b.role FROM dp.budgets b WHERE b.relation = expose.relation AND b.role IS NOT NULL LOOP
        EXECUTE format('GRANT USAGE ON SCHEMA %I TO %s', in_schema, line.role);
        EXECUTE format('GRANT SELECT ON %s TO %s', exposed, line.role);
    END LOOP;
    RETURN exposed::regclass;
END
$$;
CREATE OR REPLACE FUNCTION dp_internal.all_differ(VARIADIC columns "any") RETURNS boolean
    LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_all_differ';
CREATE OR REPLACE FUNCTION dp_internal.plain_list(list anyarray) RETURNS anyarray
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_plain_list';
CREATE OR REPLACE FUNCTION dp_internal.element(list anyarray, number integer) RETURNS anyelement
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_element';
CREATE OR REPLACE FUNCTION dp_internal.zero_offset("offset" bigint) RETURNS bigint
    LANGUAGE c STABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_zero_offset';
CREATE OR REPLACE FUNCTION dp_internal.is_plain_pattern(pattern text) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_is_plain_pattern';
CREATE OR REPLACE FUNCTION dp.unit_query(relation regclass, privacy_unit text DEFAULT NULL) RETURNS text
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_unit_query';
CREATE OR REPLACE FUNCTION dp.unit_coverage(relation regclass, epsilon float8 DEFAULT 1, privacy_unit text DEFAULT NULL)
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

-- What has other arguments now.
DROP FUNCTION dp.grant_budget(regclass,regrole,double precision,double precision,double precision,boolean);
DROP FUNCTION dp.protect(regclass,double precision,double precision,double precision,double precision,double precision,name,integer,integer,integer);
DROP FUNCTION dp.public_values(regclass,text,anycompatiblearray);
DROP FUNCTION dp.unit_rows(bigint,bigint,bigint,numeric,numeric);
DROP FUNCTION @extschema@.dp_collusion_error(@extschema@.dp_mechanism,double precision,integer,double precision,boolean);
DROP FUNCTION @extschema@.dp_describe(@extschema@.dp_mechanism,double precision,double precision,boolean);
DROP FUNCTION @extschema@.dp_epsilon_for(@extschema@.dp_mechanism,double precision,double precision,double precision,boolean);
DROP FUNCTION @extschema@.dp_incomplete_add(internal,"any","any");
DROP FUNCTION @extschema@.dp_interval(double precision,@extschema@.dp_mechanism,double precision,double precision,double precision,boolean);
DROP FUNCTION @extschema@.dp_interval(numeric,@extschema@.dp_mechanism,double precision,double precision,double precision,boolean);
DROP FUNCTION @extschema@.dp_tradeoff(@extschema@.dp_mechanism,double precision,double precision,integer,double precision,double precision,boolean);
DROP FUNCTION @extschema@.dp_usefulness(@extschema@.dp_mechanism,double precision,double precision,double precision,boolean);

-- Comments and rights, as in a fresh installation.
GRANT USAGE ON SCHEMA dp TO PUBLIC;
COMMENT ON SCHEMA dp IS 'pg_dp: functions and views of curators, and the catalog of budgets';
COMMENT ON SCHEMA dp_internal IS 'pg_dp: functions that its aggregates, types and private queries call; nobody calls them by name';
COMMENT ON TYPE dp_mechanism IS
    'noise of a private answer: auto, geometric, laplace, staircase, gaussian(delta=1e-6), ...';
GRANT SELECT ON dp.public_domain TO PUBLIC;
DO $$
DECLARE
    there CONSTANT text := 'WHERE relation IN (SELECT oid FROM pg_catalog.pg_class) AND role IN (SELECT oid FROM pg_catalog.pg_roles) '
        'AND NOT EXISTS (SELECT FROM pg_catalog.unnest(partners || blocks) p WHERE p NOT IN (SELECT oid FROM pg_catalog.pg_class))';
    kept CONSTANT text := 'WHERE release_id IN (SELECT release_id FROM dp.release_part ' || there || ')';
BEGIN
    PERFORM pg_catalog.pg_extension_config_dump('dp.release_part', there);
    PERFORM pg_catalog.pg_extension_config_dump('dp.release_aggregate', kept);
    PERFORM pg_catalog.pg_extension_config_dump('dp.release_keys', kept);
    PERFORM pg_catalog.pg_extension_config_dump('dp.release_level', kept);
    PERFORM pg_catalog.pg_extension_config_dump('dp.release_path', kept);
    PERFORM pg_catalog.pg_extension_config_dump('dp.release_holding',
        kept || ' AND role IN (SELECT oid FROM pg_catalog.pg_roles)');
END
$$;
GRANT SELECT ON dp.answer_policy TO PUBLIC;
COMMENT ON AGGREGATE dp_count(*) IS 'private number of rows, at the epsilon of the setting dp.epsilon';
COMMENT ON AGGREGATE dp_count("any") IS
    'private number of values that are not NULL; ''*'' or any other constant counts rows, at the epsilon of the '
    'setting dp.epsilon';
COMMENT ON AGGREGATE dp_count("any", float8) IS
    'private number of values that are not NULL; ''*'' or any other constant counts rows';
COMMENT ON AGGREGATE dp_count("any", float8, dp_mechanism) IS
    'private number of values that are not NULL; ''*'' or any other constant counts rows';
COMMENT ON AGGREGATE dp_sum(int2, float8, float8, float8) IS
    'private sum of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';
COMMENT ON AGGREGATE dp_sum(int2, float8, float8, float8, dp_mechanism) IS
    'private sum of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';
COMMENT ON AGGREGATE dp_sum(int4, float8, float8, float8) IS
    'private sum of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';
COMMENT ON AGGREGATE dp_sum(int4, float8, float8, float8, dp_mechanism) IS
    'private sum of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';
COMMENT ON AGGREGATE dp_sum(int8, float8, float8, float8) IS
    'private sum of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';
COMMENT ON AGGREGATE dp_sum(int8, float8, float8, float8, dp_mechanism) IS
    'private sum of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';
COMMENT ON AGGREGATE dp_sum(float8, float8, float8, float8) IS
    'private sum of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';
COMMENT ON AGGREGATE dp_sum(float8, float8, float8, float8, dp_mechanism) IS
    'private sum of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';
COMMENT ON AGGREGATE dp_sum(numeric, float8, float8, float8) IS
    'private sum of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';
COMMENT ON AGGREGATE dp_sum(numeric, float8, float8, float8, dp_mechanism) IS
    'private sum of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';
COMMENT ON AGGREGATE dp_avg(int2, float8, float8, float8) IS
    'private average of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';
COMMENT ON AGGREGATE dp_avg(int2, float8, float8, float8, dp_mechanism) IS
    'private average of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';
COMMENT ON AGGREGATE dp_avg(int4, float8, float8, float8) IS
    'private average of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';
COMMENT ON AGGREGATE dp_avg(int4, float8, float8, float8, dp_mechanism) IS
    'private average of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';
COMMENT ON AGGREGATE dp_avg(int8, float8, float8, float8) IS
    'private average of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';
COMMENT ON AGGREGATE dp_avg(int8, float8, float8, float8, dp_mechanism) IS
    'private average of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';
COMMENT ON AGGREGATE dp_avg(float8, float8, float8, float8) IS
    'private average of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';
COMMENT ON AGGREGATE dp_avg(float8, float8, float8, float8, dp_mechanism) IS
    'private average of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';
COMMENT ON AGGREGATE dp_avg(numeric, float8, float8, float8) IS
    'private average of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';
COMMENT ON AGGREGATE dp_avg(numeric, float8, float8, float8, dp_mechanism) IS
    'private average of values, each clamped to lower .. upper; NULL does not count, NaN counts as upper';
COMMENT ON AGGREGATE dp_histogram(float8, float8, float8, integer, float8) IS
    'private counts of buckets of equal width between lower and upper, the last one closed on the right; for the price '
    'of one count';
COMMENT ON AGGREGATE dp_histogram(float8, float8, float8, integer, float8, dp_mechanism) IS
    'private counts of buckets of equal width between lower and upper, the last one closed on the right; for the price '
    'of one count';
COMMENT ON AGGREGATE dp_histogram(anycompatible, anycompatiblearray, float8) IS
    'private counts of the listed categories, in their order; for the price of one count';
COMMENT ON AGGREGATE dp_histogram(anycompatible, anycompatiblearray, float8, dp_mechanism) IS
    'private counts of the listed categories, in their order; for the price of one count';
COMMENT ON AGGREGATE dp_bounds(int2, float8) IS
    'private bounds of values: {lower, upper}, powers of two or 0 between which nearly all of them lie, for dp_sum and '
    'the like where nobody knows bounds';
COMMENT ON AGGREGATE dp_bounds(int2, float8, dp_mechanism) IS
    'private bounds of values: {lower, upper}, powers of two or 0 between which nearly all of them lie, for dp_sum and '
    'the like where nobody knows bounds';
COMMENT ON AGGREGATE dp_bounds(int4, float8) IS
    'private bounds of values: {lower, upper}, powers of two or 0 between which nearly all of them lie, for dp_sum and '
    'the like where nobody knows bounds';
COMMENT ON AGGREGATE dp_bounds(int4, float8, dp_mechanism) IS
    'private bounds of values: {lower, upper}, powers of two or 0 between which nearly all of them lie, for dp_sum and '
    'the like where nobody knows bounds';
COMMENT ON AGGREGATE dp_bounds(int8, float8) IS
    'private bounds of values: {lower, upper}, powers of two or 0 between which nearly all of them lie, for dp_sum and '
    'the like where nobody knows bounds';
COMMENT ON AGGREGATE dp_bounds(int8, float8, dp_mechanism) IS
    'private bounds of values: {lower, upper}, powers of two or 0 between which nearly all of them lie, for dp_sum and '
    'the like where nobody knows bounds';
COMMENT ON AGGREGATE dp_bounds(float8, float8) IS
    'private bounds of values: {lower, upper}, powers of two or 0 between which nearly all of them lie, for dp_sum and '
    'the like where nobody knows bounds';
COMMENT ON AGGREGATE dp_bounds(float8, float8, dp_mechanism) IS
    'private bounds of values: {lower, upper}, powers of two or 0 between which nearly all of them lie, for dp_sum and '
    'the like where nobody knows bounds';
COMMENT ON AGGREGATE dp_bounds(numeric, float8) IS
    'private bounds of values: {lower, upper}, powers of two or 0 between which nearly all of them lie, for dp_sum and '
    'the like where nobody knows bounds';
COMMENT ON AGGREGATE dp_bounds(numeric, float8, dp_mechanism) IS
    'private bounds of values: {lower, upper}, powers of two or 0 between which nearly all of them lie, for dp_sum and '
    'the like where nobody knows bounds';
COMMENT ON AGGREGATE dp_variance(int2, float8, float8, float8) IS
    'private sample variance of values, each clamped to lower .. upper; NULL does not count';
COMMENT ON AGGREGATE dp_variance(int2, float8, float8, float8, dp_mechanism) IS
    'private sample variance of values, each clamped to lower .. upper; NULL does not count';
COMMENT ON AGGREGATE dp_variance(int4, float8, float8, float8) IS
    'private sample variance of values, each clamped to lower .. upper; NULL does not count';
COMMENT ON AGGREGATE dp_variance(int4, float8, float8, float8, dp_mechanism) IS
    'private sample variance of values, each clamped to lower .. upper; NULL does not count';
COMMENT ON AGGREGATE dp_variance(int8, float8, float8, float8) IS
    'private sample variance of values, each clamped to lower .. upper; NULL does not count';
COMMENT ON AGGREGATE dp_variance(int8, float8, float8, float8, dp_mechanism) IS
    'private sample variance of values, each clamped to lower .. upper; NULL does not count';
COMMENT ON AGGREGATE dp_variance(float8, float8, float8, float8) IS
    'private sample variance of values, each clamped to lower .. upper; NULL does not count';
COMMENT ON AGGREGATE dp_variance(float8, float8, float8, float8, dp_mechanism) IS
    'private sample variance of values, each clamped to lower .. upper; NULL does not count';
COMMENT ON AGGREGATE dp_variance(numeric, float8, float8, float8) IS
    'private sample variance of values, each clamped to lower .. upper; NULL does not count';
COMMENT ON AGGREGATE dp_variance(numeric, float8, float8, float8, dp_mechanism) IS
    'private sample variance of values, each clamped to lower .. upper; NULL does not count';
COMMENT ON AGGREGATE dp_stddev(int2, float8, float8, float8) IS
    'private sample standard deviation of values, each clamped to lower .. upper; NULL does not count';
COMMENT ON AGGREGATE dp_stddev(int2, float8, float8, float8, dp_mechanism) IS
    'private sample standard deviation of values, each clamped to lower .. upper; NULL does not count';
COMMENT ON AGGREGATE dp_stddev(int4, float8, float8, float8) IS
    'private sample standard deviation of values, each clamped to lower .. upper; NULL does not count';
COMMENT ON AGGREGATE dp_stddev(int4, float8, float8, float8, dp_mechanism) IS
    'private sample standard deviation of values, each clamped to lower .. upper; NULL does not count';
COMMENT ON AGGREGATE dp_stddev(int8, float8, float8, float8) IS
    'private sample standard deviation of values, each clamped to lower .. upper; NULL does not count';
COMMENT ON AGGREGATE dp_stddev(int8, float8, float8, float8, dp_mechanism) IS
    'private sample standard deviation of values, each clamped to lower .. upper; NULL does not count';
COMMENT ON AGGREGATE dp_stddev(float8, float8, float8, float8) IS
    'private sample standard deviation of values, each clamped to lower .. upper; NULL does not count';
COMMENT ON AGGREGATE dp_stddev(float8, float8, float8, float8, dp_mechanism) IS
    'private sample standard deviation of values, each clamped to lower .. upper; NULL does not count';
COMMENT ON AGGREGATE dp_stddev(numeric, float8, float8, float8) IS
    'private sample standard deviation of values, each clamped to lower .. upper; NULL does not count';
COMMENT ON AGGREGATE dp_stddev(numeric, float8, float8, float8, dp_mechanism) IS
    'private sample standard deviation of values, each clamped to lower .. upper; NULL does not count';
COMMENT ON AGGREGATE dp_var_pop(float8, float8, float8, float8) IS
    'private population variance of values, each clamped to lower .. upper; NULL does not count';
COMMENT ON AGGREGATE dp_var_pop(float8, float8, float8, float8, dp_mechanism) IS
    'private population variance of values, each clamped to lower .. upper; NULL does not count';
COMMENT ON AGGREGATE dp_stddev_pop(float8, float8, float8, float8) IS
    'private population standard deviation of values, each clamped to lower .. upper; NULL does not count';
COMMENT ON AGGREGATE dp_stddev_pop(float8, float8, float8, float8, dp_mechanism) IS
    'private population standard deviation of values, each clamped to lower .. upper; NULL does not count';
COMMENT ON AGGREGATE dp_mode(anycompatible, anycompatiblearray, float8) IS 'private most frequent one of the listed categories';
COMMENT ON AGGREGATE dp_mode(anycompatible, anycompatiblearray, float8, dp_mechanism) IS
    'private most frequent one of the listed categories';
COMMENT ON AGGREGATE dp_quantile(int2, float8, float8, float8, float8) IS
    'private quantile of values, each clamped to lower .. upper: a point of a grid between them; fraction 0.9: the '
    'value that 9 of 10 do not exceed';
COMMENT ON AGGREGATE dp_quantile(int2, float8, float8, float8, float8, dp_mechanism) IS
    'private quantile of values, each clamped to lower .. upper: a point of a grid between them; fraction 0.9: the '
    'value that 9 of 10 do not exceed';
COMMENT ON AGGREGATE dp_quantile(int4, float8, float8, float8, float8) IS
    'private quantile of values, each clamped to lower .. upper: a point of a grid between them; fraction 0.9: the '
    'value that 9 of 10 do not exceed';
COMMENT ON AGGREGATE dp_quantile(int4, float8, float8, float8, float8, dp_mechanism) IS
    'private quantile of values, each clamped to lower .. upper: a point of a grid between them; fraction 0.9: the '
    'value that 9 of 10 do not exceed';
COMMENT ON AGGREGATE dp_quantile(int8, float8, float8, float8, float8) IS
    'private quantile of values, each clamped to lower .. upper: a point of a grid between them; fraction 0.9: the '
    'value that 9 of 10 do not exceed';
COMMENT ON AGGREGATE dp_quantile(int8, float8, float8, float8, float8, dp_mechanism) IS
    'private quantile of values, each clamped to lower .. upper: a point of a grid between them; fraction 0.9: the '
    'value that 9 of 10 do not exceed';
COMMENT ON AGGREGATE dp_quantile(float8, float8, float8, float8, float8) IS
    'private quantile of values, each clamped to lower .. upper: a point of a grid between them; fraction 0.9: the '
    'value that 9 of 10 do not exceed';
COMMENT ON AGGREGATE dp_quantile(float8, float8, float8, float8, float8, dp_mechanism) IS
    'private quantile of values, each clamped to lower .. upper: a point of a grid between them; fraction 0.9: the '
    'value that 9 of 10 do not exceed';
COMMENT ON AGGREGATE dp_quantile(numeric, float8, float8, float8, float8) IS
    'private quantile of values, each clamped to lower .. upper: a point of a grid between them; fraction 0.9: the '
    'value that 9 of 10 do not exceed';
COMMENT ON AGGREGATE dp_quantile(numeric, float8, float8, float8, float8, dp_mechanism) IS
    'private quantile of values, each clamped to lower .. upper: a point of a grid between them; fraction 0.9: the '
    'value that 9 of 10 do not exceed';
COMMENT ON AGGREGATE dp_median(int2, float8, float8, float8) IS
    'private median of values, each clamped to lower .. upper: a point of a grid between them';
COMMENT ON AGGREGATE dp_median(int2, float8, float8, float8, dp_mechanism) IS
    'private median of values, each clamped to lower .. upper: a point of a grid between them';
COMMENT ON AGGREGATE dp_median(int4, float8, float8, float8) IS
    'private median of values, each clamped to lower .. upper: a point of a grid between them';
COMMENT ON AGGREGATE dp_median(int4, float8, float8, float8, dp_mechanism) IS
    'private median of values, each clamped to lower .. upper: a point of a grid between them';
COMMENT ON AGGREGATE dp_median(int8, float8, float8, float8) IS
    'private median of values, each clamped to lower .. upper: a point of a grid between them';
COMMENT ON AGGREGATE dp_median(int8, float8, float8, float8, dp_mechanism) IS
    'private median of values, each clamped to lower .. upper: a point of a grid between them';
COMMENT ON AGGREGATE dp_median(float8, float8, float8, float8) IS
    'private median of values, each clamped to lower .. upper: a point of a grid between them';
COMMENT ON AGGREGATE dp_median(float8, float8, float8, float8, dp_mechanism) IS
    'private median of values, each clamped to lower .. upper: a point of a grid between them';
COMMENT ON AGGREGATE dp_median(numeric, float8, float8, float8) IS
    'private median of values, each clamped to lower .. upper: a point of a grid between them';
COMMENT ON AGGREGATE dp_median(numeric, float8, float8, float8, dp_mechanism) IS
    'private median of values, each clamped to lower .. upper: a point of a grid between them';
COMMENT ON FUNCTION dp_randomized_response(anycompatible, anycompatiblearray, float8) IS
    'the value, or at random another category: local differential privacy';
COMMENT ON TYPE dp_rr_estimate IS 'how many true answers a category has: unbiased estimate with its standard error';
COMMENT ON AGGREGATE dp_rr_histogram(anycompatible, anycompatiblearray, float8) IS
    'estimated numbers of true answers from responses of dp_randomized_response with the same categories and epsilon; '
    'it adds no noise of its own';
COMMENT ON FUNCTION dp_internal.unit_key() IS 'a fresh random key for dp_internal.unit_hash';
COMMENT ON FUNCTION dp_internal.unit_hash(bigint, "any") IS
    'a keyed hash of values as they are stored: of a privacy unit with too many rows or groups those of the least hash count';
COMMENT ON FUNCTION dp_internal.unit_rows(bigint, bigint, bigint, bigint, bigint) IS
    'how many rows of a privacy unit with too many of them count in one of its groups, at random by the key: in all groups together most';
COMMENT ON AGGREGATE dp_internal.unit_sum(bigint) IS 'how many rows a privacy unit has in several groups';
COMMENT ON AGGREGATE dp_internal.unit_part("any") IS
    'the rows of one privacy unit in one group, for an aggregate of private queries';
COMMENT ON AGGREGATE dp_internal.unit_bigint("any") IS 'the private answer from parts of privacy units';
COMMENT ON AGGREGATE dp_internal.unit_numeric("any") IS 'the private answer from parts of privacy units';
COMMENT ON AGGREGATE dp_internal.unit_float8("any") IS 'the private answer from parts of privacy units';
COMMENT ON AGGREGATE dp_internal.unit_bigints("any") IS 'the private answer from parts of privacy units';
COMMENT ON AGGREGATE dp_internal.unit_float8s("any") IS 'the private answer from parts of privacy units';
COMMENT ON AGGREGATE dp_internal.units_bigints("any") IS 'the private answer from rows of privacy units';
COMMENT ON AGGREGATE dp_internal.units_float8s("any") IS 'the private answer from rows of privacy units';
COMMENT ON AGGREGATE dp_internal.units_bigint("any") IS 'the private answer from rows of privacy units';
COMMENT ON AGGREGATE dp_internal.units_numeric("any") IS 'the private answer from rows of privacy units';
COMMENT ON AGGREGATE dp_internal.units_float8("any") IS 'the private answer from rows of privacy units';
COMMENT ON AGGREGATE dp_internal.units_row(anyelement, "any") IS 'finds the privacy unit and the group of a row, for the aggregates beside it';
COMMENT ON AGGREGATE dp_internal.groups_bigint("any") IS 'the private answers of known groups from rows of privacy units';
COMMENT ON AGGREGATE dp_internal.groups_numeric("any") IS 'the private answers of known groups from rows of privacy units';
COMMENT ON AGGREGATE dp_internal.groups_float8("any") IS 'the private answers of known groups from rows of privacy units';
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['dp_sum', 'dp_avg', 'dp_variance', 'dp_stddev', 'dp_var_pop', 'dp_stddev_pop', 'dp_median', 'dp_quantile'] LOOP
        EXECUTE format('CREATE OR REPLACE AGGREGATE %I(VARIADIC "any") (SFUNC = dp_internal.dp_incomplete_add, STYPE = internal, '
            'FINALFUNC = dp_internal.dp_incomplete_answer, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED)', name);
        EXECUTE format('COMMENT ON AGGREGATE %I("any") IS ''says which parameters are missing''', name);
    END LOOP;
    FOREACH name IN ARRAY ARRAY['dp_mode', 'dp_histogram'] LOOP
        EXECUTE format('CREATE OR REPLACE AGGREGATE %I("any", float8) (SFUNC = dp_internal.dp_incomplete_add, STYPE = internal, '
            'FINALFUNC = dp_internal.dp_incomplete_answer, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED)', name);
        EXECUTE format('COMMENT ON AGGREGATE %I("any", float8) IS ''says which parameters are missing''', name);
    END LOOP;
END
$$;
DO $$
DECLARE
    type text;
    ending text;
BEGIN
    FOREACH type IN ARRAY ARRAY['int2', 'int4', 'int8', 'float8', 'numeric'] LOOP
        ending := CASE WHEN type IN ('int2', 'int4') THEN '_bigint' WHEN type = 'float8' THEN '' ELSE '_numeric' END;
        EXECUTE format('CREATE OR REPLACE AGGREGATE dp_sum(value %s) (SFUNC = dp_internal.dp_incomplete_add, STYPE = internal, '
            'FINALFUNC = dp_internal.dp_incomplete_answer%s, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED)', type, ending);
        EXECUTE format('COMMENT ON AGGREGATE dp_sum(%s) IS ''private sum (value), bounds as declared, epsilon from the settings''', type);
        EXECUTE format('CREATE OR REPLACE AGGREGATE dp_sum(value %s, lower float8, upper float8) (SFUNC = dp_internal.dp_incomplete_add, STYPE = internal, '
            'FINALFUNC = dp_internal.dp_incomplete_answer%s, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED)', type, ending);
        EXECUTE format('COMMENT ON AGGREGATE dp_sum(%s, float8, float8) IS ''private sum (value, lower, upper), epsilon from the settings''', type);
    END LOOP;
END
$$;
COMMENT ON AGGREGATE dp_bounds("any") IS 'private bounds of values (value), epsilon from the settings';
COMMENT ON AGGREGATE dp_mode(anycompatible, anycompatiblearray) IS
    'private most frequent one of the listed categories, epsilon from the settings';
COMMENT ON AGGREGATE dp_histogram(anycompatible, anycompatiblearray) IS
    'private counts of the listed categories, in their order; epsilon from the settings';
COMMENT ON AGGREGATE dp_histogram(float8, float8, float8, integer) IS
    'private counts of buckets of equal width between lower and upper, the last one closed on the right; epsilon from the settings';
COMMENT ON FUNCTION dp_describe(dp_mechanism, float8, float8, boolean, boolean) IS
    'error of one number with noise of that mechanism; whole => true for counts and sums of integers';
COMMENT ON FUNCTION dp_usefulness(dp_mechanism, float8, float8, float8, boolean, boolean) IS
    'probability that the noise of one number is at most gamma; whole => true for counts and sums of integers';
COMMENT ON FUNCTION dp_epsilon_for(dp_mechanism, float8, float8, float8, boolean, boolean) IS
    'smallest epsilon, a multiple of 1e-9, for which the noise of one number is at most error with that confidence';
COMMENT ON FUNCTION dp_interval(bigint, dp_mechanism, float8, float8, float8) IS
    'interval around a count or a sum of integers that holds the exact answer with that confidence';
COMMENT ON FUNCTION dp_interval(integer, dp_mechanism, float8, float8, float8) IS
    'interval around a count or a sum of integers that holds the exact answer with that confidence';
COMMENT ON FUNCTION dp_interval(numeric, dp_mechanism, float8, float8, float8, boolean, boolean) IS
    'interval around a sum that holds the exact answer with that confidence; whole => true for a sum of bigint values';
COMMENT ON FUNCTION dp_interval(float8, dp_mechanism, float8, float8, float8, boolean, boolean) IS
    'interval around a sum that holds the exact answer with that confidence';
COMMENT ON FUNCTION dp_collusion_error(dp_mechanism, float8, integer, float8, boolean, boolean) IS
    'expected absolute error of the lower median of k independent answers to the same question';
COMMENT ON FUNCTION dp_tradeoff(dp_mechanism, float8, float8, integer, float8, float8, boolean, boolean) IS
    'E|noise|, entropy of the noise and its |characteristic function| at t, for evenly spaced epsilons; one_minus_ne is NULL';
COMMENT ON FUNCTION dp_tradeoff_exponential(float8[], float8, float8, integer, float8) IS
    'utility missed by the exponential mechanism, entropy of its choice and 1 - normalised entropy; phi is NULL';
COMMENT ON FUNCTION dp_tradeoff_response(float8[], float8, float8, integer) IS
    'randomised response on categories of these shares: probability of a wrong report, entropy of a report, 1 - normalised entropy; phi is NULL';
COMMENT ON FUNCTION dp_remap(bigint, float8, float8[], text) IS
    'best reading of a geometric count where prior[i+1] is the probability of count i; loss: abs, sq or bin';
COMMENT ON FUNCTION dp_remap_loss(float8, float8[], text) IS
    'expected loss of dp_remap, the least of any mechanism with that epsilon for that prior';
COMMENT ON FUNCTION dp_remap_minimax(bigint, float8, integer, text) IS
    'reading of a geometric count, drawn so that the worst count in 0..n loses least; loss: abs, sq or bin';
COMMENT ON FUNCTION dp_remap_minimax_loss(float8, integer, text) IS
    'expected loss of dp_remap_minimax for the worst count, the least of any mechanism with that epsilon';
COMMENT ON FUNCTION dp_remap_minimax_table(float8, integer, text) IS
    'probabilities with which dp_remap_minimax reads each answer in 0..n';
COMMENT ON FUNCTION dp_privacy_loss(dp_mechanism, float8, float8) IS
    'worst-case privacy loss of one whole number that a row changes by up to sensitivity (with a delta: the smallest epsilon at that delta)';
COMMENT ON FUNCTION dp_privacy_loss(dp_mechanism, float8, float8[]) IS
    'the same for several whole numbers that a row changes at once, each by up to the given amount';
COMMENT ON FUNCTION dp_add(int2, int2) IS 'sum; NULL where it is out of range';
COMMENT ON FUNCTION dp_add(int4, int4) IS 'sum; NULL where it is out of range';
COMMENT ON FUNCTION dp_add(int8, int8) IS 'sum; NULL where it is out of range';
COMMENT ON FUNCTION dp_add(float8, float8) IS 'sum; NULL where it is out of range';
COMMENT ON FUNCTION dp_add(numeric, numeric) IS 'sum; NULL where it is out of range';
COMMENT ON FUNCTION dp_sub(int2, int2) IS 'difference; NULL where it is out of range';
COMMENT ON FUNCTION dp_sub(int4, int4) IS 'difference; NULL where it is out of range';
COMMENT ON FUNCTION dp_sub(int8, int8) IS 'difference; NULL where it is out of range';
COMMENT ON FUNCTION dp_sub(float8, float8) IS 'difference; NULL where it is out of range';
COMMENT ON FUNCTION dp_sub(numeric, numeric) IS 'difference; NULL where it is out of range';
COMMENT ON FUNCTION dp_mul(int2, int2) IS 'product; NULL where it is out of range';
COMMENT ON FUNCTION dp_mul(int4, int4) IS 'product; NULL where it is out of range';
COMMENT ON FUNCTION dp_mul(int8, int8) IS 'product; NULL where it is out of range';
COMMENT ON FUNCTION dp_mul(float8, float8) IS 'product; NULL where it is out of range';
COMMENT ON FUNCTION dp_mul(numeric, numeric) IS 'product; NULL where it is out of range';
COMMENT ON FUNCTION dp_div(int2, int2) IS 'quotient; NULL where it is out of range or y is zero';
COMMENT ON FUNCTION dp_div(int4, int4) IS 'quotient; NULL where it is out of range or y is zero';
COMMENT ON FUNCTION dp_div(int8, int8) IS 'quotient; NULL where it is out of range or y is zero';
COMMENT ON FUNCTION dp_div(float8, float8) IS 'quotient; NULL where it is out of range or y is zero';
COMMENT ON FUNCTION dp_div(numeric, numeric) IS 'quotient; NULL where it is out of range or y is zero';
COMMENT ON FUNCTION dp_mod(int2, int2) IS 'remainder; NULL where it is out of range or y is zero';
COMMENT ON FUNCTION dp_mod(int4, int4) IS 'remainder; NULL where it is out of range or y is zero';
COMMENT ON FUNCTION dp_mod(int8, int8) IS 'remainder; NULL where it is out of range or y is zero';
COMMENT ON FUNCTION dp_mod(numeric, numeric) IS 'remainder; NULL where it is out of range or y is zero';
COMMENT ON FUNCTION dp_add(date, int4) IS 'that many days later; NULL where it is out of range';
COMMENT ON FUNCTION dp_sub(date, int4) IS 'that many days earlier; NULL where it is out of range';
COMMENT ON FUNCTION dp_sub(date, date) IS 'days from y to x; NULL where one is infinite';
COMMENT ON FUNCTION dp_add(date, interval) IS 'that much later; NULL where it is out of range';
COMMENT ON FUNCTION dp_sub(date, interval) IS 'that much earlier; NULL where it is out of range';
COMMENT ON FUNCTION dp_add(timestamp, interval) IS 'that much later; NULL where it is out of range';
COMMENT ON FUNCTION dp_sub(timestamp, interval) IS 'that much earlier; NULL where it is out of range';
COMMENT ON FUNCTION dp_add(timestamptz, interval) IS 'that much later; NULL where it is out of range';
COMMENT ON FUNCTION dp_sub(timestamptz, interval) IS 'that much earlier; NULL where it is out of range';
COMMENT ON FUNCTION dp_sub(timestamp, timestamp) IS 'time from y to x; NULL where one is infinite or it is out of range';
COMMENT ON FUNCTION dp_sub(timestamptz, timestamptz) IS 'time from y to x; NULL where one is infinite or it is out of range';
COMMENT ON FUNCTION dp_try_int(text) IS 'the integer that is written there; NULL where none is';
COMMENT ON FUNCTION dp_try_int(numeric) IS 'rounded to an integer; NULL where it is out of range';
COMMENT ON FUNCTION dp_try_int(float8) IS 'rounded to an integer; NULL where it is out of range';
COMMENT ON FUNCTION dp_try_int(int8) IS 'the integer itself';
COMMENT ON FUNCTION dp_try_float(text) IS 'the number that is written there; NULL where none is';
COMMENT ON FUNCTION dp_try_float(numeric) IS 'the nearest float8; NULL where it is out of range';
COMMENT ON FUNCTION dp_try_numeric(text) IS 'the number that is written there; NULL where none is';
COMMENT ON FUNCTION dp_try_date(text) IS 'the date that is written there; NULL where none is';
COMMENT ON FUNCTION dp_try_timestamp(text) IS 'the timestamp that is written there; NULL where none is';
COMMENT ON FUNCTION dp_try_timestamp(date) IS 'its midnight; NULL where it is out of range';
COMMENT ON FUNCTION dp_try_timestamptz(date) IS 'its midnight in the zone of the session; NULL where it is out of range';
COMMENT ON FUNCTION dp_try_timestamp(timestamptz) IS 'as clocks in the zone of the session show it; NULL where it is out of range';
COMMENT ON FUNCTION dp_bucket(int4, int4) IS
    'largest multiple of width not above x; NULL where out of range, and for a width <= 0';
COMMENT ON FUNCTION dp_bucket(int8, int8) IS
    'largest multiple of width not above x; NULL where out of range, and for a width <= 0';
COMMENT ON FUNCTION dp_bucket(float8, float8) IS
    'largest multiple of width not above x; NULL where out of range, and for a width <= 0';
COMMENT ON FUNCTION dp_bucket(numeric, numeric) IS
    'largest multiple of width not above x; NULL where out of range, and for a width <= 0';
COMMENT ON FUNCTION dp_round(numeric, int4) IS 'rounded to that many digits after the point; NULL where it is out of range';
COMMENT ON FUNCTION dp_trunc(text, timestamp) IS
    'start of its hour, day, week, month..., as by date_trunc; NULL where out of range';
COMMENT ON FUNCTION dp_trunc(text, timestamptz) IS
    'start of its hour, day, week, month..., as by date_trunc; NULL where out of range';
COMMENT ON FUNCTION dp_trunc(text, timestamptz, text) IS
    'start of its hour, day, week, month... in that zone; NULL where out of range';
COMMENT ON FUNCTION dp_trunc(text, date) IS 'start of its week, month..., as by date_trunc; NULL where out of range';
COMMENT ON FUNCTION dp_concat(text, text) IS 'both together; NULL where they are longer than 1 MB';
COMMENT ON FUNCTION dp_internal.capped(anyelement) IS 'the value; NULL where it is longer than 1 MB';
COMMENT ON FUNCTION dp_internal.jsonb_text(jsonb) IS 'as ->> gives it; NULL where it is longer than 1 MB';
COMMENT ON FUNCTION dp.total_functions() IS
    'functions that may be called on the rows of a protected table, because they fail for none; provided: for which arguments;
    settings: those that its result depends on';
COMMENT ON FUNCTION dp_internal.try_int4(int8) IS 'x as integer; NULL where it is out of range';
COMMENT ON FUNCTION dp_internal.try_int4(float8) IS 'x rounded to an integer; NULL where it is out of range';
COMMENT ON FUNCTION dp_internal.try_int4(numeric) IS 'x rounded to an integer; NULL where it is out of range';
COMMENT ON FUNCTION dp_internal.abs(int2) IS 'abs(x); NULL for the smallest number';
COMMENT ON FUNCTION dp_internal.abs(int4) IS 'abs(x); NULL for the smallest number';
COMMENT ON FUNCTION dp_internal.abs(int8) IS 'abs(x); NULL for the smallest number';
COMMENT ON FUNCTION dp_internal.floor(numeric) IS 'floor(x); NULL where it is out of range';
COMMENT ON FUNCTION dp_internal.ceil(numeric) IS 'ceil(x); NULL where it is out of range';
COMMENT ON FUNCTION dp_internal.to_numeric(numeric, int4) IS 'x::numeric(p, s); NULL where it has too many digits';
COMMENT ON FUNCTION dp_internal.at_zone(text, timestamptz) IS 'x AT TIME ZONE zone; NULL where it is out of range';
COMMENT ON FUNCTION dp_internal.at_zone(text, timestamp) IS 'x AT TIME ZONE zone; NULL where it is out of range';
COMMENT ON FUNCTION dp_internal.to_char(timestamp, text) IS 'to_char(x, pattern); NULL where it raises an error, and for patterns above 200 bytes';
COMMENT ON FUNCTION dp_internal.to_char(timestamptz, text) IS 'to_char(x, pattern); NULL where it raises an error, and for patterns above 200 bytes';
COMMENT ON FUNCTION dp_internal.date_bin(interval, timestamp, timestamp) IS 'date_bin(stride, x, origin); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.date_bin(interval, timestamptz, timestamptz) IS 'date_bin(stride, x, origin); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.try_int2(int4) IS 'x as smallint; NULL where it is out of range';
COMMENT ON FUNCTION dp_internal.try_int2(int8) IS 'x as smallint; NULL where it is out of range';
COMMENT ON FUNCTION dp_internal.try_int2(float4) IS 'x as smallint; NULL where it is out of range';
COMMENT ON FUNCTION dp_internal.try_int2(float8) IS 'x as smallint; NULL where it is out of range';
COMMENT ON FUNCTION dp_internal.try_int2(numeric) IS 'x as smallint; NULL where it is out of range';
COMMENT ON FUNCTION dp_internal.try_int4(float4) IS 'x rounded to an integer; NULL where it is out of range';
COMMENT ON FUNCTION dp_internal.try_int8(float4) IS 'x rounded to a bigint; NULL where it is out of range';
COMMENT ON FUNCTION dp_internal.try_float4(float8) IS 'x as real; NULL where it is out of range';
COMMENT ON FUNCTION dp_internal.try_float4(numeric) IS 'x as real; NULL where it is out of range';
COMMENT ON FUNCTION dp_internal.try_int2(text) IS 'the int2 that is written there; NULL where none is';
COMMENT ON FUNCTION dp_internal.try_int4(text) IS 'the int4 that is written there; NULL where none is';
COMMENT ON FUNCTION dp_internal.try_time(text) IS 'the time that is written there; NULL where none is';
COMMENT ON FUNCTION dp_internal.try_interval(text) IS 'the interval that is written there; NULL where none is';
COMMENT ON FUNCTION dp_internal.try_timestamptz(text) IS 'the timestamptz that is written there; NULL where none is';
COMMENT ON FUNCTION dp_internal.try_bool(text) IS 'the bool that is written there; NULL where none is';
COMMENT ON FUNCTION dp_internal.try_uuid(text) IS 'the uuid that is written there; NULL where none is';
COMMENT ON FUNCTION dp_internal.to_timestamptz(timestamp) IS 'x in the zone of the session; NULL where it is out of range';
COMMENT ON FUNCTION dp_internal.add(float4, float4) IS 'x + y; NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.sub(float4, float4) IS 'x - y; NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.mul(float4, float4) IS 'x * y; NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.div(float4, float4) IS 'x / y; NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.sqrt(float8) IS 'sqrt(x); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.sqrt(numeric) IS 'sqrt(x); NULL where it raises an error, beyond 1e300, and with more than 1000 digits';
COMMENT ON FUNCTION dp_internal.ln(float8) IS 'ln(x); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.ln(numeric) IS 'ln(x); NULL where it raises an error, beyond 1e300, and with more than 1000 digits';
COMMENT ON FUNCTION dp_internal.exp(float8) IS 'exp(x); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.exp(numeric) IS 'exp(x); NULL where it raises an error, beyond 1e300, and with more than 1000 digits';
COMMENT ON FUNCTION dp_internal.log(float8) IS 'log(x); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.log(numeric, numeric) IS 'log(base, x); NULL where it raises an error, beyond 1e300, and with more than 1000 digits';
COMMENT ON FUNCTION dp_internal.power(float8, float8) IS 'x ^ y; NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.power(numeric, numeric) IS 'x ^ y; NULL where it raises an error, and with more than 1000 digits';
COMMENT ON FUNCTION dp_internal.sin(float8) IS 'sin(x); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.cos(float8) IS 'cos(x); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.tan(float8) IS 'tan(x); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.cot(float8) IS 'cot(x); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.asin(float8) IS 'asin(x); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.acos(float8) IS 'acos(x); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.atan(float8) IS 'atan(x); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.degrees(float8) IS 'degrees(x); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.radians(float8) IS 'radians(x); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.atan2(float8, float8) IS 'atan2(y, x); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.div_trunc(numeric, numeric) IS 'div(x, y); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.gcd(int4, int4) IS 'gcd(x, y); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.gcd(int8, int8) IS 'gcd(x, y); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.lcm(int4, int4) IS 'lcm(x, y); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.lcm(int8, int8) IS 'lcm(x, y); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.width_bucket(float8, float8, float8, int4) IS 'width_bucket(x, low, high, count); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.width_bucket(numeric, numeric, numeric, int4) IS 'width_bucket(x, low, high, count); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.concat(VARIADIC "any") IS 'concat(...); NULL where it is longer than 1 MB';
COMMENT ON FUNCTION dp_internal.concat_ws(text, "any") IS 'concat_ws(separator, ...); NULL where it is longer than 1 MB';
COMMENT ON FUNCTION dp_internal.lpad(text, int4, text) IS 'lpad(x, length, fill); NULL where it could be longer than 1 MB';
COMMENT ON FUNCTION dp_internal.rpad(text, int4, text) IS 'rpad(x, length, fill); NULL where it could be longer than 1 MB';
COMMENT ON FUNCTION dp_internal.repeat(text, int4) IS 'repeat(x, times); NULL where it is longer than 1 MB';
COMMENT ON FUNCTION dp_internal.replace(text, text, text) IS 'replace(x, part, by_text); NULL where it could be longer than 1 MB';
COMMENT ON FUNCTION dp_internal.overlay(text, text, int4) IS 'overlay(x placing part from start); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.overlay(text, text, int4, int4) IS 'overlay(x placing part from start for length); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.encode(bytea, text) IS 'encode(x, format); NULL where it raises an error, and above 512 kB';
COMMENT ON FUNCTION dp_internal.ascii(text) IS 'ascii(x); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.chr(int4) IS 'chr(x); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.substring(text, text) IS 'substring(x FROM pattern); NULL where it raises an error, for patterns that are not plain, and for texts of more than 8 kB, or 1000 bytes where groups are remembered';
COMMENT ON FUNCTION dp_internal.regexp_count(text, text) IS 'regexp_count(x, pattern); NULL where it raises an error, for patterns that are not plain, and for texts of more than 8 kB, or 1000 bytes where groups are remembered';
COMMENT ON FUNCTION dp_internal.regexp_instr(text, text) IS 'regexp_instr(x, pattern); NULL where it raises an error, for patterns that are not plain, and for texts of more than 8 kB, or 1000 bytes where groups are remembered';
COMMENT ON FUNCTION dp_internal.regexp_replace(text, text, text) IS 'regexp_replace(x, pattern, by_text); NULL where it raises an error, for patterns that are not plain, and for texts of more than 8 kB, or 1000 bytes where groups are remembered';
COMMENT ON FUNCTION dp_internal.regexp_replace(text, text, text, text) IS 'regexp_replace(x, pattern, by_text, flags); NULL where it raises an error, for patterns that are not plain, and for texts of more than 8 kB, or 1000 bytes where groups are remembered';
COMMENT ON FUNCTION dp_internal.to_char(int4, text) IS 'to_char(x, pattern); NULL where it raises an error, and for patterns above 200 bytes';
COMMENT ON FUNCTION dp_internal.to_char(int8, text) IS 'to_char(x, pattern); NULL where it raises an error, and for patterns above 200 bytes';
COMMENT ON FUNCTION dp_internal.to_char(float4, text) IS 'to_char(x, pattern); NULL where it raises an error, and for patterns above 200 bytes';
COMMENT ON FUNCTION dp_internal.to_char(float8, text) IS 'to_char(x, pattern); NULL where it raises an error, and for patterns above 200 bytes';
COMMENT ON FUNCTION dp_internal.to_char(numeric, text) IS 'to_char(x, pattern); NULL where it raises an error, and for patterns above 200 bytes';
COMMENT ON FUNCTION dp_internal.to_number(text, text) IS 'to_number(x, pattern); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.to_date(text, text) IS 'to_date(x, pattern); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.to_timestamp(text, text) IS 'to_timestamp(x, pattern); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.age(timestamp, timestamp) IS 'age(x, y); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.age(timestamptz, timestamptz) IS 'age(x, y); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.add(interval, interval) IS 'x + y; NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.sub(interval, interval) IS 'x - y; NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.minus(interval) IS '- x; NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.mul(interval, float8) IS 'x * y; NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.mul(float8, interval) IS 'x * y; NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.div(interval, float8) IS 'x / y; NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.justify_days(interval) IS 'justify_days(x); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.justify_hours(interval) IS 'justify_hours(x); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.justify_interval(interval) IS 'justify_interval(x); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.add(time, interval) IS 'x + y; NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.sub(time, interval) IS 'x - y; NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.make_date(int4, int4, int4) IS 'make_date(year, month, day); NULL for what is no date';
COMMENT ON FUNCTION dp_internal.make_timestamp(int4, int4, int4, int4, int4, float8) IS 'make_timestamp(...); NULL for what is no moment';
COMMENT ON FUNCTION dp_internal.make_timestamptz(int4, int4, int4, int4, int4, float8) IS 'make_timestamptz(...); NULL for what is no moment';
COMMENT ON FUNCTION dp_internal.make_time(int4, int4, float8) IS 'make_time(hour, minute, second); NULL for what is no time of day';
COMMENT ON FUNCTION dp_internal.make_interval(int4, int4, int4, int4, int4, int4, float8) IS 'make_interval(...); NULL where it overflows';
COMMENT ON FUNCTION dp_internal.to_timestamp(float8) IS 'to_timestamp(seconds); NULL where it is out of range';
COMMENT ON FUNCTION dp_internal.json_object_field(json, text) IS 'json_object_field(...); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.json_object_field_text(json, text) IS 'json_object_field_text(...); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.json_array_element(json, int4) IS 'json_array_element(...); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.json_array_element_text(json, int4) IS 'json_array_element_text(...); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.json_extract_path(json, text[]) IS 'json_extract_path(...); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.json_extract_path_text(json, text[]) IS 'json_extract_path_text(...); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.json_array_length(json) IS 'json_array_length(...); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.try_int4(jsonb) IS 'x::int4; NULL where that fails';
COMMENT ON FUNCTION dp_internal.try_int8(jsonb) IS 'x::int8; NULL where that fails';
COMMENT ON FUNCTION dp_internal.try_float8(jsonb) IS 'x::float8; NULL where that fails';
COMMENT ON FUNCTION dp_internal.try_numeric(jsonb) IS 'x::numeric; NULL where that fails';
COMMENT ON FUNCTION dp_internal.try_bool(jsonb) IS 'x::bool; NULL where that fails';
COMMENT ON FUNCTION dp_internal.jsonb_array_length(jsonb) IS 'jsonb_array_length(...); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.int4range(int4, int4) IS 'int4range(lower_end, upper_end); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.int4range(int4, int4, text) IS 'int4range(lower_end, upper_end, bounds); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.int8range(int8, int8) IS 'int8range(lower_end, upper_end); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.int8range(int8, int8, text) IS 'int8range(lower_end, upper_end, bounds); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.numrange(numeric, numeric) IS 'numrange(lower_end, upper_end); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.numrange(numeric, numeric, text) IS 'numrange(lower_end, upper_end, bounds); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.daterange(date, date) IS 'daterange(lower_end, upper_end); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.daterange(date, date, text) IS 'daterange(lower_end, upper_end, bounds); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.tsrange(timestamp, timestamp) IS 'tsrange(lower_end, upper_end); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.tsrange(timestamp, timestamp, text) IS 'tsrange(lower_end, upper_end, bounds); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.tstzrange(timestamptz, timestamptz) IS 'tstzrange(lower_end, upper_end); NULL where it raises an error';
COMMENT ON FUNCTION dp_internal.tstzrange(timestamptz, timestamptz, text) IS 'tstzrange(lower_end, upper_end, bounds); NULL where it raises an error';
COMMENT ON TABLE dp.measured_server IS
    'releases of PostgreSQL on which the functions that private queries may call were measured here; not dumped, because another server '
    'has to be measured anew';
COMMENT ON FUNCTION dp_internal.server_evidence() IS 'this server as dp.measured_server would have it, and whether it was measured';
COMMENT ON FUNCTION dp.measure_functions() IS
    'for a superuser, after an update of the server to a release that pg_dp does not know: calls each function that private queries may '
    'call with extreme values; private queries are refused until none of them raises an error. Takes some seconds';
COMMENT ON TYPE dp_internal.extreme_mood IS 'an enum whose labels are not in the order of their OIDs';
COMMENT ON FUNCTION dp_internal.letters(text) IS 'letters beyond ASCII where the encoding has them';
COMMENT ON FUNCTION dp_internal.extreme_add(text, text[]) IS 'adds values to those of a type';
COMMENT ON FUNCTION dp_internal.extreme_literals(text, text[]) IS 'adds literals to the values of a type';
COMMENT ON FUNCTION dp_internal.make_extreme_values() IS 'makes the schema dp_extreme, with extreme values of each type';
COMMENT ON FUNCTION dp_internal.make_extreme_calls() IS 'adds calls of the functions that are total for some arguments only';
COMMENT ON FUNCTION dp_internal.extreme_values_of(oid) IS 'the table of the extreme values of a type';
COMMENT ON FUNCTION dp_internal.extreme_call(text[], text[]) IS 'adds calls of functions with such arguments';
COMMENT ON FUNCTION dp_internal.extreme_listed(text, text) IS 'the functions that are total under such a condition';
COMMENT ON FUNCTION dp_internal.first_error(regprocedure, text[], integer) IS 'what the first call with extreme values says that fails';
DO $$
BEGIN
    CREATE ROLE dp_curator NOLOGIN;
EXCEPTION WHEN duplicate_object OR unique_violation THEN -- of another database, or of one that does the same just now
    NULL;
END
$$;
COMMENT ON FUNCTION dp.protect(regclass, float8, float8, float8, float8, float8, text, integer, integer, integer, float8, float8, bigint,
    interval, boolean, interval, integer, regclass, text, text, dp_mechanism, text, float8, text, interval, boolean, boolean, integer) IS
    'gives a table a budget for all roles together, or changes it: what is not named stays as it was, -1 takes a limit away, 0 a price, '
    '''0'' a time, ''auto'' the mechanism, '''' the privacy unit; query_epsilon is the most that one statement may cost, '
    'group_epsilon and group_delta are what the private selection of groups costs per grouping set (where they are not given, half of the '
    'answer''s price and a hundredth of the role''s delta; -1 makes it so again, with group_epsilon 0 none are chosen), privacy_unit is the column that '
    'names whose a row is, or foreign key columns that lead to it, l_orderkey.o_custkey; of a unit at most max_rows_per_unit rows, or '
    'max_rows_per_group rows in each of max_groups_per_unit groups, count in an answer (where none is given, a limit is chosen privately for '
    'each answer, for a quarter of its epsilon; limits ''auto'' makes it so again); answer_epsilon is the epsilon of an answer that names none (a hundredth of the role''s budget where it is not given, -1 makes it so again), min_query_epsilon what a question or a more accurate '
    'answer costs at least (1e-6 where it is not given), max_charges how many of them may be asked in all; reuse is how old an answer may '
    'be that is shown again to the same question of the same role, for nothing, share_answers lets it serve other roles, whose accounts '
    'pay while the table does not pay twice; answers are kept for keep_answers (a week) and in keep_answers_mb megabytes (100); continues is the '
    'table that this one replaces, whose spending, limits, budgets, declared values and releases go over to it; rows_kept is which rows count '
    'of a unit that has too many: random, or the first or latest by the column rows_kept_by; answer_mechanism is the mechanism of an answer '
    'that names no epsilon; accountant is how accounts on the table count: pure adds up epsilon, renyi counts Rényi divergences, so that '
    'many small answers fit, and conversion_delta is the part of delta that this takes (a half; -1: a half again); period makes the budget '
    'one for each period of the calendar, by universal time (1 day, 1 month, 3 months), and with sliding for any time of that length: then each '
    'charge counts that long; blocks gives each partition a budget of its own: an answer is charged to those that it can depend on; '
    'max_blocks_per_unit is in how many of them rows of one unit lie at most, which is promised so many times the budget';
COMMENT ON FUNCTION dp.unprotect(regclass) IS
    'ends the protection of a table and removes its roles'' budgets and its public values; what was spent stays and counts if it is protected again';
COMMENT ON FUNCTION dp.grant_budget(regclass, regrole, float8, float8, float8, boolean, float8, bigint, dp_mechanism, float8, interval, boolean) IS
    'gives a role a budget on a protected table, or changes it: what is not named stays as it was, -1 takes a limit away, 0 answer_epsilon, ''0'' the period; '
    'query_epsilon is the most that one statement may cost, '
    'allow_leaks accepts that the role sees sizes and counters because dp.harden() was not called, answer_epsilon is the epsilon of its '
    'answers that name none, max_charges how many questions and more accurate answers it may ask for in all, answer_mechanism is the mechanism '
    'of its answers that name no epsilon, conversion_delta the part of delta that turns Rényi divergences into epsilon (a half; -1: a half again), '
    'period and sliding for which time the budget is, as of a table';
COMMENT ON FUNCTION dp.revoke_budget(regclass, regrole) IS
    'ends a role''s budget on a table; what was spent stays and counts if it is granted again';
COMMENT ON FUNCTION dp.reopen(regclass, regrole) IS
    'opens a role''s account on a table again, after an error that stopped one of its private queries had closed it; where the role '
    'had no account, the role by itself';
COMMENT ON FUNCTION dp.public_values(regclass, text, "any") IS
    'declares which values a grouping expression of a protected table can have, in the place of those declared before, and says how '
    'many there are now: each is a group of every answer, other rows are not counted, NULL is a group too unless the expression is a '
    'NOT NULL column. Values one by one, or an array of them';
COMMENT ON FUNCTION dp.public_values_from(regclass, text, text) IS
    'declares the values that a query of one column gives, as dp.public_values does: the query runs now, as the current user, and its '
    'values become public';
COMMENT ON FUNCTION dp.no_public_values(regclass, text) IS 'withdraws the values that dp.public_values declared';
COMMENT ON FUNCTION dp.public_groups(regclass, text) IS
    'the groups that every answer grouped by that expression has, in their order: declared values, or those of a boolean, an enum, '
    'a foreign key to a table of the same owner; no rows: its groups are not public';
REVOKE EXECUTE ON FUNCTION dp_internal.ledger_written() FROM PUBLIC;
COMMENT ON FUNCTION dp_internal.policy_written() IS 'tells all sessions that what they have read of the table may be no more';
REVOKE EXECUTE ON FUNCTION dp_internal.policy_written() FROM PUBLIC;
COMMENT ON VIEW dp.budgets IS 'what may be spent on protected tables and what is left (no more than what is left of the whole table); '
    'role NULL: the table as a whole; closed: nothing is answered until a curator says dp.reopen(); answers_left: how many answers '
    'are left at the epsilon of the setting dp.epsilon, NULL where it is not set; charges: how many questions, and levels of '
    'answers, were paid for, and how many more there may be; accountant renyi: Rényi divergences are counted, epsilon_spent is what the '
    'loss by all answers exceeds with a chance of at most conversion_delta, at whatever moment, and epsilon_left what admission goes by; '
    'period, sliding: limits are for each such time, and what is spent is what counts in it, until period_end or, where it slides, each charge '
    'that long; epsilon_ever: what was spent in all; guarantee: what that promises, in words';
GRANT SELECT ON dp.budgets TO PUBLIC;
COMMENT ON VIEW dp.blocks IS 'the same as dp.budgets for each partition of tables whose partitions have a budget each, which dp.budgets shows by '
    'the one that has least left; bounds: which rows lie in it';
GRANT SELECT ON dp.blocks TO PUBLIC;
COMMENT ON FUNCTION dp_internal.keeps_its_block() IS
    'trigger: refuses an UPDATE of what says in which partition a row lies, of a table whose partitions have a budget each';
COMMENT ON VIEW dp.units IS
    'whose rows the protected tables hold: the column that names the privacy unit, or the path to it (NULL: each row is one), and how much of one unit an '
    'answer may depend on; is_unique: a unit has one row, nothing has to be limited; rows_kept: the first or the latest rows by '
    'rows_kept_by count of a unit that has more, NULL: any, at random';
GRANT SELECT ON dp.units TO PUBLIC;
COMMENT ON FUNCTION dp.ledger_of(regclass, bigint, bigint) IS
    'the rows of dp.ledger of one table (NULL: of all), from one number on, up to another one: where there are many, much sooner than a '
    'condition on the view';
COMMENT ON TABLE dp.declared_range IS 'public: the ranges that dp.declare_range declared, as texts of the type of their column';
GRANT SELECT ON dp.declared_range TO PUBLIC;
COMMENT ON FUNCTION dp.declare_range(regclass, name, anycompatible, anycompatible) IS
    'declares between which values a column of a protected table lies, both ends included: the bounds of sums, averages and quantiles '
    'that give none; values outside count as the nearer end';
COMMENT ON FUNCTION dp.declare_values(regclass, text, "any") IS
    'declares which values a column, or another grouping expression, of a protected table can have: values or an array of them';
COMMENT ON FUNCTION dp.withdraw(regclass, text) IS
    'withdraws what dp.declare_range and dp.declare_values said of a column or expression';
COMMENT ON TYPE dp.released_answer IS 'one answer of a release: its group, the name of its aggregate, the answer, and the epsilon it was drawn at';
COMMENT ON FUNCTION dp_last_release() IS
    'the number of the release that the last charged statement of this session left; NULL where it left none';
COMMENT ON FUNCTION dp_relax_release(bigint, float8, text) IS
    'the answers of a release at a larger epsilon, for the price of the difference; aggregate: only that one of them';
COMMENT ON FUNCTION relax_release(bigint, float8, text) IS 'the older name of dp_relax_release';
COMMENT ON FUNCTION dp_answer(bigint, text) IS
    'the answers of a release again, at the most accurate level that the role has paid for; costs nothing';
COMMENT ON TYPE dp.released_error IS 'one answer of a release, with an interval around it that holds the exact one';
COMMENT ON FUNCTION dp_errors(bigint, float8) IS
    'the answers of a release as dp_answer gives them, each with an interval lower .. upper that holds the exact answer with that '
    'confidence; exact means that of the clamped values of the rows that count. In histograms each bucket has its own, for averages, '
    'variances and deviations it is a little wider than it need be, for dp_bounds there is none. Costs nothing';
COMMENT ON FUNCTION dp_error(anyelement, float8) IS
    'around an aggregate over a protected table, beside it or alone: how far that answer may be off, so that answer - error .. answer + '
    'error holds the exact one with that confidence, as dp_errors says it: SELECT count(*), dp_error(count(*)). The same draw and the same '
    'charge; NULL where the answer tells nothing of its error, as for quantiles and modes';
COMMENT ON FUNCTION dp_rounded(numeric, float8) IS
    'an answer rounded to the first digit of its error: dp_rounded(sum(cost), dp_error(sum(cost))) is 1235000 of 1234567 where the error '
    'is 2345; as it is where the error is NULL, 0 or infinite. SET dp.round = on does so for all that a statement shows';
COMMENT ON FUNCTION dp_rounded(bigint, float8) IS 'the same of whole numbers';
COMMENT ON FUNCTION dp_rounded(float8, float8) IS 'the same of floating-point numbers';
COMMENT ON FUNCTION dp_internal.stands_out(float8, float8) IS 'whether an answer is more than its error, or has none that is known';
COMMENT ON FUNCTION dp_consistent(anyelement, float8, integer, "any") IS
    'a window function over answers of several levels, as ROLLUP, CUBE and GROUPING SETS give them: each made to be the sum of its parts, '
    'by weighted least squares over all levels, whole numbers as whole ones. error: how far the answer may be off, 0 keeps it as it is, '
    'as a total that is public; level: GROUPING() of the keys. dp_consistent(n, error, GROUPING(a, b), a, b) OVER (). Over tables and '
    'stored releases, too; SET dp.consistent = on does it to what a statement asks';
COMMENT ON FUNCTION dp_consistent_nonnegative(anyelement, float8, integer, "any") IS
    'the same with no number below zero: from the totals down the parts are the nearest ones that are not negative. What is near zero '
    'becomes larger by that, and what is large a little smaller';
COMMENT ON FUNCTION dp_consistent_error(anyelement, float8, integer, "any") IS
    'how far the answer of dp_consistent with these arguments may be off, with the confidence of the errors that are given (0.92 or more)';
COMMENT ON FUNCTION dp_monotone(anyelement, float8) IS
    'a window function over answers in an order: the nearest ones that never fall, where neighbours that do are replaced by their mean, '
    'each weighed by its error: dp_monotone(n, error) OVER (ORDER BY day) of running totals';
COMMENT ON FUNCTION dp_internal.to_fit(anyelement, float8) IS 'marks an answer that is made to add up';
COMMENT ON FUNCTION dp_internal.to_fit_share(anyelement, float8) IS 'marks what is left of its error';
COMMENT ON FUNCTION dp_internal.fitting(anyelement, float8, integer, "any") IS 'dp_consistent of a statement''s own answers';
COMMENT ON FUNCTION dp_internal.fitting_nonnegative(anyelement, float8, integer, "any") IS 'dp_consistent_nonnegative of these';
COMMENT ON FUNCTION dp_internal.fitting_share(anyelement, float8, integer, "any") IS 'what is left of their errors';
COMMENT ON FUNCTION dp_internal.fitting_error(float8, float8, float8, boolean) IS 'dp_error of an answer that was made to add up';
COMMENT ON FUNCTION dp_bias(anyelement) IS
    'around a count or a sum over a protected table, as dp_error: about how much of it is missing because rows of a privacy unit beyond '
    'its limit do not count, where that limit was chosen privately (no limit is declared), from the noisy counts by which it was chosen; 0 where a unit has one row; NULL where '
    'it is not known: declared limits (see dp.limit_quality), averages, sums of both signs, answers that are shown again. The same draw '
    'and the same charge';
COMMENT ON FUNCTION dp.share_release(bigint, regrole, float8, text) IS
    'lets a role read a release by dp_answer at that epsilon, which its account pays; the table pays only what nobody has paid yet';
COMMENT ON FUNCTION dp.forget_releases(interval) IS
    'deletes the releases on the curator''s tables that are older, and says how many: they cannot be read or relaxed any more; what '
    'was charged for them stays in the ledger';
COMMENT ON FUNCTION dp.forget_answers(regclass) IS
    'deletes the stored answers on a table, and says how many: the next question is asked anew; what was charged stays';
COMMENT ON VIEW dp.reuse IS
    'answers that were shown again, at epsilon 0: to the role itself, for curators all of their tables; of one answer to one role once a minute at '
    'most, and as long as it is stored';
GRANT SELECT ON dp.reuse TO PUBLIC;
COMMENT ON VIEW dp.ledger IS
    'what was charged: epsilon and delta to the account of the role, table_epsilon and table_delta to the table as a whole; with the '
    'number 0 and kind reuse what was shown again for nothing, as dp.reuse has it, and in which application';
GRANT SELECT ON dp.ledger TO PUBLIC;
COMMENT ON FUNCTION dp.retain_releases(regclass, interval, bigint) IS
    'says how old the releases on a table get, and how many noisy numbers of them are stored (32 bytes each): the oldest ones '
    'beyond that are deleted now and then, or at once by dp.forget_releases(); without limits all are kept';
COMMENT ON FUNCTION dp.forget_releases() IS
    'deletes what dp.retain_releases says on the curator''s tables, the oldest first, and says how many releases there were';
COMMENT ON FUNCTION dp.release_of(bigint) IS 'the rows of dp.releases of one release, without reading the others';
COMMENT ON VIEW dp.releases IS
    'stored answers: a role''s own and those shared with it, for curators all of their tables; epsilon: the finest level that it '
    '(for curators: anyone) has paid for, NULL where the mechanism has no levels';
GRANT SELECT ON dp.releases TO PUBLIC;
COMMENT ON TABLE dp.ledger_total IS 'what the entries of the ledger add up to, written down now and then';
COMMENT ON FUNCTION dp.last_charges(integer, regclass) IS
    'the newest rows of dp.ledger, of all tables or of one, the newest first: at once, however many there are';
COMMENT ON TABLE dp.ledger_place IS 'where the ledger is written: server, timeline, database and files, each time that it was another place';
REVOKE EXECUTE ON FUNCTION dp_internal.settle_ledger() FROM PUBLIC;
COMMENT ON FUNCTION dp_internal.settle_ledger() IS 'the part of dp.confirm_ledger() that is left once its triggers are in order';
COMMENT ON FUNCTION dp.confirm_ledger() IS
    'for a superuser: says that the ledger is complete and goes on here, after a restore, a promotion, a copy or a repair by hand; until '
    'then nothing is charged';
REVOKE EXECUTE ON FUNCTION dp_internal.guard_drops() FROM PUBLIC;
COMMENT ON FUNCTION dp_internal.guard_drops() IS 'event trigger: has the library loaded, which refuses to drop what was charged';
COMMENT ON EVENT TRIGGER dp_drops IS 'keeps what was charged from being dropped, also where the library was not loaded at the server''s start';
COMMENT ON FUNCTION dp_internal.read_status() IS 'the first columns of dp.status';
COMMENT ON FUNCTION dp_internal.bytes_stored() IS 'the columns of dp.status that tell sizes';
REVOKE EXECUTE ON FUNCTION dp_internal.bytes_stored() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION dp_internal.bytes_stored() TO dp_curator, pg_monitor;
COMMENT ON TABLE dp.dropped_object IS 'dropped tables and roles that the ledger mentions by their numbers';
COMMENT ON TABLE dp.continued IS 'from which table the entries of kind ''continued'' of the ledger were taken over';
COMMENT ON TABLE dp.ledger_compaction IS 'when dp.compact_ledger was called and by whom, and what it has left';
REVOKE EXECUTE ON FUNCTION dp.compact_ledger(timestamptz) FROM PUBLIC;
COMMENT ON FUNCTION dp.compact_ledger(timestamptz) IS
    'for a superuser: folds the entries of the ledger that are older into one for each table, role and account, with their sums, and says '
    'how many there were; what is spent and left stays the same, what was asked is forgotten; dp.ledger_compaction tells of it';
COMMENT ON FUNCTION dp.harden(boolean) IS
    'takes from PUBLIC, in this database, the functions that show sizes, counters and locks of tables, and leaves them to '
    'pg_read_all_stats; returns how many statements it ran, 0 where nothing was left to do. hide_estimates hides pg_class.relpages, '
    'reltuples and relallvisible as well: then SELECT * FROM pg_class fails, which some clients need';
COMMENT ON FUNCTION dp.harden_statements(boolean) IS 'the statements that dp.harden would run now; it runs none of them';
COMMENT ON FUNCTION dp.unharden() IS
    'gives back to PUBLIC what dp.harden() took, also that of hide_estimates, and returns how many statements it ran: for when pg_dp is '
    'to leave a database. Roles that were not granted their budgets with allow_leaks then have no answers';
COMMENT ON FUNCTION dp.is_hardened() IS 'whether everything that dp.harden() takes from PUBLIC is taken; without hide_estimates';
REVOKE EXECUTE ON FUNCTION dp_internal.hardening_watched() FROM PUBLIC;
COMMENT ON VIEW dp.orphans IS
    'for members of dp_curator and pg_monitor: budgets of tables or roles that are gone, by their numbers; dp.unprotect and '
    'dp.revoke_budget remove them';
GRANT SELECT ON dp.orphans TO dp_curator, pg_monitor;
COMMENT ON VIEW dp.status IS
    'the ledger at this moment, for members of dp_curator and pg_monitor: why nothing is charged (doubt), its last entry, the entry up to '
    'which its sums are written down, accounts and bytes in shared memory, when it was read last, how many entries and for how many '
    'milliseconds, transactions that write to it by hand, accounts closed in memory alone, its timeline, bytes on disk; how many accounts '
    'the memory holds before it grows; since the server started: charges, refusals, errors that stopped private queries, waits for the '
    'lock; whether writes by hand are watched, whether the database is hardened, budgets of what is gone (dp.orphans), of roles that may '
    'read what they have a budget on, and when the ledger was compacted last; since the server started: answers that were shown again for '
    'nothing, and the seconds that all charges took together';
GRANT SELECT ON dp.status TO dp_curator, pg_monitor;
COMMENT ON VIEW dp.progress IS
    'for members of dp_curator and pg_monitor: what the extension is at in this database that may take long: which session, how many rows '
    'so far, since when';
GRANT SELECT ON dp.progress TO dp_curator, pg_monitor;
COMMENT ON VIEW dp.waits IS
    'for members of pg_monitor: sessions of this database that wait for the extension, for what, since when, and for whom';
GRANT SELECT ON dp.waits TO pg_monitor;
COMMENT ON FUNCTION dp.check(regclass) IS
    'for a curator: what is still open beside private queries on the tables that it curates, or on one of them, a row each with what to '
    'run; relation NULL: for all of them';
COMMENT ON FUNCTION dp.cost(text) IS
    'what a query would be charged, without running it: one row for each account, with role NULL for the table as a whole';
COMMENT ON FUNCTION dp.expected_errors(text) IS
    'how far each answer of a query will be off in the mean, in units of the answer or in ranks, without running it; NULL where that '
    'depends on the data';
COMMENT ON FUNCTION dp.admissible(text, regrole) IS
    'whether that role (the current one, if left out) may ask the query; if not, the error that it would get: SQLSTATE, message, hint';
COMMENT ON FUNCTION dp.answers_left(regclass, float8, float8) IS
    'how many answers of that epsilon and delta, each in a statement of its own, the budget of the current role still allows on a '
    'protected table; for a curator without an account, that of the table';
COMMENT ON FUNCTION dp.describe_table(regclass) IS
    'what may be known of a protected table before asking: privacy unit, limits, what is left of one''s budget, public groups, '
    'declared ranges, joins that are admitted, an example; for roles with a budget on it, and nothing of it comes from its rows';
COMMENT ON FUNCTION dp.private_form(text) IS
    'a statement with the private calls written out that stand for its ordinary aggregates; nothing runs';
COMMENT ON FUNCTION dp.expose(regclass, name) IS
    'makes a view that lists a protected table for tools, with domains, bounds and unit in its comments, for the roles that have accounts';
COMMENT ON FUNCTION dp_internal.all_differ("any") IS 'true; an error where two rows of these columns, arrays of one length, are alike';
COMMENT ON FUNCTION dp_internal.plain_list(anyarray) IS 'the same list; an error for one of several dimensions, or of more than 400 values';
COMMENT ON FUNCTION dp_internal.element(anyarray, integer) IS 'the element of a list of at most 400 values; NULL where it has no such';
COMMENT ON FUNCTION dp_internal.zero_offset(bigint) IS '0 for it and for NULL; an error for other numbers';
COMMENT ON FUNCTION dp_internal.is_plain_pattern(text) IS 'true; an error for a regular expression without groups that is not admitted below private aggregates';
COMMENT ON FUNCTION dp.unit_query(regclass, text) IS
    'for curators: the query that shows whose each row of a table is, with the joins along the foreign keys of the path; privacy_unit: a '
    'column or a path to try; left out, that of the table; NULL where there is none';
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
COMMENT ON FUNCTION dp.limit_quality(regclass, float8, float8) IS
    'what dp.unit_coverage shows, privately and for whoever has a budget on the table, charged epsilon: what a limit of 1, 2, 3, 5, 10, 20 '
    'or 50 rows per privacy unit would leave: the share of rows that count, the share of units that lose none, how many rows do not '
    'count and how far off that is in 95 of 100 cases by its noise (units with more than 10 rows are counted in bins, whose middle '
    'stands for them; no row: there are no more units than noise may show), and beside it the expected error by noise of a count at answer_epsilon';
COMMENT ON FUNCTION dp.suggest(regclass, float8) IS
    'what might be declared of a table, found privately by whoever has a budget on it, as statements for a curator to run: ranges of '
    'numbers and moments, values of texts (where table and role have a delta), and how many rows of a unit should count where a question '
    'needs that declared. Epsilon is for all of it together, in equal shares; what is known already is not asked';
-- What panels and monitoring show: refusals by reason, how long charges take, and how long budgets last.

CREATE FUNCTION dp_internal.read_refusals(OUT sqlstate text, OUT reason text, OUT refusals bigint) RETURNS SETOF record
    LANGUAGE c VOLATILE PARALLEL RESTRICTED ROWS 7 AS 'MODULE_PATHNAME', 'dp_read_refusals';
REVOKE EXECUTE ON FUNCTION dp_internal.read_refusals() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION dp_internal.read_refusals() TO dp_curator, pg_monitor;

CREATE VIEW dp.refusals AS SELECT r.sqlstate, r.reason, r.refusals FROM dp_internal.read_refusals() r;
COMMENT ON VIEW dp.refusals IS
    'for members of dp_curator and pg_monitor: errors of these kinds that clients of this database were shown since the server started, in '
    'sessions that have asked something; those that are not logged (log_min_messages above error) are not counted';
GRANT SELECT ON dp.refusals TO dp_curator, pg_monitor;

CREATE FUNCTION dp_internal.read_charge_times(OUT seconds float8, OUT charges bigint) RETURNS SETOF record
    LANGUAGE c VOLATILE PARALLEL RESTRICTED ROWS 14 AS 'MODULE_PATHNAME', 'dp_read_charge_times';
REVOKE EXECUTE ON FUNCTION dp_internal.read_charge_times() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION dp_internal.read_charge_times() TO dp_curator, pg_monitor;

CREATE VIEW dp.charge_times AS SELECT t.seconds, t.charges FROM dp_internal.read_charge_times() t;
COMMENT ON VIEW dp.charge_times IS
    'for members of dp_curator and pg_monitor: how many charges took at most so many seconds, since the server started, until they were on disk '
    'and on the standbys that are waited for; what is charged together is one. Their sum is charge_seconds of dp.status';
GRANT SELECT ON dp.charge_times TO dp_curator, pg_monitor;

CREATE FUNCTION dp_internal.read_payments(since timestamptz, OUT charged_at timestamptz, OUT account regrole, OUT relation regclass,
    OUT epsilon_nano bigint, OUT table_epsilon_nano bigint, OUT query text) RETURNS SETOF record
    LANGUAGE c VOLATILE STRICT PARALLEL RESTRICTED ROWS 1000 AS 'MODULE_PATHNAME', 'dp_read_payments';

-- What a table as a whole pays is a payment of no account. Where partitions have a budget each, payments name these. First of all the same
-- question becomes one row: a week may have a million charges.
CREATE VIEW dp.pace AS
    WITH payment AS MATERIALIZED (
        SELECT p.account AS role, p.relation, p.query, min(p.charged_at) AS first,
            sum(p.epsilon_nano) AS own, count(*) FILTER (WHERE p.epsilon_nano > 0) AS own_charges,
            sum(p.epsilon_nano) FILTER (WHERE p.charged_at >= date_trunc('day', now())) AS own_today,
            sum(p.table_epsilon_nano) AS whole, count(*) FILTER (WHERE p.table_epsilon_nano > 0) AS whole_charges,
            sum(p.table_epsilon_nano) FILTER (WHERE p.charged_at >= date_trunc('day', now())) AS whole_today
        FROM dp_internal.read_payments(now() - interval '7 days') p GROUP BY p.account, p.relation, p.query
    ), paid AS (
        SELECT coalesce(b.relation, w.relation) AS relation, w.role, w.query, w.first, w.nano / 1000000000 AS epsilon, w.charges, w.today / 1000000000 AS today
        FROM (SELECT relation, role, query, first, own, own_charges, own_today FROM payment WHERE role IS NOT NULL
              UNION ALL SELECT relation, NULL, query, first, whole, whole_charges, whole_today FROM payment) w (relation, role, query, first, nano, charges, today)
            LEFT JOIN (SELECT DISTINCT relation, block FROM dp.blocks) b ON b.block = w.relation
        WHERE w.nano > 0
    ), week AS (
        SELECT relation, role, sum(epsilon) AS spent, sum(charges) AS charges, coalesce(sum(today), 0) AS today,
            greatest(extract(epoch FROM now() - min(first)) / 86400, 1) AS days
        FROM paid GROUP BY relation, role
    ), question AS (
        SELECT relation, role, query, sum(epsilon) AS epsilon, sum(charges) AS charges,
            row_number() OVER (PARTITION BY relation, role ORDER BY sum(epsilon) DESC, query) AS place
        FROM paid WHERE query IS NOT NULL GROUP BY relation, role, query
    )
    SELECT b.table_name, b.role_name, b.epsilon_limit, b.epsilon_spent, b.epsilon_left,
        round(100 * b.epsilon_left / nullif(b.epsilon_limit, 0), 1) AS percent_left,
        trim_scale(coalesce(w.today, 0)) AS spent_today, trim_scale(coalesce(w.spent, 0)) AS spent_in_week, coalesce(w.charges, 0)::bigint AS charges_in_week,
        CASE
            WHEN b.epsilon_left = 0 THEN 0
            WHEN b.accountant = 'renyi' THEN round((
                SELECT a.answers_left * w.days / w.charges
                FROM dp_internal.read_budgets((w.spent / w.charges)::float8) a
                WHERE a.relation = b.relation AND a.role IS NOT DISTINCT FROM b.role AND a.block IS NULL), 1)
            ELSE round(b.epsilon_left * w.days / w.spent, 1)
        END AS days_left,
        b.period_end AS renewed_at, b.closed,
        (SELECT string_agg(format('%s for %s: %s', trim_scale(q.epsilon), q.charges,
                "left"(regexp_replace(q.query, '\s+', ' ', 'g'), 200)), E'\n' ORDER BY q.place)
            FROM question q WHERE q.relation = b.relation AND q.role IS NOT DISTINCT FROM b.role AND q.place <= 3) AS dearest_questions,
        b.relation, b.role
    FROM dp.budgets b LEFT JOIN week w ON w.relation = b.relation AND w.role IS NOT DISTINCT FROM b.role;
COMMENT ON VIEW dp.pace IS
    'dp.budgets for people to look at: what is left, in percent too, what was spent today and in the last 7 days, in how many charges, how many '
    'days what is left lasts if it goes on so (NULL: nothing was spent; of Rényi accounts by the mean epsilon of these charges), when a budget for '
    'a period begins anew, and the three questions that cost most in these days, as epsilon, number of charges and text. role NULL: the table as '
    'a whole, for its curators';
GRANT SELECT ON dp.pace TO PUBLIC;

-- A schema is the database's own: tools are shown the panel where a curator wants it, and nothing of anybody else's is replaced.
CREATE FUNCTION dp.expose_budget(in_schema name DEFAULT 'bi') RETURNS regclass
    LANGUAGE plpgsql VOLATILE STRICT SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    exposed text := format('%I.budget', in_schema);
    there oid := to_regclass(exposed);
    line record;
BEGIN
    IF there IS NOT NULL AND NOT EXISTS (SELECT FROM pg_rewrite r JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
            WHERE r.ev_class = there AND d.refclassid = 'pg_class'::regclass AND d.refobjid = 'dp.pace'::regclass) THEN
        RAISE EXCEPTION '% is there already, and shows something else', exposed USING ERRCODE = 'duplicate_table',
            HINT = 'Choose another schema: SELECT dp.expose_budget(''panels'');';
    END IF;
    EXECUTE format('CREATE SCHEMA IF NOT EXISTS %I', in_schema);
    EXECUTE format('CREATE OR REPLACE VIEW %s WITH (security_invoker = true) AS SELECT * FROM dp.pace', exposed);
    EXECUTE format('COMMENT ON VIEW %s IS %L', exposed, 'what is left of budgets, and how long it lasts: your own, for curators all of their tables');
    EXECUTE format('GRANT SELECT ON %s TO PUBLIC', exposed);
    FOR line IN SELECT DISTINCT b.role FROM dp.budgets b WHERE b.role IS NOT NULL LOOP
        EXECUTE format('GRANT USAGE ON SCHEMA %I TO %s', in_schema, line.role);
    END LOOP;
    RETURN exposed::regclass;
END
$$;
COMMENT ON FUNCTION dp.expose_budget(name) IS
    'makes the view "budget" in a schema that tools list, which shows dp.pace to whoever asks: each role its own accounts, curators all of '
    'their tables; roles with an account may use the schema. What has that name already is not replaced';
-- What a dashboard costs a day, before it is shown to anybody.

-- The statements are looked at as the asker wrote them, by the asker's search_path; all else is PostgreSQL's own.
CREATE FUNCTION dp_internal.check_dashboard(queries text[], refreshes numeric, path text)
    RETURNS TABLE (number integer, query text, answered boolean, epsilon numeric, charges_a_day numeric, epsilon_a_day numeric,
        groups bigint, expected_error text, finding text, instead text)
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE ROWS 10 SET search_path = pg_catalog, pg_temp SET dp.reuse = 0
    SET client_min_messages = warning SET intervalstyle = postgres AS $$
#variable_conflict use_variable
DECLARE
    own CONSTANT text := current_setting('search_path');
    said record;
    costs jsonb;
    plan jsonb;
    nodes jsonb;
    tables regclass[];
    one text;
    served bigint;  -- for how many seconds an answer is shown again
    changes bigint; -- and after how many its question is another one; NULL: never
BEGIN
    IF queries IS NULL OR refreshes IS NULL OR NOT (refreshes > 0 AND refreshes < 'Infinity') THEN
        RAISE EXCEPTION 'dp.check_dashboard() needs statements, and how often a day each is refreshed, not % and %',
                coalesce(queries::text, 'NULL'), coalesce(refreshes::text, 'NULL')
            USING ERRCODE = '22023', HINT = 'For example dp.check_dashboard(ARRAY[''SELECT count(*) FROM visits''], 24).';
    END IF;
    queries := ARRAY(SELECT unnest(queries));
    FOR i IN 1 .. cardinality(queries) LOOP
        number := i;
        query := queries[number];
        finding := NULL;
        answered := false;
        epsilon := NULL;
        charges_a_day := NULL;
        epsilon_a_day := NULL;
        groups := NULL;
        expected_error := NULL;
        instead := NULL;
        IF query IS NULL OR query ~ '^[\s;]*$' THEN
            finding := 'there is no statement';
            RETURN NEXT;
            CONTINUE;
        END IF;
        one := 'EXPLAIN (FORMAT json) ' || query;
        PERFORM pg_catalog.set_config('search_path', path, true);
        SELECT a.* INTO said FROM dp.admissible(query) a;
        PERFORM pg_catalog.set_config('search_path', own, true);
        answered := said.admissible;
        IF NOT answered THEN
            finding := format('refused with %s: %s', said.sqlstate, replace(said.message, 'dp.admissible', 'dp.check_dashboard'));
            instead := CASE said.sqlstate
                WHEN '42P02' THEN 'Write a value in the place of each parameter, as the tool sends it.'
                WHEN '22023' THEN 'Give each statement by itself, without EXPLAIN or the like around it.'
                ELSE said.hint END;
        END IF;
        IF NOT answered THEN
            RETURN NEXT;
            CONTINUE;
        END IF;

        -- What it costs to ask it anew; of several accounts what the one pays that pays most.
        PERFORM pg_catalog.set_config('search_path', path, true);
        SELECT c.costs INTO costs FROM (SELECT pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('relation', c.relation::oid, 'role', c.role::oid, 'epsilon', c.epsilon)) AS costs
            FROM dp.cost(query) c) c;
        EXECUTE one INTO plan;
        PERFORM pg_catalog.set_config('search_path', own, true);
        nodes := jsonb_path_query_array(plan, 'strict $.** ? (@."Custom Plan Provider" == "DpRelease")');
        SELECT trim_scale(coalesce(max(c.epsilon), 0)), array_agg(DISTINCT c.relation::regclass) INTO epsilon, tables
            FROM jsonb_to_recordset(costs) AS c(relation oid, epsilon numeric);
        groups := (SELECT CASE WHEN count(*) = count(n -> 'Public Groups') THEN max((n ->> 'Public Groups')::bigint) END FROM jsonb_array_elements(nodes) n);
        expected_error := (SELECT string_agg(e, '; ') FROM jsonb_array_elements(nodes) n, jsonb_array_elements_text(n -> 'Expected Error') e);
        IF epsilon = 0 THEN
            charges_a_day := 0;
            epsilon_a_day := 0;
            finding := CASE WHEN nodes = '[]' THEN 'nothing is charged: no protected table is asked privately'
                ELSE 'nothing is charged: it shows what is public' END;
            RETURN NEXT;
            CONTINUE;
        END IF;

        SELECT b.epsilon_left, b.query_epsilon_limit INTO said
            FROM (SELECT b.relation, b.role, b.epsilon_left, b.query_epsilon_limit FROM dp.budgets b
                  UNION ALL SELECT b.block, b.role, b.epsilon_left, NULL FROM dp.blocks b) b
                JOIN jsonb_to_recordset(costs) AS c(relation oid, role oid, epsilon numeric)
                    ON c.relation = b.relation AND c.role IS NOT DISTINCT FROM b.role
            WHERE c.epsilon > least(b.epsilon_left, b.query_epsilon_limit) LIMIT 1;
        IF FOUND THEN
            answered := false;
            finding := CASE WHEN epsilon > said.query_epsilon_limit
                THEN format('refused with DP001: one statement may cost epsilon %s', trim_scale(said.query_epsilon_limit))
                ELSE format('refused with DP001: epsilon %s is left', trim_scale(said.epsilon_left)) END;
            instead := 'Ask for less, by fewer aggregates or a smaller epsilon; or ask a curator for more.';
        END IF;
        served := (SELECT min(coalesce(p.reuse_seconds, 0)) FROM unnest(tables) t(relation)
            LEFT JOIN (SELECT DISTINCT relation, block FROM dp.blocks) b ON b.block = t.relation
            LEFT JOIN dp.answer_policy p ON p.relation = coalesce(b.relation, t.relation));
        changes := CASE
            WHEN query !~* '\m(now|current_date|current_time(stamp)?|localtime(stamp)?|transaction_timestamp|statement_timestamp)\M' THEN NULL
            WHEN current_setting('dp.now_rounding') <> '0' THEN extract(epoch FROM current_setting('dp.now_rounding')::interval)
            WHEN query ~* '''(second|milliseconds?|microseconds?)''' THEN 1
            WHEN query ~* '''minute''' THEN 60
            WHEN query ~* '''hour''' THEN 3600
            ELSE 86400 END;
        IF answered AND nodes @? '$[*]."Asked Anew"' THEN
            charges_a_day := refreshes;
            finding := 'now() makes each refresh another question, and another charge';
            instead := format('Write date_trunc(''day'', now()), which is the same all day; or ask a superuser: ALTER ROLE %I SET dp.now_rounding = ''1 day'';',
                current_user);
        ELSIF served = 0 THEN
            charges_a_day := refreshes;
            finding := coalesce(finding, 'no answer is shown again: each refresh is charged');
            instead := coalesce(instead, format('Ask a curator: SELECT dp.protect(%L, reuse => ''1 day'');', tables[1]::text));
        ELSIF queries[: number - 1] @> ARRAY[query] THEN
            charges_a_day := 0;
            finding := format('the same statement as number %s, whose answer it is shown', array_position(queries, query) - array_lower(queries, 1) + 1);
        ELSE
            charges_a_day := trim_scale(round(least(refreshes, 86400.0 / least(served, changes)), 3));
            IF charges_a_day > 1 AND changes < served THEN
                finding := coalesce(finding, format('its now() is another one every %s', changes * interval '1 second'));
                instead := coalesce(instead, 'Round it to the day, date_trunc(''day'', now()), where that will do.');
            END IF;
        END IF;
        epsilon_a_day := trim_scale(charges_a_day * epsilon);
        finding := coalesce(finding, (SELECT CASE
                WHEN bool_or(n ? 'Groups') THEN 'its groups are chosen privately: small ones may be missing'
                WHEN bool_or(n ? 'Epsilon of an Answer') THEN 'nobody has said what an answer costs' END
            FROM jsonb_array_elements(nodes) n));
        instead := coalesce(instead, CASE finding
            WHEN 'its groups are chosen privately: small ones may be missing' THEN
                format('Ask a curator to declare them: SELECT dp.declare_values(%L, ''column'', ''value'', ...);', tables[1]::text)
            WHEN 'nobody has said what an answer costs' THEN
                format('Ask a curator: SELECT dp.protect(%L, answer_epsilon => %s);', tables[1]::text, epsilon) END);
        RETURN NEXT;
    END LOOP;
END
$$;
COMMENT ON FUNCTION dp_internal.check_dashboard(text[], numeric, text) IS 'dp.check_dashboard() with the search_path of who asks';

CREATE FUNCTION dp.check_dashboard(queries text[], refreshes numeric DEFAULT 24)
    RETURNS TABLE (number integer, query text, answered boolean, epsilon numeric, charges_a_day numeric, epsilon_a_day numeric,
        groups bigint, expected_error text, finding text, instead text)
    LANGUAGE sql VOLATILE PARALLEL UNSAFE ROWS 10
BEGIN ATOMIC
    SELECT c.number, c.query, c.answered, c.epsilon, c.charges_a_day, c.epsilon_a_day, c.groups, c.expected_error, c.finding, c.instead
    FROM dp_internal.check_dashboard(queries, refreshes, pg_catalog.current_setting('search_path')) c;
END;
COMMENT ON FUNCTION dp.check_dashboard(text[], numeric) IS
    'what statements that are refreshed so often a day would cost the asking role, a row for each; nothing runs and nothing is charged. '
    'epsilon: to ask it anew; charges_a_day: how often that is, by reuse of the tables and by the now() in it; groups: how many, where that is '
    'known; a statement that is refused is a row with answered false, the error as finding, and what to write instead';
-- What a program has to know before it asks for somebody, in one piece.

-- Of a column: its values where they are public, at most 100 of them.
CREATE FUNCTION dp_internal.describe_column(subject regclass, number smallint) RETURNS jsonb
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    said jsonb;
    values text[];
    listed regclass;
    key name;
BEGIN
    SELECT jsonb_strip_nulls(jsonb_build_object('name', quote_ident(a.attname), 'type', format_type(a.atttypid, a.atttypmod),
            'says', col_description(subject, number),
            'range', CASE WHEN r.lower IS NOT NULL THEN jsonb_build_array(r.lower, r.upper) END))
        INTO said
        FROM pg_attribute a LEFT JOIN dp.declared_range r ON r.relation = a.attrelid AND r.column_name = a.attname
        WHERE a.attrelid = subject AND a.attnum = number;
    SELECT CASE
            WHEN d.relation IS NOT NULL THEN d.domain_values[:101]
            WHEN a.atttypid = 'boolean'::regtype THEN '{false,true}'
            WHEN t.typtype = 'e' THEN ARRAY(SELECT e.enumlabel::text FROM pg_enum e WHERE e.enumtypid = a.atttypid ORDER BY e.enumsortorder LIMIT 101)
            ELSE '{}' END, f.confrelid, f.attname
        INTO values, listed, key
        FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
            LEFT JOIN dp.public_domain d ON d.relation = subject AND d.expression = quote_ident(a.attname)
            LEFT JOIN LATERAL (
                SELECT f.confrelid, r.attname FROM pg_constraint f JOIN pg_attribute r ON r.attrelid = f.confrelid AND r.attnum = f.confkey[1]
                WHERE f.conrelid = subject AND f.contype = 'f' AND f.conkey = ARRAY[a.attnum] AND has_column_privilege(f.confrelid, r.attnum, 'SELECT')
                    -- Nothing that the table's owner wrote is to run: a cast, a policy.
                    AND (SELECT typnamespace FROM pg_type WHERE oid = r.atttypid) = 'pg_catalog'::regnamespace
                    AND NOT (SELECT relrowsecurity FROM pg_class WHERE oid = f.confrelid)
                    AND NOT EXISTS (SELECT FROM dp.units u WHERE u.relation = f.confrelid)
                ORDER BY f.oid LIMIT 1) f ON true
        WHERE a.attrelid = subject AND a.attnum = number;
    -- A table that the asker may read, and whose keys are groups.
    IF cardinality(values) = 0 AND listed IS NOT NULL AND (SELECT admissible OR sqlstate = 'DP005' FROM dp.admissible(format(
            'SELECT %s, @extschema@.dp_count(''*'', 1e-6) FROM %s GROUP BY 1', said ->> 'name', subject))) THEN
        EXECUTE format('SELECT array_agg(v ORDER BY v) FROM (SELECT DISTINCT %I::text AS v FROM %s ORDER BY 1 LIMIT 101) s', key, listed) INTO values;
    END IF;
    values := coalesce(values, '{}');
    RETURN CASE
        WHEN cardinality(values) = 0 THEN said
        WHEN cardinality(values) > 100 THEN said || jsonb_build_object('values', to_jsonb(values[:100]), 'more_values', true)
        ELSE said || jsonb_build_object('values', to_jsonb(values)) END;
END
$$;
COMMENT ON FUNCTION dp_internal.describe_column(regclass, smallint) IS 'a column as dp.describe() has it';

CREATE FUNCTION dp_internal.describe_one(subject regclass, columns jsonb) RETURNS jsonb
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp SET client_min_messages = warning
    SET intervalstyle = postgres AS $$
DECLARE
    budget dp.budgets;
    said jsonb;
    by_group text;
    measure text;
    day text;
    reads text := subject::text;
    asked text[];
    checked jsonb;
BEGIN
    -- The account that pays: one's own, for a curator without one the table, else one that is inherited.
    SELECT b.* INTO budget FROM dp.budgets b LEFT JOIN pg_roles r ON r.oid = b.role
    WHERE b.relation = subject AND (b.role IS NULL OR pg_has_role(b.role, 'USAGE'))
    ORDER BY r.rolname IS NOT DISTINCT FROM current_user DESC, b.role IS NULL DESC, b.epsilon_left LIMIT 1;
    said := (SELECT jsonb_object_agg(d.item, d.said) FROM (
        SELECT d.item, jsonb_agg(d.value) AS said FROM dp.describe_table(subject) d GROUP BY d.item) d);

    by_group := (SELECT c ->> 'name' FROM jsonb_array_elements(columns) WITH ORDINALITY AS c(c, n) WHERE c ? 'values' ORDER BY n LIMIT 1);
    measure := (SELECT c ->> 'name' FROM jsonb_array_elements(columns) WITH ORDINALITY AS c(c, n)
        WHERE c ? 'range' AND c ->> 'type' ~ '^(smallint|integer|bigint|numeric|real|double)' ORDER BY n LIMIT 1);
    day := (SELECT c ->> 'name' FROM jsonb_array_elements(columns) WITH ORDINALITY AS c(c, n)
        WHERE c ? 'range' AND c ->> 'type' ~ '^(date|timestamp)' ORDER BY n LIMIT 1);
    asked := array_remove(ARRAY[
        format('SELECT count(*) FROM %s', reads),
        CASE WHEN by_group IS NOT NULL THEN format('SELECT %1$s, count(*) FROM %2$s GROUP BY %1$s ORDER BY %1$s', by_group, reads) END,
        CASE WHEN measure IS NOT NULL THEN
            format('SELECT avg(%1$s), percentile_cont(0.5) WITHIN GROUP (ORDER BY %1$s) FROM %2$s', measure, reads) END,
        CASE WHEN by_group IS NOT NULL AND measure IS NOT NULL THEN
            format('SELECT %1$s, avg(%2$s), @extschema@.dp_error(avg(%2$s)) FROM %3$s GROUP BY %1$s ORDER BY %1$s', by_group, measure, reads) END,
        CASE WHEN day IS NOT NULL THEN
            format('SELECT date_trunc(''month'', %1$s) AS month, count(*) FROM %2$s GROUP BY month ORDER BY month', day, reads) END,
        format('SELECT * FROM %s LIMIT 10', reads),
        format('SELECT string_agg(%s::text, '','') FROM %s', coalesce(by_group, columns #>> '{0,name}'), reads)], NULL);
    checked := (SELECT jsonb_agg(jsonb_strip_nulls(to_jsonb(c)) ORDER BY c.number) FROM dp.check_dashboard(asked, 1) c);
    RETURN jsonb_strip_nulls(jsonb_build_object('table', reads, 'says', obj_description(subject, 'pg_class'),
        'privacy_unit', said #>> '{"privacy unit",0}', 'limits', said #>> '{limits,0}',
        'budget', jsonb_build_object('epsilon_left', trim_scale(budget.epsilon_left), 'epsilon_limit', trim_scale(budget.epsilon_limit),
            'delta_left', nullif(trim_scale(budget.delta_left), 0), 'statement_limit', trim_scale(budget.query_epsilon_limit),
            'closed', nullif(budget.closed, false), 'accountant', budget.accountant, 'until', budget.period_end, 'guarantee', budget.guarantee),
        'shown_again_for', (SELECT nullif(p.reuse_seconds, 0) * interval '1 second' FROM dp.answer_policy p WHERE p.relation = subject),
        'columns', columns, 'groups', said -> 'public groups', 'other_groups', said #>> '{"other groups",0}', 'joins', said -> 'join',
        'examples', (SELECT jsonb_agg(jsonb_build_object('sql', c -> 'query', 'epsilon', c -> 'epsilon',
                'expected_error', replace(c ->> 'expected_error', '@extschema@.', '')) ORDER BY n)
            FROM jsonb_array_elements(checked) WITH ORDINALITY AS c(c, n) WHERE (c ->> 'answered')::boolean),
        'refused', (SELECT jsonb_agg(jsonb_build_object('sql', c -> 'query', 'because', c -> 'finding', 'instead', c -> 'instead') ORDER BY n)
            FROM jsonb_array_elements(checked) WITH ORDINALITY AS c(c, n) WHERE NOT (c ->> 'answered')::boolean)));
END
$$;
COMMENT ON FUNCTION dp_internal.describe_one(regclass, jsonb) IS 'a table as dp.describe() has it';

CREATE FUNCTION dp.describe(relation regclass DEFAULT NULL) RETURNS jsonb
    LANGUAGE sql VOLATILE PARALLEL UNSAFE
BEGIN ATOMIC
    SELECT jsonb_build_object(
        'role', current_user,
        'ask', 'Plain SQL with aggregates: count(*), count(DISTINCT x), sum, avg, stddev, variance, percentile_cont, min, max, with WHERE, GROUP BY, '
            'HAVING, joins and subqueries. Every answer has noise, costs epsilon, and is charged before it is shown; the same question '
            'again may be free. Rows are never shown. dp_error(count(*)) beside an answer says how far it may be off. '
            'dp_count(''*'', 0.1) and its kin name their epsilon.',
        'refine', 'SELECT dp_last_release() after a question; SELECT * FROM dp_relax_release(number, epsilon) makes its answers more accurate '
            'for the price of the difference.',
        'check', 'SELECT * FROM dp.check_dashboard(ARRAY[''SELECT ...'']) says price, error and refusal of a statement before it is asked.',
        'tables', coalesce((
            SELECT jsonb_agg(dp_internal.describe_one(u.relation, (
                    SELECT jsonb_agg(dp_internal.describe_column(u.relation, a.attnum) ORDER BY a.attnum)
                    FROM pg_attribute a WHERE a.attrelid = u.relation AND a.attnum > 0 AND NOT a.attisdropped)) ORDER BY u.table_name)
            FROM dp.units u WHERE describe.relation IS NULL OR u.relation = describe.relation), '[]'));
END;
COMMENT ON FUNCTION dp.describe(regclass) IS
    'all that a program, or a language model, needs to ask for the current role: which tables it may ask, whom they hide, columns with their ranges and '
    'public values, what is left, what an answer costs and how far it is off, examples that are answered, and what is refused with the reason; '
    'of one table or of all. Nothing of it comes from rows, and nothing is charged';
COMMENT ON TABLE dp.protected_table IS 'the protected tables: budget, price of groups, privacy unit and its limits';
COMMENT ON TABLE dp.account IS 'the budgets of roles on protected tables';
COMMENT ON TABLE dp.public_domain IS 'public: the values that dp.public_values declared, as texts of the type of their grouping expression';
COMMENT ON TABLE dp.answer_policy IS 'public: how long answers on protected tables are shown again and kept, and whether to other roles, too';
COMMENT ON TABLE dp.stored_answer IS 'answers that are kept to be shown again: whose, to which question, at which epsilon';
COMMENT ON TABLE dp.stored_answer_shown IS 'which of them were shown again, when, to whom; dp.reuse shows it';
COMMENT ON TABLE dp.stored_answer_keys IS 'answers that are kept to be shown again: by which keys they are grouped';
COMMENT ON TABLE dp.stored_answer_aggregate IS 'answers that are kept to be shown again: by which aggregates they are found';
COMMENT ON TABLE dp.stored_answer_place IS 'answers that are kept to be shown again: in which order they were stored';
COMMENT ON TABLE dp.stored_answer_rows IS 'answers that are kept to be shown again: their rows';
COMMENT ON TABLE dp.ledger_entry IS 'what was charged, append-only; dp.ledger shows it';
COMMENT ON TABLE dp.release_part IS 'stored answers: the query levels of charged statements; dp.releases shows them';
COMMENT ON TABLE dp.release_aggregate IS 'stored answers: the aggregates of a level, and how its integers become answers';
COMMENT ON TABLE dp.release_keys IS 'stored answers: the group keys';
COMMENT ON TABLE dp.release_level IS 'stored answers: noisy integers and their noise at one epsilon; whoever reads the noise can take it away';
COMMENT ON TABLE dp.release_path IS 'stored answers: the levels at larger epsilons that were drawn';
COMMENT ON TABLE dp.release_holding IS 'stored answers: which role has paid for which level';
COMMENT ON TABLE dp.release_forgotten IS 'answers that are not stored any more: whose they were, on which table, and since when';
COMMENT ON EVENT TRIGGER dp_hardening IS 'says at once when a command opens again what dp.harden() has closed';
COMMENT ON CAST (text AS dp_mechanism) IS 'reads the name or name(key=value, ...) of a mechanism';
COMMENT ON CAST (varchar AS dp_mechanism) IS 'reads the name or name(key=value, ...) of a mechanism';
COMMENT ON OPERATOR CLASS dp_mechanism_ops USING btree IS 'the order of the texts of mechanisms, byte by byte, for DISTINCT';
COMMENT ON OPERATOR FAMILY dp_mechanism_ops USING btree IS 'the order of the texts of mechanisms, byte by byte, for DISTINCT';
-- Vectors.
CREATE TYPE dp_totals AS (
    "rows" bigint, count bigint, sum numeric, avg float8, rows_error float8, count_error float8, sum_error float8, avg_error
    float8);
COMMENT ON TYPE dp_totals IS
    'private answers from one vector: rows, values that are not NULL, their sum and average, and how far off each is in 95 of 100 cases';

CREATE TYPE dp_moments AS (
    "rows" bigint, count bigint, sum numeric, avg float8, variance float8, stddev float8, var_pop float8, stddev_pop float8,
    rows_error float8, count_error float8, sum_error float8, avg_error float8, variance_error float8, stddev_error float8,
    var_pop_error float8, stddev_pop_error float8);
COMMENT ON TYPE dp_moments IS
    'private answers from one vector: those of dp_totals, and variance, stddev, var_pop and stddev_pop';

-- dp_totals: value, lower, upper, epsilon [, mechanism]
CREATE FUNCTION dp_internal.dp_totals_add(internal, int2, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_totals_add(internal, int2, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_totals_add(internal, int4, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_totals_add(internal, int4, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_totals_add(internal, int8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_totals_add(internal, int8, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_totals_add(internal, float8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_totals_add(internal, float8, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_totals_add(internal, numeric, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_totals_add(internal, numeric, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_totals_answer(internal) RETURNS dp_totals
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';

CREATE AGGREGATE dp_totals(value int2, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_totals_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_totals_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_totals(int2, float8, float8, float8) IS
    'private rows (count(*)), count, sum and avg of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

CREATE AGGREGATE dp_totals(value int2, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_totals_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_totals_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_totals(int2, float8, float8, float8, dp_mechanism) IS
    'private rows (count(*)), count, sum and avg of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

CREATE AGGREGATE dp_totals(value int4, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_totals_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_totals_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_totals(int4, float8, float8, float8) IS
    'private rows (count(*)), count, sum and avg of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

CREATE AGGREGATE dp_totals(value int4, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_totals_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_totals_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_totals(int4, float8, float8, float8, dp_mechanism) IS
    'private rows (count(*)), count, sum and avg of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

CREATE AGGREGATE dp_totals(value int8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_totals_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_totals_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_totals(int8, float8, float8, float8) IS
    'private rows (count(*)), count, sum and avg of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

CREATE AGGREGATE dp_totals(value int8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_totals_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_totals_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_totals(int8, float8, float8, float8, dp_mechanism) IS
    'private rows (count(*)), count, sum and avg of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

CREATE AGGREGATE dp_totals(value float8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_totals_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_totals_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_totals(float8, float8, float8, float8) IS
    'private rows (count(*)), count, sum and avg of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

CREATE AGGREGATE dp_totals(value float8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_totals_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_totals_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_totals(float8, float8, float8, float8, dp_mechanism) IS
    'private rows (count(*)), count, sum and avg of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

CREATE AGGREGATE dp_totals(value numeric, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_totals_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_totals_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_totals(numeric, float8, float8, float8) IS
    'private rows (count(*)), count, sum and avg of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

CREATE AGGREGATE dp_totals(value numeric, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_totals_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_totals_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_totals(numeric, float8, float8, float8, dp_mechanism) IS
    'private rows (count(*)), count, sum and avg of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

-- dp_moments: value, lower, upper, epsilon [, mechanism]
CREATE FUNCTION dp_internal.dp_allmoments_add(internal, int2, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_allmoments_add(internal, int2, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_allmoments_add(internal, int4, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_allmoments_add(internal, int4, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_allmoments_add(internal, int8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_allmoments_add(internal, int8, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_allmoments_add(internal, float8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_allmoments_add(internal, float8, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_allmoments_add(internal, numeric, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_allmoments_add(internal, numeric, float8, float8, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_allmoments_answer(internal) RETURNS dp_moments
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';

CREATE AGGREGATE dp_moments(value int2, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_allmoments_add, STYPE = internal, SSPACE = 64, FINALFUNC = dp_internal.dp_allmoments_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_moments(int2, float8, float8, float8) IS
    'private rows (count(*)), count, sum, avg, variance, stddev, var_pop and stddev_pop of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

CREATE AGGREGATE dp_moments(value int2, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_allmoments_add, STYPE = internal, SSPACE = 64, FINALFUNC = dp_internal.dp_allmoments_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_moments(int2, float8, float8, float8, dp_mechanism) IS
    'private rows (count(*)), count, sum, avg, variance, stddev, var_pop and stddev_pop of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

CREATE AGGREGATE dp_moments(value int4, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_allmoments_add, STYPE = internal, SSPACE = 64, FINALFUNC = dp_internal.dp_allmoments_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_moments(int4, float8, float8, float8) IS
    'private rows (count(*)), count, sum, avg, variance, stddev, var_pop and stddev_pop of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

CREATE AGGREGATE dp_moments(value int4, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_allmoments_add, STYPE = internal, SSPACE = 64, FINALFUNC = dp_internal.dp_allmoments_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_moments(int4, float8, float8, float8, dp_mechanism) IS
    'private rows (count(*)), count, sum, avg, variance, stddev, var_pop and stddev_pop of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

CREATE AGGREGATE dp_moments(value int8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_allmoments_add, STYPE = internal, SSPACE = 64, FINALFUNC = dp_internal.dp_allmoments_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_moments(int8, float8, float8, float8) IS
    'private rows (count(*)), count, sum, avg, variance, stddev, var_pop and stddev_pop of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

CREATE AGGREGATE dp_moments(value int8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_allmoments_add, STYPE = internal, SSPACE = 64, FINALFUNC = dp_internal.dp_allmoments_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_moments(int8, float8, float8, float8, dp_mechanism) IS
    'private rows (count(*)), count, sum, avg, variance, stddev, var_pop and stddev_pop of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

CREATE AGGREGATE dp_moments(value float8, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_allmoments_add, STYPE = internal, SSPACE = 64, FINALFUNC = dp_internal.dp_allmoments_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_moments(float8, float8, float8, float8) IS
    'private rows (count(*)), count, sum, avg, variance, stddev, var_pop and stddev_pop of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

CREATE AGGREGATE dp_moments(value float8, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_allmoments_add, STYPE = internal, SSPACE = 64, FINALFUNC = dp_internal.dp_allmoments_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_moments(float8, float8, float8, float8, dp_mechanism) IS
    'private rows (count(*)), count, sum, avg, variance, stddev, var_pop and stddev_pop of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

CREATE AGGREGATE dp_moments(value numeric, lower float8, upper float8, epsilon float8) (
    SFUNC = dp_internal.dp_allmoments_add, STYPE = internal, SSPACE = 64, FINALFUNC = dp_internal.dp_allmoments_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_moments(numeric, float8, float8, float8) IS
    'private rows (count(*)), count, sum, avg, variance, stddev, var_pop and stddev_pop of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';

CREATE AGGREGATE dp_moments(value numeric, lower float8, upper float8, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_allmoments_add, STYPE = internal, SSPACE = 64, FINALFUNC = dp_internal.dp_allmoments_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_moments(numeric, float8, float8, float8, dp_mechanism) IS
    'private rows (count(*)), count, sum, avg, variance, stddev, var_pop and stddev_pop of values, each clamped to lower .. upper, at the price of one answer; NULL counts in rows alone, NaN as upper';
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
CREATE FUNCTION dp_internal.function_facts(OUT function regprocedure, OUT total_form text, OUT lowest bigint, OUT highest bigint, OUT never_null boolean) RETURNS SETOF record
    LANGUAGE c STABLE STRICT PARALLEL SAFE ROWS 900 AS 'MODULE_PATHNAME', 'dp_function_facts';
COMMENT ON FUNCTION dp_internal.function_facts() IS
    'what is known of functions: the name of the form that gives NULL in the place of an error; between which numbers the values lie,
    whatever the arguments; whether there is a value for all of them';
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
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['totals', 'moments'] LOOP
        EXECUTE format('CREATE FUNCTION dp_internal.dp_incomplete_answer_%1$s(internal) RETURNS dp_%1$s LANGUAGE c PARALLEL SAFE '
            'AS ''MODULE_PATHNAME'', ''dp_incomplete_answer''', name);
        EXECUTE format('CREATE AGGREGATE dp_%1$s(VARIADIC "any") (SFUNC = dp_internal.dp_incomplete_add, STYPE = internal, '
            'FINALFUNC = dp_internal.dp_incomplete_answer_%1$s, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED)', name);
        EXECUTE format('COMMENT ON AGGREGATE dp_%s("any") IS ''says which parameters are missing''', name);
    END LOOP;
END
$$;
CREATE FUNCTION dp_internal.unit_of_row() RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_unit_of_row';
CREATE FUNCTION dp_internal.group_weight(groups bigint) RETURNS bigint
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_group_weight';
COMMENT ON FUNCTION dp_internal.group_weight(bigint) IS
    'how much a privacy unit that is in so many groups, of which 128 count, adds to each where groups are chosen privately';
COMMENT ON FUNCTION dp_internal.unit_of_row() IS 'a number for each row that is a privacy unit of its own';
CREATE FUNCTION dp_internal.unit_takes(unit "any", value "any", hash bigint, most bigint) RETURNS boolean
    LANGUAGE c IMMUTABLE WINDOW PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_unit_takes';
COMMENT ON FUNCTION dp_internal.unit_takes("any", "any", bigint, bigint) IS
    'whether a privacy unit counts that value: one that no unit before it has taken, and at most so many; over units one after the other';

-- dp_quantiles: value, fractions, lower, upper, epsilon [, mechanism].
CREATE FUNCTION dp_internal.dp_quantiles_answer(internal) RETURNS float8[]
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
DO $$
DECLARE
    parameters text;
    types text;
    value text;
BEGIN
    FOREACH value IN ARRAY ARRAY['int2', 'int4', 'int8', 'float8', 'numeric'] LOOP
        FOREACH parameters IN ARRAY ARRAY['', ', mechanism dp_mechanism'] LOOP
            types := value || ', float8[], float8, float8, float8' || replace(parameters, ' mechanism', '');
            EXECUTE format('CREATE FUNCTION dp_internal.dp_quantiles_add(internal, %s) RETURNS internal LANGUAGE c PARALLEL SAFE '
                'AS ''MODULE_PATHNAME''', types);
            EXECUTE format('CREATE AGGREGATE dp_quantiles(value %s, fractions float8[], lower float8, upper float8, epsilon float8%s) ('
                'SFUNC = dp_internal.dp_quantiles_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_quantiles_answer, '
                'FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine, '
                'SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize)', value, parameters);
            EXECUTE format('COMMENT ON AGGREGATE dp_quantiles(%s) IS ''several private quantiles of values, each clamped to lower .. '
                'upper, in the order of their fractions: points of a grid between them, for one price''', types);
        END LOOP;
    END LOOP;
END
$$;
CREATE AGGREGATE dp_quantiles(VARIADIC "any") (SFUNC = dp_internal.dp_incomplete_add, STYPE = internal,
    FINALFUNC = dp_internal.dp_incomplete_answer_floats, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_quantiles("any") IS 'says which parameters are missing';

CREATE FUNCTION dp_relax_response(true_value anycompatible, response anycompatible, categories anycompatiblearray, eps1 float8, eps2 float8)
    RETURNS anycompatible LANGUAGE c VOLATILE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_relax_response(anycompatible, anycompatible, anycompatiblearray, float8, float8) IS
    'a response at eps2 that continues the one stored at eps1: both together lose eps2; store it in place of the first';
CREATE FUNCTION dp_unary_report(value anycompatible, categories anycompatiblearray, epsilon float8) RETURNS bit varying
    LANGUAGE c VOLATILE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_unary_report(anycompatible, anycompatiblearray, float8) IS
    'a bit for each category, the value''s own set, every bit randomised: local differential privacy';
CREATE FUNCTION dp_relax_unary_report(true_value anycompatible, report bit varying, categories anycompatiblearray, eps1 float8, eps2 float8)
    RETURNS bit varying LANGUAGE c VOLATILE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_relax_unary_report(anycompatible, bit varying, anycompatiblearray, float8, float8) IS
    'a report at eps2 that continues the one stored at eps1: both together lose eps2; store it in place of the first';
CREATE FUNCTION dp_bloom_report(value text, bits int4, hashes int4, epsilon float8) RETURNS bit varying
    LANGUAGE c VOLATILE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_bloom_report(text, int4, int4, float8) IS
    'the Bloom filter of a text, every bit randomised: local differential privacy';
CREATE FUNCTION dp_relax_bloom_report(true_value text, report bit varying, hashes int4, eps1 float8, eps2 float8) RETURNS bit varying
    LANGUAGE c VOLATILE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_relax_bloom_report(text, bit varying, int4, float8, float8) IS
    'a report at eps2 that continues the one stored at eps1: both together lose eps2; store it in place of the first';
CREATE FUNCTION dp_internal.dp_unary_add(internal, bit varying, anycompatiblearray, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_internal.dp_unary_add(internal, bit varying, anycompatiblearray, float8) IS
    'takes a row into the state of an aggregate';
CREATE FUNCTION dp_internal.dp_unary_answer(internal) RETURNS dp_rr_estimate[]
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_internal.dp_unary_answer(internal) IS 'the answer of an aggregate from its state';
CREATE AGGREGATE dp_unary_histogram(report bit varying, categories anycompatiblearray, epsilon float8) (
    SFUNC = dp_internal.dp_unary_add, STYPE = internal, SSPACE = 256, FINALFUNC = dp_internal.dp_unary_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_unary_histogram(bit varying, anycompatiblearray, float8) IS
    'estimated numbers of true answers from reports of dp_unary_report with the same categories and epsilon; it adds no noise of its own';
CREATE FUNCTION dp_internal.dp_bloom_add(internal, bit varying, text[], int4, int4, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_internal.dp_bloom_add(internal, bit varying, text[], int4, int4, float8) IS
    'takes a row into the state of an aggregate';
CREATE FUNCTION dp_internal.dp_bloom_answer(internal) RETURNS dp_rr_estimate[]
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_internal.dp_bloom_answer(internal) IS 'the answer of an aggregate from its state';
CREATE AGGREGATE dp_bloom_histogram(report bit varying, candidates text[], bits int4, hashes int4, epsilon float8) (
    SFUNC = dp_internal.dp_bloom_add, STYPE = internal, SSPACE = 1024, FINALFUNC = dp_internal.dp_bloom_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_bloom_histogram(bit varying, text[], int4, int4, float8) IS
    'estimated numbers of people with each of these texts, from reports of dp_bloom_report with the same bits, hashes and epsilon; '
    'it adds no noise of its own';
-- dp_min and dp_max: value, lower, upper, epsilon [, mechanism].
CREATE FUNCTION dp_internal.dp_end_answer(internal) RETURNS float8
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
DO $$
DECLARE
    parameters text;
    place text;
    types text;
    value text;
BEGIN
    FOREACH value IN ARRAY ARRAY['int2', 'int4', 'int8', 'float8', 'numeric'] LOOP
        FOREACH parameters IN ARRAY ARRAY['', ', mechanism dp_mechanism'] LOOP
            types := value || ', float8, float8, float8' || replace(parameters, ' mechanism', '');
            FOREACH place IN ARRAY ARRAY['min', 'max'] LOOP
                EXECUTE format('CREATE FUNCTION dp_internal.dp_%s_add(internal, %s) RETURNS internal LANGUAGE c PARALLEL SAFE '
                    'AS ''MODULE_PATHNAME''', place, types);
                EXECUTE format('CREATE AGGREGATE dp_%1$s(value %2$s, lower float8, upper float8, epsilon float8%3$s) ('
                    'SFUNC = dp_internal.dp_%1$s_add, STYPE = internal, SSPACE = 32024, FINALFUNC = dp_internal.dp_end_answer, '
                    'FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine, '
                    'SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize)', place, value, parameters);
                EXECUTE format('COMMENT ON AGGREGATE dp_%s(%s) IS ''a point between lower and upper %s which few values lie: in 95 '
                    'of 100 answers at least one and fewer than 46/epsilon''', place, types, CASE place WHEN 'min' THEN 'up to' ELSE 'from' END);
            END LOOP;
        END LOOP;
    END LOOP;
END
$$;
CREATE AGGREGATE dp_min(VARIADIC "any") (
    SFUNC = dp_internal.dp_incomplete_add, STYPE = internal, FINALFUNC = dp_internal.dp_incomplete_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_min("any") IS 'says which parameters are missing';
CREATE AGGREGATE dp_max(VARIADIC "any") (
    SFUNC = dp_internal.dp_incomplete_add, STYPE = internal, FINALFUNC = dp_internal.dp_incomplete_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_max("any") IS 'says which parameters are missing';

-- dp_cumulative: value, lower, upper, buckets, epsilon [, mechanism]; and what it says.
CREATE TYPE dp_cumulative AS (lower float8, upper float8, counts bigint[], tree integer, noise float8);
COMMENT ON TYPE dp_cumulative IS
    'rows below the end of each bucket, with the bounds, how they were released (0: by a square root, with Gaussian noise; else by a '
    'tree of so many branches) and the standard deviation of the noise of each number of that';

CREATE FUNCTION dp_internal.dp_cumulative_add(internal, float8, float8, float8, integer, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_cumulative_add(internal, float8, float8, float8, integer, float8, dp_mechanism) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_cumulative_answer(internal) RETURNS dp_cumulative
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';

CREATE AGGREGATE dp_cumulative(value float8, lower float8, upper float8, buckets integer, epsilon float8) (
    SFUNC = dp_internal.dp_cumulative_add, STYPE = internal, SSPACE = 2064, FINALFUNC = dp_internal.dp_cumulative_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_cumulative(float8, float8, float8, integer, float8) IS
    'private numbers of rows below the ends of buckets of equal width, values clamped to lower .. upper: ranges and quantiles from one answer';

CREATE AGGREGATE dp_cumulative(value float8, lower float8, upper float8, buckets integer, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_cumulative_add, STYPE = internal, SSPACE = 2064, FINALFUNC = dp_internal.dp_cumulative_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_cumulative(float8, float8, float8, integer, float8, dp_mechanism) IS
    'private numbers of rows below the ends of buckets of equal width, values clamped to lower .. upper: ranges and quantiles from one answer';

-- What it says. All of this is post-processing, and costs nothing.
CREATE FUNCTION dp_cumulative_count(curve dp_cumulative, value float8) RETURNS bigint
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_cumulative_count(dp_cumulative, float8) IS
    'rows below the value; within a bucket as if its rows were spread evenly; all rows from the upper bound on';

CREATE FUNCTION dp_cumulative_range(curve dp_cumulative, "from" float8, "to" float8) RETURNS bigint
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_cumulative_range(dp_cumulative, float8, float8) IS 'rows from the one value on that lie below the other';

CREATE FUNCTION dp_cumulative_quantile(curve dp_cumulative, fraction float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_cumulative_quantile(dp_cumulative, float8) IS
    'the value below which that part of the rows lies, by counts that rise; NULL where there seem to be no rows';

CREATE FUNCTION dp_cumulative_interval(curve dp_cumulative, fraction float8, confidence float8 DEFAULT 0.95, OUT lower float8, OUT upper float8)
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_cumulative_interval(dp_cumulative, float8, float8) IS
    'ends of buckets between which that quantile lies, with that confidence';

CREATE FUNCTION dp_cumulative_error(curve dp_cumulative, value float8) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_cumulative_error(dp_cumulative, float8) IS
    'how far the number of rows below the value is off in 95 of 100 cases';

CREATE FUNCTION dp_cumulative_error(curve dp_cumulative, "from" float8, "to" float8, confidence float8 DEFAULT 0.95) RETURNS float8
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_cumulative_error_of_range';
COMMENT ON FUNCTION dp_cumulative_error(dp_cumulative, float8, float8, float8) IS
    'how far the number of rows between the values is off, with that confidence';

CREATE FUNCTION dp_cumulative_points(
    curve dp_cumulative, confidence float8 DEFAULT 0.95, OUT value float8, OUT count bigint, OUT share float8, OUT error float8)
    RETURNS SETOF record
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_cumulative_points(dp_cumulative, float8) IS
    'the end of each bucket, the rows below it, their part of all rows, and how far the count is off with that confidence';

CREATE FUNCTION dp_cumulative_monotone(curve dp_cumulative) RETURNS dp_cumulative
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_cumulative_monotone(dp_cumulative) IS
    'the same with counts that rise and are not negative: the nearest such ones, by their variances (pool adjacent violators)';

CREATE FUNCTION dp_internal.dp_incomplete_answer_cumulative(internal) RETURNS dp_cumulative
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_incomplete_answer';
CREATE AGGREGATE dp_cumulative(value float8, lower float8, upper float8, buckets integer) (
    SFUNC = dp_internal.dp_incomplete_add, STYPE = internal, FINALFUNC = dp_internal.dp_incomplete_answer_cumulative,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_cumulative(float8, float8, float8, integer) IS
    'private numbers of rows below the ends of buckets of equal width between lower and upper; epsilon from the settings';
CREATE AGGREGATE dp_cumulative(VARIADIC "any") (
    SFUNC = dp_internal.dp_incomplete_add, STYPE = internal, FINALFUNC = dp_internal.dp_incomplete_answer_cumulative,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_cumulative("any") IS 'says which parameters are missing';

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

-- Rows of several servers (src/aggregate/call/shard_aggregates.h, src/guard/unit_limit/over_shards.h): each server makes a part of its rows, which
-- another one adds up. What makes a part may be called by itself, by whoever may read the rows; what adds up and draws noise refuses.

CREATE FUNCTION dp_internal.dp_shard_part_add(internal, VARIADIC "any") RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_shard_part_answer(internal) RETURNS bytea
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_shard_total_add(internal, VARIADIC "any") RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';

CREATE AGGREGATE dp_internal.shard_part(VARIADIC "any") (
    SFUNC = dp_internal.dp_shard_part_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_shard_part_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_internal.shard_part("any") IS
    'the rows that one server has of a group, for an aggregate of private queries of another server';

-- Where they are on several, each makes a part of the rows that it has of the unit: the state of these together, which is limited here.
CREATE AGGREGATE dp_internal.unit_of_parts(VARIADIC "any") (
    SFUNC = dp_internal.dp_shard_total_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_part_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.unit_of_parts("any") IS
    'the rows of one privacy unit in one group from parts of several servers, for an aggregate of private queries';

-- Where all rows of a privacy unit are on one server, that one limits them. It keeps all units in one process.
CREATE FUNCTION dp_internal.dp_shard_units_answer(internal) RETURNS bytea
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE AGGREGATE dp_internal.shard_units(VARIADIC "any") (
    SFUNC = dp_internal.dp_units_add, STYPE = internal, FINALFUNC = dp_internal.dp_shard_units_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.shard_units("any") IS
    'what counts of the privacy units whose rows one server has, for an aggregate of private queries of another server';
CREATE FUNCTION dp_internal.in_hash_part(modulus integer, remainder integer, value anyelement) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_in_hash_part';
COMMENT ON FUNCTION dp_internal.in_hash_part(integer, integer, anyelement) IS
    'whether a row with that value belongs to that partition of a table which is partitioned by its hash';

CREATE FUNCTION dp_internal.dp_shard_total_answer_bigint(internal) RETURNS bigint
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_shard_total_answer';
CREATE AGGREGATE dp_internal.shard_bigint(VARIADIC "any") (
    SFUNC = dp_internal.dp_shard_total_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_shard_total_answer_bigint,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.shard_bigint("any") IS 'the private answer from parts of several servers';

CREATE FUNCTION dp_internal.dp_shard_total_answer_numeric(internal) RETURNS numeric
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_shard_total_answer';
CREATE AGGREGATE dp_internal.shard_numeric(VARIADIC "any") (
    SFUNC = dp_internal.dp_shard_total_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_shard_total_answer_numeric,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.shard_numeric("any") IS 'the private answer from parts of several servers';

CREATE FUNCTION dp_internal.dp_shard_total_answer_float8(internal) RETURNS float8
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_shard_total_answer';
CREATE AGGREGATE dp_internal.shard_float8(VARIADIC "any") (
    SFUNC = dp_internal.dp_shard_total_add, STYPE = internal, SSPACE = 48, FINALFUNC = dp_internal.dp_shard_total_answer_float8,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.shard_float8("any") IS 'the private answer from parts of several servers';

CREATE FUNCTION dp_internal.dp_shard_total_answer_bigints(internal) RETURNS bigint[]
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_shard_total_answer';
CREATE AGGREGATE dp_internal.shard_bigints(VARIADIC "any") (
    SFUNC = dp_internal.dp_shard_total_add, STYPE = internal, FINALFUNC = dp_internal.dp_shard_total_answer_bigints,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.shard_bigints("any") IS 'the private answer from parts of several servers';

CREATE FUNCTION dp_internal.dp_shard_total_answer_float8s(internal) RETURNS float8[]
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_shard_total_answer';
CREATE AGGREGATE dp_internal.shard_float8s(VARIADIC "any") (
    SFUNC = dp_internal.dp_shard_total_add, STYPE = internal, FINALFUNC = dp_internal.dp_shard_total_answer_float8s,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.shard_float8s("any") IS 'the private answer from parts of several servers';

CREATE FUNCTION dp_internal.dp_shard_total_answer_totals(internal) RETURNS dp_totals
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_shard_total_answer';
CREATE AGGREGATE dp_internal.shard_totals(VARIADIC "any") (
    SFUNC = dp_internal.dp_shard_total_add, STYPE = internal, SSPACE = 64, FINALFUNC = dp_internal.dp_shard_total_answer_totals,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.shard_totals("any") IS 'the private answer from parts of several servers';

CREATE FUNCTION dp_internal.dp_shard_total_answer_moments(internal) RETURNS dp_moments
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_shard_total_answer';
CREATE AGGREGATE dp_internal.shard_moments(VARIADIC "any") (
    SFUNC = dp_internal.dp_shard_total_add, STYPE = internal, SSPACE = 64, FINALFUNC = dp_internal.dp_shard_total_answer_moments,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.shard_moments("any") IS 'the private answer from parts of several servers';

CREATE FUNCTION dp_internal.dp_shard_total_answer_cumulative(internal) RETURNS dp_cumulative
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_shard_total_answer';
CREATE AGGREGATE dp_internal.shard_cumulative(VARIADIC "any") (
    SFUNC = dp_internal.dp_shard_total_add, STYPE = internal, FINALFUNC = dp_internal.dp_shard_total_answer_cumulative,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.shard_cumulative("any") IS 'the private answer from parts of several servers';

-- The same by groups that the other server sends (src/aggregate/call/shard_groups.h).
CREATE FUNCTION dp_internal.dp_shard_row_answer(internal) RETURNS bigint
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_shard_groups_answer(internal) RETURNS bytea
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_shard_groups_add(internal, VARIADIC "any") RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE AGGREGATE dp_internal.shard_row(anyelement, VARIADIC "any") (
    SFUNC = dp_internal.dp_units_row_add, STYPE = internal, FINALFUNC = dp_internal.dp_shard_row_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.shard_row(anyelement, "any") IS
    'finds the privacy unit and the group of a row, among the groups that another server has sent';
CREATE AGGREGATE dp_internal.shard_groups(VARIADIC "any") (
    SFUNC = dp_internal.dp_groups_add, STYPE = internal, FINALFUNC = dp_internal.dp_shard_groups_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.shard_groups("any") IS
    'what counts in each group of the privacy units whose rows one server has, for an aggregate of private queries of another server';

CREATE AGGREGATE dp_internal.shard_groups_bigint(VARIADIC "any") (
    SFUNC = dp_internal.dp_shard_groups_add, STYPE = internal, FINALFUNC = dp_internal.dp_groups_answer_bigint,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.shard_groups_bigint("any") IS 'the private answers of known groups from parts of several servers';

CREATE AGGREGATE dp_internal.shard_groups_bigints(VARIADIC "any") (
    SFUNC = dp_internal.dp_shard_groups_add, STYPE = internal, FINALFUNC = dp_internal.dp_groups_answer_bigints,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.shard_groups_bigints("any") IS 'the private answers of known groups from parts of several servers';

CREATE AGGREGATE dp_internal.shard_groups_numeric(VARIADIC "any") (
    SFUNC = dp_internal.dp_shard_groups_add, STYPE = internal, FINALFUNC = dp_internal.dp_groups_answer_numeric,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.shard_groups_numeric("any") IS 'the private answers of known groups from parts of several servers';

CREATE AGGREGATE dp_internal.shard_groups_float8(VARIADIC "any") (
    SFUNC = dp_internal.dp_shard_groups_add, STYPE = internal, FINALFUNC = dp_internal.dp_groups_answer_float8,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.shard_groups_float8("any") IS 'the private answers of known groups from parts of several servers';

CREATE AGGREGATE dp_internal.shard_groups_totals(VARIADIC "any") (
    SFUNC = dp_internal.dp_shard_groups_add, STYPE = internal, FINALFUNC = dp_internal.dp_groups_answer_totals,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.shard_groups_totals("any") IS 'the private answers of known groups from parts of several servers';

CREATE AGGREGATE dp_internal.shard_groups_moments(VARIADIC "any") (
    SFUNC = dp_internal.dp_shard_groups_add, STYPE = internal, FINALFUNC = dp_internal.dp_groups_answer_moments,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_internal.shard_groups_moments("any") IS 'the private answers of known groups from parts of several servers';

-- dp_histogram of two values: x, y, x_lower, x_upper, x_buckets, y_lower, y_upper, y_buckets, epsilon [, mechanism].
-- A row of counts for each bucket of x, in it a count for each bucket of y (src/aggregate/kinds/histogram.cpp).
CREATE FUNCTION dp_internal.dp_cells_add(internal, float8, float8, float8, float8, integer, float8, float8, integer, float8)
    RETURNS internal LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_cells_add(internal, float8, float8, float8, float8, integer, float8, float8, integer, float8, dp_mechanism)
    RETURNS internal LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';

CREATE AGGREGATE dp_histogram(x float8, y float8, x_lower float8, x_upper float8, x_buckets integer, y_lower float8, y_upper float8,
    y_buckets integer, epsilon float8) (
    SFUNC = dp_internal.dp_cells_add, STYPE = internal, SSPACE = 2064, FINALFUNC = dp_internal.dp_histogram_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_histogram(float8, float8, float8, float8, integer, float8, float8, integer, float8) IS
    'private counts of pairs: a row for each bucket of x, in it a count for each bucket of y; for the price of one count';

CREATE AGGREGATE dp_histogram(x float8, y float8, x_lower float8, x_upper float8, x_buckets integer, y_lower float8, y_upper float8,
    y_buckets integer, epsilon float8, mechanism dp_mechanism) (
    SFUNC = dp_internal.dp_cells_add, STYPE = internal, SSPACE = 2064, FINALFUNC = dp_internal.dp_histogram_answer,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, COMBINEFUNC = dp_internal.dp_state_combine,
    SERIALFUNC = dp_internal.dp_state_serialize, DESERIALFUNC = dp_internal.dp_state_deserialize);
COMMENT ON AGGREGATE dp_histogram(float8, float8, float8, float8, integer, float8, float8, integer, float8, dp_mechanism) IS
    'private counts of pairs: a row for each bucket of x, in it a count for each bucket of y; for the price of one count';

CREATE FUNCTION dp_internal.dp_incomplete_add(internal, float8, float8, float8, float8, integer, float8, float8, integer) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE AGGREGATE dp_histogram(x float8, y float8, x_lower float8, x_upper float8, x_buckets integer, y_lower float8, y_upper float8,
    y_buckets integer) (
    SFUNC = dp_internal.dp_incomplete_add, STYPE = internal, FINALFUNC = dp_internal.dp_incomplete_answer_bigints,
    FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE dp_histogram(float8, float8, float8, float8, integer, float8, float8, integer) IS
    'private counts of pairs: a row for each bucket of x, in it a count for each bucket of y; epsilon from the settings';

-- The most frequent categories, and how frequent they are, read off an answer of dp_histogram.
--
-- Private top-k selection (D. Durfee, R. Rogers, "Practical Differentially Private Top-k Selection with Pay-what-you-get Composition",
-- NeurIPS 2019) adds Gumbel noise of scale k/epsilon to all counts at once and names the k largest: k choices of the exponential
-- mechanism, one after the other, at epsilon/k each. The counts of those that were chosen cost as much again. Here a row lies in one
-- category, and adds one to one count. So the whole noisy histogram is epsilon-DP with noise of scale 1/epsilon on each count, as
-- dp_histogram adds it; what is computed from it alone is epsilon-DP as well, whatever k is. That is the same order at about a k-th of
-- the noise, with the counts for nothing, and the same answer says the first three and the first ten. Where k rows of a privacy unit
-- count, dp_histogram has noise for k rows.
CREATE FUNCTION dp_top_k(counts bigint[], categories anyarray, k integer, OUT value anyelement, OUT count bigint) RETURNS SETOF record
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE ROWS 10 AS $$
BEGIN
    IF categories IS NULL OR k IS NULL THEN
        RAISE EXCEPTION '% of dp_top_k must not be NULL', CASE WHEN k IS NULL THEN 'k' ELSE 'categories' END
            USING ERRCODE = '22023', HINT = 'For example SELECT * FROM dp_top_k((SELECT dp_histogram(ward, ARRAY[''a'', ''b''], 0.5) FROM visits), ARRAY[''a'', ''b''], 1);';
    END IF;
    IF k < 1 THEN
        RAISE EXCEPTION 'k of dp_top_k must be at least 1, not %', k USING ERRCODE = '22023', HINT = 'Say how many values to show, for example 10.';
    END IF;
    IF counts IS NULL THEN
        RETURN;
    END IF;
    IF pg_catalog.array_ndims(counts) > 1 OR pg_catalog.array_ndims(categories) > 1 THEN
        RAISE EXCEPTION '% of dp_top_k must be a list, not an array of two dimensions',
                CASE WHEN pg_catalog.array_ndims(counts) > 1 THEN 'counts' ELSE 'categories' END
            USING ERRCODE = '22023', HINT = 'Give the answer of dp_histogram over one column, and its categories.';
    END IF;
    IF pg_catalog.cardinality(counts) <> pg_catalog.cardinality(categories) THEN
        RAISE EXCEPTION 'dp_top_k has % counts for % categories', pg_catalog.cardinality(counts), pg_catalog.cardinality(categories)
            USING ERRCODE = '22023', HINT = 'Give all categories of dp_histogram, in the same order.';
    END IF;
    RETURN QUERY SELECT listed.category, listed.n FROM ROWS FROM (pg_catalog.unnest(categories), pg_catalog.unnest(counts)) WITH ORDINALITY AS listed(category, n, place)
        ORDER BY listed.n DESC NULLS LAST, listed.place LIMIT k;
END
$$;
COMMENT ON FUNCTION dp_top_k(bigint[], anyarray, integer) IS
    'the most frequent categories with their counts, from an answer of dp_histogram and its categories; costs nothing more';

-- Pairs: how two columns go together, from one noisy vector at the price of one answer (src/core/accumulate/pairs.h).

CREATE TYPE dp_covariance AS (
    "rows" bigint, count bigint, avgx float8, avgy float8, sxy float8, covar_pop float8, covar_samp float8,
    rows_error float8, count_error float8, avgx_error float8, avgy_error float8, sxy_error float8, covar_pop_error float8,
    covar_samp_error float8);
COMMENT ON TYPE dp_covariance IS
    'private answers from one vector: rows, rows that have both y and x, of these the averages, sum of products and covariances, and how far off each is in 95 of 100 cases';

CREATE TYPE dp_regression AS (
    "rows" bigint, count bigint, avgx float8, avgy float8, sxy float8, covar_pop float8, covar_samp float8, sxx float8, syy float8,
    corr float8, r2 float8, slope float8, intercept float8,
    rows_error float8, count_error float8, avgx_error float8, avgy_error float8, sxy_error float8, covar_pop_error float8,
    covar_samp_error float8, sxx_error float8, syy_error float8, corr_error float8, r2_error float8, slope_error float8,
    intercept_error float8);
COMMENT ON TYPE dp_regression IS
    'private answers from one vector: those of dp_covariance, and sums of squares, correlation, its square, slope and intercept of the line by which y follows x';

-- y, x, y_lower, y_upper, x_lower, x_upper, epsilon [, mechanism]
CREATE FUNCTION dp_internal.dp_covariance_add(internal, float8, float8, float8, float8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_covariance_add(internal, float8, float8, float8, float8, float8, float8, float8, dp_mechanism)
    RETURNS internal LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_regression_add(internal, float8, float8, float8, float8, float8, float8, float8) RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_internal.dp_regression_add(internal, float8, float8, float8, float8, float8, float8, float8, dp_mechanism)
    RETURNS internal LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';

DO $$
DECLARE
    one record;
    mechanism text;
BEGIN
    FOR one IN SELECT * FROM (VALUES
        ('dp_covariance', 'dp_covariance', 'covariance', 'private rows (count(*)), count of pairs, avgx, avgy, sxy, covar_pop and covar_samp of y and x, at the price of one answer; NULL counts in rows alone'),
        ('dp_regr_count', 'bigint', 'covariance', 'private number of rows in which neither y nor x is NULL'),
        ('dp_regr_avgx', 'float8', 'covariance', 'private average of x, of rows in which neither y nor x is NULL'),
        ('dp_regr_avgy', 'float8', 'covariance', 'private average of y, of rows in which neither y nor x is NULL'),
        ('dp_regr_sxy', 'float8', 'covariance', 'private sum of the products of what y and x are off from their averages'),
        ('dp_covar_pop', 'float8', 'covariance', 'private population covariance of y and x'),
        ('dp_covar_samp', 'float8', 'covariance', 'private sample covariance of y and x'),
        ('dp_regression', 'dp_regression', 'regression', 'private answers of dp_covariance, and sxx, syy, corr, r2, slope and intercept of y by x, at the price of one answer'),
        ('dp_regr_sxx', 'float8', 'regression', 'private sum of the squares of what x is off from its average'),
        ('dp_regr_syy', 'float8', 'regression', 'private sum of the squares of what y is off from its average'),
        ('dp_corr', 'float8', 'regression', 'private correlation of y and x, from -1 to 1; 0 where noise leaves one of them no spread'),
        ('dp_regr_r2', 'float8', 'regression', 'private square of the correlation of y and x'),
        ('dp_regr_slope', 'float8', 'regression', 'private slope of the line by which y follows x; 0 where noise leaves x no spread'),
        ('dp_regr_intercept', 'float8', 'regression', 'private y of that line where x is 0')) AS v (name, answer, kind, comment)
    LOOP
        EXECUTE format('CREATE FUNCTION dp_internal.%s_answer(internal) RETURNS %s LANGUAGE c PARALLEL SAFE AS ''MODULE_PATHNAME''',
            one.name, one.answer);
        FOREACH mechanism IN ARRAY ARRAY['', ', mechanism dp_mechanism'] LOOP
            EXECUTE format('CREATE AGGREGATE %1$s(y float8, x float8, y_lower float8, y_upper float8, x_lower float8, x_upper float8, '
                'epsilon float8%2$s) (SFUNC = dp_internal.dp_%3$s_add, STYPE = internal, SSPACE = %4$s, '
                'FINALFUNC = dp_internal.%1$s_answer, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = SAFE, '
                'COMBINEFUNC = dp_internal.dp_state_combine, SERIALFUNC = dp_internal.dp_state_serialize, '
                'DESERIALFUNC = dp_internal.dp_state_deserialize)',
                one.name, mechanism, one.kind, CASE one.kind WHEN 'covariance' THEN 96 ELSE 176 END);
            EXECUTE format('COMMENT ON AGGREGATE %s(float8, float8, float8, float8, float8, float8, float8%s) IS %L',
                one.name, CASE mechanism WHEN '' THEN '' ELSE ', dp_mechanism' END,
                one.comment || '; each clamped to its bounds');
        END LOOP;
    END LOOP;
END
$$;

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

-- The same of pairs (25-pairs.sql).
DO $$
DECLARE
    kind text;
BEGIN
    FOREACH kind IN ARRAY ARRAY['covariance', 'regression'] LOOP
        EXECUTE format('CREATE FUNCTION dp_internal.dp_shard_total_answer_%1$s(internal) RETURNS dp_%1$s LANGUAGE c PARALLEL SAFE AS %2$L, %3$L',
            kind, 'MODULE_PATHNAME', 'dp_shard_total_answer');
        EXECUTE format('CREATE AGGREGATE dp_internal.shard_%1$s(VARIADIC "any") (SFUNC = dp_internal.dp_shard_total_add, STYPE = internal, SSPACE = %2$s, '
            'FINALFUNC = dp_internal.dp_shard_total_answer_%1$s, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED)', kind, CASE kind WHEN 'covariance' THEN 96 ELSE 176 END);
        EXECUTE format('CREATE AGGREGATE dp_internal.shard_groups_%1$s(VARIADIC "any") (SFUNC = dp_internal.dp_shard_groups_add, STYPE = internal, '
            'FINALFUNC = dp_internal.dp_groups_answer_%1$s, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED)', kind);
        EXECUTE format('COMMENT ON AGGREGATE dp_internal.shard_%s("any") IS %L', kind, 'the private answer from parts of several servers');
        EXECUTE format('COMMENT ON AGGREGATE dp_internal.shard_groups_%s("any") IS %L', kind, 'the private answers of known groups from parts of several servers');
    END LOOP;
END
$$;

-- The aggregates of pairs without epsilon, and without bounds, likewise.
DO $$
DECLARE
    name text;
    ending text;
BEGIN
    FOREACH name IN ARRAY ARRAY['covariance', 'regression'] LOOP
        EXECUTE format('CREATE FUNCTION dp_internal.dp_incomplete_answer_%1$s(internal) RETURNS dp_%1$s LANGUAGE c PARALLEL SAFE '
            'AS ''MODULE_PATHNAME'', ''dp_incomplete_answer''', name);
    END LOOP;
    FOREACH name IN ARRAY ARRAY['dp_covariance', 'dp_regression', 'dp_regr_count', 'dp_regr_avgx', 'dp_regr_avgy', 'dp_regr_sxy',
        'dp_covar_pop', 'dp_covar_samp', 'dp_regr_sxx', 'dp_regr_syy', 'dp_corr', 'dp_regr_r2', 'dp_regr_slope', 'dp_regr_intercept'] LOOP
        ending := CASE name WHEN 'dp_covariance' THEN '_covariance' WHEN 'dp_regression' THEN '_regression'
            WHEN 'dp_regr_count' THEN '_bigint' ELSE '' END;
        EXECUTE format('CREATE AGGREGATE %I(VARIADIC "any") (SFUNC = dp_internal.dp_incomplete_add, STYPE = internal, '
            'FINALFUNC = dp_internal.dp_incomplete_answer%s, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED)', name, ending);
        EXECUTE format('COMMENT ON AGGREGATE %I("any") IS ''says which parameters are missing''', name);
    END LOOP;
END
$$;

-- Tables that are filled by a private query, period by period (src/budget/publish).

CREATE TABLE dp.publication (
    publication_id bigint PRIMARY KEY,
    relation regclass NOT NULL UNIQUE,   -- the table that is filled
    owner regrole NOT NULL,              -- as whom the query runs, and whose budget pays
    query text NOT NULL,
    every interval NOT NULL,
    delay interval NOT NULL,             -- for so long after its end a period is not published
    running boolean NOT NULL,            -- counts and sums are totals of all periods so far
    settings text[] NOT NULL,            -- names and values of those under which the query was written
    next_start timestamptz NOT NULL,     -- the period that comes next
    next_end timestamptz NOT NULL,
    periods bigint NOT NULL DEFAULT 0,   -- that were published
    published_at timestamptz NOT NULL,   -- when the last of them was; before it, when the publication was made
    failures integer NOT NULL DEFAULT 0, -- attempts at the next one that ended in an error
    failed_at timestamptz,
    last_sqlstate text,
    last_error text
);

-- That a question of a period was drawn, for which charge, and where its answer is stored until the period is published: rows are
-- inserted frozen, as those of the ledger are.
CREATE TABLE dp.publication_draw (
    publication_id bigint NOT NULL,
    period_start timestamptz NOT NULL,
    answer_id bigint NOT NULL,
    question_hash bigint NOT NULL,
    ledger_seq bigint NOT NULL, -- the first entry that paid for it; 0: a period before has paid for all totals
    relation regclass NOT NULL, -- of totals, which protected table they are of; '-': they are no totals
    asked text NOT NULL,        -- and with which noise: these two stay what the first period has paid for
    errors float8[]             -- of totals, how far each may be off in 95 of 100 cases; NULL: they are no totals
);
CREATE INDEX ON dp.publication_draw (publication_id);

-- What later totals need of the periods before: of each group and aggregate the exact number, which is told to nobody, and what the
-- noisy numbers say of it (src/guard/release/running_totals.h).
CREATE TABLE dp.publication_number (
    publication_id bigint NOT NULL,
    answer_id bigint NOT NULL,
    period bigint NOT NULL, -- from 0 on
    aggregate integer NOT NULL,
    group_key text NOT NULL,
    exact bytea NOT NULL,   -- 16 bytes
    said float8 NOT NULL
);
CREATE INDEX ON dp.publication_number (publication_id);

COMMENT ON TABLE dp.publication IS 'what dp.publish() has made; dp.publications shows it';
COMMENT ON TABLE dp.publication_draw IS 'publications: which answers were drawn for which charge';
COMMENT ON TABLE dp.publication_number IS 'publications: exact numbers of the periods that running totals go on from; whoever reads them knows what is hidden';

DO $$
DECLARE
    there CONSTANT text := 'WHERE relation IN (SELECT oid FROM pg_catalog.pg_class) AND owner IN (SELECT oid FROM pg_catalog.pg_roles)';
    kept CONSTANT text := 'WHERE publication_id IN (SELECT publication_id FROM dp.publication ' || there || ')';
BEGIN
    PERFORM pg_catalog.pg_extension_config_dump('dp.publication', there);
    PERFORM pg_catalog.pg_extension_config_dump('dp.publication_draw', kept);
    PERFORM pg_catalog.pg_extension_config_dump('dp.publication_number', kept);
END
$$;

CREATE FUNCTION dp.period_start() RETURNS timestamptz
    LANGUAGE c STABLE PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_period_start';
COMMENT ON FUNCTION dp.period_start() IS
    'in the query of dp.publish(): when the period begins that is being published; elsewhere yesterday, 0:00 UTC';

CREATE FUNCTION dp.period_end() RETURNS timestamptz
    LANGUAGE c STABLE PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_period_end';
COMMENT ON FUNCTION dp.period_end() IS
    'in the query of dp.publish(): when the next period begins; elsewhere today, 0:00 UTC';

CREATE FUNCTION dp.publish(name text, query text, every interval, since timestamptz DEFAULT NULL, delay interval DEFAULT '0',
    running boolean DEFAULT false) RETURNS regclass
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_publish';
COMMENT ON FUNCTION dp.publish(text, text, interval, timestamptz, interval, boolean) IS
    'makes a table of that name, into which the query is written for each period of the calendar (by universal time) once it is over, as the '
    'current role, which pays for each period once: the query says what is in a period by dp.period_start() and dp.period_end(); since: a '
    'moment in the first period, the current one if left out; delay: for so long after its end a period is not published; running: counts '
    'and sums are totals from the first period on, which are paid once for all';

CREATE FUNCTION dp.unpublish(publication regclass) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_unpublish';
COMMENT ON FUNCTION dp.unpublish(regclass) IS 'ends a publication; its table stays as it is';

CREATE FUNCTION dp.publish_now(publication regclass) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_publish_now';
COMMENT ON FUNCTION dp.publish_now(regclass) IS
    'publishes all periods that are due, without waiting for the background worker, and says how many; what it drew stays drawn after a ROLLBACK';

CREATE FUNCTION dp.fix_column(relation regclass, column_name name) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_fix_column';
COMMENT ON FUNCTION dp.fix_column(regclass, name) IS
    'for curators: has each UPDATE refused that changes the column, so that a row counts in one period of running totals';

CREATE FUNCTION dp_internal.keeps_its_column() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'a row of table % keeps its %: it counts in one period of what is published', TG_RELID::regclass, TG_ARGV[0]
        USING ERRCODE = '55000', HINT = 'A curator may delete it and insert it anew.';
END
$$;
COMMENT ON FUNCTION dp_internal.keeps_its_column() IS 'trigger: refuses an UPDATE of a column that dp.fix_column() names';
REVOKE EXECUTE ON FUNCTION dp_internal.keeps_its_column() FROM PUBLIC;

-- After a failure it is tried again after a minute, two, four, up to an hour.
CREATE VIEW dp_internal.publication_runs AS
    SELECT p.*, greatest((p.next_end AT TIME ZONE 'UTC' + p.delay) AT TIME ZONE 'UTC',
        p.failed_at + least(interval '1 minute' * pg_catalog.power(2, least(p.failures - 1, 10)), interval '1 hour')) AS next_run
    FROM dp.publication p;
COMMENT ON VIEW dp_internal.publication_runs IS 'the rows of dp.publication, and when each is due';

CREATE VIEW dp.publications AS
    SELECT r.publication_id, r.relation, r.owner, r.query, r.every, r.delay, r.running, r.periods, r.next_start, r.next_end, r.next_run,
        CASE WHEN r.failures > 0 THEN 'failed' WHEN r.next_run <= pg_catalog.now() THEN 'due' ELSE 'waiting' END AS state,
        r.failures, r.failed_at, r.last_sqlstate, r.last_error,
        (SELECT d.errors FROM dp.publication_draw d WHERE d.publication_id = r.publication_id ORDER BY d.period_start DESC LIMIT 1) AS total_errors
    FROM dp_internal.publication_runs r
    WHERE pg_catalog.pg_has_role(r.owner, 'MEMBER') AND EXISTS (SELECT FROM pg_catalog.pg_class c WHERE c.oid = r.relation);
COMMENT ON VIEW dp.publications IS
    'what dp.publish() has made, of the roles that one is a member of: the number by which dp.ledger names it, the next period, when it is published (next_run), the last error, '
    'which is tried again then, and of totals how far each aggregate may be off in 95 of 100 cases (total_errors)';
GRANT SELECT ON dp.publications TO PUBLIC;

DO $$
DECLARE
    one record;
    said text;
BEGIN
    FOR one IN SELECT oid::regoperator AS operator FROM pg_operator WHERE oprleft = 'dp_mechanism'::regtype LOOP
        EXECUTE format('COMMENT ON OPERATOR %s IS %L', one.operator, 'compares the texts of mechanisms, byte by byte');
    END LOOP;
    FOR one IN
        SELECT p.oid::regprocedure AS function, p.proname AS name FROM pg_proc p
        WHERE p.pronamespace = 'dp_internal'::regnamespace AND p.prokind = 'f' AND obj_description(p.oid, 'pg_proc') IS NULL
    LOOP
        said := CASE
            WHEN one.name ~ '^dp_mechanism_(in|out|recv|send)$' THEN 'input or output of dp_mechanism'
            WHEN one.name ~ '^dp_mechanism_' THEN 'comparison of dp_mechanism'
            WHEN one.name ~ '_add$' THEN 'takes a row into the state of an aggregate'
            WHEN one.name ~ '_answer' THEN 'the answer of an aggregate from its state'
            WHEN one.name ~ '^dp_(state|units)_' THEN 'carries the state of an aggregate between parallel workers'
            WHEN one.name ~ '^read_' THEN 'the rows of the view of that name in schema dp'
            WHEN one.name = 'ledger_written' THEN 'trigger: makes running totals be added up anew after a write by hand'
            WHEN one.name = 'hardening_watched' THEN 'event trigger: warns when what dp.harden() has closed is open again'
            WHEN one.name = 'lagging_standbys' THEN 'asynchronous standbys, as far as the caller may see them'
        END;
        IF said IS NOT NULL THEN
            EXECUTE format('COMMENT ON FUNCTION %s IS %L', one.function, said);
        END IF;
    END LOOP;
END
$$;
DO $$
DECLARE
    support regprocedure;
BEGIN
    FOR support IN
        SELECT p.oid::regprocedure
        FROM pg_depend d JOIN pg_proc p ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid
        WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND p.prokind = 'f'
            AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'pg_dp')
            AND p.pronamespace = 'dp_internal'::regnamespace
            AND p.proname ~ '^dp_[a-z_]+_(add|answer|combine|serialize|deserialize)'
    LOOP
        EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', support);
    END LOOP;
END
$$;
DO $$
BEGIN
    IF current_setting('dp.keep_releases', true) IS NULL THEN
        RAISE WARNING 'pg_dp is not loaded at server start: nothing is answered until it is'
            USING HINT = 'Set shared_preload_libraries = ''pg_dp'' in postgresql.conf and restart the server.';
    END IF;
END
$$;
SELECT dp_internal.measure_at_creation();
DROP FUNCTION dp_internal.measure_at_creation();
