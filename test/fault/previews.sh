#!/usr/bin/env bash
# Every question of the SQL tests and of the pages, by whomever it is asked there, also through EXPLAIN, dp.private_form, dp.cost,
# dp.admissible, PREPARE, a cursor, a table made of it, a view, SQL functions of both styles and a rule: what is answered is answered so,
# too, what dp.private_form shows runs and answers the same, and nothing ends the server or is a fault of ours (test/support/previews.sql).
#
#   previews.sh [NAME|PAGE|sql|pages|all]...     tests in sql/, or pages (docs/plain-sql.md): by their names, or all of them, which takes
#                                                many minutes. Without any: a few of those with most kinds of questions
set -euo pipefail
. "$(dirname "$0")/../../tools/lib/common.sh"
. "$ROOT/tools/lib/demo.sh"
. "$ROOT/tools/lib/docs.sh"

few=(plain_top plain_subqueries guard_query_shapes docs/answers.md)
cd "$ROOT"
PATH=$PG_BIN:$PATH
database=${PGDATABASE}_previews
work=$(mktemp -d)
trap 'rm -rf "$work"; sql -d postgres -c "DROP DATABASE IF EXISTS $database WITH (FORCE)" -c "DROP DATABASE IF EXISTS docs_demo" -c "DROP DATABASE IF EXISTS docs_dashboards" 2>/dev/null' EXIT
status=0

# meant WORD...: prints the tests and pages.
meant() {
  local word
  for word in "$@"; do
    case $word in
      all) meant sql pages ;;
      sql) awk '/^test:/ { for (i = 2; i <= NF; ++i) if ($i != "setup") print $i }' test/schedule test/schedule_slow ;;
      pages) documentation_pages ;;
      *) echo "$word" ;;
    esac
  done
}

# make_ready NAME: the database that the test or the page wants, and its script. Fails where there is none.
make_ready() {
  sql -d postgres -c 'SET client_min_messages = error' -c "DROP DATABASE IF EXISTS $database WITH (FORCE)"
  if [[ $1 == *.md ]]; then
    sql_of_page "$1" >"$work/script.sql"
    grep -q . "$work/script.sql" || return
    (($(sql -d postgres -At -c "SELECT count(*) FROM pg_database WHERE datname = 'docs_demo'") == 1)) || make_docs_templates
    copy_docs_database "$database" "$1"
  else
    cp "sql/$1.sql" "$work/script.sql"
    sql -d postgres -c "CREATE DATABASE $database"
    psql -Xq -d "$database" -o /dev/null -f sql/setup.sql >/dev/null 2>&1
  fi
  sql -d "$database" -f test/support/previews.sql
}

mapfile -t names < <(meant "${@:-${few[@]}}")
for name in "${names[@]}"; do
  make_ready "$name" || continue
  python3 test/support/previews.py <"$work/script.sql" >"$work/judged.sql"
  questions=$(grep -c 'previews.judge' "$work/judged.sql" || true)
  # From the tests' own folder, as pg_regress runs them: what they read lies in test/support.
  (cd sql && PGOPTIONS='-c statement_timeout=60s' timeout 900 psql -Xq -d "$database" -v VERBOSITY=verbose -f "$work/judged.sql") \
    >"$work/out" 2>"$work/messages" </dev/null || {
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
  [[ $name != *.md ]] || { sql -d postgres -c "DROP DATABASE $database WITH (FORCE)" && drop_roles_of_pages; } 2>/dev/null || true
done
exit $status
