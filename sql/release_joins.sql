-- Releases of joins: an answer over several protected tables is kept like any other. To make it more accurate each of them pays the
-- difference, and where one of them cannot, none does.
CALL own_schema('release_joins');
\pset null '(null)'
SET client_min_messages = error;
CREATE ROLE regress_both_maker;
CREATE ROLE regress_both_ben;
CREATE ROLE regress_both_owner IN ROLE dp_curator;
CREATE ROLE regress_both_keeper IN ROLE dp_curator;
GRANT USAGE, CREATE ON SCHEMA release_joins TO regress_both_owner;
CREATE TABLE stays (id int PRIMARY KEY, person int, ward text NOT NULL);
INSERT INTO stays SELECT i, i % 40, 'ward ' || i % 2 FROM generate_series(1, 120) i;
SET ROLE regress_both_owner;
CREATE TABLE persons (id int PRIMARY KEY, female boolean NOT NULL);
INSERT INTO persons SELECT i, i % 2 = 0 FROM generate_series(0, 39) i;
RESET ROLE;
SELECT dp.protect('stays', 9e9, privacy_unit => 'person', max_rows_per_unit => 10), dp.protect('persons', 9e9, privacy_unit => 'id');
SELECT dp.public_values('persons', 'female', false, true), dp.public_values('stays', 'ward', 'ward 0', 'ward 1');
SELECT dp.grant_budget(t, r, 9e8, allow_leaks => true)
FROM unnest('{stays, persons}'::regclass[]) t, unnest(ARRAY['regress_both_maker', 'regress_both_ben']::regrole[]) r;
GRANT SELECT ON stays TO regress_both_maker;
\getenv folder PG_ABS_SRCDIR
\set outcome :folder '/test/support/outcome.sql'
\i :outcome
-- What was charged since the last time.
CREATE TABLE seen_charges (seq bigint);
CREATE FUNCTION charged(OUT relation regclass, OUT role regrole, OUT kind text, OUT epsilon numeric, OUT table_epsilon numeric)
    RETURNS SETOF record LANGUAGE plpgsql SECURITY DEFINER SET search_path = release_joins AS $$
BEGIN
    RETURN QUERY SELECT l.relation, l.role, l.kind, l.epsilon, l.table_epsilon FROM dp.ledger l
        WHERE l.seq > (SELECT coalesce(max(s.seq), 0) FROM seen_charges s) AND l.role::text LIKE 'regress\_both\_%' AND l.kind <> 'continued'
        ORDER BY l.seq;
    INSERT INTO seen_charges SELECT max(l.seq) FROM dp.ledger l;
END $$;

-- Kept, listed with each of its tables, and relaxed: each pays the difference, once.
SET ROLE regress_both_maker;
SELECT p.female, dp_count('*', 0.25) IS NOT NULL AS ok FROM stays s JOIN persons p ON p.id = s.person GROUP BY p.female;
SELECT dp_last_release() AS r \gset
SELECT relation, aggregate, epsilon, groups, role FROM dp.releases WHERE release_id = :r ORDER BY relation::text;
SELECT relation, epsilon FROM dp.release_of(:r) ORDER BY relation::text;
SELECT * FROM charged();
SELECT group_key, epsilon FROM dp_answer(:r);
SELECT group_key, answer::numeric BETWEEN lower::numeric AND upper::numeric AS within FROM dp_errors(:r);
SELECT group_key, epsilon FROM relax_release(:r, 0.75);
SELECT * FROM charged();
SELECT count(*) FROM relax_release(:r, 0.75);
SELECT * FROM charged();
SELECT group_key, answer FROM dp_relax_release(:r, 1e6);
SELECT * FROM charged();
-- Three of them, of which two are the same table: that one is charged once.
SELECT dp_count('*', 0.5) IS NOT NULL AS ok FROM stays a JOIN persons p ON p.id = a.person JOIN stays b ON b.person = a.person;
SELECT count(*) FROM relax_release(dp_last_release(), 0.6);
SELECT * FROM charged();
-- A second table of which a subquery alone reads.
SELECT dp_count('*', 0.5) IS NOT NULL AS ok FROM stays s WHERE EXISTS (SELECT FROM persons p WHERE p.id = s.person AND p.female);
SELECT answer FROM relax_release(dp_last_release(), 1e6);
SELECT * FROM charged();

-- Shared by who curates all of them: the role pays on each, the tables what nobody has paid. The owner of one of them is no curator
-- of the other any more.
RESET ROLE;
REVOKE dp_curator FROM regress_both_owner;
SET ROLE regress_both_owner;
SELECT relation, epsilon FROM dp.releases WHERE release_id = :r;
SELECT outcome(format('SELECT dp.share_release(%s, ''regress_both_ben'', 0.5)', :r));
SELECT outcome(format('SELECT dp_answer(%s)', :r));
SET ROLE regress_both_keeper;
SELECT relation, epsilon FROM dp.releases WHERE release_id = :r ORDER BY relation::text;
SELECT dp.share_release(:r, 'regress_both_ben', 0.5);
SELECT * FROM charged();
SELECT dp.share_release(:r, 'regress_both_ben', 1e6);
SELECT * FROM charged();
SET ROLE regress_both_ben;
SELECT group_key, answer FROM dp_answer(:r);
SELECT relation, epsilon FROM dp.releases WHERE release_id = :r ORDER BY relation::text;

-- Where the second account or the second table is short, nothing is charged to the first.
RESET ROLE;
GRANT dp_curator TO regress_both_owner;
SELECT dp.grant_budget('persons', 'regress_both_maker', 2000002, allow_leaks => true);
SET ROLE regress_both_maker;
SELECT dp_count('*', 0.25) IS NOT NULL AS ok FROM stays s JOIN persons p ON p.id = s.person;
SELECT dp_last_release() AS s \gset
SELECT * FROM charged();
SELECT left(outcome(format('SELECT relax_release(%s, 9)', :s)), 79);
SELECT * FROM charged();
RESET ROLE;
SELECT dp.grant_budget('persons', 'regress_both_maker', 9e8, allow_leaks => true);
SELECT dp.protect('persons', 3000000, privacy_unit => 'id');
SET ROLE regress_both_maker;
SELECT left(outcome(format('SELECT relax_release(%s, 1e6)', :s)), 66);
SELECT * FROM charged();
RESET ROLE;
SELECT dp.protect('persons', 9e9, privacy_unit => 'id');
-- Without an account on one of them.
SELECT dp.revoke_budget('persons', 'regress_both_maker');
SET ROLE regress_both_maker;
SELECT outcome(format('SELECT relax_release(%s, 9)', :s));
SELECT count(*) FROM dp_answer(:s);
SELECT * FROM charged();
RESET ROLE;
SELECT dp.grant_budget('persons', 'regress_both_maker', 9e8, allow_leaks => true);

-- Other limits and another unit: as for one table, what was answered stays what it was, and the difference is charged.
SELECT dp.protect('stays', 9e9, privacy_unit => 'person', max_rows_per_unit => 1);
SET ROLE regress_both_maker;
SELECT count(*) FROM relax_release(:s, 0.5);
SELECT * FROM charged();

-- Not protected any more: the others pay, and the role has to be one that may read it.
RESET ROLE;
SELECT dp.unprotect('persons');
SET ROLE regress_both_maker;
SELECT outcome(format('SELECT relax_release(%s, 1)', :s));
SELECT * FROM charged();
RESET ROLE;
GRANT SELECT ON persons TO regress_both_maker;
SET ROLE regress_both_maker;
SELECT outcome(format('SELECT relax_release(%s, 1)', :s));
SELECT * FROM charged();
-- Protected again, it pays what nobody has paid by then.
RESET ROLE;
SELECT dp.protect('persons', 9e9, privacy_unit => 'id'), dp.grant_budget('persons', 'regress_both_maker', 9e8, allow_leaks => true);
SET ROLE regress_both_maker;
SELECT outcome(format('SELECT relax_release(%s, 1.5)', :s));
SELECT * FROM charged();

-- A table that takes over from one of them pays in its place.
RESET ROLE;
CREATE TABLE people (id int PRIMARY KEY, female boolean NOT NULL);
INSERT INTO people TABLE persons;
SELECT dp.protect('people', 9e9, privacy_unit => 'id', continues => 'persons');
SET ROLE regress_both_maker;
SELECT relation FROM dp.releases WHERE release_id = :s ORDER BY relation::text;
SELECT outcome(format('SELECT relax_release(%s, 2)', :s));
SELECT * FROM charged();
RESET ROLE;
DROP TABLE persons;
-- Also from the first one, and from one that it was joined to: then the table is one.
CREATE TABLE stays_and_people (id int PRIMARY KEY, person int, ward text NOT NULL);
SELECT dp.protect('stays_and_people', 9e9, privacy_unit => 'person', max_rows_per_unit => 10, continues => 'stays');
SELECT dp.protect('stays_and_people', 9e9, privacy_unit => 'person', max_rows_per_unit => 10, continues => 'people');
SELECT relation, partners FROM dp.release_part WHERE release_id = :s;
SET ROLE regress_both_maker;
SELECT outcome(format('SELECT relax_release(%s, 3)', :s));
SELECT * FROM charged();
RESET ROLE;
CREATE TABLE stays_at_last (id int PRIMARY KEY, person int, ward text NOT NULL);
SELECT dp.protect('stays_at_last', 9e9, privacy_unit => 'person', max_rows_per_unit => 10, continues => 'stays_and_people');
SELECT relation, partners FROM dp.release_part WHERE release_id = :s;

-- Two tables that become parts of a protected one pay as one, too.
CREATE TABLE halves (id int, person int NOT NULL, PRIMARY KEY (id, person)) PARTITION BY RANGE (id);
CREATE TABLE lower_half PARTITION OF halves FOR VALUES FROM (0) TO (10);
CREATE TABLE upper_half PARTITION OF halves FOR VALUES FROM (10) TO (20);
INSERT INTO halves VALUES (1, 1), (11, 1);
SELECT dp.protect(t, 9e9, privacy_unit => 'person', max_rows_per_unit => 2), dp.grant_budget(t, 'regress_both_maker', 9e8, allow_leaks => true)
FROM unnest('{lower_half, upper_half}'::regclass[]) t;
SET ROLE regress_both_maker;
SELECT dp_count('*', 0.25) IS NOT NULL AS ok FROM lower_half l JOIN upper_half u ON l.person = u.person;
RESET ROLE;
SELECT dp.unprotect(t) FROM unnest('{lower_half, upper_half}'::regclass[]) t;
SELECT dp.protect('halves', 9e9, privacy_unit => 'person', max_rows_per_unit => 2), dp.grant_budget('halves', 'regress_both_maker', 9e8, allow_leaks => true);
SET ROLE regress_both_maker;
SELECT answer FROM relax_release(dp_last_release(), 1e6);
SELECT * FROM charged();
RESET ROLE;

-- Dropped: nobody can relax it any more; what was paid for stays readable.
CREATE TABLE visits (id int PRIMARY KEY, person int);
CREATE TABLE humans (id int PRIMARY KEY);
INSERT INTO visits VALUES (1, 1), (2, 1), (3, 2);
INSERT INTO humans VALUES (1), (2);
GRANT SELECT ON visits, humans TO regress_both_maker;
SELECT dp.protect('visits', 9e9, privacy_unit => 'person', max_rows_per_unit => 2), dp.protect('humans', 9e9, privacy_unit => 'id');
SELECT dp.grant_budget(t, 'regress_both_maker', 9e8, allow_leaks => true) FROM unnest('{visits, humans}'::regclass[]) t;
SET ROLE regress_both_maker;
SELECT dp_count('*', 0.25) IS NOT NULL AS ok FROM visits v JOIN humans h ON h.id = v.person;
SELECT dp_last_release() AS d \gset
SELECT dp_count('*', 0.25) IS NOT NULL AS ok FROM humans h JOIN visits v ON h.id = v.person;
SELECT dp_last_release() AS e \gset
SELECT * FROM charged();
RESET ROLE;
SET dp.allow_drop = on;
DROP TABLE humans;
RESET dp.allow_drop;
SET ROLE regress_both_maker;
SELECT regexp_replace(outcome(format('SELECT relax_release(%s, 1)', r)), 'table [0-9]+', 'table N') FROM unnest(ARRAY[:d, :e]) r;
SELECT count(*) FROM dp_answer(:d);
SELECT * FROM charged();

-- Forgotten by who curates all of them, or by what was said of one.
RESET ROLE;
CREATE TABLE humans (id int PRIMARY KEY);
ALTER TABLE humans OWNER TO regress_both_owner;
INSERT INTO humans VALUES (1), (2);
SELECT dp.protect('humans', 9e9, privacy_unit => 'id'), dp.grant_budget('humans', 'regress_both_maker', 9e8, allow_leaks => true);
SET ROLE regress_both_maker;
SELECT dp_count('*', 0.25) IS NOT NULL AS ok FROM visits v JOIN humans h ON h.id = v.person;
SELECT dp_last_release() AS f \gset
RESET ROLE;
REVOKE dp_curator FROM regress_both_owner;
SET ROLE regress_both_owner;
SELECT dp.forget_releases('0');
SELECT relation FROM dp.releases WHERE release_id = :f;
SELECT dp.retain_releases('humans', max_age => '1 day');
SELECT dp.forget_releases();
RESET ROLE;
UPDATE dp.release_part SET made_at = made_at - interval '2 days' WHERE release_id = :f;
SET ROLE regress_both_owner;
SELECT dp.forget_releases();
SET ROLE regress_both_keeper;
SELECT dp.forget_releases() >= 1 AS forgotten;
SET ROLE regress_both_maker;
SELECT left(outcome(format('SELECT relax_release(%s, 1)', :f)), 35);
SET ROLE regress_both_owner;
SELECT left(outcome(format('SELECT dp_answer(%s)', :f)), 35);
RESET ROLE;
SELECT relation FROM dp.release_forgotten WHERE release_id = :f ORDER BY relation::text;
GRANT dp_curator TO regress_both_owner;

-- Read as several roles, through a view and beside it, it is not kept: the owner of the view would go on paying.
CREATE VIEW humans_of_owner AS SELECT id FROM humans;
ALTER VIEW humans_of_owner OWNER TO regress_both_owner;
GRANT SELECT ON humans_of_owner TO regress_both_maker;
SET ROLE regress_both_maker;
SELECT dp_count('*', 0.25) IS NOT NULL AS ok FROM visits v JOIN humans_of_owner h ON h.id = v.person;
SELECT dp_last_release();

-- The same question again: free where the curators of all of them say so, and more accurate for the difference on each.
RESET ROLE;
SELECT dp.protect('visits', 9e9, privacy_unit => 'person', max_rows_per_unit => 2, reuse => '1 day', share_answers => true);
SELECT dp.grant_budget('visits', 'regress_both_ben', 9e8, allow_leaks => true);
SELECT dp.grant_budget('humans', 'regress_both_ben', 9e8, allow_leaks => true);
INSERT INTO seen_charges SELECT max(seq) FROM dp.ledger;
SET ROLE regress_both_maker;
SELECT dp_count('*', 0.25) IS NOT NULL AS ok FROM visits v JOIN humans h ON h.id = v.person;
SELECT dp_count('*', 0.25) IS NOT NULL AS again FROM visits v JOIN humans h ON h.id = v.person;
SELECT * FROM charged();
RESET ROLE;
SELECT dp.protect('humans', 9e9, privacy_unit => 'id', reuse => '1 day');
SET ROLE regress_both_maker;
SELECT dp_count('*', 0.25) IS NOT NULL AS ok FROM visits v JOIN humans h ON h.id = v.person;
SELECT dp_count('*', 0.25) IS NOT NULL AS again FROM visits v JOIN humans h ON h.id = v.person;
SELECT * FROM charged();
SELECT relation, role FROM dp.reuse WHERE role = 'regress_both_maker'::regrole ORDER BY relation::text;
EXPLAIN (COSTS OFF) SELECT dp_count('*', 1e6) FROM visits v JOIN humans h ON h.id = v.person;
SELECT relation, role, epsilon FROM dp.cost('SELECT dp_count(''*'', 1e6) FROM visits v JOIN humans h ON h.id = v.person') ORDER BY relation::text, role::text;
SELECT dp_count('*', 1e6) FROM visits v JOIN humans h ON h.id = v.person;
SELECT * FROM charged();
-- Of others where all say that too: the tables pay nothing more.
SET ROLE regress_both_ben;
SELECT dp_count('*', 1e6) FROM visits v JOIN humans h ON h.id = v.person;
SELECT * FROM charged();
RESET ROLE;
SELECT dp.protect('humans', 9e9, privacy_unit => 'id', reuse => '1 day', share_answers => true);
SET ROLE regress_both_ben;
SELECT dp_count('*', 1e6) FROM visits v JOIN humans h ON h.id = v.person WHERE v.id > 1;
SET ROLE regress_both_maker;
SELECT dp_count('*', 1e6) FROM visits v JOIN humans h ON h.id = v.person WHERE v.id > 1;
SELECT * FROM charged();
-- Withdrawn by the curator of either.
SET ROLE regress_both_owner;
SELECT dp.forget_answers('humans') > 0 AS forgotten;
RESET ROLE;
SELECT count(*) FROM dp.stored_answer WHERE 'humans'::regclass = ANY (partners);
SET ROLE regress_both_maker;
SELECT dp_count('*', 1e6) FROM visits v JOIN humans h ON h.id = v.person WHERE v.id > 1;
SELECT * FROM charged();
RESET ROLE;
SELECT dp.unprotect(t) FROM unnest('{visits, humans, stays_at_last, halves}'::regclass[]) t;
DROP VIEW humans_of_owner;
DROP TABLE halves, visits, humans, stays, people, stays_and_people, stays_at_last, seen_charges;
DROP FUNCTION outcome, charged;
DROP OWNED BY regress_both_maker, regress_both_ben, regress_both_owner, regress_both_keeper;
DROP ROLE regress_both_maker, regress_both_ben, regress_both_owner, regress_both_keeper;
