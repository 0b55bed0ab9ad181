// The check of a whole query tree, as rewriting left it, before it is planned or charged.
//
// PostgreSQL's planner takes any tree for one that its parser made: a Var that names an entry that is gone reads
// whatever table has that number then, one of another type raises an error at the first row that gets there, or ends
// the server. Here is asked of each part of the tree what the parser would have made sure of:
//
//   Var          its level is there; its entry is there and is read where the Var stands (in FROM and the joins above
//                it, by LATERAL, as what a statement writes, EXCLUDED, the leaf of a set operation, groups of 18), and
//                has that column, with its type, modifier and collation; whole rows have the entry's type of rows
//   Aggref,      belong to a level that has aggregates, stand above its FROM and WHERE, and not within each other
//   GROUPING
//   WindowFunc   stands above FROM and WHERE of a level that has windows, and its window is there
//   SubLink      the level says that it has some
//   Param        of a subquery's columns only where it is compared with them; of the executor none but ours; in our own
//                statements those alone that have a value of that type
//   clauses      GROUP BY, ORDER BY, DISTINCT and windows name entries of the target list, each of which has a number
//                of its own
//   FROM         each entry once, those that are joins as joins; conditions of joins see what they join
//   CTE          is there at its level, before what reads it, with the columns that it is read with
//   permissions  of an entry are those of its table (16 and later)
//
// Entries that nobody reads (of views and rules, or taken out) may stay, but may not be named by what is read.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// What a tree is part of.
struct TreeAround {
  // Query: around the tree, innermost first, but for the first ones that are skipped; none: it is a statement.
  const List* levels = NIL;
  int skipped = 0;
  // Node: what the tree's parameters stand for, from 1, where it is run by itself with parameters of ours.
  const List* parameters = NIL;
  bool has_parameters = false;
  // It is being made: calls may have bounds in them that are not known before rows are (query/public_rows.h).
  bool unfinished = false;

  static TreeAround with_parameters(const List* parameters) { return {NIL, 0, parameters, true, false}; }
  static TreeAround within(const List* levels, int skipped) { return {levels, skipped, NIL, false, true}; }
};

// What is wrong with the tree, for the server's log; nullptr where nothing is.
const char* fault_of_tree(const Query* tree, const TreeAround& around);

// The same of expressions that are computed by themselves, and read no row. `answers`: how many parameters of the
// executor there are, from 0.
const char* fault_of_parameters(const List* parameters, int answers);

// Raises XX000 (fault.h) where something is wrong. `step`: what has made the tree, for the server's log.
void require_valid(const Query* tree, const TreeAround& around, const char* step);

void require_valid_parameters(const List* parameters, int answers, const char* step);

// The same in builds with assertions; nothing in others.
inline void assert_valid([[maybe_unused]] const Query* tree, [[maybe_unused]] const TreeAround& around,
                         [[maybe_unused]] const char* step) {
#ifdef USE_ASSERT_CHECKING
  require_valid(tree, around, step);
#endif
}

}  // namespace dp::guard
