#include "guard/rewrite/free_levels.h"

#include "budget/policy/accounts.h"
#include "guard/query/permissions.h"

namespace dp::guard {

bool is_denied_with_account(const RangeTblEntry* table) {
  if (table->rtekind != RTE_RELATION || table->requiredPerms == 0) return false;
  const Oid role = planning_role(table->checkAsUser);
  if (!lacks_select(table->relid, role)) return false;
  const auto protection = budget::protection_of(table->relid);
  return protection && budget::has_account(*protection, role);
}

const RangeTblEntry* denied_table(const Sources& sources) {
  ListCell* cell;
  foreach (cell, sources.tables) {
    const auto* const table = lfirst_node(RangeTblEntry, cell);
    if (is_denied_with_account(table)) return table;
  }
  return nullptr;
}

bool has_keys(const Query* level) {
  if (level->groupClause != NIL) return true;
  return level->distinctClause != NIL && !level->hasDistinctOn && !level->hasWindowFuncs && !level->hasTargetSRFs &&
         level->groupingSets == NIL && !level->hasAggs;
}

void group_by_distinct(Query* level) {
  if (level->groupClause != NIL || level->groupingSets != NIL) return;
  level->groupClause = static_cast<List*>(copyObjectImpl(level->distinctClause));
}

void read_nothing(Query* level, List* levels, const Sources& sources) {
  List* kept = NIL;
  ListCell* cell;
  foreach (cell, list_concat_copy(sources.tables, sources.passed)) {
    auto* const table = static_cast<RangeTblEntry*>(copyObjectImpl(lfirst(cell)));
    // Named for plans that must be made anew when the table changes; none of its rows is read.
    if (is_denied_with_account(table)) table->requiredPerms = 0;
    table->inFromCl = false;
    kept = lappend(kept, table);
  }
  forget_from_items(level, levels);
  level->rtable = kept;
  level->jointree = makeFromExpr(NIL, level->havingQual);
  level->havingQual = nullptr;
  level->hasAggs = false;
}

}  // namespace dp::guard
