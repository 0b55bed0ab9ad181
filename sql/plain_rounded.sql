-- Groups by rounded numbers with a declared range: all that the rounding can make of the range, and whatever happens to the number
-- before, no row is left out. Beside the superuser's own answers.
CALL own_schema('plain_rounded');
SET client_min_messages = error;
\set SHOW_CONTEXT never
CREATE TABLE sale (id int PRIMARY KEY, amount numeric NOT NULL, weight float8 NOT NULL, sold timestamptz NOT NULL);
INSERT INTO sale SELECT i, round(-33.3 + i * 0.1, 1), -3.37 + i * 0.01, timestamptz '2024-01-01 00:00+00' + i * interval '87.5 minutes' FROM generate_series(0, 1000) i;
CREATE ROLE regress_rounded_ana;
SELECT dp.protect('sale', 1e9), dp.grant_budget('sale', 'regress_rounded_ana', 1e9, allow_leaks => true);
SELECT dp.declare_range('sale', 'amount', -33.3, 66.7), dp.declare_range('sale', 'weight', -3.375, 6.635);
-- For a key: whether the groups with rows are those of the superuser, and how many there are.
CREATE FUNCTION beside(key text, condition text DEFAULT 'true', OUT same boolean, OUT groups bigint) LANGUAGE plpgsql AS $$
DECLARE
    question text := format('SELECT (%s)::text AS key, count(*) AS n FROM sale WHERE %s GROUP BY %s', key, condition, key);
    plain jsonb;
    private jsonb;
BEGIN
    EXECUTE format('SELECT jsonb_object_agg(key, n) FROM (%s) AS answers', question) INTO plain;
    SET LOCAL ROLE regress_rounded_ana;
    EXECUTE format('SELECT jsonb_object_agg(key, n) FILTER (WHERE n > 0), count(*) FROM (%s) AS answers', question) INTO private, groups;
    RESET ROLE;
    same := plain = private;
END $$;
SET dp.epsilon = 1e6;
SELECT key, same, groups
FROM unnest(ARRAY['floor(amount)', 'ceil(amount)', 'ceiling(weight) + 0', 'trunc(amount)', 'trunc(weight) + 0', 'round(amount)', 'round(weight) + 0', 'round(amount, -1)', 'round(amount, 1)',
    'round(weight::numeric, 1)', 'amount::int', 'weight::int', 'amount::smallint', 'amount::bigint', 'amount::int / 10 * 10', 'round(amount / 20) * 20', '(amount / 7)::int', 'ceil(amount / 7)',
    'floor(weight::numeric)', 'floor(amount::float8 / 10)', 'round(amount, -3)', 'dp_bucket(amount, 25)', 'dp_bucket(weight, 0.5)']) AS key, beside(key);
-- At the beginning of a cell a number may be rounded to another value than within; and 0.07 times a whole number, divided by it, to the value before.
SELECT key, same, groups
FROM unnest(ARRAY['ceil(amount) - floor(amount)', 'round(weight) + floor(weight)', 'floor(weight / 0.07)', 'floor(amount::int / 10.0) + floor(amount / 10)']) AS key, beside(key);
-- A condition may leave a part of a cell.
SELECT key, same, groups
FROM unnest(ARRAY['ceil(amount)', 'round(amount)', 'amount::int', 'round(amount, -1)', 'trunc(amount)']) AS key, beside(key, 'amount > -2.7 AND amount <= 4.6');
SELECT * FROM beside('weight::int', 'weight >= 0.52 AND weight <= 0.61');
-- Of moments: the last day of the range ends after its noon, where another day since then begins.
SET TimeZone = 'UTC';
SELECT dp.declare_range('sale', 'sold', '2024-01-01', '2024-03-01 23:59');
SELECT key, same, groups
FROM unnest(ARRAY['extract(day FROM sold - timestamptz ''2023-12-01 12:00'')', 'floor(extract(epoch FROM sold - timestamptz ''2023-12-01 12:00'') / 86400)',
    'extract(month FROM age(sold, timestamptz ''2023-12-01 12:00''))', 'date_trunc(''day'', sold)', 'to_timestamp(floor(extract(epoch FROM sold) / 3600) * 3600)']) AS key, beside(key);
-- Together with the day of the clock: days since a noon begin at noon.
SELECT key, same
FROM unnest(ARRAY['extract(day FROM sold - timestamptz ''2023-12-01 12:00'') * 10 + extract(dow FROM sold)', 'extract(day FROM age(sold, timestamptz ''2023-12-01 12:00'')) * 10 + extract(dow FROM sold)',
    'floor(extract(epoch FROM sold - timestamptz ''2023-12-01 12:00'') / 86400) + floor(extract(epoch FROM sold) / 86400)',
    'extract(day FROM (sold AT TIME ZONE ''UTC'') - timestamp ''2023-12-01 12:00'') * 10 + extract(dow FROM sold AT TIME ZONE ''UTC'')',
    'extract(day FROM sold - timestamptz ''2023-12-01 12:00:07'') * 2', 'extract(month FROM age(current_timestamp, sold)) * 2']) AS key, beside(key);
SELECT key, same
FROM unnest(ARRAY['extract(day FROM sold - timestamptz ''2023-12-01 12:00:07'') * 10 + extract(dow FROM sold)', 'date_trunc(''day'', date_bin(''7 minutes'', sold, ''2000-01-01 00:00:11.5+00''))',
    '(date_trunc(''day'', date_bin(''7 hours'', sold, ''2000-01-01 00:00+00'')) - date_trunc(''day'', sold))::text', '(date_trunc(''day'', date_bin(''7 hours'', sold, ''2000-01-01 01:00+00'')) - date_trunc(''day'', sold))::text']) AS key, beside(key);
-- A range that ends in a quarter of an hour within which another day begins.
SELECT * FROM beside('extract(day FROM sold - timestamptz ''2023-12-01 12:00:07'') * 2', 'sold < ''2024-02-24 12:08''');
SELECT same FROM beside('extract(day FROM date_trunc(''day'', current_timestamp) + interval ''7 hours 7 minutes'' - sold)', 'sold < ''2024-02-24 12:08''');
RESET TimeZone;
-- What is done to the number before moves the cells: nothing says where they are. Where there are few values each is a group.
SET ROLE regress_rounded_ana;
SELECT floor(exp(weight * 4)), count(*) FROM sale GROUP BY 1;
SELECT floor(exp(amount)), count(*) FROM sale GROUP BY 1;
SELECT count(*) > 200 AS many, sum(n) FROM (SELECT dp_bucket(exp(weight), 1) AS k, count(*) AS n FROM sale GROUP BY 1) AS r;
SELECT floor(-weight), count(*) FROM sale GROUP BY 1;
SELECT round(amount, id), count(*) FROM sale GROUP BY 1;
SELECT date_trunc('month', to_timestamp(extract(epoch FROM sold)::float8 * 100)), count(*) FROM sale GROUP BY 1;
SELECT sum(n) FROM (SELECT date_bin('7 days', sold, '2024-03-01 15:00+00'), count(*) AS n FROM sale GROUP BY 1) s;
SELECT date_bin('1 day', sold, current_timestamp), count(*) FROM sale GROUP BY 1;
SELECT floor(-extract(epoch FROM sold) / 86400), count(*) FROM sale GROUP BY 1;
SELECT extract(day FROM 3 * (sold - timestamptz '2023-12-01 12:00')), count(*) FROM sale GROUP BY 1;
SELECT date_trunc('month', date '2000-01-01' + extract(epoch FROM sold)::int), count(*) FROM sale GROUP BY 1;
SELECT count(*) > 300 AS many, sum(n) FROM (SELECT extract(day FROM sold - current_timestamp) * 10 + extract(dow FROM sold) AS k, count(*) AS n FROM sale GROUP BY 1) AS r;
RESET ROLE;
-- The cells of a numeric become 15 digits.
ALTER TABLE sale ADD large numeric NOT NULL DEFAULT 1000000000000007;
SELECT dp.declare_range('sale', 'large', 1e15, 1e15 + 10);
SET ROLE regress_rounded_ana;
SELECT floor(large), count(*) FROM sale GROUP BY 1;
RESET ROLE;
SELECT dp.unprotect('sale');
DROP SCHEMA plain_rounded CASCADE;
DROP OWNED BY regress_rounded_ana;
DROP ROLE regress_rounded_ana;
