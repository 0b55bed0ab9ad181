-- Several rows of one: columns as rows, lists beside a table, periods, and the nearest row of a public table.
CALL own_schema('plain_unpivot');
SET client_min_messages = warning;
CREATE ROLE regress_unpivot_ana;
CREATE TABLE visits (id int PRIMARY KEY, ward text, person int NOT NULL, cost int NOT NULL, fee int, day date NOT NULL, tags text[], grid int[], lines jsonb);
INSERT INTO visits SELECT i, (ARRAY['a', 'b', 'c', NULL])[1 + i % 4], i % 40, i % 50, CASE WHEN i % 7 > 0 THEN i % 9 END, date '2024-01-01' + i % 100,
    CASE i % 5 WHEN 1 THEN '{}' WHEN 2 THEN '{x,y}' WHEN 3 THEN '[2:4]={x,NULL,z}' WHEN 4 THEN '{x}' END::text[], '{{1,2},{3,4}}',
    CASE i % 5 WHEN 1 THEN '[]' WHEN 2 THEN '["x", "y"]' WHEN 3 THEN '["x", null, 3, {"a": 4}]' WHEN 4 THEN '[[1, 2]]' END::jsonb
    FROM generate_series(1, 600) i;
CREATE TABLE plain AS TABLE visits;
-- Of the same rows: each is a unit, each unit has one, and a unit has few that count.
CREATE TABLE single AS TABLE visits;
CREATE TABLE unique_ AS TABLE visits;
ALTER TABLE unique_ ADD PRIMARY KEY (id);
CREATE TABLE few AS SELECT * FROM visits WHERE id <= 80;
CREATE TABLE chosen AS TABLE visits;
CREATE TABLE rates (kind text, since date, rate int);
INSERT INTO rates SELECT (ARRAY['a', 'b'])[1 + i % 2], date '2023-12-20' + i * 7, i FROM generate_series(1, 20) i;
INSERT INTO rates VALUES ('a', NULL, 99), ('b', '2024-01-10', 77);
CREATE TABLE kinds (kind text PRIMARY KEY, number int NOT NULL UNIQUE);
INSERT INTO kinds VALUES ('a', 1), ('b', 2), ('x', 3);
CREATE TABLE periods (name text, first date, last date);
INSERT INTO periods VALUES ('p', '2024-01-05', '2024-02-10'), ('q', '2024-02-01', '2024-03-01'), ('r', '2025-01-01', '2025-02-01');
CREATE TABLE seasons AS SELECT name, daterange(first, last) AS during FROM periods;
SELECT dp.protect('visits', 1e9, privacy_unit => 'person', max_rows_per_unit => 100, answer_epsilon => 1e6);
SELECT dp.protect('single', 1e9, answer_epsilon => 1e6);
SELECT dp.protect('unique_', 1e9, privacy_unit => 'id', answer_epsilon => 1e6);
SELECT dp.protect('few', 1e9, privacy_unit => 'person', max_rows_per_unit => 3, answer_epsilon => 1e6);
SELECT dp.protect('chosen', 1e9, 1e-3, answer_epsilon => 1e6, group_epsilon => 1, group_delta => 1e-6);
SELECT dp.grant_budget(t::regclass, 'regress_unpivot_ana', 1e9, 1e-3, allow_leaks => true) FROM unnest(ARRAY['visits', 'single', 'unique_', 'few', 'chosen']) t;
SELECT dp.declare_range(t, 'cost', 0, 50), dp.declare_range(t, 'fee', 0, 10), dp.declare_values(t, 'ward', 'a', 'b', 'c')
    FROM unnest(ARRAY['visits', 'single', 'unique_', 'few']::regclass[]) t;
GRANT SELECT ON plain, rates, kinds, periods, seasons TO regress_unpivot_ana;
-- How many rows the answer has of each of the tables that is otherwise than the same query's over the copy.
CREATE FUNCTION differs(query text) RETURNS TABLE (of text, answered bigint, missing bigint, added bigint) LANGUAGE plpgsql AS $$
BEGIN
    FOREACH of IN ARRAY ARRAY['visits', 'single', 'unique_'] LOOP
        EXECUTE format('WITH a AS MATERIALIZED (SELECT t::text FROM (%s) t), b AS (SELECT t::text FROM (%s) t) SELECT (SELECT count(*) FROM a), '
            '(SELECT count(*) FROM (TABLE b EXCEPT ALL TABLE a) x), (SELECT count(*) FROM (TABLE a EXCEPT ALL TABLE b) x)',
            replace(query, ' visits ', ' ' || of || ' '), replace(query, ' visits ', ' plain ')) INTO answered, missing, added;
        RETURN NEXT;
    END LOOP;
END $$;
SET ROLE regress_unpivot_ana;

-- ---- columns as rows
SELECT * FROM differs($$SELECT x.name, count(*), count(x.value), round(sum(x.value)) FROM visits v, LATERAL (VALUES ('cost', v.cost), ('fee', v.fee)) x (name, value) GROUP BY 1$$);
SELECT * FROM differs($$SELECT x.name, count(*), round(avg(x.value), 2) FROM visits v
    CROSS JOIN LATERAL (SELECT 'cost' AS name, v.cost AS value WHERE v.cost > 20 UNION ALL SELECT 'fee', v.fee WHERE v.fee IS NOT NULL) x GROUP BY 1$$);
SELECT * FROM differs($$SELECT count(*), sum(x) FROM visits v, unnest(ARRAY[v.cost, v.fee]) x$$);
SELECT * FROM differs($$SELECT x.name, count(*), count(x.value), sum(x.value) FILTER (WHERE x.value > 3) FROM visits v,
    unnest(ARRAY['a', 'b', 'c'], ARRAY[v.cost, v.fee, 7]) WITH ORDINALITY x (name, value, o) WHERE o > 1 GROUP BY 1 HAVING count(*) > 0$$);
SELECT * FROM differs($$SELECT x.o, count(*), count(x.value) FROM visits v LEFT JOIN LATERAL unnest(ARRAY[v.cost, v.fee], '{1,2,NULL}'::int[]) WITH ORDINALITY x (value, y, o) ON true
    GROUP BY 1$$);
SELECT * FROM differs($$SELECT x.name, count(*) FROM visits v, LATERAL (SELECT unnest(ARRAY['a', 'b']) AS name, unnest(ARRAY[v.cost, v.fee]) AS c, v.id) x WHERE c > 2 GROUP BY 1$$);
SELECT * FROM differs($$SELECT x.name, count(*) FROM visits v, LATERAL (SELECT t.name FROM (VALUES ('a', v.cost), ('b', v.fee)) t (name, value) WHERE t.value > 4) x GROUP BY 1$$);
SELECT * FROM differs($$SELECT x.k, count(*) FROM visits v JOIN LATERAL (VALUES (1, v.cost), (2, v.fee)) x (k, c) ON x.c > 5 WHERE x.k + v.cost > 10 GROUP BY 1$$);
-- What they are only sorted by is no column of theirs.
SELECT * FROM differs($$SELECT x.a, count(*) FROM visits v CROSS JOIN LATERAL (SELECT a FROM (VALUES (1, v.cost), (3, v.fee)) t (a, b) ORDER BY b) x GROUP BY 1$$);
SELECT * FROM differs($$SELECT count(*), sum(x) FROM visits v CROSS JOIN LATERAL (SELECT unnest(ARRAY[v.cost, v.fee]) AS x ORDER BY v.id) t$$);
SELECT * FROM differs($$SELECT k, count(*) FROM visits v CROSS JOIN LATERAL (SELECT k FROM unnest(ARRAY['a', 'b'], ARRAY[v.cost, v.fee]) u (k, x) ORDER BY x DESC) t GROUP BY 1$$);
SELECT * FROM differs($$SELECT t.a, count(*) FROM visits v JOIN (SELECT a FROM (VALUES (1, 2), (3, 4)) x (a, b) ORDER BY b DESC) t ON t.a = v.cost GROUP BY 1$$);
SELECT * FROM differs($$SELECT t.a, count(*) FROM visits v JOIN (SELECT a FROM (VALUES (1, 2), (3, 4)) x (a, b) ORDER BY random()) t ON t.a = v.cost GROUP BY 1$$);
SELECT * FROM differs($$SELECT t.k, count(*) FROM visits v CROSS JOIN LATERAL ((SELECT 'a' AS k, v.cost AS c ORDER BY v.id) UNION ALL (SELECT 'b', v.fee ORDER BY v.ward)) t GROUP BY 1$$);
SELECT count(*) FROM visits v CROSS JOIN LATERAL (SELECT unnest(ARRAY[v.cost]) AS x ORDER BY unnest(ARRAY[v.fee, v.id])) t;
SELECT count(*) > 0 AS shown FROM plan_of($$SELECT count(*), sum(x) FROM visits v CROSS JOIN LATERAL (SELECT unnest(ARRAY[v.cost, v.fee]) AS x ORDER BY v.id) t$$);
SELECT dp.private_form($$SELECT count(*) FROM visits v CROSS JOIN LATERAL (SELECT unnest(ARRAY[v.cost, v.fee]) AS x ORDER BY v.id) t$$);
-- beside an outer join: where none of them is joined, one row of NULLs
SELECT * FROM differs($$SELECT x.k, count(*), count(x.c) FROM visits v LEFT JOIN LATERAL (VALUES (1, v.cost), (2, v.fee)) x (k, c) ON x.c > 5 GROUP BY 1$$);
SELECT * FROM differs($$SELECT x.k, v.ward, count(*) FROM visits v LEFT JOIN LATERAL (VALUES ('a', v.cost), ('b', v.fee), ('c', v.id % 3)) x (k, c) ON x.c > 2 * v.fee AND v.ward = x.k GROUP BY 1, 2 HAVING count(*) > 0$$);
SELECT * FROM differs($$SELECT x.k, count(*) FROM visits v LEFT JOIN LATERAL (SELECT 1 AS k WHERE v.cost > 20 UNION ALL SELECT 2 WHERE v.fee IS NOT NULL) x ON true GROUP BY 1$$);
SELECT * FROM differs($$SELECT x.k, y.l, count(*) FROM visits v LEFT JOIN LATERAL (VALUES (1, v.cost), (2, v.fee)) x (k, c) ON x.c > 5 LEFT JOIN LATERAL (VALUES (3), (4)) y (l) ON y.l < x.c / 2 GROUP BY 1, 2 HAVING count(*) > 0$$);
SELECT * FROM differs($$SELECT x.o, count(*) FROM visits v LEFT JOIN LATERAL unnest(ARRAY[v.cost, v.fee]) WITH ORDINALITY x (value, o) ON x.value % 2 = 0 WHERE v.ward IS NOT NULL GROUP BY 1$$);
SELECT * FROM differs($$SELECT count(*) FROM visits v LEFT JOIN LATERAL (VALUES (v.cost)) x (c) ON x.c > 90$$);
SELECT * FROM differs($$SELECT count(*), count(x.c) FROM visits v LEFT JOIN LATERAL (VALUES (v.cost), (v.fee)) x (c) ON false$$);
SELECT * FROM differs($$SELECT count(*) FROM visits v, LATERAL (VALUES (v.cost)) x (c), LATERAL (VALUES (x.c), (x.c + 1)) y (d) WHERE y.d > 10$$);
SELECT * FROM differs($$SELECT name, count(*) FROM (SELECT x.name, x.value FROM visits v, LATERAL (VALUES ('cost', v.cost), ('fee', v.fee)) x (name, value)) t WHERE value > 3 GROUP BY 1$$);
SELECT * FROM differs($$SELECT count(DISTINCT v.person), count(DISTINCT x.k) FROM visits v, LATERAL (VALUES (1, v.cost), (2, v.fee)) x (k, c)$$);
SELECT * FROM differs($$SELECT x.k, v.ward, count(*) FROM visits v, LATERAL (VALUES (1, v.cost), (2, v.fee)) x (k, c) GROUP BY CUBE (1, 2) HAVING v.ward IS NOT NULL OR GROUPING(v.ward) = 1$$);
-- Lists beside the table; several multiply.
SELECT * FROM differs($$SELECT x.name, y.n, count(*) FROM visits v, (VALUES ('cost'), ('fee'), ('id')) x (name), generate_series(1, 3) y (n) WHERE x.name <> 'id' GROUP BY 1, 2$$);
SELECT * FROM differs($$SELECT w.n, count(*) FROM visits v JOIN (VALUES (3), (6), (9)) w (n) ON w.n < v.cost GROUP BY 1$$);
-- Names may be parameters.
PREPARE named(text) AS SELECT x.name, count(*) FROM visits v, LATERAL (VALUES ('cost', v.cost), ($1, v.fee)) x (name, value) GROUP BY 1;
EXECUTE named('what');
-- Behind a question about people.
SELECT count(*) FROM (SELECT person, max(x.c) AS most FROM visits v, LATERAL (VALUES (v.cost), (v.fee * 10)) x (c) GROUP BY person) t WHERE most > 48;
SELECT count(*) FROM (SELECT person, max(x.c) AS most FROM plain v, LATERAL (VALUES (v.cost), (v.fee * 10)) x (c) GROUP BY person) t WHERE most > 48;

-- ---- arrays and series: of each row the first 100
SELECT * FROM differs($$SELECT count(*), count(t) FROM visits v, unnest(v.tags) t$$);
SELECT * FROM differs($$SELECT t.o, count(*) FROM visits v, unnest(v.tags) WITH ORDINALITY t (tag, o) WHERE t.tag IS NOT NULL GROUP BY 1 HAVING count(*) > 0$$);
SELECT * FROM differs($$SELECT CASE WHEN t IN ('x', 'y') THEN t ELSE 'other' END, count(*) FROM visits v, unnest(v.tags) t GROUP BY 1$$);
SELECT * FROM differs($$SELECT count(*), count(t), count(v.id) FROM visits v LEFT JOIN LATERAL unnest(v.tags) t ON true$$);
SELECT * FROM differs($$SELECT count(*), count(t), count(*) FILTER (WHERE t = '3'), count(*) FILTER (WHERE t @> '{"a": 4}') FROM visits v, jsonb_array_elements(v.lines) t$$);
SELECT * FROM differs($$SELECT CASE WHEN t.e IN ('x', '3') THEN t.e END, count(*), count(v.id) FROM visits v LEFT JOIN LATERAL jsonb_array_elements_text(v.lines) WITH ORDINALITY t (e, n) ON true GROUP BY 1$$);
-- Of the numbers as many are read as there are elements; of lists that are written in the query all.
SELECT * FROM differs($$SELECT w.n, count(*) FROM visits v JOIN (VALUES (8), (7), (1)) w (n) ON w.n <= v.fee GROUP BY 1 HAVING count(*) > 0$$);
SELECT * FROM differs($$SELECT k.kind, count(*), count(t) FROM visits v LEFT JOIN kinds k ON k.number = v.fee LEFT JOIN LATERAL unnest(v.tags) t ON true GROUP BY 1$$);
RESET ROLE;
EXPLAIN (COSTS OFF) SELECT dp_count('*', 1) FROM single v, unnest(v.tags) t;
SET ROLE regress_unpivot_ana;
-- What is no array has no elements.
SELECT (SELECT count(*) FROM single v, jsonb_array_elements(CASE WHEN v.id = 2 THEN '{"a": 1}' WHEN v.id = 3 THEN '1' ELSE v.lines END) t) AS private,
    (SELECT count(*) FROM plain v, jsonb_array_elements(v.lines) t WHERE v.id NOT IN (2, 3)) AS plain;
SELECT * FROM differs($$SELECT n, count(*) FROM visits v, generate_series(1, v.fee) n GROUP BY 1 HAVING count(*) > 0$$);
SELECT * FROM differs($$SELECT count(*), count(n) FILTER (WHERE n > 9) FROM visits v, generate_series(v.fee, v.fee + 20::bigint, 7) n$$);
-- Nor is there one behind the greatest number.
SELECT * FROM differs($$SELECT count(*) FROM visits v LEFT JOIN generate_series(v.fee, 2147483647, 2147483640) n ON true$$);
SELECT count(*) AS all_of_100 FROM visits v, generate_series(1, 1000000000 + v.fee) n WHERE v.id = 1;
-- An array of several dimensions has no rows.
SELECT count(*) FROM visits v, unnest(v.grid) t;
SELECT count(*) FROM visits v, unnest(v.grid[1:1][1:1]) t;
EXPLAIN (COSTS OFF) SELECT count(*) FROM single v, unnest(v.tags) t;
EXPLAIN (COSTS OFF) SELECT count(*) FROM few v, unnest(v.tags) t;
SELECT count(*) FROM visits v, generate_series(1, 10, v.fee) n;
SELECT count(*) FROM visits v, generate_series(1, v.fee, 0) n;
SELECT count(*) FROM visits v, generate_series(10, v.fee, -1) n;
SELECT count(*) FROM visits v, generate_series(v.day, v.day + 3, '1 day') n;
SELECT count(*) FROM visits v, unnest((SELECT array_agg(p.name) FROM periods p WHERE p.first < v.day)) t;
SELECT count(*) FROM visits v, unnest(array_fill(random(), ARRAY[v.fee])) t;
SELECT count(*) FROM visits v, regexp_split_to_table(v.ward, ',') t;

-- ---- periods: a row may be in several
SELECT p.name, count(*) FROM visits v JOIN periods p ON v.day BETWEEN p.first AND p.last GROUP BY 1;
SELECT p.name, count(*) FROM plain v JOIN periods p ON v.day BETWEEN p.first AND p.last GROUP BY 1 ORDER BY 1;
SELECT p.name, count(*) FROM visits v LEFT JOIN (SELECT name, first, last FROM periods ORDER BY 1 LIMIT 10) p ON v.day >= p.first AND v.day < p.last GROUP BY 1;
SELECT p.name, count(*) FROM plain v LEFT JOIN (SELECT name, first, last FROM periods ORDER BY 1 LIMIT 10) p ON v.day >= p.first AND v.day < p.last GROUP BY 1 ORDER BY 1;
SELECT count(*) FROM visits v JOIN seasons s ON s.during @> v.day;
SELECT count(*) FROM plain v JOIN seasons s ON s.during @> v.day;

-- ---- the nearest row of a public table
SELECT * FROM differs($$SELECT x.rate, count(*) FROM visits v LEFT JOIN LATERAL (SELECT rate FROM rates r WHERE r.since <= v.day ORDER BY r.since DESC, rate DESC LIMIT 1) x ON true
    GROUP BY 1 HAVING count(*) > 0$$);
SELECT * FROM differs($$SELECT x.rate, x.since, count(*) FROM visits v, LATERAL (SELECT * FROM rates r WHERE r.kind = v.ward AND r.since > v.day ORDER BY r.since, rate LIMIT 1) x
    GROUP BY 1, 2 HAVING count(*) > 0$$);
SELECT * FROM differs($$SELECT x.rate, count(*) FROM visits v LEFT JOIN LATERAL (SELECT rate FROM rates r WHERE v.ward = r.kind AND v.day >= r.since AND rate > 3
    ORDER BY r.since DESC, rate LIMIT 1) x ON x.rate < 10 GROUP BY 1 HAVING count(*) > 0$$);

-- ---- behind a comma, where a join has columns of what stands before it by LATERAL alone
SELECT * FROM differs($$SELECT t.i, count(*), count(p.name) FROM visits v, LATERAL (VALUES (1, v.day), (2, v.day + 7)) t (i, day) LEFT JOIN periods p ON p.first <= t.day AND p.name <> 'q' GROUP BY 1$$);
SELECT * FROM differs($$SELECT count(*), count(r.kind) FROM visits v, unnest(v.tags) t (tag) LEFT JOIN kinds r ON r.kind = t.tag$$);
SELECT * FROM differs($$SELECT count(*), count(x.rate) FROM visits v, kinds k
    LEFT JOIN LATERAL (SELECT rate FROM rates r WHERE r.since <= v.day AND r.kind = k.kind ORDER BY r.since DESC, rate LIMIT 1) x ON true WHERE k.number = v.fee$$);
SELECT * FROM differs($$SELECT count(*), count(x.kind), count(l.kind) FROM visits v
    JOIN (kinds l RIGHT JOIN LATERAL (SELECT * FROM kinds k WHERE k.number = v.fee) x ON l.number = x.number + 1) ON x.number < 3$$);
SELECT * FROM differs($$SELECT count(*), count(k.kind) FROM visits v, LATERAL (SELECT v.fee + 1 AS fee) x LEFT JOIN kinds k ON k.number = x.fee$$);

-- ---- what counts of a unit: each of the rows
SELECT count(*) AS rows FROM few v;
SELECT count(*) AS three_of_four FROM few v, LATERAL (VALUES (v.cost), (v.fee)) x (c);
SELECT count(*) AS three_of_four FROM few v JOIN (SELECT * FROM periods ORDER BY 1 LIMIT 9) p ON p.first <= v.day + 1000;
EXPLAIN (COSTS OFF) SELECT x.name, sum(x.value) FROM few v, LATERAL (VALUES ('cost', v.cost), ('fee', v.fee)) x (name, value) GROUP BY 1;
EXPLAIN (COSTS OFF) SELECT x.name, sum(x.value) FROM single v, LATERAL (VALUES ('cost', v.cost), ('fee', v.fee)) x (name, value) GROUP BY 1;
EXPLAIN (COSTS OFF) SELECT x.name, sum(x.value) FROM single v LEFT JOIN LATERAL (VALUES ('cost', v.cost), ('fee', v.fee)) x (name, value) ON x.value > 4 GROUP BY 1;
EXPLAIN (COSTS OFF) SELECT x.name, sum(x.value) FROM unique_ v, LATERAL (VALUES ('cost', v.cost), ('fee', v.fee)) x (name, value) GROUP BY 1;
-- The noise is for as many rows as become of one.
SET dp.epsilon = 0.01;
SELECT dp_error(count(*)) AS one, (SELECT dp_error(count(*)) FROM single v, LATERAL (VALUES (v.cost), (v.fee), (1), (2)) x (c)) AS of_four,
    (SELECT dp_error(count(*)) FROM single v, (VALUES (1), (2)) x (c), generate_series(1, 2) y) AS of_two_lists,
    (SELECT dp_error(count(*)) FROM unique_ v, unnest(ARRAY[v.cost, v.fee, 1, 2]) x (c)) AS of_a_unit FROM single v;
RESET dp.epsilon;
-- Where they may be in several groups it is for so many.
EXPLAIN (COSTS OFF) SELECT dp_count('*', 1.0, 'staircase') FROM single v, LATERAL (VALUES (1, v.cost), (2, v.fee), (3, 1), (4, 2)) x (k, c);
EXPLAIN (COSTS OFF) SELECT v.ward, dp_count('*', 1.0, 'staircase') FROM single v, LATERAL (VALUES (1, v.cost), (2, v.fee), (3, 1), (4, 2)) x (k, c) GROUP BY CUBE (1);
EXPLAIN (COSTS OFF) SELECT x.k, dp_count('*', 1.0, 'staircase') FROM single v, LATERAL (VALUES (1, v.cost), (2, v.fee), (3, 1), (4, 2)) x (k, c) GROUP BY 1;
EXPLAIN (COSTS OFF) SELECT n, v.ward, dp_count('*', 1.0, 'staircase') FROM generate_series(1, 4) n, single v GROUP BY 2, 1;
SET dp.max_rows_per_unit = 5;
SELECT p.name, count(*) FROM unique_ v JOIN periods p ON v.day BETWEEN p.first AND p.last GROUP BY 1;
RESET dp.max_rows_per_unit;

-- ---- what is refused
-- Nothing says how many rows of a unit there would be.
SELECT p.name, count(*) FROM single v JOIN periods p ON v.day BETWEEN p.first AND p.last GROUP BY 1;
SELECT p.name, count(*) FROM unique_ v JOIN periods p ON v.day BETWEEN p.first AND p.last GROUP BY 1;
SELECT count(*) FROM single v JOIN (SELECT * FROM periods ORDER BY 1 LIMIT 9) p ON v.day BETWEEN p.first AND p.last;
EXPLAIN SELECT count(*) FROM single v, generate_series(1, 300) a, generate_series(1, 300) b, generate_series(1, 300) c;
SELECT count(*) FROM visits v FULL JOIN unique_ u ON u.id = v.person, LATERAL (VALUES (v.cost), (v.fee)) x (c);
SELECT count(*) FROM visits v JOIN periods p ON p.name <> v.ward;
SELECT v.person, count(*) FROM chosen v, LATERAL (VALUES (v.cost), (v.fee)) x (c) GROUP BY 1;
-- Rows that may be missing, that are chosen or put together, and lists of another kind.
SELECT count(*) FROM visits v LEFT JOIN LATERAL (VALUES (v.cost), (v.fee)) x (c) ON x.c > (SELECT max(number) FROM kinds);
SELECT count(*), count(t) FROM visits v LEFT JOIN LATERAL unnest(v.tags) t ON t = 'x';
SELECT count(*) FROM visits v, LATERAL (VALUES (v.cost), (v.fee) LIMIT 1) x (c);
SELECT count(*) FROM visits v, LATERAL (SELECT v.cost UNION SELECT v.fee) x (c);
SELECT count(*) FROM visits v, unnest(ARRAY[ARRAY[v.cost, 1], ARRAY[v.fee, 2]]) x;
SELECT count(*) FROM visits v, LATERAL (VALUES (v.cost), ((SELECT max(w.cost) FROM visits w WHERE w.ward = v.ward))) x (c);
SELECT count(x.c) FROM visits v, LATERAL (VALUES (v.cost::float8), (random())) x (c);
SELECT sum(x.c) FROM visits v, LATERAL (VALUES (v.cost / v.fee), (1)) x (c) WHERE x.c BETWEEN 0 AND 100;
SELECT sum(v.cost / v.fee) FROM plain v WHERE v.fee > 0;
-- The nearest by no order of its own, of several comparisons, and of people.
SELECT count(*) FROM visits v, LATERAL (SELECT rate FROM rates r WHERE r.since <= v.day ORDER BY r.since LIMIT 1) x;
SELECT count(*) FROM visits v, LATERAL (SELECT rate FROM rates r WHERE r.since <= v.day LIMIT 1) x;
SELECT count(*) FROM visits v, LATERAL (SELECT rate FROM rates r WHERE r.since <= v.day AND r.rate > v.cost ORDER BY r.since DESC LIMIT 1) x;
SELECT count(*) FROM visits v, LATERAL (SELECT u.cost FROM unique_ u WHERE u.day <= v.day ORDER BY u.day DESC LIMIT 1) x;
-- Functions, operators and casts of the asker's own are not PostgreSQL's.
RESET ROLE;
GRANT CREATE ON SCHEMA plain_unpivot TO regress_unpivot_ana;
SET ROLE regress_unpivot_ana;
CREATE FUNCTION unnest(anyarray) RETURNS SETOF anyelement LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN NEXT $1[1]; RETURN NEXT $1[1]; RETURN NEXT $1[1]; END';
CREATE FUNCTION before(date, date) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN true; END';
CREATE OPERATOR <= (FUNCTION = before, LEFTARG = date, RIGHTARG = date);
RESET ROLE;
CREATE FUNCTION backwards(date, date) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT date_cmp($2, $1)';
CREATE FUNCTION behind(date, date) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT date_lt($1, $2)';
CREATE OPERATOR >> (FUNCTION = behind, LEFTARG = date, RIGHTARG = date);
CREATE OPERATOR CLASS backwards FOR TYPE date USING btree AS OPERATOR 2 plain_unpivot.<=, OPERATOR 3 pg_catalog.=, OPERATOR 5 >>, FUNCTION 1 backwards(date, date);
SET ROLE regress_unpivot_ana;
SELECT count(*) FROM visits v, plain_unpivot.unnest(v.tags) x;
SELECT count(*) FROM visits v, plain_unpivot.unnest(ARRAY[v.cost, v.fee]) x;
SELECT count(*) FROM visits v, LATERAL (SELECT rate FROM rates r WHERE r.since OPERATOR(plain_unpivot.<=) v.day ORDER BY r.since USING OPERATOR(plain_unpivot.>>) LIMIT 1) x;
SELECT count(*) FROM visits v, LATERAL (SELECT rate FROM rates r WHERE r.since OPERATOR(plain_unpivot.<=) v.day ORDER BY r.since DESC LIMIT 1) x;
SELECT count(*) FROM visits v JOIN periods p ON p.first OPERATOR(plain_unpivot.<=) v.day;
SELECT count(*) FROM visits v, LATERAL (VALUES (v.cost), (plain_unpivot.backwards(v.day, v.day))) x (c) WHERE x.c > 0;

RESET ROLE;
RESET search_path;
DROP SCHEMA plain_unpivot CASCADE;
DROP ROLE regress_unpivot_ana;
