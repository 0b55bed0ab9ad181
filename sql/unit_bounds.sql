-- dp_bounds where a privacy unit has several rows: what counts as an empty bin is decided by the noise that is drawn, with every
-- mechanism. All values lie in one bin.
CALL own_schema('unit_bounds');
SET client_min_messages = error;
CREATE TABLE stays AS SELECT i % 10000 AS patient, 40 AS age, 40.0::float8 AS cost, 40::bigint AS days, i % 2 AS ward FROM generate_series(1, 40000) AS i;
CREATE TABLE rows_of_stays AS TABLE stays;
SELECT dp.protect('rows_of_stays', 1e6, delta => 0.9);
SELECT dp.protect('stays', 1e6, delta => 0.9, privacy_unit => 'patient', max_rows_per_unit => 4);
SELECT dp.public_values('stays', 'ward', 0, 1);
CREATE TABLE mechanisms (m text);
INSERT INTO mechanisms VALUES ('auto'), ('geometric'), ('laplace'), ('staircase'), ('staircase(metric=l2)'), ('gaussian(delta=1e-6)'),
    ('gaussian(delta=1e-6, definition=probabilistic)'), ('gg(p=1, delta=1e-6)'), ('gg(p=3, delta=1e-6)'), ('gg(p=2, delta=1e-6, definition=approximate)'),
    ('r2dp(gamma=5)'), ('r2dp(metric=l1)'), ('rounded_geometric(step=5)'), ('truncated_gg(p=2, lower=0, upper=40000)'), ('bit_gg(p=2, lower=0, upper=40000)'),
    ('exponential');
CREATE FUNCTION bounds_of(asked text, source text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    found text;
BEGIN
    EXECUTE format('SELECT string_agg(DISTINCT b::text, '' '') FROM (SELECT %s AS b FROM %s) AS answers', asked, source) INTO found;
    RETURN found;
EXCEPTION WHEN invalid_parameter_value THEN
    RETURN 'refused';
END
$$;
SELECT m, bounds_of(format('dp_bounds(age, 1, %L)', m), 'rows_of_stays') AS by_row,
    bounds_of(format('dp_bounds(age, 1, %L)', m), 'stays') AS int4,
    bounds_of(format('dp_bounds(days, 1, %L)', m), 'stays') AS int8,
    bounds_of(format('dp_bounds(cost, 1, %L)', m), 'stays') AS float8,
    bounds_of(format('dp_bounds(age, 1, %L)', m), 'stays GROUP BY ward') AS in_groups
FROM mechanisms ORDER BY m COLLATE "C";
SELECT dp.protect('stays', 1e6, delta => 0.9, privacy_unit => 'patient', max_groups_per_unit => 2, max_rows_per_group => 3);
SELECT m, bounds_of(format('dp_bounds(age, 1, %L)', m), 'stays GROUP BY ward') AS by_group
FROM mechanisms ORDER BY m COLLATE "C";
DROP TABLE stays, rows_of_stays, mechanisms;
DROP FUNCTION bounds_of(text, text);
