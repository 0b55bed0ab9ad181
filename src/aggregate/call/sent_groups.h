// The values of group keys, on their way from the leader of a parallel plan to its workers: a parameter of the plan.
//
// A worker numbers the group of a row by the places of its keys among these values, the last key first to change, as
// the leader does. Rows of groups that conditions exclude are not read.
#pragma once

#include <span>

#include "aggregate/call/group_aggregates.h"
#include "pg/planner.h"

namespace dp::aggregate {

// The values that a key can have, ascending in its type's order; and NULL behind them, where it can have that.
struct SentKey {
  Oid type;
  Oid collation;
  int size;
  const Datum* values;
  bool with_null;

  int places() const { return size + with_null; }
};

// Makes a parameter one that will say what the keys' values are; until then it says nothing.
void reserve_sent_keys(ParamExternData* parameter);

// Lets it say so, in the current memory context, which must live as long as the plan. False, and nothing is sent, where
// there are too many values or combinations for workers to be worth it.
bool send_keys(ParamListInfo parameters, std::span<const SentKey> keys);

// What was sent, in this process and the current memory context; nullptr where nothing was.
const Places* sent_places(ParamListInfo parameters);

}  // namespace dp::aggregate
