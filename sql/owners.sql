-- Two owners: a table whose rows belong to another owner, on a server with a ledger of its own. A question over both is charged at both or
-- not at all. The other server is another database here; test/fault/owners.sh has two.
SET client_min_messages = warning;
DROP DATABASE IF EXISTS regress_owners_b;
CREATE ROLE regress_owners_a;
CREATE ROLE regress_owners_b;
CREATE ROLE regress_owners_shop_a LOGIN;
CREATE ROLE regress_owners_ana;
CREATE ROLE regress_owners_bob;
CREATE DATABASE regress_owners_b TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C';
\set before :DBNAME
\set super :USER
\c regress_owners_b :super
SET client_min_messages = warning;
CREATE EXTENSION pg_dp;
SET client_min_messages = error; -- of what is open in a database that is not hardened
GRANT ALL ON SCHEMA public TO regress_owners_b;
SET ROLE regress_owners_b;
CREATE TABLE customers (email text, city text, spent int);
INSERT INTO customers SELECT 'c' || i || '@example.org', (ARRAY['north', 'south'])[i % 2 + 1], i % 100 FROM generate_series(1, 1000) i;
SELECT dp.protect('customers', 9e9, privacy_unit => 'email', max_rows_per_unit => 1);
SELECT dp.lend_rows('customers', 'regress_owners_shop_a'); -- no budget yet
SELECT dp.grant_budget('customers', 'regress_owners_shop_a', 2000010, allow_leaks => true);
CREATE TABLE orders (email text, spent int);
INSERT INTO orders SELECT 'c' || i || '@example.org', i % 100 FROM generate_series(1, 500) i;
SELECT dp.protect('orders', 9e9);
SELECT dp.grant_budget('orders', 'regress_owners_shop_a', 9e9, allow_leaks => true);
RESET ROLE;
CREATE FUNCTION owners_ledger() RETURNS TABLE (role regrole, relation regclass, kind text, epsilon numeric, table_epsilon numeric, query text)
    LANGUAGE sql AS $$ SELECT role, relation, kind, epsilon, table_epsilon, regexp_replace(query, '[0-9a-f]{16}', '#') FROM dp.ledger ORDER BY seq $$;
\c :before :super
SET client_min_messages = warning;
CREATE SCHEMA regress_owners AUTHORIZATION regress_owners_a;
GRANT USAGE ON SCHEMA regress_owners TO PUBLIC;
SET search_path = regress_owners, public;
CREATE EXTENSION postgres_fdw SCHEMA regress_owners;
SELECT format('CREATE SERVER shop_b FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host %L, port %L, dbname %L)',
    split_part(current_setting('unix_socket_directories'), ',', 1), current_setting('port'), 'regress_owners_b') AS create_server \gset
:create_server;
CREATE USER MAPPING FOR regress_owners_a SERVER shop_b OPTIONS (user 'regress_owners_shop_a', password_required 'false');
GRANT USAGE ON FOREIGN SERVER shop_b TO regress_owners_a;
SET ROLE regress_owners_a;
CREATE TABLE customers (email text, city text);
INSERT INTO customers SELECT 'c' || i || '@example.org', 'north' FROM generate_series(901, 1200) i;
CREATE FOREIGN TABLE customers_b (email text, city text, amount int OPTIONS (column_name 'spent')) SERVER shop_b
    OPTIONS (schema_name 'public', table_name 'customers');
SET client_min_messages = error;
SELECT dp.protect('customers', 9e9, privacy_unit => 'email', max_rows_per_unit => 1);
SELECT dp.grant_budget('customers', 'regress_owners_ana', 9e9, allow_leaks => true);
SET client_min_messages = notice;

-- Its owner has given a budget, and has not lent the rows: nothing of them can be had.
SELECT dp.protect('customers_b', 9e9, privacy_unit => 'email', max_rows_per_unit => 1);
\set a :DBNAME
\c regress_owners_b :super
SET ROLE regress_owners_b;
SELECT dp.lend_rows('customers', 'regress_owners_shop_a'), dp.lend_rows('orders', 'regress_owners_shop_a');
\c :a :super
SET search_path = regress_owners, public;
SET ROLE regress_owners_a;
SET client_min_messages = notice;
-- Another unit than is promised there.
SELECT dp.protect('customers_b', 9e9);
SELECT dp.protect('customers_b', 9e9, privacy_unit => 'city', max_rows_per_unit => 1);
\set QUIET on
\set VERBOSITY terse
SELECT dp.protect('customers_b', 9e9, privacy_unit => 'email', max_rows_per_unit => 1);
\set VERBOSITY default
SET client_min_messages = error;
SELECT dp.grant_budget('customers_b', 'regress_owners_ana', 9e9, allow_leaks => true);
SELECT dp.public_values('customers_b', 'city', 'north', 'south');
RESET ROLE;
SET client_min_messages = notice;

-- What is charged where.
SET ROLE regress_owners_ana;
EXPLAIN (COSTS OFF) SELECT dp_count('*', 1e6) FROM customers c JOIN customers_b b USING (email);
SELECT * FROM dp.cost($$ SELECT dp_count('*', 1e6) FROM customers c JOIN customers_b b USING (email) $$);

-- How many customers both have: charged in both ledgers, under one number.
SELECT dp_count('*', 1e6) FROM customers c JOIN customers_b b USING (email);
SELECT dp_last_release();
SELECT city, dp_count('*', 1e6) FROM customers_b WHERE amount < 50 GROUP BY city;
RESET ROLE;
SELECT relation, kind, epsilon, table_epsilon, regexp_replace(query, '[0-9a-f]{16}', '#') AS query FROM dp.ledger
    WHERE relation IN ('customers'::regclass, 'customers_b'::regclass) ORDER BY seq;
SELECT count(DISTINCT substring(query FROM '[0-9a-f]{16}')) FROM dp.ledger WHERE relation IN ('customers'::regclass, 'customers_b'::regclass);
\c regress_owners_b :super
SELECT * FROM owners_ledger();
SELECT epsilon_left FROM dp.budgets WHERE relation = 'customers'::regclass AND role = 'regress_owners_shop_a'::regrole;
\c :a :super
SET search_path = regress_owners, public;

-- A budget there that does not suffice: charged at neither.
SET ROLE regress_owners_ana;
SELECT dp_count('*', 1e6) FROM customers c JOIN customers_b b USING (email);
SET ROLE regress_owners_a;
SELECT dp_count('*', 1e6) FROM customers_b;
SET ROLE regress_owners_ana;
SELECT dp_sum(amount, 0, 1, 1) > -1000 AS answered FROM customers_b;
RESET ROLE;
SELECT count(*) FROM dp.ledger WHERE relation IN ('customers'::regclass, 'customers_b'::regclass);

-- A budget here that does not suffice: it is not charged there either.
SET ROLE regress_owners_a;
SET client_min_messages = error;
SELECT dp.grant_budget('customers_b', 'regress_owners_bob', 0.5, allow_leaks => true);
SET ROLE regress_owners_bob;
SELECT dp_count('*', 1) FROM customers_b;
RESET ROLE;
\c regress_owners_b :super
SELECT count(*) FROM owners_ledger();
\c :a :super
SET search_path = regress_owners, public;
SET client_min_messages = error;

-- The same question again is shown again for nothing; what is more accurate, or another's, is asked anew, and charged at both.
SET ROLE regress_owners_a;
SELECT dp.protect('customers_b', reuse => '1 day', share_answers => true);
SET ROLE regress_owners_ana;
SELECT dp_count('*', 1.5) = dp_count('*', 1.5) AS same FROM customers_b;
SELECT dp_count('*', 1.5) > 0 AS answered FROM customers_b;
SELECT dp_count('*', 2) > 0 AS answered FROM customers_b;
SET ROLE regress_owners_a;
SELECT dp.grant_budget('customers_b', 'regress_owners_bob', 9, allow_leaks => true);
SET ROLE regress_owners_bob;
SELECT dp_count('*', 2) > 0 AS answered FROM customers_b;
RESET ROLE;
SELECT kind, role, epsilon FROM dp.ledger WHERE relation = 'customers_b'::regclass AND epsilon < 1000 ORDER BY seq;
\c regress_owners_b :super
SELECT kind, epsilon FROM owners_ledger() WHERE epsilon < 1000;
SELECT finding, run FROM dp.check('customers') WHERE finding LIKE '%lent%';
SELECT dp.grant_budget('customers', 'regress_owners_shop_a', 2000015.5);

-- Several tables of that owner: one whose budget does not suffice, and the other is taken back.
SET client_min_messages = error;
SELECT dp.protect('orders', privacy_unit => 'email', max_rows_per_unit => 1), dp.grant_budget('orders', 'regress_owners_shop_a', 1);
\c :a :super
SET search_path = regress_owners, public;
SET client_min_messages = error;
SET ROLE regress_owners_a;
CREATE FOREIGN TABLE bought_b (email text, spent int) SERVER shop_b OPTIONS (schema_name 'public', table_name 'orders');
SELECT dp.protect('bought_b', 9e9, privacy_unit => 'email', max_rows_per_unit => 1), dp.grant_budget('bought_b', 'regress_owners_ana', 9e9, allow_leaks => true);
-- They are on one server, and are joined here.
SELECT dp.declare_colocated('customers_b', 'bought_b');
SET ROLE regress_owners_ana;
SELECT dp_count('*', 1.25) FROM customers_b JOIN bought_b USING (email);
SELECT dp_count('*', 0.75) > 0 AS answered FROM customers_b JOIN bought_b USING (email);
RESET ROLE;
SELECT count(*) FROM dp.ledger WHERE epsilon = 1.25;
\c regress_owners_b :super
SELECT relation, kind, epsilon FROM owners_ledger() WHERE epsilon IN (0.75, 1.25);
SET client_min_messages = error;
SELECT dp.grant_budget('customers', 'regress_owners_shop_a', 2000016.25);
SELECT dp.unprotect('orders');
SELECT dp.protect('orders', 9e9, privacy_unit => ''), dp.grant_budget('orders', 'regress_owners_shop_a', 9e9, allow_leaks => true), dp.lend_rows('orders', 'regress_owners_shop_a');

-- Who has charged nothing reads nothing there: neither the role itself, nor the asker's curator.
\c :a :super
SET search_path = regress_owners, public;
SET ROLE regress_owners_a;
\set VERBOSITY sqlstate
TABLE customers_b;
ANALYZE customers_b;
SELECT count(*) FROM customers_b;
\c regress_owners_b regress_owners_shop_a
\set VERBOSITY terse
BEGIN;
DECLARE c1 CURSOR FOR
SELECT email FROM public.customers;
ROLLBACK;
-- What is charged may be read: that statement, once, in this transaction.
\set charge 'SELECT dp.charge_rows(''customers'', ''email'', 1000000000, 0, ''pure 1'', ''0123456789abcdef'', ''by hand'', ARRAY[''SELECT count(*) FROM public.customers'', ''SELECT max(city) FROM public.customers''])'
BEGIN;
:charge;
SAVEPOINT s;
SELECT count(*) FROM public.customers;
ROLLBACK TO s;
DECLARE c1 CURSOR FOR
SELECT min(city) FROM public.customers\g
ROLLBACK TO s;
DECLARE c1 CURSOR FOR
SELECT count(*) FROM public.customers\g
FETCH c1;
CLOSE c1;
SELECT dp.withdraw_rows('0123456789abcdef');
DECLARE c2 CURSOR FOR
SELECT count(*) FROM public.customers\g
FETCH c2;
ROLLBACK TO s;
EXPLAIN SELECT max(city) FROM public.customers;
ROLLBACK TO s;
PREPARE p AS SELECT max(city) FROM public.customers;
EXECUTE p;
ROLLBACK TO s;
COPY (SELECT max(city) FROM public.customers) TO STDOUT;
COMMIT;
BEGIN;
DECLARE c3 CURSOR FOR
SELECT max(city) FROM public.customers\g
ROLLBACK;
-- Nothing is taken back of another transaction, nor by another number; what is not read is, once.
SELECT dp.withdraw_rows('0123456789abcdef');
BEGIN;
:charge;
SELECT dp.withdraw_rows('0123456789abcdee');
SELECT epsilon_left FROM dp.budgets WHERE relation = 'customers'::regclass AND role = 'regress_owners_shop_a'::regrole;
SELECT dp.withdraw_rows('0123456789abcdef');
SELECT dp.withdraw_rows('0123456789abcdef');
SELECT epsilon_left FROM dp.budgets WHERE relation = 'customers'::regclass AND role = 'regress_owners_shop_a'::regrole;
DECLARE c1 CURSOR FOR
SELECT max(city) FROM public.customers\g
ROLLBACK;
-- Two tables in one statement; another table than was charged; as another role.
BEGIN;
SELECT dp.charge_rows('customers', 'email', 1000, 0, '', '0', 'by hand', ARRAY['SELECT 1 FROM public.orders', 'SELECT 1 FROM public.customers c, public.orders o']);
SAVEPOINT s;
DECLARE c1 CURSOR FOR
SELECT 1 FROM public.orders\g
ROLLBACK TO s;
DECLARE c1 CURSOR FOR
SELECT 1 FROM public.customers c, public.orders o\g
ROLLBACK;
\c regress_owners_b :super
BEGIN;
SET ROLE regress_owners_shop_a;
SELECT dp.charge_rows('customers', 'email', 1000, 0, '', '0', 'by hand', ARRAY['SELECT city FROM public.customers']);
SET ROLE regress_owners_ana;
DECLARE c1 CURSOR FOR
SELECT city FROM public.customers\g
ROLLBACK;
\c regress_owners_b regress_owners_shop_a
-- What is no charge.
SELECT dp.charge_rows('customers', 'email', 0, 0, '', '0', 'by hand', ARRAY['SELECT 1']);
SELECT dp.charge_rows('customers', 'email', 1000, -1, '', '0', 'by hand', ARRAY['SELECT 1']);
SELECT dp.charge_rows('customers', 'email', 1000, 0, 'much 1', '0', 'by hand', ARRAY['SELECT 1']);
SELECT dp.charge_rows('customers', 'email', 1000, 0, '', '0', 'by hand', '{}');
SELECT dp.charge_rows('customers', 'email', 1000, 0, '', '0', 'by hand', ARRAY[NULL]::text[]);
SELECT dp.charge_rows('customers', NULL, 1000, 0, '', '0', 'by hand', ARRAY['SELECT 1']);
SELECT dp.charge_rows('customers', 'city', 1000, 0, '', '0', 'by hand', ARRAY['SELECT 1']);
SELECT dp.charge_rows('customers', 'email', 9000000000000000000, 0, '', '0', 'by hand', ARRAY['SELECT 1']);
SELECT dp.charge_rows('customers', 'email', 1, 0, '', '0', 'by hand', ARRAY['SELECT 1']);
SELECT dp.lend_rows('customers', 'regress_owners_ana');
\c regress_owners_b :super
SELECT role, relation, kind, epsilon, table_epsilon, query FROM owners_ledger() WHERE query LIKE '%by hand';

-- What was taken back stays so: for who reads the whole ledger, and once entries are folded.
CREATE TEMP TABLE was AS SELECT relation, role, epsilon_ever, charges FROM dp.budgets WHERE relation = 'customers'::regclass;
SELECT dp.compact_ledger(now() + interval '1 day') > 0 AS folded;
SELECT count(*) FROM was w JOIN dp.budgets b USING (relation, epsilon_ever, charges) WHERE w.role IS NOT DISTINCT FROM b.role;
SELECT kind, count(*) FROM owners_ledger() GROUP BY kind ORDER BY kind;

-- Where budgets are for a period nothing is taken back: it would count a moment later.
SET client_min_messages = error;
SELECT dp.grant_budget('customers', 'regress_owners_shop_a', period => '1 month');
\c regress_owners_b regress_owners_shop_a
BEGIN;
SELECT dp.charge_rows('customers', 'email', 1000, 0, '', '1', 'in a period', ARRAY['SELECT 1']);
SELECT dp.withdraw_rows('1');
COMMIT;
\c regress_owners_b :super
SELECT kind FROM owners_ledger() WHERE query = 'in a period';

-- Ended there: the charge is refused, and nothing is read. It is found out here when the table is protected again.
SELECT dp.lend_rows('customers', 'regress_owners_shop_a', lend => false);
\c :a :super
SET search_path = regress_owners, public;
SET ROLE regress_owners_ana;
\set VERBOSITY default
SELECT dp_count('*', 1) FROM customers_b WHERE city = 'north';
\set VERBOSITY terse
RESET ROLE;
SET ROLE regress_owners_a;
SET client_min_messages = error;
SELECT dp.protect('customers_b');
\c regress_owners_b :super
GRANT SELECT ON customers TO regress_owners_shop_a;
\c :a :super
SET search_path = regress_owners, public;
SET ROLE regress_owners_a;
SET client_min_messages = error;
SELECT dp.protect('customers_b');
SET ROLE regress_owners_ana;
SELECT dp_count('*', 1e6) FROM customers_b;
RESET ROLE;
SELECT count(*) FROM dp.other_owner WHERE relation = 'customers_b'::regclass;

-- Parts are made there as of a table that may be read: rows do not leave.
\c regress_owners_b :super
GRANT USAGE ON SCHEMA dp_internal TO regress_owners_shop_a;
CREATE TABLE spans (spent int PRIMARY KEY, span text COLLATE "C");
INSERT INTO spans SELECT i, CASE WHEN i < 10 THEN 'small' ELSE 'large' END FROM generate_series(0, 99) i;
GRANT SELECT ON spans TO regress_owners_shop_a;
\c :a :super
SET search_path = regress_owners, public;
ALTER SERVER shop_b OPTIONS (ADD extensions 'pg_dp');
SET ROLE regress_owners_a;
CREATE FOREIGN TABLE spent_b (email text, spent int) SERVER shop_b OPTIONS (schema_name 'public', table_name 'orders');
SET client_min_messages = error;
SELECT dp.protect('spent_b', 9e9), dp.grant_budget('spent_b', 'regress_owners_ana', 9e9, allow_leaks => true);
CREATE FUNCTION remote_sql(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    line text;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF, VERBOSE) ' || query LOOP
        IF line LIKE '%Remote SQL%' THEN
            RETURN NEXT trim(line);
        END IF;
    END LOOP;
END
$$;
SELECT remote_sql($$ SELECT dp_count('*', 1e6) FROM spent_b WHERE spent < 10 $$);
SET ROLE regress_owners_ana;
SELECT dp_count('*', 1e6) FROM spent_b WHERE spent < 10;
-- A join needs rows, also where there is a copy of the public table.
SET ROLE regress_owners_a;
CREATE FOREIGN TABLE spans_b (spent int, span text COLLATE "C") SERVER shop_b OPTIONS (schema_name 'public', table_name 'spans');
CREATE TABLE spans (spent int PRIMARY KEY, span text COLLATE "C");
INSERT INTO spans TABLE spans_b;
GRANT SELECT ON spans TO PUBLIC;
SELECT dp.declare_copies('spans', 'spans_b');
SELECT remote_sql($$ SELECT dp_count('*', 1e6) FROM spent_b JOIN spans USING (spent) WHERE span = 'small' $$);
SET ROLE regress_owners_ana;
SELECT dp_count('*', 1e6) FROM spent_b JOIN spans USING (spent) WHERE span = 'small';
RESET ROLE;
ALTER SERVER shop_b OPTIONS (DROP extensions);
-- What was said to lie side by side is joined there no more once it is lent.
SET ROLE regress_owners_a;
SELECT dp.declare_colocated('customers_b', 'customers_b');
SELECT remote_sql($$ SELECT dp_count('*', 1) FROM customers_b a JOIN customers_b b USING (email) $$);
\c regress_owners_b :super
REVOKE SELECT ON customers FROM regress_owners_shop_a;
SELECT dp.lend_rows('customers', 'regress_owners_shop_a');
\c :a :super
SET search_path = regress_owners, public;
SET ROLE regress_owners_a;
SET client_min_messages = error;
SELECT dp.protect('customers_b');
SELECT remote_sql($$ SELECT dp_count('*', 1) FROM customers_b a JOIN customers_b b USING (email) $$);
\c regress_owners_b :super
SELECT dp.lend_rows('customers', 'regress_owners_shop_a', lend => false);
GRANT SELECT ON customers TO regress_owners_shop_a;
\c :a :super
SET search_path = regress_owners, public;
SET client_min_messages = error;
SET ROLE regress_owners_a;
SELECT dp.protect('customers_b');
RESET ROLE;
\c regress_owners_b :super
SELECT relation, kind, epsilon FROM owners_ledger() WHERE relation = 'orders'::regclass;
\c :a :super
SET search_path = regress_owners, public;

-- Parts of a table some of whose owners lend and others let read.
SET ROLE regress_owners_a;
CREATE TABLE all_orders (email text, spent int) PARTITION BY LIST (spent);
CREATE FOREIGN TABLE orders_b PARTITION OF all_orders FOR VALUES IN (1) SERVER shop_b OPTIONS (schema_name 'public', table_name 'orders');
CREATE FOREIGN TABLE others_b PARTITION OF all_orders FOR VALUES IN (2) SERVER shop_b OPTIONS (schema_name 'public', table_name 'customers');
SELECT dp.protect('all_orders', 9e9);
RESET ROLE;

\c regress_owners_b :super
SET client_min_messages = error;
-- It goes with the budget, with the protection, with the table.
SELECT dp.revoke_budget('orders', 'regress_owners_shop_a');
TABLE dp.lent;
SELECT dp.grant_budget('orders', 'regress_owners_shop_a', 9e9, allow_leaks => true), dp.lend_rows('orders', 'regress_owners_shop_a');
TABLE dp.lent;
SELECT dp.unprotect('orders');
TABLE dp.lent;
\c :a :super
SET client_min_messages = warning;
DROP SCHEMA regress_owners CASCADE;
DROP DATABASE regress_owners_b;
DROP ROLE regress_owners_a, regress_owners_b, regress_owners_shop_a, regress_owners_ana, regress_owners_bob;
