-- Responses that relax, and reports of bits: dp_relax_response, dp_unary_report, dp_bloom_report, and what is estimated from them.
CALL own_schema('answer_reports');
-- Whether so many of n trials succeed as do with probability p: seven standard errors, so false in less than one run of 1e11.
CREATE FUNCTION fits(successes bigint, n bigint, p float8) RETURNS boolean LANGUAGE sql RETURN abs(successes - n * p) <= 7 * sqrt(n * p * (1 - p)) + 1e-6;

-- 60,000 people of four answers, whose responses are made more accurate twice: e^eps = 2, 4, 10.
CREATE TABLE survey AS
SELECT i AS id, chr(97 + i % 4) AS truth, dp_randomized_response(chr(97 + i % 4), ARRAY['a', 'b', 'c', 'd'], ln(2)) AS first FROM generate_series(1, 60000) i;
ALTER TABLE survey ADD second text, ADD third text;
UPDATE survey SET second = dp_relax_response(truth, first, ARRAY['a', 'b', 'c', 'd'], ln(2), ln(4));
UPDATE survey SET third = dp_relax_response(truth, second, ARRAY['a', 'b', 'c', 'd'], ln(4), ln(10));
-- Each level has the law of its epsilon.
SELECT fits(count(*) FILTER (WHERE first = truth), count(*), 2.0 / 5) AS first, fits(count(*) FILTER (WHERE second = truth), count(*), 4.0 / 7) AS second,
       fits(count(*) FILTER (WHERE third = truth), count(*), 10.0 / 13) AS third FROM survey;
-- The first is post-processing of the second, whatever the truth is: c of them are the same.
WITH law AS (SELECT 1 / (1 + 3 * (4 - 2) / (2 * 4 + 2 * 2 - 3.0)) AS c)
SELECT second = truth AS truthful, fits(count(*) FILTER (WHERE first = second), count(*), max(c)) AS stays FROM survey, law GROUP BY 1 ORDER BY 1;
WITH law AS (SELECT 1 / (1 + 3 * (10 - 4) / (4 * 10 + 2 * 4 - 3.0)) AS c)
SELECT third = truth AS truthful, second = first AS stayed, fits(count(*) FILTER (WHERE second = third), count(*), max(c)) AS stays FROM survey, law GROUP BY 1, 2 ORDER BY 1, 2;
-- Estimates get better; each within six standard errors of 15,000.
SELECT level, bool_and(abs(estimate - 15000) < 6 * standard_error) AS estimate, abs(max(standard_error) / (ARRAY[520, 224, 111])[level] - 1) < 0.05 AS error
FROM (SELECT 1 AS level, (unnest(dp_rr_histogram(first, ARRAY['a', 'b', 'c', 'd'], ln(2)))).* FROM survey
      UNION ALL SELECT 2, (unnest(dp_rr_histogram(second, ARRAY['a', 'b', 'c', 'd'], ln(4)))).* FROM survey
      UNION ALL SELECT 3, (unnest(dp_rr_histogram(third, ARRAY['a', 'b', 'c', 'd'], ln(10)))).* FROM survey) e GROUP BY level ORDER BY level;
-- To a large epsilon all tell the truth; NULL and what is not listed relax towards the first category; types as for the first response.
SELECT count(*) FILTER (WHERE dp_relax_response(truth, first, ARRAY['a', 'b', 'c', 'd'], ln(2), 1e6) <> truth) AS lies FROM survey;
SELECT dp_relax_response(NULL, 'no', ARRAY['unknown', 'yes', 'no'], 1, 1e6) AS "null", dp_relax_response('maybe', 'no', ARRAY['unknown', 'yes', 'no'], 1, 1e6) AS unlisted,
       dp_relax_response(2, 1, ARRAY[1, 2]::int8[], 1, 1e6) AS "int8", pg_typeof(dp_relax_response(true, false, ARRAY[true, false], 1, 2)) AS bool,
       dp_relax_response(true_value => 'b', response => 'a', categories => ARRAY['a', 'b'], eps1 => 1, eps2 => 1e6) AS named;

-- A bit for each category: e^(eps/2) = 3, so each is as it is truly with 3/4.
ALTER TABLE survey ADD report varbit, ADD finer varbit;
UPDATE survey SET report = dp_unary_report(truth, ARRAY['a', 'b', 'c', 'd', 'e'], 2 * ln(3));
UPDATE survey SET finer = dp_relax_unary_report(truth, report, ARRAY['a', 'b', 'c', 'd', 'e'], 2 * ln(3), 2 * ln(9));
SELECT n, fits(sum(get_bit(report, n))::bigint, sum((n = ascii(truth) - 97)::int), 0.75) AS set, fits(sum(get_bit(finer, n))::bigint, sum((n = ascii(truth) - 97)::int), 0.9) AS finer,
       fits(sum((get_bit(report, n) = get_bit(finer, n))::int)::bigint, count(*), 1 / (1 + (9 - 3) / (3 * 9 - 1.0))) AS stays
FROM survey, generate_series(0, 4) n WHERE truth = chr(97 + n) GROUP BY n ORDER BY n;
SELECT n, fits(sum(get_bit(report, n))::bigint, count(*), 0.25) AS unset, fits(sum(get_bit(finer, n))::bigint, count(*), 0.1) AS finer,
       fits(sum((get_bit(report, n) = get_bit(finer, n))::int)::bigint, count(*), 1 / (1 + (9 - 3) / (3 * 9 - 1.0))) AS stays
FROM survey, generate_series(0, 4) n WHERE truth <> chr(97 + n) GROUP BY n ORDER BY n;
SELECT category, abs(estimate - CASE category WHEN 'e' THEN 0 ELSE 15000 END) < 6 * standard_error AS estimate, round(standard_error, 4) AS error
FROM (SELECT category, estimate, standard_error::numeric FROM unnest((SELECT dp_unary_histogram(report, ARRAY['a', 'b', 'c', 'd', 'e'], 2 * ln(3)) FROM survey))) e;
SELECT bool_and(abs(estimate - 15000) < 6 * standard_error) AS estimate, round(max(standard_error)::numeric, 1) AS error
FROM unnest((SELECT dp_unary_histogram(finer, ARRAY['a', 'b', 'c', 'd', 'e'], 2 * ln(9)) FROM survey)) WHERE category <> 'e';
SELECT dp_unary_report('b', ARRAY['a', 'b', 'c'], 1e6) AS second, dp_unary_report(NULL, ARRAY['a', 'b', 'c'], 1e6) AS none, dp_unary_report('x', ARRAY['a', 'b', 'c'], 1e6) AS unlisted,
       dp_unary_report(9, ARRAY[1, 2, 3, 4, 5, 6, 7, 8, 9], 1e6) AS ninth, dp_relax_unary_report('c', B'110', ARRAY['a', 'b', 'c'], 1, 1e6) AS relaxed;

-- 95 of 100 intervals of 1.96 standard errors hold the truth: of 2,000 surveys of 400 people, seven standard deviations.
SELECT kind, count(*), fits(count(*) FILTER (WHERE abs(estimate - truth) <= 1.96 * standard_error), count(*), 0.95) AS covered
FROM (SELECT i / 400 AS survey, 80 AS truth, dp_rr_histogram(dp_randomized_response(CASE WHEN i % 5 = 0 THEN 'yes' ELSE 'no' END, ARRAY['no', 'yes', 'other'], 2), ARRAY['no', 'yes', 'other'], 2) AS response,
             dp_unary_histogram(dp_unary_report(CASE WHEN i % 5 = 0 THEN 'yes' ELSE 'no' END, ARRAY['no', 'yes', 'other'], 2), ARRAY['no', 'yes', 'other'], 2) AS report
      FROM generate_series(0, 799999) i GROUP BY i / 400) s, LATERAL (VALUES ('responses', response[2]), ('reports', report[2])) k(kind, e), LATERAL (SELECT (e).estimate, (e).standard_error) f
GROUP BY kind ORDER BY kind;

-- Texts that nobody can list beforehand. Three frequent drugs, and 500 that are taken by 20 people each.
CREATE TABLE drugs AS
SELECT i AS id, CASE WHEN i % 6 < 2 THEN 'aspirin' WHEN i % 6 < 3 THEN 'heparin' WHEN i % 6 < 5 THEN 'other ' || i % 500 END AS drug FROM generate_series(1, 60000) i;
ALTER TABLE drugs ADD report varbit, ADD finer varbit;
UPDATE drugs SET report = dp_bloom_report(drug, 64, 2, 4);
UPDATE drugs SET finer = dp_relax_bloom_report(drug, report, 2, 4, 8);
-- 20,000, 10,000 and none; the bits of the others are spread over all, and what they set beyond that counts for someone.
SELECT eps, category, abs(estimate - truth) < 6 * standard_error + 1500 AS estimate, round(standard_error::numeric, -1) AS error
FROM (SELECT 4 AS eps, dp_bloom_histogram(report, ARRAY['aspirin', 'heparin', 'insulin'], 64, 2, 4) AS e FROM drugs
      UNION ALL SELECT 8, dp_bloom_histogram(finer, ARRAY['aspirin', 'heparin', 'insulin'], 64, 2, 8) FROM drugs) d, unnest(e),
     (VALUES ('aspirin', 20000), ('heparin', 10000), ('insulin', 0)) t(name, truth) WHERE name = category ORDER BY 1, 2;
SELECT dp_bloom_report('influenza', 64, 2, 1e6) AS two, dp_bloom_report(NULL, 8, 2, 1e6) AS none, length(dp_bloom_report('x', 100, 3, 1)) AS bits,
       dp_relax_bloom_report('influenza', repeat('1', 64)::varbit, 2, 1, 1e6) = dp_bloom_report('influenza', 64, 2, 1e6) AS relaxed;
-- Without randomisation, and nobody but the candidates: exact.
SELECT category, round(estimate) AS estimate, standard_error < 1e-6 AS certain
FROM unnest((SELECT dp_bloom_histogram(dp_bloom_report(drug, 64, 2, 1e6), ARRAY['aspirin', 'insulin', 'heparin'], 64, 2, 1e6) FROM drugs WHERE drug IS NULL OR drug !~ 'other'));
SELECT dp_unary_histogram(report, ARRAY['a', 'b'], 2 * ln(2)), dp_bloom_histogram(report, ARRAY['a'], 2, 1, 2 * ln(2)) FROM (VALUES (NULL::varbit)) none(report);
-- In parallel plans the same numbers.
SET max_parallel_workers_per_gather = 2; SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
ANALYZE survey;
EXPLAIN (COSTS OFF) SELECT dp_unary_histogram(report, ARRAY['a', 'b', 'c', 'd', 'e'], 2 * ln(3)) FROM survey;
CREATE TEMP TABLE seen AS SELECT dp_unary_histogram(report, ARRAY['a', 'b', 'c', 'd', 'e'], 2 * ln(3)) AS e FROM survey;
SET max_parallel_workers_per_gather = 0;
SELECT e = (SELECT dp_unary_histogram(report, ARRAY['a', 'b', 'c', 'd', 'e'], 2 * ln(3)) FROM survey) AS same FROM seen;
RESET ALL; SET search_path = answer_reports, public;

-- Every call draws again; one expression with several parameters.
SELECT count(DISTINCT dp_relax_response('a', 'b', ARRAY['a', 'b'], 0.1, 0.2)) AS responses, count(DISTINCT dp_unary_report('a', ARRAY['a', 'b'], 0.1)) AS reports,
       count(DISTINCT dp_bloom_report('a', 4, 1, 0.1)) > 10 AS filters FROM generate_series(1, 500);
SELECT proname, provolatile, proparallel, proisstrict FROM pg_proc WHERE proname ~ '^dp_(relax_response|.*_report)$' ORDER BY proname;
DO $$
BEGIN
    FOR i IN 1 .. 200 LOOP
        IF dp_relax_response('b' || i % 5, 'a' || i % 7, ARRAY['a' || i % 7, 'b' || i % 5], 1, 1e5 + i) <> 'b' || i % 5 THEN RAISE 'kept the list of another call'; END IF;
        IF length(dp_bloom_report('x', 10 + i, 1 + i % 3, 1e5)) <> 10 + i THEN RAISE 'kept the bits of another call'; END IF;
    END LOOP;
END
$$;

-- Wrong parameters.
SELECT dp_relax_response('a', 'b', ARRAY['a', 'b'], 2, 1);
SELECT dp_relax_response('a', 'b', ARRAY['a', 'b'], 1, 1);
SELECT dp_relax_response('a', 'b', ARRAY['a', 'b'], 0, 1);
SELECT dp_relax_response('a', 'b', ARRAY['a', 'b'], 1, 1e7);
SELECT dp_relax_response('a', 'b', ARRAY['a', 'b'], 1, NULL);
SELECT dp_relax_response('a', 'b', ARRAY['a', 'b'], NULL, 1);
SELECT dp_relax_response('a', 'b', NULL::text[], 1, 2);
SELECT dp_relax_response('a', NULL, ARRAY['a', 'b'], 1, 2);
SELECT dp_relax_response('a', 'c', ARRAY['a', 'b'], 1, 2);
SELECT dp_relax_response('a', 'b', ARRAY['a'], 1, 2);
SELECT dp_relax_response('a', 'b', ARRAY['a', 'b', 'a'], 1, 2);
SELECT dp_relax_response(truth, first, ARRAY['a', 'b', 'c', 'd'], 1, CASE truth WHEN 'a' THEN 1e6 ELSE 2 END) FROM survey;
SELECT dp_relax_response(truth, first, ARRAY[truth, 'zz'], 1, 2) FROM survey;
SELECT dp_unary_report('a', ARRAY['a'], 1);
SELECT dp_unary_report('a', ARRAY['a', 'b'], 0);
SELECT array_agg(i) AS listed FROM generate_series(1, 16385) i \gset
SELECT dp_unary_report(1, :'listed'::int[], 1);
SELECT dp_unary_report(truth, ARRAY['a', truth], 1) FROM survey;
SELECT dp_relax_unary_report('a', NULL, ARRAY['a', 'b'], 1, 2);
SELECT dp_relax_unary_report('a', B'101', ARRAY['a', 'b'], 1, 2);
SELECT dp_relax_unary_report('a', B'10', ARRAY['a', 'b'], 2, 1);
SELECT dp_bloom_report('a', 64, 0, 1);
SELECT dp_bloom_report('a', 64, 65, 1);
SELECT dp_bloom_report('a', 2, 2, 1);
SELECT dp_bloom_report('a', 20000, 2, 1);
SELECT dp_bloom_report('a', NULL, 2, 1);
SELECT dp_bloom_report('a', 64, NULL, 1);
SELECT dp_bloom_report('a', 64, 2, NULL);
SELECT dp_bloom_report('a', 64, 2, -1);
SELECT dp_bloom_report(truth, 64, length(truth), 1) FROM survey;
SELECT dp_bloom_report(truth, ascii(truth), 2, 1) FROM survey;
SELECT dp_relax_bloom_report('a', NULL, 2, 1, 2);
SELECT dp_relax_bloom_report('a', B'01', 2, 1, 2);
SELECT dp_relax_bloom_report('a', B'0100', 2, 2, 1);
SELECT dp_unary_histogram(report, ARRAY['a', 'b'], 1) FROM survey;
SELECT dp_unary_histogram(report, ARRAY['a'], 1) FROM survey;
SELECT dp_unary_histogram(report, ARRAY['a', 'b', 'c', 'd', 'e'], 0) FROM survey;
SELECT dp_unary_histogram(report, ARRAY['a', truth], 1) FROM survey;
SELECT dp_bloom_histogram(report, ARRAY['a'], 32, 2, 1) FROM drugs;
SELECT dp_bloom_histogram(report, ARRAY['a', 'a'], 64, 2, 1) FROM drugs;
SELECT dp_bloom_histogram(report, ARRAY['a', NULL], 64, 2, 1) FROM drugs;
SELECT dp_bloom_histogram(report, ARRAY[]::text[], 64, 2, 1) FROM drugs;
SELECT dp_bloom_histogram(report, ARRAY['a', 'b', 'c'], 3, 1, 1) FROM drugs;
SELECT dp_bloom_histogram(report, NULL, 64, 2, 1) FROM drugs;
SELECT dp_bloom_histogram(report, ARRAY['a'], 64, 2, NULL) FROM drugs;

-- Over a protected table they are the exact numbers in disguise.
SET client_min_messages = warning;
CREATE ROLE regress_reports;
GRANT USAGE ON SCHEMA answer_reports TO regress_reports;
\o /dev/null
SELECT dp.protect('survey', 10);
SELECT dp.grant_budget('survey', 'regress_reports', 5, allow_leaks => true);
\o
SET ROLE regress_reports;
SELECT dp_unary_histogram(report, ARRAY['a', 'b', 'c', 'd', 'e'], 1) FROM survey;
SELECT dp_bloom_histogram(report, ARRAY['a', 'b'], 5, 1, 1) FROM survey;
SELECT dp_count(dp_relax_response(truth, first, ARRAY['a', 'b', 'c', 'd'], 1, 2), 1) FROM survey;
SELECT dp_count(dp_unary_report(truth, ARRAY['a', 'b', 'c', 'd'], 1), 1) FROM survey;
RESET ROLE;
DROP TABLE survey, drugs;
DROP OWNED BY regress_reports;
DROP ROLE regress_reports;

-- The same code under other signatures.
CREATE FUNCTION forged_relax(text, text, int8[], float8, float8) RETURNS text LANGUAGE c AS '$libdir/pg_dp', 'dp_relax_response';
SELECT forged_relax('a', 'b', '{1,2}', 1, 2);
CREATE FUNCTION forged_short(text, text, text[]) RETURNS text LANGUAGE c AS '$libdir/pg_dp', 'dp_relax_response';
SELECT forged_short('a', 'b', '{a,b}');
CREATE FUNCTION forged_bits(text, text, text[], float8, float8) RETURNS text LANGUAGE c AS '$libdir/pg_dp', 'dp_relax_unary_report';
SELECT forged_bits('a', 'b', '{a,b}', 1, 2);
CREATE FUNCTION forged_report(text, text[], float8) RETURNS text LANGUAGE c AS '$libdir/pg_dp', 'dp_unary_report';
SELECT forged_report('a', '{a,b}', 1);
CREATE FUNCTION forged_bloom(int8, int8, int4, float8) RETURNS varbit LANGUAGE c AS '$libdir/pg_dp', 'dp_bloom_report';
SELECT forged_bloom(1, 64, 2, 1);
CREATE FUNCTION forged_finer(text, text, int4, float8, float8) RETURNS varbit LANGUAGE c AS '$libdir/pg_dp', 'dp_relax_bloom_report';
SELECT forged_finer('a', 'b', 2, 1, 2);
CREATE AGGREGATE forged_reports(text, text[], float8) (SFUNC = dp_internal.dp_unary_add, STYPE = internal, FINALFUNC = dp_internal.dp_unary_answer);
DROP FUNCTION forged_relax, forged_short, forged_bits, forged_report, forged_bloom, forged_finer CASCADE;
