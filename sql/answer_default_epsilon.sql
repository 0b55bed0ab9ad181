-- dp_bounds, dp_mode and dp_histogram without epsilon: that of the session, else of the curator; refused where nothing says it.
CALL own_schema('answer_default_epsilon');
SET client_min_messages = error;
CREATE TABLE visits (id int, ward text, age int, cost numeric, r real);
INSERT INTO visits SELECT i, CASE WHEN i % 3 = 0 THEN 'a' ELSE 'b' END, i % 90, i % 100, i % 7 FROM generate_series(1, 1000) i;
SELECT dp_bounds(cost) FROM visits;
SELECT dp_mode(ward, ARRAY['a', 'b']) FROM visits;
SELECT dp_histogram(ward, ARRAY['a', 'b']) FROM visits;
SELECT dp_histogram(age, 0, 100, 10) FROM visits;
SET dp.epsilon = 1e6;
PREPARE ask AS SELECT dp_bounds(cost) AS costs, dp_bounds(r) AS r, dp_mode(ward, ARRAY['a', 'b', 'c']) AS mode, dp_histogram(ward, ARRAY['a', 'b', 'c']) AS wards,
    dp_histogram(age, 0, 90, 9) AS ages, dp_histogram(cost, 0, 100, 4) AS costs, pg_typeof(dp_mode(age, ARRAY[1, 2]::bigint[])) AS type FROM visits;
EXECUTE ask;
-- As written out
SELECT dp_bounds(cost, 1e6), dp_mode(ward, ARRAY['a', 'b', 'c'], 1e6), dp_histogram(cost, 0, 100, 4, 1e6) FROM visits;
SET dp.mechanism = 'laplace';
SELECT dp.private_form('SELECT dp_histogram(age, 0, 90, 9), dp_mode(ward, ARRAY[''a'']), dp_bounds(cost) FROM visits');
RESET dp.mechanism;
-- What is no call without epsilon alone
SELECT dp_mode(ward, 0.5) FROM visits;
SELECT dp_histogram(ward, 0.5) FROM visits;
SELECT dp_bounds(ward) FROM visits;
SELECT dp_bounds(cost, 1, 'geometric', 1) FROM visits;
SELECT dp_histogram(ward, ARRAY['a', 'b'], 1e6, 'geometric'), dp_histogram(age, 0, 90, 3, 1e6, 'geometric') FROM visits;

CREATE ROLE regress_defaults_ana;
SELECT dp.protect('visits', 1e9, answer_epsilon => 0), dp.grant_budget('visits', 'regress_defaults_ana', 1e9, allow_leaks => true);
SET ROLE regress_defaults_ana;
EXECUTE ask;
RESET dp.epsilon;
SELECT dp_bounds(cost) FROM visits;
SELECT dp_mode(ward, ARRAY['a', 'b']) FROM visits;
SELECT dp_mode(ward, 0.5) FROM visits;
RESET ROLE;
SELECT dp.protect('visits', 1e9, answer_epsilon => 1000);
SET ROLE regress_defaults_ana;
SELECT dp_histogram(ward, ARRAY['a', 'b', 'c']), dp_mode(ward, ARRAY['a', 'b']) FROM visits;
SELECT epsilon FROM dp.ledger WHERE relation = 'visits'::regclass ORDER BY seq DESC LIMIT 1;
RESET ROLE;
-- The call that a refusal shows keeps the mechanism.
SELECT dp.protect('visits', 4000, answer_epsilon => 2000, answer_mechanism => 'geometric'),
    dp.grant_budget('visits', 'regress_defaults_ana', 1000, allow_leaks => true, answer_mechanism => 'laplace');
SET ROLE regress_defaults_ana;
SELECT count(*) FROM visits;
RESET ROLE;
SELECT dp.unprotect('visits');
DROP SCHEMA answer_default_epsilon CASCADE;
DROP OWNED BY regress_defaults_ana;
DROP ROLE regress_defaults_ana;
