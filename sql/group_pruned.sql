-- Groups that the conditions on their own keys exclude do not leave: decided from conditions and keys, whatever the rows.
CALL own_schema('group_pruned');
SET client_min_messages = warning;
CREATE TABLE places (id int PRIMARY KEY, place text NOT NULL);
INSERT INTO places VALUES (1, 'north'), (2, 'south');
CREATE TYPE hurry AS ENUM ('low', 'high');
CREATE TABLE stays_of (id int PRIMARY KEY, ward text, urgent boolean, hurry hurry, age int NOT NULL, admitted date NOT NULL, at timestamp, n numeric,
    f float8, place int NOT NULL REFERENCES places, code varchar(5), padded bpchar);
INSERT INTO stays_of SELECT i, (ARRAY['oncology', 'surgery', NULL])[1 + i % 3], i % 2 = 0, (ARRAY['low', 'high'])[1 + i % 2]::hurry, i, date '2023-11-15' + i,
    timestamp '2023-11-15 12:00' + i * interval '1 day', 1.0, '-0', 1 + i % 2, 'c' || i % 2, 'p '
FROM generate_series(0, 99) AS i;
SELECT dp.protect('stays_of', 9e9);
SELECT dp.public_values('stays_of', 'ward', 'oncology', 'surgery', 'cardiology'), dp.public_values('stays_of', 'age / 10', 0, 1, 2, 3, 4),
    dp.public_values('stays_of', $$date_trunc('month', admitted::timestamp)$$, VARIADIC ARRAY(SELECT m FROM generate_series(timestamp '2023-10-01', '2024-04-01', '1 month') m)),
    dp.public_values('stays_of', $$date_trunc('month', at)$$, VARIADIC ARRAY(SELECT m FROM generate_series(timestamp '2023-10-01', '2024-04-01', '1 month') m)),
    dp.public_values('stays_of', $$dp_trunc('month', admitted)$$, VARIADIC ARRAY(SELECT m::date FROM generate_series(timestamp '2023-10-01', '2024-04-01', '1 month') m)),
    dp.public_values('stays_of', 'n', 1, 2), dp.public_values('stays_of', 'f', 0::float8, 1), dp.public_values('stays_of', 'code', 'c0', 'c1', 'c2'),
    dp.public_values('stays_of', 'padded', 'p', 'q'), dp.public_values('stays_of', 'age', 1, 2, 3);
\pset format unaligned
\pset tuples_only on
SET DateStyle = ISO;
CREATE FUNCTION groups(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    result text;
BEGIN
    EXECUTE format('SELECT string_agg(q::text, '' '') FROM (%s) AS q', query) INTO result;
    RETURN result;
END $$;

-- Conditions made of keys and of what reads no row.
SELECT groups($$SELECT ward, dp_count('*', 1e6) FROM stays_of WHERE ward = 'oncology' GROUP BY ward$$);
SELECT groups($$SELECT ward, dp_count('*', 1e6) FROM stays_of WHERE ward <> 'oncology' GROUP BY ward$$);
SELECT groups($$SELECT ward, dp_count('*', 1e6) FROM stays_of WHERE ward IN ('oncology', 'cardiology', 'none') GROUP BY ward$$);
SELECT groups($$SELECT ward, dp_count('*', 1e6) FROM stays_of WHERE ward IS NULL GROUP BY ward$$);
SELECT groups($$SELECT ward, dp_count('*', 1e6) FROM stays_of WHERE coalesce(ward, 'none') = 'none' OR ward LIKE 'card%' GROUP BY ward$$);
SELECT groups($$SELECT ward, dp_count('*', 1e6) FROM stays_of WHERE ward = NULL GROUP BY ward$$);
SELECT groups($$SELECT urgent, hurry, dp_count('*', 1e6) FROM stays_of WHERE urgent AND hurry <> 'high' GROUP BY urgent, hurry$$);
SELECT groups($$SELECT age > 90 AS old, dp_count('*', 1e6) FROM stays_of WHERE age > 90 GROUP BY age > 90$$);
SELECT groups($$SELECT code, dp_count('*', 1e6) FROM stays_of WHERE code::text >= 'c1' GROUP BY code$$);
SELECT groups($$SELECT ward, urgent, dp_count('*', 1e6) FROM stays_of WHERE (ward = 'oncology') = urgent GROUP BY ward, urgent$$);
-- Conditions with something else beside are of rows.
SELECT groups($$SELECT ward, dp_count('*', 1e6) FROM stays_of WHERE ward = 'oncology' OR id < 0 GROUP BY ward$$);
SELECT groups($$SELECT ward, dp_count('*', 1e6) FROM stays_of WHERE id < 0 GROUP BY ward$$);
SELECT groups($$SELECT ward, dp_count('*', 1e6) FROM stays_of WHERE false GROUP BY ward$$);
SELECT groups($$SELECT ward, dp_count('*', 1e6) FILTER (WHERE ward = 'oncology') FROM stays_of GROUP BY ward$$);
-- A grouping set without the key keeps its group, whatever the condition: with no rows in it, too.
SELECT groups($$SELECT ward, urgent, dp_count('*', 1e6) FROM stays_of WHERE ward = 'oncology' AND urgent GROUP BY CUBE (ward, urgent)$$);
SELECT groups($$SELECT ward, dp_count('*', 1e6) FROM stays_of WHERE ward = NULL GROUP BY ROLLUP (ward)$$);
-- Parameters and settings are known when the statement starts.
PREPARE wards(text) AS SELECT ward, dp_count('*', 1e6) FROM stays_of WHERE ward = $1 GROUP BY ward;
EXECUTE wards('surgery');
SET plan_cache_mode = force_generic_plan;
EXECUTE wards('oncology');
EXECUTE wards('nowhere');
EXECUTE wards(NULL);
RESET plan_cache_mode;
SELECT groups($$SELECT ward, dp_count('*', 1e6) FROM stays_of WHERE ward = upper(current_setting('pg_dp.none', true)) OR ward = lower('SURGERY') GROUP BY ward$$);
-- Views, subqueries, joins.
CREATE VIEW urgent_only AS SELECT * FROM stays_of WHERE urgent;
CREATE VIEW barred WITH (security_barrier) AS SELECT * FROM stays_of WHERE ward = 'surgery';
SELECT groups($$SELECT urgent, dp_count('*', 1e6) FROM urgent_only GROUP BY urgent$$);
SELECT groups($$SELECT ward, dp_count('*', 1e6) FROM barred GROUP BY ward$$);
SELECT groups($$SELECT w, dp_count('*', 1e6) FROM (SELECT ward AS w FROM stays_of WHERE ward > 'n') s WHERE w < 's' GROUP BY w$$);
SELECT groups($$SELECT p.place, dp_count('*', 1e6) FROM stays_of v JOIN places p ON p.id = v.place AND p.place = 'north' GROUP BY p.place$$);
SELECT groups($$SELECT p.place, dp_count('*', 1e6) FROM stays_of v LEFT JOIN places p ON p.id = v.place AND p.place = 'north' GROUP BY p.place$$);
SELECT groups($$SELECT p.place, dp_count('*', 1e6) FROM stays_of v LEFT JOIN places p ON p.id = v.place WHERE p.place = 'north' GROUP BY p.place$$);
SELECT groups($$SELECT p.id, v.place, dp_count('*', 1e6) FROM stays_of v JOIN places p ON p.id = v.place GROUP BY p.id, v.place$$);

-- Ranges of a column under keys that rise with it.
SELECT groups($$SELECT date_trunc('month', admitted::timestamp)::date, dp_count('*', 1e6) FROM stays_of WHERE admitted >= '2024-01-10' GROUP BY date_trunc('month', admitted::timestamp)$$);
SELECT groups($$SELECT date_trunc('month', admitted::timestamp)::date, dp_count('*', 1e6) FROM stays_of WHERE admitted >= '2023-12-01' AND admitted < '2024-02-01' GROUP BY date_trunc('month', admitted::timestamp)$$);
SELECT groups($$SELECT date_trunc('month', admitted::timestamp)::date, dp_count('*', 1e6) FROM stays_of WHERE admitted > '2023-12-31' AND admitted < '2024-02-02' GROUP BY date_trunc('month', admitted::timestamp)$$);
SELECT groups($$SELECT date_trunc('month', at)::date, dp_count('*', 1e6) FROM stays_of WHERE at BETWEEN '2023-12-05' AND '2024-01-31' GROUP BY date_trunc('month', at)$$);
SELECT groups($$SELECT date_trunc('month', at)::date, dp_count('*', 1e6) FROM stays_of WHERE '2024-01-01' > at GROUP BY date_trunc('month', at)$$);
SELECT groups($$SELECT date_trunc('month', at)::date, dp_count('*', 1e6) FROM stays_of WHERE at = '2024-01-01 12:00' GROUP BY date_trunc('month', at)$$);
SELECT groups($$SELECT date_trunc('month', at)::date, dp_count('*', 1e6) FROM stays_of WHERE at > '2024-01-01' OR id = 0 GROUP BY date_trunc('month', at)$$);
SELECT groups($$SELECT dp_trunc('month', admitted), dp_count('*', 1e6) FROM stays_of WHERE admitted < '2024-01-01' GROUP BY dp_trunc('month', admitted)$$);
SELECT groups($$SELECT age / 10, dp_count('*', 1e6) FROM stays_of WHERE age >= 18 AND age < 30 GROUP BY age / 10$$);
SELECT groups($$SELECT age / 10, dp_count('*', 1e6) FROM stays_of WHERE age > 19 AND age <= 30 GROUP BY age / 10$$);
SELECT groups($$SELECT age / 10, dp_count('*', 1e6) FROM stays_of WHERE age < 0 GROUP BY age / 10$$);
SELECT groups($$SELECT age, dp_count('*', 1e6) FROM stays_of WHERE age > 1 GROUP BY age$$);
-- Not what goes up and down.
SELECT groups($$SELECT age % 2 = 0, dp_count('*', 1e6) FROM stays_of WHERE age >= 18 GROUP BY age % 2 = 0$$);

-- Values that are equal and look different are compared, not looked at.
SELECT groups($$SELECT n, dp_count('*', 1e6) FROM stays_of WHERE n < 2 GROUP BY n$$);
SELECT groups($$SELECT n, dp_count('*', 1e6) FROM stays_of WHERE scale(n) = 1 GROUP BY n$$);
SELECT groups($$SELECT f, dp_count('*', 1e6) FROM stays_of WHERE f = 0 GROUP BY f$$);
SELECT groups($$SELECT f, dp_count('*', 1e6) FROM stays_of WHERE f::text = '-0' GROUP BY f$$);
SELECT groups($$SELECT padded, dp_count('*', 1e6) FROM stays_of WHERE padded = 'p' GROUP BY padded$$);
SELECT groups($$SELECT padded, dp_count('*', 1e6) FROM stays_of WHERE octet_length(padded) = 2 GROUP BY padded$$);

-- What a group costs, and who asks, do not change; a condition that fails does so before the charge.
SELECT cost.epsilon FROM dp.cost($$SELECT ward, dp_count('*', 1) FROM stays_of WHERE ward = 'oncology' GROUP BY ward$$) AS cost;
SELECT count(*) AS entries FROM dp.ledger WHERE relation = 'stays_of'::regclass \gset
PREPARE part(int) AS SELECT age / 10, dp_count('*', 1e6) FROM stays_of WHERE age > 10 / $1 GROUP BY 1;
EXECUTE part(0);
EXECUTE part(1);
SELECT count(*) - :entries AS charged FROM dp.ledger WHERE relation = 'stays_of'::regclass;
\pset tuples_only off
\pset format aligned
SELECT dp.unprotect('stays_of');
DROP TABLE stays_of, places CASCADE;
DROP TYPE hurry;
DROP FUNCTION groups;
