# The rules of the house, one test each: arrows between the folders of src/ point down only, PostgreSQL's headers come in
# through src/pg alone, references to columns are made in src/guard/tree alone, no file is long, a thing is said once, C++ is
# formatted by .clang-format. Sourced by tools/check; house_rules prints the offences and one line
# "rule broken: ..." or "rule kept: ..." for each rule.

LONGEST_FILE=420

# What each folder of src/ may include, itself aside: the folders of its own layer, and what stands here. "core" means all of it.
# src/init.cpp is the folder "top".
FOLDERS='
core/noise
core/number
core/mechanism          core/noise core/number
core/accumulate         core/noise core/mechanism core/number
core/accounting         core/noise core/number core/mechanism
core/bounds
core/consistency        core/noise core/mechanism
core/planning           core/noise core/number core/mechanism core/accumulate core/accounting core/consistency
pg                      core/noise core/mechanism
aggregate/unit          core pg
aggregate/call          core pg aggregate/unit
aggregate/kinds         core pg aggregate/unit aggregate/call
planning                core pg
total_functions         core pg
budget/catalog          core pg
budget/policy           core pg budget/catalog
budget/ledger           core pg budget/catalog budget/policy
budget/release          core pg budget/catalog budget/policy budget/ledger aggregate/call
budget/answers          core pg budget/catalog budget/policy
budget/publish          core pg budget/catalog budget/policy budget/ledger budget/answers
budget/curate           core pg budget/catalog budget/policy budget/ledger budget/answers
guard/tree              pg
guard/functions         core pg total_functions
guard/facts             core pg budget guard/functions
guard/query             core pg budget guard/tree
guard/admission         core pg aggregate budget total_functions guard/query guard/tree guard/functions guard/facts
guard/unit_limit        core pg aggregate budget guard/query guard/tree guard/functions
guard/forms             core pg total_functions guard/query guard/tree guard/functions guard/facts guard/admission
guard/relations            core pg budget total_functions guard/query guard/tree guard/functions guard/facts guard/admission guard/unit_limit guard/forms
guard/groups            core pg aggregate budget total_functions guard/query guard/tree guard/functions guard/facts guard/admission guard/forms guard/relations
guard/rewrite           core pg aggregate budget guard/query guard/tree guard/functions guard/facts guard/admission guard/unit_limit guard/forms guard/relations guard/groups
guard/inner             core pg budget guard/query guard/tree guard/admission
guard/reuse             core pg aggregate budget guard/query guard/tree guard/admission guard/relations guard/groups guard/rewrite
guard/release           core pg aggregate budget guard/query guard/tree guard/admission guard/inner guard/relations guard/groups guard/rewrite guard/reuse
guard/hooks             core pg aggregate budget guard/query guard/tree guard/admission guard/unit_limit guard/inner guard/relations guard/groups guard/rewrite guard/release
guard/preview           core pg aggregate budget guard
top                     core pg aggregate budget guard
'

# The rule of each folder that there is. A quoted include that is not ours, and one in angle brackets that is neither of the
# standard library nor of Boost nor of the system (string.h, sys/...), is PostgreSQL's: only src/pg may name it.
include_rules() {
  find src -name '*.h' -o -name '*.cpp' | LC_ALL=C sort | xargs awk -v folders="$FOLDERS" '
    # The folder of a path below src/: the longest that is listed.
    function folder_of(path) {
      if (path !~ /\//) return "top"
      while (sub(/\/[^\/]*$/, "", path)) if (path in known) return path
      return path
    }
    function allowed(mine, theirs,  above) {
      if (mine == theirs || (mine, theirs) in may) return 1
      above = theirs
      return sub(/\/.*$/, "", above) && (mine, above) in may
    }
    BEGIN {
      for (count = split(folders, line, "\n"); count > 0; --count) {
        words = split(line[count], word, " ")
        if (words > 0) known[word[1]] = 1
        for (i = 2; i <= words; ++i) may[word[1], word[i]] = 1
      }
    }
    FNR == 1 { mine = folder_of(substr(FILENAME, 5)); seen[mine] = 1 }
    /^[ \t]*#[ \t]*include[ \t]*["<]/ {
      quoted = $0 ~ /include[ \t]*"/
      header = $0
      sub(/^[^"<]*["<]/, "", header)
      sub(/[">].*$/, "", header)
      theirs = quoted ? folder_of(header) : ""
      if (quoted && (theirs in known) && theirs != "top") wrong = !allowed(mine, theirs)
      else wrong = mine != "pg" && (quoted || header !~ /^([a-z0-9_]+|boost\/.*|sys\/.*|(unistd|string)\.h)$/)
      if (wrong) { print FILENAME ":" FNR ": " $0; broken[mine] = 1 }
    }
    END {
      for (folder in seen) {
        if (!(folder in known)) { print "src/" folder ": not in the list of folders (tools/lib/house_rules.sh)"; broken[folder] = 1 }
        print (folder in broken ? "rule broken: " : "rule kept: ") "src/" folder " includes only what it may"
      }
    }'
}

length_rule() {
  local long
  # What a released version was is a record, and so is the way from it.
  long=$(find src sql test tools -type f ! -path '*/upgrade/*' \( -name '*.h' -o -name '*.cpp' -o -name '*.sql' -o -name '*.sh' -o -name '*.py' \
    -o -path 'tools/*' ! -name '*.*' \) -exec awk -v most="$LONGEST_FILE" \
    'FNR == most + 1 { print FILENAME ": more than " most " lines" }' {} +)
  [[ -z $long ]] || printf '%s\n' "$long"
  echo "rule $([[ -z $long ]] && echo kept || echo broken): no file has more than $LONGEST_FILE lines"
}

cpp_files() {
  find src test -name '*.h' -o -name '*.cpp' | LC_ALL=C sort
}

# Each version of clang-format has habits of its own: the one that counts is Debian 12's.
format_rule() {
  local broken
  if ! clang-format --version 2>/dev/null | grep -q ' version 14\.'; then
    echo 'skipped: C++ is formatted (clang-format 14 is not here)'
    return
  fi
  broken=$(cpp_files | xargs -P "$(nproc)" -n 40 clang-format --dry-run -Werror 2>&1 | grep ': error:' | cut -d: -f1 | uniq || true)
  [[ -z $broken ]] || printf '%s: not formatted (clang-format -i)\n' $broken
  echo "rule $([[ -z $broken ]] && echo kept || echo broken): C++ is formatted by .clang-format"
}

# clang-format leaves comments as they are written.
comment_rule() {
  local long
  long=$(cpp_files | xargs grep -nE '^ *//.{119,}' || true)
  [[ -z $long ]] || printf '%s\n' "$long"
  echo "rule $([[ -z $long ]] && echo kept || echo broken): no comment is wider than 120 columns"
}

# Of two classes of one name in one namespace the linker keeps the functions of either. Where nothing was optimised, one called what
# was only declared, and took the server with it.
class_rule() {
  local twice
  twice=$(cpp_files | grep '^src/' | xargs awk '
    FNR == 1 { depth = 0; hidden = 0 }
    /^namespace / { ++depth; space[depth] = $2; if ($2 == "{") ++hidden }
    /^}  \/\/ namespace/ { if (space[depth] == "{") --hidden; --depth }
    /^(class|struct) [A-Za-z0-9_]+[^;]*[{]/ && !hidden { print space[depth] "::" $2, FILENAME }' |
    LC_ALL=C sort -u | awk '$1 == last { print $1 ": " file ", " $2 } { last = $1; file = $2 }')
  [[ -z $twice ]] || printf '%s\n' "$twice"
  echo "rule $([[ -z $twice ]] && echo kept || echo broken): no two classes of a namespace have one name"
}

# tree_rule PATTERN TITLE: nothing in the guard but src/guard/tree does what the pattern matches.
tree_rule() {
  local elsewhere
  elsewhere=$(grep -rnE "$1" src/guard --include='*.cpp' --include='*.h' | grep -vE '^src/guard/tree/|// ' || true)
  [[ -z $elsewhere ]] || printf '%s\n' "$elsewhere"
  echo "rule $([[ -z $elsewhere ]] && echo kept || echo broken): $2 in src/guard/tree alone"
}

tree_rules() {
  # A column that leads nowhere is read as another one.
  tree_rule '\b(makeVar|makeVarFromTargetEntry|makeWholeRowVar|ChangeVarNodes|OffsetVarNodes|IncrementVarSublevelsUp|ReplaceVarsFromTargetList|makeNode\((Var|RangeTblRef|JoinExpr)\))|->(varno|varattno|varlevelsup|varnosyn|varattnosyn) [-+]?= |(\+\+|--)[a-zA-Z_>-]+->var(no|attno|levelsup)' \
    'references to columns are made and moved'
  # What lies behind the end of a list is read as something else. (Of an aggregate's own arguments the place is counted where they are walked.)
  tree_rule '(^|[^_])\brt_fetch\(|list_nth_node\((TargetEntry|RangeTblEntry), [^,]*(targetList|rtable)|list_nth\([a-z_>.-]*(colnames|rtable|targetList)' \
    'entries are read by their numbers'
  # What others put there would be taken for a mark.
  tree_rule '(query|inner|subquery|question|shown|grouped|level)->queryId (=|==|!=) ' 'queries are marked'
}

# docs/architecture.md says of each folder what is in it, and draws those of the guard.
picture_rule() {
  local missing
  missing=$(find src -name '*.cpp' -printf '%h\n' | LC_ALL=C sort -u | while read -r folder; do
    [[ $folder == src || $folder == src/core/*/* ]] || grep -q "^| \`$folder\` |" docs/architecture.md ||
      echo "$folder: not in the table of docs/architecture.md"
    [[ $folder != src/guard/* ]] || sed -n '/^```mermaid/,/^```/p' docs/architecture.md | grep -qE "(^|[ &>])${folder#src/guard/}( |$)" ||
      echo "$folder: not in the picture of docs/architecture.md"
  done)
  [[ -z $missing ]] || printf '%s\n' "$missing"
  echo "rule $([[ -z $missing ]] && echo kept || echo broken): every folder of src/ is in docs/architecture.md"
}

LONGEST_PARAGRAPH=80

# Paragraphs, and points of lists, that are read in one go; tables and code are looked up.
paragraph_rule() {
  local long
  long=$(find README.md docs -name '*.md' | LC_ALL=C sort | xargs awk -v most="$LONGEST_PARAGRAPH" '
    function end() {
      if (words > most) print where ": a paragraph of " words " words, and " most " can be read in one go"
      words = 0
    }
    FNR == 1 { end(); code = 0; hidden = 0 }
    /^ *```/ { end(); code = !code; next }
    code { next }
    /^<!--/ { end(); hidden = 1 }
    hidden { if (/-->/) hidden = 0; next }
    /^ *$/ || /^ *\|/ || /^#/ { end(); next }
    /^ *([-*+]|[0-9]+\.) / { end() }
    { if (words == 0) where = FILENAME ":" FNR; words += NF }
    END { end() }')
  [[ -z $long ]] || printf '%s\n' "$long"
  echo "rule $([[ -z $long ]] && echo kept || echo broken): no paragraph of a page has more than $LONGEST_PARAGRAPH words"
}

# What users notice of a version: more is not read, and stands in the pages.
changelog_rule() {
  local long
  long=$(awk '
    function end() { if (points > 30) print "CHANGELOG.md: version " version " has " points " points, and 30 are read" }
    /^## / { end(); version = $2; points = 0 }
    /^- / { ++points }
    END { end() }' CHANGELOG.md)
  [[ -z $long ]] || printf '%s\n' "$long"
  echo "rule $([[ -z $long ]] && echo kept || echo broken): no version has more than 30 points in CHANGELOG.md"
}

# Each file in sql/ is in one schedule, once: what is in none would run for nobody, and pass.
schedule_rule() {
  local amiss
  amiss=$(
    { sed -n 's/^test://p' test/schedule test/schedule_slow | xargs -n1 && printf '%s\n' sql/*.sql | sed 's/^sql\///; s/\.sql$//'; } |
      LC_ALL=C sort | uniq -c | awk '$1 != 2 { print "sql/" $2 ".sql: in test/schedule or test/schedule_slow, once" }'
  )
  [[ -z $amiss ]] || printf '%s\n' "$amiss"
  echo "rule $([[ -z $amiss ]] && echo kept || echo broken): each SQL test is in a schedule"
}

# A database has an extension once: tests that make the same one there, as all of two servers do, are in no group together.
extension_rule() {
  local amiss
  amiss=$(sed -n 's/^test: *//p' test/schedule test/schedule_slow | while read -r group; do
    printf 'sql/%s.sql\n' $group | { xargs grep -ohE '^CREATE EXTENSION (postgres_fdw|dblink|file_fdw|hstore)\>|two_servers\.sql' || true; } |
      sed 's/two_servers\.sql/CREATE EXTENSION postgres_fdw/' | sort | uniq -d | sed "s|\$|: by two of the tests $group|"
  done)
  [[ -z $amiss ]] || printf '%s\n' "$amiss"
  echo "rule $([[ -z $amiss ]] && echo kept || echo broken): no two SQL tests beside each other make the same extension"
}

# A thing is said once: no hint of an error, as the tests expect it, begins with what the message says already, or has five words
# in a row of it. Names and expressions are no words.
said_once_rule() {
  local amiss
  amiss=$(awk '
    # Words with a blank around each; what is none stands as |, as does the end of a sentence.
    function words(text,  count, i, word, all) {
      all = " "
      for (count = split(tolower(text), word, " "); ++i <= count;) {
        if (word[i] ~ /^[a-z\047-]+[,.;:]?$/) all = all substr(word[i], 1, match(word[i], /[,.;:]?$/) - 1) (word[i] ~ /[.;:]$/ ? " | " : " ")
        else all = all "| "
      }
      return all
    }
    function repeated(text,  count, i, word, run) {
      count = split(words(text), word, " ")
      for (i = 1; i + 4 <= count; ++i) {
        run = " " word[i] " " word[i + 1] " " word[i + 2] " " word[i + 3] " " word[i + 4] " "
        if (run !~ /\|/ && index(words(message), run)) return run
      }
      return ""
    }
    /^(psql:[^ ]+ )?(ERROR|WARNING|NOTICE):  / { message = tolower($0); sub(/^(psql:[^ ]+ )?[a-z]+:  /, "", message) }
    /^HINT:  / {
      said = tolower(substr($0, 8))
      run = message == "" ? "" : repeated(said)
      sub(/[.;:] .*$|[.;:]$/, "", said)
      if (message != "" && index(message, said)) run = said
      if (run != "") print FILENAME ":" FNR ": the message says already: " run
      message = ""
    }
    /^(SELECT|CALL|\\)/ { message = "" }' expected/*.out)
  [[ -z $amiss ]] || printf '%s\n' "$amiss"
  echo "rule $([[ -z $amiss ]] && echo kept || echo broken): what a message says is not said again by its hint"
}

# What the versions of PostgreSQL call differently has one name, in src/pg, so that a build for one of them fits the others.
VERSIONED='PG_VERSION_NUM|get_op_(btree|index)_interpretation|RelationGetPrimaryKeyIndex|index_beginscan|pg_[a-z]+_ownercheck|pg_(proc|database|namespace)_aclcheck|rd_(node|locator)|ExecCheck(RTEPerms|OneRelPerms|Permissions)|flatten_join_alias_vars|ReplaceVarsFromTargetList|lc_collate_is_c|get_guc_variables|heap_delete|table_beginscan|numeric_[a-z]+_opt_error|date2timestamp(tz)?_opt_overflow|pg_plan_query|SysCacheIdentifier'
version_rule() {
  local asking
  asking=$(grep -rnwE "$VERSIONED" src --include='*.h' --include='*.cpp' | grep -v '^src/pg/' || true)
  [[ -z $asking ]] || printf '%s\n' "$asking"
  echo "rule $([[ -z $asking ]] && echo kept || echo broken): only src/pg knows what the versions of PostgreSQL call differently"
}

versions_rule() {
  local stale
  stale=$(tools/versions --stale || true)
  [[ -z $stale ]] || printf '%s\n' "$stale"
  echo "rule $([[ -z $stale ]] && echo kept || echo broken): the tables of versions are those of test/versions.tsv"
}

# What is released says in many places which version it is, and PGXN's META.json names files that are there.
release_rule() {
  local version amiss file
  version=$(sed -n "s/^default_version = '\(.*\)'/\1/p" pg_dp.control)
  amiss=$(
    grep -qx "version: $version" CITATION.cff || echo 'CITATION.cff'
    head -n 1 debian/changelog | grep -qF "pg-dp ($version-" || echo 'debian/changelog'
    grep -qx "Version: *$version" rpm/pg_dp.spec || echo 'rpm/pg_dp.spec'
    grep -qx "  \"version\": \"$version\"," META.json && grep -qF "\"pg_dp--$version.sql\"" META.json || echo 'META.json'
  )
  [[ -z $amiss ]] || printf '%s: not of version %s\n' "$(xargs <<<"$amiss")" "$version"
  for file in $(sed -nE 's/^ *"(control|doc)": "(.*)",?$/\2/p' META.json); do
    [[ -f $file ]] || { amiss=$file && echo "META.json: there is no $file"; }
  done
  echo "rule $([[ -z $amiss ]] && echo kept || echo broken): what is released has the version of pg_dp.control"
}

# A change of a comment is enough to disable a mutant.
mutant_rule() {
  local amiss
  if ! command -v python3 >/dev/null; then
    echo 'skipped: each mutant can be applied (python3 is not here)'
    return
  fi
  amiss=$(tools/mutants --fit || true)
  [[ -z $amiss ]] || printf '%s\n' "$amiss"
  echo "rule $([[ -z $amiss ]] && echo kept || echo broken): each mutant can be applied"
}

house_rules() {
  cd "$ROOT"
  include_rules
  length_rule
  version_rule
  versions_rule
  format_rule
  comment_rule
  class_rule
  tree_rules
  picture_rule
  paragraph_rule
  changelog_rule
  schedule_rule
  extension_rule
  said_once_rule
  release_rule
  mutant_rule
}
