-- Bounds of expressions: found from what is declared of their columns, so wide that no value is cut, and no wider than they must be.
CALL own_schema('plain_bounds');
SET client_min_messages = warning;
SET TimeZone = 'Europe/Berlin';
CREATE TYPE mood AS ENUM ('sad', 'ok', 'cheerful');
CREATE ROLE regress_bounds_ana;
CREATE TABLE stay (id int PRIMARY KEY, n int NOT NULL, x float8 NOT NULL, p numeric(10,2) NOT NULL, s float8 NOT NULL, born date NOT NULL, d date NOT NULL, e date NOT NULL,
    ts timestamp NOT NULL, te timestamp NOT NULL, tz timestamptz NOT NULL, vc varchar(12) NOT NULL, ward text NOT NULL, note text NOT NULL, m mood NOT NULL, tags text[] NOT NULL,
    ai int[] NOT NULL, open int);
INSERT INTO stay SELECT i, i % 21, 1 + (i % 37) / 4.0, (i % 100) * 0.07 + 0.01, (i % 11) - 5, date '1940-02-29' + (i * 97) % 25000, date '2020-01-01' + (i * 7) % 1800,
    date '2020-01-01' + (i * 13) % 1800, timestamp '2020-01-01' + (i % 1700) * interval '1 day 1 hour', timestamp '2020-01-01' + (i % 1600) * interval '1 day 2 hours',
    timestamptz '2020-01-01 00:00+00' + (i % 1700) * interval '1 day 1 hour', left('abcdefghijklm', 1 + i % 12), (ARRAY['ent', 'surgery', 'ä'])[1 + i % 3], repeat('x', i % 50),
    (ARRAY['sad', 'ok', 'cheerful'])[1 + i % 3]::mood, CASE WHEN i % 2 = 0 THEN '{a,b}'::text[] ELSE '{a}' END, ARRAY[i, i], i FROM generate_series(1, 2000) i;
SELECT dp.protect('stay', 1e9, answer_epsilon => 1e6), dp.grant_budget('stay', 'regress_bounds_ana', 1e9, allow_leaks => true);
SELECT dp.declare_range('stay', 'n', 0, 20), dp.declare_range('stay', 'x', 1, 10), dp.declare_range('stay', 'p', 0.01, 7), dp.declare_range('stay', 's', -5, 5),
    dp.declare_range('stay', 'born', '1940-01-01', '2008-12-31'), dp.declare_range('stay', 'd', '2020-01-01', '2024-12-31'), dp.declare_range('stay', 'e', '2020-01-01', '2024-12-31'),
    dp.declare_range('stay', 'ts', '2020-01-01', '2024-12-31'), dp.declare_range('stay', 'te', '2020-01-01', '2024-12-31'), dp.declare_range('stay', 'tz', '2020-01-01', '2024-12-31 12:00'),
    dp.declare_values('stay', 'ward', 'ent', 'surgery', 'ä'), dp.declare_values('stay', 'cardinality(ai)', 1, 2, 3), dp.declare_values('stay', 'tags', '{a}'::text[], '{a,b}');
-- The bounds that the statement's private form has, and how far the answer is from the superuser's.
CREATE TABLE expressions (k int GENERATED ALWAYS AS IDENTITY, expression text, plain numeric, least float8, most float8);
INSERT INTO expressions (expression) SELECT unnest(string_to_array($$sqrt(x)
sqrt(p)
cbrt(s)
exp(s)
ln(x)
ln(p)
log(x)
log(2, p)
x ^ 2
power(x, -1)
power(s, 2)
s ^ 3
power(p, 2)
sign(s)
sign(p)
trunc(s)
trunc(-x / 4)
trunc(p, 1)
round(p, 1)
round(n::numeric, -1)
round(x)
floor(s)
ceil(s)
mod(n, 7)
n % 7
div(p, 2)
gcd(n, 12)
lcm(n, 4)
width_bucket(x, 0, 10, 5)
width_bucket(n, ARRAY[3, 6, 9])
sin(x)
atan(s)
acos(s / 5)
degrees(atan2(s, x))
radians(x)
n & 7
n | 8
n # 5
~n
abs(s) * 2 - x / 4
p * 0.19
p / 3
n / 3
x / 3
least(n, 5)
greatest(n, 5)
length(vc)
char_length(vc)
octet_length(vc)
length(ward)
octet_length(ward)
length(upper(vc))
length(left(note, 7))
length(substr(note, 2, 3))
length(trim(vc))
length(vc || '-' || ward)
length(lpad(vc, 20, '.'))
length(m::text)
length(n::text)
length(CASE WHEN n > 5 THEN vc ELSE 'none' END)
length(coalesce(vc, ward))
position('c' IN vc)
strpos(ward, 'r')
ascii(ward)
least(length(note), 40)
array_length(tags, 1)
cardinality(tags)
cardinality(ai)
cardinality(ARRAY[n, n])
d - e
d - date '2020-01-01'
(d + 7) - e
(d + interval '1 month')::date - e
extract(year FROM d)
extract(year FROM tz)
extract(century FROM d)
extract(isoyear FROM d)
extract(julian FROM d)
extract(epoch FROM ts)
extract(epoch FROM tz)
extract(hour FROM ts)
extract(epoch FROM ts - te)
extract(epoch FROM ts - te) / 86400
extract(epoch FROM tz - te)
extract(day FROM ts - te)
extract(hour FROM ts - te)
extract(minute FROM ts - te)
extract(epoch FROM d - (e - interval '1 year'))
extract(epoch FROM (ts - te) * 2)
extract(epoch FROM ts - (ts - interval '10 days'))
extract(year FROM age(d, born))
date_part('year', age(ts, born))
extract(month FROM age(d, born))
extract(day FROM age(d, born))
extract(epoch FROM age(d, born))
extract(year FROM age(date '2025-01-01', born))
extract(epoch FROM date_trunc('month', ts))
extract(year FROM make_date(2000 + n, 1, 1))
extract(year FROM ts::date)
extract(year FROM tz AT TIME ZONE 'UTC')
extract(year FROM to_timestamp(n * 1e7))
2 * (CASE WHEN s > 0 THEN sqrt(x) ELSE length(vc) END)
date '2030-01-01' - d
least(greatest(open, 0), 3)
greatest(1, least(coalesce(open, 7), n + 2, 2.5))$$, E'\n'));
CREATE FUNCTION measured(expression text) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
    answer numeric;
BEGIN
    EXECUTE format('SELECT sum((%s)::numeric) FROM stay', expression) INTO answer;
    RETURN answer;
END
$$;
UPDATE expressions SET plain = measured(expression);
DO $$
DECLARE
    e record;
BEGIN
    FOR e IN SELECT * FROM expressions LOOP
        EXECUTE format('UPDATE expressions SET (least, most) = (SELECT min((%s)::float8), max((%1$s)::float8) FROM stay) WHERE k = $1', e.expression) USING e.k;
    END LOOP;
END
$$;
\getenv folder PG_ABS_SRCDIR
\set bounded :folder '/test/support/bounded.sql'
\i :bounded
GRANT USAGE, CREATE ON SCHEMA plain_bounds TO regress_bounds_ana;
GRANT SELECT ON expressions TO regress_bounds_ana;
SET ROLE regress_bounds_ana;
CREATE TABLE asked AS SELECT k, expression, plain, least, most, b.*, CASE WHEN b.error IS NULL THEN measured(expression) END AS private FROM expressions, bounded(expression) b;
SELECT expression, round(lower::numeric, 3) AS lower, round(upper::numeric, 3) AS upper, error FROM asked ORDER BY k;
-- No value lies outside.
SELECT expression, least, lower, most, upper FROM asked WHERE NOT (least >= lower AND most <= upper) ORDER BY k;
-- What was answered is what the superuser's plain query says.
SELECT expression, plain, private FROM asked WHERE NOT abs(plain - private) <= 1 + abs(plain) * 1e-6 + (upper - lower) * 1e-4 ORDER BY k;
-- What has no bounds is refused, with what would declare them.
\set VERBOSITY default
SELECT stddev(DISTINCT open) FROM stay;
SELECT stddev(DISTINCT greatest(open, 0)) FROM stay;
SELECT stddev(DISTINCT length(note)) FROM stay;
SELECT stddev(DISTINCT n ^ open) FROM stay;
SELECT stddev(DISTINCT exp(open)) FROM stay;
SELECT stddev(DISTINCT ln(n)) FROM stay;
SELECT stddev(DISTINCT power(s, -x)) FROM stay;
SELECT stddev(DISTINCT x / s) FROM stay;
SELECT stddev(DISTINCT array_length(string_to_array(note, ','), 1)) FROM stay;
SELECT stddev(DISTINCT extract(epoch FROM ts - ts + interval '1 month')) FROM stay;
SELECT stddev(DISTINCT tan(x)) FROM stay;
-- A parameter is known when the statement starts: so are the bounds of what is computed with it, also in a plan for any values.
\set VERBOSITY terse
\pset tuples_only on
CREATE FUNCTION pg_temp.agreed(value text, parameters text, given text, literal text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    mode text;
    said text := '';
    answer numeric;
    exact numeric;
BEGIN
    EXECUTE 'SELECT ' || literal || ' FROM stay' INTO exact;
    FOREACH mode IN ARRAY ARRAY['force_custom_plan', 'force_generic_plan'] LOOP
        PERFORM set_config('plan_cache_mode', mode, true);
        DEALLOCATE ALL;
        EXECUTE format('PREPARE asked%s AS SELECT %s FROM stay', parameters, value);
        EXECUTE 'EXECUTE asked' || given INTO answer;
        said := said || CASE WHEN abs(answer - exact) <= 1 + abs(exact) * 1e-6 THEN ' same' ELSE format(' %s, not %s', answer, exact) END;
    END LOOP;
    RETURN value || ':' || said;
END
$$;
SELECT pg_temp.agreed(v[1], v[2], v[3], v[4]) FROM (VALUES
    (ARRAY['sum(p * $1)', '(numeric)', '(2)', 'sum(p * 2)']), (ARRAY['sum(p * $1)', '(int)', '(-3)', 'sum(p * -3)']), (ARRAY['avg(n + $1)', '(int)', '(1000)', 'avg(n + 1000)']),
    (ARRAY['sum(CASE WHEN ward = $3 THEN $1 ELSE $2 END)', '(int, int, text)', '(7, 1, ''ent'')', 'sum(CASE WHEN ward = ''ent'' THEN 7 ELSE 1 END)']),
    (ARRAY['sum(coalesce(nullif(n, 3), $1))', '(int)', '(50)', 'sum(coalesce(nullif(n, 3), 50))']),
    (ARRAY['avg(d - $1)', '(date)', '(''2019-01-01'')', 'avg(d - date ''2019-01-01'')']), (ARRAY['sum(x / $1)', '(float8)', '(4)', 'sum(x / 4)']),
    (ARRAY['stddev(DISTINCT n * $1)', '(int)', '(3)', 'stddev(DISTINCT n * 3)']), (ARRAY['dp_sum(n * $1)', '(int)', '(3)', 'dp_sum(n * 3)'])) q (v);
\pset tuples_only off
PREPARE scaled(float8) AS SELECT round(sum(x * $1)::numeric, -2) FROM stay;
EXECUTE scaled(0);
EXECUTE scaled('Infinity');
EXECUTE scaled(NULL);
PREPARE divided(float8) AS SELECT sum(x / $1) FROM stay;
EXECUTE divided(0);
EXPLAIN (COSTS OFF) EXECUTE scaled(1000);
PREPARE from_below(int) AS SELECT sum(least(open, $1)) FROM stay;
PREPARE conditioned(int) AS SELECT sum(open) FROM stay WHERE open BETWEEN 1 AND $1;
-- The bounds are part of the question: the same value is the same one.
RESET ROLE;
SELECT dp.protect('stay', 1e9, answer_epsilon => 1e6, reuse => '1 day');
SET ROLE regress_bounds_ana;
CREATE TEMP TABLE spent AS SELECT epsilon_spent FROM dp.budgets WHERE role IS NOT NULL;
EXECUTE scaled(3);
EXECUTE scaled(3);
EXECUTE scaled(4);
SELECT b.epsilon_spent - s.epsilon_spent AS charged FROM dp.budgets b, spent s WHERE role IS NOT NULL;
RESET ROLE;
DROP OWNED BY regress_bounds_ana;
SELECT dp.unprotect('stay');
DROP SCHEMA plain_bounds CASCADE;
DROP ROLE regress_bounds_ana;
