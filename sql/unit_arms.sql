-- Conditions that exclude each other, of units with several rows: counts divide the rows of a unit that count among them, and cost what
-- one of them costs. Sums have a limit each, and pay each. Answers at 1e6 are exact.
CALL own_schema('unit_arms');
SET client_min_messages = error;
CREATE ROLE regress_arms;
-- 100 customers with ten orders each: five returned, three kept, two lost; all of 7.
CREATE TABLE orders (customer int NOT NULL, shop text NOT NULL, status text NOT NULL, amount int NOT NULL, day int NOT NULL);
INSERT INTO orders SELECT customer, CASE WHEN i % 2 = 0 THEN 'even' ELSE 'odd' END, CASE WHEN i <= 5 THEN 'returned' WHEN i <= 8 THEN 'kept' ELSE 'lost' END, 7, i
    FROM generate_series(1, 100) customer, generate_series(1, 10) i;
SELECT dp.protect('orders', 9e9, privacy_unit => 'customer', max_rows_per_unit => 1, answer_epsilon => 1e6), dp.public_values('orders', 'shop', 'even', 'odd'),
    dp.declare_range('orders', 'amount', 0, 10), dp.grant_budget('orders', 'regress_arms', 9e9, allow_leaks => true);
CREATE FUNCTION price(query text) RETURNS numeric LANGUAGE sql AS $$ SELECT round(epsilon / 1e6) FROM dp.cost(query) WHERE role IS NOT NULL $$;
SET ROLE regress_arms;
-- One row of each customer, in one of the arms: they add up to the customers.
SELECT count(*) FILTER (WHERE status = 'returned') + count(*) FILTER (WHERE status = 'kept') + count(*) FILTER (WHERE status = 'lost') AS of_one FROM orders;
SELECT a + b + c AS of_one FROM (SELECT count(*) FILTER (WHERE status = 'returned') AS a, count(CASE WHEN status = 'kept' THEN 1 END) AS b, sum((status = 'lost')::int) AS c FROM orders) q;
SELECT price('SELECT count(*) FILTER (WHERE status = ''returned''), count(*) FILTER (WHERE status = ''kept''), count(*) FILTER (WHERE status = ''lost'') FROM orders') AS counts,
    price('SELECT sum(amount) FILTER (WHERE status = ''returned''), sum(amount) FILTER (WHERE status = ''kept'') FROM orders') AS sums,
    price('SELECT avg(amount) FILTER (WHERE status = ''returned''), avg(amount) FILTER (WHERE status = ''kept'') FROM orders') AS averages,
    price('SELECT count(DISTINCT day) FILTER (WHERE status = ''returned''), count(DISTINCT day) FILTER (WHERE status = ''kept'') FROM orders') AS different;
-- A sum has what one row can have, in each of them.
SELECT sum(amount) FILTER (WHERE status = 'returned') AS returned, sum(amount) FILTER (WHERE status = 'kept') AS kept FROM orders;
-- Five of ten rows: exact shares of them where these are whole.
RESET ROLE;
SELECT dp.protect('orders', 9e9, privacy_unit => 'customer', max_rows_per_unit => 5);
SET ROLE regress_arms;
EXPLAIN (COSTS OFF) SELECT count(*) FILTER (WHERE status = 'returned') AS returned, count(*) FILTER (WHERE status = 'kept') AS kept, count(*) FILTER (WHERE status = 'lost') AS lost, count(*) FROM orders;
SELECT lost, returned BETWEEN 200 AND 300 AS about_250, kept BETWEEN 100 AND 200 AS about_150, returned + kept + lost AS together, n
FROM (SELECT count(*) FILTER (WHERE status = 'returned') AS returned, count(*) FILTER (WHERE status = 'kept') AS kept, count(*) FILTER (WHERE status = 'lost') AS lost, count(*) AS n FROM orders) q;
-- By groups, whose rows of a unit are shares of the limit; with limits of groups; of rows that are chosen.
SELECT sum(returned + kept + lost) AS together FROM (SELECT shop, count(*) FILTER (WHERE status = 'returned') AS returned, count(*) FILTER (WHERE status = 'kept') AS kept, count(*) FILTER (WHERE status = 'lost') AS lost FROM orders GROUP BY shop) q;
RESET ROLE;
SELECT dp.protect('orders', 9e9, privacy_unit => 'customer', max_groups_per_unit => 1, max_rows_per_group => 3);
SET ROLE regress_arms;
SELECT sum(returned + kept + lost) AS together FROM (SELECT shop, count(*) FILTER (WHERE status = 'returned') AS returned, count(*) FILTER (WHERE status = 'kept') AS kept, count(*) FILTER (WHERE status = 'lost') AS lost FROM orders GROUP BY shop) q;
SELECT price('SELECT shop, count(*) FILTER (WHERE status = ''returned''), count(*) FILTER (WHERE status = ''kept''), count(*) FILTER (WHERE status = ''lost'') FROM orders GROUP BY shop') AS by_groups;
RESET ROLE;
SELECT dp.protect('orders', 9e9, privacy_unit => 'customer', max_rows_per_unit => 4, rows_kept => 'latest', rows_kept_by => 'day');
SET ROLE regress_arms;
SELECT count(*) FILTER (WHERE status = 'returned') AS returned, count(*) FILTER (WHERE status = 'kept') AS kept, count(*) FILTER (WHERE status = 'lost') AS lost, sum(amount) FILTER (WHERE status = 'kept') AS amount FROM orders;
SELECT price('SELECT count(*) FILTER (WHERE status = ''returned''), count(*) FILTER (WHERE status = ''kept''), count(*) FILTER (WHERE status = ''lost'') FROM orders') AS counts,
    price('SELECT sum(amount) FILTER (WHERE status = ''returned''), sum(amount) FILTER (WHERE status = ''kept''), count(*) FILTER (WHERE status = ''lost'') FROM orders') AS sums;
-- Arms that overlap, two counts in one arm: each has the whole limit, and pays.
SELECT price('SELECT count(*) FILTER (WHERE day < 5), count(*) FILTER (WHERE day < 7) FROM orders') AS overlap,
    price('SELECT count(*) FILTER (WHERE day < 5), count(amount) FILTER (WHERE day < 5), count(*) FILTER (WHERE day > 7) FROM orders') AS twice;
-- A law that is not valid for numbers that change together gets a part of epsilon for each that does.
RESET ROLE;
SELECT dp.protect('orders', 9e9, privacy_unit => 'customer', max_rows_per_unit => 6, rows_kept => 'random', answer_epsilon => 3);
SET ROLE regress_arms;
SET dp.mechanism = 'staircase';
SELECT plan_of('SELECT count(*) FILTER (WHERE status = ''returned''), count(*) FILTER (WHERE status = ''kept''), count(*) FILTER (WHERE status = ''lost'') FROM orders', 'Epsilon|Error');
SELECT plan_of('SELECT count(*) FILTER (WHERE status = ''returned'') FROM orders', 'Epsilon|Error');
RESET dp.mechanism;
-- A limit that is chosen is one for all: they pay once (limits_of_arms).
RESET ROLE;
SELECT dp.unprotect('orders');
SELECT dp.protect('orders', 9e9, privacy_unit => 'customer', answer_epsilon => 1e6), dp.grant_budget('orders', 'regress_arms', 9e9, allow_leaks => true);
SET ROLE regress_arms;
SELECT price('SELECT count(*) FILTER (WHERE status = ''returned''), count(*) FILTER (WHERE status = ''kept'') FROM orders') AS chosen;
RESET ROLE;
SELECT dp.unprotect('orders');
DROP SCHEMA unit_arms CASCADE;
DROP OWNED BY regress_arms;
DROP ROLE regress_arms;
