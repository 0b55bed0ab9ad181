-- Ordinary aggregates over a protected table, for a role without SELECT that has an account: the private ones answer, in
-- PostgreSQL's types. At epsilon 1e6 counts are exact.
CALL own_schema('plain_aggregates');
SET client_min_messages = warning;
CREATE TABLE stay (id int PRIMARY KEY, ward text NOT NULL, age int CHECK (age BETWEEN 0 AND 110), cost numeric, share float8, small smallint, r real,
    stay_day date NOT NULL, urgent boolean NOT NULL, seen timestamp);
INSERT INTO stay SELECT i, (ARRAY['a', 'b', 'c'])[1 + i % 3], nullif(i % 100, 0), i % 50, (i % 10) / 10.0, i % 40, i % 30, date '2024-01-01' + i % 60, i % 4 = 0, '2024-01-01'
    FROM generate_series(1, 600) i;
CREATE TABLE ward_name (ward text PRIMARY KEY, name text NOT NULL);
INSERT INTO ward_name VALUES ('a', 'Surgery'), ('b', 'Oncology'), ('c', 'Cardiology');
CREATE ROLE regress_plain_ana;
CREATE ROLE regress_plain_bob;
CREATE ROLE regress_plain_eve;
GRANT SELECT ON ward_name TO regress_plain_ana;
GRANT CREATE ON SCHEMA plain_aggregates TO regress_plain_ana;
SELECT dp.protect('stay', 1e9, answer_epsilon => 0);
SELECT dp.grant_budget('stay', 'regress_plain_ana', 1e9, allow_leaks => true);
SELECT dp.grant_budget('stay', 'regress_plain_bob', 1e9, allow_leaks => true, answer_epsilon => 0.25);
SELECT dp.declare_values('stay', 'ward', 'a', 'b', 'c');
SELECT dp.declare_range('stay', 'cost', 0, 100), dp.declare_range('stay', 'share', 0, 1), dp.declare_range('stay', 'small', 0, 50),
       dp.declare_range('stay', 'r', 0, 30), dp.declare_range('stay', 'stay_day', '2024-01-01', '2024-12-31');

-- Epsilon: the session's, the account's, the table's; none is said.
SET ROLE regress_plain_ana;
SELECT count(*) FROM stay;
EXPLAIN (COSTS OFF) SELECT avg(cost) FROM stay;
SELECT dp_avg(cost) FROM stay;
SET dp.epsilon = 0.5;
EXPLAIN (COSTS OFF) SELECT avg(cost) FROM stay;
RESET dp.epsilon;
SET ROLE regress_plain_bob;
EXPLAIN (COSTS OFF) SELECT count(*), avg(cost) FROM stay;
SELECT * FROM dp.cost('SELECT count(*), avg(cost) FROM stay') ORDER BY role;
EXPLAIN (COSTS OFF) SELECT dp_count(*), dp_avg(cost) FROM stay;
SET dp.epsilon = 2;
EXPLAIN (COSTS OFF) SELECT count(*) FROM stay;
RESET ROLE;
RESET dp.epsilon;
SELECT dp.protect('stay', 1e9, answer_epsilon => 0.125, min_query_epsilon => 1e-9);
SET ROLE regress_plain_bob;
EXPLAIN (COSTS OFF) SELECT count(*) FROM stay;
SET ROLE regress_plain_ana;
EXPLAIN (COSTS OFF) SELECT count(*) FROM stay;
-- The mechanism.
SET dp.mechanism = 'laplace';
EXPLAIN (COSTS OFF) SELECT count(*), sum(age) FROM stay;
SET dp.mechanism = 'nonsense';
RESET dp.mechanism;
-- The mechanism of the session, else of the account, else of the table; each by itself, whoever says epsilon.
RESET ROLE;
SELECT dp.protect('stay', 1e9, answer_epsilon => 0.125, min_query_epsilon => 1e-9, answer_mechanism => 'nonsense');
SELECT dp.grant_budget('stay', 'regress_plain_bob', 1e9, allow_leaks => true, answer_mechanism => 'gg(p=3)');
-- One that costs delta, where there is none or less: said when it is set.
SELECT dp.protect('stay', 1e9, answer_epsilon => 0.125, min_query_epsilon => 1e-9, answer_mechanism => 'gaussian(delta=1e-6)');
SELECT dp.protect('stay', 1e9, 1e-7, answer_epsilon => 0.125, min_query_epsilon => 1e-9, answer_mechanism => 'gaussian(delta=1e-6)');
SELECT dp.protect('stay', 1e9, 1e-6, answer_epsilon => 0.125, min_query_epsilon => 1e-9, answer_mechanism => 'gaussian(delta=1e-6)');
SELECT dp.grant_budget('stay', 'regress_plain_bob', 1e9, allow_leaks => true);
SELECT dp.grant_budget('stay', 'regress_plain_bob', 1e9, allow_leaks => true, answer_mechanism => 'gaussian(delta=1e-5)');
SELECT dp.revoke_budget('stay', 'regress_plain_bob');
SELECT dp.grant_budget('stay', 'regress_plain_bob', 1e9, 1e-6, allow_leaks => true);
SELECT dp.grant_budget('stay', 'regress_plain_bob', 1e9, 0, allow_leaks => true, answer_mechanism => 'laplace');
SELECT dp.protect('stay', 1e9, 0, answer_epsilon => 0.125, min_query_epsilon => 1e-9, answer_mechanism => ' Staircase ( METRIC = l2 )');
SELECT dp.grant_budget('stay', 'regress_plain_bob', 1e9, allow_leaks => true, answer_epsilon => 0.25, answer_mechanism => 'laplace');
CREATE FUNCTION form_for(role regrole, settings text DEFAULT '') RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    form text;
BEGIN
    EXECUTE format('SET LOCAL ROLE %s; %s', role, settings);
    form := dp.private_form('SELECT count(*), sum(age), dp_count(*), dp_count(ward), dp_avg(cost), dp_count(''*'', 0.5), dp_sum(age, 0, 9, 1, ''geometric'') FROM stay');
    RESET ROLE;
    SET LOCAL dp.epsilon = 0;
    SET LOCAL dp.mechanism = 'auto';
    RETURN form;
END $$;
SELECT form_for('regress_plain_ana');
SELECT form_for('regress_plain_bob');
SELECT form_for('regress_plain_bob', 'SET LOCAL dp.mechanism = geometric');
SELECT form_for('regress_plain_bob', 'SET LOCAL dp.epsilon = 2');
SELECT form_for('regress_plain_bob', 'SET LOCAL dp.epsilon = 2; SET LOCAL dp.mechanism = geometric');
-- An account has auto though its table has not; the plan that was made before is made again.
SET ROLE regress_plain_bob;
PREPARE by_policy AS SELECT dp_count(*) FROM stay;
EXPLAIN (COSTS OFF) EXECUTE by_policy;
RESET ROLE;
SELECT dp.grant_budget('stay', 'regress_plain_bob', 1e9, allow_leaks => true, answer_epsilon => 0.25, answer_mechanism => 'auto');
SET ROLE regress_plain_bob;
EXPLAIN (COSTS OFF) EXECUTE by_policy;
-- What cannot have that mechanism is refused, as with the setting.
RESET ROLE;
SELECT dp.grant_budget('stay', 'regress_plain_bob', 1e9, allow_leaks => true, answer_epsilon => 0.25, answer_mechanism => 'gaussian(delta=1e-6)');
SET ROLE regress_plain_bob;
SELECT mode() WITHIN GROUP (ORDER BY ward) FROM stay;
SELECT dp_count(*) FROM stay;
SET dp.mechanism = 'gaussian(delta=1e-6)';
SELECT mode() WITHIN GROUP (ORDER BY ward) FROM stay;
RESET dp.mechanism;
-- What is not said again is taken back.
DEALLOCATE by_policy;
RESET ROLE;
SELECT dp.revoke_budget('stay', 'regress_plain_bob');
SELECT dp.grant_budget('stay', 'regress_plain_bob', 1e9, allow_leaks => true, answer_epsilon => 0.25);
SELECT dp.protect('stay', 1e9, answer_epsilon => 0.125, min_query_epsilon => 1e-9, answer_mechanism => 'auto');
SELECT form_for('regress_plain_bob');
SET ROLE regress_plain_ana;
-- A prepared statement follows the setting, and the role.
SET dp.epsilon = 1;
PREPARE counted AS SELECT count(*) FROM stay WHERE age > $1;
EXPLAIN (COSTS OFF) EXECUTE counted(50);
PREPARE counted_all AS SELECT count(*) FROM stay;
EXPLAIN (COSTS OFF) EXECUTE counted_all;
SET dp.epsilon = 3;
EXPLAIN (COSTS OFF) EXECUTE counted_all;
EXPLAIN (COSTS OFF) EXECUTE counted(50);
RESET ROLE;
EXPLAIN (COSTS OFF) EXECUTE counted(50);
EXPLAIN (COSTS OFF) EXECUTE counted_all;
SET ROLE regress_plain_ana;
EXPLAIN (COSTS OFF) EXECUTE counted_all;
SET dp.epsilon = 1e6;
EXECUTE counted(50);

-- Every form, beside what the superuser gets.
CREATE FUNCTION answers(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    row record;
    lines text := '';
BEGIN
    FOR row IN EXECUTE query LOOP lines := lines || row::text; END LOOP;
    RETURN lines;
END
$$;
RESET ROLE;
CREATE TABLE plain (query text);
GRANT SELECT ON plain TO regress_plain_ana;
INSERT INTO plain VALUES
    ('SELECT count(*), count(1), count(age), count(DISTINCT ward), count(*) FILTER (WHERE urgent), count(DISTINCT age) FILTER (WHERE age < 10) FROM stay'),
    ('SELECT sum(age), sum(small) FROM stay'),
    ('SELECT sum(CASE WHEN urgent THEN 1 ELSE 0 END), sum(urgent::int), sum(age) FILTER (WHERE urgent) FROM stay'),
    ('SELECT ward, count(*) FROM stay GROUP BY ward ORDER BY 2 DESC, 1 LIMIT 2'),
    ('SELECT ward, urgent, count(*) AS n FROM stay GROUP BY CUBE (ward, urgent) HAVING count(*) > 10 ORDER BY 1, 2'),
    ('SELECT n.name, count(*) FROM stay s JOIN ward_name n USING (ward) GROUP BY n.name ORDER BY 1'),
    ('SELECT * FROM (SELECT ward AS a0, count(*) AS a1 FROM (SELECT * FROM stay WHERE age > 20) q GROUP BY ward) t WHERE NOT a0 IS NULL ORDER BY 1 LIMIT 100'),
    ('WITH s AS (SELECT * FROM stay WHERE urgent) SELECT ward, count(*), sum(count(*)) OVER () FROM s GROUP BY ward ORDER BY 1'),
    ('SELECT count(*) FROM (SELECT ward, count(*) FROM stay GROUP BY ward) q'),
    ('SELECT ward, (SELECT count(*) FROM stay) - count(*) FROM stay GROUP BY ward ORDER BY 1'),
    ('SELECT round(avg(age), 1), round(avg(cost), 1), round(avg(share)::numeric, 2), round(avg(r)::numeric, 1) FROM stay'),
    ('SELECT round(stddev(age), 1), round(variance(cost), 0), round(stddev_samp(share)::numeric, 2), round(var_samp(small), 0) FROM stay'),
    ('SELECT round(sum(cost), 0), round(sum(share)::numeric, 0), round(sum(r)::numeric, 0) FROM stay'),
    ('SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY small) FROM stay WHERE small < 39'),
    ('SELECT percentile_disc(0.9) WITHIN GROUP (ORDER BY small) - (SELECT percentile_disc(0.101) WITHIN GROUP (ORDER BY small DESC) FROM stay WHERE small < 39), (SELECT round(percentile_cont(0) WITHIN GROUP (ORDER BY small DESC NULLS LAST)) FROM stay WHERE small < 39) FROM stay WHERE small < 39'),
    ('SELECT pg_typeof(sum(age)), pg_typeof(sum(small)), pg_typeof(avg(age)), pg_typeof(sum(cost)), pg_typeof(avg(share)), pg_typeof(sum(r)), pg_typeof(stddev(age)), '
     'pg_typeof(percentile_disc(0.5) WITHIN GROUP (ORDER BY age)), pg_typeof(count(*)), pg_typeof(min(small)), pg_typeof(max(stay_day)) FROM stay');
CREATE TABLE superusers AS SELECT query, answers(query) AS answer FROM plain;
GRANT SELECT ON superusers TO regress_plain_ana;
SET ROLE regress_plain_ana;
SELECT query, answers(query) AS private, answer AS plain FROM superusers WHERE answers(query) <> answer;
SELECT count(*) FROM superusers;
SELECT mode() WITHIN GROUP (ORDER BY ward) FROM stay WHERE ward = 'b';
-- Truths, and whole numbers and days in a range, are groups that nobody has to list.
SELECT mode() WITHIN GROUP (ORDER BY age) FILTER (WHERE age = 42 OR id < 40) AS age,
       mode() WITHIN GROUP (ORDER BY stay_day) FILTER (WHERE stay_day = '2024-02-01' OR id < 10) AS day, mode() WITHIN GROUP (ORDER BY age > 50) AS old FROM stay;

-- min and max: what is declared, without a charge and whatever the rows.
CREATE TEMP TABLE spent AS SELECT epsilon_spent, (SELECT count(*) FROM dp.ledger) AS entries FROM dp.budgets WHERE role IS NOT NULL;
SELECT min(age), max(age), min(cost), max(stay_day), min(share) FROM stay;
SELECT min(stay_day), max(stay_day) FROM stay WHERE false;
SELECT plan_of('SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY stay_day) FROM stay', 'Bounds');
SELECT ward, max(cost) FROM stay GROUP BY ward ORDER BY 1;
SELECT DISTINCT ward FROM stay ORDER BY 1;
SELECT ward FROM stay GROUP BY ward ORDER BY 1 LIMIT 2;
SELECT ward, urgent FROM stay GROUP BY 1, 2 ORDER BY 1, 2;
SELECT count(*) FROM (SELECT DISTINCT ward FROM stay) q;
EXPLAIN (COSTS OFF) SELECT DISTINCT ward FROM stay;
SELECT * FROM dp.cost('SELECT DISTINCT ward FROM stay') ORDER BY role;
SELECT b.epsilon_spent - s.epsilon_spent AS charged, (SELECT count(*) FROM dp.ledger) - entries AS entries FROM dp.budgets b, spent s WHERE role IS NOT NULL;
SELECT DISTINCT age FROM stay;
SELECT max(seen) FROM stay;

-- A count is never negative; dp_count can be.
SET dp.epsilon = 1e-9;
SELECT bool_and(n >= 0) FROM (SELECT count(*) AS n FROM stay WHERE age < 0 GROUP BY ward, urgent) q;
SET dp.epsilon = 1e6;

-- What has no private form, or no bounds.
SELECT bool_and(urgent) FROM stay;
SELECT every(urgent) FROM stay;
SELECT array_agg(age) FROM stay;
SELECT string_agg(ward, ',') FROM stay;
SELECT regr_count(DISTINCT age, age) FROM stay;
SELECT stddev(DISTINCT id) FROM stay;
SELECT avg(id) FROM stay WHERE id BETWEEN 1 AND 600 AND age > 5;
SELECT mode() WITHIN GROUP (ORDER BY cost) FROM stay;
SELECT max(ward) FROM stay;
SELECT sum(seen - stay_day) FROM stay;
SELECT percentile_disc(ARRAY[0.25, 0.75]) WITHIN GROUP (ORDER BY stay_day) FROM stay;
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY ward) FROM stay;

-- Only what holds for every row bounds a value.
RESET ROLE;
SELECT sum(age) FROM stay WHERE age < 10 OR id > 500;
SET ROLE regress_plain_ana;
SELECT sum(age) FROM stay WHERE age < 10 OR id > 500;

-- Calls that leave out epsilon, and bounds.
SELECT round(dp_avg(age)::numeric, 1), dp_sum(age, 0, 110), dp_sum(age), dp_sum(small), dp_count(age), dp_count(*) FROM stay;
SELECT pg_typeof(dp_sum(age)), pg_typeof(dp_sum(cost)), pg_typeof(dp_sum(share)) FROM stay;
SELECT dp_quantile(small, 0.5) BETWEEN 17 AND 21, dp_median(small) BETWEEN 17 AND 21 FROM stay;
SELECT stddev(DISTINCT id) FROM stay;

-- Two counts stay two, whatever their parameters are.
RESET ROLE;
PREPARE two (int, int) AS SELECT dp_count(*) FILTER (WHERE id > $1) AS one, dp_count(*) FILTER (WHERE id > $2) AS other FROM stay;
EXECUTE two(100, 100);
-- The smallest integer has no opposite. Days are not bounded by moments.
CREATE TABLE due (day date NOT NULL, worst int NOT NULL);
INSERT INTO due SELECT date '2024-01-01' + i, -2147483648 FROM generate_series(1, 10) i;
SELECT dp.protect('due', 1e9), dp.grant_budget('due', 'regress_plain_ana', 1e9, allow_leaks => true);
SELECT dp.declare_range('due', 'worst', -2147483648, 0);
CREATE TABLE over (x int CHECK (x BETWEEN 0 AND 10) NO INHERIT);
CREATE TABLE under () INHERITS (over);
SELECT dp.protect('over', 1e9), dp.grant_budget('over', 'regress_plain_ana', 1e9, allow_leaks => true);
SET ROLE regress_plain_ana;
SELECT count(worst / -1), count(*) FROM due;
SELECT count(to_char(day::timestamp, repeat('D', 200))) AS written, count(to_char(day::timestamp, repeat('D', 201))) AS too_long FROM due;
SELECT stddev(DISTINCT day - date '2024-01-01') FROM due WHERE day >= timestamp '2024-01-01' AND day <= timestamp '2024-01-05';
-- Nor by a range that was declared for another type of the column, or a condition that holds in one of the tables alone.
RESET ROLE;
ALTER TABLE due ALTER COLUMN worst TYPE bigint;
SET ROLE regress_plain_ana;
SELECT stddev(DISTINCT worst) FROM due;
SELECT stddev(DISTINCT x) FROM over;
-- What is no range.
RESET ROLE;
SELECT dp.declare_range('stay', 'share', 0, 'Infinity'::float8);
SELECT dp.declare_range('stay', 'share', '-Infinity'::float8, 1);
SELECT dp.declare_range('stay', 'cost', 0, 'NaN'::numeric);
SELECT dp.declare_range('stay', 'share', 1, 1);
SELECT dp.declare_range('ward_name', 'name', 1, 2);
SET ROLE regress_plain_ana;

-- Look-alikes: nothing but PostgreSQL's own aggregates is taken for them.
CREATE FUNCTION plain_aggregates.keep(text, text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT $2';
CREATE AGGREGATE plain_aggregates.count(text) (SFUNC = plain_aggregates.keep, STYPE = text);
CREATE AGGREGATE plain_aggregates.max(text) (SFUNC = plain_aggregates.keep, STYPE = text);
CREATE AGGREGATE plain_aggregates.sum(int) (SFUNC = int4pl, STYPE = int);
SET search_path = plain_aggregates, pg_catalog, public;
SELECT count(ward) FROM stay;
SELECT max(ward) FROM stay;
SELECT sum(age) FROM stay;
SELECT count(*) FROM stay;
EXPLAIN (COSTS OFF) SELECT count(*) FROM stay;
CREATE FUNCTION plain_aggregates.tell(x int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$BEGIN RAISE NOTICE '%', x; RETURN x; END$$;
SELECT sum(plain_aggregates.tell(age)) FROM stay;
SELECT count(plain_aggregates.tell(age)) FROM stay;
SELECT count(*) FILTER (WHERE plain_aggregates.tell(age) > 0) FROM stay;
CREATE FUNCTION plain_aggregates.less(int, int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$BEGIN RAISE NOTICE '%', $1; RETURN $1 < $2; END$$;
DROP AGGREGATE plain_aggregates.sum(int);
CREATE OPERATOR plain_aggregates.< (LEFTARG = int, RIGHTARG = int, FUNCTION = plain_aggregates.less);
SELECT sum(CASE WHEN age < 5 THEN 1 ELSE 0 END) FROM stay;
RESET search_path;
SET search_path = plain_aggregates, public;
-- Views of the asker are read as he is.
CREATE VIEW own_view AS SELECT *, age * 0 AS zero FROM stay;
SELECT count(*), sum(age) > 0 FROM own_view;
SELECT sum(zero) FROM own_view;
-- A function in FROM that the planner makes a part of the query.
CREATE FUNCTION plain_aggregates.from_age(youngest int) RETURNS SETOF bigint LANGUAGE sql STABLE AS 'SELECT count(*) FROM stay WHERE age >= youngest';
CREATE FUNCTION plain_aggregates.ages() RETURNS SETOF int LANGUAGE sql STABLE AS 'SELECT age FROM stay';
SELECT * FROM from_age(50);
SELECT count(*) FROM ages() a WHERE a >= 50;
SELECT * FROM ages();
-- What is answered without a row, through views that may not be read, and that may be.
RESET ROLE;
CREATE VIEW invoked WITH (security_invoker) AS SELECT * FROM stay;
CREATE VIEW youngest WITH (security_invoker) AS SELECT min(age) FROM stay;
SET ROLE regress_plain_ana;
SELECT min(age) FROM invoked;
SELECT * FROM youngest;
RESET ROLE;
GRANT SELECT ON invoked, youngest TO regress_plain_ana;
SET ROLE regress_plain_ana;
SELECT min(age) FROM invoked;
SELECT * FROM youngest;
RESET ROLE;
DROP VIEW invoked, youngest;
-- Who has no account, and who may read the table.
RESET ROLE;
GRANT USAGE ON SCHEMA plain_aggregates TO regress_plain_eve;
SET ROLE regress_plain_eve;
SELECT count(*) FROM stay;
SELECT DISTINCT ward FROM stay;
SELECT min(age) FROM stay;
RESET ROLE;
SELECT count(*), max(id), bool_and(urgent) FROM stay;
SELECT count(*), dp_count('*', 1) FROM stay;
SELECT dp.admissible('SELECT ward, count(*) FROM stay GROUP BY ward', 'regress_plain_ana');
-- An account that is gone ends what is prepared.
SET ROLE regress_plain_ana;
SET dp.epsilon = 1e6;
EXECUTE counted(50);
PREPARE listed AS SELECT DISTINCT ward FROM stay ORDER BY 1;
EXECUTE listed;
RESET ROLE;
SELECT dp.revoke_budget('stay', 'regress_plain_ana');
SET ROLE regress_plain_ana;
EXECUTE counted(50);
EXECUTE listed;
RESET ROLE;
SELECT dp.unprotect('stay');
DROP SCHEMA plain_aggregates CASCADE;
DROP OWNED BY regress_plain_ana, regress_plain_bob, regress_plain_eve;
DROP ROLE regress_plain_ana, regress_plain_bob, regress_plain_eve;
