--
-- Calls that cannot fail are left as they are, also where the same function with other arguments could: EXPLAIN names none of them,
-- and over the least and the greatest values of each type they answer as PostgreSQL does.
CALL own_schema('plain_unwrapped');
SET client_min_messages = warning;
CREATE DOMAIN amount AS numeric(10,2);
CREATE TABLE stay (id int PRIMARY KEY, price numeric(10,2), wide numeric(1000,0), deep numeric(1000,1000), shifted numeric(1000,-1000), paid amount, free numeric);
INSERT INTO stay VALUES
    (1, -99999999.99, -repeat('9', 1000)::numeric, -('.' || repeat('9', 1000))::numeric, -(repeat('9', 1000) || repeat('0', 1000))::numeric, -99999999.99, 1),
    (2, 99999999.99, repeat('9', 1000)::numeric, ('.' || repeat('9', 1000))::numeric, (repeat('9', 1000) || repeat('0', 1000))::numeric, 99999999.99, 2),
    (3, 'NaN', 'NaN', 'NaN', 'NaN', 'NaN', 3), (4, 0.01, 1, 1e-1000, 1e1000, 0.01, 4), (5, NULL, NULL, NULL, NULL, NULL, 5), (6, 3.14, 9, 0.5, 1e1001, 2, 6);
CREATE ROLE regress_unwrapped_ana;
SELECT dp.protect('stay', 1e9);
SELECT dp.grant_budget('stay', 'regress_unwrapped_ana', 1e9, allow_leaks => true);
-- What EXPLAIN says of an expression, and how many rows have a value of it: private, and as the superuser sees it.
CREATE FUNCTION unwrapped(expression text) RETURNS TABLE (as_null text, answer text) LANGUAGE plpgsql AS $$
DECLARE
    line text;
BEGIN
    FOR line IN EXECUTE format('EXPLAIN (COSTS OFF) SELECT count(%s) FROM stay', expression) LOOP
        IF line ~ 'Errors as NULL' THEN as_null := regexp_replace(line, '.*NULL: ', ''); END IF;
    END LOOP;
    EXECUTE format('SELECT count(%s) FROM stay', expression) INTO answer;
    RETURN NEXT;
EXCEPTION WHEN OTHERS THEN
    answer := SQLERRM;
    RETURN NEXT;
END
$$;
-- numeric(p, s) by a constant.
CREATE TABLE kept (n serial, e text);
INSERT INTO kept (e)
SELECT format('%s / %s', x, c) FROM unnest('{price,wide,deep,shifted}'::text[]) x, unnest('{2,2.0,-3,0.001,-0.001,1e100}'::text[]) c;
GRANT SELECT ON kept TO regress_unwrapped_ana;
GRANT CREATE ON SCHEMA plain_unwrapped TO regress_unwrapped_ana;
SET ROLE regress_unwrapped_ana;
SET dp.epsilon = 1e6;
CREATE TABLE private AS SELECT n, e, u.* FROM kept, unwrapped(e) u;
RESET ROLE;
SELECT count(*) AS expressions, count(as_null) AS wrapped, count(*) FILTER (WHERE answer = plain) AS same
FROM (SELECT p.*, (SELECT u.answer FROM unwrapped(p.e) u) AS plain FROM private p) answers;
SELECT e, as_null, answer FROM private WHERE as_null IS NOT NULL OR answer !~ '^\d+$' ORDER BY n;
-- And what can fail.
SET ROLE regress_unwrapped_ana;
SELECT e, u.* FROM unnest(ARRAY['price / 0.0009', 'price / 0', 'price / id', 'price / ''NaN''', 'price / ''Infinity''', 'free / 2.0',
    'price / price', '2.0 / price', 'paid / 2.0']) e, unwrapped(e) u;
-- Below a subquery, and beside a group key.
SELECT dp_count(half / 2.0) FROM (SELECT price / 2.0 AS half, price FROM stay) q;
SELECT id < 3 AS early, count(price / 2.0), count(DISTINCT price / 2.0) AS different FROM stay GROUP BY id < 3 ORDER BY 1;
RESET ROLE;
DROP SCHEMA plain_unwrapped CASCADE;
DROP OWNED BY regress_unwrapped_ana;
DROP ROLE regress_unwrapped_ana;
