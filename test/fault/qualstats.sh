#!/usr/bin/env bash
# pg_qualstats, which measures every statement to see how many rows conditions leave out, is loaded before pg_dp or after it:
# questions are answered, and it hears nothing of the rows that a private query reads. Without the package (in Debian
# postgresql-15-pg-qualstats) there is nothing to test.
set -euo pipefail
. "$(dirname "$0")/../../tools/lib/common.sh"

[[ -e $("$PG_BIN/pg_config" --pkglibdir)/pg_qualstats.so ]] || { echo 'without pg_qualstats'; exit 0; }

restart() {
  as_server "$PG_BIN/pg_ctl" -D "$PGDATA" -s -w -m fast stop
  as_server "$PG_BIN/pg_ctl" -D "$PGDATA" -l "$PGDATA/../log" -s -w -o "-k $PGHOST -p $PGPORT" start
}

# What of it stays with the server otherwise.
clean_up() {
  sql -c 'SET dp.allow_drop = on; DROP TABLE t; DROP EXTENSION IF EXISTS pg_qualstats; DROP ROLE qualstats_ana, qualstats_reader' \
    -c 'ALTER SYSTEM RESET ALL'
  restart
}

fail() { printf '%s:\n%s\n' "$1" "$2"; exit 1; }
has() { grep -qE "$2" <<<"$1" || fail "not there: $2" "$1"; }
has_not() { ! grep -qE "$2" <<<"$1" || fail "there: $2" "$1"; }

sql -c "CREATE ROLE qualstats_ana; CREATE ROLE qualstats_reader; CREATE TABLE t AS SELECT i FROM generate_series(1, 1234) i" \
  -c 'GRANT SELECT ON t TO qualstats_reader' \
  -c "SELECT dp.protect('t', 1e9), dp.grant_budget('t', 'qualstats_ana', 1e9, allow_leaks => true)" >/dev/null 2>&1
trap clean_up EXIT
question="SELECT 'answer ' || dp_count('*', 1e-3) FROM t WHERE i > 4"

for order in 'pg_qualstats, pg_dp' 'pg_dp, pg_qualstats'; do
  sql -c "ALTER SYSTEM SET shared_preload_libraries = $order"
  restart
  sql -c 'ALTER SYSTEM SET pg_qualstats.sample_rate = 1' -c 'DROP EXTENSION IF EXISTS pg_qualstats; CREATE EXTENSION pg_qualstats' 2>&1
  restart
  has "$(sql -At -c 'SHOW shared_preload_libraries')" "$order"
  for way in "$question" "PREPARE p AS $question; EXECUTE p; EXECUTE p" \
    "DO \$\$ BEGIN PERFORM dp_count('*', 1e-3) FROM t WHERE i > 4; RAISE INFO 'answer'; END \$\$" \
    "BEGIN; DECLARE c CURSOR FOR $question; FETCH c; COMMIT"; do
    told=$(sql -At -v ON_ERROR_STOP=0 -c 'SET ROLE qualstats_ana' -c "$way" 2>&1 || true)
    has "$told" 'answer'
    has_not "$told" 'ERROR'
  done
  told=$(sql -At -v ON_ERROR_STOP=0 -c 'SET ROLE qualstats_ana' -c "EXPLAIN ANALYZE $question" 2>&1 || true)
  has "$told" 'EXPLAIN ANALYZE of a private query is refused'
  seen="SELECT 'conditions ' || count(*) FROM pg_qualstats() WHERE lrelid = 't'::regclass OR rrelid = 't'::regclass"
  has "$(sql -At -c "$seen")" 'conditions 0'
  # Of a question of somebody who may read the rows, it hears as of every statement: that it measures at all is seen here.
  sql -At -c 'SET ROLE qualstats_reader' -c 'SELECT count(*) FROM t WHERE i > 4' >/dev/null
  has "$(sql -At -c "$seen")" 'conditions 1'
done
