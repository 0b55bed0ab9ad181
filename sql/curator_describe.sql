-- dp.describe: all that a program needs to ask, in one piece.
CALL own_schema('described');
SET client_min_messages = error;
\set SHOW_CONTEXT never
CREATE ROLE regress_described_ana;
CREATE ROLE regress_described_ben;
CREATE TYPE severity AS ENUM ('low', 'high');
CREATE TABLE wards (ward text PRIMARY KEY);
CREATE TABLE hidden_codes (code text PRIMARY KEY);
INSERT INTO wards VALUES ('north'), ('south');
INSERT INTO hidden_codes VALUES ('secret code');
CREATE TABLE stays (patient_id int NOT NULL, ward text NOT NULL REFERENCES wards, code text REFERENCES hidden_codes, how severity NOT NULL, urgent boolean NOT NULL,
    "Grade" int, day date NOT NULL, cost numeric(9, 2), note text);
COMMENT ON TABLE stays IS 'one row for each stay';
COMMENT ON COLUMN stays.cost IS 'in euros';
INSERT INTO stays SELECT i % 7, 'north', 'secret code', 'low', true, 1, '2024-01-01', i, 'secret note' FROM generate_series(1, 100) i;
CREATE TABLE plain_stays (id int NOT NULL, note text);
GRANT SELECT ON wards TO regress_described_ana;
SELECT dp.protect('stays', 10, privacy_unit => 'patient_id', max_rows_per_unit => 3, answer_epsilon => 0.1, reuse => '1 day', query_epsilon => 2),
    dp.protect('plain_stays', 10);
SELECT dp.grant_budget(t, 'regress_described_ana', 5, allow_leaks => true) FROM unnest('{stays,plain_stays}'::regclass[]) t \g /dev/null
SELECT dp.declare_values('stays', '"Grade"', VARIADIC ARRAY(SELECT generate_series(1, 150))), dp.declare_range('stays', 'cost', 0, 500),
    dp.declare_range('stays', 'day', '2024-01-01', '2024-12-31');

SET ROLE regress_described_ana;
SELECT key, CASE WHEN jsonb_typeof(value) = 'string' THEN length(value #>> '{}') > 5 END AS text FROM jsonb_each(dp.describe()) ORDER BY 1;
CREATE TEMP TABLE said AS SELECT t ->> 'table' AS name, t FROM jsonb_array_elements(dp.describe() -> 'tables') t;
SELECT name, key, value FROM said, jsonb_each(t) WHERE key NOT IN ('columns', 'examples', 'refused') ORDER BY 1, 2;
SELECT name, c - 'values', jsonb_array_length(c -> 'values') AS values, c -> 'values' -> 0 AS first, c -> 'values' -> -1 AS last
FROM said, jsonb_array_elements(t -> 'columns') c;
SELECT name, e ->> 'sql' AS example, e ->> 'epsilon' AS epsilon, e ->> 'expected_error' AS expected_error FROM said, jsonb_array_elements(t -> 'examples') e;
SELECT name, r ->> 'sql' AS refused, r ->> 'because' AS because, r ->> 'instead' AS instead FROM said, jsonb_array_elements(t -> 'refused') r;
SELECT bool_and(t::text !~ 'secret') AS "nothing from rows" FROM said;
-- Examples run, what is refused is refused; until then nothing was charged.
SELECT sum(epsilon_spent) AS spent FROM dp.budgets WHERE table_name IN ('stays', 'plain_stays');
CREATE FUNCTION pg_temp.runs(statement text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE statement;
    RETURN true;
EXCEPTION WHEN OTHERS THEN
    RETURN false;
END $$;
SELECT bool_and(pg_temp.runs(e ->> 'sql')) AS examples FROM said, jsonb_array_elements(t -> 'examples') e;
SELECT bool_or(pg_temp.runs(r ->> 'sql')) AS refused FROM said, jsonb_array_elements(t -> 'refused') r;
-- One table; and who has no budget is told of none.
SELECT jsonb_path_query_array(dp.describe('plain_stays'), '$.tables[*].table');
SET ROLE regress_described_ben;
SELECT dp.describe() -> 'tables', dp.describe('stays') -> 'tables';
RESET ROLE;
SELECT t ->> 'table', t #> '{budget,epsilon_left}', jsonb_array_length(t -> 'examples') > 0 AS examples FROM jsonb_array_elements(dp.describe('stays') -> 'tables') t;
SELECT dp.unprotect(t) FROM unnest('{stays,plain_stays}'::regclass[]) t \g /dev/null
DROP TABLE stays, plain_stays, wards, hidden_codes, said;
DROP TYPE severity;
DROP FUNCTION pg_temp.runs(text);

-- Nothing that a table's owner has written runs as who asks: a type's cast to text, a policy. Keys are values also where no limit is declared.
RESET ROLE;
CREATE TYPE span AS RANGE (subtype = int4);
CREATE TABLE asked_by (who text);
CREATE FUNCTION as_text(span) RETURNS text LANGUAGE plpgsql AS $$ BEGIN INSERT INTO asked_by SELECT current_user; RETURN 'x'; END $$;
CREATE CAST (span AS text) WITH FUNCTION as_text(span);
CREATE TABLE spans (span span PRIMARY KEY);
CREATE TABLE kinds (kind int PRIMARY KEY);
CREATE TABLE guarded (kind int PRIMARY KEY);
CREATE FUNCTION noted() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN INSERT INTO asked_by SELECT current_user; RETURN true; END $$;
CREATE POLICY noting ON guarded USING (noted());
ALTER TABLE guarded ENABLE ROW LEVEL SECURITY;
INSERT INTO spans VALUES ('[1,2)');
INSERT INTO kinds VALUES (1), (2);
INSERT INTO guarded VALUES (1), (2);
CREATE TABLE spanned (patient int NOT NULL, span span NOT NULL REFERENCES spans, kind int NOT NULL REFERENCES kinds, hidden int NOT NULL REFERENCES guarded);
INSERT INTO spanned SELECT i, '[1,2)', 1 + i % 2, 1 FROM generate_series(1, 100) AS i;
GRANT SELECT ON spans, kinds, guarded TO regress_described_ana;
GRANT INSERT ON asked_by TO PUBLIC;
SELECT dp.protect('spanned', 10, privacy_unit => 'patient'), dp.grant_budget('spanned', 'regress_described_ana', 5, allow_leaks => true) \g /dev/null
SET ROLE regress_described_ana;
SELECT c ->> 'name' AS name, c -> 'values' AS values FROM jsonb_array_elements(dp.describe('spanned') #> '{tables,0,columns}') AS c;
RESET ROLE;
SELECT dp.describe('spanned') IS NOT NULL AS described;
SELECT * FROM asked_by;
SELECT dp.unprotect('spanned') \g /dev/null
DROP TABLE spanned, spans, kinds, guarded, asked_by;
DROP TYPE span CASCADE;
DROP ROLE regress_described_ana, regress_described_ben;
