// Core and post: every query level with DP aggregates over a protected table is split in two.
//
// The core reads the one protected table, filters, groups and aggregates; nothing else. The post is everything above: expressions
// on answers and keys, HAVING, ORDER BY, LIMIT, DISTINCT, windows, names. The core becomes a statement of its own, planned by itself
// (inner_plan.h); the post reads the node DpRelease that runs it (release_node.h): below that line rows, above it only what is
// private.
#pragma once

#include "core/mechanism/sensitivity.h"
#include "pg/planner.h"

namespace dp::guard {

// A protected table as a core reads it.
struct ProtectedTable {
  Oid relation;        // the table that was protected
  Oid table;           // the one that is read: that table, or a part of it
  Oid subject;         // whose permissions hold where the table was named in a view (its owner); InvalidOid: the asking role
};

// What the node above a core must know. Everything in it is public.
struct Core {
  ProtectedTable first;  // whose rows are counted
  List* partners;      // oid: of the protected tables that are joined to it, the three of each
  List* policy;        // int: of the privacy unit when the core was made, as unit_numbers() gives it
  int set_column;      // the core's column that tells them apart, as GROUPING() does; 0 without
  int count_column;    // the core's column with the rows of a group, for the private choice of groups; 0 without
  List* keys;          // String: the names of the group keys
  List* key_texts;     // String: their expressions over the table, as declared domains are called
  List* key_tables;    // oid: the one table that a key reads; InvalidOid for several
  List* key_columns;   // int: the table's column that a key is; 0 for other expressions
  List* key_subjects;  // oid: whose permissions hold for that table, as in ProtectedTable
  List* key_sizes;     // int: how many values a public key has at least; -1: it is not public
  List* key_nulls;     // int: whether the key can be NULL
  List* key_types;     // oid
  List* key_collations;  // oid
  List* conditions;    // on the keys, as guard/rewrite/pruned_groups.h has them: where one is not true, there is no group
  List* facts;         // what was relied on while planning, as guard/query/facts.h has it
  List* masks;         // int: of GROUPING() over all keys, for each grouping set
  List* groupings;     // List of int: a column that holds GROUPING(), then the numbers (from 0) of its keys
  List* aggregates;    // String: the texts of the aggregates
  mechanism::Contribution unit;  // of one privacy unit to the groups of a grouping set
  List* once;          // int: the aggregates (from 0) to which a unit contributes one row in a group, whatever it has
  char* unit_text;     // whom an answer hides and what of one unit counts, for EXPLAIN; nullptr: each row is a unit
  List* values;        // Expr: what the inner query's parameters $1, $2, ... stand for (values.h)
  List* judged;        // List of String and Node: the place and the call, to be judged again when the values are known
  List* collations;    // oid: all that the core uses, to be opened at the start
  List* declared;      // as objects.h has it, of the tables that are read
  List* tables;        // oid: all tables and views that the inner query may read, as plan_check.h has it

  int sets() const { return list_length(masks); }

  // The protected tables that are read, the first one above and its partners.
  int protected_tables() const { return 1 + list_length(partners) / 3; }
  ProtectedTable protected_table(int i) const;

  // What one privacy unit contributes to that aggregate.
  mechanism::Contribution contribution(int aggregate) const;

  // All that is in it, in the current memory context.
  Core copy() const;
};

// The cores of one planner call. A core is marked by its Query.queryId, which copies of the query keep.
class Cores {
 public:
  Cores() = default;
  Cores(const Cores&) = delete;
  Cores& operator=(const Cores&) = delete;

  void add(Query* core, const Core& what);
  Core* find(const Query* query) const;
  bool empty() const { return cores_ == NIL; }

 private:
  List* cores_ = NIL;  // of Core*
};

// Splits the query and all queries in it, in place. Raises DP002 where a level with DP aggregates reads a protected table in a way
// that cannot be split.
void split(Query* query, Cores* cores);

}  // namespace dp::guard
