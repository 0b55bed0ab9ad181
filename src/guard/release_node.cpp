#include "guard/release_node.h"

#include "aggregate/start_sql.h"
#include "guard/breaker.h"
#include "guard/core_tables.h"
#include "guard/execution.h"
#include "guard/fence.h"
#include "guard/settings.h"
#include "pg/errors.h"

namespace dp::guard {
namespace {

constexpr char kName[] = "DpRelease";

ReleaseNode* node_of(CustomScanState* state) { return reinterpret_cast<ReleaseNode*>(state); }

// ---- planning -------------------------------------------------------------------------------------------------------

Node* create_state(CustomScan* plan);

const CustomScanMethods kScanMethods{kName, create_state};

Plan* plan_path(PlannerInfo*, RelOptInfo*, CustomPath* path, List* columns, List*, List* plans) {
  auto* const plan = makeNode(CustomScan);
  plan->scan.plan.targetlist = columns;
  plan->custom_plans = plans;
  plan->custom_scan_tlist = static_cast<List*>(copyObjectImpl(static_cast<Plan*>(linitial(plans))->targetlist));
  // Not in custom_exprs: there an expression that is a key as well would become a reference to it.
  plan->custom_private = path->custom_private;
  plan->flags = path->flags;
  plan->methods = &kScanMethods;
  return &plan->scan.plan;
}

const CustomPathMethods kPathMethods{kName, plan_path, nullptr};

// ---- running --------------------------------------------------------------------------------------------------------

const budget::Protection& first_protection(const Core& core) {
  return *static_cast<const budget::Protection*>(linitial(current_protections(core)));
}

// Relaxing charges one account of one table; a release of several is not kept.
std::int64_t draws_to_keep(const ReleaseNode* node) {
  for (int i = 1; i < node->core.protected_tables(); ++i) {
    if (node->core.protected_table(i).relation != node->core.first.relation || node->roles[i] != node->roles[0]) return 0;
  }
  return kept_draws();
}

void begin(CustomScanState* state, EState* estate, int flags) {
  ReleaseNode* const node = node_of(state);
  auto* const plan = castNode(CustomScan, state->ss.ps.plan);
  node->core = Core::from_nodes(static_cast<List*>(linitial(plan->custom_private)));
  node->sorted = boolVal(lsecond(plan->custom_private));
  const int tables = node->core.protected_tables();
  node->roles = static_cast<Oid*>(palloc(sizeof(Oid) * static_cast<Size>(tables)));
  for (int i = 0; i < tables; ++i) {
    const ProtectedTable table = node->core.protected_table(i);
    node->roles[i] = asking_role(table.subject, estate->es_plannedstmt);
    node->fenced = node->fenced || is_watched(table.table, node->roles[i]);
  }
  node->query = estate->es_sourceText;
  constexpr int kOurs = EXEC_FLAG_REWIND | EXEC_FLAG_BACKWARD | EXEC_FLAG_MARK;  // the stored answers can do that
  node->core_plan = ExecInitNode(static_cast<Plan*>(linitial(plan->custom_plans)), estate, flags & ~kOurs);
  state->custom_ps = list_make1(node->core_plan);
  pg::entry([&] {
    MemoryContext const outer = MemoryContextSwitchTo(estate->es_query_cxt);
    node->gate = new (palloc(sizeof(ReleaseGate))) ReleaseGate(&node->core, draws_to_keep(node));
    aggregate::prepare_below(node->core_plan, node->gate);
    node->groups = new (palloc(sizeof(Groups))) Groups(node->core, first_protection(node->core).selection);
    MemoryContextSwitchTo(outer);
  });
  if (node->gate->size() != list_length(node->core.aggregates)) {
    elog(ERROR, "a private query has %d aggregates, its plan %d", list_length(node->core.aggregates), node->gate->size());
  }
  enlist(estate, node);
}

// Keys first, ascending; then the grouping set.
GroupOrder order_of(const ReleaseNode* node, TupleDesc shape) {
  const int keys = list_length(node->core.keys);
  GroupOrder order{keys + (node->core.set_column > 0), nullptr, nullptr, nullptr};
  order.numbers = static_cast<AttrNumber*>(palloc0(order.columns * sizeof(AttrNumber) + 1));
  order.operators = static_cast<Oid*>(palloc0(order.columns * sizeof(Oid) + 1));
  order.collations = static_cast<Oid*>(palloc0(order.columns * sizeof(Oid) + 1));
  for (int i = 0; i < order.columns; ++i) {
    const int number = i < keys ? i + 1 : node->core.set_column;
    const Form_pg_attribute column = TupleDescAttr(shape, number - 1);
    order.numbers[i] = static_cast<AttrNumber>(number);
    order.operators[i] = lookup_type_cache(column->atttypid, TYPECACHE_LT_OPR)->lt_opr;
    order.collations[i] = column->attcollation;
  }
  return order;
}

// Their errors come now, whether a row would have got there or not.
void evaluate_constants(ReleaseNode* node) {
  ExprContext* const context = node->css.ss.ps.ps_ExprContext;
  ListCell* cell;
  auto* const constants = static_cast<List*>(lthird(castNode(CustomScan, node->css.ss.ps.plan)->custom_private));
  foreach (cell, ExecInitExprList(constants, &node->css.ss.ps)) {
    bool is_null;
    ExecEvalExprSwitchContext(static_cast<ExprState*>(lfirst(cell)), context, &is_null);
  }
  ResetExprContext(context);
}

// The core's rows, once. How many rows a group has stays here.
void drain(ReleaseNode* node, Answers* answers) {
  const int count = node->core.count_column;
  for (;;) {
    TupleTableSlot* const row = ExecProcNode(node->core_plan);
    if (TupIsNull(row)) return;
    node->gate->end_row();
    if (!node->groups->lets_pass(row)) {
      node->gate->drop_row();
      continue;
    }
    node->gate->keep_row();
    if (count > 0) row->tts_isnull[count - 1] = true;
    answers->put(row, node->gate->rows() - 1);
  }
}

// The column of the core in which an aggregate stands.
int column_of(const ReleaseNode* node, const aggregate::Call& call) {
  ListCell* cell;
  foreach (cell, node->core_plan->plan->targetlist) {
    const auto* const entry = static_cast<TargetEntry*>(lfirst(cell));
    if (IsA(entry->expr, Aggref) && castNode(Aggref, entry->expr)->aggno == call.column) return entry->resno;
  }
  elog(ERROR, "an aggregate of a private query is missing in its plan");
  pg_unreachable();
}

// Groups of public keys that no row fell into.
void add_missing(ReleaseNode* node, Answers* answers) {
  if (!node->groups->adds_missing()) return;
  ExprContext* const context = node->css.ss.ps.ps_ExprContext;
  TupleTableSlot* const row = MakeSingleTupleTableSlot(ExecGetResultType(node->core_plan), &TTSOpsVirtual);
  const ReleaseGate& gate = *node->gate;
  auto* const columns = static_cast<int*>(palloc(sizeof(int) * (gate.size() + 1)));
  for (int i = 0; i < gate.size(); ++i) columns[i] = column_of(node, gate.call(i));
  ExecStoreAllNullTuple(row);
  node->groups->visit_missing(row, [&] {
    CHECK_FOR_INTERRUPTS();
    ResetExprContext(context);
    MemoryContext const outer = MemoryContextSwitchTo(context->ecxt_per_tuple_memory);
    for (int i = 0; i < gate.size(); ++i) {
      row->tts_values[columns[i] - 1] = aggregate::answer_to_no_rows(gate.call(i));
      row->tts_isnull[columns[i] - 1] = false;
    }
    MemoryContextSwitchTo(outer);
    node->gate->end_row();
    node->gate->keep_row();
    answers->put(row, gate.rows() - 1);
  });
  ExecDropSingleTupleTableSlot(row);
}

void run(ReleaseNode* node) {
  EState* const estate = node->css.ss.ps.state;
  if (estate->es_epq_active != nullptr) {
    ereport(ERROR, (errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
                    errmsg("could not compute a private answer again for a row that was updated concurrently"),
                    errhint("Run the statement again, or compute the answer in a statement of its own first.")));
  }
  evaluate_constants(node);
  charge(node);
  // From here on the price is paid, whatever happens.
  MemoryContext const outer = MemoryContextSwitchTo(estate->es_query_cxt);
  const TupleDesc shape = ExecGetResultType(node->core_plan);
  const bool sorted = node->sorted && !node->groups->adds_missing();
  auto* const answers = new (palloc(sizeof(Answers))) Answers(shape, order_of(node, shape), sorted);
  MemoryContextSwitchTo(outer);
  node->gate->open();
  guarded(node->charges(0), node->query, [=] {
    drain(node, answers);
    add_missing(node, answers);
  });
  node->gate->close();
  answers->finish();
  node->answers = answers;
}

TupleTableSlot* fetch(CustomScanState* state) {
  ReleaseNode* const node = node_of(state);
  ScanState& scan = state->ss;
  if (node->answers == nullptr) pg::entry([node] { run(node); });
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
  node->gate->end();
  ExecEndNode(node->core_plan);
}

void rescan(CustomScanState* state) {
  ReleaseNode* const node = node_of(state);
  if (state->ss.ps.chgParam != nullptr) {
    ereport(ERROR, (errcode(pg::kNotAdmissible), errmsg("a private query cannot be asked anew for each row of another one"),
                    errhint("Ask once with GROUP BY, and join the answers.")));
  }
  if (node->answers != nullptr) node->answers->rewind();
}

void explain(CustomScanState* state, List*, ExplainState* es) {
  ReleaseNode* const node = node_of(state);
  const budget::Amount cost = pg::entry([node] { return node->cost(); });
  StringInfoData tables;
  initStringInfo(&tables);
  for (int i = 0; i < node->core.protected_tables(); ++i) {
    appendStringInfo(&tables, "%s%s", i > 0 ? ", " : "", get_rel_name(node->core.protected_table(i).relation));
  }
  ExplainPropertyText("Protected Table", tables.data, es);
  if (node->core.unit_text != nullptr) ExplainPropertyText("Privacy Unit", node->core.unit_text, es);
  ExplainPropertyText("Epsilon", budget::epsilon_decimal(cost.epsilon).text, es);
  if (cost.delta > 0) ExplainPropertyText("Delta", budget::delta_decimal(cost.delta).text, es);
  // What stands below tells of the rows: of their number, and of the values that conditions look for.
  if (node->fenced) state->custom_ps = NIL;
}

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

// A table is charged once; of the accounts each, also where one table is read as several roles, as through a view and beside it.
List* ReleaseNode::charges(std::int64_t release) const {
  const budget::Amount whole = cost();
  List* const protections = current_protections(core);
  List* charged = NIL;  // oid
  List* charges = NIL;
  for (int i = 0; i < core.protected_tables(); ++i) {
    const ProtectedTable table = core.protected_table(i);
    const budget::Payer payer = budget::payer_of(*static_cast<const budget::Protection*>(list_nth(protections, i)), roles[i]);
    const bool again = list_member_oid(charged, table.relation);
    if (again && (!OidIsValid(payer.account) || is_charged(charges, payer))) continue;
    charged = lappend_oid(charged, table.relation);
    const budget::Amount of_table = again ? budget::Amount{} : whole;
    charges = lappend(charges, new (palloc(sizeof(budget::Entry))) budget::Entry{payer, "query", whole, of_table, release, query});
  }
  return charges;
}

Path* release_path(RelOptInfo* rel, Path* core_path, const Core& core, List* order) {
  auto* const path = makeNode(CustomPath);
  path->path.pathtype = T_CustomScan;
  path->path.parent = rel;
  // The same whatever the rows: what is planned above depends on it, and is shown.
  path->path.pathtarget = copy_pathtarget(core_path->pathtarget);
  path->path.pathtarget->width = 0;
  ListCell* cell;
  foreach (cell, path->path.pathtarget->exprs) {
    auto* const column = static_cast<Node*>(lfirst(cell));
    path->path.pathtarget->width += get_typavgwidth(exprType(column), exprTypmod(column));
  }
  constexpr double kGroups = 100;
  path->path.rows = core.keys == NIL ? 1 : kGroups;
  path->path.startup_cost = kGroups;
  path->path.total_cost = kGroups + path->path.rows * cpu_tuple_cost;
  path->path.pathkeys = order;
  path->flags = CUSTOMPATH_SUPPORT_BACKWARD_SCAN;
  path->custom_paths = list_make1(core_path);
  const bool sorted = order != NIL && pathkeys_contained_in(order, core_path->pathkeys);
  path->custom_private = list_make3(core.to_nodes(), makeBoolean(sorted), core.constants);
  path->methods = &kPathMethods;
  return &path->path;
}

void register_release_node() { RegisterCustomScanMethods(&kScanMethods); }

}  // namespace dp::guard
