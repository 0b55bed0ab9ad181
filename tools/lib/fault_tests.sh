# Programs that crash, cancel and race a server of their own. Sourced by tools/check.

compile_fault() {
  g++ -std=gnu++20 -g -Wall -Wextra -Werror -I"$ROOT/test" -I"$("$PG_BIN/pg_config" --includedir)" "$1" -o "$2" -lpq -pthread
}

# fault_program FILE: prints what runs that file of test/fault, compiled if need be. What does not compile is run all the same, so that
# it counts as failed.
fault_program() {
  local program=$1
  if [[ $1 == *.cpp ]]; then
    program=$CHECK/fault/$(basename "$1" .cpp)
    compile_fault "$1" "$program" >&2 || rm -f "$program"
  fi
  echo "$program"
}

# run_fault PROGRAM DATABASE: in a fresh database; the server is up again afterwards, whatever the program did to it.
run_fault() {
  local run=("$1") status=0
  [[ $1 != *.sh ]] || run=(bash "$1")
  use_cluster "$FOLDER" postgres
  sql -c "DROP DATABASE IF EXISTS $2" -c "CREATE DATABASE $2" && sql -d "$2" -c 'CREATE EXTENSION pg_dp' || return
  use_cluster "$FOLDER" "$2"
  (cd "$ROOT" && PGDATA=$FOLDER/data PG_BIN=$PG_BIN timeout -k 10 "$TIME_LIMIT" "${run[@]}") </dev/null || status=$?
  cluster_runs "$FOLDER" || start_cluster "$FOLDER" || return
  "$PG_BIN/pg_isready" -q -t 60 || status=1
  return "$status"
}

# fault_worker NUMBER FILE...: runs the files that no other worker has claimed, one after another, in a server of its own. A line
# "passed" or "failed" in CHECK/fault/NUMBER.results for each.
fault_worker() {
  local number=$1 file database=0 installed=$FOLDER/install outcome
  shift
  LOG=$CHECK/fault/$number.log
  FOLDER=$(server_folder "check-fault-$number")
  trap 'stop_cluster "$FOLDER"' EXIT
  rm -rf "$FOLDER/install" && cp -R "$installed" "$FOLDER/install" &&
    make_cluster "$FOLDER" "$ROOT/test/postgresql.conf" >"$LOG" && start_cluster "$FOLDER" || return
  for file in "$@"; do
    mkdir "$CHECK/fault/claimed/${file##*/}" 2>/dev/null || continue
    database=$((database + 1))
    outcome=passed
    run_fault "$(fault_program "$file" 2>"$LOG.compiler")" "fault_$database" >"$LOG" 2>&1 || outcome=failed
    if [[ $outcome == failed ]]; then
      echo "test/fault/${file##*/} failed:"
      tail -n 60 "$LOG.compiler" "$LOG"
      grep -E 'PANIC|terminated by signal' "$FOLDER/log" | tail -n 5 || true
    fi
    echo "$outcome" >>"$CHECK/fault/$number.results"
  done
}

# They wait more than they work, so there is one more of them than there are cores.
check_faults() {
  local files started=$SECONDS worker results failed
  mapfile -t files < <(names test/fault '' "${FAULT[@]}" | grep -E '\.(cpp|sh)$' | sed "s|^|$ROOT/test/fault/|")
  ((${#files[@]} > 0)) || return 0
  rm -rf "$CHECK/fault" && mkdir -p "$CHECK/fault/claimed"
  for ((worker = 0; worker <= $(nproc) && worker < ${#files[@]}; ++worker)); do
    (fault_worker "$worker" "${files[@]}") &
  done
  wait
  results=$(cat "$CHECK"/fault/*.results)
  # What has no result, because its server did not start, has failed.
  failed=$((${#files[@]} - $(grep -c passed <<<"$results" || true)))
  result 'Fault tests' "$started" $((${#files[@]} - failed)) "$failed"
}
