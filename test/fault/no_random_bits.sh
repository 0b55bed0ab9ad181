#!/usr/bin/env bash
# A server that runs out of random bits fails closed: wherever in a statement the next bit is asked for there is an error and no
# answer, what was charged stays charged, and the session goes on.
set -euo pipefail
. "$(dirname "$0")/../../tools/lib/common.sh"
own_environment

ATTEMPTS=40 # each runs dry at another place: in the noise of an answer, or where it is decided whether a group leaves

folder=$(server_folder check-no-random-bits)
stop_cluster "$folder"
install_extension "$folder"
gcc -shared -fPIC -o "$folder/no_random_bits.so" "$ROOT/test/support/no_random_bits.c"
make_cluster "$folder" "$ROOT/test/postgresql.conf" >/dev/null
dry=$folder/data/dry
NO_RANDOM_BITS=$dry LD_PRELOAD=$folder/no_random_bits.so start_cluster "$folder"
trap 'stop_cluster "$folder"' EXIT
use_cluster "$folder" postgres

expect() {
  [[ $1 == "$2" ]] || { echo "$3: is '$1', not '$2'"; exit 1; }
}

sql >/dev/null <<EOF
CREATE EXTENSION pg_dp;
CREATE TABLE t AS SELECT i % 3000 AS k, i % 2 AS two FROM generate_series(1, 60000) AS i;
SELECT dp.protect('t', 1e6, delta => 0.5, group_epsilon => 1, group_delta => 1e-6);
EOF

# The session is there before the bits run out: a server without them takes no connection.
{
  echo "SELECT dp_count('*', 1) IS NOT NULL FROM t;"
  echo "\\! touch $dry"
  for ((i = 0; i < ATTEMPTS; ++i)); do
    echo "SELECT count(*) FROM (SELECT k, dp_count('*', 0.1) FROM t GROUP BY k) AS groups;"
    echo "DO \$\$ BEGIN PERFORM k, dp_count('*', 0.1) FROM t GROUP BY k; EXCEPTION WHEN internal_error THEN RAISE NOTICE 'handled'; END \$\$;"
    echo "SELECT 'goes on';"
    # Some bits are there again, so that they end elsewhere.
    echo "\\! rm $dry"
    echo "SELECT sum(dp_randomized_response(x % 2 = 0, ARRAY[true, false], 1)::int) IS NOT NULL FROM generate_series(1, $((100 + 37 * i))) AS x;"
    echo "\\! touch $dry"
  done
  echo "\\! rm $dry"
  echo "SELECT dp_count('*', 1) IS NOT NULL FROM t;"
} >"$folder/session.sql"
"$PG_BIN/psql" -X -q -At -f "$folder/session.sql" >"$folder/session.out" 2>&1 || { tail "$folder/session.out"; exit 1; }

expect "$(grep -c '^psql:.*ERROR:  could not generate random bits$' "$folder/session.out")" "$ATTEMPTS" 'errors'
expect "$(grep -c '^psql:.*NOTICE:  handled$' "$folder/session.out")" "$ATTEMPTS" 'errors with a handler'
expect "$(grep -c '^goes on$' "$folder/session.out")" "$ATTEMPTS" 'statements after an error'
expect "$(tail -n 1 "$folder/session.out")" t 'the last answer'
expect "$(grep -c 'terminated by signal' "$folder/log")" 0 'crashes'
expect "$(sql -At -c 'SELECT count(*) FROM dp.ledger')" $((2 * ATTEMPTS + 2)) 'charges'
