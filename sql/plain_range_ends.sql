-- Ranges at the ends of their types, as CHECK constraints and conditions make them: the values of a key are counted, or refused,
-- never run away with.
CALL own_schema('plain_range_ends');
CREATE ROLE regress_ends_ana;
CREATE TABLE ends (
    f float8, i int8, j int8,
    g float8 CHECK (g > '-infinity' AND g < 'infinity'),
    n numeric CHECK (n >= 0 AND n < 'infinity'),
    ts timestamp CHECK (ts > '-infinity' AND ts < 'infinity'),
    d date CHECK (d > '-infinity' AND d < 'infinity'),
    r real, k int DEFAULT 7 CHECK (k BETWEEN 0 AND 10 AND 3 <> k)
);
INSERT INTO ends VALUES (0.5, 7, 7, 1, 1, '2024-05-06', '2024-05-06', 3.4e38), (0.5, 7, 7, 1, 1, '2024-05-06', '2024-05-06', 3.4e38);
SELECT dp.protect('ends', 1e9);
SELECT dp.grant_budget('ends', 'regress_ends_ana', 1e9, allow_leaks => true);
SELECT dp.declare_range('ends', 'f', 0, 1);
SELECT dp.declare_range('ends', 'i', -1, 9223372036854775807);
SELECT dp.declare_range('ends', 'j', 0, 9223372036854775807);
SELECT dp.declare_range('ends', 'r', 0, 3.4e38);
SET ROLE regress_ends_ana;
SET dp.epsilon = 1e6;
-- Steps below what a float8 tells apart, and numbers above it.
SELECT DISTINCT floor(f / '1e-17'::float8) FROM ends WHERE f >= 1;
SELECT floor(f / '1e-17'::float8), count(*) FROM ends WHERE f >= 1 GROUP BY 1;
SELECT dp_bucket(f, 1e-17), count(*) FROM ends WHERE f >= 1 GROUP BY 1;
SELECT DISTINCT floor(n) FROM ends WHERE n = 1e17;
-- More values than a bigint counts, and its last ones.
SELECT DISTINCT i FROM ends;
SELECT i, count(*) FROM ends GROUP BY i;
SELECT count(*), min(j), max(j) FROM (SELECT DISTINCT j FROM ends WHERE j > 9223372036854775800) AS d;
SELECT j - 1 AS before, count(*) FROM ends WHERE j > 9223372036854775804 GROUP BY 1 ORDER BY 1;
-- Ends that are not finite.
SELECT floor(f), count(*) FROM ends WHERE f <= '-infinity' GROUP BY 1;
SELECT floor(g), count(*) FROM ends WHERE g <= '-infinity' GROUP BY 1;
SELECT DISTINCT floor(g) FROM ends WHERE g >= 'infinity';
SELECT DISTINCT floor(g) FROM ends WHERE g >= 'NaN';
SELECT DISTINCT floor(n) FROM ends WHERE n >= 'infinity';
SELECT ts::date, count(*) FROM ends GROUP BY 1;
SELECT DISTINCT ts::date FROM ends WHERE ts <= '-infinity';
SELECT DISTINCT ts::date FROM ends WHERE ts < '-infinity';
SELECT date_trunc('day', d::timestamp), count(*) FROM ends GROUP BY 1;
-- What a value is not is no end of its range, on whichever side it is written.
SELECT sum(k) FROM ends WHERE 5 <> k AND k <> 8;
SELECT k, count(*) FROM ends WHERE 5 <> k AND 6 < k GROUP BY k ORDER BY k;
-- Grouping sets without keys have a row each, whatever HAVING thinks of ends that cost nothing.
SELECT max(k), min(k) FROM ends GROUP BY GROUPING SETS ((), ());
SELECT max(k) FROM ends GROUP BY ();
SELECT max(k) + 1 AS more FROM ends GROUP BY GROUPING SETS ((), (), ()) HAVING max(k) > 3;
SELECT max(k) FROM ends GROUP BY GROUPING SETS ((), ()) HAVING max(k) > 30;
SELECT max(k), count(*) FROM ends GROUP BY GROUPING SETS ((), ()) HAVING count(*) = 2;
SELECT max(k) FROM ends WHERE k > 20 GROUP BY GROUPING SETS ((), ());
SELECT max(k), k, grouping(k) FROM ends WHERE k > 8 GROUP BY GROUPING SETS ((), (k), ()) ORDER BY 3, 2;
SELECT max(k), grouping(k) FROM ends WHERE k > 8 GROUP BY CUBE (k) HAVING grouping(k) = 1;
-- As dp.private_form shows it: GROUPING is no aggregate.
SELECT 10 AS max, k, grouping(k) FROM ends WHERE k > 8 GROUP BY ROLLUP (k) ORDER BY 3, 2;
SELECT grouping(k) FROM ends GROUP BY CUBE (k) HAVING grouping(k) = 1;
SELECT DISTINCT max(k) FROM ends GROUP BY GROUPING SETS ((), ()) LIMIT 1;
SELECT m FROM (SELECT max(k) AS m FROM ends GROUP BY GROUPING SETS ((), ())) x JOIN generate_series(9, 10) i ON i = m;
-- A sum beyond its type.
SELECT sum(r) > 3.3e38 AS most FROM ends;
RESET ROLE;
SELECT dp.unprotect('ends');
DROP TABLE ends;
DROP OWNED BY regress_ends_ana;
DROP ROLE regress_ends_ana;
