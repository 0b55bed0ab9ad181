// Ordinary aggregates over a protected table: for a role without SELECT that has an account, count(*), sum(cost) and
// the like become private ones before the level is split.
//
// Nothing new is trusted here: what comes out is a level with private aggregates, as if the asker had written them, and
// passes the same admission. PostgreSQL's own aggregates are told by their numbers in the catalog: somebody's aggregate
// of the same name is refused as before.
//
// Calls of private aggregates without all parameters (dp_avg(cost), dp_sum(cost, 0, 100)) are completed in the same
// way, whoever asks.
#pragma once

#include "guard/query/private_query.h"
#include "guard/rewrite/level.h"
#include "guard/rewrite/plain_calls.h"

namespace dp::guard {

struct PlainLevel {
  bool changed = false;          // the level is another one now
  bool rewritten = false;        // something else stood where private aggregates and their bounds stand now
  bool grouped = false;          // the level has keys and no aggregate: its answer is which groups there can be
  bool depends_on_role = false;  // another role would have got other aggregates
  List* bounds = NIL;            // String: what the bounds rely on, for EXPLAIN
  List* shared = NIL;            // String: what is read off each noisy vector, as it is written, for EXPLAIN
};

// Changes the level in place. Raises DP002 for an ordinary aggregate that has no private form, for one without
// epsilon and for one whose value has no bounds.
PlainLevel make_aggregates_private(Level* level, const InnerQueries& inner_queries, Price price = Price::numbers);

}  // namespace dp::guard
