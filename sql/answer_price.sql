-- What an answer costs that names no epsilon, where no curator has said it: a hundredth of the role's budget.
CALL own_schema('answer_price');
SET client_min_messages = error;
CREATE ROLE regress_price_ana;
CREATE ROLE regress_price_team;
CREATE ROLE regress_price_bob IN ROLE regress_price_team;
CREATE ROLE regress_price_reader;
CREATE TABLE stay (id int PRIMARY KEY, ward text NOT NULL);
INSERT INTO stay SELECT i, 'a' FROM generate_series(1, 100) i;
SELECT dp.protect('stay', 1e6);
SELECT dp.grant_budget('stay', 'regress_price_ana', 5, allow_leaks => true), dp.grant_budget('stay', 'regress_price_team', 3, allow_leaks => true);
CREATE FUNCTION price(query text, role name DEFAULT current_user) RETURNS TABLE (epsilon text, why text) LANGUAGE plpgsql AS $$
DECLARE
    plan json;
BEGIN
    PERFORM set_config('role', role, true);
    EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
    PERFORM set_config('role', 'none', true);
    RETURN QUERY SELECT plan #>> '{0,Plan,Epsilon}', plan #>> '{0,Plan,Epsilon of an Answer}';
END $$;

-- Of an account, of one that is inherited, of several answers; not where the session or the call says it.
SET ROLE regress_price_ana;
SELECT * FROM price('SELECT count(*) FROM stay');
SELECT * FROM price('SELECT count(*), count(DISTINCT id) FROM stay');
SELECT * FROM stay;
SELECT * FROM price('SELECT dp_count(''*'', 0.5) FROM stay');
SET dp.epsilon = 0.5;
SELECT * FROM price('SELECT count(*) FROM stay');
RESET dp.epsilon;
SET ROLE regress_price_bob;
SELECT * FROM price('SELECT count(*) FROM stay');
RESET ROLE;

-- It is what is charged, and a larger budget makes it larger, for prepared statements, too.
SET ROLE regress_price_ana;
PREPARE rows AS SELECT count(*) FROM stay WHERE id > $1;
SET plan_cache_mode = force_generic_plan;
SELECT * FROM price('EXECUTE rows(1)');
SELECT count(count) FROM (SELECT count(*) FROM stay) q;
RESET ROLE;
SELECT kind, epsilon FROM dp.ledger WHERE relation = 'stay'::regclass;
SELECT dp.grant_budget('stay', 'regress_price_ana', 100, allow_leaks => true);
SET ROLE regress_price_ana;
SELECT * FROM price('EXECUTE rows(1)');
RESET ROLE;

-- Within the limits of one question: never more than it may cost, nor less than it has to.
SELECT dp.grant_budget('stay', 'regress_price_ana', 100, query_epsilon => 0.25);
SELECT * FROM price('SELECT count(*) FROM stay', 'regress_price_ana');
SELECT dp.grant_budget('stay', 'regress_price_ana', 100, query_epsilon => -1), dp.protect('stay', query_epsilon => 0.125);
SELECT * FROM price('SELECT count(*) FROM stay', 'regress_price_ana');
SELECT dp.grant_budget('stay', 'regress_price_ana', 1), dp.protect('stay', query_epsilon => -1, min_query_epsilon => 0.0625);
SELECT * FROM price('SELECT count(*) FROM stay', 'regress_price_ana');
SELECT dp.protect('stay', min_query_epsilon => 0), dp.grant_budget('stay', 'regress_price_ana', 1e-9);
SELECT * FROM price('SELECT count(*) FROM stay', 'regress_price_ana');
SELECT dp.protect('stay', 9e9), dp.grant_budget('stay', 'regress_price_ana', 9e9);
SELECT * FROM price('SELECT count(*) FROM stay', 'regress_price_ana');

-- Named, switched off, and as at first.
SELECT dp.protect('stay', answer_epsilon => 0.5), dp.grant_budget('stay', 'regress_price_ana', 100);
SELECT * FROM price('SELECT count(*) FROM stay', 'regress_price_ana');
SELECT dp.protect('stay', answer_epsilon => 0);
SET ROLE regress_price_ana;
SELECT count(*) FROM stay;
RESET ROLE;
SELECT dp.protect('stay', 9e9);
SELECT dp.grant_budget('stay', 'regress_price_ana', answer_epsilon => 0.75);
SELECT * FROM price('SELECT count(*) FROM stay', 'regress_price_ana');
SELECT dp.grant_budget('stay', 'regress_price_ana', answer_epsilon => 0);
SET ROLE regress_price_ana;
SELECT count(*) FROM stay;
RESET ROLE;
SELECT dp.protect('stay', answer_epsilon => -1);
SELECT * FROM price('SELECT count(*) FROM stay', 'regress_price_ana');
SELECT dp.protect('stay', answer_epsilon => -2);

-- Who may read the table has no budget, and what it asks is exact.
GRANT SELECT ON stay TO regress_price_reader;
SET ROLE regress_price_reader;
SELECT count(*) FROM stay;
RESET ROLE;
DROP SCHEMA answer_price CASCADE;
DROP OWNED BY regress_price_ana, regress_price_team, regress_price_bob, regress_price_reader;
DROP ROLE regress_price_ana, regress_price_bob, regress_price_team, regress_price_reader;
