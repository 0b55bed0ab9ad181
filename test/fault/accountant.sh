#!/usr/bin/env bash
# Accounts that count Rényi divergences through a crash, a compaction, a dump and a switch of the accountant: what is spent and what is left is
# the same throughout, and what the ledger holds follows from how each answer lost what it cost.
set -euo pipefail
. "$(dirname "$0")/../support/restore.sh"

dumped_roles=accountant_ana
data=$(sql -At -c 'SHOW data_directory')

crash() {
  as_server "$PG_BIN/pg_ctl" -D "$data" -s -w -m immediate stop
  as_server "$PG_BIN/pg_ctl" -D "$data" -l "$data/../log" -s -w -o "-k $PGHOST -p $PGPORT" start
}

books() {
  sql -At -d "$1" -c 'SELECT relation, role, epsilon_spent, epsilon_left, delta_spent, delta_left, charges, accountant, conversion_delta FROM dp.budgets ORDER BY relation::text, role::text' \
    -c "SELECT dp.answers_left('t', \$\$dp_count('*', 0.1)\$\$), dp.answers_left('t', \$\$dp_median(i, 0, 9, 0.1, 'exponential')\$\$)" \
    -c "SELECT dp.answers_left('g', \$\$dp_count('*', 0.01, 'gaussian')\$\$), dp.answers_left('g', \$\$dp_count('*', 0.245)\$\$)"
}

# sums DATABASE: of the divergences in the ledger, of table and account.
sums() {
  sql -At -d "$1" -c "SELECT sum(table_divergences[6]), sum(divergences[6]) FROM dp.ledger_entry WHERE relation <> 'g'::regclass"
}

sql >/dev/null <<'SQL'
CREATE ROLE accountant_ana;
CREATE TABLE t AS SELECT i FROM generate_series(1, 10) i;
CREATE TABLE u AS SELECT i FROM generate_series(1, 10) i;
CREATE TABLE g AS SELECT i FROM generate_series(1, 10) i;
GRANT SELECT ON t, u TO accountant_ana;
SELECT dp.protect('t', 10, 1e-5, accountant => 'renyi'), dp.protect('u', 1000), dp.protect('g', 0.5, 1e-6, accountant => 'renyi');
SELECT dp.grant_budget('t', 'accountant_ana', 5, 1e-6, conversion_delta => 9e-7);
SQL
for _ in 1 2 3 4 5; do
  sql -c 'SET ROLE accountant_ana' -c "SELECT dp_count('*', 0.1), dp_median(i, 0, 9, 0.2, 'exponential') FROM t" \
    -c "SELECT dp_sum(i, 0, 9, 0.1, 'gaussian(delta=1e-9)') FROM t" \
    -c "SELECT dp_count('*', 0.05) FROM t" -c "SELECT * FROM dp_relax_release(dp_last_release(), 0.15)" -c 'RESET ROLE' \
    -c "SELECT dp_count('*', 0.1) FROM t" -c "SELECT dp_count('*', 0.3) FROM u" >/dev/null
done
# After answers without a bound on their loss the sum of epsilon says nothing, whatever happens to the ledger.
sql -c "SELECT dp_count('*', 0.001, 'gaussian') FROM g" -c "SELECT * FROM dp_relax_release(dp_last_release(), 0.002)" >/dev/null
expect 'answers left beside gaussian ones' "$(sql -At -c "SELECT dp.answers_left('g', \$\$dp_count('*', 0.245)\$\$) = 1")" t
before=$(books "$PGDATABASE")
expect losses "$(sql -At -c "SELECT DISTINCT losses FROM dp.ledger_entry WHERE relation = 't'::regclass ORDER BY 1")" \
  $'pure 0.05\npure 0.1\npure 0.1, range 0.2\nrelax_count 0.05 to 0.15'
expect 'divergences that follow' "$(sql -At -c "SELECT bool_and(dp.divergences(losses) = divergences AND dp.divergences(table_losses) = table_divergences) FROM dp.ledger_entry WHERE relation = 't'::regclass")" t

crash
expect 'books after a crash' "$(books "$PGDATABASE")" "$before"

sum=$(sums "$PGDATABASE")
sql -c "SELECT dp.compact_ledger('infinity')" >/dev/null
expect 'books after a compaction' "$(books "$PGDATABASE")" "$before"
crash
expect 'books of what was folded' "$(books "$PGDATABASE")" "$before"
expect 'kinds that are left' "$(sql -At -c 'SELECT DISTINCT kind, losses FROM dp.ledger')" 'carried|'
# Of the pure account there are sums now, too: they are what its charges were, one by one.
expect 'divergences of the table and of the account' "$(sql -At -c "SELECT sum(table_divergences[6]), sum(divergences[6]) FILTER (WHERE account IS NOT NULL) FROM dp.ledger_entry WHERE relation = 't'::regclass")" "$(cut -d'|' -f1 <<<"$sum")|$(sql -At -c "SELECT sum(divergences[6]) FROM dp.ledger_entry WHERE relation = 't'::regclass AND account IS NOT NULL")"
sql -c "SELECT dp_count('*', 0.1) FROM t" >/dev/null
after=$(books "$PGDATABASE")

"$PG_BIN/pg_dump" -Fc -f "$work/dump"
fresh
restore
confirm
expect 'restored books' "$(books "$restored")" "$after"

# Adding up epsilon from now on, and divergences again: no number changes by that.
sql -d "$restored" -c "SELECT dp.protect('t', accountant => 'pure')" >/dev/null
message=$(sql -d "$restored" -c "SELECT dp.protect('g', accountant => 'pure')" 2>&1) && { echo 'adds up what has no epsilon'; exit 1; }
grep -q 'cannot be added up on table g' <<<"$message" || { echo "$message"; exit 1; }
expect 'pure' "$(sql -At -d "$restored" -c "SELECT accountant, conversion_delta IS NULL, epsilon_spent = sum FROM dp.budgets, (SELECT sum(table_epsilon_nano) / 1e9 AS sum FROM dp.ledger_entry WHERE relation = 't'::regclass) s WHERE relation = 't'::regclass AND role IS NULL")" 'pure|t|t'
sql -d "$restored" -c "SELECT dp.protect('t', accountant => 'renyi')" >/dev/null
expect 'divergences again' "$(books "$restored")" "$after"

# What was charged while epsilon added up counts, by a bound that is somewhat larger.
sql -d "$restored" -c "SELECT dp.protect('u', 1000, 1e-6, accountant => 'renyi')" >/dev/null
expect 'of five answers at 0.3' "$(sql -At -d "$restored" -c "SELECT epsilon_spent, charges, (SELECT sum(table_divergences[6]) FROM dp.ledger_entry WHERE relation = 'u'::regclass) FROM dp.budgets WHERE relation = 'u'::regclass AND role IS NULL")" '1.5|5|1500000000000'

# Whoever changes the sums of what was folded puts the ledger in doubt.
sql -d "$restored" -c "UPDATE dp.ledger_entry SET table_divergences = array_fill(1::bigint, '{16}') WHERE kind = 'carried' AND relation = 't'::regclass" >/dev/null
message=$(sql -v VERBOSITY=verbose -d "$restored" -c "SELECT dp_count('*', 0.1) FROM t" 2>&1) && { echo 'charged though sums were changed'; exit 1; }
grep -q '^ERROR:  DP007:' <<<"$message" || { echo "$message"; exit 1; }
