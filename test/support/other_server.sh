# For tests with another server beside this one, sourced: it is $folder, ended with the test. Lines of its log begin with $log_line_prefix.
. "$(dirname "${BASH_SOURCE[0]}")/../../tools/lib/common.sh"

folder=$(as_server mktemp -d /tmp/pg_dp.other.XXXXXX)
helper=
clean_up() {
  [[ -z $helper ]] || kill "$helper" 2>/dev/null || true
  as_server "$PG_BIN/pg_ctl" -D "$folder/data" -s -w -m immediate stop || true
  as_server rm -rf "$folder"
}
trap clean_up EXIT
as_server chmod 755 "$folder"
as_server "$PG_BIN/initdb" -D "$folder/data" -U postgres -A trust -E UTF8 --locale=C --no-sync >/dev/null
printf '%s\n' "listen_addresses = ''" "log_statement = all" 'fsync = off' "log_line_prefix = '$log_line_prefix'" "shared_preload_libraries = 'pg_dp'" \
  "$(sql -At -c "SELECT format('%s = %L', name, setting) FROM pg_settings WHERE name IN ('extension_destdir', 'extension_control_path', 'dynamic_library_path')")" | as_server tee -a "$folder/data/postgresql.conf" >/dev/null
start_there() { as_server "$PG_BIN/pg_ctl" -D "$folder/data" -l "$folder/log" -s -w -o "-k $folder -p $PORT" start; }
stop_there() { as_server "$PG_BIN/pg_ctl" -D "$folder/data" -s -w -m "${1:-fast}" stop; }
start_there

there() { PGHOST=$folder PGPORT=$PORT PGDATABASE=postgres PGAPPNAME=helper sql -At "$@"; }
here() { sql -At "$@"; }
expect() { [[ $2 == "$3" ]] || { echo "$1: is '$2', not '$3'"; exit 1; }; }
