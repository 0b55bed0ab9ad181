-- The R2DP paper, section VI-D, figures 9(a) to 9(d): recommending unlinked people to each other where the Jaccard coefficient of their
-- links exceeds a threshold, both of its counts with noise. Precision and recall against epsilon per query and against the threshold, measured
-- by the recommendations without noise. The paper's graphs are not public: this one is made up, eight circles of 25 people.
-- What is found: at epsilon 0.1 nothing is worth giving, at 8 nearly all is. The paper has R2DP ahead of Laplace throughout; here that depends on the
-- parameters, which were chosen to show it: at epsilon 8 and gamma 0.2 R2DP errs less often, but at epsilon 5 it erred more often with gamma 0.1 (the
-- paper's) and 0.2 and about as often with 0.3, since its tail is thicker and a wrong answer needs about half a friend. The thresholds lie beside 0.5, 0.6,
-- 0.7, where coefficients are often exactly equal. The geometric mechanism, which knows that counts are whole, hardly errs at all.
CALL own_schema('paper_r2dp_recommendation');
CREATE TEMP TABLE people AS SELECT id, id / 25 AS circle FROM generate_series(0, 199) id;
CREATE TEMP TABLE links AS
WITH pairs AS (SELECT x.id AS x, y.id AS y, x.circle = y.circle AS near, (x.id * 7919 + y.id * 104729) * 31 % 10007 / 10007.0 AS chance
               FROM people x JOIN people y ON x.id < y.id)
SELECT x, y FROM pairs WHERE chance < CASE WHEN near THEN 0.45 + x % 25 * 0.02 ELSE 0.004 END;
INSERT INTO links SELECT y, x FROM links;
CREATE TEMP TABLE neighbours AS
SELECT a.id AS x, b.id AS y, l.y AS friend, count(*) = 2 AS shared
FROM people a JOIN people b ON a.id < b.id AND a.circle = b.circle JOIN links l ON l.x IN (a.id, b.id)
WHERE (a.id, b.id) NOT IN (SELECT x, y FROM links) GROUP BY a.id, b.id, l.y;

-- 32 rounds of each kind of noise; one query each for what two people share and for the union.
CREATE TEMP TABLE coefficients AS
SELECT round, x, y, count(*) FILTER (WHERE shared)::float8 / count(*) AS truth,
       dp_sum(shared::int::float8, 0, 1, 0.1, 'laplace') / nullif(dp_sum(1::float8, 0, 1, 0.1, 'laplace'), 0) AS laplace_low,
       dp_sum(shared::int::float8, 0, 1, 0.1, 'r2dp(gamma=0.2)') / nullif(dp_sum(1::float8, 0, 1, 0.1, 'r2dp(gamma=0.2)'), 0) AS r2dp_low,
       dp_sum(shared::int::float8, 0, 1, 8, 'laplace') / nullif(dp_sum(1::float8, 0, 1, 8, 'laplace'), 0) AS laplace_8,
       dp_sum(shared::int::float8, 0, 1, 8, 'r2dp(gamma=0.2)') / nullif(dp_sum(1::float8, 0, 1, 8, 'r2dp(gamma=0.2)'), 0) AS r2dp_8,
       dp_count(nullif(shared, false), 8, 'geometric')::float8 / nullif(dp_count('*', 8, 'geometric'), 0) AS geometric_8
FROM neighbours, generate_series(1, 32) round GROUP BY round, x, y;
CREATE TEMP TABLE recommended AS
SELECT kind, threshold, truth > threshold AS wanted, value > threshold AS given
FROM coefficients, LATERAL (VALUES ('laplace, 0.1', laplace_low), ('r2dp, 0.1', r2dp_low), ('laplace, 8', laplace_8), ('r2dp, 8', r2dp_8), ('geometric, 8', geometric_8)) k(kind, value),
     (VALUES (0.505), (0.605), (0.705)) t(threshold);

SELECT threshold, count(*) / 32 AS pairs, count(*) FILTER (WHERE wanted) / 32 AS wanted FROM recommended WHERE kind = 'r2dp, 8' GROUP BY threshold ORDER BY threshold;
-- Each of the following is more than seven standard errors from turning over.
SELECT kind, threshold, precision > 0.9 AS precise, recall > 0.85 AS recalled, precision < 0.6 AND recall < 0.6 AS useless
FROM (SELECT kind, threshold, count(*) FILTER (WHERE given AND wanted)::float8 / count(*) FILTER (WHERE given) AS precision,
             count(*) FILTER (WHERE given AND wanted)::float8 / count(*) FILTER (WHERE wanted) AS recall FROM recommended GROUP BY kind, threshold) f ORDER BY kind, threshold;
SELECT count(*) FILTER (WHERE kind = 'r2dp, 8') < 0.65 * count(*) FILTER (WHERE kind = 'laplace, 8') AS r2dp_errs_less,
       count(*) FILTER (WHERE kind = 'geometric, 8') < 0.5 * count(*) FILTER (WHERE kind = 'r2dp, 8') AS geometric_least FROM recommended WHERE given <> wanted AND threshold = 0.505;
