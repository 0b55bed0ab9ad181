// Whole weird statements: questions, and what writes their answers somewhere.
#pragma once

#include "support/weird_levels.h"

namespace dp::test {

// Two columns, a number and a text, of any query.
inline std::string weird_pair(Weird& weird, const WeirdQuery& query) {
  const std::string alias = weird.name("s");
  const WeirdColumns seen = Weird::named(alias, query.columns);
  return "SELECT " + weird.value('i', seen, 0) + " AS x, " + weird.value('t', seen, 0) + " AS y FROM (" + query.text +
         ") " + alias;
}

inline std::string weird_write(Weird& weird, const WeirdQuery& query) {
  const std::string rows = weird_pair(weird, query);
  weird.writes = true;
  switch (weird.below(9)) {
    case 0:
      return "INSERT INTO own (k, t) " + rows + " RETURNING k, t, twice, own IS NULL";
    case 1:
      return "UPDATE own SET t = z.y FROM (" + rows + ") z WHERE z.x > own.k AND own.k > 2 RETURNING own.k";
    case 2:
      return "DELETE FROM own USING (" + rows + ") z WHERE z.x = own.k RETURNING own.*";
    case 3:
      return "WITH w AS (INSERT INTO noted " + rows + " RETURNING k, what) SELECT count(*), sum(k) FROM w";
    case 4:
      return "MERGE INTO base USING (SELECT DISTINCT ON (x) x, y FROM (" + rows +
             ") q ORDER BY 1, 2) z ON base.id = z.x "
             "WHEN MATCHED AND z.x > 2 THEN DELETE WHEN MATCHED THEN UPDATE SET a = 9 "
             "WHEN NOT MATCHED THEN INSERT VALUES (z.x, (SELECT max(beds) FROM ward))";
    case 5:
      return "INSERT INTO ruled " + rows;
    case 6:
      return "UPDATE ruled SET t = 'u' WHERE k IN (SELECT x FROM (" + rows + ") z)";
    case 7:
      return "INSERT INTO own_small (k, t) SELECT 1, max(y) FROM (" + rows + ") z RETURNING *";
    default:
      return "WITH d AS (DELETE FROM own WHERE k > (SELECT min(x) FROM (" + rows +
             ") z) RETURNING own.*), u AS (UPDATE base SET a = a + 1 RETURNING a) SELECT (SELECT count(*) FROM d), "
             "sum(a) FROM u";
  }
}

// Whatever only rows that may be read can be asked.
inline std::string weird_public(Weird& weird) {
  const auto read = [&] { return weird.from(false, {}, 1); };
  switch (weird.below(10)) {
    case 0:
      return "SELECT w, w.ctid IS NOT NULL, w.tableoid::regclass, (w).name, to_jsonb(w)->>'beds' FROM ward w ORDER BY "
             "1";
    case 1:
      return "SELECT (p).x, (c.p).y, list[1], c.p IS NOT NULL, ROW(c.*) IS NULL FROM comp c WHERE (p).x > 1";
    case 2:
      return "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY beds), mode() WITHIN GROUP (ORDER BY name), "
             "rank(7) WITHIN GROUP (ORDER BY beds) FROM ward";
    case 3:
      return "SELECT * FROM ward FOR UPDATE";
    case 4:
      return "SELECT b.tableoid::regclass, b FROM base b JOIN ward USING (id) " + std::string("FOR SHARE OF b");
    case 5:
      return "SELECT c.id, e, o, z FROM comp c, LATERAL jsonb_array_elements(c.doc->'l') WITH ORDINALITY AS a(e, o), "
             "unnest(c.words) z";
    case 6:
      return "WITH RECURSIVE r(i, p) AS (SELECT 1, NULL::ward UNION ALL SELECT i + 1, w FROM r, ward w WHERE "
             "w.ward_id = i AND i < 9) SELECT i, (p).name FROM r";
    case 7: {
      const Weird::From rows = read();
      return "SELECT DISTINCT " + weird.value('i', rows.seen, 1) + ", lag(" + weird.value('t', rows.seen, 0) +
             ") OVER w IS NULL FROM " + rows.text + " WINDOW w AS (ORDER BY " + weird.value('i', rows.seen, 0) +
             " GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW)";
    }
    case 8: {
      const Weird::From rows = read(), others = read();
      return "SELECT " + weird.value('i', rows.seen, 1) + " FROM " + rows.text + " " +
             weird.word({"UNION ", "EXCEPT ", "INTERSECT ALL "}) + "SELECT " + weird.value('i', others.seen, 1) +
             " FROM " + others.text;
    }
    default:
      return "UPDATE own SET (t, n) = (SELECT name, beds FROM ward WHERE ward_id = own.k) RETURNING own, own.tableoid "
             "IS NULL";
  }
}

inline std::string Weird::statement(bool is_private) {
  asks_private = is_private;
  std::string with;
  for (int more = below(3); more > 0; --more) {
    const WeirdQuery query = answers(is_private && !once_in(3), {}, 1 + below(2));
    const std::string called = name("cte");
    with += (with.empty() ? "WITH " : ", ") + called + " AS " + word({"", "MATERIALIZED ", "NOT MATERIALIZED "}) + "(" +
            query.text + ")";
    ctes.push_back({called, query.columns});
  }
  if (!with.empty()) with += " ";
  if (!is_private && once_in(4)) return weird_public(*this);
  const WeirdQuery query = answers(is_private, {}, 1 + below(3));
  const WeirdQuery whole{with + query.text, query.columns};
  if (once_in(5)) return weird_write(*this, whole);
  return whole.text;
}

}  // namespace dp::test
