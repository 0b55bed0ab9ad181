-- People, their wards and what is made of them, as sql/guard_query_shapes and sql/guard_statements ask about them.
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE TABLE people (
    id int PRIMARY KEY, ward text, code text COLLATE "C", kind mood NOT NULL, age int NOT NULL, size int8, price numeric(8, 2),
    born date, seen timestamp, active boolean);
INSERT INTO people
SELECT i, CASE WHEN i % 7 <> 0 THEN chr(97 + i % 5) END, chr(65 + i % 3) || chr(97 + i % 2), (enum_range(NULL::mood))[1 + i % 3],
       i * 37 % 101, CASE WHEN i % 11 <> 0 THEN i * 13 % 97 END, i % 4 + 0.25, date '1970-01-01' + i % 6 * 100,
       timestamp '2024-01-31 22:00' + i * interval '7 hours', CASE WHEN i % 9 <> 0 THEN i % 2 = 0 END
FROM generate_series(1, 400) i;
CREATE TABLE wards (ward text, name text, beds int);
INSERT INTO wards VALUES ('a', 'Anne', 10), ('b', 'Berta', 70), ('c', 'Carla', 0), ('x', 'Xenia', 5), (NULL, 'nobody', 1);
ANALYZE people, wards;
SELECT dp.protect('people', 9e9, 0.5, group_epsilon => 100, group_delta => 1e-18);

-- Views: rows chosen below the aggregates, answers, and both.
CREATE VIEW adults AS SELECT id, ward, age AS years, age / 10 AS decade FROM people WHERE age >= 18;
CREATE VIEW old AS SELECT ward, years FROM adults WHERE years > 60;
CREATE VIEW by_ward AS SELECT ward, dp_count('*', 1e6) AS n, dp_sum(age, 0, 100, 1e6) AS years FROM people GROUP BY ward;
CREATE VIEW plainly_by_ward AS SELECT ward, count(*) AS n, sum(age) AS years FROM people GROUP BY ward;
CREATE VIEW invoked WITH (security_invoker = true) AS SELECT * FROM people WHERE active;
CREATE VIEW barrier WITH (security_barrier = true) AS SELECT * FROM people WHERE active;

-- Tables with parts, protected at the root.
CREATE TABLE events (id int, ward text, age int) PARTITION BY RANGE (id);
CREATE TABLE events_1 PARTITION OF events FOR VALUES FROM (0) TO (150);
CREATE TABLE events_2 PARTITION OF events FOR VALUES FROM (150) TO (1000);
INSERT INTO events SELECT id, ward, age FROM people;
CREATE TABLE animals (id int, age int);
CREATE TABLE dogs (breed text) INHERITS (animals);
INSERT INTO animals SELECT id, age FROM people WHERE id < 100;
INSERT INTO dogs SELECT id, age, ward FROM people WHERE id > 200;
ANALYZE events, animals, dogs;
SELECT dp.protect('events', 9e9, 0.5, group_epsilon => 100, group_delta => 1e-18), dp.protect('animals', 9e9);
