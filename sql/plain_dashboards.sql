-- What 200 statements of dashboards cost: each shape of a chart by each key and under each filter, asked by a role that pays .1 for an answer
-- that names no price. `before`: as long as each aggregate paid for itself, as its number says. `after`: what the ledger has.
CALL own_schema('plain_dashboards');
SET client_min_messages = warning;
CREATE TABLE visits (visit_id int PRIMARY KEY, ward text NOT NULL, status text NOT NULL, age int NOT NULL, cost numeric(10, 2), admitted timestamp NOT NULL);
INSERT INTO visits SELECT i, (ARRAY['cardiology', 'oncology', 'surgery'])[1 + i % 3], (ARRAY['new', 'seen', 'paid', 'closed', 'lost'])[1 + i % 5], i % 100, nullif(i * 37 % 50000, 0),
    timestamp '2024-01-01' + i * interval '3 hours' FROM generate_series(0, 2900) i;
CREATE ROLE regress_dashboards_ana;
SELECT dp.protect('visits', 1e6);
SELECT dp.grant_budget('visits', 'regress_dashboards_ana', 1e6, allow_leaks => true, answer_epsilon => 0.1);
SELECT dp.declare_values('visits', 'ward', 'cardiology', 'oncology', 'surgery'), dp.declare_values('visits', 'status', 'new', 'seen', 'paid', 'closed', 'lost'),
    dp.declare_range('visits', 'age', 0, 99), dp.declare_range('visits', 'cost', 0, 50000), dp.declare_range('visits', 'admitted', '2024-01-01', '2024-12-31');
CREATE TABLE shape (name text PRIMARY KEY, aggregates int, list text);
INSERT INTO shape VALUES
    ('a count', 1, 'count(*) AS n'),
    ('an average beside its count', 2, 'count(*) AS n, avg(age) AS years'),
    ('count, sum and average', 3, 'count(*) AS n, sum(cost) AS total, round(avg(cost), 2) AS mean'),
    ('two measures', 5, 'count(*) AS n, sum(cost) AS total, avg(cost) AS mean, sum(age) AS years, avg(age) AS old'),
    ('with the deviation', 4, 'count(*) AS n, avg(cost) AS mean, stddev(cost) AS s, sum(cost) * 1.19 AS gross'),
    ('how many are missing', 3, 'count(*) AS n, count(cost) AS known, count(*) - count(cost) AS missing, avg(cost) AS mean'),
    ('a pivot by FILTER', 5, $$count(*) FILTER (WHERE status = 'new') AS "new", count(*) FILTER (WHERE status = 'seen') AS seen, count(*) FILTER (WHERE status = 'paid') AS paid,
        count(*) FILTER (WHERE status = 'closed') AS closed, count(*) FILTER (WHERE status = 'lost') AS lost$$),
    ('a pivot by CASE', 3, $$sum(CASE WHEN age < 18 THEN 1 ELSE 0 END) AS young, sum(CASE WHEN age BETWEEN 18 AND 64 THEN 1 ELSE 0 END) AS grown, sum(CASE WHEN age >= 65 THEN 1 ELSE 0 END) AS old$$),
    ('a share', 2, $$100.0 * count(*) FILTER (WHERE status = 'paid') / nullif(count(*), 0) AS paid$$),
    ('conditions that overlap', 3, $$count(*) FILTER (WHERE age >= 18) AS grown, count(*) FILTER (WHERE age >= 65) AS old, count(*) AS n$$);
CREATE TABLE chart (number int GENERATED ALWAYS AS IDENTITY, shape text, query text);
INSERT INTO chart (shape, query)
SELECT name, format('SELECT %s%s FROM visits%s%s', key || ', ', list, ' WHERE ' || condition, ' GROUP BY ' || key || ' ORDER BY 1')
FROM shape, unnest(ARRAY[NULL, 'ward', 'status', 'date_trunc(''month'', admitted)', 'ward, age / 10']) AS key,
    unnest(ARRAY[NULL, 'ward = ''surgery''', 'admitted >= ''2024-06-01''', 'age > 30 AND cost > 100']) AS condition;
SELECT count(*) FROM chart;
CREATE TABLE paid (number int, epsilon numeric, failed text);
GRANT SELECT ON chart TO regress_dashboards_ana;
GRANT INSERT ON paid TO regress_dashboards_ana;
-- Each statement for itself, and what it added to the role's account.
CREATE PROCEDURE ask() LANGUAGE plpgsql AS $$
DECLARE
    one record;
    before numeric;
    why text;
BEGIN
    FOR one IN SELECT * FROM chart ORDER BY number LOOP
        SELECT sum(epsilon_spent) INTO before FROM dp.budgets WHERE relation = 'visits'::regclass AND role = 'regress_dashboards_ana'::regrole;
        why := NULL;
        SET LOCAL ROLE regress_dashboards_ana;
        BEGIN
            EXECUTE format('CREATE TEMP TABLE shown ON COMMIT DROP AS %s', one.query);
            DROP TABLE shown;
        EXCEPTION WHEN others THEN
            why := sqlerrm;
        END;
        RESET ROLE;
        INSERT INTO paid SELECT one.number, sum(epsilon_spent) - before, why FROM dp.budgets WHERE relation = 'visits'::regclass AND role = 'regress_dashboards_ana'::regrole;
    END LOOP;
END $$;
CALL ask();
SELECT query, failed FROM paid JOIN chart USING (number) WHERE failed IS NOT NULL LIMIT 5;
SELECT shape, count(*) AS statements, sum(aggregates) AS aggregates, sum(aggregates) * 0.1 AS before, sum(epsilon) AS after, min(epsilon) AS least, max(epsilon) AS most
FROM paid JOIN chart USING (number) JOIN shape ON shape.name = shape GROUP BY GROUPING SETS ((shape), ()) ORDER BY shape;
-- The same of people with several visits, of which nobody has said how many count: the limits of the same rows are chosen for one price.
SET client_min_messages = error;
ALTER TABLE visits ADD person int NOT NULL DEFAULT 0;
UPDATE visits SET person = visit_id % 700;
SELECT dp.protect('visits', privacy_unit => 'person');
TRUNCATE paid;
CALL ask();
SELECT query, failed FROM paid JOIN chart USING (number) WHERE failed IS NOT NULL LIMIT 5;
SELECT shape, sum(aggregates) * 0.1 AS before, sum(epsilon) AS after, min(epsilon) AS least, max(epsilon) AS most
FROM paid JOIN chart USING (number) JOIN shape ON shape.name = shape GROUP BY GROUPING SETS ((shape), ()) ORDER BY shape;
SELECT dp.unprotect('visits');
DROP OWNED BY regress_dashboards_ana;
DROP ROLE regress_dashboards_ana;
