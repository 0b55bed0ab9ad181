// The private form of each call of an aggregate in one level (plain_aggregates.h).
#pragma once

#include "guard/relations/from_clause.h"
#include "guard/rewrite/aggregate_calls.h"

namespace dp::guard {

// What its answers pay for of their price.
enum class Price : std::uint8_t {
  numbers,            // noise alone
  numbers_and_groups  // a half of it pays for the private choice of groups
};

struct LevelCalls {
  const LevelAggregates& found;  // of the level
  bool denied;                   // ordinary aggregates become private, not only those of ours complete
  bool sums;                     // sums may be read off a vector (shared_vectors.h)
  bool described;                // and what is read off one is said in texts
  Price price;
};

struct PrivateForms {
  LevelAggregates shown;  // by the level now
  List* bounds = NIL;     // as in PlainLevel
  List* shared = NIL;
};

// Changes the columns and HAVING of the level, which is one over the tables of the sources. Errors as of
// make_aggregates_private().
PrivateForms make_calls_private(Query* level, const Sources& sources, const LevelCalls& calls);

}  // namespace dp::guard
