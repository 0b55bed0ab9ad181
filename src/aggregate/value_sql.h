// What dp_sum, dp_avg, dp_variance and dp_stddev have in common: (value, lower, upper, epsilon [, mechanism]).
#pragma once

#include "aggregate/call_sql.h"
#include "aggregate/reader_sql.h"

namespace dp::aggregate {

struct ValueCall : Call {
  Reader reader;
};

// Reads the parameters; the caller fills in what one row may change.
inline ValueCall* prepare_value(const Arguments& arguments, Origin origin, int integer_bits) {
  ValueCall* const call = make_call<ValueCall>();
  call->reader = Reader::make(arguments, origin, integer_bits);
  call->epsilon = arguments.epsilon(3);
  call->mechanism = arguments.mechanism(4);
  call->lattice = call->reader.lattice();
  call->row = {call->reader.low, call->reader.high};
  return call;
}

// The form of an answer on the grid of the call. For whole numbers the lower end of the grid is the rounded bound.
inline void set_form(ValueCall* call, Form::Kind kind, int coordinates) {
  const Reader& reader = call->reader;
  const double lower = reader.reads_integers() ? static_cast<double>(reader.integer.low) : reader.bounds.lower;
  set_form(call, {.kind = kind, .exponent = reader.exponent, .lower = lower, .range = reader.high}, coordinates);
}

// The transition: NULL is passed over, every other value is added as its steps.
template <class S>
Datum add_value(FunctionCallInfo fcinfo) {
  const auto& call = call_of<ValueCall>(fcinfo);
  if (PG_ARGISNULL(1)) {
    if (PG_ARGISNULL(0)) PG_RETURN_NULL();
    PG_RETURN_POINTER(PG_GETARG_POINTER(0));
  }
  auto& state = own_state<S>(fcinfo);
  state.add(call.reader.steps(PG_GETARG_DATUM(1)));
  PG_RETURN_POINTER(&state);
}

}  // namespace dp::aggregate
