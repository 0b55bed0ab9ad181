# Programs of Debian's packages that tests run and nobody installs: a package of a service would start it. Each set lies in a folder of its
# own under build/clients. Sourced by tools/lib/programs.sh, after tools/lib/common.sh.

# deb_folder NAME PACKAGE...: has what is in these packages below build/clients/NAME, fetched once.
deb_folder() {
  local folder=$BUILD/clients/$1 package
  shift
  [[ ! -f $folder/fetched || $(<"$folder/fetched") != "$*" ]] || return 0
  command -v apt-get >/dev/null || return
  rm -rf "$folder" && mkdir -p "$folder/debs" || return
  (cd "$folder/debs" && apt-get -qq download "$@" 2>/dev/null) || return
  for package in "$folder"/debs/*.deb; do dpkg-deb -x "$package" "$folder" || return; done
  rm -rf "$folder/debs" && echo "$*" >"$folder/fetched"
}
