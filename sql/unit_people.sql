-- Questions about people: below private aggregates a subquery groups the rows by the privacy unit and computes with PostgreSQL's own
-- aggregates what is asked of each person. epsilon 1e6 makes the noise vanish.
CALL own_schema('unit_people');
SET client_min_messages = error;
CREATE ROLE regress_people_ana;
CREATE TABLE wards (ward text PRIMARY KEY);
INSERT INTO wards VALUES ('a'), ('b'), ('c');
CREATE TABLE people (id int PRIMARY KEY, female boolean NOT NULL);
INSERT INTO people SELECT p, p % 2 = 0 FROM generate_series(1, 700) p;
-- Person p has p % 7 visits; fifty are of nobody.
CREATE TABLE visits (id int PRIMARY KEY, person int REFERENCES people, ward text NOT NULL REFERENCES wards, cost float8, price numeric, day date);
INSERT INTO visits SELECT 10 * p + v, p, chr(97 + v % 3), v * 10, v, date '2024-01-01' + v FROM generate_series(1, 700) p, generate_series(1, p % 7) v;
INSERT INTO visits SELECT -v, NULL, 'a', 1, 1, '2024-01-01' FROM generate_series(1, 50) v;
-- Two drugs at each visit, whose persons are found through it.
CREATE TABLE drugs (visit int NOT NULL REFERENCES visits, dose int NOT NULL);
INSERT INTO drugs SELECT id, d FROM visits, generate_series(1, 2) d;
ANALYZE people, visits, drugs;
GRANT SELECT ON wards TO regress_people_ana;
SELECT dp.protect('people', 1e9, 0.5, privacy_unit => 'id', answer_epsilon => 1e6, group_epsilon => 1e6, group_delta => 1e-6);
SELECT dp.protect('visits', 1e9, 0.5, privacy_unit => 'person', max_rows_per_unit => 3, answer_epsilon => 1e6, group_epsilon => 1e6, group_delta => 1e-6);
SELECT dp.protect('drugs', 1e9, 0.5, privacy_unit => 'visit.person', max_rows_per_unit => 3, answer_epsilon => 1e6);
SELECT dp.grant_budget(t, 'regress_people_ana', 1e9, 0.5, allow_leaks => true) FROM unnest('{people,visits,drugs}'::regclass[]) t;
CREATE TEMP TABLE truth AS SELECT person, count(*) AS n, sum(cost) AS spent FROM visits WHERE person IS NOT NULL GROUP BY person;
SELECT count(*) AS people, count(*) FILTER (WHERE n > 3) AS often, avg(spent) FROM truth;

SET ROLE regress_people_ana;
-- ---- one row of each person: nothing is limited, and the noise is that of one row
SELECT dp_count('*', 1e6) AS often FROM (SELECT person, count(*) AS n, sum(cost) AS spent FROM visits GROUP BY person) AS p WHERE n > 3;
SELECT dp_avg(spent, 0, 1000, 1e6)::numeric(10, 2) FROM (SELECT person, sum(cost) AS spent FROM visits GROUP BY person) AS p;
SELECT plan_of($$SELECT dp_count('*', 0.5) FROM (SELECT person, count(*) AS n FROM visits GROUP BY person) AS p WHERE n > 3$$);
SELECT relation, epsilon FROM dp.cost($$SELECT dp_count('*', 0.5) FROM (SELECT person, count(*) AS n FROM visits GROUP BY person) AS p$$);
SELECT dp_sum(n, 0, 100, 1e6), dp_count(DISTINCT person, 1e6), dp_median(n, 0, 10, 1e6) IS NOT NULL AS median
FROM (SELECT person, count(*) AS n FROM visits GROUP BY person HAVING sum(price) > 5 AND min(day) < '2024-06-01') AS p;
-- In ordinary SQL: the inner count is no answer.
SELECT count(*) AS often FROM (SELECT person, count(*) AS n FROM visits GROUP BY person) AS p WHERE n > 3;
SELECT n, count(*) FROM (SELECT person, count(*) AS n FROM visits GROUP BY person) AS p GROUP BY n ORDER BY n;
SELECT sum(n) FROM (SELECT person, count(*) AS n FROM visits GROUP BY person) AS p WHERE n BETWEEN 0 AND 10;
-- The ends of what may be asked are no answer: nothing is read.
SELECT min(n), max(n) FROM (SELECT person, count(*) AS n FROM visits GROUP BY person) AS p WHERE n BETWEEN 0 AND 10;
SELECT max(n) FROM (SELECT person, count(*) AS n FROM (WITH v AS (SELECT * FROM visits) SELECT * FROM v) AS w GROUP BY person) AS p WHERE n BETWEEN 0 AND 10;
SELECT relation, epsilon FROM dp.cost('SELECT n, count(*) FROM (SELECT person, count(*) AS n FROM visits GROUP BY person) AS p GROUP BY n');
WITH p AS (SELECT people.id, count(cost) AS n, bool_or(cost > 40) AS dear, max(day) AS last, avg(price) / count(*) AS mean
    FROM people LEFT JOIN visits ON person = people.id GROUP BY people.id)
SELECT dear, count(*), count(last) AS with_visits, count(mean) FROM p GROUP BY dear;
SELECT female, dp_count('*', 1e6) FROM (SELECT female, p.id, sum(price) AS total FROM people p JOIN visits v ON p.id = v.person WHERE ward <> 'c' GROUP BY p.id, female) AS p
WHERE total > 3 GROUP BY female;
-- Through a path, by the unit where it leads to.
SELECT dp_count('*', 1e6) AS much FROM (SELECT person, sum(dose) AS doses FROM drugs JOIN visits ON visit = id GROUP BY person) AS p WHERE doses >= 15;
SELECT count(*) AS pairs, m FROM (SELECT a.person, count(*) AS m FROM visits a JOIN visits b USING (person) GROUP BY 1) p GROUP BY 2 ORDER BY 2;
-- With parameters, and through a view and choices of rows and columns.
PREPARE q (int) AS SELECT dp_count('*', 1e6) FROM (SELECT p.n AS visits FROM (SELECT person, count(*) AS n FROM visits WHERE cost < $1 GROUP BY person HAVING count(*) > $1 / 100) AS p WHERE n < $1) s;
EXECUTE q (35);
SET plan_cache_mode = force_generic_plan;
EXECUTE q (35);
RESET plan_cache_mode;

-- ---- several rows of each person, limited as the table's are
SELECT dp_count('*', 1e6) AS three_of_each FROM (SELECT person, day, count(*) AS n FROM visits GROUP BY person, day) AS p;
SELECT dp_count('*', 1e6) AS wards FROM (SELECT DISTINCT person, ward FROM visits) AS p;
SELECT plan_of($$SELECT ward, dp_count('*', 0.5) FROM (SELECT DISTINCT person, ward FROM visits) AS p GROUP BY ward$$);
SELECT ward, count(*) FROM (SELECT person, ward, count(*) AS n FROM visits GROUP BY person, ward) AS p WHERE n > 1 GROUP BY ward ORDER BY 1;
-- A computed key has the groups that follow from what is declared of its columns, also those without rows; where a left join may
-- miss the person they are chosen, and NULL is one of them.
RESET ROLE;
SELECT dp.declare_range('visits', 'day', '2024-01-01', '2024-01-07');
SET ROLE regress_people_ana;
SELECT d, dp_count('*', 1e6) > 0.5 AS some FROM (SELECT person, to_char(day, 'DD') AS d FROM visits GROUP BY 1, 2) AS p GROUP BY d ORDER BY d;
SELECT female, d, dp_count('*', 1e6) > 0.5 AS some FROM people JOIN (SELECT DISTINCT person, to_char(day, 'DD') AS d FROM visits) AS v ON v.person = id
GROUP BY female, d ORDER BY d, female LIMIT 3;
SELECT d, dp_count('*', 1e6) > 0.5 AS some FROM people LEFT JOIN (SELECT DISTINCT person, to_char(day, 'DD') AS d FROM visits) AS v ON v.person = id GROUP BY d ORDER BY d;
-- A count is never negative: one end lists its values. A sum may be.
SELECT n, count(*) FROM (SELECT p.id, count(v.id) AS n FROM people p LEFT JOIN visits v ON v.person = p.id GROUP BY p.id) AS x WHERE n < 8 GROUP BY n ORDER BY n;
SELECT n, count(*) FROM people JOIN (SELECT person, count(*) AS n FROM visits GROUP BY person) AS x ON x.person = id WHERE n <= 2 GROUP BY n ORDER BY n;
SELECT n, count(*) FROM (SELECT person, sum(-1) AS n FROM visits GROUP BY person) AS x WHERE n < 2 GROUP BY n ORDER BY n;
-- Distinct wards of the person, and sums that would overflow.
SELECT dp_count('*', 1e6) AS of_all_wards FROM (SELECT person, count(DISTINCT ward) AS n FROM visits GROUP BY person) AS p WHERE n = 3;
RESET ROLE;
UPDATE visits SET cost = 1e308, price = 1e131071::numeric WHERE person = 6;
SET ROLE regress_people_ana;
SELECT dp_count('*', 1e6) AS one FROM (SELECT person, sum(cost) AS s, avg(cost) AS a, sum(price) AS p, avg(price) FROM visits GROUP BY person) AS p
WHERE s > 1e100 AND a > 1e100 AND p > 1e99;

-- ---- HAVING, and WHERE behind it, ask subqueries: of the same person's rows, of public tables; answers
RESET ROLE;
UPDATE visits SET cost = 60, price = 6 WHERE person = 6;
CREATE TABLE budgets (ward text PRIMARY KEY, spent numeric NOT NULL);
INSERT INTO budgets VALUES ('a', 40), ('b', 90), ('c', 20);
GRANT SELECT ON budgets TO regress_people_ana;
-- Asked by her, and where nobody's rows are left out.
CREATE FUNCTION of_people(queries text[]) RETURNS TABLE (query text, private text, same text) LANGUAGE plpgsql AS $$
DECLARE plain text;
BEGIN
    FOREACH query IN ARRAY queries LOOP
        BEGIN
            SET LOCAL ROLE regress_people_ana;
            EXECUTE format('SELECT count(*) FROM (%s) p', query) INTO private;
            RESET ROLE;
            EXECUTE regexp_replace(format('SELECT count(*) FROM (%s) p', query), '\mvisits\M', '(SELECT * FROM visits WHERE person IS NOT NULL)', 'g') INTO plain;
            same := CASE WHEN private = plain THEN 'same' ELSE 'plain ' || plain END;
        EXCEPTION WHEN OTHERS THEN
            RESET ROLE;
            private := SQLSTATE;
            same := regexp_replace(SQLERRM, '[.:] .*', '');
        END;
        RETURN NEXT;
    END LOOP;
END $$;
SELECT * FROM of_people(ARRAY[
    'SELECT id FROM people GROUP BY id HAVING id IN (SELECT person FROM visits v WHERE cost > 40)',
    'SELECT id FROM people GROUP BY id HAVING id NOT IN (SELECT person FROM visits v WHERE ward = ''a'')',
    'SELECT person FROM visits v GROUP BY person HAVING sum(cost) > (SELECT 4 * sum(dose) FROM drugs JOIN visits w ON w.id = visit WHERE w.person = v.person)',
    'SELECT person FROM visits v GROUP BY person HAVING count(*) > 3 AND NOT EXISTS (SELECT FROM people o WHERE o.id = v.person AND female)',
    'SELECT person FROM visits v GROUP BY person HAVING sum(price) > (SELECT avg(spent) / 5 FROM budgets)',
    'SELECT person FROM visits v GROUP BY person HAVING sum(cost) > (SELECT count(*) / 10 FROM people)',
    'SELECT person, ward FROM visits v GROUP BY person, ward HAVING sum(cost) > (SELECT spent FROM budgets WHERE budgets.ward = v.ward) AND person < 21',
    'SELECT q.person FROM (SELECT person, sum(cost) AS spent FROM visits v GROUP BY person) AS q WHERE spent > (SELECT 4 * sum(dose) FROM drugs JOIN visits w ON w.id = visit WHERE w.person = q.person)',
    'SELECT q.person FROM (SELECT person, count(*) AS n FROM visits v GROUP BY person) AS q WHERE n IN (SELECT spent / 10 FROM budgets) OR NOT EXISTS (SELECT FROM people o WHERE o.id = q.person AND female)',
    'SELECT q.person FROM (SELECT DISTINCT person FROM visits v) AS q WHERE person IN (SELECT id FROM people WHERE female)',
    'SELECT id FROM (SELECT p.id, v.person FROM people p LEFT JOIN visits v ON p.id = v.person GROUP BY 1, 2) q WHERE person NOT IN (SELECT person FROM visits v WHERE ward = ''a'')',
    -- What couples two people, and what is computed of a person within the subquery.
    'SELECT person FROM visits v GROUP BY person HAVING count(*) > 3 OR EXISTS (SELECT FROM visits o WHERE o.id = 21)',
    'SELECT person FROM visits v GROUP BY person HAVING max(person) IN (SELECT id FROM people)',
    'SELECT person, ward FROM visits v GROUP BY person, ward HAVING EXISTS (SELECT FROM visits o WHERE o.ward = v.ward AND o.cost > 40)',
    'SELECT q.n FROM (SELECT person, count(*) AS n FROM visits v GROUP BY person) AS q WHERE EXISTS (SELECT FROM visits o WHERE o.person = q.n)',
    'SELECT person FROM visits v GROUP BY person HAVING EXISTS (SELECT FROM budgets WHERE spent < sum(v.cost))',
    'SELECT person FROM visits v GROUP BY person HAVING EXISTS (SELECT FROM budgets b WHERE EXISTS (SELECT FROM budgets c WHERE c.spent < b.spent - count(v.cost)))',
    'SELECT person FROM visits v GROUP BY person HAVING string_agg(ward, '''') = (SELECT max(ward) FROM budgets)']);
SET ROLE regress_people_ana;
SELECT relation, epsilon FROM dp.cost($$SELECT count(*) FROM (SELECT person FROM visits v GROUP BY person HAVING person IN (SELECT id FROM people)) p$$) ORDER BY 1;

-- Who may not read a view may not ask it.
RESET ROLE;
CREATE VIEW each_person AS SELECT person, count(*) AS n FROM visits GROUP BY person;
CREATE VIEW each_of_invoker WITH (security_invoker) AS SELECT person, count(*) AS n FROM visits GROUP BY person;
GRANT SELECT ON each_of_invoker TO regress_people_ana;
SET ROLE regress_people_ana;
SELECT dp_count('*', 1e6) FROM each_person WHERE n > 3;
SELECT dp_count('*', 1e6) AS often FROM each_of_invoker WHERE n > 3;
RESET ROLE;
GRANT SELECT ON each_person TO regress_people_ana;
SET ROLE regress_people_ana;
SELECT dp_count('*', 1e6) AS often FROM each_person WHERE n > 3;

-- ---- answers as before: private aggregates in the subquery, or other groups
SELECT plan_of('SELECT avg(n) FROM (SELECT ward, count(*) AS n FROM visits GROUP BY ward) AS w');
SELECT count(*) > 0 AS answered FROM (SELECT person, dp_count('*', 1e6) AS n FROM visits GROUP BY person) AS p;
-- (groups of one person each: refused, as none would be shown) and so is what is shown for them, which would ask about people without the calls that nobody reads
SELECT dp.private_form($$SELECT count(*) > 0 AS answered FROM (SELECT person, dp_count('*', 1e6) AS n FROM visits GROUP BY person) AS p$$);

-- ---- refused
SELECT dp_count('*', 1) FROM (SELECT person, count(*) AS n FROM visits GROUP BY person) AS p JOIN wards ON true;
SELECT dp_count('*', 1) FROM (SELECT person, string_agg(ward, ',') AS n FROM visits GROUP BY person) AS p;
SELECT dp_count('*', 1) FROM (SELECT person, stddev(cost) AS n FROM visits GROUP BY person) AS p;
SELECT dp_count('*', 1) FROM (SELECT person, random() > 0.5 AS x FROM visits GROUP BY person) AS p;
SELECT dp_count('*', 1) FROM (SELECT a.person, count(*) FROM visits a, visits b GROUP BY a.person) AS p;
SELECT sum(n) FROM (SELECT person, count(*) AS n FROM visits GROUP BY person) AS p;
SELECT avg(n) FROM (SELECT person, count(*) AS n FROM visits GROUP BY person) AS p;
SELECT n, count(*) FROM (SELECT person, count(*) AS n FROM drugs JOIN visits ON visit = id GROUP BY person) AS p GROUP BY n;
SELECT t, count(*) FROM (SELECT person, min(ward) AS t FROM drugs JOIN visits ON visit = id GROUP BY person) AS p GROUP BY t;
SELECT count(*) FROM (SELECT person, count(*) AS n FROM drugs JOIN visits ON visit = id GROUP BY person LIMIT 5) AS p;
SELECT count(*) FROM (SELECT person, row_number() OVER (PARTITION BY person ORDER BY day) AS place FROM visits) AS p WHERE place = 1;
SELECT count(*) FROM (SELECT DISTINCT ON (person) person, ward FROM visits ORDER BY person, day) AS p;
SELECT count(*) FROM (SELECT person FROM visits LIMIT 5) AS p;
SELECT count(*) FROM visits v WHERE day = (SELECT min(day) FROM visits o WHERE o.person = v.person);
RESET ROLE;
-- Who reads the table is told the same, and gets exact answers of ordinary aggregates alone.
SELECT dp_count('*', 1e6) AS often FROM (SELECT person, count(*) AS n FROM visits GROUP BY person) AS p WHERE n > 3;
SELECT count(*) AS exact FROM (SELECT person, count(*) AS n FROM visits GROUP BY person) AS p;
SELECT dp_count('*', 1) FROM (SELECT person + 0, count(*) AS n FROM visits GROUP BY 1) AS p;
SELECT dp_count('*', 1) FROM (SELECT ward, count(*) AS n FROM visits GROUP BY 1) AS p;
SELECT dp_count('*', 1) FROM (SELECT person, count(*) AS n FROM visits GROUP BY GROUPING SETS ((person), ())) AS p;
SELECT dp_count('*', 1) FROM (SELECT person, count(*) AS n FROM visits GROUP BY person LIMIT 5) AS p;
SELECT dp_count('*', 1) FROM (SELECT person, count(*) AS n, row_number() OVER () FROM visits GROUP BY person) AS p;
SELECT dp_count('*', 1e6) FROM (SELECT DISTINCT ON (person) person, ward FROM visits) AS p;
SELECT dp_count('*', 1) FROM (SELECT DISTINCT count(*) FROM visits GROUP BY person) AS p;
SELECT dp_count('*', 1) FROM (SELECT v.person, count(*) FROM people LEFT JOIN visits v ON v.person = people.id GROUP BY v.person) AS p;

DEALLOCATE ALL;
SELECT dp.unprotect(t) FROM unnest('{people,visits,drugs}'::regclass[]) t;
DROP VIEW each_person, each_of_invoker;
DROP FUNCTION of_people;
DROP TABLE drugs, visits, people, wards, budgets, truth;
DROP OWNED BY regress_people_ana;
DROP ROLE regress_people_ana;
