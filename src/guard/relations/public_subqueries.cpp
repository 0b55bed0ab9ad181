#include "guard/relations/public_subqueries.h"

#include "guard/relations/protected_reads.h"
#include "pg/nodes.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// ---- what binds it to the queries around it -------------------------------------------------------------------------

struct Search {
  int depth;      // of the query that is looked at, below the one around
  int queries;    // so many are around, of one of which it may read CTEs
  int with_ctes;  // the number of that one, from 0; -1: it reads none
};

bool is_bound(Node* node, void* context);

// Whether it reads CTEs of a second query around it.
bool reads_others(const RangeTblEntry* entry, Search* search) {
  const int up = static_cast<int>(entry->ctelevelsup) - search->depth;
  if (up < 0) return false;
  if (up >= search->queries || (search->with_ctes >= 0 && search->with_ctes != up)) return true;
  search->with_ctes = up;
  return false;
}

bool is_bound_query(Query* query, Search* search) {
  if (query->commandType != CMD_SELECT || query->rowMarks != NIL) return true;
  ++search->depth;
  const bool found = pg::walk_query(query, is_bound, search, QTW_EXAMINE_RTES_BEFORE);
  --search->depth;
  return found;
}

bool is_bound(Node* node, void* context) {
  if (node == nullptr) return false;
  auto* const search = static_cast<Search*>(context);
  if (IsA(node, Query)) return is_bound_query(castNode(Query, node), search);
  if (IsA(node, RangeTblEntry)) {
    const auto* const entry = castNode(RangeTblEntry, node);
    if (entry->rtekind == RTE_NAMEDTUPLESTORE) return true;
    return entry->rtekind == RTE_CTE && reads_others(entry, search);
  }
  if (IsA(node, Var) && static_cast<int>(castNode(Var, node)->varlevelsup) >= search->depth) return true;
  if (IsA(node, Aggref) && static_cast<int>(castNode(Aggref, node)->agglevelsup) >= search->depth) return true;
  return pg::walk(node, is_bound, context);
}

// ---- as a statement of its own --------------------------------------------------------------------------------------

// SELECT * FROM the entry, with its columns in their places.
Query* all_of(RangeTblEntry* entry) {
  Query* const query = pg::select_all_from(entry);
  query->hasSubLinks = checkExprHasSubLink(reinterpret_cast<Node*>(entry->functions));
  return query;
}

struct Lift {
  Query* query;  // which the CTEs become those of
  int depth;     // below it
  int levels;    // so many queries between it and the one that had them are gone
};

bool lift(Node* node, void* context);

// Once for each entry that reads it.
void read_cte(const RangeTblEntry* entry, Lift* here) {
  ListCell* cell;
  foreach (cell, here->query->cteList) {
    auto* const cte = lfirst_node(CommonTableExpr, cell);
    if (strcmp(cte->ctename, entry->ctename) != 0 || ++cte->cterefcount > 1) continue;
    Lift below{here->query, 0, 0};
    lift(cte->ctequery, &below);
  }
}

bool lift(Node* node, void* context) {
  if (node == nullptr) return false;
  auto* const here = static_cast<Lift*>(context);
  if (IsA(node, Query)) {
    ++here->depth;
    pg::walk_query(castNode(Query, node), lift, context, QTW_EXAMINE_RTES_BEFORE);
    --here->depth;
    return false;
  }
  if (IsA(node, RangeTblEntry)) {
    auto* const entry = castNode(RangeTblEntry, node);
    if (entry->rtekind != RTE_CTE || static_cast<int>(entry->ctelevelsup) < here->depth) return false;
    entry->ctelevelsup -= static_cast<Index>(here->levels);
    if (static_cast<int>(entry->ctelevelsup) == here->depth) read_cte(entry, here);
    return false;
  }
  return pg::walk(node, lift, context);
}

// The entry's rows, with those of the CTEs that are read.
Query* with_ctes(RangeTblEntry* entry, const Query* level, int levels) {
  Query* const query = all_of(entry);
  query->cteList = static_cast<List*>(copyObjectImpl(level->cteList));
  query->hasRecursive = level->hasRecursive;
  ListCell* cell;
  foreach (cell, query->cteList) lfirst_node(CommonTableExpr, cell)->cterefcount = 0;
  Lift lifting{query, 0, levels};
  pg::walk_tables(query->rtable, lift, &lifting, QTW_EXAMINE_RTES_BEFORE);
  foreach (cell, query->cteList) {
    if (lfirst_node(CommonTableExpr, cell)->cterefcount == 0)
      query->cteList = foreach_delete_current(query->cteList, cell);
  }
  return query;
}

// As the level names its columns, for messages.
void name_columns(Query* query, const RangeTblEntry* entry) {
  ListCell *cell, *name;
  forboth(cell, query->targetList, name, entry->eref->colnames) lfirst_node(TargetEntry, cell)->resname =
      pstrdup(strVal(lfirst(name)));
}

bool may_run(const RangeTblEntry* entry, List* levels) {
  if (entry->lateral) return false;
  List* outer = NIL;
  return entry->rtekind == RTE_SUBQUERY || entry->rtekind == RTE_FUNCTION ||
         (entry->rtekind == RTE_CTE && find_cte(entry, levels, &outer) != nullptr);
}

}  // namespace

Query* public_query(const RangeTblEntry* entry, List* levels, const char** unsupported) {
  if (!may_run(entry, levels)) return nullptr;
  auto* const copy = static_cast<RangeTblEntry*>(copyObjectImpl(entry));
  Search around{0, list_length(levels), -1};
  if (pg::walk_tables(list_make1(copy), is_bound, &around, QTW_EXAMINE_RTES_BEFORE)) return nullptr;
  Query* query = copy->rtekind == RTE_FUNCTION ? all_of(copy) : copy->subquery;
  if (around.with_ctes >= 0) {
    const auto* const level = static_cast<Query*>(list_nth(levels, around.with_ctes));
    query = with_ctes(copy, level, around.with_ctes);
    Search alone{0, 0, -1};
    if (is_bound_query(query, &alone)) return nullptr;
  }
  if (reads_protected(query)) return nullptr;
  if (contain_volatile_functions(reinterpret_cast<Node*>(query))) {
    *unsupported = kVolatile;
    return nullptr;
  }
  name_columns(query, entry);
  return query;
}

}  // namespace dp::guard
