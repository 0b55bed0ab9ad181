// Counts of buckets, released so that their prefix sums (how many rows lie below each edge) are off by little.
//
// Noise on each bucket adds up along the sum, and noise on each prefix sum has to hide all of them. A factorisation
// does better: with A the matrix of ones on and below the diagonal, A = B C, noise is added to the integers C x, and B
// of these is shown. Only C decides what a row changes; B is applied to noisy numbers and costs nothing.
//
//   root    C has the coefficients f_k of (1 - z)^(-1/2), whose square is the series of A, on its k-th diagonal below
//           the main one: f_0 = 1, f_k = f_(k-1) (2k - 1) / (2k). Its columns are divided by their norms, so that a
//           row changes the same l2 wherever it lies, and noise is Gaussian. Integers throughout: C = T D with T_k =
//           2^16 f_k and D_j = 2^14 / norm_j, both rounded. The l2 of a row is D_j^2 sum T_k^2, computed from these
//           very integers, the largest of which counts.
//           Source: Henzinger, Kalinin, Upadhyay, "Normalized Square Root: Sharper Matrix Factorization Bounds for
//           Differentially Private Continual Counting" (2025, arXiv 2509.14334): no matrix has a mean square error
//           whose root is smaller by more than 0.05, of about log(n) / pi + 0.75.
//   tree    C has a row for each bucket, each 8 (or 16) neighbouring buckets, each 8 of these, and so on while there
//           are more than 8. A row counts once on each level, so that its l1 is the number of levels, and noise is
//           Laplace's. What these say of the buckets is put together by least squares (Hay, Rastogi, Miklau, Suciu,
//           "Boosting the Accuracy of Differentially Private Histograms Through Consistency" (2010), with unequal
//           variances).
//   alone   each bucket by itself, which is the best of few.
//
// Nothing but `put_integers` knows a true count.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/accumulate/answer_shape.h"
#include "core/accumulate/buckets.h"
#include "core/mechanism/sensitivity.h"

namespace dp::aggregate {

// More have a root of more than eight million numbers, which takes noticeable time for each group.
inline constexpr int kMostCumulated = 4096;

struct PrefixSums {
  static constexpr int kRoot = 0;
  static constexpr int kAlone = 1;

  int buckets;
  int branching;  // kRoot, kAlone, or that of a tree

  // For Gaussian noise.
  static PrefixSums by_root(int buckets) { return {buckets, kRoot}; }

  // For Laplace noise: the one of alone, 8 and 16 whose prefix sums are off by the least, on average.
  static PrefixSums by_tree(int buckets);

  // Whether there is such a factorisation.
  bool is_valid() const;

  bool is_root() const { return branching == kRoot; }
  int levels() const;
  int integers() const;

  // A count is 2^scale in the integers.
  int scale() const { return is_root() ? 30 : 0; }

  // What one row changes of all the integers.
  mechanism::Changes changes() const;

  // The integers() that noise is added to, from a count for each bucket; or from any numbers, which must leave room for
  // what they are multiplied by.
  void put_integers(std::span<const std::uint64_t> counts, noise::Int128* integers) const;
  void put_integers(noise::Int128View numbers, noise::Int128* integers) const;

  // The prefix sums that noisy integers give, in rows: the first bucket, the first two, ..., all. And not rounded.
  std::vector<double> sums_of(noise::Int128View noisy, unsigned refinement) const;
  std::vector<long double> long_sums_of(noise::Int128View noisy, unsigned refinement) const;
};

// How the form of an answer keeps them, and the bounds.
Form cumulative_form(const Buckets& buckets, const PrefixSums& sums);
PrefixSums sums_of_form(const Form& form);
Buckets buckets_of_form(const Form& form);

// Variances of what prefix sums say, where the noise of each integer has the variance of a count of one.
class PrefixVariances {
 public:
  explicit PrefixVariances(const PrefixSums& sums);

  // Of the rows in the buckets from `first` to before `last`.
  double of_range(int first, int last) const;

  // Of each prefix sum less that part of all rows.
  std::vector<double> of_prefixes(double part = 0) const;

  // The mean and the largest of those of the prefix sums.
  double mean() const;
  double largest() const;

 private:
  // Of first * (rows before `one`) + second * (rows from there to before `other`) + third * (the other rows).
  struct Weights {
    int one;
    int other;
    double first;
    double second;
    double third;

    double at(int bucket) const { return bucket < one ? first : bucket < other ? second : third; }
    bool change_within(int from, int to) const;
  };

  // What weights on the buckets below a node are: `factor` times its number, and noise of its own.
  struct Reading {
    double factor;
    double variance;
  };

  double of(const Weights& weights) const;
  Reading below(int level, int node, const Weights& weights) const;
  std::vector<double> of_root(double part) const;

  PrefixSums sums_;
  std::vector<double> inverse_;  // of a root: the series of T's inverse
  std::vector<double> columns_;  // and the factors of its columns
  std::vector<std::vector<double>>
      combined_;  // of a tree: the variance of what a node and those below it say, by level
};

}  // namespace dp::aggregate
