#include "guard/fence.h"

#include <utility>

#include "budget/accounts_sql.h"
#include "guard/refusal.h"

namespace dp::guard {
namespace {

// Bit of no privilege of PostgreSQL 15, outside the grant options.
constexpr AclMode kMark = 1 << 15;
static_assert((kMark & ((1 << N_ACL_RIGHTS) - 1)) == 0 && (kMark & 0xFFFF) != 0, "a privilege uses the mark's bit");

// The plan that is started for another role than the current one.
struct AskedAs {
  const PlannedStmt* plan;
  Oid role;
};

Oid next_asked_as = InvalidOid;
AskedAs asked_as;

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

bool is_marked(const RangeTblEntry* entry) {
  return entry->rtekind == RTE_RELATION && (entry->requiredPerms & kMark) != 0;
}

// The plan itself where no entry needs a change.
PlannedStmt* copy_for(PlannedStmt* plan, bool for_another_role) {
  bool changes = for_another_role;
  ListCell* cell;
  foreach (cell, plan->rtable) changes = changes || is_marked(static_cast<RangeTblEntry*>(lfirst(cell)));
  if (!changes) return plan;
  auto* const copy = static_cast<PlannedStmt*>(palloc(sizeof(PlannedStmt)));
  *copy = *plan;
  copy->rtable = NIL;
  foreach (cell, plan->rtable) {
    auto* const entry = static_cast<RangeTblEntry*>(palloc(sizeof(RangeTblEntry)));
    *entry = *static_cast<RangeTblEntry*>(lfirst(cell));
    copy->rtable = lappend(copy->rtable, entry);
  }
  return copy;
}

// Takes the mark off an entry, and lets a fenced role through that has an account. Returns whether somebody fenced looks on.
bool admit_entry(RangeTblEntry* entry, const PlannedStmt* plan) {
  entry->requiredPerms &= ~kMark;
  const Oid subject = subject_of(entry, plan);
  const bool watched = is_watched(entry->relid, subject);
  if (!is_fenced(entry->relid, subject)) return watched;
  const auto protection = budget::protection_of(entry->relid);
  // Its own permission, which it lacks, where the table is not protected now.
  if (protection && OidIsValid(budget::payer_of(*protection, subject).account)) entry->checkAsUser = owner_of(entry->relid);
  return watched;
}

void refuse_serializable() {
  if (!IsolationIsSerializable()) return;
  ereport(ERROR, (errcode(pg::kNotAdmissible),
                  errmsg("private queries of a role without SELECT do not run in SERIALIZABLE transactions"),
                  errdetail("The locks of such a transaction show which rows were read."),
                  errhint("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;")));
}

void refuse_measures(Measures measures) {
  if (measures == Measures::nothing) return;
  const bool runs = measures == Measures::running;
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
  return plan == asked_as.plan && OidIsValid(asked_as.role) ? asked_as.role : GetUserId();
}

void ask_next_as(Oid role) { next_asked_as = role; }

void mark_admitted(RangeTblEntry* table) { table->requiredPerms |= kMark; }

bool is_fenced(Oid table, Oid role) { return pg_class_aclcheck(table, role, ACL_SELECT) != ACLCHECK_OK; }

bool is_watched(Oid table, Oid role) {
  return is_fenced(table, role) || is_fenced(table, GetUserId()) || is_fenced(table, GetOuterUserId());
}

Passage pass(PlannedStmt* plan, Measures measures) {
  const Oid role = std::exchange(next_asked_as, InvalidOid);
  Passage passage{copy_for(plan, OidIsValid(role)), false};
  // Forgotten where another plan comes to lie in the place of the one that it was about.
  if (OidIsValid(role) || passage.plan == asked_as.plan) asked_as = {passage.plan, role};
  if (passage.plan == plan) return passage;
  ListCell* cell;
  foreach (cell, passage.plan->rtable) {
    auto* const entry = static_cast<RangeTblEntry*>(lfirst(cell));
    const bool marked = is_marked(entry);
    if (OidIsValid(role) && entry->rtekind == RTE_RELATION) entry->checkAsUser = subject_of(entry, passage.plan);
    if (marked && admit_entry(entry, passage.plan)) passage.fenced = true;
  }
  if (!passage.fenced) return passage;
  fenced_transaction = GetCurrentTransactionStartTimestamp();
  // EXPLAIN would say how many functions were compiled, and with that which plan it is.
  passage.plan->jitFlags = PGJIT_NONE;
  refuse_serializable();
  refuse_measures(measures);
  return passage;
}

Silence::Silence(bool silent) : outer_(client_min_messages) {
  if (silent) client_min_messages = Max(client_min_messages, NOTICE);
}
Silence::~Silence() { client_min_messages = outer_; }

void check_session(bool fenced) {
  if (!fenced || !Debug_print_plan) return;
  ereport(ERROR, (errcode(pg::kNotAdmissible), errmsg("plans of private queries are not shown to a role without SELECT"),
                  errhint("SET debug_print_plan = off;")));
}

const char* hint_of_denied(const PlannedStmt* plan) {
  ListCell* cell;
  foreach (cell, plan->rtable) {
    const auto* const entry = static_cast<RangeTblEntry*>(lfirst(cell));
    if (entry->rtekind != RTE_RELATION || !is_fenced(entry->relid, subject_of(entry, plan))) continue;
    const auto protection = budget::protection_of(entry->relid);
    if (!protection || !budget::has_account(*protection, subject_of(entry, plan))) continue;
    const char* const name = quote_identifier(get_rel_name(entry->relid));
    return psprintf("You have a budget on %s: ask with private aggregates alone, for example SELECT dp_count('*', 0.5) FROM %s;",
                    name, name);
  }
  return nullptr;
}

}  // namespace dp::guard
