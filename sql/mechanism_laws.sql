-- What is drawn against what the law says: mean errors over thousands of answers, within seven of their standard errors.
CALL own_schema('mechanism_laws');
CREATE TABLE ones AS SELECT g, 1 AS one, 50 AS value FROM generate_series(1, 4000) g;
CREATE FUNCTION fits(noise float8[], expected float8, squared float8) RETURNS boolean LANGUAGE sql RETURN
    (SELECT abs(avg(abs(n)) - expected) < 7 * sqrt((squared - expected ^ 2) / count(*)) FROM unnest(noise) n);

-- Powers that are fractions: counts, and sums of real numbers
SELECT s.m AS mechanism, fits(s.noise, d.expected_abs_error, d.expected_sq_error) AS fits, dp_privacy_loss(s.m, 1, 1) BETWEEN 0.999 AND 1 AS loses_epsilon
FROM (SELECT 'gg(p=1.5, delta=1e-6, definition=approximate)'::dp_mechanism AS m, array_agg(n - 1) AS noise FROM (SELECT dp_count('*', 1, 'gg(p=1.5, delta=1e-6, definition=approximate)') AS n FROM ones GROUP BY g) c
      UNION ALL SELECT 'gg(p=2.25, delta=0.01, definition=approximate)', array_agg(n - 1) FROM (SELECT dp_count('*', 1, 'gg(p=2.25, delta=0.01, definition=approximate)') AS n FROM ones GROUP BY g) c) s,
     dp_describe(s.m, 1, 1, true) d ORDER BY s.m::text;
SELECT fits(array_agg(noise), d.expected_abs_error, d.expected_sq_error) AS real_numbers
FROM (SELECT dp_sum(value::float8, 0, 100, 1, 'gg(p=1.5, delta=1e-6)') - 50 AS noise FROM ones GROUP BY g) s, dp_describe('gg(p=1.5, delta=1e-6)', 1, 100) d
GROUP BY d.expected_abs_error, d.expected_sq_error;
SELECT count(*) AS answers, min(n) >= 0 AND max(n) <= 10 AS inside FROM (SELECT dp_count('*', 1, 'bit_gg(p=1.5, lower=0, upper=10)') AS n FROM ones WHERE g <= 200 GROUP BY g) s;
SELECT 'gg(p=1.505, delta=1e-6)'::dp_mechanism;
SELECT 'truncated_gg(p=1.5, lower=0, upper=10)'::dp_mechanism;

-- The staircase of a vector: of three numbers at epsilon 4 it is off by 22.0, where laplace is by 25.0
SELECT fits(array_agg(noise), 21.998136, 1071.286450) AS whole_vector
FROM (SELECT ((dp_totals(value, 0, 100, 4, 'staircase')).sum - 50)::float8 AS noise FROM ones GROUP BY g) s;
SELECT dp_privacy_loss('staircase', 4, ARRAY[50, 30, 20]) AS loses, dp_privacy_loss('staircase', 4, ARRAY[1, 1]) AS small_lattice, dp_privacy_loss('staircase', 40, ARRAY[5, 5]) <= 40 AS split;

-- The histogram of a person with five rows; each row alone is a geometric count
SET client_min_messages = warning;
CREATE ROLE mechanism_laws_asker;
CREATE TABLE visits_of AS SELECT who, (who + n) % 10 AS age FROM generate_series(1, 40) who, generate_series(1, 5) n;
SELECT dp.protect('visits_of', 9000, privacy_unit => 'who', max_rows_per_unit => 5);
SELECT dp.grant_budget('visits_of', 'mechanism_laws_asker', 9000, allow_leaks => true);
SET search_path = mechanism_laws, public;
GRANT USAGE ON SCHEMA mechanism_laws TO mechanism_laws_asker;
SET ROLE mechanism_laws_asker;
SELECT cardinality(h) AS buckets, (SELECT avg(abs(n - 20)) FROM unnest(h) n) < 4 AS near FROM (SELECT dp_histogram(age, 0, 10, 10, 8, 'staircase') AS h FROM visits_of) s;
SELECT abs(dp_avg(age, 0, 10, 8, 'staircase') - 4.5) < 1 AS near FROM visits_of;
SELECT abs(dp_count('*', 8, 'staircase') FILTER (WHERE age < 5) - 100) < 15 AS young, abs(dp_count('*', 8, 'staircase') FILTER (WHERE age >= 5) - 100) < 15 AS old FROM visits_of;
SELECT epsilon_spent >= 24 AS charged FROM dp.budgets WHERE relation = 'visits_of'::regclass;
RESET ROLE;
DROP OWNED BY mechanism_laws_asker;
DROP ROLE mechanism_laws_asker;
