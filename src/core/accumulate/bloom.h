// Bloom filters of values, and how many people have which value by the bits of their filters.
//
// A value sets `hashes` different bits of `bits`, found by its bytes; no value at all sets none. So two filters differ
// in 2 * hashes bits at most, and reports whose bits are randomised at odds E each lose 2 * hashes * ln E. The hash is
// public and no part of the promise; it is the same for ever, so that reports of years can be counted together.
//
// Let b be the estimated numbers of people with each bit set (response.h), x_v the filter of a candidate v. Least
// squares over b = sum of t_v x_v + s 1, in which s stands for people with none of the candidates, whose filters set
// each bit with probability hashes / bits, gives t = (X'X)^-1 X'b with X = (1, x_1, x_2, ...). The errors of b are
// independent and of one size, so t_v has that size times the root of the diagonal of (X'X)^-1.
//
// Sources: Bloom (1970); Erlingsson, Pihur, Korolova, "RAPPOR" (2014), whose permanent response this is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/accumulate/response.h"

namespace dp::aggregate {

// What a filter may be: 1 <= hashes < bits.
inline constexpr int kMostHashes = 64;
inline constexpr int kMostReportBits = 16'384;
inline constexpr int kMostCandidates = 1'000;

struct BloomShape {
  int bits;
  int hashes;
};

// The bits that the value sets: their numbers in ascending order.
std::vector<int> bloom_bits(std::string_view value, BloomShape shape);

// Fills `inverse`, of (n+1)^2 numbers by rows, with (X'X)^-1 for n candidates, given by their bits. Returns the number
// of the first candidate whose filter follows from those before it, or n where there is none and `inverse` is right.
std::size_t invert_bloom(std::span<const std::vector<int>> candidates, BloomShape shape, std::span<double> inverse);

// How many people have each candidate, from reports of which bit i was set in counts[i], all of them randomised at
// these odds.
std::vector<ResponseEstimate> estimate_candidates(std::span<const std::vector<int>> candidates,
                                                  std::span<const double> inverse,
                                                  std::span<const std::uint64_t> counts, std::uint64_t reports,
                                                  noise::Odds odds);

}  // namespace dp::aggregate
