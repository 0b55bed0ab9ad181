-- Keys that are finite by themselves: parts of a moment, CASE with constants, buckets of numbers, and what is computed from one of these. Nothing is
-- declared. Beside the superuser's own answers, in several time zones.
CALL own_schema('group_parts');
SET client_min_messages = error;
CREATE TABLE call (id int PRIMARY KEY, began timestamptz NOT NULL, noted timestamp NOT NULL, day date NOT NULL, ended timestamptz, took interval NOT NULL, clock time NOT NULL, n int NOT NULL);
INSERT INTO call
SELECT i, timestamptz '2024-01-01 00:30+00' + i * interval '29 hours 7 minutes', timestamp '2024-01-01' + i * interval '31 hours 13 minutes', date '2024-01-01' + i,
    CASE WHEN i % 5 > 0 THEN timestamptz '2024-01-01' + i * interval '29 hours' END, i * interval '1 hour', time '00:00' + i * interval '1 minute', i % 7 FROM generate_series(1, 3000) i;
CREATE ROLE regress_parts_ana;
SELECT dp.protect('call', 1e9), dp.grant_budget('call', 'regress_parts_ana', 1e9, allow_leaks => true);
-- For a key: whether the groups with rows are those of the superuser, and how many there are.
CREATE FUNCTION beside(key text, condition text DEFAULT 'true', OUT same boolean, OUT groups bigint) LANGUAGE plpgsql AS $$
DECLARE
    question text := format('SELECT (%s)::text AS key, count(*) AS n FROM call WHERE %s GROUP BY %s', key, condition, key);
    plain jsonb;
    private jsonb;
BEGIN
    EXECUTE format('SELECT jsonb_object_agg(coalesce(key, %L), n) FROM (%s) AS answers', '(null)', question) INTO plain;
    SET LOCAL ROLE regress_parts_ana;
    EXECUTE format('SELECT jsonb_object_agg(coalesce(key, %L), n) FILTER (WHERE n > 0), count(*) FROM (%s) AS answers', '(null)', question) INTO private, groups;
    RESET ROLE;
    same := plain = private;
END $$;
SET dp.epsilon = 1e6;
SELECT zone, key, same, groups
FROM unnest(ARRAY['UTC', 'America/New_York', 'Asia/Kolkata']) AS zone, set_config('TimeZone', zone, false),
    unnest(ARRAY['extract(dow FROM began)', 'extract(isodow FROM day)', 'extract(hour FROM began)', 'extract(month FROM noted)', 'extract(quarter FROM began)',
        'extract(day FROM day)', 'extract(week FROM began)', 'extract(doy FROM noted)', 'extract(minute FROM began)', 'date_part(''dow'', began)',
        'date_part(''dow'', day)', 'extract(dow FROM ended)', 'extract(dow FROM began)::int', 'extract(hour FROM began)::int / 6', 'extract(dow FROM began) IN (0, 6)',
        'extract(hour FROM began AT TIME ZONE ''Asia/Tokyo'')', 'CASE extract(dow FROM began) WHEN 0 THEN ''Sunday'' ELSE ''another'' END',
        'CASE WHEN extract(dow FROM ended) = 0 THEN extract(dow FROM ended) END', 'coalesce(extract(dow FROM ended), -1)',
        'upper(CASE WHEN n > 3 THEN ''many'' ELSE ''few'' END)', 'coalesce(CASE WHEN n > 3 THEN ''many'' END, ''few'')']) AS key, beside(key);
RESET TimeZone;
-- Buckets: with the one below all others and the one above, and NULL where the number may be.
SELECT key, same, groups
FROM unnest(ARRAY['width_bucket(n, 2, 5, 3)', 'width_bucket(n, 5, 2, 3)', 'width_bucket(n::numeric, 2, 5, 1)', 'width_bucket(nullif(n, 3), 2, 5, 3)', 'width_bucket(n, 2, 5, 3) * 10',
        'width_bucket(n, ARRAY[2, 5])', 'width_bucket(nullif(n, 3), ARRAY[2, 5])', 'width_bucket(extract(epoch FROM began), 17e8, 172e7, 4)',
        'width_bucket(n, 0, 1000, 1000)', 'CASE width_bucket(n, 2, 5, 3) WHEN 0 THEN ''low'' WHEN 4 THEN ''high'' ELSE ''between'' END']) AS key, beside(key);
SELECT * FROM beside('extract(dow FROM began)', 'extract(dow FROM began) < 3');
-- Two keys, and one key beside a declared one
SELECT count(*) FROM (SELECT extract(dow FROM began), extract(hour FROM began), dp_count('*', 1) FROM call GROUP BY 1, 2) AS answers;
-- An infinite moment has no part; it is in no group where the column cannot be NULL.
INSERT INTO call SELECT 10000, 'infinity', 'infinity', '2024-01-01', 'infinity', '0', '00:00', 1;
SELECT sum(n) FROM (SELECT extract(dow FROM began), dp_count('*', 1e6) AS n FROM call GROUP BY 1) AS answers;
-- Not finite, or of two parts that together could be anything
SET ROLE regress_parts_ana;
SELECT extract(year FROM began), count(*) FROM call GROUP BY 1;
SELECT extract(hour FROM took), count(*) FROM call GROUP BY 1;
SELECT extract(hour FROM clock), count(*) FROM call GROUP BY 1;
SELECT extract(dow FROM began) + n, count(*) FROM call GROUP BY 1;
SELECT extract(dow FROM began) + extract(hour FROM began), count(*) FROM call GROUP BY 1;
SELECT width_bucket(n, 2, 5, n + 1), count(*) FROM call GROUP BY 1;
SELECT width_bucket(n, 0, 1000, 1001), count(*) FROM call GROUP BY 1;
SELECT width_bucket(n, 2, 5, 0), count(*) FROM call GROUP BY 1;
SELECT width_bucket(n, 2, 5, NULL), count(*) FROM call GROUP BY 1;
-- Parts as values of a histogram
SELECT array_length(dp_histogram(extract(hour FROM began), 0, 24, 24, 1), 1) AS hours, array_length(dp_histogram(extract(dow FROM day), 0, 7, 7, 1), 1) AS days,
    array_length(dp_histogram(date_part('hour', began), 0, 24, 24, 1), 1) AS hours_too FROM call;
RESET ROLE;
SELECT dp.unprotect('call');
DROP SCHEMA group_parts CASCADE;
DROP OWNED BY regress_parts_ana;
DROP ROLE regress_parts_ana;
