// What is known of a statement without asking: what EXPLAIN and dp.cost tell of its price.
//
// Which question a node asks may depend on answers of the same statement and on public subqueries. Where EXPLAIN may
// run them (inner/quiet.h) the statement is rehearsed: a second execution of the plan shows what was answered before,
// to nobody, and the nodes that are explained get what it compares with. In a rehearsal nothing is charged or written
// down, and no row is read. A node whose question stays unknown costs at most what asking anew does.
#pragma once

#include <utility>

#include "budget/ledger/ledger.h"
#include "guard/query/private_query.h"

namespace dp::guard {

struct ReleaseNode;

// While it lives, executions that begin are rehearsals.
class Rehearsal {
 public:
  Rehearsal() : outer_(std::exchange(running_, true)) {}
  ~Rehearsal() { running_ = outer_; }
  Rehearsal(const Rehearsal&) = delete;
  Rehearsal& operator=(const Rehearsal&) = delete;

  static bool is_running() { return running_; }

 private:
  static inline bool running_ = false;
  bool outer_;
};

// Whether an execution with these flags, which only explains or is a rehearsal, runs what stands beside the query.
bool may_foretell(const InnerQuery& inner_query, const EState* estate, int flags);

// What running the node charges as far as is known now: palloc'd budget::Entry, one for each account. A stored answer
// that a node before it makes as accurate costs nothing any more.
struct Foretold {
  List* charges;
  bool at_most;  // it may be less
};
Foretold foretold(const ReleaseNode* node);

// The same for the account of the role that asks.
budget::Amount price_in(const Foretold& foretold);

// Raises 40001: an answer that was foretold has gone.
[[noreturn]] void refuse_forgotten();

}  // namespace dp::guard
