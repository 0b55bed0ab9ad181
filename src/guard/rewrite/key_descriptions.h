// What an inner query knows of its group keys: whose they are, and which values they can have.
#pragma once

#include "guard/query/private_query.h"
#include "guard/relations/per_unit_subquery.h"
#include "guard/rewrite/aggregate_text.h"

namespace dp::guard {

// The expressions that a group key is.
struct KeyForms {
  Node* written;  // over the tables of the sources
  Node*
      runs;  // in the form in which it runs, over the same; nullptr: its values are not computed from those of columns
  Node* total;         // the last expression that was checked, in its total form
  List* preserved;     // Node: what it is in the preserved rows of a list; NIL: there are none
  List* tables = NIL;  // the range table as it runs, where per-unit subqueries are in it
};

// The key, without its name. `conditions`: of the inner query. Adds what is relied on to `facts`. Raises DP002 where
// the key's values depend on a setting of the session.
GroupKey* describe_key(const KeyForms& key, const Sources& sources, const ColumnNames& names, Node* conditions,
                       List** facts);

// The number of the one per-unit subquery of which the key reads keys alone, or columns that it only shows; 0: it
// reads others, or none. `alone`: the subquery that is all that the level reads, nullptr where tables are.
int per_unit_read_by(Node* key, const Sources& sources, const PerUnitSubquery* alone);

// The same as describe_key() of such a key, over the tables of the subquery. `table`: its number; `as_run`: it as it
// runs; `missing`: a row may find none of its rows, and the key is one of its columns.
GroupKey* describe_per_unit_key(const KeyForms& key, const PerUnitSubquery& per_unit, int table, const Query* as_run,
                                bool missing, Node* conditions, List** facts);

// The same of a key that asks subqueries (subqueries_within.h).
GroupKey* describe_sublink_key(const KeyForms& key, const Sources& sources, const ColumnNames& names, List** facts);

// The same of a key that is made from what a subquery computed: of no table.
GroupKey* describe_computed_key(const KeyForms& key, const Sources& sources, const ColumnNames& names, Node* conditions,
                                List** facts);

// Notes which of the keys depend on each other. `inner_query`: its columns are all keys, in the form in which they run;
// `preserved`: as preserved_rows() has it (list_keys.h), in that form.
void describe_dependence(List* preserved, const Query* inner_query, const Sources& sources, InnerQuery* what);

}  // namespace dp::guard
