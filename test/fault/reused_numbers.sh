#!/usr/bin/env bash
# Numbers of tables and roles come round again. What gets that of one that was dropped begins with nothing spent and open,
# and what was spent before stays in the ledger.
set -euo pipefail
. "$(dirname "$0")/../../tools/lib/common.sh"

expect() {
  [[ $1 == "$2" ]] || { echo "$3: is '$1', not '$2'"; exit 1; }
}

# next_is NUMBER: the server gives this number to what is made next. As long as a dropped row lies in its catalog it would not.
next_is() {
  sql -c 'VACUUM pg_class, pg_authid'
  as_server "$PG_BIN/pg_ctl" -D "$PGDATA" -s -w -m fast stop
  as_server "$PG_BIN/pg_resetwal" -D "$PGDATA" -o "$1" >/dev/null
  as_server "$PG_BIN/pg_ctl" -D "$PGDATA" -l "$PGDATA/../log" -s -w -o "-k $PGHOST -p $PGPORT" start
}

number() { sql -At -c "SELECT '$1'::$2::oid"; }
spent() { sql -At -c "SELECT relation, coalesce(role::text, '-'), epsilon_spent, closed FROM dp.budgets ORDER BY 1, 2" | tr '\n' ' '; }

trap 'sql -c "SET dp.allow_drop = on; DROP TABLE t, u" -c "DROP ROLE reused_ana"' EXIT
# Its account on t is closed, by an entry as it is written after an error.
sql -c "CREATE ROLE reused_ana; CREATE TABLE t AS SELECT i FROM generate_series(1, 10) i; CREATE TABLE u AS TABLE t" \
  -c "SELECT dp.protect('t', 1), dp.protect('u', 1), dp.grant_budget('t', 'reused_ana', 1, allow_leaks => true), dp.grant_budget('u', 'reused_ana', 1, allow_leaks => true)" \
  -c "SET ROLE reused_ana; SELECT dp_count('*', 0.3) FROM t; SELECT dp_count('*', 0.2) FROM u" >/dev/null
sql -c "INSERT INTO dp.ledger_entry SELECT max(seq) + 1, now(), 'reused_ana', 'reused_ana', 't'::regclass, 'closed', 0, 0, 0, 0 FROM dp.ledger_entry"
expect "$(spent)" 't|-|0.3|f t|reused_ana|0.3|t u|-|0.2|f u|reused_ana|0.2|f ' 'before'
table=$(number t regclass) role=$(number reused_ana regrole)
# A drop that does not happen is none.
sql -c 'SET dp.allow_drop = on; BEGIN; DROP TABLE t; DROP ROLE reused_ana; ROLLBACK'
sql -c "SELECT dp.protect('t', 1), dp.grant_budget('t', 'reused_ana', 1, allow_leaks => true)" >/dev/null
expect "$(spent)" 't|-|0.3|f t|reused_ana|0.3|t u|-|0.2|f u|reused_ana|0.2|f ' 'after a drop that was rolled back'

sql -c 'SET dp.allow_drop = on; DROP TABLE t; DROP ROLE reused_ana'
next_is "$table"
sql -c 'CREATE TABLE t AS SELECT i FROM generate_series(1, 10) i'
expect "$(number t regclass)" "$table" 'the number of the new table'
expect "$(spent)" 'u|-|0.2|f ' 'before the new ones are known'
next_is "$role"
sql -c 'CREATE ROLE reused_ana'
expect "$(number reused_ana regrole)" "$role" 'the number of the new role'

sql -c "SELECT dp.protect('t', 1)" -c "SELECT dp.grant_budget('u', 'reused_ana', 1, allow_leaks => true), dp.grant_budget('t', 'reused_ana', 1, allow_leaks => true)" >/dev/null
expect "$(spent)" 't|-|0|f t|reused_ana|0|f u|-|0.2|f u|reused_ana|0|f ' 'the new table and the new role'
sql -c "SET ROLE reused_ana; SELECT dp_count('*', 0.1) FROM t" >/dev/null
# What was charged since counts, also when the ledger is read from its beginning, and when it is said once more.
sql -c "SELECT dp.protect('t', 1), dp.grant_budget('t', 'reused_ana', 1, allow_leaks => true)" >/dev/null
expect "$(spent)" 't|-|0.1|f t|reused_ana|0.1|f u|-|0.2|f u|reused_ana|0|f ' 'after a charge'
sql -c 'SELECT dp.confirm_ledger()' >/dev/null
expect "$(spent)" 't|-|0.1|f t|reused_ana|0.1|f u|-|0.2|f u|reused_ana|0|f ' 'read anew'
expect "$(sql -At -c "SELECT kind, sum(table_epsilon) FROM dp.ledger WHERE relation = 't'::regclass GROUP BY kind ORDER BY kind" | tr '\n' ' ')" \
  'closed|0 dropped|0.3 query|0.4 ' 'the ledger of that number'

# In a period, too, of which what the old one had spent is out, and not what took it off.
sql -c "UPDATE dp.ledger_entry SET charged_at = charged_at - interval '1 year'
  WHERE seq < (SELECT min(seq) FROM dp.ledger_entry WHERE relation = 't'::regclass AND kind = 'dropped')" \
  -c "SELECT dp.protect('t', period => '1 month', sliding => true)" >/dev/null
expect "$(spent)" 't|-|0.1|f t|reused_ana|0.1|f u|-|0.2|f u|reused_ana|0|f ' 'in a period'
sql -c "SELECT dp.protect('t', period => '0')" >/dev/null

# What w took over of v was spent on the v of that time: of another table with its number w takes over all that is spent there.
sql -c 'CREATE TABLE v AS TABLE u; CREATE TABLE w AS TABLE u' -c "SELECT dp.protect('v', 1)" >/dev/null
sql -c "SELECT dp_count('*', 0.3) FROM v" -c "SELECT dp.protect('w', 1, continues => 'v')" >/dev/null
expect "$(sql -At -c "SELECT epsilon_spent FROM dp.budgets WHERE relation = 'w'::regclass")" 0.3 'what w took over'
table=$(number v regclass)
sql -c 'SET dp.allow_drop = on; DROP TABLE v'
expect "$(sql -At -c 'SELECT count(*) FROM dp.continued')" 0 'moves of a table that is gone'
next_is "$table"
sql -c 'CREATE TABLE v AS TABLE u' -c "SELECT dp.protect('v', 1)" >/dev/null
expect "$(number v regclass)" "$table" 'the number of the new v'
sql -c "SELECT dp_count('*', 0.1) FROM v" -c "SELECT dp.protect('w', 1, continues => 'v')" >/dev/null
expect "$(sql -At -c "SELECT epsilon_spent FROM dp.budgets WHERE relation = 'w'::regclass")" 0.4 'what w took over of the new v'
sql -c 'SET dp.allow_drop = on; DROP TABLE v, w'

# What w took over for a role was spent by the role of that time: of another role with its number w takes over all that it spends.
sql -c 'CREATE TABLE v AS TABLE u; CREATE TABLE w AS TABLE u; CREATE ROLE reused_cid' \
  -c "SELECT dp.protect('v', 1), dp.grant_budget('v', 'reused_cid', 1, allow_leaks => true)" >/dev/null
sql -c "SET ROLE reused_cid; SELECT dp_count('*', 0.3) FROM v" >/dev/null
sql -c "SELECT dp.protect('w', 1, continues => 'v')" >/dev/null
role=$(number reused_cid regrole)
sql -c 'DROP ROLE reused_cid'
next_is "$role"
sql -c 'CREATE ROLE reused_cid' -c "SELECT dp.protect('v', 1), dp.grant_budget('v', 'reused_cid', 1, allow_leaks => true), dp.grant_budget('w', 'reused_cid', 1, allow_leaks => true)" >/dev/null
expect "$(number reused_cid regrole)" "$role" 'the number of the new reused_cid'
sql -c "SET ROLE reused_cid; SELECT dp_count('*', 0.1) FROM v" >/dev/null
sql -c "SELECT dp.protect('w', 1, continues => 'v')" >/dev/null
expect "$(sql -At -c "SELECT epsilon_spent FROM dp.budgets WHERE relation = 'w'::regclass AND role = 'reused_cid'::regrole")" 0.1 'what w took over of the new reused_cid'
sql -c 'SET dp.allow_drop = on; DROP TABLE v, w; DROP ROLE reused_cid'

# A role that is dropped in another database is not noted here: dp.check() tells of its budget.
sql -c "CREATE ROLE reused_ben; SELECT dp.grant_budget('t', 'reused_ben', 1, allow_leaks => true)" >/dev/null
gone=$(number reused_ben regrole)
PGDATABASE=postgres sql -c 'DROP ROLE reused_ben'
run=$(sql -At -c "SELECT run FROM dp.check('t') WHERE finding LIKE 'a dropped role, number $gone,%'")
expect "$run" "SELECT dp.revoke_budget('public.t', '$gone');" 'what to run'
sql -c "$run" >/dev/null
expect "$(spent)" 't|-|0.1|f t|reused_ana|0.1|f u|-|0.2|f u|reused_ana|0|f ' 'after the dropped role is gone here, too'
