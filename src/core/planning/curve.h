// What an answer of dp_cumulative says (core/accumulate/prefix_sums.h): counts below values and between them,
// quantiles, and how far off they are. Post-processing: arithmetic on noisy numbers and public parameters.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/accumulate/interval.h"
#include "core/accumulate/prefix_sums.h"

namespace dp::planning {

struct Curve {
  aggregate::Buckets buckets;
  aggregate::PrefixSums sums;
  std::span<const std::int64_t> counts;  // rows below the end of each bucket
  double noise;                          // the standard deviation of the noise of each released number, in rows
};

// Throws dp::Error where that is no answer of dp_cumulative.
void check_curve(const Curve& curve);

// Rows below the value: within a bucket as if its rows were spread evenly. All rows from the upper bound on, and for
// NaN.
double rows_below(const Curve& curve, double value);

// How far rows_below(to) - rows_below(from) is off, with that confidence; of a value within a bucket the larger one of
// its ends. Not how unevenly rows lie within a bucket.
double error_between(const Curve& curve, double from, double to, double confidence);

// That of each count, by bucket.
std::vector<double> errors_of_counts(const Curve& curve, double confidence);

// The counts that rise and are nearest to these by least squares, weighted by their variances (pool adjacent
// violators); none is negative.
std::vector<double> rising_counts(const Curve& curve);

// The least value below which that part of all rows lies, by the rising counts; none where they say that there are no
// rows.
std::optional<double> quantile_of(const Curve& curve, double fraction);

// Between which edges that quantile lies, with that confidence.
aggregate::Interval quantile_interval(const Curve& curve, double fraction, double confidence);

// t with P(|noise| > t) <= 1 - confidence at most, of a sum of independent noise of that deviation: Gaussian, or
// Laplace's, where one number alone reaches farther than many together at the same deviation, or less far where half
// of all cases are enough.
double reach_of_sums(double deviation, double confidence, bool gaussian);

}  // namespace dp::planning
