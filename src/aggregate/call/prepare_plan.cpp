#include "aggregate/call/prepare_plan.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "aggregate/call/call.h"
#include "aggregate/call/constant_arguments.h"
#include "aggregate/call/group_aggregates.h"
#include "aggregate/call/limit_choice.h"
#include "aggregate/call/local_supports.h"
#include "aggregate/call/shard_aggregates.h"
#include "aggregate/call/shard_groups.h"
#include "aggregate/call/unit_aggregates.h"
#include "aggregate/call/unit_buckets.h"
#include "aggregate/call/unit_sample.h"
#include "core/accumulate/grid.h"
#include "pg/errors.h"
#include "pg/planner.h"
#include "pg/walk.h"

extern "C" {
DP_EXPORT Datum dp_state_combine(FunctionCallInfo fcinfo);
DP_EXPORT Datum dp_state_serialize(FunctionCallInfo fcinfo);
DP_EXPORT Datum dp_state_deserialize(FunctionCallInfo fcinfo);
}

namespace dp::aggregate {
namespace {

constexpr const Support* kSupports[] = {
    &kCount,        &kSum,        &kAvg,        &kVariance,   &kStddev,     &kVarPop,    &kStddevPop,
    &kTotals,       &kAllMoments, &kHistogram,  &kCategories, &kCumulative, &kBounds,    &kMode,
    &kQuantile,     &kQuantiles,  &kMedian,     &kMin,        &kMax,        &kResponses, &kUnaryReports,
    &kBloomReports, &kIncomplete, &kCovariance, &kRegression, &kCells};

bool prepared = false;

bool is_ours(PGFunction function) {
  const auto is_one_of = [function](auto... these) { return (... || (function == these)); };
  if (function == nullptr) return false;
  if (is_one_of(dp_state_combine, dp_state_serialize, dp_state_deserialize)) return true;
  if (is_one_of(dp_part_add, dp_part_answer, dp_total_add, dp_total_answer, dp_shard_units_answer)) return true;
  if (is_one_of(dp_units_add, dp_units_answer, dp_units_combine, dp_units_serialize, dp_units_deserialize)) return true;
  if (is_one_of(dp_units_row_add, dp_units_row_answer, dp_groups_add, dp_groups_answer)) return true;
  if (is_one_of(dp_shard_part_add, dp_shard_part_answer, dp_shard_total_add, dp_shard_total_answer)) return true;
  if (is_one_of(dp_shard_row_answer, dp_shard_groups_answer, dp_shard_groups_add)) return true;
  for (const Support* support : kSupports) {
    if (function == support->transition || function == support->final) return true;
  }
  return std::ranges::any_of(kPairParts, [=](const Support& part) { return function == part.final; });
}

// One aggregate as an Agg node runs it: in one step, or split into a Partial node, which adds rows, and a Finalize
// node, which combines states.
class Step {
 public:
  Step(AggState* node, AggStatePerAgg aggregate)
      : node_(node), aggregate_(aggregate), trans_(&node->pertrans[aggregate->transno]) {}

  bool adds_rows() const { return !DO_AGGSPLIT_COMBINE(node_->aggsplit); }
  bool answers() const { return !DO_AGGSPLIT_SKIPFINAL(node_->aggsplit); }
  AggState* node() const { return node_; }
  const Aggref* aggref() const { return aggregate_->aggref; }
  int number() const { return aggregate_->transno; }
  Oid answer_type() const { return aggregate_->aggref->aggtype; }
  PGFunction transition() const { return trans_->transfn.fn_addr; }
  PGFunction final() const { return answers() ? aggregate_->finalfn.fn_addr : nullptr; }

  bool has_ours() const {
    return is_ours(trans_->transfn.fn_addr) || is_ours(final()) || is_ours(trans_->serialfn.fn_addr) ||
           is_ours(trans_->deserialfn.fn_addr);
  }

  bool keeps_states() const { return trans_->aggtranstype == INTERNALOID; }

  // Whether the functions that serialise and combine states between the two nodes, if any, are those of that stage.
  bool ships_well(Stage stage) const {
    const bool units = stage == Stage::units || stage == Stage::row_of_groups || stage == Stage::groups;
    if (!adds_rows() && trans_->transfn.fn_addr != (units ? dp_units_combine : dp_state_combine)) return false;
    if (serializes() && trans_->serialfn.fn_addr != (units ? dp_units_serialize : dp_state_serialize)) return false;
    return !DO_AGGSPLIT_DESERIALIZE(node_->aggsplit) ||
           trans_->deserialfn.fn_addr == (units ? dp_units_deserialize : dp_state_deserialize);
  }

  bool hoist() const { return adds_rows() && may_hoist(node_) && hoist_constants(node_, trans_); }

  bool prepared() const { return (answers() ? aggregate_->finalfn : trans_->transfn).fn_extra != nullptr; }

  // `runs_row`: rows go straight to the transition that was made for the call.
  void store_call(Call* call, bool runs_row) const {
    if (adds_rows()) {
      store_transition_call(call, runs_row);
    } else {
      trans_->transfn.fn_extra = call;  // combines
    }
    if (serializes()) trans_->serialfn.fn_extra = call;
    if (!answers()) return;
    aggregate_->finalfn.fn_extra = call;
    call->final = &aggregate_->finalfn;
    call->column = static_cast<int>(aggregate_ - node_->peragg);
  }

 private:
  bool serializes() const { return DO_AGGSPLIT_SERIALIZE(node_->aggsplit); }

  void store_transition_call(Call* call, bool runs_row) const {
    trans_->transfn.fn_extra = call;
    if (call->row != nullptr && runs_row) run_for_rows(trans_, call->row);
  }

  AggState* node_;
  AggStatePerAgg aggregate_;
  AggStatePerTrans trans_;
};

const Support* find_support(PGFunction transition, PGFunction final) {
  for (const Support* support : kSupports) {
    if (support->transition == transition && (final == nullptr || support->final == final)) return support;
  }
  for (const Support& part : kPairParts) {
    if (part.transition == transition && part.final == final) return &part;
  }
  return nullptr;
}

// The Partial node below a Finalize node, through Gather, Sort, Append and the like; aggregates of subqueries stand
// deeper.
AggState* find_partial(PlanState* node) {
  if (node == nullptr) return nullptr;
  if (IsA(node, AggState)) {
    auto* const agg = reinterpret_cast<AggState*>(node);
    return DO_AGGSPLIT_SKIPFINAL(agg->aggsplit) ? agg : nullptr;
  }
  if (IsA(node, AppendState)) {
    auto* const append = reinterpret_cast<AppendState*>(node);
    return append->as_nplans > 0 ? find_partial(append->appendplans[0]) : nullptr;
  }
  if (IsA(node, MergeAppendState)) {
    auto* const append = reinterpret_cast<MergeAppendState*>(node);
    return append->ms_nplans > 0 ? find_partial(append->mergeplans[0]) : nullptr;
  }
  return find_partial(outerPlanState(node));
}

// The step that adds the rows of this one: itself, or the step of the same number in the Partial node.
std::optional<Step> adding_step(const Step& step) {
  if (step.adds_rows()) return step;
  AggState* const partial = find_partial(outerPlanState(&step.node()->ss.ps));
  for (int i = 0; partial != nullptr && i < partial->numaggs; ++i) {
    const Step candidate(partial, &partial->peragg[i]);
    if (candidate.aggref()->aggno == step.aggref()->aggno) return candidate;
  }
  return std::nullopt;
}

PGFunction function_at(Oid function) {
  if (!OidIsValid(function)) return nullptr;
  FmgrInfo found;
  fmgr_info(function, &found);
  return found.fn_addr;
}

struct Functions {
  PGFunction transition;
  PGFunction final;
};

Functions look_up_functions(Oid aggregate) {
  HeapTuple const row = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(aggregate));
  if (!HeapTupleIsValid(row)) return {};
  const Form_pg_aggregate functions = reinterpret_cast<Form_pg_aggregate>(GETSTRUCT(row));
  const Oid transition = functions->aggtransfn, final = functions->aggfinalfn;
  ReleaseSysCache(row);
  return {function_at(transition), function_at(final)};
}

// What was looked up, by the last digits of the aggregate's number, until an aggregate or function changes: each step
// of planning asks of each aggregate whether it is one of ours.
struct KnownFunctions {
  Oid aggregate;
  Functions functions;
};
KnownFunctions known_functions[64];
std::uint64_t times_forgotten = 0;

void forget_functions(Datum, int, uint32) {
  ++times_forgotten;
  for (KnownFunctions& known : known_functions) known.aggregate = InvalidOid;
}

// The transition and final functions of an aggregate; nullptr where there is no aggregate of that OID.
Functions functions_of(Oid aggregate) {
  static bool registered = false;
  if (!registered) {
    for (const int cache : {AGGFNOID, PROCOID}) CacheRegisterSyscacheCallback(cache, forget_functions, 0);
    registered = true;
  }
  KnownFunctions& known = known_functions[aggregate % std::size(known_functions)];
  if (OidIsValid(aggregate) && known.aggregate == aggregate) return known.functions;
  const std::uint64_t before = times_forgotten;
  const Functions functions = look_up_functions(aggregate);
  if (before == times_forgotten) known = {aggregate, functions};
  return functions;
}

}  // namespace

const Support* support_of(Oid aggregate) {
  const Functions functions = functions_of(aggregate);
  return find_support(functions.transition, functions.final);
}

namespace {

// Whether parts of several servers become the state of a unit.
bool merges_parts_of_unit(const Step& step, Stage stage) {
  return stage == Stage::shard_total && step.final() == dp_part_answer;
}

// Whether the step runs the functions by which aggregates over privacy units, or over rows of several servers, are
// computed (part, total, or both in one), and may: below a gate only, unless the part is one for another server. What
// makes parts, or ships units to the step that answers, may also run in parallel workers, which have no gate.
bool stands_for_another(const Step& step, Stage stage, const Support& support, const Gate* gate) {
  if (!support.of_unit) return false;
  if (stage == Stage::part) {
    return !step.answers() || (step.final() == dp_part_answer && (gate != nullptr || IsParallelWorker()));
  }
  if (stage == Stage::shard_part) return !step.answers() || step.final() == dp_shard_part_answer;
  if (merges_parts_of_unit(step, stage)) return gate != nullptr;
  if (step.final() == dp_shard_units_answer) return stage == Stage::units && makes_part_of_units(step.node());
  if (step.final() == dp_shard_groups_answer) return stage == Stage::groups && makes_parts_of_groups(step.node());
  if ((stage == Stage::units || stage == Stage::groups) && !step.answers()) return true;
  const PGFunction final = stage == Stage::units          ? dp_units_answer
                           : stage == Stage::groups       ? dp_groups_answer
                           : stage == Stage::shard_groups ? dp_groups_answer
                           : stage == Stage::shard_total  ? dp_shard_total_answer
                                                          : dp_total_answer;
  return gate != nullptr && step.final() == final;
}

[[noreturn]] void refuse_by_itself(const Step& step) {
  ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                  errmsg("aggregate %s belongs to queries over privacy units and cannot be called by itself",
                         get_func_name(step.aggref()->aggfnoid)),
                  errhint("Call the private aggregate, for example dp_count('*', 0.5): what a unit may contribute is "
                          "limited for you.")));
  pg_unreachable();
}

// How many rows of a unit count, where it says so: in a part that keeps rows, and where states are kept together. There
// it is what the gate says as well, which workers have not; 0 or less: it is chosen (rows_for_servers()).
std::int64_t take_rows(Arguments* arguments, Stage stage, const Support& support) {
  const bool keeps_rows = support.of_unit == Tag::sample;
  if (stage != Stage::units && !(stage == Stage::part && keeps_rows)) return 0;
  const std::int64_t rows = DatumGetInt64(arguments->take_last(INT8OID, "number of rows"));
  const std::int64_t most = !keeps_rows ? PG_INT32_MAX : stage == Stage::units ? kMostInRecord : SampleState::kMost;
  const bool chosen = is_chosen_elsewhere(rows) && stage == Stage::units && (!keeps_rows || counts_buckets(support));
  if ((rows < 1 && !chosen) || rows > most) arguments->refuse_signature();
  return rows;
}

// A part for another server names its aggregate by a text, so that nothing but this looks at the types of what it is
// called with: they must be those that the aggregate is declared for.
void require_declared_types(const Arguments& arguments) {
  Oid* declared;
  int count;
  const Oid answer = get_func_signature(arguments.aggregate(), &declared, &count);
  if (count != arguments.count()) arguments.refuse_signature();
  auto* const given = static_cast<Oid*>(palloc(static_cast<Size>(count) * sizeof(Oid)));
  bool polymorphic = false;
  for (int i = 0; i < count; ++i) {
    given[i] = arguments.type(i);
    const bool open = declared[i] == ANYOID || IsPolymorphicType(declared[i]);
    polymorphic = polymorphic || IsPolymorphicType(declared[i]);
    if (!open && given[i] != declared[i]) arguments.refuse_signature();
  }
  if (polymorphic) enforce_generic_type_consistency(given, declared, count, answer, false);
}

// What is known of the plan that is walked through.
struct Walk {
  Gate* gate;
  const Call* combining = nullptr;  // what finds the groups of rows, in a node that combines what one below it ships
};

// The aggregates of a node that keep the states of privacy units together.
struct Together {
  List* units = NIL;    // Call*: each finds the unit of a row itself
  List* totals = NIL;   // Call*: their limits are chosen from what servers have of units
  Call* row = nullptr;  // finds the unit and the group of a row,
  List* groups = NIL;   // Call*: for these
};

// Whether it has constant bounds of which one is infinite.
bool is_open_call(const Arguments& arguments) {
  constexpr int kLower = 1, kUpper = 2;
  for (const int bound : {kLower, kUpper})
    if (arguments.type(bound) != FLOAT8OID || !arguments.is_certain(bound)) return false;
  return is_open({arguments.number(kLower, "lower bound"), arguments.number(kUpper, "upper bound")});
}

// What finds a row's group runs before what counts the row. `adding`: the step that adds the rows of this one.
bool prepare_row(const Step& step, const Step& adding, Walk* walk, Together* together) {
  const bool for_server = step.final() == dp_shard_row_answer;
  const bool may_run = for_server       ? makes_parts_of_groups(step.node())
                       : step.answers() ? walk->gate != nullptr && step.final() == dp_units_row_answer
                                        : walk->combining != nullptr || IsParallelWorker();
  if (!may_run || !step.keeps_states() || !adding.keeps_states() || step.number() != 0) refuse_by_itself(step);
  if (!step.ships_well(Stage::row_of_groups) || !adding.ships_well(Stage::row_of_groups)) refuse_by_itself(step);
  together->row =
      prepare_units_row(adding.aggref(), walk->gate, step.answers() ? nullptr : walk->combining, for_server);
  if (step.answers() && !step.adds_rows()) walk->combining = together->row;
  step.store_call(together->row, false);
  return !for_server && step.hoist();  // which groups there are may be said later
}

// One of our support functions outside our aggregates, or with other types, is an error: states would be read as what
// they are not. True where the node's transitions must be built again. A call that keeps units goes to `together`.
bool prepare(const Step& step, Walk* walk, Together* together) {
  Gate* const gate = walk->gate;
  if (!step.has_ours() || step.prepared()) return false;
  const std::optional<Step> adding = adding_step(step);
  if (!adding) elog(ERROR, "no Partial Aggregate below a Finalize Aggregate of pg_dp");
  const Stage stage = stage_of(adding->transition());
  if (stage == Stage::row_of_groups) return prepare_row(step, *adding, walk, together);
  Arguments arguments = arguments_of(stage, adding->aggref(), &adding->node()->ss.ps);
  const Support* support =
      stage == Stage::whole ? find_support(adding->transition(), step.final()) : support_of(arguments.aggregate());
  if (support == nullptr || !step.keeps_states() || !adding->keeps_states()) arguments.refuse_signature();
  if (!step.ships_well(stage) || !adding->ships_well(stage)) arguments.refuse_signature();
  if (stage != Stage::whole && !stands_for_another(step, stage, *support, gate)) refuse_by_itself(step);
  if (support->open != nullptr && is_open_call(arguments)) support = support->open;
  const bool keeps_rows = support->of_unit == Tag::sample;
  const bool units_there = step.final() == dp_shard_units_answer, groups_there = step.final() == dp_shard_groups_answer;
  const std::int64_t rows = groups_there ? DatumGetInt64(arguments.take_last(INT8OID, "number of rows"))
                                         : take_rows(&arguments, stage, *support);
  const bool sent = stage == Stage::shard_part || units_there || groups_there;
  if (sent) require_declared_types(arguments);
  Call* const call = support->prepare(arguments);
  call->support = support;
  call->unit_rows = static_cast<std::uint32_t>(rows);
  call->sample = keeps_rows ? call->unit_rows : 0;
  const bool by_group = stage == Stage::groups || stage == Stage::shard_groups;
  call->by_bucket = counts_buckets(*support) && (by_group || (stage == Stage::units && rows <= 0));
  if (stage == Stage::part || sent || merges_parts_of_unit(step, stage)) {
    call->gate = gate;
    const bool limits = groups_there || (stage == Stage::units && (!keeps_rows || rows <= 0));
    if (limits && !take_rows_for_server(call, rows)) arguments.refuse_signature();
  } else if (step.answers()) {
    if (step.answer_type() != call->answer_type) arguments.refuse_signature();
    if (gate != nullptr) gate->adopt(call, support->release);
    require_limit(*call);
    if (support->release == Release::noise) call->calibrate();
  }
  if (stage == Stage::units) together->units = lappend(together->units, call);
  if (stage == Stage::shard_total && call->limit_epsilon.nano > 0) {
    call->by_bucket = counts_buckets(*support);
    together->totals = lappend(together->totals, call);
  }
  if (by_group) {
    if (together->row == nullptr || !has_limit(tag_of_unit(*call))) refuse_by_itself(step);
    together->groups = lappend(together->groups, call);
  }
  step.store_call(call, stage == Stage::whole || stage == Stage::part || stage == Stage::shard_part);
  return step.hoist();
}

bool prepare_node(PlanState* node, void* walk) {
  if (node == nullptr) return false;
  if (IsA(node, AggState)) {
    auto* const agg = reinterpret_cast<AggState*>(node);
    bool hoisted = false;
    Together together;
    for (int i = 0; i < agg->numaggs; ++i) {
      hoisted |= prepare(Step(agg, &agg->peragg[i]), static_cast<Walk*>(walk), &together);
    }
    for (List* const calls : {together.units, together.totals})
      if (calls != NIL) keep_units_together(calls, node->state->es_param_list_info);
    if (together.row != nullptr) keep_groups_together(together.row, together.groups, node->state->es_param_list_info);
    const bool adds_units = together.units != NIL && !DO_AGGSPLIT_COMBINE(agg->aggsplit);
    if (adds_units && may_hoist(agg)) hoisted |= read_columns(agg, together.units);
    if (hoisted) rebuild_transitions(agg);
  }
  return pg::walk_plan(node, prepare_node, walk);
}

}  // namespace

// The aggregates over privacy units (parts and totals) do not count: only the guard puts them into queries.
bool is_private_aggregate(Oid aggregate) {
  const PGFunction transition = functions_of(aggregate).transition;
  return is_ours(transition) && stage_of(transition) == Stage::whole;
}

void prepare(PlanState* node, Gate* gate) {
  Walk walk{gate};
  prepare_node(node, &walk);
}

// Parts are no answers: another server adds them up.
static bool makes_part(PGFunction final) {
  return final == dp_shard_part_answer || final == dp_shard_units_answer || final == dp_shard_groups_answer ||
         final == dp_shard_row_answer;
}

bool answers_without_gate(const AggState* node) {
  for (int i = 0; i < node->numaggs; ++i) {
    const FmgrInfo& final = node->peragg[i].finalfn;
    if (DO_AGGSPLIT_SKIPFINAL(node->aggsplit) || !is_ours(final.fn_addr) || makes_part(final.fn_addr)) continue;
    if (static_cast<const Call*>(final.fn_extra)->gate == nullptr) return true;
  }
  return false;
}

void set_prepared() { prepared = true; }

bool are_prepared() { return prepared; }

}  // namespace dp::aggregate
