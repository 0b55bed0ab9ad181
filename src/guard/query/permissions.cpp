#include "guard/query/permissions.h"

#include "budget/policy/accounts.h"
#include "guard/admission/refusal.h"

namespace dp::guard {
namespace {

// The plan that is started for another role than the current one.
const PlannedStmt* asked_plan = nullptr;
Oid asked_role = InvalidOid;

// When the last transaction began in which a fenced statement was started.
TimestampTz fenced_transaction = 0;

emit_log_hook_type next_log = nullptr;

void keep_from_client(ErrorData* message) {
  if (next_log != nullptr) next_log(message);
  if (message->elevel <= LOG && fenced_transaction == GetCurrentTransactionStartTimestamp()) message->output_to_client = false;
}

Oid subject_of(const RangeTblEntry* entry, const PlannedStmt* plan) { return asking_role(entry->checkAsUser, plan); }

Oid owner_of(Oid relation) {
  HeapTuple const row = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
  if (!HeapTupleIsValid(row)) elog(ERROR, "cache lookup failed for relation %u", relation);
  const Oid owner = reinterpret_cast<Form_pg_class>(GETSTRUCT(row))->relowner;
  ReleaseSysCache(row);
  return owner;
}

// A flat copy of the plan with a list of tables of its own.
PlannedStmt* with_own_tables(const PlannedStmt* plan) {
  auto* const copy = static_cast<PlannedStmt*>(palloc(sizeof(PlannedStmt)));
  *copy = *plan;
  copy->rtable = NIL;
  ListCell* cell;
  foreach (cell, plan->rtable) {
    auto* const entry = static_cast<RangeTblEntry*>(palloc(sizeof(RangeTblEntry)));
    *entry = *lfirst_node(RangeTblEntry, cell);
    copy->rtable = lappend(copy->rtable, entry);
  }
  return copy;
}

// Whether the entry is one of the core's protected tables, as the query names it. No other entry of an inner query reads them.
bool is_admitted(const RangeTblEntry* entry, const Core& core) {
  if (entry->rtekind != RTE_RELATION || entry->requiredPerms != ACL_SELECT) return false;
  for (int i = 0; i < core.protected_tables(); ++i) {
    const ProtectedTable table = core.protected_table(i);
    if (table.table == entry->relid && table.subject == entry->checkAsUser) return true;
  }
  return false;
}

// Its own permission, which it lacks, where the table is not protected now.
bool has_way(Oid table, Oid subject) {
  const auto protection = budget::protection_of(table);
  return protection && OidIsValid(budget::payer_of(*protection, subject).account);
}

void refuse_serializable() {
  if (!IsolationIsSerializable()) return;
  ereport(ERROR, (errcode(pg::kNotAdmissible),
                  errmsg("private queries of a role without SELECT do not run in SERIALIZABLE transactions"),
                  errdetail("The locks of such a transaction show which rows were read."),
                  errhint("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;")));
}

// EXPLAIN (BUFFERS) alone measures too, though nothing runs.
void refuse_measures(bool runs) {
  ereport(ERROR, (errcode(pg::kNotAdmissible),
                  errmsg("EXPLAIN %s of a private query is refused to a role without SELECT", runs ? "ANALYZE" : "(BUFFERS)"),
                  errdetail("It would show how many %s.", runs ? "rows were read" : "pages the planner read"),
                  errhint("EXPLAIN alone shows the price.")));
}

}  // namespace

void install_fence() {
  next_log = emit_log_hook;
  emit_log_hook = keep_from_client;
}

Oid asking_role(Oid subject, const PlannedStmt* plan) {
  if (OidIsValid(subject)) return subject;
  return plan != nullptr && plan == asked_plan ? asked_role : GetUserId();
}

AskedAs::AskedAs(const PlannedStmt* plan, Oid role) : outer_plan_(asked_plan), outer_role_(asked_role) {
  asked_plan = OidIsValid(role) ? plan : nullptr;
  asked_role = role;
}

AskedAs::~AskedAs() {
  asked_plan = outer_plan_;
  asked_role = outer_role_;
}

bool is_fenced(Oid table, Oid role) { return pg_class_aclcheck(table, role, ACL_SELECT) != ACLCHECK_OK; }

bool is_watched(Oid table, Oid role) {
  return is_fenced(table, role) || is_fenced(table, GetUserId()) || is_fenced(table, GetOuterUserId());
}

PlannedStmt* with_permissions(const PlannedStmt* inner, const Core& core, const PlannedStmt* outer) {
  PlannedStmt* const plan = with_own_tables(inner);
  ListCell* cell;
  foreach (cell, plan->rtable) {
    auto* const entry = static_cast<RangeTblEntry*>(lfirst(cell));
    if (entry->rtekind != RTE_RELATION) continue;
    const bool admitted = is_admitted(entry, core);
    entry->checkAsUser = asking_role(entry->checkAsUser, outer);
    if (admitted && is_fenced(entry->relid, entry->checkAsUser) && has_way(entry->relid, entry->checkAsUser)) {
      entry->checkAsUser = owner_of(entry->relid);
    }
  }
  return plan;
}

PlannedStmt* as_asked(PlannedStmt* plan) {
  if (plan != asked_plan) return plan;
  PlannedStmt* const copy = with_own_tables(plan);
  ListCell* cell;
  foreach (cell, copy->rtable) {
    auto* const entry = static_cast<RangeTblEntry*>(lfirst(cell));
    if (entry->rtekind == RTE_RELATION) entry->checkAsUser = asking_role(entry->checkAsUser, plan);
  }
  asked_plan = copy;  // which is what the execution knows as its plan
  return copy;
}

void begin_fenced(const EState* estate, int flags) {
  fenced_transaction = GetCurrentTransactionStartTimestamp();
  refuse_serializable();
  if (estate->es_instrument != 0) refuse_measures((flags & EXEC_FLAG_EXPLAIN_ONLY) == 0);
}

Silence::Silence(bool silent) : messages_(client_min_messages), uncounted_(silent) {
  if (silent) client_min_messages = ERROR;
}

Silence::~Silence() { client_min_messages = messages_; }

const char* hint_of_denied(List* tables, const PlannedStmt* plan) {
  ListCell* cell;
  foreach (cell, tables) {
    const auto* const entry = static_cast<RangeTblEntry*>(lfirst(cell));
    if (entry->rtekind != RTE_RELATION || entry->requiredPerms == 0) continue;
    if (!is_fenced(entry->relid, subject_of(entry, plan))) continue;
    const auto protection = budget::protection_of(entry->relid);
    if (!protection || !budget::has_account(*protection, subject_of(entry, plan))) continue;
    const char* const name = quote_identifier(get_rel_name(entry->relid));
    return psprintf("You have a budget on %s: ask with private aggregates alone, for example SELECT dp_count('*', %s) FROM %s;",
                    name, example_epsilon(), name);
  }
  return nullptr;
}

}  // namespace dp::guard
