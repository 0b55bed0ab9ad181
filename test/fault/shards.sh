#!/usr/bin/env bash
# A protected table whose rows are on another server, which is stopped, killed, slow, changed and broken while it is asked: errors that name
# the server, in the same words each time, for a charge that is kept and an account that stays open; what else it says goes to the
# circuit breaker. Nothing is sent to it before the charge, and its own text reaches nobody.
set -euo pipefail
. "$(dirname "$0")/../support/shards.sh"

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
stop_there
fails 'a stopped server' "$lost" "$(ask)"
start_there
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
stop_there immediate
echo 'COMMIT; \q' >&"${asking[1]}"
told=$(grep -v '^LOCATION' <&"$from_asker" || true)
expect 'the end of the transaction' "${told#ERROR:  08006: }" 'a server that this transaction has asked did not end its part of it'
wait "$asker" || true
start_there
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
# forged AGGREGATE TYPE VALUE: that aggregate of the other server gives that value, whatever its rows are. Gone with "true_again".
forge_as() { there -c "CREATE FUNCTION dp_internal.forge_$1($2, VARIADIC \"any\") RETURNS $2 LANGUAGE internal IMMUTABLE AS '$3'" -c "CREATE FUNCTION
  dp_internal.forge_$1($2, anyelement, VARIADIC \"any\") RETURNS $2 LANGUAGE internal IMMUTABLE AS '$3'"; }
forge_as bytea bytea varchar
forge_as bigint bigint int8up
forged() {
  local arguments='VARIADIC "any"'
  [[ $1 == shard_row ]] && arguments='anyelement, VARIADIC "any"'
  there -c "ALTER AGGREGATE dp_internal.$1($arguments) RENAME TO true_$1;
    CREATE AGGREGATE dp_internal.$1($arguments) (SFUNC = dp_internal.forge_$2, STYPE = $2, INITCOND = '$3')"
}
true_again() {
  local arguments='VARIADIC "any"'
  [[ $1 == shard_row ]] && arguments='anyelement, VARIADIC "any"'
  there -c "DROP AGGREGATE dp_internal.$1($arguments); ALTER AGGREGATE dp_internal.true_$1($arguments) RENAME TO $1"
}
# breaks WHAT SQL: the question, asked of what was made up, closes the account; and is opened again.
breaks() {
  local told
  told=$(ask "$2")
  [[ $told == 'ERROR:  DP005: '* ]] || { echo "$1: $told"; exit 1; }
  grep -qiE 'remote|elsewhere|socket|part of' <<<"$told" && { echo "$1 tells: $told"; exit 1; }
  here -c "SELECT dp.reopen('whole', 'regress_shards_ana')" >/dev/null
}
# word NUMBER: as eight bytes, the least first; words NUMBER TIMES.
word() { printf '%016x' "$1" | sed 's/\(..\)\(..\)\(..\)\(..\)\(..\)\(..\)\(..\)\(..\)/\8\7\6\5\4\3\2\1/'; }
words() {
  local i
  for ((i = 0; i < $2; ++i)); do word "$1"; done
}
count=01005f70645f6770 many=$(word $((1 << 60)))
for part in 6470730202000000${count}$(word 5) 6470730102000000${count} 6470730102000000${count}${many} 6470730102000000${count}$(word 5)00 \
  6470730102000000$(word 7)$(word 5) '' 00; do
  forged shard_part bytea "\\x$part"
  breaks "the part $part" "$of_whole"
  true_again shard_part
done
expect 'parts that are true' "$(ask "$of_whole")" 1000

# The same of each unit, where these may be here, too.
here -c "CREATE TABLE parted (id int, n int) PARTITION BY RANGE (id); CREATE TABLE p2 PARTITION OF parted FOR VALUES FROM (5000) TO (9000);
  CREATE FOREIGN TABLE p1 PARTITION OF parted FOR VALUES FROM (0) TO (5000) SERVER elsewhere OPTIONS (schema_name 'public', table_name 'ev'); INSERT INTO p2 VALUES (6000, 1);
  SELECT dp.protect('parted', 9e9, privacy_unit => 'n', max_rows_per_unit => 50), dp.grant_budget('parted', 'regress_shards_ana', 9e9, allow_leaks => true)" >/dev/null 2>&1
of_parted="SELECT dp_count('*', 1e6) FROM parted"
expect 'parts of units' "$(ask "$of_parted")" 500
forged shard_part bytea "\\x6470730102000000${count}${many}"
told=$(ask "$of_parted")
[[ $told == 'ERROR:  DP005: '* ]] || { echo "a part of a unit: $told"; exit 1; }
true_again shard_part

# The same of units, whose groups and limits it is told; and of what a limit is chosen from.
here -c "SELECT dp.protect('whole', 9e9, privacy_unit => 'id', max_rows_per_unit => 3), dp.public_values('whole', 'n', VARIADIC ARRAY(SELECT generate_series(0, 9)))" >/dev/null 2>&1
of_groups="SELECT n, dp_count('*', 1e6) FROM whole WHERE n < 2 GROUP BY n"
expect 'groups' "$(ask "$of_groups" | tr '\n' ' ')" '0|100 1|100 '
forged shard_units bytea "\\x6470730102000000${count}${many}"
breaks 'a part of units' "$of_whole"
true_again shard_units
groups=$(word 11)
for part in 6470670100000000$count$groups$(words 0 22) 6470670100000000$count$groups"$(for ((i = 0; i < 10; ++i)); do echo -n "$count$(word 1)"; done)$count$many" \
  6470670100000000$count$(word 10)"$(for ((i = 0; i < 10; ++i)); do echo -n "$count$(word 1)"; done)" 6470730102000000${count}$(word 5); do
  forged shard_row bigint 11
  forged shard_groups bytea "\\x$part"
  breaks "the part of groups $part" "$of_groups"
  true_again shard_row
  true_again shard_groups
done
forged shard_row bigint 12
forged shard_groups bytea "\\x6470670100000000$count$groups$(for ((i = 0; i < 11; ++i)); do echo -n "$count$(word 1)"; done)"
breaks 'a part of more groups' "$of_groups"
true_again shard_row
true_again shard_groups
expect 'groups that are true' "$(ask "$of_groups" | tr '\n' ' ')" '0|100 1|100 '
here -c "SELECT dp.protect('whole', 9e9, privacy_unit => 'id', limits => 'auto')" >/dev/null 2>&1
expect 'a limit that is chosen' "$(ask "$of_whole")" 1000
head=6470630100000000$count$(word 1)$(word 32)
for part in "$head$(word $((1 << 60)))$(words 0 32)$(words 0 33)$(words 0 128)" "$head$(words 0 33)$(words 0 33)$(words 0 127)$many" \
  "$head$(words 0 33)$(words $((1 << 60)) 33)$(words 0 128)" "$head$(words 0 33)"; do
  forged shard_units bytea "\\x$part"
  breaks 'a part of what a limit is chosen from' "$of_whole"
  true_again shard_units
done
expect 'a limit that is chosen again' "$(ask "$of_whole")" 1000

# Its pg_dp is of another version, then gone; it may not be used.
of_whole_ended=$(printf "${said//table ev/table whole}" 'It has no pg_dp of this version that is preloaded and may be used.')
version=$(there -c "SELECT extversion FROM pg_extension WHERE extname = 'pg_dp'")
there -c "UPDATE pg_extension SET extversion = '0.1.0' WHERE extname = 'pg_dp'"
expect 'another version there' "$(ask "$of_whole")" "$of_whole_ended"
there -c "UPDATE pg_extension SET extversion = '$version' WHERE extname = 'pg_dp'; REVOKE USAGE ON SCHEMA dp_internal FROM reader"
expect 'no right on it there' "$(ask "$of_whole")" "$of_whole_ended"
there -c 'SET client_min_messages = error; DROP EXTENSION pg_dp CASCADE' -c 'DROP SCHEMA IF EXISTS dp_internal CASCADE'
expect 'gone there' "$(ask "$of_whole")" "$of_whole_ended"
there -c 'CREATE EXTENSION pg_dp; GRANT USAGE ON SCHEMA dp_internal TO reader'
expect 'there again' "$(ask "$of_whole")" 1000
expect 'closed by another version' "$(here -c "SELECT bool_or(closed) FROM dp.budgets WHERE relation = 'whole'::regclass")" f
here -c "ALTER SERVER elsewhere OPTIONS (DROP extensions)" >/dev/null
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
