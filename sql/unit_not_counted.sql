-- What the limits of a privacy unit leave out is said, for intervals do not include it: in EXPLAIN, and once a session and table.
SET client_min_messages = warning;
CREATE SCHEMA not_counted;
SET search_path = not_counted, public;
CREATE TABLE stays (id int, patient_id int, ward int NOT NULL);
INSERT INTO stays SELECT i, i % 10, i % 3 FROM generate_series(1, 300) i;
CREATE TABLE people (id int PRIMARY KEY);
INSERT INTO people SELECT generate_series(0, 9);
CREATE TABLE rows (id int);
SELECT dp.protect('stays', 1e9, privacy_unit => 'patient_id', max_rows_per_unit => 5), dp.protect('people', 1e9, privacy_unit => 'id'),
    dp.protect('rows', 1e9), dp.declare_values('stays', 'ward', 0, 1, 2);
SET client_min_messages = notice;

-- Nothing is left out of what has one row of a person, or counts each once.
SELECT dp_count('*', 1e6) FROM rows;
SELECT dp_count('*', 1e6) FROM people;
SELECT dp_count(DISTINCT patient_id, 1e6) FROM stays;
EXPLAIN (COSTS OFF) SELECT dp_count(DISTINCT patient_id, 1e6) FROM stays;

EXPLAIN (COSTS OFF) SELECT dp_count('*', 1e6) FROM stays;
SELECT dp_count('*', 1e6) FROM stays;
SELECT dp_count('*', 1e6) FROM stays WHERE ward = 1;

-- Where the question itself leaves no more rows of a person than are counted, none is left out.
CREATE FUNCTION said(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE line text;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
        IF line ~ 'Privacy Unit|Not Counted' THEN RETURN NEXT trim(line); END IF;
    END LOOP;
END $$;
SELECT said($$SELECT dp_count('*', 1e6) FROM (SELECT row_number() OVER (PARTITION BY patient_id ORDER BY ward) AS nth FROM stays) s WHERE nth <= 3$$);
SELECT said($$SELECT dp_count('*', 1e6) FROM (SELECT row_number() OVER (PARTITION BY patient_id ORDER BY ward) AS nth FROM stays) s WHERE nth <= 8$$);
SELECT said($$SELECT dp_count('*', 1e6) FROM (SELECT patient_id, row_number() OVER (PARTITION BY patient_id ORDER BY ward) AS nth FROM stays) s JOIN stays o ON o.patient_id = s.patient_id WHERE nth <= 3$$);
SELECT said($$SELECT dp_count(DISTINCT ward, 1e6) FROM stays WHERE ward IN (1, 2)$$);

-- A row that becomes several: by a list, and by a join of the table with itself. 300 rows find 9,000.
SELECT dp_count('*', 1e6) FROM stays s, generate_series(1, s.ward) AS n;
SELECT dp_count('*', 1e6) FROM stays a JOIN stays b ON a.patient_id = b.patient_id;
SELECT dp_count('*', 1e6) FROM stays a JOIN stays b ON a.patient_id = b.patient_id;

-- Other limits are said anew.
SET dp.max_rows_per_unit = 2;
SELECT dp_count('*', 1e6) FROM stays;
RESET dp.max_rows_per_unit;
SET client_min_messages = warning;
SELECT dp.protect('stays', 1e9, privacy_unit => 'patient_id', max_groups_per_unit => 2, max_rows_per_group => 4);
SET client_min_messages = notice;
SELECT sum(n) FROM (SELECT ward, dp_count('*', 1e6) AS n FROM stays GROUP BY ward) AS a;
SELECT value FROM dp.describe_table('stays') WHERE item = 'limits';
SET client_min_messages = warning;
DROP SCHEMA not_counted CASCADE;
