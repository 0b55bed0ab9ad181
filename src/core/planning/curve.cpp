#include "core/planning/curve.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "core/accumulate/half_width.h"
#include "core/consistency/top_down.h"
#include "core/mechanism/error.h"
#include "core/mechanism/mechanism_text.h"

namespace dp::planning {
namespace {

using aggregate::Buckets;
using aggregate::PrefixVariances;

// Edges around a value: one where it lies on it.
struct Edges {
  int below;
  int above;
  double share;  // how far it lies towards the upper one
};

Edges edges_around(const Buckets& buckets, double value) {
  if (value <= buckets.bounds.lower) return {0, 0, 0};
  if (!(value < buckets.bounds.upper)) return {buckets.count, buckets.count, 0};
  const int bucket = buckets.holding(value);
  const double from = buckets.edge(bucket), to = buckets.edge(bucket + 1);
  if (value <= from) return {bucket, bucket, 0};
  return {bucket, bucket + 1, (value - from) / (to - from)};
}

double rows_at(const Curve& curve, int edge) {
  return edge == 0 ? 0 : static_cast<double>(curve.counts[static_cast<std::size_t>(edge - 1)]);
}

// Of counts, which are whole: what is off by less than a half is not off.
double reach_of_counts(const Curve& curve, double variance, double confidence) {
  return std::floor(reach_of_sums(curve.noise * std::sqrt(variance), confidence, curve.sums.is_root()) + 0.5);
}

void require_fraction(double fraction) {
  if (fraction >= 0 && fraction <= 1) return;
  throw Error("fraction must be a number from 0 to 1, not " + mechanism::decimal(fraction),
              "The median is 0.5: dp_cumulative_quantile(curve, 0.5).");
}

}  // namespace

void check_curve(const Curve& curve) {
  const auto& [lower, upper] = curve.buckets.bounds;
  const bool fits = curve.sums.is_valid() && curve.buckets.count == curve.sums.buckets &&
                    curve.counts.size() == static_cast<std::size_t>(curve.sums.buckets) && std::isfinite(lower) &&
                    std::isfinite(upper - lower) && lower < upper && std::isfinite(curve.noise) && curve.noise >= 0;
  if (fits) return;
  throw Error("curve is not an answer of dp_cumulative",
              "Give what dp_cumulative returned as it is, for example dp_cumulative(age, 0, 110, 110, 0.5).");
}

double rows_below(const Curve& curve, double value) {
  const Edges edges = edges_around(curve.buckets, value);
  const double below = rows_at(curve, edges.below);
  return below + (rows_at(curve, edges.above) - below) * edges.share;
}

double error_between(const Curve& curve, double from, double to, double confidence) {
  aggregate::require_confidence(confidence);
  const PrefixVariances variances(curve.sums);
  const Edges first = edges_around(curve.buckets, from), last = edges_around(curve.buckets, to);
  double most = 0;
  for (const int left : {first.below, first.above})
    for (const int right : {last.below, last.above}) most = std::max(most, variances.of_range(left, right));
  return reach_of_counts(curve, most, confidence);
}

std::vector<double> errors_of_counts(const Curve& curve, double confidence) {
  aggregate::require_confidence(confidence);
  std::vector<double> errors = PrefixVariances(curve.sums).of_prefixes();
  for (double& error : errors) error = reach_of_counts(curve, error, confidence);
  return errors;
}

std::vector<double> rising_counts(const Curve& curve) {
  const std::vector<double> variances = PrefixVariances(curve.sums).of_prefixes();
  using consistency::Real;
  const std::vector<Real> counts(curve.counts.begin(),
                                 curve.counts.begin() + static_cast<std::ptrdiff_t>(variances.size()));
  const std::vector<Real> fitted = consistency::monotone(counts, std::vector<Real>(variances.begin(), variances.end()));
  std::vector<double> rising;
  for (const Real count : fitted) rising.push_back(std::max(static_cast<double>(count), 0.0));
  return rising;
}

std::optional<double> quantile_of(const Curve& curve, double fraction) {
  require_fraction(fraction);
  const std::vector<double> rising = rising_counts(curve);
  if (!(rising.back() > 0)) return std::nullopt;
  const double wanted = fraction * rising.back();
  std::size_t bucket = 0;
  while (!(rising[bucket] >= wanted && rising[bucket] > 0)) ++bucket;
  const double before = bucket == 0 ? 0 : rising[bucket - 1];
  const auto number = static_cast<int>(bucket);
  const double from = curve.buckets.edge(number), to = curve.buckets.edge(number + 1);
  return std::clamp(from + (to - from) * ((wanted - before) / (rising[bucket] - before)), from, to);
}

// The quantile lies in a bucket before whose first edge there are at most so many rows as it says, and before whose
// last edge at least so many. Each bucket for which noise explains both is among those that are returned; of the true
// one, each fails with half of the probability that is left.
aggregate::Interval quantile_interval(const Curve& curve, double fraction, double confidence) {
  require_fraction(fraction);
  aggregate::require_confidence(confidence);
  const std::vector<double> variances = PrefixVariances(curve.sums).of_prefixes(fraction);
  const bool gaussian = curve.sums.is_root();
  // Of the two counts, where their noise may have moved them to another whole number at all.
  const double largest = PrefixVariances(curve.sums).largest();
  const double rounding = reach_of_counts(curve, largest, confidence) > 0 ? 0.5 * (1 + fraction) : 0;
  const auto excess = [&](int edge) { return rows_at(curve, edge) - fraction * rows_at(curve, curve.buckets.count); };
  const auto reach = [&](int edge) {
    return rounding +
           reach_of_sums(curve.noise * std::sqrt(variances[static_cast<std::size_t>(edge - 1)]), confidence, gaussian);
  };
  int first = -1, last = -1;
  for (int bucket = 0; bucket < curve.buckets.count; ++bucket) {
    const bool not_before = bucket == 0 || excess(bucket) <= reach(bucket);
    const bool not_behind = bucket + 1 == curve.buckets.count || excess(bucket + 1) >= -reach(bucket + 1);
    if (!not_before || !not_behind) continue;
    if (first < 0) first = bucket;
    last = bucket;
  }
  if (first < 0) return {curve.buckets.bounds.lower, curve.buckets.bounds.upper};
  return {curve.buckets.edge(first), curve.buckets.edge(last + 1)};
}

double reach_of_sums(double deviation, double confidence, bool gaussian) {
  const double miss = 1 - confidence;
  double low = 0, high = 40;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (std::erfc(middle / std::numbers::sqrt2) > miss ? low : high) = middle;
  }
  return deviation * (gaussian ? high : std::max(high, -std::log(miss) / std::numbers::sqrt2));
}

}  // namespace dp::planning
