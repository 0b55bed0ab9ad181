# What tools/demo, tools/check and tools/bench share: packages, the build, private clusters. Sourced, not run.
#
# Nothing here touches the system beyond installing Debian packages: the extension is installed under build/, and
# clusters listen on a socket in a folder of their own under /tmp (the path of a socket is limited to 107 bytes).

umask 022

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
BUILD=$ROOT/build
PG_MAJOR=15
PG_BIN=/usr/lib/postgresql/$PG_MAJOR/bin
PG_TEST=/usr/lib/postgresql/$PG_MAJOR/lib/pgxs/src/test
PG_PLACE=destdir # how a server is told where the extension lies: extension_settings
PG_SUFFIX=    # of the folders under build/ that are for another version
PORT=54320 # only part of the socket's name: no cluster here listens on a network
export PGCTLTIMEOUT=300 # seconds that pg_ctl and pg_regress wait for a server: 60 are too few for some that are busy

# The caller's own settings for libpq stay outside.
own_environment() {
  unset PGHOST PGHOSTADDR PGPORT PGUSER PGDATABASE PGDATA PGOPTIONS PGSERVICE PGPASSFILE PGAPPNAME PGCLIENTENCODING
}

die() {
  printf '%s: %s\n' "${0##*/}" "$1" >&2
  exit 1
}

# ---- progress -------------------------------------------------------------------------------------------------------

# step TITLE COMMAND...: runs the command with its output in a log, showing what is going on and how long it takes.
# A failing command's log is shown and its status returned.
step() {
  local title=$1 status=0 started=$SECONDS log
  shift
  mkdir -p "$BUILD"
  log=$(mktemp "$BUILD/log.XXXXXX")
  printf '%-58s' "$title ..."
  "$@" >"$log" 2>&1 </dev/null &
  wait_visibly $! "$started" || status=$?
  if ((status == 0)); then
    printf ' %4d s\n' $((SECONDS - started))
  else
    printf ' failed\n'
    tail -n 60 "$log"
  fi
  rm -f "$log"
  return "$status"
}

# wait_visibly PID STARTED: on a terminal the seconds count up, elsewhere a dot appears every 15 seconds.
wait_visibly() {
  local pid=$1 started=$2 dots=0 nothing
  exec {nothing}<> <(:) # waiting for it is sleeping, without a process each time
  while kill -0 "$pid" 2>/dev/null; do
    if [[ -t 1 ]]; then
      printf ' %4d s\b\b\b\b\b\b\b' $((SECONDS - started))
    elif ((SECONDS - started >= 15 * (dots + 1))); then
      printf '.'
      dots=$((dots + 1))
    fi
    read -rt 0.1 -u "$nothing" || true
  done
  exec {nothing}>&-
  wait "$pid"
}

# ---- packages -------------------------------------------------------------------------------------------------------

BUILD_PACKAGES=(clang-format g++ make cmake libboost-dev libgtest-dev libpq-dev "postgresql-$PG_MAJOR" "postgresql-server-dev-$PG_MAJOR")

as_root() {
  if ((EUID == 0)); then "$@"; else sudo "$@"; fi
}

# need_packages NAME...: installs those that are missing. Without any missing this asks nothing and needs no rights.
need_packages() {
  local missing=() package
  for package in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
  done
  ((${#missing[@]} == 0)) && return
  if ((EUID != 0)); then
    command -v sudo >/dev/null || die "missing packages: ${missing[*]}; install them, or run as root or with sudo"
    sudo -v # asks for a password before the output goes to a log
  fi
  step "Installing ${missing[*]:0:3}$( ((${#missing[@]} > 3)) && echo ' and others')" install_packages "${missing[@]}"
}

install_packages() {
  local drop_in=/etc/postgresql-common/createcluster.d/pg_dp.conf
  apt_get update || return
  if [[ " $* " != *" postgresql-$PG_MAJOR "* ]]; then
    apt_get install "$@"
    return
  fi
  # Debian would make a cluster and start it. Nobody here asked for one, so it is told not to, for this install only.
  apt_get install postgresql-common || return
  as_root mkdir -p "${drop_in%/*}"
  echo 'create_main_cluster = false' | as_root tee "$drop_in" >/dev/null
  local status=0
  apt_get install "$@" || status=$?
  as_root rm -f "$drop_in"
  return "$status"
}

apt_get() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$1" \
    $([[ $1 == install ]] && echo '-y --no-install-recommends') "${@:2}"
}

# ---- the user that runs PostgreSQL, which refuses root --------------------------------------------------------------

as_server() {
  # From / because that user may not be able to enter the current folder; without our lock, which it would hold on to.
  if ((EUID == 0)); then
    (cd / && exec runuser -u postgres -- "$@" 9>&-)
  else
    (cd / && exec "$@" 9>&-)
  fi
}

# server_folder NAME: prints the real path of build/NAME, made if need be, which that user owns and can reach. Where the
# checkout lies in a folder closed to it (/root), build/NAME becomes a link to a folder under /var/tmp.
server_folder() {
  local link=$BUILD/$1
  mkdir -p "$BUILD"
  if ! as_server test -w "$(readlink -f "$link")/." 2>/dev/null; then
    rm -rf "$link"
    mkdir -p "$link"
    if ((EUID == 0)) && ! { chown postgres: "$link" && as_server test -w "$link/."; } 2>/dev/null; then
      rmdir "$link"
      ln -s "$(as_server mktemp -d "/var/tmp/pg_dp.$1.XXXXXX")" "$link"
      as_server chmod 755 "$(readlink -f "$link")"
    fi
  fi
  readlink -f "$link"
}

# ---- building -------------------------------------------------------------------------------------------------------

# lock NAME: waits until nobody else works in that part of build/. The lock ends with this process.
lock() {
  mkdir -p "$BUILD"
  exec 9>"$BUILD/$1.lock"
  flock -n 9 && return
  echo "waiting for another run in build/$1"
  flock 9
}

# mirror FOLDER PATH...: makes FOLDER hold those paths of the checkout and no other source file; what a build put beside
# them stays, and unchanged files keep their times, so that a second build has little to do. Paths that are not there are
# passed over. FOLDER/.removed says whether a file went away since the last time.
mirror() {
  local to=$1 path file paths=()
  shift
  for path in "$@"; do [[ ! -e $ROOT/$path ]] || paths+=("$path"); done
  mkdir -p "$to" && touch "$to/.files" && rm -f "$to/.removed" || return
  (cd "$ROOT" && find "${paths[@]}" -type f ! -name '*.[od]' ! -name '*.gch' | LC_ALL=C sort) >"$to/.files.new" || return
  LC_ALL=C comm -23 "$to/.files" "$to/.files.new" >"$to/.gone" || return
  while read -r file; do
    rm -f "$to/$file" "$to/${file%.*}".[od]
    touch "$to/.removed"
  done <"$to/.gone"
  (cd "$ROOT" && xargs -d '\n' -a "$to/.files.new" cp --parents -pu -t "$to") && mv "$to/.files.new" "$to/.files"
}

# build_extension [TARGET]: the extension, or the objects of its core, built from a mirror so that the checkout stays clean.
build_extension() {
  local folder=$BUILD/extension$PG_SUFFIX target=${1-all}
  (
    flock 8
    mirror "$folder" Makefile pg_dp.control src sql/install sql/upgrade || exit
    # make does not see that a source went away or that the flags changed.
    if [[ -e $folder/.removed || (-e $folder/.built && $folder/Makefile -nt $folder/.built) ]]; then
      make_extension clean || exit
    fi
    make_extension -j"$(nproc)" "$target" && touch "$folder/.built"
  ) 8>"$BUILD/extension$PG_SUFFIX.lock"
}

# PostgreSQL's headers are compiled once, but for ccache, which keeps nothing of what was compiled with them; nor in a folder that was
# built without, where all would be compiled anew.
make_extension() {
  local folder=$BUILD/extension$PG_SUFFIX precompile=
  if [[ $(readlink -f "$(command -v g++)") != */ccache && (-e $folder/src/pg/precompiled.h.gch || ! -e $folder/src/init.o) ]]; then
    precompile=PRECOMPILE=1
  fi
  make -C "$folder" PG_CONFIG="$PG_BIN/pg_config" COPT="-Werror -g1" $precompile "$@" 9>&-
}

# install_extension FOLDER: under FOLDER/install, for a cluster made there.
install_extension() {
  local staged
  if [[ $PG_PLACE == server ]]; then
    make_extension -s install
    return
  fi
  staged=$(mktemp -d "$BUILD/staged.XXXXXX") && chmod 755 "$staged" &&
    make_extension -s install DESTDIR="$staged" &&
    rm -rf "$1/install" && # not written over: a running server has these files mapped
    cp -R "$staged" "$1/install" && rm -rf "$staged"
}

# What tells one build from another.
extension_fingerprint() {
  cat "$BUILD/extension$PG_SUFFIX"/pg_dp.so "$BUILD/extension$PG_SUFFIX"/pg_dp--*.sql | cksum
}

# build_core FOLDER TARGET [CMAKE_OPTION...]: the pure core, without any PostgreSQL header.
build_core() {
  local folder=$1 target=$2
  shift 2
  cmake -S "$ROOT" -B "$folder" -DCMAKE_BUILD_TYPE=RelWithDebInfo "$@" &&
    cmake --build "$folder" --target "$target" -j "$(nproc)"
}

# ---- private clusters -----------------------------------------------------------------------------------------------
# A cluster lives in a server_folder: data/ (its files), install/ (the extension), log, socket (the path of the socket's folder).

# extension_settings FOLDER: the lines of postgresql.conf that let a server find the extension there.
extension_settings() {
  # One is Debian's own, the other PostgreSQL's since 18. A server without either is written to (install_extension).
  [[ $PG_PLACE != destdir ]] || printf "extension_destdir = '%s/install'\n" "$1"
  [[ $PG_PLACE != path ]] ||
    printf "extension_control_path = '%s/install%s:\$system'\n" "$1" "$("$PG_BIN/pg_config" --sharedir)"
  [[ $PG_PLACE == server ]] || printf "dynamic_library_path = '%s/install%s:\$libdir'\n" "$1" "$("$PG_BIN/pg_config" --pkglibdir)"
}

# make_cluster FOLDER [CONFIG_FILE...]: a new cluster there, with the lines of those files in its configuration.
make_cluster() {
  local folder=$1
  shift
  as_server rm -rf "$folder/data"
  as_server "$PG_BIN/initdb" -D "$folder/data" -U postgres -A trust -E UTF8 --locale=C --no-sync || return
  {
    echo "listen_addresses = ''"
    extension_settings "$folder"
    (($# == 0)) || cat "$@"
  } | as_server tee -a "$folder/data/postgresql.conf" >/dev/null
}

# Only its owner and root may enter the socket's folder, so that trust in whoever connects is trust in these two.
start_cluster() {
  local folder=$1 socket=
  [[ ! -f $folder/socket ]] || socket=$(<"$folder/socket")
  if [[ ! -d $socket ]]; then
    socket=$(as_server mktemp -d /tmp/pg_dp.XXXXXX)
    echo "$socket" | as_server tee "$folder/socket" >/dev/null
  fi
  as_server "$PG_BIN/pg_ctl" -D "$folder/data" -l "$folder/log" -s -w \
    -o "-k $socket -p $PORT" start || {
    tail -n 20 "$folder/log"
    return 1
  }
}

cluster_runs() {
  [[ -f $1/socket ]] && as_server "$PG_BIN/pg_ctl" -D "$1/data" status >/dev/null 2>&1
}

stop_cluster() {
  local folder=$1
  if cluster_runs "$folder"; then
    as_server "$PG_BIN/pg_ctl" -D "$folder/data" -s -w -m fast stop
  fi
  if [[ -f $folder/socket ]]; then
    rm -rf "$(<"$folder/socket")"
    as_server rm -f "$folder/socket"
  fi
}

# use_cluster FOLDER DATABASE: sets what libpq reads, for this process and those it starts.
use_cluster() {
  PGHOST=$(<"$1/socket")
  export PGHOST PGPORT=$PORT PGUSER=postgres PGDATABASE=$2
}

# psql without the caller's habits.
sql() {
  "$PG_BIN/psql" -X -q -v ON_ERROR_STOP=1 "$@"
}

# ---- servers of other versions --------------------------------------------------------------------------------------

# PG_DP_SERVER in the environment names another one than this machine's own; programs that source this file inherit it.
if [[ -n ${PG_DP_SERVER-} ]]; then
  . "$ROOT/tools/lib/servers.sh"
  select_server "$PG_DP_SERVER" || exit 77
fi
