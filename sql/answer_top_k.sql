-- dp_top_k: the most frequent of listed values, from one answer of dp_histogram. Exact at epsilon 1e6.
SET client_min_messages = warning;
\set SHOW_CONTEXT never
CALL own_schema('answer_top_k');
CREATE ROLE regress_top_ana;
CREATE TABLE stays AS SELECT g AS id, g % 50 AS person, (ARRAY['a', 'b', 'b', 'c', 'c', 'c', 'd', 'd', 'd', 'd'])[g % 10 + 1] AS ward, g % 2 AS season, g % 3 AS bed FROM generate_series(0, 999) g;
INSERT INTO stays VALUES (1000, 0, NULL, 0, 0), (1001, 1, 'of no category', 1, 0);

-- ---- over a protected table, by a role without any privilege on it
SELECT dp.protect('stays', 9e9, reuse => '1 day'), dp.public_values('stays', 'season', 0, 1), dp.grant_budget('stays', 'regress_top_ana', 9e9, allow_leaks => true) \g /dev/null
SET ROLE regress_top_ana;
SELECT * FROM dp_top_k((SELECT dp_histogram(ward, ARRAY['a', 'b', 'c', 'd', 'e'], 1e6) FROM stays), ARRAY['a', 'b', 'c', 'd', 'e'], 3);
-- What is shown of it, and how much, costs nothing: the same answer says it.
SELECT * FROM dp_top_k((SELECT dp_histogram(ward, ARRAY['a', 'b', 'c', 'd', 'e'], 1e6) FROM stays), ARRAY['a', 'b', 'c', 'd', 'e'], 10);
SELECT epsilon FROM dp.cost($$ SELECT * FROM dp_top_k((SELECT dp_histogram(ward, ARRAY['a', 'b', 'c', 'd'], 0.5) FROM stays), ARRAY['a', 'b', 'c', 'd'], 3) $$);
-- Other types, groups, nobody.
SELECT *, pg_typeof(value) FROM dp_top_k((SELECT dp_histogram(bed, ARRAY[0, 1, 2], 1e6) FROM stays), ARRAY[0, 1, 2], 1);
SELECT season, top.* FROM (SELECT season, dp_histogram(ward, ARRAY['a', 'b', 'c', 'd'], 1e6) AS counts FROM stays GROUP BY season) s, dp_top_k(counts, ARRAY['a', 'b', 'c', 'd'], 2) top ORDER BY season, count DESC, value;
SELECT * FROM dp_top_k((SELECT dp_histogram(ward, ARRAY['x', 'y'], 1e6) FROM stays WHERE id < 0), ARRAY['x', 'y'], 2);
-- Made finer, and read again.
SELECT dp_histogram(ward, ARRAY['d', 'c'], 0.01) IS NOT NULL AS coarse FROM stays;
SELECT dp_last_release() AS r \gset
SELECT top.* FROM dp_relax_release(:r, 1e6), dp_top_k(ARRAY(SELECT jsonb_array_elements_text(answer)::bigint), ARRAY['d', 'c'], 1) top;
RESET ROLE;
SELECT kind, epsilon FROM dp.ledger WHERE relation = 'stays'::regclass AND kind <> 'reuse' ORDER BY seq;

-- ---- the order is that of the noisy counts: counts 2, 1, 0 at epsilon 1, 20,000 times; six standard errors
SELECT abs(avg((first = 'a')::int) - 0.785407) < 0.0175 AS most, abs(avg((first = 'c')::int) - 0.045824) < 0.0089 AS least
FROM (SELECT (SELECT value FROM dp_top_k(counts, ARRAY['a', 'b', 'c'], 1)) AS first
      FROM (SELECT dp_histogram(v, ARRAY['a', 'b', 'c'], 1, 'geometric') AS counts FROM (VALUES ('a'), ('a'), ('b')) rows(v), generate_series(1, 20000) g GROUP BY g) s) t;

-- ---- privacy units with several rows: as many of each as count
CREATE TABLE visits AS SELECT person, ward FROM stays WHERE ward IN ('c', 'd');
SELECT dp.protect('visits', 9e9, privacy_unit => 'person', max_rows_per_unit => 2) \g /dev/null
SELECT sum(count) AS rows, count(*) AS values FROM dp_top_k((SELECT dp_histogram(ward, ARRAY['c', 'd'], 1e6) FROM visits), ARRAY['c', 'd'], 5);

-- ---- what it takes
SELECT * FROM dp_top_k('{3,7,7,NULL,-2}', ARRAY['a', 'b', 'c', 'd', 'e'], 4);
SELECT * FROM dp_top_k(NULL, ARRAY['a', 'b'], 1);
SELECT * FROM dp_top_k('{}', '{}'::text[], 1);
SELECT * FROM dp_top_k('{1,2}', ARRAY['a', 'b'], 0);
SELECT * FROM dp_top_k('{1,2}', ARRAY['a', 'b'], NULL);
SELECT * FROM dp_top_k('{1,2}', NULL::text[], 1);
SELECT * FROM dp_top_k('{1,2,3}', ARRAY['a', 'b'], 1);
SELECT * FROM dp_top_k('{{1,2},{3,4}}', ARRAY['a', 'b', 'c', 'd'], 1);
SELECT * FROM dp_top_k('{1,2}', ARRAY[['a'], ['b']], 1);
SET dp.allow_drop = on;
DROP OWNED BY regress_top_ana;
DROP ROLE regress_top_ana;
