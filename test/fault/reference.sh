#!/usr/bin/env bash
# docs/reference.md says what the catalogue says; and what it is compared with notices a changed comment.
set -euo pipefail
. tools/lib/common.sh

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
