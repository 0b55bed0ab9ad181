// The form of an answer: how the noisy integers of one aggregate become the value that people read.
//
// Plain data without a row in it: public parameters only. It is stored with a release, so that a finer level of the
// same noise can be read in the same form without the query.
#pragma once

#include <cstdint>

namespace dp::aggregate {

// What is asked of one column, or of pairs: an answer by itself, or what the numbers of another one say (vector.h,
// pairs.h).
enum class Part : std::uint8_t {
  whole,
  // Of one column, in the order of what all moments say:
  rows,
  count,
  sum,
  avg,
  variance,
  stddev,
  population_variance,
  population_stddev,
  totals,  // rows to avg together
  // Of pairs of y and x, in the order of what a regression says behind the rows:
  pairs,  // their number
  avgx,
  avgy,
  sxy,
  covar_pop,
  covar_samp,
  sxx,  // from here on squares are needed
  syy,
  corr,
  r2,
  slope,
  intercept,
  covariances,  // rows to covar_samp together
};

constexpr bool is_of_pairs(Part part) { return part >= Part::pairs; }

// Whether it grows with the rows that count, as means, spreads and slopes do not.
constexpr bool grows_with_rows(Part part) {
  using enum Part;
  return part == rows || part == count || part == sum || part == totals || part == pairs || part == sxy ||
         part == sxx || part == syy || part == covariances;
}

struct Form {
  enum class Kind : std::uint8_t {
    bigint,               // a whole number
    numeric,              // steps of 2^exponent, exactly
    float8,               // steps of 2^exponent
    mean,                 // a MeanPair between the bounds
    variance,             // a MomentTriple, in units of the squared distance between the bounds
    stddev,               // its root
    bigints,              // an array of whole numbers
    bounds,               // two powers of two, from counts of the bins between them (bounds.h)
    population_variance,  // as variance and stddev: of a population, where those are of a sample
    population_stddev,
    totals,         // the numbers of rows and values, sum and mean, from one vector (vector.h)
    all_moments,    // and the variances and deviations
    cumulative,     // how many lie below each of many edges (prefix_sums.h)
    covariance,     // the numbers of rows and pairs, averages and covariances, from one vector (pairs.h)
    regression,     // and sums of squares, correlation and slope
    of_covariance,  // one part of what these say
    of_regression,
  };

  struct Column {
    double lower = 0;
    std::int64_t range = 0;
    std::int32_t exponent = 0;
  };

  Kind kind = Kind::bigint;
  std::uint8_t refinement = 0;  // the integers are in units of 2^-refinement of a step
  std::int32_t exponent = 0;  // a step is 2^exponent; of bounds, the innermost bins end there; of cumulative, see there
  double lower = 0;           // the lower bound, where steps are counted from it
  std::int64_t range = 0;     // the steps between the bounds; of bounds, the count from which a bin passes; of bigints,
                              // how many stand in each row of an array of two dimensions (0: it has one)
  Column second = {};         // of pairs, whose y has the three above: those of x
  Part part = Part::whole;    // of kinds of_covariance and of_regression: which one
};

}  // namespace dp::aggregate
