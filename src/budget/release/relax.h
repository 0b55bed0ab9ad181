// Along the paths of a release: a role is brought to a level, which is drawn if need be, charged, and durable before it
// is shown.
#pragma once

#include "budget/release/parts.h"

namespace dp::budget {

// An aggregate of a release at the level at which a role may read it.
struct ShownAggregate {
  const ReleasePart* part;
  int aggregate;
  mechanism::Epsilon epsilon;
  std::int64_t level_id;
};

// Which aggregates of a release are meant: those of that text, or all of them (nullptr).
using AggregateText = const char*;

// Brings a role to epsilon on the paths of parts of a release. The role's account pays what the level exceeds
// what the role holds, the table what it exceeds what anyone holds; nothing is charged for what is held already.
// Concurrent calls make one path. Returns the aggregates at their levels: ShownAggregate*. Raises DP001 where an
// account is short, 22023 for an aggregate that is not there or not relaxable, 42501 where there is a price and the
// role has no right to ask. `kind`: as the ledger calls it.
List* bring_to_level(List* parts, AggregateText text, Oid role, mechanism::Epsilon epsilon, const char* kind);

// A level that is wanted of one aggregate of a part.
struct WantedLevel {
  ReleasePart* part;
  int aggregate;
  mechanism::Epsilon epsilon;
};

// The same for levels of several aggregates (WantedLevel*), each at least that fine. Nothing is charged and NIL
// returned where one cannot be had: there is a finer level already, and no path to one between; or a fresh answer costs
// less.
List* bring_to_levels(List* parts, List* wanted, Oid role, const char* kind);

// What that would charge now, Entry*, into *prices. False where a level cannot be had.
bool price_levels(List* parts, List* wanted, Oid role, const char* kind, List** prices);

// Whether the role was shown the groups of the part, and paid for their choice, with whatever answers.
bool knows_groups(const ReleasePart& part, Oid role);

// Notes that, for answers that have no levels. It becomes durable with what the caller flushes.
void note_groups(const ReleasePart& part, Oid role);

// The form of the aggregate's answers at the level that is shown; palloc'd.
aggregate::Form* form_of(const ShownAggregate& one);

// The finest levels that the user holds, also through roles whose privileges it has: ShownAggregate*; NIL where it
// holds nothing.
List* held_levels(List* parts, AggregateText text, Oid user);

}  // namespace dp::budget
