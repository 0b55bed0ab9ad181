-- dp.publish(running => true): totals of all periods so far, charged once for all.

CREATE ROLE regress_totals_ana;
GRANT CREATE ON SCHEMA public TO regress_totals_ana;
CREATE TABLE totals_visits AS
    SELECT i, (now() AT TIME ZONE 'UTC')::date - 12 + i / 24 AS admitted, now() AS changed, (ARRAY['a', 'b'])[1 + i % 2] AS ward, i % 7 AS days
    FROM generate_series(0, 239) AS i;
ALTER TABLE totals_visits ALTER ward SET NOT NULL;
SELECT dp.protect('totals_visits', 9e9, 0.1);
SELECT dp.public_values('totals_visits', 'ward', 'a', 'b');
SELECT dp.grant_budget('totals_visits', 'regress_totals_ana', 5e9, 0.1, allow_leaks => true);
SET ROLE regress_totals_ana;

-- A row must count in one period, and the curator sees to it that it does.
SELECT dp.publish('totals', $$SELECT ward, dp_count('*', 1e6, 'gaussian(delta=1e-9)') AS n, dp_sum(days, 0, 10, 1e6, 'gaussian(delta=1e-9)') AS s,
    dp_sum(days::float8 / 4, 0, 10, 1e6, 'gaussian(delta=1e-9)') AS r FROM totals_visits
    WHERE admitted >= dp.period_start() AND admitted < dp.period_end() GROUP BY ward$$, '1 day', now() - interval '288 hours', running => true);
SELECT dp.fix_column('totals_visits', 'admitted');
RESET ROLE;
SELECT dp.fix_column('totals_visits', 'no_column');
SELECT dp.fix_column('totals_visits', 'admitted');
UPDATE totals_visits SET admitted = '2026-02-01' WHERE i = 0;
UPDATE totals_visits SET days = days WHERE i = 0;
SET ROLE regress_totals_ana;
SELECT dp.publish('totals', $$SELECT ward, dp_count('*', 1e6, 'gaussian(delta=1e-9)') AS n, dp_sum(days, 0, 10, 1e6, 'gaussian(delta=1e-9)') AS s,
    dp_sum(days::float8 / 4, 0, 10, 1e6, 'gaussian(delta=1e-9)') AS r FROM totals_visits
    WHERE admitted >= dp.period_start() AND dp.period_end() > admitted GROUP BY ward$$, '1 day', now() - interval '288 hours', running => true);
SELECT dp.publish_now('totals');
SELECT period_start AT TIME ZONE 'UTC' - date_trunc('day', now() AT TIME ZONE 'UTC') AS start, ward, n, s, abs(r - s / 4.0) < 0.3 AS r FROM totals ORDER BY 1, 2;
SELECT ward, count(*) FILTER (WHERE days IS NOT NULL) AS n, sum(days) AS s, sum(days) / 4.0 AS r FROM
    (SELECT (ARRAY['a', 'b'])[1 + i % 2] AS ward, i % 7 AS days FROM generate_series(0, 239) AS i) AS v GROUP BY ward ORDER BY ward;
SELECT kind, epsilon, delta, table_epsilon FROM dp.ledger;
SELECT array_length(total_errors, 1), total_errors[1] < 0.01 AS small FROM dp.publications;

-- A ROLLBACK takes nothing back of what was drawn: the same totals again, and those after them go on from these.
SELECT dp.publish('totals_small', $$SELECT dp_count('*', 0.5, 'gaussian(delta=1e-6)') AS n FROM totals_visits
    WHERE admitted >= dp.period_start()::date AND admitted < dp.period_end()::date$$, '1 day', now() - interval '48 hours', running => true) IS NULL AS made;
BEGIN;
SELECT dp.publish_now('totals_small');
SELECT string_agg(n::text, ' ' ORDER BY period_start) AS seen FROM totals_small \gset
ROLLBACK;
SELECT dp.publish_now('totals_small');
SELECT string_agg(n::text, ' ' ORDER BY period_start) = :'seen' AS same FROM totals_small;
SELECT count(*), sum(epsilon) FROM dp.ledger l JOIN dp.publications p ON l.query LIKE format('publication %s, %%', publication_id)
WHERE p.relation = 'totals_small'::regclass;

-- What cannot be told once for all periods.
SELECT dp.publish('totals_no', $$SELECT dp_count('*', 1) AS n FROM totals_visits$$, '1 day', running => true);
SELECT dp.publish('totals_no', $$SELECT dp_count('*', 1) AS n FROM totals_visits WHERE admitted >= dp.period_start() OR admitted < dp.period_end()$$, '1 day', running => true);
SELECT dp.publish('totals_no', $$SELECT dp_count('*', 1) AS n FROM totals_visits WHERE admitted >= dp.period_start() - interval '1 day' AND admitted < dp.period_end()$$, '1 day', running => true);
SELECT dp.publish('totals_no', $$SELECT dp_count('*', 1) AS n FROM totals_visits WHERE admitted >= dp.period_start()::date AND admitted < dp.period_end()$$, '1 hour', running => true);
SELECT dp.publish('totals_no', $$SELECT dp_count('*', 1) AS n FROM totals_visits WHERE admitted > dp.period_start() AND admitted <= dp.period_end()$$, '1 day', running => true);
SELECT dp.publish('totals_no', $$SELECT dp_count('*', 1) AS n FROM totals_visits WHERE admitted >= dp.period_start() AND changed < dp.period_end()$$, '1 day', running => true);
SELECT dp.publish('totals_no', $$SELECT dp_count('*', 1) AS n FROM totals_visits WHERE changed >= dp.period_start() AND changed < dp.period_end()$$, '1 day', running => true);
SELECT dp.publish('totals_no', $$SELECT dp_count('*', 1) + (SELECT dp_count('*', 1) FROM totals_visits) AS n FROM totals_visits
    WHERE admitted >= dp.period_start() AND admitted < dp.period_end()$$, '1 day', running => true);
SELECT dp.publish('totals_no', 'SELECT 1 AS n', '1 day', running => true);

-- Found when it runs.
CREATE FUNCTION totals_try(query text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM dp.publish('totals_try', query, '1 day', now() - interval '24 hours', running => true);
    PERFORM dp.publish_now('totals_try');
    RAISE 'published';
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
SELECT totals_try($$SELECT dp_avg(days, 0, 10, 1, 'gaussian(delta=1e-6)') AS n FROM totals_visits WHERE admitted >= dp.period_start() AND admitted < dp.period_end()$$);
SELECT totals_try($$SELECT dp_count('*', 1, 'laplace') AS n FROM totals_visits WHERE admitted >= dp.period_start() AND admitted < dp.period_end()$$);
SELECT totals_try($$SELECT dp_error(dp_count('*', 1, 'gaussian(delta=1e-6)')) AS n FROM totals_visits WHERE admitted >= dp.period_start() AND admitted < dp.period_end()$$);
SELECT totals_try($$SELECT days, dp_count('*', 1, 'gaussian(delta=1e-6)') AS n FROM totals_visits WHERE admitted >= dp.period_start() AND admitted < dp.period_end() GROUP BY days$$);
SELECT totals_try($$SELECT set_config('TimeZone', 'Asia/Tokyo', true) AS z, dp_count('*', 1, 'gaussian(delta=1e-6)') AS n FROM totals_visits WHERE admitted >= dp.period_start() AND admitted < dp.period_end()$$);
SELECT totals_try($$SELECT dp_count('*', 1, 'gaussian(delta=1e-6)') AS n FROM totals_visits, generate_series(1, 3) WHERE admitted >= dp.period_start() AND admitted < dp.period_end()$$);
CREATE VIEW totals_other AS SELECT dp_count('*', 1, 'gaussian(delta=1e-6)') AS n FROM totals_visits;
SELECT totals_try($$SELECT dp_count('*', 1, 'gaussian(delta=1e-6)') + (SELECT n FROM totals_other) AS n FROM totals_visits WHERE admitted >= dp.period_start() AND admitted < dp.period_end()$$);
CREATE FUNCTION totals_beside() RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$BEGIN RETURN (SELECT dp_count('*', 1, 'gaussian(delta=1e-6)') FROM totals_visits); END$$;
SELECT totals_try($$SELECT dp_count('*', 1, 'gaussian(delta=1e-6)') + totals_beside() AS n FROM totals_visits WHERE admitted >= dp.period_start() AND admitted < dp.period_end()$$);

SELECT dp.publish('totals_zone', $$SELECT dp_count('*', 1, 'gaussian(delta=1e-6)') AS n FROM totals_visits WHERE admitted >= dp.period_start() AND admitted < dp.period_end()$$,
    '1 day', now() - interval '24 hours', running => true) IS NULL AS made;
CREATE FUNCTION totals_zone() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN PERFORM set_config('TimeZone', 'Asia/Tokyo', true); RETURN NULL; END$$;
CREATE TRIGGER first BEFORE INSERT ON totals_zone EXECUTE FUNCTION totals_zone();
SELECT dp.publish_now('totals_zone');
DROP TABLE totals_zone;
DROP FUNCTION totals_zone;

-- Budgets and units that change afterwards.
RESET ROLE;
UPDATE dp.publication SET next_start = now() - interval '24 hours', next_end = now() - interval '1 minute' WHERE relation = 'totals_small'::regclass;
SELECT dp.protect('totals_visits', 9e9, 0.1, period => '1 year');
SET ROLE regress_totals_ana;
SELECT dp.publish_now('totals_small');
RESET ROLE;
SELECT dp.protect('totals_visits', 9e9, 0.1, period => '0', privacy_unit => 'i', max_rows_per_unit => 3);
SET ROLE regress_totals_ana;
SELECT dp.publish_now('totals_small');
RESET ROLE;
SELECT dp.protect('totals_visits', 9e9, 0.1, privacy_unit => '');
ALTER TABLE totals_visits DISABLE TRIGGER "~dp_keeps_admitted";
SET ROLE regress_totals_ana;
SELECT dp.publish_now('totals_small');
RESET ROLE;
ALTER TABLE totals_visits ENABLE ALWAYS TRIGGER "~dp_keeps_admitted";
CREATE FUNCTION totals_change() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN new.admitted := '2026-01-01'; RETURN new; END$$;
CREATE TRIGGER "~e_later" BEFORE UPDATE ON totals_visits FOR EACH ROW EXECUTE FUNCTION totals_change();
SET ROLE regress_totals_ana;
SELECT dp.publish_now('totals_small');
RESET ROLE;
DROP TRIGGER "~e_later" ON totals_visits;
DROP FUNCTION totals_change;

-- An answer that was drawn and is stored no more is not drawn again.
SET ROLE regress_totals_ana;
BEGIN;
SELECT dp.publish_now('totals_small');
ROLLBACK;
RESET ROLE;
SELECT dp.forget_answers('totals_visits');
SET ROLE regress_totals_ana;
SELECT dp.publish_now('totals_small');
SELECT count(*), sum(epsilon) FROM dp.ledger l JOIN dp.publications p ON l.query LIKE format('publication %s, %%', publication_id)
WHERE p.relation = 'totals_small'::regclass;

-- How far they are off is what dp.publications says: 400 groups, of which 95 of 100 within it; and where divergences are counted.
RESET ROLE;
CREATE TABLE totals_many (day date NOT NULL, g int NOT NULL);
SELECT dp.protect('totals_many', 9e9, 1e-6, accountant => 'renyi');
SELECT dp.public_values('totals_many', 'g', VARIADIC ARRAY(SELECT generate_series(1, 400)));
SELECT dp.fix_column('totals_many', 'day');
SELECT dp.publish('totals_off', $$SELECT g, dp_count('*', 0.1) AS n FROM totals_many WHERE day >= dp.period_start() AND day < dp.period_end() GROUP BY g$$,
    '1 day', now() - interval '768 hours', running => true);
SELECT dp.publish_now('totals_off');
SELECT sqrt(avg(n::float8 ^ 2)) / (total_errors[1] / 1.96) BETWEEN 0.85 AND 1.15 AS as_said, avg((abs(n) <= total_errors[1])::int) BETWEEN 0.9 AND 0.99 AS held,
    total_errors[1] BETWEEN 1.96 * 24.5 AND 1.96 * 26.5 AS error
FROM totals_off, dp.publications p WHERE relation = 'totals_off'::regclass AND period_start = (SELECT max(period_start) FROM totals_off) GROUP BY total_errors;
SELECT kind, epsilon, losses FROM dp.ledger WHERE relation = 'totals_many'::regclass;

-- What the first period has paid for, all others are: by whatever a setting, an account or a name says meanwhile.
SET client_min_messages = error;
CREATE SCHEMA totals_mine;
GRANT ALL ON SCHEMA totals_mine TO regress_totals_ana;
CREATE TABLE totals_rows AS SELECT now() - interval '24 hours' AS at;
CREATE TABLE totals_mine.totals_rows AS TABLE totals_rows;
SELECT dp.protect(t, 9e9, 0.1), dp.fix_column(t, 'at'), dp.grant_budget(t, 'regress_totals_ana', 5e9, 0.1, allow_leaks => true, answer_epsilon => 0.01)
FROM unnest('{totals_rows,totals_mine.totals_rows}'::regclass[]) AS t \g /dev/null
SET ROLE regress_totals_ana;
SET search_path = totals_mine, public;
SET dp.mechanism = 'gaussian(delta=1e-6)';
SET totals.epsilon = '0.01';
SELECT dp.publish('totals_paid', $$SELECT dp_count('*', current_setting('totals.epsilon')::float8, 'gaussian(delta=1e-6)') AS n FROM totals_rows
    WHERE at >= dp.period_start() AND at < dp.period_end()$$, '1 day', now() - interval '24 hours', running => true) IS NULL AS made;
SELECT dp.publish('totals_plain', $$SELECT count(*) AS n FROM totals_rows WHERE at >= dp.period_start() AND at < dp.period_end()$$,
    '1 day', now() - interval '24 hours', running => true) IS NULL AS made;
SELECT dp.publish_now('totals_paid'), dp.publish_now('totals_plain');
RESET ROLE;
UPDATE dp.publication SET delay = '-1 day' WHERE relation IN ('totals_paid'::regclass, 'totals_plain'::regclass);
SELECT dp.grant_budget('totals_rows', 'regress_totals_ana', answer_epsilon => 0.02);
SET ROLE regress_totals_ana;
SET totals.epsilon = '100000';
SELECT dp.publish_now('totals_paid');
SELECT dp.publish_now('totals_plain');
RESET ROLE;
SELECT dp.grant_budget('totals_rows', 'regress_totals_ana', answer_epsilon => 0.01);
SET search_path = public;
SET ROLE regress_totals_ana;
SET totals.epsilon = '0.01';
SELECT dp.publish_now('totals_mine.totals_plain');
RESET ROLE;
DROP TABLE totals_mine.totals_rows;
SET ROLE regress_totals_ana;
SELECT dp.publish_now('totals_mine.totals_paid');
RESET ROLE;
SELECT count(*), sum(epsilon) FROM dp.ledger WHERE query LIKE '%totals_rows%';

-- A person has one row of a subquery in each period, and rows in many; where persons have one row, they are as rows are.
CREATE TABLE totals_people AS SELECT i % 10 AS person, now() - interval '1 hour' * i AS at FROM generate_series(1, 100) AS i;
SELECT dp.protect('totals_people', 9e9, 0.1, privacy_unit => 'person', max_rows_per_unit => 5), dp.fix_column('totals_people', 'at'),
    dp.grant_budget('totals_people', 'regress_totals_ana', 5e9, 0.1, allow_leaks => true) \g /dev/null
CREATE VIEW totals_asked AS SELECT format('SELECT dp_count(''*'', 1, ''gaussian(delta=1e-6)'') AS n FROM (%s) AS q', replace(q, 'ROWS', 'totals_people WHERE at >= dp.period_start() AND at < dp.period_end()')) AS query
FROM unnest(ARRAY['SELECT person, count(*) FROM ROWS GROUP BY person', 'SELECT DISTINCT person FROM ROWS', 'SELECT DISTINCT ON (person) * FROM ROWS ORDER BY person, at',
    'SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY person ORDER BY at) AS r FROM ROWS) AS w WHERE r = 1']) AS q;
GRANT SELECT ON totals_asked TO regress_totals_ana;
SET ROLE regress_totals_ana;
SELECT totals_try(query) FROM totals_asked;
RESET ROLE;
DELETE FROM totals_people WHERE at < now() - interval '10 hours';
ALTER TABLE totals_people ADD UNIQUE (person);
SET ROLE regress_totals_ana;
SELECT dp.publish('totals_persons', (SELECT min(query) FROM totals_asked), '1 day', now() - interval '24 hours', running => true) IS NULL AS made;
SELECT dp.publish_now('totals_persons');
RESET ROLE;
DROP VIEW totals_asked;
DROP TABLE totals_people;

-- What was drawn by a transaction that was rolled back with its publication goes when another one is made, or ends.
SET ROLE regress_totals_ana;
BEGIN;
SELECT dp.publish('totals_gone', $$SELECT dp_count('*', 0.5, 'gaussian(delta=1e-6)') AS n FROM totals_visits
    WHERE admitted >= dp.period_start()::date AND admitted < dp.period_end()::date$$, '1 day', now() - interval '48 hours', running => true) IS NULL AS made;
SELECT dp.publish_now('totals_gone') > 0 AS published;
ROLLBACK;
RESET ROLE;
SELECT count(*) AS gone FROM (SELECT publication_id FROM dp.publication_draw UNION SELECT publication_id FROM dp.publication_number EXCEPT SELECT publication_id FROM dp.publications) AS gone;
SELECT dp.unpublish('totals_persons');
SELECT count(*) AS gone FROM (SELECT publication_id FROM dp.publication_draw UNION SELECT publication_id FROM dp.publication_number EXCEPT SELECT publication_id FROM dp.publications) AS gone;
SELECT dp.unpublish(relation) FROM dp.publications;
SELECT count(*) FROM dp.publication_draw;
SELECT count(*) FROM dp.publication_number;
DROP SCHEMA totals_mine CASCADE;
DROP TABLE totals_rows;
DROP TABLE totals_persons, totals, totals_small, totals_off, totals_many;
DROP FUNCTION totals_try, totals_beside;
DROP VIEW totals_other;
DROP TABLE totals_visits;
REVOKE CREATE ON SCHEMA public FROM regress_totals_ana;
DROP ROLE regress_totals_ana;
