-- What was drawn and paid is stored before a row leaves the node: a statement that fails above it, or is not read to its end, leaves its
-- answers, and asking again costs nothing.
SET client_min_messages = error;
\set SHOW_CONTEXT never
CALL own_schema('reuse_failed');
CREATE ROLE regress_failed_ana;
CREATE TABLE stay (id int PRIMARY KEY, ward text NOT NULL, age int NOT NULL);
INSERT INTO stay SELECT i, (ARRAY['a', 'b'])[1 + i % 2], i % 100 FROM generate_series(1, 200) i;
CREATE TABLE public_rows AS SELECT generate_series(1, 20000) AS x;
GRANT SELECT ON public_rows TO regress_failed_ana;
SELECT dp.protect('stay', 9e9, reuse => '1 day'), dp.grant_budget('stay', 'regress_failed_ana', 9e9, allow_leaks => true), dp.declare_values('stay', 'ward', 'a', 'b');
SET dp.epsilon = 5e5;
-- What the role has spent, in questions.
CREATE FUNCTION spent() RETURNS numeric LANGUAGE sql SECURITY DEFINER AS $$
    SELECT round(coalesce(sum(epsilon), 0) / 5e5, 2) FROM dp.ledger WHERE relation = 'reuse_failed.stay'::regclass AND kind IN ('query', 'relax') $$;
SET ROLE regress_failed_ana;
SELECT (40000 + count(*))::smallint FROM stay;
SELECT spent();
SELECT count(*), spent() FROM stay;
-- It has a release, which is made more accurate for the difference.
SELECT epsilon FROM dp.cost('SELECT dp_count(''*'', 1e6) FROM stay') WHERE role IS NULL;
SELECT (40000 + count(*))::smallint FROM stay WHERE age < 5;
SELECT aggregate, answer FROM dp_answer(dp_last_release());
SELECT 1 / (count - 100) FROM (SELECT ward, count(*) FROM stay GROUP BY ward) q WHERE ward > 'a' OR (count * 400)::smallint > 0;
SELECT ward, count(*), spent() FROM stay GROUP BY ward ORDER BY 1;
-- in a transaction that is rolled back, in a savepoint, in an exception block
BEGIN;
SELECT count(*) FROM stay WHERE age < 10;
ROLLBACK;
BEGIN;
SAVEPOINT s;
SELECT (40000 + count(*))::smallint FROM stay WHERE age < 20;
ROLLBACK TO s;
COMMIT;
DO $$ BEGIN PERFORM (40000 + count(*))::smallint FROM stay WHERE age < 30; EXCEPTION WHEN numeric_value_out_of_range THEN END $$;
SELECT spent();
SELECT count(*), (SELECT count(*) FROM stay WHERE age < 20), (SELECT count(*) FROM stay WHERE age < 30), spent() FROM stay WHERE age < 10;
-- a cursor that is not read to its end, in a transaction that is rolled back; one that fails later
BEGIN;
DECLARE c CURSOR FOR SELECT ward, count(*) FROM stay WHERE age < 40 GROUP BY ward;
FETCH 1 FROM c;
ROLLBACK;
SELECT spent();
SELECT ward, count(*), spent() FROM stay WHERE age < 40 GROUP BY ward ORDER BY 1;
-- Of several answers each stays that was drawn before the error.
SELECT (SELECT count(*) FROM stay WHERE age < 50) + (SELECT (40000 + count(*))::smallint FROM stay WHERE age < 60);
SELECT spent();
SELECT count(*), (SELECT count(*) FROM stay WHERE age < 60), spent() FROM stay WHERE age < 50;
-- Of a statement that ends all of them are one release.
SELECT (SELECT count(*) FROM stay WHERE age < 70) + (SELECT count(*) FROM stay WHERE age < 80) AS sum;
SELECT answer FROM dp_answer(dp_last_release()) ORDER BY 1;
-- READ ONLY; a query with workers around it, where answers are stored at its end
BEGIN READ ONLY;
SELECT (40000 + count(*))::smallint FROM stay WHERE age < 75;
ROLLBACK;
SELECT count(*), spent() FROM stay WHERE age < 75;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT sum(x), n FROM public_rows, (SELECT count(*) AS n FROM stay WHERE age < 85 OFFSET 0) q GROUP BY n;
SELECT count(*), spent() FROM stay WHERE age < 85;
RESET ROLE;
-- Each was stored once.
SELECT count(*) = (SELECT count(*) FROM dp.ledger WHERE relation = 'stay'::regclass AND kind = 'query') AS once FROM dp.stored_answer WHERE relation = 'stay'::regclass;
SELECT dp.unprotect('stay');
DROP SCHEMA reuse_failed CASCADE;
DROP OWNED BY regress_failed_ana;
DROP ROLE regress_failed_ana;
