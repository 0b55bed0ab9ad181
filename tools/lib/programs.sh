# Tests that are programs: those of test/fault, which crash, cancel and race, and those of test/client, the clients that people use.
# Each runs in a fresh database of a server of its own. Sourced by tools/check, after tools/lib/common.sh.

compile_fault() {
  g++ -std=gnu++20 -g1 -Wall -Wextra -Werror -I"$ROOT/test" -I"$("$PG_BIN/pg_config" --includedir)" "$1" -o "$2" -lpq -pthread
}

# What test/client uses beside what everything needs.
CLIENT_PACKAGES=(python3-psycopg python3-psycopg2 python3-sqlalchemy python3-pandas python3-pyodbc odbc-postgresql pgbouncer
  python3-jpype libpostgresql-jdbc-java default-jre-headless)
R_PACKAGES=(r-base-core r-cran-dbplyr r-cran-dplyr r-cran-rpostgresql)
NODE_PACKAGES=(nodejs node-pg)

MONITORING_PACKAGES=(prometheus prometheus-postgres-exporter prometheus-sql-exporter)

. "$ROOT/tools/lib/npm.sh"
. "$ROOT/tools/lib/debs.sh"

# installable PACKAGE...: whether Debian's packages are here, or could be.
installable() { apt-get -qq -s --no-install-recommends install "$@" >/dev/null 2>&1; }

# has_node_postgres: node-postgres is Debian's, or, where that does not fit the node that is installed, the npm registry's.
has_node_postgres() {
  if installable "${NODE_PACKAGES[@]}"; then
    need_packages "${NODE_PACKAGES[@]}" && export NODE_PATH=/usr/share/nodejs
  else
    command -v node >/dev/null && step 'Fetching node-postgres' npm_folder common "${COMMON_NPM[@]}" &&
      export NODE_PATH=$BUILD/clients/common/node_modules
  fi
}

has_dbplyr() { installable "${R_PACKAGES[@]}" && need_packages "${R_PACKAGES[@]}"; }

# has_monitoring: Prometheus and its exporters; not installed, so that no service is started.
has_monitoring() {
  step 'Fetching Prometheus' deb_folder monitoring "${MONITORING_PACKAGES[@]}" && export PG_DP_MONITORING=$BUILD/clients/monitoring/usr/bin
}

# has_mcp: what tools/mcp is made of, as its package.json names it.
has_mcp() {
  local packages
  command -v node >/dev/null || return
  mapfile -t packages < <(cd "$ROOT" && node -p 'Object.entries(require("./tools/mcp/package.json").dependencies).map((one) => one.join("@")).join("\n")')
  step 'Fetching the MCP SDK' npm_folder mcp "${packages[@]}" && export PG_DP_MCP=$BUILD/clients/mcp/node_modules
}

# without NAME MISSING: takes a client out of RUNNABLE, and says so.
without() {
  local name kept=()
  echo "skipped: test/client/$1.py, for $2 cannot be had here"
  for name in "${RUNNABLE[@]}"; do [[ $name == "$1" ]] || kept+=("$name"); done
  RUNNABLE=("${kept[@]}")
}

# choose_runnable PATTERN...: sets RUNNABLE to the tests of test/client whose programs are here or can be had.
choose_runnable() {
  mapfile -t RUNNABLE < <(names test/client .py "$@")
  ((${#RUNNABLE[@]} > 0)) || return 0
  if ! need_packages "${CLIENT_PACKAGES[@]}"; then
    echo "skipped: test/client, whose packages cannot be had here: ${CLIENT_PACKAGES[*]}"
    RUNNABLE=()
  fi
  [[ " ${RUNNABLE[*]} " != *' node_postgres '* ]] || has_node_postgres || without node_postgres "node with ${NODE_PACKAGES[-1]}"
  [[ " ${RUNNABLE[*]} " != *' mcp '* ]] || has_mcp || without mcp "node with npm's @modelcontextprotocol/sdk"
  [[ " ${RUNNABLE[*]} " != *' monitoring '* ]] || has_monitoring || without monitoring "${MONITORING_PACKAGES[*]}"
  [[ " ${RUNNABLE[*]} " != *' dbplyr '* ]] || has_dbplyr || without dbplyr "${R_PACKAGES[*]}"
}

# program_of FILE: prints what runs that file of test/fault or test/client, compiled if need be. What does not compile is run all the
# same, so that it counts as failed.
program_of() {
  local program=$1
  if [[ $1 == *.cpp ]]; then
    program=$CHECK/fault/$(basename "$1" .cpp)
    compile_fault "$1" "$program" >&2 || rm -f "$program"
  fi
  echo "$program"
}

# server_is_up: waits for one that recovers from a crash, which refuses whoever asks until then.
server_is_up() {
  local end=$((SECONDS + PGCTLTIMEOUT))
  until "$PG_BIN/pg_isready" -q -t 60; do
    ((SECONDS < end)) || return
    sleep 0.1
  done
}

# run_program PROGRAM DATABASE: in a fresh database; the server is up again afterwards, whatever the program did to it.
run_program() {
  local run=("$1") status=0
  [[ $1 != *.sh ]] || run=(bash "$1")
  # A minute of the fuzzer for each version.
  [[ -z ${PG_DP_SERVER-} || $(basename "$1") != fuzz ]] || run+=(60)
  [[ $1 != *.py ]] || run=(/usr/bin/python3 "$1") # the one that has Debian's packages
  use_cluster "$FOLDER" postgres
  sql -c "DROP DATABASE IF EXISTS $2" -c "CREATE DATABASE $2" && sql -d "$2" -c 'CREATE EXTENSION pg_dp' || return
  use_cluster "$FOLDER" "$2"
  (cd "$ROOT" && PGDATA=$FOLDER/data PG_BIN=$PG_BIN PYTHONDONTWRITEBYTECODE=1 timeout -k 10 "$TIME_LIMIT" "${run[@]}") </dev/null || status=$?
  cluster_runs "$FOLDER" || start_cluster "$FOLDER" || return
  server_is_up || status=1
  return "$status"
}

# program_worker NUMBER FILE...: runs the files that no other worker has claimed, one after another, in a server of its own. A line
# "passed FILE" or "failed FILE" in CHECK/fault/NUMBER.results for each.
program_worker() {
  local number=$1 file database=0 installed=$FOLDER/install outcome
  shift
  LOG=$CHECK/fault/$number.log
  FOLDER=$(server_folder "check-fault-$number")
  trap 'stop_cluster "$FOLDER"' EXIT
  # Some servers find the extension where their own files lie.
  rm -rf "$FOLDER/install" && { [[ ! -d $installed ]] || cp -R "$installed" "$FOLDER/install"; } &&
    make_cluster "$FOLDER" "$ROOT/test/postgresql.conf" >"$LOG" && start_cluster "$FOLDER" || return
  for file in "$@"; do
    mkdir "$CHECK/fault/claimed/${file##*/}" 2>/dev/null || continue
    database=$((database + 1))
    outcome=passed
    run_program "$(program_of "$file" 2>"$LOG.compiler")" "program_$database" >"$LOG" 2>&1 || outcome=failed
    if [[ $outcome == failed ]]; then
      echo "${file#"$ROOT/"} failed:"
      tail -n 60 "$LOG.compiler" "$LOG"
      grep -E 'PANIC|terminated by signal' "$FOLDER/log" | tail -n 5 || true
    fi
    echo "$outcome $file" >>"$CHECK/fault/$number.results"
  done
}

# program_results TITLE FOLDER STARTED FILE...: of those files that lie in that folder. What has no result, because its server did not
# start, has failed.
program_results() {
  local passed all
  all=$(printf '%s\n' "${@:4}" | grep -c "/$2/" || true)
  passed=$(cat "$CHECK"/fault/*.results | grep -c "^passed .*/$2/" || true)
  ((all == 0)) || result "$1" "$3" "$passed" $((all - passed))
}

# They wait more than they work, so there is one more of them than there are cores.
check_programs() {
  local files started worker
  choose_runnable "${CLIENT[@]}"
  started=$SECONDS
  mapfile -t files < <(
    names test/fault '' "${FAULT[@]}" | { grep -E '\.(cpp|sh)$' || true; } | sed "s|^|$ROOT/test/fault/|"
    ((${#RUNNABLE[@]} == 0)) || printf "$ROOT/test/client/%s.py\n" "${RUNNABLE[@]}"
  )
  ((${#files[@]} > 0)) || return 0
  rm -rf "$CHECK/fault" && mkdir -p "$CHECK/fault/claimed"
  for ((worker = 0; worker <= $(nproc) && worker < ${#files[@]}; ++worker)); do
    (program_worker "$worker" "${files[@]}") &
  done
  wait
  program_results 'Fault tests' test/fault "$started" "${files[@]}"
  program_results 'Client tests, beside them' test/client "$started" "${files[@]}"
}
