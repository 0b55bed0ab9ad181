-- Groups of one person each: what can never be answered is said before what is missing.
SET client_min_messages = warning;
CREATE SCHEMA as_groups;
SET search_path = as_groups, public;
CREATE TABLE stays (id int, patient_id int, ward int NOT NULL, cost int);
SELECT dp.protect('stays', 1e9, privacy_unit => 'patient_id', max_rows_per_unit => 5, answer_epsilon => 0), dp.declare_range('stays', 'cost', 0, 100);
CREATE ROLE regress_as_groups;
GRANT USAGE ON SCHEMA as_groups TO regress_as_groups;
SELECT dp.grant_budget('stays', 'regress_as_groups', 1e9, allow_leaks => true);
SET ROLE regress_as_groups;
SELECT patient_id, sum(cost) FROM stays GROUP BY patient_id;
SELECT ward, s.patient_id AS who, avg(cost) FROM stays s GROUP BY 2, 1;
SELECT count(*) FROM (SELECT * FROM stays WHERE ward > 0) AS s GROUP BY s.patient_id;
-- Here epsilon is what is missing: the values are listed, or are other ones.
SELECT patient_id, sum(cost) FROM stays WHERE patient_id IN (1, 2) GROUP BY patient_id;
SELECT ward, sum(cost) FROM stays GROUP BY ward;
SELECT sum(cost) FROM stays;
RESET ROLE;
SELECT dp.declare_values('stays', 'patient_id', 1, 2);
SET ROLE regress_as_groups;
SELECT patient_id, sum(cost) FROM stays GROUP BY patient_id;
RESET ROLE;
DROP SCHEMA as_groups CASCADE;
DROP OWNED BY regress_as_groups;
DROP ROLE regress_as_groups;
