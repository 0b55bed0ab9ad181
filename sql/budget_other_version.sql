-- An extension that was made by another version of the library: nothing passes for unprotected, and the message says what to do.
CALL own_schema('budget_other_version');
SET client_min_messages = error;
CREATE TABLE visits (id int);
SELECT dp.protect('visits', 10);
SELECT dp_count('*', 1e-3) IS NOT NULL AS answered FROM visits;
BEGIN;
ALTER TABLE dp.declared_range RENAME TO old_range;
SELECT dp_count('*', 1) FROM visits;
ROLLBACK;
BEGIN;
ALTER TABLE dp.protected_table ADD older int;
SELECT dp_count('*', 1) FROM visits;
ROLLBACK;
SELECT dp_count('*', 1e-3) IS NOT NULL AS answered FROM visits;
SELECT dp.unprotect('visits');
DROP SCHEMA budget_other_version CASCADE;
