-- What is read of a constant, and what is known of a value, for each type that it can have: smallint, integer, bigint, real, double
-- precision, numeric, boolean and uuid. The answers are those that who may read the rows sees; shown is what differs.
CALL own_schema('plain_number_types');
SET client_min_messages = warning;
CREATE ROLE regress_types_ana;
CREATE TABLE stay (id int PRIMARY KEY, s smallint, i int, b bigint, r real, f float8, n numeric, o boolean, u uuid, x text);
INSERT INTO stay SELECT k, m, m, m, m / 4.0, m / 4.0, m * 1.5, k % 3 = 0, md5((k % 5)::text)::uuid, repeat('x', k % 4)
    FROM generate_series(1, 600) k, LATERAL (SELECT k % 50 - 10 AS m) c;
INSERT INTO stay VALUES (1000);
CREATE TABLE plain AS TABLE stay;
SELECT dp.protect('stay', 1e9, answer_epsilon => 1e5, privacy_unit => 'id');
SELECT dp.grant_budget('stay', 'regress_types_ana', 1e9, allow_leaks => true);
SELECT count(dp.declare_range('stay', c, -20, 60)) FROM unnest('{s,i,b,r,f,n}'::text[]) c;
GRANT SELECT ON plain TO regress_types_ana;
SET ROLE regress_types_ana;
CREATE TEMP TABLE asked (k int, of text, query text);
-- Of each type of number.
INSERT INTO asked SELECT k, c, 'SELECT ' || replace(replace(query, '@', c), '#', type) FROM
    (VALUES ('s', 'smallint'), ('i', 'int'), ('b', 'bigint'), ('r', 'real'), ('f', 'float8'), ('n', 'numeric')) AS t (c, type),
    (VALUES (1, 'floor(sum(CASE WHEN o THEN @ ELSE 0::# END) + .1)::int FROM stay'), (2, 'sum(CASE WHEN @ > 3 THEN 0::# ELSE 1::# END)::int FROM stay'),
        (3, 'avg(CASE WHEN @ > 3 THEN 1::# ELSE 0::# END)::numeric(20,2) FROM stay'),
        (4, 'avg(length(@::text))::numeric(20,2) FROM stay WHERE @ BETWEEN -5 AND 12'), (5, 'count(*) FROM stay WHERE length(@::text) = 2'),
        (6, 'sign(@), count(*) FROM stay GROUP BY 1 HAVING count(*) > .5'), (7, 'count(*) FROM stay WHERE @ IN (1, 2.5, 3)')) AS q (k, query);
-- Of whole numbers.
INSERT INTO asked SELECT k, c, 'SELECT ' || replace(replace(query, '@', c), '#', type) FROM
    (VALUES ('s', 'smallint'), ('i', 'int'), ('b', 'bigint')) AS t (c, type),
    (VALUES (11, '@ % 3::#, count(*) FROM stay GROUP BY 1 HAVING count(*) > .5'), (12, '@ / 10::#, count(*) FROM stay GROUP BY 1 HAVING count(*) > .5'),
        (13, '@ / 10::#, count(*) FROM stay WHERE @ BETWEEN 10 AND 29 GROUP BY 1 HAVING count(*) > .5'),
        (14, '@ & 3::#, count(*) FROM stay GROUP BY 1 HAVING count(*) > .5'), (15, 'length(@::text), count(*) FROM stay GROUP BY 1 HAVING count(*) > .5'),
        (16, 'count(*) FROM (SELECT id, count(*) OVER (PARTITION BY id ORDER BY @ RANGE 5::# PRECEDING) AS c FROM stay) w WHERE c = 1')) AS q (k, query);
INSERT INTO asked VALUES (21, 'f', 'SELECT count(*) FROM (SELECT id, count(*) OVER (PARTITION BY id ORDER BY f RANGE 2.5::float8 PRECEDING) AS c FROM stay) w WHERE c = 1'),
    (22, 'o', 'SELECT length(o::text), count(*) FROM stay GROUP BY 1 HAVING count(*) > .5'), (23, 'u', 'SELECT length(u::text), count(*) FROM stay GROUP BY 1 HAVING count(*) > .5'),
    (24, 'o', 'SELECT avg(length(o::text))::numeric(20,2), sum(o::int) FROM stay'),
    (25, 'x', 'SELECT length(repeat(left(x, 3), 2)), count(*) FROM stay GROUP BY 1 HAVING count(*) > .5');
SELECT count(*), count(*) FILTER (WHERE plain LIKE ' (%)') AS answered FROM asked, both_answers('SELECT string_agg(q::text, '' '' ORDER BY q::text) FROM (' || query || ') q');
SELECT k, of, d.plan, left(d.plain, 200) AS plain, left(d.private, 200) AS private
FROM asked, both_answers('SELECT string_agg(q::text, '' '' ORDER BY q::text) FROM (' || query || ') q') d
WHERE d.plain IS DISTINCT FROM d.private ORDER BY 1, 2, 3;
RESET ROLE;
SELECT dp.unprotect('stay');
SET client_min_messages = error;
DROP SCHEMA plain_number_types CASCADE;
DROP OWNED BY regress_types_ana;
DROP ROLE regress_types_ana;
