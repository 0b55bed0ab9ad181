-- count(*) beside counts of some of its rows is the count of these and of the rest: conditions that exclude each other, and one price.
CALL own_schema('plain_parts');
SET client_min_messages = warning;
CREATE TABLE stay (id int PRIMARY KEY, person int NOT NULL, ward text NOT NULL, status text NOT NULL, age int NOT NULL, cost numeric(8,2), days int, urgent boolean);
INSERT INTO stay SELECT i, i / 3, (ARRAY['a', 'b', 'c'])[1 + i % 3], (ARRAY['new', 'seen', 'paid', 'lost', 'closed'])[1 + i % 5], i % 100,
        CASE WHEN i % 7 > 0 THEN i % 50 + 0.25 END, CASE WHEN i % 11 > 2 THEN i % 40 END, CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN true ELSE false END
    FROM generate_series(1, 600) i;
CREATE TABLE limited AS TABLE stay;
CREATE TABLE chosen AS TABLE stay;
ALTER TABLE limited ALTER person SET NOT NULL, ALTER ward SET NOT NULL, ALTER age SET NOT NULL;
ALTER TABLE chosen ALTER person SET NOT NULL, ALTER ward SET NOT NULL, ALTER age SET NOT NULL;
CREATE ROLE regress_parts_ana;
SELECT dp.protect('stay', 9e9, answer_epsilon => 1e5), dp.protect('limited', 9e9, privacy_unit => 'person', max_rows_per_unit => 3, answer_epsilon => 1e5),
    dp.protect('chosen', 9e9, privacy_unit => 'person', answer_epsilon => 1e5);
SELECT dp.grant_budget(t, 'regress_parts_ana', 9e9, allow_leaks => true), dp.declare_values(t, 'ward', 'a', 'b', 'c'), dp.declare_range(t, 'age', 0, 110)
    FROM unnest('{stay,limited,chosen}'::regclass[]) t;
-- How many prices of an answer a statement costs.
CREATE FUNCTION prices(statement text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE line text; price numeric := 0;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || statement LOOP
        IF line LIKE '%Epsilon:%' THEN price := price + substring(line FROM 'Epsilon: ([0-9.]+)')::numeric; END IF;
    END LOOP;
    RETURN round(price / 1e5, 3);
END $$;
-- What the role is told that is not so; at epsilon 1e5 answers are exact.
CREATE FUNCTION apart(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE asked text := format('SELECT jsonb_agg(to_jsonb(q) ORDER BY to_jsonb(q)) FROM (%s) q', query); exact jsonb; private jsonb;
BEGIN
    EXECUTE format('SELECT jsonb_agg(to_jsonb(q)) FROM (%s) q', query) INTO exact;
    SET LOCAL ROLE regress_parts_ana;
    EXECUTE format('CREATE TEMP TABLE shown ON COMMIT DROP AS %s', query);
    SELECT jsonb_agg(to_jsonb(q)) INTO private FROM shown q;
    DROP TABLE shown;
    RESET ROLE;
    RETURN CASE WHEN exact IS DISTINCT FROM private THEN format('%s, not %s', private, exact) END;
END $$;
CREATE TABLE list (number int GENERATED ALWAYS AS IDENTITY, aggregates text);
INSERT INTO list (aggregates) VALUES
    ('count(*) AS n, count(cost) AS c'), ('count(*) AS n, count(age) AS a'), ('count(*) AS n, count(cost) AS c, count(days) AS d'),
    ('count(*) - count(cost) AS missing'), ($$count(*) AS n, count(*) FILTER (WHERE status = 'new') AS new$$),
    ($$count(*) AS n, sum(CASE WHEN status = 'new' THEN 1 ELSE 0 END) AS new, sum((status = 'seen')::int) AS seen$$),
    ('count(*) AS n, count(*) FILTER (WHERE urgent) AS yes, count(*) FILTER (WHERE NOT urgent) AS no, count(*) FILTER (WHERE urgent IS NULL) AS unknown'),
    ('count(*) AS n, count(*) FILTER (WHERE days > 5 OR urgent) AS some, count(*) FILTER (WHERE NOT (days > 5 OR urgent)) AS others'),
    -- Beside an average of values without a range, too, and only of as many rows as it is about.
    ('count(*) AS n, count(cost) AS c, round(sum(cost)) AS s, round(avg(cost)) AS m'), ('count(*) AS n, round(avg(cost)) AS m, round(avg(days)) AS d'), ('count(*) AS n, round(avg(id), -1) AS m'),
    ('count(*) AS n, round(avg(cost) FILTER (WHERE age >= 0)) AS m, count(*) FILTER (WHERE age >= 0) AS grown'), ('count(*) AS n, round(avg(cost) FILTER (WHERE urgent)) AS m, count(*) FILTER (WHERE urgent) AS u'),
    -- Conditions that overlap: one of them is a part. Four parts: the noise of all rows would be larger than that of two releases at half of the price.
    ('count(*) AS n, count(*) FILTER (WHERE age >= 18) AS grown, count(*) FILTER (WHERE age >= 65) AS old'),
    ($$count(*) AS n, count(*) FILTER (WHERE status = 'new') AS a, count(*) FILTER (WHERE status = 'seen') AS b, count(*) FILTER (WHERE status = 'paid') AS c,
        count(*) FILTER (WHERE status = 'lost') AS d$$),
    -- A sum of limited rows is no vector: what counts all rows is counted beside it.
    ('count(*) AS n, count(days) AS d, sum(age) AS s'), ('count(*) AS n, count(ward) AS w, sum(age) AS s'), ('count(*) AS n, count(*) FILTER (WHERE urgent) AS u, sum(age) AS s, avg(age) AS m'),
    -- What is read off a vector is no part; nor is what is counted under a condition that is not compared, or once.
    ('count(*) AS n, count(*) FILTER (WHERE age < 18) AS young, sum(age) FILTER (WHERE age < 0) AS s, max(age) FILTER (WHERE age > 200) AS none'),
    ('count(*) AS n, count(*) FILTER (WHERE age < length(current_user)) AS a'), ('count(*) AS n, count(DISTINCT person) AS p');
GRANT SELECT ON list TO regress_parts_ana;
SET ROLE regress_parts_ana;
SELECT aggregates, prices('SELECT ' || aggregates || ' FROM stay') AS rows, prices('SELECT ' || aggregates || ' FROM limited') AS limited, prices('SELECT ' || aggregates || ' FROM chosen') AS chosen,
    prices('SELECT ward, ' || aggregates || ' FROM chosen GROUP BY ward') AS grouped FROM list ORDER BY number \g (format=unaligned)
RESET ROLE;
SELECT aggregates, relation, keys, told FROM list, unnest('{stay,limited,chosen}'::text[]) relation, unnest('{NULL,ward}'::text[]) keys,
    apart(concat_ws(' ', 'SELECT', keys || ',', aggregates, 'FROM', relation, 'GROUP BY ' || keys, 'ORDER BY 1')) AS told WHERE told IS NOT NULL AND aggregates !~ 'current_user|none';

SET ROLE regress_parts_ana;
EXPLAIN (COSTS OFF) SELECT count(*), count(cost) FROM chosen;
SELECT dp.private_form('SELECT ward, count(*), 100.0 * count(*) FILTER (WHERE urgent) / count(*) AS share FROM stay GROUP BY ward HAVING count(*) > 10 ORDER BY count(*)');
SELECT ward, count(*), 100.0 * count(*) FILTER (WHERE urgent) / count(*) AS share, rank() OVER (ORDER BY count(*) DESC) FROM stay GROUP BY ward HAVING count(*) > 10 ORDER BY ward;
-- A mechanism that is for one number counts each by itself.
SET dp.mechanism = 'staircase';
SELECT prices('SELECT count(*), count(cost) FROM stay');
RESET dp.mechanism;

-- IS TRUE and its kin: the first three lists exclude each other, the others overlap.
SELECT list, prices(format('SELECT %s FROM stay', (SELECT string_agg(format('count(*) FILTER (WHERE %s)', c), ', ') FROM unnest(string_to_array(list, ', ')) c)))
    FROM unnest(ARRAY['urgent, NOT urgent, urgent IS NULL', 'urgent IS TRUE, urgent IS FALSE, urgent IS UNKNOWN', 'days > 3, (days > 3) IS NOT TRUE', 'urgent IS NOT TRUE, urgent IS NOT FALSE',
    'urgent IS NOT TRUE, NOT urgent', 'urgent IS NOT TRUE, urgent IS NULL', 'urgent IS NOT UNKNOWN, urgent', 'days > 3, (days > 4) IS NOT TRUE', 'NOT (urgent IS TRUE), urgent IS NULL', 'urgent IS NOT NULL, NOT urgent']) list;

-- How far off: a root of the number of counts times as much, and nothing where nothing is.
SELECT dp_error(count(*)) AS whole, dp_error(count(cost)) AS part FROM stay;
SET dp.epsilon = 0.1;
SELECT dp_error(count(*)) AS whole, dp_error(count(*), 0.99) AS at_99, dp_error(count(*), 0.5) AS at_50, dp_error(count(cost)) AS part FROM stay;
SELECT dp_error(count(*)) AS whole, dp_error(count(*) FILTER (WHERE urgent)) AS part FROM (SELECT * FROM stay) s HAVING count(*) FILTER (WHERE NOT urgent) > -1 AND count(*) FILTER (WHERE urgent IS NULL) > -1;
-- 19 of 20 answers are within that: of 400 fewer than 355 are in less than one run of 100,000.
CREATE TEMP TABLE drawn (n bigint, error float8);
DO $$ BEGIN
    FOR i IN 1..400 LOOP INSERT INTO drawn SELECT n, error FROM (SELECT count(*) AS n, dp_error(count(*)) AS error, count(cost) AS part FROM stay) s WHERE part > -1000; END LOOP;
END $$;
SELECT count(*) AS drawn, count(*) FILTER (WHERE abs(n - 600) <= error) >= 355 AS within, max(error) FROM drawn;
RESET dp.epsilon;
-- What a limit cuts of all rows is what it cuts of the parts.
SELECT count(*), dp_bias(count(*)), dp_bias(count(cost)) FROM chosen;
-- Totals add up.
SET dp.consistent = on;
SELECT ward, count(*), count(cost) FROM stay GROUP BY ROLLUP (ward) ORDER BY ward;
RESET dp.consistent;
RESET ROLE;
DROP SCHEMA plain_parts CASCADE;
DROP OWNED BY regress_parts_ana;
DROP ROLE regress_parts_ana;
