#include "guard/rewrite/joined_answers.h"

#include <optional>

#include "guard/admission/refusal.h"
#include "guard/rewrite/free_levels.h"
#include "guard/tables/from_clause.h"
#include "guard/tables/protected_reads.h"
#include "pg/joins.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// ---- the keys of a subquery of answers ------------------------------------------------------------------------------

// The columns (int) of a query's result that together tell its rows apart: the group keys of the answers that it reads.
// Nothing for another query.
std::optional<List*> keys_of_answers(const Query* query, const InnerQueries& inner_queries) {
  if (const InnerQuery* const inner = inner_queries.find(query)) {
    if (inner->sets() != 1 || inner->keys == NIL) return std::nullopt;
    List* keys = NIL;
    for (int key = 1; key <= list_length(inner->keys); ++key) keys = lappend_int(keys, key);
    return keys;
  }
  const bool reads_one = query->commandType == CMD_SELECT && query->setOperations == nullptr && !query->hasTargetSRFs &&
                         !query->hasAggs && query->groupClause == NIL && query->groupingSets == NIL &&
                         query->rowMarks == NIL && list_length(query->jointree->fromlist) == 1 &&
                         IsA(linitial(query->jointree->fromlist), RangeTblRef);
  if (!reads_one) return std::nullopt;
  const int read = linitial_node(RangeTblRef, query->jointree->fromlist)->rtindex;
  const RangeTblEntry* const entry = rt_fetch(read, query->rtable);
  if (entry->rtekind != RTE_SUBQUERY || entry->lateral) return std::nullopt;
  const auto below = keys_of_answers(entry->subquery, inner_queries);
  if (!below) return std::nullopt;
  List* keys = NIL;
  ListCell *key, *cell;
  foreach (key, *below) {
    int shown = 0;
    foreach (cell, query->targetList) {
      const auto* const column = lfirst_node(TargetEntry, cell);
      if (column->resjunk || !IsA(column->expr, Var)) continue;
      const auto* const var = castNode(Var, column->expr);
      if (var->varlevelsup == 0 && var->varno == read && var->varattno == lfirst_int(key)) shown = column->resno;
    }
    if (shown == 0) return std::nullopt;
    keys = lappend_int(keys, shown);
  }
  return keys;
}

// ---- conditions -----------------------------------------------------------------------------------------------------

struct Use {
  int number;
  int depth;
};

bool uses(Node* node, void* context) {
  if (node == nullptr) return false;
  auto* const use = static_cast<Use*>(context);
  if (IsA(node, Query)) {
    ++use->depth;
    const bool found = pg::walk_query(castNode(Query, node), uses, context, 0);
    --use->depth;
    return found;
  }
  if (IsA(node, Var)) {
    const auto* const column = castNode(Var, node);
    return column->varno == use->number && static_cast<int>(column->varlevelsup) == use->depth;
  }
  return pg::walk(node, uses, context);
}

bool uses_entry(void* tree, int number) {
  Use use{number, 0};
  return uses(static_cast<Node*>(tree), &use);
}

bool is_key(const Query* level, Node* expression) {
  ListCell* cell;
  foreach (cell, level->groupClause) {
    if (equal(get_sortgroupclause_expr(lfirst_node(SortGroupClause, cell), level->targetList), expression)) return true;
  }
  return false;
}

Node* without_relabel(Node* node) {
  while (IsA(node, RelabelType)) node = reinterpret_cast<Node*>(castNode(RelabelType, node)->arg);
  return node;
}

// The column of the entry that the condition says to be equal to a key of the level, by the equality of their type; 0
// for others.
int joined_column(const Query* level, Node* condition, int number) {
  const bool same = IsA(condition, BoolExpr) && castNode(BoolExpr, condition)->boolop == NOT_EXPR &&
                    IsA(linitial(castNode(BoolExpr, condition)->args), DistinctExpr);
  if (same) condition = static_cast<Node*>(linitial(castNode(BoolExpr, condition)->args));
  if (!same && !IsA(condition, OpExpr)) return 0;
  const auto* const op = reinterpret_cast<const OpExpr*>(condition);
  const bool exact = !OidIsValid(op->inputcollid) || get_collation_isdeterministic(op->inputcollid);
  if (list_length(op->args) != 2 || !exact) return 0;
  for (const int side : {0, 1}) {
    auto* const column = without_relabel(static_cast<Node*>(list_nth(op->args, side)));
    auto* const key = static_cast<Node*>(list_nth(op->args, 1 - side));
    if (!IsA(column, Var) || castNode(Var, column)->varno != number || castNode(Var, column)->varlevelsup != 0)
      continue;
    if (!is_key(level, key) && !is_key(level, without_relabel(key))) continue;
    const Oid equality =
        lookup_type_cache(exprType(static_cast<Node*>(list_nth(op->args, side))), TYPECACHE_EQ_OPR)->eq_opr;
    if (op->opno == equality) return castNode(Var, column)->varattno;
  }
  return 0;
}

// ---- the level's FROM -----------------------------------------------------------------------------------------------

// Takes the entry out of a tree of joins; the conditions of the inner joins that it stood in are appended. False where
// it stands below an outer join.
bool take_out(Node** tree, int number, List** conditions) {
  if (!IsA(*tree, JoinExpr)) return false;
  auto* const join = castNode(JoinExpr, *tree);
  if (join->jointype != JOIN_INNER) return false;
  for (Node** const arm : {&join->larg, &join->rarg}) {
    Node* const other = arm == &join->larg ? join->rarg : join->larg;
    if (IsA(*arm, RangeTblRef) && castNode(RangeTblRef, *arm)->rtindex == number) {
      *conditions = list_concat(*conditions, make_ands_implicit(reinterpret_cast<Expr*>(join->quals)));
      *tree = other;
      return true;
    }
    if (take_out(arm, number, conditions)) return true;
  }
  return false;
}

bool is_used_beside(Query* level, int number) {
  return uses_entry(level->targetList, number) || uses_entry(level->havingQual, number) ||
         uses_entry(level->jointree, number) || uses_entry(level->windowClause, number);
}

// Whoever may read the rows may join them to whatever there is.
void refuse_where_denied(const Query* level, FromExpr* from, List* levels, int number) {
  auto* const without = static_cast<Query*>(copyObjectImpl(level));
  from->quals = nullptr;
  without->jointree = from;
  const Sources sources = sources_of(without, levels);
  if (sources.tables == NIL || !reads_denied(sources.read())) return;
  DP_REFUSE(
      -1,
      errmsg("subquery %s of answers is joined to rows of a protected table, not to groups",
             rt_fetch(number, level->rtable)->eref->aliasname),
      errhint("Join it on all its group keys, each by an equality to a key by which the query groups, too: SELECT "
              "s.ward, count(*) FROM visits s JOIN (SELECT ward FROM visits GROUP BY ward ORDER BY count(*) DESC "
              "LIMIT 3) top ON s.ward = top.ward GROUP BY s.ward. What is asked of each person groups by the "
              "privacy unit, is joined on it, and as a CTE is read there alone."));
}

// False where it stays.
bool take(Query* level, List* levels, int number, List* keys, JoinedAnswers* joined) {
  auto* const from = static_cast<FromExpr*>(copyObjectImpl(level->jointree));
  List* conditions = make_ands_implicit(reinterpret_cast<Expr*>(from->quals));
  if (!take_from(from, number, &conditions)) return false;
  List *others = NIL, *own = NIL;
  Bitmapset* equal_columns = nullptr;
  ListCell* cell;
  foreach (cell, conditions) {
    auto* const condition = static_cast<Node*>(lfirst(cell));
    if (!uses_entry(condition, number)) {
      others = lappend(others, condition);
      continue;
    }
    const int column = joined_column(level, condition, number);
    if (column == 0) {
      refuse_where_denied(level, from, levels, number);
      return false;
    }
    equal_columns = bms_add_member(equal_columns, column);
    own = lappend(own, condition);
  }
  foreach (cell, keys) {
    if (bms_is_member(lfirst_int(cell), equal_columns)) continue;
    refuse_where_denied(level, from, levels, number);
    return false;
  }
  from->quals = others == NIL ? nullptr : reinterpret_cast<Node*>(make_ands_explicit(others));
  FromExpr* const before = level->jointree;
  level->jointree = from;
  if (is_used_beside(level, number)) {
    level->jointree = before;
    refuse_where_denied(level, from, levels, number);
    return false;
  }
  joined->entries = lappend(joined->entries, rt_fetch(number, level->rtable));
  joined->numbers = lappend_int(joined->numbers, number);
  joined->conditions = list_concat(joined->conditions, own);
  return true;
}

// ---- above the noise ------------------------------------------------------------------------------------------------

struct Above {
  const JoinedAnswers* joined;
  const InnerQueryParts* inner_query;
  int first;  // the number of the first of them in the outer query
};

Node* above(Node* node, void* context) {
  if (node == nullptr) return nullptr;
  const auto& here = *static_cast<const Above*>(context);
  ListCell* cell;
  foreach (cell, here.inner_query->keys) {
    if (!equal(lfirst(cell), node)) continue;
    const int number = foreach_current_index(cell) + 1;
    return reinterpret_cast<Node*>(
        makeVar(1, static_cast<AttrNumber>(number), exprType(node), exprTypmod(node), exprCollation(node), 0));
  }
  if (IsA(node, Var)) {
    auto* const column = static_cast<Var*>(copyObjectImpl(node));
    foreach (cell, here.joined->numbers) {
      if (lfirst_int(cell) == column->varno) column->varno = here.first + foreach_current_index(cell);
    }
    column->varnosyn = 0;
    column->varattnosyn = 0;
    return reinterpret_cast<Node*>(column);
  }
  return pg::mutate(node, above, context);
}

}  // namespace

bool take_from(FromExpr* from, int number, List** conditions) {
  ListCell* cell;
  foreach (cell, from->fromlist) {
    auto* item = static_cast<Node*>(lfirst(cell));
    if (IsA(item, RangeTblRef) && castNode(RangeTblRef, item)->rtindex == number) {
      from->fromlist = foreach_delete_current(from->fromlist, cell);
      return true;
    }
    const bool found = take_out(&item, number, conditions);
    lfirst(cell) = item;
    if (found) return true;
  }
  return false;
}

const Query* subquery_of(const RangeTblEntry* entry, List* levels) {
  if (entry->rtekind == RTE_SUBQUERY) return entry->lateral || OidIsValid(entry->relid) ? nullptr : entry->subquery;
  if (entry->rtekind != RTE_CTE || entry->self_reference) return nullptr;
  List* outer = NIL;
  const CommonTableExpr* const cte = find_cte(entry, levels, &outer);
  return cte == nullptr ? nullptr : castNode(Query, cte->ctequery);
}

JoinedAnswers take_joined_answers(Query* level, List* levels, const InnerQueries& inner_queries) {
  JoinedAnswers joined{};
  if (inner_queries.empty() || level->groupingSets != NIL) return joined;
  ListCell* cell;
  foreach (cell, level->rtable) {
    const Query* const subquery = subquery_of(lfirst_node(RangeTblEntry, cell), levels);
    const auto keys = subquery == nullptr ? std::optional<List*>() : keys_of_answers(subquery, inner_queries);
    if (!keys || !reads_protected(level, levels, NIL, inner_queries)) continue;
    take(level, levels, foreach_current_index(cell) + 1, *keys, &joined);
  }
  return joined;
}

void join_answers(Query* level, const JoinedAnswers& joined, const InnerQueryParts& inner_query) {
  if (joined.entries == NIL) return;
  Above context{&joined, &inner_query, list_length(level->rtable) + 1};
  level->rtable = list_concat(level->rtable, joined.entries);
  for (int i = 0; i < list_length(joined.entries); ++i) {
    auto* const reference = makeNode(RangeTblRef);
    reference->rtindex = context.first + i;
    level->jointree->fromlist = lappend(level->jointree->fromlist, reference);
  }
  List* conditions = make_ands_implicit(reinterpret_cast<Expr*>(level->jointree->quals));
  ListCell* cell;
  foreach (cell, joined.conditions) conditions = lappend(conditions, above(static_cast<Node*>(lfirst(cell)), &context));
  level->jointree->quals = reinterpret_cast<Node*>(make_ands_explicit(conditions));
}

}  // namespace dp::guard
