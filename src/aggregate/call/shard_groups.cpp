#include "aggregate/call/shard_groups.h"

#include <utility>

#include "aggregate/call/group_aggregates.h"
#include "aggregate/call/shard_aggregates.h"
#include "aggregate/unit/group_states.h"
#include "core/accumulate/shard_part.h"
#include "pg/errors.h"
#include "pg/planner.h"

namespace dp::aggregate {
namespace {

bytea* room_for(std::size_t bytes) {
  auto* const part = static_cast<bytea*>(MemoryContextAllocHuge(CurrentMemoryContext, VARHDRSZ + bytes));
  SET_VARSIZE(part, VARHDRSZ + bytes);
  return part;
}

const UnitShare& share_of(const Call& call) { return call.units->shares[call.share]; }

}  // namespace

bool makes_parts_of_groups(const AggState* node) {
  const auto* const plan = reinterpret_cast<const Agg*>(node->ss.ps.plan);
  if (plan->aggstrategy != AGG_PLAIN || plan->groupingSets != NIL || node->numaggs != node->numtrans) return false;
  for (int i = 0; i < node->numaggs; ++i) {
    const PGFunction final = node->peragg[i].finalfn.fn_addr;
    if (node->peragg[i].transno != i || final != (i == 0 ? dp_shard_row_answer : dp_shard_groups_answer)) return false;
  }
  const List* const arguments = node->peragg[0].aggref->args;
  if (list_length(arguments) < 6) return false;
  auto* const unit = reinterpret_cast<Node*>(lsecond_node(TargetEntry, arguments)->expr);
  return are_told_by_bytes(exprType(unit), exprCollation(unit));
}

std::int64_t rows_for_servers(std::uint32_t rows_per_group, bool chosen, int family) {
  const auto rows = static_cast<std::int64_t>(rows_per_group);
  return chosen ? -(static_cast<std::int64_t>(family) << 32 | rows) : rows;
}

bool take_rows_for_server(Call* call, std::int64_t rows) {
  constexpr std::int64_t kMostFamilies = MaxTupleAttributeNumber;
  const bool chosen = rows <= 0;
  if (rows < -(kMostFamilies << 32) || rows > PG_INT32_MAX) return false;
  const std::int64_t number = chosen ? -rows : rows;
  call->unit_rows = static_cast<std::uint32_t>(number);
  if (!chosen) return true;
  call->family = static_cast<int>(number >> 32);
  call->limit_epsilon = kChosenElsewhere;
  return call->unit_rows <= PG_INT32_MAX;
}

// How many units are in each bin goes with the first part of a family that is made: where no row is in an arm, it has
// none.
bytea* part_of_choice(const Call& call) {
  LimitChoice& choice = *share_of(call).choice;
  constexpr std::uint64_t kNone[LimitScale::kMost + 1] = {};
  const std::uint64_t* const units = std::exchange(choice.sent, true) ? kNone : choice.units;
  bytea* const part = room_for(choice_part_bytes(choice.scale, choice.tag, choice.groups));
  write_choice_part(choice.scale, choice.tag, choice.groups, units, choice.totals_of_arm(share_of(call).arm),
                    VARDATA(part));
  return part;
}

void add_part_of_choice(const Call& call, std::string_view part) {
  LimitChoice& choice = *share_of(call).choice;
  if (!is_choice_part(part, choice.scale, choice.tag, choice.groups)) refuse_shard_part();
  choice.begin();
  add_choice_part(part, choice.scale, choice.tag, choice.groups, choice.units,
                  choice.totals_of_arm(share_of(call).arm));
}

// dp_shard_row_answer(internal) returns bigint: how many groups there are; NULL where no row came.
DP_SQL_FUNCTION(dp_shard_row_answer) {
  const auto& call = call_of<Call>(fcinfo);
  if (call.units->group_states != nullptr) call.units->group_states->finish();
  if (call.units->groups == 0) PG_RETURN_NULL();
  PG_RETURN_INT64(static_cast<std::int64_t>(call.units->groups));
}

// dp_shard_groups_answer(internal) returns bytea: the totals of all groups; NULL where no row counts.
DP_SQL_FUNCTION(dp_shard_groups_answer) {
  const auto& call = call_of<Call>(fcinfo);
  const UnitShare& share = share_of(call);
  if (PG_ARGISNULL(0) || share.by_group == nullptr) PG_RETURN_NULL();
  if (share.choice != nullptr) PG_RETURN_BYTEA_P(part_of_choice(call));
  const std::uint64_t groups = call.units->groups;
  const Tag tag = call.units->tags[call.share];
  bytea* const part = room_for(group_parts_bytes(tag, groups));
  write_group_parts(share.by_group, tag, groups, VARDATA(part));
  PG_RETURN_BYTEA_P(part);
}

// dp_shard_groups_add(internal, VARIADIC "any") returns internal: the first argument is what shard_groups() gave, the
// second what shard_row() did.
DP_SQL_FUNCTION(dp_shard_groups_add) {
  const auto& call = call_of<Call>(fcinfo);
  if (PG_ARGISNULL(1)) return same_state(fcinfo);
  const UnitShare& share = share_of(call);
  const std::uint64_t groups = call.units->groups;
  if (share.by_group == nullptr) elog(ERROR, "totals of groups came before it was said which there are");
  if (PG_ARGISNULL(2) || static_cast<std::uint64_t>(PG_GETARG_INT64(2)) != groups) refuse_shard_part();
  const bytea* const sent = PG_GETARG_BYTEA_PP(1);
  const std::string_view part(VARDATA_ANY(sent), VARSIZE_ANY_EXHDR(sent));
  const Tag tag = call.units->tags[call.share];
  if (share.choice != nullptr) {
    add_part_of_choice(call, part);
  } else {
    if (!is_group_parts(part, tag, groups)) refuse_shard_part();
    for (std::uint64_t group = 0; group < groups; ++group)
      merge_states(share.by_group[group].state, state_of_group(part, tag, group).state);
  }
  PG_RETURN_POINTER(call.units);
}

}  // namespace dp::aggregate
