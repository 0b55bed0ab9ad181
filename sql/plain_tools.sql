-- What dashboards and drivers send, as they send it, through the charged account: rows and columns, beside those of the superuser.
-- (Seen from or written after Cube, Malloy, Evidence, Adminer, LibreOffice, dbplyr, Metabase, Superset, Grafana, Tableau, Power BI,
-- DBeaver and Looker.)
CALL own_schema('plain_tools');
SET client_min_messages = warning;
CREATE TABLE visits (visit_id int PRIMARY KEY, patient_id int NOT NULL, ward text NOT NULL, age int NOT NULL, cost numeric NOT NULL, admitted timestamptz NOT NULL);
INSERT INTO visits SELECT i, i % 700, (ARRAY['cardiology', 'oncology', 'paediatrics', 'surgery'])[1 + i % 4], i % 100, i * 37 % 50000, timestamptz '2024-01-01 00:00+00' + i * interval '3 hours'
    FROM generate_series(0, 2900) i;
CREATE ROLE regress_tools_ana;
SELECT dp.protect('visits', 1e9);
SELECT dp.grant_budget('visits', 'regress_tools_ana', 1e9, allow_leaks => true, answer_epsilon => 1e6);
SELECT dp.declare_values('visits', 'ward', 'cardiology', 'oncology', 'paediatrics', 'surgery');
SELECT dp.declare_range('visits', 'age', 0, 99), dp.declare_range('visits', 'cost', 0, 50000), dp.declare_range('visits', 'admitted', '2024-01-01 00:00+00', '2024-12-28 12:00+00'),
       dp.declare_range('visits', 'visit_id', 0, 2900);
CREATE TABLE shape (number int GENERATED ALWAYS AS IDENTITY, tool text, query text);
INSERT INTO shape (tool, query) VALUES
    ('Cube', $$SELECT "visits".ward "visits__ward", count("visits".visit_id) "visits__count" FROM plain_tools.visits AS "visits" GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 10000$$),
    ('Cube', $$SELECT date_trunc('month', ("visits".admitted::timestamptz AT TIME ZONE 'UTC')) "visits__admitted_month", count(*) "visits__count" FROM plain_tools.visits AS "visits" WHERE ("visits".ward = 'surgery') GROUP BY 1 HAVING (count(*) > 3) ORDER BY 1 ASC LIMIT 10000$$),
    ('Cube', $$SELECT ward FROM plain_tools.visits GROUP BY 1 ORDER BY 1$$),
    ('Malloy', $$WITH __stage0 AS (SELECT base."ward" as "ward", COUNT(1) as "n" FROM plain_tools.visits as base GROUP BY 1 ORDER BY 2 desc NULLS LAST, 1) SELECT row_to_json(finalStage) as row FROM __stage0 AS finalStage$$),
    ('Malloy', $$SELECT * FROM (SELECT * FROM plain_tools.visits) _t LIMIT 0$$),
    ('dbplyr', $$SELECT * FROM "visits" AS "q01" WHERE (0 = 1)$$),
    ('dbplyr', $$SELECT "ward", COUNT(*) AS "n", ROUND(AVG("cost")) AS "m" FROM "visits" GROUP BY "ward" ORDER BY 1$$),
    ('Evidence', $$WITH root as (SELECT ward, count(*) AS n FROM visits GROUP BY ward) SELECT COUNT(*) as rows FROM root$$),
    ('Adminer', $$SELECT "ward", COUNT(*) FROM "visits" GROUP BY "ward" ORDER BY 1 LIMIT 50$$),
    ('LibreOffice', $$SELECT "ward", COUNT( * ) AS "number" FROM "visits" GROUP BY "ward" ORDER BY 1$$),
    ('Metabase', $$SELECT "plain_tools"."visits"."ward" AS "ward", COUNT(*) AS "count" FROM "plain_tools"."visits" WHERE "plain_tools"."visits"."admitted" >= timestamp with time zone '2024-06-01 00:00:00.000Z' GROUP BY "plain_tools"."visits"."ward" ORDER BY "plain_tools"."visits"."ward" ASC$$),
    ('Metabase', $$SELECT CAST(DATE_TRUNC('month', "plain_tools"."visits"."admitted") AS date) AS "admitted", SUM(CASE WHEN "plain_tools"."visits"."age" > 65 THEN 1 ELSE 0.0 END)::int AS "old" FROM "plain_tools"."visits" GROUP BY CAST(DATE_TRUNC('month', "plain_tools"."visits"."admitted") AS date) ORDER BY 1$$),
    ('Metabase', $$SELECT "source"."age" AS "age", COUNT(*) AS "count" FROM (SELECT FLOOR(("plain_tools"."visits"."age" / 10.0)) * 10.0 AS "age" FROM "plain_tools"."visits") AS "source" GROUP BY "source"."age" ORDER BY "source"."age" ASC$$),
    ('Metabase', $$SELECT (CAST(DATE_TRUNC('week', "visits"."admitted" + INTERVAL '1 day') AS timestamptz) + INTERVAL '-1 day') AS "week", COUNT(*) AS "count" FROM "visits" GROUP BY 1 ORDER BY 1 LIMIT 3$$),
    ('Metabase', $$SELECT extract(dow from "visits"."admitted")::int + 1 AS "day", COUNT(*) FROM "visits" GROUP BY 1 ORDER BY 1$$),
    ('Metabase', $$SELECT TRUE AS "_" FROM "visits" WHERE 1 <> 1 LIMIT 0$$),
    ('Metabase', $$SELECT PERCENTILE_CONT(0.5) within group (order by "visits"."age") BETWEEN 48 AND 51 AS "median" FROM "visits"$$),
    ('Superset', $$SELECT DATE_TRUNC('day', admitted) AS admitted, count(*) AS count FROM (SELECT * FROM visits) AS virtual_table WHERE admitted >= TO_TIMESTAMP('2024-02-01 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US') AND admitted < '2024-02-05' GROUP BY DATE_TRUNC('day', admitted) ORDER BY count DESC, 1 LIMIT 1000$$),
    ('Superset', $$SELECT DATE_TRUNC('month', admitted) AS admitted, ward, count(*) AS count FROM visits JOIN (SELECT ward AS ward__, count(*) AS mme_inner__ FROM visits GROUP BY ward ORDER BY mme_inner__ DESC, 1 LIMIT 3) AS series_limit ON ward = ward__ GROUP BY DATE_TRUNC('month', admitted), ward ORDER BY 1, 2 LIMIT 6$$),
    ('Superset', $$SELECT ward AS ward FROM visits GROUP BY ward ORDER BY 1 LIMIT 1000$$),
    ('Grafana', $$SELECT floor(extract(epoch from admitted)/86400)*86400 AS "time", count(*) AS value FROM visits WHERE admitted BETWEEN '2024-03-01T00:00:00Z' AND '2024-03-04T23:59:59Z' GROUP BY 1 ORDER BY 1$$),
    ('Tableau', $$SELECT round(SUM("visits"."cost")) AS "sum:cost:ok", CAST(DATE_TRUNC('MONTH', CAST("visits"."admitted" AS TIMESTAMP)) AS DATE) AS "tmn:admitted:ok" FROM "visits" "visits" GROUP BY 2 ORDER BY 2$$),
    ('Power BI', $$select "_"."a0" as "c0", "_"."a1" as "a1" from (select "rows"."ward" as "a0", count(1) as "a1" from (select "visit_id", "ward" from "plain_tools"."visits" "$Table") "rows" group by "ward") "_" where not "_"."a0" is null order by 1 limit 1000001$$),
    ('Power BI', $$select count(distinct "rows"."ward") + max(case when "rows"."ward" is null then 1 else 0 end) as "a0" from "plain_tools"."visits" "rows"$$),
    ('DBeaver', $$SELECT COUNT(*) FROM (SELECT ward, count(*) FROM visits GROUP BY ward) dbvrcnt$$),
    ('Looker', $$SELECT (TO_CHAR(DATE_TRUNC('month', visits.admitted AT TIME ZONE 'America/New_York'), 'YYYY-MM')) AS "visits.admitted_month", COUNT(*) AS "visits.count" FROM visits AS visits GROUP BY (DATE_TRUNC('month', visits.admitted AT TIME ZONE 'America/New_York')) ORDER BY 1 DESC LIMIT 500$$),
    ('slider', $$SELECT min(admitted), max(admitted) FROM visits$$);
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
CREATE FUNCTION columns_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    found text;
BEGIN
    EXECUTE 'CREATE TEMP TABLE shown AS ' || query;
    found := (SELECT string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'pg_temp.shown'::regclass AND attnum > 0);
    DROP TABLE pg_temp.shown;
    RETURN found;
EXCEPTION WHEN OTHERS THEN
    RETURN SQLERRM;
END
$$;
CREATE TABLE truth AS SELECT *, answers(query) AS answer, columns_of(query) AS columns FROM shape;
GRANT SELECT ON truth TO regress_tools_ana;
DO $$ BEGIN EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO regress_tools_ana', current_database()); END $$;
SET ROLE regress_tools_ana;
SELECT tool, number, query, left(answers(query), 300) AS private, left(answer, 300) AS plain FROM truth WHERE answers(query) <> answer ORDER BY number;
SELECT tool, number, columns_of(query) AS private, columns AS plain FROM truth WHERE columns_of(query) <> columns ORDER BY number;
SELECT count(*) AS shapes FROM truth;
-- Tableau's cursor.
BEGIN;
DECLARE "SQL_CUR" CURSOR WITH HOLD FOR SELECT SUM("visits"."age") AS "sum:age:ok", "visits"."ward" AS "ward" FROM "visits" "visits" GROUP BY 2 ORDER BY 2;
FETCH 2 FROM "SQL_CUR";
COMMIT;
FETCH ALL FROM "SQL_CUR";
CLOSE "SQL_CUR";
-- Samples of rows are refused, or shown as empty where the session says so.
SELECT * FROM visits LIMIT 200;
SET dp.preview = 'empty';
SELECT * FROM visits LIMIT 200;
SELECT v.ward FROM visits v WHERE v.visit_id = 5;
SELECT v FROM visits v LIMIT 1;
SELECT count(*) FROM visits;
INSERT INTO truth SELECT visit_id FROM visits;
SELECT count(*) > 0 AS "readable ones are shown" FROM truth;
RESET dp.preview;
SELECT ward FROM visits LIMIT 1;
-- No row of certain emptiness is charged; what is not certain is refused.
CREATE TEMP TABLE spent AS SELECT epsilon_spent, (SELECT count(*) FROM dp.ledger) AS entries FROM dp.budgets WHERE role IS NOT NULL;
SELECT * FROM visits WHERE 1 = 0 AND age > 5;
SELECT count(*), max(ward) FROM visits WHERE false;
SELECT ward, count(*) FROM visits GROUP BY ward LIMIT 0;
WITH v AS (SELECT * FROM visits) SELECT ward FROM v WHERE NULL;
SELECT b.epsilon_spent - s.epsilon_spent AS charged, (SELECT count(*) FROM dp.ledger) - entries AS entries FROM dp.budgets b, spent s WHERE role IS NOT NULL;
SELECT visit_id FROM visits WHERE age < -1;
SELECT visit_id FROM visits WHERE 1 = 0 OR age > 98;
CREATE FUNCTION pg_temp.no(int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$BEGIN RAISE NOTICE 'runs'; RETURN false; END$$;
SELECT visit_id FROM visits WHERE pg_temp.no(1);
PREPARE some_rows AS SELECT visit_id FROM visits LIMIT $1;
EXECUTE some_rows(0);
DELETE FROM visits WHERE false;
-- A view that lists the table.
RESET ROLE;
SELECT dp.expose('visits', 'regress_tools_bi');
SELECT dp.expose('truth', 'regress_tools_bi');
SELECT col_description('regress_tools_bi.visits'::regclass, attnum) FROM pg_attribute WHERE attrelid = 'regress_tools_bi.visits'::regclass AND attnum > 0 ORDER BY attnum;
SELECT obj_description('regress_tools_bi.visits'::regclass);
SET ROLE regress_tools_ana;
SELECT table_name FROM information_schema.tables WHERE table_schema = 'regress_tools_bi';
SELECT count(*), max(age) FROM regress_tools_bi.visits;
SELECT * FROM regress_tools_bi.visits;
SELECT * FROM regress_tools_bi.visits WHERE 1 = 0;
-- The private form.
-- Since PostgreSQL 18 columns of a query with groups are printed with the table's name.
SELECT replace(dp.private_form('SELECT ward, count(*) AS n, avg(cost), max(age) FROM visits WHERE age > 5 GROUP BY ward HAVING count(*) > 3'),
    'visits.', '') AS private_form;
SELECT dp.private_form('SELECT * FROM visits');
SELECT dp.private_form('SELECT stddev(DISTINCT patient_id) FROM visits');
SELECT dp.private_form('EXPLAIN SELECT count(*) FROM visits');
SELECT dp.private_form('SELECT 1; SELECT 2');
RESET ROLE;
SELECT dp.private_form('SELECT count(*) FROM visits');
SELECT dp.unprotect('visits');
SET client_min_messages = error;
DROP SCHEMA plain_tools, regress_tools_bi CASCADE;
DROP OWNED BY regress_tools_ana;
DROP ROLE regress_tools_ana;
