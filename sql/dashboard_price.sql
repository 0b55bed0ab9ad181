-- dp.check_dashboard: what a dashboard costs a day, and what in it is refused.
CALL own_schema('dashboard_price');
SET client_min_messages = error;
\set SHOW_CONTEXT never
CREATE ROLE regress_dashboard_ana;
CREATE TABLE stay (id int PRIMARY KEY, ward text NOT NULL, cost int NOT NULL, at timestamptz NOT NULL);
INSERT INTO stay SELECT i, 'a', i, date_trunc('day', now()) FROM generate_series(1, 100) i;
CREATE TABLE unstored AS TABLE stay;
CREATE TABLE public_list AS SELECT 1 AS i;
CREATE TABLE months (id int NOT NULL, day date NOT NULL) PARTITION BY RANGE (day);
CREATE TABLE january PARTITION OF months FOR VALUES FROM ('2024-01-01') TO ('2024-02-01');
CREATE TABLE february PARTITION OF months FOR VALUES FROM ('2024-02-01') TO ('2024-03-01');
SELECT dp.protect('stay', 10, answer_epsilon => 0.05, reuse => '1 day', query_epsilon => 1), dp.protect('unstored', 10, 1e-6),
    dp.protect('months', 10, answer_epsilon => 0.1, reuse => '7 days', blocks => true);
SELECT dp.grant_budget('stay', 'regress_dashboard_ana', 2, allow_leaks => true), dp.grant_budget('unstored', 'regress_dashboard_ana', 2, 1e-6, allow_leaks => true),
    dp.grant_budget('months', 'regress_dashboard_ana', 2, allow_leaks => true);
SELECT dp.declare_values('stay', 'ward', 'a', 'b', 'c'), dp.declare_range('stay', 'cost', 0, 1000);
GRANT SELECT ON public_list TO regress_dashboard_ana;
SET ROLE regress_dashboard_ana;

-- By reuse, by the clock, by what was asked before; a refusal is a row.
CREATE TEMP TABLE dashboard AS SELECT ARRAY[
    'SELECT ward, count(*) FROM stay GROUP BY ward',
    'SELECT ward, sum(cost), avg(cost) FROM stay GROUP BY ward HAVING count(*) > 10;',
    'SELECT count(*) FROM stay WHERE at > now() - interval ''7 days''',
    'SELECT count(*) FROM stay WHERE at > date_trunc(''day'', now()) - interval ''7 days''',
    'SELECT count(*) FROM stay WHERE at > date_trunc(''hour'', now()) - interval ''7 days''',
    'SELECT count(*) FROM stay WHERE at > date_trunc(''minute'', now()) - interval ''7 days''',
    'SELECT ward, count(*) FROM stay GROUP BY ward',
    'SELECT ward, count(*) FROM unstored GROUP BY ward',
    'SELECT count(*) FROM months WHERE day < ''2024-02-01''',
    'SELECT count(*) FROM months WHERE day < current_date',
    'SELECT (SELECT count(*) FROM stay), (SELECT max(cost) FROM stay)',
    'SELECT count(*) FROM stay JOIN unstored USING (id)',
    'SELECT count(*) FROM public_list',
    'SELECT DISTINCT ward FROM stay',
    'SELECT * FROM stay LIMIT 200',
    'SELECT string_agg(ward, '','') FROM stay',
    'SELECT count(*) FROM stay WHERE ward = $1',
    'SELECT dp_count(''*'', 1.5) FROM stay',
    'SELECT dp_count(''*'', 3) FROM months',
    'SELECT count(*) FROM stay; DELETE FROM stay',
    'EXPLAIN SELECT count(*) FROM stay',
    'SELECT count(*) FORM stay',
    ' ; ', NULL] AS queries;
SELECT number, answered, epsilon, charges_a_day, epsilon_a_day, groups, finding FROM dashboard, dp.check_dashboard(queries);
SELECT number, instead FROM dashboard, dp.check_dashboard(queries) WHERE instead IS NOT NULL;
SELECT number, expected_error FROM dashboard, dp.check_dashboard(queries) WHERE expected_error IS NOT NULL;
-- Nothing was charged, nor is anything shown again that is stored.
SELECT epsilon_spent FROM dp.budgets WHERE table_name IN ('stay', 'unstored', 'months');
SELECT ward, count(*) IS NOT NULL AS asked FROM stay GROUP BY ward;
SELECT epsilon, charges_a_day FROM dp.check_dashboard(ARRAY['SELECT ward, count(*) FROM stay GROUP BY ward']);

-- Refreshed less often, and where now() is rounded.
SELECT number, charges_a_day FROM dashboard, dp.check_dashboard(queries, 0.5) WHERE charges_a_day > 0;
RESET ROLE;
SET dp.now_rounding = '15min';
SET ROLE regress_dashboard_ana;
SELECT number, charges_a_day, finding FROM dashboard, dp.check_dashboard(queries[3:6], 1000);
RESET ROLE;
RESET dp.now_rounding;
SET ROLE regress_dashboard_ana;

-- The search_path is that of who asks, before and after.
SET search_path = public, pg_temp;
SELECT number, answered, finding FROM dp.check_dashboard(ARRAY['SELECT count(*) FROM stay', 'SELECT count(*) FROM dashboard_price.stay']);
SHOW search_path;
SHOW dp.reuse;
SELECT * FROM dp.check_dashboard(NULL);
SELECT * FROM dp.check_dashboard(ARRAY['SELECT 1'], 0);
SELECT count(*) FROM dp.check_dashboard('{}');
SELECT * FROM dp.check_dashboard(ARRAY['SELECT 1'], 'NaN');
SELECT number, query, finding IS NULL OR finding <> 'there is no statement' AS read
    FROM dp.check_dashboard(ARRAY[ARRAY['SELECT 1', 'SELECT 2'], ARRAY['SELECT 3', 'SELECT 4']]);
RESET search_path;
SET search_path = dashboard_price, public;
-- Nothing of it is looked up there but what the statements name.
RESET ROLE;
CREATE SCHEMA regress_dashboard_before;
CREATE FUNCTION regress_dashboard_before.set_config(text, text, boolean) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RAISE 'called'; END $$;
GRANT USAGE ON SCHEMA regress_dashboard_before TO regress_dashboard_ana;
SET ROLE regress_dashboard_ana;
SET search_path = regress_dashboard_before, pg_catalog, dashboard_price, public;
SELECT number, answered FROM dp.check_dashboard(ARRAY['SELECT count(*) FROM stay', 'SELECT count(*) FROM stay']);
RESET ROLE;
SET search_path = dashboard_price, public;
DROP SCHEMA regress_dashboard_before CASCADE;
SET ROLE regress_dashboard_ana;
-- Who may read the table asks nothing privately.
RESET ROLE;
SELECT answered, epsilon, finding FROM dp.check_dashboard(ARRAY['SELECT count(*) FROM stay']);
SELECT dp.unprotect(t) FROM unnest('{stay,unstored,months}'::regclass[]) t \g /dev/null
DROP TABLE stay, unstored, months, public_list, dashboard;
DROP ROLE regress_dashboard_ana;
