-- Keys of a referenced table are public to those who may read them, and the privacy unit's to nobody.
SET client_min_messages = warning;
CREATE ROLE regress_keys_owner;
CREATE ROLE regress_keys_ana;
CREATE SCHEMA clinic AUTHORIZATION regress_keys_owner;
SET ROLE regress_keys_owner;
CREATE TABLE clinic.patients (id int PRIMARY KEY, name text);
CREATE TABLE clinic.wards (ward text PRIMARY KEY, code int UNIQUE, beds int);
INSERT INTO clinic.patients SELECT i, 'name ' || i FROM generate_series(1, 5) AS i;
INSERT INTO clinic.wards VALUES ('a', 1, 10), ('b', 2, 20), ('new', 3, 0);
CREATE TABLE clinic.stays (patient_id int NOT NULL REFERENCES clinic.patients, doctor int REFERENCES clinic.patients, ward text NOT NULL
    REFERENCES clinic.wards, code int REFERENCES clinic.wards (code), kind boolean);
INSERT INTO clinic.stays SELECT 1 + i % 5, 1, (ARRAY['a', 'b'])[1 + i % 2], 1, true FROM generate_series(1, 100) AS i;
SELECT dp.protect('clinic.stays', 9e9, privacy_unit => 'patient_id', max_rows_per_unit => 1000);
SELECT dp.grant_budget('clinic.stays', 'regress_keys_ana', 9e9, allow_leaks => true);
SET ROLE regress_keys_ana;
-- Not what she may not read, whether by the table, the column or the schema.
SELECT ward, dp_count('*', 1e6) FROM clinic.stays GROUP BY ward;
RESET ROLE;
GRANT USAGE ON SCHEMA clinic TO regress_keys_ana;
SET ROLE regress_keys_ana;
SELECT ward, dp_count('*', 1e6) FROM clinic.stays GROUP BY ward;
EXPLAIN (COSTS OFF) SELECT ward, dp_count('*', 1e6) FROM clinic.stays GROUP BY ward;
RESET ROLE;
GRANT SELECT (beds) ON clinic.wards TO regress_keys_ana;
SET ROLE regress_keys_ana;
SELECT ward, dp_count('*', 1e6) FROM clinic.stays GROUP BY ward;
RESET ROLE;
GRANT SELECT (ward) ON clinic.wards TO regress_keys_ana;
SET ROLE regress_keys_ana;
SELECT ward, dp_count('*', 1e6) FROM clinic.stays GROUP BY ward;
SELECT code, dp_count('*', 1e6) FROM clinic.stays GROUP BY code;
-- A statement that was planned while she could read them asks anew; one that another role planned, too. (Only the
-- SQLSTATE: whether the old plan is still there to be asked, or is made anew, is up to other sessions' invalidations.)
PREPARE wards AS SELECT ward, dp_count('*', 1e6) FROM clinic.stays GROUP BY ward;
SET plan_cache_mode = force_generic_plan;
EXECUTE wards;
RESET ROLE;
REVOKE SELECT (ward) ON clinic.wards FROM regress_keys_ana;
SET ROLE regress_keys_ana;
\set VERBOSITY sqlstate
EXECUTE wards;
RESET ROLE;
EXECUTE wards;
SET ROLE regress_keys_ana;
EXECUTE wards;
\set VERBOSITY default
-- Where groups are chosen by their rows, the plan of who may not read the wards does not do for who may.
RESET ROLE;
SELECT dp.protect('clinic.stays', 9e9, 0.5, privacy_unit => 'patient_id', max_rows_per_unit => 1000, group_epsilon => 1e6,
    group_delta => 0.01), dp.grant_budget('clinic.stays', 'regress_keys_ana', 9e9, 0.5, allow_leaks => true);
SET ROLE regress_keys_ana;
PREPARE chosen AS SELECT ward, dp_count('*', 1e6) FROM clinic.stays GROUP BY ward ORDER BY ward;
EXECUTE chosen;
RESET ROLE;
EXECUTE chosen;
SELECT dp.protect('clinic.stays', 9e9, 0.5, privacy_unit => 'patient_id', max_rows_per_unit => 1000, group_epsilon => 0);
-- What a curator asks for her.
RESET ROLE;
SELECT NOT (dp.admissible('SELECT ward, dp_count(''*'', 1e6) FROM clinic.stays GROUP BY ward', 'regress_keys_ana')).admissible AS "not hers",
    (dp.admissible('SELECT ward, dp_count(''*'', 1e6) FROM clinic.stays GROUP BY ward')).admissible AS "the curator's own";
-- Through a view its owner's permissions hold, as for all that the view names.
RESET ROLE;
CREATE VIEW clinic.shown AS SELECT ward FROM clinic.stays;
ALTER VIEW clinic.shown OWNER TO regress_keys_owner;
GRANT SELECT ON clinic.shown TO regress_keys_ana;
SET ROLE regress_keys_ana;
SELECT ward, dp_count('*', 1e6) FROM clinic.shown GROUP BY ward;
-- What was declared is public, whoever may read the table.
RESET ROLE;
SELECT dp.public_values('clinic.stays', 'ward', 'a', 'b');
SET ROLE regress_keys_ana;
SELECT ward, dp_count('*', 1e6) FROM clinic.stays GROUP BY ward;

-- Not the privacy unit, though she may read the patients; another column that refers to them, yes.
RESET ROLE;
GRANT SELECT ON clinic.patients TO regress_keys_ana;
SET ROLE regress_keys_ana;
SELECT patient_id, dp_count('*', 1e6) FROM clinic.stays GROUP BY patient_id;
SELECT doctor, dp_count('*', 1e6) > 15 AS many FROM clinic.stays GROUP BY doctor;
RESET ROLE;
SELECT patient_id, dp_count('*', 1e6) FROM clinic.stays GROUP BY patient_id;
SELECT * FROM dp.public_groups('clinic.stays', 'patient_id');
SELECT * FROM dp.public_groups('clinic.stays', 'doctor');
SELECT dp.public_values('clinic.stays', 'patient_id', 1, 2);
SELECT patient_id, dp_count('*', 1e6) FROM clinic.stays GROUP BY patient_id;

-- EXPLAIN reads no values: nothing is kept of keys with 9,000 values each, and too many combinations are refused.
CREATE TABLE clinic.places (id int PRIMARY KEY);
INSERT INTO clinic.places SELECT generate_series(1, 9000);
CREATE TABLE clinic.ways (a int REFERENCES clinic.places, b int REFERENCES clinic.places, c int REFERENCES clinic.places);
SELECT dp.protect('clinic.ways', 100);
EXPLAIN (COSTS OFF) SELECT dp_count('*', 1) FROM clinic.ways GROUP BY a;
EXPLAIN (COSTS OFF) SELECT dp_count('*', 1) FROM clinic.ways GROUP BY a, b, c;
SELECT dp_count('*', 1) FROM clinic.ways GROUP BY CUBE (a, b, c);
SELECT dp.cost('SELECT dp_count(''*'', 1) FROM clinic.ways GROUP BY GROUPING SETS (a, b, c)');
BEGIN;
SELECT pg_stat_get_xact_numscans('clinic.places'::regclass) AS before \gset
EXPLAIN (COSTS OFF) SELECT dp_count('*', 1) FROM clinic.ways GROUP BY GROUPING SETS (a, a, a, ());
SELECT pg_stat_get_xact_numscans('clinic.places'::regclass) - :before AS "counted once";
DECLARE many CURSOR FOR SELECT dp_count('*', 1) FROM clinic.ways GROUP BY a;
SELECT sum(total_bytes) > 100000 AS "a cursor has loaded them" FROM pg_backend_memory_contexts WHERE name = 'ExecutorState';
ROLLBACK;

SELECT dp.unprotect('clinic.stays'), dp.unprotect('clinic.ways');
DROP SCHEMA clinic CASCADE;
DROP ROLE regress_keys_owner;
DROP ROLE regress_keys_ana;
