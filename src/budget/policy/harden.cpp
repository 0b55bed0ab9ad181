// dp.harden, dp.harden_statements, dp.unharden, dp.is_hardened.
#include "budget/policy/harden.h"

#include <algorithm>
#include <string_view>

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/policy_rows.h"
#include "pg/acl.h"
#include "pg/catalog.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

constexpr std::string_view kCounters = "pg_stat_get_";

// Left open: these show who is connected and, to each role, what its own sessions do. They count nothing that is
// stored, and many clients read them. One by one: later versions have others of such names that count
// (pg_stat_get_backend_io of 18).
constexpr std::string_view kSessions[] = {"pg_stat_get_activity",
                                          "pg_stat_get_snapshot_timestamp",
                                          "pg_stat_get_backend_activity",
                                          "pg_stat_get_backend_activity_start",
                                          "pg_stat_get_backend_client_addr",
                                          "pg_stat_get_backend_client_port",
                                          "pg_stat_get_backend_dbid",
                                          "pg_stat_get_backend_idset",
                                          "pg_stat_get_backend_pid",
                                          "pg_stat_get_backend_start",
                                          "pg_stat_get_backend_subxact",
                                          "pg_stat_get_backend_userid",
                                          "pg_stat_get_backend_wait_event",
                                          "pg_stat_get_backend_wait_event_type",
                                          "pg_stat_get_backend_xact_start"};

// Positions in the write-ahead log tell how many pages a statement touched.
constexpr std::string_view kOthers[] = {"pg_relation_size",
                                        "pg_table_size",
                                        "pg_indexes_size",
                                        "pg_total_relation_size",
                                        "pg_database_size",
                                        "pg_tablespace_size",
                                        "pg_lock_status",
                                        "pg_current_wal_lsn",
                                        "pg_current_wal_insert_lsn",
                                        "pg_current_wal_flush_lsn",
                                        "pg_control_checkpoint",
                                        "pg_logical_emit_message",
                                        "pg_get_replication_slots",
                                        "pg_available_wal_summaries",
                                        "pg_wal_summary_contents",
                                        "pg_get_wal_summarizer_state"};

// The extension pg_stat_statements, whose function of that name shows each role how many rows and pages its statements
// took.
constexpr const char* kStatements = "pg_stat_statements";

bool leaks(const FormData_pg_proc& function) {
  const std::string_view name = NameStr(function.proname);
  if (!IsCatalogNamespace(function.pronamespace)) {
    const Oid extension = name == kStatements ? get_extension_oid(kStatements, true) : InvalidOid;
    return OidIsValid(extension) && getExtensionOfObject(ProcedureRelationId, function.oid) == extension;
  }
  if (std::find(std::begin(kOthers), std::end(kOthers), name) != std::end(kOthers)) return true;
  return name.starts_with(kCounters) &&
         std::find(std::begin(kSessions), std::end(kSessions), name) == std::end(kSessions);
}

bool may_call(Oid role, Oid function) { return pg::may_call(function, role); }

// The leaking functions that the role may call, in the order of their OIDs.
List* open_leaks(Oid role) {
  List* open = NIL;
  pg::visit_catalog<FormData_pg_proc>(ProcedureRelationId, [&](const auto& function, HeapTuple) {
    if (leaks(function) && may_call(role, function.oid)) open = lappend_oid(open, function.oid);
  });
  list_sort(open, list_oid_cmp);
  return open;
}

void require_superuser(const char* what) {
  if (superuser()) return;
  ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
                  errmsg("must be superuser to %s the database: ask one for SELECT dp.%s();", what, what),
                  errdetail("The functions that are taken from PUBLIC belong to the superuser who made the cluster.")));
}

// What dp.harden would run, in that order: char*.
List* take_from_public(List* functions) {
  List* statements = NIL;
  ListCell* cell;
  foreach (cell, functions) {
    const char* const function = format_procedure_qualified(lfirst_oid(cell));
    statements = lappend(statements, psprintf("REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC", function));
  }
  // After all of the REVOKEs: each GRANT fires the event trigger that warns of functions that are still open.
  foreach (cell, functions) {
    const char* const function = format_procedure_qualified(lfirst_oid(cell));
    statements = lappend(statements, psprintf("GRANT EXECUTE ON FUNCTION %s TO pg_read_all_stats", function));
  }
  return statements;
}

bool everyone_reads_relations() {
  return pg_class_aclcheck(RelationRelationId, ACL_ID_PUBLIC, ACL_SELECT) == ACLCHECK_OK;
}

// Revokes SELECT on pg_class and grants it on all columns but the estimates.
List* hide_estimates() {
  if (!everyone_reads_relations()) return NIL;
  StringInfoData columns;
  initStringInfo(&columns);
  Relation const relations = table_open(RelationRelationId, AccessShareLock);
  for (int i = 0; i < RelationGetDescr(relations)->natts; ++i) {
    const FormData_pg_attribute& column = *TupleDescAttr(RelationGetDescr(relations), i);
    constexpr AttrNumber kHidden[] = {Anum_pg_class_relpages, Anum_pg_class_reltuples, Anum_pg_class_relallvisible};
    if (std::find(std::begin(kHidden), std::end(kHidden), column.attnum) != std::end(kHidden)) continue;
    appendStringInfo(&columns, "%s%s", columns.len == 0 ? "" : ", ", NameStr(column.attname));
  }
  table_close(relations, AccessShareLock);
  return list_make3(pstrdup("REVOKE SELECT ON TABLE pg_catalog.pg_class FROM PUBLIC"),
                    psprintf("GRANT SELECT (%s) ON TABLE pg_catalog.pg_class TO PUBLIC", columns.data),
                    pstrdup("GRANT SELECT ON TABLE pg_catalog.pg_class TO pg_read_all_stats"));
}

List* hardening_statements(FunctionCallInfo fcinfo) {
  const bool estimates = !PG_ARGISNULL(0) && PG_GETARG_BOOL(0);
  return list_concat(take_from_public(open_leaks(ACL_ID_PUBLIC)), estimates ? hide_estimates() : NIL);
}

// Whether PUBLIC has a privilege on that function when a cluster is made: initdb notes those that it takes away.
bool open_when_made(Oid function) {
  bool noted = false;
  pg::visit_catalog<FormData_pg_init_privs>(InitPrivsRelationId, [&](const auto& privileges, HeapTuple) {
    noted = noted || (privileges.classoid == ProcedureRelationId && privileges.objoid == function);
  });
  return !noted;
}

// What dp.unharden runs: gives back to PUBLIC what everyone may call in a new database.
List* give_back() {
  List* statements = NIL;
  pg::visit_catalog<FormData_pg_proc>(ProcedureRelationId, [&](const auto& function, HeapTuple) {
    if (!leaks(function) || may_call(ACL_ID_PUBLIC, function.oid)) return;
    if (IsCatalogNamespace(function.pronamespace) && !open_when_made(function.oid)) return;
    const char* const name = format_procedure_qualified(function.oid);
    statements = lappend(statements, psprintf("GRANT EXECUTE ON FUNCTION %s TO PUBLIC", name));
    statements = lappend(statements, psprintf("REVOKE EXECUTE ON FUNCTION %s FROM pg_read_all_stats", name));
  });
  if (everyone_reads_relations()) return statements;
  // Takes those of single columns with it.
  statements =
      lappend(statements, pstrdup("REVOKE SELECT ON TABLE pg_catalog.pg_class FROM PUBLIC, pg_read_all_stats"));
  return lappend(statements, pstrdup("GRANT SELECT ON TABLE pg_catalog.pg_class TO PUBLIC"));
}

int run(const List* statements) {
  SPI_connect();
  ListCell* cell;
  foreach (cell, statements) {
    const char* const statement = static_cast<const char*>(lfirst(cell));
    if (SPI_execute(statement, false, 0) != SPI_OK_UTILITY) elog(ERROR, "could not run %s", statement);
  }
  SPI_finish();
  return list_length(statements);
}

// Warns of databases that are not hardened: locks and per-database counters can be seen from every database of the
// cluster.
void warn_about_other_databases() {
  bool open = false;
  pg::visit_catalog<FormData_pg_database>(DatabaseRelationId, [&](const auto& database, HeapTuple) {
    open =
        open || (database.oid != MyDatabaseId && database.datallowconn && pg::may_connect(database.oid, ACL_ID_PUBLIC));
  });
  if (!open) return;
  ereport(WARNING,
          (errmsg("everyone may connect to other databases of this cluster, which show locks and counters of this one"),
           errhint("Harden those as well, or say for each: REVOKE CONNECT ON DATABASE ... FROM PUBLIC;")));
}

// Says at once what questions will be refused for.
void warn_who_waits() {
  bool waits = false;
  ListCell *table, *cell;
  foreach (table, all_protected()) {
    foreach (cell, accounts_on(static_cast<const Policy*>(lfirst(table))->relation)) {
      const Policy& account = *static_cast<const Policy*>(lfirst(cell));
      waits = waits || (!account.allow_leaks && relation_exists(account.relation) && role_exists(account.role) &&
                        pg_class_aclcheck(account.relation, account.role, ACL_SELECT) != ACLCHECK_OK);
    }
  }
  const Oid leak = waits ? open_leak(ACL_ID_PUBLIC) : InvalidOid;
  if (OidIsValid(leak)) {
    ereport(WARNING, (errmsg("this database is not hardened any more: roles with budgets wait until a superuser says "
                             "SELECT dp.harden();"),
                      errdetail("For example everyone may call %s.", format_procedure(leak))));
  }
}

// While dp.unharden() gives back one function after the other, which is told once, at its end.
bool giving_back = false;

struct GivingBack {
  GivingBack() { giving_back = true; }
  ~GivingBack() { giving_back = false; }
};

// A GRANT to others than PUBLIC opens nothing. A restored dump of a hardened database has one for each function.
bool may_open(FunctionCallInfo fcinfo) {
  Node* const command = reinterpret_cast<const EventTriggerData*>(fcinfo->context)->parsetree;
  if (!IsA(command, GrantStmt)) return true;
  bool to_everyone = false;
  ListCell* cell;
  foreach (cell, castNode(GrantStmt, command)->grantees)
    to_everyone = to_everyone || lfirst_node(RoleSpec, cell)->roletype == ROLESPEC_PUBLIC;
  return to_everyone;
}

void tell_what_tools_lose() {
  ereport(
      NOTICE,
      (errmsg("tools that ask for sizes of tables get \"permission denied for function pg_relation_size\" from now "
              "on: Adminer's pages, \\dt+ and \\l+ of psql"),
       errhint("Who needs them and has no budget keeps them by GRANT pg_read_all_stats; others list tables by \\dt, "
               "DBeaver, JDBC, ODBC.")));
}

}  // namespace

Oid open_leak(Oid role) {
  List* const open = open_leaks(role);
  return open == NIL ? InvalidOid : linitial_oid(open);
}

// dp.harden(hide_estimates boolean) returns integer: how many statements it ran
DP_SQL_FUNCTION(dp_harden) {
  PreventCommandIfReadOnly("dp.harden()");
  require_superuser("harden");
  const int statements = run(hardening_statements(fcinfo));
  if (statements > 0) tell_what_tools_lose();
  warn_about_other_databases();
  PG_RETURN_INT32(statements);
}

// dp.harden_statements(hide_estimates boolean) returns setof text: what dp.harden would run
DP_SQL_FUNCTION(dp_harden_statements) {
  InitMaterializedSRF(fcinfo, MAT_SRF_USE_EXPECTED_DESC);
  const auto* const result = reinterpret_cast<const ReturnSetInfo*>(fcinfo->resultinfo);
  ListCell* cell;
  foreach (cell, hardening_statements(fcinfo)) {
    Datum values[] = {CStringGetTextDatum(static_cast<const char*>(lfirst(cell)))};
    bool nulls[] = {false};
    tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
  }
  PG_RETURN_NULL();
}

// dp.unharden() returns integer: how many statements it ran
DP_SQL_FUNCTION(dp_unharden) {
  PreventCommandIfReadOnly("dp.unharden()");
  require_superuser("unharden");
  const List* const statements = give_back();
  {
    const GivingBack told_once;
    pg::call([statements] { run(statements); });
  }
  warn_who_waits();
  PG_RETURN_INT32(list_length(statements));
}

// dp_internal.hardening_watched() returns event_trigger: says at once what questions will be refused for. It changes
// nothing: whoever takes the trigger away takes the warning alone.
DP_SQL_FUNCTION(dp_hardening_watched) {
  // That command comes by when it has ended.
  if (!creating_extension && !giving_back && tables() != nullptr && may_open(fcinfo)) warn_who_waits();
  PG_RETURN_NULL();
}

// dp.is_hardened() returns boolean
DP_SQL_FUNCTION(dp_is_hardened) { PG_RETURN_BOOL(!OidIsValid(open_leak(ACL_ID_PUBLIC))); }

}  // namespace dp::budget
