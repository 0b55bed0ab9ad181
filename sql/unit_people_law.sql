-- The law of answers about people joined with tables and with each other, as unit_full_join_law has it: a person is in all tables, or in
-- none of them. With epsilon = 1 the odds of each event below differ by e. 20,000 pairs; 13 percent are six standard errors.
CALL own_schema('unit_people_law');
SET client_min_messages = error;
SET dp.keep_releases = 0;
-- Person p has a row of the slot p, and four stays in four wards; from 20,000 on there is nobody.
CREATE TABLE people (id int PRIMARY KEY, slot int NOT NULL);
CREATE TABLE stays (person int NOT NULL, slot int NOT NULL, ward int NOT NULL);
INSERT INTO people SELECT p, p FROM generate_series(0, 19999) p;
INSERT INTO stays SELECT p, p, n FROM generate_series(0, 19999) p, generate_series(1, 4) n;
ANALYZE people, stays;
SELECT dp.protect('people', 1e9, privacy_unit => 'id'), dp.protect('stays', 1e9, privacy_unit => 'person', max_rows_per_unit => 2);
SELECT array_agg(i) AS slots FROM generate_series(0, 39999) i \gset
SELECT dp.public_values('people', 'slot', VARIADIC :'slots'::int[]) = dp.public_values('stays', 'slot', VARIADIC :'slots'::int[]) AS declared;
CREATE FUNCTION differs_by_e(answers regclass, counted int, OUT exactly_e boolean) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT count(*) FILTER (WHERE n >= %1$s AND slot < 20000)::float8 / count(*) FILTER (WHERE n >= %1$s AND slot >= 20000) / exp(1) BETWEEN 0.87 AND 1.13
        FROM %2$s', counted, answers) INTO exactly_e;
END $$;

-- One row of each person: P(N >= 0) / P(N >= 1) = e^epsilon.
CREATE TEMP TABLE alone AS SELECT p.slot, dp_count('*', 1, 'geometric') AS n
    FROM people p JOIN (SELECT person, count(*) AS stays FROM stays GROUP BY person) x ON x.person = p.id GROUP BY p.slot;
SELECT differs_by_e('alone', 1);
CREATE TEMP TABLE both_alone AS SELECT p.slot, dp_count('*', 1, 'geometric') AS n
    FROM (SELECT person, count(*) AS stays FROM stays GROUP BY person) x JOIN (SELECT person, min(ward) AS ward FROM stays GROUP BY person) y USING (person)
    LEFT JOIN people p ON p.id = x.person GROUP BY p.slot;
SELECT differs_by_e('both_alone', 1);
-- Four rows of each person, of which two count: P(N >= 0) / P(N >= 2) = e^(2 epsilon / 2).
CREATE TEMP TABLE by_ward AS SELECT p.slot, dp_count('*', 1, 'geometric') AS n
    FROM people p JOIN (SELECT person, ward, count(*) AS stays FROM stays GROUP BY person, ward) x ON x.person = p.id GROUP BY p.slot;
SELECT differs_by_e('by_ward', 2);
CREATE TEMP TABLE of_rows AS SELECT s.slot, dp_count('*', 1, 'geometric') AS n
    FROM stays s JOIN (SELECT person, count(*) AS stays FROM stays GROUP BY person) x USING (person) GROUP BY s.slot;
SELECT differs_by_e('of_rows', 2);
-- Sixteen pairs of each person, of which four count, as many as both sides may have: P(N >= 0) / P(N >= 4) = e^(4 epsilon / 4).
CREATE TEMP TABLE pairs AS SELECT s.slot, dp_count('*', 1, 'geometric') AS n
    FROM stays s JOIN (SELECT person, ward, count(*) AS stays FROM stays GROUP BY person, ward) x ON x.person = s.person GROUP BY s.slot;
SELECT differs_by_e('pairs', 4);
-- Subqueries in what is counted and in FILTER: two rows of four.
CREATE TEMP TABLE filtered AS SELECT s.slot, dp_count('*', 1, 'geometric') FILTER (WHERE EXISTS (SELECT FROM people p WHERE p.id = s.person)) AS n FROM stays s GROUP BY s.slot;
SELECT differs_by_e('filtered', 2);
RESET dp.keep_releases;
SELECT dp.unprotect(t) FROM unnest('{stays, people}'::regclass[]) t;
DROP TABLE stays, people;
DROP FUNCTION differs_by_e;
