// A table that a query level reads: how it is protected and where the path to its unit leads, found out by the first
// who asks.
//
// It belongs to the sources that were collected of one level (from_clause.h) and to their copies, in one planner call.
// What it says was looked up after Sources::catalog_version. If that changes before the statement starts, it is noticed
// then: by dependencies, the unit's numbers and prices (query/plan_dependencies.h, protected_tables.h).
#pragma once

#include <optional>

#include "budget/policy/accounts.h"
#include "budget/policy/unit_path.h"
#include "pg/planner.h"

namespace dp::guard {

class ReadTable {
 public:
  // InvalidOid: no table stands there, but a subquery or a list.
  explicit ReadTable(Oid table) : table_(table) {}

  // nullptr: its rows are not protected.
  const budget::Protection* protection() const {
    if (!looked_up_) {
      if (const auto found = budget::protection_of(table_)) protection_ = kept(*found);
      looked_up_ = true;
    }
    return protection_;
  }

  // nullptr: its rows are not protected, or each is a unit. Errors as budget::unit_path().
  const budget::UnitPath* unit_path() const {
    if (!followed_ && protection() != nullptr) {
      if (const auto found = budget::unit_path(*protection_, table_)) path_ = kept(*found);
      followed_ = true;
    }
    return path_;
  }

 private:
  template <class T>
  static const T* kept(const T& found) {
    return new (palloc(sizeof(T))) T(found);
  }

  Oid table_;
  mutable bool looked_up_ = false, followed_ = false;
  mutable const budget::Protection* protection_ = nullptr;
  mutable const budget::UnitPath* path_ = nullptr;
};

}  // namespace dp::guard
