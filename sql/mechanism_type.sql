-- The type dp_mechanism.
CALL own_schema('mechanism_type');
SELECT 'geometric'::dp_mechanism, ' Staircase ( METRIC = l1 ) '::dp_mechanism, 'staircase(metric=l2)'::dp_mechanism,
       'gaussian(delta=0.000001)'::dp_mechanism, 'gaussian(delta=0.05)'::dp_mechanism;
SELECT 'gaussian(delta=1e-6)'::text::dp_mechanism = 'gaussian(delta=0.000001)' AS equal, 'laplace'::dp_mechanism < 'geometric' AS less;
SELECT m FROM (VALUES ('laplace'::dp_mechanism), ('geometric'), ('staircase'), ('geometric')) v(m) GROUP BY m ORDER BY m DESC;
SELECT pg_typeof('auto'::dp_mechanism::text);

SELECT ''::dp_mechanism;
SELECT 'auto()'::dp_mechanism;
SELECT 'loplace'::dp_mechanism;
SELECT 'geometric(step=2)'::dp_mechanism;
SELECT 'gaussian'::dp_mechanism, 'gaussian(definition=approximate)'::dp_mechanism; -- for accounts that count divergences
SELECT 'gaussian(definition=classic)'::dp_mechanism;
SELECT 'gaussian(sigma=1)'::dp_mechanism;
SELECT 'gaussian(delta=0)'::dp_mechanism;
SELECT 'gaussian(delta=1)'::dp_mechanism;
SELECT 'gaussian(delta=1e-19)'::dp_mechanism;
SELECT 'gaussian(delta=NaN)'::dp_mechanism;
SELECT 'gaussian(delta=small)'::dp_mechanism;
SELECT 'gaussian(delta=1e-6'::dp_mechanism;
SELECT 'gaussian(delta=1e-6) x'::dp_mechanism;
SELECT 'gaussian(delta=1e-6, delta=1e-7)'::dp_mechanism;
SELECT 'staircase(metric=l3)'::dp_mechanism;
SELECT repeat('x', 1000)::dp_mechanism;

-- Stored in tables, and sent in binary form.
CREATE TABLE mechanisms (m dp_mechanism PRIMARY KEY);
INSERT INTO mechanisms VALUES ('staircase(metric=l2)'), ('gaussian(delta=1e-6)');
INSERT INTO mechanisms VALUES ('gaussian(delta=0.000001)');
\getenv builddir PG_ABS_BUILDDIR
\set file :builddir '/results/mechanisms.bin'
\set to_file '\\copy mechanisms TO ' :'file' ' (FORMAT binary)'
\set from_file '\\copy mechanisms FROM ' :'file' ' (FORMAT binary)'
:to_file
DELETE FROM mechanisms;
:from_file
SELECT m FROM mechanisms ORDER BY m;
DROP TABLE mechanisms;
