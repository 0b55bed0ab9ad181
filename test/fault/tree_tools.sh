#!/usr/bin/env bash
# What the tools of src/guard/tree make of random queries is a valid tree, and answers what the query does.
# Arguments: how many queries (150), and a seed (0.5).
set -euo pipefail
. "$(dirname "$0")/../../tools/lib/common.sh"

objects=$BUILD/extension$PG_SUFFIX/src
library=$(as_server mktemp -d /tmp/pg_dp.tree_tools.XXXXXX)
trap 'rm -rf "$library"' EXIT
g++ -std=gnu++20 -g1 -shared -fPIC -fno-math-errno -Wno-register -Wno-volatile -I"$ROOT/src" -I"$("$PG_BIN/pg_config" --includedir-server)" \
  "$ROOT/test/support/tree_tools.cpp" "$objects"/guard/tree/*.o "$objects/guard/preview/printable.o" "$objects/pg/joins.o" -o "$library/tree_tools.so"
chmod -R a+rX "$library"

sql -v library="$library/tree_tools" -f "$ROOT/test/support/tree_tools.sql" >/dev/null
sql -c "SELECT setseed(${2:-0.5})" -c "CALL try(${1:-150})" >/dev/null
# Each change was made often.
rare=$(sql -At -c "SELECT change, count(*) FILTER (WHERE applied) FROM tried GROUP BY 1 HAVING count(*) FILTER (WHERE applied) < ${1:-150} / 3")
[[ -z $rare ]] || { echo "too few were possible: $rare"; exit 1; }
