-- In the way of PostgreSQL's own tests: a protected table, and a role with a budget.
CREATE EXTENSION pg_dp;
CREATE ROLE regress_dp_analyst;
CREATE SCHEMA dp_people;
CREATE TABLE dp_people.person (id int PRIMARY KEY, age int);
INSERT INTO dp_people.person SELECT i, i % 90 FROM generate_series(1, 100) i;
DO $$
BEGIN
    PERFORM dp.protect('dp_people.person', 10, privacy_unit => 'id');
    PERFORM dp.grant_budget('dp_people.person', 'regress_dp_analyst', 5, allow_leaks => true);
END $$;
