// The functions under the views dp.budgets and dp.ledger. They read without any privilege of the asking role and choose
// the rows that it may see: its own, and all of the tables that it is a curator of.
#include <algorithm>

#include "budget/catalog_sql.h"
#include "budget/decimal_sql.h"
#include "budget/ledger_rows_sql.h"
#include "budget/ledger_sql.h"
#include "budget/policy_rows_sql.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

// What the current role may see. Rows of one table come in runs.
class Viewer {
 public:
  bool curates(Oid relation) {
    if (relation != asked_) {
      answer_ = is_curator(relation, GetUserId());
      asked_ = relation;
    }
    return answer_;
  }

  bool sees(Oid relation, Oid role) { return is_role(role) || curates(relation); }

 private:
  static bool is_role(Oid role) { return role_exists(role) && has_privs_of_role(GetUserId(), role); }

  Oid asked_ = InvalidOid;
  bool answer_ = false;
};

std::int64_t left(std::int64_t limit, std::int64_t spent) { return limit > spent ? limit - spent : 0; }

struct Standing {
  Amount used;
  Amount left;
  bool closed;
};

Standing standing_of(const Policy& policy) {
  Share share = {policy.relation, policy.role, {}, {}};
  read_totals({&share, 1});
  const Amount& limit = policy.limit.total;
  return {share.spent, {left(limit.epsilon, share.spent.epsilon), left(limit.delta, share.spent.delta)}, share.closed};
}

// Of an account no more is left than of its table.
void put_budget(const ReturnSetInfo* result, const Policy& policy, const Standing& standing, const Standing& whole) {
  const Amount& limit = policy.limit.total;
  const Amount& used = standing.used;
  Datum values[] = {ObjectIdGetDatum(policy.relation),
                    ObjectIdGetDatum(policy.role),
                    numeric(epsilon_decimal(limit.epsilon)),
                    numeric(epsilon_decimal(used.epsilon)),
                    numeric(epsilon_decimal(std::min(standing.left.epsilon, whole.left.epsilon))),
                    numeric(delta_decimal(limit.delta)),
                    numeric(delta_decimal(used.delta)),
                    numeric(delta_decimal(std::min(standing.left.delta, whole.left.delta))),
                    numeric(epsilon_decimal(policy.limit.query_epsilon)),
                    numeric(epsilon_decimal(policy.selection.epsilon)),
                    numeric(delta_decimal(policy.selection.delta)),
                    BoolGetDatum(standing.closed)};
  bool nulls[std::size(values)] = {};
  nulls[1] = !OidIsValid(policy.role);
  nulls[8] = policy.limit.query_epsilon == 0;
  nulls[9] = nulls[10] = policy.selection.zero();
  tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

void put_entry(const ReturnSetInfo* result, const LedgerRow& row) {
  Datum values[] = {Int64GetDatum(row.seq),
                    TimestampTzGetDatum(row.charged_at),
                    ObjectIdGetDatum(row.role),
                    ObjectIdGetDatum(row.relation),
                    row.kind,
                    numeric(epsilon_decimal(row.paid.epsilon)),
                    numeric(delta_decimal(row.paid.delta)),
                    numeric(epsilon_decimal(row.table.epsilon)),
                    numeric(delta_decimal(row.table.delta)),
                    Int64GetDatum(row.release),
                    row.query};
  bool nulls[std::size(values)] = {};
  nulls[std::size(values) - 2] = row.release == 0;
  nulls[std::size(values) - 1] = row.query == 0;
  tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

const ReturnSetInfo* begin_rows(FunctionCallInfo fcinfo) {
  InitMaterializedSRF(fcinfo, 0);
  return reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo);
}

}  // namespace

// dp.read_budgets() returns the columns of dp.budgets
DP_SQL_FUNCTION(dp_read_budgets) {
  const ReturnSetInfo* const result = begin_rows(fcinfo);
  Viewer viewer;
  ListCell* table;
  foreach (table, all_protected()) {
    const Policy& whole = *static_cast<const Policy*>(lfirst(table));
    const Standing of_table = standing_of(whole);
    if (viewer.curates(whole.relation)) put_budget(result, whole, of_table, of_table);
    ListCell* account;
    foreach (account, accounts_on(whole.relation)) {
      const Policy& policy = *static_cast<const Policy*>(lfirst(account));
      if (viewer.sees(policy.relation, policy.role)) put_budget(result, policy, standing_of(policy), of_table);
    }
  }
  PG_RETURN_NULL();
}

// dp.read_ledger() returns the columns of dp.ledger
DP_SQL_FUNCTION(dp_read_ledger) {
  const ReturnSetInfo* const result = begin_rows(fcinfo);
  Relation const ledger = table_open(own_tables().ledger_entry, AccessShareLock);
  Viewer viewer;
  LedgerScan scan(ledger);
  for (LedgerRow row; scan.next(&row);) {
    if (viewer.sees(row.relation, row.role)) put_entry(result, row);
  }
  table_close(ledger, AccessShareLock);
  PG_RETURN_NULL();
}

}  // namespace dp::budget
