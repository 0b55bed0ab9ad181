#include "guard/rewrite/correlated_answers.h"

#include "aggregate/call/prepare_plan.h"
#include "guard/functions/aggregates.h"
#include "guard/functions/constants.h"
#include "guard/relations/from_clause.h"
#include "guard/relations/protected_reads.h"
#include "guard/rewrite/aggregate_calls.h"
#include "guard/rewrite/free_levels.h"
#include "guard/tree/by_number.h"
#include "guard/tree/columns.h"
#include "guard/tree/entries.h"
#include "pg/joins.h"
#include "pg/nodes.h"
#include "pg/permissions.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// ---- what the subquery reads of the level around it -----------------------------------------------------------------

struct Reading {
  int depth = 0;         // how many queries within the level are around the node
  List* columns = NIL;   // Var: of the level
  bool further = false;  // of queries around the level, too, or whole rows
};

bool read(Node* node, void* context) {
  if (node == nullptr) return false;
  auto& here = *static_cast<Reading*>(context);
  if (IsA(node, Query)) {
    ++here.depth;
    pg::walk_query(castNode(Query, node), read, context, 0);
    --here.depth;
    return false;
  }
  if (const auto* const aggregate = IsA(node, Aggref) ? castNode(Aggref, node) : nullptr)
    here.further =
        here.further || (aggregate->agglevelsup > 0 && static_cast<int>(aggregate->agglevelsup) >= here.depth);
  if (!IsA(node, Var)) return pg::walk(node, read, context);
  const auto* const column = castNode(Var, node);
  const int up = static_cast<int>(column->varlevelsup) - here.depth;
  here.further = here.further || up > 0 || (up == 0 && column->varattno <= 0);
  if (up != 0) return false;
  auto* const own = static_cast<Var*>(copyObjectImpl(column));
  come_nearer_by(own, here.depth);
  here.columns = list_append_unique(here.columns, own);
  return false;
}

bool reads_level_around(Node* node) {
  Reading reading{1};
  read(node, &reading);
  return reading.columns != NIL || reading.further;
}

// Those of its conditions that read the level around go from the join to WHERE: where a row that finds no partner is
// none, they say the same there.
void take_from_joins(Node* item, Query* query) {
  if (!IsA(item, JoinExpr)) return;
  auto* const join = castNode(JoinExpr, item);
  if (join->jointype != JOIN_INNER && join->jointype != JOIN_LEFT) return;
  take_from_joins(join->larg, query);
  if (join->jointype == JOIN_LEFT) return;
  take_from_joins(join->rarg, query);
  List* kept = NIL;
  ListCell* cell;
  foreach (cell, conditions_in(join->quals)) {
    auto* const condition = static_cast<Node*>(lfirst(cell));
    if (reads_level_around(condition)) {
      query->jointree->quals = make_and_qual(query->jointree->quals, condition);
    } else {
      kept = lappend(kept, condition);
    }
  }
  join->quals = all_of(kept);
}

const Query* above_joins(const SubLink* link) {
  auto* const query = castNode(Query, copyObjectImpl(link->subselect));
  ListCell* cell;
  foreach (cell, query->jointree->fromlist) take_from_joins(static_cast<Node*>(lfirst(cell)), query);
  return query;
}

// Whether the subquery reads them in its WHERE and its select list alone: what takes their place stands beside its
// FROM.
bool reads_them_above_from(const Query* query) {
  Reading from{1};
  read(reinterpret_cast<Node*>(query->jointree->fromlist), &from);
  pg::walk_tables(query->rtable, read, &from, 0);
  return from.columns == NIL;
}

bool can_be_grouped(List* columns) {
  ListCell* cell;
  foreach (cell, columns) {
    const Oid type = exprType(static_cast<Node*>(lfirst(cell)));
    const TypeCacheEntry* const order = lookup_type_cache(type, TYPECACHE_LT_OPR | TYPECACHE_EQ_OPR);
    if (!OidIsValid(order->lt_opr) || !OidIsValid(order->eq_opr)) return false;
  }
  return columns != NIL;
}

// One row of aggregates, whatever there is.
bool is_one_answer(const Query* query) {
  return query->commandType == CMD_SELECT && query->hasAggs && query->groupClause == NIL &&
         query->groupingSets == NIL && query->havingQual == nullptr && query->setOperations == nullptr &&
         query->limitCount == nullptr && query->limitOffset == nullptr && query->distinctClause == NIL &&
         query->cteList == NIL && query->rowMarks == NIL && !query->hasTargetSRFs && !query->hasWindowFuncs &&
         list_length(query->targetList) == 1;
}

// ---- the rows around it ---------------------------------------------------------------------------------------------

SortGroupClause* grouped_by(TargetEntry* column) {
  const Oid type = exprType(reinterpret_cast<Node*>(column->expr));
  const TypeCacheEntry* const order =
      lookup_type_cache(type, TYPECACHE_LT_OPR | TYPECACHE_EQ_OPR | TYPECACHE_HASH_PROC);
  auto* const clause = makeNode(SortGroupClause);
  clause->tleSortGroupRef = column->ressortgroupref = static_cast<Index>(column->resno);
  clause->eqop = order->eq_opr;
  clause->sortop = order->lt_opr;
  clause->hashable = OidIsValid(order->hash_proc);
  return clause;
}

bool reads_own_ctes(const Query* level) {
  ListCell* cell;
  foreach (cell, level->rtable) {
    const auto* const entry = lfirst_node(RangeTblEntry, cell);
    if (entry->rtekind == RTE_CTE && entry->ctelevelsup == 0) return true;
  }
  return false;
}

// SELECT DISTINCT of these columns FROM what the level reads, as a subquery of a subquery of the level.
Query* rows_of(const Query* level, List* columns) {
  Query* const rows = pg::empty_select();
  auto* const copy = static_cast<Query*>(copyObjectImpl(level));
  rows->rtable = copy->rtable;
  pg::move_permissions(copy, rows);
  if (reads_own_ctes(level)) {
    rows->cteList = copy->cteList;
    rows->hasRecursive = copy->hasRecursive;
  }
  List* conditions = NIL;
  ListCell* cell;
  foreach (cell, conditions_in(copy->jointree->quals)) {
    if (!checkExprHasSubLink(static_cast<Node*>(lfirst(cell)))) conditions = lappend(conditions, lfirst(cell));
  }
  rows->jointree = makeFromExpr(copy->jointree->fromlist, all_of(conditions));
  foreach (cell, columns) {
    const auto number = static_cast<AttrNumber>(foreach_current_index(cell) + 1);
    auto* const column = lfirst_node(Var, cell);
    const RangeTblEntry* const entry = entry_numbered(column->varno, level->rtable);
    auto* const shown = makeTargetEntry(static_cast<Expr*>(copyObjectImpl(column)), number,
                                        pstrdup(column_name(entry, column->varattno)), false);
    rows->targetList = lappend(rows->targetList, shown);
    rows->distinctClause = lappend(rows->distinctClause, grouped_by(shown));
  }
  put_subquery_further_in(rows, 2);
  return rows;
}

// ---- the question ---------------------------------------------------------------------------------------------------

// The rows' columns, which are the columns of that entry of the subquery, in the place of the level's.
class ColumnsOfRows : public Replacement {
 public:
  ColumnsOfRows(List* columns, int entry) : columns_(columns), entry_(entry) {}

  Node* in_place_of(const Var* column) override {
    ListCell* cell;
    foreach (cell, columns_) {
      if (equal(lfirst(cell), column))
        return reinterpret_cast<Node*>(column_showing(entry_, foreach_current_index(cell) + 1, column));
    }
    return nullptr;
  }

 private:
  List* columns_;
  int entry_;
};

// The subquery's answer for each of the rows, behind what tells them apart.
Query* grouped(const Query* written, const Query* level, List* columns) {
  const int number = list_length(written->rtable) + 1;
  ColumnsOfRows replacement(columns, number);
  auto* const within = castNode(Query, with_replaced(copyObjectImpl(written), &replacement));
  take_columns_of_level_around(within);
  Query* const rows = rows_of(level, columns);
  RangeTblEntry* const entry =
      entry_of_subquery(rows, entry_numbered(linitial_node(Var, columns)->varno, level->rtable)->eref->aliasname);
  within->jointree->fromlist = lappend(within->jointree->fromlist, item_of(add_entry(within, entry)));
  const auto* const answer = linitial_node(TargetEntry, within->targetList);
  within->targetList = NIL;
  ListCell* cell;
  foreach (cell, columns) {
    const int place = foreach_current_index(cell) + 1;
    auto* const shown = makeTargetEntry(reinterpret_cast<Expr*>(column_showing(number, place, lfirst(cell))),
                                        static_cast<AttrNumber>(place),
                                        pstrdup(target_numbered(rows->targetList, place)->resname), false);
    within->targetList = lappend(within->targetList, shown);
    within->groupClause = lappend(within->groupClause, grouped_by(shown));
  }
  const auto last = static_cast<AttrNumber>(list_length(columns) + 1);
  within->targetList = lappend(within->targetList, makeTargetEntry(answer->expr, last, answer->resname, false));
  return within;
}

// ---- what it is where there is no row -------------------------------------------------------------------------------

Node* put_empty(Node* node, void* context) {
  if (node == nullptr) return nullptr;
  if (!IsA(node, Aggref)) return pg::mutate(node, put_empty, context);
  const auto* const aggregate = castNode(Aggref, node);
  if (aggregate::is_count(aggregate->aggfnoid) || is_plain_count(aggregate->aggfnoid))
    return reinterpret_cast<Node*>(pg::int8_constant(0));
  return reinterpret_cast<Node*>(makeNullConst(aggregate->aggtype, -1, aggregate->aggcollid));
}

// What the subquery's answer is over no rows, as an expression of the level; nullptr where that is NULL. A group that
// no row can be in is not among the answers.
Node* value_of_no_rows(const SubLink* link) {
  const auto* const answer = linitial_node(TargetEntry, castNode(Query, link->subselect)->targetList);
  Node* const empty = put_empty(static_cast<Node*>(copyObjectImpl(answer->expr)), nullptr);
  come_nearer_by(empty, 1);
  Node* const known = folded(empty);
  return IsA(known, Const) && castNode(Const, known)->constisnull ? nullptr : known;
}

// ---- in the place of the subquery -----------------------------------------------------------------------------------

Node* is_same(Node* one, Node* other) {
  auto* const differ = makeNode(DistinctExpr);
  differ->opno = lookup_type_cache(exprType(one), TYPECACHE_EQ_OPR)->eq_opr;
  set_opfuncid(differ);
  differ->opresulttype = BOOLOID;
  differ->inputcollid = exprCollation(one);
  differ->args = list_make2(one, other);
  differ->location = -1;
  return reinterpret_cast<Node*>(makeBoolExpr(NOT_EXPR, list_make1(differ), -1));
}

// (SELECT answer FROM the CTE WHERE its keys are those of the row)
Node* look_up(const SubLink* written, const CommonTableExpr* cte, List* columns) {
  Query* const query = pg::select_from(entry_of_cte(cte, 1));
  ListCell* cell;
  foreach (cell, columns) {
    auto* const key = reinterpret_cast<Node*>(column_showing(1, foreach_current_index(cell) + 1, lfirst(cell)));
    auto* const of_row = static_cast<Node*>(copyObjectImpl(lfirst(cell)));
    put_further_in(of_row, 1);
    query->jointree->quals = make_and_qual(query->jointree->quals, is_same(key, of_row));
  }
  const int answer = list_length(columns) + 1;
  auto* const shown =
      column_of_type(1, answer, list_nth_oid(cte->ctecoltypes, answer - 1),
                     list_nth_int(cte->ctecoltypmods, answer - 1), list_nth_oid(cte->ctecolcollations, answer - 1));
  query->targetList = list_make1(makeTargetEntry(reinterpret_cast<Expr*>(shown), 1, pstrdup("answer"), false));
  auto* const link = makeNode(SubLink);
  link->subLinkType = EXPR_SUBLINK;
  link->subselect = reinterpret_cast<Node*>(query);
  link->location = -1;
  Node* const empty = value_of_no_rows(written);
  if (empty == nullptr) return reinterpret_cast<Node*>(link);
  auto* const found = makeNode(CoalesceExpr);
  found->coalescetype = exprType(reinterpret_cast<Node*>(shown));
  found->coalescecollid = exprCollation(reinterpret_cast<Node*>(shown));
  found->args = list_make2(link, empty);
  found->location = -1;
  return reinterpret_cast<Node*>(found);
}

// Whether it is a question: to whoever may read the rows it is a subquery as others are.
bool asks(Query* query, List* levels) {
  const InnerQueries none;
  List* const around_it = around(query, levels);
  if (!reads_protected(query, around_it, NIL, none)) return false;
  return aggregates_of(query).ours != NIL || reads_denied(sources_of(pg::flattened(query), around_it).read());
}

struct Known {
  const SubLink* written;
  const CommonTableExpr* cte;
  List* columns;
};

struct Level {
  Query* query;
  List* around;  // it and the queries around it, innermost first
  List* known;   // Known*
};

const char* unused_name(const Query* level) { return psprintf("answers of %d", list_length(level->cteList) + 1); }

Node* put_groups(Node* node, void* context) {
  if (node == nullptr) return nullptr;
  auto& here = *static_cast<Level*>(context);
  if (!IsA(node, SubLink)) return pg::mutate(node, put_groups, context);
  const auto* const link = castNode(SubLink, node);
  ListCell* cell;
  foreach (cell, here.known) {
    const auto* const known = static_cast<const Known*>(lfirst(cell));
    if (!equal(known->written, link)) continue;
    return look_up(link, known->cte, known->columns);
  }
  if (link->subLinkType != EXPR_SUBLINK || !is_one_answer(castNode(Query, link->subselect)) ||
      !asks(castNode(Query, link->subselect), here.around))
    return node;
  Reading reading;
  read(link->subselect, &reading);
  const Query* const written = above_joins(link);
  if (reading.further || !can_be_grouped(reading.columns) || !reads_them_above_from(written)) return node;
  CommonTableExpr* const cte = as_cte(grouped(written, here.query, reading.columns), unused_name(here.query));
  here.query->cteList = lappend(here.query->cteList, cte);
  here.known = lappend(here.known, new (palloc(sizeof(Known))) Known{link, cte, reading.columns});
  return look_up(link, cte, reading.columns);
}

// Whether what it reads is public, and each of its rows is one.
bool has_public_rows(Query* level, List* around) {
  if (level->commandType != CMD_SELECT || level->setOperations != nullptr || level->rowMarks != NIL ||
      level->groupClause != NIL || level->jointree->fromlist == NIL)
    return false;
  Query alone = *level;
  alone.jointree = makeFromExpr(level->jointree->fromlist, nullptr);
  const InnerQueries none;
  return !reads_protected(&alone, around, NIL, none) &&
         !contain_volatile_functions(reinterpret_cast<Node*>(level->jointree)) &&
         !(reads_own_ctes(level) && contain_volatile_functions(reinterpret_cast<Node*>(level->cteList)));
}

bool group_below(Node* node, void* around) {
  if (node == nullptr) return false;
  if (!IsA(node, Query)) return pg::walk(node, group_below, around);
  auto* const query = castNode(Query, node);
  List* const levels = dp::guard::around(query, static_cast<List*>(around));
  pg::walk_query(query, group_below, levels, 0);
  if (!query->hasSubLinks || !has_public_rows(query, levels)) return false;
  Level level{query, levels, NIL};
  query->targetList = reinterpret_cast<List*>(put_groups(reinterpret_cast<Node*>(query->targetList), &level));
  query->jointree->quals = put_groups(query->jointree->quals, &level);
  return false;
}

}  // namespace

void group_correlated_answers(Query* query) { group_below(reinterpret_cast<Node*>(query), NIL); }

}  // namespace dp::guard
