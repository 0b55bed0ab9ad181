-- Numbers that are cut: div, trunc to tens, sign, abs, dp_bucket, date_bin, as group keys and within sums; divisors that are not 0; how two
-- columns go together; and parts of moments by other names. At epsilon 1e6 beside the superuser's answer over a copy that may be read.
CALL own_schema('plain_cut_numbers');
SET client_min_messages = error;
CREATE ROLE regress_cut_ana;
CREATE TABLE stay (id int PRIMARY KEY, q numeric NOT NULL, f float8 NOT NULL, k int NOT NULL, low int NOT NULL, at timestamp NOT NULL, big float8 NOT NULL, day date NOT NULL, hours time NOT NULL);
INSERT INTO stay SELECT i, (i * 7919 % 4001 - 2000) / 100.0, (i * 7919 % 4001 - 2000) / 100.0, i % 7 - 3, i % 7 - 6, timestamp '2024-01-01' + i * interval '37 minutes', i * i / 7.0, '2023-12-01'::date + i, '00:30'::time + i * interval '41 minutes' FROM generate_series(1, 500) i;
INSERT INTO stay SELECT 1000 + i, i * 5, i * 5, 1, -1, '2024-01-01', 100 * (i + 4), '2024-01-01', '00:00' FROM generate_series(-4, 4) i;
CREATE TABLE plain AS TABLE stay;
GRANT SELECT ON plain TO regress_cut_ana;
SELECT dp.protect('stay', 1e9, answer_epsilon => 1e6);
SELECT dp.grant_budget('stay', 'regress_cut_ana', 1e9, allow_leaks => true);
SELECT dp.declare_range('stay', 'big', 0, 40000), dp.declare_range('stay', 'day', '2023-12-01', '2025-06-01');
SELECT dp.declare_range('stay', 'q', -20, 20), dp.declare_range('stay', 'f', -20, 20), dp.declare_range('stay', 'k', -3, 3), dp.declare_range('stay', 'low', -6, 0), dp.declare_range('stay', 'at', '2024-01-01', '2024-01-31');
\pset format unaligned
\pset tuples_only on
SET ROLE regress_cut_ana;
SELECT q, plain IS NOT DISTINCT FROM private AS same, CASE WHEN plain IS DISTINCT FROM private THEN left(concat_ws(' | ', plain, private), 200) END FROM unnest(ARRAY[
    'div(q, 3)', 'div(q, 2.5)', 'trunc(q, -1)', 'trunc(q, 1)', 'trunc(q, 0)', 'sign(q)', 'sign(q - 5)', 'sign(f)', 'sign(q * 2 + 3)', 'floor(abs(q) / 3)', 'floor(abs(f) / 7)', 'round(abs(q))', 'floor(abs(q - 5) / 10)',
    'trunc(abs(q), -1)', 'ceil(abs(f * 2))', 'floor(abs(f) - 0.5)', 'floor(q / -3)', 'ceil(f * -0.7)::int', 'floor(3 * q + 1)', 'floor(trim_scale(q))', 'floor(q / 3) * 10 + floor(q / 2)', 'sign(q) + floor(q / 0.7)',
    'floor(-q / 3)', 'floor(7 - q)', 'floor(q) * 100 + floor(0.7 - q)', 'floor(f) * 100 + floor(f - 0.3)', 'floor(-f / 3) + 0', 'ceil(2.5 - f)::int', 'floor(4 * q)', 'round(-q)', 'abs(round(3 - q))', 'q::numeric(5, -1)', 'q::numeric(4, 1)', 'round((-q)::numeric(5, 1))',
    'floor(sqrt(big))', 'round(sqrt(big))', 'ceil(ln(big + 1))', 'floor(sqrt(abs(q)))', 'round(f * f)', 'floor(q * k)', 'floor(sqrt(q::numeric(8, 2) + 30)) + 1',
    'extract(months FROM day)', 'extract(mons FROM at)', 'extract(YEARS FROM day)', 'extract(qtr FROM day)', 'extract(days FROM at)', 'date_part(''hours'', at)', 'date_trunc(''months'', at)', 'date_trunc(''weeks'', day)',
    'extract(months FROM day + hours)', 'extract(day FROM hours + day)']) WITH ORDINALITY AS u (q, i),
    both_answers(format('SELECT r::text FROM (SELECT %s, count(*) FROM stay GROUP BY 1 HAVING count(*) > 0 ORDER BY 1) AS r', q), plans => '{custom}') ORDER BY i;
SELECT q, abs(plain::numeric - private::numeric) < .01 AS same, CASE WHEN private !~ '^ *-?[0-9.e]*$' THEN left(private, 150) END FROM unnest(ARRAY[
    'avg(dp_bucket(q, 3.0))', 'sum(dp_bucket(k, 2))', 'sum(extract(day FROM date_bin(''5 days'', at, timestamp ''2024-01-01'')))',
    'avg(q / nullif(k, 0))', 'avg(q / nullif(low, 0))', 'sum(f / nullif(k, 0))', 'avg(1.0 / nullif(k * k, 0))',
    'avg(extract(months FROM day))', 'sum(extract(minutes FROM at))', 'count(*) FILTER (WHERE day + hours < ''2024-03-01 12:00'')', 'count(*) FILTER (WHERE date_trunc(''mons'', at) = ''2024-01-01'')']) WITH ORDINALITY AS u (q, i),
    both_answers(format('SELECT %s FROM stay', q), plans => '{custom}') ORDER BY i;
-- The ends: of a divisor on both sides of 0, and on one.
SELECT min((q + 30) / nullif(k, 0)), min(q / nullif(k, 0)), max(q / nullif(k, 0)), min((q + 30) / nullif(low, 0)), max((q + 30) / nullif(low, 0)), min(dp_bucket(k, 2)), max(dp_bucket(k, 2)) FROM stay;
-- A divisor that may be near 0 has no bounds.
SELECT left(private, 60) FROM unnest('{q / nullif(f\, 0),q / nullif(k\, 1)}'::text[]) q, both_answers(format('SELECT stddev(DISTINCT %s) FROM stay', q), plans => '{custom}');
-- How two columns go together: what is written instead is answered.
SELECT abs((SELECT covar_pop(f, k) FROM plain) - (avg(f * k) - avg(f) * avg(k))) < .001 AS covariance, abs((SELECT corr(f, k) FROM plain) - (avg(f * k) - avg(f) * avg(k)) / (stddev_pop(f) * stddev_pop(k))) < .001 AS correlation,
    abs((SELECT regr_slope(f, k) FROM plain) - (avg(f * k) - avg(f) * avg(k)) / var_pop(k)) < .001 AS slope FROM stay;
-- real / real is no div(), which cuts to a whole number: it changes within the width of the divisor, and its ends are no whole numbers.
RESET ROLE;
CREATE TABLE single AS SELECT i AS id, (i % 97 / 4.0)::real AS m FROM generate_series(1, 500) i;
CREATE TABLE plain_single AS TABLE single;
GRANT SELECT ON plain_single TO regress_cut_ana;
SELECT dp.protect('single', 1e9, answer_epsilon => 1e6), dp.grant_budget('single', 'regress_cut_ana', 1e9, allow_leaks => true), dp.declare_range('single', 'm', 0, 24);
SET ROLE regress_cut_ana;
SELECT m / 7::real, count(*) FROM single GROUP BY 1;
SELECT abs(max(m / 7::real) - 24 / 7.0) < .001 AS upper_end, abs(avg(m / 7::real) - (SELECT avg(m / 7::real) FROM plain_single)) < .001 AS average FROM single;

RESET ROLE;
SELECT dp.unprotect('stay'), dp.unprotect('single');
DROP OWNED BY regress_cut_ana;
DROP ROLE regress_cut_ana;
