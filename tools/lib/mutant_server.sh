#!/usr/bin/env bash
# Runs one test in a server that starts from the files of one that was prepared: sooner than tools/check does it. For tools/mutants, in
# its copy of the repository, with the extension as it is in build/extension there.
#
#   tools/lib/mutant_server.sh prepare
#   tools/lib/mutant_server.sh sql NAME           after "setup", as it was prepared
#   tools/lib/mutant_server.sh sql-anew NAME      after "setup", which is run again: the extension's SQL is another
#   tools/lib/mutant_server.sh iso NAME
set -euo pipefail
. "$(dirname "$0")/common.sh"
own_environment

FOLDER=$(server_folder mutants)
DATABASE=contrib_regression

# regress PROGRAM INPUT_FOLDER ARGUMENT...: in the server that runs.
regress() {
  local program=$1 input=$2 status=0
  shift 2
  as_server rm -rf "$FOLDER/output" && as_server mkdir "$FOLDER/output"
  # shellcheck disable=SC2016
  as_server bash -c 'cd "$1" && exec "${@:2}"' - "$ROOT" "$PG_TEST/$program" --inputdir="$input" --outputdir="$FOLDER/output" \
    --bindir="$PG_BIN" --host="$(<"$FOLDER/socket")" --port="$PORT" --user=postgres --encoding=UTF8 --no-locale \
    --dbname="$DATABASE" "$@" </dev/null || status=$?
  ((status == 0)) || cat "$FOLDER"/output/regression.diffs 2>/dev/null || true
  return "$status"
}

start_anew() {
  as_server rm -rf "$FOLDER/data" && as_server cp -a "$FOLDER/prepared" "$FOLDER/data" || return
  rm -f "$MODULE" "$SCRIPT" && cp "$BUILD/extension/pg_dp.so" "$MODULE" && cp "$BUILD/extension/${SCRIPT##*/}" "$SCRIPT" || return
  start_cluster "$FOLDER"
}

end() {
  # Nothing of it is wanted any more.
  as_server "$PG_BIN/pg_ctl" -D "$FOLDER/data" -s -m immediate stop || true
  rm -rf "$(<"$FOLDER/socket")" && as_server rm -f "$FOLDER/socket"
}

MODULE=$FOLDER/install$("$PG_BIN/pg_config" --pkglibdir)/pg_dp.so
for SCRIPT in "$BUILD"/extension/pg_dp--*.sql; do SCRIPT=$FOLDER/install$("$PG_BIN/pg_config" --sharedir)/extension/${SCRIPT##*/}; done
trap end EXIT
case $1 in
  prepare)
    chmod -R a+rX "$ROOT/sql" "$ROOT/expected" "$ROOT/test"
    install_extension "$FOLDER"
    make_cluster "$FOLDER" "$ROOT/test/postgresql.conf"
    start_cluster "$FOLDER"
    regress regress/pg_regress "$ROOT" setup
    stop_cluster "$FOLDER"
    as_server mv "$FOLDER/data" "$FOLDER/prepared"
    trap - EXIT
    ;;
  sql) start_anew && regress regress/pg_regress "$ROOT" --use-existing "$2" ;;
  sql-anew) start_anew && regress regress/pg_regress "$ROOT" setup "$2" ;;
  iso) start_anew && regress isolation/pg_isolation_regress "$ROOT/test/isolation" "$2" ;;
esac
