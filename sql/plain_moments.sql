-- percentile_disc of dates and timestamps, between the ends that are declared.
CALL own_schema('plain_moments');
SET client_min_messages = warning;
SET TimeZone = 'America/New_York';
CREATE ROLE regress_moments_ana;
CREATE TABLE stay (id int PRIMARY KEY, admitted date, seen timestamptz NOT NULL, noted timestamp, open date, born date CHECK (born BETWEEN '1900-01-01' AND '2024-12-31'));
INSERT INTO stay SELECT i, d, d + interval '12 hours', d + interval '6 hours 30 minutes', d, '1950-03-01'::date
FROM (SELECT i, CASE WHEN i < 300 THEN '2024-02-29'::date WHEN i < 1700 THEN '2024-03-31' ELSE '2024-11-03' END AS d FROM generate_series(0, 1999) i) t;
SELECT dp.protect('stay', 1e9, answer_epsilon => 1e4);
SELECT dp.grant_budget('stay', 'regress_moments_ana', 1e9, allow_leaks => true);
SELECT dp.declare_range('stay', 'admitted', '2024-01-01', '2024-12-31'), dp.declare_range('stay', 'seen', '2024-01-01', '2024-12-31'),
    dp.declare_range('stay', 'noted', '2024-01-01', '2024-12-31');
CREATE TABLE plain AS SELECT * FROM stay;
GRANT SELECT ON plain TO regress_moments_ana;
SET ROLE regress_moments_ana;

SELECT percentile_disc(0.1) WITHIN GROUP (ORDER BY admitted) AS tenth, percentile_disc(0.5) WITHIN GROUP (ORDER BY admitted) AS median,
    percentile_disc(0.9) WITHIN GROUP (ORDER BY admitted) AS ninetieth, percentile_disc(0.9) WITHIN GROUP (ORDER BY admitted DESC) AS from_above,
    percentile_disc(0.5) WITHIN GROUP (ORDER BY born) BETWEEN '1950-02-10' AND '1950-03-20' AS born FROM stay;
SELECT percentile_disc(0.1) WITHIN GROUP (ORDER BY admitted) AS tenth, percentile_disc(0.5) WITHIN GROUP (ORDER BY admitted) AS median,
    percentile_disc(0.9) WITHIN GROUP (ORDER BY admitted) AS ninetieth, percentile_disc(0.9) WITHIN GROUP (ORDER BY admitted DESC) AS from_above,
    percentile_disc(0.5) WITHIN GROUP (ORDER BY born) BETWEEN '1950-02-10' AND '1950-03-20' AS born FROM plain;
-- One of 4001 moments between the ends, in every time zone; the types are PostgreSQL's.
CREATE FUNCTION pg_temp.near(tz text, OUT zone text, OUT seen boolean, OUT noted boolean, OUT types text) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('TimeZone', tz, true);
    zone := tz;
    SELECT abs(extract(epoch FROM s.seen - p.seen)) < 4000, abs(extract(epoch FROM s.noted - p.noted)) < 4000, pg_typeof(s.seen) || ', ' || pg_typeof(s.noted)
    INTO seen, noted, types
    FROM (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY s.seen) AS seen, percentile_disc(0.5) WITHIN GROUP (ORDER BY s.noted) AS noted FROM stay s) s,
        (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY s.seen) AS seen, percentile_disc(0.5) WITHIN GROUP (ORDER BY s.noted) AS noted FROM plain s) p;
END $$;
SELECT n.* FROM unnest(ARRAY['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata']) z, pg_temp.near(z) n;
SELECT extract(month FROM admitted) AS month, percentile_disc(0.5) WITHIN GROUP (ORDER BY admitted) AS median FROM stay WHERE extract(month FROM admitted) = 3 GROUP BY 1;
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY admitted) FILTER (WHERE id < 300) AS filtered FROM stay;
SELECT dp.private_form('SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY admitted) FROM stay');

-- Without ends it is one in the years 1900 to 2100; there is none of what is no moment, and no end of timestamps.
\set VERBOSITY terse
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY open) BETWEEN '2024-03-25' AND '2024-04-05' AS near, max(open) > '2024-01-01' AS later, percentile_disc(0.5) WITHIN GROUP (ORDER BY noted) > '1900-01-01' AS noted FROM stay;
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY admitted + 1) > '1900-01-01' AS of_an_expression FROM stay;
SELECT max(noted) FROM stay;
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY id::text) FROM stay;
SELECT percentile_disc(1.5) WITHIN GROUP (ORDER BY admitted) FROM stay;
RESET ROLE;
DROP FUNCTION pg_temp.near(text);
DROP TABLE stay, plain;
DROP ROLE regress_moments_ana;
