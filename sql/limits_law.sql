-- The law of an answer whose limit is chosen, through SQL: one unit more, or not. The limit and the answer together may become likelier
-- by a factor of e at most, as epsilon is 1. 200 units add 1 and eight add 2: at nine the choice between the limits 1 and 2 would turn, if it
-- was made by exact numbers. The limit that was chosen is read off the error of the answer. 12,000 answers each; ratios are known to 2 to 4
-- percent, and what is tested holds by four of these and more.
CALL own_schema('limits_law');
SET client_min_messages = warning;
SET dp.keep_releases = 0;
CREATE TEMP TABLE answers (nine boolean, n bigint, error float8);
CREATE PROCEDURE ask(call text, eight regclass, nine regclass, times int) LANGUAGE plpgsql AS $$
BEGIN
    TRUNCATE answers;
    FOR i IN 1 .. times LOOP
        EXECUTE format('INSERT INTO answers SELECT false, %1$s, dp_error(%1$s) FROM %2$s', call, eight);
        EXECUTE format('INSERT INTO answers SELECT true, %1$s, dp_error(%1$s) FROM %2$s', call, nine);
    END LOOP;
END $$;
CREATE FUNCTION likelier(event text, OUT ratio float8) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT count(*) FILTER (WHERE nine AND (%1$s))::float8 / count(*) FILTER (WHERE NOT nine AND (%1$s)) FROM answers', event) INTO ratio;
END $$;
-- Errors of 4, 8, 12, ... at limits of 1, 2, 3: ln(20) / 0.75 for each. `choice`: that alone, at a quarter of epsilon. `within`: both together,
-- where what the additional unit adds is e^(3/4) for the answer, whether the limit is 2, and it is 2, or 1.
CREATE FUNCTION law() RETURNS TABLE (error int, various boolean, chosen_is_one boolean, choice boolean, within boolean, seen boolean) LANGUAGE sql AS $$
    SELECT v.error, (SELECT count(DISTINCT a.error) > 2 FROM answers a), (SELECT count(*) FILTER (WHERE a.error = 4) BETWEEN 2000 AND 22000 FROM answers a),
        likelier('error = ' || v.error) BETWEEN exp(-0.25) * 0.87 AND exp(0.25) * 1.13, r.ratio / exp(0.75) BETWEEN exp(-0.25) * 0.83 AND exp(0.25) * 1.2, r.ratio > 1.5
    FROM (VALUES (4, 209), (8, 218)) AS v (error, least), likelier(format('error = %s AND n >= %s', v.error, v.least)) AS r (ratio)
$$;
-- Rows of persons.
CREATE TABLE of_eight (person int NOT NULL);
INSERT INTO of_eight SELECT i FROM generate_series(1, 200) AS i UNION ALL SELECT 1000 + i FROM generate_series(1, 8) AS i, generate_series(1, 2);
CREATE TABLE of_nine (person int NOT NULL);
INSERT INTO of_nine SELECT * FROM of_eight UNION ALL VALUES (2000), (2000);
SELECT dp.protect(t, 1e9, privacy_unit => 'person') FROM unnest('{of_eight,of_nine}'::regclass[]) AS t;
-- Values of rows that nobody has given bounds.
CREATE TABLE sums_of_eight (x int2 NOT NULL);
INSERT INTO sums_of_eight SELECT 1 FROM generate_series(1, 200) UNION ALL SELECT 2 FROM generate_series(1, 8);
CREATE TABLE sums_of_nine (x int2 NOT NULL);
INSERT INTO sums_of_nine SELECT * FROM sums_of_eight UNION ALL VALUES (2);
SELECT dp.protect(t, 1e9) FROM unnest('{sums_of_eight,sums_of_nine}'::regclass[]) AS t;
ANALYZE of_eight, of_nine, sums_of_eight, sums_of_nine;
CALL ask($$dp_count('*', 1)$$, 'of_eight', 'of_nine', 12000);
SELECT * FROM law();
CALL ask($$dp_sum(x, 0, 'infinity', 1)$$, 'sums_of_eight', 'sums_of_nine', 12000);
SELECT * FROM law();
