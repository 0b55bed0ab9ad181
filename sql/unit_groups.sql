-- Privacy units in groups that are known beforehand: one aggregate finds the unit and the group of a row, the others count it there
-- (src/aggregate/unit/group_states.h). At an epsilon at which noise is nothing they must say what SQL says, for all types of units
-- and keys, and whether or not the records fit into memory.
CALL own_schema('unit_groups');
SET client_min_messages = warning;
SET dp.allow_drop = on;
CREATE FUNCTION answers(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE result text;
BEGIN
  EXECUTE format('SELECT string_agg(a::text, '' '' ORDER BY a::text) FROM (%s) a', query) INTO result;
  RETURN result;
END $$;
-- 997 units of 1 to 40 rows, some in one group and some in all of ten, one of 20,000 rows, and rows of nobody; a group that is not
-- public, and values that are NULL
CREATE TABLE stays (unit int, g int, x int, v float8);
INSERT INTO stays SELECT (i * 7919) % 997, (i / 997 * ((i * 7919) % 5) + i % 997) % 10, i % 23 - 5, i % 13 FROM generate_series(1, 21000) i
  WHERE (i / 997) * 2 <= (i * 7919) % 997 % 41;
INSERT INTO stays SELECT 77, i % 7, i % 23, 3 FROM generate_series(1, 20000) i;
INSERT INTO stays SELECT NULL, i % 10, 10, 10 FROM generate_series(1, 100) i;
INSERT INTO stays SELECT i, 4, NULL, NULL FROM generate_series(1, 10) i;
INSERT INTO stays SELECT i, NULL, 5, 5 FROM generate_series(1, 300) i;
INSERT INTO stays SELECT i % 997, 99, 5, 5 FROM generate_series(1, 5000) i;
VACUUM ANALYZE stays;
SELECT dp.protect('stays', 9e9, privacy_unit => 'unit', max_groups_per_unit => 200, max_rows_per_group => 3);
SELECT dp.public_values('stays', 'g', VARIADIC ARRAY(SELECT generate_series(0, 12)));
-- One pass, no grouping
EXPLAIN (COSTS OFF) SELECT g, dp_count('*', 1e6), dp_sum(x, 0, 10, 1e6) FROM stays GROUP BY g;
-- By hand: in each group all rows of a unit, cut to what three rows can have. Groups 10 to 12 have no rows; 99 is not shown.
SELECT g, dp_count('*', 1e6), dp_count(x, 1e6), dp_count(DISTINCT unit, 1e6), dp_sum(x, 0, 10, 1e6), dp_sum(x, -5, 20, 1e6),
  dp_count('*', 1e6) FILTER (WHERE x > 1000) AS none FROM stays GROUP BY g ORDER BY g;
WITH u AS (
  SELECT unit, g, count(*) AS rows, count(x) AS known, sum(clamp(x, 0, 10)) FILTER (WHERE x IS NOT NULL) AS narrow,
    sum(clamp(x, -5, 20)) FILTER (WHERE x IS NOT NULL) AS wide
  FROM stays WHERE unit IS NOT NULL GROUP BY unit, g)
SELECT g, sum(least(rows, 3)), sum(least(known, 3)), count(*), sum(least(narrow, 30)), sum(greatest(-15, least(wide, 60)))
FROM u WHERE g IS DISTINCT FROM 99 GROUP BY g ORDER BY g;
SELECT g, dp_sum(x, 0, 10, 1e6) FILTER (WHERE x > 5) AS sum, dp_avg(v, 0, 10, 1e6)::numeric(20, 2) AS avg FROM stays WHERE g < 3 AND unit <> 77 GROUP BY g;
WITH u AS (
  SELECT unit, g, coalesce(sum(clamp(x, 0, 10)) FILTER (WHERE x > 5), 0) AS sum, count(v) AS rows, sum(clamp(v, 0, 10)) FILTER (WHERE v IS NOT NULL) AS total
  FROM stays WHERE unit <> 77 GROUP BY unit, g)
SELECT g, sum(least(sum, 30)), (sum(total * least(rows, 3) / rows) / sum(least(rows, 3)))::numeric(20, 4) FROM u WHERE g < 3 GROUP BY g ORDER BY g;
-- The same from PostgreSQL's own grouping, of units of a type that does not tell them apart by bytes: every type of unit and of key, in
-- memory and on disk
CREATE TYPE mood AS ENUM ('m0', 'm1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8', 'm9', 'm99');
CREATE TABLE form (type text, unit text, key_type text, key text);
INSERT INTO form VALUES
  ('int', 'unit', 'int', 'g'), ('bigint', 'unit * 1000000000000', 'text', 'repeat(g::text, 20)'), ('smallint', '-unit', 'numeric', 'g::numeric(9, 2)'),
  ('uuid', 'md5(unit::text)::uuid', 'text', 'g'), ('text', 'unit', 'char(4)', 'g'), ('text', 'repeat(unit::text, 40)', 'bigint', 'g'),
  ('date', 'date ''2020-01-01'' + unit', 'date', 'date ''2020-01-01'' + g'), ('varchar(40)', '''unit '' || unit', 'float8', 'g'),
  ('timestamptz', 'timestamptz ''2020-01-01'' + unit * interval ''1 second''', 'mood', '(''m'' || g)::mood'), ('int', 'unit', 'boolean', 'g > 4'),
  ('boolean', 'unit > 500', 'smallint', 'g');
CREATE FUNCTION ask(unit_type text, unit text, key_type text, key text, memory text, OUT plan text, OUT answers text) LANGUAGE plpgsql AS $$
DECLARE
  query text := 'SELECT g::text, dp_count(''*'', 1e6), dp_count(x, 1e6), dp_count(DISTINCT unit, 1e6), dp_sum(x, 0, 10, 1e6), '
    'dp_sum(v, 0, 10, 1e6)::numeric(20, 0), dp_variance(x, -5, 20, 1e6)::numeric(20, 1) * sign(dp_count(x, 1e6)) FROM typed GROUP BY g';
  line text;
BEGIN
  EXECUTE format('CREATE TABLE typed (unit %s, g %s, x int, v float8)', unit_type, key_type);
  EXECUTE format('INSERT INTO typed SELECT %s, %s, x, v FROM stays', unit, key);
  PERFORM dp.protect('typed', 9e9, privacy_unit => 'unit', max_groups_per_unit => 20, max_rows_per_group => 3);
  IF key_type NOT IN ('boolean', 'mood') THEN
    EXECUTE format('SELECT dp.public_values(''typed'', ''g'', VARIADIC ARRAY(SELECT DISTINCT (%s)::text FROM stays WHERE g < 99))', key);
  END IF;
  PERFORM set_config('work_mem', memory, true);
  plan := 'one pass';
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    IF line ~ 'Group' THEN plan := 'parts'; END IF;
  END LOOP;
  answers := unit_groups.answers(query);
  DROP TABLE typed;
END $$;
SELECT type, key_type, fast.plan, small.plan, slow.plan, fast.answers = slow.answers AS same, small.answers = slow.answers AS same_on_disk, length(slow.answers) > 50 AS many
FROM form, ask(type, unit, key_type, key, '64MB') fast, ask(type, unit, key_type, key, '64kB') small,
  ask('numeric', CASE WHEN type = 'boolean' THEN '(unit > 500)::int' ELSE 'unit' END, key_type, key, '64MB') slow
ORDER BY 1, 2;
-- Several keys, NULL among them; a key that is the same for all rows of a unit; keys that conditions exclude
SELECT dp.public_values('stays', 'x', VARIADIC ARRAY(SELECT generate_series(-5, 17))), dp.public_values('stays', 'unit % 3', '0', '1', '2');
SELECT answers('SELECT g, x, dp_count(''*'', 1e6) AS n FROM stays GROUP BY g, x') =
  answers($$SELECT g, x, coalesce(sum(least(n, 3)) FILTER (WHERE n > 0), 0)::bigint AS n
    FROM (SELECT generate_series(0, 12) AS g UNION ALL SELECT NULL) gs CROSS JOIN (SELECT generate_series(-5, 17) AS x UNION ALL SELECT NULL) xs
    LEFT JOIN (SELECT unit, g AS og, x AS ox, count(*) AS n FROM stays WHERE unit IS NOT NULL GROUP BY unit, g, x) s
      ON og IS NOT DISTINCT FROM g AND ox IS NOT DISTINCT FROM x GROUP BY g, x$$) AS same;
SELECT unit % 3 AS third, dp_count('*', 1e6) FROM stays GROUP BY 1 ORDER BY 1;
SELECT unit % 3, sum(least(n, 3)) FROM (SELECT unit, count(*) AS n FROM stays WHERE unit IS NOT NULL GROUP BY unit) u GROUP BY 1 ORDER BY 1;
SELECT g, dp_count('*', 1e6) FROM stays WHERE g IN (2, 5, 99) GROUP BY g ORDER BY g;
-- Answers to no rows, and those of nobody
SELECT g, dp_count('*', 1e6), dp_sum(x, 0, 10, 1e6) FROM stays WHERE g < 2 AND unit < 0 GROUP BY g ORDER BY g;
SELECT g, dp_count('*', 1e6) FROM stays WHERE g < 2 AND unit IS NULL GROUP BY g ORDER BY g;
-- With its error, and as rows of a larger query
SELECT g, n, round(e::numeric, 3) FROM (SELECT g, dp_count('*', 1e6) AS n, dp_error(dp_count('*', 1e6), 0.95) AS e FROM stays GROUP BY g) a WHERE g < 2 ORDER BY g;
SELECT count(*), sum(n) FROM (SELECT g, dp_count('*', 1e6) AS n FROM stays GROUP BY g) a;
-- max_groups_per_unit: some of a unit's groups, the same number in all
SELECT dp.protect('stays', 9e9, privacy_unit => 'unit', max_groups_per_unit => 2, max_rows_per_group => 3);
SELECT sum(n), sum(units) FROM (SELECT g, dp_count('*', 1e6) AS n, dp_count(DISTINCT unit, 1e6) AS units FROM stays WHERE unit = 77 AND g >= 0 GROUP BY g) a;
SELECT sum(units) = (SELECT sum(least(n, 2)) FROM (SELECT unit, count(DISTINCT g) + count(DISTINCT g IS NULL) FILTER (WHERE g IS NULL) AS n FROM stays WHERE g IS DISTINCT FROM 99 AND unit IS NOT NULL GROUP BY unit) u) AS same
FROM (SELECT g, dp_count(DISTINCT unit, 1e6) AS units FROM stays GROUP BY g) a;
-- max_rows_per_unit: each group has its share, and rows that are in no group that is shown take none
SELECT dp.protect('stays', 9e9, privacy_unit => 'unit', max_rows_per_unit => 5);
SELECT sum(n) = (SELECT sum(least(n, 5)) FROM (SELECT count(*) AS n FROM stays WHERE g IS DISTINCT FROM 99 AND unit IS NOT NULL GROUP BY unit) u) AS same
FROM (SELECT g, dp_count('*', 1e6) AS n FROM stays GROUP BY g) a;
SET work_mem = '64kB';
SELECT sum(n) = (SELECT sum(least(n, 5)) FROM (SELECT count(*) AS n FROM stays WHERE g IS DISTINCT FROM 99 AND unit IS NOT NULL GROUP BY unit) u) AS same
FROM (SELECT g, dp_count('*', 1e6) AS n FROM stays GROUP BY g) a;
-- As little memory as PostgreSQL lets a server have: all of it is what partitions need.
SET hash_mem_multiplier = 1;
SELECT sum(n) = (SELECT sum(least(n, 5)) FROM (SELECT count(*) AS n FROM stays WHERE g IS DISTINCT FROM 99 AND unit IS NOT NULL GROUP BY unit) u) AS same
FROM (SELECT g, dp_count('*', 1e6) AS n FROM stays GROUP BY g) a;
RESET hash_mem_multiplier;
RESET work_mem;
-- The same limits where PostgreSQL groups, of units that have several forms
CREATE TABLE forms AS SELECT unit::numeric AS unit, g, x FROM stays WHERE g IS DISTINCT FROM 99;
SELECT dp.protect('forms', 9e9, privacy_unit => 'unit', max_rows_per_unit => 5), dp.public_values('forms', 'g', VARIADIC ARRAY(SELECT generate_series(0, 12)));
SELECT sum(n) = (SELECT sum(least(n, 5)) FROM (SELECT count(*) AS n FROM forms WHERE unit IS NOT NULL GROUP BY unit) u) AS same, sum(none) AS none
FROM (SELECT g, dp_count('*', 1e6) AS n, dp_sum(x, 0, 10, 1e6) FILTER (WHERE x > 1000) AS none FROM forms GROUP BY g) a;
SELECT dp.protect('forms', 9e9, privacy_unit => 'unit', max_groups_per_unit => 2, max_rows_per_group => 3);
SELECT sum(units) = (SELECT sum(least(n, 2)) FROM (SELECT count(*) AS n FROM (SELECT DISTINCT unit, g FROM forms WHERE unit IS NOT NULL) p GROUP BY unit) u) AS same
FROM (SELECT g, dp_count(DISTINCT unit, 1e6) AS units FROM forms GROUP BY g) a;
CREATE TABLE shares (unit int NOT NULL, g text NOT NULL);
INSERT INTO shares SELECT unit, CASE WHEN i <= 8 THEN 'a' ELSE 'b' END FROM generate_series(1, 1000) unit, generate_series(1, 10) i;
SELECT dp.protect('shares', 9e9, privacy_unit => 'unit', max_rows_per_unit => 5), dp.public_values('shares', 'g', 'a', 'b');
SELECT g, dp_count('*', 1e6) FROM shares GROUP BY g ORDER BY g;
-- ... and rows that a filter leaves out take their share as well
SELECT g, dp_count('*', 1e6) FILTER (WHERE unit <= 500) FROM shares GROUP BY g ORDER BY g;
-- One row of ten: a has it in about 800 of 1000; one group of two, in about 500 (both within 6 standard deviations)
SET dp.max_rows_per_unit = 1;
SELECT sum(n), bool_and(n BETWEEN CASE g WHEN 'a' THEN 725 ELSE 125 END AND CASE g WHEN 'a' THEN 875 ELSE 275 END) AS as_likely
FROM (SELECT g, dp_count('*', 1e6) AS n FROM shares GROUP BY g) a;
RESET dp.max_rows_per_unit;
SELECT dp.protect('shares', 9e9, privacy_unit => 'unit', max_groups_per_unit => 1, max_rows_per_group => 1);
SELECT sum(n), bool_and(n BETWEEN 405 AND 595) AS as_likely FROM (SELECT g, dp_count('*', 1e6) AS n FROM shares GROUP BY g) a;
-- Many more units and groups than fit, so that what is on disk is partitioned again; and few units with many rows
CREATE TABLE crowd (unit bigint, g int NOT NULL, x int);
INSERT INTO crowd SELECT (i::bigint * 7919) % 50001, i * 31 % 1000, i % 23 FROM generate_series(1, 300000) i;
CREATE TABLE named AS SELECT 'the person of the number ' || unit AS unit, g, x FROM crowd;
CREATE TABLE few AS SELECT unit % 7 AS unit, g, x FROM crowd;
ALTER TABLE named ALTER g SET NOT NULL;
ALTER TABLE few ALTER g SET NOT NULL;
CREATE FUNCTION by_hand(people text) RETURNS text LANGUAGE sql AS $$
  SELECT answers(format('SELECT g, sum(least(rows, 2))::bigint AS n, sum(least(total, 20))::bigint AS s FROM (SELECT unit, g, count(*) AS rows,
    sum(least(x, 10)) AS total FROM %I GROUP BY unit, g) u GROUP BY g', people)) $$;
DO $$
DECLARE
  people text; memory text; private text;
BEGIN
  FOREACH people IN ARRAY ARRAY['crowd', 'named', 'few'] LOOP
    PERFORM dp.protect(people, 9e9, privacy_unit => 'unit', max_groups_per_unit => 1000, max_rows_per_group => 2);
    PERFORM dp.public_values(people, 'g', VARIADIC ARRAY(SELECT generate_series(0, 999)));
    FOREACH memory IN ARRAY ARRAY['64kB', '2MB', '64MB'] LOOP
      PERFORM set_config('work_mem', memory, true);
      private := answers(format('SELECT g, dp_count(''*'', 1e6) AS n, dp_sum(x, 0, 10, 1e6) AS s FROM %I GROUP BY g', people));
      IF private IS DISTINCT FROM by_hand(people) THEN RAISE EXCEPTION '% with %: not the same', people, memory; END IF;
    END LOOP;
  END LOOP;
END $$;
-- Units of many bytes do not wait in memory until there are many of them.
CREATE TABLE lengthy AS SELECT repeat('the person of the number ', 200) || i % 90 AS unit, i % 5 AS g, i % 23 AS x FROM generate_series(1, 1500) i;
ALTER TABLE lengthy ALTER g SET NOT NULL;
SELECT dp.protect('lengthy', 9e9, privacy_unit => 'unit', max_groups_per_unit => 5, max_rows_per_group => 2);
SELECT dp.public_values('lengthy', 'g', VARIADIC ARRAY[0, 1, 2, 3, 4]);
DO $$
DECLARE line text; spilled boolean := false;
BEGIN
  SET LOCAL work_mem = '64kB';
  IF answers('SELECT g, dp_count(''*'', 1e6) AS n, dp_sum(x, 0, 10, 1e6) AS s FROM lengthy GROUP BY g') IS DISTINCT FROM by_hand('lengthy') THEN
    RAISE EXCEPTION 'not the same';
  END IF;
  FOR line IN EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, COSTS off, TIMING off, SUMMARY off) SELECT g, dp_count(''*'', 1e6) FROM lengthy GROUP BY g' LOOP
    spilled := spilled OR line ~ 'temp read=\d+ written=\d+';
  END LOOP;
  IF NOT spilled THEN RAISE EXCEPTION 'all in memory'; END IF;
END $$;
-- A query that ends while its records are on disk leaves no files, and the next one answers.
SET work_mem = '64kB';
SET temp_file_limit = '1MB';
\set VERBOSITY sqlstate
SELECT g, dp_count('*', 1e6) FROM crowd WHERE g < 1000 GROUP BY g;
\set VERBOSITY default
RESET temp_file_limit;
SELECT g, dp_count('*', 1e6) FROM crowd WHERE g < 2 GROUP BY g ORDER BY g;
BEGIN;
DECLARE rows CURSOR FOR SELECT g, dp_count('*', 1e6) FROM few GROUP BY g;
FETCH 2 FROM rows;
COMMIT;
SELECT count(*) FROM pg_ls_tmpdir();
RESET work_mem;
-- A few units need no disk, however many rows they have.
SELECT dp.protect('few', 9e9, max_groups_per_unit => 1000, max_rows_per_group => 40);
SET work_mem = '512kB';
SET temp_file_limit = 0;
SELECT g, dp_count('*', 1e6) FROM few GROUP BY g ORDER BY g LIMIT 3; -- 40 of the 42 or 43 rows of each of 7 people
RESET temp_file_limit;
RESET work_mem;
-- Other ways: groups that are not known, samples of rows, too many groups, grouping sets, and more than one kind of count
CREATE FUNCTION way(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE line text;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    IF line ~ 'Group|WindowAgg|MixedAgg|HashAgg' THEN RETURN 'other'; END IF;
  END LOOP;
  RETURN 'one pass';
END $$;
SELECT dp.public_values('crowd', 'x', VARIADIC ARRAY(SELECT generate_series(1, 11)));
SELECT query, way(query) FROM unnest(ARRAY['SELECT g, dp_count(''*'', 1) FROM crowd GROUP BY g', 'SELECT g, dp_median(x, 0, 10, 1) FROM crowd GROUP BY g',
  'SELECT g, x, dp_count(''*'', 1) FROM crowd GROUP BY g, x', 'SELECT g, dp_count(''*'', 1) FROM crowd GROUP BY ROLLUP (g)',
  'SELECT g, dp_count(''*'', 1), dp_count(''*'', 1) FILTER (WHERE x > 3) FROM crowd GROUP BY g',
  'SELECT g, dp_count(DISTINCT x, 1) FROM crowd GROUP BY g', 'SELECT g, GROUPING(g), dp_count(''*'', 1) FROM crowd GROUP BY g']) query;
-- Groups from rows of public tables, as many as the last ANALYZE counted, and steps of a declared range
CREATE TABLE place (id int PRIMARY KEY, name text NOT NULL);
INSERT INTO place SELECT i, 'place ' || i FROM generate_series(0, 99) i;
CREATE TABLE spot (id int PRIMARY KEY, name text NOT NULL);
INSERT INTO spot SELECT i, 'spot ' || i FROM generate_series(0, 10999) i;
CREATE TABLE uncounted (LIKE place INCLUDING ALL) WITH (autovacuum_enabled = off);
INSERT INTO uncounted TABLE place;
ANALYZE place, spot;
SELECT dp.declare_range('crowd', 'x', 0, 30);
SELECT query, way(query) FROM unnest(ARRAY['SELECT name, dp_count(''*'', 1) FROM crowd JOIN place ON place.id = g GROUP BY name',
  'SELECT name, dp_count(''*'', 1) FROM crowd JOIN spot ON spot.id = g GROUP BY name',
  'SELECT name, dp_count(''*'', 1) FROM crowd JOIN uncounted ON uncounted.id = g GROUP BY name',
  'SELECT upper(left(name, 7)), x / 10, dp_count(''*'', 1) FROM crowd JOIN place ON place.id = g GROUP BY 1, 2']) query;
SELECT md5(answers('SELECT name, dp_count(''*'', 1e6) AS n FROM crowd JOIN place ON place.id = g GROUP BY name'))
  = md5(answers('SELECT name, dp_count(''*'', 1e6) AS n FROM crowd JOIN uncounted AS place ON place.id = g GROUP BY name')) AS same,
  md5(answers('SELECT name, x / 10, dp_sum(x, 0, 30, 1e6)::numeric(20, 0) AS n FROM crowd JOIN place ON place.id = g GROUP BY 1, 2'))
  = md5(answers('SELECT name, x / 10, dp_sum(x, 0, 30, 1e6)::numeric(20, 0) AS n FROM crowd JOIN uncounted AS place ON place.id = g GROUP BY 1, 2')) AS steps;
-- Nor more keys than an aggregate takes arguments, nor many aggregates of many groups, whose states are all in memory
CREATE TABLE wide (unit int);
DO $$ BEGIN FOR i IN 1..96 LOOP EXECUTE format('ALTER TABLE wide ADD k%s int NOT NULL DEFAULT 1', i); END LOOP; END $$;
INSERT INTO wide SELECT generate_series(1, 10);
SELECT dp.protect('wide', 9e9, privacy_unit => 'unit', max_rows_per_unit => 5);
SELECT count(*), sum(dp.public_values('wide', 'k' || i, 1)) FROM generate_series(1, 96) i;
CREATE FUNCTION of_keys(keys int) RETURNS text LANGUAGE sql AS $$
  SELECT format('SELECT %s, dp_count(''*'', 1e6) AS n FROM wide GROUP BY %1$s', string_agg('k' || i, ', ')) FROM generate_series(1, keys) i $$;
SELECT keys, way(of_keys(keys)), right(answers(of_keys(keys)), 4) AS answer FROM unnest(ARRAY[95, 96]) keys;
SELECT aggregates, way(format('SELECT g, %s FROM crowd GROUP BY g', calls)) FROM (
  SELECT aggregates, string_agg(format('dp_sum(x, 0, %s, 1)', i), ', ') AS calls FROM unnest(ARRAY[100, 101]) aggregates, generate_series(1, aggregates) i
  GROUP BY aggregates) a ORDER BY 1;
-- By themselves these aggregates refuse.
SELECT dp_internal.units_row(g, unit, 0::bigint, 0::bigint, 3::bigint) FROM few;
SELECT dp_internal.groups_bigint('*'::text, 1::float8, 0::oid) FROM few;
DROP SCHEMA unit_groups CASCADE;
