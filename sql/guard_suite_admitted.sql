-- The attack suite, first part: what a role with a budget and no privilege may ask. At epsilon 1e6 counts and sums of integers are
-- exact. Refusals are in guard_suite_refused and guard_suite_below, what stands around queries in guard_suite_doors.
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

-- Every kind of aggregate.
SELECT dp_count('*', 1e6), dp_count(name, 1e6), dp_count(DISTINCT ward, 1e6), dp_count('*', 1e6) FILTER (WHERE age > 30) FROM
people;
SELECT dp_sum(age, 0, 100, 1e6), dp_sum(big, 0, 100000, 1e6), round(dp_sum(income, 0, 1000, 1e6)),
       round(dp_sum(weight, 0, 100, 1e6)::numeric) FROM people;
SELECT round(dp_avg(age, 0, 100, 1e6)::numeric, 2), round(dp_variance(age, 0, 100, 1e6)::numeric), round(dp_stddev(age, 0, 100,
1e6)::numeric, 1)
FROM people;
SELECT dp_sum(DISTINCT age, 0, 100, 1e6), dp_avg(DISTINCT age, 0, 100, 1e6) BETWEEN 0 AND 100, dp_histogram(DISTINCT ward,
ARRAY['a'], 1e6),
       dp_count(DISTINCT doc, 1e6), dp_count(DISTINCT weight, 1e6) FROM people;
SELECT dp_histogram(age, 0, 100, 4, 1e6), dp_histogram(ward, ARRAY['a', 'b', 'nobody'], 1e6), dp_histogram(kind, ARRAY['sad',
'ok']::mood[], 1e6)
FROM people;
SELECT round(dp_median(age, 0, 100, 1e6)), round(dp_quantile(age, 0.9, 0, 100, 1e6)), dp_mode(ward, ARRAY['a', 'b'], 1e6)
FROM people WHERE ward = 'a';
SET dp.epsilon = 1e6;
SELECT dp_count(*) FROM people;
-- 47, 49, 51: nothing, NULL, NaN, infinities, the smallest and largest integers.
SELECT dp_count('*', 1e6), dp_sum(age, -1, 1, 1e6), dp_avg(age, 0, 10, 1e6) BETWEEN 0 AND 10 FROM people WHERE false;
SELECT dp_sum(NULL::int, 0, 1, 1e6), dp_count(NULL::text, 1e6) FROM people;
SELECT dp_sum(age, -10, 10, 1e6), dp_sum(big, -10, 10, 1e6), round(dp_sum(exact, -10, 10, 1e6)), dp_sum(weight, -10, 10, 1e6)
BETWEEN 9.99 AND 10.01
FROM people WHERE id > 60;
-- What is clamped is the final expression.
SELECT dp_sum(dp_mul(age, 1000000), 0, 1, 1e6), dp_sum(CASE WHEN name = 'bob' THEN 1000000 ELSE 0 END, 0, 1, 1e6) FROM people;

-- WHERE: what cannot fail.
SELECT dp_count('*', 1e6) FROM people WHERE age BETWEEN 10 AND 19 AND ward IN ('a', 'b') OR NOT active AND name IS NOT NULL;
SELECT dp_count('*', 1e6) FROM people WHERE name LIKE 'p1%' AND name NOT LIKE '%5' OR name ILIKE 'BOB';
SELECT dp_count('*', 1e6) FROM people WHERE CASE WHEN age > 30 THEN ward = 'a' ELSE coalesce(big, 0) < 5000 END;
SELECT dp_count('*', 1e6) FROM people WHERE age = ANY (ARRAY[1, 2, 3]) AND big <> ALL ('{1000, NULL}'::int8[]) IS NOT TRUE;
SELECT dp_count('*', 1e6) FROM people WHERE income > 100.5 AND weight < 7.5 AND exact >= 3;
SELECT dp_count('*', 1e6) FROM people WHERE born >= '2001-01-01' AND seen < '2024-02-10 12:00+00' AND at > '2024-01-03' AND born
< at;
SELECT dp_count('*', 1e6) FROM people WHERE extract(year FROM born) = 2002 AND extract(dow FROM at) = 1;
SELECT dp_count('*', 1e6) FROM people WHERE dp_trunc('month', at) = '2024-01-01' AND dp_try_int(substr(name, 2, 9)) % 2 = 0;
SELECT dp_count('*', 1e6) FROM people WHERE kind >= 'ok' AND kind::text LIKE 'o%' AND active IS NOT FALSE;
SELECT dp_count('*', 1e6) FROM people WHERE tags @> ARRAY['t1'] AND tags @> ARRAY['x'] AND array_length(tags, 1) = 2;
SELECT dp_count('*', 1e6) FROM people WHERE doc ->> 'k' = '1' AND doc @> '{"k": 1}' AND doc ? 's';
SELECT dp_count('*', 1e6) FROM people WHERE length(name) = 3 AND left(name, 1) = 'p' AND upper(ward) = 'A' AND position('1' IN
name) > 0;
SELECT dp_count('*', 1e6) FROM people WHERE share <= 20 AND code = 'c1'::varchar(8) AND span > interval '2 hours';
SELECT dp_count('*', 1e6) FROM people WHERE (age, ward) = (7, 'b') OR age IS DISTINCT FROM 3 AND nullif(ward, 'a') IS NULL;
SELECT dp_count('*', 1e6) FROM people WHERE greatest(age, 10) = 10 AND least(big, 5) > 0;
SELECT dp_count('*', 1e6) FROM people WHERE width_bucket(age, ARRAY[10, 20, 30]) = 2;
SELECT dp_count('*', 1e6) FROM people WHERE dp_div(100, dp_sub(age, 42)) > 10 AND abs(weight) > 0.1;
-- The same with the row on which x / y would fail.
SELECT dp_count(dp_div(1, dp_sub(age, 42)), 1e6), dp_count('*', 1e6) FROM people WHERE name = 'bob' OR name = 'nobody';
SELECT dp_count('*', 1e6) FROM people WHERE age > 10 + 5 * 2 AND born < date '2001-01-01' + 100 AND name < 'p' || '3';
SELECT dp_count('*', 1e6) FROM people WHERE secret = '\x00ff' AND id % 7 = 0 AND id / 10 = 2;
SELECT dp_count('*', 1e6) FROM people WHERE at > '2024-01-05'::timestamp - interval '1 day';
-- Constants are evaluated whether rows get there or not; what they say is of the session alone.
SELECT dp_count('*', 1e6) FROM people WHERE current_date < '2001-01-01' OR age < extract(epoch FROM now()) AND ward = 'a';

-- Groups. 40, 95: every declared group, NULL among them; sorted by key; 30: grouping sets.
SELECT ward, dp_count('*', 1e6) FROM people GROUP BY ward;
SELECT ward, dp_count('*', 1e6) FROM people WHERE false GROUP BY ward;
SELECT ward, dp_count('*', 1e6) FROM people WHERE name = 'bob' GROUP BY ward;
SELECT active, kind, dp_sum(age, 0, 100, 1e6) FROM people GROUP BY active, kind;
SELECT ward_id, dp_count('*', 1e6) FROM people GROUP BY 1;
SELECT age / 10 AS decade, dp_count('*', 1e6) FROM people GROUP BY age / 10;
SELECT age > 30 AS old, name LIKE 'p1%' AS ones, dp_count('*', 1e6) FROM people GROUP BY 1, 2;
SELECT dp_trunc('month', at), dp_count('*', 1e6) FROM people GROUP BY 1;
SELECT ward, active, GROUPING(ward, active), dp_count('*', 1e6) FROM people GROUP BY ROLLUP (ward, active);
SELECT ward, active, dp_count('*', 1e6) FROM people GROUP BY CUBE (ward, active) HAVING GROUPING(ward, active) > 0;
SELECT ward, dp_count('*', 1e6) FROM people GROUP BY GROUPING SETS ((ward), (ward), ());
SELECT active IS NULL AS none, dp_count('*', 1e6) FROM people GROUP BY 1, ();
SELECT ward, dp_count('*', 1e6) FROM events GROUP BY ward;
SELECT ward, dp_count('*', 1e6) FROM events_2 GROUP BY ward;
-- Chosen privately; rare ones go; equal keys have one form.
SELECT ward, dp_count('*', 1e6) FROM chosen GROUP BY ward;
SELECT price, x, dp_count('*', 1e6) FROM chosen GROUP BY price, x;
SELECT ward, dp_count('*', 1e6) FROM chosen GROUP BY ROLLUP (ward);
-- 41, 42: what is not shown is charged, and nothing exact comes out.
SELECT count(dp_count) FROM (SELECT ward, dp_count('*', 1e6) FROM people GROUP BY ward) s;
SELECT EXISTS (SELECT dp_count('*', 1e6) FROM people WHERE name = 'bob' GROUP BY active),
       EXISTS (SELECT dp_count('*', 1e6) FROM people WHERE name = 'nobody' GROUP BY active);
SELECT 1 FROM people WHERE name = 'nobody' HAVING dp_count('*', 1e6) > -1;
SELECT count(dp_count) FROM (SELECT ward, dp_count('*', 1e6) FROM people WHERE name = 'bob' GROUP BY ward OFFSET 0) s;

-- Above the answers: anything.
SELECT ward, n, n * 100.0 / sum(n) OVER () > 30, rank() OVER (ORDER BY n DESC, ward)
FROM (SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward) s ORDER BY n DESC, ward LIMIT 3;
SELECT ward, dp_count('*', 1e6) - lag(dp_count('*', 1e6)) OVER (ORDER BY ward) FROM people GROUP BY ward ORDER BY 1;
SELECT ward || '!' AS w, 1000 / (dp_count('*', 1e6) + 1000) FROM people GROUP BY ward HAVING dp_count('*', 1e6) > 5 ORDER BY w
DESC;
SELECT DISTINCT dp_count('*', 1e6) > 5 FROM people GROUP BY ward;
-- HAVING and select-list expressions on keys see declared groups alone.
SELECT ward, 1 / (ascii(ward) - ascii('z')) FROM people WHERE age > 0 GROUP BY ward HAVING ward <> 'b' OR dp_count('*', 1e6) < 0;
SELECT w.title, s.n FROM wards w JOIN (SELECT ward_id, dp_count('*', 1e6) AS n FROM people GROUP BY ward_id) s USING (ward_id)
ORDER BY 1;
SELECT a.ward, a.n, b.n FROM (SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward) a
FULL JOIN (SELECT ward, dp_count('*', 1e6) AS n FROM events GROUP BY ward) b USING (ward) ORDER BY 1;
WITH c AS (SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward), d AS (SELECT * FROM c WHERE n > 2)
SELECT count(*), (SELECT sum(n) FROM c) FROM d;
-- A CTE used twice is one draw.
WITH c AS NOT MATERIALIZED (SELECT dp_count('*', 0.001) AS n FROM people) SELECT a.n = b.n FROM c a, c b;
-- 31, 32: each is charged; the same call in one SELECT once.
SELECT 'all' AS k, dp_count('*', 1e6) FROM people UNION ALL SELECT ward, dp_count('*', 1e6) FROM people GROUP BY ward;
SELECT dp_count('*', 1e6) FROM people UNION SELECT dp_count('*', 1e6) FROM people;
SELECT dp_count('*', 0.01) = dp_count('*', 0.01) FROM people HAVING dp_count('*', 0.01) IS NOT NULL ORDER BY dp_count('*', 0.01);
SELECT (SELECT dp_count('*', 1e6) FROM people) - (SELECT dp_count('*', 1e6) FROM people WHERE active);
SELECT k, n, (SELECT dp_count('*', 1e6) FROM people) FROM notes WHERE n <= (SELECT dp_count('*', 1e6) FROM events);
SELECT ward, (SELECT max(n) FROM notes WHERE k = ward) FROM people GROUP BY ward HAVING dp_count('*', 1e6) > -1 ORDER BY 1;
SELECT ward, (SELECT dp_count(people.active, 1e6) + n FROM notes WHERE k = ward) FROM people GROUP BY ward ORDER BY 1;
SELECT i, c FROM generate_series(1, 2) i, LATERAL (SELECT dp_count('*', 1e6) * i AS c FROM people GROUP BY active HAVING i > 0)
s LIMIT 3;
SELECT k FROM notes JOIN LATERAL (SELECT dp_count('*', 1e6) AS c FROM people) s ON s.c > n ORDER BY 1;
-- Rescans read the stored answers: 29.
SELECT i, s.n FROM generate_series(1, 2) i, (SELECT ward, dp_count('*', 1e6) AS n FROM people WHERE ward = 'a' GROUP BY ward) s
WHERE s.ward = 'a';
-- Through views, subqueries and CTEs that choose rows and columns.
SELECT ward, dp_count('*', 1e6) FROM adults GROUP BY ward;
SELECT dp_avg(years, 0, 100, 1e6) BETWEEN 38.9 AND 39.2 FROM adults WHERE years < 61;
SELECT dp_count('*', 1e6) FROM (SELECT * FROM (SELECT name AS x, age FROM people WHERE active) t WHERE age < 50) AS "Custom SQL
Query" WHERE x <> 'p2';
WITH young AS (SELECT * FROM people WHERE age < 20) SELECT ward, dp_count('*', 1e6) FROM young GROUP BY ward ORDER BY 1;
CREATE VIEW own.mine AS SELECT ward, age FROM people WHERE age < 20;
SELECT dp_count('*', 1e6) FROM own.mine;
SELECT * FROM by_ward WHERE ward = 'a';
SELECT dp_count('*', 1e6) FROM ONLY people AS p (x, y) WHERE y <> 'bob';
-- A table that is not protected, beside one that is.
SELECT dp_count('*', 1e6), count(*) FROM spare;

-- What tools send.
SELECT true AS "_" FROM "corpus"."by_ward" WHERE 1 <> 1 LIMIT 0;
SELECT dp_count('*', 1e6) FROM people LIMIT 0;
BEGIN READ ONLY; SELECT dp_count('*', 1e6) FROM people; ROLLBACK;
SELECT dp_trunc('month', at) AS __timestamp, dp_count('*', 1e6) AS count
FROM (SELECT * FROM people WHERE active) AS virtual_table GROUP BY dp_trunc('month', at) ORDER BY count DESC LIMIT 10000;
SELECT CAST(age / 10 AS int) * 10 AS "time", dp_count('*', 1e6) FROM people WHERE seen BETWEEN '2024-01-01T00:00:00Z' AND
'2024-01-31T00:00:00Z'
GROUP BY age / 10 ORDER BY 1;
BEGIN; DECLARE "SQL_CUR" CURSOR WITH HOLD FOR SELECT ward AS w, sum(n) AS s FROM (SELECT ward, dp_count('*', 1e6) AS n FROM
people GROUP BY ward)
"Custom SQL Query" GROUP BY 1 ORDER BY 1;
FETCH 10000 IN "SQL_CUR"; COMMIT; CLOSE "SQL_CUR";
SELECT "_"."ward", "_"."n" FROM (SELECT "rows"."ward" AS "ward", dp_count('*', 1e6) AS "n" FROM (SELECT "ward", "age" FROM
"corpus"."people" "$Table")
"rows" GROUP BY "ward") "_" WHERE NOT "_"."n" IS NULL ORDER BY 1 LIMIT 1000001;
SELECT COUNT(*) FROM (SELECT ward, dp_count('*', 1e6) FROM people GROUP BY ward) dbvrcnt;
SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward \gdesc
\set FETCH_COUNT 2
SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward;
\unset FETCH_COUNT
SELECT count(*) FROM information_schema.columns WHERE table_schema = 'corpus' AND table_name = 'people';
SELECT count(*) > 0 FROM pg_catalog.pg_attribute WHERE attrelid = 'people'::regclass AND attnum > 0;
\dt corpus.*
SELECT has_table_privilege('people', 'SELECT'), has_any_column_privilege('people', 'SELECT');
-- What it cost and what is left is for the role to know.
SELECT relation, role, epsilon FROM dp.cost($$SELECT ward, dp_count('*', 0.5) FROM people GROUP BY ward$$);
SELECT dp.admissible($$SELECT dp_count('*', 0.5) FROM people$$);
SELECT relation, role, epsilon_limit, delta_limit FROM dp.budgets ORDER BY 1, 2;
SELECT count(*) > 100, count(DISTINCT role) FROM dp.ledger;
-- In all, by question: charged what was drawn.
SELECT (sum(epsilon) / 1e6)::int AS draws FROM dp.ledger;
\i :corpus_end
