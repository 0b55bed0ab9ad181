#!/usr/bin/env bash
# A question of a role without SELECT is planned by the statistics of its columns, as one of the table's owner is: a condition that few rows
# meet is looked up in the index, although its operator is not leakproof. Seen by the pages that are in memory after a restart.
set -euo pipefail
. "$(dirname "$0")/../../tools/lib/common.sh"

restart() {
  as_server "$PG_BIN/pg_ctl" -D "$PGDATA" -s -w -m fast stop
  as_server "$PG_BIN/pg_ctl" -D "$PGDATA" -l "$PGDATA/../log" -s -w -o "-k $PGHOST -p $PGPORT" start
}

clean_up() { sql -c 'SET dp.allow_drop = on; DROP TABLE paid; DROP ROLE statistics_ana' >/dev/null; }

sql -c "CREATE ROLE statistics_ana; CREATE TABLE paid AS SELECT i AS person, i::numeric AS amount, repeat('x', 500) AS note FROM generate_series(1, 20000) i ORDER BY hashint4(i)" \
  -c 'CREATE INDEX ON paid (amount)' -c 'VACUUM (ANALYZE, FREEZE) paid' \
  -c "SELECT dp.protect('paid', 1e9), dp.grant_budget('paid', 'statistics_ana', 1e9, allow_leaks => true)" >/dev/null 2>&1
trap clean_up EXIT

restart
sql -At -c 'SET ROLE statistics_ana' -c "SELECT 'answer ' || dp_count(note, 1e-3) FROM paid WHERE amount > 19990" | grep -q answer
pages=$(sql -At -c "SELECT relpages FROM pg_class WHERE relname = 'paid'")
read_now=$(sql -At -c 'SET max_parallel_workers_per_gather = 0' -c 'EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) SELECT max(note) FROM paid' |
  sed -n 's/.* read=\([0-9]*\).*/\1/p' | head -n 1)
((${read_now:-0} > pages / 2)) || { echo "of $pages pages ${read_now:-0} had not been read: the question read the whole table"; exit 1; }
