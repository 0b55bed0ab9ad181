#include "core/accumulate/quantiles_together.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/accumulate/candidates.h"
#include "core/accumulate/rank_bins.h"
#include "core/mechanism/error.h"
#include "core/noise/discrete_laplace.h"
#include "core/noise/enclosed.h"
#include "core/noise/interrupt.h"
#include "core/noise/primitives.h"
#include "core/number/above.h"

namespace dp::aggregate {
namespace {

using noise::Integer;
using Uint128 = noise::Weight;

constexpr std::uint64_t kRow = Fraction::kPerUnit;

Integer widen(Uint128 value) {
  return Integer(static_cast<std::uint64_t>(value >> 64)) << 64 | static_cast<std::uint64_t>(value);
}

// Bounds from above of e^{x} and e^{-x}, x in parts of 2^-32.
class Exponentials {
 public:
  Exponentials() {
    for (int k = 0; k < kDirect; ++k) {
      up_.push_back(Above::above(exp(ldexp(Real(1), k - kPoint))));
      down_.push_back(Above::above(exp(-ldexp(Real(1), k - kPoint))));
    }
    for (int k = kDirect; k < kBits; ++k) {
      up_.push_back(up_.back() * up_.back());
      down_.push_back(down_.back() * down_.back());
    }
  }

  static constexpr int kPoint = 32;

  // Of x between below and above.
  Above up(Uint128 above) const { return product(up_, above); }
  Above down(Uint128 below) const { return product(down_, below); }

 private:
  static constexpr int kDirect = 61, kBits = 80;

  static Above product(const std::vector<Above>& powers, Uint128 exponent) {
    Above result = Above::quotient(1, 1);
    for (std::size_t k = 0; exponent != 0; ++k, exponent >>= 1) {
      if (exponent & 1) result = result * powers.at(k);
    }
    return result;
  }

  std::vector<Above> up_, down_;
};

// e^{c x} and e^{-c x}, for x in 1/unit rows.
struct Slopes {
  Above up;
  Above down;
};

class Steepness {
 public:
  Steepness(const noise::Ratio& rate, Uint128 unit) : num_(widen(rate.num)), den_(widen(rate.den) * widen(unit)) {}

  Slopes of(Uint128 x) const {
    static const Exponentials exponentials;
    const Integer scaled = Integer(num_ * widen(x)) << Exponentials::kPoint;
    const auto below = static_cast<Uint128>(Integer(scaled / den_));
    return {exponentials.up(below + 1), exponentials.down(below)};
  }

 private:
  Integer num_, den_;
};

// A bin with its factors. Ranks in half parts of a row, at the middle of the bin.
struct WeighedBin {
  RankBin bin;
  Uint128 middle;
  Slopes at;     // its middle
  Above weight;  // of its candidates, times what their ranks may differ from the middle, on both sides

  std::uint64_t size() const { return bin.size(); }
};

// A sum that may be of nothing.
using Sum = std::optional<Above>;
Sum plus(const Sum& a, const Above& b) { return a ? *a + b : b; }
Sum plus(const Sum& a, const Sum& b) { return b ? plus(a, *b) : a; }

// Sums over windows of numbers, both ends of which only move upwards.
class Windows {
 public:
  explicit Windows(const std::vector<Above>& numbers) : numbers_(numbers), tails_(numbers.size()) {}

  Sum of(std::size_t begin, std::size_t end) {
    for (; end_ < end; ++end_) rest_ = plus(rest_, numbers_[end_]);
    if (begin >= turn_) {
      Sum tail;
      for (std::size_t i = end; i-- > begin;) tails_[i] = tail = plus(tail, numbers_[i]);
      turn_ = end;
      rest_.reset();
    }
    return begin < turn_ ? plus(tails_[begin], rest_) : rest_;
  }

 private:
  const std::vector<Above>& numbers_;
  std::vector<Sum> tails_;
  std::size_t turn_ = 0, end_ = 0;
  Sum rest_;
};

// One of some weights that are numbers from above, by whole numbers g of at least their size times 2^shift.
struct Pick {
  std::size_t place;
  Uint128 weight;  // g
  Uint128 all;     // the sum of all g
  std::int64_t shift;
};

Pick pick(noise::BitSource& bits, std::span<const Above> weights) {
  constexpr int kMore = 32;
  std::int64_t most = weights.front().exponent();
  for (const Above& weight : weights) most = std::max(most, weight.exponent());
  std::vector<noise::Weight> whole;
  whole.reserve(weights.size());
  Uint128 all = 0;
  for (const Above& weight : weights) {
    const std::int64_t smaller = std::min<std::int64_t>(most - weight.exponent(), 127);
    const Uint128 digits = static_cast<Uint128>(weight.digits()) << kMore;
    whole.push_back((digits >> smaller) + (digits >> smaller << smaller != digits));
    all += whole.back();
  }
  Uint128 left = noise::below(bits, all);
  std::size_t place = 0;
  while (left >= whole[place]) left -= whole[place++];
  return {place, whole[place], all, kMore - most};
}

class Together {
 public:
  Together(const Candidates& candidates, std::uint64_t rows, std::span<const Fraction> fractions,
           std::span<const std::uint64_t> totals, std::uint64_t parts, const noise::Ratio& rate)
      : candidates_(candidates),
        fractions_(fractions),
        totals_(totals),
        parts_(parts),
        rate_(rate),
        of_halves_(rate, 2 * static_cast<Uint128>(parts)),
        of_targets_(rate, kRow),
        rows_(rows) {}

  std::vector<std::uint64_t> draw(noise::BitSource& bits) {
    constexpr int kTries = 200, kFinest = 3;
    for (int finer = 0;; ++finer) {
      if (finer <= kFinest) make_bins(finer);
      for (int i = 0; i < kTries; ++i) {
        noise::check_interrupt();
        if (propose(bits)) return chosen_;
      }
    }
  }

 private:
  std::size_t stretches() const { return fractions_.size() + 1; }

  // tau_j, of a table of that many rows, in kRow-ths of a row.
  Uint128 target(std::size_t stretch, std::uint64_t total) const {
    const std::uint32_t from = stretch == 0 ? 0 : fractions_[stretch - 1].nano;
    const std::uint32_t to = stretch == fractions_.size() ? Fraction::kPerUnit : fractions_[stretch].nano;
    const Uint128 half = (stretch == 0 ? kRow / 2 : 0) + (stretch == fractions_.size() ? kRow / 2 : 0);
    return static_cast<Uint128>(to - from) * (total - 1) + half;
  }

  void make_bins(int finer) {
    const auto several = static_cast<std::uint64_t>(fractions_.size()) << finer;
    std::vector<noise::Weight> targets;
    Uint128 sum = 0;
    for (std::size_t j = 0; j < fractions_.size(); ++j) {
      sum += target(j, std::max<std::uint64_t>(rows_, 1));
      targets.push_back(sum * parts_ / kRow);
    }
    const Integer width = widen(rate_.den) * parts_ / (widen(rate_.num) * several);
    constexpr unsigned kWide = 100;
    const Uint128 narrow = width >> kWide != 0 ? Uint128{1} << kWide : static_cast<Uint128>(width);
    bins_.clear();
    const auto found = rank_bins(candidates_, targets, std::max<Uint128>(narrow, 1), 2 * several, 4 * several, parts_);
    for (const RankBin& bin : found) {
      const Uint128 middle = bin.low + bin.high;
      const Above weight = Above::quotient(bin.size(), 1) * of_halves_.of(2 * (bin.high - bin.low)).up;
      bins_.push_back({bin, middle, of_halves_.of(middle), weight});
    }
    weights_.clear();
    for (const std::uint64_t total : totals_) weights_.push_back(weigh(total));
    known_.reset();
  }

  // An upper bound of e^{-c |middle of the later - middle of the earlier - tau|}.
  static bool is_beyond(Uint128 earlier, Uint128 later, Uint128 half_target) { return earlier + half_target <= later; }
  Above kernel(const Slopes& earlier, const Slopes& later, const Slopes& target, bool beyond) const {
    return beyond ? later.down * target.up * earlier.up : later.up * target.down * earlier.down;
  }
  // tau in half parts of a row, rounded; nothing but the tightness of bounds depends on it.
  Uint128 in_halves(Uint128 target) const { return target / kRow * 2 * parts_ + target % kRow * 2 * parts_ / kRow; }

  // The last stretch ends behind all rows.
  Above last_kernel(const WeighedBin& bin, const Slopes& target, Uint128 half_target) const {
    const Uint128 end = 2 * static_cast<Uint128>(rows_) * parts_;
    return kernel(bin.at, of_end_, target, is_beyond(bin.middle, end, half_target));
  }

  // The weight of all chains of s, of which `chains_` has those of the first quantiles by the bin of the last of these.
  Above weigh(std::uint64_t total) {
    chains_.assign(fractions_.size(), {});
    slopes_.clear();
    halves_.clear();
    for (std::size_t j = 0; j < stretches(); ++j) {
      slopes_.push_back(of_targets_.of(target(j, total)));
      halves_.push_back(in_halves(target(j, total)));
    }
    const Slopes begin = of_halves_.of(0);
    of_end_ = of_halves_.of(2 * static_cast<Uint128>(rows_) * parts_);
    for (const WeighedBin& bin : bins_)
      chains_[0].push_back(bin.weight * kernel(begin, bin.at, slopes_[0], is_beyond(0, bin.middle, halves_[0])));
    for (std::size_t i = 1; i < fractions_.size(); ++i) extend(i);
    Sum all;
    for (std::size_t b = 0; b < bins_.size(); ++b)
      all = plus(all, chains_.back()[b] * last_kernel(bins_[b], slopes_.back(), halves_.back()));
    return *all;
  }

  void extend(std::size_t i) {
    const std::vector<Above>& before = chains_[i - 1];
    std::vector<Above> nearer;
    nearer.reserve(bins_.size());
    for (std::size_t b = 0; b < bins_.size(); ++b) nearer.push_back(before[b] * bins_[b].at.down);
    Windows windows(nearer);
    Sum beyond;
    std::size_t first = 0;  // that is not beyond
    for (std::size_t b = 0; b < bins_.size(); ++b) {
      const WeighedBin& bin = bins_[b];
      for (; first <= b && is_beyond(bins_[first].middle, bin.middle, halves_[i]); ++first)
        beyond = plus(beyond, before[first] * bins_[first].at.up);
      const Sum near = first <= b ? windows.of(first, b + 1) : Sum{};
      Sum all;
      if (beyond) all = *beyond * bin.at.down * slopes_[i].up;
      if (near) all = plus(all, *near * bin.at.up * slopes_[i].down);
      chains_[i].push_back(bin.weight * *all);
    }
  }

  // Whether what is proposed is taken; then it is in chosen_.
  bool propose(noise::BitSource& bits) {
    const Pick of_total = pick(bits, weights_);
    if (known_ != of_total.place) weigh(totals_[of_total.place]);
    known_ = of_total.place;
    // What the weight of this chain is above that of the law: num/den 2^shift e^{-x}.
    Integer num = 1, den = widen(of_total.weight);
    std::int64_t shift = of_total.shift;
    std::size_t later = bins_.size();
    chosen_.assign(fractions_.size(), 0);
    for (std::size_t i = fractions_.size(); i-- > 0;) {
      std::vector<Above> weights;
      const std::size_t end = i + 1 == fractions_.size() ? bins_.size() : later + 1;
      for (std::size_t b = 0; b < end; ++b) {
        const WeighedBin& bin = bins_[b];
        weights.push_back(chains_[i][b] * (i + 1 == fractions_.size()
                                               ? last_kernel(bin, slopes_.back(), halves_.back())
                                               : kernel(bin.at, bins_[later].at, slopes_[i + 1],
                                                        is_beyond(bin.middle, bins_[later].middle, halves_[i + 1]))));
      }
      const Pick of_bin = pick(bits, weights);
      later = of_bin.place;
      const RankBin& bin = bins_[later].bin;
      chosen_[i] = bin.begin + static_cast<std::uint64_t>(noise::below(bits, bin.size()));
      if (i + 1 < fractions_.size() && chosen_[i] > chosen_[i + 1]) return false;
      num *= widen(of_bin.all) * bin.size();
      den *= widen(of_bin.weight);
    }
    return is_taken(bits, num, den, shift, totals_[of_total.place]);
  }

  bool is_taken(noise::BitSource& bits, Integer num, Integer den, std::int64_t shift, std::uint64_t total) const {
    // Bounds are rounded up, in different ways where they are summed and where one is picked: 2^-20 is far more.
    constexpr unsigned kMargin = 20;
    num <<= kMargin;
    den *= (Integer(1) << kMargin) + 1;
    if (shift > 0) {
      num <<= static_cast<unsigned>(shift);
    } else {
      den <<= static_cast<unsigned>(-shift);
    }
    const Integer far = distance(total);
    const Integer exponent = widen(rate_.num) * far, per = widen(rate_.den) * parts_ * kRow;
    const auto size = [](const Integer& x) { return static_cast<std::int64_t>(boost::multiprecision::msb(x)); };
    const auto more = static_cast<unsigned>(std::max<std::int64_t>(size(num) - size(den) + 2, 0));
    return noise::bernoulli_enclosed(bits, [&](unsigned precision) -> noise::Enclosure {
      const noise::Enclosure power = noise::exp_enclosed(exponent, per, precision + more);
      const Integer below = Integer(power.low * num) / (den << more);
      if (below > Integer(1) << precision) throw std::logic_error("a proposal of quantiles is rarer than its law");
      return {below, Integer(power.high * num) / (den << more) + 1};
    });
  }

  // The sum of |n_j - tau_j|, in rows times parts_ kRow.
  Integer distance(std::uint64_t total) const {
    Integer sum = 0;
    Uint128 before = 0;
    for (std::size_t j = 0; j < stretches(); ++j) {
      const Uint128 end = j == fractions_.size() ? static_cast<Uint128>(rows_) * parts_ : rank(chosen_[j]);
      const Integer found = widen(end - before) * kRow, wanted = widen(target(j, total)) * parts_;
      sum += found > wanted ? Integer(found - wanted) : Integer(wanted - found);
      before = end;
    }
    return sum;
  }

  Uint128 rank(std::uint64_t candidate) const { return candidates_.ranks(candidate).before; }

  const Candidates& candidates_;
  std::span<const Fraction> fractions_;
  std::span<const std::uint64_t> totals_;
  std::uint64_t parts_;
  noise::Ratio rate_;
  Steepness of_halves_, of_targets_;
  std::uint64_t rows_;
  std::vector<WeighedBin> bins_;
  std::vector<Above> weights_;              // of all chains, by s
  std::vector<std::vector<Above>> chains_;  // of the last s that was weighed, with the following two
  std::vector<Slopes> slopes_;
  std::vector<noise::Weight> halves_;
  Slopes of_end_{Above::quotient(1, 1), Above::quotient(1, 1)};
  std::optional<std::size_t> known_;  // which s that is
  std::vector<std::uint64_t> chosen_;
};

// Parts of each point: many rows at it are told apart by so many ranks.
constexpr std::uint64_t kPartsTogether = 4096;

// More than that of a row is spent for nothing.
constexpr mechanism::Epsilon kMost{1024 * mechanism::Epsilon::kPerUnit};

// 6 sqrt(m + 1) at_once/epsilon, rounded up: two deviations of the sum of m + 1 Laplace variables.
std::uint64_t total_step(std::size_t fractions, mechanism::Epsilon epsilon, Uint128 at_once) {
  Uint128 root = 1;
  while (root * root < 36 * (fractions + 1)) ++root;
  const Uint128 step = noise::checked_mul(noise::checked_mul(root, at_once), mechanism::Epsilon::kPerUnit);
  return static_cast<std::uint64_t>(std::min<Uint128>(step / epsilon.nano + 1, Uint128{1} << 50));
}

// So many numbers of rows on either side of the noisy one that the right one is beyond them once in a thousand times:
// seven times the scale of its noise. Where it is beyond them no stretch is surer to be wrong than another.
int totals_beside(std::uint64_t step, mechanism::Epsilon epsilon, Uint128 at_once) {
  const Uint128 far = noise::checked_mul(noise::checked_mul(7, at_once), mechanism::Epsilon::kPerUnit) / epsilon.nano;
  constexpr Uint128 kMostBeside = 32;
  return static_cast<int>(std::min(far / step + 1, kMostBeside));
}

}  // namespace

TogetherEpsilon TogetherEpsilon::of(mechanism::Epsilon epsilon) {
  constexpr std::uint64_t kShare = 32;
  const std::uint64_t rows = epsilon.nano / kShare;
  if (rows > 0) return {{rows}, {epsilon.nano - rows}};
  throw Error("epsilon " + mechanism::decimal(epsilon.value()) + " is too small for several quantiles",
              "Ask at a larger epsilon, or for one quantile.");
}

double ranks_off_together(std::span<const Fraction> fractions, mechanism::Epsilon epsilon, double at_once) {
  const double scale = 2 * at_once / TogetherEpsilon::of(epsilon).choice.value();
  const auto all = static_cast<double>(fractions.size() + 1);
  // The mean of |x| of a sum of Laplace variables is a little below that of a normal one.
  constexpr double kMeanOfDeviation = 0.77;
  double sum = 0;
  for (std::size_t i = 0; i < fractions.size(); ++i) {
    const double q = static_cast<double>(fractions[i].nano) / Fraction::kPerUnit, before = static_cast<double>(i + 1);
    sum += std::sqrt(2 * (before * (1 - q) * (1 - q) + (all - before) * q * q));
  }
  return kMeanOfDeviation * scale * sum / static_cast<double>(fractions.size());
}

std::vector<std::int64_t> choose_together(const SortedPoints& rows, std::int64_t last,
                                          std::span<const Fraction> fractions, std::span<const std::uint64_t> totals,
                                          std::uint64_t parts, const noise::Ratio& rate, noise::BitSource& bits) {
  const Candidates candidates(rows, {0, rows.size(), 0, last}, parts);
  Together together(candidates, rows.size(), fractions, totals, parts, rate);
  std::vector<std::int64_t> points;
  for (const std::uint64_t candidate : together.draw(bits)) points.push_back(candidates.point(candidate));
  return points;
}

std::vector<std::int64_t> quantiles_together(const SortedPoints& rows, std::int64_t last,
                                             std::span<const Fraction> fractions, mechanism::Epsilon epsilon,
                                             Uint128 at_once, noise::BitSource& bits) {
  const TogetherEpsilon parts = TogetherEpsilon::of(std::min(epsilon, kMost));
  const noise::Int128 noisy =
      static_cast<noise::Int128>(rows.size()) + noise::DiscreteLaplace{parts.rows.per(at_once)}.sample(bits);
  const std::uint64_t step = total_step(fractions.size(), parts.choice, at_once);
  const int beside = totals_beside(step, parts.rows, at_once);
  std::vector<std::uint64_t> totals;
  for (int i = -beside; i <= beside; ++i) {
    constexpr noise::Int128 kFar = noise::Int128{1} << 60;
    const noise::Int128 total = noisy + i * static_cast<noise::Int128>(step);
    totals.push_back(static_cast<std::uint64_t>(std::clamp<noise::Int128>(total, 1, kFar)));
  }
  const noise::Ratio rate = parts.choice.per(noise::checked_mul(2, at_once));
  return choose_together(rows, last, fractions, totals, kPartsTogether, rate, bits);
}

}  // namespace dp::aggregate
