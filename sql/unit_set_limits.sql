-- Limits of a session: dp.max_rows_per_unit, dp.max_groups_per_unit and dp.max_rows_per_group, lower than the table's and never
-- higher; and limits of both kinds together, from a setting or from two tables. Epsilon 1e6 makes the noise vanish.
CALL own_schema('unit_set_limits');
SET client_min_messages = warning;
CREATE ROLE regress_set_limits;
-- 60 persons with 6 rows in each of four shops; 40 persons with one row.
CREATE TABLE buys (person int NOT NULL, shop text NOT NULL, n int NOT NULL);
INSERT INTO buys SELECT person, shop, n FROM generate_series(1, 60) person, unnest(ARRAY['a', 'b', 'c', 'd']) shop, generate_series(1, 6) n;
INSERT INTO buys SELECT person, 'a', 1 FROM generate_series(61, 100) person;
SELECT dp.protect('buys', 1e9, privacy_unit => 'person', max_rows_per_unit => 10), dp.public_values('buys', 'shop', 'a', 'b', 'c', 'd');
SELECT dp.grant_budget('buys', 'regress_set_limits', 1e9, allow_leaks => true);
CREATE FUNCTION by_shop(OUT rows numeric, OUT units numeric) LANGUAGE sql AS $$
    SELECT sum(n), sum(units)
    FROM (SELECT shop, dp_count('*', 1e6) AS n, dp_count(DISTINCT person, 1e6) AS units FROM buys GROUP BY shop) s $$;

CREATE FUNCTION unit_of(query text) RETURNS SETOF text LANGUAGE sql AS $$ SELECT line FROM plan_of(query) AS line WHERE line LIKE 'Privacy Unit%' $$;

-- ---- lower than the table's: by each way to limit
SELECT dp_count('*', 1e6) AS ten_of_60_and_40 FROM buys;
SET dp.max_rows_per_unit = 3;
SELECT dp_count('*', 1e6) AS three_of_60_and_40, dp_sum(n, 0, 1, 1e6) AS ones, round(dp_avg(n, 0, 6, 1e6)::numeric, 2) AS mean FROM buys;
SELECT rows AS three_of_60_and_40 FROM by_shop();
SELECT h[1] + h[2] AS three_of_60_and_40 FROM (SELECT dp_histogram(n, 1, 6, 2, 1e6) AS h FROM buys) s;
SELECT unit_of($$SELECT dp_count('*', 1) FROM buys$$);
SELECT unit_of($$SELECT dp_count('*', 1) FROM buys GROUP BY shop$$);
-- Higher is the table's own; so is zero.
SET dp.max_rows_per_unit = 1000000;
SELECT dp_count('*', 1e6) AS ten_of_60_and_40 FROM buys;
SELECT unit_of($$SELECT dp_count('*', 1) FROM buys$$);
SET dp.max_rows_per_unit = 0;
SELECT dp_count('*', 1e6) AS ten_of_60_and_40 FROM buys;
SET dp.max_rows_per_unit = -1;
SET dp.max_rows_per_group = 1000001;
SET dp.max_groups_per_unit = 'many';
-- The noise is that of what may count.
CREATE FUNCTION error_of(query text) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE line text;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
        IF line ~ 'Expected Error' THEN RETURN round(substring(line FROM '([0-9.]+)[^0-9.]*$')::numeric); END IF;
    END LOOP;
END $$;
SELECT error_of($$SELECT dp_count('*', 0.01) FROM buys$$) AS of_ten;
SET dp.max_rows_per_unit = 1;
SELECT error_of($$SELECT dp_count('*', 0.01) FROM buys$$) AS of_one;
RESET dp.max_rows_per_unit;

-- ---- both kinds: rows in all, groups, and rows in each
SET dp.max_groups_per_unit = 2;
SELECT unit_of($$SELECT dp_count('*', 1) FROM buys GROUP BY shop$$);
SELECT unit_of($$SELECT dp_mode(n, ARRAY[1, 2], 1) FROM buys GROUP BY shop$$);
SELECT unit_of($$SELECT dp_count('*', 1) FROM buys$$);
-- Ten in two shops, five in each, of 60, and one of 40.
SELECT rows, units FROM by_shop();
SET dp.max_rows_per_group = 3;
SELECT rows, units FROM by_shop();
SELECT dp_count('*', 1e6) AS three_of_60_and_40 FROM buys;
-- Seven in three shops, three in each at most: two of them have 2, or one has 1.
SET dp.max_rows_per_unit = 7;
SET dp.max_groups_per_unit = 3;
SELECT rows, units FROM by_shop();
SELECT array_agg(person) AS persons FROM (SELECT DISTINCT person FROM buys ORDER BY 1) s \gset
SELECT sum(n) AS rows, max(of_all) AS in_all, max(groups) AS groups, max(most) AS in_one FROM (
    SELECT person, sum(n) AS n, sum(n) AS of_all, count(*) FILTER (WHERE n > 0) AS groups, max(n) AS most
    FROM (SELECT shop, dp_histogram(person, :'persons', 1e6) AS h FROM buys GROUP BY shop) s,
        unnest(:'persons'::int[], h) AS u (person, n) GROUP BY person) p;
SELECT sum(n) AS rows, sum(n) = sum(low) + sum(high) AS counts_share FROM (
    SELECT shop, dp_count('*', 1e6) AS n, dp_count('*', 1e6) FILTER (WHERE n <= 6) AS low, dp_count('*', 1e6) FILTER (WHERE n > 6) AS high
    FROM buys GROUP BY shop) s;
SELECT g, sum(n) AS rows, sum(units) AS units FROM (
    SELECT shop, grouping(shop) AS g, dp_count('*', 1e6) AS n, dp_count(DISTINCT person, 1e6) AS units FROM buys GROUP BY ROLLUP (shop)) s
GROUP BY g ORDER BY g;
SELECT dp_count('*', 1e6) AS in_one_group FROM buys GROUP BY person < 1000;
-- What a group may not have goes to the others: of 20 rows and one, four in all and three in each, three and one.
CREATE TABLE uneven (person int NOT NULL, shop text NOT NULL);
INSERT INTO uneven SELECT person, CASE WHEN n = 1 THEN 'b' ELSE 'a' END FROM generate_series(1, 50) person, generate_series(1, 21) n;
SELECT dp.protect('uneven', 1e9, privacy_unit => 'person', max_groups_per_unit => 2, max_rows_per_group => 3), dp.public_values('uneven', 'shop', 'a', 'b');
SET dp.max_rows_per_unit = 4;
SELECT shop, dp_count('*', 1e6) AS three_and_one_of_50 FROM uneven GROUP BY shop;
SELECT shop, grouping(shop) AS g, dp_count('*', 1e6) AS three_and_one_of_50 FROM uneven GROUP BY ROLLUP (shop) ORDER BY shop;
SET dp.max_rows_per_unit = 7;
-- Limits that imply others leave these out.
SET dp.max_groups_per_unit = 2;
SELECT unit_of($$SELECT dp_count('*', 1) FROM buys GROUP BY shop$$);
SET dp.max_rows_per_unit = 1;
SELECT unit_of($$SELECT dp_count('*', 1) FROM buys GROUP BY shop$$);
SELECT rows, units FROM by_shop();
RESET dp.max_rows_per_unit;
RESET dp.max_groups_per_unit;
RESET dp.max_rows_per_group;
-- A table with limits of groups.
SELECT dp.protect('buys', 1e9, max_groups_per_unit => 3, max_rows_per_group => 4);
SELECT rows, units FROM by_shop();
SET dp.max_rows_per_unit = 6;
SELECT rows, units FROM by_shop();
SELECT dp_count('*', 1e6) AS four_of_60_and_40 FROM buys;
SET dp.max_groups_per_unit = 9;
SET dp.max_rows_per_group = 1;
SELECT rows, units FROM by_shop();
RESET dp.max_rows_per_unit;
RESET dp.max_groups_per_unit;
RESET dp.max_rows_per_group;
-- A private choice of groups: by the units that count in them.
SELECT dp.no_public_values('buys', 'shop');
SELECT dp.protect('buys', 1e9, 0.5, group_epsilon => 100, group_delta => 1e-12, max_rows_per_unit => 10);
SET dp.max_groups_per_unit = 2;
SELECT rows, units FROM by_shop();
RESET dp.max_groups_per_unit;

-- ---- a limit that was set holds for plans that were made before
PREPARE counted AS SELECT dp_count('*', 1e6) FROM buys;
SET plan_cache_mode = force_generic_plan;
EXECUTE counted;
SET dp.max_rows_per_unit = 2;
EXECUTE counted;
BEGIN;
SET LOCAL dp.max_rows_per_unit = 1;
EXECUTE counted;
ROLLBACK;
EXECUTE counted;
RESET dp.max_rows_per_unit;
EXECUTE counted;
RESET plan_cache_mode;
CREATE FUNCTION of_each() RETURNS bigint LANGUAGE plpgsql SET dp.max_rows_per_unit = 1 AS $$ BEGIN RETURN (SELECT dp_count('*', 1e6) FROM buys); END $$;
SELECT of_each(), dp_count('*', 1e6) AS all FROM buys;

-- ---- another limit is another question
SELECT dp.protect('buys', 1e9, 0.5, max_rows_per_unit => 10, reuse => '1 day'), dp.public_values('buys', 'shop', 'a', 'b', 'c', 'd');
SET ROLE regress_set_limits;
SELECT dp_count('*', 1e6) AS asked FROM buys;
SET dp.max_rows_per_unit = 3;
SELECT epsilon FROM dp.cost($$SELECT dp_count('*', 1e6) FROM buys$$);
SELECT dp_count('*', 1e6) AS asked FROM buys;
SELECT epsilon FROM dp.cost($$SELECT dp_count('*', 1e6) FROM buys$$);
SET dp.max_rows_per_unit = 5;
SET dp.max_groups_per_unit = 3;
SET dp.max_rows_per_group = 3;
SELECT sum(n) FROM (SELECT shop, dp_count('*', 1e6) AS n FROM buys GROUP BY ROLLUP (shop)) AS asked;
SELECT epsilon FROM dp.cost($$SELECT shop, dp_count('*', 1e6) FROM buys GROUP BY ROLLUP (shop)$$);
SET dp.max_rows_per_group = 4;
SELECT epsilon FROM dp.cost($$SELECT shop, dp_count('*', 1e6) FROM buys GROUP BY ROLLUP (shop)$$);
RESET ALL;
RESET ROLE;
SET search_path = unit_set_limits, public;
SET client_min_messages = warning;

-- ---- where a unit has one row, or is a row, there is nothing to limit
CREATE TABLE persons (person int PRIMARY KEY, age int NOT NULL);
INSERT INTO persons SELECT person, person FROM generate_series(1, 100) person;
SET dp.max_rows_per_unit = 1;
SELECT dp.protect('persons', 1e9, privacy_unit => 'person');
SELECT unit_of($$SELECT dp_count('*', 1) FROM persons$$);
SELECT dp_count('*', 1e6) FROM persons;
SELECT dp_sum(n, 0, 100, 1e6) AS all_rows FROM (SELECT person, count(*) AS n FROM buys GROUP BY person) AS p;
RESET dp.max_rows_per_unit;

-- ---- two tables, each with limits of another kind: both hold
CREATE TABLE calls (person int NOT NULL, line text NOT NULL);
INSERT INTO calls SELECT person, line FROM generate_series(1, 100) person, unnest(ARRAY['x', 'y']) line;
SELECT dp.protect('calls', 1e9, privacy_unit => 'person', max_groups_per_unit => 2, max_rows_per_group => 4), dp.public_values('calls', 'line', 'x', 'y');
SELECT unit_of($$SELECT c.line, dp_count('*', 1) FROM buys JOIN calls AS c USING (person) GROUP BY c.line$$);
-- 24 pairs on each line of 60, four in each of two; and one of 40. With seven in all, seven.
SELECT sum(n) AS eight_of_60_two_of_40 FROM (SELECT c.line, dp_count('*', 1e6) AS n FROM buys JOIN calls AS c USING (person) GROUP BY c.line) s;
SELECT dp_count('*', 1e6) AS four_of_60_two_of_40 FROM calls JOIN buys USING (person);
SELECT dp.protect('buys', 1e9, 0.5, max_rows_per_unit => 7);
SELECT unit_of($$SELECT c.line, dp_count('*', 1) FROM buys JOIN calls AS c USING (person) GROUP BY c.line$$);
SELECT sum(n) AS seven_of_60_two_of_40 FROM (SELECT c.line, dp_count('*', 1e6) AS n FROM buys JOIN calls AS c USING (person) GROUP BY c.line) s;

-- ---- the law: what a person with many rows changes, in limits of both kinds
CREATE TABLE owned (unit int NOT NULL, slot int NOT NULL);
-- Unit u has ten rows in each of the slots 2u and 2u + 1; from 10,000 on there is nobody.
INSERT INTO owned SELECT u, 2 * u + s FROM generate_series(0, 9999) u, generate_series(0, 1) s, generate_series(1, 10);
SELECT dp.protect('owned', 1e9, privacy_unit => 'unit', max_groups_per_unit => 2, max_rows_per_group => 2);
SELECT dp.public_values('owned', 'slot', VARIADIC ARRAY(SELECT generate_series(0, 39999)));
SET dp.keep_releases = 0;
-- Three rows, two in one slot and one in the other: noise for three. The odds of n >= 2 and n >= 1 in some order are e at most.
SET dp.max_rows_per_unit = 3;
SELECT ratio / exp(1) BETWEEN 0.6 AND 1.2 AS about_e, ratio / exp(1) < 1.2 AS at_most_e FROM (
    SELECT count(*) FILTER (WHERE hit AND unit < 10000)::float8 / count(*) FILTER (WHERE hit AND unit >= 10000) AS ratio
    FROM (SELECT slot / 2 AS unit, sum(n) >= 3 AND min(n) >= 1 AS hit
          FROM (SELECT slot, dp_count('*', 1, 'geometric') AS n FROM owned GROUP BY slot) s GROUP BY 1) u) r;
RESET dp.max_rows_per_unit;
-- One row: noise for one, which is e at n >= 1.
SET dp.max_rows_per_unit = 1;
SELECT ratio / exp(1) < 1.2 AS at_most_e, ratio > 1.5 AS seen FROM (
    SELECT count(*) FILTER (WHERE n >= 1 AND slot < 20000)::float8 / count(*) FILTER (WHERE n >= 1 AND slot >= 20000) AS ratio
    FROM (SELECT slot, dp_count('*', 1, 'geometric') AS n FROM owned GROUP BY slot) s) r;
RESET dp.max_rows_per_unit;
RESET dp.keep_releases;

SET dp.allow_drop = on;
DROP OWNED BY regress_set_limits;
DROP ROLE regress_set_limits;
DROP SCHEMA unit_set_limits CASCADE;
