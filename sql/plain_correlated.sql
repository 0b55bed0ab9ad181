-- Answers for each row of public tables, and INTERSECT and EXCEPT of people's rows. epsilon 1e6 makes the noise vanish.
SET client_min_messages = error;
CALL own_schema('plain_correlated');
CREATE ROLE regress_correlated_ana;
CREATE TABLE wards (id int PRIMARY KEY, name text NOT NULL, opened date, beds numeric);
INSERT INTO wards VALUES (1, 'North', '2019-01-01', 10), (2, 'South', '2024-03-01', 20), (3, 'East', NULL, 30), (4, 'West', '2021-01-01', NULL);
CREATE TABLE person (id int PRIMARY KEY, born int NOT NULL);
INSERT INTO person SELECT i, 1930 + i % 80 FROM generate_series(1, 100) i;
CREATE TABLE stay (id int PRIMARY KEY, person int NOT NULL REFERENCES person, ward int REFERENCES wards, name text NOT NULL, day date NOT NULL, age int NOT NULL, other int);
INSERT INTO stay SELECT i, 1 + i * 7 % 100, CASE WHEN i % 17 > 0 THEN 1 + i % 3 END, (ARRAY['North', 'South', 'East'])[1 + i % 3], '2024-01-01'::date + i % 300, i % 90, nullif(i % 5, 0)
    FROM generate_series(1, 600) i;
SELECT dp.protect('person', 1e9, 0, privacy_unit => 'id', answer_epsilon => 1e6), dp.protect('stay', 1e9, 0, privacy_unit => 'person', max_rows_per_unit => 100, answer_epsilon => 1e6);
SELECT dp.declare_range('stay', 'age', 0, 100), dp.declare_range('stay', 'day', '2024-01-01'::date, '2024-12-31'::date);
SELECT dp.grant_budget(t, 'regress_correlated_ana', 1e9, 0, allow_leaks => true) FROM unnest('{person,stay}'::regclass[]) t;
GRANT SELECT ON wards TO regress_correlated_ana;
-- The rows that the role is shown beside the owner's: how many, and how many of each that the other has not. (An average over no rows is a
-- private answer, too, so that of an empty group is none of these.)
CREATE FUNCTION compared(query text) RETURNS TABLE (shown bigint, missing bigint, more bigint) LANGUAGE plpgsql AS $$
DECLARE answer text[]; plain text[];
BEGIN
    SET LOCAL ROLE regress_correlated_ana;
    EXECUTE format('SELECT array_agg(q::text) FROM (%s) q', query) INTO answer;
    RESET ROLE;
    EXECUTE format('SELECT array_agg(q::text) FROM (%s) q', query) INTO plain;
    RETURN QUERY SELECT cardinality(answer)::bigint, (SELECT count(*) FROM unnest(plain) p WHERE p <> ALL (answer)),
        (SELECT count(*) FROM unnest(answer) a WHERE a <> ALL (plain));
END $$;

-- ---- in the select list: a count where there are no rows, too, by whatever condition
SELECT * FROM compared('SELECT w.name, (SELECT count(*) FROM stay s WHERE s.ward = w.id) FROM wards w');
SELECT * FROM compared('SELECT w.name, (SELECT count(*) FROM stay s WHERE s.ward = w.id AND s.age > 50 AND s.day >= w.opened) FROM wards w');
SELECT * FROM compared('SELECT w.name, (SELECT count(DISTINCT person) FROM stay s WHERE s.name = w.name) FROM wards w');
SELECT * FROM compared('SELECT w.name, (SELECT count(*) FILTER (WHERE s.age > w.beds) FROM stay s WHERE s.ward = w.id) FROM wards w');
SELECT * FROM compared('SELECT w.name, (SELECT count(*) FROM stay s JOIN person p ON p.id = s.person WHERE s.ward = w.id AND p.born < 1960) FROM wards w');
SELECT * FROM compared('SELECT w.name, (SELECT sum(age) FROM stay s WHERE s.ward = w.id), round((SELECT avg(age) FROM stay s WHERE s.ward = w.id), 1) FROM wards w WHERE w.id < 4');
SELECT * FROM compared('SELECT m::date, (SELECT count(*) FROM stay s WHERE date_trunc(''month'', s.day) = m) FROM generate_series(''2024-01-01''::timestamptz, ''2024-12-01'', ''1 month'') m');
SELECT * FROM compared('SELECT w.name, v.k, (SELECT count(*) FROM stay s WHERE s.ward = w.id AND s.age % 3 = v.k) FROM wards w CROSS JOIN (VALUES (0), (1), (NULL)) v(k)');
SELECT * FROM compared('SELECT w.name, (SELECT count(*) FROM stay s WHERE s.ward = w.id AND s.day >= coalesce(w.opened, ''2024-06-01'')) FROM wards w');
-- also where the condition of a join says whose rows they are
SELECT * FROM compared('SELECT w.name, (SELECT count(*) FROM person p JOIN stay s ON p.id = s.person AND s.ward = w.id AND s.age > 30) FROM wards w');
SELECT * FROM compared('SELECT w.name, (SELECT count(*) FROM (person p JOIN stay s ON p.id = s.person AND s.ward = w.id) LEFT JOIN wards o ON o.id = s.ward AND o.beds > 10 WHERE p.born < 1990) FROM wards w');
-- of a row that several rows of the level have in common; of several levels
SELECT * FROM compared('SELECT n, (SELECT count(*) FROM stay s WHERE s.ward = w.id) FROM wards w, generate_series(1, 2) n');
SELECT * FROM compared('SELECT * FROM (SELECT w.name, (SELECT count(*) FROM stay s WHERE s.ward = w.id) AS n FROM wards w) q WHERE n > 0 AND name < ''T''');
SELECT * FROM compared('SELECT sum(n) FROM (SELECT (SELECT count(*) FROM stay s WHERE s.ward = w.id) AS n FROM wards w) q');
-- elsewhere
SELECT * FROM compared('SELECT name FROM wards w WHERE (SELECT count(*) FROM stay s WHERE s.ward = w.id) > 100');
SELECT * FROM compared('SELECT name, (SELECT count(*) FROM stay s WHERE s.ward = w.id) AS n FROM wards w ORDER BY n DESC, name LIMIT 2');
SELECT * FROM compared('SELECT name, 100 * (SELECT count(*) FROM stay s WHERE s.ward = w.id) / (SELECT count(*) FROM stay) FROM wards w');
-- CTEs
SELECT * FROM compared('WITH old AS (SELECT * FROM stay WHERE age > 50) SELECT w.name, (SELECT count(*) FROM old WHERE old.ward = w.id) FROM wards w');
SELECT * FROM compared('WITH w AS (SELECT id, name FROM wards WHERE beds > 10) SELECT w.name, (SELECT count(*) FROM stay s WHERE s.ward = w.id) FROM w');
-- Who may read the rows asks row by row, as it is written.
CREATE FUNCTION reads_cte(query text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE line text;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN ' || query LOOP
        IF line ~ 'CTE' THEN RETURN true; END IF;
    END LOOP;
    RETURN false;
END $$;
SELECT reads_cte('SELECT w.name, (SELECT count(*) FROM stay s WHERE s.ward = w.id) FROM wards w');
-- One question, asked once.
SET ROLE regress_correlated_ana;
SELECT epsilon FROM dp.cost('SELECT w.name, (SELECT count(*) FROM stay s WHERE s.ward = w.id), 2 * (SELECT count(*) FROM stay s WHERE s.ward = w.id) FROM wards w') WHERE role IS NULL;
SELECT reads_cte('SELECT w.name, (SELECT count(*) FROM stay s WHERE s.ward = w.id) FROM wards w');
SELECT dp.private_form('SELECT w.name, (SELECT count(*) FROM stay s WHERE s.ward = w.id) FROM wards w');
-- Parameters.
PREPARE of_ward (int, int) AS SELECT w.name, (SELECT count(*) FROM stay s WHERE s.ward = w.id AND s.age < $1) FROM wards w WHERE w.id <= $2 ORDER BY 1;
EXECUTE of_ward (10, 3);
SET plan_cache_mode = force_generic_plan;
EXECUTE of_ward (50, 4);
RESET plan_cache_mode;
-- Private calls, by name, also where the asker may read the rows.
SELECT w.name, (SELECT dp_count('*', 1e6) FROM stay s WHERE s.ward = w.id) FROM wards w ORDER BY 1;
RESET ROLE;
SELECT w.name, (SELECT dp_count('*', 1e6) FROM stay s WHERE s.ward = w.id) FROM wards w ORDER BY 1;
SET ROLE regress_correlated_ana;
-- Whose columns are none of a public row's, or what is more than one answer, is refused as before.
SELECT (SELECT count(*) FROM stay s WHERE s.ward = t.ward) FROM stay t;
SELECT w.name, (SELECT count(*) FROM stay s WHERE s.ward = w.id GROUP BY age LIMIT 1) FROM wards w;
SELECT w.name, (SELECT count(*) FROM person p LEFT JOIN stay s ON p.id = s.person AND s.ward = w.id) FROM wards w;
SELECT w.name, (SELECT count(*) FROM (SELECT * FROM stay WHERE ward = w.id) s) FROM wards w;
SELECT w.name, (SELECT s.age FROM stay s WHERE s.ward = w.id LIMIT 1) FROM wards w;
SELECT w.name, (SELECT count(*) FROM stay s WHERE s.ward = w.id AND s.age > 100 * random()) FROM wards w;
SELECT w.name, (SELECT count(*) FROM stay s WHERE s.ward = w.id) FROM (SELECT *, random() AS r FROM wards) w WHERE r < 2;
RESET ROLE;

-- ---- INTERSECT, EXCEPT
SELECT * FROM compared('SELECT count(*) FROM (SELECT person FROM stay WHERE ward = 1 AND age < 30 INTERSECT SELECT person FROM stay WHERE ward = 2 AND age < 30) q');
SELECT * FROM compared('SELECT count(*) FROM (SELECT person FROM stay WHERE ward = 1 AND age < 30 EXCEPT SELECT person FROM stay WHERE ward = 2 AND age < 30) q');
SELECT * FROM compared('SELECT count(*) FROM (SELECT person FROM stay WHERE age < 30 INTERSECT SELECT id FROM person WHERE born < 1960) q');
SELECT * FROM compared('SELECT count(*) FROM (SELECT id FROM person EXCEPT SELECT person FROM stay WHERE age < 30 EXCEPT SELECT person FROM stay WHERE age > 80) q');
SELECT * FROM compared('WITH a AS (SELECT person FROM stay WHERE ward = 1 AND age < 30), b AS (SELECT person FROM stay WHERE ward = 2 AND age < 30) SELECT count(*) FROM (SELECT * FROM a INTERSECT SELECT * FROM b) q');
-- UNION, of one table and of several
SELECT * FROM compared('SELECT count(*) FROM (SELECT person FROM stay WHERE ward = 1 AND age < 30 UNION SELECT person FROM stay s WHERE ward = 2 AND s.age < 10 UNION SELECT person FROM stay WHERE age = 77) q');
SELECT * FROM compared('SELECT count(*) FROM (SELECT person FROM stay WHERE ward = 1 AND age < 30 UNION SELECT id FROM person WHERE born < 1960) q');
SELECT * FROM compared('SELECT count(*) FROM (SELECT person FROM stay WHERE age < 4 UNION SELECT id FROM person WHERE born < 1940 UNION SELECT person FROM stay WHERE age > 86) q');
SELECT * FROM compared('SELECT count(*) FROM (SELECT person FROM stay WHERE age < 30 INTERSECT SELECT person FROM stay WHERE ward = 2 UNION SELECT id FROM person WHERE born = 1950) q');
SELECT * FROM compared('WITH a AS (SELECT person FROM stay WHERE ward = 1 AND age < 20), u AS (SELECT * FROM a UNION SELECT person FROM stay WHERE ward = 2 AND age < 20) SELECT p.born < 1960, count(*) FROM u JOIN person p ON p.id = u.person GROUP BY 1');
SELECT * FROM compared('SELECT count(*) FROM (SELECT person FROM stay WHERE age < 30 UNION SELECT person FROM stay) q');
-- They take NULLs for equal, and ALL counts rows of the other side: refused where a column may be NULL, and with ALL.
SET ROLE regress_correlated_ana;
SELECT count(*) FROM (SELECT person, other FROM stay WHERE ward = 1 INTERSECT SELECT person, other FROM stay WHERE ward = 2) q;
SELECT count(*) FROM (SELECT person FROM stay WHERE ward = 1 INTERSECT ALL SELECT person FROM stay WHERE ward = 2) q;
SELECT count(*) FROM (SELECT person FROM stay WHERE ward = 1 UNION ALL SELECT person FROM stay WHERE ward = 2) q;
SELECT count(*) FROM (SELECT person, age FROM stay WHERE ward = 1 UNION SELECT id, born FROM person) q;
SELECT count(*) FROM (SELECT person FROM stay WHERE ward = 1 UNION SELECT born FROM person WHERE born < 1935) q;
SELECT (SELECT count(*) FROM stay WHERE ward = 1) + (SELECT count(*) FROM stay WHERE ward = 2) AS both;
SELECT count(*) FROM (SELECT s.person FROM wards w LEFT JOIN stay s ON s.ward = w.id INTERSECT SELECT person FROM stay WHERE ward = 2) q;
RESET ROLE;

SELECT dp.unprotect('stay'), dp.unprotect('person');
DROP TABLE stay, person, wards;
DROP FUNCTION compared, reads_cte;
DROP ROLE regress_correlated_ana;
