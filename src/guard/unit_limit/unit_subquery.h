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

  // The first `count` columns of the inner query, its group keys, and its calls of GROUPING() become columns of the
  // subquery.
  void see_keys(int count);

  // Groups the rows of the subquery; all columns must be group keys then, or aggregates.
  void group_by(List* expressions);

  // row_number() or dense_rank() OVER (PARTITION BY ... ORDER BY ...), as a Var of the inner query. The first columns of
  // the order begin with their largest values where `from_last` (int, one for each of these) is true; NULLs come last.
  Var* number(Oid function, List* partition, List* order, List* from_last = NIL);

  // first_value(value) OVER (PARTITION BY ... ORDER BY ...), to be part of a column.
  Expr* first(Expr* value, List* partition, List* order, List* from_last);

  // An aggregate of one argument OVER (PARTITION BY ... ORDER BY ...), to be part of a column.
  Expr* over(Oid aggregate, Oid type, Expr* argument, List* partition, List* order);

  // A window function of these arguments OVER (PARTITION BY ... ORDER BY ...), in the collation of the first one, as a
  // Var of the inner query.
  Var* called_over(Oid function, Oid type, List* arguments, List* partition, List* order);

  // Rows reach the inner query where this number of theirs is at most `most`, or at least `least`.
  void keep_first(Var* number, int most) { keep(number, BTLessEqualStrategyNumber, most); }
  void keep_from(Var* number, int least) { keep(number, BTGreaterEqualStrategyNumber, least); }

  // After the last change. The subquery's columns get their names.
  void finish();

 private:
  TargetEntry* entry_of(Expr* expression);
  const WindowClause* window_of(List* partition, List* order);
  WindowFunc* window(Oid function, Oid type, List* partition, List* order, List* from_last = NIL);
  void keep(Var* number, StrategyNumber comparison, int limit);
  List* clauses(List* expressions, List* from_last = NIL);

  Query* inner_query_;
  Query* inner_;
  RangeTblEntry* entry_;
  Index last_reference_ = 0;
};

// dp_internal.unit_of_row(): a number that no other row has, of any process.
Node* number_of_row();

// (SELECT dp_internal.unit_key()): evaluated once in an execution.
Node* fresh_key();

// dp_internal.unit_hash(fresh_key(), values...)
Expr* keyed_hash(List* values);

// A random order of a unit's groups. Ties of the hash are broken by the keys themselves.
List* random_order(List* unit_and_keys, List* keys);

}  // namespace dp::guard
