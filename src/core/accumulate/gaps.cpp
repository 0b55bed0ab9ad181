#include "core/accumulate/gaps.h"

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>

#include "core/accumulate/candidates.h"
#include "core/accumulate/quantiles.h"
#include "core/noise/interrupt.h"
#include "core/noise/primitives.h"
#include "core/noise/selection.h"

namespace dp::aggregate {
namespace {

using noise::Utility;

// Each point of a choice whose rows are parted afterwards is so many candidates.
constexpr std::uint64_t kPartsOfGap = 256;

constexpr unsigned kShells = 96;

using Mass = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<
    512, 512, boost::multiprecision::unsigned_magnitude, boost::multiprecision::checked, void>>;

// The whole numbers k den/num, rounded up, for k = 1, 2, ...; none larger than kFar, beyond which there is no rank.
class Distances {
 public:
  explicit Distances(const noise::Ratio& rate)
      : whole_(std::min(rate.den / rate.num, kFar)), rest_(rate.den % rate.num), num_(rate.num) {}

  Uint128 next() {
    sum_ += whole_;
    rests_ += rest_;
    if (rests_ >= num_) {
      rests_ -= num_;
      ++sum_;
    }
    return std::min(sum_ + (rests_ > 0 ? 1 : 0), kFar);
  }

 private:
  static constexpr Uint128 kFar = Uint128{1} << 112;
  Uint128 whole_, rest_, num_;
  Uint128 sum_ = 0, rests_ = 0;
};

// How many candidates lie as far as a shell or farther, on either side.
struct Shell {
  std::uint64_t low;
  std::uint64_t high;
  std::uint64_t size() const { return low + high; }
};

class Choice {
 public:
  // `rank`: from 0 to all ranks. Then the best candidates have utility 0, and one that is less far leaves out what all
  // have.
  Choice(const Candidates& candidates, Uint128 rank, std::uint64_t unit, const noise::Ratio& rate)
      : candidates_(candidates), rank_(rank), unit_(unit), rate_(rate) {
    const std::uint64_t size = candidates_.size();
    Distances distances(rate);
    for (unsigned k = 1; k <= kShells; ++k) {
      const Uint128 far = distances.next();
      const std::uint64_t low = rank < far ? 0 : candidates_.with_through((rank - far) / unit);
      const std::uint64_t high = size - candidates_.with_before((rank + far - 1) / unit);
      farther_[k] = {low, high};
      if (farther_[k].size() == 0) break;
    }
    for (unsigned k = 0; k <= kShells; ++k) {
      masses_[k] = (Mass(shell_size(k)) * boost::multiprecision::pow(Mass(3), k)) << 3 * (kShells - k);
      all_ += masses_[k];
    }
  }

  std::uint64_t draw(noise::BitSource& bits) const {
    for (;;) {
      const unsigned k = propose_shell(bits);
      const std::uint64_t candidate = in_shell(k, static_cast<std::uint64_t>(noise::below(bits, shell_size(k))));
      bool taken = true;
      for (unsigned i = 0; taken && i < k; ++i) taken = noise::bernoulli_eight_over_three_e(bits);
      if (!taken) continue;
      const Uint128 beyond = noise::checked_mul(distance(candidate), rate_.num) - noise::checked_mul(k, rate_.den);
      if (noise::bernoulli_exp<Uint128>(bits, beyond, rate_.den)) return candidate;
    }
  }

 private:
  // Of the last one, all that is there or farther.
  std::uint64_t shell_size(unsigned k) const {
    if (k == 0) return candidates_.size() - farther_[1].size();
    return k == kShells ? farther_[k].size() : farther_[k].size() - farther_[k + 1].size();
  }

  unsigned propose_shell(noise::BitSource& bits) const {
    Mass left = all_;
    for (unsigned k = 0; k < kShells; ++k) {
      if (noise::bernoulli(bits, masses_[k], left)) return k;
      left -= masses_[k];
    }
    return kShells;
  }

  // The first candidates of a shell are below the rank, the others above it.
  std::uint64_t in_shell(unsigned k, std::uint64_t number) const {
    if (k == 0) return farther_[1].low + number;
    const std::uint64_t first = k == kShells ? 0 : farther_[k + 1].low;
    const std::uint64_t low = farther_[k].low - first;
    return number < low ? first + number : candidates_.size() - farther_[k].high + (number - low);
  }

  Uint128 distance(std::uint64_t candidate) const {
    const auto [before, through] = candidates_.ranks(candidate);
    if (before * unit_ > rank_) return before * unit_ - rank_;
    return through * unit_ < rank_ ? rank_ - through * unit_ : 0;
  }

  const Candidates& candidates_;
  Uint128 rank_;
  std::uint64_t unit_;
  noise::Ratio rate_;
  std::array<Shell, kShells + 1> farther_{};
  std::array<Mass, kShells + 1> masses_;
  Mass all_ = 0;
};

class GapQuantiles {
 public:
  GapQuantiles(const SortedPoints& rows, std::span<const Fraction> fractions, mechanism::Epsilon round,
               noise::Uint128 at_once, noise::BitSource& bits)
      : rows_(rows), fractions_(fractions), round_(round), at_once_(at_once), bits_(bits), points_(fractions.size()) {}

  // Those from `from` to before `to`, which lie in the stretch: of all rows the fractions between `low` and `high`.
  void find(std::size_t from, std::size_t to, const Stretch& stretch, Fraction low, Fraction high) {
    if (from == to) return;
    noise::check_interrupt();
    const std::size_t middle = from + (to - from) / 2;
    const Fraction fraction = fraction_within(fractions_[middle], low, high);
    const std::uint64_t parts = to - from == 1 ? 1 : kPartsOfGap;
    constexpr Utility kOne = Fraction::kPerUnit;
    const Utility rank = (static_cast<Utility>(stretch.rows()) - 1) * fraction.nano + kOne / 2;
    const auto rate = round_.per(noise::checked_mul(noise::checked_mul(fraction.range(), at_once_), parts));
    const ChosenPoint chosen =
        choose_by_rank(rows_, stretch, rank * static_cast<Utility>(parts), Fraction::kPerUnit, parts, rate, bits_);
    points_[middle] = chosen.point;
    find(from, middle, {stretch.begin, chosen.row, stretch.first, chosen.point}, low, fractions_[middle]);
    find(middle + 1, to, {chosen.row, stretch.end, chosen.point, stretch.last}, fractions_[middle], high);
  }

  std::vector<std::int64_t> points() && { return std::move(points_); }

 private:
  const SortedPoints& rows_;
  std::span<const Fraction> fractions_;
  mechanism::Epsilon round_;
  noise::Uint128 at_once_;
  noise::BitSource& bits_;
  std::vector<std::int64_t> points_;
};

}  // namespace

ChosenPoint choose_by_rank(const SortedPoints& rows, const Stretch& stretch, Utility rank, std::uint64_t unit,
                           std::uint64_t parts, const noise::Ratio& rate, noise::BitSource& bits) {
  const Candidates candidates(rows, stretch, parts);
  const auto most = static_cast<Utility>(candidates.all_ranks() * unit);
  const Choice choice(candidates, static_cast<Uint128>(std::clamp<Utility>(rank, 0, most)), unit, rate);
  return candidates.chosen(choice.draw(bits));
}

std::vector<std::int64_t> quantiles_in_gaps(const SortedPoints& rows, std::int64_t last,
                                            std::span<const Fraction> fractions, mechanism::Epsilon epsilon,
                                            noise::Uint128 at_once, noise::BitSource& bits) {
  GapQuantiles quantiles(rows, fractions, epsilon_of_round(epsilon, fractions.size()), at_once, bits);
  quantiles.find(0, fractions.size(), {0, rows.size(), 0, last}, {0}, {Fraction::kPerUnit});
  return std::move(quantiles).points();
}

}  // namespace dp::aggregate
