#include "budget/ledger/ledger.h"

#include <algorithm>

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/frozen_rows.h"
#include "budget/catalog/ledger_rows.h"
#include "budget/catalog/policy_rows.h"
#include "budget/ledger/budget_exhausted.h"
#include "budget/ledger/closed_accounts.h"
#include "budget/ledger/expiry.h"
#include "budget/ledger/known_divergences.h"
#include "budget/ledger/room.h"
#include "budget/ledger/shared_database.h"
#include "budget/ledger/shared_totals.h"
#include "budget/ledger/waiting_charges.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

void require_installed() {
  if (totals_installed()) return;
  ereport(ERROR, (errcode(pg::kNotLoaded), errmsg("pg_dp is not loaded at server start"),
                  errhint("Set shared_preload_libraries = 'pg_dp' in postgresql.conf and restart the server.")));
}

// Where epsilon adds up, divergences are kept of steps alone: an account that counts divergences later knows those of
// other answers by their epsilon.
bool keeps_losses(const Cost& cost, bool divergences) { return divergences || cost.losses.have_steps(); }

Spending spending_of(const Cost& cost, bool divergences) {
  return {cost,
          keeps_losses(cost, divergences) ? known_divergences(cost.losses) : known_rough_divergences(cost.epsilon)};
}

// The limit in force now. Protection and account were looked up before the lock was taken; they may have been removed
// since.
Limit limit_now(const Payer& payer, Oid account) {
  const std::optional<Limit> limit = account_limit(payer.relation, account);
  if (limit) return *limit;
  ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                  errmsg("the budgets on table %s changed while the query ran", relation_name(payer.relation)),
                  errhint("Run the query again.")));
  pg_unreachable();
}

// Gaussian noise without a delta has no epsilon that could be added up.
void require_counted(const Cost& asked, const Share& share, const Limit& limit, Oid relation) {
  if (asked.losses.bounded() || (share.counts_divergences && limit.conversion_delta() > 0)) return;
  const char* const table = relation_name(relation);
  const char* const who = share.counts_divergences && OidIsValid(share.account)
                              ? psprintf("role \"%s\" on ", role_name(share.account))
                              : "";
  ereport(
      ERROR,
      (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
       errmsg("gaussian without a delta cannot be charged to %stable %s, where epsilon adds up: ask by "
              "laplace, or by gaussian(delta=1e-6)",
              who, table),
       errdetail("Its noise has Rényi divergences, and no epsilon."),
       share.counts_divergences
           ? errhint("An account that counts divergences has a delta: SELECT dp.grant_budget(%s, %s, delta => 1e-6);",
                     quote_literal_cstr(table), quote_literal_cstr(role_name(share.account)))
           : errhint("A curator has divergences counted: SELECT dp.protect(%s, delta => 1e-6, accountant => "
                     "'renyi');",
                     quote_literal_cstr(table))));
}

// `of_table`: the limit of the table, as it was read a moment ago.
void ask(Charge* all, std::size_t* count, const Payer& payer, Oid account, const Limit& limit, const Limit& of_table,
         const Cost& asked, std::int64_t price) {
  Share* const begin = all->shares.data();
  Share* const end = begin + *count;
  Share* const share =
      std::find_if(begin, end, [&](const Share& s) { return s.relation == payer.books() && s.account == account; });
  if (share == end) {
    all->limits[*count] = limit;
    *share = {payer.books(), account, {}, {}};
    begin_share(share, limit, of_table.accountant);
    ++*count;
  }
  require_counted(asked, *share, limit, payer.relation);
  share->asked += spending_of(asked, share->counts_divergences);
  if (price == 0) return;  // an answer is shown again, which is no charge
  ++share->charges;
  share->smallest = std::min(share->smallest, price);
}

// Who pays nothing there may be closed: it gets a share without an amount. So is a role without an account, and one
// whose partitions are charged, since it is closed on the whole table.
void look_at(Charge* all, std::size_t* count, const Payer& payer) {
  Share* const begin = all->shares.data();
  Share* const end = begin + *count;
  if (std::any_of(begin, end,
                  [&](const Share& s) { return s.relation == payer.relation && s.account == payer.subject(); }))
    return;
  all->limits[*count] = {};
  *end = {payer.relation, payer.subject(), {}, {}};
  ++*count;
}

// Each account once, with the sum of what the entries ask of it; a role's account before the table's. Palloc'd arrays,
// because errors jump over them; without rows.
Charge shares_of(std::span<const Entry> entries) {
  const std::size_t most = 3 * entries.size();
  Charge all = {{static_cast<Share*>(palloc(most * sizeof(Share))), most},
                static_cast<Limit*>(palloc(most * sizeof(Limit)))};
  std::size_t count = 0;
  for (const Entry& entry : entries) {
    const Payer& payer = entry.payer;
    const std::int64_t price = std::max(entry.account.epsilon, entry.table.epsilon);
    // Both as they were read together, or both now.
    const Limit of_table = entry.limit ? *entry.limit : limit_now(payer, InvalidOid);
    if (OidIsValid(payer.account)) {
      const Limit own = entry.limit && payer.limit ? *payer.limit : limit_now(payer, payer.account);
      ask(&all, &count, payer, payer.account, own, of_table, entry.account, price);
    }
    if (!OidIsValid(payer.account) || OidIsValid(payer.block)) look_at(&all, &count, payer);
    ask(&all, &count, payer, InvalidOid, of_table, of_table, entry.table, price);
  }
  all.shares = all.shares.first(count);
  return all;
}

// The index of the first share that does not fit, or their number.
std::size_t short_of(const Charge& all) {
  std::size_t i = 0;
  const auto goes = [&](const Share& share, const Limit& limit) {
    return !share.closed && fits(share, limit) && fits_rules(share, limit);
  };
  while (i < all.shares.size() && goes(all.shares[i], all.limits[i])) ++i;
  return i;
}

// Called without the lock, because it raises an error.
void require_fit(const Charge& charge) {
  if (charge.fits()) return;
  count(&Counters::refusals, 1);
  require_none(charge.doubt);
  require_open(charge.shares);
  if (charge.late) {
    ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                    errmsg("a period of a budget has ended while an answer was made more accurate: ask again"),
                    errdetail("Nothing was charged. In another period it costs more.")));
  }
  refuse(charge.shares, {charge.limits, charge.shares.size()}, charge.first_short);
}

// Under the lock. An error leaves totals that whoever comes next reads anew.
void settle(FrozenTable* ledger, Charge* charge) {
  const TimestampTz now = GetCurrentTimestamp();
  charge->doubt = look_at_totals(charge->shares, now);
  charge->first_short = short_of(*charge);
  charge->late = next_time(now) >= charge->before;
  if (!charge->fits()) return;
  if (charge->release == kNewRelease) charge->release = next_release();
  append_begins(ledger->relation(), charge->shares.size());
  for (LedgerRow& row : charge->rows) {
    row.seq = next_seq();
    row.charged_at = next_time(now);
    row.release = charge->release;
    ledger->insert(form_ledger_row(ledger->relation(), row));
  }
  append_ended(ledger->relation(), charge->shares);
}

// Whether it may fit once it is known what has expired.
bool may_fit(const Charge& charge) {
  return charge.doubt == Doubt::none && !charge.late && !charge.fits() &&
         std::any_of(charge.shares.begin(), charge.shares.end(), [](const Share& share) { return share.may_expire; });
}

}  // namespace

Doubt read_totals(std::span<Share> shares) {
  Relation const ledger = table_open(own_tables().ledger_entry, AccessShareLock);
  const Doubt doubt = look_up_totals(ledger, shares);
  table_close(ledger, AccessShareLock);
  return doubt;
}

void require_confirmed() { require_none(read_totals({})); }

namespace {

LedgerRow row_of(const Entry& entry, std::span<const Share> shares) {
  const Payer& payer = entry.payer;
  const bool divergences = std::any_of(shares.begin(), shares.end(), [&](const Share& share) {
    return share.relation == payer.books() && share.counts_divergences;
  });
  const Losses losses = keeps_losses(entry.account, divergences) ? entry.account.losses : Losses{};
  const Losses table_losses = keeps_losses(entry.table, divergences) ? entry.table.losses : Losses{};
  return {0,
          0,
          payer.role,
          payer.account,
          payer.books(),
          CStringGetTextDatum(entry.kind),
          spending_of(entry.account, divergences),
          spending_of(entry.table, divergences),
          entry.release,
          ledger_text(entry.query, losses, table_losses),
          1,
          losses,
          table_losses};
}

}  // namespace

namespace {

bool log_charges = false;

void log_charge(const LedgerRow& row) {
  ereport(LOG, (errhidestmt(true),
                errmsg("pg_dp charged role \"%s\" epsilon %s and delta %s, and table %s epsilon %s and delta %s",
                       role_name(row.role), epsilon_decimal(row.paid.epsilon).text, delta_decimal(row.paid.delta).text,
                       relation_name(row.relation), epsilon_decimal(row.table.epsilon).text,
                       delta_decimal(row.table.delta).text),
                errdetail_log("Entry %lld of the ledger.", static_cast<long long>(row.seq))));
}

void define_log_setting() {
  DefineCustomBoolVariable("dp.log_charges", "Writes each charge to the server's log.",
                           "For monitoring; the text of the statement stands in dp.ledger.", &log_charges, false,
                           PGC_SUSET, 0, nullptr, nullptr, nullptr);
}

}  // namespace

std::span<const Entry> entries_of(List* entries) {
  const auto count = static_cast<std::size_t>(list_length(entries));
  auto* const array = static_cast<Entry*>(palloc(count * sizeof(Entry)));
  ListCell* cell;
  foreach (cell, entries) array[foreach_current_index(cell)] = *static_cast<Entry*>(lfirst(cell));
  return {array, count};
}

void require_room(std::span<const Entry> entries) {
  Charge all = shares_of(entries);
  const Doubt doubt = read_totals(all.shares);
  if (!entries.empty()) all.doubt = doubt;
  all.first_short = short_of(all);
  require_fit(all);
}

void require_counted(std::span<const Entry> entries) { shares_of(entries); }

bool is_exhausted(std::span<const Entry> entries) {
  const Charge all = shares_of(entries);
  read_totals(all.shares);
  for (std::size_t i = 0; i < all.shares.size(); ++i) {
    if (!fits(all.shares[i], all.limits[i])) return true;
  }
  return false;
}

std::int64_t times_left(std::span<const Entry> entries) {
  const Charge all = shares_of(entries);
  read_totals(all.shares);
  std::int64_t times = PG_INT64_MAX;
  for (std::size_t i = 0; i < all.shares.size(); ++i) {
    const Share& share = all.shares[i];
    if (share.closed || !fits_rules(share, all.limits[i])) return 0;
    times = std::min(times, times_left(share, all.limits[i]));
    if (all.limits[i].charges > 0 && share.charges > 0)
      times = std::min(times, (all.limits[i].charges - share.charges_before) / share.charges);
  }
  return times;
}

std::int64_t append(std::span<const Entry> entries) {
  require_installed();
  const TimestampTz begun = GetCurrentTimestamp();
  Charge charge = shares_of(entries);
  charge.rows = {static_cast<LedgerRow*>(palloc(entries.size() * sizeof(LedgerRow))), entries.size()};
  std::transform(entries.begin(), entries.end(), charge.rows.begin(),
                 [&](const Entry& entry) { return row_of(entry, charge.shares); });
  charge.release = entries.front().release;
  for (const Entry& entry : entries) charge.before = std::min(charge.before, entry.before);

  FrozenTable ledger(own_tables().ledger_entry);
  do {
    bring_expired(ledger.relation(), charge.shares);
    if (!lock_totals(ledger.relation(), &charge)) continue;
    settle(&ledger, &charge);
    // Each waits for its own rows to be on disk and on the standby, and no two for the same position: PostgreSQL's
    // queue of those that wait for a standby asserts that.
    const XLogRecPtr written = XactLastRecEnd;
    this_database().waiting.settle_all([&ledger](Charge* other) { settle(&ledger, other); });
    XactLastRecEnd = written;
    unlock_totals();
  } while (may_fit(charge));
  write_checkpoint_when_due(ledger.relation());
  ledger.close();  // released at once: a transaction that goes idle must not block others
  require_fit(charge);
  count(&Counters::charges, entries.size());
  count_charge(GetCurrentTimestamp() - begun);
  if (log_charges) std::for_each(charge.rows.begin(), charge.rows.end(), log_charge);
  return charge.release;
}

void append_unasked(std::span<Share> shares, std::span<LedgerRow> rows) {
  FrozenTable ledger(own_tables().ledger_entry);
  lock_totals(ledger.relation());
  const TimestampTz now = GetCurrentTimestamp();
  look_at_totals(shares, now);
  append_begins(ledger.relation(), shares.size());
  for (LedgerRow& row : rows) {
    row.seq = next_seq();
    row.charged_at = next_time(now);
    ledger.insert(form_ledger_row(ledger.relation(), row));
  }
  append_ended(ledger.relation(), shares);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (const auto closed = rows[i].turns()) turn(shares[i], *closed, rows[i].seq);
    if (rows[i].ends_books()) begin(shares[i], rows[i].seq);
  }
  unlock_totals();
  ledger.close();
}

void withdraw(const Entry& entry) {
  Charge all = shares_of({&entry, 1});
  LedgerRow row = row_of(entry, all.shares);
  row.kind = CStringGetTextDatum(kWithdrawn);
  for (Share& share : all.shares) {
    share.asked = -share.asked;
    share.charges = -share.charges;
  }
  append_unasked(all.shares, {&row, 1});
}

void prepare_to_charge() {
  require_installed();
  if (RecoveryInProgress()) {
    ereport(ERROR, (errcode(ERRCODE_READ_ONLY_SQL_TRANSACTION),
                    errmsg("a standby cannot charge questions on protected tables: ask on the primary server"),
                    errdetail("Every answer is written to the ledger first."), errhint("Ask on the primary server.")));
  }
  // A parallel worker cannot insert rows, and a leader cannot get a transaction id.
  if (IsParallelWorker() || (IsInParallelMode() && !TransactionIdIsValid(GetCurrentTransactionIdIfAny()))) {
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_TRANSACTION_STATE),
             errmsg("questions on protected tables cannot be asked inside a parallel operation"),
             errhint("Declare the function that asks PARALLEL UNSAFE, or SET max_parallel_workers_per_gather = 0;")));
  }
  GetCurrentTransactionId();
}

Spending spent(Oid relation, Oid account) {
  Share share = {relation, account, {}, {}};
  read_totals({&share, 1});
  return share.spent;
}

void install_ledger() {
  install_totals();
  define_place_settings();
  define_log_setting();
}

// dp.settle_ledger() returns bigint: of dp.confirm_ledger().
DP_SQL_FUNCTION(dp_settle_ledger) {
  prepare_to_charge();
  const FrozenWrites settled;
  Relation const ledger = table_open(own_tables().ledger_entry, RowExclusiveLock);
  const std::int64_t last = settle_ledger(ledger);
  table_close(ledger, RowExclusiveLock);
  settled.flush({"confirmed", "pg_stat_replication shows whether the standby is there."});
  ereport(LOG_SERVER_ONLY, (errmsg("the ledger of pg_dp was confirmed by \"%s\", up to entry %lld",
                                   role_name(GetUserId()), static_cast<long long>(last))));
  PG_RETURN_INT64(last);
}

}  // namespace dp::budget
