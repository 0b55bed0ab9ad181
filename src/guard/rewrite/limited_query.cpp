#include "guard/rewrite/limited_query.h"

#include "budget/policy/domains.h"
#include "guard/forms/admitted_form.h"
#include "guard/tables/full_joins.h"
#include "guard/tables/several_rows.h"
#include "guard/tables/subqueries_within.h"
#include "guard/unit_limit/units.h"

namespace dp::guard {

void limit_by_unit(InnerQueryParts* parts, const InnerQueryTables& tables, const People* people) {
  Query* const query = parts->query;
  const Var* unit = tables.units.column_of(1);
  if (unit == nullptr) return count_rows_of_one(tables, query, &parts->what);
  const bool known = people != nullptr || tables.sources.people_at(unit->varno) != nullptr;
  const bool nullable = !known && budget::may_be_null(tables.sources.table(unit->varno)->relid, unit->varattno);
  bool one_row = tables.one_row;
  if (people != nullptr) {
    unit = people->unit_at(1);
    one_row = one_row || people->alone;
  }
  // A subquery that groups by the unit has no column of the tables: its rows are chosen at random.
  List* const kept = people == nullptr ? tables.kept : NIL;
  AskedColumns asked;
  asked.take_from(query);
  if (people == nullptr && tables.full_unit != nullptr) {
    const FullUnit full(admitted_form(reinterpret_cast<Node*>(tables.full_unit), "JOIN", &parts->what));
    full.take_from(query);
    limit_units(parts, {tables.unit, full.place(), true, one_row, tables.chooses_limits, tables.limits, kept,
                        tables.rows_asked});
    full.put_into(query);
  } else {
    limit_units(parts,
                {tables.unit, unit, nullable, one_row, tables.chooses_limits, tables.limits, kept, tables.rows_asked});
  }
  asked.put_into(query);
  ListCell* cell;
  foreach (cell, kept) {
    const Oid collation = static_cast<const KeptBy*>(lfirst(cell))->column->varcollid;
    if (OidIsValid(collation)) parts->what.collations = list_append_unique_oid(parts->what.collations, collation);
  }
  if (OidIsValid(unit->varcollid))
    parts->what.collations = list_append_unique_oid(parts->what.collations, unit->varcollid);
}

}  // namespace dp::guard
