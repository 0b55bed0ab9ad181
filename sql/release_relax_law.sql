-- The joint law of an answer and its relaxed one, through SQL. Only this law makes the pair cost the larger epsilon and not the
-- sum: the answers at each level alone look the same if the noise is drawn afresh. Thousands of groups of one row are thousands of
-- independent paths in one statement. A false alarm has a probability below 5e-9 for each of the lines below that say t.
CALL own_schema('release_relax_law');
SET client_min_messages = warning;
CREATE TABLE single AS SELECT i AS id, 1 AS one FROM generate_series(1, 20000) i;
ALTER TABLE single ALTER id SET NOT NULL;
SELECT dp.protect('single', 9e9);
SELECT dp.public_values('single', 'id', VARIADIC array_agg(id)) FROM single;

-- Discrete Laplace, and what added to the noise of the fine level makes that of the coarse one.
CREATE FUNCTION laplace_mass(rate float8, x int) RETURNS float8 LANGUAGE sql IMMUTABLE
    RETURN (1 - exp(-rate)) / (1 + exp(-rate)) * exp(-rate * abs(x));
CREATE FUNCTION atom(coarse float8, fine float8) RETURNS float8 LANGUAGE sql IMMUTABLE
    RETURN exp(coarse - fine) * ((1 - exp(-coarse)) / (1 - exp(-fine))) ^ 2;
CREATE FUNCTION joint_mass(coarse float8, fine float8, v1 int, v2 int) RETURNS float8 LANGUAGE sql IMMUTABLE
    RETURN laplace_mass(fine, v2) * (CASE WHEN v1 = v2 THEN atom(coarse, fine) ELSE 0 END
                                     + (1 - atom(coarse, fine)) * laplace_mass(coarse, v1 - v2));
-- By |V1| and by V2 in the direction of V1.
CREATE FUNCTION cell_of(v1 int, v2 int) RETURNS int[] LANGUAGE sql IMMUTABLE
    RETURN ARRAY[least(abs(v1), 9), greatest(-3, least(CASE WHEN v1 < 0 THEN -v2 ELSE v2 END, least(abs(v1), 9) + 3))];
-- The critical value of chi-square at 5e-9, by Wilson and Hilferty, who are a little above it so far out.
CREATE FUNCTION critical(cells bigint) RETURNS float8 LANGUAGE sql IMMUTABLE
    RETURN (cells - 1) * (1 - 2.0 / (9 * (cells - 1)) + 5.73 * sqrt(2.0 / (9 * (cells - 1)))) ^ 3;

CREATE TEMP TABLE pairs (test text, v1 int, v2 int);
-- Cells in which fewer than 20 are expected are put together.
CREATE FUNCTION fits(test text, coarse float8, fine float8, OUT pairs bigint, OUT cells bigint, OUT fits boolean) LANGUAGE sql AS $$
    WITH observed AS (SELECT cell_of(v1, v2) AS cell, count(*) AS found FROM pairs p WHERE p.test = fits.test GROUP BY 1),
        law AS (
            SELECT cell_of(v1, v2) AS cell, sum(joint_mass(coarse, fine, v1, v2)) * (SELECT sum(found) FROM observed) AS expected
            FROM generate_series(-200, 200) v1, generate_series(-100, 100) v2 GROUP BY 1),
        both_of_them AS (
            SELECT CASE WHEN expected >= 20 THEN cell END AS cell, sum(coalesce(found, 0)) AS found, sum(expected) AS expected
            FROM law LEFT JOIN observed USING (cell) GROUP BY 1)
    SELECT sum(found), count(*), sum((found - expected) ^ 2 / expected) < critical(count(*)) FROM both_of_them
$$;
-- Of an aggregate of a release: the noise at two levels, from answers whose truth is known.
CREATE PROCEDURE collect(test text, before text, after text, truth int) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('INSERT INTO pairs SELECT %1$L, a.v - %2$s, b.v - %2$s FROM %3$I a JOIN %4$I b USING (key, part)',
        test, truth, before, after);
END
$$;
CREATE PROCEDURE keep(name text, release bigint, epsilon float8, wanted text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TEMP TABLE %I AS
        SELECT (group_key ->> ''id'')::int AS key, part, v::int FROM %s r,
            jsonb_array_elements_text(CASE jsonb_typeof(answer) WHEN ''array'' THEN answer ELSE jsonb_build_array(answer) END)
            WITH ORDINALITY e (v, part)',
        name, CASE WHEN epsilon IS NULL THEN format('dp_answer(%s, %L)', release, wanted)
              ELSE format('relax_release(%s, %s, %L)', release, epsilon, wanted) END);
END
$$;

-- A count from 0.5 to 1.
SELECT id, dp_count('*', 0.5) FROM single GROUP BY id \g /dev/null
SELECT dp_last_release() AS r \gset
CALL keep('first', :r, NULL, NULL);
CALL keep('second', :r, 1, NULL);
CALL collect('count', 'first', 'second', 1);
SELECT * FROM fits('count', 0.5, 1);
-- Further, from the level that was drawn.
CALL keep('third', :r, 3, NULL);
CALL collect('longer', 'second', 'third', 1);
SELECT * FROM fits('longer', 1, 3);
-- From the first to the third in two steps as in one.
CALL collect('two steps', 'first', 'third', 1);
SELECT * FROM fits('two steps', 0.5, 3);

-- What the test is for: noise that is drawn afresh at 1, each with the right law alone, does not pass ...
SELECT id, dp_count('*', 1) FROM single GROUP BY id \g /dev/null
SELECT dp_last_release() AS direct \gset
CALL keep('afresh', :direct, NULL, NULL);
CALL collect('afresh', 'first', 'afresh', 1);
SELECT * FROM fits('afresh', 0.5, 1);
-- ... nor does a rate that is not quite the right one, nor a sign that is lost.
SELECT * FROM fits('count', 0.5, 1.1);
INSERT INTO pairs SELECT 'sign', abs(v1), v2 FROM pairs WHERE test = 'count';
SELECT * FROM fits('sign', 0.5, 1);

-- Three steps, 0.2 to 0.5 to 1: the last answer alone has the law of one that was asked at 1 directly.
SELECT id, dp_count('*', 0.2) FROM single GROUP BY id \g /dev/null
SELECT dp_last_release() AS r \gset
CALL keep('at02', :r, NULL, NULL);
CALL keep('at05', :r, 0.5, NULL);
CALL keep('at1', :r, 1, NULL);
CREATE FUNCTION fits_alone(name text, rate float8, OUT cells bigint, OUT fits boolean) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('WITH observed AS (SELECT greatest(-6, least(6, v - 1)) AS x, count(*) AS found FROM %I GROUP BY 1),
        law AS (SELECT greatest(-6, least(6, x)) AS x, 20000 * sum(laplace_mass($1, x)) AS expected
                FROM generate_series(-300, 300) x GROUP BY 1)
        SELECT count(*), sum((coalesce(found, 0) - expected) ^ 2 / expected) < critical(count(*))
        FROM law LEFT JOIN observed USING (x)', name)
        INTO cells, fits USING rate;
END
$$;
SELECT 'chain' AS what, * FROM fits_alone('at1', 1) UNION ALL SELECT 'direct', * FROM fits_alone('afresh', 1)
UNION ALL SELECT 'another rate', * FROM fits_alone('at1', 0.9);
CALL collect('0.2 to 0.5', 'at02', 'at05', 1);
CALL collect('0.5 to 1', 'at05', 'at1', 1);
CALL collect('0.2 to 1', 'at02', 'at1', 1);
SELECT * FROM fits('0.2 to 0.5', 0.2, 0.5);
SELECT * FROM fits('0.5 to 1', 0.5, 1);
SELECT * FROM fits('0.2 to 1', 0.2, 1);

-- Downwards it is the same chain.
CALL keep('down05', :direct, 0.5, NULL);
CALL keep('down02', :direct, 0.2, NULL);
CALL collect('down 1 to 0.5', 'down05', 'afresh', 1);
CALL collect('down 0.5 to 0.2', 'down02', 'down05', 1);
SELECT * FROM fits('down 1 to 0.5', 0.5, 1);
SELECT * FROM fits('down 0.5 to 0.2', 0.2, 0.5);

-- Other sensitivities, and vectors coordinate by coordinate: a sum of 0 .. 3 has a third of the rate, and a histogram that of a
-- count.
SELECT id, dp_sum(one, 0, 3, 1.5) AS s, dp_histogram(one, ARRAY[0, 1, 2], 0.5) AS h FROM single GROUP BY id \g /dev/null
SELECT dp_last_release() AS r \gset
SELECT aggregate AS s FROM dp.releases WHERE release_id = :r AND aggregate LIKE 'dp_sum%' \gset
SELECT aggregate AS h FROM dp.releases WHERE release_id = :r AND aggregate LIKE 'dp_histogram%' \gset
CALL keep('sum15', :r, NULL, :'s');
CALL keep('sum3', :r, 3, :'s');
CALL collect('sum', 'sum15', 'sum3', 1);
SELECT * FROM fits('sum', 0.5, 1);
CALL keep('bars05', :r, NULL, :'h');
CALL keep('bars1', :r, 1, :'h');
UPDATE bars05 SET v = v - 1 WHERE part = 2;
UPDATE bars1 SET v = v - 1 WHERE part = 2;
CALL collect('histogram', 'bars05', 'bars1', 0);
SELECT * FROM fits('histogram', 0.5, 1);

SELECT dp.unprotect('single');
DROP TABLE single;
DROP PROCEDURE collect, keep;
DROP FUNCTION laplace_mass, atom, joint_mass, cell_of, critical, fits, fits_alone;
