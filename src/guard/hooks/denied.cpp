#include "guard/hooks/denied.h"

#include "budget/policy/accounts.h"
#include "guard/admission/refusal.h"
#include "guard/query/permissions.h"
#include "pg/errors.h"
#include "pg/walk.h"

namespace dp::guard {

const char* hint_of_denied(List* tables, const PlannedStmt* plan) {
  ListCell* cell;
  foreach (cell, tables) {
    const auto* const entry = static_cast<pg::Permissions*>(lfirst(cell));
    if (!pg::is_relation(entry) || entry->requiredPerms == 0) continue;
    if (!lacks_select(entry->relid, asking_role(entry->checkAsUser, plan))) continue;
    const auto protection = budget::protection_of(entry->relid);
    if (!protection || !budget::has_account(*protection, asking_role(entry->checkAsUser, plan))) continue;
    const char* const name = quote_identifier(get_rel_name(entry->relid));
    return psprintf(
        "You have a budget on %s: ask with private aggregates alone, for example SELECT dp_count('*', %s) FROM %s;",
        name, example_epsilon(), name);
  }
  return nullptr;
}

namespace {

// CTEs that nobody reads, or private queries alone: the planner does not plan them.
bool is_dead(const CommonTableExpr* cte) {
  return cte->cterefcount == 0 && castNode(Query, cte->ctequery)->commandType == CMD_SELECT;
}

void refuse_table(pg::Permissions* table) {
  // Privileges first: nearly always the role has them, and nothing more is looked up.
  if (!pg::is_relation(table) || table->requiredPerms == 0 || pg::are_granted(table)) return;
  if (!budget::protection_of(table->relid) && !budget::has_protected_child(table->relid)) return;
  const char* const hint = hint_of_denied(list_make1(table), nullptr);
  const char* const kind = get_rel_relkind(table->relid) == RELKIND_MATVIEW ? "materialized view" : "table";
  // The hint also stands in the message: many tools do not show hints.
  ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
                  errmsg("permission denied for %s %s%s%s", kind, get_rel_name(table->relid),
                         hint != nullptr ? ". " : "", hint != nullptr ? hint : ""),
                  hint != nullptr ? errhint("%s", hint) : 0));
}

bool refuse(Node* node, void* context) {
  if (node == nullptr) return false;
  if (!IsA(node, Query)) return pg::walk(node, refuse, context);
  auto* const query = castNode(Query, node);
  ListCell* cell;
  foreach (cell, pg::checked_permissions(query)) refuse_table(static_cast<pg::Permissions*>(lfirst(cell)));
  foreach (cell, query->cteList) {
    const auto* const cte = lfirst_node(CommonTableExpr, cell);
    if (!is_dead(cte)) refuse(cte->ctequery, context);
  }
  return pg::walk_query(query, refuse, context, QTW_IGNORE_CTE_SUBQUERIES);
}

}  // namespace

void refuse_denied(Query* query) { refuse(reinterpret_cast<Node*>(query), nullptr); }

}  // namespace dp::guard
