-- Several keys of one column, whose sizes multiplied are more than a million: what they are together is counted. And too many
-- combinations where the table pays for a private choice of groups. epsilon 1e6 makes the noise vanish.
SET client_min_messages = error;
CALL own_schema('plain_joint_keys');
CREATE ROLE regress_joint_ana;
CREATE TABLE stay (id int PRIMARY KEY, d date, ts timestamptz NOT NULL, ward text NOT NULL, age int NOT NULL, price numeric NOT NULL, cost numeric(8,2) NOT NULL, height float8 NOT NULL, mass float4 NOT NULL);
INSERT INTO stay SELECT i, CASE WHEN i % 50 > 0 THEN '2011-02-20'::date + i * 7 % 4700 END, '2024-03-26 00:00Z'::timestamptz + i * interval '6 hours 7 minutes',
    chr(97 + i % 4), i % 90, i % 997 / 10.0, i % 397 / 4.0, i % 397 / 4.0, i % 397 / 4.0 FROM generate_series(1, 900) i;
CREATE TABLE paid (LIKE stay);
INSERT INTO paid SELECT * FROM stay;
SELECT dp.protect('stay', 1e9, 0, answer_epsilon => 1e6, reuse => '1 day'), dp.protect('paid', 1e9, 0.5, answer_epsilon => 1e6, group_epsilon => 1e3, group_delta => 1e-12);
SELECT dp.declare_range(t, 'd', '2011-01-01'::date, '2023-12-31'::date), dp.declare_range(t, 'age', 0, 1200), dp.declare_values(t, 'ward', 'a', 'b', 'c', 'd'),
    dp.declare_range(t, 'ts', '2024-03-25'::timestamptz, '2024-11-30'::timestamptz), dp.declare_range(t, 'price', 0, 100), dp.declare_range(t, 'cost', 0, 100),
    dp.declare_range(t, 'height', 0, 1000), dp.declare_range(t, 'mass', 0, 1000) FROM unnest('{stay,paid}'::regclass[]) t;
SELECT dp.grant_budget(t, 'regress_joint_ana', 1e9, 0.5, allow_leaks => true) FROM unnest('{stay,paid}'::regclass[]) t;
-- The groups that the role is shown beside those that the owner has, whose last column is a count: how many, how many are not shown, or with
-- another count, and how many have no rows.
CREATE FUNCTION shown(query text) RETURNS TABLE (groups bigint, missing bigint, empty bigint) LANGUAGE plpgsql AS $$
DECLARE answer text[]; plain text[];
BEGIN
    SET LOCAL ROLE regress_joint_ana;
    EXECUTE format('SELECT array_agg(q::text) FROM (%s) q', query) INTO answer;
    RESET ROLE;
    EXECUTE format('SELECT array_agg(q::text) FROM (%s) q', query) INTO plain;
    RETURN QUERY SELECT cardinality(answer)::bigint, (SELECT count(*) FROM unnest(plain) p WHERE p <> ALL (answer)),
        (SELECT count(*) FROM unnest(answer) a WHERE a <> ALL (plain));
END $$;

-- ---- one column
SELECT * FROM shown('SELECT d, date_trunc(''week'', d), date_trunc(''month'', d), extract(dow FROM d), count(*) FROM stay WHERE d >= ''2021-01-01'' GROUP BY 1, 2, 3, 4');
SELECT * FROM shown('SELECT d, to_char(d, ''DD Mon YYYY''), count(*) FROM stay GROUP BY 1, 2');
SELECT * FROM shown('SELECT ts::date, date_trunc(''week'', ts), date_trunc(''month'', ts), to_char(ts, ''Day DD'') , count(*) FROM stay GROUP BY 1, 2, 3, 4');
SELECT * FROM shown('SELECT age, age + 1, age * 2, count(*) FROM stay GROUP BY 1, 2, 3');
-- Numbers with digits that are rounded as they are.
SELECT * FROM shown('SELECT round(price), ceil(price), floor(price), count(*) FROM stay GROUP BY 1, 2, 3');
SELECT * FROM shown('SELECT round(cost), ceil(cost), floor(cost), cost::int, count(*) FROM stay GROUP BY 1, 2, 3, 4');
SELECT * FROM shown('SELECT round(price, 1), round(price, -1), trunc(price), count(*) FROM stay GROUP BY 1, 2, 3');
SELECT * FROM shown('SELECT round(height), ceil(height), floor(height), count(*) FROM stay GROUP BY 1, 2, 3');
SELECT * FROM shown('SELECT round(mass), ceil(mass), floor(mass), count(*) FROM stay GROUP BY 1, 2, 3');
-- What divides first may round the quotient to the other side: all combinations.
SELECT * FROM shown('SELECT floor(cost / 25), floor(cost / 50), count(*) FROM stay GROUP BY 1, 2');
SELECT * FROM shown('SELECT div(cost, 25), div(cost, 50), count(*) FROM stay GROUP BY 1, 2');

-- ---- two columns, each with several keys; grouping sets
SELECT * FROM shown('SELECT date_trunc(''year'', d), date_trunc(''quarter'', d), date_trunc(''month'', d), age, age + 1, count(*) FROM stay WHERE age < 50 GROUP BY 1, 2, 3, 4, 5');
SELECT * FROM shown('SELECT date_trunc(''year'', d), date_trunc(''month'', d), d, ward, count(*) FROM stay WHERE d >= ''2021-01-01'' GROUP BY GROUPING SETS ((1, 2, 3), (1, 4, 2), (2), ())');

-- ---- really too many: known by EXPLAIN and by dp.admissible, before anything is charged
SET ROLE regress_joint_ana;
EXPLAIN SELECT d, d + 1, age, age + 1, count(*) FROM stay GROUP BY 1, 2, 3, 4;
SELECT d, d + 1, age, age + 1, count(*) FROM stay GROUP BY 1, 2, 3, 4;
SELECT * FROM dp.admissible('SELECT d, age, count(*) FROM stay GROUP BY 1, 2');

-- ---- where the table pays for it they are chosen privately
SELECT epsilon, delta FROM dp.cost('SELECT d, age, count(*) FROM paid GROUP BY 1, 2') WHERE role IS NULL;
SELECT count(*) AS groups, sum(n) AS rows FROM (SELECT d, d + 1, age, age % 7, count(*) AS n FROM paid WHERE age < 1190 GROUP BY 1, 2, 3, 4) q;
-- not where there are few enough, nor the smaller sets of one question
SELECT epsilon, delta FROM dp.cost('SELECT d, d + 1, d + 2, ward, count(*) FROM paid GROUP BY 1, 2, 3, 4') WHERE role IS NULL;
SELECT epsilon, delta FROM dp.cost('SELECT d, age, count(*) FROM paid GROUP BY ROLLUP (1, 2)') WHERE role IS NULL;
SELECT epsilon, delta FROM dp.cost('SELECT d, age, count(*) FROM paid GROUP BY GROUPING SETS ((1, 2), (2), (1, 2))') WHERE role IS NULL;
SELECT g, count(*) AS groups FROM (SELECT grouping(d, age) AS g, count(*) FROM paid GROUP BY ROLLUP (d, age)) q GROUP BY g ORDER BY g;
-- nor where the price is settled before it is known how many there are
SELECT d, age, count(*) FROM paid WHERE age > (SELECT count(*) * 0 - 1 FROM paid) GROUP BY 1, 2;
RESET ROLE;

SELECT dp.unprotect('stay'), dp.unprotect('paid');
DROP TABLE stay, paid;
DROP ROLE regress_joint_ana;
