// dp.expected_errors: how far the answers of a query will be off, as EXPLAIN says it. Nothing runs.
#include "guard/preview/dry_run.h"
#include "guard/release/release_explain.h"
#include "guard/release/release_node.h"
#include "pg/errors.h"

namespace dp::guard {
namespace {

struct Said {
  const char* answer;
  const char* error;  // nullptr: it depends on the data
};

void put(const ReturnSetInfo* result, const Said& said) {
  Datum values[] = {CStringGetTextDatum(said.answer), 0};
  bool nulls[] = {false, said.error == nullptr};
  if (said.error != nullptr) values[1] = CStringGetTextDatum(said.error);
  tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

}  // namespace

// dp.expected_errors(query text) returns setof (answer text, expected_error text). For the current role.
DP_SQL_FUNCTION(dp_expected_errors) {
  const char* const query = query_argument(fcinfo, "dp.expected_errors");
  InitMaterializedSRF(fcinfo, 0);
  List* all = NIL;  // palloc'd Said
  const Trial own{InvalidOid, [](const Query*) { return true; }, [](const PlannedStmt*) { return true; }};
  dry_run("dp.expected_errors", query, own, [&](const ReleaseNode* node) {
    for (int i = 0; i < node->gate->size(); ++i) {
      const char* const error = error_before(*node, i);
      const char* const answer = pstrdup(strVal(list_nth(node->inner_query.aggregates, i)));
      all = lappend(all, new (palloc(sizeof(Said))) Said{answer, error == nullptr ? nullptr : pstrdup(error)});
    }
  });
  ListCell* cell;
  foreach (cell, all)
    put(reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo), *static_cast<const Said*>(lfirst(cell)));
  PG_RETURN_NULL();
}

}  // namespace dp::guard
