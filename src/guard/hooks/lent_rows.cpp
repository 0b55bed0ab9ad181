#include "guard/hooks/lent_rows.h"

#include "budget/ledger/lent_rows.h"
#include "guard/tree/by_number.h"
#include "pg/permissions.h"
#include "pg/relation_owner.h"

namespace dp::guard {
namespace {

// The one table that the query reads, in the form in which postgres_fdw asks for rows or parts of them; InvalidOid
// where it is another one.
Oid only_table(const Query* query) {
  if (query->commandType != CMD_SELECT || query->hasSubLinks || query->hasModifyingCTE || query->cteList != NIL ||
      query->rowMarks != NIL || query->setOperations != nullptr || list_length(query->jointree->fromlist) != 1)
    return InvalidOid;
  const auto* const from = static_cast<const Node*>(linitial(query->jointree->fromlist));
  if (!IsA(from, RangeTblRef)) return InvalidOid;
  const auto* const entry = entry_numbered(reinterpret_cast<const RangeTblRef*>(from)->rtindex, query->rtable);
  if (entry->rtekind != RTE_RELATION || entry->tablesample != nullptr) return InvalidOid;
  return entry->relid;
}

}  // namespace

PlannedStmt* plan_lent_rows(Query* query, const char* text, int options, ParamListInfo parameters,
                            planner_hook_type next) {
  const Oid table = only_table(query);
  if (!OidIsValid(table) || text == nullptr) return nullptr;
  ListCell* cell;
  foreach (cell, pg::checked_permissions(query)) {
    const auto* const entry = static_cast<pg::Permissions*>(lfirst(cell));
    if (pg::is_relation(entry) && (entry->relid != table || entry->requiredPerms != ACL_SELECT)) return nullptr;
  }
  if (!budget::begin_lent_statement(text, table, GetUserId())) return nullptr;
  foreach (cell, pg::checked_permissions(query)) {
    auto* const entry = static_cast<pg::Permissions*>(lfirst(cell));
    if (pg::is_relation(entry)) entry->checkAsUser = pg::owner_of(table);
  }
  return next(query, text, options, parameters);
}

}  // namespace dp::guard
