-- The attack suite, third part: what stands below the aggregates and would tell of rows by its errors, notices, effects or forms.
-- Charged are two that are rewritten to be total, and an answer with an error above it.
\getenv folder PG_ABS_SRCDIR
\set corpus :folder '/test/support/corpus.sql'
\set corpus_end :folder '/test/support/corpus_end.sql'
\set ECHO none
\o /dev/null
\i :corpus
\o
\pset format unaligned
\pset tuples_only on
RESET client_min_messages;
\set ECHO all
SET SESSION AUTHORIZATION corpus_ana;
RESET SESSION AUTHORIZATION;
CREATE COLLATION corpus.odd (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE corpus.forms (id int, t text, c text COLLATE "C", p text COLLATE "POSIX", f float8, odd text COLLATE corpus.odd,
arr text[],
                           f4 float4, u text, n numeric(5, 2));
INSERT INTO corpus.forms VALUES (0, 'a   ', 'x', 'y', -('NaN'::float8), 'B', ARRAY['a', 'b'], -('NaN'::float4), 'B', 1.00);
INSERT INTO corpus.forms SELECT i, 'a', 'x', 'y', 'NaN', 'b', ARRAY['a'], 'NaN', 'b', 1 FROM generate_series(1, 50) i;
SELECT dp.protect('corpus.forms', 9e9, 0.5, group_epsilon => 1, group_delta => 1e-9);
SELECT dp.grant_budget('corpus.forms', 'corpus_ana', 1e9, 0.1, allow_leaks => true);
SET SESSION AUTHORIZATION corpus_ana;
SET search_path = corpus, public, own;
-- What she can make: functions, operators, casts, types, aggregates that raise, notify, write or remember.
CREATE FUNCTION own.noisy(x anyelement) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RAISE NOTICE 'saw %', x; RETURN
true; END $$;
CREATE FUNCTION own.quiet(x int) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$ SELECT x > 3 $$;
CREATE FUNCTION own.remembers(x text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$ SELECT set_config('own.seen', x, false) IS
NOT NULL $$;
CREATE FUNCTION own.leaks(int, int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE COST 0.0001 AS $$ BEGIN RAISE NOTICE '% %', $1,
$2; RETURN true; END $$;
CREATE OPERATOR own.= (FUNCTION = own.leaks, LEFTARG = int, RIGHTARG = int);
CREATE OPERATOR own.<<< (FUNCTION = own.leaks, LEFTARG = int, RIGHTARG = int, RESTRICT = eqsel);
CREATE DOMAIN own.checked AS int CHECK (own.noisy(VALUE));
CREATE DOMAIN own.unchecked AS int;
CREATE TYPE own.pair AS (a int, b text);
CREATE FUNCTION own.to_pair(int) RETURNS own.pair LANGUAGE sql IMMUTABLE AS $$ SELECT ROW($1, '')::own.pair $$;
CREATE CAST (int AS own.pair) WITH FUNCTION own.to_pair(int);
CREATE FUNCTION own.last(anyelement, anyelement) RETURNS anyelement LANGUAGE sql IMMUTABLE AS 'SELECT $2';
CREATE AGGREGATE own.steal(anyelement) (SFUNC = own.last, STYPE = anyelement);
CREATE AGGREGATE own.dp_count(anyelement) (SFUNC = own.last, STYPE = anyelement);
CREATE FUNCTION own.raw() RETURNS SETOF int LANGUAGE sql STABLE AS 'SELECT age FROM corpus.people';
CREATE FUNCTION own.raw_count() RETURNS bigint LANGUAGE sql STABLE AS 'SELECT count(*) FROM corpus.people';
CREATE COLLATION own.odd (provider = icu, locale = 'und-u-ks-level2', deterministic = false);

-- 55, 56: PostgreSQL's functions that fail on some rows; a few are replaced by total ones.
SELECT dp_count(1 / (age - 42), 1e6) FROM people;
SELECT dp_count('*', 1e6) FROM people WHERE 1 / (age - 42) > 0;
SELECT dp_count('*', 1e6) FILTER (WHERE 1 / age > 0) FROM people;
SELECT 1 / (age / 10 - 4), dp_count('*', 1e6) FROM people WHERE false GROUP BY 1 / (age / 10 - 4);
SELECT dp_count('*', 1e6) FROM people WHERE CASE WHEN name = 'bob' THEN 1 / (age - 42) = 0 ELSE true END;
SELECT dp_sum(age * 1000000, 0, 1, 1e6) FROM people WHERE name = 'bob';
SELECT dp_sum(age + 1, 0, 1, 1e6), dp_sum(big - 1, 0, 1, 1e6) FROM people;
SELECT dp_sum(-age, 0, 1, 1e6) FROM people;
SELECT dp_sum(abs(age), 0, 1, 1e6) FROM people;
SELECT dp_count('*', 1e6) FROM people WHERE age % (id - 42) = 0;
SELECT dp_count('*', 1e6) FROM people WHERE age / -1 > 0;
SELECT dp_count('*', 1e6) FROM people WHERE age << 40 > 0;
SELECT dp_sum(big::int, 0, 1, 1e6) FROM people;
SELECT dp_count('*', 1e6) FROM people WHERE big::smallint = 1 AND weight::int = 2;
SELECT dp_count('*', 1e6) FROM people WHERE name::int = 1;
SELECT dp_count('*', 1e6) FROM people WHERE name::date = '2000-01-01';
SELECT dp_count('*', 1e6) FROM people WHERE name::uuid IS NULL OR name::jsonb IS NULL;
SELECT dp_count('*', 1e6) FROM people WHERE name::mood = 'ok';
SELECT dp_count('*', 1e6) FROM people WHERE age::percent = 1;
SELECT dp_count('*', 1e6) FROM people WHERE (doc -> 'k')::int = 1;
SELECT dp_count('*', 1e6) FROM people WHERE doc @? '$.k ? (@ > 1)';
SELECT dp_count('*', 1e6) FROM people WHERE doc #>> '{k}' = '1' AND jsonb_array_length(doc) = 1;
SELECT dp_count('*', 1e6) FROM people WHERE doc @> doc AND doc -> 's' <@ doc;
SELECT dp_count('*', 1e6) FROM people WHERE weight * 1e308 > 1;
SELECT dp_count('*', 1e6) FROM people WHERE sqrt(weight) > 1 OR ln(exact) > 1 OR exp(weight) > 1 OR power(weight, 2) > 1;
SELECT dp_count('*', 1e6) FROM people WHERE exact < 0.5::float8;
SELECT dp_count('*', 1e6) FROM people WHERE round(exact, id) = 1;
SELECT dp_count('*', 1) FROM people WHERE exact::numeric(3, 1e6) = 1;
SELECT dp_count('*', 1e6) FROM people WHERE date_trunc('bogus', at) = at;
SELECT dp_count('*', 1e6) FROM people WHERE date_trunc('century', at) = at;
SELECT dp_count('*', 1e6) FROM people WHERE date_trunc(ward, at) = at;
SELECT dp_count('*', 1e6) FROM people WHERE extract(bogus FROM at) = 1;
SELECT dp_count('*', 1e6) FROM people WHERE date_part('epoch', born) > 0;
SELECT dp_count('*', 1e6) FROM people WHERE born + 1 > '2020-01-01' OR at - seen::timestamp = '1 day' OR at + span > at;
SELECT dp_count('*', 1e6) FROM people WHERE at::date = '2024-01-01' AND born::timestamp < at;
SELECT dp_count('*', 1e6) FROM people WHERE at AT TIME ZONE 'UTC' < seen;
SELECT dp_count('*', 1e6) FROM people WHERE age(at) > '1 year';
SELECT dp_count('*', 1e6) FROM people WHERE to_char(at, 'YYYY') = '2024' OR to_date(name, 'YYYY') IS NULL;
SELECT dp_count('*', 1e6) FROM people WHERE width_bucket(weight, 0, 100, 10) = 1;
SELECT dp_count('*', 1e6) FROM people WHERE width_bucket(weight, 0, 0, 10) = 1 AND name = 'bob';
SELECT dp_count('*', 1e6) FROM people WHERE width_bucket(age, ARRAY[10, NULL]) = 1;
SELECT dp_count('*', 1e6) FROM people WHERE name LIKE 'p77\';
SELECT dp_count('*', 1e6) FROM people WHERE name LIKE ward || '\';
SELECT dp_count('*', 1e6) FROM people WHERE name LIKE 'a%' ESCAPE 'ab';
SELECT dp_count('*', 1e6) FROM people WHERE name LIKE repeat('%a', 600);
SELECT dp_count('*', 1e6) FROM people WHERE name SIMILAR TO 'p(1|2)+';
SELECT dp_count('*', 1e6) FROM people WHERE name ~ '^p[0-9]+$';
SELECT dp_count('*', 1e6) FROM people WHERE name ~ ward OR regexp_replace(name, '(', '') = '';
SELECT dp_count('*', 1e6) FROM people WHERE substring(name FROM 1 FOR id - 30) = 'p';
SELECT dp_count('*', 1e6) FROM people WHERE split_part(name, 'p', id) = '1';
SELECT dp_count('*', 1e6) FROM people WHERE repeat(name, age) = 'x' OR lpad(name, age) = 'x';
SELECT dp_count('*', 1e6) FROM people WHERE chr(age) = 'x' OR convert_from(secret, 'UTF8') = 'x' OR md5(name) = 'x';
SELECT dp_count('*', 1e6) FROM people WHERE name::varchar(2) = code OR (name || '')::varchar(2) = 'x';
SELECT dp_count('*', 1e6) FROM people WHERE tags[id] = 'x';
SELECT dp_count('*', 1e6) FROM people WHERE ARRAY[tags, ARRAY['x', 'y']] IS NOT NULL AND name = 'bob';
SELECT dp_count('*', 1e6) FROM people WHERE array_position(tags, 'x') = 1 OR tags || tags IS NULL OR array_to_string(tags, ',') = '';
SELECT dp_count('*', 1e6) FROM people WHERE (age, name) < (3, 'x');
SELECT dp_count('*', 1) FROM people WHERE ROW(age, name) = ROW(3, 'x', 1e6);
SELECT dp_count('*', 1e6) FROM people WHERE ROW(age, name)::own.pair = ROW(3, 'x')::own.pair;
SELECT dp_count('*', 1e6) FROM people WHERE get_bit(secret, id) = 1 OR int4range(age, id) @> 3;
SELECT dp_count('*', 1e6) FROM people WHERE numeric_inc(exact) > 1;
-- Lazy errors of constants come whether a row gets there or not: 96.
SELECT dp_count('*', 1e6) FROM people WHERE name = 'bob' AND 1 / (length('a') - 1) = 1;
SELECT dp_count('*', 1e6) FROM people WHERE name = 'nobody' AND 1 / (length('a') - 1) = 1;
SELECT dp_count('*', 1e6) FROM people WHERE name = 'nobody' AND age = current_setting('own.nothing')::int;
PREPARE p(int) AS SELECT dp_count('*', 1e6) FROM people WHERE name = 'nobody' AND age = 1 / $1;
EXECUTE p(0);
SET plan_cache_mode = force_generic_plan;
EXECUTE p(0);
RESET plan_cache_mode;
DEALLOCATE p;
-- Two collations, or one in which different texts are equal.
SELECT dp_count('*', 1e6) FROM forms WHERE id = 77 AND c < p;
SELECT dp_count('*', 1e6) FROM forms WHERE id = 77 AND upper(coalesce(c, p)) = 'X';
SELECT dp_count('*', 1e6) FROM forms WHERE CASE WHEN id = 0 THEN greatest(c, p) = 'x' COLLATE "C" END;
SELECT dp_histogram(coalesce(c, p), ARRAY['a', 'b'], 1e6) FROM forms WHERE id = 77;
SELECT coalesce(odd, 'x'), dp_count('*', 1e6) FROM forms GROUP BY 1;
SELECT u COLLATE own.odd, dp_count('*', 1e6) FROM forms GROUP BY 1;
SELECT CASE WHEN id > 0 THEN 'x' COLLATE own.odd ELSE u END, dp_count('*', 1e6) FROM forms GROUP BY 1;
SELECT dp_count(DISTINCT u COLLATE own.odd, 1e6) FROM forms;
-- Keys of which equal ones can look different, and which are not to be told apart.
SELECT arr, dp_count('*', 1e6) FROM forms GROUP BY arr;
SELECT id * interval '1 day', dp_count('*', 1e6) FROM forms GROUP BY 1;
SELECT ROW(u, t), dp_count('*', 1e6) FROM forms GROUP BY 1;

-- 57, 71 to 73: what she made.
SELECT dp_count('*', 1e6) FROM people WHERE own.noisy(name);
SELECT dp_count('*', 1e6) FROM people WHERE own.quiet(age);
SELECT dp_count('*', 1e6) FROM people WHERE own.remembers(name);
SELECT dp_count('*', 1e6) FROM (SELECT name FROM people WHERE own.noisy(name)) s WHERE name = 'x';
SELECT dp_count('*', 1e6) FROM people WHERE pg_notify('c', name) IS NULL;
SELECT dp_count('*', 1e6) FROM people WHERE set_config('own.x', name, false) = 'x';
SELECT dp_count('*', 1e6) FROM people WHERE pg_sleep(age) IS NULL;
SELECT dp_count('*', 1e6) FROM people WHERE pg_advisory_lock(age) IS NULL;
SELECT dp_count('*', 1e6) FROM people WHERE query_to_xml('SELECT 1', true, true, name) IS NULL;
SELECT dp_count('*', 1e6) FROM people WHERE current_setting(name, true) IS NULL OR pg_get_viewdef(age) IS NULL OR
to_regclass(name) IS NULL;
SELECT dp_count('*', 1e6) FROM people WHERE (dp.admissible(name)).admissible;
SELECT dp_count('*', 1e6) FROM people WHERE age <<< 3;
SELECT dp_count('*', 1e6) FROM people WHERE age OPERATOR(own.=) 3;
SET search_path = own, corpus, public, pg_catalog;
SELECT dp_count('*', 1e6) FROM people WHERE age = 3;
SELECT dp_count('*', 1e6) FROM people WHERE age IN (3, 4);
SELECT dp_count('*', 1e6) FROM people WHERE age IS DISTINCT FROM 3;
SELECT dp_count('*', 1e6) FROM people WHERE nullif(age, 3) IS NULL;
SELECT dp_count('*', 1e6) FROM people WHERE CASE age WHEN 3 THEN true END;
SELECT dp_count('*', 1e6) FROM people WHERE (age, id) = (3, 4);
SELECT own.dp_count(age) FROM people;
SET search_path = corpus, public, own;
SELECT dp_count('*', 1e6) FROM people WHERE age::own.checked = 1;
SELECT dp_count('*', 1e6) FROM people WHERE age::own.unchecked = 1;
-- The conditions of a domain run wherever a constant is cast to it: for each row.
CREATE DOMAIN own.price AS float8 CHECK (own.noisy(VALUE));
CREATE DOMAIN own.word AS text CHECK (own.noisy(VALUE));
CREATE TYPE own.priced AS (e own.price);
SELECT dp_count('*', 0.1::own.price) FROM people;
SELECT dp_count('*', 1e6) FROM people WHERE CASE WHEN name = 'bob' THEN ward = 'x'::own.word END;
SELECT dp_count('*', 1e6) FILTER (WHERE 'x'::own.word = 'x') FROM people;
SELECT dp_count('*', 1e6) FROM people GROUP BY ward = 'x'::own.word;
SELECT dp_histogram(ward, ARRAY['a', 'b'::own.word]::text[], 1e6) FROM people;
SELECT dp_count('*', (ROW(0.1)::own.priced).e) FROM people;
SELECT dp_count('*', 1e6) FROM people WHERE ward = ANY (string_to_array('a,b', ',')::own.word[]::text[]);
SELECT dp_count(age::own.pair, 1e6) FROM people;
SELECT own.steal(name) FROM people;
SELECT dp_count('*', 1e6), own.steal(name) FROM people;
SELECT dp_count('*', 1e6) FROM people HAVING own.steal(age) > 3;
SELECT dp_count('*', 1e6) FROM people, own.raw();
SELECT (SELECT count(*) FROM own.raw()), dp_count('*', 1e6) FROM people;
\set SHOW_CONTEXT never
SELECT dp_count('*', 1e6), own.raw_count() FROM people;
\set SHOW_CONTEXT errors
\set SHOW_CONTEXT never
SELECT dp_count('*', 1e6) FROM people WHERE age IN (SELECT own.raw());
\set SHOW_CONTEXT errors
SELECT dp_count('*', 1e6), (SELECT max(age) FROM people) FROM people;
SELECT dp_count('*', 1e6) FROM people UNION ALL SELECT age FROM people;
WITH c AS (SELECT dp_count('*', 1e6) FROM people) SELECT c.*, p.age FROM c, people p;
SELECT dp_count('*', 1e6) FROM people HAVING EXISTS (SELECT FROM people p WHERE name = 'bob');
CREATE AGGREGATE own.forged(internal) (SFUNC = dp_internal.dp_count_add, STYPE = internal);
CREATE AGGREGATE own.forged(float8) (SFUNC = dp_internal.dp_count_add, STYPE = internal, FINALFUNC = dp_internal.dp_count_answer);
SELECT dp_internal.dp_count_answer(NULL);
SELECT dp_internal.dp_count_add(NULL, 1::int8);
-- The whole row, where it lies.
SELECT dp_count(people, 1e6) FROM people;
SELECT dp_count(p.*, 1e6) FROM people AS p;
SELECT dp_count(s, 1e6) FROM (SELECT name, age FROM people) s;
SELECT dp_count(s.people, 1e6) FROM (SELECT people FROM people) s;
SELECT dp_count(adults, 1e6) FROM adults;
SELECT dp_count('*', 1e6) FROM people WHERE people IS NULL;
SELECT dp_count('*', 1e6) FROM people WHERE people::text LIKE '%bob%';
SELECT dp_count('*', 1e6) FROM people WHERE row_to_json(people) ->> 'name' = 'bob' OR hashtext(name) = 1;
SELECT dp_count('*', 1e6) FROM people WHERE ctid = '(0,1)';
SELECT dp_count(xmin, 1e6) FROM people;
SELECT dp_count(DISTINCT tableoid, 1e6) FROM events;
SELECT dp_count('*', 1e6) FROM (SELECT ctid AS c FROM people) s WHERE c < '(0,5)';
-- Subqueries below.
SELECT dp_count('*', 1e6) FROM people WHERE age = (SELECT max(age) FROM people);
SELECT dp_count('*', 1e6) FROM people WHERE age IN (SELECT n FROM notes);
SELECT dp_count('*', 1e6) FROM people p WHERE EXISTS (SELECT FROM notes WHERE k = p.ward);
SELECT dp_count('*', 1e6) FROM people WHERE age > (SELECT dp_count('*', 1e6) FROM people);
SELECT dp_count((SELECT n FROM notes WHERE k = ward), 1e6) FROM people;
SELECT dp_count('*', 1e6) FILTER (WHERE ward IN (SELECT k FROM notes)) FROM people;
SELECT dp_count('*', 1e6) FROM people GROUP BY (SELECT max(n) FROM notes WHERE k = ward);
SELECT dp_count('*', 1e6) FROM people WHERE ARRAY(SELECT n FROM notes) @> ARRAY[age];
-- More keys than GROUPING() can tell apart.
SELECT format('SELECT age, dp_count(''*'', 1e6) FROM chosen GROUP BY GROUPING SETS ((), (age), (age, %s))',
string_agg(format('dp_add(age, %s)', i), ', '))
FROM generate_series(1, 32) i \gexec
-- More groups than there is room for.
SELECT dp_count('*', 1e6) FROM people GROUP BY CUBE (active, kind, ward, ward_id, age / 10, age > 1, age > 2, age > 3, age > 4,
age > 5, age > 6);
SELECT dp_count('*', 1e6) FROM people GROUP BY age > 1, age > 2, age > 3, age > 4, age > 5, age > 6, age > 7, age > 8, age > 9,
age > 10, age > 11, age > 12, age > 13, age > 14, age > 15, age > 16, age > 17, age > 18, age > 19, age > 20;
SELECT dp_histogram(age, 0, 1, 2000000000, 1e6) FROM people WHERE false;
SELECT count(*) FROM dp.ledger;
\i :corpus_end
