-- dp_describe agrees with independently computed values (to 1e-6 relative; test/unit/describe_test.cpp has more of them).
SELECT asked, whole, d.mechanism, d.epsilon, d.delta, round(d.scale::numeric, 6) AS scale, round(d.expected_abs_error::numeric, 6) AS abs,
       round(d.expected_sq_error::numeric, 6) AS sq, round(d.entropy_bits::numeric, 6) AS bits, round(d.interval95::numeric, 4) AS interval95
FROM (VALUES ('laplace', 1, 1, false), ('laplace', 1, 1, true), ('geometric', 1, 1, true), ('geometric', 0.1, 10, true),
             ('staircase', 1, 1, false), ('staircase(metric=l2)', 1, 1, false), ('staircase', 1, 10, true),
             ('staircase(metric=l2)', 3, 10, true), ('gaussian(delta=1e-5)', 1, 1, false), ('gaussian(delta=1e-5)', 1, 1, true),
             ('gaussian(delta=1e-6)', 0.1, 1, true), ('auto', 1, 1, true), ('auto', 1, 1, false), ('auto', 3, 4, true)
     ) v(asked, e, s, whole), LATERAL dp_describe(asked::dp_mechanism, e, s, whole) d;

SELECT expected_abs_error FROM dp_describe('laplace', 0.5, 100);
SELECT expected_abs_error FROM dp_describe('laplace', 0.5, 100, "integer" => false);
SELECT dp_describe('laplace', NULL, 1) IS NULL AS null;

SELECT dp_describe('laplace', 0, 1);
SELECT dp_describe('laplace', 1, 0);
SELECT dp_describe('laplace', 1, 'NaN');
SELECT dp_describe('geometric', 1, 2.5, true);
