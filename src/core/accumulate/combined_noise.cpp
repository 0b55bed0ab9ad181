#include "core/accumulate/combined_noise.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "core/accumulate/half_width.h"
#include "core/mechanism/loss.h"

namespace dp::aggregate {
namespace {

constexpr int kCells = 256;  // of the grid from 0 to where hardly any noise is

// P(|noise + uniform| <= x), of noise on whole numbers: linear between the halves, which are no numbers of their own
// beyond 2^52.
double smooth_within(const mechanism::Within& within, double x) {
  if (x >= 0x1p50) return within(x);
  const double above = std::ceil(x - 0.5), below = above - 1;  // whole, around x - 1/2
  const double high = within(std::max(above, 0.0)), low = below >= 0 ? within(below) : 0;
  const double from = below >= 0 ? below + 0.5 : 0, to = std::max(above, 0.0) + 0.5;
  return low + (high - low) * (x - from) / (to - from);
}

// One weighted number on the grid of whole cells.
class Weighted {
 public:
  Weighted(const mechanism::Within& within, double weight, double cell, int reach) : masses_(reach + 1) {
    double before = smooth_within(within, cell / 2 / weight);
    masses_[0] = before;
    for (int i = 1; i <= reach; ++i) {
      const double next = smooth_within(within, (i + 0.5) * cell / weight);
      masses_[i] = (next - before) / 2;
      before = next;
    }
    beyond_ = (1 - before) / 2;
  }

  int reach() const { return static_cast<int>(masses_.size()) - 1; }
  double mass(int at) const { return masses_[std::abs(at)]; }
  double beyond() const { return beyond_; }  // on one side

  // P(part > i) for i from -reach to reach.
  std::vector<double> tails() const {
    std::vector<double> tails(2 * masses_.size() - 1);
    double sum = beyond_;
    for (int i = reach(); i >= -reach(); --i) {
      tails[i + reach()] = sum;
      sum += mass(i);
    }
    return tails;
  }

 private:
  std::vector<double> masses_;
  double beyond_;
};

// P(sum > i) of something with such tails and a part, on the same grid: what lies outside of it counts as beyond.
std::vector<double> with_part(const std::vector<double>& tails, const Weighted& part) {
  const int reach = static_cast<int>(tails.size() / 2), all = reach + part.reach();
  std::vector<double> sums(2 * all + 1);
  for (int i = -all; i <= all; ++i) {
    double sum = part.beyond();
    for (int j = -part.reach(); j <= part.reach(); ++j) {
      const int at = i - j;
      sum += part.mass(j) * (at < -reach ? 1 : tails[std::min(at, reach) + reach]);
    }
    sums[i + all] = sum;
  }
  return sums;
}

// Of weights 1, second and third, where they are not 0.
double width_on_grid(const mechanism::Law& law, double second, double third, double miss) {
  const mechanism::Within within = mechanism::within(law);
  const double reach = mechanism::integer_half_width([&within](double n) { return 1 - within(n); }, miss / 1000) + 0.5;
  const double cell = reach / kCells;
  std::vector<double> tails = Weighted(within, 1, cell, kCells).tails();
  double off = 0.5 + cell / 2;
  for (const double weight : {second, third}) {
    if (weight == 0) continue;
    tails = with_part(tails, Weighted(within, weight, cell, static_cast<int>(std::ceil(kCells * weight))));
    off += (weight + cell) / 2;
  }
  const auto middle = tails.begin() + static_cast<std::ptrdiff_t>(tails.size() / 2);
  const auto found = std::partition_point(middle, tails.end(), [miss](double tail) { return 2 * tail > miss; });
  return static_cast<double>(found - middle) * cell + off;
}

}  // namespace

CombinedNoise::CombinedNoise(const mechanism::Law& law, int summed, double miss)
    : law_(law), summed_(summed), miss_(miss) {}

double CombinedNoise::of_ratios(double second, double third) const {
  // The union bound, which is better for noise of a step or none.
  const int numbers = 1 + (second > 0 ? 1 : 0) + (third > 0 ? 1 : 0);
  const double bound =
      (1 + second + third) * static_cast<double>(half_width_of_sums(law_, summed_, numbers, 1 - miss_));
  if (bound == 0) return 0;
  const double combined = summed_ > 1 ? width_of_weighted_sums(law_, summed_, second, third, miss_)
                                      : width_on_grid(law_, second, third, miss_);
  return std::min(combined, bound);
}

double CombinedNoise::width(double w1, double w2, double w3) {
  double weights[] = {std::fabs(w1), std::fabs(w2), std::fabs(w3)};
  std::sort(std::begin(weights), std::end(weights), std::greater<>());
  if (!(weights[0] > 0)) return 0;
  const auto ratio = [&weights](double weight) {
    return std::min(static_cast<int>(std::ceil(weight / weights[0] * kRatios)), kRatios);
  };
  const int second = ratio(weights[1]), third = ratio(weights[2]);
  double& known = known_[second][third];
  // No noise at all is computed again, at once.
  if (known == 0) known = of_ratios(static_cast<double>(second) / kRatios, static_cast<double>(third) / kRatios);
  return weights[0] * known;
}

}  // namespace dp::aggregate
