-- Grouping sets where nobody has chosen how much of a person counts: each set is a question of its own, for which a limit is chosen.
CALL own_schema('limits_of_sets');
SET client_min_messages = error;
CREATE ROLE regress_sets_ana;
CREATE TABLE visits AS
    SELECT i % 500 AS patient, nullif(i % 4, 3) AS ward, i % 2 = 0 AS urgent, i * 37 % 1000 AS cost, date '2026-01-01' + i % 59 AS day FROM generate_series(1, 3000) AS i;
CREATE TABLE wards AS SELECT i AS ward, 'w' || i AS name FROM generate_series(0, 2) AS i;
ALTER TABLE wards ADD PRIMARY KEY (ward);
CREATE TABLE exact AS TABLE visits;
SELECT dp.protect('visits', 9e9, 1e-3, privacy_unit => 'patient') \g /dev/null
SELECT dp.declare_range('visits', 'cost', 0, 1000), dp.declare_range('visits', 'day', '2026-01-01', '2026-02-28') \g /dev/null
SELECT dp.declare_values('visits', 'ward', 0, 1, 2), dp.declare_values('visits', 'urgent', true, false) \g /dev/null
SELECT dp.grant_budget('visits', 'regress_sets_ana', 8e9, 1e-3, allow_leaks => true) \g /dev/null
GRANT SELECT ON exact, wards TO regress_sets_ana;
GRANT USAGE, CREATE ON SCHEMA limits_of_sets TO regress_sets_ana;

-- Whether a question has the rows that it has over the same table without protection, but for groups of nobody.
CREATE FUNCTION differences(question text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    asked text[];
    known text[];
BEGIN
    EXECUTE format('SELECT array_agg(row(q.*)::text ORDER BY row(q.*)::text) FROM (%s) AS q WHERE coalesce(n, 1) <> 0', question) INTO asked;
    EXECUTE format('SELECT array_agg(row(q.*)::text ORDER BY row(q.*)::text) FROM (%s) AS q', replace(question, 'visits', 'exact')) INTO known;
    RETURN CASE WHEN asked = known THEN format('%s rows', cardinality(asked)) ELSE format('%s where there are %s', asked, known) END;
END
$$;
SET ROLE regress_sets_ana;
SET dp.epsilon = 1e6;
SELECT question, differences(question) FROM (VALUES
    ('SELECT ward, count(*) AS n FROM visits GROUP BY ROLLUP (ward)'),
    ('SELECT ward, urgent, GROUPING(ward, urgent), count(*) AS n, round(sum(cost)) AS s, round(avg(cost)) AS a FROM visits GROUP BY CUBE (ward, urgent)'),
    ('SELECT ward, urgent, count(*) AS n FROM visits GROUP BY GROUPING SETS ((ward), (urgent), (ward), ())'),
    ('SELECT ward, urgent, count(*) AS n FROM visits GROUP BY DISTINCT ward, ROLLUP (ward, urgent)'),
    ('SELECT count(*) AS n FROM visits GROUP BY GROUPING SETS ((), ())'),
    ('SELECT count(*) AS n FROM visits GROUP BY GROUPING SETS (())'),
    ('SELECT ward, count(*) AS n FROM visits GROUP BY GROUPING SETS ((ward))'),
    ('SELECT ward + 1 AS ward, GROUPING(ward + 1) AS g, count(*) AS n FROM visits GROUP BY ROLLUP (ward + 1) HAVING count(*) > 10'),
    ('SELECT date_trunc(''month'', day)::date AS month, ward, count(*) AS n FROM visits GROUP BY ROLLUP (1, 2)'),
    ('SELECT coalesce(ward::text, ''all'') AS ward, count(*) AS n, count(*) FILTER (WHERE urgent) AS urgent, count(DISTINCT patient) AS p FROM visits GROUP BY ROLLUP (ward)'),
    ('SELECT ward, urgent, count(*) AS n, percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) BETWEEN 0 AND 1000 AS m FROM visits GROUP BY ward, urgent'),
    ('SELECT name, count(*) AS n FROM visits JOIN wards USING (ward) GROUP BY ROLLUP (name)'),
    ('WITH w AS (SELECT * FROM visits WHERE cost < 500) SELECT ward, count(*) AS n FROM w GROUP BY ROLLUP (ward)'),
    ('WITH w AS (SELECT * FROM visits WHERE cost < 500), u AS (SELECT * FROM w WHERE urgent) SELECT ward, count(*) AS n, (SELECT count(*) FROM u) AS u FROM w GROUP BY ROLLUP (ward)'),
    ('SELECT ward, count(*) AS n, sum(sum(x)) OVER (ORDER BY ward, x) AS running FROM visits, (VALUES (1), (2)) AS v (x) GROUP BY GROUPING SETS ((ward, x), (ward))'),
    ('SELECT ward, n, (SELECT count(*) FROM exact) AS all FROM (SELECT ward, count(*) AS n FROM visits GROUP BY ROLLUP (ward)) AS r WHERE ward IS NULL'),
    ('SELECT (SELECT name FROM wards WHERE wards.ward = v.ward) AS name, count(*) AS n FROM visits AS v GROUP BY ROLLUP (v.ward)'),
    ('SELECT ward, count(*) AS n FROM visits WHERE patient IN (SELECT patient FROM visits WHERE cost > 990) GROUP BY ROLLUP (ward)'),
    ('SELECT ward, count(*) AS n FROM visits GROUP BY ROLLUP (ward) UNION ALL SELECT 9, count(*) FROM visits'),
    ('SELECT m.n, m.ward FROM generate_series(1, 2) AS i, LATERAL (SELECT ward, count(*) AS n FROM visits GROUP BY ROLLUP (ward)) AS m')
    ) AS q (question);
-- Each set costs what it does in a question with limits. The same text is shown, and asks the same.
SELECT DISTINCT epsilon / 1e6 AS prices FROM dp.cost('SELECT ward, urgent, count(*), avg(cost) FROM visits GROUP BY CUBE (ward, urgent)');
CREATE VIEW shown AS SELECT dp.private_form('SELECT ward, GROUPING(ward) AS g, count(*) AS n FROM visits GROUP BY ROLLUP (ward) HAVING count(*) > 1') AS text;
SELECT count(*) AS private_calls FROM shown, regexp_matches(text, 'dp_count', 'g');
SELECT differences(text) FROM shown;
SET dp.max_rows_per_unit = 7;
SELECT DISTINCT epsilon / 1e6 AS prices FROM dp.cost('SELECT ward, urgent, count(*), avg(cost) FROM visits GROUP BY CUBE (ward, urgent)');
SELECT ward, dp_error(sum(cost + ward)) < 1 AS error, count(*) FROM visits GROUP BY ROLLUP (ward) ORDER BY ward;
RESET dp.max_rows_per_unit;
SELECT ward, count(*), (SELECT dp_error(count(v.ward))) < 1 AS error FROM visits AS v GROUP BY ROLLUP (ward) HAVING count(*) > 0 ORDER BY ward;
-- Prepared, shown by a view, kept by a cursor; errors belong to each set.
PREPARE cheaper (int) AS SELECT ward, count(*), dp_error(count(*)) < 1 AS error FROM visits WHERE cost < $1 GROUP BY ROLLUP (ward) HAVING count(*) > 0 ORDER BY ward;
EXECUTE cheaper(500);
EXECUTE cheaper(100);
CREATE VIEW by_ward AS SELECT ward, count(*) FROM visits GROUP BY ROLLUP (ward) HAVING count(*) > 0;
SELECT * FROM by_ward ORDER BY ward;
DECLARE kept CURSOR WITH HOLD FOR SELECT * FROM by_ward ORDER BY ward;
FETCH ALL kept;
-- Sums without bounds, groups that nobody has listed, medians.
RESET ROLE;
CREATE TABLE open (patient int, city text, cost int);
INSERT INTO open SELECT i % 500, 'city ' || i % 4, i % 100 FROM generate_series(1, 4000) AS i;
SELECT dp.protect('open', 9e9, 1e-3, privacy_unit => 'patient', max_rows_per_unit => 8), dp.grant_budget('open', 'regress_sets_ana', 8e9, 1e-3, allow_leaks => true) \g /dev/null
SET ROLE regress_sets_ana;
SELECT city, sum(cost) BETWEEN 48000 AND 200000 AS sum, count(*) FROM open GROUP BY ROLLUP (city) HAVING count(*) > 100 ORDER BY city;
SELECT relation, epsilon, delta FROM dp.cost('SELECT city, count(*), sum(cost) FROM open GROUP BY ROLLUP (city)') WHERE role IS NOT NULL;
SET dp.epsilon = 10;
SELECT ward, percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) BETWEEN 200 AND 800 AS median FROM visits GROUP BY ROLLUP (ward) ORDER BY ward LIMIT 3;
-- A key that a set lacks is NULL, whatever its domain says: what is shown runs.
RESET ROLE;
CREATE DOMAIN code AS int NOT NULL;
CREATE TABLE coded AS SELECT i % 500 AS patient, (i % 2)::code AS code FROM generate_series(1, 3000) AS i;
SELECT dp.protect('coded', 9e9, 1e-3, privacy_unit => 'patient'), dp.declare_values('coded', 'code', 0, 1), dp.grant_budget('coded', 'regress_sets_ana', 8e9, 1e-3, allow_leaks => true) \g /dev/null
SET ROLE regress_sets_ana;
SELECT dp.private_form('SELECT code, count(*) AS n FROM coded GROUP BY ROLLUP (code)') AS shown \gset
SELECT :'shown' LIKE '%NULL::integer AS code%' AS as_a_number, (SELECT count(*) FROM (:shown) AS v) AS groups;
-- Not where rows are answers themselves: each set would draw them again.
SELECT ward, count(*) FROM visits WHERE cost > (SELECT avg(cost) FROM visits) GROUP BY ROLLUP (ward);
SELECT dp.private_form('SELECT ward, count(*) FROM visits WHERE cost > (SELECT avg(cost) FROM visits) GROUP BY ROLLUP (ward)');
SELECT ward, count(*) FROM visits JOIN (SELECT ward, count(*) AS n FROM visits GROUP BY ward) AS w USING (ward) WHERE n > 10 GROUP BY ROLLUP (ward);
SELECT v.ward, count(*) FROM visits AS v, (SELECT count(*) AS n FROM visits) AS a WHERE cost < n GROUP BY CUBE (v.ward);
-- Nor where rows are joined with them: it is said of what was written.
SELECT count(*) FROM (SELECT ward, count(*) AS n FROM visits GROUP BY ROLLUP (ward)) AS w JOIN visits USING (ward);
SELECT ward, string_agg(urgent::text, ',') FROM visits GROUP BY ROLLUP (ward);
RESET ROLE;
SELECT dp.unprotect('visits'), dp.unprotect('open'), dp.unprotect('coded') \g /dev/null
DROP VIEW limits_of_sets.shown, limits_of_sets.by_ward;
DROP OWNED BY regress_sets_ana;
DROP ROLE regress_sets_ana;
