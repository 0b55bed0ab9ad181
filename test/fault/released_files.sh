# What is made of an installed extension for those who do not build it: the volume for CloudNativePG has the server's files and no others,
# the SBOM names what is compiled in and what is loaded.
set -euo pipefail

installed=$(dirname "$PGDATA")/install
if [[ ! -d $installed ]]; then
  echo 'this server has the extension among its own files'
  exit
fi
volume=$(mktemp -d)
trap 'rm -rf "$volume"' EXIT
version=$(sed -n "s/^default_version = '\(.*\)'/\1/p" pg_dp.control)

tools/volume "$installed" "$volume"
wanted=$(
  {
    printf '%s\n' lib/pg_dp.so licenses/pg_dp/LICENSE share/extension/pg_dp.control "share/extension/pg_dp--$version.sql"
    (cd sql/upgrade && printf 'share/extension/%s\n' *.sql)
  } | LC_ALL=C sort
)
found=$(cd "$volume" && find . -type f -printf '%P\n' | LC_ALL=C sort)
diff <(echo "$wanted") <(echo "$found")
[[ -z $(find "$volume" -mindepth 1 ! -perm -o=r) ]] || { echo 'not everybody may read the volume' && exit 1; }

command -v python3 >/dev/null && command -v dpkg >/dev/null || exit 0
export SOURCE_DATE_EPOCH=1700000000
tools/sbom "$volume/lib/pg_dp.so" >"$volume/sbom"
tools/sbom "$volume/lib/pg_dp.so" | cmp - "$volume/sbom"
python3 - "$volume/sbom" "$version" <<'PY'
import json
import sys

document = json.load(open(sys.argv[1]))
packages = {package['SPDXID']: package for package in document['packages']}
assert document['spdxVersion'] == 'SPDX-2.3' and document['creationInfo']['created'] == '2023-11-14T22:13:20Z'
assert packages['SPDXRef-pg-dp']['versionInfo'] == sys.argv[2]
related = {(r['relationshipType'], r['relatedSpdxElement']) for r in document['relationships']}
assert all(element in packages for _, element in related), related
assert ('STATIC_LINK', 'SPDXRef-boost') in related and packages['SPDXRef-boost']['versionInfo'][0] == '1'
loaded = {packages[element]['name'] for kind, element in related if kind == 'DYNAMIC_LINK'}
assert {'libstdc++6', 'libc6'} <= loaded, loaded
# Whatever else the library came to need would be a decision.
assert len(loaded) <= 5, loaded
PY
