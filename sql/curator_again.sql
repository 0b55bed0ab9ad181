-- dp.protect and dp.grant_budget called again keep all that is not named, and each thing can be taken away.
CALL own_schema('curator_again');
SET client_min_messages = warning;
CREATE ROLE regress_again;
CREATE TABLE stays (id int PRIMARY KEY, patient int NOT NULL, ward text NOT NULL, day date NOT NULL);
INSERT INTO stays SELECT i, i % 50, 'a', '2024-01-01' FROM generate_series(1, 100) i;

CREATE VIEW of_table AS SELECT b.epsilon_limit AS epsilon, b.delta_limit AS delta, b.query_epsilon_limit AS query, b.group_epsilon,
    b.group_delta, NULLIF(p.answer_epsilon_nano, -1) / 1e9 AS answer, p.min_query_epsilon_nano / 1e9 AS least, b.charges_limit AS charges,
    p.answer_mechanism AS mechanism, u.privacy_unit AS unit, u.max_rows_per_unit AS rows, u.max_groups_per_unit AS groups,
    u.max_rows_per_group AS in_each, u.rows_kept AS kept, u.rows_kept_by AS by, r.reuse_seconds AS reuse, r.share_answers AS shared, r.keep_seconds AS keep,
    r.keep_bytes / 1048576 AS mb
FROM dp.budgets b JOIN dp.units u USING (relation) JOIN dp.protected_table p USING (relation) LEFT JOIN dp.answer_policy r USING (relation)
WHERE b.role IS NULL AND b.table_name = 'stays';
CREATE VIEW of_role AS SELECT b.epsilon_limit AS epsilon, b.delta_limit AS delta, b.query_epsilon_limit AS query,
    a.answer_epsilon_nano / 1e9 AS answer, b.charges_limit AS charges, a.answer_mechanism AS mechanism, a.allow_leaks AS leaks
FROM dp.budgets b JOIN dp.account a USING (relation, role) WHERE b.role_name = 'regress_again';
\x

-- ---- a table
SELECT dp.protect('stays');
SELECT dp.protect('stays', 10, 1e-4, 2, 0.1, 1e-6, 'patient', max_groups_per_unit => 3, max_rows_per_group => 2, answer_epsilon => 0.5,
    min_query_epsilon => 0.01, max_charges => 1000, reuse => '1 day', share_answers => true, keep_answers => '9 days', keep_answers_mb => 7,
    rows_kept => 'first', rows_kept_by => 'day', answer_mechanism => 'laplace');
SELECT * FROM of_table;
CREATE TABLE before AS SELECT * FROM of_table;
-- Nothing named, or one thing: the rest stays.
SELECT dp.protect('stays');
SELECT of_table = before AS all_stays FROM of_table, before;
SELECT dp.protect('stays', 20);
SELECT dp.protect('stays', max_charges => 2000);
SELECT dp.protect('stays', group_epsilon => 0.2);
SELECT dp.protect('stays', keep_answers_mb => 8);
SELECT dp.protect('stays', rows_kept => 'latest');
SELECT dp.protect('stays', max_rows_per_group => 4);
SELECT dp.protect('stays', privacy_unit => 'patient');
SELECT * FROM of_table;
-- Stored answers stay with what they are for.
SELECT dp_count('*', 0.5) IS NOT NULL AS asked FROM stays;
SELECT dp.protect('stays', 21);
SELECT count(*) AS stored FROM dp.stored_answer WHERE relation = 'stays'::regclass;
-- One thing taken away.
SELECT dp.protect('stays', share_answers => false);
SELECT shared, reuse, keep, mb FROM of_table;
SELECT dp.protect('stays', keep_answers => '0', keep_answers_mb => -1);
SELECT shared, reuse, keep, mb FROM of_table;
SELECT dp.protect('stays', reuse => '30 days');
SELECT reuse, keep FROM of_table;
SELECT dp.protect('stays', max_rows_per_unit => 5);
SELECT rows, groups, in_each, kept, by FROM of_table;
SELECT dp.protect('stays', max_rows_per_unit => -1, max_groups_per_unit => 2, max_rows_per_group => 1);
SELECT rows, groups, in_each FROM of_table;
SELECT dp.protect('stays', rows_kept => 'random');
-- All of it.
SELECT dp.protect('stays', delta => 0, query_epsilon => -1, group_epsilon => 0, privacy_unit => '', answer_epsilon => 0,
    min_query_epsilon => 0, max_charges => -1, reuse => '0', answer_mechanism => 'auto');
SELECT * FROM of_table;
SELECT count(*) AS stored FROM dp.stored_answer WHERE relation = 'stays'::regclass;
-- Of another unit the limits are others.
SELECT dp.protect('stays', privacy_unit => 'patient', max_rows_per_unit => 5);
SELECT dp.protect('stays', privacy_unit => 'ward');
SELECT dp.protect('stays', privacy_unit => 'id');
SELECT unit, rows FROM of_table;

-- ---- what says how to take it away, and what does not fit what stays
SELECT dp.protect('stays', query_epsilon => 0);
SELECT dp.protect('stays', answer_epsilon => -2);
SELECT dp.protect('stays', max_charges => 0);
SELECT dp.protect('stays', reuse => '-1 day');
SELECT dp.protect('stays', group_epsilon => -2);
SELECT dp.protect('stays', max_rows_per_unit => 0);
SELECT dp.protect('stays', min_query_epsilon => 1, query_epsilon => 2);
SELECT dp.protect('stays', query_epsilon => 0.5);
SELECT dp.protect('stays', group_epsilon => 0.1);
SELECT dp.protect('stays', delta => 1e-5, group_epsilon => 0.1, group_delta => 1e-6);
SELECT dp.protect('stays', delta => 0);
SELECT dp.protect('stays', keep_answers => '1 day');
SELECT dp.protect('stays', privacy_unit => 'patient', max_rows_per_unit => 5);
SELECT dp.protect('stays', max_rows_per_unit => -1);

-- ---- a role
SELECT dp.grant_budget('stays', 'regress_again');
SELECT dp.grant_budget('stays', 'regress_again', 2, 1e-6, 2, true, 0.5, 100, 'laplace');
SELECT * FROM of_role;
SELECT dp.grant_budget('stays', 'regress_again');
SELECT * FROM of_role;
SELECT dp.grant_budget('stays', 'regress_again', 3);
SELECT * FROM of_role;
SELECT dp.grant_budget('stays', 'regress_again', query_epsilon => 1.5);
SELECT * FROM of_role;
SELECT dp.grant_budget('stays', 'regress_again', delta => 0, query_epsilon => -1, answer_epsilon => 0, max_charges => -1, answer_mechanism => 'auto');
SELECT * FROM of_role;
SELECT dp.grant_budget('stays', 'regress_again', max_charges => 0);
SELECT dp.grant_budget('stays', 'regress_again', answer_epsilon => -2);

-- ---- a table in the place of another keeps it all
SELECT dp.protect('stays', 10, 1e-4, 2, 0.1, 1e-6, 'patient', -1, 3, 2, answer_epsilon => 0.5,
    min_query_epsilon => 0.01, max_charges => 1000, reuse => '1 day', share_answers => true, keep_answers => '9 days', keep_answers_mb => 7,
    rows_kept => 'first', rows_kept_by => 'day', answer_mechanism => 'laplace');
ALTER TABLE stays RENAME TO stays_before;
CREATE TABLE stays AS TABLE stays_before;
SELECT dp.protect('stays', continues => 'stays_before');
SELECT of_table = before AS all_stays FROM of_table, before;
SELECT count(*) AS left_behind FROM dp.answer_policy WHERE relation = 'stays_before'::regclass;
DROP OWNED BY regress_again;
DROP ROLE regress_again;
