// What dp_sum, dp_avg, dp_variance, dp_totals and the like have in common: (value, lower, upper, epsilon [,
// mechanism]).
#pragma once

#include "aggregate/call/call.h"
#include "aggregate/call/value_reader.h"

namespace dp::aggregate {

struct ValueCall : Call {
  Reader reader;
};

// Whether rows without a value count in that state.
template <class S>
concept CountsMissing = requires(S& state) {
  state.add_missing(1);
};

// The transition for values of one type, which are added as their steps: NULL is passed over, or added as missing.
template <class S, Oid kType>
Datum add_value(FunctionCallInfo fcinfo) {
  if (!CountsMissing<S> && PG_ARGISNULL(1)) return same_state(fcinfo);
  if (PG_ARGISNULL(0)) [[unlikely]]
    return with_new_state<S>(fcinfo, add_value<S, kType>);
  const auto& call = *static_cast<const ValueCall*>(static_cast<const Call*>(fcinfo->flinfo->fn_extra));
  auto& state = own_state<S>(fcinfo);
  if constexpr (CountsMissing<S>) {
    if (PG_ARGISNULL(1)) {
      state.add_missing(call.reader.high);
      PG_RETURN_POINTER(&state);
    }
  }
  state.add(call.reader.steps_of<kType>(PG_GETARG_DATUM(1)));
  PG_RETURN_POINTER(&state);
}

// Reads the parameters; the caller fills in what one row may change. S is the state that rows are added to.
template <class S>
ValueCall* prepare_value(const Arguments& arguments, Origin origin, int integer_bits) {
  ValueCall* const call = make_call<ValueCall>();
  call->reader = Reader::make(arguments, origin, integer_bits);
  call->row = call->reader.with_type([]<Oid kType>() -> PGFunction { return add_value<S, kType>; });
  call->epsilon = arguments.epsilon(3);
  call->mechanism = arguments.mechanism(4);
  call->lattice = call->reader.lattice();
  call->steps = {call->reader.low, call->reader.high};
  call->open = call->reader.open;
  call->counts_missing = CountsMissing<S>;
  return call;
}

// The form of an answer on the grid of the call. For whole numbers the lower end of the grid is the rounded bound.
inline void set_form(ValueCall* call, Form::Kind kind, int coordinates) {
  const Reader& reader = call->reader;
  const double lower = reader.reads_integers() ? static_cast<double>(reader.integer.low) : reader.bounds.lower;
  set_form(call, {.kind = kind, .exponent = reader.exponent, .lower = lower, .range = reader.high}, coordinates);
}

}  // namespace dp::aggregate
