-- OFFSET 0 of subqueries, as Prisma writes it. epsilon 1e6 makes the noise vanish.
CALL own_schema('plain_offsets');
SET client_min_messages = warning;
CREATE ROLE regress_offsets_ana;
CREATE TABLE stay (id int PRIMARY KEY, age int NOT NULL);
INSERT INTO stay SELECT i, i % 50 FROM generate_series(1, 100) i;
SELECT dp.protect('stay', 1e9, answer_epsilon => 1e6), dp.declare_range('stay', 'age', 0, 99);
SELECT dp.grant_budget('stay', 'regress_offsets_ana', 1e9, allow_leaks => true);
SET ROLE regress_offsets_ana;
SELECT count(*) AS "_count._all" FROM (SELECT plain_offsets.stay.id FROM plain_offsets.stay WHERE 1 = 1 OFFSET 0) AS sub;
SELECT count(*), round(avg(age), 2) FROM (SELECT id, age FROM (SELECT id, age FROM stay OFFSET NULL) AS q WHERE age >= 10 OFFSET 0::bigint) AS sub;
PREPARE counted (bigint) AS SELECT count(*), sum(age) FROM (SELECT id, age FROM stay WHERE age >= 10 OFFSET $1) AS sub;
PREPARE of_int (int) AS SELECT count(*) FROM (SELECT id FROM stay OFFSET $1) AS sub;
SET plan_cache_mode = force_custom_plan;
EXECUTE counted (0);
EXECUTE counted (NULL);
EXECUTE of_int (0);
-- Another number is refused with the reason,
EXECUTE counted (1);
SELECT count(*) FROM (SELECT id FROM stay OFFSET 1) AS sub;
SELECT count(*) FROM (SELECT id FROM stay LIMIT 1 OFFSET 0) AS sub;
-- also where a plan was made for any number.
SET plan_cache_mode = force_generic_plan;
EXECUTE counted (0);
EXECUTE counted (NULL);
EXECUTE of_int (0);
EXECUTE counted (1);
EXECUTE of_int (-1);
-- Below something else it is not known whether there are rows.
PREPARE deeper (bigint) AS SELECT * FROM (SELECT count(*) FROM (SELECT id FROM stay OFFSET $1) AS sub) AS q;
EXECUTE deeper (0);
RESET plan_cache_mode;
RESET ROLE;
-- Who may read the rows has all that OFFSET leaves.
SET plan_cache_mode = force_generic_plan;
EXECUTE counted (3);
RESET plan_cache_mode;
SELECT count(*) FROM (SELECT id FROM stay OFFSET 1) AS sub;

SELECT dp.unprotect('stay');
DROP OWNED BY regress_offsets_ana;
DROP ROLE regress_offsets_ana;
