-- The attack suite, fourth part: the doors around a query, and what comes out of them.
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
SET search_path = corpus, public, own;
SET jit = on; -- as it is by default, whatever the test server's configuration says
\set nodes 'ward, dp_count(''*'', 1e6) AS n FROM people WHERE name = ''bob'' GROUP BY ward'
-- 61, 94: EXPLAIN shows the gate and the price, through every door; never what lies below.
EXPLAIN SELECT :nodes;
EXPLAIN (VERBOSE) SELECT * FROM (SELECT :nodes) s WHERE n > 1 ORDER BY n;
-- Without what PostgreSQL 18 says of every node.
CREATE FUNCTION own.json_plan(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT JSON, COSTS OFF) ' || query INTO plan;
    RETURN regexp_replace(plan::text, '\s*"Disabled": false,', '');
END $$;
SELECT own.json_plan('SELECT ' || :'nodes');
EXPLAIN (COSTS OFF, SETTINGS, SUMMARY OFF) SELECT ward, price, dp_count('*', 1) FROM chosen GROUP BY ROLLUP (ward, price);
EXPLAIN SELECT * FROM by_ward;
EXPLAIN (COSTS OFF) CREATE TABLE own.copy AS SELECT :nodes;
EXPLAIN (COSTS OFF) DECLARE c CURSOR FOR SELECT :nodes;
EXPLAIN (COSTS OFF) INSERT INTO notes SELECT ward, dp_count('*', 1) FROM people GROUP BY ward;
EXPLAIN (COSTS OFF) CREATE MATERIALIZED VIEW own.m AS SELECT :nodes;
PREPARE p(text) AS SELECT dp_count('*', 1e6) FROM people WHERE name = $1;
EXPLAIN EXECUTE p('bob');
SET plan_cache_mode = force_generic_plan;
EXPLAIN EXECUTE p('bob');
EXPLAIN EXECUTE p(NULL);
EXECUTE p('bob');
EXECUTE p(NULL);
RESET plan_cache_mode;
EXPLAIN ANALYZE EXECUTE p('bob');
EXPLAIN ANALYZE SELECT :nodes;
EXPLAIN (BUFFERS) SELECT :nodes;
EXPLAIN ANALYZE SELECT * FROM by_ward;
EXPLAIN ANALYZE CREATE TABLE own.copy AS SELECT :nodes;
EXPLAIN ANALYZE DECLARE c CURSOR FOR SELECT :nodes;
EXPLAIN ANALYZE INSERT INTO notes SELECT ward, dp_count('*', 1) FROM people GROUP BY ward;
EXPLAIN ANALYZE SELECT count(*) FROM people;
EXPLAIN SELECT count(*) FROM people;
DO $$ BEGIN EXECUTE 'EXPLAIN ANALYZE SELECT dp_count(''*'', 1) FROM people'; END $$;
-- Neither the rows below nor settings change a word of it, but for what is compiled (guard_suite_attacks).
CREATE FUNCTION own.plans(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE settings text; plan json; plans text[];
BEGIN
    FOREACH settings IN ARRAY ARRAY['enable_seqscan=off', 'enable_hashagg=off', 'enable_sort=off', 'random_page_cost=0',
'cpu_tuple_cost=100', 'work_mem=64kB',
                                    'parallel_setup_cost=0', 'min_parallel_table_scan_size=0', (SELECT name || '=on' FROM pg_settings WHERE name IN ('force_parallel_mode', 'debug_parallel_query')),
'jit_above_cost=0', 'jit=on'] LOOP
        PERFORM set_config(split_part(settings, '=', 1), split_part(settings, '=', 2), false);
        IF settings = 'cpu_tuple_cost=100' THEN RESET cpu_tuple_cost; END IF;
        EXECUTE 'EXPLAIN (FORMAT JSON, VERBOSE) ' || query INTO plan;
        plans := plans || (plan::jsonb #- '{0,JIT}')::text;
    END LOOP;
    RETURN (SELECT count(DISTINCT p) FROM unnest(plans) p);
END $$;
SELECT own.plans('SELECT ward, age, dp_count(''*'', 1), dp_count(DISTINCT age, 1) FROM chosen GROUP BY ward, age');
SELECT own.plans('SELECT dp_count(''*'', 1) FROM people WHERE id BETWEEN 3 AND 5');
SELECT own.plans('SELECT ward, dp_sum(age, 0, 1, 1) FROM events GROUP BY ward');
RESET ALL; SET search_path = corpus, public, own; RESET client_min_messages;
-- 66, 94: text about plans and rows stays on the server.
SET debug_print_plan = on;
SELECT dp_count('*', 1e6) FROM people;
SELECT * FROM by_ward;
DO $$ DECLARE n bigint; BEGIN SELECT dp_count('*', 1e6) INTO n FROM people; END $$;
RESET debug_print_plan;
SET trace_sort = on;
SET client_min_messages = log;
SELECT ward, dp_count(DISTINCT age, 1e6) FROM people GROUP BY ward ORDER BY 1 LIMIT 2;
SELECT * FROM by_ward LIMIT 1;
BEGIN; DECLARE c CURSOR FOR SELECT ward, dp_count(DISTINCT age, 1e6) FROM people GROUP BY ward; FETCH 1 FROM c; CLOSE c; COMMIT;
DO $$ DECLARE n bigint; BEGIN SELECT dp_count(DISTINCT age, 1e6) INTO n FROM people; END $$;
-- force_parallel_mode was its name before 16.
SELECT name AS forced_parallel FROM pg_settings WHERE name IN ('force_parallel_mode', 'debug_parallel_query') \gset
SET :forced_parallel = on;
SELECT dp_count(DISTINCT name, 1e6), dp_median(age, 0, 100, 1e6) > 1 FROM people;
RESET :forced_parallel; RESET client_min_messages; RESET trace_sort;
-- Locks of SERIALIZABLE transactions tell which rows were read.
BEGIN ISOLATION LEVEL SERIALIZABLE; SELECT dp_count('*', 1) FROM people; ROLLBACK;
BEGIN ISOLATION LEVEL SERIALIZABLE; SELECT * FROM by_ward; ROLLBACK;
BEGIN ISOLATION LEVEL SERIALIZABLE; EXPLAIN SELECT dp_count('*', 1) FROM people; ROLLBACK;
BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT dp_count('*', 1e6) FROM people;
SELECT mode, count(*) FROM pg_locks WHERE relation = 'people'::regclass AND pid = pg_backend_pid() GROUP BY 1; COMMIT;

-- 68, 7, 8, 34, 35: COPY, cursors, statements that write answers; each is charged when it runs.
COPY (SELECT :nodes) TO STDOUT;
BEGIN; DECLARE c SCROLL CURSOR FOR SELECT :nodes; FETCH LAST FROM c; FETCH FIRST FROM c; MOVE ABSOLUTE 2 IN c; FETCH PRIOR FROM
c; ROLLBACK;
BEGIN; DECLARE c CURSOR FOR SELECT :nodes; SAVEPOINT s; FETCH 1 FROM c; ROLLBACK TO s; FETCH 1 FROM c; COMMIT;
BEGIN; SAVEPOINT s; DECLARE c CURSOR FOR SELECT :nodes; FETCH 1 FROM c; RELEASE s; FETCH 2 FROM c; COMMIT;
CREATE TABLE own.copy AS SELECT :nodes;
INSERT INTO own.copy SELECT :nodes RETURNING ward, n > 0;
SELECT ward, dp_count('*', 1e6) AS n INTO own.copy2 FROM people GROUP BY ward;
CREATE MATERIALIZED VIEW own.m AS SELECT dp_count('*', 1e6) AS n FROM people;
REFRESH MATERIALIZED VIEW own.m;
UPDATE notes SET n = (SELECT dp_count('*', 1e6) FROM people) RETURNING n;
DELETE FROM own.copy USING (SELECT :nodes) a WHERE a.ward = copy.ward AND a.n = 1 RETURNING copy.*;
MERGE INTO notes t USING (SELECT :nodes) a ON a.ward = t.k WHEN MATCHED THEN UPDATE SET n = a.n;
INSERT INTO notes VALUES ('x', (SELECT dp_count('*', 1e6) FROM people)) ON CONFLICT DO NOTHING RETURNING n;
WITH i AS (INSERT INTO notes SELECT :nodes RETURNING n) SELECT sum(n) FROM i;
CREATE RULE r AS ON INSERT TO own.copy DO ALSO SELECT dp_count('*', 1e6) FROM people;
INSERT INTO own.copy VALUES ('r', 1);
CREATE FUNCTION own.answer() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.n := (SELECT dp_count('*', 1e6) FROM
corpus.people); RETURN NEW; END $$;
CREATE TRIGGER t BEFORE INSERT ON own.copy2 FOR EACH ROW EXECUTE FUNCTION own.answer();
INSERT INTO own.copy2 VALUES ('t', 0), ('u', 0) RETURNING n;
-- Functions; loops that catch what fails.
DO $$ DECLARE r record; BEGIN FOR r IN SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward LOOP RAISE NOTICE '%', r;
END LOOP; END $$;
DO $$ DECLARE n bigint; BEGIN
    FOR i IN 1 .. 3 LOOP
        BEGIN SELECT dp_count('*', 1e6) / (i - 2) INTO n FROM people; RAISE NOTICE '%', n; EXCEPTION WHEN division_by_zero THEN
RAISE NOTICE '%', SQLERRM; END;
    END LOOP;
END $$;
DO $$ DECLARE what text; BEGIN
    FOREACH what IN ARRAY ARRAY['bob', 'nobody'] LOOP
        BEGIN EXECUTE format('SELECT dp_count(1 / (age - 42), 1) FROM people WHERE name = %L', what); EXCEPTION WHEN OTHERS THEN
RAISE NOTICE '%', SQLERRM; END;
    END LOOP;
END $$;
CREATE FUNCTION own.asks(w text) RETURNS bigint LANGUAGE sql AS 'SELECT dp_count(''*'', 1e6) FROM corpus.people WHERE ward = w';
CREATE FUNCTION own.asks_inline(w text) RETURNS bigint LANGUAGE sql STABLE AS
'SELECT dp_count(''*'', 1e6) FROM corpus.people WHERE ward = w';
CREATE FUNCTION own.asks_rows() RETURNS TABLE (w text, n bigint) LANGUAGE sql STABLE AS
'SELECT ward, dp_count(''*'', 1e6) FROM corpus.people GROUP BY 1';
SELECT k, own.asks(k) FROM notes WHERE k IN ('a', 'b') GROUP BY 1 ORDER BY 1;
SELECT k, own.asks_inline(k) FROM notes WHERE k IN ('a', 'b') GROUP BY 1 ORDER BY 1;
SELECT * FROM own.asks_rows() WHERE w < 'c';
SELECT count(a.n + b.n) FROM own.asks_rows() a, own.asks_rows() b WHERE a.w = b.w;
-- Functions above the answers see answers alone; while a cursor is open, too.
CREATE FUNCTION own.tells(x anyelement) RETURNS anyelement LANGUAGE plpgsql VOLATILE AS $$ BEGIN RAISE NOTICE 'sees %', x;
RETURN x; END $$;
SELECT own.tells(ward), own.tells(dp_count('*', 1e6)) FROM people WHERE name = 'bob' GROUP BY ward;
SELECT ward FROM people GROUP BY ward HAVING own.tells(ward) IS NOT NULL AND own.tells(dp_count('*', 1e6)) > 20;
SELECT n FROM (SELECT :nodes) s WHERE own.tells(ward) = 'a';
-- Epsilon and other settings changed on the way.
SET dp.epsilon = 0.001;
SELECT set_config('dp.epsilon', '1e6', false)::float8 > 1 AS changed UNION ALL SELECT dp_count(*) > -1e9 FROM people;
SELECT epsilon FROM dp.ledger ORDER BY seq DESC LIMIT 1;
SELECT set_config('client_min_messages', 'log', true) IS NOT NULL AS set, n > 0 AS some FROM (SELECT :nodes) s WHERE ward = 'a';
SELECT (SELECT set_config('role', 'none', false)) IS NOT NULL, dp_count('*', 1e6) FROM people;
-- Other roles, other paths.
SELECT dp.admissible('SELECT count(*) FROM corpus.people', 'corpus_owner');
SELECT dp.admissible('SELECT dp_count(1 / age, 1) FROM corpus.people');
SELECT dp.admissible('SELECT * FROM corpus.people'), dp.admissible('SELECT 1; SELECT 2'),
dp.admissible('COPY corpus.people TO STDOUT'), dp.admissible(NULL);
SELECT dp.admissible('DELETE FROM corpus.people'), dp.admissible('EXPLAIN ANALYZE SELECT dp_count(''*'', 1) FROM corpus.people');
SELECT * FROM dp.cost('SELECT dp_count(''*'', 1) FROM corpus.people WHERE own.tells(name) = ''x''');
SELECT * FROM dp.cost('SELECT count(*) FROM corpus.people');
SET ROLE corpus_owner;
SET SESSION AUTHORIZATION :"USER";
RESET SESSION AUTHORIZATION;
SET SESSION AUTHORIZATION corpus_bob;
SELECT count(*) FROM dp.ledger;
SELECT count(*) FROM dp.releases;
SELECT * FROM dp_answer((SELECT max(release_id) FROM dp.releases));
SELECT dp_answer(i) FROM generate_series(1, 3) i;
SELECT relax_release(1, 2);
SELECT dp_last_release() IS NULL;
SELECT dp_count('*', 11) FROM people;
SELECT dp_count('*', 1) FROM events;
SELECT * FROM own.copy;
-- What was granted is looked up at each execution.
PREPARE q AS SELECT dp_count('*', 0.001) > -1e9 FROM people;
EXECUTE q;
RESET SESSION AUTHORIZATION;
SELECT dp.revoke_budget('people', 'corpus_bob');
SET SESSION AUTHORIZATION corpus_bob;
EXECUTE q;
SELECT dp_count('*', 0.001) FROM people;
RESET SESSION AUTHORIZATION;
-- SECURITY DEFINER: what others let her run is watched, too.
SET ROLE corpus_owner;
CREATE FUNCTION corpus.publish() RETURNS bigint LANGUAGE sql SECURITY DEFINER AS 'SELECT dp_count(''*'', 1e6) FROM corpus.people';
RESET ROLE;
SET SESSION AUTHORIZATION corpus_ana;
SET search_path = corpus, public, own;
SELECT publish();
SET debug_print_plan = on;
SELECT publish();
RESET debug_print_plan;
BEGIN ISOLATION LEVEL SERIALIZABLE; SELECT publish(); ROLLBACK;
-- A group and its members: the group's account pays.
RESET SESSION AUTHORIZATION;
CREATE ROLE corpus_member IN ROLE corpus_ana;
SET SESSION AUTHORIZATION corpus_member;
SELECT dp_count('*', 1e6) FROM corpus.people;
SELECT count(*) FROM corpus.people;
RESET SESSION AUTHORIZATION;
DROP ROLE corpus_member;
SELECT count(*), (sum(epsilon) / 1e6)::int AS draws FROM dp.ledger WHERE role = 'corpus_ana'::regrole;
\i :corpus_end
