// Combining and shipping of the states of all privacy units of a node (unit/shipped_units.h).
#include "aggregate/call/group_aggregates.h"
#include "aggregate/call/unit_aggregates.h"
#include "aggregate/unit/shipped_groups.h"
#include "aggregate/unit/shipped_units.h"
#include "pg/errors.h"

namespace dp::aggregate {

static FileSet* files_of(const UnitGroup& group) { return group.sent == nullptr ? nullptr : &group.sent->files; }

// dp_units_serialize(internal) returns bytea. The state of each aggregate of the node is what they have together.
DP_SQL_FUNCTION(dp_units_serialize) {
  const auto& call = call_of<Call>(fcinfo);
  state_memory(fcinfo);
  if (PG_ARGISNULL(0)) PG_RETURN_NULL();
  const bool by_group = call.units->has_groups();
  PG_RETURN_BYTEA_P((by_group ? ship_groups : ship_units)(call.units, files_of(*call.units)));
}

// dp_units_deserialize(bytea, internal) returns internal: the bytes, which dp_units_combine() reads at once. The second
// argument is a dummy that PostgreSQL asks for.
DP_SQL_FUNCTION(dp_units_deserialize) {
  state_memory(fcinfo);
  if (PG_ARGISNULL(0)) PG_RETURN_NULL();
  PG_RETURN_POINTER(PG_GETARG_BYTEA_PP(0));
}

// dp_units_combine(internal, internal) returns internal. A NULL is a state of no rows.
DP_SQL_FUNCTION(dp_units_combine) {
  const auto& call = call_of<Call>(fcinfo);
  MemoryContext const memory = state_memory(fcinfo);
  if (PG_ARGISNULL(1)) return same_state(fcinfo);
  const auto* const shipped = reinterpret_cast<const bytea*>(PG_GETARG_POINTER(1));
  if (call.units->has_groups()) {
    receive_groups(memory, call.units, shipped, files_of(*call.units));
  } else {
    receive_units(memory, call.units, shipped, files_of(*call.units));
  }
  PG_RETURN_POINTER(call.units);
}

}  // namespace dp::aggregate
