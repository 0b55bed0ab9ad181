#include "guard/relations/row_lists.h"

#include <cstdint>
#include <optional>

#include "guard/functions/constants.h"
#include "guard/relations/constant_rows.h"
#include "guard/relations/from_clause.h"
#include "guard/relations/open_lists.h"
#include "guard/relations/spread_rows.h"
#include "guard/relations/written_rows.h"
#include "guard/tree/by_number.h"
#include "guard/tree/columns.h"
#include "guard/tree/entries.h"
#include "guard/tree/query_marks.h"
#include "pg/joins.h"
#include "pg/nodes.h"

namespace dp::guard {
namespace {

Node* node(void* any) { return static_cast<Node*>(any); }

const WrittenRow& row_at(const ListCell* cell) { return *static_cast<const WrittenRow*>(cell->ptr_value); }

// Whether a row may find nothing.
bool are_conditional(List* rows) {
  ListCell* cell;
  foreach (cell, rows) {
    if (row_at(cell).condition != nullptr) return true;
  }
  return false;
}

// Of those value_lists.h writes the columns where the row is, without a list.
bool is_one_select(const RangeTblEntry* entry) {
  return entry->rtekind == RTE_SUBQUERY && entry->subquery->rtable == NIL && !entry->subquery->hasTargetSRFs;
}

// ---- what takes its place -------------------------------------------------------------------------------------------

Node* whole(int number) { return reinterpret_cast<Node*>(pg::int4_constant(number)); }

Query* select(List* columns, List* rtable, List* from, Node* condition) {
  Query* const query = pg::empty_select();
  query->rtable = rtable;
  query->jointree->fromlist = from;
  query->jointree->quals = condition;
  query->targetList = columns;
  query->hasSubLinks = checkExprHasSubLink(reinterpret_cast<Node*>(columns)) || checkExprHasSubLink(condition);
  return query;
}

// The two entries in the place of one: `number` is that of the list.
class Numbered {
 public:
  Numbered(const RangeTblEntry* entry, List* rows, int number) : entry_(entry), rows_(rows), number_(number) {
    add_column(
        INT4OID, -1, InvalidOid, [](int place) { return whole(place); }, "number");
    const int columns = list_length(row_at(list_head(rows)).values);
    for (int i = 0; i < columns; ++i) shown_ = lappend(shown_, is_constant(i) ? constants(i) : choice(i));
    if (!are_conditional(rows)) return;
    condition_ = choice_of(
        [](const WrittenRow& row) { return row.condition != nullptr ? row.condition : makeBoolConst(true, false); });
  }

  RangeTblEntry* list() const {
    auto* const values = makeNode(RangeTblEntry);
    values->rtekind = RTE_VALUES;
    values->coltypes = types_;
    values->coltypmods = modifiers_;
    values->colcollations = collations_;
    values->eref = makeAlias("*VALUES*", names_);
    values->inFromCl = true;
    for (int i = 0; i < list_length(rows_); ++i) {
      List* row = NIL;
      ListCell* cell;
      foreach (cell, columns_) row = lappend(row, list_nth(static_cast<List*>(lfirst(cell)), i));
      values->values_lists = lappend(values->values_lists, row);
    }
    List* columns = NIL;
    for (int i = 1; i <= list_length(columns_); ++i) {
      auto* const shown = reinterpret_cast<Expr*>(column(i, 1));
      columns = lappend(
          columns, makeTargetEntry(shown, static_cast<AttrNumber>(i), pstrdup(strVal(list_nth(names_, i - 1))), false));
    }
    Query* const query = select(columns, list_make1(values), list_make1(item_of(1)), nullptr);
    return entry_of_subquery(query, entry_->eref->aliasname);
  }

  RangeTblEntry* row() const { return row_of(shown_, condition_); }

  // The other entry, of these expressions over the level.
  RangeTblEntry* row_of(List* values, Node* condition) const {
    List* columns = NIL;
    ListCell* cell;
    foreach (cell, values) {
      const int place = foreach_current_index(cell);
      auto* const value = static_cast<Node*>(copyObjectImpl(lfirst(cell)));
      put_further_in(value, 1);
      columns = lappend(columns, makeTargetEntry(reinterpret_cast<Expr*>(value), static_cast<AttrNumber>(place + 1),
                                                 pstrdup(column_name(entry_, place + 1)), false));
    }
    auto* const own = static_cast<Node*>(copyObjectImpl(condition));
    put_further_in(own, 1);
    RangeTblEntry* const row = entry_of_subquery(select(columns, NIL, NIL, own), entry_->eref->aliasname);
    row->lateral = true;
    return row;
  }

 private:
  // A column of the list, as one of the entry of that number.
  Var* column(int place, int entry) const {
    return column_of_type(entry, place, list_nth_oid(types_, place - 1), list_nth_int(modifiers_, place - 1),
                          list_nth_oid(collations_, place - 1));
  }

  template <class ValueIn>
  Node* add_column(Oid type, int32 modifier, Oid collation, ValueIn value_in, const char* name) {
    List* values = NIL;
    for (int i = 1; i <= list_length(rows_); ++i) values = lappend(values, value_in(i));
    columns_ = lappend(columns_, values);
    types_ = lappend_oid(types_, type);
    modifiers_ = lappend_int(modifiers_, modifier);
    collations_ = lappend_oid(collations_, collation);
    names_ = lappend(names_, makeString(pstrdup(name)));
    return reinterpret_cast<Node*>(column(list_length(columns_), number_));
  }

  static Node* value_of(const WrittenRow& row, int place) { return node(list_nth(row.values, place)); }

  bool is_constant(int place) const {
    ListCell* cell;
    foreach (cell, rows_) {
      if (!is_known_at_start(folded(value_of(row_at(cell), place)))) return false;
    }
    return true;
  }

  Node* constants(int place) {
    Node* const first = value_of(row_at(list_head(rows_)), place);
    return add_column(
        exprType(first), exprTypmod(first), exprCollation(first),
        [&](int row) { return folded(value_of(*static_cast<const WrittenRow*>(list_nth(rows_, row - 1)), place)); },
        column_name(entry_, place + 1));
  }

  Node* choice(int place) const {
    return choice_of([place](const WrittenRow& row) { return value_of(row, place); });
  }

  // By the number of the row.
  template <class ValueOf>
  Node* choice_of(ValueOf value_of_row) const {
    List* arms = NIL;
    Node* value = nullptr;
    ListCell* cell;
    foreach (cell, rows_) {
      value = static_cast<Node*>(copyObjectImpl(value_of_row(row_at(cell))));
      Expr* const is_row =
          make_opclause(Int4EqualOperator, BOOLOID, false, reinterpret_cast<Expr*>(column(1, number_)),
                        reinterpret_cast<Expr*>(whole(foreach_current_index(cell) + 1)), InvalidOid, InvalidOid);
      set_opfuncid(castNode(OpExpr, is_row));
      arms = lappend(arms, pg::when(is_row, value));
    }
    return pg::case_of(arms, makeNullConst(exprType(value), -1, exprCollation(value)));
  }

  const RangeTblEntry* entry_;
  List* rows_;
  int number_;
  List* columns_ = NIL;  // List of Const: of the list
  List *types_ = NIL, *modifiers_ = NIL, *collations_ = NIL, *names_ = NIL;
  List* shown_ = NIL;  // Node: what the columns are, over the level
  Node* condition_ = nullptr;
};

bool is_always(Node* condition) {
  if (condition == nullptr) return true;
  Node* const value = folded(condition);
  return IsA(value, Const) && !castNode(Const, value)->constisnull && DatumGetBool(castNode(Const, value)->constvalue);
}

// The left join of which the entry is the right side, in a tree; nullptr: there is none.
JoinExpr* left_join_of(Node* tree, int entry) {
  if (!IsA(tree, JoinExpr)) return nullptr;
  auto* const join = castNode(JoinExpr, tree);
  if (is_entry(join->rarg, entry)) return join->jointype == JOIN_LEFT ? join : nullptr;
  JoinExpr* const found = left_join_of(join->larg, entry);
  return found != nullptr ? found : left_join_of(join->rarg, entry);
}

JoinExpr* left_join_of(const FromExpr* from, int entry) {
  ListCell* cell;
  foreach (cell, from->fromlist) {
    if (JoinExpr* const join = left_join_of(static_cast<Node*>(lfirst(cell)), entry)) return join;
  }
  return nullptr;
}

// The rows of a list that is joined so, as an inner join finds them: each where the join's condition holds for it, and
// one of NULLs where it holds for none.
List* rows_or_none(const JoinExpr* join, const RangeTblEntry* entry, int number, List* rows) {
  List *found = NIL, *conditions = NIL, *missing = NIL;
  ListCell* cell;
  foreach (cell, rows) {
    const WrittenRow& row = row_at(cell);
    auto* const quals = static_cast<Node*>(copyObjectImpl(join->quals));
    Node* const condition =
        make_and_qual(static_cast<Node*>(copyObjectImpl(row.condition)),
                      pg::replace_columns(quals, number, const_cast<RangeTblEntry*>(entry), as_columns(row.values)));
    conditions = lappend(conditions, condition);
    found = lappend(found, new (palloc(sizeof(WrittenRow))) WrittenRow{row.values, condition});
  }
  auto* const none = makeNode(BooleanTest);
  none->arg = reinterpret_cast<Expr*>(copyObjectImpl(make_orclause(conditions)));
  none->booltesttype = IS_NOT_TRUE;
  none->location = -1;
  foreach (cell, row_at(list_head(rows)).values) {
    auto* const value = node(lfirst(cell));
    missing = lappend(missing, makeNullConst(exprType(value), exprTypmod(value), exprCollation(value)));
  }
  return lappend(found, new (palloc(sizeof(WrittenRow))) WrittenRow{missing, reinterpret_cast<Node*>(none)});
}

// Puts the list in front of the row, in the copy of a tree. False where an outer join may leave out both: one that does
// not for the first row of the list is an inner one. `condition`: of the list, which an outer join may keep a row
// without.
bool put_in_front(Node** tree, int row, int list, Node* condition) {
  const auto join = [tree](Node* left, Node* right, Node* quals) {
    *tree = reinterpret_cast<Node*>(joined(JOIN_INNER, left, right, quals));
    return true;
  };
  if (is_entry(*tree, row)) return join(item_of(list), *tree, condition);
  if (!IsA(*tree, JoinExpr)) return false;
  auto* const around = castNode(JoinExpr, *tree);
  if (is_entry(around->rarg, row) && around->jointype == JOIN_LEFT) {
    if (!is_always(around->quals)) return false;
    around->quals = condition;
    if (condition == nullptr) around->jointype = JOIN_INNER;
    around->rarg = item_of(list);
    return join(*tree, item_of(row), nullptr);
  }
  if (around->jointype == JOIN_FULL || around->jointype == JOIN_RIGHT) return false;
  return put_in_front(&around->larg, row, list, condition) ||
         (around->jointype == JOIN_INNER && put_in_front(&around->rarg, row, list, condition));
}

bool put_in_front(FromExpr* from, int row, int list, Node* condition) {
  ListCell* cell;
  foreach (cell, from->fromlist) {
    if (put_in_front(reinterpret_cast<Node**>(&lfirst(cell)), row, list, condition)) return true;
  }
  return false;
}

// The level with two entries in the place of one, the list behind all others.
struct Written {
  RangeTblEntry *row, *list;
  FromExpr* from;
};

std::optional<Written> numbered(const RangeTblEntry* entry, const FromExpr* written, int number, int list) {
  List* const rows = rows_of_lateral(entry);
  if (rows == NIL || is_one_select(entry)) return std::nullopt;
  if (list_length(row_at(list_head(rows)).values) != list_length(entry->eref->colnames)) return std::nullopt;
  auto* const from = static_cast<FromExpr*>(copyObjectImpl(written));
  JoinExpr* const join = left_join_of(from, number);
  const bool may_find_none = join != nullptr && (!is_always(join->quals) || are_conditional(rows));
  if (may_find_none && checkExprHasSubLink(join->quals)) return std::nullopt;
  const Numbered lists(entry, may_find_none ? rows_or_none(join, entry, number, rows) : rows, list);
  if (may_find_none) {
    join->jointype = JOIN_INNER;
    join->quals = nullptr;
  }
  if (!put_in_front(from, number, list, nullptr)) return std::nullopt;
  RangeTblEntry* const all = lists.list();
  if (may_find_none) mark(all->subquery, Mark::or_none);
  return Written{lists.row(), all, from};
}

std::optional<Written> spread(const RangeTblEntry* entry, const FromExpr* written, int number, int list) {
  const auto spread = spread_of(entry, column_of_type(list, 1, INT4OID, -1, InvalidOid));
  if (!spread) return std::nullopt;
  List* numbers = NIL;
  for (int i = 0; i < kMostSpread; ++i) numbers = lappend(numbers, new (palloc(sizeof(WrittenRow))) WrittenRow{});
  const Numbered lists(entry, numbers, list);
  auto* const from = static_cast<FromExpr*>(copyObjectImpl(written));
  if (!put_in_front(from, number, list, spread->condition)) return std::nullopt;
  RangeTblEntry* const all = lists.list();
  mark(all->subquery, Mark::spread);
  return Written{lists.row_of(spread->values, nullptr), all, from};
}

}  // namespace

Query* with_numbered_lists(Query* level) {
  Query* changed = nullptr;
  ListCell* cell;
  foreach (cell, from_indexes(level)) {
    const int number = lfirst_int(cell);
    const RangeTblEntry* const entry = entry_numbered(number, level->rtable);
    const Query* const now = changed == nullptr ? level : changed;
    const int list = list_length(now->rtable) + 1;
    auto written = numbered(entry, now->jointree, number, list);
    if (!written) written = spread(entry, now->jointree, number, list);
    if (!written) continue;
    if (changed == nullptr) {
      changed = static_cast<Query*>(palloc(sizeof(Query)));
      *changed = *level;
      changed->rtable = list_copy(level->rtable);
    }
    changed->jointree = written->from;
    lfirst(list_nth_cell(changed->rtable, number - 1)) = written->row;
    changed->rtable = lappend(changed->rtable, written->list);
  }
  return changed == nullptr ? level : changed;
}

bool is_spread(const Query* subquery) { return mark_of(subquery) == Mark::spread; }

int rows_found(const Query* subquery, int written) {
  if (is_spread(subquery)) return -written;
  if (mark_of(subquery) != Mark::or_none) return written;
  return written == 2 ? kFindsOne : written - 1;
}

}  // namespace dp::guard
