# TPC-H's questions as tools/tpch and tools/bench ask them. Sourced; needs tools/lib/common.sh.

# In the current database: the tables at that scale, and what is declared of them.
make_tpch() {
  sql -c 'CREATE EXTENSION IF NOT EXISTS pg_dp'
  sql -v "scale=$1" -f "$ROOT/tools/tpch-data.sql"
  sql -o /dev/null -f "$ROOT/tools/tpch-policy.sql"
}

# each_question FUNCTION: calls it with the number, the name and the text of each question.
each_question() {
  local line number='' name='' text=''
  while IFS= read -r line; do
    if [[ $line =~ ^--\ ([0-9]+)\ (.*)$ ]]; then
      [[ -z $number ]] || "$1" "$number" "$name" "$text"
      number=${BASH_REMATCH[1]} name=${BASH_REMATCH[2]} text=''
    elif [[ -n $number ]]; then
      text+=$line$'\n'
    fi
  done <"$ROOT/tools/tpch-queries.sql"
  "$1" "$number" "$name" "$text"
}
