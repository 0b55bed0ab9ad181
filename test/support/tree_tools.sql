-- Random queries, for test/fault/tree_tools.sh: what each change of their trees makes of them must answer what they do.
CREATE FUNCTION changed(query text, change text, entry int) RETURNS text STRICT LANGUAGE c AS :'library', 'changed';
CREATE TABLE t (id int, k int, a int, s text);
INSERT INTO t SELECT i, i % 3, i % 7, chr(97 + i % 4) FROM generate_series(1, 24) i;
ALTER TABLE t ADD gone int, ADD z bigint DEFAULT 5;
ALTER TABLE t DROP gone;
CREATE TABLE u (k bigint, b int, s text);
INSERT INTO u SELECT i, i * 2, chr(97 + i) FROM generate_series(0, 4) i;
CREATE VIEW w AS SELECT k, max(a) AS m FROM t GROUP BY k;

CREATE FUNCTION pick(VARIADIC choices text[]) RETURNS text LANGUAGE sql VOLATILE
    RETURN choices[1 + floor(random() * cardinality(choices))];

-- "o" has one row, and is read wherever a column can stand.
CREATE FUNCTION random_query() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    one text := pick('(SELECT 3 AS n, ''b''::text AS c) o', '(SELECT count(*)::int AS n, min(s) AS c FROM u) o',
        '(SELECT max(m) AS n, ''a''::text AS c FROM w WHERE m < 99) o');
    base text := pick('t JOIN u USING (k)', 't LEFT JOIN u USING (k)', 't JOIN u ON u.k = t.k', 't NATURAL JOIN u', '(t JOIN u USING (k)) j',
        'u RIGHT JOIN t USING (k)', 't FULL JOIN u USING (k)', 't JOIN u ON true JOIN w ON w.k = t.k');
    value text := CASE WHEN base ~ 'USING|NATURAL' THEN pick('k', 'a', 'b', 'z') ELSE pick('t.k', 'a', 'b', 'z') END;
    joined text;
    lateral_ text;
    condition text;
    shown text;
    rest text;
BEGIN
    joined := pick(format('%s CROSS JOIN %s', base, one), format('%s CROSS JOIN %s', one, base), format('%s, %s', base, one),
        format('%s JOIN %s ON o.n > %s', base, one, value), format('(SELECT 1 AS f) f CROSS JOIN (%s JOIN %s ON o.n <> %s)', base, one, value),
        format('%s LEFT JOIN %s ON o.n > 1', base, one));
    lateral_ := pick('', format(' CROSS JOIN LATERAL (SELECT o.n + %s AS v) l', value), format(' CROSS JOIN LATERAL (VALUES (%s), (o.n)) l (v)', value),
        format(' CROSS JOIN LATERAL (SELECT v FROM (SELECT %s AS v WHERE o.n > %1$s) y ORDER BY o.c) l', value),
        format(' LEFT JOIN LATERAL (SELECT sum(x.a + o.n) AS v FROM t x WHERE x.a < %s) l ON l.v > o.n', value),
        format(' CROSS JOIN LATERAL generate_series(1, o.n) l (v)'), format(' CROSS JOIN unnest(ARRAY[%s, o.n]) WITH ORDINALITY l (v, place)', value));
    condition := pick('true', format('o.n > %s', value), format('EXISTS (SELECT FROM u x WHERE x.b > o.n AND x.k < %s)', value),
        format('%s IN (SELECT x.a + o.n - o.n FROM t x WHERE (SELECT o.c) >= ''a'')', value), 'o IS NOT NULL', format('(o.n, %s) <> (1, 2)', value),
        CASE WHEN lateral_ <> '' THEN 'l.v > o.n' ELSE 'o.n > 0' END);
    shown := pick(format('%s AS x, o.n, o.c', value), 'o.n + 1 AS x, count(*) OVER (PARTITION BY o.c ORDER BY o.n) AS y',
        format('(SELECT max(x.b) FROM u x WHERE x.b < o.n) AS x, %s AS y', value), format('CASE WHEN o.n > %s THEN o.c END AS x', value),
        'o.c AS x, count(*) AS y, sum(o.n) FILTER (WHERE o.n > 2) AS z', CASE WHEN lateral_ <> '' THEN 'l.v AS x, o.n AS y' ELSE 'o.n AS x' END,
        'o AS x', 'DISTINCT o.n AS x, o.c AS y');
    rest := CASE WHEN shown ~ 'sum' THEN ' GROUP BY o.c' || pick('', ' HAVING max(o.n) > 1', ', o.n') ELSE '' END;
    IF shown !~ 'DISTINCT|sum|OVER' THEN rest := rest || pick('', ' ORDER BY o.c, o.n', format(' ORDER BY o.n + %s', value)); END IF;
    RETURN format('%sSELECT %s FROM %s%s WHERE %s%s', pick('', '', 'WITH c AS (SELECT k FROM u) '), shown, joined, lateral_, condition, rest);
END $$;

-- The rows of a query, in order.
CREATE FUNCTION answer(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE found text;
BEGIN
    EXECUTE format('SELECT string_agg(q::text, '' '' ORDER BY q::text COLLATE "C") FROM (%s) q', query) INTO found;
    RETURN coalesce(found, 'none');
END $$;

CREATE TABLE tried (change text, applied boolean);
CREATE PROCEDURE try(queries int) LANGUAGE plpgsql AS $$
DECLARE query text; change text; entry int; other text; truth text;
BEGIN
    FOR i IN 1 .. queries LOOP
        query := random_query();
        BEGIN
            truth := answer(query);
        EXCEPTION WHEN others THEN
            CONTINUE; -- ambiguous names, and the like
        END;
        FOREACH change IN ARRAY ARRAY['flat', 'taken', 'added', 'exchanged', 'deeper'] LOOP
            FOR entry IN 1 .. CASE WHEN change IN ('flat', 'deeper') THEN 1 ELSE 9 END LOOP
                other := NULL;
                BEGIN
                    
                    other := changed(query, change, entry);
                    INSERT INTO tried VALUES (change, other IS NOT NULL);
                    CONTINUE WHEN other IS NULL;
                    IF answer(other) <> truth THEN
                        RAISE EXCEPTION USING MESSAGE = format('answers %s, not %s', left(answer(other), 300), left(truth, 300));
                    END IF;
                EXCEPTION WHEN others THEN
                    RAISE EXCEPTION E'% of entry % of\n  %\nis\n  %\n%: %', change, entry, query, other, sqlstate, sqlerrm;
                END;
            END LOOP;
        END LOOP;
    END LOOP;
END $$;

-- What would leave columns behind that lead nowhere is not done.
CREATE FUNCTION misused(query text, how text) RETURNS void STRICT LANGUAGE c AS :'library', 'misused';
CREATE PROCEDURE refuse(query text, how text) LANGUAGE plpgsql AS $$
BEGIN
    BEGIN
        PERFORM misused(query, how);
    EXCEPTION WHEN internal_error THEN
        RETURN;
    END;
    RAISE 'done: %, %', how, query;
END $$;
CALL refuse('SELECT k FROM t', 'upwards');
CALL refuse('SELECT k + (SELECT max(b) FROM u) FROM t', 'upwards');
CALL refuse('SELECT (SELECT max(b + a) FROM u) FROM t', 'upwards');
CALL refuse('SELECT k FROM t', 'unread');
CALL refuse('SELECT b FROM t, u WHERE EXISTS (SELECT FROM w WHERE w.k = a)', 'unread');
CALL refuse('SELECT l.v FROM t, LATERAL (VALUES (a)) l (v)', 'unread');
CALL refuse('SELECT t FROM t', 'unread');
CALL refuse('SELECT b FROM t, u FOR UPDATE OF t', 'unread');
SELECT misused('SELECT max((SELECT 1)) FROM t', 'upwards'), misused('SELECT b FROM t, u', 'unread');
