# Says whether "make installcheck" can run in the server that libpq's settings name, and if not what is missing there.
# PG_BIN is the folder of psql.
set -euo pipefail

ask() {
  "$PG_BIN/psql" -X -At -v ON_ERROR_STOP=1 -d "${PGDATABASE:-postgres}" -c "$1"
}

missing() {
  printf 'make installcheck: %s\n' "$@" >&2
  exit 1
}

[[ $(ask 'SHOW is_superuser') == on ]] ||
  missing 'the tests create roles and databases and need a superuser; name one in PGUSER'

preloaded=$(ask 'SHOW shared_preload_libraries')
[[ ,${preloaded//[[:space:]]/}, == *,pg_dp,* ]] ||
  missing "this server does not preload the library: shared_preload_libraries is '$preloaded'" \
    "put shared_preload_libraries = 'pg_dp' into its postgresql.conf and restart it"

(($(ask 'SHOW max_prepared_transactions') >= 2)) ||
  missing 'some tests prepare transactions; put max_prepared_transactions = 10 into postgresql.conf and restart the server'
