#include "guard/rewrite/unused_answers.h"

#include "guard/rewrite/aggregate_calls.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// The columns of one item of a query's FROM that the query reads, at any depth of it.
struct Reads {
  int item;
  int depth;
  Bitmapset* columns;
  bool whole;
};

bool find_reads(Node* node, void* context) {
  if (node == nullptr) return false;
  auto* const reads = static_cast<Reads*>(context);
  if (IsA(node, Query)) {
    ++reads->depth;
    pg::walk_query(castNode(Query, node), find_reads, context, 0);
    --reads->depth;
    return false;
  }
  if (IsA(node, Var)) {
    const auto* const column = castNode(Var, node);
    if (column->varno != reads->item || static_cast<int>(column->varlevelsup) != reads->depth) return false;
    reads->whole = reads->whole || column->varattno <= 0;
    if (column->varattno > 0) reads->columns = bms_add_member(reads->columns, column->varattno);
    return false;
  }
  return pg::walk(node, find_reads, context);
}

int item_of(const Query* around, const Query* query) {
  ListCell* cell;
  foreach (cell, around->rtable) {
    const auto* const entry = lfirst_node(RangeTblEntry, cell);
    if (entry->rtekind == RTE_SUBQUERY && entry->subquery == query) return foreach_current_index(cell) + 1;
  }
  return 0;
}

Node* without_aggregates(Node* node, void*) {
  if (node == nullptr) return nullptr;
  if (IsA(node, Aggref))
    return reinterpret_cast<Node*>(makeNullConst(exprType(node), exprTypmod(node), exprCollation(node)));
  return pg::mutate(node, without_aggregates, nullptr);
}

// Whether the column shows aggregates, and does nothing beside.
bool only_shows_aggregates(const TargetEntry* entry) {
  auto* const shown = reinterpret_cast<Node*>(entry->expr);
  if (entry->ressortgroupref != 0 || !contain_aggs_of_level(shown, 0)) return false;
  return !checkExprHasSubLink(shown) && !expression_returns_set(shown) &&
         !contain_volatile_functions(without_aggregates(shown, nullptr));
}

}  // namespace

bool drop_unused_answers(Query* level, List* levels, bool to_be_read) {
  if (level->groupClause == NIL || !level->hasAggs) return false;
  if (to_be_read && aggregates_of(level).ours != NIL) return false;
  auto* const around = static_cast<Query*>(lsecond(levels));
  Reads reads{item_of(around, static_cast<Query*>(linitial(levels))), 0, nullptr, false};
  // Set operations and row locks read all columns, without naming them.
  if (reads.item == 0 || around->setOperations != nullptr || around->rowMarks != NIL) return false;
  pg::walk_query(around, find_reads, &reads, 0);
  if (reads.whole) return false;
  bool dropped = false;
  List* entries = NIL;
  ListCell* cell;
  foreach (cell, level->targetList) {
    auto* entry = lfirst_node(TargetEntry, cell);
    if (!entry->resjunk && !bms_is_member(entry->resno, reads.columns) && only_shows_aggregates(entry)) {
      auto* const shown = reinterpret_cast<Node*>(entry->expr);
      entry = flatCopyTargetEntry(entry);
      entry->expr = reinterpret_cast<Expr*>(makeNullConst(exprType(shown), exprTypmod(shown), exprCollation(shown)));
      dropped = true;
    }
    entries = lappend(entries, entry);
  }
  if (!dropped) return false;
  level->targetList = entries;
  level->hasAggs =
      contain_aggs_of_level(reinterpret_cast<Node*>(entries), 0) || contain_aggs_of_level(level->havingQual, 0);
  return true;
}

}  // namespace dp::guard
