#include "guard/rewrite/people.h"

#include "guard/admission/refusal.h"
#include "guard/rewrite/aggregate_calls.h"
#include "guard/rewrite/free_levels.h"
#include "guard/rewrite/people_conditions.h"
#include "guard/tables/full_joins.h"
#include "guard/tables/joins.h"
#include "guard/tables/single_answers.h"
#include "guard/tables/value_lists.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

bool reads_protected(const Sources& sources) {
  ListCell* cell;
  foreach (cell, sources.tables) {
    if (budget::protection_of(lfirst_node(RangeTblEntry, cell)->relid)) return true;
  }
  return false;
}

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

// Itself, or by WITH; views have become subqueries.
bool reads_subquery(const Query* level) {
  ListCell* cell;
  foreach (cell, level->rtable) {
    const RTEKind kind = lfirst_node(RangeTblEntry, cell)->rtekind;
    if (kind == RTE_SUBQUERY || kind == RTE_CTE) return true;
  }
  return false;
}

struct Search {
  List* levels;
  const InnerQueries* inner_queries;
  List** found;
};

// A subquery that groups by the unit beside other tables: what it computes would be taken for an answer.
void refuse_beside_others(Query* level, List* levels, const InnerQueries& inner_queries) {
  const List* const aggregates = aggregates_of(level).ours;
  ListCell* cell;
  foreach (cell, aggregates == NIL ? NIL : from_indexes(level)) {
    auto* const reference = makeNode(RangeTblRef);
    reference->rtindex = lfirst_int(cell);
    Query alone = *level;
    alone.jointree = makeFromExpr(list_make1(reference), nullptr);
    if (!people_below(&alone, levels, inner_queries)) continue;
    DP_REFUSE(exprLocation(static_cast<Node*>(linitial(aggregates))),
              errmsg("a subquery that groups by the privacy unit stands beside other tables below private aggregates"),
              errhint("Join the tables within the subquery, and let it be all that the private aggregates read."));
  }
}

// The subqueries of conditions, but for those that are private answers.
bool find_asked(Node* node, void* context) {
  if (node == nullptr) return false;
  const auto& here = *static_cast<const Search*>(context);
  if (IsA(node, SubLink) && may_be_single_answer(castNode(SubLink, node), here.levels)) return false;
  if (!IsA(node, Query)) return pg::walk(node, find_asked, context);
  auto* const query = castNode(Query, node);
  if (aggregates_of(query).ours != NIL) return false;
  *here.found = lappend(*here.found, query);
  Search within{around(query, here.levels), here.inner_queries, here.found};
  return find_asked(query->jointree->quals, &within);
}

bool search(Node* node, void* context) {
  if (node == nullptr) return false;
  if (!IsA(node, Query)) return pg::walk(node, search, context);
  auto* const query = castNode(Query, node);
  const auto& outer = *static_cast<const Search*>(context);
  Search here{around(query, outer.levels), outer.inner_queries, outer.found};
  if (query->hasSubLinks && query->jointree != nullptr && checkExprHasSubLink(query->jointree->quals)) {
    Query* const level = pg::flattened(query);
    if (reads_denied(sources_of(level, here.levels)) || people_below(level, here.levels, *here.inner_queries))
      find_asked(query->jointree->quals, &here);
  }
  if (query->hasAggs) {
    Query* const level = pg::flattened(query);
    if (const auto people = people_below(level, here.levels, *here.inner_queries)) {
      *here.found = lappend(*here.found, people->rows.grouped);
      Search within{people->rows.around_grouped, here.inner_queries, here.found};
      find_asked(people->rows.grouped->havingQual, &within);
    } else if (list_length(from_indexes(level)) > 1) {
      refuse_beside_others(level, here.levels, *here.inner_queries);
    }
  }
  return pg::walk_query(query, search, &here, 0);
}

}  // namespace

std::optional<People> people_below(Query* level, List* levels, const InnerQueries& inner_queries) {
  if (!reads_subquery(level)) return std::nullopt;
  const Sources rows = sources_over_groups(level, levels);
  if (rows.tables == NIL) return std::nullopt;
  Query* const grouped = pg::flattened(rows.grouped);
  if (aggregates_of(grouped).ours != NIL) return std::nullopt;
  const Sources below = sources_of(grouped, rows.around_grouped);
  if (below.tables == NIL || !reads_protected(below)) return std::nullopt;
  if (aggregates_of(level).ours == NIL && !reads_denied(below)) return std::nullopt;
  group_by_distinct(grouped);
  auto tables = inner_query_tables(grouped, rows.around_grouped, NIL, inner_queries);
  if (!tables || tables->sources.shows_all != nullptr || kept_list(tables->sources.lists) > 0) return std::nullopt;
  People people{grouped, rows, *tables, InvalidAttrNumber, true};
  take_single_answers(&people.rows, inner_queries, &people.tables.answers);
  people.rows.below = new (palloc(sizeof(Sources))) Sources(tables->sources);
  ListCell* cell;
  foreach (cell, grouped->groupClause) {
    const TargetEntry* const entry = get_sortgroupclause_tle(lfirst_node(SortGroupClause, cell), grouped->targetList);
    if (names_unit(tables->sources.over_tables(reinterpret_cast<Node*>(entry->expr), "GROUP BY"), *tables)) {
      people.unit = entry->resno;
    } else {
      people.alone = false;
    }
  }
  if (people.unit == InvalidAttrNumber) return std::nullopt;
  take_conditions_on_people(&people, inner_queries);
  return people;
}

List* all_people(Query* query, const InnerQueries& inner_queries) {
  List* found = NIL;
  Search outermost{NIL, &inner_queries, &found};
  search(reinterpret_cast<Node*>(query), &outermost);
  return found;
}

Node* key_of_people(const People& people, AttrNumber column) {
  const TargetEntry* const entry = list_nth_node(TargetEntry, people.level->targetList, column - 1);
  ListCell* cell;
  foreach (cell, people.level->groupClause) {
    if (lfirst_node(SortGroupClause, cell)->tleSortGroupRef != entry->ressortgroupref) continue;
    return people.tables.sources.over_tables(reinterpret_cast<Node*>(entry->expr), "GROUP BY");
  }
  return nullptr;
}

}  // namespace dp::guard
