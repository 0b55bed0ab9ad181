#!/usr/bin/env bash
# Every question of the SQL tests, by whomever it is asked there, also through EXPLAIN, dp.private_form, dp.cost, dp.admissible, PREPARE, a
# cursor, a table made of it, a view, SQL functions of both styles and a rule: what is answered is answered so, too, what dp.private_form
# shows runs and answers the same, and nothing ends the server or is a fault of ours (test/support/previews.sql).
#
# Arguments: names of tests in sql/; "all" for those of both schedules, which takes minutes. Without any: a few of those with most
# kinds of questions.
set -euo pipefail

few=(plain_top plain_subqueries guard_query_shapes)
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
PATH=$PG_BIN:$PATH
names=("$@")
((${#names[@]} > 0)) || names=("${few[@]}")
[[ ${names[0]} != all ]] || mapfile -t names < <(awk '/^test:/ { for (i = 2; i <= NF; ++i) if ($i != "setup") print $i }' test/schedule test/schedule_slow)
database=${PGDATABASE}_previews
work=$(mktemp -d)
trap 'rm -rf "$work"; psql -Xqc "DROP DATABASE IF EXISTS $database WITH (FORCE)" 2>/dev/null' EXIT
status=0

for name in "${names[@]}"; do
  psql -Xq -c 'SET client_min_messages = error' -c "DROP DATABASE IF EXISTS $database WITH (FORCE)" -c "CREATE DATABASE $database"
  psql -Xq -d "$database" -o /dev/null -f sql/setup.sql >/dev/null 2>&1
  psql -Xq -d "$database" -v ON_ERROR_STOP=1 -f test/support/previews.sql
  python3 test/support/previews.py <"sql/$name.sql" >"$work/$name.sql"
  questions=$(grep -c 'previews.judge' "$work/$name.sql" || true)
  # From its own folder, as pg_regress runs it: what it reads lies in test/support.
  (cd sql && PGOPTIONS='-c statement_timeout=60s' timeout 600 psql -Xq -d "$database" -v VERBOSITY=verbose -f "$work/$name.sql") >"$work/out" 2>"$work/messages" </dev/null || {
    echo "$name: psql ended with $?"
    status=1
  }
  sed -n 's/^.*WARNING:  [0-9A-Z]*: preview: //p' "$work/messages" | sort -u >"$work/found"
  echo "$name: $questions questions, $(wc -l <"$work/found") of them with something wrong"
  [[ ! -s $work/found ]] || { status=1 && cat "$work/found"; }
  if grep -q 'server closed the connection' "$work/messages"; then
    status=1
    grep -m 1 -B 2 'server closed the connection' "$work/messages"
    sleep 2
  fi
done
exit $status
