#include "guard/hooks/maintenance.h"

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/policy_rows.h"
#include "guard/hooks/utility_options.h"
#include "guard/query/permissions.h"
#include "pg/acl.h"
#include "pg/catalog.h"
#include "pg/errors.h"

namespace dp::guard {
namespace {

ProcessUtility_hook_type next_utility = standard_ProcessUtility;

// The name of the statement if it would tell of rows; nullptr if it does not, or is another.
const char* telling(Node* utility) {
  const bool debugging = client_min_messages < LOG;
  switch (nodeTag(utility)) {
    case T_VacuumStmt: {
      const auto* const vacuum = castNode(VacuumStmt, utility);
      if (!debugging && !may_be_on(vacuum->options, "verbose")) return nullptr;
      return vacuum->is_vacuumcmd ? "VACUUM" : "ANALYZE";
    }
    case T_ClusterStmt:
      return debugging || may_be_on(castNode(ClusterStmt, utility)->params, "verbose") ? "CLUSTER" : nullptr;
    case T_ReindexStmt:
      return debugging ? "REINDEX" : nullptr;
    default:
      return nullptr;
  }
}

bool may_only_maintain(Oid relation, Oid role) {
  return lacks_select(relation, role) && pg::may_maintain(relation, role) && !pg::owns_relation(relation, role);
}

// Where policies cannot be read, whatever a user has made may be protected.
Oid any_maintained_table(Oid role) {
  Oid found = InvalidOid;
  pg::visit_catalog<FormData_pg_class>(RelationRelationId, [&](const FormData_pg_class& table, HeapTuple) {
    const bool has_rows = table.relkind == RELKIND_RELATION || table.relkind == RELKIND_MATVIEW;
    if (OidIsValid(found) || !has_rows || table.oid < FirstNormalObjectId) return;
    if (may_only_maintain(table.oid, role) && !budget::is_of_extension(RelationRelationId, table.oid))
      found = table.oid;
  });
  return found;
}

// A table of somebody else that the role may maintain and not read; InvalidOid where there is none.
Oid maintained_table(Oid role) {
  if (!budget::can_read_policies()) return any_maintained_table(role);
  ListCell *table, *below;
  foreach (table, budget::all_protected()) {
    const Oid relation = static_cast<budget::Policy*>(lfirst(table))->relation;
    if (!budget::relation_exists(relation)) continue;
    foreach (below, find_all_inheritors(relation, NoLock, nullptr)) {
      if (may_only_maintain(lfirst_oid(below), role)) return lfirst_oid(below);
    }
  }
  return InvalidOid;
}

void refuse_telling(const char* statement) {
  const Oid table = maintained_table(GetUserId());
  if (!OidIsValid(table)) return;
  const bool known = budget::can_read_policies();
  ereport(ERROR,
          (errcode(pg::kNotAdmissible),
           errmsg("%s with messages is refused to a role that may maintain %stable %s and not read it", statement,
                  known ? "protected " : "", get_rel_name(table)),
           known ? errdetail("They would tell how many rows the table has.")
                 : errdetail("They would tell how many rows the table has. Whether it is protected cannot be known: "
                             "extension pg_dp of this database is of another version than its library."),
           errhint("Leave VERBOSE out, and SET client_min_messages = notice;")));
}

void run_utility(PlannedStmt* statement, const char* text, bool read_only, ProcessUtilityContext context,
                 ParamListInfo parameters, QueryEnvironment* environment, DestReceiver* receiver,
                 QueryCompletion* completion) {
  // The catalog is looked into for these statements alone: ROLLBACK is run where it cannot be read.
  const char* const tells = telling(statement->utilityStmt);
  if (tells != nullptr && !budget::is_absent()) pg::entry([tells] { pg::call([tells] { refuse_telling(tells); }); });
  next_utility(statement, text, read_only, context, parameters, environment, receiver, completion);
}

}  // namespace

void install_maintenance() {
  if (ProcessUtility_hook != nullptr) next_utility = ProcessUtility_hook;
  ProcessUtility_hook = run_utility;
}

}  // namespace dp::guard
