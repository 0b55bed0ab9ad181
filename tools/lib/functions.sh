# The table of functions in docs/plain-sql/expressions.md. Sourced by tools/reference and test/fault/reference.sh, after tools/lib/common.sh.

FUNCTIONS_PAGE=docs/plain-sql/expressions.md

# with_functions: prints the page with the table as the database in use, which has the extension, answers today.
with_functions() {
  local table
  table=$(sql -f "$ROOT/tools/lib/functions.sql") || return
  FUNCTIONS=$table awk '
    /^<!-- functions, by tools\/reference -->$/ { print; print ENVIRON["FUNCTIONS"]; inside = 1 }
    /^<!-- end -->$/ { inside = 0 }
    !inside { if ($0 !~ /^<!-- functions,/) print }
  ' "$ROOT/$FUNCTIONS_PAGE"
}
