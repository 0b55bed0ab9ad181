-- Subqueries about one person that are joined: the first of its rows as a value, LATERAL ones that compute, EXISTS and IN over windows, as
-- Django, Rails and analysts write them. Beside the owner's answers; epsilon 1e6 makes the noise vanish.
SET client_min_messages = error;
CALL own_schema('unit_asked_people');
CREATE ROLE regress_asked_people_ana;
CREATE TABLE wards (id int PRIMARY KEY, name text NOT NULL);
INSERT INTO wards VALUES (1, 'North'), (2, 'South'), (3, 'East'), (4, 'West');
CREATE TABLE person (id int PRIMARY KEY, born int NOT NULL, sex text NOT NULL CHECK (sex IN ('f', 'm')));
INSERT INTO person SELECT i, 1930 + i % 80, (ARRAY['f', 'm'])[1 + i % 2] FROM generate_series(1, 100) i;
CREATE TABLE stay (id int PRIMARY KEY, person int NOT NULL REFERENCES person, ward int NOT NULL REFERENCES wards, day date NOT NULL, cost int);
INSERT INTO stay SELECT i, 1 + i * i % 89, 1 + i % 4, '2024-01-01'::date + i * 7 % 300, nullif(i % 90, 7) FROM generate_series(1, 300) i;
SELECT dp.protect('person', 1e9, 0, privacy_unit => 'id', answer_epsilon => 1e6), dp.protect('stay', 1e9, 0, privacy_unit => 'person', max_rows_per_unit => 50, answer_epsilon => 1e6);
SELECT dp.declare_range('person', 'born', 1000, 2024), dp.declare_range('stay', 'cost', 0, 100), dp.declare_range('stay', 'day', '2024-01-01'::date, '2024-12-31'::date);
SELECT dp.grant_budget(t, 'regress_asked_people_ana', 1e9, 0, allow_leaks => true) FROM unnest('{person,stay}'::regclass[]) t;
GRANT SELECT ON wards TO regress_asked_people_ana;
-- How many rows there are, those that the role lacks, and those that it has more, but for empty groups.
CREATE FUNCTION compared(query text) RETURNS TABLE (shown bigint, missing bigint, more bigint) LANGUAGE plpgsql AS $$
DECLARE answer text[]; plain text[];
BEGIN
    SET LOCAL ROLE regress_asked_people_ana;
    EXECUTE format('SELECT array_agg(q::text) FROM (%s) q', query) INTO answer;
    RESET ROLE;
    EXECUTE format('SELECT array_agg(q::text) FROM (%s) q', query) INTO plain;
    RETURN QUERY SELECT cardinality(plain)::bigint, (SELECT count(*) FROM unnest(plain) p WHERE p <> ALL (answer)),
        (SELECT count(*) FROM unnest(answer) a WHERE a <> ALL (plain) AND a !~ ',0\)$');
END $$;

-- ---- the first row as a value
SELECT * FROM compared('SELECT sex, count(*) FROM person p WHERE (SELECT s.ward FROM stay s WHERE s.person = p.id ORDER BY s.day DESC, s.id LIMIT 1) = 2 GROUP BY 1');
SELECT * FROM compared('SELECT (SELECT s.ward FROM stay s WHERE s.person = p.id ORDER BY s.day, s.id LIMIT 1), count(*) FROM person p GROUP BY 1');
SELECT * FROM compared('SELECT sex, round(avg((SELECT s.cost FROM stay s WHERE s.person = p.id ORDER BY s.day, s.id LIMIT 1)), 2) FROM person p GROUP BY 1');
SELECT * FROM compared('SELECT sex, count(*) FILTER (WHERE (SELECT s.cost FROM stay s WHERE s.person = p.id AND s.ward > 2 ORDER BY s.day, s.id LIMIT 1) > 30) FROM person p GROUP BY 1');
SELECT * FROM compared('WITH q AS (SELECT p.*, (SELECT s.ward FROM stay s WHERE s.person = p.id ORDER BY s.day, s.id LIMIT 1) AS first FROM person p) SELECT first, count(*) FROM q WHERE sex = ''f'' GROUP BY 1');

-- ---- LATERAL that computes: a count is 0 where there are no rows, by whatever join
SELECT * FROM compared('SELECT sex, round(avg(x.n), 2), count(x.n) FROM person p, LATERAL (SELECT count(*) AS n FROM stay s WHERE s.person = p.id) x GROUP BY 1');
SELECT * FROM compared('SELECT sex, round(avg(x.n), 2), round(avg(x.spent), 2), count(*) FROM person p LEFT JOIN LATERAL (SELECT count(*) AS n, sum(cost) AS spent FROM stay s WHERE s.person = p.id AND s.ward = 1) x ON true GROUP BY 1');
SELECT * FROM compared('SELECT sex, count(*) FROM person p JOIN LATERAL (SELECT count(*) AS n FROM stay s WHERE s.person = p.id AND s.ward = 1) x ON x.n < 2 WHERE born < 2000 GROUP BY 1');
SELECT * FROM compared('SELECT least(x.n, 4), count(*) FROM person p CROSS JOIN LATERAL (SELECT count(*) AS n FROM stay s WHERE s.person = p.id) x GROUP BY 1');
SELECT * FROM compared('SELECT x.late, count(*) FROM person p, LATERAL (SELECT max(day) > ''2024-06-01'' AS late FROM stay s WHERE s.person = p.id) x GROUP BY 1');
SELECT * FROM compared('SELECT count(*) FROM person p, LATERAL (SELECT 2 * count(*) + 1 AS n, coalesce(sum(cost), -1) AS spent FROM stay s WHERE s.person = p.id AND ward = 2) x WHERE x.n < 4 AND x.spent < 50');
SELECT * FROM compared('SELECT sex, round(avg(x.n), 2), round(avg(y.n), 2), count(*) FROM person p, LATERAL (SELECT count(*) AS n FROM stay s WHERE s.person = p.id AND ward = 1) x, LATERAL (SELECT count(*) AS n FROM stay s WHERE s.person = p.id AND ward = 2) y WHERE x.n >= y.n GROUP BY 1');
-- as a key, and grouped by what is compared: NULL where there are no rows
SELECT * FROM compared('SELECT least((SELECT count(*) FROM stay s WHERE s.person = p.id), 4), count(*) FROM person p GROUP BY 1');
SELECT * FROM compared('SELECT CASE WHEN (SELECT count(*) FROM stay s WHERE s.person = p.id) > 3 THEN ''often'' ELSE ''rare'' END AS k, sex, count(*) FROM person p GROUP BY 1, 2');
SELECT * FROM compared('SELECT sex, round(avg(n), 2), count(n) FROM (SELECT p.id, sex, (SELECT count(*) AS n FROM stay s WHERE s.person = p.id AND ward = 2 GROUP BY s.person) AS n FROM person p) q GROUP BY 1');
SELECT * FROM compared('SELECT count(*) FROM person p WHERE (SELECT sum(s.cost) AS total FROM stay s WHERE s.person = p.id GROUP BY s.person) > 100');

-- ---- EXISTS and IN over windows, and over groups
SELECT * FROM compared('SELECT sex, count(*) FROM person p WHERE EXISTS (SELECT FROM (SELECT person, ward, row_number() OVER (PARTITION BY person ORDER BY day, id) AS nth FROM stay) x WHERE x.person = p.id AND nth = 1 AND ward = 2) GROUP BY 1');
SELECT * FROM compared('SELECT sex, count(*) FROM person p WHERE NOT EXISTS (SELECT 1 FROM (SELECT person, ward, row_number() OVER (PARTITION BY person ORDER BY day, id) AS nth FROM stay) x WHERE x.person = p.id AND nth = 1 AND ward = 2) GROUP BY 1');
SELECT * FROM compared('SELECT count(*) FROM person WHERE id IN (SELECT person FROM (SELECT person, day - lag(day) OVER (PARTITION BY person ORDER BY day) AS gap FROM stay) x WHERE gap < 20)');
SELECT * FROM compared('SELECT count(*) FROM person WHERE id NOT IN (SELECT person FROM (SELECT person, day - lag(day) OVER (PARTITION BY person ORDER BY day) AS gap FROM stay) x WHERE gap < 20)');
SELECT * FROM compared('WITH gaps AS (SELECT person, day - lag(day) OVER (PARTITION BY person ORDER BY day) AS gap FROM stay) SELECT count(*) FROM person p WHERE EXISTS (SELECT FROM gaps g WHERE g.person = p.id AND gap < 20)');
SELECT * FROM compared('SELECT ward, count(*) FROM stay WHERE person IN (SELECT person FROM (SELECT person, count(*) AS n FROM stay GROUP BY 1) x WHERE n > 5) GROUP BY 1');
SELECT * FROM compared('SELECT EXISTS (SELECT FROM (SELECT person, rank() OVER (PARTITION BY person ORDER BY day) AS nth FROM stay WHERE cost > 40) x WHERE x.person = p.id AND nth = 2), count(*) FROM person p GROUP BY 1');

-- ---- answers for each public row
SELECT * FROM compared('SELECT w.name, x.n FROM wards w, LATERAL (SELECT count(*) AS n FROM stay s WHERE s.ward = w.id AND s.cost > 50) x');
SELECT * FROM compared('SELECT w.name, x.n, 100 * x.n / x.total FROM wards w LEFT JOIN LATERAL (SELECT count(*) FILTER (WHERE s.cost > 50) AS n, count(*) AS total FROM stay s WHERE s.ward = w.id) x ON true WHERE w.id < 4');

-- ---- keys that are made of what is computed of each person: what the subquery says itself, differences, ages, cohorts
SELECT * FROM compared('SELECT n, count(*) FROM (SELECT person, count(*) AS n FROM stay GROUP BY 1 HAVING count(*) BETWEEN 6 AND 8) q GROUP BY 1');
SELECT * FROM compared('SELECT n, count(*) FROM (SELECT person, count(*) AS n FROM stay GROUP BY 1 HAVING count(*) IN (3, 7)) q GROUP BY 1');
SELECT * FROM compared('SELECT n * 10, count(*) FROM (SELECT person, count(*) AS n FROM stay GROUP BY 1) q WHERE n IN (3, 7) GROUP BY 1');
SELECT * FROM compared('SELECT w, count(*) FROM (SELECT person, max(name) AS w FROM stay s JOIN wards w ON w.id = s.ward WHERE name IN (''North'', ''South'') GROUP BY 1) q GROUP BY 1');
SELECT * FROM compared('SELECT w, count(*) FROM (SELECT person, min(name) FILTER (WHERE cost > 80) AS w FROM stay s JOIN wards w ON w.id = s.ward WHERE name = ANY (''{North,South}'') GROUP BY 1) q GROUP BY 1');
SELECT * FROM compared('SELECT (last - first) / 30, count(*) FROM (SELECT person, min(day) AS first, max(day) AS last FROM stay GROUP BY 1) q GROUP BY 1');
SELECT * FROM compared('SELECT extract(year FROM s.day) - p.born, count(*) FROM stay s JOIN person p ON p.id = s.person GROUP BY 1 HAVING count(*) > 0');
SELECT * FROM compared('SELECT floor((date_part(''year'', s.day) - p.born) / 10) * 10, count(*) FROM stay s JOIN person p ON p.id = s.person GROUP BY 1');
SELECT * FROM compared('SELECT date_trunc(''month'', f.first) AS cohort, (extract(year FROM s.day) - extract(year FROM f.first)) * 12 + extract(month FROM s.day) - extract(month FROM f.first) AS k, count(*) FROM stay s JOIN (SELECT person, min(day) AS first FROM stay GROUP BY 1) f ON f.person = s.person GROUP BY 1, 2 HAVING count(*) > 0');
-- of what windows look at, beside the row's own columns
SELECT * FROM compared('SELECT gap / 30, count(*) FROM (SELECT day - lag(day) OVER (PARTITION BY person ORDER BY day) AS gap FROM stay) q WHERE gap < 300 GROUP BY 1');
SELECT * FROM compared('SELECT date_trunc(''month'', first), date_trunc(''month'', day), count(*) FROM (SELECT day, min(day) OVER (PARTITION BY person) AS first FROM stay) q GROUP BY 1, 2 HAVING count(*) > 0');
SELECT * FROM compared('SELECT (day - first) / 50, cost > 30, count(*) FROM (SELECT day, cost, min(day) OVER (PARTITION BY person) AS first FROM stay) q GROUP BY 1, 2');
SELECT * FROM compared('SELECT cost / 25 + nth, count(*) FROM (SELECT cost, row_number() OVER (PARTITION BY person ORDER BY cost DESC NULLS FIRST, id) AS nth FROM stay) q WHERE nth <= 2 GROUP BY 1');
-- How many groups there are.
SET ROLE regress_asked_people_ana;
-- 2024.0 - 1950 is written with its digit.
SELECT (extract(year FROM s.day) * 1.0 - p.born)::text, count(*) FROM stay s JOIN person p ON p.id = s.person GROUP BY 1 HAVING count(*) > 0 ORDER BY 1 LIMIT 3;
SELECT count(*) FROM (SELECT n, count(*) FROM (SELECT person, count(*) AS n FROM stay GROUP BY 1 HAVING count(*) BETWEEN 6 AND 8) q GROUP BY 1) q;
SELECT min(k), max(k) FROM (SELECT (last - first) / 30 AS k, count(*) FROM (SELECT person, min(day) AS first, max(day) AS last FROM stay GROUP BY 1) q GROUP BY 1) q;
RESET ROLE;

-- Whose rows are not told to be of one person is refused, by the first row of others, what others computed, and windows of others.
SET ROLE regress_asked_people_ana;
SELECT count(*) FROM person p WHERE (SELECT s.ward FROM stay s WHERE s.ward = p.born ORDER BY s.day LIMIT 1) = 2;
SELECT count(*) FROM person p, LATERAL (SELECT count(*) AS n FROM stay s WHERE s.ward = p.born) x WHERE x.n > 3;
SELECT count(*) FROM person p, LATERAL (SELECT count(*) AS n FROM stay s WHERE s.person > p.id) x WHERE x.n > 3;
SELECT count(*) FROM person p WHERE EXISTS (SELECT FROM (SELECT person, row_number() OVER (PARTITION BY ward ORDER BY day) AS nth FROM stay) x WHERE x.person = p.id AND nth = 1);
SELECT count(*) FROM person p WHERE EXISTS (SELECT FROM (SELECT person, ward, row_number() OVER (PARTITION BY person ORDER BY day) AS nth FROM stay) x WHERE x.ward = p.born AND nth = 1);
-- What compares with answers by another key is no such subquery: it is left as it is, for private calls, too, where nobody reads it.
SELECT dp_count('*', 1e6) FROM (SELECT s.cost IN (SELECT q.n FROM (SELECT ward, count(*) AS n FROM stay GROUP BY ward) q) AS c FROM stay s) x;
SELECT dp_count('*', 1e6) FROM (SELECT p.person IN (SELECT q.n FROM (SELECT ward, dp_count('*', 1e6) AS n FROM stay GROUP BY ward) q) AS c FROM (SELECT DISTINCT person FROM stay) p) x;
-- What is in a CTE that nobody reads does not matter, nor is it shown.
WITH unread AS (SELECT count(*) FROM person p CROSS JOIN (SELECT ward, dp_count('*', 1e6) AS n FROM stay GROUP BY ward) t) SELECT count(*) FROM person;
SELECT dp.private_form('WITH unread AS (SELECT count(*) FROM person p CROSS JOIN (SELECT ward, count(*) AS n FROM stay GROUP BY ward) t) SELECT count(*) FROM person');
RESET ROLE;
SELECT count(*), count(DISTINCT person) FROM stay;

SELECT dp.unprotect('stay'), dp.unprotect('person');
DROP TABLE stay, person, wards;
DROP FUNCTION compared;
DROP ROLE regress_asked_people_ana;
