#!/usr/bin/env bash
# Citus, where it is installed: tables that it distributes, or copies to all servers, are refused as they are, by whatever way they came to be
# such ones; and protected and answered where a foreign table of another server stands for them. Without Citus there is nothing to test.
set -euo pipefail
. "$(dirname "$0")/../../tools/lib/common.sh"

library=$("$PG_BIN/pg_config" --pkglibdir)/citus.so
beside=$(sql -At -c "SELECT current_setting('extension_destdir', true)")
[[ -e $library || -e $beside$library ]] || { echo 'without Citus'; exit 0; }

folder=$(as_server mktemp -d /tmp/pg_dp.citus.XXXXXX)
clean_up() {
  as_server "$PG_BIN/pg_ctl" -D "$folder/data" -s -w -m immediate stop || true
  as_server rm -rf "$folder"
}
trap clean_up EXIT
as_server chmod 755 "$folder"
port=$((20000 + RANDOM % 10000))
as_server "$PG_BIN/initdb" -D "$folder/data" -U postgres -A trust -E UTF8 --locale=C --no-sync >/dev/null
# Citus connects to itself: by TCP, on the loopback. It wants to be loaded first, and does not find itself beside the server's own files.
printf '%s\n' "listen_addresses = '127.0.0.1'" "port = $port" 'fsync = off' "shared_preload_libraries = 'citus,pg_dp'" "citus.local_hostname = '127.0.0.1'" \
  'citus.enable_version_checks = off' 'citus.shard_count = 4' "$(sql -At -c "SELECT format('%s = %L', name, setting) FROM pg_settings WHERE name IN ('extension_destdir', 'extension_control_path', 'dynamic_library_path')")" | as_server tee -a "$folder/data/postgresql.conf" >/dev/null
as_server "$PG_BIN/pg_ctl" -D "$folder/data" -l "$folder/log" -s -w -o "-k $folder" start
# there ARGUMENT...: what psql says there.
there() { PGHOST=$folder PGPORT=$port PGDATABASE=postgres "$PG_BIN/psql" -X -q -At -v ON_ERROR_STOP=1 "$@" 2>&1; }
here() { sql -At "$@"; }
# set_up ARGUMENT...: the same, of what has to work.
set_up() {
  local said
  said=$(there "$@") || { echo "$said"; exit 1; }
}
expect() { [[ $2 == "$3" ]] || { echo "$1: is '$2', not '$3'"; exit 1; }; }
refused() { [[ $2 == *"$3"* ]] || { echo "$1: told '$2', not '$3'"; exit 1; }; }

set_up -c "SET client_min_messages = error; CREATE EXTENSION citus; CREATE EXTENSION pg_dp" -c "SET client_min_messages = error; CREATE ROLE ana; CREATE ROLE reader LOGIN;
  CREATE TABLE visits (person int, ward text, cost int); CREATE TABLE people (person int, age int); CREATE TABLE wards (ward text, beds int);
  CREATE TABLE own (person int, ward text); CREATE TABLE later (person int, ward text);
  INSERT INTO own SELECT i, 'north' FROM generate_series(1, 300) i; INSERT INTO later SELECT i, 'north' FROM generate_series(1, 300) i;
  SELECT create_distributed_table('visits', 'person'), create_distributed_table('people', 'person', colocate_with => 'visits'), create_reference_table('wards');
  INSERT INTO visits SELECT i % 500, (ARRAY['north', 'south'])[i % 2 + 1], i % 100 FROM generate_series(1, 2000) i;
  INSERT INTO people SELECT i, i % 90 FROM generate_series(0, 499) i; INSERT INTO wards VALUES ('north', 10), ('south', 20);
  GRANT SELECT ON visits, people, wards TO reader"

# As they are: refused, in a word that says why. Tables of this server alone are protected beside them.
for table in visits people wards; do
  refused "$table" "$(there -c "SELECT dp.protect('$table', 9e9)" || true)" 'is distributed by Citus'
done
set_up -c "SET client_min_messages = error; SELECT dp.protect(t, 9e9), dp.grant_budget(t, 'ana', 9e9, allow_leaks => true) FROM unnest('{own,later}'::regclass[]) t"
question='SET ROLE ana; SELECT dp_count($$*$$, 1e6) FROM'
expect 'a table of this server' "$(there -c "$question own")" 300
expect 'a table that is not distributed yet' "$(there -c "$question later")" 300

# One that is distributed afterwards: nothing of it is told.
set_up -c "SET client_min_messages = error; SELECT create_distributed_table('later', 'person')"
refused 'distributed afterwards' "$(there -c "$question later" || true)" 'is distributed by Citus'
for statement in 'TABLE later' 'SELECT count(*) FROM later' 'SELECT person, count(*) FROM later GROUP BY person' 'EXPLAIN SELECT * FROM later' 'COPY later TO STDOUT' \
  "SELECT dp_count('*', 1e6) FROM later JOIN own USING (person)" 'TABLE visits' "SELECT dp_count('*', 1) FROM visits"; do
  told=$(there -c "SET ROLE ana" -c "$statement" || true)
  [[ $told == *ERROR:* ]] && ! grep -qE '^[0-9]+(\||$)' <<<"$told" || { echo "$statement: told '$told'"; exit 1; }
done
expect 'charges of what was refused' "$(there -c "SELECT count(*) FROM dp.ledger WHERE relation = 'later'::regclass")" 1
# Joined with what is protected, in either direction, nothing is answered by Citus past the release node.
set_up -c 'GRANT SELECT ON visits TO ana'
for statement in "SELECT dp_count('*', 1) FROM own JOIN visits USING (person)" 'SELECT count(*) FROM own JOIN visits USING (person)' \
  'SELECT v.person FROM visits v JOIN own USING (person)' 'SELECT (SELECT count(*) FROM visits), person FROM own'; do
  told=$(there -c "SET ROLE ana" -c "$statement" || true)
  [[ $told == *ERROR:* ]] && ! grep -qE '^[0-9]+(\||$)' <<<"$told" || { echo "$statement: told '$told'"; exit 1; }
done
set_up -c 'REVOKE SELECT ON visits FROM ana'

# Where foreign tables stand for them, they are protected and answered: here Citus computes nothing but rows and conditions.
here -c "SET client_min_messages = error; CREATE EXTENSION postgres_fdw; CREATE ROLE regress_citus_ana;
  CREATE SERVER citus FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '$folder', port '$port', dbname 'postgres');
  CREATE USER MAPPING FOR CURRENT_USER SERVER citus OPTIONS (user 'reader', password_required 'false');
  CREATE FOREIGN TABLE visits (person int, ward text, cost int) SERVER citus OPTIONS (schema_name 'public');
  CREATE FOREIGN TABLE people (person int, age int) SERVER citus OPTIONS (schema_name 'public');
  CREATE FOREIGN TABLE wards (ward text, beds int) SERVER citus OPTIONS (schema_name 'public');
  CREATE TABLE local_visits AS TABLE visits; CREATE TABLE local_people AS TABLE people; CREATE TABLE public_wards AS TABLE wards; ALTER TABLE public_wards ADD PRIMARY KEY (ward); GRANT SELECT ON public_wards TO PUBLIC;
  SELECT dp.protect(t, 9e9, privacy_unit => 'person', max_rows_per_unit => 3), dp.grant_budget(t, 'regress_citus_ana', 9e9, allow_leaks => true, answer_epsilon => 1e6),
    dp.declare_range(t, CASE WHEN t::text LIKE '%visits' THEN 'cost' ELSE 'age' END, 0, 100) FROM unnest('{visits,people,local_visits,local_people}'::regclass[]) t;
  SELECT dp.public_values(t, 'ward', 'north', 'south') FROM unnest('{visits,local_visits}'::regclass[]) t;
  SELECT dp.protect('wards', 9e9), dp.grant_budget('wards', 'regress_citus_ana', 9e9, allow_leaks => true)" >/dev/null
ask() { "$PG_BIN/psql" -X -q -At -c 'SET client_min_messages = error; SET ROLE regress_citus_ana' -c "$1" 2>&1 || true; }
same() {
  local of_citus
  of_citus=$(ask "$1")
  [[ $of_citus != *ERROR:* ]] || { echo "$1: $of_citus"; exit 1; }
  expect "$1" "$of_citus" "$(ask "$(sed -E 's/\b(visits|people)\b/local_\1/g' <<<"$1")")"
}
expect 'rows that were copied' "$(here -c 'SELECT count(*) FROM local_visits')" 2000
same 'SELECT count(*) FROM visits'
same 'SELECT ward, count(*) FROM visits GROUP BY ward ORDER BY ward'
same 'SELECT count(DISTINCT person) FROM visits'
same "SELECT count(*) FROM visits WHERE ward = 'north' AND person < 77"
same 'SELECT count(*) FROM people WHERE age BETWEEN 10 AND 20'
same 'SELECT count(*) FROM visits v JOIN people p USING (person) WHERE age < 50'
same 'SELECT beds, count(*) FROM visits JOIN public_wards USING (ward) GROUP BY beds ORDER BY beds'
expect 'a reference table' "$(ask "SELECT dp_count('*', 1e6) FROM wards")" 2
expect 'accounts that were closed' "$(here -c 'SELECT count(*) FROM dp.budgets WHERE closed')$(there -c 'SELECT count(*) FROM dp.budgets WHERE closed')" 00

# Colocated tables: joined along the unit by Citus, on its workers, with the reference tables of which public tables here have copies.
set_up -c "SET client_min_messages = error; CREATE TABLE regions (ward text PRIMARY KEY, beds int NOT NULL); CREATE TABLE apart (person int, age int);
  CREATE TABLE by_age (person int, age int); CREATE TABLE alone (person int, age int);
  SELECT create_reference_table('regions'), create_distributed_table('apart', 'person', colocate_with => 'none'), create_distributed_table('by_age', 'age');
  INSERT INTO regions TABLE wards; INSERT INTO apart TABLE people; INSERT INTO by_age TABLE people; INSERT INTO alone TABLE people;
  GRANT SELECT ON regions, apart, by_age, alone TO reader"
here -c "SET client_min_messages = error; CREATE TABLE public_regions (ward text PRIMARY KEY, beds int NOT NULL); GRANT SELECT ON public_regions TO PUBLIC;
  CREATE FOREIGN TABLE regions (ward text, beds int) SERVER citus OPTIONS (schema_name 'public'); INSERT INTO public_regions TABLE regions;
  CREATE FOREIGN TABLE apart (person int, age int) SERVER citus OPTIONS (schema_name 'public');
  CREATE FOREIGN TABLE by_age (person int, age int) SERVER citus OPTIONS (schema_name 'public');
  CREATE FOREIGN TABLE alone (person int, age int) SERVER citus OPTIONS (schema_name 'public');
  SELECT dp.declare_copies('public_regions', 'regions');
  SELECT dp.protect(t, 9e9, privacy_unit => 'person', max_rows_per_unit => 3), dp.grant_budget(t, 'regress_citus_ana', 9e9, allow_leaks => true, answer_epsilon => 1e6)
    FROM unnest('{apart,by_age,alone}'::regclass[]) t" >/dev/null
# fetched QUESTION: what is fetched for it.
fetched() { ask "EXPLAIN (COSTS OFF) $1" | sed -nE 's/^ +Rows: //p'; }
both='SELECT count(*) FROM visits v JOIN people p USING (person) WHERE age < 50'
expect 'not declared' "$(fetched "$both")" 'visits, people from server citus'
here -c "SELECT dp.declare_colocated('visits', 'people')" >/dev/null
expect 'declared' "$(fetched "$both")" 'visits with people from server citus'
for question in "$both" 'SELECT count(*), sum(cost) FROM people p LEFT JOIN visits v ON v.person = p.person AND cost > 50' \
  "SELECT count(*) FROM visits v LEFT JOIN people p ON p.person = v.person AND age > 20 WHERE p.person IS NULL AND ward = 'north'" \
  'SELECT count(DISTINCT person) FROM visits JOIN people USING (person) WHERE age > 10' \
  'SELECT count(*) FROM visits v JOIN people p USING (person) JOIN people q USING (person) WHERE p.age <= q.age' \
  'SELECT count(*) FROM visits v LEFT JOIN people p USING (person) LEFT JOIN people q ON q.person = p.person AND q.age > 7' \
  'SELECT beds, count(*) FROM visits JOIN people USING (person) JOIN public_regions USING (ward) WHERE age < 50 GROUP BY beds ORDER BY beds' \
  'SELECT beds, count(*) FROM visits JOIN people USING (person) LEFT JOIN public_regions r ON r.ward = visits.ward AND age < 9 GROUP BY beds ORDER BY beds' \
  'SELECT beds, count(*) FROM visits JOIN public_regions USING (ward) GROUP BY beds ORDER BY beds'; do
  told=$(fetched "$question")
  [[ $told == *' with '* && $told != *,* ]] || { echo "$question: fetches '$told'"; exit 1; }
  same "$question"
done
# Neighbours: without a person, whose 16 rows match, an answer changes by the 3 that count.
all=$(ask 'SELECT count(*) FROM visits JOIN people USING (person) WHERE cost > -1')
set_up -c 'INSERT INTO visits SELECT 999, $$north$$, 1 FROM generate_series(1, 16); INSERT INTO people VALUES (999, 1)'
expect 'one person more' "$(ask 'SELECT count(*) FROM visits JOIN people USING (person) WHERE cost > -2')" "$((all + 3))"
set_up -c 'DELETE FROM visits WHERE person = 999' -c 'DELETE FROM people WHERE person = 999'
# What Citus would have to move rows for is fetched, and cannot be declared.
for question in 'SELECT count(*) FROM visits JOIN apart USING (person)' 'SELECT count(*) FROM visits JOIN by_age USING (person)' \
  'SELECT count(*) FROM visits JOIN people USING (person) WHERE person = 7'; do
  told=$(fetched "$question")
  [[ $told == *,* && $told != *' with '* ]] || { echo "$question: fetches '$told'"; exit 1; }
done
same 'SELECT count(*) FROM visits JOIN people USING (person) WHERE person = 7'
expect 'not colocated' "$(ask 'SELECT count(*) FROM visits JOIN apart USING (person)')" "$(ask 'SELECT count(*) FROM local_visits JOIN local_people USING (person)')"
refused 'not colocated' "$(here -c "SELECT dp.declare_colocated('visits', 'apart')" 2>&1 || true)" 'does not spread table apart there as table'
refused 'another column' "$(here -c "SELECT dp.declare_colocated('visits', 'by_age')" 2>&1 || true)" 'by column "age", and the unit is in column "person"'
refused 'not distributed' "$(here -c "SELECT dp.declare_colocated('visits', 'alone')" 2>&1 || true)" 'does not spread table alone'
# With pg_dp there, too, a part of each person travels where so many of her rows count; of one table that was declared as well. Where fewer do,
# by groups, and of other tables rows are fetched, or it is said before that nothing else is made there.
for table in visits people local_visits local_people; do
  here -c "SELECT dp.protect('$table', 9e9, privacy_unit => 'person', max_rows_per_unit => 30)" >/dev/null
done
set_up -c 'GRANT USAGE ON SCHEMA dp_internal TO reader'
here -c "ALTER SERVER citus OPTIONS (ADD extensions 'pg_dp')"
# parts QUESTION: what parts are made for it.
parts() { ask "EXPLAIN (COSTS OFF) $1" | sed -nE 's/^ +Parts: //p'; }
expect 'parts of a join' "$(parts "$both")" 'visits with people from server citus'
expect 'parts of one table' "$(parts "SELECT count(*) FROM visits WHERE ward = 'north'")" 'visits from server citus'
expect 'parts by groups' "$(parts 'SELECT ward, count(*) FROM visits GROUP BY ward')$(parts "SET dp.max_rows_per_unit = 7; $both")" ''
for question in 'SELECT count(*), sum(cost) FROM visits JOIN people USING (person) WHERE age < 49' "SELECT count(*), avg(cost) FROM visits WHERE ward = 'north'" \
  'SELECT count(*), sum(cost) FROM people p LEFT JOIN visits v ON v.person = p.person AND cost > age' 'SELECT count(*) FROM people WHERE age < 10' \
  "SELECT count(*) FROM visits JOIN people USING (person) JOIN public_regions USING (ward) WHERE beds = 10" 'SELECT ward, count(*) FROM visits GROUP BY ward ORDER BY ward' \
  'SET dp.max_rows_per_unit = 9; SELECT count(*) FROM visits JOIN people USING (person)' "SELECT count(*) FROM visits JOIN people USING (person) WHERE person = 7"; do
  same "$question"
done
all=$(ask 'SET dp.max_rows_per_unit = 9; SELECT count(*) FROM visits JOIN people USING (person) WHERE cost > -3')
set_up -c 'INSERT INTO visits SELECT 999, $$north$$, 1 FROM generate_series(1, 16); INSERT INTO people VALUES (999, 1)'
expect 'one person more, by a part' "$(ask 'SET dp.max_rows_per_unit = 9; SELECT count(*) FROM visits JOIN people USING (person) WHERE cost > -4')" "$((all + 9))"
set_up -c 'DELETE FROM visits WHERE person = 999' -c 'DELETE FROM people WHERE person = 999'
refused 'a table that was not declared' "$(ask 'SELECT count(*) FROM apart')" 'server citus, which has rows of table apart, did not answer'
set_up -c "SET client_min_messages = error; SELECT alter_distributed_table('visits', distribution_column => 'cost', cascade_to_colocated => false)" >/dev/null
refused 'one table that is spread otherwise' "$(ask "SELECT count(*) FROM visits WHERE ward = 'south'")" 'server citus, which has rows of table visits, did not answer'
set_up -c "SET client_min_messages = error; SELECT alter_distributed_table('visits', distribution_column => 'person', colocate_with => 'people')" >/dev/null
same "SELECT count(*) FROM visits WHERE ward = 'south'"
here -c "ALTER SERVER citus OPTIONS (DROP extensions)"
set_up -c 'REVOKE USAGE ON SCHEMA dp_internal FROM reader'
# Spread otherwise afterwards: an error that names the server before a row is read, until that is taken back.
set_up -c "SET client_min_messages = error; SELECT alter_distributed_table('people', colocate_with => 'none')" >/dev/null
refused 'colocated no more' "$(ask "$both")" 'server citus, which has rows of table'
here -c "SELECT dp.declare_colocated('visits', VARIADIC '{}')" >/dev/null
same "$both"
set_up -c "SET client_min_messages = error; SELECT alter_distributed_table('people', colocate_with => 'visits')" >/dev/null
here -c "SELECT dp.declare_colocated('visits', 'people')" >/dev/null
same "$both"
set_up -c "SET client_min_messages = error; SELECT undistribute_table('regions')" >/dev/null
refused 'a copy on one server of several' "$(ask 'SELECT beds, count(*) FROM visits JOIN people USING (person) JOIN public_regions USING (ward) GROUP BY beds')" 'did not answer'
expect 'accounts that were closed by joins' "$(here -c 'SELECT count(*) FROM dp.budgets WHERE closed')" 0
here -c "SELECT dp.declare_colocated('visits', VARIADIC '{}')" >/dev/null

# It makes no parts of answers: that is said before a row is read, and closes nobody.
set_up -c 'GRANT USAGE ON SCHEMA dp_internal TO reader'
here -c "ALTER SERVER citus OPTIONS (ADD extensions 'pg_dp')"
refused 'parts' "$(ask 'SELECT count(*) FROM visits')" 'server citus, which has rows of table visits, did not answer'
refused 'protected for parts' "$(here -c "SELECT dp.protect('visits')" 2>&1 || true)" 'It has Citus'
here -c 'ALTER SERVER citus OPTIONS (DROP extensions)'
same 'SELECT count(*) FROM visits'
expect 'accounts that were closed by parts' "$(here -c 'SELECT count(*) FROM dp.budgets WHERE closed')" 0
