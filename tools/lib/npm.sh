# Packages of the npm registry, for the clients that tests run; each set lies in a folder of its own under build/clients. Sourced by
# tools/clients and tools/lib/programs.sh, after tools/lib/common.sh.

# What node programs of ours use themselves.
COMMON_NPM=(pg@8.23.1 playwright-core@1.65.1)

# npm_folder NAME PACKAGE@VERSION...: has these packages, of these versions and no others, in build/clients/NAME/node_modules, fetched
# once; what else asks for one of them gets that version too. What packages would run when they are installed is not run: it downloads
# programs from elsewhere.
npm_folder() {
  local folder=$BUILD/clients/$1 package overrides=
  shift
  [[ ! -f $folder/fetched || $(<"$folder/fetched") != "$*" ]] || return 0
  command -v npm >/dev/null || return
  rm -rf "$folder" && mkdir -p "$folder" || return
  for package in "$@"; do overrides+="${overrides:+, }\"${package%@*}\": \"${package##*@}\""; done
  echo "{\"private\": true, \"overrides\": {$overrides}}" >"$folder/package.json"
  (cd "$folder" && nice npm install --ignore-scripts --save-exact --no-audit --no-fund --loglevel=error "$@") && echo "$*" >"$folder/fetched"
}
