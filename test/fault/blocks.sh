#!/usr/bin/env bash
# Partitions that have a budget each, of a table that belongs to nobody special: what each has spent is there after a crash, a compaction
# and in a dump; a release that was restored is made more accurate at the cost of the same ones; and who is closed is closed on the whole.
set -euo pipefail
. "$(dirname "$0")/../support/restore.sh"

dumped_roles='blocks_owner, blocks_ana'
data=$(sql -At -c 'SHOW data_directory')

spent() { sql -At -d "$1" -c "SELECT block_name, role_name, epsilon_spent FROM dp.blocks ORDER BY block_name, role_name" | tr '\n' ' '; }
ask() { sql -At -d "$1" -c 'SET ROLE blocks_ana' -c "SELECT 'answered' FROM (SELECT dp_count('*', 0.1) FROM clinic.visits WHERE $2) AS q" 2>&1 | sed 's/^ERROR:  //; /^DETAIL/d; /^HINT/d'; }

sql >/dev/null <<'SQL'
CREATE ROLE blocks_owner;
CREATE ROLE blocks_ana;
CREATE SCHEMA clinic AUTHORIZATION blocks_owner;
SET ROLE blocks_owner;
GRANT USAGE ON SCHEMA clinic TO blocks_ana;
CREATE TABLE clinic.visits ("the day" date NOT NULL, cost int) PARTITION BY RANGE ("the day");
CREATE TABLE clinic.a PARTITION OF clinic.visits FOR VALUES FROM ('2026-01-01') TO ('2026-02-01');
CREATE TABLE clinic.b PARTITION OF clinic.visits FOR VALUES FROM ('2026-02-01') TO ('2026-03-01');
INSERT INTO clinic.visits SELECT date '2026-01-01' + i, i FROM generate_series(1, 50) AS i;
SET client_min_messages = error;
SELECT dp.protect('clinic.visits', 1, blocks => true), dp.grant_budget('clinic.visits', 'blocks_ana', 0.5, allow_leaks => true);
SQL
sql -c 'SET ROLE blocks_owner' -c "UPDATE clinic.visits SET \"the day\" = '2026-02-03'" 2>/dev/null && { echo 'moved'; exit 1; }
expect 'one' "$(ask "$PGDATABASE" "\"the day\" < '2026-02-01'")" answered
expect 'both' "$(ask "$PGDATABASE" true)" answered
want='clinic.a blocks_ana 0.2 clinic.a  0.2 clinic.b blocks_ana 0.1 clinic.b  0.1 '
expect 'spent' "$(spent "$PGDATABASE" | tr '|' ' ')" "$want"
as_server "$PG_BIN/pg_ctl" -D "$data" -s -w -m immediate stop
as_server "$PG_BIN/pg_ctl" -D "$data" -l "$data/../log" -s -w -o "-k $PGHOST -p $PGPORT" start
expect 'after a crash' "$(spent "$PGDATABASE" | tr '|' ' ')" "$want"
sql -c "SELECT dp.compact_ledger('infinity')" >/dev/null
expect 'after a compaction' "$(spent "$PGDATABASE" | tr '|' ' ')" "$want"

release=$(sql -At -c 'SET ROLE blocks_ana' -c "SELECT dp_count('*', 0.1) FROM clinic.visits WHERE \"the day\" >= '2026-02-01'" -c 'SELECT dp_last_release()' | tail -n 1)
"$PG_BIN/pg_dump" -Fc -f "$work/dump"
fresh
restore
confirm
expect 'in a dump' "$(spent "$restored" | tr '|' ' ')" 'clinic.a blocks_ana 0.2 clinic.a  0.2 clinic.b blocks_ana 0.2 clinic.b  0.2 '
sql -d "$restored" -c 'SET ROLE blocks_ana' -c "SELECT FROM dp_relax_release($release, 0.2)" >/dev/null
expect 'made more accurate there' "$(spent "$restored" | tr '|' ' ')" 'clinic.a blocks_ana 0.2 clinic.a  0.2 clinic.b blocks_ana 0.3 clinic.b  0.3 '

# By an entry as it is written after an error.
sql -c "INSERT INTO dp.ledger_entry SELECT max(seq) + 1, now(), 'blocks_ana', 'blocks_ana', 'clinic.visits'::regclass, 'closed', 0, 0, 0, 0 FROM dp.ledger_entry"
for condition in true "\"the day\" < '2026-02-01'" "\"the day\" >= '2026-02-01'"; do
  [[ $(ask "$PGDATABASE" "$condition") == 'role "blocks_ana" is closed on table clinic.visits '* ]] ||
    { echo "closed, and: $(ask "$PGDATABASE" "$condition")"; exit 1; }
done
expect 'shown as closed' "$(sql -At -c "SELECT bool_and(closed) FROM dp.budgets WHERE role = 'blocks_ana'::regrole")" t
sql -c "SELECT dp.reopen('clinic.visits', 'blocks_ana')" >/dev/null
expect 'opened' "$(ask "$PGDATABASE" true)" answered
