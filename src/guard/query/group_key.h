// A group key of an inner query: whose it is, and which values it can have. Everything in it is public.
//
// The inner query's i-th column is its i-th key. Keys are described when the inner query is made
// (rewrite/key_descriptions.h); groups/groups.h finds their values before the first row is read.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

struct GroupKey {
  enum class Nulls : int {
    never,
    possible,
    in_rows,  // only where a row of its public table holds NULL there
  };

  const char* name;  // as the answer calls it
  const char* text;  // its expression over the table, as declared domains are called
  Oid table;         // the one table that it reads; InvalidOid for several
  Oid policy;        // what was protected of that table, itself or one above it; InvalidOid: its rows are public
  int column;        // the table's column that it is; 0 for another expression
  Oid subject;       // whose permissions hold for that table, as in ProtectedTable
  int least;         // how many values it has at least, where they are public; -1: they are not
  Nulls nulls;       // whether it can be NULL
  Oid type;
  Oid collation;
  List* image;   // of a key that is computed from public columns, as groups/key_images.h has it; else NIL
  int subquery;  // the number (from 1) of the one of InnerQuery::subqueries that it is computed from; 0: of none
  List* row;     // of such a key, over a row of that (row 1), it and the conditions on its columns; else NIL

  bool is_public() const { return least >= 0; }
  bool may_be_null() const { return nulls != Nulls::never; }

  // All that is in it, in the current memory context.
  GroupKey* copy() const;

  // It as nodes, to be stored, and read again. Not of one that is computed from a subquery.
  List* as_list() const;
  static GroupKey* of(const List* list);
};

}  // namespace dp::guard
