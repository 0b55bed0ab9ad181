#!/usr/bin/env bash
# A hot standby shows again what its primary has answered, refuses other questions on protected tables clearly and shows the ledger, also what was charged by a
# transaction that is still open on the primary. When it is promoted, it charges on from what was spent.
set -euo pipefail
. "$(dirname "$0")/../../tools/lib/common.sh"

primary() { sql -At "$@"; }
standby() { PGHOST=$folder sql -At "$@"; }

expect() {
  [[ $1 == "$2" ]] || { echo "$3: is '$1', not '$2'"; exit 1; }
}

clean_up() {
  [[ -z ${asker-} ]] || kill "$asker" || true
  as_server "$PG_BIN/pg_ctl" -D "$folder/data" -s -w -m immediate stop || true
  as_server rm -rf "$folder"
}

primary -c "CREATE TABLE t AS SELECT i FROM generate_series(1, 10) i; CREATE TABLE free AS TABLE t; SELECT dp.protect('t', 1);" \
  -c "SELECT dp_count('*', 0.3) FROM t" >/dev/null

folder=$(as_server mktemp -d /tmp/pg_dp.standby.XXXXXX)
trap clean_up EXIT
as_server chmod 755 "$folder"
as_server "$PG_BIN/pg_basebackup" -h "$PGHOST" -p "$PGPORT" -U postgres -D "$folder/data" -R -c fast --no-sync -X stream
as_server "$PG_BIN/pg_ctl" -D "$folder/data" -l "$folder/log" -s -w -o "-k $folder -p $PGPORT" start || { cat "$folder/log"; exit 1; }

# One more charge, in a transaction that stays open.
coproc asking { "$PG_BIN/psql" -X -q -At 2>&1; }
asker=$asking_PID
echo "BEGIN; SELECT dp_count('*', 0.2) IS NOT NULL FROM t;" >&"${asking[1]}"
read -r answered <&"${asking[0]}"
expect "$answered" t 'an answer on the primary'

await_replay() {
  local end
  # A stored answer is written after its charge, and not flushed by itself.
  primary -c "SELECT pg_logical_emit_message(true, 'standby', 'flushed with all before it')" >/dev/null
  end=$(primary -c 'SELECT pg_current_wal_flush_lsn()')
  until [[ $(standby -c "SELECT pg_last_wal_replay_lsn() >= '$end'") == t ]]; do sleep 0.05; done
}

await_replay
expect "$(standby -c 'SELECT count(*), sum(table_epsilon) FROM dp.ledger')" '2|0.5' 'the ledger on the standby'
expect "$(standby -c 'SELECT epsilon_spent, epsilon_left FROM dp.budgets')" '0.5|0.5' 'the budget on the standby'
expect "$(standby -c 'SELECT last_entry IS NULL FROM dp.status')" t 'no totals on the standby'

message=$(standby -v VERBOSITY=verbose -c "SELECT dp_count('*', 0.1) FROM t" 2>&1) && { echo "answered on a standby: $message"; exit 1; }
grep -q 'ERROR:  25006: a standby cannot charge questions on protected tables' <<<"$message" &&
  grep -q 'HINT:  Ask on the primary server.' <<<"$message" || { echo "$message"; exit 1; }
standby -c "SELECT dp.protect('free', 1)" >/dev/null 2>&1 && { echo 'protected on a standby'; exit 1; }
standby -c "SELECT dp.forget_releases('0')" >/dev/null 2>&1 && { echo 'forgotten on a standby'; exit 1; }
reread='SELECT answer, epsilon FROM (SELECT min(release_id) FROM dp.releases) r (first), dp_answer(first)'
reread_on_primary=$(primary -c "$reread")
expect "$(standby -c "$reread")" "$reread_on_primary" 'an answer read again on the standby'
expect "$(standby -c "EXPLAIN (COSTS OFF) SELECT dp_count('*', 0.1) FROM t" | head -n 1)" 'Custom Scan (DpRelease)' 'a plan on the standby'
expect "$(standby -c "SELECT dp_count('*', 1e6) FROM free")" 10 'an answer about an unprotected table on the standby'
expect "$(standby -c 'SELECT count(*), sum(table_epsilon) FROM dp.ledger')" '2|0.5' 'the ledger after that'

# The same question again, where it was answered at that epsilon or a larger one; a larger one would have to be charged.
primary -c "CREATE TABLE seen AS TABLE free; SELECT dp.protect('seen', 1, reuse => '1 day')" >/dev/null
shown=$(primary -c "SELECT dp_count('*', 0.2, 'laplace') FROM seen")
compared="SELECT dp_count('*', 0.1, 'laplace') FROM seen WHERE i > (SELECT dp_count('*', 0.2, 'laplace') FROM seen)"
compared_on_primary=$(primary -c "$compared")
await_replay
expect "$(standby -c "SELECT dp_count('*', 0.2, 'laplace') FROM seen")" "$shown" 'an answer shown again on the standby'
expect "$(standby -c "SELECT dp_count('*', 0.1, 'laplace') FROM seen")" "$shown" 'an answer shown again at a smaller epsilon'
expect "$(standby -c "$compared")" "$compared_on_primary" 'an answer shown again that was compared with one'
message=$(standby -v VERBOSITY=verbose -c "SELECT dp_count('*', 0.3, 'laplace') FROM seen" 2>&1) && { echo "more accurate on a standby: $message"; exit 1; }
grep -q 'ERROR:  25006: a standby cannot charge questions on protected tables' <<<"$message" || { echo "$message"; exit 1; }
primary -c "SELECT dp.declare_range('seen', 'i', 0, 20); CREATE ROLE regress_standby_ana; SELECT dp.grant_budget('seen', 'regress_standby_ana', 1, allow_leaks => true)" >/dev/null
primary -c "SELECT dp.forget_answers('seen')" >/dev/null
await_replay
message=$(standby -v VERBOSITY=verbose -c "SELECT dp_count('*', 0.2, 'laplace') FROM seen" 2>&1) && { echo "a forgotten answer: $message"; exit 1; }
grep -q 'ERROR:  25006: a standby cannot charge questions on protected tables' <<<"$message" || { echo "$message"; exit 1; }

# The ends of a declared range are free here as well, and EXPLAIN says so.
ends='SET ROLE regress_standby_ana; SELECT min(i), max(i) FROM seen'
expect "$(standby -q -c "$ends")" '0|20' 'the ends of a range on the standby'
expect "$(standby -q -c "${ends/SELECT/EXPLAIN (COSTS OFF) SELECT}")" 'Function Scan on generate_series "ends declared of seen: free"' 'their plan'

# Read before and after: what was read in recovery holds no longer.
as_server "$PG_BIN/pg_ctl" -D "$folder/data" -s -w promote
message=$(standby -v VERBOSITY=verbose -c "SELECT dp_count('*', 0.5) FROM t" 2>&1) && { echo "charged unconfirmed: $message"; exit 1; }
grep -q '^ERROR:  DP007:' <<<"$message" || { echo "$message"; exit 1; }
standby -c 'SELECT dp.confirm_ledger()' >/dev/null
standby -c "SELECT dp_count('*', 0.5) FROM t" >/dev/null
message=$(standby -v VERBOSITY=verbose -c "SELECT dp_count('*', 1e-9) FROM t" 2>&1) && { echo "more than there was: $message"; exit 1; }
grep -q 'ERROR:  DP001' <<<"$message" || { echo "$message"; exit 1; }
expect "$(standby -c 'SELECT epsilon_spent, epsilon_left FROM dp.budgets' | sort -n | tail -n 1)" '1|0' 'the budget after the promotion'
