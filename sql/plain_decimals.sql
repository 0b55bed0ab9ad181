-- The digits behind the point of an answer are those of PostgreSQL's own aggregate, where types and arithmetic say them.
CALL own_schema('plain_decimals');
SET client_min_messages = warning;
CREATE ROLE regress_decimals;
CREATE TABLE sold (id int, price numeric(10, 2) NOT NULL, rate numeric(6, 3), pieces int, whole numeric(8, 0), loose numeric, ratio float8);
INSERT INTO sold SELECT i, (i % 100) * 1.25, 0.125, 3, i % 9, i, i / 3.0 FROM generate_series(1, 400) i;
CREATE DOMAIN money_like AS numeric(12, 4);
ALTER TABLE sold ADD paid money_like DEFAULT 1.5;
SELECT dp.protect('sold', 1e9), dp.grant_budget('sold', 'regress_decimals', 1e9, allow_leaks => true, answer_epsilon => 1e6);
SELECT dp.declare_range('sold', 'price', 0, 200), dp.declare_range('sold', 'rate', 0, 1), dp.declare_range('sold', 'pieces', 0, 10),
    dp.declare_range('sold', 'whole', 0, 10), dp.declare_range('sold', 'loose', 0, 1000), dp.declare_range('sold', 'paid', 0, 10),
    dp.declare_range('sold', 'ratio', 0, 1000);
-- Of each expression the digits here and there: of a superuser's own answer, and of a private one.
CREATE FUNCTION digits_of(answer text, OUT own int, OUT private int) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT scale((%s)::numeric) FROM sold', answer) INTO own;
    SET LOCAL ROLE regress_decimals;
    EXECUTE format('SELECT scale((%s)::numeric) FROM sold', answer) INTO private;
    RESET ROLE;
END $$;
GRANT USAGE ON SCHEMA plain_decimals TO regress_decimals;
SELECT a AS answer, own, private, own = private AS same FROM unnest(ARRAY['sum(price)', 'sum(price * pieces)', 'sum(price * rate)', 'sum(price * 1.5)',
    'sum(price + 1)', 'sum(round(price * rate, 1))', 'sum(round(price, 4))', 'sum(trunc(price))', 'sum(CASE WHEN pieces > 2 THEN price ELSE 0 END)', 'sum(-price)',
    'sum(whole)', 'sum(paid)', 'sum(price) FILTER (WHERE pieces > 2)', 'sum(price::numeric(10, 1))', 'sum(pieces * 1.10)',
    'percentile_disc(0.5) WITHIN GROUP (ORDER BY price)', 'sum(coalesce(rate, 0))', 'sum(pieces)']) AS a, digits_of(a);
-- Where rows decide it, the grid does.
SET ROLE regress_decimals;
SELECT scale(sum(loose)) > 2 AS loose, scale(sum(price / 3)) > 2 AS quotient, scale(dp_sum(price, 0, 200, 1e6)) > 2 AS explicit FROM sold;
SELECT min(price), max(price), min(whole), max(rate * 2) FROM sold;
SELECT sum(price) AS sum, round(sum(price) / sum(pieces), 4) AS each, scale(sum(price) / sum(pieces)) >= 16 AS as_a_quotient FROM sold;
SELECT dp.private_form('SELECT sum(price) FROM sold');
-- Its error is that of what was rounded; conditions take the answer as it is shown.
SELECT sum(price) AS sum, dp_error(sum(price)) < 1 AS error FROM sold HAVING sum(price) > 24000;
SELECT name, sum(price) FROM (SELECT CASE WHEN pieces > 2 THEN 'many' ELSE 'few' END AS name, price FROM sold) s GROUP BY name ORDER BY name;
RESET ROLE;
DROP OWNED BY regress_decimals;
DROP ROLE regress_decimals;
