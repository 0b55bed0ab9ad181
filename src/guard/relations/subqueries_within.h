// Subqueries in aggregates below private ones, in FILTER, and in group keys:
//
//   SELECT count(*) FILTER (WHERE EXISTS (SELECT FROM labs l WHERE l.patient = p.id)) FROM patients p
//   SELECT v.ward IN (SELECT ward FROM busy) AS busy, count(*) FROM visits v GROUP BY 1
//
// They are told to be of the same person, or of public tables, as those in WHERE are (subqueries.h), and what they say
// is a value of the row.
#pragma once

#include "guard/relations/subqueries.h"

namespace dp::guard {

// Finds those in the level's private aggregates (Aggref) and group keys, but for answers: InnerQueryTables::within.
// Raises DP002 where one is not admitted.
void find_subqueries_within(InnerQueryTables* tables, const Query* level, List* levels, List* aggregates,
                            const InnerQueries& inner_queries);

// The expression, over the tables and without answers, with places for them; itself where it has none.
Node* with_places(Node* expression, const InnerQueryTables& tables);

// While contributions are limited subqueries in the query's columns are columns: of a table that there is not.
class AskedColumns {
 public:
  // Puts columns in their place.
  void take_from(Query* query);

  // Puts them back, also in the query's subqueries.
  void put_into(Query* query) const;

 private:
  static Node* take(Node* node, void* self);
  static Node* put(Node* node, void* self);

  List* taken_ = NIL;  // SubLink: those of the columns 1, 2, ...
};

}  // namespace dp::guard
