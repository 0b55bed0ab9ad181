-- Group keys with few values whatever their columns hold, by what their functions are defined to compute: remainders, signs, bits, lengths, what
-- is cut off on both sides, multiples of a number. Nothing is declared but where that is said. At epsilon 1e6 beside the superuser's answer over
-- a copy that may be read.
CALL own_schema('plain_few_values');
SET client_min_messages = error;
CREATE ROLE regress_few_ana;
CREATE TABLE stay (id int PRIMARY KEY, free int NOT NULL, large bigint NOT NULL, perhaps int, code varchar(5) NOT NULL, dose numeric(4, 1) NOT NULL, yes boolean NOT NULL, x float8 NOT NULL, price numeric NOT NULL, k int NOT NULL, day date, span interval NOT NULL);
INSERT INTO stay SELECT i, i * 7919 % 4001 - 2000, (i * 7919 % 4001 - 2000) * 1000000007, CASE WHEN i % 9 > 0 THEN i * 31 % 500 - 250 END, left(md5(i::text), i % 6), i * 7 % 80 / 10.0 - 1, i % 3 = 0, (i * 7919 % 4001 - 2000) / 100.0, (i * 7919 % 4001 - 2000) / 100.0, i % 7 - 3, '2024-01-01'::date + i, i * interval '17.5 minutes'
    FROM generate_series(1, 500) i;
CREATE TABLE plain AS TABLE stay;
GRANT SELECT ON plain TO regress_few_ana;
SELECT dp.protect('stay', 1e9, answer_epsilon => 1e6);
SELECT dp.grant_budget('stay', 'regress_few_ana', 1e9, allow_leaks => true);
SELECT dp.declare_range('stay', 'dose', -1, 7), dp.declare_range('stay', 'x', -20, 20), dp.declare_range('stay', 'price', -20, 20), dp.declare_range('stay', 'k', -3, 3);
CREATE FUNCTION asked(key text, relation text) RETURNS TABLE (k text, n bigint) LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY EXECUTE format('SELECT (%s)::text, count(*) FROM (SELECT person, min(day) AS first, max(day) AS last, max(n) AS most, count(*) AS rows FROM %s GROUP BY person) AS q GROUP BY %s', key, relation, key);
END $$;
\pset format unaligned
\pset tuples_only on
SET ROLE regress_few_ana;
SELECT q, plain IS NOT DISTINCT FROM private AS same, CASE WHEN plain IS DISTINCT FROM private THEN left(concat_ws(' | ', plain, private), 200) END FROM unnest(ARRAY[
    'free % 10', 'mod(free, 7)', 'large % 12', 'perhaps % 3', 'coalesce(perhaps % 3, -9)', 'abs(free % 5)', 'free % 7 + 3', 'free % 10 - perhaps % 10', 'free & 3', 'sign(free)', 'sign(x * free)', 'sign(free - perhaps)',
    'least(greatest(free, 0), 10)', 'greatest(least(perhaps, 3), -3) * 5', 'length(code)', 'octet_length(code) + 1', 'position(''a'' IN code)', 'ascii(code) % 3', 'length(left(code || ''xx'', 3))',
    'CASE WHEN free > 10 THEN free % 3 ELSE -1 END', 'CASE WHEN yes THEN perhaps % 2 END', '(free % 4)::text', 'free % 4 = 0', 'width_bucket(free, 0, 100, 4) + perhaps % 2',
    'dose', 'dose * 10', 'dose + 1', 'round(price * k, -1)', 'trunc(price * k, -1)', 'trunc(price * x::numeric, -2)', 'dp_bucket(price * k, 10)', 'dp_bucket(x * k, 10)', 'dp_bucket(k * perhaps % 100, 25)', 'round(price * k, 0)::text',
    'round(price * k, -1) / 10', 'extract(second FROM span) % 3', 'extract(minute FROM span)', '(ceil(x * k) + 0.0)::text', 'width_bucket(free % 10, k, 3, 4)', '10 - length(code)', 'upper(left(code, 1)) = ''A''', 'extract(month FROM day) + extract(dow FROM day)', 'extract(dow FROM day) * 10 + free % 3', 'CASE WHEN free > 0 THEN extract(month FROM day) ELSE 0 END', '(x > 0)::int + yes::int + (free > 5)::int']) WITH ORDINALITY AS u (q, i),
    both_answers(format('SELECT r::text FROM (SELECT %s, count(*) FROM stay GROUP BY 1 HAVING count(*) > 0 ORDER BY 1) AS r', q), plans => '{custom}') ORDER BY i;
-- How many groups there are: no more than values; of what is multiplied no others.
SELECT q, private FROM unnest(ARRAY['free % 10', 'abs(free % 10)', 'sign(free)', 'length(code)', 'dose', 'trunc(price * k, -1)', 'free & 3', 'perhaps % 3', '(free % 4) * 25', 'width_bucket(free % 10, k, 3, 4)']) WITH ORDINALITY AS u (q, i),
    both_answers(format('SELECT count(*) || '' from '' || min(k) || '' to '' || max(k) FROM (SELECT %s AS k, count(*) AS n FROM stay GROUP BY 1) AS r', q), plans => '{custom}') ORDER BY i;
-- No group for NULL of what is never NULL; one of what may be.
SELECT q, private FROM unnest(ARRAY['code LIKE ''a%''', 'code ILIKE ''A%''', 'code ~ ''^[0-9]''', 'cbrt(k)', 'nullif(free % 3, 1)', 'nullif(free % 3, 1) IS NULL', 'yes AND free > 0', 'k IN (1, 2)', 'perhaps % 3 IS DISTINCT FROM 1', 'CASE WHEN yes THEN 1 END', 'CASE WHEN yes THEN 1 ELSE 0 END', 'perhaps > 0 OR yes', 'perhaps IN (1, 2)']) WITH ORDINALITY AS u (q, i),
    both_answers(format('SELECT count(*) - count(k) FROM (SELECT %s AS k, count(*) AS n FROM stay GROUP BY 1) AS r', q), plans => '{custom}') ORDER BY i;
-- A column's sign is known from conditions.
SELECT count(*), min(k) FROM (SELECT free % 10 AS k, count(*) FROM stay WHERE free BETWEEN 0 AND 5000 GROUP BY 1) AS r;
SELECT count(*), min(k), max(k) FROM (SELECT trunc(price * free, -3) AS k, count(*) FROM stay WHERE trunc(price * free, -3) BETWEEN -2500 AND 3500 GROUP BY 1) AS r;
SELECT count(*), count(k) FROM (SELECT perhaps % 3 AS k, count(*) FROM stay WHERE perhaps > 0 GROUP BY 1) AS r;
-- A day that is never NULL has no weekday where it is infinite.
RESET ROLE;
CREATE TABLE endless AS SELECT i AS id, CASE WHEN i > 20 THEN 'infinity' ELSE date '2024-01-01' + i END AS day FROM generate_series(1, 30) i;
ALTER TABLE endless ALTER day SET NOT NULL;
SELECT dp.protect('endless', 1e9, answer_epsilon => 1e6), dp.grant_budget('endless', 'regress_few_ana', 1e9, allow_leaks => true);
SET ROLE regress_few_ana;
SELECT count(*), count(k), sum(n) FROM (SELECT extract(dow FROM day) AS k, count(*) AS n FROM endless GROUP BY 1) AS r;
-- Too many values for one column alone; values without ends; and what shows how a number is written: its digits, the sign of a zero.
SELECT left(private, 60) FROM unnest('{extract(second FROM span),free % 2000,free,id / 3,x + k,dose::text,(dose * 2.00)::text,ceil(x * k)::text}'::text[]) q, both_answers(format('SELECT %s, count(*) FROM stay GROUP BY 1', q), plans => '{custom}');

-- What a subquery computes of each person, of whose columns nothing is known.
RESET ROLE;
CREATE TABLE visit AS SELECT i AS id, 1 + i % 97 AS person, '2024-01-01'::date + i * 7 % 300 AS day, CASE WHEN i % 97 > 4 THEN i * 31 % 500 - 250 END AS n FROM generate_series(1, 500) i;
CREATE TABLE plain_visit AS TABLE visit;
GRANT SELECT ON plain_visit TO regress_few_ana;
SELECT dp.protect('visit', 1e9, privacy_unit => 'person', answer_epsilon => 1e6, max_rows_per_unit => 10), dp.grant_budget('visit', 'regress_few_ana', 1e9, allow_leaks => true);
SET ROLE regress_few_ana;
SELECT q, (SELECT count(*) FILTER (WHERE k IS NULL) || ' of ' || count(*) FROM asked(q, 'visit')) AS groups,
    (SELECT jsonb_object_agg(coalesce(k, '-'), n) FROM asked(q, 'plain_visit')) = (SELECT jsonb_object_agg(coalesce(k, '-'), n) FROM asked(q, 'visit') WHERE n > 0) AS same
FROM unnest(ARRAY['extract(dow FROM last)', 'extract(dow FROM first) + extract(month FROM last)', 'width_bucket(most, 0, 100, 4)', 'width_bucket(extract(dow FROM last), ARRAY[2, 5])', 'most % 3', 'width_bucket(nullif(rows, 5), 0, 10, 5)', 'extract(quarter FROM CASE WHEN most > 3 THEN date ''2024-01-01'' ELSE date ''2024-04-01'' END)'])  q;
SELECT most % 2000, count(*) FROM (SELECT person, max(n) AS most FROM visit GROUP BY person) AS q GROUP BY 1;

RESET ROLE;
SELECT dp.unprotect('stay'), dp.unprotect('visit'), dp.unprotect('endless');
DROP OWNED BY regress_few_ana;
DROP ROLE regress_few_ana;
