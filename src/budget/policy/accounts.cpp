#include "budget/policy/accounts.h"

#include <algorithm>

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/known_rows.h"
#include "budget/catalog/policy_rows.h"
#include "budget/catalog/remembered.h"
#include "budget/policy/grant_checks.h"
#include "pg/acl.h"
#include "pg/catalog.h"

namespace dp::budget {
namespace {

// Whether the role inherits the privileges of the account's role. A superuser has everybody's privileges, which does
// not make everybody's account its own: there only memberships that were granted count.
bool inherits_account(Oid role, Oid account) {
  return has_privs_of_role(role, account) && (!superuser_arg(role) || is_member_of_role_nosuper(role, account));
}

[[noreturn]] void refuse_without_account(Oid relation, Oid role) {
  const char* const table = relation_name(relation);
  const char* const name = role_name(role);
  ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
                  errmsg("role \"%s\" has no budget on table %s: ask a curator for one", name, table),
                  errhint("A curator gives one: SELECT dp.grant_budget(%s, %s, 1);", quote_literal_cstr(table),
                          quote_literal_cstr(name))));
  pg_unreachable();
}

[[noreturn]] void refuse_choice(Oid relation, Oid role, const char* names) {
  const char* const table = relation_name(relation);
  const char* const name = role_name(role);
  ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
                  errmsg("role \"%s\" inherits more than one budget on table %s: choose one by SET ROLE", name, table),
                  errdetail("They belong to the roles %s.", names),
                  errhint("Or ask a curator for one of its own: SELECT dp.grant_budget(%s, %s, 1);",
                          quote_literal_cstr(table), quote_literal_cstr(name))));
  pg_unreachable();
}

bool may_read(Oid relation, Oid role) {
  return relation_exists(relation) && pg_class_aclcheck(relation, role, ACL_SELECT) == ACLCHECK_OK;
}

// The payer; an error where its role can by now see sizes and counters that it could not when it got the account.
const Payer& sealed(const Payer& payer, bool allow_leaks) {
  if (!allow_leaks && !may_read(payer.relation, payer.role)) require_sealed(payer.role);
  return payer;
}

}  // namespace

List* parents_of(Oid relation) {
  return known_rows({Known::parents, InvalidOid, relation}, list_copy, [relation] {
    List* parents = NIL;
    pg::visit_catalog<FormData_pg_inherits>(
        InheritsRelationId, InheritsRelidSeqnoIndexId, {{Anum_pg_inherits_inhrelid, relation}},
        [&](const auto& link, HeapTuple) { parents = lappend_oid(parents, link.inhparent); });
    return parents;
  });
}

std::optional<Protection> protection_of(Oid relation) {
  // Breadth first: the list grows behind the place where it is read.
  List* candidates = OidIsValid(relation) ? list_make1_oid(relation) : NIL;
  for (int i = 0; i < list_length(candidates); ++i) {
    const Oid candidate = list_nth_oid(candidates, i);
    if (const std::optional<Policy> own = protected_policy(candidate))
      return Protection{candidate,         own->limit,          own->selection,
                        own->unit,         own->answer_epsilon, own->answer_mechanism,
                        own->no_selection, own->blocks};
    candidates = list_concat_unique_oid(candidates, parents_of(candidate));
  }
  return std::nullopt;
}

namespace {

[[noreturn]] void refuse_two_budgets(Oid whole, Oid part) {
  const char* const name = relation_name(part);
  ereport(ERROR,
          (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
           errmsg("table %s and its part %s have a budget each", relation_name(whole), name),
           errdetail("Questions about one of them would not be charged to the other, which holds the same rows."),
           errhint("A curator leaves it at that of the whole: SELECT dp.unprotect(%s);", quote_literal_cstr(name))));
  pg_unreachable();
}

}  // namespace

void require_one_budget(const Protection& protection, Oid table) {
  List* above = parents_of(protection.relation);
  for (int i = 0; i < list_length(above); ++i) {
    const Oid parent = list_nth_oid(above, i);
    if (protected_policy(parent)) refuse_two_budgets(parent, protection.relation);
    above = list_concat_unique_oid(above, parents_of(parent));
  }
  if (!has_subclass(table)) return;
  ListCell* cell;
  foreach (cell, find_all_inheritors(table, NoLock, nullptr)) {
    const Oid part = lfirst_oid(cell);
    if (part != protection.relation && protected_policy(part)) refuse_two_budgets(protection.relation, part);
  }
}

bool has_protected_child(Oid relation) {
  if (tables() == nullptr || !has_subclass(relation) || protection_of(relation)) return false;
  ListCell* cell;
  foreach (cell, find_all_inheritors(relation, NoLock, nullptr)) {
    if (lfirst_oid(cell) != relation && protected_policy(lfirst_oid(cell))) return true;
  }
  return false;
}

bool has_account(const Protection& protection, Oid role) {
  if (account_limit(protection.relation, role)) return true;
  ListCell* cell;
  foreach (cell, accounts_on(protection.relation)) {
    const Oid candidate = static_cast<const Policy*>(lfirst(cell))->role;
    if (role_exists(candidate) && inherits_account(role, candidate)) return true;
  }
  return false;
}

namespace {

Payer look_for_payer(Oid relation, Oid role) {
  if (const auto own = account_policy(relation, role))
    return sealed({relation, role, role, own->limit}, own->allow_leaks);
  Oid account = InvalidOid;
  std::optional<Limit> limit;
  bool allow_leaks = false;
  StringInfo names = nullptr;  // of the roles, once there are several
  ListCell* cell;
  foreach (cell, accounts_on(relation)) {
    const Policy& policy = *static_cast<const Policy*>(lfirst(cell));
    const Oid candidate = policy.role;
    if (!role_exists(candidate) || !inherits_account(role, candidate)) continue;
    if (OidIsValid(account)) {
      if (names == nullptr) {
        names = makeStringInfo();
        appendStringInfo(names, "\"%s\"", role_name(account));
      }
      appendStringInfo(names, ", \"%s\"", role_name(candidate));
    }
    account = candidate;
    limit = policy.limit;
    allow_leaks = policy.allow_leaks;
  }
  if (names != nullptr) refuse_choice(relation, role, names->data);
  if (OidIsValid(account)) return sealed({relation, role, account, limit}, allow_leaks);
  if (!may_read(relation, role)) refuse_without_account(relation, role);
  return {relation, role, InvalidOid};
}

struct Asking {
  Oid relation;
  Oid role;

  bool operator==(const Asking&) const = default;
};

}  // namespace

Payer payer_of(Oid relation, Oid role) {
  static Remembered<Asking, Payer> payers;
  return payers.get({relation, role}, [=] { return look_for_payer(relation, role); });
}

namespace {

std::int64_t hundredth(const Limit& account, const Limit& table) {
  constexpr std::int64_t kMostOfAnswer = 1'000'000 * static_cast<std::int64_t>(mechanism::Epsilon::kPerUnit);
  std::int64_t epsilon = std::max(account.total.epsilon / 100, table.least());
  for (const std::int64_t most : {account.query_epsilon, table.query_epsilon, kMostOfAnswer})
    if (most > 0) epsilon = std::min(epsilon, most);
  return epsilon;
}

}  // namespace

CuratedAnswer curated_answer(const Protection& protection, Oid role) {
  const Payer payer = payer_of(protection.relation, role);
  const auto account = OidIsValid(payer.account) ? account_policy(payer.relation, payer.account) : std::nullopt;
  CuratedAnswer answer = {protection.answer_epsilon, protection.answer_mechanism, false};
  if (account && account->answer_epsilon > 0) answer.epsilon = account->answer_epsilon;
  if (account && account->answer_mechanism != nullptr) answer.mechanism = account->answer_mechanism;
  if (account && answer.epsilon == 0) {
    answer.epsilon = hundredth(account->limit, protection.limit);
    answer.share_of_budget = true;
  }
  answer.epsilon = std::max<std::int64_t>(answer.epsilon, 0);
  return answer;
}

std::int64_t delta_of_selection_by_itself(const Protection& protection, Oid role) {
  if (!protection.selection.zero() || protection.no_selection) return 0;
  const bool divergences = protection.limit.accountant == Accountant::renyi;
  std::int64_t delta = protection.limit.answer_delta(divergences);
  if (delta <= 0) return 0;
  const Payer payer = payer_of(protection.relation, role);
  if (payer.limit) delta = std::min(delta, payer.limit->answer_delta(divergences));
  return std::max<std::int64_t>(delta / 100, 0);
}

bool is_curator(Oid relation, Oid role) {
  if (superuser_arg(role)) return true;
  const Oid curators = curator_role();
  if (OidIsValid(curators) && has_privs_of_role(role, curators)) return true;
  return relation_exists(relation) && pg::owns_relation(relation, role);
}

}  // namespace dp::budget
