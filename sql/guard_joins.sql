-- Joins below private aggregates: public tables on their keys, protected ones on the privacy unit. What is admitted and what it
-- answers, who is charged, and what is refused; epsilon 1e6 makes the noise vanish.
SET client_min_messages = warning;
CREATE ROLE regress_joins_ana;
CREATE ROLE regress_joins_bob;
CREATE SCHEMA of_joins;
GRANT USAGE ON SCHEMA of_joins TO PUBLIC;
SET search_path = of_joins, public;
CREATE TABLE cities (id int PRIMARY KEY, name text NOT NULL);
INSERT INTO cities VALUES (1, 'Ghent'), (2, 'Lyon'), (3, 'Oslo');
-- Ward 4 has no stays, and no city; ward 9 of stays is not there.
CREATE TABLE wards (id int PRIMARY KEY, name text NOT NULL, city int REFERENCES cities, code varchar(10) UNIQUE, floor int, room int,
    UNIQUE (floor, room));
INSERT INTO wards VALUES (1, 'north', 1, 'N', 1, 1), (2, 'south', 2, 'S', 1, 2), (3, 'east', 2, 'E', 2, 1), (4, 'west', NULL, NULL, NULL, 1);
-- Person p of 40 has p % 4 stays (60 in all), each in ward 1, 2, 3 in turn; the third one in ward 9, those of patient 39 in none.
CREATE TABLE stays (id int PRIMARY KEY, person int, ward int, code text, floor int, room int, cost float8 NOT NULL, at timestamptz);
INSERT INTO stays
    SELECT row_number() OVER (), p, w, (ARRAY['N', 'S', 'E'])[w], (ARRAY[1, 1, 2])[w], (ARRAY[1, 2, 1])[w], n * 10, '2011-12-30 10:00+00'
    FROM generate_series(1, 40) p, generate_series(1, p % 4) n, LATERAL (SELECT CASE WHEN p = 39 THEN NULL WHEN n = 3 THEN 9 ELSE (p + n) % 3 + 1 END) AS x (w);
CREATE TABLE persons (id int PRIMARY KEY, age int NOT NULL, female boolean NOT NULL, big bigint);
INSERT INTO persons SELECT p, p % 90, p % 2 = 0, p FROM generate_series(1, 50) p;
-- Person p of 20 takes three drugs.
CREATE TABLE drugs (person bigint, drug text);
INSERT INTO drugs SELECT p, d FROM generate_series(1, 20) p, unnest(ARRAY['a', 'b', 'c']) d;
GRANT SELECT ON cities, wards TO regress_joins_ana;
SELECT dp.protect('stays', 1e9, privacy_unit => 'person', max_rows_per_unit => 100);
SELECT dp.protect('persons', 1e9, privacy_unit => 'id');
SELECT dp.protect('drugs', 1e9, privacy_unit => 'person', max_rows_per_unit => 100);
SELECT dp.grant_budget(t::regclass, 'regress_joins_ana', 1e9, allow_leaks => true) FROM unnest(ARRAY['stays', 'persons', 'drugs']) t;
SET ROLE regress_joins_ana;

-- ---- public tables: they add columns, inner joins also choose rows
SELECT dp_count('*', 1e6) AS stays FROM stays;
SELECT dp_count('*', 1e6) AS with_ward FROM stays s JOIN wards w ON s.ward = w.id;
SELECT dp_count('*', 1e6) AS all, dp_count(w.id, 1e6) AS with_ward FROM stays s LEFT JOIN wards w ON s.ward = w.id;
SELECT dp_count('*', 1e6) AS all FROM wards w RIGHT JOIN stays s ON w.id = s.ward;
SELECT w.name, dp_count('*', 1e6), round(dp_sum(s.cost, 0, 100, 1e6)::numeric) AS cost FROM stays s JOIN wards w ON s.ward = w.id GROUP BY w.name;
-- Of a left join also those without a ward are a group.
SELECT w.name, dp_count('*', 1e6) FROM stays s LEFT JOIN wards w ON s.ward = w.id GROUP BY w.name;
SELECT c.name, w.name, dp_count('*', 1e6) FROM stays s JOIN wards w ON w.id = s.ward JOIN cities c ON c.id = w.city GROUP BY c.name, w.name
HAVING dp_count('*', 1e6) > 0.5;
SELECT c.name, dp_count('*', 1e6) FROM stays s, cities c, wards w WHERE c.id = w.city AND w.id = s.ward AND w.name <> 'east' GROUP BY ROLLUP (c.name);
SELECT dp_count('*', 1e6) AS by_code FROM stays s JOIN wards w USING (code);
-- The two columns differ in type: the joined one is neither, but a cast of the first.
SELECT dp_count(code, 1e6) AS of_cast FROM wards w JOIN stays s USING (code) WHERE code <> 'S';
SELECT code, dp_count('*', 1e6) FROM wards w JOIN stays s USING (code) WHERE code <> 'S' GROUP BY code;
-- What is computed from a public table has the values that it gives there.
SELECT upper(w.name), dp_count('*', 1e6) FROM stays s LEFT JOIN wards w ON s.ward = w.id GROUP BY upper(w.name);
SELECT coalesce(w.name, 'none'), dp_count('*', 1e6) FROM stays s LEFT JOIN wards w ON s.ward = w.id GROUP BY 1;
SELECT w.floor * 10 + w.room AS place, dp_count('*', 1e6) FROM stays s JOIN wards w ON s.ward = w.id WHERE w.room = 1 GROUP BY 1;
SELECT dp_count('*', 1e6) AS by_two_columns FROM stays s JOIN wards w USING (room, floor);
SELECT dp_count('*', 1e6) AS floor_1 FROM stays s JOIN wards w ON w.room = s.room AND w.floor = 1;
SELECT dp_count('*', 1e6) AS of_bigint FROM stays s JOIN wards w ON s.ward::bigint = w.id;
SELECT dp_count('*', 1e6) AS twice FROM stays s JOIN wards w ON s.ward = w.id JOIN wards x ON x.id = w.id;
SELECT dp_count('*', 1e6) AS one_ward FROM stays s JOIN wards w ON w.id = 3;
SELECT dp_count('*', 1e6) FILTER (WHERE w.name = 'north') AS north, dp_count(DISTINCT w.city, 1e6) AS cities, dp_mode(w.name, ARRAY['south', 'none'], 1e6)
FROM stays s LEFT JOIN wards w ON s.ward = w.id;
-- Conditions of ON choose partners, those of WHERE rows.
SELECT dp_count('*', 1e6) AS all, dp_count(w.id, 1e6) AS north FROM stays s LEFT JOIN wards w ON s.ward = w.id AND w.name = 'north' AND s.cost < 15;
SELECT dp_count('*', 1e6) AS without FROM stays s LEFT JOIN wards w ON s.ward = w.id WHERE w.id IS NULL;
-- Through views, subqueries, CTEs used twice, and parameters.
RESET ROLE;
CREATE VIEW stays_wards WITH (security_invoker) AS SELECT s.*, w.name FROM stays s JOIN wards w ON w.id = s.ward;
GRANT SELECT ON stays_wards TO regress_joins_ana;
SET ROLE regress_joins_ana;
SELECT name, dp_count('*', 1e6) FROM stays_wards WHERE cost < 15 GROUP BY name;
SELECT c.name, dp_count('*', 1e6) FROM (SELECT ward, cost AS c FROM stays WHERE cost < 15) s JOIN (SELECT * FROM wards) w ON w.id = s.ward
    JOIN cities c ON c.id = w.city GROUP BY c.name;
WITH x AS (SELECT person, w.name FROM stays s JOIN wards w ON w.id = s.ward)
SELECT a.n, b.n FROM (SELECT dp_count('*', 1e6) AS n FROM x) a, (SELECT dp_count('*', 1e6) AS n FROM x WHERE name = 'north') b;
PREPARE of_ward (int) AS SELECT dp_count('*', 1e6) FROM stays s JOIN wards w ON w.id = s.ward AND w.id = $1;
EXECUTE of_ward (1);
SET plan_cache_mode = force_generic_plan;
EXECUTE of_ward (2);
RESET plan_cache_mode;

-- ---- protected tables: on the unit, so that every row is of one person
SELECT dp_count('*', 1e6) AS stays, dp_count(DISTINCT p.id, 1e6) AS persons, round(dp_avg(p.age, 0, 100, 1e6)) AS age
FROM stays s JOIN persons p ON p.id = s.person;
SELECT p.female, dp_count('*', 1e6) FROM persons p JOIN stays s ON s.person = p.id GROUP BY p.female;
SELECT dp_count('*', 1e6) AS all, dp_count(s.id, 1e6) AS stays, dp_count('*', 1e6) FILTER (WHERE s.id IS NULL) AS without
FROM persons p LEFT JOIN stays s ON s.person = p.id;
SELECT dp_count('*', 1e6) AS pairs FROM stays s JOIN drugs d USING (person);
SELECT dp_count('*', 1e6) AS pairs FROM stays a JOIN stays b USING (person);
-- The column that USING makes of two types.
SELECT dp_count('*', 1e6) AS pairs, dp_count(DISTINCT person, 1e6) AS persons FROM stays JOIN drugs USING (person) WHERE person > 15;
SELECT w.name, dp_count('*', 1e6) FROM stays s JOIN persons p ON p.id = s.person JOIN drugs d ON d.person = p.id JOIN wards w ON w.id = s.ward GROUP BY w.name;
-- What a unit may add to the rows of the join is what the stricter of the policies says.
RESET ROLE;
SELECT dp.protect('stays', 1e9, max_rows_per_unit => 7);
SELECT dp.protect('drugs', 1e9, max_rows_per_unit => 4);
SET ROLE regress_joins_ana;
SELECT dp_count('*', 1e6) AS four_each FROM stays s JOIN drugs d USING (person);
SELECT dp_count('*', 1e6) AS three_each FROM drugs JOIN persons ON id = person;
RESET ROLE;
SELECT sum(least(n, 4)) AS four_each FROM (SELECT count(*) AS n FROM stays JOIN drugs USING (person) GROUP BY person) s;
SELECT sum(least(n, 7)) AS seven_each FROM (SELECT count(*) AS n FROM stays a JOIN stays b USING (person) GROUP BY person) s;
SET ROLE regress_joins_ana;
SELECT dp_count('*', 1e6) AS seven_each FROM stays a JOIN stays b USING (person);

-- ---- who is charged: each protected table once, of all or of none
RESET ROLE;
-- Of two default epsilons an ordinary aggregate has the smaller one.
SELECT dp.protect('stays', 1e9, max_rows_per_unit => 100, answer_epsilon => 0.25), dp.protect('persons', 1e9, answer_epsilon => 0.5);
SET ROLE regress_joins_ana;
SELECT relation, epsilon FROM dp.cost('SELECT count(*) FROM stays s JOIN persons p ON p.id = s.person') WHERE role IS NULL ORDER BY relation::text;
-- Its mechanism is the one that those tables agree on that have one.
SELECT dp.private_form('SELECT count(*) FROM stays s JOIN persons p ON p.id = s.person') AS none_has_one;
RESET ROLE;
SELECT dp.protect('stays', 1e9, max_rows_per_unit => 100, answer_epsilon => 0.25, answer_mechanism => 'staircase');
SET ROLE regress_joins_ana;
SELECT dp.private_form('SELECT count(*) FROM stays s JOIN persons p ON p.id = s.person') AS one_has,
    dp.private_form('SELECT count(*) FROM persons p JOIN stays s ON p.id = s.person') AS and_turned;
RESET ROLE;
SELECT dp.protect('persons', 1e9, answer_epsilon => 0.5, answer_mechanism => 'laplace');
SET ROLE regress_joins_ana;
SELECT dp.private_form('SELECT count(*) FROM stays s JOIN persons p ON p.id = s.person') AS they_differ,
    dp.private_form('SELECT count(*) FROM persons p JOIN stays s ON p.id = s.person') AS and_turned;
RESET ROLE;
SELECT dp.protect('persons', 1e9, answer_epsilon => 0.5, answer_mechanism => 'auto');
SELECT dp.protect('stays', 1e9, max_rows_per_unit => 100, answer_epsilon => 0, answer_mechanism => 'auto');
SELECT dp.protect('drugs', 1e9, max_rows_per_unit => 100);
SELECT dp.grant_budget('stays', 'regress_joins_bob', 10, allow_leaks => true);
SELECT dp.grant_budget('drugs', 'regress_joins_bob', 1, allow_leaks => true);
GRANT SELECT ON wards TO regress_joins_bob;
CREATE VIEW stays_of_owner AS SELECT id, person FROM stays;
GRANT SELECT ON stays_of_owner TO regress_joins_bob;
CREATE VIEW charges AS SELECT relation, role, kind, epsilon, table_epsilon, release_id IS NOT NULL AS kept FROM dp.ledger WHERE role::text = 'regress_joins_bob' ORDER BY seq;
CREATE TEMP TABLE before AS SELECT relation, epsilon_spent FROM dp.budgets WHERE role IS NULL;
SET ROLE regress_joins_bob;
SELECT relation, role, epsilon, delta FROM dp.cost($$SELECT dp_count('*', 0.25), dp_count(s.ward, 0.5) FROM stays s JOIN drugs USING (person) JOIN wards w ON w.id = ward$$) ORDER BY 1;
SELECT dp_count('*', 0.25) IS NOT NULL AND dp_count(s.ward, 0.5) IS NOT NULL AS ok FROM stays s JOIN drugs USING (person) JOIN wards w ON w.id = ward;
SELECT dp_last_release() IS NOT NULL AS kept;
SELECT dp_count('*', 0.5) FROM stays s JOIN drugs USING (person);
SELECT dp_count('*', 0.5) FROM drugs d JOIN stays USING (person);
SELECT dp_count('*', 0.5) IS NOT NULL AS once FROM stays a JOIN stays b USING (person) JOIN stays c ON c.person = b.person;
-- A table read through its owner's view and beside it: bob's account pays.
SELECT dp_count('*', 1e6) FROM stays_of_owner JOIN stays USING (person);
SELECT dp_count('*', 0.125) IS NOT NULL AS ok FROM stays_of_owner JOIN stays USING (person);
SELECT dp_count('*', 0.125) IS NOT NULL AS ok FROM stays JOIN stays_of_owner USING (person);
SELECT dp_last_release();
-- Without a budget on one of the tables.
SELECT dp_count('*', 0.125) FROM stays JOIN persons p ON p.id = person;
-- What one table paid is relaxed at the price of one.
SELECT dp_count('*', 0.25) IS NOT NULL AS ok FROM stays a LEFT JOIN stays b USING (person);
SELECT answer IS NOT NULL AS relaxed FROM relax_release(dp_last_release(), 0.5);
RESET ROLE;
SELECT * FROM charges;
SELECT relation, b.epsilon_spent - before.epsilon_spent AS spent FROM dp.budgets b JOIN before USING (relation)
WHERE role IS NULL AND relation IN ('stays'::regclass, 'persons'::regclass, 'drugs'::regclass) ORDER BY 1;

-- ---- refused, as a role without privileges: joins that could count a row twice, or tell of one
SET ROLE regress_joins_ana;
SELECT dp_count('*', 1) FROM stays CROSS JOIN wards;
SELECT dp_count('*', 1) FROM stays s JOIN wards w ON s.ward = w.city;
SELECT dp_count('*', 1) FROM stays s JOIN wards w ON s.ward <> w.id;
SELECT dp_count('*', 1) FROM stays s JOIN wards w ON s.ward = w.id OR w.id = 1;
SELECT dp_count('*', 1) FROM stays s JOIN wards w ON NOT s.ward <> w.id;
SELECT dp_count('*', 1) FROM stays s JOIN wards w ON s.ward = ANY (ARRAY[w.id]);
SELECT dp_count('*', 1) FROM stays s JOIN wards w ON s.cost = w.id;
SELECT dp_count('*', 1) FROM stays s JOIN wards w ON s.ward = abs(w.id);
SELECT dp_count('*', 1) FROM stays s JOIN wards w ON s.room = w.room;
SELECT dp_count('*', 1) FROM stays s JOIN wards w ON w.id = w.id;
SELECT dp_count('*', 1) FROM stays s LEFT JOIN wards w ON true WHERE s.ward = w.id;
SELECT dp_count('*', 1) FROM stays s, wards w, wards x WHERE w.id = x.city AND x.id = w.city;
SELECT dp_count('*', 1) FROM stays s, wards w, wards x WHERE w.id = x.id AND x.id = w.id;
SELECT dp_count('*', 1) FROM stays s JOIN wards w ON s.ward IS NOT DISTINCT FROM w.id;
SELECT dp_count('*', 1) FROM stays s FULL JOIN wards w ON s.ward = w.id;
SELECT dp_count('*', 1) FROM wards w LEFT JOIN stays s ON s.ward = w.id;
SELECT dp_count('*', 1) FROM stays s LEFT JOIN (wards w JOIN cities c ON c.id = w.city) ON s.ward = w.id;
SELECT dp_count('*', 1e6) FROM stays s LEFT JOIN (SELECT id, coalesce(floor, 0) FROM wards) w ON s.ward = w.id;
SELECT dp_count('*', 1e6) FROM stays s JOIN LATERAL (SELECT * FROM wards w WHERE w.id = s.ward) x ON true;
SELECT dp_count('*', 1) FROM stays s JOIN (VALUES (1), (1)) w (id) ON w.id = s.ward;
SELECT dp_count('*', 1e6) FROM stays s JOIN generate_series(1, 3.5) w ON w = s.ward;
SELECT dp_count('*', 1e6) FROM stays s JOIN (SELECT DISTINCT id FROM wards) w ON w.id = s.ward;
SELECT dp_count('*', 1e6) FROM stays s JOIN (SELECT id FROM wards UNION SELECT 1) w ON w.id = s.ward;
SELECT dp_count('*', 1e6) FROM stays s JOIN wards w ON w.id = s.ward + 1;
SELECT dp_count('*', 1) FROM stays s JOIN wards w ON w.id = (random() * 3)::int;
SELECT dp_count('*', 1) FROM stays s JOIN wards w ON w.id = s.ward AND s.code::jsonb = '1';
SELECT dp_count('*', 1) FROM stays s JOIN wards w ON w.id = (SELECT max(id) FROM wards);
SELECT (SELECT dp_count('*', 1) FROM stays s JOIN wards w ON w.id = c.id) FROM cities c;
SELECT dp_count('*', 1) FROM stays s JOIN wards w ON w.id = s.ward AND w.ctid = '(0,1)';
SELECT dp_count('*', 1), count(w.id) FROM stays s JOIN wards w ON w.id = s.ward;
SELECT dp_count('*', 1), count(w.id) FROM wards w JOIN stays s ON w.id = s.ward;
-- Protected tables on anything but their unit.
SELECT dp_count('*', 1) FROM stays s JOIN drugs d ON d.person = s.id;
SELECT dp_count('*', 1) FROM stays s JOIN drugs d ON d.person::int = s.person;
SELECT dp_count('*', 1) FROM stays s JOIN drugs d ON d.drug = s.code;
SELECT dp_count('*', 1) FROM stays s JOIN drugs d ON d.person = s.person + 0;
SELECT dp_count('*', 1) FROM stays s JOIN drugs d ON d.person < s.person;
SELECT dp_count('*', 1) FROM stays s, drugs d, wards w WHERE d.person = w.id AND s.person = w.id;
SELECT dp_count('*', 1) FROM stays s JOIN persons p ON p.big = s.person;
SELECT dp_count('*', 1) FROM stays a JOIN stays b ON a.id = b.id;
SELECT dp_count('*', 1) FROM wards w LEFT JOIN stays s ON w.id = s.ward LEFT JOIN persons p ON p.id = s.person;
SELECT dp_count('*', 1) FROM stays s, drugs d, drugs e WHERE d.person = e.person;
-- Groups by what is computed from two public tables.
SELECT name FROM (SELECT w.name || c.name AS name, dp_count('*', 1) FROM stays s JOIN wards w ON w.id = s.ward JOIN cities c ON c.id = w.city GROUP BY 1) q;
SELECT w.city > s.ward, dp_count('*', 1e6) FROM stays s JOIN wards w ON w.id = s.ward GROUP BY 1;
-- What PostgreSQL forbids stays forbidden: a public table is read as the role itself.
SELECT dp_count('*', 1) FROM stays s JOIN pg_authid w ON w.oid = s.ward::oid;
EXPLAIN (ANALYZE) SELECT dp_count('*', 1) FROM stays s JOIN wards w ON w.id = s.ward;
EXPLAIN (COSTS OFF) SELECT dp_count('*', 1) FROM stays s JOIN persons p ON p.id = s.person JOIN wards w ON w.id = s.ward;
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT dp_count('*', 1) FROM stays s JOIN wards w ON w.id = s.ward;
ROLLBACK;
RESET ROLE;
SET ROLE regress_joins_bob;
SELECT dp_count('*', 0.125) FROM stays s JOIN cities c ON c.id = s.ward;
RESET ROLE;
-- Also before its values are read for the groups: that these are too many to be public is not told.
CREATE TABLE many AS SELECT i AS id, 'n' || i AS name FROM generate_series(1, 100001) i;
ALTER TABLE many ADD PRIMARY KEY (id);
SET ROLE regress_joins_bob;
SELECT m.name, dp_count('*', 0.125) FROM stays s JOIN many m ON m.id = s.ward GROUP BY m.name;
RESET ROLE;
SELECT m.name, dp_count('*', 0.125) FROM stays s JOIN many m ON m.id = s.ward GROUP BY m.name;
DROP TABLE many;

-- ---- unique for sure: an index that holds for all rows, at once, by the equality that the join uses
CREATE TABLE keys (a int, b int, c text, d date, e timestamp, f numeric, UNIQUE (b) DEFERRABLE);
INSERT INTO keys SELECT i, i, i, d, d, i FROM generate_series(1, 40) i, LATERAL (SELECT '2011-12-01'::date + i) AS x (d);
CREATE UNIQUE INDEX ON keys (a) WHERE a > 3;
CREATE UNIQUE INDEX ON keys ((c || c));
CREATE UNIQUE INDEX ON keys (d);
CREATE UNIQUE INDEX ON keys (e);
CREATE UNIQUE INDEX ON keys (f);
GRANT SELECT ON keys TO regress_joins_ana;
SET ROLE regress_joins_ana;
SELECT dp_count('*', 1) FROM stays s JOIN keys k ON k.a = s.ward;
SELECT dp_count('*', 1) FROM stays s JOIN keys k ON k.a = s.ward AND k.a > 3;
SELECT dp_count('*', 1) FROM stays s JOIN keys k ON k.b = s.ward;
SELECT dp_count('*', 1) FROM stays s JOIN keys k ON k.c || k.c = s.code;
SELECT dp_count('*', 1e6) AS numeric FROM stays s JOIN keys k ON k.f = s.ward;
SELECT dp_count('*', 1) AS float8 FROM stays s JOIN keys k ON k.f::float8 = s.cost;
-- Apia had no 30 December 2011: one moment is two dates there, and would find two partners.
SET TimeZone = 'Pacific/Apia';
SELECT dp_count('*', 1) FROM stays s JOIN keys k ON k.d = s.at;
SELECT dp_count('*', 1) FROM stays s JOIN keys k ON s.at = k.e;
SELECT dp_count('*', 1e6) AS of_one_day FROM stays s JOIN keys k ON k.e = s.at::date;
RESET TimeZone;
RESET ROLE;
-- Under a collation of their own; of partitions together; not of the tables below another.
CREATE TABLE words (w text COLLATE "C");
INSERT INTO words VALUES ('N'), ('S');
CREATE UNIQUE INDEX ON words (w COLLATE "POSIX");
CREATE TABLE parted (id int, part int, name text, PRIMARY KEY (id, part)) PARTITION BY LIST (part);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1);
CREATE TABLE parted_2 PARTITION OF parted FOR VALUES IN (2);
INSERT INTO parted SELECT i, i % 2 + 1, 'w' || i FROM generate_series(1, 3) i;
CREATE TABLE above (id int PRIMARY KEY);
CREATE TABLE below (PRIMARY KEY (id)) INHERITS (above);
INSERT INTO above VALUES (1), (2);
INSERT INTO below VALUES (1), (2);
GRANT SELECT ON words, parted, parted_1, above, below TO regress_joins_ana;
SET ROLE regress_joins_ana;
SELECT dp_count('*', 1) FROM stays s JOIN words ON w = s.code COLLATE "C";
SELECT dp_count('*', 1e6) AS posix FROM stays s JOIN words ON w = s.code COLLATE "POSIX";
SELECT dp_count('*', 1) FROM stays s JOIN parted p ON p.id = s.ward;
SELECT dp_count('*', 1e6) AS odd_wards FROM stays s JOIN parted p ON p.id = s.ward AND p.part = 2;
SELECT dp_count('*', 1) FROM stays s JOIN above USING (id);
SELECT dp_count('*', 1e6) AS two FROM stays s JOIN ONLY above USING (id);
RESET ROLE;

-- ---- tables that are not public enough: their owner sees how many rows are looked up; a view or function is none
CREATE TABLE of_bob (id int PRIMARY KEY);
INSERT INTO of_bob VALUES (1);
GRANT SELECT ON of_bob TO regress_joins_ana;
ALTER TABLE of_bob OWNER TO regress_joins_bob;
CREATE TABLE secured (id int PRIMARY KEY);
ALTER TABLE secured ENABLE ROW LEVEL SECURITY;
CREATE SEQUENCE numbers;
GRANT SELECT ON secured, numbers TO regress_joins_ana;
ALTER TABLE parted_2 OWNER TO regress_joins_bob;
SET ROLE regress_joins_ana;
SELECT dp_count('*', 1) FROM stays s JOIN of_bob b ON b.id = s.ward;
SELECT dp_count('*', 1) FROM stays s JOIN secured b ON b.id = s.ward;
SELECT dp_count('*', 1) FROM stays s JOIN numbers b ON b.last_value = s.ward;
SELECT dp_count('*', 1) FROM stays s JOIN parted p ON p.id = s.ward AND p.part = 2;
SELECT dp_count('*', 1e6) AS ward_2 FROM stays s JOIN parted_1 p ON p.id = s.ward AND p.part = 1;
RESET ROLE;
-- Nor is it one of which a part is protected: that has units of its own, and a budget.
SELECT dp.protect('parted_1', 10);
SET ROLE regress_joins_ana;
SELECT dp_count('*', 1) FROM stays s JOIN parted p ON p.id = s.ward AND p.part = 1;
RESET ROLE;
SELECT dp.unprotect('parted_1');
-- Nor is it one that its owner has protected.
SELECT dp.protect('of_bob', 10, privacy_unit => 'id');
SET ROLE regress_joins_bob;
SELECT dp_count('*', 0.125) FROM stays s JOIN of_bob b ON b.id = s.person;
SELECT dp_count('*', 0.125) FROM of_bob b JOIN stays s ON b.id = s.person;
RESET ROLE;

-- ---- units that are not the same by the equality of both columns: a text with blanks is another person, a char with blanks is not; and
-- none at all
CREATE TABLE texts (who text, x int);
CREATE TABLE chars (who bpchar, x int);
CREATE TABLE wholes (who texts);
SELECT dp.protect('texts', 1e9, privacy_unit => 'who', max_rows_per_unit => 1);
SELECT dp.protect('chars', 1e9, privacy_unit => 'who', max_rows_per_unit => 1);
SELECT dp.protect('wholes', 1e9, privacy_unit => 'who', max_rows_per_unit => 1);
SELECT dp_count('*', 1) FROM texts t JOIN chars c ON t.who::bpchar = c.who;
SELECT dp_count('*', 1) FROM chars c JOIN texts t ON t.who::bpchar = c.who;
SELECT dp.unprotect('texts');
SELECT dp.protect('texts', 1e9);
SELECT dp_count('*', 1) FROM texts t JOIN wholes w ON w.who = t;

-- ---- policies that do not fit together, or change
SELECT dp.protect('drugs', 1e9, max_groups_per_unit => 2);
SET ROLE regress_joins_ana;
SELECT dp_count('*', 1e6) AS one_each FROM stays s JOIN drugs d USING (person);
RESET ROLE;
SELECT dp.protect('stays', 1e9, max_groups_per_unit => 3, max_rows_per_group => 2);
SELECT dp.public_values('drugs', 'drug', 'a', 'b', 'c');
SET ROLE regress_joins_ana;
-- One row of each person in two groups, as drugs allow it, not two in three, as stays do: of 15 persons.
SELECT dp_count('*', 1e6) AS one_each FROM stays s JOIN drugs d USING (person);
SELECT sum(n) AS two_each FROM (SELECT d.drug, dp_count('*', 1e6) AS n FROM stays s JOIN drugs d USING (person) GROUP BY d.drug) AS g;
PREPARE joined AS SELECT dp_count('*', 1e6) FROM stays s JOIN persons p ON p.id = s.person;
EXECUTE joined;
RESET ROLE;
SELECT dp.protect('stays', 1e9, max_rows_per_unit => 1);
ALTER TABLE persons DROP CONSTRAINT persons_pkey;
SET ROLE regress_joins_ana;
EXECUTE joined;
SELECT dp_count('*', 1e6) FROM persons;
SELECT dp_count('*', 1e6) FROM persons p JOIN stays s ON s.person = p.id;
RESET ROLE;
ALTER TABLE persons RENAME id TO who;
SET ROLE regress_joins_ana;
EXECUTE joined;
SELECT dp_count('*', 1e6) FROM stays s JOIN persons p ON p.who = s.person;
DEALLOCATE joined;
RESET ROLE;
ALTER TABLE drugs ENABLE ROW LEVEL SECURITY;
SET ROLE regress_joins_ana;
SELECT dp_count('*', 1) FROM stays s JOIN drugs d USING (person);
RESET ROLE;
ALTER TABLE drugs DISABLE ROW LEVEL SECURITY;
ALTER TABLE drugs ALTER person TYPE json USING to_json(person);
SET ROLE regress_joins_ana;
SELECT dp_count('*', 1) FROM drugs;
RESET ROLE;

SET dp.allow_drop = on;
DROP TABLE stays, persons, drugs, cities, wards, keys, words, parted, above, of_bob, secured, texts, chars, wholes CASCADE;
DROP SEQUENCE numbers;
RESET search_path;
DROP SCHEMA of_joins CASCADE;
DROP ROLE regress_joins_ana, regress_joins_bob;
