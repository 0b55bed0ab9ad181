-- Planning functions against independently computed values (test/unit/planning_*_test.cpp has more of them), and wrong input.
SET extra_float_digits = 0;
SELECT round(dp_usefulness('laplace', 5, 0.1)::numeric, 6) AS laplace, round(dp_usefulness('geometric', 1, 2, "integer" => true)::numeric, 6) AS geometric,
       round(dp_usefulness('staircase', 1, 0.5)::numeric, 6) AS staircase, round(dp_usefulness('gaussian(delta=1e-5)', 3, 1)::numeric, 6) AS gaussian;

SELECT dp_epsilon_for('laplace', 10, 0.95) AS laplace, dp_epsilon_for('geometric', 10, 0.95, 1, true) AS geometric,
       dp_usefulness('geometric', dp_epsilon_for('geometric', 10, 0.95), 10) >= 0.95 AS enough,
       dp_usefulness('geometric', dp_epsilon_for('geometric', 10, 0.95) - 1e-9, 10) < 0.95 AS least;

-- The type of the answer decides: whole numbers, or numbers between which noise of any size fits.
SELECT * FROM dp_interval(1000::bigint, 'geometric', 1);
SELECT *, pg_typeof(lower) FROM dp_interval(1000, 'laplace', 1, 0.99, 10);
SELECT round(lower::numeric, 6) AS lower, round(upper::numeric, 6) AS upper, pg_typeof(lower) FROM dp_interval(2.5::float8, 'laplace', 1, sensitivity => 3);
SELECT round(lower, 6) AS lower, round(upper, 6) AS upper FROM dp_interval(12345678901234567890.5, 'laplace', 1);
SELECT * FROM dp_interval(12345678901234567890, 'auto', 1, "integer" => true);
SELECT * FROM dp_interval(9223372036854775800, 'geometric', 1);
SELECT dp_interval(NULL::bigint, 'geometric', 1) IS NULL AS null;

SELECT k, round(dp_collusion_error('laplace', 1, k)::numeric, 6) AS laplace, round(dp_collusion_error('staircase', 1, k)::numeric, 6) AS staircase,
       round(dp_collusion_error('geometric', 1, k, "integer" => true)::numeric, 6) AS geometric
FROM (VALUES (1), (25)) v(k);

SELECT epsilon, round(expected_error::numeric, 6) AS error, round(entropy_bits::numeric, 6) AS bits, round(phi::numeric, 6) AS phi, one_minus_ne
FROM dp_tradeoff('laplace', 0.5, 2, 4, 2);
SELECT epsilon, round(expected_error::numeric, 6) AS error, round(phi::numeric, 6) AS phi FROM dp_tradeoff('geometric', 0.1, 0.1, 1, t => 0.1, "integer" => true);
SELECT epsilon, round(expected_error::numeric, 6) AS error, round(entropy_bits::numeric, 6) AS bits, phi, round(one_minus_ne::numeric, 6) AS one_minus_ne
FROM dp_tradeoff_exponential('{0,1,2,3,4}', 1, 2, 2);
SELECT shares, epsilon, round(expected_error::numeric, 6) AS error, round(entropy_bits::numeric, 6) AS bits, phi, round(one_minus_ne::numeric, 6) AS one_minus_ne
FROM (VALUES ('{0.7,0.3}'::float8[]), ('{0.1,0.2,0.3,0.4}')) v(shares), dp_tradeoff_response(shares, 1, 1, 1);
SELECT count(*), min(epsilon), max(epsilon) FROM dp_tradeoff('laplace', 0.001, 10, 100000);
SELECT count(*) FROM dp_tradeoff('laplace', NULL, 10, 5);

-- The best reading of a geometric count in 0..5 whose prior is binomial with p = 0.3.
CREATE TEMP TABLE prior AS SELECT ARRAY[0.16807, 0.36015, 0.3087, 0.1323, 0.02835, 0.00243]::float8[] AS p;
SELECT loss, round(dp_remap_loss(1, p, loss)::numeric, 6) AS least, (SELECT array_agg(dp_remap(y, 1, p, loss) ORDER BY y) FROM generate_series(-1, 6) y) AS readings,
       round(dp_remap_minimax_loss(1, 5, loss)::numeric, 6) AS minimax
FROM prior, (VALUES ('abs'), ('sq'), ('bin')) v(loss);
SELECT loss, round(dp_remap_loss(0.1, array_fill(1.0 / 10001, ARRAY[10001])::float8[], loss)::numeric, 6) AS largest FROM (VALUES ('abs'), ('sq'), ('bin')) v(loss);
SELECT answer, reading, round(probability::numeric, 6) AS probability FROM dp_remap_minimax_table(1, 3);
-- Every draw is one of the readings of its table, and each of them comes up.
SELECT y, array_agg(DISTINCT r ORDER BY r) AS drawn FROM generate_series(-1, 4) y, LATERAL (SELECT dp_remap_minimax(y, 1, 3) AS r FROM generate_series(1, 200 + 0 * y)) d GROUP BY y ORDER BY y;
-- The solution that is kept for the next row is that of the same question.
SELECT array_agg(dp_remap_minimax(n, 30, n) ORDER BY n) AS drawn FROM generate_series(0, 9) n;

SELECT dp_usefulness('laplace', 1, -1);
SELECT dp_usefulness('laplace', 1, 'NaN');
SELECT dp_usefulness('laplace', 1, 1, 0);
SELECT dp_usefulness('geometric', 1, 1, 2.5, true);
SELECT dp_epsilon_for('laplace', 0, 0.9);
SELECT dp_epsilon_for('laplace', 'Infinity', 0.9);
SELECT dp_epsilon_for('laplace', 1, 1);
SELECT dp_interval(5, 'geometric', 1, 0);
SELECT dp_interval(5.5, 'laplace', 1, 'NaN');
SELECT dp_interval(5, 'geometric', -1);
SELECT dp_interval(9223372036854775807, 'geometric', 1);
SELECT dp_collusion_error('laplace', 1, 0);
SELECT dp_collusion_error('laplace', 1, 1000001);
SELECT dp_tradeoff('laplace', 2, 1, 5);
SELECT dp_tradeoff('laplace', 1, 2, 0);
SELECT dp_tradeoff('laplace', 1, 2, 100001);
SELECT dp_tradeoff('laplace', 1, 2, 5, t => 'Infinity');
SELECT dp_tradeoff_exponential('{}', 1, 2, 5);
SELECT dp_tradeoff_exponential('{1,NULL}', 1, 2, 5);
SELECT dp_tradeoff_exponential('{{1,2},{3,4}}', 1, 2, 5);
SELECT dp_tradeoff_exponential('{1,NaN}', 1, 2, 5);
SELECT dp_tradeoff_response('{0.5,0.4}', 1, 2, 5);
SELECT dp_tradeoff_response('{1.5,-0.5}', 1, 2, 5);
SELECT dp_remap(1, 1, '{0.5,0.4}');
SELECT dp_remap(1, 1, '{}');
SELECT dp_remap(1, 1, array_fill(1.0 / 10002, ARRAY[10002])::float8[]);
SELECT dp_remap(1, 1, '{1}', 'l1');
SELECT dp_remap_loss('NaN', '{1}');
SELECT dp_remap_minimax(1, 1, 101);
SELECT dp_remap_minimax_loss(1, -1);
\set VERBOSITY sqlstate
SELECT dp_remap_minimax_table(1, 5, 'none');
SELECT dp_epsilon_for('laplace', 0, 0.9);

-- Beyond what can be computed is an error, not a strange number.
SELECT dp_collusion_error('geometric', 1e-9, 3, 1e300);
SELECT dp_interval('Infinity'::float8, 'laplace', 1);
SELECT dp_usefulness('gg(p=16, delta=1e-18)', 1e-9, 1e100, 1, true);
SELECT dp_describe('truncated_gg(p=1, lower=0, upper=1e300)', 1e-9, 1e300);
