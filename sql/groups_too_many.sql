-- Groups whose values are public and too many to be all shown are chosen privately, as those whose values nobody has declared, where
-- something pays for the choice: the table's policy, or a part of the price of the answer.
CALL own_schema('groups_too_many');
SET client_min_messages = error;
CREATE ROLE regress_many_ana;
CREATE TABLE wards (ward int PRIMARY KEY, name text NOT NULL);
CREATE TABLE rooms (room int PRIMARY KEY, name text NOT NULL);
INSERT INTO wards SELECT g, 'ward ' || g FROM generate_series(0, 599) AS g;
INSERT INTO rooms SELECT g, 'room ' || g FROM generate_series(0, 599) AS g;
ANALYZE wards, rooms;
GRANT SELECT ON wards, rooms TO regress_many_ana;
CREATE TABLE declared (patient int NOT NULL, x int NOT NULL, y int NOT NULL, ward int NOT NULL REFERENCES wards, room int NOT NULL REFERENCES rooms);
INSERT INTO declared SELECT p, p % 3 * 700, p % 2 * 900, p % 2 + 3, 7 FROM generate_series(1, 300) AS p, generate_series(1, 2) AS r;
INSERT INTO declared VALUES (301, 13, 13, 13, 13);
CREATE TABLE priced AS TABLE declared;
CREATE TABLE chosen AS TABLE declared;
CREATE TABLE plain AS TABLE declared;
SELECT dp.protect('declared', 1e9, 1e-2, privacy_unit => 'patient', max_rows_per_unit => 2, answer_epsilon => 1e5);
SELECT dp.protect('priced', 1e9, 1e-2, privacy_unit => 'patient', max_rows_per_unit => 2, answer_epsilon => 1e5, group_epsilon => 2e5, group_delta => 1e-9);
SELECT dp.protect('chosen', 1e9, 1e-2, privacy_unit => 'patient', answer_epsilon => 1e5);
SELECT dp.protect('plain', 1e9, privacy_unit => 'patient', max_rows_per_unit => 2, answer_epsilon => 1e5);
DO $$
DECLARE t regclass;
BEGIN
    FOREACH t IN ARRAY '{declared,priced,chosen,plain}'::regclass[] LOOP
        PERFORM dp.grant_budget(t, 'regress_many_ana', 9e8, CASE WHEN t = 'plain'::regclass THEN 0 ELSE 5e-8 END, allow_leaks => true);
        PERFORM dp.declare_range(t, 'x', 0, 1999), dp.declare_range(t, 'y', 0, 999);
    END LOOP;
    ALTER TABLE priced ADD FOREIGN KEY (ward) REFERENCES wards, ADD FOREIGN KEY (room) REFERENCES rooms;
    ALTER TABLE chosen ADD FOREIGN KEY (ward) REFERENCES wards, ADD FOREIGN KEY (room) REFERENCES rooms;
    ALTER TABLE plain ADD FOREIGN KEY (ward) REFERENCES wards, ADD FOREIGN KEY (room) REFERENCES rooms;
END $$;
CREATE FUNCTION pg_temp.groups(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE line text;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
        IF line ~ 'Groups: ' THEN RETURN NEXT regexp_replace(trim(line), ': about.*', ''); END IF;
    END LOOP;
END $$;
CREATE FUNCTION pg_temp.refused(query text) RETURNS TABLE (state text, message text, hint text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE query;
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
    state := SQLSTATE; message := SQLERRM;
    RETURN NEXT;
END $$;

SET ROLE regress_many_ana;
-- Two million combinations of two ranges. The one person at (13, 13) does not show.
SELECT x, y, count(*) FROM declared GROUP BY x, y ORDER BY 1, 2;
SELECT pg_temp.groups('SELECT x, y, count(*) FROM declared GROUP BY x, y');
SELECT trim_scale(epsilon) AS epsilon, trim_scale(delta) AS delta FROM dp.cost('SELECT x, y, count(*) FROM declared GROUP BY x, y') ORDER BY role IS NULL;
SELECT x, y, count(*) FROM priced GROUP BY x, y ORDER BY 1, 2;
SELECT trim_scale(epsilon) AS epsilon, trim_scale(delta) AS delta FROM dp.cost('SELECT x, y, count(*) FROM priced GROUP BY x, y') ORDER BY role IS NULL;
-- 360,000 points of what the columns of two public tables hold, which are too many to be looked at.
SELECT w.name || ', ' || r.name AS place, count(*) FROM declared JOIN wards AS w USING (ward) JOIN rooms AS r USING (room) GROUP BY 1 ORDER BY 1;
SELECT w.name || ', ' || r.name AS place, count(*) FROM priced JOIN wards AS w USING (ward) JOIN rooms AS r USING (room) GROUP BY 1 ORDER BY 1;
SELECT w.name || ', ' || r.name AS place, count(*) FROM chosen JOIN wards AS w USING (ward) JOIN rooms AS r USING (room) GROUP BY 1 ORDER BY 1;
SELECT pg_temp.groups('SELECT w.name || r.name, count(*) FROM chosen JOIN wards AS w USING (ward) JOIN rooms AS r USING (room) GROUP BY 1');
SELECT w.name || ', ' || r.name AS place, y / 900 AS half, count(*) FROM declared JOIN wards AS w USING (ward) JOIN rooms AS r USING (room) GROUP BY 1, 2 ORDER BY 1, 2;
-- Not where conditions leave few of them, and not where computed keys have few values.
SELECT count(*) FROM (SELECT w.name || ', ' || r.name AS place, count(*) FROM declared JOIN wards AS w USING (ward) JOIN rooms AS r USING (room) WHERE ward < 5 AND room IN (7, 8) GROUP BY 1) AS q;
SELECT count(*) FROM (SELECT x % 10 AS a, y % 7 AS b, count(*) FROM declared GROUP BY 1, 2) AS q;
SELECT pg_temp.groups('SELECT x % 10 AS a, y % 7 AS b, count(*) FROM declared GROUP BY 1, 2');
SELECT count(*) FROM (SELECT x, y, count(*) FROM declared WHERE x < 10 AND y < 20 GROUP BY 1, 2) AS q;
-- Refused where nothing pays, and where limits are chosen of all combinations.
SELECT * FROM pg_temp.refused('SELECT x, y, count(*) FROM plain GROUP BY x, y');
SELECT * FROM pg_temp.refused('SELECT w.name || r.name, count(*) FROM plain JOIN wards AS w USING (ward) JOIN rooms AS r USING (room) GROUP BY 1');
SELECT * FROM pg_temp.refused('SELECT x, y, count(*) FROM chosen GROUP BY x, y');
SET dp.max_rows_per_unit = 2;
SELECT x, y, count(*) FROM chosen GROUP BY x, y ORDER BY 1, 2;
RESET dp.max_rows_per_unit;
SELECT * FROM pg_temp.refused('SELECT x, y, count(*) FROM declared GROUP BY CUBE (x, y)');
RESET ROLE;
SELECT dp.unprotect(t) FROM unnest('{declared,priced,chosen,plain}'::regclass[]) AS t;
DROP FUNCTION pg_temp.groups(text), pg_temp.refused(text);
DROP SCHEMA groups_too_many CASCADE;
DROP ROLE regress_many_ana;
