# The rules of the house, one test each: arrows between the folders of src/ point down only, PostgreSQL's headers come in
# through src/pg alone, no file is long. Sourced by tools/check; house_rules prints the offences and one line
# "rule broken: ..." or "rule kept: ..." for each rule.

LONGEST_FILE=420

# What each layer may include. In src/aggregate the files *_sql.* are the layer aggregate (bindings to PostgreSQL), the others
# the layer accumulators (pure); src/init.cpp is the layer top.
LAYERS='
noise         noise
mechanism     noise mechanism
accumulators  noise mechanism accumulators
pg            noise mechanism pg
aggregate     noise mechanism accumulators aggregate pg
planning      noise mechanism accumulators planning pg
total         noise mechanism pg total
budget        noise mechanism accumulators aggregate budget pg
guard         noise mechanism accumulators aggregate planning budget guard pg total
top           noise mechanism accumulators aggregate planning budget guard pg total
'

# The rule of each layer that there is. A quoted include that is not ours, and one in angle brackets that is neither of the
# standard library nor of Boost nor of the system (string.h, sys/...), is PostgreSQL's.
include_rules() {
  find src -name '*.h' -o -name '*.cpp' | LC_ALL=C sort | xargs awk -v layers="$LAYERS" '
    function layer_of(path) {
      if (path !~ /\//) return "top"
      split(path, part, "/")
      if (part[1] == "aggregate" && path !~ /_sql\.(h|cpp)$/) return "accumulators"
      return part[1]
    }
    BEGIN {
      for (count = split(layers, line, "\n"); count > 0; --count) {
        words = split(line[count], word, " ")
        if (words > 0) known[word[1]] = 1
        for (i = 2; i <= words; ++i) may[word[1], word[i]] = 1
      }
    }
    FNR == 1 { mine = layer_of(substr(FILENAME, 5)); seen[mine] = 1 }
    /^[ \t]*#[ \t]*include[ \t]*["<]/ {
      quoted = $0 ~ /include[ \t]*"/
      header = $0
      sub(/^[^"<]*["<]/, "", header)
      sub(/[">].*$/, "", header)
      theirs = quoted ? layer_of(header) : ""
      if (quoted && (theirs in known) && theirs != "top") wrong = !((mine, theirs) in may)
      else wrong = mine != "pg" && (quoted || header !~ /^([a-z0-9_]+|boost\/.*|sys\/.*|(unistd|string)\.h)$/)
      if (wrong) { print FILENAME ":" FNR ": " $0; broken[mine] = 1 }
    }
    END {
      for (layer in seen) {
        if (!(layer in known)) { print "src/" layer ": not in the list of layers (tools/lib/house_rules.sh)"; broken[layer] = 1 }
        print (layer in broken ? "rule broken: " : "rule kept: ") layer " includes only what it may"
      }
    }'
}

length_rule() {
  local long
  long=$(find src sql test tools -type f \( -name '*.h' -o -name '*.cpp' -o -name '*.sql' -o -name '*.sh' -o -name '*.py' \
    -o -path 'tools/*' ! -name '*.*' \) -exec awk -v most="$LONGEST_FILE" \
    'FNR == most + 1 { print FILENAME ": more than " most " lines" }' {} +)
  [[ -z $long ]] || printf '%s\n' "$long"
  echo "rule $([[ -z $long ]] && echo kept || echo broken): no file has more than $LONGEST_FILE lines"
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

house_rules() {
  cd "$ROOT"
  include_rules
  length_rule
  schedule_rule
}
