// staircase: uniform steps inside geometric stairs, the least noisy pure mechanism for one number of large sensitivity.
//
// Source: Geng, Viswanath, "The Optimal Mechanism in Differential Privacy" (2014). The law's ratio is at most e^epsilon
// for every shift up to the width of a stair, but reaches it for a shift of 1 already. So when m coordinates change at
// once each one gets epsilon/m and its own sensitivity, and basic composition gives epsilon; the joint l1 would not be
// private.
//
// The metric says what the step makes best: the expected absolute error (l1), the squared one (l2), or P(|noise| <=
// gamma) (usefulness). It never decides whether the noise is private, so doubles may choose it.
#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>

#include "core/mechanism/catalogue.h"
#include "core/mechanism/error.h"
#include "core/mechanism/staircase/staircase_shape.h"
#include "core/mechanism/staircase/vector_shape.h"

namespace dp::mechanism {
namespace {

using noise::Uint128;

enum Metric : std::uint8_t { kL1, kL2, kUsefulness };
constexpr std::string_view kMetrics[] = {"l1", "l2", "usefulness"};
constexpr Key kKeys[] = {{"metric", Key::Type::choice, kMetrics}, {"gamma", Key::Type::number}};

std::uint8_t metric(const Mechanism& m) { return std::get<Choice>(m.values[0]).index; }

void check_staircase(const Mechanism& m) {
  const auto* const gamma = std::get_if<double>(&m.values[1]);
  const bool wanted = metric(m) == kUsefulness;
  if (wanted == (gamma != nullptr) && (!wanted || *gamma > 0)) return;
  throw Error(gamma == nullptr ? std::string("metric usefulness needs gamma, the error that is still useful")
              : wanted         ? "gamma must be above zero, not " + decimal(*gamma)
                               : std::string("gamma goes with metric usefulness only"),
              "For example staircase(metric=usefulness, gamma=5).");
}

// The smallest is the best; `gamma` in units of the law.
template <class Shape>
double badness(const Mechanism& m, const Shape& shape, double gamma) {
  switch (metric(m)) {
    case kL1:
      return shape.loss().expected_abs;
    case kL2:
      return shape.loss().expected_sq;
    default:
      return -shape.within(gamma);
  }
}

double gamma_in(const Mechanism& m, double unit) {
  return metric(m) == kUsefulness ? std::get<double>(m.values[1]) / unit : 0;
}

double best_continuous_step(const Mechanism& m, const Stairs& stairs, double gamma) {
  // P(|X| <= j + u) is largest for the step u; where u is 0 every step gives the same, and the least error decides.
  const double part = gamma - std::floor(gamma);
  if (metric(m) == kUsefulness && part > 0) return part;
  const bool squared = metric(m) == kL2;
  const auto error = [&](double log_s) {
    const Loss loss = ContinuousStaircase{stairs, std::exp(log_s)}.loss();
    return squared ? loss.expected_sq : loss.expected_abs;
  };
  return std::exp(boost::math::tools::brent_find_minima(error, std::max(-100.0, -stairs.epsilon - 1), 0.0, 52).first);
}

double best_integer_step(const Mechanism& m, const Stairs& stairs, double width, double gamma) {
  const auto error = [&](double r) {
    const Loss loss = IntegerStaircase{stairs, width, r}.loss();
    return metric(m) == kL2 ? loss.expected_sq : loss.expected_abs;
  };
  double start = boost::math::tools::brent_find_minima(error, 1.0, std::max(width, 1.0), 52).first;
  if (metric(m) == kUsefulness) {
    const double part = std::fmod(std::floor(gamma) + 1, width);
    start = part >= 1 ? part : width;
  }
  const double base = std::clamp(std::floor(start), 1.0, width);
  double best = base;
  for (int offset = -2; offset <= 3; ++offset) {
    const double r = std::clamp(base + offset, 1.0, width);
    const auto at = [&](double step) { return badness(m, IntegerStaircase{stairs, width, step}, gamma); };
    if (at(r) < at(best)) best = r;
  }
  return best;
}

// Below the first epsilon it is not a part in a thousand better than the discrete Laplace, beyond the second its
// sampler tries too often.
constexpr Epsilon kLeastOfVectors{Epsilon::kPerUnit / 4}, kMostOfVectors{16 * Epsilon::kPerUnit};

bool has_vector_law(const Mechanism& m, Epsilon epsilon, const Changes& changes) {
  constexpr unsigned kWidthBits = 72;  // so that epsilon.num times it stays below 2^125
  return metric(m) != kUsefulness && changes.vector >= 2 && changes.vector <= noise::StaircaseVector::kMaxCoordinates &&
         epsilon >= kLeastOfVectors && epsilon <= kMostOfVectors && changes.l1 > 1 && changes.l1 >> kWidthBits == 0;
}

noise::StaircaseVector vector_law(const Mechanism& m, Epsilon epsilon, const Changes& changes) {
  const auto width = static_cast<double>(changes.l1);
  const double step = best_vector_step(epsilon.value(), width, changes.vector, metric(m) == kL2);
  const Uint128 whole = step >= width ? changes.l1 : static_cast<Uint128>(step);
  return {epsilon.per(1), changes.l1, whole, changes.vector};
}

double error_of(const Mechanism& m, const Law& law) {
  const Loss figures = loss(law);
  return metric(m) == kL2 ? figures.expected_sq : figures.expected_abs;
}

// Of several numbers: the best of the laws that keep epsilon for them together. Another one than the discrete Laplace
// has to be better by a part in a thousand.
Law best_of_several(const Mechanism& m, Epsilon epsilon, const Changes& changes, const noise::Staircase& split) {
  if (metric(m) == kUsefulness) return split;
  Law best = noise::DiscreteLaplace{epsilon.per(changes.l1)};
  const auto compare = [&](const Law& other) {
    if (error_of(m, other) < error_of(m, best) * (1 - 1e-3)) best = other;
  };
  compare(split);
  if (has_vector_law(m, epsilon, changes)) compare(vector_law(m, epsilon, changes));
  return best;
}

Calibration calibrate_staircase(const Mechanism& m, Epsilon epsilon, const Changes& changes, Lattice lattice) {
  const noise::Ratio share = epsilon.per(changes.coordinates);
  const double value = static_cast<double>(share.num) / static_cast<double>(share.den);
  const double width = static_cast<double>(changes.linf);
  const double step = best_integer_step(m, Stairs{value}, width, gamma_in(m, std::ldexp(1.0, lattice.exponent)));
  const Uint128 whole = step >= width ? changes.linf : static_cast<Uint128>(step);
  const noise::Staircase law{share, changes.linf, whole};
  return {m, changes.coordinates == 1 ? Law(law) : best_of_several(m, epsilon, changes, law), 0};
}

IntegerStaircase shape_of(const noise::Staircase& law) {
  const double epsilon = static_cast<double>(law.epsilon.num) / static_cast<double>(law.epsilon.den);
  return {Stairs{epsilon}, static_cast<double>(law.width), static_cast<double>(law.step)};
}

Description describe_staircase(const Mechanism& m, Epsilon epsilon, double sensitivity, Lattice lattice) {
  const Stairs stairs{epsilon.value()};
  if (lattice == Lattice::integer) {
    const IntegerStaircase shape{stairs, sensitivity, best_integer_step(m, stairs, sensitivity, gamma_in(m, 1))};
    return {m, shape.loss(), [shape](double t) { return shape.within(t); }, [shape](double t) { return shape.phi(t); }};
  }
  const ContinuousStaircase shape{stairs, best_continuous_step(m, stairs, gamma_in(m, sensitivity))};
  const Loss unit = shape.loss();
  return {m,
          {unit.scale * sensitivity, unit.expected_abs * sensitivity, unit.expected_sq * sensitivity * sensitivity,
           unit.entropy_bits + std::log2(sensitivity), unit.interval95 * sensitivity},
          [=](double t) { return shape.within(t / sensitivity); },
          [=](double t) { return shape.phi(t * sensitivity); }};
}

VectorShape shape_of(const noise::StaircaseVector& law) {
  const double epsilon = static_cast<double>(law.epsilon.num) / static_cast<double>(law.epsilon.den);
  return {epsilon, static_cast<double>(law.width), static_cast<double>(law.step), law.coordinates};
}

}  // namespace

Loss loss(const noise::Staircase& law) { return shape_of(law).loss(); }

Loss loss(const noise::StaircaseVector& law) { return shape_of(law).loss(); }

Within within(const noise::StaircaseVector& law) {
  return [shape = shape_of(law)](double t) { return t < 0 ? 0 : 1 - shape.tail(std::floor(t) + 1); };
}

Within within(const noise::Staircase& law) {
  return [shape = shape_of(law)](double t) { return shape.within(t); };
}

const Family kStaircase{"staircase",     "staircase(metric=l2)", kKeys,
                        check_staircase, calibrate_staircase,    describe_staircase};

}  // namespace dp::mechanism
