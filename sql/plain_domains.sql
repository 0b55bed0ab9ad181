-- Declared ranges and values, constraints and types: bounds of expressions and groups of computed keys. Answers at epsilon 1e6
-- beside those of the superuser, in several time zones.
CALL own_schema('plain_domains');
SET client_min_messages = warning;
CREATE DOMAIN score AS int CHECK (VALUE BETWEEN 0 AND 10);
CREATE TYPE level AS ENUM ('low', 'mid', 'high');
CREATE TABLE trip (id int PRIMARY KEY, ward text NOT NULL, age int NOT NULL CHECK (age >= 0 AND age < 100), small smallint CHECK (small BETWEEN 1 AND 9), cost numeric NOT NULL,
    discount float8 NOT NULL, score score NOT NULL, level level NOT NULL, started timestamptz NOT NULL, noted timestamp NOT NULL, day date NOT NULL, maybe text, free numeric);
INSERT INTO trip SELECT i, (ARRAY['North', 'South', 'West'])[1 + i % 3], i % 100, 1 + i % 9, (i * 7 % 1000) / 10.0, (i % 5) / 10.0, i % 11, (ARRAY['low', 'mid', 'high'])[1 + i % 3]::level,
    timestamptz '2023-01-01 00:30+00' + i * interval '211 minutes', timestamp '2023-01-01' + i * interval '211 minutes', date '2023-01-01' + i % 400,
    nullif((ARRAY['x', 'y', 'z'])[1 + i % 3], 'z'), i % 4 FROM generate_series(0, 2400) i;
ALTER TABLE trip ADD CONSTRAINT later CHECK (free BETWEEN 0 AND 5) NOT VALID;
CREATE ROLE regress_domains_ana;
SELECT dp.protect('trip', 1e9);
SELECT dp.grant_budget('trip', 'regress_domains_ana', 1e9, allow_leaks => true);

-- What a curator declares.
SELECT dp.declare_range('trip', 'cost', 0, 100);
SELECT dp.declare_range('trip', 'discount', 0::numeric, 0.5);
SELECT dp.declare_range('trip', 'started', '2023-01-01 00:00+00', '2024-01-01 00:00+00');
SELECT dp.declare_range('trip', 'noted', '2023-01-01', '2024-01-01');
SELECT dp.declare_range('trip', 'day', '2023-01-01', '2024-02-29');
SELECT dp.declare_values('trip', 'ward', 'North', 'South', 'West'), dp.declare_values('trip', 'maybe', 'x', 'y');
SELECT * FROM dp.declared_range WHERE relation = 'trip'::regclass;
SELECT dp.declare_range('trip', 'cost', 100, 0);
SELECT dp.declare_range('trip', 'cost', 5, 5);
SELECT dp.declare_range('trip', 'cost', 'NaN', '5');
SELECT dp.declare_range('trip', 'started', '-infinity', '2024-01-01 00:00+00');
SELECT dp.declare_range('trip', 'ward', 'a', 'b');
SELECT dp.declare_range('trip', 'nothing', 1, 2);
SELECT dp.declare_range('trip', 'age', 1.5, 2);
SELECT dp.declare_range('trip', NULL, 1, 2);
SELECT dp.declare_range('pg_class', 'relpages', 1, 2);
SELECT dp.withdraw('trip', 'age');
SET ROLE regress_domains_ana;
SELECT dp.declare_range('trip', 'free', 0, 1);
SELECT dp.withdraw('trip', 'cost');
RESET ROLE;

CREATE FUNCTION answers(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    row record;
    lines text := '';
BEGIN
    FOR row IN EXECUTE query LOOP lines := lines || row::text; END LOOP;
    RETURN lines;
END
$$;
GRANT CREATE ON SCHEMA plain_domains TO regress_domains_ana;

-- Bounds: from where, and of expressions.
CREATE FUNCTION bounds_of(expression text, condition text DEFAULT 'true') RETURNS TABLE (call text) LANGUAGE plpgsql AS $$
DECLARE
    line text;
BEGIN
    FOR line IN EXECUTE format('EXPLAIN (COSTS OFF) SELECT sum(%s) FROM trip WHERE %s', expression, condition) LOOP
        IF line ~ 'Private Form' THEN call := regexp_replace(line, '.*dp_sum\(.*, (\S+), (\S+), 1\).*', '\1 .. \2'); RETURN NEXT; END IF;
    END LOOP;
EXCEPTION WHEN OTHERS THEN
    call := SQLERRM;
    RETURN NEXT;
END
$$;
SET ROLE regress_domains_ana;
SET dp.epsilon = 1;
SELECT e AS expression, bounds_of(e) FROM unnest(ARRAY['cost', 'discount', 'age', 'small', 'score', 'free', 'id', 'cost * (1 - discount)', 'cost / 2', 'age / 7', 'age % 7', '-cost', 'abs(age - 50)', '-age',
    'coalesce(cost, 0)', 'greatest(cost - 10, 0)', 'least(cost, 20)', 'CASE WHEN age > 5 THEN 1 ELSE 0 END', 'CASE WHEN age > 5 THEN cost ELSE 0.0 END', 'CASE WHEN age > 5 THEN cost END', 'nullif(age, 3)',
    'extract(month FROM started)', 'extract(year FROM started)', 'round(cost)', 'floor(cost)::int', 'cost::int', 'age::float8', '(age > 5)::int', 'cost + id', 'age * age - age', 'length(ward)', '7', 'day - day']) e;
-- Conditions narrow them.
SELECT c AS condition, bounds_of('cost', c) FROM unnest(ARRAY['cost < 40', 'cost BETWEEN 10 AND 20', '30 <= cost', 'cost = 5 AND age > 3', 'cost > 500', 'NOT cost < 40', 'cost < 40 OR age > 3']) c;
SELECT bounds_of('id', 'id > 0 AND id <= 2000'), bounds_of('id', 'id > 0');
EXPLAIN (COSTS OFF) SELECT sum(cost) FILTER (WHERE cost < 10) FROM trip;
-- Values beyond a declared range count as its ends.
RESET ROLE;
SELECT dp.declare_range('trip', 'cost', 0, 50);
SET ROLE regress_domains_ana;
SET dp.epsilon = 1e6;
SELECT round(sum(cost), 1) FROM trip;
RESET ROLE;
SELECT sum(least(cost, 50)) FROM trip;
SELECT dp.declare_range('trip', 'cost', 0, 100);

-- Groups: the image of computed keys. No row is outside, so the answers are the superuser's, but for groups without rows.
CREATE TABLE grouped (query text);
INSERT INTO grouped SELECT format('SELECT * FROM (SELECT %s AS k, count(*) AS n FROM trip WHERE %s GROUP BY 1) q WHERE n > 0 ORDER BY 1', k, w) FROM
    unnest(ARRAY['date_trunc(''month'', started)', 'CAST(date_trunc(''month'', started) AS date)', 'date_trunc(''week'', noted)', 'date_trunc(''quarter'', day)', 'started::date', 'noted::date', 'day',
        'date_trunc(''hour'', started)', 'date_trunc(''day'', started AT TIME ZONE ''Asia/Kolkata'')', 'date_trunc(''month'', started, ''America/New_York'')', 'extract(dow FROM started)', 'extract(dow FROM day)::int + 1',
        'extract(hour FROM started)', 'to_char(started, ''YYYY-MM'')', 'to_char(noted, ''Day HH24'')', 'floor(extract(epoch FROM started) / 86400) * 86400', 'floor(extract(epoch FROM noted) / 3600) * 3600',
        'date_bin(''6 hours'', noted, ''2000-01-01'')', 'date_bin(''1 day'', started, ''2000-01-01 00:00+00'')', 'date_bin(''7 days'', started, ''2024-01-01 00:00+00'')', 'date_bin(''90 minutes'', noted, ''2024-01-01 00:20'')', 'date_trunc(''week'', started + interval ''1 day'') - interval ''1 day''',
        'floor(age / 10.0) * 10.0', 'age / 10', 'age % 7', 'dp_bucket(cost, 25)', 'floor(cost / 20) * 20', 'floor(cost)', 'score', 'level', 'small', 'lower(ward)', 'nullif(ward, ''North'')', 'coalesce(maybe, ''none'')', 'ward || ''-'' || level::text', 'maybe',
        'CASE WHEN age < 18 THEN ''child'' WHEN age < 65 THEN ''adult'' ELSE ''old'' END', 'CASE WHEN id > 1000 THEN 1 END', 'CASE WHEN ward = ''North'' THEN ward ELSE ''other'' END', 'left(ward, 1)', 'age > 50', 'ward = ''North'' AND age > 3', 'date_part(''month'', day)']) k,
    unnest(ARRAY['true', 'age BETWEEN 10 AND 40 AND started >= ''2023-03-20 05:17+00'' AND started < ''2023-11-05 01:00+00''']) w;
CREATE TABLE truth (zone text, query text, answer text);
GRANT SELECT, INSERT ON truth TO regress_domains_ana;
GRANT SELECT ON grouped TO regress_domains_ana;
CREATE FUNCTION in_zone(zone text, query text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('TimeZone', zone, true);
    RETURN answers(query);
EXCEPTION WHEN OTHERS THEN
    RETURN SQLERRM;
END
$$;
INSERT INTO truth SELECT zone, query, in_zone(zone, query) FROM grouped, unnest('{UTC,Europe/Berlin,America/New_York,Asia/Kolkata}'::text[]) zone;
SET ROLE regress_domains_ana;
SELECT zone, query, left(in_zone(zone, query), 200) AS private, left(answer, 200) AS plain FROM truth WHERE in_zone(zone, query) IS DISTINCT FROM answer ORDER BY 2, 1;
SELECT count(*) FROM truth;

-- Which groups: those that conditions leave, with NULL where it can be.
SELECT date_trunc('month', started) AS month, count(*) FROM trip WHERE started >= '2023-10-01' GROUP BY 1 ORDER BY 1;
SELECT maybe, count(*) FROM trip GROUP BY 1 ORDER BY 1;
SELECT age / 20, count(*) FROM trip WHERE age >= 60 GROUP BY 1 ORDER BY 1;
SELECT lower(ward), level, count(*) FROM trip WHERE ward IN ('North', 'West') AND level <> 'mid' GROUP BY 1, 2 ORDER BY 1, 2;
SELECT DISTINCT date_trunc('quarter', day) FROM trip ORDER BY 1;
SELECT extract(year FROM started) AS year, ward, count(*) FROM trip GROUP BY ROLLUP (1, 2) ORDER BY 1, 2;
PREPARE months AS SELECT date_trunc('month', started) AS month, count(*) FROM trip WHERE started >= $1 GROUP BY 1 ORDER BY 1;
EXECUTE months('2023-11-15');
SET TimeZone = 'Europe/Berlin';
EXECUTE months('2023-11-15');
-- The last day begins before it does in UTC.
SELECT started::date AS day, count(*) FROM trip WHERE started BETWEEN '2023-06-13 21:00+00' AND '2023-06-15 22:30+00' GROUP BY 1 ORDER BY 1;
-- A day of 23 hours in which no day of UTC begins.
SET TimeZone = 'Atlantic/Azores';
SELECT started::date AS day, count(*) FROM trip WHERE started BETWEEN '2023-03-25 12:00+00' AND '2023-03-27 12:00+00' GROUP BY 1 ORDER BY 1;
RESET TimeZone;
-- Not public: what changes within any cell, what reads another column, and too many.
SELECT date_trunc('second', started), count(*) FROM trip GROUP BY 1;
SELECT date_trunc('second', noted), count(*) FROM trip GROUP BY 1;
SELECT extract(second FROM started), count(*) FROM trip WHERE started >= '2023-06-15 12:00+00' AND started < '2023-06-15 12:00:02+00' GROUP BY 1;
-- Few enough.
SELECT date_trunc('second', started) AS second, count(*) FROM trip WHERE started >= '2023-06-15 12:00:00.5+00' AND started < '2023-06-15 12:00:02.5+00' GROUP BY 1 ORDER BY 1;
SELECT started, count(*) FROM trip GROUP BY 1;
SELECT cost, count(*) FROM trip GROUP BY 1;
SELECT age + id, count(*) FROM trip GROUP BY 1;
SELECT age, score, day, count(*) FROM trip GROUP BY age * 1000 + score + (day - '2020-01-01'), age, score, day;
SELECT CASE WHEN age > 5 THEN id ELSE 0 END, count(*) FROM trip GROUP BY 1;
-- A field that does not exist, a zone, a format: errors before any row is read.
SELECT date_trunc('moon', started), count(*) FROM trip GROUP BY 1;
SELECT count(started AT TIME ZONE 'Moon') FROM trip;
SELECT count(started AT TIME ZONE ward) FROM trip;
SELECT count(to_char(started, ward)) FROM trip;

-- Arithmetic and casts below private aggregates: NULL where PostgreSQL raises an error, without being asked.
SELECT count(*), count(1 / nullif(age, 0)), count(1 / age), count((age * 2147483647)::int), count(cost::int), count((cost * 1e30)::int), count(cost::numeric(4, 1)), count((cost * 1000)::numeric(4, 1)) FROM trip;
SELECT count(day + 1), count(day + 2147483647), count(started + interval '1 day'), count(started + interval '200000 years' * 1), count(ward || 'x'), count(small + age), count(small * 40000) FROM trip;
EXPLAIN (COSTS OFF) SELECT count(age / 10), count(age / small), count(extract(month FROM day)::int), count(age % 7) FROM trip;
SELECT count(sqrt(cost)) FROM trip;

-- Withdrawn, declared anew: plans follow.
PREPARE total AS SELECT round(sum(cost)) FROM trip;
PREPARE wards AS SELECT DISTINCT ward FROM trip ORDER BY 1;
PREPARE ends AS SELECT min(cost), max(cost), max(small), min(score) < 1 AS low FROM trip;
EXECUTE total;
EXECUTE wards;
EXECUTE ends;
-- Free, and EXPLAIN says so.
EXPLAIN (COSTS OFF) EXECUTE ends;
EXPLAIN (COSTS OFF) SELECT max(cost) FROM trip HAVING max(cost) > 5;
SELECT max(cost) FROM trip HAVING max(cost) > 500;
RESET ROLE;
-- A bin that begins before all moments is none.
SELECT dp_internal.date_bin('3000000 days', timestamp '4713-12-01 BC', timestamp '2001-01-01') IS NULL AS none,
    dp_internal.date_bin('3000000 days', timestamptz '4713-12-01 BC', timestamptz '2001-01-01') IS NULL AS none;
SELECT dp.declare_range('trip', 'cost', 10, 20);
SET ROLE regress_domains_ana;
EXECUTE ends;
RESET ROLE;
SELECT dp.withdraw('trip', 'cost'), dp.withdraw('trip', 'ward');
ALTER TABLE trip DROP CONSTRAINT trip_small_check;
SET ROLE regress_domains_ana;
EXECUTE total;
EXECUTE wards;
EXECUTE ends;
-- A curator's table that is written by hand says so as well.
RESET ROLE;
SELECT dp.declare_range('trip', 'cost', 10, 20);
SET ROLE regress_domains_ana;
PREPARE cost_ends AS SELECT min(cost), max(cost) FROM trip;
EXECUTE cost_ends;
RESET ROLE;
UPDATE dp.declared_range SET upper = '30' WHERE relation = 'trip'::regclass AND column_name = 'cost';
SET ROLE regress_domains_ana;
EXECUTE cost_ends;
RESET ROLE;
DELETE FROM dp.declared_range WHERE relation = 'trip'::regclass AND column_name = 'cost';
SET ROLE regress_domains_ana;
EXECUTE cost_ends;
RESET ROLE;
-- Domains over booleans and enums name their values. What was declared of another type is declared no more.
CREATE DOMAIN flag AS boolean;
CREATE DOMAIN grade AS level CHECK (VALUE > 'low');
CREATE TABLE marked (id int PRIMARY KEY, flag flag NOT NULL, grade grade, ward text NOT NULL);
INSERT INTO marked SELECT i, i % 2 = 0, CASE WHEN i % 3 > 0 THEN 'high'::grade END, 'North' FROM generate_series(1, 60) i;
SELECT dp.protect('marked', 1e9, answer_epsilon => 1e6), dp.grant_budget('marked', 'regress_domains_ana', 1e9, allow_leaks => true);
SELECT dp.declare_values('marked', 'ward', 'North', 'South');
SET ROLE regress_domains_ana;
SELECT flag, grade, count(*) FROM marked GROUP BY flag, grade ORDER BY 1, 2;
SELECT DISTINCT flag FROM marked;
SELECT sum(flag::int), mode() WITHIN GROUP (ORDER BY flag) IS NOT NULL AS mode FROM marked;
RESET ROLE;
ALTER TABLE marked ALTER COLUMN ward TYPE varchar(20);
SET ROLE regress_domains_ana;
SELECT ward, count(*) FROM marked GROUP BY ward;
RESET ROLE;
SELECT dp.unprotect('marked');
SELECT dp.unprotect('trip');
SELECT count(*) FROM dp.declared_range WHERE relation = 'trip'::regclass;
SET client_min_messages = error;
DROP SCHEMA plain_domains CASCADE;
DROP OWNED BY regress_domains_ana;
DROP ROLE regress_domains_ana;
