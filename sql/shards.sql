-- Protected tables whose rows are on other servers: partitions that postgres_fdw fetches from two databases, beside one that is here.
\getenv folder PG_ABS_SRCDIR
\set two_databases :folder '/test/support/two_databases.sql'
\set two_servers :folder '/test/support/two_servers.sql'
\set two_servers_end :folder '/test/support/two_servers_end.sql'
\set name regress_shards
\set server shard
\set parts off
\set ECHO none
\i :two_databases
\set ECHO all
CREATE ROLE regress_shards_nobody;
\c regress_shard1
CREATE SCHEMA regress_shards;
CREATE TYPE regress_shards.mood AS ENUM ('low', 'high');
GRANT USAGE ON SCHEMA regress_shards TO PUBLIC;
CREATE TABLE ev (id int, person int, day date, ward text, cost numeric(10,2), v float8, m regress_shards.mood, note varchar(10));
CREATE TABLE odd (id int, n bigint);
CREATE VIEW seen AS SELECT * FROM odd;
INSERT INTO odd VALUES (1, 5000000000);
INSERT INTO ev SELECT i, i % 300, date '2026-01-01' + i % 100, (ARRAY['north', 'south', 'west'])[i % 3 + 1], i % 50 + 0.25, i % 7 / 2.0,
    (ARRAY['low', 'high'])[i % 2 + 1]::regress_shards.mood, nullif('n' || i % 5, 'n0') FROM generate_series(0, 999) i;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO regress_shards_reader;
\c regress_shard2
CREATE SCHEMA regress_shards;
CREATE TYPE regress_shards.mood AS ENUM ('low', 'high');
GRANT USAGE ON SCHEMA regress_shards TO PUBLIC;
CREATE TABLE ev (person int, id int, day date, ward_name text, cost numeric(10,2), v float8, m regress_shards.mood, note varchar(10));
INSERT INTO ev SELECT i % 300, i, date '2026-01-01' + i % 100, (ARRAY['north', 'south', 'west'])[i % 3 + 1], i % 50 + 0.25, i % 7 / 2.0,
    (ARRAY['low', 'high'])[i % 2 + 1]::regress_shards.mood, nullif('n' || i % 5, 'n0') FROM generate_series(1000, 1999) i;
GRANT SELECT ON ev TO regress_shards_reader;
\set ECHO none
\i :two_servers
\set ECHO all
SET ROLE regress_shards_owner;
CREATE TYPE mood AS ENUM ('low', 'high');
CREATE TABLE ev (id int, person int, day date, ward text, cost numeric(10,2), v float8, m mood, note varchar(10)) PARTITION BY RANGE (id);
CREATE FOREIGN TABLE ev1 PARTITION OF ev FOR VALUES FROM (0) TO (1000) SERVER shard1 OPTIONS (schema_name 'public', table_name 'ev');
CREATE FOREIGN TABLE ev2 (id int, person int, day date, ward text OPTIONS (column_name 'ward_name'), cost numeric(10,2), v float8, m mood,
    note varchar(10)) SERVER shard2 OPTIONS (schema_name 'public', table_name 'ev');
ALTER TABLE ev ATTACH PARTITION ev2 FOR VALUES FROM (1000) TO (2000);
CREATE TABLE ev3 PARTITION OF ev FOR VALUES FROM (2000) TO (3000);
INSERT INTO ev3 SELECT i, i % 300, date '2026-01-01' + i % 100, (ARRAY['north', 'south', 'west'])[i % 3 + 1], i % 50 + 0.25, i % 7 / 2.0,
    (ARRAY['low', 'high'])[i % 2 + 1]::mood, nullif('n' || i % 5, 'n0') FROM generate_series(2000, 2999) i;
CREATE TABLE here AS TABLE ev;
CREATE TABLE wards (ward text PRIMARY KEY, beds int);
INSERT INTO wards VALUES ('north', 10), ('south', 20), ('west', 30);
GRANT SELECT ON wards TO PUBLIC;
RESET ROLE;

-- What is protected, and what is refused.
SET ROLE regress_shards_owner;
CREATE FOREIGN TABLE odd_type (id int, n int) SERVER shard1 OPTIONS (schema_name 'public', table_name 'odd');
SELECT dp.protect('odd_type', 9e9);
CREATE FOREIGN TABLE odd_column (id int, other int) SERVER shard1 OPTIONS (schema_name 'public', table_name 'odd');
SELECT dp.protect('odd_column', 9e9);
CREATE FOREIGN TABLE odd_modifier (id int, note varchar(5)) SERVER shard1 OPTIONS (schema_name 'public', table_name 'ev');
SELECT dp.protect('odd_modifier', 9e9);
CREATE FOREIGN TABLE odd_collation (id int, ward text COLLATE "C") SERVER shard1 OPTIONS (schema_name 'public', table_name 'ev');
SELECT dp.protect('odd_collation', 9e9);
CREATE TYPE other_mood AS ENUM ('low');
CREATE FOREIGN TABLE odd_enum (id int, m other_mood) SERVER shard1 OPTIONS (schema_name 'public', table_name 'ev');
SELECT dp.protect('odd_enum', 9e9);
CREATE FOREIGN TABLE odd_money (id int, n money) SERVER shard1 OPTIONS (schema_name 'public', table_name 'odd');
SELECT dp.protect('odd_money', 9e9);
CREATE DOMAIN positive AS int CHECK (VALUE > 0);
CREATE FOREIGN TABLE odd_domain (id positive) SERVER shard1 OPTIONS (schema_name 'public', table_name 'odd');
SELECT dp.protect('odd_domain', 9e9);
CREATE FOREIGN TABLE odd_view (id int) SERVER shard1 OPTIONS (schema_name 'public', table_name 'seen');
SELECT dp.protect('odd_view', 9e9);
CREATE FOREIGN TABLE odd_missing (id int) SERVER shard1 OPTIONS (schema_name 'public', table_name 'nowhere');
SELECT dp.protect('odd_missing', 9e9);
CREATE FOREIGN TABLE odd_estimate (id int) SERVER shard1 OPTIONS (schema_name 'public', table_name 'odd', use_remote_estimate 'true');
SELECT dp.protect('odd_estimate', 9e9);
RESET ROLE;
CREATE EXTENSION file_fdw SCHEMA regress_shards;
CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
CREATE FOREIGN TABLE odd_file (id int) SERVER files OPTIONS (filename '/dev/null');
SELECT dp.protect('odd_file', 9e9);
SET ROLE regress_shards_owner;
SELECT dp.protect('ev', 9e9, privacy_unit => 'person.name');
SELECT dp.protect('ev', 9e9, blocks => true);
SELECT dp.protect('ev', 9e9), dp.protect('here', 9e9);
SELECT dp.public_values(t, 'ward', 'north', 'south', 'west') FROM unnest('{ev,here}'::regclass[]) t;
SELECT dp.declare_range(t, 'cost', 0, 100), dp.declare_range(t, 'v', 0, 10) FROM unnest('{ev,here}'::regclass[]) t;
SELECT dp.grant_budget(t, 'regress_shards_ana', 9e9, allow_leaks => true, answer_epsilon => 1e6) FROM unnest('{ev,here}'::regclass[]) t;
RESET ROLE;

-- The same answers as over a table that is here.
CREATE FUNCTION same(query text) RETURNS text LANGUAGE sql AS $$
    SELECT CASE WHEN there = here THEN left(there, 100) ELSE there || ' IS NOT ' || here END
    FROM (SELECT answer(replace(query, '%', 'ev')), answer(replace(query, '%', 'here'))) a (there, here)
$$;
INSERT INTO questions (text) VALUES
    ('SELECT count(*) FROM %'),
    ('SELECT count(*), round(sum(cost), -1) AS cost, round(avg(v)::numeric, 2) AS v FROM %'),
    ('SELECT ward, count(*), round(avg(cost), -1) AS cost FROM % WHERE ward IN (''north'', ''south'', ''west'') GROUP BY ward'),
    ('SELECT ward, count(*) FROM % WHERE m = ''high'' AND note LIKE ''n%'' AND day >= date ''2026-02-01'' GROUP BY ward'),
    ('SELECT date_trunc(''month'', day) AS month, count(*) FROM % WHERE day BETWEEN ''2026-01-01'' AND ''2026-04-10'' GROUP BY 1'),
    ('SELECT count(note), count(*) FILTER (WHERE note IS NULL) AS missing FROM %'),
    ('SELECT count(*) FROM % WHERE id < 1500'),
    ('SELECT count(*) FROM % WHERE id >= 2500'),
    ('SELECT w.beds, count(*) FROM % e JOIN wards w USING (ward) GROUP BY w.beds'),
    ('SELECT dp_median(v, 0, 10, 1e6)::numeric(4,2) AS m FROM %'),
    ('SELECT dp_histogram(v, 0, 4, 4, 1e6) FROM %'),
    ('SELECT round(stddev(v)::numeric, 1) AS s FROM %'),
    ('SELECT ward, count(*) FROM % GROUP BY ward HAVING count(*) > 10 ORDER BY ward LIMIT 2'),
    ('SELECT count(*) FROM (SELECT * FROM % WHERE cost > 10) q WHERE v < 2'),
    ('SELECT ward, count(*) FROM % WHERE m IN (''low'', ''high'') GROUP BY GROUPING SETS ((ward), ())'),
    ('SELECT count(*) FROM % WHERE lower(ward) = ''north'' AND abs(v) < 3 AND cost + 1 > 5'),
    ('SELECT max(cost) FROM %');
SET ROLE regress_shards_ana;
SELECT number, same(text) FROM questions ORDER BY number;
RESET ROLE;

SET client_min_messages = error; -- another privacy unit
-- Units: rows of a person are on all of them, and are limited here.
SET ROLE regress_shards_owner;
SELECT dp.protect(t, 9e9, privacy_unit => 'person', max_rows_per_unit => 3) FROM unnest('{ev,here}'::regclass[]) t;
SET ROLE regress_shards_ana;
SELECT number, same(text) FROM questions WHERE number IN (1, 3, 6, 9) ORDER BY number;
SELECT same('SELECT count(DISTINCT person) FROM %');
RESET ROLE;
SET ROLE regress_shards_owner;
SELECT dp.protect(t, 9e9, privacy_unit => 'person', limits => 'auto') FROM unnest('{ev,here}'::regclass[]) t;
SET ROLE regress_shards_ana;
SELECT same('SELECT round(count(*), -3) FROM %');

-- What is run where: the asker sees servers, and who may read the rows sees what is asked of these.
EXPLAIN (COSTS OFF) SELECT count(*) FROM ev WHERE id < 500;
EXPLAIN (COSTS OFF) SELECT ward, count(*) FROM ev GROUP BY ward;
RESET ROLE;
SET ROLE regress_shards_owner;
SELECT dp.protect('ev', 9e9, privacy_unit => '');
EXPLAIN (COSTS OFF, VERBOSE) SELECT dp_count('*', 1e6) FROM ev WHERE id < 1500 AND ward = 'north' AND dp_div(v, 2) < 1;
SELECT dp_count('*', 1e6) FROM ev WHERE id < 1500;
RESET ROLE;

-- The asker has no way to the rows but this one.
SET ROLE regress_shards_ana;
\set VERBOSITY sqlstate
SELECT count(*), id FROM ev1 GROUP BY id;
SELECT * FROM ev1;
TABLE ev;
COPY ev1 TO STDOUT;
IMPORT FOREIGN SCHEMA public FROM SERVER shard1 INTO regress_shards;
CREATE FOREIGN TABLE pg_temp.mine (id int) SERVER shard1 OPTIONS (table_name 'ev');
CREATE USER MAPPING FOR regress_shards_ana SERVER shard1;
\set VERBOSITY default
SELECT umoptions FROM pg_user_mappings WHERE srvname IN ('shard1', 'shard2');
RESET ROLE;
GRANT USAGE ON FOREIGN SERVER shard1 TO regress_shards_ana;
SET ROLE regress_shards_ana;
CREATE FOREIGN TABLE pg_temp.mine (id int) SERVER shard1 OPTIONS (schema_name 'public', table_name 'ev');
\set VERBOSITY sqlstate
SELECT count(*) FROM pg_temp.mine;
\set VERBOSITY default
RESET ROLE;
REVOKE USAGE ON FOREIGN SERVER shard1 FROM regress_shards_ana CASCADE;
SET ROLE regress_shards_nobody;
SELECT dp_count('*', 1) FROM ev;
RESET ROLE;

-- dp.check() tells of mappings that others could use.
CREATE USER MAPPING FOR PUBLIC SERVER shard1 OPTIONS (user 'regress_shards_reader');
SELECT finding, run FROM dp.check('ev') WHERE finding LIKE '%server%';
DROP USER MAPPING FOR PUBLIC SERVER shard1;
CREATE USER MAPPING FOR regress_shards_ana SERVER shard2 OPTIONS (user 'regress_shards_reader');
GRANT USAGE ON FOREIGN SERVER shard2 TO regress_shards_ana;
SELECT finding, run FROM dp.check('ev') WHERE finding LIKE '%server%';
REVOKE USAGE ON FOREIGN SERVER shard2 FROM regress_shards_ana;
SELECT finding, run FROM dp.check('ev') WHERE finding LIKE '%server%';
DROP USER MAPPING FOR regress_shards_ana SERVER shard2;

-- Declarations that nothing enforces are not relied on: a CHECK of a foreign table bounds nothing, NOT NULL lets NULL through.
SET ROLE regress_shards_owner;
CREATE FOREIGN TABLE told (id int NOT NULL, note varchar(10) NOT NULL, cost numeric(10,2) CHECK (cost BETWEEN 0 AND 1))
    SERVER shard1 OPTIONS (schema_name 'public', table_name 'ev');
SELECT dp.protect('told', 9e9), dp.grant_budget('told', 'regress_shards_ana', 9e9, allow_leaks => true, answer_epsilon => 1e6);
SELECT dp.public_values('told', 'note', 'n1', 'n2');
SET ROLE regress_shards_ana;
SELECT note, count(*) FROM told GROUP BY note ORDER BY note;
SELECT sum(cost) FROM told;
RESET ROLE;

-- Beside a table of an owner whose server could count how often it is asked.
CREATE ROLE regress_shards_other;
GRANT ALL ON SCHEMA regress_shards TO regress_shards_other;
SET ROLE regress_shards_other;
CREATE TABLE others (id int PRIMARY KEY, person int);
SELECT dp.protect('others', 9e9, privacy_unit => 'person', max_rows_per_unit => 1);
SELECT dp.grant_budget('others', 'regress_shards_ana', 9e9, allow_leaks => true);
SET ROLE regress_shards_owner;
SELECT dp.protect('ev', 9e9, privacy_unit => 'person', max_rows_per_unit => 1);
SET ROLE regress_shards_ana;
SELECT dp_count('*', 1) FROM ev JOIN others USING (person);
RESET ROLE;
-- What is updated there no trigger sees here.
SET ROLE regress_shards_owner;
SELECT dp.fix_column('ev', 'day');
RESET ROLE;
-- A foreign table that is not protected is not read for a private question.
SET ROLE regress_shards_owner;
CREATE FOREIGN TABLE open (id int, n bigint) SERVER shard1 OPTIONS (schema_name 'public', table_name 'odd');
GRANT SELECT ON open TO PUBLIC;
SET ROLE regress_shards_ana;
SELECT dp_count('*', 1) FROM ev JOIN open USING (id);
RESET ROLE;

\set ECHO none
\i :two_servers_end
\set ECHO all
DROP ROLE regress_shards_nobody, regress_shards_other;
