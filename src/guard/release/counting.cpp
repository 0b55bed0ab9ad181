#include "guard/release/counting.h"

#include "budget/ledger/known_divergences.h"
#include "budget/policy/accounts.h"

namespace dp::guard {

const Counting* Counting::of(const InnerQuery& inner_query, std::span<const CurrentPrice> prices, const Oid* roles) {
  auto* const counting = new (palloc(sizeof(Counting))) Counting;
  for (int i = 0; i < inner_query.protected_tables() && counting->by_divergences_; ++i) {
    const budget::Limit& of_table = prices[static_cast<std::size_t>(i)].limit;
    counting->by_divergences_ = of_table.accountant == budget::Accountant::renyi;
    if (!counting->by_divergences_) break;
    counting->add(of_table);
    const budget::Payer payer = budget::payer_of(inner_query.protected_table(i).relation, roles[i]);
    if (payer.limit) counting->add(*payer.limit);
  }
  return counting;
}

void Counting::add(const budget::Limit& limit) {
  by_divergences_ = by_divergences_ && limit.conversion_delta() > 0;
  if (!by_divergences_) return;
  const budget::Conversion& conversion = budget::known_conversion(limit.conversion_delta());
  accounts_ = lappend(accounts_, new (palloc(sizeof(Account))) Account{limit.total.epsilon, conversion});
}

bool Counting::suits_gaussian(mechanism::Epsilon epsilon) const {
  const auto nano = static_cast<std::int64_t>(epsilon.nano);
  const budget::Spending one{{nano, 0}, budget::known_divergences(budget::Loss{budget::Loss::Kind::gaussian, nano})};
  ListCell* cell;
  foreach (cell, accounts_) {
    const auto& account = *static_cast<const Account*>(lfirst(cell));
    const budget::RenyiLimit limit{account.epsilon, 0, &account.conversion};
    if (budget::times_admitted(limit, {}, one) < account.epsilon / nano) return false;
  }
  return by_divergences_;
}

}  // namespace dp::guard
