-- FULL JOIN of two protected tables on the privacy unit: rows of either side count, with or without a partner, and belong to whom either
-- side names. Epsilon 1e6 makes the noise vanish; limits that no person reaches make answers what PostgreSQL's are.
CALL own_schema('unit_full_joins');
\pset null '(null)'
SET client_min_messages = error;
CREATE ROLE regress_full_ana;
CREATE TABLE wards (id int PRIMARY KEY, name text NOT NULL);
INSERT INTO wards VALUES (1, 'north'), (2, 'south');
-- Person p of 30 has p % 3 stays and p % 4 drugs; some rows are nobody's. The types of the persons differ.
CREATE TABLE stays (id int PRIMARY KEY, person int, day int NOT NULL, ward int, cost float8 NOT NULL);
INSERT INTO stays SELECT row_number() OVER (), p, n, p % 2 + 1, p + n FROM generate_series(1, 30) p, generate_series(1, p % 3) n;
INSERT INTO stays VALUES (1000, NULL, 1, 1, 5), (1001, NULL, 2, 1, 5);
CREATE TABLE drugs (id int PRIMARY KEY, person bigint, day int NOT NULL, drug text NOT NULL);
INSERT INTO drugs SELECT row_number() OVER (), p, n + 1, (ARRAY['a', 'b'])[n % 2 + 1] FROM generate_series(1, 30) p, generate_series(1, p % 4) n;
INSERT INTO drugs VALUES (1000, NULL, 1, 'a');
CREATE TABLE people (person int PRIMARY KEY, female boolean NOT NULL);
INSERT INTO people SELECT p, p % 2 = 0 FROM generate_series(11, 40) p;
CREATE TABLE codes (person varchar(9), code int);
CREATE TABLE names (person text, age int);
INSERT INTO codes VALUES ('x', 1), ('x', 2), ('y', 1);
INSERT INTO names VALUES ('y', 40), ('z', 50), ('z', 60);
SELECT dp.protect('stays', 1e9, privacy_unit => 'person', max_rows_per_unit => 20), dp.protect('drugs', 1e9, privacy_unit => 'person', max_rows_per_unit => 20),
    dp.protect('people', 1e9, privacy_unit => 'person'), dp.protect('codes', 1e9, privacy_unit => 'person', max_rows_per_unit => 3),
    dp.protect('names', 1e9, privacy_unit => 'person', max_rows_per_unit => 4);
SELECT dp.grant_budget(t, 'regress_full_ana', 1e8, allow_leaks => true) FROM unnest('{stays, drugs, people, codes, names}'::regclass[]) t;
SELECT dp.public_values('stays', 'ward', 1, 2), dp.public_values('drugs', 'drug', 'a', 'b'), dp.public_values('people', 'female', false, true);
GRANT SELECT ON wards TO regress_full_ana;

-- ---- What is answered, beside what it is.
CREATE FUNCTION compared(private text, ordinary text) RETURNS TABLE (answer text, truth text) LANGUAGE plpgsql AS $$
BEGIN
    SET LOCAL ROLE regress_full_ana;
    EXECUTE format('SELECT string_agg(q::text, '' '' ORDER BY q::text) FROM (%s) q', private) INTO answer;
    RESET ROLE;
    EXECUTE format('SELECT string_agg(q::text, '' '' ORDER BY q::text) FROM (%s) q', ordinary) INTO truth;
    truth = nullif(truth, answer);
    RETURN NEXT;
END
$$;
SELECT * FROM compared($$SELECT dp_count('*', 1e6), dp_count(s.id, 1e6), dp_count(d.id, 1e6) FROM stays s FULL JOIN drugs d ON s.person = d.person$$,
    $$SELECT count(*), count(s.id), count(d.id) FROM stays s FULL JOIN drugs d ON s.person = d.person WHERE coalesce(s.person, d.person) IS NOT NULL$$);
-- On more than the person: rows without a partner on both sides.
SELECT * FROM compared($$SELECT dp_count('*', 1e6), dp_count(s.id, 1e6), dp_count(d.id, 1e6) FROM stays s FULL JOIN drugs d ON s.person = d.person AND s.day = d.day$$,
    $$SELECT count(*), count(s.id), count(d.id) FROM stays s FULL JOIN drugs d ON s.person = d.person AND s.day = d.day WHERE coalesce(s.person, d.person) IS NOT NULL$$);
SELECT * FROM compared($$SELECT dp_count('*', 1e6), dp_count(s.id, 1e6), dp_count(d.id, 1e6) FROM stays s FULL JOIN drugs d ON d.person = s.person AND s.day < d.day AND s.cost > 9$$,
    $$SELECT count(*), count(s.id), count(d.id) FROM stays s FULL JOIN drugs d ON s.person = d.person AND s.day < d.day AND s.cost > 9 WHERE coalesce(s.person, d.person) IS NOT NULL$$);
-- USING and NATURAL; how many persons, and what they are in.
SELECT * FROM compared($$SELECT dp_count('*', 1e6), dp_count(DISTINCT person, 1e6), dp_count('*', 1e6) FILTER (WHERE s.id IS NULL) FROM stays s FULL JOIN drugs d USING (person)$$,
    $$SELECT count(*), count(DISTINCT person), count(*) FILTER (WHERE s.id IS NULL) FROM stays s FULL JOIN drugs d USING (person) WHERE person IS NOT NULL$$);
SELECT * FROM compared($$SELECT dp_count('*', 1e6), dp_count(DISTINCT person, 1e6) FROM (SELECT person, day FROM stays) s NATURAL FULL JOIN (SELECT person, day FROM drugs) d$$,
    $$SELECT count(*), count(DISTINCT person) FROM (SELECT person, day FROM stays) s NATURAL FULL JOIN (SELECT person, day FROM drugs) d WHERE person IS NOT NULL$$);
SELECT * FROM compared($$SELECT dp_count('*', 1e6), dp_count(DISTINCT person, 1e6), round(dp_sum(age, 0, 100, 1e6)) FROM codes FULL JOIN names USING (person)$$,
    $$SELECT count(*), count(DISTINCT person), sum(age) FROM codes FULL JOIN names USING (person)$$);
-- By columns of either side, of both, and of a public table; the rows that lack them are a group.
SELECT * FROM compared($$SELECT s.ward, dp_count('*', 1e6), dp_count(d.id, 1e6) FROM stays s FULL JOIN drugs d ON s.person = d.person GROUP BY s.ward$$,
    $$SELECT s.ward, count(*), count(d.id) FROM stays s FULL JOIN drugs d ON s.person = d.person WHERE coalesce(s.person, d.person) IS NOT NULL GROUP BY s.ward$$);
SELECT * FROM compared($$SELECT s.ward, d.drug, dp_count('*', 1e6) AS n FROM stays s FULL JOIN drugs d ON s.person = d.person AND s.day = d.day GROUP BY s.ward, d.drug$$,
    $$SELECT w.ward, g.drug, count(q.somebody) FROM (VALUES (1), (2), (NULL)) w (ward) CROSS JOIN (VALUES ('a'), ('b'), (NULL)) g (drug)
        LEFT JOIN (SELECT s.ward, d.drug, coalesce(s.person, d.person) AS somebody FROM stays s FULL JOIN drugs d ON s.person = d.person AND s.day = d.day) q
        ON q.ward IS NOT DISTINCT FROM w.ward AND q.drug IS NOT DISTINCT FROM g.drug GROUP BY 1, 2$$);
SELECT * FROM compared($$SELECT w.name, dp_count('*', 1e6) FROM stays s FULL JOIN drugs d ON s.person = d.person LEFT JOIN wards w ON w.id = s.ward GROUP BY w.name$$,
    $$SELECT w.name, count(*) FROM stays s FULL JOIN drugs d ON s.person = d.person LEFT JOIN wards w ON w.id = s.ward WHERE coalesce(s.person, d.person) IS NOT NULL GROUP BY w.name$$);
SELECT * FROM compared($$SELECT p.female, dp_count('*', 1e6), dp_count(s.id, 1e6) FROM people p FULL JOIN stays s USING (person) GROUP BY p.female$$,
    $$SELECT p.female, count(*), count(s.id) FROM people p FULL JOIN stays s USING (person) WHERE person IS NOT NULL GROUP BY p.female$$);
-- What a subquery or view chooses is chosen before the join, what WHERE chooses after it.
SELECT * FROM compared($$SELECT dp_count('*', 1e6), dp_count(s.id, 1e6), dp_count(d.id, 1e6) FROM (SELECT * FROM stays WHERE ward = 1) s FULL JOIN (SELECT * FROM drugs WHERE drug = 'a') d ON s.person = d.person WHERE coalesce(s.day, 2) > 1$$,
    $$SELECT count(*), count(s.id), count(d.id) FROM (SELECT * FROM stays WHERE ward = 1) s FULL JOIN (SELECT * FROM drugs WHERE drug = 'a') d ON s.person = d.person WHERE coalesce(s.day, 2) > 1 AND coalesce(s.person, d.person) IS NOT NULL$$);
SELECT * FROM compared($$SELECT s.ward, dp_count('*', 1e6) FROM (SELECT * FROM stays WHERE ward = 1) s FULL JOIN drugs d ON s.person = d.person GROUP BY s.ward$$,
    $$SELECT w.ward, count(q.somebody) FROM (VALUES (1), (2), (NULL)) w (ward) LEFT JOIN (SELECT s.ward, coalesce(s.person, d.person) AS somebody FROM (SELECT * FROM stays WHERE ward = 1) s FULL JOIN drugs d ON s.person = d.person) q
        ON q.ward IS NOT DISTINCT FROM w.ward GROUP BY w.ward$$);
-- A third table of the same persons, where it has any, and what subqueries ask of them.
SELECT * FROM compared($$SELECT dp_count('*', 1e6), dp_count(p.person, 1e6) FROM stays s FULL JOIN drugs d ON s.person = d.person LEFT JOIN people p ON p.person = s.person$$,
    $$SELECT count(*), count(p.person) FROM stays s FULL JOIN drugs d ON s.person = d.person LEFT JOIN people p ON p.person = s.person WHERE coalesce(s.person, d.person) IS NOT NULL$$);
SELECT * FROM compared($$SELECT dp_count('*', 1e6) FROM stays s FULL JOIN drugs d ON s.person = d.person WHERE NOT EXISTS (SELECT FROM people p WHERE p.person = s.person)$$,
    $$SELECT count(*) FROM stays s FULL JOIN drugs d ON s.person = d.person WHERE NOT EXISTS (SELECT FROM people p WHERE p.person = s.person) AND coalesce(s.person, d.person) IS NOT NULL$$);
-- They may compare what names the person on either side, as USING does.
SELECT * FROM compared($$SELECT dp_count('*', 1e6), dp_count(p.person, 1e6) FROM stays s FULL JOIN drugs d ON s.person = d.person LEFT JOIN people p ON p.person = coalesce(d.person, s.person)$$,
    $$SELECT count(*), count(p.person) FROM stays s FULL JOIN drugs d ON s.person = d.person LEFT JOIN people p ON p.person = coalesce(d.person, s.person) WHERE coalesce(s.person, d.person) IS NOT NULL$$);
SELECT * FROM compared($$SELECT dp_count('*', 1e6), dp_count(p.person, 1e6) FROM stays s FULL JOIN drugs d USING (person) LEFT JOIN people p USING (person)$$,
    $$SELECT count(*), count(p.person) FROM stays s FULL JOIN drugs d USING (person) LEFT JOIN people p USING (person) WHERE person IS NOT NULL$$);
SELECT * FROM compared($$SELECT dp_count('*', 1e6) FROM stays s FULL JOIN drugs d USING (person) WHERE NOT EXISTS (SELECT FROM people p WHERE p.person = coalesce(s.person, d.person))$$,
    $$SELECT count(*) FROM stays s FULL JOIN drugs d USING (person) WHERE NOT EXISTS (SELECT FROM people p WHERE p.person = coalesce(s.person, d.person)) AND person IS NOT NULL$$);
SELECT * FROM compared($$SELECT dp_count('*', 1e6) FROM stays s FULL JOIN drugs d USING (person) WHERE person NOT IN (SELECT p.person FROM people p WHERE p.female)$$,
    $$SELECT count(*) FROM stays s FULL JOIN drugs d USING (person) WHERE person NOT IN (SELECT p.person FROM people p WHERE p.female)$$);
-- Plain SQL, aggregates of other kinds, grouping sets.
SELECT * FROM compared($$SELECT round(dp_avg(s.cost, 0, 40, 1e6)), dp_median(s.cost, 0, 40, 1e6) IS NOT NULL FROM stays s FULL JOIN drugs d ON s.person = d.person$$,
    $$SELECT round(avg(s.cost)), true FROM stays s FULL JOIN drugs d ON s.person = d.person WHERE coalesce(s.person, d.person) IS NOT NULL$$);
SELECT * FROM compared($$SELECT s.ward, dp_count('*', 1e6) FROM stays s FULL JOIN drugs d ON s.person = d.person GROUP BY ROLLUP (s.ward)$$,
    $$SELECT s.ward, count(*) FROM stays s FULL JOIN drugs d ON s.person = d.person WHERE coalesce(s.person, d.person) IS NOT NULL GROUP BY ROLLUP (s.ward)$$);
SET ROLE regress_full_ana;
SET dp.epsilon = 1e6;
SELECT count(*) FROM stays s FULL JOIN drugs d USING (person);
RESET dp.epsilon;

-- ---- Questions about people: everybody who is in one of the tables.
SELECT dp_count('*', 1e6) AS persons, dp_sum(stays, 0, 100, 1e6) AS stays FROM (SELECT person, count(s.id) AS stays FROM stays s FULL JOIN drugs d USING (person) GROUP BY person) q;
SELECT dp_count('*', 1e6) AS in_one_only FROM (SELECT coalesce(s.person, d.person) AS person FROM stays s FULL JOIN drugs d ON s.person = d.person GROUP BY 1 HAVING count(s.id) = 0 OR count(d.id) = 0) q;
-- Whichever of the two is written first, and nothing in its place.
SELECT dp_count('*', 1e6) AS in_one_only FROM (SELECT coalesce(d.person, s.person) AS person FROM stays s FULL JOIN drugs d ON s.person = d.person GROUP BY 1 HAVING count(s.id) = 0 OR count(d.id) = 0) q;
SELECT dp_count('*', 1e6) FROM (SELECT coalesce(d.person, 0) AS person FROM stays s FULL JOIN drugs d ON s.person = d.person GROUP BY 1) q;
SELECT dp_count('*', 1e6) FROM (SELECT coalesce(s.person, s.person) AS person FROM stays s FULL JOIN drugs d ON s.person = d.person GROUP BY 1) q;
SELECT dp_count('*', 1e6) FROM (SELECT s.person FROM stays s FULL JOIN drugs d ON s.person = d.person GROUP BY s.person) q;
-- In types of the same equality, but not in one that takes several persons for one.
SELECT dp_count('*', 1e6) AS persons FROM (SELECT person FROM codes FULL JOIN names USING (person) GROUP BY person) q;
SELECT dp_count('*', 1e6) AS persons FROM (SELECT coalesce(c.person, n.person)::text AS person FROM codes c FULL JOIN names n ON c.person = n.person GROUP BY 1) q;
SELECT dp_count('*', 1e6) FROM (SELECT coalesce(c.person::bpchar, n.person::bpchar) AS person FROM codes c FULL JOIN names n ON c.person = n.person GROUP BY 1) q;
SELECT dp_count('*', 1e6) FROM (SELECT coalesce(c.person, n.person)::bpchar AS person FROM codes c FULL JOIN names n ON c.person = n.person GROUP BY 1) q;
RESET ROLE;
SELECT count(*) AS persons, sum(stays) AS stays FROM (SELECT person, count(s.id) AS stays FROM stays s FULL JOIN drugs d USING (person) WHERE person IS NOT NULL GROUP BY person) q;
SELECT count(*) AS in_one_only FROM (SELECT person FROM stays s FULL JOIN drugs d USING (person) WHERE person IS NOT NULL GROUP BY person HAVING count(s.id) = 0 OR count(d.id) = 0) q;

-- ---- Limits: what is joined is limited to the rows that both tables may have of a person together.
SET ROLE regress_full_ana;
EXPLAIN (COSTS OFF) SELECT dp_count('*', 1) FROM codes FULL JOIN names USING (person);
EXPLAIN (COSTS OFF) SELECT dp_count('*', 1) FROM stays s FULL JOIN people p USING (person);
EXPLAIN (COSTS OFF) SELECT dp_count('*', 1) FROM stays s FULL JOIN people p ON s.person = p.person AND p.female;
EXPLAIN (COSTS OFF) SELECT dp_count('*', 1) FROM people p FULL JOIN people q USING (person);
EXPLAIN (COSTS OFF) SELECT dp_count('*', 1) FROM people p FULL JOIN people q ON p.person = q.person AND p.female;
EXPLAIN (COSTS OFF) SELECT dp_count('*', 1) FROM people p FULL JOIN people q ON (p.person = q.person AND p.female) OR (p.person = q.person AND q.person = 11);
-- Neither side has a limit of its own: that of the table which is joined further holds.
EXPLAIN (COSTS OFF) SELECT dp_count('*', 1) FROM people p FULL JOIN people q ON p.person = q.person AND p.female LEFT JOIN stays s ON s.person = q.person;
RESET ROLE;
INSERT INTO codes SELECT 'w', n FROM generate_series(1, 50) n;
INSERT INTO names SELECT 'w', n FROM generate_series(1, 50) n;
INSERT INTO names SELECT 'v', n FROM generate_series(1, 50) n;
SELECT * FROM compared($$SELECT dp_count('*', 1e6), dp_count(code, 1e6) BETWEEN 3 AND 10 FROM codes FULL JOIN names USING (person)$$,
    $$SELECT sum(least(n, 7)), true FROM (SELECT count(*) AS n FROM codes FULL JOIN names USING (person) GROUP BY person) q$$);
SELECT * FROM compared($$SELECT dp_count('*', 1e6), dp_count(DISTINCT person, 1e6) FROM codes FULL JOIN names USING (person) WHERE age IS NULL OR age <> 40$$,
    $$SELECT sum(least(n, 7)), count(*) FROM (SELECT count(*) AS n FROM codes FULL JOIN names USING (person) WHERE age IS NULL OR age <> 40 GROUP BY person) q$$);
SELECT * FROM compared($$SELECT dp_median(age, 0, 100, 1e6) IS NOT NULL, dp_count(age % 2, 1e6) + dp_count(code, 1e6) <= 28 FROM codes c FULL JOIN names n ON c.person = n.person AND c.code = n.age$$,
    $$SELECT true, true$$);
-- Both sides have one row of a person: two, where they need not be partners.
SELECT * FROM compared($$SELECT dp_count('*', 1e6) FROM people p FULL JOIN people q ON p.person = q.person AND p.female$$,
    $$SELECT count(*) FROM people p FULL JOIN people q ON p.person = q.person AND p.female$$);

-- ---- Refused: what couples two persons, what belongs to nobody.
SET ROLE regress_full_ana;
SELECT dp_count('*', 1e6) FROM stays s FULL JOIN drugs d ON s.day = d.day;
SELECT dp_count('*', 1e6) FROM stays s FULL JOIN drugs d ON s.person = d.person OR s.day = d.day;
SELECT dp_count('*', 1e6) FROM stays s FULL JOIN drugs d ON s.person = d.id;
SELECT dp_count('*', 1e6) FROM stays s FULL JOIN drugs d ON s.person <= d.person;
SELECT dp_count('*', 1e6) FROM stays s FULL JOIN wards w ON w.id = s.ward;
SELECT dp_count('*', 1e6) FROM wards w FULL JOIN stays s ON w.id = s.ward;
SELECT dp_count('*', 1e6) FROM people p JOIN (stays s FULL JOIN drugs d ON s.person = d.person) ON s.person = p.person;
SELECT dp_count('*', 1e6) FROM people p LEFT JOIN (stays s FULL JOIN drugs d ON s.person = d.person) ON s.person = p.person;
SELECT dp_count('*', 1e6) FROM stays s FULL JOIN drugs d USING (person) FULL JOIN people p USING (person);
SELECT dp_count('*', 1e6) FROM stays s FULL JOIN drugs d ON s.person = d.person LEFT JOIN people p ON p.person = d.day;
SELECT dp_count('*', 1e6) FROM stays s FULL JOIN drugs d ON s.person = d.person LEFT JOIN people p ON p.person = coalesce(s.person, d.day);
SELECT dp_count('*', 1e6) FROM stays s FULL JOIN drugs d ON s.day = d.day LEFT JOIN people p ON p.person = coalesce(s.person, d.person) WHERE p.person = d.person;
SELECT dp_count('*', 1e6) FROM stays s FULL JOIN drugs d ON s.person = d.person LEFT JOIN wards w ON w.name = 'north';
SELECT dp_count('*', 1e6) FROM (SELECT d.day FROM stays s FULL JOIN drugs d ON s.person = d.person GROUP BY d.day) q;
SELECT dp_count('*', 1e6) FROM people p WHERE EXISTS (SELECT FROM stays s FULL JOIN drugs d ON s.person = d.person WHERE s.person = p.person);
SELECT dp_count('*', 1e6) FROM stays s FULL JOIN names n ON s.person::text = n.person;
RESET ROLE;
-- Of types that are compared, but not told apart alike; of several full joins.
CREATE TABLE dates (person date);
CREATE TABLE moments (person timestamp);
SELECT dp.protect(t, 1e9, privacy_unit => 'person', max_rows_per_unit => 2), dp.grant_budget(t, 'regress_full_ana', 1e8, allow_leaks => true)
FROM unnest('{dates, moments}'::regclass[]) t;
SET ROLE regress_full_ana;
SELECT dp_count('*', 1e6) FROM dates d FULL JOIN moments m ON d.person = m.person;
SELECT dp_count('*', 1e6) FROM (stays s FULL JOIN drugs d ON s.person = d.person) JOIN (stays t FULL JOIN drugs e ON t.person = e.person) ON s.person = t.person;
RESET ROLE;
-- A unit at the end of a path stands in no column of the table.
CREATE TABLE visits (id int PRIMARY KEY, person int REFERENCES people);
CREATE TABLE lab (visit int REFERENCES visits, value int);
SELECT dp.protect('visits', 1e9, privacy_unit => 'person', max_rows_per_unit => 2), dp.protect('lab', 1e9, privacy_unit => 'visit.person', max_rows_per_unit => 2);
SELECT dp.grant_budget(t, 'regress_full_ana', 1e8, allow_leaks => true) FROM unnest('{visits, lab}'::regclass[]) t;
SET ROLE regress_full_ana;
SELECT dp_count('*', 1e6) FROM lab FULL JOIN visits v ON v.id = lab.visit;
SELECT dp_count('*', 1e6) FROM visits v FULL JOIN lab ON v.id = lab.visit;
RESET ROLE;
SELECT dp.unprotect(t) FROM unnest('{stays, drugs, people, codes, names, dates, moments, visits, lab}'::regclass[]) t;
DROP TABLE lab, visits, dates, moments, stays, drugs, people, codes, names, wards;
DROP FUNCTION compared;
DROP OWNED BY regress_full_ana;
DROP ROLE regress_full_ana;
