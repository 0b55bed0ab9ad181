-- How many different units there are is exact by groups, whichever of the joined tables names them, and whatever is asked beside it.
CALL own_schema('unit_counted');
SET client_min_messages = error;
CREATE ROLE regress_counting;
CREATE TABLE people (p int PRIMARY KEY, sex text NOT NULL);
INSERT INTO people SELECT p, (ARRAY['f', 'm'])[1 + p % 2] FROM generate_series(1, 400) p;
CREATE TABLE visits (p int NOT NULL, ward int NOT NULL, code int);
INSERT INTO visits SELECT p, r % 3, nullif(r % 5, 4) FROM generate_series(1, 300) p, generate_series(0, 5) r;
CREATE TABLE drugs (p int NOT NULL, drug int NOT NULL);
INSERT INTO drugs SELECT p, r FROM generate_series(201, 400) p, generate_series(0, 1) r;
SELECT dp.protect(t, 9e9, privacy_unit => 'p', answer_epsilon => 1e6), dp.grant_budget(t, 'regress_counting', 9e9, allow_leaks => true)
FROM unnest('{people,visits,drugs}'::regclass[]) t \g /dev/null
SELECT dp.public_values('people', 'sex', 'f', 'm'), dp.public_values('visits', 'ward', 0, 1, 2), dp.public_values('drugs', 'drug', 0, 1) \g /dev/null
CREATE TABLE questions (number serial, question text);
INSERT INTO questions (question) VALUES
    ('SELECT ward, count(DISTINCT visits.p) AS a, count(DISTINCT people.p) AS b, count(*) AS c FROM visits JOIN people USING (p) GROUP BY ward'),
    ('SELECT ward, count(DISTINCT people.p) AS a FROM visits JOIN people ON people.p = visits.p AND people.sex = ''f'' GROUP BY ward'),
    ('SELECT sex, ward, count(DISTINCT visits.p) AS a, count(DISTINCT people.p) FILTER (WHERE people.p < 350) AS b FROM people LEFT JOIN visits USING (p) GROUP BY sex, ward'),
    ('SELECT sex, count(DISTINCT visits.p) AS a, count(DISTINCT people.p) AS b FROM people LEFT JOIN visits USING (p) GROUP BY sex'),
    ('SELECT sex, ward, count(DISTINCT visits.p) AS a FROM people LEFT JOIN visits USING (p) GROUP BY ROLLUP (sex, ward)'),
    ('SELECT ward, count(DISTINCT coalesce(visits.p, drugs.p)) AS a, count(DISTINCT drugs.p) AS b, count(DISTINCT visits.p) AS c FROM visits FULL JOIN drugs USING (p) GROUP BY ward'),
    ('SELECT ward, count(DISTINCT p) AS a, count(DISTINCT p) FILTER (WHERE drug = 1) AS b FROM visits FULL JOIN drugs USING (p) GROUP BY ward'),
    ('SELECT ward, count(DISTINCT p) AS a, count(DISTINCT code) AS b FROM visits GROUP BY ward'),
    ('SELECT ward, count(DISTINCT p) AS a, count(DISTINCT code) AS b FROM (SELECT code, ward, p FROM visits GROUP BY p, ward, code) AS each GROUP BY ward'),
    ('SELECT ward, count(DISTINCT code) AS b FROM (SELECT code, ward, p FROM visits GROUP BY p, ward, code) AS each GROUP BY ward'),
    ('SELECT count(DISTINCT code) AS a FROM (SELECT code, p FROM visits GROUP BY code, p) AS each'),
    ('SELECT count(DISTINCT p) AS a, count(DISTINCT code) AS b FROM visits');
-- Groups that are known, and in which nobody is, come with zeros, which PostgreSQL does not show.
CREATE FUNCTION rows_of(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY EXECUTE format('SELECT answer::text FROM (%s) AS answer WHERE to_jsonb(answer)::text ~ '': [1-9]'' ORDER BY 1', query);
END $$;
CREATE FUNCTION exact(query text) RETURNS text LANGUAGE sql SECURITY DEFINER AS $$ SELECT string_agg(r, ' ') FROM rows_of(query) r $$;
GRANT SELECT ON questions TO regress_counting;
CREATE FUNCTION differences() RETURNS TABLE (number int, answered text, exactly text) LANGUAGE sql AS $$
    SELECT q.number, a, e FROM questions q, LATERAL (SELECT string_agg(r, ' ') FROM rows_of(q.question) r) v (a), exact(q.question) e
    WHERE a IS DISTINCT FROM e
$$;
SELECT count(*) AS with_answers FROM questions q WHERE exact(q.question) IS NOT NULL;
SET ROLE regress_counting;
SELECT * FROM differences();
RESET ROLE;
-- Under declared limits that leave what is there.
SELECT dp.protect(t, 9e9, privacy_unit => 'p', max_rows_per_unit => 60) FROM unnest('{visits,drugs}'::regclass[]) t \g /dev/null
SET ROLE regress_counting;
SELECT * FROM differences();
-- And under such as leave one row of a unit, a unit is in one group.
SET dp.max_rows_per_unit = 1;
SELECT count(DISTINCT people.p) AS all_of_them, count(DISTINCT visits.p) FILTER (WHERE ward = 0) AS in_one FROM visits JOIN people USING (p);
SELECT sum(a) AS once_each FROM (SELECT ward, count(DISTINCT people.p) AS a FROM visits JOIN people USING (p) GROUP BY ward) AS by_ward;
RESET dp.max_rows_per_unit;
RESET ROLE;
SELECT dp.unprotect(t) FROM unnest('{people,visits,drugs}'::regclass[]) t \g /dev/null
DROP SCHEMA unit_counted CASCADE;
DROP OWNED BY regress_counting;
DROP ROLE regress_counting;
