-- Functions that are total for some arguments only: with these arguments, over extreme values of the others (total_functions).
-- What they must not be called with is refused (guard_constants).
SET client_min_messages = warning;
SET TimeZone = 'America/Los_Angeles';

SELECT dp_internal.make_extreme_values();
SELECT dp_internal.make_extreme_calls();
UPDATE dp_extreme.called SET (calls, answers, error) = (SELECT calls, answers, error FROM dp_internal.first_error(function, written));

-- numeric(p, s): the largest and the smallest of each form, and NaN; to float8 and float4 with as many digits as are admitted.
CREATE TEMP TABLE forms (wide numeric(1000,0), deep numeric(1000,1000), shifted numeric(1000,-1000), price numeric(10,2),
                         double numeric(600,300), single numeric(74,37));
INSERT INTO forms
SELECT (sign || repeat('9', 1000))::numeric, (sign || '.' || repeat('9', 1000))::numeric, (sign || repeat('9', 1000) || repeat('0',
    1000))::numeric,
       (sign || '99999999.99')::numeric, (sign || repeat('9', 300) || '.' || repeat('9', 300))::numeric,
       (sign || repeat('9', 37) || '.' || repeat('9', 37))::numeric
FROM unnest('{"",-}'::text[]) sign;
INSERT INTO forms VALUES ('NaN', 'NaN', 'NaN', 'NaN', 'NaN', 'NaN'), (0, 1e-1000, 1e1000, 0.01, -1e-300, -1e-37);
SELECT count(round(v)) + count(round(v, 3)) + count(round(v, -3)) + count(round(v, 2147483647)) + count(round(v, -2147483647))
       + count(ceil(v)) + count(ceiling(v)) + count(floor(v)) AS answers
FROM forms, unnest(ARRAY[wide, deep, shifted, price, double, single]) v;
SELECT count(double::float8) + count(price::float8) + count(single::float4) + count(price::float4) AS answers FROM forms;
SELECT width_bucket('NaN'::float8, '{1,2}'::float8[]), width_bucket('Infinity'::numeric, '{1,NaN}'::numeric[]),
    width_bucket('x'::text, '{a,b}'::text[]);

SELECT function, left(written::text, 100) AS written, error FROM dp_extreme.called WHERE error IS NOT NULL ORDER BY function::text;
-- All of the list.
SELECT function, provided FROM dp.total_functions() WHERE provided IS NOT NULL AND function NOT IN (SELECT function FROM dp_extreme.called);
SELECT count(DISTINCT function) AS functions, sum(calls) > 0 AS ran, count(error) AS raised FROM dp_extreme.called;
DROP SCHEMA dp_extreme CASCADE;
