-- Questions that stand, or read, where taking a statement apart once lost its way.
SET client_min_messages = warning;
\set VERBOSITY terse
\set SHOW_CONTEXT never
CALL own_schema('taken_apart');
CREATE ROLE regress_apart_ana;
CREATE TABLE patient (id int PRIMARY KEY, ward int CHECK (ward BETWEEN 0 AND 3));
INSERT INTO patient SELECT i, i % 4 FROM generate_series(1, 40) AS i;
CREATE TABLE visit (patient_id int NOT NULL, ward_id int CHECK (ward_id BETWEEN 0 AND 3), id int PRIMARY KEY);
INSERT INTO visit SELECT 1 + i % 40, i % 4, i FROM generate_series(1, 240) AS i;
CREATE TABLE plain AS SELECT * FROM patient;
CREATE VIEW late WITH (security_invoker) AS SELECT * FROM visit WHERE id > 5;
CREATE VIEW owned AS SELECT * FROM visit WHERE id > 5;
GRANT SELECT ON plain, late, owned TO regress_apart_ana;
SELECT dp.protect('patient', 1e9, privacy_unit => 'id'), dp.grant_budget('patient', 'regress_apart_ana', 1e9, allow_leaks => true);
SELECT dp.protect('visit', 1e9, 1e-3, privacy_unit => 'patient_id', max_rows_per_unit => 40, group_epsilon => 1, group_delta => 1e-9),
    dp.grant_budget('visit', 'regress_apart_ana', 1e9, 1e-3, allow_leaks => true);
SET ROLE regress_apart_ana;
SET dp.epsilon = 1e6;

-- A question that depends on the row of a recursion, in whatever way it is asked.
CREATE FUNCTION pg_temp.recursive(question text) RETURNS text LANGUAGE sql AS
    $$ SELECT 'WITH RECURSIVE r(n, c) AS (SELECT 1, 0::bigint UNION ALL ' || question || ') SELECT * FROM r' $$;
CREATE TABLE pg_temp.asked AS SELECT row_number() OVER () AS number, pg_temp.recursive(q) AS question FROM unnest(ARRAY[
    'SELECT n + 1, (SELECT count(*) FROM patient WHERE id = n) FROM r WHERE n < 4',
    'SELECT r.n + 1, x.n FROM r, LATERAL (SELECT count(*) AS n FROM patient WHERE id = r.n) AS x WHERE r.n < 4',
    'SELECT r.n + 1, x.n FROM r LEFT JOIN LATERAL (SELECT count(*) AS n FROM visit AS v WHERE v.ward_id = r.n) AS x ON true WHERE r.n < 4',
    'SELECT n + 1, c FROM r WHERE n < (SELECT count(*) FROM patient WHERE id < r.n)',
    'SELECT n + 1, c FROM r WHERE n IN (SELECT count(*) FROM visit GROUP BY ward_id)',
    'SELECT x.n::int, 1 FROM (SELECT count(*) AS n FROM visit AS v JOIN (SELECT DISTINCT n FROM r) AS y ON y.n = v.ward_id) AS x WHERE x.n < 30',
    'SELECT n + 1, (SELECT dp_count(''*'', 1) FROM plain WHERE id = n) FROM r WHERE n < 4']) AS q;
DO $$
DECLARE
    one record;
    form text;
BEGIN
    FOR one IN SELECT * FROM pg_temp.asked ORDER BY number LOOP
        FOREACH form IN ARRAY ARRAY['%s', 'EXPLAIN %s', 'SELECT dp.cost(%L)', 'SELECT dp.private_form(%L)', 'DECLARE c CURSOR FOR %s'] LOOP
            BEGIN
                EXECUTE format(form, one.question);
                RAISE WARNING '% %: answered', one.number, form;
            EXCEPTION WHEN OTHERS THEN
                RAISE WARNING '% %: % %', one.number, form, SQLSTATE, left(SQLERRM, 80);
            END;
        END LOOP;
    END LOOP;
END
$$;
-- Those that do not, and recursions beside questions.
WITH RECURSIVE r(n, c) AS (SELECT 1, 0::bigint UNION ALL SELECT n + 1, (SELECT count(*) FROM patient) FROM r WHERE n < 4) SELECT * FROM r;
WITH RECURSIVE r(n, c) AS (SELECT 1, 0::bigint UNION ALL SELECT n + 1, x.c FROM r, (SELECT count(*) AS c FROM patient) AS x WHERE n < 4) SELECT * FROM r;
WITH RECURSIVE a AS (SELECT count(*) AS n FROM patient), r AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM r, a WHERE i < a.n / 10) SELECT i FROM r;
WITH RECURSIVE r AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM r WHERE i < 4) SELECT i, (SELECT count(*) FROM patient WHERE ward = i) FROM r ORDER BY 1;
WITH RECURSIVE r AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM r WHERE i < 4) SELECT count(*) FROM patient JOIN r ON id = i;
WITH RECURSIVE r AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM r WHERE i < 4 AND i IN (SELECT id FROM plain)) SELECT i FROM r;

-- An answer that compares with what stands in WITH, read beside rows: as a column, a key, in a condition.
WITH c AS (SELECT count(*) AS n FROM visit)
SELECT s.a, count(*) FROM visit AS t CROSS JOIN (SELECT count(*) AS a FROM visit AS v WHERE v.id > (SELECT n / 4 FROM c)) AS s GROUP BY 1;
WITH c AS (SELECT count(*) AS n FROM plain)
SELECT s.a, s.a + 1 AS more, count(*) FROM visit AS t CROSS JOIN (SELECT count(*) AS a FROM visit AS v WHERE v.id > (SELECT sum(n) FROM c)) AS s
WHERE t.id > s.a GROUP BY 1, 2;
WITH c AS (SELECT count(*) AS n FROM visit)
SELECT count(*) FROM visit AS t CROSS JOIN (SELECT count(*) AS a FROM visit AS v WHERE v.id > (SELECT n / 4 FROM c)) AS s WHERE t.id > s.a;
WITH c AS (SELECT count(*) AS n FROM visit), d AS (SELECT count(*) AS n FROM visit WHERE id > (SELECT n / 2 FROM c))
SELECT s.a, count(*) FROM (SELECT patient_id, max(id) AS last FROM visit GROUP BY 1) AS t
CROSS JOIN (SELECT count(*) AS a FROM visit AS v WHERE v.id > (SELECT n FROM d)) AS s WHERE t.last > s.a GROUP BY 1;

-- A view, and a subquery about people, below groups.
SELECT o.ward_id, count(*) FROM late AS o JOIN (SELECT patient_id AS u, max(ward_id) AS h FROM visit GROUP BY 1) AS j ON j.u = o.patient_id GROUP BY 1 ORDER BY 1;
SELECT o.ward_id / 2 AS half, j.h = 1 AS one, count(DISTINCT j.h) FROM owned AS o JOIN patient AS c ON c.id = o.patient_id
JOIN (SELECT x.patient_id AS u, max(x.ward_id) AS h FROM visit AS x GROUP BY 1) AS j ON j.u = o.patient_id GROUP BY 1, 2 ORDER BY 1, 2;

-- A list of groups under a condition that no row meets, once nobody reads its count; and as it is shown.
SELECT s.k FROM (SELECT ward_id AS k, count(v) AS n FROM visit AS v WHERE date '2024-02-01' > date '2024-02-01' GROUP BY 1) AS s;
SELECT dp.private_form($$SELECT s.k FROM (SELECT ward_id AS k, count(v) AS n FROM visit AS v WHERE date '2024-02-01' > date '2024-02-01' GROUP BY 1) AS s$$);
-- An SQL function that is a part of the query is one in what is shown, too.
RESET ROLE;
CREATE FUNCTION wards(low int) RETURNS TABLE (w int) LANGUAGE sql STABLE AS 'SELECT ward FROM plain WHERE id > low';
SET ROLE regress_apart_ana;
SELECT ward_id, count(*) FROM (SELECT DISTINCT ON (patient_id) patient_id, ward_id FROM visit ORDER BY patient_id, id) AS f
WHERE EXISTS (SELECT FROM wards(5) AS t WHERE t.w > 2) GROUP BY 1 ORDER BY 1;
SELECT dp.private_form('SELECT ward_id, count(*) FROM (SELECT DISTINCT ON (patient_id) patient_id, ward_id FROM visit ORDER BY patient_id, id) AS f
WHERE EXISTS (SELECT FROM wards(5) AS t WHERE t.w > 2) GROUP BY 1 ORDER BY 1') AS shown \gset
\echo :shown
:shown;

-- Groups of one person each are refused where groups have a price, too: none would be shown.
SELECT patient_id, count(*) FROM visit GROUP BY 1;
SELECT id, count(*) FROM visit GROUP BY 1;
WITH a AS (SELECT patient_id, count(*) AS n FROM visit GROUP BY 1), b AS (SELECT patient_id FROM a WHERE n > 3) SELECT count(*) FROM b;
WITH a AS (SELECT patient_id, count(*) AS n FROM visit GROUP BY 1), b AS (SELECT patient_id FROM a WHERE n > 3) SELECT count(*), (SELECT count(*) FROM a) FROM b;
-- What is compared with people may be a subquery itself, about a column of the level.
SELECT count(*) FROM visit AS v WHERE (SELECT v.patient_id) IN (SELECT s.patient_id FROM (SELECT patient_id, count(*) AS n FROM visit GROUP BY 1) AS s);
DROP TABLE pg_temp.asked;
DROP FUNCTION pg_temp.recursive;
RESET ROLE;
DROP SCHEMA taken_apart CASCADE;
DROP ROLE regress_apart_ana;
