#include "core/mechanism/gg/power_shape.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <vector>

#include "core/mechanism/gg/power_sums.h"
#include "core/noise/interrupt.h"
#include "core/number/special_functions.h"

namespace dp::mechanism {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

// Below e^{-kNothing} a weight does not show in a double.
constexpr double kNothing = 45;

// From here on what Gamma(s), s <= 3, has above x does not show, and Boost need not cope with an x that has overflown.
constexpr double kAllBelow = 1000;

double gamma_below(double s, double x) { return x < kAllBelow ? lower_gamma(s, x) : gamma_function(s); }
double share_below(double s, double x) { return x < kAllBelow ? lower_gamma_share(s, x) : 1; }

// Above this scale the sums over whole numbers are the integrals with their first Euler-Maclaurin correction.
constexpr double kSmoothScale = 512;

// The integral of cos(w u) e^{-u^p} over 0..end, in panels of a few periods.
double cosine_integral(double p, double w, double end) {
  const double last = std::min(end, std::pow(kNothing, 1.0 / p));
  const auto weight = [p](double u) { return std::exp(-std::pow(u, p)); };
  const double panels = std::ceil(w * last / (8 * std::numbers::pi)) + 1;
  if (panels > 4096) return std::sin(w * last) * weight(last) / w;  // the first term of its asymptotic series
  double sum = 0;
  for (double i = 0; i < panels; ++i) {
    noise::check_interrupt();
    const auto integrand = [&](double u) { return std::cos(w * u) * weight(u); };
    sum += integral(integrand, last * i / panels, last * (i + 1) / panels, 6, 1e-13);
  }
  return sum;
}

// A law on a few whole numbers around the exact answer, term by term.
struct Atom {
  double distance;
  double probability;
};
using Atoms = std::vector<Atom>;

PowerShape shape_of(double scale, Atoms found) {
  // By magnitude, so that `within` is a running sum.
  std::stable_sort(found.begin(), found.end(),
                   [](const Atom& a, const Atom& b) { return std::fabs(a.distance) < std::fabs(b.distance); });
  Loss loss{scale, 0, 0, 0, -1};
  double passed = 0;
  for (const auto& [distance, probability] : found) {
    if (probability == 0) continue;
    loss.expected_abs += probability * std::fabs(distance);
    loss.expected_sq += probability * distance * distance;
    loss.entropy_bits -= probability * std::log2(probability);
    passed += probability;
    if (loss.interval95 < 0 && passed >= 0.95) loss.interval95 = std::fabs(distance);
  }
  const auto atoms = std::make_shared<const Atoms>(std::move(found));
  const auto within = [atoms](double t) {
    double sum = 0;
    for (const auto& [distance, probability] : *atoms) {
      if (std::fabs(distance) > t) return std::min(sum, 1.0);
      sum += probability;
    }
    return 1.0;
  };
  const auto phi = [atoms](double t) {
    double real = 0, imaginary = 0;
    for (const auto& [distance, probability] : *atoms) {
      real += probability * std::cos(t * distance);
      imaginary += probability * std::sin(t * distance);
    }
    return std::hypot(real, imaginary);
  };
  return {loss, within, phi};
}

// Weights of the whole numbers from -left to right that show.
Atoms weights(double p, double b, double left, double right) {
  const double reach = std::ceil(b * std::pow(kNothing, 1.0 / p)) + 1;
  Atoms found;
  for (double x = -std::min(left, reach); x <= std::min(right, reach); ++x) {
    found.push_back({x, std::exp(-std::pow(std::fabs(x) / b, p))});
  }
  return found;
}

void normalise(Atoms& atoms, double total) {
  for (Atom& atom : atoms) atom.probability /= total;
}

double sum_of(const Atoms& atoms) {
  double sum = 0;
  for (const Atom& atom : atoms) sum += atom.probability;
  return sum;
}

// The figures of a density up to `cut` on both sides of the exact answer; on the boundary what it has beyond is put at
// `end`. Without interval95.
Loss range_figures(RangeLaw law, double p, double b, double cut, double end) {
  const double one = 1.0 / p;
  const double x = std::pow(cut / b, p);
  const double inside = law == RangeLaw::truncated ? gamma_below(one, x) : gamma_function(one);
  const double outside = law == RangeLaw::truncated ? 0 : std::exp(log_continuous_tail(p, cut / b));
  const double log_peak = std::log2(2 * b * inside / p);
  double entropy = (1 - outside) * log_peak + gamma_below(1 + one, x) / inside / std::numbers::ln2;
  if (outside > 0) entropy -= outside * std::log2(outside / 2);
  return {b, b * gamma_below(2 * one, x) / inside + outside * end,
          b * b * gamma_below(3 * one, x) / inside + outside * end * end, entropy, 0};
}

}  // namespace

PowerShape continuous_power_shape(Power power, double b) {
  const double p = power.value();
  const double one = 1.0 / p;
  const double mass = gamma_function(one);
  const Loss loss{b, b * gamma_function(2 * one) / mass, b * b * gamma_function(3 * one) / mass,
                  std::log2(2 * b * mass / p) + one / std::numbers::ln2,
                  b * std::pow(inverse_lower_gamma_share(one, 0.95), one)};
  const auto within = [one, p, b](double t) { return share_below(one, std::pow(t / b, p)); };
  const auto phi = [=](double t) {
    const double w = std::fabs(t) * b;
    if (p == 1) return 1 / (1 + w * w);
    if (p == 2) return std::exp(-w * w / 4);
    return std::fabs(cosine_integral(p, w, kUnbounded)) * p / mass;
  };
  return {loss, within, phi};
}

PowerShape integer_power_shape(Power power, double b) {
  const double p = power.value();
  if (b <= kSmoothScale) {
    Atoms atoms = weights(p, b, kUnbounded, kUnbounded);
    normalise(atoms, sum_of(atoms));
    return shape_of(b, std::move(atoms));
  }
  PowerShape shape = continuous_power_shape(power, b);
  shape.loss.expected_abs -= p / (12 * b * gamma_function(1.0 / p));
  shape.loss.interval95 = integer_interval95([=](double n) { return 2 * std::exp(log_upper(power, b, n + 1)); });
  shape.within = [=](double t) { return -std::expm1(std::log(2.0) + log_upper(power, b, std::floor(t) + 1)); };
  return shape;
}

PowerShape continuous_range_shape(RangeLaw law, Power power, double b, double width) {
  const double p = power.value();
  const double one = 1.0 / p;
  const double middle = width / 2;
  const double x = std::pow(middle / b, p);
  const double inside = law == RangeLaw::truncated ? gamma_below(one, x) : gamma_function(one);
  const double outside = law == RangeLaw::truncated ? 0 : std::exp(log_continuous_tail(p, middle / b));
  Loss loss = range_figures(law, p, b, middle, middle);
  // `share` of the one-sided law up to t is P(|noise| <= t), below the boundary.
  const double share = law == RangeLaw::truncated ? share_below(one, x) : 1;
  loss.interval95 =
      0.95 * share >= share_below(one, x) ? middle : b * std::pow(inverse_lower_gamma_share(one, 0.95 * share), one);
  const auto within = [=](double t) {
    return t >= middle ? 1.0 : std::min(share_below(one, std::pow(t / b, p)) / share, 1.0);
  };
  const auto phi = [=](double t) {
    const double w = std::fabs(t) * b;
    return std::fabs(cosine_integral(p, w, middle / b) * p / inside + outside * std::cos(t * middle));
  };
  return {loss, within, phi};
}

PowerShape integer_range_shape(RangeLaw law, Power power, double b, double width) {
  const double p = power.value();
  const double left = std::floor(width / 2), right = width - left;
  if (b > kSmoothScale && width > 16 * kSmoothScale) {
    PowerShape shape = continuous_range_shape(law, power, b, width);
    // A whole number stands for the unit around it; those on the boundary belong to what is put there.
    shape.loss = range_figures(law, p, b, (law == RangeLaw::truncated ? width + 1 : width - 1) / 2, width / 2);
    const double total = law == RangeLaw::truncated ? head(power, b, left) + head(power, b, right) - 1 : 0;
    shape.within = [=](double t) {
      const double n = std::floor(t);
      if (n >= right) return 1.0;  // n <= left from here on
      if (law == RangeLaw::truncated) return std::min((2 * head(power, b, n) - 1) / total, 1.0);
      const double sides = n < left ? 2 : 1;  // all beyond -left lies on it
      return -std::expm1(std::log(sides) + log_upper(power, b, n + 1));
    };
    shape.loss.interval95 = integer_interval95([&](double n) { return 1 - shape.within(n); });
    return shape;
  }
  if (law == RangeLaw::truncated) {
    Atoms atoms = weights(p, b, left, right);
    normalise(atoms, sum_of(atoms));
    return shape_of(b, std::move(atoms));
  }
  Atoms atoms = weights(p, b, left - 1, right - 1);
  normalise(atoms, 2 * head(power, b, kUnbounded) - 1);
  atoms.push_back({-left, std::exp(log_upper(power, b, left))});
  atoms.push_back({right, std::exp(log_upper(power, b, right))});
  return shape_of(b, std::move(atoms));
}

}  // namespace dp::mechanism
