#include "guard/rewrite/common_rows.h"

#include "guard/relations/from_clause.h"
#include "guard/rewrite/free_levels.h"
#include "guard/tree/by_number.h"
#include "guard/tree/columns.h"
#include "guard/tree/entries.h"
#include "pg/joins.h"
#include "pg/nodes.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// ---- what may be taken apart ----------------------------------------------------------------------------------------

bool is_of_inner_joins(const Node* item) {
  if (IsA(item, RangeTblRef)) return true;
  const auto* const join = reinterpret_cast<const JoinExpr*>(item);
  return join->jointype == JOIN_INNER && is_of_inner_joins(join->larg) && is_of_inner_joins(join->rarg);
}

// Whether the column of the query, which only chooses rows and columns, cannot be NULL. `levels`: around the query.
bool is_never_null(const Query* query, const TargetEntry* shown, List* levels) {
  const Query* const level = pg::flattened(query);
  auto* const expression = target_numbered(level->targetList, shown->resno)->expr;
  ListCell* cell;
  foreach (cell, level->jointree->fromlist) {
    if (!is_of_inner_joins(static_cast<Node*>(lfirst(cell)))) return false;
  }
  if (!IsA(expression, Var) || castNode(Var, expression)->varlevelsup > 0) return false;
  const auto* const column = castNode(Var, expression);
  if (column->varattno <= 0) return false;
  const RangeTblEntry* const entry = entry_numbered(column->varno, level->rtable);
  if (entry->rtekind == RTE_RELATION) {
    HeapTuple const tuple = SearchSysCache2(ATTNUM, ObjectIdGetDatum(entry->relid), Int16GetDatum(column->varattno));
    if (!HeapTupleIsValid(tuple)) return false;
    const bool is_not_null = reinterpret_cast<Form_pg_attribute>(GETSTRUCT(tuple))->attnotnull;
    ReleaseSysCache(tuple);
    return is_not_null;
  }
  List* inside = around(const_cast<Query*>(query), levels);
  const Query* below = entry->rtekind == RTE_SUBQUERY ? entry->subquery : nullptr;
  if (entry->rtekind == RTE_CTE) {
    const CommonTableExpr* const cte = find_cte(entry, inside, &inside);
    below = cte == nullptr ? nullptr : castNode(Query, cte->ctequery);
  }
  if (below == nullptr || more_than_a_choice(below) != nullptr) return false;
  return is_never_null(below, target_numbered(below->targetList, column->varattno), inside);
}

// A query that chooses rows and columns of protected tables, each of the types of the operation.
bool is_choice(const Query* query, const SetOperationStmt* operation, List* levels) {
  if (more_than_a_choice(query) != nullptr || list_length(query->targetList) != list_length(operation->colTypes))
    return false;
  ListCell *cell, *type;
  forboth(cell, query->targetList, type, operation->colTypes) {
    const auto* const shown = lfirst_node(TargetEntry, cell);
    if (shown->resjunk || exprType(reinterpret_cast<Node*>(shown->expr)) != lfirst_oid(type) ||
        !is_never_null(query, shown, levels))
      return false;
  }
  return true;
}

bool is_denied(const Query* query, List* levels) {
  return reads_denied(sources_of(pg::flattened(query), around(const_cast<Query*>(query), levels)).read());
}

// ---- as a query -----------------------------------------------------------------------------------------------------

Query* all_from(Query* rows, const char* name) { return pg::select_all_from(entry_of_subquery(rows, name)); }

Node* is_equal(Var* one, Var* other) {
  const TypeCacheEntry* const type = lookup_type_cache(one->vartype, TYPECACHE_EQ_OPR);
  return reinterpret_cast<Node*>(make_opclause(type->eq_opr, BOOLOID, false, reinterpret_cast<Expr*>(one),
                                               reinterpret_cast<Expr*>(other), InvalidOid, one->varcollid));
}

// [NOT] EXISTS (SELECT FROM the rows WHERE they are those of the level), in the level.
Node* are_among(Query* rows, const Query* level, bool kept) {
  Query* const others = all_from(rows, "others");
  ListCell* cell;
  foreach (cell, level->targetList) {
    const int number = foreach_current_index(cell) + 1;
    auto* const column = castNode(Var, lfirst_node(TargetEntry, cell)->expr);
    Node* const same = is_equal(column_showing(1, number, column), column_showing(1, number, column, 1));
    others->jointree->quals = make_and_qual(others->jointree->quals, same);
  }
  auto* const link = makeNode(SubLink);
  link->subLinkType = EXISTS_SUBLINK;
  link->subselect = reinterpret_cast<Node*>(others);
  link->location = -1;
  auto* const exists = reinterpret_cast<Node*>(link);
  return kept ? exists : reinterpret_cast<Node*>(makeBoolExpr(NOT_EXPR, list_make1(exists), -1));
}

class SetOperations {
 public:
  // `levels`: around the query.
  SetOperations(const Query* query, List* levels) : query_(query), inside_(around(const_cast<Query*>(query), levels)) {}

  // The conditions alone tell what part of the operation this is; nullptr where it is something else.
  Query* as_query(const Node* part) const {
    if (IsA(part, RangeTblRef)) return nullptr;
    const auto* const operation = reinterpret_cast<const SetOperationStmt*>(part);
    if (operation->all) return nullptr;
    Query* const right = leaf(operation->rarg, operation);
    Query* level = IsA(operation->larg, RangeTblRef) ? leaf(operation->larg, operation) : as_query(operation->larg);
    if (level == nullptr || right == nullptr) return nullptr;
    if (operation->op == SETOP_UNION) return of_either(level, right);
    if (IsA(operation->larg, RangeTblRef)) level = distinct(all_from(level, "own"));
    put_subquery_further_in(right, 1);
    level->jointree->quals =
        make_and_qual(level->jointree->quals, are_among(right, level, operation->op == SETOP_INTERSECT));
    level->hasSubLinks = true;
    return level;
  }

 private:
  Query* leaf(const Node* part, const SetOperationStmt* operation) const {
    if (!IsA(part, RangeTblRef)) return nullptr;
    const RangeTblEntry* const entry =
        entry_numbered(reinterpret_cast<const RangeTblRef*>(part)->rtindex, query_->rtable);
    if (entry->rtekind != RTE_SUBQUERY || !is_choice(entry->subquery, operation, inside_) ||
        !is_denied(entry->subquery, inside_))
      return nullptr;
    return static_cast<Query*>(copyObjectImpl(entry->subquery));
  }

  // The rows of one table that either chooses, or the values that either shows.
  static Query* of_either(Query* left, Query* right) {
    if (Query* const chosen = of_one_table(pg::flattened(left), pg::flattened(right))) return distinct(chosen);
    if (list_length(right->targetList) != 1) return nullptr;
    Query* const query = all_from(distinct(left), "own");
    const Query* const others = all_from(distinct(right), "others");
    const int number = add_entry(query, linitial_node(RangeTblEntry, others->rtable));
    auto* const shown = linitial_node(TargetEntry, query->targetList);
    auto* const one = castNode(Var, shown->expr);
    Node* const same = is_equal(static_cast<Var*>(copyObjectImpl(one)), column_showing(number, 1, one));
    Node* const own = item_of(1);
    query->jointree = makeFromExpr(list_make1(joined(JOIN_FULL, own, item_of(number), same)), nullptr);
    auto* const either = makeNode(CoalesceExpr);
    either->coalescetype = one->vartype;
    either->coalescecollid = one->varcollid;
    either->args = list_make2(one, column_showing(number, 1, one));
    either->location = -1;
    shown->expr = reinterpret_cast<Expr*>(either);
    return distinct(query);
  }

  // SELECT x FROM t WHERE a UNION SELECT x FROM t WHERE b as SELECT x FROM t WHERE a OR b; nullptr for others.
  static Query* of_one_table(Query* left, Query* right) {
    const int one = only_table(left), other = only_table(right);
    if (one == 0 || other == 0) return nullptr;
    const RangeTblEntry* const table = entry_numbered(one, left->rtable);
    if (table->relid != entry_numbered(other, right->rtable)->relid ||
        table->inh != entry_numbered(other, right->rtable)->inh)
      return nullptr;
    List* const columns = static_cast<List*>(copyObjectImpl(right->targetList));
    Node* const condition = static_cast<Node*>(copyObjectImpl(right->jointree->quals));
    renumber(columns, other, one);
    renumber(condition, other, one);
    ListCell *cell, *own;
    forboth(cell, columns, own, left->targetList) {
      if (!equal(lfirst_node(TargetEntry, cell)->expr, lfirst_node(TargetEntry, own)->expr)) return nullptr;
    }
    Node* const before = left->jointree->quals;
    const bool all = before == nullptr || condition == nullptr;
    left->jointree =
        makeFromExpr(left->jointree->fromlist,
                     all ? nullptr : reinterpret_cast<Node*>(make_orclause(list_make2(before, condition))));
    left->hasSubLinks = left->hasSubLinks || right->hasSubLinks;
    left->distinctClause = NIL;
    return left;
  }

  // Its number in FROM, where the query reads nothing else; else 0.
  static int only_table(const Query* query) {
    if (list_length(query->jointree->fromlist) != 1 || !IsA(linitial(query->jointree->fromlist), RangeTblRef) ||
        query->cteList != NIL)
      return 0;
    const int number = linitial_node(RangeTblRef, query->jointree->fromlist)->rtindex;
    return entry_numbered(number, query->rtable)->rtekind == RTE_RELATION ? number : 0;
  }

  static Query* distinct(Query* query) {
    if (query->distinctClause != NIL) return query;
    ListCell* cell;
    foreach (cell, query->targetList) {
      auto* const column = lfirst_node(TargetEntry, cell);
      const TypeCacheEntry* const order =
          lookup_type_cache(exprType(reinterpret_cast<Node*>(column->expr)), TYPECACHE_LT_OPR | TYPECACHE_EQ_OPR);
      auto* const clause = makeNode(SortGroupClause);
      clause->tleSortGroupRef = column->ressortgroupref = static_cast<Index>(column->resno);
      clause->eqop = order->eq_opr;
      clause->sortop = order->lt_opr;
      query->distinctClause = lappend(query->distinctClause, clause);
    }
    return query;
  }

  const Query* query_;
  List* inside_;
};

bool write_below(Node* node, void* levels) {
  if (node == nullptr) return false;
  if (!IsA(node, Query)) return pg::walk(node, write_below, levels);
  auto* const query = castNode(Query, node);
  List* const inside = around(query, static_cast<List*>(levels));
  pg::walk_query(query, write_below, inside, 0);
  if (query->setOperations == nullptr || query->sortClause != NIL || query->limitCount != nullptr ||
      query->limitOffset != nullptr || query->rowMarks != NIL || query->cteList != NIL)
    return false;
  Query* const written = SetOperations(query, static_cast<List*>(levels)).as_query(query->setOperations);
  if (written == nullptr) return false;
  ListCell *cell, *name;
  forboth(cell, written->targetList, name, query->targetList) lfirst_node(TargetEntry, cell)->resname =
      lfirst_node(TargetEntry, name)->resname;
  written->canSetTag = query->canSetTag;
  *query = *written;
  return false;
}

}  // namespace

void write_as_conditions(Query* query) { write_below(reinterpret_cast<Node*>(query), NIL); }

}  // namespace dp::guard
