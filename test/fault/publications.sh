#!/usr/bin/env bash
# Publications of background workers: each period is charged once and shows one number, whatever is killed (-9) while it is published; a
# standby that is promoted goes on with them, and running totals go on from what they were.
set -euo pipefail
. "$(dirname "$0")/../../tools/lib/common.sh"

primary() { sql -At "$@"; }
standby() { PGHOST=$folder sql -At "$@"; }

expect() { [[ $1 == "$2" ]] || { echo "$3: is '$1', not '$2'"; exit 1; }; }

clean_up() {
  [[ -z ${folder-} ]] || as_server "$PG_BIN/pg_ctl" -D "$folder/data" -s -w -m immediate stop || true
  [[ -z ${folder-} ]] || as_server rm -rf "$folder"
  primary -c 'ALTER SYSTEM RESET dp.publish_interval' -c 'SELECT pg_reload_conf()' >/dev/null || true
}
trap clean_up EXIT

# await PSQL QUERY: until it says t.
await() {
  local end=$((SECONDS + 120))
  until [[ $("$1" -c "$2" 2>/dev/null) == t ]]; do
    ((SECONDS < end)) || { echo "never true: $2"; "$1" -x -c 'TABLE dp.publications' || true; exit 1; }
    sleep 0.2
  done
}

primary -c "CREATE TABLE v AS SELECT i, now() - interval '100 minutes' + i * interval '20 seconds' AS at FROM generate_series(0, 299) i" \
  -c "SELECT dp.protect('v', 9e9, 1e-3), dp.fix_column('v', 'at')" >/dev/null

# What a session has seen before it was killed, with its server, is what is published. No worker runs yet.
primary -c "SELECT dp.publish('seen', 'SELECT dp_count(''*'', 0.01) AS n FROM v WHERE at >= dp.period_start() AND at < dp.period_end()', '1 day',
    now() - interval '1 day', delay => '12 hours')" >/dev/null
primary -c "UPDATE dp.publication SET delay = '0'" >/dev/null
coproc asking { "$PG_BIN/psql" -X -q -At 2>&1; }
asker=$asking_PID
echo "BEGIN; SELECT pg_backend_pid(); SELECT dp.publish_now('seen') > 0; SELECT n FROM seen;" >&"${asking[1]}"
read -r backend <&"${asking[0]}"
read -r _ <&"${asking[0]}"
read -r number <&"${asking[0]}"
kill -9 "$backend"
exec {asking[1]}>&-
wait "$asker" || true
await primary 'SELECT true'
expect "$(primary -c 'SELECT count(*) FROM seen')" 0 'rows of a transaction that was killed'
primary -c 'ALTER SYSTEM SET dp.publish_interval = 1' -c 'SELECT pg_reload_conf()' >/dev/null
await primary 'SELECT count(*) = 1 FROM seen'
expect "$(primary -c 'SELECT n FROM seen')" "$number" 'what was seen before the crash'
expect "$(primary -c "SELECT count(*) FROM dp.ledger WHERE kind = 'publish'")" 1 'charges of it'

# Workers are killed again and again, wherever they are.
for name in a b; do
  primary -c "SELECT dp.publish('many_$name', 'SELECT i % 2 AS g, dp_count(''*'', 0.01) AS n FROM v WHERE at >= dp.period_start() AND at < dp.period_end()
      AND i % 2 = 0 GROUP BY i % 2 = 0, i % 2', '1 minute', now() - interval '90 minutes')" >/dev/null 2>&1 ||
    primary -c "SELECT dp.publish('many_$name', 'SELECT dp_count(''*'', 0.01) AS n FROM v WHERE at >= dp.period_start() AND at < dp.period_end()',
      '1 minute', now() - interval '90 minutes')" >/dev/null
done
primary -c "SELECT dp.publish('total', 'SELECT dp_count(''*'', 1e6, ''gaussian(delta=1e-9)'') AS n FROM v WHERE at >= dp.period_start() AND at < dp.period_end()',
    '1 minute', now() - interval '101 minutes', running => true)" >/dev/null
for ((round = 0; round < 12; ++round)); do
  end=$((SECONDS + 30))
  while ((SECONDS < end)); do
    worker=$(primary -c "SELECT pid FROM pg_stat_activity WHERE backend_type = 'pg_dp publishes' AND datname IS NOT NULL LIMIT 1" 2>/dev/null || true)
    [[ -z $worker ]] || break
    [[ $(primary -c "SELECT bool_and(state = 'waiting') FROM dp.publications" 2>/dev/null) != t ]] || break 2
  done
  sleep "0.0$((RANDOM % 9))"
  [[ -z $worker ]] || kill -9 "$worker" 2>/dev/null || true
  await primary 'SELECT true'
done
await primary "SELECT bool_and(state = 'waiting' AND failures = 0) FROM dp.publications"
# Each period once: in the table, and in the ledger.
once() {
  "$1" -c "SELECT string_agg(CASE WHEN n = 1 AND charges = 1 THEN 'once' ELSE period || ' ' || n || ' ' || charges END, ' ') FROM (
      SELECT DISTINCT n, charges, CASE WHEN n = 1 AND charges = 1 THEN NULL ELSE period_start END AS period FROM (
      SELECT r.period_start, count(*) AS n, (SELECT count(*) FROM dp.ledger l WHERE kind = 'publish'
          AND l.query LIKE format('publication %s, %s: %%', p.publication_id, to_char(r.period_start AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS'))) AS charges
      FROM dp.publications p, $2 r WHERE p.relation = '$2'::regclass GROUP BY p.publication_id, r.period_start) AS v) AS w"
}
for name in many_a many_b; do
  expect "$(once primary $name)" once "periods of $name"
  expect "$(primary -c "SELECT count(*) = (SELECT periods FROM dp.publications WHERE relation = '$name'::regclass) FROM $name")" t "rows of $name"
done
expect "$(primary -c "SELECT count(*) FROM dp.ledger l JOIN dp.publications p ON l.query LIKE format('publication %s, %%', p.publication_id)
    WHERE p.relation = 'total'::regclass")" 1 'charges of totals'
expect "$(primary -c "SELECT n FROM total ORDER BY period_start DESC LIMIT 1")" \
  "$(primary -c "SELECT count(*) FROM v WHERE at < (SELECT max(period_end) FROM total)")" 'the last total'
expect "$(primary -c 'SELECT count(*) FROM dp.stored_answer')" 0 'answers that are kept'

# A standby has no worker, and begins with one when it is promoted.
folder=$(as_server mktemp -d /tmp/pg_dp.publications.XXXXXX)
as_server chmod 755 "$folder"
as_server "$PG_BIN/pg_basebackup" -h "$PGHOST" -p "$PGPORT" -U postgres -D "$folder/data" -R -c fast --no-sync -X stream
as_server "$PG_BIN/pg_ctl" -D "$folder/data" -l "$folder/log" -s -w -o "-k $folder -p $PGPORT" start || { cat "$folder/log"; exit 1; }
primary -c 'ALTER SYSTEM SET dp.publish_interval = 0' -c 'SELECT pg_reload_conf()' >/dev/null
expect "$(standby -c "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'pg_dp publishes'")" 0 'workers of the standby'
standby -c "SELECT dp.publish_now('total')" >/dev/null 2>&1 && { echo 'published on a standby'; exit 1; }
as_server "$PG_BIN/pg_ctl" -D "$folder/data" -s -w promote
await standby "SELECT count(*) > 0 FROM pg_stat_activity WHERE backend_type = 'pg_dp publishes'"
# The clock moves on by a period: what is due is refused, told, and waits until the ledger is confirmed.
standby -c "INSERT INTO v SELECT 1000 + i, now() FROM generate_series(1, 50) i" >/dev/null
await standby "SELECT bool_or(last_sqlstate = 'DP007') FROM dp.publications"
standby -c 'SELECT dp.confirm_ledger()' -c 'UPDATE dp.publication SET failures = 0, failed_at = NULL' >/dev/null
await standby "SELECT max(n) >= 300 FROM total WHERE period_end > now() - interval '10 minutes'"
await standby "SELECT bool_and(state = 'waiting' AND failures = 0) FROM dp.publications"
expect "$(once standby many_a)" once 'periods after the promotion'
expect "$(standby -c "SELECT n = (SELECT count(*) FROM v WHERE at < (SELECT max(period_end) FROM total)) FROM total ORDER BY period_start DESC LIMIT 1")" t \
  'the last total after the promotion'
