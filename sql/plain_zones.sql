-- Keys whose cells are parts of a day, beside keys and conditions of a day, a week or a month on another zone's clock: no row is lost.
-- Pairs of keys over zones and days on which clocks were changed, also by seconds or at midnight, beside the owner's own answers.
CALL own_schema('plain_zones');
SET client_min_messages = error;
\set SHOW_CONTEXT never
CREATE ROLE regress_zones_ana;
CREATE TABLE event (id int PRIMARY KEY, at timestamptz NOT NULL, clock timestamp NOT NULL);
-- Days on which clocks were changed somewhere: by an hour; to a day that was left out; back over midnight; by minutes; by seconds.
CREATE TABLE era (name text, first timestamptz, change timestamptz, zones text[]);
INSERT INTO era VALUES
    ('summer', '2024-03-29 00:00Z', '2024-03-31 01:00Z', '{Europe/Berlin,Asia/Kathmandu,Australia/Lord_Howe}'),
    ('Samoa', '2011-12-29 00:00Z', '2011-12-30 10:00Z', '{Pacific/Apia,Asia/Kolkata,America/New_York}'),
    ('Newfoundland', '2006-10-28 00:00Z', '2006-10-29 02:31Z', '{America/St_Johns,Europe/Berlin,Pacific/Chatham}'),
    ('Nepal', '1985-12-30 00:00Z', '1985-12-31 18:30Z', '{Asia/Kathmandu,Asia/Tokyo,America/St_Johns}'),
    ('Amsterdam', '1937-06-29 00:00Z', '1937-06-30 22:40:28Z', '{Europe/Amsterdam,Africa/Monrovia,Asia/Kolkata}'),
    ('local time', '1883-11-17 00:00Z', '1883-11-18 17:00Z', '{America/New_York,Europe/Paris,Europe/Lisbon}');
INSERT INTO event SELECT row_number() OVER (), t, t AT TIME ZONE 'UTC' FROM era,
    LATERAL (SELECT first + i * interval '17 minutes 43 seconds' FROM generate_series(0, 324) i
        UNION ALL SELECT change + d * interval '1 second' FROM unnest('{-3600,-1800,-60,-28,-1,-0.000001,0,1,20,59,60,1200,1800,3599,3600}'::float8[]) d
        UNION ALL SELECT first + i * interval '1 hour' + d * interval '1 microsecond' FROM generate_series(0, 95) i, generate_series(-1, 1) d WHERE first + i * interval '1 hour' + d * interval '1 microsecond' >= first) q(t);
SELECT dp.protect('event', 9e9), dp.grant_budget('event', 'regress_zones_ana', 9e9, allow_leaks => true);
SELECT dp.declare_range('event', 'at', '1880-01-01 00:00Z'::timestamptz, '2030-01-01 00:00Z'), dp.declare_range('event', 'clock', '1880-01-01'::timestamp, '2030-01-01');
SET dp.epsilon = 1e6;
SET DateStyle = ISO;
-- The rows that the owner counts in groups that the role is not shown so.
CREATE FUNCTION lost(keys text, conditions text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    question text := format('SELECT json_agg(q)::text FROM (SELECT ROW(%s)::text AS key, count(*) AS n FROM event WHERE %s GROUP BY %1$s) q WHERE n > 0', keys, conditions);
    private json;
    plain json;
BEGIN
    SET LOCAL ROLE regress_zones_ana;
    EXECUTE question INTO private;
    RESET ROLE;
    EXECUTE question INTO plain;
    RETURN (SELECT coalesce(sum(p.n), 0) FROM json_to_recordset(plain) p(key text, n bigint)
        WHERE NOT EXISTS (SELECT FROM json_to_recordset(private) a(key text, n bigint) WHERE a.key = p.key AND a.n = p.n));
END $$;
CREATE TABLE key (number int, text text);
INSERT INTO key SELECT row_number() OVER (), replace(pattern, 'x', c) FROM unnest('{at,clock}'::text[]) c,
    unnest(ARRAY['x::date', 'date_trunc(''hour'', x)', 'date_trunc(''week'', x)', 'eXtract(hour FROM x)', 'to_char(x, ''HH24 Dy'')', 'date_trunc(''day'', date_trunc(''hour'', x))',
        'date_bin(''6 hours'', x, ''2000-01-01 00:00'')', 'date_bin(''50 minutes'', x, ''1999-12-31 00:00:07'')', 'floor(eXtract(epoch FROM x) / 86400)', 'floor(eXtract(epoch FROM x) / 11000)',
        'date_trunc(''day'', x + interval ''1 day'')', 'date_trunc(''week'', x + interval ''1 day 7 hours'') - interval ''1 day''', 'date_trunc(''day'', x - interval ''1 month'')',
        'eXtract(day FROM x - ''2006-10-20 00:28:11'')', 'eXtract(day FROM age(x, ''1985-12-20 17:29:31''))', 'eXtract(hour FROM x - date_trunc(''day'', x))', 'eXtract(day FROM x - date_trunc(''month'', x))']) pattern;
INSERT INTO key SELECT 100 + row_number() OVER (), replace(pattern, '%', zone) FROM era, unnest(zones) zone,
    unnest(ARRAY['(at AT TIME ZONE ''%'')::date', 'extract(hour FROM at AT TIME ZONE ''%'')', 'date_trunc(''hour'', at, ''%'')', '((clock AT TIME ZONE ''UTC'') AT TIME ZONE ''%'')::date',
        'date_trunc(''hour'', clock AT TIME ZONE ''%'')', 'date_bin(''3 hours'', at AT TIME ZONE ''%'', ''2000-01-01'')']) pattern;
INSERT INTO key VALUES (405, 'round(extract(epoch FROM at) / 3600)'), (406, 'dp_bucket(extract(epoch FROM at), 5400)'), (407, 'ceil((extract(epoch FROM at) - 600) / 1200)'), (408, 'trunc(date_part(''epoch'', at) / 7200)'),
    (402, 'extract(day FROM at - timestamptz ''2006-10-29 12:00'')'), (403, 'to_char(at, ''OF DD'')'), (404, 'extract(hour FROM at::time)');
-- Of each so many pairs one, as two keys, and as a key beside a condition.
CREATE FUNCTION all_lost(one_of int, OUT questions bigint, OUT wrong bigint, OUT first_wrong text) LANGUAGE plpgsql AS $$
DECLARE
    q record;
    days text;
    value text;
    rows_lost bigint;
BEGIN
    questions := 0;
    wrong := 0;
    FOR q IN SELECT e.name, zone, a.text AS one, b.text AS other, CASE WHEN a.text ~ 'clock' THEN 'clock' ELSE 'at' END AS of, e.first AT TIME ZONE 'UTC' AS first
        FROM era e, unnest(zones) zone, key a, key b
        WHERE a.number < b.number AND (a.text ~ 'clock') = (b.text ~ 'clock')
            AND NOT EXISTS (SELECT FROM era x, unnest(x.zones) z WHERE (a.text || b.text) ~ z AND z <> ALL (e.zones))
            AND (a.number * 31 + b.number * 17 + length(e.name || zone)) % one_of = 0
        ORDER BY e.name, zone, a.number, b.number LOOP
        PERFORM set_config('TimeZone', q.zone, true);
        days := format('%1$I >= %2$L AND %1$I <= %3$L', q.of, q.first || CASE q.of WHEN 'at' THEN 'Z' ELSE '' END,
            q.first + interval '4 days' || CASE q.of WHEN 'at' THEN 'Z' ELSE '' END);
        EXECUTE format('SELECT max((%s)::text) FROM event WHERE id %% 7 = 0 AND %s', q.other, days) INTO value;
        rows_lost := lost(q.one || ', ' || q.other, days) + lost(q.one, format('%s AND %s = %L', days, q.other, value));
        questions := questions + 2;
        IF rows_lost <> 0 THEN
            wrong := wrong + 1;
            first_wrong := coalesce(first_wrong, format('%s, %s: %s, %s: %s', q.name, q.zone, q.one, q.other, rows_lost));
        END IF;
    END LOOP;
END $$;

-- Bins of six hours beside the day of Berlin.
SET TimeZone = 'Europe/Berlin';
SELECT lost('date_bin(''6 hours'', at, timestamptz ''2024-01-01 00:00Z''), at::date', 'at >= ''2024-03-29 00:00Z'' AND at <= ''2024-04-02 00:00Z''');
SELECT lost('date_bin(''6 hours'', at, timestamptz ''2024-01-01 00:00Z'')', 'at >= ''2024-03-29 00:00Z'' AND at <= ''2024-04-02 00:00Z'' AND at::date = ''2024-03-31''');
-- Hours of minutes on the night when Amsterdam's clocks went 28 seconds ahead.
SET TimeZone = 'Europe/Amsterdam';
SELECT lost('date_trunc(''hour'', date_trunc(''minute'', at)), date_trunc(''hour'', at, ''UTC'')', 'at >= ''1937-06-29 00:00Z'' AND at <= ''1937-07-02 00:00Z''');
SELECT * FROM all_lost(149);
RESET TimeZone;
SELECT dp.unprotect('event');
DROP SCHEMA plain_zones CASCADE;
DROP OWNED BY regress_zones_ana;
DROP ROLE regress_zones_ana;
