// Aggregates over rows of several servers: each server makes a part of its rows, another one adds the parts up.
//
//   dp_internal.shard_part(<arguments of the aggregate>, 'name(types)') returns bytea
//   dp_internal.shard_<type>(part, <arguments of the aggregate, NULL for the value>, aggregate) returns <type>
// Both stand for another aggregate, the private one that was asked: they check its parameters and run its transition
// and its final function. A part is the exact state of rows of one group (core/accumulate/shard_part.h): no noise is in
// it, no limit, and no setting. So shard_part() may be called by itself, by whoever may read the rows. It names its
// aggregate by a text, for numbers of functions are others on another server. What adds up and draws noise is called
// below a gate alone.
//
// Where all rows of a privacy unit are on one server, that one limits them, and its part is what counts of its units:
//   dp_internal.shard_units(value, unit, <the other arguments of the aggregate>, rows, 'name(types)') returns bytea
// It keeps units as dp_internal.units_<type> does (unit_aggregates.h), of rows that are one group. Whether they are on
// one server is no matter of this function: guard/unit_limit/shard_bounds.h. Where `rows` is 0 the limit is chosen by
// the other server, and the part has the totals under each that may be. By groups: shard_groups.h.
#pragma once

#include "aggregate/call/call.h"

namespace dp::aggregate {

extern "C" {
DP_EXPORT Datum dp_shard_part_add(FunctionCallInfo fcinfo);
DP_EXPORT Datum dp_shard_part_answer(FunctionCallInfo fcinfo);
DP_EXPORT Datum dp_shard_units_answer(FunctionCallInfo fcinfo);
DP_EXPORT Datum dp_shard_total_add(FunctionCallInfo fcinfo);
DP_EXPORT Datum dp_shard_total_answer(FunctionCallInfo fcinfo);
}

// The text by which shard_part() names that aggregate, and the aggregate of such a text; InvalidOid: it names none.
const char* name_of_aggregate(Oid aggregate);
Oid aggregate_named(const char* name);

// A call of shard_part() with the number in place of the text; the call itself where it has no text.
const Aggref* numbered(const Aggref* part);

// Whether the calls of shard_units() in a node may be run, by whoever calls them: their rows are one group, and they
// are about one unit, of a type whose values are told apart by their bytes.
bool makes_part_of_units(const AggState* node);

// Raises XX001: what another server sent is no part.
[[noreturn]] void refuse_shard_part();

// Whether answers of that aggregate are made of parts of servers: its state is one that these can ship.
bool is_made_of_shards(Oid aggregate);

}  // namespace dp::aggregate
