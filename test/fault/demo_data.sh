#!/usr/bin/env bash
# At epsilon = 1e6 the private answers about the demo's hospital (200,000 visits, with NULLs and typing errors far off) are
# the plain ones on clamped values, serially and with two workers.
set -euo pipefail
. "$(dirname "$0")/../../tools/lib/common.sh"

sql -f "$ROOT/tools/demo-data.sql" >/dev/null

answers=$(sql -At <<'SQL'
-- Clamping as the aggregates do it: NULL stays NULL.
CREATE FUNCTION pg_temp.clamp(x float8, lower float8, upper float8) RETURNS float8 LANGUAGE sql IMMUTABLE STRICT
    RETURN least(greatest(x, lower), upper);
CREATE FUNCTION pg_temp.near(answer float8, truth float8) RETURNS boolean LANGUAGE sql IMMUTABLE
    RETURN abs(answer - truth) <= 1e-4 * abs(truth);
PREPARE whole AS
SELECT dp_count('*', 1e6) = count(*) AND dp_count(cost, 1e6) = count(cost)
       AND dp_sum(age, 0, 110, 1e6) = sum(pg_temp.clamp(age, 0, 110))
       AND pg_temp.near(dp_sum(cost, 0, 50000, 1e6)::float8, sum(pg_temp.clamp(cost::float8, 0, 50000)))
       AND pg_temp.near(dp_avg(cost, 0, 50000, 1e6), avg(pg_temp.clamp(cost::float8, 0, 50000)))
       AND pg_temp.near(dp_variance(age, 0, 110, 1e6), variance(pg_temp.clamp(age, 0, 110)))
       AND (dp_cumulative(age, 0, 110, 2, 1e6)).counts = ARRAY[count(*) FILTER (WHERE age < 55), count(age)]
       AND dp_histogram(age, days, 0, 110, 1, 0, 20, 2, 1e6) = ARRAY[[count(*) FILTER (WHERE age BETWEEN 0 AND 110 AND days >= 0 AND days < 10), count(*) FILTER (WHERE age BETWEEN 0 AND 110 AND days BETWEEN 10 AND 20)]]
       AND dp_histogram(age, 0, 110, 2, 1e6) = ARRAY[count(*) FILTER (WHERE age >= 0 AND age < 55), count(*) FILTER (WHERE age BETWEEN 55 AND 110)]
FROM visits;
PREPARE groups AS
SELECT bool_and(n = plain AND pg_temp.near(mean, plain_mean)) AND count(*) = 8
FROM (SELECT ward, dp_count('*', 1e6) AS n, count(*) AS plain, dp_avg(age, 0, 110, 1e6) AS mean, avg(pg_temp.clamp(age, 0, 110)) AS plain_mean
      FROM visits GROUP BY ward) w;
SET max_parallel_workers_per_gather = 0;
EXECUTE whole;
EXECUTE groups;
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
DEALLOCATE whole;
PREPARE parallel AS
SELECT dp_count('*', 1e6) = (SELECT 200000) AND dp_count(cost, 1e6) = count(cost) AND dp_sum(age, 0, 110, 1e6) = sum(least(greatest(age, 0), 110)) FILTER (WHERE age IS NOT NULL)
       AND abs(dp_avg(age, 0, 110, 1e6) - avg(least(greatest(age, 0), 110)) FILTER (WHERE age IS NOT NULL)) < 1e-3
FROM visits;
EXECUTE parallel;
EXPLAIN (COSTS OFF) EXECUTE parallel;
SQL
)
[[ $(grep -c '^t$' <<<"$answers") == 3 ]] && grep -q 'Partial Aggregate' <<<"$answers" || { echo "$answers"; exit 1; }
