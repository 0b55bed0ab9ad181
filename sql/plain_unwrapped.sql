--
-- Calls that cannot fail are left as they are, also where the same function with other arguments could: EXPLAIN names none of them,
-- and over the least and the greatest values of each type they answer as PostgreSQL does.
CALL own_schema('plain_unwrapped');
SET client_min_messages = warning;
CREATE DOMAIN amount AS numeric(10,2);
CREATE TYPE fee AS (price numeric(10,2), note text);
CREATE DOMAIN small AS int CHECK (VALUE > -2147483648);
CREATE TABLE stay (id int PRIMARY KEY, s smallint, i int, b bigint, bounded small, price numeric(10,2), wide numeric(1000,0), deep numeric(1000,1000),
    shifted numeric(1000,-1000), paid amount, free numeric, note text, tags int[], late boolean, day date, clock time, zoned timetz, noted timestamp, started timestamptz,
    span interval, prices numeric(10,2)[], fee fee);
INSERT INTO stay VALUES
    (1, -32768, -2147483648, -9223372036854775808, -2147483647, -99999999.99, -repeat('9', 1000)::numeric, -('.' || repeat('9', 1000))::numeric,
        -(repeat('9', 1000) || repeat('0', 1000))::numeric, -99999999.99, 1, '', '{}', false,
        '4713-11-24 BC', '00:00', '00:00+15:59', '4713-11-24 00:00:00 BC', '4713-11-24 00:00:00+00 BC', '-2147483647 hours'),
    (2, 32767, 2147483647, 9223372036854775807, 2147483647, 99999999.99, repeat('9', 1000)::numeric, ('.' || repeat('9', 1000))::numeric,
        (repeat('9', 1000) || repeat('0', 1000))::numeric, 99999999.99, 2, repeat('y', 300000), '{1,2}', true,
        '5874897-12-31', '24:00', '23:59:59.999999-15:59', '294276-12-31 23:59:59.999999', '294276-12-31 23:59:59.999999+00', '2147483647 hours'),
    (3, 0, 0, 0, 0, 'NaN', 'NaN', 'NaN', 'NaN', 'NaN', 3, '~', '{}', NULL, 'infinity', '12:00', '12:00+00', 'infinity', 'infinity', '1 month'),
    (4, 7, 7, 7, 7, 0.01, 1, 1e-1000, 1e1000, 0.01, 4, 'xyz', '{3}', true, '-infinity', '12:00', '12:00+00', '-infinity', '-infinity', '1 month'),
    (5, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 5, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
    (6, 59, 59, 59, 59, 3.14, 9, 0.5, 1e1001, 2, 6, 'abc', '{4,5,6}', false, '2024-12-31', '23:59:59.999999', '12:00+00', '2024-02-29 23:59:59.999999',
        '2024-12-31 23:59:59.999999+00', '3 days');
UPDATE stay SET prices = ARRAY[price, 1], fee = (price, 'x');
CREATE ROLE regress_unwrapped_ana;
SELECT dp.protect('stay', 1e9);
SELECT dp.grant_budget('stay', 'regress_unwrapped_ana', 1e9, allow_leaks => true);
-- What EXPLAIN says of an expression, and how many rows have a value of it: private, and as the superuser sees it.
CREATE FUNCTION unwrapped(expression text) RETURNS TABLE (as_null text, answer text) LANGUAGE plpgsql AS $$
DECLARE
    line text;
BEGIN
    FOR line IN EXECUTE format('EXPLAIN (COSTS OFF) SELECT count(%s) FROM stay', expression) LOOP
        IF line ~ 'Errors as NULL' THEN as_null := regexp_replace(line, '.*NULL: ', ''); END IF;
    END LOOP;
    EXECUTE format('SELECT count(%s) FROM stay', expression) INTO answer;
    RETURN NEXT;
EXCEPTION WHEN OTHERS THEN
    answer := SQLERRM;
    RETURN NEXT;
END
$$;
-- Whole numbers that stay in their type, parts of moments, numerics of few digits.
CREATE TABLE kept (n serial, e text);
INSERT INTO kept (e)
SELECT format('%s / %s', x, c) FROM unnest(ARRAY['price', 'wide', 'deep', 'shifted', 'prices[1]', '(fee).price',
    'CASE (fee).note WHEN ''x'' THEN price ELSE prices[2] END']) x, unnest('{2,2.0,-3,0.001,-0.001,1e100}'::text[]) c
UNION ALL
SELECT format('extract(%s FROM %s)::%s', field, moment, type)
FROM unnest('{day,MONTH,quarter,week,dow,isodow,doy}'::text[]) field, unnest('{day,noted,started}'::text[]) moment, unnest('{int2,int,int8}'::text[]) type
UNION ALL
SELECT format('date_part(%L, %s)::%s', field, moment, type)
FROM unnest('{hour,minute,second}'::text[]) field, unnest('{clock,zoned,noted,started}'::text[]) moment, unnest('{int2,int,int8}'::text[]) type
UNION ALL
SELECT format('%s / %s * %s', x, c, d) FROM unnest('{s,i,b,bounded}'::text[]) x, unnest('{10,-10,2147483647}'::text[]) c, unnest('{1,7,-7,10,0}'::text[]) d
UNION ALL
SELECT unnest(ARRAY['10 * (i / 10)', 'b / 10000000000 * 10000000000', 'i / 15 * 5 + i / 15 * 10', 'i / 1000 * i::int8', 's + 1', 's * s::int', 'i + 1::int8', 'i * i::int8',
    's - i::int8', 'i / 2 + s', 'abs(i / 2)', '-(i / 2)', '@ (b % 100)', 'abs(s::int)', '(i % 100)::int2', '(b % 1000)::int', '-(b % -7)', 'length(note) * 2', 'ascii(note)',
    'ascii(note) + 1', 'octet_length(note) - strpos(note, ''x'')', 'cardinality(tags) * 10', 'tags[1] / 10 * 10', 'late::int * 1000000', '(late::int + 1)::int2',
    'CASE WHEN i > 0 THEN 1 WHEN i < 0 THEN 100 END * 100', 'coalesce(i / 10, 0) * 10', 'i / GREATEST(s, 1)', 'i % LEAST(s, -1)', 'i / LEAST(s, -2)', 'abs(GREATEST(i, 0))',
    'LEAST(i / 2, 10) - 10 + GREATEST(i, 0) / 2', 'extract(microseconds FROM clock)::int', 'extract(month FROM noted)::int - 1', '(extract(month FROM noted) - 1)::int2',
    'extract(hour FROM started) * 60 + extract(minute FROM started)', '(extract(hour FROM started) * 60 + extract(minute FROM started))::int2',
    'floor(extract(second FROM noted))::int', 'extract(year FROM day) * 100 + extract(month FROM day)', 'extract(epoch FROM started) / 60', 'floor(extract(epoch FROM started) / 60)',
    'extract(epoch FROM span) / 3600.0', 'extract(epoch FROM noted)::float8', 'paid / 2.0', 'price * i', 'price + 1', 'price - price', 'round(price * 1.19, 2)', 'round((price + wide) / 2.0)',
    'price * 1.19 * b', 'wide * shifted * deep', 'abs(price * -2) / 3', 'ceil(price * 100)', '(price * 100)::float8', '(price + i)::float4', 'coalesce(price, 0) / 2.0',
    'CASE WHEN late THEN price ELSE 0 END * 2', 'GREATEST(price, 0) * 100', 'i / 2.0', 'b * 1.5', 'i::numeric / 7']);
GRANT SELECT ON kept TO regress_unwrapped_ana;
GRANT CREATE ON SCHEMA plain_unwrapped TO regress_unwrapped_ana;
SET ROLE regress_unwrapped_ana;
SET dp.epsilon = 1e6;
CREATE TABLE private AS SELECT n, e, u.* FROM kept, unwrapped(e) u;
RESET ROLE;
SELECT count(*) AS expressions, count(as_null) AS wrapped, count(*) FILTER (WHERE answer = plain) AS same
FROM (SELECT p.*, (SELECT u.answer FROM unwrapped(p.e) u) AS plain FROM private p) answers;
SELECT e, as_null, answer FROM private WHERE as_null IS NOT NULL OR answer !~ '^\d+$' ORDER BY n;
-- Between these lies what is taken for small of a moment: leap days, weeks 53, the last microsecond of a day, 24:00.
SET TimeZone = 'America/Los_Angeles';
WITH moment AS (SELECT noted FROM stay UNION ALL SELECT generate_series(timestamp '2019-12-25', '2029-01-05', '7 hours 1.5 seconds') UNION ALL VALUES (timestamp '0001-12-31 23:59:59.999999 BC'), ('4714-11-24 BC')),
    part (field, least, most) AS (VALUES ('microseconds', 0, 60000000), ('milliseconds', 0, 60000), ('second', 0, 60), ('minute', 0, 59), ('hour', 0, 24), ('day', 1, 31), ('dow', 0, 6), ('isodow', 1, 7),
        ('doy', 1, 366), ('week', 1, 53), ('month', 1, 12), ('quarter', 1, 4)),
    found AS (SELECT field, least, most, x FROM part, moment, LATERAL (VALUES (pg_catalog."extract"(field, noted)), (pg_catalog."extract"(field, noted AT TIME ZONE 'UTC'))) v (x)
        UNION ALL SELECT field, least, most, x FROM part, (VALUES (time '00:00'), ('24:00'), ('23:59:59.999999')) t (clock),
            LATERAL (VALUES (pg_catalog."extract"(field, clock)), (pg_catalog."extract"(field, (clock || '+15:59')::timetz))) v (x) WHERE field ~ 'sec|min|hour')
SELECT field, count(x) > 1000 AS many, min(x) >= least AND max(x) <= most AS within, max(x) FROM found GROUP BY field, least, most ORDER BY most, field;
RESET TimeZone;
-- And what can fail.
SET ROLE regress_unwrapped_ana;
SELECT e, u.* FROM unnest(ARRAY['price / 0.0009', 'price / 0', 'price / id', 'price / ''NaN''', '(CASE WHEN i > 0 THEN 5 ELSE ''NaN''::numeric END)::int', 'price / ''Infinity''', 'free / 2.0',
    'price / price', '2.0 / price', 'free * 2', 'price * free', 'price + free', 'round(free * 2)', '(price / 3)::float8', '(wide * wide)::float8', 'deep::float4',
    'coalesce(price, free) * 2', 'extract(year FROM day)::int', 'extract(epoch FROM noted)::int', 'extract(julian FROM day)::int', 'extract(hour FROM span)::int2',
    'extract(day FROM span)::int2', 'date_part(''century'', started)::int', 'extract(microseconds FROM clock)::int2', '(extract(year FROM day) - 1)::int', '(price * 1)::int',
    'round(price)::int', 'i / 10 * 11', 'i / 10 * i', 'i * 10 / 10', 'i / i', 'i % i', 'i / -1', 'i / GREATEST(s, 0)', 'i / LEAST(s, -1)', 'i / LEAST(s, 1)',
    '(i + 1) / 10 * 11', 'i / 10 * 10 * 10', 'b / 10 * 10000000000', 'i + 1', 's + 1::int2', 'b + 1', 'b * i', 's * i', 'abs(i)', '-i', 'abs(s)', '-b', 'abs(bounded)',
    'i / 2 + i', '(i % 32769)::int2', '(i % 32770)::int2', '(b % 2147483649)::int', '(b % 2147483650)::int', 'abs(LEAST(i, 0))', 'length(note) * 3', 'ascii(note) * 2000',
    'tags[1] * 10', 'CASE WHEN late THEN 1 ELSE i END * 100', 'coalesce(i / 10, i) * 10', 'i / 1 * 10', 'i % 10 * -300000000', 'shifted * shifted * shifted * shifted * shifted * shifted']) e, unwrapped(e) u;
-- Rounding, which the planner writes in another way.
SELECT e, u.* FROM unnest(ARRAY['round(extract(month FROM noted))::smallint', 'trunc(extract(month FROM noted))::smallint', 'round(s::numeric, 0)::smallint',
    'trunc(s::numeric, 2000)::smallint', 'round(s::numeric, -1)::smallint', 'round(extract(month FROM noted), s)::int', 'round(s::numeric, -s)::smallint']) e, unwrapped(e) u;
-- A cast that fails for all rows leaves no number: least of all the least one there is, which no processor divides by -1.
SELECT e, u.* FROM unnest(ARRAY['(b % 1 - 9223372036854775807 - 1)::int / LEAST(i, -1)', '(b % 1 + 9223372036854775807)::int2 * 2', '(-9223372036854775808)::int / LEAST(i, -1)']) e, unwrapped(e) u;
-- Of more functions it is known what they come to: of bits, divisors, signs and what is NULL in the place of one value. What would be
-- rounded is not; nor is what a division may come to nearer than it shows.
SELECT e, u.* FROM unnest(ARRAY['(i & 7) + 1', '(i & 7 | 8) * 100', 'gcd(i & 1023, 12) * 3', 'sign(i % 10 + 0.5)::int * 10', 'nullif(i % 10, 0) + 1', 'i / 10 * 10 + sign(i % 2)::int',
    'b / 1000 * 999 + 1', '(i & 7) * 400000000', 'round(i % 10 / 3.0)::int2', 'width_bucket(i, 0, 10, 5) * 2',
    '(9223372036854775295.0 + (i & 1) * 600)::int8', '(9223372036854775295.0 + (i & 1) * 500)::int8',
    'sign(free)::int', '(free % 5)::int8']) e, unwrapped(e) u;

-- Below a subquery, and beside a group key.
SELECT dp_count(half / 2.0) FROM (SELECT price / 2.0 AS half, price FROM stay) q;
SELECT id < 3 AS early, count(price / 2.0), count(DISTINCT price / 2.0) AS different FROM stay GROUP BY id < 3 ORDER BY 1;
-- What was prepared is judged anew once the column is of another type.
PREPARE tens AS SELECT sum(s + 1), sum(s::int * 2) FROM stay WHERE id IN (1, 4, 6) AND s BETWEEN -100 AND 100;
EXPLAIN (COSTS OFF) EXECUTE tens;
EXECUTE tens;
RESET ROLE;
ALTER TABLE stay ALTER s TYPE int USING CASE WHEN s > 32000 THEN 2147483647 ELSE s END;
SET ROLE regress_unwrapped_ana;
EXPLAIN (COSTS OFF) EXECUTE tens;
EXECUTE tens;
SELECT e, u.* FROM unnest('{s + 1,s * s::int,s / 10 * 10}'::text[]) e, unwrapped(e) u;
-- Whole numbers among parameters, in a plan for any values too: judged when these are known.
PREPARE scaled(int) AS SELECT count(*) FROM stay WHERE price * $1 > 5 AND round(price + $1, 1) > 1 AND price * ($1 / 2.0) > 2 AND abs(price - $1) < 1e9;
SET plan_cache_mode = force_custom_plan;
EXECUTE scaled(2);
SET plan_cache_mode = force_generic_plan;
EXECUTE scaled(2);
EXPLAIN (COSTS OFF) EXECUTE scaled(2);
-- Of what is computed from a parameter nothing but the type is known: it runs in its place.
PREPARE rests(int) AS SELECT count(*) FROM stay WHERE (s % 10) * ($1 % 100) > 5 AND (s % 10) * extract(month FROM now())::int > -100;
EXECUTE rests(3);
EXPLAIN (COSTS OFF) EXECUTE rests(3);
RESET plan_cache_mode;
-- Operators of somebody's own by the same name.
CREATE FUNCTION regress_product(int, int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1';
CREATE OPERATOR plain_unwrapped.* (LEFTARG = int, RIGHTARG = int, FUNCTION = regress_product);
CREATE OPERATOR plain_unwrapped./ (LEFTARG = int, RIGHTARG = int, FUNCTION = int4div);
SET search_path = plain_unwrapped, pg_catalog;
SELECT e, u.* FROM unnest('{i / 10 * 10,i OPERATOR(pg_catalog./) 10 * 10,i / 10}'::text[]) e, unwrapped(e) u;
-- PostgreSQL does not look at digits and lengths in a list of a function's columns. What is more than these say is refused before a row is
-- read, whether a row would find it or not: an overflow would tell that one does.
RESET search_path;
SET search_path = plain_unwrapped, public;
SELECT count(s.price * d.a * d.a) FROM stay s JOIN unnest(ARRAY[ROW(1, 1.25), ROW(2, 'NaN'::numeric), ROW(3, NULL::numeric), ROW(6, -999.99)]) AS d (id int, a numeric(5,2)) ON d.id = s.id;
SELECT count(s.price * d.a * d.a) FROM stay s JOIN unnest(ARRAY[ROW(1, 1e131000), ROW(2, 1.00)]) AS d (id int, a numeric(5,2)) ON d.id = s.id;
SELECT count(s.price * d.a * d.a) FROM stay s JOIN unnest(ARRAY[ROW(99, 1e131000), ROW(2, 1.00)]) AS d (id int, a numeric(5,2)) ON d.id = s.id;
SELECT count(d.a::float8) FROM stay s JOIN (SELECT * FROM unnest(ARRAY[ROW(99, 1e-400), ROW(2, 1.00)]) AS d (id int, a numeric(5,2)) LIMIT 9) AS d ON d.id = s.id;
SELECT count(s.price * d.a[s.id] * d.a[s.id]) FROM stay s JOIN unnest(ARRAY[ROW(99, ARRAY[1.00, 'Infinity'])]) AS d (id int, a numeric(5,2)[]) ON d.id = s.id;
SELECT count(s.note || d.a) FROM stay s JOIN unnest(ARRAY[ROW(99, 'four'::varchar)]) AS d (id int, a varchar(3)) ON d.id = s.id;
SELECT count(*) FROM stay WHERE price * (SELECT a FROM unnest(ARRAY[ROW(1000.00), ROW(2.00)]) AS d (a numeric(5,2)) ORDER BY a DESC LIMIT 1) > 1;
DO $$
DECLARE
    many numeric(5,2)[];
    answer bigint;
BEGIN
    SELECT ARRAY[a] INTO many FROM unnest(ARRAY[ROW(1e131000), ROW(2.00)]) AS d (a numeric(5,2)) LIMIT 1;
    SELECT count(price * many[id] * many[id]) INTO answer FROM stay;
EXCEPTION WHEN OTHERS THEN
    RAISE WARNING '%', sqlerrm;
END $$;
SET search_path = plain_unwrapped, public;
-- A time zone that the asker made up is a week away in summer: a product with it may overflow for some rows.
SET TimeZone = 'A-0B-167,M3.1.0,M11.1.0';
SELECT extract(timezone FROM timestamptz '2024-07-01') AS summer;
SELECT * FROM unwrapped('extract(timezone FROM started)::int * 37000');
RESET TimeZone;
RESET search_path;
RESET ROLE;
DROP SCHEMA plain_unwrapped CASCADE;
DROP OWNED BY regress_unwrapped_ana;
DROP ROLE regress_unwrapped_ana;
