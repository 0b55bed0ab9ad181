-- Gaussian noise without a delta: for accounts that count Rényi divergences. It costs what any answer of that epsilon does there, goes on to
-- other levels for the difference, and has no epsilon that could be added up.
SET client_min_messages = warning;
\set SHOW_CONTEXT never
CALL own_schema('accountant_gaussian');
CREATE ROLE regress_gauss_ana;
CREATE ROLE regress_gauss_bob;
CREATE TABLE stays (id int, ward text, days int);
INSERT INTO stays SELECT g, 'w' || g % 4, g % 20 FROM generate_series(1, 1000) g;
SELECT dp.protect('stays', 10, 2e-6, privacy_unit => 'id', max_rows_per_unit => 1, accountant => 'renyi', conversion_delta => 1e-6) \g /dev/null
SELECT dp.declare_values('stays', 'ward', 'w0', 'w1', 'w2', 'w3'), dp.declare_range('stays', 'days', 0, 20) \g /dev/null
SELECT dp.grant_budget('stays', role, 10, 2e-6, conversion_delta => 1e-6, allow_leaks => true) FROM unnest('{regress_gauss_ana, regress_gauss_bob}'::regrole[]) role \g /dev/null

-- The table of docs/accountants.md.
SELECT dp.answers_left('stays', $$dp_count('*', 0.1, 'gaussian')$$) AS gaussian, dp.answers_left('stays', $$dp_count('*', 0.0707, 'gaussian')$$) AS "as far off as laplace",
    dp.answers_left('stays', $$dp_count('*', 0.027528, 'gaussian')$$) AS "sigma 36.3";

-- Asked, made finer and coarser, shared. Each pays by the squares of epsilon.
SET ROLE regress_gauss_ana;
SELECT abs(dp_count('*', 0.1, 'gaussian') - 1000) < 100 AS near FROM stays;
SELECT dp_last_release() AS release \gset
SELECT aggregate, epsilon, abs((answer #>> '{}')::float8 - 1000) < 50 AS near FROM dp_relax_release(:release, 0.2);
SELECT aggregate, epsilon FROM dp_relax_release(:release, 0.05);
SELECT aggregate, epsilon FROM dp_relax_release(:release, 0.15);
RESET ROLE;
SELECT dp.share_release(:release, 'regress_gauss_bob', 0.1) \g /dev/null
SELECT role, kind, epsilon, losses, table_epsilon, table_losses FROM dp.ledger WHERE relation = 'stays'::regclass ORDER BY seq;
SELECT bool_and(dp.divergences(losses) = divergences) AS account, bool_and(coalesce(dp.divergences(nullif(table_losses, '')) = table_divergences, true)) AS "table",
    array_agg(DISTINCT cardinality(divergences)) AS numbers FROM dp.ledger_entry WHERE relation = 'stays'::regclass;
SELECT dp.divergences('gaussian 0.1 to 0.2 x 2, pure 0.1');
SELECT dp.divergences('gaussian 0.1 from 0.2');
SELECT dp_privacy_loss('gaussian', 0.1), dp_privacy_loss('gaussian', 0.1, ARRAY[1, 2]), round(dp_epsilon_for('gaussian', 19.6, 0.95)::numeric, 4) AS epsilon_for;

-- A finer level is near the coarser one, as one path has it, and not anew: the parts that both add have these variances.
CREATE TABLE nobody (id int, v int);
SELECT dp.protect('nobody', 100, 2e-6, privacy_unit => 'id', max_rows_per_unit => 1, accountant => 'renyi') \g /dev/null
SELECT dp_histogram(v, 0, 4000, 4000, 0.5, 'gaussian') IS NOT NULL AS asked FROM nobody;
SELECT dp_last_release() AS release \gset
SELECT count(*) FROM dp_relax_release(:release, 1);
SELECT count(*) FROM dp_relax_release(:release, 0.25);
CREATE TEMP TABLE drawn AS
    SELECT ordinality AS place, epsilon, value::float8 FROM (SELECT 1 AS epsilon UNION SELECT 0.5 UNION SELECT 0.25) levels,
        LATERAL dp_relax_release(:release, epsilon) released(group_key, aggregate, answer, of), jsonb_array_elements_text(answer) WITH ORDINALITY AS numbers (value);
-- Products of two levels have the variance of the finer one on average; of levels drawn anew none. 4,000 of each: 0.4 is six standard errors.
SELECT a.epsilon, b.epsilon AS with, round((avg(a.value * b.value) / (1 / greatest(a.epsilon, b.epsilon) ^ 2))::numeric, 1) BETWEEN 0.6 AND 1.4 AS as_one_path
    FROM drawn a JOIN drawn b USING (place) WHERE a.epsilon <= b.epsilon GROUP BY 1, 2 ORDER BY 1, 2;

-- Vectors, groups, limits that are chosen, the same question again.
SET ROLE regress_gauss_ana;
SET dp.mechanism = 'gaussian';
SET dp.epsilon = 0.3;
EXPLAIN (COSTS off) SELECT count(*), sum(days), avg(days), stddev(days) FROM stays;
SELECT ward, abs(count(*) - 250) < 60 OR ward IS NULL AS near, abs(avg(days) - 10) < 5 OR ward IS NULL AS mean, dp_error(count(*)) BETWEEN 5 AND 12 AS error FROM stays GROUP BY ward ORDER BY ward;
RESET dp.mechanism;
RESET ROLE;
SELECT losses FROM dp.ledger WHERE relation = 'stays'::regclass ORDER BY seq DESC LIMIT 1;
-- Numbers are shown to who asks for others of the same vector, but not by another law: that is charged in another way.
CREATE TABLE rows AS TABLE stays;
SELECT dp.protect('rows', 10, 2e-6, accountant => 'renyi', reuse => '1 day', share_answers => true) \g /dev/null
SELECT dp.declare_range('rows', 'days', 0, 20) \g /dev/null
SELECT dp.grant_budget('rows', 'regress_gauss_ana', 10, 2e-6, allow_leaks => true), dp.grant_budget('rows', 'regress_gauss_bob', 10, allow_leaks => true) \g /dev/null
SET ROLE regress_gauss_ana;
SET dp.epsilon = 0.3;
SET dp.mechanism = 'gaussian';
SELECT avg(days) IS NOT NULL AS asked FROM rows;
SELECT sum(days) IS NOT NULL AS shown FROM rows;
SET ROLE regress_gauss_bob;
SET dp.mechanism = 'laplace';
SELECT avg(days) IS NOT NULL AS asked FROM rows;
SELECT count(days) IS NOT NULL AS shown FROM rows;
SELECT avg(days) IS NOT NULL AS asked FROM rows WHERE ward = 'w1';
SET ROLE regress_gauss_ana;
SET dp.mechanism = 'gaussian';
SELECT sum(days) IS NOT NULL AS asked FROM rows WHERE ward = 'w1';
SET dp.mechanism = 'gaussian(delta=1e-9)';
SELECT avg(days) IS NOT NULL AS asked FROM rows WHERE ward = 'w2';
SET dp.mechanism = 'gg(p=1, delta=1e-9)';
SELECT sum(days) IS NOT NULL AS asked FROM rows WHERE ward = 'w2';
RESET dp.mechanism;
RESET ROLE;
SELECT role, kind, losses FROM dp.ledger WHERE relation = 'rows'::regclass AND kind <> 'reuse' ORDER BY seq;
SELECT dp.protect('stays', limits => 'auto', reuse => '1 day') \g /dev/null
SET ROLE regress_gauss_ana;
SET dp.mechanism = 'gaussian';
SELECT abs(count(*) - 1000) < 200 AS near FROM stays;
SELECT abs(count(*) - 1000) < 200 AS near FROM stays;
SET dp.epsilon = 0.4;
SELECT abs(count(*) - 1000) < 200 AS near FROM stays;
RESET dp.epsilon;
RESET dp.mechanism;
RESET ROLE;
SELECT kind, losses FROM dp.ledger WHERE relation = 'stays'::regclass ORDER BY seq DESC LIMIT 2;

-- By itself `auto` is gaussian where many numbers change together and as many fit as by adding up epsilon, and exponential for choices.
CREATE TABLE visits AS SELECT g AS id, 'w' || g % 8 AS ward, g % 20 AS days FROM generate_series(1, 100) g;
SELECT dp.protect('visits', 100, 2e-6, privacy_unit => 'id', max_groups_per_unit => 8, max_rows_per_group => 1, accountant => 'renyi') \g /dev/null
SELECT dp.declare_values('visits', 'ward', VARIADIC ARRAY(SELECT 'w' || g FROM generate_series(0, 7) g)) \g /dev/null
SELECT count(*) FROM (SELECT ward, dp_count('*', 0.1) FROM visits GROUP BY ward) g;
SELECT count(*) FROM (SELECT ward, dp_count('*', 0.1, 'laplace') FROM visits GROUP BY ward) g;
SELECT dp_count('*', 0.1) IS NOT NULL AS asked, dp_median(days, 0, 20, 0.1) IS NOT NULL, dp_quantile(days, 0.2, 0, 20, 0.1, 'permute_and_flip') IS NOT NULL FROM visits;
SELECT losses FROM dp.ledger WHERE relation = 'visits'::regclass ORDER BY seq;
-- Nor where fewer of it would fit than by adding up epsilon.
SELECT count(*) FROM (SELECT ward, dp_count('*', 3) FROM visits GROUP BY ward) g;
SELECT losses FROM dp.ledger WHERE relation = 'visits'::regclass ORDER BY seq DESC LIMIT 1;
SELECT dp_count('*', 20, 'gaussian') FROM visits;
-- Several quantiles are one choice after a number of rows; by permute_and_flip several choices, of a part of epsilon each.
SELECT dp_quantiles(days, ARRAY[0.25, 0.5, 0.75, 0.5], 0, 20, 0.1) IS NOT NULL AS asked, dp_quantiles(days, ARRAY[0.5], 0, 20, 0.3) IS NOT NULL,
    dp_quantiles(days, ARRAY[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9], 0, 20, 0.1, 'permute_and_flip') IS NOT NULL FROM visits;
SELECT epsilon, losses FROM dp.ledger WHERE relation = 'visits'::regclass ORDER BY seq DESC LIMIT 1;
SELECT dp.grant_budget('visits', 'regress_gauss_ana', 50, allow_leaks => true) \g /dev/null
SET ROLE regress_gauss_ana;
SELECT count(n) FROM (SELECT ward, dp_count('*', 0.1) AS n FROM visits GROUP BY ward) g;
RESET ROLE;
SELECT losses FROM dp.ledger WHERE relation = 'visits'::regclass ORDER BY seq DESC LIMIT 1;
SELECT dp.unprotect('visits') \g /dev/null
CREATE TABLE small AS TABLE visits;
SELECT dp.protect('small', 2.9, 2e-6, privacy_unit => 'id', max_groups_per_unit => 8, max_rows_per_group => 1, accountant => 'renyi') \g /dev/null
SELECT dp.declare_values('small', 'ward', VARIADIC ARRAY(SELECT 'w' || g FROM generate_series(0, 7) g)) \g /dev/null
SELECT count(*) FROM (SELECT ward, dp_count('*', 0.1), dp_median(days, 0, 20, 0.1) FROM small GROUP BY ward) g;
SELECT losses FROM dp.ledger WHERE relation = 'small'::regclass ORDER BY seq;

-- One such answer, and epsilon does not add up any more: 9 answers more would fit by the sum.
SELECT dp.protect('small', 1) \g /dev/null
SELECT dp.answers_left('small', $$dp_count('*', 0.1)$$);
SELECT dp_count('*', 0.01, 'gaussian') IS NOT NULL AS asked FROM small;
SELECT dp.answers_left('small', $$dp_count('*', 0.1)$$), epsilon_spent > 0.21 AS more_than_the_sum FROM dp.budgets WHERE relation = 'small'::regclass;

-- Where epsilon adds up there is none.
SELECT dp.protect('small', accountant => 'pure');
SELECT accountant FROM dp.budgets WHERE relation = 'small'::regclass;
CREATE TABLE next (id int, ward text, days int);
SELECT dp.protect('next', continues => 'small', accountant => 'pure');
SELECT dp.protect('next', continues => 'small') \g /dev/null
SELECT dp.answers_left('next', $$dp_count('*', 0.1)$$) AS continued;
CREATE TABLE other (id int, ward text, days int);
SELECT dp.protect('other', 10) \g /dev/null
SELECT dp_count('*', 0.1) IS NOT NULL AS asked FROM other;
SELECT dp.unprotect('next') \g /dev/null
SELECT dp.protect('next', continues => 'other');
CREATE TABLE plain (id int, days int);
SELECT dp.protect('plain', 10, 1e-6, privacy_unit => 'id', max_rows_per_unit => 1) \g /dev/null
SELECT dp_count('*', 0.1, 'gaussian') FROM plain;
SELECT dp.answers_left('plain', $$dp_count('*', 0.1, 'gaussian')$$);
SELECT dp.admissible($$SELECT dp_count('*', 0.1, 'gaussian') FROM plain$$);
SELECT dp.cost($$SELECT dp_count('*', 0.1, 'gaussian') FROM plain$$);
EXPLAIN SELECT dp_count('*', 0.1, 'gaussian') FROM plain;
SELECT dp_count('*', 0.1, 'gaussian(delta=1e-7)') IS NOT NULL AS asked FROM plain;
SELECT dp_count('*', 0.1, 'gaussian') FROM plain JOIN stays USING (id);
SET client_min_messages = error;
SELECT dp_count('*', 0.1) IS NOT NULL AS asked FROM plain JOIN stays USING (id);
SET client_min_messages = warning;
SELECT dp.grant_budget('stays', 'regress_gauss_bob', 10, 0, conversion_delta => -1) \g /dev/null
SET ROLE regress_gauss_bob;
SELECT dp_count('*', 0.1, 'gaussian') FROM stays;
RESET ROLE;
SELECT dp.protect('plain', answer_mechanism => 'gaussian') \g /dev/null
SELECT dp.grant_budget('stays', 'regress_gauss_bob', answer_mechanism => 'gaussian') \g /dev/null
SET dp.allow_drop = on;
DROP OWNED BY regress_gauss_ana, regress_gauss_bob;
DROP ROLE regress_gauss_ana, regress_gauss_bob;
