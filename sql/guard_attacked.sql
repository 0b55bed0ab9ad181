-- What a fresh attack found: each was an answer by an error, by a plan, or took for ever.
CALL own_schema('guard_attacked');
CREATE EXTENSION IF NOT EXISTS citext SCHEMA public;
CREATE ROLE regress_attacked_ana;
CREATE TABLE attacked (id int PRIMARY KEY, tx text, code "char", num numeric, ill boolean, a int, x int, email citext, doc json, place point);
INSERT INTO attacked SELECT i, 'n' || i, 'c', i, i = 7, i, i % 10, 'e' || i FROM generate_series(1, 100) i;
CREATE INDEX attacked_partly ON attacked (x) WHERE ill OR (a + id) > 60;
ANALYZE attacked;
SELECT dp.protect('attacked', 1e9);
SELECT dp.grant_budget('attacked', 'regress_attacked_ana', 1e8, allow_leaks => true);
SET ROLE regress_attacked_ana;
-- Texts that are none in this encoding: as constants, from a column, in arrays and parameters.
SELECT dp_count('*', 1) FROM attacked WHERE length(dp_concat(tx, (E'\u00e9'::"char")::bpchar::name::text)) > 3 AND ill;
SELECT dp_count('*', 1) FROM attacked WHERE length(code::bpchar) > 0;
SELECT dp_count('*', 1) FROM attacked WHERE tx = ANY (ARRAY[(E'\u00e9'::"char")::bpchar::text, 'b']);
SELECT dp_count('*', 1e6) FROM attacked WHERE tx = (E'\u00e9'::"char")::text;
-- The size of nested calls is found in a time that grows with their number.
SELECT format($$EXPLAIN (COSTS OFF) SELECT dp_count('*', 1) FROM attacked WHERE %snum%s > 1$$, repeat('dp_add(', 60), repeat(', 1.5)', 60)) AS nested \gset
SET statement_timeout = '60s';
:nested;
RESET statement_timeout;
-- An index whose condition is off the list is in no plan, so that no refusal tells which plan there is.
SET enable_seqscan = off;
SELECT dp_count('*', 1e6) FROM attacked WHERE ill AND x = 7;
RESET ROLE;
SET enable_indexscan = off;
SELECT dp_count('*', 1e6) FROM attacked WHERE ill AND x = 7;
RESET enable_seqscan;
RESET enable_indexscan;
SET ROLE regress_attacked_ana;
-- Values are looked for among categories by an order that is known.
SELECT dp_histogram(email, ARRAY['e1', 'e2']::citext[], 1) FROM attacked;
SELECT dp_mode(email, ARRAY['e1', 'e2']::citext[], 1) FROM attacked;
SELECT dp_histogram(tx, ARRAY['n1', 'n2'], 1e6) FROM attacked;
-- Types without any order are refused as such.
SELECT dp_count(greatest(doc, '{}'), 1) FROM attacked;
SELECT dp_mode(doc, ARRAY['{}'::json], 1) FROM attacked;
SELECT dp_histogram(place, ARRAY['(1,1)'::point], 1) FROM attacked;
RESET ROLE;
SELECT dp.protect('attacked', 1e9, privacy_unit => 'email', max_rows_per_unit => 1);
-- Values out of line: where they lie is locked from the start, whether a row gets there or not.
SET ROLE regress_attacked_ana;
BEGIN;
SELECT dp_count('*', 1e6) FROM attacked WHERE id < 0 AND tx LIKE '%z';
RESET ROLE;
SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid() AND relation = (SELECT reltoastrelid FROM pg_class WHERE relname = 'attacked');
COMMIT;
SELECT dp.unprotect('attacked');
SET dp.allow_drop = on;
DROP TABLE attacked;
RESET dp.allow_drop;
DROP ROLE regress_attacked_ana;
DROP EXTENSION citext;
