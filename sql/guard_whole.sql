-- The check of the finished plan judges whole expressions: what a node below has computed for a group key, a join or a sort is looked up
-- there. So a call that cannot overflow is let pass in plans of every shape.
CALL own_schema('guard_whole');
SET client_min_messages = warning;
CREATE TABLE stay (id int PRIMARY KEY, i int NOT NULL, j int NOT NULL, price numeric(10,2), noted timestamp NOT NULL, ward text);
INSERT INTO stay SELECT n, n * 10, n % 7, n / 8.0, timestamp '2024-01-15' + n * interval '3 days', 'w' || n % 3 FROM generate_series(0, 119) n;
CREATE INDEX ON stay ((i / 100), i);
-- The second of its parts has its columns in another order.
CREATE TABLE parts (id int PRIMARY KEY, i int NOT NULL, price numeric(10,2)) PARTITION BY RANGE (id);
CREATE TABLE parts_low PARTITION OF parts FOR VALUES FROM (0) TO (60);
CREATE TABLE parts_high (price numeric(10,2), gone text, i int NOT NULL, id int NOT NULL);
ALTER TABLE parts_high DROP gone;
ALTER TABLE parts ATTACH PARTITION parts_high FOR VALUES FROM (60) TO (1000);
INSERT INTO parts SELECT id, i, price FROM stay;
CREATE TABLE wards (hundreds int PRIMARY KEY, name text);
INSERT INTO wards SELECT n * 100, 'ward ' || n FROM generate_series(0, 11) n;
CREATE TABLE many (id int PRIMARY KEY, person int NOT NULL, i int NOT NULL, noted timestamp NOT NULL);
INSERT INTO many SELECT id, id % 10, i, noted FROM stay;
VACUUM ANALYZE stay, parts, wards, many;
SELECT dp.protect(t, 1e9, privacy_unit => 'id') FROM unnest('{stay,parts}'::regclass[]) t;
SELECT dp.declare_range(t, 'i', 0, 1199) FROM unnest('{stay,parts}'::regclass[]) t;
SELECT dp.public_values('stay', '(j % 3)', ARRAY[0, 1, 2]), dp.public_values('stay', 'ward', ARRAY['w0', 'w1', 'w2']);
SELECT dp.protect('many', 1e9, privacy_unit => 'person', max_groups_per_unit => 20, max_rows_per_group => 20), dp.declare_range('many', 'i', 0, 1199);
CREATE TABLE asked (n serial, query text);
INSERT INTO asked (query) VALUES
    ('SELECT i / 100, count[i / 100 * 100], sum[i / 100 * 10] FROM stay GROUP BY i / 100'),
    ('SELECT i / 100 * 100, i / 100, count[i / 100 * 10] FROM stay GROUP BY 1, 2 HAVING count[i / 100 * 10] > 0'),
    ('SELECT extract(month FROM noted), sum[extract(month FROM noted)::int] FROM stay GROUP BY extract(month FROM noted) HAVING sum[extract(month FROM noted)::int] > 0'),
    ('SELECT extract(month FROM noted)::int, extract(month FROM noted), count[*] FROM stay GROUP BY 1, 2 HAVING count[*] > 0'),
    ('SELECT j % 3, i / 500, count[j % 3 * 2], count[i / 500 * 10] FROM stay GROUP BY GROUPING SETS ((j % 3), (i / 500), ())'),
    ('SELECT j % 3, i / 500, count[j % 3 * 2], sum[i / 500 * 10] FROM stay GROUP BY ROLLUP (j % 3, i / 500)'),
    ('SELECT j % 3, sum[j % 3 * 2], rank() OVER (ORDER BY sum[j % 3 * 2]) FROM stay GROUP BY j % 3'),
    ('SELECT w.name, count[s.i / 100 * 100], sum[s.i / 100 * 10] FROM stay s JOIN wards w ON w.hundreds = s.i / 100 * 100 GROUP BY w.name HAVING count[s.i / 100 * 100] > 0'),
    ('SELECT s.i / 100, count[s.i / 100 * 100] FROM stay s JOIN wards w ON w.hundreds = s.i / 100 * 100 AND w.name > ''ward 2'' GROUP BY s.i / 100 HAVING count[s.i / 100 * 100] > 0'),
    ('SELECT a.i / 100, sum[b.i / 100 * 10], sum[a.i / 100 * 10] FROM stay a JOIN parts b ON a.id = b.id AND a.i / 100 * 10 = b.i / 100 * 10 GROUP BY a.i / 100'),
    ('SELECT b.i / 100 * 10, count[*] FROM stay a JOIN parts b ON a.id = b.id AND a.j = b.i / 100 GROUP BY b.i / 100 * 10 HAVING count[*] > 0'),
    ('SELECT a.i / 100, count[b.i / 100 * 10] FROM stay a LEFT JOIN parts b ON a.id = b.id AND b.i / 100 * 10 > 50 GROUP BY a.i / 100'),
    ('SELECT i / 100, count[i / 100 * 10], sum[i / 100 * 10] FROM parts GROUP BY i / 100'),
    ('SELECT i / 100, count[price * 2 / 4] FROM parts WHERE price * 2 < 20 GROUP BY i / 100 HAVING count[price * 2 / 4] > 0'),
    ('SELECT k, sum[k * 10] FROM (SELECT i / 100 AS k FROM stay WHERE id < 100) q GROUP BY k HAVING sum[k * 10] > 0'),
    ('SELECT count[*] FROM stay WHERE i / 100 * 100 = 500 OR i / 100 = 7'),
    ('SELECT count[i / 100 * 10] FROM stay WHERE i / 100 = 5'),
    ('SELECT ward, sum[length(ward) * 2] FROM stay GROUP BY ward HAVING sum[length(ward) * 2] > 10'),
    ('SELECT i / 100, count[i / 100 * 100] FROM many GROUP BY i / 100'),
    ('SELECT i / 100, count(DISTINCT i / 100 * 10) FROM many GROUP BY i / 100'),
    ('SELECT sum[n], sum[m * 10] FROM (SELECT person, sum(i / 100 * 10) AS n, max(extract(month FROM noted)::int) AS m FROM many GROUP BY person) q'),
    ('SELECT i / 100, count[*] FROM many m WHERE EXISTS (SELECT FROM wards w WHERE w.hundreds = m.i / 100 * 100) GROUP BY i / 100'),
    ('SELECT i / 100, count[*] FROM many m WHERE i / 100 * 10 > (SELECT avg(hundreds / 100 * 10) FROM wards) GROUP BY i / 100 HAVING count[*] > 0'),
    ('SELECT i / 100, count[*] FROM many m WHERE i / 100 * 100 IN (SELECT hundreds / 200 * 200 FROM wards) GROUP BY i / 100 HAVING count[*] > 0'),
    ('SELECT ward, count(DISTINCT i / 100 * 100) FROM stay GROUP BY ward'),
    ('SELECT max(i / 100 * 10) FROM wards, (SELECT hundreds AS i FROM wards) q');
-- The private answer as the table's owner gets it, whose settings shape the plan.
CREATE FUNCTION asked_as(query text, counted text, summed text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answers text;
BEGIN
    query := replace(regexp_replace(regexp_replace(query, 'count\[(.*?)\]', counted, 'g'), 'sum\[(.*?)\]', summed, 'g'), 'dp_count(*', 'dp_count(''*''');
    EXECUTE format('SELECT string_agg(q::text, '' '' ORDER BY q::text) FROM (%s) q', query) INTO answers;
    RETURN answers;
EXCEPTION WHEN OTHERS THEN
    RETURN sqlerrm;
END
$$;
CREATE FUNCTION differing(place text) RETURNS TABLE (query text, private text, plain text) LANGUAGE sql AS $$
    SELECT * FROM (SELECT a.query, asked_as(a.query, 'dp_count(\1, 1e6)', 'dp_sum(\1, -3000, 3000, 1e6)') AS private, asked_as(a.query, 'count(\1)', 'sum(\1)') AS plain
                   FROM asked a) q WHERE private IS DISTINCT FROM plain
$$;
-- Which of the nodes the plan of a query has; and whether it holds a total form.
CREATE FUNCTION has_nodes(query text, VARIADIC nodes text[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    plan text := '';
    line text;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF, VERBOSE) ' || query LOOP
        plan := plan || line;
    END LOOP;
    RETURN (SELECT string_agg(node, ', ') FROM unnest(nodes) node WHERE strpos(plan, node) > 0) || CASE WHEN plan ~ 'dp_mul' THEN '; dp_mul' ELSE '' END;
END
$$;
\set by_hundreds 'SELECT i / 100, dp_count(i / 100 * 100, 1e6) FROM stay GROUP BY i / 100'
\set by_parts 'SELECT i / 100, dp_count(i / 100 * 100, 1e6) FROM parts GROUP BY i / 100'
\set by_ward 'SELECT w.name, dp_count(s.i / 100 * 100, 1e6) FROM stay s JOIN wards w ON w.hundreds = s.i / 100 * 100 GROUP BY w.name'
SELECT * FROM differing('as it comes');
SET enable_hashagg = off;
SELECT * FROM differing('groups are sorted');
SET enable_hashjoin = off;
SET enable_nestloop = off;
SET enable_indexscan = off;
SET enable_bitmapscan = off;
SET enable_indexonlyscan = off;
SELECT * FROM differing('joins are merged');
SELECT has_nodes(:'by_ward', 'Merge Join', 'Sort');
SET enable_mergejoin = off;
SET enable_indexscan = on;
SET enable_indexonlyscan = on;
SET enable_nestloop = on;
SET enable_hashagg = on;
SELECT * FROM differing('joins are nested');
SELECT has_nodes(:'by_ward', 'Nested Loop');
SET enable_sort = off;
SET enable_seqscan = off;
SET enable_hashagg = off;
SELECT * FROM differing('by index alone');
SELECT has_nodes(:'by_hundreds', 'Index Only Scan');
RESET ALL;
SET search_path = guard_whole, public;
SET client_min_messages = warning;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET min_parallel_index_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
SET enable_partitionwise_join = on;
SELECT * FROM differing('in parallel');
SELECT has_nodes(:'by_parts', 'Gather', 'Append');
-- A plan that is kept, when the column's type changes.
SET plan_cache_mode = force_generic_plan;
RESET max_parallel_workers_per_gather;
PREPARE hundreds AS SELECT i / 100 AS hundred, dp_count(i / 100 * 100, 1e6) FROM parts WHERE id < 30 GROUP BY i / 100;
EXECUTE hundreds;
SELECT dp.withdraw('parts', 'i');
ALTER TABLE parts ALTER i TYPE int8 USING i::int8 * 10000000000;
SELECT dp.declare_range('parts', 'i', 0, 2990000000000);
PREPARE of_bigints AS SELECT dp_count('*', 1e6) AS rows, dp_count(i / 100 * 100, 1e6) AS kept, dp_count(i / 100 * 10000000000, 1e6) AS "as NULL" FROM parts WHERE id < 30;
EXECUTE of_bigints;
SELECT has_nodes('EXECUTE of_bigints', 'Aggregate');
DROP SCHEMA guard_whole CASCADE;
