#!/usr/bin/env bash
# 89: the server dies (immediate shutdown) again and again while sessions relax one release, share it and read it. What any of
# them was shown is shown again after the restart, unchanged and free; and the ledger holds at least what the finest shown level
# costs.
set -euo pipefail
. "$(dirname "$0")/../../tools/lib/common.sh"

ROUNDS=${ROUNDS:-30}
FOLDER=$(dirname "$PGDATA")
work=$(mktemp -d)
trap 'rm -rf "$work"; sql -c "DROP OWNED BY crash_ana, crash_ben; DROP ROLE crash_ana, crash_ben" || true' EXIT

sql >/dev/null 2>&1 <<'SQL'
CREATE ROLE crash_ana;
CREATE ROLE crash_ben;
CREATE TABLE visit AS SELECT i, i % 40 AS ward FROM generate_series(1, 1000) i;
SELECT dp.protect('visit', 9e9), dp.grant_budget('visit', 'crash_ana', 9e9, allow_leaks => true),
    dp.grant_budget('visit', 'crash_ben', 9e9, allow_leaks => true);
SELECT dp.public_values('visit', 'ward', VARIADIC ARRAY(SELECT generate_series(0, 39)));
-- What was shown, to whom; filled in after each crash.
CREATE TABLE shown (role text, release bigint, group_key jsonb, aggregate text, answer jsonb, epsilon float8);
GRANT SELECT ON shown TO PUBLIC;
SQL

# statements COUNT TEXT: the text again and again, with N counted up.
statements() { awk -v n="$1" -v text="$2" 'BEGIN { for (i = 1; i <= n; ++i) { line = text; gsub(/N/, i, line); print line } }'; }

# A session that goes up in steps of its own, so that the sessions meet on some levels and not on others; downwards now and then.
relaxing() {
  local show="SELECT 'crash_ana', $1, group_key, aggregate, answer, epsilon FROM relax_release($1,"
  echo 'SET ROLE crash_ana;'
  statements 3000 "$show 0.01 + N * 0.00$2); $show 0.01 - N / 100 * 0.0001);"
}

# A curator that shares it, and the other role that reads what it was given.
sharing() { statements 3000 "SELECT dp.share_release($1, 'crash_ben', 0.01 + N * 0.005) \\g /dev/null"; }
reading() {
  echo 'SET ROLE crash_ben;'
  statements 9000 "SELECT 'crash_ben', $1, group_key, aggregate, answer, epsilon FROM dp_answer($1);"
}

session() { "$PG_BIN/psql" -X -q -At -F $'\t' -v ON_ERROR_STOP=1 -f "$work/$1.sql" >"$work/$1.out" 2>/dev/null || true; }

# check RELEASE: on its path there is one level for each epsilon; what was shown is the same again, and costs nothing.
check() {
  sql -At <<SQL
CREATE TEMP TABLE before AS SELECT count(*) AS entries FROM dp.ledger;
SET ROLE crash_ana;
SELECT 'shown and lost: ' || s FROM (
    SELECT group_key, aggregate, answer, epsilon FROM shown WHERE release = $1 AND role = 'crash_ana'
    EXCEPT SELECT a.*
    FROM (SELECT DISTINCT epsilon FROM shown WHERE release = $1 AND role = 'crash_ana') l, relax_release($1, l.epsilon) a) s
LIMIT 3;
RESET ROLE;
SELECT 'drawn again, or charged again' FROM before WHERE entries <> (SELECT count(*) FROM dp.ledger);
-- What the other role was shown lies on the same path, at levels that it paid for.
SELECT 'not of the path: ' || s FROM (
    SELECT DISTINCT (epsilon * 1e9)::numeric::bigint FROM shown WHERE release = $1 AND (epsilon * 1e9)::numeric::bigint <> 10000000
    EXCEPT SELECT epsilon_nano FROM dp.release_path WHERE release_id = $1) s LIMIT 3;
SELECT 'two levels of one epsilon' FROM dp.release_path
WHERE release_id = $1 GROUP BY part, aggregate, epsilon_nano HAVING count(*) > 1 LIMIT 1;
SELECT 'two answers of one epsilon' FROM shown
WHERE release = $1 GROUP BY group_key, epsilon HAVING count(DISTINCT answer) > 1 LIMIT 1;
SELECT 'not paid: ' || s FROM (
    SELECT role, max(epsilon) FROM shown WHERE release = $1 GROUP BY role
    HAVING round(max(epsilon)::numeric, 9)
            > (SELECT coalesce(sum(l.epsilon), 0) FROM dp.ledger l WHERE l.release_id = $1 AND l.role = shown.role::regrole)
        OR round(max(epsilon)::numeric, 9) > (SELECT sum(table_epsilon) FROM dp.ledger WHERE release_id = $1)) s;
SQL
}

# How far the sessions of a round get is left to chance; together they must have got somewhere.
for ((round = 1; round <= ROUNDS; ++round)); do
  release=$(sql -At <<<"SET ROLE crash_ana; SELECT ward, dp_count('*', 0.01) FROM visit GROUP BY ward \g /dev/null
SELECT dp_last_release();")
  relaxing "$release" 1 >"$work/one.sql"
  relaxing "$release" 2 >"$work/two.sql"
  sharing "$release" >"$work/curator.sql"
  reading "$release" >"$work/reader.sql"
  sessions=()
  for name in one two curator reader; do
    session "$name" &
    sessions+=($!)
  done
  sleep "0.$((RANDOM % 4))$((RANDOM % 10))"
  as_server "$PG_BIN/pg_ctl" -D "$PGDATA" -s -w -m immediate stop
  wait "${sessions[@]}"
  start_cluster "$FOLDER"
  for name in one two reader; do
    sql -c "\\copy shown FROM '$work/$name.out'"
  done
  found=$(check "$release")
  [[ -z $found ]] || { echo "round $round: $found"; exit 1; }
done
sql -At -F ' ' -c "SELECT count(DISTINCT (release, epsilon)), 'levels of', count(DISTINCT release), 'releases shown' FROM shown"
[[ $(sql -At -c 'SELECT count(DISTINCT (release, epsilon)) > 100 FROM shown') == t ]]
