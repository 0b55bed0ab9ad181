// What one execution of a statement with private queries will charge, and the release that it leaves.
//
// Before its first row a statement with several DpRelease nodes must fit the accounts as a whole; each node is charged
// when it runs, and what it answered is stored before a row leaves it. The release of several nodes is stored when the
// statement is over. The executor's hooks (hooks/executor_hooks.h) call this.
#pragma once

#include "guard/release/release_node.h"

namespace dp::guard {

// A node tells its execution that it is there. Called when the node is initialised.
void enlist(EState* estate, ReleaseNode* node);

// Whether any execution of this session has such nodes: otherwise there is nothing to do for any.
bool any_asks();

// The nodes of that execution, in the order of their beginning: a list of ReleaseNode*.
List* release_nodes(const EState* estate);

// At the start of an execution with these flags that only explains: finds out what its nodes compare with where that
// costs nothing (foretold.h), and which last answers they would show. Raises what running it would raise until then.
void foretell(const QueryDesc* query, int flags);

// Before rows are fetched: makes sure that nodes can be charged, and where there are several, raises DP001 unless they
// fit the accounts as a whole.
void admit_statement(const EState* estate);

// Charges a node, durably, and returns what was charged: ReleaseNode::charges(). The first one of an execution gives
// its release a number.
List* charge(ReleaseNode* node);

// What the node answered, and charged, is stored before a row leaves it. Nothing where it was not charged.
void store_answers_of(ReleaseNode* node);

// When the execution is finished, for the first time: stores what is not stored yet.
void store_statement(const EState* estate);

}  // namespace dp::guard
