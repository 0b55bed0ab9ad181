#include "aggregate/unit_sql.h"

#include <cstring>

#include "aggregate/unit_state.h"
#include "pg/errors.h"

namespace dp::aggregate {
namespace {

// The largest state that is limited.
union UnitState {
  State state;
  MomentsState largest;
};

[[noreturn]] void refuse_part() {
  ereport(ERROR, (errcode(ERRCODE_DATA_CORRUPTED), errmsg("the part of a privacy unit is not one of pg_dp")));
  pg_unreachable();
}

}  // namespace

Stage stage_of(PGFunction transition) {
  if (transition == dp_part_add) return Stage::part;
  return transition == dp_total_add ? Stage::total : Stage::whole;
}

Arguments arguments_of(Stage stage, const Aggref* aggref, PlanState* node) {
  if (stage == Stage::whole) return Arguments(aggref, node);
  return Arguments::handed_on(aggref, node, stage == Stage::total ? 1 : 0);
}

// dp_part_add(internal, VARIADIC "any") returns internal
DP_SQL_FUNCTION(dp_part_add) { return call_of<Call>(fcinfo).support->transition(fcinfo); }

// dp_part_answer(internal) returns bytea: the state as it is shipped, NULL where no row came.
DP_SQL_FUNCTION(dp_part_answer) {
  call_of<Call>(fcinfo);
  if (PG_ARGISNULL(0)) PG_RETURN_NULL();
  const auto* const state = reinterpret_cast<const State*>(PG_GETARG_POINTER(0));
  const std::size_t bytes = state_bytes(*state);
  auto* const part = static_cast<bytea*>(palloc(VARHDRSZ + bytes));
  SET_VARSIZE(part, VARHDRSZ + bytes);
  std::memcpy(VARDATA(part), state, bytes);
  PG_RETURN_BYTEA_P(part);
}

// dp_total_add(internal, VARIADIC "any") returns internal: the first argument is a part.
DP_SQL_FUNCTION(dp_total_add) {
  const auto& call = call_of<Call>(fcinfo);
  if (PG_ARGISNULL(1)) {
    if (PG_ARGISNULL(0)) PG_RETURN_NULL();
    PG_RETURN_POINTER(PG_GETARG_POINTER(0));
  }
  const bytea* const part = PG_GETARG_BYTEA_PP(1);
  const std::size_t bytes = VARSIZE_ANY_EXHDR(part);
  UnitState unit;
  if (bytes > sizeof unit) refuse_part();
  std::memcpy(static_cast<void*>(&unit), VARDATA_ANY(part), bytes);  // aligned, unlike the part
  if (!is_state(&unit, bytes) || !has_limit(unit.state.tag)) refuse_part();
  limit_unit(unit.state, call.unit_rows, call.steps);
  if (PG_ARGISNULL(0)) {
    State* const first = new_state(fcinfo, bytes, unit.state.tag);
    std::memcpy(static_cast<void*>(first), &unit, bytes);
    PG_RETURN_POINTER(first);
  }
  auto* const total = reinterpret_cast<State*>(PG_GETARG_POINTER(0));
  if (!merge_states(*total, unit.state)) refuse_part();
  PG_RETURN_POINTER(total);
}

// dp_total_answer(internal) returns bigint, numeric or float8: what the aggregate returns that it stands for.
DP_SQL_FUNCTION(dp_total_answer) { return call_of<Call>(fcinfo).support->final(fcinfo); }

}  // namespace dp::aggregate
