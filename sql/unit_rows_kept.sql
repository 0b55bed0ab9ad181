-- Which rows count of a unit that has too many: the first or the latest ones by a column, as dp.protect says. Epsilon 1e6 makes the
-- noise vanish.
CALL own_schema('unit_rows_kept');
SET client_min_messages = warning;
CREATE ROLE regress_kept;
-- 100 patients with ten admissions each, on ten days in turn, in an order of storage of their own; cost is the day.
CREATE TABLE admissions (patient int, admitted_at date, ward text NOT NULL, cost int NOT NULL);
INSERT INTO admissions
SELECT patient, '2024-01-01'::date + day, (ARRAY['a', 'b', 'c', 'd', 'e'])[1 + day / 2], day
FROM generate_series(1, 100) patient, generate_series(0, 9) day ORDER BY (patient * 7919 + day * 104729) % 1009;

-- ---- what does not fit together
SELECT dp.protect('admissions', 1e9, rows_kept => 'first', rows_kept_by => 'admitted_at');
SELECT dp.protect('admissions', 1e9, privacy_unit => 'patient', max_rows_per_unit => 1, rows_kept => 'first');
SELECT dp.protect('admissions', 1e9, privacy_unit => 'patient', max_rows_per_unit => 1, rows_kept_by => 'admitted_at');
SELECT dp.protect('admissions', 1e9, privacy_unit => 'patient', max_rows_per_unit => 1, rows_kept => 'random', rows_kept_by => 'admitted_at');
SELECT dp.protect('admissions', 1e9, privacy_unit => 'patient', max_rows_per_unit => 1, rows_kept => 'last', rows_kept_by => 'admitted_at');
SELECT dp.protect('admissions', 1e9, privacy_unit => 'patient', max_rows_per_unit => 1, rows_kept => 'first', rows_kept_by => 'admitted');
SELECT dp.protect('admissions', 1e9, privacy_unit => 'patient', max_rows_per_unit => 1, rows_kept => 'first', rows_kept_by => 'ctid');
ALTER TABLE admissions ADD place point;
SELECT dp.protect('admissions', 1e9, privacy_unit => 'patient', max_rows_per_unit => 1, rows_kept => 'first', rows_kept_by => 'place');
ALTER TABLE admissions DROP place;

-- ---- the first and the latest
SELECT dp.protect('admissions', 1e9, privacy_unit => 'patient', max_rows_per_unit => 2, rows_kept => 'first', rows_kept_by => 'admitted_at');
SELECT privacy_unit, max_rows_per_unit, rows_kept, rows_kept_by FROM dp.units WHERE relation = 'admissions'::regclass;
SELECT dp.public_values('admissions', 'ward', 'a', 'b', 'c', 'd', 'e');
SELECT value FROM dp.describe_table('admissions') WHERE item = 'limits';
CREATE FUNCTION kept(OUT n bigint, OUT days bigint, OUT mean numeric, OUT by_day bigint[], OUT units bigint) LANGUAGE sql AS $$
    SELECT dp_count('*', 1e6), dp_sum(cost, 0, 9, 1e6), round(dp_avg(cost, 0, 9, 1e6)::numeric, 3),
        dp_histogram(cost, ARRAY[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 1e6), dp_count(DISTINCT patient, 1e6) FROM admissions $$;
SELECT * FROM kept();
SELECT ward, dp_count('*', 1e6) AS n, dp_sum(cost, 0, 9, 1e6) AS days FROM admissions GROUP BY ward ORDER BY ward;
-- Of the rows that the question is about.
SELECT dp_sum(cost, 0, 9, 1e6) AS days_4_and_5 FROM admissions WHERE cost > 3;
SET dp.max_rows_per_unit = 1;
SELECT dp_sum(cost, 0, 9, 1e6) AS day_4 FROM admissions WHERE cost > 3;
RESET dp.max_rows_per_unit;
SELECT line FROM plan_of($$SELECT dp_count('*', 1) FROM admissions$$) AS line WHERE line LIKE 'Privacy Unit%';
SELECT dp.protect('admissions', 1e9, rows_kept => 'latest', rows_kept_by => 'admitted_at');
SELECT * FROM kept();
SELECT line FROM plan_of($$SELECT ward, dp_count('*', 1) FROM admissions GROUP BY ward$$) AS line WHERE line LIKE 'Privacy Unit%';
-- Without another word they stay; random takes them back.
SELECT dp.protect('admissions', 1e9);
SELECT rows_kept, rows_kept_by FROM dp.units WHERE relation = 'admissions'::regclass;
SELECT dp.protect('admissions', 1e9, rows_kept => 'random');
SELECT rows_kept, rows_kept_by FROM dp.units WHERE relation = 'admissions'::regclass;
SELECT n, by_day <> '{100,100,0,0,0,0,0,0,0,0}' AND by_day <> '{0,0,0,0,0,0,0,0,100,100}' AS any FROM kept();

-- ---- groups: those of the first rows
SELECT dp.protect('admissions', 1e9, max_groups_per_unit => 2, max_rows_per_group => 1, rows_kept => 'first', rows_kept_by => 'admitted_at');
SELECT ward, dp_count('*', 1e6) AS n, dp_sum(cost, 0, 9, 1e6) AS days FROM admissions GROUP BY ward ORDER BY ward;
SELECT dp.protect('admissions', 1e9, rows_kept => 'latest', rows_kept_by => 'admitted_at');
SELECT ward, dp_count('*', 1e6) AS n, dp_sum(cost, 0, 9, 1e6) AS days FROM admissions GROUP BY ward ORDER BY ward;
SELECT dp.protect('admissions', 1e9, max_groups_per_unit => 3, max_rows_per_group => 2);
SET dp.max_rows_per_unit = 5;
SELECT ward, dp_count('*', 1e6) AS n, dp_sum(cost, 0, 9, 1e6) AS days FROM admissions GROUP BY ward ORDER BY ward;
SELECT line FROM plan_of($$SELECT ward, dp_count('*', 1) FROM admissions GROUP BY ward$$) AS line WHERE line LIKE 'Privacy Unit%';
RESET dp.max_rows_per_unit;
SELECT ward, grouping(ward), dp_count('*', 1e6) AS n FROM admissions GROUP BY ROLLUP (ward) ORDER BY 2, 1;

-- ---- ties and NULLs
SELECT dp.protect('admissions', 1e9, max_rows_per_unit => 1, rows_kept => 'latest', rows_kept_by => 'ward');
SELECT days > 800 AND days < 900 AS eight_or_nine, by_day[1:8] AS none FROM kept();
-- Whose row of day 9 it is, of a hundred patients that have the choice between two.
SELECT array_agg(i) AS patients FROM generate_series(1, 100) i \gset
SELECT count(DISTINCT h) AS choices FROM (
    SELECT dp_histogram(patient, :'patients', 1e6) FILTER (WHERE cost = 9) AS h FROM admissions UNION ALL
    SELECT dp_histogram(patient, :'patients', 1e6) FILTER (WHERE cost = 9) AS h FROM admissions) AS k;
SELECT dp.protect('admissions', 1e9, rows_kept => 'latest', rows_kept_by => 'admitted_at');
UPDATE admissions SET admitted_at = NULL WHERE cost IN (0, 9);
SELECT by_day FROM kept();
SELECT dp.protect('admissions', 1e9, rows_kept => 'first', rows_kept_by => 'admitted_at');
SELECT by_day FROM kept();
UPDATE admissions SET admitted_at = NULL;
SELECT n, by_day[1] + by_day[2] + by_day[3] + by_day[4] + by_day[5] BETWEEN 5 AND 95 AS any FROM kept();
UPDATE admissions SET admitted_at = '2024-01-01'::date + cost;

-- ---- plans that were made before, and questions that are shown again
SELECT dp.protect('admissions', 1e9, reuse => '1 day'), dp.grant_budget('admissions', 'regress_kept', 1e9, allow_leaks => true);
SET ROLE regress_kept;
PREPARE days AS SELECT dp_sum(cost, 0, 9, 1e6) FROM admissions;
SET plan_cache_mode = force_generic_plan;
EXECUTE days;
RESET ROLE;
SELECT dp.protect('admissions', 1e9, rows_kept => 'latest', rows_kept_by => 'admitted_at', reuse => '1 day');
SET ROLE regress_kept;
EXECUTE days;
RESET ROLE;
RESET plan_cache_mode;

-- ---- a column that is gone, or another one
ALTER TABLE admissions RENAME admitted_at TO arrived_at;
SELECT n, days FROM kept();
ALTER TABLE admissions DROP arrived_at;
SELECT dp_count('*', 1e6) FROM admissions;
SELECT dp.protect('admissions', 1e9, rows_kept => 'random');
SELECT n FROM kept();

-- ---- joins: by the table whose limit counts; of two with limits by both
CREATE TABLE labs (patient int NOT NULL, taken int NOT NULL, value int NOT NULL);
INSERT INTO labs SELECT patient, taken, taken FROM generate_series(1, 100) patient, generate_series(1, 4) taken;
SELECT dp.protect('labs', 1e9, privacy_unit => 'patient', max_rows_per_unit => 1, rows_kept => 'latest', rows_kept_by => 'taken');
SELECT dp.protect('admissions', 1e9, max_rows_per_unit => 3, rows_kept => 'first', rows_kept_by => 'cost');
SELECT dp_sum(a.cost, 0, 9, 1e6) AS day_0, dp_sum(l.value, 0, 9, 1e6) AS value_4 FROM admissions AS a JOIN labs AS l USING (patient);
SELECT line FROM plan_of($$SELECT dp_count('*', 1) FROM labs AS l JOIN admissions AS a USING (patient)$$) AS line WHERE line LIKE 'Privacy Unit%';
-- Partitions, whose columns have other numbers.
CREATE TABLE parts (patient int NOT NULL, ward text NOT NULL, day int NOT NULL) PARTITION BY LIST (ward);
CREATE TABLE part_a (extra int, day int NOT NULL, ward text NOT NULL, patient int NOT NULL);
ALTER TABLE part_a DROP extra;
ALTER TABLE parts ATTACH PARTITION part_a FOR VALUES IN ('a');
CREATE TABLE part_b PARTITION OF parts FOR VALUES IN ('b');
INSERT INTO parts SELECT patient, ward, day FROM generate_series(1, 100) patient, unnest(ARRAY['a', 'b']) ward, generate_series(1, 5) day;
SELECT dp.protect('parts', 1e9, privacy_unit => 'patient', max_rows_per_unit => 2, rows_kept => 'latest', rows_kept_by => 'day');
SELECT dp_sum(day, 0, 9, 1e6) AS days_5_and_5 FROM parts;
SELECT dp_sum(day, 0, 9, 1e6) AS days_5_and_4 FROM part_a;
-- A table that replaces another one keeps the same rows.
CREATE TABLE labs_new (LIKE labs);
SELECT dp.protect('labs_new', 1e9, continues => 'labs');
SELECT rows_kept, rows_kept_by FROM dp.units WHERE relation = 'labs_new'::regclass;

-- ---- the law: a person with ten rows is there, or is not; two rows count, the latest
CREATE TABLE owned (unit int NOT NULL, slot int NOT NULL, day int NOT NULL);
INSERT INTO owned SELECT u, u, day FROM generate_series(0, 9999) u, generate_series(1, 10) day;
SELECT dp.protect('owned', 1e9, privacy_unit => 'unit', max_rows_per_unit => 2, rows_kept => 'latest', rows_kept_by => 'day');
SELECT dp.public_values('owned', 'slot', VARIADIC ARRAY(SELECT generate_series(0, 19999)));
SET dp.keep_releases = 0;
SELECT ratio / exp(1) BETWEEN 0.8 AND 1.2 AS exactly_e FROM (
    SELECT count(*) FILTER (WHERE n >= 2 AND slot < 10000)::float8 / count(*) FILTER (WHERE n >= 2 AND slot >= 10000) AS ratio
    FROM (SELECT slot, dp_count('*', 1, 'geometric') AS n FROM owned GROUP BY slot) s) r;
RESET dp.keep_releases;

SET dp.allow_drop = on;
DROP OWNED BY regress_kept;
DROP ROLE regress_kept;
DROP SCHEMA unit_rows_kept CASCADE;
