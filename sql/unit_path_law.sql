-- The law of answers by unit through foreign keys, as unit_law has it: a customer with many orders, and lines of each, is there in
-- all three tables, or is in none of them. With epsilon = 1 the odds of an event may differ by e, and those of the events below do,
-- so that noise for less than the whole customer shows at once. 20,000 pairs; 13 percent are six standard errors.
CALL own_schema('unit_path_law');
SET client_min_messages = error;
SET dp.keep_releases = 0;
CREATE TABLE customer (c int PRIMARY KEY, kind text NOT NULL);
CREATE TABLE orders (o int PRIMARY KEY, c int NOT NULL REFERENCES customer, slot int NOT NULL);
CREATE TABLE lines (o int NOT NULL REFERENCES orders, slot int NOT NULL, x float8 NOT NULL);
-- Customer c has two orders, and three lines of each, in each of the slots 2c and 2c + 1; from 20,000 on there is nobody.
INSERT INTO customer SELECT c, 'k' FROM generate_series(0, 19999) c;
INSERT INTO orders SELECT 4 * c + n, c, 2 * c + n / 2 FROM generate_series(0, 19999) c, generate_series(0, 3) n;
INSERT INTO lines SELECT o, slot, 1 FROM orders, generate_series(1, 3);
ANALYZE customer, orders, lines;
SELECT dp.protect('customer', 1e9, privacy_unit => 'c');
SELECT dp.protect('orders', 1e9, privacy_unit => 'c', max_groups_per_unit => 2, max_rows_per_group => 2);
SELECT dp.protect('lines', 1e9, privacy_unit => 'o.c', max_groups_per_unit => 2, max_rows_per_group => 2);
SELECT array_agg(i) AS slots FROM generate_series(0, 79999) i \gset
SELECT dp.public_values('lines', 'slot', VARIADIC :'slots'::int[]) = dp.public_values('orders', 'slot', VARIADIC :'slots'::int[]) AS declared;

-- How much likelier the event is where the customer is, by the number of its slots that are at least 2: both, with counts (2, 2) for (0, 0).
CREATE FUNCTION likelier(answers regclass, OUT ratio float8) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT count(*) FILTER (WHERE hit AND c < 20000)::float8 / count(*) FILTER (WHERE hit AND c >= 20000)
        FROM (SELECT slot / 2 AS c, bool_and(n >= 2) AS hit FROM %s GROUP BY 1) s', answers) INTO ratio;
END $$;

-- Lines alone, whose customers are found beside; geometric noise at joint l1 = 4: P(N >= 0)^2 / P(N >= 2)^2 = e^(4 epsilon / 4).
CREATE TEMP TABLE alone AS SELECT slot, dp_count('*', 1, 'geometric') AS n FROM lines GROUP BY slot;
SELECT likelier('alone') / exp(1) BETWEEN 0.87 AND 1.13 AS exactly_e;
-- All three, joined along the path: the rows are lines, with the lines' limits.
CREATE TEMP TABLE joined AS SELECT l.slot, dp_count('*', 1, 'geometric') AS n
    FROM customer JOIN orders USING (c) JOIN lines l USING (o) GROUP BY l.slot;
SELECT likelier('joined') / exp(1) BETWEEN 0.87 AND 1.13 AS exactly_e;
-- Pairs of lines of an order: nine of each, of which two count in each slot.
CREATE TEMP TABLE pairs AS SELECT a.slot, dp_count('*', 1, 'geometric') AS n FROM lines a JOIN lines b USING (o) GROUP BY a.slot;
SELECT likelier('pairs') / exp(1) BETWEEN 0.87 AND 1.13 AS exactly_e;
-- Orders, of which some lines may be missing.
CREATE TEMP TABLE outer_joined AS SELECT o.slot, dp_count('*', 1, 'geometric') AS n FROM orders o LEFT JOIN lines l USING (o) GROUP BY o.slot;
SELECT likelier('outer_joined') / exp(1) BETWEEN 0.87 AND 1.13 AS exactly_e;
-- Asked of each customer: one row, with the noise of one row; and two of each, at most as many as lines count.
SELECT dp.public_values('orders', 'c', VARIADIC (:'slots'::int[])[1:40000]);
SELECT count(*) FILTER (WHERE n >= 1 AND c < 20000)::float8 / count(*) FILTER (WHERE n >= 1 AND c >= 20000) / exp(1) BETWEEN 0.87 AND 1.13 AS exactly_e
FROM (SELECT c, dp_count('*', 1, 'geometric') AS n
    FROM (SELECT c, count(*) AS size, sum(x) AS all_x FROM lines JOIN orders USING (o) GROUP BY c) AS of_each WHERE size >= 12 AND all_x > 11 GROUP BY c) s
WHERE c IS NOT NULL;
CREATE TEMP TABLE of_each AS SELECT slot, dp_count('*', 1, 'geometric') + 1 AS n
    FROM (SELECT c, l.slot, count(*) AS size FROM lines l JOIN orders USING (o) GROUP BY c, l.slot) AS s WHERE size >= 6 GROUP BY slot;
SELECT likelier('of_each') / exp(1) < 1.13 AS at_most_e, likelier('of_each') > 1.5 AS seen;

-- Subqueries in WHERE: each order has lines, and each line others of its order. Whoever has no lines has orders all the same, as one who
-- is missing in the table that is only looked at.
INSERT INTO customer SELECT c, 'k' FROM generate_series(20000, 39999) c;
INSERT INTO orders SELECT 4 * c + n, c, 2 * c + n / 2 FROM generate_series(20000, 39999) c, generate_series(0, 3) n;
CREATE INDEX ON lines (o);
CREATE TEMP TABLE asked AS SELECT slot, dp_count('*', 1, 'geometric') AS n FROM orders
    WHERE EXISTS (SELECT FROM lines l WHERE l.o = orders.o) GROUP BY slot;
SELECT likelier('asked') / exp(1) BETWEEN 0.87 AND 1.13 AS exactly_e;
CREATE TEMP TABLE asked_not AS SELECT slot, dp_count('*', 1, 'geometric') AS n FROM orders
    WHERE o NOT IN (SELECT o FROM lines GROUP BY o HAVING sum(x) > 1) GROUP BY slot;
SELECT likelier('asked_not') * exp(1) BETWEEN 0.87 AND 1.13 AS exactly_e;
CREATE TEMP TABLE asked_lines AS SELECT slot, dp_count('*', 1, 'geometric') AS n FROM lines l
    WHERE x <= (SELECT avg(x) FROM lines m WHERE m.o = l.o) AND EXISTS (SELECT FROM orders WHERE orders.o = l.o) GROUP BY slot;
SELECT likelier('asked_lines') / exp(1) BETWEEN 0.87 AND 1.13 AS exactly_e;
-- A subquery within a subquery.
CREATE TEMP TABLE asked_deeper AS SELECT slot, dp_count('*', 1, 'geometric') AS n FROM orders
    WHERE NOT EXISTS (SELECT FROM lines l WHERE l.o = orders.o AND x >= (SELECT avg(x) FROM lines m WHERE m.o = l.o AND EXISTS (SELECT FROM orders k WHERE k.o = m.o)))
    GROUP BY slot;
SELECT likelier('asked_deeper') * exp(1) BETWEEN 0.87 AND 1.13 AS exactly_e;
-- In HAVING of a subquery that groups by the customer.
CREATE TEMP TABLE asked_groups AS SELECT slot, dp_count('*', 1, 'geometric') + 1 AS n
    FROM (SELECT c, slot FROM orders GROUP BY c, slot HAVING c IN (SELECT k.c FROM lines l JOIN orders k USING (o))) AS s GROUP BY slot;
SELECT likelier('asked_groups') < exp(1) * 1.13 AS at_most_e, likelier('asked_groups') > 1.5 AS seen;

SELECT dp.unprotect('lines'), dp.unprotect('orders'), dp.unprotect('customer');
DROP FUNCTION likelier;
DROP TABLE lines, orders, customer, alone, joined, pairs, outer_joined, of_each, asked, asked_not, asked_lines, asked_deeper, asked_groups;
RESET dp.keep_releases;
