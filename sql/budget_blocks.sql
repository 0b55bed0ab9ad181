-- Partitions that have a budget each: which of them an answer is charged to, and what else they need.
SET client_min_messages = error;
\set SHOW_CONTEXT never
CALL own_schema('budget_blocks');
CREATE ROLE regress_blocks_ana;
CREATE TABLE wards AS SELECT i AS ward, i % 2 = 0 AS large FROM generate_series(0, 2) i;
ALTER TABLE wards ADD PRIMARY KEY (ward);
GRANT SELECT ON wards TO regress_blocks_ana;
CREATE TABLE visits (day date NOT NULL, ward int NOT NULL, cost int NOT NULL) PARTITION BY RANGE (day);
CREATE TABLE jan PARTITION OF visits FOR VALUES FROM ('2026-01-01') TO ('2026-02-01');
CREATE TABLE feb PARTITION OF visits FOR VALUES FROM ('2026-02-01') TO ('2026-03-01');
CREATE TABLE mar PARTITION OF visits FOR VALUES FROM ('2026-03-01') TO ('2026-04-01');
INSERT INTO visits SELECT date '2026-01-01' + i % 85, i % 3, i % 50 FROM generate_series(1, 850) i;
SELECT dp.protect('visits', 10, blocks => true);
SELECT dp.grant_budget('visits', 'regress_blocks_ana', 5, allow_leaks => true);

-- The last charges, and what the last one was made to.
CREATE VIEW charges AS
    SELECT seq, relation, role, kind, epsilon, table_epsilon, release_id FROM dp.ledger
    WHERE seq > 0 AND relation::text IN ('visits', 'jan', 'feb', 'mar', 'apr', 'by_person', 'by_person_0', 'by_person_1');
CREATE FUNCTION last_charges(wanted int, OUT relation regclass, OUT kind text, OUT epsilon numeric, OUT table_epsilon numeric) RETURNS SETOF record
    LANGUAGE sql VOLATILE AS $$
    SELECT relation, kind, epsilon, table_epsilon FROM (SELECT * FROM charges ORDER BY seq DESC LIMIT wanted) AS c ORDER BY relation::text, seq
$$;
CREATE FUNCTION charged() RETURNS text LANGUAGE sql VOLATILE AS $$
    SELECT string_agg(relation::text, ' ' ORDER BY relation::text) FROM charges WHERE release_id = (SELECT max(release_id) FROM charges)
$$;
GRANT SELECT ON charges TO regress_blocks_ana;
GRANT USAGE ON SCHEMA budget_blocks TO regress_blocks_ana;
SET ROLE regress_blocks_ana;

-- Conditions that all rows have to satisfy, and compare the key with what is known.
SELECT dp_count('*', 0.001) IS NOT NULL FROM visits WHERE day >= '2026-02-10' AND day < '2026-03-05';
SELECT charged();
SELECT dp_count('*', 0.001) IS NOT NULL FROM visits WHERE ward = 1 AND day BETWEEN '2026-01-10' AND '2026-01-20';
SELECT charged();
SELECT dp_count('*', 0.001) IS NOT NULL FROM visits WHERE day = '2026-02-10';
SELECT charged();
SELECT dp_count('*', 0.001) IS NOT NULL FROM visits WHERE day IN ('2026-01-03', '2026-03-05');
SELECT charged();
SELECT dp_count('*', 0.001) IS NOT NULL FROM (SELECT * FROM visits WHERE day < '2026-02-01') AS v WHERE ward = 2;
SELECT charged();
SELECT dp_count('*', 0.001) IS NOT NULL FROM visits JOIN wards USING (ward) WHERE day >= '2026-03-01' AND large;
SELECT charged();
SELECT dp_count('*', 0.001) IS NOT NULL FROM jan;
SELECT charged();
-- What is known when the question is asked, as many times as it is.
SELECT dp_count('*', 0.001) IS NOT NULL FROM visits WHERE day < date '2026-01-20' + (extract(year FROM now())::int - extract(year FROM now())::int);
SELECT charged();
PREPARE since(date) AS SELECT dp_count('*', 0.001) IS NOT NULL FROM visits WHERE day >= $1;
SET plan_cache_mode = force_generic_plan;
EXECUTE since('2026-03-01');
SELECT charged();
EXECUTE since('2026-02-01');
SELECT charged();
RESET plan_cache_mode;
-- Other conditions leave none out: a term of an OR, functions of the key, other columns, none.
SELECT dp_count('*', 0.001) IS NOT NULL FROM visits WHERE day < '2026-01-20' OR ward = 1;
SELECT charged();
SELECT dp_count('*', 0.001) IS NOT NULL FROM visits WHERE extract(month FROM day) = 1;
SELECT charged();
SELECT dp_count('*', 0.001) FILTER (WHERE day < '2026-01-20') IS NOT NULL FROM visits;
SELECT charged();
SELECT dp_count('*', 0.001) IS NOT NULL FROM visits WHERE NOT (day >= '2026-02-01' AND ward = 1);
SELECT charged();
SELECT dp_count('*', 0.001) IS NOT NULL FROM visits;
SELECT charged();
-- What is compared with a private answer is known once that is there.
SELECT dp_count('*', 0.001) IS NOT NULL FROM visits
WHERE day < '2026-02-01' AND cost < (SELECT dp_count('*', 0.001) FROM visits WHERE day >= '2026-03-01');
SELECT relation, epsilon FROM last_charges(2);

-- Before it is asked.
EXPLAIN (COSTS OFF) SELECT dp_count('*', 0.001) FROM visits WHERE day >= '2026-02-10';
SELECT * FROM dp.cost($$SELECT dp_count('*', 0.001) FROM visits WHERE day >= '2026-02-10'$$) ORDER BY relation::text, role::text NULLS FIRST;
-- Nothing to ask about.
SELECT dp_count('*', 0.001) FROM visits WHERE day >= '2027-01-01';
SELECT dp_count('*', 0.001) FROM visits WHERE false;

-- Each has room of its own; a refusal names those that have some.
SELECT dp_count('*', 4.9) IS NOT NULL FROM visits WHERE day < '2026-02-01';
SELECT dp_count('*', 0.5) FROM visits;
SELECT dp_count('*', 4.5) IS NOT NULL FROM visits WHERE day >= '2026-02-01';
SELECT dp_count('*', 0.5) FROM visits;
RESET ROLE;
SELECT block, role, epsilon_left, bounds FROM dp.blocks WHERE relation = 'visits'::regclass ORDER BY block::text, role::text NULLS FIRST;
SELECT role, epsilon_left, guarantee FROM dp.budgets WHERE relation = 'visits'::regclass ORDER BY role::text NULLS FIRST;
-- Tomorrow's rows are new.
CREATE TABLE apr PARTITION OF visits FOR VALUES FROM ('2026-04-01') TO ('2026-05-01');
SET ROLE regress_blocks_ana;
SELECT dp_count('*', 4) IS NOT NULL FROM visits WHERE day >= '2026-04-01';
RESET ROLE;

-- More accurate, shared and asked again: the same ones pay.
SELECT dp_count('*', 0.1, 'laplace') IS NOT NULL FROM visits WHERE day < '2026-03-01';
SELECT count(*) FROM dp_relax_release(dp_last_release(), 0.2);
SELECT relation, kind, table_epsilon FROM last_charges(4);
SELECT dp.grant_budget('visits', 'regress_blocks_ana', 10);
SELECT dp.share_release(dp_last_release(), 'regress_blocks_ana', 0.1);
SELECT relation, kind, epsilon, table_epsilon FROM last_charges(2);
SELECT dp.protect('visits', reuse => '1 day');
SELECT dp_count('*', 0.1, 'laplace') IS NOT NULL FROM visits WHERE day = '2026-02-03';
SELECT dp_count('*', 0.2, 'laplace') IS NOT NULL FROM visits WHERE day = '2026-02-03';
SELECT relation, kind, table_epsilon FROM last_charges(2);

-- A row stays where it is, for as long as questions are answered.
UPDATE visits SET day = day + 40 WHERE day = '2026-01-05';
UPDATE visits SET day = day + 1 WHERE day = '2026-01-05';
UPDATE visits SET cost = cost + 1, day = day WHERE day = '2026-01-05';
ALTER TABLE visits DISABLE TRIGGER "~dp_keeps_its_block";
SELECT dp_count('*', 0.001) FROM visits;
SELECT dp.protect('visits', blocks => true);
SELECT dp_count('*', 0.001) IS NOT NULL FROM visits;
-- Of one partition, and by a trigger that comes before ours or behind it.
ALTER TABLE feb DISABLE TRIGGER "~dp_keeps_its_block";
SELECT dp_count('*', 0.001) FROM visits WHERE day < '2026-02-01';
ALTER TABLE feb ENABLE ALWAYS TRIGGER "~dp_keeps_its_block";
CREATE FUNCTION to_march() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN new.day := ''2026-03-01''; RETURN new; END';
CREATE TRIGGER zz_to_march BEFORE UPDATE ON feb FOR EACH ROW EXECUTE FUNCTION to_march();
UPDATE visits SET cost = cost + 1 WHERE day = '2026-02-02';
ALTER TRIGGER zz_to_march ON feb RENAME TO "~~to_march";
SELECT dp_count('*', 0.001) FROM visits WHERE day < '2026-02-01';
DROP FUNCTION to_march() CASCADE;
SELECT dp_count('*', 0.001) IS NOT NULL FROM visits WHERE day < '2026-02-01';
CREATE TABLE may PARTITION OF visits FOR VALUES FROM ('2026-05-01') TO ('2026-06-01') PARTITION BY LIST (ward);
CREATE TABLE may_1 PARTITION OF may FOR VALUES IN (1);
SELECT dp_count('*', 0.001) FROM visits;
DROP TABLE may;

-- What they need.
SELECT dp.protect('visits', privacy_unit => 'ward', max_rows_per_unit => 2);
SELECT dp.protect('wards', 1, blocks => true);
CREATE TABLE by_list (ward int) PARTITION BY LIST (ward);
SELECT dp.protect('by_list', 1, blocks => true);
CREATE TABLE by_expression (ward int NOT NULL) PARTITION BY LIST ((ward % 2));
SELECT dp.protect('by_expression', 1, blocks => true);
CREATE TABLE by_person (person int NOT NULL, cost int) PARTITION BY HASH (person);
CREATE TABLE by_person_0 PARTITION OF by_person FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE by_person_1 PARTITION OF by_person FOR VALUES WITH (MODULUS 2, REMAINDER 1);
SELECT dp.protect('by_person', 1, privacy_unit => 'person', max_rows_per_unit => 2, blocks => true);
SELECT dp_count('*', 0.1) IS NOT NULL FROM by_person;
SELECT relation, table_epsilon FROM last_charges(2);
SELECT dp.protect('by_person', continues => 'visits');

-- A person in several of them is promised as many budgets: each answer tells of the person as a whole, and limits hold across partitions.
CREATE TABLE stays (day date NOT NULL, person int NOT NULL, cost int NOT NULL) PARTITION BY RANGE (day);
CREATE TABLE stays_1 PARTITION OF stays FOR VALUES FROM ('2026-01-01') TO ('2026-02-01');
CREATE TABLE stays_2 PARTITION OF stays FOR VALUES FROM ('2026-02-01') TO ('2026-03-01');
INSERT INTO stays SELECT date '2026-01-01' + i % 59, i % 40, 1 FROM generate_series(0, 2359) i;
SELECT dp.protect('stays', 1, privacy_unit => 'person', max_rows_per_unit => 20, blocks => true);
SELECT dp.protect('stays', 1, blocks => true, max_blocks_per_unit => 2);
SELECT dp.protect('stays', 1, privacy_unit => 'person', max_blocks_per_unit => 2);
SELECT dp.protect('stays', 1, privacy_unit => 'person', blocks => true, max_blocks_per_unit => 0);
SELECT dp.protect('stays', 1, 1e-6, privacy_unit => 'person', blocks => true, max_blocks_per_unit => 2, accountant => 'renyi');
SELECT dp.protect('stays', 4000000, privacy_unit => 'person', max_rows_per_unit => 20, blocks => true, max_blocks_per_unit => 2);
SELECT dp_count('*', 1e6), dp_count(DISTINCT person, 1e6) AS people FROM stays;
SELECT dp_count('*', 1e6) FROM stays WHERE day < '2026-02-01';
SELECT block, epsilon_spent FROM dp.blocks WHERE relation = 'stays'::regclass ORDER BY block::text;
SELECT guarantee FROM dp.budgets WHERE relation = 'stays'::regclass;
-- What is said of it stays, goes with the unit, and is not forgotten by questions.
SELECT dp.protect('stays', delta => 1e-6, accountant => 'renyi');
SELECT dp.protect('stays', 4000001);
SELECT dp.protect('stays', privacy_unit => 'cost', max_rows_per_unit => 1);
SELECT dp.protect('stays', max_blocks_per_unit => -1);
SELECT guarantee FROM dp.budgets WHERE relation = 'stays'::regclass;
SELECT dp.unprotect('stays');
DROP TABLE stays;

-- A table that was not partitioned, and was charged, becomes the first of them.
CREATE TABLE log (at timestamptz NOT NULL, cost int);
INSERT INTO log SELECT timestamptz '2026-01-01 00:00+00' + i * interval '1 hour', 1 FROM generate_series(1, 100) i;
SELECT dp.protect('log', 1);
SELECT dp_count('*', 0.25) IS NOT NULL FROM log;
BEGIN;
SELECT dp.unprotect('log');
ALTER TABLE log RENAME TO log_until_2026;
CREATE TABLE log (LIKE log_until_2026) PARTITION BY RANGE (at);
ALTER TABLE log ATTACH PARTITION log_until_2026 FOR VALUES FROM (MINVALUE) TO ('2026-02-01 00:00+00');
CREATE TABLE log_2026_02 PARTITION OF log FOR VALUES FROM ('2026-02-01 00:00+00') TO ('2026-03-01 00:00+00');
SELECT dp.protect('log', 1, blocks => true);
COMMIT;
INSERT INTO log VALUES ('2026-02-03', 1);
SELECT dp_count('*', 0.5) IS NOT NULL FROM log WHERE at >= '2026-02-01 00:00+00';
SELECT block, epsilon_spent FROM dp.blocks WHERE relation = 'log'::regclass ORDER BY block::text;
SELECT dp.unprotect('log');
DROP TABLE log;
-- The one is not the other.
SELECT dp.protect('visits', blocks => false);
SELECT dp.unprotect('visits');
SET client_min_messages = warning;
SELECT dp.protect('visits', 1);
SET client_min_messages = error;
SELECT dp_count('*', 0.001) IS NOT NULL FROM visits;
SELECT dp.protect('visits', blocks => true);
UPDATE visits SET day = day + 40 WHERE day = '2026-01-05';

SELECT dp.unprotect('visits'), dp.unprotect('by_person');
DROP FUNCTION charged(), last_charges(int);
DROP VIEW charges;
DROP TABLE visits, wards, by_list, by_expression, by_person;
DROP OWNED BY regress_blocks_ana;
DROP ROLE regress_blocks_ana;
