# The pictures of tools/plots that are made of real answers about the hospital of tools/demo. Sourced by it, after its own tools.

picture_private_and_true() {
  table private_and_true <<'SQL'
SELECT week, exact, answer, i.lower, i.upper
FROM (SELECT 1 + (admitted - '2024-01-01') / 7 AS week, dp_count('*', 0.2) AS answer, count(*) AS exact FROM visits
      WHERE ward = 'oncology' AND admitted BETWEEN '2024-01-01' AND '2024-06-30' GROUP BY week) AS t,
     dp_interval(answer, 'auto', 0.2) AS i
ORDER BY week;
SQL
  draw private_and_true 760 340 <<'PLOT'
set xlabel "week of 2024"
set ylabel "admissions to oncology"
set yrange [0:*]
set xrange [0:27]
set boxwidth 0.7
set style fill solid 0.5 noborder
set key outside top center horizontal
plot T.'private_and_true.tsv' using 1:2 with boxes linecolor rgb '#bbccdd' title "exact", \
     '' using 1:3:4:5 with yerrorbars linetype 2 linewidth 1.5 pointsize 0.7 title "private at epsilon 0.2, with its 95 % interval"
PLOT
}

# One path for each ward: the noise left at each level that was paid for.
picture_relaxation() {
  table relaxation <<'SQL'
\o /dev/null
CREATE TABLE admissions AS SELECT ward FROM visits WHERE ward <> 'transplants';
ALTER TABLE admissions ALTER ward SET NOT NULL;
SELECT dp.protect('admissions', 10), dp.public_values('admissions', 'ward', ARRAY(SELECT DISTINCT ward FROM admissions));
SELECT ward, dp_count('*', 0.05) FROM admissions GROUP BY ward;
CREATE TEMP TABLE path AS SELECT r.epsilon, group_key ->> 'ward' AS ward, answer::numeric AS answer
FROM unnest(ARRAY[0.05, 0.1, 0.2, 0.4, 0.8, 1.6]) AS level, dp_relax_release(dp_last_release(), level) AS r;
SELECT dp.unprotect('admissions');
SET dp.allow_drop = on;
\o
SELECT t.epsilon, n[1], n[2], n[3], n[4], n[5], n[6], n[7], d.interval95, -d.interval95
FROM (SELECT epsilon, array_agg(answer - exact ORDER BY ward) AS n
      FROM path JOIN (SELECT ward, count(*) AS exact FROM admissions GROUP BY ward) AS t USING (ward) GROUP BY epsilon) AS t,
     dp_describe('geometric', t.epsilon, 1, true) AS d
ORDER BY t.epsilon;
DROP TABLE admissions;
SQL
  draw relaxation 660 400 <<'PLOT'
set logscale x
set xtics (0.05, 0.1, 0.2, 0.4, 0.8, 1.6)
set xrange [0.05:1.6]
set xlabel "epsilon paid so far, in all"
set ylabel "noise left in the count of each ward"
plot T.'relaxation.tsv' using 1:9:10 with filledcurves linecolor rgb '#e8eef4' title "95 of 100 fresh answers", \
     for [i=2:8] '' using 1:i with linespoints linetype i-1 title (i == 2 ? "one release, relaxed five times" : "")
PLOT
}

# calls AGGREGATE ARGUMENTS: 20 draws at epsilon 1 as an array; the same call twice would be one draw, so they differ in the ninth decimal.
calls() {
  local i all=
  for ((i = 0; i < 20; ++i)); do all+=$(printf ', %s(%s, 1.%09d)' "$1" "$2" "$i"); done
  echo "ARRAY[${all:2}]::float8[]"
}

# The total of all costs, with a patient hidden: pg_dp uses all visits of a patient and limits what they add up to; plain bounding keeps
# k visits of each patient, chosen at random, under noise of the same size. tools/unit-error measures more.
picture_units() {
  local k round
  {
    echo "CREATE TABLE stays AS SELECT patient_id, cost FROM visits WHERE cost IS NOT NULL;"
    echo "ALTER TABLE stays ALTER patient_id SET NOT NULL; ANALYZE stays; SET dp.keep_releases = 0;"
    echo "CREATE TABLE answer (ours boolean, k int, value float8);"
    for k in 1 2 3 5 8 12 20; do
      echo "SELECT dp.protect('stays', 1e9, privacy_unit => 'patient_id', max_rows_per_unit => $k) \\g /dev/null"
      for round in 1 2; do
        echo "INSERT INTO answer SELECT true, $k, unnest($(calls dp_sum 'cost, 0, 50000')) FROM stays;"
        echo "INSERT INTO answer SELECT false, $k, unnest(a) FROM (SELECT $(calls dp_sum "cost, 0, $((k * 50000))") AS a FROM (SELECT
              sum(least(cost, 50000)) AS cost FROM (SELECT *, row_number() OVER (PARTITION BY patient_id ORDER BY random()) AS place FROM visits
              WHERE cost IS NOT NULL) AS v WHERE place <= $k GROUP BY patient_id) AS u) AS t;"
      done
    done
  } | sql
  table units <<'SQL'
SELECT k, max(e) FILTER (WHERE NOT ours) AS "plain bounding: k visits of each patient", max(e) FILTER (WHERE ours) AS "pg_dp: all visits, k bounds at most",
       max(k * 50000 * 2 ^ 0.5) AS "noise alone"
FROM (SELECT k, ours, sqrt(avg((value - exact) ^ 2)) AS e
      FROM answer, (SELECT sum(least(cost, 50000)) AS exact FROM stays) AS t GROUP BY k, ours) AS t
GROUP BY k ORDER BY k;
\o /dev/null
SELECT dp.unprotect('stays');
SET dp.allow_drop = on;
DROP TABLE stays, answer;
SQL
  draw units 660 400 <<'PLOT'
set logscale xy
set xtics (1, 2, 3, 5, 8, 12, 20)
set xrange [1:20]
set xlabel "limit k, rows of a patient"
set ylabel "root mean square error of the sum, millions"
set yrange [0.05:600]
plot for [i=2:3] T.'units.tsv' using 1:(column(i) / 1e6) with linespoints linetype 4-i, '' using 1:($4 / 1e6) with lines linetype 8
PLOT
}

# 300 answers for each point, about a table of 60, 57, 55, 50 and 40 rows of five categories, and about 201 numbers.
picture_choice() {
  local e
  {
    echo "CREATE TABLE votes AS SELECT c FROM unnest(ARRAY['a', 'b', 'c', 'd', 'e'], ARRAY[60, 57, 55, 50, 40]) AS t(c, n), generate_series(1, n);"
    echo "CREATE TABLE numbers AS SELECT v FROM generate_series(0, 200) AS v;"
    echo "CREATE TABLE answer (e float8, pf boolean, mode float8, median float8);"
    for e in 0.05 0.1 0.2 0.4 0.8 1.6; do
      for m in exponential permute_and_flip; do
        echo "INSERT INTO answer SELECT $e, '$m' = 'permute_and_flip', 60 - (ARRAY[60, 57, 55, 50, 40])[ascii(c) - 96], abs(v - 100)
              FROM (SELECT i, dp_mode(c, ARRAY['a', 'b', 'c', 'd', 'e'], $e, '$m') AS c FROM votes, generate_series(1, 300) AS i GROUP BY i) AS x
                   JOIN (SELECT i, dp_median(v, 0, 200, $e, '$m') AS v FROM numbers, generate_series(1, 300) AS i GROUP BY i) AS y USING (i);"
      done
    done
  } | sql
  table choice <<'SQL'
SELECT e, avg(mode) FILTER (WHERE NOT pf) AS exponential, avg(mode) FILTER (WHERE pf) AS permute_and_flip,
       avg(median) FILTER (WHERE NOT pf) AS exponential, avg(median) FILTER (WHERE pf) AS permute_and_flip
FROM answer GROUP BY e ORDER BY e;
DROP TABLE votes, numbers, answer;
SQL
  draw choice 860 360 <<'PLOT'
set multiplot layout 1,2
set logscale x
set xtics (0.05, 0.1, 0.2, 0.4, 0.8, 1.6)
set xrange [0.05:1.6]
set yrange [0:*]
set xlabel "epsilon"
set title "dp_mode: rows behind the most frequent category"
plot for [i=2:3] T.'choice.tsv' using 1:i with linespoints
set title "dp_median of 201 numbers: rows from the middle one"
plot for [i=4:5] T.'choice.tsv' using 1:i with linespoints linetype i-3
unset multiplot
PLOT
}

# Charts of 2,000 visits, 400 answers to each at the same price in all: each aggregate by itself at its share, and all from one release.
picture_one_release() {
  {
    echo "CREATE TABLE few AS SELECT cost FROM visits WHERE cost IS NOT NULL ORDER BY visit_id LIMIT 2000;"
    echo "CREATE TABLE answer (chart int, part text, together boolean, value float8);"
    echo "INSERT INTO answer SELECT 1, p.part, p.together, p.value FROM
          (SELECT dp_count('*', 0.1) AS n, dp_sum(cost, 0, 50000, 0.1) AS sum, dp_avg(cost, 0, 50000, 0.1) AS avg, dp_totals(cost, 0, 50000, 0.3) AS t
           FROM few, generate_series(1, 400) AS i GROUP BY i) AS a, LATERAL (VALUES ('count', false, n), ('sum', false, sum), ('avg', false, avg),
           ('count', true, (t).rows), ('sum', true, (t).sum), ('avg', true, (t).avg)) AS p(part, together, value);"
    echo "INSERT INTO answer SELECT 2, p.part, p.together, p.value FROM
          (SELECT dp_count('*', 0.075) AS n, dp_sum(cost, 0, 50000, 0.075) AS sum, dp_avg(cost, 0, 50000, 0.075) AS avg,
                  dp_stddev(cost, 0, 50000, 0.075) AS stddev, dp_moments(cost, 0, 50000, 0.3) AS t
           FROM few, generate_series(1, 400) AS i GROUP BY i) AS a, LATERAL (VALUES ('count', false, n), ('sum', false, sum), ('avg', false, avg),
           ('stddev', false, stddev), ('count', true, (t).rows), ('sum', true, (t).sum), ('avg', true, (t).avg),
           ('stddev', true, (t).stddev)) AS p(part, together, value);"
  } | sql
  table one_release <<'SQL'
SELECT row_number() OVER (ORDER BY chart, place) AS bar, part, round(max(error) FILTER (WHERE NOT together), 3) AS "each by itself",
       round(max(error) FILTER (WHERE together), 3) AS "one release"
FROM (SELECT chart, part, together, place, (100 * avg(abs(value - exact)) / exact)::numeric AS error
      FROM answer JOIN (SELECT 1 AS place, 'count' AS part, count(*)::float8 AS exact FROM few UNION ALL
                        SELECT 2, 'sum', sum(least(cost, 50000)) FROM few UNION ALL SELECT 3, 'avg', avg(least(cost, 50000)) FROM few UNION ALL
                        SELECT 4, 'stddev', stddev(least(cost, 50000)) FROM few) AS e USING (part)
      GROUP BY chart, part, together, place, exact) AS t
GROUP BY chart, part, place ORDER BY 1;
\o /dev/null
DROP TABLE few, answer;
SQL
  draw one_release 760 360 <<'PLOT'
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.7 noborder
set key left top reverse Left
set yrange [0:*]
set ylabel "mean error, % of what is exact"
set xlabel "count, sum and avg at epsilon 0.3 in all;                       with stddev at epsilon 0.3 in all"
plot T.'one_release.tsv' using 3:xtic(2) linetype 2, '' using 4 linetype 1
PLOT
}

# Sums and counts for which nobody has chosen a limit, 40 answers for each bar; tools/utility measures more.
picture_utility() {
  local law e i what all
  sql -f "$ROOT/tools/utility.sql"
  for law in 1 2 3 4 5; do
    what="dp_count('*'"
    ((law > 3)) || what="dp_sum(total, 0, 'infinity'"
    for e in 0.1 1; do
      all=
      for ((i = 0; i < 40; ++i)); do all+=$(printf ', %s, %s)' "$what" "$(awk -v i="$i" -v e="$e" 'BEGIN { printf "%.12f", e * (1 + i * 1e-8) }')"); done
      echo "INSERT INTO law_answer SELECT $law, $e, unnest(ARRAY[${all:2}]::float8[]) FROM law$law;"
    done
  done | sql
  table utility <<'SQL'
SELECT row_number() OVER (ORDER BY law, e) AS bar, format(E'%s\\n%s\\nε = %s', replace(replace(name, ', 5 in the mean', E'\\nmean 5'), 'normal(', E'normal\\n('), people, e) AS law,
       best_in_hindsight(law, e) AS "best limit in hindsight", error AS "pg_dp: nothing declared", r2t AS "R2T"
FROM laws JOIN (SELECT law, e, (xpath('/row/s/text()', query_to_xml(format('SELECT sum(%s) AS s FROM law%s',
                    (SELECT total FROM laws AS l WHERE l.law = a.law LIMIT 1), law), false, true, '')))[1]::text::float8 AS exact, array_agg(value) AS answers
                FROM law_answer AS a GROUP BY law, e) AS a USING (law, e),
     LATERAL (SELECT 100 * sqrt(avg(((value - exact) / exact) ^ 2)) AS error FROM unnest(answers) AS value) AS x
ORDER BY 1;
\o /dev/null
SELECT dp.unprotect('law1'), dp.unprotect('law2'), dp.unprotect('law3'), dp.unprotect('law4'), dp.unprotect('law5');
SET dp.allow_drop = on;
DROP TABLE law1, law2, law3, law4, law5, laws, law_answer;
DROP FUNCTION best_in_hindsight;
SQL
  draw utility 900 430 <<'PLOT'
set bmargin 5.5
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.7 noborder
set logscale y
set yrange [0.005:100]
set format y "%g %%"
set key top right horizontal
set ylabel "root mean square error"
set xtics font ",10"
plot T.'utility.tsv' using 3:xtic(2) linetype 3, '' using 4 linetype 1, '' using 5 linetype 2
PLOT
}

# The table that tools/utility has measured, as it stands in docs/utility.md.
picture_ten_questions() {
  awk -F ' *[|] *' -v OFS='\t' '
    BEGIN { print "question", "nothing declared", "ranges declared", "the best of seven limits", "the worst of them" }
    /^## / { here = $0 == "## Ten questions" }
    here && /^\| [^-q]/ { gsub(/ by /, "\\nby ", $2); gsub(/ of /, "\\nof ", $2); print $2, $3, $4, $5, $7 }' \
    "$ROOT/docs/utility.md" >"$DATA/ten_questions.tsv"
  draw ten_questions 900 430 <<'PLOT'
set bmargin 5.5
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.7 noborder
set logscale y
set yrange [0.005:1000]
set format y "%g %%"
set key top right horizontal
set ylabel "median error"
set xtics font ",10"
plot T.'ten_questions.tsv' using 2:xtic(1) linetype 1, '' using 3 linetype 6, '' using 4 linetype 3, '' using 5 linetype 2
PLOT
}

# Four dashboards a day, each of 17 counts of epsilon 0.01, or of Gaussian ones that are as far off, until they are refused.
picture_year() {
  table year <<'SQL'
SET client_min_messages = error;
CREATE TABLE pure AS SELECT visit_id % 17 AS n FROM visits LIMIT 1000;
CREATE TABLE renyi AS TABLE pure;
CREATE TABLE gaussian AS TABLE pure;
CREATE TEMP TABLE spent (day int, relation text, epsilon numeric);
DO $$
DECLARE
    page text[] := ARRAY(SELECT string_agg(format($q$dp_count('*', %s) FILTER (WHERE n >= %s)$q$, price, n), ', ')
        FROM unnest(ARRAY['0.01', '0.00707, ''gaussian''']) WITH ORDINALITY AS p (price, law), generate_series(0, 16) AS n GROUP BY law ORDER BY law);
    tables regclass[] := '{pure,renyi,gaussian}';
    open regclass[] := tables;
    asked regclass;
BEGIN
    PERFORM dp.protect(t, 10, 1e-6, accountant => CASE t::text WHEN 'pure' THEN 'pure' ELSE 'renyi' END,
        conversion_delta => CASE t::text WHEN 'pure' THEN NULL ELSE 1e-6 END) FROM unnest(tables) AS t;
    FOR day IN 0..365 LOOP
        INSERT INTO spent SELECT day, table_name, epsilon_limit - epsilon_left FROM dp.budgets WHERE relation = ANY (open);
        FOREACH asked IN ARRAY open LOOP
            BEGIN
                FOR dashboard IN 1..4 LOOP
                    EXECUTE format('SELECT %s FROM %s', page[CASE asked::text WHEN 'gaussian' THEN 2 ELSE 1 END], asked);
                END LOOP;
            EXCEPTION WHEN SQLSTATE 'DP001' THEN
                open := array_remove(open, asked);
            END;
        END LOOP;
    END LOOP;
END
$$;
SELECT day, max(epsilon) FILTER (WHERE relation = 'pure') AS "pure", max(epsilon) FILTER (WHERE relation = 'renyi') AS "renyi, laplace",
    max(epsilon) FILTER (WHERE relation = 'gaussian') AS "renyi, gaussian" FROM spent GROUP BY day ORDER BY day;
\o /dev/null
SELECT dp.unprotect('pure'), dp.unprotect('renyi'), dp.unprotect('gaussian');
SET dp.allow_drop = on;
DROP TABLE pure, renyi, gaussian;
SQL
  draw year 760 360 <<'PLOT'
set xrange [0:365]
set yrange [0:10.5]
set xtics 30
set key right bottom reverse Left
set xlabel "day"
set ylabel "epsilon that is not left"
plot for [i=2:4] T.'year.tsv' using 1:i with lines, 10 with lines linetype 8 title "the budget"
PLOT
}

# Visits by year and ward at every level, asked many times: how far the answers are off, and those that are made to add up.
picture_consistent() {
  table consistent <<'SQL'
\o /dev/null
CREATE TABLE stays AS SELECT extract(year FROM admitted)::int AS year, ward FROM visits WHERE ward <> 'transplants';
ALTER TABLE stays ALTER year SET NOT NULL, ALTER ward SET NOT NULL;
SELECT dp.protect('stays', 1000), dp.declare_range('stays', 'year', 2020, 2024),
  dp.public_values('stays', 'ward', ARRAY(SELECT DISTINCT ward FROM stays));
SET dp.keep_releases = 0;
CREATE TEMP TABLE exact AS SELECT year, ward, count(*) AS n FROM stays GROUP BY CUBE (year, ward);
CREATE TEMP TABLE answer (level int, year int, ward text, before bigint, after bigint, error float8, error_after float8);
DO $$ BEGIN FOR i IN 1 .. 200 LOOP
  INSERT INTO answer SELECT level, year, ward, n, dp_consistent(n, error, level, year, ward) OVER (), error, dp_consistent_error(n, error, level, year, ward) OVER ()
  FROM (SELECT GROUPING(year, ward) AS level, year, ward, dp_count('*', 0.1) AS n, dp_error(dp_count('*', 0.1)) AS error FROM stays GROUP BY CUBE (year, ward)) AS v;
END LOOP; END $$;
SELECT dp.unprotect('stays');
SET dp.allow_drop = on;
DROP TABLE stays;
\o
SELECT (ARRAY['year and ward', 'year', 'ward', 'all'])[level + 1] AS level, sqrt(avg((before - n) ^ 2)) AS "as answered",
  sqrt(avg((after - n) ^ 2)) AS "made to add up", avg((abs(before - n) <= error)::int) AS inside_before, avg((abs(after - n) <= error_after)::int) AS inside_after,
  max(error) AS error, max(error_after) AS error_after
FROM answer JOIN exact ON answer.year IS NOT DISTINCT FROM exact.year AND answer.ward IS NOT DISTINCT FROM exact.ward GROUP BY answer.level ORDER BY answer.level;
SQL
  draw consistent 660 340 <<'PLOT'
set style data histograms
set style histogram clustered gap 1.5
set style fill solid 0.8 noborder
set yrange [0:17]
set ylabel "error of a count at epsilon 0.1 (root mean square)"
set key outside top center horizontal
plot T.'consistent.tsv' using 2:xtic(1) linecolor rgb '#999999', '' using 3 linecolor rgb '#0072B2', \
     '' using ($0-0.18):2:(sprintf("%.1f", $2)) with labels offset 0,0.7 notitle, '' using ($0+0.22):3:(sprintf("%.1f", $3)) with labels offset 0,0.7 notitle

# Answers about nobody, whose exact counts are all 0, 100 for each point; and the ages of one ward at a small epsilon.
picture_cumulative() {
  sql <<'SQL'
CREATE FUNCTION by_histogram(buckets int) RETURNS float8 LANGUAGE sql AS $$ SELECT sqrt(avg(n ^ 2)) FROM (SELECT sum(n) OVER (PARTITION BY i ORDER BY place)::float8 AS n
    FROM (SELECT i, dp_histogram(NULL, 0, 1, buckets, 1) AS h FROM generate_series(1, 100) AS i GROUP BY i) AS t, unnest(h) WITH ORDINALITY AS u(n, place)) AS s $$;
CREATE FUNCTION by_curve(buckets int, mechanism dp_mechanism) RETURNS float8 LANGUAGE sql AS $$ SELECT sqrt(avg(n::float8 ^ 2))
    FROM (SELECT unnest((dp_cumulative(NULL, 0, 1, buckets, 1, mechanism)).counts) AS n FROM generate_series(1, 100) AS i GROUP BY i) AS t $$;
CREATE TABLE curve AS SELECT dp_cumulative(age, 0, 110, 110, 0.03, 'gaussian') AS c, dp_histogram(age, 0, 110, 110, 0.03) AS h FROM visits WHERE ward = 'oncology' AND admitted >= '2024-07-01';
SQL
  table cumulative_errors <<'SQL'
SELECT n, by_histogram(n) AS "dp_histogram, added up", by_curve(n, 'auto') AS "dp_cumulative by a tree", by_curve(n, 'gaussian') AS "dp_cumulative by a root"
FROM unnest(ARRAY[8, 16, 32, 64, 128, 256, 512, 1024]) AS n;
SQL
  table cumulative_curve <<'SQL'
SELECT value, count, count - error, count + error, added, (SELECT count(*) FROM visits WHERE ward = 'oncology' AND admitted >= '2024-07-01' AND age < value) AS exact
FROM curve, dp_cumulative_points(c) WITH ORDINALITY AS p(value, count, share, error, place), LATERAL (SELECT sum(n) AS added FROM unnest(h[:place]) AS n) AS s ORDER BY value;
\o /dev/null
DROP TABLE curve;
DROP FUNCTION by_histogram, by_curve;
SQL
  draw cumulative 900 380 <<'PLOT'
set multiplot layout 1,2
set logscale x 2
set xrange [8:1024]
set yrange [0:32]
set key left top reverse Left
set xlabel "buckets"
set title "root mean square error of a running total, epsilon 1"
plot T.'cumulative_errors.tsv' using 1:2 with linespoints linetype 2, '' using 1:3 with linespoints linetype 1, '' using 1:4 with linespoints linetype 3
unset logscale
set xrange [0:110]
set yrange [*:*]
set xlabel "age"
set title "admissions of patients below an age, epsilon 0.03"
plot T.'cumulative_curve.tsv' using 1:3:4 with filledcurves linecolor rgb '#dde6ee' title "dp_cumulative by a root, 95 %", '' using 1:5 with lines linetype 2 linewidth 1.2 title "dp_histogram, added up", \
     '' using 1:2 with lines linetype 3 title "dp_cumulative by a root", '' using 1:6 with lines linetype 8 title "exact"
unset multiplot
PLOT
}

# Visits by age and length, as they are and at a small epsilon, with shades by the logarithm; the noise hides cells of a few visits.
picture_heat_map() {
  table heat_map <<'SQL'
SELECT 5 * i - 2.5 AS age, 2 * j - 1 AS days, log(greatest(coalesce(n, 0), 1)) AS exact, log(greatest(cells[i][j], 1)) AS private
FROM (SELECT dp_histogram(age, days, 0, 110, 22, 0, 40, 20, 0.1) AS cells FROM visits WHERE ward = 'orthopedics') AS answer,
     generate_series(1, 22) AS i CROSS JOIN generate_series(1, 20) AS j
     LEFT JOIN (SELECT age / 5 + 1 AS i, days / 2 + 1 AS j, count(*) AS n FROM visits WHERE ward = 'orthopedics' AND age < 110 AND days < 40 GROUP BY 1, 2) AS exact USING (i, j)
ORDER BY age, days;
SQL
  draw heat_map 860 360 <<'PLOT'
set multiplot layout 1,2
unset key
unset grid
set palette defined (0 '#f4f7fa', 1 '#9ecae1', 2 '#0072B2', 3 '#08306b')
set cbrange [0:3]
set cbtics ("1" 0, "10" 1, "100" 2, "1,000" 3)
set xrange [0:110]
set yrange [0:40]
set xlabel "age"
set ylabel "days"
set title "visits to orthopedics, exact"
plot T.'heat_map.tsv' using 1:2:3 with image pixels
set title "dp_histogram of two columns, epsilon 0.1"
plot T.'heat_map.tsv' using 1:2:4 with image pixels
unset multiplot
PLOT
}
