-- Which groups leave: all of a public domain, others by a private test on their number of rows. Under
-- group_delta = 1e-12 a group of one row leaves once in 10^12 times, one of 100 rows or more always.
CALL own_schema('group_selection');
SET client_min_messages = warning;
CREATE ROLE regress_selection_ana;
CREATE ROLE regress_selection_bob;
CREATE TYPE triage AS ENUM ('low', 'high', 'dead');
CREATE TABLE stays AS
SELECT i AS id, 'ward ' || i % 3 AS ward, i % 4 < 2 AS urgent, (ARRAY['low', 'high'])[1 + i % 2]::triage AS triage,
       (i % 2 + 0.50)::numeric AS share, (i % 7)::float8 AS days, interval '1 day' * (i % 2) AS length
FROM generate_series(1, 600) AS i;
INSERT INTO stays VALUES (601, 'ward of bob', NULL, 'low', 0.5, '-0', '24 hours'), (602, NULL, true, 'low', 0.5000, 0, '1 day');
SELECT dp.protect('stays', 9e9);

-- Without a declared domain and without a price for choosing: refused, with the way out.
SELECT ward, dp_count('*', 1e6) FROM stays GROUP BY ward;
SELECT dp_count('*', 1e6) FROM stays GROUP BY GROUPING SETS ((), (urgent, days));

-- Public by their type: boolean (columns and expressions) and enum. Empty groups are there, and NULL.
SELECT urgent, triage, dp_count('*', 1e6), dp_sum(days, 0, 10, 1e6) IS NOT NULL AS sum, dp_histogram(days, 0, 7, 2, 1e6)
FROM stays GROUP BY urgent, triage;
SELECT days > 100 AS long, dp_count('*', 1e6), dp_mode(ward, ARRAY['a', 'b'], 1e6) IN ('a', 'b') AS mode FROM stays GROUP BY long;

-- Declared. What is outside is dropped; asked for in any order and under any name the groups are the same.
SELECT dp.public_values('stays', 'ward', 'ward 2', 'ward 0', 'ward 9');
SELECT ward, dp_count('*', 1e6) FROM stays GROUP BY ward;
SELECT s.ward AS place, dp_count('*', 1e6) FROM (SELECT * FROM stays WHERE days < 100) AS s GROUP BY place ORDER BY place DESC;
SELECT ward, urgent, dp_count('*', 1e6) FROM stays WHERE id <= 12 GROUP BY ROLLUP (ward, urgent);
SELECT ward, dp_count('*', 1e6) FROM stays WHERE id < 0 GROUP BY GROUPING SETS (ward, ward, ());

-- A column that cannot be NULL has no NULL group.
ALTER TABLE stays ADD room integer NOT NULL DEFAULT 1;
SELECT dp.public_values('stays', 'room', 1, 2);
SELECT room, dp_count('*', 1e6) FROM stays GROUP BY room;

-- Chosen privately: its price is charged for each grouping set that needs it. The groups of one row leave no trace.
SELECT dp.no_public_values('stays', 'ward');
SELECT dp.protect('stays', 9e9, 0.5, group_epsilon => 1, group_delta => 1e-12);
SELECT ward, dp_count('*', 1e6) FROM stays GROUP BY ward;
SELECT ward, urgent, dp_count('*', 1e6) FROM stays GROUP BY CUBE (ward, urgent) HAVING dp_count('*', 1e6) > -100;
SELECT count(*) AS shown FROM (SELECT ward, dp_count('*', 1e6) FROM stays WHERE ward LIKE 'ward of%' GROUP BY ward) AS s;
SELECT dp_count('*', 1e6) AS rows, (SELECT count(*) FROM (SELECT id, dp_count('*', 1) FROM stays GROUP BY id) AS s) AS ids FROM stays;
SELECT epsilon, delta, query FROM dp.ledger WHERE relation = 'stays'::regclass ORDER BY seq DESC LIMIT 5;

-- Equal values look the same, whichever form a row holds; types where they cannot are refused.
SELECT share, dp_count('*', 1e6) FROM stays GROUP BY share;
SELECT days, dp_count('*', 1e6) > 80 AS many FROM stays WHERE days = 0 GROUP BY days;
SELECT length, dp_count('*', 1e6) FROM stays GROUP BY length;
-- Such values of today are no list that could be declared.
SELECT age(date '2024-01-01' + id), dp_count('*', 1e6) FROM stays GROUP BY 1;

-- Who is shown a release pays for the choice of its groups once, beside the level.
SELECT dp.grant_budget('stays', 'regress_selection_ana', 1e7, 0.1, allow_leaks => true);
SELECT dp.grant_budget('stays', 'regress_selection_bob', 1e7, 0.1, allow_leaks => true);
SET ROLE regress_selection_ana;
SELECT ward, dp_count('*', 1e6) FROM stays GROUP BY ward;
RESET ROLE;
SELECT max(release_id) AS release FROM dp.releases WHERE relation = 'stays'::regclass \gset
SELECT dp.share_release(:release, 'regress_selection_bob', 1e6);
SELECT dp.share_release(:release, 'regress_selection_bob', 1e6);
SELECT role, kind, epsilon, delta, table_epsilon, table_delta FROM dp.ledger WHERE release_id = :release ORDER BY seq;
SET ROLE regress_selection_bob;
SELECT * FROM dp_answer(:release);
RESET ROLE;
SELECT dp.unprotect('stays');
DROP TABLE stays;
DROP TYPE triage;
DROP ROLE regress_selection_ana;
DROP ROLE regress_selection_bob;
