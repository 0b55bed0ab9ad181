-- A prepared question that runs again has its bytes from before, and what was read of the answers to it: what may change between two
-- executions makes another question of it all the same, and an answer that has gone or changed is not shown.
CALL own_schema('reuse_prepared');
SET client_min_messages = warning;
CREATE ROLE regress_prepared_ana;
GRANT USAGE, CREATE ON SCHEMA reuse_prepared TO regress_prepared_ana;
CREATE TABLE ward_name (ward text PRIMARY KEY);
INSERT INTO ward_name VALUES ('a'), ('b');
GRANT SELECT ON ward_name TO PUBLIC;
CREATE TABLE stay AS SELECT i AS id, CASE WHEN i % 2 = 0 THEN 'a' ELSE 'b' END AS ward, i AS age, i / 10.0::float8 AS share,
    '2024-01-01 12:00Z'::timestamptz + i * interval '1 day' AS seen, CASE WHEN i <= 30 THEN '\x01'::bytea WHEN i <= 50 THEN '\x0211' ELSE '\x04' END AS sealed
    FROM generate_series(1, 100) i;
ALTER TABLE stay ADD FOREIGN KEY (ward) REFERENCES ward_name;
SELECT dp.protect('stay', 1e9, 1e-3, answer_epsilon => 1e5, reuse => '1 day'), dp.grant_budget('stay', 'regress_prepared_ana', 1e9, 1e-3, allow_leaks => true);
SELECT dp.declare_range('stay', 'age', 0, 100);
-- What the ledger got.
CREATE FUNCTION asked(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    before bigint := (SELECT max(seq) FROM dp.ledger_of(NULL));
BEGIN
    EXECUTE statement;
    RETURN coalesce((SELECT string_agg(kind, ', ' ORDER BY seq) FROM dp.ledger WHERE seq > coalesce(before, 0)), 'nothing');
EXCEPTION WHEN OTHERS THEN
    RETURN sqlerrm;
END $$;
SET ROLE regress_prepared_ana;
SET plan_cache_mode = force_generic_plan;
PREPARE by_ward AS SELECT ward, count(*) AS n FROM stay GROUP BY ward ORDER BY ward;
PREPARE younger(int) AS SELECT count(*) AS n FROM stay WHERE age < $1;
PREPARE finer(float8) AS SELECT dp_count('*', $1) AS n FROM stay WHERE age <> 3;
PREPARE summed AS SELECT sum(age) AS n FROM stay;
PREPARE since AS SELECT count(*) AS n FROM stay WHERE seen > '2024-02-01 12:00'::timestamp;
PREPARE spans AS SELECT count(*) AS n FROM stay WHERE (seen - timestamptz '2024-01-01 12:00Z')::text = '5 days';
PREPARE written AS SELECT count(*) AS n FROM stay WHERE share::text = '0.1';
SELECT q, asked(q), asked(q), asked(q), asked(q)
    FROM unnest(ARRAY['EXECUTE by_ward', 'EXECUTE younger(10)', 'EXECUTE finer(1e-3)', 'EXECUTE summed', 'EXECUTE since', 'EXECUTE written']) q;
EXECUTE by_ward;
EXECUTE younger(10);
EXECUTE since;
EXECUTE written;

-- Two that differ in nothing but what they ask.
PREPARE all_of_them AS SELECT count(*) AS n FROM stay WHERE age <= id;
PREPARE none_of_them AS SELECT count(*) AS n FROM stay WHERE age > id;
SELECT q, asked(q), asked(q), asked(q) FROM unnest(ARRAY['EXECUTE all_of_them', 'EXECUTE none_of_them', 'EXECUTE all_of_them']) q;
EXECUTE all_of_them;
EXECUTE none_of_them;
-- Values of parameters.
SELECT q, asked(q), asked(q) FROM unnest(ARRAY['EXECUTE younger(20)', 'EXECUTE younger(10)', 'EXECUTE younger(NULL)', 'EXECUTE younger(20)']) q;
EXECUTE younger(20);
EXECUTE younger(10);
-- Where one value ends and the next begins.
PREPARE opaque(bytea, bytea) AS SELECT count(*) AS n FROM stay WHERE sealed = $1 OR sealed > $2;
SELECT q, asked(q) FROM unnest(ARRAY['EXECUTE opaque(''\x01'', ''\x02110000000003'')', 'EXECUTE opaque(''\x01110000000002'', ''\x03'')']) q;
EXECUTE opaque('\x01', '\x02110000000003');
EXECUTE opaque('\x01110000000002', '\x03');
-- How an aggregate is answered.
SELECT asked('EXECUTE finer(1.2e-3)'), asked('EXECUTE finer(1.2e-3)'), asked('EXECUTE finer(1e-3)'), asked('EXECUTE finer(1.2e-3)');
PREPARE by_setting AS SELECT dp_count(age) AS n FROM stay WHERE age <> 4;
SET dp.epsilon = 1e-3;
SELECT asked('EXECUTE by_setting'), asked('EXECUTE by_setting'), asked('EXECUTE by_setting');
SET dp.epsilon = 1.2e-3;
SELECT asked('EXECUTE by_setting'), asked('EXECUTE by_setting'), asked('EXECUTE by_setting');
RESET dp.epsilon;
SET dp.mechanism = 'staircase';
SELECT asked('EXECUTE summed'), asked('EXECUTE summed');
RESET dp.mechanism;
-- With the setting plans are made anew.
SELECT q, asked(q), asked(q), asked(q)
    FROM unnest(ARRAY['EXECUTE by_ward', 'EXECUTE younger(10)', 'EXECUTE finer(1e-3)', 'EXECUTE summed', 'EXECUTE since', 'EXECUTE written']) q;
EXECUTE since;
EXECUTE written;
-- Settings that functions read.
SET TimeZone = 'Asia/Kolkata';
SELECT asked('EXECUTE since'), asked('EXECUTE since'), asked('EXECUTE by_ward');
RESET TimeZone;
SELECT asked('EXECUTE since');
SELECT asked('EXECUTE spans'), asked('EXECUTE spans');
SET IntervalStyle = 'sql_standard';
SELECT asked('EXECUTE spans'), asked('EXECUTE spans');
RESET IntervalStyle;
SET extra_float_digits = -10;
SELECT asked('EXECUTE written'), asked('EXECUTE written');
RESET extra_float_digits;
SELECT asked('EXECUTE written'), asked('EXECUTE by_ward');
-- Groups: values that are rows of another table, of whose change nobody tells.
RESET ROLE;
INSERT INTO ward_name VALUES ('c');
SET ROLE regress_prepared_ana;
SELECT asked('EXECUTE by_ward'), asked('EXECUTE by_ward'), asked('EXECUTE by_ward');
EXECUTE by_ward;
-- What a subquery of public tables gives, which the question compares.
RESET ROLE;
CREATE TABLE ward_limit AS SELECT ward, 20 AS most FROM ward_name;
GRANT SELECT ON ward_limit TO PUBLIC;
SET ROLE regress_prepared_ana;
PREPARE below AS SELECT count(*) AS n FROM stay JOIN (SELECT ward, max(most) AS most FROM ward_limit GROUP BY ward) w USING (ward) WHERE age <= w.most;
SELECT asked('EXECUTE below'), asked('EXECUTE below');
EXECUTE below;
RESET ROLE;
UPDATE ward_limit SET most = 30;
SET ROLE regress_prepared_ana;
SELECT asked('EXECUTE below'), asked('EXECUTE below');
EXECUTE below;
-- In whatever form that is stored.
RESET ROLE;
CREATE TABLE ward_note AS SELECT ward, repeat('b', 3000) AS note FROM ward_name;
GRANT SELECT ON ward_note TO PUBLIC;
SET ROLE regress_prepared_ana;
PREPARE noted AS SELECT count(*) AS n FROM stay JOIN (SELECT ward, max(note) AS note FROM ward_note GROUP BY ward) w USING (ward) WHERE ward < w.note;
SELECT asked('EXECUTE noted'), asked('EXECUTE noted');
RESET ROLE;
ALTER TABLE ward_note ALTER note SET STORAGE EXTERNAL;
UPDATE ward_note SET note = note || '';
SET ROLE regress_prepared_ana;
SELECT asked('EXECUTE noted'), asked('EXECUTE noted');
-- A function that depends on more than it did.
SELECT asked('EXECUTE since');
RESET ROLE;
BEGIN;
ALTER FUNCTION pg_catalog.timestamptz_gt_timestamp(timestamptz, timestamp) IMMUTABLE;
SET LOCAL ROLE regress_prepared_ana;
SELECT asked('EXECUTE since');
ROLLBACK;

-- An answer that was forgotten, one that grew older, and one that became another question's.
SELECT dp.forget_answers('stay') > 0 AS forgotten;
SET ROLE regress_prepared_ana;
SELECT asked('EXECUTE by_ward'), asked('EXECUTE by_ward'), asked('EXECUTE by_ward');
RESET ROLE;
UPDATE dp.stored_answer SET made_at = made_at - interval '2 days' WHERE relation = 'stay'::regclass;
SET ROLE regress_prepared_ana;
SELECT asked('EXECUTE by_ward'), asked('EXECUTE by_ward');
RESET ROLE;
UPDATE dp.stored_answer SET question = 'another' WHERE relation = 'stay'::regclass;
SET ROLE regress_prepared_ana;
SELECT asked('EXECUTE by_ward'), asked('EXECUTE by_ward');
-- More answers than are kept in mind.
SET dp.reuse = 0;
SELECT count(*) AS times, min(asked('EXECUTE by_ward')) AS asked FROM generate_series(1, 70);
RESET dp.reuse;
SELECT asked('EXECUTE by_ward'), asked('EXECUTE by_ward'), asked('EXECUTE by_ward');

-- The question of a cursor, while others take its place.
DO $$
DECLARE
    open CURSOR FOR SELECT ward, count(*) AS n FROM stay GROUP BY ward;
    groups int;
BEGIN
    FOR round IN 1..3 LOOP
        OPEN open;
        FOR i IN 1..12 LOOP
            EXECUTE format('PREPARE many_%s_%s AS SELECT count(*) FROM stay WHERE age < %s', round, i, i);
            EXECUTE format('EXECUTE many_%s_%s', round, i);
            EXECUTE format('EXECUTE many_%s_%s', round, i);
        END LOOP;
        MOVE FORWARD ALL FROM open;
        GET DIAGNOSTICS groups = ROW_COUNT;
        RAISE INFO '% groups', groups;
        CLOSE open;
    END LOOP;
END $$;
DEALLOCATE ALL;

-- Prepared while no answers were stored; a curator, or who writes to the tables by hand, may have them stored any time.
RESET ROLE;
CREATE TABLE visit AS SELECT i AS id FROM generate_series(1, 100) i;
SELECT dp.protect('visit', 1e9, 1e-3, answer_epsilon => 1e5), dp.grant_budget('visit', 'regress_prepared_ana', 1e9, 1e-3, allow_leaks => true);
SET ROLE regress_prepared_ana;
PREPARE visits AS SELECT count(*) AS n FROM visit;
SELECT asked('EXECUTE visits'), asked('EXECUTE visits');
RESET ROLE;
SELECT dp.protect('visit', 1e9, 1e-3, answer_epsilon => 1e5, reuse => '1 day');
SET ROLE regress_prepared_ana;
SELECT asked('EXECUTE visits'), asked('EXECUTE visits');
RESET ROLE;
CREATE TEMP TABLE said AS SELECT * FROM dp.answer_policy WHERE relation = 'visit'::regclass;
DELETE FROM dp.answer_policy WHERE relation = 'visit'::regclass;
SET ROLE regress_prepared_ana;
SELECT asked('EXECUTE visits'), asked('EXECUTE visits');
RESET ROLE;
INSERT INTO dp.answer_policy SELECT * FROM said;
SET ROLE regress_prepared_ana;
SELECT asked('EXECUTE visits'), asked('EXECUTE visits');
DEALLOCATE ALL;

RESET ROLE;
RESET plan_cache_mode;
SELECT dp.unprotect('stay'), dp.unprotect('visit');
DROP TABLE said, visit;
DROP FUNCTION asked;
DROP TABLE stay, ward_name;
DROP OWNED BY regress_prepared_ana;
DROP ROLE regress_prepared_ana;
