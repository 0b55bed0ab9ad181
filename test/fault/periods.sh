#!/usr/bin/env bash
# Budgets for a period, on a server whose clock is put forward by months, and back: what counts of the ledger is what lies in the period,
# to the second, also after a crash, a compaction, in a dump and on a standby; time never goes back for an account; and sessions that
# wait for each other get no more than there is.
set -euo pipefail
. "$(dirname "$0")/../../tools/lib/common.sh"
own_environment

folder=$(server_folder check-periods)
stop_cluster "$folder"
install_extension "$folder"
gcc -shared -fPIC -o "$folder/shifted_clock.so" "$ROOT/test/support/shifted_clock.c"
make_cluster "$folder" "$ROOT/test/postgresql.conf" >/dev/null
export SHIFTED_CLOCK=$folder/data/shift
other=
clean_up() {
  [[ -z $other ]] || as_server "$PG_BIN/pg_ctl" -D "$other/data" -s -w -m immediate stop || true
  [[ -z $other ]] || as_server rm -rf "$other"
  stop_cluster "$folder"
}
trap clean_up EXIT
start() { LD_PRELOAD=$folder/shifted_clock.so start_cluster "$folder"; }

# at MOMENT: by universal time it is that now.
at() { as_server tee "$SHIFTED_CLOCK" <<<"$(($(date -d "$1 UTC" +%s) - $(date +%s)))" >/dev/null; }

# expect WHAT IS SHOULD_BE
expect() { [[ $2 == "$3" ]] || { echo "$1: $2 instead of $3"; exit 1; }; }

# ask TABLE EPSILON: what becomes of a question.
ask() { "$PG_BIN/psql" -X -q -At -c "SELECT 'answered' FROM (SELECT dp_count('*', $2) FROM $1) AS q" 2>&1 | sed -n 's/^ERROR:  \(privacy budget exhausted\).*/\1/p; /^answered$/p'; }
full='privacy budget exhausted'

# left TABLE [ROLE]: what is spent, left and charged in the period.
left() { sql -At -c "SELECT epsilon_spent, epsilon_left, charges FROM dp.budgets WHERE relation = '$1'::regclass AND role_name IS NOT DISTINCT FROM ${2-NULL}"; }

at '2031-01-10 12:00'
start
use_cluster "$folder" postgres
sql -c 'CREATE DATABASE periods'
PGDATABASE=periods
sql >/dev/null <<'SQL'
CREATE EXTENSION pg_dp;
CREATE TABLE monthly AS SELECT i FROM generate_series(1, 10) AS i;
CREATE TABLE sliding AS TABLE monthly;
CREATE TABLE whole AS TABLE monthly;
CREATE TABLE renyi AS TABLE monthly;
CREATE TABLE shown AS TABLE monthly;
CREATE TABLE zones AS TABLE monthly;
SELECT dp.protect('zones', 0.5, period => '1 month', sliding => true);
SELECT dp.protect('monthly', 0.5, period => '1 month'), dp.protect('sliding', 0.5, period => '1 month', sliding => true, max_charges => 3),
    dp.protect('whole', 100), dp.protect('renyi', 8, 1e-6, accountant => 'renyi', period => '1 month', sliding => true),
    dp.protect('shown', 0.5, period => '1 month', sliding => true, reuse => '1 year');
CREATE ROLE ana;
SELECT dp.grant_budget('whole', 'ana', 1, allow_leaks => true, period => '1 week');
SQL

# ---- a sliding month, and the calendar's ----------------------------------------------------------------------------

expect 'the first charge' "$(ask sliding 0.2)" answered
expect 'a month begins' "$(ask monthly 0.3)" answered
for _ in {1..200}; do echo "SELECT dp_count('*', 0.02) FROM renyi;"; done | sql >/dev/null
expect 'renyi answers' "$(sql -At -c "SELECT charges FROM dp.budgets WHERE relation = 'renyi'::regclass")" 200
renyi_before=$(left renyi)
expect 'an answer to be shown' "$(ask shown 0.3)" answered
at '2031-01-20 12:00'
expect 'the second charge' "$(ask sliding 0.2)" answered
expect 'a month goes on' "$(ask monthly 0.3)" "$full"
at '2031-01-31 15:00'
expect 'on the last of a month' "$(ask zones 0.5)" answered
at '2031-01-31 23:58'
expect 'the end of a month' "$(ask monthly 0.3)" "$full"
expect 'where it is February already' "$(PGOPTIONS='-c timezone=Pacific/Kiritimati' ask monthly 0.3)" "$full"
expect 'when it ends' "$(sql -At -c "SELECT period_end FROM dp.budgets WHERE relation = 'monthly'::regclass")" '2031-02-01 00:00:00+00'
at '2031-02-01 00:00:05'
expect 'another month' "$(ask monthly 0.3)" answered
expect 'and no more in it' "$(ask monthly 0.3)" "$full"
expect 'of a month' "$(left monthly)" '0.3|0.2|1'
expect 'of all months' "$(sql -At -c "SELECT epsilon_ever FROM dp.budgets WHERE relation = 'monthly'::regclass")" 0.6

at '2031-02-10 11:59'
expect 'just before a month is over' "$(ask sliding 0.2)" "$full"
expect 'by days of its own' "$(PGOPTIONS='-c timezone=Pacific/Kiritimati' ask sliding 0.2)" "$full"
at '2031-02-10 12:01'
expect 'one charge counts no more' "$(left sliding)" '0.2|0.3|1'
expect 'in its place' "$(ask sliding 0.3)" answered
expect 'and no more' "$(ask sliding 0.2)" "$full"
expect 'charges of renyi expire together' "$(left renyi)" '0|8|0'
for _ in {1..200}; do echo "SELECT dp_count('*', 0.02) FROM renyi;"; done | sql >/dev/null
expect 'and the same cost the same' "$(left renyi)" "$renyi_before"
released=$(sql -At -c "SELECT dp_count('*', 0.3) FROM shown")
expect 'shown again after its period, for nothing' "$(left shown)" '0|0.5|0'
expect 'as it was' "$(sql -At -c "SELECT dp_count('*', 0.3) FROM shown")" "$released"

# ---- a clock that goes back -----------------------------------------------------------------------------------------

at '2031-02-20 12:01'
expect 'the second one counts no more' "$(left sliding)" '0.3|0.2|1'
at '2031-02-05 12:00'
expect 'by a clock that is behind both do' "$(left sliding)" '0.7|0|3'
expect 'and is not given back' "$(ask sliding 0.1)" "$full"
at '2031-02-20 12:02'
expect 'the clock is right again' "$(ask sliding 0.1)" answered
at '2031-01-25 12:00'
expect 'two months count' "$(left monthly)" '0.6|0|2'
expect 'in January again' "$(ask monthly 0.1)" "$full"
expect 'asked of another table' "$(ask whole 0.1)" answered
expect 'it is dated with the last one' "$(sql -At -c "SELECT min(charged_at) >= '2031-02-20 12:01' FROM dp.ledger WHERE relation = 'whole'::regclass")" t
expect 'no entry before another one' "$(sql -At -c 'SELECT bool_and(charged_at >= before) FROM (SELECT charged_at, lag(charged_at) OVER (ORDER BY seq) AS before FROM dp.ledger_entry) AS l')" t
at '2031-02-28 15:01'
expect 'counted where that was the first of a month' "$(PGOPTIONS='-c timezone=Pacific/Kiritimati' left zones)" '0.5|0|1'
expect 'asked where that was the first of a month' "$(PGOPTIONS='-c timezone=Pacific/Kiritimati' ask zones 0.5)" "$full"
at '2031-03-01 00:00:05'
expect 'March has all of it' "$(left monthly)" '0|0.5|0'

# ---- crash, compaction, dump, standby -------------------------------------------------------------------------------

at '2031-03-05 12:00'
expect 'before the crash' "$(left sliding)" '0.4|0.1|2'
as_server "$PG_BIN/pg_ctl" -D "$folder/data" -s -w -m immediate stop
start
expect 'after it' "$(left sliding)" '0.4|0.1|2'
expect 'and no more than was left' "$(ask sliding 0.2)" "$full"
# Somebody looks, and then nobody for ten days, in which one more expires, before entries are folded.
at '2031-03-12 12:00'
folded=$(sql -At -c "SELECT dp.compact_ledger('infinity')")
expect 'what counts is not folded' "$(sql -At -c "SELECT count(*) FROM dp.ledger WHERE relation = 'sliding'::regclass AND kind = 'query'")" 1
((folded > 400)) || { echo "folded $folded"; exit 1; }
expect 'after the compaction' "$(left sliding)" '0.1|0.4|1'
expect 'in all' "$(sql -At -c "SELECT epsilon_ever FROM dp.budgets WHERE relation = 'sliding'::regclass")" 0.8
expect 'asked after it' "$(ask sliding 0.4)" answered
at '2031-03-20 12:01'
expect 'not too early' "$(left sliding)" '0.5|0|2'
at '2031-03-20 12:04'
expect 'and on time' "$(left sliding)" '0.4|0.1|1'
sql -c "SELECT dp.protect('sliding', period => '6 months')" >/dev/null
expect 'a longer period, exact but for what was folded' "$(left sliding)" '1.2|0|5'
sql -c "SELECT dp.protect('sliding', period => '0')" >/dev/null 2>&1
expect 'for ever' "$(left sliding)" '1.2|0|5'
sql -c "SELECT dp.protect('sliding', period => '1 month', sliding => true)" >/dev/null
expect 'and a month again' "$(left sliding)" '0.4|0.1|1'

"$PG_BIN/pg_dump" -Fc -f "$folder/dump"
sql -c 'CREATE DATABASE restored'
"$PG_BIN/pg_restore" -d restored --exit-on-error "$folder/dump"
sql -d restored -c 'SELECT dp.confirm_ledger()' >/dev/null
expect 'in a dump' "$(PGDATABASE=restored left sliding)" '0.4|0.1|1'
expect 'no more there either' "$(PGDATABASE=restored ask sliding 0.2)" "$full"

other=$(as_server mktemp -d /tmp/pg_dp.standby.XXXXXX)
as_server chmod 755 "$other"
as_server "$PG_BIN/pg_basebackup" -h "$PGHOST" -p "$PGPORT" -U postgres -D "$other/data" -R -c fast --no-sync -X stream
LD_PRELOAD=$folder/shifted_clock.so as_server "$PG_BIN/pg_ctl" -D "$other/data" -l "$other/log" -s -w -o "-k $other -p $PGPORT" start
expect 'on a standby' "$(PGHOST=$other left sliding)" '0.4|0.1|1'
as_server "$PG_BIN/pg_ctl" -D "$other/data" -s -w promote
sql -h "$other" -c 'SELECT dp.confirm_ledger()' >/dev/null
expect 'after its promotion' "$(PGHOST=$other left sliding)" '0.4|0.1|1'
expect 'no more there' "$(PGHOST=$other ask sliding 0.2)" "$full"
at '2031-04-12 12:01'
expect 'and there again' "$(PGHOST=$other ask sliding 0.2)" answered

# ---- a role's week, on a table whose budget is for ever -------------------------------------------------------------

sql -c 'GRANT SELECT ON whole TO ana' >/dev/null
as_ana() { PGOPTIONS='-c role=ana' ask whole "$1"; }
at '2031-04-20 23:59' # a Sunday
expect "a role's week" "$(as_ana 1)" answered
expect 'and no more in it' "$(as_ana 0.1)" "$full"
at '2031-04-21 00:00:05'
expect 'its next week' "$(as_ana 0.9)" answered
expect 'the table counts both' "$(left whole)" '2|98|3'
expect 'the role one' "$(left whole "'ana'")" '0.9|0.1|1'

# ---- answers that are made more accurate ----------------------------------------------------------------------------

# relax ROLE EPSILON: what the table is charged for it.
relax() { sql -At -c "SELECT FROM dp_relax_release($1, $2)" -c 'SELECT table_epsilon FROM dp.last_charges(1)' | tail -n 1; }
release() { sql -At -c "SELECT dp_count('*', 0.1) FROM $1" -c 'SELECT dp_last_release()' | tail -n 1; }
sql -c "SELECT dp.protect('monthly', 5), dp.protect('sliding', 5)" >/dev/null
at '2031-05-10 12:00'
in_month=$(release monthly) in_window=$(release sliding)
expect 'within the month it costs the difference' "$(relax "$in_month" 0.2)" 0.1
expect 'windows begin between both' "$(relax "$in_window" 0.2)" 0.3
at '2031-06-10 12:00'
expect 'in another month it costs both' "$(relax "$in_month" 0.4)" 0.6
sql -c "SELECT dp.protect('monthly', reuse => '1 year')" >/dev/null
asked() { sql -At -c "SELECT dp_count('*', $1, 'laplace') IS NOT NULL FROM monthly" -c "SELECT kind, table_epsilon FROM dp.last_charges(1)" | tail -n 1; }
expect 'asked' "$(asked 0.1)" 'query|0.1'
expect 'asked more accurately' "$(asked 0.2)" 'relax|0.1'
# The month ends between the price and the charge, while somebody holds the ledger.
in_june=$(release monthly)
coproc holding { "$PG_BIN/psql" -X -q -At 2>&1; }
echo "BEGIN; LOCK TABLE dp.ledger_entry IN SHARE MODE; SELECT 'held';" >&"${holding[1]}"
read -r held <&"${holding[0]}"
"$PG_BIN/psql" -X -q -At -c "SELECT FROM dp_relax_release($in_june, 0.2)" >"$folder/relaxed" 2>&1 &
relaxing=$!
until [[ $(sql -At -c "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'dp.ledger_entry'::regclass") == 1 ]]; do sleep 0.05; done
at '2031-07-01 00:00:05'
echo 'ROLLBACK; \q' >&"${holding[1]}"
wait "$relaxing" || true
expect 'a price of June in July' "$(sed -n 's/:.*//; 1p' "$folder/relaxed" | cut -d: -f1) $(grep -c 'a period of a budget has ended' "$folder/relaxed")" 'ERROR 1'
expect 'and no charge' "$(left monthly)" '0|5|0'
at '2031-07-10 12:00'
expect 'a month later a fresh answer costs less' "$(asked 0.3)" 'query|0.3'

# ---- another table in its place -------------------------------------------------------------------------------------

expect 'before' "$(left monthly)" '0.3|4.7|1'
ever=$(sql -At -c "SELECT epsilon_ever FROM dp.budgets WHERE relation = 'monthly'::regclass")
sql -c 'CREATE TABLE monthly_new AS TABLE monthly' -c "SELECT dp.protect('monthly_new', continues => 'monthly')" >/dev/null
expect 'what it has taken over of the month' "$(left monthly_new)" '0.3|4.7|1'
expect 'and of all months' "$(sql -At -c "SELECT epsilon_ever FROM dp.budgets WHERE relation = 'monthly_new'::regclass")" "$ever"
as_server "$PG_BIN/pg_ctl" -D "$folder/data" -s -w -m immediate stop
start
expect 'after a crash, too' "$(left monthly_new)" '0.3|4.7|1'
at '2031-08-01 00:00:05'
expect 'the month after' "$(left monthly_new)" '0|5|0'

# ---- entries written by hand ----------------------------------------------------------------------------------------

sql -c "UPDATE dp.ledger_entry SET charged_at = '2031-08-01 00:00:01+00' WHERE seq = (SELECT max(seq) FROM dp.ledger_entry WHERE kind = 'continued')"
expect 'an entry that was dated anew' "$(left monthly_new)" '0.3|4.7|1'

# ---- sessions that wait for each other ------------------------------------------------------------------------------

# What has expired while a statement waits is there for its second answer: both fitted when it began.
sql -c "SELECT dp.protect('sliding', 0.6, period => '2 seconds', sliding => true, max_charges => -1)" >/dev/null
"$PG_BIN/psql" -X -q -At -c "SELECT dp_count('*', 0.3) IS NOT NULL FROM sliding UNION ALL SELECT pg_sleep(4) IS NOT NULL
  UNION ALL SELECT dp_count('*', 0.3) IS NOT NULL FROM sliding" >"$folder/waited" 2>&1 &
waiting=$!
sleep 1
expect 'asked meanwhile' "$(ask sliding 0.3)" answered
wait "$waiting" || true
expect 'after its wait' "$(tr '\n' ' ' <"$folder/waited")" 't t t '
sql -c 'CREATE TABLE raced AS TABLE monthly' -c "SELECT dp.protect('raced', 0.5, period => '1 second', sliding => true)" >/dev/null
for _ in {1..8}; do
  yes "SELECT dp_count('*', 0.01) FROM raced;" | timeout 5 "$PG_BIN/psql" -X -q -At >/dev/null 2>&1 &
done
while [[ -n $(jobs -rp) ]]; do
  [[ $(left raced) =~ ^0\.[0-4]|^0\.5\||^0\| ]] || { echo "in the race: $(left raced)"; exit 1; }
done
expect 'more than fits a window' "$(sql -At -c "SELECT count(*) FROM (SELECT sum(table_epsilon) OVER (ORDER BY charged_at
  RANGE BETWEEN '0.999999 seconds' PRECEDING AND CURRENT ROW) AS spent FROM dp.ledger WHERE relation = 'raced'::regclass) AS l WHERE spent > 0.5")" 0
expect 'windows one after the other' "$(sql -At -c "SELECT sum(table_epsilon) > 1 FROM dp.ledger WHERE relation = 'raced'::regclass")" t
