-- Subqueries in FILTER, in what aggregates take, and in group keys: of the same person's rows, or of public tables. Each question is
-- asked by her and by a superuser; epsilon 1e6 makes the noise vanish.
CALL own_schema('unit_subqueries_within');
SET client_min_messages = error;
CREATE ROLE regress_within_ana;
CREATE TABLE products (id int PRIMARY KEY, price numeric NOT NULL, kind text NOT NULL);
INSERT INTO products SELECT g, g * 2, chr(97 + g % 3) FROM generate_series(1, 20) g;
CREATE TABLE offers (product int, price numeric NOT NULL, shop text NOT NULL);
INSERT INTO offers SELECT 1 + g % 15, g, chr(97 + g % 4) FROM generate_series(1, 60) g;
CREATE TABLE people (id int PRIMARY KEY, sex text NOT NULL, mentor int);
INSERT INTO people SELECT g, CASE WHEN g % 2 = 0 THEN 'f' ELSE 'm' END, nullif(g / 3, 0) FROM generate_series(1, 50) g;
CREATE TABLE visits (id int PRIMARY KEY, person int NOT NULL, product int, cost numeric NOT NULL, ward text NOT NULL);
INSERT INTO visits SELECT g, 1 + g % 50, nullif(g % 21, 0), g % 100, chr(97 + g % 3) FROM generate_series(1, 500) g;
-- Two drugs at each visit, whose persons are found through it.
CREATE TABLE drugs (visit int NOT NULL REFERENCES visits, dose int NOT NULL);
INSERT INTO drugs SELECT id, id % 7 + d FROM visits, generate_series(1, 2) d WHERE id % 3 = 0;
CREATE TABLE gaps (id int);
INSERT INTO gaps VALUES (1), (2), (NULL);
-- One is nobody's.
CREATE TABLE notes (person int, note text);
INSERT INTO notes VALUES (3, 'x'), (4, 'y'), (NULL, 'z');
ANALYZE products, offers, people, visits, drugs;
GRANT SELECT ON products, offers, gaps TO regress_within_ana;
SELECT dp.protect('visits', 1e9, privacy_unit => 'person', max_rows_per_unit => 20, answer_epsilon => 1e6, reuse => '1 day');
SELECT dp.protect('people', 1e9, privacy_unit => 'id', answer_epsilon => 1e6, reuse => '1 day');
SELECT dp.protect('drugs', 1e9, privacy_unit => 'visit.person', max_rows_per_unit => 40, answer_epsilon => 1e6, reuse => '1 day');
SELECT dp.protect('notes', 1e9, privacy_unit => 'person', max_rows_per_unit => 5, answer_epsilon => 1e6);
SELECT dp.public_values('visits', 'ward', 'a', 'b', 'c'), dp.public_values('people', 'sex', 'f', 'm');
SELECT dp.declare_range('visits', 'cost', 0, 100);
SELECT dp.grant_budget(t, 'regress_within_ana', 1e9, allow_leaks => true) FROM unnest('{visits,people,drugs,notes}'::regclass[]) t;

-- Rounded to one digit behind the point; where it is refused the code and why.
CREATE FUNCTION compared(queries text[]) RETURNS TABLE (query text, answer text, same text) LANGUAGE plpgsql AS $$
DECLARE
    plain text;
    shown text := 'SELECT string_agg(r::text, '' '' ORDER BY r::text) FROM (SELECT array_agg(CASE WHEN v ~ ''^-?[0-9.]+$'' THEN round(v::numeric, 1)::text ELSE v END ORDER BY k) AS r'
        ' FROM (SELECT row_number() OVER () AS n, t.* FROM (%s) AS t) q, jsonb_each_text(to_jsonb(q)) AS e (k, v) WHERE k <> ''n'' GROUP BY n) s';
BEGIN
    FOREACH query IN ARRAY queries LOOP
        BEGIN
            SET LOCAL ROLE regress_within_ana;
            EXECUTE format(shown, query) INTO answer;
            RESET ROLE;
            EXECUTE format(shown, query) INTO plain;
            same := CASE WHEN answer = plain THEN 'same' ELSE 'plain ' || coalesce(plain, 'null') END;
        EXCEPTION WHEN OTHERS THEN
            RESET ROLE;
            answer := SQLSTATE;
            same := SQLERRM;
        END;
        RETURN NEXT;
    END LOOP;
END $$;

-- ---- in FILTER
SELECT * FROM compared(ARRAY[
    'SELECT count(*) FILTER (WHERE product IN (SELECT id FROM products WHERE price > 20)) AS dear, count(*) FROM visits',
    'SELECT count(*) FILTER (WHERE product NOT IN (SELECT product FROM offers)) FROM visits',
    'SELECT count(*) FILTER (WHERE EXISTS (SELECT FROM offers AS o WHERE o.product = v.product AND o.price > 50)) FROM visits AS v',
    'SELECT ward, count(*) FILTER (WHERE cost > (SELECT avg(price) FROM offers)) AS dear, sum(cost) FILTER (WHERE cost > (SELECT max(price) FROM offers AS o WHERE o.product = v.product)) FROM visits AS v GROUP BY ward',
    'SELECT sex, count(*) FILTER (WHERE EXISTS (SELECT FROM visits AS v WHERE v.person = p.id AND v.cost > 90)) AS dear, count(*) FILTER (WHERE NOT EXISTS (SELECT FROM visits AS v WHERE v.person = p.id AND v.cost > 90)) FROM people AS p GROUP BY sex',
    'SELECT count(*) FILTER (WHERE id IN (SELECT person FROM visits WHERE cost > 90)) AS dear, count(*) FILTER (WHERE id NOT IN (SELECT person FROM visits WHERE cost > 90)) FROM people',
    'SELECT count(*) FILTER (WHERE EXISTS (SELECT FROM drugs AS d WHERE d.visit = v.id AND d.dose > 5)) FROM visits AS v',
    'SELECT count(*) FILTER (WHERE (SELECT sum(dose) FROM drugs AS d JOIN visits AS w ON w.id = d.visit WHERE w.person = p.id) > 25) FROM people AS p',
    'SELECT count(*) FILTER (WHERE cost > (SELECT avg(cost) FROM visits)) FROM visits']);

-- ---- in what aggregates take
SELECT * FROM compared(ARRAY[
    'SELECT sum(least(greatest((SELECT max(p.price) FROM products AS p WHERE p.id = v.product), 0), 50)) FROM visits AS v',
    'SELECT sum(CASE WHEN EXISTS (SELECT FROM visits AS v WHERE v.person = p.id AND v.cost > 90) THEN 1 ELSE 0 END) FROM people AS p',
    'SELECT ward, avg(CASE WHEN product IN (SELECT id FROM products WHERE kind = ''a'') THEN 10 ELSE 0 END)::int AS mean FROM visits GROUP BY ward',
    'SELECT sum(least(greatest((SELECT count(*) FROM visits AS v WHERE v.person = p.id), 0), 20)) FROM people AS p',
    'SELECT count((SELECT p.kind FROM products AS p WHERE p.id = v.product AND p.price > 10)) FROM visits AS v',
    'SELECT sum(n) AS visits, count(*) FILTER (WHERE EXISTS (SELECT FROM people AS p WHERE p.id = x.person AND p.sex = ''f'')) FROM (SELECT person, count(*) AS n FROM visits GROUP BY person) AS x WHERE n BETWEEN 0 AND 20']);

-- ---- in group keys: true and false, and what CASE makes of them
SELECT * FROM compared(ARRAY[
    'SELECT EXISTS (SELECT FROM offers AS o WHERE o.product = v.product) AS offered, count(*) FROM visits AS v GROUP BY 1',
    'SELECT product IN (SELECT id FROM products WHERE price > 20) AS dear, count(*) FROM visits AS v GROUP BY 1',
    'SELECT v.id IN (SELECT id FROM products WHERE price > 20) AS dear, count(*) FROM visits AS v GROUP BY 1',
    'SELECT product IN (SELECT o.product FROM offers AS o WHERE price > 30) AS dear, count(*) FROM visits AS v GROUP BY 1',
    'SELECT CASE WHEN product IN (SELECT id FROM products WHERE price > 20) THEN ''dear'' ELSE ''cheap'' END AS dear, ward, count(*) FROM visits AS v GROUP BY 1, 2',
    'SELECT CASE WHEN EXISTS (SELECT FROM visits AS v WHERE v.person = p.id AND v.cost > 90) THEN ''yes'' ELSE ''no'' END AS dear, count(*) FROM people AS p GROUP BY 1',
    'SELECT NOT EXISTS (SELECT FROM drugs AS d WHERE d.visit = v.id) AS without, count(*), sum(cost) FROM visits AS v GROUP BY 1',
    'SELECT EXISTS (SELECT FROM people AS p WHERE p.id = x.person AND p.sex = ''f'') AS female, count(*) FROM (SELECT person, count(*) AS n FROM visits GROUP BY person HAVING count(*) > 3) AS x GROUP BY 1',
    'SELECT v.id IN (SELECT id FROM gaps) AS x, count(*) FROM visits AS v GROUP BY 1',
    'SELECT p.kind, count(*) FROM visits AS v LEFT JOIN products AS p ON p.id = v.product GROUP BY 1',
    'SELECT (SELECT p.kind FROM products AS p WHERE p.id = v.product) AS kind, count(*) FROM visits AS v GROUP BY 1']);

-- ---- among the columns of a subquery, CTE or view that only chooses rows and columns
CREATE VIEW seen AS SELECT v.id, v.person, v.ward, EXISTS (SELECT FROM offers AS o WHERE o.product = v.product) AS offered FROM visits AS v;
SELECT * FROM compared(ARRAY[
    'SELECT count(*) FROM (SELECT v.*, (SELECT p.price FROM products AS p WHERE p.id = v.product) AS price FROM visits AS v) AS x WHERE price > 20',
    'SELECT ward, sum(least(greatest(price, 0), 100)) FROM (SELECT v.*, (SELECT max(o.price) FROM offers AS o WHERE o.product = v.product) AS price FROM visits AS v) AS x WHERE price > 50 GROUP BY ward',
    'SELECT sum(least(greatest(n, 0), 20)) FROM (SELECT p.id, (SELECT count(*) FROM visits AS v WHERE v.person = p.id) AS n FROM people AS p) AS q WHERE n > 9',
    'SELECT often, count(*) FROM (SELECT p.id, (SELECT count(*) FROM visits AS v WHERE v.person = p.id AND v.cost > 20) > 8 AS often FROM people AS p) AS q GROUP BY often',
    'WITH x AS (SELECT v.ward, EXISTS (SELECT FROM offers AS o WHERE o.product = v.product) AS offered FROM visits AS v) SELECT ward, offered, count(*) FROM x GROUP BY 1, 2',
    'SELECT count(*) FROM people AS p JOIN (SELECT v.person, (SELECT count(*) FROM offers AS o WHERE o.product = v.product) AS n FROM visits AS v) AS x ON x.person = p.id WHERE x.n > 3 AND p.sex = ''f''',
    'SELECT count(*) FROM (SELECT v.person, v.cost, (SELECT avg(cost) FROM visits) AS mean FROM visits AS v) AS x WHERE cost > mean AND cost < 1.9 * mean',
    'SELECT count(*) FROM (SELECT v.person, v.cost, (SELECT avg(cost) FROM visits) AS mean FROM visits AS v OFFSET 3) AS x WHERE cost > mean',
    'SELECT x.shop, count(*) FROM visits AS v JOIN (SELECT id, (SELECT max(shop) FROM offers AS o WHERE o.product = p.id) AS shop FROM products AS p) AS x ON x.id = v.product GROUP BY 1',
    -- Refused.
    'SELECT count(*) FROM (SELECT v.person, EXISTS (SELECT FROM visits AS w WHERE w.product = v.product) AS o FROM visits AS v) AS x WHERE o',
    'SELECT count(*) FROM people AS p LEFT JOIN (SELECT v.person, (SELECT count(*) FROM offers AS o WHERE o.product = v.product) AS n FROM visits AS v) AS x ON x.person = p.id WHERE x.n > 3',
    'SELECT kind, count(*) FROM (SELECT v.*, (SELECT p.kind FROM products AS p WHERE p.id = v.product) AS kind FROM visits AS v) AS x GROUP BY kind']);
SET ROLE regress_within_ana;
WITH costly AS (SELECT id FROM products WHERE price > 20)
SELECT dp_count('*', 1e6) FROM (SELECT v.person, product IN (SELECT id FROM costly) AS dear FROM visits AS v) AS x WHERE dear;
SELECT person, EXISTS (SELECT FROM offers AS o WHERE o.product = v.product) FROM visits AS v;
-- Drawn once, however often it is compared with.
SELECT relation, epsilon FROM dp.cost($$SELECT count(*) FROM (SELECT v.cost, (SELECT avg(cost) FROM visits WHERE ward <> 'b') AS mean FROM visits AS v) AS x WHERE cost > mean AND cost < 1.9 * mean$$) WHERE role IS NOT NULL;
SELECT dp_count('*', 1e6) FROM seen WHERE offered;
RESET ROLE;
GRANT SELECT ON seen TO regress_within_ana;
SET ROLE regress_within_ana;
SELECT dp_count('*', 1e6) FROM seen WHERE offered;
RESET ROLE;
DROP VIEW seen;

-- ---- HAVING of a subquery in WHERE
SELECT * FROM compared(ARRAY[
    'SELECT count(*) FROM visits AS v WHERE product IN (SELECT product FROM offers GROUP BY product HAVING max(price) > (SELECT 1.6 * avg(price) FROM offers))',
    'SELECT count(*) FROM visits AS v WHERE product IN (SELECT product FROM offers AS o GROUP BY product HAVING sum(price) > 8 * (SELECT p.price FROM products AS p WHERE p.id = o.product))',
    'SELECT count(*) FROM visits AS v WHERE person IN (SELECT person FROM visits AS w GROUP BY person HAVING sum(cost) > (SELECT sum(dose) FROM drugs AS d JOIN visits AS u ON u.id = d.visit WHERE u.person = w.person) * 20)',
    'SELECT count(*) FROM people AS p WHERE id NOT IN (SELECT person FROM visits AS w GROUP BY person HAVING sum(cost) > 400 AND EXISTS (SELECT FROM people AS o WHERE o.id = w.person AND o.sex = ''f''))',
    'SELECT count(*) FROM people AS p WHERE EXISTS (SELECT FROM visits AS w WHERE w.person = p.id GROUP BY ward HAVING sum(cost) > (SELECT 5 * avg(price) FROM offers AS o WHERE o.shop = w.ward))',
    'SELECT count(*) FROM people AS p WHERE EXISTS (SELECT FROM visits AS w WHERE w.person = p.id GROUP BY ward HAVING sum(cost) > (SELECT 4.013 * avg(cost) FROM visits))',
    'SELECT count(*) FILTER (WHERE EXISTS (SELECT FROM visits AS w WHERE w.person = p.id GROUP BY ward HAVING sum(cost) > (SELECT 4 * max(price) FROM offers))) FROM people AS p',
    'SELECT count(*) FROM people AS p WHERE EXISTS (SELECT FROM visits AS w WHERE w.person = p.id GROUP BY ward HAVING count(*) > (SELECT count(*) FROM visits AS u WHERE u.ward = w.ward))',
    'SELECT count(*) FROM people AS p WHERE EXISTS (SELECT FROM visits AS w WHERE w.person = p.id GROUP BY ward HAVING EXISTS (SELECT FROM offers AS o WHERE o.price > sum(w.cost)))',
    'SELECT count(*) FROM people AS p LEFT JOIN LATERAL (SELECT count(*) AS n FROM visits AS v WHERE v.person = p.id) AS x ON true WHERE n > 5']);

-- Rows of nobody are in no subquery, so that they make nothing NULL.
SELECT * FROM compared(ARRAY[
    'SELECT count(*) FILTER (WHERE id NOT IN (SELECT person FROM notes)) FROM people',
    'SELECT id IN (SELECT person FROM notes) AS noted, count(*) FROM people GROUP BY 1']);

-- ---- what couples two people, and what is no value
SELECT * FROM compared(ARRAY[
    'SELECT count(*) FILTER (WHERE EXISTS (SELECT FROM visits AS w WHERE w.product = v.product AND w.cost > 90)) FROM visits AS v',
    'SELECT count(*) FILTER (WHERE EXISTS (SELECT FROM visits AS v WHERE v.person = p.mentor)) FROM people AS p',
    'SELECT count(*) FILTER (WHERE mentor IN (SELECT person FROM visits)) FROM people',
    'SELECT sum(CASE WHEN EXISTS (SELECT FROM visits AS w WHERE w.id < v.id) THEN 1 ELSE 0 END) FROM visits AS v',
    'SELECT sum(least(greatest((SELECT count(*) FROM people AS q WHERE q.mentor = p.id), 0), 20)) FROM people AS p',
    'SELECT EXISTS (SELECT FROM visits AS v WHERE v.person = p.mentor) AS x, count(*) FROM people AS p GROUP BY 1',
    'SELECT mentor IN (SELECT person FROM visits) AS x, count(*) FROM people AS p GROUP BY 1',
    'SELECT sum(least(greatest((SELECT cost FROM visits AS v WHERE v.person = p.id), 0), 20)) FROM people AS p',
    'SELECT count(*) FILTER (WHERE (id, sex) IN (SELECT person, ward FROM visits)) FROM people',
    'SELECT stddev(DISTINCT (SELECT p.price FROM products AS p WHERE p.id = v.product)) FROM visits AS v',
    'SELECT count(*) FILTER (WHERE EXISTS (SELECT FROM offers AS o WHERE 1 / o.price > v.cost OFFSET 1)) FROM visits AS v',
    'SELECT count(*) FILTER (WHERE EXISTS (SELECT FROM offers AS o WHERE (o.shop || v.cost)::json IS NULL)) FROM visits AS v']);

-- ---- limits, charges, stored answers
SET ROLE regress_within_ana;
SELECT plan_of($$SELECT ward, count(*) FILTER (WHERE EXISTS (SELECT FROM offers AS o WHERE o.product = v.product)) FROM visits AS v GROUP BY ward$$, 'DpRelease|Protected Table|Privacy Unit|Epsilon');
SELECT relation, epsilon FROM dp.cost($$SELECT count(*) FILTER (WHERE EXISTS (SELECT FROM visits AS v WHERE v.person = p.id)) FROM people AS p$$) WHERE role IS NOT NULL ORDER BY 1;
-- Another subquery is another question.
SELECT EXISTS (SELECT FROM offers AS o WHERE o.product = v.product AND o.price > 50) AS offered, count(*) FROM visits AS v GROUP BY 1 ORDER BY 1;
SELECT EXISTS (SELECT FROM offers AS o WHERE o.product = v.product AND o.price > 55) AS offered, count(*) FROM visits AS v GROUP BY 1 ORDER BY 1;
SELECT count(*) FILTER (WHERE EXISTS (SELECT FROM offers AS o WHERE o.product = v.product AND o.price > 55)) FROM visits AS v;
SELECT count(*) FILTER (WHERE EXISTS (SELECT FROM offers AS o WHERE o.product = v.product AND o.price > 58)) FROM visits AS v;
PREPARE q (numeric) AS SELECT count(*) FILTER (WHERE EXISTS (SELECT FROM offers AS o WHERE o.product = v.product AND o.price > $1)) FROM visits AS v;
EXECUTE q (55);
SET plan_cache_mode = force_generic_plan;
EXECUTE q (55);
EXECUTE q (58);
RESET plan_cache_mode;
-- A person's rows are limited, whatever is asked of each.
RESET ROLE;
INSERT INTO visits SELECT 1000 + g, 7, 3, 95, 'a' FROM generate_series(1, 300) g;
SET ROLE regress_within_ana;
SELECT count(*) FILTER (WHERE product IN (SELECT id FROM products WHERE price > 5)) FROM visits WHERE person = 7;
SELECT ward, count(*) FILTER (WHERE product IN (SELECT id FROM products WHERE price > 5)) FROM visits WHERE person = 7 AND ward = 'a' GROUP BY ward;
SELECT product IN (SELECT id FROM products WHERE price > 5) AS x, count(*) FROM visits WHERE person = 7 AND ward = 'a' AND product = 3 GROUP BY 1 ORDER BY 1;
SET dp.max_rows_per_unit = 5;
SELECT mode() WITHIN GROUP (ORDER BY ward) FROM visits WHERE ward = 'a' AND product IN (SELECT id FROM products);
SELECT dp_median(cost, 0, 100, 1e6) FILTER (WHERE EXISTS (SELECT FROM products AS p WHERE p.id = v.product)) > 50 AS high FROM visits AS v WHERE person = 7;
RESET dp.max_rows_per_unit;

RESET ROLE;
DEALLOCATE ALL;
SELECT dp.unprotect(t) FROM unnest('{people,visits,drugs,notes}'::regclass[]) t;
DROP FUNCTION compared;
DROP TABLE drugs, visits, people, notes, offers, products, gaps;
DROP OWNED BY regress_within_ana;
DROP ROLE regress_within_ana;
