#include "core/accumulate/interval.h"

#include <algorithm>
#include <cmath>

#include "core/mechanism/error.h"
#include "core/mechanism/loss.h"
#include "core/mechanism/mechanism_text.h"

namespace dp::aggregate {
namespace {

// A number that is not negative, known to within the noise.
struct Range {
  double least;
  double most;

  static Range around(Int128 noisy, Int128 half) {
    const auto middle = static_cast<double>(noisy);
    const auto width = static_cast<double>(half);
    return {std::max(middle - width, 0.0), std::max(middle + width, 0.0)};
  }
};

// part / (part + rest) where both lie in their ranges; anything from 0 to 1 where both may be 0.
Interval share(const Range& part, const Range& rest) {
  const double lower = part.least + rest.most, upper = part.most + rest.least;
  return {lower > 0 ? part.least / lower : 0, upper > 0 ? part.most / upper : 1};
}

}  // namespace

void require_confidence(double confidence) {
  if (confidence > 0 && confidence < 1) return;
  throw Error("confidence must be a number between 0 and 1, not " + mechanism::decimal(confidence),
              "Give 0.95 for 95 percent.");
}

Int128 half_width(const mechanism::Law& law, int coordinates, double confidence) {
  require_confidence(confidence);
  const mechanism::Within within = mechanism::within(law);
  const double half =
      mechanism::integer_half_width([&within](double n) { return 1 - within(n); }, (1 - confidence) / coordinates);
  return static_cast<Int128>(std::min(half, 0x1p126));
}

namespace {

// Chernoff: P(|sum| >= t) <= 2 M(s)^n exp(-s t) for each 0 < s < rate, where M(s) = E exp(s noise) of one number is
// (1 - p)^2 / ((1 - p e^s) (1 - p e^-s)) with p = exp(-rate). The least t for which that is at most `miss`: what is
// searched has one minimum in s.
double chernoff_width(double rate, int summed, double miss) {
  const auto width = [=](double share) {
    const double moment = 2 * std::log(-std::expm1(-rate)) - std::log(-std::expm1(-rate * (1 - share))) -
                          std::log(-std::expm1(-rate * (1 + share)));
    return (std::log(2 / miss) + summed * moment) / (rate * share);
  };
  double low = 1e-6, high = 1 - 1e-9;
  for (int i = 0; i < 200; ++i) {
    const double left = low + (high - low) / 3, right = high - (high - low) / 3;
    (width(left) < width(right) ? high : low) = width(left) < width(right) ? right : left;
  }
  return width(low);
}

}  // namespace

Int128 half_width_of_sums(const mechanism::Law& law, int summed, int coordinates, double confidence) {
  const Int128 of_one = half_width(law, coordinates, confidence);
  if (summed == 1) return of_one;
  const auto* const laplace = std::get_if<noise::DiscreteLaplace>(&law);
  if (laplace == nullptr) throw std::logic_error("numbers with noise of another law are not summed");
  const double rate = static_cast<double>(laplace->rate.num) / static_cast<double>(laplace->rate.den);
  const double half = std::ceil(chernoff_width(rate, summed, (1 - confidence) / coordinates));
  return static_cast<Int128>(std::min(half, 0x1p126));
}

bool has_half_width(const mechanism::Law& law) {
  return std::visit([](const auto& one) { return !mechanism::DependsOnAnswer<std::remove_cvref_t<decltype(one)>>; },
                    law);
}

Interval mean_interval(const MeanPair& noisy, Int128 half) {
  return share(Range::around(noisy.above, half), Range::around(noisy.below, half));
}

// The variance is E X^2 - (E X)^2 of X in 0..1. Its parts are shares of the three numbers, which are bounded one by
// one.
Interval population_interval(const MomentTriple& noisy, Int128 half) {
  const Range above = Range::around(noisy.above, half);
  const Range mixed = Range::around(noisy.mixed, half);
  const Range below = Range::around(noisy.below, half);
  const Interval square = share(above, {mixed.least + below.least, mixed.most + below.most});
  const Interval mean = share({above.least + mixed.least / 2, above.most + mixed.most / 2},
                              {below.least + mixed.least / 2, below.most + mixed.most / 2});
  const double least = std::clamp(square.lower - mean.upper * mean.upper, 0.0, 0.25);
  const double most = std::clamp(square.upper - mean.lower * mean.lower, 0.0, 0.25);
  return {least, most};
}

Interval variance_interval(const MomentTriple& noisy, Int128 half, double range_squared) {
  const auto [least, most] = population_interval(noisy, half);
  const Range above = Range::around(noisy.above, half);
  const Range mixed = Range::around(noisy.mixed, half);
  const Range below = Range::around(noisy.below, half);
  const double rows = (above.least + mixed.least + below.least) / range_squared;
  return {least, rows > 1.5 ? std::min(most * rows / (rows - 1), 0.5) : 0.5};
}

}  // namespace dp::aggregate
