// Columns that depend on what a query groups by: where the primary key of a public table is grouped, PostgreSQL lets
// its other columns be shown.
//
//   SELECT w.id, w.name, count(*) FROM stays s JOIN wards w ON w.id = s.ward GROUP BY w.id
//
// They are no part of the question, also where it groups by them besides: they are looked up above the noise, for the
// groups that are shown, as the asker could look them up for himself.
#pragma once

#include "guard/query/inner_query.h"

namespace dp::guard {

// Leaves columns out of GROUP BY that depend on others of it: GROUP BY w.id, w.name has the groups of GROUP BY w.id,
// and not one for each id and each name.
void drop_dependent_keys(Query* level);

// The level before it becomes an outer query.
struct GroupedLevel {
  const Query* query;  // with its range table and GROUP BY
  const InnerQueryParts* inner_query;
};

// (SELECT w.name FROM wards w WHERE w.id = the group's id), for a column of the level as seen from `depth` levels below
// it; the outer query has the answers of the inner query as its first table. nullptr where the column is of no public
// table, or the table's primary key is not among the keys.
Node* look_up_column(const GroupedLevel& level, const Var* column, int depth);

}  // namespace dp::guard
