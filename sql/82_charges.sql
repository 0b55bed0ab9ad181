-- What is charged, and what is not. Numbers such as A1 are those of the threats that a test answers to.
SET client_min_messages = warning;
CREATE TABLE charged (id int PRIMARY KEY, k text, g int, x int NOT NULL);
INSERT INTO charged SELECT i, CASE WHEN i % 5 > 0 THEN chr(96 + i % 5) END, i % 4, i % 100 FROM generate_series(1, 200) i;
CREATE TABLE shops (k text, v int);
INSERT INTO shops VALUES ('a', 1), ('b', 2), ('c', 3);
ANALYZE charged, shops;
SELECT dp.protect('charged', 1000);
SELECT dp.public_values('charged', 'k', 'a', 'b', 'c', 'd'), dp.public_values('charged', 'g', 0, 1, 2, 3),
       dp.public_values('charged', 'x', VARIADIC ARRAY(SELECT generate_series(0, 99)));

-- What the whole table was charged since the last call.
CREATE TABLE seen (epsilon numeric);
INSERT INTO seen VALUES (0);
CREATE FUNCTION charge() RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
    before numeric := (SELECT epsilon FROM seen);
BEGIN
    UPDATE seen SET epsilon = epsilon_spent FROM dp.budgets WHERE relation = 'charged'::regclass AND role IS NULL;
    RETURN trim_scale((SELECT epsilon FROM seen) - before);
END
$$;
-- Of one query, to its end or its error, under these settings.
CREATE FUNCTION charge_of(query text, settings text[] DEFAULT '{}') RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
    setting text;
    before numeric;
BEGIN
    SELECT epsilon_spent INTO before FROM dp.budgets WHERE relation = 'charged'::regclass AND role IS NULL;
    FOREACH setting IN ARRAY settings LOOP
        PERFORM set_config(split_part(setting, '=', 1), split_part(setting, '=', 2), false);
    END LOOP;
    BEGIN
        EXECUTE query;
    EXCEPTION WHEN OTHERS THEN
        IF cardinality(settings) = 0 THEN RAISE WARNING '% [%]', SQLERRM, SQLSTATE; END IF;
    END;
    FOREACH setting IN ARRAY settings LOOP
        EXECUTE 'RESET ' || split_part(setting, '=', 1);
    END LOOP;
    RETURN (SELECT trim_scale(epsilon_spent - before) FROM dp.budgets WHERE relation = 'charged'::regclass AND role IS NULL);
END
$$;

CREATE FUNCTION asking(low int) RETURNS TABLE (k text, n bigint) LANGUAGE sql STABLE AS $$SELECT k, dp_count('*', 0.1) FROM charged WHERE g > low GROUP BY k$$;
-- Level by level, aggregate by aggregate, grouping set by grouping set; groups of one set in parallel.
CREATE TABLE questions (id int GENERATED ALWAYS AS IDENTITY, query text);
INSERT INTO questions (query) VALUES
    ($$SELECT dp_count('*', 0.1) FROM charged$$),
    ($$SELECT k, dp_count('*', 0.1) FROM charged GROUP BY k$$),
    ($$SELECT k, dp_count('*', 0.1), dp_sum(x, 0, 100, 0.2) FROM charged GROUP BY k$$),
    -- B32: the same aggregate is one charge, another text another one
    ($$SELECT dp_count('*', 0.1), dp_count('*', 0.1) FROM charged$$),
    ($$SELECT k, dp_count('*', 0.1) FROM charged GROUP BY k HAVING dp_count('*', 0.1) > 0 ORDER BY dp_count('*', 0.1)$$),
    ($$SELECT k FROM charged GROUP BY k HAVING dp_count('*', 0.1) > 0 ORDER BY dp_sum(x, 0, 100, 0.2)$$),
    ($$SELECT dp_count('*', 0.1), dp_count('*', 0.2) FROM charged$$),
    ($$SELECT dp_count(x, 0.1), dp_count(dp_add(x, 0), 0.1) FROM charged$$),
    ($$SELECT dp_count('*', 0.1), dp_count('*', 0.05 + 0.05) FROM charged$$),
    -- C45
    ($$SELECT dp_count(x, 0.1), dp_count(DISTINCT x, 0.1), dp_count(x, 0.1) FILTER (WHERE g = 1) FROM charged$$),
    -- B30
    ($$SELECT k, g, dp_count('*', 0.1) FROM charged GROUP BY ROLLUP (k, g)$$),
    ($$SELECT k, g, dp_count('*', 0.1), dp_sum(x, 0, 100, 0.1) FROM charged GROUP BY CUBE (k, g)$$),
    ($$SELECT dp_count('*', 0.1) FROM charged GROUP BY GROUPING SETS ((), (k), (k), (g))$$),
    ($$SELECT dp_count('*', 0.1) FROM charged GROUP BY DISTINCT GROUPING SETS ((), (k), (k), (g))$$),
    ($$SELECT dp_count('*', 0.1) FROM charged GROUP BY GROUPING SETS ((), ())$$),
    ($$SELECT dp_count('*', 0.1) FROM charged GROUP BY ()$$),
    ($$SELECT dp_count('*', 0.1), GROUPING(k) FROM charged GROUP BY ROLLUP (k), ROLLUP (g)$$),
    -- B31, and levels
    ($$SELECT dp_count('*', 0.1) FROM charged UNION ALL SELECT dp_count('*', 0.1) FROM charged$$),
    ($$SELECT dp_count('*', 0.1) FROM charged UNION SELECT dp_count('*', 0.1) FROM charged$$),
    ($$SELECT (SELECT dp_count('*', 0.1) FROM charged), (SELECT dp_count('*', 0.1) FROM charged)$$),
    ($$SELECT dp_count('*', 0.1), (SELECT dp_count('*', 0.3) FROM charged) FROM charged$$),
    ($$SELECT a.n, b.n FROM (SELECT k, dp_count('*', 0.1) AS n FROM charged GROUP BY k) a JOIN (SELECT k, dp_count('*', 0.1) AS n FROM charged GROUP BY k) b USING (k)$$),
    ($$SELECT dp_sum(n, 0, 100, 0.7) FROM (SELECT k, dp_count('*', 0.1) AS n FROM charged GROUP BY k) a$$),
    -- B28: a CTE is drawn once, however often and wherever it is read; B29: so is what is read again for each row
    ($$WITH a AS NOT MATERIALIZED (SELECT k, dp_count('*', 0.1) AS n FROM charged GROUP BY k) SELECT * FROM a x JOIN a y USING (k) WHERE x.n > (SELECT min(n) FROM a)$$),
    ($$SELECT v, (SELECT dp_count('*', 0.1) FROM charged) FROM shops$$),
    ($$SELECT v, n FROM shops s, LATERAL (SELECT dp_count('*', 0.1) + s.v AS n FROM charged) l$$),
    ($$SELECT v FROM shops s WHERE EXISTS (SELECT FROM charged GROUP BY k HAVING dp_count('*', 0.1) > s.v AND k = s.k)$$),
    ($$SELECT g, n FROM generate_series(1, 50) g, (SELECT dp_count('*', 0.1) AS n FROM charged) q$$),
    ($$SELECT s, s + 1, s + 2 FROM (SELECT (SELECT dp_count('*', 0.1) FROM charged) AS s FROM shops) q WHERE s > -1e9$$),
    ($$SELECT dp_count('*', 0.1) FROM charged GROUP BY k HAVING k > ALL (SELECT k FROM shops) OR dp_count('*', 0.1) > (SELECT sum(v) FROM shops)$$),
    -- a function that becomes a part of the query (E71)
    ($$SELECT count(*) FROM asking(1) a, asking(2) b$$),
    -- C41, C42: what nobody looks at is charged all the same, for the groups are seen
    ($$SELECT count(*) FROM (SELECT x, dp_count('*', 0.1) FROM charged GROUP BY x) s$$),
    ($$SELECT k FROM (SELECT k, dp_count('*', 0.1), dp_sum(x, 0, 100, 0.1) FROM charged GROUP BY k) s$$),
    ($$SELECT EXISTS (SELECT dp_count('*', 0.1) FROM charged WHERE k = 'bob' GROUP BY k)$$),
    ($$SELECT 1 FROM charged HAVING dp_count('*', 0.1) > 1e9$$),
    -- C51, G97: an empty input is charged and answered like any other
    ($$SELECT dp_avg(x, 0, 100, 0.1) FROM charged WHERE k = 'bob'$$),
    ($$SELECT dp_count('*', 0.1) FROM charged WHERE false$$),
    ($$SELECT k, dp_count('*', 0.1) FROM charged WHERE 1 <> 1 GROUP BY k$$),
    -- what does not run costs nothing
    ($$WITH a AS (SELECT dp_count('*', 0.1) FROM charged) SELECT 1$$),
    ($$WITH p AS (SELECT * FROM charged) SELECT (SELECT dp_count('*', 0.1) FROM p), (SELECT dp_count('*', 0.1) FROM p WHERE g = 1)$$),
    ($$SELECT dp_count('*', 0.1) FROM charged LIMIT 0$$),
    ($$SELECT * FROM (SELECT k, dp_count('*', 0.1) FROM charged GROUP BY k) t WHERE 1 <> 1 LIMIT 0$$),
    ($$SELECT * FROM (SELECT k, dp_count('*', 0.1) FROM charged GROUP BY k) t WHERE 1 <> 1$$),
    ($$SELECT CASE WHEN v > 1e9 THEN (SELECT dp_count('*', 0.1) FROM charged) END FROM shops$$),
    ($$EXPLAIN SELECT dp_count('*', 0.1) FROM charged$$),
    ($$PREPARE p AS SELECT dp_count('*', 0.1) FROM charged$$),
    ($$DECLARE c CURSOR FOR SELECT dp_count('*', 0.1) FROM charged$$),
    -- B35
    ($$EXPLAIN ANALYZE SELECT dp_count('*', 0.1) FROM charged$$),
    ($$CREATE TEMP TABLE answer AS SELECT k, dp_count('*', 0.1) AS n FROM charged GROUP BY k$$),
    ($$CREATE TEMP TABLE answer_later AS SELECT k, dp_count('*', 0.1) AS n FROM charged GROUP BY k WITH NO DATA$$),
    ($$INSERT INTO shops SELECT k, dp_count('*', 0.1) FROM charged GROUP BY k RETURNING (SELECT dp_count('*', 0.2) FROM charged)$$),
    ($$UPDATE shops SET v = (SELECT dp_count('*', 0.1) FROM charged) WHERE v < 1e9 + (SELECT dp_count('*', 0.2) FROM charged) RETURNING v$$),
    ($$DELETE FROM shops USING (SELECT k, dp_count('*', 0.1) AS n FROM charged GROUP BY k) a WHERE a.k = shops.k AND n < -1e9$$),
    ($$MERGE INTO shops s USING (SELECT k, dp_count('*', 0.1) AS n FROM charged GROUP BY k) a ON a.k = s.k
       WHEN MATCHED AND v > (SELECT dp_count('*', 0.2) FROM charged) THEN UPDATE SET v = n
       WHEN NOT MATCHED THEN INSERT VALUES (a.k, (SELECT dp_count('*', 0.4) FROM charged))$$),
    ($$CREATE MATERIALIZED VIEW kept AS SELECT k, dp_count('*', 0.1) AS n FROM charged GROUP BY k$$),
    ($$REFRESH MATERIALIZED VIEW kept$$),
    ($$SELECT * FROM kept$$),
    ($$COPY (SELECT dp_count('*', 0.1) FROM charged) TO '/dev/null'$$),
    ($$DO 'BEGIN PERFORM dp_count(''*'', 0.1) FROM charged; PERFORM dp_count(''*'', 0.1) FROM charged; END'$$);
SELECT id, charge_of(query) AS charge, query FROM questions ORDER BY id;
DEALLOCATE p;
DROP TABLE answer, answer_later;
DROP MATERIALIZED VIEW kept;
TRUNCATE shops;
INSERT INTO shops VALUES ('a', 1), ('b', 2), ('c', 3);

-- The same under every plan. (What only CASE keeps from running may run early in a parallel plan, and is charged then.)
CREATE TEMP TABLE costs AS SELECT id, query, charge_of(query, '{work_mem=4MB}') AS charge FROM questions WHERE query ~ '^(SELECT|WITH|INSERT|UPDATE|DELETE|MERGE)' AND query !~ 'CASE';
SELECT p.name, c.query, c.charge, d AS charge_here
FROM plans p, costs c, charge_of(c.query, p.settings || '{work_mem=64kB}'::text[]) d WHERE d <> c.charge;

-- One draw for each charge: at these epsilons two draws never are the same number.
SELECT dp_count('*', 1e-6) = dp_count('*', 1e-6) AS same, dp_count('*', 1e-6) <> dp_count('*', 0.0000011) AS differ FROM charged;
SELECT count(*) FROM (SELECT k FROM charged GROUP BY k HAVING dp_count(x, 1e-6) = (SELECT dp_count(charged.x, 1e-6))) q;
WITH a AS NOT MATERIALIZED (SELECT dp_count('*', 1e-6) AS n FROM charged) SELECT x.n = y.n AS same FROM a x, a y;
SELECT count(DISTINCT n) FROM generate_series(1, 50), (SELECT dp_count('*', 1e-6) AS n FROM charged) q;
SELECT count(DISTINCT n) FROM (SELECT (SELECT dp_count('*', 1e-6) FROM charged) AS n FROM generate_series(1, 50)) q;
SELECT count(DISTINCT n) FROM (SELECT dp_count('*', 1e-6) AS n FROM charged UNION ALL SELECT dp_count('*', 1e-6) FROM charged) q; -- B31
SELECT n = m AS same FROM (SELECT n, n AS m FROM (SELECT (SELECT dp_count('*', 1e-6) FROM charged) AS n) a) b WHERE n = m;
SELECT charge();

-- B25, B26: a question for each row is refused; what is one question with GROUP BY is not.
SELECT k, (SELECT dp_count('*', 0.1) FROM charged c WHERE c.k = s.k) FROM shops s;
SELECT i, n FROM generate_series(1, 50) i, LATERAL (SELECT dp_count('*', 0.1) AS n FROM charged WHERE x > i) q;
SELECT i, n FROM generate_series(1, 50) i, LATERAL (SELECT dp_sum(x + i, 0, 100, 0.1) AS n FROM charged) q;
SELECT i, n FROM generate_series(1, 50) i, LATERAL (SELECT dp_count('*', 0.1) AS n FROM charged GROUP BY x + i) q;
SELECT i, n FROM generate_series(1, 50) i, LATERAL (SELECT dp_count('*', 0.1) AS n FROM (SELECT * FROM charged WHERE x > i) c) q;
SELECT GROUPING(k), (SELECT dp_count('*', 0.1) FROM charged WHERE g = GROUPING(s.k)) FROM shops s GROUP BY ROLLUP (k);
SELECT (SELECT dp_count(s.x, 0.1) FROM shops LIMIT 1) > 1e9 AS outer_aggregate FROM charged s;
SELECT charge();
-- B27
SELECT dp_count('*', 0.1) OVER () FROM charged;
SELECT dp_count('*', 0.1) OVER (ORDER BY k) FROM charged;
-- C43, C44: parameters from the data, and those that are not what they should be (A22, A23)
SELECT dp_count(x, CASE WHEN k = 'a' THEN float8 '1e6' ELSE float8 '0.1' END) FROM charged;
SELECT dp_sum(x, 0, max(x), 0.1) FROM charged;
SELECT dp_sum(x, 0, id, 0.1) FROM charged;
SELECT dp_count('*', NULL) FROM charged;
SELECT dp_count('*', 0) FROM charged;
SELECT dp_count('*', -1) FROM charged;
SELECT dp_count('*', 'NaN') FROM charged;
SELECT dp_count('*', 'Infinity') FROM charged;
SELECT dp_count('*', 1e-300) FROM charged;
SELECT dp_count('*', 1e308) FROM charged;
SELECT dp_count('*', 0.1), dp_sum(x, 1, 0, 0.1) FROM charged;
SELECT charge();
-- A24
SELECT charge_of($$SELECT dp_count('*', 1e-9) FROM charged$$), charge_of($$SELECT dp_count('*', 1.4e-9) FROM charged$$);
-- G100: the setting is read once
SET dp.epsilon = 0.5;
SELECT charge_of($$SELECT set_config('dp.epsilon', '100', false)::bigint UNION ALL SELECT dp_count(*) FROM charged$$);
SELECT charge_of($$SELECT dp_count(*) FROM charged$$);
RESET dp.epsilon;
-- G107
SELECT dp_rr_histogram(k, ARRAY['a', 'b'], 0.1) FROM charged;
-- C54
SELECT dp_count('*', 0.1) FROM charged TABLESAMPLE SYSTEM (10);
SELECT dp_count('*', 0.1) FROM charged WHERE random() < 0.5;
SELECT dp_count('*', 0.1) FROM (SELECT * FROM charged FOR UPDATE) c;
SELECT dp_count('*', 0.1) FROM charged GROUP BY generate_series(1, x);
SELECT dp_count('*', 0.1) FROM (SELECT generate_series(1, x) FROM charged) c;
-- C37, C38
SELECT dp_count('*', 0.1) FROM charged, generate_series(1, 1000);
SELECT dp_count('*', 0.1) FROM charged a JOIN charged b USING (k);
SELECT dp_count('*', 0.1) FROM (SELECT k FROM charged UNION ALL SELECT k FROM charged) c;
SELECT charge();
-- C51, G97: an empty input gives a number, in a parallel plan too; G95: NULL is a group, and groups come in order
SELECT dp_count('*', 0.1) IS NOT NULL AS n, dp_sum(x, 0, 100, 0.1) IS NOT NULL AS s, dp_avg(x, 0, 100, 0.1) BETWEEN 0 AND 100 AS a FROM charged WHERE k = 'bob';
SET min_parallel_table_scan_size = 0; SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0;
SELECT dp_count('*', 0.1) IS NOT NULL AS n, dp_sum(x, 0, 100, 0.1) IS NOT NULL AS s, dp_avg(x, 0, 100, 0.1) BETWEEN 0 AND 100 AS a FROM charged WHERE k = 'bob';
RESET min_parallel_table_scan_size; RESET parallel_setup_cost; RESET parallel_tuple_cost;
SELECT k, dp_count('*', 100) FROM charged GROUP BY k;
-- G101: expressions on keys belong to the post
SELECT charge_of($$SELECT 1 / (g - 2), dp_count('*', 0.1) FROM charged GROUP BY g$$);
SELECT charge_of($$SELECT g FROM charged GROUP BY g HAVING 1 / (g - 2) > 0 AND dp_count('*', 0.1) > -1000$$);
SELECT charge();
