-- What one unit changes of all answers of a statement together, divided by the noise of each, is no more than the statement cost: in plain
-- SQL, whatever its aggregates have in common. Two tables, of which the second lacks the unit 0. Answers at 1e6 are exact; noise is that of
-- discrete Laplace answers at .01, whose error in 95 of 100 cases is ln(20) times its scale. Behind a hyphen: what is
-- read off the others, and adds nothing.
CALL own_schema('plain_joint_loss');
SET client_min_messages = error;
CREATE ROLE regress_joint;
CREATE TABLE with_unit (p int, g text NOT NULL, s text NOT NULL, flag boolean, x int NOT NULL, y int);
-- Unit 0 has twelve rows, of every kind; 20 others have one each, so that no limit concerns them.
INSERT INTO with_unit SELECT 0, (ARRAY['u', 'v'])[1 + i % 2], (ARRAY['a', 'b', 'c'])[1 + i % 3], (ARRAY[true, false, NULL])[1 + i / 4 % 3], 10, nullif(i % 10, 3) FROM generate_series(0, 11) i;
INSERT INTO with_unit SELECT i, 'u', 'a', true, i % 10, 1 FROM generate_series(1, 20) i;
CREATE TABLE without_unit (LIKE with_unit);
INSERT INTO without_unit SELECT * FROM with_unit WHERE p <> 0;
CREATE TABLE losses (limits text, aggregates text, by text, loss numeric, price numeric);
CREATE FUNCTION ask(relation text, aggregates text[], by text, epsilon text) RETURNS numeric[] LANGUAGE plpgsql AS $$
DECLARE
    query text := format('SELECT ARRAY[%s]::numeric[] FROM (SELECT %s FROM %s%s) answers', (SELECT string_agg('a' || i || ', e' || i, ', ') FROM generate_subscripts(aggregates, 1) i),
        (SELECT string_agg(format('%s AS a%s, dp_error(%1$s) AS e%2$s', ltrim(a, '-'), i), ', ') FROM unnest(aggregates) WITH ORDINALITY AS l (a, i)), relation, by);
    row_of numeric[];
    answers numeric[] := '{}';
BEGIN
    PERFORM set_config('dp.epsilon', epsilon, true);
    FOR row_of IN EXECUTE query LOOP answers := answers || row_of; END LOOP;
    RETURN answers;
END $$;
CREATE FUNCTION price(relation text, aggregates text[], by text) RETURNS numeric LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('dp.epsilon', '0.01', true);
    RETURN (SELECT epsilon FROM dp.cost(format('SELECT %s FROM %s%s', array_to_string(aggregates, ', '), relation, by)) WHERE role IS NOT NULL);
END $$;
CREATE PROCEDURE measure(limits text, joined text) LANGUAGE plpgsql AS $$
DECLARE
    asked text[];
    by_groups text;
    one numeric[];
    two numeric[];
    errors numeric[];
BEGIN
    FOREACH by_groups IN ARRAY ARRAY['', ' GROUP BY g ORDER BY g', ' GROUP BY ROLLUP (g) ORDER BY g'] LOOP
        FOR asked IN SELECT string_to_array(line, ' | ') FROM unnest(ARRAY[
            $q$count(*) FILTER (WHERE s = 'a') | count(*) FILTER (WHERE s = 'b') | count(*) FILTER (WHERE s = 'c')$q$,
            $q$count(CASE WHEN s = 'a' THEN 1 END) | sum((s = 'b')::int) | count(y) FILTER (WHERE s = 'c')$q$,
            $q$count(*) FILTER (WHERE x < 5) | count(*) FILTER (WHERE x BETWEEN 5 AND 7) | count(*) FILTER (WHERE x > 7 OR x IS NULL)$q$,
            $q$count(*) FILTER (WHERE flag) | count(*) FILTER (WHERE NOT flag) | count(*) FILTER (WHERE flag IS NULL) | -count(*)$q$,
            $q$count(*) FILTER (WHERE y < 7) | count(*) FILTER (WHERE y < 9) | count(*) FILTER (WHERE s = 'a') | count(*) FILTER (WHERE s = 'b')$q$,
            $q$sum(x) FILTER (WHERE s = 'a') | sum(x) FILTER (WHERE s = 'b') | sum(x) FILTER (WHERE s = 'c')$q$,
            $q$sum(CASE s WHEN 'a' THEN x ELSE 0 END) | sum(CASE s WHEN 'b' THEN x ELSE 0 END)$q$,
            $q$sum(x) FILTER (WHERE s = 'a') | count(*) FILTER (WHERE s = 'b') | sum(y) FILTER (WHERE s = 'c')$q$,
            $q$count(DISTINCT x) FILTER (WHERE s = 'a') | count(DISTINCT x) FILTER (WHERE s = 'b')$q$,
            $q$count(DISTINCT p) FILTER (WHERE s = 'a') | count(DISTINCT p) FILTER (WHERE s = 'b') | count(DISTINCT p) FILTER (WHERE flag)$q$,
            $q$count(*) FILTER (WHERE kind = 1) | count(*) FILTER (WHERE kind = 2)$q$,
            $q$sum(x) FILTER (WHERE kind = 1) | sum(x) FILTER (WHERE kind = 2)$q$,
            $q$-count(*) | count(y) | count(*) FILTER (WHERE y IS NULL) | count(DISTINCT p)$q$]) AS line LOOP
            BEGIN
                one := ask('with_unit' || joined, asked, by_groups, '1e6');
                two := ask('without_unit' || joined, asked, by_groups, '1e6');
                errors := ask('with_unit' || joined, asked, by_groups, '0.01');
                INSERT INTO losses SELECT limits || joined, array_to_string(asked, ' | '), by_groups, sum(abs(one[i] - two[i]) * ln(20::numeric) / errors[i + 1]), price('with_unit' || joined, asked, by_groups)
                FROM generate_series(1, cardinality(one), 2) i WHERE asked[1 + (i - 1) / 2 % cardinality(asked)] NOT LIKE '-%';
            EXCEPTION WHEN SQLSTATE 'DP002' OR undefined_column THEN
                INSERT INTO losses VALUES (limits || joined, array_to_string(asked, ' | '), by_groups);
            END;
        END LOOP;
    END LOOP;
END $$;
GRANT ALL ON losses TO regress_joint;
CREATE PROCEDURE compare(limits text, joined text DEFAULT '') LANGUAGE plpgsql AS $$
DECLARE name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['with_unit', 'without_unit'] LOOP
        PERFORM dp.unprotect(b.relation) FROM dp.budgets b WHERE b.relation = name::regclass AND b.role IS NULL;
        EXECUTE format('SELECT dp.protect(%L::regclass, 9e9%s)', name, limits);
        PERFORM dp.public_values(name::regclass, 'g', 'u', 'v'), dp.declare_range(name::regclass, 'x', 0, 10), dp.declare_range(name::regclass, 'y', 0, 10),
            dp.grant_budget(name::regclass, 'regress_joint', 9e9, allow_leaks => true);
    END LOOP;
    SET LOCAL ROLE regress_joint;
    CALL measure(limits, joined);
    RESET ROLE;
END $$;
CALL compare(', privacy_unit => ''p'', max_rows_per_unit => 1');
CALL compare(', privacy_unit => ''p'', max_rows_per_unit => 2');
CALL compare(', privacy_unit => ''p'', max_rows_per_unit => 5');
CALL compare(', privacy_unit => ''p'', max_groups_per_unit => 1, max_rows_per_group => 2');
CALL compare(', privacy_unit => ''p'', max_groups_per_unit => 2, max_rows_per_group => 3');
CALL compare(', privacy_unit => ''p'', max_rows_per_unit => 3, rows_kept => ''first'', rows_kept_by => ''x''');
-- Where each row is a unit, of which the second table lacks one, and where a join makes several of it; where a unit has one row.
DELETE FROM without_unit;
INSERT INTO without_unit SELECT * FROM with_unit EXCEPT ALL SELECT * FROM (SELECT * FROM with_unit WHERE p = 0 LIMIT 1) one;
CALL compare('');
CALL compare('', ' CROSS JOIN (VALUES (1), (2)) kinds (kind)');
DELETE FROM without_unit WHERE p = 0;
DELETE FROM with_unit w WHERE p = 0 AND ctid <> (SELECT min(ctid) FROM with_unit WHERE p = 0);
ALTER TABLE with_unit ADD PRIMARY KEY (p);
ALTER TABLE without_unit ADD PRIMARY KEY (p);
CALL compare(', privacy_unit => ''p''');
-- Nothing cost less than it told.
SELECT limits, by, aggregates, round(loss, 4) AS loss, price FROM losses WHERE loss > price * 1.05 ORDER BY 1, 2, 3;
SELECT limits, count(loss) AS answered, count(*) FILTER (WHERE loss IS NULL) AS refused, count(*) FILTER (WHERE loss > price / 2) > 5 AS nearly_all_that_is_paid FROM losses GROUP BY 1 ORDER BY 1;
DROP TABLE with_unit, without_unit;
DROP OWNED BY regress_joint;
DROP ROLE regress_joint;
