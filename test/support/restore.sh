# For tests of pg_dump, sourced: the database $restored beside that of the test, a folder $work whose file dump is restored there,
# and the end of all of them and of the roles $dumped_roles.
. "$(dirname "${BASH_SOURCE[0]}")/../../tools/lib/common.sh"

work=$(mktemp -d)
restored=${PGDATABASE}_restored

clean_up() {
  rm -rf "$work"
  sql -d postgres -c "DROP DATABASE IF EXISTS $restored" || true
  sql -c "DROP OWNED BY $dumped_roles" -c "DROP ROLE $dumped_roles" || true
}
trap clean_up EXIT

# fresh: the database is empty.
fresh() {
  sql -d postgres -c "DROP DATABASE IF EXISTS $restored" -c "CREATE DATABASE $restored TEMPLATE template0"
}

# restore OPTION...: the dump, or that part of it.
restore() {
  "$PG_BIN/pg_restore" -d "$restored" --exit-on-error "$@" "$work/dump"
}

# confirm: nothing is charged in a copy before.
confirm() {
  sql -d "$restored" -c 'SELECT dp.confirm_ledger()' >/dev/null
}

# expect WHAT IS SHOULD_BE
expect() {
  [[ $2 == "$3" ]] || { echo "$1: $2 instead of $3"; exit 1; }
}
