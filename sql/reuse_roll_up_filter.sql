-- A question by fewer keys and with conditions is answered by the sums of those groups of a stored answer in which the conditions hold.
-- Counts at 1e6 are exact.
CALL own_schema('reuse_roll_up_filter');
SET client_min_messages = warning;
CREATE ROLE regress_rolled_ana;
CREATE ROLE regress_rolled_ben;
CREATE TYPE mood AS ENUM ('low', 'high');
CREATE TABLE stay (id int PRIMARY KEY, ward text NOT NULL, age int NOT NULL, cost numeric NOT NULL, admitted date NOT NULL, feels mood NOT NULL);
INSERT INTO stay SELECT i, (ARRAY['a', 'b', 'b', 'c'])[1 + i % 4], i % 100, i % 50, '2024-01-01'::date + i % 91, (ARRAY['low', 'high'])[1 + i % 2]::mood
    FROM generate_series(0, 3999) i;
SELECT dp.protect('stay', 1e9, answer_epsilon => 1e6, reuse => '1 day');
SELECT dp.grant_budget('stay', r, 1e9, allow_leaks => true) FROM unnest(ARRAY['regress_rolled_ana', 'regress_rolled_ben']::regrole[]) r;
SELECT dp.declare_values('stay', 'ward', 'a', 'b', 'c');
SELECT dp.declare_range('stay', 'cost', 0, 50), dp.declare_range('stay', 'age', 0, 100), dp.declare_range('stay', 'admitted', '2024-01-01', '2024-03-31');
CREATE TABLE plain AS SELECT * FROM stay;
GRANT SELECT ON plain TO regress_rolled_ana;
CREATE TABLE seen_charges (seq bigint);
CREATE FUNCTION charged(OUT charges bigint, OUT epsilon numeric) RETURNS record LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    SELECT count(*), coalesce(sum(l.epsilon), 0) INTO charges, epsilon FROM dp.ledger l
    WHERE l.relation = 'reuse_roll_up_filter.stay'::regclass AND l.seq > (SELECT coalesce(max(s.seq), 0) FROM reuse_roll_up_filter.seen_charges s);
    INSERT INTO reuse_roll_up_filter.seen_charges SELECT max(l.seq) FROM dp.ledger l;
END $$;
SET ROLE regress_rolled_ana;

SELECT count(q) AS groups FROM (SELECT ward, date_trunc('month', admitted) AS month, feels, count(*) AS n, sum(cost) AS cost FROM stay GROUP BY 1, 2, 3) q;
SELECT * FROM charged();
-- What a dashboard asks when somebody clicks on a ward: by other keys, by none, by several conditions.
EXPLAIN (COSTS OFF) SELECT feels, count(*) FROM stay WHERE ward = 'a' GROUP BY feels;
SELECT feels, count(*), round(sum(cost)) AS cost FROM stay WHERE ward = 'a' GROUP BY feels ORDER BY 1;
SELECT feels, count(*), round(sum(cost)) AS cost FROM plain WHERE ward = 'a' GROUP BY feels ORDER BY 1;
SELECT count(*) FROM stay WHERE ward IN ('a', 'b') AND feels = 'high' AND date_trunc('month', admitted) > '2024-01-01';
SELECT count(*) FROM plain WHERE ward IN ('a', 'b') AND feels = 'high' AND date_trunc('month', admitted) > '2024-01-01';
SELECT feels, ward, count(*) FROM stay WHERE date_trunc('month', admitted) = '2024-02-01' OR ward = 'c' GROUP BY 1, 2 ORDER BY 1, 2;
SELECT feels, ward, count(*) FROM plain WHERE date_trunc('month', admitted) = '2024-02-01' OR ward = 'c' GROUP BY 1, 2 ORDER BY 1, 2;
SELECT count(*) FROM stay WHERE ward = 'nowhere';
PREPARE of(text) AS SELECT count(*) FROM stay WHERE ward = $1;
EXECUTE of('b');
EXECUTE of('c');
SELECT * FROM charged();
-- A condition that is made of no key says nothing of groups: asked anew. So is what another role asks.
SELECT count(*) FROM stay WHERE ward = 'a' AND age < 50;
SELECT count(*) FROM plain WHERE ward = 'a' AND age < 50;
SELECT * FROM charged();
SELECT feels, count(*) FROM stay WHERE admitted >= '2024-02-15' GROUP BY feels ORDER BY 1;
SELECT feels, count(*) FROM plain WHERE admitted >= '2024-02-15' GROUP BY feels ORDER BY 1;
SELECT * FROM charged();
SET ROLE regress_rolled_ben;
SELECT count(*) FROM stay WHERE ward = 'a';
SELECT * FROM charged();
-- Conditions that the stored answer has as well are no matter.
SET ROLE regress_rolled_ana;
SELECT count(q) AS groups FROM (SELECT ward, feels, dp_count('*', 1e-3) AS n FROM stay WHERE age < 30 AND cost < 40 GROUP BY 1, 2) q;
SELECT * FROM charged();
EXPLAIN (COSTS OFF) SELECT dp_count('*', 1e-3) FROM stay WHERE ward <> 'b' AND age < 30 AND cost < 40;
SELECT (SELECT dp_count('*', 1e-3) FROM stay WHERE ward <> 'b' AND age < 30 AND cost < 40)
    = (SELECT sum(n) FROM (SELECT ward, feels, dp_count('*', 1e-3) AS n FROM stay WHERE age < 30 AND cost < 40 GROUP BY 1, 2) q WHERE ward <> 'b') AS same;
-- The error is that of as many groups as were summed.
SELECT dp_error(dp_count('*', 1e-3)) AS of_four FROM stay WHERE ward <> 'b' AND age < 30 AND cost < 40;
SELECT dp_error(dp_count('*', 1e-3)) AS of_two FROM stay WHERE ward = 'b' AND age < 30 AND cost < 40;
SELECT * FROM charged();
RESET ROLE;
DROP TABLE stay, plain, seen_charges;
DROP TYPE mood;
DROP OWNED BY regress_rolled_ana, regress_rolled_ben;
DROP ROLE regress_rolled_ana, regress_rolled_ben;
