-- A database without the extension, on a server that has loaded its library: queries are PostgreSQL's own. Empty lists of constants are
-- what pg_dump sends of a database without tables.
SET client_min_messages = warning;
DROP DATABASE IF EXISTS regress_no_extension;
CREATE DATABASE regress_no_extension TEMPLATE template0;
\set before :DBNAME
\c regress_no_extension
SELECT (SELECT 1) AS one FROM unnest('{}'::oid[]) AS x;
SELECT a.attname, (SELECT o FROM unnest(a.attoptions) o WHERE o = 'n') AS option
FROM unnest('{}'::oid[]) AS src (tbloid) JOIN pg_attribute a ON src.tbloid = a.attrelid LEFT JOIN pg_type t ON a.atttypid = t.oid;
CREATE TABLE visits AS SELECT i, i % 3 AS ward FROM generate_series(1, 10) i;
SELECT x, count(i), (SELECT 1) AS one FROM unnest('{1,2,7}'::int[]) AS x LEFT JOIN visits ON ward = x GROUP BY x ORDER BY x;
SELECT x, count(i), (SELECT 1) AS one FROM (VALUES (1), (7)) AS v (x) LEFT JOIN visits ON ward = x GROUP BY x ORDER BY x;
PREPARE listed(int[]) AS SELECT count(*), (SELECT 1) AS one FROM unnest($1) AS x JOIN visits ON ward = x;
EXECUTE listed('{1,2}');
EXECUTE listed('{}');
SELECT count(*) FROM (SELECT ward, count(*) AS n FROM visits WHERE i = ANY ('{}') OR i < 5 GROUP BY ward) AS wards, unnest('{}'::int[]) AS x
WHERE EXISTS (SELECT FROM visits WHERE ward = x);
\c :before
DROP DATABASE regress_no_extension;
