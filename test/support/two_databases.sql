-- Two databases that stand for other servers, regress_:server1 and regress_:server2, of which :before is the coordinator; who owns the tables of the
-- schema :name here and is :reader there, and who asks. Where :parts is on, pg_dp is there. Then each test makes its tables there, which
-- :reader may read and fill; two_servers.sql.
SET client_min_messages = warning;
\set before :DBNAME
SELECT 'regress_' || :'server' || 1 AS first, 'regress_' || :'server' || 2 AS second, :'name' || '_owner' AS owner, :'name' || '_reader' AS reader, :'name' || '_ana' AS ana \gset
DROP DATABASE IF EXISTS :first;
DROP DATABASE IF EXISTS :second;
CREATE ROLE :owner;
CREATE ROLE :reader LOGIN;
CREATE ROLE :ana;
CREATE DATABASE :first TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C';
CREATE DATABASE :second TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C';
\c :first
SET client_min_messages = warning;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT ON TABLES TO :reader;
\if :parts
CREATE EXTENSION pg_dp;
GRANT USAGE ON SCHEMA dp_internal TO :reader;
\endif
\c :second
SET client_min_messages = warning;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT ON TABLES TO :reader;
\if :parts
CREATE EXTENSION pg_dp;
GRANT USAGE ON SCHEMA dp_internal TO :reader;
\endif
