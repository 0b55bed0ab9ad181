# The server of tools/demo, under build/demo, with its databases: "demo" for the tour, and "dashboards", where the same visits are
# protected for plain SQL, of the role that BI tools connect as and of an analyst at psql. Sourced by tools/demo, tools/clients and
# tools/lib/docs.sh, after tools/lib/common.sh.

DASHBOARD_ROLE=dashboard
DASHBOARD_PASSWORD=dashboard # no secret: that role sees private answers about made-up data, from this machine alone

# as_recorded FOLDER NAME VALUE: whether VALUE was recorded under that name by `record`.
as_recorded() { [[ -f $1/$2 && $(<"$1/$2") == "$3" ]]; }
record() { echo "$3" | as_server tee "$1/$2" >/dev/null; }

demo_settings() {
  cat <<'SETTINGS'
shared_preload_libraries = 'pg_dp'
fsync = off # made-up data: nothing here is worth a wait
checkpoint_timeout = '1h' # nor for one that somebody else began
listen_addresses = '127.0.0.1' # for tools that know no other sockets
SETTINGS
}

# Who comes through the network, which on this machine anybody can, is the dashboard's role.
demo_access() {
  printf '%s\n' "local all all trust" "host all $DASHBOARD_ROLE 127.0.0.1/32 scram-sha-256"
}

port_is_free() { ! (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# choose_port FOLDER: the port at which the server listens, or will: the first free one from PORT on.
choose_port() {
  if cluster_runs "$1"; then
    PORT=$(<"$1/port")
    return
  fi
  while ! port_is_free "$PORT"; do PORT=$((PORT + 1)); done
  record "$1" port "$PORT"
}

# ensure_server FOLDER: it runs, with the extension as it was built last.
ensure_server() {
  local folder=$1 build
  build=$(extension_fingerprint)
  if ! as_recorded "$folder" build "$build"; then
    stop_cluster "$folder"
    install_extension "$folder"
    as_server rm -f "$folder"/extension-*
    record "$folder" build "$build"
  fi
  if ! as_recorded "$folder" made "$(demo_settings)"; then
    stop_cluster "$folder"
    as_server rm -f "$folder"/extension-* "$folder"/data-version-*
    step "Making a PostgreSQL cluster in build/demo" make_cluster "$folder" <(demo_settings)
    demo_access | as_server tee "$folder/data/pg_hba.conf" >/dev/null
    record "$folder" made "$(demo_settings)"
  fi
  choose_port "$folder"
  cluster_runs "$folder" || step "Starting it" start_cluster "$folder"
}

# ensure_database FOLDER NAME: has the extension and the data as they are now. What people made there stays while neither changes.
ensure_database() {
  local folder=$1 name=$2 build data
  build=$(<"$folder/build")
  data=$(cksum <"$ROOT/tools/demo-data.sql")
  use_cluster "$folder" postgres
  [[ $(sql -At -c "SELECT count(*) FROM pg_database WHERE datname = '$name'") == 1 ]] || sql -c "CREATE DATABASE $name"
  use_cluster "$folder" "$name"
  if ! as_recorded "$folder" "extension-$name" "$build"; then
    # The ledger goes with it.
    sql -c 'SET client_min_messages = warning; SET dp.allow_drop = on' -c 'DROP EXTENSION IF EXISTS pg_dp' \
      -c 'CREATE EXTENSION pg_dp'
    record "$folder" "extension-$name" "$build"
  fi
  if ! as_recorded "$folder" "data-version-$name" "$data"; then
    step "Loading 200,000 visits of 40,000 patients" sql -c 'SET client_min_messages = error; SET dp.allow_drop = on' \
      -c 'DROP SCHEMA IF EXISTS bi CASCADE' -f "$ROOT/tools/demo-data.sql"
    record "$folder" "data-version-$name" "$data"
  fi
}

# protect_for_dashboards BUDGET EPSILON [ROLE PASSWORD]: in the database in use, what docs/bi-tools.md tells a curator to do. Doing it
# again changes nothing and spends nothing.
protect_for_dashboards() {
  sql -o /dev/null -v budget="$1" -v epsilon="$2" -v role="${3-$DASHBOARD_ROLE}" -v password="${4-$DASHBOARD_PASSWORD}" \
    -f "$ROOT/tools/demo-dashboard.sql"
}

# Who asks what the pages for analysts ask (docs/analyst.md, docs/plain-sql.md, docs/tutorials/analyst.md).
DEMO_ANALYST=mia

# In the database dashboards: the same for that role, and which wards there are.
plain_sql_ready() {
  protect_for_dashboards 20 0.05 "$DEMO_ANALYST" "$DEMO_ANALYST"
  sql -c "GRANT SELECT ON wards TO $DEMO_ANALYST"
}

# In the database demo, after the tour.
analyst_ready() { sql -o /dev/null -v role="$DEMO_ANALYST" -f "$ROOT/tools/demo-analyst.sql"; }
