-- Rows below the noise are rows that PostgreSQL can make: at most 1664 columns and 1 GB. What would need longer ones is refused before
-- the charge, with the same words whether or not a row gets there.
SET client_min_messages = warning;
CREATE ROLE regress_rows_ana;
CREATE SCHEMA row_limits;
GRANT USAGE ON SCHEMA row_limits TO PUBLIC;
SET search_path = row_limits, public;
CREATE TABLE visit (id int PRIMARY KEY, patient_id int NOT NULL, ward int, stay int, note text);
INSERT INTO visit SELECT i, i % 100, i % 3, i % 7, CASE i WHEN 8 THEN repeat('y', 1100000) WHEN 10 THEN 'z' ELSE 'a' END
FROM generate_series(1, 1000) i;
-- Of two tables with many columns one is public; all are the number of the row, below 5.
DO $$
BEGIN
    EXECUTE (SELECT format('CREATE TABLE wide (id int PRIMARY KEY, patient_id int NOT NULL, %s); CREATE TABLE broad (id int PRIMARY KEY, %s);'
            'INSERT INTO wide SELECT i, i / 2, %s FROM generate_series(1, 20) i; INSERT INTO broad SELECT i, %3$s FROM generate_series(1, 20) i',
            string_agg('a' || i || ' int2', ', '), string_agg('b' || i || ' int2', ', '), string_agg('i % 5', ', '))
        FROM generate_series(1, 1000) i);
END
$$;
ANALYZE visit, wide, broad;
SELECT dp.protect('visit', 9e9, privacy_unit => 'patient_id', max_rows_per_unit => 5),
    dp.protect('wide', 9e9, privacy_unit => 'patient_id', max_rows_per_unit => 5), dp.public_values('visit', 'ward', 0, 1, 2) \g /dev/null
SELECT dp.grant_budget(t, 'regress_rows_ana', 9e9, allow_leaks => true) IS NULL AS granted FROM unnest('{visit,wide}'::regclass[]) t;
GRANT SELECT ON broad TO regress_rows_ana;

-- What is told where a person is there, and whether it is the same where nobody is.
CREATE FUNCTION told(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    state text; message text; detail text;
BEGIN
    EXECUTE query;
    RETURN 'answered';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
    RETURN concat_ws(' ', state, message, detail);
END
$$;
CREATE FUNCTION asked(call text, times int, rest text, "of" text DEFAULT 'SELECT %s') RETURNS TABLE (told text, same boolean)
LANGUAGE plpgsql AS $$
DECLARE
    calls text := (SELECT string_agg(format(call, i), ', ') FROM generate_series(1, times) i);
BEGIN
    SET LOCAL ROLE regress_rows_ana;
    told := told(format("of", calls) || rest || ' = 4');
    same := told = told(format("of", calls) || rest || ' = 4000');
    RESET ROLE;
    RETURN NEXT;
END
$$;
SET dp.epsilon = 1;
-- Limits of a unit make two columns below each count by a condition.
SELECT * FROM asked('count(*) FILTER (WHERE stay = %s)', 1000, ' FROM visit WHERE patient_id');
-- Of two tables with 1,000 columns.
SELECT * FROM asked('dp_sum(a%1$s + b%1$s, 0, 10, 1)', 1000, ' FROM wide w JOIN broad b ON b.id = w.id WHERE w.id');
-- More aggregates than columns of a row.
SELECT * FROM asked('dp_sum(stay + %s, 0, 10, 1)', 1700, ' FROM visit WHERE patient_id', 'SELECT ARRAY[%s]');
SELECT * FROM asked('dp_count(DISTINCT stay + %s, 1)', 1700, ' FROM visit WHERE patient_id', 'SELECT ARRAY[%s]');
-- Conditions read columns as well; one aggregate is enough.
SELECT * FROM asked('a%1$s + b%1$s', 900, ' FROM wide w JOIN broad b ON b.id = w.id WHERE w.id', $$SELECT dp_count('*', 1) FILTER (WHERE 1 IN (%s))$$);
-- In subqueries about people.
SELECT * FROM asked('max(a1 + %s) AS m%1$s', 900, (SELECT format(' FROM wide w JOIN broad b ON b.id = w.id GROUP BY patient_id HAVING 3 IN (%s)) p '
    'WHERE patient_id', string_agg(format('max(b1 + %s)', i), ', ')) FROM generate_series(1, 800) i), $$SELECT dp_count('*', 1) FROM (SELECT patient_id, %s$$);
SELECT * FROM asked('(SELECT max(a%s) FROM wide w WHERE w.patient_id = v.patient_id)', 10, ' AND patient_id',
    $$SELECT dp_count('*', 1) FROM visit v WHERE 4 IN (%s)$$);

-- As many as there may be are answered, and what chooses rows at random reads any number of columns.
SELECT * FROM asked($$dp_count('*', 1) FILTER (WHERE stay = %s)$$, 820, ' FROM visit WHERE patient_id');
SELECT * FROM asked('dp_sum(a%1$s + b%1$s, 0, 10, 1)', 800, ' FROM wide w JOIN broad b ON b.id = w.id WHERE w.id');
SELECT * FROM asked('dp_count(DISTINCT a%s, 1)', 1000, ' FROM wide WHERE id');
SELECT * FROM asked('dp_sum(stay + %s, 0, 10, 1)', 1662, ' FROM visit WHERE patient_id');

-- Numbers of answers, and rows that are kept of a unit, stand in one row.
SELECT * FROM asked('dp_histogram(stay, 0, %s, 100000, 1)', 120, ' FROM visit WHERE patient_id');
SELECT dp.protect('wide', 9e9, privacy_unit => 'patient_id', max_rows_per_unit => 1000000) \g /dev/null
SELECT * FROM asked('dp_histogram(a%s, 0, 4, 2, 1)', 40, ' FROM wide WHERE id');
SELECT * FROM asked('dp_histogram(a%s, 0, 4, 2, 1)', 20, ' FROM wide WHERE id');

-- The largest text of a person is kept, and is not where it is stored: beyond 1 MB it counts as NULL.
SET ROLE regress_rows_ana;
SELECT dp_count('*', 1e6) FILTER (WHERE note > 'x') AS rows FROM visit;
SELECT dp_count('*', 1e6) AS people FROM (SELECT patient_id, max(note) AS note FROM visit GROUP BY patient_id) p WHERE note > 'x';
RESET ROLE;
SELECT * FROM asked($$max(note || '%s') AS m%1$s$$, 300, ' FROM visit GROUP BY patient_id) p WHERE patient_id',
    $$SELECT dp_count('*', 1) FROM (SELECT patient_id, %s$$);

-- Each of the public subqueries may have long rows; a private row can find one of each.
CREATE FUNCTION with_long_rows(rows int) RETURNS text LANGUAGE sql AS $$
    SELECT format('SELECT dp_count(%L, 1) FROM visit v %s WHERE v.patient_id = 4 AND %s', '*',
        string_agg(format('JOIN (SELECT max(id) AS id, repeat(%L, 60000000) AS t FROM broad) l%s ON l%2$s.id = v.id', 'x', i), ' '),
        string_agg(format('length(l%s.t) > 1', i), ' AND ')) FROM generate_series(1, rows) i
$$;
SELECT told(with_long_rows(5));

-- What was refused was not charged, and nobody was closed.
SELECT relation, count(*) AS charges FROM dp.ledger WHERE role = 'regress_rows_ana'::regrole AND epsilon > 0 GROUP BY 1 ORDER BY 1;
SELECT DISTINCT closed FROM dp.budgets WHERE role = 'regress_rows_ana'::regrole;
RESET search_path;
SET dp.allow_drop = on;
DROP SCHEMA row_limits CASCADE;
DROP ROLE regress_rows_ana;
