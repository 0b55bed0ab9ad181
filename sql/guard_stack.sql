-- Asked close to the end of the stack: refused before the charge, or answered. Rows that make LIKE and @> recurse do not reach the
-- end.
SET client_min_messages = warning;
SET max_stack_depth = '1MB';
CREATE SCHEMA stack;
CREATE TABLE stack.t (id int, name text, doc jsonb);
INSERT INTO stack.t VALUES (1, repeat('x', 500), (repeat('[', 100) || repeat(']', 100))::jsonb);
SELECT dp.protect('stack.t', 9e9) \g /dev/null
CREATE FUNCTION stack.asked(depth int) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    IF depth > 0 THEN
        RETURN stack.asked(depth - 1);
    END IF;
    RETURN (SELECT dp_count('*', 1) FROM stack.t WHERE name LIKE repeat('%x', 500)
        AND doc @> (repeat('[', 100) || repeat(']', 100))::jsonb) IS NOT NULL;
EXCEPTION WHEN statement_too_complex THEN
    RETURN sqlerrm;
END
$$;
CREATE TEMP TABLE asked AS SELECT depth, NULL::text AS answer FROM generate_series(0, 500, 4) depth;
UPDATE asked SET answer = stack.asked(depth);
SELECT regexp_replace(answer, '\d+', 'n') AS answer, count(*) > 1 AS often FROM asked GROUP BY 1 ORDER BY 1;
-- What was charged was answered.
SELECT count(*) = (SELECT count(*) FROM asked WHERE answer = 'true') AS only_answers FROM dp.ledger
WHERE relation = 'stack.t'::regclass;
RESET max_stack_depth;
DROP SCHEMA stack CASCADE;
