// Copies of a level that are to stand further in, where they read the same rows.
#pragma once

#include "guard/query/private_query.h"

namespace dp::guard {

// A copy of the level without CTEs, of which its rows and its target list are left: no groups, no aggregates are said
// of it, and nothing stands above them.
Query* copy_of_rows(const Query* level);

// In place: the copy becomes a query that stands so many further in than the level. `levels`: the queries around it.
// The CTEs that it reads get another reader.
void put_within_level(Query* copy, List* levels, int by);

// A walker: whether one of these inner queries (InnerQueries) stands in the tree. Each copy of it would be a draw and a
// charge.
bool holds_inner_query(Node* node, void* inner_queries);

// Whether the query reads answers.
bool reads_answers(Query* query, const InnerQueries& inner_queries);

}  // namespace dp::guard
