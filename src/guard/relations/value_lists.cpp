#include "guard/relations/value_lists.h"

#include "budget/catalog/unique_indexes.h"
#include "guard/admission/refusal.h"
#include "guard/facts/form.h"
#include "guard/functions/constants.h"
#include "guard/relations/constant_rows.h"
#include "guard/relations/from_clause.h"
#include "guard/relations/join_conditions.h"
#include "guard/relations/open_lists.h"
#include "guard/tree/by_number.h"
#include "guard/tree/columns.h"
#include "guard/tree/entries.h"
#include "pg/joins.h"
#include "pg/nodes.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

bool reads(Node* expression, int number) { return bms_is_member(number, pull_varnos(nullptr, expression)); }

// ---- out of FROM ----------------------------------------------------------------------------------------------------

// Takes the list out of a tree of joins that is a copy. `inner`: conditions of inner joins and of WHERE, which those of
// its own inner join become. False where it is not in that tree, or the outer join of more than itself would miss it.
bool take_out(Node** tree, ValueList* list, List** inner, bool alone) {
  if (!IsA(*tree, JoinExpr)) return false;
  auto* const join = castNode(JoinExpr, *tree);
  if (join->jointype == JOIN_FULL) return false;
  const bool outer = join->jointype != JOIN_INNER;
  Node** const kept = join->jointype == JOIN_RIGHT ? &join->rarg : &join->larg;
  Node** const other = join->jointype == JOIN_RIGHT ? &join->larg : &join->rarg;
  const bool is_kept = is_entry(*kept, list->number);
  if (is_kept || is_entry(*other, list->number)) {
    // Rows that are kept in another join above would go on from there.
    if (outer && is_kept && !alone) return false;
    list->may_miss = outer && !is_kept;
    list->is_kept = outer && is_kept;
    List*& conditions = outer ? list->conditions : *inner;
    conditions = list_concat(conditions, conditions_in(join->quals));
    *tree = is_kept ? *other : *kept;
    return true;
  }
  return take_out(kept, list, inner, false) || (!outer && take_out(other, list, inner, false));
}

// The same of all of FROM, which is a copy.
bool take_from(FromExpr* from, ValueList* list, List** inner) {
  const bool alone = list_length(from->fromlist) == 1;
  ListCell* cell;
  foreach (cell, from->fromlist) {
    if (!is_entry(static_cast<Node*>(lfirst(cell)), list->number)) {
      if (take_out(reinterpret_cast<Node**>(&lfirst(cell)), list, inner, alone)) return true;
      continue;
    }
    if (alone) return false;
    from->fromlist = foreach_delete_current(from->fromlist, cell);
    return true;
  }
  return false;
}

// ---- one row at most ------------------------------------------------------------------------------------------------

// What tells rows of the list apart: a column, or what is computed from a row, as numeric(n) is where n is compared
// with extract(month FROM day).
struct Key {
  Node* value;  // over the list
  int number;   // of the list
  RangeTblEntry* list;
  bool in_zone;  // what it is compared with are moments: the session's time zone says which its values are

  int column() const { return castNode(Var, value)->varattno; }
};

Node* value_in(const void* row, const Key& key);
bool is_known(const Key& key, List* rows);

// What the condition compares of the list with something else by the equality of its type; nullptr for others.
Key* key_of(Node* condition, const ValueList& list) {
  const int number = list.number;
  if (!IsA(condition, OpExpr) || list_length(castNode(OpExpr, condition)->args) != 2) return nullptr;
  const auto* const op = castNode(OpExpr, condition);
  if (OidIsValid(op->inputcollid) && !get_collation_isdeterministic(op->inputcollid)) return nullptr;
  for (const int side : {0, 1}) {
    Node* const value = without_relabel(static_cast<Node*>(list_nth(op->args, side)));
    auto* const other = static_cast<Node*>(list_nth(op->args, 1 - side));
    int only;
    if (!bms_get_singleton_member(pull_varnos(nullptr, value), &only) || only != number || reads(other, number) ||
        uses_in(value, number).whole || checkExprHasSubLink(value) || !is_equality_of(op, exprType(value)))
      continue;
    const Key key{value, number, list.entry, exprType(other) == TIMESTAMPTZOID};
    if (is_known(key, list.rows)) return new (palloc(sizeof(Key))) Key(key);
  }
  return nullptr;
}

Node* value_in(const void* row, const Key& key) {
  if (IsA(key.value, Var)) return static_cast<Node*>(list_nth(static_cast<const List*>(row), key.column() - 1));
  List* const columns = as_columns(static_cast<List*>(const_cast<void*>(row)));
  return folded(pg::replace_columns(static_cast<Node*>(copyObjectImpl(key.value)), key.number, key.list, columns));
}

// Whether what is computed is known of all rows: otherwise it depends on the session, or is found when it is run.
bool is_known(const Key& key, List* rows) {
  if (IsA(key.value, Var)) return true;
  ListCell* row;
  foreach (row, rows) {
    if (!IsA(value_in(lfirst(row), key), Const)) return false;
  }
  return rows != NIL;
}

bool are_equal(const Const* one, const Const* other) {
  const TypeCacheEntry* const type = lookup_type_cache(one->consttype, TYPECACHE_EQ_OPR_FINFO);
  return DatumGetBool(FunctionCall2Coll(const_cast<FmgrInfo*>(&type->eq_opr_finfo), C_COLLATION_OID, one->constvalue,
                                        other->constvalue));
}

// The rows without a NULL among the keys (Key): the others are joined to nothing.
List* with_keys(List* keys, List* rows) {
  List* with = NIL;
  ListCell *row, *key;
  foreach (row, rows) {
    bool known = true;
    foreach (key, keys) known = known && !is_null_constant(value_in(lfirst(row), *static_cast<Key*>(lfirst(key))));
    if (known) with = lappend(with, lfirst(row));
  }
  return with;
}

// Whether all values of the key are known already, and mean the same in every session: two local times, one of them in
// the hour that summer time leaves out, can be the same moment.
bool is_settled(const Key& key, List* rows) {
  ListCell* row;
  foreach (row, rows) {
    const Node* const value = value_in(lfirst(row), key);
    if (!IsA(value, Const)) return false;
    if (key.in_zone && exprType(value) != TIMESTAMPTZOID) return false;
  }
  return true;
}

List* settled_keys(List* keys, List* rows) {
  List* settled = NIL;
  ListCell* cell;
  foreach (cell, keys) {
    if (is_settled(*static_cast<Key*>(lfirst(cell)), rows)) settled = lappend(settled, lfirst(cell));
  }
  return settled;
}

// Whether no two of the rows have the same keys, all of which are settled: one row needs none.
bool differ_now(List* keys, List* rows) {
  ListCell *row, *before, *cell;
  foreach (row, rows) {
    CHECK_FOR_INTERRUPTS();
    foreach (before, rows) {
      if (before == row) break;
      bool same = true;
      foreach (cell, keys) {
        const auto& key = *static_cast<const Key*>(lfirst(cell));
        same = same &&
               are_equal(castNode(Const, value_in(lfirst(row), key)), castNode(Const, value_in(lfirst(before), key)));
      }
      if (same) return false;
    }
  }
  return true;
}

// Whether no two of the rows have the same keys, as far as is known; `later` gets the condition under which that stays
// so when an execution starts, with other parameters or in another time zone.
bool tell_apart(List* keys, List* rows, List** later) {
  if (list_length(rows) < 2) return true;
  if (keys == NIL) return false;
  List* const settled = settled_keys(keys, rows);
  if (settled != NIL && differ_now(settled, rows)) return true;
  if (list_length(settled) == list_length(keys)) return false;
  List* columns = NIL;
  ListCell *cell, *row;
  foreach (cell, keys) {
    const auto& key = *static_cast<const Key*>(lfirst(cell));
    List* values = NIL;
    foreach (row, rows) values = lappend(values, value_in(lfirst(row), key));
    const Oid type = exprType(static_cast<Node*>(linitial(values)));
    columns = lappend(columns, array_of_values(values, key.in_zone ? TIMESTAMPTZOID : type));
  }
  if (later != nullptr) *later = lappend(*later, all_differ(columns));
  return true;
}

// Moves from `inner` what tells the rows apart: one condition if one does, or all comparisons of a column. What stays
// is said of the choices.
void take_conditions(ValueList* list, List** inner) {
  List *keys = NIL, *comparisons = NIL;
  ListCell* cell;
  foreach (cell, *inner) {
    Key* const key = key_of(static_cast<Node*>(lfirst(cell)), *list);
    if (key == nullptr || checkExprHasSubLink(static_cast<Node*>(lfirst(cell)))) continue;
    List* const alone = list_make1(key);
    List* const joined = with_keys(alone, list->rows);
    if (is_settled(*key, joined) && tell_apart(alone, joined, nullptr)) {
      comparisons = list_make1(lfirst(cell));
      break;
    }
    keys = lappend(keys, key);
    comparisons = lappend(comparisons, lfirst(cell));
  }
  list->conditions = comparisons;
  *inner = list_difference_ptr(*inner, comparisons);
}

// ---- what takes its place -------------------------------------------------------------------------------------------

// The conditions of the join for each row of the list.
List* joins_of(const ValueList& list) {
  List* joins = NIL;
  ListCell* row;
  foreach (row, list.rows) {
    List* const columns = as_columns(static_cast<List*>(lfirst(row)));
    joins = lappend(joins, pg::replace_columns(all_of(list.conditions), list.number, list.entry, columns));
  }
  return joins;
}

// Each column of the list. Where one of its rows is joined in any case the last is what no other was.
List* choices(const ValueList& list, List* joins) {
  List* columns = NIL;
  ListCell *value, *row, *join;
  foreach (value, static_cast<List*>(linitial(list.rows))) {
    const int number = foreach_current_index(value);
    const auto value_of = [number](void* of) {
      return static_cast<Expr*>(copyObjectImpl(list_nth(static_cast<List*>(of), number)));
    };
    List* arms = NIL;
    forboth(row, list.rows, join, joins) {
      arms = lappend(arms, pg::when(copyObjectImpl(lfirst(join)), value_of(lfirst(row))));
    }
    columns =
        lappend(columns, pg::case_of(arms, list.may_miss ? pg::null_like(lfirst(value)) : value_of(llast(list.rows))));
  }
  return as_columns(columns);
}

FromExpr* with_columns(FromExpr* from, const ValueList& list, List* conditions) {
  from->quals = all_of(conditions);
  return castNode(FromExpr, pg::replace_columns(reinterpret_cast<Node*>(from), list.number, list.entry, list.columns));
}

// Of a list of one row that is joined in any case: its columns are what is in there.
FromExpr* with_one_row(FromExpr* from, ValueList* list, List* conditions) {
  list->columns = as_columns(static_cast<List*>(linitial(list->rows)));
  return with_columns(from, *list, conditions);
}

// Of a list that is an array: its one column is what it is compared with. `inner` is as in without().
FromExpr* with_array(FromExpr* from, ValueList* list, Node* array, List* inner) {
  List* const conditions = list->may_miss || list->is_kept ? list->conditions : inner;
  ListCell* cell;
  foreach (cell, conditions) {
    auto* const condition = static_cast<Node*>(lfirst(cell));
    const Key* const key = key_of(condition, *list);
    if (key == nullptr || checkExprHasSubLink(condition)) continue;
    // What is kept or missing by another condition as well is no choice of the value alone.
    if (conditions != inner && list_length(conditions) != 1) return nullptr;
    const auto* const equality = castNode(OpExpr, condition);
    auto* const left = static_cast<Node*>(linitial(equality->args));
    Node* const value = reads(left, list->number) ? static_cast<Node*>(lsecond(equality->args)) : left;
    Node* found = nullptr;
    Node* const choice = choice_of_array(equality, value, array, list->may_miss, list->is_kept, &found);
    if (choice == nullptr) continue;
    list->columns = as_columns(list_make1(choice));
    inner = list_delete_ptr(list_copy(inner), condition);
    if (found != nullptr) inner = lappend(inner, found);
    return with_columns(from, *list, lappend(inner, all_differ(list_make1(copyObjectImpl(array)))));
  }
  return nullptr;
}

// nullptr where the list stays. The level's FROM and WHERE are `from`.
FromExpr* without(const FromExpr* from, ValueList* list) {
  auto* taken = static_cast<FromExpr*>(copyObjectImpl(from));
  List* inner = conditions_in(taken->quals);
  if (!take_from(taken, list, &inner)) return nullptr;
  if (list->rows == NIL) return with_array(taken, list, open_array(list->entry), inner);
  if (!list->may_miss && !list->is_kept) take_conditions(list, &inner);
  List* keys = NIL;
  ListCell* cell;
  foreach (cell, list->conditions) {
    if (checkExprHasSubLink(static_cast<Node*>(lfirst(cell)))) return nullptr;
    if (Key* const key = key_of(static_cast<Node*>(lfirst(cell)), *list)) keys = lappend(keys, key);
  }
  List* const joined = with_keys(keys, list->rows);
  if (joined == NIL || !tell_apart(keys, joined, &inner)) return nullptr;
  if (!list->is_kept) list->rows = joined;
  if (list->conditions == NIL) return with_one_row(taken, list, inner);
  List* const joins = joins_of(*list);
  list->columns = choices(*list, joins);
  if (!list->may_miss) {
    Node* const one_is = reinterpret_cast<Node*>(make_orclause(static_cast<List*>(copyObjectImpl(joins))));
    inner = lappend(inner, list_length(joins) == 1 ? linitial(joins) : one_is);
  }
  return with_columns(taken, *list, inner);
}

// ---- LATERAL without FROM -------------------------------------------------------------------------------------------

// The same of a subquery of one row that reads nothing but the row beside it: its columns are what is in there.
FromExpr* without_lateral_row(const FromExpr* from, ValueList* list, const List* others) {
  Query* const row = pg::flattened(list->entry->subquery);
  if (more_than_a_choice(row) != nullptr || row->rtable != NIL || row->hasSubLinks) return nullptr;
  auto* taken = static_cast<FromExpr*>(copyObjectImpl(from));
  List* inner = conditions_in(taken->quals);
  if (!take_from(taken, list, &inner) || list->is_kept) return nullptr;
  list->columns = castNode(List, one_level_up(row->targetList));
  ListCell *cell, *other;
  List* own = conditions_in(one_level_up(row->jointree->quals));
  foreach (other, others) {
    const auto& before = *static_cast<const ValueList*>(lfirst(other));
    const auto put = [&](List* expressions) {
      return castNode(
          List, pg::replace_columns(reinterpret_cast<Node*>(expressions), before.number, before.entry, before.columns));
    };
    list->columns = put(list->columns);
    if (own != NIL) own = put(own);
  }
  if (!list->may_miss) return with_columns(taken, *list, list_concat(inner, own));
  List* const joins = list_concat(list->conditions, own);
  if (checkExprHasSubLink(reinterpret_cast<Node*>(joins))) return nullptr;
  Node* const found = pg::replace_columns(all_of(joins), list->number, list->entry, list->columns);
  foreach (cell, found == nullptr ? NIL : list->columns) {
    auto* const column = lfirst_node(TargetEntry, cell);
    column->expr =
        reinterpret_cast<Expr*>(pg::case_when(copyObjectImpl(found), column->expr, pg::null_like(column->expr)));
  }
  return with_columns(taken, *list, inner);
}

// Whether it matters that what stands in the place of an array's element is the row's value that equals it.
bool may_look_different(const Query* level, const ValueList& list) {
  auto* const value = reinterpret_cast<Node*>(linitial_node(TargetEntry, list.columns)->expr);
  return !budget::equals_have_same_bytes(exprType(value), exprCollation(value)) && asks_how_written(level, list.number);
}

}  // namespace

FromExpr* without_value_lists(Query* level, List* levels, List** lists) {
  FromExpr* from = level->jointree;
  if (from == nullptr || list_length(from_indexes(level)) < 2) return from;
  ListCell *cell, *before;
  foreach (cell, from_indexes(level)) {
    const int number = lfirst_int(cell);
    RangeTblEntry* const entry = entry_numbered(number, level->rtable);
    const bool is_lateral = entry->lateral && entry->rtekind == RTE_SUBQUERY && !OidIsValid(entry->relid);
    List* const rows = constant_rows(entry, levels);
    if (rows == NIL && !is_lateral && open_array(entry) == nullptr) continue;
    auto* const list = new (palloc(sizeof(ValueList))) ValueList{number, entry, rows, NIL};
    FromExpr* const taken = is_lateral ? without_lateral_row(from, list, *lists) : without(from, list);
    const bool is_array = rows == NIL && !is_lateral;
    if (taken == nullptr || (is_array && may_look_different(level, *list))) continue;
    // Of two lists that are joined to each other neither may be said by the other.
    bool is_circular = uses_in(list->columns, number).any();
    List* columns = NIL;  // List: those of the lists before it
    foreach (before, *lists) {
      const auto& other = *static_cast<const ValueList*>(lfirst(before));
      Node* const put = pg::replace_columns(reinterpret_cast<Node*>(other.columns), number, entry, list->columns);
      is_circular = is_circular || uses_in(put, other.number).any();
      columns = lappend(columns, put);
    }
    if (is_circular) continue;
    from = taken;
    foreach (before, *lists)
      static_cast<ValueList*>(lfirst(before))->columns =
          castNode(List, list_nth(columns, foreach_current_index(before)));
    *lists = lappend(*lists, list);
  }
  return from;
}

}  // namespace dp::guard
