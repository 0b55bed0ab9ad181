#include "aggregate/unit_sql.h"

#include <cstring>

#include "aggregate/unit_state.h"
#include "aggregate/unit_states_sql.h"
#include "pg/errors.h"

namespace dp::aggregate {
namespace {

[[noreturn]] void refuse_part() {
  ereport(ERROR, (errcode(ERRCODE_DATA_CORRUPTED), errmsg("the part of a privacy unit is not one of pg_dp")));
  pg_unreachable();
}

}  // namespace

Stage stage_of(PGFunction transition) {
  if (transition == dp_part_add) return Stage::part;
  if (transition == dp_units_add) return Stage::units;
  return transition == dp_total_add ? Stage::total : Stage::whole;
}

Arguments arguments_of(Stage stage, const Aggref* aggref, PlanState* node) {
  if (stage == Stage::whole) return Arguments(aggref, node);
  return Arguments::handed_on(aggref, node, stage == Stage::total ? 1 : 0, stage == Stage::units ? 1 : 0);
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
  AnyState unit;
  if (bytes > sizeof unit) refuse_part();
  std::memcpy(static_cast<void*>(&unit), VARDATA_ANY(part), bytes);  // aligned, unlike the part
  if (!is_state(&unit, bytes) || !has_limit(unit.state.tag)) refuse_part();
  limit_unit(unit.state, call.unit_rows, call.row);
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

// dp_units_add(internal, VARIADIC "any") returns internal: the last two arguments are the unit and the number of the aggregate, whose
// transition then finds its own where it looks for them.
DP_SQL_FUNCTION(dp_units_add) {
  const auto& call = call_of<Call>(fcinfo);
  const int unit = PG_NARGS() - 2;
  const bool has_value = unit > 1;
  if (PG_ARGISNULL(unit) || (has_value && PG_ARGISNULL(1))) {
    if (PG_ARGISNULL(0)) PG_RETURN_NULL();
    PG_RETURN_POINTER(PG_GETARG_POINTER(0));
  }
  auto* const states = PG_ARGISNULL(0) ? UnitStates::make(state_memory(fcinfo), *call.support->of_unit,
                                                          get_fn_expr_argtype(fcinfo->flinfo, unit))
                                       : reinterpret_cast<UnitStates*>(PG_GETARG_POINTER(0));
  fcinfo->args[0] = {PointerGetDatum(states->row()), false};
  call.support->transition(fcinfo);
  states->add_row(PG_GETARG_DATUM(unit));
  PG_RETURN_POINTER(states);
}

// dp_units_answer(internal) returns bigint, numeric or float8: what the aggregate returns that it stands for.
DP_SQL_FUNCTION(dp_units_answer) {
  const auto& call = call_of<Call>(fcinfo);
  AnyState total{};
  if (!PG_ARGISNULL(0)) {
    std::memset(static_cast<void*>(&total), 0, sizeof total);
    total.state.tag = *call.support->of_unit;
    reinterpret_cast<UnitStates*>(PG_GETARG_POINTER(0))->finish(call.unit_rows, call.row, &total.state);
    fcinfo->args[0].value = PointerGetDatum(&total);
  }
  return call.support->final(fcinfo);
}

}  // namespace dp::aggregate
