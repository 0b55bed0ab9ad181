-- Protected tables that lie side by side on a server with pg_dp: it joins them, and sends one part for each unit in place of the joined rows.
\getenv folder PG_ABS_SRCDIR
\set two_databases :folder '/test/support/two_databases.sql'
\set two_servers :folder '/test/support/two_servers.sql'
\set two_servers_end :folder '/test/support/two_servers_end.sql'
\set name regress_by_unit
\set server by_unit
\set parts on
\set ECHO none
\i :two_databases
\set ECHO all
\set visits 'id int, person text COLLATE "C", ward int, cost int'
\set people 'person text COLLATE "C", age int'
\c regress_by_unit1
CREATE TABLE visits (:visits);
CREATE TABLE people (:people);
CREATE TABLE wards (id int PRIMARY KEY, region text COLLATE "C" NOT NULL);
\set ECHO none
\i :two_servers
\set ECHO all
SET ROLE regress_by_unit_owner;
CREATE FOREIGN TABLE visits (:visits) SERVER by_unit1 OPTIONS (schema_name 'public');
CREATE FOREIGN TABLE people (:people) SERVER by_unit1 OPTIONS (schema_name 'public');
CREATE FOREIGN TABLE wards_there (id int, region text COLLATE "C") SERVER by_unit1 OPTIONS (schema_name 'public', table_name 'wards');
CREATE TABLE wards (id int PRIMARY KEY, region text COLLATE "C" NOT NULL);
INSERT INTO wards SELECT i, (ARRAY['east', 'west'])[i % 2 + 1] FROM generate_series(0, 6) i;
INSERT INTO wards_there TABLE wards;
GRANT SELECT ON wards TO PUBLIC;
-- Some visits are nobody's, some of persons that are not known; some persons have two rows.
INSERT INTO visits SELECT i, 'p' || nullif(i * i % 97, 4), nullif(i % 8, 3), i % 50 FROM generate_series(1, 1500) i;
INSERT INTO people SELECT 'p' || nullif(i % 80, 7), i % 60 FROM generate_series(0, 99) i;
CREATE TABLE local_visits AS TABLE visits;
CREATE TABLE local_people AS TABLE people;
SELECT count(dp.protect(t, 9e9, privacy_unit => 'person', max_rows_per_unit => 100)), count(dp.grant_budget(t, 'regress_by_unit_ana', 9e9, allow_leaks => true,
    answer_epsilon => 1e6)) FROM unnest('{visits,people,local_visits,local_people}'::regclass[]) t;
SELECT count(dp.declare_range(t, c, 0, 100)) FROM (VALUES ('visits'::regclass, 'cost'), ('local_visits', 'cost'), ('people', 'age'), ('local_people', 'age')) r (t, c);
SELECT dp.declare_copies('wards', 'wards_there');
SELECT dp.declare_colocated('visits', 'people');

-- What is sent: groups of the unit. Fewer rows that count are not worth it, and groups have to be known of each row.
\pset format unaligned
SELECT sent($$ SELECT dp_count('*', 1) FROM visits JOIN people USING (person) WHERE age < 30 $$);
SELECT sent($$ SELECT dp_sum(cost, 0, 100, 1) FILTER (WHERE cost > 5), dp_avg(age, 0, 100, 1) FROM people p LEFT JOIN visits v ON v.person = p.person AND cost > age $$);
SELECT sent($$ SELECT dp_count('*', 1) FROM visits JOIN people USING (person) JOIN wards w ON w.id = ward WHERE region = 'east' $$);
SELECT sent($$ SELECT dp_count('*', 1) FROM wards w JOIN visits v ON w.id = v.ward JOIN people p ON p.person = v.person $$);
SELECT sent($$ SELECT ward, dp_count('*', 1) FROM visits JOIN people USING (person) WHERE ward IN (1, 2) GROUP BY ward $$);
SELECT sent($$ SELECT dp_median(cost, 0, 100, 1) FROM visits JOIN people USING (person) $$);
SELECT sent($$ SELECT dp_count('*', 1) FROM visits JOIN people USING (person) WHERE to_char(cost, '99') = ' 10' $$);
SET dp.max_rows_per_unit = 7;
SELECT sent($$ SELECT dp_count('*', 1) FROM visits JOIN people USING (person) $$);
SELECT sent($$ SELECT dp_count('*', 1) FROM wards w JOIN visits v ON w.id = v.ward JOIN people p ON p.person = v.person $$);
RESET dp.max_rows_per_unit;
SET ROLE regress_by_unit_ana;
EXPLAIN (COSTS OFF) SELECT dp_count('*', 1) FROM visits JOIN people USING (person) JOIN wards w ON w.id = ward;
\pset format aligned
RESET ROLE;

CREATE FUNCTION same(query text) RETURNS text LANGUAGE sql AS $$
    SELECT CASE WHEN there = here THEN left(here, 110) ELSE concat_ws(' IS NOT ', there, here) END
    FROM (SELECT answer(query), answer(regexp_replace(query, '\m(visits|people)\M', 'local_\1', 'g'))) a (there, here)
$$;
INSERT INTO questions (text) VALUES
    ($$ SELECT count(*) FROM visits JOIN people USING (person) $$),
    ($$ SELECT count(*), count(cost), sum(cost), sum(age) FROM visits JOIN people USING (person) WHERE age < 30 AND cost > 5 $$),
    ($$ SELECT count(*) FROM visits v LEFT JOIN people p ON p.person = v.person AND age > 20 WHERE p.person IS NULL $$),
    ($$ SELECT count(*), count(cost) FROM people p LEFT JOIN visits v ON v.person = p.person AND cost > age $$),
    ($$ SELECT count(*) FILTER (WHERE age > 30), count(*) FILTER (WHERE cost > 9), sum(cost) FILTER (WHERE age > 30) FROM visits JOIN people USING (person) $$),
    ($$ SELECT avg(cost)::numeric(6,1), stddev(age)::numeric(6,1) FROM visits JOIN people USING (person) WHERE cost > 3 $$),
    ($$ SELECT corr(cost, age)::numeric(6,2) AS c, regr_count(cost, age) AS k FROM visits JOIN people USING (person) $$),
    ($$ SELECT count(*), sum(cost) FROM visits JOIN people USING (person) JOIN wards w ON w.id = ward WHERE region = 'east' $$),
    ($$ SELECT count(*) FROM visits JOIN people USING (person) LEFT JOIN wards w ON w.id = ward AND age < 30 WHERE region IS NULL $$),
    ($$ SELECT count(*) FROM visits v JOIN people p USING (person) JOIN people q USING (person) WHERE q.age > p.age $$),
    ($$ SELECT count(*) FROM visits JOIN people USING (person) WHERE to_char(cost, '99') = ' 10' $$),
    ($$ SELECT count(*) FROM visits JOIN people USING (person) WHERE false $$);
SET ROLE regress_by_unit_ana;
SELECT number, same(text) FROM questions ORDER BY number;
-- Limits that cut: as over tables that are here, where each row of a person is as good as another.
SET dp.max_rows_per_unit = 9;
SELECT number, same(text) FROM questions WHERE number IN (1, 3, 10) ORDER BY number;
PREPARE asked(int, text) AS SELECT dp_count('*', 1e6) FROM visits JOIN people USING (person) JOIN wards w ON w.id = ward WHERE age < $1 AND region <> $2;
EXECUTE asked(30, 'west');
SET plan_cache_mode = force_generic_plan;
EXECUTE asked(30, 'west');
EXECUTE asked(NULL, 'west');
-- Neighbours: a person more, who has 30 rows there, changes it by 9.
SELECT dp_count('*', 1e6) AS with_all FROM visits JOIN people USING (person) WHERE cost >= 0 \gset
RESET ROLE;
SELECT there('INSERT INTO visits SELECT i, ''new'', 1, 1 FROM generate_series(1, 30) i; INSERT INTO people VALUES (''new'', 1)');
SET ROLE regress_by_unit_ana;
SELECT dp_count('*', 1e6) - :with_all AS of_one FROM visits JOIN people USING (person) WHERE cost > -1;
RESET ROLE;
SELECT bool_or(closed) AS closed FROM dp.budgets WHERE relation IN ('visits'::regclass, 'people'::regclass);

-- A server that says of itself what Citus says (test/fault/citus.sh asks a real one): where it spreads rows by the unit it makes parts of units, also
-- of one table, and nothing else; and it is asked whether that is so.
SELECT there('DELETE FROM visits WHERE person = ''new''; DELETE FROM people WHERE person = ''new''; SET allow_system_table_mods = on; '
    'CREATE TABLE pg_catalog.pg_dist_partition (logicalrelid regclass, partmethod "char", partkey text, colocationid int, repmodel "char"); '
    'GRANT SELECT ON pg_catalog.pg_dist_partition TO PUBLIC; '
    'CREATE FUNCTION pg_catalog.column_to_column_name(regclass, text) RETURNS text LANGUAGE sql AS ''SELECT $2''; '
    'INSERT INTO pg_dist_partition VALUES (''visits'', ''h'', ''person'', 1, ''s''), (''people'', ''h'', ''person'', 1, ''s''), (''wards'', ''n'', NULL, 2, ''t''); '
    'INSERT INTO pg_extension VALUES (99999, ''citus'', 10, ''public''::regnamespace, false, ''1'', NULL, NULL)');
RESET dp.max_rows_per_unit;
SET ROLE regress_by_unit_ana;
SELECT told('SELECT count(*) FROM visits WHERE cost < 7');
SET ROLE regress_by_unit_owner;
SELECT dp.declare_colocated('visits', 'people');
SELECT relation::text, first::text, spread FROM dp.colocated ORDER BY 1;
\pset format unaligned
SELECT sent($$ SELECT dp_count('*', 1) FROM visits WHERE cost < 30 $$);
SELECT sent($$ SELECT dp_count('*', 1) FROM visits JOIN wards w ON w.id = ward $$);
SELECT sent($$ SELECT ward, dp_count('*', 1) FROM visits WHERE ward IN (1, 2) GROUP BY ward $$);
SELECT sent($$ SELECT dp_median(cost, 0, 100, 1) FROM visits $$);
\pset format aligned
SET ROLE regress_by_unit_ana;
SELECT number, same(text) FROM questions WHERE number IN (1, 2, 4, 8) ORDER BY number;
SELECT same('SELECT count(*), sum(cost) FROM visits WHERE cost < 30');
RESET ROLE;
SELECT there('UPDATE pg_dist_partition SET partkey = ''id'' WHERE logicalrelid = ''visits''::regclass');
SET ROLE regress_by_unit_ana;
SELECT told('SELECT count(*) FROM visits WHERE cost < 8');
RESET ROLE;
SELECT bool_or(closed) AS closed FROM dp.budgets WHERE relation IN ('visits'::regclass, 'people'::regclass);

\set ECHO none
\i :two_servers_end
