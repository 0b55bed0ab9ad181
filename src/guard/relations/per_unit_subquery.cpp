#include "guard/relations/per_unit_subquery.h"

#include "guard/admission/refusal.h"
#include "guard/relations/full_joins.h"
#include "guard/relations/joins.h"
#include "guard/relations/per_unit_conditions.h"
#include "guard/relations/per_unit_windows.h"
#include "guard/relations/subquery_level.h"
#include "guard/relations/value_lists.h"
#include "guard/tree/by_number.h"
#include "guard/tree/columns.h"
#include "guard/tree/query_marks.h"

namespace dp::guard {
namespace {

// Whether it is the column that names the unit of one of the tables, for every row.
bool names_unit(Node* key, const InnerQueryTables& tables) {
  if (tables.full_unit != nullptr) return is_unit_of_full(key, tables.full_unit);
  if (!IsA(key, Var)) return false;
  const auto* const column = castNode(Var, key);
  if (may_be_missing(tables.sources.tree, column->varno)) return false;
  for (int table = 1; table <= tables.units.named; ++table) {
    const Var* const unit = tables.units.column_of(table);
    if (may_be_missing(tables.sources.tree, table)) continue;
    if (unit != nullptr && unit->varno == column->varno && unit->varattno == column->varattno) return true;
  }
  return false;
}

int number_of(const PerUnitTable& per_unit, const Sources& sources) {
  int number = 1;
  while (sources.table(number) != per_unit.entry) ++number;
  return number;
}

[[noreturn]] void refuse_own_rows(const PerUnitTable& per_unit, int location) {
  DP_REFUSE(location,
            errmsg("subquery %s, which groups by the privacy unit beside other tables, joins rows that are made in the "
                   "query: a list, or a subquery that does more than choose rows of public tables",
                   per_unit.entry->eref->aliasname),
            errhint("Join these outside of it, or let it be all that the private aggregates read."));
  pg_unreachable();
}

}  // namespace

Var* PerUnitSubquery::unit_at(int table) const {
  auto* const shown = reinterpret_cast<Node*>(target_numbered(level->targetList, unit)->expr);
  return column_showing(table, unit, shown);
}

void group_by_distinct(Query* level) {
  if (level->groupClause != NIL || level->groupingSets != NIL || looks_within_partitions(level)) return;
  level->groupClause = static_cast<List*>(copyObjectImpl(level->distinctClause));
}

std::optional<PerUnitSubquery> per_unit_subquery(Query* grouped, List* around, const Sources& sources,
                                                 const InnerQueries& inner_queries, List* answers) {
  group_by_distinct(grouped);
  const auto tables = inner_query_tables(grouped, around, sources, NIL, inner_queries, answers);
  if (!tables || tables->sources.shows_all != nullptr || preserved_list(tables->sources.lists) > 0) return std::nullopt;
  PerUnitSubquery per_unit{grouped, *tables, InvalidAttrNumber, true, nullptr};
  ListCell* cell;
  foreach (cell, grouped->targetList) {
    const auto* const entry = lfirst_node(TargetEntry, cell);
    if (entry->ressortgroupref == 0 || contain_windowfuncs(reinterpret_cast<Node*>(entry->expr))) continue;
    if (names_unit(tables->sources.over_tables(reinterpret_cast<Node*>(entry->expr), "GROUP BY"), *tables))
      per_unit.unit_names = bms_add_member(per_unit.unit_names, static_cast<int>(entry->ressortgroupref));
  }
  foreach (cell, grouped->groupClause) {
    auto* const clause = lfirst_node(SortGroupClause, cell);
    if (bms_is_member(static_cast<int>(clause->tleSortGroupRef), per_unit.unit_names)) {
      per_unit.unit = get_sortgroupclause_tle(clause, grouped->targetList)->resno;
    } else {
      per_unit.alone = false;
    }
  }
  if (looks_within_partitions(grouped))
    per_unit.unit = unit_of_partitions(grouped, per_unit.unit_names, *tables, &per_unit.alone);
  if (per_unit.unit == InvalidAttrNumber) return std::nullopt;
  per_unit.tables.sources.rows_of_unit = tables->one_row ? 1 : tables->limits.rows_of_all_groups();
  return per_unit;
}

Node* per_unit_key(const PerUnitSubquery& per_unit, AttrNumber column) {
  if (column <= 0) return nullptr;
  const TargetEntry* const entry = target_numbered(per_unit.level->targetList, column);
  auto* const shown = reinterpret_cast<Node*>(entry->expr);
  // Beside the keys: what depends on them.
  if (!is_key(entry, per_unit.level) && (contain_agg_clause(shown) || checkExprHasSubLink(shown))) return nullptr;
  if (contain_windowfuncs(shown)) return nullptr;
  return per_unit.tables.sources.over_tables(shown, "GROUP BY");
}

void find_limits(Sources* sources, const InnerQueries& inner_queries) {
  ListCell* cell;
  foreach (cell, sources->per_unit) {
    auto& table = *static_cast<PerUnitTable*>(lfirst(cell));
    const auto per_unit =
        per_unit_subquery(table.grouped, table.around, sources_of(table.grouped, table.around), inner_queries, NIL);
    if (per_unit) table.below = new (palloc(sizeof(Sources))) Sources(per_unit->tables.sources);
  }
}

void mark_as_per_unit(Query* grouped) { mark(grouped, Mark::per_unit); }

bool is_marked_as_per_unit(const Query* query) { return mark_of(query) == Mark::per_unit; }

void find_per_unit(InnerQueryTables* tables, const InnerQueries& inner_queries, int location) {
  ListCell* cell;
  foreach (cell, tables->sources.per_unit) {
    auto& table = *static_cast<PerUnitTable*>(lfirst(cell));
    auto per_unit = per_unit_subquery(table.grouped, table.around, sources_of(table.grouped, table.around),
                                      inner_queries, tables->answers);
    if (!per_unit) {
      Sources nobody{};
      nobody.unsupported = "a grouped subquery";
      refuse_unprotected(nobody, location);
    }
    take_per_unit_conditions(&*per_unit, nullptr, table.around, inner_queries);
    if (per_unit->tables.sources.subqueries != NIL) refuse_own_rows(table, location);
    tables->answers = per_unit->tables.answers;
    tables->dependencies = list_concat(tables->dependencies, per_unit->tables.dependencies);
    per_unit->left = rows_left(*per_unit, tables->sources, number_of(table, tables->sources));
    table.rows = new (palloc(sizeof(PerUnitSubquery))) PerUnitSubquery(*per_unit);
    table.below = &table.rows->tables.sources;
  }
}

}  // namespace dp::guard
