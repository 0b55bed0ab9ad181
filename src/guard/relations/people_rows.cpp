#include "guard/relations/people_rows.h"

#include "guard/admission/refusal.h"
#include "guard/relations/full_joins.h"
#include "guard/relations/joins.h"
#include "guard/relations/people_conditions.h"
#include "guard/relations/person_windows.h"
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

int number_of(const PeopleTable& people, const Sources& sources) {
  int number = 1;
  while (sources.table(number) != people.entry) ++number;
  return number;
}

[[noreturn]] void refuse_own_rows(const PeopleTable& people, int location) {
  DP_REFUSE(location,
            errmsg("subquery %s, which groups by the privacy unit beside other tables, joins rows that are made in the "
                   "query: a list, or a subquery that does more than choose rows of public tables",
                   people.entry->eref->aliasname),
            errhint("Join these outside of it, or let it be all that the private aggregates read."));
  pg_unreachable();
}

}  // namespace

Var* PeopleRows::unit_at(int table) const {
  auto* const shown = reinterpret_cast<Node*>(target_numbered(level->targetList, unit)->expr);
  return column_showing(table, unit, shown);
}

void group_by_distinct(Query* level) {
  if (level->groupClause != NIL || level->groupingSets != NIL || looks_within_partitions(level)) return;
  level->groupClause = static_cast<List*>(copyObjectImpl(level->distinctClause));
}

std::optional<PeopleRows> people_rows(Query* grouped, List* around, const Sources& sources,
                                      const InnerQueries& inner_queries, List* answers) {
  group_by_distinct(grouped);
  const auto tables = inner_query_tables(grouped, around, sources, NIL, inner_queries, answers);
  if (!tables || tables->sources.shows_all != nullptr || kept_list(tables->sources.lists) > 0) return std::nullopt;
  PeopleRows people{grouped, *tables, InvalidAttrNumber, true, nullptr};
  ListCell* cell;
  foreach (cell, grouped->targetList) {
    const auto* const entry = lfirst_node(TargetEntry, cell);
    if (entry->ressortgroupref == 0 || contain_windowfuncs(reinterpret_cast<Node*>(entry->expr))) continue;
    if (names_unit(tables->sources.over_tables(reinterpret_cast<Node*>(entry->expr), "GROUP BY"), *tables))
      people.unit_names = bms_add_member(people.unit_names, static_cast<int>(entry->ressortgroupref));
  }
  foreach (cell, grouped->groupClause) {
    auto* const clause = lfirst_node(SortGroupClause, cell);
    if (bms_is_member(static_cast<int>(clause->tleSortGroupRef), people.unit_names)) {
      people.unit = get_sortgroupclause_tle(clause, grouped->targetList)->resno;
    } else {
      people.alone = false;
    }
  }
  if (looks_within_partitions(grouped))
    people.unit = unit_of_partitions(grouped, people.unit_names, *tables, &people.alone);
  if (people.unit == InvalidAttrNumber) return std::nullopt;
  people.tables.sources.rows_of_person = tables->one_row ? 1 : tables->limits.rows_of_all_groups();
  return people;
}

Node* key_of_people(const PeopleRows& people, AttrNumber column) {
  if (column <= 0) return nullptr;
  const TargetEntry* const entry = target_numbered(people.level->targetList, column);
  auto* const shown = reinterpret_cast<Node*>(entry->expr);
  // Beside the keys: what depends on them.
  if (!is_key(entry, people.level) && (contain_agg_clause(shown) || checkExprHasSubLink(shown))) return nullptr;
  if (contain_windowfuncs(shown)) return nullptr;
  return people.tables.sources.over_tables(shown, "GROUP BY");
}

void find_limits(Sources* sources, const InnerQueries& inner_queries) {
  ListCell* cell;
  foreach (cell, sources->people) {
    auto& table = *static_cast<PeopleTable*>(lfirst(cell));
    const auto people =
        people_rows(table.grouped, table.around, sources_of(table.grouped, table.around), inner_queries, NIL);
    if (people) table.below = new (palloc(sizeof(Sources))) Sources(people->tables.sources);
  }
}

void mark_as_people(Query* grouped, bool is_table) { mark(grouped, is_table ? Mark::people : Mark::none); }

bool is_marked_as_people(const Query* query) { return mark_of(query) == Mark::people; }

void find_people(InnerQueryTables* tables, const InnerQueries& inner_queries, int location) {
  ListCell* cell;
  foreach (cell, tables->sources.people) {
    auto& table = *static_cast<PeopleTable*>(lfirst(cell));
    auto people = people_rows(table.grouped, table.around, sources_of(table.grouped, table.around), inner_queries,
                              tables->answers);
    if (!people) {
      Sources nobody{};
      nobody.obstacle = "a grouped subquery";
      refuse_unprotected(nobody, location);
    }
    take_conditions_on_people(&*people, nullptr, table.around, inner_queries);
    if (people->tables.sources.subqueries != NIL) refuse_own_rows(table, location);
    tables->answers = people->tables.answers;
    tables->facts = list_concat(tables->facts, people->tables.facts);
    people->left = rows_left(*people, tables->sources, number_of(table, tables->sources));
    table.rows = new (palloc(sizeof(PeopleRows))) PeopleRows(*people);
    table.below = &table.rows->tables.sources;
  }
}

}  // namespace dp::guard
