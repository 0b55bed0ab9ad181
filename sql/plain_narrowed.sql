-- Groups of keys that are constant in cells of a range (days, multiples of a number), where conditions on the same column leave some of
-- them: those that the superuser sees, and no NULL where no row that counts is NULL.
CALL own_schema('plain_narrowed');
SET client_min_messages = warning;
CREATE ROLE regress_narrowed_ana;
CREATE TABLE stay (id int PRIMARY KEY, ts timestamp NOT NULL, tz timestamptz, cost numeric, share float8, ward text NOT NULL);
INSERT INTO stay SELECT i, timestamp '2023-01-01' + i * interval '7 hours', timestamptz '2023-01-01 00:00+00' + i * interval '7 hours', i % 400 + 0.5, i % 10 / 10.0, 'w' || i % 2
    FROM generate_series(0, 2500) i;
CREATE TABLE plain AS SELECT * FROM stay;
INSERT INTO stay (id, ts, ward) VALUES (-1, '2023-01-01', 'w0');
INSERT INTO plain SELECT * FROM stay WHERE id = -1;
SELECT dp.protect('stay', 1e9, answer_epsilon => 1e6);
SELECT dp.grant_budget('stay', 'regress_narrowed_ana', 1e9, allow_leaks => true);
SELECT dp.declare_range('stay', 'ts', '2023-01-01', '2024-12-28 23:00'), dp.declare_range('stay', 'tz', '2023-01-01 00:00+00', '2024-12-28 23:00+00'),
    dp.declare_range('stay', 'cost', 0.5, 399.5), dp.declare_range('stay', 'share', 0, 0.9), dp.declare_values('stay', 'ward', 'w0', 'w1');
GRANT SELECT ON plain TO regress_narrowed_ana;
SET ROLE regress_narrowed_ana;
CREATE TEMP TABLE asked AS SELECT row_number() OVER () AS i, k, c, types, given FROM (VALUES
    -- What may change within a cell leaves NULL out alone.
    ('date_trunc(''month'', tz)', 'tz >= ''2023-03-05'' AND tz < ''2023-07-10''', '', ''), ('tz::date', 'tz >= ''2023-03-20'' AND tz < ''2023-04-02''', '', ''),
    ('date_trunc(''year'', tz)', 'tz IS NOT NULL', '', ''), ('date_trunc(''year'', tz)', 'tz IS NULL OR tz < ''2025-01-01''', '', ''), ('date_trunc(''year'', tz)', 'true', '', ''),
    ('floor(extract(epoch FROM tz) / 86400)', 'tz >= ''2023-05-01 00:00+00'' AND tz < ''2023-05-04 00:00+00''', '', ''), ('floor(cost / 100)', 'cost > 150', '', ''),
    -- What is constant in cells leaves some of them out.
    ('date_trunc(''month'', ts)', 'ts::date >= ''2023-05-01'' AND ts::date < ''2023-08-01''', '', ''), ('date_trunc(''month'', ts)', 'extract(year FROM ts) = 2023', '', ''),
    ('date_trunc(''month'', ts)', 'to_char(ts, ''YYYY'') = ''2024'' AND extract(quarter FROM ts) IN (1, 3)', '', ''), ('to_char(ts, ''YYYY-MM'')', 'date_trunc(''quarter'', ts) = ''2023-04-01''', '', ''),
    ('date_trunc(''month'', tz)', 'tz::date BETWEEN ''2023-05-01'' AND ''2023-08-01''', '', ''), ('tz::date', 'to_char(tz, ''YYYY-MM'') = ''2023-03''', '', ''),
    ('date_trunc(''month'', tz)', 'date(tz AT TIME ZONE ''America/New_York'') < ''2023-04-01''', '', ''),
    ('date_trunc(''year'', ts), ward', 'extract(year FROM ts) = 2023', '', ''),
    ('date_trunc(''month'', ts), extract(hour FROM ts)', 'ts::date BETWEEN ''2023-05-01'' AND ''2023-05-31'' AND extract(hour FROM ts) < 12', '', ''),
    ('date_trunc(''month'', ts)', 'extract(year FROM ts) = $1', '(int)', '(2024)'), ('date_trunc(''month'', tz)', 'tz::date >= $1', '(date)', '(''2024-08-01'')'),
    -- Cells may be shifted, and parts of one.
    ('floor((cost - 0.5) / 125) * 125 + 0.5', 'true', '', ''), ('floor((cost - 20.0) / 50) * 50 + 20', 'cost < 300', '', ''), ('floor((cost + 3) / 50.0)', 'true', '', ''),
    ('floor((cost - 30) / 50) || ''/'' || floor(cost / 50)', 'true', '', ''),
    ('trunc(share * 10)', 'share IS NOT NULL', '', ''), ('floor((share - 0.1) / 0.3) * 0.3 + 0.1', 'share >= 0', '', ''), ('round((cost * 2 - 1) / 100 - 3)', 'cost > 0', '', '')) q (k, c, types, given);
CREATE FUNCTION pg_temp.differs(key text, condition text, types text, given text) RETURNS TABLE (plan text, plain text, private text) LANGUAGE sql AS $$
    SELECT plan, left(plain, 300), left(private, 300)
    FROM both_answers(format('SELECT row(%1$s, count(*))::text FROM stay WHERE %2$s GROUP BY %1$s ORDER BY %1$s', key, condition), types, given)
    WHERE plain IS DISTINCT FROM private $$;
SET TimeZone = 'UTC';
SELECT k, c, d.* FROM asked, pg_temp.differs(k, c, types, given) d ORDER BY i;
SET TimeZone = 'Europe/Berlin';
SELECT k, c, d.* FROM asked, pg_temp.differs(k, c, types, given) d ORDER BY i;
-- The day of 23 hours.
SELECT string_agg(hour || ':' || n, ' ' ORDER BY hour) FROM (SELECT extract(hour FROM tz) AS hour, count(*) AS n FROM stay WHERE tz::date = '2023-03-26' GROUP BY 1) h;
SET TimeZone = 'America/New_York';
SELECT k, c, d.* FROM asked, pg_temp.differs(k, c, types, given) d ORDER BY i;
SET TimeZone = 'Asia/Kolkata';
SELECT k, c, d.* FROM asked, pg_temp.differs(k, c, types, given) d ORDER BY i;
SELECT count(*) AS asked FROM asked;
-- Where smaller cells would be too many the condition leaves none out.
SELECT count(*) FROM (SELECT date_trunc('month', ts) FROM stay WHERE extract(minute FROM ts) < 30 AND extract(second FROM ts) > 5 GROUP BY 1) m;
-- A condition on the key itself leaves no value out of what is stored, so that another chart's filter is answered from it.
RESET ROLE;
SELECT dp.protect('stay', 1e9, answer_epsilon => 1e6, reuse => '1 day');
SET ROLE regress_narrowed_ana;
SELECT count(*) FROM (SELECT date_trunc('month', ts), count(*) FROM stay GROUP BY 1 HAVING count(*) > 0) m;
SELECT epsilon FROM dp.cost('SELECT date_trunc(''month'', ts), count(*) FROM stay WHERE date_trunc(''month'', ts) IN (''2023-02-01'', ''2023-03-01'') GROUP BY 1') WHERE role IS NOT NULL;
SELECT date_trunc('month', ts), count(*) FROM stay WHERE date_trunc('month', ts) IN ('2023-02-01', '2023-03-01') GROUP BY 1 ORDER BY 1;
-- Of numbers with digits no condition leaves values out but their ends.
SELECT floor(cost / 100), count(*) FROM stay WHERE ceil(cost / 100) > 2 AND cost < 250 GROUP BY 1 ORDER BY 1;
-- Shifts that share no part with the cells have none.
SELECT floor((cost - 0.0000001) / 100), count(*) FROM stay GROUP BY 1;
RESET ROLE;
SELECT dp.unprotect('stay');
SET client_min_messages = error;
DROP SCHEMA plain_narrowed CASCADE;
DROP OWNED BY regress_narrowed_ana;
DROP ROLE regress_narrowed_ana;
