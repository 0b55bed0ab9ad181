#include "core/accumulate/interval.h"

#include <algorithm>
#include <cmath>

namespace dp::aggregate {
namespace {

constexpr Interval kNothing{2, -1};

bool is_empty(const Interval& interval) { return !(interval.lower <= interval.upper); }

// From the least to the greatest of both.
Interval hull(const Interval& one, const Interval& other) {
  if (is_empty(one)) return other;
  if (is_empty(other)) return one;
  return {std::min(one.lower, other.lower), std::max(one.upper, other.upper)};
}

// All x in `cell` with |part - x all| <= width.
Interval solved(double part, double all, const Interval& cell, double width) {
  if (all == 0) return std::fabs(part) <= width ? cell : kNothing;
  const double middle = part / all, half = width / std::fabs(all);
  return {std::max(cell.lower, middle - half), std::min(cell.upper, middle + half)};
}

// The least interval with all m in `searched` for which |part - m all| is at most what the noise can be, which
// `width(cell)` says of all m in a cell together.
template <class Width>
Interval accepted(double part, double all, const Interval& searched, Width width) {
  constexpr int kCells = 32;
  const double most = width(searched), size = (searched.upper - searched.lower) / kCells;
  Interval found = kNothing;
  for (int i = 0; i < kCells; ++i) {
    const Interval cell{searched.lower + i * size, i + 1 == kCells ? searched.upper : searched.lower + (i + 1) * size};
    if (is_empty(solved(part, all, cell, most))) continue;
    found = hull(found, solved(part, all, cell, width(cell)));
  }
  return found;
}

// Once over everything, and once more over what that leaves, in smaller cells.
template <class Width>
Interval accepted_closely(double part, double all, Width width) {
  const Interval coarse = accepted(part, all, {0, 1}, width);
  return is_empty(coarse) ? coarse : accepted(part, all, coarse, width);
}

// A number with noise on it, and the same where it is known not to be negative.
double real(Int128 noisy) { return static_cast<double>(noisy); }
double known(Int128 noisy) { return std::max(static_cast<double>(noisy), 0.0); }

Interval mean_of(double above, double below, CombinedNoise& noise) {
  return accepted_closely(above, above + below,
                          [&noise](const Interval& m) { return noise.width(1 - m.lower, m.upper, 0); });
}

struct Triple {
  double above;
  double mixed;
  double below;

  double all() const { return above + mixed + below; }
};

// The mean of X is a quotient of (above + mixed / 2) and all.
Interval mean_of(const Triple& noisy, CombinedNoise& noise) {
  return accepted_closely(noisy.above + noisy.mixed / 2, noisy.all(), [&noise](const Interval& m) {
    const double farthest = std::max(std::fabs(0.5 - m.lower), std::fabs(0.5 - m.upper));
    return noise.width(1 - m.lower, m.upper, farthest);
  });
}

// What the weights of the three numbers can be, for any mean m and variance v in these intervals.
double width_of(const Interval& m, const Interval& v, CombinedNoise& noise) {
  const auto farthest = [&v](double low, double high) { return std::max(high - v.lower, v.upper - low); };
  const double middle = std::clamp(0.5, m.lower, m.upper);
  return noise.width(farthest((1 - m.upper) * (1 - m.upper), (1 - m.lower) * (1 - m.lower)),
                     middle * (1 - middle) + v.upper, farthest(m.lower * m.lower, m.upper * m.upper));
}

// The quotient of that combination at v = 0 and of all is the variance around m: the noisy one, and the square of the
// distance from m to the noisy mean.
Interval spread_of(const Triple& noisy, QuotientNoise& noise) {
  const double all = noisy.all();
  const Interval mean = mean_of(noisy, noise.mean);
  if (is_empty(mean)) return kNothing;
  Interval found{0, 0.25};
  if (!(all > 0)) return found;
  const double middle = (noisy.above + noisy.mixed / 2) / all;
  const double variance = (noisy.above * noisy.below - noisy.mixed * noisy.mixed / 4) / (all * all);
  const double nearest = std::clamp(middle, mean.lower, mean.upper) - middle;
  const double farthest = std::max(std::fabs(mean.lower - middle), std::fabs(mean.upper - middle));
  // What is left of all variances narrows the weights, and these what is left.
  for (int i = 0; i < 8 && !is_empty(found); ++i) {
    const double half = width_of(mean, found, noise.spread) / all;
    found = {std::max(found.lower, variance + nearest * nearest - half),
             std::min(found.upper, variance + farthest * farthest + half)};
  }
  return found;
}

}  // namespace

QuotientNoise::QuotientNoise(const mechanism::Law& law, int summed, int numbers, double confidence)
    : mean(law, summed, (1 - confidence) * (numbers == 2 ? 1 : 0.1)),
      rows(law, summed, (1 - confidence) * 0.1),
      spread(law, summed, (1 - confidence) * 0.8) {}

// What a number below 0 says is said by 0 as well: an interval is not narrow for being far outside.
Interval mean_interval(const MeanPair& noisy, QuotientNoise& noise) {
  const Interval found = hull(mean_of(real(noisy.above), real(noisy.below), noise.mean),
                              mean_of(known(noisy.above), known(noisy.below), noise.mean));
  return is_empty(found) ? Interval{0, 1} : found;
}

Interval mean_interval_of_moments(const MomentTriple& noisy, QuotientNoise& noise) {
  const Interval found = hull(mean_of(Triple{real(noisy.above), real(noisy.mixed), real(noisy.below)}, noise.mean),
                              mean_of(Triple{known(noisy.above), known(noisy.mixed), known(noisy.below)}, noise.mean));
  return is_empty(found) ? Interval{0, 1} : found;
}

Interval population_interval(const MomentTriple& noisy, QuotientNoise& noise) {
  const Interval found = hull(spread_of({real(noisy.above), real(noisy.mixed), real(noisy.below)}, noise),
                              spread_of({known(noisy.above), known(noisy.mixed), known(noisy.below)}, noise));
  return is_empty(found) ? Interval{0, 0.25} : found;
}

Interval variance_interval(const MomentTriple& noisy, QuotientNoise& noise, double range_squared) {
  const auto [least, most] = population_interval(noisy, noise);
  const double all = real(noisy.above) + real(noisy.mixed) + real(noisy.below);
  const double rows = (all - noise.rows.width(1, 1, 1)) / range_squared;
  return {least, rows > 1.5 ? std::min(most * rows / (rows - 1), 0.5) : 0.5};
}

}  // namespace dp::aggregate
