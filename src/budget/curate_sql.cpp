// What curators say: dp.protect, dp.unprotect, dp.grant_budget, dp.revoke_budget.
#include "budget/accounts_sql.h"
#include "budget/catalog_sql.h"
#include "budget/policy_rows_sql.h"
#include "budget/protectable_sql.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

[[noreturn]] void refuse_null(const char* argument, const char* example) {
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("%s must not be NULL", argument),
                  errhint("For example %s.", example)));
  pg_unreachable();
}

Oid oid_argument(FunctionCallInfo fcinfo, int number, const char* argument, const char* example) {
  if (PG_ARGISNULL(number) || !OidIsValid(PG_GETARG_OID(number))) refuse_null(argument, example);
  return PG_GETARG_OID(number);
}

// The arguments epsilon, delta and query_epsilon, from that one on.
Limit limit_argument(FunctionCallInfo fcinfo, int first, const char* example) {
  if (PG_ARGISNULL(first)) refuse_null("epsilon", example);
  if (PG_ARGISNULL(first + 1)) refuse_null("delta", example);
  const auto epsilon = mechanism::Epsilon::limit(PG_GETARG_FLOAT8(first));
  const auto delta = mechanism::Delta::limit(PG_GETARG_FLOAT8(first + 1));
  Limit limit = {Amount::of(epsilon, delta)};
  if (!PG_ARGISNULL(first + 2)) {
    const auto most = mechanism::Epsilon::limit(PG_GETARG_FLOAT8(first + 2), "query_epsilon",
                                                "dp.protect('visits', 10, query_epsilon => 0.5)");
    limit.query_epsilon = Amount::of(most, {0}).epsilon;
  }
  return limit;
}

// The arguments group_epsilon and group_delta, from that one on: both or none.
Amount selection_argument(FunctionCallInfo fcinfo, int first, const Limit& limit) {
  constexpr const char* kExample = "dp.protect('visits', 10, 1e-6, group_epsilon => 0.1, group_delta => 1e-9)";
  if (PG_ARGISNULL(first) && PG_ARGISNULL(first + 1)) return {};
  if (PG_ARGISNULL(first) || PG_ARGISNULL(first + 1)) {
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("group_epsilon and group_delta must be given together"),
                    errhint("For example %s.", kExample)));
  }
  const auto selection = Amount::of(mechanism::Epsilon::from(PG_GETARG_FLOAT8(first), "group_epsilon", kExample),
                                    mechanism::Delta::from(PG_GETARG_FLOAT8(first + 1), "group_delta", kExample));
  if (selection.epsilon > limit.total.epsilon || selection.delta > limit.total.delta) {
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("one selection of groups would cost more than the whole budget of the table"),
                    errdetail("It costs epsilon %s and delta %s, the budget has epsilon %s and delta %s.",
                              epsilon_decimal(selection.epsilon).text, delta_decimal(selection.delta).text,
                              epsilon_decimal(limit.total.epsilon).text, delta_decimal(limit.total.delta).text),
                    errhint("For example %s.", kExample)));
  }
  return selection;
}

void require_curator(Oid relation) {
  if (is_curator(relation, GetUserId())) return;
  ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
                  errmsg("must be a curator of table %s to set its budgets", relation_name(relation)),
                  errdetail("Curators are its owner and the members of role dp_curator."),
                  errhint("Ask a superuser: GRANT dp_curator TO %s;", quote_identifier(role_name(GetUserId())))));
}

// Curators of one table wait for each other, and it keeps its shape meanwhile; readers and writers of its rows go on. Whether the
// current role is a curator is asked first, so that nobody else makes anyone wait.
void begin(Oid relation, const char* function) {
  PreventCommandIfReadOnly(function);
  PreventCommandIfParallelMode(function);
  PreventCommandDuringRecovery(function);
  own_tables();
  require_curator(relation);
  LockRelationOid(relation, ShareUpdateExclusiveLock);
  require_curator(relation);
}

void require_relation(Oid relation) {
  if (relation_exists(relation)) return;
  ereport(ERROR, (errcode(ERRCODE_UNDEFINED_TABLE), errmsg("there is no table with the number %u", relation),
                  errhint("Give its name, for example dp.protect('visits', 10).")));
}

void require_role(Oid role) {
  if (role_exists(role)) return;
  ereport(ERROR, (errcode(ERRCODE_UNDEFINED_OBJECT), errmsg("there is no role with the number %u", role),
                  errhint("Give its name, for example dp.grant_budget('visits', 'ana', 1).")));
}

// Plans that were made under other rules are made again.
void forget_plans(Oid relation) {
  if (!relation_exists(relation)) return;
  ListCell* cell;
  foreach (cell, find_all_inheritors(relation, NoLock, nullptr)) {
    if (relation_exists(lfirst_oid(cell))) CacheInvalidateRelcacheByRelid(lfirst_oid(cell));
  }
}

[[noreturn]] void refuse_unprotected(Oid relation) {
  const char* const name = relation_name(relation);
  const std::optional<Protection> above = relation_exists(relation) ? protection_of(relation) : std::nullopt;
  if (above) {
    ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                    errmsg("table %s is protected as a part of table %s", name, relation_name(above->relation)),
                    errhint("Give the name of the whole: %s.", quote_literal_cstr(relation_name(above->relation)))));
  }
  ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE), errmsg("table %s is not protected", name),
                  errhint("Give it a budget first: SELECT dp.protect(%s, 10);", quote_literal_cstr(name))));
  pg_unreachable();
}

constexpr const char* kProtect = "dp.protect('visits', 10)";
constexpr const char* kUnprotect = "dp.unprotect('visits')";
constexpr const char* kGrant = "dp.grant_budget('visits', 'ana', 1)";
constexpr const char* kRevoke = "dp.revoke_budget('visits', 'ana')";

}  // namespace

// dp.protect(relation regclass, epsilon float8, delta float8, query_epsilon float8, group_epsilon float8, group_delta float8)
// returns void
DP_SQL_FUNCTION(dp_protect) {
  const Oid relation = oid_argument(fcinfo, 0, "relation", kProtect);
  const Limit limit = limit_argument(fcinfo, 1, kProtect);
  const Amount selection = selection_argument(fcinfo, 4, limit);
  require_relation(relation);
  begin(relation, "dp.protect()");
  require_relation(relation);
  require_protectable(relation);
  const bool is_new = !protected_policy(relation);
  store({relation, InvalidOid, limit, selection});
  forget_plans(relation);
  if (is_new) warn_about_views(relation);
  PG_RETURN_VOID();
}

// dp.unprotect(relation regclass) returns void. The ledger stays, so that protecting the table again continues from what was spent.
DP_SQL_FUNCTION(dp_unprotect) {
  const Oid relation = oid_argument(fcinfo, 0, "relation", kUnprotect);
  begin(relation, "dp.unprotect()");
  if (!remove_protected(relation)) refuse_unprotected(relation);
  remove_accounts(relation);
  forget_plans(relation);
  PG_RETURN_VOID();
}

// dp.grant_budget(relation regclass, role regrole, epsilon float8, delta float8, query_epsilon float8) returns void
DP_SQL_FUNCTION(dp_grant_budget) {
  const Oid relation = oid_argument(fcinfo, 0, "relation", kGrant);
  const Oid role = oid_argument(fcinfo, 1, "role", kGrant);
  const Limit limit = limit_argument(fcinfo, 2, kGrant);
  require_relation(relation);
  require_role(role);
  begin(relation, "dp.grant_budget()");
  if (!protected_policy(relation)) refuse_unprotected(relation);
  store({relation, role, limit, {}});
  forget_plans(relation);
  warn_about_privileges(relation, role);
  PG_RETURN_VOID();
}

// dp.revoke_budget(relation regclass, role regrole) returns void. What was spent stays in the ledger.
DP_SQL_FUNCTION(dp_revoke_budget) {
  const Oid relation = oid_argument(fcinfo, 0, "relation", kRevoke);
  const Oid role = oid_argument(fcinfo, 1, "role", kRevoke);
  begin(relation, "dp.revoke_budget()");
  if (!remove_account(relation, role)) {
    ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                    errmsg("role \"%s\" has no budget of its own on table %s", role_name(role), relation_name(relation)),
                    errhint("The view dp.budgets shows who has one.")));
  }
  forget_plans(relation);
  PG_RETURN_VOID();
}

}  // namespace dp::budget
