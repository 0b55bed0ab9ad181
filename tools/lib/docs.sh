# The pages that users read, as tests: what stands in them as SQL runs, as whom it is written for, and their links lead somewhere.
# Sourced by tools/check.
#
# The ```sql blocks of a page run in their order in a fresh copy of a database that tools/demo leaves behind. A page with the line
#
#   <!-- run as mia in dashboards -->
#
# runs as that role, which has no privilege that tools/demo does not give to it, and in a copy of that database. Nothing is prepared for
# it: what stands in it is all that a reader has to write. Another page runs as the superuser, in a copy of the database demo.
#
# A block marked
#
#   ```sql refused DP002
#
# has one statement, which must fail with that SQLSTATE; every other block must succeed. A block marked
#
#   ```sql as postgres
#
# runs as that role, in a session of its own; the one after it is again whose the page is. What readers of a superuser's page need not
# see, such as the roles and tables that it takes for granted, stands in a comment, which runs like a block:
#
#   <!-- sql
#   CREATE ROLE ana;
#   -->
#
# Blocks of other languages are for reading. What a ```text block shows of the ```sql block before it is compared where it does not depend on
# noise, in messages and plans; tools/pages writes all of it anew. Roles that a page
# makes are dropped after it.

# documentation_pages: prints the pages, by their paths in the checkout.
documentation_pages() {
  (cd "$ROOT" && find README.md CONTRIBUTING.md CHANGELOG.md SECURITY.md docs -name '*.md' -type f | LC_ALL=C sort)
}

# sql_of_page FILE: prints a script for psql with the same line numbers as the page, so that an error names the page's line.
sql_of_page() {
  awk '
    function begin(marks) {
      inside = 1
      refused = marks ~ /refused/ ? marks : ""
      sub(/.*refused */, "", refused)
      other = marks ~ / as / ? marks : ""
      sub(/.* as */, "", other)
      sub(/ .*/, "", other)
      print((other != "" ? "\\connect - " other " " : "") (refused != "" ? "\\set ON_ERROR_STOP off" : ""))
    }
    function end() {
      inside = 0
      print((refused != "" ? "\\echo line " NR ": expected " refused " and got :SQLSTATE \\set ON_ERROR_STOP on" : "") \
        (other != "" ? "\\connect - " role : ""))
    }
    BEGIN { role = "postgres" }
    !inside && /^<!-- run as [a-z]+ in [a-z]+ -->$/ { role = $4; print("\\connect - " role); next }
    !inside && /^ *```sql/ { begin($0); next }
    !inside && /^<!-- sql *$/ {
      if (role != "postgres") print "a page of " role " prepares something that a reader does not see"
      else begin("")
      next
    }
    inside && (/^ *```$/ || /^-->$/) { end(); next }
    { print(inside ? $0 : "") }
    END { if (inside) print "this block has no end" }
  ' "$1"
}

# database_of_page FILE: prints which of the databases of tools/demo a page is for.
database_of_page() {
  awk '/^<!-- run as [a-z]+ in [a-z]+ -->$/ { found = $6 } END { print(found != "" ? found : "demo") }' "$1"
}

# run_page PAGE DATABASE SCRIPT: in a copy of the database that the page is for. Fails, with messages, if a block does something else
# than it says.
run_page() {
  local page=$1 database=$2 script=$3 status=0
  mkdir -p "$(dirname "$script")" && sql_of_page "$ROOT/$page" >"$script" || return
  grep -qv '^\(\\connect.*\)\?$' "$script" || return 0 # it has no SQL
  copy_docs_database "$database" "$ROOT/$page"
  sql -d "$database" -v VERBOSITY=verbose -f "$script" -o "$script.answers" >"$script.marks" 2>"$script.messages" || {
    status=1
    grep -vE 'NOTICE|LOCATION' "$script.messages" | tail -n 8
  }
  awk '$4 != $7 { print; wrong = 1 } END { exit wrong }' "$script.marks" || status=1
  [[ -z $(stale_lines "$ROOT/$page" "$script") ]] || { status=1 && stale_lines "$ROOT/$page" "$script"; }
  # What forgets releases by itself may still be there (dp.forget_interval).
  sql -d postgres -c "DROP DATABASE $database WITH (FORCE)"
  drop_roles_of_pages
  return "$status"
}

# lines_to_compare: of what psql prints, messages and what EXPLAIN says, with all numbers alike: what does not depend on noise.
lines_to_compare() {
  sed -nE 's/^psql:[^ ]+ //; s/^(ERROR|WARNING|NOTICE):  [0-9A-Z]{5}: /\1:  /; s/[[:space:]]+$//; s/[0-9][0-9.]*/#/g
    /^(ERROR|WARNING|NOTICE|DETAIL|HINT):  |^ +[A-Z][A-Za-z ]+: /p' | LC_ALL=C sort -u
}

# stale_lines PAGE SCRIPT: prints the messages and plans that a page shows after its ```sql blocks, and that are not what was printed.
stale_lines() {
  awk '
    state == "shown" { if (/^```$/) state = ""; else print; next }
    state == "asked" { if (/^ *```$/) state = "answered"; next }
    /^ *```sql/ { state = "asked"; next }
    state == "answered" && /^```text/ { state = "shown"; next }
    !/^$/ { state = "" }
  ' "$1" | lines_to_compare | LC_ALL=C comm -23 - <(cat "$2.messages" "$2.answers" | lines_to_compare) |
    sed "s|^|$1 shows what is not said: |"
}

# write_outputs PAGE: each ```text block right after an ```sql block gets what the latter prints.
write_outputs() {
  local script
  script=$(mktemp)
  sql_of_page "$1" >"$script"
  copy_docs_database docs_outputs "$1"
  python3 "$ROOT/tools/lib/page_outputs.py" "$1" "$script" stdbuf -oL "$PG_BIN/psql" -X -q -P pager=off -v SHOW_CONTEXT=never -d docs_outputs
  sql -d postgres -c 'DROP DATABASE docs_outputs WITH (FORCE)'
  drop_roles_of_pages
  rm -f "$script"
}

# copy_docs_database DATABASE FILE: a fresh copy of the database that the page is for, on a server as one that is not for tests.
copy_docs_database() {
  sql -d postgres -c "CREATE DATABASE $1 TEMPLATE docs_$(database_of_page "$2") STRATEGY file_copy"
  sql -d "$1" -o /dev/null -c 'SELECT dp.confirm_ledger()' # it is a copy, and meant to be one
  sql -d postgres -c "ALTER DATABASE $1 SET dp.allow_drop = off"
}

drop_roles_of_pages() {
  sql -d postgres -At -c "SELECT format('DROP ROLE %I;', rolname) FROM pg_roles
    WHERE rolname !~ '^(pg|dp)_' AND rolname NOT IN ('postgres', 'analyst', '$DEMO_ANALYST')" | sql -d postgres
}

# The databases that tools/demo leaves behind, to be copied for each page.
make_docs_templates() {
  sql -d postgres -c 'CREATE DATABASE docs_dashboards' &&
    sql -d docs_dashboards -c 'CREATE EXTENSION pg_dp' -f "$ROOT/tools/demo-data.sql" &&
    sql -d postgres -c 'CREATE DATABASE docs_demo TEMPLATE docs_dashboards STRATEGY file_copy' &&
    PGDATABASE=docs_demo sql -o /dev/null -c 'SELECT dp.confirm_ledger()' &&
    PGDATABASE=docs_demo sql -v ON_ERROR_STOP=0 -f "$ROOT/tools/tour.sql" -f "$ROOT/tools/tour-budget.sql" >/dev/null 2>&1 &&
    PGDATABASE=docs_demo analyst_ready &&
    PGDATABASE=docs_dashboards plain_sql_ready
}

# anchors FILE: prints what a link may name behind '#': the headings, as repositories' pages spell them.
anchors() {
  sed -nE 's/^#+ +(.*)$/\1/p' "$1" | LC_ALL=C.UTF-8 sed -E 's/.*/\L&/; s/[^[:alnum:] _-]//g; s/ /-/g'
}

# broken_links PAGE: prints the links of a page within the repository that lead nowhere, and the files that it names in backquotes and
# that are not there. A file may be named without its suffix: `src/core/noise/relaxation`, `sql/guard_plan`.
broken_links() {
  local page=$1 link file anchor
  while read -r link; do
    file=${link%%#*}
    anchor=
    [[ $link != *'#'* ]] || anchor=${link#*#}
    if [[ -z $file ]]; then file=$ROOT/$page; else file=$ROOT/$(dirname "$page")/$file; fi
    if [[ ! -e $file ]]; then
      echo "$page: there is no $link"
    # All of them are read: a grep -q that ends early breaks the pipe, and the pipe counts as failed.
    elif [[ -n $anchor && -f $file ]] && ! anchors "$file" | grep -xF "$anchor" >/dev/null; then
      echo "$page: no heading for $link"
    fi
  done < <(grep -oE '\]\([^)]+\)' "$ROOT/$page" | sed -E 's/^\]\(//; s/\)$//' | grep -vE '^[a-z]+:')
  while read -r file; do
    compgen -G "$ROOT/$file" >/dev/null || compgen -G "$ROOT/$file.*" >/dev/null || echo "$page: there is no file $file"
  done < <(grep -oE '`(src|sql|test|tools|docs)/[A-Za-z0-9_./*-]+`' "$ROOT/$page" | tr -d '`' | LC_ALL=C sort -u)
}
