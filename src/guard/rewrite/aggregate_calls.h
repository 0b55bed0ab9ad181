// The aggregates of a query level, wherever they stand in it, also in subqueries of its expressions.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// The nodes may be those that stand in the level: not to be changed.
struct LevelAggregates {
  int depth = 0;
  List* ours = NIL;                 // Aggref, different ones, as seen from the level
  List* errors = NIL;               // FuncExpr: calls of dp_error on one of the level's aggregates, likewise
  List* groupings = NIL;            // GroupingFunc, different ones, as seen from the level
  List* ordinary = NIL;             // Aggref: those that are not ours, likewise
  bool of_values = false;           // one of those takes a value: not all of them count rows
  bool of_computed_values = false;  // and one takes what is neither a column nor a constant
};

LevelAggregates aggregates_of(Query* level);

// Adds those in an expression of the level, which stands so many queries further in.
void note_aggregates(Node* expression, int depth, LevelAggregates* found);

// Whether one of ours is called without all parameters.
bool has_incomplete(const LevelAggregates& found);

// Calls it for each query of the statement, those within one before it. `asks`: private aggregates stand in it or
// around it.
void visit_levels(Query* statement, void (*visit)(Query* level, bool asks));

// Raises DP002 on an aggregate that is not ours beside one that is.
void refuse_ordinary(const Aggref* aggregate);

// The node as the level sees it that is `depth` levels further out: for Aggrefs and the like that stand in a subquery.
Node* seen_from(Node* node, int depth);

}  // namespace dp::guard
