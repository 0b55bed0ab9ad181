// The execution of an inner query: an executor of its own within the node that asks for it.
//
// Not through the executor's hooks: another library would take it for a statement that somebody sent, and log or count
// it.
#pragma once

#include "guard/inner/server_settings.h"
#include "guard/query/silence.h"
#include "pg/errors.h"

namespace dp::guard {

// What runs of an inner query, its start included, runs under the server's settings and says nothing to a role without
// SELECT.
template <class F>
void below_the_noise(bool watched, F f) {
  pg::entry([&] {
    const ServerSettings settings(watched);
    const Silence silence(watched);
    pg::call([&] { f(); });
  });
}

// Starts the plan with those parameters, under the snapshot of the outer execution. In the current memory context.
// `environment`: the rows that it reads beside tables; `instruments`: what is to be measured of it.
QueryDesc* begin_inner_query(PlannedStmt* plan, const EState* outer, ParamListInfo values,
                             QueryEnvironment* environment, int flags, int instruments);

// Runs it to its end, and calls take(row) with each row; take() may throw. `take` must live until this returns.
void run_inner_query(QueryDesc* inner, void (*take)(void* self, TupleTableSlot* row), void* self);

template <class Take>
void run_inner_query(QueryDesc* inner, Take take) {
  run_inner_query(
      inner, [](void* self, TupleTableSlot* row) { (*static_cast<Take*>(self))(row); }, &take);
}

// Also where it never ran.
void end_inner_query(QueryDesc* inner);

// Its plan, and what was measured of it, as part of the outer one's.
void explain_inner_query(QueryDesc* inner, const ExplainState* outer);

}  // namespace dp::guard
