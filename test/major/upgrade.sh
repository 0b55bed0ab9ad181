#!/usr/bin/env bash
# From one major version of PostgreSQL to a later one, by a dump and by pg_upgrade: what is stored is the same afterwards, and goes on.
#
#   test/major/upgrade.sh OLD NEW
#
# Run by tools/check --pg upgrades. Each step is a process of its own, because a process has one server (tools/lib/servers.sh).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
step=${3-all}
# The steps "old" are run with the old server, the others with the new one.
[[ $step == all ]] || export PG_DP_SERVER=$([[ $step == old* ]] && echo "$1" || echo "$2")
. "$here/../../tools/lib/common.sh"
own_environment

expect() { [[ $2 == "$3" ]] || { printf '%s: %s, not %s\n' "$1" "$2" "$3"; exit 1; }; }

# programs: prints where those of the server that PG_DP_SERVER names lie.
programs() { bash -c '. "$0" >&2 && echo "$PG_BIN"' "$ROOT/tools/lib/common.sh"; }

# release FOLDER: prints the release of the server there.
release() { "$1/postgres" -V | grep -oE '[0-9]+\.[0-9]+' | head -n 1; }

# server FOLDER: a new cluster there, of this process's version, that runs; FOLDER_PATH is where.
server() {
  FOLDER_PATH=$(server_folder "$1")
  stop_cluster "$FOLDER_PATH"
  install_extension "$FOLDER_PATH"
  make_cluster "$FOLDER_PATH" "$ROOT/test/postgresql.conf" >/dev/null
  start_cluster "$FOLDER_PATH"
  use_cluster "$FOLDER_PATH" postgres
}

state() { sql -d clinic -f "$here/state.sql"; }

# same HOW FOLDER: the database shows what the old one did, and answers and charges go on behind it.
same() {
  diff "$2/before" <(state) || { echo "not the same after $1"; exit 1; }
  sql -d clinic -o /dev/null -c 'SELECT dp.confirm_ledger()'
  expect "entries that were added after $1" "$(sql -d clinic -At -c 'SELECT max(seq) AS last FROM dp.ledger' \
    -c 'SET ROLE major_ana' -c 'SELECT dp_sum(cost, 0, 100, 0.25) IS NULL FROM clinic.visit' -c 'RESET ROLE' \
    -c 'SELECT count(*), sum(epsilon) FROM dp.ledger WHERE relation = $$clinic.visit$$::regclass' | tail -n 1)" "$(<"$2/after")"
  expect "a release that is relaxed after $1" "$(sql -d clinic -At -c 'SET ROLE major_ana' -c 'SELECT count(*) FROM relax_release(2, 0.1)' |
    tail -n 1)" 1
  message=$(sql -d clinic -c 'SET ROLE major_ben' -c 'SELECT * FROM clinic.patient' 2>&1) && { echo "read after $1"; exit 1; }
  [[ $message == *'permission denied for table patient'* ]] || { echo "$message"; exit 1; }
}

case $step in
  all)
    old=$(PG_DP_SERVER=$1 programs) && new=$(PG_DP_SERVER=$2 programs) || exit 77
    old_release=$(release "$old") new_release=$(release "$new")
    echo "releases: $old_release to $new_release"
    # Late releases note with each column its version, which later versions read only in releases of the same time.
    if grep -qa pg_attver "$old/pg_dump" && ! grep -qa pg_attver "$new/pg_dump"; then
      echo "skipped: $new_release does not read what $old_release writes (pg_attver)"
      exit 77
    fi
    trap 'bash "$0" "$1" "$2" old_stop "$1" "$2" >/dev/null 2>&1 || true; rm -rf "$(server_folder major-old)"/data "$(server_folder major-new)"/data' EXIT
    bash "$0" "$1" "$2" old_fill
    bash "$0" "$1" "$2" new_dump
    bash "$0" "$1" "$2" old_stop
    bash "$0" "$1" "$2" new_upgrade
    ;;
  old_fill)
    step "Building for PostgreSQL $1" build_extension
    server major-old
    sql -c 'CREATE DATABASE clinic'
    sql -d clinic -o /dev/null -c 'CREATE EXTENSION pg_dp' -f "$here/fill.sql"
    state >"$FOLDER_PATH/before"
    expect 'lines of the state' "$(($(grep -c . "$FOLDER_PATH/before") > 25))" 1
    # What there will be once one more was asked.
    sql -d clinic -At -c 'SELECT count(*) + 1, sum(epsilon) + 0.25 FROM dp.ledger WHERE relation = $$clinic.visit$$::regclass' >"$FOLDER_PATH/after"
    echo "$PG_BIN" >"$FOLDER_PATH/bin"
    ;;
  old_stop)
    stop_cluster "$(server_folder major-old)"
    ;;
  new_dump)
    step "Building for PostgreSQL $2" build_extension
    old=$(server_folder major-old)
    server major-new
    "$PG_BIN/pg_dumpall" -h "$(<"$old/socket")" --roles-only | grep -v 'ROLE postgres' | sql -o /dev/null
    sql -c 'CREATE DATABASE clinic'
    "$PG_BIN/pg_dump" -h "$(<"$old/socket")" clinic | sql -d clinic -o /dev/null
    same 'a dump' "$old"
    stop_cluster "$FOLDER_PATH"
    ;;
  new_upgrade)
    old=$(server_folder major-old)
    server major-new
    stop_cluster "$FOLDER_PATH"
    # Old versions make clusters without checksums, later ones with them.
    [[ $(as_server "$PG_BIN/pg_controldata" "$FOLDER_PATH/data" | sed -n 's/^Data page checksum version: *//p') == 0 ]] ||
      as_server "$PG_BIN/pg_checksums" --disable -D "$FOLDER_PATH/data" >/dev/null
    # pg_upgrade looks for libraries where the server's own lie.
    if [[ $PG_PLACE == path ]]; then
      library=$("$PG_BIN/pg_config" --pkglibdir)/pg_dp.so
      trap 'rm -f "$library"' EXIT
      ln -sf "$FOLDER_PATH/install$library" "$library"
    fi
    socket=$(as_server mktemp -d /tmp/pg_dp.XXXXXX)
    # shellcheck disable=SC2016
    as_server bash -c 'cd "$1" && exec "${@:2}"' - "$FOLDER_PATH" "$PG_BIN/pg_upgrade" -U postgres --socketdir="$socket" \
      -b "$(<"$old/bin")" -B "$PG_BIN" -d "$old/data" -D "$FOLDER_PATH/data" >"$old/pg_upgrade.log" 2>&1 || {
      tail -n 40 "$old/pg_upgrade.log" "$FOLDER_PATH"/data/pg_upgrade_output.d/*/*.txt
      exit 1
    }
    rm -rf "$socket"
    start_cluster "$FOLDER_PATH"
    use_cluster "$FOLDER_PATH" postgres
    same 'pg_upgrade' "$old"
    stop_cluster "$FOLDER_PATH"
    ;;
esac
