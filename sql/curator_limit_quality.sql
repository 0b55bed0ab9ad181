-- dp.limit_quality: what each limit would leave out, privately, at a price.
SET client_min_messages = warning;
\set SHOW_CONTEXT never
CALL own_schema('limit_quality');
CREATE ROLE regress_quality_ana;
CREATE ROLE regress_quality_ben;
-- 300 units with 1 to 10 rows, 40 with 30 and one with 5,000; 35 rows of nobody.
CREATE TABLE stays AS SELECT unit, n AS id
    FROM generate_series(1, 341) unit, generate_series(1, CASE WHEN unit <= 300 THEN 1 + unit % 10 WHEN unit <= 340 THEN 30 ELSE 5000 END) n
    UNION ALL SELECT NULL, n FROM generate_series(1, 35) n;
SELECT dp.protect('stays', 1e9, privacy_unit => 'unit', max_rows_per_unit => 3), dp.grant_budget('stays', 'regress_quality_ana', 1e8, allow_leaks => true);
SELECT max_rows_per_unit, share_of_rows, share_of_units, rows_lost FROM dp.unit_coverage('stays');
-- dp.check() says where the cut is likely above the noise, by what ANALYZE found; not where the limit is large, or nothing is known.
SELECT finding, run FROM dp.check('stays') WHERE finding LIKE 'rows of %';
ANALYZE stays;
SELECT finding, run FROM dp.check('stays') WHERE finding LIKE 'rows of %';
SELECT dp.protect('stays', max_rows_per_unit => 200);
SELECT finding, run FROM dp.check('stays') WHERE finding LIKE 'rows of %';
SELECT dp.protect('stays', max_rows_per_unit => 3);
SET ROLE regress_quality_ana;
-- Bins end at the limits, and the middle of a bin stands for the units in it: 25 rows for 30, 4,800 for 5,000.
SELECT max_rows_per_unit, share_of_rows, share_of_units, rows_lost, rows_lost_error, round(noise_of_a_count::numeric, 3) AS noise FROM dp.limit_quality('stays', 1e5);
SELECT trim_scale(epsilon_spent) AS spent FROM dp.budgets WHERE relation = 'stays'::regclass AND role IS NOT NULL;
SELECT round(noise_of_a_count::numeric, 1) AS noise FROM dp.limit_quality('stays', 1e5, 0.1);
-- The one unit that has far more than the others is not told from noise.
SELECT max_rows_per_unit, rows_lost < 1000 AS without FROM dp.limit_quality('stays', 1) WHERE max_rows_per_unit >= 20;
SELECT * FROM dp.limit_quality('stays', 0);
SELECT * FROM dp.limit_quality('stays', 0.1, 'nan');
SELECT * FROM dp.limit_quality('stays', NULL);
SELECT * FROM dp.limit_quality(NULL);
SELECT * FROM dp.limit_quality('stays', 1e6);
RESET ROLE;
SELECT dp.protect('stays', query_epsilon => 1);
SET ROLE regress_quality_ana;
SELECT * FROM dp.limit_quality('stays', 2);
-- Of a table without a unit, of none of theirs, and through foreign keys.
RESET ROLE;
SELECT dp.protect('stays', query_epsilon => -1);
SET ROLE regress_quality_ben;
SELECT * FROM dp.limit_quality('stays', 1);
RESET ROLE;
CREATE TABLE visits (id int PRIMARY KEY, person int NOT NULL);
INSERT INTO visits SELECT i, i / 2 FROM generate_series(1, 99) AS i;
CREATE TABLE lab (visit int REFERENCES visits, kind int);
INSERT INTO lab SELECT i, n FROM generate_series(1, 99) AS i, generate_series(1, 3) AS n UNION ALL SELECT NULL, 1 FROM generate_series(1, 10);
SELECT dp.protect('visits', 1e9);
SELECT * FROM dp.limit_quality('visits', 1);
SELECT dp.unprotect('visits');
SELECT dp.protect('lab', 1e9, privacy_unit => 'visit.person', max_rows_per_unit => 3);
SELECT max_rows_per_unit, share_of_rows, share_of_units, rows_lost, rows_lost_error FROM dp.limit_quality('lab', 1e5);
DROP TABLE lab;
DROP TABLE visits;
-- Nobody there, and nobody that can be told from noise.
CREATE TABLE none (unit int);
SELECT dp.protect('none', 1e9, privacy_unit => 'unit', max_rows_per_unit => 1);
SELECT max_rows_per_unit, share_of_rows, share_of_units, rows_lost, rows_lost_error FROM dp.limit_quality('none', 1e5);
DROP SCHEMA limit_quality CASCADE;
DROP ROLE regress_quality_ana, regress_quality_ben;
