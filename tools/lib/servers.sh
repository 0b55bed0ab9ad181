# PostgreSQL of other versions than this machine's own, under build/: its server, tools and headers as a distribution built them.
# Sourced by tools/lib/common.sh where PG_DP_SERVER names one, and by tools/check --pg.
#
# The packages come from the distribution that has that version, with package lists of their own; they are unpacked and not
# installed, so that the system stays as it is. Their programs ask for newer system libraries than this machine may have: these
# are unpacked beside them, and the programs are told to look there.

# Archive, suites, components; of several archives one after the other.
declare -A PG_ARCHIVE=(
  [16]='http://archive.ubuntu.com/ubuntu noble,noble-updates main,universe'
  [17]='http://deb.debian.org/debian trixie main http://deb.debian.org/debian-security trixie-security main'
  [18]='http://deb.debian.org/debian forky main'
  [17-earlier]='http://deb.debian.org/debian trixie main'
)

# Servers of an earlier release. Releases of one date may write what later versions of an earlier date do not read: the way from such
# a one is then tested from these.
declare -A PG_EARLIER=([15]=cassert [17]=17-earlier)

DEBIAN_KEYS=/usr/share/keyrings/debian-archive-keyring.gpg

# Libraries and the server itself out of all that a whole system would need beside it.
PG_WANTED='^(lib|zlib1g|postgresql-(client-)?[0-9]+$)'
PG_UNWANTED='perl|debconf|systemd-shared|^libc-|libproc|libsemanage|libpam-|libnss-'

# select_server VERSION: makes PG_MAJOR, PG_BIN and the like name that version, fetching it if need be. "cassert" is this
# machine's own major version with assertions; a path is that of a pg_config. Fails after a line that says why, if it cannot be had.
select_server() {
  local root pg_config=$1 name=${1#/}
  [[ $1 != "$PG_MAJOR" ]] || return 0
  [[ $1 == */* ]] || root=$(server_folder "pg-$1")/system
  case $1 in
    */*) [[ -x $1 ]] || die "$1 is no program" ;;
    cassert)
      pg_config=$root/bin/pg_config
      has_server "$root" || build_asserting_server "$root" || return
      ;;
    *)
      [[ -n ${PG_ARCHIVE[$1]-} ]] || die "no PostgreSQL $1 here: 15, ${!PG_ARCHIVE[*]} and cassert are known, and any pg_config's path"
      pg_config=$root/usr/lib/postgresql/${1%-earlier}/bin/pg_config
      has_server "$root" || step "Fetching PostgreSQL $1" fetch_server "$1" "$root" || return
      ;;
  esac
  PG_SUFFIX=-${name//\//-}
  PG_BIN=$("$pg_config" --bindir)
  PG_MAJOR=$("$pg_config" --version | sed -E 's/^PostgreSQL ([0-9]+).*/\1/')
  PG_TEST=$(cd "$(dirname "$("$pg_config" --pgxs)")/../test" && pwd)
  # Since 18 any server has such a setting. Before, Debian's own has one.
  if ((PG_MAJOR >= 18)); then
    PG_PLACE=path
  elif ! grep -qa extension_destdir "$PG_BIN/postgres"; then
    PG_PLACE=server
  fi
}

# The programs hold the folder's name: one that was moved is fetched again.
has_server() { [[ -f $1.complete && $(<"$1.complete") == "$1" ]]; }

# apt_in FOLDER ARGUMENT...: apt-get with lists of its own that knows no package as installed.
apt_in() {
  local folder=$1
  shift
  apt-get -q -o Dir::Etc::sourcelist="$folder/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::State="$folder/state" \
    -o Dir::State::status="$folder/status" -o Dir::Cache="$folder/cache" -o APT::Install-Recommends=false \
    -o Acquire::Languages=none -o APT::Sandbox::User=root -o Debug::NoLocking=1 "$@"
}

# make_lists FOLDER KIND OPTIONS ARCHIVE: its package lists (KIND deb) or lists of sources (deb-src).
make_lists() {
  local uri suites components rest=$4 suite
  mkdir -p "$1"/state/lists/partial "$1"/cache/archives/partial
  : >"$1/status"
  while [[ -n $rest ]]; do
    read -r uri suites components rest <<<"$rest"
    for suite in ${suites//,/ }; do echo "$2 [$3] $uri $suite ${components//,/ }"; done
  done >"$1/sources.list"
  # A list that cannot be fetched is an error, not a warning.
  apt_in "$1" update -o APT::Update::Error-Mode=any
}

# archive_key URI FOLDER: the file with the keys of who signed that archive. Ubuntu's are in a package of Debian, whose own keys
# vouch for it.
archive_key() {
  local lists=$2/keys
  if [[ $1 == *ubuntu* ]]; then
    make_lists "$lists" deb "signed-by=$DEBIAN_KEYS" 'http://deb.debian.org/debian trixie main' >&2 &&
      (cd "$lists" && apt_in "$lists" download ubuntu-keyring >&2 && dpkg -x ubuntu-keyring_*.deb keyring) || return
    echo "$lists/keyring/usr/share/keyrings/ubuntu-archive-keyring.gpg"
  else
    echo "$DEBIAN_KEYS"
  fi
}

# fetch_server VERSION ROOT: unpacks it under ROOT.
fetch_server() {
  local major=${1%-earlier} root=$2 work key names package
  command -v apt-get >/dev/null || { echo 'this needs apt-get' && return 1; }
  need_packages patchelf
  work=$(mktemp -d "$BUILD/apt.XXXXXX") || return
  key=$(archive_key "${PG_ARCHIVE[$1]}" "$work") &&
    make_lists "$work" deb "arch=$(dpkg --print-architecture) signed-by=$key" "${PG_ARCHIVE[$1]}" || return
  names=$(apt_in "$work" -y --print-uris install "postgresql-$major" | sed -n "s/^'[^']*' \([^_]*\)_.*/\1/p" |
    grep -E "$PG_WANTED" | grep -vE "$PG_UNWANTED")
  [[ -n $names ]] || return
  # shellcheck disable=SC2086
  (cd "$work" && apt_in "$work" download $names "postgresql-server-dev-$major" libpq-dev) || return
  rm -rf "$root" && mkdir "$root" || return
  for package in "$work"/*.deb; do dpkg -x "$package" "$root" || return; done
  rm -rf "$work" "$root"/usr/lib/llvm-*
  link_to_own_libraries "$root" "$root/usr/lib/postgresql/$major" || return
  # The compiler here may not know what that of the distribution does, nor the C library declare what that one does.
  sed -i 's/ -fexcess-precision=standard//g; s/ -Wmissing-variable-declarations//g' "$root/usr/lib/postgresql/$major/lib/pgxs/src/Makefile.global"
  sed -i -E 's/^#define (HAVE_DECL_STRLC(PY|AT)) 1/#define \1 0/' "$root"/usr/include/postgresql/"$major"/server/pg_config*.h
  chmod -R a+rX "$root" && "$root/usr/lib/postgresql/$major/bin/postgres" -V && echo "$root" >"$root.complete"
}

# link_to_own_libraries ROOT FOLDER: the programs in FOLDER load the libraries under ROOT.
link_to_own_libraries() {
  local libraries program
  libraries=$(dirname "$(find "$1" -name libc.so.6 | head -n 1)")
  while read -r program; do
    [[ $(head -c 4 "$program" | tr -d '\0') == $'\x7fELF' ]] || continue
    patchelf --set-interpreter "$(find "$libraries" -name 'ld-linux*.so.*' | head -n 1)" --force-rpath --set-rpath "$libraries" \
      "$program" || return
  done < <(find "$2/bin" "$2/lib/pgxs" -type f -perm -u+x ! -name '*.so' ! -name '*.pl' ! -name '*.sh')
}

# ---- with assertions ------------------------------------------------------------------------------------------------

# build_asserting_server ROOT: this machine's major version from the distribution's source, with assertions and with ICU.
build_asserting_server() {
  need_packages dpkg-dev gcc make perl libicu-dev zlib1g-dev libxml2-dev uuid-dev
  step "Building PostgreSQL $PG_MAJOR with assertions (5 min)" build_source "$1"
}

build_source() {
  local root=$1 work
  work=$(mktemp -d "$BUILD/apt.XXXXXX") || return
  # shellcheck disable=SC1091
  make_lists "$work" deb-src "signed-by=$DEBIAN_KEYS" \
    "http://deb.debian.org/debian $(. /etc/os-release && echo "$VERSION_CODENAME") main" || return
  # As PostgreSQL publishes it: the distribution's own patches put paths of theirs into pg_config.
  (cd "$work" && apt_in "$work" source --download-only --only-source "postgresql-$PG_MAJOR" && tar xjf ./*.orig.tar.bz2) || return
  rm -rf "$root" && mkdir "$root" || return
  (
    cd "$work"/postgresql-*/ &&
      ./configure --prefix="$root" --enable-cassert --with-icu --with-libxml --with-uuid=e2fs --without-readline CFLAGS='-O1 -g' &&
      make -s -j"$(nproc)" install && make -s -C src/test/regress pg_regress install && make -s -C src/test/isolation all install &&
      make -s -j"$(nproc)" -C contrib install
  ) || return
  rm -rf "$work"
  chmod -R a+rX "$root" && "$root/bin/postgres" -V && echo "$root" >"$root.complete"
}

# ---- tests on several of them ---------------------------------------------------------------------------------------

RESULTS=$ROOT/test/versions.tsv

# check_on VERSION [TEST...]: those tests of tools/check on that version, or on all; "upgrades" are between each version and each later
# one. What came out of whole suites is written to test/versions.tsv. A version that cannot be had is skipped, which says so and is no
# failure.
check_on() {
  local versions=("${1-}") version log status failed=0 skipped=0
  [[ -n ${1-} ]] || die '--pg wants a version: 15, 16, 17, 18, cassert, upgrades or all, or the path of a pg_config'
  [[ $1 != all ]] || versions=(15 16 17 18 cassert upgrades)
  shift
  (($# > 0)) || set -- sql iso fault
  mkdir -p "$CHECK"
  for version in "${versions[@]}"; do
    log=$CHECK/on-${version//\//-}.log
    status=0
    if [[ $version == upgrades ]]; then
      check_upgrades || status=$?
    else
      echo "PostgreSQL $version:"
      PG_DP_SERVER=$version "$ROOT/tools/check" "$@" 2>&1 | tee "$log" || status=${PIPESTATUS[0]}
      ((status == 77)) || [[ $version == */* ]] || note_suites "$version" "$log" "$@"
    fi
    if ((status == 77)); then
      skipped=$((skipped + 1))
      echo "skipped: PostgreSQL $version cannot be had here" | tee "$log"
    elif ((status != 0)); then
      failed=$((failed + 1))
    fi
  done
  "$ROOT/tools/versions"
  echo "${#versions[@]} versions, $failed of them with failures, $skipped skipped"
  ((failed == 0))
}

# note VERSION RELEASE SUITE PASSED FAILED SKIPPED WHY: the line of the table for that version, or two of them, and that suite.
note() {
  {
    sed '/^#/!d' "$RESULTS"
    { sed '/^#/d' "$RESULTS" | awk -F '\t' -v v="$1" -v s="$3" '$1 != v || $3 != s' &&
      (IFS=$'\t' && echo "$*"); } | LC_ALL=C sort -t $'\t' -k 1,1 -k 3,3 -k 2,2
  } >"$RESULTS.new"
  mv "$RESULTS.new" "$RESULTS"
}

# note_suites VERSION LOG TEST...: of each suite that was run as a whole, how many tests passed.
note_suites() {
  local version=$1 log=$2 suite release counts why
  shift 2
  # shellcheck disable=SC2016
  release=$(PG_DP_SERVER=$version bash -c '. "$0" && "$PG_BIN/postgres" -V' "$ROOT/tools/lib/common.sh" | grep -oE '[0-9]+\.[0-9]+' | head -n 1)
  declare -A titles=([sql]='SQL tests' [iso]='Isolation tests' [fault]='Fault tests')
  for suite in "$@"; do
    [[ -n ${titles[$suite]-} ]] || continue
    counts=$(sed -nE "s/^${titles[$suite]} .* ([0-9]+) passed, ([0-9]+) failed\$/\1 \2/p" "$log" | tail -n 1)
    why=$(failures_of "$suite" "$log" | sort -u | paste -sd ' ')
    [[ -z $counts ]] || note "$version" "$release" "$suite" ${counts% *} ${counts#* } 0 "$why"
    [[ $suite == fault && -n $counts ]] || continue
    if grep -qs '^passed .*/fuzz.cpp' "$CHECK"/fault/*.results; then
      note "$version" "$release" fuzz 1 0 0 ''
    else
      note "$version" "$release" fuzz 0 1 0 'see the log'
    fi
  done
}

# failures_of SUITE LOG: the names of the tests of that suite that failed.
failures_of() {
  local name
  case $1 in
    fault) sed -nE 's|^test/fault/([^ ]+) failed:$|\1|p' "$2" ;;
    *)
      sed -nE 's/^not ok [0-9]+ +[-+] +([^ ]+) .*/\1/p; s/^(test|    ) +([a-z_0-9]+) +\.\.\. FAILED.*/\2/p' "$2" | while read -r name; do
        [[ ! -f $ROOT/$([[ $1 == sql ]] && echo sql/"$name".sql || echo test/isolation/specs/"$name".spec) ]] || echo "$name"
      done
      ;;
  esac
}

# check_upgrades: from each version to each later one.
check_upgrades() {
  local old new failed=0
  for old in 15 16 17; do
    for new in 16 17 18; do
      ((new <= old)) || check_upgrade "$old" "$new" || failed=1
    done
  done
  return "$failed"
}

# check_upgrade OLD NEW: from the newest release of OLD that is here; if NEW's does not read what that writes, from an earlier one.
check_upgrade() {
  local old=$1 new=$2 from log status passed=0 failed=0 unread=0 why=''
  for from in "$old" ${PG_EARLIER[$old]-}; do
    log=$CHECK/upgrade-$from-$new.log
    status=0
    "$ROOT/test/major/upgrade.sh" "$from" "$new" >"$log" 2>&1 || status=$?
    ((status == 77)) || break
    why+=${why:+, }$({ grep '^skipped: ' "$log" || echo "skipped: $from or $new cannot be had here"; } | tail -n 1)
    unread=1
  done
  case $status in
    0) passed=1 ;;
    77) skipped=$((skipped + 1)) ;; # of check_on
    *) failed=1 && why+=${why:+, }"see ${log#"$ROOT/"}" && tail -n 30 "$log" ;;
  esac
  note "$old to $new" "$(sed -n 's/^releases: //p' "$log")" upgrade "$passed" "$failed" "$unread" "$why"
  echo "PostgreSQL $old to $new: $passed passed, $failed failed${why:+ ($why)}"
  return "$failed"
}
