-- Lists whose values are known when an execution starts: arrays and values of parameters, current_date. In plans that are made for the
-- values of parameters, and in those that are made for any.
CALL own_schema('plain_lists');
SET client_min_messages = warning;
CREATE ROLE regress_lists_ana;
CREATE TABLE stay (id int PRIMARY KEY, ward text NOT NULL, code varchar(5), n numeric, w int, admitted date, seen timestamptz);
INSERT INTO stay SELECT i, (ARRAY['a', 'b', 'c'])[1 + i % 3], (ARRAY['a', 'b', NULL])[1 + i % 3], i % 3, 1 + i % 2, current_date - i, timestamptz '2024-03-20 00:00+00' + i * interval '1 hour'
FROM generate_series(1, 600) i;
CREATE TABLE plain AS SELECT * FROM stay;
SELECT dp.protect('stay', 1e9, answer_epsilon => 1e6), dp.grant_budget('stay', 'regress_lists_ana', 1e9, allow_leaks => true);
GRANT SELECT ON plain TO regress_lists_ana;
SET ROLE regress_lists_ana;
-- The answer over the table that may be read, and whether that over the protected one is the same in both kinds of plans.
CREATE FUNCTION pg_temp.asked(types text, given text, query text) RETURNS TABLE (plan text, answer text, is_private text) LANGUAGE sql AS $$
    SELECT plan || '_plan', plain, CASE WHEN plain = private THEN 'the same' ELSE private END FROM both_answers(query, types, given) $$;
\pset format unaligned
\pset tuples_only on
SELECT * FROM pg_temp.asked('', '', 'WITH p AS (SELECT current_date - 30 AS d) SELECT row(count(*))::text FROM stay, p WHERE admitted > p.d');
SELECT * FROM pg_temp.asked('', '', 'SELECT row(count(*))::text FROM stay CROSS JOIN (SELECT now() - interval ''10 days'' AS d, 2 AS w) p WHERE admitted > p.d AND p.w = stay.w');
SELECT * FROM pg_temp.asked('(date)', '(current_date - 7)', 'WITH p AS (SELECT $1 AS d) SELECT row(count(*))::text FROM stay, p WHERE admitted > p.d');
SELECT * FROM pg_temp.asked('(text[])', '(''{a,b}'')', 'SELECT row(x, count(*))::text FROM stay JOIN unnest($1) x ON x = ward GROUP BY x ORDER BY x');
SELECT * FROM pg_temp.asked('(text[])', '(''{a,b}'')', 'SELECT row(x, count(*))::text FROM stay JOIN unnest($1) x ON x = code GROUP BY x ORDER BY x');
SELECT * FROM pg_temp.asked('(varchar[])', '(''{b,a}'')', 'SELECT row(x, count(*))::text FROM stay JOIN unnest($1) x ON x = code GROUP BY x ORDER BY x');
SELECT * FROM pg_temp.asked('(varchar[])', '(''{b,a}'')', 'SELECT row(x, count(*))::text FROM stay JOIN unnest($1) x ON x = ward GROUP BY x ORDER BY x');
SELECT * FROM pg_temp.asked('(text[])', '(''{a,b,NULL}'')', 'SELECT row(x, count(*))::text FROM stay JOIN unnest($1) x ON x = code GROUP BY x ORDER BY x');
SELECT * FROM pg_temp.asked('(text[])', '(''{a,z}'')', 'SELECT row(x, count(stay.id))::text FROM unnest($1) x LEFT JOIN stay ON x = code GROUP BY x ORDER BY x');
-- A NULL that is kept is a group without rows; elsewhere it finds none.
SELECT * FROM pg_temp.asked('(text[])', '(''{a,NULL,NULL}'')', 'SELECT row(x, count(stay.id))::text FROM unnest($1) x LEFT JOIN stay ON x = code GROUP BY x ORDER BY x');
SELECT * FROM pg_temp.asked('(varchar[])', '(''{NULL,a}'')', 'SELECT row(x, count(stay.id))::text FROM unnest($1) x LEFT JOIN stay ON x = ward GROUP BY x ORDER BY x');
SELECT * FROM pg_temp.asked('(text[])', '(''{a,NULL}'')', 'SELECT row(x, count(stay.id))::text FROM unnest($1) x LEFT JOIN stay ON x = code WHERE x IS NOT NULL GROUP BY x ORDER BY x');
SELECT * FROM pg_temp.asked('(text[])', '(''{a,NULL}'')', 'SELECT row(x, count(*))::text FROM stay JOIN unnest($1) x ON x = code GROUP BY x ORDER BY x');
SELECT * FROM pg_temp.asked('(text[])', '(''{{a,b}}'')', 'SELECT row(x, count(*))::text FROM stay JOIN unnest($1) x ON x = code GROUP BY x ORDER BY x');
SELECT * FROM pg_temp.asked('(text[])', '(''{a,b}'')', 'SELECT row(x, count(*))::text FROM stay LEFT JOIN unnest($1) x ON x = code GROUP BY x ORDER BY x');
SELECT * FROM pg_temp.asked('(text[])', '(''{a,b}'')', 'SELECT row(upper(x), count(*))::text FROM stay JOIN unnest($1) AS t (x) ON x = code GROUP BY upper(x) ORDER BY 1');
SELECT * FROM pg_temp.asked('(int[])', '(''{1,2}'')', 'SELECT row(x, count(*))::text FROM stay JOIN unnest($1) x ON x = w AND stay.ward = ''a'' GROUP BY x ORDER BY x');
SELECT * FROM pg_temp.asked('(int[])', '(''{0,2}'')', 'SELECT row(x::int, count(*))::text FROM stay JOIN unnest($1::numeric[]) x ON x = n GROUP BY x ORDER BY 1');
SELECT * FROM pg_temp.asked('(text)', '(''a,b'')', 'SELECT row(x, count(*))::text FROM stay JOIN unnest(string_to_array($1, '','')) x ON x = code GROUP BY x ORDER BY x');
SELECT * FROM pg_temp.asked('', '', 'SELECT row(current_date - x, count(*))::text FROM stay JOIN unnest(ARRAY[current_date - 1, current_date - 5]) x ON x = admitted GROUP BY x ORDER BY 1');
SELECT * FROM pg_temp.asked('(timestamptz[])', '(''{2024-03-20 05:00+00}'')', 'SELECT row(count(*))::text FROM stay JOIN unnest($1) x ON x = seen');
SELECT * FROM pg_temp.asked('(text, text)', '(''a'', ''b'')', 'SELECT row(x, y, count(*))::text FROM stay JOIN (VALUES ($1, ''A''), ($2, ''B'')) v (x, y) ON x = code GROUP BY x, y ORDER BY x');
SELECT * FROM pg_temp.asked('(text, text)', '(''a'', NULL)', 'SELECT row(x, y, count(*))::text FROM stay JOIN (VALUES ($1, ''A''), ($2, ''B'')) v (x, y) ON x = code GROUP BY x, y ORDER BY x');
SELECT * FROM pg_temp.asked('(text, int)', '(''a'', 2)', 'SELECT row(x, count(*))::text FROM stay JOIN (SELECT $1 AS x, $2 AS y UNION ALL SELECT ''b'', 1) v ON x = code AND y = w GROUP BY x ORDER BY x');
SELECT * FROM pg_temp.asked('(text[])', '(''{a,b}'')', 'SELECT row(CASE WHEN ward = ANY ($1) THEN ward ELSE ''other'' END, count(*))::text FROM stay GROUP BY CASE WHEN ward = ANY ($1) THEN ward ELSE ''other'' END ORDER BY 1');
-- A value that equals one of the list may be written in another way, 1.0 and 1.00: as a group it is that of the list, and what is computed
-- from it has no groups that are known.
SELECT * FROM pg_temp.asked('(numeric[])', '(''{1.0,2.00}'')', 'SELECT row(x, count(*))::text FROM stay JOIN unnest($1) x ON x = n GROUP BY x ORDER BY x');
SELECT * FROM pg_temp.asked('(numeric[])', '(''{1.0,2.00}'')', 'SELECT row(x::text, count(*))::text FROM stay JOIN unnest($1) x ON x = n GROUP BY x::text ORDER BY 1');
SELECT * FROM pg_temp.asked('(numeric[])', '(''{1.0,2.00}'')', 'SELECT row(CASE WHEN n = ANY ($1) THEN n ELSE 7 END::text, count(*))::text FROM stay GROUP BY CASE WHEN n = ANY ($1) THEN n ELSE 7 END::text ORDER BY 1');
SELECT * FROM pg_temp.asked('(numeric[])', '(''{1.0,2.00}'')', 'SELECT row(count(*))::text FROM stay JOIN unnest($1) x ON x = n WHERE x::text = ''1.0''');
SELECT * FROM pg_temp.asked('(numeric[])', '(''{1.0,2.00}'')', 'SELECT row(x, count(*) FILTER (WHERE length(x::text) = 3))::text FROM stay JOIN unnest($1) x ON x = n GROUP BY x ORDER BY x');
SELECT * FROM pg_temp.asked('(numeric[])', '(''{1.0,2.00}'')', 'SELECT row(x::text, count(x))::text FROM stay LEFT JOIN unnest($1) x ON x = n WHERE x IS NULL OR x < 2 GROUP BY x ORDER BY x');
SELECT * FROM pg_temp.asked('(date[])', '(ARRAY[current_date - 1, current_date - 9])', 'SELECT row(current_date - x, count(*))::text FROM stay JOIN unnest($1) x ON x = admitted GROUP BY current_date - x ORDER BY 1');
-- What would count a row twice is refused before anything is charged; as is what is no list.
SELECT * FROM pg_temp.asked('(text[])', '(''{a,b,a}'')', 'SELECT row(x, count(*))::text FROM stay JOIN unnest($1) x ON x = code GROUP BY x');
SELECT * FROM pg_temp.asked('(text, text)', '(''a'', ''a'')', 'SELECT row(y, count(*))::text FROM stay JOIN (VALUES ($1, ''A''), ($2, ''B'')) v (x, y) ON x = code GROUP BY y');
SELECT * FROM pg_temp.asked('(int, int)', '(1, 1)', 'SELECT row(count(*))::text FROM stay JOIN unnest(ARRAY[$1, $2]) x ON x = w');
SELECT * FROM pg_temp.asked('(text[])', '(''{}'')', 'SELECT row(count(*))::text FROM stay JOIN unnest($1) x ON x = code');
SELECT * FROM pg_temp.asked('(text[])', '(NULL)', 'SELECT row(count(*))::text FROM stay JOIN unnest($1) x ON x = code');
SELECT * FROM pg_temp.asked('(int[])', '(''[0:1]={1,2}'')', 'SELECT row(count(*))::text FROM stay JOIN unnest($1) x ON x = w');
SELECT * FROM pg_temp.asked('(int[])', '(regexp_split_to_array(repeat(''1,'', 400) || ''1'', '','')::int[])', 'SELECT row(count(*))::text FROM stay JOIN unnest($1) x ON x = id');
SELECT * FROM pg_temp.asked('(int[])', '(regexp_split_to_array(repeat(''1,'', 400) || ''1'', '','')::int[])', 'SELECT row(CASE WHEN id = ANY ($1) THEN id ELSE 0 END, count(*))::text FROM stay GROUP BY CASE WHEN id = ANY ($1) THEN id ELSE 0 END HAVING count(*) > 1');
SELECT kind, count(*) FROM dp.ledger WHERE relation = 'stay'::regclass AND kind = 'query' GROUP BY kind;
-- Compared in another type, or by no equality.
SELECT * FROM pg_temp.asked('(timestamp[])', '(''{2024-03-20 05:00}'')', 'SELECT row(count(*))::text FROM stay JOIN unnest($1) x ON x = seen');
SELECT * FROM pg_temp.asked('(int[])', '(''{1}'')', 'SELECT row(count(*))::text FROM stay JOIN unnest($1) x ON x < w');
SELECT * FROM pg_temp.asked('(int)', '(2)', 'SELECT row(count(*))::text FROM stay JOIN generate_series(1, $1) x ON x = w');
-- Functions in FROM are run by themselves, before the charge: ends that are known when the query starts, moments, numbers of the rows.
SELECT * FROM pg_temp.asked('', '', 'SELECT row(count(*), sum(n) BETWEEN 330 AND 370)::text FROM (SELECT d, count(stay.id) AS n FROM generate_series(date_trunc(''month'', now()) - interval ''11 months'', now(), ''1 month'') d LEFT JOIN stay ON date_trunc(''month'', admitted::timestamptz) = d GROUP BY d) t');
SELECT * FROM pg_temp.asked('(timestamptz, timestamptz)', '(''2024-03-29'', ''2024-04-02'')', 'SELECT row(d::date, count(stay.id))::text FROM stay RIGHT JOIN generate_series($1, $2, ''1 day'') d ON date_trunc(''day'', seen) = d GROUP BY d ORDER BY d');
SELECT * FROM pg_temp.asked('(date)', '(current_date)', 'SELECT row(current_date - d, count(*))::text FROM stay JOIN (SELECT d::date FROM generate_series($1 - 5, $1 - 2, ''1 day'') d) c ON d = admitted GROUP BY d ORDER BY d');
SELECT * FROM pg_temp.asked('(text[])', '(''{b,a}'')', 'SELECT row(x, o, count(*))::text FROM stay JOIN unnest($1) WITH ORDINALITY t (x, o) ON x = code GROUP BY x, o ORDER BY o');
SELECT * FROM pg_temp.asked('(text[])', '(''{b,a}'')', 'SELECT row(x, o, count(*))::text FROM stay JOIN ROWS FROM (unnest($1), generate_series(10, 20, 10)) t (x, o) ON x = code GROUP BY x, o ORDER BY o');
SELECT * FROM pg_temp.asked('(json)', '(''{"a": "A", "b": "B"}'')', 'SELECT row(value, count(*))::text FROM stay JOIN json_each_text($1) ON key = code GROUP BY value ORDER BY 1');
SELECT * FROM pg_temp.asked('', '', 'WITH c AS (SELECT 2 AS n) SELECT row(x, count(*))::text FROM stay JOIN generate_series(1, (SELECT max(n) FROM c)) x ON x = w GROUP BY x ORDER BY x');
SELECT * FROM pg_temp.asked('(int)', '(600)', 'SELECT row(count(*))::text FROM stay JOIN generate_series(1, $1) x ON x = stay.id');
-- At most 100000 rows, which are told apart; not of volatile functions or protected rows.
SELECT * FROM pg_temp.asked('(int)', '(100001)', 'SELECT row(count(*))::text FROM stay JOIN generate_series(1, $1) x ON x = id');
SELECT * FROM pg_temp.asked('(text[])', '(''{a,a}'')', 'SELECT row(count(*))::text FROM stay JOIN unnest($1) WITH ORDINALITY t (x, n) ON x = code');
SELECT * FROM pg_temp.asked('(int)', '(2)', 'SELECT row(count(*))::text FROM stay CROSS JOIN generate_series(1, $1)');
SELECT * FROM pg_temp.asked('(int)', '(2)', 'SELECT row(count(*))::text FROM stay JOIN generate_series(1, $1) x ON x <= w');
SELECT * FROM pg_temp.asked('(timestamp[])', '(''{2024-03-20 05:00,2024-03-20 06:00}'')', 'SELECT row(count(*))::text FROM stay JOIN unnest($1) x ON x = seen');
SELECT * FROM pg_temp.asked('', '', 'SELECT row(count(*))::text FROM stay JOIN generate_series(1, (random() * 0)::int + 2) x ON x = w');
SELECT * FROM pg_temp.asked('', '', 'SELECT row(count(*))::text FROM stay JOIN generate_series(1, (SELECT max(s.w) FROM stay s WHERE s.id < 0)) x ON x = w');
-- The row beside it may say how many.
SELECT * FROM pg_temp.asked('', '', 'SELECT row(count(*))::text FROM stay, generate_series(1, w) x');
-- A column of public rows in WHERE is a list of values, whatever it is of; computed when the query starts.
SELECT * FROM pg_temp.asked('(text[])', '(''{b,a,NULL}'')', 'SELECT row(count(*), count(*) FILTER (WHERE w = 1))::text FROM stay WHERE code IN (SELECT unnest($1))');
SELECT * FROM pg_temp.asked('(int)', '(2)', 'SELECT row(count(*))::text FROM stay WHERE id % 4 IN (SELECT generate_series(1, $1)) AND w NOT IN (SELECT x FROM generate_series(2, $1) x)');
SELECT * FROM pg_temp.asked('(text)', '(''a'')', 'SELECT row(count(*))::text FROM stay WHERE code IN (VALUES ($1), (''c'')) OR w > ALL (SELECT 1 UNION ALL SELECT 0)');
SELECT * FROM pg_temp.asked('', '', 'SELECT row(count(*))::text FROM stay WHERE code NOT IN (SELECT NULL UNION SELECT ''a'') OR w <> ALL (SELECT 1 WHERE false) AND id = ANY (ARRAY(SELECT generate_series(1, 9)))');
SELECT * FROM pg_temp.asked('', '', 'WITH c (x) AS (VALUES (1), (2)) SELECT row(count(*))::text FROM stay WHERE w IN (SELECT x FROM c) AND w NOT IN (SELECT x FROM c WHERE x > 1)');
SELECT * FROM pg_temp.asked('', '', 'WITH c AS (SELECT max(x) AS x FROM unnest(ARRAY[1, 2]) x GROUP BY x) SELECT row(count(*))::text FROM stay WHERE n < (SELECT x FROM c ORDER BY x LIMIT 1)');
SELECT * FROM pg_temp.asked('', '', 'SELECT row(count(*))::text FROM stay WHERE w IN (SELECT generate_series(1, stay.w))');
SELECT * FROM pg_temp.asked('', '', 'SELECT row(count(*))::text FROM stay WHERE (w, n) IN (VALUES (1, 2))');
SELECT * FROM pg_temp.asked('', '', 'SELECT row(count(*))::text FROM stay WHERE n IN (SELECT generate_series(1, 2))');
-- Arrays among arrays: an array of these has more dimensions.
SELECT * FROM pg_temp.asked('', '', 'SELECT row(count(*))::text FROM stay WHERE ARRAY[w] IN (VALUES (ARRAY[1]), (ARRAY[2]))');
SELECT * FROM pg_temp.asked('', '', 'SELECT row(count(*))::text FROM stay WHERE ARRAY[n] IN (SELECT ARRAY[count(*)::numeric] FROM stay LIMIT 1)');
-- Local times are compared in the time zone of the execution, whatever that of the planning was.
SET plan_cache_mode = force_generic_plan;
SET TimeZone = 'UTC';
PREPARE local AS SELECT count(*) FROM stay JOIN (VALUES (timestamp '2024-03-31 02:00'), ('2024-03-31 03:00')) AS l (hour) ON l.hour = seen;
SELECT count(*) FROM plain JOIN (VALUES (timestamp '2024-03-31 02:00'), ('2024-03-31 03:00')) AS l (hour) ON l.hour = seen;
EXECUTE local;
SET TimeZone = 'Europe/Berlin';
EXECUTE local;
SET TimeZone = 'America/New_York';
EXECUTE local;
RESET ROLE;
-- Who calls the check by hand gets errors.
\set VERBOSITY terse
SELECT dp_internal.all_differ(1);
SELECT dp_internal.all_differ(ARRAY[1, 2], ARRAY['a']);
SELECT dp_internal.all_differ(ARRAY[point(1, 2)]);
SELECT dp_internal.all_differ(VARIADIC ARRAY[1, 2]);
SELECT dp_internal.all_differ(VARIADIC ARRAY[1, 1]);
SELECT dp_internal.all_differ(ARRAY[1, 1, NULL, NULL], ARRAY['a', 'b', NULL, NULL]), dp_internal.element(ARRAY[1, 2], 0), dp_internal.element(ARRAY[1, 2], 2), dp_internal.element(ARRAY[1, 2], 3);
SELECT dp.unprotect('stay');
DROP SCHEMA plain_lists CASCADE;
DROP OWNED BY regress_lists_ana;
DROP ROLE regress_lists_ana;
