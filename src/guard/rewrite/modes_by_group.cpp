#include "guard/rewrite/modes_by_group.h"

#include "budget/policy/ranges.h"
#include "guard/functions/aggregates.h"
#include "guard/query/permissions.h"
#include "guard/relations/protected_tables.h"
#include "guard/rewrite/declared_bounds.h"
#include "guard/rewrite/free_levels.h"
#include "guard/rewrite/level_copies.h"
#include "guard/rewrite/private_calls.h"
#include "guard/tree/columns.h"
#include "guard/tree/entries.h"
#include "guard/unit_limit/unit_aggregates.h"
#include "pg/nodes.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

struct Mode {
  const Aggref* call;
  CommonTableExpr* cte;
};

Expr* value_of(const Aggref* call) { return linitial_node(TargetEntry, call->args)->expr; }

// Ascending by that target entry, or descending.
SortGroupClause* by(TargetEntry* entry, Index reference, bool descending) {
  const TypeCacheEntry* const type = lookup_type_cache(exprType(reinterpret_cast<Node*>(entry->expr)),
                                                       TYPECACHE_LT_OPR | TYPECACHE_GT_OPR | TYPECACHE_EQ_OPR);
  auto* const clause = makeNode(SortGroupClause);
  entry->ressortgroupref = clause->tleSortGroupRef = reference;
  pg::order_by(clause, type, descending);
  clause->hashable = op_hashjoinable(type->eq_opr, exprType(reinterpret_cast<Node*>(entry->expr)));
  return clause;
}

// SELECT value FROM the rows of the level GROUP BY value ORDER BY count(*) DESC, value LIMIT 1
Query* most_frequent(const Query* level, List* levels, const Aggref* call) {
  Query* const query = copy_of_rows(level);
  auto* const value = static_cast<Expr*>(copyObjectImpl(value_of(call)));
  Node* const known = pg::is_not_null(copyObjectImpl(value));
  Node*& where = query->jointree->quals;
  where = make_and_qual(where, static_cast<Node*>(copyObjectImpl(call->aggfilter)));
  where = make_and_qual(where, known);
  TargetEntry* const shown = makeTargetEntry(value, 1, pstrdup("mode"), false);
  TargetEntry* const counted = makeTargetEntry(reinterpret_cast<Expr*>(count_rows()), 2, pstrdup("count"), true);
  SortGroupClause* const key = by(shown, 1, false);
  query->targetList = list_make2(shown, counted);
  query->groupClause = list_make1(key);
  query->sortClause = list_make2(by(counted, 2, true), copyObjectImpl(key));
  query->limitCount = reinterpret_cast<Node*>(pg::int8_constant(1));
  query->limitOption = LIMIT_OPTION_COUNT;
  query->hasAggs = true;
  put_within_level(query, levels, 1);
  return query;
}

// (SELECT mode FROM the CTE), within the level.
Node* read_of(CommonTableExpr* cte, const Aggref* call) {
  Query* const read = pg::select_from(entry_of_cte(cte, 1));
  auto* const column = reinterpret_cast<Expr*>(column_showing(1, 1, value_of(call)));
  read->targetList = list_make1(makeTargetEntry(column, 1, pstrdup("mode"), false));
  auto* const link = makeNode(SubLink);
  link->subLinkType = EXPR_SUBLINK;
  link->subselect = reinterpret_cast<Node*>(read);
  link->location = -1;
  return reinterpret_cast<Node*>(link);
}

// Whether somebody has said what the choice of groups costs.
bool is_priced(const Sources& sources) {
  return sources.read().any_table([](const Sources& read, int table) {
    const budget::Protection* const protection = read.protection(table);
    return protection != nullptr && protection->selection.epsilon > 0;
  });
}

// Whether its groups are public though nobody has listed them: a truth, or whole numbers or days in a declared range.
bool has_public_groups(const Node* value, const Sources& sources) {
  const Oid type = exprType(value);
  if (type == BOOLOID) return true;
  if (!IsA(value, Var) || (type != INT2OID && type != INT4OID && type != INT8OID && type != DATEOID)) return false;
  const auto* const column = reinterpret_cast<const Var*>(value);
  const budget::Protection* const protection = sources.protection(static_cast<int>(column->varno));
  return protection != nullptr && column->varattno > 0 &&
         budget::range_of_column(sources.table(static_cast<int>(column->varno))->relid, column->varattno).has_value();
}

// Whether it is asked by groups: nobody has listed the values, and groups of them are public, or can be chosen.
bool is_asked(const Aggref* call, const Sources& sources) {
  if (call->aggfnoid != kMode || call->agglevelsup > 0 || call->aggdistinct != NIL) return false;
  auto* const value = static_cast<Node*>(copyObjectImpl(value_of(call)));
  const TypeCacheEntry* const type =
      lookup_type_cache(exprType(value), TYPECACHE_LT_OPR | TYPECACHE_GT_OPR | TYPECACHE_EQ_OPR);
  if (!OidIsValid(type->lt_opr) || !OidIsValid(type->gt_opr) || !OidIsValid(type->eq_opr)) return false;
  Node* const over = sources.over_tables(value, "an aggregate");
  return listed_values(over, sources) == nullptr &&
         (is_priced(sources) || !selection_by_itself(sources).zero() || has_public_groups(over, sources));
}

// Equal calls read the first one's CTE, so that they are drawn once; one that nothing reads is left out by PostgreSQL.
Node* replace(Node* node, void* modes) {
  if (node == nullptr || IsA(node, Query)) return node;
  if (IsA(node, Aggref)) {
    ListCell* cell;
    foreach (cell, static_cast<List*>(modes)) {
      const auto& mode = *static_cast<const Mode*>(lfirst(cell));
      if (!equal(mode.call, node)) continue;
      ++mode.cte->cterefcount;
      return read_of(mode.cte, mode.call);
    }
  }
  return pg::mutate(node, replace, modes);
}

bool calls_mode(Node* node, void* none) {
  if (node == nullptr || IsA(node, Query)) return false;
  if (IsA(node, Aggref) && castNode(Aggref, node)->aggfnoid == kMode) return true;
  return pg::walk(node, calls_mode, none);
}

}  // namespace

List* ask_modes_by_group(Query* level, List* levels) {
  if (!may_ask_modes(level) || !calls_mode(reinterpret_cast<Node*>(level->targetList), nullptr)) return NIL;
  Level here(level, levels);
  const Sources sources = here.sources();
  if (sources.tables == NIL || !reads_denied(sources.read()) || here.aggregates().errors != NIL) return NIL;
  List *modes = NIL, *queries = NIL;
  ListCell* cell;
  foreach (cell, here.aggregates().ordinary) {
    const auto* const call = lfirst_node(Aggref, cell);
    if (!is_asked(call, sources)) continue;
    Query* const query = most_frequent(level, levels, call);
    CommonTableExpr* const cte = as_cte(query, psprintf("mode_%d", list_length(level->cteList) + 1));
    cte->cterefcount = 0;
    level->cteList = lappend(level->cteList, cte);
    linitial_node(Query, levels)->cteList = level->cteList;  // where its readers look for it
    queries = lappend(queries, query);
    modes = lappend(modes, new (palloc(sizeof(Mode))) Mode{call, cte});
  }
  if (modes == NIL) return NIL;
  level->targetList = reinterpret_cast<List*>(replace(reinterpret_cast<Node*>(level->targetList), modes));
  level->hasSubLinks = true;
  level->hasAggs = Level(level, levels).calls_aggregates();
  if (!level->hasAggs) read_nothing(level, levels, sources);
  return queries;
}

}  // namespace dp::guard
