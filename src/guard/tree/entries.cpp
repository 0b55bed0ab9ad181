#include "guard/tree/entries.h"

#include <initializer_list>

#include "guard/tree/columns.h"
#include "guard/tree/fault.h"
#include "guard/tree/replacements.h"

namespace dp::guard {
namespace {

// The same in a tree of joins.
bool take_out(Node** tree, int entry, List** conditions) {
  if (!IsA(*tree, JoinExpr)) return false;
  auto* const join = castNode(JoinExpr, *tree);
  if (join->jointype != JOIN_INNER) return false;
  for (Node** const arm : {&join->larg, &join->rarg}) {
    Node* const other = arm == &join->larg ? join->rarg : join->larg;
    if (is_entry(*arm, entry)) {
      *conditions = list_concat(*conditions, conditions_in(join->quals));
      *tree = other;
      return true;
    }
    if (take_out(arm, entry, conditions)) return true;
  }
  return false;
}

// Where conditions that join an entry are, or may still come: `beside` what the tree is joined with.
enum class Place { nowhere, beside, added, beyond };

// Adds them to the lowest join above the entry that has all tables which they read. On the side that an outer join
// keeps they pass it, for what it adds to a row changes nothing of them; on the other side they are part of it, or
// beyond.
Place add_conditions(Node* tree, int entry, List* conditions, Bitmapset** tables) {
  if (IsA(tree, RangeTblRef)) {
    *tables = bms_make_singleton(castNode(RangeTblRef, tree)->rtindex);
    return is_entry(tree, entry) ? Place::beside : Place::nowhere;
  }
  if (!IsA(tree, JoinExpr)) return Place::nowhere;
  auto* const join = castNode(JoinExpr, tree);
  Bitmapset *left = nullptr, *right = nullptr;
  const Place in_left = add_conditions(join->larg, entry, conditions, &left);
  const Place in_right = add_conditions(join->rarg, entry, conditions, &right);
  *tables = bms_union(left, right);
  const Place place = in_left != Place::nowhere ? in_left : in_right;
  if (place != Place::beside) return place;
  const bool is_kept = join->jointype == (in_left == Place::beside ? JOIN_LEFT : JOIN_RIGHT);
  if (is_kept) return Place::beside;
  if (join->jointype == JOIN_FULL) return Place::beyond;
  if (bms_is_subset(pull_varnos(nullptr, reinterpret_cast<Node*>(conditions)), *tables)) {
    join->quals = all_of(list_concat(conditions_in(join->quals), conditions));
    return Place::added;
  }
  return join->jointype == JOIN_INNER ? Place::beside : Place::beyond;
}

bool collect_joins(Node* item, void* joins) {
  if (item == nullptr || !IsA(item, JoinExpr)) return false;
  const auto* const join = castNode(JoinExpr, item);
  auto& numbers = *static_cast<Bitmapset**>(joins);
  numbers = bms_add_member(numbers, join->rtindex);
  return collect_joins(join->larg, joins) || collect_joins(join->rarg, joins);
}

RangeTblEntry* unread_entry() {
  auto* const unread = makeNode(RangeTblEntry);
  unread->rtekind = RTE_RESULT;
  unread->eref = makeAlias("taken out", NIL);
  return unread;
}

}  // namespace

RangeTblEntry* entry_of_subquery(Query* query, Alias* names) {
  auto* const entry = makeNode(RangeTblEntry);
  entry->rtekind = RTE_SUBQUERY;
  entry->subquery = query;
  entry->inFromCl = true;
  entry->eref = names;
  return entry;
}

RangeTblEntry* entry_of_subquery(Query* query, const char* name) {
  RangeTblEntry* const entry = entry_of_subquery(query, makeAlias(name, NIL));
  name_added_columns(entry);
  return entry;
}

void name_added_columns(RangeTblEntry* entry) {
  ListCell* cell;
  foreach (cell, entry->subquery->targetList) {
    const auto* const column = lfirst_node(TargetEntry, cell);
    if (column->resjunk || column->resno <= list_length(entry->eref->colnames)) continue;
    const char* const name = column->resname == nullptr ? "column" : column->resname;
    entry->eref->colnames = lappend(entry->eref->colnames, makeString(pstrdup(name)));
  }
}

CommonTableExpr* as_cte(Query* query, const char* name) {
  auto* const cte = makeNode(CommonTableExpr);
  cte->ctename = pstrdup(name);
  cte->ctematerialized = CTEMaterializeAlways;
  cte->ctequery = reinterpret_cast<Node*>(query);
  cte->cterefcount = 1;
  cte->location = -1;
  ListCell* cell;
  foreach (cell, query->targetList) {
    const auto* const column = lfirst_node(TargetEntry, cell);
    if (column->resjunk) continue;
    auto* const shown = reinterpret_cast<Node*>(column->expr);
    cte->ctecolnames = lappend(cte->ctecolnames, makeString(pstrdup(column->resname)));
    cte->ctecoltypes = lappend_oid(cte->ctecoltypes, exprType(shown));
    cte->ctecoltypmods = lappend_int(cte->ctecoltypmods, exprTypmod(shown));
    cte->ctecolcollations = lappend_oid(cte->ctecolcollations, exprCollation(shown));
  }
  return cte;
}

RangeTblEntry* entry_of_cte(const CommonTableExpr* cte, int up) {
  auto* const entry = makeNode(RangeTblEntry);
  entry->rtekind = RTE_CTE;
  entry->ctename = cte->ctename;
  entry->ctelevelsup = static_cast<Index>(up);
  entry->inFromCl = true;
  entry->coltypes = cte->ctecoltypes;
  entry->coltypmods = cte->ctecoltypmods;
  entry->colcollations = cte->ctecolcollations;
  entry->eref = makeAlias(cte->ctename, static_cast<List*>(copyObjectImpl(cte->ctecolnames)));
  return entry;
}

bool is_entry(const Node* item, int entry) {
  return IsA(item, RangeTblRef) && reinterpret_cast<const RangeTblRef*>(item)->rtindex == entry;
}

int add_entry(Query* level, RangeTblEntry* entry) {
  level->rtable = lappend(list_copy(level->rtable), entry);
  return list_length(level->rtable);
}

Node* union_all_of(int entries, const List* shown) {
  List *types = NIL, *modifiers = NIL, *collations = NIL;
  ListCell* cell;
  foreach (cell, shown) {
    auto* const value = reinterpret_cast<Node*>(lfirst_node(TargetEntry, cell)->expr);
    types = lappend_oid(types, exprType(value));
    modifiers = lappend_int(modifiers, exprTypmod(value));
    collations = lappend_oid(collations, exprCollation(value));
  }
  Node* all = item_of(1);
  for (int entry = 2; entry <= entries; ++entry) {
    auto* const both = makeNode(SetOperationStmt);
    both->op = SETOP_UNION;
    both->all = true;
    both->larg = all;
    both->rarg = item_of(entry);
    both->colTypes = types;
    both->colTypmods = modifiers;
    both->colCollations = collations;
    all = reinterpret_cast<Node*>(both);
  }
  return all;
}

JoinExpr* joined(JoinType type, Node* left, Node* right, Node* condition) {
  auto* const join = makeNode(JoinExpr);
  join->jointype = type;
  join->larg = left;
  join->rarg = right;
  join->quals = condition;
  return join;
}

List* conditions_in(const Node* condition) {
  return make_ands_implicit(reinterpret_cast<Expr*>(const_cast<Node*>(condition)));
}

Node* all_of(List* conditions) {
  return conditions == NIL ? nullptr : reinterpret_cast<Node*>(make_ands_explicit(conditions));
}

List* parts_of(const List* conditions) {
  List* parts = NIL;
  ListCell* cell;
  foreach (cell, conditions) {
    auto* const condition = static_cast<Node*>(lfirst(cell));
    const bool is_list = IsA(condition, List);
    List* const each = is_list ? castNode(List, condition) : conditions_in(condition);
    parts = is_list || list_length(each) > 1 ? list_concat(parts, parts_of(each)) : lappend(parts, condition);
  }
  return parts;
}

bool take_out_of_from(FromExpr* from, int entry, List** conditions) {
  ListCell* cell;
  foreach (cell, from->fromlist) {
    auto* item = static_cast<Node*>(lfirst(cell));
    if (is_entry(item, entry)) {
      from->fromlist = foreach_delete_current(from->fromlist, cell);
      return true;
    }
    const bool found = take_out(&item, entry, conditions);
    lfirst(cell) = item;
    if (found) return true;
  }
  return false;
}

void leave_unread(Query* level, int entry) {
  if (uses_of(level, entry).any()) raise_tree_fault("something refers to an entry that was taken out of FROM");
  Bitmapset* joins = nullptr;
  ListCell* cell;
  foreach (cell, level->jointree->fromlist) collect_joins(static_cast<Node*>(lfirst(cell)), &joins);
  NullColumns nulls(entry);
  level->rtable = list_copy(level->rtable);
  foreach (cell, level->rtable) {
    const int number = foreach_current_index(cell) + 1;
    const auto* const other = lfirst_node(RangeTblEntry, cell);
    if (number == entry || (other->rtekind == RTE_JOIN && !bms_is_member(number, joins))) {
      lfirst(cell) = unread_entry();
    } else if (other->rtekind == RTE_JOIN) {
      auto* const join = static_cast<RangeTblEntry*>(palloc(sizeof(RangeTblEntry)));
      *join = *other;
      join->joinaliasvars = reinterpret_cast<List*>(with_replaced(other->joinaliasvars, &nulls));
      lfirst(cell) = join;
    }
  }
}

bool add_join_conditions(FromExpr* from, int entry, List* conditions) {
  ListCell* cell;
  foreach (cell, from->fromlist) {
    Bitmapset* tables = nullptr;
    const Place place = add_conditions(static_cast<Node*>(lfirst(cell)), entry, conditions, &tables);
    if (place == Place::added || place == Place::beyond) return place == Place::added;
  }
  from->quals = all_of(list_concat(conditions_in(from->quals), conditions));
  return true;
}

}  // namespace dp::guard
