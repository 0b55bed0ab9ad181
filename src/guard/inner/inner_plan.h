// The inner query of a private query is planned as a statement of its own, as PostgreSQL plans the checks of a foreign
// key.
//
// First, by the standard planner, under the server's settings (server_settings.h), with nothing of the asker's beside
// it. What is planned around it then sees a scan of some rows of known types and knows nothing else: no width, no cost,
// no estimate of it comes from data. Its plan travels inside the release node.
#pragma once

#include "guard/query/private_query.h"

namespace dp::guard {

// The inner queries of one statement, in the order in which they were replaced.
struct InnerPlans {
  List* replaced = NIL;  // Query: that are not planned yet
  List* queries = NIL;   // PrivateQuery*: their plans
};

// Puts a stand-in in the place of each inner query in the query, at any depth: a subquery with the same columns over a
// table that is no table, whose only path is the release node (`find_private_query`); or that table itself, where no
// condition can come to stand below the level.
void replace_inner_queries(Query* query, const InnerQueries& inner_queries, InnerPlans* plans);

// Raises XX000 where the query, with stand-ins in it, or one of what is run by itself for it is no valid tree
// (guard/tree/valid_tree.h).
void require_valid_queries(const Query* query, const InnerQueries& inner_queries, const InnerPlans& plans);

// Plans what was replaced. `parameters`: of the execution that is planned for, nullptr where unknown. Raises DP002
// where a finished plan holds what was not admitted.
void plan_inner_queries(const InnerQueries& inner_queries, const char* text, int options, ParamListInfo parameters,
                        InnerPlans* plans);

// Plans the subqueries of the inner queries that are run by themselves, each by plan(query), which looks at
// permissions.
template <class Plan>
void plan_public_subqueries(const InnerPlans& plans, Plan plan);

// The private query that a range-table entry stands for; nullptr where it is none of these.
struct PrivateQuery* find_private_query(const InnerPlans& plans, const RangeTblEntry* entry);

// While an inner query is planned, for each of its tables: takes out the indexes with conditions or expressions that
// may not stand below the noise. PostgreSQL puts them into some plans and not into others, so that the check of the
// plan would tell which it chose.
void keep_admitted_indexes(RelOptInfo* table);

// The same for what other servers may compute of a table whose rows are there.
void keep_rows_elsewhere(RelOptInfo* table);

// Lets the finished outer plan depend on what the inner ones depend on: it is locked, and made anew, with them.
void depend_on_inner_plans(const InnerPlans& plans, PlannedStmt* outer);

template <class Plan>
void plan_public_subqueries(const InnerPlans& plans, Plan plan) {
  ListCell *cell, *subquery;
  foreach (cell, plans.queries) {
    foreach (subquery, static_cast<PrivateQuery*>(lfirst(cell))->inner_query.subqueries) {
      ListCell* const query = list_head(static_cast<List*>(lfirst(subquery)));
      // Questions that are asked apart share theirs.
      if (IsA(lfirst(query), Query)) lfirst(query) = plan(static_cast<Query*>(lfirst(query)));
    }
  }
}

}  // namespace dp::guard
