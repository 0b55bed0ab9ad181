#include "core/accumulate/shard_part.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/accumulate/pairs.h"
#include "core/accumulate/points.h"

namespace dp::aggregate {
namespace {

static_assert(std::endian::native == std::endian::little, "words are written as they are in memory");

constexpr char kMagic[] = {'d', 'p', 's', 1};
constexpr char kMagicOfGroups[] = {'d', 'p', 'g', 1};
constexpr char kMagicOfChoice[] = {'d', 'p', 'c', 1};
constexpr std::size_t kWord = sizeof(std::uint64_t);

// Fewer rows than any server has, so that what many servers say adds up.
constexpr std::uint64_t kMostRows = std::uint64_t{1} << 50;

// The same of each of the states that the total under a limit is made of, of which there are up to 2 LimitScale::kMost.
constexpr std::uint64_t kMostRowsUnderLimit = std::uint64_t{1} << 43;

// A row adds so much at most: steps of means and moments, their squares, and whole numbers of sums; to the numbers of
// pairs, the product of a step of each column, or of their squares.
constexpr int kBitsOfSteps = 63;
constexpr int kBitsOfSquares = 64;
constexpr int kBitsOfProducts = 2 * kPairBits;
constexpr int kBitsOfSquaredProducts = 4 * kPairBits;

bool is_total(Uint128 total, std::uint64_t rows, int bits) { return total <= static_cast<Uint128>(rows) << bits; }

bool can_be(const CountState& state, std::uint64_t most) { return state.rows <= most; }

bool can_be(const SumState& state, std::uint64_t most) {
  const auto total = static_cast<Int128>(state.total);
  const Uint128 size = total < 0 ? -state.total : state.total;
  return is_total(size, most, kBitsOfSteps);
}

bool can_be(const MeanState& state, std::uint64_t most) {
  return state.rows <= most && is_total(state.total, state.rows, kBitsOfSteps);
}

bool can_be(const MomentsState& state, std::uint64_t most) {
  return state.rows <= most && is_total(state.total, state.rows, kBitsOfSteps) &&
         is_total(state.total_squares, state.rows, kBitsOfSquares);
}

bool can_be(const TotalsState& state, std::uint64_t most) {
  return state.rows <= most && is_total(state.total, state.rows, kBitsOfSteps) &&
         is_total(state.missing, state.rows, kBitsOfSteps);
}

bool can_be(const AllMomentsState& state, std::uint64_t most) {
  return state.rows <= most && is_total(state.total, state.rows, kBitsOfSteps) &&
         is_total(state.total_squares, state.rows, kBitsOfSquares) && is_total(state.missing, state.rows, kBitsOfSteps);
}

// Of pairs: what N and the other numbers, which a row adds to together, have at most.
template <class S>
bool can_be_pairs(const S& state, std::uint64_t most, int bits) {
  const auto fits = [&](Uint128 number) { return is_total(number, state.rows, bits); };
  return state.rows <= most && fits(state.missing) &&
         std::all_of(std::begin(state.numbers), std::end(state.numbers), fits);
}

bool can_be(const CovarianceState& state, std::uint64_t most) { return can_be_pairs(state, most, kBitsOfProducts); }

bool can_be(const RegressionState& state, std::uint64_t most) {
  return can_be_pairs(state, most, kBitsOfSquaredProducts);
}

template <class S>
bool can_be_one(std::string_view bytes, std::uint64_t most) {
  S state;
  if (bytes.size() != sizeof state) return false;
  std::memcpy(static_cast<void*>(&state), bytes.data(), sizeof state);
  return can_be(state, most);
}

std::uint64_t word_at(std::string_view bytes, std::size_t number) {
  std::uint64_t word;
  std::memcpy(&word, bytes.data() + number * kWord, kWord);
  return word;
}

bool can_be_histogram(std::string_view bytes, std::uint64_t buckets) {
  constexpr std::size_t kHead = sizeof(HistogramState) / kWord;
  if (buckets < 1 || buckets > kMaxBuckets || bytes.size() != HistogramState::bytes(buckets)) return false;
  if (word_at(bytes, 0) != static_cast<std::uint64_t>(Tag::histogram) || word_at(bytes, 1) != buckets) return false;
  for (std::uint64_t i = 0; i < buckets; ++i)
    if (word_at(bytes, kHead + i) > kMostRows) return false;
  return true;
}

// Of a state that begins with its tag, of a kind of fixed size.
bool is_fixed(std::string_view state, Tag tag, std::uint64_t most) {
  if (state.size() < sizeof(CountState) || word_at(state, 0) != static_cast<std::uint64_t>(tag)) return false;
  switch (tag) {
    case Tag::count:
      return can_be_one<CountState>(state, most);
    case Tag::sum:
      return can_be_one<SumState>(state, most);
    case Tag::mean:
      return can_be_one<MeanState>(state, most);
    case Tag::moments:
      return can_be_one<MomentsState>(state, most);
    case Tag::totals:
      return can_be_one<TotalsState>(state, most);
    case Tag::all_moments:
      return can_be_one<AllMomentsState>(state, most);
    case Tag::covariance:
      return can_be_one<CovarianceState>(state, most);
    case Tag::regression:
      return can_be_one<RegressionState>(state, most);
    default:
      break;
  }
  return false;
}

// What stands before the states of groups, or the units of bins, in words.
constexpr std::size_t kHeadOfGroups = 3;
constexpr std::size_t kHeadOfChoice = 4;

bool begins_with(std::string_view bytes, const char (&magic)[4], Tag tag, std::uint64_t groups) {
  return bytes.size() >= kHeadOfGroups * kWord && std::memcmp(bytes.data(), magic, sizeof magic) == 0 &&
         word_at(bytes, 1) == static_cast<std::uint64_t>(tag) && word_at(bytes, 2) == groups;
}

char* put_word(char* to, std::uint64_t word) {
  std::memcpy(to, &word, kWord);
  return to + kWord;
}

char* put_head(char* to, const char (&magic)[4], Tag tag, std::uint64_t groups) {
  std::uint64_t first = 0;
  std::memcpy(&first, magic, sizeof magic);
  return put_word(put_word(put_word(to, first), static_cast<std::uint64_t>(tag)), groups);
}

// How many units may have a magnitude in that bin, so that all of them at the largest limit below it add up.
std::uint64_t most_beyond(const LimitScale& scale, int bin) {
  const Uint128 below = bin == 0 ? Uint128{1} : scale.limit(bin - 1);
  return static_cast<std::uint64_t>(
      std::min<Uint128>(kMostRowsUnderLimit, (static_cast<Uint128>(kMostRowsUnderLimit) << kBitsOfSteps) / below));
}

bool can_be_beyond(std::uint64_t word, std::uint64_t most) {
  const auto units = static_cast<std::int64_t>(word);
  const std::uint64_t size = units < 0 ? -word : word;
  return size <= most;
}

// The last word is half empty where their number is odd.
bool can_be_points(std::string_view bytes, std::uint64_t points) {
  constexpr std::size_t kHead = sizeof(PointsState) / kWord;
  if (points < 1 || points > PointsState::kMost || bytes.size() < sizeof(PointsState)) return false;
  if (word_at(bytes, 0) != static_cast<std::uint64_t>(Tag::points)) return false;
  const std::uint64_t used = word_at(bytes, 1);
  if (used > kMostRows || bytes.size() != PointsState::bytes(used) || word_at(bytes, 3) != 0) return false;
  for (std::uint64_t i = 0; i < (used + 1) / 2; ++i) {
    const std::uint64_t two = word_at(bytes, kHead + i);
    if ((two & 0xffff'ffff) >= points || two >> 32 >= points) return false;
  }
  return true;
}

}  // namespace

std::size_t shard_part_bytes(const State& state) { return kShardPartHead + state_bytes(state); }

void write_shard_part(const State& state, char* to) {
  const std::size_t bytes = state_bytes(state);
  const auto words = static_cast<std::uint32_t>(bytes / kWord);
  std::memcpy(to, kMagic, sizeof kMagic);
  std::memcpy(to + sizeof kMagic, &words, sizeof words);
  if (state.tag == Tag::points) return write_points(static_cast<const PointsState&>(state), to + kShardPartHead);
  std::memcpy(to + kShardPartHead, &state, bytes);
}

bool is_shard_part(std::string_view bytes, Tag tag, std::uint64_t buckets) {
  std::uint32_t words;
  if (bytes.size() < kShardPartHead + sizeof(CountState)) return false;
  if (std::memcmp(bytes.data(), kMagic, sizeof kMagic) != 0) return false;
  std::memcpy(&words, bytes.data() + sizeof kMagic, sizeof words);
  const std::string_view state = state_in(bytes);
  if (state.size() != words * kWord) return false;
  if (tag == Tag::points) return can_be_points(state, buckets);
  return tag == Tag::histogram ? can_be_histogram(state, buckets) : is_fixed(state, tag, kMostRows);
}

std::size_t group_parts_bytes(Tag tag, std::uint64_t groups) {
  return kHeadOfGroups * kWord + groups * state_bytes(State{tag});
}

void write_group_parts(const AnyState* states, Tag tag, std::uint64_t groups, char* to) {
  to = put_head(to, kMagicOfGroups, tag, groups);
  const std::size_t bytes = state_bytes(State{tag});
  for (std::uint64_t group = 0; group < groups; ++group) std::memcpy(to + group * bytes, &states[group], bytes);
}

bool is_group_parts(std::string_view bytes, Tag tag, std::uint64_t groups) {
  if (!begins_with(bytes, kMagicOfGroups, tag, groups)) return false;
  const std::size_t of_group = state_bytes(State{tag});
  if (of_group == 0 || bytes.size() != group_parts_bytes(tag, groups)) return false;
  for (std::uint64_t group = 0; group < groups; ++group) {
    if (!is_fixed(bytes.substr(kHeadOfGroups * kWord + group * of_group, of_group), tag, kMostRows)) return false;
  }
  return true;
}

AnyState state_of_group(std::string_view parts, Tag tag, std::uint64_t group) {
  AnyState state{};
  const std::size_t bytes = state_bytes(State{tag});
  std::memcpy(static_cast<void*>(&state), parts.data() + kHeadOfGroups * kWord + group * bytes, bytes);
  return state;
}

namespace {

std::size_t bins_of(const LimitScale& scale) { return static_cast<std::size_t>(scale.size()) + 1; }

// Where the totals of the groups begin.
std::size_t totals_at(const LimitScale& scale) { return (kHeadOfChoice + bins_of(scale)) * kWord; }

// The totals of one group: units beyond each limit, then states, of which those have a tag that were added to.
bool can_be_totals(std::string_view totals, const LimitScale& scale, Tag tag) {
  for (std::size_t bin = 0; bin < bins_of(scale); ++bin) {
    if (!can_be_beyond(word_at(totals, bin), most_beyond(scale, static_cast<int>(bin)))) return false;
  }
  const std::size_t bytes = state_bytes(State{tag});
  for (std::size_t at = bins_of(scale) * kWord; at < totals.size(); at += bytes) {
    const std::string_view state = totals.substr(at, bytes);
    const bool empty = state.find_first_not_of('\0') == std::string_view::npos;
    if (!empty && !is_fixed(state, tag, kMostRowsUnderLimit)) return false;
  }
  return true;
}

}  // namespace

std::size_t choice_part_bytes(const LimitScale& scale, Tag tag, std::uint64_t groups) {
  return totals_at(scale) + groups * LimitedTotals::bytes(scale, tag);
}

void write_choice_part(const LimitScale& scale, Tag tag, std::uint64_t groups, const std::uint64_t* units,
                       const char* totals, char* to) {
  to = put_word(put_head(to, kMagicOfChoice, tag, groups), static_cast<std::uint64_t>(scale.size()));
  std::memcpy(to, units, bins_of(scale) * kWord);
  to += bins_of(scale) * kWord;
  const std::size_t bytes = groups * LimitedTotals::bytes(scale, tag);
  totals != nullptr ? std::memcpy(to, totals, bytes) : std::memset(to, 0, bytes);
}

bool is_choice_part(std::string_view bytes, const LimitScale& scale, Tag tag, std::uint64_t groups) {
  if (!begins_with(bytes, kMagicOfChoice, tag, groups) || state_bytes(State{tag}) == 0) return false;
  if (bytes.size() != choice_part_bytes(scale, tag, groups)) return false;
  if (word_at(bytes, kHeadOfChoice - 1) != static_cast<std::uint64_t>(scale.size())) return false;
  for (std::size_t bin = 0; bin < bins_of(scale); ++bin) {
    if (word_at(bytes, kHeadOfChoice + bin) > kMostRows) return false;
  }
  const std::size_t of_group = LimitedTotals::bytes(scale, tag);
  for (std::uint64_t group = 0; group < groups; ++group) {
    if (!can_be_totals(bytes.substr(totals_at(scale) + group * of_group, of_group), scale, tag)) return false;
  }
  return true;
}

void add_choice_part(std::string_view part, const LimitScale& scale, Tag tag, std::uint64_t groups,
                     std::uint64_t* units, char* totals) {
  for (std::size_t bin = 0; bin < bins_of(scale); ++bin) units[bin] += word_at(part, kHeadOfChoice + bin);
  const std::size_t of_group = LimitedTotals::bytes(scale, tag);
  for (std::uint64_t group = 0; group < groups; ++group) {
    LimitedTotals(scale, tag, totals + group * of_group).add_all(part.data() + totals_at(scale) + group * of_group);
  }
}

}  // namespace dp::aggregate
