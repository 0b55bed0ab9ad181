// dp_internal.function_facts(): what is known of PostgreSQL's functions, for the test that tries it.
#include "guard/functions/function_facts.h"
#include "pg/errors.h"

// dp_internal.function_facts() returns setof (function regprocedure, total_form text, lowest bigint, highest bigint,
// never_null boolean).
DP_SQL_FUNCTION(dp_function_facts) {
  InitMaterializedSRF(fcinfo, 0);
  const auto* const result = reinterpret_cast<const ReturnSetInfo*>(fcinfo->resultinfo);
  for (const dp::guard::FunctionFacts& facts : dp::guard::all_function_facts()) {
    const bool has_form = facts.form.name != nullptr, has_ends = facts.values != dp::guard::kAnyNumber;
    const Datum values[] = {
        ObjectIdGetDatum(facts.function), has_form ? CStringGetTextDatum(facts.form.name) : Datum{0},
        Int64GetDatum(facts.values.lower), Int64GetDatum(facts.values.upper), BoolGetDatum(facts.never_null)};
    const bool nulls[] = {false, !has_form, !has_ends, !has_ends, false};
    tuplestore_putvalues(result->setResult, result->setDesc, const_cast<Datum*>(values), const_cast<bool*>(nulls));
  }
  PG_RETURN_NULL();
}
