-- Every row is in a group, also where what a key is computed from is NaN, infinite, NULL or huge: groups and their counts are PostgreSQL's own.
CALL own_schema('group_no_numbers');
SET client_min_messages = error;
CREATE ROLE regress_no_numbers;
CREATE TABLE odd (id int PRIMARY KEY, n numeric, f float8, r real, ts timestamp, d date, i int, c numeric CHECK (c BETWEEN -3 AND 3));
INSERT INTO odd SELECT i, (ARRAY['NaN', 'Infinity', '-Infinity', '1', '-2.5', '0', '1e100', NULL])[1 + i % 8]::numeric,
    (ARRAY['NaN', 'Infinity', '-Infinity', '1', '-2.5', '0', '1e300', NULL])[1 + i % 8]::float8, (ARRAY['NaN', 'Infinity', '-Infinity', '1', '-2.5', '0', '1e30', NULL])[1 + i % 8]::real,
    (ARRAY['infinity', '-infinity', '2020-02-29', '1700-02-02', '2020-05-01 10:00', NULL])[1 + i % 6]::timestamp, (ARRAY['infinity', '-infinity', '2020-02-29', '4000-02-02', NULL])[1 + i % 5]::date,
    (ARRAY[-2147483648, 2147483647, 0, 17, NULL])[1 + i % 5], i % 7 - 3 FROM generate_series(1, 840) i;
SELECT dp.protect('odd', 9e9, answer_epsilon => 1e6), dp.grant_budget('odd', 'regress_no_numbers', 9e9, allow_leaks => true) \g /dev/null
-- The groups that have rows, as each of the two sees them.
CREATE FUNCTION groups(asks name, key text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE found text;
BEGIN
    PERFORM set_config('role', asks, true);
    EXECUTE format('SELECT string_agg(coalesce(k, ''NULL'') || '': '' || n, '', '' ORDER BY k) FROM (SELECT (k)::text AS k, sum(n) AS n FROM (SELECT %s AS k, count(*) AS n FROM odd GROUP BY 1) q
        GROUP BY 1) q WHERE n > 0', key) INTO found;
    PERFORM set_config('role', 'none', true);
    RETURN found;
EXCEPTION WHEN OTHERS THEN
    RETURN CASE WHEN SQLSTATE = 'DP002' THEN 'refused' ELSE SQLSTATE || ' ' || SQLERRM END;
END $$;
CREATE TABLE keys (number serial, key text);
INSERT INTO keys (key) SELECT unnest(ARRAY['sign(n)', 'sign(f)', 'sign(r)', 'sign(n) + 1', 'sign(n) * 2', 'abs(sign(n))', 'sign(-n)', 'sign(n - 1)', 'sign(n)::text', 'sign(n)::int', 'round(sign(n) / 2, 1)', 'floor(sign(n) / 2)',
    'nullif(sign(n), 0)', 'coalesce(sign(n), 7)', 'case sign(n) when 1 then ''p'' when -1 then ''m'' else ''z'' end', 'sign(n) = 1', 'sign(c)', 'sign(i)', 'sign(i::numeric)',
    'trunc(mod(n, 3))', 'round(n % 3)', 'ceil(mod(n, 2))', 'floor(mod(n, -2))', 'mod(n, 3)::int', 'mod(i::numeric, 3)', 'i % 3', 'round(atan(f))', 'floor(atan(f) * 2)', 'round(sin(f))', 'trunc(tanh(f))',
    'round(atan2(f, 1))', 'n > 0', 'f > 0', 'n = n', 'n <> n', 'n IS NULL', 'n = ''NaN''', 'f = ''NaN''', 'abs(f) > 1', 'n BETWEEN 0 AND 5', 'f BETWEEN 0 AND 5', 'n IN (0, 1)', 'coalesce(n, 0) > 1',
    'case when n > 0 then 1 when n < 0 then 2 else 3 end', 'case when f > 0 then ''a'' end', 'greatest(least(trunc(n), 2), 0)', 'least(greatest(trunc(f), 0), 2)', 'width_bucket(n, 0, 10, 2)',
    'width_bucket(f, 0, 10, 2)', 'width_bucket(n, ARRAY[0, 5]::numeric[])', 'width_bucket(f, ARRAY[0, 5]::float8[])', 'width_bucket(coalesce(n, 0), 0, 10, 2)', 'extract(dow FROM ts)', 'extract(month FROM ts)',
    'date_part(''dow'', ts)', 'extract(quarter FROM ts) * 2', 'extract(isodow FROM d)', 'extract(hour FROM ts)', 'extract(dow FROM ts + interval ''1 day'')', 'sign(extract(epoch FROM ts))', 'isfinite(ts)',
    'isfinite(d)', 'ts > ''2000-01-01''', 'date_trunc(''day'', ts) > ''2020-01-01''', 'n::text = ''NaN''', 'sign(n) || extract(dow FROM ts)::text', 'sign(n) + sign(f)::numeric']);
GRANT SELECT ON keys TO regress_no_numbers;
-- Where PostgreSQL's own form is an error for a row, ours is NULL there.
SELECT key, asked, CASE WHEN exact = asked THEN '' ELSE exact END AS by_postgresql FROM keys, groups('regress_no_numbers', key) AS asked, groups('none', key) AS exact ORDER BY number;
-- Where it is said between which numbers a column lies, there is no such group.
SELECT dp.declare_range('odd', 'n', -10, 10) \g /dev/null
SET ROLE regress_no_numbers;
SELECT sign(n), count(*) > 0 AS rows FROM odd GROUP BY 1 ORDER BY 1;
RESET ROLE;
SELECT dp.unprotect('odd') \g /dev/null
DROP SCHEMA group_no_numbers CASCADE;
DROP OWNED BY regress_no_numbers;
DROP ROLE regress_no_numbers;
