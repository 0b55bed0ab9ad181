-- What a subquery computes of each person: between which values that lies, and which groups it has. At epsilon 1e6 beside the
-- superuser's answer over copies that may be read.
CALL own_schema('unit_people_values');
SET client_min_messages = error;
CREATE ROLE regress_values_ana;
CREATE TABLE stay_wards (id int PRIMARY KEY, name text NOT NULL);
INSERT INTO stay_wards SELECT w, 'w' || w FROM generate_series(1, 5) w;
CREATE TABLE stay_customers (id int PRIMARY KEY, sex text NOT NULL, hired date NOT NULL, left_on date);
INSERT INTO stay_customers SELECT p, CASE WHEN p % 2 = 0 THEN 'f' ELSE 'm' END, date '2015-01-01' + p * 131 % 1500, CASE WHEN p % 3 = 0 THEN date '2015-01-01' + p * 131 % 1500 + p * 17 % 400 END FROM generate_series(1, 200) p;
-- Person p has p % 6 orders, of one to three items each.
CREATE TABLE stay_orders (id int PRIMARY KEY, customer int NOT NULL REFERENCES stay_customers, at timestamp NOT NULL, status text NOT NULL, rating int NOT NULL, stars int, total numeric(10,2) NOT NULL, loss int NOT NULL, free float8 NOT NULL);
INSERT INTO stay_orders SELECT 10 * p + v, p, timestamp '2023-01-01' + (p * 7919 % 300 + v * 11) * interval '1 day', CASE WHEN v % 2 = 0 THEN 'paid' ELSE 'open' END, (p + v) % 5 + 1, nullif((p + v) % 5, 0), v * 10.25, v - 3, v
FROM generate_series(1, 200) p, generate_series(1, p % 6) v;
CREATE TABLE stay_items (id int PRIMARY KEY, order_id int NOT NULL REFERENCES stay_orders, quantity int NOT NULL);
INSERT INTO stay_items SELECT o.id * 10 + i, o.id, i FROM stay_orders o, generate_series(1, 1 + o.id % 3) i;
CREATE TABLE plain_wards AS TABLE stay_wards;
CREATE TABLE plain_customers AS TABLE stay_customers;
ALTER TABLE plain_customers ADD PRIMARY KEY (id);
CREATE TABLE plain_orders AS TABLE stay_orders;
CREATE TABLE plain_items AS TABLE stay_items;
ANALYZE stay_wards, stay_customers, stay_orders, stay_items;
GRANT SELECT ON stay_wards, plain_wards, plain_customers, plain_orders, plain_items TO regress_values_ana;
SELECT dp.protect('stay_customers', 1e9, privacy_unit => 'id', answer_epsilon => 1e6);
SELECT dp.protect('stay_orders', 1e9, privacy_unit => 'customer', max_rows_per_unit => 6, answer_epsilon => 1e6);
SELECT dp.protect('stay_items', 1e9, privacy_unit => 'order_id.customer', max_rows_per_unit => 20, answer_epsilon => 1e6);
SELECT dp.grant_budget(t, 'regress_values_ana', 1e9, allow_leaks => true) FROM unnest('{stay_customers,stay_orders,stay_items}'::regclass[]) t;
SELECT dp.public_values('stay_customers', 'sex', 'f', 'm'), dp.declare_range('stay_customers', 'hired', '2015-01-01', '2020-12-31'), dp.declare_range('stay_customers', 'left_on', '2015-01-01', '2020-12-31');
SELECT dp.declare_range('stay_orders', 'at', '2023-01-01', '2024-06-30'), dp.declare_range('stay_orders', 'rating', '1', '5'), dp.declare_range('stay_orders', 'stars', '1', '5'),
    dp.declare_range('stay_orders', 'total', '0', '100'), dp.declare_range('stay_orders', 'loss', '-5', '5'), dp.declare_range('stay_items', 'quantity', '0', '10');

CREATE FUNCTION compared(queries text[]) RETURNS TABLE (query text, answers text) LANGUAGE sql AS $$
    SELECT q, CASE WHEN plain IS NOT DISTINCT FROM private THEN 'same' ELSE concat_ws(' | ', left(plain, 120), left(private, 130)) END
    FROM unnest(queries) WITH ORDINALITY AS u (q, i), both_answers(format('SELECT r::text FROM (%s) AS r', q), plans => '{custom}', protected => 'stay_', readable => 'plain_') ORDER BY i $$;
CREATE FUNCTION message_of(query text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE query;
    RETURN 'say nothing; or ask for';
EXCEPTION WHEN OTHERS THEN
    RETURN SQLERRM;
END $$;
\pset format unaligned
\pset tuples_only on
SET ROLE regress_values_ana;

-- ---- bounds: so many rows of a person count as the unit's limit says, and values lie where those lie that they are of
SELECT * FROM compared(ARRAY[
    'SELECT avg(n)::numeric(10,2), sum(n) FROM (SELECT customer, count(*) AS n FROM stay_orders GROUP BY 1) x',
    'SELECT avg(n)::numeric(10,2) FROM (SELECT customer, count(stars) AS n FROM stay_orders GROUP BY 1) x',
    'SELECT avg(n)::numeric(10,2) FROM (SELECT customer, count(*) FILTER (WHERE status = ''paid'') AS n FROM stay_orders GROUP BY 1) x',
    'SELECT avg(n)::numeric(10,2) FROM (SELECT c.id, count(o.id) AS n FROM stay_customers c LEFT JOIN stay_orders o ON o.customer = c.id GROUP BY c.id) x',
    'SELECT sex, avg(coalesce(n, 0))::numeric(10,2) FROM stay_customers c LEFT JOIN (SELECT customer, count(*) AS n FROM stay_orders GROUP BY 1) x ON x.customer = c.id GROUP BY 1 ORDER BY 1',
    'SELECT avg(s)::numeric(10,2) FROM (SELECT customer, sum(total) AS s FROM stay_orders GROUP BY 1) x',
    'SELECT sum(s) FROM (SELECT customer, sum(loss) AS s FROM stay_orders GROUP BY 1) x',
    'SELECT avg(s / n)::numeric(10,2) FROM (SELECT customer, sum(total) AS s, count(*) AS n FROM stay_orders GROUP BY 1) x',
    'SELECT count(*) FROM (SELECT customer, extract(epoch FROM max(at) - min(timestamptz ''2023-06-01''::timestamp)) AS d FROM stay_orders GROUP BY 1) x WHERE d > 86400',
    'SELECT sum(n) FROM (SELECT o.customer, sum(i.quantity) AS n FROM stay_orders o JOIN stay_items i ON i.order_id = o.id GROUP BY 1) x',
    'SELECT sum(m) FROM (SELECT customer, max(n) AS m FROM (SELECT customer, status, count(*) AS n FROM stay_orders GROUP BY 1, 2) y GROUP BY 1) x',
    'SELECT sum((SELECT count(*) FROM stay_orders o WHERE o.customer = c.id)), sum((SELECT sum(total) FROM stay_orders o WHERE o.customer = c.id))::int FROM stay_customers c']);
-- What the question says goes before that: inside as outside.
SELECT * FROM compared(ARRAY[
    'SELECT sum(least(n, 30)), sum(least(n, 2)) FROM (SELECT customer, sum(quantity) AS n FROM stay_orders o JOIN stay_items i ON i.order_id = o.id GROUP BY 1) x',
    'SELECT sum(n) FROM (SELECT customer, least(sum(quantity), 30) AS n FROM stay_orders o JOIN stay_items i ON i.order_id = o.id GROUP BY 1) x',
    'SELECT sum(least(n, 10)), sum(least(f, 100))::int FROM (SELECT customer, sum(quantity) AS n, sum(free) AS f FROM stay_orders o JOIN stay_items i ON i.order_id = o.id WHERE free >= 0 GROUP BY 1) x',
    'SELECT avg(least(s, 30))::numeric(10,2) FROM (SELECT customer, sum(total) AS s FROM stay_orders GROUP BY 1) x']);
SET dp.max_rows_per_unit = 2;
SELECT sum(n), sum(least(n, 30)) FROM (SELECT customer, count(*) AS n FROM stay_orders GROUP BY 1) x;
SELECT sum(n) FROM (SELECT customer, count(*) AS n FROM stay_orders GROUP BY 1) x WHERE n <= 30;
SELECT sum(n + m) FROM (SELECT customer, count(*) AS n, count(rating) AS m FROM stay_orders GROUP BY 1) x WHERE n <= 30;
RESET dp.max_rows_per_unit;
-- The ends are no answer.
SELECT min(n), max(n), min(s), max(s), min(l), max(l) FROM (SELECT customer, count(*) AS n, sum(total) AS s, sum(loss) AS l FROM stay_orders GROUP BY 1) x;
SELECT min(n), max(n) FROM (SELECT c.id, count(o.id) AS n FROM stay_customers c LEFT JOIN stay_orders o ON o.customer = c.id GROUP BY c.id) x;
SELECT plan_of('SELECT sum(n) FROM (SELECT customer, count(*) AS n FROM stay_orders GROUP BY 1) x', 'Bounds');
-- Of others nothing is known.
SELECT left(private, 110) FROM both_answers('SELECT stddev(DISTINCT n) FROM (SELECT customer, sum(free) AS n FROM stay_orders GROUP BY 1) x', plans => '{custom}', protected => 'stay_', readable => 'plain_');
SELECT left(private, 110) FROM both_answers('SELECT stddev(DISTINCT greatest(n, 3)) FROM (SELECT customer, sum(free) AS n FROM stay_orders WHERE free > 0 GROUP BY 1) x', plans => '{custom}', protected => 'stay_', readable => 'plain_');

-- ---- group keys: those of the columns that they are computed from, up to where they change no longer, or between what is asked
SELECT * FROM compared(ARRAY[
    'SELECT m, count(*) FROM (SELECT customer, date_trunc(''month'', min(at)) AS m FROM stay_orders GROUP BY 1) x GROUP BY 1 HAVING count(*) > 0 ORDER BY 1',
    'SELECT to_char(f, ''YYYY-MM''), count(*) FROM (SELECT customer, min(at) FILTER (WHERE status = ''paid'') AS f FROM stay_orders GROUP BY 1) x GROUP BY 1 HAVING count(*) > 0 ORDER BY 1',
    'SELECT x.m, date_trunc(''month'', o.at), count(DISTINCT o.customer) FROM stay_orders o JOIN (SELECT customer, date_trunc(''month'', min(at)) AS m FROM stay_orders GROUP BY 1) x ON x.customer = o.customer GROUP BY 1, 2 HAVING count(*) > 0 ORDER BY 1, 2',
    'SELECT r, count(*) FROM (SELECT customer, round(avg(rating)) AS r FROM stay_orders GROUP BY 1) x GROUP BY 1 ORDER BY 1',
    'SELECT round(r, 1), count(*) FROM (SELECT customer, avg(total) AS r FROM stay_orders GROUP BY 1) x GROUP BY 1 HAVING count(*) > 0 ORDER BY 1',
    'SELECT r, count(*) FROM (SELECT customer, max(stars) AS r FROM stay_orders GROUP BY 1) x GROUP BY 1 HAVING count(*) > 0 ORDER BY 1',
    'SELECT least(n, 3), count(*) FROM (SELECT customer, count(*) AS n FROM stay_orders GROUP BY 1) x GROUP BY 1 ORDER BY 1',
    'SELECT n, count(*) FROM (SELECT customer, least(sum(rating), 10) AS n FROM stay_orders GROUP BY 1) x GROUP BY 1 HAVING count(*) > 0 ORDER BY 1',
    'SELECT CASE WHEN n >= 4 THEN ''4 and more'' ELSE n::text END, count(*) FROM (SELECT customer, count(*) AS n FROM stay_orders GROUP BY 1) x GROUP BY 1 ORDER BY 1',
    'SELECT CASE WHEN n IN (1, 2) THEN n::text WHEN 5 > n THEN ''3, 4'' ELSE ''5'' END, count(*) FROM (SELECT customer, count(*) AS n FROM stay_orders GROUP BY 1) x GROUP BY 1 ORDER BY 1',
    'SELECT CASE WHEN n > 4 OR n = 2 THEN ''2 or 5'' ELSE n::text END, count(*) FROM (SELECT customer, count(*) AS n FROM stay_orders GROUP BY 1) x GROUP BY 1 ORDER BY 1',
    'SELECT CASE WHEN n > 1 AND n < 4 THEN n::text ELSE ''1 or 4'' END, count(*) FROM (SELECT customer, count(*) AS n FROM stay_orders GROUP BY 1) x GROUP BY 1 ORDER BY 1',
    'SELECT CASE WHEN NOT n::numeric <= 3.5 THEN ''4 and more'' ELSE n::text END, count(*) FROM (SELECT customer, count(*) AS n FROM stay_orders GROUP BY 1) x GROUP BY 1 ORDER BY 1',
    'SELECT CASE n WHEN 1 THEN ''one'' WHEN 3 THEN n::text ELSE ''other'' END, count(*) FROM (SELECT customer, count(*) AS n FROM stay_orders GROUP BY 1) x GROUP BY 1 ORDER BY 1',
    'SELECT x.often, count(*) FROM stay_customers c JOIN (SELECT customer, count(*) > 2 AS often FROM stay_orders GROUP BY 1) x ON x.customer = c.id GROUP BY 1 ORDER BY 1',
    'SELECT x.often, count(*) FROM stay_customers c LEFT JOIN (SELECT customer, count(*) > 2 AS often FROM stay_orders GROUP BY 1) x ON x.customer = c.id GROUP BY 1 ORDER BY 1',
    'SELECT x.any_paid, count(*) FROM stay_customers c JOIN (SELECT customer, bool_or(status = ''paid'') AS any_paid FROM stay_orders GROUP BY 1) x ON x.customer = c.id GROUP BY 1 HAVING count(*) > 0 ORDER BY 1',
    'SELECT sex, least(coalesce(n, 0), 2), count(*) FROM stay_customers c LEFT JOIN (SELECT customer, count(*) AS n FROM stay_orders GROUP BY 1) x ON x.customer = c.id GROUP BY 1, 2 HAVING count(*) > 0 ORDER BY 1, 2',
    'SELECT sex, least(n, 2), count(*) FROM (SELECT c.id, c.sex, count(o.id) AS n FROM stay_customers c LEFT JOIN stay_orders o ON o.customer = c.id GROUP BY c.id) x GROUP BY 1, 2 HAVING count(*) > 0 ORDER BY 1, 2',
    'SELECT floor(s / 50), count(*) FROM (SELECT customer, sum(total) AS s FROM stay_orders GROUP BY 1) x WHERE s BETWEEN 0 AND 100 GROUP BY 1 HAVING count(*) > 0 ORDER BY 1',
    'SELECT least(n, 3), count(*) FROM (SELECT customer, count(*) AS n FROM stay_orders GROUP BY 1) x WHERE n IN (1, 4, 5) GROUP BY 1 ORDER BY 1']);
-- All of them, and no others: no group for NULL where each person has a row, and one where FILTER may leave all out.
SELECT least(n, 3), count(*) FROM (SELECT customer, count(*) AS n FROM stay_orders WHERE id < 0 GROUP BY 1) x GROUP BY 1 ORDER BY 1;
SELECT least(n, 2), count(*) FROM (SELECT customer, count(stars) AS n FROM stay_orders WHERE id < 0 GROUP BY 1) x GROUP BY 1 ORDER BY 1;
SELECT m, count(*) FROM (SELECT customer, max(rating) AS m FROM stay_orders WHERE id < 0 GROUP BY 1) x GROUP BY 1 ORDER BY 1;
SELECT m, count(*) FROM (SELECT customer, max(rating) FILTER (WHERE status = 'paid') AS m FROM stay_orders WHERE id < 0 GROUP BY 1) x WHERE m > 3 OR m IS NULL GROUP BY 1 ORDER BY 1;
SELECT extract(year FROM f), count(*) FROM (SELECT customer, min(at) AS f FROM stay_orders GROUP BY 1) x WHERE f >= '2024-01-01' GROUP BY 1 ORDER BY 1;
-- What changes further on is refused, with what can be written: that is answered.
SELECT substring(private FROM '([Ss]ay .*)\.$') FROM unnest(ARRAY['SELECT n, count(*) FROM (SELECT customer, count(*) AS n FROM stay_orders GROUP BY 1) x GROUP BY 1',
    'SELECT CASE WHEN n > 2 THEN n ELSE 0 END, count(*) FROM (SELECT customer, count(*) AS n FROM stay_orders GROUP BY 1) x GROUP BY 1',
    'SELECT least(n, m), count(*) FROM (SELECT customer, count(*) AS n, sum(rating) AS m FROM stay_orders GROUP BY 1) x GROUP BY 1',
    'SELECT floor(s / 10), count(*) FROM (SELECT customer, sum(total) AS s FROM stay_orders GROUP BY 1) x GROUP BY 1',
    'SELECT s, count(*) FROM (SELECT customer, min(status) AS s FROM stay_orders GROUP BY 1) x GROUP BY 1']) AS q, message_of(q) AS private;
SELECT * FROM compared(ARRAY[
    'SELECT n, count(*) FROM (SELECT customer, count(*) AS n FROM stay_orders GROUP BY 1) x WHERE n BETWEEN 0 AND 10 GROUP BY 1 HAVING count(*) > 0 ORDER BY 1',
    'SELECT LEAST(n, 10), count(*) FROM (SELECT customer, count(*) AS n FROM stay_orders GROUP BY 1) x GROUP BY 1 HAVING count(*) > 0 ORDER BY 1',
    'SELECT floor(s / 10), count(*) FROM (SELECT customer, sum(total) AS s FROM stay_orders GROUP BY 1) x WHERE s BETWEEN 0 AND 100 GROUP BY 1 HAVING count(*) > 0 ORDER BY 1',
    'SELECT s, count(*) FROM (SELECT customer, min(status) AS s FROM stay_orders GROUP BY 1) x WHERE s IN (''open'', ''paid'') GROUP BY 1 HAVING count(*) > 0 ORDER BY 1']);

-- ---- groups of one person each: what can be asked instead is answered
SELECT message_of('SELECT order_id, count(*) FROM stay_items GROUP BY 1');
SELECT message_of('SELECT avg(n) FROM (SELECT o.id, count(*) AS n FROM stay_items i JOIN stay_orders o ON o.id = i.order_id GROUP BY 1) x');
SELECT message_of('SELECT id, count(*) FROM stay_orders GROUP BY 1');
SELECT dp_avg(n, 0, 10, 1e6)::numeric(10,2) FROM (SELECT stay_orders.customer, stay_items.order_id, count(*) AS n FROM stay_items JOIN stay_orders ON stay_items.order_id = stay_orders.id GROUP BY 1, 2) AS each;
SELECT dp_avg(n, 0, 10, 1e6)::numeric(10,2) FROM (SELECT stay_orders.customer, stay_orders.id, count(*) AS n FROM stay_orders GROUP BY 1, 2) AS each;

-- ---- a constant is its own group, whatever is computed beside it
SELECT answers FROM compared(ARRAY['SELECT ''all'' AS k, count(*) FROM (SELECT DISTINCT customer FROM stay_orders) x GROUP BY 1 ORDER BY 1',
    'SELECT 2 AS k, n > 2 AS often, count(*) FROM (SELECT customer, count(*) AS n FROM stay_orders GROUP BY 1) x GROUP BY 1, 2 ORDER BY 1, 2',
    'SELECT NULL::text AS k, count(*) FROM (SELECT customer FROM stay_orders WHERE rating > 3 INTERSECT SELECT id FROM stay_customers WHERE sex = ''f'') x GROUP BY 1 ORDER BY 1']);
PREPARE of_a_parameter (text) AS SELECT $1 AS k, count(*) FROM (SELECT DISTINCT customer FROM stay_orders) x GROUP BY 1;
EXECUTE of_a_parameter ('this');
EXECUTE of_a_parameter (NULL);

-- ---- of equal values that are not the same, and of sums of floating numbers, the order of rows says nothing
SELECT count(*) FILTER (WHERE m = 1) AS people, count(*) FILTER (WHERE scale(m) > 0) AS with_scale, count(*) FILTER (WHERE z::text = '-0') AS signed, count(*) FILTER (WHERE s > 0) AS above
FROM (SELECT customer, max(CASE status WHEN 'paid' THEN 1.0 ELSE 1.00 END) AS m, min(CASE status WHEN 'paid' THEN '-0'::float8 ELSE 0 END) AS z,
    sum(CASE rating % 3 WHEN 0 THEN 1e17::float8 WHEN 1 THEN -1e17 ELSE 1 END) AS s FROM stay_orders GROUP BY 1) x;

-- ---- where nobody has said how many rows of a person count, a subquery about the row's person may have any number of them
RESET ROLE;
SELECT dp.protect(t, 1e9, limits => 'auto') FROM unnest('{stay_items,stay_orders}'::regclass[]) t;
SET ROLE regress_values_ana;
SELECT * FROM compared(ARRAY[
    'SELECT avg((SELECT count(*) FROM stay_orders o WHERE o.customer = c.id))::numeric(10,2), sum((SELECT sum(total) FROM stay_orders o WHERE o.customer = c.id))::int FROM stay_customers c',
    'SELECT sex, sum((SELECT count(*) FROM stay_orders o JOIN stay_items i ON i.order_id = o.id WHERE o.customer = c.id)), count(*) FROM stay_customers c GROUP BY 1 ORDER BY 1',
    'SELECT sum((SELECT count(*) FROM stay_customers d JOIN stay_wards w ON w.id < 4 WHERE d.id = c.id)) FROM stay_customers c']);
SELECT plan_of('SELECT sum((SELECT count(*) FROM stay_orders o WHERE o.customer = c.id)) FROM stay_customers c', 'Bounds');
SELECT plan_of('SELECT sum((SELECT count(*) FROM stay_customers d WHERE d.id = c.id)) FROM stay_customers c', 'Bounds');
SET dp.max_rows_per_unit = 3;
SELECT plan_of('SELECT sum((SELECT count(*) FROM stay_orders o WHERE o.customer = c.id)) FROM stay_customers c', 'Bounds');
RESET dp.max_rows_per_unit;

RESET ROLE;
SELECT dp.unprotect(t) FROM unnest('{stay_items,stay_orders,stay_customers}'::regclass[]) t;
DROP OWNED BY regress_values_ana;
DROP ROLE regress_values_ana;
