#!/usr/bin/env bash
# A plan that would fail at the first row, because a column in it has not the type that its table says or because a row is too wide, is
# stopped before the charge: with the same words whether or not there is a row, and with what it was in the server's log alone.
set -euo pipefail
. "$(dirname "$0")/../../tools/lib/common.sh"

library=$PGDATA/bend_plan.so
gcc -shared -fPIC -Wall -Werror -I"$("$PG_BIN/pg_config" --includedir-server)" -o "$library" "$ROOT/test/support/bend_plan.c"
chmod a+r "$library"

fail() { printf '%s:\n%s\n' "$1" "$2"; exit 1; }
expect() { [[ $1 == "$2" ]] || fail "$3 is not as expected" "$1"; }

clean_up() {
  sql -c 'SET dp.allow_drop = on; DROP TABLE t; DROP ROLE bent_ana'
}
trap clean_up EXIT
sql -c 'CREATE ROLE bent_ana; CREATE TABLE t AS SELECT i, (i % 5)::varchar(9) AS word FROM generate_series(1, 1000) i' \
  -c "SELECT dp.protect('t', 1e9), dp.grant_budget('t', 'bent_ana', 1e9, allow_leaks => true)" >/dev/null 2>&1

# asked WAY COLUMN QUESTION: all that the client is told.
asked() {
  sql -At -v ON_ERROR_STOP=0 <<SQL 2>&1
LOAD '$library';
SET bend.place = 't.$2'; SET bend.way = '$1'; SET ROLE bent_ana;
\set VERBOSITY verbose
$3;
SQL
}

ledger() { sql -At -c 'SELECT count(*) FROM dp.ledger' -c 'SELECT count(*) FROM dp.budgets WHERE closed'; }

expect "$(asked none i "SELECT dp_count('*', 1e6) FROM t WHERE i > 4")" 996 'the answer of a plan that is not bent'
before=$(ledger)
logged=$(wc -l <"$PGDATA/../log")
words='the plan of a private query is not in order'
# The last word is that of the log.
while IFS='|' read -r way column question log; do
  there=$(asked "$way" "$column" "${question/NUMBER/4}")
  not_there=$(asked "$way" "$column" "${question/NUMBER/4000}")
  [[ $there == *"XX000: $words"*'Nothing was charged'* ]] || fail "$way: not stopped" "$there"
  expect "$not_there" "$there" "$way: what is told where there is no row"
  [[ $there != *' node'* && $there != *'of type'* ]] || fail "$way: the client is told too much" "$there"
  grep -q "would have failed: .*$log" < <(tail -n "+$((logged + 1))" "$PGDATA/../log") || fail "$way: not in the log" "$log"
done <<'WAYS'
type|i|SELECT dp_count('*', 1) FROM t WHERE i = NUMBER|it is a integer
modifier|word|SELECT dp_count('*', 1) FROM t WHERE word = 'NUMBER'|it is a character varying(9)
collation|word|SELECT dp_count('*', 1) FROM t WHERE word = 'NUMBER'|it is a character varying(9)
number|i|SELECT dp_count('*', 1) FROM t WHERE i = NUMBER|there is none
type above|i|SELECT dp_sum(i, 0, 10, 1) FROM t WHERE i = NUMBER|it has type integer
wide|i|SELECT dp_count('*', 1) FROM t WHERE i = NUMBER|has 1701 columns
WAYS
expect "$(ledger)" "$before" 'the ledger after that'
expect "$(asked none i "SELECT dp_count('*', 1e6) FROM t WHERE i > 4")" 996 'the answer after that'
