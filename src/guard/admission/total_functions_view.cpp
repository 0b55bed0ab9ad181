// dp.total_functions(): the allow-list for readers, and for the test that runs each function on it.
#include "guard/admission/total_conditions.h"
#include "pg/catalog.h"
#include "pg/errors.h"
#include "total_functions/registry.h"

namespace {

// Functions that read a setting are declared STABLE; sql/guard_evidence.sql looks for others. They show and read
// moments, which is what these settings are about.
const char* settings_of(Oid function) {
  return func_volatile(function) == PROVOLATILE_STABLE ? "TimeZone, DateStyle" : nullptr;
}

Datum text_or_zero(const char* text) { return text == nullptr ? Datum{0} : CStringGetTextDatum(text); }

void add_row(const ReturnSetInfo* result, Oid function, const char* provided) {
  const char* const settings = settings_of(function);
  const Datum values[] = {ObjectIdGetDatum(function), text_or_zero(provided), text_or_zero(settings)};
  const bool nulls[] = {false, provided == nullptr, settings == nullptr};
  tuplestore_putvalues(result->setResult, result->setDesc, const_cast<Datum*>(values), const_cast<bool*>(nulls));
}

void add_all(const ReturnSetInfo* result) {
  for (const dp::guard::FunctionFacts& facts : dp::guard::all_function_facts()) {
    if (facts.total != dp::guard::Total::unknown)
      add_row(result, facts.function, dp::guard::condition_in_words(facts.total));
  }
}

void add_own(const ReturnSetInfo* result) {
  const Oid internal = get_namespace_oid("dp_internal", true);
  dp::pg::visit_catalog<FormData_pg_proc>(ProcedureRelationId, [result, internal](const auto& procedure, HeapTuple) {
    // Only our own C functions are looked up: looking up others would load their libraries.
    const bool ours = procedure.pronamespace == internal || strncmp(NameStr(procedure.proname), "dp_", 3) == 0;
    if (procedure.prolang != ClanguageId || !ours) return;
    if (dp::total::is_total(procedure.oid)) add_row(result, procedure.oid, nullptr);
  });
}

}  // namespace

// dp.total_functions() returns setof (function regprocedure, provided text, settings text).
DP_SQL_FUNCTION(dp_total_functions) {
  InitMaterializedSRF(fcinfo, 0);
  const auto* const result = reinterpret_cast<const ReturnSetInfo*>(fcinfo->resultinfo);
  add_all(result);
  add_own(result);
  PG_RETURN_NULL();
}
