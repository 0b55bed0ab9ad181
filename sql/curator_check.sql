-- dp.check(): what is still open, a row each with what to run. Running it closes it.
-- Hardening and databases are not this table's: this file has a database of its own.
SET client_min_messages = warning;
DROP DATABASE IF EXISTS regress_check;
DROP ROLE IF EXISTS regress_check_owner, regress_check_ana, regress_check_ben, regress_check_other;
CREATE DATABASE regress_check TEMPLATE template0;
CREATE ROLE regress_check_owner;
CREATE ROLE regress_check_ana;
CREATE ROLE regress_check_ben;
CREATE ROLE regress_check_other;
\set before :DBNAME
\c regress_check
CREATE EXTENSION pg_dp;
GRANT CREATE ON SCHEMA public TO regress_check_owner;
SET ROLE regress_check_owner;
CREATE TABLE visits (id int PRIMARY KEY, ward text) PARTITION BY RANGE (id);
CREATE TABLE early PARTITION OF visits FOR VALUES FROM (0) TO (100);
CREATE TABLE late PARTITION OF visits FOR VALUES FROM (100) TO (200);
CREATE TABLE beds (bed int, id int REFERENCES visits);
CREATE TABLE quiet (id int);
SELECT dp.protect('visits', 10), dp.protect('quiet', 10);
-- Of all tables.
SELECT relation, finding, run FROM dp.check() WHERE finding NOT LIKE 'everyone may connect to %';
SELECT count(*) > 0 AS databases FROM dp.check() WHERE finding LIKE 'everyone may connect to database % of this one' AND run LIKE '%REVOKE CONNECT ON DATABASE%';
RESET ROLE;
SET client_min_messages = error;
SELECT dp.harden() > 0 AS hardened;
RESET client_min_messages;
SET ROLE regress_check_owner;
SELECT dp.grant_budget('visits', 'regress_check_ana', 1);
SELECT relation, finding, run FROM dp.check('visits') WHERE finding NOT LIKE 'everyone may connect to %';

-- Everything that comes later.
CREATE VIEW raw AS SELECT * FROM visits;
CREATE VIEW shown AS SELECT * FROM raw WHERE ward = 'a';
CREATE VIEW honest WITH (security_invoker = true) AS SELECT * FROM visits;
CREATE VIEW by_ward AS SELECT dp_count('*', 1) FROM visits;
CREATE MATERIALIZED VIEW stale AS SELECT count(*) FROM early;
GRANT SELECT ON raw TO regress_check_ana;
GRANT SELECT ON shown, honest, by_ward TO PUBLIC;
GRANT SELECT ON stale TO regress_check_ben;
GRANT INSERT ON beds TO regress_check_ana;
GRANT UPDATE (ward) ON late TO regress_check_ana;
CREATE RULE copied AS ON INSERT TO late DO ALSO NOTIFY told;
CREATE FUNCTION told() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
CREATE TRIGGER told BEFORE INSERT ON visits FOR EACH ROW EXECUTE FUNCTION told();
RESET ROLE;
SET client_min_messages = error;
CREATE PUBLICATION regress_some FOR TABLE early;
CREATE PUBLICATION regress_all FOR ALL TABLES;
RESET client_min_messages;
SET ROLE regress_check_owner;
SELECT relation, finding, run FROM dp.check('visits') WHERE relation IS NOT NULL;
SELECT dp.protect('visits', 10);
SELECT dp.grant_budget('visits', 'regress_check_ben', 1);
SELECT relation, count(*) FROM dp.check() WHERE relation IS NOT NULL GROUP BY 1 ORDER BY relation::text;
-- Others see nothing of it.
SET ROLE regress_check_other;
SELECT * FROM dp.check();
SET ROLE regress_check_ana;
SELECT * FROM dp.check('visits');
RESET ROLE;
-- What it says to run is enough.
SELECT split_part(run, ';', 1) AS statement FROM dp.check() WHERE relation IS NOT NULL AND run NOT LIKE 'DROP %' \gexec
DROP RULE copied ON late;
DROP TRIGGER told ON visits;
DROP PUBLICATION regress_all;
SELECT relation, finding, run FROM dp.check() WHERE relation IS NOT NULL;
-- A reader is told of too.
GRANT SELECT ON visits TO regress_check_ben;
SELECT relation, finding, run FROM dp.check('visits') WHERE relation IS NOT NULL;
-- Also one that reads as a member of others, which is taken from these.
REVOKE SELECT ON visits FROM regress_check_ben;
GRANT SELECT ON visits TO regress_check_other, PUBLIC;
GRANT regress_check_other TO regress_check_ben;
SELECT run FROM dp.check('visits') WHERE finding LIKE 'role regress_check_ben %' \gexec
GRANT pg_read_all_data TO regress_check_other;
SELECT run FROM dp.check('visits') WHERE finding LIKE 'role regress_check_ben %' \gexec
SELECT relation, finding, run FROM dp.check('visits') WHERE relation IS NOT NULL;

\c :before
DROP DATABASE regress_check;
DROP ROLE regress_check_owner, regress_check_ana, regress_check_ben, regress_check_other;
