-- What a database has that is to be carried to another major version: tables of each kind of protection, accounts, declarations,
-- charges, some of them of transactions that were rolled back, releases at several levels, shared and kept.
CREATE ROLE major_owner;
CREATE ROLE major_ana;
CREATE ROLE major_ben;
CREATE SCHEMA clinic AUTHORIZATION major_owner;
GRANT USAGE ON SCHEMA clinic TO PUBLIC;
GRANT dp_curator TO major_owner;
SET ROLE major_owner;
CREATE TABLE clinic.patient (id int PRIMARY KEY, name char(8) UNIQUE, ward text NOT NULL, age int);
CREATE TABLE clinic.visit (patient int REFERENCES clinic.patient, cost numeric(8,2)) PARTITION BY HASH (patient);
CREATE TABLE clinic.visit_0 PARTITION OF clinic.visit FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE clinic.visit_1 PARTITION OF clinic.visit FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO clinic.patient SELECT i, 'p' || i, 'ward ' || i % 3, i % 90 FROM generate_series(1, 300) i;
INSERT INTO clinic.visit SELECT 1 + i % 300, i % 50 FROM generate_series(1, 900) i;
RESET ROLE;
SELECT dp.protect('clinic.patient', 1e6, 1e-6, privacy_unit => 'name', max_rows_per_unit => 1, group_epsilon => 0.1, group_delta => 1e-9,
    answer_epsilon => 0.5, reuse => '1 day', keep_answers => '2 days', answer_mechanism => 'staircase');
SELECT dp.protect('clinic.visit', 1e6, privacy_unit => 'patient', max_rows_per_unit => 3);
SELECT dp.public_values('clinic.patient', 'ward', 'ward 0', 'ward 1', 'ward 2');
SELECT dp.declare_range('clinic.patient', 'age', 0, 120);
SELECT dp.grant_budget('clinic.patient', 'major_ana', 5e5, query_epsilon => 1e5, allow_leaks => true);
SELECT dp.grant_budget('clinic.visit', 'major_ana', 5e5, allow_leaks => true);
SELECT dp.grant_budget('clinic.patient', 'major_ben', 10, allow_leaks => true, answer_mechanism => 'laplace');
CREATE VIEW clinic.answers AS SELECT ward, dp_count('*', 1e3) AS n FROM clinic.patient GROUP BY ward;
GRANT SELECT ON clinic.answers TO major_ana;

SET ROLE major_ana;
SELECT ward, dp_count('*', 1e3), dp_avg(age, 0, 120, 0.5) FROM clinic.patient GROUP BY ward ORDER BY ward;
SELECT dp_sum(cost, 0, 100, 0.25) FROM clinic.visit;
SELECT count(*) FROM clinic.patient;
TABLE clinic.answers;
BEGIN;
SELECT dp_count('*', 0.125) FROM clinic.visit;
ROLLBACK;
