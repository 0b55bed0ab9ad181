// The generalised Gaussian laws and the privacy they give, by adding up their definition: no formula of src/ is used.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "support/laws.h"

namespace dp::test {

// P(x) proportional to e^{-(|x|/b)^p}, by summation.
class PowerLaw : public Symmetric<PowerLaw> {
 public:
  PowerLaw(const Real& p, const Real& b) : p_(p), b_(b) {
    const auto last =
        static_cast<std::int64_t>(std::ceil(static_cast<double>(b) * std::pow(120.0, 1 / static_cast<double>(p)))) + 1;
    upper_.assign(last + 1, Real(0));
    for (std::int64_t x = last - 1; x >= 0; --x) upper_[x] = upper_[x + 1] + weight(x);
    total_ = 2 * upper_[0] - 1;
  }

  Real weight(std::int64_t x) const { return exp(-pow(Real(x < 0 ? -x : x) / b_, p_)); }
  Real mass(std::int64_t x) const { return weight(x) / total_; }
  Real upper(std::int64_t x) const {
    return x < static_cast<std::int64_t>(upper_.size()) ? Real(upper_[x] / total_) : Real(0);
  }

 private:
  Real p_;
  Real b_;
  std::vector<Real> upper_;
  Real total_;
};

// What an answer on low..high may be, given its probabilities there.
class RangeLaw {
 public:
  RangeLaw(std::int64_t low, std::vector<Real> masses) : low_(low), masses_(std::move(masses)) {}

  // e^{-(|y - x|/b)^p} on low..high, normalised.
  static RangeLaw truncated(const Real& p, const Real& b, std::int64_t low, std::int64_t high, std::int64_t x) {
    std::vector<Real> masses;
    Real total = 0;
    for (std::int64_t y = low; y <= high; ++y)
      total += masses.emplace_back(exp(-pow(Real(y < x ? x - y : y - x) / b, p)));
    for (Real& mass : masses) mass /= total;
    return {low, std::move(masses)};
  }

  // x + noise, with what falls outside low..high on its ends.
  static RangeLaw inflated(const PowerLaw& noise, std::int64_t low, std::int64_t high, std::int64_t x) {
    std::vector<Real> masses;
    for (std::int64_t y = low; y <= high; ++y) masses.push_back(noise.mass(y - x));
    masses.front() = x > low ? noise.upper(x - low) : Real((1 + noise.mass(0)) / 2);
    masses.back() = high > x ? noise.upper(high - x) : Real((1 + noise.mass(0)) / 2);
    return {low, std::move(masses)};
  }

  Real mass(std::int64_t y) const {
    const std::int64_t i = y - low_;
    return i >= 0 && i < static_cast<std::int64_t>(masses_.size()) ? masses_[i] : Real(0);
  }

 private:
  std::int64_t low_;
  std::vector<Real> masses_;
};

// Delta of noise whose weights are e^{-(|x|/b)^p}, for the worst of the shifts 1..most. Approximate: the sum of
// max(0, P(x) - e^epsilon P(x + d)). Probabilistic: the probability of |ln P(x) - ln P(x + d)| > epsilon.
inline long double summed_power_delta(long double p, long double b, std::int64_t most, long double epsilon,
                                      bool probabilistic) {
  const auto last = static_cast<std::int64_t>(b * std::pow(100.0L, 1.0L / p)) + most + 3;
  const auto exponent = [&](std::int64_t x) { return std::pow(std::abs(x) / b, p); };
  long double total = 0, worst = 0;
  for (std::int64_t x = -last; x <= last; ++x) total += std::exp(-exponent(x));
  for (std::int64_t d = 1; d <= most; ++d) {
    long double sum = 0;
    for (std::int64_t x = -last; x <= last; ++x) {
      const long double loss = exponent(x + d) - exponent(x);
      if (probabilistic) {
        if (std::abs(loss) > epsilon * (1 + 1e-15L)) sum += std::exp(-exponent(x));
      } else if (loss > epsilon) {
        sum -= std::exp(-exponent(x)) * std::expm1(epsilon - loss);
      }
    }
    worst = std::max(worst, sum / total);
  }
  return worst;
}

// The greatest |ln P(y | x) - ln P(y | x')| over all answers y of 0..width and all x, x' in it at most `change` apart.
template <class LawOf>
Real worst_range_loss(std::int64_t width, std::int64_t change, LawOf law_of) {
  std::vector<std::vector<Real>> logs;
  for (std::int64_t x = 0; x <= width; ++x) {
    const RangeLaw law = law_of(x);
    std::vector<Real>& row = logs.emplace_back();
    for (std::int64_t y = 0; y <= width; ++y) row.push_back(log(law.mass(y)));
  }
  Real worst = 0;
  for (std::int64_t x = 0; x <= width; ++x) {
    for (std::int64_t other = x + 1; other <= std::min(width, x + change); ++other) {
      for (std::int64_t y = 0; y <= width; ++y) worst = std::max<Real>(worst, abs(logs[x][y] - logs[other][y]));
    }
  }
  return worst;
}

}  // namespace dp::test
