#!/usr/bin/env bash
# All sessions append to one page of the ledger, and pages are added before they are needed. A page that VACUUM has cut
# off, or that was in another file, is one that nobody appends to.
set -euo pipefail
. "$(dirname "$0")/../../tools/lib/common.sh"

sql -q -o /dev/null <<'SQL'
CREATE TABLE visits AS SELECT i FROM generate_series(1, 10) AS i;
SELECT dp.protect('visits', 1e6);
SQL

# ask SESSIONS TIMES: each session asks so often.
ask() {
  local i
  for ((i = 0; i < $1; ++i)); do
    sql -q -c "DO \$\$ BEGIN FOR i IN 1..$2 LOOP PERFORM dp_count('*', 1e-6) FROM visits; END LOOP; END \$\$"
  done
}

pages() { sql -At -c "SELECT pg_relation_size('dp.ledger_entry') / current_setting('block_size')::int"; }

# The page of the last entry that a question left.
last_page() { sql -At -c 'SELECT (ctid::text::point)[0] FROM dp.ledger_entry ORDER BY seq DESC LIMIT 1'; }

forget() { sql -q -o /dev/null -c 'SELECT dp.compact_ledger(now())' -c 'VACUUM dp.ledger_entry'; }

ask 1 300
read -r at whole <<<"$(last_page) $(pages)"
((whole > at + 4)) || die "the last entry is on page $at of $whole: no pages were added ahead of it"

# Sessions that begin go on where others have ended, and none begins a page of its own.
ask 12 1
now=$(last_page)
((now <= at + 1)) || die "12 sessions of one charge each went from page $at to page $now"

# VACUUM cuts off what a compaction has emptied, and with it the page of the last entry.
forget
ask 1 3
forget
whole=$(pages)
((whole <= now)) || die "the file still has $whole pages: nothing was cut off"
ask 3 2
(($(last_page) < $(pages))) || die 'the last entry is on no page'

# Another file.
sql -q -c 'VACUUM FULL dp.ledger_entry'
ask 3 2
[[ $(sql -At -c 'SELECT sum(charges) FROM dp.status') -gt 0 ]]
