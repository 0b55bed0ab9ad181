#!/usr/bin/env bash
# The procedure of docs/operator.md for a server that was restored to a point in time: nothing is charged there until a superuser confirms
# the ledger, which ends where the restore did; budgets are lowered by what was spent since, and then questions are answered.
set -euo pipefail
. "$(dirname "$0")/../../tools/lib/common.sh"

primary() { sql -At "$@"; }
restored() { PGHOST=$folder sql -At "$@"; }

expect() { [[ $2 == "$3" ]] || { echo "$1: is '$2', not '$3'"; exit 1; }; }

clean_up() {
  as_server "$PG_BIN/pg_ctl" -D "$folder/data" -s -w -m immediate stop || true
  as_server rm -rf "$folder"
}

folder=$(as_server mktemp -d /tmp/pg_dp.restored.XXXXXX)
trap clean_up EXIT
as_server chmod 755 "$folder"
primary -c "CREATE TABLE t AS SELECT i FROM generate_series(1, 10) i; SELECT dp.protect('t', 1);" -c "SELECT dp_count('*', 0.1) FROM t" >/dev/null

# The backup; the log goes on from there.
as_server "$PG_BIN/pg_basebackup" -h "$PGHOST" -p "$PGPORT" -U postgres -D "$folder/data" -c fast --no-sync -X stream
primary -c "SELECT dp_count('*', 0.2) FROM t" -c "SELECT pg_create_restore_point('noon')" -c "SELECT dp_count('*', 0.4) FROM t" \
  -c 'SELECT pg_switch_wal()' >/dev/null
expect 'spent on the original' "$(primary -c 'SELECT epsilon_spent FROM dp.budgets')" 0.7

# The restore. Instead of an archive the original's own log.
log=$(primary -c 'SHOW data_directory')/pg_wal
as_server touch "$folder/data/recovery.signal"
printf "%s\n" "restore_command = 'cp \"$log/%f\" \"%p\"'" "recovery_target_name = 'noon'" "recovery_target_action = 'promote'" |
  as_server tee -a "$folder/data/postgresql.conf" >/dev/null
as_server "$PG_BIN/pg_ctl" -D "$folder/data" -l "$folder/log" -s -w -o "-k $folder -p $PGPORT" start || { cat "$folder/log"; exit 1; }
until [[ $(restored -c 'SELECT pg_is_in_recovery()') == f ]]; do sleep 0.05; done

# What the ledger knows is shown; nothing is charged.
expect 'spent in the restored one' "$(restored -c 'SELECT epsilon_spent FROM dp.budgets')" 0.3
expect 'its last charge' "$(restored -c 'SELECT epsilon FROM dp.last_charges(1)')" 0.2
expect 'what is wrong' "$(restored -c 'SELECT doubt FROM dp.status')" 'written elsewhere'
expect 'what to do' "$(restored -c "SELECT run FROM dp.check() WHERE finding LIKE 'the ledger is in doubt%'")" \
  'SELECT dp.confirm_ledger(); as a superuser, who has made sure that no charge is lost'
message=$(restored -v VERBOSITY=verbose -c "SELECT dp_count('*', 0.1) FROM t" 2>&1) && { echo "charged: $message"; exit 1; }
grep -q '^ERROR:  DP007:' <<<"$message" && grep -q 'restored to a point in time' <<<"$message" || { echo "$message"; exit 1; }

# What was spent since is taken off the budget.
restored -c "SELECT dp.protect('t', 1 - 0.4)" -c 'SELECT dp.confirm_ledger()' >/dev/null
restored -c "SELECT dp_count('*', 0.3) FROM t" >/dev/null
expect 'left' "$(restored -c 'SELECT epsilon_spent, epsilon_left FROM dp.budgets')" '0.6|0'
