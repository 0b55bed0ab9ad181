-- Spines: lists of months, days or numbers that rows are joined to by ranges (how many are there at a day) and by parts of their moments.
CALL own_schema('unit_spines');
SET client_min_messages = error;
CREATE ROLE regress_spines_ana;
-- A patient has one row, or one to three stays.
CREATE TABLE stay_patients (id int PRIMARY KEY, sex text NOT NULL, entered date NOT NULL, left_on date);
INSERT INTO stay_patients SELECT p, CASE WHEN p % 2 = 0 THEN 'f' ELSE 'm' END, date '2024-01-01' + p * 13 % 300, CASE WHEN p % 3 > 0 THEN date '2024-01-01' + p * 13 % 300 + p * 7 % 90 END FROM generate_series(1, 100) p;
CREATE TABLE stay_stays (id int PRIMARY KEY, patient int REFERENCES stay_patients, ward text NOT NULL, admitted timestamp NOT NULL, discharged timestamp, cost int NOT NULL);
INSERT INTO stay_stays SELECT 10 * p + s, p, CASE WHEN s % 2 = 0 THEN 'a' ELSE 'b' END, timestamp '2024-01-01 10:00' + (p * 13 + s * 40) % 330 * interval '1 day', CASE WHEN p % 7 > 0 THEN timestamp '2024-01-01 10:00' + ((p * 13 + s * 40) % 330 + p % 50) * interval '1 day' END, p % 10
FROM generate_series(1, 100) p, generate_series(1, 1 + p % 3) s;
INSERT INTO stay_stays SELECT -n, NULL, 'a', '2024-03-01', '2024-04-01', 1 FROM generate_series(1, 5) n;
CREATE TABLE plain_patients AS TABLE stay_patients;
CREATE TABLE plain_stays AS SELECT * FROM stay_stays WHERE patient IS NOT NULL;
ANALYZE stay_patients, stay_stays;
GRANT SELECT ON plain_patients, plain_stays TO regress_spines_ana;
SELECT dp.protect('stay_patients', 1e9, privacy_unit => 'id', answer_epsilon => 1e6);
SELECT dp.protect('stay_stays', 1e9, privacy_unit => 'patient', max_rows_per_unit => 50, answer_epsilon => 1e6);
SELECT dp.grant_budget(t, 'regress_spines_ana', 1e9, allow_leaks => true) FROM unnest('{stay_patients,stay_stays}'::regclass[]) t;
SELECT dp.public_values('stay_patients', 'sex', 'f', 'm'), dp.public_values('stay_stays', 'ward', 'a', 'b'), dp.declare_range('stay_patients', 'entered', '2024-01-01', '2024-12-31'), dp.declare_range('stay_patients', 'left_on', '2024-01-01', '2025-12-31'),
    dp.declare_range('stay_stays', 'admitted', '2024-01-01', '2024-12-31'), dp.declare_range('stay_stays', 'cost', '0', '10');

CREATE FUNCTION compared(queries text[]) RETURNS TABLE (query text, answers text) LANGUAGE sql AS $$
    SELECT q, CASE WHEN plain IS NOT DISTINCT FROM private THEN 'same' ELSE concat_ws(' | ', left(plain, 120), left(private, 160)) END
    FROM unnest(queries) WITH ORDINALITY AS u (q, i), both_answers(format('SELECT r::text FROM (%s) AS r', q), plans => '{custom}', protected => 'stay_', readable => 'plain_') ORDER BY i $$;
CREATE FUNCTION lines_of(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    line text;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
        IF line ~ 'Expected Error|Privacy Unit|Private Form' THEN RETURN NEXT trim(line); END IF;
    END LOOP;
END $$;
\pset format unaligned
\pset tuples_only on
SET ROLE regress_spines_ana;

-- ---- who is there: a row is in each month that its range meets
SELECT * FROM compared(ARRAY[
    'SELECT m::date, count(t.id) FROM generate_series(timestamp ''2024-01-01'', ''2024-12-01'', ''1 month'') m LEFT JOIN stay_stays t ON t.admitted < m + interval ''1 month'' AND coalesce(t.discharged, ''2025-01-01'') >= m GROUP BY 1 ORDER BY 1',
    'SELECT m::date, count(t.id) FROM generate_series(date ''2024-01-01'', date ''2024-12-01'', interval ''1 month'') m LEFT JOIN stay_stays t ON t.admitted < m + interval ''1 month'' AND (t.discharged IS NULL OR t.discharged >= m) GROUP BY m ORDER BY m',
    'SELECT m::date, count(*) FROM generate_series(timestamp ''2024-01-01'', ''2024-12-01'', ''1 month'') m JOIN stay_stays t ON m BETWEEN t.admitted AND coalesce(t.discharged, now()) GROUP BY m HAVING count(*) > 0 ORDER BY m',
    'SELECT m::date, count(p.id) FROM generate_series(timestamp ''2024-01-01'', ''2024-12-01'', ''1 month'') m LEFT JOIN stay_patients p ON p.entered <= m AND (p.left_on IS NULL OR p.left_on > m) GROUP BY 1 ORDER BY 1',
    'SELECT m::date, count(p.id) FROM generate_series(date ''2024-01-01'', date ''2024-12-01'', interval ''1 month'') m LEFT JOIN stay_patients p ON p.entered <= m AND (p.left_on IS NULL OR p.left_on > m) GROUP BY m ORDER BY m',
    'SELECT d, count(p.id) FROM (SELECT generate_series(date ''2024-01-01'', date ''2024-03-01'', interval ''7 days'')::date AS d) x LEFT JOIN stay_patients p ON p.entered <= x.d AND coalesce(p.left_on, ''2026-01-01'') > x.d GROUP BY d ORDER BY d',
    'WITH months AS (SELECT generate_series(''2024-01-01''::date, ''2024-12-01''::date, ''1 month''::interval) AS m) SELECT m, count(t.id) FROM months LEFT JOIN stay_stays t ON t.admitted >= m AND t.admitted < m + interval ''1 month'' GROUP BY m ORDER BY m',
    'SELECT m, count(DISTINCT t.patient) FROM generate_series(timestamp ''2024-01-01'', ''2024-12-01'', ''1 month'') m LEFT JOIN stay_stays t ON t.admitted >= m AND t.admitted < m + interval ''1 month'' GROUP BY m ORDER BY m',
    'SELECT m, t.ward, count(*) FROM generate_series(timestamp ''2024-01-01'', ''2024-06-01'', ''1 month'') m JOIN stay_stays t ON t.admitted < m + interval ''1 month'' AND t.discharged >= m GROUP BY m, t.ward ORDER BY 1, 2',
    'SELECT m, sum(t.cost) FROM generate_series(timestamp ''2024-01-01'', ''2024-06-01'', ''1 month'') m JOIN stay_stays t ON t.admitted < m + interval ''1 month'' AND t.discharged >= m GROUP BY m ORDER BY 1',
    'SELECT n, count(*) FROM generate_series(0, 9) n JOIN stay_stays t ON t.cost >= n GROUP BY n ORDER BY n',
    'SELECT lo, count(*) FROM (VALUES (0, 3), (2, 6), (6, 100)) b (lo, hi) JOIN stay_stays t ON t.cost >= lo AND t.cost < hi GROUP BY lo ORDER BY lo']);

-- ---- parts of moments
SELECT * FROM compared(ARRAY[
    'SELECT g, count(*) FROM generate_series(1, 12) g JOIN stay_stays t ON extract(month FROM t.admitted) = g GROUP BY g HAVING count(*) > 0 ORDER BY g',
    'SELECT g, count(t.id) FROM generate_series(1, 12) g LEFT JOIN stay_stays t ON extract(month FROM t.admitted) = g GROUP BY g ORDER BY g',
    'SELECT g, count(t.id) FROM generate_series(1, 12) g LEFT JOIN stay_stays t ON g = date_part(''month'', t.admitted) GROUP BY g ORDER BY g',
    'SELECT g, count(t.id) FROM generate_series(1, 12) AS g LEFT JOIN stay_stays t ON extract(month FROM t.admitted)::int = g GROUP BY g ORDER BY g',
    'SELECT m::date, count(t.id) FROM generate_series(date ''2024-01-01'', date ''2024-12-01'', interval ''1 month'') m LEFT JOIN stay_stays t ON date_trunc(''month'', t.admitted) = m GROUP BY m ORDER BY m',
    'SELECT m::date, count(p.id) FROM generate_series(date ''2024-01-01'', date ''2024-12-01'', interval ''1 month'') m LEFT JOIN stay_patients p ON date_trunc(''month'', p.entered) = m GROUP BY m ORDER BY m',
    'SELECT m::date, count(p.id) FROM generate_series(timestamp ''2024-01-01'', timestamp ''2024-12-01'', interval ''1 month'') m LEFT JOIN stay_patients p ON date_trunc(''month'', p.entered)::date = m::date GROUP BY m ORDER BY m',
    'SELECT v, count(*) FROM (VALUES (1::numeric), (2), (3)) l (v) JOIN stay_stays t ON t.cost = v GROUP BY v ORDER BY v',
    'SELECT v, count(*) FROM unnest(ARRAY[1, 2, 3]) v JOIN stay_stays t ON t.cost::bigint = v GROUP BY v ORDER BY v',
    'SELECT v, count(*) FROM unnest(ARRAY[''a'', ''b'']) v JOIN stay_stays t ON t.ward = v GROUP BY v ORDER BY v']);

-- ---- how many rows of a person that makes: a part of a moment is one, a range as many as the list has
SELECT line FROM (VALUES
    ('SELECT g, count(p.id) FROM generate_series(1, 12) g LEFT JOIN stay_patients p ON extract(month FROM p.entered) = g GROUP BY g'),
    ('SELECT g, count(*) FROM generate_series(1, 12) g JOIN stay_patients p ON date_part(''month'', p.entered) = g GROUP BY g'),
    ('SELECT g, count(*) FROM generate_series(1, 12) g JOIN stay_patients p ON extract(month FROM p.entered) = g / 2 GROUP BY g'),
    ('SELECT m, count(p.id) FROM generate_series(timestamp ''2024-01-01'', ''2024-12-01'', ''1 month'') m LEFT JOIN stay_patients p ON p.entered <= m AND coalesce(p.left_on, ''2026-01-01'') > m GROUP BY m'),
    ('SELECT m, count(p.id) FROM generate_series(date ''2024-01-01'', date ''2024-12-01'', ''1 month'') m LEFT JOIN stay_patients p ON p.entered <= m AND coalesce(p.left_on, ''2026-01-01'') > m GROUP BY m'),
    ('SELECT m, count(p.id) FROM (SELECT generate_series(date ''2024-01-01'', date ''2024-12-01'', ''1 month'') AS m) l LEFT JOIN stay_patients p ON p.entered <= m GROUP BY m')) AS q (query),
    LATERAL (SELECT lines_of(query) AS line) l WHERE line ~ 'Unit';
-- How long the list is does not have to be right: so many rows of a person count. Days are of the session's time zone.
SELECT count(*) FROM (SELECT m, count(p.id) FROM generate_series(date '2024-03-30', date '2024-04-02', interval '12 hours') m LEFT JOIN stay_patients p ON p.entered <= m GROUP BY m) x;
SET TimeZone = 'Europe/Berlin';
SELECT count(*) FROM (SELECT m, count(p.id) FROM generate_series(date '2024-03-30', date '2024-04-02', interval '12 hours') m LEFT JOIN stay_patients p ON p.entered <= m GROUP BY m) x;
RESET TimeZone;
-- Where nothing says how long it is the message says what to write.
SELECT m, count(p.id) FROM generate_series(date '2024-01-01', (SELECT max(entered) FROM plain_patients), interval '1 month') m LEFT JOIN stay_patients p ON p.entered <= m GROUP BY m;
SET dp.max_rows_per_unit = 40;
SELECT count(*) FROM (SELECT m, count(p.id) FROM generate_series(date '2024-01-01', (SELECT max(entered) FROM plain_patients), interval '1 month') m LEFT JOIN stay_patients p ON p.entered <= m GROUP BY m) x;
RESET dp.max_rows_per_unit;
