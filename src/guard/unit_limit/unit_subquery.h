// The subquery by which contributions are bounded: it takes the inner query's table and conditions, and the inner query
// reads it in their place.
//
// In it PostgreSQL groups rows, or numbers them by windows, before the inner query's aggregates see them. It becomes
// the inner query's range-table index 1; its columns are made as they are asked for.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

class UnitSubquery {
 public:
  // The inner query must read its table at index 1 in its jointree, and nothing else.
  explicit UnitSubquery(Query* inner_query);

  // The column of the subquery that is this expression over the table, as a Var of the inner query. Equal expressions
  // share one.
  Var* column(Expr* over_table);

  // The expression over the table as the inner query sees it: parts that are columns of the subquery already, and
  // columns of the table, become Vars.
  Node* seen(Node* over_table);

  // Groups the rows of the subquery; all columns must be group keys then, or aggregates.
  void group_by(List* expressions);

  // row_number() or dense_rank() OVER (PARTITION BY ... ORDER BY ...), as a Var of the inner query.
  Var* number(Oid function, List* partition, List* order);

  // An aggregate of one argument OVER (PARTITION BY ... ORDER BY ...), to be part of a column.
  Expr* over(Oid aggregate, Oid type, Expr* argument, List* partition, List* order);

  // Rows reach the inner query where this number of theirs is at most `most`, or at least `least`.
  void keep_first(Var* number, int most) { keep(number, BTLessEqualStrategyNumber, most); }
  void keep_from(Var* number, int least) { keep(number, BTGreaterEqualStrategyNumber, least); }

  // After the last change. The subquery's columns get their names.
  void finish();

 private:
  TargetEntry* entry_of(Expr* expression);
  WindowFunc* window(Oid function, Oid type, List* partition, List* order);
  void keep(Var* number, StrategyNumber comparison, int limit);
  List* clauses(List* expressions);

  Query* inner_query_;
  Query* inner_;
  RangeTblEntry* entry_;
  Index last_reference_ = 0;
};

// (SELECT dp_internal.unit_key()): evaluated once in an execution.
Node* fresh_key();

// dp_internal.unit_hash(fresh_key(), values...)
Expr* keyed_hash(List* values);

}  // namespace dp::guard
