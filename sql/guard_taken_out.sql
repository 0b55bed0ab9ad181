-- Answers that are taken out of FROM: their columns may stand wherever a column can, also in LATERAL subqueries and in columns of joins.
-- What they are read as must be what they are: never another column of the same number.
CALL own_schema('guard_taken_out');
SET client_min_messages = warning;
CREATE ROLE regress_taken_ana;
CREATE ROLE regress_taken_bob;
CREATE TABLE pat (id int PRIMARY KEY, age int NOT NULL);
INSERT INTO pat SELECT i, 20 + i FROM generate_series(1, 40) i;
CREATE TABLE vis (id int PRIMARY KEY, patient_id int NOT NULL REFERENCES pat, ward_id int NOT NULL, stay int NOT NULL);
INSERT INTO vis SELECT i, 1 + i % 40, 1 + i % 5, i % 9 FROM generate_series(1, 400) i;
CREATE TABLE wards (ward_id int PRIMARY KEY, name text NOT NULL);
INSERT INTO wards SELECT i, 'ward ' || i FROM generate_series(1, 5) i;
SELECT dp.protect('pat', 1e9, privacy_unit => 'id', answer_epsilon => 1e6);
SELECT dp.protect('vis', 1e9, privacy_unit => 'patient_id.id', max_rows_per_unit => 20, answer_epsilon => 1e6);
SELECT dp.declare_range('vis', 'stay', 0, 10), dp.declare_range('vis', 'ward_id', 1, 5);
SELECT dp.grant_budget(t::regclass, 'regress_taken_ana', 1e8, allow_leaks => true) FROM unnest(ARRAY['pat', 'vis']) t;
CREATE TABLE plain AS SELECT * FROM vis;
CREATE TABLE wide (ward_id bigint PRIMARY KEY, name text NOT NULL);
INSERT INTO wide SELECT * FROM wards;
GRANT SELECT ON plain, wards, wide TO regress_taken_ana, regress_taken_bob;
-- How the answer differs from that of the same query over the copy; for what is refused, why.
CREATE FUNCTION outcome(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE missing bigint; added bigint; answered bigint; said text; code text;
BEGIN
    EXECUTE format('WITH a AS MATERIALIZED (SELECT t::text FROM (%s) t), b AS (SELECT t::text FROM (%s) t) SELECT (SELECT count(*) FROM a), '
        '(SELECT count(*) FROM (TABLE b EXCEPT ALL TABLE a) x), (SELECT count(*) FROM (TABLE a EXCEPT ALL TABLE b) x)',
        query, replace(query, ' vis ', ' plain ')) INTO answered, missing, added;
    RETURN format('%s rows, %s missing, %s added', answered, missing, added);
EXCEPTION WHEN others THEN
    GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, said = MESSAGE_TEXT;
    RETURN code || ': ' || regexp_replace(said, '[.:] .*', '');
END $$;
SET ROLE regress_taken_ana;

-- ---- one row, read from LATERAL and from elsewhere
SELECT outcome($$SELECT count(*) FROM vis v CROSS JOIN (SELECT count(*) AS n FROM vis o) a CROSS JOIN LATERAL (SELECT v.ward_id AS val WHERE a.n < 4) b$$);
SELECT outcome($$SELECT sum(b.val) FROM vis v CROSS JOIN (SELECT count(*) AS n FROM vis o) a CROSS JOIN LATERAL (SELECT a.n + v.stay AS val) b$$);
SELECT outcome($$SELECT count(*) FROM vis v CROSS JOIN (SELECT count(*) AS n FROM vis o) a, LATERAL (VALUES (v.ward_id), (a.n)) b (val) WHERE b.val = 2$$);
SELECT outcome($$SELECT count(*) FROM vis v CROSS JOIN (SELECT count(*) AS n FROM vis o) a WHERE EXISTS (SELECT FROM wards w WHERE w.ward_id = v.ward_id AND a.n > 4)$$);
SELECT outcome($$SELECT count(*) FROM vis v CROSS JOIN (SELECT count(*) AS n FROM vis o) a WHERE a IS NOT NULL$$);
WITH a AS (SELECT count(*) AS n, avg(stay) AS m FROM vis) SELECT count(*) FROM vis v CROSS JOIN a CROSS JOIN LATERAL (SELECT a.n AS val) b WHERE b.val > a.m;
-- Where it is answered it is what it says.
SELECT outcome($$SELECT count(*) FILTER (WHERE a.n > 4), count(*) FILTER (WHERE a.n < 4) FROM vis v CROSS JOIN (SELECT count(*) AS n FROM vis o) a$$);
SELECT outcome($$SELECT a.n, v.ward_id, count(*) FROM vis v CROSS JOIN (SELECT count(*) AS n FROM vis o) a GROUP BY 1, 2$$);
SELECT outcome($$SELECT count(*), count(*) OVER () AS w FROM vis v JOIN (SELECT count(*) AS n FROM vis o) a ON a.n > v.stay HAVING count(*) > 2$$);
-- Of a person: the same words whether there is one, and nobody's account is closed.
SELECT id, outcome(format($$SELECT count(*) FROM vis v CROSS JOIN (SELECT count(*) AS n FROM vis o) a JOIN pat p ON p.id = v.patient_id CROSS JOIN LATERAL (SELECT a.n AS val) b
    WHERE p.id = %s AND b.val <> 4$$, id)) FROM unnest(ARRAY[7, 77]) id;

-- ---- groups
SELECT outcome($$SELECT count(*) FROM vis v JOIN (SELECT ward_id, count(*) n FROM vis GROUP BY 1) g ON g.ward_id = v.ward_id CROSS JOIN LATERAL (SELECT g.n AS val) b WHERE b.val < 4$$);
SELECT outcome($$SELECT v.ward_id, count(*) FROM vis v JOIN (SELECT ward_id, count(*) n FROM vis GROUP BY 1) g ON g.ward_id = v.ward_id
    CROSS JOIN LATERAL (SELECT g.n AS val) b WHERE b.val < 4 GROUP BY 1$$);
SELECT outcome($$SELECT v.ward_id, sum(b.val) FROM vis v JOIN (SELECT ward_id, count(*) n FROM vis GROUP BY 1) g ON g.ward_id = v.ward_id
    CROSS JOIN LATERAL (SELECT g.n + v.stay AS val) b GROUP BY 1$$);
SELECT outcome($$SELECT v.ward_id, count(*) FROM vis v JOIN (SELECT ward_id, count(*) n FROM vis GROUP BY 1) g ON g.ward_id = v.ward_id, LATERAL (VALUES (g.n), (1)) b (val)
    WHERE b.val = 1 GROUP BY 1$$);
SELECT outcome($$SELECT v.ward_id, count(*) FROM vis v JOIN (SELECT ward_id, count(*) n FROM vis GROUP BY 1 ORDER BY 1 LIMIT 2) g ON g.ward_id = v.ward_id GROUP BY 1$$);

-- ---- columns of joins in LATERAL are columns of the tables
SELECT outcome($$SELECT count(*) FROM vis v JOIN wards w USING (ward_id) CROSS JOIN LATERAL (SELECT ward_id AS val) b WHERE b.val = 2$$);
SELECT outcome($$SELECT count(*) FROM vis v JOIN wards w USING (ward_id) CROSS JOIN LATERAL (VALUES (ward_id), (v.stay)) b (val) WHERE b.val = 2$$);
SELECT outcome($$SELECT count(*) FROM ( vis v JOIN wards w USING (ward_id)) j CROSS JOIN LATERAL (SELECT j.stay AS val) b WHERE b.val = 2$$);
SELECT outcome($$SELECT b.val, count(*) FROM wards w RIGHT JOIN vis v USING (ward_id) CROSS JOIN LATERAL (SELECT ward_id + 1 AS val) b GROUP BY 1 HAVING count(*) > 0$$);
SELECT outcome($$SELECT count(*) FROM vis v JOIN wards w USING (ward_id), unnest(ARRAY[ward_id, stay]) u (x) WHERE u.x = 2$$);
-- One that is computed.
SELECT outcome($$SELECT count(*) FROM vis v LEFT JOIN wide w USING (ward_id) CROSS JOIN LATERAL (SELECT ward_id AS val) b WHERE b.val = 2$$);
SELECT outcome($$SELECT b.val, count(*) FROM vis v LEFT JOIN wide w USING (ward_id) CROSS JOIN LATERAL (VALUES (ward_id), (v.stay::bigint)) b (val) GROUP BY 1 HAVING count(*) > 0$$);

-- ---- lists that are joined to each other: neither can be said by the other
SELECT outcome($$SELECT count(*) FROM (VALUES (1), (2)) f (u) JOIN LATERAL (SELECT f.u AS val) g ON f.u = g.val CROSS JOIN vis t$$);
SELECT outcome($$SELECT count(*) FROM (VALUES (1)) f (u) JOIN LATERAL (SELECT f.u AS val) g ON f.u = g.val CROSS JOIN vis t$$);
SELECT outcome($$SELECT count(*) FROM generate_series(1, 3) f (u) JOIN LATERAL (SELECT f.u AS val) g ON f.u = g.val JOIN vis t ON t.stay = f.u$$);

-- ---- an asker without a budget, through a view of somebody else's
RESET ROLE;
CREATE VIEW numbers AS SELECT count(*) AS n FROM vis;
ALTER VIEW numbers OWNER TO regress_taken_ana;
GRANT SELECT ON numbers TO regress_taken_bob;
SET ROLE regress_taken_bob;
SELECT outcome($$SELECT count(*) FROM wards w CROSS JOIN numbers a CROSS JOIN LATERAL (SELECT a.n AS val) b WHERE b.val <> 4$$);
SELECT outcome($$SELECT sum(b.val) FROM wards w CROSS JOIN numbers a CROSS JOIN LATERAL (SELECT a.n + w.ward_id AS val) b$$);

-- Nobody was closed.
SET ROLE regress_taken_ana;
SELECT count(*) FROM vis;
SELECT count(*) FROM pat;

RESET ROLE;
RESET search_path;
DROP SCHEMA guard_taken_out CASCADE;
DROP ROLE regress_taken_ana, regress_taken_bob;
