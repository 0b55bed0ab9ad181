#!/usr/bin/env bash
# A server that has rows, and the one that is asked, are killed in every phase of a question: before the charge, after it, while rows and
# parts travel, while the answer is written. Whoever was told an answer has paid for it, nobody is told a wrong one, the account stays
# open, and what is asked again is charged again.
set -euo pipefail
. "$(dirname "$0")/../support/shards.sh"

there -c "CREATE EXTENSION pg_dp; GRANT USAGE ON SCHEMA dp_internal TO reader; CREATE TABLE many (id int, n int, note text COLLATE \"C\"); GRANT SELECT ON many TO reader;
  INSERT INTO many SELECT i, i % 10, 'a' FROM generate_series(1, 800000) i"
here -c "ALTER SERVER elsewhere OPTIONS (ADD extensions 'pg_dp'); CREATE FOREIGN TABLE whole (id int, n int) SERVER elsewhere OPTIONS (schema_name 'public', table_name 'ev');
  CREATE FOREIGN TABLE many (id int, n int, note text COLLATE \"C\") SERVER elsewhere OPTIONS (schema_name 'public');
  SELECT dp.protect(t, 9e9, privacy_unit => 'id', limits => 'auto'), dp.grant_budget(t, 'regress_shards_ana', 9e9, allow_leaks => true),
  dp.public_values(t, 'n', VARIADIC ARRAY(SELECT generate_series(0, 9))) FROM unnest('{whole,many}'::regclass[]) t" >/dev/null 2>&1
here -c 'ALTER SERVER elsewhere OPTIONS (DROP extensions)'
with_parts() { here -c "ALTER SERVER elsewhere OPTIONS ($1 extensions$([[ $1 == ADD ]] && echo " 'pg_dp'"))"; }

# What is asked and what is told: of rows that travel, and of parts; of a table that takes a while.
of_rows="SELECT dp_count('*', 1e6) FROM ev WHERE note >= 'a' AND note || 'x' <> 'y'"
of_parts='SELECT n, round(dp_sum(n, 0, 9, 1e6)), round(dp_sum(n, -1, 9, 1e6)), round(dp_sum(n, -2, 9, 1e6)) FROM whole WHERE n < 3 GROUP BY n'
rows_told=1500 many_rows="SELECT dp_count('*', 1e6) FROM many WHERE note || 'x' <> 'y'" many_rows_told=800000
many_parts=${of_parts/whole/many} many_parts_told=$'0|0|0|0\n1|80000|80000|80000\n2|160000|160000|160000'
parts_told=$'0|0|0|0\n1|100|100|100\n2|200|200|200'

spent() { here -c "SELECT count(*) FROM dp.ledger WHERE role = 'regress_shards_ana'::regrole"; }
open() { expect "$1: closed" "$(here -c 'SELECT bool_or(closed) FROM dp.budgets')" f; }
up_again() {
  until here -c 'SELECT 1' >/dev/null 2>&1; do sleep 0.1; done
  until there -c 'SELECT 1' >/dev/null 2>&1; do sleep 0.1; done
}
asking() { here -c "SELECT pid FROM pg_stat_activity WHERE query LIKE '%dp_$1%' AND pid <> pg_backend_pid() AND backend_type = 'client backend' LIMIT 1"; }
# printed_by COMMAND...: what it prints at last, within ten seconds.
printed_by() {
  local i printed=
  for ((i = 0; i < 200; ++i)); do
    printed=$("$@")
    [[ -n $printed ]] && { echo "$printed"; return; }
    sleep 0.05
  done
  echo "nothing printed by $*" >&2
  return 1
}
# asked: the number of the process here that asks, once it does.
asked() { printed_by asking "$1"; }
# fetching: the number of the process there that is asked for rows or a part; locked PID: whether that one here waits for a lock.
fetching() { there -c "SELECT pid FROM pg_stat_activity WHERE application_name = 'coordinator' AND query LIKE 'FETCH%' LIMIT 1"; }
locked() { here -c "SELECT 'locked' FROM pg_stat_activity WHERE pid = $1 AND wait_event_type = 'Lock'"; }
# ended WHAT WHERE TOLD: what an asker was told when a server was killed is no answer, or the right one; something was charged.
ended() {
  up_again
  case $2,$(<"$BUILD/shards.told") in
    *,"$3" | here,*closed* | here,*terminat* | here,*'server process'* | here,*'could not'* | there,*'DP008: server elsewhere'*) ;;
    *) echo "$1: $(<"$BUILD/shards.told")" && exit 1 ;;
  esac
  (($(spent) > before)) || { echo "$1: nothing was charged"; exit 1; }
  open "$1"
}
# again WHAT QUESTION TOLD: the same question is answered, for another charge of so many entries.
again() {
  local before
  before=$(spent)
  expect "$1: again" "$(ask "$2")" "$3"
  (($(spent) > before)) || { echo "$1: what is asked again is not charged again"; exit 1; }
  open "$1"
}
again 'rows at first' "$of_rows" "$rows_told"
with_parts ADD
again 'parts at first' "$of_parts" "$parts_told"
with_parts DROP

for what in rows parts; do
  question=of_$what told=${what}_told of=count long=many_$what long_told=many_${what}_told
  question=${!question} told=${!told} long=${!long} long_told=${!long_told}
  [[ $what == parts ]] && of=sum && with_parts ADD

  # Before the charge, the one that is asked: it waits for a lock, while it plans.
  coproc locking { "$PG_BIN/psql" -X -q -At 2>&1; }
  helper=$locking_PID
  echo "BEGIN; LOCK TABLE dp.account; SELECT 'held';" >&"${locking[1]}"
  read -r _ <&"${locking[0]}"
  before=$(spent)
  ask "$question" >"$BUILD/shards.told" &
  kill -9 "$(asked $of)"
  wait $! || true
  release
  up_again
  grep -q '^[0-9]' "$BUILD/shards.told" && { echo "$what: an answer of a session that was killed before the charge"; exit 1; }
  expect "$what, killed here before the charge" "$(spent)" "$before"
  again "$what, killed here before the charge" "$question" "$told"

  # Before the charge, the one that has the rows: the session here knows a connection to it that is gone.
  coproc asking_on { "$PG_BIN/psql" -X -q -At -v VERBOSITY=verbose 2>&1; }
  helper=$asking_on_PID
  exec {from_asking}<&"${asking_on[0]}"
  echo "$as_ana; $question; \\echo asked" >&"${asking_on[1]}"
  while read -r line <&"$from_asking" && [[ $line != asked ]]; do :; done
  kill -9 "$(there -c "SELECT pid FROM pg_stat_activity WHERE application_name = 'coordinator' LIMIT 1")"
  up_again
  before=$(spent)
  echo "$question; \\echo asked" >&"${asking_on[1]}"
  answer=
  while read -r line <&"$from_asking" && [[ $line != asked ]]; do answer+=${answer:+$'\n'}$line; done
  [[ $answer == "$told" || $answer == *'DP008: server elsewhere'* ]] || { echo "$what, killed there before the question: $answer"; exit 1; }
  (($(spent) > before)) || { echo "$what, killed there before the question: nothing was charged"; exit 1; }
  release
  again "$what, killed there before the charge" "$question" "$told"

  # After the charge, while the other one waits; then while it computes and sends, of a table that takes a while.
  for where in here there; do
    before=$(spent)
    hold
    ask "$question" >"$BUILD/shards.told" &
    other=$(waiting)
    kill -9 "$([[ $where == here ]] && asked $of || echo "$other")"
    wait $! || true
    release
    ended "$what, killed $where while it is waited for" $where "$told"
    again "$what, killed $where while it is waited for" "$question" "$told"
    for ((try = 0; try < 5; ++try)); do
      before=$(spent)
      ask "$long" >"$BUILD/shards.told" &
      other=$(printed_by fetching) || { wait $! || true; continue; }
      kill -9 "$([[ $where == here ]] && asking $of || echo "$other")" 2>/dev/null || true
      wait $! || true
      [[ $(<"$BUILD/shards.told") != "$long_told" ]] && break  # else it was too late
    done
    ended "$what, killed $where while it sends" $where "$long_told"
    again "$what, killed $where while it sends" "$question" "$told"
  done

  # While the answer is written: what keeps answers is locked.
  here -c "SELECT dp.protect('$([[ $what == rows ]] && echo ev || echo whole)', 9e9, answer_epsilon => 1e6)" >/dev/null 2>&1
  coproc locking { "$PG_BIN/psql" -X -q -At 2>&1; }
  helper=$locking_PID
  echo "BEGIN; LOCK TABLE dp.release_part, dp.release_level IN SHARE MODE; SELECT 'held';" >&"${locking[1]}"
  read -r _ <&"${locking[0]}"
  before=$(spent)
  ask "$question" >"$BUILD/shards.told" &
  printed_by locked "$(asked $of)" >/dev/null
  (($(spent) > before)) || { echo "$what: the answer is written before the charge"; exit 1; }
  kill -9 "$(asked $of)"
  wait $! || true
  release
  up_again
  grep -q '^[0-9]' "$BUILD/shards.told" && { echo "$what: an answer of a session that was killed while it was written"; exit 1; }
  (($(spent) > before)) || { echo "$what, killed while the answer was written: the charge is gone"; exit 1; }
  again "$what, killed while the answer was written" "$question" "$told"
done
