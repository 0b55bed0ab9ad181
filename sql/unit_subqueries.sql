-- Subqueries in WHERE below private aggregates: what they say of a person's row depends on rows of that person alone. epsilon 1e6 makes
-- the noise vanish.
SET client_min_messages = error;
CALL own_schema('unit_subqueries');
CREATE ROLE regress_asks_ana;
CREATE TABLE wards (ward text PRIMARY KEY, region text NOT NULL, beds int);
INSERT INTO wards VALUES ('a', 'north', 10), ('b', 'north', 20), ('c', 'south', NULL), ('d', 'south', 40);
CREATE TABLE listed (n int, note text);
INSERT INTO listed VALUES (1, 'one'), (2, 'two'), (3, NULL), (NULL, 'none');
CREATE TABLE people (id int PRIMARY KEY, born int NOT NULL, ward text);
INSERT INTO people SELECT p, 1950 + p % 50, nullif(chr(97 + p % 5), 'e') FROM generate_series(1, 300) p;
-- Person p has p % 7 visits, fifty are of nobody; each has as many drugs as its number, but for some visits of nobody. dose is NULL at times.
CREATE TABLE visits (id int PRIMARY KEY, person int REFERENCES people, number int NOT NULL, ward text NOT NULL REFERENCES wards, cost int);
INSERT INTO visits SELECT 10 * p + v, p, v, chr(97 + (p + v) % 4), nullif(v * 10 + p % 10, 25) FROM generate_series(1, 300) p, generate_series(1, p % 7) v;
INSERT INTO visits SELECT -v, NULL, v % 5, 'a', v FROM generate_series(1, 50) v;
CREATE TABLE drugs (visit int REFERENCES visits, number int NOT NULL, dose int);
INSERT INTO drugs SELECT v.id, d, nullif(d * v.number, 4) FROM visits v, generate_series(1, v.number) d;
INSERT INTO drugs SELECT NULL, d, d FROM generate_series(1, 20) d;
CREATE TABLE others (person int, x int);
INSERT INTO others SELECT p, p FROM generate_series(1, 300) p;
ANALYZE wards, listed, people, visits, drugs, others;
GRANT SELECT ON wards, listed TO regress_asks_ana;
SELECT dp.protect('people', 1e9, 0.5, privacy_unit => 'id', answer_epsilon => 1e6, group_epsilon => 1e6, group_delta => 1e-6);
SELECT dp.protect('visits', 1e9, 0.5, privacy_unit => 'person', max_rows_per_unit => 10, answer_epsilon => 1e6, group_epsilon => 1e6, group_delta => 1e-6);
SELECT dp.protect('drugs', 1e9, 0.5, privacy_unit => 'visit.person', max_rows_per_unit => 100, answer_epsilon => 1e6, group_epsilon => 1e6, group_delta => 1e-6);
SELECT dp.protect('others', 1e9, 0.5);
SELECT dp.grant_budget(t, 'regress_asks_ana', 1e9, 0.5, allow_leaks => true) FROM unnest('{people,visits,drugs,others}'::regclass[]) t;
-- What is to come out, in plain SQL, of rows that are somebody's; by the table that is asked.
CREATE VIEW somebodys_visits AS SELECT * FROM visits WHERE person IS NOT NULL;
CREATE VIEW somebodys_drugs AS SELECT d.* FROM drugs d JOIN visits v ON v.id = visit WHERE v.person IS NOT NULL;
CREATE FUNCTION as_ana(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE answer int;
BEGIN
    SET LOCAL ROLE regress_asks_ana;
    EXECUTE query INTO answer;
    RESET ROLE;
    RETURN answer;
END $$;
-- The private answer and the plain one to a count of the table's rows, in which nobody's rows are left out everywhere.
CREATE FUNCTION answers_to(tables text, condition text, OUT private int, OUT plain int) LANGUAGE plpgsql AS $$
BEGIN
    private := as_ana(format('SELECT dp_count(''*'', 1e6) FROM %s WHERE %s', tables, condition));
    EXECUTE regexp_replace(regexp_replace(format('SELECT count(*) FROM %s WHERE %s', tables, condition), '\mvisits\M', 'somebodys_visits', 'g'),
        '\mdrugs\M', 'somebodys_drugs', 'g') INTO plain;
END $$;
CREATE FUNCTION same(tables text, conditions text[]) RETURNS TABLE (condition text, private int, same text) LANGUAGE plpgsql AS $$
DECLARE c text; b record;
BEGIN
    FOREACH c IN ARRAY conditions LOOP
        BEGIN
            b := answers_to(tables, c);
            RETURN QUERY SELECT c, b.private, CASE WHEN b.private = b.plain THEN 'same' ELSE 'plain ' || b.plain END;
        EXCEPTION WHEN OTHERS THEN
            RESET ROLE;
            RETURN QUERY SELECT c, NULL::int, regexp_replace(SQLSTATE || ' ' || SQLERRM, E'\n.*', '');
        END;
    END LOOP;
END $$;

-- ---- in the condition of an inner join, as in WHERE; also where left joins keep its rows
SELECT * FROM same('people p JOIN visits v ON v.person = p.id AND EXISTS (SELECT FROM drugs d WHERE d.visit = v.id) AND v.cost < 50', ARRAY['true']);
SELECT * FROM same('people p JOIN visits v ON v.person = p.id AND NOT EXISTS (SELECT FROM drugs d WHERE d.visit = v.id AND d.dose > 5) LEFT JOIN drugs ON visit = v.id', ARRAY['true']);
SELECT * FROM same('drugs d RIGHT JOIN (people p JOIN visits v ON v.person = p.id AND v.cost >= (SELECT avg(w.cost) FROM visits w WHERE w.person = p.id)) ON visit = v.id', ARRAY['p.born > 1980']);
SELECT * FROM same('people p LEFT JOIN visits v ON v.person = p.id AND EXISTS (SELECT FROM drugs d WHERE d.visit = v.id)', ARRAY['true']);
SELECT * FROM same('visits v RIGHT JOIN people p ON v.person = p.id AND EXISTS (SELECT FROM drugs d WHERE d.visit = v.id)', ARRAY['true']);
-- Of a join that may be missing as a whole nothing is moved, whoever asks.
SELECT count(*) = (SELECT count(*) FROM wards) AS all_kept
FROM wards a LEFT JOIN (wards b JOIN wards c ON c.ward = b.ward AND NOT EXISTS (SELECT FROM wards d WHERE d.ward = b.ward)) ON b.ward = a.ward;
SELECT count(*) = (SELECT count(*) FROM wards) AS all_kept
FROM (wards b JOIN wards c ON c.ward = b.ward AND NOT EXISTS (SELECT FROM wards d WHERE d.ward = b.ward)) RIGHT JOIN wards a ON b.ward = a.ward;
SELECT as_ana('SELECT count(*) FROM people p JOIN visits v ON v.person = p.id AND p.id IN (SELECT person FROM visits GROUP BY person HAVING count(*) > 2)') AS plain_sql,
    (SELECT count(*) FROM people p JOIN visits v ON v.person = p.id AND p.id IN (SELECT person FROM visits GROUP BY person HAVING count(*) > 2)) AS same;

-- ---- rows of the same person: by the unit, or along a step of the path to it
SELECT * FROM same('people p', ARRAY[
    'EXISTS (SELECT FROM visits v WHERE v.person = p.id)',
    'NOT EXISTS (SELECT FROM visits v WHERE v.person = p.id)',
    'EXISTS (SELECT * FROM visits v WHERE p.id = v.person AND v.cost > 40 AND v.number * 500 > p.born)',
    'p.born > 1980 OR NOT EXISTS (SELECT DISTINCT 1 FROM visits WHERE person = p.id AND ward = p.ward ORDER BY 1 LIMIT 1)',
    'p.id IN (SELECT person FROM visits WHERE cost > 40)',
    'p.id = ANY (SELECT v.person FROM visits v JOIN drugs d ON d.visit = v.id WHERE dose = 9)',
    'NOT (p.id IN (SELECT person FROM visits WHERE cost > 40))',
    'p.id NOT IN (SELECT person FROM visits)',
    'p.id <> ALL (SELECT person FROM visits WHERE cost > 40)',
    'NOT (p.id <> ALL (SELECT person FROM visits WHERE cost > 40))',
    '(p.id, p.ward) IN (SELECT person, ward FROM visits)',
    'p.ward IN (SELECT ward FROM visits v WHERE v.person = p.id)',
    'p.ward NOT IN (SELECT ward FROM visits v WHERE v.person = p.id)',
    '20 = ANY (SELECT cost FROM visits v WHERE v.person = p.id)',
    '20 <> ALL (SELECT cost FROM visits v WHERE v.person = p.id)',
    '45 > ALL (SELECT cost FROM visits v WHERE v.person = p.id)',
    '(15 < ANY (SELECT cost FROM visits v WHERE v.person = p.id)) IS NOT TRUE',
    'EXISTS (SELECT FROM visits v LEFT JOIN drugs d ON d.visit = v.id AND d.dose > 5 WHERE v.person = p.id AND d.visit IS NULL)',
    'EXISTS (SELECT FROM visits v JOIN wards w ON w.ward <> v.ward WHERE v.person = p.id AND w.region = ''south'' AND v.number = 1)',
    'EXISTS (SELECT FROM visits v WHERE v.person = p.id GROUP BY v.ward HAVING count(*) > 1)',
    'EXISTS (SELECT FROM visits v WHERE v.person = p.id HAVING sum(cost) > 60)',
    'EXISTS (SELECT count(*) FROM visits v WHERE v.person = p.id)',
    'p.id IN (SELECT person FROM visits GROUP BY person HAVING count(*) > 4)',
    'p.id NOT IN (SELECT person FROM visits GROUP BY person HAVING count(*) > 4)',
    'CASE WHEN p.born > 1970 THEN EXISTS (SELECT FROM visits v WHERE v.person = p.id) ELSE p.id IN (SELECT person FROM visits WHERE number = 3) END',
    'EXISTS (SELECT FROM (SELECT * FROM visits WHERE cost > 20) v WHERE v.person = p.id)',
    'EXISTS (WITH dear AS (SELECT * FROM visits WHERE cost > 20) SELECT FROM dear WHERE dear.person = p.id)']);
SELECT * FROM same('drugs d', ARRAY[
    'EXISTS (SELECT FROM drugs o WHERE o.visit = d.visit AND o.number <> d.number)',
    'NOT EXISTS (SELECT FROM drugs o WHERE o.visit = d.visit AND o.dose > d.dose)',
    'EXISTS (SELECT FROM visits v WHERE v.id = d.visit AND v.cost > 30)',
    'd.visit IN (SELECT id FROM visits WHERE cost > 30)',
    'd.visit NOT IN (SELECT id FROM visits WHERE cost > 30)',
    'd.visit IN (SELECT visit FROM drugs GROUP BY visit HAVING sum(dose) > 30)',
    'd.visit NOT IN (SELECT visit FROM drugs GROUP BY visit HAVING sum(dose) > 30)',
    'EXISTS (SELECT FROM visits v JOIN people p ON p.id = v.person WHERE v.id = d.visit AND p.born > 1990)']);
SELECT * FROM same('visits v JOIN people p ON v.person = p.id JOIN wards w ON w.ward = v.ward', ARRAY[
    'EXISTS (SELECT FROM visits o WHERE o.person = p.id AND o.number > v.number AND o.ward <> w.ward)',
    'NOT EXISTS (SELECT FROM drugs d WHERE d.visit = v.id AND d.dose IS NULL) AND EXISTS (SELECT FROM visits o WHERE o.person = v.person AND o.number = 6)']);
-- A row that may miss. Where it does, the comparison says nothing, not even whether others have such rows: PostgreSQL finds x NOT IN
-- (SELECT y ...) true of an unknown x where nobody has one.
SELECT * FROM same('people p LEFT JOIN visits v ON v.person = p.id AND v.number = 2', ARRAY[
    'EXISTS (SELECT FROM drugs d WHERE d.visit = v.id)',
    'NOT EXISTS (SELECT FROM drugs d WHERE d.visit = v.id)',
    'v.person IN (SELECT person FROM visits WHERE cost > 30)',
    'v.person NOT IN (SELECT person FROM visits WHERE cost > 30)']);
SELECT * FROM answers_to('people p LEFT JOIN visits v ON v.person = p.id AND v.number = 2', 'v.person NOT IN (SELECT person FROM visits WHERE cost > 1000)');

-- What a view or subquery chooses there is what may be joined.
CREATE VIEW first_visits WITH (security_invoker) AS SELECT person, cost + 1 AS more, ward FROM visits WHERE number = 1;
CREATE VIEW fenced_visits WITH (security_barrier, security_invoker) AS SELECT person, cost FROM visits WHERE number = 3;
GRANT SELECT ON first_visits, fenced_visits TO regress_asks_ana;
SELECT * FROM same('people p LEFT JOIN (SELECT * FROM visits WHERE number = 2 AND cost > 22) v ON v.person = p.id', ARRAY['v.id IS NULL', 'v.cost > 25']);
SELECT * FROM same('people p LEFT JOIN first_visits f ON f.person = p.id AND f.ward = p.ward', ARRAY['f.more IS NULL', 'f.more > 15', 'true']);
SELECT * FROM same('people p LEFT JOIN fenced_visits f ON f.person = p.id', ARRAY['f.cost IS NULL', 'f.cost > 30']);
SELECT * FROM same('visits v LEFT JOIN (SELECT ward AS w, beds + 1 AS b FROM wards WHERE beds > 15) s ON w = ward', ARRAY['b IS NULL', 'b > 30']);
SELECT * FROM same('people p LEFT JOIN (SELECT person, coalesce(cost, 0) AS c FROM visits) v ON v.person = p.id', ARRAY['c IS NULL']);
SELECT * FROM same('people p LEFT JOIN (SELECT person FROM visits) v ON v.person <> p.id', ARRAY['true']);

-- ---- one value of the same person's rows
SELECT * FROM same('people p', ARRAY[
    '(SELECT count(*) FROM visits v WHERE v.person = p.id) > 3',
    '(SELECT sum(cost) FROM visits v WHERE v.person = p.id) IS NULL',
    'p.born < (SELECT max(cost) * 50 FROM visits v WHERE v.person = p.id AND v.number > 1)',
    '(SELECT avg(d.dose) FROM visits v JOIN drugs d ON d.visit = v.id WHERE v.person = p.id) > 4']);
SELECT * FROM same('people p LEFT JOIN visits v ON v.person = p.id AND v.number = 2 LEFT JOIN drugs d ON d.visit = v.id AND d.number = 1', ARRAY[
    'd.number IS NULL', 'd.dose >= (SELECT min(dose) FROM drugs o WHERE o.visit = v.id)']);
SELECT * FROM same('visits v', ARRAY[
    'v.cost > (SELECT avg(cost) FROM visits o WHERE o.person = v.person)',
    'v.number = (SELECT min(number) FROM visits o WHERE o.person = v.person)',
    '(SELECT born FROM people p WHERE p.id = v.person) > 1990']);
SELECT * FROM same('drugs d', ARRAY[
    'dose > (SELECT 0.5 * avg(dose) FROM drugs o WHERE o.visit = d.visit)',
    '(SELECT cost FROM visits v WHERE v.id = d.visit) > 30']);

-- ---- subqueries of subqueries: of the person of one of the rows above
SELECT * FROM same('people p', ARRAY[
    'EXISTS (SELECT FROM visits v WHERE v.person = p.id AND EXISTS (SELECT FROM drugs d WHERE d.visit = v.id AND d.dose > 8))',
    'EXISTS (SELECT FROM visits v WHERE v.person = p.id AND NOT EXISTS (SELECT FROM drugs d WHERE d.visit = v.id AND d.dose IS NULL) AND v.number > 3)',
    'NOT EXISTS (SELECT FROM visits v WHERE v.person = p.id AND v.id NOT IN (SELECT visit FROM drugs WHERE dose > 3))',
    'p.id IN (SELECT person FROM visits WHERE id IN (SELECT visit FROM drugs WHERE dose = 9))',
    'p.id IN (SELECT person FROM visits WHERE id NOT IN (SELECT visit FROM drugs))',
    'p.id NOT IN (SELECT person FROM visits WHERE NOT EXISTS (SELECT FROM drugs d WHERE d.visit = visits.id AND d.dose = p.born - 1976))',
    '(SELECT count(*) FROM visits v WHERE v.person = p.id AND v.cost > (SELECT avg(cost) FROM visits o WHERE o.person = v.person)) > 2',
    'EXISTS (SELECT FROM visits v WHERE v.person = p.id AND v.ward IN (SELECT ward FROM wards w WHERE NOT EXISTS (SELECT FROM wards x WHERE x.beds > w.beds)))',
    'EXISTS (SELECT FROM wards w WHERE w.ward <> p.ward AND EXISTS (SELECT FROM visits v WHERE v.person = p.id AND v.ward = w.ward GROUP BY v.ward HAVING count(*) > 1))',
    'EXISTS (SELECT FROM visits v WHERE v.person = p.id AND EXISTS (SELECT FROM drugs d WHERE d.visit = v.id AND d.dose > (SELECT avg(e.dose) FROM drugs e JOIN visits z ON z.id = e.visit WHERE z.person = p.id AND EXISTS (SELECT FROM wards WHERE ward = z.ward AND beds > d.number))))']);
SELECT * FROM same('visits v JOIN wards w USING (ward)', ARRAY[
    'v.cost > (SELECT avg(o.cost) FROM visits o WHERE o.person = v.person AND EXISTS (SELECT FROM drugs d WHERE d.visit = o.id AND d.dose > w.beds / 10))']);
SELECT * FROM same('(SELECT * FROM visits v WHERE EXISTS (SELECT FROM drugs d WHERE d.visit = v.id AND NOT EXISTS (SELECT FROM drugs e WHERE e.visit = v.id AND e.dose > d.dose + 4))) s', ARRAY['s.number > 1']);
SELECT as_ana('WITH big AS (SELECT * FROM drugs WHERE dose > 4), dear AS (SELECT * FROM visits v WHERE EXISTS (SELECT FROM big WHERE big.visit = v.id))
    SELECT dp_count(''*'', 1e6) FROM people p WHERE EXISTS (SELECT FROM dear WHERE dear.person = p.id AND dear.id IN (SELECT visit FROM big WHERE number > 2))') AS private,
    (WITH big AS (SELECT * FROM drugs WHERE dose > 4), dear AS (SELECT * FROM visits v WHERE EXISTS (SELECT FROM big WHERE big.visit = v.id))
    SELECT count(*) FROM people p WHERE EXISTS (SELECT FROM dear WHERE dear.person = p.id AND dear.id IN (SELECT visit FROM big WHERE number > 2))) AS plain;
SELECT as_ana('SELECT dp_count(''*'', 1e6) FROM (SELECT person, count(*) AS n FROM visits v WHERE EXISTS (SELECT FROM drugs d WHERE d.visit = v.id
    AND d.dose IN (SELECT number FROM drugs e WHERE e.visit = v.id)) GROUP BY person) q WHERE n > 2') AS private,
    (SELECT count(*) FROM (SELECT person, count(*) AS n FROM somebodys_visits v WHERE EXISTS (SELECT FROM drugs d WHERE d.visit = v.id
    AND d.dose IN (SELECT number FROM drugs e WHERE e.visit = v.id)) GROUP BY person) q WHERE n > 2) AS plain;
-- Other people's at any depth.
SELECT * FROM same('people p', ARRAY[
    'EXISTS (SELECT FROM visits v WHERE v.person = p.id AND EXISTS (SELECT FROM visits o WHERE o.cost = v.cost))',
    'EXISTS (SELECT FROM wards w WHERE EXISTS (SELECT FROM visits v WHERE v.ward = w.ward))',
    'EXISTS (SELECT FROM visits v WHERE v.person = p.id AND EXISTS (SELECT FROM drugs d WHERE d.visit = v.id AND d.dose > (SELECT avg(e.dose) FROM drugs e WHERE e.number = d.number)))',
    'EXISTS (SELECT FROM visits v WHERE v.person = p.id AND v.ward IN (SELECT ward FROM visits))',
    'EXISTS (SELECT FROM visits v WHERE v.person = p.id AND EXISTS (SELECT FROM drugs d WHERE d.visit = v.id AND random() < 0.5))',
    'EXISTS (SELECT FROM visits v WHERE EXISTS (SELECT FROM drugs d WHERE d.visit = v.id AND v.person = p.id))']);

-- ---- public tables, asked about a row or by themselves
SELECT * FROM same('visits v', ARRAY[
    'v.ward IN (SELECT ward FROM wards WHERE region = ''north'')',
    'v.ward NOT IN (SELECT ward FROM wards WHERE region = ''north'')',
    'EXISTS (SELECT FROM wards w WHERE w.ward = v.ward AND w.beds > v.cost)',
    'NOT EXISTS (SELECT FROM wards w WHERE w.ward = v.ward AND w.beds > v.cost)',
    'v.number NOT IN (SELECT n FROM listed)',
    'v.number NOT IN (SELECT n FROM listed WHERE n IS NOT NULL)',
    'v.number IN (SELECT DISTINCT n FROM listed) OR v.number = 6',
    'v.cost > (SELECT avg(beds) FROM wards)',
    'v.cost > (SELECT max(beds) FROM wards w WHERE w.ward <= v.ward)',
    'v.cost BETWEEN (SELECT min(beds) FROM wards) AND (SELECT max(n) * 10 FROM listed)',
    'v.cost > (SELECT beds FROM wards w WHERE w.ward = ''b'')',
    'v.cost > (SELECT beds FROM wards w WHERE w.ward = v.ward)',
    'v.ward IN (SELECT max(ward) FROM wards GROUP BY region)',
    'v.cost > (SELECT beds FROM wards WHERE region = ''north'')',
    'v.cost > (SELECT beds FROM wards ORDER BY ward LIMIT 1)',
    'v.number = (SELECT 2)']);

-- ---- in ordinary SQL: what a subquery counts is no answer
SET ROLE regress_asks_ana;
SELECT count(*) AS private FROM people p WHERE (SELECT count(*) FROM visits v WHERE v.person = p.id) > 3;
SELECT count(*) AS private FROM people p WHERE p.id IN (SELECT person FROM visits GROUP BY person HAVING count(*) > 4);
WITH dear AS (SELECT * FROM visits WHERE cost > 20) SELECT count(*) AS private FROM people p WHERE EXISTS (SELECT FROM dear WHERE dear.person = p.id);
-- In a subquery that chooses rows, and in one that groups by the unit.
SELECT count(*) AS private FROM (SELECT born FROM people p WHERE NOT EXISTS (SELECT FROM visits WHERE person = p.id)) AS s WHERE born > 1970;
SELECT n, count(*) FROM (SELECT person, count(*) AS n FROM visits v WHERE EXISTS (SELECT FROM drugs d WHERE d.visit = v.id AND dose > 8) GROUP BY person) AS s
GROUP BY n ORDER BY n LIMIT 4;
SELECT dp_count('*', 1e6) AS one_to_three FROM (SELECT person, count(*) AS n FROM visits GROUP BY person) AS s WHERE n IN (SELECT n FROM listed);
-- Groups, sums, parameters under plans for any value.
SELECT p.ward, dp_count('*', 1e6) FROM people p JOIN wards USING (ward) WHERE EXISTS (SELECT FROM visits v WHERE v.person = p.id AND v.ward = p.ward) GROUP BY p.ward;
SELECT dp_sum(cost, 0, 100, 1e6), dp_count(DISTINCT person, 1e6) FROM visits v WHERE NOT EXISTS (SELECT FROM visits o WHERE o.person = v.person AND o.number > v.number);
PREPARE q (int) AS SELECT dp_count('*', 1e6) FROM people p WHERE p.born > $1 AND (SELECT count(*) FROM visits v WHERE v.person = p.id AND v.cost > $1 - 1960) > $1 - 1968;
EXECUTE q (1970);
SET plan_cache_mode = force_generic_plan;
EXECUTE q (1970);
RESET plan_cache_mode;
-- Each table that is asked pays, once.
SELECT relation, role, epsilon FROM dp.cost($$SELECT dp_count('*', 0.5) FROM people p WHERE EXISTS (SELECT FROM visits v WHERE v.person = p.id)$$) ORDER BY 1, 2;
SELECT relation, role, epsilon FROM dp.cost($$SELECT dp_count('*', 0.5) FROM visits v WHERE EXISTS (SELECT FROM visits o WHERE o.person = v.person AND o.id <> v.id)$$);
SELECT relation, role, epsilon FROM dp.cost($$SELECT dp_count('*', 0.5) FROM visits v WHERE EXISTS (SELECT FROM wards w WHERE w.ward = v.ward)$$);
RESET ROLE;

-- ---- the same question again: whatever its subquery calls its tables, and only with the same values in it
SELECT dp.protect('people', 1e9, 0.5, privacy_unit => 'id', answer_epsilon => 1e6, reuse => '1 day');
SELECT dp.public_values('people', 'ward', 'a', 'b', 'c', 'd');
SELECT max(seq) AS before FROM dp.ledger \gset
SET ROLE regress_asks_ana;
PREPARE listed_wards (int) AS SELECT ward, dp_count('*', 1e6) FROM people p WHERE ward IN (SELECT ward FROM wards w WHERE w.beds > $1) AND p.ward <> 'c' GROUP BY ward;
PREPARE the_same (int) AS SELECT ward, dp_count('*', 1e6) FROM people q WHERE ward IN (SELECT u.ward FROM wards AS u WHERE u.beds > $1) AND q.ward <> 'c' GROUP BY ward;
SET plan_cache_mode = force_generic_plan;
EXECUTE listed_wards (15);
EXECUTE listed_wards (30);
EXECUTE the_same (30);
SELECT ward, dp_count('*', 1e6) FROM people p WHERE p.ward <> 'c' GROUP BY ward;
SELECT ward, dp_count('*', 1e6) FROM people p WHERE ward IN (SELECT ward FROM wards w WHERE w.beds > 30) GROUP BY ward;
RESET plan_cache_mode;
DEALLOCATE listed_wards;
DEALLOCATE the_same;
RESET ROLE;
SELECT kind, epsilon FROM dp.ledger WHERE relation = 'people'::regclass AND seq > :before AND kind <> 'reuse' ORDER BY seq;
-- What a subquery says of a group is not asked of an answer.
SELECT dp.protect('others', 1e9, 0.5, reuse => '1 day'), dp.public_values('others', 'x', 1, 2, 300);
SET ROLE regress_asks_ana;
SELECT x, dp_count('*', 1e6) FROM others GROUP BY x;
SELECT x, dp_count('*', 1e6) FROM others WHERE x IN (SELECT n FROM listed) GROUP BY x;
SELECT x, dp_count('*', 1e6) FROM others WHERE x < (SELECT max(n) FROM listed) GROUP BY x;
SELECT x, dp_count('*', 1e6) FROM others WHERE x < 300 GROUP BY x;
RESET ROLE;
SELECT kind, epsilon FROM dp.ledger WHERE relation = 'others'::regclass AND kind <> 'reuse' ORDER BY seq;

-- ---- what may be of other people
SELECT * FROM same('people p', ARRAY[
    'EXISTS (SELECT FROM visits)',
    'EXISTS (SELECT FROM visits v WHERE v.ward = p.ward)',
    'EXISTS (SELECT FROM visits v WHERE v.person >= p.id)',
    'EXISTS (SELECT FROM visits v WHERE v.person = p.id + 1)',
    'EXISTS (SELECT FROM visits v WHERE v.person = p.id OR v.cost > 20)',
    'EXISTS (SELECT FROM visits v WHERE NOT v.person <> p.id)',
    'EXISTS (SELECT FROM visits v WHERE v.person IS NOT DISTINCT FROM p.id)',
    'EXISTS (SELECT FROM visits v JOIN visits o ON o.ward = v.ward WHERE v.person = p.id)',
    'EXISTS (SELECT FROM wards w LEFT JOIN visits v ON v.ward = w.ward WHERE v.person = p.id OR v.id IS NULL)',
    'EXISTS (SELECT FROM drugs d WHERE d.visit = p.id)',
    'EXISTS (SELECT FROM others o WHERE o.person = p.id)',
    'p.ward IN (SELECT ward FROM visits)',
    'p.id > ALL (SELECT person FROM visits)',
    'p.ward <> ALL (SELECT ward FROM visits)',
    'p.id > ANY (SELECT person FROM visits)',
    'p.id IN (SELECT person + 0 FROM visits)',
    'p.id IN (SELECT min(person) FROM visits GROUP BY ward)',
    'p.id IN (SELECT max(person) FROM visits)',
    'p.id IN (SELECT person FROM visits GROUP BY person, ward HAVING count(*) > 1)',
    'p.ward IN (SELECT ward FROM visits GROUP BY person, ward)',
    'p.id IN (SELECT person FROM visits GROUP BY id HAVING count(*) > 0)',
    '(p.id, p.ward) NOT IN (SELECT person, ward FROM visits)',
    'p.born > (SELECT avg(cost) FROM visits)',
    'p.born > (SELECT avg(cost) FROM visits v WHERE v.ward = p.ward)',
    'p.born > (SELECT cost FROM visits v WHERE v.person = p.id)',
    'p.born > (SELECT max(cost) FROM visits v WHERE v.person = p.id GROUP BY v.ward)']);
SELECT * FROM same('drugs d', ARRAY[
    'EXISTS (SELECT FROM drugs o WHERE o.number = d.number)',
    'dose > (SELECT 0.5 * avg(dose) FROM drugs o WHERE o.number = d.number)',
    'd.number IN (SELECT number FROM visits)',
    'd.visit NOT IN (SELECT o.visit FROM wards w LEFT JOIN drugs o ON o.dose > w.beds)',
    'd.visit IN (SELECT o.visit FROM wards w LEFT JOIN drugs o ON o.dose > w.beds)']);
SELECT * FROM same('others o', ARRAY['EXISTS (SELECT FROM others e WHERE e.person = o.person)', 'EXISTS (SELECT FROM listed WHERE n = o.x)']);
SELECT * FROM same('wards w', ARRAY['EXISTS (SELECT FROM visits v WHERE v.ward = w.ward)']);

-- ---- what can fail, and what is not asked
SELECT * FROM same('people p', ARRAY[
    'EXISTS (SELECT FROM visits v WHERE v.person = p.id AND random() < 0.5)',
    'EXISTS (SELECT FROM visits v WHERE v.person = p.id AND 100 / v.cost > 1)',
    'EXISTS (SELECT FROM visits v WHERE v.person = p.id AND quote_literal(v.ward) > ''a'')',
    'quote_literal(p.ward) IN (SELECT ward FROM wards)',
    'p.ward IN (SELECT quote_literal(ward) FROM wards)',
    'quote_literal(p.ward) > ''a'' OR EXISTS (SELECT FROM visits v WHERE v.person = p.id)',
    'EXISTS (SELECT FROM visits v WHERE v.person = p.id HAVING quote_literal(max(v.ward)) > ''a'')',
    'EXISTS (SELECT FROM visits v LEFT JOIN wards w ON quote_literal(w.ward) = v.ward WHERE v.person = p.id)',
    '(SELECT string_agg(v.ward, '''') FROM visits v WHERE v.person = p.id) = ''a''',
    'EXISTS (SELECT FROM wards LIMIT 0)',
    'EXISTS (SELECT FROM visits v WHERE v.person = p.id OFFSET 1)',
    'EXISTS (SELECT FROM visits v WHERE v.person = p.id FOR UPDATE)',
    'EXISTS (SELECT FROM visits v WHERE v.person = p.id UNION SELECT FROM visits)',
    'EXISTS (SELECT FROM visits v, LATERAL (SELECT FROM drugs d WHERE d.visit = v.id) s WHERE v.person = p.id)',
    'EXISTS (SELECT FROM visits v TABLESAMPLE SYSTEM (50) WHERE v.person = p.id)',
    'EXISTS (SELECT FROM visits v WHERE v.person = p.id AND v.ctid IS NOT NULL)',
    'EXISTS (SELECT FROM generate_series(1, 2))',
    '(SELECT dp_count(''*'', 1e6) FROM visits) > 3',
    'ARRAY(SELECT cost FROM visits v WHERE v.person = p.id) = ''{1}''',
    '(p.id, p.born) = (SELECT person, cost FROM visits v WHERE v.id = p.id)']);
SET ROLE regress_asks_ana;
SELECT dp_count('*', 1) FROM people p LEFT JOIN visits v ON v.person = p.id AND EXISTS (SELECT FROM wards w WHERE w.ward = v.ward);
SELECT n, (SELECT dp_count('*', 1) FROM people p WHERE EXISTS (SELECT FROM visits v WHERE v.person = p.id AND v.cost > n)) FROM listed;
RESET ROLE;

-- ---- permissions: of a public table, of a view, and of a table without a budget
REVOKE SELECT ON listed FROM regress_asks_ana;
CREATE VIEW dear AS SELECT * FROM visits WHERE cost > 20;
CREATE VIEW of_invoker WITH (security_invoker) AS SELECT * FROM visits WHERE cost > 20;
CREATE VIEW fenced WITH (security_barrier) AS SELECT * FROM visits WHERE cost > 20;
CREATE VIEW with_drugs WITH (security_invoker) AS SELECT * FROM visits v WHERE EXISTS (SELECT FROM drugs d WHERE d.visit = v.id AND d.dose > 5);
CREATE VIEW fenced_asks WITH (security_barrier) AS SELECT * FROM visits v WHERE EXISTS (SELECT FROM drugs d WHERE d.visit = v.id);
GRANT SELECT ON of_invoker, fenced, with_drugs, fenced_asks TO regress_asks_ana;
SELECT dp.revoke_budget('drugs', 'regress_asks_ana') IS NOT NULL AS revoked;
SELECT * FROM same('people p', ARRAY[
    'EXISTS (SELECT FROM listed WHERE n = p.id)',
    'EXISTS (SELECT FROM dear WHERE dear.person = p.id)',
    'EXISTS (SELECT FROM of_invoker v WHERE v.person = p.id)',
    'EXISTS (SELECT FROM fenced v WHERE v.person = p.id)',
    'EXISTS (SELECT FROM visits v JOIN drugs d ON d.visit = v.id WHERE v.person = p.id)']);
SELECT dp.grant_budget('drugs', 'regress_asks_ana', 1e9, 0.5, allow_leaks => true);
SELECT * FROM same('with_drugs v', ARRAY['v.cost > 30 AND v.person IS NOT NULL']);
SELECT * FROM same('fenced_asks v', ARRAY['v.cost > 30']);
-- The owner of a public table, who would see how often it is looked at, must be a curator.
ALTER TABLE wards OWNER TO regress_asks_ana;
SELECT * FROM same('visits v', ARRAY['EXISTS (SELECT FROM wards w WHERE w.ward = v.ward)', 'v.cost > (SELECT avg(beds) FROM wards)']);
ALTER TABLE wards OWNER TO CURRENT_USER;
GRANT SELECT ON wards TO regress_asks_ana;
-- A table of which a part is protected is not public.
CREATE TABLE stock (ward text, person int);
CREATE TABLE stock_of_people () INHERITS (stock);
INSERT INTO stock_of_people SELECT 'a', 1;
GRANT SELECT ON stock TO regress_asks_ana;
SELECT dp.protect('stock_of_people', 1, privacy_unit => 'person', max_rows_per_unit => 1);
SELECT * FROM same('visits v', ARRAY['EXISTS (SELECT FROM stock s WHERE s.ward = v.ward)', 'EXISTS (SELECT FROM ONLY stock s WHERE s.ward = v.ward)']);
SELECT dp.unprotect('stock_of_people');
DROP TABLE stock CASCADE;
ALTER TABLE drugs ENABLE ROW LEVEL SECURITY;
SELECT * FROM same('visits v', ARRAY['EXISTS (SELECT FROM drugs d WHERE d.visit = v.id)']);
ALTER TABLE drugs DISABLE ROW LEVEL SECURITY;

-- ---- what it relies on is looked at again when it runs
SET ROLE regress_asks_ana;
PREPARE prepared AS SELECT dp_count('*', 1e6) FROM visits v WHERE (SELECT born FROM people p WHERE p.id = v.person) > 1990;
EXECUTE prepared;
PREPARE along AS SELECT dp_count('*', 1e6) FROM drugs d WHERE EXISTS (SELECT FROM drugs o WHERE o.visit = d.visit AND o.number > d.number);
EXECUTE along;
RESET ROLE;
ALTER TABLE drugs DROP CONSTRAINT drugs_visit_fkey;
SET ROLE regress_asks_ana;
EXECUTE along;
RESET ROLE;
ALTER TABLE visits DROP CONSTRAINT visits_person_fkey;
ALTER TABLE people DROP CONSTRAINT people_pkey;
INSERT INTO people SELECT 1, 1999, 'a';
SET ROLE regress_asks_ana;
EXECUTE prepared;
DEALLOCATE ALL;
RESET ROLE;

SELECT dp.unprotect(t) FROM unnest('{drugs,visits,people,others}'::regclass[]) t;
DROP FUNCTION same, answers_to, as_ana;
DROP TABLE drugs, visits, people, others, wards, listed CASCADE;
DROP ROLE regress_asks_ana;
