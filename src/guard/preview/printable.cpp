#include "guard/preview/printable.h"

#include "guard/tree/by_number.h"
#include "guard/tree/columns.h"
#include "pg/joins.h"
#include "pg/nodes.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

bool collect_items(Node* item, void* context) {
  if (item == nullptr) return false;
  auto& items = *static_cast<Bitmapset**>(context);
  if (IsA(item, RangeTblRef)) items = bms_add_member(items, castNode(RangeTblRef, item)->rtindex);
  if (IsA(item, JoinExpr)) {
    auto* const join = castNode(JoinExpr, item);
    if (join->rtindex != 0) items = bms_add_member(items, join->rtindex);
    return collect_items(join->larg, context) || collect_items(join->rarg, context);
  }
  if (!IsA(item, FromExpr)) return false;
  ListCell* cell;
  foreach (cell, castNode(FromExpr, item)->fromlist) collect_items(static_cast<Node*>(lfirst(cell)), context);
  return false;
}

// Only what was taken out of FROM is nothing.
bool lost_a_join(const Query* level, const Bitmapset* items) {
  ListCell* cell;
  foreach (cell, level->rtable) {
    const RTEKind kind = lfirst_node(RangeTblEntry, cell)->rtekind;
    if ((kind == RTE_JOIN || kind == RTE_RESULT) && !bms_is_member(foreach_current_index(cell) + 1, items)) return true;
  }
  return false;
}

// Whether a join that has a name, which hides what it is made of, has tables in it that the level reads by themselves.
bool hides_what_is_read(Node* item, const Bitmapset* read) {
  if (IsA(item, RangeTblRef)) return false;
  const auto* const join = castNode(JoinExpr, item);
  Bitmapset* within = nullptr;
  collect_items(join->larg, &within);
  collect_items(join->rarg, &within);
  if (join->alias != nullptr && bms_overlap(within, read)) return true;
  return hides_what_is_read(join->larg, read) || hides_what_is_read(join->rarg, read);
}

bool hides_what_is_read(const Query* level) {
  Bitmapset* read = pull_varnos(nullptr, reinterpret_cast<Node*>(level->targetList));
  read = bms_join(read, pull_varnos(nullptr, level->havingQual));
  read = bms_join(read, pull_varnos(nullptr, level->jointree->quals));
  ListCell* cell;
  foreach (cell, level->jointree->fromlist)
    if (hides_what_is_read(static_cast<Node*>(lfirst(cell)), read)) return true;
  return false;
}

// What an item of FROM shows: the names (String) of its columns, and the columns (Var).
struct Shown {
  List* names = NIL;
  List* columns = NIL;
};

Shown shown_by(Node* item, List* tables);

// The join, without USING and names of its own, with the columns that its sides have now.
Shown mended(JoinExpr* join, List* tables) {
  const Shown left = shown_by(join->larg, tables), right = shown_by(join->rarg, tables);
  join->isNatural = false;
  join->usingClause = NIL;
  join->join_using_alias = nullptr;
  join->alias = nullptr;
  RangeTblEntry* const entry = entry_numbered(join->rtindex, tables);
  entry->alias = nullptr;
  entry->join_using_alias = nullptr;
  entry->joinmergedcols = 0;
  entry->joinleftcols = NIL;
  entry->joinrightcols = NIL;
  ListCell* cell;
  foreach (cell, left.columns) entry->joinleftcols = lappend_int(entry->joinleftcols, lfirst_node(Var, cell)->varattno);
  foreach (cell, right.columns)
    entry->joinrightcols = lappend_int(entry->joinrightcols, lfirst_node(Var, cell)->varattno);
  entry->joinaliasvars = list_concat_copy(left.columns, right.columns);
  entry->eref = makeAlias("unnamed_join", list_concat_copy(left.names, right.names));
  Shown shown{entry->eref->colnames, NIL};
  foreach (cell, entry->joinaliasvars) {
    const auto* const column = lfirst_node(Var, cell);
    shown.columns = lappend(shown.columns, column_showing(join->rtindex, foreach_current_index(cell) + 1, column));
  }
  return shown;
}

Shown shown_by(Node* item, List* tables) {
  if (IsA(item, JoinExpr)) return mended(castNode(JoinExpr, item), tables);
  const int number = castNode(RangeTblRef, item)->rtindex;
  List *names, *columns;
  pg::columns_of(entry_numbered(number, tables), number, &names, &columns);
  Shown shown;
  ListCell *name, *column;
  forboth(name, names, column, columns) {
    if (!IsA(lfirst(column), Var)) continue;  // a dropped one
    shown.names = lappend(shown.names, lfirst(name));
    shown.columns = lappend(shown.columns, lfirst(column));
  }
  return shown;
}

// Gives the joins that no column refers to an entry of their own, without which no text can be made of them. Whether
// there were any.
bool number_joins(Node* item, Query* level) {
  if (IsA(item, FromExpr)) {
    bool any = false;
    ListCell* cell;
    foreach (cell, castNode(FromExpr, item)->fromlist)
      any = number_joins(static_cast<Node*>(lfirst(cell)), level) || any;
    return any;
  }
  if (!IsA(item, JoinExpr)) return false;
  auto* const join = castNode(JoinExpr, item);
  const bool left = number_joins(join->larg, level), right = number_joins(join->rarg, level);
  if (join->rtindex != 0) return left || right;
  auto* const entry = makeNode(RangeTblEntry);
  entry->rtekind = RTE_JOIN;
  entry->jointype = join->jointype;
  entry->eref = makeAlias("unnamed_join", NIL);
  entry->inFromCl = true;
  level->rtable = lappend(level->rtable, entry);
  join->rtindex = list_length(level->rtable);
  return true;
}

void mend(Query* level) {
  Bitmapset* items = nullptr;
  const bool numbered = number_joins(reinterpret_cast<Node*>(level->jointree), level);
  collect_items(reinterpret_cast<Node*>(level->jointree), &items);
  if (!numbered && !lost_a_join(level, items) && !hides_what_is_read(level)) return;
  pg::without_join_columns(level);
  forget_how_written(level);
  ListCell* cell;
  foreach (cell, level->rtable) {
    if (bms_is_member(foreach_current_index(cell) + 1, items)) continue;
    auto* const nothing = makeNode(RangeTblEntry);
    nothing->rtekind = RTE_RESULT;
    nothing->eref = makeAlias("*RESULT*", NIL);
    lfirst(cell) = nothing;
  }
  foreach (cell, level->jointree->fromlist) shown_by(static_cast<Node*>(lfirst(cell)), level->rtable);
}

// A domain may forbid NULL, which stands for the keys that a grouping set lacks. What a person has cast is no constant.
void mend(Const* constant) {
  if (constant->constisnull) constant->consttype = getBaseType(constant->consttype);
}

bool mend_below(Node* node, void*) {
  if (node == nullptr) return false;
  if (IsA(node, Const)) mend(castNode(Const, node));
  if (!IsA(node, Query)) return pg::walk(node, mend_below, nullptr);
  mend(castNode(Query, node));
  return pg::walk_query(castNode(Query, node), mend_below, nullptr, 0);
}

}  // namespace

void make_printable(Query* query) { mend_below(reinterpret_cast<Node*>(query), nullptr); }

}  // namespace dp::guard
