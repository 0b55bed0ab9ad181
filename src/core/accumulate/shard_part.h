// The state of the rows that one server has of a group, as bytes that another server reads.
//
// What is read came from outside: a server of another version, or one that somebody else rules. So its length, its
// version and the ranges of its numbers are looked at before anything is done with them. What passes can be added up
// without overflow and drawn from, whatever it is; that it is true nobody can see.
//
//   4 bytes  'dps' and the version of this form
//   4 bytes  the length of the state in words
//   words of 8 bytes, least first: the state as it is in memory (state.h), which begins with its tag
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/accumulate/state.h"

namespace dp::aggregate {

inline constexpr std::size_t kShardPartHead = 8;

// How many bytes the state takes; it is no sample.
std::size_t shard_part_bytes(const State& state);

void write_shard_part(const State& state, char* to);

// Whether these bytes are a state with that tag, whose numbers can be: of a histogram with so many buckets.
bool is_shard_part(std::string_view bytes, Tag tag, std::uint64_t buckets);

// Those of the state within them, which have been looked at.
inline std::string_view state_in(std::string_view part) { return part.substr(kShardPartHead); }

}  // namespace dp::aggregate
