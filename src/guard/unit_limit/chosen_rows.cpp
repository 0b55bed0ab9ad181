#include "guard/unit_limit/chosen_rows.h"

#include "guard/functions/aggregates.h"
#include "guard/tree/by_number.h"
#include "guard/unit_limit/unit_aggregates.h"
#include "guard/unit_limit/unit_subquery.h"

namespace dp::guard {
namespace {

class Chooser {
 public:
  Chooser(const LimitedRows& rows, List* row_choices)
      : rows_(rows), row_choices_(row_choices), unit_(reinterpret_cast<Expr*>(rows.unit)), keys_(rows.keys) {
    ListCell* cell;
    foreach (cell, row_choices) {
      const auto& by = *static_cast<const RowChoice*>(lfirst(cell));
      order_ = lappend(order_, copyObjectImpl(by.column));
      from_last_ = lappend_int(from_last_, by.latest);
    }
    // Ties are broken at random, by all that the query sees of a row.
    List* const used = pull_var_clause(reinterpret_cast<Node*>(rows.query->targetList), PVC_RECURSE_AGGREGATES);
    order_ = lappend(order_, keyed_hash(list_concat_unique(list_make1(unit_), used)));
  }

  void choose() {
    next_subquery();
    if (rows_.limits.groups > 0 && !rows_.one_group) {
      choose_groups();
      last_->keep_first(number(kRowNumber, unit_and_keys(), order_), rows_.limits.rows_per_group);
      if (rows_.limits.rows > 0) {
        next_subquery();
        last_->keep_first(number(kRowNumber, list_make1(unit_), order_), rows_.limits.rows);
      }
    } else {
      const int most = rows_.one_group ? rows_.limits.rows_of_one_group() : rows_.limits.rows;
      last_->keep_first(number(kRowNumber, list_make1(unit_), order_), most);
    }
    ListCell* cell;
    foreach (cell, subqueries_) static_cast<UnitSubquery*>(lfirst(cell))->finish();
  }

 private:
  // The unit's groups in a random order, or in that of the first row that each has in the order of rows.
  void choose_groups() {
    List* order = NIL;
    if (row_choices_ != NIL) {
      ListCell* cell;
      foreach (cell, list_copy_head(order_, list_length(row_choices_)))
        order = lappend(order, last_->first(static_cast<Expr*>(lfirst(cell)), unit_and_keys(), order_, from_last_));
      UnitSubquery* const below = last_;
      next_subquery();
      order = columns(below, order);
    }
    order = list_concat(order, random_order(unit_and_keys(), keys_));
    last_->keep_first(number(kDenseRank, list_make1(unit_), order), rows_.limits.groups);
  }

  // A subquery around what the query reads; what was an expression is a column in it.
  void next_subquery() {
    UnitSubquery* const below = last_;
    last_ = new (palloc(sizeof(UnitSubquery))) UnitSubquery(rows_.query);
    subqueries_ = lappend(subqueries_, last_);
    if (below != nullptr) {
      unit_ = reinterpret_cast<Expr*>(below->column(unit_));
      keys_ = columns(below, keys_);
      order_ = columns(below, order_);
    }
    last_->see_keys(list_length(keys_));
    ListCell* cell;
    foreach (cell, rows_.query->targetList) {
      auto* const entry = lfirst_node(TargetEntry, cell);
      if (!IsA(entry->expr, Aggref)) continue;
      entry->expr = entry->resno == rows_.count_column
                        ? reinterpret_cast<Expr*>(count_different(last_->column(unit_)))
                        : reinterpret_cast<Expr*>(last_->seen(reinterpret_cast<Node*>(entry->expr)));
    }
  }

  static List* columns(UnitSubquery* subquery, List* expressions) {
    List* seen = NIL;
    ListCell* cell;
    foreach (cell, expressions) seen = lappend(seen, subquery->column(static_cast<Expr*>(lfirst(cell))));
    return seen;
  }

  Var* number(Oid function, List* partition, List* order) {
    return last_->number(function, partition, order, from_last_);
  }

  List* unit_and_keys() const { return lcons(unit_, list_copy(keys_)); }

  const LimitedRows& rows_;
  List* row_choices_;
  UnitSubquery* last_ = nullptr;
  List* subqueries_ = NIL;
  // As expressions over what the last subquery reads:
  Expr* unit_;
  List* keys_;
  List* order_ = NIL;      // of a unit's rows
  List* from_last_ = NIL;  // int: which of the first columns of an order begin with the largest value
};

}  // namespace

const char* text_of_choices(List* row_choices, List* tables) {
  StringInfoData text;
  initStringInfo(&text);
  ListCell* cell;
  foreach (cell, row_choices) {
    const auto& by = *static_cast<const RowChoice*>(lfirst(cell));
    const Oid table = entry_numbered(by.column->varno, tables)->relid;
    appendStringInfo(&text, "%sthe %s by %s", foreach_current_index(cell) == 0 ? "" : ", then ",
                     by.latest ? "latest" : "first", get_attname(table, by.column->varattno, false));
  }
  return text.data;
}

void choose_rows(const LimitedRows& rows, List* row_choices) { Chooser(rows, row_choices).choose(); }

}  // namespace dp::guard
