-- Query shapes: what stands around private aggregates over a protected table gives the rows, names and types that plain
-- aggregates would, under every plan. At epsilon 1e6 counts and sums of integers are exact. With group_epsilon 100 and group_delta
-- 1e-18 the private choice of groups keeps all of two rows or more and none of one: the bound of its noise is k = 1, since
-- P(1) = e^-100 is below that delta, and it takes other values than 0 as seldom.
CALL own_schema('guard_query_shapes');
SET client_min_messages = warning;
\getenv folder PG_ABS_SRCDIR
\set shapes :folder '/test/support/shapes.sql'
\set ECHO none
\o /dev/null
\i :shapes
\o
\set ECHO all
-- The wards of events are public: c is not among them, z has no events. `event_wards` is what is asked then.
SELECT dp.public_values('events', 'ward', 'a', 'b', 'd', 'e', 'z');
CREATE VIEW event_wards AS
    SELECT w AS ward, e.id, e.age, e.id IS NOT NULL AS there FROM unnest('{a,b,d,e,z,NULL}'::text[]) w LEFT JOIN events e ON e.ward IS NOT DISTINCT FROM w;

-- The same question without privacy.
CREATE FUNCTION plainly(query text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    query := regexp_replace(query, $r$dp_count\((\*|'\*'(?=, 1e6))(, 1e6)?\)$r$, 'count(*)', 'g');
    query := regexp_replace(query, 'dp_count\(((DISTINCT )?[^()]+?), 1e6\)', 'count(\1)', 'g');
    query := regexp_replace(query, 'dp_sum\(([^()]+?), 0, 100, 1e6\)', 'sum(\1)', 'g');
    query := regexp_replace(query, 'dp_avg\(([^()]+?), 0, 100, 1e6\)', 'avg(\1)::float8', 'g');
    query := replace(query, 'by_ward', 'plainly_by_ward');
    RETURN regexp_replace(query, '\mdp_(count|sum|avg)\M', '\1', 'g');
END
$$;

CREATE FUNCTION rows_of(relation regclass, in_order boolean, OUT rows text[]) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT array_agg(r::text ORDER BY %s) FROM %s r', CASE WHEN in_order THEN 'ctid' ELSE 'r::text' END, relation) INTO rows;
END
$$;

CREATE FUNCTION columns_of(relation regclass) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(regexp_replace(attname, '^dp_', '') || ' ' || format_type(atttypid, atttypmod) || ' ' || attcollation, ', '
                      ORDER BY attnum)
    FROM pg_attribute WHERE attrelid = relation AND attnum > 0
$$;

-- Empty where the rows, names and types of a query are those that are expected; else what differs.
CREATE FUNCTION difference(private text, expected text[], expected_names text, in_order boolean, settings text[]) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    setting text;
    line text;
    gates int := 0;
    answered text[];
    names text;
BEGIN
    FOREACH setting IN ARRAY settings LOOP
        PERFORM set_config(split_part(setting, '=', 1), split_part(setting, '=', 2), false);
    END LOOP;
    FOR line IN EXECUTE 'EXPLAIN ' || private LOOP
        IF line ~ 'DpRelease' THEN gates := gates + 1; END IF;
    END LOOP;
    EXECUTE 'CREATE TEMP TABLE private_rows AS ' || private;
    FOREACH setting IN ARRAY settings LOOP
        EXECUTE 'RESET ' || split_part(setting, '=', 1);
    END LOOP;
    answered := rows_of('private_rows', in_order);
    names := columns_of('private_rows');
    DROP TABLE private_rows;
    IF names IS DISTINCT FROM expected_names THEN RETURN format('%s, not %s', names, expected_names); END IF;
    IF gates = 0 THEN RETURN 'no DpRelease in the plan'; END IF;
    IF answered IS DISTINCT FROM expected THEN RETURN format('%s, not %s', left(answered::text, 300), left(expected::text, 300)); END IF;
    RETURN '';
EXCEPTION WHEN OTHERS THEN
    RETURN 'error: ' || SQLERRM;
END
$$;

\set plans :folder '/test/support/plans.sql'
\set ECHO none
\o /dev/null
\i :plans
\o
\set ECHO all
CREATE TABLE shapes (id int GENERATED ALWAYS AS IDENTITY, private text, plain text, in_order boolean DEFAULT false,
                     expected text[], names text);
SET dp.epsilon = 1e6;

-- Without a defined order.
INSERT INTO shapes (private) VALUES
    -- keys
    ($$SELECT dp_count('*', 1e6) FROM people$$),
    ($$SELECT dp_count(*) FROM people$$),
    ($$SELECT dp_count(*), dp_count(*) FILTER (WHERE active) AS active, dp_count(*) FILTER (WHERE NOT active) AS not FROM people$$),
    ($$SELECT ward, dp_count('*', 1e6) FROM people GROUP BY ward$$),
    ($$SELECT dp_count('*', 1e6) FROM people GROUP BY ward$$),
    ($$SELECT ward AS w, dp_count('*', 1e6) AS n FROM people GROUP BY w$$),
    ($$SELECT ward, active, dp_count('*', 1e6) FROM people GROUP BY 1, 2$$),
    ($$SELECT active, ward, dp_count('*', 1e6) FROM people GROUP BY ward, active, ward$$),
    ($$SELECT kind, dp_sum(age, 0, 100, 1e6) FROM people GROUP BY kind$$),
    ($$SELECT price, dp_sum(size, 0, 100, 1e6) FROM people GROUP BY price$$),
    ($$SELECT born, dp_count(size, 1e6) FROM people GROUP BY born$$),
    ($$SELECT code, dp_count(DISTINCT size, 1e6) FROM people GROUP BY code$$),
    ($$SELECT dp_trunc('month', seen) AS month, dp_count('*', 1e6) FROM people GROUP BY 1$$),
    ($$SELECT dp_trunc('month', seen)::date AS __timestamp, ward, dp_count('*', 1e6) AS n FROM people GROUP BY 1, 2$$),
    ($$SELECT date_trunc('day', seen)::date AS day, dp_count('*', 1e6) AS n FROM people WHERE seen < '2024-05-20' GROUP BY 1$$),
    ($$SELECT age / 20 AS decade, age / 20 * 20 || '+' AS label, dp_count('*', 1e6) FROM people GROUP BY age / 20$$),
    ($$SELECT upper(ward), length(upper(ward)) + 1 AS l, dp_count('*', 1e6) FROM people GROUP BY upper(ward)$$),
    ($$SELECT CASE WHEN age < 18 THEN 'young' WHEN age > 60 THEN 'old' END AS class, dp_count('*', 1e6) FROM people GROUP BY 1$$),
    ($$SELECT coalesce(ward, 'none') AS ward, dp_count('*', 1e6) FROM people GROUP BY coalesce(ward, 'none')$$),
    ($$SELECT ward IS NULL AS unknown, born, dp_count('*', 1e6) FROM people GROUP BY ward IS NULL, born$$),
    ($$SELECT (ward, active)::text AS pair, dp_count('*', 1e6) FROM people GROUP BY (ward, active)$$),
    ($$SELECT 'all' AS label, dp_count('*', 1e6) FROM people GROUP BY 1$$),
    ($$SELECT 'all' AS label, ward, dp_count('*', 1e6) FROM people GROUP BY 1, 2$$),
    ($$SELECT ward AS key, ward AS again, dp_count('*', 1e6), dp_count('*', 1e6) AS n FROM people GROUP BY ward$$),
    ($$SELECT ward COLLATE "C" AS ward, dp_count('*', 1e6) FROM people GROUP BY ward COLLATE "C"$$),
    ($$SELECT ward FROM people GROUP BY ward HAVING dp_count('*', 1e6) > 50$$),
    ($$SELECT 1 AS one FROM people HAVING dp_count('*', 1e6) > 5$$),
    ($$SELECT dp_count('*', 1e6) FROM people GROUP BY ()$$),
    -- aggregates
    ($$SELECT dp_count('*', 1e6) + dp_sum(age, 0, 100, 1e6) * 2 AS x, -dp_count('*', 1e6) FROM people$$),
    ($$SELECT ward, dp_count('*', 1e6) FILTER (WHERE age > 50) AS old, dp_count('*', 1e6) AS n FROM people GROUP BY ward$$),
    ($$SELECT dp_count(DISTINCT ward, 1e6), dp_sum(DISTINCT age, 0, 100, 1e6) FROM people$$),
    ($$SELECT ward, round(dp_avg(age, 0, 100, 1e6)::numeric, 2) AS mean FROM people GROUP BY ward$$),
    ($$SELECT CASE WHEN dp_count('*', 1e6) > 60 THEN 'many' ELSE 'few' END AS size, coalesce(nullif(dp_count('*', 1e6), 343), -1) FROM people GROUP BY ward$$),
    ($$SELECT dp_count('*', 1e6)::text || ' people' AS text, dp_sum(age, 0, 100, 1e6)::float8 / greatest(dp_count('*', 1e6), 1) FROM people$$),
    ($$SELECT ward, ARRAY[dp_count('*', 1e6), dp_sum(size, 0, 100, 1e6)::bigint] AS both FROM people GROUP BY ward$$),
    ($$SELECT ROW(ward, dp_count('*', 1e6))::text AS r FROM people GROUP BY ward$$),
    ($$SELECT generate_series(1, dp_count('*', 1e6) / 40) FROM people GROUP BY ward$$),
    -- conditions and HAVING
    ($$SELECT dp_count('*', 1e6) FROM people WHERE ward = 'a' AND age BETWEEN 10 AND 50 OR kind = 'happy'$$),
    ($$SELECT dp_count('*', 1e6) FROM people WHERE false$$),
    ($$SELECT ward, dp_count('*', 1e6) FROM people WHERE 1 <> 1 GROUP BY ward$$),
    ($$SELECT ward, dp_count('*', 1e6) FROM people WHERE ward = 'a' GROUP BY ward$$),
    ($$SELECT ward, dp_count('*', 1e6) FROM people WHERE ward IN ('a', 'b') AND price = 2.25 GROUP BY ward, price$$),
    ($$SELECT ward, dp_count('*', 1e6) FROM people GROUP BY ward HAVING ward > 'b'$$),
    ($$SELECT ward, dp_count('*', 1e6) FROM people GROUP BY ward HAVING dp_sum(age, 0, 100, 1e6) > 3000 AND dp_count('*', 1e6) > 1$$),
    ($$SELECT ward, dp_count('*', 1e6) FROM people GROUP BY ward HAVING ward IN (SELECT ward FROM wards WHERE beds > 5)$$),
    ($$SELECT ward, dp_count('*', 1e6) FROM people GROUP BY ward HAVING EXISTS (SELECT FROM wards w WHERE w.ward = people.ward AND beds < dp_count(people.age, 1e6))$$),
    ($$SELECT ward, (SELECT name FROM wards w WHERE w.ward = people.ward) AS name, dp_count('*', 1e6) FROM people GROUP BY ward$$),
    ($$SELECT ward, (SELECT max(beds) FROM wards WHERE beds < dp_sum(people.age, 0, 100, 1e6)) AS fits FROM people GROUP BY ward$$),
    -- wrapping
    ($$SELECT * FROM (SELECT ward, dp_count('*', 1e6) FROM people GROUP BY ward) t LIMIT 1001$$),
    ($$SELECT count(*) FROM (SELECT ward, dp_count('*', 1e6) FROM people GROUP BY ward) q$$),
    ($$SELECT q.n FROM (SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward) q WHERE q.ward = 'a' OR n > 60$$),
    ($$SELECT * FROM (SELECT *, n * 2 AS twice FROM (SELECT ward AS w, dp_count('*', 1e6) AS n FROM people GROUP BY ward) a WHERE n > 2) b WHERE w <> 'c'$$),
    ($$SELECT sum(n), max(w), count(DISTINCT n) FROM (SELECT * FROM (SELECT * FROM (SELECT ward AS w, dp_count('*', 1e6) AS n FROM people GROUP BY 1) a) b) c$$),
    ($$SELECT w.*, w::text AS row FROM (SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward) AS w(k, number)$$),
    ($$SELECT dp_count('*', 1e6) FROM (SELECT * FROM people) t$$),
    ($$SELECT k, dp_sum(v, 0, 100, 1e6) FROM (SELECT ward AS k, age AS v, 7 AS seven FROM (SELECT * FROM people WHERE age > 3) t WHERE kind <> 'ok') AS virtual_table GROUP BY k$$),
    ($$SELECT seven, d, dp_count('*', 1e6) FROM (SELECT age / 10 AS d, 7 AS seven FROM people) t WHERE d > 2 GROUP BY d, seven$$),
    ($$SELECT dp_count(a, 1e6) FROM (SELECT size AS a, ward FROM people) q$$),
    ($$SELECT kind, born, dp_count('*', 1e6) FROM (SELECT kind, born FROM people) q GROUP BY (q.kind, q.born)$$),
    ($$SELECT k, sum(n) AS n FROM (SELECT ward AS k, active, dp_count('*', 1e6) AS n FROM people GROUP BY 1, 2) q GROUP BY k HAVING count(*) > 1$$),
    ($$SELECT DISTINCT n FROM (SELECT dp_count('*', 1e6) AS n FROM people GROUP BY kind) q$$),
    ($$SELECT DISTINCT dp_count('*', 1e6) / 20 AS n FROM people GROUP BY ward$$),
    ($$SELECT DISTINCT active FROM people GROUP BY ward, active HAVING dp_count('*', 1e6) > 0$$),
    ($$SELECT true AS "_" FROM (SELECT dp_count('*', 1e6) FROM people) "Custom SQL Query" WHERE dp_count > 0 LIMIT 1$$),
    -- joins
    ($$SELECT a.ward, a.n, b.s FROM (SELECT ward, dp_count('*', 1e6) n FROM people GROUP BY 1) a JOIN (SELECT ward, dp_sum(age, 0, 100, 1e6) s FROM people GROUP BY 1) b USING (ward)$$),
    ($$SELECT name, n FROM wards LEFT JOIN (SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward) a USING (ward)$$),
    ($$SELECT * FROM wards NATURAL FULL JOIN (SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward) a$$),
    ($$SELECT w.name, a.n FROM (SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward) a RIGHT JOIN wards w ON a.ward = w.ward AND a.n > w.beds$$),
    ($$SELECT n, name FROM (SELECT dp_count('*', 1e6) AS n FROM people) a, wards WHERE beds < n$$),
    ($$SELECT g, n FROM generate_series(1, 3) g CROSS JOIN (SELECT kind, dp_count('*', 1e6) AS n FROM people GROUP BY kind) a$$),
    ($$SELECT w.name, l.n FROM wards w, LATERAL (SELECT dp_count('*', 1e6) AS n FROM people) l$$),
    ($$SELECT w.name, l.n FROM wards w LEFT JOIN LATERAL (SELECT dp_count('*', 1e6) + w.beds AS n FROM people) l ON true$$),
    ($$SELECT w.name, l.n FROM wards w, LATERAL (SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward HAVING ward = w.ward) l$$),
    ($$SELECT a.ward, b.kind, a.n * b.n AS product FROM (SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward) a
       CROSS JOIN (SELECT kind, dp_count('*', 1e6) AS n FROM people GROUP BY kind) b WHERE a.n > b.n - 80$$),
    ($$SELECT name FROM wards w LEFT JOIN (SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward) a ON a.ward = w.ward WHERE n IS NULL$$),
    -- scalar subqueries, EXISTS, IN
    ($$SELECT (SELECT dp_count('*', 1e6) FROM people) AS n$$),
    ($$SELECT name, (SELECT dp_count('*', 1e6) FROM people) - beds AS rest FROM wards$$),
    ($$SELECT name FROM wards WHERE beds < (SELECT dp_count('*', 1e6) / 6 FROM people)$$),
    ($$SELECT name FROM wards WHERE ward IN (SELECT ward FROM people GROUP BY ward HAVING dp_count('*', 1e6) > 50)$$),
    ($$SELECT name FROM wards WHERE ward NOT IN (SELECT ward FROM people WHERE ward IS NOT NULL GROUP BY ward HAVING dp_count('*', 1e6) > 50)$$),
    ($$SELECT name FROM wards WHERE EXISTS (SELECT dp_count('*', 1e6) FROM people GROUP BY ward)$$),
    ($$SELECT name FROM wards w WHERE EXISTS (SELECT FROM (SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward) a WHERE a.ward = w.ward AND n > 60)$$),
    ($$SELECT name FROM wards w WHERE NOT EXISTS (SELECT FROM (SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward) a WHERE a.ward = w.ward)$$),
    ($$SELECT name, beds > ALL (SELECT dp_count('*', 1e6) FROM people GROUP BY ward) AS most, beds < ANY (SELECT dp_count('*', 1e6) FROM people GROUP BY ward) AS less FROM wards$$),
    ($$SELECT ARRAY(SELECT dp_count('*', 1e6) FROM people GROUP BY ward ORDER BY ward) AS counts$$),
    ($$SELECT dp_count('*', 1e6) AS n, (SELECT dp_sum(age, 0, 100, 1e6) FROM people WHERE age > 50) AS old FROM people$$),
    ($$SELECT ward, dp_count('*', 1e6)::numeric / (SELECT dp_count('*', 1e6) FROM people) AS share FROM people GROUP BY ward$$),
    ($$SELECT x FROM (VALUES ((SELECT dp_count('*', 1e6) FROM people)), (1)) v(x)$$),
    ($$SELECT s, s + 1 AS t, s * 2 AS u FROM (SELECT (SELECT dp_count('*', 1e6) FROM people) AS s FROM wards) q WHERE s > 1$$),
    -- CTEs
    ($$WITH a AS (SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward) SELECT * FROM a$$),
    ($$WITH a AS (SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward) SELECT x.ward, x.n, y.n AS m FROM a x JOIN a y ON x.n <= y.n$$),
    ($$WITH a AS MATERIALIZED (SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward) SELECT n FROM a WHERE ward = 'a'$$),
    ($$WITH a AS NOT MATERIALIZED (SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward) SELECT (SELECT sum(n) FROM a) AS s, n FROM a$$),
    ($$WITH p AS (SELECT * FROM people WHERE age > 20) SELECT ward, dp_count('*', 1e6) FROM p GROUP BY ward$$),
    ($$WITH p AS (SELECT ward, age AS a FROM people), q AS (SELECT * FROM p WHERE a > 20) SELECT (SELECT dp_count('*', 1e6) FROM p) AS n, (SELECT dp_sum(a, 0, 100, 1e6) FROM q) AS s$$),
    ($$WITH a AS (SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward), b AS (SELECT max(n) AS top FROM a) SELECT ward, n FROM a, b WHERE n = top$$),
    ($$WITH a AS (SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward) SELECT (SELECT dp_sum(n, 0, 100, 1e6) FROM a) AS s, (SELECT dp_count('*', 1e6) FROM a WHERE n > 60) AS m$$),
    ($$WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 5), a AS (SELECT dp_count('*', 1e6) AS n FROM people) SELECT i, n FROM r, a$$),
    ($$WITH RECURSIVE r(i) AS (SELECT dp_count('*', 1e6) FROM people UNION ALL SELECT i / 2 FROM r WHERE i > 1) SELECT i FROM r$$),
    ($$WITH RECURSIVE r(i, n) AS (SELECT 1, 0::bigint UNION ALL SELECT i + 1, a.n FROM r, (SELECT dp_count('*', 1e6) AS n FROM people) a WHERE i < 4) SELECT i, n FROM r$$),
    -- set operations
    ($$SELECT dp_count('*', 1e6) FROM people UNION ALL SELECT dp_count('*', 1e6) FROM people$$),
    ($$SELECT dp_count('*', 1e6) FROM people UNION SELECT dp_count('*', 1e6) FROM people$$),
    ($$SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward UNION ALL SELECT 'all', dp_count('*', 1e6) FROM people$$),
    ($$SELECT ward FROM people GROUP BY ward HAVING dp_count('*', 1e6) > 10 INTERSECT SELECT ward FROM wards$$),
    ($$SELECT ward FROM wards EXCEPT SELECT ward FROM people GROUP BY ward HAVING dp_count('*', 1e6) > 10$$),
    ($$SELECT * FROM (SELECT dp_count('*', 1e6) FROM people UNION ALL SELECT beds FROM wards) u WHERE dp_count > 5$$),
    -- grouping sets
    ($$SELECT ward, kind, dp_count('*', 1e6) FROM people GROUP BY ROLLUP (ward, kind)$$),
    ($$SELECT ward, active, dp_count('*', 1e6), GROUPING(ward) AS gw, GROUPING(active, ward) AS gaw FROM people GROUP BY CUBE (ward, active)$$),
    ($$SELECT ward, kind, dp_sum(age, 0, 100, 1e6) FROM people GROUP BY GROUPING SETS ((ward), (kind), ())$$),
    ($$SELECT ward, active, dp_count('*', 1e6) FROM people GROUP BY DISTINCT ROLLUP (ward, active), ROLLUP (ward)$$),
    ($$SELECT ward, active, dp_count('*', 1e6) FROM people GROUP BY ROLLUP (ward, active), ROLLUP (ward)$$),
    ($$SELECT coalesce(ward, 'total') AS w, dp_count('*', 1e6) FROM people GROUP BY ROLLUP (ward) HAVING GROUPING(ward) = 1 OR dp_count('*', 1e6) > 60$$),
    ($$SELECT age / 51 AS half, upper(ward) AS w, dp_count('*', 1e6) FROM people GROUP BY CUBE (age / 51, upper(ward))$$),
    ($$SELECT dp_count('*', 1e6) FROM people WHERE false GROUP BY GROUPING SETS ((), ())$$),
    ($$SELECT 'x' AS label, ward, dp_count('*', 1e6) FROM people GROUP BY ROLLUP (1, 2)$$),
    ($$SELECT ward, 1 + 1 AS two, 2 + 2 || ward AS four, GROUPING(2 + 2), dp_count('*', 1e6) FROM people GROUP BY CUBE (ward, 2 + 2, 2)$$),
    ($$SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY GROUPING SETS (ward, ward, (ward, kind))$$),
    -- views and parts
    ($$SELECT decade, dp_count('*', 1e6) FROM adults GROUP BY decade$$),
    ($$SELECT ward, dp_sum(years, 0, 100, 1e6) FROM old GROUP BY ward$$),
    ($$SELECT * FROM by_ward$$),
    ($$SELECT name, n FROM wards LEFT JOIN by_ward ON by_ward.ward = wards.ward WHERE n > 20$$),
    ($$SELECT max(n), sum(years) FROM by_ward$$),
    ($$SELECT ward, dp_count('*', 1e6) FROM invoked GROUP BY ward$$),
    ($$SELECT ward, dp_count('*', 1e6) FROM barrier WHERE age > 30 GROUP BY ward$$),
    ($$SELECT age / 10 AS decade, dp_count('*', 1e6), dp_sum(age, 0, 100, 1e6) FROM events WHERE age < 100 GROUP BY 1$$),
    ($$SELECT id / 100 AS part, dp_count('*', 1e6) FROM events WHERE id < 250 GROUP BY 1$$),
    ($$SELECT dp_count('*', 1e6) FROM events_2$$),
    ($$SELECT dp_count('*', 1e6) FROM ONLY events$$),
    ($$SELECT dp_count('*', 1e6), dp_sum(age, 0, 100, 1e6) FROM animals$$),
    ($$SELECT (SELECT dp_count('*', 1e6) FROM ONLY animals) AS only, (SELECT dp_count(breed, 1e6) FROM dogs) AS dogs$$),
    -- JSON
    ($$SELECT json_agg(q ORDER BY ward) FROM (SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward) q$$),
    ($$SELECT jsonb_object_agg(coalesce(ward, '-'), n) AS o FROM (SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward) q$$),
    ($$SELECT row_to_json(q)::jsonb AS j FROM (SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward) q$$),
    ($$SELECT (jsonb_array_elements(j)->>'n')::int AS n FROM (SELECT jsonb_agg(a) AS j FROM (SELECT dp_count('*', 1e6) AS n FROM people GROUP BY ward) a) q$$),
    ($$SELECT json_build_object('ward', ward, 'n', dp_count('*', 1e6))::jsonb AS j FROM people GROUP BY ward$$);

-- In the order that the query asks for.
INSERT INTO shapes (in_order, private) SELECT true, unnest(ARRAY[
    $$SELECT ward, dp_count('*', 1e6) FROM people GROUP BY ward ORDER BY ward$$,
    $$SELECT ward, dp_count('*', 1e6) FROM people GROUP BY ward ORDER BY ward DESC$$,
    $$SELECT ward, dp_count('*', 1e6) FROM people GROUP BY ward ORDER BY ward NULLS FIRST$$,
    $$SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward ORDER BY n DESC, ward$$,
    $$SELECT ward FROM people GROUP BY ward ORDER BY dp_count('*', 1e6), ward DESC NULLS LAST$$,
    $$SELECT dp_sum(age, 0, 100, 1e6), ward FROM people GROUP BY ward ORDER BY 1$$,
    $$SELECT ward, kind, dp_count('*', 1e6) FROM people GROUP BY kind, ward ORDER BY kind DESC, ward$$,
    $$SELECT ward, kind, dp_count('*', 1e6) FROM people GROUP BY ward, kind ORDER BY 2, 1 DESC LIMIT 5 OFFSET 2$$,
    $$SELECT dp_count('*', 1e6) FROM people GROUP BY age / 10 ORDER BY age / 10 * -1$$,
    $$SELECT code, dp_count('*', 1e6) FROM people GROUP BY code ORDER BY code COLLATE "C" DESC$$,
    $$SELECT kind, dp_count('*', 1e6) FROM people GROUP BY kind ORDER BY kind$$,
    $$SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward ORDER BY abs(dp_count('*', 1e6) - 60), ward FETCH FIRST 3 ROWS ONLY$$,
    $$SELECT active, dp_count('*', 1e6) / 100 AS n FROM people GROUP BY active ORDER BY dp_count('*', 1e6) / 100 FETCH FIRST 1 ROW WITH TIES$$,
    $$SELECT born FROM people GROUP BY born ORDER BY dp_count('*', 1e6) / 10, born LIMIT (SELECT 2)$$,
    $$SELECT DISTINCT ON (active) active, ward, dp_count('*', 1e6) FROM people GROUP BY ward, active ORDER BY active, dp_count('*', 1e6) DESC, ward$$,
    $$SELECT DISTINCT ON (dp_count('*', 1e6) / 30) ward FROM people GROUP BY ward ORDER BY dp_count('*', 1e6) / 30 DESC, ward$$,
    $$SELECT DISTINCT dp_count('*', 1e6) AS n FROM people GROUP BY ward ORDER BY n DESC$$,
    $$SELECT * FROM (SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward ORDER BY n DESC, ward LIMIT 4) t ORDER BY ward$$,
    $$SELECT ward, dp_count('*', 1e6) FROM people GROUP BY ROLLUP (ward) ORDER BY GROUPING(ward) DESC, ward$$,
    $$SELECT ward, active, dp_count('*', 1e6) FROM people GROUP BY CUBE (ward, active) ORDER BY GROUPING(ward, active), ward, active$$,
    $$SELECT ward, kind, dp_count('*', 1e6) FROM people WHERE kind = 'ok' GROUP BY ward, kind ORDER BY kind, ward$$,
    $$SELECT ward, dp_count('*', 1e6), rank() OVER (ORDER BY dp_count('*', 1e6) DESC) FROM people GROUP BY ward ORDER BY ward$$,
    $$SELECT kind, ward, dp_count('*', 1e6), sum(dp_count('*', 1e6)) OVER (PARTITION BY kind ORDER BY ward) AS running FROM people GROUP BY kind, ward ORDER BY 1, 2$$,
    $$SELECT ward, sum(dp_count('*', 1e6)) OVER w, avg(dp_sum(age, 0, 100, 1e6)) OVER w, lag(ward) OVER w FROM people GROUP BY ward
      WINDOW w AS (ORDER BY ward ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) ORDER BY ward$$,
    $$SELECT age / 20 AS d, first_value(dp_count('*', 1e6)) OVER (ORDER BY age / 20 RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) FROM people GROUP BY age / 20 ORDER BY 1$$,
    $$SELECT ward, n FROM (SELECT ward, dp_count('*', 1e6) AS n, row_number() OVER (ORDER BY dp_count('*', 1e6), ward) AS r FROM people GROUP BY ward) q WHERE r <= 2 ORDER BY r$$,
    $$SELECT kind, dp_count('*', 1e6), count(*) OVER () AS groups, ntile(2) OVER (ORDER BY kind GROUPS UNBOUNDED PRECEDING) FROM people GROUP BY kind ORDER BY kind$$,
    $$SELECT ward, 100.0 * dp_count('*', 1e6) / sum(dp_count('*', 1e6)) OVER () AS share FROM people GROUP BY ward ORDER BY ward$$,
    $$SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward UNION ALL SELECT 'all', dp_count('*', 1e6) FROM people ORDER BY n, ward$$,
    $$SELECT ward, generate_series(1, 2) AS g, dp_count('*', 1e6) FROM people GROUP BY ward ORDER BY ward, g DESC$$,
    $$WITH a AS (SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward) SELECT a.*, sum(n) OVER (ORDER BY ward) AS s FROM a ORDER BY ward DESC NULLS LAST$$,
    $$SELECT a.ward, a.n, b.n AS m FROM by_ward a JOIN by_ward b USING (ward) ORDER BY ward$$]);

-- Where plain SQL must be written in another way.
INSERT INTO shapes (private, plain, in_order) VALUES
    ($$SELECT unnest(dp_histogram(age, 0, 100, 2, 1e6)) FROM people$$,
     $$SELECT unnest(ARRAY[count(*) FILTER (WHERE age < 50), count(*) FILTER (WHERE age >= 50 AND age <= 100)]) FROM people$$, true),
    ($$SELECT kind, bucket, n FROM (SELECT kind, dp_histogram(active, ARRAY[true, false], 1e6) AS h FROM people GROUP BY kind) q, unnest(h) WITH ORDINALITY u(n, bucket) ORDER BY 1, 2$$,
     $$SELECT kind, v.bucket, v.n FROM (SELECT kind, count(*) FILTER (WHERE active) AS t, count(*) FILTER (WHERE NOT active) AS f FROM people GROUP BY kind) q,
       LATERAL (VALUES (1::bigint, t), (2, f)) v(bucket, n) ORDER BY 1, 2$$, true),
    ($$SELECT ward, dp_mode(kind::text, ARRAY['sad', 'ok', 'happy'], 1e6) FROM people WHERE kind = 'ok' GROUP BY ward$$,
     $$SELECT ward, 'ok' AS mode FROM people WHERE kind = 'ok' GROUP BY ward$$, false),
    -- public keys: every group is there, the empty ones with zero, and others are not
    ($$SELECT ward, dp_count('*', 1e6), dp_sum(age, 0, 100, 1e6) FROM events GROUP BY ward ORDER BY ward$$,
     $$SELECT ward, count(*) FILTER (WHERE there), coalesce(sum(age), 0) AS sum FROM event_wards GROUP BY ward ORDER BY ward$$, true),
    ($$SELECT ward, dp_count('*', 1e6) AS n FROM events WHERE ward = 'a' GROUP BY ward ORDER BY n DESC, ward LIMIT 3$$,
     $$SELECT ward, count(*) AS n FROM events WHERE ward = 'a' GROUP BY ward ORDER BY n DESC, ward LIMIT 3$$, true),
    ($$SELECT ward FROM events WHERE false GROUP BY ward HAVING dp_count('*', 1e6) = 0 ORDER BY ward DESC$$,
     $$SELECT ward FROM event_wards GROUP BY ward ORDER BY ward DESC$$, true),
    ($$SELECT ward, dp_count('*', 1e6), GROUPING(ward) FROM events GROUP BY ROLLUP (ward) ORDER BY 3, 1$$,
     $$SELECT ward, count(*) FILTER (WHERE there), 0 AS grouping FROM event_wards GROUP BY ward UNION ALL SELECT NULL, count(*), 1 FROM events ORDER BY 3, 1$$, true),
    ($$SELECT kind, active, GROUPING(active, kind) AS g, GROUPING(kind) AS k, dp_count('*', 1e6) FROM people WHERE kind = 'ok' AND active GROUP BY CUBE (kind, active)$$,
     $$SELECT kind, active, GROUPING(active, kind) AS g, GROUPING(kind) AS k, count(*) FROM people WHERE kind = 'ok' AND active
       GROUP BY CUBE (kind, active)$$, false),
    ($$SELECT active, GROUPING(active) AS g, dp_count('*', 1e6) FROM people WHERE active GROUP BY active$$,
     $$SELECT active, 0 AS g, count(*) FROM people WHERE active GROUP BY active$$, false),
    ($$SELECT name, n, rank() OVER (ORDER BY n) FROM (SELECT ward, dp_count('*', 1e6) AS n FROM events GROUP BY ward) e RIGHT JOIN wards USING (ward)$$,
     $$SELECT name, n, rank() OVER (ORDER BY n) FROM (SELECT ward, count(*) FILTER (WHERE there) AS n FROM event_wards GROUP BY ward) e RIGHT JOIN wards USING (ward)$$, false),
    ($$SELECT name, l.n FROM wards w, LATERAL (SELECT ward, dp_count('*', 1e6) AS n FROM events_2 GROUP BY ward HAVING ward = w.ward) l$$,
     $$SELECT name, l.n FROM wards w, LATERAL (SELECT ward, count(*) FILTER (WHERE there AND id >= 150) AS n FROM event_wards GROUP BY ward HAVING ward = w.ward) l$$, false),
    ($$SELECT ward IS NULL AS unknown, active, dp_count('*', 1e6) FROM people GROUP BY ward IS NULL, active$$,
     $$SELECT u AS unknown, a AS active, count(id) FROM unnest('{t,f}'::boolean[]) u CROSS JOIN unnest('{t,f,NULL}'::boolean[]) a
       LEFT JOIN people ON active IS NOT DISTINCT FROM a AND (ward IS NULL) = u GROUP BY u, a$$, false),
    ($$SELECT active, dp_count('*', 1e6) FROM invoked GROUP BY active$$,
     $$SELECT active, count(*) FROM invoked GROUP BY active$$, false),
    -- PostgreSQL's own expression is not total, or stands above the aggregates only
    ($$SELECT dp_bucket(extract(epoch FROM seen), 86400) AS time, dp_count('*', 1e6) FROM people
       WHERE seen BETWEEN '2024-02-01' AND '2024-02-29 23:59' GROUP BY 1$$,
     $$SELECT floor(extract(epoch FROM seen) / 86400) * 86400 AS time, count(*) FROM people
       WHERE seen BETWEEN '2024-02-01' AND '2024-02-29 23:59' GROUP BY 1$$, false),
    ($$SELECT dp_add(age, id) / 100 AS k, dp_sum(dp_div(dp_mul(age, 10), id), 0, 100, 1e6) FROM people WHERE dp_sub(age, 1) > 0 GROUP BY 1$$,
     $$SELECT (age + id) / 100 AS k, sum(least(age * 10 / id, 100)) FROM people WHERE age - 1 > 0 GROUP BY 1$$, false);

-- The answers to compare with.
DO $$
DECLARE
    s shapes;
BEGIN
    FOR s IN SELECT * FROM shapes LOOP
        EXECUTE 'CREATE TEMP TABLE plain_rows AS ' || coalesce(s.plain, plainly(s.private));
        UPDATE shapes SET expected = rows_of('plain_rows', in_order), names = columns_of('plain_rows') WHERE id = s.id;
        DROP TABLE plain_rows;
    END LOOP;
END
$$;
SELECT count(*) AS pairs FROM shapes;
SELECT name AS plan, private, d AS difference
FROM (SELECT * FROM plans, shapes WHERE private ~ concerns OR in_order) s, difference(private, expected, names, in_order, settings) d
WHERE d <> '' ORDER BY name, id;

-- One draw, though the planner would copy what holds it to each of its readers.
WITH a AS NOT MATERIALIZED (SELECT dp_count('*', 0.001) AS n FROM people) SELECT x.n = y.n AS same FROM a x, a y;
SELECT n - n = 0 AS same FROM (SELECT (SELECT dp_count('*', 0.001) FROM people) AS n) x;

-- What looks at more than a column, or can fail, is not admitted below the aggregates.
SELECT dp_count(q, 1e6) FROM (SELECT age, ward FROM people) q;
SELECT q::text AS row, dp_count('*', 1e6) FROM (SELECT kind, active FROM people) q GROUP BY q;
SELECT people::text, dp_count('*', 1e6) FROM people GROUP BY people;
SELECT date_trunc('month', seen) AS month, dp_count('*', 1e6) FROM people GROUP BY 1;
SELECT floor(extract(epoch FROM seen) / 86400) * 86400 AS time, dp_count('*', 1e6) FROM people GROUP BY 1;
