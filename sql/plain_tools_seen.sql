-- SQL that Cube and Malloy sent, as tools/clients runs them, through the charged account: rows beside those of the superuser.
CALL own_schema('plain_tools_seen');
SET client_min_messages = warning;
SET TIME ZONE 'UTC';
CREATE TABLE visits (visit_id int PRIMARY KEY, ward text NOT NULL, admitted date NOT NULL, days int NOT NULL, age int);
INSERT INTO visits SELECT i, (ARRAY['cardiology', 'oncology', 'surgery'])[1 + i % 3], date '2024-01-01' + i % 182, i % 9, nullif(i % 100, 99)
    FROM generate_series(0, 2999) i;
CREATE ROLE regress_tools_seen;
SELECT dp.protect('visits', 1e9);
SELECT dp.grant_budget('visits', 'regress_tools_seen', 1e9, allow_leaks => true, answer_epsilon => 1e6);
SELECT dp.declare_values('visits', 'ward', 'cardiology', 'oncology', 'surgery');
SELECT dp.declare_range('visits', 'age', 0, 99), dp.declare_range('visits', 'days', 0, 10), dp.declare_range('visits', 'admitted', '2024-01-01', '2024-06-30');
CREATE TABLE sent (number int GENERATED ALWAYS AS IDENTITY, what text, query text);
INSERT INTO sent (what, query) VALUES
    ('Cube, a running total', $$SELECT q_0."visits__admitted_month", "visits__running" "visits__running" FROM (SELECT "Visits.admitted_series"."date_from" "visits__admitted_month", sum("visits__running") "visits__running" FROM (SELECT date_from::timestamp as "date_from", date_to::timestamp as "date_to" FROM (VALUES ('2024-01-01T00:00:00.000', '2024-01-31T23:59:59.999'),('2024-02-01T00:00:00.000', '2024-02-29T23:59:59.999'),('2024-03-01T00:00:00.000', '2024-03-31T23:59:59.999')) AS dates (date_from, date_to)) AS "Visits.admitted_series" LEFT JOIN (SELECT date_trunc('month', ("visits_running_cumulative__visits".admitted::timestamptz AT TIME ZONE 'UTC')) "visits__admitted_month", sum("visits_running_cumulative__visits".days) "visits__running" FROM plain_tools_seen.visits AS "visits_running_cumulative__visits"  WHERE (("visits_running_cumulative__visits".admitted::timestamptz AT TIME ZONE 'UTC') >= ('2024-01-01T00:00:00.000Z'::timestamptz::timestamptz AT TIME ZONE 'UTC') AND ("visits_running_cumulative__visits".admitted::timestamptz AT TIME ZONE 'UTC') <= '2024-03-31T23:59:59.999'::timestamp) GROUP BY 1) AS "visits_running_cumulative__base" ON "visits_running_cumulative__base"."visits__admitted_month" >= '2024-01-01T00:00:00.000' AND "visits_running_cumulative__base"."visits__admitted_month" <= "Visits.admitted_series"."date_to" GROUP BY 1) as q_0  ORDER BY 1 ASC$$),
    ('Cube, a rolling window', $$SELECT q_0."visits__admitted_month", "visits__rolling" "visits__rolling" FROM (SELECT "Visits.admitted_series"."date_from" "visits__admitted_month", sum("visits__rolling") "visits__rolling" FROM (SELECT date_from::timestamp as "date_from", date_to::timestamp as "date_to" FROM (VALUES ('2024-04-01T00:00:00.000', '2024-04-30T23:59:59.999'),('2024-05-01T00:00:00.000', '2024-05-31T23:59:59.999'),('2024-06-01T00:00:00.000', '2024-06-30T23:59:59.999')) AS dates (date_from, date_to)) AS "Visits.admitted_series" LEFT JOIN (SELECT date_trunc('month', ("visits_rolling_cumulative__visits".admitted::timestamptz AT TIME ZONE 'UTC')) "visits__admitted_month", count("visits_rolling_cumulative__visits".visit_id) "visits__rolling" FROM plain_tools_seen.visits AS "visits_rolling_cumulative__visits"  WHERE (("visits_rolling_cumulative__visits".admitted::timestamptz AT TIME ZONE 'UTC') > '2024-04-01T00:00:00.000'::timestamp - interval '3 month' AND ("visits_rolling_cumulative__visits".admitted::timestamptz AT TIME ZONE 'UTC') <= '2024-06-30T23:59:59.999'::timestamp) GROUP BY 1) AS "visits_rolling_cumulative__base" ON "visits_rolling_cumulative__base"."visits__admitted_month" > "Visits.admitted_series"."date_to" - interval '3 month' AND "visits_rolling_cumulative__base"."visits__admitted_month" <= "Visits.admitted_series"."date_to" GROUP BY 1) as q_0  ORDER BY 1 ASC$$),
    ('Cube, another zone', $$SELECT date_trunc('quarter', ("visits".admitted::timestamptz AT TIME ZONE 'America/New_York')) "visits__admitted_quarter", count("visits".visit_id) "visits__count" FROM plain_tools_seen.visits AS "visits"  GROUP BY 1 ORDER BY 1 ASC LIMIT 10000$$),
    ('Cube, a share', $$SELECT CASE WHEN "visits".age < 18 THEN 'child' WHEN "visits".age >= 65 THEN 'old' ELSE 'adult' END "visits__group", round(100.0 * count(CASE WHEN ("visits".ward = 'oncology') THEN "visits".visit_id END) / NULLIF(count("visits".visit_id), 0), 6) "visits__share" FROM plain_tools_seen.visits AS "visits"  GROUP BY 1 ORDER BY 1 DESC LIMIT 10000$$),
    ('Malloy, a lag', $$WITH __stage0 AS (SELECT DATE_TRUNC('month', base."admitted") as "in_month", COUNT(1) as "visit_count", LAG((COUNT(1))) OVER( ORDER BY DATE_TRUNC('month', base."admitted") ASC NULLS LAST) as "before" FROM plain_tools_seen.visits as base WHERE (base."admitted">=DATE '2024-01-01') and (base."admitted"<DATE '2025-01-01') GROUP BY 1 ORDER BY 1 ASC NULLS LAST) SELECT row_to_json(finalStage) as row FROM __stage0 AS finalStage$$),
    ('Malloy, a query of a query', $$WITH __stage0 AS (SELECT base."ward" as "ward", COUNT(1) as "visit_count" FROM plain_tools_seen.visits as base GROUP BY 1), __stage1 AS (SELECT COUNT(1) as "wards", MAX(base."visit_count") as "largest" FROM __stage0 as base) SELECT row_to_json(finalStage) as row FROM __stage1 AS finalStage$$),
    ('Malloy, a nested view', $$SELECT group_set, CASE WHEN group_set=0 THEN COUNT(1) END as "visit_count__0", CASE WHEN group_set=1 THEN base."ward" END as "ward__1", CASE WHEN group_set=1 THEN COUNT(1) END as "visit_count__1" FROM plain_tools_seen.visits as base CROSS JOIN GENERATE_SERIES(0,1,1) as group_set GROUP BY 1,3$$);
CREATE FUNCTION answers(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    row record;
    lines text := '';
BEGIN
    FOR row IN EXECUTE query LOOP lines := lines || row::text; END LOOP;
    RETURN lines;
EXCEPTION WHEN OTHERS THEN
    RETURN SQLERRM;
END
$$;
CREATE TABLE truth AS SELECT *, answers(query) AS answer FROM sent;
GRANT SELECT ON truth TO regress_tools_seen;
SET ROLE regress_tools_seen;
SELECT what, CASE WHEN answers(query) = answer THEN 'as the superuser is shown' ELSE answers(query) END AS answer FROM truth ORDER BY number;
RESET ROLE;
SELECT dp.unprotect('visits');
SET client_min_messages = error;
DROP SCHEMA plain_tools_seen CASCADE;
DROP OWNED BY regress_tools_seen;
DROP ROLE regress_tools_seen;
