-- Constant arguments are evaluated once and not for each row, in every kind of aggregation. With this epsilon the answers
-- are exact, so that each one must be PostgreSQL's own.
CALL own_schema('answer_constant_arguments');
CREATE TEMP TABLE s AS
SELECT i AS id, i % 7 AS g, i % 3 AS h, CASE WHEN i % 11 = 0 THEN NULL ELSE i END AS v FROM generate_series(1, 10000) AS i;

-- The numbers that differ from PostgreSQL's, for a query of (plain, private).
CREATE FUNCTION pg_temp.differing(query text) RETURNS TABLE (answers bigint, differ bigint) LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY EXECUTE
    'SELECT count(*), count(*) FILTER (WHERE plain IS DISTINCT FROM private::numeric) FROM (' || query || ') AS q (plain, private)';
END $$;

-- One group, several transitions in one node, FILTER and DISTINCT.
SELECT dp_count('*', 1e6) - count(*) AS rows, dp_count(v, 1e6) - count(v) AS "values",
       dp_sum(v, 0, 10000, 1e6) - sum(v) AS sum, dp_sum(v, 0, 10000, 1e6, 'geometric') - sum(v) AS "sum, mechanism",
       dp_count('*', 1e6) FILTER (WHERE h = 1) - count(*) FILTER (WHERE h = 1) AS filter,
       dp_count(DISTINCT v % 5, 1e6) - count(DISTINCT v % 5) AS "distinct"
FROM s;

-- Hashed, sorted, and mixed.
SELECT * FROM pg_temp.differing('SELECT coalesce(sum(v), 0), dp_sum(v, 0, 10000, 1e6) FROM s GROUP BY g');
SET enable_hashagg = off;
SELECT * FROM pg_temp.differing('SELECT coalesce(sum(v), 0), dp_sum(v, 0, 10000, 1e6) FROM s GROUP BY g');
SELECT * FROM pg_temp.differing('SELECT coalesce(sum(v), 0), dp_sum(v, 0, 10000, 1e6) FROM s GROUP BY CUBE (g, h)');
RESET enable_hashagg;
SELECT * FROM pg_temp.differing('SELECT coalesce(sum(v), 0), dp_sum(v, 0, 10000, 1e6) FROM s GROUP BY GROUPING SETS ((g), (h), ())');

-- Hash tables that spill to disk have their expressions built again later.
SET work_mem = '64kB';
SELECT * FROM pg_temp.differing('SELECT coalesce(sum(v), 0), dp_sum(v, 0, 10000, 1e6) FROM s GROUP BY id');
SELECT * FROM pg_temp.differing('SELECT coalesce(sum(v), 0), dp_sum(v, 0, 10000, 1e6) FROM s GROUP BY GROUPING SETS ((id), (g), ())');
RESET work_mem;

-- A subquery in the node.
SELECT dp_sum((SELECT max(i) FROM generate_series(1, g + 1) AS i), 0, 10, 1e6) - sum(g + 1) AS subquery FROM s;

-- Constant values.
SELECT dp_count(NULL, 1e6) AS "count of NULL", dp_sum(NULL::float8, 0, 10, 1e6) AS "sum of NULL", dp_sum(5, 0, 10, 1e6) AS sum FROM s;

-- A plan that is used again reads its parameters again.
SET plan_cache_mode = force_generic_plan;
PREPARE bounded (float8) AS SELECT dp_sum(v, 0, $1, 1e6) - sum(least(v, $1)) FILTER (WHERE v IS NOT NULL) AS bounded FROM s;
EXECUTE bounded (10000);
EXECUTE bounded (5000);
EXECUTE bounded (NULL);

-- The value of a row that does not come is not evaluated.
PREPARE none (float8) AS SELECT dp_sum(1 / $1, 0, 10, 1e6) FROM s WHERE false;
EXECUTE none (0);
RESET plan_cache_mode;

-- Compiled expressions keep their arguments.
SET jit_above_cost = 0;
SET jit = on;
SELECT * FROM pg_temp.differing('SELECT coalesce(sum(v), 0), dp_sum(v, 0, 10000, 1e6) FROM s GROUP BY g');
SELECT * FROM pg_temp.differing('SELECT count(v), dp_count(v, 1e6) FROM s GROUP BY GROUPING SETS ((g), (h), ())');
