#include "budget/ledger/lent_rows.h"

#include <cctype>
#include <string_view>

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/owner_rows.h"
#include "budget/ledger/ledger.h"
#include "budget/policy/curator.h"
#include "budget/policy/shards.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

constexpr const char* kLend = "dp.lend_rows('customers', 'shop_a')";

// What was charged, in the memory of the transaction: rows may be read for it until its end.
struct LentCharge {
  const char* question;
  Entry entry;
  Oid role;
  List* statements;  // String: that have not begun yet
  bool begun;        // one has
  LentCharge* next;
};

LentCharge* charges = nullptr;

void forget_at_end(XactEvent event, void*) {
  if (event == XACT_EVENT_COMMIT || event == XACT_EVENT_ABORT || event == XACT_EVENT_PREPARE) charges = nullptr;
}

void watch_transactions() {
  static bool registered = false;
  if (!registered) RegisterXactCallback(forget_at_end, nullptr);
  registered = true;
}

[[noreturn]] void refuse_to_lend(Oid relation, const char* why, const char* hint) {
  ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                  errmsg("rows of table %s are not lent to another server: %s", relation_name(relation), why),
                  errhint("%s", hint)));
  pg_unreachable();
}

// The other server limits what a unit contributes, and draws noise for it: it has to be the unit that is promised here.
// Where each row is one here, any unit that rows belong to as a whole hides more.
void require_same_unit(Oid relation, const UnitPolicy& unit, const char* there) {
  if (!unit.declared()) return;
  if (unit.steps != NIL)
    refuse_to_lend(relation, psprintf("its privacy unit, %s, is no column of it", unit.path),
                   "Protect a table that has the column that names the unit.");
  if (there != nullptr && strcmp(there, unit.path) == 0) return;
  refuse_to_lend(
      relation,
      psprintf("its privacy unit is %s, and that server %s%s", quote_identifier(unit.path),
               there == nullptr ? "has each row be one" : "says ", there == nullptr ? "" : quote_identifier(there)),
      psprintf("Let the curator there say it, too: dp.protect(..., privacy_unit => %s).",
               quote_literal_cstr(unit.path)));
}

// What is lent to the current role, so that it can be charged; nothing where the rows are not lent to it.
std::optional<Payer> lent_to_me(Oid relation, const char* unit) {
  const Oid role = GetUserId();
  if (!is_lent(relation, role)) return std::nullopt;
  const std::optional<Policy> policy = protected_policy(relation);
  if (!policy) refuse_unprotected(relation);
  const Payer payer = payer_of(relation, role);
  if (payer.account != role)
    refuse_to_lend(relation, psprintf("role \"%s\" has no budget of its own", role_name(role)),
                   psprintf("SELECT dp.grant_budget(%s, %s, 1);", quote_literal_cstr(relation_name(relation)),
                            quote_literal_cstr(role_name(role))));
  if (policy->blocks)
    refuse_to_lend(relation, "its partitions have a budget each",
                   "Protect it anew without blocks: the other server does not know which partitions it reads.");
  if (foreign_tables_of(relation) != NIL)
    refuse_to_lend(relation, "it has rows on other servers itself", "Lend the rows from where they are.");
  require_same_unit(relation, policy->unit, unit);
  return payer;
}

const char* text_argument(FunctionCallInfo fcinfo, int number, const char* name) {
  if (PG_ARGISNULL(number)) refuse_null(name, "what pg_dp of another server says");
  return text_to_cstring(PG_GETARG_TEXT_PP(number));
}

[[noreturn]] void refuse_argument(const char* what) {
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("dp.charge_rows() got %s", what),
                  errhint("pg_dp of another server calls it, of the same version as this one.")));
  pg_unreachable();
}

Cost cost_argument(FunctionCallInfo fcinfo) {
  const Amount amount{PG_GETARG_INT64(2), PG_ARGISNULL(3) ? 0 : PG_GETARG_INT64(3)};
  if (amount.epsilon <= 0 || amount.delta < 0) refuse_argument("an amount that is no price of a question");
  Losses losses;
  const char* const text = text_argument(fcinfo, 4, "losses");
  if (!parse(text, &losses)) refuse_argument(psprintf("losses that no charge has: %s", text));
  return losses.empty() ? Cost::pure(amount) : Cost(amount, losses);
}

List* statements_argument(FunctionCallInfo fcinfo, int number) {
  if (PG_ARGISNULL(number)) refuse_argument("no statements that read");
  Datum* texts;
  bool* nulls;
  int count;
  deconstruct_array(PG_GETARG_ARRAYTYPE_P(number), TEXTOID, -1, false, TYPALIGN_INT, &texts, &nulls, &count);
  List* statements = NIL;
  for (int i = 0; i < count; ++i) {
    if (nulls[i]) refuse_argument("a statement that is NULL");
    statements = lappend(statements, makeString(TextDatumGetCString(texts[i])));
  }
  if (statements == NIL) refuse_argument("no statements that read");
  return statements;
}

// "DECLARE c7 CURSOR FOR\nSELECT ..." without what postgres_fdw writes before the statement; nothing where it is none.
std::optional<std::string_view> within_cursor(std::string_view text) {
  constexpr std::string_view kDeclare = "DECLARE c";
  constexpr std::string_view kFor = " CURSOR FOR\n";
  if (!text.starts_with(kDeclare)) return std::nullopt;
  text.remove_prefix(kDeclare.size());
  while (!text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  if (!text.starts_with(kFor)) return std::nullopt;
  text.remove_prefix(kFor.size());
  return text;
}

bool take_statement(LentCharge* charge, std::string_view text) {
  ListCell* cell;
  foreach (cell, charge->statements) {
    if (text != strVal(lfirst(cell))) continue;
    charge->statements = foreach_delete_current(charge->statements, cell);
    return charge->begun = true;
  }
  return false;
}

// Charges it, durably; or says why not, and nothing was charged. No error, after which the other server could not take
// back what it was charged for other tables here.
const char* obstacle_to_charging(const Entry& entry) {
  try {
    pg::call([&] {
      const FrozenWrites charged;
      append({&entry, 1});
      charged.flush({"charged", "Nothing was read. Ask again when the standby is there; that is charged again."});
    });
    return nullptr;
  } catch (const pg::PostgresError& error) {
    const int code = error.data->sqlerrcode;
    if (code != pg::kBudgetExhausted && code != pg::kAccountClosed && code != pg::kLedgerInDoubt &&
        code != ERRCODE_INVALID_PARAMETER_VALUE)
      throw;
    return pg::call([&] { return psprintf("%s %s", unpack_sql_state(code), error.data->message); });
  }
}

// An entry that is charged is taken back as it was charged. Where a budget is one for a period, that would begin
// somewhat later, and give the next period something.
bool may_be_withdrawn(const LentCharge& charge) {
  const Payer& payer = charge.entry.payer;
  for (const Oid account : {payer.account, InvalidOid}) {
    const std::optional<Limit> limit = account_limit(payer.relation, account);
    if (!limit || limit->period.exists()) return false;
  }
  return !charge.begun && !charge.entry.limit->period.exists() && !payer.limit->period.exists();
}

}  // namespace

bool may_read_lent_rows() { return charges != nullptr; }

bool begin_lent_statement(const char* text, Oid table, Oid role) {
  const auto statement = within_cursor(text);
  if (!statement) return false;
  for (LentCharge* charge = charges; charge != nullptr; charge = charge->next) {
    if (charge->role != role || charge->entry.payer.relation != table) continue;
    if (take_statement(charge, *statement)) return true;
  }
  return false;
}

// dp.lend_rows(relation regclass, role regrole, lend boolean) returns void.
DP_SQL_FUNCTION(dp_lend_rows) {
  const Oid relation = oid_argument(fcinfo, 0, "relation", kLend);
  const Oid role = oid_argument(fcinfo, 1, "role", kLend);
  if (PG_ARGISNULL(2)) refuse_null("lend", kLend);
  const bool lend = PG_GETARG_BOOL(2);
  require_relation(relation);
  begin_curating(relation, "dp.lend_rows()");
  if (!protected_policy(relation)) refuse_unprotected(relation);
  if (lend && !account_policy(relation, role)) {
    ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                    errmsg("role \"%s\" has no budget on table %s that its questions could be charged to",
                           role_name(role), relation_name(relation)),
                    errhint("SELECT dp.grant_budget(%s, %s, 1);", quote_literal_cstr(relation_name(relation)),
                            quote_literal_cstr(role_name(role)))));
  }
  set_lent(relation, role, lend);
  PG_RETURN_VOID();
}

// dp.charge_rows(relation regclass, privacy_unit text, epsilon_nano bigint, delta_atto bigint, losses text, question
// text, query text, statements text[]) returns text: 'charged', 'not lent' to the role, or an SQLSTATE and why it is
// refused. epsilon_nano NULL: nothing is charged, 'lent' where it could be.
DP_SQL_FUNCTION(dp_charge_rows) {
  const Oid relation = oid_argument(fcinfo, 0, "relation", "dp.charge_rows(...)");
  const char* const unit = PG_ARGISNULL(1) ? nullptr : text_to_cstring(PG_GETARG_TEXT_PP(1));
  require_relation(relation);
  const std::optional<Payer> payer = lent_to_me(relation, unit);
  if (!payer || PG_ARGISNULL(2)) PG_RETURN_TEXT_P(cstring_to_text(payer ? "lent" : "not lent"));
  watch_transactions();
  MemoryContext const outer = MemoryContextSwitchTo(TopTransactionContext);
  const Cost cost = cost_argument(fcinfo);
  auto* const charge = new (palloc(sizeof(LentCharge)))
      LentCharge{text_argument(fcinfo, 5, "question"),
                 {*payer, kLent, cost, cost, 0, text_argument(fcinfo, 6, "query"), account_limit(relation, InvalidOid)},
                 payer->role,
                 statements_argument(fcinfo, 7),
                 false,
                 charges};
  MemoryContextSwitchTo(outer);
  prepare_to_charge();
  const char* const obstacle = obstacle_to_charging(charge->entry);
  if (obstacle == nullptr) charges = charge;
  PG_RETURN_TEXT_P(cstring_to_text(obstacle == nullptr ? "charged" : obstacle));
}

// dp.withdraw_rows(question text) returns boolean: whether this transaction was charged for that question, and all of
// it is taken back. Nothing is where one of its statements has begun.
DP_SQL_FUNCTION(dp_withdraw_rows) {
  const char* const question = text_argument(fcinfo, 0, "question");
  bool all = true, any = false;
  for (LentCharge** link = &charges; *link != nullptr;) {
    LentCharge* const charge = *link;
    const bool meant = charge->role == GetUserId() && strcmp(charge->question, question) == 0;
    if (!meant || !may_be_withdrawn(*charge)) {
      all = all && !meant;
      link = &charge->next;
      continue;
    }
    any = true;
    *link = charge->next;  // first: no statement of it may begin any more
    prepare_to_charge();
    const FrozenWrites withdrawn;
    withdraw(charge->entry);
    withdrawn.flush({"withdrawn", "The ledger has it; pg_stat_replication shows whether the standby is there."});
  }
  PG_RETURN_BOOL(all && any);
}

}  // namespace dp::budget
