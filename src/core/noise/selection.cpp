#include "core/noise/selection.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <numeric>
#include <vector>

#include "core/noise/primitives.h"

namespace dp::noise {
namespace {

namespace mp = boost::multiprecision;
using Wide = mp::number<mp::cpp_int_backend<512, 512, mp::unsigned_magnitude, mp::checked, void>>;

// How far each candidate lies below the best one, times the rate's numerator: over its denominator this is -ln p_i.
class Exponents {
 public:
  Exponents(std::span<const Utility> utilities, const Ratio& rate) : utilities_(utilities), rate_(rate) {
    if (utilities.empty()) throw std::invalid_argument("no candidates to choose from");
    best_ = static_cast<Uint128>(*std::max_element(utilities.begin(), utilities.end()));
  }

  std::size_t size() const { return utilities_.size(); }
  Uint128 operator[](std::size_t i) const {
    return checked_mul(best_ - static_cast<Uint128>(utilities_[i]), rate_.num);
  }

 private:
  std::span<const Utility> utilities_;
  Ratio rate_;
  Uint128 best_;
};

std::size_t uniform(BitSource& bits, std::size_t size) { return static_cast<std::size_t>(below(bits, size)); }

// weight * (3/8)^units, in parts of 8^-kMaxUnits: nearly weight * e^{-units}, and an integer.
constexpr unsigned kMaxUnits = 96;

Wide nearly(Uint128 weight, unsigned units) {
  const Wide wide = Wide(static_cast<std::uint64_t>(weight >> 64)) << 64 | static_cast<std::uint64_t>(weight);
  return (wide * mp::pow(Wide(3), units)) << 3 * (kMaxUnits - units);
}

}  // namespace

bool bernoulli_eight_over_three_e(BitSource& bits) {
  if (!bernoulli<Uint128>(bits, 1, 45)) return true;
  std::uint64_t k = 6;
  while (bernoulli<Uint128>(bits, 1, k)) ++k;
  return k % 2 == 1;
}

std::size_t exponential_mechanism(BitSource& bits, std::span<const Utility> utilities, const Ratio& rate) {
  const Exponents exponents(utilities, rate);
  for (;;) {
    const std::size_t i = uniform(bits, exponents.size());
    if (bernoulli_exp<Uint128>(bits, exponents[i], rate.den)) return i;
  }
}

// Proposals are uniform, so the greatest weights[i] p_i is proposed once in as many tries as there are candidates.
// A candidate is taken with probability weights[i] p_i over (nearly) the greatest; with k the whole units of -ln p_i,
//   p_i = (3/8)^k * (8/(3e))^k * e^{-rest},
// the first factor goes with the weight into a ratio of integers, the others are flips. Beyond kMaxUnits units all goes
// into e^{-rest}; such a candidate is not the greatest, for 2^126 (3/8)^96 < 1. The greatest is taken with probability
// above (8/(3e))^89 / e > 1/15.
std::size_t exponential_mechanism(BitSource& bits, std::span<const Utility> utilities, std::span<const Weight> weights,
                                  const Ratio& rate) {
  const Exponents exponents(utilities, rate);
  if (weights.size() != exponents.size()) throw std::invalid_argument("as many weights as candidates are needed");
  std::vector<unsigned> units(exponents.size());
  std::vector<Wide> masses(exponents.size());
  for (std::size_t i = 0; i < exponents.size(); ++i) {
    if (weights[i] == 0 || weights[i] >> 126 != 0) throw std::invalid_argument("a weight must be from 1 to 2^126 - 1");
    units[i] = static_cast<unsigned>(std::min<Uint128>(exponents[i] / rate.den, kMaxUnits));
    masses[i] = nearly(weights[i], units[i]);
  }
  const Wide greatest = *std::max_element(masses.begin(), masses.end());
  for (;;) {
    const std::size_t i = uniform(bits, exponents.size());
    bool taken = bernoulli(bits, masses[i], greatest);
    for (unsigned k = 0; taken && k < units[i]; ++k) taken = bernoulli_eight_over_three_e(bits);
    if (taken && bernoulli_exp<Uint128>(bits, exponents[i] - units[i] * rate.den, rate.den)) return i;
  }
}

std::size_t permute_and_flip(BitSource& bits, std::span<const Utility> utilities, const Ratio& rate) {
  const Exponents exponents(utilities, rate);
  std::vector<std::size_t> waiting(exponents.size());
  std::iota(waiting.begin(), waiting.end(), std::size_t{0});
  for (;;) {  // the best candidate succeeds at the latest
    std::swap(waiting[uniform(bits, waiting.size())], waiting.back());
    if (bernoulli_exp<Uint128>(bits, exponents[waiting.back()], rate.den)) return waiting.back();
    waiting.pop_back();
  }
}

}  // namespace dp::noise
