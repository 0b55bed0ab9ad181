// What curators say: dp.protect, dp.unprotect, dp.grant_budget, dp.revoke_budget.
#include "budget/answers/stored_answers.h"
#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/owner_rows.h"
#include "budget/catalog/policy_rows.h"
#include "budget/catalog/public_domain_rows.h"
#include "budget/catalog/range_rows.h"
#include "budget/curate/answer_arguments.h"
#include "budget/curate/continuing.h"
#include "budget/curate/policy_arguments.h"
#include "budget/ledger/begun_books.h"
#include "budget/ledger/ledger.h"
#include "budget/ledger/room.h"
#include "budget/ledger/told_parts.h"
#include "budget/policy/blocks.h"
#include "budget/policy/curator.h"
#include "budget/policy/grant_checks.h"
#include "budget/policy/other_owners.h"
#include "budget/policy/period.h"
#include "budget/policy/privacy_unit.h"
#include "budget/policy/protectable.h"
#include "budget/policy/shards.h"
#include "budget/policy/unit_warnings.h"
#include "core/mechanism/catalogue.h"
#include "core/mechanism/mechanism_text.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

bool is_same_unit(const UnitPolicy& one, const UnitPolicy& other) {
  if (!one.declared() || !other.declared()) return one.declared() == other.declared();
  return strcmp(one.path, other.path) == 0 && equal(one.steps, other.steps);
}

void warn_about_spent(Oid relation) {
  if (spent(relation, InvalidOid).zero()) return;
  ereport(WARNING,
          (errmsg("what was charged on table %s until now was for another privacy unit", relation_name(relation)),
           errdetail("The ledger adds it to what will be charged."),
           errhint("Raise the budget by what the new unit is to have.")));
}

// Warns where a limit is set below what is already spent: all questions are refused from then on, which may not be what
// was meant.
void warn_about_limit(Oid relation, Oid account, const Limit& limit, Accountant accountant) {
  Share share = {relation, account, {}, {}};
  begin_share(&share, limit, accountant);
  read_totals({&share, 1});
  const Amount used = in_use(share, limit);
  const std::int64_t delta = limit.answer_delta(accountant == Accountant::renyi);
  if (used.epsilon == PG_INT64_MAX) {
    ereport(
        WARNING,
        (errmsg("nothing will be answered to role \"%s\" on table %s: some answers were by gaussian without a delta, "
                "and in this account epsilon adds up",
                role_name(account), relation_name(relation)),
         errhint("Give it a delta: SELECT dp.grant_budget(%s, %s, delta => 1e-6);",
                 quote_literal_cstr(relation_name(relation)), quote_literal_cstr(role_name(account)))));
    return;
  }
  if (used.epsilon <= limit.total.epsilon && used.delta <= delta) return;
  const char* const table = relation_name(relation);
  ereport(
      WARNING,
      (OidIsValid(account)
           ? errmsg("role \"%s\" has spent more on table %s than the new limit", role_name(account), table)
           : errmsg("more was spent on table %s than the new limit", table),
       errdetail("Spent are epsilon %s and delta %s, the limit is epsilon %s and delta %s: nothing will be answered.",
                 epsilon_decimal(used.epsilon).text, delta_decimal(used.delta).text,
                 epsilon_decimal(limit.total.epsilon).text, delta_decimal(delta).text),
       limit.period.exists()
           ? errhint("What was charged in its period counts: set it to that and what is to be spent until then.")
           : errhint("A limit counts from the first charge on: set it to what was spent and what is to be spent from "
                     "now on.")));
}

// What has no bound on its loss cannot be added up.
void require_bounded(Oid relation, Accountant accountant) {
  if (accountant == Accountant::renyi || spent(relation, InvalidOid).divergences.unbounded == 0) return;
  const char* const table = relation_name(relation);
  ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                  errmsg("epsilon of answers cannot be added up on table %s, of which some were by gaussian without a "
                         "delta",
                         table),
                  errdetail("Such answers have Rényi divergences, and no epsilon."),
                  errhint("Let divergences be counted: SELECT dp.protect(%s, accountant => 'renyi');",
                          quote_literal_cstr(table))));
}

[[noreturn]] void refuse_to_continue_blocks(Oid relation) {
  ereport(ERROR,
          (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
           errmsg("table %s cannot continue another one where partitions have a budget each", relation_name(relation)),
           errhint("Attach the partitions of the old table: what was charged to them stays with them.")));
  pg_unreachable();
}

// What was charged to the table says nothing of one partition, and the other way round.
void require_same_books(Oid relation, bool blocks) {
  const char* const table = relation_name(relation);
  List* const books = blocks ? list_make1_oid(relation) : blocks_of(relation);
  ListCell* cell;
  foreach (cell, books) {
    if (spent(lfirst_oid(cell), InvalidOid).zero()) continue;
    ereport(
        ERROR,
        (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
         blocks ? errmsg("partitions of table %s cannot have a budget each any more: it was charged as a whole", table)
                : errmsg("partitions of table %s have to keep a budget each: %s was charged by itself", table,
                         relation_name(lfirst_oid(cell))),
         errhint("It is said when the table is protected first: SELECT dp.protect(%s, 10, blocks => true);",
                 quote_literal_cstr(table))));
  }
}

// A budget that a role cannot come to spend.
void tell_of_more_than_all(Oid relation, Oid role, const Limit& limit, const Limit& whole) {
  if (limit.total.epsilon <= whole.total.epsilon && limit.total.delta <= whole.total.delta) return;
  ereport(NOTICE,
          (errmsg("role \"%s\" may spend epsilon %s and delta %s on table %s, and all roles together epsilon %s and "
                  "delta %s",
                  role_name(role), epsilon_decimal(limit.total.epsilon).text, delta_decimal(limit.total.delta).text,
                  relation_name(relation), epsilon_decimal(whole.total.epsilon).text,
                  delta_decimal(whole.total.delta).text),
           errhint("The smaller one holds. The table's is set by SELECT dp.protect(%s, ...);",
                   quote_literal_cstr(relation_name(relation)))));
}

// A role that has no delta to turn divergences into epsilon.
void tell_of_adding_up(Oid relation, Oid role, const Limit& limit, const Limit& whole) {
  if (whole.accountant != Accountant::renyi || limit.conversion_delta() > 0) return;
  const char* const table = relation_name(relation);
  ereport(NOTICE, (errmsg("epsilon of answers adds up in the account of role \"%s\", though table %s counts Rényi "
                          "divergences",
                          role_name(role), table),
                   errdetail("The account has no delta, of which a part turns divergences into epsilon."),
                   errhint("SELECT dp.grant_budget(%s, %s, delta => %s); gives it one.", quote_literal_cstr(table),
                           quote_literal_cstr(role_name(role)), delta_decimal(whole.total.delta).text)));
}

// Warns where an answer that names nothing would be by Gaussian noise without a delta, and epsilon adds up.
void warn_about_adding_up(Oid relation, Oid account, const char* mechanism, const Limit& limit, Accountant accountant) {
  if (mechanism == nullptr || !mechanism::is_without_delta(mechanism::parse(mechanism))) return;
  if (accountant == Accountant::renyi && limit.conversion_delta() > 0) return;
  const char* const table = quote_literal_cstr(relation_name(relation));
  const char* const call =
      accountant == Accountant::renyi
          ? psprintf("dp.grant_budget(%s, %s, delta => 1e-6)", table, quote_literal_cstr(role_name(account)))
          : psprintf("dp.protect(%s, delta => 1e-6, accountant => 'renyi')", table);
  ereport(WARNING,
          (errmsg("answer_mechanism gaussian without a delta is for accounts that count Rényi divergences, and "
                  "in this one on table %s epsilon adds up",
                  relation_name(relation)),
           errdetail("Questions that name no mechanism of their own will be refused."),
           errhint("SELECT %s; or another answer_mechanism: 'gaussian(delta=1e-6)'.", call)));
}

// Warns where an answer that names nothing would cost more delta than there is at all: all of them are refused then.
// `account`: InvalidOid for the table.
void warn_about_delta(Oid relation, Oid account, const char* mechanism, std::int64_t limit) {
  if (mechanism == nullptr) return;
  const std::int64_t least = Amount::of({1}, mechanism::delta_of(mechanism::parse(mechanism))).delta;
  if (least <= limit) return;
  const char* const table = relation_name(relation);
  const bool of_table = !OidIsValid(account);
  ereport(
      WARNING,
      (of_table ? errmsg("an answer with answer_mechanism %s costs delta %s, and table %s has %s", mechanism,
                         delta_decimal(least).text, table, delta_decimal(limit).text)
                : errmsg("an answer with answer_mechanism %s costs delta %s, and role \"%s\" has %s on table %s",
                         mechanism, delta_decimal(least).text, role_name(account), delta_decimal(limit).text, table),
       errdetail("Questions that name no mechanism of their own will be refused."),
       of_table ? errhint("Give it a delta, dp.protect(%s, 10, 1e-4, ...), or another answer_mechanism: 'laplace'.",
                          quote_literal_cstr(table))
                : errhint("Give it a delta, dp.grant_budget(%s, %s, 1, 1e-4, ...), or another answer_mechanism: "
                          "'laplace'.",
                          quote_literal_cstr(table), quote_literal_cstr(role_name(account)))));
}

// Warns of what dp.check() finds on that table. Each time, because a view or a grant may have come since the last one.
void warn_about_open_ways(Oid relation) {
  Datum values[] = {ObjectIdGetDatum(relation)};
  Oid types[] = {REGCLASSOID};
  SPI_connect();
  if (SPI_execute_with_args(
          "SELECT pg_catalog.count(*) FROM dp.check($1) WHERE relation IS NOT NULL AND finding NOT LIKE ALL "
          "('{%hold for no column%,rows of % are in no answer%,rows are lent to %}')",
          1, types, values, nullptr, false, 1) != SPI_OK_SELECT) {
    elog(ERROR, "could not look for what is open on table %s", relation_name(relation));
  }
  bool is_null;
  const std::int64_t open = DatumGetInt64(SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &is_null));
  SPI_finish();
  if (open == 0) return;
  const char* const name = relation_name(relation);
  ereport(WARNING, (errmsg_plural("%lld way to the rows of table %s is open beside private queries",
                                  "%lld ways to the rows of table %s are open beside private queries",
                                  static_cast<unsigned long>(open), static_cast<long long>(open), name),
                    errhint("SELECT finding, run FROM dp.check(%s); tells which, and how to close them.",
                            quote_literal_cstr(name))));
}

void warn_if_not_loaded() {
  if (totals_installed()) return;
  ereport(WARNING, (errmsg("pg_dp is not loaded at server start: nothing is answered until it is"),
                    errhint("Set shared_preload_libraries = 'pg_dp' in postgresql.conf and restart the server.")));
}

void require_role(Oid role) {
  if (role_exists(role)) return;
  ereport(ERROR, (errcode(ERRCODE_UNDEFINED_OBJECT), errmsg("there is no role with the number %u", role),
                  errhint("Give its name, for example dp.grant_budget('visits', 'ana', 1).")));
}

constexpr const char* kProtect = "dp.protect('visits', 10)";
constexpr const char* kProtectRenyi = "dp.protect('visits', 10, 1e-6, accountant => 'renyi')";
constexpr const char* kProtectPeriod = "dp.protect('visits', 1, period => '1 month')";
constexpr const char* kUnprotect = "dp.unprotect('visits')";
constexpr const char* kGrant = "dp.grant_budget('visits', 'ana', 1)";
constexpr const char* kGrantRenyi = "dp.grant_budget('visits', 'ana', 1, 1e-6)";
constexpr const char* kGrantPeriod = "dp.grant_budget('visits', 'ana', 0.5, period => '1 month')";
constexpr const char* kRevoke = "dp.revoke_budget('visits', 'ana')";

}  // namespace

// dp.protect(relation regclass, epsilon float8, delta float8, query_epsilon float8, group_epsilon float8, group_delta
// float8, privacy_unit text, max_rows_per_unit integer, max_groups_per_unit integer, max_rows_per_group integer,
// answer_epsilon float8, min_query_epsilon float8, max_charges bigint, reuse interval, share_answers boolean,
// keep_answers interval, keep_answers_mb integer, continues regclass, rows_kept text, rows_kept_by text,
// answer_mechanism dp_mechanism, accountant text, conversion_delta float8, limits text, period interval, sliding
// boolean, blocks boolean, max_blocks_per_unit integer) returns void. NULL, which is the default of all, is "as it
// was".
DP_SQL_FUNCTION(dp_protect) {
  const Oid relation = oid_argument(fcinfo, 0, "relation", kProtect);
  const Oid old = PG_ARGISNULL(17) ? InvalidOid : PG_GETARG_OID(17);
  require_relation(relation);
  begin_curating(relation, "dp.protect()");
  require_relation(relation);
  const std::optional<Policy> continued = OidIsValid(old) ? begin_continuing(relation, old) : std::nullopt;
  const std::optional<Policy> before = protected_policy(relation);
  const std::optional<Policy>& known = continued ? continued : before;
  Policy base = known ? *known : Policy{relation, InvalidOid, {}, {}, {}};
  Limit limit = limit_arguments(fcinfo, 1, kProtect, known ? &known->limit : nullptr);
  limit.min_epsilon = least_argument(fcinfo, 11, limit);
  limit.charges = charges_argument(fcinfo, 12, kProtect, limit.charges);
  limit.accountant = accountant_argument(fcinfo, 21, limit.accountant);
  limit.period = period_arguments(fcinfo, 24, kProtectPeriod, limit.period);
  limit.conversion = conversion_argument(fcinfo, 22, kProtectRenyi, limit, limit.accountant);
  require_conversion(limit, kProtectRenyi);
  base.limit = limit;
  selection_arguments(fcinfo, 4, &base);
  require_protectable(relation);
  require_same_on_servers(relation);
  UnitPolicy unit = unit_arguments(fcinfo, 6, 23, relation, base.unit);
  add_kept_arguments(fcinfo, 18, relation, base.unit, &unit);
  const bool another_unit = !before || !is_same_unit(before->unit, unit);
  if (before && another_unit) warn_about_spent(relation);
  if (another_unit) warn_about_unit(relation, unit);
  const std::int64_t answer = answer_epsilon_argument(fcinfo, 10, kProtect, base.answer_epsilon);
  const char* mechanism = answer_mechanism_argument(fcinfo, 20, base.answer_mechanism);
  if (mechanism != nullptr && strcmp(mechanism, "auto") == 0) mechanism = nullptr;
  const auto answers = answer_policy_arguments(fcinfo, 13, answer_policy(continued ? old : relation));
  begin_books(DroppedKind::table, relation);
  for (const Oid table : {relation, old})
    if (OidIsValid(table)) require_bounded(table, limit.accountant);
  const bool blocks = switch_argument(fcinfo, 26, base.blocks);
  add_blocks_argument(fcinfo, 27, blocks, limit.accountant, &unit);
  if (blocks) require_blocks(relation, unit);
  if (OidIsValid(old) && (blocks || base.blocks)) refuse_to_continue_blocks(relation);
  if (blocks != base.blocks) require_same_books(relation, blocks);
  const bool other_owner = find_other_owner(relation, unit);
  store({relation, InvalidOid, limit, base.selection, unit, false, answer, mechanism, base.retention, base.no_selection,
         blocks});
  set_other_owner(relation, other_owner);
  if (blocks || base.blocks) keep_rows_in_blocks(relation, blocks);
  if (OidIsValid(old)) {
    take_over(relation, old);
    store_answer_policy(old, std::nullopt);
    forget_answers(old);
  }
  store_answer_policy(relation, answers);
  if (!answers) forget_answers(relation);
  invalidate_plans(relation);
  warn_about_limit(relation, InvalidOid, limit, limit.accountant);
  warn_about_adding_up(relation, InvalidOid, mechanism, limit, limit.accountant);
  warn_about_delta(relation, InvalidOid, mechanism, limit.answer_delta(limit.accountant == Accountant::renyi));
  if (!before && !blocks) tell_of_charged_parts(relation);
  if (!before) warn_about_parents(relation);
  if (!before) warn_about_views(relation);
  warn_about_open_ways(relation);
  warn_if_not_loaded();
  PG_RETURN_VOID();
}

[[noreturn]] static void refuse_to_unprotect(Oid relation) {
  if (relation_exists(relation) && protection_of(relation)) refuse_unprotected(relation);  // a part: names the whole
  ereport(
      ERROR,
      (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE), errmsg("table %s is not protected", relation_name(relation)),
       errhint("There is nothing to take back. SELECT relation FROM dp.units; names the protected tables.")));
  pg_unreachable();
}

// dp.unprotect(relation regclass) returns void. The ledger stays, so that protecting the table again continues from
// what was spent.
DP_SQL_FUNCTION(dp_unprotect) {
  const Oid relation = oid_argument(fcinfo, 0, "relation", kUnprotect);
  begin_curating(relation, "dp.unprotect()");
  const std::optional<Policy> before = protected_policy(relation);
  if (!remove_protected(relation)) refuse_to_unprotect(relation);
  if (before->blocks) keep_rows_in_blocks(relation, false);
  remove_accounts(relation);
  remove_public_domains(relation);
  remove_declared_ranges(relation);
  store_answer_policy(relation, std::nullopt);
  forget_answers(relation);
  invalidate_plans(relation);
  PG_RETURN_VOID();
}

// dp.grant_budget(relation regclass, role regrole, epsilon float8, delta float8, query_epsilon float8, allow_leaks
// boolean, answer_epsilon float8, max_charges bigint, answer_mechanism dp_mechanism, conversion_delta float8, period
// interval, sliding boolean) returns void. NULL is "as it was", and "auto" a mechanism of the role's own.
DP_SQL_FUNCTION(dp_grant_budget) {
  const Oid relation = oid_argument(fcinfo, 0, "relation", kGrant);
  const Oid role = oid_argument(fcinfo, 1, "role", kGrant);
  require_relation(relation);
  require_role(role);
  begin_curating(relation, "dp.grant_budget()");
  const std::optional<Policy> table = protected_policy(relation);
  if (!table) refuse_unprotected(relation);
  const std::optional<Policy> before = account_policy(relation, role);
  Policy account = before ? *before : Policy{relation, role, {}, {}, {}};
  account.limit = limit_arguments(fcinfo, 2, kGrant, before ? &before->limit : nullptr);
  account.limit.charges = charges_argument(fcinfo, 7, kGrant, account.limit.charges);
  account.limit.conversion = conversion_argument(fcinfo, 9, kGrantRenyi, account.limit, table->limit.accountant);
  account.limit.period = period_arguments(fcinfo, 10, kGrantPeriod, account.limit.period);
  account.allow_leaks = switch_argument(fcinfo, 5, account.allow_leaks);
  // Where none is said of the role, the table's holds.
  account.answer_epsilon =
      std::max<std::int64_t>(answer_epsilon_argument(fcinfo, 6, kGrant, account.answer_epsilon), 0);
  account.answer_mechanism = answer_mechanism_argument(fcinfo, 8, account.answer_mechanism);
  require_fence(relation, role, account.allow_leaks);
  begin_books(DroppedKind::role, role);
  store(account);
  tell_of_more_than_all(relation, role, account.limit, table->limit);
  tell_of_adding_up(relation, role, account.limit, table->limit);
  warn_about_limit(relation, role, account.limit, table->limit.accountant);
  warn_about_adding_up(relation, role,
                       account.answer_mechanism != nullptr ? account.answer_mechanism : table->answer_mechanism,
                       account.limit, table->limit.accountant);
  warn_about_delta(relation, role,
                   account.answer_mechanism != nullptr ? account.answer_mechanism : table->answer_mechanism,
                   account.limit.answer_delta(table->limit.accountant == Accountant::renyi));
  warn_about_open_ways(relation);
  invalidate_plans(relation);
  PG_RETURN_VOID();
}

// dp.revoke_budget(relation regclass, role regrole) returns void. What was spent stays in the ledger.
DP_SQL_FUNCTION(dp_revoke_budget) {
  const Oid relation = oid_argument(fcinfo, 0, "relation", kRevoke);
  const Oid role = oid_argument(fcinfo, 1, "role", kRevoke);
  begin_curating(relation, "dp.revoke_budget()");
  if (!remove_account(relation, role)) {
    ereport(ERROR,
            (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
             errmsg("role \"%s\" has no budget of its own on table %s", role_name(role), relation_name(relation)),
             errhint("The view dp.budgets shows who has one.")));
  }
  invalidate_plans(relation);
  PG_RETURN_VOID();
}

}  // namespace dp::budget
