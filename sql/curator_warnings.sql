-- What a curator is warned of, and refused: a privacy unit that is no person, public values that no row can have or that are persons,
-- a table that has nothing to take back.
CALL own_schema('curator_warnings');
CREATE TABLE customer (id int PRIMARY KEY, country text NOT NULL);
CREATE TABLE orders (id bigint PRIMARY KEY, "by" int NOT NULL REFERENCES customer, sold timestamptz NOT NULL, on_day date NOT NULL);
CREATE TABLE line (order_id bigint NOT NULL REFERENCES orders, product int NOT NULL);
CREATE TABLE review (by int NOT NULL REFERENCES customer, stars int);
-- An order is no person: what it refers to may be.
SELECT dp.protect('line', 10, privacy_unit => 'order_id', max_rows_per_unit => 5);
-- The unit of orders is known: so it is none.
SELECT dp.protect('orders', 10, privacy_unit => 'by', max_rows_per_unit => 5);
SELECT dp.unprotect('line');
SELECT dp.protect('line', 10, privacy_unit => 'order_id', max_rows_per_unit => 5);
-- Said once.
SELECT dp.protect('line', 20, max_rows_per_unit => 3);
-- What it says runs, and is enough.
ALTER TABLE line ADD by integer;
UPDATE line AS t SET by = o.by FROM orders AS o WHERE o.id = t.order_id;
SELECT dp.protect('line', 20, privacy_unit => 'by', max_rows_per_unit => 5);
-- Customers refer to nobody.
SELECT dp.protect('review', 10, privacy_unit => 'by', max_rows_per_unit => 5);

-- A part of a table that is not protected: who reads the whole reads it
CREATE TABLE visits (person int NOT NULL, year int NOT NULL) PARTITION BY LIST (year);
CREATE TABLE visits_2023 PARTITION OF visits FOR VALUES IN (2023);
CREATE TABLE calls (person int);
CREATE TABLE calls_home () INHERITS (calls);
SELECT dp.protect('visits_2023', 10, privacy_unit => 'person', max_rows_per_unit => 5);
SELECT dp.protect('calls_home', 10, privacy_unit => 'person', max_rows_per_unit => 5);
-- Said once, and not of the whole.
SELECT dp.protect('calls_home', 20, max_rows_per_unit => 5);
SELECT dp.unprotect('visits_2023'), dp.unprotect('calls_home');
SELECT dp.protect('visits', 10, privacy_unit => 'person', max_rows_per_unit => 5);
SELECT dp.unprotect('visits');

-- Months of another zone than the expression's
SET TimeZone = 'UTC';
SELECT dp.public_values('orders', $$date_trunc('month', sold, 'Europe/Berlin')$$, ARRAY(SELECT generate_series(timestamptz '2024-01-01', '2024-12-01', '1 month')));
SELECT dp.public_values('orders', $$date_trunc('month', on_day::timestamp)$$, '2024-01-01', '2024-02-03');
SELECT dp.public_values('orders', $$dp_trunc('month', sold, 'Europe/Berlin')$$, '2024-01-01');
SET TimeZone = 'Europe/Berlin';
SELECT dp.public_values('orders', $$date_trunc('month', sold, 'Europe/Berlin')$$, ARRAY(SELECT generate_series(timestamptz '2024-01-01', '2024-12-01', '1 month')));
SELECT dp.public_values('orders', $$dp_trunc('month', sold, 'Europe/Berlin')$$, '2024-01-01');
SELECT dp.public_values('orders', $$date_trunc('month', on_day::timestamp)$$, '2024-01-01', '2024-02-01');
RESET TimeZone;
-- Persons as groups
SELECT dp.public_values('orders', 'by', 1, 2);
SELECT dp.public_values('orders', 'id', 1, 2);

SELECT dp.unprotect('customer');
SET client_min_messages = error;
SELECT dp.unprotect(t) FROM unnest(ARRAY['orders', 'line', 'review']::regclass[]) t;
SELECT dp.unprotect('orders');
DROP SCHEMA curator_warnings CASCADE;
