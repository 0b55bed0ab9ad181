#!/usr/bin/env bash
# Libraries that measure what runs (auto_explain, pg_stat_statements) are loaded before pg_dp or after it: questions are answered,
# and what they log of a question of a role without SELECT has nothing of its rows. An EXPLAIN that measures is refused as ever.
set -euo pipefail
. "$(dirname "$0")/../../tools/lib/common.sh"

for library in auto_explain pg_stat_statements; do
  [[ -e $("$PG_BIN/pg_config" --pkglibdir)/$library.so ]] || { echo "without $library"; exit 0; }
done

load() {
  sql -c "ALTER SYSTEM SET shared_preload_libraries = $1"
  restart
}

restart() {
  as_server "$PG_BIN/pg_ctl" -D "$PGDATA" -s -w -m fast stop
  as_server "$PG_BIN/pg_ctl" -D "$PGDATA" -l "$PGDATA/../log" -s -w -o "-k $PGHOST -p $PGPORT" start
}

# What of it stays with the server otherwise.
clean_up() {
  sql -c 'SET dp.allow_drop = on; DROP TABLE t; DROP ROLE hooks_ana, hooks_reader' -c 'ALTER SYSTEM RESET ALL'
  restart
}

# asked ROLE STATEMENT: what the client and the log are told of a statement that auto_explain measures.
asked() {
  sql -At -v ON_ERROR_STOP=0 <<SQL 2>&1
SET auto_explain.log_min_duration = 0; SET auto_explain.log_analyze = on; SET auto_explain.log_buffers = on; SET auto_explain.log_wal = on;
SET auto_explain.log_nested_statements = on; SET auto_explain.log_level = notice; SET auto_explain.log_verbose = on;
SET ROLE $1;
$2;
SQL
}

fail() { printf '%s:\n%s\n' "$1" "$2"; exit 1; }
has() { grep -qE "$2" <<<"$1" || fail "not there: $2" "$1"; }
has_not() { ! grep -qE "$2" <<<"$1" || fail "there: $2" "$1"; }

trap clean_up EXIT
sql -c "CREATE ROLE hooks_ana; CREATE ROLE hooks_reader; CREATE TABLE t AS SELECT i FROM generate_series(1, 1234) i; GRANT SELECT ON t TO hooks_reader" \
  -c "SELECT dp.protect('t', 1e9), dp.grant_budget('t', 'hooks_ana', 1e9, allow_leaks => true)" >/dev/null 2>&1
question="SELECT 'answer ' || dp_count('*', 1e-3) FROM t WHERE i > 4"

for order in 'auto_explain, pg_stat_statements, pg_dp' 'pg_dp, auto_explain, pg_stat_statements' 'pg_stat_statements, pg_dp, auto_explain'; do
  load "$order"
  for way in "$question" "PREPARE p AS $question; EXECUTE p; EXECUTE p" "DO \$\$ BEGIN PERFORM dp_count('*', 1e-3) FROM t WHERE i > 4; END \$\$" \
    "BEGIN; DECLARE c CURSOR FOR $question; FETCH c; COMMIT"; do
    told=$(asked hooks_ana "$way")
    has "$told" 'duration: '
    has "$told" 'Custom Scan \(DpRelease\).*actual'
    has_not "$told" 'ERROR|Seq Scan|Removed by Filter|Buffers|WAL|rows=123'
  done
  for way in "EXPLAIN ANALYZE $question" "PREPARE p AS $question; EXPLAIN (ANALYZE, FORMAT json) EXECUTE p" \
    "DO \$\$ BEGIN EXECUTE 'EXPLAIN ANALYZE SELECT dp_count(''*'', 1e-3) FROM t'; END \$\$"; do
    has "$(asked hooks_ana "$way")" 'EXPLAIN ANALYZE of a private query is refused'
  done
  # A refused EXPLAIN leaves nothing behind.
  has "$(asked hooks_ana "EXPLAIN ANALYZE $question; $question")" 'answer '
  told=$(asked hooks_reader "EXPLAIN ANALYZE $question")
  has "$told" 'Seq Scan.*rows=1230'
done

# Who may set it is a superuser; dp.check() tells what it shows.
set_explain() {
  sql -c "ALTER SYSTEM SET auto_explain.log_level = $1" -c "ALTER SYSTEM SET auto_explain.log_min_duration = 0" -c 'SELECT pg_reload_conf()' >/dev/null
  until [[ $(PGOPTIONS='-c client_min_messages=error' sql -At -c 'SHOW auto_explain.log_level') == "$1" ]]; do sleep 0.05; done
}
set_explain notice
has "$(sql -At -c "SELECT finding FROM dp.check('t')")" 'auto_explain sends plans to clients'
# What is logged of a later statement is kept from a client that asks for the log's messages.
set_explain log
told=$(sql -At -c "SET client_min_messages = log; SELECT 1" 2>&1)
has "$told" 'duration: '
told=$(sql -At -c "SET ROLE hooks_ana; SET client_min_messages = log" -c "$question" -c 'SELECT 1' 2>&1)
has "$told" 'answer '
has_not "$told" 'Query Text: SELECT 1'
