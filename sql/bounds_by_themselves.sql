-- Sums and averages of values of which nobody has said where they end: what a person, or a row, adds up to is limited privately.
CALL own_schema('bounds_by_themselves');
SET client_min_messages = error;
CREATE ROLE regress_open_ana;
CREATE TABLE stays (id serial PRIMARY KEY, person int NOT NULL, ward text NOT NULL, tiny int2, days int, steps bigint, cost numeric(10, 2), weight float8);
INSERT INTO stays (person, ward, tiny, days, steps, cost, weight)
    SELECT p, (ARRAY['a', 'b', 'c'])[1 + (p + r) % 3], (p * 3 + r) % 90 - 40, (p * 7 + r * 13) % 151 - 50, (p * 7919 + r) % 1009,
        nullif((p * 31 + r * 17) % 5000, 0) / 100.0, nullif((p * 3 + r * 5) % 100, 7) / 8.0
    FROM generate_series(0, 599) AS p, generate_series(1, 12) AS r WHERE r <= CASE WHEN p % 100 = 0 THEN 12 ELSE 1 + p % 4 END;
-- The same rows: each one by itself; one of each person; with limits that would cut.
CREATE TABLE rows_alone AS TABLE stays;
CREATE TABLE ones AS SELECT DISTINCT ON (person) * FROM stays ORDER BY person, id;
ALTER TABLE ones ADD UNIQUE (person), ALTER ward SET NOT NULL;
ALTER TABLE rows_alone ALTER ward SET NOT NULL;
CREATE TABLE limited AS TABLE stays;
ALTER TABLE limited ALTER ward SET NOT NULL;
CREATE TABLE large AS SELECT g % 50 AS days FROM generate_series(1, 400000) AS g;
ANALYZE stays, rows_alone, ones, limited, large;
SELECT dp.protect('large', 9e9), dp.grant_budget('large', 'regress_open_ana', 8e9, allow_leaks => true);
SELECT dp.protect('stays', 9e9, privacy_unit => 'person', answer_epsilon => 1e6);
SELECT dp.protect('rows_alone', 9e9, answer_epsilon => 1e6);
SELECT dp.protect('ones', 9e9, privacy_unit => 'person', answer_epsilon => 1e6);
SELECT dp.protect('limited', 9e9, privacy_unit => 'person', max_rows_per_unit => 2, answer_epsilon => 1e6);
SELECT dp.declare_values(t, 'ward', 'a', 'b', 'c'), dp.grant_budget(t, 'regress_open_ana', 8e9, allow_leaks => true)
FROM unnest('{stays,rows_alone,ones,limited}'::regclass[]) AS t;
CREATE VIEW exact AS SELECT 'stays' AS source, * FROM stays UNION ALL SELECT 'rows_alone', * FROM stays UNION ALL SELECT 'limited', * FROM stays
    UNION ALL SELECT 'ones', * FROM ones;
GRANT SELECT ON exact TO regress_open_ana;
SET ROLE regress_open_ana;

-- At a large epsilon nothing is cut, also where declared limits of rows would cut.
CREATE PROCEDURE pg_temp.compare(columns text) LANGUAGE plpgsql AS $$
DECLARE source text; grouping text; private jsonb; plain jsonb;
BEGIN
    FOREACH source IN ARRAY '{stays,rows_alone,ones,limited}'::text[] LOOP
        FOREACH grouping IN ARRAY '{one,ward}'::text[] LOOP
            EXECUTE format('SELECT jsonb_agg(to_jsonb(q) ORDER BY g) FROM (SELECT %1$s AS g, %2$s FROM %3$s %4$s) AS q',
                CASE grouping WHEN 'one' THEN '1' ELSE 'ward' END, columns, source, CASE grouping WHEN 'one' THEN '' ELSE 'GROUP BY ward' END) INTO private;
            EXECUTE format('SELECT jsonb_agg(to_jsonb(q) ORDER BY g) FROM (SELECT %1$s AS g, %2$s FROM exact WHERE source = %3$L %4$s) AS q',
                CASE grouping WHEN 'one' THEN '1' ELSE 'ward' END, columns, source, CASE grouping WHEN 'one' THEN '' ELSE 'GROUP BY ward' END) INTO plain;
            RAISE INFO '% by %: differences: %', source, grouping, (SELECT count(*) FROM jsonb_array_elements(private) WITH ORDINALITY AS a (answer, i),
                jsonb_array_elements(plain) WITH ORDINALITY AS b (answer, j), jsonb_each_text(a.answer) AS x JOIN jsonb_each_text(b.answer) AS y USING (key)
                WHERE i = j AND key <> 'g' AND abs(x.value::float8 - y.value::float8) > 0.05) || CASE WHEN jsonb_array_length(private) = jsonb_array_length(plain) THEN ''
                ELSE format(', and %s rows', jsonb_array_length(private)) END;
        END LOOP;
    END LOOP;
END $$;
CALL pg_temp.compare('sum(tiny) AS s1, sum(days) AS s2, sum(steps) AS s3, sum(cost) AS s4, sum(weight) AS s5, count(*) AS n');
CALL pg_temp.compare('avg(tiny) AS s1, avg(days) AS s2, avg(steps) AS s3, avg(cost) AS s4, avg(weight) AS s5, count(weight) AS n, count(*) AS all');
CALL pg_temp.compare('sum(days) AS s, avg(days) AS a, count(days) AS n, sum(cost) FILTER (WHERE days > 0) AS f, avg(cost) FILTER (WHERE days <= 0) AS i, avg(cost) AS k, avg(cost * 2 + days) AS h, sum(-steps) AS m');

-- One pair of answers for an average and what is asked beside it.
EXPLAIN (COSTS OFF) SELECT avg(cost), sum(cost), count(cost) FROM stays;
EXPLAIN (COSTS OFF) SELECT ward, sum(cost) FROM rows_alone GROUP BY ward;
EXPLAIN (COSTS OFF) SELECT sum(days), count(*) FROM ones WHERE days >= 0;
EXPLAIN (COSTS OFF) SELECT count(*), sum(cost) FROM limited;
SELECT DISTINCT trim_scale(epsilon) AS epsilon FROM dp.cost('SELECT avg(cost), sum(cost), count(cost) FROM stays');
SELECT DISTINCT trim_scale(epsilon) AS epsilon FROM dp.cost('SELECT avg(cost), sum(days) FROM rows_alone');
SELECT dp.private_form('SELECT avg(cost) FROM rows_alone');
-- Sums of multiples are multiples of one sum, but where values would count in other steps, or have a range of their own.
CALL pg_temp.compare('sum(cost) AS s, sum(cost * -2) AS t, sum(days) AS d, sum(days / 4.0) AS r, sum(days * 1.5::float8) AS f');
SELECT sum, (SELECT DISTINCT trim_scale(epsilon / 1e6) FROM dp.cost(format('SELECT %s FROM rows_alone', sum))) AS prices
FROM unnest(ARRAY['sum(cost), sum(cost * 2)', 'sum(cost), sum(cost * 5000)', 'sum(cost / 20000), sum(cost)', 'sum(steps), sum(steps * 2)']) AS sum;
EXPLAIN (COSTS OFF) SELECT sum(cost), sum(cost * 2), dp_error(sum(cost * 2)) FROM rows_alone;
RESET ROLE;
SELECT dp.declare_values('rows_alone', 'steps * 2', 0, 2016);
SET ROLE regress_open_ana;
SELECT DISTINCT trim_scale(epsilon / 1e6) AS prices FROM dp.cost('SELECT sum(steps), sum(steps * 2) FROM rows_alone');
-- The errors of what the numbers are made of; what is cut, where values have one sign.
SELECT count(*), percentile_cont(0.5) WITHIN GROUP (ORDER BY LEAST(GREATEST(cost, 0), 100)) BETWEEN 0 AND 100 AS median, sum(cost) IS NOT NULL AS sum FROM rows_alone;
SELECT round(avg(cost)) AS avg, dp_error(avg(cost)) BETWEEN 1e-9 AND 1e-5 AS error, dp_bias(avg(cost)) IS NULL AS bias,
    dp_error(count(cost)) < 1e-3 AS of_count, dp_error(sum(cost)) BETWEEN 1e-6 AND 1 AS of_sum FROM rows_alone;
SELECT round(sum(cost)::numeric, 1) AS sum, dp_bias(sum(cost)) FROM stays WHERE cost > 0;
-- Of an average nothing is known of it, so nothing is asked.
SELECT dp_bias(avg(cost)) AS bias FROM stays;
SELECT count(*) AS charges FROM dp.cost('SELECT dp_bias(avg(cost)) FROM stays');
SELECT ward, sum(days) FROM rows_alone GROUP BY ward HAVING avg(days) > 1000 ORDER BY ward;
SELECT round(avg(days), 2) AS of_some FROM (SELECT days FROM rows_alone WHERE days > 20) AS q;
SELECT round(avg(n)) AS days_of_one FROM (SELECT person, sum(days) AS n FROM stays GROUP BY person) AS q;
-- No values, no average: division by nothing.
SELECT round(sum(days)) AS sum FROM rows_alone WHERE ward = 'z';
-- Calls of private aggregates: left out, infinite on one side or both.
SELECT round(dp_sum(cost)) AS sum FROM rows_alone;
SELECT round(dp_sum(days, '-infinity', 'infinity', 1e6)) AS open, round(dp_sum(days, 0, 'infinity', 1e6)) AS positive,
    round(dp_sum(days, '-infinity', 5, 1e6)) AS capped FROM stays;
-- Conditions beyond all values of the type say no end.
SELECT sum(days) IS NOT NULL AS far, sum(tiny) FILTER (WHERE tiny >= 32767) IS NOT NULL AS last FROM rows_alone WHERE days < 3000000000 AND tiny > -32769;
SELECT round(sum(days)) AS none FROM rows_alone WHERE days > 3000000000;
-- In workers.
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
CALL pg_temp.compare('sum(days) AS s, avg(cost) AS a, sum(weight) AS w');
CALL pg_temp.compare('sum(days) AS s');
CALL pg_temp.compare('sum(steps) AS s');
CALL pg_temp.compare('avg(weight) AS a');
-- Of a table so large that the server plans for workers.
SELECT dp_sum(days, 0, 'infinity', 1e6) AS positive, dp_sum(-days, '-infinity', 'infinity', 1e6) AS negative FROM large;
SELECT dp_sum(days, 0, 'infinity', 1e6) AS alone FROM large;
SELECT days, dp_sum(days, 0, 'infinity', 1e6), dp_count('*', 1e6) FROM large WHERE days IN (1, 2) GROUP BY days ORDER BY 1;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;

-- Ranges that are declared hold and cost nothing.
RESET ROLE;
SELECT dp.declare_range('rows_alone', 'cost', 0, 50);
SET ROLE regress_open_ana;
EXPLAIN (COSTS OFF) SELECT sum(cost) FROM rows_alone;
RESET ROLE;

-- Values beyond all numbers, none at all, and the ends of types.
CREATE TABLE odd (x float8, big bigint);
INSERT INTO odd VALUES ('NaN', 9223372036854775807), ('infinity', -9223372036854775808), (NULL, NULL), (1, 1), ('-infinity', 0);
INSERT INTO odd SELECT 2, 3 FROM generate_series(1, 1000);
CREATE TABLE nobody (person int, cost int);
SELECT dp.protect('odd', 9e9, answer_epsilon => 1e6), dp.protect('nobody', 9e9, privacy_unit => 'person', answer_epsilon => 1e6);
SELECT dp.grant_budget(t, 'regress_open_ana', 8e9, allow_leaks => true) FROM unnest('{odd,nobody}'::regclass[]) AS t;
SET ROLE regress_open_ana;
SELECT sum(x) BETWEEN 2000 AND 1e14 AS sum, count(x) FROM odd;
SELECT sum(big) BETWEEN -1e20 AND 1e20 AS sum FROM odd;
SELECT sum(cost) IS NOT NULL AS sum, count(*) FROM nobody;

-- Where nothing is found privately.
\set VERBOSITY default
SELECT sum(DISTINCT days) FROM stays;
SELECT ward, abs(sum(days)) < 1e9 AS some FROM stays GROUP BY ROLLUP (ward) ORDER BY ward;
-- Different values beside it are a question of their own.
SELECT round(sum(days) / 39462.0, 2) AS summed, count(DISTINCT ward) FROM rows_alone;
SELECT stddev(DISTINCT days) FROM stays;
SELECT avg(days), stddev(DISTINCT days) FROM rows_alone;
SELECT sum(s.days * v.x) FROM rows_alone AS s, (VALUES (1), (2)) AS v (x);
SELECT sum(s.days) FROM rows_alone AS s CROSS JOIN generate_series(1, 2) AS g;
SELECT dp_sum(days, '-infinity', 'infinity', 1, 'exponential') FROM stays;
SELECT dp_sum(days, '-infinity', 'infinity', 1, 'staircase') FROM stays;
SELECT dp_avg(days) FROM stays;
SELECT dp_avg(days, '-infinity', 'infinity', 1) FROM stays;
SELECT dp_sum(days, 'infinity', 'infinity', 1) FROM stays;
SELECT dp_sum(days, 'nan', 'infinity', 1) FROM stays;
SELECT dp_sum(days, 5, '-infinity', 1) FROM stays;
SELECT dp_sum(weight, 1e15, 'infinity', 1) FROM stays;
PREPARE ends (float8) AS SELECT dp_sum(days, 0, $1, 1) FROM stays;
EXECUTE ends ('infinity') \g /dev/null
EXECUTE ends (10) \g /dev/null
RESET ROLE;
CREATE TABLE open_to_all (x int);
SELECT dp_sum(x, '-infinity', 'infinity', 1) FROM open_to_all;

SELECT dp.unprotect(t) FROM unnest('{stays,rows_alone,ones,limited,large,odd,nobody}'::regclass[]) AS t;
DROP PROCEDURE pg_temp.compare(text);
DROP SCHEMA bounds_by_themselves CASCADE;
DROP ROLE regress_open_ana;
