-- The finished plan of an inner query is checked: what the planner takes from elsewhere is judged like what was written.
CALL own_schema('guard_plan');
CREATE ROLE regress_plan_ana;
-- An operator class of the curator's: PostgreSQL's operators, and a function of the curator's own that compares.
CREATE FUNCTION regress_compare(a integer, b integer) RETURNS integer LANGUAGE plpgsql IMMUTABLE AS
    $$BEGIN RAISE NOTICE 'compares % with %', a, b; RETURN sign(a - b); END$$;
CREATE OPERATOR CLASS regress_order FOR TYPE integer USING btree AS
    OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 regress_compare(integer, integer);
SET client_min_messages = warning;
CREATE TABLE measured (k integer, x integer) PARTITION BY RANGE (k regress_order);
CREATE TABLE measured_low PARTITION OF measured FOR VALUES FROM (0) TO (10);
CREATE TABLE measured_high PARTITION OF measured FOR VALUES FROM (10) TO (20);
INSERT INTO measured SELECT i % 20, i FROM generate_series(1, 100) i;
SELECT dp.protect('measured', 1e9);
SELECT dp.grant_budget('measured', 'regress_plan_ana', 1e8, allow_leaks => true);
SET ROLE regress_plan_ana;
RESET client_min_messages;
SELECT dp_count('*', 1e6) FROM measured;
SELECT dp_count('*', 1e6) FROM measured WHERE x > 50;
-- Partitions are chosen when the plan starts, by that function.
SELECT dp_count('*', 1e6) FROM measured WHERE k = extract(day FROM now())::integer * 0 + 3;
RESET ROLE;
SET client_min_messages = warning;
SELECT dp.unprotect('measured');
SET dp.allow_drop = on;
DROP TABLE measured;
RESET dp.allow_drop;
DROP OPERATOR CLASS regress_order USING btree;
DROP FUNCTION regress_compare;
DROP ROLE regress_plan_ana;
