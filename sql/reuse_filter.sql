-- A condition on the keys of a stored answer is answered from it: a click on a bar costs nothing. At 1e6 counts are exact.
CALL own_schema('reuse_filter');
SET client_min_messages = warning;
CREATE ROLE regress_filter_ana;
CREATE ROLE regress_filter_ben;
CREATE TABLE stay (id int PRIMARY KEY, patient int NOT NULL, ward text NOT NULL, age int NOT NULL, urgent boolean, word text NOT NULL);
INSERT INTO stay SELECT i, i % 300, (ARRAY['a', 'b', 'c'])[1 + i % 3], i % 100, CASE i % 5 WHEN 0 THEN NULL ELSE i % 2 = 0 END, 'w' || i % 3
    FROM generate_series(1, 600) i;
CREATE PROCEDURE protect(more text DEFAULT '') LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE 'SELECT dp.protect(''reuse_filter.stay'', 1e9, 1e-3, answer_epsilon => 1e6, reuse => ''1 day''' || more || ')';
END $$;
CALL protect(', share_answers => true');
SELECT dp.grant_budget('stay', r, 1e9, 1e-3, allow_leaks => true) FROM unnest(ARRAY['regress_filter_ana', 'regress_filter_ben']::regrole[]) r;
SELECT dp.declare_values('stay', 'ward', 'a', 'b', 'c');
SELECT dp.declare_range('stay', 'age', 0, 100);
CREATE FUNCTION asked(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    before bigint := (SELECT max(seq) FROM dp.ledger_of(NULL));
BEGIN
    EXECUTE statement;
    RETURN coalesce((SELECT string_agg(format('%s %s', kind, epsilon), ', ' ORDER BY seq) FROM dp.ledger WHERE seq > coalesce(before, 0)), 'nothing');
END $$;
SET ROLE regress_filter_ana;
SELECT ward, urgent, count(*) AS n, sum(age) FILTER (WHERE age < 10) FROM stay GROUP BY ward, urgent ORDER BY 1, 2;
EXPLAIN (COSTS OFF) SELECT ward, urgent, count(*) FROM stay WHERE ward = 'b' GROUP BY ward, urgent;
SELECT ward, urgent, count(*) FROM stay WHERE ward = 'b' GROUP BY ward, urgent ORDER BY 1, 2;
SELECT ward, urgent, count(*) FROM stay WHERE ward IN ('a', 'c') AND urgent IS NULL GROUP BY ward, urgent ORDER BY 1, 2;
SELECT ward, urgent, count(*) FROM stay WHERE (ward = 'a' OR urgent) AND ward < 'c' GROUP BY ward, urgent ORDER BY 1, 2;
SELECT ward, urgent, count(*) FROM stay WHERE ward = 'nowhere' GROUP BY ward, urgent;
PREPARE of_ward(text) AS SELECT ward, urgent, count(*) FROM stay WHERE ward = $1 GROUP BY ward, urgent ORDER BY 1, 2;
SET plan_cache_mode = force_generic_plan;
EXECUTE of_ward('a');
RESET plan_cache_mode;
SELECT kind, epsilon, count(*) FROM dp.ledger WHERE relation = 'stay'::regclass GROUP BY 1, 2 ORDER BY 1, 2;
-- Four conditions on keys: without any of them, or asked anew.
SELECT asked('SELECT ward, urgent, count(*) FROM stay WHERE ward > ''a'' AND ward < ''c'' AND urgent AND ward <> ''x'' GROUP BY ward, urgent');
-- What is answered from it, is itself a stored answer of nobody; conditions beside those on keys belong to the question.
SELECT asked('SELECT ward, count(*) FROM stay WHERE age > 3 AND ward <> ''a'' GROUP BY ward');
SELECT asked('SELECT ward, count(*) FROM stay WHERE age > 3 AND ward <> ''a'' AND ward = ''b'' GROUP BY ward');
SELECT asked('SELECT ward, count(*) FROM stay WHERE age > 3 GROUP BY ward');
SELECT asked('SELECT ward, count(*) FROM stay WHERE age > 3 AND ward = ''b'' GROUP BY ward');
SELECT asked('SELECT ward, count(*) FROM stay WHERE age > 4 AND ward = ''b'' GROUP BY ward');
SELECT asked('SELECT ward, count(*) FROM stay WHERE age > 3 AND (ward = ''b'' OR age > 50) GROUP BY ward');
-- Not of fewer keys, and not of other sets of them: their totals are of what is asked.
SELECT asked('SELECT ward, count(*) FROM stay WHERE ward = ''b'' AND age > 3 AND urgent GROUP BY ward');
SELECT asked('SELECT ward, urgent, count(*) FROM stay GROUP BY ROLLUP (ward, urgent)');
SELECT asked('SELECT ward, urgent, count(*) FROM stay WHERE ward = ''b'' GROUP BY ROLLUP (ward, urgent)');
-- More accurate: all groups of the stored answer are, for the difference; another role pays for them as for its own.
SELECT asked('SELECT ward, dp_count(''*'', 0.1) FROM stay WHERE age > 5 GROUP BY ward');
SELECT asked('SELECT ward, dp_count(''*'', 0.4) FROM stay WHERE age > 5 AND ward = ''b'' GROUP BY ward');
SELECT asked('SELECT ward, dp_count(''*'', 0.4) FROM stay WHERE age > 5 AND ward = ''c'' GROUP BY ward');
SELECT asked('SELECT ward, dp_count(''*'', 0.4) FROM stay WHERE age > 5 GROUP BY ward');
SELECT ward, dp_count('*', 1e6) FROM stay WHERE age > 5 AND ward = 'c' GROUP BY ward;
SET ROLE regress_filter_ben;
SELECT asked('SELECT ward, dp_count(''*'', 1e6) FROM stay WHERE age > 5 AND ward = ''c'' GROUP BY ward');
SELECT asked('SELECT ward, dp_count(''*'', 1e6) FROM stay WHERE age > 5 GROUP BY ward');
SELECT epsilon, table_epsilon FROM dp.ledger WHERE role = 'regress_filter_ben'::regrole AND kind <> 'reuse' ORDER BY seq;
-- Groups that were chosen privately.
RESET ROLE;
CALL protect(', group_epsilon => 1e3, group_delta => 1e-9');
SET ROLE regress_filter_ana;
SELECT asked('SELECT word, count(*) FROM stay GROUP BY word');
SELECT asked('SELECT word, count(*) FROM stay WHERE word <> ''w2'' GROUP BY word');
-- Where a person has several rows, what counts of one depends on the others, and on what else is asked.
RESET ROLE;
CALL protect(', privacy_unit => ''patient'', max_rows_per_unit => 1');
SET ROLE regress_filter_ana;
SELECT asked('SELECT ward, count(*) FROM stay GROUP BY ward');
SELECT asked('SELECT ward, count(*) FROM stay WHERE ward = ''b'' GROUP BY ward');
SELECT asked('SELECT count(*) FILTER (WHERE age > 3), count(*) FILTER (WHERE age <= 3) FROM stay');
SELECT asked('SELECT count(*) FILTER (WHERE age > 3), count(*) FILTER (WHERE age <= 3) FROM stay');
SELECT asked('SELECT count(*) FILTER (WHERE age > 3) FROM stay');
-- What a subquery that groups by the person calls its columns is no part of the question; what it computes is.
SELECT asked('SELECT count(*) FROM (SELECT patient, count(*) AS n FROM stay WHERE age > 3 GROUP BY patient) p WHERE n > 1');
SELECT asked('SELECT count(*) FROM (SELECT s.patient AS who, count(*) AS stays FROM stay s WHERE s.age > 3 GROUP BY 1) q WHERE stays > 1');
SELECT asked('SELECT count(*) FROM (SELECT patient, count(*) AS n FROM stay WHERE age > 4 GROUP BY patient) p WHERE n > 1');
SELECT asked('SELECT count(*) FROM (SELECT patient, sum(age) AS n FROM stay WHERE age > 3 GROUP BY patient) p WHERE n > 1');
RESET ROLE;
SELECT dp.unprotect('stay');
DROP TABLE stay;
DROP OWNED BY regress_filter_ana, regress_filter_ben;
DROP ROLE regress_filter_ana, regress_filter_ben;
