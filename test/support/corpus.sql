-- Tables and roles of the attack suite (sql/guard_suite_*): curated by corpus_owner, asked by corpus_ana, who has budgets and no privilege.
SET client_min_messages = error;
CREATE ROLE corpus_owner;
CREATE ROLE corpus_ana LOGIN;
CREATE ROLE corpus_bob LOGIN;
CREATE SCHEMA corpus AUTHORIZATION corpus_owner;
CREATE SCHEMA own AUTHORIZATION corpus_ana;
GRANT USAGE ON SCHEMA corpus TO corpus_ana, corpus_bob;
SET search_path = corpus, public;

SET ROLE corpus_owner;
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE DOMAIN percent AS int CHECK (VALUE BETWEEN 0 AND 100);
CREATE TABLE wards (ward_id int PRIMARY KEY, title text);
INSERT INTO wards VALUES (1, 'North'), (2, 'South'), (3, 'Closed');
CREATE TABLE people (
    id int PRIMARY KEY, name text, ward text, ward_id int REFERENCES wards, kind mood NOT NULL, age int NOT NULL, big int8,
    income numeric(10, 2), exact numeric, weight float8, born date, seen timestamptz, at timestamp, active boolean NOT NULL,
    code varchar(8), tags text[], doc jsonb, share percent, span interval, secret bytea);
INSERT INTO people
SELECT i, 'p' || i, chr(97 + i % 3), 1 + i % 2, (enum_range(NULL::mood))[1 + i % 2], i, i * 1000, i * 10.5, i / 7.0, i / 8.0,
       date '2000-01-01' + i * 40, timestamptz '2024-01-01 00:00+00' + i * interval '1 day',
       timestamp '2024-01-01' + i * interval '6 hours', i % 2 = 0, 'c' || i % 5, ARRAY['x', 't' || i % 4],
       jsonb_build_object('k', i % 3, 's', 'v' || i), i, i * interval '1 hour', decode('00ff', 'hex')
FROM generate_series(1, 60) i;
-- What makes functions fail: extremes, NULL, what is no number.
INSERT INTO people (id, name, ward, kind, age, big, exact, weight, born, seen, at, active)
VALUES (61, NULL, NULL, 'sad', 2147483647, 9223372036854775807, 'NaN', 'NaN', 'infinity', 'infinity', 'infinity', true),
       (62, '', 'z', 'happy', -2147483648, -9223372036854775808, '-Infinity', '-Infinity', '4713-01-01 BC', '-infinity',
        '4713-01-01 00:00:00 BC', false),
       (63, 'bob', 'a', 'sad', 42, 0, 1e100, 1e308, '5874897-12-31', '294276-12-31 23:59:59+00', '294276-12-31 23:59:59', false);
CREATE TABLE events (id int, ward text, age int) PARTITION BY RANGE (id);
CREATE TABLE events_1 PARTITION OF events FOR VALUES FROM (0) TO (150);
CREATE TABLE events_2 PARTITION OF events FOR VALUES FROM (150) TO (1000);
INSERT INTO events SELECT i, chr(97 + i % 3), i % 90 FROM generate_series(1, 300) i;
CREATE TABLE chosen (ward text, price numeric, x float8, age int);
INSERT INTO chosen SELECT chr(97 + i % 4), i % 3, i % 2, i % 5 FROM generate_series(1, 200) i;
INSERT INTO chosen VALUES ('rare', 1.00, '-0', 77);
CREATE TABLE spare (id int, ward text);
INSERT INTO spare VALUES (1, 'a'), (2, 'b');
ANALYZE people, events, chosen, wards, spare;
-- The owner's own ways to read it, open to everybody.
CREATE VIEW adults WITH (security_invoker = true) AS SELECT id, ward, age AS years, name FROM people WHERE age >= 18;
CREATE VIEW by_ward AS SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward;
GRANT SELECT ON adults, by_ward, wards, spare TO corpus_ana;

SELECT dp.protect('people', 9e9, answer_epsilon => 0, min_query_epsilon => 1e-9), dp.protect('events', 9e9, answer_epsilon => 0, min_query_epsilon => 1e-9),
       dp.protect('chosen', 9e9, 0.5, group_epsilon => 1, group_delta => 1e-9, answer_epsilon => 0, min_query_epsilon => 1e-9);
SELECT dp.public_values('people', 'ward', 'a', 'b', 'c'), dp.public_values('people', 'age / 10', 0, 1, 2, 3),
       dp.public_values('events', 'ward', 'a', 'b', 'c'),
       dp.public_values('people', 'dp_trunc(''month'', at)', '2024-01-01', '2024-02-01');
RESET ROLE;
SELECT dp.grant_budget(t, 'corpus_ana', 9e9, 0.1, allow_leaks => true) FROM unnest('{people, events, chosen}'::regclass[]) t;
SELECT dp.grant_budget('people', 'corpus_bob', 10, 0.1, allow_leaks => true);
CREATE TABLE own.notes (k text, n int);
INSERT INTO own.notes VALUES ('a', 1), ('b', 2);
ALTER TABLE own.notes OWNER TO corpus_ana;
