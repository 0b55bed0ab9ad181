// Aggregates over privacy units with many rows: parts and totals, and both in one.
//
// A query over units is computed in two steps, as partial aggregation is: dp_internal.unit_part(...) makes the state of
// the rows of one unit in one group, and dp_internal.unit_bigint(...), dp_internal.unit_numeric(...),
// dp_internal.unit_float8(...) add up what such states may contribute (unit_state.h) and give the answer. Both stand
// for another aggregate, the private one that was asked, whose number is their last argument: they check its
// parameters, run its transition and its final function. The guard writes them into queries (guard/unit_limit/units.h);
// below no gate they refuse.
//   dp_internal.unit_part(<arguments of the aggregate>, aggregate) returns bytea
//   dp_internal.unit_<type>(part, rows, <arguments of the aggregate, NULL for the value>, aggregate) returns <type>
// A part of an aggregate over buckets keeps some rows, chosen at random (unit_sample.h). How many is an argument of
// unit_part before the last one.
//
// Where all rows are one group and units are told apart by their bytes, one aggregate does both, much faster: it keeps
// the states of the units itself, together with the other aggregates of its node (unit_states.h).
//   dp_internal.units_<type>([value,] unit, <the other arguments of the aggregate>, rows, aggregate) returns <type>
// with two values where it is about pairs.
// It runs in parallel (ship_units.cpp). `rows` may count of a unit.
// Groups that are known beforehand are kept so as well (group_aggregates.h).
#pragma once

#include "aggregate/call/call.h"

namespace dp::aggregate {

extern "C" {
DP_EXPORT Datum dp_part_add(FunctionCallInfo fcinfo);
DP_EXPORT Datum dp_part_answer(FunctionCallInfo fcinfo);
DP_EXPORT Datum dp_total_add(FunctionCallInfo fcinfo);
DP_EXPORT Datum dp_total_answer(FunctionCallInfo fcinfo);
DP_EXPORT Datum dp_units_add(FunctionCallInfo fcinfo);
DP_EXPORT Datum dp_units_answer(FunctionCallInfo fcinfo);
DP_EXPORT Datum dp_units_combine(FunctionCallInfo fcinfo);
DP_EXPORT Datum dp_units_serialize(FunctionCallInfo fcinfo);
DP_EXPORT Datum dp_units_deserialize(FunctionCallInfo fcinfo);
}

// How an aggregate function of the catalog is run.
enum class Stage : std::uint8_t {
  whole,
  part,
  total,
  units,
  row_of_groups,
  groups,
  shard_part,
  shard_total,
  shard_groups
};
Stage stage_of(PGFunction transition);

// Lets these calls (Call*), all of one node and of Stage::units, keep the states of units together. They have been
// prepared; not empty. `parameters`: of the plan.
void keep_units_together(List* calls, ParamListInfo parameters);

// Lets these calls, those of a node that adds rows, read the columns of a row themselves (row_columns.h), where all of
// them can. True where they do; then the node's expressions must be built again.
bool read_columns(AggState* node, const List* calls);

// Makes these calls the aggregates of that group, which has none yet.
void share_units(UnitGroup* group, List* calls);

// How many values stand before the unit in such a call; its last argument is a number.
int values_before_unit(const Aggref* over_units);

// The arguments of the aggregate that an Aggref of that kind stands for.
Arguments arguments_of(Stage stage, const Aggref* aggref, PlanState* node);

}  // namespace dp::aggregate
