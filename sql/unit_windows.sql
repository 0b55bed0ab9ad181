-- Windows within one person: row_number(), lag(), sums OVER (PARTITION BY person ...), DISTINCT ON (person), LATERAL ... LIMIT 1. Each
-- question at epsilon 1e6 beside the superuser's answer over copies that may be read.
CALL own_schema('unit_windows');
SET client_min_messages = error;
CREATE ROLE regress_windows_ana;
CREATE TABLE stay_wards (id int PRIMARY KEY, name text NOT NULL);
INSERT INTO stay_wards SELECT w, 'w' || w FROM generate_series(1, 3) w;
CREATE TABLE stay_people (id int PRIMARY KEY, sex text NOT NULL);
INSERT INTO stay_people SELECT p, CASE WHEN p % 2 = 0 THEN 'f' ELSE 'm' END FROM generate_series(1, 120) p;
-- Person p has p % 6 visits, on days that differ; ten visits are nobody's.
CREATE TABLE stay_visits (id int PRIMARY KEY, person int REFERENCES stay_people, day date NOT NULL, at timestamptz NOT NULL, ward int NOT NULL REFERENCES stay_wards, cost int NOT NULL, paid float8 NOT NULL, note text);
INSERT INTO stay_visits SELECT 10 * p + v, p, d, d + time '08:00', 1 + (p + v) % 3, (p * 7 + v * 13) % 50, (p * 7 + v * 13) % 50 + 0.5, nullif('n' || v % 3, 'n0')
FROM generate_series(1, 120) p, generate_series(1, p % 6) v, LATERAL (SELECT date '2024-01-01' + (p * 13 + v * v * 7) % 300 AS d) x;
INSERT INTO stay_visits SELECT -n, NULL, '2024-03-01', '2024-03-01', 1, n, n, 'nobody' FROM generate_series(1, 10) n;
-- Lines of visits: the unit is a path.
CREATE TABLE stay_lines (visit int NOT NULL REFERENCES stay_visits, pos int NOT NULL, quantity int NOT NULL);
INSERT INTO stay_lines SELECT v.id, l, (v.id + l) % 7 FROM stay_visits v, generate_series(1, 1 + abs(v.id) % 3) l WHERE v.person IS NOT NULL;
CREATE TABLE stay_far (person int NOT NULL, day date NOT NULL, at timestamp NOT NULL, free float8 NOT NULL);
INSERT INTO stay_far SELECT p, d, at, f FROM generate_series(1, 9) p, (VALUES ('5874897-12-31'::date, '294276-12-31'::timestamp, 1e308::float8), ('infinity', '-infinity', 'infinity'), ('4713-01-01 BC', '4713-01-01 BC', 'NaN'), ('2024-01-01', '2024-01-01', -1e308)) v (d, at, f);
CREATE TABLE plain_wards AS TABLE stay_wards;
CREATE TABLE plain_people AS TABLE stay_people;
CREATE TABLE plain_visits AS SELECT * FROM stay_visits WHERE person IS NOT NULL;
CREATE TABLE plain_lines AS TABLE stay_lines;
ALTER TABLE plain_visits ADD PRIMARY KEY (id);
ANALYZE stay_wards, stay_people, stay_visits, stay_lines, stay_far;
GRANT SELECT ON stay_wards, plain_wards, plain_people, plain_visits, plain_lines TO regress_windows_ana;
SELECT dp.protect('stay_people', 1e9, privacy_unit => 'id', answer_epsilon => 1e6);
SELECT dp.protect('stay_visits', 1e9, privacy_unit => 'person', max_rows_per_unit => 10, answer_epsilon => 1e6);
SELECT dp.protect('stay_lines', 1e9, privacy_unit => 'visit.person', max_rows_per_unit => 30, answer_epsilon => 1e6);
SELECT dp.protect('stay_far', 1e9, privacy_unit => 'person', max_rows_per_unit => 10, answer_epsilon => 1e6);
SELECT dp.grant_budget(t, 'regress_windows_ana', 1e9, allow_leaks => true) FROM unnest('{stay_people,stay_visits,stay_lines,stay_far}'::regclass[]) t;
SELECT dp.public_values('stay_people', 'sex', 'f', 'm'), dp.declare_range('stay_visits', 'day', '2024-01-01', '2024-12-31'), dp.declare_range('stay_visits', 'cost', '0', '50'),
    dp.declare_range('stay_visits', 'at', '2024-01-01', '2024-12-31'), dp.declare_range('stay_visits', 'paid', '0', '51'), dp.declare_range('stay_lines', 'quantity', '0', '10'), dp.declare_range('stay_lines', 'pos', '1', '3');

CREATE FUNCTION compared(queries text[]) RETURNS TABLE (query text, answers text) LANGUAGE sql AS $$
    SELECT q, CASE WHEN plain IS NOT DISTINCT FROM private THEN 'same' ELSE concat_ws(' | ', left(plain, 120), left(private, 160)) END
    FROM unnest(queries) WITH ORDINALITY AS u (q, i), both_answers(format('SELECT r::text FROM (%s) AS r', q), plans => '{custom}', protected => 'stay_', readable => 'plain_') ORDER BY i $$;
CREATE FUNCTION answers_of(query text, times int) RETURNS SETOF numeric LANGUAGE plpgsql AS $$
DECLARE
    answer numeric;
BEGIN
    FOR i IN 1 .. times LOOP
        EXECUTE query INTO answer;
        RETURN NEXT answer;
    END LOOP;
END $$;
CREATE FUNCTION lines_of(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    line text;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
        IF line ~ 'Private Form|Privacy Unit' THEN RETURN NEXT trim(line); END IF;
    END LOOP;
END $$;
CREATE FUNCTION message_of(query text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE query;
    RETURN 'answered';
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
\pset format unaligned
\pset tuples_only on
SET ROLE regress_windows_ana;

-- ---- the first, the latest, the second of each person
SELECT * FROM compared(ARRAY[
    'SELECT count(*), sum(cost) FROM (SELECT person, cost, row_number() OVER (PARTITION BY person ORDER BY day) AS rn FROM stay_visits) x WHERE rn = 1',
    'SELECT w.name, count(*) FROM (SELECT *, row_number() OVER (PARTITION BY person ORDER BY day DESC) AS rn FROM stay_visits) x JOIN stay_wards w ON w.id = x.ward WHERE x.rn = 1 GROUP BY 1 ORDER BY 1',
    'WITH numbered AS (SELECT person, day, cost, row_number() OVER w AS rn, count(*) OVER (PARTITION BY person) AS n FROM stay_visits WINDOW w AS (PARTITION BY person ORDER BY day)) SELECT count(*), sum(n) FROM numbered WHERE rn = 2 AND n <= 6',
    'SELECT count(*), sum(d) FROM (SELECT cost - lag(cost) OVER (PARTITION BY person ORDER BY day, id) AS d FROM stay_visits) x WHERE d < 0',
    'SELECT date_trunc(''month'', day), count(*) FROM (SELECT day, row_number() OVER (PARTITION BY person ORDER BY day) AS rn FROM stay_visits) x WHERE rn = 1 AND day < ''2024-05-01'' GROUP BY 1 ORDER BY 1',
    'SELECT sex, avg(x.cost)::numeric(10,2) FROM stay_people p JOIN (SELECT person, cost, row_number() OVER (PARTITION BY person ORDER BY day) AS rn FROM stay_visits) x ON x.person = p.id AND x.rn = 1 GROUP BY 1 ORDER BY 1',
    'SELECT sex, count(*), count(x.person) FROM stay_people p LEFT JOIN (SELECT person, cost, row_number() OVER (PARTITION BY person ORDER BY day) AS rn FROM stay_visits) x ON x.person = p.id AND x.rn = 1 GROUP BY 1 ORDER BY 1',
    'SELECT count(*), sum(cost) FROM (SELECT DISTINCT ON (person) person, day, cost FROM stay_visits ORDER BY person, day) x',
    'SELECT w.name, sum(x.cost) FROM (SELECT DISTINCT ON (person) ward, cost FROM stay_visits WHERE cost > 10 ORDER BY person, day DESC) x JOIN stay_wards w ON w.id = x.ward GROUP BY 1 ORDER BY 1',
    'SELECT count(*), sum(cost) FROM (SELECT DISTINCT ON (person, ward) cost FROM stay_visits ORDER BY person, ward, day DESC) x',
    'SELECT sum(cost) FROM (SELECT DISTINCT person, first_value(cost) OVER (PARTITION BY person ORDER BY day) AS cost FROM stay_visits) x',
    'SELECT rn, count(*) FROM (SELECT row_number() OVER (PARTITION BY person ORDER BY day) AS rn FROM stay_visits) x WHERE rn <= 5 GROUP BY rn ORDER BY rn']);

-- ---- chosen from by a subquery's answer, in a question that another level takes together
SELECT * FROM compared(ARRAY[
    'SELECT max(n) FROM (SELECT ward, count(*) AS n FROM (SELECT DISTINCT ON (person) ward, cost FROM stay_visits ORDER BY person, day) x WHERE cost NOT IN (SELECT 41) GROUP BY ward) y',
    'SELECT sum(n)::int FROM (SELECT m AS n FROM (SELECT ward, count(*) AS m FROM (SELECT DISTINCT ON (person) ward, cost FROM stay_visits ORDER BY person, day) x WHERE cost > (SELECT 20) GROUP BY ward) y) z',
    'SELECT min(n) FROM (SELECT ward, count(*) AS n FROM (SELECT ward, cost, row_number() OVER (PARTITION BY person ORDER BY day) AS rn FROM stay_visits) x WHERE rn = 1 AND cost IN (SELECT generate_series(10, 40)) GROUP BY ward) y',
    'SELECT count(*), max(text) FROM (SELECT n, ''a'' AS text FROM (SELECT ward, count(*) AS n FROM (SELECT ward, cost, lag(cost) OVER (PARTITION BY person ORDER BY day) AS before FROM stay_visits) x WHERE before NOT IN (SELECT 41) GROUP BY ward) y) z']);

-- ---- from one visit to the next
SELECT * FROM compared(ARRAY[
    'SELECT count(gap), sum(gap), avg(gap)::numeric(10,2) FROM (SELECT day - lag(day) OVER (PARTITION BY person ORDER BY day) AS gap FROM stay_visits) x',
    'SELECT count(*) FROM (SELECT person, day, lag(day) OVER (PARTITION BY person ORDER BY day) AS before FROM stay_visits) x WHERE day - before <= 30',
    'SELECT count(*), count(DISTINCT person) FROM (SELECT person, day, lead(day) OVER (PARTITION BY person ORDER BY day) AS next FROM stay_visits) x WHERE next < day + 30',
    'SELECT sum(rise) FROM (SELECT cost - lag(cost, 1, cost) OVER (PARTITION BY person ORDER BY day) AS rise FROM stay_visits) x',
    'SELECT count(*) FROM (SELECT ward, lag(ward) OVER (PARTITION BY person ORDER BY day) AS before FROM stay_visits) x WHERE before <> ward',
    'SELECT a.name, b.name, count(*) FROM (SELECT ward, lead(ward) OVER (PARTITION BY person ORDER BY day) AS next FROM stay_visits) x JOIN stay_wards a ON a.id = x.ward JOIN stay_wards b ON b.id = x.next GROUP BY 1, 2 HAVING count(*) > 0 ORDER BY 1, 2',
    'SELECT avg(days)::numeric(10,2) FROM (SELECT person, avg(gap) AS days FROM (SELECT person, day - lag(day) OVER (PARTITION BY person ORDER BY day) AS gap FROM stay_visits) y GROUP BY person) x']);

-- ---- sums and counts of a person's rows, ranks, frames
SELECT * FROM compared(ARRAY[
    'SELECT count(*) FROM (SELECT cost, avg(cost) OVER (PARTITION BY person) AS mean FROM stay_visits) x WHERE cost > mean',
    'SELECT count(*) FROM (SELECT person, day, sum(cost) OVER (PARTITION BY person ORDER BY day) AS sofar FROM stay_visits) x WHERE sofar > 60',
    'SELECT sum(n)::int FROM (SELECT count(*) OVER (PARTITION BY person ORDER BY day RANGE BETWEEN ''30 days'' PRECEDING AND CURRENT ROW) AS n FROM stay_visits) x',
    'SELECT count(*) FROM (SELECT sum(paid) OVER (PARTITION BY person ORDER BY day ROWS UNBOUNDED PRECEDING) AS a, avg(paid) OVER (PARTITION BY person) AS b, sum(paid::numeric) OVER (PARTITION BY person ORDER BY day) AS c FROM stay_visits) x WHERE a > 60 AND b < 40 AND c > 60',
    'SELECT sum(n)::int FROM (SELECT sum(cost) OVER (PARTITION BY person ORDER BY at RANGE BETWEEN ''2 months'' PRECEDING AND ''1 day'' PRECEDING) AS n FROM stay_visits) x',
    'SELECT sum(m)::int FROM (SELECT max(cost) OVER (PARTITION BY person ORDER BY day ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS m FROM stay_visits) x',
    'SELECT sum(n)::int FROM (SELECT count(*) FILTER (WHERE cost > 20) OVER (PARTITION BY person ORDER BY cost GROUPS 1 PRECEDING) AS n FROM stay_visits) x',
    'SELECT sum(n)::int FROM (SELECT count(*) OVER (PARTITION BY person ORDER BY cost RANGE BETWEEN 10 PRECEDING AND 10 FOLLOWING EXCLUDE CURRENT ROW) AS n FROM stay_visits) x',
    'SELECT count(*) FROM (SELECT rank() OVER (PARTITION BY person ORDER BY cost DESC) AS r, dense_rank() OVER (PARTITION BY person ORDER BY ward) AS d, percent_rank() OVER (PARTITION BY person ORDER BY cost) AS p FROM stay_visits) x WHERE r <= 2 AND d = 1 AND p < 0.9',
    'SELECT sum(c)::int, sum(q) FROM (SELECT cume_dist() OVER (PARTITION BY person ORDER BY day) AS c, ntile(2) OVER (PARTITION BY person ORDER BY day) AS q FROM stay_visits) x',
    'SELECT sum(a), sum(z), sum(s) FROM (SELECT first_value(cost) OVER w AS a, last_value(cost) OVER w AS z, nth_value(cost, 2) OVER w AS s FROM stay_visits WINDOW w AS (PARTITION BY person ORDER BY day ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)) x',
    'SELECT count(*) FROM (SELECT person, max(note) OVER (PARTITION BY person) AS m, bool_or(cost > 40) OVER (PARTITION BY person) AS dear FROM stay_visits) x WHERE m = ''n2'' AND dear',
    'SELECT count(*) FROM (SELECT person, ward, sum(cost) AS spent, rank() OVER (PARTITION BY person ORDER BY sum(cost) DESC, ward) AS r FROM stay_visits GROUP BY person, ward) x WHERE r = 1 AND spent > 40',
    'SELECT count(*) FROM (SELECT person, date_trunc(''month'', day) AS m, count(*) AS n, lag(count(*)) OVER (PARTITION BY person ORDER BY date_trunc(''month'', day)) AS before FROM stay_visits GROUP BY 1, 2) x WHERE n >= before']);

-- ---- through a path, joins and several levels
SELECT * FROM compared(ARRAY[
    'SELECT count(*), sum(quantity) FROM (SELECT v.person, l.quantity, row_number() OVER (PARTITION BY v.person ORDER BY v.day, l.pos) AS rn FROM stay_lines l JOIN stay_visits v ON v.id = l.visit) x WHERE rn <= 2',
    'SELECT count(*) FROM (SELECT l.quantity - lag(l.quantity) OVER (PARTITION BY v.person, l.visit ORDER BY l.pos) AS rise FROM stay_lines l JOIN stay_visits v ON v.id = l.visit) x WHERE rise > 0',
    'SELECT lower(sex), count(*) FROM (SELECT p.sex, row_number() OVER (PARTITION BY p.id ORDER BY v.day) AS rn FROM stay_visits v JOIN stay_people p ON p.id = v.person) x WHERE rn = 3 GROUP BY 1 ORDER BY 1',
    'SELECT upper(k), count(*) FROM stay_people p JOIN (SELECT v.person, w.name AS k, row_number() OVER (PARTITION BY v.person ORDER BY v.day) AS rn FROM stay_visits v JOIN stay_wards w ON w.id = v.ward) x ON x.person = p.id WHERE rn = 3 GROUP BY 1 ORDER BY 1',
    'SELECT sex, count(*) FROM (SELECT p.sex, row_number() OVER (PARTITION BY p.id ORDER BY v.day) AS rn FROM stay_visits v JOIN stay_people p ON p.id = v.person) x WHERE rn = 3 GROUP BY 1 ORDER BY 1',
    'SELECT count(*) FROM (SELECT person, day, row_number() OVER (PARTITION BY person ORDER BY day) AS rn FROM (SELECT DISTINCT person, day FROM stay_visits) d) x WHERE rn = 2',
    'SELECT sum(m) FROM (SELECT person, max(n) AS m FROM (SELECT person, count(*) OVER (PARTITION BY person, ward) AS n FROM stay_visits) y GROUP BY person) x',
    'SELECT count(*) FROM (SELECT a.person, a.day FROM (SELECT person, day, row_number() OVER (PARTITION BY person ORDER BY day) AS rn FROM stay_visits) a WHERE a.rn = 1) f JOIN stay_visits v ON v.person = f.person WHERE v.day > f.day AND v.day <= f.day + 60',
    'SELECT count(*) FROM (SELECT person, rn FROM (SELECT person, cost, row_number() OVER (PARTITION BY person ORDER BY day) AS rn FROM stay_visits) i WHERE cost > 20) x JOIN stay_people p ON p.id = x.person WHERE p.sex = ''m'' AND x.rn = 1']);

-- ---- the first row beside each person, and the nearest one
SELECT * FROM compared(ARRAY[
    'SELECT sex, count(*), sum(x.cost) FROM stay_people p, LATERAL (SELECT v.cost FROM stay_visits v WHERE v.person = p.id ORDER BY v.day LIMIT 1) x GROUP BY 1 ORDER BY 1',
    'SELECT sex, count(*), count(x.cost) FROM stay_people p LEFT JOIN LATERAL (SELECT v.cost FROM stay_visits v WHERE v.person = p.id AND v.ward = 2 ORDER BY v.day DESC LIMIT 1) x ON true GROUP BY 1 ORDER BY 1',
    'SELECT w.name, count(*) FROM stay_people p CROSS JOIN LATERAL (SELECT v.ward FROM stay_visits v WHERE v.person = p.id ORDER BY v.day DESC FETCH FIRST ROW ONLY) x JOIN stay_wards w ON w.id = x.ward GROUP BY 1 ORDER BY 1',
    'SELECT count(*), sum(v.day - x.day) FROM stay_visits v, LATERAL (SELECT o.day FROM stay_visits o WHERE o.person = v.person AND o.day < v.day ORDER BY o.day DESC LIMIT 1) x',
    'SELECT count(*), count(x.day) FROM stay_visits v LEFT JOIN LATERAL (SELECT o.day FROM stay_visits o WHERE o.person = v.person AND o.day > v.day ORDER BY o.day LIMIT 1) x ON x.day < v.day + 30',
    'SELECT count(*) FROM (SELECT p.id, x.ward FROM stay_people p, LATERAL (SELECT v.ward FROM stay_visits v WHERE v.person = p.id ORDER BY v.day LIMIT 1) x) y WHERE y.ward = 1']);

-- ---- sums of floating numbers: each person's 1e17, -1e17 and 1 are added in an order that the rows themselves say
SELECT query, count(DISTINCT a) > 1 AS differ FROM unnest(ARRAY[
    'SELECT count(*) FROM (SELECT DISTINCT person, sum(CASE WHEN cost % 3 = 0 THEN 1e17::float8 WHEN cost % 3 = 1 THEN -1e17 ELSE 1 END) OVER (PARTITION BY person) AS s FROM stay_visits) x WHERE s = 1']) AS query, answers_of(query, 10) a GROUP BY 1 ORDER BY 1;
-- ---- rows that ORDER BY does not tell apart: which is taken depends on the row alone, and is drawn anew for each question
SELECT query, count(DISTINCT a) > 1 AS differ FROM unnest(ARRAY[
    'SELECT sum(cost) FROM (SELECT cost, row_number() OVER (PARTITION BY person ORDER BY sign(cost)) AS rn FROM stay_visits) x WHERE rn = 1',
    'SELECT sum(cost) FROM (SELECT DISTINCT ON (person) cost FROM stay_visits) x',
    'SELECT sum(x.cost) FROM stay_people p, LATERAL (SELECT v.cost FROM stay_visits v WHERE v.person = p.id LIMIT 1) x']) AS query, answers_of(query, 10) a GROUP BY 1 ORDER BY 1;
-- Not so where it does not matter.
SELECT count(DISTINCT a) FROM answers_of('SELECT sum(r) FROM (SELECT rank() OVER (PARTITION BY person ORDER BY ward) AS r FROM stay_visits) x', 5) a;

-- ---- what is known of it: bounds, and how many rows of a person there are
SELECT line FROM (VALUES
    ('SELECT avg(gap) FROM (SELECT day - lag(day) OVER (PARTITION BY person ORDER BY day) AS gap FROM stay_visits) x'),
    ('SELECT avg(gap) FROM (SELECT lead(day) OVER (PARTITION BY person ORDER BY day) - day AS gap FROM stay_visits) x'),
    ('SELECT avg(gap) FROM (SELECT lag(day) OVER (PARTITION BY person ORDER BY day DESC) - day AS gap FROM stay_visits) x'),
    ('SELECT avg(gap) FROM (SELECT day - lag(day) OVER (PARTITION BY person ORDER BY at) AS gap FROM stay_visits) x'),
    ('SELECT avg(gap) FROM (SELECT day - lag(day) OVER (PARTITION BY person ORDER BY day DESC) AS gap FROM stay_visits) x'),
    ('SELECT avg(rise) FROM (SELECT cost - lag(cost) OVER (PARTITION BY person ORDER BY ward) AS rise FROM stay_visits) x'),
    ('SELECT sum(cost) FROM (SELECT cost, row_number() OVER (PARTITION BY person ORDER BY day) AS rn FROM stay_visits) x WHERE rn = 3'),
    ('SELECT sum(cost) FROM (SELECT cost, row_number() OVER (PARTITION BY person ORDER BY day) AS rn FROM stay_visits) x WHERE rn < 3'),
    ('SELECT sum(cost) FROM (SELECT cost, row_number() OVER (PARTITION BY person, ward ORDER BY day) AS rn FROM stay_visits) x WHERE rn = 1'),
    ('SELECT sum(cost) FROM (SELECT cost, rank() OVER (PARTITION BY person ORDER BY day) AS rn FROM stay_visits) x WHERE rn = 1'),
    ('SELECT sum(cost) FROM (SELECT DISTINCT ON (person, ward) cost FROM stay_visits) x'),
    ('SELECT sum(cost) FROM (SELECT DISTINCT ON (person) cost FROM stay_visits) x'),
    ('SELECT sum(x.cost) FROM stay_people p LEFT JOIN (SELECT person, cost, row_number() OVER (PARTITION BY person ORDER BY day) AS rn FROM stay_visits) x ON x.person = p.id AND x.rn = 1'),
    ('SELECT sum(x.cost) FROM (SELECT person, cost, row_number() OVER (PARTITION BY person ORDER BY day) AS rn FROM stay_visits) x LEFT JOIN stay_people p ON x.person = p.id AND x.rn = 1')) AS q (query),
    LATERAL (SELECT lines_of(query) AS line) l;

-- ---- what is refused, and why
SELECT query, message_of(query) FROM unnest(ARRAY[
    'SELECT count(*) FROM (SELECT rank() OVER (ORDER BY day) AS r FROM stay_visits) x WHERE r <= 5',
    'SELECT count(*) FROM (SELECT day - lag(day) OVER (PARTITION BY ward, cost ORDER BY day) AS gap FROM stay_visits) x WHERE gap < 5',
    'SELECT count(*) FROM (SELECT row_number() OVER (PARTITION BY person ORDER BY day) AS a, sum(cost) OVER (PARTITION BY ward) AS b FROM stay_visits) x WHERE a < b',
    'SELECT count(*) FROM (SELECT rank() OVER (PARTITION BY p.sex ORDER BY v.day) AS r FROM stay_visits v JOIN stay_people p ON p.id = v.person) x WHERE r <= 5',
    'SELECT count(*) FROM (SELECT rank() OVER (PARTITION BY abs(person) ORDER BY day) AS r FROM stay_visits) x WHERE r <= 5',
    'SELECT count(*) FROM (SELECT row_number() OVER (PARTITION BY visit ORDER BY pos) AS r FROM stay_lines) x WHERE r = 1',
    'SELECT count(*) FROM (SELECT DISTINCT ON (ward) cost FROM stay_visits ORDER BY ward, day) x',
    'SELECT count(*) FROM (SELECT DISTINCT first_value(ward) OVER (PARTITION BY person ORDER BY day) FROM stay_visits) x',
    'SELECT sum(x.cost) FROM stay_people p, LATERAL (SELECT v.cost FROM stay_visits v WHERE v.ward = p.id ORDER BY v.day LIMIT 1) x',
    'SELECT sum(x.cost) FROM stay_people p, LATERAL (SELECT v.cost FROM stay_visits v WHERE v.person >= p.id ORDER BY v.person LIMIT 1) x',
    'SELECT sum(x.cost) FROM stay_visits p, LATERAL (SELECT v.cost FROM stay_visits v WHERE v.ward = p.ward AND v.person <= p.person ORDER BY v.person DESC LIMIT 1) x',
    'SELECT count(*) FROM (SELECT ntile(cost) OVER (PARTITION BY person ORDER BY day) AS r FROM stay_visits) x WHERE r = 1',
    'SELECT count(*) FROM (SELECT ntile(0) OVER (PARTITION BY person ORDER BY day) AS r FROM stay_visits) x WHERE r = 1',
    'SELECT count(*) FROM (SELECT lag(day, cost) OVER (PARTITION BY person ORDER BY day) AS r FROM stay_visits) x WHERE r > ''2024-02-01''',
    'SELECT count(*) FROM (SELECT last_value(cost) OVER (PARTITION BY person ORDER BY day) AS r FROM stay_visits) x WHERE r = 1',
    'SELECT count(*) FROM (SELECT sum(paid) OVER (PARTITION BY person ORDER BY day) AS r FROM stay_visits) x WHERE r > 60',
    'SELECT count(*) FROM (SELECT avg(paid::float4) OVER (PARTITION BY person ORDER BY cost GROUPS 1 PRECEDING) AS r FROM stay_visits) x WHERE r > 60',
    'SELECT count(*) FROM (SELECT nth_value(cost, 2) OVER (PARTITION BY person ORDER BY day) AS r FROM stay_visits) x WHERE r = 1',
    'SELECT count(*) FROM (SELECT count(*) OVER (PARTITION BY person ORDER BY day ROWS -1 PRECEDING) AS r FROM stay_visits) x WHERE r = 1',
    'SELECT count(*) FROM (SELECT count(*) OVER (PARTITION BY person ORDER BY at RANGE ''2000 years'' PRECEDING) AS r FROM stay_visits) x WHERE r = 1',
    'SELECT count(*) FROM (SELECT count(*) OVER (PARTITION BY person ORDER BY cost::numeric RANGE 5 PRECEDING) AS r FROM stay_visits) x WHERE r = 1',
    'SELECT count(*) FROM (SELECT array_agg(cost) OVER (PARTITION BY person) AS r FROM stay_visits) x WHERE r IS NULL',
    'SELECT count(*) FROM (SELECT row_number() OVER (PARTITION BY person ORDER BY 100 / (cost - cost)) AS n FROM stay_visits) x WHERE n = 1']) AS query;

-- ---- moments at the ends of their types, which an offset would lead beyond
SELECT query, message_of(query) FROM unnest(ARRAY[
    'SELECT count(*) FROM (SELECT count(*) OVER (PARTITION BY person ORDER BY day RANGE ''10 years'' PRECEDING) AS n FROM stay_far) x WHERE n > 1',
    'SELECT count(*) FROM (SELECT count(*) OVER (PARTITION BY person ORDER BY at RANGE BETWEEN ''1 day'' FOLLOWING AND ''900 years'' FOLLOWING) AS n FROM stay_far) x WHERE n > 1',
    'SELECT count(*) FROM (SELECT sum(free) OVER (PARTITION BY person) AS n, avg(free) OVER (PARTITION BY person ORDER BY free ROWS 3 PRECEDING) AS m FROM stay_far) x WHERE n > m',
    'SELECT count(*) FROM (SELECT day - lag(day) OVER (PARTITION BY person ORDER BY day) AS n FROM stay_far) x WHERE n > 1']) AS query;
