-- dp_privacy_loss: what is lost, from the probabilities of the law that is sampled.
SELECT mechanism, round(dp_privacy_loss(mechanism::dp_mechanism, 1, 10)::numeric, 6) AS one
FROM (VALUES ('geometric'), ('laplace'), ('staircase'), ('staircase(metric=usefulness, gamma=3)'), ('rounded_geometric(step=5)'),
    ('gaussian(delta=1e-4)'), ('truncated_gg(p=3, lower=0, upper=40)'), ('bit_gg(p=2, lower=0, upper=40)'), ('r2dp(metric=l1)')) v(mechanism);
SELECT round(dp_privacy_loss('geometric', 0.5)::numeric, 6) AS one, round(dp_privacy_loss('geometric', 0.5, ARRAY[3, 4])::numeric, 6) AS pair,
       round(dp_privacy_loss('staircase', 0.5, ARRAY[3, 3])::numeric, 6) AS split, dp_privacy_loss('gaussian(delta=1e-3)', 2, ARRAY[1, 1]) < 2 AS joint;

-- Rounded geometric noise in an aggregate: the answer is a multiple of the step.
SELECT dp_count('*', 1e6, 'rounded_geometric(step=1)') FROM visits;
SELECT dp_sum(age, 0, 100, 1e6, 'rounded_geometric(step=50)') % 50 AS rest, dp_sum(age, 0, 100, 1e6, 'rounded_geometric(step=50)') - sum(clamp(age, 0, 100)) BETWEEN -25 AND 25 AS near
FROM visits;

SELECT dp_privacy_loss('geometric', 1, 0);
SELECT dp_privacy_loss('geometric', 1, 2.5);
SELECT dp_privacy_loss('geometric', 1, ARRAY[1, -1]);
SELECT dp_privacy_loss('truncated_gg(p=2, lower=0, upper=10000)', 1, 1);
SELECT dp_privacy_loss('exponential', 1, 1);
SELECT dp_privacy_loss('laplace', 1, array_fill(1::float8, ARRAY[1000]));
SELECT dp_privacy_loss('bit_gg(p=2, lower=0, upper=1000)', 1e-9, 1);
-- Wide ranges are calibrated as well as narrow ones; figures that cannot be computed are errors, not NaN, and nothing hangs.
SELECT e, round((dp_describe('bit_gg(p=1, lower=0, upper=1e9)', e, 1, true)).expected_abs_error::numeric, 6) AS bit_gg FROM unnest(ARRAY[1.0, 20, 1e6]) e;
SELECT e, round(expected_abs_error::numeric, 3) AS bit_gg, round(entropy_bits::numeric, 6) AS bits, interval95 FROM unnest(ARRAY[1.0, 20, 1000]) e, dp_describe('bit_gg(p=2, lower=0, upper=1e9)', e, 1, true);
SELECT e, round(scale::numeric, 6) AS scale, dp_usefulness('bit_gg(p=1, lower=0, upper=1e9)', e, 5e8) AS within FROM unnest(ARRAY[1.0, 20, 1000]) e, dp_describe('bit_gg(p=1, lower=0, upper=1e9)', e, 1);
SELECT dp_count('*', 1e6, 'bit_gg(p=1, lower=-1e9, upper=1e9)') FROM visits;
SELECT dp_describe('truncated_gg(p=2, lower=0, upper=1e9)', 1, 1e-300);
SELECT dp_collusion_error('gg(p=16, delta=1e-18)', 1e-9, 2, 1, true) > 0 AS wide, dp_collusion_error('truncated_gg(p=3, lower=0, upper=100)', 1e6, 2, 1, true) < 1e-12 AS none;
SELECT dp_sum(age, 0, 100, 1, 'rounded_geometric(step=30)') FROM visits;
SELECT 'rounded_geometric'::dp_mechanism;
SELECT 'rounded_geometric(step=0)'::dp_mechanism;
SELECT 'staircase(metric=usefulness)'::dp_mechanism;
SELECT 'staircase(gamma=2)'::dp_mechanism;
