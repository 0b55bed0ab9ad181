#!/usr/bin/env bash
# DP004: on a server that did not load pg_dp at its start, the aggregates refuse to answer, with the way out in the hint,
# and what needs no answer from data works. A session that loads the library itself changes nothing.
set -euo pipefail
. "$(dirname "$0")/../../tools/lib/common.sh"
own_environment

folder=$(server_folder check-not-loaded)
stop_cluster "$folder"
install_extension "$folder"
make_cluster "$folder" >/dev/null
start_cluster "$folder"
trap 'stop_cluster "$folder"' EXIT
use_cluster "$folder" postgres

expect_refusal() {
  local message
  message=$("$PG_BIN/psql" -X -q -v VERBOSITY=verbose -c "$1" -c "$2" 2>&1) && { echo "not refused: $2"; exit 1; }
  grep -q 'ERROR:  DP004: pg_dp is not loaded at server start' <<<"$message" &&
    grep -q "HINT:  Set shared_preload_libraries = 'pg_dp'" <<<"$message" || { echo "$message"; exit 1; }
}

# Said at once, not with the first answer that does not come.
expect_warning() {
  local message
  message=$(sql -c "$1" 2>&1)
  grep -q '^WARNING:  pg_dp is not loaded at server start: nothing is answered until it is' <<<"$message" || { echo "$1: $message"; exit 1; }
}
expect_warning 'CREATE EXTENSION pg_dp'
sql -c 'CREATE TABLE t AS SELECT 1.0::float8 AS x;'
expect_warning "SELECT dp.protect('t', 1)"
sql -c "SELECT dp.unprotect('t')"
for query in "SELECT dp_count('*', 1) FROM t" "SELECT dp_count(*) FROM t" "SELECT dp_sum(x, 0, 1, 1) FROM t" \
  "SELECT dp_avg(x, 0, 1, 1) FROM t WHERE false" "SELECT dp_variance(x, 0, 1, 1) FROM t GROUP BY x" \
  "SELECT dp_histogram(x, 0, 1, 2, 1) FROM t" "SELECT dp_histogram(x, ARRAY[1.0], 1) FROM t" "SELECT dp_histogram(x, x, 0, 1, 2, 0, 1, 2, 1) FROM t" "SELECT dp_cumulative(x, 0, 1, 2, 1) FROM t" "SELECT dp_bounds(x, 1) FROM t"; do
  expect_refusal "SELECT 1" "$query"
  expect_refusal "LOAD 'pg_dp'" "$query"
done

# Nor does such a session forget what was charged.
sql -c "SELECT dp.protect('t', 1)" 2>/dev/null
sql -c "INSERT INTO dp.ledger_entry SELECT i, now(), 'postgres', NULL, 't'::regclass, 'query', 1, 0, 1, 0, NULL, NULL FROM generate_series(1, 3) i"
for statement in 'DROP EXTENSION pg_dp CASCADE' 'DROP TABLE t' 'DROP SCHEMA dp CASCADE' 'ALTER TABLE dp.ledger_entry SET UNLOGGED'; do
  message=$(sql -c "$statement" 2>&1) && { echo "not refused: $statement"; exit 1; }
  grep -qE 'ERROR:  (cannot drop (the ledger of pg_dp|table t): |cannot drop schema dp because|table dp.ledger_entry of pg_dp cannot be unlogged)' <<<"$message" || { echo "$statement: $message"; exit 1; }
done
sql -c 'TRUNCATE dp.ledger_entry'
[[ $(sql -At -c 'SELECT seq FROM dp.ledger_total ORDER BY number DESC LIMIT 1') == 3 ]]

[[ $(sql -At -c "SELECT expected_abs_error FROM dp_describe('laplace', 0.5, 1)") == 2 ]]
[[ $(sql -At -c "SELECT 'Staircase'::dp_mechanism") == staircase ]]
