#include "budget/publish/drawn.h"

#include <algorithm>

#include "budget/answers/stored_answers.h"
#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/frozen_rows.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

namespace column {
enum { publication = 1, period, answer, question_hash, entry, relation, asked, errors };
}

constexpr const char* kPublished = "publish";

Oid draws() { return table_of_publications("publication_draw"); }

// Those that were drawn for a charge already; 0 is none.
bool is_drawn_for(std::int64_t entry) {
  bool found = false;
  for (NumberedRows row(draws(), publishing()->id); row.next();) found = found || row.whole(column::entry) == entry;
  return found;
}

bool is_same(const Losses& noted, const Losses& asked) { return noted == asked || (noted.empty() && asked.bounded()); }

bool is_same(const Spending& noted, const Cost& asked) {
  return noted.epsilon == asked.epsilon && noted.delta == asked.delta;
}

bool pays(const LedgerRow& row, const Entry& entry, const char* mark) {
  return strcmp(TextDatumGetCString(row.kind), kPublished) == 0 && row.query != 0 &&
         strncmp(TextDatumGetCString(row.query), mark, strlen(mark)) == 0 && row.role == entry.payer.role &&
         row.account == entry.payer.account && row.relation == entry.payer.books() &&
         is_same(row.paid, entry.account) && is_same(row.table, entry.table) &&
         is_same(row.losses, entry.account.losses) && is_same(row.table_losses, entry.table.losses);
}

// The first of the entries that have paid for just that and for which nothing was drawn; 0: there are none. Entries of
// one charge follow each other, and those of this period are younger than what was published before it.
std::int64_t paid_entry(std::span<const Entry> entries) {
  const Publishing& now = *publishing();
  const char* const mark = mark_of(now);
  Relation const ledger = table_open(own_tables().ledger_entry, AccessShareLock);
  Relation const index = number_index(ledger);
  std::int64_t found = 0;
  std::size_t next = entries.size();
  if (index != nullptr) {
    LedgerScan scan(ledger, index, 1, PG_INT64_MAX, BackwardScanDirection);
    LedgerRow row;
    while (scan.next(&row)) {
      CHECK_FOR_INTERRUPTS();
      if (row.charged_at < now.last) {
        scan.close();
        break;
      }
      if (!pays(row, entries[next - 1], mark)) {
        next = entries.size();
        if (!pays(row, entries[next - 1], mark)) continue;
      }
      if (--next > 0) continue;
      next = entries.size();
      if (is_drawn_for(row.seq)) continue;
      found = row.seq;
      scan.close();
      break;
    }
    index_close(index, AccessShareLock);
  }
  table_close(ledger, AccessShareLock);
  return found;
}

bool any_drawn() {
  NumberedRows row(draws(), publishing()->id);
  if (!row.next()) return false;
  row.close();
  return true;
}

}  // namespace

Oid table_of_publications(const char* name) {
  const Oid table = get_relname_relid(name, get_rel_namespace(own_tables().ledger_entry));
  if (!OidIsValid(table) || !is_of_extension(RelationRelationId, table)) refuse_other_version();
  return table;
}

void pay_for_period(std::span<const Entry> entries) {
  Publishing* const now = publishing();
  now->paid = 0;
  if (now->running && any_drawn()) return;
  now->paid = paid_entry(entries);
  if (now->paid > 0) return;
  const FrozenWrites charged;
  append(entries);
  charged.flush({"charged", "Nothing was published. The next attempt pays nothing for it."});
  now->paid = paid_entry(entries);
}

void note_drawn(std::int64_t answer, std::int64_t question_hash, Datum errors) {
  const Publishing& now = *publishing();
  const Datum values[] = {Int64GetDatum(now.id),          TimestampTzGetDatum(now.start),
                          Int64GetDatum(answer),          Int64GetDatum(question_hash),
                          Int64GetDatum(now.paid),        ObjectIdGetDatum(now.relation),
                          CStringGetTextDatum(now.asked), errors};
  append_frozen(draws(), values, errors == 0 ? column::errors - 1 : SIZE_MAX);
}

bool was_drawn() {
  bool found = false;
  for (NumberedRows row(draws(), publishing()->id); row.next();)
    found = found || DatumGetTimestampTz(row.value(column::period)) == publishing()->start;
  return found;
}

bool are_as_drawn(const AllTotals& totals) {
  bool same = true;
  for (NumberedRows row(draws(), publishing()->id); row.next();) {
    same = same && DatumGetObjectId(row.value(column::relation)) == totals.relation &&
           strcmp(TextDatumGetCString(row.value(column::asked)), totals.asked) == 0;
  }
  return same;
}

std::span<const std::int64_t> drawn_answers() {
  struct Draw {
    TimestampTz period;
    std::int64_t answer;
  };
  const Publishing& now = *publishing();
  std::size_t count = 0, room = 64;
  auto* found = static_cast<Draw*>(palloc(room * sizeof(Draw)));
  for (NumberedRows row(draws(), now.id); row.next();) {
    const TimestampTz period = DatumGetTimestampTz(row.value(column::period));
    if (period >= now.start) continue;
    if (count == room) found = static_cast<Draw*>(repalloc(found, (room *= 2) * sizeof(Draw)));
    found[count++] = {period, row.whole(column::answer)};
  }
  // Rows of one number come in the order in which they were written.
  std::stable_sort(found, found + count, [](const Draw& a, const Draw& b) { return a.period < b.period; });
  auto* const answers = static_cast<std::int64_t*>(palloc((count + 1) * sizeof(std::int64_t)));
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i)
    if (i + 1 == count || found[i + 1].period != found[i].period) answers[kept++] = found[i].answer;
  return {answers, kept};
}

void forget_drawn(const Publishing& what) {
  LockRelationOid(draws(), RowExclusiveLock);
  for (NumberedRows row(draws(), what.id); row.next();) {
    if (DatumGetTimestampTz(row.value(column::period)) != what.start) continue;
    forget_answer(row.whole(column::question_hash), row.whole(column::answer));
    if (!what.running) row.try_to_remove();
  }
}

void forget_publication(std::int64_t publication) {
  LockRelationOid(draws(), RowExclusiveLock);
  for (NumberedRows row(draws(), publication); row.next();) {
    forget_answer(row.whole(column::question_hash), row.whole(column::answer));
    row.try_to_remove();
  }
  const Oid numbers = table_of_publications("publication_number");
  LockRelationOid(numbers, RowExclusiveLock);
  for (NumberedRows row(numbers, publication); row.next();) row.try_to_remove();
}

}  // namespace dp::budget
