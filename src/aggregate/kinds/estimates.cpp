#include "aggregate/kinds/estimates.h"

#include "core/mechanism/response_odds.h"

namespace dp::aggregate {

Estimates make_estimates(Call* call, const Arguments& arguments, int count, unsigned parts) {
  call->answer_type = arguments.declared_answer();
  const Oid row = get_element_type(call->answer_type);
  if (arguments.count() != count || !OidIsValid(row) || !type_is_rowtype(row)) arguments.refuse_signature();
  Estimates estimates{lookup_rowtype_tupdesc_copy(row, -1), {}};
  constexpr Oid kColumns[] = {TEXTOID, FLOAT8OID, FLOAT8OID};
  if (estimates.row->natts != static_cast<int>(std::size(kColumns))) arguments.refuse_signature();
  for (int i = 0; i < estimates.row->natts; ++i) {
    if (TupleDescAttr(estimates.row, i)->atttypid != kColumns[i]) arguments.refuse_signature();
  }
  estimates.odds = mechanism::odds_of(arguments.epsilon(count - 1), parts);
  return estimates;
}

Datum estimate_row(const Estimates& estimates, const char* category, const ResponseEstimate& estimate) {
  Datum values[] = {CStringGetTextDatum(category), Float8GetDatum(estimate.count),
                    Float8GetDatum(estimate.standard_error)};
  bool nulls[std::size(values)] = {};
  return HeapTupleGetDatum(heap_form_tuple(estimates.row, values, nulls));
}

Datum estimates_answer(const Estimates& estimates, Datum* rows, int count) {
  PG_RETURN_ARRAYTYPE_P(construct_array(rows, count, estimates.row->tdtypeid, -1, false, TYPALIGN_DOUBLE));
}

}  // namespace dp::aggregate
