-- What went by since the beginning of a unit, as date_trunc has units: bounded by how long that unit may be, whatever it is called.
SET client_min_messages = error;
\set SHOW_CONTEXT never
CALL own_schema('plain_units');
CREATE ROLE regress_units_ana;
CREATE TABLE t (id int PRIMARY KEY, ts timestamp NOT NULL);
INSERT INTO t SELECT g, '2024-01-01'::timestamp + g * interval '5 hours 7 minutes' FROM generate_series(1, 100) g;
SELECT dp.protect('t', 9e9), dp.grant_budget('t', 'regress_units_ana', 9e9, allow_leaks => true), dp.declare_range('t', 'ts', '2024-01-01'::timestamp, '2024-02-01'::timestamp);
SET dp.epsilon = 1e5;
CREATE FUNCTION bounds_since(unit text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE line text;
BEGIN
    FOR line IN EXECUTE format('EXPLAIN (COSTS off) SELECT avg(extract(epoch FROM ts - date_trunc(%L, ts))) FROM t', unit) LOOP
        IF line ~ 'Private Form' THEN RETURN regexp_replace(line, '.*\)\), (.*), 100000\)$', '\1'); END IF;
    END LOOP;
END $$;
SET ROLE regress_units_ana;
SELECT unit, bounds_since(unit) FROM unnest('{millisecond,second,secs,minute,hour,hours,HOUR,day,week,month,quarter,year,decade,century,millennium}'::text[]) unit;
SELECT abs(avg(extract(epoch FROM ts - date_trunc('hour', ts))) - 1770) < 60 AS close FROM t;
SELECT stddev(DISTINCT extract(epoch FROM ts - date_trunc('eon', ts))) FROM t;
RESET ROLE;
SELECT dp.unprotect('t');
DROP SCHEMA plain_units CASCADE;
DROP OWNED BY regress_units_ana;
DROP ROLE regress_units_ana;
