// dp.cost: what a query would be charged, found out as EXPLAIN finds its plan. Nothing runs, so nothing is charged.
#include "guard/execution.h"
#include "pg/errors.h"
#include "pg/planner.h"

namespace dp::guard {
namespace {

// Errors in the query point into it, not into the statement that calls dp.cost.
class Quoted {
 public:
  explicit Quoted(const char* query) : callback_{error_context_stack, point, const_cast<char*>(query)} {
    error_context_stack = &callback_;
  }
  // Has no destructor: errors are raised over it, and reset the stack themselves.
  void end() const { error_context_stack = callback_.previous; }

 private:
  static void point(void* query) {
    const int position = geterrposition();
    if (position <= 0) return;
    errposition(0);
    internalerrposition(position);
    internalerrquery(static_cast<const char*>(query));
  }

  ErrorContextCallback callback_;
};

const RawStmt* parse(const char* text) {
  List* const statements = pg_parse_query(text);
  if (list_length(statements) != 1) {
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("dp.cost takes exactly one query, not %d", list_length(statements)),
                    errhint("Ask for each one by itself, for example dp.cost($$SELECT dp_count('*', 0.5) FROM visits$$).")));
  }
  return linitial_node(RawStmt, statements);
}

// The plans of one statement: rules may make several of it.
List* plans_of(const RawStmt* statement, const char* text) {
  List* const queries = pg_analyze_and_rewrite_fixedparams(const_cast<RawStmt*>(statement), text, nullptr, 0, nullptr);
  List* plans = NIL;
  ListCell* cell;
  foreach (cell, queries) {
    auto* const query = lfirst_node(Query, cell);
    if (query->commandType == CMD_UTILITY) {
      ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                      errmsg("dp.cost cannot tell what %s costs", CreateCommandName(query->utilityStmt)),
                      errhint("Give the query itself, without EXPLAIN, CREATE TABLE AS, DECLARE, COPY or EXECUTE around it, for example "
                              "dp.cost($$SELECT dp_count('*', 0.5) FROM visits$$).")));
    }
    plans = lappend(plans, pg_plan_query(query, text, CURSOR_OPT_PARALLEL_OK, nullptr));
  }
  return plans;
}

struct Cost {
  Oid relation;
  Oid account;  // InvalidOid: the table as a whole
  budget::Amount amount;
};

// Each account once, as they come; a role's account before the table's. A list of palloc'd Cost.
List* add(List* costs, Oid relation, Oid account, const budget::Amount& amount) {
  ListCell* cell;
  foreach (cell, costs) {
    auto* const cost = static_cast<Cost*>(lfirst(cell));
    if (cost->relation != relation || cost->account != account) continue;
    cost->amount += amount;
    return costs;
  }
  return lappend(costs, new (palloc(sizeof(Cost))) Cost{relation, account, amount});
}

List* add_plan(List* costs, PlannedStmt* plan, const char* text) {
  QueryDesc* const query = CreateQueryDesc(plan, text, GetActiveSnapshot(), InvalidSnapshot, None_Receiver, nullptr, nullptr, 0);
  ExecutorStart(query, EXEC_FLAG_EXPLAIN_ONLY);
  ListCell* cell;
  foreach (cell, release_nodes(query->estate)) {
    const budget::Entry entry = static_cast<const ReleaseNode*>(lfirst(cell))->charge(0);
    const budget::Payer& payer = entry.payer;
    if (OidIsValid(payer.account)) costs = add(costs, payer.relation, payer.account, entry.account);
    costs = add(costs, payer.relation, InvalidOid, entry.table);
  }
  ExecutorEnd(query);
  FreeQueryDesc(query);
  return costs;
}

Datum numeric(const budget::Decimal& decimal) {
  return DirectFunctionCall3(numeric_in, CStringGetDatum(decimal.text), ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1));
}

void put(const ReturnSetInfo* result, const Cost& cost) {
  Datum values[] = {ObjectIdGetDatum(cost.relation), ObjectIdGetDatum(cost.account),
                    numeric(budget::epsilon_decimal(cost.amount.epsilon)), numeric(budget::delta_decimal(cost.amount.delta))};
  bool nulls[std::size(values)] = {};
  nulls[1] = !OidIsValid(cost.account);
  tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

}  // namespace

// dp.cost(query text) returns setof (relation regclass, role regrole, epsilon numeric, delta numeric): what each account would be
// charged if the current role ran the query and all of it ran.
DP_SQL_FUNCTION(dp_cost) {
  if (PG_ARGISNULL(0)) {
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("query must not be NULL"),
                    errhint("For example dp.cost($$SELECT dp_count('*', 0.5) FROM visits$$).")));
  }
  InitMaterializedSRF(fcinfo, 0);
  const char* const query = text_to_cstring(PG_GETARG_TEXT_PP(0));
  const Quoted quoted(query);
  List* costs = NIL;
  ListCell* cell;
  foreach (cell, plans_of(parse(query), query)) costs = add_plan(costs, lfirst_node(PlannedStmt, cell), query);
  quoted.end();
  foreach (cell, costs) put(reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo), *static_cast<const Cost*>(lfirst(cell)));
  PG_RETURN_NULL();
}

}  // namespace dp::guard
