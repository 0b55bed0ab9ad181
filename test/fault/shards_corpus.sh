#!/usr/bin/env bash
# The attack suite (sql/guard_suite_*), asked of tables whose rows are here and of the same tables on a server that makes parts: what a table that is here
# answers, one that is elsewhere answers likewise, or refuses with a reason of test/support/shards_refused.txt; what is refused here is refused there.
# So is plain SQL over persons with several rows (test/support/shards_questions.sql).
set -euo pipefail
. "$(dirname "$0")/../../tools/lib/common.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sql -q -f "$ROOT/test/support/corpus.sql" >/dev/null
sql -q -f - >/dev/null <<'SETUP'
SET client_min_messages = error;
CREATE ROLE corpus_reader LOGIN;
CREATE SCHEMA there;
CREATE SCHEMA sharded AUTHORIZATION corpus_owner;
GRANT USAGE ON SCHEMA sharded TO corpus_ana, corpus_bob;
-- No column of a domain, which no other server has.
CREATE TABLE there.people AS SELECT id, name, ward, ward_id, kind, age, big, income, exact, weight, born, seen, at, active, code, tags, doc, share::int AS share, span, secret
    FROM corpus.people;
CREATE TABLE there.events_1 AS TABLE corpus.events_1;
CREATE TABLE there.events_2 AS TABLE corpus.events_2;
CREATE TABLE there.chosen AS TABLE corpus.chosen;
GRANT USAGE ON SCHEMA there, corpus, dp_internal TO corpus_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA there TO corpus_reader;
CREATE EXTENSION postgres_fdw;
DO $$
BEGIN
    EXECUTE format('CREATE SERVER elsewhere FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host %L, port %L, dbname %L, async_capable ''true'', extensions ''pg_dp'')',
        split_part(current_setting('unix_socket_directories'), ',', 1), current_setting('port'), current_database());
END
$$;
CREATE USER MAPPING FOR corpus_owner SERVER elsewhere OPTIONS (user 'corpus_reader', password_required 'false');
GRANT USAGE ON FOREIGN SERVER elsewhere TO corpus_owner;
SET ROLE corpus_owner;
SET search_path = sharded, corpus, public;
CREATE FOREIGN TABLE people (id int, name text, ward text, ward_id int, kind mood NOT NULL, age int NOT NULL, big int8, income numeric(10, 2), exact numeric, weight float8,
    born date, seen timestamptz, at timestamp, active boolean NOT NULL, code varchar(8), tags text[], doc jsonb, share int, span interval, secret bytea)
    SERVER elsewhere OPTIONS (schema_name 'there');
CREATE TABLE events (id int, ward text, age int) PARTITION BY RANGE (id);
CREATE FOREIGN TABLE events_1 PARTITION OF events FOR VALUES FROM (0) TO (150) SERVER elsewhere OPTIONS (schema_name 'there');
CREATE FOREIGN TABLE events_2 PARTITION OF events FOR VALUES FROM (150) TO (1000) SERVER elsewhere OPTIONS (schema_name 'there');
CREATE FOREIGN TABLE chosen (ward text, price numeric, x float8, age int) SERVER elsewhere OPTIONS (schema_name 'there');
CREATE VIEW adults WITH (security_invoker = true) AS SELECT id, ward, age AS years, name FROM people WHERE age >= 18;
CREATE VIEW by_ward AS SELECT ward, dp_count('*', 1e6) AS n FROM people GROUP BY ward;
GRANT SELECT ON adults, by_ward TO corpus_ana;
SELECT dp.protect('people', 9e9, answer_epsilon => 0, min_query_epsilon => 1e-9), dp.protect('events', 9e9, answer_epsilon => 0, min_query_epsilon => 1e-9),
       dp.protect('chosen', 9e9, 0.5, group_epsilon => 1, group_delta => 1e-9, answer_epsilon => 0, min_query_epsilon => 1e-9);
SELECT dp.public_values('people', 'ward', 'a', 'b', 'c'), dp.public_values('people', 'age / 10', 0, 1, 2, 3), dp.public_values('events', 'ward', 'a', 'b', 'c'),
       dp.public_values('people', 'dp_trunc(''month'', at)', '2024-01-01', '2024-02-01'), dp.public_values('people', 'ward_id', 1, 2, 3);
RESET ROLE;
SELECT dp.grant_budget(t, 'corpus_ana', 9e9, 0.1, allow_leaks => true) FROM unnest('{sharded.people, sharded.events, sharded.chosen}'::regclass[]) t;
SELECT dp.grant_budget('sharded.people', 'corpus_bob', 10, 0.1, allow_leaks => true);
-- For plain SQL: persons with several rows, on two servers by person and here.
CREATE TABLE there.v0 (id int, person int, ward text, day date, cost numeric(10, 2), n int, note text);
CREATE TABLE there.v1 (LIKE there.v0);
GRANT ALL ON there.v0, there.v1 TO corpus_reader;
SET ROLE corpus_owner;
CREATE TABLE corpus.visits (id int, person int, ward text, day date, cost numeric(10, 2), n int, note text);
INSERT INTO corpus.visits SELECT i, i % 400, chr(97 + i % 400 % 3), date '2026-01-01' + i % 90, i % 80 + 0.5, nullif(i % 7, 3), 'n' || i % 5 FROM generate_series(1, 2000) i;
CREATE TABLE sharded.visits (id int, person int, ward text, day date, cost numeric(10, 2), n int, note text) PARTITION BY HASH (person);
CREATE FOREIGN TABLE v0 PARTITION OF sharded.visits FOR VALUES WITH (MODULUS 2, REMAINDER 0) SERVER elsewhere OPTIONS (schema_name 'there');
CREATE FOREIGN TABLE v1 PARTITION OF sharded.visits FOR VALUES WITH (MODULUS 2, REMAINDER 1) SERVER elsewhere OPTIONS (schema_name 'there');
INSERT INTO sharded.visits TABLE corpus.visits;
SELECT dp.protect(t, 9e9, privacy_unit => 'person', max_rows_per_unit => 5), dp.public_values(t, 'ward', 'a', 'b', 'c'), dp.public_values(t, 'n', 0, 1, 2, 4, 5, 6),
    dp.declare_range(t, 'cost', 0, 100), dp.declare_range(t, 'n', 0, 10), dp.declare_range(t, 'day', date '2026-01-01', date '2026-03-31'),
    dp.grant_budget(t, 'corpus_ana', 9e9, allow_leaks => true, answer_epsilon => 1e6) FROM unnest('{corpus.visits, sharded.visits}'::regclass[]) t;
SETUP

# answers FILE SCHEMAS: the statements of the file, asked where these come first: what is told of each, behind a line with its number.
answers() {
  awk '/^\\(getenv|i |o|set |ir)/ { next } { print } /;[ ]*(--.*)?$/ { print "\\echo ==" NR }' "$1" | sed "s/search_path = corpus,/search_path = $2,/; /corpus_end/,\$d" >"$work/asked.sql"
  { echo "SET client_min_messages = warning; SET SESSION AUTHORIZATION corpus_ana; SET search_path = $2, public, own;" && cat "$work/asked.sql"; } |
    "$PG_BIN/psql" -X -q -At -v VERBOSITY=default 2>&1 | sed "s/sharded\\./corpus./g; s/^psql:[^ ]* //"
}
failed=0
for file in "$ROOT"/sql/guard_suite_{admitted,refused}.sql "$ROOT/test/support/shards_questions.sql"; do
  answers "$file" 'corpus, corpus' >"$work/here"
  sql -q -c 'SET client_min_messages = error; DROP SCHEMA own CASCADE; CREATE SCHEMA own AUTHORIZATION corpus_ana' -c 'CREATE TABLE own.notes (k text, n int); INSERT INTO own.notes VALUES ($$a$$, 1), ($$b$$, 2); ALTER TABLE own.notes OWNER TO corpus_ana'
  answers "$file" 'sharded, corpus' >"$work/there"
  python3 - "$file" "$work/here" "$work/there" "$ROOT/test/support/shards_refused.txt" <<'END' || failed=1
import re, sys

def told(path):
    told, lines = {}, []
    for line in open(path):
        if line.startswith('=='):
            told[int(line[2:])] = lines
            lines = []
        else:
            lines.append(line)
    return told

file, here, there, refused = sys.argv[1], told(sys.argv[2]), told(sys.argv[3]), open(sys.argv[4]).read().splitlines()
refused = [line for line in refused if line and not line.startswith('#')]
statements = open(file).read().splitlines()
wrong = same = other = 0
if here.keys() != there.keys() or len(here) < 20:
    sys.exit(f'{file}: {len(here)} answers here, {len(there)} there')
# NOT NULL of a foreign table binds nothing, so there are groups of NULL, without rows: answers with LIMIT are others then, and of no rows an
# average is anything.
def without_empty(lines):
    return [line for line in lines if not re.search(r'(^|\|)(\||\|?0(\|\d+\.\d)?$)', line)]
def error(lines):
    return next((line for line in lines if line.startswith('ERROR')), None)
for number, answer in here.items():
    asked = statements[number - 1]
    if answer == there[number] or re.search(r'dp\.(budgets|ledger)|, 0\.1\)|LIMIT 3', asked):
        same += 1
    elif not error(there[number]) and without_empty(answer) == without_empty(there[number]):
        same += 1
    elif error(answer) and error(there[number]):
        same += 1  # refused for another reason
    elif error(there[number]) and any(re.search(reason, error(there[number])) for reason in refused):
        other += 1
    else:
        wrong += 1
        print(f'{file}:{number}: {statements[number - 1]}\nhere:  {"".join(answer)}there: {"".join(there[number])}')
print(f'{file.split("/")[-1]}: {same} the same, {other} refused, {wrong} wrong')
sys.exit(1 if wrong else 0)
END
done
((failed == 0)) || exit 1
sql -q -f - >/dev/null <<'END'
SET client_min_messages = error;
DROP SCHEMA sharded, there, own, corpus CASCADE;
DROP EXTENSION postgres_fdw CASCADE;
DROP OWNED BY corpus_owner, corpus_ana, corpus_bob, corpus_reader;
DROP ROLE corpus_owner, corpus_ana, corpus_bob, corpus_reader;
END
