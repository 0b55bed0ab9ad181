#!/usr/bin/env bash
# Threat 18 of docs/internals/threats.md: pg_dump and a restore carry budgets and ledger, and the totals are right from
# the first moment: restored in one go, and into a database whose totals were read while it was still empty, with
# triggers and without them. Numbers of dropped tables and roles stay behind: in another cluster they may be somebody
# else's.
set -euo pipefail
. "$(dirname "$0")/../support/restore.sh"

dumped_roles=dump_ana

show() {
  sql -At -d "$1" -c 'SELECT * FROM dp.budgets ORDER BY relation::text, role::text' \
    -c 'SELECT answer_mechanism FROM dp.protected_table WHERE answer_mechanism IS NOT NULL' \
    -c 'SELECT answer_mechanism FROM dp.account WHERE role IN (SELECT oid FROM pg_roles)' \
    -c 'SELECT * FROM dp.public_domain WHERE relation IN (SELECT oid FROM pg_class) ORDER BY expression' \
    -c 'SELECT * FROM dp.declared_range WHERE relation IN (SELECT oid FROM pg_class) ORDER BY column_name' \
    -c 'SELECT finding FROM dp.check() WHERE finding LIKE $$%declared%$$' \
    -c 'SELECT * FROM dp.ledger WHERE relation IN (SELECT oid FROM pg_class) ORDER BY seq'
}

# expect_same HOW: the restored database shows what the original does.
expect_same() {
  diff <(show "$PGDATABASE") <(show "$restored") || { echo "not the same after a restore $1"; exit 1; }
}

sql >/dev/null <<'SQL'
CREATE ROLE dump_ana;
CREATE ROLE dump_gone;
CREATE SCHEMA clinic;
CREATE TABLE clinic.visits AS SELECT generate_series(1, 10) AS id;
CREATE TABLE gone (id int);
CREATE TABLE "Odd name" (id int);
SELECT dp.protect('clinic.visits', 10, 1e-6, 2, answer_mechanism => 'gaussian(delta=1e-6)'), dp.protect('"Odd name"', 1, 1e-6, group_epsilon => 0.1, group_delta => 1e-9), dp.protect('gone', 1);
SELECT dp.grant_budget('clinic.visits', 'dump_ana', 1, query_epsilon => 0.5, allow_leaks => true, answer_mechanism => 'laplace'),
    dp.grant_budget('clinic.visits', 'dump_gone', 3, allow_leaks => true),
    dp.grant_budget('gone', 'dump_ana', 1, allow_leaks => true);
CREATE TYPE clinic.mood AS ENUM ('low', 'high');
ALTER TABLE clinic.visits ADD feels clinic.mood;
SELECT dp.public_values('clinic.visits', 'id % 3', 0, 1, 2), dp.public_values('clinic.visits', 'feels', 'low'),
    dp.public_values('gone', 'id', 1);
-- Columns that are renamed, and have another number once they are restored.
ALTER TABLE clinic.visits ADD before int, ADD points int, ADD was int;
ALTER TABLE clinic.visits DROP before;
SELECT dp.declare_range('clinic.visits', 'points', 0, 10), dp.declare_values('clinic.visits', 'points / 5', 0, 1, 2),
    dp.declare_range('clinic.visits', 'was', 0, 10);
ALTER TABLE clinic.visits RENAME points TO score;
ALTER TABLE clinic.visits DROP was, ADD was int;
INSERT INTO dp.ledger_entry
SELECT i, now(), r::regrole, r::regrole, t::regclass, 'query', 100000000, i, 100000000, i, nullif(i, 2), E'SELECT\t"Ä\\"'
FROM (VALUES (1, 'dump_ana', 'clinic.visits'), (2, 'dump_gone', 'clinic.visits'), (3, 'dump_ana', 'gone'), (4, 'postgres', '"Odd name"')) e (i, r, t);
SQL
expect spent "$(sql -At -c "SELECT epsilon_spent FROM dp.budgets WHERE relation = 'clinic.visits'::regclass AND role IS NULL")" 0.2
sql -c 'DROP TABLE gone' -c 'DROP ROLE dump_gone'
sql -c 'SELECT count(*) FROM dp.harden()' >/dev/null
"$PG_BIN/pg_dump" -Fc -f "$work/dump"

fresh
restore
expect entries "$(sql -At -d "$restored" -c 'SELECT count(*), sum(table_epsilon_nano) FROM dp.ledger_entry')" '3|300000000'
expect budgets "$(sql -At -d "$restored" -c 'SELECT count(*) FROM dp.protected_table' -c 'SELECT count(*) FROM dp.account')" $'2\n1'
# What dp.harden() took from everyone stays taken.
expect hardened "$(sql -At -d "$restored" -c 'SELECT dp.is_hardened()')" t
# From here on the original shows no more than a dump can carry.
sql -c 'SELECT dp.revoke_budget(relation, role) FROM dp.budgets WHERE role NOT IN (SELECT oid FROM pg_roles) OR relation NOT IN (SELECT oid FROM pg_class) AND role IS NOT NULL' \
  -c 'SELECT dp.unprotect(relation) FROM dp.budgets WHERE relation NOT IN (SELECT oid FROM pg_class)' >/dev/null
expect 'rows shown' "$(show "$PGDATABASE" | grep -c .)" 12
expect_same 'in one go'

# The totals of an empty ledger were read, so they stand in shared memory, before the rows arrive.
for how in '' --disable-triggers; do
  fresh
  restore --section=pre-data
  sql -d "$restored" -c "SELECT dp.protect('clinic.visits', 1)" -c 'TABLE dp.budgets' -c "SELECT dp.unprotect('clinic.visits')" >/dev/null
  restore --data-only $how
  expect_same "of data alone ${how:-with triggers}"
done

# A dump as text, read by psql in one transaction; what it wrote is in force at once.
fresh
"$PG_BIN/pg_dump" | sql -d "$restored" -1 >/dev/null
expect_same 'by psql'

# Dropping the extension would forget all that.
message=$(sql -d "$restored" -c 'SET dp.allow_drop = off' -c 'DROP EXTENSION pg_dp' 2>&1) && { echo 'dropped'; exit 1; }
grep -q 'cannot drop the ledger of pg_dp: it has entries' <<<"$message" || { echo "$message"; exit 1; }
