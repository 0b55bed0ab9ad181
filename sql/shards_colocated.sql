-- Protected tables that lie side by side on another server: joined there along the unit, where a curator has said so.
\getenv folder PG_ABS_SRCDIR
\set two_databases :folder '/test/support/two_databases.sql'
\set two_servers :folder '/test/support/two_servers.sql'
\set two_servers_end :folder '/test/support/two_servers_end.sql'
\set name regress_colocated
\set server beside
\set parts off
\set ECHO none
\i :two_databases
\set ECHO all
\set visits 'id int, person int, ward int, cost int'
\set people 'person int, age int'
\c regress_beside1
CREATE TABLE visits (:visits);
CREATE TABLE people (:people);
CREATE TABLE wards (id int PRIMARY KEY, region text COLLATE "C" NOT NULL);
\c regress_beside2
CREATE TABLE others (:people);
\set ECHO none
\i :two_servers
\set ECHO all
SET ROLE regress_colocated_owner;
CREATE FOREIGN TABLE visits (:visits) SERVER beside1 OPTIONS (schema_name 'public');
CREATE FOREIGN TABLE people (:people) SERVER beside1 OPTIONS (schema_name 'public');
CREATE FOREIGN TABLE others (:people) SERVER beside2 OPTIONS (schema_name 'public');
CREATE FOREIGN TABLE wards_there (id int, region text COLLATE "C") SERVER beside1 OPTIONS (schema_name 'public', table_name 'wards');
CREATE TABLE wards (id int PRIMARY KEY, region text COLLATE "C" NOT NULL);
INSERT INTO wards SELECT i, (ARRAY['east', 'west'])[i % 2 + 1] FROM generate_series(0, 6) i;
INSERT INTO wards_there TABLE wards;
GRANT SELECT ON wards TO PUBLIC;
-- Some visits are nobody's, some of persons that are not known; some persons have two rows.
INSERT INTO visits SELECT i, nullif(i * i % 97, 4), nullif(i % 8, 3), i % 50 FROM generate_series(1, 1500) i;
INSERT INTO people SELECT i % 80, i % 60 FROM generate_series(0, 99) i;
INSERT INTO others TABLE people;
CREATE TABLE local_visits AS TABLE visits;
CREATE TABLE local_people AS TABLE people;
SELECT count(dp.protect(t, 9e9, privacy_unit => 'person', max_rows_per_unit => 500)), count(dp.grant_budget(t, 'regress_colocated_ana', 9e9, allow_leaks => true,
    answer_epsilon => 1e6)) FROM unnest('{visits,people,others,local_visits,local_people}'::regclass[]) t;
SELECT count(dp.declare_range(t, c, 0, 100)) FROM (VALUES ('visits'::regclass, 'cost'), ('local_visits', 'cost'), ('people', 'age'), ('local_people', 'age')) r (t, c);
SELECT dp.declare_copies('wards', 'wards_there');
\pset format unaligned
-- Nobody has said it: both are fetched.
SELECT sent($$ SELECT dp_count('*', 1) FROM visits JOIN people USING (person) $$);
SELECT dp.declare_colocated('visits', 'people');
SELECT relation::text, first::text FROM dp.colocated ORDER BY 1;
SELECT sent($$ SELECT dp_count('*', 1) FROM visits JOIN people USING (person) WHERE age < 30 $$);
SELECT sent($$ SELECT dp_sum(cost, 0, 100, 1) FROM people p LEFT JOIN visits v ON v.person = p.person AND cost > 10 $$);
SELECT sent($$ SELECT dp_count('*', 1) FROM visits v JOIN people p USING (person) JOIN visits w ON w.person = p.person $$);
SELECT sent($$ SELECT region, dp_count('*', 1) FROM visits JOIN people USING (person) JOIN wards w ON w.id = ward WHERE age < 30 GROUP BY region $$);
SET ROLE regress_colocated_ana;
EXPLAIN (COSTS OFF) SELECT region, dp_count('*', 1) FROM visits JOIN people USING (person) JOIN wards w ON w.id = ward GROUP BY region;
SET ROLE regress_colocated_owner;
-- Other joins, other servers, what cannot be sent: fetched.
SELECT sent($$ SELECT dp_count('*', 1) FROM visits v JOIN people p ON p.person = v.person AND to_char(v.cost, '99') = ' 10' $$);
SELECT sent($$ SELECT dp_count('*', 1) FROM visits JOIN others USING (person) $$);
SELECT sent($$ SELECT dp_count('*', 1) FROM visits v JOIN people p ON p.person = v.person + 1 $$);
SELECT sent($$ SELECT dp_count('*', 1) FROM visits JOIN people USING (person) WHERE person = 5 $$);
SELECT sent($$ SELECT dp_count('*', 1) FROM visits FULL JOIN people USING (person) $$);
SELECT sent($$ SELECT dp_count('*', 1) FROM visits v WHERE EXISTS (SELECT FROM people p WHERE p.person = v.person) $$);
SELECT sent($$ SELECT dp_count('*', 1) FROM visits JOIN people USING (person) JOIN others USING (person) $$);
SELECT sent($$ SELECT dp_count('*', 1) FROM visits JOIN people USING (person) JOIN (SELECT region, max(id) AS id FROM wards GROUP BY region) w ON w.id = ward $$);
\pset format aligned
RESET ROLE;

CREATE FUNCTION same(query text) RETURNS text LANGUAGE sql AS $$
    SELECT CASE WHEN there = here THEN left(here, 110) ELSE concat_ws(' IS NOT ', there, here) END
    FROM (SELECT answer(query), answer(regexp_replace(query, '\m(visits|people)\M', 'local_\1', 'g'))) a (there, here)
$$;
INSERT INTO questions (text) VALUES
    ($$ SELECT count(*) FROM visits JOIN people USING (person) $$),
    ($$ SELECT count(*), sum(cost), sum(age) FROM visits JOIN people USING (person) WHERE age < 30 AND cost > 5 $$),
    ($$ SELECT count(*) FROM visits v LEFT JOIN people p ON p.person = v.person AND age > 20 WHERE p.person IS NULL $$),
    ($$ SELECT count(*), count(cost) FROM people p LEFT JOIN visits v ON v.person = p.person AND cost > 10 $$),
    ($$ SELECT count(DISTINCT person) FROM visits JOIN people USING (person) WHERE age > 10 $$),
    ($$ SELECT region, count(*), sum(cost) FROM visits JOIN people USING (person) JOIN wards w ON w.id = ward GROUP BY region $$),
    ($$ SELECT region, count(*) FROM visits JOIN people USING (person) LEFT JOIN wards w ON w.id = ward WHERE age < 30 GROUP BY region $$),
    ($$ SELECT count(*) FROM visits v JOIN people p USING (person) JOIN people q USING (person) WHERE q.age > p.age $$),
    ($$ SELECT count(*) FROM visits v JOIN people p ON p.person = v.person AND to_char(v.cost, '99') = ' 10' $$),
    ($$ SELECT count(*) FROM visits FULL JOIN people USING (person) $$),
    ($$ SELECT count(*) FROM visits v WHERE EXISTS (SELECT FROM people p WHERE p.person = v.person AND age < 20) $$),
    ($$ SELECT region, count(*) FROM visits JOIN wards w ON w.id = ward GROUP BY region $$),
    ($$ SELECT count(*) FROM visits JOIN people USING (person) WHERE person = 5 $$);
SET ROLE regress_colocated_ana;
SELECT number, same(text) FROM questions ORDER BY number;
PREPARE asked(int) AS SELECT dp_count('*', 1e6) FROM visits JOIN people USING (person) WHERE age < $1;
EXECUTE asked(30);
SET plan_cache_mode = force_generic_plan;
EXECUTE asked(30);
RESET ROLE;

-- Neighbours: without one person, all of whose rows go from both tables, an answer changes by what one may count.
SELECT count(*) FROM local_visits JOIN local_people USING (person) WHERE person = 1;
SET ROLE regress_colocated_ana;
SET dp.max_rows_per_unit = 9;
SELECT dp_count('*', 1e6) AS with_all FROM visits JOIN people USING (person) \gset
RESET ROLE;
SELECT there('DELETE FROM visits WHERE person = 1; DELETE FROM people WHERE person = 1');
SET ROLE regress_colocated_ana;
SELECT :with_all - dp_count('*', 1e6) AS of_one FROM visits JOIN people USING (person) WHERE cost >= 0;
RESET dp.max_rows_per_unit;
RESET ROLE;

-- What is joined there is compared before each question as what is fetched: the copy of the public table, too.
SELECT there('ALTER TABLE people ALTER age TYPE bigint');
SET ROLE regress_colocated_ana;
SELECT told($$ SELECT dp_count('*', 1e6) FROM visits JOIN people USING (person) $$);
RESET ROLE;
SELECT there('ALTER TABLE people ALTER age TYPE int; ALTER TABLE wards DROP CONSTRAINT wards_pkey');
SET ROLE regress_colocated_ana;
SELECT told($$ SELECT dp_count('*', 1e6) FROM visits JOIN people USING (person) JOIN wards w ON w.id = ward $$);
SELECT told($$ SELECT count(*) FROM wards_there $$);
RESET ROLE;
SELECT bool_or(closed) AS closed FROM dp.budgets WHERE relation IN ('visits'::regclass, 'people'::regclass);
-- Who may read what is asked of the table that was named, also where a plan is there already.
SELECT there('ALTER TABLE wards ADD PRIMARY KEY (id)');
SET ROLE regress_colocated_ana;
PREPARE by_region(int) AS SELECT region, dp_count('*', 1e6) FROM visits JOIN people USING (person) JOIN wards w ON w.id = ward WHERE age < $1 GROUP BY region ORDER BY region;
EXECUTE by_region(30);
RESET ROLE;
REVOKE SELECT ON wards FROM PUBLIC;
SET ROLE regress_colocated_ana;
EXECUTE by_region(40);
SELECT told($$ SELECT dp_count('*', 1e6) FROM visits JOIN people USING (person) JOIN wards w ON w.id = ward $$);
RESET ROLE;

-- Who may say what.
SET ROLE regress_colocated_ana;
SELECT dp.declare_colocated('visits', 'people');
RESET ROLE;
SET ROLE regress_colocated_owner;
SELECT dp.declare_colocated('visits', 'local_people');
SELECT dp.declare_colocated('visits', 'wards_there');
SELECT dp.declare_colocated('visits', 'others');
SELECT dp.declare_colocated('visits', NULL);
SELECT relation::text, first::text FROM dp.colocated ORDER BY 1;
-- Another owner's; taken back, also while a plan waits; a table that is dropped.
CREATE FUNCTION joined_there() RETURNS boolean LANGUAGE sql AS $$
    SELECT bool_or(s ~ 'JOIN') FROM sent('SELECT dp_count(''*'', 1) FROM visits JOIN people USING (person)') s
$$;
SELECT joined_there();
RESET ROLE;
ALTER FOREIGN TABLE people OWNER TO CURRENT_USER;
SELECT joined_there();
ALTER FOREIGN TABLE people OWNER TO regress_colocated_owner;
SELECT joined_there();
SET ROLE regress_colocated_owner;
SELECT dp.declare_colocated('visits', VARIADIC '{}');
SELECT joined_there();
SET ROLE regress_colocated_ana;
EXECUTE asked(30);
SET ROLE regress_colocated_owner;
SELECT dp.declare_colocated('people', 'visits');
SELECT joined_there();

DROP FOREIGN TABLE people;
SELECT * FROM dp.colocated;
RESET ROLE;

\set ECHO none
\i :two_servers_end
