-- dp.admissible: what a role may ask, or why not. Nothing runs, nothing is charged, and nobody gets at what is another's by it.
CALL own_schema('curator_admissible');
SET client_min_messages = warning;
CREATE ROLE regress_admissible_owner;
CREATE ROLE regress_admissible_ana;
CREATE ROLE regress_admissible_eve;
GRANT ALL ON SCHEMA curator_admissible TO regress_admissible_owner, regress_admissible_eve;
SET ROLE regress_admissible_owner;
CREATE TABLE ward_stay AS SELECT i, i % 3 = 0 AS urgent FROM generate_series(1, 100) AS i;
CREATE TABLE own_notes AS SELECT 1 AS note;
SELECT dp.protect('ward_stay', 100, answer_epsilon => 0);
SELECT dp.grant_budget('ward_stay', 'regress_admissible_ana', 10, allow_leaks => true);

SELECT dp.admissible($$SELECT urgent, dp_count('*', 1) FROM ward_stay GROUP BY urgent$$, 'regress_admissible_ana');
SELECT dp.admissible($$SELECT i, dp_count('*', 1) FROM ward_stay GROUP BY i$$, 'regress_admissible_ana');
SELECT dp.admissible($$SELECT count(*) FROM ward_stay$$, 'regress_admissible_ana');
SELECT dp.admissible($$SELECT count(*) FROM ward_stay$$);
SELECT dp.admissible($$SELECT dp_count('*', 1), (SELECT max(note) FROM own_notes) FROM ward_stay$$, 'regress_admissible_ana');
SELECT dp.admissible($$SELECT dp_count('*', 1) FROM ward_stay$$, 'regress_admissible_eve');
SELECT dp.admissible($$SELECT dp_count('*', 1) FRM ward_stay$$, 'regress_admissible_ana');
SELECT dp.admissible($$SELECT 1; SELECT 2$$, 'regress_admissible_ana');
SELECT dp.admissible($$EXPLAIN SELECT 1$$, 'regress_admissible_ana');
SELECT dp.admissible(NULL, 'regress_admissible_ana');
-- The plan of persons with several rows calls a function by its number.
CREATE TABLE unit_stays AS SELECT i % 9 AS person, i AS cost FROM generate_series(1, 100) AS i;
SELECT dp.protect('unit_stays', 100, privacy_unit => 'person', max_rows_per_unit => 3);
SELECT dp.grant_budget('unit_stays', 'regress_admissible_ana', 10, allow_leaks => true);
SELECT dp.admissible($$SELECT dp_avg(cost, 0, 100, 1) FROM unit_stays$$, 'regress_admissible_ana');
-- What the start of a plan runs by itself, as a function that prunes partitions, runs as the current user.
CREATE TABLE noted (note int) PARTITION BY LIST (note);
CREATE TABLE noted_one PARTITION OF noted FOR VALUES IN (1);
CREATE TABLE noted_two PARTITION OF noted FOR VALUES IN (2);
GRANT SELECT ON noted TO regress_admissible_ana;
CREATE FUNCTION latest_note() RETURNS int LANGUAGE plpgsql STABLE AS 'BEGIN RETURN (SELECT max(note) FROM own_notes); END';
SELECT dp.admissible($$SELECT dp_count('*', 1), (SELECT count(*) FROM noted WHERE note = latest_note()) FROM ward_stay$$, 'regress_admissible_ana');
-- A core has a size; a list of constants does not count.
SELECT dp.admissible(format($$SELECT dp_count('*', 1) FROM ward_stay WHERE %s$$, string_agg('i = ' || n, ' OR ')), 'regress_admissible_ana')
FROM generate_series(1, 5000) AS n;
SELECT dp.admissible(format($$SELECT dp_count('*', 1) FROM ward_stay WHERE i IN (%s)$$, string_agg(n::text, ', ')), 'regress_admissible_ana')
FROM generate_series(1, 5000) AS n;

-- Others learn what they may ask themselves, no more.
SET ROLE regress_admissible_eve;
SELECT dp.admissible($$SELECT dp_count('*', 1) FROM ward_stay$$);
SELECT dp.admissible($$SELECT dp_count('*', 1) FROM ward_stay$$, 'regress_admissible_ana');

-- Nor is it told by an error of planning: whether a role has a budget decides which one there is. Everybody is told the same of who has
-- one and of who has none, of the table and of what reads it.
RESET ROLE;
CREATE ROLE regress_admissible_none;
GRANT USAGE ON SCHEMA curator_admissible TO regress_admissible_none;
SET ROLE regress_admissible_owner;
CREATE VIEW stays AS SELECT * FROM ward_stay;
CREATE FUNCTION urgent_stays() RETURNS SETOF ward_stay LANGUAGE sql STABLE AS 'SELECT * FROM ward_stay WHERE urgent';
GRANT SELECT ON stays TO PUBLIC;
SET ROLE regress_admissible_eve;
CREATE FUNCTION told(query text, role regrole) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT x.sqlstate || ' ' || x.message FROM dp.admissible(query, role) x);
EXCEPTION WHEN OTHERS THEN
    RETURN sqlstate || ' ' || sqlerrm;
END
$$;
SELECT query, told(query, 'regress_admissible_ana') = told(query, 'regress_admissible_none') AS same,
    told(query, 'regress_admissible_ana') LIKE '42501 only a curator of table ward_stay%' AS hidden
FROM unnest(ARRAY[$$SELECT i, dp_count('*', 1) FROM ward_stay GROUP BY i$$, 'SELECT i FROM ward_stay',
    $$SELECT dp_count('*', 1) FROM ward_stay WHERE i / (i - 7) = 1$$, 'SELECT count(*) FROM ward_stay', 'SELECT * FROM urgent_stays()',
    $$SELECT 1 WHERE EXISTS (SELECT FROM ward_stay WHERE i = 3)$$, $$WITH w AS (SELECT * FROM ward_stay) SELECT max(i) FROM w$$,
    $$INSERT INTO ward_stay VALUES (1)$$]) query;
-- What planning calls is planned for who calls, and cannot find it out either.
CREATE FUNCTION probe() RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    PERFORM count(*) FROM ward_stay;
    RAISE INFO 'planned';
    RETURN 'planned';
EXCEPTION WHEN OTHERS THEN
    RAISE INFO '% %', sqlstate, sqlerrm;
    RETURN sqlstate;
END
$$;
RESET ROLE;
SELECT dp.grant_budget('ward_stay', 'regress_admissible_ana', 10, allow_leaks => true, answer_epsilon => 0.5);
SET ROLE regress_admissible_eve;
SELECT admissible FROM dp.admissible('SELECT probe()', 'regress_admissible_ana');
SELECT admissible FROM dp.admissible('SELECT probe()', 'regress_admissible_none');
RESET ROLE;
SELECT dp.grant_budget('ward_stay', 'regress_admissible_ana', 10, allow_leaks => true);
SET ROLE regress_admissible_eve;

-- A curator's function that planning calls is the curator's: it is not asked as the role, nor at its expense.
CREATE TABLE eves AS SELECT 1 AS i;
SELECT dp.protect('eves', 1);
CREATE FUNCTION spy() RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (SELECT dp_count('*', 1) FROM ward_stay);
END
$$;
SELECT dp.admissible($$SELECT spy()$$, 'regress_admissible_ana');
CREATE FUNCTION peek() RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (SELECT note FROM own_notes);
END
$$;
SELECT dp.admissible($$SELECT peek()$$, 'regress_admissible_owner');
-- The role is forgotten with the plan that it was asked for: the next plan may come to lie at the same address (plans of several sizes
-- are tried) and is asked as the session's own role, which has no account here: the table alone pays.
-- In a session whose memory is fresh, where it does.
CREATE FUNCTION tell(line text) RETURNS void LANGUAGE plpgsql AS $$BEGIN RAISE INFO '%', line; END$$;
\c -
SET search_path = curator_admissible, public;
SET client_min_messages = warning;
\pset format unaligned
\pset tuples_only on
-- Versions of PostgreSQL print the plans in different ways.
\o /dev/null
SELECT format($$EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS OFF) SELECT dp.admissible('SELECT dp_count(''*'', 1)%s FROM ward_stay', 'regress_admissible_ana')$$, more),
    format($$SELECT tell(dp.cost('SELECT dp_count(''*'', 1)%s FROM ward_stay')::text)$$, more)
FROM generate_series(0, 9) AS n, repeat(', 1', n) AS more \gexec
\o
\pset tuples_only off
\pset format aligned
SELECT count(*) AS charges FROM dp.ledger WHERE relation = 'ward_stay'::regclass;
SELECT dp.unprotect('ward_stay'), dp.unprotect('eves'), dp.unprotect('unit_stays');
DROP OWNED BY regress_admissible_owner, regress_admissible_eve, regress_admissible_ana, regress_admissible_none CASCADE;
DROP ROLE regress_admissible_owner, regress_admissible_eve, regress_admissible_ana, regress_admissible_none;
