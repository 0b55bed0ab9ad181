-- Public values one by one, as an array, or from a query; how many there are now is said.
SET client_min_messages = warning;
\set SHOW_CONTEXT never
CALL own_schema('public_values');
CREATE ROLE regress_values_eve;
CREATE TABLE stays (ward text, age int, day date, tags text[]);
CREATE TABLE wards (ward text);
INSERT INTO wards VALUES ('a'), ('b'), ('c');
SELECT dp.protect('stays', 10) \g /dev/null
SELECT dp.public_values('stays', 'ward', 'a', 'b') AS two, dp.public_values('stays', 'age', 1, '2') AS types;
SELECT dp.public_values('stays', 'age', ARRAY[1, 2, 3]) AS "array", dp.public_values('stays', 'age', VARIADIC ARRAY[1, 2, 3, 4]) AS "variadic",
    dp.public_values('stays', 'age', ARRAY(SELECT generate_series(0, 110))) AS "of a query";
-- Each row replaces the list: the answer says that one is left.
SELECT dp.public_values('stays', 'age', generate_series(0, 2));
SELECT dp.public_values_from('stays', 'ward', 'SELECT ward FROM public_values.wards'),
    dp.public_values_from('stays', 'day', $$ SELECT generate_series(date '2024-01-01', '2024-12-01', '1 month')::date; $$);
SELECT expression, domain_values FROM dp.public_domain WHERE relation = 'stays'::regclass ORDER BY expression COLLATE "C";
-- Where the expression is an array, an array is a value.
SELECT dp.public_values('stays', 'tags', '{a,b}', ARRAY['c']) AS two, dp.public_values('stays', 'tags', ARRAY['c', 'd']) AS one;

SELECT dp.public_values('stays', 'age', '{}'::int[]);
SELECT dp.public_values('stays', 'age', NULL::int[]);
SELECT dp.public_values('stays', 'age', VARIADIC NULL::int[]);
SELECT dp.public_values('stays', 'age', ARRAY[1, NULL]);
SELECT dp.public_values('stays', 'age', ARRAY[1, 1]);
SELECT dp.public_values('stays', 'age', ARRAY['x']);
SELECT dp.public_values('stays', 'age LIMIT 1', 1);
SELECT dp.public_values('stays', 'age FOR UPDATE', 1);
SELECT dp.public_values_from('stays', 'age', NULL);
SELECT dp.public_values_from('stays', 'age', 'SELECT 1 WHERE false');
SELECT dp.public_values_from('stays', 'age', 'SELECT 1, 2');
SELECT dp.public_values_from(NULL, 'age', 'SELECT 1');
-- By curators alone, and as them.
SET ROLE regress_values_eve;
SELECT dp.public_values_from('stays', 'age', 'SELECT 1');
-- Who may not say it has no query run, nor hears of what it would have met.
SELECT dp.public_values_from('stays', 'age', 'SELECT 1 / 0');
SELECT dp.public_values_from('stays', 'age', 'SELECT ward FROM public_values.wards');
RESET ROLE;
DROP TABLE stays, wards;
DROP ROLE regress_values_eve;
