-- What a refused question says to whoever reads only that: forms that are public, budgets that are missing, limits that are short.
CALL own_schema('analyst_hints');
SET client_min_messages = warning;
SET TimeZone = 'Europe/Berlin';
CREATE TABLE sale (id int PRIMARY KEY, customer int NOT NULL, country text NOT NULL, sold timestamptz NOT NULL, "Sold" date NOT NULL, amount numeric NOT NULL);
INSERT INTO sale SELECT i, i % 50, 'DE', timestamptz '2024-01-01' + i * interval '17 hours', date '2024-01-01' + i % 300, i % 100 FROM generate_series(1, 400) i;
CREATE TABLE closed (id int PRIMARY KEY);
CREATE TABLE open (id int PRIMARY KEY);
CREATE ROLE regress_hints_ana;
SELECT dp.protect('sale', 20), dp.protect('closed', 1);
SELECT dp.grant_budget('sale', 'regress_hints_ana', 5, allow_leaks => true);
SELECT dp.public_values('sale', $$date_trunc('month', sold, 'Europe/Berlin')$$, ARRAY(SELECT generate_series(timestamptz '2024-01-01', '2024-10-01', '1 month')));
SELECT dp.public_values('sale', 'country', 'DE', 'FR');
SET ROLE regress_hints_ana;

-- Another form than the declared one: with no zone, of another zone, by the day; and where nothing is declared of the column
SELECT date_trunc('month', sold), dp_count('*', 0.1) FROM sale GROUP BY 1;
SELECT date_trunc('month', sold, 'UTC'), dp_count('*', 0.1) FROM sale GROUP BY 1;
SELECT sold::date, dp_count('*', 0.1) FROM sale GROUP BY 1;
SELECT to_char("Sold", 'YYYY-MM'), dp_count('*', 0.1) FROM sale GROUP BY 1;
SELECT amount, dp_count('*', 0.1) FROM sale GROUP BY 1;
SELECT id / 10, dp_count('*', 0.1) FROM sale GROUP BY 1;
-- What it says is right.
SELECT count(*) AS months FROM (SELECT date_trunc('month', sold, 'Europe/Berlin'), dp_count('*', 0.1) FROM sale GROUP BY 1) AS answers;

-- Without a budget, on a table that has one and on one that has none
SELECT dp_count('*', 0.1) FROM closed;
SELECT count(*) FROM closed;
SELECT * FROM closed;
SELECT dp_count('*', 0.1) FROM open;
SELECT * FROM (SELECT dp_count('*', 0.1) FROM open) AS answers;
SELECT count(*) FROM open;
-- Nobody is sent to a curator for a catalog.
SELECT dp_count('*', 0.1) FROM pg_authid;

-- As much as all limits need: one is short, the other would be next.
SELECT dp_count('*', 10) FROM sale;
SELECT dp_count('*', 30) FROM sale;
RESET ROLE;
SELECT dp.grant_budget('sale', 'regress_hints_ana', 5, query_epsilon => 1, allow_leaks => true), dp.protect('sale', 20, query_epsilon => 2);
SET ROLE regress_hints_ana;
SELECT dp_count('*', 1.5) FROM sale;
SELECT dp_count('*', 30) FROM sale;
RESET ROLE;
SELECT dp.grant_budget('sale', 'regress_hints_ana', 50, query_epsilon => 30, allow_leaks => true), dp.protect('sale', 50, query_epsilon => 30);
SET ROLE regress_hints_ana;
SELECT dp_count('*', 30) > 0 AS answered FROM sale;

-- Windows, over rows and over answers
SELECT country, dp_count('*', 0.1) OVER () FROM sale;
SELECT dp_count('*', 0.1) OVER () FROM generate_series(1, 3);
SELECT sum(n) OVER () IS NOT NULL AS whole FROM (SELECT country, dp_count('*', 0.1) AS n FROM sale GROUP BY country) AS answers;
-- A subquery as a bound
SELECT dp_sum(amount, 0, (SELECT 100), 0.1) FROM sale;
-- Questions about each customer of a table whose rows are hidden each by itself
RESET ROLE;
CREATE TABLE customer (id int PRIMARY KEY);
INSERT INTO customer SELECT DISTINCT customer FROM sale;
ALTER TABLE sale ADD FOREIGN KEY (customer) REFERENCES customer;
SET ROLE regress_hints_ana;
SELECT count(*) FROM (SELECT customer FROM sale GROUP BY customer HAVING dp_count('*', 0.1) > 1) AS again;
-- The epsilon of an example is none of somebody's bounds.
SELECT stddev(DISTINCT 1 / amount), dp_histogram(amount, 0, 110, 11) FROM sale;
-- The most frequent of values that nobody has listed
SELECT mode() WITHIN GROUP (ORDER BY amount) FROM sale;
SELECT mode() WITHIN GROUP (ORDER BY extract(dow FROM sold)) FROM sale;
RESET ROLE;
SELECT dp.unprotect(t) FROM unnest(ARRAY['sale', 'closed']::regclass[]) t;
DROP SCHEMA analyst_hints CASCADE;
