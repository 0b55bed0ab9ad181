// What a publication has paid for and drawn: so that each period is charged once, and never drawn twice for one charge.
//
// Three things may happen to a private question of a period, each durable before the next begins:
//
//   paid    the ledger has its charge, of a kind that nothing else writes, beginning with the publication and period
//   drawn   its answer is stored with the extension's other answers, and a row here says so, and by which charge
//   kept    the transaction commits that has put rows into the published table, and the next period's turn has come
//
// A row of the answer leaves the release node after it was drawn. So an attempt that finds nothing drawn for a charge
// may draw: nobody has seen a number that this charge has paid for. And one that finds an answer shows that.
#pragma once

#include <span>

#include "budget/ledger/ledger.h"
#include "budget/policy/publishing.h"

namespace dp::budget {

// Pays for a question of what is being published, durably, unless that was done; notes in publishing()->paid by which
// entry. Of totals the first period pays for all: what a row changes in all of them together is what is charged.
void pay_for_period(std::span<const Entry> entries);

// Notes that the question was drawn, as that stored answer. `errors`: of totals, how far each may be off in 95 of 100
// cases (a float8 array); 0 where there are none.
void note_drawn(std::int64_t answer, std::int64_t question_hash, Datum errors);

// Of totals what all periods have in common, as the first one has paid for it: the protected table, and the noise of
// each number in words.
struct AllTotals {
  Oid relation;
  const char* asked;
};

// Whether these are those of the periods that were drawn, if any were.
bool are_as_drawn(const AllTotals& totals);

// Whether a question of that period has been drawn already.
bool was_drawn();

// The answers that hold the numbers of the periods before: the last one of each.
std::span<const std::int64_t> drawn_answers();

// The period is kept with the transaction: its stored answers go with it.
void forget_drawn(const Publishing& what);

// All of a publication.
void forget_publication(std::int64_t publication);

// The extension's table of that name, of those that belong to publications.
Oid table_of_publications(const char* name);

}  // namespace dp::budget
