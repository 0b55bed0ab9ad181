// The limits of a privacy unit that hold for one question: those of its tables together, and what the session has set.
#pragma once

#include "budget/policy/accounts.h"

namespace dp::guard {

// How much of a unit may count. Limits are 0 where none is set; with `rows` and `groups` both hold: so many rows in
// all, in so many groups, and `rows_per_group` in each of these.
struct ContributionBounds {
  std::int32_t rows = 0;
  std::int32_t groups = 0;
  std::int32_t rows_per_group = 0;

  static ContributionBounds of(const budget::UnitPolicy& policy) {
    return {policy.rows, policy.groups, policy.rows_per_group};
  }

  // What keeps both: of each limit the stricter one, without those that the others imply. One of the two may have no
  // limit for something.
  ContributionBounds with(const ContributionBounds& other) const;

  // The rows of a unit whose rows are all in one group.
  std::int32_t rows_of_one_group() const;

  // The rows of all its groups together.
  std::int32_t rows_of_all_groups() const;

  bool both_kinds() const { return rows > 0 && groups > 0; }
};

// dp.max_rows_per_unit, dp.max_groups_per_unit, dp.max_rows_per_group: what the session asks for. Tables have their own
// limits beside them, so that these can only be stricter.
ContributionBounds set_limits();

// Raises DP002: no limit is declared for that table, and of what is asked none is chosen.
[[noreturn]] void refuse_to_choose(Oid table, const char* asked);

// Defines these settings.
void define_limits();

}  // namespace dp::guard
