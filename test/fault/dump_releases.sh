#!/usr/bin/env bash
# Threat 110 of docs/internals/threats.md: pg_dump and a restore carry releases: the same answers at every level that
# was shown, free, and the path goes on from there. What belongs to a dropped table or maker stays behind; a level that
# a dropped role was shown does not: it must not be drawn again.
set -euo pipefail
. "$(dirname "$0")/../support/restore.sh"

dumped_roles='dump_maker, dump_ben'

sql >/dev/null <<'SQL'
CREATE ROLE dump_maker;
CREATE ROLE dump_ben;
CREATE ROLE dump_gone;
CREATE SCHEMA clinic;
CREATE TABLE clinic.visits AS SELECT i, 'ward ' || i % 7 AS ward, i % 90 AS age FROM generate_series(1, 700) i;
ALTER TABLE clinic.visits ALTER ward SET NOT NULL;
CREATE TABLE gone AS TABLE clinic.visits;
CREATE TABLE clinic.stays AS SELECT i, i % 100 AS person FROM generate_series(1, 300) i;
CREATE TABLE clinic.people AS SELECT id FROM generate_series(0, 99) id;
CREATE TABLE gone_people AS TABLE clinic.people;
ALTER TABLE clinic.people ADD PRIMARY KEY (id);
ALTER TABLE gone_people ADD PRIMARY KEY (id);
SELECT dp.protect('clinic.stays', 9e9, privacy_unit => 'person', max_rows_per_unit => 3),
    dp.protect('clinic.people', 9e9, privacy_unit => 'id'), dp.protect('gone_people', 9e9, privacy_unit => 'id');
SELECT dp.grant_budget(t, 'dump_maker', 9e9, allow_leaks => true) FROM unnest('{clinic.stays, clinic.people, gone_people}'::regclass[]) t;
SELECT dp.protect('clinic.visits', 9e9), dp.protect('gone', 9e9);
SELECT dp.public_values(t, 'ward', 'ward 0', 'ward 1', 'ward 2', 'ward 3', 'ward 4', 'ward 5', 'ward 6') FROM unnest(ARRAY['clinic.visits', 'gone']::regclass[]) t;
SELECT dp.grant_budget('clinic.visits', r, 9e9, allow_leaks => true) FROM unnest(ARRAY['dump_maker', 'dump_ben', 'dump_gone']::regrole[]) r;
SELECT dp.grant_budget('gone', 'dump_maker', 9e9, allow_leaks => true);
GRANT USAGE ON SCHEMA clinic TO dump_maker, dump_gone;
GRANT SELECT ON clinic.visits, gone TO dump_maker, dump_gone;
CREATE TABLE asked (what text, release bigint);
GRANT SELECT, INSERT ON asked TO PUBLIC;
SET ROLE dump_gone;
SELECT dp_count('*', 0.1) FROM clinic.visits;
INSERT INTO asked VALUES ('dropped maker', dp_last_release());
SET ROLE dump_maker;
-- Joined tables: what was answered goes where all of them do.
SELECT dp_count('*', 0.1) FROM clinic.stays s JOIN clinic.people p ON p.id = s.person;
INSERT INTO asked VALUES ('joined', dp_last_release());
SELECT dp_count('*', 0.1) FROM clinic.stays s JOIN gone_people p ON p.id = s.person;
SELECT ward, dp_count('*', 0.1), dp_avg(age, 0, 100, 0.2), dp_histogram(age, 0, 90, 3, 0.1), dp_bounds(age, 0.1), dp_mode(ward, ARRAY['ward 1'], 0.1)
FROM clinic.visits GROUP BY ward;
INSERT INTO asked VALUES ('kept', dp_last_release());
SELECT relax_release(release, 0.3, 'dp_count(''*'', 0.1)') FROM asked WHERE what = 'kept';
-- Its number is the last one that the ledger mentions, and nothing of it is dumped.
SELECT ward, dp_count('*', 0.1) FROM gone GROUP BY ward;
INSERT INTO asked VALUES ('dropped table', dp_last_release());
RESET ROLE;
SELECT dp.share_release(release, 'dump_gone', 0.7, 'dp_count(''*'', 0.1)'),
    dp.share_release(release, 'dump_ben', 0.05, 'dp_count(''*'', 0.1)')
FROM asked WHERE what = 'kept';
DROP TABLE gone, gone_people;
DROP OWNED BY dump_gone;
DROP ROLE dump_gone;
SQL
release=$(sql -At -c "SELECT release FROM asked WHERE what = 'kept'")
joined=$(sql -At -c "SELECT release FROM asked WHERE what = 'joined'")

# shown DATABASE: what the roles are shown of levels that they hold.
shown() {
  sql -At -d "$1" <<SQL
SELECT release_id, made_at, role, relation, aggregate, mechanism, epsilon, groups, query FROM dp.releases
WHERE release_id IN ($release, $joined) ORDER BY release_id, relation::text;
SET ROLE dump_maker;
SELECT * FROM dp_answer($joined);
SELECT * FROM dp_answer($release);
SELECT * FROM relax_release($release, 0.3, 'dp_count(''*'', 0.1)');
SELECT * FROM relax_release($release, 0.05, 'dp_count(''*'', 0.1)');
SET ROLE dump_ben;
SELECT * FROM dp_answer($release);
RESET ROLE;
SELECT seq, role, epsilon, table_epsilon, release_id FROM dp.ledger WHERE relation = 'clinic.visits'::regclass ORDER BY seq;
SQL
}

# check HOW: the restored database.
check() {
  diff "$work/original" <(shown "$restored") || { echo "not the same after a restore $1"; exit 1; }
  expect 'releases' "$(sql -At -d "$restored" -c "SELECT string_agg(DISTINCT release_id::text, ',') FROM dp.release_part")" \
    "$joined,$release"
  expect 'numbers without a release' "$(sql -At -d "$restored" -c "SELECT count(*) FROM (
      SELECT release_id FROM dp.release_aggregate UNION ALL SELECT release_id FROM dp.release_keys
      UNION ALL SELECT release_id FROM dp.release_level UNION ALL SELECT release_id FROM dp.release_path
      UNION ALL SELECT release_id FROM dp.release_holding) r
    WHERE release_id NOT IN ($release, $joined)")" 0
}

shown "$PGDATABASE" >"$work/original"
"$PG_BIN/pg_dump" -Fc -f "$work/dump"
"$PG_BIN/pg_dump" -f "$work/dump.sql"
# The level that the dropped role was shown: whoever comes there is shown the same, now and after a restore.
level="SET ROLE dump_maker; SELECT * FROM relax_release($release, 0.7, 'dp_count(''*'', 0.1)')"
sql -At -c "$level" >"$work/level"
[[ -s $work/level && -s $work/original ]]

fresh
sql -d "$restored" -1 -f "$work/dump.sql" >/dev/null
check 'by psql'

fresh
restore --section=pre-data
restore --data-only --disable-triggers
restore --section=post-data
check 'in sections'

fresh
restore
check 'in one go'
message=$(sql -At -d "$restored" -c "$level" 2>&1) && { echo "charged in a copy: $message"; exit 1; }
grep -q 'It has entries, and nothing says which server wrote them: they were restored.' <<<"$message" || { echo "$message"; exit 1; }
confirm
diff "$work/level" <(sql -At -d "$restored" -c "$level") || { echo 'a level was drawn again'; exit 1; }
price='SELECT epsilon, table_epsilon FROM dp.ledger ORDER BY seq DESC LIMIT 1'
expect 'the price of it' "$(sql -At -d "$restored" -c "$price")" '0.4|0'

# On from there: exact at last, for the difference; the data need not be there.
exact="SET ROLE dump_maker; SELECT DISTINCT answer FROM relax_release($release, 1e6, 'dp_count(''*'', 0.1)')"
sql -d "$restored" -c 'TRUNCATE clinic.visits, clinic.stays'
expect 'at 1e6' "$(sql -At -d "$restored" -c "$exact")" 100
expect 'the price of it' "$(sql -At -d "$restored" -c "$price")" '999999.3|999999.3'
expect 'joined, at 1e6' "$(sql -At -d "$restored" -c "SET ROLE dump_maker; SELECT answer FROM relax_release($joined, 1e6)")" 300
expect 'the price of it' "$(sql -At -d "$restored" -c "SELECT relation, epsilon, table_epsilon FROM dp.ledger ORDER BY seq DESC LIMIT 2")" \
  $'clinic.people|999999.9|999999.9\nclinic.stays|999999.9|999999.9'

# A dump that was made while a query ended may hold its release and not its charge. Once somebody has confirmed that, the number is
# not given out once more.
sql -d "$restored" -c "DELETE FROM dp.ledger_entry WHERE release_id >= $release"
confirm
ask="SET ROLE dump_maker; SELECT dp_count('*', 0.1) FROM clinic.visits \\g /dev/null
SELECT dp_last_release() AS release, (SELECT max(release_id) FROM dp.ledger) = $release AS same_number;"
expect 'the old release' "$(sql -At -d "$restored" -c "$exact")" 100
expect 'the next number' "$(sql -At -d "$restored" <<<"$ask")" "$((release + 1))|f"
