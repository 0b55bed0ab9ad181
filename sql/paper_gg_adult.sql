-- The paper on generalised Gaussian noise, section 4, figures 10 to 12: the cells of the table of all attributes of Adult that hold anybody, sanitized with Laplace
-- and Gaussian noise. Figures 10, 11: distances from the original, in the order Laplace, probabilistic, classic. Figure 12: a classifier trained on the
-- sanitized table does about as well as one trained on the original, whatever the noise (there a support vector machine, here naive Bayes). The paper warns, and
-- so does the README: which cells there are is itself no private answer.
CALL own_schema('paper_gg_adult');
\set ON_ERROR_STOP on
\getenv folder PG_ABS_SRCDIR
\set adult :folder '/test/support/adult.sql'
\i :adult
DELETE FROM adult WHERE workclass IS NULL OR occupation IS NULL OR native_country IS NULL;
ANALYZE adult;
SELECT split, count(*) AS completers FROM adult GROUP BY split ORDER BY split;
CREATE TEMP TABLE cells AS
SELECT age, workclass, education, marital_status, occupation, relationship, race, sex, capital_gain, capital_loss, hours_per_week, native_country, income, count(*) AS truth,
       dp_count('*', 0.5, 'laplace') AS laplace_05, dp_count('*', 1, 'laplace') AS laplace_1, dp_count('*', 2, 'laplace') AS laplace_2,
       dp_count('*', 0.5, 'gaussian(delta=0.01, definition=probabilistic)') AS probabilistic_05, dp_count('*', 1, 'gaussian(delta=0.01, definition=probabilistic)') AS probabilistic_1,
       dp_count('*', 2, 'gaussian(delta=0.01, definition=probabilistic)') AS probabilistic_2,
       dp_count('*', 0.5, 'gaussian(delta=0.01, definition=classic)') AS classic_05, dp_count('*', 1, 'gaussian(delta=0.01, definition=classic)') AS classic_1
FROM adult WHERE split = 'train' GROUP BY age, workclass, education, marital_status, occupation, relationship, race, sex, capital_gain, capital_loss, hours_per_week, native_country, income;
CREATE TEMP TABLE sanitized AS
SELECT kind, c.*, count AS noisy, least(greatest(count, 0), 30162) AS weight
FROM cells c, LATERAL (VALUES ('laplace 0.5', laplace_05), ('laplace 1', laplace_1), ('laplace 2', laplace_2), ('probabilistic 0.5', probabilistic_05), ('probabilistic 1', probabilistic_1),
    ('probabilistic 2', probabilistic_2), ('classic 0.5', classic_05), ('classic 1', classic_1), ('none', truth)) k(kind, count);

-- Figures 10 and 11: the mean distance of a cell, within seven standard errors of what dp_describe says, and the order, each step ten wide or more.
CREATE TEMP TABLE distances AS SELECT kind, avg(abs(noisy - truth)) AS l1, count(*) AS n FROM sanitized GROUP BY kind;
SELECT kind, n, abs(l1 - expected_abs_error) < 7 * sqrt((expected_sq_error - expected_abs_error ^ 2) / n) AS as_described
FROM (VALUES ('laplace 1', 'laplace'), ('probabilistic 1', 'gaussian(delta=0.01, definition=probabilistic)'), ('classic 1', 'gaussian(delta=0.01, definition=classic)')) k(kind, asked)
JOIN distances USING (kind) CROSS JOIN LATERAL dp_describe(asked::dp_mechanism, 1, 1, true) ORDER BY kind;
SELECT array_agg(kind ORDER BY l1) AS nearest_first FROM distances WHERE kind IN ('none', 'laplace 1', 'probabilistic 1', 'classic 1');
SELECT array_agg(kind ORDER BY l1) AS nearest_first FROM distances WHERE kind LIKE 'laplace%';
SELECT array_agg(kind ORDER BY l1) AS nearest_first FROM distances WHERE kind LIKE 'probabilistic%';

-- Figure 12.
CREATE TEMP TABLE logs AS
SELECT kind, attribute, value, ln(greatest(sum(weight) FILTER (WHERE income = '>50K'), 0.5)) - ln(greatest(sum(weight) FILTER (WHERE income = '<=50K'), 0.5)) AS odds
FROM sanitized, LATERAL (VALUES ('', ''), ('age', (age / 5)::text), ('education', education), ('marital', marital_status), ('occupation', occupation),
    ('sex', sex), ('gain', (capital_gain > 5000)::text), ('hours', (hours_per_week / 10)::int::text)) f(attribute, value) GROUP BY kind, attribute, value;
ANALYZE logs;
CREATE TEMP TABLE accuracies AS
SELECT kind, avg((rich = (income = '>50K'))::int)::float8 AS accuracy FROM (
    SELECT kind, id, income, sum(odds) - 6 * max(prior) > 0 AS rich
    FROM adult, LATERAL (VALUES ('age', (age / 5)::text), ('education', education), ('marital', marital_status), ('occupation', occupation),
        ('sex', sex), ('gain', (capital_gain > 5000)::text), ('hours', (hours_per_week / 10)::int::text)) f(attribute, value)
    JOIN logs USING (attribute, value) JOIN (SELECT kind, odds AS prior FROM logs WHERE attribute = '') p USING (kind)
    WHERE split = 'test' AND id % 4 = 0 GROUP BY kind, id, income) p GROUP BY kind;
-- Eight standard deviations of the noise; the paper finds differences of up to one part in a hundred.
SELECT kind, round(accuracy::numeric, 4) AS accuracy FROM accuracies WHERE kind = 'none';
SELECT kind, abs(accuracy - (SELECT accuracy FROM accuracies WHERE kind = 'none')) < 0.012 AS as_without_noise FROM accuracies ORDER BY kind;
DROP TABLE adult;
