-- The R2DP paper, section VI-C, figures 7(a) and 7(b): a naive Bayes classifier of income in Adult whose counts have noise, trained on
-- 45,000 people and tested on the other 3,842, with twelve attributes. Precision and recall against epsilon per query: with much noise
-- useless, from epsilon 0.1 on (where the paper's figures begin) like the classifier without noise, for either kind of noise. R2DP's counts are near
-- more often than Laplace's, but that cannot show in the classifier: the paper's "far better" is not found (docs/experiments.md).
CALL own_schema('paper_r2dp_naive_bayes');
\set ON_ERROR_STOP on
\getenv folder PG_ABS_SRCDIR
\set adult :folder '/test/support/adult.sql'
\i :adult
\set bayes :folder '/test/support/bayes.sql'
\i :bayes

-- Every count of an attribute's value among the people of a class, asked twice with each kind of noise.
CREATE TEMP TABLE counts AS
SELECT round, attribute, value, rich, count(*) AS truth,
       dp_sum(1::float8, 0, 1, 0.0001, 'laplace') AS laplace_low, dp_sum(1::float8, 0, 1, 0.0001, 'r2dp(gamma=0.1)') AS r2dp_low,
       dp_sum(1::float8, 0, 1, 5, 'laplace') AS laplace_5, dp_sum(1::float8, 0, 1, 5, 'r2dp(gamma=0.1)') AS r2dp_5, dp_count('*', 5, 'geometric') AS geometric_5,
       ARRAY[dp_sum(1::float8, 0, 1, 5.000001, 'laplace'), dp_sum(1::float8, 0, 1, 5.000002, 'laplace'), dp_sum(1::float8, 0, 1, 5.000003, 'laplace')] AS more_laplace,
       ARRAY[dp_sum(1::float8, 0, 1, 5.000001, 'r2dp(gamma=0.1)'), dp_sum(1::float8, 0, 1, 5.000002, 'r2dp(gamma=0.1)'), dp_sum(1::float8, 0, 1, 5.000003, 'r2dp(gamma=0.1)')] AS more_r2dp
FROM facts, generate_series(1, 2) round WHERE training GROUP BY round, attribute, value, rich;

-- Of four draws of each, seven standard errors.
SELECT count(*) > 2400 AS enough,
       abs(avg((abs(l - truth) <= 0.1)::int) - dp_usefulness('laplace', 5, 0.1)) < 7 * 0.5 / sqrt(count(*)) AS laplace,
       abs(avg((abs(r - truth) <= 0.1)::int) - dp_usefulness('r2dp(gamma=0.1)', 5, 0.1)) < 7 * 0.5 / sqrt(count(*)) AS r2dp,
       avg((abs(r - truth) <= 0.1)::int) > 1.3 * avg((abs(l - truth) <= 0.1)::int) AS r2dp_over_laplace
FROM counts, unnest(more_laplace || laplace_5, more_r2dp || r2dp_5) u(l, r);

CREATE TEMP TABLE models AS
SELECT round, 0::numeric AS e, kind, attribute, value, rich, n FROM counts,
       LATERAL (VALUES ('none', truth::float8), ('laplace_low', laplace_low), ('r2dp_low', r2dp_low), ('laplace_5', laplace_5), ('r2dp_5', r2dp_5), ('geometric_5', geometric_5)) k(kind, n)
WHERE kind <> 'none' OR round = 1;
CREATE TEMP TABLE figures AS SELECT * FROM pg_temp.classified('models');
SELECT round(precise::numeric, 3) AS precision, round(recalled::numeric, 3) AS recall FROM figures WHERE kind = 'none';
-- The ends of the figure, averages of two trainings, far more than six standard errors away.
SELECT kind, CASE WHEN avg(recalled) < 0.81 THEN 'useless' WHEN avg(recalled) BETWEEN 0.820 AND 0.828 AND avg(precise) BETWEEN 0.846 AND 0.854 THEN 'as without noise' ELSE 'between' END AS classifier
FROM figures GROUP BY kind ORDER BY kind;
DROP TABLE adult;
