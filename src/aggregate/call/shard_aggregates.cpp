#include "aggregate/call/shard_aggregates.h"

#include <cstring>

#include "aggregate/call/histogram_call.h"
#include "aggregate/call/kept_points.h"
#include "aggregate/call/limit_choice.h"
#include "aggregate/call/prepare_plan.h"
#include "aggregate/call/shard_groups.h"
#include "aggregate/call/unit_aggregates.h"
#include "aggregate/call/unit_buckets.h"
#include "aggregate/unit/group_states.h"
#include "aggregate/unit/unit_states.h"
#include "core/accumulate/shard_part.h"
#include "pg/errors.h"
#include "pg/functions_by_name.h"
#include "pg/planner.h"

namespace dp::aggregate {
namespace {

// The kind of states that the aggregate's own transition keeps, and how many buckets or points.
Tag tag_of(const Call& call) {
  const Tag tag = *call.support->of_unit;
  if (tag != Tag::sample) return tag;
  return static_cast<const HistogramCall&>(call).points > 0 ? Tag::points : Tag::histogram;
}

std::uint64_t buckets_of(const Call& call) {
  const Tag tag = tag_of(call);
  if (tag == Tag::points) return static_cast<const HistogramCall&>(call).points;
  if (tag != Tag::histogram) return 0;
  return static_cast<std::uint64_t>(static_cast<const HistogramCall&>(call).size);
}

// Of a total of parts: whether these have what its limit is chosen from.
bool chooses_limit(const Call& call) {
  return call.units != nullptr && call.units->shares[call.share].choice != nullptr;
}

bytea* part_with(const State& own) {
  const State& state = own.tag == Tag::points ? *whole_points(static_cast<const PointsState*>(&own)) : own;
  const std::size_t bytes = shard_part_bytes(state);
  auto* const part = static_cast<bytea*>(palloc(VARHDRSZ + bytes));
  SET_VARSIZE(part, VARHDRSZ + bytes);
  write_shard_part(state, VARDATA(part));
  return part;
}

// The argument behind the values.
Node* unit_of(const Aggref* part) {
  if (list_length(part->args) <= 3) return nullptr;
  const int place = values_before_unit(numbered(part));
  return reinterpret_cast<Node*>(list_nth_node(TargetEntry, part->args, place)->expr);
}

}  // namespace

void refuse_shard_part() {
  ereport(ERROR, (errcode(ERRCODE_DATA_CORRUPTED), errmsg("the part of another server is not one of pg_dp")));
  pg_unreachable();
}

const char* name_of_aggregate(Oid aggregate) {
  HeapTuple const row = SearchSysCache1(PROCOID, ObjectIdGetDatum(aggregate));
  if (!HeapTupleIsValid(row)) elog(ERROR, "cache lookup failed for aggregate %u", aggregate);
  const auto& function = *reinterpret_cast<Form_pg_proc>(GETSTRUCT(row));
  StringInfoData text;
  initStringInfo(&text);
  appendStringInfo(&text, "%s(", NameStr(function.proname));
  for (int i = 0; i < function.pronargs; ++i) {
    HeapTuple const type = SearchSysCache1(TYPEOID, ObjectIdGetDatum(function.proargtypes.values[i]));
    if (!HeapTupleIsValid(type)) elog(ERROR, "cache lookup failed for type %u", function.proargtypes.values[i]);
    appendStringInfo(&text, "%s%s", i > 0 ? "," : "",
                     NameStr(reinterpret_cast<Form_pg_type>(GETSTRUCT(type))->typname));
    ReleaseSysCache(type);
  }
  appendStringInfoChar(&text, ')');
  ReleaseSysCache(row);
  return text.data;
}

Oid aggregate_named(const char* name) {
  const char* const end = strchr(name, '(');
  if (end == nullptr) return InvalidOid;
  const char* const own = pnstrdup(name, end - name);
  return pg::function_named(own, [&](const FormData_pg_proc& function, std::span<const Oid>) {
    return function.prokind == PROKIND_AGGREGATE && is_private_aggregate(function.oid) &&
           getExtensionOfObject(ProcedureRelationId, function.oid) == get_extension_oid("pg_dp", false) &&
           strcmp(name_of_aggregate(function.oid), name) == 0;
  });
}

const Aggref* numbered(const Aggref* part) {
  const auto* const name = reinterpret_cast<const Const*>(llast_node(TargetEntry, part->args)->expr);
  if (!IsA(name, Const) || name->consttype != TEXTOID || name->constisnull) return part;
  auto* const copy = static_cast<Aggref*>(copyObjectImpl(part));
  const Datum number = ObjectIdGetDatum(aggregate_named(TextDatumGetCString(name->constvalue)));
  llast_node(TargetEntry, copy->args)->expr =
      reinterpret_cast<Expr*>(makeConst(OIDOID, -1, InvalidOid, sizeof(Oid), number, false, true));
  return copy;
}

bool makes_part_of_units(const AggState* node) {
  const auto* const plan = reinterpret_cast<const Agg*>(node->ss.ps.plan);
  if (plan->aggstrategy != AGG_PLAIN || plan->groupingSets != NIL) return false;
  Node* const unit = unit_of(node->peragg[0].aggref);
  for (int i = 0; i < node->numaggs; ++i) {
    const bool one = node->peragg[i].finalfn.fn_addr == dp_shard_units_answer;
    if (!one || unit == nullptr || !equal(unit, unit_of(node->peragg[i].aggref))) return false;
  }
  return unit != nullptr && are_told_by_bytes(exprType(unit), exprCollation(unit));
}

bool is_made_of_shards(Oid aggregate) {
  const Support* const support = support_of(aggregate);
  if (support == nullptr || !support->of_unit) return false;
  switch (*support->of_unit) {
    case Tag::count:
    case Tag::sum:
    case Tag::mean:
    case Tag::moments:
    case Tag::totals:
    case Tag::all_moments:
    case Tag::covariance:
    case Tag::regression:
    case Tag::sample:
      return true;
    default:
      return false;
  }
}

// dp_shard_part_add(internal, VARIADIC "any") returns internal
DP_ROW_FUNCTION(dp_shard_part_add) { return call_of<Call>(fcinfo).support->transition(fcinfo); }

// dp_shard_part_answer(internal) returns bytea: NULL where no row came.
DP_SQL_FUNCTION(dp_shard_part_answer) {
  const auto& call = call_of<Call>(fcinfo);
  const State* const state = final_state(fcinfo, tag_of(call));
  if (state == nullptr) PG_RETURN_NULL();
  PG_RETURN_BYTEA_P(part_with(*state));
}

// dp_shard_units_answer(internal) returns bytea: what counts of all units; NULL where no row counts.
DP_SQL_FUNCTION(dp_shard_units_answer) {
  const auto& call = call_of<Call>(fcinfo);
  const UnitShare& share = call.units->shares[call.share];
  if (call.units->states != nullptr) call.units->states->finish();  // the first one of the node
  if (call.units->group_states != nullptr) call.units->group_states->finish();
  if (PG_ARGISNULL(0)) PG_RETURN_NULL();
  if (share.choice != nullptr) PG_RETURN_BYTEA_P(part_of_choice(call));
  if (share.keeps_points) {
    if (share.points == nullptr) PG_RETURN_NULL();
    bytea* const part = part_with(*share.points);
    end_points(call.units->shares[call.share].file);
    PG_RETURN_BYTEA_P(part);
  }
  PG_RETURN_BYTEA_P(part_with(share.counts != nullptr ? *share.counts : share.total.state));
}

// dp_shard_total_add(internal, VARIADIC "any") returns internal: the first argument is a part.
DP_SQL_FUNCTION(dp_shard_total_add) {
  const auto& call = call_of<Call>(fcinfo);
  if (PG_ARGISNULL(1)) return same_state(fcinfo);
  const bytea* const part = PG_GETARG_BYTEA_PP(1);
  const std::string_view bytes(VARDATA_ANY(part), VARSIZE_ANY_EXHDR(part));
  if (chooses_limit(call)) {
    add_part_of_choice(call, bytes);
    PG_RETURN_POINTER(call.units);
  }
  if (!is_shard_part(bytes, tag_of(call), buckets_of(call))) refuse_shard_part();
  const std::string_view state = state_in(bytes);
  if (tag_of(call) == Tag::points) {
    const auto* const points =
        static_cast<const PointsState*>(std::memcpy(palloc(state.size()), state.data(), state.size()));
    PG_RETURN_POINTER(combine_points(fcinfo, PG_ARGISNULL(0) ? nullptr : &own_state<PointsState>(fcinfo), *points));
  }
  if (PG_ARGISNULL(0)) {
    State* const first = new_state(fcinfo, state.size(), tag_of(call));
    PG_RETURN_POINTER(std::memcpy(static_cast<void*>(first), state.data(), state.size()));
  }
  void* const aligned = std::memcpy(palloc(state.size()), state.data(), state.size());
  auto* const total = reinterpret_cast<State*>(PG_GETARG_POINTER(0));
  if (!merge_states(*total, *static_cast<const State*>(aligned))) refuse_shard_part();
  pfree(aligned);
  PG_RETURN_POINTER(total);
}

// dp_shard_total_answer(internal) returns bigint, numeric, ...: what the aggregate returns that it stands for.
DP_SQL_FUNCTION(dp_shard_total_answer) {
  const auto& call = call_of<Call>(fcinfo);
  if (chooses_limit(call)) {
    choose_limit_of(call);
    const State* const total = call.by_bucket ? counts_of_group(call, 0) : &call.units->shares[call.share].total.state;
    fcinfo->args[0] = {PointerGetDatum(total), false};
  }
  return call.support->final(fcinfo);
}

}  // namespace dp::aggregate
