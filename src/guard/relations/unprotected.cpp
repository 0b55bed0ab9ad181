// What stands between private aggregates and the protected table that they read, for a message.
#include "guard/admission/refusal.h"
#include "guard/relations/joins.h"
#include "guard/relations/protected_tables.h"

namespace dp::guard {

void refuse_unprotected(const Sources& sources, int location) {
  const char* const private_answer = psprintf(
      "Let the subquery give a private answer: (SELECT dp_count('*', %s) FROM t WHERE ...).", example_epsilon());
  if (sources.unsupported == kNoTable) {
    DP_REFUSE(location,
              errmsg("private aggregates without a table in FROM must not read a protected one in a subquery"),
              errhint("%s", private_answer));
  }
  if (sources.unsupported == kUnmatchedList) {
    DP_REFUSE(
        location, errmsg("private aggregates over a protected table cannot be joined to %s", kUnmatchedList),
        errhint("Join it by the equality of columns that tell its rows apart, so that each row finds one at most: "
                "... JOIN (VALUES (1, 'a'), (2, 'b')) AS list (id, name) ON list.id = t.id."));
  }
  if (sources.unsupported == kLateral) {
    DP_REFUSE(
        location,
        errmsg("private aggregates over a protected table cannot be computed through LATERAL that does more than "
               "compute from the row beside it, make rows of its columns, or find one row"),
        errhint("LATERAL may compute from the row beside it, (SELECT t.x * 2 AS y), make its columns rows, (VALUES "
                "('x', t.x), ('y', t.y)), and the elements of an array, unnest(t.tags), find rows by equality, (SELECT "
                "name FROM wards w WHERE w.id = t.ward), or "
                "the first of a public table's, (... WHERE b.ward = t.ward ORDER BY b.id LIMIT 1), also the nearest "
                "one, (... WHERE r.since <= t.day ORDER BY r.since DESC LIMIT 1). What groups is joined: JOIN (SELECT "
                "ward, max(x) FROM b GROUP BY ward) b USING (ward). What was not found one of its columns says: x.id "
                "IS NULL in place of x IS NULL."));
  }
  if (sources.unsupported == kVolatile) {
    DP_REFUSE(
        location, errmsg("private aggregates over a protected table cannot be joined to %s", kVolatile),
        errhint("Let it give the same rows whenever it runs: without random() and the like, and with functions of "
                "your own that are declared STABLE or IMMUTABLE."));
  }
  if (sources.unsupported == kOpenSeries) {
    DP_REFUSE(
        location, errmsg("private aggregates over a protected table cannot be joined to %s", kOpenSeries),
        errhint(
            "Let its ends be known when the query starts: constants, parameters, now(), subqueries of public tables. "
            "Beside a subquery that groups by the privacy unit they are constants, of whole numbers or of "
            "timestamps without time zone, with 400 values at most.\nOr write unnest($1)."));
  }
  if (sources.unsupported == kMissingJoin || sources.unsupported == kMissingAsks || sources.unsupported == kFullJoins) {
    DP_REFUSE(
        location,
        errmsg("private aggregates over a protected table cannot be computed through %s", sources.unsupported),
        errhint("Let what is joined there be asked of each person, in a subquery that groups by the privacy unit: "
                "... LEFT JOIN (SELECT v.patient_id, count(*) AS n FROM drugs d JOIN visits v ON v.id = d.visit "
                "GROUP BY v.patient_id) AS x ON x.patient_id = p.patient_id; (SELECT coalesce(a.patient_id, "
                "b.patient_id) AS patient_id, count(b.id) AS n FROM a FULL JOIN b ON a.patient_id = b.patient_id "
                "GROUP BY 1) AS ab FULL JOIN c ON ab.patient_id = c.patient_id."));
  }
  if (sources.unsupported == kTooLarge) refuse_size({ExpressionSize::kMostParts + 1, 0}, sources.too_large, location);
  if (sources.tables == NIL) {
    DP_REFUSE(location,
              errmsg("private aggregates over a protected table cannot be computed through %s", sources.unsupported),
              errhint("Let them stand where the rows are, above conditions, joins and choices of columns alone: "
                      "SELECT k, dp_count('*', %s) FROM t WHERE ... GROUP BY k. Their answers can be joined, grouped "
                      "and combined "
                      "at will.",
                      example_epsilon()));
  }
  ListCell* cell;
  foreach (cell, sources.tables) {
    const auto* const table = lfirst_node(RangeTblEntry, cell);
    refuse_protected_part(table, location);
  }
  DP_REFUSE(location,
            errmsg("private aggregates over table %s must not read a protected table in a subquery",
                   name_of_table(sources.table(1))),
            errhint("%s", private_answer));
  pg_unreachable();
}

}  // namespace dp::guard
