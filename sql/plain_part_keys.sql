-- Group keys of several columns with ranges: lengths of stay, tenure, the first date that is known. At epsilon 1e6 beside the superuser's
-- answer over a copy that may be read.
CALL own_schema('plain_part_keys');
SET client_min_messages = error;
CREATE ROLE regress_parts_ana;
CREATE TABLE stay (id int PRIMARY KEY, hired date NOT NULL, left_on date, admitted timestamp NOT NULL, discharged timestamp, small smallint NOT NULL, other int NOT NULL, opened time NOT NULL DEFAULT '24:00', seen timestamptz, left_at timestamptz);
INSERT INTO stay SELECT i, date '2015-01-01' + i * 131 % 1500, CASE WHEN i % 3 = 0 THEN date '2015-01-01' + i * 131 % 1500 + i * 17 % 400 END, timestamp '2023-01-01' + i * 7919 % 300 * interval '5 hours',
    CASE WHEN i % 4 > 0 THEN timestamp '2023-01-01' + (i * 7919 % 300 + i % 30) * interval '5 hours' END, i % 200, i % 190 FROM generate_series(1, 400) i;
UPDATE stay SET opened = time '00:00' + id * interval '17 minutes' WHERE id % 5 > 0;
INSERT INTO stay VALUES (401, '2020-12-31', NULL, '2023-01-01', NULL, 0, 0, '24:00', '2023-01-01 02:00+00', NULL), (402, '2020-12-31', NULL, '2023-01-01', NULL, 0, 0, '10:00', '2023-06-01 02:00+00', '2024-12-31 20:00+00');
CREATE TABLE plain AS TABLE stay;
GRANT SELECT ON plain TO regress_parts_ana;
SELECT dp.protect('stay', 1e9, answer_epsilon => 1e6);
SELECT dp.grant_budget('stay', 'regress_parts_ana', 1e9, allow_leaks => true);
SELECT dp.declare_range('stay', c, '2015-01-01', '2020-12-31') FROM unnest('{hired,left_on}'::text[]) c;
SELECT dp.declare_range('stay', c, '2023-01-01', '2024-12-31') FROM unnest('{admitted,discharged}'::text[]) c;
SELECT dp.declare_range('stay', c, '2023-01-01 00:00+00', '2024-12-31 23:00+00') FROM unnest('{seen,left_at}'::text[]) c;
SELECT dp.declare_range('stay', 'small', 0, 199), dp.declare_range('stay', 'other', 0, 3000);
\pset format unaligned
\pset tuples_only on
SET ROLE regress_parts_ana;
SELECT q, left(plain, 60) AS plain, left(private, 60) AS private, plain IS NOT DISTINCT FROM private AS same FROM unnest(ARRAY[
    'coalesce(left_on, hired)', 'date_trunc(''year'', coalesce(left_on, hired))::date', 'greatest(hired, left_on)', 'left_on - hired', 'floor((left_on - hired) / 365.25)', '(left_on - hired) / 30 * 30',
    'extract(year FROM age(left_on, hired))', 'date_part(''year'', age(left_on, hired))', 'discharged::date - admitted::date', 'least(discharged::date - admitted::date, 3)', 'coalesce(left_on, hired) - hired',
    'CASE WHEN left_on - hired < 100 THEN left_on - hired ELSE 100 END', 'small * 300 + other', 'left_on - hired, coalesce(left_on, hired)']) WITH ORDINALITY AS u (q, i),
    both_answers(format('SELECT r::text FROM (SELECT %s, count(*) FROM stay GROUP BY %s HAVING count(*) > 0 ORDER BY 1, 2) AS r', q, CASE WHEN q ~ '^left_on - hired, ' THEN '1, 2' ELSE '1' END), plans => '{custom}') ORDER BY i;
-- How many groups there are: conditions leave some out, also those on the columns.
SELECT condition, count FROM unnest(ARRAY['true', 'left_on >= hired', 'hired < left_on', 'left_on >= hired AND left_on - hired <= 30', 'left_on - hired BETWEEN 1 AND 30', 'left_on = hired', 'left_on - hired IN (3, 4)']) WITH ORDINALITY AS u (condition, i),
    LATERAL (SELECT private AS count FROM both_answers(format('SELECT count(*) || '' up to '' || max(k) FROM (SELECT left_on - hired AS k, count(*) AS n FROM stay WHERE %s GROUP BY 1) AS r', condition), plans => '{custom}')) AS a ORDER BY i;
-- Lengths of time that are cut to a unit, and moments of several columns that are cut to days or more; in another zone, too.
RESET ROLE;
CREATE FUNCTION in_zone(zone text, query text, OUT plain text, OUT private text) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('TimeZone', zone, false);
    SELECT a.plain, a.private INTO plain, private FROM both_answers(query, plans => '{custom}') a;
END $$;
SET ROLE regress_parts_ana;
SELECT zone, q, left(plain, 60) AS plain, plain IS NOT DISTINCT FROM private AS same FROM unnest('{UTC,Asia/Tokyo,America/Los_Angeles}'::text[]) zone, unnest(ARRAY[
    'date_trunc(''day'', discharged - admitted)', 'date_trunc(''hours'', discharged - admitted)', 'date_trunc(''day'', discharged::timestamptz - admitted::timestamptz)', 'date_trunc(''month'', age(discharged, admitted))',
    'date_trunc(''year'', age(left_on, hired))', 'extract(day FROM left_on::timestamp - admitted)', 'date_trunc(''month'', coalesce(discharged, admitted))', 'date_trunc(''week'', coalesce(discharged, admitted)::timestamptz)',
    'date_trunc(''day'', coalesce(left_at, seen))', 'date_trunc(''month'', hired + opened)', '(hired + opened)::date', 'extract(day FROM date_trunc(''day'', discharged - admitted))', 'div(extract(epoch FROM discharged - admitted), 86400)']) WITH ORDINALITY AS u (q, i),
    in_zone(zone, format('SELECT r::text FROM (SELECT %s, count(*) FROM stay GROUP BY 1 HAVING count(*) > 0 ORDER BY 1) AS r', q)) ORDER BY zone DESC, i;
RESET TimeZone;
SELECT condition, count FROM unnest(ARRAY['true', 'discharged >= admitted', 'admitted < discharged', 'discharged < admitted', 'discharged >= admitted AND discharged - admitted < interval ''3 days''',
    'discharged >= admitted AND discharged < admitted + interval ''3 days''', 'discharged >= admitted AND admitted + interval ''1 month'' > discharged', 'discharged - admitted > interval ''2 days 12 hours''', 'discharged - admitted < interval ''-2 days 12 hours''', 'NOT discharged >= admitted']) WITH ORDINALITY AS u (condition, i),
    LATERAL (SELECT private AS count FROM both_answers(format('SELECT count(*) || '' up to '' || max(k) FROM (SELECT date_trunc(''day'', discharged - admitted) AS k, count(*) AS n FROM stay WHERE %s GROUP BY 1) AS r', condition), plans => '{custom}')) AS a ORDER BY i;
SELECT sum(n) || ' of ' || count(*) FROM (SELECT date_trunc('day', discharged - admitted) AS k, count(*) AS n FROM stay WHERE discharged - admitted > interval '2 days 12 hours' GROUP BY 1) AS r;
SELECT date_trunc('week', discharged - admitted), count(*) FROM stay GROUP BY 1;
-- Too many values, and parts that have no bounds.
SELECT left(private, 60) FROM unnest('{small::bigint * 3000000 + other,left_on - hired + id}'::text[]) q, both_answers(format('SELECT %s, count(*) FROM stay GROUP BY 1', q), plans => '{custom}');

-- A day with a time zone may have an hour less: one day later is not one day between.
RESET ROLE;
CREATE TABLE night (id int PRIMARY KEY, seen timestamptz NOT NULL, left_at timestamptz NOT NULL);
INSERT INTO night VALUES (1, '2023-03-11 12:00-05', '2023-03-12 12:00-04'), (2, '2023-03-10 12:00-05', '2023-03-12 12:00-04');
SELECT dp.protect('night', 1e9, answer_epsilon => 1e6), dp.grant_budget('night', 'regress_parts_ana', 1e9, allow_leaks => true);
SELECT dp.declare_range('night', c, '2023-03-10 00:00+00', '2023-03-14 00:00+00') FROM unnest('{seen,left_at}'::text[]) c;
SET TimeZone = 'America/New_York';
SET ROLE regress_parts_ana;
SELECT extract(day FROM left_at - seen) AS days, count(*) FROM night WHERE left_at >= seen + interval '1 day' GROUP BY 1 HAVING count(*) > 0 ORDER BY 1;
RESET ROLE;
RESET TimeZone;
SELECT dp.unprotect('night');
SELECT dp.unprotect('stay');
DROP OWNED BY regress_parts_ana;
DROP ROLE regress_parts_ana;
