# The pictures of docs/experiments.md: what papers have measured, measured again by SQL over the data of test/data. Sourced by tools/plots,
# after its own tools. The noise is fresh each time, so they differ a little.

# adult: SQL for the table of 48,842 people.
adult() {
  echo "\\set folder '$ROOT'"
  cat "$ROOT/test/support/adult.sql"
}

# P(|noise| <= gamma), computed and, of counts, found in the groups of Adult; what R2DP gains on Laplace, of the paper's two queries.
picture_paper_usefulness() {
  table paper_usefulness <<'SQL'
SELECT e, dp_usefulness('laplace', e, 0.05) AS "laplace, 0.05", dp_usefulness('r2dp(gamma=0.05)', e, 0.05) AS "r2dp, 0.05",
       dp_usefulness('laplace', e, 0.1) AS "laplace, 0.1", dp_usefulness('r2dp(gamma=0.1)', e, 0.1) AS "r2dp, 0.1",
       dp_usefulness('r2dp(gamma=0.05)', e, 0.05) / dp_usefulness('laplace', e, 0.05) AS "count, gamma 0.05",
       dp_usefulness('r2dp(gamma=0.1)', e, 0.1) / dp_usefulness('laplace', e, 0.1) AS "count, gamma 0.1",
       dp_usefulness('r2dp(gamma=0.05)', e, 0.05, 0.2) / dp_usefulness('laplace', e, 0.05, 0.2) AS "average, gamma 0.05",
       dp_usefulness('r2dp(gamma=0.1)', e, 0.1, 0.2) / dp_usefulness('laplace', e, 0.1, 0.2) AS "average, gamma 0.1"
FROM (SELECT round(e::numeric, 2)::float8 AS e FROM generate_series(0.2, 8, 0.2) AS e) AS eps ORDER BY e;
SQL
  table paper_usefulness_found < <(
    adult
    cat <<'SQL'
SELECT e, avg((abs(l - n) <= 0.05)::int) AS "laplace, 0.05, found", avg((abs(r - n) <= 0.05)::int) AS "r2dp, 0.05, found",
       avg((abs(l - n) <= 0.1)::int) AS "laplace, 0.1, found", avg((abs(q - n) <= 0.1)::int) AS "r2dp, 0.1, found"
FROM (SELECT count(*) AS n,
          ARRAY[dp_sum(1::float8, 0, 1, 1, 'laplace'), dp_sum(1::float8, 0, 1, 2, 'laplace'), dp_sum(1::float8, 0, 1, 3, 'laplace'),
                dp_sum(1::float8, 0, 1, 5, 'laplace'), dp_sum(1::float8, 0, 1, 8, 'laplace')] AS laplace,
          ARRAY[dp_sum(1::float8, 0, 1, 1, 'r2dp(gamma=0.05)'), dp_sum(1::float8, 0, 1, 2, 'r2dp(gamma=0.05)'), dp_sum(1::float8, 0, 1, 3, 'r2dp(gamma=0.05)'),
                dp_sum(1::float8, 0, 1, 5, 'r2dp(gamma=0.05)'), dp_sum(1::float8, 0, 1, 8, 'r2dp(gamma=0.05)')] AS r2dp_05,
          ARRAY[dp_sum(1::float8, 0, 1, 1, 'r2dp(gamma=0.1)'), dp_sum(1::float8, 0, 1, 2, 'r2dp(gamma=0.1)'), dp_sum(1::float8, 0, 1, 3, 'r2dp(gamma=0.1)'),
                dp_sum(1::float8, 0, 1, 5, 'r2dp(gamma=0.1)'), dp_sum(1::float8, 0, 1, 8, 'r2dp(gamma=0.1)')] AS r2dp_1
      FROM adult GROUP BY age, education, occupation) AS g,
     unnest(ARRAY[1, 2, 3, 5, 8], laplace, r2dp_05, r2dp_1) AS u(e, l, r, q) GROUP BY e ORDER BY e;
DROP TABLE adult;
SQL
  )
  draw paper_usefulness 860 400 <<'PLOT'
set multiplot layout 1,2
set key left top reverse Left
set xlabel "epsilon"
set xrange [0:8]
set title "a count is within 0.05, or 0.1"
plot for [i=2:5] T.'paper_usefulness.tsv' using 1:i with lines linetype (i-1), \
     for [i=2:5] T.'paper_usefulness_found.tsv' using 1:i with points linetype (i-1) pointsize 0.9 notitle
set title "R2DP over Laplace; dashed: where the paper has it gain"
set yrange [0.95:1.5]
set xrange [0:5]
set arrow from 1.2,0.95 to 1.2,1.5 nohead linetype 8
set arrow from 2.2,0.95 to 2.2,1.5 nohead linetype 8
set label "count, 1.2" at 1.15,1.3 right
set label "average, 2.2" at 2.15,1.45 right
set key below maxcols 2
plot for [i=6:9] T.'paper_usefulness.tsv' using 1:i with lines linetype (i-5)
unset multiplot
PLOT
}

# Trained on the first 45,000 people, tested on the others; two trainings at each epsilon.
picture_paper_bayes() {
  local e calls=
  for e in 0.001 0.003 0.01 0.03 0.1 0.3 1 3 10; do
    calls+=", dp_sum(1::float8, 0, 1, $e, 'laplace'), dp_sum(1::float8, 0, 1, $e, 'r2dp(gamma=0.1)')"
  done
  table paper_bayes < <(
    adult
    cat "$ROOT/test/support/bayes.sql"
    cat <<SQL
CREATE TEMP TABLE models AS
SELECT round, e, kind, attribute, value, rich, n
FROM (SELECT round, attribute, value, rich, ARRAY[${calls:2}] AS noisy, count(*) AS truth
      FROM facts, generate_series(1, 2) AS round WHERE training GROUP BY round, attribute, value, rich) AS c,
     LATERAL (SELECT (ARRAY[0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10])[(i + 1) / 2] AS e, (ARRAY['laplace', 'r2dp'])[(i - 1) % 2 + 1] AS kind, n
              FROM unnest(noisy) WITH ORDINALITY AS u(n, i) UNION ALL SELECT 0, 'none', truth) AS k;
SQL
    cat <<'SQL'
CREATE TEMP TABLE figures AS SELECT * FROM pg_temp.classified('models');
SELECT e, max(p) FILTER (WHERE kind = 'laplace') AS laplace, max(p) FILTER (WHERE kind = 'r2dp') AS "r2dp(gamma=0.1)",
       (SELECT avg(precise) FROM figures WHERE kind = 'none') AS "without noise",
       max(r) FILTER (WHERE kind = 'laplace') AS laplace, max(r) FILTER (WHERE kind = 'r2dp') AS "r2dp(gamma=0.1)",
       (SELECT avg(recalled) FROM figures WHERE kind = 'none') AS "without noise"
FROM (SELECT e, kind, avg(precise) AS p, avg(recalled) AS r FROM figures WHERE kind <> 'none' GROUP BY e, kind) AS f GROUP BY e ORDER BY e;
DROP TABLE adult;
SQL
  )
  draw paper_bayes 860 380 <<'PLOT'
set multiplot layout 1,2
set logscale x
set format x "%g"
set xrange [0.001:10]
set yrange [0.4:0.9]
set key right bottom
set xlabel "epsilon of each count"
set arrow from 0.1,0.4 to 0.1,0.9 nohead linetype 8
set label "the paper's range" at 0.11,0.7
set title "precision, both classes by their sizes"
plot for [i=2:3] T.'paper_bayes.tsv' using 1:i with linespoints linetype i-1, '' using 1:4 with lines linetype 8, 0.814 with lines linetype 6 title "the paper, without noise"
set title "recall, likewise"
plot for [i=5:6] T.'paper_bayes.tsv' using 1:i with linespoints linetype i-4, '' using 1:7 with lines linetype 8, 0.825 with lines linetype 6 title "the paper, without noise"
unset multiplot
PLOT
}

# The made-up circles of sql/paper_r2dp_recommendation.sql, eight rounds.
picture_paper_recommendation() {
  local e calls=
  for e in 0.1 0.3 1 2 3 5 8 10; do
    for m in laplace 'r2dp(gamma=0.1)' 'r2dp(gamma=0.2)' geometric; do
      if [[ $m == geometric ]]; then
        calls+=", dp_count(nullif(shared, false), $e, '$m')::float8 / nullif(dp_count('*', $e, '$m'), 0)"
      else
        calls+=", dp_sum(shared::int::float8, 0, 1, $e, '$m') / nullif(dp_sum(1::float8, 0, 1, $e, '$m'), 0)"
      fi
    done
  done
  table paper_recommendation < <(
    sed -n '/^CREATE TEMP TABLE people/,/^WHERE (a.id/p' "$ROOT/sql/paper_r2dp_recommendation.sql"
    cat <<SQL
CREATE TEMP TABLE figures AS
SELECT e, kind, threshold, count(*) FILTER (WHERE given AND wanted)::float8 / nullif(count(*) FILTER (WHERE given), 0) AS precision,
       count(*) FILTER (WHERE given AND wanted)::float8 / count(*) FILTER (WHERE wanted) AS recall
FROM (SELECT (ARRAY[0.1, 0.3, 1, 2, 3, 5, 8, 10])[(i + 3) / 4] AS e, (i - 1) % 4 AS kind, threshold, truth > threshold AS wanted, value > threshold AS given
      FROM (SELECT round, x, y, count(*) FILTER (WHERE shared)::float8 / count(*) AS truth, ARRAY[${calls:2}] AS noisy
            FROM neighbours, generate_series(1, 8) AS round GROUP BY round, x, y) AS c, unnest(noisy) WITH ORDINALITY AS u(value, i),
           unnest(ARRAY[0.505, 0.605, 0.705]) AS threshold) AS r
GROUP BY e, kind, threshold;
SQL
    cat <<'SQL'
SELECT e, max(precision) FILTER (WHERE kind = 0) AS laplace, max(precision) FILTER (WHERE kind = 1) AS "r2dp(gamma=0.1)", max(precision) FILTER (WHERE kind = 2) AS "r2dp(gamma=0.2)",
       max(precision) FILTER (WHERE kind = 3) AS geometric, max(recall) FILTER (WHERE kind = 0) AS laplace, max(recall) FILTER (WHERE kind = 1) AS "r2dp(gamma=0.1)",
       max(recall) FILTER (WHERE kind = 2) AS "r2dp(gamma=0.2)", max(recall) FILTER (WHERE kind = 3) AS geometric
FROM figures WHERE threshold = 0.505 GROUP BY e ORDER BY e;
SQL
  )
  draw paper_recommendation 860 380 <<'PLOT'
set multiplot layout 1,2
set logscale x
set format x "%g"
set xrange [0.1:10]
set yrange [0:1]
set key right bottom
set xlabel "epsilon of each count"
set title "precision of what is recommended"
plot for [i=2:5] T.'paper_recommendation.tsv' using 1:i with linespoints linetype i-1
set title "recall"
plot for [i=6:9] T.'paper_recommendation.tsv' using 1:i with linespoints linetype i-5
unset multiplot
PLOT
}

# distances COLUMN: SQL for a column of each kind of noise.
distances() {
  local m
  for m in laplace probabilistic 'order 3' classic approximate geometric; do
    printf ", max(%s) FILTER (WHERE kind = '%s') AS \"%s\"" "$1" "$m" "$m"
  done
}

# Both contingency tables, a hundred times at each epsilon, delta 0.01.
picture_paper_tables() {
  local e calls= m
  for e in 0.5 1 2; do
    for m in laplace 'gaussian(delta=0.01, definition=probabilistic)' 'gg(p=3, delta=0.01)' 'gaussian(delta=0.01, definition=classic)' 'gaussian(delta=0.01)' geometric; do
      [[ $m$e != *classic*2 ]] || m='gaussian(delta=0.01, definition=probabilistic)'
      calls+=", dp_histogram(cell, 0.5, 64.5, 64, $e, '$m')"
    done
  done
  table paper_tables < <(
    echo "\\set mildew '$ROOT/test/data/mildew.csv'"
    echo "\\set czech '$ROOT/test/data/czech.csv'"
    sed -n '/^CREATE TEMP TABLE cells/,/^CREATE TEMP TABLE originals/p' "$ROOT/sql/paper_gg_tables.sql"
    cat <<SQL
CREATE TEMP TABLE fitted AS
SELECT name, e, kind, round, n, truth, least(greatest(noisy, 0), n) * n::float8 / sum(least(greatest(noisy, 0), n)) OVER (PARTITION BY name, e, kind, round) AS fitted
FROM (SELECT name, round, (ARRAY[0.5, 1, 2])[(m + 5) / 6] AS e,
             (ARRAY['laplace', 'probabilistic', 'order 3', 'classic', 'approximate', 'geometric'])[(m - 1) % 6 + 1] AS kind, noisy, o.n, truths[c] AS truth, m
      FROM (SELECT name, round, ARRAY[${calls:2}] AS all_counts FROM units, generate_series(1, 100) AS round GROUP BY name, round) AS r JOIN originals AS o USING (name),
           generate_series(1, 18) AS m, generate_series(1, 64) AS c, LATERAL (SELECT all_counts[m][c] AS noisy) AS x) AS s;
SQL
    cat <<SQL
SELECT name, e$(distances l1)$(distances kl) FROM (
    SELECT name, e, kind, avg(l1) AS l1, avg(kl) AS kl FROM (
        SELECT name, e, kind, round, sum(abs(fitted - truth)) AS l1, sum((truth + 0.5) / (n + 32.0) * ln((truth + 0.5) / (fitted + 0.5))) AS kl
        FROM fitted GROUP BY name, e, kind, round) AS d WHERE NOT (kind = 'classic' AND e = 2) GROUP BY name, e, kind) AS m
GROUP BY name, e ORDER BY name, e;
SQL
  )
  draw paper_tables 860 760 <<'PLOT'
set multiplot layout 2,2
set logscale x
set xtics (0.5, 1, 2)
set xrange [0.4:2.5]
set key below maxcols 3
set xlabel "epsilon"
set yrange [0:*]
do for [name in "mildew czech"] {
  set title name.": l1 distance from the original"
  plot for [i=3:8] "< grep -E '^(name|".name.")' ".T."paper_tables.tsv" using 2:i with linespoints linetype (i-2)
  set title name.": Kullback-Leibler divergence"
  plot for [i=9:14] "< grep -E '^(name|".name.")' ".T."paper_tables.tsv" using 2:i with linespoints linetype (i-8)
}
unset multiplot
PLOT
}

# The occupied cells of the table of all attributes of Adult, and a classifier trained on them.
picture_paper_adult() {
  local e calls= m
  for e in 0.5 1 2; do
    for m in laplace 'gaussian(delta=0.01, definition=probabilistic)' 'gaussian(delta=0.01, definition=classic)'; do
      [[ $m$e != *classic*2 ]] || m='gaussian(delta=0.01, definition=probabilistic)'
      calls+=", dp_count('*', $e, '$m')"
    done
  done
  table paper_adult < <(
    adult
    cat <<SQL
DELETE FROM adult WHERE workclass IS NULL OR occupation IS NULL OR native_country IS NULL;
CREATE TEMP TABLE cells AS
SELECT age, education, marital_status, occupation, relationship, sex, capital_gain, hours_per_week, income, count(*) AS truth, ARRAY[${calls:2}] AS noisy
FROM adult WHERE split = 'train' GROUP BY age, workclass, education, marital_status, occupation, relationship, race, sex, capital_gain, capital_loss, hours_per_week, native_country, income;
SQL
    cat <<'SQL'
CREATE TEMP TABLE sanitized AS
SELECT c.*, e, kind, n, least(greatest(n, 0), 30162)::float8 AS weight
FROM cells AS c, LATERAL (SELECT (ARRAY[0.5, 1, 2])[(i + 2) / 3] AS e, (ARRAY['laplace', 'probabilistic', 'classic'])[(i - 1) % 3 + 1] AS kind, n FROM unnest(noisy) WITH ORDINALITY AS u(n, i)
                          UNION ALL SELECT 0, 'none', truth) AS k WHERE NOT (kind = 'classic' AND e = 2);
CREATE TEMP TABLE logs AS
SELECT e, kind, attribute, value, ln(greatest(sum(weight) FILTER (WHERE income = '>50K'), 0.5)) - ln(greatest(sum(weight) FILTER (WHERE income = '<=50K'), 0.5)) AS odds
FROM sanitized, LATERAL (VALUES ('', ''), ('age', (age / 5)::text), ('education', education), ('marital', marital_status), ('occupation', occupation),
    ('sex', sex), ('gain', (capital_gain > 5000)::text), ('hours', (hours_per_week / 10)::int::text)) f(attribute, value) GROUP BY e, kind, attribute, value;
ANALYZE logs;
CREATE TEMP TABLE accuracies AS
SELECT e, kind, avg((rich = (income = '>50K'))::int)::float8 AS accuracy FROM (
    SELECT e, kind, id, income, sum(odds) - 6 * max(prior) > 0 AS rich
    FROM adult, LATERAL (VALUES ('age', (age / 5)::text), ('education', education), ('marital', marital_status), ('occupation', occupation),
        ('sex', sex), ('gain', (capital_gain > 5000)::text), ('hours', (hours_per_week / 10)::int::text)) f(attribute, value)
    JOIN logs USING (attribute, value) JOIN (SELECT e, kind, odds AS prior FROM logs WHERE attribute = '') p USING (e, kind)
    WHERE split = 'test' GROUP BY e, kind, id, income) p GROUP BY e, kind;
SELECT e, max(l1) FILTER (WHERE kind = 'laplace') AS laplace, max(l1) FILTER (WHERE kind = 'probabilistic') AS probabilistic, max(l1) FILTER (WHERE kind = 'classic') AS classic,
       max(accuracy) FILTER (WHERE kind = 'laplace') AS laplace, max(accuracy) FILTER (WHERE kind = 'probabilistic') AS probabilistic, max(accuracy) FILTER (WHERE kind = 'classic') AS classic,
       (SELECT accuracy FROM accuracies WHERE kind = 'none') AS "without noise"
FROM (SELECT e, kind, avg(abs(n - truth)) AS l1 FROM sanitized GROUP BY e, kind) AS d JOIN accuracies USING (e, kind) WHERE kind <> 'none' GROUP BY e ORDER BY e;
DROP TABLE adult;
SQL
  )
  draw paper_adult 860 380 <<'PLOT'
set multiplot layout 1,2
set logscale x
set xtics (0.5, 1, 2)
set xrange [0.4:2.5]
set xlabel "epsilon"
set yrange [0:*]
set title "mean distance of a cell from the original"
plot for [i=2:4] T.'paper_adult.tsv' using 1:i with linespoints linetype i-1
set yrange [0.8:0.86]
set title "share of 15,060 others that is classified rightly"
plot for [i=5:7] T.'paper_adult.tsv' using 1:i with linespoints linetype i-4, '' using 1:8 with lines linetype 8
unset multiplot
PLOT
}
