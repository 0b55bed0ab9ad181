#include "core/mechanism/staircase/vector_shape.h"

#include <algorithm>
#include <cmath>

#include "core/noise/interrupt.h"

namespace dp::mechanism {
// The sum over i of 2^i C(d, i) C(n, i + more), over width^{d + more} so that it does not overflow.
double VectorShape::counted(unsigned d, double n, unsigned more) const {
  double sum = 0, share = 1, chosen = 1;
  for (unsigned i = 0; i < more; ++i) chosen *= std::max(n - i, 0.0) / ((i + 1) * width_);
  for (unsigned i = 0; i <= d; ++i) {
    sum += share * chosen * inverse_[d - i];
    share *= 2.0 * (d - i) / (i + 1);
    chosen *= std::max(n - i - more, 0.0) / ((i + more + 1) * width_);
  }
  return sum;
}

template <class Term>
double VectorShape::over_stairs(Term term) const {
  double sum = 0, weight = 1;
  for (int j = 0; j < stairs_; ++j, weight *= alpha_) sum += weight * term(step_ - 1 + j * width_);
  return sum;
}

VectorShape::VectorShape(double epsilon, double width, double step, unsigned coordinates)
    : alpha_(std::exp(-epsilon)), width_(width), step_(step), coordinates_(coordinates) {
  noise::check_interrupt();
  // The volumes of balls grow as j^d, so that the terms are greatest at d/epsilon; far beyond it they vanish.
  inverse_[0] = 1;
  for (unsigned i = 1; i < inverse_.size(); ++i) inverse_[i] = inverse_[i - 1] / width;
  stairs_ = static_cast<int>((60 + 4.0 * coordinates) / epsilon) + 2;
  const unsigned others = coordinates - 1;
  total_ = over_stairs([&](double radius) { return counted(coordinates_, radius, 0); });
  first_ = width * over_stairs([&](double radius) { return counted(others, radius + 1, 2); });
  second_ = width * width * over_stairs([&](double radius) { return counted(others, radius + 2, 3); });
}

double VectorShape::tail(double t) const {
  if (t <= 0) return 1;
  return 2 / total_ *
         over_stairs([&](double radius) { return radius < t ? 0 : counted(coordinates_ - 1, radius - t + 1, 1); });
}

Loss VectorShape::loss() const {
  const double interval = integer_interval95([this](double n) { return tail(n + 1); });
  // The entropy of cells of the same width, whose inside is taken for flat.
  const double cell = std::max(1.0, std::ceil(interval / 16));
  double entropy = 0, above = 1;
  for (double t = cell; above > 1e-12; t += cell) {
    const double next = t == cell && cell == 1 ? tail(1) : tail(t);
    const double mass = above - next;
    const double points = t == cell ? 2 * cell - 1 : 2 * cell;
    if (mass > 0) entropy -= mass * std::log2(mass / points);
    above = next;
  }
  return {step_, expected_abs(), expected_sq(), entropy, interval};
}

double best_vector_step(double epsilon, double width, unsigned coordinates, bool squared) {
  const auto error = [&](double step) {
    const VectorShape shape(epsilon, width, step, coordinates);
    return squared ? shape.expected_sq() : shape.expected_abs();
  };
  // Over all steps first, as the error may have two valleys; then around the best one.
  constexpr double kTries = 24;
  double best = width, least = error(width), reach = width / kTries;
  const auto look = [&](double step) {
    step = std::clamp(std::round(step), 1.0, width);
    const double found = error(step);
    if (found < least) best = step, least = found;
  };
  for (double i = 0; i < kTries; ++i) look(width * i / kTries);
  for (double i = 1; i <= 12; ++i) look(width * std::exp(-epsilon * i / 12));
  for (; reach >= 0.5 && reach > width * 1e-7; reach /= 2) {
    const double at = best;
    look(at - reach);
    look(at + reach);
  }
  return best;
}

}  // namespace dp::mechanism
