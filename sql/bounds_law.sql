-- The law of a sum whose values have no bounds, through SQL: one row more, or not. What limits the rows and the answer together may become
-- likelier by a factor of e at most, as epsilon is 1. 200 rows have the value 1 and eight have 2: at nine the choice between the limits 1 and
-- 2 would turn, if it was made by exact numbers. The limit that was chosen is read off the error of the answer. 6,000 answers each; ratios
-- are known to 3 to 5 percent.
CALL own_schema('bounds_law');
SET client_min_messages = warning;
SET dp.keep_releases = 0;
CREATE TABLE of_eight (x int2 NOT NULL);
INSERT INTO of_eight SELECT 1 FROM generate_series(1, 200) UNION ALL SELECT 2 FROM generate_series(1, 8);
CREATE TABLE of_nine (x int2 NOT NULL);
INSERT INTO of_nine SELECT * FROM of_eight UNION ALL VALUES (2);
ANALYZE of_eight, of_nine;
SELECT dp.protect(t, 1e9) FROM unnest('{of_eight,of_nine}'::regclass[]) AS t;

CREATE TEMP TABLE answers (nine boolean, n bigint, error float8);
CREATE PROCEDURE ask(times int) LANGUAGE plpgsql AS $$
BEGIN
    FOR i IN 1 .. times LOOP
        INSERT INTO answers SELECT false, n, e FROM (SELECT dp_sum(x, 0, 'infinity', 1) AS n, dp_error(dp_sum(x, 0, 'infinity', 1)) AS e FROM of_eight) AS a;
        INSERT INTO answers SELECT true, n, e FROM (SELECT dp_sum(x, 0, 'infinity', 1) AS n, dp_error(dp_sum(x, 0, 'infinity', 1)) AS e FROM of_nine) AS a;
    END LOOP;
END $$;
CALL ask(6000);
-- Errors of 4, 8, 12, ... at limits of 1, 2, 3: ln(20) / 0.75 for each.
CREATE FUNCTION likelier(event text, OUT ratio float8) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT count(*) FILTER (WHERE nine AND (%1$s))::float8 / count(*) FILTER (WHERE NOT nine AND (%1$s)) FROM answers', event) INTO ratio;
END $$;
SELECT count(DISTINCT error) > 2 AS various, count(*) FILTER (WHERE error = 4) BETWEEN 1000 AND 11000 AS chosen_is_one FROM answers;
-- The choice alone: a quarter of epsilon.
SELECT error, likelier('error = ' || error) BETWEEN exp(-0.25) * 0.87 AND exp(0.25) * 1.13 AS within FROM unnest(ARRAY[4, 8]) AS error;
-- Both together. Where the limit is 2 the additional row counts 2, and where it is 1 as much: both are e^(3/4) for the answer.
SELECT error, likelier(format('error = %s AND n >= %s', error, least)) / exp(0.75) BETWEEN exp(-0.25) * 0.85 AND exp(0.25) * 1.13 AS within,
    likelier(format('error = %s AND n >= %s', error, least)) > 1.5 AS seen
FROM (VALUES (4, 209), (8, 218)) AS v (error, least);
