// The paths of a release: which levels of its aggregates exist, and which roles were shown them.
#pragma once

#include <algorithm>

#include "budget/catalog/durable.h"
#include "budget/release/parts.h"
#include "core/accounting/relax_rule.h"

namespace dp::budget {

// A level of one aggregate of a release, beyond its first answer.
struct Level {
  int part;
  int aggregate;
  mechanism::Epsilon epsilon;
  std::int64_t level_id;  // of its numbers; 0 is the first answer's
};

// A role was shown a level and paid for it. That of the role that made the release, on the first answers, is in no row.
struct Holding {
  int part;
  int aggregate;  // -1: of the groups that were chosen, without a level
  Oid role;
  mechanism::Epsilon epsilon;
};

void write_path_level(std::int64_t release, const Level& level);
void write_holding(std::int64_t release, const Holding& holding);

// Where a level is there, and who asked for it could not be told whether a standby has it.
inline constexpr Told kPaidLevel = {"charged",
                                    "Ask for this level again when the standby is there: it is charged once."};

// All of a release: Level* and Holding*. What is in them is durable, so that it may be shown: a row is seen by others a
// little before that. DP006 where the wait for a standby was stopped.
struct Paths {
  List* levels;
  List* holdings;
};
Paths read_paths(std::int64_t release);

// The numbers of the releases of which a role whose privileges the user has was shown a level, by their holdings:
// std::int64_t*.
List* releases_held_by(Oid user);

// The path of one aggregate.
class Path {
 public:
  Path(const ReleasePart& part, int aggregate, const Paths& paths);

  PathStep step(mechanism::Epsilon epsilon) const;

  // The numbers of a level that exists.
  std::int64_t id_of(mechanism::Epsilon epsilon) const;

  // How many levels exist, the first answer's among them.
  int levels() const { return level_count_; }

  // The finest level that exists. The table as a whole has paid for it.
  mechanism::Epsilon finest() const;

  // The finest level held by roles of which matches(role) is true; 0 for none.
  template <class Matches>
  mechanism::Epsilon finest_held(Matches matches) const {
    mechanism::Epsilon finest = matches(maker_) ? levels_[0].epsilon : mechanism::Epsilon{0};
    for (int i = 0; i < holding_count_; ++i) {
      if (matches(holdings_[i].role)) finest = std::max(finest, holdings_[i].epsilon);
    }
    return finest;
  }
  bool holds(Oid role, mechanism::Epsilon epsilon) const;

 private:
  Oid maker_;
  Level* levels_;  // the first answer's first
  int level_count_ = 0;
  Holding* holdings_;
  int holding_count_ = 0;
};

}  // namespace dp::budget
