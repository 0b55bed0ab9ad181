-- Privacy units: one person, many rows. What counts of a unit, by every way to limit it; epsilon 1e6 makes the noise vanish.
CALL own_schema('unit_limits');
SET client_min_messages = warning;
CREATE ROLE regress_units_ana NOLOGIN;
CREATE ROLE regress_units_other NOLOGIN;
CREATE TYPE season AS ENUM ('spring', 'summer', 'autumn', 'winter');
-- Patient p has p % 10 visits in each season: 0 to 9.
CREATE TABLE unit_stays (
    id int PRIMARY KEY, patient int, season season NOT NULL, cost float8, nights int NOT NULL, paid numeric, note text);
INSERT INTO unit_stays
    SELECT row_number() OVER (), p, s, CASE WHEN n % 5 = 0 THEN NULL ELSE p + n * 3 END, n, p + n, 'n' || n
    FROM generate_series(1, 200) p, unnest(enum_range(NULL::season)) s, generate_series(1, p % 10) n;
-- Rows that belong to nobody.
INSERT INTO unit_stays SELECT 100000 + i, NULL, 'spring', 10, 1, 1, 'x' FROM generate_series(1, 7) i;
ANALYZE unit_stays;

-- ---- dp.protect: what does not fit together
SELECT dp.protect('unit_stays', 1e9, privacy_unit => 'patient');
SELECT dp.protect('unit_stays', 1e9, privacy_unit => 'person', max_rows_per_unit => 3);
SELECT dp.protect('unit_stays', 1e9, privacy_unit => 'ctid', max_rows_per_unit => 3);
SELECT dp.protect('unit_stays', 1e9, max_rows_per_unit => 3);
SELECT dp.protect('unit_stays', 1e9, privacy_unit => 'patient', max_rows_per_unit => 0);
SELECT dp.protect('unit_stays', 1e9, privacy_unit => 'patient', max_groups_per_unit => 1000001);
SELECT dp.protect('unit_stays', 1e9, privacy_unit => 'patient', max_groups_per_unit => 2000, max_rows_per_group => 2000);
SELECT dp.protect('unit_stays', 1e9, privacy_unit => 'patient', max_rows_per_unit => 3, max_groups_per_unit => 3);
SELECT dp.protect('unit_stays', 1e9, privacy_unit => 'patient', max_rows_per_group => 3);
SELECT dp.protect('unit_stays', 1e9, privacy_unit => 'patient', max_rows_per_unit => 3, max_rows_per_group => 3);
ALTER TABLE unit_stays ADD COLUMN place point;
SELECT dp.protect('unit_stays', 1e9, privacy_unit => 'place', max_rows_per_unit => 3);
ALTER TABLE unit_stays DROP COLUMN place;

-- ---- who sees what is declared
SELECT dp.protect('unit_stays', 1e9, privacy_unit => 'patient', max_rows_per_unit => 3);
SELECT dp.grant_budget('unit_stays', 'regress_units_ana', 1e9, allow_leaks => true);
SELECT * FROM dp.units WHERE table_name = 'unit_stays';
SET ROLE regress_units_ana;
SELECT * FROM dp.units WHERE table_name = 'unit_stays';
SET ROLE regress_units_other;
SELECT * FROM dp.units WHERE table_name = 'unit_stays';
RESET ROLE;
-- The unit stays when other limits change, and so do its own limits.
SELECT dp.protect('unit_stays', 2e9);
SELECT privacy_unit, max_rows_per_unit, max_groups_per_unit, max_rows_per_group FROM dp.units WHERE relation = 'unit_stays'::regclass;
SELECT dp.protect('unit_stays', 2e9, max_groups_per_unit => 2);
SELECT privacy_unit, max_rows_per_unit, max_groups_per_unit, max_rows_per_group FROM dp.units WHERE relation = 'unit_stays'::regclass;
SELECT dp.protect('unit_stays', 2e9, max_groups_per_unit => 2, max_rows_per_group => 4);
SELECT privacy_unit, max_rows_per_unit, max_groups_per_unit, max_rows_per_group FROM dp.units WHERE relation = 'unit_stays'::regclass;

-- ---- without groups: all rows of a unit, brought into what three may contribute
SELECT dp.protect('unit_stays', 2e9, max_rows_per_unit => 3);
CREATE FUNCTION by_hand(OUT n bigint, OUT costs numeric, OUT cost_total numeric, OUT cost_mean numeric, OUT cost_variance numeric,
    OUT paid_total numeric, OUT nights_total bigint) LANGUAGE sql AS $$
    WITH units AS (
        SELECT patient, count(*) AS n, count(cost) AS n_cost, sum(least(greatest(cost, 20), 150)) FILTER (WHERE cost IS NOT NULL) AS cost,
            sum(least(greatest(cost, 20), 150) ^ 2) FILTER (WHERE cost IS NOT NULL) AS squares, sum(least(greatest(paid, 0), 100)) AS paid,
            sum(least(greatest(nights, 2), 6)) AS nights
        FROM unit_stays WHERE patient IS NOT NULL GROUP BY patient),
    parts AS (
        SELECT least(n, 3) AS n, least(n_cost, 3) AS weight, cost / nullif(n_cost, 0) AS mean, squares / nullif(n_cost, 0) AS square,
            least(cost, 3 * 150) AS cost, least(paid, 3 * 100) AS paid, least(nights, 3 * 6) AS nights
        FROM units)
    SELECT sum(n), sum(weight), round(sum(cost)::numeric, 1), round((sum(weight * mean) / sum(weight))::numeric, 3),
        round(((sum(weight * square) - sum(weight * mean) ^ 2 / sum(weight)) / (sum(weight) - 1))::numeric, 1), sum(paid), sum(nights)
    FROM parts $$;
CREATE FUNCTION by_unit(OUT n bigint, OUT costs numeric, OUT cost_total numeric, OUT cost_mean numeric, OUT cost_variance numeric,
    OUT paid_total numeric, OUT nights_total bigint) LANGUAGE sql AS $$
    SELECT dp_count('*', 1e6), dp_count(cost, 1e6), round(dp_sum(cost, 20, 150, 1e6)::numeric, 1),
        round(dp_avg(cost, 20, 150, 1e6)::numeric, 3), round(dp_variance(cost, 20, 150, 1e6)::numeric, 1),
        round(dp_sum(paid, 0, 100, 1e6)), dp_sum(nights, 2, 6, 1e6)
    FROM unit_stays $$;
SELECT * FROM by_hand();
SELECT * FROM by_unit();
-- Whatever the plan.
SET enable_hashagg = off;
SELECT by_unit() = by_hand() AS sorted;
RESET enable_hashagg;
SET work_mem = '64kB';
SELECT by_unit() = by_hand() AS spilled;
RESET work_mem;
SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0; SET max_parallel_workers_per_gather = 2;
SELECT by_unit() = by_hand() AS parallel;
RESET parallel_setup_cost; RESET parallel_tuple_cost; RESET min_parallel_table_scan_size; RESET max_parallel_workers_per_gather;
-- Conditions come first; FILTER too, of a count by itself (counts beside each other: unit_shares).
SELECT dp_count('*', 1e6) AS n FROM unit_stays WHERE nights > 5;
SELECT dp_count('*', 1e6) FILTER (WHERE nights = 9) AS of_nine FROM unit_stays WHERE nights > 5;
SELECT sum(least(n, 3)) AS n, sum(least(nine, 3)) AS of_nine
FROM (SELECT count(*) AS n, count(*) FILTER (WHERE nights = 9) AS nine FROM unit_stays WHERE nights > 5 AND patient IS NOT NULL GROUP BY patient) s;
SELECT dp_count('*', 1e6), dp_sum(nights, 0, 9, 1e6) FROM unit_stays WHERE false;
SET dp.epsilon = 1e6;
SELECT dp_count(*) FROM unit_stays;
RESET dp.epsilon;

-- ---- chosen rows: three of each unit, of units with fewer all
SELECT array_agg(DISTINCT patient) FILTER (WHERE patient IS NOT NULL) AS patients, array_agg(id ORDER BY id) AS ids FROM unit_stays \gset
CREATE FUNCTION had(int) RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM unit_stays WHERE patient = $1';
SELECT max(n) AS most, count(*) FILTER (WHERE least(had(patient), 3) <> n) AS wrong
FROM (SELECT dp_histogram(patient, :'patients', 1e6) AS h FROM unit_stays) AS s, unnest(:'patients'::int[], h) AS u (patient, n);
-- Where a value counts once, however often it is there, the same rows for all aggregates of a query: sums of what is chosen agree.
SELECT dp_count('*', 1e6) = dp_sum(one, 0, 9, 1e6) AS same_rows, dp_count(DISTINCT nights, 1e6) BETWEEN 8 AND 9 AS nights
FROM (SELECT nights, 1 AS one FROM unit_stays) AS s;
SELECT dp_mode(nights % 2, ARRAY[0, 1], 1e6) IN (0, 1) AS mode, dp_median(nights, 1, 9, 1e6) BETWEEN 1 AND 9 AS median,
    dp_quantile(nights, 0.9, 1, 9, 1e6) BETWEEN 1 AND 9 AS quantile, dp_bounds(nights, 1e6) <> '{NULL,NULL}' AS bounds FROM unit_stays;
-- With groups: three rows in all seasons together.
SELECT sum(n) AS n FROM (SELECT season, dp_count('*', 1e6) AS n FROM unit_stays GROUP BY season) s;
SELECT sum(least(n, 3)) AS n FROM (SELECT count(*) AS n FROM unit_stays WHERE patient IS NOT NULL GROUP BY patient) s;
SELECT count(*) FILTER (WHERE n > 3) AS too_many FROM (
    SELECT patient, sum(n) AS n
    FROM (SELECT season, dp_histogram(patient, :'patients', 1e6) AS h FROM unit_stays GROUP BY season) s,
        unnest(:'patients'::int[], h) AS x (patient, n) GROUP BY patient) u;
-- In each season a share by the unit's rows there, of sums as well: the three rows of a patient add at most three times the bound.
SELECT sum(n) AS n, sum(units) <= sum(n) AS units, sum(nights) AS nights, max(most) <= 3 AS at_most FROM (
    SELECT season, dp_count('*', 1e6) AS n, dp_count(DISTINCT patient, 1e6) AS units, dp_sum(nights, 0, 1, 1e6) AS nights,
        dp_sum(nights, 0, 1, 1e6) FILTER (WHERE patient = 19) AS most
    FROM unit_stays GROUP BY season) s;
-- Other rows each time: the key is fresh. (That two of a hundred units choose alike four times has a probability below 1e-50.)
SELECT count(DISTINCT h) > 1 AS fresh FROM (
    SELECT dp_histogram(id, :'ids', 1e6) AS h FROM unit_stays UNION ALL
    SELECT dp_histogram(id, :'ids', 1e6) AS h FROM unit_stays) s;
CREATE TEMP TABLE two (h bigint[]);
PREPARE chosen AS INSERT INTO two SELECT dp_histogram(id, :'ids', 1e6) AS h FROM unit_stays;
SET plan_cache_mode = force_generic_plan;
EXECUTE chosen;
EXECUTE chosen;
RESET plan_cache_mode;
SELECT count(DISTINCT h) AS choices FROM two;

-- ---- units counted: each once, in however many groups
SELECT dp_count(DISTINCT patient, 1e6) FROM unit_stays;
SELECT dp_count(DISTINCT patient % 7, 1e6) AS of_the_unit, dp_count(DISTINCT nights, 1e6) BETWEEN 8 AND 9 AS of_rows,
    dp_sum(DISTINCT patient, 0, 200, 1e6) AS units FROM unit_stays;

-- ---- groups: two of a unit, four rows in each
SELECT dp.protect('unit_stays', 2e9, max_groups_per_unit => 2, max_rows_per_group => 4);
-- A unit has the same number of rows in each season, so the totals do not depend on which two count.
SELECT sum(n) AS n, sum(units) AS units, round(sum(nights)) AS nights FROM (
    SELECT season, dp_count('*', 1e6) AS n, dp_count(DISTINCT patient, 1e6) AS units, dp_sum(nights, 0, 9, 1e6) AS nights
    FROM unit_stays GROUP BY season) s;
SELECT 2 * sum(least(n, 4)) AS n, 2 * count(*) AS units, 2 * sum(least(nights, 4 * 9)) AS nights FROM (
    SELECT count(*) AS n, sum(nights) AS nights FROM unit_stays WHERE season = 'spring' AND patient IS NOT NULL GROUP BY patient) s;
-- Which: two different ones of each unit, all four about equally often.
SELECT count(*) FILTER (WHERE seasons > 2) AS too_many, count(*) FILTER (WHERE seasons = 2) AS two, max(rows_in_season) AS most
FROM (
    SELECT patient, count(*) FILTER (WHERE n > 0) AS seasons, max(n) AS rows_in_season
    FROM (SELECT season, dp_histogram(patient, :'patients', 1e6) AS h FROM unit_stays GROUP BY season) s,
        unnest(:'patients'::int[], h) AS x (patient, n) GROUP BY patient) u;
SELECT season, units BETWEEN 40 AND 140 AS about_half FROM (
    SELECT season, dp_count(DISTINCT patient, 1e6) AS units FROM unit_stays WHERE season IS NOT NULL GROUP BY season) s;
-- Beside what chooses rows: the same two groups of each unit, and four rows in each.
SELECT sum(n) AS n, sum(units) AS units, count(mode) AS seasons FROM (
    SELECT season, dp_count('*', 1e6) AS n, dp_count(DISTINCT patient, 1e6) AS units, dp_mode(nights % 2, ARRAY[0, 1], 1e6) AS mode
    FROM unit_stays GROUP BY season) s;
-- Keys that are the unit's own: it is in one group, and keeps four rows.
SELECT even, n FROM (SELECT patient % 2 = 0 AS even, dp_count('*', 1e6) AS n FROM unit_stays GROUP BY 1) s;
SELECT patient % 2 = 0 AS even, sum(least(n, 4)) AS n FROM (
    SELECT patient, count(*) AS n FROM unit_stays WHERE patient IS NOT NULL GROUP BY patient) s GROUP BY 1 ORDER BY 1;
-- Grouping sets: the two groups are of all keys; in a set of fewer keys they may fall together.
SELECT g, sum(n) AS n FROM (
    SELECT season, grouping(season) AS g, dp_count('*', 1e6) AS n FROM unit_stays GROUP BY ROLLUP (season)) s GROUP BY g ORDER BY g;
SELECT g, sum(units) AS units FROM (
    SELECT season, grouping(season) AS g, dp_count(DISTINCT patient, 1e6) AS units FROM unit_stays GROUP BY ROLLUP (season)) s
GROUP BY g ORDER BY g;
-- ---- what is shown of it: the way, to those who may read the table
SELECT plan_of($$SELECT season, dp_count('*', 1e6) FROM unit_stays GROUP BY season$$);
SELECT plan_of('SELECT dp_median(nights, 0, 9, 1e6) FROM unit_stays');
SET ROLE regress_units_ana;
EXPLAIN (COSTS OFF) SELECT season, dp_count('*', 1e6) FROM unit_stays GROUP BY season;
SELECT sum(n) AS n FROM (SELECT season, dp_count('*', 1e6) AS n FROM unit_stays GROUP BY season) s;
-- What the guard writes into queries is nobody else's, whoever may use the schema that it stands in.
SELECT dp_internal.unit_part();
RESET ROLE;
GRANT USAGE ON SCHEMA dp_internal TO regress_units_ana;
SET ROLE regress_units_ana;
SELECT dp_internal.unit_part(1, 0.5::float8, 'dp_count("any",float8)'::regprocedure::oid);
SELECT dp_internal.unit_bigint('\x00'::bytea, 1, 0.5::float8, 'dp_count("any",float8)'::regprocedure::oid);
SELECT dp_internal.unit_part(patient, 0.5::float8, 'dp_count("any",float8)'::regprocedure::oid) FROM unit_stays;
SELECT dp_count('*', 1), dp_internal.unit_part(patient, 0.5::float8, 'dp_count("any",float8)'::regprocedure::oid) FROM unit_stays;
RESET ROLE;
REVOKE USAGE ON SCHEMA dp_internal FROM regress_units_ana;
SELECT dp_internal.unit_part(patient, 0.5::float8, 'dp_count("any",float8)'::regprocedure::oid) FROM unit_stays;
SELECT dp_internal.unit_part() FROM unit_stays;

-- ---- epsilon is per unit: limits cost noise, not budget
SELECT epsilon, delta FROM dp.cost($$SELECT season, dp_count('*', 0.5), dp_avg(cost, 0, 100, 0.25) FROM unit_stays GROUP BY season$$);

-- ---- private choice of groups: by units, not by rows
ALTER TABLE unit_stays ADD COLUMN town text;
UPDATE unit_stays SET town = 'all' WHERE patient > 7;
UPDATE unit_stays SET town = 'one' WHERE patient = 7;
INSERT INTO unit_stays SELECT 200000 + i, 7, 'spring', 1, 1, 1, 'y', 'one' FROM generate_series(1, 5000) i;
SELECT dp.protect('unit_stays', 2e9, 0.5, group_epsilon => 4, group_delta => 1e-12, max_groups_per_unit => 2);
SELECT town, dp_count('*', 1e6) >= 170 AS many FROM unit_stays GROUP BY town;
SELECT town, dp_count(DISTINCT patient, 1e6) AS units, dp_median(cost, 0, 100, 1e6) > 0 AS median FROM unit_stays GROUP BY town;
SELECT dp.protect('unit_stays', 2e9, 0.5, group_epsilon => 1e-9, group_delta => 1e-12, max_groups_per_unit => 2);
SELECT town, dp_count('*', 1e6) FROM unit_stays GROUP BY town;

-- ---- a unit that is unique
SELECT dp.protect('unit_stays', 2e9, 0.5, privacy_unit => 'id');
SELECT * FROM dp.units WHERE table_name = 'unit_stays';
EXPLAIN (COSTS OFF) SELECT dp_count('*', 1e6) FROM unit_stays;
SELECT dp_count('*', 1e6) = (SELECT count(*) FROM unit_stays) AS all_rows FROM unit_stays;
-- It counts as long as the index is one that can be relied on.
PREPARE counted AS SELECT dp_count('*', 1e6) > 0 AS counted FROM unit_stays;
EXECUTE counted;
ALTER TABLE unit_stays DROP CONSTRAINT unit_stays_pkey;
EXECUTE counted;
ALTER TABLE unit_stays ADD CONSTRAINT late UNIQUE (id) DEFERRABLE;
EXECUTE counted;
ALTER TABLE unit_stays DROP CONSTRAINT late;
CREATE UNIQUE INDEX part ON unit_stays (id) WHERE id < 1000000;
EXECUTE counted;
DROP INDEX part;
CREATE UNIQUE INDEX of_two ON unit_stays (id, nights);
EXECUTE counted;
DROP INDEX of_two;
CREATE UNIQUE INDEX included ON unit_stays (id) INCLUDE (nights);
EXECUTE counted;
DROP INDEX included;
-- Numbers that are NULL belong to nobody, also where the index is unique.
CREATE UNIQUE INDEX sure ON unit_stays (id);
ALTER TABLE unit_stays ALTER id DROP NOT NULL;
INSERT INTO unit_stays (id, season, nights) VALUES (NULL, 'spring', 1), (NULL, 'spring', 1);
SELECT dp_count('*', 1e6) = (SELECT count(id) FROM unit_stays) AS known_only FROM unit_stays;

-- ---- the column goes, or changes its name: nothing is answered until a curator says what it is called now
SELECT dp.protect('unit_stays', 2e9, 0.5, privacy_unit => 'patient', max_rows_per_unit => 3);
PREPARE renamed AS SELECT dp_count('*', 1e6) > 0 AS counted FROM unit_stays;
EXECUTE renamed;
ALTER TABLE unit_stays RENAME patient TO person;
EXECUTE renamed;
SELECT dp.protect('unit_stays', 2e9, 0.5);
SELECT dp.protect('unit_stays', 2e9, 0.5, privacy_unit => 'person', max_rows_per_unit => 3);
EXECUTE renamed;
-- A query that has begun is not answered under other limits than it was planned for.
BEGIN;
DECLARE early CURSOR FOR SELECT dp_count('*', 1e6) FROM unit_stays;
SELECT dp.protect('unit_stays', 2e9, 0.5, max_rows_per_unit => 4);
FETCH early;
ROLLBACK;
SELECT dp.unprotect('unit_stays');
SELECT * FROM dp.units WHERE table_name = 'unit_stays';

-- ---- parts of a table, and tables below it
CREATE TABLE trips (person int, km float8, year int) PARTITION BY LIST (person);
CREATE TABLE trips_1 PARTITION OF trips FOR VALUES IN (1, 2, 3);
CREATE TABLE trips_2 PARTITION OF trips FOR VALUES IN (4, 5, 6);
INSERT INTO trips SELECT 1 + i % 6, i, i FROM generate_series(1, 60) i;
SELECT dp.protect('trips', 1e9, privacy_unit => 'person', max_rows_per_unit => 4);
SELECT dp_count('*', 1e6) FROM trips;
SELECT dp_count('*', 1e6) FROM trips_2;
DELETE FROM trips WHERE year > 6;
CREATE UNIQUE INDEX ON trips (person);
SELECT dp.protect('trips', 1e9, privacy_unit => 'person');
SELECT is_unique FROM dp.units WHERE relation = 'trips'::regclass;
SELECT dp_count('*', 1e6) FROM trips;
CREATE TABLE walks (person int PRIMARY KEY);
CREATE TABLE long_walks () INHERITS (walks);
INSERT INTO walks VALUES (1);
INSERT INTO long_walks VALUES (1), (1);
SELECT dp.protect('walks', 1e9, privacy_unit => 'person');
SELECT dp.protect('walks', 1e9, privacy_unit => 'person', max_rows_per_unit => 2);
SELECT dp_count('*', 1e6), dp_count(DISTINCT person, 1e6) FROM walks;
SELECT dp_count('*', 1e6) FROM ONLY walks;

SELECT dp.unprotect('trips');
SELECT dp.unprotect('walks');
DROP TABLE trips, walks, long_walks, unit_stays, two;
DROP FUNCTION by_hand, by_unit, had;
DROP TYPE season;
DROP ROLE regress_units_ana, regress_units_other;
