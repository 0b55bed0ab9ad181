-- The R2DP paper, section VI-C, figures 7(a) and 7(b): a naive Bayes classifier of income in Adult whose counts have noise.
-- Precision and recall against epsilon per query: with much noise useless, with little like the classifier without noise, and R2DP's counts are near
-- more often than Laplace's. Trained on the first 1,000 people so that noise matters (with 32,561 of them it hardly does), tested on 1,000 others.
-- The nearer counts of R2DP do not show in the classifier: at epsilon 5 both kinds of noise leave it as it is. Its own figures are not the paper's.
CALL own_schema('paper_r2dp_naive_bayes');
\set ON_ERROR_STOP on
\getenv folder PG_ABS_SRCDIR
\set adult :folder '/test/support/adult.sql'
\i :adult
CREATE VIEW pg_temp.facts AS
SELECT id, split, income, attribute, value FROM adult, LATERAL (VALUES ('age', (age / 10)::text), ('workclass', workclass), ('education', education),
       ('marital', marital_status), ('occupation', occupation), ('relationship', relationship), ('sex', sex), ('gain', (capital_gain > 5000)::text),
       ('hours', (hours_per_week / 10)::int::text)) f(attribute, value) WHERE value IS NOT NULL;
CREATE TEMP TABLE training AS SELECT * FROM pg_temp.facts WHERE split = 'train' AND id <= 1000;
CREATE TEMP TABLE testing AS SELECT * FROM pg_temp.facts WHERE split = 'test' AND id <= (SELECT min(id) + 999 FROM adult WHERE split = 'test');

-- Every count of an attribute's value among the people of a class, asked twenty times with each kind of noise, at epsilon 5 and at 0.01.
CREATE TEMP TABLE counts AS
SELECT round, attribute, value, income, count(*) AS truth,
       dp_sum(1::float8, 0, 1, 0.01, 'laplace') AS laplace_low, dp_sum(1::float8, 0, 1, 0.01, 'r2dp(gamma=0.1)') AS r2dp_low,
       dp_sum(1::float8, 0, 1, 5, 'laplace') AS laplace_5, dp_sum(1::float8, 0, 1, 5, 'r2dp(gamma=0.1)') AS r2dp_5, dp_count('*', 5, 'geometric') AS geometric_5
FROM training, generate_series(1, 20) round GROUP BY round, attribute, value, income;

-- Seven standard errors.
SELECT count(*) > 2000 AS enough,
       abs(avg((abs(laplace_5 - truth) <= 0.1)::int) - dp_usefulness('laplace', 5, 0.1)) < 7 * 0.5 / sqrt(count(*)) AS laplace,
       abs(avg((abs(r2dp_5 - truth) <= 0.1)::int) - dp_usefulness('r2dp(gamma=0.1)', 5, 0.1)) < 7 * 0.5 / sqrt(count(*)) AS r2dp,
       avg((abs(r2dp_5 - truth) <= 0.1)::int) > 1.3 * avg((abs(laplace_5 - truth) <= 0.1)::int) AS r2dp_over_laplace FROM counts;

-- The classifier from any of these columns: products of shares, none below half a person.
CREATE TEMP TABLE models AS
SELECT round, kind, attribute, value, income, greatest(n, 0.5) AS n FROM counts,
       LATERAL (VALUES ('none', truth::float8), ('laplace_low', laplace_low), ('r2dp_low', r2dp_low), ('laplace_5', laplace_5), ('r2dp_5', r2dp_5), ('geometric_5', geometric_5)) k(kind, n);
CREATE TEMP TABLE logs AS
SELECT round, kind, attribute, value, ln(coalesce(sum(n) FILTER (WHERE income = '>50K'), 0.5) / max(rich)) - ln(coalesce(sum(n) FILTER (WHERE income = '<=50K'), 0.5) / max(poor)) AS odds,
       ln(max(rich) / max(poor)) AS prior
FROM (SELECT *, sum(n) FILTER (WHERE income = '>50K') OVER w AS rich, sum(n) FILTER (WHERE income = '<=50K') OVER w AS poor FROM models WINDOW w AS (PARTITION BY round, kind, attribute)) m
GROUP BY round, kind, attribute, value;
ANALYZE testing;
ANALYZE logs;
CREATE TEMP TABLE figures AS
SELECT round, kind, count(*) FILTER (WHERE rich AND income = '>50K')::float8 / nullif(count(*) FILTER (WHERE rich), 0) AS precision,
       count(*) FILTER (WHERE rich AND income = '>50K')::float8 / count(*) FILTER (WHERE income = '>50K') AS recall, avg((rich = (income = '>50K'))::int)::float8 AS accuracy
FROM (SELECT round, kind, id, income, avg(prior) + sum(odds) > 0 AS rich FROM testing JOIN logs USING (attribute, value) GROUP BY round, kind, id, income) p GROUP BY round, kind;
SELECT round(precision::numeric, 3) AS precision, round(recall::numeric, 3) AS recall, round(accuracy::numeric, 3) AS accuracy FROM figures WHERE kind = 'none' AND round = 1;
-- The ends of the figure, averages of twenty trainings; each bound more than six standard errors away.
SELECT kind, CASE WHEN avg(recall) < 0.72 THEN 'useless' WHEN avg(accuracy) BETWEEN 0.775 AND 0.795 THEN 'as without noise' ELSE 'between' END AS classifier FROM figures GROUP BY kind ORDER BY kind;
DROP VIEW pg_temp.facts;
DROP TABLE adult;
