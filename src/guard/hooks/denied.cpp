#include "guard/hooks/denied.h"

#include "aggregate/call/prepare_plan.h"
#include "aggregate/call/settings.h"
#include "budget/catalog/extension_catalog.h"
#include "budget/policy/accounts.h"
#include "guard/admission/refusal.h"
#include "guard/query/permissions.h"
#include "guard/relations/from_clause.h"
#include "guard/rewrite/aggregate_calls.h"
#include "guard/rewrite/empty_levels.h"
#include "guard/rewrite/free_levels.h"
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
    if (!protection) continue;
    const Oid role = asking_role(entry->checkAsUser, plan);
    const char* const name = quote_identifier(get_rel_name(entry->relid));
    if (!budget::has_account(*protection, role)) {
      return psprintf("You have no budget on %s. Ask a curator for one: SELECT dp.grant_budget(%s, %s, 1);", name,
                      quote_literal_cstr(budget::relation_name(protection->relation)),
                      quote_literal_cstr(budget::role_name(role)));
    }
    const bool plain = aggregate::epsilon_setting() > 0 || budget::curated_answer(*protection, role).epsilon > 0;
    return psprintf("You have a budget on %s: ask with private aggregates alone, for example SELECT %s FROM %s;", name,
                    plain ? "count(*)" : psprintf("dp_count('*', %s)", example_epsilon()), name);
  }
  return nullptr;
}

namespace {

// CTEs that nobody reads, or private queries alone: the planner does not plan them.
bool is_dead(const CommonTableExpr* cte) {
  return cte->cterefcount == 0 && castNode(Query, cte->ctequery)->commandType == CMD_SELECT;
}

bool is_denied(pg::Permissions* table) {
  return pg::is_relation(table) && table->requiredPerms != 0 && !pg::are_granted(table);
}

// What is around a table.
struct Place {
  Query* statement;
  bool below_aggregates;    // of a query that reads it as a subquery
  const char* unsupported;  // what that subquery does beyond choosing rows and columns; nullptr: nothing
  bool chooses_firsts;      // it does so by windows or DISTINCT ON
};

void refuse_table(pg::Permissions* table, const Place& place) {
  // Privileges first: nearly always the role has them, and nothing more is looked up.
  if (!is_denied(table)) return;
  if (!budget::protection_of(table->relid) && !budget::has_protected_child(table->relid)) return;
  const char* hint = hint_of_denied(list_make1(table), nullptr);
  if (place.unsupported != nullptr && is_denied_with_account(table)) {
    const char* instead = "";
    if (place.chooses_firsts)
      instead =
          " The first rows of each person are found by a comparison: WHERE v.day = (SELECT min(o.day) FROM visits "
          "o WHERE o.patient_id = v.patient_id)";
    if (strncmp(place.unsupported, "a set operation", strlen("a set operation")) == 0)
      instead =
          " Choose the rows by one condition, WHERE a OR b, or add up the answers: SELECT (SELECT count(*) FROM a) "
          "+ (SELECT count(*) FROM b)";
    hint = psprintf("%s not through %s.%s", hint, place.unsupported, instead);
  } else if (can_be_previewed(place.statement) && is_denied_with_account(table)) {
    hint = psprintf("%s or SET dp.preview = 'empty'; to see its columns without rows", hint);
  }
  const char* const kind = get_rel_relkind(table->relid) == RELKIND_MATVIEW ? "materialized view" : "table";
  // Not as a hint: many tools do not show hints.
  ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
                  errmsg("permission denied for %s %s%s%s", kind, get_rel_name(table->relid),
                         hint != nullptr ? ". " : "", hint != nullptr ? hint : "")));
}

// Calls of the extension's own aggregates with OVER, which PostgreSQL would refuse without saying what to write.
bool refuse_window(Node* node, void*) {
  if (node == nullptr) return false;
  if (IsA(node, WindowFunc) && aggregate::is_private_aggregate(castNode(WindowFunc, node)->winfnoid) &&
      budget::is_of_extension(ProcedureRelationId, castNode(WindowFunc, node)->winfnoid)) {
    const auto* const call = castNode(WindowFunc, node);
    DP_REFUSE(call->location, errmsg("private aggregate %s cannot be a window function", get_func_name(call->winfnoid)),
              errhint("Ask first, and take the window over the answers: SELECT ward, n, sum(n) OVER () FROM (SELECT "
                      "ward, dp_count('*', %s) AS n FROM visits GROUP BY ward) AS answers;",
                      example_epsilon()));
  }
  return pg::walk(node, refuse_window, nullptr);
}

// Private aggregates over a table that has no budget and may not be read.
void refuse_without_budget(Query* query) {
  if (!query->hasAggs || aggregates_of(query).ours == NIL) return;
  ListCell* cell;
  foreach (cell, pg::checked_permissions(query)) {
    auto* const table = static_cast<pg::Permissions*>(lfirst(cell));
    if (!is_denied(table) || table->relid < FirstNormalObjectId) continue;
    const char* const name = quote_literal_cstr(budget::relation_name(table->relid));
    const char* const role = quote_literal_cstr(budget::role_name(asking_role(table->checkAsUser, nullptr)));
    ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
                    errmsg("permission denied for table %s: you have neither a budget on it nor the right to read it",
                           get_rel_name(table->relid)),
                    errhint("Ask a curator to protect it and for a budget: SELECT dp.protect(%s, 10), "
                            "dp.grant_budget(%s, %s, 1);",
                            name, name, role)));
  }
}

bool refuse(Node* node, void* context) {
  if (node == nullptr) return false;
  if (!IsA(node, Query)) return pg::walk(node, refuse, context);
  auto* const query = castNode(Query, node);
  if (query->hasWindowFuncs) refuse_window(reinterpret_cast<Node*>(query->targetList), nullptr);
  Place here = *static_cast<const Place*>(context);
  if (here.below_aggregates && here.unsupported == nullptr) {
    here.unsupported = more_than_a_choice(query);
    here.chooses_firsts = query->hasWindowFuncs || query->hasDistinctOn;
  }
  ListCell* cell;
  foreach (cell, pg::checked_permissions(query)) {
    refuse_table(static_cast<pg::Permissions*>(lfirst(cell)), here);
  }
  here.below_aggregates = here.below_aggregates || query->hasAggs;
  foreach (cell, query->cteList) {
    const auto* const cte = lfirst_node(CommonTableExpr, cell);
    if (!is_dead(cte)) refuse(cte->ctequery, &here);
  }
  refuse_without_budget(query);
  return pg::walk_query(query, refuse, &here, QTW_IGNORE_CTE_SUBQUERIES);
}

}  // namespace

void refuse_denied(Query* query) {
  Place outermost{query, false, nullptr, false};
  refuse(reinterpret_cast<Node*>(query), &outermost);
}

}  // namespace dp::guard
