#include "guard/release/statement.h"

#include <span>
#include <utility>

#include "budget/catalog/durable.h"
#include "budget/catalog/frozen_rows.h"
#include "budget/policy/publishing.h"
#include "budget/release/forget_beside.h"
#include "budget/release/last_release.h"
#include "budget/release/stored_numbers.h"
#include "guard/inner/other_owners.h"
#include "guard/query/permissions.h"
#include "guard/query/settings.h"
#include "guard/release/foretold.h"
#include "guard/release/not_counted.h"
#include "guard/release/published.h"
#include "guard/release/release_start.h"
#include "guard/release/release_writer.h"
#include "guard/rewrite/rounded_now.h"
#include "pg/errors.h"
#include "pg/execution.h"
#include "pg/uncounted.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// One execution with DpRelease nodes. It lives in the query's memory and is unlinked when that memory is freed, also
// after an error.
struct Execution {
  EState* estate;
  Execution* next;
  List* nodes;           // of ReleaseNode*
  List* drawn;           // those of them that were charged, in that order
  bool admitted;         // the statement as a whole fits the accounts
  std::int64_t release;  // its number, 0 where it has none
  bool released;         // that is stored, or there is none
  bool finished;
  MemoryContextCallback at_end;
};

Execution* executions = nullptr;

Execution* find(const EState* estate) {
  Execution* execution = executions;
  while (execution != nullptr && execution->estate != estate) execution = execution->next;
  return execution;
}

void remove_execution(void* gone) {
  Execution** link = &executions;
  while (*link != nullptr && *link != gone) link = &(*link)->next;
  if (*link != nullptr) *link = (*link)->next;
}

ReleaseNode* node_at(const Execution* execution, int i) {
  return static_cast<ReleaseNode*>(list_nth(execution->nodes, i));
}

template <class Is>
bool any_node(const Execution* execution, Is is) {
  for (int i = 0; i < list_length(execution->nodes); ++i) {
    if (is(*node_at(execution, i))) return true;
  }
  return false;
}

// A single node that is answered anew is its whole statement: what it asks is tested when it is charged.
bool is_tested_when_charged(const Execution* execution) {
  int paying = 0;
  for (int i = 0; i < list_length(execution->nodes); ++i) {
    const ReleaseNode* const node = node_at(execution, i);
    if (node->reuse != nullptr) return false;
    paying += node->is_free() ? 0 : 1;
  }
  return paying <= 1;
}

std::span<const budget::Entry> charges_of(const Execution* execution) {
  List* charges = NIL;
  for (int i = 0; i < list_length(execution->nodes); ++i) {
    ReleaseNode* const node = node_at(execution, i);
    if (!node->is_free()) charges = list_concat(charges, foretold(node).charges);
  }
  return budget::entries_of(charges);
}

// Whether an answer that is still to be paid is drawn where that part of the plan runs.
bool draws_paid_answer(PlanState* part, void* context) {
  if (part == nullptr) return false;
  const auto* const execution = static_cast<const Execution*>(context);
  for (int i = 0; i < list_length(execution->nodes); ++i) {
    ReleaseNode* const node = node_at(execution, i);
    if (&node->css.ss.ps == part) return !node->costs_nothing() || !node->knows_rows;
  }
  if (IsA(part, CteScanState) && draws_paid_answer(castNode(CteScanState, part)->cteplanstate, context)) return true;
  return pg::walk_plan(part, draws_paid_answer, context);
}

struct Waiting {
  const Execution* execution;
  const ReleaseNode* node;
};

// The same of what is compared with: values that parts of the plan give when they are asked for first.
bool compares_with_paid_answer(Node* expression, void* context) {
  if (expression == nullptr) return false;
  if (!IsA(expression, Param) || castNode(Param, expression)->paramkind != PARAM_EXEC)
    return pg::walk(expression, compares_with_paid_answer, context);
  const auto* const waiting = static_cast<const Waiting*>(context);
  const ParamExecData* const values = waiting->node->css.ss.ps.ps_ExprContext->ecxt_param_exec_vals;
  const auto* const part = static_cast<SubPlanState*>(values[castNode(Param, expression)->paramid].execPlan);
  return part != nullptr && draws_paid_answer(part->planstate, const_cast<Execution*>(waiting->execution));
}

// What compares with answers that cost nothing gets them, so that it is known whether it was asked before. Those that
// it waits for come before it. True where a node waits no longer.
bool ask_free_answers(const Execution* execution) {
  bool asked = false;
  for (int i = 0; i < list_length(execution->nodes); ++i) {
    ReleaseNode* const node = node_at(execution, i);
    Waiting waiting{execution, node};
    auto* const compared = reinterpret_cast<Node*>(castNode(CustomScan, node->css.ss.ps.plan)->custom_exprs);
    if (!node->waits() || compares_with_paid_answer(compared, &waiting)) continue;
    if (node->foretold && !node->inner_query.quiet) continue;
    pg::call([node] { ask_first(node); });
    asked = true;
  }
  return asked;
}

List* asked_nodes(const Execution* execution) {
  List* asked = NIL;
  for (int i = 0; i < list_length(execution->nodes); ++i) {
    if (!node_at(execution, i)->waits()) asked = lappend(asked, node_at(execution, i));
  }
  return asked;
}

void show_last(const Execution* execution) {
  while (shows_last_answers() && budget::is_exhausted(charges_of(execution))) {
    if (!show_last_answers(asked_nodes(execution)) || !ask_free_answers(execution)) break;
  }
}

// Once in a session: what is charged now is charged at each refresh, though answers are stored.
void tell_of_clock(const ReleaseNode& node) {
  static bool told = false;
  const bool pays = node.question != nullptr && node.reuse == nullptr && !node.is_free();
  if (told || !pays || !follow_clock(node.inner_query.parameters)) return;
  told = true;
  const char* const role = quote_identifier(GetUserNameFromId(GetUserId(), false));
  ereport(NOTICE,
          (errmsg("now() makes this another question, and another charge, each time it is asked"),
           errdetail("Answers are stored, and shown again to the same question alone."),
           errhint("Write date_trunc('day', now()), which is the same all day; or ask a superuser to round now() "
                   "down: ALTER ROLE %s SET dp.now_rounding = '1 day';",
                   role)));
}

// What is published is tested question by question: some of it may be paid already.
void admit(Execution* execution) {
  show_last(execution);
  if (!is_tested_when_charged(execution) && budget::publishing() == nullptr)
    budget::require_room(charges_of(execution));
  warn_of_last_answers(execution->nodes);
  for (int i = 0; i < list_length(execution->nodes); ++i) tell_of_clock(*node_at(execution, i));
  execution->admitted = true;
}

// Gives the nodes what those of the rehearsal compare with, as far as that could be known.
void take_over(const Execution* execution, const Execution* rehearsed) {
  if (list_length(execution->nodes) != list_length(rehearsed->nodes)) return;
  for (int i = 0; i < list_length(execution->nodes); ++i) {
    ReleaseNode* const node = node_at(execution, i);
    List* const compared = node_at(rehearsed, i)->compared;
    if (node->waits() && compared != NIL) start_with(node, static_cast<List*>(copyObjectImpl(compared)));
  }
}

// It is started and not run: it has no triggers to fire, and nothing that is left of it may run at its end.
void rehearse(const QueryDesc* query, const Execution* execution) {
  QueryDesc* const again =
      CreateQueryDesc(query->plannedstmt, query->sourceText, query->snapshot, query->crosscheck_snapshot, None_Receiver,
                      query->params, query->queryEnv, 0);
  {
    const Rehearsal rehearsal;
    pg::call([again] { ExecutorStart(again, EXEC_FLAG_SKIP_TRIGGERS); });
  }
  const Execution* const rehearsed = find(again->estate);
  ask_free_answers(rehearsed);
  pg::call([=] {
    show_last(rehearsed);
    take_over(execution, rehearsed);
    again->estate->es_finished = true;
    ExecutorEnd(again);
    FreeQueryDesc(again);
  });
}

// Nothing of it is still to be charged.
bool has_run(const Execution* execution) {
  return !any_node(execution, [](const ReleaseNode& node) { return node.answers == nullptr && !node.is_free(); });
}

// All that it asks was answered before: nothing is charged and nothing has to be written.
bool shows_again_alone(const Execution* execution) {
  return !any_node(execution, [](const ReleaseNode& node) {
    return !node.is_free() && (node.reuse == nullptr || node.reuse->way != Reuse::Way::again);
  });
}

// Whether it answers with numbers, and not with groups alone.
bool has_numbers(const ReleaseNode* node) { return node->inner_query.aggregates != NIL; }

// How many nodes are answered with numbers anew, as far as is known now.
int paying(const Execution* execution) {
  int paying = 0;
  for (int i = 0; i < list_length(execution->nodes); ++i) {
    const ReleaseNode* const node = node_at(execution, i);
    paying += has_numbers(node) && !node->is_free() && node->reuse == nullptr;
  }
  return paying;
}

// The drawn ones whose numbers are the parts of the release.
List* parts_of(const Execution* execution) {
  List* parts = NIL;
  ListCell* cell;
  foreach (cell, execution->drawn) {
    if (has_numbers(static_cast<ReleaseNode*>(lfirst(cell)))) parts = lappend(parts, lfirst(cell));
  }
  return parts;
}

// What the lists of groups cost that the others were asked of: who is shown their numbers knows these groups.
budget::Amount cost_of_lists(const Execution* execution) {
  budget::Amount cost{};
  for (int i = 0; i < list_length(execution->nodes); ++i) {
    const ReleaseNode* const node = node_at(execution, i);
    if (!has_numbers(node)) cost += node->cost_of_choices();
  }
  return cost;
}

// A statement with more draws than dp.keep_releases allows leaves no release at all, rather than a part of one.
void store_release_of(Execution* execution) {
  execution->released = true;
  List* const parts = parts_of(execution);
  if (execution->release == 0 || parts == NIL) return;
  std::int64_t numbers = 0;
  ListCell* cell;
  foreach (cell, parts) {
    const ReleaseNode* const node = static_cast<ReleaseNode*>(lfirst(cell));
    if (node->answers == nullptr || !node->gate->keeps()) return;
    numbers += node->gate->rows() * node->gate->draws_per_row();
  }
  const Oid role = static_cast<ReleaseNode*>(linitial(parts))->roles[0];
  if (numbers > budget::room_for_numbers(role)) return;
  if (!store_release(parts, cost_of_lists(execution), execution->release)) return;
  budget::set_last_release(execution->release);
  budget::forget_beside();
}

int place_among(const List* nodes, const ReleaseNode* node) {
  int place = 0;
  while (list_nth(nodes, place) != node) ++place;
  return place;
}

// The answer of a node that was drawn; with the release in which it is, or will be.
void store_answer(const Execution* execution, ReleaseNode* node) {
  if (std::exchange(node->stored_answer, true)) return;
  if (node->gate->keeps()) {
    store_answer_of(node, execution->release, place_among(parts_of(execution), node));
  } else {
    store_answer_of(node, 0, 0);
  }
}

// What was paid stays, whatever becomes of the statement above it: a cursor that is not read to its end, an error, a
// ROLLBACK. A release of several parts is stored as a whole, when the statement ends.
void store_drawn(Execution* execution, ReleaseNode* node) {
  if (budget::publishing() != nullptr) return store_published(node);
  if (paying(execution) == 1 && has_numbers(node)) store_release_of(execution);
  store_answer(execution, node);
}

// Whether nothing is left to store: nodes that did not run have no answers, what is shown again is there.
bool is_stored(const Execution* execution) {
  ListCell* cell;
  foreach (cell, execution->drawn) {
    if (!static_cast<const ReleaseNode*>(lfirst(cell))->stored_answer) return false;
  }
  return execution->released || execution->drawn == NIL;
}

// Writes rows that nobody counts.
template <class Work>
void writing(const EState* estate, Work work) {
  MemoryContext const memory = AllocSetContextCreate(estate->es_query_cxt, "DpRelease", ALLOCSET_DEFAULT_SIZES);
  MemoryContext const outer = MemoryContextSwitchTo(memory);
  pg::entry([&] {
    const pg::Uncounted uncounted(true);
    budget::OpenTables tables;
    pg::call([&] {
      work();
      tables.close();
    });
  });
  MemoryContextSwitchTo(outer);
  MemoryContextDelete(memory);
}

// Where rows of other owners are read it is charged on their servers first; and not even there, where it is known to be
// refused here.
std::int64_t append_charges(const ReleaseNode& node, List* charges) {
  List* const elsewhere = charges_elsewhere(node.inner, node.inner_query);
  if (elsewhere == NIL) return budget::append(budget::entries_of(charges));
  budget::require_room(budget::entries_of(charges));
  const char* const question = charge_elsewhere(elsewhere, node.price, node.query, node.watched);
  ListCell* cell;
  foreach (cell, charges) static_cast<budget::Entry*>(lfirst(cell))->query = numbered(node.query, question);
  std::int64_t release = 0;
  charge_here(elsewhere, question, [&] { release = budget::append(budget::entries_of(charges)); });
  return release;
}

}  // namespace

void enlist(EState* estate, ReleaseNode* node) {
  MemoryContext const outer = MemoryContextSwitchTo(estate->es_query_cxt);
  Execution* execution = find(estate);
  if (execution == nullptr) {
    execution = static_cast<Execution*>(palloc0(sizeof(Execution)));
    execution->estate = estate;
    execution->next = executions;
    execution->at_end = {remove_execution, execution, nullptr};
    MemoryContextRegisterResetCallback(estate->es_query_cxt, &execution->at_end);
    executions = execution;
  }
  execution->nodes = lappend(execution->nodes, node);
  MemoryContextSwitchTo(outer);
}

bool any_asks() { return executions != nullptr; }

List* release_nodes(const EState* estate) {
  const Execution* const execution = find(estate);
  return execution == nullptr ? NIL : execution->nodes;
}

void foretell(const QueryDesc* query, int flags) {
  const Execution* const execution = find(query->estate);
  if (execution == nullptr) return;
  MemoryContext const outer = MemoryContextSwitchTo(query->estate->es_query_cxt);
  const bool waits = any_node(execution, [](const ReleaseNode& node) { return node.waits(); });
  if (waits && pg::is_given_parameters(flags) && !is_asked_as_another(query->plannedstmt)) rehearse(query, execution);
  show_last(execution);
  MemoryContextSwitchTo(outer);
}

void admit_statement(const EState* estate) {
  Execution* const execution = find(estate);
  if (execution == nullptr || has_run(execution)) return;
  if (!execution->admitted) ask_free_answers(execution);
  // At each fetch: a savepoint since the last one needs a transaction id of its own, and inside a parallel plan none
  // can be assigned. A standby, where nothing can be charged, shows what its primary has answered.
  if (!RecoveryInProgress() || !shows_again_alone(execution)) budget::prepare_to_charge();
  if (execution->admitted) return;
  admit(execution);
  ListCell* cell;
  foreach (cell, execution->nodes) tell_not_counted(static_cast<const ReleaseNode*>(lfirst(cell))->inner_query);
}

List* charge(ReleaseNode* node) {
  Execution* const execution = find(node->css.ss.ps.state);
  if (node->foretold) refuse_forgotten();
  budget::prepare_to_charge();  // on a standby, where a stored answer was to be shown and has gone
  std::int64_t release = execution->release;
  if (release == 0 && node->gate->keeps()) release = budget::kNewRelease;
  budget::set_last_release(0);  // whatever becomes of the statement
  List* const charges = node->charges(release);
  if (budget::publishing() != nullptr) {
    pay_published(*node, list_length(execution->nodes), charges);
  } else {
    const budget::FrozenWrites charged;
    execution->release = append_charges(*node, charges);
    charged.flush({"charged", "Nothing was answered. Ask again when the standby is there; that is charged again."});
  }
  MemoryContext const outer = MemoryContextSwitchTo(node->css.ss.ps.state->es_query_cxt);
  execution->drawn = lappend(execution->drawn, node);
  MemoryContextSwitchTo(outer);
  return charges;
}

void store_answers_of(ReleaseNode* node) {
  EState* const estate = node->css.ss.ps.state;
  Execution* const execution = find(estate);
  // Inside a parallel operation at the end of the statement.
  if (IsInParallelMode() || !list_member_ptr(execution->drawn, node)) return;
  writing(estate, [=] { store_drawn(execution, node); });
  node->answers->rewind();
}

void store_statement(const EState* estate) {
  Execution* const execution = find(estate);
  if (execution == nullptr || std::exchange(execution->finished, true)) return;
  // Writing these rows needs a new command number, which a surrounding parallel operation does not allow.
  if (IsInParallelMode() || is_stored(execution)) return;
  writing(estate, [execution] {
    if (!execution->released) store_release_of(execution);
    ListCell* cell;
    foreach (cell, execution->drawn) store_answer(execution, static_cast<ReleaseNode*>(lfirst(cell)));
  });
}

}  // namespace dp::guard
