#include "guard/query/permissions.h"

#include <utility>

#include "budget/catalog/remembered.h"
#include "budget/policy/accounts.h"
#include "pg/foreign.h"
#include "pg/permissions.h"
#include "pg/relation_owner.h"

namespace dp::guard {
namespace {

// The plan that is started for another role than the current one.
const PlannedStmt* asked_plan = nullptr;
Oid asked_role = InvalidOid;

// The query that is planned for another role than the current one, that role, and the query that is being planned.
const Query* query_for_role = nullptr;
Oid planned_role = InvalidOid;
const Query* planned_now = nullptr;

// Whether the entry is one of the inner query's protected tables, as the query names it. No other entry of an inner
// query reads them, so whose permissions hold need not be compared.
bool is_admitted(const pg::Permissions* entry, const InnerQuery& inner_query) {
  if (!pg::is_relation(entry) || entry->requiredPerms != ACL_SELECT) return false;
  for (int i = 0; i < inner_query.protected_tables(); ++i) {
    if (inner_query.protected_table(i).table == entry->relid) return true;
  }
  return false;
}

struct Reader {
  Oid table;
  Oid role;

  bool operator==(const Reader&) const = default;
};

// Whether the role has an account. Where the table is no longer protected only its own permission counts, which it
// lacks.
bool has_way(Oid table, Oid subject) {
  static budget::Remembered<Reader, bool> ways;
  return ways.get({table, subject}, [=] {
    const auto protection = budget::protection_of(table);
    return protection && OidIsValid(budget::payer_of(protection->relation, subject).account);
  });
}

}  // namespace

Oid asking_role(Oid subject, const PlannedStmt* plan) {
  if (OidIsValid(subject)) return subject;
  return plan != nullptr && plan == asked_plan ? asked_role : GetUserId();
}

bool is_asked_as_another(const PlannedStmt* plan) {
  return plan != nullptr && plan == asked_plan && asked_role != GetUserId();
}

PlannedFor::PlannedFor(const Query* query, Oid role)
    : outer_query_(query_for_role), outer_now_(planned_now), outer_(planned_role) {
  query_for_role = planned_now = query;
  planned_role = role;
}

PlannedFor::~PlannedFor() {
  query_for_role = outer_query_;
  planned_now = outer_now_;
  planned_role = outer_;
}

const Query* set_planned(const Query* query) { return std::exchange(planned_now, query); }

Oid planning_role(Oid subject) {
  if (OidIsValid(subject)) return subject;
  return OidIsValid(planned_role) && planned_now == query_for_role ? planned_role : GetUserId();
}

AskedAs::AskedAs(const PlannedStmt* plan, Oid role) : outer_plan_(asked_plan), outer_role_(asked_role) {
  asked_plan = OidIsValid(role) ? plan : nullptr;
  asked_role = role;
}

AskedAs::~AskedAs() {
  asked_plan = outer_plan_;
  asked_role = outer_role_;
}

bool lacks_select(Oid table, Oid role) {
  static budget::Remembered<Reader, bool> lacking;
  return lacking.get({table, role}, [=] { return pg_class_aclcheck(table, role, ACL_SELECT) != ACLCHECK_OK; });
}

bool is_watched(Oid table, Oid role) {
  return lacks_select(table, role) || lacks_select(table, GetUserId()) || lacks_select(table, GetOuterUserId());
}

PlannedStmt* with_permissions(const PlannedStmt* inner, const InnerQuery& inner_query, const PlannedStmt* outer) {
  PlannedStmt* const plan = pg::with_own_permissions(inner);
  Oid reader = InvalidOid;
  ListCell* cell;
  foreach (cell, pg::checked_permissions(plan)) {
    auto* const entry = static_cast<pg::Permissions*>(lfirst(cell));
    if (!pg::is_relation(entry)) continue;
    const bool admitted = is_admitted(entry, inner_query);
    entry->checkAsUser = asking_role(entry->checkAsUser, outer);
    if (admitted && lacks_select(entry->relid, entry->checkAsUser) && has_way(entry->relid, entry->checkAsUser)) {
      entry->checkAsUser = pg::owner_of(entry->relid);
    }
    if (admitted && entry->relid == inner_query.first.table) reader = entry->checkAsUser;
  }
  if (pg::reads_foreign(plan)) pg::fetch_as_checked(plan, reader);
  return plan;
}

PlannedStmt* as_asked(PlannedStmt* plan) {
  if (plan != asked_plan) return plan;
  PlannedStmt* const copy = pg::with_own_permissions(plan);
  ListCell* cell;
  foreach (cell, pg::checked_permissions(copy)) {
    auto* const entry = static_cast<pg::Permissions*>(lfirst(cell));
    if (pg::is_relation(entry)) entry->checkAsUser = asking_role(entry->checkAsUser, plan);
  }
  asked_plan = copy;  // which is what the execution knows as its plan
  return copy;
}

}  // namespace dp::guard
