// Combining and shipping of transition states, the same functions for all aggregates.
#include <cstring>

#include "aggregate/call/call.h"
#include "aggregate/call/kept_points.h"
#include "aggregate/call/prepare_plan.h"
#include "aggregate/call/unit_sample.h"
#include "core/accumulate/state.h"
#include "pg/errors.h"

namespace dp::aggregate {
namespace {

[[noreturn]] void refuse_state() {
  ereport(ERROR, (errcode(ERRCODE_DATA_CORRUPTED), errmsg("transition state is not one of pg_dp")));
  pg_unreachable();
}

const State& state_argument(FunctionCallInfo fcinfo, int position) {
  const auto* const state = reinterpret_cast<const State*>(PG_GETARG_POINTER(position));
  if (state_bytes(*state) == 0) refuse_state();
  return *state;
}

}  // namespace

// dp_state_combine(internal, internal) returns internal. A NULL is a state of no rows.
DP_SQL_FUNCTION(dp_state_combine) {
  MemoryContext const memory = state_memory(fcinfo);
  if (PG_ARGISNULL(1)) {
    if (PG_ARGISNULL(0)) PG_RETURN_NULL();
    PG_RETURN_POINTER(&state_argument(fcinfo, 0));
  }
  const State& other = state_argument(fcinfo, 1);
  if (PG_ARGISNULL(0)) {
    if (other.tag == Tag::sample)
      PG_RETURN_POINTER(combine_samples(memory, nullptr, static_cast<const SampleState&>(other)));
    if (other.tag == Tag::points)
      PG_RETURN_POINTER(combine_points(fcinfo, nullptr, static_cast<const PointsState&>(other)));
    const std::size_t bytes = state_bytes(other);
    PG_RETURN_POINTER(std::memcpy(MemoryContextAlloc(memory, bytes), &other, bytes));
  }
  auto& own = const_cast<State&>(state_argument(fcinfo, 0));
  if (own.tag == Tag::sample && other.tag == Tag::sample) {
    PG_RETURN_POINTER(combine_samples(memory, &static_cast<SampleState&>(own), static_cast<const SampleState&>(other)));
  }
  if (own.tag == Tag::points && other.tag == Tag::points)
    PG_RETURN_POINTER(combine_points(fcinfo, &static_cast<PointsState&>(own), static_cast<const PointsState&>(other)));
  if (!merge_states(own, other)) refuse_state();
  PG_RETURN_POINTER(&own);
}

// dp_state_serialize(internal) returns bytea: the bytes of the state, read again on the same machine only.
DP_SQL_FUNCTION(dp_state_serialize) {
  state_memory(fcinfo);
  if (PG_ARGISNULL(0)) PG_RETURN_NULL();
  const State* state = &state_argument(fcinfo, 0);
  const bool points = state->tag == Tag::points;
  if (points) state = whole_points(static_cast<const PointsState*>(state));
  const std::size_t bytes = state_bytes(*state);
  auto* const shipped = static_cast<bytea*>(palloc(VARHDRSZ + bytes));
  SET_VARSIZE(shipped, VARHDRSZ + bytes);
  if (points) {
    write_points(*static_cast<const PointsState*>(state), VARDATA(shipped));
  } else {
    std::memcpy(VARDATA(shipped), state, bytes);
  }
  PG_RETURN_BYTEA_P(shipped);
}

// dp_state_deserialize(bytea, internal) returns internal. The second argument is a dummy that PostgreSQL asks for.
DP_SQL_FUNCTION(dp_state_deserialize) {
  state_memory(fcinfo);
  if (PG_ARGISNULL(0)) PG_RETURN_NULL();
  const bytea* const shipped = PG_GETARG_BYTEA_PP(0);
  const std::size_t bytes = VARSIZE_ANY_EXHDR(shipped);
  void* const state = std::memcpy(palloc(bytes), VARDATA_ANY(shipped), bytes);  // aligned, unlike what was shipped
  if (!is_state(state, bytes)) refuse_state();
  PG_RETURN_POINTER(state);
}

}  // namespace dp::aggregate
