-- One aggregate asked several times at different epsilons, and aggregates in another order than those of the release that holds their noise:
-- each noise is drawn once along its path, paid as its finest level, and shown as the answer of its own aggregate.
CALL own_schema('reuse_twice');
SET client_min_messages = warning;
CREATE ROLE regress_twice_ana;
CREATE ROLE regress_twice_ben;
CREATE TABLE stay (id int PRIMARY KEY, ward text NOT NULL, cost numeric NOT NULL);
INSERT INTO stay SELECT i, (ARRAY['a', 'b', 'c'])[1 + i % 3], i % 50 FROM generate_series(1, 600) i;
SELECT dp.protect('stay', 1e9, 1e-3, reuse => '1 day', share_answers => true);
SELECT dp.grant_budget('stay', r, 1e9, 1e-3, allow_leaks => true) FROM unnest(ARRAY['regress_twice_ana', 'regress_twice_ben']::regrole[]) r;
SELECT dp.declare_values('stay', 'ward', 'a', 'b', 'c');
CREATE TABLE seen_charges (seq bigint);
CREATE FUNCTION charged(OUT kind text, OUT epsilon numeric, OUT table_epsilon numeric) RETURNS SETOF record LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    RETURN QUERY SELECT l.kind, l.epsilon, l.table_epsilon FROM dp.ledger l
        WHERE l.relation = 'reuse_twice.stay'::regclass AND l.seq > (SELECT coalesce(max(s.seq), 0) FROM reuse_twice.seen_charges s) ORDER BY l.seq;
    INSERT INTO reuse_twice.seen_charges SELECT max(l.seq) FROM dp.ledger l;
END $$;

-- Finer three times at once: one level, the finest, for its difference. Two that were drawn from the first one would be worth more.
SET ROLE regress_twice_ana;
SELECT dp_count('*', 0.001) > -1e9 AS n FROM stay;
SELECT a = b AND b = c AS same FROM (SELECT dp_count('*', 0.002) AS a, dp_count('*', 0.004) AS b, dp_count('*', 0.003) AS c FROM stay) q;
SELECT * FROM charged();
SELECT max(release_id) AS release FROM dp.ledger WHERE relation = 'stay'::regclass \gset
SELECT epsilon FROM relax_release(:release, 0.002);
SELECT epsilon FROM relax_release(:release, 0.004);
-- The same for another role, which pays for one level too.
SET ROLE regress_twice_ben;
SELECT a = b AS same FROM (SELECT dp_count('*', 0.002) AS a, dp_count('*', 0.004) AS b FROM stay) q;
SELECT * FROM charged();
-- Both were drawn apart; again the finer one is shown for both.
SET ROLE regress_twice_ana;
SELECT dp_count('*', 0.01) AS a, dp_count('*', 0.02) AS b FROM stay WHERE id > 1 \gset
SELECT dp_count('*', 0.01) = :b AS a, dp_count('*', 0.02) = :b AS b FROM stay WHERE id > 1;
SELECT * FROM charged();

-- In another order, finer; then one of them, finer again.
SELECT count(n) + count(s) AS answers FROM (SELECT ward, dp_count('*', 0.001) AS n, dp_sum(cost, 0, 50, 0.001) AS s FROM stay GROUP BY ward) q;
SELECT count(n) + count(s) AS answers FROM (SELECT ward, dp_sum(cost, 0, 50, 1e3) AS s, dp_count('*', 1e3) AS n FROM stay GROUP BY ward) q;
SELECT ward, round(dp_sum(cost, 0, 50, 1e6), 1) AS s FROM stay GROUP BY ward ORDER BY ward;
SELECT ward, dp_count('*', 1e5) AS n, round(dp_sum(cost, 0, 50, 1e6), 1) AS s FROM stay GROUP BY ward ORDER BY ward;
SELECT * FROM charged();
-- Of one of them that was made finer, the other one.
SELECT count(n) + count(s) AS answers FROM (SELECT ward, dp_count('*', 0.001) AS n, dp_sum(cost, 0, 50, 0.001) AS s FROM stay WHERE id > 0 GROUP BY ward) q;
SELECT count(s) AS answers FROM (SELECT ward, dp_sum(cost, 0, 50, 1e3) AS s FROM stay WHERE id > 0 GROUP BY ward) q;
SELECT ward, round(dp_sum(cost, 0, 50, 1e6), 1) AS s FROM stay WHERE id > 0 GROUP BY ward ORDER BY ward;
SELECT ward, dp_count('*', 1e6) AS n FROM stay WHERE id > 0 GROUP BY ward ORDER BY ward;
SELECT * FROM charged();
RESET ROLE;
SELECT dp.unprotect('stay');
DROP TABLE stay, seen_charges;
DROP OWNED BY regress_twice_ana, regress_twice_ben;
DROP ROLE regress_twice_ana, regress_twice_ben;
