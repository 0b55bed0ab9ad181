-- A release with few numbers stands in one row, a larger one in rows of several tables; nobody who reads them sees which.
CALL own_schema('release_small');
SET client_min_messages = warning;
\set SHOW_CONTEXT never
DROP ROLE IF EXISTS regress_small_other;
CREATE ROLE regress_small_other;
GRANT USAGE ON SCHEMA release_small TO regress_small_other;
CREATE TABLE small_stay AS SELECT i AS id, 'w' || i % 4 AS ward, i % 90 AS age FROM generate_series(1, 200) i;
SELECT dp.protect('small_stay', 9e9, 0.1), dp.public_values('small_stay', 'ward', 'w0', 'w1', 'w2', 'w3'),
    dp.grant_budget('small_stay', 'regress_small_other', 9e9, 0.1, allow_leaks => true);
CREATE FUNCTION stored(release bigint, OUT in_one_row boolean, OUT aggregates bigint, OUT keys bigint, OUT levels bigint) LANGUAGE sql
RETURN ((SELECT small IS NOT NULL FROM dp.release_part WHERE release_id = release AND part = 0),
    (SELECT count(*) FROM dp.release_aggregate WHERE release_id = release),
    (SELECT count(*) FROM dp.release_keys WHERE release_id = release),
    (SELECT count(*) FROM dp.release_level WHERE release_id = release));

-- The same question three times: as it is, longer by a text that only its statement holds, and with a selection of a few numbers
-- more than one row has room for.
SELECT repeat('x', 1700) AS pad \gset
\set aggregates 'ward, dp_count(\'*\', 1e5), dp_avg(age, 0, 100, 1e5), dp_count(id, 1e5, \'gaussian(delta=1e-12)\')'
SELECT :aggregates FROM small_stay GROUP BY ward ORDER BY ward;
SELECT dp_last_release() AS small \gset
SELECT :aggregates, length(:'pad') FROM small_stay GROUP BY ward ORDER BY ward;
SELECT dp_last_release() AS long \gset
SELECT (dp_histogram(age, 0, 90, 60, 1e5))[1:3] AS buckets FROM small_stay;
SELECT dp_last_release() AS wide \gset
SELECT * FROM stored(:small);
SELECT * FROM stored(:long);
SELECT * FROM stored(:wide);

-- What is read of them.
CREATE VIEW answers AS
SELECT r AS release, a.group_key, a.aggregate, a.answer, a.epsilon FROM generate_series(:small, :long) r, dp_answer(r) a;
SELECT group_key, aggregate, answer, epsilon FROM answers WHERE release = :small;
SELECT count(*) AS differ FROM (
    (SELECT group_key, aggregate, answer, epsilon FROM answers WHERE release = :small EXCEPT ALL
     SELECT group_key, aggregate, answer, epsilon FROM answers WHERE release = :long)) d;
SELECT aggregate, mechanism, epsilon, groups FROM dp.release_of(:small) EXCEPT ALL SELECT aggregate, mechanism, epsilon, groups FROM dp.release_of(:long);
SELECT aggregate, lower IS NOT NULL AS bounded FROM dp_errors(:small) WHERE group_key @> '{"ward": "w1"}';
SELECT jsonb_array_length(answer) FROM dp_answer(:wide);

-- They are made more accurate and shared in the same way.
SELECT group_key, aggregate, answer, epsilon FROM dp_relax_release(:small, 1e6, 'dp_count(''*'', 100000)');
SELECT group_key, aggregate, answer, epsilon FROM dp_relax_release(:long, 1e6, 'dp_count(''*'', 100000)');
SELECT dp.share_release(:small, 'regress_small_other', 1e6, 'dp_count(''*'', 100000)');
SET ROLE regress_small_other;
SELECT group_key, aggregate, answer, epsilon FROM dp_answer(:small);
RESET ROLE;
SELECT * FROM stored(:small);

-- Where bytes are missing, or there are too many, nothing is read.
\set VERBOSITY sqlstate
BEGIN;
UPDATE dp.release_part SET small = substr(small, 1, length(small) - 32) WHERE release_id = :small;
SELECT * FROM dp_answer(:small);
ROLLBACK;
BEGIN;
UPDATE dp.release_part SET small = small || '\x00' WHERE release_id = :small;
SELECT * FROM dp_answer(:small);
ROLLBACK;
BEGIN;
UPDATE dp.release_part SET small = '\x' WHERE release_id = :small;
SELECT * FROM dp_answer(:small);
ROLLBACK;
BEGIN;
UPDATE dp.release_part SET groups = groups + 1 WHERE release_id = :small;
SELECT * FROM dp_answer(:small);
ROLLBACK;
BEGIN;
UPDATE dp.release_part SET small = set_byte(small, 11, 127) WHERE release_id = :small; -- the length of a name
SELECT * FROM dp_answer(:small);
ROLLBACK;
BEGIN;
DELETE FROM dp.release_level WHERE release_id = :long AND aggregate = 0;
SELECT * FROM dp_answer(:long);
ROLLBACK;
\set VERBOSITY default

-- No groups at all.
SELECT ward, dp_count('*', 1) FROM small_stay GROUP BY ward HAVING false;
SELECT ward, dp_count('*', 1) FROM small_stay WHERE ward = 'w9' GROUP BY ward;
SELECT dp_last_release() AS none \gset
SELECT * FROM stored(:none);
SELECT * FROM dp_answer(:none);

SELECT dp.unprotect('small_stay');
SET client_min_messages = error;
DROP TABLE small_stay CASCADE;
DROP VIEW answers;
DROP OWNED BY regress_small_other;
DROP ROLE regress_small_other;
