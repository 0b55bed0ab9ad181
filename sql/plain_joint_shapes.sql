-- As plain_joint_loss, for what stands in FROM and around it: windows, people, paths, several tables, sets of groups. What one unit changes
-- of all answers together, divided by their noise, is no more than the statement cost; what is read off others, behind a hyphen, adds nothing.
-- And which answers are parts of one, so that two cost what one does: no others do.
CALL own_schema('plain_joint_shapes');
SET client_min_messages = error;
\set SHOW_CONTEXT never
CREATE ROLE regress_shapes;
CREATE TABLE wards (s text PRIMARY KEY, kind text NOT NULL, n int NOT NULL);
INSERT INTO wards VALUES ('a', 'x', 1), ('b', 'x', 2), ('c', 'y', 3);
GRANT SELECT ON wards TO regress_shapes;
-- Unit 0 has twelve rows, of every kind; 20 others have one each, so that no limit concerns them. The second tables lack unit 0.
CREATE TABLE with_unit (id int PRIMARY KEY, p int NOT NULL, g text NOT NULL, s text NOT NULL, flag boolean, x int NOT NULL, y int);
INSERT INTO with_unit SELECT i, 0, (ARRAY['u', 'v'])[1 + i % 2], (ARRAY['a', 'b', 'c'])[1 + i % 3], (ARRAY[true, false, NULL])[1 + i / 4 % 3], 10, nullif(i % 10, 3) FROM generate_series(0, 11) i;
INSERT INTO with_unit SELECT 100 + i, i, 'u', 'a', true, i % 10, 1 FROM generate_series(1, 20) i;
CREATE TABLE parts_with_unit (row int REFERENCES with_unit, w int NOT NULL);
INSERT INTO parts_with_unit SELECT id, w FROM with_unit, generate_series(1, 3) w WHERE p = 0 OR w = 1;
CREATE TABLE other_with_unit AS SELECT p, id % 11 AS z FROM with_unit WHERE id > 4;
ALTER TABLE other_with_unit ALTER p SET NOT NULL;
CREATE TABLE without_unit (LIKE with_unit INCLUDING ALL);
INSERT INTO without_unit SELECT * FROM with_unit WHERE p <> 0;
CREATE TABLE parts_without_unit (row int REFERENCES without_unit, w int NOT NULL);
INSERT INTO parts_without_unit SELECT * FROM parts_with_unit WHERE row >= 100;
CREATE TABLE other_without_unit AS SELECT * FROM other_with_unit WHERE p <> 0;
ALTER TABLE other_without_unit ALTER p SET NOT NULL;
CREATE PROCEDURE protect(limits text) LANGUAGE plpgsql AS $$
DECLARE name text; one text;
BEGIN
    FOREACH name IN ARRAY '{with_unit,without_unit}'::text[] LOOP
        PERFORM dp.unprotect(b.relation) FROM dp.budgets b WHERE b.role IS NULL AND b.relation IN (('parts_' || name)::regclass, ('other_' || name)::regclass);
        PERFORM dp.unprotect(b.relation) FROM dp.budgets b WHERE b.role IS NULL AND b.relation = name::regclass;
        FOREACH one IN ARRAY ARRAY[name, 'parts_' || name, 'other_' || name] LOOP
            EXECUTE format('SELECT dp.protect(%L::regclass, 9e9, privacy_unit => %L, %s)', one, CASE WHEN one LIKE 'parts_%' THEN 'row.p' ELSE 'p' END, limits);
            PERFORM dp.grant_budget(one::regclass, 'regress_shapes', 9e9, allow_leaks => true);
        END LOOP;
        PERFORM dp.public_values(name::regclass, 'g', 'u', 'v'), dp.public_values(name::regclass, 's', 'a', 'b', 'c'), dp.declare_range(name::regclass, 'x', 0, 10),
            dp.declare_range(name::regclass, 'y', 0, 10), dp.declare_range(('parts_' || name)::regclass, 'w', 1, 3);
    END LOOP;
END $$;
-- NULL: it is refused.
CREATE FUNCTION price(query text) RETURNS numeric LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT max(epsilon) FROM dp.cost(query) WHERE role IS NOT NULL);
EXCEPTION WHEN SQLSTATE 'DP002' THEN
    RETURN NULL;
END $$;

-- ---- what a unit changes
CREATE TABLE shapes (number serial, shape text, asked text[]);
INSERT INTO shapes (shape, asked) SELECT shape, string_to_array(asked, ' | ') FROM (VALUES
    ('(SELECT *, row_number() OVER (PARTITION BY p ORDER BY x, id) AS r FROM T) q', 'count(*) FILTER (WHERE r = 1) | count(*) FILTER (WHERE r = 2) | count(*) FILTER (WHERE r > 2)'),
    ('(SELECT *, row_number() OVER (PARTITION BY p ORDER BY x, id) AS r FROM T) q WHERE r <= 3', 'count(*) FILTER (WHERE r = 1) | count(*) FILTER (WHERE r = 2) | count(*) FILTER (WHERE r = 3) | -count(*)'),
    ('(SELECT *, row_number() OVER (PARTITION BY p, g ORDER BY x, id) AS r FROM T) q WHERE r = 1 GROUP BY g ORDER BY g', 'count(*) FILTER (WHERE s = ''a'') | count(*) FILTER (WHERE s = ''b'')'),
    ('(SELECT p, count(*) AS n, max(y) AS m FROM T GROUP BY p) q', 'sum(LEAST(n, 5)) | count(*) FILTER (WHERE n > 2) | count(*) FILTER (WHERE n <= 2) | count(m)'),
    ('(SELECT p, g, count(*) AS n FROM T GROUP BY p, g) q GROUP BY g ORDER BY g', '-count(*) | count(*) FILTER (WHERE n > 2) | count(*) FILTER (WHERE n <= 2)'),
    ('(SELECT p, g, count(*) AS n FROM T GROUP BY p, g) q', 'count(*) FILTER (WHERE g = ''u'') | count(*) FILTER (WHERE g = ''v'') | count(*) FILTER (WHERE n > 2)'),
    ('(SELECT p, s, g, count(*) AS n FROM T GROUP BY p, s, g) q', 'count(*) FILTER (WHERE s = ''a'') | count(*) FILTER (WHERE s = ''b'') | count(*) FILTER (WHERE s = ''c'') | -count(*)'),
    ('(SELECT DISTINCT p, s FROM T) q', 'count(*) FILTER (WHERE s = ''a'') | count(*) FILTER (WHERE s = ''b'') | count(*) FILTER (WHERE s = ''c'')'),
    ('(SELECT DISTINCT ON (p) * FROM T ORDER BY p, id) q GROUP BY g ORDER BY g', 'count(*) FILTER (WHERE s = ''a'') | count(*) FILTER (WHERE s = ''b'') | sum(x)'),
    ('T JOIN wards USING (s)', 'count(*) FILTER (WHERE kind = ''x'') | count(*) FILTER (WHERE kind = ''y'') | sum(y) FILTER (WHERE n = 3)'),
    ('T t LEFT JOIN wards w ON w.s = t.s AND w.n > 1', 'count(w.n) | count(*) FILTER (WHERE w.n IS NULL) | count(*) FILTER (WHERE w.kind = ''x'') | -count(*)'),
    ('T JOIN other_T USING (p)', 'count(*) FILTER (WHERE z > 5) | count(*) FILTER (WHERE z <= 5) | count(y) | -count(*)'),
    ('T t JOIN (SELECT p, count(*) AS n FROM other_T GROUP BY p) q USING (p)', 'count(*) FILTER (WHERE n > 5) | count(*) FILTER (WHERE n <= 5) | -count(*)'),
    ('T t WHERE EXISTS (SELECT FROM other_T o WHERE o.p = t.p AND o.z > 3)', 'count(*) FILTER (WHERE s = ''a'') | count(*) FILTER (WHERE s = ''b'') | count(*) FILTER (WHERE s = ''c'') | -count(*)'),
    ('T WHERE p IN (SELECT p FROM T WHERE s = ''a'')', 'count(*) FILTER (WHERE g = ''u'') | count(*) FILTER (WHERE g = ''v'')'),
    ('parts_T', 'count(*) FILTER (WHERE w = 1) | count(*) FILTER (WHERE w = 2) | count(*) FILTER (WHERE w = 3) | sum(w)'),
    ('parts_T k JOIN T t ON t.id = k.row', 'count(*) FILTER (WHERE w = 1) | count(*) FILTER (WHERE w = 2) | count(*) FILTER (WHERE w = 3) | count(y) | -count(*)'),
    ('parts_T k JOIN T t ON t.id = k.row GROUP BY t.g ORDER BY t.g', 'count(*) FILTER (WHERE w = 1) | count(*) FILTER (WHERE w = 2) | sum(x)'),
    ('T GROUP BY GROUPING SETS ((g), (s), (g, s), ()) ORDER BY grouping(g, s), g, s', '-count(*) | count(*) FILTER (WHERE flag) | count(*) FILTER (WHERE NOT flag) | count(*) FILTER (WHERE flag IS NULL)'),
    ('T GROUP BY CUBE (g, s) ORDER BY grouping(g, s), g, s', 'count(DISTINCT x) | count(DISTINCT p)'),
    ('T GROUP BY g HAVING count(*) FILTER (WHERE s = ''b'') > -1000 ORDER BY g', 'count(*) FILTER (WHERE s = ''a'') | count(*) FILTER (WHERE s = ''c'')'),
    ('(SELECT * FROM T WHERE flag UNION ALL SELECT * FROM T WHERE NOT flag) q', 'count(*) FILTER (WHERE flag) | count(*) FILTER (WHERE NOT flag)'),
    ('T GROUP BY x % 3 ORDER BY x % 3', 'count(*) FILTER (WHERE g = ''u'') | count(*) FILTER (WHERE g = ''v'') | sum(y)'),
    ('T WHERE s IN (''a'', ''b'')', 'count(*) FILTER (WHERE s = ''a'') | count(*) FILTER (WHERE s = ''b'') | count(*) FILTER (WHERE s = ''c'')'),
    ('T', 'count(*) FILTER (WHERE s IN (''a'', ''b'')) | count(*) FILTER (WHERE s IN (''b'', ''c'')) | count(*) FILTER (WHERE s = ''c'')'),
    ('T', 'count(*) FILTER (WHERE y > 5) | count(*) FILTER (WHERE NOT y > 5) | count(*) FILTER (WHERE y IS NULL)'),
    ('T', 'count(CASE s WHEN ''a'' THEN y END) | count(CASE s WHEN ''b'' THEN y END) | count(CASE s WHEN ''c'' THEN y END)'),
    ('T', 'count(DISTINCT s) FILTER (WHERE g = ''u'') | count(DISTINCT s) FILTER (WHERE g = ''v'')')) AS v (shape, asked);
CREATE TABLE losses (limits text, number int, loss numeric, price numeric);
GRANT ALL ON losses, shapes TO regress_shapes;
\getenv folder PG_ABS_SRCDIR
\set answers :folder '/test/support/answers.sql'
\i :answers
CREATE PROCEDURE measure(limits text) LANGUAGE plpgsql AS $$
DECLARE a_shape record; query text; one numeric[]; two numeric[]; errors numeric[];
BEGIN
    SET LOCAL ROLE regress_shapes;
    FOR a_shape IN SELECT * FROM shapes ORDER BY number LOOP
        query := format('SELECT ARRAY[%s]::numeric[] FROM %s', (SELECT string_agg(format('%s, dp_error(%1$s)', ltrim(a, '-')), ', ') FROM unnest(a_shape.asked) a), a_shape.shape);
        BEGIN
            one := answers(regexp_replace(query, '(\m|_)T\M', '\1with_unit', 'g'), '1e6');
            two := answers(regexp_replace(query, '(\m|_)T\M', '\1without_unit', 'g'), '1e6');
            errors := answers(regexp_replace(query, '(\m|_)T\M', '\1with_unit', 'g'), '0.01');
            INSERT INTO losses SELECT limits, a_shape.number, sum(abs(one[i] - two[i]) * ln(20::numeric) / errors[i + 1]), price(regexp_replace(query, '(\m|_)T\M', '\1with_unit', 'g'))
            FROM generate_series(1, cardinality(one), 2) i WHERE a_shape.asked[1 + (i - 1) / 2 % cardinality(a_shape.asked)] NOT LIKE '-%' HAVING cardinality(one) = cardinality(two) AND cardinality(one) = cardinality(errors);
        EXCEPTION WHEN SQLSTATE 'DP002' OR insufficient_privilege THEN
            INSERT INTO losses VALUES (limits, a_shape.number);
        END;
    END LOOP;
    RESET ROLE;
END $$;
DO $$
DECLARE limits text;
BEGIN
    FOREACH limits IN ARRAY ARRAY['max_rows_per_unit => 1', 'max_rows_per_unit => 4', 'max_rows_per_unit => 50', 'max_groups_per_unit => 2, max_rows_per_group => 3'] LOOP
        CALL protect(limits);
        CALL measure(limits);
    END LOOP;
END $$;
SELECT limits, shape, asked, round(loss, 4) AS loss, price FROM losses JOIN shapes USING (number) WHERE loss > price * 1.05 ORDER BY limits, number;
SELECT limits, count(loss) AS answered, count(*) FILTER (WHERE loss IS NULL) AS refused, bool_or(loss > price * 0.99) AS up_to_the_price FROM losses GROUP BY 1 ORDER BY 1;

-- ---- what costs less together
CREATE TABLE asked AS SELECT * FROM unnest(ARRAY['count(*)', 'count(y)', 'count(DISTINCT p)', 'count(DISTINCT s)', 'sum(x)', 'avg(x)', 'stddev(x)', 'variance(y)', 'percentile_cont(0.5) WITHIN GROUP (ORDER BY x)',
    'percentile_cont(0.9) WITHIN GROUP (ORDER BY x)', 'percentile_cont(0.5) WITHIN GROUP (ORDER BY y)', 'percentile_cont(0.5) WITHIN GROUP (ORDER BY id)', 'max(id)', 'min(id)', 'stddev(id)', 'sum(id)', 'corr(x, y)',
    'count(*) FILTER (WHERE g = ''u'')', 'count(*) FILTER (WHERE g = ''v'')', 'sum(x) FILTER (WHERE g = ''u'')', 'sum(x) FILTER (WHERE g = ''v'')', 'stddev(x) FILTER (WHERE g = ''u'')', 'stddev(x) FILTER (WHERE g = ''v'')',
    'max(id) FILTER (WHERE g = ''u'')', 'max(id) FILTER (WHERE g = ''v'')', 'percentile_cont(0.5) WITHIN GROUP (ORDER BY x) FILTER (WHERE g = ''u'')',
    'percentile_cont(0.5) WITHIN GROUP (ORDER BY x) FILTER (WHERE g = ''v'')', 'dp_histogram(x, 0, 10, 2, 0.01)', 'dp_cumulative(x, 0, 10, 4, 0.01)', 'dp_mode(s, ARRAY[''a'', ''b''], 0.01)']) WITH ORDINALITY AS l (a, i);
GRANT SELECT ON asked TO regress_shapes;
CALL protect('max_rows_per_unit => 4');
SET ROLE regress_shapes;
SET dp.epsilon = 0.01;
SELECT a.a AS one, b.a AS other, price(format('SELECT %s, %s FROM with_unit', a.a, b.a)) AS both FROM asked a JOIN asked b ON a.i < b.i
WHERE price(format('SELECT %s, %s FROM with_unit', a.a, b.a)) < price(format('SELECT %s FROM with_unit', a.a)) + price(format('SELECT %s FROM with_unit', b.a)) ORDER BY a.i, b.i;
RESET dp.epsilon;
RESET ROLE;
SELECT dp.unprotect(b.relation) FROM dp.budgets b WHERE b.role IS NULL AND b.relation::text ~ '^(parts_|other_)?with(out)?_unit$' ORDER BY b.relation::text DESC \g /dev/null
DROP OWNED BY regress_shapes;
DROP ROLE regress_shapes;
