-- Whether there is a row is no column: dp.preview = 'empty' shows columns without rows, and refuses what would be answered by no.
CALL own_schema('guard_probes');
SET client_min_messages = warning;
CREATE ROLE regress_probes_ana;
CREATE TABLE wards (ward text PRIMARY KEY);
INSERT INTO wards VALUES ('a'), ('b');
CREATE TABLE stay (id int PRIMARY KEY, ward text REFERENCES wards, at date);
INSERT INTO stay SELECT i, 'a', date '2024-01-01' + i FROM generate_series(1, 40) i;
SELECT dp.protect('stay', 1e9, answer_epsilon => 1e5), dp.grant_budget('stay', 'regress_probes_ana', 1e9, allow_leaks => true);
GRANT SELECT ON wards TO regress_probes_ana;
-- What a tool sees that drops warnings: how many rows, or the error.
CREATE FUNCTION seen(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    n int := 0; line record;
BEGIN
    FOR line IN EXECUTE statement LOOP n := n + 1; END LOOP;
    RETURN n || ' rows';
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE || ' ' || left(SQLERRM, 60);
END $$;
SET ROLE regress_probes_ana;
SET dp.preview = 'empty';
SET client_min_messages = error;
SELECT seen(q), q FROM unnest(ARRAY[
    -- Django's exists(), latest(), first(); Rails' exists?; TypeORM's, Hibernate's, Prisma's; SQL's own
    'SELECT 1 AS "a" FROM "stay" WHERE "stay"."ward" = ''a'' LIMIT 1', 'SELECT id, ward, at FROM stay ORDER BY at DESC LIMIT 1', 'SELECT id, ward, at FROM stay ORDER BY id ASC LIMIT 1',
    'SELECT 1 AS one FROM stay LIMIT 1', 'SELECT 1 AS "row_exists" FROM (SELECT 1 AS dummy_column) "dummy_table" WHERE EXISTS (SELECT 1 FROM "stay" WHERE ward = ''a'') LIMIT 1',
    'SELECT id FROM stay WHERE ward = ''a'' FETCH FIRST 1 ROWS ONLY', 'SELECT EXISTS (SELECT FROM stay)', 'SELECT NOT EXISTS (SELECT FROM stay WHERE ward = ''a'')',
    'SELECT * FROM wards w WHERE EXISTS (SELECT FROM stay s WHERE s.ward = w.ward)', 'SELECT * FROM wards w WHERE ward NOT IN (SELECT ward FROM stay)', 'SELECT 1 FROM stay WHERE ward = ''a''',
    'SELECT w.ward, s.id FROM wards w LEFT JOIN stay s ON s.ward = w.ward', 'SELECT w.ward, s.id FROM stay s RIGHT JOIN wards w ON s.ward = w.ward', 'SELECT ward FROM wards EXCEPT SELECT ward FROM stay',
    'SELECT ward FROM wards UNION ALL SELECT ward FROM stay', 'WITH s AS (SELECT * FROM stay) SELECT w.ward FROM wards w LEFT JOIN s ON s.ward = w.ward WHERE s.id IS NULL', 'SELECT * FROM (SELECT id FROM stay ORDER BY at LIMIT 1) q',
    'SELECT coalesce((SELECT ''yes'' FROM stay LIMIT 1), ''no'')', 'SELECT id FROM stay WHERE ward = ''a'' LIMIT (SELECT 1)']) q;
-- Columns are shown as before.
SELECT seen(q), q FROM unnest(ARRAY[
    'SELECT * FROM stay', 'SELECT * FROM stay LIMIT 200', 'SELECT * FROM stay LIMIT 1', 'SELECT id FROM stay WHERE id = 5', 'SELECT id FROM stay WHERE ward = ''a'' ORDER BY at LIMIT 100', 'SELECT * FROM (SELECT * FROM stay) q LIMIT 10',
    'SELECT s.*, w.* FROM stay s JOIN wards w USING (ward)', 'SELECT s.*, w.* FROM stay s LEFT JOIN wards w USING (ward)', 'WITH s AS (SELECT * FROM stay) SELECT * FROM wards w JOIN s USING (ward)', 'SELECT id FROM stay UNION ALL SELECT id FROM stay',
    'SELECT ward FROM stay INTERSECT SELECT ward FROM wards', 'SELECT ward FROM stay EXCEPT SELECT ward FROM wards', 'SELECT * FROM stay WHERE EXISTS (SELECT FROM wards w WHERE w.ward = stay.ward)', 'SELECT * FROM wards', 'SELECT EXISTS (SELECT FROM wards)', 'SELECT 1 FROM stay WHERE 1 = 0', 'SELECT count(*) > 0 FROM stay']) q;
-- The reason, and what answers it; where the setting is off it is not named for this.
SELECT 1 AS a FROM stay WHERE ward = 'a' LIMIT 1;
SELECT count(*) > 0 AS a FROM stay WHERE ward = 'a';
PREPARE first(int) AS SELECT id FROM stay ORDER BY at LIMIT $1;
SET plan_cache_mode = force_generic_plan;
EXECUTE first(1);
RESET dp.preview;
SELECT seen('SELECT 1 AS a FROM stay WHERE ward = ''a'' LIMIT 1');
DO $$
BEGIN
    EXECUTE 'SELECT 1 AS a FROM stay WHERE ward = ''a'' LIMIT 1';
EXCEPTION WHEN insufficient_privilege THEN
    RAISE INFO 'names the setting: %', SQLERRM LIKE '%dp.preview%';
END $$;
RESET ROLE;
SELECT dp.unprotect('stay');
SET client_min_messages = error;
DROP SCHEMA guard_probes CASCADE;
DROP OWNED BY regress_probes_ana;
DROP ROLE regress_probes_ana;
