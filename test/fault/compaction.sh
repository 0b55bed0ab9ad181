#!/usr/bin/env bash
# A ledger that was compacted: a crash in the middle leaves it as it was, one right after the commit leaves all of it or nothing, and a dump
# carries the sums. What is spent is the same throughout, and charges go on.
set -euo pipefail
. "$(dirname "$0")/../support/restore.sh"

dumped_roles=compact_ana
data=$(sql -At -c 'SHOW data_directory')

# crash: the server is gone at once, and started again.
crash() {
  as_server "$PG_BIN/pg_ctl" -D "$data" -s -w -m immediate stop
  as_server "$PG_BIN/pg_ctl" -D "$data" -l "$data/../log" -s -w -o "-k $PGHOST -p $PGPORT" start
}

books() { sql -At -d "$1" -c 'SELECT relation, role, epsilon_spent, delta_spent, charges FROM dp.budgets ORDER BY relation::text, role::text'; }
rows() { sql -At -d "$1" -c "SELECT kind, count(*) FROM dp.ledger GROUP BY kind ORDER BY kind"; }

sql >/dev/null <<'SQL'
CREATE ROLE compact_ana;
CREATE TABLE t AS SELECT i FROM generate_series(1, 10) i;
CREATE TABLE u AS SELECT i FROM generate_series(1, 10) i;
GRANT SELECT ON t, u TO compact_ana;
SELECT dp.protect('t', 1000, 1e-3), dp.protect('u', 1000);
SELECT dp.grant_budget('t', 'compact_ana', 100, 1e-3);
SET ROLE compact_ana;
SQL
for _ in 1 2 3 4 5; do
  sql -c 'SET ROLE compact_ana' -c "SELECT dp_count('*', 0.1), dp_sum(i, 0, 9, 0.2, 'gaussian(delta=1e-6)') FROM t" \
    -c "SELECT dp_count('*', 0.3) FROM u" -c 'RESET ROLE' -c "SELECT dp_count('*', 0.5) FROM t" >/dev/null
done
expect charged "$(books "$PGDATABASE")" $'t|compact_ana|1.5|0.000005|5\nt||4|0.000005|10\nu||1.5|0|5'
before=$(rows "$PGDATABASE")

# In the middle, with a charge beside it.
coproc compacting { "$PG_BIN/psql" -X -q -At 2>&1; }
echo "BEGIN; SELECT dp.compact_ledger('infinity');" >&"${compacting[1]}"
read -r folded <&"${compacting[0]}"
expect folded "$folded" 15
expect 'carried by now' "$(rows "$PGDATABASE")" "$before"
sql -c "SELECT dp_count('*', 1) FROM u" >/dev/null
crash
expect 'rows after a crash' "$(rows "$PGDATABASE")" 'query|16'
expect 'books after a crash' "$(books "$PGDATABASE")" $'t|compact_ana|1.5|0.000005|5\nt||4|0.000005|10\nu||2.5|0|6'
sql -c "SELECT dp_count('*', 1) FROM u" >/dev/null

# Right after a commit that nobody has flushed.
sql -c 'SET synchronous_commit = off' -c "SELECT dp.compact_ledger('infinity')" >/dev/null
crash
expect 'books after a commit' "$(books "$PGDATABASE")" $'t|compact_ana|1.5|0.000005|5\nt||4|0.000005|10\nu||3.5|0|7'
case $(rows "$PGDATABASE") in
'carried|4' | 'query|17') ;;
*) rows "$PGDATABASE"; exit 1 ;;
esac
sql -c "SELECT dp_count('*', 1) FROM u" -c "SELECT dp.compact_ledger('infinity')" -c "SELECT dp_count('*', 1) FROM u" >/dev/null
expect 'rows that are left' "$(rows "$PGDATABASE")" $'carried|4\nquery|1'

# In a dump.
"$PG_BIN/pg_dump" -Fc -f "$work/dump"
fresh
restore
expect 'restored rows' "$(rows "$restored")" $'carried|4\nquery|1'
expect 'restored books' "$(books "$restored")" "$(books "$PGDATABASE")"
message=$(sql -v VERBOSITY=verbose -d "$restored" -c "SELECT dp_count('*', 1) FROM u" 2>&1) && { echo 'charged unconfirmed'; exit 1; }
grep -q '^ERROR:  DP007:' <<<"$message" || { echo "$message"; exit 1; }
confirm
sql -d "$restored" -c "SELECT dp_count('*', 1) FROM u" >/dev/null
expect 'charged on' "$(sql -At -d "$restored" -c "SELECT epsilon_spent, charges FROM dp.budgets WHERE relation = 'u'::regclass")" '6.5|10'
sql -d "$restored" -c "SELECT dp.compact_ledger('infinity')" -c "SELECT dp_count('*', 1) FROM u" >/dev/null
expect 'compacted again' "$(rows "$restored")" $'carried|4\nquery|1'
expect 'told' "$(sql -At -d "$restored" -c 'SELECT before IS NULL, folded, carried FROM dp.ledger_compaction ORDER BY number DESC LIMIT 2')" $'f|2|4\nt|0|4'
