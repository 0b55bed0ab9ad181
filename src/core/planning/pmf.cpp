#include "core/planning/pmf.h"

#include <algorithm>
#include <cmath>

#include "core/mechanism/error.h"

namespace dp::planning {
namespace {

Probability value(const noise::Ratio& ratio) {
  return static_cast<Probability>(ratio.num) / static_cast<Probability>(ratio.den);
}

// The sum of e^{-(|k|/b)^p} over whole k >= first > 0, up to terms that a long double no longer shows.
Probability tail_weight(const noise::GeneralisedGaussian& law, Probability first) {
  Probability sum = 0, term;
  for (Probability k = first;; ++k) {
    term = std::exp(log_pmf(law, k));
    sum += term;
    if (term <= sum * 1e-22L) return sum;
    if (k - first > 1e6L)
      throw Error("noise is too wide to enumerate", "Describe a larger epsilon or a narrower range.");
  }
}

}  // namespace

Probability log_pmf(const noise::DiscreteLaplace& law, Probability x) {
  const Probability rate = value(law.rate);
  return std::log(std::tanh(rate / 2)) - std::fabs(x) * rate;
}

Probability log_pmf(const noise::Staircase& law, Probability x) {
  const auto width = static_cast<Probability>(law.width);
  const Probability stair = std::floor(std::fabs(x) / width);
  const bool beyond = std::fabs(x) - stair * width >= static_cast<Probability>(law.step);
  return -value(law.epsilon) * (stair + (beyond ? 1 : 0));
}

Probability log_pmf(const noise::StaircaseVector& law, Probability norm) {
  const auto width = static_cast<Probability>(law.width), step = static_cast<Probability>(law.step);
  return norm < step ? 0 : -value(law.epsilon) * (1 + std::floor((norm - step) / width));
}

Probability log_pmf(const noise::DiscreteGaussian& law, Probability x) {
  return -x * x / (2 * std::ldexp(static_cast<Probability>(law.mantissa), law.exponent));
}

Probability log_pmf(const noise::GaussianLevel& law, Probability x) {
  const auto scaled = x * static_cast<Probability>(law.epsilon) / static_cast<Probability>(law.change);
  return -scaled * scaled /
         (2 * static_cast<Probability>(noise::GaussianLevel::kPerUnit) *
          static_cast<Probability>(noise::GaussianLevel::kPerUnit));
}

Probability log_pmf(const noise::LaplaceMixture& law, Probability x) {
  Probability largest = -INFINITY;
  const auto term = [&](const noise::LaplaceMixture::Atom& atom) {
    return std::log(static_cast<Probability>(atom.weight) / static_cast<Probability>(law.total)) +
           log_pmf(noise::DiscreteLaplace{atom.rate}, x);
  };
  for (unsigned i = 0; i < law.count; ++i) largest = std::max(largest, term(law.atoms[i]));
  Probability sum = 0;
  for (unsigned i = 0; i < law.count; ++i) sum += std::exp(term(law.atoms[i]) - largest);
  return largest + std::log(sum);
}

Probability log_pmf(const noise::GeneralisedGaussian& law, Probability x) {
  const auto power = static_cast<Probability>(law.power.num) / law.power.den;
  return -std::pow(std::fabs(x) / static_cast<Probability>(law.scale()), power);
}

Probability log_pmf(const noise::RoundedGeometric& law, Probability exact, Probability answer) {
  const auto multiple = static_cast<Probability>(law.multiple(static_cast<noise::Int128>(exact)));
  return log_pmf(law.noise, answer / static_cast<Probability>(law.step) - multiple);
}

Probability log_pmf(const noise::TruncatedGeneralisedGaussian& law, Probability exact, Probability answer) {
  Probability total = 0;
  for (auto y = static_cast<Probability>(law.low); y <= static_cast<Probability>(law.high); ++y) {
    total += std::exp(log_pmf(law.noise, y - exact));
  }
  return log_pmf(law.noise, answer - exact) - std::log(total);
}

Probability log_pmf(const noise::BoundaryInflatedGaussian& law, Probability exact, Probability answer) {
  const auto low = static_cast<Probability>(law.low), high = static_cast<Probability>(law.high);
  if (answer > low && answer < high) return log_pmf(law.noise, answer - exact);
  const Probability distance = answer == low ? exact - low : high - exact;  // >= 0: all that lies beyond ends here
  return std::log(distance > 0 ? tail_weight(law.noise, distance) : 1 + tail_weight(law.noise, 1));
}

}  // namespace dp::planning
