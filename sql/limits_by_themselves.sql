-- How much of a privacy unit counts, where no curator has said it: a limit is chosen privately, in the pass that reads the rows.
CALL own_schema('limits_by_themselves');
SET client_min_messages = error;
CREATE ROLE regress_unlimited_ana;
CREATE ROLE regress_unlimited_ben;
CREATE TABLE people (id int PRIMARY KEY, sex text NOT NULL CHECK (sex IN ('f', 'm')));
INSERT INTO people SELECT i, (ARRAY['f', 'm'])[1 + i % 2] FROM generate_series(0, 1999) AS i;
CREATE TABLE visits (id serial PRIMARY KEY, person int NOT NULL REFERENCES people, name text NOT NULL, key uuid NOT NULL, ward int NOT NULL,
    cost int NOT NULL CHECK (cost BETWEEN -50 AND 100), weight float8 NOT NULL CHECK (weight BETWEEN 0 AND 10), extra int CHECK (extra BETWEEN 0 AND 9));
-- From one row of a person to 45, in three wards.
INSERT INTO visits (person, name, key, ward, cost, weight, extra)
    SELECT p, 'person ' || p, md5(p::text)::uuid, (p + r) % 3, (p * 7 + r * 13) % 151 - 50, (p * 3 + r * 5) % 100 / 10.0, nullif((p + r) % 11, 10)
    FROM generate_series(0, 1999) AS p, generate_series(1, 45) AS r WHERE r <= CASE WHEN p % 100 = 0 THEN 45 ELSE 1 + p % 6 END;
ANALYZE visits;
SELECT dp.protect('visits', 9e9, privacy_unit => 'person', answer_epsilon => 1e6);
SELECT dp.public_values('visits', 'ward', 0, 1, 2);
SELECT dp.grant_budget('visits', 'regress_unlimited_ana', 8e9, allow_leaks => true);
SELECT relation, privacy_unit, is_unique, max_rows_per_unit, max_groups_per_unit FROM dp.units WHERE relation = 'visits'::regclass;
\getenv folder PG_ABS_SRCDIR
\set spent :folder '/test/support/spent.sql'
\i :spent
-- Exact answers, for comparison.
CREATE VIEW exact AS SELECT ward, count(*) AS n, count(extra) AS extras, sum(cost) AS cost, sum(weight) AS weight, avg(cost) AS mean,
    stddev(weight) AS deviation, count(DISTINCT person) AS persons FROM visits GROUP BY GROUPING SETS ((), (ward));
GRANT SELECT ON exact TO regress_unlimited_ana;

SET ROLE regress_unlimited_ana;
SELECT item, value FROM dp.describe_table('visits') WHERE item = 'limits';
EXPLAIN (COSTS OFF) SELECT count(*), sum(cost) FROM visits;
SELECT role, trim_scale(epsilon) AS epsilon FROM dp.cost('SELECT count(*), sum(cost) FROM visits');

-- At a large epsilon nothing is cut, and the answers are exact.
CREATE FUNCTION pg_temp.differences(answers text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY EXECUTE format('SELECT format(''%%s: %%s'', coalesce(e.ward::text, ''all''), d.key)
        FROM (%s) AS a JOIN exact AS e ON e.ward IS NOT DISTINCT FROM a.ward,
        LATERAL (SELECT x.key FROM jsonb_each_text(to_jsonb(a)) AS x JOIN jsonb_each_text(to_jsonb(e)) AS y USING (key)
            WHERE abs(x.value::float8 - y.value::float8) > 0.01) AS d', answers);
END $$;
SELECT pg_temp.differences('SELECT NULL::int AS ward, * FROM (SELECT count(*) AS n, count(extra) AS extras, sum(cost) AS cost, sum(weight) AS weight,
    avg(cost) AS mean, stddev(weight) AS deviation, count(DISTINCT person) AS persons FROM visits) AS v');
SELECT pg_temp.differences('SELECT ward, count(*) AS n, count(extra) AS extras, sum(cost) AS cost, sum(weight) AS weight,
    avg(cost) AS mean, stddev(weight) AS deviation, count(DISTINCT person) AS persons FROM visits GROUP BY ward');
SELECT pg_temp.differences('SELECT NULL::int AS ward, dp_count(''*'', 1e6) AS n, dp_sum(cost, -50, 100, 1e6) AS cost, dp_sum(weight, 0, 10, 1e6) AS weight FROM visits');
-- Groups that the unit has itself; nobody in a group; nobody at all.
SELECT person, count(*) AS n, sum(cost) AS cost FROM visits WHERE person IN (0, 1, 5, 1999, -1) GROUP BY person ORDER BY person;
SELECT person, count(*) AS n, count(DISTINCT person) AS persons FROM visits WHERE person IN (0, 1, 5) GROUP BY person ORDER BY person;
SELECT 1 AS one, sum(cost) AS cost, count(DISTINCT person) AS persons FROM visits GROUP BY 1;
SELECT count(*) FILTER (WHERE ward = 1) AS n, count(*) AS all FROM visits;
SELECT ward, count(*), sum(cost), avg(cost) FROM visits WHERE cost > 100 GROUP BY ward ORDER BY ward;
SELECT count(*), round(abs(sum(weight))::numeric, 2) AS sum FROM visits WHERE ward = 7;
-- In workers, with the leader and without; on disk.
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
SET parallel_leader_participation = off;
SELECT pg_temp.differences('SELECT NULL::int AS ward, * FROM (SELECT count(*) AS n, sum(cost) AS cost, avg(cost) AS mean, stddev(weight) AS deviation FROM visits) AS v');
SELECT pg_temp.differences('SELECT ward, count(*) AS n, sum(cost) AS cost, avg(cost) AS mean, stddev(weight) AS deviation FROM visits GROUP BY ward');
SET parallel_leader_participation = on;
SET work_mem = '64kB';
SELECT pg_temp.differences('SELECT NULL::int AS ward, * FROM (SELECT count(*) AS n, sum(cost) AS cost FROM visits WHERE ward < 3) AS v');
SET max_parallel_workers_per_gather = 0;
SELECT pg_temp.differences('SELECT NULL::int AS ward, * FROM (SELECT count(*) AS n, sum(cost) AS cost, stddev(weight) AS deviation FROM visits WHERE ward < 4) AS v');
SELECT pg_temp.differences('SELECT ward, count(*) AS n, sum(cost) AS cost FROM visits WHERE ward < 3 GROUP BY ward');
RESET work_mem;
RESET max_parallel_workers_per_gather;

-- The limit is what the noise goes by: it is the smallest one of 1, 2, 3, 4, 6, 8, ... that cuts nothing, here 48 rows; three quarters of
-- epsilon are for the answer. A sum is limited by what persons add up to, whatever a row may add.
SELECT round(dp_error(dp_sum(weight, 0, 10, 1e6)) * 1e6 * 0.75 / ln(20)) AS limit, round(dp_error(dp_sum(weight, 0, 1000, 1e6)) * 1e6 * 0.75 / ln(20)) AS wider,
    round(dp_error(dp_avg(weight, 0, 10, 1e6)) * 1e9) > 0 AS mean FROM visits;
SELECT round(dp_error(dp_sum(weight, 0, 10, 1e6)) * 1e6 * 0.75 / ln(20)) AS limit FROM visits GROUP BY ward ORDER BY ward LIMIT 1;
SELECT round(dp_error(dp_sum(weight, 0, 10, 1e6)) * 1e6 * 0.75 / ln(20)) AS limit FROM visits WHERE person % 100 > 0;

-- What a session says holds in its place.
SET dp.max_rows_per_unit = 1;
SELECT dp_count('*', 1e6) FROM visits;
EXPLAIN (COSTS OFF) SELECT dp_count('*', 1e6) FROM visits;
RESET dp.max_rows_per_unit;
SET dp.max_groups_per_unit = 1;
SELECT sum(n) FROM (SELECT ward, dp_count('*', 1e6) AS n FROM visits GROUP BY ward) AS v;
RESET dp.max_groups_per_unit;
SET dp.max_rows_per_group = 2;
SELECT count(*) FROM visits;
RESET dp.max_rows_per_group;

-- Numbers of each person, whom the subquery is about: one row each, for which no limit is needed.
SELECT round(avg(n)::numeric, 3) FROM (SELECT person, LEAST(count(*), 50) AS n FROM visits GROUP BY person) AS v;
EXPLAIN (COSTS OFF) SELECT avg(n) FROM (SELECT person, LEAST(count(*), 50) AS n FROM visits GROUP BY person) AS v;

-- The price is the whole of epsilon, once, with the choice in it.
CALL from_now();
SELECT dp_count('*', 0.5) > 0 AS some FROM visits;
SELECT epsilon FROM spent();
CALL from_now();
SELECT count(n) + count(s) AS answers FROM (SELECT ward, dp_count('*', 0.5) AS n, dp_sum(cost, -50, 100, 0.25) AS s FROM visits GROUP BY ward) AS v;
SELECT epsilon FROM spent();
CALL from_now();
SELECT DISTINCT ward FROM visits ORDER BY 1;
SELECT epsilon FROM spent();

-- Of quantiles and most frequent values no limit is chosen: one row of each person counts, and all of epsilon is for the answer. Beside a count
-- too, of all rows.
CALL from_now();
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) BETWEEN 15 AND 35 AS median FROM visits;
SELECT epsilon FROM spent();
EXPLAIN (COSTS OFF) SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) FROM visits;
SELECT bool_and(median BETWEEN 5 AND 45) AS medians, count(*) AS wards
    FROM (SELECT ward, percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) AS median FROM visits GROUP BY ROLLUP (ward)) AS v;
CALL from_now();
SELECT count(*), sum(cost), percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) BETWEEN 15 AND 35 AS median, count(DISTINCT person) AS persons FROM visits;
SELECT epsilon FROM spent();
EXPLAIN (COSTS OFF) SELECT count(*), percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) FROM visits;
EXPLAIN (COSTS OFF) SELECT count(DISTINCT person), percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) FROM visits;
-- By group they are two questions, whose groups are the same.
SELECT ward, count(*), percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) BETWEEN 5 AND 45 AS median, sum(cost) FROM visits GROUP BY ward ORDER BY ward;
SELECT ward, extra > 4 AS large, GROUPING(ward) AS g, count(*) BETWEEN 1000 AND 8000 AS some, dp_error(count(*)) < 1 AS error, dp_error(dp_median(cost, -50, 100, 1)) IS NULL AS none,
    rank() OVER (ORDER BY ward) > 0 AS rank
    FROM visits WHERE extra IS NOT NULL GROUP BY ROLLUP (ward), extra > 4 HAVING percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) BETWEEN -40 AND 90 AND count(*) > 10 ORDER BY 3, 1, 2;
SELECT ward, count(*), dp_mode(ward, ARRAY[0, 1, 2], 1) = ward AS mode FROM visits GROUP BY ward ORDER BY ward;
WITH cheap AS (SELECT * FROM visits WHERE cost < 0) SELECT ward, count(*), percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) < 0 AS median FROM cheap GROUP BY ward ORDER BY ward;
SELECT person, percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) BETWEEN -50 AND 100 AS median, count(DISTINCT person) FROM visits WHERE person IN (0, 1) GROUP BY person ORDER BY person;
SELECT trim_scale(epsilon) AS epsilon FROM dp.cost('SELECT ward, count(*), percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) FROM visits GROUP BY ward') WHERE role IS NOT NULL;
SELECT dp.private_form('SELECT ward, count(*) BETWEEN 2000 AND 3000 AS some, percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) BETWEEN 5 AND 45 AS median FROM visits GROUP BY ward ORDER BY ward') AS text \gset
:text;

-- Of different values one of each person counts that no other has taken: as there are more people than values, none is left out.
CALL from_now();
SELECT count(DISTINCT extra), count(DISTINCT ward) AS wards FROM visits;
SELECT epsilon FROM spent();
EXPLAIN (COSTS OFF) SELECT count(DISTINCT extra) FROM visits;
SELECT ward, count(DISTINCT extra) FROM visits GROUP BY ward ORDER BY ward;
-- Beside other answers they are a question of their own, each at its price; as what is chosen from values is.
CALL from_now();
SELECT count(DISTINCT extra), count(*), dp_error(count(DISTINCT extra)) < 1e-4 AS error, sum(DISTINCT ward) FROM visits;
SELECT epsilon FROM spent();
SELECT count(DISTINCT person), dp_mode(ward, ARRAY[0, 1, 2], 1) IN (0, 1, 2) AS mode, count(DISTINCT ward) FILTER (WHERE extra > 3) AS wards FROM visits;
SELECT ward, count(DISTINCT person) AS persons, count(DISTINCT extra), count(*), percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) BETWEEN 5 AND 45 AS median FROM visits GROUP BY ward ORDER BY ward;
EXPLAIN (COSTS OFF) SELECT count(DISTINCT extra), count(*) FROM visits;
SELECT dp.private_form('SELECT count(DISTINCT extra), count(*) FROM visits') AS text \gset
:text;
-- Of people themselves nothing has to be limited.
EXPLAIN (COSTS OFF) SELECT count(DISTINCT person) FROM visits;

-- What no limit is chosen for.
SELECT ward, count(*), percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) FROM visits WHERE cost > (SELECT avg(cost) FROM visits) GROUP BY ward;
\echo :LAST_ERROR_SQLSTATE
SELECT dp_count('*', 1, 'staircase') FROM visits;
SELECT dp_count('*', 1, 'gaussian(delta=1e-6)') FROM visits;
SELECT dp_count('*', 2e-9) FROM visits;
SELECT string_agg(format('dp_sum(cost + %s, -50, 100, 1)', i), ', ') AS sums FROM generate_series(1, 30) AS i \gset
SELECT person, :sums FROM visits WHERE person BETWEEN 0 AND 1999 GROUP BY person;
RESET ROLE;

-- How much is missing is told apart from the noise: at a large epsilon nothing is, and of small ones it is known about. It is not of declared
-- limits, and nothing is missing where a person has one row.
SET ROLE regress_unlimited_ana;
SELECT bias >= 0 AS known FROM (SELECT dp_bias(dp_count('*', 0.5)) AS bias FROM visits WHERE person % 100 > 0) AS v;
SELECT dp_bias(count(*)) AS n, dp_bias(sum(weight)) AS weight, dp_bias(dp_sum(cost, -50, 100, 1e6)) AS both_signs, dp_bias(avg(weight)) AS mean FROM visits;
SELECT dp_bias(count(*)) AS one_row FROM (SELECT DISTINCT ON (person) * FROM visits ORDER BY person, id) AS v;
SELECT bool_and(bias = 0) AS none FROM (SELECT ward, dp_bias(count(*)) AS bias FROM visits GROUP BY ward) AS v;
SET dp.max_rows_per_unit = 1;
SELECT dp_bias(count(*)) AS declared FROM visits;
RESET dp.max_rows_per_unit;
RESET ROLE;

-- Relaxed, it pays for the noise alone: the limit stays what it was. Another role pays for the limit once.
SELECT dp.protect('visits', 9e9, reuse => '1 hour', share_answers => true);
SELECT dp.grant_budget('visits', 'regress_unlimited_ben', 8e9, allow_leaks => true);
SET ROLE regress_unlimited_ana;
CALL from_now();
SELECT dp_count('*', 1) > 0 AS some FROM visits;
SELECT dp_count('*', 1) > 0 AS again FROM visits;
SELECT epsilon FROM spent();
SELECT dp_error(dp_sum(weight, 0, 10, 1)) AS error FROM visits \gset
SELECT dp_error(dp_sum(weight, 0, 10, 1)) = :error AS again FROM visits;
CALL from_now();
SELECT dp_count('*', 2) > 0 AS finer FROM visits;
SELECT epsilon AS three_quarters FROM spent();
SELECT aggregate, epsilon FROM dp.releases WHERE release_id = dp_last_release() ORDER BY 2;
CALL from_now();
SELECT count(*) FROM relax_release(dp_last_release(), 3);
SELECT epsilon FROM spent();
SET ROLE regress_unlimited_ben;
CALL from_now();
-- EXPLAIN does not tell the limit of the other role's answer, which is not paid for yet.
EXPLAIN (COSTS OFF) SELECT dp_count('*', 1) FROM visits;
SELECT dp_count('*', 1) > 0 AS shared FROM visits;
SELECT epsilon FROM spent();
SELECT trim_scale(sum(epsilon_spent)) AS spent FROM dp.budgets WHERE role = 'regress_unlimited_ben'::regrole;
CALL from_now();
SELECT dp_count('*', 2) > 0 AS shared FROM visits;
SELECT trim_scale(sum(epsilon_spent)) AS spent FROM dp.budgets WHERE role = 'regress_unlimited_ben'::regrole;
RESET ROLE;
SELECT dp.protect('visits', 9e9, reuse => '0');

-- Units that are texts and uuids, and through a foreign key; joined tables; people; what may be NULL.
SELECT dp.protect('visits', 9e9, privacy_unit => 'name');
SET ROLE regress_unlimited_ana;
SELECT pg_temp.differences('SELECT NULL::int AS ward, * FROM (SELECT count(*) AS n, sum(cost) AS cost FROM visits) AS v');
SELECT pg_temp.differences('SELECT ward, count(*) AS n, sum(cost) AS cost FROM visits GROUP BY ward');
RESET ROLE;
SELECT dp.protect('visits', 9e9, privacy_unit => 'key');
SET ROLE regress_unlimited_ana;
SELECT pg_temp.differences('SELECT NULL::int AS ward, * FROM (SELECT count(*) AS n, sum(cost) AS cost FROM visits) AS v');
SELECT pg_temp.differences('SELECT ward, count(*) AS n, sum(cost) AS cost FROM visits GROUP BY ward');
RESET ROLE;
SELECT dp.protect('visits', 9e9, privacy_unit => 'person.id');
SELECT dp.protect('people', 9e9, privacy_unit => 'id', answer_epsilon => 1e6);
SELECT dp.grant_budget('people', 'regress_unlimited_ana', 8e9, allow_leaks => true);
SET ROLE regress_unlimited_ana;
SELECT pg_temp.differences('SELECT ward, count(*) AS n, sum(cost) AS cost FROM visits GROUP BY ward');
SELECT sex, count(*), sum(cost) FROM visits JOIN people ON people.id = person GROUP BY sex ORDER BY sex;
SELECT count(*) FROM visits AS a JOIN visits AS b USING (person);
RESET ROLE;
-- What is declared of another table does not limit the rows of both.
CREATE TABLE bills (person int NOT NULL REFERENCES people);
INSERT INTO bills SELECT i FROM generate_series(1, 300) AS i, generate_series(1, 2);
SELECT dp.protect('bills', 9e9, privacy_unit => 'person.id', max_rows_per_unit => 3, answer_epsilon => 1e6);
SELECT dp.grant_budget('bills', 'regress_unlimited_ana', 8e9, allow_leaks => true);
SET ROLE regress_unlimited_ana;
SELECT count(*) FROM visits JOIN bills USING (person);
SELECT count(*) FROM people WHERE EXISTS (SELECT FROM visits WHERE person = people.id AND cost > 90);
RESET ROLE;
ALTER TABLE visits ALTER person DROP NOT NULL, DROP CONSTRAINT visits_person_fkey;
SELECT dp.protect('visits', 9e9, privacy_unit => 'person');
INSERT INTO visits (name, key, ward, cost, weight) SELECT 'nobody', md5('')::uuid, 0, 100, 10 FROM generate_series(1, 100);
SET ROLE regress_unlimited_ana;
SELECT count(*) FROM visits;
SELECT ward, count(*) FROM visits GROUP BY ward ORDER BY ward;
RESET ROLE;

-- Whoever stands far above the others is cut, and does not decide: of one with 5,000 rows among 3,000 with one there is nothing to be seen.
CREATE TABLE calls (person int NOT NULL, minutes int NOT NULL CHECK (minutes BETWEEN 0 AND 1000000));
INSERT INTO calls SELECT i, 3 FROM generate_series(1, 3000) AS i UNION ALL SELECT 0, 1000000 FROM generate_series(1, 5000);
SELECT dp.protect('calls', 9e9, privacy_unit => 'person');
SELECT dp_bias(dp_count('*', 1e6)) AS none, round((dp_bias(dp_count('*', 0.5)) / 5000)::numeric) BETWEEN 0 AND 1 AS rows, dp_bias(dp_avg(minutes, 0, 1000000, 1)) AS of_mean FROM calls;
-- Nor does it where one row of each counts: by rows the median is 1,000,000.
SELECT dp_median(minutes, 0, 1000000, 1e6) < 1000 AS median, dp_mode(minutes, ARRAY[3, 1000000], 1e6) AS mode FROM calls;
SELECT dp_median(minutes, 0, 1000000, 1e6) < 1000 AS median, dp_count('*', 1e6) AS rows FROM calls;
SELECT dp_bias(3) FROM calls;
CREATE OPERATOR @@ (RIGHTARG = anyelement, FUNCTION = dp_bias);
SELECT @@ 3;
SELECT n BETWEEN 2500 AND 3500 AS rows, s BETWEEN 7000 AND 12000 AS sum, mean < 50000 AS mean
FROM (SELECT dp_count('*', 0.5) AS n, dp_sum(minutes, 0, 1000000, 0.5) AS s, dp_avg(minutes, 0, 1000000, 0.5) AS mean FROM calls) AS v;

-- Of persons with more rows than any limit the largest limit is known, whether or not all of them fit into memory.
CREATE TABLE of_many (person bigint NOT NULL);
INSERT INTO of_many SELECT i * 4096 FROM generate_series(1, 3) AS i, generate_series(1, 70000) UNION ALL SELECT i * 4096 FROM generate_series(1001, 4000) AS i;
SELECT dp.protect('of_many', 9e9, privacy_unit => 'person');
SELECT round(dp_count('*', 1e6), -2) AS n, dp_bias(dp_count('*', 1e6)) AS bias FROM of_many;
SET work_mem = '64kB';
SELECT round(dp_count('*', 1e6), -2) AS n, dp_bias(dp_count('*', 1e6)) AS bias FROM of_many WHERE person > 0;
RESET work_mem;
-- A limit can be declared, and given up.
SELECT dp.protect('visits', 9e9, max_rows_per_unit => 2);
SELECT max_rows_per_unit FROM dp.units WHERE relation = 'visits'::regclass;
SELECT dp.protect('visits', 9e9, limits => 'auto');
SELECT max_rows_per_unit FROM dp.units WHERE relation = 'visits'::regclass;
SELECT dp.protect('visits', 9e9, limits => 'auto', max_rows_per_unit => 3);
SELECT max_rows_per_unit FROM dp.units WHERE relation = 'visits'::regclass;
SELECT dp.protect('visits', 9e9, limits => 'none');
SELECT dp.protect('visits', 9e9, rows_kept => 'latest', rows_kept_by => 'id');
SELECT dp.protect('visits', 9e9, max_rows_per_unit => 3, rows_kept => 'latest', rows_kept_by => 'id');
SELECT dp.protect('visits', 9e9, limits => 'auto');
SELECT rows_kept FROM dp.units WHERE relation = 'visits'::regclass;
CREATE TABLE of_rows (i int);
SELECT dp.protect('of_rows', 1, limits => 'auto');
SELECT dp.protect('people', 9e9, limits => '');
