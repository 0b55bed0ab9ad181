// DpRelease: the one line between rows and answers. A plan node above each core.
//
// On its first fetch it charges the ledger, durably, and then drains the core once; from then on it gives the stored answers,
// sorted by group key, again and again if need be. A node that never runs costs nothing. Final functions below it work only
// while it drains, and it checks that they ran once for each charged aggregate and group.
#pragma once

#include "budget/ledger_sql.h"
#include "guard/answers.h"
#include "guard/groups.h"
#include "guard/release_gate.h"
#include "guard/split.h"

namespace dp::guard {

// The state of the node. It begins with PostgreSQL's, which allocates and frees it.
struct ReleaseNode {
  CustomScanState css;
  Core core;
  bool sorted;          // the core gives the groups in their order
  ReleaseGate* gate;
  Groups* groups;
  Oid* roles;           // whose permissions hold for each of the core's protected tables
  bool fenced;          // somebody who looks on may not read the table
  ParamListInfo values; // of the core's parameters
  PlanState* core_plan;
  Answers* answers;     // nullptr until the node has run
  const char* query;    // the text of the statement

  // What running the node costs, and whom: a list of palloc'd budget::Entry, one for each account. Looks up the accounts anew.
  budget::Amount cost() const { return gate->cost().times(core.sets()) + groups->cost(); }
  List* charges(std::int64_t release) const;
};

// The path that puts the node on top of a core's path. `order`: the path keys in which the node gives the groups, NIL where there
// are none.
Path* release_path(RelOptInfo* rel, Path* core_path, const Core& core, List* order);

// Makes the node known to the executor. Called once, from shared_preload_libraries.
void register_release_node();

}  // namespace dp::guard
