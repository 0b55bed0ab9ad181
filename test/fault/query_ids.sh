#!/usr/bin/env bash
# Whatever numbers other libraries give to queries, and PostgreSQL itself to bodies of SQL functions that are inlined (compute_query_id),
# no subquery is taken for one that pg_dp has marked while it planned: a number is a mark only where pg_dp has put it.
set -euo pipefail
. "$(dirname "$0")/../../tools/lib/common.sh"

library=$PGDATA/../query_ids.so
gcc -shared -fPIC -I"$("$PG_BIN/pg_config" --includedir-server)" -o "$library" "$ROOT/test/support/query_ids.c"
chmod 755 "$library"

clean_up() {
  sql -c 'SET dp.allow_drop = on; DROP FUNCTION wards(); DROP TABLE stay, ward; DROP ROLE ids_ana' >/dev/null 2>&1 || true
}
trap clean_up EXIT

sql >/dev/null 2>&1 <<SQL
CREATE ROLE ids_ana;
CREATE TABLE stay (id int PRIMARY KEY, person int NOT NULL, ward int NOT NULL);
INSERT INTO stay SELECT i, i / 2, i % 3 FROM generate_series(1, 300) i;
CREATE TABLE ward (ward int NOT NULL, floor int NOT NULL);
INSERT INTO ward SELECT i % 3, i FROM generate_series(1, 6) i;
CREATE FUNCTION wards() RETURNS TABLE (ward int, floor int) STABLE LANGUAGE sql AS 'SELECT ward, floor FROM ward OFFSET 0';
GRANT SELECT ON ward TO ids_ana;
SELECT dp.protect('stay', 9e9, privacy_unit => 'person', max_rows_per_unit => 2);
SELECT dp.grant_budget('stay', 'ids_ana', 9e9, allow_leaks => true);
SQL

# asked ID STATEMENT: what a role is told.
asked() {
  sql -At -v ON_ERROR_STOP=0 <<SQL 2>&1
SET compute_query_id = on;
LOAD '$library';
SET query_ids.id = '$1';
SET ROLE ids_ana;
SET dp.epsilon = 1e5;
$2;
SQL
}

statements=(
  "SELECT count(*) FROM stay s JOIN (SELECT ward, floor FROM ward OFFSET 0) q ON q.ward = s.ward"
  "SELECT count(*) FROM stay s JOIN wards() q ON q.ward = s.ward"
  "SELECT count(*) FROM (SELECT person, count(*) AS n FROM stay GROUP BY person) p WHERE n > 1"
  "SELECT count(*) FROM stay s WHERE ward = (SELECT max(ward) FROM ward)"
  "SELECT count(*) FROM stay s JOIN generate_series(0, 2) g ON g = s.ward"
  "SELECT w.floor, (SELECT count(*) FROM stay) FROM ward w ORDER BY 1 LIMIT 1"
  "SELECT private_form IS NOT NULL FROM dp.private_form('SELECT count(*) FROM stay s JOIN (SELECT ward, floor FROM ward OFFSET 0) q ON q.ward = s.ward')"
)
for statement in "${statements[@]}"; do
  plain=$(asked '' "$statement")
  for id in 4e65617265737452 50656f706c65526f 537072656164526f 4e6f6e65526f7773 64705f7200000001 1234; do
    marked=$(asked "$id" "$statement")
    [[ $marked == "$plain" ]] || { printf 'with number %s:\n%s\nin place of:\n%s\n' "$id" "$marked" "$plain"; exit 1; }
  done
  printf '%s\n%s\n' "$statement" "${plain:0:160}"
done
