-- What is known of moments is so: of random expressions of dates, timestamps and the time between them PostgreSQL's own values lie between
-- the bounds that the guard finds, and reach them where they are as narrow as they can be; and every value of a random key is a group,
-- for which the key has to be constant between the moments at which it is looked at.
CALL own_schema('moment_facts');
SET client_min_messages = error;
SET DateStyle = ISO;
\set SHOW_CONTEXT never
CREATE ROLE regress_moment_facts_ana;
CREATE TABLE stay (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, d date NOT NULL, e date NOT NULL, ts timestamp NOT NULL, te timestamp NOT NULL, tz timestamptz NOT NULL, tu timestamptz NOT NULL, n int NOT NULL);
-- From the last microsecond of a leap year, a week and a millennium to the first of a year; and from that of a decade to the last.
CREATE TABLE ends (least timestamp, most timestamp, earliest timestamp, latest timestamp);
INSERT INTO ends VALUES ('2000-12-31 23:59:59.999999', '2024-01-01', '1999-12-31 23:59:59.999999', '2024-12-31 23:59:59.999999');
-- Beginnings of months and of hours of days on which clocks were changed, and the microseconds beside them, each with some other; the ends
-- with each other.
CREATE VIEW moment AS SELECT row_number() OVER (ORDER BY m, beside) AS i, m + beside * interval '1 microsecond' AS m
    FROM (SELECT generate_series(timestamp '1999-12-01', '2025-01-01', '1 month') UNION SELECT generate_series(t, t + interval '1 day', '30 minutes')
        FROM unnest('{2006-10-29,2011-12-30,2011-12-31,2020-12-31,2024-02-29,2024-03-31}'::timestamp[]) t) g (m), generate_series(-1, 1) beside;
CREATE VIEW pair AS SELECT a.m AS one, b.m AS other FROM moment a JOIN moment b ON b.i = 1 + (a.i * 7919) % (SELECT count(*) FROM moment)
    UNION ALL SELECT a.m, a.m - interval '1 year' FROM moment a
    UNION ALL SELECT one, other FROM ends, LATERAL unnest(ARRAY[least, most]) one, LATERAL unnest(ARRAY[earliest, latest]) other;
INSERT INTO stay (d, e, ts, te, tz, tu, n) SELECT one, other, one, other, one AT TIME ZONE 'UTC', other AT TIME ZONE 'UTC', (row_number() OVER ()) % 21
    FROM (SELECT greatest(least, least(one, most)) AS one, greatest(earliest, least(other, latest)) AS other FROM pair, ends) p;
SELECT dp.protect('stay', 9e9, answer_epsilon => 1e6), dp.grant_budget('stay', 'regress_moment_facts_ana', 9e9, allow_leaks => true);
SELECT dp.declare_range('stay', 'd', least::date, most::date), dp.declare_range('stay', 'e', earliest::date, latest::date), dp.declare_range('stay', 'ts', least, most), dp.declare_range('stay', 'te', earliest, latest),
    dp.declare_range('stay', 'tz', least AT TIME ZONE 'UTC', most AT TIME ZONE 'UTC'), dp.declare_range('stay', 'tu', earliest AT TIME ZONE 'UTC', latest AT TIME ZONE 'UTC'), dp.declare_range('stay', 'n', 0, 20) FROM ends;

-- ---- random expressions, of the same seeds always ----
CREATE FUNCTION any_of(seed text, choices text) RETURNS text LANGUAGE sql AS $$
    SELECT a[1 + ('x' || substr(md5(seed), 1, 7))::bit(28)::int % cardinality(a)] FROM string_to_array(choices, '|') a $$;
-- Each ~ is a choice: of a field, a part, a span, a width, an origin, a zone.
CREATE FUNCTION filled(seed text, pattern text) RETURNS text LANGUAGE sql AS $$
    SELECT replace(replace(replace(replace(replace(replace(pattern,
        '~f', any_of(seed || 'f', 'microseconds|milliseconds|second|minute|hour|day|week|month|quarter|year|decade|century|millennium')),
        '~p', any_of(seed || 'p', 'microseconds|milliseconds|second|minute|hour|day|week|month|quarter|year|decade|century|millennium|isoyear|dow|isodow|doy|julian|epoch|epoch|epoch')),
        '~s', any_of(seed || 's', '1 day|-1 day|1 month|-1 month|14 months 3 days 04:05:06.789|36 hours|-11 months 30 days|1 week|-00:00:00.000001')),
        '~w', any_of(seed || 'w', '15 minutes|7 days|1 hour|13 days 05:00:00|11000 seconds')),
        '~o', any_of(seed || 'o', '1970-01-01|1999-12-25 05:06:07.5|2000-01-01')),
        '~z', any_of(seed || 'z', 'UTC|Europe/Berlin|America/St_Johns|Pacific/Apia|Asia/Kathmandu|Australia/Lord_Howe')) $$;
CREATE FUNCTION moment_of(seed text, columns text, depth int) RETURNS text LANGUAGE sql AS $$
    SELECT CASE WHEN depth = 0 THEN any_of(seed, columns) ELSE replace(filled(seed, any_of(seed, 'date_trunc(''~f'', @)|date_trunc(''~f'', @)|date_trunc(''~f'', @::timestamptz, ''~z'')|date_bin(''~w'', @::timestamp, ''~o'')|date_bin(''~w'', @::timestamptz, ''~o+00'')|(@ + interval ''~s'')|(@ - interval ''~s'')|(@::timestamp AT TIME ZONE ''~z'')|(@::timestamptz AT TIME ZONE ''~z'')|@::date|@::timestamp|@::timestamptz|(@::date + 40)')),
        '@', moment_of(seed || depth, columns, depth - 1)) END $$;

-- ---- bounds ----
CREATE TABLE number (kind int, pattern text);
INSERT INTO number SELECT k, p FROM unnest(ARRAY['extract(~p FROM @)', 'extract(epoch FROM @)', 'extract(~p FROM @::timestamp - #::timestamp)', 'extract(~p FROM @::timestamptz - #::timestamptz)',
    'extract(epoch FROM (@::timestamp - #::timestamp) * -2)', 'extract(epoch FROM (@::timestamptz - #::timestamptz) / 3)', '@::date - #::date', 'extract(~p FROM @::timestamp - date_trunc(''~f'', @::timestamp))',
    'extract(~p FROM @::timestamptz - date_trunc(''~f'', @::timestamptz))', 'extract(~p FROM age(@::timestamp, #::timestamp))', 'extract(~p FROM age(@::timestamptz, #::timestamptz))', 'dp_bucket(extract(epoch FROM @), 3600)',
    'floor(extract(epoch FROM @) / 86400)', 'extract(~p FROM @::timestamp::time)', 'extract(~p FROM to_timestamp(n * 1e7))', 'extract(~p FROM make_date(2000 + n, 1, 1))', 'date_part(''~p'', @)']) WITH ORDINALITY AS q (p, k);
\getenv folder PG_ABS_SRCDIR
\set bounded :folder '/test/support/bounded.sql'
\i :bounded
CREATE FUNCTION values_of(expression text, OUT lowest float8, OUT highest float8) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT min((%s)::float8), max((%1$s)::float8) FROM stay', expression) INTO lowest, highest;
EXCEPTION WHEN OTHERS THEN
    lowest := NULL;
END $$;
CREATE TABLE facts (i int, kind int, zone text, expression text, least float8, most float8, lower float8, upper float8);
INSERT INTO facts (i, kind, zone, expression)
SELECT i, kind, any_of('zone' || i, 'UTC|Europe/Berlin|America/St_Johns|Pacific/Apia|Asia/Manila'), replace(replace(filled('part' || i, pattern), '@', moment_of('one' || i, 'd|ts|tz', i / 17 % 3)), '#', moment_of('other' || i, 'e|te|tu', i / 51 % 2))
FROM generate_series(1, 510) i JOIN number ON kind = 1 + i % 17;
-- With the ends as they are, each field of each type.
INSERT INTO facts (i, kind, zone, expression)
SELECT 2000 + row_number() OVER (), 20, 'UTC', format('extract(%s FROM %s)', p, m) FROM unnest('{day,week,month,quarter,year,decade,century,millennium,isoyear,dow,isodow,doy,julian,epoch}'::text[]) p, unnest('{d,ts,te,tz}'::text[]) m
UNION ALL SELECT 2100 + row_number() OVER (), 21, 'UTC', format('extract(epoch FROM date_trunc(%L, %s))', f, m)
    FROM unnest('{microseconds,milliseconds,second,minute,hour,day,week,month,quarter,year,decade,century,millennium}'::text[]) f, unnest('{ts,te}'::text[]) m
UNION ALL SELECT 2200 + row_number() OVER (), 22, 'Europe/Berlin', e FROM unnest(ARRAY['extract(epoch FROM te - ts)', 'e - d', 'extract(epoch FROM ts + interval ''1 month'')', 'extract(epoch FROM (te - ts) * 2)', 'extract(day FROM te - ts)',
    'extract(epoch FROM date_bin(''13 days 05:00:00'', ts, ''2000-12-31''))', 'extract(julian FROM ts::date)', 'extract(epoch FROM ts - date_trunc(''day'', ts))', 'extract(epoch FROM tz - date_trunc(''day'', tz))',
    'extract(year FROM age(date ''2000-12-31'', d))', 'extract(year FROM age(d, date ''2000-12-31''))', 'extract(epoch FROM age(timestamp ''2001-11-30'', timestamp ''2001-01-31'' + n * interval ''1 day''))',
    'extract(epoch FROM to_timestamp(n * 1e7))', 'extract(julian FROM make_date(2000 + n, 12, 31))', 'extract(julian FROM make_date(2000 + n, 1, 1))']) e;
CREATE FUNCTION compare() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    f record;
    b record;
BEGIN
    FOR f IN SELECT * FROM facts LOOP
        PERFORM set_config('TimeZone', f.zone, true);
        UPDATE facts SET (least, most) = (SELECT v.lowest, v.highest FROM values_of(f.expression) v) WHERE i = f.i;
        SET LOCAL ROLE regress_moment_facts_ana;
        SELECT * INTO b FROM bounded(f.expression);
        RESET ROLE;
        UPDATE facts SET lower = b.lower, upper = b.upper WHERE i = f.i;
    END LOOP;
END $$;
GRANT USAGE ON SCHEMA moment_facts TO regress_moment_facts_ana;
SELECT compare();
-- No value lies outside, but for what a double rounds off of a microsecond.
SELECT expression, zone, least, lower, most, upper FROM facts WHERE NOT (least >= lower - 4e-7 AND most <= upper + 4e-7) ORDER BY i;
-- Of each kind some have bounds, and of most some reach them.
SELECT kind, count(least) > 15 AS computed, count(lower) FILTER (WHERE least IS NOT NULL) > 5 AS bounded, bool_or(least < lower + 4e-7) AS at_least, bool_or(most > upper - 4e-7) AS at_most FROM facts GROUP BY kind ORDER BY kind;
SELECT expression, round((least - lower)::numeric, 6) AS below, round((upper - most)::numeric, 6) AS above FROM facts WHERE kind >= 20 AND (abs(least - lower) < 4e-7 AND abs(upper - most) < 4e-7) IS NOT TRUE ORDER BY i;

-- ---- grids ----
-- Nights on which clocks were changed, by an hour, half an hour, a day, and on an hour that is none in UTC.
CREATE TABLE era (name text, first timestamptz, zones text);
INSERT INTO era VALUES ('summer', '2024-03-30 00:00Z', 'Europe/Berlin|Asia/Kathmandu|UTC'), ('half an hour', '2024-04-06 00:00Z', 'Australia/Lord_Howe|America/St_Johns'),
    ('Newfoundland', '2006-10-28 00:00Z', 'America/St_Johns|Europe/Berlin'), ('Samoa', '2011-12-29 00:00Z', 'Pacific/Apia|Asia/Kolkata');
CREATE TABLE event (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at timestamptz NOT NULL, clock timestamp NOT NULL);
INSERT INTO event (at, clock) SELECT t, t AT TIME ZONE 'UTC' FROM era,
    LATERAL (SELECT first + i * interval '17 minutes 43 seconds' FROM generate_series(0, 240) i
        UNION ALL SELECT first + i * interval '15 minutes' + d * interval '1 microsecond' FROM generate_series(1, 284) i, generate_series(-1, 1) d) q (t);
SELECT dp.protect('event', 9e9, answer_epsilon => 1e6), dp.grant_budget('event', 'regress_moment_facts_ana', 9e9, allow_leaks => true);
SELECT dp.declare_range('event', 'at', '2000-01-01 00:00Z'::timestamptz, '2025-01-01 00:00Z'), dp.declare_range('event', 'clock', '2000-01-01'::timestamp, '2025-01-01');
CREATE TABLE shape (kind int, pattern text);
INSERT INTO shape SELECT k, p FROM unnest(ARRAY['date_trunc(''~f'', @)', '@::date', 'date_bin(''~w'', @::timestamp, ''~o'')', 'extract(~h FROM @)', 'to_char(@, ''~c'')', 'floor(extract(epoch FROM @) / 11000)',
    'round(extract(epoch FROM @) / 7200)', 'dp_bucket(extract(epoch FROM @), 5400)', 'ceil((extract(epoch FROM @) - 600) / 1200)', 'trunc(date_part(''epoch'', @)::numeric / -3600)', 'extract(~g FROM @::timestamp - timestamp ''2006-10-20 00:28:11'')',
    'extract(day FROM age(@::timestamp, ''2006-09-30 17:29:31''))', 'extract(hour FROM @::timestamp - date_trunc(''day'', @::timestamp))', '(@)::time < ''06:30'' AND extract(hour FROM @) < 6', 'floor(floor(extract(epoch FROM @) / 3600) + extract(hour FROM @) * 1000)', 'floor(extract(epoch FROM @) / 7200.5)']) WITH ORDINALITY AS q (p, k);
CREATE TABLE cells (i int, kind int, name text, zone text, key text, condition text, lost bigint, shown bigint);
INSERT INTO cells (i, kind, name, zone, key, condition)
SELECT i, kind, name, any_of('zone' || i, zones), replace(replace(replace(replace(filled('key' || i, replace(pattern, '~f', any_of('unit' || i, 'minute|hour|day|week|month'))),
        '~h', any_of('hour' || i, 'hour|day|dow|week|minute')), '~g', any_of('gone' || i, 'day|hour')), '~c', any_of('shown' || i, 'HH24|YYYY-MM-DD|Dy HH24:MI|OF DD|W')),
        '@', moment_of('moment' || i, c, i / 16 % 3)), format('%1$s >= %2$L AND %1$s <= %3$L', c, first AT TIME ZONE 'UTC' || z, (first + interval '71 hours') AT TIME ZONE 'UTC' || z)
FROM generate_series(1, 320) i JOIN shape ON kind = 1 + i % 16
    JOIN (SELECT row_number() OVER () AS e, * FROM era) era ON e = 1 + i / 3 % 4,
    LATERAL (SELECT CASE WHEN i % 2 = 0 THEN 'at' ELSE 'clock' END AS c, CASE WHEN i % 2 = 0 THEN 'Z' ELSE '' END AS z) of;
-- Rows that the owner counts in groups that the role is not shown so; nothing where the key is refused, or its groups are chosen.
CREATE FUNCTION look() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    c record;
    question text;
    private json;
    plain json;
BEGIN
    FOR c IN SELECT * FROM cells LOOP
        question := format('SELECT json_agg(q)::text FROM (SELECT (%s)::text AS key, count(*) AS n FROM event WHERE %s GROUP BY %1$s) q WHERE n > 0', c.key, c.condition);
        PERFORM set_config('TimeZone', c.zone, true);
        BEGIN
            SET LOCAL ROLE regress_moment_facts_ana;
            EXECUTE question INTO private;
            RESET ROLE;
            EXECUTE question INTO plain;
            UPDATE cells SET (lost, shown) = (SELECT coalesce(sum(p.n) FILTER (WHERE a.key IS NULL), 0), count(a.key) FROM json_to_recordset(plain) p (key text, n bigint) LEFT JOIN json_to_recordset(private) a (key text, n bigint) USING (key, n)) WHERE i = c.i;
        EXCEPTION WHEN OTHERS THEN
            RESET ROLE;
        END;
    END LOOP;
END $$;
SET dp.epsilon = 1e6;
SELECT look();
RESET ROLE;
SELECT name, zone, key, lost FROM cells WHERE lost > 0 ORDER BY i;
SELECT kind, count(lost) > 4 AS answered, max(shown) > 2 AS several FROM cells GROUP BY kind ORDER BY kind;
-- So far on a double does not tell a microsecond from the one before: what is above a multiple of two hours would be a group of its own.
CREATE TABLE far (id int PRIMARY KEY, at timestamp NOT NULL);
INSERT INTO far SELECT i, timestamp '3000-01-01' + i * interval '2 hours' + interval '5 microseconds' FROM generate_series(0, 12) i;
SELECT dp.protect('far', 9e9, answer_epsilon => 1e6), dp.grant_budget('far', 'regress_moment_facts_ana', 9e9, allow_leaks => true), dp.declare_range('far', 'at', '3000-01-01'::timestamp, '3000-01-02');
SET ROLE regress_moment_facts_ana;
SELECT sum(n) FROM (SELECT ceil(date_part('epoch', at) / 7200), date_trunc('minute', at), count(*) AS n FROM far WHERE at < '3000-01-01 23:59' GROUP BY 1, 2) q;
RESET ROLE;
SELECT dp.unprotect('event'), dp.unprotect('stay'), dp.unprotect('far');
DROP SCHEMA moment_facts CASCADE;
DROP OWNED BY regress_moment_facts_ana;
DROP ROLE regress_moment_facts_ana;
