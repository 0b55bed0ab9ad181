-- Values in conditions that are answers of their own: each is asked, charged and drawn before the question that compares with it, which
-- sees a number like any other. epsilon 1e6 makes the noise vanish; answers at tiny epsilons are never the same by chance.
SET client_min_messages = error;
CALL own_schema('plain_compared');
CREATE ROLE regress_compared_ana;
CREATE TABLE wards (ward text PRIMARY KEY, beds int);
INSERT INTO wards VALUES ('a', 10), ('b', 20), ('c', NULL), ('d', 40);
CREATE TABLE stay (id int PRIMARY KEY, ward text NOT NULL REFERENCES wards, age int, cost numeric);
INSERT INTO stay SELECT i, (ARRAY['a', 'a', 'a', 'b', 'b', 'c', 'd'])[1 + i % 7], 20 + i % 61, i FROM generate_series(1, 997) i;
CREATE TABLE people (id int PRIMARY KEY, born int NOT NULL);
INSERT INTO people SELECT p, 1900 + p % 97 FROM generate_series(1, 200) p;
CREATE TABLE bills (id int PRIMARY KEY, person int REFERENCES people, amount int);
INSERT INTO bills SELECT i, 1 + i * i % 200, i FROM generate_series(1, 900) i;
GRANT SELECT ON wards TO regress_compared_ana;
SELECT dp.protect('stay', 1e9, 0.5, answer_epsilon => 1e6, reuse => '1 day');
SELECT dp.protect('people', 1e9, 0.5, privacy_unit => 'id', answer_epsilon => 1e6);
SELECT dp.protect('bills', 1e9, 0.5, privacy_unit => 'person', max_rows_per_unit => 100, answer_epsilon => 1e6);
SELECT dp.declare_range('stay', 'age', 0, 128), dp.declare_range('stay', 'cost', 0, 1000), dp.declare_range('people', 'born', 1850, 2050),
    dp.declare_range('bills', 'amount', 0, 1000), dp.declare_values('stay', 'ward', 'a', 'b', 'c', 'd');
SELECT dp.grant_budget(t, 'regress_compared_ana', 1e9, 0.5, allow_leaks => true) FROM unnest('{stay,people,bills}'::regclass[]) t;
CREATE VIEW old WITH (security_invoker) AS SELECT * FROM stay WHERE age > (SELECT avg(age) FROM stay);
GRANT SELECT ON old TO regress_compared_ana;
-- What the role is answered, and whether it is what the table's owner reads.
CREATE FUNCTION as_ana(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE answer text;
BEGIN
    SET LOCAL ROLE regress_compared_ana;
    EXECUTE format('SELECT string_agg(q::text, '' '' ORDER BY q::text) FROM (%s) q', query) INTO answer;
    RESET ROLE;
    RETURN answer;
END $$;
CREATE FUNCTION same(queries text[]) RETURNS TABLE (query text, answer text, same text) LANGUAGE plpgsql AS $$
DECLARE one text; plain text;
BEGIN
    FOREACH one IN ARRAY queries LOOP
        BEGIN
            answer := as_ana(one);
            EXECUTE format('SELECT string_agg(q::text, '' '' ORDER BY q::text) FROM (%s) q', one) INTO plain;
            RETURN QUERY SELECT one, answer, CASE WHEN answer IS NOT DISTINCT FROM plain THEN 'same' ELSE 'plain ' || plain END;
        EXCEPTION WHEN OTHERS THEN
            RESET ROLE;
            RETURN QUERY SELECT one, NULL, regexp_replace(SQLSTATE || ' ' || SQLERRM, E'\n.*', '');
        END;
    END LOOP;
END $$;
CREATE FUNCTION twice(x int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 2 * x; END $$;
-- What was charged since the last time, in order.
CREATE TABLE seen_charges (seq bigint);
CREATE FUNCTION charged(OUT relation regclass, OUT kind text, OUT epsilon numeric) RETURNS SETOF record LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    RETURN QUERY SELECT l.relation, l.kind, l.epsilon FROM dp.ledger l WHERE l.role = 'regress_compared_ana'::regrole
        AND l.seq > (SELECT coalesce(max(s.seq), 0) FROM plain_compared.seen_charges s) ORDER BY l.seq;
    INSERT INTO plain_compared.seen_charges SELECT max(l.seq) FROM dp.ledger l;
END $$;

-- ---- shapes
SELECT * FROM same(ARRAY[
    'SELECT count(*) FROM stay WHERE age > (SELECT avg(age) FROM stay)',
    'SELECT count(*) FROM stay WHERE age > 0.5 * (SELECT avg(age) FROM stay) + 20 AND ward IN (SELECT ward FROM wards WHERE beds > 15)',
    'SELECT count(*) FROM stay WHERE age BETWEEN 0.8 * (SELECT avg(age) FROM stay) AND 1.2 * (SELECT avg(age) FROM stay)',
    'SELECT ward, count(*) FROM stay WHERE cost < (SELECT sum(cost) / count(*) FROM stay WHERE ward = ''a'') GROUP BY ward',
    'SELECT count(*) FROM stay WHERE NOT (age > (SELECT avg(age) FROM stay WHERE cost > (SELECT dp_count(*) FROM stay WHERE age > 21))) OR age IS NULL',
    'SELECT ward, count(*) FROM stay WHERE ward = (SELECT ward FROM stay GROUP BY ward ORDER BY count(*) DESC LIMIT 1) GROUP BY ward',
    'SELECT ward, count(*) FROM stay WHERE ward IN (SELECT ward FROM stay GROUP BY ward ORDER BY count(*) DESC LIMIT 2) GROUP BY ward',
    'SELECT count(*) FROM stay WHERE ward NOT IN (SELECT ward FROM stay GROUP BY ward ORDER BY count(*) DESC LIMIT 2)',
    'SELECT count(*) FROM stay WHERE cost < ALL (SELECT 100.5 + count(*) FROM stay GROUP BY ward ORDER BY 1 LIMIT 10)',
    'SELECT count(*) FROM stay WHERE ward = ANY (ARRAY(SELECT ward FROM stay GROUP BY ward HAVING count(*) > 200))',
    'SELECT count(*) FROM stay WHERE age > (SELECT avg(age) FROM stay WHERE false)',
    'SELECT count(*) FROM stay WHERE age > (SELECT avg(age) FROM stay HAVING count(*) < 0)',
    'SELECT count(*) FROM stay s JOIN wards w USING (ward) WHERE beds > 10 AND s.age > (SELECT avg(age) FROM stay)',
    'SELECT count(*) FILTER (WHERE age > (SELECT avg(age) FROM stay)), count(*) FROM stay',
    'SELECT round(sum(CASE WHEN age > (SELECT avg(age) FROM stay) THEN cost ELSE 0 END)) FROM stay',
    'SELECT age > (SELECT avg(age) FROM stay) AS old, count(*) FROM stay GROUP BY 1 HAVING count(*) > 0',
    'SELECT ward, count(*) FROM stay WHERE age > (SELECT avg(age) FROM stay) GROUP BY ROLLUP (ward)',
    'SELECT ward, count(*) FROM stay GROUP BY ward HAVING count(*) > (SELECT count(*) / 4 FROM stay)',
    'SELECT count(*), (SELECT count(*) FROM stay WHERE age > (SELECT avg(age) FROM stay)) FROM stay',
    'SELECT ward, count(*) FROM (SELECT * FROM stay WHERE age > (SELECT avg(age) FROM stay)) s GROUP BY ward',
    'SELECT ward, count(*) FROM old GROUP BY ward',
    'WITH a AS (SELECT avg(age) AS mean FROM stay) SELECT count(*), (SELECT round(mean) FROM a) FROM stay WHERE age > (SELECT mean FROM a)',
    'WITH a AS (SELECT avg(age) AS mean FROM stay), s AS (SELECT * FROM stay WHERE age > (SELECT mean FROM a)) SELECT ward, count(*) FROM s GROUP BY ward',
    'SELECT count(*) FROM stay WHERE age > (WITH s AS (SELECT * FROM stay WHERE cost > 500) SELECT avg(age) FROM s)',
    'SELECT count(*) FROM stay WHERE age > (SELECT avg(m) FROM (SELECT ward, avg(age) AS m FROM stay GROUP BY ward) q)',
    'SELECT count(*) FROM stay WHERE age > (SELECT max(n) FROM (SELECT count(*) / 10 AS n FROM stay UNION ALL SELECT beds FROM wards) q)',
    'SELECT count(*) FROM stay WHERE age > (SELECT beds FROM wards ORDER BY beds DESC NULLS LAST LIMIT 1) AND id > (SELECT 5)',
    -- Of public tables whatever it computes.
    'SELECT count(*) FROM stay WHERE age > (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY beds) FROM wards)',
    'SELECT count(*) FROM stay WHERE ward = ANY (string_to_array((SELECT string_agg(ward, '','') FROM wards WHERE beds < 30), '',''))',
    'SELECT count(*) FROM people p WHERE EXISTS (SELECT FROM bills b WHERE b.person = p.id AND b.amount > (SELECT twice(max(beds)) FROM wards))']);
-- Joined: one row of answers.
SELECT * FROM same(ARRAY[
    'WITH a AS (SELECT avg(age) AS mean, count(*) AS n FROM stay) SELECT ward, count(*) FROM stay, a WHERE age > a.mean AND id < a.n / 2 GROUP BY ward',
    'SELECT count(*) FROM stay CROSS JOIN (SELECT avg(age) AS mean FROM stay) a WHERE age > mean AND age < 1.2 * mean',
    'WITH c AS (SELECT * FROM stay WHERE ward <> ''d'') SELECT count(*) FROM stay CROSS JOIN (SELECT avg(age) AS mean FROM c) a WHERE age > mean',
    'WITH a AS (SELECT avg(age) AS mean FROM stay) SELECT round(mean), count(*) FILTER (WHERE age > mean) FROM stay JOIN wards USING (ward) JOIN a ON beds > 10 GROUP BY mean',
    'WITH a AS (SELECT avg(age) AS mean FROM stay), b AS (SELECT avg(cost) AS mean FROM stay, a WHERE age > a.mean) SELECT count(*) FROM stay, a, b WHERE age > a.mean AND cost > b.mean',
    'SELECT count(*) FROM stay, (SELECT avg(age) AS mean, count(*) AS n FROM stay) a WHERE age > a.mean AND id < a.n',
    'WITH a AS (SELECT avg(age) AS mean FROM stay HAVING count(*) < 0) SELECT count(*) FROM stay, a',
    'WITH a AS (SELECT avg(age) AS mean FROM stay OFFSET 1) SELECT count(*) FROM stay, a',
    'WITH a AS (SELECT avg(age) AS mean FROM stay) SELECT count(*) FROM stay LEFT JOIN a ON age > a.mean',
    'SELECT count(*) FROM stay WHERE ward::varchar IN (SELECT ward::varchar FROM stay GROUP BY ward ORDER BY count(*) DESC LIMIT 2)']);
-- Of people, and in what is asked of each.
SELECT * FROM same(ARRAY[
    'SELECT count(*) FROM bills b WHERE amount > (SELECT avg(amount) FROM bills) AND person IN (SELECT id FROM people WHERE born > (SELECT avg(born) FROM people))',
    'SELECT count(*) FROM people p WHERE EXISTS (SELECT FROM bills b WHERE b.person = p.id AND b.amount > (SELECT avg(amount) FROM bills))',
    'SELECT count(*) FROM people p WHERE p.id NOT IN (SELECT person FROM bills WHERE amount > 2 * (SELECT avg(amount) - 50 FROM bills))',
    'SELECT count(*) FROM (SELECT person, count(*) AS n FROM bills WHERE amount > (SELECT avg(amount) FROM bills) GROUP BY person) p WHERE n > 3']);
SELECT as_ana('SELECT count(*) FROM (SELECT person, count(*) AS n FROM bills GROUP BY person) p
    WHERE n > (SELECT dp_avg(n, 0, 100, 1e6) FROM (SELECT person, count(*) AS n FROM bills GROUP BY person) q)') AS private,
    (SELECT count(*) FROM (SELECT person, count(*) AS n FROM bills GROUP BY person) p
    WHERE n > (SELECT avg(n) FROM (SELECT person, count(*) AS n FROM bills GROUP BY person) q)) AS plain;

-- What cannot be computed with the number is NULL, and the ends of a declared range are no number of rows.
SELECT as_ana('SELECT count(*) FROM stay WHERE cost / (SELECT count(*) - 997 FROM stay) IS NULL'),
    as_ana('SELECT count(*) FROM stay WHERE age + 1820 > (SELECT min(born) FROM people)');

-- ---- prices: of each answer its own, once for one that is written twice, and asked in this order
SET ROLE regress_compared_ana;
SELECT * FROM plan_of('SELECT count(*) FROM stay WHERE age > 0.5 * (SELECT dp_avg(cost, 0, 9, 0.25) FROM stay) OR age < (SELECT dp_avg(cost, 0, 9, 0.25) FROM stay)',
    'DpRelease|Epsilon|Form|First|Reuse');
SELECT * FROM dp.cost($$WITH a AS (SELECT dp_avg(cost, 0, 9, 0.25) AS mean, dp_count('*', 1) AS n FROM stay) SELECT dp_count('*', 0.5) FROM stay, a WHERE cost > mean AND cost < n$$);
SELECT * FROM dp.cost($$SELECT dp_count('*', 0.5) FROM bills WHERE amount > (SELECT dp_avg(amount, 0, 1000, 0.25) FROM bills) AND amount > (SELECT dp_count('*', 1) FROM stay WHERE age > 3)$$);
SELECT dp.private_form('SELECT count(*) FROM stay WHERE age > (SELECT avg(age) FROM stay)');
SELECT dp.private_form('WITH a AS (SELECT avg(age) AS mean FROM stay) SELECT count(*) FROM stay, a WHERE age > a.mean');
SELECT count(*) > 0 AS some FROM charged();
SELECT dp_count('*', 2e-6) > -1e12 AS some FROM bills WHERE amount > (SELECT dp_avg(born, 0, 2050, 1e-6) FROM people);
SELECT * FROM charged();

-- ---- the same question again: the answer is, so the number is, so the question around it is
SET dp.epsilon = 1e-6;
SELECT count(*) AS n FROM stay WHERE cost > (SELECT dp_count(*) FROM stay WHERE age > 21) \gset
SELECT * FROM charged();
SELECT count(*) = :n AS same FROM stay WHERE cost > (SELECT dp_count(*) FROM stay WHERE age > 21);
SELECT * FROM charged();
PREPARE again AS SELECT count(*) = :n AS same FROM stay WHERE cost > (SELECT dp_count(*) FROM stay WHERE age > 21);
EXECUTE again;
SET plan_cache_mode = force_generic_plan;
EXECUTE again;
RESET plan_cache_mode;
SELECT * FROM charged();
-- It is what the number itself asks, which anybody could write.
SELECT dp_count(*) AS number FROM stay WHERE age > 21 \gset
SELECT count(*) = :n AS same FROM stay WHERE cost > :number::bigint;
SELECT * FROM charged();
-- Another answer makes another question.
SET dp.reuse = 0;
SELECT count(*) > -1 AS some FROM stay WHERE cost > (SELECT dp_count(*) FROM stay WHERE age > 21);
RESET dp.reuse;
SELECT * FROM charged();
RESET dp.epsilon;

-- ---- all of a statement fits, or none of it is asked
RESET ROLE;
CREATE ROLE regress_compared_ben;
CREATE VIEW spent AS SELECT kind, epsilon FROM dp.ledger WHERE role::text = 'regress_compared_ben' ORDER BY seq;
GRANT SELECT ON spent TO regress_compared_ben;
SELECT dp.grant_budget('stay', 'regress_compared_ben', 1.5, 0, allow_leaks => true);
SET ROLE regress_compared_ben;
SELECT dp_count('*', 1) FROM stay WHERE age > (SELECT dp_count('*', 1) FROM stay);
SELECT * FROM spent;
-- Nor where the second question is shown again, unless the first one is, too.
SELECT dp_count('*', 1) AS n FROM stay WHERE age > (SELECT dp_avg(age, 0, 128, 0.5) FROM stay) \gset
SELECT dp_count('*', 1) = :n AS same FROM stay WHERE age > (SELECT dp_avg(age, 0, 128, 0.5) FROM stay);
SELECT dp_count('*', 1) FROM stay WHERE age > (SELECT dp_avg(age, 0, 128, 0.6) FROM stay);
RESET ROLE;
UPDATE dp.stored_answer SET made_at = made_at - interval '50 hours' WHERE relation = 'stay'::regclass;
SET ROLE regress_compared_ben;
SELECT dp_count('*', 1) = :n AS same FROM stay WHERE age > (SELECT dp_avg(age, 0, 128, 0.5) FROM stay);
SET client_min_messages = warning;
SET dp.on_exhausted = 'last';
SELECT dp_count('*', 1) = :n AS same FROM stay WHERE age > (SELECT dp_avg(age, 0, 128, 0.5) FROM stay);
SELECT dp_count('*', 1) = :n AS same FROM stay WHERE age > (SELECT dp_avg(age, 0, 128, 0.5) FROM stay WHERE ward = 'a');
SELECT * FROM spent;
RESET dp.on_exhausted;
SET client_min_messages = error;
-- What is shown again costs nothing, whatever else is asked before it in the statement; nor is it asked for first where that is to be paid.
RESET ROLE;
SELECT dp.grant_budget('stay', 'regress_compared_ben', 3.2, 0, allow_leaks => true);
SET ROLE regress_compared_ben;
SELECT dp_count('*', 1) AS n FROM stay WHERE age > (SELECT dp_avg(age, 0, 128, 0.5) FROM stay) \gset
WITH mean AS (SELECT dp_avg(age, 0, 128, 0.5) AS age FROM stay)
SELECT (SELECT dp_count('*', 0.1) FROM stay WHERE age = 7) IS NULL AS missing, (SELECT dp_count('*', 1) FROM stay WHERE age > (SELECT age FROM mean)) = :n AS same;
WITH mean AS MATERIALIZED (SELECT dp_avg(age, 0, 128, 0.1) AS age FROM stay WHERE age < 9)
SELECT (SELECT dp_count('*', 0.01) FROM stay WHERE age = 8) IS NULL AS missing, (SELECT dp_count('*', 0.01) FROM stay WHERE age > (SELECT age FROM mean)) = :n AS same;
SELECT sum(epsilon) FROM spent;

-- ---- as tools ask: cursors, prepared statements, from PL/pgSQL
SET ROLE regress_compared_ana;
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT ward, count(*) FROM stay WHERE age > (SELECT avg(age) FROM stay) GROUP BY ward ORDER BY ward;
FETCH 2 FROM c;
FETCH BACKWARD 1 FROM c;
FETCH ALL FROM c;
END;
PREPARE older(int) AS SELECT count(*) FROM stay WHERE age > (SELECT avg(age) FROM stay WHERE cost > $1) + $1 / 100;
EXECUTE older(100);
EXECUTE older(900);
SET plan_cache_mode = force_generic_plan;
EXECUTE older(100);
EXECUTE older(NULL);
RESET plan_cache_mode;
EXPLAIN (ANALYZE, COSTS OFF) SELECT count(*) FROM stay WHERE age > (SELECT avg(age) FROM stay);

-- ---- what is refused
SELECT * FROM same(ARRAY[
    'SELECT count(*) FROM stay WHERE age > (SELECT avg(age) FROM stay GROUP BY ward)',
    'SELECT count(*) FROM stay WHERE age > (SELECT age FROM stay LIMIT 1)',
    'SELECT count(*) FROM stay s WHERE age > (SELECT avg(age) FROM stay o WHERE o.ward = s.ward)',
    'SELECT count(*) FROM stay WHERE ward IN (SELECT ward FROM stay GROUP BY ward HAVING count(*) > 200)',
    'SELECT count(*) FROM (WITH a AS (SELECT avg(age) AS mean FROM stay) SELECT * FROM stay WHERE age > (SELECT mean FROM a)) q',
    'SELECT count(*) FROM stay s JOIN wards w ON s.ward = w.ward AND age > (SELECT avg(age) FROM stay)',
    'SELECT count(*) FROM stay s LEFT JOIN wards w ON s.ward = w.ward AND age > (SELECT avg(age) FROM stay)',
    'SELECT dp_sum(age, 0, (SELECT count(*) FROM stay), 1e6) FROM stay',
    'SELECT dp_count(''*'', (SELECT count(*) FROM stay)) FROM stay']);
RESET ROLE;
-- Whoever may read the rows could compare with what is no answer; then the condition would be about other people.
SELECT dp_count('*', 1e6) FROM stay WHERE age > (SELECT avg(age) FROM stay);
SELECT dp_count('*', 1e6) FROM stay WHERE age > (SELECT max(m) FROM stay, (SELECT dp_avg(age, 0, 128, 1e6) AS m FROM stay) q);
SELECT dp_count('*', 1e6) FROM stay WHERE ward IN (SELECT ward FROM stay ORDER BY age DESC LIMIT 2);
SELECT dp_count('*', 1e6) FROM stay WHERE age > (SELECT dp_avg(age, 0, 128, 1e6) FROM stay);

-- What the question costs has changed since its execution began: all that it asks was to fit at the older price.
ALTER TABLE bills ADD note text DEFAULT 'n';
SELECT dp.protect('bills', 1e9, 0.5, privacy_unit => 'person', max_rows_per_unit => 100, answer_epsilon => 1e6, group_epsilon => 1, group_delta => 1e-6);
BEGIN;
SET ROLE regress_compared_ana;
DECLARE c CURSOR FOR SELECT note, count(*) FROM bills WHERE amount > (SELECT avg(amount) FROM bills) GROUP BY note;
RESET ROLE;
SELECT dp.protect('bills', 1e9, 0.5, privacy_unit => 'person', max_rows_per_unit => 100, answer_epsilon => 1e6, group_epsilon => 2, group_delta => 1e-6);
SET ROLE regress_compared_ana;
FETCH 1 FROM c;
ROLLBACK;

-- Of a table without a budget there is no such answer, and that is what is missing.
SELECT dp.revoke_budget('bills', 'regress_compared_ana');
SET ROLE regress_compared_ana;
SELECT count(*) FROM people WHERE born > (SELECT avg(amount) FROM bills);
RESET ROLE;

DEALLOCATE ALL;
SELECT dp.unprotect(t) FROM unnest('{stay,bills,people}'::regclass[]) t;
DROP VIEW old, spent;
DROP TABLE stay, bills, people, wards, seen_charges;
DROP ROLE regress_compared_ana, regress_compared_ben;
