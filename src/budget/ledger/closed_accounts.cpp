#include "budget/ledger/closed_accounts.h"

#include <algorithm>

#include "budget/catalog/extension_catalog.h"
#include "budget/ledger/shared_database.h"
#include "budget/ledger/shared_totals.h"
#include "budget/policy/curator.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

// Schema-qualified always, so that the message does not depend on the session's search path.
const char* whole_name(Oid relation) {
  const char* const name = get_rel_name(relation);
  if (name == nullptr) return psprintf("%u", relation);
  return quote_qualified_identifier(get_namespace_name(get_rel_namespace(relation)), name);
}

// Appends a row for each subject, frozen, and makes them durable.
void append_turn(std::span<Share> subjects, const char* kind, bool closed, const char* query) {
  prepare_to_charge();
  const Datum text = ledger_text(query);
  auto* const rows = static_cast<LedgerRow*>(palloc(subjects.size() * sizeof(LedgerRow)));
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    const Share& subject = subjects[i];
    rows[i] = {0, 0, subject.account, subject.account, subject.relation, CStringGetTextDatum(kind), {}, {}, 0, text};
  }
  const FrozenWrites turns;
  append_unasked(subjects, {rows, subjects.size()});
  const Told told = {closed ? "closed" : "opened",
                     "The ledger has it; pg_stat_replication shows whether the standby is there."};
  turns.flush(told);
}

constexpr const char* kReopen = "dp.reopen('visits', 'ana')";

}  // namespace

std::span<Share> subjects_of(List* entries) {
  auto* const subjects = static_cast<Share*>(palloc(static_cast<Size>(list_length(entries)) * sizeof(Share)));
  std::size_t count = 0;
  ListCell* cell;
  foreach (cell, entries) {
    const Payer& payer = static_cast<const Entry*>(lfirst(cell))->payer;
    const Share subject = {payer.relation, payer.subject(), {}, {}};
    const auto is_same = [&](const Share& s) { return s.relation == subject.relation && s.account == subject.account; };
    if (std::none_of(subjects, subjects + count, is_same)) subjects[count++] = subject;
  }
  return {subjects, count};
}

void close(std::span<Share> subjects, const char* query) { append_turn(subjects, kClosed, true, query); }

const char* call_to_reopen(const Share& share) {
  return psprintf("dp.reopen(%s, %s)", quote_literal_cstr(whole_name(share.relation)),
                  quote_literal_cstr(quote_identifier(role_name(share.account))));
}

void require_open(std::span<const Share> shares) {
  const auto closed = std::find_if(shares.begin(), shares.end(), [](const Share& share) { return share.closed; });
  if (closed == shares.end()) return;
  ereport(ERROR,
          (errcode(pg::kAccountClosed),
           errmsg("role \"%s\" is closed on table %s until a curator opens it: an earlier private query was stopped by "
                  "an error",
                  role_name(closed->account), whole_name(closed->relation)),
           errhint("A curator finds the error in the server's log and then says SELECT %s;", call_to_reopen(*closed))));
}

void require_open(List* entries) {
  const std::span<Share> subjects = subjects_of(entries);
  read_totals(subjects);
  require_open(std::span<const Share>(subjects));
}

// dp.reopen(relation regclass, role regrole) returns void. Like a charge it stays, whatever becomes of the transaction.
DP_SQL_FUNCTION(dp_reopen) {
  const Oid relation = oid_argument(fcinfo, 0, "relation", kReopen);
  const Oid role = oid_argument(fcinfo, 1, "role", kReopen);
  begin_curating(relation, "dp.reopen()");
  Share subject = {relation, role, {}, {}};
  read_totals({&subject, 1});
  if (totals_installed() && are_all_shut()) {
    ereport(ERROR,
            (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
             errmsg("every account of this database is closed until the server is restarted, and none can be opened"),
             errdetail("Errors stopped private queries of more than %d accounts while the ledger could not be told.",
                       kMostShut),
             errhint("Let the ledger be written again (is the disk full?), restart the server, and then open it.")));
  }
  if (!subject.closed) {
    ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                    errmsg("role \"%s\" is not closed on table %s", role_name(role), relation_name(relation)),
                    errhint("Rows of kind 'closed' in the view dp.ledger show who is; of a role that pays from the "
                            "account of another, "
                            "that other one is.")));
  }
  append_turn({&subject, 1}, kReopened, false, debug_query_string);
  ereport(LOG_SERVER_ONLY, (errmsg("role \"%s\" was opened on table %s by \"%s\"", role_name(role),
                                   whole_name(relation), role_name(GetUserId()))));
  PG_RETURN_VOID();
}

}  // namespace dp::budget
