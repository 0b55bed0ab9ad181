#include "guard/rewrite/free_levels.h"

#include <utility>

#include "budget/policy/accounts.h"
#include "guard/functions/called_functions.h"
#include "guard/functions/calls.h"
#include "guard/query/permissions.h"
#include "guard/relations/from_clause.h"
#include "guard/tree/entries.h"
#include "pg/nodes.h"

namespace dp::guard {

static bool is_denied(const pg::Permissions* table) {
  if (table == nullptr || !pg::is_relation(table) || table->requiredPerms == 0) return false;
  return lacks_select(table->relid, planning_role(table->checkAsUser));
}

// Of a table that is denied.
static bool has_account(const pg::Permissions* table, const ReadTable& read) {
  const budget::Protection* const protection = read.protection();
  return protection != nullptr && budget::has_account(*protection, planning_role(table->checkAsUser));
}

bool is_denied_with_account(const pg::Permissions* table) {
  return is_denied(table) && has_account(table, ReadTable(table->relid));
}

bool reads_denied(const Sources& sources) {
  return sources.any_table([](const Sources& read, int table) {
    const pg::Permissions* const permissions = pg::permissions_in(read.permissions, read.table(table));
    return is_denied(permissions) && has_account(permissions, read.read_at(table));
  });
}

bool names_denied(const Query* level) {
  ListCell* cell;
  foreach (cell, level->rtable) {
    const auto* const entry = lfirst_node(RangeTblEntry, cell);
    if (entry->rtekind == RTE_RELATION && is_denied_with_account(pg::permissions_of(level, entry))) return true;
    if (entry->rtekind == RTE_SUBQUERY && more_than_a_choice(entry->subquery) == nullptr &&
        names_denied(entry->subquery))
      return true;
  }
  return false;
}

bool has_keys(const Query* level) {
  if (level->groupClause != NIL) return true;
  return level->distinctClause != NIL && !level->hasDistinctOn && !level->hasWindowFuncs && !level->hasTargetSRFs &&
         level->groupingSets == NIL && !level->hasAggs;
}

bool has_joins(const Query* level) {
  ListCell* cell;
  foreach (cell, level->rtable) {
    if (lfirst_node(RangeTblEntry, cell)->rtekind == RTE_JOIN) return true;
  }
  return false;
}

// Of the tables in a subquery that nobody reads any more.
static void ask_nothing(Query* query) {
  ListCell* cell;
  foreach (cell, query->cteList) ask_nothing(castNode(Query, lfirst_node(CommonTableExpr, cell)->ctequery));
  foreach (cell, query->rtable) {
    auto* const table = lfirst_node(RangeTblEntry, cell);
    if (table->rtekind == RTE_SUBQUERY) ask_nothing(table->subquery);
    if (is_denied_with_account(pg::permissions_of(query, table))) pg::ask_no_permissions(query, table);
  }
}

void read_nothing(Query* level, List* levels, const Sources& sources) {
  auto* permissions = static_cast<List*>(copyObjectImpl(sources.permissions));
  List* kept = NIL;
  ListCell* cell;
  foreach (cell, list_concat_copy(sources.tables, sources.passed)) {
    auto* const table = static_cast<RangeTblEntry*>(copyObjectImpl(lfirst(cell)));
    // Named for plans that must be made anew when the table changes; none of its rows is read.
    pg::Permissions* const checked = pg::permissions_in(permissions, table);
    if (is_denied_with_account(checked)) checked->requiredPerms = 0;
    if (table->rtekind == RTE_SUBQUERY) ask_nothing(table->subquery);
    table->inFromCl = false;
    kept = lappend(kept, table);
  }
  release_ctes(level, levels);
  level->rtable = list_concat(kept, named_only(level, &permissions));
  pg::set_permissions(level, permissions);
  level->hasAggs = false;
  level->jointree = makeFromExpr(NIL, nullptr);
  // Empty grouping sets have their rows whatever WHERE says: of them the condition is still that of HAVING.
  if (level->groupingSets == NIL) std::swap(level->jointree->quals, level->havingQual);
}

void name_free_level(Query* statement) {
  if (statement->commandType != CMD_SELECT || statement->setOperations != nullptr) return;
  if (statement->jointree->fromlist != NIL || statement->hasSubLinks) return;
  const char* table = nullptr;
  ListCell* cell;
  foreach (cell, statement->rtable) {
    const auto* const entry = lfirst_node(RangeTblEntry, cell);
    if (entry->rtekind == RTE_RELATION && !entry->inFromCl && budget::protection_of(entry->relid))
      table = get_rel_name(entry->relid);
  }
  if (table == nullptr) return;
  const auto one = [] { return pg::int4_constant(1); };
  FuncExpr* const series = called(kSeries, list_make2(one(), one()));
  series->funcretset = true;
  auto* const function = makeNode(RangeTblFunction);
  function->funcexpr = reinterpret_cast<Node*>(series);
  function->funccolcount = 1;
  auto* const row = makeNode(RangeTblEntry);
  row->rtekind = RTE_FUNCTION;
  row->functions = list_make1(function);
  row->eref = makeAlias(psprintf("ends declared of %s: free", table), list_make1(makeString(pstrdup("row"))));
  row->alias = row->eref;
  row->inFromCl = true;
  statement->jointree->fromlist = list_make1(item_of(add_entry(statement, row)));
}

}  // namespace dp::guard
