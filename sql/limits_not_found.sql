-- Limits that nobody has declared, and too few people to choose them at the epsilon of an answer: it is said.
CALL own_schema('limits_not_found');
CREATE ROLE regress_not_found_ana;
GRANT USAGE ON SCHEMA limits_not_found TO regress_not_found_ana;
CREATE TABLE visits AS SELECT p AS person, p % 7 AS age, 100.0 * p AS cost, p % 3 AS days FROM generate_series(1, 60) AS p, generate_series(1, 5);
SELECT dp.protect('visits', 1e9, privacy_unit => 'person', answer_epsilon => 1e-3), dp.grant_budget('visits', 'regress_not_found_ana', 9e8, allow_leaks => true) \g /dev/null
SET ROLE regress_not_found_ana;
SET client_min_messages = warning;
-- Once for all aggregates of a question.
SELECT abs(count(*)) < 1e9 AS counted, sum(cost) IS NOT NULL AS summed, sum(age) IS NOT NULL AS shown, sum(days) IS NOT NULL AS too FROM visits;
-- What is cut is then not known. (Of so many answers one or two may think that they have found something.)
SET client_min_messages = error;
CREATE FUNCTION pg_temp.unknown(question text) RETURNS bool LANGUAGE plpgsql AS $$
DECLARE
    found int := 0;
    unknown bool;
BEGIN
    FOR i IN 1 .. 20 LOOP
        EXECUTE question INTO unknown;
        found := found + (NOT unknown)::int;
    END LOOP;
    RETURN found <= 8;
END $$;
SELECT pg_temp.unknown('SELECT dp_bias(count(*)) IS NULL FROM visits') AS count, pg_temp.unknown('SELECT abs(sum(cost)) < 1000 FROM visits') AS sum;
SET client_min_messages = warning;
-- Where one person would stand out nobody is there.
RESET ROLE;
SELECT dp.protect('visits', 1e9, privacy_unit => 'person', answer_epsilon => 1e5) \g /dev/null
SET ROLE regress_not_found_ana;
SELECT count(*), sum(cost), dp_bias(count(*)) FROM visits WHERE age > 90;
SELECT count(*), round(sum(cost), -2) AS sum, dp_bias(count(*)) FROM visits;
RESET ROLE;
SELECT dp.unprotect('visits');
DROP TABLE visits;
DROP OWNED BY regress_not_found_ana;
DROP ROLE regress_not_found_ana;
