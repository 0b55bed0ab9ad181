#include "guard/rewrite/empty_levels.h"

#include "aggregate/call/prepare_plan.h"
#include "guard/functions/constants.h"
#include "guard/rewrite/free_levels.h"
#include "guard/rewrite/probes.h"
#include "pg/nodes.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// A query, or something in it, that stands in the way: private aggregates, which are answered; rows as a whole and
// system columns, which a subquery has not.
bool stands_in_the_way(Node* node, void*) {
  if (node == nullptr) return false;
  if (IsA(node, Query)) return pg::walk_query(castNode(Query, node), stands_in_the_way, nullptr, 0);
  if (IsA(node, Aggref) && aggregate::is_private_aggregate(castNode(Aggref, node)->aggfnoid)) return true;
  if (IsA(node, Var) && castNode(Var, node)->varattno <= 0) return true;
  return pg::walk(node, stands_in_the_way, nullptr);
}

bool is_false(Node* condition) {
  if (condition == nullptr) return false;
  if (is_andclause(condition)) {
    ListCell* cell;
    foreach (cell, castNode(BoolExpr, condition)->args) {
      if (is_false(static_cast<Node*>(lfirst(cell)))) return true;
    }
    return false;
  }
  if (contain_var_clause(condition)) return false;
  Node* const value = folded(condition);
  return IsA(value, Const) &&
         (castNode(Const, value)->constisnull || !DatumGetBool(castNode(Const, value)->constvalue));
}

bool is_zero(Node* count) {
  Node* const value = count == nullptr ? nullptr : folded(count);
  return value != nullptr && IsA(value, Const) && !castNode(Const, value)->constisnull &&
         DatumGetInt64(castNode(Const, value)->constvalue) == 0;
}

bool is_empty(const Query* query) {
  return query->commandType == CMD_SELECT && query->rowMarks == NIL &&
         (is_zero(query->limitCount) || (query->jointree != nullptr && is_false(query->jointree->quals)));
}

// SELECT NULL, NULL, ... WHERE false OFFSET 0, with the columns of the table. It stays a subquery: its columns are not
// constants of what is around it, which would be computed while it is planned (1 / coalesce(NULL, 0)).
Query* no_rows(Oid table) {
  Query* const query = pg::empty_select();
  query->jointree->quals = makeBoolConst(false, false);
  query->limitOffset = reinterpret_cast<Node*>(pg::int8_constant(0));
  Relation const relation = table_open(table, NoLock);  // the query has locked it
  TupleDesc const shape = RelationGetDescr(relation);
  for (int i = 0; i < shape->natts; ++i) {
    const FormData_pg_attribute& column = *TupleDescAttr(shape, i);
    Const* const null = column.attisdropped ? makeNullConst(INT4OID, -1, InvalidOid)
                                            : makeNullConst(column.atttypid, column.atttypmod, column.attcollation);
    query->targetList =
        lappend(query->targetList, makeTargetEntry(reinterpret_cast<Expr*>(null), static_cast<AttrNumber>(i + 1),
                                                   pstrdup(NameStr(column.attname)), false));
  }
  table_close(relation, NoLock);
  return query;
}

void make_empty(Query* query, RangeTblEntry* table) {
  pg::ask_no_permissions(query, table);
  table->subquery = no_rows(table->relid);
  table->rtekind = RTE_SUBQUERY;
  table->relid = InvalidOid;
  table->relkind = 0;
  table->rellockmode = 0;
  table->inh = false;
  table->tablesample = nullptr;
}

struct Emptying {
  bool warns;
};

bool empty_tables(Node* node, void* context) {
  if (node == nullptr) return false;
  if (!IsA(node, Query)) return pg::walk(node, empty_tables, context);
  auto* const query = castNode(Query, node);
  ListCell* cell;
  foreach (cell, query->rtable) {
    auto* const table = lfirst_node(RangeTblEntry, cell);
    if (table->rtekind != RTE_RELATION || !is_denied_with_account(pg::permissions_of(query, table))) continue;
    if (static_cast<const Emptying*>(context)->warns) {
      ereport(WARNING, (errmsg("table %s is shown without its rows", get_rel_name(table->relid)),
                        errdetail("You may ask for aggregates of it alone; dp.preview is 'empty'.")));
    }
    make_empty(query, table);
  }
  return pg::walk_query(query, empty_tables, context, 0);
}

bool changes_data(const Query* query) { return query->commandType != CMD_SELECT || query->hasModifyingCTE; }

}  // namespace

bool empty_certainly(Query* query) {
  if (!is_empty(query) || changes_data(query)) return false;
  if (stands_in_the_way(reinterpret_cast<Node*>(query), nullptr)) return false;
  Emptying silently{false};
  empty_tables(reinterpret_cast<Node*>(query), &silently);
  return true;
}

// Asked before, so that nothing is refused that could not be shown anyhow.
static bool has_columns_to_show(Query* query) {
  return !changes_data(query) && !stands_in_the_way(reinterpret_cast<Node*>(query), nullptr);
}

bool can_be_previewed(Query* query) { return has_columns_to_show(query) && !probes_rows(query); }

void empty_for_preview(Query* query) {
  if (!has_columns_to_show(query)) return;
  if (probes_rows(query)) {
    ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
                    errmsg("whether there is a row is not shown by dp.preview = 'empty': it would always say that "
                           "there is none. Ask privately: SELECT count(*) > 0 FROM ... WHERE ..."),
                    errdetail("You may ask for aggregates of the table alone; the setting shows its columns.")));
  }
  Emptying warning{true};
  empty_tables(reinterpret_cast<Node*>(query), &warning);
}

}  // namespace dp::guard
