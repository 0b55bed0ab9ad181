#!/usr/bin/env bash
# Two owners, each with a server, a ledger and budgets: a question over the tables of both, asked on this server, while either of them is
# killed, cancelled or out of budget, in each phase of the two charges. There is never an answer that is not charged in both ledgers;
# what is refused is charged in neither; what is in doubt stays charged where it was, and nobody's rows are read without a charge.
set -euo pipefail
log_line_prefix='%u '
. "$(dirname "$0")/../support/other_server.sh"

there -c "CREATE ROLE shop_a LOGIN; CREATE EXTENSION pg_dp; CREATE TABLE customers (email text, city text);
  INSERT INTO customers SELECT 'c' || i, 'north' FROM generate_series(1, 3000) i" >/dev/null 2>&1
there -c "SET client_min_messages = error; SELECT dp.protect('customers', 9e9, privacy_unit => 'email', max_rows_per_unit => 1),
  dp.grant_budget('customers', 'shop_a', 9e9, allow_leaks => true), dp.lend_rows('customers', 'shop_a')" >/dev/null
here -c "SET client_min_messages = error; CREATE EXTENSION postgres_fdw; CREATE ROLE regress_owners_ana; CREATE ROLE regress_owners_poor;
  CREATE SERVER shop_b FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '$folder', port '$PORT', dbname 'postgres', fetch_size '100');
  CREATE USER MAPPING FOR CURRENT_USER SERVER shop_b OPTIONS (user 'shop_a', password_required 'false');
  CREATE TABLE customers (email text, n int); INSERT INTO customers SELECT 'c' || i, i FROM generate_series(2001, 4000) i;
  CREATE FOREIGN TABLE customers_b (email text, city text) SERVER shop_b OPTIONS (schema_name 'public', table_name 'customers');
  SELECT dp.protect(t, 9e9, privacy_unit => 'email', max_rows_per_unit => 1), dp.grant_budget(t, 'regress_owners_ana', 9e9, allow_leaks => true)
    FROM unnest('{customers,customers_b}'::regclass[]) t; SELECT dp.grant_budget('customers_b', 'regress_owners_poor', 1, allow_leaks => true)" >/dev/null

# ask [SQL]: the answer, or all that the asker is told. Each question has a mark.
question="SELECT dp_count('*', 1e6) FROM customers c JOIN customers_b b USING (email)"
ask() {
  "$PG_BIN/psql" -X -q -At -v VERBOSITY=verbose -c 'SET client_min_messages = error; SET ROLE '"${asker:-regress_owners_ana}" \
    -c "${2-}/* mark $1 */ ${3:-$question}" 2>&1 | grep -v '^LOCATION' || true
}

# of SERVER MARK: what that ledger has of a question. Of two tables here there are two entries.
of() { "$1" -c "SELECT coalesce(string_agg(kind, ' ' ORDER BY seq), '-') FROM dp.ledger WHERE query LIKE '%mark $2 %'"; }
answered() {
  expect "$1" "$2" "${3:-1000}"
  expect "$1: charged here" "$(of here "$1")" 'query query'
  expect "$1: charged there" "$(of there "$1")" 'lent'
  expect "$1: one number" "$(here -c "SELECT substring(query FROM '[0-9a-f]{16}') FROM dp.ledger WHERE query LIKE '%mark $1 %' LIMIT 1")" \
    "$(there -c "SELECT substring(query FROM '[0-9a-f]{16}') FROM dp.ledger WHERE query LIKE '%mark $1 %'")"
}
# fails MARK TOLD BEGINNING HERE THERE
fails() {
  [[ $2 == "$3"* ]] || { echo "$1: told '$2', not '$3'"; exit 1; }
  expect "$1: charged here" "$(of here "$1")" "$4"
  expect "$1: charged there" "$(of there "$1")" "$5"
}
lost='ERROR:  DP008: server shop_b, which has rows of table customers_b, did not answer'

answered first "$(ask first)"

# Nothing is asked there for a price, and for what is known to be refused here.
sent() { grep -c '^shop_a ' "$folder/log" || true; }
before=$(sent)
ask look "EXPLAIN " >/dev/null
here -c "SELECT epsilon FROM dp.cost(\$\$ $question \$\$)" >/dev/null 2>&1
told=$(asker=regress_owners_poor ask beyond '' "SELECT dp_count('*', 2) FROM customers_b")
fails beyond "$told" 'ERROR:  DP001' - -
expect 'what was sent without a charge' "$(sent)" "$before"

# How many rows were fetched does not tell what was found here.
fetched() { grep -c 'FETCH 100' "$folder/log" || true; }
before=$(fetched)
ask many >/dev/null
many=$(($(fetched) - before))
for condition in 'n = 2001' 'n < 0'; do
  before=$(fetched)
  ask "few" '' "$question WHERE $condition" >/dev/null
  expect "rows fetched where $condition" "$(($(fetched) - before))" "$many"
done

# hold SERVER LOCK: a session there that has the lock, until release.
hold() {
  if [[ $1 == there ]]; then
    coproc holding { PGHOST=$folder PGPORT=$PORT PGDATABASE=postgres "$PG_BIN/psql" -X -q -At 2>&1; }
  else
    coproc holding { "$PG_BIN/psql" -X -q -At 2>&1; }
  fi
  helper=$holding_PID
  echo "BEGIN; LOCK TABLE $2; SELECT 'held';" >&"${holding[1]}"
  read -r _ <&"${holding[0]}"
}
release() {
  [[ -n $helper ]] || return 0
  kill "$helper" 2>/dev/null || true
  wait "$helper" 2>/dev/null || true
  helper=
}
# waiting SERVER [NUMBER]: the process that has come to wait for the lock, once so many do.
waiting() {
  local pids=
  until [[ $(wc -w <<<"$pids") -ge ${2:-1} ]]; do
    pids=$("$1" -c "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' ORDER BY query_start DESC" 2>/dev/null || true)
    sleep 0.05
  done
  head -n 1 <<<"$pids"
}
# asker: the process here that asks.
asker() { here -c "SELECT pid FROM pg_stat_activity WHERE query LIKE '%mark%' AND state = 'active' AND pid <> pg_backend_pid() ORDER BY query_start DESC LIMIT 1"; }
up() { until "$1" -c 'SELECT 1' >/dev/null 2>&1; do sleep 0.1; done; }
kill_there() {
  local postmaster
  postmaster=$(head -n 1 "$folder/data/postmaster.pid")
  # shellcheck disable=SC2046
  kill -9 "$postmaster" $(pgrep -P "$postmaster")
}
restart_there() {
  as_server "$PG_BIN/pg_ctl" -D "$folder/data" -s -w -m immediate stop 2>/dev/null || true
  until start_there 2>/dev/null; do sleep 0.3; done
}
told=$BUILD/owners.told

# In each phase: which lock stops it, where.
#   before   the charge there
#   between  the two charges
#   after    both, before the first row
declare -A stopped_by=([before]='there dp.ledger_entry IN EXCLUSIVE MODE' [between]='here dp.ledger_entry IN EXCLUSIVE MODE' [after]='there customers')

# at PHASE MARK: asks, until it waits there.
at() {
  read -r where lock <<<"${stopped_by[$1]}"
  hold "$where" "$lock"
  ask "$2" >"$told" &
  asking=$!
  waits=$(waiting "$where")
}
over() {
  release
  wait "$asking" || true
}

# The server that has the rows is killed.
at before killed-there-before
kill_there
over
restart_there
fails killed-there-before "$(<"$told")" "$lost" - -
at between killed-there-between
kill_there
over
restart_there
fails killed-there-between "$(<"$told")" "$lost" 'query query' lent
at after killed-there-after
kill_there
over
restart_there
fails killed-there-after "$(<"$told")" "$lost" 'query query' lent
answered again "$(ask again)"

# The server that asks is killed: what was charged there is in doubt, and stays so.
at between killed-here-between
kill -9 "$(asker)"
over
up here
expect 'killed here between' "$(grep -c '^1000' "$told" || true)" 0
expect 'killed here between: charged here' "$(of here killed-here-between)" -
expect 'killed here between: charged there' "$(of there killed-here-between)" lent
at after killed-here-after
kill -9 "$(asker)"
over
up here
expect 'killed here after: charged here' "$(of here killed-here-after)" 'query query'
expect 'killed here after: charged there' "$(of there killed-here-after)" lent
at before killed-here-before
kill -9 "$(asker)"
over
up here
expect 'killed here before: charged here' "$(of here killed-here-before)" -
answered recovered "$(ask recovered)"

# Ended there, and cancelled here.
at before ended-there-before
there -c "SELECT pg_terminate_backend($waits)" >/dev/null
over
fails ended-there-before "$(<"$told")" "$lost" - -
at after cancelled-there-after
there -c "SELECT pg_cancel_backend($waits)" >/dev/null
over
fails cancelled-there-after "$(<"$told")" "$lost" 'query query' lent
at between cancelled-here-between
here -c "SELECT pg_cancel_backend($waits)" >/dev/null
over
fails cancelled-here-between "$(<"$told")" 'ERROR:  57014' - lent

# Killed while rows are read: whatever comes of it, it is charged at both.
for round in 1 2 3; do
  ask "midst-$round" >"$told" &
  asking=$!
  until [[ $(of there "midst-$round") == lent ]]; do :; done
  kill_there
  wait "$asking" || true
  restart_there
  expect "midst-$round: charged there" "$(of there "midst-$round")" lent
  [[ $(of here "midst-$round") == 'query query' ]] || ! grep -q '^1000' "$told" || { echo "midst-$round: an answer without a charge"; exit 1; }
done

# Another table there than the foreign table says: found out before anything is charged.
there -c 'ALTER TABLE customers ALTER city TYPE varchar'
fails differs "$(ask differs)" "$lost" - -
there -c 'ALTER TABLE customers ALTER city TYPE text'
answered as-it-was "$(ask as-it-was)"

# Refused here once it was charged there: what another session was charged meanwhile leaves no room. It is taken back there.
here -c "SELECT dp.grant_budget('customers', 'regress_owners_ana', (SELECT epsilon_spent FROM dp.budgets WHERE relation = 'customers'::regclass AND role = 'regress_owners_ana'::regrole) + 1e6)" >/dev/null 2>&1
spent=$(there -c "SELECT epsilon_spent, charges FROM dp.budgets WHERE role = 'shop_a'::regrole")
at between refused-here
stopped=$(asker)
kill -STOP "$stopped"
release
ask other '' "SELECT dp_count('*', 1e6) FROM customers" >/dev/null
kill -CONT "$stopped"
over
fails refused-here "$(<"$told")" 'ERROR:  DP001' - 'lent withdrawn'
expect 'refused here: what is spent there' "$(there -c "SELECT epsilon_spent, charges FROM dp.budgets WHERE role = 'shop_a'::regrole")" "$spent"
kill_there
restart_there
expect 'refused here: what is spent there, read anew' "$(there -c "SELECT epsilon_spent, charges FROM dp.budgets WHERE role = 'shop_a'::regrole")" "$spent"
here -c "SELECT dp.grant_budget('customers', 'regress_owners_ana', 9e9)" >/dev/null 2>&1

# Many ask for the last that is left there: so many are answered as fit, and no other is charged anywhere.
there -c "SELECT dp.grant_budget('customers', 'shop_a', (SELECT epsilon_spent FROM dp.budgets WHERE role = 'shop_a'::regrole) + 3e6)" >/dev/null 2>&1
for i in 1 2 3 4 5 6; do
  ask "race-$i" >"$told.$i" &
done
wait
expect 'a race for what is left there' "$(cat "$told".[1-6] | grep -c '^1000$')" 3
for i in 1 2 3 4 5 6; do
  if grep -q '^1000$' "$told.$i"; then
    answered "race-$i" "$(<"$told.$i")"
  else
    fails "race-$i" "$(<"$told.$i")" 'ERROR:  DP001: server shop_b refuses the question' - -
  fi
done
rm -f "$told" "$told".[1-6]

# Nobody was closed on the way.
expect 'closed accounts' "$(here -c 'SELECT count(*) FROM dp.budgets WHERE closed')$(there -c 'SELECT count(*) FROM dp.budgets WHERE closed')" 00
