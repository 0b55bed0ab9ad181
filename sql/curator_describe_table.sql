-- dp.describe_table: what an analyst may know of a protected table before asking.
SET client_min_messages = warning;
\set SHOW_CONTEXT never
CALL own_schema('describe');
CREATE ROLE regress_describe_ana;
CREATE ROLE regress_describe_ben;
CREATE TYPE severity AS ENUM ('low', 'high');
CREATE TABLE wards (ward text PRIMARY KEY, typical_days int);
CREATE TABLE hidden_codes (code int PRIMARY KEY);
CREATE TABLE beds (bed int UNIQUE, ward text);
CREATE TABLE patients (patient_id int PRIMARY KEY, sex text);
CREATE TABLE stays (id int, patient_id int, ward text, home text REFERENCES wards, code int REFERENCES hidden_codes, how severity, urgent boolean, bed int,
    note text);
INSERT INTO wards VALUES ('a', 1), ('b', 2);
INSERT INTO stays SELECT i, i % 7, 'a', 'b', NULL, 'low', true, i, 'secret note' FROM generate_series(1, 100) i;
GRANT SELECT ON wards, beds TO regress_describe_ana;
SELECT dp.protect('stays', 10, 1e-6, query_epsilon => 2, group_epsilon => 0.1, group_delta => 1e-9, privacy_unit => 'patient_id', max_rows_per_unit => 3) \g /dev/null
SELECT dp.protect('patients', 10, privacy_unit => 'patient_id') \g /dev/null
SELECT dp.grant_budget('stays', 'regress_describe_ana', 5, allow_leaks => true), dp.grant_budget('patients', 'regress_describe_ana', 5, allow_leaks => true) \g /dev/null
SELECT dp.public_values('stays', 'id', ARRAY(SELECT generate_series(1, 12))), dp.public_values('stays', 'lower(ward)', 'a', 'b');
CREATE TABLE tours (tour int);
SELECT dp.protect('tours', 10) \g /dev/null
SELECT dp.grant_budget('tours', 'regress_describe_ana', 5, allow_leaks => true) \g /dev/null
SELECT dp.declare_range('stays', 'bed', 1, 500), dp.declare_range('patients', 'patient_id', 1, 9);

SET ROLE regress_describe_ana;
-- Her account's limits are also those of the table. The codes she may not read, and what only the rows know, are not there.
SELECT * FROM dp.describe_table('stays');
SELECT * FROM dp.describe_table('patients');
-- Of the tables with which joins were tried no lock is kept, which those who drop some of them would wait for.
BEGIN;
SELECT count(*) FROM dp.describe_table('stays') WHERE item = 'join';
SELECT DISTINCT relation::regclass FROM pg_locks l JOIN pg_class c ON c.oid = relation
WHERE l.pid = pg_backend_pid() AND relkind = 'r' AND relnamespace = 'describe'::regnamespace ORDER BY 1;
COMMIT;
-- Without a privacy unit each row is hidden.
SELECT item, value FROM dp.describe_table('tours') WHERE item IN ('privacy unit', 'limits');
SELECT bool_and(value !~ 'secret|hidden') AS "nothing from rows" FROM dp.describe_table('stays');
-- What is listed is admitted, and the example runs.
SELECT value AS example FROM dp.describe_table('stays') WHERE item = 'for example' \gset
SELECT admissible FROM dp.admissible(rtrim(:'example', ';'));
SELECT bool_and((dp.admissible('SELECT dp_count(''*'', 0.1) FROM describe.stays ' || split_part(value, ':', 1))).admissible) AS joins
FROM dp.describe_table('stays') WHERE item = 'join';
SELECT count(*) > 0 AS asked FROM (SELECT dp_count('*', 2) FROM stays UNION ALL SELECT dp_count('*', 2) FROM stays) s;
SELECT dp_count('*', 2) > -1e9 AS asked, dp_count(id, 1e-9) > -1e9 AS refused FROM stays;
SELECT dp_count('*', 2) > -1e9 AS asked FROM stays;
SELECT dp_count('*', 2) > -1e9 AS asked FROM stays;
SELECT dp_count('*', 1) > -1e9 AS asked FROM stays;
-- With nothing left there is no example; the rest is as it was.
SELECT item, count(*) FROM dp.describe_table('stays') GROUP BY item ORDER BY item;
SELECT value FROM dp.describe_table('stays') WHERE item IN ('left', 'for example');

-- Who has no budget learns nothing, not even whether the table is protected.
SET ROLE regress_describe_ben;
SELECT * FROM dp.describe_table('stays');
SELECT * FROM dp.describe_table('beds');
SELECT * FROM dp.describe_table(NULL);
RESET ROLE;
SELECT * FROM dp.describe_table('beds');
-- A curator sees what is left of the table.
SELECT value FROM dp.describe_table('stays') WHERE item = 'left';

DROP TABLE stays;
DROP TABLE patients;
DROP TABLE beds, hidden_codes;
DROP TABLE wards;
DROP TYPE severity;
DROP ROLE regress_describe_ana, regress_describe_ben;
