-- Prints what is wrong, and nothing where nothing is: trees that are refused as PostgreSQL made them, and broken ones that pass, or are
-- refused for something else than how they were broken. `module`: query_trees.so.
SET client_min_messages = warning;
CREATE FUNCTION tree_of(text) RETURNS text LANGUAGE c STRICT AS :'module';
CREATE FUNCTION fault_of(tree text, vals text) RETURNS text LANGUAGE c AS :'module';
CREATE FUNCTION fault_within(tree text, level text) RETURNS text LANGUAGE c STRICT AS :'module';
CREATE FUNCTION fault_of_values(vals text, answers int) RETURNS text LANGUAGE c STRICT AS :'module';

CREATE TABLE t (a int, b text, c numeric(5, 2), gone int, d varchar(10));
ALTER TABLE t DROP gone;
CREATE TABLE u (a int PRIMARY KEY, x int);
CREATE VIEW v AS SELECT a, b, c::numeric FROM t;
CREATE FUNCTION rows_of_t(int) RETURNS SETOF t LANGUAGE sql AS 'SELECT * FROM t WHERE a < $1';

-- ---- trees of PostgreSQL's
\pset tuples_only on
SELECT 'refused: ' || q || ': ' || fault_of(tree_of(q), NULL) FROM unnest(ARRAY[
    'SELECT *, t, t::text, ctid, tableoid, xmin FROM t',
    'SELECT a, count(*), grouping(a) FROM t GROUP BY ROLLUP (a) HAVING max(b) > $$x$$ ORDER BY count(d)',
    'SELECT *, s FROM (SELECT a, b AS x FROM t UNION ALL SELECT 1, NULL EXCEPT (SELECT x, d FROM t, u)) s ORDER BY 1',
    'SELECT t, s.*, s FROM t, LATERAL (SELECT t.a + u.x AS y, t FROM u WHERE u.a = t.a AND EXISTS (SELECT FROM v WHERE v.a = t.a + u.a)) s',
    'SELECT a, b, j.*, j FROM (t FULL JOIN u USING (a)) AS j LEFT JOIN v USING (a, b) WHERE j.x > 1',
    'WITH RECURSIVE r (n, m) AS (SELECT 1, $$a$$::text UNION ALL SELECT n + 1, m FROM r WHERE n < (SELECT count(*) FROM c)) SEARCH DEPTH FIRST BY n SET o CYCLE n SET y USING p, c AS (SELECT * FROM t) SELECT r, r.*, c FROM r, c, r q',
    'WITH w AS (INSERT INTO u VALUES (1, 2), (3, DEFAULT) ON CONFLICT (a) DO UPDATE SET x = excluded.x + u.x RETURNING *, u) SELECT w, max(x) OVER o, rank() OVER (PARTITION BY a ORDER BY x ROWS 3 PRECEDING) FROM w WINDOW o AS (ORDER BY x)',
    'UPDATE v SET (a, b) = (SELECT x, $$y$$ FROM u WHERE u.a = v.a) FROM u WHERE u.a = v.a RETURNING v, u.*',
    'DELETE FROM t USING u, rows_of_t(3) f WHERE t.a = u.a AND f.b = t.b RETURNING t.*, f',
    'MERGE INTO u USING t ON t.a = u.a WHEN MATCHED THEN UPDATE SET x = t.a WHEN NOT MATCHED THEN INSERT VALUES (t.a, 1)',
    'SELECT g, g.*, h, f, f.b FROM generate_series(1, 3) WITH ORDINALITY g, generate_series(1, 2) h, rows_of_t(3) f, ROWS FROM (rows_of_t(1), generate_series(1, 2)) k, json_to_record($${}$$) AS j (x int, y text)',
    'SELECT m, m.*, y.*, y FROM (VALUES (1, $$a$$), (2, NULL)) m (k, l), t, LATERAL XMLTABLE ($$/r$$ PASSING (t.b::xml) COLUMNS a int, b text) y',
    'SELECT a IN (SELECT x FROM u), (a, b) = ANY (SELECT a, d FROM t s WHERE s.a = t.a), ARRAY(SELECT x FROM u) FROM t TABLESAMPLE system (10) FOR UPDATE',
    'SELECT (SELECT count(t.a) FROM u), string_agg(DISTINCT b, $$,$$ ORDER BY b) FILTER (WHERE a > 1), percentile_cont(0.5) WITHIN GROUP (ORDER BY a) FROM t',
    'SELECT DISTINCT ON (a) a, b FROM v ORDER BY a, c LIMIT (SELECT count(*) FROM u) OFFSET 1']) q
WHERE fault_of(tree_of(q), NULL) IS NOT NULL;

-- ---- broken ones
CREATE TABLE broken (query text, pattern text, put text, fault text);
INSERT INTO broken VALUES
    ('SELECT a, b FROM t', ':varno 1 :varattno 2 ', ':varno 7 :varattno 2 ', 'column 2 of entry 7 of 1'),
    ('SELECT a, b FROM t', ':varno 1 :varattno 2 ', ':varno 0 :varattno 2 ', 'column 2 of entry 0 of 1'),
    ('SELECT a, b FROM t', ':varattno 2 ', ':varattno 17 ', 'which it does not have'),
    ('SELECT a, b FROM t', ':varattno 2 ', ':varattno 4 ', 'which it does not have'),
    ('SELECT a, b FROM t', ':varattno 2 ', ':varattno -40 ', 'which it does not have'),
    ('SELECT a, b FROM t', ':varattno 2 :vartype 25 ', ':varattno 2 :vartype 23 ', 'as of type 23'),
    ('SELECT c FROM t', ':varattno 3 :vartype 1700 :vartypmod \d+', ':varattno 3 :vartype 1700 :vartypmod -1', 'modifier -1'),
    ('SELECT a, b FROM t', ':varcollid 100 ', ':varcollid 950 ', 'collation 950'),
    ('SELECT t FROM t', ':varattno 0 :vartype \d+', ':varattno 0 :vartype 2249', 'rows of entry 1'),
    ('SELECT s FROM (SELECT a FROM t) s', ':varattno 0 :vartype \d+', ':varattno 0 :vartype 25', 'rows of entry 1'),
    ('SELECT s FROM generate_series(1, 2) s(x), rows_of_t(1)', ':varattno 1 :vartype 23', ':varattno 0 :vartype 23', 'rows of entry 1'),
    ('SELECT s.a FROM (SELECT a FROM t) s', '^(.*):varattno 1 ', '\1:varattno -1 ', 'which it does not have'),
    ('SELECT s.a FROM (SELECT a FROM t) s', '^(.*):varattno 1 ', '\1:varattno 2 ', 'which it does not have'),
    ('SELECT s.a FROM (SELECT a FROM t ORDER BY b) s', '^(.*):varattno 1 :vartype 23', '\1:varattno 2 :vartype 25', 'which it does not have'),
    ('SELECT s.a FROM (SELECT a FROM t) s', '^(.*):vartype 23 ', '\1:vartype 20 ', 'as of type 20'),
    ('SELECT x FROM generate_series(1, 2) WITH ORDINALITY s(x, y)', ':varattno 1 ', ':varattno 3 ', 'which it does not have'),
    ('SELECT x FROM generate_series(1, 2) WITH ORDINALITY s(x, y)', ':varattno 1 ', ':varattno 2 ', 'as of type 23'),
    ('SELECT b FROM rows_of_t(1)', ':varattno 2 ', ':varattno 6 ', 'which it does not have'),
    ('SELECT x FROM json_to_record($${}$$) AS j (x int, y text)', ':varattno 1 ', ':varattno 2 ', 'as of type 23'),
    ('SELECT k FROM (VALUES (1, $$a$$)) m (k, l)', '^(.*):varattno 1 ', '\1:varattno 2 ', 'as of type 23'),
    ('SELECT a FROM XMLTABLE ($$/r$$ PASSING $$<r/>$$ COLUMNS a int, b text)', '^(.*):varattno 1 ', '\1:varattno 2 ', 'as of type 23'),
    ('SELECT a FROM t FULL JOIN u USING (a)', '^(.*):varattno 1 ', '\1:varattno 99 ', 'which it does not have'),
    ('SELECT a FROM t FULL JOIN u USING (a)', '(:joinaliasvars.*?):varno 2 ', '\1:varno 9 ', 'entry 9 of 3'),
    ('SELECT a FROM t', ':varlevelsup 0', ':varlevelsup 3', 'of a level 3 up, where there is none'),
    -- taken out of FROM
    ('SELECT t.a, u.x FROM t, u', '(:rtindex 1}) {RANGETBLREF :rtindex 2}', '\1', 'entry 2 \(u\), 0 up, which is not read there'),
    ('SELECT t.a FROM t, u, LATERAL (SELECT u.x) s', '(:rtindex 1}) {RANGETBLREF :rtindex 2}', '\1', 'entry 2 \(u\), 1 up, which is not read there'),
    ('SELECT t.a FROM t, u, LATERAL (VALUES (u.x)) s', '(:rtindex 1}) {RANGETBLREF :rtindex 2}', '\1', 'entry 2 \(u\), 1 up, which is not read there'),
    ('SELECT t.a FROM t, u WHERE EXISTS (SELECT FROM v WHERE v.a = u.x)', '(:rtindex 1}) {RANGETBLREF :rtindex 2}', '\1', '1 up, which is not read there'),
    ('SELECT t.a, u.x FROM t, u', ':rtindex 2', ':rtindex 1', 'twice in FROM'),
    ('SELECT t.a, u.x FROM t, u', ':rtindex 2', ':rtindex 5', 'entry 5 of 2 in FROM'),
    ('SELECT 1 FROM t JOIN u USING (a)', ':rtindex 1', ':rtindex 3', 'in FROM as a table'),
    ('SELECT 1 FROM t JOIN u USING (a)', '^(.*):rtindex 3', '\1:rtindex 1', 'in FROM as a join'),
    ('SELECT 1 FROM t JOIN u ON t.a = u.a, u w', '(:opno 96.*?):varno 2 ', '\1:varno 4 ', 'entry 4 \(w\), 0 up, which is not read there'),
    ('SELECT 1 FROM t, LATERAL (SELECT t.a) s', ':lateral true', ':lateral false', '1 up, which is not read there'),
    ('SELECT 1 FROM t, LATERAL generate_series(1, t.a) s', ':lateral true', ':lateral false', '0 up, which is not read there'),
    ('SELECT 1 FROM (SELECT x FROM u) t, LATERAL (SELECT t.x) s', '^(.*):varno 1 ', '\1:varno 2 ', 'entry 2 \(s\), 1 up, which is not read there'),
    ('SELECT a FROM t LIMIT 1', '(.*)({VAR [^}]*})(.*):limitCount .* :limitOption', '\1\2\3:limitCount \2 :limitOption', 'which is not read there'),
    ('WITH w AS (SELECT a FROM t) SELECT u.a FROM w, u', ':varlevelsup 0', ':varlevelsup 1', '1 up, which is not read there'),
    ('INSERT INTO u SELECT a, 1 FROM t ON CONFLICT (a) DO UPDATE SET x = excluded.x', ':exclRelIndex \d', ':exclRelIndex 0', 'which is not read there'),
    -- aggregates and windows
    ('SELECT count(*) FROM t', ':hasAggs true', ':hasAggs false', 'an aggregate of a level that says that it has none'),
    ('SELECT count(*) FROM t', ':agglevelsup 0', ':agglevelsup 1', 'an aggregate of a level 1 up, where there is none'),
    ('SELECT count(*) FROM t WHERE EXISTS (SELECT count(*) FROM u)', '(:quals.*?):agglevelsup 0', '\1:agglevelsup 1', 'below the rows of its level, 1 up'),
    ('SELECT count(*) FROM t, LATERAL (SELECT count(*) FROM u) s', ':agglevelsup 0', ':agglevelsup 1', 'below the rows of its level, 1 up'),
    ('SELECT sum(a + (SELECT count(*) FROM u)) FROM t', ':agglevelsup 0', ':agglevelsup 1', 'within an aggregate of its level, 1 up'),
    ('SELECT string_agg(b, b ORDER BY a) FROM t', ':aggorder \({SORTGROUPCLAUSE :tleSortGroupRef 1', ':aggorder ({SORTGROUPCLAUSE :tleSortGroupRef 9', 'ORDER BY of an aggregate of reference 9'),
    ('SELECT count(DISTINCT a) FROM t', ':aggdistinct \({SORTGROUPCLAUSE :tleSortGroupRef 1', ':aggdistinct ({SORTGROUPCLAUSE :tleSortGroupRef 9', 'DISTINCT of an aggregate of reference 9'),
    ('SELECT grouping(a), count(*) FROM t GROUP BY ROLLUP (a)', ':refs \(i 1\)', ':refs (i 7)', 'GROUPING of key 7'),
    ('SELECT grouping(a) FROM t GROUP BY ROLLUP (a)', '(:hasAggs )true(.*):groupClause \(.*\) :groupDistinct', '\1false\2:groupClause <> :groupDistinct', 'GROUPING of a level that has no groups'),
    ('SELECT rank() OVER (ORDER BY a) FROM t', ':hasWindowFuncs true', ':hasWindowFuncs false', 'a window function of a level that says that it has none'),
    ('SELECT rank() OVER (ORDER BY a) FROM t', ':winref 1 :winstar', ':winref 3 :winstar', 'over window 3'),
    ('SELECT rank() OVER (ORDER BY a) FROM t', ':orderClause \({SORTGROUPCLAUSE :tleSortGroupRef 1', ':orderClause ({SORTGROUPCLAUSE :tleSortGroupRef 9', 'ORDER BY of a window of reference 9'),
    ('SELECT rank() OVER (PARTITION BY a) FROM t', ':partitionClause \({SORTGROUPCLAUSE :tleSortGroupRef 1', ':partitionClause ({SORTGROUPCLAUSE :tleSortGroupRef 9', 'PARTITION BY of reference 9'),
    -- subqueries and parameters
    ('SELECT (SELECT 1)', '^(.*?):hasSubLinks true', '\1:hasSubLinks false', 'a subquery in an expression'),
    ('SELECT a IN (SELECT x FROM u) FROM t', ':paramkind 2 :paramid 1', ':paramkind 2 :paramid 4', 'column 4 of a subquery that shows less'),
    ('SELECT a IN (SELECT x FROM u) FROM t', ':paramtype 23', ':paramtype 25', 'column 1 of a subquery as of type 25'),
    ('SELECT 1 FROM t', '{CONST [^}]*}', '{PARAM :paramkind 2 :paramid 1 :paramtype 23 :paramtypmod -1 :paramcollid 0 :location -1}', 'nothing is compared with'),
    ('SELECT 1 FROM t', '{CONST [^}]*}', '{PARAM :paramkind 1 :paramid 0 :paramtype 23 :paramtypmod -1 :paramcollid 0 :location -1}', 'parameter 0 of the executor'),
    -- clauses
    ('SELECT a, b FROM t', ':resno 2 ', ':resno 5 ', 'target entry 5 in place 2'),
    ('SELECT a FROM t ORDER BY a', ':sortClause \({SORTGROUPCLAUSE :tleSortGroupRef 1', ':sortClause ({SORTGROUPCLAUSE :tleSortGroupRef 9', '^ORDER BY of reference 9'),
    ('SELECT a FROM t GROUP BY a', ':groupClause \({SORTGROUPCLAUSE :tleSortGroupRef 1', ':groupClause ({SORTGROUPCLAUSE :tleSortGroupRef 9', '^GROUP BY of reference 9'),
    ('SELECT DISTINCT a FROM t', ':distinctClause \({SORTGROUPCLAUSE :tleSortGroupRef 1', ':distinctClause ({SORTGROUPCLAUSE :tleSortGroupRef 9', '^DISTINCT of reference 9'),
    ('SELECT a, b FROM t ORDER BY a, b', ':ressortgroupref 2', ':ressortgroupref 1', 'two target entries with reference 1'),
    ('SELECT a FROM t FOR UPDATE', ':rti 1 ', ':rti 4 ', 'FOR UPDATE of entry 4 of 1'),
    -- WITH
    ('WITH c AS (SELECT a FROM t) SELECT a FROM c', ':ctename c :ctelevelsup', ':ctename d :ctelevelsup', '"d" is not in WITH'),
    ('WITH c AS (SELECT a FROM t) SELECT a FROM c', ':ctelevelsup 0', ':ctelevelsup 1', '"c" of a level 1 up'),
    ('WITH c AS (SELECT a FROM t) SELECT a FROM c', ':cterefcount 1', ':cterefcount 0', 'says that nobody reads it'),
    ('WITH c AS (SELECT a FROM t) SELECT a FROM c', '(:ctelevelsup 0.*?):coltypes \(o 23\)', '\1:coltypes (o 25)', 'column 1 of "c" is read as of type 25'),
    ('WITH c AS (SELECT a FROM t) SELECT a FROM c', '(:ctelevelsup 0.*?):coltypes \(o 23\)', '\1:coltypes (o 23 23)', '"c" has no column 2'),
    ('WITH c AS (SELECT a FROM t), d AS (SELECT a FROM c) SELECT a FROM d', ':ctename c :ctelevelsup', ':ctename d :ctelevelsup', '"d", 1 up, stands in WITH after what reads it'),
    -- set operations
    ('SELECT a FROM t UNION SELECT a FROM u', ':larg {RANGETBLREF :rtindex 1}', ':larg {RANGETBLREF :rtindex 2}', 'twice in FROM'),
    ('SELECT a FROM t UNION SELECT a FROM u', ':colTypes \(o 23', ':colTypes (o 23 23', 'shows less than 2 columns'),
    ('SELECT a FROM t UNION SELECT a FROM u', '^(.*):vartype 23 ', '\1:vartype 25 ', 'as of type 25'),
    ('SELECT a FROM t UNION SELECT a FROM u', '^(.*):varattno 1 ', '\1:varattno 2 ', 'which it does not have');
INSERT INTO broken SELECT 'SELECT a, x FROM t JOIN u USING (a)', ':perminfoindex 1', ':perminfoindex 2', 'permissions of another table' WHERE current_setting('server_version_num')::int >= 160000;

SELECT 'not broken: ' || query || ', ' || pattern FROM broken WHERE regexp_replace(tree_of(query), pattern, put) = tree_of(query)
UNION ALL
SELECT 'refused: ' || query || ': ' || fault_of(tree_of(query), NULL) FROM broken WHERE fault_of(tree_of(query), NULL) IS NOT NULL
UNION ALL
SELECT 'not noticed: ' || query || ', ' || put FROM broken WHERE fault_of(regexp_replace(tree_of(query), pattern, put), NULL) IS NULL
UNION ALL
SELECT 'wrongly noticed: ' || query || ', ' || put || ': ' || found FROM broken, fault_of(regexp_replace(tree_of(query), pattern, put), NULL) found WHERE found !~ fault;

-- ---- what is not broken
-- What nobody reads may stay.
SELECT 'refused: ' || fault_of(regexp_replace(tree_of('SELECT t.a FROM t, u'), '(:rtindex 1}) {RANGETBLREF :rtindex 2}', '\1'), NULL);
SELECT 'refused: ' || fault_of(regexp_replace(tree_of('WITH c AS (SELECT a FROM t), d AS (SELECT a FROM c) SELECT 1'), ':cterefcount 1', ':cterefcount 0'), NULL);

-- ---- trees with values, or within others
CREATE FUNCTION param(kind int, number int) RETURNS text LANGUAGE sql AS
    $$SELECT format('{PARAM :paramkind %s :paramid %s :paramtype 23 :paramtypmod -1 :paramcollid 0 :location -1}', kind, number)$$;
CREATE VIEW parts AS SELECT (regexp_match(tree_of('SELECT 1'), '{CONST [^}]*}'))[1] AS int4, (regexp_match(tree_of('SELECT 3000000000'), '{CONST [^}]*}'))[1] AS int8,
    (regexp_match(tree_of('SELECT a FROM u'), '{VAR [^}]*}'))[1] AS var, regexp_replace(tree_of('SELECT 1 FROM t'), '{CONST [^}]*}', param(0, 1)) AS asking,
    regexp_replace(tree_of('SELECT a FROM t'), ':varno 1 (.*):varlevelsup 0', ':varno 1 \1:varlevelsup 1') AS within;
SELECT 'expected ' || coalesce(expected, 'nothing') || ', found ' || coalesce(found, 'nothing') FROM (
    SELECT fault_of(asking, '(' || int4 || ')'), NULL FROM parts UNION ALL
    SELECT fault_of(asking, NULL), NULL FROM parts UNION ALL
    SELECT fault_of(asking, '(' || int8 || ')'), 'parameter 1 as of type 23' FROM parts UNION ALL
    SELECT fault_of(regexp_replace(asking, ':paramid 1', ':paramid 2'), '(' || int4 || ')'), 'parameter 2 of 1' FROM parts UNION ALL
    SELECT fault_of_values('(' || int4 || ' ' || param(1, 0) || ')', 1), NULL FROM parts UNION ALL
    SELECT fault_of_values('(' || int4 || ' ' || param(1, 1) || ')', 1), 'parameter 1 of the executor, which nobody computes' FROM parts UNION ALL
    SELECT fault_of_values('(' || var || ')', 1), 'column 1 of entry 1 of a level 0 up, where there is none' FROM parts UNION ALL
    SELECT fault_within(within, tree_of('SELECT a FROM u')), NULL FROM parts UNION ALL
    SELECT fault_within(within, tree_of('SELECT b FROM t WHERE a < 1 GROUP BY b')), NULL FROM parts UNION ALL
    SELECT fault_within(within, tree_of('SELECT 1')), 'column 1 of entry 1 of 0, 1 up' FROM parts UNION ALL
    SELECT fault_within(within, tree_of('SELECT s.b FROM (SELECT b FROM t) s')),
        'column 1 of entry 1 (s), 1 up, as of type 23, modifier -1, collation 0 in place of 25, -1, 100' FROM parts) s (found, expected)
WHERE found IS DISTINCT FROM expected;

-- ---- what is read by number
CREATE FUNCTION read_at(tree text, what text, number int) RETURNS text LANGUAGE c STRICT AS :'module';
-- What is wrong stands in the server's log alone.
CREATE FUNCTION reading(tree text, what text, number int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    detail text;
BEGIN
    RETURN read_at(tree, what, number);
EXCEPTION WHEN internal_error THEN
    GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
    RETURN concat(sqlstate, nullif(detail, 'Nothing was read, and nothing charged.'));
END $$;
SELECT format('%s %s is %s, not %s', what, number, found, expected) FROM (
    SELECT what, number, reading(tree_of('SELECT a AS x, b AS y FROM u z JOIN t w USING (a)'), what, number), (ARRAY['XX000'] || names || 'XX000'::text)[number + 1]
    FROM (VALUES ('entry', ARRAY['z', 'w', 'unnamed_join']), ('target', ARRAY['x', 'y']), ('column', ARRAY['a', 'x'])) lists (what, names),
        generate_series(0, cardinality(names) + 1) number
    UNION ALL
    SELECT what, number, reading(tree_of('SELECT a, b FROM t'), what, number), 'XX000' FROM unnest(ARRAY['entry', 'target', 'column']) what, unnest(ARRAY[-1, 2147483647]) number
    UNION ALL
    SELECT 'moved target', 2, reading(regexp_replace(tree_of('SELECT a, b FROM t'), ':resno 2 ', ':resno 5 '), 'target', 2), 'XX000') s (what, number, found, expected)
WHERE found IS DISTINCT FROM expected;
