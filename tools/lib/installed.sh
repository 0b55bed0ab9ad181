# A server that has what a package holds, and nothing else, of the extension. Sourced by tools/package and tools/package-rpm, after
# tools/lib/common.sh, with FOLDER the folder of a cluster.

VERSION=$(sed -n "s/^default_version = '\(.*\)'/\1/p" "$ROOT/pg_dp.control")

# Sets INSTALLED to where the package is to be unpacked: the server looks where it lies itself.
begin_installed() {
  rm -rf "$FOLDER/install"
  INSTALLED=$FOLDER/install${PG_BIN%/usr/lib/postgresql/*}
  mkdir -p "$INSTALLED"
}

# Ends the program unless the server makes the extension and answers a question.
ask_installed() {
  local answer
  make_cluster "$FOLDER" "$ROOT/test/postgresql.conf" >/dev/null && start_cluster "$FOLDER" || die 'the server does not start'
  use_cluster "$FOLDER" postgres
  answer=$(sql -At -c 'CREATE EXTENSION pg_dp' -c "SELECT extversion FROM pg_extension WHERE extname = 'pg_dp'" \
    -c "SELECT dp_count('*', 1e6) FROM generate_series(1, 100)" 2>&1) || true
  [[ $answer == "$VERSION"$'\n'100 ]] || die "a server with the package says: $answer"
}

stop_installed() {
  [[ -z ${FOLDER-} ]] || stop_cluster "$FOLDER" || true
}
