#!/usr/bin/env bash
# What dp.retain_releases says is forgotten without anybody's call, by a session of its own: an open transaction of the analyst who asked
# holds nobody up, and does not take it back.
set -euo pipefail
. "$(dirname "$0")/../../tools/lib/common.sh"

expect() { [[ $2 == "$3" ]] || { echo "$1: is '$2', not '$3'"; exit 1; }; }
stored() { sql -At -c 'SELECT count(DISTINCT release_id) FROM dp.release_part'; }

sql -c 'CREATE TABLE t AS SELECT i FROM generate_series(1, 10) i' -c "SELECT dp.protect('t', 1000)" >/dev/null
for _ in 1 2 3 4 5; do sql -c "SELECT dp_count('*', 1) FROM t" >/dev/null; done
expect 'without a limit' "$(stored)" 5
sql -c "SELECT dp.retain_releases('t', max_numbers => 3)" >/dev/null

# Not before its time, and not where a superuser wants none of it.
sql -c 'SET dp.forget_interval = 0' -c "SELECT dp_count('*', 1) FROM t" >/dev/null
expect 'without the worker' "$(stored)" 6

coproc asking { "$PG_BIN/psql" -X -q -At 2>&1; }
# Kept here: bash takes its own variable away as soon as the process has ended.
asker=$asking_PID
echo "SET dp.forget_interval = 1; BEGIN;" >&"${asking[1]}"
end=$((SECONDS + 120))
while ((SECONDS < end)); do
  echo "SELECT dp_count('*', 1) IS NOT NULL FROM t;" >&"${asking[1]}"
  read -r answered <&"${asking[0]}"
  expect 'an answer' "$answered" t
  # One that was stored since may be there.
  (($(stored) > 4)) || break
  sleep 0.2
done
(($(stored) <= 4)) || { echo "nothing was forgotten: $(stored) releases"; exit 1; }
forgotten=$(sql -At -c 'SELECT count(*) FROM dp.release_forgotten')
echo 'ROLLBACK;' >&"${asking[1]}"
exec {asking[1]}>&-
wait "$asker" || true
(($(sql -At -c 'SELECT count(*) FROM dp.release_forgotten') >= forgotten && forgotten > 0))
