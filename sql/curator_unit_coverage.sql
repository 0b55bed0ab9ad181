-- dp.unit_coverage: what each limit leaves out, exact, for curators who may read the table.
SET client_min_messages = warning;
\set SHOW_CONTEXT never
CALL own_schema('coverage');
CREATE ROLE regress_coverage_owner;
CREATE ROLE regress_coverage_ana;
CREATE ROLE regress_coverage_curator IN ROLE dp_curator;
GRANT CREATE ON SCHEMA coverage TO regress_coverage_owner;
SET ROLE regress_coverage_owner;
-- Units 1 to 30 with as many rows as their number, 35 rows of nobody.
CREATE TABLE stays AS SELECT unit, n AS id FROM generate_series(1, 30) unit, generate_series(1, unit) n UNION ALL SELECT NULL, n FROM generate_series(1, 35) n;
CREATE TABLE none (unit int);
CREATE VIEW seen AS SELECT * FROM stays;
SELECT * FROM dp.unit_coverage('stays');
-- Before the table is protected, and another column after.
SELECT max_rows_per_unit, share_of_rows, share_of_units, rows_lost, round(noise_of_a_count::numeric, 3) AS noise FROM dp.unit_coverage('stays', 0.5, 'unit');
SELECT dp.protect('stays', 10, privacy_unit => 'unit', max_rows_per_unit => 3) \g /dev/null
SELECT max_rows_per_unit, share_of_rows, share_of_units, rows_lost, round(noise_of_a_count::numeric, 3) AS noise FROM dp.unit_coverage('stays');
SELECT max_rows_per_unit, rows_lost FROM dp.unit_coverage('stays', privacy_unit => 'id');
SELECT max_rows_per_unit, share_of_rows, share_of_units, rows_lost FROM dp.unit_coverage('none', privacy_unit => 'unit');
-- It is what counts.
SELECT dp.protect('stays', 1e7, privacy_unit => 'unit', max_rows_per_unit => 3) \g /dev/null
SELECT (SELECT count(*) FROM stays) - (SELECT rows_lost FROM dp.unit_coverage('stays') WHERE max_rows_per_unit = 3) AS told,
    dp_count('*', 1e6) AS counted FROM stays;
SELECT * FROM dp.unit_coverage('stays', 0);
SELECT * FROM dp.unit_coverage('stays', NULL);
SELECT * FROM dp.unit_coverage(NULL);
SELECT * FROM dp.unit_coverage('seen');
SELECT * FROM dp.unit_coverage('stays', privacy_unit => 'nothing');
-- A role with a budget does not see it; nor one that reads the table but does not curate it; nor a curator who may not read it.
SELECT dp.grant_budget('stays', 'regress_coverage_ana', 1, allow_leaks => true) \g /dev/null
SET ROLE regress_coverage_ana;
SELECT * FROM dp.unit_coverage('stays');
RESET ROLE;
GRANT SELECT ON stays TO regress_coverage_ana;
SET ROLE regress_coverage_ana;
SELECT * FROM dp.unit_coverage('stays');
SET ROLE regress_coverage_curator;
SELECT * FROM dp.unit_coverage('stays');
RESET ROLE;
GRANT SELECT (unit) ON stays TO regress_coverage_curator;
SET ROLE regress_coverage_curator;
SELECT count(*) FROM dp.unit_coverage('stays');
RESET ROLE;
DROP VIEW seen;
DROP TABLE stays, none;
REVOKE CREATE ON SCHEMA coverage FROM regress_coverage_owner;
DROP ROLE regress_coverage_owner, regress_coverage_ana, regress_coverage_curator;
