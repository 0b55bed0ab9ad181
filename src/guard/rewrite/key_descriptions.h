// What an inner query knows of its group keys: whose they are, and which values they can have.
#pragma once

#include "guard/query/private_query.h"
#include "guard/rewrite/aggregate_text.h"
#include "guard/tables/people_rows.h"

namespace dp::guard {

struct GroupKey {
  Node* written;  // over the tables of the sources
  Node*
      runs;  // in the form in which it runs, over the same; nullptr: its values are not computed from those of columns
  Node* total;         // the last expression that was checked, in its total form
  List* kept;          // Node: what it is in the rows of a list that are kept; NIL: there are none
  List* tables = NIL;  // the range table as it runs, where subqueries about people are in it
};

// Appends to the lists of `what` that describe keys. `conditions`: of the inner query. Raises DP002 where the key's
// values depend on a setting of the session.
void describe_key(const GroupKey& key, const Sources& sources, const ColumnNames& names, Node* conditions,
                  InnerQuery* what);

// The same of a column of a subquery about people that is a key of it. `as_run`: the subquery as it runs; `missing`:
// a row may find none of its rows.
void describe_key_of_people(const PeopleRows& people, AttrNumber column, const Query* as_run, bool missing,
                            InnerQuery* what);

// The same of a key that asks subqueries (subqueries_within.h).
void describe_asking_key(const GroupKey& key, const Sources& sources, const ColumnNames& names, InnerQuery* what);

// The same of a key that is made from what a subquery computed: of no table.
void describe_computed_key(const GroupKey& key, const Sources& sources, const ColumnNames& names, Node* conditions,
                           InnerQuery* what);

// Notes which of the keys depend on each other. `inner_query`: its columns are all keys, in the form in which they run;
// `kept`: as kept_rows() has it (list_keys.h), in that form.
void describe_dependence(List* kept, const Query* inner_query, const Sources& sources, InnerQuery* what);

}  // namespace dp::guard
