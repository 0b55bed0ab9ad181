#include "core/accumulate/chosen_limit.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/accumulate/bin_counts.h"
#include "core/accumulate/faint_counts.h"

namespace dp::aggregate {
namespace {

// What lies above the bins that stand out: a parabola through the logarithms of the highest counts that are far above
// the noise, over those of the magnitudes, weighted by what their noise makes of each. It bends down at least a little.
// A lognormal law is such a parabola, a power of the magnitude a line, and what Poisson and geometric laws are bends
// more.
class Tail {
 public:
  static constexpr int kMostBins = 6;

  Tail(const BinCounts& bins, int top) {
    constexpr int kMostPoints = 6;
    constexpr double kFar = 3;
    int last = top;
    while (last > 0 && bins.count(last) < kFar) --last;
    origin_ = std::log(bins.middle(last));
    // Sums of the weights and of the weighted logarithms, times powers of x.
    double s[5] = {}, t[3] = {};
    int points = 0;
    for (int bin = last; bin >= 0 && points < kMostPoints && bins.count(bin) >= kFar; --bin, ++points) {
      const double count = bins.count(bin), x = std::log(bins.middle(bin)) - origin_,
                   y = std::log(count / bins.width(bin));
      double weight = count * count / 2;
      for (int power = 0; power < 5; ++power, weight *= x) {
        s[power] += weight;
        if (power < 3) t[power] += weight * y;
      }
    }
    if (points < 3) return;
    constexpr double kLeastBend = -0.15;
    bend_ = std::fmin(bend_of(s, t), kLeastBend);
    const double t0 = t[0] - bend_ * s[2], t1 = t[1] - bend_ * s[3];
    slope_ = (s[0] * t1 - s[1] * t0) / (s[0] * s[2] - s[1] * s[1]);
    height_ = (t0 - slope_ * s[1]) / s[0];
  }

  // How many are thought to be in the bins above `top`, and of how many bins that is. It ends where the noisy counts
  // contradict it, and is nothing where the counts do not fall.
  int counts(const BinCounts& bins, int top, double* beyond) const {
    constexpr double kLeastFall = -0.5, kNothing = 1e-3, kContradiction = 3 * std::numbers::sqrt2;
    if (!(slope_ < kLeastFall)) return 0;
    int number = 0;
    for (int bin = top + 1; bin <= bins.scale.size() && number < kMostBins; ++bin) {
      const double x = std::log(bins.middle(bin)) - origin_;
      const double count = std::exp(height_ + (slope_ + bend_ * x) * x) * bins.width(bin);
      if (!(count >= kNothing && count <= bins.count(bin) + kContradiction)) break;
      beyond[number++] = count;
    }
    return number;
  }

 private:
  // Of the parabola of least squares.
  static double bend_of(const double* s, const double* t) {
    const double a = s[2] - s[1] * s[1] / s[0], b = s[3] - s[1] * s[2] / s[0], c = s[4] - s[2] * s[2] / s[0];
    return ((t[2] - s[2] * t[0] / s[0]) * a - (t[1] - s[1] * t[0] / s[0]) * b) / (c * a - b * b);
  }

  double origin_ = 0, height_ = 0, slope_ = 0, bend_ = 0;
};

}  // namespace

ChosenLimit choose_limit(const LimitScale& scale, noise::Int128View units, double counted, double answered,
                         bool means) {
  constexpr double kLeast = 1.5, kPerBin = 1.2, kClearAmongUsual = 9;  // in the scale of the noise on a count
  constexpr double kFoundByNoise = 1e-4;
  const double clear = scale.all_usual() ? std::log((scale.size() + 1) / (2 * kFoundByNoise)) : kClearAmongUsual;
  const BinCounts bins{scale, units, counted};
  // The fullest bin, of which usual ones are believed more easily; from there upwards those that stand out.
  const auto believed = [&](int bin) { return bins.count(bin) - kPerBin * std::max(bin - scale.usual(), 0); };
  int top = 0;
  for (int bin = 1; bin <= scale.size(); ++bin) {
    if (believed(bin) > believed(top)) top = bin;
  }
  // A single unit would stand out where the noise is that small: then there is none.
  if (bins.count(top) < clear && counted < clear) return choose_faint_limit(bins, answered, means);
  for (int bin = top + 1; bin <= scale.size(); ++bin) {
    if (bins.count(bin) >= kLeast + kPerBin * (bin - top)) top = bin;
  }
  double beyond[Tail::kMostBins];
  const int last = top + Tail(bins, top).counts(bins, top, beyond);
  const auto magnitudes = [&](int bin) {
    return std::fmax(bin <= top ? bins.count(bin) : beyond[bin - top - 1], 0) / counted * bins.middle(bin);
  };
  double all = 0;
  for (int bin = 0; bin <= last; ++bin) all += magnitudes(bin);
  ChosenLimit best{0, 0, true};
  double least = INFINITY;
  for (int number = 0; number <= std::min(last, scale.size() - 1); ++number) {
    const double limit = bins.limit(number);
    double cut = 0;
    for (int bin = number + 1; bin <= last; ++bin) cut += magnitudes(bin) * (1 - limit / bins.middle(bin));
    const double noise = std::numbers::sqrt2 * limit / answered;
    const double error = means ? std::hypot(0.001 * cut / all, noise / (all - cut)) : std::hypot(cut, noise);
    if (!(error < least)) continue;
    least = error;
    best = {number, all > cut ? cut / (all - cut) : 0, true};
  }
  return best;
}

}  // namespace dp::aggregate
