-- A column of a subquery is written out wherever it is named: what would take a billion parts is refused before it is made.
CALL own_schema('guard_large_expressions');
SET client_min_messages = warning;
CREATE TABLE grown (z int, k boolean, w text);
INSERT INTO grown VALUES (1, true, 'a'), (2, false, 'b');
SELECT dp.protect('grown', 9e9);
CREATE TABLE open_to_all AS SELECT * FROM grown;
CREATE FUNCTION nested(levels int, inside text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT string_agg(CASE WHEN i = levels THEN 'SELECT greatest(z, z) z, k, w FROM ' ELSE '(SELECT greatest(z, z) z, k, w FROM ' END, '' ORDER BY i DESC)
        || inside || repeat(') s', levels - 1) FROM generate_series(1, levels) AS i $$;
CREATE FUNCTION refusal(query text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE query;
    RETURN 'answered';
EXCEPTION WHEN OTHERS THEN
    RETURN sqlstate || ' ' || sqlerrm;
END $$;
SELECT n, refusal(format('SELECT dp_sum(z, 0, 10, 1e6) FROM (%s) q', nested(n, 'grown'))) AS argument,
    refusal(format('SELECT dp_count(''*'', 1e6) FROM (%s) q WHERE z > 0', nested(n, 'grown'))) AS condition
FROM unnest(ARRAY[1, 5, 10, 11, 30, 60]) AS n;
SELECT refusal(format('SELECT dp_count(''*'', 1e6) FROM (SELECT * FROM (%s) q WHERE z > 0) p', nested(30, 'grown'))) AS inside,
    refusal(format('SELECT dp_count(''*'', 1e6) FROM (%s) q GROUP BY z > 0', nested(30, 'grown'))) AS key,
    refusal(format('SELECT dp_count(''*'', 1e6) FROM grown g JOIN (%s) q ON g.z = q.z', nested(30, 'open_to_all'))) AS joined,
    refusal(format('SELECT dp_count(''*'', 1e6) FILTER (WHERE z > 0) FROM (%s) q', nested(30, 'grown'))) AS filter;
-- Columns that nobody names do not matter.
SELECT refusal(format('SELECT dp_count(''*'', 1e6) FROM (%s) q WHERE k', nested(60, 'grown'))) AS others;
-- Nor do those of tables that are not protected, but to PostgreSQL.
SELECT dp_sum(z, 0, 10, 1e6) FROM (SELECT greatest(z, z) z FROM (SELECT greatest(z, z) z FROM open_to_all) s) q;
-- Many at once, which are small alone.
SELECT refusal(format('SELECT %s FROM (%s) q', string_agg(format('dp_sum(dp_add(z, %s), 0, 10, 1e6)', i), ', '), nested(10, 'grown')))
FROM generate_series(1, 200) AS i;
SELECT refusal(format('SELECT dp_count(''*'', 1e6) FROM (SELECT w FROM grown WHERE z IN (%s)) q', string_agg(i::text, ', ')))
FROM generate_series(1, 50000) AS i;
SELECT dp.unprotect('grown');
DROP TABLE grown, open_to_all;
DROP FUNCTION nested, refusal;
