#include "aggregate/call/call.h"

#include "aggregate/call/answer_datum.h"
#include "aggregate/call/prepare_plan.h"
#include "aggregate/call/vector_datum.h"
#include "core/accumulate/bounds.h"
#include "core/accumulate/noisy_answer.h"
#include "pg/errors.h"
#include "pg/random_bits.h"

namespace dp::aggregate {

void refuse_direct_call(FunctionCallInfo fcinfo) {
  if (!are_prepared()) {
    ereport(ERROR, (errcode(pg::kNotLoaded), errmsg("pg_dp is not loaded at server start"),
                    errhint("Set shared_preload_libraries = 'pg_dp' in postgresql.conf and restart the server.")));
  }
  if (fcinfo->context != nullptr && IsA(fcinfo->context, AggState) &&
      reinterpret_cast<AggState*>(fcinfo->context)->ss.ps.state->es_epq_active != nullptr) {
    // For the new version of a row that was updated meanwhile, PostgreSQL starts parts of the plan again without
    // ExecutorStart, where calls are prepared.
    ereport(ERROR, (errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
                    errmsg("could not compute a private answer again for a row that was updated concurrently"),
                    errhint("Run the statement again, or compute the answer in a statement of its own first.")));
  }
  const char* const name = get_func_name(fcinfo->flinfo->fn_oid);
  ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                  errmsg("function %s belongs to an aggregate and cannot be called by itself", name),
                  errhint("Call the aggregate, for example dp_count('*', 0.5).")));
  pg_unreachable();
}

void Call::calibrate() {
  // Where several calls share a price, what a unit changes lies in all their vectors.
  if (changes.vector != static_cast<unsigned>(coordinates)) changes.vector = 0;
  calibration = mechanism::calibrate(mechanism, epsilon, changes, lattice);
  form = with_noise(form, coordinates, calibration);
  errors = errors_of_vector(form, calibration.law);
}

void set_form(Call* call, const Form& form, int coordinates) {
  call->form = form;
  call->coordinates = coordinates;
  call->answer_type = answer_type(form.kind);
}

MemoryContext state_memory(FunctionCallInfo fcinfo) {
  MemoryContext memory;
  if (AggCheckCallContext(fcinfo, &memory) != AGG_CONTEXT_AGGREGATE) refuse_direct_call(fcinfo);
  return memory;
}

State* new_state(FunctionCallInfo fcinfo, std::size_t bytes, Tag tag) {
  auto* const state = static_cast<State*>(MemoryContextAllocZero(state_memory(fcinfo), bytes));
  state->tag = tag;
  return state;
}

const State* final_state(FunctionCallInfo fcinfo, Tag tag) {
  if (PG_ARGISNULL(0)) return nullptr;
  const auto* const state = reinterpret_cast<const State*>(PG_GETARG_POINTER(0));
  if (state->tag != tag) {
    ereport(ERROR, (errcode(ERRCODE_DATA_CORRUPTED), errmsg("transition state is not one of this aggregate")));
  }
  return state;
}

Datum answer_to_no_rows(const Call& call) {
  LOCAL_FCINFO(fcinfo, 1);
  InitFunctionCallInfoData(*fcinfo, const_cast<FmgrInfo*>(call.final), 1, InvalidOid, nullptr, nullptr);
  fcinfo->args[0] = {0, true};
  return FunctionCallInvoke(fcinfo);
}

Datum answer(const Call& call, noise::Int128View exact) {
  constexpr std::size_t kFew = 4;
  Int128 few[2 * kFew];
  auto* const noisy = exact.size <= kFew ? few : static_cast<Int128*>(palloc(2 * exact.size * sizeof(Int128)));
  Int128* const drawn = noisy + exact.size;
  noised(exact, call.calibration, pg::random_bits(), noisy, drawn);
  for (std::size_t i = 0; call.gate != nullptr && i < exact.size; ++i) call.gate->drew(call, noisy[i], drawn[i]);
  const Datum answer = pg::call([&] { return answer_of(call.form, {noisy, exact.size}, call.errors); });
  if (noisy != few) pfree(noisy);
  return answer;
}

}  // namespace dp::aggregate
