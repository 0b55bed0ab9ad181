#!/usr/bin/env bash
# A dump that is restored onto its own database, of data alone and with --clean, adds no entry of the ledger, no release and nothing
# else that is there already: spent stays what it was, and answers can be made more accurate as before. Where what a dump brings was
# folded meanwhile, nothing is charged before a superuser says so.
set -euo pipefail
. "$(dirname "$0")/../support/restore.sh"

dumped_roles=twice_ana

stored() {
  local table
  for table in ledger_entry ledger_compaction continued release_part release_aggregate release_keys release_level release_path \
    release_holding release_forgotten; do
    sql -At -c "SELECT '$table', count(*), sum(hashtext(to_jsonb(t)::text)::int8) FROM dp.$table AS t"
  done
  sql -At -c 'SELECT relation, role, epsilon_spent, charges FROM dp.budgets ORDER BY 1, 2'
}

# again OPTION...: what is there already meets unique keys of policies; the rest of the restore goes on.
again() {
  PGOPTIONS='-c dp.allow_drop=off' "$PG_BIN/pg_restore" -d "$PGDATABASE" "$@" "$work/dump" >"$work/said" 2>&1 || true
}

sql >/dev/null <<'SQL'
CREATE ROLE twice_ana;
CREATE TABLE visits AS SELECT i, i % 7 AS ward FROM generate_series(1, 700) i;
SELECT dp.protect('visits', 1e6);
SELECT dp.grant_budget('visits', 'twice_ana', 1e5, allow_leaks => true);
SELECT dp.declare_values('visits', 'ward', 0, 1, 2, 3, 4, 5, 6);
SET ROLE twice_ana;
SELECT ward, dp_count('*', 1) FROM visits GROUP BY ward;
SELECT dp_avg(i, 0, 1000, 0.5) FROM visits;
SELECT dp_count('*', 2) FROM visits;
SELECT count(*) FROM dp_relax_release(dp_last_release(), 3);
RESET ROLE;
SQL
"$PG_BIN/pg_dump" -Fc -f "$work/dump"
stored >"$work/before"
grep -q '^ledger_entry|[4-9]' "$work/before" || { cat "$work/before"; exit 1; }

for how in --data-only '--clean --if-exists' --data-only; do
  again $how
  diff "$work/before" <(stored) || { echo "restored by $how"; cat "$work/said"; exit 1; }
done
# And charges go on.
sql -At -c 'SET ROLE twice_ana' -c "SELECT dp_count('*', 1) > 0 FROM visits" | grep -qx t

# Rows that the statement itself brings are all there, be they alike.
sql -c "INSERT INTO dp.ledger_entry (seq, charged_at, role, relation, kind, epsilon_nano, delta_atto, table_epsilon_nano, table_delta_atto)
  SELECT 1000, '2020-01-01', 'twice_ana', 'visits', 'query', 1, 0, 1, 0 FROM generate_series(1, 3)"
expect 'rows of one statement' "$(sql -At -c 'SELECT count(*) FROM dp.ledger_entry WHERE seq = 1000')" 3
# One of the same number that says something else is another one.
sql -c 'UPDATE dp.ledger_entry SET epsilon_nano = epsilon_nano + 1 WHERE seq = 2'
again --data-only
expect 'rows that differ' "$(sql -At -c 'SELECT count(*) FROM dp.ledger_entry WHERE seq = 2')" 2
sql -c 'DELETE FROM dp.ledger_entry WHERE seq = 1000'
sql -c 'SELECT dp.confirm_ledger()' >/dev/null

# Entries that were folded come back beside the row that stands for them.
sql -c "SELECT dp.compact_ledger('infinity')" >/dev/null
sql -At -c 'SET ROLE twice_ana' -c "SELECT dp_count('*', 1) > 0 FROM visits" | grep -qx t
again --data-only
message=$(sql -c 'SET ROLE twice_ana' -c "SELECT dp_count('*', 1) FROM visits" 2>&1) && { echo 'charged beside what was folded'; exit 1; }
grep -q 'is in doubt' <<<"$message" || { echo "$message"; exit 1; }
