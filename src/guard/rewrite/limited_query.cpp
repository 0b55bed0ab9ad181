#include "guard/rewrite/limited_query.h"

#include "aggregate/call/prepare_plan.h"
#include "budget/policy/domains.h"
#include "guard/forms/admitted_form.h"
#include "guard/groups/too_many.h"
#include "guard/relations/fan_out.h"
#include "guard/relations/full_joins.h"
#include "guard/relations/subqueries_within.h"
#include "guard/rewrite/exclusive_arms.h"
#include "guard/rewrite/known_aggregates.h"
#include "guard/rewrite/refused_calls.h"
#include "guard/rewrite/same_rows.h"
#include "guard/tree/by_number.h"
#include "guard/unit_limit/private_counts.h"
#include "guard/unit_limit/unit_subquery.h"
#include "guard/unit_limit/units.h"
#include "pg/nodes.h"

namespace dp::guard {
namespace {

// The first sum of the query whose value has no bounds; nullptr: there is none.
const Aggref* open_sum(const InnerQueryParts& parts) {
  const Aggref* first = nullptr;
  visit_private(parts.query, parts.what.count_column, [&first](const Aggref* aggregate, int) {
    if (first == nullptr && aggregate::is_open_sum(aggregate)) first = aggregate;
  });
  return first;
}

[[noreturn]] void refuse_open(const Aggref* sum, const Sources& sources, const char* asked) {
  ValueBounds found;
  auto* const value = reinterpret_cast<Var*>(linitial_node(TargetEntry, sum->args)->expr);
  if (IsA(value, Var) && value->varattno > 0) found.open = value;
  refuse_unbounded(sum, found, sources, asked);
}

void limit(InnerQueryParts* parts, const Sources& sources, const LimitedUnit& limited) {
  const Aggref* const open = open_sum(*parts);
  const char* const asked = limit_units(parts, limited);
  if (asked != nullptr) refuse_open(open, sources, asked);
}

// The table of which the value is the column that names its unit; 0: it is none.
int table_naming(const Node* value, const UnitColumns& units) {
  for (int table = 1; table <= units.named; ++table) {
    const Var* const unit = units.column_of(table);
    if (unit != nullptr && unit->varno == table && equal(value, unit)) return table;
  }
  return 0;
}

// The first argument of COALESCE where it is the column that names a unit, and always there: what it is NULL for
// belongs to nobody and counts nowhere. Else the value as it is.
Expr* named_by(Expr* value, const InnerQueryTables& tables) {
  if (!IsA(value, CoalesceExpr)) return value;
  auto* const first = static_cast<Node*>(linitial(castNode(CoalesceExpr, value)->args));
  const int table = table_naming(first, tables.units);
  return table == 0 || may_be_missing(tables.sources.tree, table) ? value : reinterpret_cast<Expr*>(first);
}

// Whether it is the number of different units of what is read: of tables, or of people in their place.
bool counts_units(const Aggref* aggregate, const InnerQueryTables& tables, const PerUnitBelow* per_unit) {
  if (aggregate->args == NIL || aggregate->aggdistinct == NIL || !aggregate::is_count(aggregate->aggfnoid))
    return false;
  auto* const value = reinterpret_cast<Node*>(linitial_node(TargetEntry, aggregate->args)->expr);
  if (per_unit == nullptr && tables.full_unit != nullptr) return is_unit_of_full(value, tables.full_unit);
  const Var* const unit = per_unit != nullptr ? per_unit->unit_at(1) : tables.units.column_of(1);
  return unit != nullptr && equal(value, unit);
}

// What the policies and the session say of how many rows of a unit count.
struct SaidContributionBounds {
  bool none;  // nobody has: a limit is chosen
  ContributionBounds limits;
};

// Where nobody has and all that is asked are quantiles and most frequent values, or different values, it is one row:
// such an answer does not grow with a unit's rows, its noise does; and for each of different values one unit that has
// it is enough (taken_values.h). Numbers of units need no limit; beside them, by groups, different values are a
// question of their own, as with one row a unit would be in one group alone. So they are where groups are chosen.
SaidContributionBounds said_limits(const InnerQueryParts& parts, const InnerQueryTables& tables,
                                   const PerUnitBelow* per_unit, bool chooses_groups) {
  bool scale_free = tables.chooses_limits && parts.what.aggregates != NIL, values = scale_free;
  int units = 0;
  visit_private(parts.query, parts.what.count_column, [&](const Aggref* aggregate, int) {
    scale_free = scale_free && aggregate::is_scale_free(aggregate);
    values = values && aggregate->aggdistinct != NIL;
    units += counts_units(aggregate, tables, per_unit);
  });
  values = values && units < (parts.keys == NIL ? list_length(parts.what.aggregates) : 1);
  scale_free = scale_free || (values && tables.row_choices == NIL && !chooses_groups);
  return scale_free ? SaidContributionBounds{false, {1, 0, 0}}
                    : SaidContributionBounds{tables.chooses_limits, tables.limits};
}

// Where each row is a unit nothing is limited but sums whose values have no bounds.
void limit_rows(InnerQueryParts* parts, const InnerQueryTables& tables) {
  const Aggref* const open = open_sum(*parts);
  if (open == nullptr) return;
  if (tables.rows_of_one != 1) refuse_open(open, tables.sources, "several rows that become of one");
  const FullUnit row(number_of_row());
  limit(parts, tables.sources, {nullptr, row.place(), false, true, false, {}, NIL, 0, 1});
  row.put_into(parts->query);
}

// How it is asked where limits are chosen, once its groups are known. Of all rows quantiles can be asked beside other
// answers (unit_limit/units.h).
Apart apart(const InnerQueryParts& parts, const InnerQueryTables& tables, const PerUnitBelow* per_unit) {
  if (parts.query->groupingSets != NIL) return Apart::sets;
  bool limited = false, one_row = false, values = false, together = parts.keys == NIL;
  int histograms = 0;
  visit_private(parts.query, parts.what.count_column, [&](const Aggref* aggregate, int) {
    if (aggregate->aggdistinct != NIL && !counts_units(aggregate, tables, per_unit)) {
      values = true;
    } else if (aggregate::is_scale_free(aggregate)) {
      one_row = true;
      together = together && aggregate::answers_by_unit(aggregate->aggfnoid);
    } else if (counts_buckets(aggregate)) {
      ++histograms;
    } else {
      limited = true;
    }
  });
  if (limited + one_row + values + histograms < 2) return Apart::no;
  return together && !values && histograms == 0 ? Apart::no : Apart::kinds;
}

// As InnerQueryParts has them.
List* counted_units(const InnerQueryParts& parts, const InnerQueryTables& tables, const PerUnitBelow* per_unit) {
  List* units = NIL;
  ListCell *answer, *column;
  forboth(answer, parts.answers, column, parts.columns) {
    auto* const call = static_cast<Node*>(lfirst(answer));
    if (!IsA(call, Aggref) || castNode(Aggref, call)->aggdistinct == NIL) continue;
    const auto* const runs = castNode(Aggref, target_numbered(parts.query->targetList, lfirst_int(column))->expr);
    if (counts_units(runs, tables, per_unit))
      units = lappend(units, linitial_node(TargetEntry, castNode(Aggref, call)->args)->expr);
  }
  return units;
}

}  // namespace

void name_units(InnerQueryParts* parts, const InnerQueryTables& tables, const PerUnitBelow* per_unit) {
  const bool full = tables.full_unit != nullptr;
  if (per_unit != nullptr || (!full && tables.units.column_of(1) == nullptr)) return;
  Node* const unit = full ? admitted_form(reinterpret_cast<Node*>(tables.full_unit), "JOIN", &parts->what)
                          : reinterpret_cast<Node*>(const_cast<Var*>(tables.units.column_of(1)));
  visit_private(parts->query, parts->what.count_column, [&](Aggref* aggregate, int) {
    if (aggregate->aggdistinct == NIL || !aggregate::is_count(aggregate->aggfnoid)) return;
    auto* const counted = linitial_node(TargetEntry, aggregate->args);
    auto* const value = reinterpret_cast<Node*>(named_by(counted->expr, tables));
    const int table = table_naming(value, tables.units);
    const bool is_full = full && is_unit_of_full(value, tables.full_unit);
    if ((table == 0 && !is_full) || exprType(value) != exprType(unit) || exprCollation(value) != exprCollation(unit))
      return;
    counted->expr = static_cast<Expr*>(copyObjectImpl(unit));
    if (table == 0 || !may_be_missing(tables.sources.tree, table)) return;
    Node* const there = pg::is_not_null(value);
    aggregate->aggfilter = reinterpret_cast<Expr*>(make_and_qual(reinterpret_cast<Node*>(aggregate->aggfilter), there));
  });
}

bool chooses_limits(const InnerQueryParts& parts, const InnerQueryTables& tables, const PerUnitBelow* per_unit,
                    bool chooses_groups) {
  const bool one_row = tables.one_row || (per_unit != nullptr && per_unit->alone);
  return open_sum(parts) != nullptr || (said_limits(parts, tables, per_unit, chooses_groups).none && !one_row);
}

void limit_by_unit(InnerQueryParts* parts, const InnerQueryTables& tables, const PerUnitBelow* per_unit, List* plain) {
  Query* const query = parts->query;
  if (list_length(plain) > 1) {
    exclusive_arms(plain, &parts->what);
    find_same_rows(plain, per_unit != nullptr ? per_unit->rows : tables.sources, &parts->what);
  }
  const bool chooses_groups = parts->what.count_column > 0;
  if (parts->what.aggregates != NIL && chooses_limits(*parts, tables, per_unit, chooses_groups)) {
    parts->groups_first = chooses_groups && query->groupingSets == NIL;
    parts->apart = apart(*parts, tables, per_unit);
    parts->counted_units = counted_units(*parts, tables, per_unit);
    if (parts->groups_first || parts->apart != Apart::no) return;
  }
  const Var* unit = tables.units.column_of(1);
  if (unit == nullptr) {
    if (tables.rows_of_one > 1) count_rows_of_one(tables, query, &parts->what);
    return limit_rows(parts, tables);
  }
  const bool known = per_unit != nullptr || tables.sources.per_unit_at(unit->varno) != nullptr;
  const bool nullable = !known && budget::may_be_null(tables.sources.table(unit->varno)->relid, unit->varattno);
  bool one_row = tables.one_row;
  if (per_unit != nullptr) {
    unit = per_unit->unit_at(1);
    one_row = one_row || per_unit->alone;
  }
  // A subquery that groups by the unit has no column of the tables: its rows are chosen at random.
  List* const row_choices = per_unit == nullptr ? tables.row_choices : NIL;
  const SaidContributionBounds said = said_limits(*parts, tables, per_unit, chooses_groups);
  const std::int64_t groups = estimated_groups(parts->what);
  AskedColumns asked;
  asked.take_from(query);
  if (per_unit == nullptr && tables.full_unit != nullptr) {
    const FullUnit full(admitted_form(reinterpret_cast<Node*>(tables.full_unit), "JOIN", &parts->what));
    full.take_from(query);
    limit(parts, tables.sources,
          {tables.unit, full.place(), true, one_row, said.none, said.limits, row_choices, tables.rows_asked, groups});
    full.put_into(query);
  } else {
    limit(parts, per_unit != nullptr ? per_unit->rows : tables.sources,
          {tables.unit, unit, nullable, one_row, said.none, said.limits, row_choices, tables.rows_asked, groups});
  }
  asked.put_into(query);
  ListCell* cell;
  foreach (cell, row_choices) {
    const Oid collation = static_cast<const RowChoice*>(lfirst(cell))->column->varcollid;
    if (OidIsValid(collation)) parts->what.collations = list_append_unique_oid(parts->what.collations, collation);
  }
  if (OidIsValid(unit->varcollid))
    parts->what.collations = list_append_unique_oid(parts->what.collations, unit->varcollid);
}

}  // namespace dp::guard
