#include "budget/ledger/begun_books.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/frozen_rows.h"
#include "budget/ledger/ledger.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

namespace column {
enum { seq = 1, relation, source, account, epsilon, delta, divergences };
}

// What is known of a table's accounts, or of a role's.
std::span<Share> known_shares(Oid relation, Oid role) {
  Relation const ledger = table_open(own_tables().ledger_entry, AccessShareLock);
  const std::span<Share> shares = shares_of_table_or_role(ledger, relation, role);
  table_close(ledger, AccessShareLock);
  return shares;
}

Spending size_of(const Spending& spending) { return spending.epsilon < 0 || spending.delta < 0 ? -spending : spending; }

// One for each share, with what it asks: the table's part where it is the table's, otherwise the account's.
std::span<LedgerRow> rows_of(std::span<const Share> shares, const char* kind) {
  auto* const rows = static_cast<LedgerRow*>(palloc(shares.size() * sizeof(LedgerRow)));
  const Datum text = ledger_text(debug_query_string);
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const Share& share = shares[i];
    const Spending moved = size_of(share.asked);
    const bool whole = !OidIsValid(share.account);
    rows[i] = {0,
               0,
               whole ? GetUserId() : share.account,
               share.account,
               share.relation,
               CStringGetTextDatum(share.is_older ? kContinuedOlder : kind),
               whole ? Spending{} : moved,
               whole ? moved : Spending{},
               0,
               text,
               std::max<std::int64_t>(1, std::abs(share.charges))};
  }
  return {rows, shares.size()};
}

// The same accounts, with what counts of it in the periods that their budgets have on the table that goes on.
std::span<Share> spent_in_periods(std::span<const Share> shares, Oid to) {
  auto* const copies = static_cast<Share*>(palloc(shares.size() * sizeof(Share)));
  for (std::size_t i = 0; i < shares.size(); ++i) {
    copies[i] = {shares[i].relation, shares[i].account, {}, {}};
    if (const auto limit = account_limit(to, shares[i].account)) copies[i].period = limit->period;
  }
  read_totals({copies, shares.size()});
  return {copies, shares.size()};
}

// What went from one table to the other, or back, for that account.
Spending exchanged(List* moves, Oid account) {
  Spending sum;
  ListCell* cell;
  foreach (cell, moves) {
    const auto& move = *static_cast<Share*>(lfirst(cell));
    if (move.account == account) sum += move.asked;
  }
  return sum;
}

// Share*: what is written in dp.continued of these two.
List* moves_between(Oid one, Oid other) {
  List* moves = NIL;
  for (NumberedRows row(own_tables().continued); row.next();) {
    const Oid relation = DatumGetObjectId(row.value(column::relation));
    const Oid source = DatumGetObjectId(row.value(column::source));
    if (!((relation == one && source == other) || (relation == other && source == one))) continue;
    const Oid account = row.is_null(column::account) ? InvalidOid : DatumGetObjectId(row.value(column::account));
    Spending moved = Spending::of({row.whole(column::epsilon), row.whole(column::delta)});
    if (!row.is_null(column::divergences)) moved.divergences = divergences_of(row.value(column::divergences));
    moves = lappend(moves, new (palloc(sizeof(Share))) Share{relation, account, moved, {}});
  }
  return moves;
}

std::int64_t beyond(std::int64_t spent, std::int64_t before) { return std::max<std::int64_t>(0, spent - before); }

Spending beyond(const Spending& spent, const Spending& before) {
  Spending more = {{beyond(spent.epsilon, before.epsilon), beyond(spent.delta, before.delta)}, {}};
  more.divergences.unbounded = beyond(spent.divergences.unbounded, before.divergences.unbounded);
  for (std::size_t i = 0; i < kOrders; ++i)
    more.divergences.at[i] = beyond(spent.divergences.at[i], before.divergences.at[i]);
  return more;
}

// What went to or from a table that is gone, or for the account of a role that is, is nothing of who gets its number
// later.
void forget_moves(DroppedKind kind, Oid number) {
  const auto is_of = [number](const NumberedRows& row, int column) {
    return !row.is_null(column) && DatumGetObjectId(row.value(column)) == number;
  };
  LockRelationOid(own_tables().continued, RowExclusiveLock);
  for (NumberedRows row(own_tables().continued); row.next();) {
    const bool gone = kind == DroppedKind::role ? is_of(row, column::account)
                                                : is_of(row, column::relation) || is_of(row, column::source);
    if (gone) row.remove();
  }
  CommandCounterIncrement();
}

void write_move(const LedgerRow& row, Oid from) {
  const bool whole = !OidIsValid(row.account);
  const Spending& moved = whole ? row.table : row.paid;
  const Datum values[] = {Int64GetDatum(row.seq),        ObjectIdGetDatum(row.relation), ObjectIdGetDatum(from),
                          ObjectIdGetDatum(row.account), Int64GetDatum(moved.epsilon),   Int64GetDatum(moved.delta),
                          divergences_datum(moved)};
  bool nulls[std::size(values)] = {};
  nulls[column::account - 1] = whole;
  nulls[column::divergences - 1] = values[column::divergences - 1] == 0;
  append_row(own_tables().continued, values, nulls, Lasting::at_once);
}

Spending lesser(const Spending& one, const Spending& other) {
  Spending less = {{std::min(one.epsilon, other.epsilon), std::min(one.delta, other.delta)}, {}};
  less.divergences.unbounded = std::min(one.divergences.unbounded, other.divergences.unbounded);
  for (std::size_t i = 0; i < kOrders; ++i)
    less.divergences.at[i] = std::min(one.divergences.at[i], other.divergences.at[i]);
  return less;
}

// Each share, and where its budget is one for a period, apart what of it was spent in earlier ones: `in_period` says
// what was not.
std::span<Share> by_period(std::span<const Share> shares, std::span<const Share> in_period) {
  auto* const parts = static_cast<Share*>(palloc(2 * shares.size() * sizeof(Share)));
  std::size_t count = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    Share now = shares[i];
    if (in_period[i].period.exists()) {
      Share older = now;
      now.asked = lesser(now.asked, in_period[i].spent);
      now.charges = std::min(now.charges, in_period[i].charges_before);
      older.is_older = true;
      older.asked = beyond(older.asked, now.asked);
      older.charges -= now.charges;
      parts[count++] = older;
    }
    parts[count++] = now;
  }
  return {parts, count};
}

// Those of the shares that something is to be written of.
template <class Test>
std::span<Share> those(std::span<Share> shares, Test test) {
  const auto end = std::partition(shares.begin(), shares.end(), test);
  return shares.first(static_cast<std::size_t>(end - shares.begin()));
}

// Whoever is closed stays closed: a table that is replaced every night would open the account every night.
void require_open(const Share& share) {
  if (!share.closed) return;
  ereport(ERROR,
          (errcode(pg::kAccountClosed),
           errmsg("table %s cannot be continued: the account of role \"%s\" on it is closed, because an earlier "
                  "private query was stopped by an error",
                  relation_name(share.relation), role_name(share.account)),
           errhint("A curator finds the error in the server's log and then says SELECT dp.reopen(%s, %s).",
                   quote_literal_cstr(relation_name(share.relation)), quote_literal_cstr(role_name(share.account)))));
}

}  // namespace

void note_dropped_books(DroppedKind kind, Oid number) {
  const bool role = kind == DroppedKind::role;
  if (tables() == nullptr || (!role && in_own_schema(number))) return;
  if (!may_have_spent(role ? InvalidOid : number, role ? number : InvalidOid)) return;
  note_dropped(kind, number);
  forget_moves(kind, number);
}

void begin_books(DroppedKind kind, Oid number) {
  if (!is_noted_dropped(kind, number)) return;
  prepare_to_charge();
  require_confirmed();
  if (!take_dropped_note(kind, number)) return;
  const bool role = kind == DroppedKind::role;
  const std::span<Share> shares = those(known_shares(role ? InvalidOid : number, role ? number : InvalidOid),
                                        [](const Share& share) { return share.closed || !share.spent.zero(); });
  if (shares.empty()) return;
  for (Share& share : shares) {
    share.asked = -share.spent;
    share.charges = -share.charges_before;
  }
  const FrozenWrites ended;
  append_unasked(shares, rows_of(shares, kDropped));
  ended.flush({"begun", "The ledger has it; pg_stat_replication shows whether the standby is there."});
}

bool take_over_spent(Oid from, Oid to) {
  prepare_to_charge();
  require_confirmed();
  std::span<Share> shares = known_shares(from, InvalidOid);
  for (const Share& share : shares) require_open(share);
  const std::span<Share> in_period = spent_in_periods(shares, to);
  if (std::all_of(shares.begin(), shares.end(), [](const Share& share) { return share.spent.zero(); })) return false;
  List* const moves = moves_between(from, to);
  for (Share& share : shares) {
    share.asked = beyond(share.spent, exchanged(moves, share.account));
    share.relation = to;
    share.charges = share.charges_before;
  }
  shares = those(by_period(shares, in_period), [](const Share& share) { return !share.asked.zero(); });
  if (shares.empty()) return true;
  const std::span<LedgerRow> rows = rows_of(shares, kContinued);
  const FrozenWrites taken;
  append_unasked(shares, rows);
  // After the ledger: what an error leaves out here is only taken over once more.
  for (const LedgerRow& row : rows) write_move(row, from);
  taken.flush({"taken over", "The ledger has it; pg_stat_replication shows whether the standby is there."});
  return true;
}

}  // namespace dp::budget
