// Groups of privacy units on other servers: where all rows of a unit are on one server, that one shares the unit's
// limits among its groups, as group_aggregates.h does it, and sends the totals of all groups at once.
//
//   dp_internal.shard_row(key, unit, further keys..., rows, groups, rows_per_group, keys) returns bigint
//   dp_internal.shard_groups(<arguments of the aggregate>, rows, 'name(types)') returns bytea
// in one node without GROUP BY, the first one first; `keys` is what server_keys.h sends. `rows` is how many of a unit
// count in a group; where it is 0 or less the limit is chosen by the other server, and the totals under each limit are
// sent (rows_for_servers()). There, with a row of NULLs from dp_internal.units_row() beside it,
//   dp_internal.shard_groups_<type>(part, shard_row(), <arguments of the aggregate, NULL for the value>, aggregate)
// adds them up, and the release node asks for the answer of each group.
#pragma once

#include "aggregate/call/call.h"

namespace dp::aggregate {

extern "C" {
DP_EXPORT Datum dp_shard_row_answer(FunctionCallInfo fcinfo);
DP_EXPORT Datum dp_shard_groups_answer(FunctionCallInfo fcinfo);
DP_EXPORT Datum dp_shard_groups_add(FunctionCallInfo fcinfo);
}

// Of which limit another server chooses, nothing is known here but that it does.
inline constexpr mechanism::Epsilon kChosenElsewhere{1};

// Whether the calls of shard_row() and shard_groups() in a node may be run, by whoever calls them: their rows are one
// group of it, nothing else is beside them, and units are told apart by their bytes.
bool makes_parts_of_groups(const AggState* node);

// What stands in the place of `rows` in a question to a server: of an aggregate to which a unit contributes so many
// rows in a group (0: any number); and where its limit is chosen, of which family it is (limit_choice.h; 0: of none).
std::int64_t rows_for_servers(std::uint32_t rows_per_group, bool chosen, int family);

// Whether it is such a number of a limit that is chosen, of any number of rows.
constexpr bool is_chosen_elsewhere(std::int64_t rows) { return rows <= 0 && rows % (std::int64_t{1} << 32) == 0; }

// The same read: of a call that limits units here for another server. False where it is no such number.
bool take_rows_for_server(Call* call, std::int64_t rows);

// What the call's limit is chosen from, as a part of this server; and such a part added to it. Raises XX001 where it is
// none.
bytea* part_of_choice(const Call& call);
void add_part_of_choice(const Call& call, std::string_view part);

}  // namespace dp::aggregate
