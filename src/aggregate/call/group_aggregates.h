// Aggregates over privacy units in groups that are known beforehand: one pass over the rows, without GROUP BY.
//
// The first aggregate of the node finds the record of a row's unit and group (unit_states.h), the others add the row to
// it. When all rows are read, what counts of each unit is shared among its groups and added to the groups' totals. The
// node has one row, of NULLs; the release node asks for the answer of each group. In a parallel plan each process ships
// its records of units and groups to the leader (unit/shipped_groups.h), which adds up what a unit has in all of them
// before it is limited.
//   dp_internal.units_row(key, unit, further keys..., rows, groups, rows_per_group) returns the type of the key
//   dp_internal.groups_<type>(<arguments of the aggregate>, aggregate) returns <type>
// The last three arguments of the first are the limits of a unit, constants of type bigint, 0 where there is none.
#pragma once

#include "aggregate/call/call.h"
#include "aggregate/call/unit_aggregates.h"

namespace dp::aggregate {

extern "C" {
DP_EXPORT Datum dp_units_row_add(FunctionCallInfo fcinfo);
DP_EXPORT Datum dp_units_row_answer(FunctionCallInfo fcinfo);
DP_EXPORT Datum dp_groups_add(FunctionCallInfo fcinfo);
DP_EXPORT Datum dp_groups_answer(FunctionCallInfo fcinfo);
}

// Which group a row is in.
class Places {
 public:
  // The number of the group that has these keys, from 0 on; -1 where there is none, and the row counts nowhere.
  virtual std::int64_t place_of(const NullableDatum* keys) const = 0;

 protected:
  ~Places() = default;
};

// Prepares units_row; in the memory of the query. `above`: that of the node that combines what this one ships, in the
// same process; nullptr where there is none. `for_server`: it is shard_row (shard_groups.h), whose last argument says
// which groups there are.
Call* prepare_units_row(const Aggref* aggref, Gate* gate, const Call* above, bool for_server);

// Lets that call and those of the other aggregates (Call*, not empty) keep the states of units together. `parameters`:
// of the plan.
void keep_groups_together(Call* row, List* calls, ParamListInfo parameters);

// Whether the answers of that call, which has been prepared, are those of groups.
bool is_by_group(const Call& call);

// Says which groups there are, for all aggregates of that call's node; before a row is read, in the memory of the
// query. `places` must live as long as the plan.
void set_groups(const Call& call, const Places& places, std::int64_t count);

// The answer of the call for one of the groups, once all rows are read; without rows where none was read.
Datum answer_to_group(const Call& call, std::int64_t group);

}  // namespace dp::aggregate
