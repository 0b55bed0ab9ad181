-- The same question again is free: what was answered is shown again, and an answer that is too coarse is made more accurate for the
-- difference. Answers at tiny epsilons are never the same by chance; at 1e6 counts are exact.
CALL own_schema('reuse_again');
SET client_min_messages = warning;
CREATE ROLE regress_reuse_ana;
CREATE TABLE stay (id int PRIMARY KEY, ward text NOT NULL, age int, cost numeric, seen timestamptz NOT NULL);
INSERT INTO stay SELECT i, (ARRAY['a', 'b', 'c'])[1 + i % 3], i % 100, i % 50, '2024-01-01 12:00Z'::timestamptz + i % 60 * interval '1 day'
    FROM generate_series(1, 600) i;
SELECT dp.protect('stay', 1e9, 1e-3, answer_epsilon => 1e-6, reuse => '1 day');
SELECT dp.grant_budget('stay', 'regress_reuse_ana', 1e9, 1e-3, allow_leaks => true);
SELECT dp.declare_values('stay', 'ward', 'a', 'b', 'c');
SELECT dp.declare_range('stay', 'cost', 0, 50), dp.declare_range('stay', 'age', 0, 100), dp.declare_range('stay', 'seen', '2024-01-01', '2024-03-31');
-- What was charged since the last time, in order.
CREATE TABLE seen_charges (seq bigint);
CREATE FUNCTION charged(OUT kind text, OUT epsilon numeric, OUT table_epsilon numeric) RETURNS SETOF record LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    RETURN QUERY SELECT l.kind, l.epsilon, l.table_epsilon FROM dp.ledger l
        WHERE l.relation = 'reuse_again.stay'::regclass AND l.seq > (SELECT coalesce(max(s.seq), 0) FROM reuse_again.seen_charges s) ORDER BY l.seq;
    INSERT INTO reuse_again.seen_charges SELECT max(l.seq) FROM dp.ledger l;
END $$;
SET ROLE regress_reuse_ana;

-- Four charts, refreshed 288 times, cost one refresh.
CREATE PROCEDURE pg_temp.refresh() LANGUAGE plpgsql AS $$
BEGIN
    PERFORM * FROM (SELECT ward, count(*), avg(cost) FROM stay GROUP BY ward ORDER BY 2 DESC) q;
    PERFORM * FROM (SELECT date_trunc('month', seen) AS month, count(*) FROM stay WHERE seen >= '2024-02-01' GROUP BY 1 ORDER BY 1) q;
    PERFORM * FROM (SELECT sum(cost) FROM stay WHERE age >= 65) q;
    PERFORM * FROM (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY age) FROM stay) q;
END $$;
CALL pg_temp.refresh();
SELECT kind, sum(epsilon) AS epsilon, sum(table_epsilon) AS table_epsilon, count(*) FROM charged() GROUP BY kind;
DO $$ BEGIN FOR i IN 2..288 LOOP CALL pg_temp.refresh(); COMMIT; END LOOP; END $$;
SELECT kind, sum(epsilon) AS epsilon, sum(table_epsilon) AS table_epsilon, count(*) FROM charged() GROUP BY kind;

SET application_name = 'board';
CALL pg_temp.refresh();
SELECT DISTINCT role, relation, epsilon, application_name IN ('board', 'pg_regress/reuse_again') AS application FROM dp.reuse
    WHERE role = 'regress_reuse_ana'::regrole;
SELECT count(DISTINCT query) AS charts FROM dp.reuse WHERE role = 'regress_reuse_ana'::regrole;
SELECT DISTINCT seq, role, relation, kind, epsilon, delta, table_epsilon, release_id, application_name IN ('board', 'pg_regress/reuse_again') AS application
    FROM dp.ledger WHERE kind = 'reuse';
SELECT count(*) > 0 AS charged, count(application_name) FROM dp.ledger WHERE kind <> 'reuse';
RESET application_name;

-- It is the same answer, for the same question in other words: names, order, limits, what is computed from answers, more around it,
-- a part of the aggregates, in another order.
CREATE TEMP TABLE first AS SELECT ward, count(*) AS n, avg(cost) AS mean FROM stay GROUP BY ward;
SELECT f.n = q.patients AND f.mean = q.mean AS same
FROM first f JOIN (SELECT s.ward AS station, avg(s.cost) AS mean, count(*) AS patients FROM stay AS s GROUP BY 1 ORDER BY 3 LIMIT 10) q
    ON f.ward = q.station;
SELECT f.n = q.n AS same FROM first f JOIN (SELECT ward, count(*) AS n FROM (SELECT * FROM stay) t GROUP BY ward HAVING count(*) IS NOT NULL) q USING (ward);
SELECT f.mean = q.mean AS same FROM first f JOIN (WITH t AS (SELECT ward, avg(cost) AS mean FROM stay GROUP BY ward) SELECT * FROM t) q USING (ward);
PREPARE of_ward(int) AS SELECT ward, count(*) FROM stay WHERE age > $1 + 1 GROUP BY ward;
SELECT count(n) FROM (SELECT ward, count(*) AS n FROM stay WHERE age > 41 GROUP BY ward) q;
SELECT * FROM charged();
EXPLAIN (COSTS OFF) EXECUTE of_ward(40);
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE of_ward(40);
EXPLAIN (COSTS OFF) EXECUTE of_ward(41);
RESET plan_cache_mode;
DEALLOCATE of_ward;
-- A rollback, a cursor that is not read to its end, and a transaction that reads only change nothing of that.
BEGIN READ ONLY;
SELECT count(*) AS n FROM stay WHERE age = 1 \gset
ROLLBACK;
SELECT count(*) = :n AS same FROM stay WHERE age = 1;
BEGIN;
DECLARE c CURSOR FOR SELECT ward, count(*) AS n FROM stay WHERE age = 2 GROUP BY ward ORDER BY ward;
FETCH 1 FROM c \gset
COMMIT;
SELECT n = :n AS same FROM (SELECT ward, count(*) AS n FROM stay WHERE age = 2 GROUP BY ward ORDER BY ward LIMIT 1) q;
SELECT * FROM charged();

-- Rows that have changed are not looked at; the clock is.
RESET ROLE;
DELETE FROM stay WHERE id > 500;
SET ROLE regress_reuse_ana;
SELECT f.n = q.n AS same FROM first f JOIN (SELECT ward, count(*) AS n FROM stay GROUP BY ward) q USING (ward);
SELECT * FROM charged();
RESET ROLE;
UPDATE dp.stored_answer SET made_at = made_at - interval '23 hours 59 minutes' WHERE relation = 'stay'::regclass;
SET ROLE regress_reuse_ana;
SELECT count(n) FROM (SELECT ward, count(*) AS n FROM stay GROUP BY ward) q;
SELECT * FROM charged();
-- A session may ask for younger ones, and for none; not for older ones.
SET dp.reuse = '1h';
SELECT count(n) FROM (SELECT ward, count(*) AS n FROM stay GROUP BY ward) q;
SELECT * FROM charged();
SET dp.reuse = 0;
SELECT count(n) FROM (SELECT ward, count(*) AS n FROM stay GROUP BY ward) q;
SELECT * FROM charged();
RESET ROLE;
UPDATE dp.stored_answer SET made_at = made_at - interval '23 hours 59 minutes' WHERE relation = 'stay'::regclass;
UPDATE dp.stored_answer SET made_at = made_at - interval '1 hour' WHERE relation = 'stay'::regclass;
SET ROLE regress_reuse_ana;
SET dp.reuse = '30d';
SELECT count(n) FROM (SELECT ward, count(*) AS n FROM stay GROUP BY ward) q;
SELECT * FROM charged();
RESET dp.reuse;
-- Nor one of tomorrow, where the clock was put back.
RESET ROLE;
UPDATE dp.stored_answer SET made_at = now() + interval '2 hours' WHERE relation = 'stay'::regclass;
SET ROLE regress_reuse_ana;
SELECT count(n) FROM (SELECT ward, count(*) AS n FROM stay GROUP BY ward) q;
SELECT * FROM charged();

-- More epsilon: the difference. Less: what is there already. What cannot be relaxed is asked anew.
SELECT dp_count('*', 0.1) AS n FROM stay WHERE age < 50 \gset
EXPLAIN (COSTS OFF) SELECT dp_count('*', 0.4) AS n FROM stay WHERE age < 50;
SELECT * FROM dp.cost($$SELECT dp_count('*', 0.4) AS n FROM stay WHERE age < 50$$) ORDER BY role;
SELECT dp_count('*', 0.4) AS n FROM stay WHERE age < 50 \gset
SELECT dp_count('*', 0.2) = :n AS same FROM stay WHERE age < 50;
SELECT dp_count('*', 0.4) = :n AS same FROM stay WHERE age < 50;
SELECT dp_count('*', 1e6) AS n FROM stay WHERE age < 50;
SELECT dp_count('*', 0.1) AS n FROM stay WHERE age < 50;
SELECT kind, epsilon, table_epsilon FROM charged();
SELECT ward, dp_count('*', 1e-6) < 1e9 AS n, dp_avg(cost, 0, 50, 1e-6) BETWEEN 0 AND 50 AS mean FROM stay GROUP BY ward;
SELECT ward, dp_count('*', 1e6) AS n, round(dp_avg(cost, 0, 50, 1e6)::numeric, 3) AS mean FROM stay GROUP BY ward;
SELECT ward, count(*) AS n, round(avg(cost), 3) AS mean FROM (SELECT * FROM reuse_again.stay) s GROUP BY ward ORDER BY ward LIMIT 0;
SELECT * FROM charged();
SELECT dp_quantile(age, 0.5, 0, 100, 0.1) BETWEEN 0 AND 100 AS q, dp_count('*', 0.1, 'gaussian(delta=1e-9)') > -1000 AS n FROM stay WHERE false OR age < 40;
SELECT dp_quantile(age, 0.5, 0, 100, 0.1) BETWEEN 0 AND 100 AS q FROM stay WHERE false OR age < 40;
SELECT dp_quantile(age, 0.5, 0, 100, 0.2) BETWEEN 0 AND 100 AS q FROM stay WHERE false OR age < 40;
SELECT * FROM charged();
-- What was made more accurate is as old as its rows.
RESET ROLE;
UPDATE dp.stored_answer SET made_at = made_at - interval '23 hours' WHERE relation = 'stay'::regclass;
SET ROLE regress_reuse_ana;
SELECT dp_count('*', 0.1) > -1000 AS n FROM stay WHERE age < 35;
RESET ROLE;
UPDATE dp.stored_answer SET made_at = made_at - interval '23 hours' WHERE relation = 'stay'::regclass;
SET ROLE regress_reuse_ana;
SELECT dp_count('*', 0.2) > -1000 AS n FROM stay WHERE age < 35;
RESET ROLE;
UPDATE dp.stored_answer SET made_at = made_at - interval '2 hours' WHERE relation = 'stay'::regclass;
SET ROLE regress_reuse_ana;
SELECT dp_count('*', 0.2) > -1000 AS n FROM stay WHERE age < 35;
SELECT * FROM charged();
-- The release of what is shown is the last one: relaxing it by hand is the same path.
SELECT dp_count('*', 0.1) > -1000 AS n FROM stay WHERE age < 30;
SELECT dp_count('*', 0.1) > -1000 AS n FROM stay WHERE age < 30;
SELECT answer::text::bigint AS n FROM relax_release(dp_last_release(), 0.3) \gset
SELECT dp_count('*', 0.3) = :n AS same FROM stay WHERE age < 30;
SELECT * FROM charged();

-- A forgotten release, and forgotten answers.
RESET ROLE;
-- As who curates this table alone: other tests are running.
CREATE ROLE regress_reuse_owner;
GRANT USAGE ON SCHEMA reuse_again TO regress_reuse_owner;
ALTER TABLE stay OWNER TO regress_reuse_owner;
SET ROLE regress_reuse_owner;
SELECT dp.forget_releases('0 seconds') > 0 AS forgotten;
RESET ROLE;
ALTER TABLE stay OWNER TO CURRENT_USER;
DROP OWNED BY regress_reuse_owner;
DROP ROLE regress_reuse_owner;
SET ROLE regress_reuse_ana;
SELECT dp_count('*', 0.3) = :n AS same FROM stay WHERE age < 30;
SELECT dp_count('*', 0.5) > -1000 AS n FROM stay WHERE age < 30;
SELECT dp.forget_answers('stay');
RESET ROLE;
SELECT dp.forget_answers('stay') > 0 AS forgotten;
SELECT count(*) FROM dp.stored_answer WHERE relation = 'stay'::regclass;
SET ROLE regress_reuse_ana;
SELECT dp_count('*', 0.5) > -1000 AS n FROM stay WHERE age < 30;
SELECT * FROM charged();
-- Without a release there is nothing to relax, and the answer is shown again all the same.
SET dp.keep_releases = 0;
SELECT dp_count('*', 0.1) AS n FROM stay WHERE age < 20 \gset
SELECT dp_count('*', 0.1) = :n AS same FROM stay WHERE age < 20;
SELECT dp_count('*', 0.2) > -1000 AS n FROM stay WHERE age < 20;
RESET dp.keep_releases;
SELECT * FROM charged();

RESET ROLE;
SELECT dp.unprotect('stay');
SELECT count(*) FROM dp.stored_answer WHERE relation = 'stay'::regclass;
DROP TABLE stay;
DROP OWNED BY regress_reuse_ana;
DROP ROLE regress_reuse_ana;
