-- The law of answers over a FULL JOIN, as unit_law has it: a person with rows in both tables is there in both, or in none of them. With
-- epsilon = 1 the odds of an event may differ by e, and those of the events below do, so that noise for less than the whole person shows
-- at once. 20,000 pairs; 13 percent are six standard errors.
CALL own_schema('unit_full_join_law');
SET client_min_messages = error;
SET dp.keep_releases = 0;
-- Person p has four rows in each table, of the slot p; from 20,000 on there is nobody.
CREATE TABLE stays (person int, slot int NOT NULL, day int NOT NULL);
CREATE TABLE drugs (person int, slot int NOT NULL, day int NOT NULL);
INSERT INTO stays SELECT p, p, n FROM generate_series(0, 19999) p, generate_series(1, 4) n;
INSERT INTO drugs SELECT p, p, n + 10 FROM generate_series(0, 19999) p, generate_series(1, 4) n;
ANALYZE stays, drugs;
SELECT dp.protect(t, 1e9, privacy_unit => 'person', max_rows_per_unit => 2) FROM unnest('{stays, drugs}'::regclass[]) t;
SELECT array_agg(i) AS slots FROM generate_series(0, 39999) i \gset
SELECT dp.public_values('stays', 'slot', VARIADIC :'slots'::int[]) = dp.public_values('drugs', 'slot', VARIADIC :'slots'::int[]) AS declared;
CREATE FUNCTION likelier(answers regclass, OUT ratio float8) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT count(*) FILTER (WHERE n >= 4 AND slot < 20000)::float8 / count(*) FILTER (WHERE n >= 4 AND slot >= 20000) FROM %s', answers)
        INTO ratio;
END $$;

-- Sixteen pairs of each person, of which four count, as many as both tables may have; geometric noise at l1 = 4: P(N >= 0) / P(N >= 4) =
-- e^(4 epsilon / 4).
CREATE TEMP TABLE pairs AS SELECT s.slot, dp_count('*', 1, 'geometric') AS n FROM stays s FULL JOIN drugs d USING (person) GROUP BY s.slot;
SELECT likelier('pairs') / exp(1) BETWEEN 0.87 AND 1.13 AS exactly_e;
-- Rows without a partner, four on each side; those of the other side lie in the group of NULL. Half of them count.
CREATE TEMP TABLE alone AS SELECT d.slot, dp_count('*', 1, 'geometric') + 2 AS n FROM stays s FULL JOIN drugs d ON s.person = d.person AND s.day = d.day
    GROUP BY d.slot;
SELECT likelier('alone') / exp(1) < 1.13 AS at_most_e, likelier('alone') > 1.3 AS seen;
-- Who is in one of the tables alone.
TRUNCATE stays;
CREATE TEMP TABLE one_side AS SELECT d.slot, dp_count('*', 1, 'geometric') AS n FROM stays s FULL JOIN drugs d USING (person) GROUP BY d.slot;
SELECT likelier('one_side') / exp(1) BETWEEN 0.87 AND 1.13 AS exactly_e;
-- One row of a person on each side: two, where they are no partners.
CREATE TABLE first (person int PRIMARY KEY, slot int NOT NULL, day int NOT NULL);
CREATE TABLE second (person int PRIMARY KEY, slot int NOT NULL, day int NOT NULL);
INSERT INTO first SELECT p, p / 2, 1 FROM generate_series(0, 39999) p;
INSERT INTO second SELECT p, p / 2, 2 FROM generate_series(0, 39999) p;
SELECT dp.protect(t, 1e9, privacy_unit => 'person') FROM unnest('{first, second}'::regclass[]) t;
SELECT dp.public_values('first', 'slot', VARIADIC :'slots'::int[]) = dp.public_values('second', 'slot', VARIADIC :'slots'::int[]) AS declared;
-- Two persons of each slot, with one row each that counts in it: P(N >= 0) / P(N >= 2) = e^(2 epsilon / 2), and for both of them no more.
CREATE TEMP TABLE two AS SELECT f.slot, dp_count('*', 1, 'geometric') + 2 AS n FROM first f FULL JOIN second s ON f.person = s.person AND f.day = s.day
    GROUP BY f.slot;
SELECT likelier('two') / exp(1) BETWEEN 0.87 AND 1.13 AS exactly_e;
RESET dp.keep_releases;
SELECT dp.unprotect(t) FROM unnest('{stays, drugs, first, second}'::regclass[]) t;
DROP TABLE stays, drugs, first, second;
DROP FUNCTION likelier;
