#include "guard/release/release_node.h"

#include <algorithm>
#include <utility>

#include "aggregate/call/prepare_plan.h"
#include "budget/policy/publishing.h"
#include "budget/release/stored_numbers.h"
#include "guard/admission/collations.h"
#include "guard/admission/values.h"
#include "guard/inner/breaker.h"
#include "guard/inner/inner_run.h"
#include "guard/inner/other_owners.h"
#include "guard/inner/plan_check.h"
#include "guard/inner/public_rows_run.h"
#include "guard/inner/shards.h"
#include "guard/query/permissions.h"
#include "guard/query/plan_dependencies.h"
#include "guard/query/private_query.h"
#include "guard/query/settings.h"
#include "guard/query/silence.h"
#include "guard/relations/protected_tables.h"
#include "guard/release/error_columns.h"
#include "guard/release/foretold.h"
#include "guard/release/group_curves.h"
#include "guard/release/not_counted.h"
#include "guard/release/release_explain.h"
#include "guard/release/release_start.h"
#include "guard/release/running_totals.h"
#include "guard/release/shown_groups.h"
#include "guard/release/statement.h"
#include "guard/tree/columns.h"
#include "pg/errors.h"
#include "pg/joins.h"

namespace dp::guard {
namespace {

constexpr char kName[] = "DpRelease";

ReleaseNode* node_of(CustomScanState* state) { return reinterpret_cast<ReleaseNode*>(state); }

// ---- planning -------------------------------------------------------------------------------------------------------

Node* create_state(CustomScan* plan);

const CustomScanMethods kScanMethods{kName, create_state};

Plan* plan_path(PlannerInfo* root, RelOptInfo* stand_in, CustomPath* path, List* columns, List* conditions, List*) {
  if (conditions != NIL) elog(ERROR, "a condition came to stand below a private query");
  auto* const plan = makeNode(CustomScan);
  plan->scan.plan.targetlist = columns;
  const RangeTblEntry* const entry = planner_rt_fetch(stand_in->relid, root);
  const auto* const query = static_cast<PrivateQuery*>(linitial(path->custom_private));
  const List* const own = query->plan->planTree->targetlist;
  ListCell *type, *modifier, *collation, *name;
  forfour(type, entry->coltypes, modifier, entry->coltypmods, collation, entry->colcollations, name,
          entry->eref->colnames) {
    if (foreach_current_index(type) == list_length(own)) break;
    const auto number = static_cast<AttrNumber>(foreach_current_index(type) + 1);
    Var* const column = column_of_type(static_cast<int>(stand_in->relid), number, lfirst_oid(type),
                                       lfirst_int(modifier), lfirst_oid(collation));
    plan->custom_scan_tlist = lappend(
        plan->custom_scan_tlist, makeTargetEntry(reinterpret_cast<Expr*>(column), number, strVal(lfirst(name)), false));
  }
  plan->custom_exprs = list_copy_tail(static_cast<List*>(linitial(entry->values_lists)), list_length(own));
  plan->custom_private = path->custom_private;
  plan->flags = path->flags;
  plan->methods = &kScanMethods;
  return &plan->scan.plan;
}

const CustomPathMethods kPathMethods{kName, plan_path, nullptr};

// ---- running --------------------------------------------------------------------------------------------------------

void begin(CustomScanState* state, EState* estate, int flags) {
  ReleaseNode* const node = node_of(state);
  if (estate->es_epq_active != nullptr) return;  // a recheck of one updated row, in which the node cannot run
  const auto* const query =
      static_cast<PrivateQuery*>(linitial(castNode(CustomScan, state->ss.ps.plan)->custom_private));
  node->inner_query = query->inner_query;
  node->query = estate->es_sourceText;
  MemoryContext const outer = MemoryContextSwitchTo(estate->es_query_cxt);
  node->foretold = Rehearsal::is_running();
  const bool for_answers = (flags & EXEC_FLAG_EXPLAIN_ONLY) == 0 && !node->foretold;
  const bool runs = for_answers || may_foretell(node->inner_query, estate, flags);
  node->knows_rows = runs || node->inner_query.subqueries == NIL;
  // First: they may run functions of the asker's.
  if (node->inner_query.subqueries != NIL) node->rows = run_public_subqueries(node->inner_query, estate, runs);
  begin_release(node, flags);
  MemoryContextSwitchTo(outer);
  enlist(estate, node);
}

// The noisy integers of the row that was answered last, where they are stored with it.
noise::Int128View noisy_to_keep(const ReleaseNode* node) {
  return node->question == nullptr ? noise::Int128View{nullptr, 0} : node->gate->noisy();
}

// Of answers that are drawn now: not before the first one is there, by which limits are chosen that nobody has said.
const ErrorColumns& error_columns(ReleaseNode* node) {
  if (node->errors != nullptr) return *node->errors;
  MemoryContext const outer = MemoryContextSwitchTo(node->css.ss.ps.state->es_query_cxt);
  const int size = node->gate->size();
  node->errors = pg::entry([&] {
    auto* const answered = static_cast<AnsweredAs*>(palloc(sizeof(AnsweredAs) * static_cast<Size>(size + 1)));
    for (int i = 0; i < size; ++i) new (&answered[i]) AnsweredAs(answered_anew(*node, i));
    return new (palloc(sizeof(ErrorColumns))) ErrorColumns(*node, answered, integers_anew(*node));
  });
  MemoryContextSwitchTo(outer);
  return *node->errors;
}

// Puts the row that the gate has ended, and that is shown, among the answers; or among those that are drawn together.
void keep(ReleaseNode* node, Answers* answers, TupleTableSlot* row) {
  node->gate->keep_row();
  if (node->curves != nullptr) return node->curves->put(row);
  if (node->totals != nullptr) node->totals->show(row);
  if (node->inner_query.errors != NIL) error_columns(node).fill(row, node->gate->noisy().values);
  answers->put(row, node->gate->rows() - 1, noisy_to_keep(node));
}

// A node that runs.
struct Run {
  ReleaseNode* node;
  Answers* answers;
  bool free;
};

// Takes a row of the inner query. The number of rows of its group is not passed on.
void take(void* run, TupleTableSlot* row) {
  const auto [node, answers, free] = *static_cast<const Run*>(run);
  if (node->answers_by_group()) return;
  node->gate->end_row();
  // Keys are compared in memory that is freed for the next row: memory that grew with the number of groups would tell
  // it.
  ExprContext* const context = node->css.ss.ps.ps_ExprContext;
  ResetExprContext(context);
  MemoryContext const outer = MemoryContextSwitchTo(context->ecxt_per_tuple_memory);
  const bool passes = node->groups->lets_pass(row);
  MemoryContextSwitchTo(outer);
  if (!passes) return node->gate->drop_row();
  if (const int count = node->inner_query.count_column; count > 0) row->tts_isnull[count - 1] = true;
  keep(node, answers, row);
}

// Adds the groups of public keys that have no rows; and all groups where the aggregates know their answers.
void add_missing(ReleaseNode* node, Answers* answers) {
  if (!node->groups->adds_missing()) return;
  ExprContext* const context = node->css.ss.ps.ps_ExprContext;
  TupleTableSlot* const row = MakeSingleTupleTableSlot(node->shape, &TTSOpsVirtual);
  const ReleaseGate& gate = *node->gate;
  ExecStoreAllNullTuple(row);
  node->groups->visit_missing(row, [&](std::int64_t combination) {
    CHECK_FOR_INTERRUPTS();
    ResetExprContext(context);
    MemoryContext const outer = MemoryContextSwitchTo(context->ecxt_per_tuple_memory);
    for (int i = 0; i < gate.size(); ++i) {
      row->tts_values[node->columns[i] - 1] = aggregate::answer_to_group(gate.call(i), combination);
      row->tts_isnull[node->columns[i] - 1] = false;
    }
    MemoryContextSwitchTo(outer);
    node->gate->end_row();
    keep(node, answers, row);
  });
  ExecDropSingleTupleTableSlot(row);
}

void read_rows(void* run) {
  const auto [node, answers, free] = *static_cast<const Run*>(run);
  const bool elsewhere = !free && pg::reads_foreign(node->inner->plannedstmt);
  if (elsewhere) begin_scans(node->inner, node->watched);
  if (!free) run_inner_query(node->inner, take, run);
  if (elsewhere) read_to_end(node->inner, node->inner_query);
  add_missing(node, answers);
  node->lacks_limit = node->gate->lacks_limit();
  node->lacks_range = node->gate->lacks_range();
  // EXPLAIN ANALYZE still needs the plan's nodes.
  if (node->inner->instrument_options == 0) end_inner_query(std::exchange(node->inner, nullptr));
}

void run(void* opaque) {
  auto* const node = static_cast<ReleaseNode*>(opaque);
  EState* const estate = node->css.ss.ps.state;
  if (estate->es_epq_active != nullptr) {
    ereport(ERROR, (errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
                    errmsg("could not compute a private answer again for a row that was updated concurrently"),
                    errhint("Run the statement again, or compute the answer in a statement of its own first.")));
  }
  require_free_stack();
  if (node->reuse != nullptr && answer_again(node)) return;
  node->reuse = nullptr;
  const bool free = node->is_free();
  // Before the charge: what was made in a period was paid for in it.
  node->made_at = GetCurrentTimestamp();
  List* const charges = free ? NIL : charge(node);
  node->totals = free || budget::publishing() == nullptr ? nullptr : RunningTotals::of(node);
  // From here on the price is paid, whatever happens.
  MemoryContext const outer = MemoryContextSwitchTo(estate->es_query_cxt);
  auto* const answers = new (palloc(sizeof(Answers))) Answers(node->shape, order_of(node, node->shape));
  node->gate->open();
  Run running{node, answers, free};
  if (node->watched) {
    guarded(free ? node->charges(0) : charges, node->query, read_rows, &running);
  } else {
    read_rows(&running);
  }
  node->gate->close();
  if (node->curves != nullptr) node->curves->release(answers, node->question != nullptr);
  answers->finish();
  node->answers = answers;
  MemoryContextSwitchTo(outer);
}

TupleTableSlot* fetch(CustomScanState* state) {
  ReleaseNode* const node = node_of(state);
  ScanState& scan = state->ss;
  if (state->ss.ps.state->es_epq_active == nullptr) ask_first(node);
  if (node->answers == nullptr) {
    below_the_noise(node->watched, run, node);
    store_answers_of(node);
    if (node->lacks_limit) tell_lack_of_limit(node->inner_query);
    if (node->lacks_range) tell_lack_of_range(node->inner_query);
  }
  ResetExprContext(scan.ps.ps_ExprContext);
  TupleTableSlot* const shown = ExecClearTuple(scan.ss_ScanTupleSlot);
  TupleTableSlot* const row = node->answers->next(ScanDirectionIsForward(scan.ps.state->es_direction));
  if (TupIsNull(row)) return scan.ps.ps_ProjInfo == nullptr ? shown : ExecClearTuple(scan.ps.ps_ResultTupleSlot);
  const int columns = shown->tts_tupleDescriptor->natts;
  slot_getsomeattrs(row, columns);
  memcpy(shown->tts_values, row->tts_values, columns * sizeof(Datum));
  memcpy(shown->tts_isnull, row->tts_isnull, columns * sizeof(bool));
  ExecStoreVirtualTuple(shown);
  if (scan.ps.ps_ProjInfo == nullptr) return shown;
  scan.ps.ps_ExprContext->ecxt_scantuple = shown;
  return ExecProject(scan.ps.ps_ProjInfo);
}

void end(CustomScanState* state) {
  ReleaseNode* const node = node_of(state);
  if (node->answers != nullptr) node->answers->end();
  if (node->gate != nullptr) node->gate->end();
  if (node->inner != nullptr) end_inner(node);
  if (node->rows != nullptr) end_public_rows(node->rows, node->inner_query);
}

void rescan(CustomScanState* state) {
  ReleaseNode* const node = node_of(state);
  if (state->ss.ps.chgParam != nullptr) {
    ereport(ERROR,
            (errcode(pg::kNotAdmissible), errmsg("a private query cannot be asked anew for each row of another one"),
             errhint("Ask once with GROUP BY, and join the answers.")));
  }
  if (node->answers != nullptr) node->answers->rewind();
}

void explain(CustomScanState* state, List*, ExplainState* es) { explain_release(node_of(state), es); }

constexpr CustomExecMethods kExecMethods = [] {
  CustomExecMethods methods{};
  methods.CustomName = kName;
  methods.BeginCustomScan = begin;
  methods.ExecCustomScan = fetch;
  methods.EndCustomScan = end;
  methods.ReScanCustomScan = rescan;
  methods.ExplainCustomScan = explain;
  return methods;
}();

Node* create_state(CustomScan*) {
  auto* const node = static_cast<ReleaseNode*>(palloc0(sizeof(ReleaseNode)));
  NodeSetTag(node, T_CustomScanState);
  node->css.methods = &kExecMethods;
  return reinterpret_cast<Node*>(node);
}

bool is_charged(List* charges, const budget::Payer& payer) {
  ListCell* cell;
  foreach (cell, charges) {
    const budget::Payer& other = static_cast<const budget::Entry*>(lfirst(cell))->payer;
    if (other.relation == payer.relation && other.account == payer.account) return true;
  }
  return false;
}

}  // namespace

GroupOrder order_of(const ReleaseNode* node, TupleDesc shape) {
  const int keys = list_length(node->inner_query.keys);
  GroupOrder order{keys + (node->inner_query.set_column > 0), nullptr, nullptr, nullptr};
  order.numbers = static_cast<AttrNumber*>(palloc0(order.columns * sizeof(AttrNumber) + 1));
  order.operators = static_cast<Oid*>(palloc0(order.columns * sizeof(Oid) + 1));
  order.collations = static_cast<Oid*>(palloc0(order.columns * sizeof(Oid) + 1));
  for (int i = 0; i < order.columns; ++i) {
    const int number = i < keys ? i + 1 : node->inner_query.set_column;
    const Form_pg_attribute column = TupleDescAttr(shape, number - 1);
    order.numbers[i] = static_cast<AttrNumber>(number);
    order.operators[i] = lookup_type_cache(column->atttypid, TYPECACHE_LT_OPR)->lt_opr;
    order.collations[i] = column->attcollation;
  }
  return order;
}

const PrivateQuery* ReleaseNode::planned() const {
  return static_cast<const PrivateQuery*>(linitial(castNode(CustomScan, css.ss.ps.plan)->custom_private));
}

bool ReleaseNode::waits() const { return compared == NIL && castNode(CustomScan, css.ss.ps.plan)->custom_exprs != NIL; }

bool ReleaseNode::costs_nothing() const {
  if (waits()) return false;
  if (is_free()) return true;
  return reuse != nullptr && (reuse->way == Reuse::Way::again || reuse->way == Reuse::Way::last);
}

// Each table is charged once. Where one table is read as several roles (through a view and beside it), each of their
// accounts is.
List* ReleaseNode::entries(const char* kind, const budget::Cost& account, const budget::Cost& whole,
                           std::int64_t release) const {
  List* charged = NIL;  // oid
  List* charges = NIL;
  const budget::Publishing* const published = budget::publishing();
  const char* const text = published == nullptr ? query : psprintf("%s%s", budget::mark_of(*published), query);
  for (int i = 0; i < inner_query.protected_tables(); ++i) {
    const ProtectedTable table = inner_query.protected_table(i);
    const CurrentPrice price = current_price(inner_query, i);
    const budget::Payer payer = budget::payer_of(table.relation, roles[i]);
    const bool again = list_member_oid(charged, table.relation);
    if (again && (!OidIsValid(payer.account) || is_charged(charges, payer))) continue;
    charged = lappend_oid(charged, table.relation);
    const budget::Cost of_table = again ? budget::Cost{} : whole;
    ListCell* block;
    foreach (block, static_cast<List*>(list_nth(blocks, i))) {
      auto* const entry =
          new (palloc(sizeof(budget::Entry))) budget::Entry{payer, kind, account, of_table, release, text, price.limit};
      if (lfirst_oid(block) != table.relation) entry->payer.block = lfirst_oid(block);
      charges = lappend(charges, entry);
    }
  }
  return charges;
}

budget::Cost ReleaseNode::cost() const { return gate->cost().times(inner_query.sets()) + cost_of_choices(); }

budget::Cost ReleaseNode::cost_of_choices() const { return groups->cost() + gate->cost_of_limits(); }

List* ReleaseNode::charges(std::int64_t release) const {
  if (reuse != nullptr) return charges_of_reuse(*this);
  return entries(budget::publishing() == nullptr ? "query" : "publish", price, price, release);
}

// Ascending by each key, in its type's default order.
static List* order_of_keys(PlannerInfo* root, const RelOptInfo* stand_in, const InnerQuery& inner_query) {
  const RangeTblEntry* const entry = planner_rt_fetch(stand_in->relid, root);
  List* order = NIL;
  ListCell* cell;
  foreach (cell, inner_query.keys) {
    const int i = foreach_current_index(cell);
    const auto& key = *static_cast<const GroupKey*>(lfirst(cell));
    // One that is shown as another type than it is sorted as (citext) is in the order of none.
    if (list_nth_oid(entry->coltypes, i) != key.type) break;
    Var* const column = column_of_type(static_cast<int>(stand_in->relid), i + 1, key.type,
                                       list_nth_int(entry->coltypmods, i), key.collation);
    const Oid less = lookup_type_cache(key.type, TYPECACHE_LT_OPR)->lt_opr;
    order = list_concat(order, pg::pathkey_of(root, reinterpret_cast<Expr*>(column), less, stand_in->relids));
  }
  return order;
}

void set_release_path(PlannerInfo* root, RelOptInfo* stand_in, PrivateQuery* query) {
  constexpr double kGroups = 100;
  const InnerQuery& inner_query = query->inner_query;
  stand_in->rows = inner_query.keys == NIL ? 1 : kGroups;
  stand_in->consider_parallel = false;
  stand_in->partial_pathlist = NIL;
  auto* const path = makeNode(CustomPath);
  path->path.pathtype = T_CustomScan;
  path->path.parent = stand_in;
  path->path.pathtarget = stand_in->reltarget;
  path->path.rows = stand_in->rows;
  path->path.startup_cost = kGroups;
  path->path.total_cost = kGroups + path->path.rows * cpu_tuple_cost;
  // With several grouping sets the order of the groups is none that pathkeys can express.
  if (inner_query.set_column == 0) path->path.pathkeys = order_of_keys(root, stand_in, inner_query);
  path->flags = CUSTOMPATH_SUPPORT_BACKWARD_SCAN | CUSTOMPATH_SUPPORT_PROJECTION;
  path->custom_private = list_make1(query);
  path->methods = &kPathMethods;
  stand_in->pathlist = list_make1(path);
}

void register_release_node() {
  RegisterCustomScanMethods(&kScanMethods);
  register_private_query();
}

}  // namespace dp::guard
