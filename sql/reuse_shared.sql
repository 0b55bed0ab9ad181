-- share_answers: another role's stored answer serves too. Its own account pays, the table pays what nobody has paid yet.
-- dp.on_exhausted = 'last': where the budget is gone, the last answer and a warning. Limits on what is stored.
CALL own_schema('reuse_shared');
SET client_min_messages = warning;
CREATE ROLE regress_shared_ana;
CREATE ROLE regress_shared_ben;
CREATE ROLE regress_shared_cem;
CREATE TABLE stay (id int PRIMARY KEY, ward text NOT NULL, age int NOT NULL, word text);
INSERT INTO stay SELECT i, (ARRAY['a', 'b', 'c'])[1 + i % 3], i % 100, 'w' || i % 3 FROM generate_series(1, 600) i;
SELECT dp.protect('stay', 1e9, 1e-3, group_epsilon => 1e3, group_delta => 1e-6, reuse => '1 day', share_answers => true);
SELECT dp.grant_budget('stay', r, 1e9, 1e-3, allow_leaks => true) FROM unnest(ARRAY['regress_shared_ana', 'regress_shared_ben']::regrole[]) r;
SELECT dp.grant_budget('stay', 'regress_shared_cem', 1, allow_leaks => true);
SELECT dp.declare_values('stay', 'ward', 'a', 'b', 'c');
CREATE TABLE seen_charges (seq bigint);
CREATE FUNCTION charged(OUT role text, OUT kind text, OUT epsilon numeric, OUT delta numeric, OUT table_epsilon numeric, OUT table_delta numeric)
    RETURNS SETOF record LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    RETURN QUERY SELECT l.role::text, l.kind, l.epsilon, l.delta, l.table_epsilon, l.table_delta FROM dp.ledger l
        WHERE l.relation = 'reuse_shared.stay'::regclass AND l.seq > (SELECT coalesce(max(s.seq), 0) FROM reuse_shared.seen_charges s) ORDER BY l.seq;
    INSERT INTO reuse_shared.seen_charges SELECT max(l.seq) FROM dp.ledger l;
END $$;

-- The same answer at the same epsilon, also of what cannot be relaxed; the second role adds nothing to the table.
SET ROLE regress_shared_ana;
CREATE TEMP TABLE of_ana AS SELECT ward, dp_count('*', 0.001) AS n, dp_quantile(age, 0.5, 0, 100, 0.002) AS middle FROM stay GROUP BY ward;
GRANT SELECT ON of_ana TO PUBLIC;
SET ROLE regress_shared_ben;
EXPLAIN (COSTS OFF) SELECT ward, dp_count('*', 0.001), dp_quantile(age, 0.5, 0, 100, 0.002) FROM stay GROUP BY ward;
SELECT * FROM dp.cost('SELECT ward, dp_count(''*'', 0.001), dp_quantile(age, 0.5, 0, 100, 0.002) FROM stay GROUP BY ward') ORDER BY role;
SELECT a.n = b.n AND a.middle = b.middle AS same
FROM of_ana a JOIN (SELECT ward, dp_count('*', 0.001) AS n, dp_quantile(age, 0.5, 0, 100, 0.002) AS middle FROM stay GROUP BY ward) b USING (ward);
SELECT a.n = b.n AND a.middle = b.middle AS same
FROM of_ana a JOIN (SELECT ward, dp_count('*', 0.001) AS n, dp_quantile(age, 0.5, 0, 100, 0.002) AS middle FROM stay GROUP BY ward) b USING (ward);
SELECT a.n = b.n AS same FROM of_ana a JOIN (SELECT ward, dp_count('*', 0.001) AS n FROM stay GROUP BY ward) b USING (ward);
SELECT * FROM charged();
-- More accurate for the difference, which the table has not paid; then ana gets there for hers alone.
SELECT ward, dp_count('*', 1e6) AS n, dp_quantile(age, 0.5, 0, 100, 0.002) >= 0 AS middle FROM stay GROUP BY ward;
SET ROLE regress_shared_ana;
SELECT ward, dp_count('*', 1e6) AS n FROM stay GROUP BY ward;
SELECT * FROM charged();
-- Less accurate than what there is: a coarser level for less. Between two levels there is none: asked anew.
SET ROLE regress_shared_cem;
SELECT dp_count('*', 0.1) > -1e6 AS n FROM stay WHERE age > 5;
SET ROLE regress_shared_ben;
SELECT dp_count('*', 0.01) > -1e6 AS n FROM stay WHERE age > 5;
SET ROLE regress_shared_ana;
SELECT dp_count('*', 0.05) > -1e6 AS n FROM stay WHERE age > 5;
SELECT * FROM charged();
-- What cannot be relaxed is not sold at another epsilon, and nothing is without its noise.
SET ROLE regress_shared_ana;
SELECT dp_quantile(age, 0.5, 0, 100, 0.2) >= 0 AS q FROM stay WHERE age > 6;
SET dp.keep_releases = 0;
SELECT dp_count('*', 0.2) > -1e6 AS n FROM stay WHERE age > 7;
SET ROLE regress_shared_ben;
SELECT dp_quantile(age, 0.5, 0, 100, 0.1) >= 0 AS q FROM stay WHERE age > 6;
SELECT dp_count('*', 0.1) > -1e6 AS n FROM stay WHERE age > 7;
SET ROLE regress_shared_ana;
SELECT dp_count('*', 0.1, 'gaussian(delta=1e-9)') > -1e6 AS n FROM stay WHERE age > 7;
SET ROLE regress_shared_ben;
SELECT dp_count('*', 0.1, 'gaussian(delta=1e-9)') > -1e6 AS n FROM stay WHERE age > 7;
RESET dp.keep_releases;
SELECT * FROM charged();
-- Groups that were chosen: who is shown them pays for the choice, once.
SET ROLE regress_shared_ana;
SELECT word, dp_count('*', 1e6) FROM stay GROUP BY word;
SELECT word FROM stay WHERE age > 1 GROUP BY word;
SET ROLE regress_shared_ben;
SELECT word, dp_count('*', 1e6) FROM stay GROUP BY word;
SELECT word FROM stay WHERE age > 1 GROUP BY word;
SELECT word, dp_count('*', 1e6) FROM stay GROUP BY word;
SELECT word FROM stay WHERE age > 1 GROUP BY word;
SELECT * FROM charged();
SELECT count(*) > 0 AS listed FROM dp.releases;
-- What a curator is told to call keeps what was said of groups and of answers.
RESET ROLE;
CREATE TABLE small AS SELECT 1 AS a;
SELECT dp.protect('small', 1, 1e-6, group_epsilon => 0.1, group_delta => 1e-9, answer_epsilon => 0.5, reuse => '2 hours', share_answers => true,
    keep_answers => '1 day', keep_answers_mb => 7);
SELECT dp.grant_budget('small', 'regress_shared_ben', 5, allow_leaks => true, answer_epsilon => 0.25);
SET ROLE regress_shared_ben;
SELECT dp_count('*', 2) FROM small;
SELECT dp_count('*', 6) FROM small;
-- Also by an answer without levels first: the choice is paid once, whatever of its groups is asked later.
SET ROLE regress_shared_ana;
SELECT word, dp_count('*', 1e6) AS n, dp_quantile(age, 0.5, 0, 100, 1) >= 0 AS middle FROM stay WHERE age > 2 GROUP BY word;
SET ROLE regress_shared_ben;
SELECT word, dp_quantile(age, 0.5, 0, 100, 1) >= 0 AS middle FROM stay WHERE age > 2 GROUP BY word;
SELECT word, dp_count('*', 1e6) AS n FROM stay WHERE age > 2 GROUP BY word;
SELECT * FROM charged();
-- Whose account is short gets nothing.
SET ROLE regress_shared_cem;
SELECT ward, dp_count('*', 1e6) FROM stay GROUP BY ward;
SELECT * FROM charged();

-- Each role has a note of its own, also in the minute in which another one was shown the same answer.
SET ROLE regress_shared_ana;
SELECT dp_count('*', 1) > -1e6 AS n FROM stay WHERE age > 3;
SELECT dp_count('*', 1) > -1e6 AS n FROM stay WHERE age > 3;
SET ROLE regress_shared_ben;
SELECT dp_count('*', 1) > -1e6 AS n FROM stay WHERE age > 3;
RESET ROLE;
WITH gone AS (DELETE FROM dp.stored_answer WHERE role = 'regress_shared_ben'::regrole AND made_at = (SELECT max(made_at) FROM dp.stored_answer WHERE role = 'regress_shared_ben'::regrole) RETURNING answer_id)
DELETE FROM dp.stored_answer_rows r USING gone WHERE r.answer_id = gone.answer_id;
SET ROLE regress_shared_ben;
SELECT dp_count('*', 1) > -1e6 AS n FROM stay WHERE age > 3;
SELECT dp_count('*', 1) > -1e6 AS n FROM stay WHERE age > 3;
RESET ROLE;
SELECT role, count(*), count(DISTINCT answer_id) AS answers FROM dp.stored_answer_shown WHERE relation = 'stay'::regclass AND query LIKE '%age > 3;' GROUP BY role ORDER BY role::text;
SELECT count(DISTINCT role) AS roles FROM dp.stored_answer_shown WHERE relation = 'stay'::regclass AND query LIKE '%age > 3;' GROUP BY answer_id ORDER BY 1;
SELECT * FROM charged();

-- Without it the same question of another role is another charge.
RESET ROLE;
SELECT dp.protect('stay', 1e9, 1e-3, reuse => '1 day', share_answers => false, group_epsilon => 0);
SET ROLE regress_shared_ana;
SELECT dp_count('*', 0.3) > -1e6 AS n FROM stay WHERE age > 8;
SET ROLE regress_shared_ben;
SELECT dp_count('*', 0.3) > -1e6 AS n FROM stay WHERE age > 8;
SELECT * FROM charged();

-- The budget is gone: an error, or the last answer with its age.
SET ROLE regress_shared_cem;
SELECT dp_count('*', 0.5) AS n FROM stay WHERE age > 9 \gset
SELECT dp_count('*', 0.4) > -1e6 AS n FROM stay WHERE age > 10;
RESET ROLE;
UPDATE dp.stored_answer SET made_at = made_at - interval '50 hours' WHERE relation = 'stay'::regclass;
SELECT * FROM charged();
SET ROLE regress_shared_cem;
SELECT dp_count('*', 0.5) = :n AS same FROM stay WHERE age > 9;
SET dp.on_exhausted = 'last';
SELECT dp_count('*', 0.5) = :n AS same FROM stay WHERE age > 9;
SELECT dp_count('*', 0.7) = :n AS same FROM stay WHERE age > 9;
SELECT dp_count('*', 0.5) FROM stay WHERE age > 11;
-- All of a statement or nothing; what still fits is asked anew.
SELECT (SELECT dp_count('*', 0.5) FROM stay WHERE age > 9) = :n AS same, (SELECT dp_count('*', 0.4) FROM stay WHERE age > 10) > -1e6 AS n;
SELECT (SELECT dp_count('*', 0.5) FROM stay WHERE age > 9), (SELECT dp_count('*', 0.4) FROM stay WHERE age > 11);
SELECT * FROM charged();
SELECT dp_count('*', 0.3) > -1e6 AS n FROM stay WHERE age > 8; -- of others
SET dp.on_exhausted = 'never';
RESET dp.on_exhausted;
-- Not once it is older than what is kept.
RESET ROLE;
UPDATE dp.stored_answer SET made_at = made_at - interval '6 days' WHERE relation = 'stay'::regclass;
SET ROLE regress_shared_cem;
SET dp.on_exhausted = 'last';
SELECT dp_count('*', 0.5) = :n AS same FROM stay WHERE age > 9;
RESET dp.on_exhausted;

-- Limits: too old, and too many, the oldest first.
RESET ROLE;
SELECT count(*) > 0 AS old FROM dp.stored_answer WHERE relation = 'stay'::regclass AND made_at < now() - interval '7 days';
SET ROLE regress_shared_ana;
SELECT dp_count('*', 1) > -1e6 AS n FROM stay WHERE age > 20;
RESET ROLE;
SELECT count(*) FROM dp.stored_answer WHERE relation = 'stay'::regclass;
SELECT dp.protect('stay', 1e9, 1e-3, reuse => '1 day', keep_answers_mb => 1);
SELECT dp.declare_values('stay', 'id', VARIADIC (SELECT array_agg(i) FROM generate_series(1, 10000) i));
SET ROLE regress_shared_ana;
SELECT count(n) AS n, count(total) AS totals FROM (SELECT id, dp_count('*', 1) AS n, dp_sum(age, 0, 100, 1) AS total FROM stay GROUP BY id) q;
SELECT count(n) AS n, count(total) AS totals FROM (SELECT id, dp_count('*', 1) AS n, dp_sum(age, 0, 100, 1) AS total FROM stay WHERE age > 1 GROUP BY id) q;
SELECT count(n) AS n, count(total) AS totals FROM (SELECT id, dp_count('*', 1) AS n, dp_sum(age, 0, 100, 1) AS total FROM stay WHERE age > 2 GROUP BY id) q;
SELECT count(n) AS n, count(total) AS totals FROM (SELECT id, dp_count('*', 1) AS n, dp_sum(age, 0, 100, 1) AS total FROM stay WHERE age > 2 GROUP BY id) q;
RESET ROLE;
SELECT kind FROM charged();
SELECT sum(bytes) <= 1024 * 1024 AS fits, count(*) > 0 AS some FROM dp.stored_answer WHERE relation = 'stay'::regclass;

-- What a curator writes wrongly.
SELECT dp.protect('stay', 1e9, reuse => '0.5 s');
SELECT dp.protect('stay', 1e9, reuse => '-1 day');
SELECT dp.protect('stay', 1e9, reuse => '0');
SELECT dp.protect('stay', 1e9, share_answers => true);
SELECT dp.protect('stay', 1e9, keep_answers => '1 day');
SELECT dp.protect('stay', 1e9, reuse => '1 day', keep_answers => '1 hour');
SELECT dp.protect('stay', 1e9, reuse => '1 day', keep_answers_mb => 0);
SELECT dp.protect('stay', 1e9, 1e-3, reuse => '100000 years');
SELECT relation, reuse_seconds, keep_seconds, keep_bytes, share_answers FROM dp.answer_policy WHERE relation = 'stay'::regclass;
SELECT dp.unprotect('stay');
SELECT count(*) FROM dp.answer_policy WHERE relation = 'stay'::regclass;
DROP TABLE stay, small;
DROP OWNED BY regress_shared_ana, regress_shared_ben, regress_shared_cem;
DROP ROLE regress_shared_ana, regress_shared_ben, regress_shared_cem;
