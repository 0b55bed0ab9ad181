-- The paper on generalised Gaussian noise, section 4, figures 6 to 9: the mildew and the Czech contingency tables released whole, 64 cells each, empty ones
-- included, with Laplace noise, Gaussian noise of probabilistic and of approximate privacy, and (mildew) generalised Gaussian noise of order 3.
-- The l1 distance and the Kullback-Leibler divergence from the original, after counts are cut to 0 ... n and scaled to add up to n. What the paper finds
-- and this repeats: Laplace is nearest, probabilistic Gaussian and order 3 follow, the classic approximate formula is worst, and less privacy is nearer.
CALL own_schema('paper_gg_tables');
\set ON_ERROR_STOP on
\getenv folder PG_ABS_SRCDIR
\set mildew :folder '/test/data/mildew.csv'
\set czech :folder '/test/data/czech.csv'
CREATE TEMP TABLE cells (name text, a text, b text, c text, d text, e text, f text, freq int);
ALTER TABLE cells ALTER name SET DEFAULT 'mildew';
\set copy '\\copy cells (a, b, c, d, e, f, freq) FROM ' :'mildew' ' (FORMAT csv, HEADER)'
:copy
ALTER TABLE cells ALTER name SET DEFAULT 'czech';
\set copy '\\copy cells (a, b, c, d, e, f, freq) FROM ' :'czech' ' (FORMAT csv, HEADER)'
:copy
-- One row for each person or strand, its cell as a number from 1 to 64.
CREATE TEMP TABLE units AS
SELECT name, cell FROM (SELECT *, row_number() OVER (PARTITION BY name ORDER BY a, b, c, d, e, f)::int AS cell FROM cells) n, generate_series(1, freq);
CREATE TEMP TABLE originals AS SELECT name, sum(freq) AS n, array_agg(freq::bigint ORDER BY a, b, c, d, e, f) AS truths FROM cells GROUP BY name;
SELECT name, n, cardinality(truths) AS cells, (SELECT count(*) FROM unnest(truths) t WHERE t > 0) AS occupied FROM originals ORDER BY name;

-- Each table some hundred times with each kind of noise (500 in the paper); delta is 0.01, and 0.1 where the name says so.
CREATE TEMP TABLE releases AS
SELECT name, round, dp_histogram(cell, 0.5, 64.5, 64, 0.5, 'laplace') AS laplace_05, dp_histogram(cell, 0.5, 64.5, 64, 1, 'laplace') AS laplace_1, dp_histogram(cell, 0.5, 64.5, 64, 2, 'laplace') AS laplace_2,
       dp_histogram(cell, 0.5, 64.5, 64, 0.5, 'gaussian(delta=0.01, definition=probabilistic)') AS probabilistic_05, dp_histogram(cell, 0.5, 64.5, 64, 1, 'gaussian(delta=0.01, definition=probabilistic)') AS probabilistic_1,
       dp_histogram(cell, 0.5, 64.5, 64, 2, 'gaussian(delta=0.01, definition=probabilistic)') AS probabilistic_2,
       dp_histogram(cell, 0.5, 64.5, 64, 0.5, 'gaussian(delta=0.01, definition=classic)') AS classic_05, dp_histogram(cell, 0.5, 64.5, 64, 1, 'gaussian(delta=0.01, definition=classic)') AS classic_1,
       dp_histogram(cell, 0.5, 64.5, 64, 1, 'gaussian(delta=0.01)') AS approximate_1, dp_histogram(cell, 0.5, 64.5, 64, 1, 'gg(p=3, delta=0.01)') AS order3_1,
       dp_histogram(cell, 0.5, 64.5, 64, 1, 'gaussian(delta=0.1, definition=probabilistic)') AS probabilistic_1_01, dp_histogram(cell, 0.5, 64.5, 64, 1, 'geometric') AS geometric_1
FROM units, generate_series(1, CASE name WHEN 'mildew' THEN 400 ELSE 100 END) round GROUP BY name, round;
CREATE TEMP TABLE sanitized AS
SELECT name, round, mechanism || ' ' || epsilon AS kind, truth, n, noisy, least(greatest(noisy, 0), n) * n::float8 / total AS fitted
FROM releases JOIN originals USING (name)
CROSS JOIN LATERAL (VALUES ('laplace', 0.5, laplace_05), ('laplace', 1, laplace_1), ('laplace', 2, laplace_2), ('probabilistic', 0.5, probabilistic_05), ('probabilistic', 1, probabilistic_1),
    ('probabilistic', 2, probabilistic_2), ('classic', 0.5, classic_05), ('classic', 1, classic_1), ('approximate', 1, approximate_1), ('order 3', 1, order3_1),
    ('probabilistic, 0.1', 1, probabilistic_1_01), ('geometric', 1, geometric_1)) k(mechanism, epsilon, counts)
CROSS JOIN LATERAL (SELECT sum(least(greatest(count, 0), n)) AS total FROM unnest(counts) count) t CROSS JOIN LATERAL unnest(counts, truths) u(noisy, truth);

-- The noise is what dp_describe says: the mean of all cells within seven standard errors.
SELECT name, k.mechanism, abs(avg(abs(noisy - truth)) - max(expected_abs_error)) < 7 * sqrt((max(expected_sq_error) - max(expected_abs_error) ^ 2) / count(*)) AS as_described
FROM (VALUES ('laplace 1', 'laplace'), ('probabilistic 1', 'gaussian(delta=0.01, definition=probabilistic)'), ('classic 1', 'gaussian(delta=0.01, definition=classic)'),
       ('approximate 1', 'gaussian(delta=0.01)'), ('order 3 1', 'gg(p=3, delta=0.01)'), ('geometric 1', 'geometric')) k(kind, mechanism)
JOIN sanitized USING (kind) CROSS JOIN LATERAL dp_describe(k.mechanism::dp_mechanism, 1, 1, true) d GROUP BY name, k.mechanism ORDER BY name, k.mechanism;

-- Distances per round; KL with half a person more in each cell, so that none is empty.
CREATE TEMP TABLE distances AS
SELECT name, kind, round, sum(abs(fitted - truth)) AS l1, sum((truth + 0.5) / (n + 32.0) * ln((truth + 0.5) / (fitted + 0.5))) AS kl FROM sanitized GROUP BY name, kind, round;
CREATE TEMP TABLE means AS SELECT name, kind, avg(l1) AS l1, stddev(l1) / sqrt(count(*)) AS l1_error, avg(kl) AS kl, stddev(kl) / sqrt(count(*)) AS kl_error FROM distances GROUP BY name, kind;
-- The order of the figures, each step seven standard errors wide or more: epsilon, delta, the mechanisms. The scale that is exact for approximate privacy
-- (the default) does what the classic formula does not: it needs less than the probabilistic one.
SELECT a.name, a.kind AS nearer, b.kind AS than, a.l1 < b.l1 AS l1, a.kl < b.kl AS kl
FROM (VALUES (1, 'laplace 2', 'laplace 1'), (2, 'laplace 1', 'laplace 0.5'), (3, 'probabilistic 2', 'probabilistic 1'), (4, 'probabilistic 1', 'probabilistic 0.5'), (5, 'probabilistic, 0.1 1', 'probabilistic 1'),
    (6, 'laplace 1', 'probabilistic 1'), (7, 'laplace 1', 'order 3 1'), (8, 'probabilistic 1', 'classic 1'), (9, 'probabilistic 0.5', 'classic 0.5'), (10, 'approximate 1', 'probabilistic 1')) o(i, near, far)
JOIN means a ON a.kind = near JOIN means b ON b.kind = far AND b.name = a.name ORDER BY i, a.name;
-- Beyond the paper: for whole numbers the geometric mechanism, which needs no rounding, is nearer still.
SELECT mechanism, round(expected_abs_error::numeric, 4) AS expected_abs_error
FROM (VALUES ('geometric'), ('laplace'), ('gaussian(delta=0.01)'), ('gaussian(delta=0.01, definition=probabilistic)'), ('gaussian(delta=0.01, definition=classic)'), ('gg(p=3, delta=0.01)')) m(asked),
     LATERAL dp_describe(asked::dp_mechanism, 1, 1, true);
