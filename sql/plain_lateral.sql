-- LATERAL: what is computed from the row beside it, and rows that are found by equalities.
CALL own_schema('plain_lateral');
SET client_min_messages = warning;
CREATE ROLE regress_lateral_ana;
CREATE TABLE visits (id int PRIMARY KEY, ward text, person int NOT NULL, cost int NOT NULL);
INSERT INTO visits SELECT i, (ARRAY['a', 'b', 'c', 'd', 'x', NULL])[1 + i % 6], i % 40, i % 50 FROM generate_series(1, 600) i;
CREATE TABLE beds (id int PRIMARY KEY, ward text, region text, kind text, cost int);
INSERT INTO beds SELECT i, (ARRAY['a', 'b', 'c', 'd', 'e', NULL])[1 + i % 6], (ARRAY['n', 's'])[1 + i % 4 / 2], (ARRAY['k', 'l', 'm'])[1 + i % 3], i
    FROM generate_series(1, 30) i;
CREATE TABLE people (person int PRIMARY KEY, age int NOT NULL);
INSERT INTO people SELECT p, p + 20 FROM generate_series(0, 49) p;
SELECT dp.protect('visits', 1e9, privacy_unit => 'person', max_rows_per_unit => 100, answer_epsilon => 1e6);
SELECT dp.protect('people', 1e9, privacy_unit => 'person', answer_epsilon => 1e6);
SELECT dp.grant_budget(t::regclass, 'regress_lateral_ana', 1e9, allow_leaks => true) FROM unnest(ARRAY['visits', 'people']) t;
SELECT dp.declare_range('visits', 'cost', 0, 50), dp.declare_range('people', 'age', 0, 100);
CREATE TABLE plain AS SELECT * FROM visits;
GRANT SELECT ON plain, beds TO regress_lateral_ana;
-- What differs between the answer to the question and that of the same query over the copy.
CREATE FUNCTION differs(query text, OUT answered bigint, OUT missing bigint, OUT added bigint) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('WITH a AS MATERIALIZED (SELECT t::text FROM (%s) t), b AS (SELECT t::text FROM (%s) t) SELECT (SELECT count(*) FROM a), '
        '(SELECT count(*) FROM (TABLE b EXCEPT ALL TABLE a) x), (SELECT count(*) FROM (TABLE a EXCEPT ALL TABLE b) x)',
        query, replace(query, ' visits ', ' plain ')) INTO answered, missing, added;
END $$;
SET ROLE regress_lateral_ana;

-- ---- without FROM
SELECT * FROM differs($$SELECT x.c, count(*) FROM visits v, LATERAL (SELECT CASE WHEN v.cost > 25 THEN 'dear' ELSE 'cheap' END AS c) x GROUP BY 1$$);
SELECT sum(x.c), count(*) FILTER (WHERE x.c > 50) FROM visits v CROSS JOIN LATERAL (SELECT v.cost * 2 AS c) x;
SELECT sum(v.cost * 2), count(*) FILTER (WHERE v.cost * 2 > 50) FROM plain v;
-- A row of no columns, and numbers that are equal to such as are written in another way.
SELECT count(*) FROM visits v, LATERAL (SELECT) x, LATERAL (SELECT WHERE v.cost > 25) y;
SELECT * FROM differs($$SELECT count(*), count(x.c + 1), count(x.f) FROM visits v, LATERAL (SELECT v.cost / 2.0 AS c, v.cost::float8 AS f) x WHERE x.c + x.c > 20 AND abs(x.f) < 40$$);
-- One of the other, with conditions, and in a left join.
SELECT * FROM differs($$SELECT count(*) FROM visits v, LATERAL (SELECT v.cost * 2 AS c) x, LATERAL (SELECT x.c + 1 AS d WHERE x.c > 10) y WHERE y.d < 80$$);
SELECT * FROM differs($$SELECT x.c IS NULL AS none, count(*), count(x.c) FROM visits v LEFT JOIN LATERAL (SELECT v.cost AS c WHERE v.cost > 20) x ON x.c < 30 GROUP BY 1$$);
SELECT * FROM differs($$SELECT x.one, count(*) FROM visits v LEFT JOIN LATERAL (SELECT coalesce(v.ward, '-') = 'a' AS one) x ON v.cost < 30 GROUP BY 1$$);

-- ---- rows that are found by equalities
SELECT * FROM differs($$SELECT count(*) FROM visits v LEFT JOIN LATERAL (SELECT ward FROM beds b WHERE b.id = v.cost) x ON true WHERE x.ward IS NULL$$);
SELECT * FROM differs($$SELECT count(*) FROM visits v, LATERAL (SELECT v.ward AS w) x WHERE x IS NULL$$);
SELECT * FROM differs($$SELECT x.kind, count(*) FROM visits v, LATERAL (SELECT kind, cost FROM beds b WHERE b.id = v.cost) x WHERE x.cost > 3 GROUP BY 1$$);
SELECT * FROM differs($$SELECT x.kind, count(*) FROM visits v LEFT JOIN LATERAL (SELECT kind, cost FROM beds b WHERE b.id = v.cost AND b.kind <> 'm' AND b.cost + 5 > v.person) x
    ON x.cost > 3 GROUP BY 1$$);
SELECT * FROM differs($$SELECT x.r, count(*) FROM visits v JOIN LATERAL (SELECT max(region) AS r, ward FROM beds GROUP BY ward) x ON x.ward = v.ward GROUP BY 1$$);
SELECT * FROM differs($$SELECT y.kind, count(*) FROM visits v, LATERAL (SELECT v.cost / 2 AS half) x, LATERAL (SELECT kind FROM beds b WHERE b.id = x.half) y GROUP BY 1$$);
-- The first of several: in their order, for each value that is compared.
SELECT * FROM differs($$SELECT x.id, count(*) FROM visits v LEFT JOIN LATERAL (SELECT id FROM beds b WHERE b.ward = v.ward ORDER BY cost DESC LIMIT 1) x ON true
    GROUP BY 1 HAVING count(*) > 0$$);
SELECT * FROM differs($$SELECT x.id, count(*) FROM visits v, LATERAL (SELECT id FROM beds b WHERE v.ward = b.ward AND b.region = 's' ORDER BY kind, id LIMIT 1) x
    GROUP BY 1 HAVING count(*) > 0$$);
-- What stands behind a comma is joined with what is behind it before it is with what is in front of it.
SELECT * FROM differs($$SELECT x.id, y, count(*) FROM visits v, LATERAL (SELECT id FROM beds b WHERE b.ward = v.ward ORDER BY cost DESC LIMIT 1) x
    CROSS JOIN generate_series(1, 2) y GROUP BY 1, 2 HAVING count(*) > 0$$);
SELECT * FROM differs($$SELECT x.kind, y, count(*) FROM visits v, generate_series(1, 2) y CROSS JOIN LATERAL (SELECT kind FROM beds b WHERE b.id = v.cost) x GROUP BY 1, 2$$);
-- Of the same person.
SELECT avg(x.age) > 0 AS age, count(*) FROM visits v, LATERAL (SELECT age FROM people p WHERE p.person = v.person) x;

-- ---- what is refused
-- The row found as a whole: with what it is found by it would be another one, and beds without a ward are NULL in all of it.
SELECT count(*) FROM visits v LEFT JOIN LATERAL (SELECT ward FROM beds b WHERE b.id = v.cost) x ON true WHERE x IS NULL;
SELECT count(*) FROM visits v LEFT JOIN LATERAL (SELECT ward FROM beds b WHERE b.id = v.cost) x ON true, LATERAL (SELECT x IS NULL AS none) y WHERE y.none;
SELECT count(*) FROM visits v, LATERAL (SELECT kind FROM beds b WHERE b.ward = v.ward) x;
SELECT count(*) FROM visits v, LATERAL (SELECT kind FROM beds b WHERE b.ward = v.ward ORDER BY id LIMIT 2) x;
SELECT count(*) FROM visits v, LATERAL (SELECT kind FROM beds b WHERE b.ward = v.ward ORDER BY id OFFSET 1 LIMIT 1) x;
SELECT count(*) FROM visits v LEFT JOIN (people p LEFT JOIN LATERAL (SELECT kind FROM beds b WHERE b.id = v.cost) x ON true) ON p.person = v.person;
SELECT count(*) FROM visits v, LATERAL (SELECT max(cost) FROM beds b WHERE b.ward = v.ward) x;
SELECT count(*) FROM visits v, LATERAL (SELECT age FROM people p WHERE p.age = v.cost) x;
SELECT count(*) FROM visits v, LATERAL (SELECT age FROM people p WHERE p.person = v.person LIMIT 1) x;
SELECT count(*) FROM visits v, LATERAL unnest(string_to_array(v.ward, ',')) x (c);
SELECT sum(x.r) FROM visits v, LATERAL (SELECT random() AS r) x;

RESET ROLE;
RESET search_path;
DROP SCHEMA plain_lateral CASCADE;
DROP ROLE regress_lateral_ana;
