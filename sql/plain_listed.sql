-- Values that the question lists of any expression, by IN, = and BETWEEN, are its groups without any declaration: those that the
-- superuser sees.
CALL own_schema('plain_listed');
SET client_min_messages = warning;
CREATE ROLE regress_listed_ana;
CREATE TABLE stay (id int PRIMARY KEY, ward text, name text NOT NULL, n int, cost numeric, tags text[], at timestamp, j jsonb, born date);
INSERT INTO stay SELECT i, CASE WHEN i % 9 > 0 THEN 'w' || i % 4 END, 'Name ' || i % 50, i % 37, i % 100 + 0.5, ARRAY['t' || i % 3, 't' || i % 5], timestamp '2023-01-01' + i * interval '13 hours', jsonb_build_object('k', 'v' || i % 6, 'q', i % 8), date '1950-01-01' + i * 20 FROM generate_series(1, 600) i;
CREATE TABLE plain AS TABLE stay;
SELECT dp.protect('stay', 1e9, answer_epsilon => 1e5);
SELECT dp.grant_budget('stay', 'regress_listed_ana', 1e9, allow_leaks => true);
GRANT SELECT ON plain TO regress_listed_ana;
SET ROLE regress_listed_ana;
CREATE TEMP TABLE asked AS SELECT row_number() OVER () AS i, q.* FROM (VALUES
    ('lower(ward)', 'lower(ward) IN (''w1'', ''w2'')', '', ''), ('lower(ward)', 'lower(ward) = ''w1''', '', ''), ('left(name, 6)', 'left(name, 6) = ANY ($1)', '(text[])', '(''{Name 1,Name 2}'')'),
    ('left(name, 6)', 'left(name, 6) IN ($1, $2)', '(text, text)', '(''Name 1'', ''Name 3'')'), ('n % 7', 'n % 7 IN (1, 2)', '', ''), ('n % 7', 'n % 7 = 1 OR n % 7 = 5', '', ''), ('n / 10', 'n / 10 BETWEEN 1 AND 2', '', ''),
    ('n + 1', 'n + 1 BETWEEN 5 AND 9', '', ''), 
    ('extract(year FROM at)', 'extract(year FROM at) IN (2023, 2024)', '', ''), ('extract(year FROM at)', 'extract(year FROM at) = 2023', '', ''), ('extract(year FROM at)', 'extract(year FROM at) BETWEEN 2023 AND 2024', '', ''),
    ('extract(year FROM at)::int', 'extract(year FROM at)::int BETWEEN 2023 AND 2024', '', ''),
    ('date_trunc(''month'', at)', 'date_trunc(''month'', at) IN (''2023-02-01'', ''2023-05-01'')', '', ''), ('at::date', 'at::date = ''2023-03-01''', '', ''), ('at::date', 'at::date BETWEEN ''2023-03-01'' AND ''2023-03-10''', '', ''), ('at::date', 'at::date IN (''2023-03-01'', $1)', '(date)', '(''2023-04-01'')'),
    ('to_char(at, ''YYYY-MM'')', 'to_char(at, ''YYYY-MM'') IN (''2023-02'', ''2023-05'')', '', ''), ('coalesce(ward, ''none'')', 'coalesce(ward, ''none'') IN (''none'', ''w1'')', '', ''),
    ('j ->> ''k''', 'j ->> ''k'' IN (''v1'', ''v2'')', '', ''), ('(j ->> ''q'')::int', '(j ->> ''q'')::int BETWEEN 2 AND 4', '', ''), ('(j ->> ''q'')::int', '(j ->> ''q'')::int = 2', '', ''), ('split_part(name, '' '', 2)', 'split_part(name, '' '', 2) IN (''1'', ''22'')', '', ''),
    ('round(cost)', 'round(cost) IN (1, 2, 3)', '', ''), ('round(cost)::int', 'round(cost)::int BETWEEN 1 AND 9', '', ''), ('ward || ''/'' || n', 'ward || ''/'' || n IN (''w1/5'', ''w2/6'')', '', ''), ('length(name)', 'length(name) BETWEEN 1 AND 9', '', ''), ('substr(name, 6)', 'substr(name, 6) = $1', '(text)', '(''7'')'), ('extract(year FROM at), extract(month FROM at)', 'extract(year FROM at) = 2023', '', ''), ('CASE WHEN n > 5 THEN ward END', 'CASE WHEN n > 5 THEN ward END IN (''w1'')', '', ''),
    ('coalesce(n, 0)', 'coalesce(n, 0) BETWEEN 0 AND 5', '', ''), ('extract(year FROM age(date ''2024-01-01'', born))::int', 'extract(year FROM age(date ''2024-01-01'', born))::int BETWEEN 30 AND 40', '', ''), ('concat(ward, n)', 'concat(ward, n) IN (''w11'', ''w12'')', '', ''), ('n::text', 'n::text IN (''1'', ''2'')', '', ''), ('cost::text', 'cost::text IN (''1.5'')', '', ''), ('trim(ward)', 'trim(ward) = ANY (ARRAY[''w1'', ''w3''])', '', '')
) q (k, c, types, given);
CREATE FUNCTION pg_temp.differs(key text, condition text, types text, given text) RETURNS TABLE (plan text, plain text, private text) LANGUAGE sql AS $$
    SELECT plan, left(plain, 300), left(private, 300)
    FROM both_answers(format('SELECT string_agg(q::text, '' '' ORDER BY q::text) FROM (SELECT %1$s, count(*) AS n FROM stay WHERE %2$s GROUP BY %1$s HAVING count(*) > 0) q', key, condition), types, given)
    WHERE plain IS DISTINCT FROM private $$;
SELECT k, c, d.* FROM asked, pg_temp.differs(k, c, types, given) d ORDER BY i;
CREATE FUNCTION pg_temp.differs2(query text, types text DEFAULT '', given text DEFAULT '') RETURNS TABLE (plan text, plain text, private text) LANGUAGE sql AS $$
    SELECT plan, left(plain, 300), left(private, 300)
    FROM both_answers('SELECT string_agg(q::text, '' '' ORDER BY q::text) FROM (' || query || ' HAVING count(*) > 0) q', types, given) WHERE plain IS DISTINCT FROM private $$;
SELECT i, d.* FROM (VALUES (1, 'SELECT t, count(*) FROM stay, unnest(tags) AS t WHERE t IN (''t1'', ''t2'') GROUP BY t', '', ''), (2, 'SELECT t, count(*) FROM stay, unnest(tags) AS t WHERE t = ''t1'' GROUP BY t', '', ''), (5, 'SELECT lower(t), count(*) FROM stay, unnest(tags) AS t WHERE lower(t) IN (''t1'', ''t2'') GROUP BY 1', '', ''), (6, 'SELECT e, count(*) FROM (SELECT lower(ward) AS e FROM stay) q WHERE e IN (''w1'') GROUP BY e', '', '')) v (i, q, t, g), pg_temp.differs2(q, t, g) d;
-- A group for each listed value, whether or not a row has it, and none for others.
SELECT lower(ward) AS ward, count(*) FROM stay WHERE lower(ward) IN ('w1', 'nowhere') GROUP BY 1 ORDER BY 1;
SELECT extract(year FROM at) AS year, count(*) FROM stay WHERE extract(year FROM at) BETWEEN 2022.5 AND 2025 GROUP BY 1 ORDER BY 1;
SELECT floor(cost) AS cost, count(*) FROM stay WHERE floor(cost) > 1.5 AND floor(cost) < 4 GROUP BY 1 ORDER BY 1;
-- What may look different is listed as it is compared, and nothing is computed from that; nor are the numbers with digits between two.
SELECT cost * 1.0 AS cost, count(*) FROM stay WHERE cost * 1.0 IN (1.50, 2.500) GROUP BY 1 ORDER BY 1;
SELECT query, left(private, 30) FROM unnest(ARRAY[
    'SELECT (cost * 1.0)::text, count(*) FROM stay WHERE cost * 1.0 IN (1.50, 2.500) GROUP BY 1',
    'SELECT coalesce(cost, 0.0)::text, count(*) FROM stay WHERE coalesce(cost, 0.0) IN (1.50, 2.500) GROUP BY 1',
    'SELECT cost * 1.0, count(*) FROM stay WHERE cost * 1.0 BETWEEN 1 AND 3 GROUP BY 1',
    'SELECT extract(second FROM at), count(*) FROM stay WHERE extract(second FROM at) BETWEEN 1 AND 3 GROUP BY 1',
    -- A condition that not every row has to meet lists nothing.
    'SELECT lower(ward), count(*) FROM stay WHERE lower(ward) = ''w1'' OR n = 1 GROUP BY 1',
    'SELECT lower(ward), count(*) FROM stay WHERE NOT lower(ward) = ''w1'' GROUP BY 1']) query, both_answers(query, plans => '{generic}');
RESET ROLE;
SELECT dp.unprotect('stay');
SET client_min_messages = error;
DROP SCHEMA plain_listed CASCADE;
DROP OWNED BY regress_listed_ana;
DROP ROLE regress_listed_ana;
