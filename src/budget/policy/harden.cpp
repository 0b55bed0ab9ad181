// dp.harden, dp.is_hardened.
#include "budget/policy/harden.h"

#include <algorithm>
#include <string_view>

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/policy_rows.h"
#include "pg/catalog.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

constexpr std::string_view kCounters = "pg_stat_get_";

// Left open: these show who is connected and, to each role, what its own sessions do. They count nothing that is
// stored, and many clients read them.
constexpr std::string_view kSessions[] = {"pg_stat_get_activity", "pg_stat_get_snapshot_timestamp"};
constexpr std::string_view kSession = "pg_stat_get_backend_";

// Positions in the write-ahead log tell how many pages a statement touched.
constexpr std::string_view kOthers[] = {
    "pg_relation_size",         "pg_table_size",         "pg_indexes_size",
    "pg_total_relation_size",   "pg_database_size",      "pg_tablespace_size",
    "pg_lock_status",           "pg_current_wal_lsn",    "pg_current_wal_insert_lsn",
    "pg_current_wal_flush_lsn", "pg_control_checkpoint", "pg_logical_emit_message",
    "pg_get_replication_slots"};

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
  return name.starts_with(kCounters) && !name.starts_with(kSession) &&
         std::find(std::begin(kSessions), std::end(kSessions), name) == std::end(kSessions);
}

bool may_call(Oid role, Oid function) { return pg_proc_aclcheck(function, role, ACL_EXECUTE) == ACLCHECK_OK; }

// The leaking functions that the role may call, in the order of their OIDs.
List* open_leaks(Oid role) {
  List* open = NIL;
  pg::visit_catalog<FormData_pg_proc>(ProcedureRelationId, [&](const auto& function, HeapTuple) {
    if (leaks(function) && may_call(role, function.oid)) open = lappend_oid(open, function.oid);
  });
  list_sort(open, list_oid_cmp);
  return open;
}

void require_superuser() {
  if (superuser()) return;
  ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
                  errmsg("must be superuser to harden the database: ask one for SELECT dp.harden();"),
                  errdetail("The functions that are taken from PUBLIC belong to the superuser who made the cluster."),
                  errhint("Ask a superuser: SELECT dp.harden();")));
}

class Statements {
 public:
  explicit Statements(const ReturnSetInfo* result) : result_(result) {}

  void run(const char* statement) const {
    if (SPI_execute(statement, false, 0) != SPI_OK_UTILITY) elog(ERROR, "could not run %s", statement);
    Datum values[] = {CStringGetTextDatum(statement)};
    bool nulls[] = {false};
    tuplestore_putvalues(result_->setResult, result_->setDesc, values, nulls);
  }

 private:
  const ReturnSetInfo* result_;
};

void take_from_public(const Statements& statements, List* functions) {
  ListCell* cell;
  foreach (cell, functions) {
    statements.run(psprintf("REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC", format_procedure_qualified(lfirst_oid(cell))));
  }
  // After all of the REVOKEs: each GRANT fires the event trigger that warns of functions that are still open.
  foreach (cell, functions) {
    statements.run(
        psprintf("GRANT EXECUTE ON FUNCTION %s TO pg_read_all_stats", format_procedure_qualified(lfirst_oid(cell))));
  }
}

// Revokes SELECT on pg_class and grants it on all columns but the estimates.
void hide_estimates(const Statements& statements) {
  if (pg_class_aclcheck(RelationRelationId, ACL_ID_PUBLIC, ACL_SELECT) != ACLCHECK_OK) return;
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
  statements.run("REVOKE SELECT ON TABLE pg_catalog.pg_class FROM PUBLIC");
  statements.run(psprintf("GRANT SELECT (%s) ON TABLE pg_catalog.pg_class TO PUBLIC", columns.data));
  statements.run("GRANT SELECT ON TABLE pg_catalog.pg_class TO pg_read_all_stats");
}

// Warns of databases that are not hardened: locks and per-database counters can be seen from every database of the
// cluster.
void warn_about_other_databases() {
  bool open = false;
  pg::visit_catalog<FormData_pg_database>(DatabaseRelationId, [&](const auto& database, HeapTuple) {
    open = open || (database.oid != MyDatabaseId && database.datallowconn &&
                    pg_database_aclcheck(database.oid, ACL_ID_PUBLIC, ACL_CONNECT) == ACLCHECK_OK);
  });
  if (!open) return;
  ereport(WARNING,
          (errmsg("everyone may connect to other databases of this cluster, which show locks and counters of this one"),
           errhint("Harden those as well, or say for each: REVOKE CONNECT ON DATABASE ... FROM PUBLIC;")));
}

}  // namespace

Oid open_leak(Oid role) {
  List* const open = open_leaks(role);
  return open == NIL ? InvalidOid : linitial_oid(open);
}

// dp.harden(hide_estimates boolean) returns setof text
DP_SQL_FUNCTION(dp_harden) {
  PreventCommandIfReadOnly("dp.harden()");
  require_superuser();
  InitMaterializedSRF(fcinfo, MAT_SRF_USE_EXPECTED_DESC);
  const Statements statements(reinterpret_cast<const ReturnSetInfo*>(fcinfo->resultinfo));
  SPI_connect();
  take_from_public(statements, open_leaks(ACL_ID_PUBLIC));
  if (!PG_ARGISNULL(0) && PG_GETARG_BOOL(0)) hide_estimates(statements);
  SPI_finish();
  warn_about_other_databases();
  PG_RETURN_NULL();
}

// dp.hardening_watched() returns event_trigger: says at once what questions will be refused for. It changes nothing:
// whoever takes the trigger away takes the warning alone.
DP_SQL_FUNCTION(dp_hardening_watched) {
  // CREATE EXTENSION itself fires this trigger when it has ended.
  if (creating_extension || tables() == nullptr) PG_RETURN_NULL();
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
  PG_RETURN_NULL();
}

// dp.is_hardened() returns boolean
DP_SQL_FUNCTION(dp_is_hardened) { PG_RETURN_BOOL(!OidIsValid(open_leak(ACL_ID_PUBLIC))); }

}  // namespace dp::budget
