#include "guard/hooks/page_counts.h"

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/policy_rows.h"
#include "guard/hooks/utility_options.h"
#include "guard/query/permissions.h"
#include "guard/query/silence.h"
#include "pg/errors.h"
#include "pg/execution.h"

namespace dp::guard {
namespace {

ProcessUtility_hook_type next_utility = standard_ProcessUtility;

// The name of the statement if it would show numbers of pages; nullptr if it does not.
const char* counting(Node* utility) {
  if (IsA(utility, ExplainStmt)) {
    List* const options = castNode(ExplainStmt, utility)->options;
    if (may_be_on(options, "buffers")) return "EXPLAIN (BUFFERS)";
    // Planning takes memory for what is known of the tables.
    if (may_be_on(options, "memory")) return "EXPLAIN (MEMORY)";
    return may_be_on(options, "wal") ? "EXPLAIN (WAL)" : nullptr;
  }
  if (!IsA(utility, VacuumStmt)) return nullptr;
  const auto* const vacuum = castNode(VacuumStmt, utility);
  if (!may_be_on(vacuum->options, "verbose")) return nullptr;
  return vacuum->is_vacuumcmd ? "VACUUM (VERBOSE)" : "ANALYZE (VERBOSE)";
}

// Whether the session can be that role, or have its privileges. A superuser can be anybody and is trusted.
bool is_within_reach(Oid role) {
  for (const Oid own : {GetUserId(), GetOuterUserId(), GetSessionUserId()}) {
    if (!superuser_arg(own) && is_member_of_role(own, role)) return true;
  }
  return false;
}

// A table on which a role within reach has an account and no other way to the rows; InvalidOid where there is none. Of
// several the one with the lowest number, so that each time the same is named. Where policies cannot be read nothing
// private is answered, and nobody's rows leave anything in memory.
Oid fenced_table() {
  if (!budget::can_read_policies()) return InvalidOid;
  Oid fenced = InvalidOid;
  ListCell *table, *account;
  foreach (table, budget::all_protected()) {
    const Oid relation = static_cast<budget::Policy*>(lfirst(table))->relation;
    if (OidIsValid(fenced) && relation > fenced) continue;
    foreach (account, budget::accounts_on(relation)) {
      const Oid role = static_cast<budget::Policy*>(lfirst(account))->role;
      if (is_within_reach(role) && lacks_select(relation, role)) fenced = relation;
    }
  }
  return fenced;
}

bool counts_by_default(Node* utility) {
  if (!pg::kAnalyzeCountsPages || !IsA(utility, ExplainStmt)) return false;
  List* const options = castNode(ExplainStmt, utility)->options;
  ListCell* cell;
  foreach (cell, options) {
    if (strcmp(lfirst_node(DefElem, cell)->defname, "buffers") == 0) return false;
  }
  return may_be_on(options, "analyze");
}

// The statement with BUFFERS off, where it would count pages without being told to and somebody sees them who must not.
PlannedStmt* without_counts(PlannedStmt* statement) {
  if (!counts_by_default(statement->utilityStmt) || !OidIsValid(fenced_table())) return statement;
  auto* const copy = static_cast<PlannedStmt*>(copyObjectImpl(statement));
  auto* const explain = castNode(ExplainStmt, copy->utilityStmt);
  explain->options =
      lappend(explain->options, makeDefElem(pstrdup("buffers"), reinterpret_cast<Node*>(makeBoolean(false)), -1));
  return copy;
}

void refuse_counting(const char* statement) {
  const Oid table = fenced_table();
  if (!OidIsValid(table)) return;
  const char* const name = get_rel_name(table);
  ereport(ERROR, (errcode(pg::kNotAdmissible),
                  errmsg("%s is refused to a role that has a budget on table %s and may not read it", statement, name),
                  errdetail("What a private query leaves in memory changes how many pages the next statement takes."),
                  errhint("Leave WAL, MEMORY and VERBOSE out: EXPLAIN (ANALYZE, BUFFERS off) shows times and rows of a "
                          "statement of your own.")));
}

void explain(PlannedStmt* statement, bool counts, const auto& run) {
  pg::entry([&] {
    PlannedStmt* const shown = pg::call([=] { return without_counts(statement); });
    List* const options = castNode(ExplainStmt, statement->utilityStmt)->options;
    const ExplainsMeasures asked(counts || may_be_on(options, "analyze"));
    pg::call([&] { run(shown); });
  });
}

void run_utility(PlannedStmt* statement, const char* text, bool read_only, ProcessUtilityContext context,
                 ParamListInfo parameters, QueryEnvironment* environment, DestReceiver* receiver,
                 QueryCompletion* completion) {
  const auto run = [=](PlannedStmt* shown) {
    next_utility(shown, text, read_only, context, parameters, environment, receiver, completion);
  };
  Node* const utility = statement->utilityStmt;
  const bool explains = IsA(utility, ExplainStmt);
  if ((!explains && !IsA(utility, VacuumStmt)) || budget::is_absent()) return run(statement);
  const char* const counts = counting(utility);
  if (counts != nullptr) pg::entry([counts] { pg::call([counts] { refuse_counting(counts); }); });
  if (!explains) return run(statement);
  explain(statement, counts != nullptr, run);
}

}  // namespace

void install_page_counts() {
  if (ProcessUtility_hook != nullptr) next_utility = ProcessUtility_hook;
  ProcessUtility_hook = run_utility;
}

}  // namespace dp::guard
