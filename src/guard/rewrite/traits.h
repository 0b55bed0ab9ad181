// What there is in a statement, found by one walk through it, so that a step of the rewrite that concerns only
// statements with a list, a window or whatever else is not entered by others.
//
// A trait says that there may be something, never that there is. A step that is entered for nothing says no by itself;
// one that is left out must not have had anything to do. So a trait is found by the kind of a node, or by a flag of the
// query that PostgreSQL's parser sets, and never by what the step would make of it.
#pragma once

#include <cstdint>

#include "guard/query/private_query.h"

namespace dp::guard {

enum class Trait : std::uint16_t {
  queries = 1 << 0,          // a query within it: a subquery, a view, a CTE, a part of a set operation
  ctes = 1 << 1,             // WITH
  recursion = 1 << 2,        // WITH RECURSIVE
  sublinks = 1 << 3,         // a query in an expression
  set_operations = 1 << 4,   // UNION, INTERSECT, EXCEPT
  laterals = 1 << 5,         // something in FROM that may read what stands before it
  functions = 1 << 6,        // a function in FROM
  parts = 1 << 7,            // a table with parts or children, or one of another server
  offsets = 1 << 8,          // OFFSET
  distinct_calls = 1 << 9,   // an aggregate of DISTINCT values
  clock = 1 << 10,           // now(), CURRENT_TIMESTAMP and their like
  failing_calls = 1 << 11,   // a call that has a total form, because it may raise an error
  calls_of_others = 1 << 12  // a call of a function that is none of PostgreSQL's own
};

// A set of traits.
class Traits {
 public:
  constexpr Traits() = default;
  constexpr Traits(Trait trait) : bits_(static_cast<std::uint16_t>(trait)) {}  // NOLINT: one is a set, too

  friend constexpr Traits operator|(Traits one, Traits other) {
    one.bits_ |= other.bits_;
    return one;
  }
  Traits& operator|=(Traits other) { return *this = *this | other; }

  constexpr bool has_any(Traits of) const { return (bits_ & of.bits_) != 0; }

 private:
  std::uint16_t bits_ = 0;
};
constexpr Traits operator|(Trait one, Trait other) { return Traits(one) | Traits(other); }

// Of the statement and all queries in it; but for inner queries, once there are some.
Traits traits_of(Query* statement);
Traits traits_above(Query* statement, const InnerQueries& inner_queries);

}  // namespace dp::guard
