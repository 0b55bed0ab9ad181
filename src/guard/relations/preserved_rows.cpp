#include "guard/relations/preserved_rows.h"

#include "guard/admission/refusal.h"
#include "guard/functions/constants.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

JoinExpr* join_of(Node* tree, int table) {
  if (IsA(tree, RangeTblRef)) return nullptr;
  auto* const join = castNode(JoinExpr, tree);
  if (IsA(join->rarg, RangeTblRef) && castNode(RangeTblRef, join->rarg)->rtindex == table) return join;
  JoinExpr* const found = join_of(join->larg, table);
  return found != nullptr ? found : join_of(join->rarg, table);
}

// The expression as it is where the table's row is missing. `context`: int, the table's number.
Node* without_row(Node* node, void* context) {
  if (node == nullptr) return nullptr;
  if (IsA(node, Var) && castNode(Var, node)->varno == *static_cast<int*>(context)) {
    const auto* const column = castNode(Var, node);
    return reinterpret_cast<Node*>(makeNullConst(column->vartype, column->vartypmod, column->varcollid));
  }
  return pg::mutate(node, without_row, context);
}

// What the expression always is where the table's row is missing; nullptr where that depends.
const Const* constant_without_row(const Sources& sources, Expr* expression, int table) {
  if (expression == nullptr) return nullptr;
  Node* const over = sources.over_tables(reinterpret_cast<Node*>(expression), "an aggregate");
  Node* const value = folded(without_row(over, &table));
  return IsA(value, Const) ? castNode(Const, value) : nullptr;
}

// Whether a row in which the table's is missing counts for nothing.
bool passes_over(const Sources& sources, const Aggref* call, int table) {
  const Const* const filter = constant_without_row(sources, call->aggfilter, table);
  if (filter != nullptr && (filter->constisnull || !DatumGetBool(filter->constvalue))) return true;
  if (call->args == NIL) return false;
  const Const* const value = constant_without_row(sources, linitial_node(TargetEntry, call->args)->expr, table);
  return value != nullptr && value->constisnull;
}

const char* name_of(const Sources& sources, int table) { return name_of_table(sources.table(table)); }

[[noreturn]] void refuse_counted(const Sources& sources, int table, int location) {
  const RangeTblEntry* const entry = sources.table(table);
  const char* const column =
      entry->rtekind == RTE_RELATION ? get_attname(entry->relid, 1, true) : name_of_column(entry, 1);
  DP_REFUSE(location,
            errmsg("an outer join keeps rows for which there is none in the protected table %s, and an aggregate takes "
                   "them",
                   name_of(sources, table)),
            errhint("Let the aggregate take a column of %s, which is NULL there: count(%s.%s) in place of "
                    "count(*).\nOr use an inner join.",
                    name_of(sources, table), quote_identifier(entry->eref->aliasname),
                    column == nullptr ? "id" : quote_identifier(column)));
  pg_unreachable();
}

[[noreturn]] void refuse_grouped(const Sources& sources, int table, int location) {
  DP_REFUSE(
      location,
      errmsg("an outer join keeps rows for which there is none in the protected table %s", name_of(sources, table)),
      errhint("Group by columns of public tables alone, let the protected table stand on the side whose rows are "
              "kept, or use an inner join."));
  pg_unreachable();
}

}  // namespace

void drop_preserved_rows(Query* level, Sources* sources, int missing, List* guarded, List* aggregates, int location) {
  ListCell *cell, *table;
  foreach (cell, level->groupClause) {
    Node* const key = get_sortgroupclause_expr(lfirst_node(SortGroupClause, cell), level->targetList);
    const Bitmapset* const read = pull_varnos(nullptr, sources->over_tables(key, "GROUP BY"));
    foreach (table, guarded) {
      if (bms_is_member(lfirst_int(table), read)) refuse_grouped(*sources, missing, location);
    }
  }
  foreach (cell, aggregates) {
    const auto* const call = lfirst_node(Aggref, cell);
    if (!passes_over(*sources, call, missing)) refuse_counted(*sources, missing, call->location);
  }
  sources->shows_all = join_of(sources->tree, missing);
  sources->shows_all->jointype = JOIN_INNER;
}

}  // namespace dp::guard
