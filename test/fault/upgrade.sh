#!/usr/bin/env bash
# Databases of earlier versions, with budgets, a ledger, releases and objects of users that depend on the extension, are upgraded
# by ALTER EXTENSION pg_dp UPDATE: what was there is there afterwards and goes on working, and the extension consists of what a
# fresh one consists of.
#
# test/upgrade has of each released version its script and a dump of such a database, made by that version.
set -euo pipefail
. "$(dirname "$0")/../../tools/lib/common.sh"

here=$(dirname "$0")/../upgrade
work=$(mktemp -d)
trap 'sql -d postgres -c "DROP DATABASE IF EXISTS upgraded" -c "DROP ROLE IF EXISTS upgrade_ana, upgrade_ben"; rm -rf "$work"' EXIT
scripts=$("$PG_BIN/pg_config" --sharedir)/extension
[[ $PG_PLACE == server ]] || scripts=$(dirname "$PGDATA")/install$scripts

# expect WHAT IS WANTED
expect() { [[ $2 == "$3" ]] || { printf '%s: %s, not %s\n' "$1" "$2" "$3"; exit 1; }; }

tables='dp.protected_table dp.account dp.ledger_entry dp.public_domain dp.release_part dp.release_aggregate dp.release_keys
  dp.release_level dp.release_path dp.release_holding'

# Columns that have come since are NULL and say nothing.
stored() {
  local table
  for table in $tables; do
    sql -At -d upgraded -c "SELECT '$table', count(*), sum(hashtext(jsonb_strip_nulls(to_jsonb(t))::text)::int8) FROM $table AS t"
  done
}

# Before the upgrade nothing private is answered; what is nobody's business goes on, and no row of a table that may be protected is told.
strangers_of_an_old_version() {
  sql -d upgraded -c 'CREATE ROLE upgrade_stranger' -c 'GRANT CREATE ON SCHEMA public TO upgrade_stranger'
  PGOPTIONS='-c client_min_messages=warning' sql -d upgraded -o /dev/null -c 'SET ROLE upgrade_stranger' \
    -c 'CREATE TABLE own (id int PRIMARY KEY)' \
    -c 'PREPARE listed(int[]) AS SELECT count(*), (SELECT 1) AS one FROM unnest($1) AS x JOIN own ON id = x' -c 'EXECUTE listed($${1}$$)' -c 'EXECUTE listed($${}$$)' \
    -c 'ANALYZE VERBOSE own' -c 'VACUUM (VERBOSE) own' \
    -c 'EXPLAIN (ANALYZE, BUFFERS) SELECT * FROM own' -c 'EXPLAIN (ANALYZE, WAL) UPDATE own SET id = 1' -c 'EXPLAIN ANALYZE SELECT 1' \
    -c 'DROP TABLE own' || { echo "an ordinary statement fails before the extension is upgraded"; exit 1; }
  sql -d upgraded -c 'ALTER DATABASE upgraded OWNER TO upgrade_stranger'
  expect 'who may maintain and not read' "$(sql -d upgraded -c 'SET ROLE upgrade_stranger' -c 'VACUUM (VERBOSE) clinic.visits' 2>&1 | sed -n 's/ and not read it.*//p')" \
    "ERROR:  VACUUM with messages is refused to a role that may maintain table $(unreadable)"
  sql -d upgraded -c 'ALTER DATABASE upgraded OWNER TO CURRENT_USER' -c 'DROP OWNED BY upgrade_stranger' -c 'DROP ROLE upgrade_stranger'
}

# The first table that the stranger may not read.
unreadable() {
  sql -At -d upgraded -c "SELECT relname FROM pg_class AS c WHERE relkind IN ('r', 'm') AND oid >= 16384
    AND NOT has_table_privilege('upgrade_stranger', oid, 'SELECT')
    AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype = 'e') LIMIT 1"
}

sql -At -f "$here/catalog.sql" >"$work/fresh"
for script in "$here"/pg_dp--*.sql; do
  version=$(basename "$script" .sql) version=${version#pg_dp--}
  cp "$script" "$scripts/" && chmod a+r "$scripts/$(basename "$script")"
  sql -d postgres -c 'DROP DATABASE IF EXISTS upgraded' -c 'CREATE DATABASE upgraded' \
    -c 'CREATE ROLE upgrade_ana' -c 'CREATE ROLE upgrade_ben'
  sed "s/^CREATE EXTENSION IF NOT EXISTS pg_dp WITH SCHEMA public;/CREATE EXTENSION pg_dp WITH SCHEMA public VERSION '$version';/" \
    "$here/database-$version.sql" | sql -d upgraded -1 >/dev/null
  expect 'version before' "$(sql -At -d upgraded -c "SELECT extversion FROM pg_extension WHERE extname = 'pg_dp'")" "$version"
  stored >"$work/before"
  strangers_of_an_old_version
  sql -d upgraded -c 'ALTER EXTENSION pg_dp UPDATE'

  diff "$work/before" <(stored) || { echo "upgrading from $version changed what is stored"; exit 1; }
  sql -At -d upgraded -f "$here/catalog.sql" | diff - "$work/fresh" ||
    { echo "an extension upgraded from $version (<) is not a fresh one (>): see sql/upgrade"; exit 1; }

  # Nothing says which server has written the old ledger.
  sql -d upgraded -o /dev/null -c 'SELECT dp.confirm_ledger()' 2>/dev/null

  expect 'spent of the table' "$(sql -At -d upgraded -c \
    "SELECT epsilon_spent FROM dp.budgets WHERE relation = 'clinic.visits'::regclass AND role IS NULL")" 3000000.25
  sql -At -d upgraded -c 'SELECT dp.confirm_ledger()' >/dev/null # it was restored from a dump
  # An old release is relaxed, an old view asks, and both are charged beside what was spent before.
  sql -At -d upgraded -c 'SET ROLE upgrade_ana' \
    -c 'SELECT count(*) FROM relax_release((SELECT max(release_id) FROM dp.releases WHERE relation = $$clinic.patient$$::regclass
          AND query LIKE $$%geometric%$$), 4)' >/dev/null
  expect 'spent of the account' "$(sql -At -d upgraded -c \
    "SELECT epsilon_spent FROM dp.budgets WHERE relation = 'clinic.patient'::regclass AND role = 'upgrade_ana'::regrole")" 4.5
  expect 'an old view' "$(sql -At -d upgraded -c 'SELECT ward, n, CASE WHEN n > 0 THEN round(mean + 0.1) END FROM clinic.answers ORDER BY ward')" \
    $'east|0|\nnorth|40|62\nsouth|80|60'
  expect 'forms of an old view' "$(sql -At -d upgraded -c 'SELECT next, half, month FROM clinic.forms WHERE id = 3')" \
    '4|1.5|2024-05-01 00:00:00'
  sql -d postgres -c 'DROP DATABASE upgraded' -c 'DROP ROLE upgrade_ana, upgrade_ben'
done
