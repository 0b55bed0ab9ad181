-- Counts of different rows in one SELECT, of units with more rows than may count: each has its share of the limit, so that a part is
-- to the whole as the rows are, and the parts add up. Shares are exact here where they are whole numbers.
CALL own_schema('unit_shares');
SET client_min_messages = error;
CREATE TABLE orders (customer int NOT NULL, shop text NOT NULL, returned boolean NOT NULL, gift boolean);
-- 100 customers with 10 orders in each of two shops, of which 4 were returned; 50 with one order, returned.
INSERT INTO orders
SELECT customer, shop, i <= 4, nullif(i = 1, false) FROM generate_series(1, 100) customer, unnest(ARRAY['a', 'b']) shop, generate_series(1, 10) i;
INSERT INTO orders SELECT customer, 'a', true, NULL FROM generate_series(101, 150) customer;
SELECT dp.protect('orders', 1e9, privacy_unit => 'customer', max_rows_per_unit => 5), dp.public_values('orders', 'shop', 'a', 'b');
-- 5 of 20 orders: 2 returned and 3 kept; and 1 of 1
SELECT dp_count('*', 1e6) AS all, dp_count('*', 1e6) FILTER (WHERE returned) AS returned, dp_count('*', 1e6) FILTER (WHERE NOT returned) AS kept
FROM orders;
SELECT dp_count('*', 1e6) AS all, dp_count(CASE WHEN returned THEN 1 END, 1e6) AS returned FROM orders;
SELECT dp_count('*', 1e6) FILTER (WHERE returned) AS returned, dp_count('*', 1e6) FILTER (WHERE NOT returned) AS kept FROM orders;
-- A count by itself has the whole limit, and so do sums.
SELECT dp_count('*', 1e6) FILTER (WHERE returned) AS returned FROM orders;
SELECT dp_count('*', 1e6) FILTER (WHERE returned) AS returned, dp_sum(1, 0, 1, 1e6) FROM orders;
SELECT dp_count('*', 1e6) AS all, dp_count(gift, 1e6) AS known FROM orders;
SELECT plan_of($$SELECT dp_count('*', 1), dp_count('*', 1) FILTER (WHERE returned) FROM orders$$, 'Privacy|Epsilon|Error|Aggregate|Scan on');
EXPLAIN (COSTS OFF) SELECT dp_count('*', 1) FILTER (WHERE returned) FROM orders;
-- A share below one row is none or one, at random.
SELECT a BETWEEN 4 AND 60 AS about_a_quarter
FROM (SELECT dp_count('*', 1e6) FILTER (WHERE gift AND shop = 'a') AS a, dp_count('*', 1e6) AS all FROM orders) answers;
-- By groups: 2 or 3 rows of the limit are for each shop. On average 2 of 5 are returned.
SELECT sum(n) AS all, sum(returned) BETWEEN 200 AND 300 AS about_250, sum(returned + kept) BETWEEN 500 AND 600 AS about_550
FROM (SELECT shop, dp_count('*', 1e6) AS n, dp_count('*', 1e6) FILTER (WHERE returned) AS returned,
          dp_count('*', 1e6) FILTER (WHERE NOT returned) AS kept FROM orders GROUP BY shop) answers;
SELECT dp.protect('orders', 1e9, privacy_unit => 'customer', max_groups_per_unit => 2, max_rows_per_group => 5);
SELECT shop, dp_count('*', 1e6) AS all, dp_count('*', 1e6) FILTER (WHERE returned) AS returned FROM orders GROUP BY shop ORDER BY shop;
SELECT dp_count('*', 1e6) AS all, dp_count('*', 1e6) FILTER (WHERE returned) AS returned FROM orders;
-- One group of two, at random
SELECT dp.protect('orders', 1e9, privacy_unit => 'customer', max_groups_per_unit => 1, max_rows_per_group => 5);
SELECT sum(n) AS all, sum(returned) AS returned
FROM (SELECT shop, dp_count('*', 1e6) AS n, dp_count('*', 1e6) FILTER (WHERE returned) AS returned FROM orders GROUP BY shop) answers;
-- Plain SQL
CREATE ROLE regress_shares;
SELECT dp.protect('orders', 1e9, privacy_unit => 'customer', max_rows_per_unit => 5), dp.grant_budget('orders', 'regress_shares', 1e9, allow_leaks => true);
SET ROLE regress_shares;
SET dp.epsilon = 1e6;
SELECT round(100.0 * count(*) FILTER (WHERE returned) / count(*)) AS percent FROM orders;
RESET dp.epsilon;
RESET ROLE;
SELECT dp.unprotect('orders');
DROP SCHEMA unit_shares CASCADE;
DROP OWNED BY regress_shares;
DROP ROLE regress_shares;
