-- Keys that are computed from the same columns: only combinations are shown that a row can have. epsilon 1e6 makes the noise vanish.
SET client_min_messages = error;
CALL own_schema('plain_dependent_keys');
CREATE ROLE regress_dependent_ana;
CREATE TABLE places (ward text PRIMARY KEY, town text, land text);
INSERT INTO places VALUES ('a', 'Ghent', 'be'), ('b', 'Lyon', 'fr'), ('c', 'Nice', 'fr'), ('d', NULL, NULL);
CREATE TABLE stay (id int PRIMARY KEY, d date, ts timestamptz NOT NULL, ward text NOT NULL, age int NOT NULL, weight numeric NOT NULL, height float8 NOT NULL, price numeric NOT NULL, sign float8 NOT NULL, angle float8 NOT NULL);
INSERT INTO stay SELECT i, CASE WHEN i % 50 > 0 THEN '2023-11-20'::date + i % 80 END, '2024-03-25 00:00Z'::timestamptz + i * interval '6 hours 7 minutes',
    chr(97 + i % 4), i % 90, i % 97 / 10.0, i % 97 * 0.1, (ARRAY[1.0, 1.00, 2.0])[1 + i % 3],
    ('{0,-0,1.5}'::float8[])[1 + i % 3], ('{0,-0,-0.5}'::float8[])[1 + i % 3] FROM generate_series(1, 900) i;
SELECT dp.protect('stay', 1e9, 0, answer_epsilon => 1e6, reuse => '1 day');
SELECT dp.declare_range('stay', 'd', '2023-11-20'::date, '2024-02-10'::date), dp.declare_range('stay', 'age', 0, 89), dp.declare_values('stay', 'ward', 'a', 'b', 'c', 'd'),
    dp.declare_range('stay', 'ts', '2024-03-25'::timestamptz, '2024-11-30'::timestamptz), dp.declare_range('stay', 'weight', 0, 10), dp.declare_range('stay', 'height', 0, 10);
SELECT dp.declare_values('stay', 'price', 1.0, 2.0), dp.declare_values('stay', 'sign', 0::float8, 1.5), dp.declare_range('stay', 'angle', -1, 1), dp.declare_values('stay', '(price)::text', '1.0', '1.00', '2.0');
SELECT dp.grant_budget('stay', 'regress_dependent_ana', 1e9, 0, allow_leaks => true);
GRANT SELECT ON places TO regress_dependent_ana;
-- The groups that the role is shown beside those that the owner has, whose last column is a count: how many, how many are not shown, or with
-- another count, and how many have no rows.
CREATE FUNCTION shown(query text) RETURNS TABLE (groups bigint, missing bigint, empty bigint) LANGUAGE plpgsql AS $$
DECLARE answer text[]; plain text[];
BEGIN
    SET LOCAL ROLE regress_dependent_ana;
    EXECUTE format('SELECT array_agg(q::text) FROM (%s) q', query) INTO answer;
    RESET ROLE;
    EXECUTE format('SELECT array_agg(q::text) FROM (%s) q', query) INTO plain;
    RETURN QUERY SELECT cardinality(answer)::bigint, (SELECT count(*) FROM unnest(plain) p WHERE p <> ALL (answer)),
        (SELECT count(*) FROM unnest(answer) a WHERE a <> ALL (plain));
END $$;
CREATE FUNCTION everywhere(query text) RETURNS TABLE (zone text, groups bigint, missing bigint, empty bigint) LANGUAGE plpgsql AS $$
BEGIN
    FOREACH zone IN ARRAY '{UTC,Europe/Berlin,America/New_York,Asia/Kolkata}'::text[] LOOP
        PERFORM set_config('TimeZone', zone, true);
        RETURN QUERY SELECT zone, s.* FROM shown(query) s;
    END LOOP;
END $$;

-- ---- one column: days, numbers, listed values; NULL with NULL alone
SELECT * FROM shown('SELECT date_trunc(''year'', d), date_trunc(''month'', d), count(*) FROM stay GROUP BY 1, 2');
SELECT * FROM shown('SELECT extract(year FROM d), extract(month FROM d), count(*) FROM stay GROUP BY 1, 2');
SELECT * FROM shown('SELECT extract(isodow FROM d), date_trunc(''week'', d), d, count(*) FROM stay WHERE d < ''2023-12-20'' GROUP BY 1, 2, 3');
SELECT * FROM shown('SELECT extract(isodow FROM d), to_char(d, ''Dy''), count(*) FROM stay WHERE d > ''2024-01-01'' GROUP BY 1, 2');
SELECT * FROM shown('SELECT age / 10, CASE WHEN age < 18 THEN ''child'' WHEN age < 65 THEN ''adult'' ELSE ''old'' END, ward, count(*) FROM stay GROUP BY 1, 2, 3');
SELECT * FROM shown('SELECT upper(ward), ward, ward IN (''a'', ''b''), count(*) FROM stay GROUP BY 1, 2, 3');
SELECT * FROM shown('SELECT age % 2, age % 3, age % 6, ascii(ward), ward, count(*) FROM stay GROUP BY 1, 2, 3, 4, 5');
SELECT * FROM shown('SELECT age / 10, ward, age / 30, count(*) FROM stay WHERE age / 10 > 4 GROUP BY 1, 2, 3');
-- of each grouping set
SELECT * FROM shown('SELECT date_trunc(''year'', d), date_trunc(''month'', d), ward, count(*) FROM stay WHERE d IS NOT NULL GROUP BY ROLLUP (1, 2, 3)');
SELECT * FROM shown('SELECT date_trunc(''year'', d), date_trunc(''month'', d), ward, count(*) FROM stay WHERE d IS NOT NULL GROUP BY GROUPING SETS ((1, 2), (1, 3), (2, 3))');
SELECT * FROM shown('SELECT extract(year FROM d), extract(month FROM d), count(*) FROM stay WHERE d IS NOT NULL GROUP BY 1, 2 UNION ALL SELECT extract(year FROM d), NULL, count(*) FROM stay WHERE d IS NOT NULL GROUP BY 1');
-- moments, in zones where days and hours begin elsewhere, and the clock is changed
SELECT * FROM everywhere('SELECT date_trunc(''month'', ts), date_trunc(''week'', ts), count(*) FROM stay GROUP BY 1, 2');
SELECT * FROM everywhere('SELECT ts::date, extract(dow FROM ts), date_trunc(''month'', ts AT TIME ZONE ''Asia/Tokyo''), count(*) FROM stay GROUP BY 1, 2, 3');
SELECT * FROM everywhere('SELECT extract(hour FROM ts), ts::date, count(*) FROM stay WHERE ts < ''2024-04-03'' GROUP BY 1, 2');
-- Of numbers with digits all combinations: between two cells either key may round to another side.
SELECT * FROM shown('SELECT floor(weight / 0.3), floor(weight / 0.6), count(*) FROM stay GROUP BY 1, 2');
SELECT * FROM shown('SELECT floor(height / 0.1), floor(height / 0.2), count(*) FROM stay GROUP BY 1, 2');
-- Where there is too much to look at as well.
SELECT * FROM shown('SELECT (age + ascii(ward)) % 2, (age + (d - ''2023-11-01'')) % 2, (age + extract(dow FROM ts)::int) % 2, age % 2, count(*) FROM stay WHERE d IS NOT NULL GROUP BY 1, 2, 3, 4');
SELECT * FROM shown('SELECT (s.age + q.v) % 2, (q.v % 2)::text || ward, count(*) FROM stay s JOIN (SELECT i AS id, i AS v FROM generate_series(1, 2000) i LIMIT 2000) q USING (id) GROUP BY 1, 2');
-- Equal values of a column that look different are one point of it.
SELECT * FROM shown('SELECT price, price::text, count(*) FROM stay GROUP BY 1, 2');
-- A row may hold a zero with a sign where one without is declared; some keys show it.
SELECT * FROM shown('SELECT sign::text, count(*) FROM stay GROUP BY 1');
SELECT * FROM shown('SELECT sign, sign::text, count(*) FROM stay GROUP BY 1, 2');
SELECT * FROM shown('SELECT floor(angle)::text, count(*) FROM stay GROUP BY 1');
SELECT sign, count(*) FROM stay GROUP BY 1 ORDER BY 1;
-- A key that asks is known by itself alone.
SELECT * FROM shown('SELECT age / 30, age > 50 AND EXISTS (SELECT FROM places p WHERE p.land = ''be''), count(*) FROM stay GROUP BY 1, 2 HAVING count(*) > 0');

-- ---- columns of a public row belong together, and those that joins compare with them
SELECT * FROM shown('SELECT town, land, count(*) FROM stay JOIN places USING (ward) GROUP BY 1, 2');
SELECT * FROM shown('SELECT upper(town), land, p.ward, count(*) FROM stay s JOIN places p ON s.ward = p.ward GROUP BY 1, 2, 3');
SELECT * FROM shown('SELECT p.land, p.land || p.town, count(*) FROM stay s LEFT JOIN places p ON s.ward = p.ward AND p.town <> ''Nice'' GROUP BY 1, 2');
SELECT * FROM shown('SELECT q.land, coalesce(q.land, s.ward), count(*) FROM stay s JOIN (SELECT ward, max(land) AS land FROM places GROUP BY ward) q USING (ward) GROUP BY 1, 2');
-- as Malloy nests: a number tells which of several groupings a row is in
SELECT * FROM shown('SELECT n, CASE WHEN n = 1 THEN ward END, CASE WHEN n = 2 THEN date_trunc(''month'', d) END, CASE WHEN n = 2 THEN ward END, count(*)
    FROM stay CROSS JOIN generate_series(0, 2, 1) AS n WHERE d IS NOT NULL GROUP BY 1, 2, 3, 4');

-- ---- rows of a list that are kept: all of them, and what is computed of them, whatever protected columns can hold
SELECT * FROM shown('SELECT coalesce(q.v, ''-''), count(id) FROM (VALUES (''a''), (''x''), (''b''), (NULL)) q(v) LEFT JOIN stay ON ward = q.v GROUP BY 1');
SELECT * FROM shown('SELECT upper(q.v), q.v || q.name, q.v, count(id) FROM (VALUES (''a'', ''A''), (''x'', ''X''), (''b'', ''X'')) q(v, name) LEFT JOIN stay ON ward = q.v GROUP BY 1, 2, 3');
SELECT * FROM shown('SELECT upper(q.v), count(id) FROM stay RIGHT JOIN (VALUES (''a''), (''x''), (''b'')) q(v) ON ward = q.v WHERE q.v <> ''b'' GROUP BY 1');
SELECT * FROM shown('SELECT q.v / 10, count(age) FROM (VALUES (5), (15), (500)) q(v) LEFT JOIN stay ON age = q.v WHERE q.v > 10 AND q.v / 2 < 300 GROUP BY 1');
SELECT * FROM shown('SELECT q.v, q.v / 10, count(id) FROM (VALUES (5), (15), (500)) q(v) LEFT JOIN stay ON age = q.v GROUP BY ROLLUP (1, 2)');
SELECT * FROM shown('SELECT upper(q.v), count(id) FROM unnest(ARRAY[''a'', ''x'']) q(v) LEFT JOIN stay ON ward = q.v GROUP BY 1');
SELECT * FROM shown('SELECT upper(q.v), q.v, count(id) FROM unnest(ARRAY[''a'', ''x'']) q(v) LEFT JOIN stay ON ward = q.v GROUP BY 1, 2');

-- ---- stored answers: of the same groups; summed over the keys that are left out
SET ROLE regress_dependent_ana;
SELECT epsilon FROM dp.cost('SELECT date_trunc(''year'', d), date_trunc(''month'', d), count(*) FROM stay GROUP BY 1, 2') WHERE role IS NULL;
SELECT epsilon FROM dp.cost('SELECT upper(ward), count(*) FROM stay GROUP BY 1') WHERE role IS NULL;
SELECT count(*) FROM (SELECT ward, ascii(ward), count(*) FROM stay GROUP BY 1, 2) q WHERE count > 0;
SELECT epsilon FROM dp.cost('SELECT ascii(ward), count(*) FROM stay GROUP BY 1') WHERE role IS NULL;
SELECT ascii(ward), count(*) FROM stay GROUP BY 1 ORDER BY 1;
-- A condition on keys chooses among the groups of an answer; other pairs in the public table make it another question.
SELECT count(*) FROM (SELECT town, land, count(*) FROM stay JOIN places USING (ward) GROUP BY 1, 2) q WHERE count > 0;
SELECT epsilon FROM dp.cost('SELECT town, land, count(*) FROM stay JOIN places USING (ward) WHERE land = ''fr'' GROUP BY 1, 2') WHERE role IS NULL;
SELECT town, count(*) FROM stay JOIN places USING (ward) WHERE land = 'fr' GROUP BY town, land ORDER BY 1;
RESET ROLE;
UPDATE places SET town = CASE town WHEN 'Ghent' THEN 'Lyon' WHEN 'Lyon' THEN 'Ghent' ELSE town END;
SET ROLE regress_dependent_ana;
SELECT epsilon FROM dp.cost('SELECT town, land, count(*) FROM stay JOIN places USING (ward) GROUP BY 1, 2') WHERE role IS NULL;
RESET ROLE;

SELECT dp.unprotect('stay');
DROP TABLE stay, places;
DROP ROLE regress_dependent_ana;
