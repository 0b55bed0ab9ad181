#!/usr/bin/env bash
# The check of query trees (src/guard/tree) by itself: trees as PostgreSQL makes them pass, and each way of breaking one is noticed, and
# named. Trees are broken as text: PostgreSQL writes and reads them. What is read by number (by_number.h) is there, or it is a fault.
set -euo pipefail
. "$(dirname "$0")/../../tools/lib/common.sh"

folder=$(server_folder check-broken-trees)
objects=$BUILD/extension$PG_SUFFIX/src/guard/tree
g++ -std=gnu++20 -O1 -fPIC -shared -Wno-register -I "$ROOT/src" -I "$("$PG_BIN/pg_config" --includedir-server)" \
  -o "$folder/query_trees.so" "$ROOT/test/support/query_trees.cpp" "$objects"/{by_number,tree_check,tree_entries,entry_columns,fault}.o
chmod 755 "$folder" "$folder/query_trees.so"

sql -v module="$folder/query_trees.so" -f "$ROOT/test/support/broken_trees.sql" >"$folder/out" 2>&1 || { cat "$folder/out"; exit 1; }
! grep -v '^ *$' "$folder/out"
