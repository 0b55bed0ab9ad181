-- Different values of people with many: each is counted for one person who has it, so that fewer are missing than of rows chosen at random.
CALL own_schema('unit_distinct');
SET client_min_messages = warning;
CREATE ROLE regress_taker;
-- 20 people, each with all 40 codes of two wards, four times.
CREATE TABLE visits (person int NOT NULL, ward text NOT NULL, code int, late boolean NOT NULL DEFAULT false);
INSERT INTO visits SELECT p, 'w' || w, w * 40 + c FROM generate_series(1, 20) p, generate_series(0, 1) w, generate_series(0, 39) c, generate_series(1, 4);
SELECT dp.protect('visits', 1e9, privacy_unit => 'person', max_rows_per_unit => 2),
    dp.grant_budget('visits', 'regress_taker', 1e9, allow_leaks => true, answer_epsilon => 1e6);
SELECT dp.declare_values('visits', 'ward', 'w0', 'w1', 'w2');
CREATE FUNCTION told(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE line text;
BEGIN
    SET LOCAL ROLE regress_taker;
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
        IF line ~ 'Privacy Unit' THEN RETURN NEXT trim(line); END IF;
    END LOOP;
    RESET ROLE;
END $$;

-- ---- 20 people may count two each: nobody takes what another has taken. Of rows at random 26 would be different.
SELECT told('SELECT count(DISTINCT code) FROM visits WHERE ward = ''w0''');
SET ROLE regress_taker;
SELECT count(DISTINCT code) AS all_40 FROM visits WHERE ward = 'w0';
SELECT count(DISTINCT code) AS of_19_people, count(DISTINCT code::text) AS the_same FROM visits WHERE ward = 'w0' AND person > 1;
-- By group the two are shared.
SELECT sum(n) AS all_shares, count(*) FILTER (WHERE n = 0) AS without FROM (SELECT ward, count(DISTINCT code) AS n FROM visits GROUP BY ward) s;
SELECT ward, count(DISTINCT code) AS two_each FROM visits WHERE ward <> 'w1' OR person = 21 GROUP BY ward ORDER BY ward;
SELECT n FROM (SELECT ward, count(DISTINCT code) AS n FROM visits GROUP BY ROLLUP (ward)) s WHERE ward IS NULL;
-- A key that says nothing but who it is.
SELECT person % 2 AS odd, count(DISTINCT code) FROM visits WHERE person % 2 IN (0, 1) GROUP BY 1 ORDER BY 1;
RESET ROLE;

-- ---- NULL is no value, and nobody takes what FILTER leaves out
INSERT INTO visits SELECT p, 'w2', NULL, true FROM generate_series(1, 20) p, generate_series(1, 400);
INSERT INTO visits SELECT p, 'w2', 80 + p % 2, true FROM generate_series(1, 20) p;
SET ROLE regress_taker;
SELECT count(DISTINCT code) AS all_40 FROM visits WHERE ward <> 'w1' AND (code < 40 OR code IS NULL);
SELECT count(DISTINCT code) FILTER (WHERE late) AS two, count(DISTINCT code) FILTER (WHERE NOT late) AS forty, count(DISTINCT person) AS people FROM visits;
SELECT count(DISTINCT code) FILTER (WHERE code < 0) AS none FROM visits;
RESET ROLE;
DELETE FROM visits WHERE late;

-- ---- groups and rows in each
SELECT dp.protect('visits', max_groups_per_unit => 2, max_rows_per_group => 2);
SELECT told('SELECT ward, count(DISTINCT code) FROM visits GROUP BY ward');
SET ROLE regress_taker;
SELECT ward, count(DISTINCT code) AS forty_each FROM visits GROUP BY ward ORDER BY ward;
RESET ROLE;
SELECT dp.protect('visits', max_groups_per_unit => 1, max_rows_per_group => 2);
SET ROLE regress_taker;
SELECT sum(n) AS of_one_group_each FROM (SELECT ward, count(DISTINCT code) AS n FROM visits GROUP BY ward) s;
SELECT count(DISTINCT code) AS of_all FROM visits;
RESET ROLE;

-- ---- chosen at random as before: beside other aggregates, by limits of both kinds, of the latest rows, of groups that are chosen privately
SELECT told('SELECT count(DISTINCT code), count(*) FROM visits');
SELECT told('SELECT ' || string_agg('count(DISTINCT code + ' || i || ')', ', ') || ' FROM visits') FROM generate_series(1, 10) i;
SELECT told('SELECT ' || string_agg('count(DISTINCT code + ' || i || ')', ', ') || ' FROM visits') FROM generate_series(1, 11) i;
SET ROLE regress_taker;
SELECT count(*) AS rows FROM (SELECT count(DISTINCT code), count(*) AS n FROM visits) s WHERE n = 40;
SET dp.max_rows_per_unit = 1;
RESET ROLE;
SELECT told('SELECT ward, count(DISTINCT code) FROM visits GROUP BY ward');
SELECT dp.protect('visits', max_groups_per_unit => 2, max_rows_per_group => 2);
SELECT told('SELECT ward, count(DISTINCT code) FROM visits GROUP BY ward');
SET dp.max_rows_per_unit = 3;
SELECT told('SELECT ward, count(DISTINCT code) FROM visits GROUP BY ward');
RESET dp.max_rows_per_unit;
SELECT dp.protect('visits', 1e9, 1e-3, privacy_unit => 'person', max_rows_per_unit => 2, group_epsilon => 1, group_delta => 1e-6),
    dp.grant_budget('visits', 'regress_taker', 1e9, 1e-3, allow_leaks => true, answer_epsilon => 1e6);
SELECT told('SELECT code, count(DISTINCT ward) FROM visits GROUP BY code');
SELECT dp.protect('visits', max_rows_per_unit => 2, rows_kept => 'latest', rows_kept_by => 'code');
SELECT told('SELECT count(DISTINCT code) FROM visits');
SET ROLE regress_taker;
SELECT count(DISTINCT code) AS the_last FROM visits;
RESET ROLE;

-- ---- units with several forms are one, and take one after the other; values that are equal count once
CREATE TABLE forms (person numeric NOT NULL, code numeric);
INSERT INTO forms SELECT (u || '.' || repeat('0', z))::numeric, c FROM generate_series(1, 2) u, generate_series(1, 8) z, generate_series(1, 40) c;
SELECT dp.protect('forms', 1e9, privacy_unit => 'person', max_rows_per_unit => 3), dp.grant_budget('forms', 'regress_taker', 1e9, allow_leaks => true);
SET ROLE regress_taker;
SELECT dp_count(DISTINCT code, 1e6) AS three_each FROM forms;
RESET ROLE;
TRUNCATE forms;
INSERT INTO forms SELECT 1, v::numeric FROM unnest(ARRAY['7', '7.0', '7.00']) v;
SET ROLE regress_taker;
SELECT dp_count(DISTINCT code, 1e6) AS one FROM forms;
RESET ROLE;

-- ---- in parallel, and where people have some values in common: of rows at random about 220 would be different
CREATE TABLE codes (person text NOT NULL, code text);
INSERT INTO codes SELECT 'p' || p, 'c' || (p * 7 + v * 11) % 300 FROM generate_series(1, 200) p, generate_series(0, 39) v;
INSERT INTO codes SELECT 'q' || p, 'd' || v FROM generate_series(1, 20) p, generate_series(0, 39) v;
ANALYZE codes;
SELECT dp.protect('codes', 1e9, privacy_unit => 'person', max_rows_per_unit => 2), dp.grant_budget('codes', 'regress_taker', 1e9, allow_leaks => true);
SET ROLE regress_taker;
SELECT n > 285 AND n <= 300 AS near FROM (SELECT dp_count(DISTINCT code, 1e6) AS n FROM codes WHERE code LIKE 'c%') s;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT n > 285 AND n <= 300 AS near FROM (SELECT dp_count(DISTINCT code, 1e6) AS n FROM codes WHERE code LIKE 'c%') s;
SELECT dp_count(DISTINCT code, 1e6) AS all_40 FROM codes WHERE code LIKE 'd%';
RESET ROLE;
DROP OWNED BY regress_taker;
DROP ROLE regress_taker;
