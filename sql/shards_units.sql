-- Servers that have all rows of a unit limit them, and send what counts; the same answers as over a table that is here.
\getenv folder PG_ABS_SRCDIR
\set two_databases :folder '/test/support/two_databases.sql'
\set two_servers :folder '/test/support/two_servers.sql'
\set two_servers_end :folder '/test/support/two_servers_end.sql'
\set name regress_units
\set server units
\set parts on
\set ECHO none
\i :two_databases
\set ECHO all
\set columns 'id int, person int, who text, ward text, v float8, n int'
\c regress_units1
CREATE TABLE h0 (:columns);
CREATE TABLE h1 (:columns);
CREATE TABLE r0 (:columns);
CREATE TABLE t0 (:columns);
CREATE TABLE x0 (:columns);
\c regress_units2
CREATE TABLE h2 (n int, v float8, id int, person int, ward text, who text);
CREATE TABLE r1 (:columns);
CREATE TABLE r2 (:columns);
CREATE TABLE t1 (:columns);
CREATE TABLE x1 (:columns);
\set ECHO none
\i :two_servers
\set ECHO all
SET ROLE regress_units_owner;
-- By hash; by ranges, one of which is by hash; by texts; and in ways in which a unit may be on two servers.
CREATE TABLE hashed (:columns) PARTITION BY HASH (person);
CREATE FOREIGN TABLE h0 PARTITION OF hashed FOR VALUES WITH (MODULUS 3, REMAINDER 0) SERVER units1 OPTIONS (schema_name 'public');
CREATE FOREIGN TABLE h1 PARTITION OF hashed FOR VALUES WITH (MODULUS 3, REMAINDER 1) SERVER units1 OPTIONS (schema_name 'public');
CREATE FOREIGN TABLE h2 (ward text, who text, n int, v float8, id int, person int) SERVER units2 OPTIONS (schema_name 'public');
ALTER TABLE hashed ATTACH PARTITION h2 FOR VALUES WITH (MODULUS 3, REMAINDER 2);
CREATE TABLE ranged (:columns) PARTITION BY RANGE (person);
CREATE FOREIGN TABLE r0 PARTITION OF ranged FOR VALUES FROM (MINVALUE) TO (40) SERVER units1 OPTIONS (schema_name 'public');
CREATE TABLE rest PARTITION OF ranged DEFAULT PARTITION BY HASH (person);
CREATE FOREIGN TABLE r1 PARTITION OF rest FOR VALUES WITH (MODULUS 2, REMAINDER 0) SERVER units2 OPTIONS (schema_name 'public');
CREATE FOREIGN TABLE r2 PARTITION OF rest FOR VALUES WITH (MODULUS 2, REMAINDER 1) SERVER units2 OPTIONS (schema_name 'public');
CREATE TABLE texts (:columns) PARTITION BY LIST (who);
CREATE FOREIGN TABLE t0 PARTITION OF texts FOR VALUES IN ('p1', 'p2', 'p3', NULL) SERVER units1 OPTIONS (schema_name 'public');
CREATE FOREIGN TABLE t1 PARTITION OF texts DEFAULT SERVER units2 OPTIONS (schema_name 'public');
CREATE TABLE here (:columns);
INSERT INTO here SELECT i, nullif(i * i % 97, 4), 'p' || nullif(i * i % 97 % 7, 5), (ARRAY['north', 'south'])[i % 2 + 1], i * i % 97 / 10.0, i % 9 FROM generate_series(0, 1999) i;
INSERT INTO hashed TABLE here;
INSERT INTO ranged TABLE here;
INSERT INTO texts TABLE here;
CREATE TABLE here_texts AS TABLE here;
CREATE TABLE pairs AS SELECT * FROM (VALUES ('hashed'::regclass, 'here'::regclass, 'person'), ('ranged', 'here', 'person'), ('texts', 'here_texts', 'who')) p (there, here, unit);
SELECT dp.protect(there, 9e9, privacy_unit => unit, max_rows_per_unit => 7), dp.protect(here, 9e9, privacy_unit => unit, max_rows_per_unit => 7) FROM pairs;
CREATE TABLE several AS SELECT there AS t FROM pairs UNION SELECT here FROM pairs;
SELECT count(dp.declare_range(t, 'v', 0, 10)), count(dp.declare_range(t, 'n', 0, 10)), count(dp.public_values(t, 'ward', 'north', 'south')),
    count(dp.grant_budget(t, 'regress_units_ana', 9e9, allow_leaks => true, answer_epsilon => 1e6)) FROM several;
RESET ROLE;

-- What is sent: the limit, and the bounds of the partition.
SET ROLE regress_units_owner;
\pset format unaligned
SELECT sent($$ SELECT dp_count('*', 1), dp_sum(v, 0, 10, 1) FROM hashed WHERE v < 2 $$);
SELECT sent($$ SELECT dp_avg(v, 0, 10, 1) FILTER (WHERE n > 1) FROM ranged $$);
SELECT sent($$ SELECT dp_count('*', 1) FROM ranged WHERE person < 10 $$);
SELECT sent($$ SELECT dp_count('*', 1) FROM texts $$);
-- A partition by itself; groups (sql/shards_groups.sql).
SELECT sent($$ SELECT dp_count('*', 1) FROM r1 $$);
SELECT count(*) AS parts FROM sent($$ SELECT ward, dp_count('*', 1) FROM hashed GROUP BY ward $$) p WHERE p ~ 'shard_';
\pset format aligned
RESET ROLE;

CREATE FUNCTION same(query text, there text, here text) RETURNS text LANGUAGE sql AS $$
    SELECT CASE WHEN a.there = a.here THEN left(a.there, 100) ELSE a.there || ' IS NOT ' || a.here END
    FROM (SELECT answer(replace(query, '%', $2)), answer(replace(query, '%', $3))) a (there, here)
$$;
GRANT SELECT ON pairs TO PUBLIC;
INSERT INTO questions (text) VALUES
    ($$ SELECT count(*) FROM % $$),
    ($$ SELECT count(*), count(n), sum(n), round(avg(v)::numeric, 2) AS v FROM % $$),
    ($$ SELECT dp_count(who, 1e6) AS who FROM % WHERE v > 1 AND n <> 3 $$),
    ($$ SELECT dp_sum(n, 0, 5, 1e6) AS n, dp_sum(v, -3, 4, 1e6)::numeric(9,1) AS s, dp_avg(v, 0, 10, 1e6)::numeric(6,3) AS v FROM % $$),
    ($$ SELECT dp_variance(v, 0, 10, 1e6)::numeric(6,2) AS s, dp_stddev(n, 0, 10, 1e6)::numeric(6,2) AS d FROM % $$),
    ($$ SELECT (dp_totals(n, 0, 9, 1e6)).count AS c FROM % $$),
    ($$ SELECT count(DISTINCT person) AS p, count(DISTINCT who) AS w FROM % $$),
    ($$ SELECT dp_count('*', 1e6), dp_histogram(v, 0, 10, 2, 1e6) AS h FROM % $$),
    ($$ SELECT count(*) FROM % WHERE person BETWEEN 20 AND 60 $$),
    ($$ SELECT count(*) FROM % WHERE id > 5000 $$),
    ($$ SELECT count(*) FROM % WHERE to_char(id, '999') = ' 100' $$),
    ($$ SELECT corr(v, n + v)::numeric(6,2) AS c, covar_samp(v, n + v)::numeric(6,1) AS s, regr_slope(v, n + v)::numeric(6,2) AS b, regr_count(n, v) AS k FROM % $$);
SET ROLE regress_units_owner;
SELECT count(*) AS sent FROM sent($$ SELECT dp_corr(v, n, 0, 10, 0, 10, 1), dp_covar_pop(v, n, 0, 10, 0, 10, 1) FROM hashed $$) s WHERE s ~ 'shard_units.*dp_corr.*shard_units.*dp_covar';
SET ROLE regress_units_ana;
SELECT number, there, same(text, there::text, here::text) FROM questions, pairs WHERE number NOT IN (7, 8) OR there <> 'texts'::regclass ORDER BY number, there::text;
SET dp.max_rows_per_unit = 2;
SELECT number, there, same(text, there::text, here::text) FROM questions, pairs WHERE number < 4 ORDER BY number, there::text;
RESET dp.max_rows_per_unit;
PREPARE asked(float8, int) AS SELECT dp_sum(v, 0, $1, 1e6)::numeric(10,1), dp_count('*', 1e6) FROM hashed WHERE n < $2;
PREPARE asked_here(float8, int) AS SELECT dp_sum(v, 0, $1, 1e6)::numeric(10,1), dp_count('*', 1e6) FROM here WHERE n < $2;
EXECUTE asked(3, 5);
EXECUTE asked_here(3, 5);
SET plan_cache_mode = force_generic_plan;
EXECUTE asked(3, 5);
RESET plan_cache_mode;
RESET ROLE;

-- Rows of a unit that belong to another partition count nowhere: nobody has more than 7.
\c regress_units1
INSERT INTO h0 SELECT i, p * p % 97, 'p1', 'north', 9, 9 FROM generate_series(1, 10) i, generate_series(0, 96) p WHERE p * p % 97 NOT IN (SELECT person FROM h0 WHERE person IS NOT NULL UNION SELECT 4);
INSERT INTO r0 SELECT i, p, 'p1', 'north', 9, 9 FROM generate_series(1, 10) i, generate_series(40, 96) p;
INSERT INTO t0 SELECT i, 1, 'p4', 'north', 9, 9 FROM generate_series(1, 10) i;
\c regress_units2
INSERT INTO h2 SELECT 9, 9, i, p * p % 97, 'north', 'p1' FROM generate_series(1, 10) i, generate_series(0, 96) p WHERE p * p % 97 NOT IN (SELECT person FROM h2 WHERE person IS NOT NULL UNION SELECT 4);
INSERT INTO r1 SELECT i, p, 'p1', 'north', 9, 9 FROM generate_series(1, 10) i, generate_series(0, 39) p;
INSERT INTO r2 SELECT * FROM r1 WHERE person IS NOT NULL;
INSERT INTO t1 SELECT i, 1, 'p2', 'north', 9, 9 FROM generate_series(1, 10) i;
\c :before
SET client_min_messages = warning;
SET search_path = regress_units, public;
SET ROLE regress_units_ana;
SELECT number, there, same(text, there::text, here::text) FROM questions, pairs WHERE number < 4 ORDER BY number, there::text;
RESET ROLE;

-- Where the unit may be on two servers rows are fetched, and limited here.
SET ROLE regress_units_owner;
DO $$
DECLARE
    way text;
    bounds text;
BEGIN
    FOREACH way IN ARRAY '{HASH (person),"HASH (person, id)",RANGE ((person + 0)),HASH (id),HASH (who),HASH (who text_pattern_ops),"HASH (who COLLATE \"POSIX\")","RANGE (who COLLATE \"POSIX\")",of person and id}'::text[] LOOP
        EXECUTE 'CREATE TABLE two (LIKE here) PARTITION BY ' || CASE WHEN way ~ '^of' THEN 'HASH (person)' ELSE way END;
        FOR i IN 0..1 LOOP
            bounds := CASE WHEN way ~ 'RANGE' THEN format('FROM (%L) TO (%L)', i * 50, i * 50 + 49) ELSE format('WITH (MODULUS 2, REMAINDER %s)', i) END;
            IF way ~ '^of' THEN
                EXECUTE format('CREATE TABLE sub%s PARTITION OF two FOR VALUES %s PARTITION BY LIST (id)', i, bounds);
                EXECUTE format('CREATE FOREIGN TABLE x%s PARTITION OF sub%s DEFAULT SERVER units%s OPTIONS (schema_name ''public'')', i, i, i + 1);
            ELSE
                EXECUTE format('CREATE FOREIGN TABLE x%s PARTITION OF two FOR VALUES %s SERVER units%s OPTIONS (schema_name ''public'')', i, bounds, i + 1);
            END IF;
        END LOOP;
        PERFORM dp.protect('two', 9e9, privacy_unit => CASE WHEN way ~ 'who .' THEN 'who' ELSE 'person' END, max_rows_per_unit => 3);
        RAISE WARNING '%: % parts', way, (SELECT count(*) FROM sent('SELECT dp_count(''*'', 1) FROM two') p WHERE p ~ 'shard_units');
        DROP TABLE two;
    END LOOP;
END
$$;
CREATE FOREIGN TABLE x0 (:columns) SERVER units1 OPTIONS (schema_name 'public');
CREATE FOREIGN TABLE x1 () INHERITS (x0) SERVER units2 OPTIONS (schema_name 'public');
SELECT dp.protect('x0', 9e9, privacy_unit => 'person', max_rows_per_unit => 3);
SELECT count(*) FROM sent($$ SELECT dp_count('*', 1) FROM x0 $$) p WHERE p ~ 'shard_units';
RESET ROLE;

-- The hash is PostgreSQL's, of all types by whose bytes units are told apart.
DO $$
DECLARE
    type text;
    wrong bigint;
BEGIN
    FOREACH type IN ARRAY '{bool,int2,int4,int8,oid,date,timestamp,timestamptz,uuid,text,varchar}'::text[] LOOP
        EXECUTE format('CREATE TABLE by_hash (v %s) PARTITION BY HASH (v)', type);
        EXECUTE format($q$ SELECT count(*) FROM (SELECT (CASE %L WHEN 'bool' THEN (i %% 2 = 0)::text WHEN 'uuid' THEN md5(i::text)
            WHEN 'date' THEN (date '2000-01-01' + i)::text WHEN 'timestamp' THEN (date '2000-01-01' + i)::text
            WHEN 'timestamptz' THEN (date '2000-01-01' + i)::text ELSE i::text END)::%s AS v FROM generate_series(1, 200) i) a, generate_series(0, 4) r
            WHERE dp_internal.in_hash_part(5, r, v) <> satisfies_hash_partition('by_hash'::regclass, 5, r, v) $q$, type, type) INTO wrong;
        RAISE WARNING '%: % differ', type, wrong;
        DROP TABLE by_hash;
    END LOOP;
END
$$;
SELECT dp_internal.in_hash_part(0, 0, 1);
SELECT dp_internal.in_hash_part(2, 0, '(1,2)'::point);
SELECT dp_internal.in_hash_part(2, 0, NULL::int);

-- By itself it may be called of one unit and one group, whose units are told apart by their bytes.
SELECT dp_internal.shard_units('*', x / 5, 1::float8, 3::bigint, 'dp_count(any,float8)'::text) FROM generate_series(1, 12) x;
SELECT dp_internal.shard_units('*', x, 1::float8, 3::bigint, 'dp_count(any,float8)'::text) FROM generate_series(1, 12) x GROUP BY x % 2;
SELECT dp_internal.shard_units('*', x, 1::float8, 3::bigint, 'dp_count(any,float8)'::text) FROM generate_series(1, 12) x GROUP BY GROUPING SETS ((), ());
SELECT dp_internal.shard_units('*', x::numeric, 1::float8, 3::bigint, 'dp_count(any,float8)'::text) FROM generate_series(1, 12) x;
SELECT dp_internal.shard_units('*', 'x'::cstring, 1::float8, 3::bigint, 'dp_count(any,float8)'::text) FROM generate_series(1, 12) x;
SELECT dp_internal.shard_units('*', x, 1::float8, 3::bigint, 'dp_count(any,float8)'::text), dp_internal.shard_units('*', x::text, 1::float8, 3::bigint, 'dp_count(any,float8)'::text)
FROM generate_series(1, 12) x;
SELECT dp_internal.shard_units('*', x, 1::float8, 3::bigint, 'dp_counts(any)'::text) FROM generate_series(1, 12) x;
SELECT dp_internal.shard_units(x, 1::float8, 'dp_count(any,float8)'::text) FROM generate_series(1, 12) x;
SELECT dp_internal.shard_units('*', x, 1::float8, -3::bigint, 'dp_count(any,float8)'::text) FROM generate_series(1, 12) x;
-- Of a family, whose number stands above 32 bits: a unit is in one bin with all it has, and the bins, behind 32 bytes, go with the first part.
SELECT dp_internal.shard_units('*', x, 1::float8, -(1::bigint << 32) - 3, 'dp_count(any,float8)'::text) FROM generate_series(1, 12) x;
SELECT dp_internal.shard_units('*', x, 1::float8, -(1::bigint << 62), 'dp_count(any,float8)'::text) FROM generate_series(1, 12) x;
SELECT rows, get_byte(one, 32) AS with_one, get_byte(one, 40) AS with_two, get_byte(one, 48) AS with_three, btrim(substring(two FROM 33 FOR 33 * 8), '\x00') AS beside_the_other
FROM (SELECT 'of each' AS rows, dp_internal.shard_units('*', x / 3, 1::float8, 0::bigint, 'dp_count(any,float8)'::text) FILTER (WHERE x % 3 = 0) AS one,
        dp_internal.shard_units('*', x / 3, 1::float8, 0::bigint, 'dp_count(any,float8)'::text) FILTER (WHERE x % 3 > 0) AS two FROM generate_series(0, 11) x
    UNION ALL SELECT 'of a family', dp_internal.shard_units('*', x / 3, 1::float8, -(1::bigint << 32), 'dp_count(any,float8)'::text) FILTER (WHERE x % 3 = 0),
        dp_internal.shard_units('*', x / 3, 1::float8, -(1::bigint << 32), 'dp_count(any,float8)'::text) FILTER (WHERE x % 3 > 0) FROM generate_series(0, 11) x) parts;
GRANT USAGE ON SCHEMA dp_internal TO regress_units_ana;
SET ROLE regress_units_ana;
SELECT dp_internal.shard_units('*', person, 1::float8, 3::bigint, 'dp_count(any,float8)'::text) FROM hashed;
SELECT dp_count('*', 1) FROM hashed WHERE dp_internal.in_hash_part(2, 0, person);
RESET ROLE;
REVOKE USAGE ON SCHEMA dp_internal FROM regress_units_ana;

\set ECHO none
\i :two_servers_end
\set ECHO all
