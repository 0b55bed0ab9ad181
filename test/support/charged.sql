-- The table that sql/budget_charges, budget_charges_stay and budget_cost ask about, what it was charged, and questions to charge.
CREATE TABLE charged (id int PRIMARY KEY, k text, g int, x int NOT NULL);
INSERT INTO charged SELECT i, CASE WHEN i % 5 > 0 THEN chr(96 + i % 5) END, i % 4, i % 100 FROM generate_series(1, 200) i;
CREATE TABLE shops (k text, v int);
INSERT INTO shops VALUES ('a', 1), ('b', 2), ('c', 3);
ANALYZE charged, shops;
SELECT dp.protect('charged', 1000, min_query_epsilon => 1e-9);
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
    -- the same aggregate is one charge, another text another one
    ($$SELECT dp_count('*', 0.1), dp_count('*', 0.1) FROM charged$$),
    ($$SELECT k, dp_count('*', 0.1) FROM charged GROUP BY k HAVING dp_count('*', 0.1) > 0 ORDER BY dp_count('*', 0.1)$$),
    ($$SELECT k FROM charged GROUP BY k HAVING dp_count('*', 0.1) > 0 ORDER BY dp_sum(x, 0, 100, 0.2)$$),
    ($$SELECT dp_count('*', 0.1), dp_count('*', 0.2) FROM charged$$),
    ($$SELECT dp_count(x, 0.1), dp_count(dp_add(x, 0), 0.1) FROM charged$$),
    ($$SELECT dp_count('*', 0.1), dp_count('*', 0.05 + 0.05) FROM charged$$),
    -- all values, different ones, and some rows
    ($$SELECT dp_count(x, 0.1), dp_count(DISTINCT x, 0.1), dp_count(x, 0.1) FILTER (WHERE g = 1) FROM charged$$),
    -- a charge for each grouping set
    ($$SELECT k, g, dp_count('*', 0.1) FROM charged GROUP BY ROLLUP (k, g)$$),
    ($$SELECT k, g, dp_count('*', 0.1), dp_sum(x, 0, 100, 0.1) FROM charged GROUP BY CUBE (k, g)$$),
    ($$SELECT dp_count('*', 0.1) FROM charged GROUP BY GROUPING SETS ((), (k), (k), (g))$$),
    ($$SELECT dp_count('*', 0.1) FROM charged GROUP BY DISTINCT GROUPING SETS ((), (k), (k), (g))$$),
    ($$SELECT dp_count('*', 0.1) FROM charged GROUP BY GROUPING SETS ((), ())$$),
    ($$SELECT dp_count('*', 0.1) FROM charged GROUP BY ()$$),
    ($$SELECT dp_count('*', 0.1), GROUPING(k) FROM charged GROUP BY ROLLUP (k), ROLLUP (g)$$),
    -- each query of a UNION, and each level
    ($$SELECT dp_count('*', 0.1) FROM charged UNION ALL SELECT dp_count('*', 0.1) FROM charged$$),
    ($$SELECT dp_count('*', 0.1) FROM charged UNION SELECT dp_count('*', 0.1) FROM charged$$),
    ($$SELECT (SELECT dp_count('*', 0.1) FROM charged), (SELECT dp_count('*', 0.1) FROM charged)$$),
    ($$SELECT dp_count('*', 0.1), (SELECT dp_count('*', 0.3) FROM charged) FROM charged$$),
    ($$SELECT a.n, b.n FROM (SELECT k, dp_count('*', 0.1) AS n FROM charged GROUP BY k) a JOIN (SELECT k, dp_count('*', 0.1) AS n FROM charged GROUP BY k) b USING (k)$$),
    ($$SELECT dp_sum(n, 0, 100, 0.7) FROM (SELECT k, dp_count('*', 0.1) AS n FROM charged GROUP BY k) a$$),
    -- a CTE is drawn once, however often and wherever it is read; so is what is read again for each row
    ($$WITH a AS NOT MATERIALIZED (SELECT k, dp_count('*', 0.1) AS n FROM charged GROUP BY k) SELECT * FROM a x JOIN a y USING (k) WHERE x.n > (SELECT min(n) FROM a)$$),
    ($$SELECT v, (SELECT dp_count('*', 0.1) FROM charged) FROM shops$$),
    ($$SELECT v, n FROM shops s, LATERAL (SELECT dp_count('*', 0.1) + s.v AS n FROM charged) l$$),
    ($$SELECT v FROM shops s WHERE EXISTS (SELECT FROM charged GROUP BY k HAVING dp_count('*', 0.1) > s.v AND k = s.k)$$),
    ($$SELECT g, n FROM generate_series(1, 50) g, (SELECT dp_count('*', 0.1) AS n FROM charged) q$$),
    ($$SELECT s, s + 1, s + 2 FROM (SELECT (SELECT dp_count('*', 0.1) FROM charged) AS s FROM shops) q WHERE s > -1e9$$),
    ($$SELECT dp_count('*', 0.1) FROM charged GROUP BY k HAVING k > ALL (SELECT k FROM shops) OR dp_count('*', 0.1) > (SELECT sum(v) FROM shops)$$),
    -- a function that becomes a part of the query
    ($$SELECT count(*) FROM asking(1) a, asking(2) b$$),
    -- what nobody looks at is charged all the same, for the groups are seen
    ($$SELECT count(*) FROM (SELECT x, dp_count('*', 0.1) FROM charged GROUP BY x) s$$),
    ($$SELECT k FROM (SELECT k, dp_count('*', 0.1), dp_sum(x, 0, 100, 0.1) FROM charged GROUP BY k) s$$),
    ($$SELECT EXISTS (SELECT dp_count('*', 0.1) FROM charged WHERE k = 'bob' GROUP BY k)$$),
    ($$SELECT 1 FROM charged HAVING dp_count('*', 0.1) > 1e9$$),
    -- an empty input is charged and answered like any other
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
    -- statements that run it as a part of what they do
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
