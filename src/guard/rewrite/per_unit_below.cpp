#include "guard/rewrite/per_unit_below.h"

#include "guard/admission/refusal.h"
#include "guard/relations/per_unit_conditions.h"
#include "guard/relations/per_unit_windows.h"
#include "guard/relations/single_answers.h"
#include "guard/rewrite/aggregate_calls.h"
#include "guard/rewrite/free_levels.h"
#include "guard/rewrite/level.h"
#include "guard/tree/by_number.h"
#include "guard/tree/entries.h"
#include "guard/tree/query_marks.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

bool has_protected_table(const Sources& sources) {
  return sources.any_table([](const Sources& read, int table) { return read.protection(table) != nullptr; });
}

struct Search {
  List* levels;
  const InnerQueries* inner_queries;
  List** found;
  bool asks;   // private aggregates around the node do
  bool below;  // a level that groups is around the node
};

// `asks`: private aggregates do.
std::optional<PerUnitBelow> per_unit_among(Query* level, bool asks, List* levels, const InnerQueries& inner_queries) {
  if (!reads_subquery(level)) return std::nullopt;
  const Sources rows = sources_over_groups(level, levels);
  if (rows.tables == NIL) return std::nullopt;
  Query* const grouped = pg::flattened(rows.grouped);
  if (aggregates_of(grouped).ours != NIL) return std::nullopt;
  const Sources below = sources_of(grouped, rows.around_grouped);
  if (below.tables == NIL || !has_protected_table(below)) return std::nullopt;
  if (!asks && !reads_denied(below)) return std::nullopt;
  const auto found = per_unit_subquery(grouped, rows.around_grouped, below, inner_queries, NIL);
  if (!found) return std::nullopt;
  PerUnitBelow per_unit{*found, rows};
  take_single_answers(&per_unit.rows, inner_queries, &per_unit.tables.answers);
  per_unit.rows.below = new (palloc(sizeof(Sources))) Sources(per_unit.tables.sources);
  take_per_unit_conditions(&per_unit, &per_unit.rows, rows.around_grouped, inner_queries);
  return per_unit;
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
  Search within{around(query, here.levels), here.inner_queries, here.found, here.asks, here.below};
  return find_asked(query->jointree->quals, &within) || find_asked(query->havingQual, &within);
}

// Those in aggregates of the level.
bool find_asked_by_aggregates(Node* node, void* context) {
  if (node == nullptr || IsA(node, SubLink)) return false;
  return IsA(node, Aggref) ? pg::walk(node, find_asked, context) : pg::walk(node, find_asked_by_aggregates, context);
}

// Whether aggregates of the level ask, or what it groups by.
bool asks_within(Node* node, void*) {
  if (node == nullptr || IsA(node, SubLink)) return false;
  return IsA(node, Aggref) ? checkExprHasSubLink(node) : pg::walk(node, asks_within, nullptr);
}

bool asks_within(const Query* query) {
  return asks_within(reinterpret_cast<Node*>(query->targetList), nullptr) || asks_within(query->havingQual, nullptr) ||
         checkExprHasSubLink(reinterpret_cast<Node*>(get_sortgrouplist_exprs(query->groupClause, query->targetList)));
}

// In its WHERE, in aggregates and in what it groups by; where it does neither, among its columns.
void find_all_asked(Query* query, Search* here) {
  find_asked(query->jointree->quals, here);
  if (!query->hasAggs && !has_keys(query)) find_asked(reinterpret_cast<Node*>(query->targetList), here);
  find_asked_by_aggregates(reinterpret_cast<Node*>(query->targetList), here);
  find_asked_by_aggregates(query->havingQual, here);
  List* const keys = query->groupClause == NIL && has_keys(query) ? query->distinctClause : query->groupClause;
  ListCell* cell;
  foreach (cell, keys)
    find_asked(get_sortgroupclause_expr(lfirst_node(SortGroupClause, cell), query->targetList), here);
}

void note(Query* grouped, List* around_grouped, const Search& here) {
  *here.found = lappend(*here.found, grouped);
  Search within{around_grouped, here.inner_queries, here.found, here.asks, here.below};
  find_asked(grouped->havingQual, &within);
}

// The subquery that an entry of the first of these levels reads, or the CTE that no other level reads, with the queries
// around it; nullptr for a table.
Query* read_by(const RangeTblEntry* entry, const Query* level, List* levels, List** outer) {
  *outer = levels;
  if (entry->rtekind == RTE_SUBQUERY) return entry->subquery;
  const CommonTableExpr* const cte = entry->rtekind == RTE_CTE ? find_cte(entry, levels, outer) : nullptr;
  return cte == nullptr || is_read_elsewhere(cte, entry, level) ? nullptr : castNode(Query, cte->ctequery);
}

// What a level asks of the groups of another one that is per-unit: the most visits of a person to one ward. That one
// is a table of it, then.
std::optional<PerUnitBelow> per_unit_of_per_unit(Query* alone, Query* grouped, List* outer, const Search& here) {
  if (grouped == nullptr || !may_be_per_unit(grouped)) return std::nullopt;
  const auto below = per_unit_among(pg::flattened(grouped), here.asks, around(grouped, outer), *here.inner_queries);
  if (!below) return std::nullopt;
  // Where that leads nowhere it stays what a search further in has found: it may be a table of the level itself.
  const Mark found = mark_of(below->rows.grouped);
  mark_as_per_unit(below->rows.grouped);
  auto per_unit = per_unit_among(alone, here.asks, here.levels, *here.inner_queries);
  if (!per_unit) mark(below->rows.grouped, found);
  return per_unit;
}

bool reads_beside(const RangeTblEntry* entry) {
  return entry->rtekind == RTE_SUBQUERY && contain_vars_of_level(reinterpret_cast<Node*>(entry->subquery), 1);
}

// Marks the per-unit subqueries which a level reads beside other tables, also behind choices of rows and columns.
// `beside`: it is itself beside others.
void mark_beside_others(Query* level, bool beside, const Search& here) {
  List* const items = from_indexes(level);
  beside = beside || list_length(items) > 1;
  ListCell* cell;
  foreach (cell, items) {
    const RangeTblEntry* const entry = entry_numbered(lfirst_int(cell), level->rtable);
    Query alone = *level;
    alone.jointree = makeFromExpr(list_make1(item_of(lfirst_int(cell))), nullptr);
    List* outer = NIL;
    Query* const query = read_by(entry, level, here.levels, &outer);
    std::optional<PerUnitBelow> per_unit;
    // What reads the others is nothing by itself.
    if (!reads_beside(entry)) {
      per_unit = per_unit_among(&alone, here.asks, here.levels, *here.inner_queries);
      if (!per_unit) per_unit = per_unit_of_per_unit(&alone, query, outer, here);
    }
    if (per_unit) {
      if (beside || looks_within_partitions(per_unit->rows.grouped)) mark_as_per_unit(per_unit->rows.grouped);
      note(per_unit->rows.grouped, per_unit->rows.around_grouped, here);
    } else if (query != nullptr && more_than_a_choice(query) == nullptr) {
      const Search within{around(query, outer), here.inner_queries, here.found, here.asks, here.below};
      mark_beside_others(pg::flattened(query), beside, within);
    }
  }
}

// From the inside out: a per-unit subquery may have such ones beside its tables.
bool search(Node* node, void* context) {
  if (node == nullptr) return false;
  if (!IsA(node, Query)) return pg::walk(node, search, context);
  auto* const query = castNode(Query, node);
  const auto& outer = *static_cast<const Search*>(context);
  // Where there are subqueries, of which some may be asked.
  const bool has_below = query->hasSubLinks || query->cteList != NIL || reads_subquery(query);
  const bool asks = outer.asks || (has_below && query->hasAggs && aggregates_of(query).ours != NIL);
  // GROUP BY or DISTINCT alone is per-unit, too; windows where what they give is asked for.
  const bool groups = query->hasAggs || query->groupClause != NIL || query->distinctClause != NIL ||
                      (query->hasWindowFuncs && outer.below);
  Search here{around(query, outer.levels), outer.inner_queries, outer.found, asks, outer.below || groups};
  pg::walk_query(query, search, &here, 0);
  if (query->jointree == nullptr) return false;
  Query* const level = groups || query->hasSubLinks ? pg::flattened(query) : query;
  if (groups) {
    if (const auto per_unit = per_unit_among(level, asks, here.levels, *here.inner_queries)) {
      const bool asks_beside = query->hasSubLinks && asks_within(level);
      if (asks_beside || looks_within_partitions(per_unit->rows.grouped)) mark_as_per_unit(per_unit->rows.grouped);
      note(per_unit->rows.grouped, per_unit->rows.around_grouped, here);
    } else if (reads_subquery(level)) {
      mark_beside_others(level, false, here);
    }
  }
  if (query->hasSubLinks &&
      (reads_denied(sources_of(level, here.levels)) || per_unit_below(level, here.levels, *here.inner_queries)))
    find_all_asked(query, &here);
  return false;
}

}  // namespace

std::optional<PerUnitBelow> per_unit_below(Query* level, List* levels, const InnerQueries& inner_queries) {
  auto per_unit = per_unit_among(level, aggregates_of(level).ours != NIL, levels, inner_queries);
  if (per_unit && is_marked_as_per_unit(per_unit->rows.grouped)) return std::nullopt;
  return per_unit;
}

List* all_per_unit(Query* query, const InnerQueries& inner_queries) {
  List* found = NIL;
  Search outermost{NIL, &inner_queries, &found, false, false};
  search(reinterpret_cast<Node*>(query), &outermost);
  return found;
}

}  // namespace dp::guard
