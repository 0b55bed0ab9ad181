#!/usr/bin/env bash
# docs/reference.md says what the catalogue says, and the table of docs/plain-sql/expressions.md what is answered; and what the former is
# compared with notices a changed comment, the latter another answer.
set -euo pipefail
. tools/lib/common.sh
. tools/lib/functions.sh

written=$(mktemp)
trap 'rm -f "$written"' EXIT
sql -f tools/lib/reference.sql >"$written"
if ! diff -u docs/reference.md "$written"; then
  echo 'docs/reference.md is stale: run tools/reference'
  exit 1
fi
sql -c "COMMENT ON FUNCTION dp.unharden() IS 'something else'"
sql -f tools/lib/reference.sql >"$written"
if diff -q docs/reference.md "$written" >/dev/null; then
  echo 'a changed COMMENT changes nothing in the reference'
  exit 1
fi

# Which functions PostgreSQL has differs from version to version: the page says those of this one.
(($(sql -At -c 'SHOW server_version_num') / 10000 == PG_MAJOR && PG_MAJOR == 15)) || exit 0
with_functions >"$written"
if ! diff -u "$FUNCTIONS_PAGE" "$written"; then
  echo "$FUNCTIONS_PAGE is stale: run tools/reference"
  exit 1
fi
sed 's/^\(| `abs(x)` |\).*$/\1 no | no | |/' "$FUNCTIONS_PAGE" | diff -q - "$written" >/dev/null && {
  echo 'another answer about abs(x) would not be noticed'
  exit 1
}
exit 0
