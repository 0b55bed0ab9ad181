-- What is declared of a column follows the column, not its name.
SET client_min_messages = warning;
CREATE SCHEMA declared;
SET search_path = declared, public;
CREATE TABLE ward (id int, name text, cost int, "Day of" date, other int, spare int);
INSERT INTO ward SELECT i, 'n' || i % 2, 100, date '2024-01-01' + i, i % 3, 7 FROM generate_series(1, 1000) i;
SELECT dp.protect('ward', 1e9);
CREATE ROLE regress_declared;
GRANT USAGE ON SCHEMA declared TO regress_declared;
SELECT dp.grant_budget('ward', 'regress_declared', 1e9, answer_epsilon => 1e6, allow_leaks => true);
SELECT dp.declare_range('ward', 'cost', 0, 200), dp.declare_range('ward', 'Day of', '2024-01-01', '2027-01-01'),
    dp.declare_values('ward', 'name', 'n0', 'n1'), dp.declare_values('ward', 'cost / 50 + other', 2, 3, 4),
    dp.declare_values('ward', 'name || ''cost "name" '' || name', 'n0cost "name" n0', 'n1cost "name" n1');
CREATE VIEW said AS SELECT column_name AS of, type, lower || ' to ' || upper AS what FROM dp.declared_range WHERE relation = 'ward'::regclass
    UNION ALL SELECT expression, type, domain_values::text FROM dp.public_domain WHERE relation = 'ward'::regclass ORDER BY 1, 2;
SET ROLE regress_declared; SELECT round(avg(cost)) FROM ward; RESET ROLE;

-- RENAME keeps it, under the new name, in expressions too; names within texts are none.
ALTER TABLE ward RENAME cost TO "Paid by";
ALTER TABLE ward RENAME "Day of" TO day;
ALTER TABLE ward RENAME COLUMN name TO "the ""name""";
TABLE said;
SET ROLE regress_declared; SELECT round(avg("Paid by")) FROM ward; RESET ROLE;
SET ROLE regress_declared; SELECT "Paid by" / 50 + other AS k, count(*) FROM ward GROUP BY 1 ORDER BY 1; RESET ROLE;
SET ROLE regress_declared; SELECT "the ""name""" AS k, count(*) FROM ward GROUP BY 1 ORDER BY 1; RESET ROLE;
SELECT value FROM dp.describe_table('ward') WHERE item IN ('range', 'public groups');
SELECT finding FROM dp.check('ward') WHERE finding LIKE '%declared%';
ALTER TABLE ward RENAME "the ""name""" TO name;

-- Names that change places, in one transaction and in one that is rolled back.
BEGIN;
ALTER TABLE ward RENAME "Paid by" TO x;
ALTER TABLE ward RENAME spare TO "Paid by";
ALTER TABLE ward RENAME x TO spare;
TABLE said;
ROLLBACK;
TABLE said;
ALTER TABLE ward RENAME "Paid by" TO cost;

-- DROP takes it away: a column that comes under the name has nothing of it. 500 is true; it was cut to 200.
BEGIN;
ALTER TABLE ward DROP COLUMN cost;
TABLE said;
ROLLBACK;
ALTER TABLE ward DROP COLUMN cost, ADD COLUMN cost int DEFAULT 500;
TABLE said;
SET ROLE regress_declared; SELECT stddev(DISTINCT cost) FROM ward; RESET ROLE;
SELECT dp.declare_range('ward', 'cost', 0, 1000);
SET ROLE regress_declared; SELECT round(avg(cost)) FROM ward; RESET ROLE;

-- Another type: what was declared holds no longer, and dp.check() says so.
ALTER TABLE ward ALTER cost TYPE bigint, ALTER name TYPE varchar(10);
SET ROLE regress_declared; SELECT stddev(DISTINCT cost) FROM ward; RESET ROLE;
SELECT finding, run FROM dp.check('ward') WHERE finding LIKE '%declared%';
ALTER TABLE ward ALTER cost TYPE int, ALTER name TYPE text;
SET ROLE regress_declared; SELECT round(avg(cost)) FROM ward; RESET ROLE;

-- What is said of a column that is not there: after a restore into another table, or by hand. It never comes to hold for one.
INSERT INTO dp.declared_range VALUES ('ward', 'lost', 'int', '0', '10'), ('ward', 'gone', 'int', '0', '10');
INSERT INTO dp.public_domain VALUES ('ward', '(lost + 1)', 'int', '{1,2}');
SELECT finding, run FROM dp.check('ward') WHERE finding LIKE '%declared%';
ALTER TABLE ward ADD lost int;
ALTER TABLE ward RENAME spare TO gone;
TABLE said;
SELECT finding, run FROM dp.check('ward') WHERE finding LIKE '%declared%';

-- Partitions that have the columns in other places.
CREATE TABLE parted (id int, cost int, region text NOT NULL) PARTITION BY LIST (region);
CREATE TABLE parted_n PARTITION OF parted FOR VALUES IN ('n');
CREATE TABLE parted_s (region text NOT NULL, dropped int, cost int, id int);
ALTER TABLE parted_s DROP COLUMN dropped;
INSERT INTO parted_s SELECT 's', 100, i FROM generate_series(1, 100) i;
INSERT INTO parted SELECT i, 50, 'n' FROM generate_series(1, 100) i;
SELECT dp.protect('parted', 1e9);
SELECT dp.grant_budget('parted', 'regress_declared', 1e9, answer_epsilon => 1e6, allow_leaks => true);
SELECT dp.declare_range('parted', 'cost', 0, 200), dp.declare_values('parted', 'region', 'n', 's');
ALTER TABLE parted ATTACH PARTITION parted_s FOR VALUES IN ('s');
ALTER TABLE parted RENAME cost TO paid;
SET ROLE regress_declared; SELECT region, round(avg(paid)), count(*) FROM parted GROUP BY 1 ORDER BY 1; RESET ROLE;
SELECT round(avg(paid)) FROM parted_s;
ALTER TABLE parted DROP COLUMN paid, ADD COLUMN paid int DEFAULT 500;
SELECT avg(paid) FROM parted_s;

-- A typed table gets the name from its type.
CREATE TYPE form AS (id int, cost int);
CREATE TABLE typed OF form;
INSERT INTO typed SELECT i, 100 FROM generate_series(1, 100) i;
SELECT dp.protect('typed', 1e9), dp.declare_range('typed', 'cost', 0, 200);
ALTER TYPE form RENAME ATTRIBUTE cost TO paid CASCADE;
SELECT round(avg(paid)) FROM typed;

-- Which rows of a person count goes by a column, too.
CREATE TABLE stay (person int, day int, cost int);
SELECT dp.protect('stay', 1e9, privacy_unit => 'person', max_rows_per_unit => 1, rows_kept => 'first', rows_kept_by => 'day');
ALTER TABLE stay RENAME day TO at;
SELECT rows_kept, rows_kept_by FROM dp.units WHERE relation = 'stay'::regclass;
SELECT dp_count('*', 1e6) FROM stay;
ALTER TABLE stay DROP COLUMN at, ADD COLUMN at int;
SELECT dp_count('*', 1e6) FROM stay;
DROP SCHEMA declared CASCADE;
DROP ROLE regress_declared;
