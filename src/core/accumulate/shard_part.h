// The state of the rows that one server has of a group, as bytes that another server reads.
//
// What is read came from outside: a server of another version, or one that somebody else rules. So its length, its
// version and the ranges of its numbers are looked at before anything is done with them. What passes can be added up
// without overflow and drawn from, whatever it is; that it is true nobody can see.
//
//   4 bytes  'dps' and the version of this form
//   4 bytes  the length of the state in words
//   words of 8 bytes, least first: the state as it is in memory (state.h), which begins with its tag
//
// Of all groups of a question at once, and where a limit is chosen once all units are known:
//   4 bytes  'dpg' and the version; or 'dpc' and the version
//   4 bytes  0
//   words of 8 bytes: the tag, how many groups there are, then
//     the state of each group, in the order of their numbers; or
//     how many limits there are to choose from, the units in each bin, and the LimitedTotals of each group
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/accumulate/limited_totals.h"
#include "core/accumulate/state.h"

namespace dp::aggregate {

inline constexpr std::size_t kShardPartHead = 8;

// How many bytes the state takes; it is no sample, and no point of it is in a file.
std::size_t shard_part_bytes(const State& state);

void write_shard_part(const State& state, char* to);

// Whether these bytes are a state with that tag, whose numbers can be: of a histogram with so many buckets,
// or of points below that.
bool is_shard_part(std::string_view bytes, Tag tag, std::uint64_t buckets);

// Those of the state within them, which have been looked at.
inline std::string_view state_in(std::string_view part) { return part.substr(kShardPartHead); }

// The same of so many groups, whose states lie one behind the other in `states`, each in the room of the largest.
std::size_t group_parts_bytes(Tag tag, std::uint64_t groups);
void write_group_parts(const AnyState* states, Tag tag, std::uint64_t groups, char* to);
bool is_group_parts(std::string_view bytes, Tag tag, std::uint64_t groups);
AnyState state_of_group(std::string_view parts, Tag tag, std::uint64_t group);

// The same of what a limit of that scale is chosen from: the units in each of its bins, and the totals under each of
// its limits, of the groups one behind the other; nullptr: nothing was added to any.
std::size_t choice_part_bytes(const LimitScale& scale, Tag tag, std::uint64_t groups);
void write_choice_part(const LimitScale& scale, Tag tag, std::uint64_t groups, const std::uint64_t* units,
                       const char* totals, char* to);
bool is_choice_part(std::string_view bytes, const LimitScale& scale, Tag tag, std::uint64_t groups);

// Adds such a part, which has been looked at, to these.
void add_choice_part(std::string_view part, const LimitScale& scale, Tag tag, std::uint64_t groups,
                     std::uint64_t* units, char* totals);

}  // namespace dp::aggregate
