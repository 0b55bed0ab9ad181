#!/usr/bin/env bash
# A publication of all tables, which the extension's are among: charges and stored noise are not sent. A subscriber that begins by a
# copy has the ledger of another server, and charges nothing before it is confirmed. dp.check() tells.
set -euo pipefail
. "$(dirname "$0")/../../tools/lib/common.sh"

[[ -e $("$PG_BIN/pg_config" --pkglibdir)/test_decoding.so ]] || { echo 'without test_decoding'; exit 0; }

expect() {
  [[ $1 == "$2" ]] || { echo "$3: is '$1', not '$2'"; exit 1; }
}

restart() {
  as_server "$PG_BIN/pg_ctl" -D "$PGDATA" -s -w -m fast stop
  as_server "$PG_BIN/pg_ctl" -D "$PGDATA" -l "$PGDATA/../log" -s -w -o "-k $PGHOST -p $PGPORT" start
}

# What of it stays with the server otherwise.
clean_up() {
  sql -d subscriber -c 'ALTER SUBSCRIPTION here DISABLE' -c 'ALTER SUBSCRIPTION here SET (slot_name = NONE)' -c 'DROP SUBSCRIPTION here'
  sql -d postgres -c 'DROP DATABASE IF EXISTS subscriber'
  restart # nobody is sent anything any more
  sql -d postgres -c 'SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots' -c 'ALTER SYSTEM RESET wal_level' >/dev/null
  restart
}

trap clean_up EXIT
sql -c 'ALTER SYSTEM SET wal_level = logical'
restart
publisher=$PGDATABASE

sql -c "CREATE TABLE t (i int PRIMARY KEY); INSERT INTO t SELECT generate_series(1, 10); CREATE TABLE u (LIKE t INCLUDING ALL)" \
  -c "SELECT dp.protect('t', 10); SELECT dp_count('*', 1) FROM t" -c 'CREATE PUBLICATION everything FOR ALL TABLES' \
  -c "SELECT pg_create_logical_replication_slot('sent', 'pgoutput')" -c "SELECT pg_create_logical_replication_slot('seen', 'test_decoding')" >/dev/null 2>&1
expect "$(sql -At -c "SELECT finding FROM dp.check() WHERE finding LIKE 'publication %' ORDER BY 1")" \
  'publication everything sends budgets, and to a new subscriber the ledger and stored noise
publication everything sends the rows of public.t to its subscribers' 'what dp.check() says'

# What it is sent, once it is there: rows and budgets, no charge, and nothing of releases, whatever becomes of them.
sql -d postgres -c 'CREATE DATABASE subscriber'
sql -d subscriber -c 'CREATE EXTENSION pg_dp; CREATE TABLE t (i int PRIMARY KEY); CREATE TABLE u (LIKE t INCLUDING ALL)' \
  -c "CREATE SUBSCRIPTION here CONNECTION 'host=$PGHOST port=$PGPORT user=postgres dbname=$publisher' PUBLICATION everything WITH (create_slot = false, slot_name = 'sent')" >/dev/null
# soon COMMAND...: waits until it succeeds; a subscriber that has stopped never comes so far.
soon() {
  local end=$((SECONDS + 180))
  while ((SECONDS < end)); do "$@" && return || sleep 0.1; done
  cat "$PGDATA/../log"
  exit 1
}
is_ready() { [[ $(sql -At -d subscriber -c "SELECT count(*) > 0 AND bool_and(srsubstate = 'r') FROM pg_subscription_rel") == t ]]; }
soon is_ready
sql -c "SELECT dp_count('*', 2) FROM t" -c 'SELECT relax_release(max(release_id), 3) FROM dp.releases' -c "SELECT dp.protect('u', continues => 't')" \
  -c "SELECT dp.forget_releases('0 s')" -c 'INSERT INTO t VALUES (11)' >/dev/null 2>&1
has_row() { [[ $(sql -At -d subscriber -c 'SELECT count(*) FROM t') == 11 ]]; }
soon has_row
expect "$(sql -At -d subscriber -c 'SELECT relation, epsilon_limit, epsilon_spent FROM dp.budgets')" 'u|10|0' 'budgets of the subscriber'
expect "$(sql -At -c 'SELECT relation, epsilon_limit, epsilon_spent FROM dp.budgets')" 'u|10|4' 'budgets of the publisher'
seen=$(sql -At -c "SELECT data FROM pg_logical_slot_get_changes('seen', NULL, NULL)" | grep -v '(no-tuple-data)' | grep -o '^table [^:]*: [A-Z]*' | sort -u)
expect "$seen" 'table dp.protected_table: DELETE
table dp.protected_table: INSERT
table public.t: INSERT' 'what is sent'

# What it was given at its beginning is another server's ledger.
message=$(sql -d subscriber -c "SELECT dp_count('*', 1) FROM u" 2>&1) && { echo 'a subscriber charges'; exit 1; }
grep -q 'the ledger of pg_dp is in doubt' <<<"$message" || { echo "$message"; exit 1; }
