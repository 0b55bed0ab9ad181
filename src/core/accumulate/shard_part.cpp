#include "core/accumulate/shard_part.h"

#include <bit>
#include <cstring>

namespace dp::aggregate {
namespace {

static_assert(std::endian::native == std::endian::little, "words are written as they are in memory");

constexpr char kMagic[] = {'d', 'p', 's', 1};
constexpr std::size_t kWord = sizeof(std::uint64_t);

// Fewer rows than any server has, so that what many servers say adds up.
constexpr std::uint64_t kMostRows = std::uint64_t{1} << 50;

// A row adds so much at most: steps of means and moments, their squares, and whole numbers of sums.
constexpr int kBitsOfSteps = 63;
constexpr int kBitsOfSquares = 64;

bool is_total(Uint128 total, std::uint64_t rows, int bits) { return total <= static_cast<Uint128>(rows) << bits; }

bool can_be(const CountState& state) { return state.rows <= kMostRows; }

bool can_be(const SumState& state) {
  const auto total = static_cast<Int128>(state.total);
  const Uint128 size = total < 0 ? -state.total : state.total;
  return is_total(size, kMostRows, kBitsOfSteps);
}

bool can_be(const MeanState& state) {
  return state.rows <= kMostRows && is_total(state.total, state.rows, kBitsOfSteps);
}

bool can_be(const MomentsState& state) {
  return state.rows <= kMostRows && is_total(state.total, state.rows, kBitsOfSteps) &&
         is_total(state.total_squares, state.rows, kBitsOfSquares);
}

bool can_be(const TotalsState& state) {
  return state.rows <= kMostRows && is_total(state.total, state.rows, kBitsOfSteps) &&
         is_total(state.missing, state.rows, kBitsOfSteps);
}

bool can_be(const AllMomentsState& state) {
  return state.rows <= kMostRows && is_total(state.total, state.rows, kBitsOfSteps) &&
         is_total(state.total_squares, state.rows, kBitsOfSquares) && is_total(state.missing, state.rows, kBitsOfSteps);
}

template <class S>
bool can_be_one(std::string_view bytes) {
  S state;
  if (bytes.size() != sizeof state) return false;
  std::memcpy(static_cast<void*>(&state), bytes.data(), sizeof state);
  return can_be(state);
}

std::uint64_t word_at(std::string_view bytes, std::size_t number) {
  std::uint64_t word;
  std::memcpy(&word, bytes.data() + number * kWord, kWord);
  return word;
}

bool can_be_histogram(std::string_view bytes, std::uint64_t buckets) {
  constexpr std::size_t kHead = sizeof(HistogramState) / kWord;
  if (buckets < 1 || buckets > kMaxBuckets || bytes.size() != HistogramState::bytes(buckets)) return false;
  if (word_at(bytes, 1) != buckets) return false;
  for (std::uint64_t i = 0; i < buckets; ++i)
    if (word_at(bytes, kHead + i) > kMostRows) return false;
  return true;
}

}  // namespace

std::size_t shard_part_bytes(const State& state) { return kShardPartHead + state_bytes(state); }

void write_shard_part(const State& state, char* to) {
  const std::size_t bytes = state_bytes(state);
  const auto words = static_cast<std::uint32_t>(bytes / kWord);
  std::memcpy(to, kMagic, sizeof kMagic);
  std::memcpy(to + sizeof kMagic, &words, sizeof words);
  std::memcpy(to + kShardPartHead, &state, bytes);
}

bool is_shard_part(std::string_view bytes, Tag tag, std::uint64_t buckets) {
  std::uint32_t words;
  if (bytes.size() < kShardPartHead + sizeof(CountState)) return false;
  if (std::memcmp(bytes.data(), kMagic, sizeof kMagic) != 0) return false;
  std::memcpy(&words, bytes.data() + sizeof kMagic, sizeof words);
  const std::string_view state = state_in(bytes);
  if (state.size() != words * kWord || word_at(state, 0) != static_cast<std::uint64_t>(tag)) return false;
  switch (tag) {
    case Tag::count:
      return can_be_one<CountState>(state);
    case Tag::sum:
      return can_be_one<SumState>(state);
    case Tag::mean:
      return can_be_one<MeanState>(state);
    case Tag::moments:
      return can_be_one<MomentsState>(state);
    case Tag::totals:
      return can_be_one<TotalsState>(state);
    case Tag::all_moments:
      return can_be_one<AllMomentsState>(state);
    case Tag::histogram:
      return can_be_histogram(state, buckets);
    default:
      break;
  }
  return false;
}

}  // namespace dp::aggregate
