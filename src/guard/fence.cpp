#include "guard/fence.h"

#include "budget/accounts_sql.h"
#include "guard/refusal.h"

namespace dp::guard {
namespace {

// Bit of no privilege of PostgreSQL 15, outside the grant options.
constexpr AclMode kMark = 1 << 15;
static_assert((kMark & ((1 << N_ACL_RIGHTS) - 1)) == 0 && (kMark & 0xFFFF) != 0, "a privilege uses the mark's bit");

Oid asked_as = InvalidOid;

Oid subject_of(const RangeTblEntry* entry) { return asking_role(entry->checkAsUser); }

Oid owner_of(Oid relation) {
  HeapTuple const row = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
  if (!HeapTupleIsValid(row)) elog(ERROR, "cache lookup failed for relation %u", relation);
  const Oid owner = reinterpret_cast<Form_pg_class>(GETSTRUCT(row))->relowner;
  ReleaseSysCache(row);
  return owner;
}

void refuse_serializable() {
  if (!IsolationIsSerializable()) return;
  ereport(ERROR, (errcode(pg::kNotAdmissible),
                  errmsg("private queries of a role without SELECT do not run in SERIALIZABLE transactions"),
                  errdetail("The locks of such a transaction show which rows were read."),
                  errhint("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;")));
}

}  // namespace

Oid asking_role(Oid subject) {
  if (OidIsValid(subject)) return subject;
  return OidIsValid(asked_as) ? asked_as : GetUserId();
}

AskedAs::AskedAs(Oid role) : outer_(asked_as) { asked_as = role; }
AskedAs::~AskedAs() { asked_as = outer_; }

void mark_admitted(RangeTblEntry* table) { table->requiredPerms |= kMark; }

bool is_fenced(Oid table, Oid role) { return pg_class_aclcheck(table, role, ACL_SELECT) != ACLCHECK_OK; }

bool is_watched(Oid table, Oid subject) {
  return is_fenced(table, asking_role(subject)) || is_fenced(table, GetUserId()) || is_fenced(table, GetOuterUserId());
}

Passage pass(PlannedStmt* plan, bool analyze) {
  Passage passage{plan, false};
  ListCell* cell;
  foreach (cell, plan->rtable) {
    const auto* const entry = static_cast<RangeTblEntry*>(lfirst(cell));
    const bool marked = (entry->requiredPerms & kMark) != 0;
    if (entry->rtekind != RTE_RELATION || !(marked || OidIsValid(asked_as))) continue;
    if (passage.plan == plan) {
      passage.plan = static_cast<PlannedStmt*>(palloc(sizeof(PlannedStmt)));
      *passage.plan = *plan;
      passage.plan->rtable = list_copy(plan->rtable);
    }
    auto* const admitted = static_cast<RangeTblEntry*>(palloc(sizeof(RangeTblEntry)));
    *admitted = *entry;
    admitted->requiredPerms &= ~kMark;
    admitted->checkAsUser = OidIsValid(asked_as) ? subject_of(entry) : entry->checkAsUser;
    list_nth_cell(passage.plan->rtable, foreach_current_index(cell))->ptr_value = admitted;
    if (!marked) continue;
    passage.fenced = passage.fenced || is_watched(entry->relid, entry->checkAsUser);
    if (!is_fenced(entry->relid, subject_of(entry))) continue;
    const auto protection = budget::protection_of(entry->relid);
    // Its own permission, which it lacks, where the table is not protected now.
    if (protection && OidIsValid(budget::payer_of(*protection, subject_of(entry)).account)) {
      admitted->checkAsUser = owner_of(entry->relid);
    }
  }
  if (!passage.fenced) return passage;
  // EXPLAIN would say how many functions were compiled, and with that which plan it is.
  passage.plan->jitFlags = PGJIT_NONE;
  refuse_serializable();
  if (analyze) {
    ereport(ERROR, (errcode(pg::kNotAdmissible), errmsg("EXPLAIN ANALYZE of a private query is refused to a role without SELECT"),
                    errdetail("It would show how many rows were read."), errhint("EXPLAIN alone shows the price.")));
  }
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
    if (entry->rtekind != RTE_RELATION || !is_fenced(entry->relid, subject_of(entry))) continue;
    const auto protection = budget::protection_of(entry->relid);
    if (!protection || !budget::has_account(*protection, subject_of(entry))) continue;
    const char* const name = quote_identifier(get_rel_name(entry->relid));
    return psprintf("You have a budget on %s: ask with private aggregates alone, for example SELECT dp_count('*', 0.5) FROM %s;",
                    name, name);
  }
  return nullptr;
}

}  // namespace dp::guard
