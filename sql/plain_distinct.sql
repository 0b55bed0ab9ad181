-- Of different values that are public nobody adds more than there are, however many rows he may have, and no answer is larger.
CALL own_schema('plain_distinct');
SET client_min_messages = warning;
CREATE ROLE regress_distinct;
CREATE TYPE mood AS ENUM ('good', 'bad', 'none');
CREATE TABLE visits (person int NOT NULL, region text, other text, ward varchar(10), kind text CHECK (kind IN ('a', 'b', 'c')), mood mood,
    urgent boolean, small int2, free text, amount numeric);
INSERT INTO visits SELECT i % 50, (ARRAY['n', 's', 'w', 'o'])[i % 4 + 1], (ARRAY['n', 's', 'w'])[i % 3 + 1], 'w' || i % 3, (ARRAY['a', 'b'])[i % 2 + 1],
    (ARRAY['good', 'bad'])[i % 2 + 1]::mood, i % 2 = 0, i % 5, 'f' || i % 30, i % 4 FROM generate_series(1, 1000) i;
INSERT INTO visits SELECT i, 'elsewhere ' || i FROM generate_series(1, 20) i;
SELECT dp.protect('visits', 1e9, privacy_unit => 'person', max_rows_per_unit => 20),
    dp.grant_budget('visits', 'regress_distinct', 1e9, allow_leaks => true, answer_epsilon => 1e6);
SELECT dp.declare_values('visits', 'region', 'n', 's', 'w', 'o'), dp.declare_values('visits', 'ward', 'w0', 'w1', 'w2', 'w3', 'w4'),
    dp.declare_values('visits', 'amount', 0, 1, 2);
-- How many values at most, and what the noise of the answer is expected to be.
CREATE FUNCTION told(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE line text;
BEGIN
    SET LOCAL ROLE regress_distinct;
    SET LOCAL dp.epsilon = 0.05;
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
        IF line ~ 'Privacy Unit|Expected Error' THEN RETURN NEXT trim(line); END IF;
    END LOOP;
    RESET ROLE;
END $$;

-- ---- declared, an enum's, boolean, those of a CHECK constraint
SELECT told('SELECT count(DISTINCT region) FROM visits');
SELECT told('SELECT count(DISTINCT ward) FROM visits');
SELECT told('SELECT count(DISTINCT mood), count(DISTINCT urgent), count(DISTINCT kind), count(*) FROM visits');
SELECT told('SELECT dp_count(DISTINCT region, 0.05) FROM visits');
SELECT told('SELECT count(DISTINCT free) FROM visits');
SET ROLE regress_distinct;
SELECT count(DISTINCT region) AS four, count(DISTINCT ward) AS three, count(DISTINCT mood) AS two, count(DISTINCT urgent) AS two, count(DISTINCT kind) AS two,
    count(DISTINCT amount) AS three FROM visits;
SELECT dp_count(DISTINCT region, 1e6) AS four FROM visits;
SELECT dp.private_form('SELECT count(DISTINCT region) FROM visits');
-- Between none and all of them, whatever the noise.
SET dp.epsilon = 0.001;
SELECT bool_and(n BETWEEN 0 AND 4) AS possible, bool_and(m BETWEEN 0 AND 2) AS of_two FROM (
    SELECT small, count(DISTINCT region) AS n, count(DISTINCT region) FILTER (WHERE region IN ('n', 's')) AS m FROM visits
    WHERE small IN (0, 1, 2, 3, 4) GROUP BY small) AS s;
RESET dp.epsilon;
RESET ROLE;

-- ---- listed by conditions
SELECT told($$SELECT count(DISTINCT free) FROM visits WHERE free IN ('f1', 'f2', 'f3')$$);
SELECT told($$SELECT count(DISTINCT free) FROM visits WHERE free = 'f1'$$);
SELECT told($$SELECT count(DISTINCT free) FROM visits WHERE free = 'f1' OR free IN ('f2', 'f3')$$);
SELECT told($$SELECT count(DISTINCT free) FILTER (WHERE free IN ('f1', 'f2')) FROM visits WHERE region = 'n'$$);
SELECT told($$SELECT count(DISTINCT ward) FROM visits WHERE ward IN ('w0', 'w1')$$);
SELECT told($$SELECT count(DISTINCT small) FROM visits WHERE small IN (1::bigint, 2::bigint)$$);
SELECT told($$SELECT count(DISTINCT lower(free)) FROM visits WHERE lower(free) IN ('f1', 'f2')$$);
PREPARE chosen(text, text) AS SELECT count(DISTINCT free) FROM visits WHERE free IN ($1, $2);
SELECT told($$EXECUTE chosen('f1', 'f2')$$);
SET plan_cache_mode = force_generic_plan;
SELECT told($$EXECUTE chosen('f1', 'f2')$$);
RESET plan_cache_mode;
SET ROLE regress_distinct;
SELECT count(DISTINCT free) AS three FROM visits WHERE free IN ('f1', 'f2', 'f3');
SELECT count(DISTINCT free) AS two FROM visits WHERE free IN ('f1', 'f2', 'none');
RESET ROLE;
-- Not listed: other operators, other columns, one arm alone, columns in the list, another collation.
SELECT told($$SELECT count(DISTINCT free) FROM visits WHERE free <> 'f1'$$);
SELECT told($$SELECT count(DISTINCT free) FROM visits WHERE free > 'f1' AND NOT free IN ('f2', 'f3')$$);
SELECT told($$SELECT count(DISTINCT free) FROM visits WHERE other IN ('n', 's')$$);
SELECT told($$SELECT count(DISTINCT free) FROM visits WHERE free = 'f1' OR urgent$$);
SELECT told($$SELECT count(DISTINCT free) FROM visits WHERE free IN (region, other)$$);
SELECT told($$SELECT count(DISTINCT free) FROM visits WHERE free = other$$);
SELECT told($$SELECT count(DISTINCT free) FROM visits WHERE free COLLATE "C" IN ('f1', 'f2')$$);
-- Rows, as texts: NULL is a value of theirs, letters and digits are told apart, 1 and 1.00 are not.
INSERT INTO visits (person, region, other, amount) VALUES (2001, 'n', '12', 1), (2001, 'n1', '2', 1.00), (2002, NULL, '', 1.50), (2002, '', NULL, 1.5), (2003, NULL, NULL, NULL);
CREATE TABLE plain AS TABLE visits;
GRANT SELECT ON plain TO regress_distinct;
SELECT q, plain, plain = private AS same FROM unnest(ARRAY['(region, other)', '(region, other, amount)', '(mood, urgent, small)', '(amount, amount)', '(person, ward)', '(person, person)']) q,
    both_answers(format('SELECT count(DISTINCT %s) FROM visits', q), protected => 'visits', plans => '{custom}');
SET ROLE regress_distinct;
SELECT count(DISTINCT (amount::float8, person)) FROM visits;
SELECT dp_count(DISTINCT (kind, region), 1e6) FROM visits WHERE person > 2000;
RESET ROLE;

-- ---- by group, and with limits of groups: what a unit adds in all its groups
SELECT told('SELECT ward, count(DISTINCT region) FROM visits GROUP BY ward');
SELECT dp.protect('visits', max_groups_per_unit => 3, max_rows_per_group => 10);
SELECT told('SELECT ward, count(DISTINCT region) FROM visits GROUP BY ward');
SELECT told('SELECT ward, count(DISTINCT amount) FROM visits GROUP BY ward');
SELECT told('SELECT count(DISTINCT region) FROM visits');
SET ROLE regress_distinct;
SELECT ward, count(DISTINCT region) AS four FROM visits GROUP BY ward ORDER BY ward;
RESET ROLE;
-- Where each row is a unit by itself nothing is smaller than one.
SELECT dp.protect('visits', privacy_unit => '');
SELECT told('SELECT count(DISTINCT region) FROM visits');
DROP OWNED BY regress_distinct;
DROP ROLE regress_distinct;
