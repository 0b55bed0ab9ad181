-- Ten questions over web orders as somebody asks them who has read README.md and docs/analyst.md, and no right on the orders. Twelve
-- statements: what is refused says what to write, which is asked next. At epsilon 1e5; what a unit's limit cuts off is none here.
CALL own_schema('analyst_questions');
SET client_min_messages = error;
SET TimeZone = 'Europe/Berlin';
CREATE TABLE customer (id int PRIMARY KEY, country text NOT NULL, orders int NOT NULL);
CREATE TABLE product (id int PRIMARY KEY, name text NOT NULL, category text NOT NULL);
CREATE TABLE orders (id int PRIMARY KEY, customer_id int NOT NULL REFERENCES customer, ordered timestamptz NOT NULL, total numeric NOT NULL, country text NOT NULL,
    returned boolean NOT NULL);
CREATE TABLE line (order_id int NOT NULL REFERENCES orders, product_id int NOT NULL REFERENCES product, quantity int NOT NULL, customer_id int NOT NULL);
INSERT INTO customer SELECT i, (ARRAY['DE', 'FR', 'NL'])[1 + i % 3], 1 + i % 4 FROM generate_series(1, 400) i;
INSERT INTO product SELECT i, 'product ' || i, (ARRAY['books', 'toys'])[1 + i % 2] FROM generate_series(1, 12) i;
INSERT INTO orders SELECT 10 * c.id + n, c.id, timestamptz '2024-01-01 00:30' + (c.id * 7 + n * 97) % 366 * interval '1 day' + (c.id + n) % 24 * interval '1 hour',
    20 + (c.id * 3 + n) % 100, c.country, (c.id + n) % 10 = 0 FROM customer AS c, generate_series(1, c.orders) AS n;
INSERT INTO line SELECT o.id, 1 + (o.id * 5) % 12 * (o.id % 3) / 2, 1 + o.id % 2, o.customer_id FROM orders AS o;
CREATE ROLE regress_questions_ana;
GRANT SELECT ON product TO regress_questions_ana;
SELECT dp.protect('orders', 1e9, privacy_unit => 'customer_id', max_rows_per_unit => 4), dp.protect('line', 1e9, privacy_unit => 'customer_id', max_rows_per_unit => 4),
    dp.protect('customer', 1e9, privacy_unit => 'id');
SELECT dp.grant_budget(t, 'regress_questions_ana', 1e9, allow_leaks => true) FROM unnest(ARRAY['orders', 'line', 'customer']::regclass[]) t;
SELECT dp.public_values('orders', 'country', 'DE', 'FR', 'NL'),
    dp.public_values('orders', $$date_trunc('month', ordered, 'Europe/Berlin')$$, ARRAY(SELECT generate_series(timestamptz '2024-01-01', '2024-12-01', '1 month')));
SET ROLE regress_questions_ana;

-- 1. Orders per month
SELECT date_trunc('month', ordered) AS month, dp_count('*', 1e5) FROM orders GROUP BY month ORDER BY month;
SELECT date_trunc('month', ordered, 'Europe/Berlin')::date AS month, n FROM (
    SELECT date_trunc('month', ordered, 'Europe/Berlin') AS ordered, dp_count('*', 1e5) AS n FROM orders GROUP BY 1) AS answers ORDER BY month LIMIT 3;
-- 2. Revenue by country
SELECT country, round(dp_sum(total, 0, 200, 1e5)) AS revenue FROM orders GROUP BY country ORDER BY revenue DESC;
-- 3. How many come back?
SELECT customer_id, dp_count('*', 1e5) FROM orders GROUP BY customer_id HAVING dp_count('*', 1e5) > 1;
SELECT round(100 * dp_avg(CASE WHEN orders > 1 THEN 1 ELSE 0 END, 0, 1, 1e5)) AS percent FROM customer;
-- 4. Top products
SELECT name, dp_sum(quantity, 0, 5, 1e5) AS sold FROM line JOIN product ON product.id = product_id GROUP BY name ORDER BY sold DESC LIMIT 3;
-- 5. Average basket
SELECT round(dp_avg(total, 0, 200, 1e5)::numeric) AS basket FROM orders;
-- 6. Median
SELECT round(dp_median(total, 0, 200, 1e5)::numeric) AS median FROM orders;
-- 7. By weekday
SELECT extract(isodow FROM ordered) AS weekday, dp_count('*', 1e5) FROM orders GROUP BY weekday ORDER BY weekday;
-- 8. By hour
SELECT dp_histogram(extract(hour FROM ordered), 0, 24, 24, 1e5) FROM orders;
-- 9. Share of returned orders
SELECT round(100.0 * dp_count('*', 1e5) FILTER (WHERE returned) / dp_count('*', 1e5)) AS percent FROM orders;
-- 10. By category
SELECT category, dp_sum(quantity, 0, 5, 1e5) AS sold FROM line JOIN product ON product.id = product_id GROUP BY category ORDER BY category;
RESET ROLE;
-- As it is
SELECT (SELECT array_agg(n ORDER BY month) FROM (SELECT date_trunc('month', ordered) AS month, count(*) AS n FROM orders GROUP BY 1 ORDER BY 1 LIMIT 3) AS m) AS months,
    (SELECT array_agg(sum ORDER BY sum DESC) FROM (SELECT sum(total) FROM orders GROUP BY country) AS c) AS countries,
    (SELECT round(avg((orders > 1)::int) * 100) FROM customer) AS again, (SELECT round(avg(total)) FROM orders) AS basket,
    (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY total) FROM orders) AS median, (SELECT round(100 * avg(returned::int)) FROM orders) AS returned;
SELECT dp.unprotect(t) FROM unnest(ARRAY['orders', 'line', 'customer']::regclass[]) t;
DROP SCHEMA analyst_questions CASCADE;
DROP OWNED BY regress_questions_ana;
DROP ROLE regress_questions_ana;
