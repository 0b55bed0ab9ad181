// What an inner query knows of its group keys: whose they are, and which values they can have.
#pragma once

#include "guard/query/private_query.h"
#include "guard/rewrite/aggregate_text.h"
#include "guard/tables/from_clause.h"

namespace dp::guard {

struct GroupKey {
  Node* written;  // over the tables of the sources
  Node*
      runs;  // in the form in which it runs, over the same; nullptr: its values are not computed from those of columns
  Node* total;  // the last expression that was checked, in its total form
};

// Appends to the lists of `what` that describe keys. `conditions`: of the inner query. Raises DP002 where the key's
// values depend on a setting of the session.
void describe_key(const GroupKey& key, const Sources& sources, const ColumnNames& names, Node* conditions,
                  InnerQuery* what);

// The same of a key that is made from what a subquery computed: of no table.
void describe_computed_key(const GroupKey& key, const ColumnNames& names, InnerQuery* what);

}  // namespace dp::guard
