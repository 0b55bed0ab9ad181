// The functions under the views dp.budgets and dp.ledger. They read without any privilege of the asking role and choose
// the rows that it may see: its own, all of the tables that it is a curator of, and as a member of pg_monitor all.
#include <algorithm>

#include "budget/catalog/decimal.h"
#include "budget/catalog/dropped_rows.h"
#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/frozen_rows.h"
#include "budget/catalog/ledger_rows.h"
#include "budget/catalog/policy_rows.h"
#include "budget/ledger/known_divergences.h"
#include "budget/ledger/ledger.h"
#include "budget/ledger/room.h"
#include "budget/policy/blocks.h"
#include "budget/policy/period.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

// Which rows the current role may see. The answer for a table is kept, because rows of one table often follow each
// other.
class Viewer {
 public:
  bool sees_all_of(Oid relation) {
    if (monitors_) return true;
    if (relation != asked_) {
      answer_ = is_curator(relation, GetUserId()) || owned(relation);
      asked_ = relation;
    }
    return answer_;
  }

  bool sees(Oid relation, Oid role) { return is_role(role) || sees_all_of(relation); }

 private:
  // Before it was dropped.
  static bool owned(Oid relation) { return !relation_exists(relation) && is_role(owner_before_drop(relation)); }

  static bool is_role(Oid role) { return role_exists(role) && has_privs_of_role(GetUserId(), role); }

  // Whom pg_stat_activity shows everyone's statements.
  const bool monitors_ = has_privs_of_role(GetUserId(), ROLE_PG_MONITOR);
  Oid asked_ = InvalidOid;
  bool answer_ = false;
};

std::int64_t left(std::int64_t limit, std::int64_t spent) { return limit > spent ? limit - spent : 0; }

// What is asked about: how many answers of that price are left. Nothing where no epsilon is given.
Cost asked_price(FunctionCallInfo fcinfo) {
  if (PG_ARGISNULL(0)) return {};
  return Cost::pure(Amount::of(mechanism::Epsilon::from(PG_GETARG_FLOAT8(0)), {0}));
}

struct Standing {
  const Policy* policy;
  const Policy* whole;       // of its table
  Oid books;                 // the table, or a partition that has a budget of its own
  const Standing* of_table;  // in the same books
  Share share{};
  Share ever{};  // what was spent in all
  Amount left{};
  std::int64_t charges_left = 0;  // PG_INT64_MAX: as many as there is room for
  std::int64_t answers_left = 0;  // of those that are asked about
};

// `price`: of the answers that are asked about.
void stand(Standing* standing, const Share& share, const Share& ever, const Cost& price) {
  const Limit& limit = standing->policy->limit;
  standing->share = share;
  standing->ever = ever;
  standing->ever.counts_divergences = share.counts_divergences;
  standing->ever.conversion = share.conversion;
  const Amount used = in_use(standing->share, limit);
  standing->left = {left(limit.total.epsilon, used.epsilon),
                    left(limit.answer_delta(standing->share.counts_divergences), used.delta)};
  standing->share.asked = {price, known_divergences(price.losses)};
  standing->answers_left = times_left(standing->share, limit);
  const std::int64_t charges = limit.charges;
  standing->charges_left = charges == 0 ? PG_INT64_MAX : left(charges, share.charges_before);
}

// The most that one statement may cost: a limit of the account's, and the table's; 0 where there is none.
std::int64_t statement_limit(std::int64_t own, std::int64_t of_table) {
  return own == 0 || of_table == 0 ? std::max(own, of_table) : std::min(own, of_table);
}

// Of the partition that is named, or of the whole. An account never has more left than its table. The table's limit of
// a statement and its price for a choice of groups hold for the account too.
void put_budget(const ReturnSetInfo* result, const Standing& standing, Oid block) {
  const Standing& whole = *standing.of_table;
  const Policy& policy = *standing.policy;
  const Policy& table = *standing.whole;
  const std::int64_t most = statement_limit(policy.limit.query_epsilon, table.limit.query_epsilon);
  const Amount& limit = policy.limit.total;
  const Spending& used = standing.share.spent;
  const bool divergences = standing.share.counts_divergences;
  const bool calendar = policy.limit.period.exists() && !policy.limit.period.sliding;
  Datum values[] = {ObjectIdGetDatum(policy.relation),
                    ObjectIdGetDatum(policy.role),
                    epsilon_numeric(limit.epsilon),
                    epsilon_numeric(spent_epsilon(standing.share)),
                    epsilon_numeric(std::min(standing.left.epsilon, whole.left.epsilon)),
                    delta_numeric(limit.delta),
                    delta_numeric(used.delta),
                    delta_numeric(std::min(standing.left.delta, whole.left.delta)),
                    epsilon_numeric(most),
                    epsilon_numeric(table.selection.epsilon),
                    delta_numeric(table.selection.delta),
                    BoolGetDatum(standing.share.closed),
                    epsilon_numeric(table.limit.least()),
                    Int64GetDatum(standing.share.charges_before),
                    Int64GetDatum(policy.limit.charges),
                    Int64GetDatum(std::min(standing.charges_left, whole.charges_left)),
                    Int64GetDatum(std::min(standing.answers_left, whole.answers_left)),
                    CStringGetTextDatum(divergences ? "renyi" : "pure"),
                    delta_numeric(policy.limit.conversion_delta()),
                    IntervalPGetDatum(&policy.limit.period.length),
                    BoolGetDatum(policy.limit.period.sliding),
                    TimestampTzGetDatum(calendar ? end_of(policy.limit.period, GetCurrentTimestamp()) : 0),
                    epsilon_numeric(spent_epsilon(standing.ever)),
                    BoolGetDatum(table.blocks),
                    ObjectIdGetDatum(block),
                    Int32GetDatum(table.unit.blocks)};
  bool nulls[std::size(values)] = {};
  nulls[1] = !OidIsValid(policy.role);
  nulls[8] = most == 0;
  nulls[9] = nulls[10] = table.selection.zero() && !table.no_selection;
  nulls[14] = policy.limit.charges == 0;
  nulls[15] = policy.limit.charges == 0 && table.limit.charges == 0;
  nulls[16] = standing.share.asked.zero();
  nulls[18] = !divergences;
  nulls[19] = nulls[20] = !policy.limit.period.exists();
  nulls[21] = !calendar;
  nulls[24] = !OidIsValid(block);
  nulls[25] = table.unit.blocks == 0;
  tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

void put_entry(const ReturnSetInfo* result, const LedgerRow& row) {
  Datum values[] = {Int64GetDatum(row.seq),
                    TimestampTzGetDatum(row.charged_at),
                    ObjectIdGetDatum(row.role),
                    ObjectIdGetDatum(row.relation),
                    row.kind,
                    epsilon_numeric(row.paid.epsilon),
                    delta_numeric(row.paid.delta),
                    epsilon_numeric(row.table.epsilon),
                    delta_numeric(row.table.delta),
                    Int64GetDatum(row.release),
                    row.query,
                    CStringGetTextDatum(text_of(row.losses).text),
                    CStringGetTextDatum(text_of(row.table_losses).text)};
  bool nulls[std::size(values)] = {};
  nulls[9] = row.release == 0 || row.is_carried();  // of several releases the last
  nulls[10] = row.query == 0;
  nulls[11] = row.losses.empty();
  nulls[12] = row.table_losses.empty();
  tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

const ReturnSetInfo* begin_rows(FunctionCallInfo fcinfo) {
  InitMaterializedSRF(fcinfo, 0);
  return reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo);
}

}  // namespace

namespace {

// What each account has that the viewer sees, each table before its accounts, in all books that are kept of it. Of
// Standing*.
List* standings_for(Viewer* viewer) {
  List* seen = NIL;
  ListCell *table, *account, *block;
  foreach (table, all_protected()) {
    const auto* const whole = static_cast<const Policy*>(lfirst(table));
    List* const blocks = whole->blocks ? blocks_of(whole->relation) : NIL;
    List* const books = blocks != NIL ? blocks : list_make1_oid(whole->relation);
    List* of_table = NIL;
    foreach (block, books) {
      auto* const standing = new (palloc0(sizeof(Standing))) Standing{whole, whole, lfirst_oid(block), nullptr};
      standing->of_table = standing;
      of_table = lappend(of_table, standing);
    }
    seen = list_concat(seen, of_table);
    foreach (account, accounts_on(whole->relation)) {
      const auto* const policy = static_cast<const Policy*>(lfirst(account));
      if (!viewer->sees(policy->relation, policy->role)) continue;
      foreach (block, of_table) {
        const auto* const same = static_cast<const Standing*>(lfirst(block));
        seen = lappend(seen, new (palloc0(sizeof(Standing))) Standing{policy, whole, same->books, same});
      }
    }
  }
  return seen;
}

bool has_less(const Standing& one, const Standing& other) {
  const auto least = [](const Standing& standing) {
    return std::min(standing.left.epsilon, standing.of_table->left.epsilon);
  };
  return least(one) < least(other);
}

}  // namespace

// dp_internal.read_budgets(epsilon float8) returns the columns of dp.budgets, and how many answers of that
// price are left; and for each partition that has a budget the same. What was spent is looked up for all of them
// together: on a standby that reads the ledger.
DP_SQL_FUNCTION(dp_read_budgets) {
  const ReturnSetInfo* const result = begin_rows(fcinfo);
  const Cost price = asked_price(fcinfo);
  Viewer viewer;
  List* const seen = standings_for(&viewer);
  const auto count = static_cast<std::size_t>(list_length(seen));
  const auto made = [count] {
    return std::span<Share>(static_cast<Share*>(palloc_extended(count * sizeof(Share), MCXT_ALLOC_HUGE)), count);
  };
  // In its period, in all, and whether it is closed, which it is on the whole table.
  const std::span<Share> shares = made(), ever = made(), wholes = made();
  ListCell* cell;
  foreach (cell, seen) {
    const auto& standing = *static_cast<const Standing*>(lfirst(cell));
    const auto i = static_cast<std::size_t>(foreach_current_index(cell));
    ever[i] = shares[i] = {standing.books, standing.policy->role, {}, {}};
    wholes[i] = {standing.whole->relation, standing.policy->role, {}, {}};
    begin_share(&shares[i], standing.policy->limit, standing.whole->limit.accountant);
  }
  for (const std::span<Share> each : {shares, ever, wholes}) read_totals(each);
  foreach (cell, seen) {
    const auto i = static_cast<std::size_t>(foreach_current_index(cell));
    shares[i].closed = wholes[i].closed;
    stand(static_cast<Standing*>(lfirst(cell)), shares[i], ever[i], price);
  }
  const Standing* least = nullptr;
  foreach (cell, seen) {
    const auto& standing = *static_cast<const Standing*>(lfirst(cell));
    if (standing.policy == standing.whole && !viewer.sees_all_of(standing.policy->relation)) continue;
    if (least == nullptr || has_less(standing, *least)) least = &standing;
    if (standing.books != standing.whole->relation) put_budget(result, standing, standing.books);
    ListCell* const next = lnext(seen, cell);
    if (next != nullptr && static_cast<const Standing*>(lfirst(next))->policy == standing.policy) continue;
    put_budget(result, *least, InvalidOid);
    least = nullptr;
  }
  PG_RETURN_NULL();
}

namespace {

// Puts the rows of a scan that the role may see and that are of the table, if one is given: so many at most.
void put_entries(const ReturnSetInfo* result, LedgerScan scan, Oid relation, std::int64_t from, std::int64_t to,
                 std::int64_t most) {
  Viewer viewer;
  MemoryContext const memory = AllocSetContextCreate(CurrentMemoryContext, "ledger row", ALLOCSET_DEFAULT_SIZES);
  for (LedgerRow row; scan.next(&row);) {
    CHECK_FOR_INTERRUPTS();
    if (row.seq < from || row.seq > to || (OidIsValid(relation) && row.relation != relation)) continue;
    if (!viewer.sees(row.relation, row.role)) continue;
    MemoryContext const outer = MemoryContextSwitchTo(memory);
    put_entry(result, row);
    MemoryContextSwitchTo(outer);
    MemoryContextReset(memory);
    if (--most > 0) continue;
    scan.close();
    break;
  }
  MemoryContextDelete(memory);
}

}  // namespace

// dp_internal.read_ledger(), dp.ledger_of(relation regclass, from_seq bigint, to_seq bigint) return the charges that
// dp.ledger shows: of that table, if one is given, and with numbers in that range.
DP_SQL_FUNCTION(dp_read_ledger) {
  const ReturnSetInfo* const result = begin_rows(fcinfo);
  const bool chosen = PG_NARGS() == 3;
  const Oid relation = chosen && !PG_ARGISNULL(0) ? PG_GETARG_OID(0) : InvalidOid;
  const std::int64_t from = chosen && !PG_ARGISNULL(1) ? PG_GETARG_INT64(1) : PG_INT64_MIN;
  const std::int64_t to = chosen && !PG_ARGISNULL(2) ? PG_GETARG_INT64(2) : PG_INT64_MAX;
  const bool all = from == PG_INT64_MIN && to == PG_INT64_MAX;
  Relation const ledger = table_open(own_tables().ledger_entry, AccessShareLock);
  Relation const index = all ? nullptr : number_index(ledger);
  if (index == nullptr) {
    put_entries(result, LedgerScan(ledger), relation, from, to, PG_INT64_MAX);
  } else {
    put_entries(result, LedgerScan(ledger, index, from, to, ForwardScanDirection), relation, from, to, PG_INT64_MAX);
    index_close(index, AccessShareLock);
  }
  table_close(ledger, AccessShareLock);
  PG_RETURN_NULL();
}

// dp.last_charges(count integer, only_relation regclass) returns the same, the newest first.
DP_SQL_FUNCTION(dp_last_charges) {
  const ReturnSetInfo* const result = begin_rows(fcinfo);
  const std::int64_t most = PG_ARGISNULL(0) ? PG_INT64_MAX : PG_GETARG_INT32(0);
  const Oid relation = PG_ARGISNULL(1) ? InvalidOid : PG_GETARG_OID(1);
  if (most <= 0) PG_RETURN_NULL();
  Relation const ledger = table_open(own_tables().ledger_entry, AccessShareLock);
  Relation const index = number_index(ledger);
  if (index == nullptr) {
    ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                    errmsg("table dp.ledger_entry has lost its index: read the view dp.ledger"),
                    errhint("As a superuser: CREATE INDEX ledger_entry_seq ON dp.ledger_entry (seq);")));
  }
  put_entries(result, LedgerScan(ledger, index, PG_INT64_MIN, PG_INT64_MAX, BackwardScanDirection), relation,
              PG_INT64_MIN, PG_INT64_MAX, most);
  index_close(index, AccessShareLock);
  table_close(ledger, AccessShareLock);
  PG_RETURN_NULL();
}

namespace {

// A charge as one of the accounts that it was paid by; what was asked is for those who see the charge itself.
void put_payment(const ReturnSetInfo* result, const LedgerRow& row, bool shows_query) {
  Datum values[] = {TimestampTzGetDatum(row.charged_at), ObjectIdGetDatum(row.account),
                    ObjectIdGetDatum(row.relation),      Int64GetDatum(row.paid.epsilon),
                    Int64GetDatum(row.table.epsilon),    row.query};
  bool nulls[std::size(values)] = {};
  nulls[1] = !OidIsValid(row.account);
  nulls[5] = !shows_query || row.query == 0;
  tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

}  // namespace

// dp_internal.read_payments(since timestamptz) returns what was charged from then on, the newest first: to accounts
// that dp.budgets shows to the role, and to tables that it is a curator of. Older entries are not read.
DP_SQL_FUNCTION(dp_read_payments) {
  const ReturnSetInfo* const result = begin_rows(fcinfo);
  const TimestampTz since = PG_GETARG_TIMESTAMPTZ(0);
  Relation const ledger = table_open(own_tables().ledger_entry, AccessShareLock);
  Relation const index = number_index(ledger);
  LedgerScan scan = index == nullptr ? LedgerScan(ledger)
                                     : LedgerScan(ledger, index, PG_INT64_MIN, PG_INT64_MAX, BackwardScanDirection);
  Viewer viewer;
  for (LedgerRow row; scan.next(&row);) {
    CHECK_FOR_INTERRUPTS();
    if (row.charged_at < since) {
      if (index == nullptr) continue;
      scan.close();
      break;
    }
    if (row.turns() || row.ends_books() || row.is_withdrawn() || row.continues() || row.is_carried()) continue;
    const bool sees = viewer.sees(row.relation, row.role);
    if (sees || (OidIsValid(row.account) && viewer.sees(row.relation, row.account))) put_payment(result, row, sees);
  }
  if (index != nullptr) index_close(index, AccessShareLock);
  table_close(ledger, AccessShareLock);
  PG_RETURN_NULL();
}

}  // namespace dp::budget
