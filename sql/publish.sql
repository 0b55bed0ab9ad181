-- dp.publish: a table that is filled by a private query, period by period. Each is charged once.

CREATE ROLE regress_publish_ana;
CREATE ROLE regress_publish_ben;
GRANT CREATE ON SCHEMA public TO regress_publish_ana;
CREATE TABLE publish_visits AS
    SELECT i, date_trunc('day', now(), 'UTC') - interval '3 days' + i * interval '1 hour' AS admitted, (ARRAY['a', 'b'])[1 + i % 2] AS ward
    FROM generate_series(0, 71) AS i;
ALTER TABLE publish_visits ALTER ward SET NOT NULL;
SELECT dp.protect('publish_visits', 9e9);
SELECT dp.public_values('publish_visits', 'ward', 'a', 'b');
SELECT dp.grant_budget('publish_visits', 'regress_publish_ana', 5e9, allow_leaks => true);

SET ROLE regress_publish_ana;
SELECT dp.publish('publish_daily', $$
    SELECT ward, dp_count('*', 1e6) AS n FROM publish_visits
    WHERE admitted >= dp.period_start() AND admitted < dp.period_end() GROUP BY ward; -- by ward $$, every => '1 day', since => now() - interval '72 hours');
\d publish_daily
SELECT relation, owner, every, delay, running, periods, next_start AT TIME ZONE 'UTC' - date_trunc('day', now() AT TIME ZONE 'UTC') AS next_start, state, failures FROM dp.publications;
SELECT dp.publish_now('publish_daily');
SELECT period_start AT TIME ZONE 'UTC' - date_trunc('day', now() AT TIME ZONE 'UTC') AS start, period_end - period_start AS length, ward, n FROM publish_daily ORDER BY 1, 3;
SELECT kind, count(*), sum(epsilon), min(query) LIKE 'publication %: INSERT INTO public.publish_daily %' AS text FROM dp.ledger GROUP BY kind;
SELECT dp.publish_now('publish_daily');
SELECT state FROM dp.publications;

-- Whoever may read the table reads it for nothing.
GRANT SELECT ON publish_daily TO regress_publish_ben;
SET ROLE regress_publish_ben;
SELECT count(*) > 0 AS read FROM publish_daily;
SELECT count(*) FROM dp.publications;
SELECT dp.publish_now('publish_daily');
SELECT dp.unpublish('publish_daily');
SET ROLE regress_publish_ana;

-- What was drawn stays drawn, and paid, after a ROLLBACK: the same numbers come again.
SELECT dp.publish('publish_again', $$SELECT ward, dp_count('*', 0.01) AS n FROM publish_visits
    WHERE admitted >= dp.period_start() AND admitted < dp.period_end() GROUP BY ward$$, '1 day', now() - interval '72 hours') IS NULL AS made;
BEGIN;
SELECT dp.publish_now('publish_again');
SELECT string_agg(n::text, ' ' ORDER BY period_start, ward) AS seen FROM publish_again \gset
ROLLBACK;
SELECT count(*) FROM publish_again;
SELECT dp.publish_now('publish_again');
SELECT string_agg(n::text, ' ' ORDER BY period_start, ward) = :'seen' AS same FROM publish_again;
SELECT count(*), sum(epsilon) FROM dp.ledger l JOIN dp.publications p ON l.query LIKE format('publication %s, %%', publication_id)
WHERE p.relation = 'publish_again'::regclass;

-- So it does after an error above the answer, and where a function of the asker's has seen it.
CREATE SEQUENCE publish_seen;
CREATE FUNCTION publish_peek(n bigint) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
    PERFORM setval('publish_seen', 1000000 + n);
    RETURN 1 / (n - (SELECT last_value - 1000000 FROM publish_seen));
END $$;
SELECT dp.publish('publish_peeked', $$SELECT publish_peek(n) AS n FROM (SELECT dp_count('*', 0.01) AS n FROM publish_visits
    WHERE admitted >= dp.period_start() AND admitted < dp.period_end()) AS a$$, '1 day', now() - interval '24 hours') IS NULL AS made;
SELECT dp.publish_now('publish_peeked');
SELECT last_value AS seen FROM publish_seen \gset
SELECT dp.publish_now('publish_peeked');
SELECT last_value = :seen AS same FROM publish_seen;
SELECT count(*) FROM dp.ledger l JOIN dp.publications p ON l.query LIKE format('publication %s, %%', publication_id)
WHERE p.relation = 'publish_peeked'::regclass;

-- A crash between the charge and the answer leaves the charge: the next attempt draws, and pays nothing.
RESET ROLE;
DELETE FROM dp.publication_draw WHERE publication_id = (SELECT publication_id FROM dp.publications WHERE relation = 'publish_peeked'::regclass);
SELECT dp.forget_answers('publish_visits');
SET ROLE regress_publish_ana;
CREATE OR REPLACE FUNCTION publish_peek(n bigint) RETURNS bigint RETURN n;
SELECT dp.publish_now('publish_peeked');
SELECT count(*) FROM dp.ledger l JOIN dp.publications p ON l.query LIKE format('publication %s, %%', publication_id)
WHERE p.relation = 'publish_peeked'::regclass;

-- An answer that was drawn and is stored no more, or to another question, is paid anew.
CREATE VIEW publish_view AS SELECT dp_count('*', 0.01) AS n FROM publish_visits WHERE admitted >= dp.period_start() AND admitted < dp.period_end();
SELECT dp.publish('publish_changed', 'SELECT n FROM publish_view', '1 day', now() - interval '24 hours') IS NULL AS made;
BEGIN;
SELECT dp.publish_now('publish_changed');
ROLLBACK;
CREATE OR REPLACE VIEW publish_view AS SELECT dp_count('*', 0.01) AS n FROM publish_visits WHERE admitted >= dp.period_start() AND admitted < dp.period_end() AND i > 3;
BEGIN;
SELECT dp.publish_now('publish_changed');
ROLLBACK;
RESET ROLE;
SELECT dp.forget_answers('publish_visits');
SET ROLE regress_publish_ana;
SELECT dp.publish_now('publish_changed');
SELECT count(*) FROM dp.ledger l JOIN dp.publications p ON l.query LIKE format('publication %s, %%', publication_id)
WHERE p.relation = 'publish_changed'::regclass;

-- It runs as who has published it, with no more rights than that, whoever publishes a period.
SELECT dp.publish('publish_who', 'SELECT current_user::text AS who', '1 day', now() - interval '24 hours');
SELECT dp.publish('publish_rights', $$SELECT set_config('role', 'none', true) AS who$$, '1 day', now() - interval '24 hours');
RESET ROLE;
SELECT dp.publish_now('publish_who');
SELECT who FROM publish_who;
SELECT dp.publish_now('publish_rights');
SET ROLE regress_publish_ana;

-- The owner of the table is not the one who made it any more.
RESET ROLE;
ALTER TABLE publish_daily OWNER TO regress_publish_ben;
UPDATE dp.publication SET next_start = next_start - interval '1 day', next_end = next_end - interval '1 day' WHERE relation = 'publish_daily'::regclass;
SELECT dp.publish_now('publish_daily');
ALTER TABLE publish_daily OWNER TO regress_publish_ana;

-- No budget: nothing is published, and the period waits.
SELECT dp.grant_budget('publish_visits', 'regress_publish_ana', 1e-5);
SET ROLE regress_publish_ana;
\set VERBOSITY sqlstate
SELECT dp.publish_now('publish_daily');
\set VERBOSITY default
RESET ROLE;
SELECT dp.grant_budget('publish_visits', 'regress_publish_ana', 5e9);
SET ROLE regress_publish_ana;
SELECT dp.publish_now('publish_daily');

-- Mistakes.
SELECT dp.publish('publish_no', 'DELETE FROM publish_visits', '1 day');
SELECT dp.publish('publish_no', 'SELECT 1; SELECT 2', '1 day');
SELECT dp.publish('publish_no', 'SELECT i FROM publish_visits', '1 day');
SELECT dp.publish('publish_no', 'WITH d AS (DELETE FROM publish_daily RETURNING n) SELECT n FROM d', '1 day');
SELECT dp.publish('publish_no', 'SELECT 1 AS n', '30 seconds');
SELECT dp.publish('publish_no', 'SELECT 1 AS n', '1 month 1 day');
SELECT dp.publish('publish_no', 'SELECT 1 AS n', '1 day', 'infinity');
SELECT dp.publish('publish_no', 'SELECT 1 AS n', '1 day', delay => '-1 hour');
SELECT dp.publish('publish_no', NULL, '1 day');
SELECT dp.publish('publish_daily', 'SELECT 1 AS n', '1 day');
SELECT dp.publish_now('publish_visits');
SELECT dp.publish('publish_nested', $$SELECT dp.publish_now('publish_daily') AS n$$, '1 day', now() - interval '24 hours');
SELECT dp.publish_now('publish_nested');
SELECT count(*) FROM dp.publication;

-- A delay, months, and outside a publication yesterday.
SELECT dp.publish('publish_late', 'SELECT dp.period_start() AS s', '1 month', date_trunc('month', now()) - interval '1 month', delay => '2 months');
SELECT dp.publish_now('publish_late');
SELECT next_end AT TIME ZONE 'UTC' + delay = next_run AT TIME ZONE 'UTC' AS later, state FROM dp.publications WHERE relation = 'publish_late'::regclass;
SELECT dp.period_end() - dp.period_start(), dp.period_end() <= now(), extract(hour FROM dp.period_start() AT TIME ZONE 'UTC');
SELECT dp.unpublish('publish_late'), dp.unpublish('publish_daily');
SELECT count(*) FROM publish_daily;

RESET ROLE;
SELECT count(*) FROM dp.publication_draw;
SELECT count(*) FROM dp.stored_answer WHERE relation = 'publish_visits'::regclass;
DROP TABLE publish_daily, publish_again, publish_peeked, publish_changed, publish_nested, publish_late, publish_who, publish_rights;
SELECT count(*) FROM dp.publications;
DELETE FROM dp.publication;
DROP VIEW publish_view;
DROP FUNCTION publish_peek;
DROP SEQUENCE publish_seen;
DROP TABLE publish_visits;
REVOKE CREATE ON SCHEMA public FROM regress_publish_ana;
DROP ROLE regress_publish_ana, regress_publish_ben;
