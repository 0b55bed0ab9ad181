-- The rows of the ledger by table and by number; the releases by number; what DISCARD ALL forgets.
CALL own_schema('budget_ledger_rows');
SET client_min_messages = warning;
CREATE ROLE regress_rows_ana;
CREATE TABLE first_rows AS SELECT i FROM generate_series(1, 10) i;
CREATE TABLE other_rows AS SELECT i FROM generate_series(1, 10) i;
SELECT dp.protect('first_rows', 1e7, 0.1), dp.protect('other_rows', 1e7, min_query_epsilon => 1e-9);
SELECT dp.grant_budget('first_rows', 'regress_rows_ana', 1e7, 0.1, allow_leaks => true);
SELECT coalesce(max(seq), 0) AS before FROM dp.ledger \gset
SELECT dp_count('*', 0.1) IS NULL AS asked FROM first_rows;
SELECT dp_count('*', 0.000000001) IS NULL AS asked FROM other_rows;
SET ROLE regress_rows_ana;
SELECT dp_count('*', 1000000, 'gaussian(delta=1e-12)') IS NULL AS asked FROM first_rows;
SELECT dp_count('*', 12.5) IS NULL AS asked FROM first_rows;
RESET ROLE;

-- The same rows as the view's, in every way of choosing.
CREATE VIEW charges AS SELECT seq, charged_at, role, relation, kind, epsilon, delta, table_epsilon, table_delta, release_id, query, losses, table_losses FROM dp.ledger WHERE kind <> 'reuse';
SELECT l.chosen, count(*), (SELECT count(*) FROM charges v WHERE v.relation = coalesce(l.r, v.relation)
    AND v.seq BETWEEN coalesce(l.a, v.seq) AND coalesce(l.b, v.seq)) AS of_the_view, count(*) FILTER (WHERE o = v) AS same
FROM (VALUES ('of a table', 'first_rows'::regclass, NULL::bigint, NULL::bigint), ('last', NULL, :before + 3, NULL),
        ('of both', 'first_rows', :before + 1, :before + 3), ('none', 'first_rows', :before + 2, :before + 2)) l(chosen, r, a, b)
    LEFT JOIN LATERAL dp.ledger_of(r, a, b) o ON true LEFT JOIN charges v ON v.seq = o.seq
WHERE o.seq IS NOT NULL OR chosen = 'none' GROUP BY l.chosen, l.r, l.a, l.b
ORDER BY 1;
SELECT (SELECT count(*) FROM dp.ledger_of(NULL)) = (SELECT count(*) FROM charges) AS all_of_them;
-- In the shortest form.
SELECT seq - :before AS n, epsilon, delta, table_epsilon FROM dp.ledger_of(NULL, :before + 1) ORDER BY n;
SET ROLE regress_rows_ana;
SELECT seq - :before AS n, epsilon, delta FROM dp.ledger_of('first_rows') ORDER BY n;

-- A release of its own.
SELECT release_id = dp_last_release() AS last, aggregate, epsilon, to_jsonb(r) = to_jsonb(v) - 'table_name' - 'role_name' AS same
FROM dp.release_of(dp_last_release()) r JOIN dp.releases v USING (release_id, aggregate, epsilon);
SELECT count(*) FROM dp.release_of((SELECT release_id FROM dp.ledger_of('first_rows', :before + 1, :before + 1)));
SELECT dp_last_release() AS mine \gset
RESET ROLE;
SELECT count(*) FROM dp.release_of(:mine);
SELECT count(*) FROM dp.release_of(-1);
SELECT * FROM dp.release_of(NULL);
SET SESSION AUTHORIZATION regress_rows_ana;
SELECT count(*) FROM dp.release_of(:mine - 1);

-- A pooler's next client begins without it.
DISCARD PLANS;
SELECT dp_last_release() = :mine AS kept;
DISCARD ALL;
SELECT dp_last_release();
RESET SESSION AUTHORIZATION;
SET search_path = budget_ledger_rows, public;
DROP VIEW charges;
DROP TABLE first_rows, other_rows;
DROP ROLE regress_rows_ana;
