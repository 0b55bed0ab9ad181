\echo Use "ALTER EXTENSION pg_dp UPDATE" to load this file. \quit
-- 0.1.0 -> 0.2.0. Ledger, budgets, releases and what was declared stay as they are; test/fault/upgrade.sh compares all that the
-- extension consists of with a fresh one.

-- Functions that nobody calls by name leave the schemas of those that people call.
CREATE SCHEMA dp_internal;
ALTER TABLE dp.protected_table ADD answer_epsilon_nano bigint;
ALTER TABLE dp.account ADD answer_epsilon_nano bigint;

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
ALTER FUNCTION dp.unit_rows(bigint,bigint,bigint,numeric,numeric) SET SCHEMA dp_internal;
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
ALTER FUNCTION @extschema@.dp_incomplete_add(internal,"any","any") SET SCHEMA dp_internal;
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
DROP FUNCTION @extschema@.dp_collusion_error(@extschema@.dp_mechanism,double precision,integer,double precision,boolean);
DROP FUNCTION @extschema@.dp_describe(@extschema@.dp_mechanism,double precision,double precision,boolean);
DROP FUNCTION @extschema@.dp_epsilon_for(@extschema@.dp_mechanism,double precision,double precision,double precision,boolean);
DROP FUNCTION @extschema@.dp_interval(double precision,@extschema@.dp_mechanism,double precision,double precision,double precision,boolean);
DROP FUNCTION @extschema@.dp_interval(numeric,@extschema@.dp_mechanism,double precision,double precision,double precision,boolean);
DROP FUNCTION @extschema@.dp_tradeoff(@extschema@.dp_mechanism,double precision,double precision,integer,double precision,double precision,boolean);
DROP FUNCTION @extschema@.dp_usefulness(@extschema@.dp_mechanism,double precision,double precision,double precision,boolean);
DROP FUNCTION dp.grant_budget(regclass,regrole,double precision,double precision,double precision,boolean);
DROP FUNCTION dp.protect(regclass,double precision,double precision,double precision,double precision,double precision,name,integer,integer,integer);
DROP FUNCTION dp.public_values(regclass,text,anycompatiblearray);
DROP FUNCTION dp.harden(boolean);
DROP FUNCTION dp.admissible(text,regrole);

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
CREATE OR REPLACE FUNCTION dp_internal.dp_incomplete_add(internal, VARIADIC "any") RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE OR REPLACE FUNCTION dp_internal.dp_incomplete_add(internal, "any", "any") RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE OR REPLACE FUNCTION dp_internal.dp_incomplete_add(internal, "any", "any", "any") RETURNS internal
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE OR REPLACE FUNCTION dp_internal.dp_incomplete_answer_bigint(internal) RETURNS bigint
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_incomplete_answer';
CREATE OR REPLACE FUNCTION dp_internal.dp_incomplete_answer_numeric(internal) RETURNS numeric
    LANGUAGE c PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_incomplete_answer';
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
CREATE OR REPLACE FUNCTION dp.protect(relation regclass, epsilon float8, delta float8 DEFAULT 0, query_epsilon float8 DEFAULT NULL,
    group_epsilon float8 DEFAULT NULL, group_delta float8 DEFAULT NULL, privacy_unit name DEFAULT NULL,
    max_rows_per_unit integer DEFAULT NULL, max_groups_per_unit integer DEFAULT NULL, max_rows_per_group integer DEFAULT NULL,
    answer_epsilon float8 DEFAULT NULL)
    RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_protect';
CREATE OR REPLACE FUNCTION dp.grant_budget(relation regclass, role regrole, epsilon float8, delta float8 DEFAULT 0,
    query_epsilon float8 DEFAULT NULL, allow_leaks boolean DEFAULT false, answer_epsilon float8 DEFAULT NULL) RETURNS void
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
    EXECUTE pg_catalog.format('SELECT dp.public_values($1, $2, VARIADIC ARRAY(%s))', pg_catalog.regexp_replace(query, ';\s*$', '')) INTO size
        USING relation, expression;
    RETURN size;
END
$$;
CREATE OR REPLACE VIEW dp.budgets AS
    SELECT relation, role, epsilon_limit, epsilon_spent, epsilon_left, delta_limit, delta_spent, delta_left, query_epsilon_limit,
        group_epsilon, group_delta, closed,
        CASE WHEN closed OR one.epsilon > query_epsilon_limit THEN 0 ELSE floor(epsilon_left / one.epsilon)::bigint END AS answers_left
    FROM dp_internal.read_budgets(),
        (SELECT nullif(current_setting('dp.epsilon', true), '0')::float8::numeric AS epsilon) AS one;
CREATE TABLE dp.declared_range (
    relation regclass,
    column_name name,
    type regtype NOT NULL, -- of the column, without domains around it
    lower text NOT NULL,   -- in that type's text form; both ends included
    upper text NOT NULL,
    PRIMARY KEY (relation, column_name)
);
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
    OUT table_epsilon numeric, OUT table_delta numeric, OUT release_id bigint, OUT query text) RETURNS SETOF record
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
    IF EXISTS (SELECT FROM pg_trigger WHERE tgrelid = 'dp.ledger_entry'::regclass AND tgname IN ('ledger_written', 'ledger_being_written')
            AND tgenabled <> 'A') THEN
        ALTER TABLE dp.ledger_entry ENABLE ALWAYS TRIGGER ledger_written, ENABLE ALWAYS TRIGGER ledger_being_written;
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
    OUT shut_accounts bigint) RETURNS record
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_read_status';
CREATE OR REPLACE VIEW dp.status AS
    SELECT s.doubt, s.last_entry, s.last_checkpoint, s.accounts, s.shared_bytes, s.read_at, s.read_entries, s.read_ms, s.direct_writers,
        s.shut_accounts, (SELECT p.timeline FROM dp.ledger_place p ORDER BY p.number DESC LIMIT 1) AS timeline,
        pg_catalog.pg_total_relation_size('dp.ledger_entry') AS ledger_bytes,
        (SELECT pg_catalog.sum(pg_catalog.pg_total_relation_size(c.oid)) FROM pg_catalog.pg_class c
            WHERE c.relnamespace = 'dp'::regnamespace AND c.relkind = 'r' AND c.relname LIKE 'release%') AS release_bytes
    FROM dp_internal.read_status() s;
CREATE OR REPLACE FUNCTION dp.harden(hide_estimates boolean DEFAULT false) RETURNS integer
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_harden';
CREATE OR REPLACE FUNCTION dp.harden_statements(hide_estimates boolean DEFAULT false) RETURNS SETOF text
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_harden_statements';
CREATE OR REPLACE FUNCTION dp.unharden() RETURNS integer
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_unharden';
CREATE OR REPLACE FUNCTION dp.admissible(query text, role regrole DEFAULT NULL, OUT admissible boolean, OUT sqlstate text, OUT message text,
    OUT hint text)
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_admissible';
CREATE OR REPLACE FUNCTION dp.answers_left(relation regclass, epsilon float8, delta float8 DEFAULT 0) RETURNS bigint
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp AS $$
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
    -- The account that pays: one's own, for a curator without one the table, else one that is inherited.
    SELECT b.* INTO budget FROM dp.budgets b LEFT JOIN pg_roles r ON r.oid = b.role
    WHERE b.relation = answers_left.relation AND (b.role IS NULL OR pg_has_role(b.role, 'USAGE'))
    ORDER BY r.rolname IS NOT DISTINCT FROM current_user DESC, b.role IS NULL DESC, b.epsilon_left LIMIT 1;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'role % has no budget on table %', quote_ident(current_user), relation
            USING ERRCODE = '42501',
                HINT = format('Ask its curator: SELECT dp.grant_budget(%L, %L, 1);', relation, quote_ident(current_user));
    END IF;
    IF budget.closed OR epsilon::numeric > budget.query_epsilon_limit THEN
        RETURN 0;
    END IF;
    RETURN least(floor(budget.epsilon_left / epsilon::numeric), floor(budget.delta_left / nullif(delta::numeric, 0)));
END
$$;
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
    value := coalesce(format('all rows with the same value in %I', unit.privacy_unit), 'each row');
    RETURN NEXT;
    item := 'limits';
    value := CASE
        WHEN unit.privacy_unit IS NULL THEN 'none: each row is a unit'
        WHEN unit.max_rows_per_unit IS NOT NULL THEN
            format('%s rows of a unit count, in all groups together', unit.max_rows_per_unit)
        WHEN unit.max_groups_per_unit IS NOT NULL THEN
            format('%s rows of a unit count in each of %s groups', unit.max_rows_per_group, unit.max_groups_per_unit)
        ELSE 'none: a unit has one row' END;
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
            'SELECT %s, @extschema@.dp_count(''*'', 1e-9) FROM %s GROUP BY 1', one.name, subject)));
        by_group := coalesce(by_group, one.name);
        value := format('%s: %s', one.name, one.shown);
        RETURN NEXT;
    END LOOP;
    item := 'other groups';
    value := coalesce('shown where a private test of their size says so: epsilon ' || trim_scale(budget.group_epsilon)
        || CASE WHEN budget.group_delta > 0 THEN format(' and delta %s', trim_scale(budget.group_delta)) ELSE '' END
        || ' for each grouping set', 'none: other keys are refused');
    RETURN NEXT;

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
        ORDER BY 1, 2, 3 LIMIT 50 LOOP
        CONTINUE WHEN NOT (SELECT admissible OR sqlstate = 'DP005' FROM dp.admissible(format(
            'SELECT @extschema@.dp_count(''*'', 1e-9) FROM %s JOIN %s %s', subject, one.partner, one.condition)));
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
               'it has one row') AS most
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
CREATE OR REPLACE FUNCTION dp.unit_coverage(relation regclass, epsilon float8 DEFAULT 1, privacy_unit name DEFAULT NULL)
    RETURNS TABLE (max_rows_per_unit integer, share_of_rows numeric, share_of_units numeric, rows_lost bigint,
        noise_of_a_count float8)
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE ROWS 6 SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    subject CONSTANT regclass := unit_coverage.relation;
    unit name := unit_coverage.privacy_unit;
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
    IF NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = subject AND attname = unit AND attnum > 0 AND NOT attisdropped) THEN
        RAISE EXCEPTION 'table % has no column %', subject, quote_ident(unit)
            USING ERRCODE = '42703',
                HINT = 'Name the column whose values are the privacy units, for example privacy_unit => ''patient_id''.';
    END IF;
    IF NOT has_column_privilege(subject, unit, 'SELECT') THEN
        RAISE EXCEPTION 'permission denied to read column % of table %', quote_ident(unit), subject
            USING ERRCODE = '42501', HINT = format('Ask its owner: GRANT SELECT (%I) ON %s TO %I;', unit, subject, current_user);
    END IF;
    RETURN QUERY EXECUTE format($query$
        WITH unit AS (SELECT %1$I IS NULL AS nobody, count(*) AS size FROM %2$s GROUP BY %1$I)
        SELECT most, round(sum(least(size, most)) FILTER (WHERE NOT nobody) / sum(size), 4),
            round(count(*) FILTER (WHERE NOT nobody AND size <= most)::numeric / nullif(count(*) FILTER (WHERE NOT nobody), 0), 4),
            coalesce(sum(size) - coalesce(sum(least(size, most)) FILTER (WHERE NOT nobody), 0), 0)::bigint,
            (SELECT expected_abs_error FROM @extschema@.dp_describe('geometric', $1, most, true))
        FROM unit RIGHT JOIN unnest('{1, 2, 3, 5, 10, 20}'::integer[]) most ON true
        GROUP BY most ORDER BY most $query$, unit, subject)
        USING unit_coverage.epsilon;
END
$$;
SELECT pg_extension_config_dump('dp.declared_range', 'WHERE relation IN (SELECT oid FROM pg_catalog.pg_class)');

-- Comments and rights, as in a fresh installation.
GRANT USAGE ON SCHEMA dp TO PUBLIC;
COMMENT ON SCHEMA dp IS 'pg_dp: functions and views of curators, and the catalog of budgets';
COMMENT ON SCHEMA dp_internal IS 'pg_dp: functions that its aggregates, types and private queries call; nobody calls them by name';
COMMENT ON TYPE dp_mechanism IS
    'noise of a private answer: auto, geometric, laplace, staircase, gaussian(delta=1e-6), ...';
GRANT SELECT ON dp.public_domain TO PUBLIC;
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
COMMENT ON FUNCTION dp_internal.unit_rows(bigint, bigint, bigint, numeric, numeric) IS
    'how many rows of a privacy unit with too many of them count in one of its groups, at random by the key: in all groups together most';
COMMENT ON AGGREGATE dp_internal.unit_part("any") IS
    'the rows of one privacy unit in one group, for an aggregate of private queries';
COMMENT ON AGGREGATE dp_internal.unit_bigint("any") IS 'the private answer from parts of privacy units';
COMMENT ON AGGREGATE dp_internal.unit_numeric("any") IS 'the private answer from parts of privacy units';
COMMENT ON AGGREGATE dp_internal.unit_float8("any") IS 'the private answer from parts of privacy units';
COMMENT ON AGGREGATE dp_internal.units_bigint("any") IS 'the private answer from rows of privacy units';
COMMENT ON AGGREGATE dp_internal.units_numeric("any") IS 'the private answer from rows of privacy units';
COMMENT ON AGGREGATE dp_internal.units_float8("any") IS 'the private answer from rows of privacy units';
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['dp_sum', 'dp_avg', 'dp_variance', 'dp_stddev', 'dp_median', 'dp_quantile', 'dp_bounds'] LOOP
        EXECUTE format('CREATE OR REPLACE AGGREGATE %I(VARIADIC "any") (SFUNC = dp_internal.dp_incomplete_add, STYPE = internal, '
            'FINALFUNC = dp_internal.dp_incomplete_answer, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED)', name);
        EXECUTE format('COMMENT ON AGGREGATE %I("any") IS ''says which parameters are missing''', name);
    END LOOP;
    FOREACH name IN ARRAY ARRAY['dp_mode', 'dp_histogram'] LOOP
        EXECUTE format('CREATE OR REPLACE AGGREGATE %I("any", "any") (SFUNC = dp_internal.dp_incomplete_add, STYPE = internal, '
            'FINALFUNC = dp_internal.dp_incomplete_answer, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED)', name);
        EXECUTE format('COMMENT ON AGGREGATE %I("any", "any") IS ''says which parameters are missing''', name);
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
DO $$
BEGIN
    CREATE ROLE dp_curator NOLOGIN;
EXCEPTION WHEN duplicate_object OR unique_violation THEN -- of another database, or of one that does the same just now
    NULL;
END
$$;
COMMENT ON FUNCTION dp.protect(regclass, float8, float8, float8, float8, float8, name, integer, integer, integer, float8) IS
    'gives a table a budget for all roles together, or changes it; query_epsilon is the most that one statement may cost, '
    'group_epsilon and group_delta are what the private selection of groups costs per grouping set, privacy_unit is the column that '
    'names whose a row is, of whom at most max_rows_per_unit rows, or max_rows_per_group rows in each of max_groups_per_unit groups, '
    'count in an answer; answer_epsilon is the epsilon of an answer that names none';
COMMENT ON FUNCTION dp.unprotect(regclass) IS
    'ends the protection of a table and removes its roles'' budgets and its public values; what was spent stays and counts if it is protected again';
COMMENT ON FUNCTION dp.grant_budget(regclass, regrole, float8, float8, float8, boolean, float8) IS
    'gives a role a budget on a protected table, or changes it; query_epsilon is the most that one statement may cost, '
    'allow_leaks accepts that the role sees sizes and counters because dp.harden() was not called, answer_epsilon is the epsilon of its '
    'answers that name none';
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
COMMENT ON VIEW dp.budgets IS 'what may be spent on protected tables and what is left (no more than what is left of the whole table); '
    'role NULL: the table as a whole; closed: nothing is answered until a curator says dp.reopen(); answers_left: how many answers '
    'are left at the epsilon of the setting dp.epsilon, NULL where it is not set';
GRANT SELECT ON dp.budgets TO PUBLIC;
COMMENT ON VIEW dp.units IS
    'whose rows the protected tables hold: the column that names the privacy unit (NULL: each row is one), and how much of one unit an '
    'answer may depend on; is_unique: a unit has one row, nothing has to be limited';
GRANT SELECT ON dp.units TO PUBLIC;
COMMENT ON FUNCTION dp.ledger_of(regclass, bigint, bigint) IS
    'the rows of dp.ledger of one table (NULL: of all), from one number on, up to another one: where there are many, much sooner than a '
    'condition on the view';
COMMENT ON VIEW dp.ledger IS
    'what was charged: epsilon and delta to the account of the role, table_epsilon and table_delta to the table as a whole';
GRANT SELECT ON dp.ledger TO PUBLIC;
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
COMMENT ON FUNCTION dp.share_release(bigint, regrole, float8, text) IS
    'lets a role read a release by dp_answer at that epsilon, which its account pays; the table pays only what nobody has paid yet';
COMMENT ON FUNCTION dp.forget_releases(interval) IS
    'deletes the releases on the curator''s tables that are older, and says how many: they cannot be read or relaxed any more; what '
    'was charged for them stays in the ledger';
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
COMMENT ON VIEW dp.status IS
    'the ledger at this moment, for members of dp_curator and pg_monitor: why nothing is charged (doubt), its last entry, the entry up to '
    'which its sums are written down, accounts and bytes in shared memory, when it was read last, how many entries and for how many '
    'milliseconds, transactions that write to it by hand, accounts closed in memory alone, its timeline, bytes on disk';
GRANT SELECT ON dp.status TO dp_curator, pg_monitor;
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
COMMENT ON FUNCTION dp.check(regclass) IS
    'for a curator: what is still open beside private queries on the tables that it curates, or on one of them, a row each with what to '
    'run; relation NULL: for all of them';
COMMENT ON FUNCTION dp.cost(text) IS
    'what a query would be charged, without running it: one row for each account, with role NULL for the table as a whole';
COMMENT ON FUNCTION dp.admissible(text, regrole) IS
    'whether that role (the current one, if left out) may ask the query; if not, the error that it would get: SQLSTATE, message, hint';
COMMENT ON FUNCTION dp.answers_left(regclass, float8, float8) IS
    'how many answers of that epsilon and delta, each in a statement of its own, the budget of the current role still allows on a '
    'protected table; for a curator without an account, that of the table';
COMMENT ON FUNCTION dp.describe_table(regclass) IS
    'what may be known of a protected table before asking: privacy unit, limits, what is left of one''s budget, public groups, '
    'joins that are admitted, an example; for roles with a budget on it, and nothing of it comes from its rows';
COMMENT ON FUNCTION dp.private_form(text) IS
    'a statement with the private calls written out that stand for its ordinary aggregates; nothing runs';
COMMENT ON FUNCTION dp.expose(regclass, name) IS
    'makes a view that lists a protected table for tools, with domains, bounds and unit in its comments, for the roles that have accounts';
COMMENT ON FUNCTION dp.unit_coverage(regclass, float8, name) IS
    'for curators who may read the table; exact numbers, NOT private: show them to nobody who may not read it. What a limit of 1, 2, '
    '3, 5, 10 or 20 rows per privacy unit leaves: the share of rows that count, the share of units that lose none, how many rows do '
    'not count (the error of a count that no epsilon makes smaller), and the expected error by noise of a count at that epsilon. '
    'privacy_unit: a column to try; left out, that of the table. Rows whose unit is NULL never count';
COMMENT ON TABLE dp.protected_table IS 'the protected tables: budget, price of groups, privacy unit and its limits';
COMMENT ON TABLE dp.account IS 'the budgets of roles on protected tables';
COMMENT ON TABLE dp.public_domain IS 'public: the values that dp.public_values declared, as texts of the type of their grouping expression';
COMMENT ON TABLE dp.ledger_entry IS 'what was charged, append-only; dp.ledger shows it';
COMMENT ON TABLE dp.release_part IS 'stored answers: the query levels of charged statements; dp.releases shows them';
COMMENT ON TABLE dp.release_aggregate IS 'stored answers: the aggregates of a level, and how its integers become answers';
COMMENT ON TABLE dp.release_keys IS 'stored answers: the group keys';
COMMENT ON TABLE dp.release_level IS 'stored answers: noisy integers and their noise at one epsilon; whoever reads the noise can take it away';
COMMENT ON TABLE dp.release_path IS 'stored answers: the levels at larger epsilons that were drawn';
COMMENT ON TABLE dp.release_holding IS 'stored answers: which role has paid for which level';
COMMENT ON EVENT TRIGGER dp_hardening IS 'says at once when a command opens again what dp.harden() has closed';
COMMENT ON CAST (text AS dp_mechanism) IS 'reads the name or name(key=value, ...) of a mechanism';
COMMENT ON CAST (varchar AS dp_mechanism) IS 'reads the name or name(key=value, ...) of a mechanism';
COMMENT ON OPERATOR CLASS dp_mechanism_ops USING btree IS 'the order of the texts of mechanisms, byte by byte, for DISTINCT';
COMMENT ON OPERATOR FAMILY dp_mechanism_ops USING btree IS 'the order of the texts of mechanisms, byte by byte, for DISTINCT';
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
            WHEN one.name ~ '^dp_state_' THEN 'carries the state of an aggregate between parallel workers'
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
            AND p.proname ~ '^dp_[a-z]+_(add|answer|combine|serialize|deserialize)'
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
