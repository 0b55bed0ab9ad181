#include "core/accumulate/faint_counts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace dp::aggregate {
namespace {

constexpr int kBins = LimitScale::kMost + 1;

// A law of magnitudes: the part of the units in each of the bins from `first` on.
struct Shape {
  int first = 0, count = 0;
  std::array<double, kBins> part{};
};

double normal_below(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

class Shapes {
 public:
  explicit Shapes(const BinCounts& bins) : last_(bins.scale.size()) {
    for (int bin = 0; bin <= last_; ++bin) {
      const auto at = static_cast<std::size_t>(bin);
      middle_[at] = std::log(bins.middle(bin));
      end_[at] = bin < last_ ? std::log(bins.limit(bin)) : INFINITY;
    }
  }

  // Around the middle of a bin; `deviation`: of the logarithm.
  Shape around(int center, double deviation) const {
    constexpr double kFar = 3.5;
    const double middle = middle_[static_cast<std::size_t>(center)];
    const auto distance = [&](double place) { return (place - middle) / deviation; };
    Shape shape;
    shape.first = center;
    while (shape.first > 0 && distance(middle_[static_cast<std::size_t>(shape.first - 1)]) >= -kFar) --shape.first;
    double below = shape.first == 0 ? 0 : normal_below(distance(end_[static_cast<std::size_t>(shape.first - 1)]));
    for (int bin = shape.first; bin <= last_; ++bin) {
      const auto at = static_cast<std::size_t>(bin);
      if (bin > center && distance(middle_[at]) > kFar) break;
      const double up_to = normal_below(distance(end_[at]));
      shape.part[static_cast<std::size_t>(shape.count++)] = up_to - below;
      below = up_to;
    }
    return shape;
  }

 private:
  int last_;
  std::array<double, kBins> middle_{}, end_{};  // their logarithms
};

// How many units of such a shape fit the counts best: the sum of |count - number part| is least at a median of
// count / part, each weighed by its part. In the scale of the noise; at least 0.
double best_number(const BinCounts& bins, const Shape& shape) {
  std::array<std::pair<double, double>, kBins> ratios;
  double all = 0;
  int number = 0;
  for (int i = 0; i < shape.count; ++i) {
    const double part = shape.part[static_cast<std::size_t>(i)];
    if (part < 1e-4) continue;
    ratios[static_cast<std::size_t>(number++)] = {bins.count(shape.first + i) / part, part};
    all += part;
  }
  std::sort(ratios.begin(), ratios.begin() + number);
  double below = 0;
  for (int i = 0; i < number; ++i) {
    below += ratios[static_cast<std::size_t>(i)].second;
    if (below >= all / 2) return std::fmax(ratios[static_cast<std::size_t>(i)].first, 0);
  }
  return 0;
}

// By how much likelier the counts are with so many units of the shape than with none: its logarithm.
double gain(const BinCounts& bins, const Shape& shape, double number) {
  double sum = 0;
  for (int i = 0; i < shape.count; ++i) {
    const double count = bins.count(shape.first + i);
    sum += std::fabs(count) - std::fabs(count - number * shape.part[static_cast<std::size_t>(i)]);
  }
  return sum;
}

// The same on average over numbers that were written down before any count was seen, so that this is 1 on average where
// there is nobody.
double mean_likelihood(const BinCounts& bins, const Shape& shape) {
  constexpr std::array kNumbers{6.0, 9.0, 13.0, 18.0, 25.0, 35.0, 50.0, 70.0, 100.0, 140.0};
  double sum = 0;
  for (const double number : kNumbers) sum += std::exp(gain(bins, shape, number));
  return sum / kNumbers.size();
}

// A law that is thought possible, and how much: the logarithm of its weight.
struct Guess {
  int center;
  double deviation, number, weight;
};

// What is expected under one limit; of several laws, times their weights.
struct Expected {
  double error = 0;  // relative to what the units add up to
  double cut = 0;    // as ChosenLimit has it
};

void expect(const BinCounts& bins, const Shape& shape, double number, double weight, double answered, bool means,
            std::vector<Expected>* under) {
  const auto magnitudes = [&](int i) {
    return number * shape.part[static_cast<std::size_t>(i)] / bins.counted * bins.middle(shape.first + i);
  };
  double all = 0;
  for (int i = 0; i < shape.count; ++i) all += magnitudes(i);
  for (std::size_t at = 0; at < under->size(); ++at) {
    const double limit = bins.limit(static_cast<int>(at));
    double cut = 0;
    for (int i = shape.count - 1; i >= 0 && shape.first + i > static_cast<int>(at); --i)
      cut += magnitudes(i) * (1 - limit / bins.middle(shape.first + i));
    const double left = std::fmax(all - cut, all / 1e9), noise = std::numbers::sqrt2 * limit / answered;
    const double error = means ? std::hypot(0.001 * cut / all, noise / left) : std::hypot(cut, noise) / all;
    (*under)[at].error += weight * error;
    (*under)[at].cut += weight * cut / left;
  }
}

}  // namespace

ChosenLimit choose_faint_limit(const BinCounts& bins, double answered, bool means) {
  constexpr std::array kDeviations{0.1, 0.4, 0.8, 1.4};
  constexpr double kUnusual = 0.35, kEvidence = 10, kSureEvidence = 200, kWorst = 0.5, kNegligible = 7;
  const bool all_usual = bins.scale.all_usual();
  const Shapes shapes(bins);
  std::vector<Guess> guesses;
  double before = 0, heaviest = -INFINITY, likelihoods = 0;
  for (int center = 0; center <= bins.scale.size(); ++center) {
    const double usual = -kUnusual * std::max(center - bins.scale.usual(), 0);
    for (const double deviation : kDeviations) {
      before += std::exp(usual);
      const Shape shape = shapes.around(center, deviation);
      if (all_usual) likelihoods += mean_likelihood(bins, shape);
      const double number = best_number(bins, shape);
      if (number <= 0) continue;
      guesses.push_back({center, deviation, number, usual + gain(bins, shape, number)});
      heaviest = std::fmax(heaviest, guesses.back().weight);
    }
  }
  if (guesses.empty()) return {0, 0, false};
  double evidence = 0;  // in the weight of the heaviest
  for (const Guess& guess : guesses) evidence += std::exp(guess.weight - heaviest);
  const bool likely =
      all_usual ? likelihoods >= kSureEvidence * before : std::log(evidence) + heaviest >= std::log(kEvidence * before);
  // Where every limit is as usual as any other the least one does the least harm.
  if (!likely && all_usual) return {0, 0, false};
  std::vector<Expected> under(static_cast<std::size_t>(bins.scale.size()));
  double weights = 0;
  for (const Guess& guess : guesses) {
    if (guess.weight < heaviest - kNegligible) continue;
    const double weight = std::exp(guess.weight - heaviest);
    weights += weight;
    expect(bins, shapes.around(guess.center, guess.deviation), guess.number, weight, answered, means, &under);
  }
  const auto best = std::ranges::min_element(under, {}, &Expected::error);
  const bool found = likely && best->error <= kWorst * weights;
  if (!found && all_usual) return {0, 0, false};
  return {static_cast<int>(best - under.begin()), best->cut / weights, found};
}

}  // namespace dp::aggregate
