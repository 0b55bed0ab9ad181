-- The attack suite, fifth part: attacks that worked once. Where a row is looked for, the two lines that follow each other are about the
-- table with it and without it; they are the same.
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

-- The first row holds a form that equals the others and looks different.
CREATE TABLE corpus.forms (id int, t text, f float8, f4 float4, n numeric, long text, other text);
INSERT INTO corpus.forms SELECT 0, 'a   ', -('NaN'::float8), -('NaN'::float4), 1.00, repeat('k', 600), string_agg(md5(i::text), '')
FROM generate_series(1, 52) i;
INSERT INTO corpus.forms SELECT i, 'a', 'NaN', 'NaN', 1, repeat('k', 600), '' FROM generate_series(1, 50) i;
SELECT pg_column_compression(long) FROM corpus.forms LIMIT 2;
-- Its part of one day, its other part and its sum.
CREATE TABLE corpus.parts (ward text, n int) PARTITION BY LIST (ward);
CREATE TABLE corpus.parts_a PARTITION OF corpus.parts FOR VALUES IN ('a');
CREATE TABLE corpus.parts_b PARTITION OF corpus.parts FOR VALUES IN ('b');
INSERT INTO corpus.parts SELECT chr(97 + i % 2), i FROM generate_series(1, 20000) i;
ANALYZE corpus.forms, corpus.parts;
CREATE VIEW corpus.hidden AS SELECT * FROM corpus.people;
SELECT dp.protect('corpus.forms', 9e9, 0.5, group_epsilon => 1, group_delta => 1e-9, min_query_epsilon => 1e-9), dp.protect('corpus.parts', 9e9, min_query_epsilon => 1e-9),
       dp.public_values('corpus.parts', 'ward', 'a', 'b');
SELECT dp.grant_budget('corpus.forms', 'corpus_ana', 1e9, 0.1, allow_leaks => true),
       dp.grant_budget('corpus.parts', 'corpus_ana', 1e9, 0.1, allow_leaks => true);
ALTER ROLE corpus_ana SET log_temp_files = 0;
SELECT current_user AS admin \gset
\c - corpus_ana
SET search_path = corpus, public, own;

-- A form.
SELECT octet_length(textin(bpcharout(t::bpchar))::text), dp_count('*', 1e6) FROM forms GROUP BY t::bpchar;
SELECT float8send(f), float4send(f4), n, dp_count('*', 1e6) FROM forms GROUP BY f, f4, n;
SELECT pg_column_size(long), pg_column_compression(long), dp_count('*', 1e6) FROM forms GROUP BY long;
-- The same grouping set as often as a counter has values: missing groups came twice.
SELECT format('SELECT count(dp_count) FROM (SELECT active, dp_count(''*'', 1e-9) FROM people WHERE name = %L GROUP BY GROUPING SETS (%s)) s',
              name, repeat('(active), ', 255) || '(active)') AS with_and_without
FROM (VALUES ('bob'), ('nobody')) AS v (name)
\set ECHO none
\gexec
\set ECHO all
-- Groups that do not leave are not counted either: whether the answers were too many to be kept.
SET dp.keep_releases = 5;
SELECT count(dp_count) FROM (SELECT age, dp_count('*', 1e6) FROM chosen GROUP BY age) s;
SELECT dp_last_release() IS NULL;
SELECT count(dp_count) FROM (SELECT age, dp_count('*', 1e6) FROM chosen WHERE age <> 77 GROUP BY age) s;
SELECT dp_last_release() IS NULL;
SELECT count(dp_count) FROM (SELECT age, dp_count('*', 1e6) FROM chosen WHERE age > 0 GROUP BY age) s;
SELECT dp_answer(dp_last_release());
RESET dp.keep_releases;
-- Settings changed by a function that runs while the query is planned.
CREATE FUNCTION own.sets(name text, value text) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM set_config(name,
value, false); RETURN 1; END $$;
SELECT own.sets('debug_print_plan', 'on'), dp_count('*', 1e6) FROM people;
SHOW debug_print_plan;
RESET debug_print_plan;
SET client_min_messages = log;
SELECT dp_count('*', 1e6) FROM people;
SELECT own.sets('enable_partitionwise_aggregate', 'on'), ward, dp_count('*', 1e6) FROM parts GROUP BY ward;
RESET enable_partitionwise_aggregate;
-- What PostgreSQL logs when an error ends the statement: the size of what was sorted.
SET work_mem = '64kB';
SET enable_hashagg = off;
SELECT ward, dp_count(DISTINCT n, 1e6) / 0 FROM parts GROUP BY ward;
BEGIN; DECLARE c CURSOR FOR SELECT ward, dp_count('*', 1e6) FROM parts GROUP BY ward; FETCH 1 FROM c; ROLLBACK;
DO $$ BEGIN PERFORM ward, dp_count('*', 1e6) / 0 FROM parts GROUP BY ward; EXCEPTION WHEN division_by_zero THEN NULL; END $$;
RESET enable_hashagg; RESET work_mem; RESET client_min_messages;
-- Statistics about values: widths, and with them plans above the answers.
EXPLAIN SELECT long, dp_count('*', 1e6) FROM forms GROUP BY long;
EXPLAIN SELECT left(other, 3), dp_count('*', 1e6) FROM forms GROUP BY 1 ORDER BY 2;
-- Compiled, what stands above the answers is counted, on a server that compiles.
CREATE FUNCTION own.compiled(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
    RETURN CASE WHEN pg_jit_available() THEN plan #>> '{0,JIT,Functions}' ELSE '1' END;
END $$;
SET jit = on; SET jit_above_cost = 0;
SELECT own.compiled($$SELECT long, dp_count('*', 1e6) FROM forms GROUP BY long$$);
RESET jit; RESET jit_above_cost;
-- A view that she may not read is no way to the table.
SELECT dp_count('*', 1e6) FROM hidden;
-- Noise on answers costs nothing: they are no rows.
SELECT dp_sum(n, 0, 100, 1e6) FROM (SELECT dp_count('*', 1e6) AS n FROM people GROUP BY ward) s;
\c - :admin
\i :corpus_end
