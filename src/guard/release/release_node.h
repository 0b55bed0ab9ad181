// DpRelease, the plan node between rows and answers: it runs an inner query, which is a statement of its own with an
// executor of its own, and gives its answers.
//
// On its first fetch it charges the ledger, durably, and then runs the inner query once; from then on it gives the
// stored answers, sorted by group key, again and again if need be. A node that never runs costs nothing. Final
// functions below it work only while it runs, and it checks that they ran once for each charged aggregate and group.
#pragma once

#include "budget/ledger/ledger.h"
#include "guard/groups/groups.h"
#include "guard/query/private_query.h"
#include "guard/release/answer_store.h"
#include "guard/release/release_gate.h"
#include "guard/release/reuse.h"

namespace dp::guard {

class ErrorColumns;
class GroupCurves;
class RunningTotals;
struct Questions;

// The state of the node. It begins with PostgreSQL's, which allocates and frees it.
struct ReleaseNode {
  CustomScanState css;
  InnerQuery inner_query;
  QueryDesc* inner;     // the execution of the inner query; nullptr once it is over
  TupleDesc shape;      // of its rows
  AttrNumber* columns;  // for each aggregate of the gate, its column there
  ReleaseGate* gate;
  Groups* groups;
  budget::Cost price;                // what cost() was when it had started
  Oid* roles;                        // whose permissions hold for each of the inner query's protected tables
  bool watched;                      // somebody who sees messages or plans may not read a table
  bool by_group;                     // what answers_by_group() says, once the gate knows its aggregates
  bool lacks_limit, lacks_range;     // what is to be told with the first row (release/not_counted.h)
  bool foretold;                     // its execution is a rehearsal (foretold.h): nothing is charged or written down
  bool knows_rows;                   // the inner query's subqueries have been run by themselves, or there are none
  PublicRows* rows;                  // of these
  ParamListInfo values;              // of the inner query's parameters
  List* blocks;                      // for each protected table a List*, oid: what it is charged to (release_start.cpp)
  List* compared;                    // Const: the answers that its conditions compare with, once they are known
  Answers* answers;                  // nullptr until the node has run
  const ErrorColumns* errors;        // of answers that are drawn now; nullptr before the first one
  const char* query;                 // the text of the statement
  const budget::Question* question;  // where its answers are stored, or may be stored already; else nullptr
  const Questions* questions;        // that, and others whose answers would do; nullptr where there is none
  List* stored;                      // Reuse*: the stored answers that it can be answered from, as long as it runs
  const Reuse* reuse;                // where a stored answer serves; else nullptr, and rows are read
  TimestampTz made_at;               // just before they were charged, and read
  bool stored_answer;                // they are stored, as far as they are to be
  RunningTotals* totals;             // where running totals are published; else nullptr
  GroupCurves* curves;               // where groups are answered together for their totals; else nullptr

  // As it was planned: also when the inner query is over.
  const PrivateQuery* planned() const;

  // Whether it compares with answers of the same statement that were not asked yet (release_start.h).
  bool waits() const;

  // Whether running it charges nothing and reads no row, as far as is known now.
  bool costs_nothing() const;

  // Whether the inner query has one row, of which nothing is shown, and its aggregates know the answers of all groups.
  bool answers_by_group() const { return by_group; }

  // Without aggregates and chosen groups: which groups there are is public, so no row is read and nothing is charged.
  bool is_free() const { return price.zero(); }

  // What running the node costs where rows are read: of the gate and the groups as they are.
  budget::Cost cost() const;

  // What of it is for what was chosen privately: groups, and limits of units. Who has paid for it, and for an answer,
  // does not pay for it again with another level of the same.
  budget::Cost cost_of_choices() const;

  // What running it will charge, and whom: a list of palloc'd budget::Entry, one for each account. Looks up the
  // accounts anew.
  List* charges(std::int64_t release) const;

  // The same for entries of that kind: what each account pays, and each table.
  List* entries(const char* kind, const budget::Cost& account, const budget::Cost& table, std::int64_t release) const;

  // Whether one role's permissions hold for all protected tables, so that it pays for everything. Other answers are not
  // kept: who relaxes them would go on charging the accounts of those whose views it read, whatever it may read by
  // then.
  bool has_one_role() const;
};

// The order in which groups leave the node: keys first, ascending; then the grouping set.
GroupOrder order_of(const ReleaseNode* node, TupleDesc shape);

// Makes the node the only path of the table that stands for a private query (inner_plan.h). Number of rows, cost and
// order of groups are the same whatever the rows: what is planned above depends on them, and is shown.
void set_release_path(PlannerInfo* root, RelOptInfo* stand_in, struct PrivateQuery* query);

// Makes the node known to the executor. Called once, from shared_preload_libraries.
void register_release_node();

}  // namespace dp::guard
