-- Releases: what a charged statement leaves, and how its answers get better for the difference. Noisy answers are not printed: at
-- epsilon 1e6 an answer is exact, and before that it is compared with itself.
CALL own_schema('release_answers');
\pset null '(null)'
SET client_min_messages = warning;
DROP ROLE IF EXISTS regress_releases_maker;
CREATE ROLE regress_releases_maker;
CREATE TABLE stay (id int, ward text, age int, cost numeric(8, 2), weight float8);
INSERT INTO stay VALUES (1, 'a', 20, 10.25, 60.5), (2, 'a', 30, 20.50, 70.25), (3, 'b', 40, 30.75, 80), (4, NULL, 50, 40, 90), (5, 'a', NULL, NULL, NULL);
CREATE TABLE bed (id int, room int NOT NULL);
INSERT INTO bed VALUES (1, 7), (2, 7), (3, 8);
SELECT dp.protect('stay', 9e9), dp.protect('bed', 9e9);
SELECT dp.public_values('stay', 'ward', 'a', 'b'), dp.public_values('stay', 'age', 20, 30, 40, 50), dp.public_values('bed', 'room', 7, 8);
SELECT dp.grant_budget('stay', 'regress_releases_maker', 9e9, allow_leaks => true), dp.grant_budget('bed', 'regress_releases_maker', 9e9, allow_leaks => true);
GRANT SELECT ON stay, bed TO regress_releases_maker;
\getenv folder PG_ABS_SRCDIR
\set outcome :folder '/test/support/outcome.sql'
\i :outcome
RESET client_min_messages;
SELECT coalesce(max(seq), 0) AS before FROM dp.ledger \gset

-- A session that asked nothing has no release.
SELECT dp_last_release();
SET ROLE regress_releases_maker;

-- The dashboard: a cheap look, then better, then better still. 0.05 + 0.15 + 0.8.
SELECT ward, dp_count('*', 0.05) AS n FROM stay GROUP BY ward \g /dev/null
SELECT dp_last_release() AS r \gset
SELECT aggregate, mechanism, epsilon, groups, role, relation FROM dp.releases WHERE release_id = :r;
SELECT count(*), count(DISTINCT group_key), bool_and(epsilon = 0.2) FROM relax_release(:r, 0.2);
SELECT count(*), bool_and(epsilon = 1) FROM relax_release(:r, 1);
SELECT * FROM relax_release(:r, 1e6);
SELECT kind, epsilon, table_epsilon FROM dp.ledger WHERE seq > :before ORDER BY seq;
SELECT epsilon FROM dp.releases WHERE release_id = :r;

-- The same again is the stored answer, and free.
SELECT coalesce(max(seq), 0) AS before FROM dp.ledger \gset
SELECT dp_count('*', 0.1) FROM stay \g /dev/null
SELECT dp_last_release() AS r \gset
CREATE TEMP TABLE first AS SELECT * FROM relax_release(:r, 0.3);
SELECT count(*) FROM (SELECT * FROM relax_release(:r, 0.3) EXCEPT SELECT * FROM first) d;
SELECT count(*) FROM (SELECT * FROM dp_answer(:r) EXCEPT SELECT * FROM first) d;
SELECT count(*) FROM (SELECT * FROM relax_release(:r, 0.30000000000000004) EXCEPT SELECT * FROM first) d;
SELECT kind, epsilon FROM dp.ledger WHERE seq > :before ORDER BY seq;

-- A lower one: the level that exists there; between two levels the coarser one; below all of them a new one, kept like the others.
SELECT coalesce(max(seq), 0) AS before FROM dp.ledger \gset
SELECT epsilon FROM relax_release(:r, 0.1);
SELECT epsilon FROM relax_release(:r, 0.2);
CREATE TEMP TABLE low AS SELECT * FROM relax_release(:r, 0.05);
SELECT count(*), min(epsilon) FROM (SELECT * FROM low INTERSECT SELECT * FROM relax_release(:r, 0.05)) d;
SELECT epsilon FROM relax_release(:r, 0.07);
-- Whatever the order of the questions, levels are added at the two ends alone.
SELECT (relax_release(:r, e)).epsilon FROM unnest(ARRAY[0.2, 0.9, 0.06, 0.5, 0.04, 0.045, 1, 0.95, 0.3]) e;
SELECT kind, epsilon FROM dp.ledger WHERE seq > :before ORDER BY seq;
SELECT count(*) FROM (SELECT * FROM low EXCEPT SELECT * FROM relax_release(:r, 0.05)) d;
SELECT epsilon FROM dp_answer(:r);

-- ROLLBACK, a savepoint and an error take nothing back: the level and its charge stay.
SELECT coalesce(max(seq), 0) AS before FROM dp.ledger \gset
BEGIN;
SELECT answer AS a FROM relax_release(:r, 2) \gset
ROLLBACK;
SELECT answer = :'a', epsilon FROM relax_release(:r, 2);
BEGIN;
SAVEPOINT s;
SELECT answer AS a FROM relax_release(:r, 3) \gset
ROLLBACK TO s;
SELECT answer = :'a', epsilon FROM dp_answer(:r);
COMMIT;
SELECT epsilon / 0 FROM relax_release(:r, 4);
SELECT epsilon FROM dp_answer(:r);
-- In a READ ONLY transaction too, and seen there whatever the snapshot.
BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY;
SELECT answer AS a FROM relax_release(:r, 5) \gset
SELECT answer = :'a' FROM dp_answer(:r);
SELECT kind, epsilon FROM dp.ledger WHERE seq > :before ORDER BY seq;
COMMIT;
-- So it is in a prepared transaction, and in a serializable one.
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT answer AS a FROM relax_release(:r, 6) \gset
PREPARE TRANSACTION 'regress_relax';
SELECT answer = :'a', epsilon FROM dp_answer(:r);
ROLLBACK PREPARED 'regress_relax';
SELECT answer = :'a', epsilon FROM relax_release(:r, 6);
-- A release survives the ROLLBACK of its statement too.
BEGIN;
SELECT dp_count('*', 0.5) AS n FROM stay \gset
SELECT dp_last_release() AS r \gset
ROLLBACK;
SELECT dp_last_release() = :r, answer::text::int = :n FROM dp_answer(:r);

-- The data change; the path does not look at them.
RESET ROLE;
SELECT coalesce(max(seq), 0) AS before FROM dp.ledger \gset
BEGIN;
INSERT INTO stay SELECT i, 'a' FROM generate_series(10, 1000) i;
SET ROLE regress_releases_maker;
SELECT answer FROM relax_release(:r, 1e6);
ROLLBACK;
SET ROLE regress_releases_maker;
SELECT epsilon FROM dp.ledger WHERE seq > :before;

-- A query that fails, or whose cursor is open at ROLLBACK, is charged and leaves its release.
SELECT coalesce(max(seq), 0) AS before FROM dp.ledger \gset
SELECT (40000 + 0 * dp_count('*', 0.5))::smallint FROM stay;
SELECT dp_last_release() > 0 AS left;
BEGIN;
DECLARE c CURSOR FOR SELECT ward, dp_count('*', 0.5) FROM stay GROUP BY ward;
MOVE 1 IN c;
ROLLBACK;
SELECT dp_last_release() > 0 AS left;
SELECT c.epsilon, r.release_id IS NULL AS none FROM dp.ledger c LEFT JOIN dp.releases r USING (release_id) WHERE seq > :before ORDER BY seq;
-- Closed, or open at COMMIT, it has ended as it should.
BEGIN;
DECLARE c CURSOR FOR SELECT ward, dp_count('*', 0.5) FROM stay GROUP BY ward;
MOVE 1 IN c;
CLOSE c;
SELECT groups FROM dp.releases WHERE release_id = dp_last_release();
DECLARE c CURSOR FOR SELECT ward, dp_count('*', 0.5) FROM stay GROUP BY ward;
MOVE 1 IN c;
COMMIT;
SELECT groups FROM dp.releases WHERE release_id = dp_last_release();

-- A question inside the parallel operation of another statement is charged and answered, and leaves no release: its rows
-- cannot be written there. (A transaction that has no number yet cannot even charge.)
RESET ROLE;
CREATE TABLE paper AS SELECT 1 AS one;
CREATE FUNCTION ask() RETURNS bigint LANGUAGE plpgsql PARALLEL RESTRICTED AS $$
BEGIN
    RETURN (SELECT count(*) FROM (SELECT age, dp_count('*', 0.5) FROM stay GROUP BY age) q);
END
$$;
GRANT SELECT ON paper TO regress_releases_maker;
SET ROLE regress_releases_maker;
SET min_parallel_table_scan_size = 0; SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0;
EXPLAIN (COSTS OFF) SELECT ask() FROM paper WHERE one = 1;
\set SHOW_CONTEXT never
SELECT ask() FROM paper WHERE one = 1;
\set SHOW_CONTEXT errors
BEGIN;
SELECT pg_current_xact_id() IS NOT NULL AS numbered;
SELECT ask() FROM paper WHERE one = 1;
SELECT dp_last_release();
SELECT epsilon FROM dp.ledger ORDER BY seq DESC LIMIT 1;
COMMIT;
RESET min_parallel_table_scan_size; RESET parallel_setup_cost; RESET parallel_tuple_cost;
SELECT ask();
SELECT groups FROM dp.releases WHERE release_id = dp_last_release();
RESET ROLE;
DROP FUNCTION ask;
DROP TABLE paper;
SET ROLE regress_releases_maker;

-- What is not charged leaves the last release where it was; what never runs leaves nothing.
SELECT dp_last_release() AS r \gset
SELECT dp_count('*', 0.5) FROM stay LIMIT 0;
SELECT dp_last_release() = :r;

-- Settings: no release, or one too large. The charge is the same.
SET dp.keep_releases = 0;
SELECT dp_count('*', 0.5) FROM stay \g /dev/null
SELECT dp_last_release(), (SELECT release_id FROM dp.ledger ORDER BY seq DESC LIMIT 1);
SET dp.keep_releases = 2;
SELECT ward, dp_count('*', 0.5) FROM stay GROUP BY ward \g /dev/null
SELECT dp_last_release();
SELECT room, dp_count('*', 0.5) FROM bed GROUP BY room \g /dev/null
SELECT groups FROM dp.releases WHERE release_id = dp_last_release();
RESET dp.keep_releases;

-- All aggregates, at different prices; each is brought to the level that is asked for, and pays what it lacks.
SELECT ward, dp_count('*', 0.1) AS n, dp_sum(age, 0, 100, 0.2), dp_sum(cost, 0, 100, 0.1), dp_sum(weight, 0, 100, 0.1),
    dp_avg(age, 0, 100, 0.4), dp_variance(age, 0, 100, 0.1), dp_stddev(age, 0, 100, 0.1), dp_histogram(age, 0, 100, 4, 0.1),
    dp_histogram(ward, ARRAY['a', 'b'], 0.1), dp_count(DISTINCT id, 0.1), dp_count(age, 0.1, 'laplace')
FROM stay GROUP BY ward \g /dev/null
SELECT dp_last_release() AS r \gset
SELECT aggregate, mechanism, epsilon FROM dp.releases WHERE release_id = :r;
SELECT coalesce(max(seq), 0) AS before FROM dp.ledger \gset
SELECT aggregate, count(*), min(epsilon) FROM relax_release(:r, 0.3) GROUP BY aggregate ORDER BY aggregate;
SELECT epsilon FROM dp.ledger WHERE seq > :before ORDER BY seq;
SELECT group_key ->> 'ward' AS ward, aggregate,
    CASE WHEN jsonb_typeof(answer) = 'number' THEN to_jsonb(round(answer::numeric, 2)) ELSE answer END AS answer
FROM relax_release(:r, 1e6);

-- One aggregate alone.
SELECT dp_count('*', 0.1) + dp_sum(age, 0, 100, 0.1) > 0 AS something FROM stay GROUP BY () \g /dev/null
SELECT dp_last_release() AS r \gset
SELECT coalesce(max(seq), 0) AS before FROM dp.ledger \gset
SELECT aggregate, answer, epsilon FROM relax_release(:r, 1e6, 'dp_count(''*'', 0.1)');
SELECT aggregate, epsilon FROM dp_answer(:r);
SELECT epsilon FROM dp.ledger WHERE seq > :before ORDER BY seq;
SELECT outcome(format('SELECT relax_release(%s, 1, %L)', :r, 'dp_count(*)'));

-- Without a path: nothing is kept of their answers, and the others still go on.
RESET ROLE;
SELECT dp.protect('stay', 9e9, 1e-3), dp.grant_budget('stay', 'regress_releases_maker', 9e9, 1e-3, allow_leaks => true);
SET ROLE regress_releases_maker;
SELECT dp_count('*', 0.1) AS n, dp_count(age, 0.1, 'gaussian(delta=1e-6)') AS m, dp_sum(age, 0, 100, 0.1, 'staircase') AS s,
    dp_median(age, 0, 100, 0.1) AS q, dp_mode(ward, ARRAY['a', 'b'], 0.1) AS w FROM stay \g /dev/null
SELECT dp_last_release() AS r \gset
SELECT aggregate, epsilon FROM dp.releases WHERE release_id = :r;
SELECT outcome(format('SELECT relax_release(%s, 1)', :r));
SELECT aggregate, epsilon FROM relax_release(:r, 1, 'dp_count(''*'', 0.1)');
SELECT aggregate, epsilon FROM dp_answer(:r);

-- Grouping sets: each of them pays.
SELECT ward, age, dp_count('*', 0.1) FROM stay GROUP BY GROUPING SETS ((ward), (age), ()) \g /dev/null
SELECT dp_last_release() AS r \gset
SELECT coalesce(max(seq), 0) AS before FROM dp.ledger \gset
SELECT group_key, answer FROM relax_release(:r, 1e6);
SELECT epsilon FROM dp.ledger WHERE seq > :before ORDER BY seq;

-- No group at all costs the same as many: what is charged does not depend on the data.
-- Here groups are chosen privately, and that is paid once: with this epsilon and delta none of one row is, all of two are.
RESET ROLE;
SELECT dp.protect('stay', 9e9, 1e-3, group_epsilon => 100, group_delta => 1e-18);
SET ROLE regress_releases_maker;
SELECT cost, dp_count('*', 0.1) FROM stay WHERE false GROUP BY cost;
SELECT epsilon FROM dp.ledger ORDER BY seq DESC LIMIT 1;
SELECT dp_last_release() AS r \gset
SELECT coalesce(max(seq), 0) AS before FROM dp.ledger \gset
SELECT * FROM relax_release(:r, 0.3);
SELECT * FROM relax_release(:r, 0.3);
SELECT epsilon FROM dp.ledger WHERE seq > :before ORDER BY seq;

-- Several parts: two tables, a CTE that is read twice, the same text twice. One release; each part is a level of its own.
WITH w AS (SELECT ward, dp_count('*', 0.1) AS n FROM stay GROUP BY ward)
SELECT 'stay', n FROM w UNION ALL SELECT ward, n FROM w
UNION ALL SELECT room::text, dp_count('*', 0.2) FROM bed GROUP BY room
UNION ALL SELECT NULL, dp_count('*', 0.1) FROM stay \g /dev/null
SELECT dp_last_release() AS r \gset
SELECT relation, aggregate, epsilon, groups FROM dp.releases WHERE release_id = :r;
SELECT coalesce(max(seq), 0) AS before FROM dp.ledger \gset
SELECT group_key, aggregate, answer FROM relax_release(:r, 1e6);
SELECT relation, epsilon FROM dp.ledger WHERE seq > :before ORDER BY seq;

-- Keys of every kind, as JSON.
SELECT ward IS NULL AS unknown, dp_div((age / 16)::numeric, 4) AS quarter, 'NaN'::float8 AS nan, date '2024-02-29' AS day, age > 100 AS old,
    '"\' || chr(10) AS text, dp_count('*', 1) AS n
FROM stay WHERE age < 50 GROUP BY 1, 2, 3, 4, 5, 6 \g /dev/null
SELECT group_key FROM dp_answer(dp_last_release());

-- Answers have all their digits, whatever the session shows.
CREATE TEMP TABLE shown AS SELECT ward, dp_sum(weight, 0, 300, 1) AS sum FROM stay GROUP BY ward;
SET extra_float_digits = 0;
SELECT count(*), count(*) FILTER (WHERE answer::text::float8 = sum) AS the_same FROM shown JOIN dp_answer(dp_last_release()) ON group_key ->> 'ward' IS NOT DISTINCT FROM ward;
RESET extra_float_digits;
SELECT dp_avg(weight, -8e307, 8e307, 0.001) AS huge, dp_sum(weight, -8e307, 8e307, 0.001) FROM stay \g /dev/null
SELECT count(*), count(answer::text::numeric) FROM relax_release(dp_last_release(), 0.01);

-- What cannot be asked.
SELECT relax_release(NULL, 1);
SELECT relax_release(1, NULL);
SELECT relax_release(0, 1);
SELECT relax_release(-1, 1);
SELECT relax_release(9223372036854775807, 1);
SELECT outcome(format('SELECT relax_release(%s, %L)', dp_last_release(), e)) FROM unnest(ARRAY['0', '-1', 'NaN', 'Infinity', '1e-10', '1e7']) e;
SELECT dp_answer(NULL);
SELECT dp_answer(4711000000);
SELECT dp.share_release(NULL, 'regress_releases_maker', 1);

-- The accounts: nothing is charged, drawn or shown where one is short.
SELECT dp_count('*', 0.1) FROM bed \g /dev/null
SELECT dp_last_release() AS r \gset
RESET ROLE;
SELECT dp.grant_budget('bed', 'regress_releases_maker', epsilon_spent::float8 + 0.5, query_epsilon => 0.4, allow_leaks => true) FROM dp.budgets WHERE relation = 'bed'::regclass AND role = 'regress_releases_maker'::regrole;
SELECT count(*) AS levels FROM dp.release_path WHERE release_id = :r;
SET ROLE regress_releases_maker;
SELECT coalesce(max(seq), 0) AS before FROM dp.ledger \gset
SELECT left(outcome(format('SELECT relax_release(%s, 0.61)', :r)), 5);
SELECT outcome(format('SELECT relax_release(%s, 0.51)', :r));
SELECT outcome(format('SELECT relax_release(%s, 0.5)', :r));
SELECT left(outcome(format('SELECT relax_release(%s, 0.7)', :r)), 5);
SELECT outcome(format('SELECT relax_release(%s, 0.6)', :r));
SELECT left(outcome(format('SELECT relax_release(%s, 0.600000001)', :r)), 5);
SELECT epsilon FROM dp.ledger WHERE seq > :before ORDER BY seq;
-- Revoked: what was paid for stays, more there is not.
RESET ROLE;
SELECT dp.revoke_budget('bed', 'regress_releases_maker');
REVOKE SELECT ON bed FROM regress_releases_maker;
SET ROLE regress_releases_maker;
SELECT outcome(format('SELECT relax_release(%s, 0.6)', :r));
SELECT outcome(format('SELECT relax_release(%s, 0.05)', :r));
SELECT outcome(format('SELECT relax_release(%s, 0.7)', :r));
-- Not protected any more: who may read the table has everything for nothing, and who may not gets nothing.
RESET ROLE;
SELECT dp.unprotect('bed');
SET ROLE regress_releases_maker;
SELECT outcome(format('SELECT relax_release(%s, 0.6)', :r));
SELECT outcome(format('SELECT relax_release(%s, 0.7)', :r));
RESET ROLE;
GRANT SELECT ON bed TO regress_releases_maker;
SET ROLE regress_releases_maker;
SELECT answer FROM relax_release(:r, 1e6);
RESET ROLE;
-- A dropped table takes its budget with it: nothing is relaxed any more. What was paid for stays readable.
SELECT dp.protect('bed', 9e9), dp.grant_budget('bed', 'regress_releases_maker', 9e9, allow_leaks => true);
SELECT 'bed'::regclass::oid AS bed \gset
SET ROLE regress_releases_maker;
SELECT dp_count('*', 5e5) AS n FROM bed \gset
SELECT dp_last_release() AS r \gset
RESET ROLE;
DROP TABLE bed;
SET ROLE regress_releases_maker;
SELECT regexp_replace(outcome(format('SELECT relax_release(%s, 1e6)', :r)), :'bed', 'N', 'g');
SELECT answer FROM dp_answer(:r);
RESET ROLE;
SELECT dp.unprotect('stay');
DROP TABLE stay;
DROP FUNCTION outcome;
DROP OWNED BY regress_releases_maker;
DROP ROLE regress_releases_maker;
