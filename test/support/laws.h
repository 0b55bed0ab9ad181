// The laws that the samplers must have, in 50-digit arithmetic and written from their definitions, not from src/.
//
// Each law has mass(x) = P(X = x) and below(x) = P(X < x).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/number/real.h"

namespace dp::test {

using dp::Real;

struct UniformLaw {
  std::int64_t size;

  Real mass(std::int64_t x) const { return x >= 0 && x < size ? 1 / Real(size) : Real(0); }
};

// True with the given probability.
struct BernoulliLaw {
  Real probability;

  Real mass(std::int64_t x) const { return x == 1 ? probability : x == 0 ? Real(1 - probability) : Real(0); }
};

class GeometricLaw {
 public:
  explicit GeometricLaw(const Real& rate) : rate_(rate) {}

  Real mass(std::int64_t x) const { return x < 0 ? Real(0) : Real(-expm1(-rate_) * exp(-rate_ * x)); }
  Real below(std::int64_t x) const { return x <= 0 ? Real(0) : Real(-expm1(-rate_ * x)); }

  // P(X mod m = r): sees the structure inside bins that are wide ranges.
  Real residue(std::int64_t r, std::int64_t m) const { return mass(r) / -expm1(-rate_ * m); }

 private:
  Real rate_;
};

// A law symmetric around 0, given by its upper tail P(X >= x) for x >= 1.
template <class Law>
struct Symmetric {
  Real below(std::int64_t x) const {
    const auto& law = static_cast<const Law&>(*this);
    return x >= 1 ? Real(1 - law.upper(x)) : Real(law.upper(1 - x));
  }
};

class LaplaceLaw : public Symmetric<LaplaceLaw> {
 public:
  explicit LaplaceLaw(const Real& rate) : rate_(rate) {}

  Real mass(std::int64_t x) const { return tanh(rate_ / 2) * exp(-rate_ * (x < 0 ? -x : x)); }
  Real upper(std::int64_t x) const { return exp(-rate_ * x) / (1 + exp(-rate_)); }
  Real mean_magnitude() const { return 1 / sinh(rate_); }
  Real mean_square() const { return 1 / (cosh(rate_) - 1); }

 private:
  Real rate_;
};

class StaircaseLaw : public Symmetric<StaircaseLaw> {
 public:
  StaircaseLaw(const Real& epsilon, std::int64_t width, std::int64_t step)
      : a_(exp(-epsilon)), width_(width), step_(step), total_(2 * from(0) - 1) {}

  Real mass(std::int64_t x) const { return weight(x < 0 ? -x : x) / total_; }
  Real upper(std::int64_t x) const { return from(x) / total_; }

 private:
  Real weight(std::int64_t x) const { return pow(a_, x / width_ + (x % width_ < step_ ? 0 : 1)); }

  // The weights of x and of all greater integers: the rest of its stair, then whole stairs.
  Real from(std::int64_t x) const {
    Real rest = 0;
    std::int64_t i = x;
    for (; i % width_ != 0 || i == x; ++i) rest += weight(i);
    const Real stair = step_ + a_ * (width_ - step_);
    return rest + pow(a_, i / width_) * stair / (1 - a_);
  }

  Real a_;
  std::int64_t width_;
  std::int64_t step_;
  Real total_;
};

// By summation, so for standard deviations up to a few thousands.
class GaussianLaw : public Symmetric<GaussianLaw> {
 public:
  explicit GaussianLaw(const Real& variance) : variance_(variance) {
    // Beyond 17 standard deviations the mass is below 1e-62.
    const auto last = static_cast<std::int64_t>(ceil(17 * sqrt(variance))) + 1;
    upper_.assign(last + 1, Real(0));
    for (std::int64_t x = last - 1; x >= 0; --x) upper_[x] = upper_[x + 1] + weight(x);
    total_ = 2 * upper_[0] - 1;
  }

  Real mass(std::int64_t x) const { return weight(x) / total_; }
  Real upper(std::int64_t x) const {
    return x < static_cast<std::int64_t>(upper_.size()) ? Real(upper_[x] / total_) : Real(0);
  }

 private:
  Real weight(std::int64_t x) const { return exp(-Real(x) * x / (2 * variance_)); }

  Real variance_;
  std::vector<Real> upper_;
  Real total_;
};

}  // namespace dp::test
