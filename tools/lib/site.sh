# The site as a test: it is made, its links lead somewhere, and it does in a real browser what it says. Sourced by tools/check, after
# tools/lib/programs.sh.
#
# What cannot be had here is skipped, with a line that says so: all of it without mkdocs, the browser without Chromium or npm, and in it
# the page to play with without Emscripten.

# had WHAT PACKAGE...: whether these packages are here or could be installed; otherwise says that this is skipped.
had() {
  if installable "${@:2}" && need_packages "${@:2}"; then return; fi
  echo "skipped: $1, for which ${*:2} cannot be had here"
  return 1
}

check_site() {
  local started=$SECONDS
  had 'the site' mkdocs mkdocs-material || return 0
  had 'the page to play with' emscripten libboost-dev || true
  if ! "$ROOT/tools/site"; then
    result 'The site' "$started" 0 1
    return
  fi
  echo 'passed: pages' >"$LOG"
  if had 'the site in a browser' chromium fonts-dejavu-core && npm_folder common "${COMMON_NPM[@]}"; then
    timeout -k 10 "$TIME_LIMIT" node "$ROOT/test/site/browser.mjs" "$BUILD/site" "$BUILD/clients/common" >>"$LOG" 2>&1 ||
      echo 'failed: the browser' >>"$LOG"
  fi
  grep -v '^passed' "$LOG" || true
  result 'The site' "$started" "$(matches '^passed: ')" "$(matches '^failed: ')"
}
