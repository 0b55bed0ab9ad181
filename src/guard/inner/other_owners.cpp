#include "guard/inner/other_owners.h"

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/owner_rows.h"
#include "budget/policy/accounts.h"
#include "budget/policy/shards.h"
#include "guard/inner/server_errors.h"
#include "pg/foreign.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

bool has_other_owner(Oid table) {
  const auto protection = budget::protection_of(table);
  return protection && budget::has_other_owner(protection->relation);
}

Oid table_of(const ForeignScanState* scan) {
  const auto* const plan = reinterpret_cast<const ForeignScan*>(scan->ss.ps.plan);
  return exec_rt_fetch(pg::table_number(plan), scan->ss.ps.state)->relid;
}

// Scans of such tables: a list of ForeignScanState*.
bool collect(PlanState* node, void* scans) {
  if (node == nullptr) return false;
  auto* const found = static_cast<List**>(scans);
  if (IsA(node, ForeignScanState) && has_other_owner(table_of(reinterpret_cast<ForeignScanState*>(node))))
    *found = lappend(*found, node);
  return pg::walk_plan(node, collect, scans);
}

List* scans_of(const QueryDesc* inner, const InnerQuery& inner_query) {
  List* scans = NIL;
  if (reads_other_owners(inner->plannedstmt, inner_query)) collect(inner->planstate, &scans);
  return scans;
}

bool is_computed_here(Node* expression, void*) {
  if (expression == nullptr) return false;
  if (IsA(expression, Param) && castNode(Param, expression)->paramkind != PARAM_EXTERN) return true;
  return pg::walk(expression, is_computed_here, nullptr);
}

// What its server is sent: the first thing in the list of each scan of postgres_fdw.
const char* statement_of(const ForeignScanState* scan) {
  const auto* const plan = reinterpret_cast<const ForeignScan*>(scan->ss.ps.plan);
  if (is_computed_here(reinterpret_cast<Node*>(plan->fdw_exprs), nullptr)) {
    ereport(ERROR, (errcode(pg::kNotAdmissible),
                    errmsg("server %s, of another owner, would be sent values of rows that were read here",
                           quote_identifier(budget::server_name(table_of(scan)))),
                    errhint("Join the tables in FROM.")));
  }
  return strVal(linitial(plan->fdw_private));
}

budget::ChargeThere* charge_of(List* charges, Oid table) {
  ListCell* cell;
  foreach (cell, charges) {
    auto* const charge = static_cast<budget::ChargeThere*>(lfirst(cell));
    if (charge->table == table) return charge;
  }
  return nullptr;
}

[[noreturn]] void tell_exhausted(const budget::ChargeThere& charge, const budget::Cost& cost, const ErrorData& said,
                                 bool watched) {
  const char* const server = quote_identifier(budget::server_name(charge.table));
  ereport(
      ERROR,
      (errcode(pg::kBudgetExhausted),
       errmsg("server %s refuses the question: the budget that the owner of table %s there has given to this server "
              "does not allow epsilon %s%s",
              server, budget::name_there(charge.table), budget::epsilon_decimal(cost.epsilon).text,
              cost.delta > 0 ? psprintf(" and delta %s", budget::delta_decimal(cost.delta).text) : ""),
       watched ? 0 : errdetail("%s", said.message),
       errhint("Nothing was charged, neither there nor here. Ask with a smaller epsilon, or a curator here, who "
               "asks the owner there for SELECT dp.grant_budget(%s, ...);",
               quote_literal_cstr(budget::name_there(charge.table)))));
  pg_unreachable();
}

// Before the first row: nothing that fails comes of one.
[[noreturn]] void pass_on(const budget::ChargeThere& charge, const budget::Cost& cost, const ErrorData& said,
                          bool watched) {
  log_failure(charge.table, said);
  if (said.sqlerrcode == pg::kBudgetExhausted) tell_exhausted(charge, cost, said, watched);
  tell_failure(charge.table,
               is_connection(said.sqlerrcode)      ? Failed::unreachable
               : is_end_by_server(said.sqlerrcode) ? Failed::ended
                                                   : Failed::refuses,
               false);
}

void require_same_table(const budget::ChargeThere& charge) {
  const budget::ForeignObstacle found = budget::difference_on_server(charge.table, charge.reader);
  if (found.message == nullptr) return;
  ereport(LOG_SERVER_ONLY,
          (errmsg("server %s has another table than foreign table %s stands for",
                  quote_identifier(budget::server_name(charge.table)), budget::relation_name(charge.table)),
           errdetail("%s", found.message), errhint("%s", found.hint)));
  tell_failure(charge.table, found.of_extension ? Failed::extension : Failed::differs, false);
}

const char* cut(const char* query) {
  constexpr int kMost = 4000;  // more than a ledger keeps
  const int bytes = static_cast<int>(strlen(query));
  return bytes <= kMost ? query : pnstrdup(query, pg_mbcliplen(query, bytes, kMost));
}

}  // namespace

bool is_of_other_owners(const InnerQuery& inner_query) {
  for (int i = 0; i < inner_query.protected_tables(); ++i)
    if (budget::has_other_owner(inner_query.protected_table(i).relation)) return true;
  return false;
}

List* charges_of_scans(const QueryDesc* inner, const InnerQuery& inner_query) {
  List* charges = NIL;
  ListCell* cell;
  foreach (cell, scans_of(inner, inner_query)) {
    const auto* const scan = static_cast<ForeignScanState*>(lfirst(cell));
    const Oid table = table_of(scan);
    budget::ChargeThere* charge = charge_of(charges, table);
    if (charge == nullptr) {
      charge = new (palloc(sizeof(budget::ChargeThere))) budget::ChargeThere{table, pg::reader_of(scan), NIL};
      charges = lappend(charges, charge);
    }
    charge->statements = lappend(charge->statements, makeString(pstrdup(statement_of(scan))));
  }
  return charges;
}

const char* charges_text(List* charges) {
  if (charges == NIL) return nullptr;
  StringInfoData text;
  initStringInfo(&text);
  ListCell* cell;
  foreach (cell, charges) {
    const auto& charge = *static_cast<const budget::ChargeThere*>(lfirst(cell));
    appendStringInfo(&text, "%son server %s for its table %s", foreach_current_index(cell) > 0 ? ", " : "",
                     quote_identifier(budget::server_name(charge.table)), budget::name_there(charge.table));
  }
  return text.data;
}

const char* numbered(const char* query, const char* question) {
  return psprintf("/* question %s of two owners */ %s", question, query);
}

const char* charge_elsewhere(List* charges, const budget::Cost& cost, const char* query, bool watched) {
  const char* const question = budget::new_question();
  const char* const text = numbered(cut(query), question);
  List* charged = NIL;
  pg::entry([&] {
    ListCell* cell;
    foreach (cell, charges) {
      const auto& charge = *static_cast<const budget::ChargeThere*>(lfirst(cell));
      try {
        pg::call([&] {
          require_same_table(charge);
          budget::charge_there(charge, cost, question, text);
          charged = lappend(charged, lfirst(cell));
        });
      } catch (const pg::PostgresError& error) {
        if (is_own_interrupt(*error.data)) throw;
        pg::call([&] {
          withdraw_elsewhere(charged, question);
          if (error.data->sqlerrcode == pg::kShardFailed) ReThrowError(error.data);
          pass_on(charge, cost, *error.data, watched);
        });
      }
    }
  });
  return question;
}

void withdraw_elsewhere(List* charges, const char* question) {
  pg::entry([&] {
    ListCell* cell;
    foreach (cell, charges) {
      const auto& charge = *static_cast<const budget::ChargeThere*>(lfirst(cell));
      try {
        pg::call([&] {
          if (budget::withdraw_there(charge, question)) return;
          ereport(LOG_SERVER_ONLY, (errmsg("question %s stays charged on server %s", question,
                                           quote_identifier(budget::server_name(charge.table)))));
        });
      } catch (const pg::PostgresError& error) {
        if (is_own_interrupt(*error.data)) throw;
        pg::call([&] { log_failure(charge.table, *error.data); });
      }
    }
  });
}

void read_to_end(QueryDesc* inner, const InnerQuery& inner_query) {
  ListCell* cell;
  foreach (cell, scans_of(inner, inner_query)) {
    auto* const scan = static_cast<ForeignScanState*>(lfirst(cell));
    while (!TupIsNull(scan->fdwroutine->IterateForeignScan(scan))) CHECK_FOR_INTERRUPTS();
  }
}

}  // namespace dp::guard
