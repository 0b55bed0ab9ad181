# For tests of tables whose rows are on another server, sourced: that server, a protected table with rows there and here, who asks, and what
# an asker is told. The other server is $folder, ended with the test.
log_line_prefix='%a '
. "$(dirname "${BASH_SOURCE[0]}")/other_server.sh"

there -c "CREATE ROLE reader LOGIN; CREATE TABLE ev (id int, n int, note text COLLATE \"C\"); ALTER TABLE ev ALTER note SET STORAGE EXTERNAL;
  INSERT INTO ev SELECT i, i % 10, CASE WHEN i = 77 THEN repeat('z', 3000) ELSE 'a' END FROM generate_series(1, 1000) i;
  CREATE EXTENSION pg_surgery; GRANT SELECT ON ev TO reader"
here -c "CREATE EXTENSION postgres_fdw; CREATE ROLE regress_shards_ana; CREATE ROLE regress_shards_poor;
  CREATE SERVER elsewhere FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '$folder', port '$PORT', dbname 'postgres', application_name 'coordinator');
  CREATE USER MAPPING FOR CURRENT_USER SERVER elsewhere OPTIONS (user 'reader', password_required 'false');
  CREATE TABLE ev (id int, n int, note text COLLATE \"C\") PARTITION BY RANGE (id);
  CREATE FOREIGN TABLE ev1 PARTITION OF ev FOR VALUES FROM (0) TO (5000) SERVER elsewhere OPTIONS (schema_name 'public', table_name 'ev');
  CREATE TABLE ev2 PARTITION OF ev FOR VALUES FROM (5000) TO (9000); INSERT INTO ev2 SELECT i, 1, 'a' FROM generate_series(5001, 5500) i;
  SELECT dp.protect('ev', 9e9), dp.grant_budget('ev', 'regress_shards_ana', 9e9, allow_leaks => true), dp.grant_budget('ev', 'regress_shards_poor', 1, allow_leaks => true)" >/dev/null

# ask [SQL]: the answer, or all that the asker is told.
as_ana='SET client_min_messages = warning; SET ROLE regress_shards_ana'
question="SELECT dp_count('*', 1e6) FROM ev"
ask() { "$PG_BIN/psql" -X -q -At -v VERBOSITY=verbose -c "$as_ana" -c "${1:-$question}" 2>&1 | grep -v '^LOCATION' || true; }
charges() { here -c "SELECT count(*) FROM dp.ledger WHERE relation = 'ev'::regclass AND role = 'regress_shards_ana'::regrole"; }
said=$(printf '%s\n' 'ERROR:  DP008: server elsewhere, which has rows of table ev, did not answer' 'DETAIL:  %s' \
  "HINT:  What was charged stays charged. Ask a curator, who finds the reason in the server's log.")
lost='It could not be asked, or the connection to it was lost.'
ended='It ended the question: by a time limit, a cancel, a shutdown or too many connections.'
differs='Its table is not what the foreign table here says of it.'

# fails WHAT DETAIL TOLD: what was told is that, for a charge; and the account is open.
fails() {
  # shellcheck disable=SC2059
  expect "$1" "$3" "$(printf "$said" "$2")"
  expect "$1: charges" "$(charges)" "$((before + 1))"
  expect "$1: closed" "$(here -c "SELECT bool_or(closed) FROM dp.budgets WHERE relation = 'ev'::regclass")" f
  before=$(charges)
}
answers() {
  expect "$1" "$(ask)" 1500
  expect "$1: charges" "$(charges)" "$((before + 1))"
  before=$(charges)
}

# hold [MODE]: a session there that locks the table until release.
hold() {
  coproc holding { PGHOST=$folder PGPORT=$PORT PGDATABASE=postgres PGAPPNAME=helper "$PG_BIN/psql" -X -q -At 2>&1; }
  helper=$holding_PID
  echo "BEGIN; LOCK TABLE ev; SELECT 'held';" >&"${holding[1]}"
  read -r _ <&"${holding[0]}"
}
release() {
  kill "$helper" 2>/dev/null || true
  wait "$helper" 2>/dev/null || true
  helper=
}
# waiting: the number of the process there that waits for the lock.
waiting() {
  local pid=
  until [[ -n $pid ]]; do
    pid=$(there -c "SELECT pid FROM pg_stat_activity WHERE application_name = 'coordinator' AND wait_event_type = 'Lock'")
    sleep 0.05
  done
  echo "$pid"
}
