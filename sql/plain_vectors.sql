-- Ordinary aggregates of one value under one condition are read off one noisy vector, at the price of one; and conditions that
-- exclude each other are one histogram. At epsilon 1e5 answers are exact.
CALL own_schema('plain_vectors');
SET client_min_messages = warning;
CREATE TABLE stay (id int PRIMARY KEY, ward text NOT NULL, age int NOT NULL, cost numeric(8,2), share float8, days int, urgent boolean);
INSERT INTO stay SELECT i, (ARRAY['a', 'b', 'c'])[1 + i % 3], i % 100, CASE WHEN i % 7 > 0 THEN i % 50 + 0.25 END, (i % 11) / 10.0, i % 40,
        CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN true ELSE false END
    FROM generate_series(1, 600) i;
CREATE TABLE visit (id int PRIMARY KEY, person int NOT NULL, ward text NOT NULL, cost int NOT NULL CHECK (cost BETWEEN 0 AND 100));
INSERT INTO visit SELECT i, i / 3, (ARRAY['a', 'b'])[1 + i % 2], i % 100 FROM generate_series(1, 300) i;
CREATE ROLE regress_vectors_ana;
GRANT CREATE ON SCHEMA plain_vectors TO regress_vectors_ana;
SELECT dp.protect('stay', 9e9, 1e-3, answer_epsilon => 1e5), dp.grant_budget('stay', 'regress_vectors_ana', 9e9, 1e-3, allow_leaks => true);
SELECT dp.protect('visit', 9e9, privacy_unit => 'person', max_rows_per_unit => 4, answer_epsilon => 1e5),
       dp.grant_budget('visit', 'regress_vectors_ana', 9e9, allow_leaks => true);
SELECT dp.declare_values('stay', 'ward', 'a', 'b', 'c'), dp.declare_range('stay', 'age', 0, 110), dp.declare_range('stay', 'cost', 0, 100),
       dp.declare_range('stay', 'share', -1, 2), dp.declare_range('stay', 'days', 0, 50), dp.declare_values('visit', 'ward', 'a', 'b');
-- How many prices of an answer a statement costs, and what is read off one vector.
CREATE FUNCTION prices(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE line text; price numeric; shared text := '';
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || statement LOOP
        IF line LIKE '%Epsilon:%' THEN price := coalesce(price, 0) + substring(line FROM 'Epsilon: ([0-9.]+)')::numeric; END IF;
        IF line LIKE '%One Release:%' THEN shared := shared || ' of ' || substring(line FROM 'One Release: (.*)'); END IF;
    END LOOP;
    RETURN round(price / 1e5, 3)::float8 || shared;
END $$;
GRANT EXECUTE ON FUNCTION prices TO regress_vectors_ana;
SET ROLE regress_vectors_ana;

EXPLAIN (COSTS OFF) SELECT count(*), sum(cost), avg(cost) FROM stay;
SELECT epsilon FROM dp.cost('SELECT count(*), sum(cost), avg(cost) FROM stay');
SELECT prices(format('SELECT %s FROM stay', list)), list FROM unnest(ARRAY[
    'count(*)', 'sum(cost)', 'avg(cost)', 'stddev(cost)', 'count(*), count(cost)', 'count(*), sum(cost)', 'count(cost), avg(cost)',
    'sum(cost), avg(cost)', 'avg(cost), variance(cost)', 'count(*), count(cost), sum(cost), avg(cost), variance(cost), stddev(cost), var_pop(cost), stddev_pop(cost)',
    'avg(cost), avg(age)', 'count(*), avg(cost), avg(age)', 'sum(cost), sum(age), sum(days), count(*)', 'avg(cost), avg(cost) FILTER (WHERE urgent)',
    'count(*) FILTER (WHERE urgent), avg(cost) FILTER (WHERE urgent)', 'count(*), avg(cost) FILTER (WHERE urgent)', 'avg(cost), avg(DISTINCT cost), count(DISTINCT cost)',
    'avg(cost), max(cost), percentile_cont(0.5) WITHIN GROUP (ORDER BY cost)', 'sum(age), sum(age::bigint), sum(age::numeric), avg(age::float8)']) list;
-- What is affine in a value; a quotient of integers is cut, and an offset counts as often as there are values.
SELECT prices(format('SELECT %s FROM stay', list)), list FROM unnest(ARRAY[
    'avg(cost), avg(cost * 1.2)', 'avg(cost), sum(cost / 100), sum(cost * 2)', 'avg(age), avg(2 * age + 1), stddev(10 - age)', 'avg(age), sum(age / 10)', 'avg(age), sum(age + 1)',
    'avg(share), avg(share / 3)', 'avg(share), avg(share * 1e200)', 'avg(cost), avg(cost * age)', 'avg(cost), avg(cost * 0)', 'avg(cost), avg(-cost)']) list;

-- Each subset of what a column's numbers say is what PostgreSQL says.
RESET ROLE;
CREATE FUNCTION apart(list text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE query text := format('SELECT to_jsonb(q) FROM (SELECT %s FROM stay) q', list); exact jsonb; private jsonb;
BEGIN
    EXECUTE query INTO exact;
    SET LOCAL ROLE regress_vectors_ana;
    EXECUTE query INTO private;
    RESET ROLE;
    RETURN (SELECT string_agg(format('%s: %s, not %s', key, private ->> key, value), ', ') FROM jsonb_each_text(exact)
        WHERE private ->> key IS NULL OR abs(value::float8 - (private ->> key)::float8) > 0.02);
END $$;
SELECT count(*) AS subsets, string_agg(apart(list), '; ') AS apart FROM (SELECT string_agg(a, ', ') AS list
    FROM generate_series(1, 63) mask, unnest('{count(*) AS n,count(cost) AS values,sum(cost),avg(cost),variance(cost),stddev(cost)}'::text[]) WITH ORDINALITY v (a, i)
    WHERE mask >> (i - 1)::int & 1 = 1 GROUP BY mask) lists;
SET ROLE regress_vectors_ana;
-- Where a value has an error in PostgreSQL it is NULL, and its row is counted.
SELECT avg(1 / age) < 1 AS mean, count(*), count(1 / age) FROM stay;
-- Each beside the plain one.
CREATE TABLE answers AS SELECT ward, count(*) AS n, count(cost) AS values, sum(cost) AS total, avg(cost) AS mean, variance(cost) AS var, stddev(cost) AS dev, var_pop(cost) AS var_pop, stddev_pop(cost) AS dev_pop,
    sum(cost / 4) AS quarter, avg(2 * cost + 1) AS moved, stddev(3 - cost * 2) AS turned, sum(days) AS days, avg(days) AS mean_days, sum(share) AS share, avg(share * 10) AS shares,
    count(*) FILTER (WHERE urgent) AS urgent, avg(cost) FILTER (WHERE urgent) AS urgent_mean, sum(CASE WHEN age < 50 THEN cost END) AS young, count(CASE WHEN age < 50 THEN 1 END) AS n_young, sum((age >= 50)::int) AS n_old,
    sum(CASE WHEN age >= 50 THEN cost ELSE 0 END) AS old, avg(CASE ward WHEN 'a' THEN cost END) AS mean_a, avg(CASE WHEN age >= 50 THEN cost ELSE 0 END) AS with_zeros
    FROM stay GROUP BY ward HAVING count(*) > 10;
SELECT pg_typeof(n), pg_typeof(values), pg_typeof(total), pg_typeof(mean), pg_typeof(dev), pg_typeof(days), pg_typeof(mean_days), pg_typeof(share), pg_typeof(shares), pg_typeof(n_old) FROM answers LIMIT 1;
RESET ROLE;
CREATE TABLE exact AS SELECT ward, count(*) AS n, count(cost) AS values, sum(cost) AS total, avg(cost) AS mean, variance(cost) AS var, stddev(cost) AS dev, var_pop(cost) AS var_pop, stddev_pop(cost) AS dev_pop,
    sum(cost / 4) AS quarter, avg(2 * cost + 1) AS moved, stddev(3 - cost * 2) AS turned, sum(days) AS days, avg(days) AS mean_days, sum(share) AS share, avg(share * 10) AS shares,
    count(*) FILTER (WHERE urgent) AS urgent, avg(cost) FILTER (WHERE urgent) AS urgent_mean, sum(CASE WHEN age < 50 THEN cost END) AS young, count(CASE WHEN age < 50 THEN 1 END) AS n_young, sum((age >= 50)::int) AS n_old,
    sum(CASE WHEN age >= 50 THEN cost ELSE 0 END) AS old, avg(CASE ward WHEN 'a' THEN cost END) AS mean_a, avg(CASE WHEN age >= 50 THEN cost ELSE 0 END) AS with_zeros
    FROM stay GROUP BY ward HAVING count(*) > 10;
SELECT e.ward, e.key, a.value AS answer, e.value AS exact FROM (SELECT ward, j.* FROM exact, jsonb_each_text(to_jsonb(exact)) j) e
    JOIN (SELECT ward, j.* FROM answers, jsonb_each_text(to_jsonb(answers)) j) a USING (ward, key)
    WHERE e.key <> 'ward' AND (a.value IS NULL OR abs(a.value::float8 - e.value::float8) > 0.02) AND NOT (e.key = 'mean_a' AND e.ward <> 'a') ORDER BY 1, 2;
SELECT count(*) FROM answers;
SET ROLE regress_vectors_ana;

-- Arms that exclude each other, and such that do not: ranges that touch, NULL, what is no constant.
SELECT prices(format('SELECT %s FROM stay', list)), list FROM unnest(ARRAY[
    $$count(*) FILTER (WHERE ward = 'a'), count(*) FILTER (WHERE ward = 'b'), count(*) FILTER (WHERE ward = 'c')$$,
    $$count(*) FILTER (WHERE ward = 'a'), count(*) FILTER (WHERE ward = 'a' AND urgent)$$,
    $$count(*) FILTER (WHERE ward = 'a'), count(*) FILTER (WHERE ward IN ('b', 'c'))$$,
    $$count(*) FILTER (WHERE ward = 'a'), count(*) FILTER (WHERE ward IN ('a', 'c'))$$,
    $$count(*) FILTER (WHERE ward = 'a'), count(*) FILTER (WHERE ward <> 'a')$$,
    $$count(*) FILTER (WHERE age < 50), count(*) FILTER (WHERE age >= 50)$$,
    $$count(*) FILTER (WHERE age <= 50), count(*) FILTER (WHERE age >= 50)$$,
    $$count(*) FILTER (WHERE age BETWEEN 0 AND 9), count(*) FILTER (WHERE age BETWEEN 10 AND 19), count(*) FILTER (WHERE age > 19)$$,
    $$count(*) FILTER (WHERE age < 50), count(*) FILTER (WHERE days >= 50)$$,
    $$count(*) FILTER (WHERE age < 50 AND days < 3), count(*) FILTER (WHERE age >= 50 AND days < 3)$$,
    $$count(*) FILTER (WHERE urgent), count(*) FILTER (WHERE NOT urgent), count(*) FILTER (WHERE urgent IS NULL)$$,
    $$count(*) FILTER (WHERE urgent), count(*) FILTER (WHERE urgent IS NOT NULL)$$,
    $$count(*) FILTER (WHERE urgent IS TRUE), count(*) FILTER (WHERE urgent IS NOT TRUE)$$,
    $$count(*) FILTER (WHERE ward = 'a'), count(*) FILTER (WHERE ward = 'b'), count(*)$$,
    $$count(*) FILTER (WHERE ward = 'a'), count(*) FILTER (WHERE ward = 'b'), count(*) FILTER (WHERE age < 50), count(*) FILTER (WHERE age >= 50)$$,
    $$sum(CASE WHEN ward = 'a' THEN cost ELSE 0 END), sum(CASE WHEN ward = 'b' THEN cost ELSE 0 END), sum(CASE ward WHEN 'c' THEN cost END)$$,
    $$sum((ward = 'a')::int), count(CASE WHEN ward = 'b' THEN 1 END), sum(CASE WHEN ward = 'c' THEN 1 ELSE 0 END)$$,
    $$sum(CASE WHEN ward = 'a' THEN cost ELSE 1 END), sum(CASE WHEN ward = 'b' THEN cost ELSE 1 END)$$,
    $$sum(CASE WHEN ward = 'a' THEN NULL ELSE 0 END), sum(CASE WHEN ward = 'b' THEN NULL ELSE 0 END)$$,
    $$avg(CASE WHEN ward = 'a' THEN cost ELSE 0 END), avg(CASE WHEN ward = 'b' THEN cost ELSE 0 END)$$,
    $$count(CASE WHEN ward = 'a' THEN 1 ELSE 0 END), count(CASE WHEN ward = 'b' THEN 1 ELSE 0 END)$$,
    $$count(*) FILTER (WHERE ward = 'a'), avg(cost) FILTER (WHERE ward = 'a'), count(*) FILTER (WHERE ward = 'b'), avg(cost) FILTER (WHERE ward = 'b')$$,
    $$count(*) FILTER (WHERE ward = 'a'), count(DISTINCT age) FILTER (WHERE ward = 'a'), count(*) FILTER (WHERE ward = 'b')$$,
    $$count(*) FILTER (WHERE share = 0.0), count(*) FILTER (WHERE share = '-0')$$,
    $$count(*) FILTER (WHERE ward COLLATE "C" < 'b'), count(*) FILTER (WHERE ward COLLATE "C" >= 'b')$$,
    $$count(*) FILTER (WHERE ward COLLATE "C" < 'b'), count(*) FILTER (WHERE ward COLLATE "POSIX" >= 'b')$$,
    $$sum(CASE WHEN age < 50 THEN cost END), sum(CASE WHEN age < 50 THEN 0 WHEN age < 80 THEN cost ELSE 0 END)$$,
    $$sum(CASE WHEN age < 50 THEN cost END), sum(CASE WHEN age >= 50 THEN CASE WHEN age < 80 THEN cost END END)$$,
    $$count(*) FILTER (WHERE upper(ward) = 'A'), count(*) FILTER (WHERE upper(ward) = 'B')$$]) list;
PREPARE arms(text, text) AS SELECT count(*) FILTER (WHERE ward = $1), count(*) FILTER (WHERE ward = $2) FROM stay;
SELECT prices('EXECUTE arms(''a'', ''b'')'), prices('EXECUTE arms(''a'', ''a'')');
-- Explicit calls name their price.
SELECT prices($$SELECT dp_count('*', 1e5) FILTER (WHERE ward = 'a'), dp_count('*', 1e5) FILTER (WHERE ward = 'b'), dp_avg(cost, 0, 100, 1e5), dp_sum(cost, 0, 100, 1e5) FROM stay$$);

-- A unit with several rows has them in several arms, and what it adds up to is cut for a sum, shared out for a mean.
SELECT prices(format('SELECT %s FROM visit', list)), list FROM unnest(ARRAY[
    'count(*), avg(cost)', 'count(*), sum(cost), avg(cost)', 'sum(cost), avg(cost)', $$count(*) FILTER (WHERE ward = 'a'), count(*) FILTER (WHERE ward = 'b')$$]) list;
SELECT count(*), count(cost), sum(cost), round(avg(cost), 2) AS mean, round(stddev(cost), 1) AS dev FROM visit;
-- Sums of multiples are multiples of one sum. Not so what is cut, what counts as often as there are values, or what is under another condition.
SELECT prices(format('SELECT %s FROM visit', list)), list FROM unnest(ARRAY[
    'sum(cost * 2)', 'sum(cost), sum(cost * 2)', 'sum(cost / 100.0), sum(-cost), sum(cost::bigint), sum(cost * 1.2) * 2', 'sum(cost), sum(cost * 2), sum(cost + 1)', 'sum(cost), sum(cost / 10)', 'sum(cost), sum(cost * 1e40)',
    $$sum(cost), sum(cost * 2) FILTER (WHERE ward = 'a')$$, 'sum(cost), sum(DISTINCT cost * 2)', 'sum(cost), sum(cost::real * 2)', 'avg(cost), sum(cost * 2)']) list;
SELECT sum(cost), sum(cost * 2) AS twice, sum(-cost) AS negative, sum(cost::bigint * 3) AS big, round(sum(cost / 100.0), 1) AS hundredth, round(sum(cost * 0.5::float8)) AS half,
    pg_typeof(sum(cost * 2)) AS of_int, pg_typeof(sum(cost::bigint * 3)) AS of_bigint, pg_typeof(sum(cost * 0.5::float8)) AS of_float FROM visit;
SELECT ward, sum(cost), (SELECT sum(v.cost * 2)) AS twice FROM visit v GROUP BY ward HAVING sum(-cost) < 0 ORDER BY ward;
SELECT dp.private_form($$SELECT sum(cost), sum(cost * 2) FILTER (WHERE ward = 'a') FROM visit$$);
SET dp.epsilon = 1;
SELECT dp_error(sum(cost)) > 100 AS large, abs(dp_error(sum(cost * -3)) - 3 * dp_error(sum(cost))) < 1e-6 AS thrice, dp_bias(sum(cost * 2)) AS bias FROM visit;
RESET dp.epsilon;
-- Questions about people have one row for each.
SELECT prices('SELECT count(*), sum(total), avg(total) FROM (SELECT person, sum(cost) AS total FROM visit GROUP BY person) p');

-- Errors, at any confidence; the count is read off the best vector then.
SELECT prices('SELECT count(*), dp_error(count(*)), avg(cost), dp_error(avg(cost)), dp_error(sum(cost * 2), 0.5) FROM stay');
SET dp.epsilon = 1;
SELECT dp_error(count(*)) BETWEEN 2 AND 16 AS of_count, dp_error(sum(cost)) BETWEEN 200 AND 900 AS of_sum, dp_error(sum(cost * 2), 0.5) < dp_error(sum(cost * 2)) AS less, dp_error(avg(cost)) BETWEEN 0.1 AND 3 AS of_mean,
    count(*) > 500 AS n, abs(dp_error(sum(cost * 2)) - 2 * dp_error(sum(cost))) < 1 AS twice FROM stay;
RESET dp.epsilon;

-- Laws that are not for several numbers at once split it.
SET dp.mechanism = 'staircase';
SELECT prices('SELECT count(*), avg(cost) FROM stay');
SET dp.mechanism = 'gaussian(delta=1e-6)';
SELECT prices('SELECT count(*), avg(cost) FROM stay');
RESET dp.mechanism;

-- The statement with its private calls written out runs, and answers the same.
SELECT dp.private_form('SELECT count(*), sum(cost), avg(cost * 2) FROM stay');
SELECT dp.private_form($$SELECT count(*) FILTER (WHERE ward = 'a') AS a, sum(CASE WHEN ward = 'b' THEN cost ELSE 0 END) AS b FROM stay$$);

-- What is charged is what was said.
RESET ROLE;
CREATE FUNCTION charged() RETURNS numeric LANGUAGE sql AS $$ SELECT sum(epsilon) FROM dp.ledger WHERE role = 'regress_vectors_ana'::regrole AND relation = 'stay'::regclass $$;
SELECT charged() AS before \gset
SET ROLE regress_vectors_ana;
SELECT count(*), round(sum(cost)) AS sum, round(avg(cost), 2) AS mean FROM stay;
SELECT count(*) FILTER (WHERE ward = 'a') AS a, count(*) FILTER (WHERE ward = 'b') AS b, round(sum(CASE WHEN ward = 'c' THEN cost END)) AS c FROM stay;
RESET ROLE;
SELECT charged() - :before AS charged;

-- What is computed with an answer has no text of its own, wherever the answer stands.
CREATE TABLE kinds (k text PRIMARY KEY);
INSERT INTO kinds VALUES ('a'), ('b');
GRANT SELECT ON kinds TO regress_vectors_ana;
SET ROLE regress_vectors_ana;
SELECT count(*), round(avg(age + least(300, greatest(0, n))), 2) AS mean FROM stay CROSS JOIN (SELECT count(*) AS n FROM visit v JOIN kinds l ON l.k = v.ward) AS a;
-- Two questions, as their laws differ, which share the list that the answer is asked of.
SELECT round(avg(age - n / 2.0) * 2) AS twice, count(DISTINCT n) AS values FROM stay CROSS JOIN (SELECT count(*) AS n FROM visit v CROSS JOIN LATERAL (VALUES ('a'), (v.ward)) l(x)) AS a;
\getenv folder PG_ABS_SRCDIR
\set explained :folder '/test/support/explained.sql'
\i :explained
SELECT * FROM pg_temp.explained($$SELECT count(*), avg(age + least(300, greatest(0, n))) FROM stay CROSS JOIN (SELECT count(*) AS n FROM visit v JOIN kinds l ON l.k = v.ward) AS a$$);
SELECT count(*) FILTER (WHERE EXISTS (SELECT FROM visit o WHERE o.person = v.person AND o.cost > (SELECT 1.5 * avg(cost) FROM visit JOIN kinds l ON l.k = ward))) FROM visit v;
SELECT EXISTS (SELECT FROM visit o WHERE o.person = v.person AND o.cost > (SELECT 1.5 * avg(cost) FROM visit JOIN kinds l ON l.k = ward)) AS dear, count(*), round(avg(cost), 1) AS mean FROM visit v GROUP BY 1 ORDER BY 1;
SELECT dp.private_form($$SELECT count(*), avg(age + least(300, greatest(0, n))) FROM stay CROSS JOIN (SELECT count(*) AS n FROM visit v CROSS JOIN (SELECT avg(age) AS m FROM stay) AS z WHERE v.cost > z.m) AS a$$);
RESET ROLE;

DROP OWNED BY regress_vectors_ana;
DROP ROLE regress_vectors_ana;
