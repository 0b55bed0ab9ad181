// dp.cost: what a query would be charged, found out as EXPLAIN finds its plan. Nothing runs, so nothing is charged.
#include "budget/catalog/decimal.h"
#include "budget/ledger/closed_accounts.h"
#include "guard/preview/dry_run.h"
#include "guard/release/foretold.h"
#include "guard/release/release_explain.h"
#include "guard/release/release_node.h"
#include "pg/errors.h"

namespace dp::guard {
namespace {

struct Cost {
  Oid relation;
  Oid account;  // InvalidOid: the table as a whole
  budget::Amount amount;
};

// Adds the amount to the account's cost, in the order in which accounts come up; a role's account before the table's. A
// list of palloc'd Cost.
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

List* add_node(List* costs, const Foretold& node) {
  budget::require_open(node.charges);
  ListCell* cell;
  foreach (cell, node.charges) {
    const auto& entry = *static_cast<const budget::Entry*>(lfirst(cell));
    const budget::Payer& payer = entry.payer;
    if (OidIsValid(payer.account)) costs = add(costs, payer.books(), payer.account, entry.account);
    costs = add(costs, payer.books(), InvalidOid, entry.table);
  }
  return costs;
}

void put(const ReturnSetInfo* result, const Cost& cost) {
  Datum values[] = {ObjectIdGetDatum(cost.relation), ObjectIdGetDatum(cost.account),
                    budget::epsilon_numeric(cost.amount.epsilon), budget::delta_numeric(cost.amount.delta)};
  bool nulls[std::size(values)] = {};
  nulls[1] = !OidIsValid(cost.account);
  tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

}  // namespace

// dp.cost(query text) returns setof (relation regclass, role regrole, epsilon numeric, delta numeric): what each
// account would be charged if the current role ran the query and all of it ran.
DP_SQL_FUNCTION(dp_cost) {
  const char* const query = query_argument(fcinfo, "dp.cost");
  InitMaterializedSRF(fcinfo, 0);
  List* costs = NIL;
  const Trial own{InvalidOid, [](const Query*) { return true; }, [](const PlannedStmt*) { return true; }};
  bool at_most = false;
  List* elsewhere = NIL;  // char*
  dry_run("dp.cost", query, own, [&](const ReleaseNode* node) {
    const Foretold known = foretold(node);
    costs = add_node(costs, known);
    at_most = at_most || known.at_most;
    const char* const where = charged_elsewhere(*node);
    if (where != nullptr) elsewhere = lappend(elsewhere, pstrdup(where));
  });
  if (at_most) {
    ereport(NOTICE,
            (errmsg("the query is charged at most that"),
             errdetail("What it compares with, or joins, is not known before it runs. Where that turns out to be "
                       "what it was before, the stored answer is shown again."),
             errhint("EXPLAIN says \"at most\" where that is so.")));
  }
  ListCell* cell;
  foreach (cell, elsewhere)
    ereport(NOTICE, (errmsg("the query is charged %s, too", static_cast<const char*>(lfirst(cell))),
                     errdetail("To the budget that the table's owner there has given to this server."),
                     errhint("It is charged there and here, or not at all.")));
  foreach (cell, costs)
    put(reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo), *static_cast<const Cost*>(lfirst(cell)));
  PG_RETURN_NULL();
}

}  // namespace dp::guard
