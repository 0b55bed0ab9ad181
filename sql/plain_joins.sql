-- Joins as people write them: columns that depend on a grouped primary key of a public table, and public LEFT JOIN protected.
CALL own_schema('plain_joins');
SET client_min_messages = warning;
CREATE ROLE regress_plain_joins_ana;
-- Ward 4 has no stays; stays of ward 9 and of none have no ward.
CREATE TABLE cities (land text, town text, mayor text, PRIMARY KEY (land, town));
INSERT INTO cities VALUES ('be', 'Ghent', 'ann'), ('fr', 'Lyon', 'bea'), ('fr', 'Nice', 'cat'), ('no', 'Oslo', NULL);
CREATE TABLE wards (id int PRIMARY KEY, name text NOT NULL, beds int, land text, town text, code varchar(5) UNIQUE);
INSERT INTO wards VALUES (1, 'north', 10, 'be', 'Ghent', 'N'), (2, 'south', 20, 'fr', 'Lyon', 'S'), (3, 'east', NULL, 'fr', 'Lyon', 'E'), (4, 'west', 5, NULL, NULL, NULL);
CREATE TABLE codes (code varchar(5) PRIMARY KEY, label text);
INSERT INTO codes VALUES ('N', 'nord'), ('S', 'sud'), ('X', 'none');
CREATE TABLE stays (id int PRIMARY KEY, ward int, code varchar(5), person int NOT NULL, cost float8 NOT NULL, stays_note text, seen timestamptz DEFAULT '2024-03-31 01:30Z');
INSERT INTO stays SELECT i, (ARRAY[1, 2, 2, 3, 9, NULL])[1 + i % 6], (ARRAY['N', 'S', NULL])[1 + i % 3], i % 40, i % 50, 'x' FROM generate_series(1, 600) i;
CREATE TABLE people (person int PRIMARY KEY, age int NOT NULL);
INSERT INTO people SELECT p, p + 20 FROM generate_series(0, 49) p;
SELECT dp.protect('stays', 1e9, privacy_unit => 'person', max_rows_per_unit => 100, answer_epsilon => 1e6, reuse => '1 day');
SELECT dp.protect('people', 1e9, privacy_unit => 'person', answer_epsilon => 1e6);
SELECT dp.grant_budget(t::regclass, 'regress_plain_joins_ana', 1e9, allow_leaks => true) FROM unnest(ARRAY['stays', 'people']) t;
SELECT dp.declare_range('stays', 'cost', 0, 50), dp.declare_range('people', 'age', 0, 100), dp.declare_values('people', 'person', 1, 2);
CREATE TABLE plain AS SELECT * FROM stays;
CREATE COLLATION regress_any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE secret_wards (id int PRIMARY KEY, name text, hidden text);
INSERT INTO secret_wards SELECT id, name, 'h' FROM wards;
-- The unit of a sample is told by a public table.
CREATE TABLE visits (visit int PRIMARY KEY, person int NOT NULL);
INSERT INTO visits SELECT i, i % 10 FROM generate_series(1, 40) i;
CREATE TABLE samples (id int PRIMARY KEY, visit int REFERENCES visits);
INSERT INTO samples SELECT i, i FROM generate_series(1, 15) i;
SELECT dp.protect('samples', 1e9, privacy_unit => 'visit.person', max_rows_per_unit => 100, answer_epsilon => 1e6);
SELECT dp.grant_budget('samples', 'regress_plain_joins_ana', 1e9, allow_leaks => true);
GRANT SELECT ON plain, wards, cities, codes, visits TO regress_plain_joins_ana;
GRANT SELECT (id, name) ON secret_wards TO regress_plain_joins_ana;
-- What differs between the answer to the question and that of the same query over the copy.
CREATE FUNCTION differs(query text, OUT answered bigint, OUT missing bigint, OUT added bigint) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('WITH a AS MATERIALIZED (SELECT t::text FROM (%s) t), b AS (SELECT t::text FROM (%s) t) SELECT (SELECT count(*) FROM a), '
        '(SELECT count(*) FROM (TABLE b EXCEPT ALL TABLE a) x), (SELECT count(*) FROM (TABLE a EXCEPT ALL TABLE b) x)',
        query, replace(query, ' stays ', ' plain ')) INTO answered, missing, added;
END $$;
SET ROLE regress_plain_joins_ana;

-- ---- columns that depend on a grouped key
SELECT w.id, w.name, upper(w.name) || w.beds AS both, count(*) FROM stays s JOIN wards w ON w.id = s.ward GROUP BY w.id ORDER BY w.name;
SELECT w.name, round(avg(s.cost)::numeric, 2) AS avg FROM stays s JOIN wards w ON w.id = s.ward GROUP BY w.id HAVING w.beds > 5 OR w.name = 'east' ORDER BY w.beds, 1;
-- Rows without a ward; a key of two columns; a varchar; several tables; above, around and below.
SELECT * FROM differs($$SELECT w.id, w.name, count(*) FROM stays s LEFT JOIN wards w ON w.id = s.ward WHERE s.ward <> 9 OR s.ward IS NULL GROUP BY w.id HAVING count(*) > 0$$);
SELECT c.land, c.town, c.mayor, w.name, count(*) FROM stays s JOIN wards w ON w.id = s.ward JOIN cities c ON c.land = w.land AND c.town = w.town
GROUP BY w.id, c.land, c.town HAVING count(*) > 0 ORDER BY w.id;
SELECT c.code, c.label, count(*) FROM stays s JOIN codes c ON c.code = s.code GROUP BY c.code ORDER BY 1;
SELECT name, n, sum(n) OVER (ORDER BY name) FROM (SELECT w.id, w.name, count(*) AS n FROM stays s JOIN wards w ON w.id = s.ward GROUP BY w.id) t ORDER BY 1;
SELECT w.id, rank() OVER (ORDER BY w.beds NULLS LAST), (SELECT max(c.label) FROM codes c WHERE c.code = w.code) AS label, sum(s.cost) > 1 AS ok
FROM stays s JOIN wards w ON w.id = s.ward GROUP BY w.id ORDER BY 1;
SELECT w.id, w.name, dp_count('*', 1e6) AS n FROM stays s JOIN wards w ON w.id = s.ward WHERE w.id < 3 GROUP BY GROUPING SETS ((w.id), (w.id, w.code)) HAVING dp_count('*', 1e6) > 0.5 ORDER BY 1;
SELECT DISTINCT w.name FROM stays s JOIN wards w ON w.id = s.ward GROUP BY w.id ORDER BY 1;
PREPARE by_ward(int) AS SELECT w.id, w.name, count(*) FROM stays s JOIN wards w ON w.id = s.ward WHERE w.id <= $1 GROUP BY w.id ORDER BY 1;
EXECUTE by_ward(1);
EXECUTE by_ward(2);
-- Grouped by as well, as tools do: the groups are those of the key.
SELECT w.name, w.id, w.beds, count(*) FROM stays s JOIN wards w ON w.id = s.ward GROUP BY w.name, w.id, w.beds ORDER BY w.beds, 1;
SELECT * FROM differs($$SELECT w.id, w.name, upper(w.name) AS up, count(*) FROM stays s LEFT JOIN wards w ON w.id = s.ward GROUP BY 1, 2, w.name HAVING count(*) > 0 AND w.name <> 'east'$$);
SELECT * FROM differs($$SELECT c.land, c.town, c.mayor, count(*) FROM stays s JOIN wards w ON w.id = s.ward JOIN cities c ON c.land = w.land AND c.town = w.town GROUP BY 1, 2, 3 HAVING count(*) > 0$$);
SELECT c.land, c.mayor, count(*) FROM stays s JOIN wards w ON w.id = s.ward JOIN cities c ON c.land = w.land AND c.town = w.town WHERE c.land <> 'no' GROUP BY 1, 2 ORDER BY 1, 2;
-- Only of public tables, and only what the asker may read.
SELECT p.person, p.age, count(*) FROM stays s JOIN people p ON p.person = s.person GROUP BY p.person;
SELECT w.id, w.name, count(*) FROM stays s JOIN secret_wards w ON w.id = s.ward GROUP BY w.id ORDER BY 1;
SELECT w.id, w.hidden, count(*) FROM stays s JOIN secret_wards w ON w.id = s.ward GROUP BY w.id ORDER BY 1;

-- ---- public LEFT JOIN protected: each public row is a group
SELECT w.name, count(s.id), sum(s.cost) > 1 AS cost FROM wards w LEFT JOIN stays s ON s.ward = w.id GROUP BY w.name ORDER BY 1;
SELECT * FROM differs($$SELECT w.id, count(s.id) FROM wards w LEFT JOIN stays s ON s.ward = w.id GROUP BY w.id$$);
SELECT * FROM differs($$SELECT w.id, w.name, count(s.cost) FROM stays s RIGHT JOIN wards w ON s.ward = w.id GROUP BY w.id$$);
-- Its conditions leave no group out, those of WHERE do; the inner join is another question.
SELECT * FROM differs($$SELECT w.id, count(s.id) FROM wards w LEFT JOIN stays s ON s.ward = w.id AND w.id > 2 GROUP BY w.id$$);
SET dp.reuse = '1 h';
SELECT * FROM differs($$SELECT w.id, count(s.id) FROM wards w JOIN stays s ON s.ward = w.id AND w.id > 2 AND w.id < 4 GROUP BY w.id$$);
SELECT * FROM differs($$SELECT w.id, count(s.id) FROM wards w LEFT JOIN stays s ON s.ward = w.id AND w.id > 2 AND w.id < 4 GROUP BY w.id$$);
RESET dp.reuse;
SELECT * FROM differs($$SELECT w.id, count(s.id) FROM wards w LEFT JOIN stays s ON s.ward = w.id AND s.cost > 20 WHERE w.id > 2 GROUP BY w.id$$);
-- What is NULL without a row, and what a filter leaves out.
SELECT * FROM differs($$SELECT w.id, count(*) FILTER (WHERE s.cost > 20), count(CASE WHEN s.cost > 20 THEN 1 END) FROM wards w LEFT JOIN stays s ON s.ward = w.id GROUP BY w.id$$);
SELECT * FROM differs($$SELECT count(s.id), count(s.cost + w.beds) FROM wards w LEFT JOIN stays s ON s.ward = w.id$$);
-- More tables, subqueries that choose rows.
SELECT * FROM differs($$SELECT c.town, count(s.id) FROM wards w JOIN cities c ON c.land = w.land AND c.town = w.town LEFT JOIN stays s ON s.ward = w.id GROUP BY c.town HAVING count(s.id) > 0$$);
SELECT w.name, count(s.id), count(p.person) AS young FROM wards w LEFT JOIN stays s ON s.ward = w.id LEFT JOIN people p ON p.person = s.person AND p.age < 40 GROUP BY w.name ORDER BY 1;
SELECT w.name, count(s.id), count(s.id) FILTER (WHERE p.age < 40) AS young FROM wards w LEFT JOIN stays s ON s.ward = w.id LEFT JOIN people p ON p.person = s.person AND p.age < 40 GROUP BY w.name ORDER BY 1;
SELECT * FROM differs($$SELECT w.id, count(s.id) FROM wards w LEFT JOIN (SELECT id, ward FROM stays WHERE cost > 20) s ON s.ward = w.id GROUP BY w.id$$);
SELECT w.id FROM wards w LEFT JOIN stays s ON s.ward = w.id GROUP BY w.id ORDER BY 1;
-- Refused: aggregates to which rows that are nobody's matter, keys of protected tables, questions about people.
SELECT w.name, count(*) FROM wards w LEFT JOIN stays s ON s.ward = w.id GROUP BY w.name;
SELECT w.name, dp_count('*', 1) FROM wards w LEFT JOIN stays s ON s.ward = w.id GROUP BY w.name;
SELECT w.name, count(s.id), count(w.id) FROM wards w LEFT JOIN stays s ON s.ward = w.id GROUP BY w.name;
SELECT w.name, avg(coalesce(s.cost, 0)) FROM wards w LEFT JOIN stays s ON s.ward = w.id GROUP BY w.name;
SELECT w.name, count(*) FILTER (WHERE s.id IS NULL) FROM wards w LEFT JOIN stays s ON s.ward = w.id GROUP BY w.name;
SELECT s.code, count(s.id) FROM wards w LEFT JOIN stays s ON s.ward = w.id GROUP BY s.code;
SELECT count(*) FROM (SELECT s.person, count(*) AS n FROM wards w LEFT JOIN stays s ON s.ward = w.id GROUP BY s.person) t WHERE n > 1;
SELECT n > 1 AS many, count(*) FROM (SELECT v.person, count(*) AS n FROM visits v JOIN samples s USING (visit) GROUP BY v.person) t GROUP BY 1 ORDER BY 1;
SELECT n > 1 AS many, count(*) FROM (SELECT v.person, count(*) AS n FROM visits v LEFT JOIN samples s USING (visit) GROUP BY v.person) t GROUP BY 1 ORDER BY 1;
SELECT w.name, count(s.id) FROM wards w LEFT JOIN stays s ON s.ward = w.beds GROUP BY w.name;

-- ---- lists of constants: each row finds one of the list at most
SELECT w.name, count(*) FROM stays s JOIN (VALUES (1, 'north'), (2, 'south'), (7, 'none')) AS w (id, name) ON w.id = s.ward GROUP BY w.name ORDER BY 1;
SELECT w.id, count(*), avg(s.cost) > 1 AS ok FROM (VALUES (2), (3)) AS w (id), stays s WHERE w.id = s.ward AND s.cost > 10 GROUP BY w.id ORDER BY 1;
SELECT w.id, w.name, count(*) FROM stays s JOIN (VALUES (1, 'north'), (2, 'south'), (3, NULL)) AS w (id, name) ON w.id = s.ward GROUP BY 1, 2 ORDER BY 1;
SELECT w.id, w.name, count(*) FROM stays s LEFT JOIN (VALUES (1, 'north'), (2, 'south'), (3, NULL)) AS w (id, name) ON w.id = s.ward GROUP BY 1, 2 ORDER BY 1;
SELECT * FROM differs($$SELECT w.name, upper(w.name) AS up, count(*) FROM stays s LEFT JOIN (VALUES (1, 'north'), (2, 'south'), (NULL, 'none')) AS w (id, name) ON s.ward = w.id GROUP BY w.name$$);
-- Told apart by two columns; of other types than those compared; by a public table; two lists; under ROLLUP.
SELECT * FROM differs($$SELECT w.name, w.big, count(s.id) FROM stays s JOIN (VALUES (1::bigint, 'N', 'one', 1.5), (2, 'S', 'two', NULL), (2, 'N', 'three', 2)) AS w (id, code, name, big)
    ON w.id = s.ward AND w.code = s.code AND s.cost >= coalesce(w.big, 0) GROUP BY w.name, w.big HAVING count(s.id) > 0$$);
SELECT * FROM differs($$SELECT w.name, sum(w.beds), count(*) FROM wards p JOIN stays s ON s.ward = p.id JOIN (VALUES ('N', 'one', 5), ('S', 'two', 7)) AS w (code, name, beds) ON w.code = p.code GROUP BY w.name$$);
SELECT * FROM differs($$SELECT p.name, count(*) FROM stays s JOIN (VALUES (1, 2), (2, 1)) AS w (id, other) ON w.id = s.ward JOIN wards p ON p.id = w.other GROUP BY p.name HAVING count(*) > 0$$);
SELECT * FROM differs($$SELECT a.name, b.label, count(*) FROM stays s JOIN (VALUES (1, 'x'), (2, 'y')) AS a (id, name) ON a.id = s.ward JOIN (VALUES ('x', 'big'), ('y', 'small')) AS b (name, label) ON b.name = a.name
    GROUP BY a.name, b.label HAVING count(*) > 0$$);
SELECT * FROM differs($$SELECT w.id, w.name, count(*) FROM stays s JOIN (VALUES (1, 'north'), (2, 'south')) AS w (id, name) ON w.id = s.ward GROUP BY ROLLUP (w.id, w.name)$$);
-- CTEs, UNION ALL, unnest, series; through a subquery, above and below one that groups by people, in WHERE.
SELECT * FROM differs($$WITH w (id, name) AS (VALUES (1, 'north'), (2, 'south')) SELECT w.name, count(*) FROM stays s JOIN w ON w.id = s.ward GROUP BY w.name$$);
SELECT * FROM differs($$WITH w (ward, name) AS (SELECT 1, 'north' UNION ALL SELECT 2::bigint, 'south') SELECT w.name, count(*) FROM stays s JOIN w USING (ward) GROUP BY w.name$$);
SELECT * FROM differs($$SELECT w.name, count(*) FROM stays s JOIN (SELECT id, upper(name) AS name FROM (VALUES (1, 'north'), (2, 'south')) AS t (id, name) WHERE id > 1) w ON w.id = s.ward GROUP BY w.name$$);
SELECT * FROM differs($$SELECT t.id, count(*) FROM (SELECT w.id, s.cost FROM stays s JOIN unnest(ARRAY[1, 3]) AS w (id) ON w.id = s.ward) t WHERE t.cost > 3 GROUP BY t.id$$);
SELECT * FROM differs($$SELECT g, count(*) FROM stays s JOIN generate_series(1, 3) g ON g = s.ward GROUP BY g$$);
SELECT * FROM differs($$SELECT w.name, count(*) FROM (SELECT person, count(*) AS n FROM stays s GROUP BY person) t JOIN (VALUES (15, 'few'), (16, 'more')) AS w (n, name) ON w.n = t.n GROUP BY w.name$$);
SELECT * FROM differs($$SELECT CASE WHEN n > 15 THEN 'more' ELSE 'few' END AS many, count(*) FROM (SELECT person, count(*) AS n FROM stays s JOIN (VALUES (1), (2)) w (id) ON w.id = s.ward GROUP BY person) t GROUP BY 1 HAVING count(*) > 0$$);
SELECT * FROM differs($$SELECT count(*) FROM stays s WHERE EXISTS (SELECT FROM visits v JOIN (VALUES (1), (2)) AS w (id) ON v.visit = w.id WHERE v.person = s.person)$$);
-- One row is joined in any case.
SELECT * FROM differs($$WITH p AS (SELECT 20 AS least, 'N' AS code) SELECT p.code, s.ward = 2 AS two, count(*) FROM stays s CROSS JOIN p WHERE s.cost > p.least AND s.code = p.code AND s.ward IS NOT NULL GROUP BY 1, 2 HAVING count(*) > 0$$);
SELECT * FROM differs($$SELECT round(sum(s.cost * f.factor)::numeric, -1) AS sum FROM stays s, (VALUES (2)) AS f (factor)$$);
SELECT * FROM differs($$SELECT p.least, s.cost > p.least AS above, count(*) FROM stays s LEFT JOIN (SELECT 20 AS least) p ON true GROUP BY 1, 2 HAVING count(*) > 0$$);
SELECT * FROM differs($$SELECT p.label, count(s.id) FROM (SELECT 'all' AS label) p LEFT JOIN stays s ON true GROUP BY 1$$);
SELECT * FROM differs($$SELECT p.label, p.n, count(s.id) FROM (SELECT 'all' AS label, 1 AS n) p LEFT JOIN stays s ON s.ward = 77 GROUP BY 1, 2$$);
-- As a constant is one group.
SELECT * FROM differs($$SELECT 'all' AS label, current_date AS day, count(*) FROM stays s GROUP BY 1, 2$$);
PREPARE labelled(text) AS SELECT $1 AS label, count(*) FROM stays GROUP BY $1;
EXECUTE labelled('all');
EXECUTE labelled(NULL);
-- So is a truth that reads no row, of which both values are public; an answer that it compares with is drawn before.
SELECT * FROM differs($$SELECT 1 = 2 AS never, now() > '2000-01-01' AS ever, NULL::boolean AS unknown, count(*) FROM stays s GROUP BY 1, 2, 3$$);
SELECT * FROM differs($$SELECT 1 = 2 AS never, s.code IS NULL AS none, count(*) FROM stays s GROUP BY ROLLUP (1, 2)$$);
PREPARE compared(integer) AS SELECT $1 = 2 AS two, count(*) FROM stays GROUP BY 1;
EXECUTE compared(2);
EXECUTE compared(NULL);
SELECT (SELECT count(*) FROM stays) > 1 AS several, count(*) FROM stays GROUP BY 1;
-- Kept rows of a list are groups.
SELECT * FROM differs($$SELECT w.id, w.name, count(s.id) FROM (VALUES (1, 'north'), (2, 'south'), (4, 'west'), (NULL, 'none')) AS w (id, name) LEFT JOIN stays s ON w.id = s.ward AND s.cost > 10 GROUP BY 1, 2$$);
SELECT * FROM differs($$SELECT w.id, count(s.id) FROM stays s RIGHT JOIN generate_series(0, 4) AS w (id) ON w.id = s.ward AND w.id > 1 WHERE w.id < 4 GROUP BY 1$$);
EXPLAIN (COSTS OFF) SELECT count(*) FROM stays s JOIN (VALUES (1, 'north'), (2, 'south')) AS w (id, name) ON w.id = s.ward;
-- What is computed of a list has the values that it gives, and no others.
SELECT * FROM differs($$SELECT extract(quarter FROM w.month) AS quarter, count(s.id) FROM generate_series(timestamp '2024-01-01', '2024-06-01', '1 month') AS w (month)
    LEFT JOIN stays s ON w.month = date_trunc('month', s.seen AT TIME ZONE 'UTC') GROUP BY 1$$);
SELECT extract(quarter FROM w.month) AS quarter, count(*) FROM generate_series(timestamp '2024-01-01', '2024-06-01', '1 month') AS w (month) JOIN stays s ON w.month = date_trunc('month', s.seen AT TIME ZONE 'UTC')
    GROUP BY 1 ORDER BY 1;
SELECT * FROM differs($$SELECT width_bucket(w.beds, 0, 30, 3) AS size, count(s.id) FROM (VALUES (1, 5.0), (2, 25), (3, 26)) AS w (id, beds) LEFT JOIN stays s ON s.ward = w.id GROUP BY 1$$);
-- Local times are told apart as the moments that they are compared with: summer time leaves an hour out.
SET TimeZone = 'Europe/Berlin';
SELECT * FROM differs($$SELECT w.hour, count(s.id) FROM generate_series(timestamp '2024-03-31 03:00', '2024-03-31 05:00', '30 minutes') AS w (hour) LEFT JOIN stays s ON s.seen = w.hour GROUP BY 1$$);
SELECT count(*) FROM stays s JOIN (VALUES (timestamp '2024-03-31 02:30'), ('2024-03-31 03:30')) AS w (hour) ON w.hour = s.seen;
SELECT count(*) FROM stays s JOIN (VALUES (timestamp '2024-03-31 02:30'), ('2024-03-31 03:30')) AS w (hour) ON w.hour = s.seen AT TIME ZONE 'UTC';
SET TimeZone = 'Pacific/Apia';  -- which had no 30 December
SELECT count(*) FROM stays s JOIN (VALUES (date '2011-12-30'), ('2011-12-31')) AS w (day) ON w.day = s.seen;
RESET TimeZone;
-- A column has one collation for all its rows.
SELECT w.name, count(*) FROM stays s JOIN (VALUES (1, 'n'), (2, 'N' COLLATE regress_any_case)) AS w (id, name) ON w.id = s.ward GROUP BY w.name;
SELECT w.name, count(*) FROM stays s JOIN (SELECT 1 AS id, 'n' AS name UNION ALL SELECT 2, 'N' COLLATE regress_any_case) AS w ON w.id = s.ward GROUP BY w.name;
-- Of a list beside a table a row finds all rows, or those in a range.
SELECT w.name, count(*) FROM stays s JOIN (VALUES (1, 'north'), (2, 'south')) AS w (id, name) ON w.id < s.ward GROUP BY w.name;
SELECT count(*) FROM stays s, (VALUES (1), (2)) AS w (id);
-- What asks is no list of constants: it is run by itself.
SELECT count(*) FROM stays s JOIN (VALUES (1), ((SELECT 2))) AS w (id) ON w.id = s.ward;
-- Not where a row would find several, or may find none that is somebody's; not what is no constant.
SELECT w.name, count(*) FROM stays s JOIN (VALUES (1, 'north'), (2, 'south'), (1, 'east')) AS w (id, name) ON w.id = s.ward GROUP BY w.name;
SELECT w.name, count(*) FROM (SELECT * FROM stays) s JOIN (VALUES (1, 'north'), (1, 'east')) AS w (id, name) ON w.id = s.ward GROUP BY w.name; -- as a view is
SELECT count(*) FROM stays s JOIN (VALUES ('N'), ('n')) AS w (code) ON w.code = s.code COLLATE regress_any_case;
SELECT count(*) FROM stays s JOIN unnest(ARRAY[1, 1]) AS w (id) ON w.id = s.ward;
SELECT count(*) FROM stays s JOIN (VALUES (1), (random()::int)) AS w (id) ON w.id = s.ward;
-- Values of parameters are no constants: not in the first plans either, which are made for them.
PREPARE of_list(int[]) AS SELECT count(*) FROM stays s JOIN unnest($1) AS w (id) ON w.id = s.ward;
EXECUTE of_list('{1}');
PREPARE of_series(int) AS SELECT count(*) FROM stays s JOIN generate_series(1, $1) AS w (id) ON w.id = s.ward;
EXECUTE of_series(2);
SELECT w.id, count(*) FROM (VALUES (1), (2)) AS w (id) LEFT JOIN stays s ON w.id = s.ward GROUP BY w.id;
SELECT count(CASE WHEN w.id = 1 THEN 1 END) FROM (VALUES (1), (2)) AS w (id) LEFT JOIN stays s ON w.id = s.ward;
SELECT s.code, count(s.id) FROM (VALUES (1), (2)) AS w (id) LEFT JOIN stays s ON w.id = s.ward GROUP BY s.code;
SELECT count(*) FROM stays s WHERE EXISTS (SELECT FROM (VALUES (1), (2)) AS w (id) LEFT JOIN visits v ON v.visit = w.id);
SELECT t.name, count(t.id) FROM (SELECT w.name, s.id FROM (VALUES (1, 'a')) AS w (id, name) LEFT JOIN stays s ON w.id = s.ward) t GROUP BY t.name;
SELECT w.n, count(t.n) FROM (VALUES (15), (99)) AS w (n) LEFT JOIN (SELECT person, count(*) AS n FROM stays s GROUP BY person) t ON w.n = t.n GROUP BY w.n;
SELECT w.n, count(*) FROM (VALUES (15), (99)) AS w (n) LEFT JOIN (SELECT person, count(*) AS n FROM stays s GROUP BY person) t ON w.n = t.n GROUP BY w.n;

-- ---- what stands in the way of ordinary aggregates is said, as it is for private ones
SELECT count(*) FROM stays s, generate_series(1, 2.5) g;
SELECT count(*) FROM stays s JOIN (SELECT id FROM wards LIMIT 1) w ON true;
SELECT count(*) FROM stays s FULL JOIN wards w ON w.id = s.ward;
SELECT count(*) FROM plain s, generate_series(1, 2) g;

RESET ROLE;
RESET search_path;
DROP SCHEMA plain_joins CASCADE;
DROP ROLE regress_plain_joins_ana;
