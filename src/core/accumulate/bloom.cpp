#include "core/accumulate/bloom.h"

#include <algorithm>
#include <cmath>

namespace dp::aggregate {
namespace {

// FNV-1a (Fowler, Noll, Vo), then the stream of splitmix64 (Steele, Lea, Flood 2014) that starts there.
class Places {
 public:
  Places(std::string_view value, BloomShape shape) {
    for (const char byte : value) take(static_cast<unsigned char>(byte));
    take(static_cast<std::uint64_t>(shape.bits));
    take(static_cast<std::uint64_t>(shape.hashes));
  }

  int next(int below) {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return static_cast<int>((z ^ z >> 31) % static_cast<std::uint64_t>(below));
  }

 private:
  void take(std::uint64_t part) { state_ = (state_ ^ part) * 0x100000001b3; }

  std::uint64_t state_ = 0xcbf29ce484222325;
};

// How many numbers two ascending lists have in common.
double shared(const std::vector<int>& a, const std::vector<int>& b) {
  std::size_t i = 0, j = 0, both = 0;
  while (i < a.size() && j < b.size()) {
    const bool equal = a[i] == b[j];
    const bool first = a[i] <= b[j], second = b[j] <= a[i];
    both += equal ? 1 : 0;
    i += first ? 1 : 0;
    j += second ? 1 : 0;
  }
  return static_cast<double>(both);
}

}  // namespace

std::vector<int> bloom_bits(std::string_view value, BloomShape shape) {
  std::vector<int> set;
  Places places(value, shape);
  while (std::ssize(set) < shape.hashes) {
    const int place = places.next(shape.bits);
    if (std::find(set.begin(), set.end(), place) == set.end()) set.push_back(place);
  }
  std::sort(set.begin(), set.end());
  return set;
}

std::size_t invert_bloom(std::span<const std::vector<int>> candidates, BloomShape shape, std::span<double> inverse) {
  const std::size_t n = candidates.size() + 1;
  const auto gram = [&](std::size_t i, std::size_t j) -> double {  // j <= i; 0 is the column of ones
    if (j == 0) return i == 0 ? shape.bits : shape.hashes;
    return shared(candidates[i - 1], candidates[j - 1]);
  };
  // X'X = L L', whose entries are integers up to `bits`: what is left of a diagonal of them is far above rounding, or 0.
  std::vector<double> lower(n * n);
  const auto dot = [&](std::size_t i, std::size_t j, std::size_t up_to) {
    double sum = 0;
    for (std::size_t k = 0; k < up_to; ++k) sum += lower[i * n + k] * lower[j * n + k];
    return sum;
  };
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) lower[i * n + j] = (gram(i, j) - dot(i, j, j)) / lower[j * n + j];
    const double left = gram(i, i) - dot(i, i, i);
    if (left < 1e-9 * gram(i, i)) return i == 0 ? 0 : i - 1;
    lower[i * n + i] = std::sqrt(left);
  }
  // L^-1, and with it (L^-1)' L^-1.
  std::vector<double> up(n * n);  // transposed, so that products run along rows
  for (std::size_t j = 0; j < n; ++j) {
    up[j * n + j] = 1 / lower[j * n + j];
    for (std::size_t i = j + 1; i < n; ++i) {
      double sum = 0;
      for (std::size_t k = j; k < i; ++k) sum += lower[i * n + k] * up[j * n + k];
      up[j * n + i] = -sum / lower[i * n + i];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (std::size_t k = i; k < n; ++k) sum += up[i * n + k] * up[j * n + k];
      inverse[i * n + j] = inverse[j * n + i] = sum;
    }
  }
  return candidates.size();
}

std::vector<ResponseEstimate> estimate_candidates(std::span<const std::vector<int>> candidates,
                                                  std::span<const double> inverse,
                                                  std::span<const std::uint64_t> counts, std::uint64_t reports,
                                                  noise::Odds odds) {
  std::vector<double> b, right{0};
  for (const std::uint64_t count : counts) b.push_back(estimate_bit(count, reports, odds).count);
  for (const double bit : b) right[0] += bit;
  for (const std::vector<int>& set : candidates) {
    right.push_back(0);
    for (const int bit : set) right.back() += b[static_cast<std::size_t>(bit)];
  }
  const double of_bit = estimate_bit(0, reports, odds).standard_error;
  std::vector<ResponseEstimate> estimates;
  for (std::size_t v = 1; v < right.size(); ++v) {
    double sum = 0;
    for (std::size_t i = 0; i < right.size(); ++i) sum += inverse[v * right.size() + i] * right[i];
    estimates.push_back({sum, of_bit * std::sqrt(inverse[v * right.size() + v])});
  }
  return estimates;
}

}  // namespace dp::aggregate
