-- Privacy units without group keys: aggregates that keep the states of all units (src/aggregate/unit/unit_states.h). At an epsilon
-- at which noise is nothing, they must say what SQL says, for all types of units, and whether or not the units fit into memory.
CALL own_schema('unit_states');
SET client_min_messages = warning;
SET dp.allow_drop = on;
-- 3,707 units of 1 to 14 rows, one of 4,000, and rows of nobody.
CREATE TABLE stays (unit int, x int, v float8, n numeric);
INSERT INTO stays SELECT (i * 7919) % 5000, i % 23 - 5, i % 101 / 8.0, i % 19 / 4.0 FROM generate_series(1, 35000) i
  WHERE i % 4999 >= ((i * 7919) % 5000) % 3000;
INSERT INTO stays SELECT 77, i % 23, 3, NULL FROM generate_series(1, 4000) i;
INSERT INTO stays SELECT NULL, 10, 10, 10 FROM generate_series(1, 100);
INSERT INTO stays SELECT i, NULL, NULL, NULL FROM generate_series(1, 10) i;
VACUUM ANALYZE stays;
SELECT dp.protect('stays', 9e9, privacy_unit => 'unit', max_rows_per_unit => 3);
-- One aggregate, no query between
EXPLAIN (COSTS OFF) SELECT dp_count('*', 1e6) FROM stays;
-- Counts and sums by hand: all rows of a unit, cut to what three rows can have
SELECT dp_count('*', 1e6), dp_count(x, 1e6), dp_count(DISTINCT unit, 1e6), dp_sum(x, 0, 10, 1e6), dp_sum(x, -5, 20, 1e6) FROM stays;
SELECT dp_count('*', 1e6) FILTER (WHERE x > 5) FROM stays;
WITH u AS (
  SELECT unit, count(*) AS rows, count(x) AS known, sum(clamp(x, 0, 10)) AS narrow, sum(clamp(x, -5, 20)) AS wide, count(*) FILTER (WHERE x > 5) AS large
  FROM stays WHERE unit IS NOT NULL GROUP BY unit)
SELECT sum(least(rows, 3)), sum(least(known, 3)), count(*), sum(least(narrow, 30)), sum(greatest(-15, least(wide, 60))), sum(least(large, 3)) FROM u;
-- Means by hand: the unit's own, at the weight of three rows
SELECT round(dp_avg(x, -5, 20, 1e6)::numeric, 6) FROM stays;
WITH u AS (SELECT count(x) AS rows, sum(clamp(x::numeric, -5, 20) + 5) AS total FROM stays WHERE unit IS NOT NULL GROUP BY unit)
SELECT round(sum(CASE WHEN rows <= 3 THEN total ELSE div(total * 3, rows) END) / sum(least(rows, 3)) - 5, 6) FROM u;
SET dp.epsilon = 1e6;
SELECT dp_count(*), dp_sum(x, 0, 10, 1e6) FILTER (WHERE x > 5) FROM stays;
-- Conditions, and answers to no rows
SELECT dp_count('*', 1e6), dp_sum(x, 0, 10, 1e6), round(dp_avg(x, 0, 10, 1e6)) BETWEEN 0 AND 10 FROM stays WHERE x > 1000;
SELECT dp_count('*', 1e6) FROM stays WHERE unit IS NULL;
SELECT dp_count('*', 1e6), dp_sum(x, 0, 10, 1e6) FROM stays WHERE unit = 77;
-- Limits of groups, where all is one group
SELECT dp.protect('stays', 9e9, max_groups_per_unit => 4, max_rows_per_group => 2);
SELECT dp_count('*', 1e6), dp_count(DISTINCT unit, 1e6), dp_sum(x, 0, 10, 1e6) FROM stays;
SELECT sum(least(rows, 2)), count(*), sum(least(total, 20))
FROM (SELECT count(*) AS rows, sum(clamp(x, 0, 10)) AS total FROM stays WHERE unit IS NOT NULL GROUP BY unit) u;
-- Every type, in memory and on disk, against the path that PostgreSQL computes with (of numeric)
CREATE DOMAIN number_of_unit AS int;
CREATE COLLATION any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE form (type text, expression text);
INSERT INTO form VALUES
  ('numeric', 'unit'), ('int', 'unit'), ('smallint', 'unit'), ('bigint', 'unit * 1000000000000'), ('bigint', '-unit'), ('oid', 'unit'),
  ('date', 'date ''2020-01-01'' + unit'), ('timestamp', 'timestamp ''2020-01-01'' + unit * interval ''1 second'''),
  ('timestamptz', 'timestamptz ''2020-01-01'' + unit * interval ''1 microsecond'''), ('uuid', 'md5(unit::text)::uuid'),
  ('text', 'unit'), ('text', 'repeat(unit::text, 40)'), ('varchar(40)', '''unit '' || unit'), ('text COLLATE "C"', 'nullif(unit, 0)'),
  ('number_of_unit', 'unit'), ('char(8)', 'unit'), ('float8', 'unit');
CREATE FUNCTION ask(type text, expression text, memory text, OUT plan text, OUT answers text) LANGUAGE plpgsql AS $$
DECLARE
  -- What fits narrow states, and what does not
  query text := 'SELECT concat_ws('' '', dp_count(''*'', 1e6), dp_count(x, 1e6), dp_count(DISTINCT unit, 1e6), dp_sum(x, 0, 10, 1e6), '
    'dp_sum(v, 0, 10, 1e6)::numeric(20, 0), dp_sum(n, 0, 4, 1e6)::numeric(20, 0), dp_avg(v, 0, 10, 1e6)::numeric(20, 2)) FROM typed';
  wide text := 'SELECT concat_ws('' '', dp_variance(x, -5, 20, 1e6)::numeric(20, 1), dp_stddev(v, 0, 15, 1e6)::numeric(20, 2)) FROM typed';
  line text;
  others text;
BEGIN
  EXECUTE format('CREATE TABLE typed (unit %s, x int, v float8, n numeric)', type);
  EXECUTE format('INSERT INTO typed SELECT %s, x, v, n FROM stays', expression);
  PERFORM dp.protect('typed', 9e9, privacy_unit => 'unit', max_rows_per_unit => 3);
  PERFORM set_config('work_mem', memory, true);
  plan := 'tables';
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    IF line ~ 'Group' THEN plan := 'parts'; END IF;
  END LOOP;
  EXECUTE query INTO answers;
  EXECUTE wide INTO others;
  answers := answers || ' ' || others;
  DROP TABLE typed;
END $$;
SELECT * FROM ask('numeric', 'unit', '64MB');
SELECT type, expression, (ask(type, expression, '64MB')).* FROM form WHERE expression !~ 'nullif' ORDER BY 1, 2;
SELECT type, expression, plan, answers = (ask('numeric', CASE WHEN expression ~ 'nullif' THEN expression ELSE 'unit' END, '64MB')).answers AS same
FROM form, ask(type, expression, '64kB') ORDER BY 1, 2;
-- Where different bytes can be equal, PostgreSQL tells units apart.
CREATE TABLE shouted (unit text COLLATE any_case);
INSERT INTO shouted VALUES ('a'), ('A'), ('b');
SELECT dp.protect('shouted', 9e9, privacy_unit => 'unit', max_rows_per_unit => 1);
EXPLAIN (COSTS OFF) SELECT dp_count('*', 1e6) FROM shouted;
SELECT dp_count('*', 1e6) FROM shouted;
-- Two units
SELECT * FROM ask('boolean', 'unit > 2500', '64MB');
SELECT (SELECT answers FROM ask('boolean', 'unit > 2500', '64kB')) = (SELECT answers FROM ask('numeric', '(unit > 2500)::int', '64kB')) AS same;
-- Many more units than fit, so that what is on disk is partitioned again
CREATE TABLE crowd (unit bigint, x int);
INSERT INTO crowd SELECT (i::bigint * 7919) % 150001, i % 23 FROM generate_series(1, 400000) i;
CREATE TABLE named AS SELECT 'the person of the number ' || unit AS unit, x FROM crowd;
SELECT dp.protect('crowd', 9e9, privacy_unit => 'unit', max_rows_per_unit => 2);
SELECT dp.protect('named', 9e9, privacy_unit => 'unit', max_rows_per_unit => 2);
SELECT sum(least(rows, 2)), sum(least(total, 20)), count(*) FROM (SELECT count(*) AS rows, sum(least(x, 10)) AS total FROM crowd GROUP BY unit) u;
SET work_mem = '64MB';
SELECT dp_count('*', 1e6), dp_sum(x, 0, 10, 1e6), dp_count(DISTINCT unit, 1e6) FROM crowd;
SELECT dp_count('*', 1e6), dp_sum(x, 0, 10, 1e6), dp_count(DISTINCT unit, 1e6) FROM named;
SET work_mem = '64kB';
SELECT dp_count('*', 1e6), dp_sum(x, 0, 10, 1e6), dp_count(DISTINCT unit, 1e6) FROM crowd;
SELECT dp_count('*', 1e6), dp_sum(x, 0, 10, 1e6), dp_count(DISTINCT unit, 1e6) FROM named;
SELECT dp_count('*', 1e6), dp_sum(x, 0, 10, 1e6), dp_count(DISTINCT unit, 1e6) FROM (SELECT * FROM named ORDER BY unit) n;
-- A sum that may be negative: names are told apart by their bytes (core/accumulate/unit_key.h)
SELECT dp_count('*', 1e6), dp_sum(x, -1, 10, 1e6), dp_count(DISTINCT unit, 1e6) FROM named;
SELECT dp_count('*', 1e6), dp_sum(x, -1, 10, 1e6), dp_count(DISTINCT unit, 1e6) FROM (SELECT * FROM named ORDER BY unit) n;
-- Nothing but a count, of units that hardly ever come again soon
SELECT dp_count('*', 1e6) AS of_numbers FROM crowd;
SELECT dp_count('*', 1e6) AS of_names FROM named;
RESET work_mem;
-- Numbers far apart, and names, have places by a hash (unit_places.h): all of them, or until there are too many
CREATE TABLE scattered AS SELECT unit * 1000000007 AS unit, x FROM crowd;
SELECT dp.protect('scattered', 9e9, privacy_unit => 'unit', max_rows_per_unit => 2);
CREATE FUNCTION ask_both(memory text, question text) RETURNS TABLE (scattered text, named text) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('work_mem', memory, true);
  EXECUTE format('SELECT s::text FROM (SELECT %s FROM scattered) s', question) INTO scattered;
  EXECUTE format('SELECT s::text FROM (SELECT %s FROM named) s', question) INTO named;
  RETURN NEXT;
END $$;
SELECT memory, question, (ask_both(memory, question)).* FROM unnest('{64MB,4MB,1MB}'::text[]) memory,
  unnest(ARRAY['dp_count(''*'', 1e6)', 'dp_count(''*'', 1e6), dp_sum(x, 0, 10, 1e6), dp_count(DISTINCT unit, 1e6)',
    'dp_sum(x, -1, 10, 1e6), dp_avg(x, 0, 22, 1e6)::numeric(20, 3)']) question;
SELECT sum(least(rows, 2)), sum(least(total, 20)), count(*), round(sum(CASE WHEN rows <= 2 THEN all_of ELSE div(all_of * 2, rows) END) / sum(least(rows, 2)), 3)
FROM (SELECT count(*) AS rows, sum(least(x, 10)) AS total, sum(x) AS all_of FROM crowd GROUP BY unit) u;
-- Places that hardly any row finds any more are given up: of people with one row each, and of those whose rows are neighbours
CREATE TABLE passers AS SELECT 'passer ' || i AS unit FROM generate_series(1, 250000) i;
SELECT dp.protect('passers', 9e9, privacy_unit => 'unit', max_rows_per_unit => 1);
SET work_mem = '512kB';
SELECT dp_count('*', 1e6) FROM passers;
DROP TABLE passers;
SET work_mem = '1MB';
SELECT dp_count('*', 1e6), dp_sum(x, 0, 10, 1e6), dp_count(DISTINCT unit, 1e6) FROM (SELECT * FROM named ORDER BY unit) n;
RESET work_mem;
-- A few units need no disk, however many rows they have.
CREATE TABLE regulars AS SELECT (unit * 31) % 701 - 350 AS unit, x FROM crowd;
CREATE TABLE named_regulars AS SELECT 'the person of the number ' || unit AS unit, x FROM regulars;
SELECT dp.protect('regulars', 9e9, privacy_unit => 'unit', max_rows_per_unit => 500);
SELECT dp.protect('named_regulars', 9e9, privacy_unit => 'unit', max_rows_per_unit => 500);
SELECT sum(least(rows, 500)), sum(least(total, 5000)), count(*) FROM (SELECT count(*) AS rows, sum(least(x, 10)) AS total FROM regulars GROUP BY unit) u;
SET work_mem = '256kB';
SET temp_file_limit = 0;
SELECT dp_count('*', 1e6), dp_sum(x, 0, 10, 1e6), dp_count(DISTINCT unit, 1e6) FROM regulars;
SELECT dp_count('*', 1e6), dp_sum(x, 0, 10, 1e6), dp_count(DISTINCT unit, 1e6) FROM named_regulars;
RESET temp_file_limit;
RESET work_mem;
-- Units of so many rows that narrow states cannot hold them, and no two rows of one are neighbours
CREATE TABLE heavy AS SELECT i % 3 - 1 AS unit, CASE WHEN i % 2 = 0 THEN i % 1000000 ELSE -7 END AS x FROM generate_series(1, 300000) i;
CREATE TABLE plain AS SELECT count(*) AS rows, sum(x::numeric) AS total FROM heavy GROUP BY unit;
SELECT dp.protect('heavy', 9e9, privacy_unit => 'unit', max_rows_per_unit => 70000);
-- (noise on the sum is 70,000 on average, and 1 on the mean unlikely)
SELECT dp_count('*', 1e6), abs(dp_sum(x, -10, 1000000, 1e6) - (SELECT sum(least(total, 70000 * 1000000::numeric)) FROM plain)) < 1e7 AS sum,
  abs(dp_avg(x, -10, 1000000, 1e6) - (SELECT sum(div((total + 10 * rows) * 70000, rows)) / 210000 - 10 FROM plain)) < 10 AS mean FROM heavy;
SELECT dp.protect('heavy', 9e9, max_rows_per_unit => 60000);
SELECT dp_count('*', 1e6) FROM heavy;
SELECT dp.protect('heavy', 9e9, max_rows_per_unit => 250);
SELECT dp_count('*', 1e6) FROM heavy;
SET work_mem = '64kB';
SET temp_file_limit = 0;
SELECT dp_count('*', 1e6), dp_sum(x, 0, 10, 1e6), 3 * 250 * 10 AS sum FROM heavy;
RESET temp_file_limit;
RESET work_mem;
-- The same far from others: a mean of which a part does not fit its place by a hash has one limit, the weight of two rows among 300,002.
CREATE TABLE laden AS SELECT unit * 1000000007 AS unit, 0 AS x FROM crowd;
INSERT INTO laden SELECT 5000000035, 1000000 FROM generate_series(1, 70000);
SELECT dp.protect('laden', 9e9, privacy_unit => 'unit', max_rows_per_unit => 2);
SET work_mem = '64MB';
SELECT round(dp_avg(x, 0, 1000000, 1e6)::numeric, 1) AS mean, round(2 * 1000000.0 / 300002, 1) AS by_hand FROM laden;
RESET work_mem;
DROP TABLE laden;
-- Units whose words (unit_table.h) are the same are told apart by their bytes, whatever is asked: four people, whose rows are mixed.
CREATE TABLE twins AS SELECT ('{11111111-1111-1111-696e-e5c9236abd16,22222222-2222-2222-58d6-b944b98ea2ba,33333333-3333-3333-bb80-c8a572f57473,'
  '44444444-4444-4444-60fb-afb00da859f9}'::uuid[])[1 + i % 4] AS unit, i / 4 % 2 AS g, 5 AS x FROM generate_series(1, 4000) i;
ALTER TABLE twins ALTER g SET NOT NULL;
SELECT dp.protect('twins', 9e9, privacy_unit => 'unit', max_groups_per_unit => 2, max_rows_per_group => 3), dp.public_values('twins', 'g', 0, 1);
SELECT dp_count('*', 1e6), dp_count(DISTINCT unit, 1e6), dp_sum(x, 0, 10, 1e6) FROM twins;
SELECT dp_count('*', 1e6), dp_count(DISTINCT unit, 1e6), dp_sum(x, -1, 10, 1e6) FROM twins;
SELECT g, dp_count('*', 1e6), dp_sum(x, 0, 10, 1e6) FROM twins GROUP BY g ORDER BY g;
SELECT dp_count('*', 1e6), dp_count(DISTINCT unit, 1e6), dp_sum(x, -1, 10, 1e6) FROM (SELECT * FROM twins ORDER BY unit) t;
-- Records of which hardly any fit
SET hash_mem_multiplier = 1;
DO $$
DECLARE
  private text; plain text; private_answers text; plain_answers text;
BEGIN
  SELECT string_agg(format('dp_sum(x, 0, %s, 1e4)', i), ', '), string_agg(format('sum(least(s%s, %s))', i, 2 * i), ', ') INTO private, plain
    FROM generate_series(1, 60) i;
  EXECUTE format('SELECT concat_ws('' '', %s) FROM crowd WHERE unit < 5000', private) INTO private_answers;
  EXECUTE format('SELECT concat_ws('' '', %s) FROM (SELECT %s FROM crowd WHERE unit < 5000 GROUP BY unit) u', plain,
    (SELECT string_agg(format('sum(least(x, %s)) AS s%s', i, i), ', ') FROM generate_series(1, 60) i)) INTO plain_answers;
  IF private_answers IS DISTINCT FROM plain_answers THEN RAISE EXCEPTION '% is not %', private_answers, plain_answers; END IF;
END $$;
RESET hash_mem_multiplier;
-- A query that ends while its units are on disk leaves no files.
SET work_mem = '64kB';
SET temp_file_limit = '1MB';
\set VERBOSITY sqlstate
SELECT dp_count('*', 1e6) FROM crowd;
\set VERBOSITY default
RESET temp_file_limit;
BEGIN;
DECLARE answers CURSOR FOR SELECT dp_count('*', 1e6), dp_sum(x, 0, 10, 1e6) FROM crowd;
FETCH answers;
FETCH answers;
COMMIT;
PREPARE bounded(float8, float8, int) AS SELECT dp_sum(x, $1, $2, 1e6) FROM crowd WHERE x < $3;
EXECUTE bounded(0, 10, 5);
EXECUTE bounded(0, 2, 100);
SELECT sum(least(coalesce(a, 0), 20)), sum(least(b, 4)) FROM (SELECT sum(x) FILTER (WHERE x < 5) AS a, sum(least(x, 2)) AS b FROM crowd GROUP BY unit) u;
SELECT count(*) AS left_behind FROM pg_ls_tmpdir() WHERE name LIKE 'pgsql\_tmp' || pg_backend_pid() || '.%';
-- Units longer than a block, and longer than the memory
CREATE TABLE wordy (unit text, x int);
INSERT INTO wordy SELECT repeat(md5((i % 40)::text), 300 * (i % 40)), i FROM generate_series(0, 199) i;
SELECT dp.protect('wordy', 9e9, privacy_unit => 'unit', max_rows_per_unit => 3);
SET work_mem = '64kB';
SELECT dp_count('*', 1e6), dp_count(DISTINCT unit, 1e6), dp_sum(x, 0, 10, 1e6) FROM wordy;
SELECT sum(least(rows, 3)), count(*), sum(least(total, 30)) FROM (SELECT count(*) AS rows, sum(least(x, 10)) AS total FROM wordy GROUP BY unit) u;
RESET work_mem;
-- By hand they do nothing
SELECT dp_internal.units_bigint('*'::text, 1e6::float8, unit, 'dp_count("any", float8)'::regprocedure::oid) FROM crowd;
SELECT dp_internal.units_bigint(1, 2::oid);
SELECT dp_internal.units_float8(x, 0::float8, 1::float8, 1::float8, unit, 'dp_avg(int, float8, float8, float8)'::regprocedure::oid) FROM crowd;
CREATE TABLE open_table AS SELECT 1 AS unit, 2 AS x;
SELECT dp_internal.units_bigint('*'::text, 1e6::float8, unit, 'dp_count("any", float8)'::regprocedure::oid) FROM open_table;
SELECT dp_internal.units_bigint(unit) FROM open_table;
SELECT dp_internal.units_bigint(unit, 1) FROM open_table;
SELECT dp_internal.units_bigint() FROM open_table;
CREATE AGGREGATE forged (VARIADIC "any") (SFUNC = dp_internal.dp_units_add, STYPE = internal, FINALFUNC = dp_internal.dp_units_answer_bigint);
SELECT forged('*'::text, 1e6::float8, unit, 'dp_count("any", float8)'::regprocedure::oid) FROM open_table;
CREATE FUNCTION forged_units(text, text, text) RETURNS text LANGUAGE c AS '$libdir/pg_dp', 'dp_units_add';
CREATE FUNCTION forged_answer(text) RETURNS bigint LANGUAGE c AS '$libdir/pg_dp', 'dp_units_answer';
SELECT forged_units('a', 'b', 'c');
SELECT forged_answer('a');
DROP FUNCTION forged_units, forged_answer;
DROP AGGREGATE forged (VARIADIC "any");
DROP TABLE stays, crowd, named, heavy, plain, twins, wordy, shouted, open_table, form;
DROP FUNCTION ask;
DROP DOMAIN number_of_unit;
DROP COLLATION any_case;

-- Nothing but a count, of units of one row: no row is lost where a page is made, or left.
CREATE TABLE lone AS SELECT i AS unit FROM generate_series(1, 30000) AS i;
SELECT dp.protect('lone', 1e9, privacy_unit => 'unit', max_rows_per_unit => 5);
SELECT dp_count('*', 1e6) FROM lone;
SELECT dp.unprotect('lone');
DROP TABLE lone;

-- Columns that are read out of the row itself (src/aggregate/call/row_columns.h), in one process and in several: a row with a NULL
-- before or behind the unit, or of nobody
CREATE TABLE placed (gone int, before int, unit int, x bigint, v float8) WITH (parallel_workers = 2);
INSERT INTO placed SELECT i, nullif(i % 5, 0), nullif(i * 7919 % 5003, 0), nullif(i % 23 - 5, 0), i % 101 / 8.0 FROM generate_series(1, 20000) AS i;
INSERT INTO placed SELECT i, i, NULL, i, i FROM generate_series(1, 1000) AS i;
SELECT dp.protect('placed', 9e9, privacy_unit => 'unit', max_rows_per_unit => 3);
CREATE FUNCTION ask_placed(workers int, asked text DEFAULT 'placed', OUT rows bigint, OUT known bigint, OUT sum numeric, OUT eighths numeric, OUT several text,
  OUT filtered bigint)
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('max_parallel_workers_per_gather', workers::text, true), set_config('min_parallel_table_scan_size', '0', true),
    set_config('parallel_setup_cost', '0', true), set_config('parallel_tuple_cost', '0', true);
  EXECUTE 'SELECT dp_count(''*'', 1e6) FROM ' || asked INTO rows;
  EXECUTE 'SELECT dp_count(x, 1e6) FROM ' || asked INTO known;
  EXECUTE 'SELECT dp_sum(x, 0, 10, 1e6) FROM ' || asked INTO sum;
  EXECUTE 'SELECT round(dp_sum(v, 0, 10, 1e6)::numeric + 0.06) FROM ' || asked INTO eighths;
  EXECUTE 'SELECT concat_ws('' '', dp_count(''*'', 1e6), dp_count(x, 1e6), dp_sum(x, 0, 10, 1e6)) FROM ' || asked INTO several;
  EXECUTE 'SELECT dp_count(x, 1e6) FILTER (WHERE before > 2) FROM ' || asked INTO filtered;
END $$;
CREATE FUNCTION by_hand(OUT rows bigint, OUT known bigint, OUT sum numeric, OUT eighths numeric, OUT several text,
  OUT filtered bigint) LANGUAGE sql AS $$
  SELECT sum(least(n, 3)), sum(least(k, 3)), sum(least(s, 30)), round(sum(least(f, 30))::numeric + 0.06),
    concat_ws(' ', sum(least(n, 3)), sum(least(k, 3)), sum(least(s, 30))), sum(least(b, 3))
  FROM (SELECT count(*) AS n, count(x) AS k, coalesce(sum(greatest(0, least(x, 10))) FILTER (WHERE x IS NOT NULL), 0) AS s,
    sum(least(v, 10)) AS f, count(x) FILTER (WHERE before > 2) AS b
        FROM placed WHERE unit IS NOT NULL GROUP BY unit) AS u $$;
SELECT ask_placed(0), ask_placed(0) = by_hand() AS same, ask_placed(2) = by_hand() AS parallel;
-- Computed, sorted, and several at a time
CREATE VIEW turned AS SELECT v, x, before, unit FROM placed;
SELECT ask_placed(0, 'turned') = by_hand() AS turned, ask_placed(2, 'turned') = by_hand() AS parallel,
  ask_placed(0, '(SELECT * FROM placed ORDER BY v) AS p') = by_hand() AS sorted;
DROP VIEW turned;
-- A column that went away, and one that came without a value for the rows before
ALTER TABLE placed DROP gone;
INSERT INTO placed SELECT i, i % 700 + 1, i, i FROM generate_series(1, 3000) AS i;
SELECT ask_placed(0) = by_hand() AS dropped, ask_placed(2) = by_hand() AS parallel;
CREATE TABLE early (x bigint) WITH (parallel_workers = 2);
INSERT INTO early SELECT i FROM generate_series(1, 5000) AS i;
ALTER TABLE early ADD unit int;
INSERT INTO early SELECT i, i % 1000 FROM generate_series(1, 4000) AS i;
SELECT dp.protect('early', 9e9, privacy_unit => 'unit', max_rows_per_unit => 3);
SELECT dp_count('*', 1e6) FROM early;
SELECT dp_sum(x, 0, 1, 1e6) FROM early;
-- With one for them, they are of that unit.
ALTER TABLE early ADD other int DEFAULT 7;
SELECT dp.protect('early', 9e9, privacy_unit => 'other', max_rows_per_unit => 600);
SELECT dp_count('*', 1e6) FROM early;
-- Behind a text there is no fixed place.
CREATE TABLE lettered (letters text, unit int, x int);
INSERT INTO lettered SELECT repeat('a', i % 9), i % 1000, i FROM generate_series(1, 5000) AS i;
SELECT dp.protect('lettered', 9e9, privacy_unit => 'unit', max_rows_per_unit => 3);
SELECT dp_count('*', 1e6) FROM lettered;
SELECT dp_sum(x, 0, 1, 1e6) FROM lettered;
-- A unit of any width, with and without alignment, out of line, and one of a fixed width elsewhere
CREATE TABLE named_behind (before smallint, unit text, x int, id uuid) WITH (parallel_workers = 2);
ALTER TABLE named_behind ALTER unit SET STORAGE EXTERNAL;
INSERT INTO named_behind SELECT i, repeat('n', (ARRAY[0, 1, 125, 126, 127, 300, 3000])[1 + i % 7]) || i % 100, i, md5((i % 900)::text)::uuid
  FROM generate_series(1, 8000) AS i;
CREATE TABLE numbered AS SELECT before, id AS unit, x FROM named_behind;
CREATE TABLE named_plain AS TABLE named_behind;
SELECT dp.protect(name, 9e9, privacy_unit => 'unit', max_rows_per_unit => 3) FROM unnest('{named_behind,numbered}'::regclass[]) AS name;
SELECT dp_count('*', 1e6), (SELECT sum(least(n, 3)) FROM (SELECT count(*) AS n FROM named_plain GROUP BY unit) AS u) AS plain FROM named_behind;
SELECT dp_sum(before, 0, 1, 1e6) FROM named_behind;
SELECT dp_count('*', 1e6), (SELECT sum(least(n, 3)) FROM (SELECT count(*) AS n FROM named_plain GROUP BY id) AS u) AS plain FROM numbered;
DROP TABLE named_behind, numbered, named_plain;
-- Partitions that have their columns at other places
CREATE TABLE parted (x bigint, unit int, v float8) PARTITION BY RANGE (x);
CREATE TABLE parted_one PARTITION OF parted FOR VALUES FROM (0) TO (2000);
CREATE TABLE parted_two (gone int, v float8, unit int, x bigint);
ALTER TABLE parted_two DROP gone;
ALTER TABLE parted ATTACH PARTITION parted_two FOR VALUES FROM (2000) TO (9000);
INSERT INTO parted SELECT i, i % 1000, i FROM generate_series(1, 5000) AS i;
SELECT dp.protect('parted', 9e9, privacy_unit => 'unit', max_rows_per_unit => 3);
SELECT dp_count('*', 1e6) FROM parted;
SELECT dp_sum(x, 0, 1, 1e6) FROM parted;
-- A plan that outlives the places
CREATE TABLE moved (x bigint, unit int);
INSERT INTO moved SELECT i, i % 1000 FROM generate_series(1, 5000) AS i;
SELECT dp.protect('moved', 9e9, privacy_unit => 'unit', max_rows_per_unit => 3);
PREPARE kept AS SELECT dp_count('*', 1e6) FROM moved;
EXECUTE kept;
ALTER TABLE moved ALTER x TYPE text;
EXECUTE kept;
DROP TABLE placed, early, lettered, parted, moved;
DROP FUNCTION ask_placed, by_hand;
