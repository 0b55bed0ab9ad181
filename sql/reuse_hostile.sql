-- Which questions are the same, and who holds an answer: everything that changes what a question means makes it another one, and nobody
-- gets a stored answer who could not get a fresh one.
CALL own_schema('reuse_hostile');
SET client_min_messages = warning;
CREATE ROLE regress_hostile_ana;
CREATE ROLE regress_hostile_ben;
CREATE ROLE regress_hostile_team;
CREATE ROLE regress_hostile_mia IN ROLE regress_hostile_team;
CREATE ROLE regress_hostile_max IN ROLE regress_hostile_team;
CREATE TYPE mood AS ENUM ('sad', 'glad');
CREATE TABLE stay (id int PRIMARY KEY, patient int NOT NULL, ward text NOT NULL, age int NOT NULL, cost numeric NOT NULL, share float8 NOT NULL,
    seen timestamptz NOT NULL, felt mood NOT NULL, day date NOT NULL);
INSERT INTO stay SELECT i, i % 200, (ARRAY['a', 'b', 'c'])[1 + i % 3], i % 100, i % 50, i / 1000.0, '2024-01-01 12:00Z'::timestamptz + i % 60 * interval '1 day',
    (ARRAY['sad', 'glad'])[1 + i % 2]::mood, date '2024-01-01' + i % 60
    FROM generate_series(1, 600) i;
CREATE TABLE ward_name (ward text PRIMARY KEY, name text NOT NULL);
INSERT INTO ward_name VALUES ('a', 'Surgery'), ('b', 'Oncology'), ('c', 'Cardiology');
GRANT SELECT ON ward_name TO PUBLIC;
CREATE VIEW of_today WITH (security_invoker = true) AS SELECT * FROM stay WHERE day < '2024-02-01';
GRANT SELECT ON of_today TO PUBLIC;
CREATE PROCEDURE protect(more text DEFAULT '') LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE 'SELECT dp.protect(''reuse_hostile.stay'', 1e9, 1e-3, answer_epsilon => 1e-6, reuse => ''1 day''' || more || ')';
END $$;
CALL protect();
SELECT dp.grant_budget('stay', r, 1e9, 1e-3, allow_leaks => true) FROM unnest(ARRAY['regress_hostile_ana', 'regress_hostile_ben', 'regress_hostile_team']::regrole[]) r;
SELECT dp.declare_values('stay', 'ward', 'a', 'b', 'c');
SELECT dp.declare_range('stay', 'cost', 0, 50), dp.declare_range('stay', 'age', 0, 100), dp.declare_range('stay', 'seen', '2024-01-01', '2024-03-31');
-- Whether a statement asks rows, or is answered again: what the ledger got. Of what is refused, the message.
CREATE FUNCTION asked(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    before bigint := (SELECT max(seq) FROM dp.ledger_of(NULL));
BEGIN
    EXECUTE statement;
    RETURN coalesce((SELECT string_agg(kind, ', ' ORDER BY seq) FROM dp.ledger WHERE seq > coalesce(before, 0)), 'nothing');
EXCEPTION WHEN OTHERS THEN
    RETURN sqlerrm;
END $$;
GRANT CREATE ON SCHEMA reuse_hostile TO regress_hostile_ana;
SET ROLE regress_hostile_ana;

-- One of each, then again.
CREATE TEMP TABLE question (n serial, q text);
INSERT INTO question (q) VALUES
    ('SELECT count(*) FROM stay'),
    ('SELECT ward, count(*) FROM stay GROUP BY ward'),
    ('SELECT ward, felt, count(*), sum(cost) FROM stay GROUP BY ward, felt'),
    ('SELECT ward, felt, count(*) FROM stay GROUP BY ROLLUP (ward, felt)'),
    ('SELECT date_trunc(''month'', seen), count(*) FROM stay GROUP BY 1'),
    ('SELECT count(*) FROM stay WHERE seen > ''2024-02-01 00:00''::timestamp'),
    ('SELECT count(*) FROM stay WHERE share::text = ''0.1'''),
    ('SELECT n.name, count(*) FROM stay s JOIN ward_name n USING (ward) GROUP BY n.name'),
    ('SELECT count(*) FROM of_today'),
    ('SELECT count(*) FROM stay WHERE seen::text < ''2024-02-01'''),
    ('SELECT dp_mode(felt, ARRAY[''sad'', ''glad'']::mood[], 1e-6), dp_histogram(age, 0, 100, 4, 1e-6) FROM stay'),
    ('SELECT dp_count(DISTINCT age, 1e-6) FILTER (WHERE cost > 3) FROM stay');
GRANT SELECT ON question TO PUBLIC;
SELECT n, asked(q), asked(q) FROM question ORDER BY n;

-- What makes others of them: each asks rows. (CUBE without the sum, and the second way to count ages, were asked by then; groups by felt, and
-- the sum of costs in 0 to 50, add up from an answer by more keys.)
SELECT asked('SELECT count(*) FROM stay WHERE true AND age > 3'), asked('SELECT count(*) FROM stay WHERE age >= 3'), asked('SELECT count(*) FROM stay WHERE age > 4'),
       asked('SELECT count(*) FROM stay WHERE patient > 4'), asked('SELECT count(age) FROM stay');
SELECT asked('SELECT felt, count(*) FROM stay GROUP BY felt'), asked('SELECT ward, felt, count(*), sum(cost) FROM stay GROUP BY CUBE (ward, felt)'),
       asked('SELECT ward, felt, count(*) FROM stay GROUP BY CUBE (ward, felt)'), asked('SELECT ward, sum(age) FROM stay GROUP BY ward');
SELECT asked('SELECT dp_sum(cost, 0, 50, 1e-6) FROM stay'), asked('SELECT dp_sum(cost, 0, 51, 1e-6) FROM stay'), asked('SELECT dp_sum(cost, 1, 50, 1e-6) FROM stay'),
       asked('SELECT dp_sum(cost, 0, 50, 1e-6, ''geometric'') FROM stay'), asked('SELECT dp_sum(cost, 0, 50, 1e-6, ''staircase'') FROM stay'),
       asked('SELECT dp_sum(cost, 0, 50, 1e-6, ''gaussian(delta=1e-9)'') FROM stay'), asked('SELECT dp_sum(cost, 0, 50, 1e-6, ''gaussian(delta=1e-10)'') FROM stay');
SELECT asked('SELECT dp_quantile(age, 0.5, 0, 100, 1e-6) FROM stay'), asked('SELECT dp_quantile(age, 0.6, 0, 100, 1e-6) FROM stay'),
       asked('SELECT dp_count(DISTINCT age, 1e-6) FROM stay'), asked('SELECT dp_count(age, 1e-6) FROM stay'), asked('SELECT dp_count(DISTINCT age, 1e-6) FILTER (WHERE cost > 4) FROM stay');
-- now() is the moment that it stands for: the same within a transaction, and where nothing is left of it.
BEGIN;
SELECT asked('SELECT count(*) FROM stay WHERE seen < now()'), asked('SELECT count(*) FROM stay WHERE seen < now()');
COMMIT;
SELECT asked('SELECT count(*) FROM stay WHERE seen < now()');
SELECT asked('SELECT count(*) FROM stay WHERE day < date_trunc(''millennium'', now() AT TIME ZONE ''UTC'')');
SELECT asked('SELECT count(*) FROM stay WHERE day < date_trunc(''millennium'', now() AT TIME ZONE ''UTC'')');
-- The session's settings.
SET TimeZone = 'Asia/Kolkata';
SELECT n, asked(q) FROM question WHERE n IN (1, 5, 6, 10) ORDER BY n;
RESET TimeZone;
SELECT n, asked(q) FROM question WHERE n IN (1, 5, 6, 10) ORDER BY n;
SET extra_float_digits = 3;
SELECT n, asked(q) FROM question WHERE n = 7;
SET extra_float_digits = -10;
SELECT n, asked(q) FROM question WHERE n = 7;
RESET extra_float_digits;
SET DateStyle = 'SQL, DMY';
SELECT n, asked(q) FROM question WHERE n IN (1, 5, 10) ORDER BY n;
RESET DateStyle;
SET dp.mechanism = 'staircase';
SELECT n, asked(q) FROM question WHERE n = 1;
RESET dp.mechanism;
SELECT n, asked(q) FROM question WHERE n = 1;
-- As the curator says it: of the table, and of the account.
RESET ROLE;
CALL protect(', answer_mechanism => ''laplace''');
SET ROLE regress_hostile_ana;
SELECT n, asked(q), asked(q) FROM question WHERE n = 1;
RESET ROLE;
SELECT dp.grant_budget('stay', 'regress_hostile_ana', 1e9, 1e-3, allow_leaks => true, answer_mechanism => 'staircase(metric=l2)');
SET ROLE regress_hostile_ana;
SELECT n, asked(q) FROM question WHERE n = 1;
RESET ROLE;
SELECT dp.revoke_budget('stay', 'regress_hostile_ana');
SELECT dp.grant_budget('stay', 'regress_hostile_ana', 1e9, 1e-3, allow_leaks => true);
SET ROLE regress_hostile_ana;
SELECT n, asked(q) FROM question WHERE n = 1;
RESET ROLE;
CALL protect(', answer_mechanism => ''auto''');
SET ROLE regress_hostile_ana;
SELECT n, asked(q) FROM question WHERE n = 1;

-- A hash only finds answers: what stands under that of another question is not shown.
SELECT asked('SELECT count(*) FROM stay WHERE age = 1');
RESET ROLE;
SELECT answer_id AS newest, question_hash AS hash FROM dp.stored_answer WHERE relation = 'stay'::regclass ORDER BY made_at DESC LIMIT 1 \gset
UPDATE dp.stored_answer SET question_hash = :hash WHERE relation = 'stay'::regclass;
INSERT INTO dp.stored_answer_aggregate SELECT g.aggregate_hash, a.answer_id FROM dp.stored_answer_aggregate g, dp.stored_answer a
    WHERE g.answer_id = :newest AND a.answer_id <> :newest AND a.relation = 'stay'::regclass;
UPDATE dp.stored_answer SET made_at = made_at - interval '2 days' WHERE answer_id = :newest;
SET ROLE regress_hostile_ana;
SELECT asked('SELECT count(*) FROM stay WHERE age = 1');
RESET ROLE;
SELECT dp.forget_answers('stay') > 0 AS forgotten;
SET ROLE regress_hostile_ana;
SELECT n, asked(q) FROM question ORDER BY n;

-- Another role: nothing of ana's, nor of a member of the same team, and what somebody asks who is nobody here.
SET ROLE regress_hostile_ben;
SELECT asked(q) FROM question WHERE n = 2;
SET ROLE regress_hostile_mia;
SELECT asked(q) FROM question WHERE n = 2;
SET ROLE regress_hostile_max;
SELECT asked(q) FROM question WHERE n = 2;
SET ROLE regress_hostile_team;
SELECT asked(q) FROM question WHERE n = 2;
-- A dropped role is another one than the next of its name.
RESET ROLE;
SELECT dp.revoke_budget('stay', 'regress_hostile_ben');
SET ROLE regress_hostile_ben;
SELECT asked(q) FROM question WHERE n = 2;
RESET ROLE;
DROP OWNED BY regress_hostile_ben;
DROP ROLE regress_hostile_ben;
CREATE ROLE regress_hostile_ben;
SELECT dp.grant_budget('stay', 'regress_hostile_ben', 1e9, 1e-3, allow_leaks => true);
GRANT SELECT ON question TO PUBLIC;
SET ROLE regress_hostile_ben;
SELECT asked(q) FROM question WHERE n = 2;
-- After REVOKE.
RESET ROLE;
REVOKE SELECT ON ward_name FROM PUBLIC;
SET ROLE regress_hostile_ana;
SELECT asked(q) FROM question WHERE n = 8;
RESET ROLE;
GRANT SELECT ON ward_name TO PUBLIC;
SELECT dp.revoke_budget('stay', 'regress_hostile_ana');
SET ROLE regress_hostile_ana;
SELECT asked(q) FROM question WHERE n = 2;
RESET ROLE;
SELECT dp.grant_budget('stay', 'regress_hostile_ana', 1e9, 1e-3, allow_leaks => true);

-- A view that is made anew, values and ranges that are declared anew, labels that are added.
CREATE OR REPLACE VIEW of_today WITH (security_invoker = true) AS SELECT * FROM stay WHERE day < '2024-02-02';
SELECT dp.declare_values('stay', 'ward', 'a', 'b', 'c', 'd');
SELECT dp.declare_range('stay', 'cost', 0, 60);
SELECT dp.declare_range('stay', 'seen', '2024-01-01', '2024-04-30');
SET ROLE regress_hostile_ana;
SELECT n, asked(q) FROM question WHERE n IN (1, 2, 3, 5, 9, 10) ORDER BY n;
RESET ROLE;
CREATE OR REPLACE VIEW of_today WITH (security_invoker = true) AS SELECT * FROM stay WHERE day < '2024-02-01';
SELECT dp.declare_values('stay', 'ward', 'a', 'b', 'c');
SELECT dp.declare_range('stay', 'cost', 0, 50);
ALTER TYPE mood ADD VALUE 'mad';
INSERT INTO ward_name VALUES ('d', 'Dentist');
SET ROLE regress_hostile_ana;
SELECT n, asked(q) FROM question WHERE n IN (1, 3, 4, 8, 9, 10) ORDER BY n;
SELECT n, asked(q) FROM question WHERE n IN (1, 3, 4, 8, 9, 10) ORDER BY n;
-- The price of choosing groups, and the groups that were chosen.
RESET ROLE;
CALL protect(', group_epsilon => 1e3, group_delta => 1e-9');
SET ROLE regress_hostile_ana;
SELECT asked('SELECT patient, count(*) FROM stay GROUP BY patient'), asked('SELECT patient, count(*) FROM stay GROUP BY patient'), asked('SELECT patient FROM stay GROUP BY patient');
RESET ROLE;
CALL protect(', group_epsilon => 1e3, group_delta => 1e-10');
SET ROLE regress_hostile_ana;
SELECT asked('SELECT patient, count(*) FROM stay GROUP BY patient');
-- Whose a row is, and what counts of it.
RESET ROLE;
CALL protect(', privacy_unit => ''patient'', max_rows_per_unit => 3');
SET ROLE regress_hostile_ana;
SELECT n, asked(q), asked(q) FROM question WHERE n IN (1, 2) ORDER BY n;
RESET ROLE;
CALL protect(', privacy_unit => ''patient'', max_rows_per_unit => 2');
SET ROLE regress_hostile_ana;
SELECT n, asked(q) FROM question WHERE n IN (1, 2) ORDER BY n;
RESET ROLE;
CALL protect(', privacy_unit => ''patient'', max_groups_per_unit => 2, max_rows_per_group => 1');
SET ROLE regress_hostile_ana;
SELECT n, asked(q) FROM question WHERE n IN (1, 2) ORDER BY n;

-- Columns of another type, other columns of the same name, tables in the place of others.
RESET ROLE;
ALTER TABLE stay RENAME COLUMN age TO old_age;
ALTER TABLE stay ADD COLUMN age int NOT NULL DEFAULT 0;
SET ROLE regress_hostile_ana;
SELECT asked('SELECT count(*) FROM stay WHERE age > 4'), asked('SELECT count(*) FROM stay WHERE old_age > 4');
RESET ROLE;
ALTER TABLE stay RENAME TO stay_before;
CREATE TABLE stay (LIKE stay_before INCLUDING ALL);
CALL protect();
SELECT dp.grant_budget('stay', 'regress_hostile_ana', 1e9, 1e-3, allow_leaks => true);
SELECT dp.declare_values('stay', 'ward', 'a', 'b', 'c');
SET ROLE regress_hostile_ana;
SELECT asked(q), asked(q) FROM question WHERE n = 2;
SELECT ward, dp_count('*', 1e6) FROM stay GROUP BY ward;
RESET ROLE;
DROP VIEW of_today;
SELECT array_agg(answer_id) AS gone FROM dp.stored_answer WHERE relation = 'stay'::regclass \gset
DROP TABLE stay;
CREATE TABLE stay (LIKE stay_before INCLUDING ALL);
CALL protect();
SELECT dp.grant_budget('stay', 'regress_hostile_ana', 1e9, 1e-3, allow_leaks => true);
SELECT dp.declare_values('stay', 'ward', 'a', 'b', 'c');
SET ROLE regress_hostile_ana;
SELECT asked(q) FROM question WHERE n = 2;
-- What was stored of the dropped one goes with the next charge.
RESET ROLE;
SELECT count(*) FROM dp.stored_answer WHERE answer_id = ANY (:'gone');
SELECT count(*) FROM dp.stored_answer_rows WHERE answer_id = ANY (:'gone');

-- A closed account is closed for stored answers, too.
SET ROLE regress_hostile_ana;
SELECT asked('SELECT count(*) FROM stay'), asked('SELECT count(*) FROM stay');
RESET ROLE;
INSERT INTO dp.ledger_entry SELECT max(seq) + 1, now(), 'regress_hostile_ana', 'regress_hostile_ana', 'stay', 'closed', 0, 0, 0, 0 FROM dp.ledger_entry;
SET ROLE regress_hostile_ana;
SELECT asked('SELECT count(*) FROM stay');
RESET ROLE;
SELECT dp.reopen('stay', 'regress_hostile_ana');
SET ROLE regress_hostile_ana;
SELECT asked('SELECT count(*) FROM stay');
-- Nobody reads what is stored.
SELECT * FROM dp.stored_answer;
SELECT * FROM dp.stored_answer_rows;
RESET ROLE;
DROP TABLE question;
SELECT dp.unprotect('stay'), dp.unprotect('stay_before');
DROP TABLE stay, stay_before;
DROP OWNED BY regress_hostile_ana, regress_hostile_ben, regress_hostile_team;
DROP ROLE regress_hostile_ana, regress_hostile_ben, regress_hostile_mia, regress_hostile_max, regress_hostile_team;
