-- The guided tour of tools/demo: each step a sentence, the statement, and the private answer beside the true one.
\set ON_ERROR_STOP off
\pset null '(null)'
\pset footer off
\set VERBOSITY default
\set SHOW_CONTEXT never

\echo '1. Count. dp_count(''*'', 0.5) is count(*) plus noise that hides any single visit at epsilon 0.5.'
\echo '   The noise has the same size for every ward, so big groups lose nothing; look at transplants, the smallest.'
\echo
\set ECHO queries
SELECT ward, dp_count('*', 0.5) AS private, count(*) AS true
FROM visits GROUP BY ward ORDER BY ward;
\set ECHO none

\echo '2. Average. Bounds come first: ages are cut to 0 .. 110, so that one visit can only change so much.'
\echo '   That also repairs the ages of 999 typed in by mistake. Visits without an age are passed over, as avg does.'
\echo
\set ECHO queries
SELECT ward,
       round(dp_avg(age, 0, 110, 0.5)::numeric, 2) AS private,
       round(avg(least(greatest(age, 0), 110)) FILTER (WHERE age IS NOT NULL), 2) AS true_in_bounds,
       round(avg(age), 2) AS true_as_typed
FROM visits GROUP BY ward ORDER BY ward;
\set ECHO none

\echo '3. Sum. The upper bound is a choice: a low one cuts off real bills, a high one needs more noise.'
\echo '   At 50,000 hardly a bill is cut, and the total is off by about 50,000 / epsilon.'
\echo
\set ECHO queries
SELECT dp_sum(cost, 0, 50000, 0.5) AS private,
       sum(least(cost, 50000)) FILTER (WHERE cost IS NOT NULL) AS true_in_bounds,
       sum(cost) AS true_as_typed
FROM visits;
\set ECHO none

\echo '4. Histogram of numbers: 11 buckets of ten years, for the price of one count: a visit lies in one bucket only.'
\echo
\set ECHO queries
SELECT dp_histogram(age, 0, 110, 11, 0.5) AS private,
       (SELECT array_agg(visits ORDER BY bucket)
        FROM (SELECT bucket, count(age) AS visits
              FROM generate_series(1, 11) AS bucket
                   LEFT JOIN visits ON width_bucket(age, 0, 110, 11) = bucket
              GROUP BY bucket) AS t) AS true
FROM visits;
\set ECHO none

\echo '5. Histogram of categories, answered in the order in which they are listed.'
\echo
\set ECHO queries
SELECT dp_histogram(ward, ARRAY['emergency', 'oncology', 'transplants'], 0.5) AS private,
       ARRAY[count(*) FILTER (WHERE ward = 'emergency'), count(*) FILTER (WHERE ward = 'oncology'),
             count(*) FILTER (WHERE ward = 'transplants')] AS true
FROM visits;
\set ECHO none

\echo '6. Spread. dp_variance and dp_stddev follow PostgreSQL''s variance and stddev, within the bounds.'
\echo
\set ECHO queries
SELECT round(dp_variance(age, 0, 110, 0.5)::numeric, 1) AS private_variance,
       round(variance(least(greatest(age, 0), 110)), 1) AS true_variance,
       round(dp_stddev(age, 0, 110, 0.5)::numeric, 2) AS private_stddev,
       round(stddev(least(greatest(age, 0), 110)), 2) AS true_stddev
FROM visits WHERE age IS NOT NULL;
\set ECHO none

\echo '7. Median, quantile, most frequent ward. One of the possible answers is chosen, the better ones more often: ages in'
\echo '   whole years, costs on a grid of 4,000 steps. A few typing errors do not move a median.'
\echo
\set ECHO queries
SELECT dp_median(age, 0, 110, 0.5) AS private_median,
       percentile_disc(0.5) WITHIN GROUP (ORDER BY age) AS true_median,
       dp_quantile(cost, 0.9, 0, 50000, 0.5) AS private_decile,
       percentile_disc(0.9) WITHIN GROUP (ORDER BY cost) AS true_decile,
       dp_mode(ward, ARRAY['emergency', 'oncology', 'pediatrics'], 0.5) AS private_mode
FROM visits;
\set ECHO none

\echo '8. What epsilon does: the same question at 0.01, 0.1 and 1. Ten times the epsilon, a tenth of the error,'
\echo '   and a weaker promise to the people in the table.'
\echo
\set ECHO queries
SELECT dp_count('*', 0.01) AS at_0_01, dp_count('*', 0.1) AS at_0_1, dp_count('*', 1) AS at_1, count(*) AS true
FROM visits WHERE ward = 'pediatrics';
\set ECHO none

\echo '9. What an answer would be worth, before asking it: dp_describe reads no data. interval95 is the half width that'
\echo '   holds the noise 19 times out of 20; for a count the sensitivity is 1 and the answer a whole number.'
\echo
\set ECHO queries
SELECT d.epsilon, d.mechanism, round(d.expected_abs_error::numeric, 3) AS expected_abs_error, d.interval95
FROM unnest(ARRAY[0.01, 0.1, 1]) AS e, dp_describe('auto', e, 1, true) AS d;
\set ECHO none

\echo '10. The other way round: how much epsilon does a count need that is to be within 20 in 95 of 100 answers?'
\echo '   (integer is a word of SQL: quote it.) And what does an answer of 27,033 at epsilon 0.5 say?'
\echo
\set ECHO queries
SELECT dp_epsilon_for('auto', 20, 0.95, whole => true) AS epsilon, i.lower, i.upper
FROM dp_interval(27033, 'auto', 0.5, confidence => 0.95) AS i;
\set ECHO none

\echo '11. Choosing the noise. A mechanism is a word in the last place; without one the best pure one is taken.'
\echo '   gaussian also spends a delta. Its noise has thinner tails.'
\echo
\set ECHO queries
SELECT dp_count('*', 0.5) AS auto,
       dp_count('*', 0.5, 'laplace') AS laplace,
       dp_count('*', 0.5, 'staircase') AS staircase,
       dp_count('*', 0.5, 'gaussian(delta=1e-6)') AS gaussian,
       count(*) AS true
FROM visits WHERE ward = 'oncology';
\set ECHO none

\echo '12. Which noise is best depends on the question. For one sum of bills at epsilon 4 the staircase has about half the error'
\echo '   of laplace; within_10000 is the probability of being off by 10,000 at most.'
\echo
\set ECHO queries
SELECT d.mechanism, round(d.expected_abs_error) AS expected_abs_error,
       round(dp_usefulness(m, 4, 10000, 50000)::numeric, 2) AS within_10000
FROM unnest(ARRAY['laplace', 'staircase', 'staircase(metric=usefulness, gamma=10000)', 'r2dp(gamma=10000)']::dp_mechanism[]) AS m,
     dp_describe(m, 4, 50000) AS d;
\set ECHO none

\echo '13. Is it true? dp_privacy_loss works out what is lost from the probabilities of the noise that is drawn; it must not be'
\echo '   above the 0.5 that was asked for (beyond the last digits). The last column: two numbers that one row changes together.'
\echo
\set ECHO queries
SELECT m AS mechanism, round(dp_privacy_loss(m, 0.5)::numeric, 9) AS one_number,
       round(dp_privacy_loss(m, 0.5, ARRAY[1, 3])::numeric, 9) AS two_numbers
FROM unnest(ARRAY['geometric', 'laplace', 'staircase', 'r2dp(metric=l1)']::dp_mechanism[]) AS m;
\set ECHO none

\echo '14. DISTINCT and FILTER are PostgreSQL''s own. Note what is hidden: a visit, not a patient with many visits'
\echo '   (step 22 hides patients).'
\echo
\set ECHO queries
SELECT dp_count(DISTINCT patient_id, 0.5) AS private_patients,
       count(DISTINCT patient_id) AS true_patients,
       dp_count('*', 0.5) FILTER (WHERE days > 14) AS private_long_stays,
       count(*) FILTER (WHERE days > 14) AS true_long_stays
FROM visits WHERE admitted >= date '2024-01-01';
\set ECHO none

\echo '15. A wrong call is refused before any row is read, and the hint says what to write instead.'
\echo
\set ECHO queries
SELECT dp_count('*', 0) FROM visits;
SELECT dp_avg(age, 0, 110, days) FROM visits;
SELECT dp_sum(cost, 50000, 0, 0.5) FROM visits;
SELECT dp_count('*', 0.5, 'gauss') FROM visits;
\set ECHO none
