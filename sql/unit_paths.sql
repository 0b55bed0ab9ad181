-- Privacy units that foreign keys lead to: an order line is its order's customer's. epsilon 1e6 makes the noise vanish.
SET client_min_messages = error;
CALL own_schema('unit_paths');
CREATE ROLE regress_paths_ana;
CREATE ROLE regress_paths_bob;
-- Customer c of 10 has c orders of which the n-th has n lines. Customer 9 is not told of one of its orders.
CREATE TABLE customer (c_custkey int PRIMARY KEY, c_segment text NOT NULL);
INSERT INTO customer SELECT c, CASE WHEN c % 2 = 0 THEN 'even' ELSE 'odd' END FROM generate_series(1, 10) c;
CREATE TABLE orders (o_orderkey int PRIMARY KEY, o_custkey int REFERENCES customer, o_second int UNIQUE, o_total numeric NOT NULL);
INSERT INTO orders SELECT 100 * c + n, CASE WHEN c = 9 AND n = 9 THEN NULL ELSE c END, 100 * c + n, n
FROM generate_series(1, 10) c, generate_series(1, c) n;
-- An order without a key of the second kind: nothing may be found by NULL = NULL.
UPDATE orders SET o_second = NULL WHERE o_orderkey = 101;
CREATE TABLE part (p_partkey int PRIMARY KEY, p_name text NOT NULL);
INSERT INTO part VALUES (1, 'nut'), (2, 'bolt'), (3, 'cog');
CREATE TABLE lineitem (l_orderkey int CONSTRAINT of_order REFERENCES orders DEFERRABLE INITIALLY IMMEDIATE, l_number int, l_partkey int REFERENCES part,
    l_price int NOT NULL, l_second int REFERENCES orders (o_second));
INSERT INTO lineitem SELECT o, n, n % 3 + 1, n, nullif(o, 101) FROM (SELECT o_orderkey AS o, o_orderkey % 100 AS size FROM orders) s, generate_series(1, size) n;
-- Lines of nobody: without an order.
INSERT INTO lineitem SELECT NULL, n, 1, 1, NULL FROM generate_series(1, 1000) n;
ANALYZE customer, orders, part, lineitem;
GRANT SELECT ON part TO regress_paths_ana;
SELECT dp.protect('customer', 1e9, privacy_unit => 'c_custkey');
SELECT dp.protect('orders', 1e9, privacy_unit => 'o_custkey', max_rows_per_unit => 5);
SELECT dp.protect('lineitem', 1e9, privacy_unit => 'l_orderkey.o_custkey', max_rows_per_unit => 20);
SELECT * FROM dp.units WHERE relation::text IN ('customer', 'orders', 'lineitem') ORDER BY 1;
SELECT dp.grant_budget(t, 'regress_paths_ana', 1e9, allow_leaks => true) FROM unnest('{customer,orders,lineitem}'::regclass[]) t;
SELECT dp.public_values('customer', 'c_segment', 'even', 'odd');
-- What is to come out: rows of a customer up to 20, of somebody only.
CREATE VIEW lines AS SELECT * FROM lineitem JOIN orders ON l_orderkey = o_orderkey JOIN customer ON o_custkey = c_custkey;
SELECT sum(least(n, 20)) AS lines, count(*) AS customers FROM (SELECT count(*) AS n FROM lines GROUP BY o_custkey) s;
SELECT p_name, count(*) FROM lines JOIN part ON p_partkey = l_partkey WHERE o_custkey <= 5 GROUP BY 1 ORDER BY 1;

SELECT dp.unit_query('lineitem'), dp.unit_query('part'), dp.unit_query('customer', 'c_segment');
SELECT max_rows_per_unit, share_of_rows, share_of_units, rows_lost FROM dp.unit_coverage('lineitem') ORDER BY 1;
SELECT max_rows_per_unit, rows_lost FROM dp.unit_coverage('lineitem', privacy_unit => 'l_second.o_custkey') ORDER BY 1 LIMIT 1;
SELECT * FROM dp.unit_coverage('lineitem', privacy_unit => 'l_number.o_custkey');

-- ---- one table
SET ROLE regress_paths_ana;
SELECT dp_count('*', 1e6) AS lines FROM lineitem;
SELECT relation, epsilon FROM dp.cost($$SELECT dp_count('*', 0.5) FROM lineitem$$);
SELECT plan_of($$SELECT dp_count('*', 0.5), dp_sum(l_price, 0, 10, 0.5) FROM lineitem$$);
SELECT p_name, dp_count('*', 1e6) FROM lineitem JOIN part ON p_partkey = l_partkey WHERE l_orderkey < 600 GROUP BY p_name;
SELECT dp_count('*', 1e6) AS all, dp_count(DISTINCT l_orderkey, 1e6) AS orders, dp_median(l_number, 0, 16, 1e6) IS NOT NULL AS of_chosen_rows
FROM lineitem WHERE l_orderkey < 500;
SELECT dp_count('*', 0.5) IS NOT NULL AS ok FROM lineitem;
SELECT answer IS NOT NULL AS relaxed FROM relax_release(dp_last_release(), 0.6);
SELECT * FROM dp.describe_table('lineitem') WHERE item IN ('privacy unit', 'limits', 'join');
SELECT value FROM dp.describe_table('orders') WHERE item = 'join';
SELECT dp.unit_query('lineitem');
-- The orders are read for the unit alone: the role may not see them.
SELECT o_custkey FROM orders;
SELECT dp_count('*', 1e6) FROM lineitem WHERE l_orderkey IN (SELECT o_orderkey FROM orders);

-- ---- joined along the path, with public tables beside, in any order and by any syntax
SELECT dp_count('*', 1e6) AS lines, dp_count(DISTINCT o_custkey, 1e6) AS customers FROM lineitem JOIN orders ON l_orderkey = o_orderkey;
SELECT c_segment, dp_count('*', 1e6), dp_count(DISTINCT c_custkey, 1e6) AS customers FROM lineitem, orders, customer
WHERE o_custkey = c_custkey AND o_orderkey = l_orderkey GROUP BY c_segment;
SELECT c_segment, p_name, dp_count('*', 1e6) FROM part JOIN lineitem ON l_partkey = p_partkey, customer JOIN orders ON c_custkey = o_custkey
WHERE l_orderkey = o_orderkey AND c_custkey <= 5 GROUP BY c_segment, p_name;
SELECT dp_count('*', 1e6) AS lines FROM (SELECT l_orderkey AS key, l_price FROM lineitem) l JOIN (SELECT o_orderkey AS key, o_custkey FROM orders) o USING (key)
    JOIN (SELECT c_custkey AS o_custkey, c_segment FROM customer) c USING (o_custkey);
WITH of_lines AS (SELECT * FROM lineitem), of_orders AS (SELECT * FROM orders WHERE o_total > 2)
SELECT dp_count('*', 1e6) FROM of_orders JOIN of_lines ON l_orderkey = o_orderkey AND o_custkey <= 4;
-- What stands in each part of an OR holds.
SELECT dp_count('*', 1e6) AS some FROM lineitem, part, orders WHERE l_orderkey < 500 AND ((p_partkey = l_partkey AND l_orderkey = o_orderkey AND p_name = 'nut')
    OR (l_orderkey = o_orderkey AND p_name = 'cog' AND p_partkey = l_partkey));
SELECT dp_count('*', 1) FROM lineitem, part WHERE (p_partkey = l_partkey AND p_name = 'nut') OR p_name = 'cog';
-- All are charged that the query names.
SELECT relation, epsilon FROM dp.cost($$SELECT dp_count('*', 0.5) FROM lineitem JOIN orders ON l_orderkey = o_orderkey$$) ORDER BY 1;
-- Customers without orders, and orders without lines, are somebody's: left joins that keep the protected side.
SELECT dp_count('*', 1e6) AS rows, dp_count(o_orderkey, 1e6) AS orders FROM customer LEFT JOIN orders ON c_custkey = o_custkey;
SELECT dp_count('*', 1e6) AS rows FROM lineitem LEFT JOIN orders ON l_orderkey = o_orderkey AND o_total > 2 WHERE l_orderkey < 500;
SELECT dp_count('*', 1e6) AS rows, dp_count(l_number, 1e6) AS lines FROM orders LEFT JOIN lineitem ON l_orderkey = o_orderkey AND l_number > 2
WHERE o_custkey <= 4;
-- Lines of the same order are of the same customer, as are pairs of an order with itself.
SELECT dp_count('*', 1e6) AS pairs FROM lineitem a JOIN lineitem b ON a.l_orderkey = b.l_orderkey WHERE a.l_orderkey <= 302;
SELECT dp_count('*', 1e6) AS lines FROM lineitem JOIN orders o ON l_orderkey = o.o_orderkey JOIN orders p ON l_orderkey = p.o_orderkey WHERE p.o_orderkey < 500;
PREPARE up_to (int) AS SELECT dp_count('*', 1e6) FROM lineitem JOIN orders ON l_orderkey = o_orderkey WHERE o_custkey <= $1;
EXECUTE up_to (3);
SET plan_cache_mode = force_generic_plan;
EXECUTE up_to (4);
RESET plan_cache_mode;

-- ---- refused: joins in which a row would be of two customers, or of an order that it is not of
SELECT dp_count('*', 1) FROM lineitem, orders;
SELECT dp_count('*', 1) FROM lineitem JOIN orders ON l_orderkey < o_orderkey;
SELECT dp_count('*', 1) FROM lineitem JOIN orders ON l_number = o_orderkey;
SELECT dp_count('*', 1) FROM lineitem JOIN orders ON l_orderkey = o_custkey;
SELECT dp_count('*', 1) FROM lineitem JOIN orders ON l_second = o_second;
SELECT dp_count('*', 1) FROM lineitem JOIN orders ON l_orderkey IS NOT DISTINCT FROM o_orderkey;
SELECT dp_count('*', 1) FROM lineitem JOIN orders ON l_orderkey = o_orderkey + 0;
SELECT dp_count('*', 1) FROM lineitem JOIN customer ON l_orderkey = c_custkey;
SELECT dp_count('*', 1) FROM lineitem JOIN orders ON l_orderkey = o_orderkey JOIN customer ON o_orderkey = c_custkey;
SELECT dp_count('*', 1) FROM lineitem a JOIN lineitem b ON a.l_number = b.l_number;
SELECT dp_count('*', 1) FROM orders LEFT JOIN lineitem ON l_number = o_orderkey;
SELECT dp_count('*', 1) FROM orders RIGHT JOIN lineitem ON l_orderkey = o_custkey;
SELECT l_orderkey, dp_count('*', 1) FROM lineitem GROUP BY l_orderkey;

-- ---- rows of nobody: a path with a NULL, or one that leads nowhere
RESET ROLE;
BEGIN;
SET CONSTRAINTS of_order DEFERRED;
INSERT INTO lineitem SELECT 12345, n, 1, 1, NULL FROM generate_series(1, 500) n;
SELECT dp_count('*', 1e6) AS same FROM lineitem;
SELECT dp_count('*', 1e6) FILTER (WHERE l_orderkey = 12345) AS dangling, dp_median(l_number, 0, 500, 1e6) < 20 AS theirs FROM lineitem;
ROLLBACK;
SELECT p_name, dp_count('*', 1e6) AS of_nobody FROM lineitem JOIN part ON p_partkey = l_partkey WHERE l_orderkey = 909 OR l_orderkey IS NULL GROUP BY p_name;
-- Along a key that may be NULL on both sides.
SELECT dp.protect('lineitem', 1e9, privacy_unit => 'l_second.o_custkey', max_rows_per_unit => 20);
SELECT dp_count('*', 1e6) AS but_one FROM lineitem WHERE l_orderkey < 300 OR l_orderkey IS NULL;
SELECT dp_count('*', 1e6) AS joined FROM lineitem JOIN orders ON l_second = o_second WHERE o_orderkey < 300;
SELECT dp.protect('lineitem', 1e9, privacy_unit => 'l_orderkey.o_custkey', max_rows_per_unit => 20);

-- ---- what is declared
SELECT dp.protect('lineitem', 1e9, privacy_unit => 'l_orderkey.o_custkey', max_groups_per_unit => 2, max_rows_per_group => 7);
SELECT count(*) AS groups, sum(n) AS rows FROM (SELECT p_name, dp_count('*', 1e6) AS n FROM lineitem JOIN part ON p_partkey = l_partkey
    WHERE l_orderkey BETWEEN 1000 AND 1099 GROUP BY p_name) s WHERE n > 0;
-- By the name of a foreign key, and quoted.
SELECT dp.protect('lineitem', 1e9, privacy_unit => 'of_order."o_custkey"', max_rows_per_unit => 20);
SELECT dp_count('*', 1e6) AS lines FROM lineitem;
-- Over two steps, which the orders then take too.
SELECT dp.protect('lineitem', 1e9, privacy_unit => 'l_orderkey.o_custkey.c_custkey', max_rows_per_unit => 20);
SELECT dp.protect('orders', 1e9, privacy_unit => 'o_custkey.c_custkey', max_rows_per_unit => 5);
SELECT dp_count('*', 1e6) FROM lineitem;
SELECT dp.protect('lineitem', 1e9, privacy_unit => 'l_orderkey.o_custkey.c_custkey', max_rows_per_unit => 20);
SELECT dp_count('*', 1e6) AS lines FROM lineitem;
BEGIN;
SET CONSTRAINTS of_order DEFERRED;
INSERT INTO lineitem SELECT 12345, n, 1, 1, NULL FROM generate_series(1, 500) n;
SELECT p_name, dp_count('*', 1e6) AS dangling FROM lineitem JOIN part ON p_partkey = l_partkey WHERE l_orderkey = 12345 GROUP BY p_name;
ROLLBACK;
SELECT dp_count('*', 1e6) AS lines FROM lineitem JOIN orders ON l_orderkey = o_orderkey;
SELECT c_segment, dp_count('*', 1e6) FROM lineitem JOIN orders ON l_orderkey = o_orderkey JOIN customer ON o_custkey = c_custkey GROUP BY c_segment;
SELECT dp.protect('orders', 1e9, privacy_unit => 'o_custkey', max_rows_per_unit => 5);
SELECT dp_count('*', 1e6) FROM lineitem;
SELECT dp.protect('lineitem', 1e9, privacy_unit => 'l_orderkey.o_custkey', max_rows_per_unit => 20);
-- Errors.
SELECT dp.protect('lineitem', 1e9, privacy_unit => 'l_orderkey.nothing', max_rows_per_unit => 20);
SELECT dp.protect('lineitem', 1e9, privacy_unit => 'l_number.o_custkey', max_rows_per_unit => 20);
SELECT dp.protect('lineitem', 1e9, privacy_unit => 'l_partkey.p_partkey.x', max_rows_per_unit => 20);
SELECT dp.protect('lineitem', 1e9, privacy_unit => 'l_orderkey.', max_rows_per_unit => 20);
SELECT dp.protect('lineitem', 1e9, privacy_unit => '"l_orderkey.o_custkey', max_rows_per_unit => 20);
SELECT dp.protect('lineitem', 1e9, privacy_unit => 'l_orderkey.o_orderkey', max_rows_per_unit => 20);
CREATE TABLE others (LIKE lineitem, FOREIGN KEY (l_orderkey) REFERENCES orders);
SELECT dp.protect('others', 1e9, privacy_unit => 'l_orderkey.o_custkey');
DROP TABLE others;

-- A role that may read the lines, but not the orders, sees no more of these than others do.
GRANT SELECT ON lineitem TO regress_paths_bob;
SET ROLE regress_paths_bob;
SELECT dp_count('*', 1e6) AS lines FROM lineitem;
EXPLAIN (ANALYZE) SELECT dp_count('*', 1) FROM lineitem;
RESET ROLE;

-- ---- foreign keys that change: answers are refused until the path is declared again
CREATE TABLE said (what text, state text, message text);
CREATE PROCEDURE ask(what text, query text DEFAULT 'SELECT dp_count(''*'', 1e6) FROM lineitem') LANGUAGE plpgsql AS $$
DECLARE state text; message text;
BEGIN
    EXECUTE query INTO message;
    INSERT INTO said VALUES (what, 'answered', message);
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT;
    INSERT INTO said VALUES (what, state, message);
END $$;
PREPARE cached AS SELECT dp_count('*', 1e6) FROM lineitem;
SET plan_cache_mode = force_generic_plan;
EXECUTE cached;
ALTER TABLE lineitem DROP CONSTRAINT of_order;
EXECUTE cached;
CALL ask('without the foreign key');
ALTER TABLE lineitem ADD CONSTRAINT of_order FOREIGN KEY (l_orderkey) REFERENCES orders NOT VALID;
CALL ask('with one that is not validated');
SELECT dp.protect('lineitem', 1e9, privacy_unit => 'l_orderkey.o_custkey', max_rows_per_unit => 20);
ALTER TABLE lineitem VALIDATE CONSTRAINT of_order;
CALL ask('as it was');
EXECUTE cached;
RESET plan_cache_mode;
ALTER TABLE lineitem ADD CONSTRAINT again FOREIGN KEY (l_orderkey) REFERENCES orders;
CALL ask('with two of them');
ALTER TABLE lineitem DROP CONSTRAINT again;
-- The same column refers to another table.
CREATE TABLE archive (o_orderkey int PRIMARY KEY, o_custkey int);
INSERT INTO archive SELECT o_orderkey, 1 FROM orders;
ALTER TABLE lineitem DROP CONSTRAINT of_order, ADD CONSTRAINT of_order FOREIGN KEY (l_orderkey) REFERENCES archive;
CALL ask('to another table');
CALL ask('whatever else is said anew', $q$SELECT dp.protect('lineitem', 1e9), dp_count('*', 1e6) FROM lineitem$q$);
SELECT dp.protect('lineitem', 1e9, max_rows_per_unit => 20);
CALL ask('with other limits');
SELECT dp.protect('lineitem', 1e9, privacy_unit => 'l_orderkey.o_custkey', max_rows_per_unit => 20);
CALL ask('declared again: all lines are of one customer');
ALTER TABLE lineitem DROP CONSTRAINT of_order, ADD CONSTRAINT of_order FOREIGN KEY (l_orderkey) REFERENCES orders;
CALL ask('back again');
SELECT dp.protect('lineitem', 1e9, privacy_unit => 'l_orderkey.o_custkey', max_rows_per_unit => 20);
CALL ask('declared as at first');
-- Another unit of the table that it leads to.
SELECT dp.protect('orders', 1e9, privacy_unit => 'o_orderkey');
CALL ask('orders are of their own');
SELECT dp.unprotect('orders');
CALL ask('orders are public');
CALL ask('their keys are groups', $$SELECT l_orderkey, dp_count('*', 1e6) FROM lineitem GROUP BY l_orderkey$$);
SELECT dp.protect('orders', 1e9);
CALL ask('orders are protected row by row');
SELECT dp.protect('orders', 1e9, privacy_unit => 'o_custkey', max_rows_per_unit => 5);
CALL ask('orders are as they were');
UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'orders_pkey'::regclass;
CALL ask('keys of orders are not unique for sure');
UPDATE pg_index SET indisvalid = true WHERE indexrelid = 'orders_pkey'::regclass;
-- Another owner, row security, tables that inherit.
CREATE ROLE regress_paths_other;
GRANT CREATE ON SCHEMA unit_paths TO regress_paths_other;
ALTER TABLE orders OWNER TO regress_paths_other;
CALL ask('orders are of somebody else');
ALTER TABLE lineitem OWNER TO regress_paths_other;
ALTER TABLE orders OWNER TO CURRENT_USER;
CALL ask('lines are of somebody else');
ALTER TABLE orders OWNER TO regress_paths_other;
CALL ask('both are');
SELECT dp.unprotect('orders');
ALTER TABLE orders OWNER TO CURRENT_USER;
GRANT SELECT ON orders TO regress_paths_other;
CALL ask('public orders that the owner of the lines may read');
REVOKE SELECT ON orders FROM regress_paths_other;
CALL ask('may not');
ALTER TABLE lineitem OWNER TO CURRENT_USER;
REVOKE CREATE ON SCHEMA unit_paths FROM regress_paths_other;
ALTER TABLE orders ENABLE ROW LEVEL SECURITY;
CALL ask('orders have row security');
ALTER TABLE orders DISABLE ROW LEVEL SECURITY;
CREATE TABLE heir () INHERITS (lineitem);
CALL ask('a table inherits from the lines');
DROP TABLE heir;
-- Rows of a table that inherits from the orders are no orders of the foreign key, and may have the same keys.
CREATE TABLE heir () INHERITS (orders);
INSERT INTO heir SELECT o_orderkey, 10, NULL, 1 FROM orders;
CALL ask('a table inherits from the orders');
SELECT dp.protect('orders', 1e9, privacy_unit => 'o_custkey', max_rows_per_unit => 5);
CALL ask('joined with both', $$SELECT dp_count('*', 1e6) FROM lineitem JOIN orders ON l_orderkey = o_orderkey$$);
CALL ask('joined with orders alone', $$SELECT dp_count('*', 1e6) FROM lineitem JOIN ONLY orders ON l_orderkey = o_orderkey$$);
DROP TABLE heir;
CALL ask('as at first');
TABLE said;
-- Columns on the way can be neither dropped nor renamed.
SET dp.allow_drop = off;
ALTER TABLE orders RENAME o_custkey TO was_custkey;
ALTER TABLE orders DROP o_custkey;
ALTER TABLE lineitem RENAME l_orderkey TO was_orderkey;
ALTER TABLE orders RENAME o_total TO o_sum;
ALTER TABLE lineitem DROP CONSTRAINT of_order;
ALTER TABLE orders RENAME o_custkey TO was_custkey;
RESET dp.allow_drop;
ALTER TABLE lineitem ADD CONSTRAINT of_order FOREIGN KEY (l_orderkey) REFERENCES orders;
SELECT dp_count('*', 1e6) AS lines FROM lineitem;

-- A superuser who means it: all units that end in the column go with it, whatever is named like it afterwards.
CREATE TABLE notes (visit int);
CREATE TABLE stays (id int PRIMARY KEY, "who.ever" int);
ALTER TABLE notes ADD FOREIGN KEY (visit) REFERENCES stays;
INSERT INTO stays SELECT i, i % 5 FROM generate_series(1, 100) i;
INSERT INTO notes SELECT id FROM stays;
SELECT dp.protect('notes', 1e9, privacy_unit => 'visit."who.ever"', max_rows_per_unit => 2);
-- Nor where the other table is not protected itself.
SET dp.allow_drop = off;
ALTER TABLE stays RENAME "who.ever" TO other;
ALTER TABLE notes DROP CONSTRAINT notes_visit_fkey;
ALTER TABLE stays RENAME "who.ever" TO other;
RESET dp.allow_drop;
ALTER TABLE notes ADD FOREIGN KEY (visit) REFERENCES stays;
SELECT dp.protect('stays', 1e9, privacy_unit => 'who.ever', max_rows_per_unit => 2);
SET dp.allow_drop = on;
ALTER TABLE stays RENAME "who.ever" TO "wh""o";
ALTER TABLE stays ADD "who.ever" int;
UPDATE stays SET "who.ever" = id;
SELECT relation, privacy_unit FROM dp.units WHERE relation::text IN ('notes', 'stays') ORDER BY 1;
SELECT dp_count('*', 1e6) AS notes FROM notes;
SELECT dp_count('*', 1e6) AS stays FROM stays;
ALTER TABLE stays DROP "wh""o";
ALTER TABLE stays ADD "wh""o" int;
SELECT dp_count('*', 1) FROM notes;
SELECT dp_count('*', 1) FROM stays;
SELECT dp.unprotect('notes'), dp.unprotect('stays');
DROP TABLE notes, stays;
RESET dp.allow_drop;

-- ---- keys of several columns, partitions, types that differ
CREATE TABLE households (town text COLLATE "C", number bigint, PRIMARY KEY (number, town), head int) PARTITION BY LIST (town);
CREATE TABLE households_a PARTITION OF households FOR VALUES IN ('a');
CREATE TABLE households_b PARTITION OF households FOR VALUES IN ('b');
INSERT INTO households SELECT t, n, n % 5 FROM unnest('{a,b}'::text[]) t, generate_series(1, 20) n;
CREATE TABLE bills (amount int, number int, town text, CONSTRAINT of_household FOREIGN KEY (town, number) REFERENCES households (town, number)) PARTITION BY RANGE (amount);
CREATE TABLE bills_low PARTITION OF bills FOR VALUES FROM (0) TO (50);
CREATE TABLE bills_high PARTITION OF bills FOR VALUES FROM (50) TO (1000);
INSERT INTO bills SELECT i, i % 20 + 1, CASE WHEN i % 2 = 0 THEN 'a' ELSE 'b' END FROM generate_series(0, 99) i;
INSERT INTO bills SELECT 1, NULL, 'a' FROM generate_series(1, 30);
SELECT dp.protect('bills', 1e9, privacy_unit => 'of_household.head', max_rows_per_unit => 10);
SELECT dp_count('*', 1e6) AS ten_of_five FROM bills;
SELECT dp_count('*', 1e6) AS low FROM bills_low WHERE amount < 7;
SELECT dp_count('*', 1e6) AS joined_below FROM bills_low b JOIN bills_low c ON c.number = b.number AND c.town = b.town WHERE b.amount < 7;
SELECT dp_count('*', 1e6) AS joined FROM bills b JOIN households h ON h.number = b.number AND h.town = b.town WHERE amount < 7;
SELECT dp.protect('households', 1e9, privacy_unit => 'head', max_rows_per_unit => 10);
SELECT dp_count('*', 1e6) AS joined FROM bills b JOIN households h USING (number, town) WHERE amount < 7;
SELECT dp_count('*', 1) FROM bills b JOIN households h USING (number) WHERE amount < 7;
SELECT dp_count('*', 1) FROM bills b JOIN households_a h USING (number, town) WHERE amount < 7;
-- Numbers of one type that refer to another one's: the engine follows them.
CREATE TABLE accounts (id numeric PRIMARY KEY, owner text NOT NULL);
INSERT INTO accounts SELECT i, 'owner ' || i % 3 FROM generate_series(1, 9) i;
CREATE TABLE bookings (account int REFERENCES accounts);
INSERT INTO bookings SELECT i % 9 + 1 FROM generate_series(1, 90) i;
SELECT dp.protect('bookings', 1e9, privacy_unit => 'account.owner', max_rows_per_unit => 25);
SELECT dp_count('*', 1e6) AS bookings FROM bookings;

-- ---- where a table may be missing, those to which its path leads are there without it, and then anybody's
CREATE TABLE clients (id int PRIMARY KEY);
CREATE TABLE cases (id int PRIMARY KEY, client int NOT NULL REFERENCES clients);
CREATE TABLE files (id int PRIMARY KEY, of_case int REFERENCES cases);
CREATE TABLE pages (file int REFERENCES files, read_with int);
INSERT INTO clients SELECT generate_series(1, 10);
INSERT INTO cases SELECT i, i FROM generate_series(1, 10) i;
INSERT INTO files SELECT i, i FROM generate_series(1, 10) i;
INSERT INTO pages SELECT 1, i FROM generate_series(1, 5) i;
SELECT dp.protect('cases', 1e9, privacy_unit => 'client', max_rows_per_unit => 10);
SELECT dp.protect('files', 1e9, privacy_unit => 'of_case.client', max_rows_per_unit => 10);
SELECT dp.protect('pages', 1e9, privacy_unit => 'file.of_case.client', max_rows_per_unit => 100);
SELECT dp_count('*', 1e6) FROM pages p JOIN cases c ON c.id > 1 LEFT JOIN files f ON f.of_case = c.id AND f.id = p.file;
SELECT dp_count('*', 1e6) FROM pages p WHERE EXISTS (SELECT FROM cases c LEFT JOIN files f ON f.of_case = c.id AND f.id = p.file WHERE c.id > 1);
SELECT dp_count('*', 1e6) AS pages FROM pages p WHERE EXISTS (SELECT FROM cases c JOIN files f ON f.of_case = c.id AND f.id = p.file WHERE c.id = 1);
-- Cases of others, found by a column of the page, when cases are public.
SELECT dp.unprotect('cases');
SELECT dp_count('*', 1e6) FROM (SELECT c.client, count(*) FROM pages p JOIN cases c ON c.id = read_with
    LEFT JOIN files f ON f.of_case = c.id AND f.id = p.file GROUP BY c.client) s;
SELECT dp_count('*', 1e6) AS clients FROM (SELECT c.client, count(*) FROM pages p JOIN files f ON f.id = p.file JOIN cases c ON c.id = f.of_case GROUP BY c.client) s;
SELECT dp.protect('clients', 1e9, privacy_unit => 'id');
SELECT dp.protect('files', 1e9, privacy_unit => 'of_case.client.id', max_rows_per_unit => 10);
SELECT dp.protect('pages', 1e9, privacy_unit => 'file.of_case.client.id', max_rows_per_unit => 100);
SELECT dp_count('*', 1e6) FROM pages p JOIN cases c ON c.id = read_with LEFT JOIN files f ON f.of_case = c.id AND f.id = p.file JOIN clients t ON t.id = c.client;

-- One's own table is nobody else's.
CREATE TABLE staff (id int PRIMARY KEY, boss int REFERENCES staff);
SELECT dp.protect('staff', 1e9, privacy_unit => 'boss.id', max_rows_per_unit => 3);

-- Under a nondeterministic collation a key refers to a row that has another one.
CREATE COLLATION any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE doors (name text COLLATE any_case PRIMARY KEY, holder int);
CREATE TABLE keys (door text COLLATE any_case REFERENCES doors, stolen bool);
CREATE TABLE locks (door text, shut bool);
-- A key between columns of which one has such a collation: PostgreSQL 18 refuses it itself.
CREATE FUNCTION refused(relation regclass) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('ALTER TABLE %s ADD FOREIGN KEY (door) REFERENCES doors', relation);
    PERFORM dp.protect(relation, 1e9, privacy_unit => 'door.holder', max_rows_per_unit => 3);
    RETURN false;
EXCEPTION WHEN OTHERS THEN
    RETURN SQLERRM ~ 'cannot be followed: .* compares text|foreign key constraint .* cannot be implemented';
END $$;
SELECT dp.protect('keys', 1e9, privacy_unit => 'door.holder', max_rows_per_unit => 3);
SELECT refused('locks');
ALTER TABLE keys DROP CONSTRAINT keys_door_fkey;
ALTER TABLE doors ALTER name TYPE text COLLATE "C";
SELECT refused('keys') AS of_one_side, refused('locks') AS of_neither;
DROP FUNCTION refused;
SELECT dp.unprotect('locks');
DROP TABLE keys, locks, doors;
DROP COLLATION any_case;

DEALLOCATE ALL;
DROP PROCEDURE ask;
SELECT dp.unprotect(t) FROM unnest('{customer,orders,lineitem,bills,households,bookings,clients,files,pages}'::regclass[]) t;
DROP VIEW lines;
DROP TABLE lineitem, orders, customer, part, archive, said, bills, households, accounts, bookings, staff, pages, files, cases, clients;
DROP OWNED BY regress_paths_ana, regress_paths_bob, regress_paths_other;
DROP ROLE regress_paths_ana, regress_paths_bob, regress_paths_other;
