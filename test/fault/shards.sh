#!/usr/bin/env bash
# A protected table whose rows are on another server, which is stopped, killed, slow, changed and broken while it is asked: errors that name
# the server, in the same words each time, for a charge that is kept and an account that stays open; what else it says goes to the
# circuit breaker. Nothing is sent to it before the charge, and its own text reaches nobody.
set -euo pipefail
. "$(dirname "$0")/../../tools/lib/common.sh"

folder=$(as_server mktemp -d /tmp/pg_dp.shards.XXXXXX)
helper=
clean_up() {
  [[ -z $helper ]] || kill "$helper" 2>/dev/null || true
  as_server "$PG_BIN/pg_ctl" -D "$folder/data" -s -w -m immediate stop || true
  as_server rm -rf "$folder"
}
trap clean_up EXIT
as_server chmod 755 "$folder"
as_server "$PG_BIN/initdb" -D "$folder/data" -U postgres -A trust -E UTF8 --locale=C --no-sync >/dev/null
printf '%s\n' "listen_addresses = ''" "log_statement = all" 'fsync = off' "log_line_prefix = '%a '" "shared_preload_libraries = 'pg_dp'" \
  "$(sql -At -c "SELECT format('%s = %L', name, setting) FROM pg_settings WHERE name IN ('extension_destdir', 'extension_control_path', 'dynamic_library_path')")" | as_server tee -a "$folder/data/postgresql.conf" >/dev/null
start_shard() { as_server "$PG_BIN/pg_ctl" -D "$folder/data" -l "$folder/log" -s -w -o "-k $folder -p $PORT" start; }
stop_shard() { as_server "$PG_BIN/pg_ctl" -D "$folder/data" -s -w -m "${1:-fast}" stop; }
start_shard

there() { PGHOST=$folder PGPORT=$PORT PGDATABASE=postgres PGAPPNAME=helper sql -At "$@"; }
here() { sql -At "$@"; }

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

expect() { [[ $2 == "$3" ]] || { echo "$1: is '$2', not '$3'"; exit 1; }; }

# ask [SQL]: the answer, or all that the asker is told.
as_ana='SET ROLE regress_shards_ana'
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
before=$(charges)
answers 'at first'

# Nothing is sent before the charge, nor for a look at the price.
lines() { grep -c '^coordinator ' "$folder/log" || true; }
sent=$(lines)
((sent > 0)) || { echo 'the other server did not log what it was asked'; exit 1; }
told=$("$PG_BIN/psql" -X -q -At -v VERBOSITY=sqlstate -c 'SET ROLE regress_shards_poor' -c "$question" 2>&1 || true)
expect 'a question beyond the budget' "$told" 'ERROR:  DP001'
ask "EXPLAIN $question" >/dev/null
here -c "SELECT epsilon FROM dp.cost(\$\$ $question \$\$)" >/dev/null
expect 'what was sent without a charge' "$(lines)" "$sent"
here -c "ALTER TABLE ev RENAME COLUMN n TO m; ALTER TABLE ev RENAME COLUMN m TO n" # plans are made anew
expect 'what was sent for other DDL' "$(lines)" "$sent"

# Unreachable, and back.
stop_shard
fails 'a stopped server' "$lost" "$(ask)"
start_shard
answers 'started again'

# A mapping that is gone, a table of another name.
here -c 'DROP USER MAPPING FOR CURRENT_USER SERVER elsewhere'
fails 'no user mapping' "$lost" "$(ask)"
here -c "CREATE USER MAPPING FOR CURRENT_USER SERVER elsewhere OPTIONS (user 'reader', password_required 'false')"
there -c 'REVOKE SELECT ON ev FROM reader; ALTER TABLE ev RENAME TO away'
fails 'no table' "$differs" "$(ask)"
there -c 'ALTER TABLE away RENAME TO ev; GRANT SELECT ON ev TO reader'

# Other types there; and row security, which hides rows from the reader.
there -c 'ALTER TABLE ev ALTER n TYPE bigint'
fails 'another type' "$differs" "$(ask)"
there -c 'ALTER TABLE ev ALTER n TYPE int; ALTER TABLE ev ENABLE ROW LEVEL SECURITY'
fails 'row security' "$differs" "$(ask)"
there -c 'ALTER TABLE ev DISABLE ROW LEVEL SECURITY'
answers 'as it was'

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

# Slow there, and slow here.
there -c "ALTER ROLE reader SET statement_timeout = '200ms'"
hold
fails 'a time limit there' "$ended" "$(ask)"
there -c "ALTER ROLE reader RESET statement_timeout; ALTER ROLE reader SET lock_timeout = '200ms'"
fails 'a lock there' "$ended" "$(ask)"
there -c "ALTER ROLE reader RESET lock_timeout"
expect 'a time limit here' "$(ask "SET statement_timeout = '300ms'; $question")" 'ERROR:  57014: canceling statement due to statement timeout'
expect 'a time limit here: charges' "$(charges)" "$((before + 1))"
before=$(charges)

# Cancelled, ended and killed while it is asked.
for what in cancel terminate; do
  ask >"$BUILD/shards.told" &
  there -c "SELECT pg_${what}_backend($(waiting))" >/dev/null
  wait $!
  fails "$what there" "$([[ $what == cancel ]] && echo "$ended" || echo "$lost")" "$(<"$BUILD/shards.told")"
done
ask >"$BUILD/shards.told" &
kill -9 "$(waiting)"
wait $!
release
fails 'killed there' "$(grep -q 'did not answer' "$BUILD/shards.told" && sed -n 's/^DETAIL:  //p' "$BUILD/shards.told")" "$(<"$BUILD/shards.told")"
until there -c 'SELECT 1' >/dev/null 2>&1; do sleep 0.1; done
answers 'recovered there'

# The other server goes away after the answer, before the end of the transaction.
coproc asking { "$PG_BIN/psql" -X -q -At -v VERBOSITY=verbose 2>&1; }
asker=$asking_PID
exec {from_asker}<&"${asking[0]}"
echo "$as_ana; BEGIN; $question;" >&"${asking[1]}"
read -r told <&"$from_asker"
expect 'within a transaction' "$told" 1500
before=$(charges)
stop_shard immediate
echo 'COMMIT; \q' >&"${asking[1]}"
told=$(grep -v '^LOCATION' <&"$from_asker" || true)
expect 'the end of the transaction' "${told#ERROR:  08006: }" 'a server that this transaction has asked did not end its part of it'
wait "$asker" || true
start_shard
answers 'after that'

# This server is killed between the charge and the answer.
hold
ask >/dev/null 2>&1 &
waiting >/dev/null
kill -9 "$(here -c "SELECT pid FROM pg_stat_activity WHERE query LIKE '%dp_count%' AND pid <> pg_backend_pid() LIMIT 1")"
wait $! || true
release
until here -c 'SELECT 1' >/dev/null 2>&1; do sleep 0.1; done
expect 'killed here: charges' "$(charges)" "$((before + 1))"
before=$(charges)
answers 'recovered here'

# It makes parts of answers: nothing is sent before the charge, it is killed meanwhile, and what it makes up is no part.
here -c "ALTER SERVER elsewhere OPTIONS (ADD extensions 'pg_dp'); CREATE FOREIGN TABLE whole (id int, n int) SERVER elsewhere OPTIONS (schema_name 'public', table_name 'ev');
  SELECT dp.protect('whole', 9e9), dp.grant_budget('whole', 'regress_shards_ana', 9e9, allow_leaks => true), dp.grant_budget('whole', 'regress_shards_poor', 1, allow_leaks => true)" \
  >/dev/null 2>&1 && { echo 'protected without pg_dp there'; exit 1; }
there -c 'CREATE EXTENSION pg_dp; GRANT USAGE ON SCHEMA dp_internal TO reader'
here -c "ALTER SERVER elsewhere OPTIONS (ADD extensions 'pg_dp'); CREATE FOREIGN TABLE whole (id int, n int) SERVER elsewhere OPTIONS (schema_name 'public', table_name 'ev');
  SELECT dp.protect('whole', 9e9), dp.grant_budget('whole', 'regress_shards_ana', 9e9, allow_leaks => true), dp.grant_budget('whole', 'regress_shards_poor', 1, allow_leaks => true)" >/dev/null
of_whole="SELECT dp_count('*', 1e6) FROM whole"
expect 'parts' "$(ask "$of_whole")" 1000
grep -q 'SELECT dp_internal.shard_part' "$folder/log" || { echo 'no parts were asked for'; exit 1; }
sent=$(lines)
told=$("$PG_BIN/psql" -X -q -At -v VERBOSITY=sqlstate -c 'SET ROLE regress_shards_poor' -c "$of_whole" 2>&1 || true)
expect 'parts beyond the budget' "$told" 'ERROR:  DP001'
ask "EXPLAIN $of_whole" >/dev/null
expect 'what was sent for parts without a charge' "$(lines)" "$sent"
hold
ask "$of_whole" >"$BUILD/shards.told" &
kill -9 "$(waiting)"
wait $!
release
grep -q 'DP008: server elsewhere' "$BUILD/shards.told" || { cat "$BUILD/shards.told"; exit 1; }
until there -c 'SELECT 1' >/dev/null 2>&1; do sleep 0.1; done
expect 'parts again' "$(ask "$of_whole")" 1000
forged='\x647073010200000001005f70645f67700000000000000010' # a count of more rows than there can be
there -c "ALTER AGGREGATE dp_internal.shard_part(VARIADIC \"any\") RENAME TO true_part;
  CREATE FUNCTION dp_internal.forge(bytea, VARIADIC \"any\") RETURNS bytea LANGUAGE internal IMMUTABLE AS 'varchar';
  CREATE AGGREGATE dp_internal.shard_part(VARIADIC \"any\") (SFUNC = dp_internal.forge, STYPE = bytea, INITCOND = '$forged')"
expect 'what is made up' "$(there -c "SELECT dp_internal.shard_part('*', 1::float8, 'dp_count(any,float8)'::text) FROM ev")" "$forged"
told=$(ask "$of_whole")
[[ $told == 'ERROR:  DP005: '* ]] || { echo "a part that is made up: $told"; exit 1; }
here -c "SELECT dp.reopen('whole', 'regress_shards_ana'); ALTER SERVER elsewhere OPTIONS (DROP extensions)" >/dev/null
before=$(charges)

# What else it says is not told: a row whose value has lost its chunks.
there -c "DO \$\$
DECLARE
    toast regclass := (SELECT reltoastrelid FROM pg_class WHERE oid = 'ev'::regclass);
    chunks tid[];
BEGIN
    EXECUTE 'SELECT array_agg(ctid) FROM ' || toast INTO chunks;
    PERFORM heap_force_kill(toast, chunks);
END
\$\$"
told=$(ask "SELECT dp_count('*', 1e6) FROM ev WHERE note > 'b'")
[[ $told == 'ERROR:  DP005: '* ]] || { echo "an error of a row: $told"; exit 1; }
grep -qiE 'remote|chunk|elsewhere|socket' <<<"$told" && { echo "an error of a row tells: $told"; exit 1; }
expect 'an error of a row: closed' "$(here -c "SELECT bool_or(closed) FROM dp.budgets WHERE relation = 'ev'::regclass")" t
grep -q 'missing chunk' "$folder/log" || { echo 'the other server did not fail as it was to'; exit 1; }
