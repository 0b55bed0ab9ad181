-- Settings that whoever asks may change do not reach an inner query, or change nothing of what it does. Each is on one of these lists;
-- a new one, of a newer server, has to be looked at and put on one.
CALL own_schema('guard_settings');
CREATE TEMP TABLE looked_at (name text, why text);
INSERT INTO looked_at SELECT unnest(string_to_array(names, ' ')), why FROM (VALUES
    ('the server''s value holds (src/guard/inner/server_settings.cpp)',
     'constraint_exclusion cpu_index_tuple_cost cpu_operator_cost cpu_tuple_cost cursor_tuple_fraction effective_cache_size '
     'effective_io_concurrency enable_bitmapscan enable_distinct_reordering enable_gathermerge enable_group_by_reordering enable_hashagg enable_hashjoin enable_incremental_sort '
     'enable_indexonlyscan enable_indexscan enable_material enable_memoize enable_mergejoin enable_nestloop enable_parallel_append '
     'enable_parallel_hash enable_partition_pruning enable_partitionwise_join enable_presorted_aggregate enable_self_join_elimination '
     'enable_seqscan enable_sort enable_tidscan '
     'exit_on_error from_collapse_limit geqo geqo_effort geqo_generations geqo_pool_size geqo_seed geqo_selection_bias '
     'geqo_threshold hash_mem_multiplier io_combine_limit jit jit_above_cost jit_expressions jit_inline_above_cost jit_optimize_above_cost '
     'jit_tuple_deforming join_collapse_limit max_parallel_workers max_parallel_workers_per_gather min_parallel_index_scan_size '
     'min_parallel_table_scan_size parallel_leader_participation parallel_setup_cost parallel_tuple_cost random_page_cost '
     'seq_page_cost synchronize_seqscans trace_sort work_mem'),
    ('has one value for all (the same)',
     'enable_partitionwise_aggregate force_parallel_mode debug_parallel_query gin_fuzzy_search_limit client_min_messages'),
    ('read where a query is parsed, or by functions above the noise; what reads no row is computed before',
     'array_nulls backslash_quote check_function_bodies client_encoding default_text_search_config escape_string_warning lc_monetary '
     'lc_numeric lc_time icu_validation_level quote_all_identifiers search_path standard_conforming_strings timezone_abbreviations transform_null_equals '
     'xmlbinary xmloption'),
    ('changes values and makes no error (src/guard/admission/values.h)',
     'DateStyle IntervalStyle TimeZone bytea_output extra_float_digits'),
    ('about writing, which an inner query does not',
     'backend_flush_after createrole_self_grant commit_siblings default_statistics_target default_table_access_method default_tablespace '
     'default_toast_compression file_copy_method gin_pending_list_limit maintenance_work_mem max_parallel_maintenance_workers md5_password_warnings password_encryption scram_iterations '
     'synchronous_commit temp_buffers wal_sender_timeout wal_skip_threshold'),
    ('about the session, transactions, logs, and time, which is not promised',
     'application_name client_connection_check_interval debug_pretty_print debug_print_parse debug_print_plan debug_print_rewritten '
     'default_transaction_deferrable default_transaction_isolation default_transaction_read_only idle_in_transaction_session_timeout '
     'idle_session_timeout local_preload_libraries debug_logical_replication_streaming lock_timeout log_parameter_max_length_on_error logical_decoding_work_mem '
     'plan_cache_mode statement_timeout stats_fetch_consistency tcp_keepalives_count tcp_keepalives_idle tcp_keepalives_interval '
     'tcp_user_timeout trace_notify transaction_deferrable transaction_isolation transaction_read_only transaction_timeout'),
    ('about VACUUM',
     'maintenance_io_concurrency vacuum_max_eager_freeze_failure_rate vacuum_truncate vacuum_cost_delay vacuum_cost_limit vacuum_cost_page_dirty vacuum_cost_page_hit vacuum_cost_page_miss '
     'vacuum_buffer_usage_limit vacuum_failsafe_age vacuum_freeze_min_age vacuum_freeze_table_age vacuum_multixact_failsafe_age vacuum_multixact_freeze_min_age '
     'vacuum_multixact_freeze_table_age'),
    ('about foreign tables, recursive queries and views, which are none of an inner query''s',
     'enable_async_append recursive_worktable_factor restrict_nonsystem_relation_kind'),
    ('tables with row security are refused', 'row_security'),
    ('where temporary files lie; their sizes are closed by dp.harden', 'temp_tablespaces')) v (why, names);
SELECT name FROM pg_settings WHERE context = 'user' AND name NOT LIKE '%.%' EXCEPT SELECT name FROM looked_at ORDER BY 1;
SELECT name, count(*) FROM looked_at GROUP BY name HAVING count(*) > 1;

-- An index that leaves out rows at random beyond a limit does not do so here, for anyone.
CREATE ROLE regress_settings_ana;
CREATE TABLE tagged (id int, tags jsonb);
INSERT INTO tagged SELECT i, '{"a": 1}' FROM generate_series(1, 5000) i;
CREATE INDEX ON tagged USING gin (tags);
ANALYZE tagged;
SELECT dp.protect('tagged', 1e9);
SELECT dp.grant_budget('tagged', 'regress_settings_ana', 1e8, allow_leaks => true);
SET gin_fuzzy_search_limit = 10;
SET enable_seqscan = off;
SELECT count(*) < 5000 AS left_out FROM tagged WHERE tags @> '{"a": 1}';
SELECT dp_count('*', 1e6) FROM tagged WHERE tags @> '{"a": 1}';
SET ROLE regress_settings_ana;
SELECT dp_count('*', 1e6) FROM tagged WHERE tags @> '{"a": 1}';
SHOW gin_fuzzy_search_limit;
RESET ROLE;
RESET enable_seqscan;
RESET gin_fuzzy_search_limit;
SELECT dp.unprotect('tagged');
SET dp.allow_drop = on;
DROP TABLE tagged;
RESET dp.allow_drop;
DROP ROLE regress_settings_ana;
