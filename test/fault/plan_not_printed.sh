#!/usr/bin/env bash
# debug_print_plan shows the outer plan of a private query, and nothing of the inner one: no scan, no estimate of rows.
set -euo pipefail

psql -X -q -v ON_ERROR_STOP=1 <<'SQL'
CREATE ROLE printing_ana;
CREATE TABLE printed (id integer PRIMARY KEY, x integer);
INSERT INTO printed SELECT i, i % 10 FROM generate_series(1, 1000) i;
ANALYZE printed;
SELECT dp.protect('printed', 1e9);
SELECT dp.grant_budget('printed', 'printing_ana', 1e8, allow_leaks => true);
SQL

printed=$(psql -X -q -v ON_ERROR_STOP=1 2>&1 <<'SQL'
SET ROLE printing_ana;
SET client_min_messages = log;
SET debug_print_plan = on;
SELECT dp_count('*', 1e6) FROM printed WHERE x = 7;
SQL
)
psql -X -q -c 'SELECT dp.unprotect($$printed$$)' -c 'DROP OWNED BY printing_ana' -c 'DROP ROLE printing_ana' >/dev/null

grep -q 'CUSTOMSCAN' <<<"$printed" || { echo "the outer plan was not printed: $printed"; exit 1; }
! grep -E 'SEQSCAN|INDEXSCAN|BITMAP|OPEXPR' <<<"$printed" || { echo 'the inner plan was printed'; exit 1; }
