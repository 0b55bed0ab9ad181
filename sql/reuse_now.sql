-- dp.now_rounding: the moment of a question is rounded down, so that a refresh within that time asks the same and is free.
CALL own_schema('reuse_now');
SET client_min_messages = warning;
CREATE ROLE regress_now_ana;
CREATE TABLE stay (id int PRIMARY KEY, at timestamptz NOT NULL, left_at timestamp NOT NULL);
INSERT INTO stay SELECT i, date_trunc('day', now()) - i * interval '1 hour', date_trunc('day', localtimestamp) - i * interval '1 hour' FROM generate_series(1, 480) i;
CREATE TABLE seen AS TABLE stay;
SELECT dp.protect('stay', 1e9, answer_epsilon => 1e5, reuse => '1 day');
SELECT dp.grant_budget('stay', 'regress_now_ana', 1e9, allow_leaks => true);
SELECT dp.declare_range('stay', 'at', date_trunc('day', now()) - interval '90 days', date_trunc('day', now()) + interval '2 days'),
    dp.declare_range('stay', 'left_at', localtimestamp::date - interval '90 days', localtimestamp::date + interval '2 days');
GRANT SELECT ON seen TO regress_now_ana;
CREATE FUNCTION charged(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    before bigint := (SELECT max(seq) FROM dp.ledger_of(NULL));
BEGIN
    EXECUTE statement;
    RETURN coalesce((SELECT string_agg(format('%s %s', kind, epsilon), ', ' ORDER BY seq) FROM dp.ledger WHERE seq > coalesce(before, 0) AND kind <> 'reuse'), 'nothing');
END $$;
SET ROLE regress_now_ana;
-- Each time another question, of which the first says so.
SET client_min_messages = notice;
SELECT charged('SELECT count(*) FROM stay WHERE at > now() - interval ''7 days''');
SELECT charged('SELECT count(*) FROM stay WHERE at > now() - interval ''7 days''');
SELECT charged('SELECT count(*) FROM stay WHERE at > date_trunc(''day'', now()) - interval ''7 days''');
SELECT charged('SELECT count(*) FROM stay WHERE at > date_trunc(''day'', now()) - interval ''7 days''');
SET client_min_messages = warning;
-- Who may set it, and to what. A view may show rows by their age: whoever asks of it must not say what now is.
SET dp.now_rounding = '1 day';
ALTER ROLE regress_now_ana SET dp.now_rounding = '1 day';
SELECT set_config('dp.now_rounding', '15min', true);
CREATE FUNCTION pg_temp.rounds() RETURNS int LANGUAGE sql SET dp.now_rounding = '1 day' AS 'SELECT 1';
SET dp.now_rounding = 0;
RESET dp.now_rounding;
RESET ROLE;
SET dp.now_rounding = '7h';
SET dp.now_rounding = '2 days';
GRANT SET ON PARAMETER dp.now_rounding TO regress_now_ana;
SET ROLE regress_now_ana;
SET dp.now_rounding = '15min';
SHOW dp.now_rounding;
RESET ROLE;
REVOKE SET ON PARAMETER dp.now_rounding FROM regress_now_ana;
ALTER ROLE regress_now_ana SET dp.now_rounding = '1 day';
SELECT setconfig FROM pg_db_role_setting WHERE setrole = 'regress_now_ana'::regrole;
SET dp.now_rounding = '1 day';
SET ROLE regress_now_ana;
-- Every way to write it, in conditions, keys and lists: what was asked once is free.
CREATE TEMP TABLE asked AS SELECT row_number() OVER () AS i, q FROM unnest(ARRAY[
    'SELECT count(*) FROM stay WHERE at > now() - interval ''7 days''',
    'SELECT count(*) FROM stay WHERE at > current_timestamp - interval ''6 days''',
    'SELECT count(*) FROM stay WHERE at > current_timestamp(0) - interval ''150 hours''',
    'SELECT count(*) FROM stay WHERE at > transaction_timestamp() - interval ''5 days''',
    'SELECT count(*) FROM stay WHERE at > statement_timestamp() - interval ''4 days''',
    'SELECT count(*) FROM stay WHERE left_at > localtimestamp - interval ''3 days''',
    'SELECT count(*) FROM stay WHERE left_at > localtimestamp(2) - interval ''2 days''',
    'SELECT count(*) FROM stay WHERE left_at::time >= localtime AND left_at > localtimestamp - interval ''9 days''',
    'SELECT count(*) FROM stay WHERE at > (SELECT now() - interval ''8 days'')',
    'SELECT date_trunc(''day'', at), count(*) FROM stay WHERE at >= now() - interval ''7 days'' GROUP BY 1',
    'SELECT at > now() - interval ''7 days'', count(*) FROM stay GROUP BY 1',
    'SELECT count(*) FILTER (WHERE at > now() - interval ''7 days'') FROM stay',
    'SELECT sum(CASE WHEN at > now() - interval ''7 days'' THEN 1 ELSE 0 END) FROM stay',
    'SELECT avg(extract(epoch FROM now() - at) / 3600) FROM stay',
    'SELECT d, count(s.id) FROM generate_series(date_trunc(''day'', now()) - interval ''3 days'', now(), ''1 day'') d LEFT JOIN stay s ON date_trunc(''day'', s.at) = d GROUP BY 1',
    'SELECT count(*) FROM (SELECT * FROM stay WHERE at > now() - interval ''70 hours'') q']) q;
SELECT i, charged(q) FROM asked ORDER BY i;
SELECT i, charged(q) AS again FROM asked ORDER BY i;
-- It is one moment everywhere: the days are those that the condition leaves, and the rows that of a table that holds the same.
SELECT count(*), min(n), max(n), min(day) = date_trunc('day', now()) - interval '7 days' AS first, max(day) <= date_trunc('day', now()) + interval '2 days' AS last
FROM (SELECT date_trunc('day', at) AS day, count(*) AS n FROM stay WHERE at >= now() - interval '7 days' AND at < now() GROUP BY 1) q;
SELECT (SELECT count(*) FROM stay WHERE at > now() - interval '100 hours') = (SELECT count(*) FROM seen WHERE at > date_trunc('day', now()) - interval '100 hours') AS same;
-- What is not asked privately has its own moment.
SELECT count(*) FROM seen WHERE now() > date_trunc('day', now());
SELECT now() = transaction_timestamp(), date_trunc('day', now()) < now();
-- A prepared question keeps the rounding that holds when it is asked.
PREPARE p AS SELECT count(*) FROM stay WHERE at > now() - interval '33 hours';
SELECT charged('EXECUTE p');
SELECT charged('EXECUTE p') AS again;
SET dp.now_rounding = 0;
SELECT charged('EXECUTE p');
SELECT charged('EXECUTE p') AS again;
RESET ROLE;
-- Nor has what somebody reads who may read the table.
SET dp.now_rounding = '1 day';
SELECT now() > date_trunc('day', now()) AS own FROM stay LIMIT 1;
RESET dp.now_rounding;
SELECT dp.unprotect('stay');
SET client_min_messages = error;
DROP SCHEMA reuse_now CASCADE;
DROP OWNED BY regress_now_ana;
DROP ROLE regress_now_ana;
