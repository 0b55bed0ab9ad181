-- Settings that give one query several plans, and which queries each concerns.
CREATE TABLE plans (name text, concerns text, settings text[]);
INSERT INTO plans VALUES
    ('default', '', '{}'),
    ('parallel', '', '{force_parallel_mode=on,min_parallel_table_scan_size=0,parallel_setup_cost=0,parallel_tuple_cost=0,max_parallel_workers_per_gather=1}'),
    ('parallel, no hash', '^$', '{enable_hashagg=off,enable_hashjoin=off,min_parallel_table_scan_size=0,parallel_setup_cost=0,parallel_tuple_cost=0,max_parallel_workers_per_gather=2}'),
    ('no hash', 'GROUP BY|DISTINCT|JOIN|IN|UNION', '{enable_hashagg=off}'),
    ('nested loops', 'JOIN|LATERAL|wards|, [ab]\M| [abxy],', '{enable_hashjoin=off,enable_mergejoin=off,enable_material=off}'),
    ('no sort', 'GROUP BY|DISTINCT|LATERAL|UNION', '{enable_sort=off,enable_memoize=off,enable_partitionwise_aggregate=on,enable_partitionwise_join=on}');
-- Its name since 16.
UPDATE plans SET settings = array_replace(settings, 'force_parallel_mode=on', 'debug_parallel_query=on')
WHERE EXISTS (SELECT FROM pg_settings WHERE pg_settings.name = 'debug_parallel_query');
