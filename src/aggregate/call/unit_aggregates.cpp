#include "aggregate/call/unit_aggregates.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "aggregate/call/constant_arguments.h"
#include "aggregate/call/group_aggregates.h"
#include "aggregate/call/kept_points.h"
#include "aggregate/call/limit_choice.h"
#include "aggregate/call/prepare_plan.h"
#include "aggregate/call/row_columns.h"
#include "aggregate/call/shard_aggregates.h"
#include "aggregate/call/shard_groups.h"
#include "aggregate/call/unit_buckets.h"
#include "aggregate/call/unit_sample.h"
#include "aggregate/unit/group_states.h"
#include "aggregate/unit/unit_files.h"
#include "aggregate/unit/unit_states.h"
#include "core/accumulate/unit_state.h"
#include "core/accumulate/vector.h"
#include "pg/errors.h"

namespace dp::aggregate {
namespace {

[[noreturn]] void refuse_part() {
  ereport(ERROR, (errcode(ERRCODE_DATA_CORRUPTED), errmsg("the part of a privacy unit is not one of pg_dp")));
  pg_unreachable();
}

// How many values stand before the unit where dp_internal.units_<type> has so many arguments: dp_count(*) has none, and
// what is said of pairs has two.
constexpr int values_before_unit(int arguments, bool pairs) { return arguments <= 3 ? 0 : pairs ? 2 : 1; }

}  // namespace

int values_before_unit(const Aggref* over_units) {
  const auto* const which = reinterpret_cast<const Const*>(llast_node(TargetEntry, over_units->args)->expr);
  const bool pairs = IsA(which, Const) && which->consttype == OIDOID && !which->constisnull &&
                     answers_about_pairs(DatumGetObjectId(which->constvalue));
  return values_before_unit(list_length(over_units->args), pairs);
}

Stage stage_of(PGFunction transition) {
  if (transition == dp_part_add) return Stage::part;
  if (transition == dp_units_add) return Stage::units;
  if (transition == dp_units_row_add) return Stage::row_of_groups;
  if (transition == dp_groups_add) return Stage::groups;
  if (transition == dp_shard_part_add) return Stage::shard_part;
  if (transition == dp_shard_total_add) return Stage::shard_total;
  if (transition == dp_shard_groups_add) return Stage::shard_groups;
  return transition == dp_total_add ? Stage::total : Stage::whole;
}

Arguments arguments_of(Stage stage, const Aggref* aggref, PlanState* node) {
  switch (stage) {
    case Stage::part:
      return Arguments::handed_on(aggref, node, 0, 0);
    case Stage::groups:
      return Arguments::handed_on(numbered(aggref), node, 0, 0);
    case Stage::total:
    case Stage::shard_groups:
      return Arguments::handed_on(aggref, node, 0, 2);
    case Stage::shard_part:
      return Arguments::handed_on(numbered(aggref), node, 0, 0);
    case Stage::shard_total:
      return Arguments::handed_on(aggref, node, 0, 1);
    case Stage::units:
      return Arguments::handed_on(numbered(aggref), node, values_before_unit(numbered(aggref)), 1);
    case Stage::row_of_groups:
    case Stage::whole:
      break;
  }
  return Arguments(aggref, node);
}

void keep_units_together(List* calls, ParamListInfo parameters) {
  auto* const group = static_cast<UnitGroup*>(palloc0(sizeof(UnitGroup)));
  group->sent = sent_unit_files(parameters);
  share_units(group, calls);
  make_limit_choices(calls, 1);
  if (group->buckets > 0) make_totals(group, 1);
}

void share_units(UnitGroup* group, List* calls) {
  const int count = list_length(calls);
  group->count = count;
  group->tags = static_cast<Tag*>(palloc(static_cast<Size>(count) * sizeof(Tag)));
  group->samples = static_cast<std::uint32_t*>(palloc0(static_cast<Size>(count) * sizeof(std::uint32_t)));
  group->shares = static_cast<UnitShare*>(palloc0(static_cast<Size>(count) * sizeof(UnitShare)));
  std::size_t offset = 0;
  for (int i = 0; i < count; ++i) {
    auto* const call = static_cast<Call*>(list_nth(calls, i));
    const State kind{tag_of_unit(*call)};
    if (call->by_bucket) {
      if (count > 1) elog(ERROR, "a histogram whose limit is chosen stands beside other aggregates");
      group->buckets = static_cast<std::uint64_t>(static_cast<const HistogramCall*>(call)->size);
    }
    group->tags[i] = kind.tag;
    if (kind.tag == Tag::sample) {
      group->samples[i] = call->sample;
      const auto& counting = *static_cast<const HistogramCall*>(call);
      group->shares[i].buckets = counting.size;
      group->shares[i].keeps_points = counting.points > 0;
    }
    group->shares[i].offset = offset;
    group->shares[i].rows = call->unit_rows > 0 ? call->unit_rows : LimitScale::kMostRows;
    group->shares[i].row = call->steps;
    call->units = group;
    call->share = i;
    group->chooses_limits = group->chooses_limits || call->limit_epsilon.nano > 0;
    offset += kind.tag == Tag::sample ? SampleState::bytes(call->sample) : state_bytes(kind);
  }
}

// dp_part_add(internal, VARIADIC "any") returns internal
DP_SQL_FUNCTION(dp_part_add) { return call_of<Call>(fcinfo).support->transition(fcinfo); }

// dp_part_answer(internal) returns bytea: the state as it is shipped, NULL where no row came.
DP_SQL_FUNCTION(dp_part_answer) {
  call_of<Call>(fcinfo);
  if (PG_ARGISNULL(0)) PG_RETURN_NULL();
  const auto* const state = reinterpret_cast<const State*>(PG_GETARG_POINTER(0));
  const std::size_t bytes = state_bytes(*state);
  auto* const part = static_cast<bytea*>(palloc(VARHDRSZ + bytes));
  SET_VARSIZE(part, VARHDRSZ + bytes);
  std::memcpy(VARDATA(part), state, bytes);
  PG_RETURN_BYTEA_P(part);
}

// Counts the buckets of as many rows of a part as argument 2 says, and the limit of a unit.
static Datum add_sample(FunctionCallInfo fcinfo, const HistogramCall& call, const bytea* part) {
  const std::size_t bytes = VARSIZE_ANY_EXHDR(part);
  void* const aligned = std::memcpy(palloc(std::max(bytes, sizeof(SampleState))), VARDATA_ANY(part), bytes);
  auto* const sample = static_cast<SampleState*>(static_cast<State*>(aligned));
  if (!is_state(aligned, bytes) || sample->tag != Tag::sample) refuse_part();
  const std::int64_t rows = std::clamp<std::int64_t>(PG_GETARG_INT64(2), 0, call.unit_rows);
  if (call.points > 0) {
    PointsState* list = PG_ARGISNULL(0) ? nullptr : &own_state<PointsState>(fcinfo);
    sample->visit_least(static_cast<std::uint32_t>(rows), [&](std::uint64_t point) {
      if (point >= call.points) refuse_part();
      list = keep_point(fcinfo, list, static_cast<std::uint32_t>(point));
    });
    pfree(aligned);
    if (list == nullptr) PG_RETURN_NULL();
    PG_RETURN_POINTER(list);
  }
  const auto size = static_cast<std::uint64_t>(call.size);
  if (PG_ARGISNULL(0)) {
    State* const first = new_state(fcinfo, HistogramState::bytes(size), Tag::histogram);
    static_cast<HistogramState*>(first)->size = size;
    fcinfo->args[0] = {PointerGetDatum(first), false};
  }
  auto& total = own_state<HistogramState>(fcinfo);
  sample->visit_least(static_cast<std::uint32_t>(rows), [&](std::uint64_t bucket) {
    if (bucket >= size) refuse_part();
    ++total.counts()[bucket];
  });
  pfree(aligned);
  PG_RETURN_POINTER(&total);
}

// dp_total_add(internal, VARIADIC "any") returns internal: the first argument is a part, the second how many rows may
// count in it.
DP_SQL_FUNCTION(dp_total_add) {
  const auto& call = call_of<Call>(fcinfo);
  if (PG_ARGISNULL(1) || PG_ARGISNULL(2)) {
    if (PG_ARGISNULL(0)) PG_RETURN_NULL();
    PG_RETURN_POINTER(PG_GETARG_POINTER(0));
  }
  const bytea* const part = PG_GETARG_BYTEA_PP(1);
  if (call.support->of_unit == Tag::sample) return add_sample(fcinfo, static_cast<const HistogramCall&>(call), part);
  const std::size_t bytes = VARSIZE_ANY_EXHDR(part);
  AnyState unit;
  if (bytes > sizeof unit) refuse_part();
  std::memcpy(static_cast<void*>(&unit), VARDATA_ANY(part), bytes);  // aligned, unlike the part
  if (!is_state(&unit, bytes) || !has_limit(unit.state.tag)) refuse_part();
  const std::int64_t rows = std::clamp<std::int64_t>(PG_GETARG_INT64(2), 0, call.unit_rows);
  limit_unit(unit.state, static_cast<std::uint32_t>(rows), call.steps);
  if (PG_ARGISNULL(0)) {
    State* const first = new_state(fcinfo, bytes, unit.state.tag);
    std::memcpy(static_cast<void*>(first), &unit, bytes);
    PG_RETURN_POINTER(first);
  }
  auto* const total = reinterpret_cast<State*>(PG_GETARG_POINTER(0));
  if (!merge_states(*total, unit.state)) refuse_part();
  PG_RETURN_POINTER(total);
}

// dp_total_answer(internal) returns bigint, numeric or float8: what the aggregate returns that it stands for.
DP_SQL_FUNCTION(dp_total_answer) { return call_of<Call>(fcinfo).support->final(fcinfo); }

// What dp_units_add() does with a row that counts, of that unit, or whose unit is that argument. Each is a call in tail
// position, so that none needs the stack of another.
[[gnu::noinline]] static Datum with_new_units(FunctionCallInfo fcinfo, const Call& call, int unit) {
  UnitStates::make(state_memory(fcinfo), call.units, get_fn_expr_argtype(fcinfo->flinfo, unit));
  return dp_units_add(fcinfo);
}

[[gnu::noinline]] static Datum count_row(UnitStates* states, Datum unit, UnitGroup* units) {
  states->count_row(unit);
  PG_RETURN_POINTER(units);
}

[[gnu::noinline]] static Datum add_to_record(FunctionCallInfo fcinfo, const Call& call, Datum unit) {
  UnitGroup* const units = call.units;
  char* const record = units->states->record_of(unit);
  fcinfo->args[0] = {PointerGetDatum(record + units->shares[call.share].offset), false};
  (call.row != nullptr ? call.row : call.support->transition)(fcinfo);
  PG_RETURN_POINTER(units);
}

// Of a histogram whose limit is chosen.
[[gnu::noinline]] static Datum add_by_bucket(FunctionCallInfo fcinfo, const Call& call, int unit) {
  UnitGroup* const units = call.units;
  if (units->group_states == nullptr)
    GroupStates::make(state_memory(fcinfo), units, get_fn_expr_argtype(fcinfo->flinfo, unit));
  units->unit = PG_GETARG_DATUM(unit);
  units->place = 0;
  fcinfo->args[0] = {PointerGetDatum(units), false};
  return call.support->transition(fcinfo);
}

// The values stand where the aggregate's own transition looks for them, the unit behind them, before what is the same
// for every row.
static inline Datum add_row(FunctionCallInfo fcinfo, const Call& call) {
  const int values = values_before_unit(PG_NARGS() - 1, is_of_pairs(call.form.kind));
  const int unit = values + 1;
  if (PG_ARGISNULL(unit) || (values > 0 && PG_ARGISNULL(1) && !call.counts_missing)) return same_state(fcinfo);
  if (call.by_bucket) [[unlikely]]
    return add_by_bucket(fcinfo, call, unit);
  UnitStates* const states = call.units->states;
  if (states == nullptr) [[unlikely]]
    return with_new_units(fcinfo, call, unit);
  if (states->counts_rows()) return count_row(states, PG_GETARG_DATUM(unit), call.units);
  return add_to_record(fcinfo, call, PG_GETARG_DATUM(unit));
}

// dp_units_add(internal, VARIADIC "any") returns internal
DP_ROW_FUNCTION(dp_units_add) {
  const auto& call = call_of<Call>(fcinfo);
  if (const HeapTupleHeaderData* const row = row_of_page(current_row(fcinfo))) fetch_rows_ahead(row);
  return add_row(fcinfo, call);
}

// The same where the value and the unit are columns that no expression computes.
static Datum add_columns(FunctionCallInfo fcinfo) {
  const auto& call = call_of<Call>(fcinfo);
  call.columns->read(fcinfo);
  return add_row(fcinfo, call);
}

// Reads the columns of a transition whose constant arguments have been hoisted.
static bool takes_columns(const AggStatePerTransData& transition, RowColumns* columns) {
  const List* const arguments = transition.aggref->args;
  // Those of pairs are more.
  const int computed = values_before_unit(transition.transfn_fcinfo->nargs - 1, false) + 1;
  return list_length(arguments) == computed && columns->begin(arguments);
}

bool read_columns(AggState* node, const List* calls) {
  if (list_length(calls) != node->numtrans) return false;
  auto* const columns = static_cast<RowColumns*>(palloc(static_cast<Size>(node->numtrans) * sizeof(RowColumns)));
  for (int i = 0; i < node->numtrans; ++i) {
    if (!takes_columns(node->pertrans[i], new (&columns[i]) RowColumns)) return false;
  }
  for (int i = 0; i < node->numtrans; ++i) {
    AggStatePerTransData& transition = node->pertrans[i];
    static_cast<Call*>(transition.transfn.fn_extra)->columns = &columns[i];
    hoist_all(node, &transition);
    run_for_rows(&transition, add_columns);
  }
  return true;
}

// dp_units_answer(internal) returns bigint, numeric or float8: what the aggregate returns that it stands for.
DP_SQL_FUNCTION(dp_units_answer) {
  const auto& call = call_of<Call>(fcinfo);
  UnitShare& share = call.units->shares[call.share];
  if (call.units->states != nullptr) call.units->states->finish();  // the first one of the node
  if (call.units->group_states != nullptr) call.units->group_states->finish();
  choose_limit_of(call);
  if (call.by_bucket) {
    fcinfo->args[0] = {PointerGetDatum(counts_of_group(call, 0)), false};
    return call.support->final(fcinfo);
  }
  if (share.keeps_points) {
    if (!PG_ARGISNULL(0)) fcinfo->args[0] = {PointerGetDatum(share.points), share.points == nullptr};
    const Datum answer = call.support->final(fcinfo);
    end_points(std::exchange(share.file, nullptr));
    return answer;
  }
  if (share.counts != nullptr) {
    fcinfo->args[0].value = PointerGetDatum(share.counts);
  } else if (!PG_ARGISNULL(0) || share.choice != nullptr) {
    fcinfo->args[0] = {PointerGetDatum(&share.total), false};
  }
  return call.support->final(fcinfo);
}

}  // namespace dp::aggregate
