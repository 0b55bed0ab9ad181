# PostgreSQL's own suites as tests: whoever reads nothing protected must not notice that the library is there. Sourced by tools/check,
# after tools/lib/common.sh and tools/lib/servers.sh.
#
# They come from the source package of the distribution that the server is from, which is fetched once, into build/suites. A test has
# failed if its output is neither one that PostgreSQL expects nor that of a plain server of the same build. What lists the catalog tells
# of the extension: test/strangers/listings.txt has what such a test may say otherwise.
#
#   MODE        what the server has
#   loaded      the library, and the extension nowhere
#   created     the extension, in the database of the tests
#   protected   there also a protected table, a role with a budget, and compute_query_id on

. "$ROOT/tools/lib/servers.sh"

STRANGERS_OFTEN=protected-regress # what a run of everything has

STRANGER_MODULES='auto_explain bloom btree_gin btree_gist citext cube dblink file_fdw fuzzystrmatch hstore intarray isn lo
  ltree pg_stat_statements pg_trgm pgstattuple postgres_fdw seg tablefunc tsm_system_rows unaccent uuid-ossp'

# stranger_tests PATTERN...: prints the runs, MODE-SUITE, that match.
stranger_tests() {
  local mode suite pattern
  for mode in loaded created protected; do
    for suite in regress isolation $STRANGER_MODULES; do
      for pattern in "$@"; do
        # shellcheck disable=SC2053
        [[ $mode-$suite == $pattern ]] && echo "$mode-$suite" && break
      done
    done
  done
  return 0
}

# ---- the suites -----------------------------------------------------------------------------------------------------

# Where a distribution may lack the source of what it has: an archive that keeps that of another minor release. What its tests say
# otherwise than the server is what a plain server says, too.
declare -A SUITES_ARCHIVE=([17]='http://archive.ubuntu.com/ubuntu questing main' [18]='http://archive.ubuntu.com/ubuntu resolute main')

# suites_archives: prints those to look in, one a line. What a distribution corrected since may be there without its source.
suites_archives() {
  local own=${PG_ARCHIVE[$PG_MAJOR]-} name
  # shellcheck disable=SC1091
  name=$(. /etc/os-release && echo "$VERSION_CODENAME")
  own=${own:-http://deb.debian.org/debian $name main http://deb.debian.org/debian-security $name-security main}
  printf '%s\n' "$own" "$(cut -d ' ' -f 1-3 <<<"$own")" ${SUITES_ARCHIVE[$PG_MAJOR]:+"${SUITES_ARCHIVE[$PG_MAJOR]}"} | uniq
}

# fetch_source FOLDER: the package as PostgreSQL publishes it.
fetch_source() {
  local archive key
  while read -r archive; do
    rm -rf "$1" && mkdir "$1" && key=$(archive_key "$archive" "$1") && make_lists "$1" deb-src "signed-by=$key" "$archive" &&
      (cd "$1" && apt_in "$1" source --download-only --tar-only --only-source "postgresql-$PG_MAJOR") && return
  done < <(suites_archives)
  return 1
}

# fetch_suites FOLDER: the folders of tests, and the libraries that those of src/test/regress load.
fetch_suites() {
  local folder=$1 work source
  work=$(mktemp -d "$BUILD/apt.XXXXXX") && fetch_source "$work" && rm -rf "$folder" && mkdir "$folder" || return
  tar xf "$work"/*.orig.tar.*z* -C "$folder" --strip-components 1 --wildcards '*/src/test/regress' '*/src/test/isolation' '*/contrib' ||
    return
  for source in src/test/regress/regress contrib/spi/autoinc contrib/spi/refint; do
    gcc -O1 -fPIC -shared -w -I"$("$PG_BIN/pg_config" --includedir-server)" "$folder/$source.c" \
      -o "$folder/src/test/regress/${source##*/}.so" || return
  done
  rm -rf "$work"
  chmod -R a+rX "$folder" && echo "$folder" >"$folder.complete"
}

# suite_folder SUITE
suite_folder() {
  case $1 in
    regress | isolation) echo "$SUITES/src/test/$1" ;;
    *) echo "$SUITES/contrib/$1" ;;
  esac
}

# suite_schedule SUITE: prints the tests, those of a line beside each other.
suite_schedule() {
  case $1 in
    regress) grep '^test:' "$SUITES/src/test/regress/parallel_schedule" ;;
    isolation) grep '^test:' "$SUITES/src/test/isolation/isolation_schedule" ;;
    *) sed -e ':a' -e '/\\$/{N;s/\\\n//;ta}' "$SUITES/contrib/$1/Makefile" | sed -n 's/^REGRESS *= *//p' | xargs printf 'test: %s\n' ;;
  esac
}

# ---- a server for each run ------------------------------------------------------------------------------------------

# settings_for MODE SUITE: prints the lines of postgresql.conf.
settings_for() {
  local libraries=()
  [[ $2 != pg_stat_statements ]] || libraries+=(pg_stat_statements)
  [[ $1 == plain ]] || libraries+=(pg_dp)
  [[ $1 == plain ]] || extension_settings "$FOLDER"
  printf "shared_preload_libraries = '%s'\n" "$(IFS=, && echo "${libraries[*]}")"
  # The tests themselves set what they look at. Where the server's own settings are compared, nothing more may be said.
  printf '%s\n' 'fsync = off' 'max_prepared_transactions = 2' "log_line_prefix = '%m [%p] %q%a '"
  [[ $1 != protected ]] || echo 'compute_query_id = regress' # which EXPLAIN does not show
}

# run_suite MODE SUITE OUT: runs it on a server of its own that leaves its output there.
run_suite() {
  local mode=$1 suite=$2 out=$3 folder program=regress/pg_regress database=regression options=()
  folder=$(suite_folder "$suite")
  as_server rm -rf "$out" && as_server mkdir -p "$out/input" && as_server cp -RL "$folder/." "$out/input" || return
  if [[ $suite == isolation ]]; then
    program=isolation/pg_isolation_regress database=isolation_regression
    [[ $mode == created || $mode == protected ]] && options=(--load-extension=pg_dp)
  fi
  {
    # What the first test of a database makes there is printed as it is written.
    if [[ $suite != isolation && ($mode == created || $mode == protected) ]]; then
      as_server cp "$ROOT/test/strangers/$mode.sql" "$out/input/sql/pg_dp_setup.sql"
      as_server cp "$ROOT/test/strangers/$mode.sql" "$out/input/expected/pg_dp_setup.out"
      echo 'test: pg_dp_setup'
    fi
    suite_schedule "$suite"
  } | as_server tee "$out/schedule" >/dev/null
  settings_for "$mode" "$suite" | as_server tee "$out/settings" >/dev/null
  # shellcheck disable=SC2016
  as_server timeout -k 10 "$SUITE_LIMIT" bash -c 'cd "$1" && exec "${@:2}"' - "$out/input" "$PG_TEST/$program" --inputdir="$out/input" \
    --outputdir="$out" --bindir="$PG_BIN" --dlpath="$SUITES/src/test/regress" --temp-instance="$out/instance" --temp-config="$out/settings" \
    --encoding=UTF8 --no-locale --max-concurrent-tests=20 --dbname="$database" --schedule="$out/schedule" "${options[@]}" \
    >"$out.log" 2>&1 </dev/null || true
  as_server rm -rf "$out/instance" "$out/input"
}

# suite_outcomes LOG: prints "ok NAME" or "failed NAME" for each test, as PostgreSQL 15 prints it or as later ones do.
suite_outcomes() {
  sed -nE 's/^(test| {4}) +([^ ]+) +\.\.\. (ok|FAILED|failed).*/\3 \2/p; s/^(ok|not ok) +[0-9]+ +[-+] +([^ ]+) .*/\1 \2/p' "$1" |
    sed -E 's/^(FAILED|not ok) /failed /' | grep -v ' pg_dp_setup$'
}

# plain_results SUITE: makes PLAIN name the outputs of a plain server, which is run once.
plain_results() {
  PLAIN=$FOLDER/plain-$1
  [[ -f $PLAIN.log ]] || run_suite plain "$1" "$PLAIN"
}

# without_oids FILE: prints it without the numbers that objects get in the order in which they are made.
without_oids() { sed -E 's/(\b|_)[1-9][0-9]{4}\b/\1OID/g; s/(\b|_)[1-9][0-9]{4}_/\1OID_/g' "$1"; }

# is_foreseen TEST SUITE OUT: whether the output of a test that failed is that of a plain server, but for what test/strangers/listings.txt
# foresees of a listing of the catalog; and for the order of lines where the test fails on the plain server, too: that is where the suite is
# of another minor version, and lists what it does not expect, without ORDER BY.
is_foreseen() {
  local said=$CHECK/strangers/$1.$PG_MAJOR.diff
  mkdir -p "$CHECK/strangers"
  if grep -q "^$1 | " "$ROOT/test/strangers/listings.txt"; then
    python3 "$ROOT/tools/lib/listings.py" "$1" "$(suite_folder "$2")/sql/$1.sql" "$PLAIN/results/$1.out" "$3/results/$1.out" >"$said"
  else
    diff <(without_oids "$PLAIN/results/$1.out") <(without_oids "$3/results/$1.out") >"$said" && return
    suite_outcomes "$PLAIN.log" | grep -qx "failed $1" &&
      diff <(without_oids "$PLAIN/results/$1.out" | sort) <(without_oids "$3/results/$1.out" | sort) >"$said"
  fi
}

check_suite() {
  local run=$1 suite=${1#*-} out passed=0 failed=0 started=$SECONDS outcome name
  out=$FOLDER/$run
  run_suite "${run%%-*}" "$suite" "$out"
  while read -r outcome name; do
    if [[ $outcome != ok ]]; then
      plain_results "$suite"
      if ! is_foreseen "$name" "$suite" "$out"; then
        failed=$((failed + 1))
        echo "$name of $run says otherwise than on a plain server:"
        head -n 100 "$CHECK/strangers/$name.$PG_MAJOR.diff"
        continue
      fi
    fi
    passed=$((passed + 1))
  done < <(suite_outcomes "$out.log")
  if ((passed + failed == 0)) || grep -qE 'terminated by signal|PANIC' "$out"/log/postmaster.log; then
    failed=$((failed + 1))
    tail -n 20 "$out.log"
    grep -E 'terminated by signal|PANIC' "$out"/log/postmaster.log | head -n 20 || true
  fi
  result "PostgreSQL's own: $run" "$started" "$passed" "$failed"
}

check_strangers() {
  local run
  SUITES=$(server_folder "suites$PG_SUFFIX")/source
  if ! has_server "$SUITES" && ! step "Fetching PostgreSQL's own tests" fetch_suites "$SUITES"; then
    echo "skipped: PostgreSQL's own tests, whose source cannot be had here"
    return 0
  fi
  FOLDER=$(server_folder "check-strangers$PG_SUFFIX")
  install_extension "$FOLDER"
  while read -r run; do check_suite "$run"; done < <(stranger_tests "${STRANGERS[@]}")
}
