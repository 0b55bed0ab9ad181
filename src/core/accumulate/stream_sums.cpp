#include "core/accumulate/stream_sums.h"

#include <bit>
#include <cmath>
#include <numeric>

#include "core/noise/interrupt.h"

namespace dp::aggregate {

using noise::Int128;
using noise::Uint128;

namespace {

constexpr unsigned kCoefficientBits = 60;  // of f_k
constexpr unsigned kLogBits = 16;          // of the logarithm
constexpr std::int64_t kDamping = 5;

// log2(n), cut to kLogBits bits behind the point: each is what the square of what is left has before it.
std::int64_t log2_below(std::uint64_t n) {
  const int whole = std::bit_width(n) - 1;
  std::uint64_t left = n << (31 - whole);  // 1 to 2, in 2^-31
  std::int64_t log = whole;
  for (unsigned bit = 0; bit < kLogBits; ++bit) {
    left = left * left >> 31;
    const std::uint64_t carry = left >> 32;
    left >>= carry;
    log = 2 * log + static_cast<std::int64_t>(carry);
  }
  return log;
}

}  // namespace

StreamWeights::StreamWeights(int periods) {
  weights_.reserve(static_cast<std::size_t>(periods));
  constexpr std::int64_t kOne = kDamping << kLogBits;
  Uint128 coefficient = Uint128{1} << kCoefficientBits;
  for (int k = 0; k < periods; ++k) {
    if (k > 0) coefficient = coefficient * static_cast<unsigned>(2 * k - 1) / static_cast<unsigned>(2 * k);
    const std::int64_t damped = kOne + log2_below(static_cast<std::uint64_t>(k) + 1);
    weights_.push_back(static_cast<std::int64_t>(
        coefficient * static_cast<Uint128>(kOne) / static_cast<Uint128>(damped) >> (kCoefficientBits - kStreamBits)));
  }
}

Int128 StreamWeights::past(noise::Int128View counts) const {
  Int128 sum = 0;
  for (std::size_t j = 0; j < counts.size; ++j) sum += Int128{weights_[counts.size - j]} * counts[j];
  return sum;
}

double StreamWeights::count_of(Int128 noisy, std::span<const double> earlier, unsigned finer) const {
  auto rest = std::ldexp(static_cast<long double>(noisy), -static_cast<int>(finer));
  for (std::size_t j = 0; j < earlier.size(); ++j)
    rest -= static_cast<long double>(weights_[earlier.size() - j]) * earlier[j];
  return static_cast<double>(rest / static_cast<long double>(weights_[0]));
}

// The noise of a total is that of the numbers with the coefficients of 1 / ((1 - z) T(z)).
double StreamWeights::variance_of_total() const {
  std::vector<double> inverse;
  double sum = 0, variance = 0;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    if (i % 256 == 0) noise::check_interrupt();
    double rest = i == 0 ? 1 : 0;
    for (std::size_t k = 1; k <= i; ++k) rest -= static_cast<double>(weights_[k]) * inverse[i - k];
    inverse.push_back(rest / static_cast<double>(weights_[0]));
    sum += inverse.back();
    variance += sum * sum;
  }
  return variance;
}

// By one coordinate of each period, of which T_0 is the largest; the sum of all T_k is less than 2^34.
mechanism::Changes stream_changes(const mechanism::Changes& of_period) {
  using noise::checked_mul;
  constexpr unsigned kSumBits = 34;
  constexpr unsigned kMostSquareBits = 126;
  Uint128 square = 0;
  if (of_period.l2 >> 42 == 0) square = of_period.l2 * of_period.l2 * kStreamNormSquared;
  if (square >> kMostSquareBits != 0) square = 0;
  return {kMostPeriods, checked_mul(of_period.l1, Uint128{1} << kSumBits),
          checked_mul(of_period.l2, mechanism::root_above(kStreamNormSquared)),
          checked_mul(of_period.linf, Uint128{1} << kStreamBits), square};
}

double total_of(std::span<const double> counts) {
  return static_cast<double>(std::accumulate(counts.begin(), counts.end(), 0.0L));
}

}  // namespace dp::aggregate
