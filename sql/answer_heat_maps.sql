-- dp_histogram of two values: how many rows lie in each cell that their buckets make. Exact at epsilon 1e6.
SET client_min_messages = warning;
\set SHOW_CONTEXT never
CALL own_schema('answer_heat_maps');
CREATE ROLE regress_heat_ana;
CREATE TABLE stays (id int, person int, ward text, age int, days float8, cost numeric);
INSERT INTO stays SELECT g, g % 1000, 'w' || g % 2, g * 7 % 110, g % 31, g % 97 FROM generate_series(0, 9999) g;
-- The same by PostgreSQL: cells without rows are 0.
CREATE FUNCTION counted(x_buckets int, y_buckets int, of text DEFAULT NULL) RETURNS bigint[] LANGUAGE sql AS $$
    SELECT array_agg(line ORDER BY i) FROM (SELECT i, array_agg((SELECT count(*) FROM answer_heat_maps.stays WHERE ward = coalesce(of, ward)
            AND age >= (i - 1) * 110.0 / x_buckets AND age < i * 110.0 / x_buckets AND days >= (j - 1) * 31.0 / y_buckets AND days < j * 31.0 / y_buckets) ORDER BY j) AS line
        FROM generate_series(1, x_buckets) i, generate_series(1, y_buckets) j GROUP BY i) s $$;

-- ---- what is counted
SELECT dp_histogram(age, days, 0, 110, 3, 0, 31, 4, 1e6) AS counts, dp_histogram(age, days, 0, 110, 3, 0, 31, 4, 1e6) = counted(3, 4) AS exact, array_dims(dp_histogram(age, days, 0, 110, 1, 0, 31, 5, 1e6)) AS one_row FROM stays;
SELECT x, y, dp_histogram(age, days, 0, 110, x, 0, 31, y, 1e6) = counted(x, y) AS exact FROM stays, (VALUES (11, 31)) v(x, y) GROUP BY x, y;
SELECT dp_histogram(age, days, 0, 110, 11, 0, 31, 31, 1e6) = counted(11, 31) AS exact, dp_histogram(age, days, 0, 110, 11, 0, 31, 31, 1e6, 'laplace') = counted(11, 31) AS laplace,
    dp_histogram(age, days, 0, 110, 11, 0, 31, 31, 1e4, 'gaussian(delta=1e-6)') = counted(11, 31) AS gaussian FROM stays;
-- A pair of which one is NULL, NaN or outside lies in no cell; the last bucket of each is closed on the right.
SELECT dp_histogram(x, y, 0, 2, 2, 0, 2, 2, 1e6) AS counts FROM (VALUES (0::float8, 0::float8), (0, 1), (1, 0), (2, 2), (2, 2), (NULL, 1), (1, NULL), (NULL, NULL), ('NaN', 1), (1, 'NaN'), (-1, 1), (1, 3), ('Infinity', 1)) v(x, y);
SELECT dp_histogram(age, days, 0, 110, 2, 0, 31, 2, 1e6) AS none FROM stays WHERE false;
SELECT dp_histogram(age, days, 0, 110, 2, 0, 31, 2, 1e6) FILTER (WHERE ward = 'w1') = counted(2, 2, 'w1') AS filter, dp_histogram(DISTINCT age, days, 0, 110, 2, 0, 31, 2, 1e6) AS distinct FROM stays;
SELECT ward, dp_histogram(age, days, 0, 110, 2, 0, 31, 3, 1e6) = counted(2, 3, ward) AS exact FROM stays GROUP BY ward ORDER BY ward;
SELECT dp_histogram(cost, age, 0, 100, 2, 0, 110, 2, 1e6) AS numeric FROM stays;
SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0; SET max_parallel_workers_per_gather = 2;
EXPLAIN (COSTS OFF) SELECT dp_histogram(age, days, 0, 110, 3, 0, 31, 4, 1e6) FROM stays;
SELECT dp_histogram(age, days, 0, 110, 3, 0, 31, 4, 1e6) = counted(3, 4) AS exact, dp_histogram(age, days, 0, 110, 2, 0, 31, 2, 1e6) FILTER (WHERE id < 0) AS none FROM stays;
RESET parallel_setup_cost; RESET parallel_tuple_cost; RESET min_parallel_table_scan_size; RESET max_parallel_workers_per_gather;
PREPARE cells(int, int, float8) AS SELECT dp_histogram(age, days, 0, 110, $1, 0, 31, $2, $3) = counted($1, $2) AS exact FROM stays;
EXECUTE cells(4, 5, 1e6);
-- Each cell has the noise of one count: 2,000 cells of nobody, whose mean error is 1/epsilon or nearly; six standard errors.
SELECT avg(abs(n)) BETWEEN 7.9 AND 12.1 AS "as of one count" FROM unnest((SELECT dp_histogram(NULL, NULL, 0, 1, 40, 0, 1, 50, 0.1) FROM stays WHERE false)) n;

-- ---- what is refused
SELECT dp_histogram(age, days, 0, 110, 0, 0, 31, 4, 1) FROM stays;
SELECT dp_histogram(age, days, 0, 110, 3, 0, 31, -1, 1) FROM stays;
SELECT dp_histogram(age, days, 0, 110, 1000, 0, 31, 101, 1) FROM stays;
SELECT dp_histogram(age, days, 0, 110, 100000, 0, 31, 100000, 1) FROM stays;
SELECT dp_histogram(age, days, 0, 110, 2147483647, 0, 31, 2, 1) FROM stays;
SELECT dp_histogram(age, days, 0, 110, NULL, 0, 31, 4, 1) FROM stays;
SELECT dp_histogram(age, days, 0, 110, 3, 0, 31, id, 1) FROM stays;
SELECT dp_histogram(age, days, 110, 0, 3, 0, 31, 4, 1) FROM stays;
SELECT dp_histogram(age, days, 0, 110, 3, 0, NULL, 4, 1) FROM stays;
SELECT dp_histogram(age, days, 0, 110, 3, days, 31, 4, 1) FROM stays;
SELECT dp_histogram(age, days, 0, 110, 3, 0, 31, 4, 0) FROM stays;
SELECT dp_histogram(age, days, 0, 110, 3, 0, 31, 4, 1, 'permute_and_flip') FROM stays;
SELECT dp_histogram(age, days, 0, 110, 3, 0, 31, 4) FROM stays;
SELECT dp_histogram(age, days, 0, 110, 3, 0, 31, 4, 1) OVER () FROM stays;
CREATE FUNCTION forged_cells(internal, text, text) RETURNS internal LANGUAGE c AS '$libdir/pg_dp', 'dp_cells_add';
CREATE AGGREGATE forged(text, text) (SFUNC = forged_cells, STYPE = internal, FINALFUNC = dp_internal.dp_histogram_answer);
SELECT forged(ward, ward) FROM stays;
DROP AGGREGATE forged(text, text);
DROP FUNCTION forged_cells;

-- ---- over a protected table, by a role without any privilege on it
SELECT dp.protect('stays', 9e9), dp.public_values('stays', 'ward', 'w0', 'w1'), dp.grant_budget('stays', 'regress_heat_ana', 9e9, allow_leaks => true) \g /dev/null
GRANT EXECUTE ON FUNCTION counted TO regress_heat_ana;
CREATE TABLE expected AS SELECT counted(3, 4) AS whole, counted(3, 4, 'w0') AS w0, counted(3, 4, 'w1') AS w1;
GRANT SELECT ON expected TO regress_heat_ana;
SET ROLE regress_heat_ana;
SELECT epsilon FROM dp.cost('SELECT dp_histogram(age, days, 0, 110, 11, 0, 31, 31, 0.5), dp_error(dp_histogram(age, days, 0, 110, 11, 0, 31, 31, 0.5)) FROM stays');
EXPLAIN (COSTS OFF) SELECT dp_histogram(age, days, 0, 110, 11, 0, 31, 31, 0.5) FROM stays;
SELECT h = (SELECT whole FROM expected) AS exact FROM (SELECT dp_histogram(age, days, 0, 110, 3, 0, 31, 4, 1e6) AS h FROM stays) s;
SELECT ward, h = (SELECT CASE ward WHEN 'w0' THEN w0 ELSE w1 END FROM expected) AS exact FROM (SELECT ward, dp_histogram(age, days, 0, 110, 3, 0, 31, 4, 1e6) AS h FROM stays GROUP BY ward) s WHERE ward IS NOT NULL ORDER BY ward;
SELECT dp_error(dp_histogram(age, days, 0, 110, 3, 0, 31, 4, 1)) AS error FROM stays;
SET dp.epsilon = 1e6;
SELECT dp_histogram(age, days, 0, 110, 3, 0, 31, 4) = (SELECT whole FROM expected) AS exact FROM stays;
SELECT dp.private_form('SELECT dp_histogram(age, days, 0, 110, 3, 0, 31, 4) FROM stays');
RESET dp.epsilon;
-- Made finer: the same cells, nearer, as an array of arrays.
SELECT dp_histogram(age, days, 0, 110, 3, 0, 31, 4, 0.01) IS NOT NULL AS coarse FROM stays;
SELECT dp_last_release() AS r \gset
SELECT epsilon, ARRAY(SELECT jsonb_array_elements_text(line)::bigint FROM jsonb_array_elements(answer) line) = ARRAY(SELECT unnest(whole) FROM expected) AS exact, jsonb_array_length(answer) AS rows, jsonb_array_length(answer -> 2) AS columns
    FROM dp_relax_release(:r, 1e6);
SELECT jsonb_array_length(lower -> 0) AS lower, jsonb_array_length(upper -> 2) AS upper FROM dp_errors(:r);
RESET ROLE;
SELECT kind, epsilon FROM dp.ledger WHERE relation = 'stays'::regclass ORDER BY seq;

-- ---- the same question again, and the whole by its groups, are free
CREATE TABLE again AS TABLE stays;
SELECT dp.protect('again', 9e9, reuse => '1 day'), dp.public_values('again', 'ward', 'w0', 'w1'), dp.grant_budget('again', 'regress_heat_ana', 9e9, allow_leaks => true) \g /dev/null
SET ROLE regress_heat_ana;
SELECT ward, dp_histogram(age, days, 0, 110, 3, 0, 31, 4, 1e6) AS h FROM again WHERE ward IN ('w0', 'w1') GROUP BY ward ORDER BY ward;
SELECT ward, dp_histogram(age, days, 0, 110, 3, 0, 31, 4, 1e6) AS h FROM again WHERE ward IN ('w0', 'w1') GROUP BY ward ORDER BY ward;
SELECT dp_histogram(age, days, 0, 110, 3, 0, 31, 4, 1e6) = (SELECT whole FROM expected) AS exact FROM again WHERE ward IN ('w0', 'w1');
-- As many cells, in rows of another length: another question.
SELECT dp_histogram(age, days, 0, 110, 4, 0, 31, 3, 1e6) AS h FROM again WHERE ward IN ('w0', 'w1');
RESET ROLE;
SELECT kind, epsilon FROM dp.ledger WHERE relation = 'again'::regclass ORDER BY seq;

-- ---- privacy units with several rows: some of each are chosen
CREATE TABLE visits AS SELECT g % 1000 AS person, g % 2 AS season, g % 50 AS day, g % 7 AS hour FROM generate_series(0, 9999) g;
CREATE TABLE calm AS TABLE visits;
CREATE TABLE cells AS SELECT array_agg(line ORDER BY i) AS h FROM (SELECT i, array_agg((SELECT count(*) FROM visits WHERE day / 25 = i AND hour = j) ORDER BY j) AS line FROM generate_series(0, 1) i, generate_series(0, 6) j GROUP BY i) s;
SELECT dp.protect('visits', 9e9, privacy_unit => 'person', max_rows_per_unit => 4), dp.public_values('visits', 'season', 0, 1) \g /dev/null
SELECT (SELECT sum(n) FROM unnest(h) n) AS rows, array_dims(h) AS dims FROM (SELECT dp_histogram(day, hour, 0, 50, 5, 0, 7, 7, 1e6) AS h FROM visits) s;
SELECT season, (SELECT sum(n) FROM unnest(h) n) AS rows FROM (SELECT season, dp_histogram(day, hour, 0, 50, 5, 0, 7, 7, 1e6) AS h FROM visits GROUP BY season) s WHERE season IS NOT NULL ORDER BY season;
SELECT n AS rows, (SELECT sum(n) FROM unnest(h) n) AS cells FROM (SELECT dp_count('*', 1e6) AS n, dp_histogram(day, hour, 0, 50, 5, 0, 7, 7, 1e6) AS h FROM visits) s;
-- Noise is for all rows of a person: four times as much.
SELECT round(dp_error(dp_histogram(day, hour, 0, 50, 5, 0, 7, 7, 0.01)) / 300 / 4) AS "times" FROM visits;
-- Where all rows of a person count, the cells are those of count(*).
SELECT dp.protect('calm', 9e9, privacy_unit => 'person', max_rows_per_unit => 10) \g /dev/null
SELECT dp_histogram(day, hour, 0, 50, 2, 0, 7, 7, 1e6) AS counts, dp_histogram(day, hour, 0, 50, 2, 0, 7, 7, 1e6) = (SELECT h FROM cells) AS exact FROM calm;
SET dp.allow_drop = on;
DROP OWNED BY regress_heat_ana;
DROP ROLE regress_heat_ana;
