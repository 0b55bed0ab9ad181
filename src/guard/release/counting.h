// How the accounts count that pay for the answers of a release, by which `auto` goes.
#pragma once

#include <span>

#include "budget/catalog/policy_rows.h"
#include "core/accounting/renyi_filter.h"
#include "guard/relations/protected_tables.h"

namespace dp::guard {

// Palloc'd plain data.
class Counting {
 public:
  // Of the accounts of these roles, one for each protected table of the inner query, and of the tables.
  static const Counting* of(const InnerQuery& inner_query, std::span<const CurrentPrice> prices, const Oid* roles);

  // Whether all count Rényi divergences, and none adds up epsilon.
  bool by_divergences() const { return by_divergences_; }

  // Whether in each as many answers by Gaussian noise fit, from its beginning on, as by adding up epsilon.
  bool suits_gaussian(mechanism::Epsilon epsilon) const;

 private:
  struct Account {
    std::int64_t epsilon;
    budget::Conversion conversion;
  };

  void add(const budget::Limit& limit);

  bool by_divergences_ = true;
  List* accounts_ = NIL;  // Account*
};

}  // namespace dp::guard
